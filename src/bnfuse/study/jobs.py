"""Running one job: from its description alone, without touching anything else, on any machine."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import lru_cache
from statistics import fmean

import numpy as np

from bnfuse import networks, parameters
from bnfuse._errors import TooLargeError
from bnfuse.cliques import clique_size, inference_cost
from bnfuse.consensus import consensus
from bnfuse.dag import DAG
from bnfuse.data import Data
from bnfuse.distances import fsim, smhd
from bnfuse.fusion import fuse, order
from bnfuse.inference import marginals
from bnfuse.network import Network, Table
from bnfuse.study.generator import inputs, synthetic_base
from bnfuse.study.grid import BASE, FUSED, INPUTS, Instance, Job
from bnfuse.table_sizes import TableLimits, check_tables

_PRIOR = 0  # maximum likelihood, which is what EM comes to on complete data; unseen parent configurations are uniform
_LIMITS = TableLimits(table=2**25, total=2**30)  # 256 MiB for one table, 1 GiB for all: several workers share a machine
_FITTED_INPUTS = 10  # of the inputs, the first that stand for all


@dataclass(frozen=True, slots=True)
class Row:
    """What is known of one network, or of several on average, for one metric."""

    algorithm: str
    metric: str
    distance: float
    clique: int
    """the largest, of several networks"""
    smallest_clique: int
    """the same, for one network"""
    arcs: float
    seconds: float
    cpu_seconds: float
    too_large: str | None = None
    """what was over the memory limit, so that no parameters or marginals are known: `tables` or `cliques`"""
    fit_seconds: float | None = None
    query_seconds: float | None = None
    marginal_error: float | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """Everything that a job found."""

    rows: tuple[Row, ...]
    seconds: float
    """of the whole job, its instance included where it was not there yet"""


def run(job: Job) -> Outcome:
    """The outcome of a job. All but the seconds follow from the description."""
    with _timed() as time_of_job:
        rows = _references(job) if job.algorithm is None else [_searched(job)]
    return Outcome(tuple(rows), time_of_job.wall)


class _Time:
    wall = 0.0
    cpu = 0.0


@contextmanager
def _timed() -> Iterator[_Time]:
    """The CPU seconds are those of this thread: the kernel is asked to use no other."""
    spent, wall, cpu = _Time(), time.perf_counter(), time.thread_time()
    yield spent
    spent.wall, spent.cpu = time.perf_counter() - wall, time.thread_time() - cpu


@dataclass(frozen=True, slots=True)
class _Fit:
    """How networks, on average, do as models of the data."""

    too_large: str | None = None
    fit_seconds: float | None = None
    query_seconds: float | None = None
    marginal_error: float | None = None


def _references(job: Job) -> list[Row]:
    """The full fusion, the inputs and the base: what each would be as the consensus."""
    dags = _dags(job.instance)
    with _timed() as spent:
        fusion = fuse(dags, threads=1)
    compared = {
        FUSED: [fusion.dag],
        INPUTS: dags,
        BASE: [_base(job.instance.base, job.instance.seed, job.instance.reading)],
    }
    rows = []
    for name, those in compared.items():
        fit = _fitted(job, those)
        cliques = [int(clique_size(dag)) for dag in those]
        for metric, distance in (("smhd", _mean_smhd), ("fsim", _mean_fsim)):
            rows.append(
                Row(
                    algorithm=name,
                    metric=metric,
                    distance=distance(those, dags),
                    clique=max(cliques),
                    smallest_clique=min(cliques),
                    arcs=fmean(len(dag.arc_numbers) for dag in those),
                    seconds=spent.wall if name == FUSED else 0.0,
                    cpu_seconds=spent.cpu if name == FUSED else 0.0,
                    **asdict(fit),
                )
            )
    return rows


def _mean_smhd(those: Sequence[DAG], dags: Sequence[DAG]) -> float:
    return fmean(smhd(dag, dags) for dag in those)


def _mean_fsim(those: Sequence[DAG], dags: Sequence[DAG]) -> float:
    ties = order(dags)
    return fmean(fsim(dag, dags, ties=ties, threads=1) for dag in those)


def _searched(job: Job) -> Row:
    assert job.algorithm is not None
    assert job.metric is not None
    assert job.max_clique is not None
    method, _, candidates = job.algorithm.partition(" ")
    names = ("population", "generations", "effort")
    options = {name: value for name in names if (value := getattr(job, name)) is not None}
    if candidates:
        options["candidates"] = candidates
    dags = _dags(job.instance)
    with _timed() as spent:
        found = consensus(
            dags,
            job.max_clique,
            metric=job.metric,
            method=method,
            seed=job.instance.seed,
            threads=1,
            **options,
        )
    return Row(
        algorithm=job.algorithm,
        metric=job.metric,
        distance=found.distance,
        clique=found.clique_size,
        smallest_clique=found.clique_size,
        arcs=len(found.dag.arc_numbers),
        seconds=spent.wall,
        cpu_seconds=spent.cpu,
        **asdict(_fitted(job, [found.dag])),
    )


def _fitted(job: Job, dags: Sequence[DAG]) -> _Fit:
    """Networks fitted on the data set of the seed, beside the base fitted on the same; those too large left out."""
    if not job.rows:
        return _Fit()
    place = job.instance.base, job.instance.seed, job.rows
    truth = _true_marginals(*place)
    fit_seconds, query_seconds, errors = [], [], []
    too_large = None
    for dag in dags[:_FITTED_INPUTS]:
        if problem := _too_large(dag, job.instance.base):
            too_large = problem
            continue
        with _timed() as spent:
            network = _on_data(dag, *place)
        fit_seconds.append(spent.wall)
        with _timed() as spent:
            found = marginals(network, limits=_LIMITS)
        query_seconds.append(spent.wall)
        errors.append(_mean_difference(found, truth))
    if not errors:
        return _Fit(too_large)
    return _Fit(None, fmean(fit_seconds), fmean(query_seconds), fmean(errors))


def _too_large(dag: DAG, base: str) -> str | None:
    """What of a network would take more memory than the limits allow: its tables, or the cliques of inference."""
    states = _network(base).states
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


@lru_cache(maxsize=16)
def _dags(instance: Instance) -> list[DAG]:
    base = _base(instance.base, instance.seed, instance.reading)
    seed = f"{instance.base} {instance.inputs} {instance.seed}"
    return inputs(base, instance.inputs, seed, instance.reading, real=instance.is_real)


@lru_cache(maxsize=16)
def _base(name: str, seed: int, reading: str) -> DAG:
    variables = Instance(name, 0, seed, reading).variables
    return _network(name).dag if variables is None else synthetic_base(variables, seed, reading)


@lru_cache(maxsize=4)
def _network(name: str) -> Network:
    return networks.load(name)


@lru_cache(maxsize=4)
def _data(name: str, seed: int, rows: int) -> Data:
    return _network(name).sample(rows, seed=seed)


@lru_cache(maxsize=4)
def _true_marginals(name: str, seed: int, rows: int) -> dict[str, Table]:
    """Of the base network, refitted on the data."""
    return marginals(_on_data(_network(name).dag, name, seed, rows))


def _on_data(dag: DAG, name: str, seed: int, rows: int) -> Network:
    """A structure with the parameters that make the data of a base most likely."""
    data, states = _data(name, seed, rows), _network(name).states
    return parameters.fit(dag, data, states=states, prior=_PRIOR, limits=_LIMITS).network
