"""What must hold of every consensus of the pruning searches, by the oracles."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import networkx as nx

import oracles
from bnfuse import Consensus

METHODS = ["greedy", "genetic"]
SHORT = {"population": 10, "generations": 5}
DATA = Path(__file__).parent / "data"


def short(method: str) -> dict[str, Any]:
    return SHORT if method == "genetic" else {}


def assert_valid(result: Consensus, order: str = "inputs") -> None:
    """Acyclic, within the limit by its own elimination order, at the distance that it says, the fusion of `pruned`."""
    problem = result.problem
    graph = oracles.graph_of(result.dag)
    variables = problem.dags[0].variables
    assert result.dag.variables == variables
    assert nx.is_directed_acyclic_graph(graph)
    assert max(oracles.cliques_along(oracles.moral_graph(graph), result.elimination_order)) == result.clique_size
    assert result.clique_size <= problem.max_clique

    inputs = [oracles.graph_of(dag) for dag in problem.dags]
    inputs_order = oracles.heuristic_order(inputs, variables, problem.weights)
    fused = oracles.graph_with(variables, set().union(*(oracles.ancestral_imap(g, inputs_order) for g in inputs)))
    references = inputs if problem.target == "inputs" else [fused]
    ties = oracles.heuristic_order(references, variables, problem.reference_weights)

    def distance(other: nx.DiGraph) -> int:
        return oracles.distance(problem.metric, graph, other, ties)

    if problem.target == "inputs":
        assert list(result.distances) == [distance(other) for other in inputs]
        weighted = sum(w * d for w, d in zip(problem.weights, result.distances, strict=True))
        assert result.distance == weighted / sum(problem.weights)
    else:
        assert result.distance == distance(fused)

    if result.pruned is not None:
        pruned = [oracles.graph_of(dag) for dag in result.pruned]
        assert all(p.edges <= g.edges for p, g in zip(pruned, inputs, strict=True))
        under = inputs_order if order == "inputs" else oracles.heuristic_order(pruned, variables, problem.weights)
        maps = (oracles.ancestral_imap(g, under) for g in pruned)
        assert set().union(*maps) == set(result.dag.edges)
