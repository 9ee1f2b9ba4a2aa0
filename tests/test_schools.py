"""Schools of thought: small ensembles against brute force, planted schools, and what must hold of any result."""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bnfuse
from bnfuse import DAG, PDAG, ArcVotes, Network, OptionError, Schools
from bnfuse.answer.question import Question
from bnfuse.answer.schools.division import bounds
from bnfuse.answer.schools.division.panel import Panel
from bnfuse.answer.schools.families import Families
from bnfuse.answer.schools.rule import isolated
from bnfuse.problem.input_votes import input_votes_of
from bnfuse.search.run import Clock
from schools_oracle import distance, least_sum, small_ensemble
from strategies import random_dag

QUICK, MANY = 25, 220


def against_brute_force(seed: int) -> bool | None:
    """One ensemble; whether the optimum was reached. None where it has fewer different inputs than schools."""
    dags, weights = small_ensemble(seed)
    chance = random.Random(seed + 10_000)
    k, max_clique = chance.choice((2, 3)), chance.choice((2, 3))
    metric, directions = chance.choice(("smhd", "shd")), chance.choice(("any", "majority"))
    options = {"max_clique": max_clique, "metric": metric, "directions": directions, "effort": "quick"}
    best = least_sum(dags, weights, k, max_clique, metric, directions)
    try:
        found = bnfuse.schools(dags, k, weights=weights, threads=1, **options)
    except OptionError as error:
        assert "different" in str(error) or "alike" in str(error)  # noqa: PT017 - both ends are right
        assert len({tuple(distance(a, b, metric) for b in dags) for a in dags}) < k
        return None
    assert_consistent(found, dags, weights)
    total = round(found.distance * sum(weights))
    assert found.bound <= best <= total
    if found.is_proven:
        assert total == best
    return total == best


def assert_consistent(found: Schools, dags: list[DAG], weights: list[int]) -> None:
    """Every input is in one school, and what is said about distances is so by the definitions."""
    metric, limit = found.problem.metric, found.problem.max_clique
    assert sorted(found.assignment) == sorted(set(found.problem.names) - set(found.set_aside))
    summed = 0
    for dag, weight, member in zip(dags, weights, found.members, strict=True):
        assert member.distances == tuple(distance(school.dag, dag, metric) for school in found.schools)
        if member.school is not None:
            assert member.distance == member.distances[member.school - 1]
            summed += weight * member.distance
    assert found.distance * sum(w for w, m in zip(weights, found.members, strict=True) if m.school) == pytest.approx(
        summed
    )
    for school in found.schools:
        assert school.consensus.clique_size <= limit
        assert bnfuse.clique_size(school.dag, "exact") <= limit


def test_small_ensembles_are_as_close_as_brute_force_or_within_the_bound() -> None:
    reached = [one for one in map(against_brute_force, range(QUICK)) if one is not None]
    assert sum(reached) >= len(reached) - 1 >= QUICK / 2


@pytest.mark.long
def test_many_small_ensembles_are_as_close_as_brute_force_or_within_the_bound() -> None:
    reached = [one for one in map(against_brute_force, range(QUICK, QUICK + MANY)) if one is not None]
    assert len(reached) >= 200
    assert sum(reached) >= 0.98 * len(reached)


def assert_block_bound_holds(seed: int) -> None:
    dags, weights = small_ensemble(seed)
    chance = random.Random(seed + 20_000)
    k, max_clique = chance.choice((2, 3)), chance.choice((2, 3))
    metric, directions = chance.choice(("smhd", "shd")), chance.choice(("any", "seen", "majority"))
    question = Question.of({"max_clique": max_clique, "metric": metric, "directions": directions, "weights": weights})
    panel = Panel(question.problem(question.inputs(dags)))
    unit = sum(weights) // sum(panel.problem.weights)  # whole weights have no common factor
    labels = [chance.randrange(k) for _ in dags]
    bound = bounds.block_bound(panel, range(len(dags)), labels, k, Clock(None))
    assert 0 <= unit * bound <= least_sum(dags, weights, k, max_clique, metric, directions)


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FEW", "_BLOCK", "_BLOCK_OF_MANY"):
        monkeypatch.setattr(bounds, name, 4)


