"""The kernel as Python reaches it: whatever comes in is checked, and long work answers to signals and deadlines."""

from __future__ import annotations

import inspect
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import networkx as nx
import numpy as np
import pytest

from bnfuse import DAG, GraphError, OptionError, _kernel, clique_size, order
from bnfuse.graphs.dag import stacked
from strategies import random_dag

N, R = 6, 3
DAGS = [random_dag(seed, N, 1.2) for seed in range(R)]
ROWS = stacked(DAGS)
ORDER = np.arange(N, dtype=np.int32)
WEIGHTS = np.ones(R, np.int64)
PAIRS = np.ones((N, N), np.int64)
RULES = (1 - np.eye(N, dtype=np.uint8)).astype(np.uint8)
ARCS = np.array([[0, 1], [1, 2]], np.int32)
EDGES = np.array([[0, 1], [1, 2]], np.int32)
TWO = np.array([2, 1], np.int64)

PROBLEM: dict[str, Any] = {
    "limit": 3,
    "max_parents": -1,
    "metric": "smhd",
    "directions": "any",
    "is_listed": False,
    "arcs": np.zeros((N, N), np.uint8),
    "input_arcs": PAIRS - np.eye(N, dtype=np.int64),
    "input_seen": 3 * PAIRS,
    "reference_arcs": PAIRS - np.eye(N, dtype=np.int64),
    "reference_moral": 2 * (PAIRS - np.eye(N, dtype=np.int64)),
    "reference_seen": 3 * PAIRS,
    "reference_weight": 3,
    "is_whole": True,
    "oriented": PAIRS,
    "worth": PAIRS,
}
SOME = 2 * (N - 1)  # each variable and the next one, both ways round
LISTED_PROBLEM: dict[str, Any] = {
    **{name: value if np.ndim(value) == 0 else np.ones(SOME, value.dtype) for name, value in PROBLEM.items()},
    "pairs": (
        np.array([0, *np.cumsum([1, *[2] * (N - 2), 1])], np.int64),
        np.array([b for a in range(N) for b in (a - 1, a + 1) if 0 <= b < N], np.int32),
    ),
    "others": 5,
    "see_others": (np.ones((N, 1), np.uint8), np.array([3], np.int64)),
}
DIRECT: dict[str, Any] = {
    "gain": PAIRS,
    "support": PAIRS,
    "rules": RULES,
    "limit": 3,
    "max_parents": 2,
    "hot": 1.0,
    "decay": 3.0,
    "chains": 2,
    "seed": 0,
    "stream": 0,
}
FSIM: dict[str, Any] = {
    "references": ROWS,
    "weights": WEIGHTS,
    "ties": ORDER,
    "support": PAIRS,
    "frequency": PAIRS,
    "rules": RULES,
    "limit": 3,
    "max_parents": 2,
    "chains": 2,
    "seed": 0,
}
CANDIDATES: dict[str, Any] = {
    "decoding": "fuse",
    "triangulation": "min-fill",
    "arcs": np.array([[0, 0, 1, 0], [1, 1, 2, 1], [2, 0, 1, 0]], np.int32),
    "order": ORDER,
    "support": ROWS,
    "support_weights": WEIGHTS,
    "metric": "smhd",
    "references": ROWS,
    "reference_weights": WEIGHTS,
    "ties": ORDER,
}

LEARNER: dict[str, Any] = {
    "columns": np.arange(5 * N, dtype=np.uint16).reshape(N, 5) % 2,
    "states": np.full(N, 2, np.int64),
    "score": "bdeu",
    "sample_size": 1.0,
    "largest_family": 100,
    "rules": RULES,
    "limit": 3,
    "max_parents": 2,
    "max_table": 100,
    "anneals": True,
    "tabu": 2,
    "restarts": 1,
    "effort": (1, 2, 10),
    "units": np.arange(1, 6, dtype=np.uint32),
    "unit": 2,
    "groups": np.array([0, 1, 0, 2, 1], np.uint32),
}

