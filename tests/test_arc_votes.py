"""Votes for arcs: kept exactly, checked, and what they say of moral graphs, against enumeration."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bnfuse
from bnfuse import ArcVotes, BnfuseError, GraphError, MismatchError, OptionError
from soft_graphs import votes

Arcs = list[tuple[int, int]]


def worlds(opinion: ArcVotes) -> Iterator[tuple[Fraction, Arcs]]:
    """Every graph that can be drawn pair by pair, with its probability; cycles too."""
    counts, total = opinion.counts, opinion.total
    pairs = list(combinations(range(len(counts)), 2))
    for states in product(range(3), repeat=len(pairs)):
        chance, arcs = Fraction(1), []
        for (i, j), state in zip(pairs, states, strict=True):
            forward, backward = int(counts[i, j]), int(counts[j, i])
            chance *= Fraction((total - forward - backward, forward, backward)[state], total)
            arcs += [[], [(i, j)], [(j, i)]][state]
        if chance:
            yield chance, arcs


def moral_pairs(arcs: Arcs) -> set[tuple[int, int]]:
    """Also of a graph with a cycle."""
    found = {(min(arc), max(arc)) for arc in arcs}
    for (a, child), (b, other) in combinations(arcs, 2):
        if child == other:
            found.add((min(a, b), max(a, b)))
    return found


@given(votes())
def test_moral_probabilities_are_those_of_independent_arcs(opinion: ArcVotes) -> None:
    found = opinion.moral_probabilities()
    expected = [[Fraction(0)] * len(found) for _ in found]
    for chance, arcs in worlds(opinion):
        for i, j in moral_pairs(arcs):
            expected[i][j] += chance
            expected[j][i] += chance
    for i, j in product(range(len(found)), repeat=2):
        assert found[i, j] == pytest.approx(float(expected[i][j]), abs=1e-12)
        if expected[i][j] in (0, 1):
            assert found[i, j] == expected[i][j]  # exactly
    assert (found == found.T).all()


def test_moral_probabilities_of_a_certain_dag_are_its_moral_graph() -> None:
    opinion = ArcVotes.from_arcs(list("ABCD"), [("A", "C"), ("B", "C"), ("C", "D")])
    assert opinion.moral_probabilities().tolist() == [[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 1], [0, 0, 1, 0]]


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in (1, 2, 3))])
def test_sampled_moral_graphs_are_those_of_acyclic_draws(seed: int) -> None:
    random = np.random.default_rng(seed)
    counts = random.integers(0, 5, (4, 4))
    np.fill_diagonal(counts, 0)
    opinion = ArcVotes.from_count_matrix(list("ABCD"), counts, 10)
    expected = np.zeros((4, 4))
    whole = 0.0
    for chance, arcs in worlds(opinion):
        if nx.is_directed_acyclic_graph(nx.DiGraph(arcs)):
            whole += float(chance)
            for i, j in moral_pairs(arcs):
                expected[i, j] += float(chance)
    found = opinion.sampled_moral(20_000, seed)
    assert found.dtype == np.int64
    assert (found == found.T).all()
    assert np.abs(np.triu(found / 20_000, 1) - expected / whole).max() < 0.02  # 5 standard deviations


def test_samples_depend_on_the_seed_alone() -> None:
    opinion = ArcVotes(list("ABC"), [[0, 0.5, 0.3], [0.2, 0, 0.5], [0.4, 0.1, 0]])
    first = opinion.sampled_moral(200, seed=3)
    assert (first == opinion.sampled_moral(200, seed=3)).all()
    assert (first != opinion.sampled_moral(200, seed=4)).any()


def test_of_a_cycle_that_is_always_there_the_weakest_arc_is_left_out() -> None:
    names = list("ABCD")
    opinion = ArcVotes(names, [[0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 0], [0, 0, 0, 0]])
    expected = np.zeros((4, 4), int)  # A -> B is left out, the first of three that have all votes: B -> C -> A
    for i, j in [(1, 2), (2, 0)]:
        expected[i, j] = expected[j, i] = 50
    assert (opinion.sampled_moral(50) == expected).all()


def test_of_a_cycle_that_may_be_drawn_the_weakest_arc_is_never_there() -> None:
    """A draw without a cycle lacks it, and if 20 draws have one it is left out."""
    votes = {("A", "B"): 10, ("B", "C"): 9, ("C", "A"): 10}
    found = ArcVotes.from_counts(votes, of=10).sampled_moral(300)
    assert found.tolist() == [[0, 300, 300], [300, 0, 0], [300, 0, 0]]


def test_votes_of_one_dag_are_sampled_as_its_moral_graph() -> None:
    opinion = ArcVotes.from_arcs(None, [("A", "C"), ("B", "C")])
    assert opinion.sampled_moral(10).tolist() == [[0, 10, 10], [10, 0, 10], [10, 10, 0]]


def test_a_pandas_matrix_goes_by_its_names() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([[0.25, 0], [0, 0.5]], index=["B", "A"], columns=["A", "B"])
    assert ArcVotes(["A", "B"], frame).probabilities.tolist() == [[0, 0.5], [0.25, 0]]
    with pytest.raises(GraphError, match="must have the names of the variables"):
        ArcVotes(["A", "C"], frame)


# Kept as whole numbers


@pytest.mark.parametrize(
    ("share", "networks", "total"),
    [
        (0.5, 1, 2),
        (0.5, 200, 200),
        (1 / 3, 200, 3),
        (0.333333333333333, 1, 3),  # as R prints it
        (0.37, 1, 100),
        (0.0045, 1, 2000),
        (0.1234, 10_000, 10_000),
        (0.12345, 1, 10**6),
        (0, 1, 1),
        (1, 1, 1),
        (0.333, 1, 1000),
        (np.pi / 10, 1, 10**6),
    ],
)
def test_probabilities_are_shares_of_as_few_votes_as_possible(share: float, networks: int, total: int) -> None:
    opinion = ArcVotes(["A", "B"], [[0, share], [0, 0]], networks)
    assert opinion.total == total
    assert opinion.counts[0, 1] == round(share * total)
    assert opinion.networks == networks
    assert opinion.probabilities[0, 1] == pytest.approx(share, abs=1e-6)


@given(votes())
def test_whole_numbers_come_back_from_their_probabilities(opinion: ArcVotes) -> None:
    again = ArcVotes(opinion.variables, opinion.probabilities, opinion.networks)
    assert again == opinion
    assert (again.counts + again.counts.T <= again.total).all()


@given(st.lists(st.floats(0, 1), min_size=3, max_size=3))
def test_rounding_never_gives_more_votes_than_there_are(shares: list[float]) -> None:
    a, b, c = shares
    opinion = ArcVotes(list("ABC"), [[0, a, c], [1 - a + 4e-7, 0, b], [1 - c, 1 - b, 0]])
    assert (opinion.counts + opinion.counts.T <= opinion.total).all()
    assert (opinion.counts >= 0).all()


@given(votes())
def test_strengths_there_and_back(opinion: ArcVotes) -> None:
    again = ArcVotes.from_strengths(opinion.strengths(), opinion.networks, opinion.variables)
    assert again == opinion


def test_strengths_as_r_defines_them() -> None:
    """Of four networks: A -> B in two, B -> A in one; B -> C in one. By hand."""
    rows = [
        ("A", "B", 0.75, 2 / 3),
        ("B", "A", 0.75, 1 / 3),
        ("A", "C", 0, 0),
        ("C", "A", 0, 0),
        ("B", "C", 0.25, 1),
        ("C", "B", 0.25, 0),
    ]
    opinion = ArcVotes.from_strengths(rows, networks=4)
    assert opinion == ArcVotes.from_counts({("A", "B"): 2, ("B", "A"): 1, ("B", "C"): 1}, of=4)
    assert sorted(opinion.strengths()) == sorted(row for row in rows if row[2])


def test_rounded_strengths_are_put_right() -> None:
    opinion = ArcVotes.from_strengths([("A", "B", 1, 0.13), ("B", "A", 1, 0.88)])
    assert opinion.probabilities.sum() == pytest.approx(1)
    assert opinion.probabilities[0, 1] == pytest.approx(0.13 / 1.01, abs=1e-6)


@pytest.mark.parametrize(
    ("rows", "problem", "row"),
    [
        ([("A", "B", 0.8, 0.5), ("B", "A", 0.7, 0.5)], "A -> B has strength 0.8 and B -> A has 0.7", 1),
        ([("A", "B", 0.8, 0.5), ("B", "A", 0.8, 0.4)], r"the directions of A -> B \(0.5\) and B -> A \(0.4\) must", 1),
        ([("A", "B", 0.8, 0), ("B", "A", 0.8, 0)], "must add up to 1", 1),
        ([("A", "B", 0.8, 0.5), ("A", "B", 0.8, 0.5)], "A -> B has two rows", 1),
        ([("A", "B", 1.2, 0.5)], "the strength of A -> B must be from 0 to 1, got 1.2", 0),
        ([("A", "B", 0.2, float("nan"))], "the direction of A -> B must be from 0 to 1, got nan", 0),
        ([("A", "B", 0.2, "x")], "the direction of A -> B must be from 0 to 1, got 'x'", 0),
        ([("A", "A", 0.2, 0.5)], "A -> A: a variable cannot be its own parent", 0),
        ([("A", "B", 0.2)], r"must be \(from, to, strength, direction\)", 0),
        ("AB", "strengths must be a list of rows", None),
    ],
)
def test_strengths_that_contradict_are_refused(rows: Any, problem: str, row: int | None) -> None:
    with pytest.raises(GraphError, match=problem) as caught:
        ArcVotes.from_strengths(rows)
    assert getattr(caught.value, "row", None) == row


@pytest.mark.parametrize(
    ("matrix", "problem"),
    [
        ([[0, 1.5], [0, 0]], "the probability of A -> B must be from 0 to 1, got 1.5"),
        ([[0, 0], [-0.1, 0]], "the probability of B -> A must be from 0 to 1, got -0.1"),
        ([[0, float("nan")], [0, 0]], "the probability of A -> B must be from 0 to 1, got nan"),
        ([[0, 0], [0, 0.5]], "B -> B has votes: a variable cannot be its own parent"),
        ([[0, 0.7], [0.4, 0]], r"A -> B \(0.7\) and B -> A \(0.4\) add up to more than 1"),
        ([[0, 1]], "must be square, got shape"),
        ([[0, 1], [1]], "must be square, got rows of different lengths"),
        ([[0]], "2 variables for a matrix of votes of 1 rows"),
        ([["a", "b"], ["c", "d"]], "probabilities must be numbers"),
    ],
)
def test_what_cannot_be_probabilities_is_refused(matrix: Any, problem: str) -> None:
    with pytest.raises(GraphError, match=problem):
        ArcVotes(["A", "B"], matrix)


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda: ArcVotes(["A", "A"], [[0, 0], [0, 0]]), "variable 'A' is listed twice"),
        (lambda: ArcVotes(["A"], [[0]], networks=0), "networks must be a whole number of at least 1; got 0"),
        (lambda: ArcVotes.from_counts({("A", "B"): 3}, of=2), "A -> B has 3 votes of 2"),
        (
            lambda: ArcVotes.from_counts({("A", "B"): -1}, of=2),
            "the count of A -> B must be a whole number of at least",
        ),
        (lambda: ArcVotes.from_counts({("A", "B"): 0.5}, of=2), "the count of A -> B must be a whole number"),  # type: ignore[dict-item]
        (lambda: ArcVotes.from_counts({("A", "B"): 1}, of=10**10), "of must be at most 1,000,000,000; got 10000000000"),
        (lambda: ArcVotes.from_counts([("A", "B")], of=2), "counts must be a number for each arc, got list"),  # type: ignore[arg-type]
        (lambda: ArcVotes.from_counts({("A", "B"): 2, ("B", "A"): 1}, of=2), "add up to more than 1"),
        (lambda: ArcVotes.from_counts({("A", "A"): 1}, of=2), "A -> A: a variable cannot be its own parent"),
        (lambda: ArcVotes.from_counts({"AB": 1}, of=2, variables=["A"]), "an arc must be a pair of names"),  # type: ignore[dict-item]
        (lambda: ArcVotes.from_counts({("A", "B"): 1}, of=2, variables=["A"]), "arc A -> B: unknown variable 'B'"),
        (
            lambda: ArcVotes.from_count_matrix(["A", "B"], [[0, 10**9], [1, 0]], 10**9),
            r"\(1e-09\) add up to more than 1",
        ),
        (lambda: ArcVotes(["A"], [[0]], networks=10**30), "networks must be at most 1,000,000,000; got 1000"),
        (lambda: ArcVotes.from_count_matrix(["A"], [[0.0]], 1), "counts must be whole numbers"),
        (lambda: ArcVotes.from_arcs(None, []), "a network needs at least one variable"),
        (lambda: ArcVotes(["A"], [[0]]).sampled_moral(0), "samples must be a whole number of at least 1"),
    ],
)
def test_what_cannot_be_votes_is_refused(make: Any, problem: str) -> None:
    with pytest.raises((GraphError, OptionError), match=problem):
        make()


def test_arcs_both_ways_share_a_vote() -> None:
    arcs = [("A", "B"), ("B", "C"), ["C", "B"], ("A", "B")]
    opinion = ArcVotes.from_arcs(["C", "B", "A"], arcs)  # type: ignore[arg-type]
    assert (opinion.total, opinion.networks) == (2, 1)
    assert opinion.probabilities.tolist() == [[0, 0.5, 0], [0.5, 0, 0], [0, 1, 0]]


@given(votes(), st.randoms())
def test_another_order_changes_nothing(opinion: ArcVotes, random: Any) -> None:
    order = list(opinion.variables)
    random.shuffle(order)
    again = opinion.renamed("x").reordered(order)
    assert again.variables == tuple(order)
    assert (again, hash(again), again.name) == (opinion, hash(opinion), "x")
    place = [opinion.variables.index(name) for name in order]
    assert (again.probabilities == opinion.probabilities[np.ix_(place, place)]).all()


def test_identity() -> None:
    opinion = ArcVotes(["A", "B"], [[0, 0.5], [0.25, 0]], networks=4, name="boot")
    assert opinion == ArcVotes.from_count_matrix(["A", "B"], [[0, 4], [2, 0]], 8, networks=4)
    assert opinion != ArcVotes(["A", "B"], [[0, 0.5], [0.25, 0]])
    assert opinion != ArcVotes(["A", "C"], [[0, 0.5], [0.25, 0]], 4)
    assert repr(opinion) == "<ArcVotes: 2 variables, 2 arcs with votes, 4 networks>"
    again = pickle.loads(pickle.dumps(opinion))
    assert (again, again.name, again.total, again.networks) == (opinion, "boot", 4, 4)
    with pytest.raises(ValueError, match="read-only"):
        opinion.counts[0, 1] = 3
    with pytest.raises(ValueError, match="read-only"):
        opinion.probabilities[0, 1] = 3
    with pytest.raises(AttributeError, match="a ArcVotes cannot be changed"):
        opinion.name = "z"  # type: ignore[misc]
    with pytest.raises(MismatchError, match="it lacks 'B'"):
        opinion.reordered(["A"])


def test_where_a_dag_is_needed_votes_are_refused() -> None:
    with pytest.raises(BnfuseError, match="ArcVotes has votes for arcs, and is not one graph; expected a DAG"):
        bnfuse.fuse([ArcVotes(["A", "B"], [[0, 0.5], [0, 0]])])
