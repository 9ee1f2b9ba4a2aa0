"""Directions by equivalence classes: counted by brute force over the members of each class, kept in files, and told."""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bnfuse
import oracles
from bnfuse import DAG, PDAG, ArcVotes, Consensus, InputOptions, Network, Tally, _kernel, consensus, strengths
from bnfuse.graphs.network import BOOTSTRAP
from oracles import pattern
from samples import random_data
from strategies import dag_lists, random_dag

CLASS: Any = {"support": "class"}


def members(size: int) -> dict[object, list[frozenset[tuple[int, int]]]]:
    """All DAGs over some variables, by their equivalence classes."""
    classes = defaultdict(list)
    for arcs in sorted(map(sorted, oracles.all_dags(size))):
        classes[pattern(arcs)].append(frozenset(arcs))
    return classes


CLASSES = members(4)
SMALL = [arcs for own in CLASSES.values() for arcs in own]


def named(arcs: Any) -> DAG:
    return DAG([*"abcd"], [("abcd"[a], "abcd"[b]) for a, b in sorted(arcs)])


def class_shares(arcs: frozenset[tuple[int, int]]) -> dict[tuple[int, int], Fraction]:
    """The votes of a class: all for an arc that every member has, half each way where members differ."""
    own = CLASSES[pattern(sorted(arcs))]
    shares = {}
    for a, b in arcs:
        has_both = any((b, a) in other for other in own)
        shares[a, b] = Fraction(1, 2) if has_both else Fraction(1)
        shares[b, a] = 1 - shares[a, b]
    return shares


def resamples(dags: list[DAG]) -> list[Network]:
    return [Network(dag, name=f"resample {i}", made_by=BOOTSTRAP) for i, dag in enumerate(dags)]


few = st.lists(st.sampled_from(SMALL), min_size=1, max_size=6)


# Counting


@settings(max_examples=60)
@given(few, st.lists(st.integers(1, 5), min_size=6, max_size=6))
def test_class_directions_are_the_mean_over_the_members_of_each_class(chosen: list[Any], numbers: list[int]) -> None:
    weights = numbers[: len(chosen)]
    found = strengths([named(arcs) for arcs in chosen], weights)
    votes: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    free: dict[frozenset[int], int] = defaultdict(int)
    for arcs, weight in zip(chosen, weights, strict=True):
        for arc, share in class_shares(arcs).items():
            votes[arc] += weight * share
            free[frozenset(arc)] += weight * (share == Fraction(1, 2))  # each pair twice
    for row in found.arcs:
        a, b = "abcd".index(row.source), "abcd".index(row.target)
        joined = votes[a, b] + votes[b, a]
        assert row.class_direction == float(votes[a, b] / joined)
        assert row.free == float(Fraction(free[frozenset((a, b))], 2) / joined)
        assert row.is_free == (free[frozenset((a, b))] > joined)


def mixed_inputs(chosen: list[Any], seed: int) -> list[Any]:
    """Networks, classes, graphs that give only some of the directions, and votes."""
    inputs: list[Any] = []
    for i, arcs in enumerate(chosen):
        dag = named(arcs)
        graph = PDAG.of_class(dag)
        first = [arc for arc in dag.edges if arc not in graph.arcs][:1]  # of a direction that the class leaves free
        rest = [edge for edge in graph.edges if {*edge} not in map(set, first)]
        partly = PDAG(dag.variables, [*graph.arcs, *first], rest)
        votes = ArcVotes.from_counts(dict.fromkeys(dag.edges, 3), of=5, variables=[*"abcd"], networks=1)
        inputs.append([dag, graph, partly, votes][(seed + i) % 4])
    return inputs


def extends(graph: Any) -> bool:
    try:
        return not isinstance(graph, PDAG) or graph.extension is not None
    except bnfuse.GraphError:
        return False


@settings(max_examples=60)
@given(few, st.integers(0, 3))
def test_a_tally_of_anything_gives_the_class_votes_of_its_inputs(chosen: list[Any], seed: int) -> None:
    inputs = [one for one in mixed_inputs(chosen, seed) if extends(one)] or [named(())]
    plain, by_class = Tally([*"abcd"]), Tally([*"abcd"])
    for one in inputs:
        plain.add(one)
        by_class.add(one, **CLASS)
    found = plain.by_class()
    scale = Fraction(by_class.parts, found.parts)
    assert [[scale * int(n) for n in row] for row in found.arcs] == by_class.arcs.tolist()
    assert [[scale * int(n) for n in row] for row in found.moral] == by_class.moral.tolist()
    assert found.weight * scale == by_class.weight
    assert plain.fixed is not None
    assert (plain.fixed + plain.fixed.T <= plain.arcs + plain.arcs.T).all()
    again = by_class.by_class()
    assert np.array_equal(again.arcs * by_class.parts, by_class.arcs * again.parts)
    read = Tally.from_content({"variables": [*"abcd"], **plain.content()})
    assert np.array_equal(read.fixed, plain.fixed)