NUMBERS: dict[str, Any] = {
    "cells": np.array([[i * (v + 2) % 7 + 0.5 * v for v in range(N)] for i in range(5)]),
    "score": "bge",
    "prior_rows": 1.0,
    "prior_freedom": float(N + 2),
    "all_families": 4,
    **{name: value for name, value in LEARNER.items() if name in ("rules", "limit", "max_parents", "anneals", "tabu")},
    **{name: value for name, value in LEARNER.items() if name in ("restarts", "effort", "units", "unit", "groups")},
}

SETS: dict[str, Any] = {  # of each variable the empty set, and of all but the first the set of the one before
    "ends": np.arange(1, 2 * N, 2, dtype=np.int64),
    "scores": -np.arange(1.0, 2 * N),
    "member_ends": np.arange(2 * N - 1, dtype=np.int64) // 2,
    "members": np.arange(N - 1, dtype=np.int32),
    "rules": RULES,
    "limit": 3,
    "max_parents": 2,
    "states": np.full(N, 2, np.int64),
    "max_table": 100,
    "effort": (1, 2, 10),
    "seed": 0,
}

MIN_CUT: dict[str, Any] = {
    "network": ROWS[0],
    "inputs": ROWS,
    "weights": WEIGHTS,
    "support": np.ones((N, N), np.int64),
    "required": [],
    "threads": 2,
}

SEPARATION: dict[str, Any] = {
    "n": N,
    "edges": EDGES,
    "limit": 2,
    "states": np.full(N, 2, np.int64),
    "max_table": 8,
}
CHOICE = np.full(len(EDGES), 0.9)

GENES = np.ones((4, 2), np.uint8)
EVOLUTION: dict[str, Any] = {
    "genes": 2,
    "population": 4,
    "limit": 3,
    "offspring": 1,
    "elites_first": True,
    "champion_over_limit": False,
    "note_offspring": True,
    "restrained": True,
    "add": np.full(N + 1, 0.1),
    "remove": np.full(N + 1, 0.1),
    "required": np.zeros(2, np.uint8),
    "forbidden": np.zeros(2, np.uint8),
    "max_parents": 1,
    "offered": np.array([0, 1], np.int32),
    "target": np.array([1, 2], np.int32),
}


def min_cuts(**arguments: Any) -> None:
    """The whole search."""
    search = _kernel.MinCutSearch(**arguments)
    while search.least()[1] is not None:
        search.remove_least()


def evolution() -> _kernel.Evolution:
    started = _kernel.Evolution(**EVOLUTION)
    started.start(_kernel.Candidates(**CANDIDATES), 0 * GENES[:1], GENES, 1, 9.0)
    return started


def fsim_search(**changes: Any) -> _kernel.FsimSearch:
    search = _kernel.FsimSearch(**{**FSIM, **changes})
    for chain in range(2):
        search.start_at(chain, np.zeros((N, 1), np.uint64), list(range(N)))
    return search