@pytest.mark.usefixtures("small_blocks")
def test_bounds_of_blocks_add_up_to_a_bound() -> None:
    for seed in range(QUICK):
        assert_block_bound_holds(seed)


@pytest.mark.long
@pytest.mark.usefixtures("small_blocks")
def test_bounds_of_blocks_add_up_to_a_bound_of_many() -> None:
    for seed in range(QUICK, QUICK + MANY):
        assert_block_bound_holds(seed)


# Planted schools


def edited(dag: DAG, edits: int, chance: random.Random) -> DAG:
    """With that many arcs dropped or turned round."""
    arcs = set(dag.edges)
    for arc in chance.sample(sorted(arcs), edits):
        turned = (arcs - {arc}) | {arc[::-1]}
        try:
            arcs = set(DAG(dag.variables, sorted(turned)).edges) if chance.random() < 0.5 else arcs - {arc}
        except bnfuse.CycleError:
            arcs -= {arc}
    return DAG(dag.variables, sorted(arcs))


def planted(seed: int, sizes: tuple[int, ...], edits: int = 2) -> list[DAG]:
    """Edited copies of networks over the same twelve variables that have nothing to do with each other."""
    chance = random.Random(seed)
    bases = [random_dag(100 * seed + c, 12, 1.5) for c in range(len(sizes))]
    bases = [DAG(bases[0].variables, base.edges) for base in bases]
    return [edited(base, edits, chance) for base, size in zip(bases, sizes, strict=True) for _ in range(size)]


@pytest.fixture(scope="module")
def two() -> Schools:
    return bnfuse.schools(planted(1, (6, 5)), effort="quick")


def test_two_planted_schools_are_found(two: Schools) -> None:
    assert two.k == 2
    assert [school.inputs for school in two.schools] == [tuple("123456"), ("7", "8", "9", "10", "11")]
    assert two.tests[0].splits
    assert two.distance < two.single_distance
    assert two.verdict.startswith(
        "The inputs fall into 2 groups that differ more than independent edits would explain."
    )


def test_three_planted_schools_are_found() -> None:
    found = bnfuse.schools(planted(2, (8, 7, 7)), effort="quick")
    assert found.k == 3
    assert [len(school.inputs) for school in found.schools] == [8, 7, 7]


def test_one_school_is_not_split() -> None:
    found = bnfuse.schools(planted(3, (12,)), effort="quick")
    assert found.k == 1
    assert found.verdict == "No evidence of more than one group; small differences may be missed."


def test_an_input_far_from_all_others_is_set_aside() -> None:
    dags = [*planted(4, (9,), 1), DAG(random_dag(4, 12, 1.5).variables, random_dag(999, 12, 3).edges)]
    found = bnfuse.schools(dags, effort="quick")
    assert (found.k, found.set_aside) == (1, ("10",))
    assert found.verdict_on_others == "Set aside: far from every other input (10)."
    last = found.members[-1]
    assert (last.school, last.nearest) == (None, 1)


def test_the_same_seed_gives_the_same_schools_on_any_number_of_threads(two: Schools) -> None:
    again = bnfuse.schools(planted(1, (6, 5)), effort="quick", threads=1)
    assert again == two
    assert again.tests == two.tests


def test_saved_schools_read_back(two: Schools, tmp_path: Path) -> None:
    file = tmp_path / "schools.json.gz"
    two.save(file)
    read = Schools.load(file)
    assert read == two
    assert (read.members, read.separating, read.lower_bound) == (two.members, two.separating, two.lower_bound)
    two.save(file)  # its own file is replaced
    other = tmp_path / "other.json"
    other.write_text("{}")
    with pytest.raises(bnfuse.FileError, match="exists"):
        two.save(other)
    with pytest.raises(bnfuse.FileError, match="does not hold saved schools"):
        Schools.load(other)


def test_each_school_is_the_consensus_of_its_inputs(two: Schools) -> None:
    dags = planted(1, (6, 5))
    for school in two.schools:
        own = [dags[int(name) - 1] for name in school.inputs]
        assert bnfuse.consensus(own, effort="quick").dag == school.dag


