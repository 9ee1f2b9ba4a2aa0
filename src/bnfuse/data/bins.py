"""Numbers into classes: where to cut, and the names of the classes.

A cut belongs to the class below it: classes are (-inf, a], (a, b], (b, inf). All cuts between two neighbouring values
are equivalent, so the one with the fewest digits is chosen: its label is exact and still easy to read.
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
"""up to this number, a float holds every whole number, and prints it as one"""

Numbers = npt.NDArray[np.float64]


def cut_points(
    values: Numbers, bins: int, binning: str, units: npt.NDArray[np.int64] | None = None
) -> tuple[float, ...]:
    """The cuts of finite numbers, at least two of which differ: at most `bins` - 1 cuts, at least one.

    A value counts as many times as its `units`.

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
    """The number of the class of each value."""
    return np.searchsorted(np.asarray(cuts), values, side="left")


def class_labels(cuts: Sequence[float], whole: bool) -> tuple[str, ...]:
    """The names of the classes; those of whole numbers start at the number after the cut."""
    shown = [shown_number(cut) for cut in cuts]
    starts = [shown_number(cut + 1) for cut in cuts] if whole else shown
    between = ".." if any("-" in text for text in (*shown, *starts)) else "-"
    inner = [
        end if whole and start == end else f"{start}{between}{end}"
        for start, end in zip(starts[:-1], shown[1:], strict=True)
    ]
    return (f"<={shown[0]}", *inner, f">{shown[-1]}")


def are_whole(values: Numbers) -> bool:
    """Whether all are whole numbers, and not huge."""
    return bool((np.abs(values) <= _LARGEST_WHOLE).all() and (values == np.floor(values)).all())


def shown_number(number: float) -> str:
    """The shortest text that is not another number."""
    return repr(int(number)) if abs(number) <= _LARGEST_WHOLE and number == int(number) else repr(float(number))


def _quantiles(ordered: Numbers, ends: npt.NDArray[np.int64], bins: int) -> Iterator[tuple[float, float]]:
    """For each i / bins, the last value below it, and the quantile, interpolated between neighbours.

    A value takes all positions from the end of the previous one to its own end. Positions are counted in whole numbers,
    so no rounding moves a value to another class.
    """
    for i in range(1, bins):
        place, rest = divmod((int(ends[-1]) - 1) * i, bins)
        share = rest / bins
        here, after = np.searchsorted(ends, [place, min(place + 1, int(ends[-1]) - 1)], side="right")
        last = float(ordered[here])
        yield last, last * (1 - share) + float(ordered[after]) * share


def _equal_steps(distinct: Numbers, bins: int) -> Iterator[tuple[float, float]]:
    """For each step, the last value that is not larger, and the step, in the decimal numbers of the data."""
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
    """A number with few digits that is at least `lower` and less than `upper`, and otherwise near the target."""
    least, limit, wanted = (Decimal(repr(number)) for number in (lower, upper, target))
    largest = max(abs(least), abs(limit)).adjusted()  # the position of the first digit
    for place in range(largest, -1 if whole else largest - 17, -1):
        step = Decimal(1).scaleb(place)
        first = (least / step).to_integral_value(ROUND_CEILING)
        last = (limit / step).to_integral_value(ROUND_CEILING) - 1
        near = (wanted / step).to_integral_value()
        short = float(max(first, min(near, last)) * step)
        if lower <= short < upper:
            return short + 0.0  # turns -0 into 0
    return lower
