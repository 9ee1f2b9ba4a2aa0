"""The direct search and, at the end, the majority vote: valid, on small problems as good as brute force, directions."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from bnfuse import DAG, OptionError, Progress, consensus
from bnfuse.search.run import Run
from brute_force import (
    Rules,
    all_dags,
    arcs_worth,
    assert_valid,
    fewest_neighbours,
    from_start,
    larger_inputs,
    random_rules,
    ring,
    satisfiable,
    small_problems,
)
from strategies import problem_of, random_dag, weighted_dag_lists

# What must hold of every result, decided without the package


@pytest.mark.parametrize("target", ["inputs", "fused"])
@settings(max_examples=60)
@given(weighted_dag_lists(), st.integers(2, 4), st.data())
def test_every_result_is_valid(
    target: str, inputs: tuple[list[DAG], list[int]], limit: int, data: st.DataObject
) -> None:
    dags, weights = inputs
    rules = data.draw(st.one_of(st.just(Rules()), satisfiable(dags[0].variables, limit)))
    options: dict[str, Any] = {"weights": weights, "target": target, "effort": "quick", **rules.options}
    result = consensus(dags, limit, **options, directions=data.draw(st.sampled_from(["any", None])))
    assert_valid(result, dags, limit, weights, rules, target=target)
    assert result.method == "direct"
    assert result.stopped_by == "finished"


@pytest.mark.parametrize("limit", [2, 3, 5, 8])
@pytest.mark.parametrize(("size", "mean_parents", "reach"), [(30, 1.5, None), (63, 1.2, 8), (65, 1.2, None)])
def test_larger_results_are_valid(size: int, mean_parents: float, reach: int | None, limit: int) -> None:
    dags = [random_dag(seed, size, mean_parents, reach) for seed in range(5)]
    weights = [1, 2, 3, 4, 5]
    assert_valid(consensus(dags, limit, weights=weights, effort="quick"), dags, limit, weights)


# Against all networks


@dataclass(frozen=True)
class Solved:
    """A result beside the best of all networks: (distance, directed support) of each."""

    found: tuple[float, int]
    best: tuple[float, int]


def solve(dags: Sequence[DAG], weights: Sequence[int], limit: int, rules: Rules) -> Solved:
    result = consensus(dags, limit, weights=weights, effort="quick", directions="any", **rules.options)
    assert_valid(result, dags, limit, weights, rules)
    least, support = all_dags(len(dags[0].variables)).best(dags, weights, limit, rules)
    assert result.lower_bound is not None
    assert result.lower_bound <= least + 1e-9
    return Solved((round(result.distance, 9), arcs_worth(result, dags, weights)), (round(least, 9), support))


@cache
def free_problems(size: int, count: int, most: int) -> list[Solved]:
    problems = small_problems(size, count, most)
    return [solve(dags, weights, limit, Rules()) for dags, weights in problems for limit in range(2, size + 1)]


@cache
def bound_problems(size: int, count: int) -> list[Solved]:
    return [
        solve(dags, weights, limit, random_rules((size, number, limit), dags[0].variables, limit))
        for number, (dags, weights) in enumerate(small_problems(size, count, 9))
        for limit in range(2, size + 1)
    ]


FREE = pytest.mark.parametrize(
    ("size", "count", "most"),
    [(size, count, most) for size, count in [(2, 5), (3, 15), (4, 20), (5, 12)] for most in (1, 9, 10_000)],
)
BOUND = pytest.mark.parametrize(("size", "count"), [(3, 15), (4, 25), (5, 6)])


@FREE
def test_small_problems_have_the_distance_of_the_best_of_all_networks(size: int, count: int, most: int) -> None:
    assert [solved.found[0] for solved in free_problems(size, count, most)] == [
        solved.best[0] for solved in free_problems(size, count, most)
    ]


@FREE
def test_at_that_distance_their_arcs_are_worth_the_most(size: int, count: int, most: int) -> None:
    assert [solved.found for solved in free_problems(size, count, most)] == [
        solved.best for solved in free_problems(size, count, most)
    ]


@BOUND
def test_small_problems_with_constraints_have_the_distance_of_the_best_of_all_networks(size: int, count: int) -> None:
    assert [solved.found[0] for solved in bound_problems(size, count)] == [
        solved.best[0] for solved in bound_problems(size, count)
    ]


@BOUND
def test_at_that_distance_with_constraints_their_arcs_are_worth_the_most(size: int, count: int) -> None:
    assert [solved.found for solved in bound_problems(size, count)] == [
        solved.best for solved in bound_problems(size, count)
    ]


def test_the_fusion_as_target_is_met_as_closely_as_by_trying_all_networks_however_many_inputs_there_are() -> None:
    """The fusion counts once, the inputs' directions a thousand times: distance still comes first."""
    for number, (dags, _) in enumerate(small_problems(4, 4, 9)):
        inputs = [oracles.graph_of(dag) for dag in dags]
        order = oracles.heuristic_order(inputs, dags[0].variables, [1000] * len(dags))
        fused = DAG(dags[0].variables, set().union(*(oracles.ancestral_imap(graph, order) for graph in inputs)))
        limit = 2 + number % 3
        least, _ = all_dags(4).best([fused], [1], limit)
        result = consensus(dags * 1000, limit, target="fused", effort="quick", directions="any")
        assert result.distance == least, f"problem {number}, limit {limit}"


