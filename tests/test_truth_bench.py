"""The measures of bench/truth.py against slow twins, and that a run that was cut goes on where it was."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings

import bnfuse
import oracles
from bnfuse import DAG
from bnfuse.data.data import Data
from strategies import dag_lists, dag_pairs

PROGRAM = Path(__file__).parent.parent / "bench" / "truth.py"


def loaded(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("bench_truth", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses look for their annotations
    spec.loader.exec_module(module)
    return module


truth = loaded(PROGRAM)


@given(dag_pairs(max_size=6))
def test_class_shd_is_that_of_graphs_whose_free_arcs_point_both_ways(pair: tuple[DAG, DAG]) -> None:
    graphs = []
    for dag in pair:
        graph = oracles.graph_of(dag)
        graph.add_edges_from([(b, a) for a, b in oracles.reversible_arcs(graph)])
        graphs.append(graph)
    assert truth.class_shd(*pair) == oracles.shd(*graphs)


def test_networks_of_one_class_have_no_class_shd() -> None:
    chain, fork = (DAG([*"abc"], arcs) for arcs in ([("a", "b"), ("b", "c")], [("b", "a"), ("b", "c")]))
    collider = DAG([*"abc"], [("a", "b"), ("c", "b")])
    assert (truth.class_shd(chain, fork), truth.class_shd(chain, collider)) == (0, 2)


@given(dag_pairs(max_size=6))
def test_f1_is_the_harmonic_mean_of_precision_and_recall(pair: tuple[DAG, DAG]) -> None:
    found, true = (oracles.arcs_of(oracles.graph_of(dag)) for dag in pair)
    value = truth.arc_f1(*pair)
    if not found & true:
        assert value == (not found and not true)
    else:
        precision, recall = len(found & true) / len(found), len(found & true) / len(true)
        assert value == pytest.approx(2 / (1 / precision + 1 / recall))


@given(dag_pairs(max_size=6))
@settings(max_examples=30)
def test_moral_size_counts_moral_edges(pair: tuple[DAG, DAG]) -> None:
    assert truth.moral_size(pair[0]) == len(oracles.moral_edges(oracles.graph_of(pair[0])))


@given(dag_lists(max_size=6, max_dags=5))
@settings(max_examples=50)
def test_the_estimated_threshold_chooses_what_a_half_does(dags: list[DAG]) -> None:
    """Of a distribution function on [0, 1] the median is its value at 1/2: hence one row of the tables for both."""
    found = bnfuse.strengths(dags)
    assert all(found.is_strong(one) == (2 * one.strength > 1) for one in found.arcs)


def test_shuffled_columns_hold_the_same_labels() -> None:
    states = {"a": ("no", "yes"), "b": ("low", "mid", "high")}
    data = Data(("a", "b"), states, np.array([[0, 2], [1, 0], [0, 2]], np.int8))
    other = truth.shuffled(data, np.array([1, 0]))
    assert other.variables == ("b", "a")
    assert other.states == {"b": ("low", "high"), "a": ("no", "yes")}
    labels = [[other.states[name][code] for name, code in zip("ba", row, strict=True)] for row in other.codes]
    assert labels == [["high", "no"], ["low", "yes"], ["high", "no"]]


def test_the_error_of_a_mean() -> None:
    assert truth.mean_and_error([1.0, 2.0, 3.0]) == (2.0, pytest.approx(1 / 3**0.5))


def test_a_mean_over_networks_counts_each_once_however_many_seeds_it_has() -> None:
    shared = {"rows": 50, "resamples": 3, "method": "vote, bic", "class_shd": 0, "smhd": 0, "f1": 0.0, "loglik": 0.0}
    shared |= {"loss": 0.0, "arcs": 0, "clique": 1, "seconds": 0.0}
    values = {"asia": [1.0, 2.0, 3.0], "survey": [8.0, 12.0]}
    records = [
        truth.Record(network=name, seed=seed, shd=value, **shared)
        for name, found in values.items()
        for seed, value in enumerate(found)
    ]
    mean, error = truth.Results(records).over_networks(50, "vote, bic", "shd", {"asia": 1.0, "survey": 2.0})
    assert mean == (2 + 5) / 2
    assert error == pytest.approx((1 / 3 + 1**2) ** 0.5 / 2)  # of 2 and of 5: the roots of 1/3 and of 1
    unknown = truth.Results(records).over_networks(50, "vote, aic", "shd", {"asia": 1.0, "survey": 2.0})
    assert np.isnan(unknown).all()


@pytest.mark.skipif(not bnfuse.networks.available(["asia"]), reason="the benchmark networks are not on this machine")
def test_a_run_that_was_cut_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch) -> None:
    file = tmp_path / "results.jsonl"
    monkeypatch.setattr(truth, "FRESH_ROWS", 100)
    grid = [
        "--networks",
        "asia",
        "--rows",
        "50",
        "--seeds",
        "2",
        "--resamples",
        "3",
        "--costly",
        "--results",
        str(file),
    ]

    def tables(*more: str) -> str:
        monkeypatch.setattr(sys, "argv", ["truth.py", *grid, *more])
        truth.main()
        return "".join(line for line in capsys.readouterr().out.splitlines(True) if not line.startswith("<!--"))

    whole = tables()
    lines = file.read_text().splitlines(True)
    assert len(lines) == 2 * len(truth.METHODS)
    file.write_text("".join(lines[:20]) + lines[20][:30])
    assert tables() == whole
    assert tables("--tables") == whole
