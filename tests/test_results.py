"""Problems and results are values: equal, hashable, copied, pickled, saved; and a saved one is believed only as far as
it can be computed anew."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bnfuse
from bnfuse import DAG, Consensus, Constraints, FileError, Network, OptionError, Tally, consensus, frontier
from bnfuse.inference.parameters import pool
from bnfuse.problem.inputs import Inputs, distinct
from bnfuse.problem.problem import Problem
from bnfuse.search.direct import DirectOptions
from bnfuse.search.paper.genetic import GeneticOptions
from strategies import dag_lists, problem_of, random_dag, tables_for

CLINICS = sorted((Path(__file__).parents[1] / "examples" / "clinics").glob("*.bif"))
COPIES: list[Callable[[Any], Any]] = [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))]
DAGS = [random_dag(seed, 8, 1.5) for seed in range(4)]
OTHER = [random_dag(seed, 8, 1.5) for seed in range(1, 5)]


@pytest.fixture(scope="module")
def clinics() -> Consensus:
    return consensus(bnfuse.read(*CLINICS), 4, effort="quick")


@pytest.mark.parametrize("again", COPIES)
@pytest.mark.parametrize(
    "value",
    [
        problem_of(DAGS, 3),
        problem_of(DAGS, 3, "fsim", "fused", weights=[1, 2, 0.5, 4]),
        problem_of(DAGS, 3, required=[DAGS[0].edges[0]], max_parents=2),
        Problem(Inputs.of(Tally.of(DAGS, [1, 2, 3, 4])), 3),
        Constraints(required=[("A", "B")], tiers=[["A"], ["B"]], max_parents=1),
        GeneticOptions(population=7),
        consensus(DAGS, 3, effort="quick"),
        consensus(DAGS, 3, metric="fsim", effort="quick"),
        consensus(DAGS, 3, method="greedy"),
        consensus(Tally.of(DAGS, [1, 1, 1, 1]), 3, method="majority"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_copies_are_equal_and_have_one_hash(value: Any, again: Callable[[Any], Any]) -> None:
    other = again(value)
    assert other == value
    assert hash(other) == hash(value)
    assert {value: 1}[other] == 1


def test_what_was_computed_before_is_no_part_of_a_value() -> None:
    fresh, used = problem_of(DAGS, 3), problem_of(DAGS, 3)
    assert used.fusion.dag.variables
    assert used == fresh
    assert hash(used) == hash(fresh)
    assert pickle.loads(pickle.dumps(used)) == fresh


@pytest.mark.parametrize(
    "different",
    [
        problem_of(OTHER, 3),
        problem_of(DAGS, 4),
        problem_of(DAGS, 3, "fsim"),
        problem_of(DAGS, 3, target="fused"),
        problem_of(DAGS, 3, weights=[1, 1, 1, 2]),
        problem_of(DAGS, 3, forbidden=[DAGS[0].edges[0]]),
        Problem(Inputs.of(Tally.of(DAGS, [1, 1, 1, 1])), 3),
    ],
)
def test_other_questions_are_not_equal(different: Problem) -> None:
    assert different != problem_of(DAGS, 3)


def test_a_result_does_not_depend_on_when_it_was_found() -> None:
    first, second = (consensus(DAGS, 3, effort="quick") for _ in range(2))
    assert first == second
    assert first != consensus(DAGS, 3, effort="quick", seed=1)
    assert first != consensus(DAGS, 4, effort="quick")
    assert first != "a text"


def test_the_tally_of_a_problem_cannot_be_changed() -> None:
    tally = Tally.of(DAGS, [1, 1, 1, 1])
    problem = Problem(Inputs.of(tally), 3)
    tally.add(DAGS[0])  # the caller's own
    assert problem.tally.weight == 4
    with pytest.raises(ValueError, match="read-only"):
        problem.tally.arcs[0, 1] = 9


def test_another_limit_keeps_what_is_known_of_the_inputs(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    fuse = bnfuse.problem.inputs.fuse  # type: ignore[attr-defined]
    monkeypatch.setattr("bnfuse.problem.inputs.fuse", lambda *given: calls.append(1) or fuse(*given))
    results = frontier(DAGS, [2, 3, 4, 5], metric="fsim", effort="quick")
    assert len(results) == 4
    assert len(calls) == 1


# Names


@given(st.lists(st.sampled_from(["a", "b", "a (2)", "a (3)", "unknown"]), max_size=8))
def test_every_input_has_its_own_name(names: list[str]) -> None:
    told_apart = distinct(names)
    assert len(set(told_apart)) == len(names)
    for name, unique in zip(names, told_apart, strict=True):
        assert unique.startswith(name)
        assert names.count(name) > 1 or unique == name


def test_networks_of_one_name_are_told_apart_everywhere(tmp_path: Path) -> None:
    networks = [Network(dag, name="unknown") for dag in DAGS]
    result = consensus(networks, 3, effort="quick")
    assert result.problem.names == ("unknown", "unknown (2)", "unknown (3)", "unknown (4)")
    assert result._repr_html_()
    result.report(tmp_path / "report.html")
    result.save(tmp_path / "c.json")
    assert Consensus.load(tmp_path / "c.json") == result
    with pytest.raises(OptionError, match="a weight for 'unknown', but 4 networks have that name"):
        consensus(networks, 3, weights={"unknown": 2})


def test_tables_are_pooled_from_the_inputs_that_have_any_and_the_others_are_named() -> None:
    networks = bnfuse.read(*CLINICS)
    bare = [networks[0], networks[1].dag, *networks[2:4], networks[4].dag]
    result = consensus(bare, 4, effort="quick", weights=[1, 1, 2, 3, 1]).finished
    assert result.network.cpts is not None
    assert any("'2', '5' have no tables and took no part" in note for note in result.notes)
    assert result.parameters == consensus(bare, 4, effort="quick").pool([1, 7, 2, 3, 0]).parameters
    alone = pool(result.dag, [networks[0], *networks[2:4]], [1, 2, 3])
    assert result.network.cpts.keys() == alone.network.cpts.keys()
    for name, table in alone.network.cpts.items():
        assert np.array_equal(result.network.cpts[name], table)


def test_tables_are_pooled_over_the_union_of_variables_too() -> None:
    first, second = bnfuse.read(*CLINICS[:2])
    more = DAG([*second.variables, "Gender"], second.dag.edges)
    result = consensus([first, DAG(first.variables[:4], ()), second], 3, variables="union", effort="quick")
    assert result.network.cpts is not None
    lacking = consensus([first, more], 3, variables="union", effort="quick").finished
    assert lacking.parameters is None
    assert any("not pooled: no network with tables has the variable 'Gender'" in note for note in lacking.notes)


def test_pooling_needs_a_network_with_tables_that_counts() -> None:
    tabled, bare = bnfuse.read(*CLINICS[:2])
    result = consensus([tabled, bare.dag], 3, effort="quick")
    with pytest.raises(OptionError, match="at least one weight must be above 0"):
        result.pool([0, 1])
    with pytest.raises(OptionError, match="pooling needs input networks with tables"):
        consensus([tabled, bare.dag], 3, effort="quick", weights=[0, 1]).pool()


# Saved


@settings(max_examples=30, deadline=None)
@given(dag_lists(min_size=2, max_size=5, min_dags=1, max_dags=3), st.sampled_from(["smhd", "fsim", "shd"]), st.data())
def test_what_is_saved_comes_back_equal(
    tmp_path_factory: pytest.TempPathFactory, dags: list[DAG], metric: str, data: st.DataObject
) -> None:
    states = dict.fromkeys(dags[0].variables, ("a", "b"))
    networks = [data.draw(tables_for(dag, states)) for dag in dags] if data.draw(st.booleans()) else dags
    result = consensus(networks, 3, metric, effort="quick")
    path = tmp_path_factory.mktemp("saved") / "c.json.gz"
    result.save(path)
    loaded = Consensus.load(path)
    assert loaded == result
    assert hash(loaded) == hash(result)
    assert loaded.seconds == result.seconds
    assert loaded.network == result.network


WRONG: dict[str, Callable[[dict[str, Any]], Any]] = {
    "seed below 0": lambda c: c.update(seed=-5),
    "seed without end": lambda c: c.update(seed=10**400),
    "limit as text": lambda c: c.update(max_clique="4"),
    "limit below the clique": lambda c: c.update(max_clique=2),
    "limit of 1": lambda c: c.update(max_clique=1),
    "clique size": lambda c: c.update(clique_size=c["clique_size"] + 1),
    "distance": lambda c: c.update(distance=c["distance"] - 1),
    "weight below 0": lambda c: c["inputs"][0].update(weight=-3),
    "weight of 0": lambda c: c["inputs"][0].update(weight=0),
    "weight as a fraction": lambda c: c["inputs"][0].update(weight=1.5),
    "history": lambda c: c["history"][0].__setitem__(1, "near"),
    "history below 0": lambda c: c["history"][0].__setitem__(0, -1),
    "seconds": lambda c: c.update(seconds="0.1"),
    "metric": lambda c: c.update(metric="shd?"),
    "target": lambda c: c.update(target="moon"),
    "method": lambda c: c.update(method="guess"),
    "stopped by": lambda c: c.update(stopped_by="rain"),
    "options": lambda c: c["options"].update(effort="huge"),
    "unknown option": lambda c: c["options"].update(speed=3),
    "constraint that is broken": lambda c: c["constraints"].update(max_parents=0),
    "constraint on nobody": lambda c: c["constraints"].update(forbidden=[["Nobody", "Age"]]),
    "arc to nowhere": lambda c: c["arcs"].append([0, 99]),
    "arc from below": lambda c: c["arcs"].append([-1, 3]),
    "cycle": lambda c: c["arcs"].extend([[b, a] for a, b in c["arcs"]]),
    "order": lambda c: c["elimination_order"].reverse() or c["elimination_order"].pop(),
    "notes": lambda c: c.update(notes="one text"),
    "name": lambda c: c["inputs"][0].update(name=7),
    "states": lambda c: c["states"].pop(),
    "state twice": lambda c: c["states"].__setitem__(0, ["x", "x"]),
    "tables below 0": lambda c: c["parameters"]["cpts"][0].__setitem__(0, -0.5),
    "too few numbers": lambda c: c["parameters"]["cpts"][0].pop(),
    "pruned": lambda c: c.update(pruned=[[]]),
    "origin": lambda c: c.update(origin={"files": [], "command": 3, "version": "", "time": ""}),
    "frontier": lambda c: c.update(frontier=[{"max_clique": 2}]),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_file_that_does_not_agree_with_itself_is_refused(wrong: str, clinics: Consensus, tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    clinics.save(path)
    content = json.loads(path.read_text("utf-8"))
    WRONG[wrong](content)
    path.write_text(json.dumps(content, separators=(",", ":")), "utf-8")
    with pytest.raises(FileError, match="is a damaged saved consensus") as error:
        Consensus.load(path)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_what_is_not_a_number_is_refused(number: str, clinics: Consensus, tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    clinics.save(path)
    text = path.read_text("utf-8")
    seconds = f'"seconds":{clinics.seconds!r}'
    assert seconds in text
    path.write_text(text.replace(seconds, f'"seconds":{number}'), "utf-8")
    with pytest.raises(FileError, match=f"{number} is not a number"):
        Consensus.load(path)


def test_files_of_the_first_version_are_read(clinics: Consensus, tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    clinics.save(path)
    content = json.loads(path.read_text("utf-8"))
    content["version"] = 1
    for later in ("options", "distance", "found_notes"):
        del content[later]
    del content["parameters"]["states"]
    path.write_text(json.dumps(content, separators=(",", ":")), "utf-8")
    loaded = Consensus.load(path)
    assert loaded.dag == clinics.dag
    assert loaded.network == clinics.network
    assert loaded.options == DirectOptions()


def test_a_saved_result_says_how_it_was_found(tmp_path: Path) -> None:
    options = GeneticOptions(population=8, generations=3, rates="printed")
    result = consensus(DAGS, 3, method=options, seed=4)
    result.save(tmp_path / "c.json")
    loaded = Consensus.load(tmp_path / "c.json")
    assert loaded.options == options
    assert {one.name for one in fields(loaded.options)} <= set(json.loads((tmp_path / "c.json").read_text())["options"])


def test_names_that_no_text_can_hold_are_saved(clinics: Consensus, tmp_path: Path) -> None:
    odd = Network(DAGS[0], name="caf\udce9")
    result = consensus([odd, *DAGS[1:]], 3, effort="quick")
    result.save(tmp_path / "c.json")
    assert Consensus.load(tmp_path / "c.json").problem.names[0] == "caf\udce9"