def test_a_forbidden_edge_is_reached_by_a_common_child_that_few_inputs_have() -> None:
    """A and B are joined everywhere but may have no arc; one input of 30 joins B and C, so C is worth having both."""
    names = list("ABC")
    dags = [DAG(names, [("A", "B"), ("A", "C")])] * 29 + [DAG(names, [("A", "B"), ("A", "C"), ("B", "C")])]
    rules = Rules(forbidden=(("A", "B"), ("B", "A")))
    least, _ = all_dags(3).best(dags, [1] * 30, 3, rules)
    result = consensus(dags, 3, effort="quick", **rules.options)
    assert_valid(result, dags, 3, rules=rules)
    assert result.distance == pytest.approx(least)


# Cliques of 2


@pytest.mark.parametrize("size", [4, 5])
@pytest.mark.parametrize("constrained", [False, True])
def test_cliques_of_two_are_solved_exactly(size: int, constrained: bool) -> None:
    for number, (dags, weights) in enumerate(small_problems(size, 20 if size == 4 else 8, 7)):
        rules = random_rules((size, number), dags[0].variables, 2) if constrained else Rules()
        result = consensus(dags, 2, weights=weights, directions="any", **rules.options)
        assert_valid(result, dags, 2, weights, rules)
        expected = all_dags(size).best(dags, weights, 2, rules)
        assert (result.distance, arcs_worth(result, dags, weights)) == (pytest.approx(expected[0]), expected[1])
        if not constrained:
            assert result.gap == 0


@pytest.mark.parametrize("seed", range(5))
def test_cliques_of_two_weigh_what_the_heaviest_forest_weighs(seed: int) -> None:
    dags = [random_dag(10 * seed + i, 40, 1.4) for i in range(7)]
    graph = nx.Graph()
    for dag in dags:
        for a, b in map(tuple, oracles.moral_edges(oracles.graph_of(dag))):
            graph.add_edge(a, b, count=graph.get_edge_data(a, b, {"count": 0})["count"] + 1)
    weights = {(a, b): 2 * data["count"] - len(dags) for a, b, data in graph.edges(data=True)}
    nx.set_edge_attributes(graph, weights, "weight")
    graph.remove_edges_from([edge for edge, weight in weights.items() if weight <= 0])
    heaviest = nx.maximum_spanning_tree(graph).size("weight")
    empty = sum(len(oracles.moral_edges(oracles.graph_of(dag))) for dag in dags)
    assert consensus(dags, 2, directions="any").distance == pytest.approx((empty - heaviest) / len(dags))


def test_no_parents_at_all_leave_no_arcs() -> None:
    dags = [random_dag(seed, 6, 1.5) for seed in range(3)]
    for limit in (2, 3):
        assert consensus(dags, limit, max_parents=0, effort="quick").dag.edges == ()


# Directions


def test_copies_of_two_causes_and_their_effect_have_no_arc_between_the_causes() -> None:
    """A -> C <- B joins A and B already: an arc between them would be supported by nobody."""
    dag = DAG(list("ABC"), [("A", "C"), ("B", "C")])
    assert consensus([dag] * 3, 3, effort="quick").dag == dag


@pytest.mark.parametrize("seed", range(8))
def test_copies_of_a_network_within_the_limit_give_the_network(seed: int) -> None:
    size = 20 + 5 * seed
    dag = random_dag(seed, size, 1.1, reach=(None, 6)[seed % 2])
    limit = max(oracles.cliques_along(moral := oracles.moral_graph(oracles.graph_of(dag)), fewest_neighbours(moral)))
    result = consensus([dag] * 10, limit, effort="quick")
    assert_valid(result, [dag] * 10, limit)
    assert result.distance == 0
    assert result.gap == 0
    assert set(result.dag.edges) == set(dag.edges)


@settings(max_examples=40)
@given(weighted_dag_lists(max_dags=2), st.integers(2, 5))
def test_copies_of_a_small_network_give_the_network(inputs: tuple[list[DAG], list[int]], copies: int) -> None:
    dag = next(dag for dag in inputs[0] if dag.edges)
    limit = oracles.exact_clique_by_subsets(oracles.moral_graph(oracles.graph_of(dag)))
    assert consensus([dag] * copies, limit, effort="quick").dag == dag


