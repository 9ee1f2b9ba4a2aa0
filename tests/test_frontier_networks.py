"""The networks of a frontier: with their tables, in files, and only of the same question."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import bnfuse
from bnfuse import Consensus, FileError, MismatchError, read
from bnfuse.inference.gaussian import either
from bnfuse.report.summary import flattening

CLINICS = sorted((Path(__file__).parent.parent / "examples" / "clinics").glob("*.bif"))


@pytest.fixture(scope="module")
def clinics():
    return read(*CLINICS)


@pytest.fixture(scope="module")
def steps(clinics):
    return bnfuse.frontier(clinics, effort="quick")


@pytest.fixture(scope="module")
def found(clinics, steps):
    return bnfuse.consensus(clinics, 3, effort="quick").with_frontier(steps)


def same_tables(one, other):
    assert one.cpts.keys() == other.cpts.keys()
    return all(np.array_equal(one.cpts[name], other.cpts[name]) for name in one.cpts)


# Tables


def test_the_networks_of_a_frontier_are_fitted_with_the_consensus(clinics, steps, found):
    rows = clinics[0].sample(200, seed=3)
    fitted = found.fit(rows, prior=2.0)
    for point, step in zip(fitted.frontier, steps, strict=True):
        assert same_tables(point.result.network, step.fit(rows, prior=2.0).network)
        assert point.result.notes == step.fit(rows, prior=2.0).notes


def test_the_networks_of_a_frontier_are_pooled_with_the_consensus(steps, found):
    weights = {"harbour": 7}
    for whole, alone in ((found.pool(weights), [step.pool(weights) for step in steps]), (found.finished, steps)):
        assert whole.parameters is not None
        for point, step in zip(whole.frontier, alone, strict=True):
            assert point.result.parameters is not None
            assert same_tables(point.result.network, step.network)


def test_the_network_alone_needs_no_tables_of_others(found, monkeypatch):
    pooled = []
    original = either.pool
    monkeypatch.setattr(either, "pool", lambda *given, **more: pooled.append(1) or original(*given, **more))
    assert bnfuse.consensus(found.inputs, 3, effort="quick").with_frontier([found]).network.cpts is not None
    assert len(pooled) == 1


def test_what_is_noted_of_a_consensus_is_noted_of_its_frontier(found):
    noted = found.noted("from far away")
    assert all(one.notes[0] == "from far away" for one in (noted, *(point.result for point in noted.frontier)))


def test_a_frontier_of_another_question_is_refused(clinics, found):
    for other in (
        bnfuse.frontier(clinics, [2], metric="shd", effort="quick"),
        bnfuse.frontier(clinics, [2], weights={"harbour": 2}, effort="quick"),
        bnfuse.frontier(clinics, [2], forbidden=[("Age", "COPD")], effort="quick"),
        bnfuse.frontier(clinics[1:], [2], effort="quick"),
    ):
        with pytest.raises(MismatchError, match="the frontier answers a different question"):
            found.with_frontier(other)


# Files


def test_the_networks_of_a_frontier_come_back(found, tmp_path):
    found.save(tmp_path / "c.json")
    loaded = Consensus.load(tmp_path / "c.json")
    assert loaded == found
    for point, other in zip(loaded.frontier, found.finished.frontier, strict=True):
        assert point == other
        assert point.result == other.result
        assert point.result.elimination_order == other.result.elimination_order
        assert same_tables(point.result.network, other.result.network)
    assert json.loads((tmp_path / "c.json").read_text("utf-8"))["version"] == 4


def test_limits_on_tables_come_back(clinics, tmp_path):
    steps = bnfuse.frontier(clinics, max_table=[12, 24], effort="quick")
    found = bnfuse.consensus(clinics, max_table=16, effort="quick").with_frontier(steps)
    found.save(tmp_path / "c.json")
    loaded = Consensus.load(tmp_path / "c.json")
    assert loaded.steps_through_tables
    assert [point.result.problem for point in loaded.frontier] == [step.problem for step in steps]


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        (lambda answer: answer | {"distance": 1.5}, "frontier[0].answer.distance: it is 11.6, not 1.5"),
        (
            lambda answer: answer | {"clique_size": 3},
            "answer.clique_size: the elimination order makes a clique of 2, not of 3",
        ),
        (lambda answer: answer | {"max_clique": 5}, "the network of limit 2 is a different one"),
        (lambda answer: answer | {"arcs": [[0, 1], [1, 0]]}, "damaged"),
        (lambda answer: answer | {"seed": "x"}, "damaged"),
        (lambda answer: [answer], "damaged"),
    ],
)
def test_a_network_that_does_not_fit_its_limit_is_refused(found, tmp_path, damage, complaint):
    path = tmp_path / "c.json"
    found.save(path)
    content = json.loads(path.read_text("utf-8"))
    content["frontier"][0]["answer"] = damage(content["frontier"][0]["answer"])
    path.write_text(json.dumps(content, separators=(",", ":")), "utf-8")
    with pytest.raises(FileError, match=re.escape(complaint)):
        Consensus.load(path)


# Where the curve becomes flat


def test_the_first_limit_with_most_of_the_gain_is_told():
    assert flattening([2, 3, 4], [10.2, 5.6, 5.4]) == "limit 3 is nearly as good: 5.60 against 5.40"
    assert flattening([10, 10**6, 10**11], [9, 1, 1]) == "limit 1,000,000 is just as good: 1.00"
    assert flattening([2, 3, 4, 5], [8, 6, 4, 0]) is None  # all of it comes late
    assert flattening([2, 3, 4], [5, 5, 5]) is None
    assert flattening([2, 3], [9, 1]) is None
