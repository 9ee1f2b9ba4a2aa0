"""The frontier: the best network for each limit, never worse with a larger one, up to where none can help."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import Any

import networkx as nx
import pytest

import oracles
from bnfuse import DAG, BnfuseError, Consensus, GreedyOptions, OptionError, Progress, Tally, consensus, frontier, fuse
from brute_force import Rules, all_dags, assert_valid, small_problems
from strategies import random_dag


def unconstrained(dags: list[DAG]) -> float:
    """What no network is below: each pair of variables joined as the majority of the inputs has it."""
    morals = [oracles.moral_edges(oracles.graph_of(dag)) for dag in dags]
    counts = [sum(edge in moral for moral in morals) for edge in set().union(*morals)]
    return sum(min(count, len(dags) - count) for count in counts) / len(dags)


def assert_frontier(results: list[Consensus], dags: list[DAG], **how: Any) -> None:
    for result in results:
        assert_valid_but_history(result, dags, **how)
    assert all(before.problem.max_clique < after.problem.max_clique for before, after in pairwise(results))
    assert all(before.distance >= after.distance for before, after in pairwise(results))


def assert_valid_but_history(result: Consensus, dags: list[DAG], **how: Any) -> None:
    assert_valid(result, dags, result.problem.max_clique, **how)


@pytest.mark.parametrize("seed", range(4))
def test_distances_never_grow_up_to_where_no_limit_matters(seed: int) -> None:
    dags = [random_dag(10 * seed + i, 14, 1.2) for i in range(5)]
    results = frontier(dags, effort="quick")
    assert_frontier(results, dags)
    assert [result.problem.max_clique for result in results] == list(range(2, len(results) + 2))
    least = unconstrained(dags)
    assert all(result.distance > least for result in results[:-1])
    assert all(result.lower_bound is not None and result.lower_bound >= least - 1e-9 for result in results)


def test_the_frontier_of_small_problems_is_that_of_all_networks() -> None:
    for dags, weights in small_problems(4, 12, 5):
        results = frontier(dags, weights=weights, effort="quick", directions="any")
        assert_frontier(results, dags, weights=weights)
        best = [all_dags(4).best(dags, weights, limit)[0] for limit in (2, 3, 4)]
        assert [result.distance for result in results] == pytest.approx(best[: len(results)])
        assert results[-1].distance == pytest.approx(best[-1])


def test_it_ends_where_the_unconstrained_optimum_is_met() -> None:
    dag = random_dag(3, 15, 1.0)
    size = max(result.clique_size for result in frontier([dag] * 3, effort="quick"))
    results = frontier([dag] * 3, effort="quick")
    assert results[-1].distance == 0
    assert results[-1].problem.max_clique == size
    assert all(result.distance > 0 for result in results[:-1])


@pytest.mark.parametrize("cliques", [[3, 6], (6, 3, 3), {3, 6}, range(3, 7, 3), iter([6, 3])])
def test_the_limits_asked_for_are_those_answered(cliques: Any) -> None:
    dags = [random_dag(seed, 12, 1.4) for seed in range(4)]
    results = frontier(dags, cliques, effort="quick")
    assert_frontier(results, dags)
    assert [result.problem.max_clique for result in results] == [3, 6]


def test_limits_beyond_all_variables_are_no_limits() -> None:
    dags = [random_dag(seed, 5, 1.4) for seed in range(4)]
    results = frontier(dags, [4, 5, 50], effort="quick")
    assert_frontier(results, dags)
    assert results[1].distance == results[2].distance


@pytest.mark.parametrize("cliques", [[1], [0, 3], [2.5], ["3"], [True], 1, "34", [None], []])
def test_bad_limits_are_refused(cliques: Any) -> None:
    with pytest.raises(OptionError, match="max_clique"):
        frontier([random_dag(0, 4)] * 2, cliques)


@pytest.mark.parametrize("option", ["candidates", "colour", "population"])
def test_options_that_it_does_not_have_are_named(option: str) -> None:
    with pytest.raises(OptionError, match=f"direct has no option {option}; it goes with|unknown option '{option}'"):
        frontier([random_dag(0, 4)] * 2, **{option: 3})


def test_wrong_values_of_options_are_named() -> None:
    for option in ("metric", "effort", "target", "method"):
        with pytest.raises(BnfuseError, match=option):
            frontier([random_dag(0, 4)] * 2, **{option: "no such"})


def test_the_frontier_for_fsim() -> None:
    dags = [random_dag(seed, 7, 1.2) for seed in range(3)]
    results = frontier(dags, metric="fsim", effort="quick")
    assert_frontier(results, dags, metric="fsim")
    chosen = frontier(dags, [2, 4], metric="fsim", effort="quick")
    assert_frontier(chosen, dags, metric="fsim")


def test_the_frontier_towards_the_fusion() -> None:
    """The fusion itself is met in the end, though the inputs' own optimum may have that value before."""
    for seed in range(6):
        dags = [random_dag(10 * seed + i, 7, 1.1) for i in range(3)]
        results = frontier(dags, target="fused", effort="quick")
        assert_frontier(results, dags, target="fused")
        assert results[-1].distance == 0


