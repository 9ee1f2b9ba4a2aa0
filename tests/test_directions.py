"""Directions: what "seen" and "majority" promise and cost, and arcs turned towards the inputs where that is free."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import oracles
from bnfuse import DAG, PDAG, ArcVotes, Consensus, ConstraintError, Constraints, OptionError, Tally, consensus, frontier
from bnfuse._base.options import spelled
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
        free = consensus(dags, limit, metric, weights=weights, directions="any", **method)
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


# What holds if nothing is said


def panel(seed: int) -> list[DAG]:
    """Experts who share a causal order, and leave out, add and pass over arcs as they see fit."""
    rng = random.Random(f"panel {seed}")
    size = rng.randint(6, 12)
    names = [f"V{i}" for i in range(size)]
    order = rng.sample(names, size)
    pairs = [(a, b) for i, a in enumerate(order) for b in order[i + 1 :]]
    known = [pair for pair in pairs if rng.random() < 1.4 / size * 2]
    return [
        DAG(names, [pair for pair in pairs if rng.random() < (0.75 if pair in known else 0.04)])
        for _ in range(rng.randint(3, 7))
    ]


@pytest.mark.parametrize("metric", ["smhd", pytest.param("shd", marks=pytest.mark.long)])
def test_200_panels_that_share_a_causal_order_get_no_arc_against_them(metric: str) -> None:
    against_any = 0
    for seed in range(200):
        dags = panel(seed)
        counted = votes(dags, [1] * len(dags))
        result = consensus(dags, 2 + seed % 4, metric, effort="quick")
        assert [arc for arc in result.dag.edges if counted[arc] <= counted[arc[::-1]]] == []
        assert nx.is_directed_acyclic_graph(nx.compose_all([dag.to_networkx() for dag in (*dags, result.dag)]))
        if metric == "smhd" and seed % 4 == 0:
            free = consensus(dags, 2 + seed % 4, metric, effort="quick", directions="any")
            against_any += any(not counted[arc] for arc in free.dag.edges)
    assert metric == "shd" or against_any > 5  # the rule has something to do


USUAL: list[tuple[dict[str, Any], str]] = [
    ({}, "majority"),
    ({"metric": "shd"}, "majority"),
    ({"metric": "fsim", "effort": "quick"}, "any"),
    ({"target": "fused"}, "any"),
    ({"method": "majority"}, "majority"),
    ({"method": "majority", "metric": "fsim"}, "any"),
    ({"method": "greedy"}, "any"),
    ({"method": "greedy", "candidates": "fused"}, "any"),
    ({"method": "genetic", "population": 4, "generations": 1}, "any"),
    ({"method": "min-cut"}, "any"),
    ({"constraints": Constraints(max_parents=2)}, "majority"),
    ({"constraints": Constraints(directions="any")}, "any"),
    ({"directions": "seen"}, "seen"),
    ({"directions": "any"}, "any"),
]


@pytest.mark.parametrize(("options", "rule"), USUAL)
def test_the_rule_that_holds_is_in_the_problem_and_in_the_file(
    options: dict[str, Any], rule: str, tmp_path: Path
) -> None:
    dags, weights = ensemble(1)
    result = consensus(dags, 3, weights=weights, **options)
    assert result.problem.constraints.directions == rule
    result.save(tmp_path / "c.json")
    assert json.loads((tmp_path / "c.json").read_text())["constraints"]["directions"] == rule
    assert Consensus.load(tmp_path / "c.json") == result
    if options.get("method") != "genetic":
        results = frontier(dags, weights=weights, **options)
        assert {one.problem.constraints.directions for one in results} == {rule}


def test_a_required_arc_is_taken_where_nobody_insists_on_the_rule(tmp_path: Path) -> None:
    for arc in (("B", "A"), ("C", "A")):
        for options in ({}, {"metric": "shd"}, {"method": "majority"}, {"max_clique": 2}):
            result = consensus(DAGS, **({"max_clique": 3} | options), required=[arc])
            assert result.problem.constraints.directions == "majority"
            assert arc in result.dag.edges
            result.save(tmp_path / "c.json")
            assert Consensus.load(tmp_path / "c.json") == result


def test_required_arcs_beside_the_usual_rule_give_the_best_of_all_networks() -> None:
    for dags, weights in small_problems(4, 5, 3):
        for arc in permutations(dags[0].variables, 2):
            allowed = [one for one in against("majority", dags, weights) if one != arc]
            rules = Rules(required=(arc,), forbidden=tuple(allowed))
            result = consensus(dags, 3, weights=weights, required=[arc], effort="quick")
            least, _ = all_dags(4).best(dags, weights, 3, rules)
            assert_valid(result, dags, 3, weights, rules)
            assert result.distance == pytest.approx(least)
            assert result.lower_bound <= least + 1e-9


def test_edges_without_a_direction_are_half_a_vote_each_way() -> None:
    names = ["A", "B", "C"]
    free = PDAG(names, [], [("A", "B"), ("B", "C")])
    directed = DAG(names, [("C", "B"), ("B", "A")])
    alone = consensus([free, free], 3)
    assert alone.distance == 0
    assert {frozenset(arc) for arc in alone.dag.edges} == {frozenset("AB"), frozenset("BC")}
    assert consensus([free, free, directed], 3).dag.edges == (("B", "A"), ("C", "B"))


def test_votes_for_arcs_have_their_majority_too() -> None:
    votes = ArcVotes(["A", "B", "C"], np.array([[0, 0.6, 0], [0.4, 0, 0.3], [0, 0.5, 0]]), networks=10)
    assert consensus([votes], 3).dag.edges == (("A", "B"), ("C", "B"))


@pytest.mark.parametrize("metric", ["smhd", "shd"])
def test_the_usual_rule_changes_no_vote_for_smhd_and_brings_none_for_shd_farther_away(metric: str) -> None:
    """The vote takes majority directions anyway: for SHD it only had turned arcs that would close a cycle."""
    for seed in range(60):
        dags, weights = ensemble(seed)
        usual = consensus(dags, 3, metric, "majority", weights=weights)
        free = consensus(dags, 3, metric, "majority", weights=weights, directions="any")
        assert metric == "shd" or usual.dag == free.dag
        assert not usual.outvoted


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
    message = f"{candidates} candidates are pruned before fusion, .* cannot satisfy directions 'seen'; use the method"
    with pytest.raises(ConstraintError, match=message):
        consensus(DAGS, 3, method=method, candidates=candidates, directions="seen")


def test_a_required_arc_against_the_rule_is_a_contradiction() -> None:
    with pytest.raises(
        ConstraintError, match="C -> A is required, but no input has it in that direction, and directions"
    ):
        consensus(DAGS, 3, required=[("C", "A")], directions="seen")
    with pytest.raises(ConstraintError, match=r"B -> A is required, but most inputs .* directions is 'majority'"):
        consensus(DAGS, 3, required=[("B", "A")], directions="majority")
    assert ("B", "A") in consensus(DAGS, 3, required=[("B", "A")], directions="seen").dag.edges


@pytest.mark.parametrize("directions", ["all", "", 3])
def test_an_unknown_rule_is_named(directions: Any) -> None:
    with pytest.raises(OptionError, match="directions must be one of 'any', 'seen', 'majority'; got"):
        Constraints(directions=directions)


# Kept, and told


def test_a_saved_result_keeps_the_rule_and_must_keep_to_it(tmp_path: Path) -> None:
    dags, weights = ensemble(2)
    result = consensus(dags, 3, weights=weights, directions="seen", effort="quick")
    result.save(tmp_path / "c.json")
    assert Consensus.load(tmp_path / "c.json") == result
    free = consensus(DAGS[2:], 3, directions="any")
    free.save(tmp_path / "free.json")
    text = (tmp_path / "free.json").read_text()
    older = text.replace(',"directions":"any"', "")
    assert older != text
    (tmp_path / "older.json").write_text(older)
    assert load(tmp_path / "older.json", Consensus).problem.constraints.directions == "any"


def costly() -> Consensus:
    """A consensus for which the rule costs something, found once."""
    for seed in range(200):
        dags, weights = ensemble(seed)
        result = consensus(dags, 3, weights=weights, effort="quick")
        if result.if_any is not None and result.if_any.distance < result.distance:
            return result
    raise AssertionError("no ensemble has any")


def test_arcs_against_the_inputs_are_counted_as_they_are_defined() -> None:
    told = 0
    for seed in range(40):
        dags, weights = ensemble(seed)
        result = consensus(dags, 3, weights=weights, effort="quick", directions="any")
        counted = votes(dags, weights)
        assert result.unseen == tuple(arc for arc in result.dag.edges if not counted[arc])
        assert result.outvoted == tuple((a, b) for a, b in result.dag.edges if counted[b, a] > counted[a, b])
        told += bool(result.unseen)
    assert told


def test_the_price_of_the_rule_is_found_by_a_quick_search_and_told_with_the_option() -> None:
    result = costly()
    other = result.if_any
    assert other is not None
    assert other.problem.constraints.directions == "any"
    assert other.options.effort == "quick"  # type: ignore[union-attr]
    told = f"allowing any direction would bring the mean distance to {other.distance:.2f}"
    assert Summary(result).freedom == f'{told} (directions="any")'
    with spelled({"directions": "--directions"}):
        assert Summary(result).freedom == f"{told} (--directions any)"
        assert f"{told} (--directions any)" in Summary(result).lines
    with spelled({"directions": "Arcs may run"}):
        assert Summary(result).freedom == f"{told} (Arcs may run: any direction)"
    asked = consensus(result.problem.dags, 3, weights=result.problem.weights, directions="any")
    assert asked.distance <= other.distance
    assert asked.distance < result.distance


def test_where_the_rule_costs_nothing_nothing_is_told_of_it() -> None:
    result = consensus(DAGS, 3)
    assert Summary(result).directions == "no arc runs against the majority of the inputs that join the two"
    assert Summary(result).freedom is None
    assert result.if_any is not None
    assert result.if_any.distance == result.distance
    assert Summary(consensus([DAG(["A", "B"])])).directions is None


def test_without_a_rule_nothing_is_searched() -> None:
    for options in ({"directions": "any"}, {"method": "min-cut"}, {"metric": "fsim"}):
        result = consensus(DAGS, 3, **options)
        assert result.if_any is None
        assert Summary(result).freedom is None


def test_the_price_of_a_vote_is_that_of_a_vote() -> None:
    """A search could come closer than the vote does by the option that is told."""
    for seed in range(30):
        dags, weights = ensemble(seed)
        for metric in ("smhd", "shd"):
            result = consensus(dags, 3, metric, "majority", weights=weights)
            free = consensus(dags, 3, metric, "majority", weights=weights, directions="any")
            assert result.if_any is not None
            assert result.if_any.dag == free.dag
            assert (Summary(result).freedom is None) == (free.distance >= result.distance)


def test_searches_without_a_rule_tell_how_many_arcs_run_against_the_inputs() -> None:
    """One line, for all that cannot keep the rule."""
    told = 0
    for seed in range(20):
        dags, weights = ensemble(seed)
        for options in ({"method": "min-cut"}, {"method": "greedy"}, {"metric": "fsim", "effort": "quick"}):
            result = consensus(dags, 3, weights=weights, **options)
            against_inputs = {*result.unseen, *result.outvoted}
            line = Summary(result).directions or ""
            numbers = [int(word) for word in line.replace(",", "").split() if word.isdecimal()]
            arcs = len(result.dag.edges)
            if against_inputs:
                assert sum(numbers) - arcs == len(against_inputs)
                told += 1
            elif arcs:
                assert line.startswith("no arc runs against")
    assert told > 3


def test_a_required_arc_against_the_inputs_is_told() -> None:
    result = consensus(DAGS, 3, required=[("B", "A")])
    assert Summary(result).directions == "1 of 1 arc runs against the majority of the inputs that join the two"
    assert result.outvoted == (("B", "A"),)
    result = consensus(DAGS, 3, required=[("C", "A")])
    assert ("C", "A") in result.unseen
    assert "a direction that no input has" in (Summary(result).directions or "")


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


@pytest.mark.parametrize("metric", ["smhd", pytest.param("fsim", marks=pytest.mark.long)])
def test_no_arc_is_left_that_could_be_turned_to_more_support_for_nothing(metric: str) -> None:
    for seed in range(30 if metric == "smhd" else 10):
        dags, weights = ensemble(seed)
        for options in ({}, {"max_parents": 1}, {"forbidden": dags[0].edges[:1]}, {"required": dags[0].edges[:1]}):
            result = consensus(dags, 3 + seed % 2, metric, weights=weights, effort="quick", **options)
            assert turns(result) == []


def test_larger_networks_are_turned_too() -> None:
    dags = [random_dag(seed, 40, 1.2) for seed in range(6)]
    assert turns(consensus(dags, 4, effort="quick")) == []
