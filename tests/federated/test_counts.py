"""Votes and counts as vectors: what sums of them mean, and sums that no honest sites can have."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from federation import agreement_of, roster_of
from hypothesis import given, settings
from hypothesis import strategies as st

import bnfuse
from bnfuse.errors import FederationError
from bnfuse.federated.agreement.settings import Agreement, Settings
from bnfuse.federated.agreement.vocabulary import Vocabulary
from bnfuse.federated.sums import counts
from bnfuse.fusion.distances import shd, smhd
from bnfuse.problem.input_votes import SOFT_PARTS
from strategies import dag_lists


def agreed(variables, **given):
    return Agreement(
        Settings(**{"tables": "none", **given}), Vocabulary(dict.fromkeys(variables, ())), roster_of("abcde")
    )


@settings(max_examples=30)
@given(dag_lists(min_size=2, min_dags=3, max_dags=6))
def test_one_network_a_site_gives_the_tally_of_all_networks(dags):
    agreement = agreed(dags[0].variables)
    total = sum(counts.votes_of(bnfuse.Tally.of([dag], [1]), agreement) for dag in dags)
    assert counts.tally_from(total, agreement, len(dags)) == bnfuse.Tally.of(dags, [1] * len(dags))


@settings(max_examples=30)
@given(st.lists(dag_lists(min_size=3, max_size=3, max_dags=4), min_size=3, max_size=4))
def test_several_networks_share_the_vote_of_their_site(sites):
    names = ["V0", "V1", "V2"]
    agreement = agreed(names)
    tallies = [bnfuse.Tally.of([dag.over(names) for dag in dags], [1] * len(dags)) for dags in sites]
    merged = counts.tally_from(sum(counts.votes_of(one, agreement) for one in tallies), agreement, len(sites))
    for a in range(3):
        for b in range(3):
            exact = sum(Fraction(int(one.arcs[a, b]), one.weight) for one in tallies)
            assert Fraction(int(merged.arcs[a, b]), merged.parts) == exact
            exact = sum(Fraction(int(one.moral[a, b]), one.weight) for one in tallies)
            assert Fraction(int(merged.moral[a, b]), merged.parts) == exact


@given(dag_lists(min_size=2, min_dags=2, max_dags=5), st.integers(0, 4))
def test_distances_to_a_tally_are_those_to_its_networks(dags, chosen):
    dag = dags[chosen % len(dags)]
    tally = bnfuse.Tally.of(dags, [1] * len(dags))
    assert counts.mean_distance(tally, dag, "smhd") == pytest.approx(np.mean([smhd(dag, one) for one in dags]))
    assert counts.mean_distance(tally, dag, "shd") == pytest.approx(np.mean([shd(dag, one) for one in dags]))


@given(dag_lists(min_size=2, max_size=7, min_dags=1, max_dags=5), st.integers(1, 12))
def test_with_noise_a_site_changes_the_votes_by_no_more_than_its_edges_may(dags, most):
    agreement = agreed(dags[0].variables, epsilon=1.0, most_edges=most)
    votes = counts.votes_of(bnfuse.Tally.of(dags, [1] * len(dags)), agreement)
    assert votes[0] == 1
    assert (votes >= 0).all()
    assert votes[1:].sum() <= most == counts.votes_sensitivity(agreement)


@given(st.lists(st.integers(-40, 40), min_size=9, max_size=9))
def test_noise_of_any_size_leaves_a_tally(values):
    agreement = agreed(["A", "B", "C"], epsilon=1.0, most_edges=3)
    tally = counts.tally_from(np.array([5, *values], np.int64), agreement, 5)
    assert tally.weight == 5
    assert (tally.moral >= tally.arcs + tally.arcs.T).all()


def test_an_edge_needs_all_votes_of_the_margin_that_noise_asks_for():
    """By Bayes' rule: twice as many pairs are joined nowhere as everywhere, and noise is that of three counts."""
    agreement = agreed("ABCD", epsilon=2.0, most_edges=2)
    fall = math.exp(-2.0 / 2)
    each = sum(k * k * fall ** abs(k) for k in range(-200, 201)) * (1 - fall) / (1 + fall)
    margin = math.log(2) * 3 * (5 / 3) * each / 5
    assert 1 < margin < 1.5
    vector = np.zeros(1 + 12 + 6, np.int64)
    vector[0] = 5
    for votes, believed in ((1, 0), (2, 0), (3, 1), (5, 3)):
        vector[1] = votes
        assert counts.tally_from(vector, agreement, 5).moral[0, 1] == believed


A_TO_B = bnfuse.DAG(["A", "B", "C"], [("A", "B")])


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        (0, 10**6 * SOFT_PARTS, r"3 sites sent 1e\+06 votes, and have 3"),
        (0, -1, "votes, and have 3"),
        (1, 10**6 * SOFT_PARTS, r"A and B have 1e\+06 votes of 3"),
        (1, -1, "A and B have"),
        (7, 2 * SOFT_PARTS, "A and B have 5 votes of 3"),
    ],
)
def test_a_sum_that_no_honest_sites_can_have_is_refused(place, value, said):
    agreement = agreed(["A", "B", "C"])
    total = sum(counts.votes_of(bnfuse.Tally.of([A_TO_B], [1]), agreement) for _ in range(3))
    total[place] = value
    with pytest.raises(FederationError, match=said) as refused:
        counts.tally_from(total, agreement, 3)
    assert "the sum does not show which; nothing was stored" in str(refused.value)


def test_counts_of_families_that_no_honest_sites_can_have_are_refused():
    network = bnfuse.Network(A_TO_B, dict.fromkeys("ABC", ("yes", "no")))
    families = counts.Families(A_TO_B, agreement_of(network))
    good = families.vector(3, [np.array([1, 2]), np.array([[1, 0], [1, 1]]), np.array([3, 0])], 2)
    total, tables, bins = families.apart(good, 1)
    assert (total, [table.tolist() for table in tables]) == (3, [[1, 2], [[1, 0], [1, 1]], [3, 0]])
    assert bins[2] == sum(bins) == 1
    for place, value, said in ((1, 7, "the counts for 'A'"), (3, -1, "the counts for 'B'"), (-1, 1, "2 distances")):
        wrong = good.copy()
        wrong[place] = value
        with pytest.raises(FederationError, match=said):
            families.apart(wrong, 1)


def test_one_site_stands_apart_without_being_named():
    assert counts.bin_of(5.0, 5.0) == 4
    assert counts.bin_of(500.0, 5.0) == counts.BINS - 1
    bins = [0] * counts.BINS
    bins[3], bins[9] = 4, 1
    assert "of 5 sites, one of them stands apart" in counts.histogram_text(bins, 5.0)
    bins[9] = 0
    assert "none of 4 sites" in counts.histogram_text(bins, 5.0)
