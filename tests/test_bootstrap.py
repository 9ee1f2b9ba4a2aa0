"""Networks from resamples: the same on any number of threads and in any parts, each that of the rows it drew."""

from __future__ import annotations

import os
import signal
import threading
from typing import Any

import networkx as nx
import numpy as np
import pytest

from bnfuse import DAG, BnfuseError, Tally, _kernel, bootstrap, clique_size, consensus, learn
from bnfuse.data.data import Data
from bnfuse.data.discretise import prepared
from bnfuse.data.raw_table import RawDataOptions
from bnfuse.learning.data_learner import Learner, LearnOptions
from bnfuse.learning.resampling import resampled_rows
from bnfuse.problem.constraints import Constraints
from bnfuse.search.run import Run
from oracles import graph_of, network_scores
from samples import random_data, sampled

DATA = random_data(0, 8, 300, missing=0.03)


def dags(data: Data, resamples: int, **options: Any) -> list[DAG]:
    return [network.dag for network in bootstrap(data, resamples, **options)]


def test_networks_do_not_depend_on_threads() -> None:
    one = dags(DATA, 20, threads=1, max_clique=3)
    assert one == dags(DATA, 20, threads=3, max_clique=3)
    assert one != dags(DATA, 20, threads=1, max_clique=3, seed=1)
    assert len(set(one)) > 1


def test_a_run_can_be_continued() -> None:
    whole = bootstrap(DATA, 12)
    parts = [bootstrap(DATA, 5), bootstrap(DATA, 7, first=5)]
    names = [network.name for network in whole]
    assert names == [f"resample {i}" for i in range(1, 13)]
    assert names == [network.name for part in parts for network in part]
    both = parts[0].tally
    both.merge(parts[1].tally)
    assert both == whole.tally


def test_iterating_again_goes_on_where_it_ended() -> None:
    runs = bootstrap(DATA, 6)
    first = next(iter(runs))
    assert runs.done == 1
    rest = list(runs)
    assert [first.dag, *(network.dag for network in rest)] == dags(DATA, 6)
    assert runs.done == 6
    assert list(runs) == []


def test_a_network_scores_what_its_rows_give_it() -> None:
    data = random_data(0, 8, 300)
    own = Learner(prepared(data, RawDataOptions()), LearnOptions(effort="quick"), Constraints())
    found = own.resampled(Run(seed=4, threads=1), 10, 5)
    assert [one.dag for one in found] == dags(data, 5, seed=4, first=10)
    for number, one in enumerate(found, 10):
        rows = resampled_rows(data, 4, number)
        assert len(rows) == len(data)
        assert one.score == pytest.approx(network_scores(rows, "bic")(graph_of(one.dag)), rel=1e-9)


def test_every_row_is_drawn_as_often_as_any_other() -> None:
    rows = Data(("A",), {"A": tuple(map(str, range(50)))}, np.arange(50, dtype=np.int16)[:, None])
    drawn = np.concatenate([resampled_rows(rows, 7, number).codes[:, 0] for number in range(400)])
    counts = np.bincount(drawn, minlength=50)
    assert counts.sum() == 20_000
    assert ((counts - 400) ** 2 / 400).sum() < 100  # 49 degrees of freedom: one in 25,000 is larger


def test_the_tally_is_that_of_the_networks() -> None:
    runs = bootstrap(DATA, 15, max_clique=3)
    networks = list(runs)
    assert runs.tally == Tally.of([network.dag for network in networks], [1] * 15)
    assert all(clique_size(network.dag) <= 3 for network in networks)
    assert consensus(runs.tally, max_clique=3).clique_size <= 3


def test_constraints_hold_in_every_network() -> None:
    for dag in dags(DATA, 8, required=[("V7", "V0")], forbidden=[("V0", "V1"), ("V1", "V0")], max_parents=2):
        assert ("V7", "V0") in dag.edges
        assert not {("V0", "V1"), ("V1", "V0")} & set(dag.edges)
        assert max(len(dag.parents(name)) for name in dag.variables) <= 2


def test_any_function_may_be_the_learner() -> None:
    complete = random_data(2, 5, 100)
    by_data = dags(complete, 4, learner=lambda rows: learn(rows, seed=1), table="data")
    by_pandas = dags(complete, 4, learner=lambda rows: learn(rows, seed=1).dag.to_networkx())
    assert by_data == by_pandas
    assert [set(dag.variables) for dag in by_data] == [set(complete.variables)] * 4


def test_pyagrum_may_be_the_learner() -> None:
    gum = pytest.importorskip("pyagrum")

    def climbed(rows: Any) -> Any:
        learner = gum.BNLearner(rows.astype(str))
        learner.useGreedyHillClimbing()
        return learner.learnBN()

    assert len(dags(random_data(2, 5, 100), 2, learner=climbed)) == 2


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"resamples": 0}, "resamples must be"),
        ({"first": -1}, "first must be"),
        ({"nonsense": 1}, "unknown option 'nonsense'"),
        ({"score": "none"}, "score must be one of"),
        ({"learner": 3}, "learner must be a function"),
        ({"learner": learn, "score": "aic"}, "score is an option of the learner of bnfuse"),
        ({"learner": learn, "table": "list"}, "table must be one of"),
        ({"learner": lambda rows: nx.DiGraph([("V0", "nobody")])}, "learner, resample 1: "),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, Any], problem: str) -> None:
    with pytest.raises(BnfuseError, match=problem):
        bootstrap(DATA, **options).run()


def test_the_time_limit_ends_with_what_there_is() -> None:
    runs = bootstrap(sampled(20, 20_000, 0), 1_000_000, time_limit=0.5)
    assert runs.run().weight == runs.done < 1_000_000
    assert runs.stopped_by == "time limit"


def test_ctrl_c_ends_with_what_there_is() -> None:
    runs = bootstrap(sampled(20, 5_000, 0), 1_000_000)
    timer = threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT))
    for _ in runs:
        if runs.done == 1:
            timer.start()
    timer.join()
    assert runs.stopped_by == "interrupted"
    assert 0 < runs.done < 1_000_000


@pytest.mark.parametrize("is_counted", [False, True])
def test_ctrl_c_while_a_network_is_counted_leaves_no_half_of_it(
    is_counted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    count_edges, calls = _kernel.count_edges, []

    def interrupted(*arguments: Any) -> None:
        calls.append(arguments)
        if len(calls) != 4 or is_counted:
            count_edges(*arguments)
        if len(calls) == 4:
            raise KeyboardInterrupt

    runs = bootstrap(DATA, 9)
    monkeypatch.setattr(_kernel, "count_edges", interrupted)
    networks = list(runs)
    assert runs.stopped_by == "interrupted"
    assert len(networks) == runs.done == 3 + is_counted
    assert runs.tally == Tally.of([network.dag for network in networks], [1] * len(networks))
    rest = list(runs)
    assert runs.stopped_by == "finished"
    assert [network.dag for network in networks + rest] == dags(DATA, 9)