def test_separating_arcs_are_those_on_which_networks_differ(two: Schools) -> None:
    one, other = (set(school.dag.edges) for school in two.schools)
    assert {frozenset(arc.arc) for arc in two.separating} == {frozenset(arc) for arc in one ^ other}
    assert [arc.tells for arc in two.separating] == sorted((arc.tells for arc in two.separating), reverse=True)
    first = two.separating[0]
    dags = planted(1, (6, 5))
    for school, share, back in zip(two.schools, first.shares, first.reversed_shares, strict=True):
        own = [dags[int(name) - 1].edges for name in school.inputs]
        assert share == sum(first.arc in edges for edges in own) / len(own)
        assert back == sum(first.arc[::-1] in edges for edges in own) / len(own)


def test_an_input_between_two_schools_is_named() -> None:
    variables = tuple("ABCDEFGHI")
    one = list(pairwise(variables))
    left, right, half = DAG(variables, one), DAG(variables), DAG(variables, one[:4])
    found = bnfuse.schools([left] * 3 + [half] + [right] * 3, k=2, metric="shd")
    assert found.between == ("4",)


# Kinds of inputs


def test_weights_count_in_the_networks() -> None:
    a, b = DAG(["A", "B", "C"], [("A", "B")]), DAG(["A", "B", "C"], [("B", "C")])
    c = DAG(["A", "B", "C"], [("A", "B"), ("A", "C")])
    found = bnfuse.schools([a, b, c], k=2, weights=[1, 5, 3])
    assert found.assignment == {"1": 1, "2": 2, "3": 1}
    assert found.schools[0].dag == c
    zero = bnfuse.schools([a, b, c], k=2, weights=[1, 1, 0])
    assert zero.assignment == {"1": 1, "2": 2}
    assert any("left out" in note for note in zero.notes)


def test_unlike_variables_classes_and_votes() -> None:
    one, other = DAG(["A", "B", "C"], [("A", "B"), ("B", "C")]), DAG(["B", "C", "D"], [("D", "B"), ("D", "C")])
    inputs = [
        one,
        other,
        PDAG.of_class(one),
        ArcVotes.from_counts({("D", "B"): 9, ("D", "C"): 8}, 10, ["B", "C", "D"], networks=1),
    ]
    for metric in ("smhd", "shd"):
        found = bnfuse.schools(inputs, k=2, metric=metric, variables="union")
        assert sorted(map(sorted, ([int(name) for name in school.inputs] for school in found.schools))) == [
            [1, 3],
            [2, 4],
        ]
        assert found.lower_bound <= found.distance
        assert bnfuse.schools(inputs, metric=metric, variables="union").k == 1


def test_constraints_and_directions_hold_in_every_school() -> None:
    dags = planted(1, (6, 5))
    source, target = dags[0].edges[0]
    found = bnfuse.schools(dags, 2, required=[(source, target)], max_parents=1, directions="seen", effort="quick")
    for school in found.schools:
        own = {arc for name in school.inputs for arc in dags[int(name) - 1].edges}
        assert (source, target) in school.dag.edges
        assert all(len(school.dag.parents(name)) <= 1 for name in school.dag.variables)
        assert set(school.dag.edges) <= own | {(source, target)}


def test_answers_of_schools_with_tables() -> None:
    states = {"A": ("y", "n"), "B": ("y", "n")}
    joined = Network(DAG(["A", "B"], [("A", "B")]), states, {"A": [0.5, 0.5], "B": [[0.9, 0.1], [0.1, 0.9]]})
    apart = Network(DAG(["A", "B"]), states, {"A": [0.5, 0.5], "B": [0.5, 0.5]})
    found = bnfuse.schools([joined, joined, apart, apart], k=2)
    (answer,) = found.answers({"A": "y"})
    assert (answer.variable, answer.state) == ("B", "y")
    assert answer.probabilities == pytest.approx((0.9, 0.5))
    with pytest.raises(OptionError, match="need tables"):
        bnfuse.schools([joined.dag, apart.dag], k=2).answers()


# Bad input, and obvious answers


