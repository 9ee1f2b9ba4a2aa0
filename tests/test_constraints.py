"""Constraints: every contradiction is named before the search, and what cannot keep them says so."""

from __future__ import annotations

from itertools import combinations, pairwise, permutations
from typing import Any

import pytest

import oracles
from bnfuse import DAG, BnfuseError, ConstraintError, Constraints, OptionError, consensus
from bnfuse.problem.constraints import pairs_apart
from brute_force import Rules, all_dags, assert_valid, fewest_neighbours, ring, small_problems
from strategies import random_dag

NAMES = tuple("ABCDEF")
DAGS = [
    DAG(NAMES, [("A", "B"), ("B", "C"), ("C", "D")]),
    DAG(NAMES, [("A", "B"), ("D", "C"), ("E", "F")]),
    DAG(NAMES, [("B", "A"), ("B", "C"), ("F", "E")]),
]
GRID = [(f"{x}{y}", f"{x + 1}{y}") for x in range(3) for y in range(4)]
GRID += [(f"{x}{y}", f"{x}{y + 1}") for x in range(4) for y in range(3)]


@pytest.mark.parametrize(
    ("limit", "options", "message"),
    [
        (3, {"required": [("A", "B")], "forbidden": [("A", "B")]}, "A -> B is both required and forbidden"),
        (3, {"required": [("A", "B")], "tiers": [["B"], ["A"]]}, "A -> B is required, but goes from a later tier"),
        (3, {"required": [("A", "B"), ("B", "C"), ("C", "A")]}, "required arcs .*cycle: .*A -> B -> C"),
        (3, {"required": [("A", "B"), ("B", "A")]}, "required arcs .*cycle"),
        (
            3,
            {"required": [("A", "C"), ("B", "C")], "max_parents": 1},
            "C has the 2 required parents A, B; max_",
        ),
        (4, {"required": [("A", "B")], "max_parents": 0}, "B has the 1 required parents? A; max_parents is 0"),
        (2, {"required": [("A", "C"), ("B", "C")]}, "C and its 2 required parents A, B .* limit of 2"),
        (2, {"required": [("A", "B"), ("A", "C"), ("B", "D"), ("C", "D")]}, "D and its 2 required parents B, C"),
        (3, {"required": [("A", "Z")]}, "required arc A -> Z: unknown variable 'Z'"),
        (3, {"forbidden": [("Z", "A")]}, "forbidden arc Z -> A: unknown variable 'Z'"),
        (3, {"required": [("A", "A")]}, "required arc A -> A: a variable cannot be its own parent"),
        (3, {"required": ["AB"]}, "required: an arc must be a pair"),
        (3, {"forbidden": [("A", "B", "C")]}, "forbidden: an arc must be a pair"),
        (3, {"tiers": [["A", "Z"]]}, "tiers: unknown variable 'Z'"),
        (3, {"tiers": [["A"], ["B", "A"]]}, "tiers: variable 'A' is listed twice"),
    ],
)
@pytest.mark.parametrize("method", ["direct", "majority", "greedy", "min-cut"])
def test_contradictions_are_named(method: str, limit: int, options: dict[str, Any], message: str) -> None:
    more = {"candidates": "fused"} if method == "greedy" else {}
    with pytest.raises(ConstraintError, match=message) as error:
        consensus(DAGS, limit, method=method, **more, **options)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("most", [-1, 1.5, "2"])
def test_a_wrong_limit_on_parents_is_named(most: Any) -> None:
    with pytest.raises(OptionError, match="max_parents must be a whole number of at least 0"):
        consensus(DAGS, 3, max_parents=most)


@pytest.mark.parametrize("options", [{"required": 5}, {"forbidden": 3.5}, {"tiers": 7}, {"tiers": [3]}])
def test_constraints_of_a_wrong_kind_are_refused_in_one_line(options: dict[str, Any]) -> None:
    with pytest.raises(BnfuseError, match=next(iter(options))):
        consensus(DAGS, 3, **options)


def test_required_arcs_that_need_a_larger_clique_together_are_refused() -> None:
    """Each family of the grid fits a clique of 3, the whole does not."""
    names = sorted({name for arc in GRID for name in arc})
    dags = [DAG(names, GRID[:10]), DAG(names, GRID[10:])]
    for limit in (3, 4):
        with pytest.raises(ConstraintError, match=f"the required arcs alone need a clique of 5; the limit is {limit}"):
            consensus(dags, limit, required=GRID)
    rules = Rules(required=tuple(GRID))
    assert_valid(consensus(dags, 5, effort="quick", **rules.options), dags, 5, rules=rules)


