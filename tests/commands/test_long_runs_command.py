"""`bnfuse bootstrap` when it takes long: --store, --workers and --cluster on the command line."""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import signal

import pytest

import bnfuse
from bnfuse import Tally, read
from bnfuse._base import processes
from bnfuse.commands import bootstrap as command
from bnfuse.commands import run
from samples import random_data

WANTED = ("--resamples", "30")


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "rows.csv"
    random_data(1, 7, 300, missing=0.01).write(path)
    return path


@pytest.fixture
def ctrl_c(monkeypatch):
    """Makes Ctrl-C come once this many networks are there."""

    def at(number):
        @contextlib.contextmanager
        def bar(_):
            def show(done):
                if done == number:
                    signal.raise_signal(signal.SIGINT)

            yield show

        monkeypatch.setattr(command, "_learning_bar", bar)

    return at


def test_after_ctrl_c_the_same_command_goes_on(table, tmp_path, ctrl_c, capsys, said):
    store = tmp_path / "boot.store"
    kept = ["--ensemble", str(tmp_path / "e.json"), "--tally", str(tmp_path / "t.tally")]
    again = ["bootstrap", str(table), *WANTED, "--store", str(store), *kept]
    ctrl_c(5)
    assert run(again) == 130
    told = capsys.readouterr()
    assert f"kept in {store}: what was learned\n" in told.out
    assert "interrupted: this is the consensus of 5 of 30 resamples" in told.err
    assert f"note: {store} keeps what was learned: the same command resumes where it stopped" in told.err
    ctrl_c(None)
    text = said(*again)
    whole = bnfuse.bootstrap(table, 30)
    assert [network.dag for network in read(tmp_path / "e.json")] == [network.dag for network in whole]
    assert Tally.load(tmp_path / "t.tally") == whole.tally
    before = text.partition(f"kept in {store}: what was learned; ")[2].partition(" resamples were there before")[0]
    assert 5 <= int(before) <= 30, "those that were counted, and the rest of their block"


def test_what_was_there_before_is_told_to_programs_too(table, tmp_path, said):
    store = tmp_path / "boot.store"
    said("bootstrap", table, "--resamples", 12, "--store", store)
    stored, plain = (
        json.loads(said("bootstrap", table, *WANTED, *more, "--json")) for more in (["--store", store], [])
    )
    assert stored.pop("store") == {"path": str(store), "before": 12}
    assert plain.pop("store") is None
    del stored["seconds"], plain["seconds"]
    assert stored == plain


def test_ctrl_c_stops_workers_and_gives_what_there_is(table, tmp_path, ctrl_c, capsys):
    ctrl_c(5)
    tally = tmp_path / "t.tally"
    assert run(["bootstrap", str(table), "--resamples", "100000", "--workers", "1", "--tally", str(tally)]) == 130
    assert "interrupted: this is the consensus of 5 of 100,000 resamples" in capsys.readouterr().err
    assert Tally.load(tally) == bnfuse.bootstrap(table, 5).run()
    assert not multiprocessing.active_children()


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--resamples", "3"], "ask for at least as many with --resamples"),
        (["--ensemble", "e.json"], "holds counts but no networks, because it was started without --ensemble"),
        (["--seed", "3"], "learned with seed 0, not 3"),
        (["--learning-max-clique", "2"], "learned with max clique none, not 2"),
        (["--tally", "boot.store"], "boot.store is named twice, by --store and by --tally"),
        (["--workers", "0"], "--workers must be"),
    ],
)
def test_what_cannot_go_on_is_refused(table, tmp_path, said, refused, monkeypatch, arguments, problem):
    monkeypatch.chdir(tmp_path)
    said("bootstrap", table, "--resamples", 4, "--store", "boot.store")
    monkeypatch.setattr(command, "_learned", lambda *_: pytest.fail("it was learned"))
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert problem in refused("bootstrap", table, "--store", "boot.store", *arguments)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_the_data_are_no_store(table, refused):
    content = table.read_bytes()
    assert "is an input, which --store would replace" in refused("bootstrap", table, "--store", table)
    assert "is not a store of resamples" in refused("bootstrap", table, "--store", table, "--force")
    assert table.read_bytes() == content


def test_a_cluster_that_does_not_answer_is_one_clear_line(table, refused, monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr(processes, "_CONNECT_SECONDS", 1)
    line = refused("bootstrap", table, *WANTED, "--cluster", "tcp://127.0.0.1:9")
    assert "no dask scheduler answers at 'tcp://127.0.0.1:9' within 1 seconds" in line
