"""Inputs as CSV: edge lists, tables of votes, and matrices.

An edge list has the header `from,to` and one arc per line; an empty `to` names a variable without arcs. `source,target`
and `parent,child` mean the same. A third column `type` tells arcs (`-->`) from edges without a direction (`---`).
Tables of votes (`vote_table`) and matrices (`matrix`) have their own modules. R's forms of them are read too: `arcs()`
with a column of row names, `amat()` with or without a header over its row names, `boot.strength()`.

Two columns without such a header are arcs only if they cannot be data: no pair is repeated or reversed, no variable has
an arc to itself, there is no cycle and there are no numbers, and one of the first two names occurs again.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from bnfuse._base.options import option_name
from bnfuse._base.texts import listed
from bnfuse.errors import BnfuseWarning, CycleError, FileError, GraphError
from bnfuse.files import matrix, vote_table
from bnfuse.files._csv import Line, checked_pair, lines_of, number, quoted
from bnfuse.files._registry import Input
from bnfuse.graphs.arc_votes import ArcVotes
from bnfuse.graphs.dag import DAG
from bnfuse.graphs.interop.mixed import UNDIRECTED, checked_mark
from bnfuse.graphs.network import Network
from bnfuse.graphs.pdag import PDAG

_HEADER = ["from", "to"]
_OTHER_HEADERS = (["source", "target"], ["parent", "child"])
_TYPED = [*_HEADER, "type"]
_SHOWN = 3  # columns of a file that is something else


def read_text(text: str, path: str) -> list[Input]:
    """The content of a CSV file, with its variables in the order of first mention."""
    try:
        return [_read(text, path)]
    except CycleError as error:
        raise matrix.votes_offered(path, error) from None


def read_votes(text: str, path: str) -> list[Input]:
    """The same, but arcs that form a cycle are votes."""
    return [_read(text, path, cyclic_votes=True)]


def _read(text: str, path: str, cyclic_votes: bool = False) -> Input:
    lines = lines_of(text, path)
    header = [name.strip() for name in lines[0][1]]
    lowered = _renamed([name.lower() for name in header])
    try:
        if lowered[-2:] == _HEADER and len(header) <= 3:
            return _from_arcs(lines, path, len(header) == 3, cyclic_votes)
        columns = lowered[1:] if lowered[0] == "" else lowered
        if columns[:2] == _HEADER and (columns == _TYPED or vote_table.knows(columns)):
            rows = _without_row_names(lines, len(columns), path)
            if columns == _TYPED:
                return _from_typed(rows, path, cyclic_votes)
            return vote_table.read_rows(columns, rows, path)
        if _has_only_arcs(lines) and (found := _acyclic(lines)) is not None:
            warnings.warn(f"{path}: has no header; each line is read as an arc, from,to", BnfuseWarning, stacklevel=2)
            return found
        if matrix.is_matrix(header, lines[1:]):
            return matrix.read_rows(header, lines[1:], path, cyclic_votes)
    except (CycleError, FileError):
        raise
    except GraphError as error:
        raise FileError(path, str(error)) from None
    if "from" in lowered and "to" in lowered:
        raise FileError(
            path,
            "expected the header from,to, and after it none, type, strength,direction, probability or count,of; "
            f"got {','.join(header)!a:.60}",
            1,
        )
    raise FileError(path, _something_else(header, lines[1:], path), 1)


def _renamed(lowered: list[str]) -> list[str]:
    """The names of columns, with standard names for the two ends of an arc."""
    for other in _OTHER_HEADERS:
        for i in range(len(lowered) - 1):
            if lowered[i : i + 2] == other:
                return [*lowered[:i], *_HEADER, *lowered[i + 2 :]]
    return lowered


def _has_only_arcs(lines: list[Line]) -> bool:
    """Whether lines without a header can only be arcs; rows of data repeat, and their first line does not."""
    rows = [tuple(cell.strip() for cell in row) for _, row in lines]
    if any(len(row) != 2 or not all(row) or row[0] == row[1] for row in rows):
        return False
    pairs = {frozenset(row) for row in rows}
    later = {name for row in rows[1:] for name in row}
    has_numbers = any(number(cell) is not None for row in rows for cell in row)
    return len(pairs) == len(rows) and not has_numbers and not later.isdisjoint(rows[0])


def _acyclic(lines: list[Line]) -> Network | None:
    arcs = [(row[0].strip(), row[1].strip()) for _, row in lines]
    try:
        return Network(DAG(dict.fromkeys(name for arc in arcs for name in arc), arcs))
    except CycleError:
        return None


def write_text(graph: Input) -> str:
    """The arcs of a network, in the order of its variables, then the variables without arcs; or types or votes."""
    if isinstance(graph, ArcVotes):
        return vote_table.write_text(graph)
    if isinstance(graph, PDAG):
        rows = [(one, other, mark) for one, mark, other in graph.marked()]
        return _written(_TYPED, rows, graph.variables)
    return _written(_HEADER, graph.dag.edges, graph.variables)


def _written(header: list[str], rows: Sequence[tuple[str, ...]], variables: tuple[str, ...]) -> str:
    mentioned = {name for row in rows for name in row[:2]}
    isolated = [(name, *[""] * (len(header) - 1)) for name in variables if name not in mentioned]
    return "".join(",".join(map(quoted, row)) + "\n" for row in [header, *rows, *isolated])


def _without_row_names(lines: list[Line], width: int, path: str) -> list[Line]:
    """The lines under a header with this number of columns. R writes row names before them, with or without one."""
    is_named = len(lines[0][1]) > width or (len(lines) > 1 and all(len(row) == width + 1 for _, row in lines[1:]))
    rows = [(line, row[1:] if is_named else row) for line, row in lines[1:]]
    for line, row in rows:
        if len(row) != width:
            raise FileError(path, f"expected {width} cells, got {len(row)}", line)
    return rows


def _from_arcs(lines: list[Line], path: str, numbered: bool, cyclic_votes: bool) -> Input:
    """The content of an edge list; if it is `numbered`, the first cell of each line is the name of a row."""
    variables: dict[str, None] = {}
    arcs: dict[tuple[str, str], None] = {}
    if not numbered:  # R's write.table() writes no header over the row names, which are numbers here
        numbered = [row[0] for _, row in lines[1:] if len(row) == 3] == [str(i) for i in range(1, len(lines))]
    for line, row in lines[1:]:
        pair = row[1:] if numbered else row
        if len(pair) != 2:
            raise FileError(path, f"expected two names (from, to), got {len(pair)}", line)
        source, target = checked_pair(pair[0], pair[1], path, line)
        variables[source] = None
        if target:
            variables[target] = None
            arcs[source, target] = None
    if not variables:
        raise FileError(path, "has no arcs; name variables without arcs with an empty 'to'")
    return matrix.structure(variables, arcs, cyclic_votes)


def _from_typed(rows: list[Line], path: str, cyclic_votes: bool) -> Input:
    variables: dict[str, None] = {}
    joined: dict[str, list[tuple[str, str]]] = {}
    for line, (source, target, kind) in rows:
        one, other = checked_pair(source, target, path, line)
        variables[one] = None
        if not other:
            continue
        variables[other] = None
        try:
            joined.setdefault(checked_mark(one, kind.strip() or "?", other), []).append((one, other))
        except GraphError as error:
            raise FileError(path, str(error), line) from None
    if not variables:
        raise FileError(path, "has no arcs; name variables without arcs with an empty 'to'")
    edges = joined.pop(UNDIRECTED, [])
    arcs = [arc for listed_arcs in joined.values() for arc in listed_arcs]
    if not edges:
        return matrix.structure(variables, arcs, cyclic_votes)
    try:
        return PDAG(variables, arcs, edges)
    except CycleError:
        if not cyclic_votes:
            raise
    return ArcVotes.from_arcs(variables, [*arcs, *edges, *((other, one) for one, other in edges)])


_NAMES_COLUMNS = {"network", "variable", "name", "state", "becomes", "why"}


def _something_else(header: list[str], lines: list[Line], path: str) -> str:
    """The message about a file that is neither: usually it holds data."""
    if {"variable", "name"} <= set(header) and set(header) <= _NAMES_COLUMNS:
        return f"is a table of names, as bnfuse align writes it, not a network; use it with {option_name('names')}"
    if len(header) > 1 and lines and all(len(header) <= len(row) <= len(header) + 1 for _, row in lines):
        shown = listed(header, _SHOWN, ascii)
        return (
            f"looks like data (columns {shown:.90}), not like a network; bnfuse bootstrap {path} learns networks from "
            f"it and finds their consensus, bnfuse learn {path} learns one; an edge list starts with from,to"
        )
    return f"expected the header from,to of an edge list, or an adjacency matrix; got {','.join(header)!a:.60}"
