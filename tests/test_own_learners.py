"""Learners of one's own: they may give whatever a consensus takes, and resamples count as that would."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

import bnfuse
import oracles
from bnfuse import DAG, PDAG, ArcVotes, BnfuseError, Network, Tally, bootstrap, consensus, learn
from bnfuse.data.data import Data
from samples import random_data

ROOT = Path(__file__).parent.parent
DATA = random_data(2, 5, 100)
NAMES = DATA.variables


def learned_class(rows: Data) -> PDAG:
    return PDAG.of_class(learn(rows, "aic").dag).reordered(NAMES[::-1])


def in_turn(*found: object) -> Callable[[Any], Any]:
    """A learner that gives these, one after the other."""
    rest = iter(found)
    return lambda rows: next(rest)


def test_a_class_gives_half_a_vote_to_each_direction_that_it_leaves_open() -> None:
    structures = [network.dag for network in bootstrap(DATA, 6, lambda rows: learn(rows, "aic"), table="data")]
    runs = bootstrap(DATA, 6, learned_class, table="data")
    found = list(runs)
    assert [one.name for one in found] == [f"resample {i}" for i in range(1, 7)]
    assert all(isinstance(one, PDAG) and one.variables == NAMES for one in found)
    assert any(one.edges for one in found)
    assert runs.done == 6
    halves, morals = np.zeros((5, 5), np.int64), np.zeros((5, 5), np.int64)
    for dag in structures:
        graph = oracles.graph_of(dag)
        free, place = oracles.reversible_arcs(graph), NAMES.index
        for a, b in graph.edges:
            halves[place(a), place(b)] += 1 if (a, b) in free else 2
            halves[place(b), place(a)] += (a, b) in free
        for pair in oracles.moral_edges(graph):
            a, b = map(place, pair)
            morals[a, b] += 2
            morals[b, a] += 2
    assert (runs.tally.parts, runs.tally.weight) == (2, 12)
    np.testing.assert_array_equal(runs.tally.arcs, halves)
    np.testing.assert_array_equal(runs.tally.moral, morals)


@pytest.mark.parametrize("metric", ["smhd", "shd"])
def test_the_consensus_of_the_tally_is_that_of_what_was_learned(metric: str) -> None:
    soft = ArcVotes.from_counts({("V0", "V1"): 3, ("V1", "V0"): 4}, 8, NAMES, networks=1)
    cases = [learned_class(DATA), learn(DATA), DAG(NAMES, [NAMES[:2]]), soft, PDAG(NAMES, edges=[NAMES[1:3]])]
    runs = bootstrap(DATA, 5, in_turn(*cases))
    kinds = [type(one) for one in runs]
    assert kinds == [PDAG, Network, Network, ArcVotes, PDAG]
    by_tally, by_inputs = consensus(runs.tally, 3, metric), consensus(cases, 3, metric)
    assert by_tally.dag == by_inputs.dag
    assert by_tally.distance == pytest.approx(by_inputs.distance, abs=1e-12)


def test_votes_of_many_networks_are_one_resample() -> None:
    votes = ArcVotes.from_counts({("V0", "V1"): 150}, 200, NAMES)
    runs = bootstrap(DATA, 2, in_turn(votes, DAG(NAMES)))
    assert [one.name for one in runs] == ["resample 1", "resample 2"]
    assert runs.done == 2
    assert runs.tally.arcs[0, 1] * 8 == runs.tally.weight * 3


def test_a_run_with_classes_can_be_continued() -> None:
    whole = bootstrap(DATA, 5, learned_class, table="data")
    first, rest = (
        bootstrap(DATA, 2, learned_class, table="data"),
        bootstrap(DATA, 3, learned_class, table="data", first=2),
    )
    both = first.run()
    both.merge(rest.run())
    assert both == whole.run()


SQUARE = [("V0", "V1"), ("V1", "V2"), ("V2", "V3"), ("V3", "V0")]


@pytest.mark.parametrize(
    ("found", "problem"),
    [
        (PDAG(NAMES, edges=SQUARE), "learner, resample 2: no DAG represents it: V0 --- V1"),
        (PDAG(NAMES[:4]), "learner, resample 2: .*lacks variable 'V4'"),
        (ArcVotes.from_arcs(NAMES[:4], SQUARE), "learner, resample 2: .*lacks variable 'V4'"),
        (None, "learner, resample 2: expected a network, got NoneType"),
    ],
)
def test_what_is_no_input_is_refused_with_its_resample(found: object, problem: str) -> None:
    runs = bootstrap(DATA, 3, in_turn(DAG(NAMES), found))
    with pytest.raises(BnfuseError, match=problem):
        runs.run()
    assert runs.done == 1


@contextmanager
def interrupted(line: int) -> Iterator[None]:
    """Ctrl-C before the line of the tally's code that comes at this place."""
    left = line

    def traced(frame: FrameType, event: str, _: object) -> Any:
        nonlocal left
        if frame.f_code.co_filename != Tally.add.__code__.co_filename:
            return None
        if event == "line":
            left -= 1
            if left == 0:
                raise KeyboardInterrupt
        return traced

    before = sys.gettrace()
    sys.settrace(traced)
    try:
        yield
    finally:
        sys.settrace(before)


@pytest.mark.parametrize("step", [11, pytest.param(1, marks=pytest.mark.long)])
def test_ctrl_c_leaves_no_half_of_a_class_in_the_tally(step: int) -> None:
    joined = DAG(NAMES, [NAMES[:2]])
    cases = [joined, PDAG(NAMES, [NAMES[3:]], [NAMES[:2]]), joined, PDAG(NAMES, edges=[NAMES[1:3]])]
    expected = [Tally(NAMES) for _ in range(5)]
    for number, tally in enumerate(expected):
        for one in cases[:number]:
            tally.add(one)
    seen = set()
    for line in range(1, 10_000, step):
        runs = bootstrap(DATA, 4, in_turn(*cases))
        next(iter(runs))
        with interrupted(line):
            networks = list(runs)
        assert len(networks) == runs.done - 1
        right = expected[runs.done]
        ours = runs.tally
        np.testing.assert_array_equal(ours.arcs * right.parts, right.arcs * ours.parts)
        np.testing.assert_array_equal(ours.moral * right.parts, right.moral * ours.parts)
        seen.add(runs.done)
        if runs.stopped_by == "finished":
            break
    assert seen == {1, 2, 3, 4}


CREATION, *BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "learning.md").read_text("utf-8"), re.S)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "package", ["pyagrum", "pgmpy", "causallearn.search.ScoreBased", "causallearn.search.Constraint"]
)
def test_the_examples_of_the_docs_find_what_the_data_are_from(
    package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip(package.partition(".")[0])
    (block,) = [one for one in BLOCKS if re.search(rf"^(import|from) {package}", one, re.M)]
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(compile(CREATION, "docs/learning.md", "exec"), {})
    exec(compile(block, "docs/learning.md", "exec"), names)
    assert names["runs"].done == names["runs"].resamples
    (truth,) = bnfuse.read(ROOT / "examples" / "clinics" / "eastgate.bif")
    true, found = ({frozenset(arc) for arc in dag.edges} for dag in (truth.dag, names["result"].dag))
    assert len(found & true) >= 8
    assert len(found - true) <= 2
