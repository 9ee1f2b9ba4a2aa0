"""The quality of networks as models of data, as in the paper's Table 5.

All networks of one real base and seed are fitted to one data set, drawn from the base, and compared with the base
fitted to the same data. Everything is derived from the place in the grid and kept for the next network.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from statistics import fmean

import numpy as np

from bnfuse import networks
from bnfuse.data.data import Data
from bnfuse.errors import TooLargeError
from bnfuse.fusion.cliques import inference_cost
from bnfuse.fusion.table_sizes import TableLimits, check_tables
from bnfuse.graphs.dag import DAG
from bnfuse.graphs.network import Network, Table
from bnfuse.inference import parameters
from bnfuse.inference.queries import marginals
from bnfuse.study.row_means import Means, RowMeans, row_mean_error

_PRIOR = 0  # maximum likelihood, the result of EM on complete data; unseen parent configurations are uniform
_LIMITS = TableLimits(table=2**22, total=2**28)  # 32 MiB for one table, 256 MiB for all: marginals within a second
_FITTED = 10  # the first of several networks, which represent all


@dataclass(frozen=True, slots=True)
class Place:
    """A real base, and the data set drawn from it."""

    base: str
    seed: int
    rows: int


@dataclass(frozen=True, slots=True)
class Fit:
    """The mean quality of networks as models of data; without data, nothing is known."""

    too_large: str | None = None
    """the part that exceeded the memory limit, so that no parameters or marginals are known: `tables` or `cliques`"""
    fit_seconds: float | None = None
    query_seconds: float | None = None
    marginal_error: float | None = None
    table_numbers: float | None = None
    """in all tables together, over the states in the data, as in the paper; for several networks, the largest"""
    row_mean_error: float | None = None
    """the error as the paper prints it, also for networks that are too large for us to fit"""


class Time:
    """The time of a block of code."""

    wall = 0.0
    cpu = 0.0


@contextmanager
def timed() -> Iterator[Time]:
    """The CPU seconds are those of this thread: the kernel uses no other."""
    spent, wall, cpu = Time(), time.perf_counter(), time.thread_time()
    yield spent
    spent.wall, spent.cpu = time.perf_counter() - wall, time.thread_time() - cpu


def fitted(dags: Sequence[DAG], place: Place) -> Fit:
    """Networks fitted to the data, compared with the base fitted to the same; the means exclude too large ones."""
    row_means, true_means = _row_means(place), _true_row_means(place)
    as_printed = fmean(row_mean_error(row_means.of(dag), true_means) for dag in dags)
    numbers = float(max(map(row_means.table_numbers, dags)))
    each = [_fitted_alone(dag, place) for dag in dags[:_FITTED]]
    known = [one for one in each if isinstance(one, tuple)]
    if not known:
        return Fit(str(each[-1]), table_numbers=numbers, row_mean_error=as_printed)
    seconds, query_seconds, errors = (fmean(column) for column in zip(*known, strict=True))
    return Fit(None, seconds, query_seconds, errors, numbers, as_printed)


@lru_cache(maxsize=256)  # one network is often the result for several limits
def _fitted_alone(dag: DAG, place: Place) -> tuple[float, float, float] | str:
    """The seconds to fit a network and to compute its marginals, and their error; or the part that is too large."""
    if problem := _too_large(dag, place.base):
        return problem
    with timed() as fit:
        network = _on_data(dag, place)
    with timed() as query:
        found = marginals(network, limits=_LIMITS)
    return fit.wall, query.wall, _mean_difference(found, _true_marginals(place))


def _too_large(dag: DAG, base: str) -> str | None:
    """The part of a network that would exceed the memory limits: its tables, or the cliques of inference."""
    states = base_network(base).states
    assert states is not None
    try:
        check_tables(dag, states, _LIMITS)
    except TooLargeError:
        return "tables"
    cost = inference_cost(Network(dag, states))
    return None if _LIMITS.allow(cost.largest, cost.total) else "cliques"


def _mean_difference(found: Mapping[str, Table], truth: Mapping[str, Table]) -> float:
    """The error over all states of all variables."""
    return float(np.mean(np.abs(np.concatenate([found[name] - truth[name] for name in truth]))))


@lru_cache(maxsize=8)
def base_network(name: str) -> Network:
    """A real base."""
    return networks.load(name)


@lru_cache(maxsize=4)
def _data(place: Place) -> Data:
    return base_network(place.base).sample(place.rows, seed=place.seed)


@lru_cache(maxsize=4)
def _true_marginals(place: Place) -> dict[str, Table]:
    """The marginals of the base network, refitted to the data."""
    return marginals(_on_data(base_network(place.base).dag, place))


@lru_cache(maxsize=4)
def _row_means(place: Place) -> RowMeans:
    return RowMeans(_data(place))


@lru_cache(maxsize=4)
def _true_row_means(place: Place) -> Means:
    """The row means of the base network, estimated from the data like all others."""
    return _row_means(place).of(base_network(place.base).dag)


def _on_data(dag: DAG, place: Place) -> Network:
    """A structure with the parameters that make the data of a base most likely."""
    states = base_network(place.base).states
    return parameters.fit(dag, _data(place), states=states, prior=_PRIOR, limits=_LIMITS).network
