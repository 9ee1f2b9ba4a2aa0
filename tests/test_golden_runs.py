"""Golden runs: the same inputs and seed gave these networks once, and give them still."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from bnfuse import DAG, Consensus, read
from consensus_checks import DATA, assert_valid
from strategies import genetic_consensus as consensus

PINNED = {
    "population": 20,
    "generations": 20,
    "order": "inputs",
    "rates": "program",
    "restraint": "none",
    "first": "printed",
    "offer": "frequency",
    "starts": "last-two",
    "offspring": 2,
    "elites": "after-mutation",
    "champion": "within-limit",
    "noted": "generations",
    "triangulation": "min-fill",
}
"""Spelt out, so that a better default is not a reason to change a golden run."""


def arcs_hash(dag: DAG) -> str:
    return hashlib.sha256(repr(dag.edges).encode()).hexdigest()[:12]


GREEDY = {
    "method": "greedy",
    "offer": "frequency",
    "order": "inputs",
    "triangulation": "min-fill",
    "returned": "last",
}
BEST = {**GREEDY, "returned": "best"}
OURS = {
    **PINNED,
    "restraint": "by-share",
    "starts": "every-limit",
    "offspring": 1,
    "elites": "before-crossover",
    "noted": "offspring",
}
FSIM = {**PINNED, "metric": "fsim"}
SHD = {**PINNED, "metric": "shd"}
SHD_BEST = {**BEST, "metric": "shd"}
SHD_OURS = {**OURS, "metric": "shd"}
PAPER = {"preset": "paper", "population": 20, "generations": 20}
PROGRAM = {"preset": "program", "population": 20, "generations": 20}

# Each value was valid by the oracles when it was recorded; what each run is there to hold fast is said beside it.
GOLDEN = [
    # Algorithm 2 and its offers: one evaluation a gene. The three sets meet in one network.
    pytest.param("shared", GREEDY, 7.8, "81e0fb068a27", 28, id="shared-greedy"),
    pytest.param("per-network", GREEDY, 7.8, "81e0fb068a27", 211, id="per-network-greedy"),
    pytest.param("fused", GREEDY, 7.8, "81e0fb068a27", 27, id="fused-greedy"),
    # The closest network that it passed.
    pytest.param("shared", BEST, 6.4, "a525f54c7329", 28, id="shared-greedy-best"),
    pytest.param("per-network", BEST, 6.4, "a525f54c7329", 211, id="per-network-greedy-best"),
    pytest.param("fused", BEST, 6.4, "a525f54c7329", 27, id="fused-greedy-best"),
    # The stream of random numbers and every operator, both metrics.
    pytest.param("shared", PINNED, 3.8, "ca8847b3166d", 414, id="shared"),
    pytest.param("per-network", PINNED, 7.8, "81e0fb068a27", 782, id="per-network: does not leave its greedy start"),
    pytest.param("fused", PINNED, 4.8, "4b591c2f1960", 369, id="fused"),
    pytest.param("shared", FSIM, 3.9, "474fb2747414", 297, id="shared-fsim"),
    pytest.param("per-network", FSIM, 7.5, "9b1fb26b2d1b", 777, id="per-network-fsim"),
    pytest.param("fused", FSIM, 3.9, "474fb2747414", 237, id="fused-fsim"),
    # What measured best: starts from every limit, offspring noted before mutation, restraint.
    pytest.param("shared", OURS, 3.8, "49b829fab42c", 353, id="shared-ours"),
    pytest.param("per-network", OURS, 6.4, "a525f54c7329", 879, id="per-network-ours"),
    pytest.param("fused", OURS, 3.8, "ad649a4ff099", 397, id="fused-ours"),
    # The printed text: own order of each candidate, faster removal, champion over the limit.
    pytest.param("shared", PAPER, 4.8, "ee1ab47ea921", 563, id="shared-paper"),
    pytest.param("per-network", PAPER, 7.8, "39ec8253e670", 784, id="per-network-paper"),
    pytest.param("fused", PAPER, 3.8, "ad649a4ff099", 584, id="fused-paper"),
    # The public program: one offspring a pair, elites that mutate, arcs offered in turn, maximum cardinality search.
    pytest.param("shared", PROGRAM, 3.8, "d22fd5d9b451", 316, id="shared-program"),
    pytest.param("per-network", PROGRAM, 3.8, "d22fd5d9b451", 761, id="per-network-program"),
    pytest.param("fused", PROGRAM, 3.8, "042d40f1703e", 311, id="fused-program"),
]


def seen_in(result: Consensus) -> tuple[float, str, int]:
    """What a golden run holds fast."""
    return result.distance, arcs_hash(result.dag), result.history[-1].evaluations


@pytest.mark.parametrize(("kind", "options", "distance", "arcs", "evaluations"), GOLDEN)
def test_golden_runs(kind: str, options: dict[str, Any], distance: float, arcs: str, evaluations: int) -> None:
    result = consensus(read(DATA / "n10_r10_s0.json"), 4, candidates=kind, seed=1, **options)
    assert_valid(result, "candidate" if options == PAPER else "inputs")
    assert seen_in(result) == (distance, arcs, evaluations)


# The inputs of the other golden runs follow one order, where SHD and FSim are the same: here every third is turned
# round, and SMHD and FSim take other ways.
GOLDEN_SHD = [
    # The closest network that Algorithm 2 passed, by arcs instead of moral edges.
    pytest.param("shared", SHD_BEST, 11.1, "474fb2747414", 50, id="shared-greedy-best"),
    pytest.param("per-network", SHD_BEST, 11.1, "474fb2747414", 211, id="per-network-greedy-best"),
    pytest.param("fused", SHD_BEST, 11.1, "474fb2747414", 33, id="fused-greedy-best"),
    # The stream of random numbers and every operator.
    pytest.param("shared", SHD, 11.8, "05615e2e4168", 372, id="shared"),
    pytest.param("per-network", SHD, 14.4, "f59dad2f6ece", 668, id="per-network"),
    pytest.param("fused", SHD, 12.0, "42160cfcd791", 162, id="fused"),
    # What measured best for SMHD: from every limit's greedy start.
    pytest.param("shared", SHD_OURS, 11.1, "474fb2747414", 269, id="shared-ours"),
    pytest.param("per-network", SHD_OURS, 11.1, "474fb2747414", 784, id="per-network-ours"),
    pytest.param("fused", SHD_OURS, 11.1, "474fb2747414", 140, id="fused-ours"),
]


@pytest.mark.parametrize(("kind", "options", "distance", "arcs", "evaluations"), GOLDEN_SHD)
def test_golden_runs_by_shd(kind: str, options: dict[str, Any], distance: float, arcs: str, evaluations: int) -> None:
    dags = [one.dag for one in read(DATA / "n10_r10_s0.json")]
    dags[::3] = [DAG(dag.variables, [arc[::-1] for arc in dag.edges]) for dag in dags[::3]]
    result = consensus(dags, 4, candidates=kind, seed=1, **options)
    assert_valid(result)
    assert seen_in(result) == (distance, arcs, evaluations)
