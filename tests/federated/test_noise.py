"""Noise has exactly the distribution that privacy needs, however many sites make it together."""

from __future__ import annotations

import hashlib
from fractions import Fraction
from itertools import count

import numpy as np
import pytest
from federation import agreement_of
from scipy import stats

import bnfuse
from bnfuse.errors import OptionError
from bnfuse.federated.protocol.transcript import dishonest_sites, honest_sites, needed_sites
from bnfuse.federated.sums import counts
from bnfuse.federated.sums.privacy import geometric, noise, polya, rate_of


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


# Epsilon, exactly

EPSILONS = [Fraction(text) for text in ("0.001", "0.1", "0.123456789", "1", "2.5", "10", "300")]
SENSITIVITIES = [1, 3, 38, 90, 3_800, 999_999]


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("sensitivity", SENSITIVITIES)
def test_the_rate_that_is_drawn_is_never_above_the_stated_one(epsilon, sensitivity):
    """One site changes counts by `sensitivity` in all, and each unit changes a probability by at most e^rate."""
    rate = rate_of(Fraction(sensitivity) / epsilon)
    assert 0 < rate * sensitivity <= epsilon, "rates between 5e-7 and 1e-6 were rounded up, smaller ones to 0"
    assert rate * sensitivity > epsilon * (1 - Fraction(1, 100))


@pytest.mark.parametrize("sites", [3, 5, *(pytest.param(n, marks=pytest.mark.long) for n in (4, *range(6, 13)))])
@pytest.mark.parametrize("rate", [0.5, 3.0, *(pytest.param(one, marks=pytest.mark.long) for one in (0.02, 0.1, 1.0))])
def test_the_worst_case_of_what_is_added_up_is_at_most_the_stated_epsilon(sites, rate):
    """For all who may stay, and with the parts of the dishonest sites taken off: by the exact probabilities.

    The noise of s sites is a difference of two Pólya variables with shape s / m, where m honest sites are enough.
    """
    enough, most = honest_sites(sites), int(40 / rate) + 40
    for staying in range(needed_sites(sites), sites + 1):
        honest = staying - dishonest_sites(sites)
        assert honest >= enough
        each = stats.nbinom.logpmf(np.arange(4 * most), honest / enough, -np.expm1(-rate))
        log = [np.logaddexp.reduce(each[k:] + each[: len(each) - k]) for k in range(most)]
        assert np.abs(np.diff(log)).max() <= rate * (1 + 1e-9)


def test_one_honest_site_fewer_would_not_be_enough():
    rate, shape = 0.5, 1 / 2  # two are needed, one is there
    each = stats.nbinom.logpmf(np.arange(400), shape, -np.expm1(-rate))
    log = [np.logaddexp.reduce(each[k:] + each[: len(each) - k]) for k in range(50)]
    assert np.abs(np.diff(log)).max() > rate * 1.01


@pytest.mark.parametrize(("scale", "problem"), [(Fraction(10**13), "cannot be drawn")])
def test_noise_that_cannot_be_drawn_is_refused(scale, problem):
    with pytest.raises(OptionError, match=problem):
        noise(1, scale, 3)


def test_an_agreement_with_useless_noise_is_refused():
    network = bnfuse.Network(bnfuse.DAG(["A", "B"]), dict.fromkeys("AB", ("yes", "no")))
    counts.check_noise(agreement_of(network, epsilon=1.0, most_edges=10, tables="data"))
    with pytest.raises(OptionError, match=r"epsilon 0\.001 needs noise of scale 200,000, and 10,000 is the most"):
        counts.check_noise(agreement_of(network, epsilon=0.001, most_edges=100, tables="data"))


def test_what_is_taken_for_noise_is_not_refused():
    """The limit that sums are checked against is above all noise, and not far above it."""
    network = bnfuse.Network(bnfuse.DAG(["A", "B"]), dict.fromkeys("AB", ("yes", "no")))
    agreement = agreement_of(network, epsilon=1.0, most_edges=10, tables="none")
    scale, honest = Fraction(10), agreement.honest
    total = sum(noise(5_000, scale, honest, seeded(40 + site)) for site in range(5))
    limit = counts.noise_limit(agreement, scale, 5, 5_000)
    assert np.abs(total).max() < limit < 15 * np.abs(total).max()
