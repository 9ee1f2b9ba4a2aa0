"""The consensus by SHD: as close as the best of all small networks, bounds, votes, and closer than what others give."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from bnfuse import DAG, Consensus, Tally, clique_size, consensus, frontier, shd
from bnfuse.search.bounds import problem_bound
from bnfuse.search.floor import floor
from bnfuse.search.outcome import mean_distance
from bnfuse.search.run import Run
from brute_force import Rules, all_dags, arcs_worth, assert_valid, random_rules, satisfiable, small_problems
from strategies import Arc, problem_of, random_dag, weighted_dag_lists

# Against all networks


@cache
def joins(size: int) -> np.ndarray:
    """How every DAG joins each pair of variables: 0 not at all, 1 one way, 2 the other way."""
    known = all_dags(size)
    place = {arc: i for i, arc in enumerate(known.arcs)}
    return np.stack([known.has_arc[:, place[a, b]] + 2 * known.has_arc[:, place[b, a]] for a, b in known.edges], axis=1)


def best_of_all(
    dags: Sequence[DAG], weights: Sequence[int], limit: int, rules: Rules | None = None
) -> tuple[float, int]:
    """The least mean SHD within limit and constraints, and the most that arcs are worth at that distance."""
    variables = dags[0].variables
    known = all_dags(len(variables))
    names = [(variables[a], variables[b]) for a, b in known.edges]
    distance = np.zeros(len(known.clique), np.int64)
    for dag, weight in zip(dags, weights, strict=True):
        arcs = set(dag.edges)
        own = [((a, b) in arcs) + 2 * ((b, a) in arcs) for a, b in names]
        distance += weight * (joins(len(variables)) != own).sum(axis=1)
    allowed = known.within(limit, rules, variables) if rules else known.clique <= limit
    least = distance[allowed].min()
    support = sum(
        w * np.array([(variables[a], variables[b]) in set(dag.edges) for a, b in known.arcs], np.int64)
        for dag, w in zip(dags, weights, strict=True)
    )
    worth = known.has_arc @ (4 * support - 2 * sum(weights) + 1)
    return float(least / sum(weights)), int(worth[allowed & (distance == least)].max())


ENSEMBLES = [
    *((2, 10, 9), (3, 60, 1), (3, 50, 9), (4, 30, 1), (4, 30, 10_000)),
    *(pytest.param(*one, marks=pytest.mark.long) for one in ((4, 70, 9), (5, 30, 9), (5, 20, 1))),
]
"""(variables, ensembles, largest weight): 300 together"""


@pytest.mark.parametrize(("size", "count", "most"), ENSEMBLES)
def test_small_ensembles_have_the_distance_of_the_best_of_all_networks(size: int, count: int, most: int) -> None:
    for number, (dags, weights) in enumerate(small_problems(size, count, most)):
        for limit in range(2, size + 1):
            result = consensus(dags, limit, "shd", weights=weights, effort="quick", directions="any")
            assert_valid(result, dags, limit, weights, metric="shd")
            least, worth = best_of_all(dags, weights, limit)
            where = f"ensemble {number}, limit {limit}"
            assert result.distance == pytest.approx(least, abs=1e-9), where
            assert arcs_worth(result, dags, weights) == worth, where
            assert result.lower_bound is not None
            assert result.lower_bound <= least + 1e-9, where
            if limit == 2:
                assert result.gap == 0, where


@pytest.mark.parametrize(("size", "count"), [(3, 20), (4, 25), pytest.param(5, 4, marks=pytest.mark.long)])
def test_small_ensembles_with_constraints_have_the_distance_of_the_best_of_all_networks(size: int, count: int) -> None:
    for number, (dags, weights) in enumerate(small_problems(size, count, 9)):
        for limit in range(2, size + 1):
            rules = random_rules((size, number, limit), dags[0].variables, limit)
            options: dict[str, Any] = {"weights": weights, "effort": "quick", "directions": "any", **rules.options}
            result = consensus(dags, limit, "shd", **options)
            assert_valid(result, dags, limit, weights, rules, metric="shd")
            least, worth = best_of_all(dags, weights, limit, rules)
            where = f"ensemble {number}, limit {limit}"
            assert result.distance == pytest.approx(least, abs=1e-9), where
            assert arcs_worth(result, dags, weights) == worth, where
            assert result.lower_bound is not None
            assert result.lower_bound <= least + 1e-9, where
            if rules.max_parents == 1:
                assert result.gap == 0, where


@pytest.mark.parametrize("target", ["inputs", "fused"])
@settings(max_examples=40)
@given(weighted_dag_lists(), st.integers(2, 4), st.data())
def test_every_result_is_valid(
    target: str, inputs: tuple[list[DAG], list[int]], limit: int, data: st.DataObject
) -> None:
    dags, weights = inputs
    rules = data.draw(st.one_of(st.just(Rules()), satisfiable(dags[0].variables, limit)))
    options: dict[str, Any] = {"weights": weights, "target": target, "effort": "quick", **rules.options}
    result = consensus(dags, limit, "shd", **options)
    assert_valid(result, dags, limit, weights, rules, "shd", target)


@pytest.mark.parametrize("limit", [2, 3, 5, 8])
@pytest.mark.parametrize("size", [30, 65])
def test_larger_results_are_valid(size: int, limit: int) -> None:
    dags, weights = noisy(size, 5, seed=size), [1, 2, 3, 4, 5]
    result = consensus(dags, limit, "shd", weights=weights, effort="quick")
    assert_valid(result, dags, limit, weights, metric="shd")


def test_few_parents_bound_the_distance_more_than_a_large_limit_does() -> None:
    dags = noisy(15, 7, seed=2)
    for parents in range(5):
        bound = problem_bound(problem_of(dags, 6, "shd", max_parents=parents))
        result = consensus(dags, 6, "shd", max_parents=parents, effort="quick")
        assert bound / len(dags) <= result.distance + 1e-9
        if parents < 2:
            assert result.gap == 0


# Beside others


def noisy(size: int, count: int, seed: int) -> list[DAG]:
    """Copies of one network, in each of which arcs were left out, turned round or added."""
    base, rng = random_dag(seed, size, 2.0, reach=8), random.Random(seed)
    copies = []
    for _ in range(count):
        graph = nx.DiGraph()
        graph.add_nodes_from(base.variables)
        offered = [arc for arc in base.edges if rng.random() < 0.85]
        offered += [tuple(rng.sample(base.variables, 2)) for _ in range(size // 5)]
        for source, target in offered:
            ends = (target, source) if rng.random() < 0.2 else (source, target)
            if not nx.has_path(graph, ends[1], ends[0]):
                graph.add_edge(*ends)
        copies.append(DAG(base.variables, graph.edges))
    return copies


def greedy_votes(dags: Sequence[DAG], limit: int) -> DAG:
    """Arcs that lower the mean SHD, the best first, as long as there is no cycle and the cliques are small."""
    variables = dags[0].variables
    kept: list[Arc] = []
    for _, arc in sorted((-gain, arc) for arc, gain in gains(dags).items() if gain > 0):
        graph = oracles.graph_with(variables, [*kept, arc])
        if nx.is_directed_acyclic_graph(graph) and clique_size(DAG(variables, [*kept, arc])) <= limit:
            kept.append(arc)
    return DAG(variables, kept)


def gains(dags: Sequence[DAG]) -> dict[Arc, int]:
    """By how much each arc alone lowers the summed SHD."""
    variables, empty = dags[0].variables, [shd(DAG(dags[0].variables), dag) for dag in dags]
    pairs = {arc for dag in dags for arc in dag.edges}
    return {
        arc: int(sum(empty) - sum(shd(DAG(variables, [arc]), dag) for dag in dags))
        for arc in pairs | {(b, a) for a, b in pairs}
    }


@pytest.mark.parametrize("limit", [3, *(pytest.param(one, marks=pytest.mark.long) for one in (2, 4, 6))])
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long)])
def test_nothing_that_others_give_is_closer(seed: int, limit: int) -> None:
    dags = noisy(14, 7, seed)
    found = consensus(dags, limit, "shd", directions="any").distance
    others = [
        *(dag for dag in dags if clique_size(dag) <= limit),
        greedy_votes(dags, limit),
        consensus(dags, limit, "shd", "majority").dag,
        consensus(dags, limit, "smhd", "majority").dag,
        consensus(dags, limit, "smhd").dag,
        *(consensus(dags, limit, "shd", "greedy", candidates=kind).dag for kind in ("shared", "fused")),
        consensus(dags, limit, "shd", "genetic", candidates="fused", population=30, generations=20).dag,
    ]
    assert found <= min(shd(dag, dags) for dag in others) + 1e-9


@pytest.mark.parametrize("limit", [3, 4])
def test_a_cut_search_is_as_close_as_both_votes_and_every_input(limit: int) -> None:
    dags = [*noisy(16, 6, 4), random_dag(1, 16, 0.3)]
    problem = problem_of(dags, limit, "shd")
    lowest = mean_distance(problem, floor(problem, Run()).dag)
    votes = [consensus(dags, limit, metric, "majority", directions="any").dag for metric in ("shd", "smhd")]
    within = [dag for dag in dags if clique_size(dag) <= limit]
    assert within
    assert lowest == min(shd(dag, dags) for dag in (*votes, *within))
    assert consensus(dags, limit, "shd", time_limit=1e-9, directions="any").distance <= lowest


# The vote


def test_an_input_with_an_arc_the_other_way_round_is_half_a_vote() -> None:
    names = ["A", "B"]
    there, back, apart = DAG(names, [("A", "B")]), DAG(names, [("B", "A")]), DAG(names)
    for votes, arcs in [
        ([there, there, back, apart, apart], ()),  # 2.5 of 5: no gain
        ([there, there, back, back, apart, apart], ()),  # 3 of 6
        ([there, there, back, back, apart], (("A", "B"),)),  # 3 of 5; as many either way: the first
        ([back, back, there, apart], (("B", "A"),)),  # 2.5 of 4
    ]:
        result = consensus(votes, 2, "shd", "majority")
        assert result.dag.edges == arcs
        assert result.distance == consensus(votes, 2, "shd").distance
    assert consensus([there, there, back, apart, apart], 2, "smhd", "majority").dag.edges == (("A", "B"),)
    loose = consensus([there, back, apart, apart], 2, "shd", "majority", threshold=0.3)
    assert loose.dag.edges == (("A", "B"),)  # 1.5 of 4
    assert consensus([there, back, apart, apart], 2, "shd", "majority", threshold=0.375).dag.edges == ()


@pytest.mark.parametrize("seed", range(6))
def test_the_vote_takes_arcs_by_what_they_gain_as_long_as_there_is_no_cycle(seed: int) -> None:
    dags = noisy(12, 5, seed)
    vote = consensus(dags, 12, "shd", "majority", directions="any").dag
    place = {name: i for i, name in enumerate(dags[0].variables)}
    by_gain = gains(dags)
    graph = nx.DiGraph()
    graph.add_nodes_from(dags[0].variables)
    for source, target in sorted(by_gain, key=lambda arc: (-by_gain[arc], place[arc[0]], place[arc[1]])):
        if by_gain[source, target] > 0 and not nx.has_path(graph, target, source):
            graph.add_edge(source, target)
    assert set(vote.edges) == set(graph.edges)


# One answer


def test_a_tally_gives_the_same_answer_as_its_networks() -> None:
    dags, weights = noisy(14, 6, 1), [1, 5, 2, 2, 1, 3]
    tally = Tally(dags[0].variables)
    for dag, weight in zip(dags, weights, strict=True):
        tally.add(dag, weight)
    for method in ("direct", "majority"):
        whole, counted = consensus(dags, 4, "shd", method, weights=weights), consensus(tally, 4, "shd", method)
        assert counted.dag == whole.dag
        assert counted.distance == whole.distance
        assert counted.lower_bound == whole.lower_bound


def test_the_answer_does_not_depend_on_the_number_of_threads() -> None:
    dags = noisy(14, 6, 3)
    for options in ({"effort": "quick"}, {"method": "genetic", "population": 20, "generations": 10}):
        one, *others = (consensus(dags, 4, "shd", threads=threads, seed=5, **options) for threads in (1, 2, 5))
        assert all(other == one for other in others)


@pytest.mark.parametrize("method", ["direct", "genetic", "greedy", "majority"])
def test_a_saved_answer_is_loaded_as_it_was(method: str, tmp_path: Path) -> None:
    result = consensus(noisy(8, 4, 2), 3, "shd", method)
    result.save(tmp_path / "answer.json")
    loaded = Consensus.load(tmp_path / "answer.json")
    assert loaded == result
    assert loaded.problem.metric == "shd"
    assert (loaded.distance, loaded.lower_bound) == (result.distance, result.lower_bound)


def test_the_distance_never_grows_with_the_limit() -> None:
    results = frontier(noisy(14, 6, 5), metric="shd", effort="quick")
    distances = [result.distance for result in results]
    assert distances == sorted(distances, reverse=True)
    assert [result.problem.max_clique for result in results] == list(range(2, 2 + len(results)))
    assert results[0].gap == 0
    for result in results:
        assert_valid(result, result.problem.dags, result.problem.max_clique, metric="shd")


def test_the_frontier_ends_where_every_pair_is_joined_as_most_inputs_want_it() -> None:
    """Four variables in a chain in all inputs, and one arc that a third of them have: t = 2 is enough."""
    names = list("ABCD")
    chain = [("A", "B"), ("B", "C"), ("C", "D")]
    dags = [DAG(names, chain)] * 2 + [DAG(names, [*chain, ("A", "D")])]
    results = frontier(dags, metric="shd")
    assert [result.dag.edges for result in results] == [tuple(chain)]


def test_directions_count_once_and_decide_what_smhd_leaves_open() -> None:
    """A and B cause C in every input: SHD keeps both arcs, though it would not count the marriage."""
    names = list("ABC")
    collider = DAG(names, [("A", "C"), ("B", "C")])
    result = consensus([collider] * 3 + [DAG(names, combinations(names, 2))], 3, "shd")
    assert result.dag == collider
    assert result.distance == 0.25


def test_the_example_of_the_docs_prints_what_they_say(capsys: pytest.CaptureFixture[str]) -> None:
    text = (Path(__file__).parent.parent / "docs" / "metrics.md").read_text("utf-8")
    (code,), (said,) = (re.findall(rf"```{kind}\n(.*?)```", text, re.S) for kind in ("python", "text"))
    exec(compile(code, "docs/metrics.md", "exec"), {})
    assert capsys.readouterr().out == said
    distances = [[float(one) for one in line.split()[-3:]] for line in said.splitlines()]
    for i, column in enumerate(zip(*distances, strict=True)):
        assert min(column) == column[i] < min(column[:i] + column[i + 1 :])
