"""Rows of numbers with missing values: the normal distribution that fits them, and their completion by it.

Expectation maximisation (Dempster, Laird, Rubin 1977), once for the normal distribution with all covariances, once for
that of a network. The expected missing values, given the rest of a row, follow from the precision matrix K: with
missing values m and observed values o, their variance is the inverse of K_mm, and their mean is that inverse times -
K_mo d_o, where d are the deviations from the mean. So rows with equally many missing values form one batch. All columns
are scaled to mean 0 and variance 1. Moments and draws are rounded, so that the last bits of a machine's linear algebra
have no effect.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from bnfuse.data.numeric import NumericData
from bnfuse.data.weights import in_units
from bnfuse.graphs.dag import DAG
from bnfuse.search.run import Clock

_Numbers = npt.NDArray[np.float64]

_MOST_ITERATIONS = 200
_CONVERGED = 1e-7  # gain of the log-likelihood for each row
_LEAST_LEFT = 1e-8  # the smallest variance: less means a copy, with which no matrix could be inverted
_DECIMALS = 10
_MOST_UNITS = 1 << 30


@dataclass(frozen=True)
class Normal:
    """A mean and a covariance matrix."""

    mean: _Numbers
    covariance: _Numbers

    @cached_property
    def precision(self) -> _Numbers:
        """The inverse of the covariance matrix."""
        return np.asarray(np.linalg.inv(self.covariance))

    @cached_property
    def log_determinant(self) -> float:
        """The logarithm of the determinant of the covariance matrix."""
        return float(np.linalg.slogdet(self.covariance)[1])


@dataclass(frozen=True)
class _Batch:
    """Rows with equally many missing values."""

    rows: npt.NDArray[np.int64]
    missing: npt.NDArray[np.int64]
    """rows x missing values"""


class IncompleteNumbers:
    """Rows, some of them with missing values."""

    def __init__(self, data: NumericData) -> None:
        self.data = data
        weights = np.ones(len(data)) if data.weights is None else data.weights
        is_there = ~np.isnan(data.values)
        filled = np.where(is_there, data.values, 0)
        known = weights @ is_there
        self._center = (weights @ filled) / known
        deviations = np.where(is_there, data.values - self._center, 0)
        self._scale = np.sqrt((weights @ deviations**2) / known)
        self._values = deviations / self._scale  # 0 where missing
        self._weights, self._is_there = weights, is_there
        lacking = (~is_there).sum(axis=1)
        self._batches = [
            _Batch(rows, np.nonzero(~is_there[rows])[1].reshape(len(rows), number))
            for number in np.unique(lacking)
            for rows in [np.nonzero(lacking == number)[0]]
        ]

    def step(self, normal: Normal) -> tuple[Normal, float]:
        """The expected moments under a distribution, and the log-likelihood of the observed values."""
        total, n = self._weights.sum(), len(normal.mean)
        completed, uncertain, likelihood = np.empty_like(self._values), np.zeros((n, n)), 0.0
        for batch in self._batches:
            weights = self._weights[batch.rows]
            mean, variance, log_density = self._expected(batch, normal)
            completed[batch.rows] = mean
            likelihood += float(weights @ log_density)
            places = batch.missing[:, :, None], batch.missing[:, None, :]
            np.add.at(uncertain, np.broadcast_arrays(*places), weights[:, None, None] * variance)
        mean = self._weights @ completed / total
        deviations = completed - mean
        covariance = ((self._weights[:, None] * deviations).T @ deviations + uncertain) / total
        observed = self._weights @ self._is_there
        return Normal(mean, covariance), likelihood - float(observed @ np.log(self._scale))

    def _expected(self, batch: _Batch, normal: Normal) -> tuple[_Numbers, _Numbers, _Numbers]:
        """For the rows of a batch: their completed values, the variance of these, and the density of the rest."""
        values, n = self._values[batch.rows], len(normal.mean)
        deviations = np.where(self._is_there[batch.rows], values - normal.mean, 0)
        products = deviations @ normal.precision
        own = normal.precision[batch.missing[:, :, None], batch.missing[:, None, :]]
        variance = np.linalg.inv(own)
        pull = np.take_along_axis(products, batch.missing, axis=1)
        shift = -(variance @ pull[:, :, None])[:, :, 0]
        square = (products * deviations).sum(axis=1) + (pull * shift).sum(axis=1)
        logarithm = normal.log_determinant + np.linalg.slogdet(own)[1]
        density = -0.5 * (square + logarithm + (n - batch.missing.shape[1]) * math.log(2 * math.pi))
        np.put_along_axis(values, batch.missing, normal.mean[batch.missing] + shift, axis=1)
        return values, np.asarray(variance, np.float64), np.asarray(density)

    def fitted(self, project: Callable[[Normal], Normal], clock: Clock) -> tuple[Normal, float]:
        """By expectation maximisation; `project` gives the likeliest distribution with given moments."""
        n = len(self._center)
        found, before = Normal(np.zeros(n), np.eye(n)), -math.inf
        for _ in range(_MOST_ITERATIONS):
            expected, likelihood = self.step(found)
            if clock.is_out or not likelihood - before > _CONVERGED * self._weights.sum():
                break
            found, before = project(expected), likelihood
        return found, likelihood

    def moments(self, clock: Clock) -> NumericData:
        """A few rows with the moments of the normal distribution that explains the observed values best.

        There are two for each variable, on both sides of the mean; together they represent all rows.
        """
        normal = self.fitted(_apart, clock)[0]
        n = len(normal.mean)
        root = np.linalg.cholesky(np.round(normal.covariance, _DECIMALS) + _LEAST_LEFT * np.eye(n))
        rows = np.concatenate([root.T, -root.T]) * math.sqrt(n)
        weights = np.full(2 * n, self._weights.sum() / (2 * n))
        return replace(self.data, values=self._unscaled(rows + normal.mean), weights=weights, groups=None)

    def drawn(self, normal: Normal, random: np.random.Generator) -> NumericData:
        """All rows, with each missing value drawn from its distribution given the rest of its row."""
        values = self._values.copy()
        for batch in self._batches:
            if batch.missing.shape[1]:
                completed, variance, _ = self._expected(batch, normal)
                root = np.linalg.cholesky(variance)
                noise = (root @ random.normal(size=(*batch.missing.shape, 1)))[:, :, 0]
                mean = np.take_along_axis(completed, batch.missing, axis=1)
                rows = values[batch.rows]
                np.put_along_axis(rows, batch.missing, np.round(mean + noise, _DECIMALS), axis=1)
                values[batch.rows] = rows
        return replace(self.data, values=np.where(self._is_there, self.data.values, self._unscaled(values)))

    def _unscaled(self, values: _Numbers) -> _Numbers:
        return np.asarray(values * self._scale + self._center)


class CompletedNumbers:
    """Rows with missing values, and a linear network that is fitted to them."""

    def __init__(self, dag: DAG, rows: IncompleteNumbers, clock: Clock) -> None:
        place = {name: i for i, name in enumerate(rows.data.columns)}
        parents = [sorted(place[parent] for parent in dag.parents(name)) for name in rows.data.columns]
        self._rows = rows
        self._normal, self.log_likelihood = rows.fitted(lambda expected: _of_network(expected, parents), clock)
        self.parameters = sum(len(own) + 2 for own in parents)
        """how many are free"""

    def drawn(self, random: np.random.Generator) -> NumericData:
        """The rows with a value for each missing cell."""
        return self._rows.drawn(self._normal, random)


def _apart(normal: Normal) -> Normal:
    """The same, without exact linear dependence between variables."""
    return Normal(normal.mean, normal.covariance + _LEAST_LEFT * np.eye(len(normal.mean)))


def _of_network(normal: Normal, parents: list[list[int]]) -> Normal:
    """The likeliest distribution of a linear network with these moments."""
    n = len(parents)
    slopes, left = np.zeros((n, n)), np.empty(n)
    for child, own in enumerate(parents):
        among = normal.covariance[np.ix_(own, own)] + _LEAST_LEFT * np.eye(len(own))
        slopes[child, own] = np.linalg.solve(among, normal.covariance[own, child])
        row = np.eye(n)[child] - slopes[child]
        left[child] = max(float(row @ normal.covariance @ row), _LEAST_LEFT)
    whole = np.linalg.inv(np.eye(n) - slopes)
    return Normal(normal.mean, (whole * left) @ whole.T)


def copied(data: NumericData) -> NumericData:
    """The same rows; heavy ones with missing values are split, so that a single draw never counts many times."""
    if data.weights is None:
        return data
    lacks = np.isnan(data.values).any(axis=1)
    copies = np.where(lacks, np.minimum(np.ceil(data.weights), 1_000), 1).astype(np.int64)
    groups = None if data.groups is None else np.repeat(data.groups, copies)
    return replace(
        data,
        values=np.repeat(data.values, copies, axis=0),
        weights=np.repeat(data.weights / copies, copies),
        groups=groups,
    )


def units_of_moments(rows: NumericData, whole: NumericData) -> tuple[npt.NDArray[np.int64], int]:
    """The weights of the rows that `moments` returns, as whole numbers of a unit: all equal."""
    units, unit = (np.array([len(whole)]), 1) if whole.weights is None else in_units(whole.weights)
    total = int(units.sum())
    while total * len(rows) > _MOST_UNITS and unit > 1:
        total, unit = total // 2, unit // 2
    return np.full(len(rows), total, np.int64), unit * len(rows)
