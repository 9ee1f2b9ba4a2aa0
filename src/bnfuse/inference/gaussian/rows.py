"""Rows of a Gaussian network: the density of data, and drawing rows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from bnfuse._base.options import LARGEST_SEED, at_least, option_name
from bnfuse._base.texts import listed, shown_number
from bnfuse.data.numeric import NumericData, NumericLike, read_numeric
from bnfuse.errors import OptionError
from bnfuse.graphs.gaussian_network import GaussianNetwork
from bnfuse.graphs.normal import Matrix, Vector
from bnfuse.inference.gaussian.joint import Weighted, check_range, quiet, topological, weighted

_MOST_ROWS = 10**9
_LOG_TWO_PI = math.log(2 * math.pi)


@quiet
def log_likelihood(network: GaussianNetwork, data: NumericLike) -> float:
    """The natural logarithm of the density of rows; missing values are integrated out."""
    if still := [name for name in network.variables if not network.deviations[name]]:
        raise OptionError(f"{listed(still)} has a standard deviation of 0: given its parents it has no density")
    rows = read_numeric(data, columns=network.variables)
    weights = np.ones(len(rows)) if rows.weights is None else rows.weights
    whole = ~np.isnan(rows.values).any(1)
    total = float(weights[whole] @ row_densities(network, rows.values[whole]))
    if whole.all():
        return total
    everything = weighted(network, network.variables)
    for seen, places in patterns(rows.values[~whole]):
        if seen.any():
            own = Weighted((), everything.mean[seen], everything.weights[seen])
            total += float(weights[~whole][places] @ marginal_densities(own, rows.values[~whole][np.ix_(places, seen)]))
    return total


def row_densities(network: GaussianNetwork, values: Matrix) -> Vector:
    """The logarithm of the density of each complete row: each variable given its parents."""
    place = {name: i for i, name in enumerate(network.variables)}
    total = np.zeros(len(values))
    for name in network.variables:
        expected = np.full(len(values), network.intercepts[name])
        for parent, coefficient in network.coefficients[name].items():
            expected += coefficient * values[:, place[parent]]
        standard = (values[:, place[name]] - expected) / network.deviations[name]
        total -= 0.5 * standard**2 + math.log(network.deviations[name]) + 0.5 * _LOG_TWO_PI
    return total


def marginal_densities(own: Weighted, values: Matrix) -> Vector:
    """The logarithm of the joint density of some variables in each row."""
    upper: Matrix = np.linalg.qr(own.weights.T)[1]  # the covariance matrix is its square
    standard = np.linalg.solve(upper.T, (values - own.mean).T)
    spread = float(np.log(np.abs(np.diag(upper))).sum())
    densities: Vector = -0.5 * (standard**2).sum(0) - spread - 0.5 * len(own.mean) * _LOG_TWO_PI
    return densities


def patterns(values: Matrix) -> Iterator[tuple[npt.NDArray[np.bool_], npt.NDArray[np.intp]]]:
    """The variables of which rows have values, and the rows with exactly these."""
    kinds, which = np.unique(~np.isnan(values), axis=0, return_inverse=True)
    order = np.argsort(which.ravel(), kind="stable")
    ends = np.cumsum(np.bincount(which.ravel(), minlength=len(kinds)))
    yield from zip(kinds, np.split(order, ends[:-1]), strict=True)


@quiet
def sample(network: GaussianNetwork, n: int, seed: int = 0) -> NumericData:
    """Draw `n` rows; the same seed gives the same rows on any machine."""
    count = at_least("n", n, 0)
    if count > _MOST_ROWS:
        raise OptionError(f"{option_name('n')} must be at most {_MOST_ROWS:,}; draw more in parts, with other seeds")
    random = np.random.default_rng(at_least("seed", seed, 0, LARGEST_SEED))
    try:
        values = _drawn(network, topological(network), count, random)
    except (MemoryError, ValueError, OverflowError):  # for the last two: an array larger than the address space
        wanted = f"{shown_number(count)} rows of {len(network.variables):,} variables"
        raise OptionError(f"{wanted} do not fit into memory; draw fewer") from None
    check_range(network, values)
    return NumericData(network.variables, values)


def _drawn(network: GaussianNetwork, order: Sequence[str], count: int, random: np.random.Generator) -> Matrix:
    values = np.empty((count, len(order)))
    place = {name: i for i, name in enumerate(network.variables)}
    for name in order:
        own = values[:, place[name]]
        own[:] = network.intercepts[name]
        for parent, coefficient in network.coefficients[name].items():
            own += coefficient * values[:, place[parent]]
        own += network.deviations[name] * random.standard_normal(count)
    return values