@pytest.mark.parametrize("size", [10, 66, 100])
def test_copies_of_a_ring_however_long_give_the_ring(size: int) -> None:
    dag = ring(size)
    result = consensus([dag] * 3, 3, effort="quick")
    assert_valid(result, [dag] * 3, 3)
    assert result.distance == 0
    assert consensus([dag] * 3, 3, method="majority").dag == dag
    assert consensus([dag] * 3, 3, effort="quick", required=dag.edges).dag == dag


def test_directed_support_decides_between_equal_distances() -> None:
    """A chain and its reverse have one moral graph; two of three inputs say which it is."""
    names = [f"V{i}" for i in range(12)]
    forward, backward = DAG(names, pairwise(names)), DAG(names, pairwise(names[::-1]))
    for limit in (2, 3):
        assert consensus([forward, backward, forward], limit, effort="quick").dag == forward
        assert consensus([forward, backward], limit, weights=[1, 2], effort="quick").dag == backward


# Determinism, history, limits of time, interruption


@pytest.mark.parametrize("metric", ["smhd", "fsim"])
def test_threads_change_nothing(metric: str) -> None:
    dags = larger_inputs(30 if metric == "smhd" else 8)
    one, *others = (consensus(dags, 4, metric, effort="quick", seed=5, threads=threads) for threads in (1, 2, 5))
    for other in others:
        assert other.dag == one.dag
        assert other.history == one.history
        assert other.elimination_order == one.elimination_order


def test_another_seed_searches_elsewhere() -> None:
    dags = larger_inputs()
    results = [consensus(dags, 5, effort="quick", directions="any", seed=seed) for seed in range(3)]
    assert len({result.dag for result in results}) > 1
    assert len({result.history for result in results}) > 1


def test_seeds_of_any_size_are_taken_or_refused_in_one_line() -> None:
    dags = larger_inputs(6)
    assert_valid(consensus(dags, 3, effort="quick", seed=2**64 - 1), dags, 3)
    with pytest.raises(OptionError, match="seed"):
        consensus(dags, 3, effort="quick", seed=2**64)


def test_a_limit_beyond_all_variables_is_no_limit() -> None:
    dags = larger_inputs(5)
    free = consensus(dags, 5, effort="quick")
    for limit in (6, 2048, 2**31, 2**40):
        assert consensus(dags, limit, effort="quick").distance == free.distance


def test_more_effort_looks_at_more_moves() -> None:
    dags = larger_inputs(12)
    quick, normal = (consensus(dags, 4, effort=effort) for effort in ("quick", "normal"))
    assert normal.history[-1].evaluations > quick.history[-1].evaluations
    assert normal.distance <= quick.distance


@pytest.mark.parametrize("metric", ["smhd", "fsim"])
@pytest.mark.parametrize("limit", [2, 4])
def test_a_time_limit_cuts_the_search_and_says_so(limit: int, metric: str) -> None:
    dags = larger_inputs(12)
    result = consensus(dags, limit, metric, time_limit=1e-9)
    if limit > 2 or metric == "fsim":
        assert result.stopped_by == "time limit"
    assert_valid(result, dags, limit, metric=metric)


@pytest.mark.parametrize("metric", ["smhd", "fsim"])
def test_an_interrupt_keeps_the_best_so_far(metric: str) -> None:
    dags = larger_inputs(12)
    for at in (1, 3):
        calls: list[Progress] = []

        def interrupt(progress: Progress, at: int = at, calls: list[Progress] = calls) -> None:
            calls.append(progress)
            if len(calls) == at:
                raise KeyboardInterrupt

        result = consensus(dags, 4, metric, effort="quick", progress=interrupt)
        assert result.stopped_by == "interrupted"
        assert at <= len(result.history) <= at + 1  # one more where tidying brings the network closer
        assert_valid(result, dags, 4, metric=metric)


@pytest.mark.parametrize("limit", [2, 3, 5])
def test_progress_tells_the_history(limit: int) -> None:
    seen: list[Progress] = []
    result = consensus(larger_inputs(), limit, effort="quick", progress=seen.append)
    assert [(p.step, p.distance, p.clique_size) for p in seen] == [
        (s.step, s.distance, s.clique_size) for s in result.history
    ]
    assert seen[-1].distance == result.distance
    assert all(before.seconds <= after.seconds for before, after in pairwise(seen))
    assert all(p.step <= p.steps for p in seen)


def test_other_errors_of_a_progress_callback_are_not_swallowed() -> None:
    def fail(_: Progress) -> None:
        raise ZeroDivisionError

    for metric in ("smhd", "fsim"):
        with pytest.raises(ZeroDivisionError):
            consensus(larger_inputs(6), 3, metric, effort="quick", progress=fail)


