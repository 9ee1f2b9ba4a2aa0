"""Directions: what "seen" and "majority" promise and cost, and arcs turned towards the inputs where that is free."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

import oracles
from bnfuse import DAG, Consensus, ConstraintError, Constraints, OptionError, Tally, consensus, frontier
from bnfuse.answer.persistence import load
from bnfuse.report.summary import Summary
from bnfuse.search.outcome import summed_distance
from brute_force import Rules, all_dags, assert_valid, small_problems
from strategies import problem_of, random_dag

RULES = ("seen", "majority")
METHODS: list[dict[str, Any]] = [
    {"method": "direct", "effort": "quick"},
    {"method": "majority", "threshold": 0.2},
    {"method": "greedy", "candidates": "fused"},
    {"method": "genetic", "candidates": "fused", "population": 6, "generations": 3},
]


def votes(dags: Sequence[DAG], weights: Sequence[int]) -> Counter[tuple[str, str]]:
    """The weight of the inputs that have each arc."""
    counted: Counter[tuple[str, str]] = Counter()
    for dag, weight in zip(dags, weights, strict=True):
        for arc in dag.edges:
            counted[arc] += weight
    return counted


def against(directions: str, dags: Sequence[DAG], weights: Sequence[int]) -> tuple[tuple[str, str], ...]:
    """The arcs that a rule does not allow, by its definition."""
    counted = votes(dags, weights)
    return tuple(
        (a, b)
        for a, b in permutations(dags[0].variables, 2)
        if counted[a, b] == 0 or (directions == "majority" and counted[b, a] > counted[a, b])
    )


def ensemble(seed: int) -> tuple[list[DAG], list[int]]:
    """A few small networks, most of them alike, with weights of which one may be 0."""
    rng = random.Random(f"ensemble {seed}")
    size = rng.randint(3, 8)
    base = random_dag(rng.randrange(10**6), size, rng.choice([1.0, 1.5, 2.5]))
    dags = []
    for _ in range(rng.randint(2, 6)):
        order = list(nx.topological_sort(base.to_networkx()))
        for _ in range(rng.randint(0, 3)):
            a, b = rng.sample(range(size), 2)
            order[a], order[b] = order[b], order[a]
        place = {name: i for i, name in enumerate(order)}
        arcs = [(a, b) if place[a] < place[b] else (b, a) for a, b in base.edges if rng.random() < 0.8]
        dags.append(DAG(base.variables, arcs))
    weights = [rng.randint(1, 4) for _ in dags]
    if len(weights) > 2 and rng.random() < 0.3:
        weights[rng.randrange(len(weights))] = 0
    return dags, weights


# What is promised


@pytest.mark.parametrize("directions", RULES)
@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.long) for part in range(1, 5))])
def test_500_ensembles_keep_what_is_promised(directions: str, part: int) -> None:
    """Every method, limit and metric in turn; an input of weight 0 has no say."""
    opposed = 0
    for seed in range(100 * part, 100 * part + 100):
        dags, weights = ensemble(seed)
        limit, method = 2 + seed % 3, METHODS[seed // 3 % 4] if seed % 2 else METHODS[0]
        metric = "fsim" if seed % 10 == 7 else "smhd"
        rules = Rules(forbidden=against(directions, dags, weights))
        result = consensus(dags, limit, metric, weights=weights, directions=directions, **method)
        kept, counted = zip(*((d, w) for d, w in zip(dags, weights, strict=True) if w), strict=True)
        assert_valid(result, kept, limit, counted, rules, metric)
        assert result.unseen == ()
        assert directions == "seen" or result.outvoted == ()
        free = consensus(dags, limit, metric, weights=weights, **method)
        opposed += not rules.kept_by(free.dag.edges)
    assert opposed >= 3  # the rule has something to do


@pytest.mark.parametrize("directions", RULES)
@pytest.mark.parametrize("size", [3, 4])
def test_the_best_of_all_networks_is_found_and_the_bound_holds(size: int, directions: str) -> None:
    reached = 0
    problems = list(small_problems(size, 25, 3))
    for dags, weights in problems:
        for limit in (2, 3, 4):
            rules = Rules(forbidden=against(directions, dags, weights))
            result = consensus(dags, limit, weights=weights, directions=directions, effort="quick")
            assert_valid(result, dags, limit, weights, rules)
            least, _ = all_dags(size).best(dags, weights, limit, rules)
            assert result.lower_bound is not None
            assert result.lower_bound <= least + 1e-9
            assert result.distance >= least - 1e-9
            reached += result.distance <= least + 1e-9
    assert reached == 3 * len(problems)


def test_majority_allows_less_than_seen_and_seen_less_than_any() -> None:
    dags, weights = ensemble(3)
    tally = problem_of(dags, 3, weights=weights).tally
    free, seen, majority = (Constraints(directions=rule).allowed(tally) for rule in ("any", *RULES))
    assert (majority <= seen).all()
    assert (seen <= free).all()
    assert majority.sum() < seen.sum() < free.sum()


def test_a_tie_allows_both_ways_and_a_pair_that_nobody_joins_none() -> None:
    names = ["A", "B", "C", "D"]
    dags = [DAG(names, [("A", "B"), ("C", "D")]), DAG(names, [("B", "A"), ("C", "D")]), DAG(names, [("C", "D")])]
    allowed = Constraints(directions="majority").allowed(problem_of(dags, 3).tally)
    assert {(names[a], names[b]) for a, b in zip(*allowed.nonzero(), strict=True)} == {
        ("A", "B"),
        ("B", "A"),
        ("C", "D"),
    }


@pytest.mark.parametrize("directions", RULES)
def test_a_tally_keeps_the_promise_too(directions: str) -> None:
    for seed in range(20):
        dags, weights = ensemble(seed)
        whole = consensus(dags, 3, weights=weights, directions=directions, effort="quick")
        tally = Tally(dags[0].variables)
        for dag, weight in zip(dags, weights, strict=True):
            tally.add(dag, weight)
        of_tally = consensus(tally, 3, directions=directions, effort="quick")
        assert set(of_tally.dag.edges).isdisjoint(against(directions, dags, weights))
        assert of_tally.unseen == ()
        assert of_tally.distance >= whole.lower_bound


@pytest.mark.parametrize("directions", RULES)
def test_the_fusion_as_target_changes_nothing_about_who_is_asked(directions: str) -> None:
    dags, weights = ensemble(11)
    rules = Rules(forbidden=against(directions, dags, weights))
    result = consensus(dags, 3, weights=weights, target="fused", directions=directions, effort="quick")
    assert rules.kept_by(result.dag.edges)


def test_one_input_is_its_own_consensus_under_any_rule() -> None:
    dag = random_dag(4, 8, 1.0)
    for directions in RULES:
        assert consensus([dag], 8, directions=directions).dag == dag


def test_a_frontier_keeps_the_rule_at_every_limit() -> None:
    dags, weights = ensemble(12)
    results = frontier(dags, weights=weights, directions="majority", effort="quick")
    assert len(results) > 1
    for result in results:
        assert result.problem.constraints.directions == "majority"
        assert set(result.dag.edges).isdisjoint(against("majority", dags, weights))


def test_other_constraints_hold_beside_the_rule() -> None:
    dags, weights = ensemble(8)
    (required, *_), forbidden = votes(dags, weights).most_common(1)[0], dags[0].edges[-1]
    rules = Rules((required,), (*against("seen", dags, weights), forbidden), (), 1)
    result = consensus(
        dags, 3, weights=weights, directions="seen", required=[required], forbidden=[forbidden], max_parents=1
    )
    assert required != forbidden
    assert_valid(result, dags, 3, weights, rules)


# What is refused


DAGS = [DAG(list("ABC"), [("A", "B")]), DAG(list("ABC"), [("A", "B")]), DAG(list("ABC"), [("B", "A"), ("B", "C")])]


@pytest.mark.parametrize("method", ["greedy", "genetic"])
@pytest.mark.parametrize("candidates", ["shared", "per-network"])
def test_pruning_before_fusion_refuses_it_with_the_reason(method: str, candidates: str) -> None:
    message = f"{candidates} candidates are pruned before fusion, .* cannot keep directions 'seen'; use the method"
    with pytest.raises(ConstraintError, match=message):
        consensus(DAGS, 3, method=method, candidates=candidates, directions="seen")


def test_a_required_arc_against_the_rule_is_a_contradiction() -> None:
    with pytest.raises(ConstraintError, match="C -> A is required, but no input has it that way round, and directions"):
        consensus(DAGS, 3, required=[("C", "A")], directions="seen")
    with pytest.raises(ConstraintError, match=r"B -> A is required, but most inputs .* directions is 'majority'"):
        consensus(DAGS, 3, required=[("B", "A")], directions="majority")
    assert ("B", "A") in consensus(DAGS, 3, required=[("B", "A")], directions="seen").dag.edges


@pytest.mark.parametrize("directions", ["all", "", None, 3])
def test_an_unknown_rule_is_named(directions: Any) -> None:
    with pytest.raises(OptionError, match="directions must be one of 'any', 'seen', 'majority'; got"):
        Constraints(directions=directions)


# Kept, and told


def test_a_saved_result_keeps_the_rule_and_must_keep_to_it(tmp_path: Path) -> None:
    dags, weights = ensemble(2)
    result = consensus(dags, 3, weights=weights, directions="seen", effort="quick")
    result.save(tmp_path / "c.json")
    assert Consensus.load(tmp_path / "c.json") == result
    free = consensus(DAGS[2:], 3)
    free.save(tmp_path / "free.json")
    text = (tmp_path / "free.json").read_text()
    older = text.replace(',"directions":"any"', "")
    assert older != text
    (tmp_path / "older.json").write_text(older)
    assert load(tmp_path / "older.json", Consensus).problem.constraints.directions == "any"


def opposed() -> Consensus:
    """A consensus with arcs that no input has that way round, found once."""
    for seed in range(200):
        dags, weights = ensemble(seed)
        result = consensus(dags, 3, weights=weights, effort="quick")
        if result.unseen and result.if_seen is not None and result.if_seen.distance > result.distance:
            return result
    raise AssertionError("no ensemble has any")


def test_arcs_against_the_inputs_are_counted_as_they_are_defined() -> None:
    for seed in range(40):
        dags, weights = ensemble(seed)
        result = consensus(dags, 3, weights=weights, effort="quick")
        counted = votes(dags, weights)
        assert result.unseen == tuple(arc for arc in result.dag.edges if not counted[arc])
        assert result.outvoted == tuple((a, b) for a, b in result.dag.edges if counted[b, a] > counted[a, b])


def test_the_price_of_seen_is_found_by_a_quick_search() -> None:
    result = opposed()
    other = result.if_seen
    assert other is not None
    assert other.problem.constraints.directions == "seen"
    assert other.options.effort == "quick"  # type: ignore[union-attr]
    assert other.unseen == ()
    told = Summary(result).directions
    assert told is not None
    assert f"{len(result.unseen)} of {len(result.dag.edges)} arcs run" in told.replace("runs", "run")
    assert f"a quick search comes to {other.distance:.2f}, {other.distance - result.distance:.2f} farther" in told
    assert told in Summary(result).lines


def test_nothing_is_searched_where_no_arc_is_unseen() -> None:
    result = consensus(DAGS, 3, directions="seen")
    assert result.if_seen is None
    assert Summary(result).directions == "no arc runs against the majority of the inputs that join the two"
    assert Summary(consensus([DAG(["A", "B"])])).directions is None


def test_arcs_against_the_majority_alone_are_told_without_a_search() -> None:
    result = consensus(DAGS, 3, required=[("B", "A")])
    assert result.if_seen is None
    assert Summary(result).directions == "1 of 1 arc runs against the majority of the inputs that join the two"
    assert result.outvoted == (("B", "A"),)


def test_where_an_unseen_arc_is_required_no_price_is_told() -> None:
    result = consensus(DAGS, 3, required=[("C", "A")])
    assert ("C", "A") in result.unseen
    assert result.if_seen is None
    assert "quick search" not in (Summary(result).directions or "")


# Turned towards the inputs where that is free


def turns(result: Consensus) -> list[tuple[str, str]]:
    """Arcs that could be turned to more support at the same moral graph and distance, by the definitions."""
    problem, dag = result.problem, result.dag
    counted = votes(problem.dags, problem.weights)
    before = oracles.moral_edges(oracles.graph_of(dag))
    found = []
    for source, target in dag.edges:
        if counted[target, source] <= counted[source, target] or (source, target) in problem.constraints.required:
            continue
        graph = oracles.graph_of(dag)
        graph.remove_edge(source, target)
        graph.add_edge(target, source)
        if not nx.is_directed_acyclic_graph(graph) or oracles.moral_edges(graph) != before:
            continue
        turned = DAG(dag.variables, graph.edges)
        most = problem.constraints.max_parents
        if most is not None and len(turned.parents(source)) > most:
            continue
        if (target, source) in problem.constraints.forbidden:
            continue
        if summed_distance(problem, turned) == summed_distance(problem, dag):
            found.append((source, target))
    return found


@pytest.mark.parametrize("metric", ["smhd", "fsim"])
def test_no_arc_is_left_that_could_be_turned_to_more_support_for_nothing(metric: str) -> None:
    for seed in range(30 if metric == "smhd" else 10):
        dags, weights = ensemble(seed)
        for options in ({}, {"max_parents": 1}, {"forbidden": dags[0].edges[:1]}, {"required": dags[0].edges[:1]}):
            result = consensus(dags, 3 + seed % 2, metric, weights=weights, effort="quick", **options)
            assert turns(result) == []


def test_larger_networks_are_turned_too() -> None:
    dags = [random_dag(seed, 40, 1.2) for seed in range(6)]
    assert turns(consensus(dags, 4, effort="quick")) == []
