"""What rows stand for: a weight each, which need not be a whole number, and the subject that each is of.

A row of weight 3 is three equal rows. Sums of weights are kept exact, as whole numbers of a unit.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from bnfuse._base.options import option_name
from bnfuse.errors import MismatchError

MOST_UNITS = 1 << 31
"""that the weights of all rows may add up to"""
_MOST_DECIMALS = 6

Weights: TypeAlias = npt.NDArray[np.float64]
Groups: TypeAlias = npt.NDArray[np.int64]
"""for each row the number of its group, from 0"""
Units: TypeAlias = npt.NDArray[np.int64]


def in_units(weights: Weights, groups: Groups | None = None) -> tuple[Units, int]:
    """Weights as whole numbers, all above 0, of a unit; and how many units a row has.

    Whole weights have 1 unit a row, and decimal ones 10, 100 or more, up to 1,000,000. Others are rounded to the
    smallest unit for which there is room.
    """
    most = float(MOST_UNITS) / _largest_growth(weights, groups)
    total = float(weights.sum())
    if total > most:
        raise MismatchError(f"{option_name('weights')}: the weights add up to {total:,.0f}, more than {most:,.0f}")
    for decimals in range(_MOST_DECIMALS + 1):
        unit: int = 10**decimals
        near = np.rint(weights * unit)
        if total * unit <= most and (near > 0).all() and (np.abs(near / unit - weights) <= 1e-12 * weights).all():
            return near.astype(np.int64), unit
    unit = 1
    while 4 * total * unit <= most and unit < 1 << 30:  # what is rounded up to one unit has room too
        unit *= 2
    return np.maximum(np.rint(weights * unit), 1).astype(np.int64), unit


def _largest_growth(weights: Weights, groups: Groups | None) -> float:
    """How much heavier than all rows a resample can be: it may draw the heaviest group every time."""
    if groups is None:
        return 1.0
    sums = np.bincount(groups, weights)
    return max(1.0, float(sums.max()) * len(sums) / float(weights.sum()))


def are_whole_weights(weights: Weights) -> bool:
    """Whether each row stands for a whole number of rows."""
    return bool((weights == np.rint(weights)).all())


def rounded_total(units: Units, unit: int) -> int:
    """How many rows the weights add up to, as the kernel rounds it."""
    return int(Fraction(int(units.sum()), unit) + Fraction(1, 2))
