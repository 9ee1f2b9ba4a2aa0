"""Tetrad's text of a graph, which causal-learn prints too:

    Graph Nodes:
    A;B;C

    Graph Edges:
    1. A --> B
    2. B --- C

An edge `---` makes it a PDAG. What follows an edge or the list of edges is left out.
"""

from __future__ import annotations

import re

from bnfuse._errors import BnfuseError, FileError, GraphError
from bnfuse.dag import DAG
from bnfuse.network import Network
from bnfuse.pdag import DIRECTED, PDAG, UNDIRECTED, checked_mark

_NODES, _EDGES = "graph nodes:", "graph edges:"
_EDGE = re.compile(r"\d+\.\s+(.+?)\s+([<o-]-[>o-])\s+(.+)")
_REMARK = re.compile(r"(?:dd|pd|nl|pl|\[.*)(?:\s.*)?")  # of edges in PAGs, and how often a bootstrap found them
_UNFIT = re.compile(r"[;,\r\n\v\f\x1c-\x1e\x85\u2028\u2029]|^\s|\s$|\s[<o-]-[>o-]\s")

Edge = tuple[str, str]


def read_text(text: str, path: str) -> list[Network | PDAG]:
    """The graph of a Tetrad text."""
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    lines = [(number, line) for number, line in lines if line]
    heads = {line.lower(): place for place, (_, line) in reversed(list(enumerate(lines)))}
    if _NODES not in heads or heads[_NODES] + 1 == len(lines):
        raise FileError(path, "expected 'Graph Nodes:' and under it the names")
    if _EDGES not in heads:
        raise FileError(path, "expected 'Graph Edges:' after the names")
    names = lines[heads[_NODES] + 1][1]
    variables = [name.strip() for name in names.split(";" if ";" in names else ",")]
    joined: dict[str, list[Edge]] = {DIRECTED: [], UNDIRECTED: []}
    for number, line in lines[heads[_EDGES] + 1 :]:
        if not re.match(r"\d+\.\s", line):
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
    found = _EDGE.fullmatch(line)
    if found is None:
        raise FileError(path, f"expected an edge such as 1. A --> B, got {line!a:.60}", number)
    one, mark, rest = found.groups()
    words = rest.split(" ")
    # names may have spaces: the longest start of the rest that is a name
    for count in range(len(words), 0, -1):
        other, remark = " ".join(words[:count]), " ".join(words[count:])
        if other in variables and (not remark or _REMARK.fullmatch(remark)):
            break
    else:
        raise FileError(path, f"unknown variable {rest!a:.60}", number)
    if one not in variables:
        raise FileError(path, f"unknown variable {one!a:.60}", number)
    source, target = (other, one) if mark == "<--" else (one, other)
    try:
        return checked_mark(source, DIRECTED if mark == "<--" else mark, target), (source, target)
    except GraphError as error:
        raise FileError(path, str(error), number) from None
