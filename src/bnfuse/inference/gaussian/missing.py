"""Expectation maximisation for a Gaussian network: missing values by their exact conditional moments."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from bnfuse.data.numeric import NumericData
from bnfuse.errors import OptionError
from bnfuse.graphs.dag import DAG
from bnfuse.graphs.normal import Matrix, Vector
from bnfuse.inference.gaussian.joint import weighted
from bnfuse.inference.gaussian.regressions import Regressions
from bnfuse.inference.gaussian.rows import patterns
from bnfuse.inference.parameters import EMProgress

MOST_ITERATIONS = 2_000
CONVERGED = 1e-10
"""gain of the log-likelihood for each row, below which another iteration is not worth it"""
_MOST_WORK = 10**12  # multiplications in one iteration: minutes
_ROUNDING = 1e-7  # of the residual of a variable whose moments are squares
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

    def expected(self, mean: Vector, covariance: Matrix) -> tuple[Vector, Matrix, float]:
        """The expected sums of values and of products, and the log-likelihood of the observed values."""
        n = len(mean)
        first, second, likelihood = np.zeros(n), np.zeros((n, n)), 0.0
        for seen, places in self.patterns:
            own, weights = self.standard[places], self.weights[places]
            filled = np.empty_like(own)
            filled[:, seen] = own[:, seen]
            if not seen.any():
                filled[:] = mean
                second += weights.sum() * covariance
            elif seen.all():
                likelihood += _log_density(own - mean, covariance, weights)[0]
            else:
                apart = own[:, seen] - mean[seen]
                density, inverse = _log_density(apart, covariance[np.ix_(seen, seen)], weights)
                likelihood += density
                slopes = covariance[np.ix_(~seen, seen)] @ inverse
                filled[:, ~seen] = mean[~seen] + apart @ slopes.T
                left = covariance[np.ix_(~seen, ~seen)] - slopes @ covariance[np.ix_(seen, ~seen)]
                second[np.ix_(~seen, ~seen)] += weights.sum() * left
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

        return Regressions.of(self.dag, family_of, _ROUNDING)

    def in_units(self, found: Regressions) -> Regressions:
        """The same numbers in the units of the data."""
        centre = dict(zip(self.dag.variables, self.centre.tolist(), strict=True))
        unit = dict(zip(self.dag.variables, self.unit.tolist(), strict=True))
        real = Regressions(self.dag, dependent=found.dependent, exact=found.exact)
        for name, own in found.coefficients.items():
            real.coefficients[name] = {parent: number * unit[name] / unit[parent] for parent, number in own.items()}
            from_parents = sum(number * centre[parent] for parent, number in real.coefficients[name].items())
            real.intercepts[name] = centre[name] + found.intercepts[name] * unit[name] - from_parents
            real.deviations[name] = found.deviations[name] * unit[name]
        return real


def maximised(
    dag: DAG, rows: NumericData, prior: float, progress: EMProgress | None
) -> tuple[Regressions, list[float], bool]:
    """The numbers, the log-likelihood of the observed values in each iteration, and whether these converged."""
    moments = Moments(dag, rows)
    mean, covariance = np.zeros(len(dag.variables)), np.diag((moments.scale > 0).astype(np.float64))
    history: list[float] = []
    converged, before, penalty = False, -math.inf, 0.0
    while not converged and len(history) < MOST_ITERATIONS:
        first, second, likelihood = moments.expected(mean, covariance)
        converged = bool(history) and likelihood + penalty - before <= CONVERGED * moments.total
        before = likelihood + penalty
        history.append(likelihood)
        if progress is not None:
            progress(len(history), likelihood)
        expected = first / moments.total
        found = moments.regressions(expected, second / moments.total - np.outer(expected, expected), prior)
        penalty = _penalty(found, prior)
        now = weighted(found.network(), dag.variables)
        mean, covariance = now.mean, now.covariance
    return moments.in_units(found), history, converged


def _penalty(found: Regressions, prior: float) -> float:
    """The logarithm of the prior's density, up to a constant."""
    total = 0.0
    for name, deviation in found.deviations.items():
        if deviation:
            squares = 1 + sum(number**2 for number in found.coefficients[name].values())
            total -= 0.5 * prior * (2 * math.log(deviation) + squares / deviation**2)
    return total


def _log_density(apart: Matrix, covariance: Matrix, weights: Vector) -> tuple[float, Matrix]:
    """The summed logarithm of the density of rows, and the inverse of their covariance matrix.

    Directions without any variance count in neither: a value that follows from other values has no density of its own.
    """
    values, vectors = np.linalg.eigh(covariance)
    kept = values > 1e-12 * max(float(values[-1]), 0.0)
    inverse = (vectors[:, kept] / values[kept]) @ vectors[:, kept].T
    squares = ((apart @ inverse) * apart).sum(1)
    constant = float(np.log(values[kept]).sum()) + int(kept.sum()) * _LOG_TWO_PI
    return -0.5 * float(weights @ squares) - 0.5 * constant * float(weights.sum()), inverse


def _root(covariance: Matrix) -> Matrix:
    """A square root of a covariance matrix, used in place of rows."""
    values, vectors = np.linalg.eigh(covariance)
    root: Matrix = np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T
    return root
