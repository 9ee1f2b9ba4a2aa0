"""Running a study: everything in its grid that is not in its store yet."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from dataclasses import dataclass

from bnfuse._base.processes import GONE, Workers
from bnfuse.errors import WorkerError
from bnfuse.study.estimate import Estimate
from bnfuse.study.grid import Job
from bnfuse.study.jobs import Outcome, run
from bnfuse.study.store import StudyStore

_AHEAD = 2  # jobs in progress for each worker, so that none waits for the coordinator
_TELL_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Status:
    """The progress of a study."""

    jobs: int
    """all known jobs; searches are not known while references are missing"""
    finished: int
    failed: int
    unplanned: int
    """instances whose searches are not known yet"""

    @property
    def left(self) -> int:
        """Jobs that have not been run."""
        return self.jobs - self.finished - self.failed

    @property
    def is_complete(self) -> bool:
        """Whether there is nothing left to run or repeat."""
        return self.finished == self.jobs and not self.unplanned


@dataclass(frozen=True, slots=True)
class Now:
    """Reports while jobs run."""

    phase: str
    """`instances`, `calibration` or `searches`"""
    done: int
    total: int
    failed: int
    seconds_left: float | None


Watch = Callable[[Now], None]


def planned(store: StudyStore) -> tuple[list[Job], int]:
    """All known jobs, and the number of instances whose searches are not known."""
    grid, cliques = store.grid, store.fused_cliques()
    jobs, unplanned = grid.reference_jobs(), 0
    for instance in grid.instances():
        if (clique := cliques.get((instance.base, instance.inputs, instance.seed))) is None:
            unplanned += 1
        else:
            jobs += grid.search_jobs(instance, clique)
    return jobs, unplanned


def status(store: StudyStore) -> Status:
    """The progress of a study."""
    jobs, unplanned = planned(store)
    finished, failures = store.finished(), store.failures()
    return Status(
        jobs=len(jobs),
        finished=sum(job.key in finished for job in jobs),
        failed=sum(job.key in failures for job in jobs),
        unplanned=unplanned,
    )


class Runner:
    """One run of a study, on some workers."""

    def __init__(self, store: StudyStore, workers: Workers, watch: Watch | None = None) -> None:
        self._store = store
        self._workers = workers
        self._watch = watch
        self._estimate = Estimate()
        self._told = 0.0

    def prepare(self) -> float:
        """Create the instances and time a few searches of each kind; return the seconds that the rest will take."""
        self._work_off("instances", self._left(self._store.grid.reference_jobs()))
        jobs, _ = planned(self._store)
        finished = self._store.finished()
        for job in jobs:
            if job.key in finished:
                self._estimate.add(job, finished[job.key])
        self._work_off("calibration", self._estimate.samples(self._left(jobs)))
        return (self._estimate.seconds(self._left(jobs)) or 0.0) / self._workers.count()

    def finish(self) -> Status:
        """Run all remaining jobs."""
        self._work_off("searches", self._left(planned(self._store)[0]))
        return status(self._store)

    def _left(self, jobs: Iterable[Job]) -> list[Job]:
        finished = self._store.finished()
        return [job for job in jobs if job.key not in finished]

    def _work_off(self, phase: str, jobs: list[Job]) -> None:
        """Run jobs, and keep each result as soon as it arrives."""
        waiting, running = deque(jobs), dict[Future[Outcome], Job]()
        failures = 0
        while waiting or running:
            self._tell(phase, len(jobs), [*waiting, *running.values()], failures)
            lost = self._submit(waiting, running)
            done = wait(running, return_when=FIRST_COMPLETED).done
            while done:
                job = running.pop(future := done.pop())
                try:
                    failures += not self._kept(job, future)
                except BrokenExecutor:
                    lost.append(job)
                if lost:  # and so are all others, unless they have finished before
                    done |= running.keys()
            if lost:
                failures += self._run_alone(lost)
        self._tell(phase, len(jobs), [], failures)

    def _submit(self, waiting: deque[Job], running: dict[Future[Outcome], Job]) -> list[Job]:
        """Keep all workers busy; return the job that could not be submitted if the workers are gone."""
        while waiting and len(running) < _AHEAD * self._workers.count():
            job = waiting.popleft()
            try:
                running[self._workers.submit(run, job)] = job
            except BrokenExecutor:
                return [job]
        return []

    def _run_alone(self, jobs: list[Job]) -> int:
        """A process died and took the others with it: running jobs one at a time shows whose job it was."""
        failures = 0
        for job in jobs:
            self._workers.restart()
            try:
                failures += not self._kept(job, self._workers.submit(run, job))
            except BrokenExecutor:
                self._store.add_failure(job, "the process that ran it died, perhaps for lack of memory")
                failures += 1
        self._workers.restart()
        return failures

    def _kept(self, job: Job, future: Future[Outcome]) -> bool:
        """Wait for a job and keep its result, or the reason of its failure; return which."""
        try:
            outcome = future.result()
        except BrokenExecutor:
            raise
        except CancelledError:
            raise WorkerError(f"{GONE}; run the same command again: what is finished is kept") from None
        except Exception as error:  # whatever it is, the other jobs can continue
            self._store.add_failure(job, f"{type(error).__name__}: {error}")
            return False
        self._store.add(job, outcome)
        self._estimate.add(job, outcome.seconds)
        return True

    def _tell(self, phase: str, total: int, left: list[Job], failures: int) -> None:
        now = time.monotonic()
        if self._watch is None or (left and now - self._told < _TELL_SECONDS):
            return
        self._told = now
        seconds = self._estimate.seconds(left)
        shared = None if seconds is None else seconds / self._workers.count()
        self._watch(Now(phase, total - len(left), total, failures, shared))
