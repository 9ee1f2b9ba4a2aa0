"""Weights of input networks: any numbers of at least 0, converted to whole ones, so that every sum is exact."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from bnfuse._base.spelling import meant
from bnfuse._base.texts import listed, shown_number
from bnfuse.errors import OptionError
from bnfuse.fusion.fusion import LARGEST_TOTAL

Weights: TypeAlias = Sequence[float | Fraction] | Mapping[str, float]
"""A number for each network, or a mapping from names; 0 leaves a network out."""

_ROUNDED_WEIGHT = 10**6
_MOST_DIGITS = 9  # the largest denominator that is counted exactly


def exact_weights(weights: Weights | None, names: Sequence[str]) -> tuple[Fraction, ...]:
    """The weights as they were meant: 0.1 is a tenth, and 1 / 3 is a third."""
    if weights is None:
        return (Fraction(1),) * len(names)
    exact = tuple(_fraction(weight) for weight in _in_order(weights, names))
    if not any(exact):
        raise OptionError("at least one weight must be above 0")
    return exact


def whole_weights(exact: Sequence[Fraction], most: int = LARGEST_TOTAL, may_round: bool = False) -> tuple[int, ...]:
    """Weights as whole numbers in the same proportions: sums of them are exact, in any order, on any machine.

    Weights whose sum exceeds `most` are refused, or rounded if that is allowed.
    """
    scale = math.lcm(*(weight.denominator for weight in exact))
    whole = [int(weight * scale) for weight in exact]
    shared = math.gcd(*whole)
    total = sum(whole) // shared
    if total <= most:
        return tuple(weight // shared for weight in whole)
    if not may_round:
        raise OptionError(
            f"as whole numbers in the same proportions the weights add up to {shown_number(total)}, more than the "
            f"{most:,} that can be counted exactly; round the weights to fewer digits"
        )
    largest, rounded = max(exact), min(_ROUNDED_WEIGHT, most // len(exact))
    return tuple(max(1, round(one / largest * rounded)) if one else 0 for one in exact)


def _in_order(weights: Weights, names: Sequence[str]) -> list[float | Fraction]:
    if isinstance(weights, Mapping):
        counts = Counter(names)
        for name in weights:
            if name not in counts:
                raise OptionError(f"a weight for {name!r}{meant(name, names)}, but the networks are {listed(names)}")
            if counts[name] > 1:
                raise OptionError(f"a weight for {name!r}, but {counts[name]} networks have that name")
        return [weights.get(name, 1) for name in names]
    if not isinstance(weights, Sequence | np.ndarray) or isinstance(weights, str):
        raise OptionError(f"weights must be a list of numbers or a mapping from names; got {weights!r:.60}")
    if len(weights) != len(names):
        raise OptionError(f"{len(weights)} weights for {len(names)} networks")
    return list(weights)


def _fraction(weight: float | Fraction) -> Fraction:
    try:
        fraction = Fraction(str(weight))
    except (ValueError, ZeroDivisionError):
        raise OptionError(f"a weight must be a number of at least 0; got {weight!r}") from None
    if fraction < 0:
        raise OptionError(f"a weight must be a number of at least 0; got {weight!r}")
    return _simplest(weight, fraction) if isinstance(weight, float | np.floating) else fraction


def _simplest(weight: float | np.floating[Any], written: Fraction) -> Fraction:
    """A floating-point number as it was written, or the fraction with a small denominator from which it was rounded."""
    reliable = 10 ** (3 * np.finfo(type(weight)).precision // 5)  # two such denominators distinguish any two fractions
    if written.denominator <= reliable:
        return written
    for digits in range(1, _MOST_DIGITS + 1):
        fraction = Fraction(float(weight)).limit_denominator(10**digits)
        if type(weight)(float(fraction)) == weight:
            return fraction
    return written
