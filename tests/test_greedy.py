"""The greedy search against a slow twin: what it keeps, in which order, and what it returns of all that it passed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from bnfuse import DAG, clique_size
from bnfuse.search.outcome import mean_distance
from bnfuse.search.paper.candidates import Candidates, Genes, Population
from bnfuse.search.paper.greedy import GreedyOptions, GreedyPath, best_of_path, greedy
from bnfuse.search.run import Run
from candidate_twin import KINDS, METRICS, ORDERS, arcs_of, twin_of
from strategies import greedy_options, padded, problem_of, random_dag, weighted_dag_lists
from strategies import switched_consensus as consensus


def passed_through(twin: oracles.SlowCandidates, limit: int, offer: str) -> list[list[bool]]:
    """The chromosomes of the greedy search, from the one without arcs to the last."""
    end = twin.greedy(limit, offer)
    kept = [gene for gene in twin.offered(offer) if end[gene]]
    return [[gene in kept[:length] for gene in range(len(end))] for length in range(len(kept) + 1)]


def closest(twin: oracles.SlowCandidates, chromosomes: Sequence[list[bool]]) -> list[bool]:
    def place(chromosome: list[bool]) -> tuple[int, int]:
        distance, support, _ = twin.value(chromosome)
        return distance, -support

    return min(chromosomes, key=place)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=50)
@given(weighted_dag_lists(max_size=7), greedy_options(), st.integers(2, 4), st.sampled_from(METRICS))
def test_the_result_equals_that_of_the_slow_twin(
    kind: str, inputs: tuple[list[DAG], list[int]], options: dict[str, str], limit: int, metric: str
) -> None:
    dags, weights = inputs
    problem = problem_of(dags, limit, metric, weights=weights)
    twin = twin_of(dags, kind, options["order"], metric, problem.weights, triangulation=options["triangulation"])
    way = passed_through(twin, limit, options["offer"])
    kept = closest(twin, way) if options["returned"] == "best" else way[-1]
    result = greedy(problem, Run(), GreedyOptions(kind, **options))
    assert arcs_of(result.dag) == oracles.arcs_of(twin.network(kept))
    assert mean_distance(problem, result.dag) == twin.value(kept)[0] / sum(problem.weights)
    assert result.history[-1].distance == mean_distance(problem, result.dag)
    if kind != "fused":
        assert result.pruned is not None
        assert [arcs_of(dag) for dag in result.pruned] == [oracles.arcs_of(graph) for graph in twin.pruned(kept)]


@pytest.mark.parametrize("returned", ["best", "last"])
@pytest.mark.parametrize("offer", ["frequency", "in-turn"])
def test_the_result_of_many_genes_equals_that_of_the_slow_twin(offer: str, returned: str) -> None:
    """More than 64 genes are offered in several parts."""
    dags = [random_dag(seed, 9, 1.5) for seed in range(7)]
    twin = twin_of(dags, "per-network")
    assert len(twin.genes) > 64
    result = consensus(dags, 3, method="greedy", candidates="per-network", offer=offer, returned=returned)
    way = passed_through(twin, 3, offer)
    kept = closest(twin, way) if returned == "best" else way[-1]
    assert arcs_of(result.dag) == oracles.arcs_of(twin.network(kept))
    assert [step.step for step in result.history] == [64, len(twin.genes)]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [70, 130])
def test_the_greedy_result_does_not_depend_on_variables_without_arcs(kind: str, order: str, size: int) -> None:
    dags = [random_dag(seed, 12, 1.3) for seed in range(4)]
    small = consensus(dags, 3, method="greedy", candidates=kind, order=order)
    large = consensus([padded(dag, size) for dag in dags], 3, method="greedy", candidates=kind, order=order)
    assert arcs_of(small.dag) == arcs_of(large.dag)
    assert small.distance == large.distance


def test_greedy_takes_the_arcs_that_most_inputs_have_first() -> None:
    """A triangle of which the limit 2 lets two arcs pass: those with the larger weight, whatever their place."""
    names = ["A", "B", "C"]
    dags = [DAG(names, [arc]) for arc in (("A", "B"), ("A", "C"), ("B", "C"))]
    for kind in KINDS:
        fills = {"method": "greedy", "candidates": kind, "returned": "last"}
        assert arcs_of(consensus(dags, 2, **fills).dag) == {("A", "B"), ("A", "C")}
        weighted = consensus(dags, 2, weights=[2, 1, 2], **fills)
        assert arcs_of(weighted.dag) == {("A", "B"), ("B", "C")}


def test_greedy_offers_the_arcs_of_each_input_in_turn() -> None:
    """By frequency both inputs' A -> B and A -> C pass; in turn B -> C, the second input's first arc, comes before."""
    names = ["A", "B", "C"]
    dags = [DAG(names, [("A", "B"), ("A", "C")]), DAG(names, [("B", "C")]), DAG(names, [("A", "C")])]
    fills = {"method": "greedy", "candidates": "per-network", "returned": "last"}
    by_frequency = consensus(dags, 2, offer="frequency", **fills)
    in_turn = consensus(dags, 2, offer="in-turn", **fills)
    assert arcs_of(by_frequency.dag) == {("A", "B"), ("A", "C")}
    assert arcs_of(in_turn.dag) == {("A", "B"), ("B", "C")}


# The best of a path


class Valley:
    """Stands for a path along which the distance falls, then grows; counts how often it is looked at."""

    limit = 3

    def __init__(self, distances: list[int]) -> None:
        self.kept = list(range(len(distances) - 1))
        self.distances = distances
        self.looks = 0

    def after(self, *lengths: int) -> Genes:
        return np.array(lengths)[:, None] > np.arange(len(self.kept))

    def evaluate(self, genes: Genes) -> Population:
        self.looks += len(genes)
        numbers = [(self.distances[length], 0, 3) for length in genes.sum(axis=1).tolist()]
        return Population(genes, np.array(numbers, np.int64))


@pytest.mark.parametrize("length", [0, 1, 2, 31, 32, 33, 34, 64, 100, 1023, 1025, 5000])
@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.77, 1.0])
def test_the_lowest_place_of_a_valley_is_found_at_a_few_looks(length: int, share: float) -> None:
    rng = random.Random(length)
    bottom = round(share * length)
    falls = list(accumulate((rng.randint(1, 9) for _ in range(bottom)), initial=0))[::-1]
    grows = list(accumulate((rng.randint(1, 9) for _ in range(length - bottom)), initial=0))[1:]
    valley = Valley(falls + grows)
    best = best_of_path(valley, valley.evaluate)  # type: ignore[arg-type]
    assert len(best) == 1
    assert best.genes.sum() == bottom
    assert valley.looks <= 3 * 33


def test_filling_up_to_the_limit_can_lead_away_and_the_best_on_the_way_does_not() -> None:
    """Every input agrees on a chain, and has one arc of its own: keeping those is only further from all others."""
    names = [f"V{i}" for i in range(8)]
    chain = [(names[i], names[i + 1]) for i in range(7)]
    dags = [DAG(names, [*chain, (names[i], names[i + 3])]) for i in range(5)]
    for kind in KINDS:
        best, last = (
            consensus(dags, 4, method="greedy", candidates=kind, returned=returned) for returned in ("best", "last")
        )
        assert arcs_of(best.dag) == set(chain)
        assert best.distance < last.distance
        assert best.clique_size == 2 < last.clique_size


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_best_of_a_path_is_chosen_from_is_within_the_limit(kind: str) -> None:
    for seed in range(5):
        space = Candidates(problem_of([random_dag(7 * seed + i, 12, 1.5) for i in range(4)], 3), kind, "inputs", "mcs")
        path = GreedyPath(space, 3, "frequency")
        while path.goes_on():
            pass
        assert path.is_whole
        assert not path.kept_all
        way = space.evaluate(path.after(*range(len(path.kept) + 1)))
        assert way.clique.max() == 3
        best = best_of_path(path, space.evaluate)
        assert best.distance[0] == way.distance.min()
        assert path.end.tolist() == way.genes[-1:].tolist()


def test_required_arcs_are_in_whatever_is_returned() -> None:
    """The rarest arc of all is required: it would come last, and bring nothing."""
    names = list("ABCD")
    common = [("A", "B"), ("B", "C")]
    dags = [*[DAG(names, common)] * 4, DAG(names, [*common, ("C", "D")])]
    free = consensus(dags, 3, method="greedy", candidates="fused")
    bound = consensus(dags, 3, method="greedy", candidates="fused", required=[("C", "D")])
    assert arcs_of(free.dag) == set(common)
    assert arcs_of(bound.dag) == {*common, ("C", "D")}


def test_a_path_that_keeps_all_says_so() -> None:
    dags = [DAG(list("ABC"), [("A", "B"), ("B", "C")])] * 2
    space = Candidates(problem_of(dags, 3), "shared", "inputs", "min-fill")
    for limit, all_of_them in ((2, True), (3, True)):
        path = GreedyPath(space, limit, "frequency")
        assert not path.kept_all
        assert path.goes_on()
        assert not path.goes_on()
        assert path.kept_all == all_of_them
        assert clique_size(space.network(path.end[0])[0]) == 2
