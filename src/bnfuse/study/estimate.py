"""The time that jobs will take, estimated from finished jobs of the same kind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from bnfuse.networks import catalogue
from bnfuse.study.grid import Job

_SAMPLES = 2  # jobs of each group to run before an estimate


class Estimate:
    """Seconds for each unit of work, by group of jobs."""

    def __init__(self) -> None:
        self._seconds: dict[tuple[str, str], float] = defaultdict(float)
        self._work: dict[tuple[str, str], float] = defaultdict(float)

    def add(self, job: Job, seconds: float) -> None:
        """The time that a job took."""
        self._seconds[job.group] += seconds
        self._work[job.group] += _work(job)

    def seconds(self, jobs: Iterable[Job]) -> float | None:
        """The time that jobs will take one after the other; None if nothing is known about some."""
        total = 0.0
        for job in jobs:
            if job.group not in self._work:
                return None
            total += _work(job) * self._seconds[job.group] / self._work[job.group]
        return total

    def samples(self, jobs: Iterable[Job]) -> list[Job]:
        """A few jobs, easy and hard, of each group about which nothing is known yet."""
        groups: dict[tuple[str, str], list[Job]] = defaultdict(list)
        for job in jobs:
            if job.group not in self._work:
                groups[job.group].append(job)
        return [job for group in groups.values() for job in _spread(sorted(group, key=_work))]


def _spread(jobs: Sequence[Job]) -> list[Job]:
    if len(jobs) <= _SAMPLES:
        return list(jobs)
    return [jobs[(2 * i + 1) * len(jobs) // (2 * _SAMPLES)] for i in range(_SAMPLES)]


def _work(job: Job) -> float:
    """A measure of work that is roughly proportional to the time within a group of jobs."""
    size = job.instance.inputs * (job.instance.variables or _SIZES[job.instance.base])
    return size * max(len(job.limits), 1)


_SIZES = {benchmark.name: benchmark.variables for benchmark in catalogue()}