CALLS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "find_cycle": (_kernel.find_cycle, {"dag": ROWS[0]}),
    "heuristic_order": (_kernel.heuristic_order, {"dags": ROWS, "weights": WEIGHTS, "ties": ORDER}),
    "minimal_imaps": (_kernel.minimal_imaps, {"dags": ROWS, "order": ORDER, "threads": 2}),
    "shd": (_kernel.shd, {"dag": ROWS[0], "others": ROWS}),
    "smhd": (_kernel.smhd, {"dag": ROWS[0], "others": ROWS}),
    "fsim": (_kernel.fsim, {"dag": ROWS[0], "others": ROWS, "ties": ORDER, "directed": True, "threads": 2}),
    "triangulate": (_kernel.triangulate, {"dag": ROWS[0], "method": "exact", "states": 10}),
    "clique_along": (_kernel.clique_along, {"dag": ROWS[0], "order": ORDER}),
    "count_edges": (
        _kernel.count_edges,
        {"dags": ROWS, "weights": WEIGHTS, "moral": np.zeros((N, N), np.int64), "arcs": np.zeros((N, N), np.int64)},
    ),
    "rigidity_weight": (_kernel.rigidity_weight, {"n": N, "edges": EDGES, "weights": TWO, "k": 2}),
    "minor_weight": (_kernel.minor_weight, {"n": N, "edges": EDGES, "weights": TWO, "k": 2, "rounds": 3}),
    "excess_weight": (_kernel.excess_weight, {"n": N, "edges": EDGES, "weights": TWO, "k": 1, "states": 10}),
    "arcs_weight": (
        _kernel.arcs_weight,
        {"gain": PAIRS, "rules": RULES, "by_arc": False, "k": 2, "max_parents": 2, "rounds": 2},
    ),
    "maximum_branching": (_kernel.maximum_branching, {"gain": PAIRS, "support": PAIRS, "rules": RULES}),
    "DirectSearch": (_kernel.DirectSearch, DIRECT),
    "FsimSearch": (_kernel.FsimSearch, FSIM),
    "Candidates": (_kernel.Candidates, CANDIDATES),
    "DirectSearch.start_from": (lambda **a: _kernel.DirectSearch(**DIRECT).start_from(**a), {"arcs": [(0, 1)]}),
    "DirectSearch.start_at": (
        lambda **a: _kernel.DirectSearch(**DIRECT).start_at(**a),
        {"arcs": [(0, 1)], "order": list(range(N))},
    ),
    "DirectSearch.anneal": (
        lambda **a: _kernel.DirectSearch(**DIRECT).anneal(**a),
        {"start": 0, "stop": 10, "total": 10, "threads": 2},
    ),
    "DirectSearch.polish": (lambda **a: _kernel.DirectSearch(**DIRECT).polish(**a), {"moves": 10}),
    "FsimSearch.start_at": (
        lambda **a: fsim_search().start_at(**a),
        {"chain": 0, "dag": ROWS[0], "order": list(range(N))},
    ),
    "FsimSearch.anneal": (
        lambda **a: fsim_search().anneal(**a),
        {"until": 10, "total": 10, "hot": 1.0, "threads": 2},
    ),
    "Candidates.evaluate": (
        lambda **a: _kernel.Candidates(**CANDIDATES).evaluate(**a),
        {"population": np.ones((4, 2), np.uint8), "threads": 2},
    ),
    "Candidates.decode": (
        lambda **a: _kernel.Candidates(**CANDIDATES).decode(**a),
        {"candidate": np.ones((1, 2), np.uint8), "variables": N},
    ),
    "Evolution": (_kernel.Evolution, EVOLUTION),
    "Evolution.evaluate": (
        lambda **a: _kernel.Evolution(**EVOLUTION).evaluate(_kernel.Candidates(**CANDIDATES), **a),
        {"population": GENES, "threads": 2, "seconds": 9.0},
    ),
    "Evolution.start": (
        lambda **a: _kernel.Evolution(**EVOLUTION).start(_kernel.Candidates(**CANDIDATES), **a),
        {"best": 0 * GENES[:1], "population": GENES, "threads": 2, "seconds": 9.0},
    ),
    "Evolution.next": (
        lambda **a: evolution().next(_kernel.Candidates(**CANDIDATES), **a),
        {"words": np.zeros(evolution().words(), np.uint64), "threads": 2, "seconds": 9.0},
    ),
    "Candidates.offer": (lambda **a: _kernel.Candidates(**CANDIDATES).offer(**a), {"genes": [0]}),
    "MinCutSearch": (_kernel.MinCutSearch, MIN_CUT),
    "MinCutSearch.least": (min_cuts, {**MIN_CUT, "required": [(0, 1)]}),
    "Separation": (_kernel.Separation, SEPARATION),
    "Separation.fits": (lambda **a: _kernel.Separation(**SEPARATION).fits(**a), {"chosen": [0, 1]}),
    "Separation.obstructions": (
        lambda **a: _kernel.Separation(**SEPARATION).obstructions(**a),
        {"choice": CHOICE, "tries": 2, "seed": 0},
    ),
    "Separation.excesses": (
        lambda **a: _kernel.Separation(**SEPARATION).excesses(**a),
        {"choice": CHOICE, "most": 2, "states": 10},
    ),
    "Separation.bounding_minors": (
        lambda **a: _kernel.Separation(**SEPARATION).bounding_minors(**a),
        {"weights": TWO, "rounds": 2},
    ),
    "Separation.minors": (
        lambda **a: _kernel.Separation(**SEPARATION).minors(**a),
        {"choice": CHOICE, "tries": 2, "seed": 0},
    ),
    "Separation.ranks": (
        lambda **a: _kernel.Separation(**SEPARATION).ranks(**a),
        {"wish": CHOICE, "choice": CHOICE, "most": 2},
    ),
    "drawn": (_kernel.drawn, {"seed": 0, "resample": 0, "bound": 5, "number": 5}),
    "StructureLearner": (_kernel.StructureLearner, LEARNER),
    "StructureLearner.learned": (
        lambda **a: _kernel.StructureLearner(**LEARNER).learned(**a),
        {"seed": 0, "threads": 2},
    ),
    "StructureLearner.learned with": (
        lambda rules, states: _kernel.StructureLearner(**{**LEARNER, "rules": rules, "states": states}).learned(0, 1),
        {"rules": RULES, "states": LEARNER["states"]},
    ),
    "StructureLearner.resampled": (
        lambda **a: _kernel.StructureLearner(**LEARNER).resampled(**a),
        {"seed": 0, "first": 0, "count": 2, "threads": 2},
    ),
    "StructureLearner.proved": (
        lambda **a: _kernel.StructureLearner(**LEARNER).proved(**a),
        {"known": [[] for _ in range(N)], "most_sets": 1000, "most_nodes": 1000, "seconds": 10.0},
    ),
    "GaussianLearner": (_kernel.GaussianLearner, NUMBERS),
    "GaussianLearner.learned": (
        lambda **a: _kernel.GaussianLearner(**NUMBERS).learned(**a),
        {"seed": 0, "threads": 2},
    ),
    "GaussianLearner.resampled": (
        lambda **a: _kernel.GaussianLearner(**NUMBERS).resampled(**a),
        {"seed": 0, "first": 0, "count": 2, "threads": 2},
    ),
    "GaussianLearner.family_score": (
        lambda **a: _kernel.GaussianLearner(**NUMBERS).family_score(**a),
        {"child": 0, "parents": [1, 2]},
    ),
    "placed_rows": (
        _kernel.placed_rows,
        {
            "rows": np.array([0, 0, 1], np.int32),
            "widths": np.ones(3),
            "links": np.array([(0, 2), (1, 2)], np.int32),
            "pulls": np.ones(2),
            "sweeps": 2,
            "exchanges": 1,
            "inwards": 0.1,
        },
    ),
    "most_rounds": (_kernel.most_rounds, {"edges": 10}),
    "shared_out_weight": (
        _kernel.shared_out_weight,
        {"edges": [(0, 1), (1, 2)], "weights": [3, 4], "states": [2, 3, 2], "max_table": 6},
    ),
    "ConsensusProblem": (_kernel.ConsensusProblem, PROBLEM),
    "ConsensusProblem.of_some_pairs": (
        lambda **a: _kernel.DirectRun(_kernel.ConsensusProblem(**a), [ARCS], "quick", 0).step(1, 10.0),
        LISTED_PROBLEM,
    ),
    "find_cycle.of_arcs": (_kernel.find_cycle, {"dag": (N, ARCS)}),
    "triangulate.of_arcs": (_kernel.triangulate, {"dag": (N, ARCS), "method": "best", "states": 10}),
    "clique_along.of_arcs": (_kernel.clique_along, {"dag": (N, ARCS), "order": np.arange(N, dtype=np.int32)}),
    "smhd.of_arcs": (_kernel.smhd, {"dag": (N, ARCS), "others": [(N, ARCS)]}),
    "shd.of_arcs": (_kernel.shd, {"dag": (N, ARCS), "others": [(N, ARCS)]}),
    "count_pairs": (_kernel.count_pairs, {"dags": [(N, ARCS)], "weights": np.ones(1, np.int64)}),
    "ConsensusProblem.rules": (lambda **a: _kernel.ConsensusProblem(**a).rules(), PROBLEM),
    "ConsensusProblem.bound": (lambda **a: _kernel.ConsensusProblem(**PROBLEM).bound(**a), {"rounds": 1}),
    "ConsensusProblem.vote": (
        lambda **a: _kernel.ConsensusProblem(**PROBLEM).vote(**a),
        {"numerator": 1, "denominator": 2, "by_arc": False},
    ),
    "ConsensusProblem.order_within": (
        lambda **a: _kernel.ConsensusProblem(**PROBLEM).order_within(**a),
        {"arcs": [(0, 1)]},
    ),
    "ConsensusProblem.turned": (lambda **a: _kernel.ConsensusProblem(**PROBLEM).turned(**a), {"arcs": [(0, 1)]}),
    "ConsensusProblem.floor": (
        lambda **a: _kernel.ConsensusProblem(**PROBLEM).floor(**a),
        {"inputs": [ARCS], "seconds": 10.0},
    ),
    "DirectRun": (
        lambda **a: _kernel.DirectRun(_kernel.ConsensusProblem(**PROBLEM), **a).step(1, 10.0),
        {"inputs": [ARCS], "effort": "quick", "seed": 0, "start": [(0, 1)]},
    ),
    "DirectRun.step": (
        lambda **a: _kernel.DirectRun(_kernel.ConsensusProblem(**PROBLEM), [ARCS], "quick", 0).step(**a),
        {"threads": 1, "seconds": 10.0},
    ),
    "SetSearch": (_kernel.SetSearch, SETS),
    "SetSearch.round": (lambda **a: _kernel.SetSearch(**SETS).round(**a), {"threads": 1, "seconds": 10.0}),
    "SetSearch.proved": (lambda **a: _kernel.SetSearch(**SETS).proved(**a), {"most_nodes": 100, "seconds": 10.0}),
    "StructureLearner.family_score": (
        lambda **a: _kernel.StructureLearner(**LEARNER).family_score(**a),
        {"child": 0, "parents": [1, 2]},
    ),
}


