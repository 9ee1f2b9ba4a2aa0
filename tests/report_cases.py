"""Consensus networks for tests of the report: from benchmarks, with tables, with hostile names."""

import math
from dataclasses import replace
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

import bnfuse
from bnfuse import DAG, Network, networks
from bnfuse.inference.parameters import Fitted

CLINICS = sorted((Path(__file__).parent.parent / "examples" / "clinics").glob("*.bif"))
HOSTILE = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(2)>",
    "\"quoted\" & 'single'",
    "a\u2028b\nc",
    "Übergröße 変数",
]


def hostile_consensus():
    first = DAG(HOSTILE, [(HOSTILE[0], HOSTILE[1]), (HOSTILE[1], HOSTILE[2]), (HOSTILE[3], HOSTILE[4])])
    second = DAG(HOSTILE, [(HOSTILE[1], HOSTILE[0]), (HOSTILE[1], HOSTILE[2])])
    named = [Network(first, name="</title><b>one"), Network(first, name="two"), Network(second, name="<!-- three")]
    return bnfuse.consensus(named, max_clique=3, effort="quick")


def arcs_of(dag):
    return [(source, target) for source, target in dag.arc_numbers.tolist()]


def with_tables(found):
    """A consensus whose network has tables: shares that are not round numbers."""
    cpts = {}
    for name in found.dag.variables:
        shape = [len(found.states[one]) for one in (*found.dag.parents(name), name)]
        weights = np.arange(1, shape[-1] + 1) / math.fsum(range(1, shape[-1] + 1))
        cpts[name] = np.broadcast_to(weights, shape)
    return replace(found, parameters=Fitted(Network(found.dag, found.states, cpts, name="consensus")))


def benchmark(name):
    if not networks.available([name]):
        pytest.skip("the benchmark networks are not on this machine")
    return networks.load(name)


def shuffled_copies(base, copies):
    """Copies that each lack, and turn round, some arcs."""
    names = base.variables
    arcs = base.dag.arc_numbers.tolist()
    rank = {v: i for i, v in enumerate(bnfuse.order([base.dag]))}
    result = []
    for copy in range(copies):
        random = np.random.default_rng(copy)
        kept = [(names[a], names[b]) for a, b in arcs if random.random() > 0.2]
        ends = random.choice(len(names), (len(names) // 3, 2))
        more = [tuple(sorted((names[a], names[b]), key=rank.get)) for a, b in ends.tolist() if a != b]
        graph = nx.DiGraph(kept)
        graph.add_nodes_from(names)
        for source, target in more:
            if not nx.has_path(graph, target, source):
                graph.add_edge(source, target)
        result.append(DAG(names, graph.edges))
    return result
