"""Inputs that are equivalence classes, and support that counts classes: the same moral graphs, half votes."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from bnfuse import DAG, PDAG, Consensus, GraphError, OptionError, Tally, consensus
from bnfuse.graphs.equivalence import reversible_arcs
from brute_force import all_dags, small_problems
from strategies import random_dag, weighted_dag_lists

Weighted = tuple[list[DAG], list[int]]


def another_member(dag: DAG, seed: object) -> DAG:
    """A network of the same Markov equivalence class: arcs between two with the same other parents, turned round."""
    rng = random.Random(f"member {seed}")
    graph = oracles.graph_of(dag)
    for _ in range(3 * len(dag.edges)):
        covered = [
            (a, b) for a, b in sorted(graph.edges) if set(graph.predecessors(a)) == set(graph.predecessors(b)) - {a}
        ]
        if not covered:
            break
        a, b = rng.choice(covered)
        graph.remove_edge(a, b)
        graph.add_edge(b, a)
    return DAG(dag.variables, graph.edges)


def half_votes(dag: DAG) -> dict[tuple[str, str], Fraction]:
    """What a class says of each arc: all of one vote, or half of it where members differ, by brute force."""
    free = oracles.reversible_arcs(oracles.graph_of(dag))
    votes = {arc: Fraction(1) for arc in dag.edges}
    for a, b in free:
        votes[a, b] = votes[b, a] = Fraction(1, 2)
    return votes


# In the place of networks


@settings(max_examples=60)
@given(weighted_dag_lists(), st.integers(2, 4))
def test_classes_have_the_distance_the_bound_and_the_optimum_of_their_members(inputs: Weighted, limit: int) -> None:
    """Without a rule on directions: classes say less about these than their members do."""
    dags, weights = inputs
    members_and_classes = (dags, [PDAG.of_class(dag) for dag in dags])
    plain, classes = (
        consensus(some, limit, weights=weights, directions="any", effort="quick") for some in members_and_classes
    )
    assert classes.distance == plain.distance
    assert classes.lower_bound == plain.lower_bound
    assert classes.distances == tuple(
        oracles.smhd(oracles.graph_of(classes.dag), oracles.graph_of(dag)) for dag in dags
    )


@settings(max_examples=60)
@given(weighted_dag_lists(), st.integers(2, 4), st.integers(0, 10**6), st.sampled_from(["smhd", "shd"]))
def test_an_equivalent_network_changes_neither_distance_nor_support_by_class(
    inputs: Weighted, limit: int, seed: int, metric: str
) -> None:
    dags, weights = inputs
    others = [another_member(dag, (seed, i)) for i, dag in enumerate(dags)]
    first, second = (
        consensus(some, limit, metric, weights=weights, support="class", effort="quick") for some in (dags, others)
    )
    assert first.problem.tally == second.problem.tally  # all that support by class is
    assert first.distance == second.distance
    assert first.lower_bound == second.lower_bound


def test_members_are_equivalent_and_not_all_the_same() -> None:
    changed = 0
    for seed in range(50):
        dag = random_dag(seed, 6, 1.4)
        other = another_member(dag, seed)
        assert PDAG.of_class(dag) == PDAG.of_class(other)
        changed += dag != other
    assert changed > 25


@settings(max_examples=60)
@given(weighted_dag_lists(max_size=5), st.booleans())
def test_an_edge_without_a_direction_gives_half_a_vote_to_each_side(inputs: Weighted, as_classes: bool) -> None:
    dags, weights = inputs
    given_ = [PDAG.of_class(dag) for dag in dags] if as_classes else dags
    tally = consensus(given_, 3, weights=weights, support="arcs" if as_classes else "class").problem.tally
    votes = [half_votes(dag) for dag in dags]
    names = dags[0].variables
    total = Fraction(sum(weights))
    for a, source in enumerate(names):
        for b, target in enumerate(names):
            expected = sum(w * own.get((source, target), 0) for own, w in zip(votes, weights, strict=True)) / total
            assert Fraction(int(tally.arcs[a, b]), tally.weight) == expected


@pytest.mark.parametrize(("size", "count"), [(3, 40), (4, 20), pytest.param(5, 6, marks=pytest.mark.long)])
def test_by_shd_the_best_of_all_networks_is_found(size: int, count: int) -> None:
    known = all_dags(size)
    place = {arc: i for i, arc in enumerate(known.arcs)}
    for number, (dags, weights) in enumerate(small_problems(size, count, 3)):
        names = dags[0].variables
        votes = [half_votes(dag) for dag in dags]
        summed = np.zeros(len(known.clique))
        for (a, b), own, weight in (
            (pair, own, w) for pair in combinations(range(size), 2) for own, w in zip(votes, weights, strict=True)
        ):
            forth, back = (float(own.get(arc, 0)) for arc in ((names[a], names[b]), (names[b], names[a])))
            with_forth, with_back = known.has_arc[:, place[a, b]], known.has_arc[:, place[b, a]]
            apart = 1 - with_forth - with_back
            summed += weight * (apart * (forth + back) + with_forth * (1 - forth) + with_back * (1 - back))
        for limit in range(2, size + 1):
            classes = [PDAG.of_class(dag) for dag in dags]
            result = consensus(classes, limit, "shd", weights=weights, effort="quick", directions="any")
            least = summed[known.clique <= limit].min() / sum(weights)
            assert result.distance == pytest.approx(least), (number, limit)
            assert result.lower_bound is not None
            assert result.lower_bound <= least + 1e-9
            assert np.dot(result.distances, weights) / sum(weights) == pytest.approx(result.distance)


# What is known of a result


def test_a_saved_result_keeps_what_has_no_direction(tmp_path: Path) -> None:
    graphs = [PDAG.of_class(random_dag(seed, 8, 1.3)) for seed in range(5)]
    for metric in ("smhd", "shd"):
        result = consensus(graphs, 3, metric, effort="quick")
        result.save(tmp_path / "saved.json", overwrite=True)
        loaded = Consensus.load(tmp_path / "saved.json")
        assert loaded == result
        assert loaded.distances == result.distances
        assert loaded.support() == result.support()


def test_both_ways_of_an_edge_are_supported() -> None:
    graphs = [PDAG(["A", "B"], edges=[("A", "B")]), DAG(["A", "B"], [("B", "A")])]
    (arc,) = consensus(graphs).support()
    assert arc.arc == ("B", "A")
    assert arc.share == 0.75
    assert arc.reversed_share == 0.25
    assert arc.inputs == ("1", "2")
    assert arc.reversed_inputs == ("1",)


def test_fsim_takes_a_member_and_says_so() -> None:
    graphs = [PDAG.of_class(random_dag(seed, 6, 1.2)) for seed in range(3)]
    found = consensus(graphs, 3, "fsim", effort="quick")
    assert any("one member of each equivalence class was used" in note for note in found.notes)
    assert found.distance == consensus([one.extension for one in graphs], 3, "fsim", effort="quick").distance


def test_what_measures_shd_to_networks_refuses_classes() -> None:
    graphs = [PDAG(["A", "B"], edges=[("A", "B")])]
    for method in ("greedy", "genetic"):
        with pytest.raises(OptionError, match=f"the {method} search measures shd to networks"):
            consensus(graphs, 3, "shd", method)
        assert consensus(graphs, 3, "smhd", method).distance == 0


def test_a_graph_for_which_no_network_stands_is_refused() -> None:
    square = PDAG(list("ABCD"), edges=[("A", "B"), ("B", "C"), ("C", "D"), ("D", "A")])
    with pytest.raises(GraphError, match="no DAG represents it"):
        consensus([square])


@pytest.mark.parametrize("graph", [nx.DiGraph([("A", "B", {"type": "---"})]), PDAG(list("AB"), edges=[("A", "B")])])
def test_tallies_count_classes_too(graph: Any) -> None:
    tally = Tally(["A", "B"])
    tally.add(DAG(["A", "B"], [("A", "B")]), 3)
    tally.add(graph)
    assert tally.parts == 2
    assert tally.weight == 8
    assert tally.arcs.tolist() == [[0, 7], [1, 0]]
    assert tally.moral.tolist() == [[0, 8], [8, 0]]
    by_class = Tally(["A", "B"])
    by_class.add(DAG(["A", "B"], [("A", "B")]), 2, support="class")
    assert by_class.arcs.tolist() == [[0, 2], [2, 0]]
    tally.merge(by_class)
    assert tally.weight == 12


def test_parts_survive_their_file(tmp_path: Path) -> None:
    tally = Tally(["A", "B"])
    tally.add(PDAG(list("AB"), edges=[("A", "B")]))
    tally.save(tmp_path / "half.tally")
    assert Tally.load(tmp_path / "half.tally") == tally


def test_the_support_of_a_class_is_that_of_its_reversible_arcs() -> None:
    dag = random_dag(3, 9, 1.5)
    (graph,) = consensus([dag], 9, support="class").problem.inputs.directed
    assert graph is not None
    assert {frozenset(edge) for edge in graph.edges} == {frozenset(arc) for arc in reversible_arcs(dag)}
