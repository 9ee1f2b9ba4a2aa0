"""Expectation maximisation for a Gaussian network: missing values by their exact conditional moments."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from bnfuse.data.numeric import NumericData
from bnfuse.errors import OptionError
from bnfuse.graphs.dag import DAG
from bnfuse.graphs.normal import Matrix, Vector
from bnfuse.inference.gaussian.joint import Weighted, weighted
from bnfuse.inference.gaussian.regressions import Regressions
from bnfuse.inference.gaussian.rows import patterns
from bnfuse.inference.parameters import EMProgress

MOST_ITERATIONS = 2_000
CONVERGED = 1e-10
"""gain of the log-likelihood for each row, below which another iteration is not worth it"""
_MOST_WORK = 10**12  # multiplications in one iteration: minutes
_LEAST_LEFT = 1e-5
"""the smallest standard deviation of a variable given its parents, as a share of its own: with less, the likelihood
would have no maximum if few rows have values of a whole family, and squares no digits; at the end it counts as 0"""
_ROUNDING = 3e-5  # parents that differ by less depend on each other
_LOG_TWO_PI = math.log(2 * math.pi)


class Moments:
    """Rows with some missing values, and the quantities that every iteration needs."""

    def __init__(self, dag: DAG, rows: NumericData) -> None:
        self.dag = dag
        self.weights = np.ones(len(rows)) if rows.weights is None else rows.weights
        self.total = float(self.weights.sum())
        present = ~np.isnan(rows.values)
        seen = np.where(present, rows.values, 0.0)
        counted = self.weights @ present
        self.centre = (self.weights @ seen) / counted
        """the means of the observed values, from which all values are measured"""
        least, most = np.nanmin(rows.values, 0), np.nanmax(rows.values, 0)
        self.centre = np.where(least == most, least, self.centre)  # the mean of a constant without rounding
        apart = np.where(present, rows.values - self.centre, 0.0)
        self.scale = np.sqrt((self.weights @ apart**2) / counted)
        self.unit = np.where(self.scale > 0, self.scale, 1.0)
        self.standard = np.where(present, apart / self.unit, np.nan)
        self.patterns = list(patterns(rows.values))
        n = len(dag.variables)
        if len(self.patterns) * n**3 + len(rows) * n**2 > _MOST_WORK:
            raise OptionError(
                f"expectation maximisation over {n:,} variables with {len(self.patterns):,} patterns of missing values "
                "takes hours; leave out rows or columns with missing values"
            )

    def expected(self, now: Weighted) -> tuple[Vector, Matrix, float]:
        """The expected sums of values and of products, and the log-likelihood of the observed values."""
        n = len(now.mean)
        first, second, likelihood = np.zeros(n), np.zeros((n, n)), 0.0
        for seen, places in self.patterns:
            own, weights = self.standard[places], self.weights[places]
            density, standard, basis = _log_density(own[:, seen] - now.mean[seen], now.weights[seen], weights)
            likelihood += density
            filled = own.copy()
            unknown = now.weights[~seen]
            along = unknown @ basis.T
            filled[:, ~seen] = now.mean[~seen] + standard @ along.T
            left = unknown - along @ basis
            second[np.ix_(~seen, ~seen)] += weights.sum() * (left @ left.T)
            first += weights @ filled
            second += (filled * weights[:, None]).T @ filled
        spread = float(np.log(self.unit) @ (self.weights @ ~np.isnan(self.standard)))
        return first, second, likelihood - spread

    def regressions(self, mean: Vector, covariance: Matrix, prior: float) -> Regressions:
        """The network with the closest moments, in standard units, in which the prior's variances are 1."""
        place = {name: i for i, name in enumerate(self.dag.variables)}
        share = self.total / (self.total + prior)
        together = share * covariance + np.diag((1 - share) * (self.scale > 0))

        def family_of(names: Sequence[str]) -> tuple[Matrix, Vector]:
            chosen = [place[name] for name in names]
            return _root(together[np.ix_(chosen, chosen)]), mean[chosen]

        return Regressions.of(self.dag, family_of, _ROUNDING, _LEAST_LEFT)

    def in_units(self, found: Regressions) -> Regressions:
        """The same numbers in the units of the data."""
        centre = dict(zip(self.dag.variables, self.centre.tolist(), strict=True))
        unit = dict(zip(self.dag.variables, self.unit.tolist(), strict=True))
        real = Regressions(self.dag, dependent=found.dependent, exact=found.exact)
        for name, own in found.coefficients.items():
            real.coefficients[name] = {parent: number * unit[name] / unit[parent] for parent, number in own.items()}
            from_parents = sum(number * centre[parent] for parent, number in real.coefficients[name].items())
            real.intercepts[name] = centre[name] + found.intercepts[name] * unit[name] - from_parents
            real.deviations[name] = 0.0 if name in found.exact else found.deviations[name] * unit[name]
        return real


def maximised(
    dag: DAG, rows: NumericData, prior: float, progress: EMProgress | None
) -> tuple[Regressions, list[float], bool]:
    """The numbers, the log-likelihood of the observed values in each iteration, and whether these converged."""
    moments = Moments(dag, rows)
    n = len(dag.variables)
    now = Weighted(dag.variables, np.zeros(n), np.diag((moments.scale > 0).astype(np.float64)))
    history: list[float] = []
    converged, before, penalty = False, -math.inf, 0.0
    while not converged and len(history) < MOST_ITERATIONS:
        first, second, likelihood = moments.expected(now)
        converged = bool(history) and likelihood + penalty - before <= CONVERGED * moments.total
        before = likelihood + penalty
        history.append(likelihood)
        if progress is not None:
            progress(len(history), likelihood)
        expected = first / moments.total
        found = moments.regressions(expected, second / moments.total - np.outer(expected, expected), prior)
        penalty = _penalty(found, prior)
        now = weighted(found.network(), dag.variables)
    return moments.in_units(found), history, converged


def _penalty(found: Regressions, prior: float) -> float:
    """The logarithm of the prior's density, up to a constant."""
    total = 0.0
    for name, deviation in found.deviations.items():
        if deviation:
            squares = 1 + sum(number**2 for number in found.coefficients[name].values())
            total -= 0.5 * prior * (2 * math.log(deviation) + squares / deviation**2)
    return total


def _log_density(apart: Matrix, noises: Matrix, weights: Vector) -> tuple[float, Matrix, Matrix]:
    """The summed logarithm of the density of rows, the rows in standard units, and the directions of these.

    Directions without any variance do not count: a value that follows from other values has no density of its own.
    """
    left, singular, basis = np.linalg.svd(noises, full_matrices=False)
    kept = singular > 1e-12 * singular.max(initial=0.0)
    standard = (apart @ left[:, kept]) / singular[kept]
    constant = float(np.log(singular[kept]).sum()) + 0.5 * int(kept.sum()) * _LOG_TWO_PI
    return -0.5 * float(weights @ (standard**2).sum(1)) - constant * float(weights.sum()), standard, basis[kept]


def _root(covariance: Matrix) -> Matrix:
    """A square root of a covariance matrix, used in place of rows."""
    values, vectors = np.linalg.eigh(covariance)
    root: Matrix = np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T
    return root
