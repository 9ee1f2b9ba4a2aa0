"""Cut points and classes: against numpy, pandas and exact fractions, and by what a label promises."""

import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from bnfuse.data.bins import BINNINGS, are_whole, class_labels, codes_of, cut_points

NUMBER = r"-?\d+(?:\.\d+)?(?:e[-+]\d+)?"
finite = st.floats(allow_nan=False, allow_infinity=False)
whole = st.integers(-(10**6), 10**6).map(float)
samples = st.one_of(st.lists(one, min_size=2, max_size=60) for one in (finite, whole, st.sampled_from([0.0, 1.0, 2.5])))
bins = st.integers(2, 12)
binnings = st.sampled_from(BINNINGS)


def contains(label, value, is_whole):
    """Whether a label, read as a person would, says that a value is in its class."""
    if found := re.fullmatch(f"<=({NUMBER})", label):
        return value <= float(found[1])
    if found := re.fullmatch(f">({NUMBER})", label):
        return value > float(found[1])
    if found := re.fullmatch(rf"({NUMBER})(?:-|\.\.)({NUMBER})", label):
        start, end = float(found[1]), float(found[2])
        return start <= value <= end if is_whole else start < value <= end
    return is_whole and value == float(label)


@given(samples, bins, binnings)
@example([1e308, -1e308, 5e-324, 0.0], 3, "width")
@example([1.0, float(np.nextafter(1, 2))], 3, "quantile")
@example([-0.0, 0.0, 1.0], 2, "quantile")
def test_every_value_is_in_the_class_whose_label_contains_it_and_in_no_other(values, bins, binning):
    values = np.array(values)
    assume(len(np.unique(values)) > 1)
    cuts = cut_points(values, bins, binning)
    labels = class_labels(cuts, are_whole(values))
    codes = codes_of(values, cuts)
    assert len(set(labels)) == len(labels) == len(cuts) + 1
    assert sorted(set(codes.tolist())) == list(range(len(labels)))  # no class is empty
    assert 2 <= len(labels) <= bins
    for value, code in zip(values.tolist(), codes.tolist(), strict=True):
        assert [contains(label, value, are_whole(values)) for label in labels].index(True) == code
        assert sum(contains(label, value, are_whole(values)) for label in labels) == 1


@given(samples, bins)
@example([0.0] * 6 + [8706903424341679.0] * 4 + [8706903424341680.0], 3)  # their mean in proportion is rounded
def test_quantiles_cut_where_exact_fractions_do(values, bins):
    """A value is in the first class whose quantile, interpolated in exact numbers, it does not exceed."""
    assume(len(set(values)) > 1)
    ordered = sorted(map(Fraction, values))
    quantiles = []
    for i in range(1, bins):
        place = Fraction((len(ordered) - 1) * i, bins)
        low, high = ordered[int(place)], ordered[min(int(place) + 1, len(ordered) - 1)]
        quantiles.append(low + (high - low) * (place - int(place)))
    assume(all(quantile < ordered[-1] for quantile in quantiles))  # the last class would be empty
    classes = [sum(quantile < Fraction(value) for quantile in quantiles) for value in values]
    numbers = {one: number for number, one in enumerate(sorted(set(classes)))}
    cuts = cut_points(np.array(values), bins, "quantile")
    assert codes_of(np.array(values), cuts).tolist() == [numbers[one] for one in classes]


@given(st.lists(st.integers(-99, 99), min_size=2, max_size=30, unique=True), st.sampled_from([1, 10, 100]), bins)
@example([-8, -5, -2, 1, 4, 7], 10, 5)
def test_classes_of_equal_width_end_where_decimal_fractions_do(tenths, parts, bins):
    """A value at the end of a class, as people wrote it, is in that class."""
    exact = [Fraction(one, parts) for one in tenths]
    values = np.array([one / parts for one in tenths])
    least, most = min(exact), max(exact)
    classes = [sum(least + (most - least) * Fraction(i, bins) < one for i in range(1, bins)) for one in exact]
    numbers = {one: number for number, one in enumerate(sorted(set(classes)))}
    assert codes_of(values, cut_points(values, bins, "width")).tolist() == [numbers[one] for one in classes]


@pytest.mark.parametrize("bins", [2, 3, 4, 7])
@pytest.mark.parametrize("seed", range(5))
def test_classes_are_those_of_pandas_where_no_values_are_equal(bins, seed):
    pandas = pytest.importorskip("pandas", reason="needs the extra 'data'")
    rng = np.random.default_rng(seed)
    values = rng.normal(50, 20, 997)  # quantiles fall between values
    for binning, cut in (("quantile", pandas.qcut), ("width", pandas.cut)):
        codes = codes_of(values, cut_points(values, bins, binning))
        assert codes.tolist() == cut(values, bins, labels=False).tolist()


@pytest.mark.parametrize("bins", [2, 3, 5])
def test_cuts_are_numpys_up_to_the_gap_between_two_values(bins):
    values = np.random.default_rng(3).gamma(2, 3, 500)
    ordered = np.sort(values)
    exact = {
        "quantile": np.quantile(values, np.arange(1, bins) / bins),
        "width": np.linspace(values.min(), values.max(), bins + 1)[1:-1],
    }
    for binning, edges in exact.items():
        found = cut_points(values, bins, binning)
        assert np.searchsorted(ordered, found, "right").tolist() == np.searchsorted(ordered, edges, "right").tolist()


@pytest.mark.parametrize(
    ("values", "bins", "labels"),
    [
        (range(18, 90), 3, ("<=41", "42-65", ">65")),
        (range(1, 5), 4, ("<=1", "2", "3", ">3")),
        (range(-4, 5), 3, ("<=-2", "-1..1", ">1")),
        ([0] * 60 + list(range(1, 41)), 3, ("<=0", "1-7", ">7")),
        ([0] * 90 + list(range(1, 11)), 3, ("<=0", ">0")),
        ([9] * 90 + list(range(8)), 3, ("<=8", ">8")),
        ([0.123456, 0.5, 0.987654], 2, ("<=0.5", ">0.5")),
        ([0.1234567, 0.1234568], 2, ("<=0.1234567", ">0.1234567")),
        ([1e-7, 2e-7, 3e-7, 4e-7], 3, ("<=2e-07", "2e-07..3e-07", ">3e-07")),
        ([1e20, 2e20, 3e20], 3, ("<=1e+20", "1e+20-2e+20", ">2e+20")),
        ([-1.5, 2.5], 2, ("<=0", ">0")),
    ],
)
def test_labels_read_well(values, bins, labels):
    values = np.array(values, float)
    assert class_labels(cut_points(values, bins, "quantile"), are_whole(values)) == labels


def test_equal_widths_without_values_are_joined():
    values = np.array([0.0, 1.0, 2.0, 1000.0])
    assert cut_points(values, 10, "width") == (100.0,)
