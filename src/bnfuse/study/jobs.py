"""Running one job: from its description alone, without side effects, on any machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from statistics import fmean
from typing import Any

from bnfuse.answer.consensus import consensus, frontier
from bnfuse.answer.question import METHODS
from bnfuse.answer.result import Consensus
from bnfuse.fusion.cliques import clique_size
from bnfuse.fusion.distances import fsim, shd, smhd
from bnfuse.fusion.fusion import fuse, order
from bnfuse.graphs.dag import DAG
from bnfuse.search.paper.genetic import GeneticOptions
from bnfuse.study.fitting import Fit, Place, base_network, fitted, timed
from bnfuse.study.generator import inputs, synthetic_base
from bnfuse.study.grid import BASE, FUSED, INPUTS, Instance, Job, options_of


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRow(Fit):
    """The results for one network, or the mean of several, for one metric; also as models of data."""

    algorithm: str
    metric: str
    max_clique: int | None
    """the limit of a search; None for a reference"""
    distance: float
    clique: int
    """for several networks, the largest"""
    smallest_clique: int
    """the same, for one network"""
    arcs: float
    seconds: float
    cpu_seconds: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """All results of a job."""

    rows: tuple[RunRow, ...]
    seconds: float
    """of the whole job, including its instance if it was not available"""


def run(job: Job) -> Outcome:
    """The result of a job. Everything except the seconds follows from the description."""
    with timed() as spent:
        rows = tuple(_references(job) if job.algorithm is None else _searched(job))
    return Outcome(rows, spent.wall)


def _references(job: Job) -> Iterator[RunRow]:
    """The full fusion, the inputs and the base, each in the place of the consensus."""
    dags = _dags(job.instance)
    with timed() as spent:
        fusion = fuse(dags, threads=1)
    compared = {
        FUSED: [fusion.dag],
        INPUTS: dags,
        BASE: [_base(job.instance.base, job.instance.seed, job.instance.reading)],
    }
    for name, those in compared.items():
        fit = _fit(job, those)
        cliques = [int(clique_size(dag)) for dag in those]
        for metric, distance in (("smhd", _mean_smhd), ("fsim", _mean_fsim), ("shd", _mean_shd)):
            yield RunRow(
                algorithm=name,
                metric=metric,
                max_clique=None,
                distance=distance(those, dags),
                clique=max(cliques),
                smallest_clique=min(cliques),
                arcs=fmean(len(dag.arc_numbers) for dag in those),
                seconds=spent.wall if name == FUSED else 0.0,
                cpu_seconds=spent.cpu if name == FUSED else 0.0,
                **asdict(fit),
            )


def _mean_smhd(those: Sequence[DAG], dags: Sequence[DAG]) -> float:
    return fmean(smhd(dag, dags) for dag in those)


def _mean_fsim(those: Sequence[DAG], dags: Sequence[DAG]) -> float:
    ties = order(dags)
    return fmean(fsim(dag, dags, ties=ties, threads=1) for dag in those)


def _mean_shd(those: Sequence[DAG], dags: Sequence[DAG]) -> float:
    return fmean(shd(dag, dags) for dag in those)


def _searched(job: Job) -> Iterator[RunRow]:
    """A row for each limit. When carrying over, the search starts from the result for the previous limit."""
    assert job.algorithm is not None
    assert job.metric is not None
    method, _, candidates = job.algorithm.partition(" ")
    sizes = {
        "candidates": candidates or None,
        "population": job.population,
        "generations": job.generations,
        "effort": job.effort,
    }
    given = options_of(method, job.options) | {name: value for name, value in sizes.items() if value is not None}
    kind: Any = METHODS[method]
    options: dict[str, Any] = {
        "method": GeneticOptions.from_preset(**given) if method == "genetic" else kind(**given),
        "metric": job.metric,
        "directions": "any",  # the paper's problem
        "seed": job.instance.seed,
        "threads": 1,
    }
    dags = _dags(job.instance)
    with timed() as spent:
        found = (
            frontier(dags, job.limits, **options)
            if job.carry
            else [consensus(dags, limit, **options) for limit in job.limits]
        )
    shares = _shares(found)
    for limit, result, share in zip(job.limits, found, shares, strict=True):
        yield RunRow(
            algorithm=job.algorithm,
            metric=job.metric,
            max_clique=limit,
            distance=result.distance,
            clique=result.clique_size,
            smallest_clique=result.clique_size,
            arcs=len(result.dag.arc_numbers),
            seconds=share * spent.wall,
            cpu_seconds=share * spent.cpu,
            **asdict(_fit(job, [result.dag])),
        )


def _shares(found: Sequence[Consensus]) -> list[float]:
    """The share of each search in their common time."""
    total = sum(result.seconds for result in found)
    return [result.seconds / total if total else 1 / len(found) for result in found]


def _fit(job: Job, dags: Sequence[DAG]) -> Fit:
    return fitted(dags, Place(job.instance.base, job.instance.seed, job.rows)) if job.rows else Fit()


@lru_cache(maxsize=16)
def _dags(instance: Instance) -> list[DAG]:
    base = _base(instance.base, instance.seed, instance.reading)
    seed = f"{instance.base} {instance.inputs} {instance.seed}"
    return inputs(base, instance.inputs, seed, instance.reading, real=instance.is_real)


@lru_cache(maxsize=16)
def _base(name: str, seed: int, reading: str) -> DAG:
    variables = Instance(name, 0, seed, reading).variables
    return base_network(name).dag if variables is None else synthetic_base(variables, seed, reading)
