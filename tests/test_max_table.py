"""A limit on the largest clique table: kept by every method, proven by the elimination order, never below a bound."""

from __future__ import annotations

import json
import math
import random
from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise, permutations
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from bnfuse import DAG, BnfuseError, Consensus, ConstraintError, Network, OptionError, Tally, _kernel, frontier
from bnfuse.fusion.table_sizes import most_members, table_numbers
from bnfuse.problem.problem import Problem
from bnfuse.search.bounds import problem_bound
from strategies import random_dag
from strategies import switched_consensus as consensus

METHODS: dict[str, dict[str, Any]] = {
    "direct": {"effort": "quick"},
    "direct fsim": {"effort": "quick", "metric": "fsim"},
    "majority": {"method": "majority", "threshold": 0.2},
    "greedy shared": {"method": "greedy", "candidates": "shared"},
    "greedy per-network": {"method": "greedy", "candidates": "per-network", "triangulation": "mcs"},
    "greedy fused": {"method": "greedy", "candidates": "fused", "metric": "fsim"},
    "genetic shared": {"method": "genetic", "candidates": "shared", "population": 12, "generations": 8},
    "genetic fused": {"method": "genetic", "candidates": "fused", "population": 12, "generations": 8},
    "genetic program": {"method": "genetic", "preset": "program", "population": 12, "generations": 8},
}

Counts = dict[str, int]


def ensemble(seed: int, size: int, inputs: int = 4, most: int = 9) -> tuple[list[DAG], Counts]:
    """Random networks around one, and random numbers of states."""
    rng = random.Random(f"tables/{seed}")
    dags = [random_dag(100 * seed + i, size, 1.6) for i in range(inputs)]
    return dags, {name: rng.randint(1, most) for name in dags[0].variables}


def table_by_networkx(dag: DAG, order: tuple[str, ...], counts: Counts) -> tuple[int, int]:
    """The largest table and the largest clique of the chordal graph that eliminating in this order fills in."""
    graph = oracles.moral_graph(oracles.graph_of(dag))
    chordal, rest = graph.copy(), graph.copy()
    for variable in order:
        fill = list(combinations(list(rest[variable]), 2))
        rest.add_edges_from(fill)
        chordal.add_edges_from(fill)
        rest.remove_node(variable)
    assert not len(rest)
    assert nx.is_chordal(chordal)
    cliques = list(nx.chordal_graph_cliques(chordal))
    return max(math.prod(counts[name] for name in clique) for clique in cliques), max(map(len, cliques))


def assert_within(result: Consensus, counts: Counts, max_table: int, max_clique: int | None = None) -> None:
    table, clique = table_by_networkx(result.dag, result.elimination_order, counts)
    assert (table, clique) == (result.largest_table, result.clique_size)
    assert table <= max_table
    assert clique <= (max_clique or clique)
    assert nx.is_directed_acyclic_graph(oracles.graph_of(result.dag))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(3))
def test_no_result_exceeds_its_limit(method: str, seed: int) -> None:
    dags, counts = ensemble(seed, 11)
    for limit in (max(counts.values()), 60, 400, 5_000):
        result = consensus(dags, max_table=limit, states=counts, **METHODS[method])
        assert_within(result, counts, limit)
        assert result.lower_bound is None or result.lower_bound <= result.distance + 1e-9


@settings(max_examples=25)
@given(seed=st.integers(0, 10**6), limit=st.integers(9, 3_000), clique=st.integers(2, 5))
def test_both_limits_hold_beside_each_other(seed: int, limit: int, clique: int) -> None:
    dags, counts = ensemble(seed, 9)
    for how in (METHODS["direct"], METHODS["majority"], METHODS["greedy fused"]):
        result = consensus(dags, clique, max_table=limit, states=counts, **how)
        assert_within(result, counts, limit, clique)


def test_a_large_network_keeps_its_limit() -> None:
    dags, counts = ensemble(5, 100, inputs=3, most=20)
    result = consensus(dags, max_table=500, states=counts, effort="quick")
    assert_within(result, counts, 500)
    assert len(result.dag.edges) > 20


# Against every network


@cache
def moral_graphs(size: int) -> list[frozenset[frozenset[int]]]:
    return list(oracles.all_moral_graphs(size))


