"""Random graphs with undirected edges, and random votes for arcs."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from bnfuse import PDAG, ArcVotes
from strategies import dags


@st.composite
def pdags(draw: st.DrawFn, max_size: int = 5) -> PDAG:
    """Any graph over few variables whose arcs have no cycle; many of them have no extension."""
    dag = draw(dags(1, max_size))
    loose = draw(st.sets(st.sampled_from(dag.edges))) if dag.edges else set()
    return PDAG(dag.variables, [arc for arc in dag.edges if arc not in loose], loose)


def causallearns_graph() -> Any:
    """A -> B <- C - D."""
    nodes = pytest.importorskip("causallearn.graph.GraphNode")
    general = pytest.importorskip("causallearn.graph.GeneralGraph")
    edges = pytest.importorskip("causallearn.graph.Edges").Edges()
    a, b, c, d = (nodes.GraphNode(name) for name in "ABCD")
    graph = general.GeneralGraph([a, b, c, d])
    graph.add_edge(edges.directed_edge(a, b))
    graph.add_edge(edges.directed_edge(c, b))
    graph.add_edge(edges.undirected_edge(c, d))
    return graph


@st.composite
def votes(draw: st.DrawFn, max_size: int = 4) -> ArcVotes:
    """Of any number of voters: each pair is forward, backward or not there in some of the votes."""
    n = draw(st.integers(1, max_size))
    total = draw(st.integers(1, 12))
    counts = np.zeros((n, n), np.int64)
    for i, j in combinations(range(n), 2):
        counts[i, j] = draw(st.integers(0, total))
        counts[j, i] = draw(st.integers(0, total - int(counts[i, j])))
    networks = draw(st.sampled_from([1, total, 7]))
    return ArcVotes.from_count_matrix([f"V{i}" for i in range(n)], counts, total, networks)
