"""A look at whether relations are linear: squares that explain what the parents leave of a variable.

For each variable v of a network, what its parents explain linearly is taken off; what is left, e, has nothing to do
with the square of any other variable u if all relations are linear and the noise is normal. The part q of u's square
that u and the parents do not explain linearly is compared with it, by the score test that does not mind unequal
variances (White 1980): (sum of e q)^2 / sum of e^2 q^2 is chi-squared with one degree of freedom. It counts where it is
beyond what one of all pairs would have by chance once in a hundred tables (Bonferroni), and q explains a hundredth of
e. A relation without a linear part, such as a parabola around its vertex, gives no arc: so all pairs are looked at.
"""

from __future__ import annotations

import math
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

_Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Curve:
    """A relation that is not linear."""

    variable: str
    other: str
    """whose square explains it"""
    share: float
    """of what the parents leave, explained by the square"""
    chance: float
    """of so large a share, were all relations linear"""


def curves(data: NumericData, dag: DAG) -> list[Curve]:
    """The relations that are not linear, the clearest first; none where too few rows are complete."""
    values, weights = _looked_at(data)
    n = values.shape[1]
    if len(values) < max(_LEAST_ROWS, 3 * n) or n < 2:
        return []
    place = {name: i for i, name in enumerate(data.columns)}
    pairs = [(v, u) for v in range(n) for u in range(n) if u != v]
    if len(pairs) > _MOST_PAIRS:
        pairs = [(place[v], place[u]) for u, v in dag.edges]
    limit = CHANCE / max(len(pairs), 1)
    found = []
    root = np.sqrt(weights)[:, None]
    for v, name in enumerate(data.columns):
        own = np.column_stack([np.ones(len(values)), values[:, [place[one] for one in dag.parents(name)]]]) * root
        basis = np.linalg.qr(own)[0]
        others = [u for w, u in pairs if w == v]
        left = _without(basis, values[:, [v]] * root)[:, 0]
        linear = _without(basis, values[:, others] * root)
        squares = _without(basis, values[:, others] ** 2 * root)
        for place_of, u in enumerate(others):
            line, square = linear[:, place_of], squares[:, place_of]
            if (length := float(line @ line)) > 1e-9 * len(values):
                square = square - line * (float(line @ square) / length)
            product = float(left @ square)
            size, spread = float(square @ square), float((left**2) @ (square**2))
            if size < 1e-9 * len(values) or not spread:
                continue
            share = product**2 / (size * float(left @ left))
            chance = math.erfc(math.sqrt(product**2 / spread / 2))
            if chance < limit and share >= LEAST_SHARE:
                found.append(Curve(name, data.columns[u], share, chance))
    return sorted(found, key=lambda one: (-one.share, one.variable, one.other))


def curve_notes(data: NumericData, dag: DAG) -> tuple[str, ...]:
    """What to say of them."""
    found = curves(data, dag)
    if not found:
        return ()
    shown = [f"{one.variable} and the square of {one.other} ({one.share:.0%} of what is left)" for one in found]
    return (
        f"relations that are not linear, or noise that is not normal: {listed(shown, _SHOWN, str)}; classes of numbers "
        f"need no straight lines: learn without {option_name('gaussian')}; {option_name('bins')} says how many",
    )


def _looked_at(data: NumericData) -> tuple[_Numbers, _Numbers]:
    """Complete rows, evenly spread where there are very many, each column centred and scaled."""
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
    """What an orthonormal basis leaves of columns."""
    return np.asarray(columns - basis @ (basis.T @ columns))