def least_table(edges: frozenset[frozenset[int]], counts: list[int]) -> int:
    """The smallest largest clique table of all elimination orders."""

    def along(order: tuple[int, ...]) -> int:
        near = {v: {u for edge in edges if v in edge for u in edge} - {v} for v in order}
        largest = 1
        for v in order:
            largest = max(largest, math.prod(counts[u] for u in (v, *near[v])))
            for u in near[v]:
                near[u] = (near[u] | near[v]) - {u, v}
        return largest

    return min(map(along, permutations(range(len(counts)))))


def least_distance(dags: list[DAG], counts: Counts, max_table: int, max_clique: int = 99) -> float:
    """The optimum over all DAGs within the limits."""
    names = dags[0].variables
    inputs = [
        {frozenset(map(names.index, edge)) for edge in oracles.moral_edges(oracles.graph_of(dag))} for dag in dags
    ]
    sizes = [counts[name] for name in names]
    return min(
        sum(len(edges ^ other) for other in inputs) / len(inputs)
        for edges in moral_graphs(len(names))
        if least_table(edges, sizes) <= max_table and oracles.all_moral_graphs(len(names))[edges] <= max_clique
    )


@pytest.mark.parametrize("seed", range(40))
def test_small_problems_reach_the_optimum_and_no_bound_is_above_it(seed: int) -> None:
    rng = random.Random(seed)
    dags, counts = ensemble(seed, rng.choice([2, 3, 4]), inputs=rng.randint(1, 5), most=6)
    for limit in (max(counts.values()), rng.randint(6, 40), rng.randint(40, 300)):
        optimum = least_distance(dags, counts, limit)
        result = consensus(dags, max_table=limit, states=counts, effort="quick", directions="any")
        assert_within(result, counts, limit)
        assert result.distance == pytest.approx(optimum)
        assert result.lower_bound is not None
        assert result.lower_bound <= optimum + 1e-9
        assert problem_bound(result.problem, rounds=0) / len(dags) <= optimum + 1e-9


@pytest.mark.parametrize("seed", range(8))
def test_cliques_of_two_within_a_table_are_found_exactly(seed: int) -> None:
    dags, counts = ensemble(seed, 4, inputs=3, most=6)
    limit = sorted(a * b for a, b in combinations(counts.values(), 2))[2]
    limit = max(limit, *counts.values())
    result = consensus(dags, 2, max_table=limit, states=counts, directions="any")
    assert result.distance == pytest.approx(least_distance(dags, counts, limit, 2))
    assert_within(result, counts, limit, 2)


