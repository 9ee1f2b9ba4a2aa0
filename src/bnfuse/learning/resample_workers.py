"""Blocks of resamples on workers, returned in their order.

A worker that dies is replaced, and its block is learned again.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Future
from dataclasses import dataclass
from typing import TypeAlias

from bnfuse._base import processes
from bnfuse.errors import WorkerError
from bnfuse.graphs.dag import DAG, Rows, stacked
from bnfuse.learning.resampling import BLOCK_SECONDS, Learnt, Resampling
from bnfuse.search.run import Run

_Sent: TypeAlias = Rows | list[Learnt]
"""The rows of DAGs; the items unchanged if any of them is not a DAG"""

_AHEAD = 3  # blocks for each worker, so that none waits while the oldest one is still in progress
_MOST_DEATHS = 3  # deaths in a row: then the work itself ends the workers


@dataclass(frozen=True, slots=True)
class Place:
    """Where workers are: processes on this machine, or a dask cluster."""

    workers: int | None
    cluster: str | None
    """the address of its scheduler, or "local" """

    def blocks(self, task: Resampling, run: Run, first: int, end: int) -> Iterator[list[Learnt]]:
        """The networks of some resamples, a block at a time; ends early when the time is up."""
        place = (
            processes.processes(self.workers) if self.cluster is None else processes.cluster(self.cluster, self.workers)
        )
        with place as crew:
            yield from _Blocks(crew, task, run, first, end)


@dataclass(slots=True)
class _Block:
    first: int
    number: int
    future: Future[tuple[_Sent, float]] | None = None
    """None while no worker learns from it"""

    def is_lost(self, with_all_others: bool) -> bool:
        """After a worker died, perhaps with all others."""
        if self.future is None or not self.future.done():
            return with_all_others
        return self.future.cancelled() or self.future.exception() is not None


class _Blocks:
    def __init__(self, crew: processes.Workers, task: Resampling, run: Run, first: int, end: int) -> None:
        self._crew, self._variables, self._run = crew, task.data.variables, run
        self._task = crew.share(task.pickled())
        self._next, self._end = first, end
        self._under_way: deque[_Block] = deque()
        self._size = 1
        self._deaths = 0

    def __iter__(self) -> Iterator[list[Learnt]]:
        while self._next < self._end or self._under_way:
            try:
                self._submit()
                found = self._oldest()
            except CancelledError:
                raise WorkerError(f"{processes.GONE}; with a store, the same command continues from there") from None
            except Exception as error:
                if not processes.is_death(error):
                    raise
                self._go_on(all_are_lost=isinstance(error, BrokenExecutor))
                continue
            if found is None:
                return
            rows, seconds = found
            self._deaths = 0
            self._size = max(1, round(BLOCK_SECONDS * len(rows) / max(seconds, 1e-9)))
            yield rows if isinstance(rows, list) else [DAG.trusted(self._variables, one) for one in rows]

    def _submit(self) -> None:
        """Keep all workers busy, even at the end."""
        most = _AHEAD * self._crew.count()
        while self._next < self._end and len(self._under_way) < most:
            number = min(self._size, max(1, (self._end - self._next) // most))
            self._under_way.append(_Block(self._next, number))
            self._next += number
        for block in self._under_way:
            if block.future is None:
                block.future = self._crew.submit(_learned, self._task, self._run.seed, block.first, block.number)

    def _oldest(self) -> tuple[_Sent, float] | None:
        """The results for the oldest block; None when the time is up."""
        seconds = self._run.clock.left
        future = self._under_way[0].future
        assert future is not None
        try:
            found = future.result(None if math.isinf(seconds) else seconds)
        except TimeoutError:
            if future.done():  # a learner may have its own time limits
                raise
            return None
        self._under_way.popleft()
        return found

    def _go_on(self, all_are_lost: bool) -> None:
        """After a worker died: on this machine, it took the others with it."""
        self._deaths += 1
        if self._deaths == _MOST_DEATHS:
            raise WorkerError(
                "workers end repeatedly: there is too little memory (use fewer), or the script that started them lacks "
                'if __name__ == "__main__"; with a store, the same command continues from there'
            )
        self._crew.restart()
        for block in self._under_way:
            if block.is_lost(with_all_others=all_are_lost):
                block.future = None


def _learned(task: Resampling, seed: int, first: int, number: int) -> tuple[_Sent, float]:
    """On a worker: the networks of some resamples, and the seconds that they took."""
    start = time.perf_counter()
    found = task.learned(Run(seed, threads=1), first, number)
    dags = [one for one in found if isinstance(one, DAG)]
    return stacked(dags) if len(dags) == len(found) else found, time.perf_counter() - start
