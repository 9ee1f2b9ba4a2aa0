"""Networks from resamples when a run takes long: stores that survive kill -9, and workers that may die."""

from __future__ import annotations

import importlib.util
import multiprocessing
import os
import pickle
import random
import signal
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bnfuse import BnfuseError, FileError, OptionError, Tally, bootstrap, learn
from bnfuse._base import processes
from bnfuse.data.data import Data
from bnfuse.data.discretise import prepared
from bnfuse.data.raw_table import RawDataOptions
from bnfuse.errors import WorkerError
from bnfuse.graphs.dag import DAG
from bnfuse.learning.bootstrap import Bootstrap
from bnfuse.learning.data_learner import LearnOptions
from bnfuse.learning.resample_store import ResampleStore
from bnfuse.learning.resample_workers import _AHEAD, _Blocks
from bnfuse.learning.resampling import OwnResampling, content_hash, resampled_rows
from bnfuse.problem.constraints import Constraints
from bnfuse.search.run import Run
from samples import random_data

DATA = random_data(0, 8, 300, missing=0.03)
RESAMPLES = 40

needs_dask = pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None,
    reason="distributed is not installed: pip install 'bnfuse[cluster]'",
)


@pytest.fixture(scope="module")
def whole() -> list[DAG]:
    """The networks of a run that nothing has disturbed."""
    return dags(bootstrap(DATA, RESAMPLES))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "boot.store"


def dags(runs: Bootstrap) -> list[DAG]:
    return [network.dag for network in runs]


def counted(found: list[DAG]) -> Tally:
    return Tally.of(found, [1] * len(found))


# Stores


@pytest.mark.parametrize("keeps", [False, True])
def test_a_run_goes_on_where_it_was_and_with_more_resamples(keeps: bool, path: Path, whole: list[DAG]) -> None:
    assert dags(bootstrap(DATA, 15, store=path, keep_networks=keeps)) == whole[:15]
    more = bootstrap(DATA, RESAMPLES, store=path, keep_networks=keeps)
    assert more.stored == 15
    networks = list(more)
    assert [network.dag for network in networks] == whole[0 if keeps else 15 :]
    assert networks[-1].name == f"resample {RESAMPLES}"
    assert networks[0].name == ("resample 1" if keeps else "resample 16")
    assert more.tally == counted(whole)
    again = bootstrap(DATA, RESAMPLES, store=path)
    assert again.run() == counted(whole)
    assert again.stored == RESAMPLES
    assert [one.name for one in path.parent.iterdir()] == [path.name], "a store is one file"


def test_iterating_again_goes_on_although_the_store_is_ahead(path: Path, whole: list[DAG]) -> None:
    runs = bootstrap(DATA, RESAMPLES, store=path, threads=8)
    first = next(iter(runs)).dag
    there = bootstrap(DATA, RESAMPLES, store=path)
    assert there.stored > 1, "a block is kept as a whole"
    assert [first, *dags(runs)] == whole
    assert bootstrap(DATA, RESAMPLES, store=path).tally == counted(whole)


def test_kept_networks_give_any_number_of_resamples(path: Path, whole: list[DAG]) -> None:
    bootstrap(DATA, RESAMPLES, store=path, keep_networks=True).run()
    assert dags(bootstrap(DATA, 7, store=path)) == whole[:7]
    assert dags(bootstrap(DATA, RESAMPLES, store=path)) == whole


def test_a_part_of_all_resamples_has_its_own_store(path: Path, whole: list[DAG]) -> None:
    bootstrap(DATA, np.int64(5), first=np.int64(30), seed=np.int64(0), store=path).run()  # type: ignore[arg-type]
    assert bootstrap(DATA, 10, first=30, store=path).run() == counted(whole[30:])


def test_counts_take_the_room_of_one_network(path: Path) -> None:
    bootstrap(DATA, 50, store=path).run()
    size = path.stat().st_size
    bootstrap(DATA, 300, store=path).run()
    assert path.stat().st_size == size


# A run that ends itself before the statement of this number that SQLite would carry out.
KILLED_RUN = """
import os, signal, sqlite3, sys
from bnfuse import bootstrap

table, resamples, path, keeps, moment = sys.argv[1:]
connect, left = sqlite3.connect, [int(moment)]

def counting(statement):
    left[0] -= 1
    if left[0] == 0:
        os.kill(os.getpid(), signal.SIGKILL)

def traced(*arguments, **options):
    connection = connect(*arguments, **options)
    connection.set_trace_callback(counting)
    return connection

sqlite3.connect = traced
bootstrap(table, int(resamples), threads=1, store=path, keep_networks=keeps == "True").run()
"""


