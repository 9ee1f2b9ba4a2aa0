"""Where jobs run: processes on this machine, or a dask.distributed cluster."""

from __future__ import annotations

import functools
import gc
import logging
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from multiprocessing import resource_tracker
from typing import Any, Protocol, TypeVar

from bnfuse import __version__
from bnfuse._base.optional import optional
from bnfuse._base.options import thread_count
from bnfuse.errors import WorkerError

LOCAL = "local"
GONE = "the cluster is gone"

_T = TypeVar("_T")
_CONNECT_SECONDS = 10
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class Workers(Protocol):
    """A place where jobs run."""

    def submit(self, job: Callable[..., _T], *arguments: Any) -> Future[_T]:
        """Start a job, or queue it."""

    def share(self, pickled: bytes) -> Any:
        """Before any job: a placeholder, among the arguments of a job, for a value sent to each worker only once."""

    def count(self) -> int:
        """How many jobs run at the same time. It may change during a run."""

    def restart(self) -> None:
        """Make it work again after the end of one worker has stopped all others."""


def is_death(error: BaseException) -> bool:
    """Whether a job failed because its worker ended, rather than through its own error."""
    return isinstance(error, BrokenExecutor) or type(error).__name__ == "KilledWorker"  # the name that dask uses


def crew(workers: int | None, address: str | None) -> AbstractContextManager[Workers]:
    """A number of processes on this machine or, with an address, a cluster."""
    return processes(workers) if address is None else cluster(address, workers)


@contextmanager
def processes(count: int | None = None) -> Iterator[Workers]:
    """Processes on this machine with one thread each; by default, one for each core."""
    workers = _Processes(thread_count(count))
    try:
        yield workers
    finally:
        workers.stop()


class _Processes:
    def __init__(self, count: int) -> None:
        self._count = count
        self._shared = b""
        self._children_before = set(multiprocessing.active_children())
        self._executor = self._started()

    def submit(self, job: Callable[..., _T], *arguments: Any) -> Future[_T]:
        # Processes start when they are needed, and inherit the environment of that moment.
        with _surroundings(dict.fromkeys(_ONE_THREAD, "1")), _out_of_reach_of_ctrl_c():
            return self._executor.submit(_done, job, *arguments)

    def share(self, pickled: bytes) -> Any:
        self._shared = pickled
        self._executor = self._started()  # the previous one has no process yet
        return _Shared()

    def count(self) -> int:
        return self._count

    def restart(self) -> None:
        self.stop()
        self._executor = self._started()

    def stop(self) -> None:
        """Stop at once: the next study repeats the unfinished jobs."""
        self._executor.shutdown(wait=False, cancel_futures=True)
        for child in set(multiprocessing.active_children()) - self._children_before:
            child.terminate()
            child.join()

    def _started(self) -> Executor:
        spawn = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._count, spawn, _prepare_process, (self._shared,))


class _Shared:
    """A placeholder for the value that every process receives when it starts."""

    pickled = b""
    """in such a process"""

    @staticmethod
    @functools.cache
    def value() -> Any:
        """In a worker process, from its first job on: an error concerns only that job, and the process continues."""
        return _unpickled(_Shared.pickled)


def _unpickled(pickled: bytes) -> Any:
    try:
        return pickle.loads(pickled)
    except Exception as error:
        raise WorkerError(
            f"a worker cannot load what it was sent ({error}); a function must be in a module that workers can import"
        ) from None


def _done(job: Callable[..., _T], *arguments: Any) -> _T:
    return job(*(one.value() if isinstance(one, _Shared) else one for one in arguments))


def _prepare_process(shared: bytes) -> None:
    """Ctrl-C is for the coordinator alone; if the coordinator is killed, its processes end too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _Shared.pickled = shared
    parent = multiprocessing.parent_process()
    assert parent is not None

    def end_with_parent() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()


@contextmanager
def _out_of_reach_of_ctrl_c() -> Iterator[None]:
    """Postpone Ctrl-C until the end of the block; processes and threads started within it never receive it.

    A terminal sends it to all processes at once. One that is still starting would answer with a traceback.
    """
    if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
        yield
        return
    resource_tracker.ensure_running()  # a process that starts later receives Ctrl-C again
    came: list[int] = []
    handler = signal.signal(signal.SIGINT, lambda number, frame: came.append(number))  # another thread may receive it
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        signal.signal(signal.SIGINT, handler)
    if came:
        signal.raise_signal(signal.SIGINT)


@contextmanager
def _surroundings(changes: dict[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in changes}
    os.environ.update(changes)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def cluster(address: str, count: int | None = None) -> Iterator[Workers]:
    """A dask.distributed cluster: the address of its scheduler, or "local" to start one here with `count` workers."""
    distributed = optional("distributed", "a cluster", extra="cluster")
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # workers join and leave, which need not be reported
    if address != LOCAL:
        with _connected(distributed, address) as client:
            yield _Cluster(client)
        return
    stack = ExitStack()
    try:
        with _out_of_reach_of_ctrl_c():
            client = stack.enter_context(distributed.Client(stack.enter_context(_started_here(distributed, count))))
        yield _Cluster(client)
    finally:
        with _out_of_reach_of_ctrl_c():
            stack.close()


def _started_here(distributed: Any, count: int | None) -> Any:
    try:
        return distributed.LocalCluster(
            n_workers=thread_count(count),
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address=None,
            silence_logs=logging.CRITICAL,
        )
    except (OSError, RuntimeError) as error:
        raise WorkerError(f"no dask cluster could be started on this machine: {error}") from None


def _client_at(distributed: Any, address: str) -> Any:
    try:
        return distributed.Client(address, timeout=_CONNECT_SECONDS)
    except (OSError, ValueError, TypeError):
        return None


@contextmanager
def _connected(distributed: Any, address: str) -> Iterator[Any]:
    client = _client_at(distributed, address)
    if client is None:
        gc.collect()  # a half-created client closes itself then: later, another thread may hold the lock that it needs
        raise WorkerError(
            f"no dask scheduler answers at {address!r} within {_CONNECT_SECONDS} seconds; give its address, such as "
            "tcp://10.0.0.1:8786, or 'local'"
        )
    with client:
        found = client.get_versions(packages=["bnfuse"])["workers"]
        for worker, versions in found.items():
            if (version := versions["packages"].get("bnfuse")) != __version__:
                raise WorkerError(
                    f"the worker {worker} of the cluster has {'bnfuse ' + version if version else 'no bnfuse'}; all "
                    f"workers need bnfuse {__version__}"
                )
        yield client


class _Cluster:
    def __init__(self, client: Any) -> None:
        self._client = client
        self._executor = client.get_executor(pure=False)
        self._counted = (0.0, 0)

    def submit(self, job: Callable[..., _T], *arguments: Any) -> Future[_T]:
        future: Future[_T] = self._executor.submit(job, *arguments)
        return future

    def share(self, pickled: bytes) -> Any:
        """As the result of a job: the scheduler can compute it again if all workers that hold it are gone."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a warning that it is large
            return self._client.submit(_unpickled, pickled, pure=False)

    def count(self) -> int:
        when, threads = self._counted
        if time.monotonic() - when > 1:
            threads = max(1, sum(self._client.nthreads().values()))
            self._counted = (time.monotonic(), threads)
        return threads

    def restart(self) -> None:
        """Never needed: the scheduler repeats the jobs of a lost worker."""