@settings(max_examples=40)
@given(dag_lists(1, 6), st.integers(0, 10**6))
def test_tallies_of_parts_add_up_to_the_tally_of_all(dags: list[DAG], seed: int) -> None:
    whole, first, second = (Tally(dags[0].variables) for _ in range(3))
    for i, dag in enumerate(dags):
        whole.add(dag, 2)
        (first, second)[seed >> i & 1].add(dag, 2)
    first.merge(second)
    assert first.fixed is not None
    assert np.array_equal(first.fixed, whole.fixed)
    assert np.array_equal(Tally.of(dags, [2] * len(dags)).fixed, whole.fixed)


def test_many_networks_are_counted_as_they_come() -> None:
    dags = [random_dag(seed, 70, 1.2) for seed in range(3)]  # rows of two words
    tally = Tally(dags[0].variables)
    for i in range(150):
        tally.add(dags[i % 3])
    expected = np.zeros((70, 70), np.int64)
    for dag in dags:
        free = oracles.reversible_arcs(oracles.graph_of(dag))
        for (a, b), arc in zip(dag.arc_numbers.tolist(), dag.edges, strict=True):
            expected[a, b] += 50 * (arc not in free)
    assert np.array_equal(tally.fixed, expected)


def test_variables_that_are_left_out_still_fix_directions() -> None:
    collider = DAG([*"ABC"], [("A", "C"), ("B", "C")])
    other = DAG([*"AC"], [("A", "C")])
    found = strengths([collider, other], options=InputOptions("shared"))
    row = next(one for one in found.arcs if one.source == "A")
    assert (row.direction, row.class_direction, row.free) == (1.0, 0.75, 0.5)
    votes = strengths([collider, other], options=InputOptions("shared", support="class"))
    assert {one.direction for one in votes.arcs} == {0.75, 0.25}
    result = consensus([collider, other], variables="shared")
    assert result.problem.tally.fixed is not None
    assert result.problem.tally.fixed.tolist() == [[0, 1], [0, 0]]


@pytest.mark.parametrize("is_counted", [False, True])
def test_ctrl_c_leaves_classes_that_fit_the_arcs(is_counted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    count_edges, calls = _kernel.count_edges, []

    def interrupted(*arguments: Any) -> None:
        calls.append(arguments)
        if len(calls) != 4 or is_counted:
            count_edges(*arguments)
        if len(calls) == 4:
            raise KeyboardInterrupt

    runs = bnfuse.bootstrap(random_data(2, 8, 80), 9)
    monkeypatch.setattr(_kernel, "count_edges", interrupted)
    networks = list(runs)
    assert runs.done == 3 + is_counted
    assert np.array_equal(runs.tally.fixed, Tally.of([one.dag for one in networks], [1] * len(networks)).fixed)


# In files


def test_a_tally_keeps_what_both_directions_need(tmp_path: Path) -> None:
    dags = [random_dag(seed, 6, 1.2) for seed in range(5)]
    for support in ("arcs", "class"):
        tally = Tally(dags[0].variables)
        for dag in dags:
            tally.add(dag, support=support)
        tally.save(tmp_path / "t.tally", overwrite=True)
        again = Tally.load(tmp_path / "t.tally")
        assert json.loads((tmp_path / "t.tally").read_text())["version"] == 3
        assert again == tally
        assert np.array_equal(again.fixed, tally.fixed)
        assert np.array_equal(again.oriented, tally.oriented)
        assert strengths(again).arcs == strengths(tally).arcs


def test_older_tallies_are_read_and_say_nothing_of_classes(tmp_path: Path, said: Any) -> None:
    dags = resamples([DAG([*"AB"], [("A", "B")])] * 4)
    tally = Tally([*"AB"])
    for dag in dags:
        tally.add(dag)
    tally.save(tmp_path / "new.tally")
    content = json.loads((tmp_path / "new.tally").read_text())
    del content["fixed"]
    old = tmp_path / "old.tally"
    old.write_text(json.dumps(content | {"version": 1}, separators=(",", ":")))
    known = Tally.load(old)
    assert known == tally
    assert known.fixed is None
    assert [(one.direction, one.class_direction, one.free) for one in strengths(known).arcs] == [
        (1.0, None, None),
        (0.0, None, None),
    ]
    tally.merge(known)
    assert tally.fixed is None
    again = tmp_path / "again.tally"
    tally.save(again)
    assert json.loads(again.read_text())["version"] == 1
    assert "A     B       1.00       1.00  yes" in said("strength", old)
    assert "0.50 (free)" in said("strength", tmp_path / "new.tally")
    assert any("does not record which directions" in note for note in consensus(known, **CLASS).notes)
    with pytest.raises(bnfuse.OptionError, match="does not record which directions equivalence classes leave free"):
        known.by_class()


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("fixed", [[0, 1, 4]], "more inputs fix the direction of an arc than join its ends"),
        ("fixed", [[0, 2, 1]], "more inputs fix the direction of an arc than join its ends"),
        ("drawn", [[0, 1, 4]], "more inputs have an arc as given than join its ends"),
        ("fixed", 1, "fixed"),
    ],
)
def test_damaged_classes_are_named(tmp_path: Path, name: str, value: Any, problem: str) -> None:
    tally = Tally.of([DAG([*"ABC"], [("A", "B")])], [3])
    path = tmp_path / "bad.tally"
    content = {"kind": "bnfuse tally", "version": 3, "variables": [*"ABC"], **tally.content(), "weight": 5}
    path.write_text(json.dumps(content | {name: value}, separators=(",", ":")))
    with pytest.raises(bnfuse.FileError, match=problem):
        Tally.load(path)


