"""The words that messages share."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bnfuse._base.texts import (
    count,
    gap_percent,
    gap_text,
    isolated,
    listed,
    percent,
    relative_gap,
    shown_distance,
    shown_fraction,
    shown_number,
    shown_probability,
    shown_weight,
)
from bnfuse.problem.inputs import distinct
from right_to_left import ISOLATED, marked


@given(st.lists(st.text(st.characters(categories=["L"]), min_size=1), max_size=20), st.integers(1, 12))
def test_a_list_names_the_first_and_counts_the_rest(names, most):
    shown, _, more = listed(names, most).partition(" and ")
    assert shown.split(", ") == ([repr(name) for name in names[:most]] or [""])
    assert more == (f"{len(names) - most} more" if len(names) > most else "")


def test_a_list_that_was_not_counted_to_its_end_says_so():
    assert listed("abc", most=2, open_end=True) == "'a', 'b' and at least 1 more"
    assert listed("abc", most=3, open_end=True) == "'a', 'b', 'c'"


def test_weights_have_six_digits_unless_they_are_whole():
    assert [shown_weight(parts, 3) for parts in (6, 7, 3_000_000, 370_370)] == ["2", "2.33333", "1,000,000", "123,457"]
    fractions = (Fraction(2), Fraction(5, 2), Fraction(7, 3), Fraction(1234567))
    assert [shown_fraction(one) for one in fractions] == ["2", "2.5", "2.33333", "1,234,567"]


def test_nouns_follow_their_numbers():
    assert [count(n, "arc") for n in (0, 1, 2000)] == ["0 arcs", "1 arc", "2,000 arcs"]
    assert [count(n, "tally", "tallies") for n in (1, 2)] == ["1 tally", "2 tallies"]


@given(st.integers(0, 10**400))
@example(10**10 - 1)
@example(10**10)
def test_a_number_of_any_size_is_short_and_right_to_three_digits(number):
    shown = shown_number(number)
    assert len(shown) <= 13
    digits, _, exponent = shown.replace(",", "").partition("e+")
    if exponent:
        hundredths = round(100 * float(digits))
        assert abs(hundredths * 10 ** (int(exponent) - 2) - number) * 2 <= 10 ** (int(exponent) - 2)
    else:
        assert int(digits) == number


@given(st.floats(0, 1))
@example(0.01)
@example(0.99)
def test_only_nothing_is_0_percent_and_only_all_is_100(share):
    assert (percent(share) == "0 %") == (share == 0)
    assert (percent(share) == "100 %") == (share == 1)


@given(st.floats(0.01, 1000), st.just(0.0) | st.floats(0.001, 1), st.floats(0, 1))
def test_a_gap_says_how_far_above_the_best_possible_a_distance_is_at_most(distance, share, place):
    bound = distance * share
    best = bound + place * (distance - bound)
    gap = relative_gap(distance, bound)
    assert (gap == 0) == (bound == distance)
    if gap is None:
        assert bound == 0
    else:
        assert distance <= (1 + gap) * best * (1 + 1e-12)
    shown = gap_text(distance, bound)
    assert shown.endswith(" %") == (bound > 0)


def test_a_gap_above_a_bound_of_0_is_told_as_a_difference():
    assert (relative_gap(0.0, 0.0), relative_gap(2 / 3, 0.0), relative_gap(1.0, None)) == (0.0, None, None)
    assert (gap_text(0.0, 0.0), gap_text(2 / 3, 0.0), gap_text(8.0, 7.0)) == ("0 %", "0.67", "14.3 %")


@given(st.floats(0, 1))
def test_a_gap_is_never_rounded_down(gap):
    shown = float(gap_percent(gap).removesuffix(" %"))
    assert 100 * gap <= shown * (1 + 1e-12)
    assert shown - 100 * gap < 0.1 + 1e-9


@pytest.mark.parametrize(
    ("probability", "shown"),
    [(0, "0.0000"), (1, "1.0000"), (0.25, "0.2500"), (1e-4, "0.0001"), (9.9e-5, "9.9e-05"), (1e-300, "1.0e-300")],
)
def test_a_small_probability_is_not_shown_as_none(probability, shown):
    assert shown_probability(probability) == shown
    assert math.isclose(float(shown), probability)


def test_distances_have_all_their_digits():
    shown = [shown_distance(distance) for distance in (0.0, 13.0, 7.5, 1_239.0, 12_345.5, 1_234_567.0)]
    assert shown == ["0", "13", "7.5", "1,239", "12,345.5", "1,234,567"]


@given(st.lists(st.sampled_from(["a", "b", "a (2)", "a (3)", "a (2) (2)"])))
def test_equal_names_are_distinct(names):
    labels = distinct(names)
    assert len(set(labels)) == len(names)
    for i, (name, label) in enumerate(zip(names, labels, strict=True)):
        assert label == name or (name in names[:i] and label.startswith(f"{name} ("))
        assert (label == name) == (name not in names[:i])


@pytest.mark.parametrize("text", ISOLATED)
def test_names_that_run_from_right_to_left_are_isolated(text):
    assert marked(isolated(text)) == ISOLATED[text]


@given(st.text())
def test_isolating_adds_nothing_else_and_nothing_where_no_name_needs_it(text):
    shown = isolated(text)
    if text.isascii():
        assert shown == text
    assert len(shown.replace("\u2068", "").replace("\u2069", "")) == len(text)
    assert shown.count("\u2068") == shown.count("\u2069")
    assert not set(shown) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067")