@pytest.mark.parametrize("seed", range(10))
def test_required_arcs_within_the_limit_are_always_kept(seed: int) -> None:
    """However the proof of the clique size is kept: arcs that fit together must not be refused."""
    dag = random_dag(seed, 30, 1.1)
    other = random_dag(seed + 100, 30, 1.1)
    moral = oracles.moral_graph(oracles.graph_of(dag))
    limit = max(oracles.cliques_along(moral, fewest_neighbours(moral)))
    rules = Rules(required=dag.edges)
    for method in ("direct", "majority"):
        options = {"effort": "quick"} if method == "direct" else {}
        result = consensus([other] * 3, limit, method=method, **options, **rules.options)
        assert_valid(result, [other] * 3, limit, rules=rules)


PRUNING = ["greedy", "genetic"]


@pytest.mark.parametrize("method", ["direct", "majority"])
def test_a_long_ring_may_be_required(method: str) -> None:
    dag = ring(100)
    empty = [DAG(dag.variables)] * 2
    result = consensus(empty, 3, method=method, required=dag.edges)
    assert_valid(result, empty, 3, rules=Rules(required=dag.edges))


@pytest.mark.parametrize(
    "method", [{"method": "min-cut"}, *({"method": one, "candidates": "fused"} for one in PRUNING)]
)
def test_required_arcs_are_there_though_no_input_has_any(method: dict[str, Any]) -> None:
    empty = [DAG(["A", "B", "C"])] * 2
    assert consensus(empty, 3, required=[("A", "B")], **method).dag.edges == (("A", "B"),)


@pytest.mark.parametrize("candidates", ["shared", "per-network"])
@pytest.mark.parametrize("method", PRUNING)
@pytest.mark.parametrize(
    "options",
    [{"required": [("A", "B")]}, {"forbidden": [("A", "B")]}, {"tiers": [["A"], ["B"]]}, {"max_parents": 2}],
)
def test_pruning_before_fusion_refuses_constraints(method: str, candidates: str, options: dict[str, Any]) -> None:
    with pytest.raises(ConstraintError, match=f"{candidates} candidates .* cannot satisfy constraints") as error:
        consensus(DAGS, 3, method=method, candidates=candidates, **options)
    assert "\n" not in str(error.value)


METHODS = [
    {"method": "direct", "effort": "quick"},
    {"method": "majority"},
    {"method": "greedy", "candidates": "fused"},
    {"method": "genetic", "candidates": "fused", "population": 10, "generations": 5},
]


@pytest.mark.parametrize("metric", ["smhd", "fsim", "shd"])
@pytest.mark.parametrize("method", METHODS, ids=lambda method: method["method"])
def test_every_method_that_takes_constraints_keeps_them(method: dict[str, Any], metric: str) -> None:
    cases = [
        Rules(forbidden=(("A", "B"), ("C", "D"))),
        Rules(tiers=(("B", "D"), ("A", "C", "E"))),
        Rules(max_parents=1),
        Rules(forbidden=(("E", "F"),), tiers=(("C",), ("B",)), max_parents=1),
        Rules(forbidden=tuple(permutations(NAMES, 2))),
    ]
    for rules in cases:
        result = consensus(DAGS, 3, metric, **method, **rules.options)
        assert_valid(result, DAGS, 3, rules=rules, metric=metric)


@pytest.mark.parametrize("metric", ["smhd", "fsim", "shd"])
@pytest.mark.parametrize("method", METHODS, ids=lambda method: method["method"])
def test_required_arcs_of_the_fusion_are_kept(method: dict[str, Any], metric: str) -> None:
    dags = [DAG(NAMES, [("A", "B"), ("B", "C"), ("A", "C")]), DAG(NAMES, [("A", "B")]), DAG(NAMES, [("B", "C")])]
    rules = Rules(required=(("A", "C"),), forbidden=(("A", "B"),))
    assert_valid(consensus(dags, 3, metric, **method, **rules.options), dags, 3, rules=rules, metric=metric)


@pytest.mark.parametrize("metric", ["smhd", "fsim", "shd"])
@pytest.mark.parametrize("method", ["direct", "majority"])
def test_an_arc_that_no_input_has_can_be_required(method: str, metric: str) -> None:
    rules = Rules(required=(("F", "A"), ("D", "A")))
    options = {"effort": "quick"} if method == "direct" else {}
    result = consensus(DAGS, 3, metric, method, **options, **rules.options)
    assert_valid(result, DAGS, 3, rules=rules, metric=metric)


@pytest.mark.parametrize("candidates", ["fused"])
@pytest.mark.parametrize("method", ["greedy", "genetic"])
def test_an_arc_that_the_fusion_lacks_cannot_be_required_of_its_subsets(method: str, candidates: str) -> None:
    with pytest.raises(ConstraintError, match="no arc F -> A"):
        consensus(DAGS, 3, method=method, candidates=candidates, required=[("F", "A")])


