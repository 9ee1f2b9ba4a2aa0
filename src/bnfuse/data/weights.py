"""The weight of each row, which need not be a whole number, and its subject.

A row of weight 3 is three equal rows. Sums of weights are kept exact, as whole numbers of a unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from bnfuse._base.options import option_name
from bnfuse._base.spelling import meant
from bnfuse._base.texts import count
from bnfuse.data.cells import GROUPED
from bnfuse.data.readers import Cells, Numbered, shown_label
from bnfuse.errors import MismatchError

MOST_UNITS = 1 << 31
"""the largest sum of the weights of all rows"""
_MOST_DECIMALS = 6
_LEAST_TOTAL = 2

Weights: TypeAlias = npt.NDArray[np.float64]
Groups: TypeAlias = npt.NDArray[np.int64]
"""the number of the group of each row, from 0"""
Units: TypeAlias = npt.NDArray[np.int64]


class WeightReader:
    """Collects the cells of the column with the weights of the rows."""

    def __init__(self, source: str, name: str) -> None:
        self.source, self.name = source, name
        self._parts: list[Weights] = []

    def add(self, cells: Cells, first: int) -> None:
        """Add more cells, beginning with this row."""
        if isinstance(cells, Numbered):
            weigh = lambda label, place, _: self._weight(label, first + place)  # noqa: E731
            self._parts.append(cells.translated(weigh, np.nan, np.float64))
        else:
            self._parts.append(np.array([self._weight(cell, row) for row, cell in enumerate(cells, first)]))
        absent = np.isnan(self._parts[-1])
        if absent.any():
            raise self._wrong(f"row {first + int(absent.argmax()):,} has none")

    def _weight(self, cell: object, row: int) -> float:
        label = shown_label(cell)
        if not label:
            return np.nan
        weight = GROUPED.read(label)
        if not 0 <= weight < np.inf:
            raise self._wrong(f"row {row:,} has {label!r:.60}")
        return weight

    def _wrong(self, problem: str) -> MismatchError:
        return MismatchError(
            f"{self.source}: column {self.name!r}, which {option_name('weights')} names, must have a number of 0 or "
            f"more in each row; {problem}"
        )

    def read(self) -> tuple[Weights, tuple[str, ...]]:
        """The weight of each row, with notes."""
        weights = np.concatenate(self._parts)
        total, none = float(weights.sum()), int((weights == 0).sum())
        if total < _LEAST_TOTAL:
            raise MismatchError(
                f"{self.source}: the weights in column {self.name!r} add up to {total:.6g}: a weight is the number of "
                "rows that a row represents, not their share"
            )
        used = len(weights) - none
        notes = [f"{self.name!r} is the weight of a row: {count(used, 'row')} for {total:,.10g}"]
        if none:
            notes.append(f"dropped {count(none, 'row')} of weight 0")
        if not are_whole_weights(weights) and not 0.5 * used <= total <= 2 * used:
            notes.append(
                f"the weights are fractions and add up to {total:,.0f}: those of a survey should add up to the number "
                f"of rows, {used:,}, or arcs look more certain than they are"
            )
        return weights, tuple(notes)


def check_weights_column(source: str, header: Sequence[str], name: str) -> None:
    """Refuse a missing column of weights."""
    if name not in header:
        which = f"{name!r}{meant(name, header)}, which {option_name('weights')} names"
        raise MismatchError(f"{source}: has no column {which}")


def in_units(weights: Weights, groups: Groups | None = None) -> tuple[Units, int]:
    """Weights as whole numbers of a unit, all above 0, and the number of units in a row.

    Whole weights have 1 unit per row, and decimal ones 10, 100 or more, up to 1,000,000. Others are rounded to the
    smallest possible unit.
    """
    most = float(MOST_UNITS) / _largest_growth(weights, groups)
    total = float(weights.sum())
    if total > most:
        large = f"{total:,.0f}" if total < 1e15 else f"{total:.3g}"
        raise MismatchError(f"{option_name('weights')}: the weights add up to {large}, more than {most:,.0f}")
    for decimals in range(_MOST_DECIMALS + 1):
        unit: int = 10**decimals
        near = np.rint(weights * unit)
        if total * unit <= most and (near > 0).all() and (np.abs(near / unit - weights) <= 1e-12 * weights).all():
            return near.astype(np.int64), unit
    unit = 1
    while 4 * total * unit <= most and unit < 1 << 30:  # weights that are rounded up to one unit must fit too
        unit *= 2
    return np.maximum(np.rint(weights * unit), 1).astype(np.int64), unit


def _largest_growth(weights: Weights, groups: Groups | None) -> float:
    """How much heavier than all rows a resample can be: it may draw the heaviest group every time."""
    if groups is None:
        return 1.0
    sums = np.bincount(groups, weights)
    return max(1.0, float(sums.max()) * len(sums) / float(weights.sum()))


def are_whole_weights(weights: Weights) -> bool:
    """Whether each row represents a whole number of rows."""
    return bool((weights == np.rint(weights)).all())


def rounded_total(units: Units, unit: int) -> int:
    """The sum of the weights, rounded as in the kernel."""
    return int(Fraction(int(units.sum()), unit) + Fraction(1, 2))
