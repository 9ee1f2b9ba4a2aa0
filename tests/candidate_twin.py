"""The slow twin of the pruning searches' candidates, and what they are parametrised by."""

from __future__ import annotations

from collections.abc import Sequence

import oracles
from bnfuse import DAG, clique_size

KINDS = ["shared", "per-network", "fused"]
ORDERS = ["inputs", "candidate"]
METRICS = ["smhd", "fsim", "shd"]


def twin_of(
    dags: Sequence[DAG],
    kind: str,
    order: str = "inputs",
    metric: str = "smhd",
    weights: Sequence[int] | None = None,
    target: str = "inputs",
    triangulation: str = "min-fill",
) -> oracles.SlowCandidates:
    def clique(labels: Sequence[str], arcs: oracles.Arcs) -> int:
        return int(clique_size(DAG(labels, arcs), method=triangulation))

    return oracles.SlowCandidates(dags, kind, order, metric, clique, weights, target)


def arcs_of(dag: DAG) -> oracles.Arcs:
    return set(dag.edges)
