"""How networks do as models of data: what the paper's Table 5 is about.

All networks of one real base and seed are fitted on one data set, drawn from the base, and compared with the base
fitted on the same. Everything follows from the place: what it takes is kept for the next network.
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

_PRIOR = 0  # maximum likelihood, which is what EM comes to on complete data; unseen parent configurations are uniform
_LIMITS = TableLimits(table=2**22, total=2**28)  # 32 MiB for one table, 256 MiB for all: marginals within a second
_FITTED = 10  # of several networks, the first that stand for all


@dataclass(frozen=True, slots=True)
class Place:
    """A real base, and the data set that is drawn from it."""

    base: str
    seed: int
    rows: int


@dataclass(frozen=True, slots=True)
class Fit:
    """How networks, on average, do as models of the data; without data, nothing is known."""

    too_large: str | None = None
    """what was over the memory limit, so that no parameters or marginals are known: `tables` or `cliques`"""
    fit_seconds: float | None = None
    query_seconds: float | None = None
    marginal_error: float | None = None
    table_numbers: float | None = None
    """in all tables together, over the states that the data show, as the paper counts; of several networks, the most"""
    row_mean_error: float | None = None
    """as the paper prints it, also for networks that are too large for us to fit"""


class Time:
    """What a block of code took."""

    wall = 0.0
    cpu = 0.0


@contextmanager
def timed() -> Iterator[Time]:
    """The CPU seconds are those of this thread: the kernel is asked to use no other."""
    spent, wall, cpu = Time(), time.perf_counter(), time.thread_time()
    yield spent
    spent.wall, spent.cpu = time.perf_counter() - wall, time.thread_time() - cpu


def fitted(dags: Sequence[DAG], place: Place) -> Fit:
    """Networks fitted on the data, beside the base fitted on the same; those too large left out of the means."""
    row_means, true_means = _row_means(place), _true_row_means(place)
    as_printed = fmean(row_mean_error(row_means.of(dag), true_means) for dag in dags)
    numbers = float(max(map(row_means.table_numbers, dags)))
    each = [_fitted_alone(dag, place) for dag in dags[:_FITTED]]
    known = [one for one in each if isinstance(one, tuple)]
    if not known:
        return Fit(str(each[-1]), table_numbers=numbers, row_mean_error=as_printed)
    seconds, query_seconds, errors = (fmean(column) for column in zip(*known, strict=True))
    return Fit(None, seconds, query_seconds, errors, numbers, as_printed)


@lru_cache(maxsize=256)  # one network is often the answer to several limits
def _fitted_alone(dag: DAG, place: Place) -> tuple[float, float, float] | str:
    """The seconds to fit a network and to get its marginals, and their error; or what of it is too large."""
    if problem := _too_large(dag, place.base):
        return problem
    with timed() as fit:
        network = _on_data(dag, place)
    with timed() as query:
        found = marginals(network, limits=_LIMITS)
    return fit.wall, query.wall, _mean_difference(found, _true_marginals(place))


def _too_large(dag: DAG, base: str) -> str | None:
    """What of a network would take more memory than the limits allow: its tables, or the cliques of inference."""
    states = base_network(base).states
    assert states is not None
    try:
        check_tables(dag, states, _LIMITS)
    except TooLargeError:
        return "tables"
    cost = inference_cost(Network(dag, states))
    return None if _LIMITS.allow(cost.largest, cost.total) else "cliques"


def _mean_difference(found: Mapping[str, Table], truth: Mapping[str, Table]) -> float:
    """Over all states of all variables."""
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
    """Of the base network, refitted on the data."""
    return marginals(_on_data(base_network(place.base).dag, place))


@lru_cache(maxsize=4)
def _row_means(place: Place) -> RowMeans:
    return RowMeans(_data(place))


@lru_cache(maxsize=4)
def _true_row_means(place: Place) -> Means:
    """Of the base network, estimated from the data as all others."""
    return _row_means(place).of(base_network(place.base).dag)


def _on_data(dag: DAG, place: Place) -> Network:
    """A structure with the parameters that make the data of a base most likely."""
    states = base_network(place.base).states
    return parameters.fit(dag, _data(place), states=states, prior=_PRIOR, limits=_LIMITS).network
