"""Files that people dropped in: networks, tallies, saved results, data. Read in a worker, never in the server."""

from __future__ import annotations

import gzip
import importlib
import io
import json
import warnings
import zlib
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bnfuse._base.disk import as_text, check_json
from bnfuse.data.data import column_names
from bnfuse.errors import BnfuseError, BnfuseWarning, FileError
from bnfuse.files import Input, read_apart
from bnfuse.files._registry import HEAD, detected
from bnfuse.graphs.network import Network
from bnfuse.problem.tally import Tally
from bnfuse.serve import limits

NETWORKS, TALLY, DATA = "networks", "tally", "data"
KINDS = (NETWORKS, TALLY, DATA)

_GZIP = b"\x1f\x8b"
_PARQUET = b"PAR1"
_TALLY_OPENING = b'{"kind":"bnfuse tally"'
_TABLES = (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz", ".parquet")


@dataclass(frozen=True, slots=True)
class ReadFile:
    """The content of one file."""

    name: str
    kind: str
    size: int
    graphs: tuple[Input, ...] = ()
    is_edge_list: bool = False
    tally: Tally | None = None
    path: Path | None = None
    """the place of data, for code that reads them row by row"""
    columns: tuple[str, ...] = ()
    said: tuple[str, ...] = field(default=(), compare=False)
    """the corrections"""

    @property
    def facts(self) -> dict[str, Any]:
        """The facts that the server needs."""
        variables = self.variables
        if self.tally is not None:
            inputs = [{"name": _stem(self.name), "arcs": int((self.tally.arcs > 0).sum()), "has_tables": False}]
        else:
            inputs = [
                {
                    "name": one.name,
                    "arcs": _arcs(one),
                    "has_tables": isinstance(one, Network) and one.cpts is not None,
                    **self._own_names(one, len(variables)),
                }
                for one in self.graphs
            ]
        return {
            "kind": self.kind,
            "inputs": inputs,
            "variables": variables,
            "stated": self.stated,
            "size": self.size,
        }

    @property
    def stated(self) -> list[str]:
        """The variables for which its networks have states."""
        known = [one.states or {} for one in self.graphs if isinstance(one, Network)]
        return list(dict.fromkeys(name for states in known for name in states))

    def _own_names(self, graph: Input, most: int) -> dict[str, Any]:
        """The variables of an input, if its file has more, and their states, as far as they fit."""
        found: dict[str, Any] = {}
        if len(graph.variables) < most:
            found["variables"] = list(graph.variables)
        states = (graph.states if isinstance(graph, Network) else None) or {}
        if 0 < len(self.graphs) * sum(map(len, states.values())) <= limits.MOST_LABELS:
            found["states"] = {name: list(labels) for name, labels in states.items()}
        return found

    @property
    def variables(self) -> list[str]:
        """All variables of its inputs, or the columns of data."""
        if self.tally is not None:
            return list(self.tally.variables)
        return list(dict.fromkeys([*self.columns, *(name for one in self.graphs for name in one.variables)]))


def read_file(name: str, content: bytes, scratch: Path, kind: str | None = None) -> ReadFile:
    """The content of a file, identified by its name and content, or by its given kind."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = _read(name, _unpacked(name, content), content, scratch, kind)
    said = tuple(dict.fromkeys(str(one.message) for one in caught if issubclass(one.category, BnfuseWarning)))
    _check_sizes(found)
    return ReadFile(**{**{one: getattr(found, one) for one in _FIELDS}, "said": said})


_FIELDS = ("name", "kind", "size", "graphs", "is_edge_list", "tally", "path", "columns")


def _read(name: str, plain: bytes, content: bytes, scratch: Path, kind: str | None) -> ReadFile:
    if kind == TALLY or (kind is None and plain.lstrip().startswith(_TALLY_OPENING)):
        return ReadFile(name, TALLY, len(content), tally=_tally(name, plain, scratch))
    if kind == DATA or (kind is None and plain.startswith(_PARQUET)):
        return _data(name, content, scratch)
    try:
        return _networks(name, plain, len(content))
    except FileError:
        is_network = detected(plain[:HEAD].decode("utf-8", "replace")) is not None
        if kind is not None or is_network or not name.lower().endswith(_TABLES):
            raise
        try:
            return _data(name, content, scratch)
        except BnfuseError:
            pass
        raise


def _networks(name: str, plain: bytes, size: int) -> ReadFile:
    _check_ensemble(name, plain)
    stream = io.BytesIO(plain)
    # Already unpacked: without the extension, which would be misleading.
    stream.name = name.removesuffix(".gz").removesuffix(".GZ") if name.lower().endswith(".gz") else name
    graphs, edge_lists = read_apart(stream)
    return ReadFile(name, NETWORKS, size, tuple(graphs), is_edge_list=bool(edge_lists))


def _check_ensemble(name: str, plain: bytes) -> None:
    """Refuse an ensemble of too many networks before they are built, which takes long: each is a JSON object."""
    if not plain.lstrip().startswith(b"{") or plain.count(b"{") <= limits.MOST_INPUTS:
        return
    check_json(plain, name)
    try:
        found = json.loads(plain)
    except (ValueError, RecursionError):
        return  # its reader reports the problem
    networks = found.get("networks")
    if isinstance(networks, list):
        _check_number(name, len(networks))


def _check_number(name: str, networks: int) -> None:
    if networks > limits.MOST_INPUTS:
        raise FileError(name, f"holds {networks:,} networks, over the limit of {limits.MOST_INPUTS:,}")


def _tally(name: str, plain: bytes, scratch: Path) -> Tally:
    tally: Tally = _with_file(scratch, "tally", plain, name, Tally.load)
    return tally


def _data(name: str, content: bytes, scratch: Path) -> ReadFile:
    """Data stay in a file, as they may be large; it has their name, which messages then show."""
    ending = next((one for one in _TABLES if name.lower().endswith(one)), ".csv")
    columns = _with_file(scratch, f"data{ending}", content, name, column_names)
    _check_parquet(scratch / f"data{ending}", name)
    if len(columns) > limits.MOST_VARIABLES:
        raise FileError(name, f"has {len(columns):,} columns, over the limit of {limits.MOST_VARIABLES:,} variables")
    return ReadFile(name, DATA, len(content), path=scratch / f"data{ending}", columns=tuple(columns))


def _check_parquet(path: Path, name: str) -> None:
    """Refuse a Parquet file, which is compressed inside, that unpacks to more than a file may hold."""
    with path.open("rb") as file:
        if file.read(len(_PARQUET)) != _PARQUET:
            return
    found = importlib.import_module("pyarrow.parquet").read_metadata(path)  # few files are of this kind
    size = sum(found.row_group(i).total_byte_size for i in range(found.num_row_groups))
    if size > limits.MOST_UNPACKED:
        raise FileError(name, f"unpacks to more than {limits.MOST_UNPACKED >> 20} MiB, the limit")
    if found.num_rows * found.num_columns > limits.MOST_CELLS:
        raise FileError(name, f"has more than {limits.MOST_CELLS:,} values, the limit")


def _with_file(scratch: Path, file: str, content: bytes, name: str, read: Callable[[Path], Any]) -> Any:
    """The content of a file on the disk; errors show its original name."""
    scratch.mkdir(parents=True, exist_ok=True)
    path = scratch / file
    path.write_bytes(content)
    try:
        return read(path)
    except BnfuseError as error:
        raise FileError(name, str(error).removeprefix(f"{path}").lstrip(": ")) from None


def _unpacked(name: str, content: bytes) -> bytes:
    """The content, unpacked if it is gzipped; as a small file can unpack to any size, there is a limit."""
    if not content.startswith(_GZIP):
        return content
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as file:  # which may have several parts
            found = file.read(limits.MOST_UNPACKED + 1)
    except EOFError:
        raise FileError(name, "the gzipped content ends too early; the file is truncated") from None
    except (OSError, zlib.error) as error:
        raise FileError(name, f"the gzipped content is damaged ({error})") from None
    if len(found) > limits.MOST_UNPACKED:
        raise FileError(name, f"unpacks to more than {limits.MOST_UNPACKED >> 20} MiB, the limit")
    if found.startswith(_GZIP):  # which could continue: later output would not count
        raise FileError(name, "is gzipped twice; unpack it once")
    return found


def _check_sizes(found: ReadFile) -> None:
    variables = len(found.variables)
    if variables > limits.MOST_VARIABLES:
        raise FileError(found.name, f"has {variables:,} variables, over the limit of {limits.MOST_VARIABLES:,}")
    for one in found.graphs:
        for name, states in ((isinstance(one, Network) and one.states) or {}).items():
            if len(states) > limits.MOST_STATES:
                raise FileError(
                    found.name,
                    f"{name!r:.60} has {len(states):,} states, over the limit of {limits.MOST_STATES:,}",
                )
    _check_number(found.name, len(found.graphs))


def _arcs(graph: Input) -> int:
    if isinstance(graph, Network):
        return len(graph.dag.arc_numbers)
    edges = getattr(graph, "edges", ())
    arcs = getattr(graph, "arcs", None)
    return len(arcs) + len(edges) if arcs is not None else int((graph.counts > 0).sum())  # type: ignore[union-attr]


def _stem(name: str) -> str:
    stem = as_text(name)
    for ending in (".gz", ".tally", ".json"):
        stem = stem.removesuffix(ending)
    return stem or name


class Library:
    """Files that were read recently, by their ids, as far as they fit."""

    def __init__(self, scratch: Path) -> None:
        self.scratch = scratch
        self._files: OrderedDict[str, ReadFile] = OrderedDict()

    def missing(self, ids: list[str]) -> list[str]:
        """Those that have to be read."""
        return [one for one in ids if one not in self._files]

    def add(self, file: str, name: str, content: bytes, kind: str) -> None:
        """Read one."""
        self._files[file] = read_file(name, content, self.scratch / file, kind)

    def __getitem__(self, file: str) -> ReadFile:
        self._files.move_to_end(file)
        return self._files[file]

    def shrink(self) -> None:
        """Forget the least recently used ones, after a job."""
        while len(self._files) > limits.CACHED_FILES or (
            len(self._files) > 1 and sum(one.size for one in self._files.values()) > limits.CACHED_BYTES
        ):
            _, gone = self._files.popitem(last=False)
            if gone.path is not None:
                gone.path.unlink(missing_ok=True)