def test_the_frontier_of_a_tally_is_that_of_its_networks() -> None:
    dags = [random_dag(seed, 9, 1.3) for seed in range(4)]
    tally = Tally(dags[0].variables)
    for dag in dags:
        tally.add(dag)
    of_tally, of_dags = frontier(tally, effort="quick"), frontier(dags, effort="quick")
    assert [result.dag for result in of_tally] == [result.dag for result in of_dags]
    assert [result.lower_bound for result in of_tally] == [result.lower_bound for result in of_dags]
    halves = [Tally(dags[0].variables), Tally(dags[0].variables)]
    for i, dag in enumerate(dags):
        halves[i % 2].add(dag)
    assert [result.dag for result in frontier(halves, effort="quick")] == [result.dag for result in of_dags]


def test_constraints_hold_all_along() -> None:
    dags = [random_dag(seed, 8, 1.3) for seed in range(3)]
    names = dags[0].variables
    rules = Rules(forbidden=dags[0].edges[:2], tiers=(names[:4], names[4:]), max_parents=2)
    assert_frontier(frontier(dags, effort="quick", **rules.options), dags, rules=rules)


def test_limits_too_small_for_what_is_required_are_left_out() -> None:
    """Two required parents need cliques of 3: from there on there is a frontier."""
    dags = [DAG(list("ABCD"), [("A", "C"), ("B", "C"), ("C", "D")])] * 3
    rules = Rules(required=(("A", "C"), ("B", "C")))
    chosen = frontier(dags, [3, 4], effort="quick", **rules.options)
    assert_frontier(chosen, dags, rules=rules)
    results = frontier(dags, effort="quick", **rules.options)
    assert_frontier(results, dags, rules=rules)
    assert results[0].problem.max_clique == 3


@pytest.mark.parametrize("cliques", [None, [2]])
@pytest.mark.parametrize("size", [1, 2])
def test_the_smallest_problems_have_a_frontier(size: int, cliques: list[int] | None) -> None:
    dags = [random_dag(0, size)] * 2
    results = frontier(dags, cliques, effort="quick")
    assert len(results) == 1
    assert results[0].distance == 0


def test_inputs_may_be_read_once_only() -> None:
    dags = [random_dag(seed, 7, 1.2) for seed in range(3)]
    once = frontier((dag for dag in dags), effort="quick")
    assert [result.dag for result in once] == [result.dag for result in frontier(dags, effort="quick")]


@pytest.mark.parametrize("cliques", [None, [3, 4, 5, 6]])
def test_an_interrupt_ends_the_frontier(cliques: list[int] | None) -> None:
    def interrupt(_: Progress) -> None:
        raise KeyboardInterrupt

    dags = [random_dag(seed, 12, 1.5) for seed in range(5)]
    results = frontier(dags, cliques, effort="quick", progress=interrupt)
    assert [result.stopped_by for result in results] == ["interrupted"]


def test_a_spent_time_limit_ends_the_frontier() -> None:
    dags = [random_dag(seed, 12, 1.5) for seed in range(5)]
    results = frontier(dags, effort="quick", time_limit=1e-9)
    assert_frontier(results, dags)
    assert results[-1].stopped_by == "time limit"


def test_threads_change_nothing() -> None:
    dags = [random_dag(seed, 12, 1.5) for seed in range(5)]
    one, many = (frontier(dags, effort="quick", threads=threads) for threads in (1, 4))
    assert [result.dag for result in one] == [result.dag for result in many]


