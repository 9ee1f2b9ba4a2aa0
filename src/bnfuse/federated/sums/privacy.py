"""Noise that hides any one site or row in a sum: differential privacy without trust in the coordinator.

A count is private with epsilon if noise of a discrete Laplace distribution is added, P(k) proportional to exp(-|k| /
scale), where scale is the largest change of all counts by one site or row, divided by epsilon (Dwork et al. 2006;
Ghosh, Roughgarden and Sundararajan 2009). That noise is the difference of two geometric variables, and a geometric
variable is a sum of any number of independent Pólya (negative binomial) ones: so each site adds its part before it
masks its vector (Ács and Castelluccia 2011).

All of it is drawn from whole numbers, exactly: a geometric variable as Canonne, Kamath and Steinke (2020) do, and a
Pólya variable with shape 1/m from it by rejection, as its probabilities are the geometric ones times
(1/m)(1/m + 1) ... (1/m + k - 1) / k!, which is a product of fractions that are at most 1.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from bnfuse.errors import OptionError

Source: TypeAlias = Callable[[int], bytes]
"""Random bytes of this number."""

_Numbers = npt.NDArray[np.uint64]
_Truths = npt.NDArray[np.bool_]
_BATCH, _FEW = 1 << 18, 16
_FINEST = 1 << 40  # of a rate, as a fraction: the denominator


def noise(length: int, scale: Fraction, sites: int, source: Source = os.urandom) -> npt.NDArray[np.int64]:
    """One site's part of discrete Laplace noise with this scale, if this number of sites add theirs.

    If more sites do, there is more noise than needed; never less.
    """
    rate = rate_of(scale)
    return polya(length, rate, sites, source) - polya(length, rate, sites, source)


def rate_of(scale: Fraction) -> Fraction:
    """The rate at which the probabilities fall: exactly 1 / scale, or the next smaller rate that 64 bits can draw."""
    rate = 1 / scale
    if rate.denominator > _FINEST:
        rate = Fraction(rate.numerator * _FINEST // rate.denominator, _FINEST)
    if not rate:
        raise OptionError(f"noise of scale {float(scale):.3g} cannot be drawn")
    return rate


def polya(length: int, rate: Fraction, sites: int, source: Source = os.urandom) -> npt.NDArray[np.int64]:
    """Independent variables whose sum over this number of sites has P(k) proportional to exp(-rate k)."""
    found: list[npt.NDArray[np.int64]] = []
    left = length
    accepted_share = (-math.expm1(-float(rate))) ** (1 - 1 / sites)  # only for the largest number to draw at once
    while left:
        drawn = geometric(min(_BATCH, int(left / accepted_share) + _FEW), rate, source)
        kept = drawn[_accepted(drawn, sites, source)][:left]
        found.append(kept)
        left -= len(kept)
    return np.concatenate(found) if found else np.zeros(0, np.int64)


def _accepted(values: npt.NDArray[np.int64], sites: int, source: Source) -> _Truths:
    """True for each with the probability of the product, for j up to its value, of (sites (j - 1) + 1) / (sites j)."""
    accepted = np.ones(len(values), np.bool_)
    active = np.flatnonzero(values > 0)
    step = 0
    while len(active):
        step += 1
        bound = np.full(len(active), sites * step, np.uint64)
        stays = _below(bound, source) < np.uint64(sites * (step - 1) + 1)
        accepted[active[~stays]] = False
        active = active[stays & (values[active] > step)]
    return accepted


def geometric(length: int, rate: Fraction, source: Source = os.urandom) -> npt.NDArray[np.int64]:
    """Independent variables with P(k) proportional to exp(-rate k), for k from 0."""
    numerator, denominator = rate.numerator, rate.denominator
    rest = np.zeros(length, np.uint64)
    open_places = np.arange(length)
    while len(open_places):
        drawn = _below(np.full(len(open_places), denominator, np.uint64), source)
        kept = _with_probability_exp(drawn, denominator, source)
        rest[open_places[kept]] = drawn[kept]
        open_places = open_places[~kept]
    wholes = np.zeros(length, np.uint64)
    active = np.arange(length)
    while len(active):
        active = active[_with_probability_exp(np.ones(len(active), np.uint64), 1, source)]
        wholes[active] += np.uint64(1)
    total = rest + np.uint64(denominator) * wholes
    return (total // np.uint64(numerator)).astype(np.int64)


def _with_probability_exp(numerators: _Numbers, denominator: int, source: Source) -> _Truths:
    """True for each with probability exp(-numerator / denominator), for numerators up to the denominator (Forsyth)."""
    odd = np.ones(len(numerators), np.bool_)
    active = np.arange(len(numerators))
    step = 1
    while len(active):
        bound = np.full(len(active), denominator * step, np.uint64)
        active = active[_below(bound, source) < numerators[active]]
        odd[active] = ~odd[active]
        step += 1
    return odd


def _below(bounds: _Numbers, source: Source) -> _Numbers:
    """Uniform random whole numbers below bounds."""
    values = np.zeros(len(bounds), np.uint64)
    left = np.arange(len(bounds))
    while len(left):
        drawn = np.frombuffer(source(8 * len(left)), np.uint64)
        own = bounds[left]
        over = (np.uint64(0) - own) % own  # 2**64 modulo the bound
        fits = drawn >= over
        values[left[fits]] = drawn[fits] % own[fits]
        left = left[~fits]
    return values
