"""Numbers into classes: where to cut, and what to call the classes.

A cut belongs to the class below it: classes are (-inf, a], (a, b], (b, inf). Between two neighbouring values every cut
does the same, so the one that takes the fewest digits is chosen: its label is exact, and still reads well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import ROUND_CEILING, Decimal
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from bnfuse.graphs.network import Codes

BINNINGS = ("quantile", "width")
_LARGEST_WHOLE = 1e15
"""up to here a float holds every whole number, and prints it as one"""

Numbers = npt.NDArray[np.float64]


def cut_points(
    values: Numbers, bins: int, binning: str, units: npt.NDArray[np.int64] | None = None
) -> tuple[float, ...]:
    """Where to cut finite numbers, of which two or more differ: at most `bins` - 1 cuts, at least one.

    A value counts as often as its `units` say.

    "quantile" puts as many values into each class as ties allow, "width" makes classes equally wide. Cuts with no value
    between them are one cut, so no class is empty.
    """
    places = np.argsort(values, kind="stable")
    ordered, distinct = values[places], np.unique(values)
    whole = are_whole(distinct)
    ends = np.arange(1, len(values) + 1) if units is None else np.cumsum(units[places])
    targets = _quantiles(ordered, ends, bins) if binning == "quantile" else _equal_steps(distinct, bins)
    cuts: dict[int, float] = {}
    for last, target in targets:
        below = int(np.searchsorted(distinct, last, side="right")) - 1
        below = min(max(below, 0), len(distinct) - 2)  # the last class is never empty
        cuts.setdefault(below, _readable(target, float(distinct[below]), float(distinct[below + 1]), whole))
    return tuple(cuts[below] for below in sorted(cuts))


def codes_of(values: Numbers, cuts: Sequence[float]) -> Codes:
    """The number of the class that each value is in."""
    return np.searchsorted(np.asarray(cuts), values, side="left")


def class_labels(cuts: Sequence[float], whole: bool) -> tuple[str, ...]:
    """What to call the classes; those of whole numbers start at the number after the cut."""
    shown = [shown_number(cut) for cut in cuts]
    starts = [shown_number(cut + 1) for cut in cuts] if whole else shown
    between = ".." if any("-" in text for text in (*shown, *starts)) else "-"
    inner = [
        end if whole and start == end else f"{start}{between}{end}"
        for start, end in zip(starts[:-1], shown[1:], strict=True)
    ]
    return (f"<={shown[0]}", *inner, f">{shown[-1]}")


def are_whole(values: Numbers) -> bool:
    """Whether all are whole numbers, none of them huge."""
    return bool((np.abs(values) <= _LARGEST_WHOLE).all() and (values == np.floor(values)).all())


def shown_number(number: float) -> str:
    """As short as it can be without being another number."""
    return repr(int(number)) if abs(number) <= _LARGEST_WHOLE and number == int(number) else repr(float(number))


def _quantiles(ordered: Numbers, ends: npt.NDArray[np.int64], bins: int) -> Iterator[tuple[float, float]]:
    """For each i / bins the last value that is below it, and the quantile, between neighbours in proportion.

    A value stands at all places before its end, from the end of the one before. Places are
    counted in whole numbers, so no rounding moves a value to another class.
    """
    for i in range(1, bins):
        place, rest = divmod((int(ends[-1]) - 1) * i, bins)
        share = rest / bins
        here, after = np.searchsorted(ends, [place, min(place + 1, int(ends[-1]) - 1)], side="right")
        last = float(ordered[here])
        yield last, last * (1 - share) + float(ordered[after]) * share


def _equal_steps(distinct: Numbers, bins: int) -> Iterator[tuple[float, float]]:
    """For each step the last value that is no larger, and the step, in the decimal numbers that people wrote."""
    least, most = _exact(distinct[0]), _exact(distinct[-1])
    for i in range(1, bins):
        step = least + (most - least) * Fraction(i, bins)
        last = int(np.searchsorted(distinct, float(step), side="right")) - 1
        if _exact(distinct[last]) > step:  # which is rounded up to it
            last -= 1
        yield float(distinct[last]), float(step)


def _exact(number: np.float64) -> Fraction:
    return Fraction(repr(float(number)))


def _readable(target: float, lower: float, upper: float, whole: bool) -> float:
    """A number of few digits that is at least `lower` and less than `upper`, and otherwise near the target."""
    least, limit, wanted = (Decimal(repr(number)) for number in (lower, upper, target))
    largest = max(abs(least), abs(limit)).adjusted()  # the place of the first digit
    for place in range(largest, -1 if whole else largest - 17, -1):
        step = Decimal(1).scaleb(place)
        first = (least / step).to_integral_value(ROUND_CEILING)
        last = (limit / step).to_integral_value(ROUND_CEILING) - 1
        near = (wanted / step).to_integral_value()
        short = float(max(first, min(near, last)) * step)
        if lower <= short < upper:
            return short + 0.0  # which makes 0 of -0
    return lower
