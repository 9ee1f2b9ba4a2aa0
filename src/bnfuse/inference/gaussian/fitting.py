"""The numbers of a Gaussian network from data: least squares, and expectation maximisation if values are missing."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np

from bnfuse._base.texts import count, listed
from bnfuse.data.numeric import NumericData, NumericLike, read_numeric
from bnfuse.errors import BnfuseWarning, MismatchError
from bnfuse.graphs.dag import NetworkLike
from bnfuse.graphs.gaussian_network import GaussianNetwork
from bnfuse.graphs.network import as_network
from bnfuse.inference.gaussian.missing import maximised
from bnfuse.inference.gaussian.regressions import Regressions
from bnfuse.inference.parameters import EMProgress, Fitted, checked_prior

DEFAULT_PRIOR = 0.0
"""rows; a Gaussian network is fitted by maximum likelihood unless a prior is requested"""


def fit_with_warnings(network: GaussianNetwork, data: NumericLike, prior: float, **options: Any) -> GaussianNetwork:
    """The fitted network; notes on the data are issued as warnings."""
    fitted = fit(network, data, prior=prior, **options)
    for note in fitted.notes[1:]:
        warnings.warn(note, BnfuseWarning, stacklevel=3)
    assert isinstance(fitted.network, GaussianNetwork)
    return fitted.network


def fit(
    structure: NetworkLike,
    data: NumericLike,
    *,
    prior: float = DEFAULT_PRIOR,
    progress: EMProgress | None = None,
    na: Iterable[str] | None = None,
    weights: str | None = None,
) -> Fitted:
    """The structure with numbers estimated from data: by maximum likelihood, or with a prior.

    `prior` is an equivalent number of rows in which the variables are independent, with the means and variances that
    they have in the data. A row counts as many times as its value in the column `weights`.
    """
    shape = as_network(structure)
    rows = read_numeric(data, columns=shape.variables, na=na, weights=weights)
    prior = checked_prior(prior)
    if empty := [rows.columns[i] for i in np.flatnonzero(np.isnan(rows.values).all(0)).tolist()]:
        them = "it" if len(empty) == 1 else "them"
        raise MismatchError(
            f"the data have no value of {listed(empty)}; leave {them} out of the network, or measure {them}"
        )
    notes = [_said(rows)]
    history: list[float] = []
    if rows.missing:
        found, history, converged = maximised(shape.dag, rows, prior, progress)
        steps = count(len(history), "iteration")
        notes.append(
            f"{count(rows.missing, 'missing cell')} of {rows.values.size:,}: {steps} of expectation maximisation"
        )
        if not converged:
            notes.append(f"expectation maximisation was stopped after {steps}, not yet converged")
    else:
        found = Regressions.of_rows(shape.dag, rows.values, rows.weights, prior)
    notes += found.notes(_complete(found, rows) + prior)
    said = () if isinstance(data, NumericData) else rows.notes  # for NumericData, their reader has reported it
    return Fitted(found.network(shape.name), (*notes, *said), tuple(history))


def _complete(found: Regressions, rows: NumericData) -> int:
    """The rows with values of a whole family: the fewest of the variables that are determined by their parents."""
    place = {name: i for i, name in enumerate(rows.columns)}
    families = [[place[one] for one in (name, *found.dag.parents(name))] for name in found.exact]
    return min((int((~np.isnan(rows.values[:, own])).all(1).sum()) for own in families), default=len(rows))


def _said(rows: NumericData) -> str:
    represented = "" if rows.weights is None else f", which represent {rows.weight:,.10g}"
    return f"the numbers are estimated from {len(rows):,} rows{represented}"