def test_it_is_never_above_the_networks_found_for_each_limit_alone_by_much() -> None:
    """A warm start must not trap the search: at most one edge of difference to a fresh one."""
    dags = [random_dag(seed, 16, 1.5) for seed in range(5)]
    for result in frontier(dags, effort="quick"):
        assert result.distance <= consensus(dags, result.problem.max_clique, effort="quick").distance + 1


# The paper's searches


def perturbed(seed: int, size: int = 12, count: int = 6) -> list[DAG]:
    """Copies of one network, each with some arcs left out and some of its own."""
    rng, base = random.Random(seed), random_dag(seed, size, 1.6)
    others = [random_dag(100 * seed + i + 1, size, 0.5) for i in range(count)]
    copies = []
    for other in others:
        arcs = {arc for arc in base.edges if rng.random() < 0.8}
        order = {name: place for place, name in enumerate(topological(base))}
        arcs |= {arc for arc in other.edges if order[arc[0]] < order[arc[1]]}
        copies.append(DAG(base.variables, sorted(arcs)))
    return copies


def topological(dag: DAG) -> list[str]:
    return list(nx.lexicographical_topological_sort(oracles.graph_of(dag)))


def without_history(result: Consensus) -> Consensus:
    return replace(result, found=replace(result.found, history=()))


LIMITS = [2, 3, 4, 6, 9]
SHORT = {"population": 12, "generations": 4}
SEARCHES = [
    *[("genetic", {"preset": preset, **SHORT}) for preset in ("default", "paper", "program")],
    *[("greedy", {"returned": returned}) for returned in ("best", "last")],
]


@pytest.mark.parametrize(("method", "options"), SEARCHES, ids=str)
@pytest.mark.parametrize("kind", ["shared", "per-network", "fused"])
@pytest.mark.parametrize("metric", ["smhd", "fsim"])
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long)])
def test_no_result_of_the_papers_searches_gets_worse_with_a_larger_limit(
    seed: int, kind: str, method: str, options: dict[str, Any], metric: str
) -> None:
    dags = perturbed(seed)
    how = {"method": method, "candidates": kind, **options}
    if method == "greedy":
        how = {"method": GreedyOptions(kind, **options)}
    results = frontier(dags, LIMITS, metric=metric, **how)
    assert [result.problem.max_clique for result in results] == LIMITS
    filled = options.get("returned") == "last"  # its distance may grow on the way
    assert_frontier([without_history(one) for one in results] if filled else results, dags, metric=metric)
    for before, after in pairwise(results):
        if after.distance == before.distance and method == "genetic":
            assert "The genetic search found no network closer than the one it started from." in after.notes


@pytest.mark.parametrize("kind", ["shared", "per-network", "fused"])
def test_filling_up_to_the_limit_gets_worse_alone_and_not_in_a_frontier(kind: str) -> None:
    dags, fills = perturbed(0), GreedyOptions(kind, returned="last")
    alone = [consensus(dags, limit, method=fills).distance for limit in LIMITS]
    assert alone != sorted(alone, reverse=True)
    results = frontier(dags, LIMITS, fills)
    assert [result.distance for result in results] == list(accumulate(alone, min))
    given = [any("smaller limit is closer" in note for note in result.notes) for result in results]
    assert given == [False, *(after > before for before, after in zip(accumulate(alone, min), alone[1:], strict=False))]


def test_the_first_limit_is_searched_as_it_is_alone() -> None:
    dags = perturbed(5)
    for kind in ("shared", "fused"):
        (first, _) = frontier(dags, [3, 4], "genetic", candidates=kind, seed=3, **SHORT)
        assert first == consensus(dags, 3, method="genetic", candidates=kind, seed=3, **SHORT)


def test_frontiers_of_the_papers_searches_end_too() -> None:
    dags = perturbed(1, 6, 3)
    results = frontier(dags, method="greedy", candidates="fused")
    assert_frontier(results, dags)
    assert 1 < len(results) <= 5


def test_what_the_papers_searches_cannot_do_they_refuse_in_a_frontier_too() -> None:
    dags = perturbed(2)
    with pytest.raises(BnfuseError, match="cannot keep constraints"):
        frontier(dags, [3], "greedy", candidates="shared", forbidden=[dags[0].edges[0]])
    rules = Rules(required=dags[0].edges[:1], max_parents=3)
    fused = fuse(dags).dag
    if rules.required[0] in fused.edges:
        assert_frontier(
            frontier(dags, [3, 4, 5], "genetic", candidates="fused", **SHORT, **rules.options), dags, rules=rules
        )