def spoilt(value: Any) -> Iterator[Any]:
    """Values of the same type that no call can take; some that it may."""
    if isinstance(value, np.ndarray):
        yield value[:0]
        yield value[:-1]
        yield np.concatenate((value, value))
        for wrong in (-(2**31), -1, N, 2**31 - 1, 2**62, 2**64 - 1):
            if value.dtype.kind == "f" or np.iinfo(value.dtype).min <= wrong <= np.iinfo(value.dtype).max:
                yield np.full_like(value, wrong)
                one = value.copy()
                one.flat[-1] = wrong
                yield one
        yield value.astype(np.float64)
        yield value[..., None]
    elif isinstance(value, tuple):
        for i, part in enumerate(value):
            yield from ((*value[:i], bad, *value[i + 1 :]) for bad in spoilt(part))
    elif isinstance(value, str):
        yield from ("", "no such")
    elif isinstance(value, list):
        yield from ([], value[:1] * 2, [-1] * len(value), [(-1, 3)], [(0, N)], [(2, 2)], [2**31 - 1])
    elif isinstance(value, float):
        yield from (float("nan"), float("inf"), -1.0)
    elif isinstance(value, int):
        yield from (-(2**31), -1, 0, 1, N + 1, 2**31 - 1, 2**63 - 1)


