"""Noise has exactly the distribution that privacy needs, however many sites make it together."""

from __future__ import annotations

import hashlib
from fractions import Fraction
from itertools import count

import numpy as np
import pytest
from scipy import stats

from bnfuse.federated.privacy import geometric, noise, polya


def seeded(seed):
    """The same bytes on every machine."""
    numbers = count()

    def source(length):
        return hashlib.shake_256(f"{seed} {next(numbers)}".encode()).digest(length)

    return source


def chi_square(values, probabilities):
    """How likely values this far from their probabilities are; the last probability is that of all larger values."""
    seen = np.bincount(np.minimum(values, len(probabilities) - 1), minlength=len(probabilities))
    return stats.chisquare(seen, np.array(probabilities) * len(values)).pvalue


@pytest.mark.parametrize("rate", [Fraction(1, 3), Fraction(2, 5), Fraction(3, 2)])
def test_geometric_variables(rate):
    values = geometric(40_000, rate, seeded(1))
    inside = [(1 - np.exp(-float(rate))) * np.exp(-float(rate) * k) for k in range(5)]
    assert chi_square(values, [*inside, 1 - sum(inside)]) > 1e-4


@pytest.mark.parametrize("sites", [2, 5, 40])
def test_polya_variables(sites):
    values = polya(40_000, Fraction(1, 4), sites, seeded(2))
    inside = [stats.nbinom.pmf(k, 1 / sites, 1 - np.exp(-0.25)) for k in range(4)]
    assert chi_square(values, [*inside, 1 - sum(inside)]) > 1e-4


def test_the_parts_of_all_sites_are_discrete_laplace_noise_together():
    scale, sites = Fraction(5, 2), 6
    total = sum(noise(8_000, scale, sites, seeded(3 + site)) for site in range(sites))
    q = np.exp(-1 / float(scale))
    inside = [(1 - q) / (1 + q) * q ** abs(k) for k in range(-6, 7)]
    chosen = np.where(abs(total) <= 6, total + 6, 13)
    assert chi_square(chosen, [*inside, 1 - sum(inside)]) > 1e-4
    one_too_few = sum(noise(8_000, scale, sites, seeded(3 + site)) for site in range(sites - 1))
    assert chi_square(np.where(abs(one_too_few) <= 6, one_too_few + 6, 13), [*inside, 1 - sum(inside)]) < 1e-6


def test_a_scale_is_never_rounded_to_less_noise():
    scale = Fraction(10**9 + 7, 10**8 + 3)
    values = noise(20_000, scale, 1, seeded(9))
    assert abs(np.abs(values).mean() / float(scale) - 1) < 0.05
