"""Edge lists: a CSV file with the header `from,to` and one arc a line. An empty `to` names a variable without arcs."""

from __future__ import annotations

import csv
import io
import re

from bnfuse._errors import FileError, GraphError
from bnfuse.dag import DAG
from bnfuse.network import Network

_HEADER = ["from", "to"]
_QUOTED = re.compile(r'[,"\r\n]|^\s|\s$')


def read_text(text: str, path: str) -> list[Network]:
    """The network of an edge list; its variables come in the order of first mention."""
    rows = csv.reader(io.StringIO(text, newline=""), strict=True, skipinitialspace=True)
    variables: dict[str, None] = {}
    edges: dict[tuple[str, str], int] = {}
    try:
        header = next(rows, [])
        if [name.strip().lower() for name in header] != _HEADER:
            raise FileError(path, f"expected the header from,to; got {','.join(header)!a:.60}", 1)
        for row in rows:
            if row:
                source, target = _checked(row, path, rows.line_num)
                variables[source] = None
                if target:
                    variables[target] = None
                    edges.setdefault((source, target), rows.line_num)
    except csv.Error as error:
        raise FileError(path, f"no valid CSV: {error}", rows.line_num) from None
    if not variables:
        raise FileError(path, "has no arcs; name variables without arcs with an empty 'to'")
    try:
        return [Network(DAG(variables, edges))]
    except GraphError as error:
        raise FileError(path, str(error)) from None


def write_text(network: Network) -> str:
    """The arcs of a network, in the order of its variables, then the variables without any."""
    dag = network.dag
    isolated = [name for name in dag.variables if not dag.parents(name) and not dag.children(name)]
    rows = [tuple(_HEADER), *dag.edges, *((name, "") for name in isolated)]
    return "".join(f"{_quoted(source)},{_quoted(target)}\n" for source, target in rows)


def _checked(row: list[str], path: str, line: int) -> tuple[str, str]:
    if len(row) != 2:
        raise FileError(path, f"expected two names (from, to), got {len(row)}", line)
    source, target = row
    if not source:
        raise FileError(path, "the name in 'from' is empty", line)
    if source == target:
        raise FileError(path, f"arc {source} -> {target}: a variable cannot be its own parent", line)
    return source, target


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"' if _QUOTED.search(name) else name