def test_all_arcs_forbidden_leave_none() -> None:
    for method in ("direct", "majority"):
        result = consensus(DAGS, 3, method=method, forbidden=permutations(NAMES, 2))
        assert result.dag.edges == ()


def test_one_input_must_keep_the_constraints_too() -> None:
    dag = DAG(list("ABC"), pairwise("ABC"))
    result = consensus([dag], 3, forbidden=[("A", "B")], effort="quick")
    assert_valid(result, [dag], 3, rules=Rules(forbidden=(("A", "B"),)))


def test_variables_in_no_tier_are_free() -> None:
    dag = DAG(list("ABC"), [("B", "C"), ("C", "A")])
    assert consensus([dag] * 3, 3, tiers=[["A"], ["B"]], effort="quick").dag == dag


def test_arcs_within_a_tier_are_free() -> None:
    dag = DAG(list("ABC"), pairwise("CBA"))
    assert consensus([dag] * 3, 3, tiers=[["A", "B", "C"]], effort="quick").dag == dag


def test_constraints_that_nothing_breaks_change_no_distance() -> None:
    dags = [random_dag(seed, 12, 1.3) for seed in range(4)]
    free = consensus(dags, 3, effort="quick")
    bound = consensus(dags, 3, effort="quick", max_parents=2)
    assert bound.distance == free.distance


@pytest.mark.parametrize("method", METHODS[2:], ids=lambda method: method["method"])
def test_constrained_subsets_of_the_fusion_are_no_better_than_all_networks(method: dict[str, Any]) -> None:
    for dags, weights in small_problems(4, 10, 5):
        a, b = dags[0].variables[:2]
        rules = Rules(forbidden=((a, b),), max_parents=2)
        result = consensus(dags, 3, weights=weights, **method, **rules.options)
        assert_valid(result, dags, 3, weights, rules)
        assert result.distance >= all_dags(4).best(dags, weights, 3, rules)[0] - 1e-9


def test_a_complete_required_network_is_the_result() -> None:
    arcs = tuple(combinations("ABCD", 2))
    dags = [DAG(list("ABCD"))] * 2
    assert consensus(dags, 4, required=arcs, effort="quick").dag == DAG(list("ABCD"), arcs)
    with pytest.raises(ConstraintError, match="D and its 3 required parents A, B, C are a clique over the limit of 3"):
        consensus(dags, 3, required=arcs)


def test_a_set_of_two_variables_is_forbidden_either_way() -> None:
    both = Constraints(forbidden=[{"B", "A"}, ("C", "D")])
    assert both.forbidden == (("A", "B"), ("B", "A"), ("C", "D"))
    assert both == Constraints(forbidden=[("A", "B"), ("B", "A"), ("C", "D")])
    dags = [DAG(["A", "B"], [("A", "B")]), DAG(["A", "B"], [("B", "A")])]
    for directions in ("any", "majority"):
        assert consensus(dags, forbidden=[("A", "B")], directions=directions).dag.edges == (("B", "A"),)
        assert consensus(dags, forbidden=[{"A", "B"}], directions=directions).dag.edges == ()
    for wrong in ({"A"}, {"A", "B", "C"}):
        with pytest.raises(ConstraintError, match="forbidden: an arc must be a pair"):
            Constraints(forbidden=[wrong])
    with pytest.raises(ConstraintError, match="required: an arc must be a pair"):
        Constraints(required=[{"A", "B"}])  # type: ignore[list-item]


def test_a_direction_that_is_forbidden_is_not_turned_round_against_the_majority() -> None:
    dags = [DAG(["A", "B"], [("A", "B")])] * 2 + [DAG(["A", "B"], [("B", "A")])]
    for options in ({}, {"metric": "shd"}, {"method": "majority"}):
        assert consensus(dags, forbidden=[("A", "B")], **options).dag.edges == ()
    assert consensus(dags, forbidden=[("A", "B")], directions="any").dag.edges == (("B", "A"),)


@pytest.mark.parametrize(
    ("forbidden", "pairs", "single"),
    [
        ([], [], []),
        ([("A", "B")], [], [("A", "B")]),
        ([("B", "A"), ("C", "D"), ("A", "B")], [("B", "A")], [("C", "D")]),
    ],
)
def test_pairs_are_told_apart_from_single_directions(
    forbidden: list[tuple[str, str]], pairs: list[tuple[str, str]], single: list[tuple[str, str]]
) -> None:
    assert pairs_apart(forbidden) == (pairs, single)