def killed_run(*arguments: object) -> int:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", KILLED_RUN, *map(str, arguments)]
    return subprocess.run(command, env=environment, check=False).returncode


@pytest.mark.parametrize(("keeps", "kills"), [(False, 2), (True, 1)])
def test_after_kill_9_the_same_run_goes_on(keeps: bool, kills: int, path: Path, whole: list[DAG]) -> None:
    table = path.with_name("rows.csv")
    DATA.write(table)
    moment, reached = random.Random(0), 0
    for _ in range(kills):
        assert killed_run(table, RESAMPLES, path, keeps, moment.randint(16, 32)) == -signal.SIGKILL
        there = bootstrap(DATA, RESAMPLES, store=path)
        assert reached <= there.stored < RESAMPLES, "what was kept stays"
        reached = there.stored
        assert there.tally == (Tally(DATA.variables) if keeps else counted(whole[:reached]))
    assert reached > 0
    rest = bootstrap(DATA, RESAMPLES, store=path)
    assert dags(rest) == whole[0 if keeps else reached :]
    assert rest.tally == counted(whole)


def test_after_a_full_disk_a_run_goes_on(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connect = sqlite3.connect

    def on_small_disk(*arguments: Any, **options: Any) -> sqlite3.Connection:
        connection = connect(*arguments, **options)
        connection.execute("PRAGMA max_page_count = 6")
        return connection

    with monkeypatch.context() as patched:
        patched.setattr(sqlite3, "connect", on_small_disk)
        full = bootstrap(DATA, 300, store=path, keep_networks=True)
        with pytest.raises(FileError, match="the disk is full; make room and run the same command again: what is fin"):
            full.run()
    rest = bootstrap(DATA, 300, store=path)
    assert 0 < rest.stored == full.done < 300
    assert dags(rest) == dags(bootstrap(DATA, 300))


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"seed": 1}, "learned with seed 0, not 1"),
        ({"first": 3}, "learned with first 0, not 3"),
        ({"score": "aic"}, "learned with score bic, not aic"),
        ({"max_clique": 3}, "learned with max clique none, not 3"),
        ({"effort": "normal"}, "learned with effort quick, not normal"),
        ({"max_table": 100}, "learned with max table none, not 100"),
        ({"forbidden": [("V0", "V1")]}, r'learned with forbidden \[\], not \[\["V0", "V1"\]\]'),
        ({"max_parents": 2}, "learned with max parents none, not 2"),
        ({"learner": learn, "table": "data"}, "learned with learner none, not bnfuse.learn;"),
        ({"resamples": 4}, "holds the counts of 5 resamples, which cannot be reduced"),
        ({"keep_networks": True}, "holds counts but no networks, because it was started without keep_networks"),
        ({"data": random_data(1, 8, 300)}, "holds resamples of other data"),
    ],
)
def test_other_settings_are_never_mixed_in(options: dict[str, Any], problem: str, path: Path) -> None:
    bootstrap(DATA, 5, store=path).run()
    content = path.read_bytes()
    with pytest.raises(FileError, match=problem):
        bootstrap(**{"data": DATA, "resamples": 9, "store": path, **options})
    assert path.read_bytes() == content


def test_networks_of_another_version_are_never_mixed_in(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bootstrap(DATA, 5, store=path).run()
    monkeypatch.setattr("bnfuse.__version__", "99.0")
    with pytest.raises(FileError, match=r"learned with bnfuse .*, not 99\.0"):
        bootstrap(DATA, 5, store=path)


def test_long_settings_differ_by_their_ends(path: Path) -> None:
    arcs = [(f"V{i}", f"V{i + 1}") for i in range(7)]
    bootstrap(DATA, 2, store=path, forbidden=arcs).run()
    bootstrap(DATA, 2, store=path, forbidden=arcs[::-1])
    with pytest.raises(FileError, match="learned with forbidden"):
        bootstrap(DATA, 2, store=path, forbidden=arcs[:-1])


def test_the_hash_is_that_of_the_content() -> None:
    wide = Data(DATA.variables, dict(DATA.states), DATA.codes.astype("int64"))
    assert content_hash(wide) == content_hash(DATA)
    other = DATA.codes.copy()
    other[-1, -1] = (other[-1, -1] + 1) % 2
    assert content_hash(Data(DATA.variables, DATA.states, other)) != content_hash(DATA)
    states = {name: labels[::-1] for name, labels in DATA.states.items()}
    assert content_hash(Data(DATA.variables, states, DATA.codes)) != content_hash(DATA)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("PRAGMA user_version = 7", "is a store of version 7, and this bnfuse knows version 1"),
        ("PRAGMA application_id = 7", "is not a store of resamples"),
        ("UPDATE counts SET tally = x'00'", "is damaged"),
        ("UPDATE run SET settings = '{'", r"is damaged \(line 1, column 2"),
        ("UPDATE run SET settings = '[]'", r"is damaged \(settings: expected an object, got \[\]\)"),
        ("DELETE FROM run", "is damaged"),
    ],
)
def test_a_store_that_is_not_understood_is_refused(change: str, problem: str, path: Path) -> None:
    bootstrap(DATA, 5, store=path).run()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(change)
        connection.commit()
    with pytest.raises(FileError, match=problem):
        bootstrap(DATA, 5, store=path)


