"""Tetrad's text of a graph, which causal-learn prints too.

    Graph Nodes:
    A;B;C

    Graph Edges:
    1. A --> B
    2. B --- C

An edge `---` makes it a PDAG. Text after an edge or after the list of edges is ignored.
"""

from __future__ import annotations

import re

from bnfuse.errors import BnfuseError, FileError, GraphError
from bnfuse.graphs.dag import DAG
from bnfuse.graphs.interop.mixed import DIRECTED, UNDIRECTED, checked_mark
from bnfuse.graphs.network import Network
from bnfuse.graphs.pdag import PDAG

_NODES, _EDGES = "graph nodes:", "graph edges:"
_NUMBER = re.compile(r"\d+\.\s")
_MARK = re.compile(r"\s([<o-]-[>o-])\s")
_REMARK = re.compile(r"\s(?=(?:dd|pd|nl|pl)(?:\s|$)|\[)")  # marks of edges in PAGs, and bootstrap frequencies
_UNFIT = re.compile(r"[;,\r\n\v\f\x1c-\x1e\x85\u2028\u2029]|^\s|\s$|(?:^|\s)[<o-]-[>o-](?:\s|$)")

Edge = tuple[str, str]


def read_text(text: str, path: str) -> list[Network | PDAG]:
    """The graph of a Tetrad text."""
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    lines = [(number, line) for number, line in lines if line]
    lowered = [line.lower() for _, line in lines]
    if _NODES not in lowered[:-1]:
        raise FileError(path, "expected 'Graph Nodes:' and under it the names")
    place = lowered.index(_NODES) + 1
    if lowered[place] == _EDGES and _EDGES not in lowered[place + 1 :]:
        raise FileError(path, "expected the names under 'Graph Nodes:'")
    if _EDGES not in lowered[place + 1 :]:
        raise FileError(path, "expected 'Graph Edges:' after the names")
    names = lines[place][1]
    variables = [name.strip() for name in names.split(";" if ";" in names else ",")]
    joined: dict[str, list[Edge]] = {DIRECTED: [], UNDIRECTED: []}
    for number, line in lines[lowered.index(_EDGES, place + 1) + 1 :]:
        if not _NUMBER.match(line):
            break  # another section
        mark, edge = _edge(line, set(variables), path, number)
        joined[mark].append(edge)
    try:
        if joined[UNDIRECTED]:
            return [PDAG(variables, joined[DIRECTED], joined[UNDIRECTED])]
        return [Network(DAG(variables, joined[DIRECTED]))]
    except BnfuseError as error:
        raise FileError(path, str(error)) from None


def write_text(graph: Network | PDAG) -> str:
    """The structure as Tetrad writes it."""
    for name in graph.variables:
        if _UNFIT.search(name):
            raise GraphError(f"variable {name!a}: Tetrad's text cannot hold ; and , in a name, or spaces around it")
    marked = PDAG(graph.variables, graph.dag.edges) if isinstance(graph, Network) else graph
    edges = [f"{number}. {one} {mark} {other}" for number, (one, mark, other) in enumerate(marked.marked(), 1)]
    return "\n".join(["Graph Nodes:", ";".join(graph.variables), "", "Graph Edges:", *edges, ""])


def _edge(line: str, variables: set[str], path: str, number: int) -> tuple[str, Edge]:
    numbered, joined = _NUMBER.match(line), _MARK.search(line)
    if numbered is None or joined is None:
        raise FileError(path, f"expected an edge such as 1. A --> B, got {line!a:.60}", number)
    one, mark, rest = line[numbered.end() : joined.start()].strip(), joined[1], line[joined.end() :].strip()
    # names may contain spaces, and look like remarks
    ends = (rest[:end].strip() for end in [len(rest), *(remark.start() for remark in _REMARK.finditer(rest))])
    if (other := next((end for end in ends if end in variables), None)) is None:
        raise FileError(path, f"unknown variable {rest!a:.60}", number)
    if one not in variables:
        raise FileError(path, f"unknown variable {one!a:.60}", number)
    source, target = (other, one) if mark == "<--" else (one, other)
    try:
        return checked_mark(source, DIRECTED if mark == "<--" else mark, target), (source, target)
    except GraphError as error:
        raise FileError(path, str(error), number) from None
