"""Opinions as matrices: in row A, column B 1 for the arc A -> B, or its probability.

As CSV the names are in the header and again in the first column. A NumPy file (.npy) has no names: its variables are
X1, X2, ... A matrix of nothing but 0 and 1 is a network.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from bnfuse._errors import CycleError, FileError, GraphError
from bnfuse._options import option_name
from bnfuse.arc_votes import ArcVotes
from bnfuse.dag import DAG
from bnfuse.files._csv import Line, number
from bnfuse.network import Network


def structure(variables: Iterable[str], arcs: Iterable[tuple[str, str]], cyclic_votes: bool) -> Network | ArcVotes:
    """The network with these arcs; if they form a cycle, votes where these are wanted."""
    names, listed = list(variables), list(arcs)
    try:
        return Network(DAG(names, listed))
    except CycleError:
        if not cyclic_votes:
            raise
    return ArcVotes.from_arcs(names, listed)


def votes_offered(path: str, error: CycleError) -> FileError:
    """The error of a file whose arcs form a cycle, with a way out."""
    offer = option_name('cyclic="votes"')
    return FileError(path, f"{error}; where votes for arcs will do, take them so: {offer}")


def is_matrix(header: list[str], lines: list[Line]) -> bool:
    """Whether the first cells of the lines are the names of the header, which may have a cell over them."""
    names = sorted(row[0].strip() for _, row in lines)
    return bool(names) and names in (sorted(header), sorted(header[1:]))


def read_rows(header: list[str], lines: list[Line], path: str, cyclic_votes: bool) -> Network | ArcVotes:
    """What the matrix of a CSV file says."""
    names = header[len(header) - len(lines) :]
    entries = np.zeros((len(names), len(names)))
    for line, row in lines:
        source, *cells = (cell.strip() for cell in row)
        if len(cells) != len(names):
            raise FileError(path, f"expected {len(names)} numbers after the name, got {len(cells)}", line)
        values = [number(cell) for cell in cells]
        for cell, value in zip(cells, values, strict=True):
            if value is None or not 0 <= value <= 1:
                raise FileError(
                    path, f"a matrix may contain only 0 and 1, or probabilities between them, got {cell!a:.60}", line
                )
        entries[names.index(source)] = values
    return _opinion(names, entries, cyclic_votes)


def read_npy(content: bytes, path: str) -> list[Network | ArcVotes]:
    """What the matrix of a NumPy file says."""
    try:
        return [_from_npy(content, path, cyclic_votes=False)]
    except CycleError as error:
        raise votes_offered(path, error) from None


def read_npy_votes(content: bytes, path: str) -> list[Network | ArcVotes]:
    """The same; arcs that form a cycle are votes."""
    return [_from_npy(content, path, cyclic_votes=True)]


def _from_npy(content: bytes, path: str, cyclic_votes: bool) -> Network | ArcVotes:
    entries = _array(content, path)
    if entries.ndim != 2 or entries.shape[0] != entries.shape[1] or entries.dtype.kind not in "biuf":
        raise FileError(path, f"expected a square matrix of numbers, got {entries.dtype} of shape {entries.shape}")
    return _opinion([f"X{i + 1}" for i in range(len(entries))], entries.astype(np.float64), cyclic_votes)


def _array(content: bytes, path: str) -> npt.NDArray[np.generic]:
    """The array of a NumPy file, whose header may promise more than there is."""
    stream = io.BytesIO(content)
    try:
        major, _ = np.lib.format.read_magic(stream)
        read_header = np.lib.format.read_array_header_1_0 if major == 1 else np.lib.format.read_array_header_2_0
        shape, _, kind = read_header(stream)
        if not kind.hasobject and math.prod(shape) * kind.itemsize != len(content) - stream.tell():
            raise FileError(path, "is not a whole NumPy file: it holds more or less than its header says")
        return np.load(io.BytesIO(content), allow_pickle=False)  # type: ignore[no-any-return]
    except (ValueError, TypeError, SyntaxError, EOFError, OverflowError, RecursionError, MemoryError):
        raise FileError(path, "is not a NumPy file with an array of numbers") from None


def _opinion(names: list[str], entries: npt.NDArray[np.float64], cyclic_votes: bool) -> Network | ArcVotes:
    DAG(names)  # names that are missing or repeated, or too many, are found before anything large is made
    if not np.isin(entries, (0, 1)).all():
        return ArcVotes(names, entries)
    if (own := np.flatnonzero(np.diagonal(entries))).size:
        name = names[own[0]]
        raise GraphError(f"arc {name} -> {name}: a variable cannot be its own parent")
    arcs = [(names[source], names[target]) for source, target in np.argwhere(entries).tolist()]
    return structure(names, arcs, cyclic_votes)