@pytest.mark.parametrize("name", CALLS)
def test_bad_arguments_are_refused_or_harmless(name: str) -> None:
    call, good = CALLS[name]
    if not name.endswith("offer"):
        call(**good)
    for argument, value in good.items():
        if argument in {
            "rounds",
            "stop",
            "total",
            "until",
            "moves",
            "tries",
            "number",
            "sweeps",
            "exchanges",
        }:  # large: much work
            continue
        for bad in spoilt(value):
            try:
                call(**{**good, argument: bad})
            except (ValueError, TypeError, OverflowError):
                continue


def test_every_function_of_the_kernel_is_tried() -> None:
    public = {name for name, kind in inspect.getmembers(_kernel) if not name.startswith("_") and callable(kind)}
    assert public == {name for name in CALLS if "." not in name}


@pytest.mark.parametrize(
    ("name", "argument", "bad"),
    [
        ("heuristic_order", "weights", np.ones(1, np.int64)),
        ("heuristic_order", "weights", np.array([1, 1, -1])),
        ("heuristic_order", "ties", np.zeros(N, np.int32)),
        ("minimal_imaps", "order", np.zeros(N, np.int32)),
        ("minimal_imaps", "dags", np.full_like(ROWS, 1 << N)),
        ("minimal_imaps", "dags", np.full_like(ROWS, (1 << N) - 1)),
        ("heuristic_order", "dags", np.full_like(ROWS, (1 << N) - 1)),
        ("fsim", "others", np.full_like(ROWS, (1 << N) - 1)),
        ("triangulate", "dag", np.full_like(ROWS[0], 2**63)),
        ("triangulate", "method", "no such"),
        ("shd", "others", np.zeros((2, N + 1, 1), np.uint64)),
        ("count_edges", "moral", np.zeros((N, N - 1), np.int64)),
        ("maximum_branching", "gain", np.ones((N - 1, N - 1), np.int64)),
        ("DirectSearch", "rules", np.ones((N, N), np.uint8)),
        ("DirectSearch", "support", np.full((N, N), 2**41)),
        ("MinCutSearch", "network", np.full_like(ROWS[0], (1 << N) - 1)),
        ("MinCutSearch", "inputs", np.full_like(ROWS, (1 << N) - 1)),
        ("MinCutSearch", "support", np.ones((N - 1, N - 1), np.int64)),
        ("MinCutSearch", "required", [(0, N)]),
        ("Candidates.evaluate", "population", np.ones((4, 3), np.uint8)),
        ("Candidates.decode", "variables", 64 * N),
        ("Candidates.offer", "genes", [0]),
        ("Evolution", "genes", 2**31 - 1),
        ("Evolution", "forbidden", np.full(2, 255, np.uint8)),
        ("Evolution", "offered", np.array([0, 2], np.int32)),
        ("Evolution", "add", np.full(N + 1, np.nan)),
        ("Evolution.evaluate", "population", np.ones((4, 3), np.uint8)),
        ("Evolution.start", "population", np.full((4, 2), 255, np.uint8)),
        ("Evolution.next", "words", np.zeros(1, np.uint64)),
    ],
)
def test_what_would_crash_is_a_value_error(name: str, argument: str, bad: Any) -> None:
    call, good = CALLS[name]
    with pytest.raises(ValueError, match=r"\w"):
        call(**{**good, argument: bad})


