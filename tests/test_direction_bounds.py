"""Bounds and proofs under a rule on directions: never above the best of all small networks, and often tight."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

import proof_checker
from bnfuse import DAG, _kernel, consensus
from bnfuse.problem.problem import Problem
from bnfuse.search.bounds import problem_bound
from bnfuse.search.chains import allowed_arcs, most_parents, useful_arcs
from brute_force import Rules, against, all_dags, assert_valid, question_of, random_rules, small_problems
from strategies import common_children, problem_of, random_dag

RULES = ("seen", "majority")


def ruled_problems(size: int, count: int) -> Iterator[tuple[list[DAG], list[int], int, str, Rules, Rules]]:
    """Inputs with weights, a limit, a rule on directions, other constraints, and all of them as constraints."""
    for place, (dags, weights) in enumerate(small_problems(size, count, 4)):
        for directions in RULES:
            limit = 2 + (place + len(directions)) % (size - 1)
            barred = against(directions, dags, weights)
            rules = random_rules(place, dags[0].variables, limit) if place % 2 else Rules()
            rules = replace(rules, required=tuple(arc for arc in rules.required if arc not in barred))
            yield dags, weights, limit, directions, rules, replace(rules, forbidden=(*rules.forbidden, *barred))


def asked(dags: Sequence[DAG], weights: Sequence[int], limit: int, directions: str, rules: Rules) -> Problem:
    return problem_of(dags, limit, weights=weights, directions=directions, **rules.options)


def least_shd(dags: Sequence[DAG], weights: Sequence[int], limit: int, rules: Rules) -> int:
    """The least summed SHD of all networks within the limit that keep constraints."""
    every, names, total = all_dags(len(dags[0].variables)), dags[0].variables, sum(weights)
    votes = dict.fromkeys(every.arcs, 0)
    for dag, weight in zip(dags, weights, strict=True):
        for a, b in dag.edges:
            votes[names.index(a), names.index(b)] += weight
    gain = np.array([2 * votes[a, b] + votes[b, a] - total for a, b in every.arcs])
    distance = sum(votes.values()) - every.has_arc @ gain
    return int(distance[every.within(limit, rules, names)].min())


@pytest.mark.parametrize("metric", ["smhd", "shd"])
@pytest.mark.parametrize(("size", "count"), [(3, 30), (4, 40), (5, 4)])
def test_no_network_that_keeps_the_rule_is_below_the_bound(size: int, count: int, metric: str) -> None:
    met = 0
    for dags, weights, limit, directions, rules, everything in ruled_problems(size, count):
        problem = replace(asked(dags, weights, limit, directions, rules), metric=metric)
        if metric == "shd":
            least = least_shd(dags, weights, limit, everything)
        else:
            least = round(all_dags(size).best(dags, weights, limit, everything)[0] * sum(weights))
        bounds = [problem_bound(problem, rounds) for rounds in (None, 0, 3)]
        assert max(bounds) <= least
        met += bounds[0] == least
    assert met > count, "of twice as many"


@pytest.mark.parametrize(("size", "count"), [(4, 20), (5, 3)])
def test_arcs_that_are_left_out_are_in_no_network_that_is_needed(size: int, count: int) -> None:
    left_out = 0
    for dags, weights, limit, directions, rules, everything in ruled_problems(size, count):
        problem = asked(dags, weights, limit, directions, rules)
        names, gone = problem.variables, allowed_arcs(problem) & ~useful_arcs(problem)
        left_out += gone.sum()
        fewer = tuple((names[a], names[b]) for a, b in np.argwhere(gone).tolist())
        best = all_dags(size).best(dags, weights, limit, everything)
        assert (
            all_dags(size).best(dags, weights, limit, replace(everything, forbidden=(*everything.forbidden, *fewer)))
            == best
        )
    assert left_out > 5


def test_no_best_network_has_an_arc_that_is_left_out_where_required_arcs_bring_edges() -> None:
    every, left_out = all_dags(4), 0
    for seed in range(150):
        rng = random.Random(f"left out {seed}")
        dags = [common_children(rng.random(), 4) for _ in range(rng.randint(2, 7))]
        weights, names, directions = (
            [rng.choice([1, 1, 3]) for _ in dags],
            dags[0].variables,
            rng.choice(["any", *RULES]),
        )
        barred = against(directions, dags, weights)
        required = [arc for arc in rng.choice(dags).edges if arc not in barred][:2]
        rules = Rules(tuple(required), tuple(barred))
        problem = asked(dags, weights, 4, directions, replace(rules, forbidden=()))
        within = every.within(4, rules, names)
        distance = -every.has_edge @ np.array([problem.gain[edge] for edge in every.edges])
        best = every.has_arc[within & (distance == distance[within].min())]
        useful = useful_arcs(problem)
        assert not best[:, ~np.array([useful[arc] for arc in every.arcs])].any()
        left_out += int((allowed_arcs(problem) & ~useful).sum())
    assert left_out > 3


def test_the_arcs_of_a_best_network_are_never_left_out() -> None:
    for seed in range(20):
        dags = [random_dag(5 * seed + i, 9, 1.5) for i in range(4)]
        problem = problem_of(dags, 3, directions="majority")
        useful, question = useful_arcs(problem), question_of(dags, [1] * 4, "smhd", 3, Rules())
        names = problem.variables
        place = {name: i for i, name in enumerate(names)}
        barred = frozenset((place[a], place[b]) for a, b in against("majority", dags, [1] * 4))
        assert {tuple(arc) for arc in np.argwhere(useful).tolist()} == set(replace(question, forbidden=barred).arcs)


@pytest.mark.parametrize("k", [2, 3])
def test_of_a_family_over_the_limit_a_parent_goes_with_all_its_marriages(k: int) -> None:
    """Any direction loses one edge of the clique of k + 2; under the rule a parent goes, with k + 1 edges."""
    names = [f"v{i}" for i in range(k + 2)]
    family = DAG(names, [(name, names[-1]) for name in names[:-1]])
    free, kept = (consensus([family] * 3, k + 1, directions=rule) for rule in ("any", "majority"))
    assert (free.distance, free.lower_bound) == (1, 1)
    assert (kept.distance, kept.lower_bound) == (k + 1, k + 1)
    by_arc = consensus([family] * 3, k + 1, "shd", directions="majority")
    assert (by_arc.distance, by_arc.lower_bound) == (1, 1)


def test_what_a_required_arc_loses_is_in_the_bound_by_arcs() -> None:
    names = ["A", "B", "C"]
    dags = [DAG(names, [("A", "C")])] * 4 + [DAG(names, [("A", "C"), ("B", "C")])]
    problem = problem_of(dags, 3, required=[("B", "C")], directions="majority")
    rules = useful_arcs(problem).astype(np.uint8)
    rules[1, 2] = 2
    assert _kernel.arcs_weight(problem.gain, rules, False, 2, most_parents(problem), 0) == 5 - 3 - 3
    assert problem_bound(problem) == problem.distance_without_arcs + 1


def test_weights_as_large_as_they_may_be_keep_the_bound_sound() -> None:
    for dags, weights in small_problems(4, 20, 3):
        many = [weight * 10**8 + place for place, weight in enumerate(weights)]
        problem = problem_of(dags, 3, weights=many, directions="majority")
        rules = Rules(forbidden=tuple(against("majority", dags, many)))
        least, _ = all_dags(4).best(dags, many, 3, rules)
        assert problem_bound(problem) <= round(least * sum(many))


# Proofs


@pytest.mark.parametrize("metric", ["smhd", "shd"])
def test_what_is_proven_under_a_rule_is_the_best_of_all_networks(metric: str) -> None:
    for dags, weights, limit, directions, rules, everything in ruled_problems(5, 8):
        options = {"weights": weights, "directions": directions, "effort": "quick", "prove": True, **rules.options}
        result = consensus(dags, limit, metric, **options)
        assert_valid(result, dags, limit, weights, everything, metric)
        assert result.gap == 0
        least = proof_checker.least_distance(question_of(dags, weights, metric, limit, everything))
        assert round(result.distance * sum(weights)) == least


@pytest.mark.parametrize("metric", ["smhd", "shd"])
@pytest.mark.parametrize("directions", RULES)
def test_a_proof_under_a_rule_can_be_checked(directions: str, metric: str, tmp_path: Path) -> None:
    """These inputs have a bound without a proof that is below the optimum."""
    rng = random.Random(2)
    base = random_dag(2, 12, 3.0)
    dags = [DAG(base.variables, [arc for arc in base.edges if rng.random() < 0.8]) for _ in range(5)]
    result = consensus(dags, 4, metric, directions=directions, effort="quick", prove=True)
    assert result.gap == 0
    assert result.proof is not None
    assert result.proof.program == "arcs"
    result.save(tmp_path / "result.json")
    assert proof_checker.check(json.loads((tmp_path / "result.json").read_text())) == result.proof.bound


def test_an_arc_whose_edge_a_common_child_brings_anyway_may_be_worth_its_marriages() -> None:
    """a -> c loses 3 for its own edge and gains 1 by marrying a to b; but a -> d <- c brings that edge anyway."""
    kept = ["ad", "bc", "cd", "ac"]
    written = ["ab bc da", "ac ad ba bc cd", "ad cb dc", "cb cd da db", "ad bc bd dc", "cd da", "ab ac cb cd"]
    networks = [DAG(list("abcd"), [tuple(arc) for arc in one.split()]) for one in written]
    forbidden = [arc for arc in permutations("abcd", 2) if "".join(arc) not in kept]
    found = consensus(networks, 4, forbidden=forbidden, directions="majority")
    assert {"".join(arc) for arc in found.dag.edges} == set(kept)
    assert found.lower_bound == found.distance == pytest.approx(13 / 7)
