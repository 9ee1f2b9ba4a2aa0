"""A check of whether relations are linear: squares and cubes that explain the residuals of a variable given its parents.

For each variable v of a network, the linear effect of its parents is subtracted. If all relations are linear and the
noise is normal, the residual e is uncorrelated with the square and the cube of any other variable u. Let q be the part
of such a power that u and the parents do not explain linearly. It is compared with e by the score test that allows
unequal variances (White 1980): (sum of e q)^2 / sum of e^2 q^2 is chi-squared with one degree of freedom. A relation is
reported if the statistic exceeds the value that any of these tests would exceed by chance in one of a hundred tables
(Bonferroni), and if q explains a hundredth of e. A relation without a linear part, such as a parabola around its
vertex, gives no arc, so all pairs are examined.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bnfuse._base.options import option_name
from bnfuse._base.texts import listed
from bnfuse.data.numeric import NumericData
from bnfuse.graphs.dag import DAG

CHANCE = 0.01
LEAST_SHARE = 0.01

_MOST_ROWS = 5_000
_MOST_PAIRS = 40_000
_LEAST_ROWS = 30
_SHOWN = 3
_POWERS = {"square": 2, "cube": 3}

_Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Curve:
    """A relation that is not linear."""

    variable: str
    other: str
    """the power that explains it"""
    power: str
    share: float
    """the share of the residual that the power explains"""
    chance: float
    """the probability of so large a share if all relations were linear"""


def curves(data: NumericData, dag: DAG) -> list[Curve]:
    """The relations that are not linear, the clearest first; none if too few rows are complete."""
    values, weights = _looked_at(data)
    n = values.shape[1]
    if len(values) < max(_LEAST_ROWS, 3 * n) or n < 2:
        return []
    place = {name: i for i, name in enumerate(data.columns)}
    pairs = [(v, u) for v in range(n) for u in range(n) if u != v]
    if len(pairs) > _MOST_PAIRS:
        pairs = [(place[v], place[u]) for u, v in dag.edges]
    limit = CHANCE / max(len(pairs) * len(_POWERS), 1)
    found = []
    for v, name in enumerate(data.columns):
        others = [u for w, u in pairs if w == v]
        parents = [place[one] for one in dag.parents(name)]
        for power, shares, chances in _tests(values, weights, v, parents, others):
            found += [
                Curve(name, data.columns[u], power, share, chance)
                for u, share, chance in zip(others, shares.tolist(), chances, strict=True)
                if chance < limit and share >= LEAST_SHARE
            ]
    return sorted(found, key=lambda one: (-one.share, one.variable, one.other))


def _tests(
    values: _Numbers, weights: _Numbers, child: int, parents: list[int], others: list[int]
) -> Iterator[tuple[str, _Numbers, list[float]]]:
    """For each power and each other variable: the share that it explains, and the probability of such a statistic."""
    root = np.sqrt(weights)[:, None]
    basis = np.linalg.qr(np.column_stack([np.ones(len(values)), values[:, parents]]) * root)[0]
    left = _without(basis, values[:, [child]] * root)
    linear = _without(basis, values[:, others] * root)
    least = 1e-9 * len(values)
    length = (linear**2).sum(axis=0)
    for power, exponent in _POWERS.items():
        own = _without(basis, values[:, others] ** exponent * root)
        own -= linear * np.where(length > least, (linear * own).sum(axis=0) / np.maximum(length, least), 0)
        product, size = (left * own).sum(axis=0), (own**2).sum(axis=0)
        spread = (left**2 * own**2).sum(axis=0)
        is_there = (size > least) & (spread > 0)
        share = np.where(is_there, product**2 / np.where(is_there, size, 1) / max(float((left**2).sum()), least), 0)
        statistic = np.where(is_there, product**2 / np.where(is_there, spread, 1), 0)
        yield power, share, [math.erfc(math.sqrt(one / 2)) for one in statistic.tolist()]


def curve_notes(data: NumericData, dag: DAG) -> tuple[str, ...]:
    """The text of a note about them."""
    found = curves(data, dag)
    if not found:
        return ()
    shown = [f"{one.variable} and the {one.power} of {one.other} ({one.share:.0%} of the residual)" for one in found]
    return (
        f"relations that are not linear, or noise that is not normal: {listed(shown, _SHOWN, str)}; discrete "
        f"classes need no linear relations: learn without {option_name('gaussian')}; {option_name('bins')} sets "
        "their number",
    )


def _looked_at(data: NumericData) -> tuple[_Numbers, _Numbers]:
    """Complete rows, evenly spread if there are very many, with each column centred and scaled."""
    rows = np.nonzero(~np.isnan(data.values).any(axis=1))[0]
    rows = rows[:: max(1, math.ceil(len(rows) / _MOST_ROWS))]
    values = data.values[rows]
    weights = np.ones(len(rows)) if data.weights is None else data.weights[rows] / data.weights[rows].mean()
    if len(values):
        values = values - values.mean(axis=0)
        deviations = values.std(axis=0)
        values = values / np.where(deviations > 0, deviations, 1)
    return values, weights


def _without(basis: _Numbers, columns: _Numbers) -> _Numbers:
    """The residuals of columns after projection on an orthonormal basis."""
    return np.asarray(columns - basis @ (basis.T @ columns))
