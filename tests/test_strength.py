"""Strengths, directions and the estimated threshold, against the definitions written out."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bnfuse
from bnfuse import DAG, ArcVotes, FileError, MajorityOptions, OptionError, Tally, consensus, strengths
from bnfuse.problem.inputs import InputOptions
from bnfuse.problem.strength import Strengths, estimated_threshold
from bnfuse.report.drawing.plots import plot_strengths
from strategies import dag_lists, random_dag

POINTS = 400  # of the numeric integral: strengths are multiples of 1/8 and less fine, so each step is hit exactly


def shares_of(dags: list[DAG]) -> list[float]:
    """The strength of every pair, by looking at every network."""
    names = dags[0].variables
    return [
        sum((a, b) in dag.edges or (b, a) in dag.edges for dag in dags) / len(dags)
        for i, a in enumerate(names)
        for b in names[i + 1 :]
    ]


def l1(shares: list[float], constant: float) -> float:
    """The integral of |F(x) - t| over [0, 1], as a sum over the middles of many small intervals."""
    middles = [(i + 0.5) / POINTS for i in range(POINTS)]
    return math.fsum(abs(sum(share <= x for share in shares) / len(shares) - constant) for x in middles) / POINTS


@st.composite
def pair_strengths(draw: st.DrawFn) -> tuple[int, list[int], list[int]]:
    """A number of networks (whose multiples the points of the integral are), and how many have each arc both ways."""
    networks = draw(st.sampled_from([1, 2, 4, 5, 8, 10]))
    size = draw(st.integers(2, 5))
    pairs = size * (size - 1) // 2
    joined = draw(st.lists(st.integers(0, networks), min_size=pairs, max_size=pairs))
    forward = [draw(st.integers(0, both)) for both in joined]
    return networks, joined, forward


def counts_of(joined: list[int], forward: list[int]) -> np.ndarray[Any, np.dtype[np.int64]]:
    size = next(n for n in range(2, 10) if n * (n - 1) // 2 == len(joined))
    arcs = np.zeros((size, size), np.int64)
    for (a, b), both, way in zip(zip(*np.triu_indices(size, 1), strict=True), joined, forward, strict=True):
        arcs[a, b], arcs[b, a] = way, both - way
    return arcs


@given(pair_strengths())
def test_the_share_that_is_left_out_is_the_closest_constant(drawn: tuple[int, list[int], list[int]]) -> None:
    """A scan over all candidates: the distance is linear between the values of F, so the least one is among them."""
    networks, joined, forward = drawn
    tally = Tally([f"V{i}" for i in range(len(counts_of(joined, forward)))])
    tally.arcs = counts_of(joined, forward)
    tally.weight = networks
    found = Strengths(tally)
    shares = [both / networks for both in joined]
    candidates = sorted({0.0, 1.0, *(sum(other <= share for other in shares) / len(shares) for share in shares)})
    distances = {t: l1(shares, t) for t in candidates}
    least = min(distances.values())
    assert l1(shares, float(found.left_out)) == pytest.approx(least, abs=1e-9)
    closest = [t for t, distance in distances.items() if distance <= least + 1e-9]
    assert float(found.left_out) == pytest.approx((closest[0] + closest[-1]) / 2)
    assert found.left_out == 0 or any(share == pytest.approx(found.threshold) for share in shares), (
        "the threshold is a strength"
    )
    below = sum(share < found.threshold - 1e-12 for share in shares) / len(shares)
    up_to = sum(share <= found.threshold + 1e-12 for share in shares) / len(shares)
    assert below <= float(found.left_out) <= up_to + 1e-12


def test_a_worked_example() -> None:
    """Ten pairs: six of strength 0, one of 0.2, one of 0.8, two of 1.

    F is 0.6 up to 0.2, 0.7 up to 0.8, 0.8 up to 1: 0.7 is its median, and the strength at which F reaches it is 0.2.
    """
    arcs = counts_of([0, 0, 0, 0, 0, 0, 1, 4, 5, 5], [0] * 10)
    assert estimated_threshold(arcs, np.full((5, 5), 5)) == Fraction(1, 5)


def test_where_an_interval_is_equally_close_its_middle_is_taken() -> None:
    """Half of [0, 1] has F = 1/3, half F = 2/3: anything between is as good; the strength that reaches 1/2 is 0.5."""
    arcs = counts_of([0, 1, 2], [0, 0, 0])
    assert estimated_threshold(arcs, np.full((3, 3), 2)) == Fraction(1, 2)


def test_networks_that_are_sure_keep_all_that_they_have() -> None:
    dag = random_dag(3, 8, 1.5)
    found = strengths([dag] * 4)
    assert found.threshold == 0
    assert {(row.source, row.target) for row in found.included} == set(dag.edges)


def test_where_no_pair_is_to_be_left_out_none_is() -> None:
    """All pairs are joined by all networks, or by most: the closest constant is 0."""
    full = [DAG([*"abc"], [("a", "b"), ("a", "c"), ("b", "c")])] * 3
    assert strengths(full).threshold == 0
    assert len(strengths(full).included) == 3
    lacking = [*full, DAG([*"abc"], [("a", "b"), ("a", "c")])]
    assert len(strengths(lacking).included) == 3


@given(dag_lists(2, 6))
def test_strengths_and_directions_are_shares_of_networks(dags: list[DAG]) -> None:
    found = {(row.source, row.target): row for row in strengths(dags).arcs}
    names = dags[0].variables
    for a in names:
        for b in names:
            forward, back = (sum(arc in dag.edges for dag in dags) for arc in ((a, b), (b, a)))
            if forward + back == 0:
                assert (a, b) not in found
            else:
                assert found[a, b].strength == (forward + back) / len(dags)
                assert found[a, b].direction == forward / (forward + back)
    order = [row.strength for row in strengths(dags).arcs]
    assert order == sorted(order, reverse=True)


@given(dag_lists(2, 6))
def test_networks_tallies_and_votes_say_the_same(dags: list[DAG]) -> None:
    by_networks = strengths(dags)
    tally = Tally.of(dags, [1] * len(dags))
    votes = by_networks.votes
    assert votes.networks == len(dags)
    assert strengths(tally).arcs == by_networks.arcs
    for other in (strengths(tally), strengths([votes])):  # votes name no classes
        assert [row.facts["direction"] for row in other.arcs] == [row.direction for row in by_networks.arcs]
        assert [(row.source, row.target, row.strength) for row in other.arcs] == [
            (row.source, row.target, row.strength) for row in by_networks.arcs
        ]
        assert other.exact_threshold == by_networks.exact_threshold
    assert sorted(votes.strengths()) == sorted(
        (row.source, row.target, row.strength, row.direction) for row in by_networks.arcs
    )


def test_weights_count_as_copies() -> None:
    dags = [random_dag(i, 6, 1.2) for i in range(3)]
    assert strengths(dags, [2, 1, 3]).arcs == strengths([dags[i] for i in (0, 0, 1, 2, 2, 2)]).arcs


def test_weights_that_are_no_whole_numbers() -> None:
    dags = [DAG([*"ab"], [("a", "b")]), DAG([*"ab"], [("b", "a")]), DAG([*"ab"])]
    found = strengths(dags, [0.1, 1 / 3, 3.14])
    total = 0.1 + 1 / 3 + 3.14
    assert found.arcs[0].strength == pytest.approx((0.1 + 1 / 3) / total, rel=1e-5)
    assert found.votes.networks == round(total)
    assert found.votes.probabilities[0, 1] == pytest.approx(0.1 / total, abs=1e-5)


def test_a_pair_that_few_inputs_have_is_judged_by_these() -> None:
    dags = [DAG([*"abc"], [("a", "b")]), DAG([*"ab"], [("a", "b")]), DAG([*"bc"], [("b", "c")])]
    found = {(row.source, row.target): row.strength for row in strengths(dags, options=InputOptions("union")).arcs}
    assert found["a", "b"] == 1
    assert found["b", "c"] == 0.5
    votes = strengths(dags, options=InputOptions("union")).votes
    assert votes.probabilities[0, 1] == 1


@given(dag_lists(2, 6))
def test_the_table_reads_back_as_the_same_votes(tmp_path_factory: pytest.TempPathFactory, dags: list[DAG]) -> None:
    path = tmp_path_factory.mktemp("strength") / "s.csv.gz"
    found = strengths(dags)
    found.write(path)
    (again,) = bnfuse.read(path)
    assert isinstance(again, ArcVotes)
    assert again == found.votes


def test_other_files_are_not_replaced(tmp_path: Path) -> None:
    found = strengths([random_dag(1, 5)])
    with pytest.raises(FileError, match=r"strengths are written to a file that ends in \.csv"):
        found.write(tmp_path / "s.txt")
    (tmp_path / "s.csv").write_text("my notes\n")
    with pytest.raises(FileError, match="overwrite=True"):
        found.write(tmp_path / "s.csv")
    found.write(tmp_path / "s.csv", overwrite=True)
    with pytest.raises(FileError, match="not valid Unicode"):
        strengths([DAG(["a", "\ud800"], [("a", "\ud800")])]).write(tmp_path / "t.csv")


# The majority vote with it


@given(dag_lists(2, 6, min_dags=2))
def test_the_vote_takes_the_pairs_that_count(dags: list[DAG]) -> None:
    found = strengths(dags)
    result = consensus(dags, 6, method="majority")
    offered = {frozenset((row.source, row.target)): row for row in reversed(found.included)}  # of both ways the first
    kept = {frozenset(arc) for arc in result.dag.edges}
    assert kept <= offered.keys()
    for row in (offered[pair] for pair in offered.keys() - kept):
        with pytest.raises(bnfuse.BnfuseError, match="cycle"):
            DAG(result.dag.variables, [*result.dag.edges, (row.source, row.target)])


@pytest.mark.parametrize("value", [1, -0.1, "estimated", True, None])
def test_a_threshold_is_a_share(value: Any) -> None:
    with pytest.raises(OptionError, match="below 1; got"):
        MajorityOptions(value)


def test_the_plot_is_a_picture(tmp_path: Path) -> None:
    found = strengths([random_dag(i, 8, 1.3) for i in range(5)])
    plot_strengths(found, tmp_path / "s.svg")
    text = (tmp_path / "s.svg").read_text()
    assert text.startswith("<?xml")
    plot_strengths(found, tmp_path / "t.svg")
    assert (tmp_path / "t.svg").read_text() == text
    with pytest.raises(OptionError, match="no pairs"):
        plot_strengths(strengths([DAG([*"a"])]), tmp_path / "u.svg")