# The public ways in


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1], "1 weights for 3 networks"),
        ([1, 1, 1, 1], "4 weights for 3 networks"),
        ([1, 1, -1], "whole number of at least 0; got -1"),
        ([1, 1, 0.5], "whole number of at least 0; got 0.5"),
        ([1, 1, "1"], "whole number of at least 0; got '1'"),
        ([1, 1, 2**62], "add up to more than"),
        ("111", "must be a list"),
        (1, "must be a list"),
    ],
)
def test_weights_of_an_order_are_checked(weights: Any, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        order(DAGS, weights=weights)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (np.full((2, 1), 4, np.uint64), "bits beyond the variables"),
        (np.array([[2], [1]], np.uint64), "form a cycle: A -> B -> A|form a cycle: B -> A -> B"),
        (np.array([[1], [0]], np.uint64), "form a cycle: A -> A"),
        (np.zeros((3, 1), np.uint64), "2 rows of 1 words"),
        (np.zeros((2, 2), np.uint64), "2 rows of 1 words"),
        (np.zeros((2, 1), np.int64), "2 rows of 1 words"),
        (None, "2 rows of 1 words"),
    ],
)
def test_rows_that_are_no_dag_are_refused(rows: Any, message: str) -> None:
    with pytest.raises(GraphError, match=message):
        DAG.from_rows(("A", "B"), rows)


def test_rows_make_a_dag() -> None:
    dag = random_dag(1, 70, 1.5)
    assert DAG.from_rows(dag.variables, np.asfortranarray(dag.rows)) == dag


# Signals and deadlines


class AlarmError(Exception):
    """Raised by the alarm."""


@contextmanager
def alarm() -> Iterator[None]:
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        pytest.skip("needs an interval timer and the main thread")

    def ring(*_: object) -> None:
        raise AlarmError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


FOREVER = 2**60


