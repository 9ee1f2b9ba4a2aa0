"""Inputs as matrices: in row A, column B 1 for the arc A -> B, or its probability.

In CSV, the names are in the header and again in the first column. A NumPy file (.npy) has no names: its variables are
X1, X2, ... A matrix that contains only 0 and 1 is a network.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from bnfuse._base.options import option_name
from bnfuse.errors import CycleError, FileError, GraphError
from bnfuse.files._csv import Line, number
from bnfuse.graphs.arc_votes import ArcVotes
from bnfuse.graphs.dag import DAG, refuse_many
from bnfuse.graphs.network import Network

_NPY_HEADER = re.compile(
    r"\{'descr': '(?P<kind>[<>|](?:b1|[iu][1248]|f[248]))', 'fortran_order': (?P<fortran>True|False), "
    r"'shape': \((?P<rows>\d{1,9}), (?P<columns>\d{1,9})\), \}",
    re.ASCII,
)


def structure(variables: Iterable[str], arcs: Iterable[tuple[str, str]], cyclic_votes: bool) -> Network | ArcVotes:
    """The network with these arcs; if they form a cycle, votes if these are wanted."""
    names, listed = list(variables), list(arcs)
    try:
        return Network(DAG(names, listed))
    except CycleError:
        if not cyclic_votes:
            raise
    return ArcVotes.from_arcs(names, listed)


def votes_offered(path: str, error: CycleError) -> FileError:
    """The error for a file whose arcs form a cycle, with a remedy."""
    offer = option_name('cyclic="votes"')
    return FileError(path, f"{error}; to read them as votes for arcs: {offer}")


def is_matrix(header: list[str], lines: list[Line]) -> bool:
    """Whether the first cells of the lines are the names in the header, which may have a cell above them."""
    names = sorted(row[0].strip() for _, row in lines)
    return bool(names) and names in (sorted(header), sorted(header[1:]))


def read_rows(header: list[str], lines: list[Line], path: str, cyclic_votes: bool) -> Network | ArcVotes:
    """The content of a matrix in a CSV file."""
    names = header[len(header) - len(lines) :]
    refuse_many(len(names), "a file with a matrix")
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
    return _input(names, entries, cyclic_votes)


def read_npy(content: bytes, path: str) -> list[Network | ArcVotes]:
    """The content of a matrix in a NumPy file."""
    try:
        return [_from_npy(content, path, cyclic_votes=False)]
    except CycleError as error:
        raise votes_offered(path, error) from None


def read_npy_votes(content: bytes, path: str) -> list[Network | ArcVotes]:
    """The same, but arcs that form a cycle are votes."""
    return [_from_npy(content, path, cyclic_votes=True)]


def _from_npy(content: bytes, path: str, cyclic_votes: bool) -> Network | ArcVotes:
    entries = _array(content, path)
    return _input([f"X{i + 1}" for i in range(len(entries))], entries, cyclic_votes)


def _array(content: bytes, path: str) -> npt.NDArray[np.float64]:
    """The square matrix of a NumPy file (numpy.lib.format): nothing in the file is executed or trusted."""
    size = 2 if content[6:7] == b"\1" else 4  # bytes of the length of the header, which comes after the version
    start = 8 + size + int.from_bytes(content[8 : 8 + size], "little")
    header = content[8 + size : start].decode("latin-1").strip()
    found = _NPY_HEADER.fullmatch(header)
    if not content.startswith(b"\x93NUMPY") or not header.startswith("{"):
        raise FileError(path, "is not a NumPy file")
    if found is None or found["rows"] != found["columns"]:
        raise FileError(path, f"expected a square matrix of numbers, got {header!a:.100}")
    kind, rows = np.dtype(found["kind"]), int(found["rows"])
    if rows * rows * kind.itemsize != len(content) - start:
        raise FileError(path, "is not a whole NumPy file: it holds more or less than its header says")
    entries = np.frombuffer(content, kind, offset=start).reshape(rows, rows)
    return (entries.T if found["fortran"] == "True" else entries).astype(np.float64)


def _input(names: list[str], entries: npt.NDArray[np.float64], cyclic_votes: bool) -> Network | ArcVotes:
    DAG(names)  # missing or repeated names, or too many, are found before anything large is allocated
    if not np.isin(entries, (0, 1)).all():
        return ArcVotes(names, entries)
    if (own := np.flatnonzero(np.diagonal(entries))).size:
        name = names[own[0]]
        raise GraphError(f"arc {name} -> {name}: a variable cannot be its own parent")
    arcs = [(names[source], names[target]) for source, target in np.argwhere(entries).tolist()]
    return structure(names, arcs, cyclic_votes)