@given(seed=st.integers(0, 10**6), limit=st.integers(6, 200))
def test_the_bound_is_that_of_the_best_way_to_share_out_edges(seed: int, limit: int) -> None:
    """Against a matching of edges with the places of their ends, by networkx."""
    rng = random.Random(seed)
    size = rng.randint(2, 7)
    counts = [rng.randint(1, 6) for _ in range(size)]
    edges = [pair for pair in combinations(range(size), 2) if rng.random() < 0.7]
    weights = sorted((rng.randint(1, 9) for _ in edges), reverse=True)
    places = nx.Graph()
    for edge, weight in zip(edges, weights, strict=True):
        for v in edge:
            near = [counts[sum(other) - v] for other in edges if v in other]
            for place in range(most_members(near, limit // counts[v])):
                places.add_edge(edge, (v, place, "place"), weight=weight)
    matching = nx.max_weight_matching(places)
    most = sum(places.edges[pair]["weight"] for pair in matching)
    assert _kernel.shared_out_weight(edges, weights, counts, limit) == most


def test_pairs_that_never_fit_raise_the_bound() -> None:
    dags = [DAG(list("ABC"), [("A", "B")])] * 3
    counts = {"A": 5, "B": 5, "C": 2}
    apart = consensus(dags, max_table=24, states=counts)
    assert (apart.distance, apart.lower_bound, apart.gap) == (1, 1, 0)
    joined = consensus(dags, max_table=25, states=counts)
    assert (joined.distance, joined.largest_table) == (0, 25)


# What a limit means


def test_what_no_limit_would_give_is_within_its_own_table() -> None:
    dags, counts = ensemble(7, 12)
    free = consensus(dags, 4, states=counts, effort="quick")
    assert free.largest_table is not None
    within = consensus(dags, 4, max_table=free.largest_table, states=counts, effort="quick")
    assert_within(within, counts, free.largest_table, 4)
    assert consensus(dags, states=counts, effort="quick").problem.max_clique == 4
    assert consensus(dags, effort="quick").largest_table is None


def test_the_clique_limit_is_what_the_tables_leave() -> None:
    dags, _ = ensemble(1, 8)
    counts = dict(zip(dags[0].variables, [2, 2, 2, 3, 3, 5, 7, 11], strict=True))
    alone = consensus(dags, max_table=30, states=counts, method="majority").problem
    assert (alone.max_clique, alone.is_clique_limited) == (4, False)  # 2 * 2 * 2 * 3
    beside = consensus(dags, 3, max_table=30, states=counts, method="majority").problem
    assert (beside.max_clique, beside.is_clique_limited) == (3, True)
    assert consensus(dags, max_table=11, states=counts, method="majority").problem.max_clique == 3


@given(st.lists(st.integers(1, 9), min_size=1, max_size=7), st.integers(1, 500))
def test_the_most_members_are_those_of_the_largest_fitting_subset(counts: list[int], limit: int) -> None:
    fitting = [
        size
        for size in range(len(counts) + 1)
        if any(math.prod(chosen) <= limit for chosen in combinations(counts, size))
    ]
    assert most_members(counts, limit) == max(fitting)


@pytest.mark.parametrize("seed", range(3))
def test_a_larger_table_never_brings_a_larger_distance(seed: int) -> None:
    dags, counts = ensemble(seed, 12)
    results = frontier(dags, max_table=[5_000, "1e2", 1e3, 20, 100], states=counts, effort="quick")
    assert [result.problem.max_table for result in results] == [20, 100, 1_000, 5_000]
    assert all(before.distance >= after.distance for before, after in pairwise(results))
    for result in results:
        assert_within(result, counts, result.problem.max_table or 0)


def test_a_frontier_of_cliques_keeps_a_table_and_one_of_tables_a_clique() -> None:
    dags, counts = ensemble(2, 10)
    by_clique = frontier(dags, states=counts, max_table=200, effort="quick")
    limits = [result.problem.max_clique for result in by_clique]
    assert limits == sorted(set(limits))
    assert limits[-1] <= most_members(list(counts.values()), 200)
    for result in by_clique:
        assert_within(result, counts, 200, result.problem.max_clique)
    again = frontier(dags, max_clique=[2, 3, 9, 10], states=counts, max_table=200, effort="quick")
    assert len({result.problem.max_clique for result in again}) == len(again)
    for result in frontier(dags, max_table=[50, 10**6], states=counts, max_clique=3, effort="quick"):
        assert_within(result, counts, 10**6, 3)
    assert [result.problem.max_clique for result in frontier(dags, 3, effort="quick")] == [3]


@pytest.mark.parametrize("method", ["direct", "direct fsim", "genetic shared"])
def test_threads_change_nothing(method: str) -> None:
    dags, counts = ensemble(4, 13)
    results = [consensus(dags, max_table=300, states=counts, threads=n, **METHODS[method]) for n in (1, 2, 5)]
    assert results[0] == results[1] == results[2]


def test_states_of_the_inputs_count() -> None:
    dags = [random_dag(i, 6, 1.5) for i in range(3)]
    states = {name: tuple("abc") for name in dags[0].variables}
    networks = [Network(dag, states) for dag in dags]
    counts = dict.fromkeys(states, 3)
    result = consensus(networks, max_table=27, effort="quick")
    assert_within(result, counts, 27)
    assert result.problem.max_clique == 3
    same = consensus(dags, max_table=27, states=states, effort="quick")
    assert (same.dag, same.states) == (result.dag, result.states)
    tally = consensus(Tally.of(dags, [1, 1, 1]), max_table=27, states=counts, effort="quick")
    assert_within(tally, counts, 27)
    assert {len(labels) for labels in (tally.structure.states or {}).values()} == {3}


def test_states_that_are_given_settle_what_the_inputs_leave_open() -> None:
    dag = DAG(list("AB"), [("A", "B")])
    networks = [
        Network(dag, {"A": ("x", "y"), "B": ("no", "yes")}),
        Network(dag, {"A": ("x", "z"), "B": ("yes", "no")}),
    ]
    result = consensus(networks, max_table=6, states={"A": ["x", "y", "z"]}, effort="quick")
    assert result.largest_table == 6
    assert result.states == {"A": ("x", "y", "z"), "B": ("no", "yes")}


def test_required_arcs_are_kept_within_the_table_or_refused() -> None:
    dags, counts = ensemble(3, 6)
    counts = dict.fromkeys(counts, 3)
    required = [("X1", "X2"), ("X3", "X2")]
    kept = consensus(dags, max_table=27, states=counts, required=required, effort="quick")
    assert set(required) <= set(kept.dag.edges)
    assert_within(kept, counts, 27)
    with pytest.raises(ConstraintError, match="the required arcs alone seem to need a clique table of 27 numbers"):
        consensus(dags, max_table=26, states=counts, required=required)


def test_one_input_is_the_consensus_only_where_its_tables_fit() -> None:
    dag = DAG(list("ABC"), [("A", "C"), ("B", "C")])
    counts = dict.fromkeys("ABC", 4)
    assert consensus([dag], max_table=64, states=counts).method == "none"
    smaller = consensus([dag], max_table=63, states=counts)
    assert smaller.method == "direct"
    assert_within(smaller, counts, 63)


def test_tables_beyond_any_machine_are_counted_exactly() -> None:
    names = [f"X{i}" for i in range(30)]
    full = DAG(names, list(combinations(names, 2)))
    counts = dict.fromkeys(names, 1_000)
    result = consensus([full] * 3, max_table=10**18, states=counts, effort="quick")
    assert_within(result, counts, 10**18)
    assert result.problem.max_clique == 6
    assert result.clique_size == 6


# Sizes, and what is refused


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        (1, 1),
        (1e6, 10**6),
        ("1e6", 10**6),
        ("1.5e3", 1500),
        (" 250 ", 250),
        ("64MB", 8 * 2**20),
        ("64 mib", 8 * 2**20),
        ("8b", 1),
        ("20b", 2),
        ("1GB", 2**27),
        ("1e99", 2**62),
        (2**70, 2**62),
    ],
)
def test_sizes_are_numbers_or_bytes(text: Any, numbers: int) -> None:
    assert table_numbers("max_table", text) == numbers