@pytest.mark.parametrize("threads", [1, 3])
def test_an_endless_search_can_be_interrupted_and_keeps_its_best(threads: int) -> None:
    search = _kernel.DirectSearch(**DIRECT)
    with alarm(), pytest.raises(AlarmError):
        search.anneal(0, FOREVER, FOREVER, threads)
    gain, _, arcs, _ = search.best()
    assert gain > 0
    assert len(arcs) > 0
    with alarm(), pytest.raises(AlarmError):
        search.polish(FOREVER)
    assert search.best()[0] >= gain


@pytest.mark.parametrize("threads", [1, 3])
def test_an_endless_search_for_fsim_can_be_interrupted(threads: int) -> None:
    search = fsim_search()
    first = search.best()[0]
    with alarm(), pytest.raises(AlarmError):
        search.anneal(FOREVER, FOREVER, 1.0, threads)
    assert search.best()[0] <= first


def test_an_exact_clique_size_can_be_interrupted() -> None:
    graph = nx.random_regular_graph(6, 90, seed=1)
    names = [f"V{i}" for i in graph] + [f"E{i}" for i in range(graph.number_of_edges())]
    arcs = [(f"V{a}", f"E{i}") for i, (a, b) in enumerate(graph.edges)]
    arcs += [(f"V{b}", f"E{i}") for i, (a, b) in enumerate(graph.edges)]
    with alarm(), pytest.raises(AlarmError):
        clique_size(DAG(names, arcs), "exact", max_states=10**12)


def test_a_bound_can_be_interrupted() -> None:
    rng = np.random.default_rng(1)
    edges = np.argwhere(np.triu(np.ones((60, 60)), 1)).astype(np.int32, order="C")
    weights = np.sort(rng.integers(1, 1000, len(edges)))[::-1].copy()
    rng.shuffle(edges)
    with alarm(), pytest.raises(AlarmError):
        _kernel.minor_weight(60, edges, weights, 4, 2**28)


def test_a_deadline_ends_a_search_and_leaves_it_usable() -> None:
    search, twin = _kernel.DirectSearch(**DIRECT), _kernel.DirectSearch(**DIRECT)
    assert not search.anneal(0, FOREVER, FOREVER, 2, seconds=0.01)
    assert not search.polish(FOREVER, seconds=0.01)
    assert search.best()[0] > 0
    assert twin.anneal(0, 5000, 5000, 2, seconds=1e6)
    assert search.anneal(0, 5000, 5000, 2)
    other = fsim_search()
    assert not other.anneal(FOREVER, FOREVER, 1.0, 2, seconds=0.01)
    assert other.best()[0] >= 0


def test_a_far_deadline_changes_nothing() -> None:
    plain, timed = _kernel.DirectSearch(**DIRECT), _kernel.DirectSearch(**DIRECT)
    assert plain.anneal(0, 20_000, 20_000, 1)
    assert timed.anneal(0, 20_000, 20_000, 2, seconds=1e6)
    assert plain.polish(5_000)
    assert timed.polish(5_000, seconds=1e6)
    assert plain.best() == timed.best()


def test_a_search_in_use_says_so() -> None:
    search = _kernel.DirectSearch(**DIRECT)
    refused: list[str] = []

    def ask(*_: object) -> None:
        try:
            search.best()
        except RuntimeError as error:
            refused.append(str(error))
        raise AlarmError

    with alarm():
        signal.signal(signal.SIGALRM, ask)
        with pytest.raises(AlarmError):
            search.anneal(0, FOREVER, FOREVER, 2)
    assert refused == ["another call is using this object"]
    assert search.best()[0] > 0


# Negative support: an arc that no distance needs is better left out


def test_support_decides_about_arcs_that_no_distance_needs() -> None:
    gain = np.zeros((3, 3), np.int64)
    support = np.array([[0, 5, -1], [3, 0, -2], [-4, 2, 0]])
    rules = (1 - np.eye(3, dtype=np.uint8)).astype(np.uint8)
    search = _kernel.DirectSearch(
        **{**DIRECT, "gain": gain, "support": support, "rules": rules, "support_share": 1 / 256}
    )
    search.start_from([(0, 2)])
    search.tidy()
    _, total, arcs, _ = search.best()
    assert (total, sorted(arcs)) == (7, [(0, 1), (2, 1)])
    assert _kernel.maximum_branching(gain, np.minimum(support, 0), rules) == [-1, -1, -1]