@pytest.mark.parametrize("change", ["DELETE FROM networks WHERE number = 1", "UPDATE networks SET parents = x'00'"])
def test_networks_that_are_damaged_are_refused(change: str, path: Path) -> None:
    bootstrap(DATA, 5, store=path, keep_networks=True).run()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(change)
        connection.commit()
    with pytest.raises(FileError, match="is damaged"):
        bootstrap(DATA, 5, store=path).run()


def test_a_file_of_another_kind_is_left_alone(path: Path) -> None:
    path.write_text("A,B\n1,2\n" * 500)
    with pytest.raises(FileError, match="is not a store of resamples"):
        bootstrap(DATA, 5, store=path)
    assert path.read_text() == "A,B\n1,2\n" * 500
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_two_runs_cannot_add_to_one_store(path: Path) -> None:
    first = iter(bootstrap(DATA, 9, store=path))
    next(first)
    with pytest.raises(FileError, match="another run is adding to it; wait for it, or choose another file"):
        bootstrap(DATA, 9, store=path).run()
    assert len(list(first)) == 8
    assert bootstrap(DATA, 9, store=path).run().weight == 9


def test_a_store_that_was_replaced_meanwhile_gets_no_gap(path: Path) -> None:
    runs = bootstrap(DATA, 9, store=path)
    next(iter(runs))
    path.unlink()
    with pytest.raises(FileError, match="was replaced meanwhile"):
        runs.run()


def test_networks_are_kept_in_a_store_only() -> None:
    with pytest.raises(OptionError, match="keep_networks is for a store"):
        bootstrap(DATA, 5, keep_networks=True)


def test_ctrl_c_while_a_block_is_kept_leaves_all_of_it_or_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch, whole: list[DAG]
) -> None:
    compress, calls = zlib.compress, []

    def interrupted(content: bytes) -> bytes:
        calls.append(content)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return compress(content)

    monkeypatch.setattr("bnfuse.learning.resample_store.zlib.compress", interrupted)
    runs = bootstrap(DATA, RESAMPLES, store=path, threads=1)
    assert dags(runs) == whole[: runs.done]
    assert 1 < runs.done < RESAMPLES
    assert runs.stopped_by == "interrupted"
    there = bootstrap(DATA, RESAMPLES, store=path)
    assert there.tally == runs.tally == counted(whole[: runs.done])
    assert runs.run() == there.run() == counted(whole)


# Workers


class Crew:
    """Workers that do a job when somebody waits for it, and die as they are told to."""

    def __init__(self, size: int, dies: Callable[[], bool] = lambda: False, error: Any = BrokenProcessPool) -> None:
        self.size, self.dies, self.error = size, dies, error
        self.shared: list[bytes] = []
        self.sent: list[bytes] = []
        self.restarts = 0

    def share(self, pickled: bytes) -> Any:
        self.shared.append(pickled)
        return len(self.shared) - 1

    def submit(self, job: Callable[..., Any], shared: int, *arguments: Any) -> Future[Any]:
        self.sent.append(pickle.dumps((shared, *arguments)))
        future: Future[Any] = Future()
        if self.dies():
            future.set_exception(self.error("gone"))
        else:
            future.set_result(job(pickle.loads(self.shared[shared]), *arguments))
        return future

    def count(self) -> int:
        return self.size

    def restart(self) -> None:
        self.restarts += 1


def blocks(crew: Crew, resamples: int = RESAMPLES, run: Run | None = None) -> list[list[DAG]]:
    task = OwnResampling(prepared(DATA, RawDataOptions()), LearnOptions(effort="quick"), Constraints())
    return list(_Blocks(crew, task, run or Run(), 0, resamples))


@pytest.mark.parametrize("size", [1, 2, 7, 100])
def test_blocks_come_in_order_on_any_number_of_workers(size: int, whole: list[DAG]) -> None:
    crew = Crew(size)
    assert list(chain(*blocks(crew))) == whole
    assert len(crew.shared) == 1, "the data are sent once"
    assert max(map(len, crew.sent)) < 100


def test_blocks_grow_while_they_are_quick() -> None:
    sizes = list(map(len, blocks(Crew(1), 150)))
    assert sizes[:_AHEAD] == [1] * _AHEAD
    assert max(sizes) > 10