@pytest.mark.parametrize(
    ("k", "said"),
    [
        (0, "k must be"),
        (-1, "k must be"),
        (1.5, "k must be"),
        (4, "k is 4, but there are only 3 inputs"),
        (3, "only 2 of 3"),
    ],
)
def test_numbers_of_schools_that_make_no_sense(k: int, said: str) -> None:
    one, two = DAG(["A", "B"], [("A", "B")]), DAG(["A", "B"])
    with pytest.raises(OptionError, match=said) as error:
        bnfuse.schools([one, one, two], k=k)
    assert "\n" not in str(error.value)


def test_equal_inputs_are_one_school() -> None:
    one = DAG(["A", "B"], [("A", "B")])
    found = bnfuse.schools([one] * 9)
    assert (found.k, found.distance, found.is_proven) == (1, 0.0, True)
    with pytest.raises(OptionError, match="all inputs are alike"):
        bnfuse.schools([one] * 9, k=2)


def test_one_input_is_one_school() -> None:
    found = bnfuse.schools([DAG(["A", "B"], [("A", "B")])])
    assert (found.k, found.distance) == (1, 0.0)
    assert "too few" in found.verdict


def test_all_weights_zero_are_refused() -> None:
    with pytest.raises(OptionError, match="above 0"):
        bnfuse.schools([DAG(["A"]), DAG(["A"])], weights=[0, 0])


@pytest.mark.parametrize(
    ("options", "said"),
    [({"metric": "fsim"}, "smhd or shd"), ({"target": "fused"}, "fusion"), ({"candidates": "fused"}, "candidates")],
)
def test_what_schools_cannot_be_asked(options: dict[str, str], said: str) -> None:
    with pytest.raises(OptionError, match=said):
        bnfuse.schools([DAG(["A", "B"], [("A", "B")]), DAG(["A", "B"])], **options)  # type: ignore[arg-type]


def test_a_tally_has_no_schools() -> None:
    tally = bnfuse.Tally(["A", "B"])
    tally.add(DAG(["A", "B"]))
    with pytest.raises(OptionError, match="tally has only counts"):
        bnfuse.schools(tally)


# The parts of the rule


def test_dealing_keeps_how_often_families_occur_and_how_many_each_input_changed() -> None:
    dags = planted(5, (9,), 3)
    families = Families([input_votes_of(dag) for dag in dags], dags[0].variables)
    dealing = families.dealt(range(9), 1, random.Random(0))
    before = dealing.own
    dealing.next(20)
    after = dealing.own
    assert before == families.own != after
    often = Counter(family for own in before for family in own.items())
    assert often == Counter(family for own in after for family in own.items())
    usual = {v: max((own[v] for own in before), key=lambda parents: often[v, parents]) for v in before[0]}
    ties = {v for v in usual if sum(often[v, own[v]] == often[v, usual[v]] for own in before) > often[v, usual[v]]}
    departing = [[sum(own[v] != usual[v] for v in usual if v not in ties) for own in side] for side in (before, after)]
    assert not ties
    assert departing[0] == departing[1]


def test_isolated_inputs_are_far_beyond_the_others() -> None:
    far = np.full((10, 10), 4.0)
    far[9, :] = far[:, 9] = 20.0
    np.fill_diagonal(far, 0)
    assert isolated(far) == [9]
    assert isolated(far[:9, :9]) == []
    assert isolated(far[4:, 4:]) == []  # too few to tell


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda saved: saved["schools"].clear(), "there is no school"),
        (lambda saved: saved["schools"][1].update(inputs=[0]), "at most one school"),
        (lambda saved: saved["schools"][0]["answer"].update(distance=0.125), "it is"),
        (lambda saved: saved.update(version=9), "version 9"),
        (lambda saved: saved.update(stopped_by="me"), "stopped_by"),
    ],
)
def test_damaged_schools_are_refused(two: Schools, tmp_path: Path, change: Any, said: str) -> None:
    file = tmp_path / "schools.json"
    two.save(file)
    saved = json.loads(file.read_text())
    change(saved)
    file.write_text(json.dumps(saved))
    with pytest.raises(bnfuse.FileError, match=said):
        Schools.load(file)