@pytest.mark.parametrize(
    "size", [0, -1, 0.5, 1.5, "0", "-5", "64XB", "MB", "", "nan", "1e-3", "7b", float("nan"), float("inf"), True, [3]]
)
def test_what_is_no_size_is_refused(size: Any) -> None:
    with pytest.raises(OptionError, match=r"^max_table must be a whole number, at least 1, .*; got "):
        consensus([DAG(list("AB"))], max_table=size, states={"A": 2, "B": 2})


A, B = (
    Network(DAG(list("AB")), {"A": ("x", "y"), "B": ("x", "y")}),
    Network(DAG(list("AB")), {"A": ("x", "z"), "B": ("x", "y")}),
)


@pytest.mark.parametrize(
    ("dags", "options", "message"),
    [
        (
            [DAG(list("AB"))],
            {},
            "max_table needs the number of states of every variable: those of 'A', 'B' are not known; s",
        ),
        (
            [DAG(list("ABCDE"))],
            {"states": {"A": 2}},
            "those of 'B', 'C', 'D' and 1 more are not known; states gives them",
        ),
        ([A, B], {}, "needs the number of states of every variable: the states of 'A' differ: x, y in network 1 and x"),
        ([A], {"states": {"A": 3}}, "states: 'A' has 3 states, but 2 in the inputs"),
        ([A], {"states": {"A": ["x", "w"]}}, "states: 'A' has the states 'x', 'w', but 'x', 'y' in the inputs"),
        ([A], {"states": {"C": 3}}, "states: unknown variable 'C'"),
        ([DAG(list("AB"))], {"states": {"A": 0, "B": 2}}, "states: 'A' must have a whole number of states, at least 1"),
        (
            [DAG(list("AB"))],
            {"states": {"A": "xy", "B": 2}},
            "states: 'A' must have a whole number of states, at least 1",
        ),
        ([DAG(list("AB"))], {"states": {"A": ["x", "x"], "B": 2}}, "states: 'A' has the state 'x' twice"),
        (
            [DAG(list("AB"))],
            {"states": {"A": [], "B": 2}},
            "states: 'A' must have one state or more, each of them text",
        ),
        ([DAG(list("AB"))], {"states": [2, 2]}, "states must map variables to their states, or to how many they have"),
        ([DAG(list("AB"))], {"states": {"A": 86, "B": 2}}, "max_table: 50 is too small, as 'A' alone has 86 states"),
    ],
)
def test_states_that_are_missing_or_contradict_are_named(dags: Any, options: Any, message: str) -> None:
    with pytest.raises(OptionError, match=message.replace("(", r"\(")):
        consensus(dags, max_table=50, **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"max_table": [100], "max_clique": [3]},
            "give several limits for either max_clique or max_table",
        ),
        ({"max_clique": []}, "max_clique must be a list of limits; got an empty one"),
        ({"max_table": []}, "max_table must be a list of limits; got an empty one"),
        ({"max_table": ["64XB"]}, "max_table must be a whole number"),
        ({"max_table": "64XB"}, "max_table must be a whole number"),
    ],
)
def test_limits_to_step_through_are_checked(options: Any, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        frontier([DAG(list("AB"))], states={"A": 2, "B": 2}, **options)


def test_data_with_more_states_than_were_given_are_told(tmp_path: Path) -> None:
    dag = DAG(["A", "B"], [("A", "B")])
    rows = tmp_path / "rows.csv"
    rows.write_text("A,B\nx,u\ny,v\nz,w\n")
    result = consensus([dag, dag], max_table=6, states={"A": 3, "B": 2})
    notes = result.fit(rows).notes
    assert any("the largest clique table has 9 numbers, over the limit of 6" in note for note in notes)
    assert not any("over the limit" in note for note in consensus([dag], max_table=9, states={"A": 3, "B": 2}).notes)


# Files


def saved(result: Consensus, path: Path, **changes: Any) -> Path:
    result.save(path)
    path.write_text(json.dumps(json.loads(path.read_text()) | changes, separators=(",", ":")))
    return path


def test_a_saved_result_comes_back_with_its_limit_and_its_proof(tmp_path: Path) -> None:
    dags, counts = ensemble(6, 8)
    points = frontier(dags, max_table=[50, 500], states=counts, effort="quick")
    result = consensus(dags, max_table=200, states=counts, effort="quick").with_frontier(points)
    again = Consensus.load(saved(result, tmp_path / "a.json"))
    assert again == result
    assert (again.problem.max_table, again.largest_table) == (200, result.largest_table)
    assert [point.max_table for point in again.frontier] == [50, 500]
    labelled = consensus(dags, max_table=200, states={name: [f"s{i}" for i in range(n)] for name, n in counts.items()})
    assert Consensus.load(saved(labelled, tmp_path / "b.json")) == labelled


def test_a_saved_result_over_its_limit_is_refused(tmp_path: Path) -> None:
    dags, counts = ensemble(6, 8)
    result = consensus(dags, max_table=200, states=counts, effort="quick")
    assert result.largest_table is not None
    largest = max(*counts.values(), result.largest_table - 1)
    with pytest.raises(BnfuseError, match=r"(largest_table|clique_size): .* over the limit"):
        Consensus.load(saved(result, tmp_path / "a.json", max_table=largest))
    with pytest.raises(BnfuseError, match=r"largest_table: the elimination order makes a table of .*, not of 1"):
        Consensus.load(saved(result, tmp_path / "a.json", largest_table=1))
    with pytest.raises(BnfuseError, match="those of 'X1', 'X2', 'X3' and 5 more are not known"):
        Consensus.load(saved(result, tmp_path / "a.json", state_counts=None))


def test_a_problem_is_a_value_with_its_limit() -> None:
    dags, counts = ensemble(6, 5)
    problem = consensus(dags, max_table=100, states=counts, method="majority").problem
    assert problem == replace(problem)
    assert problem != replace(problem, max_table=101)
    assert isinstance(problem, Problem)
    assert problem.with_limit(2).max_table == 100
