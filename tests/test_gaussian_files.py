"""Gaussian networks in files: our JSON, pgmpy's, and the formats that cannot hold them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bnfuse
from bnfuse import DAG, FileError, GaussianNetwork, Network
from bnfuse.files import gaussian
from gaussian_oracle import gaussian_networks, random_network


def refusal(action: Callable[[], object]) -> str:
    """What a FileError says."""
    with pytest.raises(FileError) as caught:
        action()
    return str(caught.value)


PAIR = GaussianNetwork(DAG.from_edges([("A", "B")]), {"A": 1, "B": 2}, {"B": {"A": 0.1}}, {"A": 1, "B": 0.5}, "pair")


@given(st.lists(gaussian_networks(), min_size=1, max_size=3))
def test_every_number_comes_back(networks: list[GaussianNetwork]) -> None:
    assert gaussian.read_text(gaussian.write_networks(networks), "x.json") == networks


@pytest.mark.parametrize("name", ["pair.json", "pair.json.gz", "pair.download"])
def test_a_network_comes_back_from_a_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    bnfuse.write(PAIR, tmp_path / "first.json")
    content = (tmp_path / "first.json").read_bytes()
    path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    [found] = bnfuse.read(path)
    assert found == PAIR
    assert isinstance(found, GaussianNetwork)
    assert found.name == "pair"


def test_a_folder_holds_gaussian_networks_too(tmp_path: Path) -> None:
    bnfuse.write(PAIR, tmp_path / "one.json")
    (tmp_path / "two.json").write_text(json.dumps(PGMPY))
    bnfuse.write(PAIR.dag, tmp_path / "three.json")
    assert [type(one) for one in bnfuse.read(tmp_path)] == [GaussianNetwork, Network, GaussianNetwork]


def test_odd_names_and_marks_come_back(tmp_path: Path) -> None:
    names = ["<5", 'quo"te', "back\\slash", "new\nline", "ä 😀", " led"]
    dag = DAG(names, [(names[0], names[1])])
    network = GaussianNetwork(dag, dict.fromkeys(names, 0), {names[1]: {names[0]: 1}}, dict.fromkeys(names, 1))
    bnfuse.write(network.marked("consensus"), tmp_path / "odd.json")
    [found] = bnfuse.read(tmp_path / "odd.json")
    assert (found, found.made_by, found.variables) == (network, "consensus", tuple(names))


def test_a_file_holds_several_networks(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    networks = [random_network(random, 4, name=f"n{i}") for i in range(3)]
    bnfuse.write(networks, tmp_path / "all.json")
    found = bnfuse.read(tmp_path / "all.json")
    assert found == networks
    assert [one.name for one in found] == ["n0", "n1", "n2"]


def test_beside_other_networks_the_structures_are_written(tmp_path: Path) -> None:
    bnfuse.write([PAIR, Network(PAIR.dag)], tmp_path / "all.json")
    assert [type(one) for one in bnfuse.read(tmp_path / "all.json")] == [Network, Network]


def test_our_file_is_replaced_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "pair.json"
    bnfuse.write(PAIR.dag, path)  # an ensemble
    bnfuse.write(PAIR, path)
    bnfuse.write(PAIR, path)
    bnfuse.consensus([PAIR]).save(tmp_path / "saved.json")
    with pytest.raises(FileError, match="exists"):
        bnfuse.write(PAIR, tmp_path / "saved.json")
    path.write_text('{"kind": "bnfuse Gaussian networks"}')  # no mark
    with pytest.raises(FileError, match="exists"):
        bnfuse.write(PAIR, path)


@pytest.mark.parametrize("extension", [".bif", ".xmlbif", ".xdsl", ".uai", ".net", ".dsl"])
def test_formats_with_tables_say_what_can_hold_it(tmp_path: Path, extension: str) -> None:
    problem = refusal(lambda: bnfuse.write(PAIR, tmp_path / f"pair{extension}"))
    assert "cannot hold a Gaussian network; a .json file holds all of it, a .csv file its arcs" in problem
    assert "\n" not in problem


@pytest.mark.parametrize("extension", [".csv", ".dagitty", ".tetrad", ".modelstring", ".dot", ".graphml"])
def test_formats_of_structures_hold_the_structure(tmp_path: Path, extension: str) -> None:
    path = tmp_path / f"pair{extension}"
    bnfuse.write(PAIR, path)
    if extension not in (".dot", ".graphml"):
        assert bnfuse.read(path) == [Network(PAIR.dag)]


def test_a_consensus_writes_its_numbers(tmp_path: Path) -> None:
    result = bnfuse.consensus([PAIR, PAIR])
    result.write(tmp_path / "consensus.json")
    assert bnfuse.read(tmp_path / "consensus.json")[0] == result.network


def content(**changes: Any) -> dict[str, Any]:
    own = {"A": {"intercept": 1, "sd": 1}, "B": {"intercept": 2, "sd": 0.5, "parents": {"A": 0.1}}}
    return {"kind": "bnfuse Gaussian networks", "version": 1, "networks": [{"variables": own | changes}]}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (json.dumps(content() | {"version": 2}), "version: this bnfuse reads version 1, not 2"),
        (json.dumps(content() | {"networks": []}), "networks: the list is empty"),
        (json.dumps(content() | {"networks": 3}), "networks: expected a list, got 3"),
        (json.dumps({"kind": "bnfuse Gaussian networks", "version": 1}), "lacks 'networks'"),
        (json.dumps(content(B={"sd": 1})), "networks[0].variables.B: lacks 'intercept'"),
        (json.dumps(content(B={"intercept": 1})), "networks[0].variables.B: lacks 'sd'"),
        (json.dumps(content(B={"intercept": "1", "sd": 1})), "variables.B.intercept: expected a number, got '1'"),
        (json.dumps(content(B={"intercept": 1, "sd": -1})), "the standard deviation of 'B' must be at least 0, got -1"),
        (json.dumps(content(B={"intercept": 1, "sd": 1, "parents": {"X": 1}})), "arc X -> B: unknown variable 'X'"),
        (json.dumps(content(A={"intercept": 1, "sd": 1, "parents": {"B": 1}})), "the arcs form a cycle"),
        (json.dumps(content()).replace("0.5", "NaN"), "not valid JSON: NaN"),
        (json.dumps(content()).replace('"A": {', '"B": {', 1), "an object has the key 'B' twice"),
        (json.dumps(content())[:-5], "not valid JSON"),
        (json.dumps(content()).replace("0.5", "1" + "0" * 5000), "a number of thousands of digits"),
        (json.dumps(content()).replace('"A"', '"\\ud800"'), "is not valid Unicode text"),
    ],
)
def test_what_is_wrong_with_a_file_is_told(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "wrong.json"
    path.write_text(text)
    problem = refusal(lambda: bnfuse.read(path))
    assert problem.startswith(str(path))
    assert message in problem
    assert "\n" not in problem


PGMPY: dict[str, Any] = {
    "nodes": ["B", "A"],
    "arcs": [["A", "B"]],
    "cpds": {
        "B": {"coefficients": {"(Intercept)": [2], "A": [0.1]}, "variance": [0.25], "parents": ["A"]},
        "A": {"coefficients": {"(Intercept)": [1.0]}, "variance": [1], "parents": []},
    },
}


def test_the_json_of_pgmpy_is_read(tmp_path: Path) -> None:
    (tmp_path / "pair.json").write_text(json.dumps(PGMPY, indent=4))
    assert bnfuse.read(tmp_path / "pair.json") == [PAIR]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"arcs": []}, "'B' has a coefficient for 'A', which is not one of its parents"),
        ({"arcs": [["A", "B", "C"]]}, "arcs[0]: expected a list of 2"),
        ({"cpds": {"A": PGMPY["cpds"]["A"]}}, "variable 'B' has no intercept"),
        ({"cpds": {**PGMPY["cpds"], "A": {"coefficients": {}, "variance": [1]}}}, "coefficients: lacks '(Intercept)'"),
        (
            {"cpds": {**PGMPY["cpds"], "A": {"coefficients": {"(Intercept)": [1]}, "variance": [-1]}}},
            "variance: expected a variance of at least 0, got [-1]",
        ),
    ],
)
def test_what_is_wrong_with_a_file_of_pgmpy_is_told(tmp_path: Path, changes: Any, message: str) -> None:
    (tmp_path / "pair.json").write_text(json.dumps({**PGMPY, **changes}))
    problem = refusal(lambda: bnfuse.read(tmp_path / "pair.json"))
    assert message in problem


def test_what_pgmpy_writes_is_read(tmp_path: Path) -> None:
    pytest.importorskip("pgmpy")
    network = random_network(np.random.default_rng(1), 6)
    network.to_pgmpy().save(tmp_path / "theirs.json")
    [found] = bnfuse.read(tmp_path / "theirs.json")
    assert isinstance(found, GaussianNetwork)
    assert found.dag == network.dag
    assert found.covariance() == pytest.approx(
        network.query(found.variables).covariance, rel=1e-9, abs=1e-9
    )  # theirs are variances