def test_the_table_has_both_directions_and_is_read_with_that_of_the_arcs(tmp_path: Path) -> None:
    found = strengths([random_dag(seed, 6, 1.2) for seed in range(5)])
    path = tmp_path / "s.csv"
    found.write(path)
    (votes,) = bnfuse.read(path)
    assert votes == found.votes
    with path.open() as file:
        rows = {(row["from"], row["to"]): row for row in csv.DictReader(file) if row["to"]}
    for one in found.arcs:
        row = rows[one.source, one.target]
        assert float(row["direction"]) == pytest.approx(one.direction)
        assert (float(row["class_direction"]), float(row["free"])) == (one.class_direction, one.free)
    lacking = tmp_path / "p.csv"
    lacking.write_text("from,to,probability,free\nA,B,0.5,1\n")
    with pytest.raises(bnfuse.FileError):
        bnfuse.read(lacking)


# Near-ties

FORK = DAG([*"ACB"], [("B", "A"), ("B", "C")])
COLLIDER = DAG([*"ACB"], [("A", "B"), ("C", "B")])


@pytest.mark.parametrize("method", ["majority", "direct"])
@pytest.mark.parametrize("metric", ["smhd", "shd"])
def test_support_by_class_makes_no_collider_that_no_input_has(method: Any, metric: Any) -> None:
    for directions in ("any", "majority"):
        found = consensus([FORK] * 9, metric=metric, method=method, directions=directions, **CLASS)
        assert found.dag == FORK
        tally = Tally(FORK.variables)
        tally.add(FORK, 9)
        assert consensus(tally, metric=metric, method=method, directions=directions, **CLASS).dag == FORK


def test_a_near_tie_is_decided_by_the_arcs_of_the_inputs() -> None:
    found = consensus([*[FORK] * 9, COLLIDER], method="majority", **CLASS)
    assert found.dag == FORK
    assert found.outvoted == ()
    tally = found.problem.tally
    assert tally.left_open.any()
    most = consensus([*[FORK] * 4, *[COLLIDER] * 9], method="majority", **CLASS)
    assert most.dag == COLLIDER, "classes that fix a direction decide it where they are most"
    assert not most.problem.tally.left_open.any()


def test_what_decided_a_near_tie_is_saved_with_the_result(tmp_path: Path) -> None:
    graph = PDAG([*"ACB"], edges=[("A", "B"), ("C", "B")])
    for inputs in ([*[FORK] * 9, COLLIDER], [graph, FORK, FORK]):
        found = consensus(inputs, method="majority", **CLASS)
        found.save(tmp_path / "r.json", overwrite=True)
        again = Consensus.load(tmp_path / "r.json")
        assert again == found
        assert np.array_equal(again.problem.tally.oriented, found.problem.tally.oriented)
        assert np.array_equal(again.problem.tally.fixed, found.problem.tally.fixed)


# Told


def test_strength_shows_classes_for_resamples_and_arcs_for_what_people_drew(
    tmp_path: Path, said: Any, refused: Any
) -> None:
    drawn, learned = tmp_path / "drawn.json", tmp_path / "learned.tally"
    bnfuse.write([Network(FORK, name=str(i)) for i in range(3)], drawn)
    tally = Tally(FORK.variables)
    for one in resamples([FORK] * 3):
        tally.add(one)
    tally.save(learned)
    free, plain = "0.50 (free)", "1.00"
    for path, words, shown in (
        (drawn, [], plain),
        (learned, [], free),
        (drawn, ["--directions", "class"], free),
        (learned, ["--directions", "arcs"], plain),
    ):
        text = said("strength", path, *words)
        lines = [line.split(maxsplit=3) for line in text.splitlines()[1:3]]
        assert [line[:3] for line in lines] == [["B", "A", "1.00"], ["B", "C", "1.00"]]
        assert all(line[3].startswith(shown) for line in lines)
        assert ("\nfree: " in text) == (shown == free)
    assert "--directions must be one of 'class', 'arcs'" in refused("strength", drawn, "--directions", "cpdag")
    facts = json.loads(said("strength", learned, "--json"))["arcs"][0]
    assert (facts["direction"], facts["class_direction"], facts["free"]) == (1.0, 0.5, 1.0)
