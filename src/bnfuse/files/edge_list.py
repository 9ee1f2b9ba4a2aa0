"""Structures as CSV: edge lists, and adjacency matrices.

An edge list has the header `from,to` and one arc a line; an empty `to` names a variable without arcs. An adjacency
matrix has the names in its header and again in its first column, and 1 in row A, column B for the arc A -> B. Both are
read as R writes them too: `arcs()` with a column of row names, `amat()` with or without a header over its row names.
"""

from __future__ import annotations

import csv
import io
import re

from bnfuse._errors import FileError, GraphError
from bnfuse._texts import listed
from bnfuse.dag import DAG
from bnfuse.network import Network

_HEADER = ["from", "to"]
_QUOTED = re.compile(r'[,"\r\n]|^\s|\s$')
_SEPARATORS = ",;\t"
_SHOWN = 3  # columns of a file that is something else

_Line = tuple[int, list[str]]


def read_text(text: str, path: str) -> list[Network]:
    """The network of an edge list, its variables in the order of first mention, or of an adjacency matrix."""
    lines = _lines(text, path)
    header = [name.strip() for name in lines[0][1]]
    lowered = [name.lower() for name in header]
    try:
        if lowered[-2:] == _HEADER and len(header) <= 3:
            return [_from_arcs(lines, path, numbered=len(header) == 3)]
        if _is_matrix(header, lines[1:]):
            return [_from_matrix(header, lines[1:], path)]
    except GraphError as error:
        raise FileError(path, str(error)) from None
    if "from" in lowered and "to" in lowered:
        raise FileError(path, f"expected the header from,to and no other columns; got {','.join(header)!a:.60}", 1)
    raise FileError(path, _something_else(header, lines[1:]), 1)


def write_text(network: Network) -> str:
    """The arcs of a network, in the order of its variables, then the variables without any."""
    dag = network.dag
    isolated = [name for name in dag.variables if not dag.parents(name) and not dag.children(name)]
    rows = [tuple(_HEADER), *dag.edges, *((name, "") for name in isolated)]
    return "".join(f"{_quoted(source)},{_quoted(target)}\n" for source, target in rows)


def _lines(text: str, path: str) -> list[_Line]:
    """The lines that are not empty, as cells with their number; the header first."""
    first = text.lstrip("\r\n").partition("\n")[0]
    separator = max(_SEPARATORS, key=first.count)  # the comma wins a tie
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True, skipinitialspace=True)
    try:
        lines = [(rows.line_num, row) for row in rows if row]
    except csv.Error as error:
        raise FileError(path, f"is not valid CSV: {error}", rows.line_num) from None
    if not lines:
        raise FileError(path, "is empty")
    return lines


def _from_arcs(lines: list[_Line], path: str, numbered: bool) -> Network:
    """The network of an edge list; where it is `numbered`, the first cell of each line is the name of a row."""
    variables: dict[str, None] = {}
    edges: dict[tuple[str, str], None] = {}
    if not numbered:  # R's write.table() gives the row names, which are numbers here, no header
        numbered = [row[0] for _, row in lines[1:] if len(row) == 3] == [str(i) for i in range(1, len(lines))]
    for line, row in lines[1:]:
        source, target = _checked(row[1:] if numbered else row, path, line)
        variables[source] = None
        if target:
            variables[target] = None
            edges[source, target] = None
    if not variables:
        raise FileError(path, "has no arcs; name variables without arcs with an empty 'to'")
    return Network(DAG(variables, edges))


def _checked(row: list[str], path: str, line: int) -> tuple[str, str]:
    if len(row) != 2:
        raise FileError(path, f"expected two names (from, to), got {len(row)}", line)
    source, target = row
    if not source:
        raise FileError(path, "the name in 'from' is empty", line)
    if source == target:
        raise FileError(path, f"arc {source} -> {target}: a variable cannot be its own parent", line)
    return source, target


def _is_matrix(header: list[str], lines: list[_Line]) -> bool:
    """Whether the first cells of the lines are the names of the header, which may have a cell over them."""
    names = sorted(row[0].strip() for _, row in lines)
    return bool(names) and names in (sorted(header), sorted(header[1:]))


def _from_matrix(header: list[str], lines: list[_Line], path: str) -> Network:
    names = header[len(header) - len(lines) :]
    edges = []
    for line, row in lines:
        source, *cells = (cell.strip() for cell in row)
        if len(cells) != len(names):
            raise FileError(path, f"expected {len(names)} numbers after the name, got {len(cells)}", line)
        for target, cell in zip(names, cells, strict=True):
            if cell not in ("0", "1"):
                raise FileError(path, f"an adjacency matrix may contain only 0 and 1, got {cell!a:.60}", line)
            if cell == "1":
                edges.append((source, target))
    return Network(DAG(names, edges))


def _something_else(header: list[str], lines: list[_Line]) -> str:
    """What to say of a file that is neither: most often it holds data."""
    if len(header) > 1 and lines and all(len(header) <= len(row) <= len(header) + 1 for _, row in lines):
        shown = listed(header, _SHOWN, ascii)
        return (
            f"looks like data (columns {shown:.90}), not like a network; learn networks from data first, then find "
            "their consensus; bnfuse fit estimates the tables of a network from data; an edge list starts with from,to"
        )
    return f"expected the header from,to of an edge list, or an adjacency matrix; got {','.join(header)!a:.60}"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"' if _QUOTED.search(name) else name