# Warm starts


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 6))])
def test_a_search_is_never_worse_than_its_start(seed: int) -> None:
    dags = [random_dag(100 * seed + i, 40, 1.6) for i in range(6)]
    for limit in (3, 5, 7):
        better = consensus(dags, limit, effort="quick", seed=seed)
        cut = Run(seed=seed + 1, time_limit=1e-9)
        result = from_start(problem_of(dags, limit), better.dag, cut)
        assert result.stopped_by == "time limit"
        assert result.distance <= better.distance
        assert_valid(result, dags, limit)


def test_a_start_keeps_no_arc_that_is_forbidden() -> None:
    dags = larger_inputs(8)
    start = consensus(dags, 3, effort="quick").dag
    rules = Rules(forbidden=start.edges[:3])
    problem = problem_of(dags, 3, **rules.options)
    assert_valid(from_start(problem, start), dags, 3, rules=rules)


# Few variables, many variables


@pytest.mark.parametrize("metric", ["smhd", "fsim"])
@pytest.mark.parametrize("limit", [2, 3, 10])
def test_the_smallest_problems(limit: int, metric: str) -> None:
    alone, pair = ["A"], ["A", "B"]
    cases = [[DAG(alone)], [DAG(alone)] * 2, [DAG(pair)] * 2, [DAG(pair, [("B", "A")])] * 2, [DAG(list("ABC"))] * 3]
    for dags in cases:
        result = consensus(dags, limit, metric, effort="quick")
        assert_valid(result, dags, limit, metric=metric)
        assert result.dag == dags[0]
    disputed = [DAG(pair, [("B", "A")]), DAG(pair, [("A", "B")]), DAG(pair, [("B", "A")])]
    assert consensus(disputed, limit, metric, effort="quick").dag.edges == (("B", "A"),)


def test_one_network_over_the_limit_is_thinned() -> None:
    complete = DAG(list("ABCDE"), combinations("ABCDE", 2))
    for limit, edges in [(2, 4), (3, 7), (4, 9), (5, 10)]:
        result = consensus([complete], limit, effort="quick")
        assert_valid(result, [complete], limit)
        assert result.distance == 10 - edges
        assert result.gap == 0


@pytest.mark.parametrize(
    ("size", "limit"), [(130, 3), *(pytest.param(*one, marks=pytest.mark.long) for one in ((130, 6), (600, 4)))]
)
def test_many_variables(size: int, limit: int) -> None:
    base = random_dag(size, size, 1.1, reach=5)
    names = base.variables
    rng = random.Random(size)
    dags = [DAG(names, [arc for arc in base.edges if rng.random() < 0.8]) for _ in range(4)]
    result = consensus(dags, limit, effort="quick")
    assert_valid(result, dags, limit)
    assert result.distance <= consensus(dags, limit, method="majority").distance


# FSim


@settings(max_examples=15)
@given(weighted_dag_lists(max_size=5, max_dags=3), st.integers(2, 4), st.data())
def test_every_result_for_fsim_is_valid(inputs: tuple[list[DAG], list[int]], limit: int, data: st.DataObject) -> None:
    dags, weights = inputs
    rules = data.draw(st.one_of(st.just(Rules()), satisfiable(dags[0].variables, limit)))
    result = consensus(dags, limit, "fsim", weights=weights, effort="quick", **rules.options)
    assert_valid(result, dags, limit, weights, rules, "fsim")


@pytest.mark.parametrize("limit", [2, 3])
def test_fsim_of_three_variables_is_solved_as_by_trying_all_networks(limit: int) -> None:
    for dags, weights in small_problems(3, 8, 5):
        result = consensus(dags, limit, "fsim", weights=weights, effort="quick")
        assert result.distance == pytest.approx(oracles.least_mean_fsim(dags, weights, limit), abs=1e-9)


@pytest.mark.parametrize("size", [6, 10])
@pytest.mark.parametrize("limit", [2, 3, 4])
def test_fsim_is_never_above_that_of_the_greedy_search(limit: int, size: int) -> None:
    for seed in range(3):
        dags = [random_dag(10 * seed + i, size, 1.3) for i in range(4)]
        result = consensus(dags, limit, "fsim", effort="quick")
        assert_valid(result, dags, limit, metric="fsim")
        for kind in ("shared", "per-network", "fused"):
            assert result.distance <= consensus(dags, limit, "fsim", "greedy", candidates=kind).distance


# Options


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"effort": "huge"}, "effort must be one of"),
        (
            {"population": 10},
            "the method direct has no option population; it goes with genetic",
        ),
    ],
)
def test_wrong_options_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        consensus(larger_inputs(5), 3, **options)