class KilledWorker(Exception):  # noqa: N818
    """As dask calls what happened to a job that was tried on several workers."""


@pytest.mark.parametrize("error", [BrokenProcessPool, pytest.param(KilledWorker, marks=pytest.mark.long)])
@pytest.mark.parametrize("deaths", [{0}, {0, 6}, {3, 5}, {1, 2, 4, 8}])
def test_what_a_dead_worker_had_is_learned_again(deaths: set[int], error: Any, whole: list[DAG]) -> None:
    crew = Crew(2, lambda: len(crew.sent) - 1 in deaths, error)
    assert list(chain(*blocks(crew))) == whole
    assert crew.restarts > 0


@pytest.mark.parametrize("deaths", [{0}, {5, 6}, {2, 7}])
def test_workers_that_end_before_they_get_a_job_are_replaced(deaths: set[int], whole: list[DAG]) -> None:
    asked = []

    class Broken(Crew):
        def submit(self, job: Callable[..., Any], shared: int, *arguments: Any) -> Future[Any]:
            asked.append(arguments)
            if len(asked) - 1 in deaths:
                raise BrokenProcessPool
            return super().submit(job, shared, *arguments)

    crew = Broken(2)
    assert list(chain(*blocks(crew))) == whole
    assert crew.restarts == len(deaths)


def test_workers_that_always_die_are_given_up() -> None:
    with pytest.raises(WorkerError, match="workers end repeatedly: there is too little memory"):
        blocks(Crew(2, lambda: True))


def test_a_cluster_that_has_gone_is_one_clear_line() -> None:
    with pytest.raises(WorkerError, match="the cluster is gone; with a store, the same command continues"):
        blocks(Crew(2, lambda: True, CancelledError))


def test_an_error_of_the_learner_is_told_as_it_is() -> None:
    with pytest.raises(TimeoutError, match="gone"):
        blocks(Crew(2, lambda: True, TimeoutError))


def test_the_time_limit_ends_the_wait_for_workers() -> None:
    class Slow(Crew):
        def submit(self, job: Callable[..., Any], shared: int, *arguments: Any) -> Future[Any]:
            return Future() if len(self.sent) == 4 else super().submit(job, shared, *arguments)

    assert len(blocks(Slow(1), run=Run(time_limit=0.3))) == 4


def test_what_cannot_be_sent_is_refused() -> None:
    with pytest.raises(OptionError, match="learner: to send it to workers, it must be a function that a module def"):
        bootstrap(DATA, 5, learner=lambda rows: learn(rows, seed=1), workers=1)
    with pytest.raises(OptionError, match="workers must be"):
        bootstrap(DATA, 5, workers=0)
    with pytest.raises(WorkerError, match=r"cannot load what it was sent \(No module named 'nowhere'\)"):
        processes._unpickled(b"cnowhere\nfunction\n.")


def test_any_function_of_a_module_may_be_the_learner_of_workers() -> None:
    found = []
    for network in bootstrap(DATA, 4, learner=learn, table="data", workers=1):
        assert multiprocessing.active_children(), "it runs elsewhere"
        found.append(network.dag)
    assert found == [learn(resampled_rows(DATA, 0, number)).dag for number in range(4)]


def test_killed_processes_cost_no_network(path: Path) -> None:
    runs = bootstrap(DATA, 300, workers=2, store=path)
    for _ in runs:
        if runs.done == 1:
            os.kill(multiprocessing.active_children()[0].pid or 0, signal.SIGKILL)
    assert runs.tally == bootstrap(DATA, 300).run() == bootstrap(DATA, 300, store=path).tally
    assert not multiprocessing.active_children()


@needs_dask
@pytest.mark.long
def test_a_cluster_gives_the_same_networks_also_when_its_only_worker_is_killed(
    monkeypatch: pytest.MonkeyPatch, whole: list[DAG]
) -> None:
    crews, made = [], processes._Cluster.__init__

    def noted(self: Any, client: Any) -> None:
        crews.append(self)
        made(self, client)

    monkeypatch.setattr(processes._Cluster, "__init__", noted)
    runs = bootstrap(DATA, RESAMPLES, cluster="local", workers=1)
    found = []
    for network in runs:
        found.append(network.dag)
        if runs.done == 2:
            (pid,) = crews[0]._client.run(os.getpid).values()
            os.kill(pid, signal.SIGKILL)
    assert found == whole


def test_a_store_is_checked_before_anything_is_made(tmp_path: Path) -> None:
    store = ResampleStore(tmp_path / "none" / "x.store", DATA.variables, {}, keeps_networks=False)
    with pytest.raises(BnfuseError, match="there is no folder"):
        store.check(1)
