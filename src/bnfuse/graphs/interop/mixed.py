"""Graphs with arcs and undirected edges of networkx, pyAgrum, pgmpy and causal-learn as plain parts, and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np

from bnfuse._base.optional import optional
from bnfuse.errors import GraphError
from bnfuse.graphs.interop.structures import texts_of

Pairs: TypeAlias = list[tuple[str, str]]
Parts: TypeAlias = tuple[list[str], Pairs, Pairs]
"""Names, arcs and undirected edges."""

DIRECTED = "-->"
UNDIRECTED = "---"
_UNFIT = {
    "<->": "a hidden common cause, which a DAG cannot represent; add the cause as a variable, or leave the edge out",
    "o": "an end that may or may not be an arrowhead (as in a PAG), which a DAG cannot represent; give it a direction",
}


def from_networkx(graph: Any) -> Parts:
    """A graph whose edges are marked by their attribute `type`, or by being present in both directions."""
    if not hasattr(graph, "is_directed"):
        raise GraphError(f"expected a networkx graph, got {graph!r:.60}")
    arcs, edges = [], []
    name = dict(zip(graph.nodes, texts_of(graph.nodes), strict=True))
    for source, target, data in graph.edges(data=True):
        one, other = name[source], name[target]
        mark = data.get("type")
        if mark is None:
            both = not graph.is_directed() or graph.has_edge(target, source)
            mark = UNDIRECTED if both else DIRECTED
        if checked_mark(one, mark, other) == UNDIRECTED:
            edges.append((one, other))
        elif graph.is_directed():
            arcs.append((one, other))
        else:
            raise GraphError(f"{one} --> {other}: a {type(graph).__name__} keeps no direction; use a DiGraph")
    return list(name.values()), arcs, edges


def to_networkx(variables: Sequence[str], marked: Iterable[tuple[str, str, str]]) -> Any:
    """A DiGraph with the attribute `type`."""
    graph = optional("networkx", "a networkx graph").DiGraph()
    graph.add_nodes_from(variables)
    for one, mark, other in marked:
        graph.add_edge(one, other, type=mark)
        if mark == UNDIRECTED:
            graph.add_edge(other, one, type=mark)
    return graph


def from_pgmpy(graph: Any) -> Parts:
    """A pgmpy PDAG."""
    if not (hasattr(graph, "directed_edges") and hasattr(graph, "undirected_edges")):
        raise GraphError(f"expected a pgmpy PDAG, got {graph!r:.60}")
    name = dict(zip(graph.nodes, texts_of(graph.nodes), strict=True))
    arcs, edges = (
        [(name[one], name[other]) for one, other in pairs] for pairs in (graph.directed_edges, graph.undirected_edges)
    )
    return list(name.values()), arcs, edges


def from_pyagrum(graph: Any) -> Parts:
    """An EssentialGraph, MixedGraph or PDAG."""
    if not all(hasattr(graph, part) for part in ("nodes", "arcs", "edges")):
        raise GraphError(f"expected a pyAgrum graph with arcs and edges, got {graph!r:.60}")
    named = getattr(graph, "nameFromId", str)
    name = {i: str(named(i)) for i in sorted(graph.nodes())}
    arcs, edges = ([(name[a], name[b]) for a, b in pairs] for pairs in (graph.arcs(), graph.edges()))
    return list(name.values()), arcs, edges


def from_causallearn(graph: Any) -> Parts:
    """A GeneralGraph, or the CausalGraph that a search returns."""
    graph = getattr(graph, "G", graph)
    if not (hasattr(graph, "graph") and hasattr(graph, "nodes")):
        raise GraphError(f"expected a causal-learn graph, got {graph!r:.60}")
    names = [str(node.get_name()) for node in graph.nodes]
    ends = np.asarray(graph.graph)
    if ends.shape != (len(names), len(names)):
        raise GraphError(f"{len(names)} nodes for a matrix of shape {ends.shape}")
    arcs: list[tuple[str, str]] = []
    edges: list[tuple[str, str]] = []
    for i, j in np.argwhere(np.triu((ends != 0) | (ends.T != 0), 1)).tolist():
        mark = _endpoint(ends[i, j], "<") + "-" + _endpoint(ends[j, i], ">")
        source, target = (names[j], names[i]) if mark == "<--" else (names[i], names[j])
        mark = checked_mark(source, DIRECTED if mark == "<--" else mark, target)
        (edges if mark == UNDIRECTED else arcs).append((source, target))
    return names, arcs, edges


def checked_mark(one: str, mark: object, other: str) -> str:
    """How two variables are joined, if by an arc or an edge; any other kind of edge is refused with its meaning."""
    if mark in (DIRECTED, UNDIRECTED):
        return str(mark)
    sign = "o" if "o" in str(mark) else str(mark)
    problem = _UNFIT.get(sign, "an unknown kind of edge; expected --> or ---")
    raise GraphError(f"{one} {mark!s:.20} {other}: {problem}")


def _endpoint(code: int, arrow: str) -> str:
    return {-1: "-", 1: arrow, 2: "o"}.get(int(code), "?")
