"""`bnfuse learn`: from a table to a network with tables, on the command line."""

from __future__ import annotations

import json

import pytest

from bnfuse import clique_size, read
from bnfuse import learn as learn_structure
from samples import random_data


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "rows.csv"
    random_data(1, 7, 400, missing=0.01).write(path)
    return path


def test_the_network_is_that_of_the_library_with_tables(table, tmp_path, said):
    output = tmp_path / "network.bif"
    text = said("learn", table, "-o", output, "--seed", 3)
    (network,) = read(output)
    assert network.dag == learn_structure(table, seed=3).dag
    assert network.cpts is not None
    assert "400 rows of 7 variables" in text
    assert "structure, states and tables" in text


def test_json_and_the_limit(table, said):
    free = json.loads(said("learn", table, "--json", "--score", "aic"))
    limited = json.loads(said("learn", table, "--json", "--score", "aic", "--max-clique", 2))
    assert free["elimination_order"] is None
    assert sorted(limited["elimination_order"]) == sorted(limited["variables"])
    assert limited["score"] < free["score"]
    assert limited["clique_size"] == 2 < clique_size(learn_structure(table, "aic").dag)
    assert limited["stopped_by"] == "finished"


def test_constraints(table, tmp_path, said):
    (tmp_path / "tiers.json").write_text('[["V6", "V5", "V4"], ["V3", "V2", "V1", "V0"]]')
    facts = json.loads(said("learn", table, "--json", "--require", "V6->V0", "--tiers", tmp_path / "tiers.json"))
    edges = [tuple(edge) for edge in facts["edges"]]
    assert ("V6", "V0") in edges
    assert not [edge for edge in edges if edge[0] in ("V3", "V2", "V1", "V0") and edge[1] in ("V6", "V5", "V4")]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--score", "k2"], "--score must be one of"),
        (["--max-clique", "0"], "--max-clique must be"),
        (["--require", "V0"], "--require must be FROM->TO"),
        (["--forbid", "V0->nobody"], "unknown variable 'nobody'"),
        (["--max-table", "none"], "--max-table must be"),
        (["--restarts", "2"], "--restarts is for --method climb, not for anneal"),
        (["--states", "states.json"], "--states is for scores of parent sets"),
    ],
)
def test_what_cannot_be_is_refused(table, refused, arguments, problem):
    assert problem in refused("learn", table, *arguments)


def test_a_file_that_is_not_there(tmp_path, refused):
    assert "nothing.csv" in refused("learn", tmp_path / "nothing.csv")


SCORES = "3\nA 2\n-20 0\n-9 1 B\nB 3\n-20 0\n-8 1 A\n-5 2 A C\nC 1\n-4 0\n"


def test_scores_of_parent_sets(tmp_path, said):
    (tmp_path / "some.jkl").write_text(SCORES)
    facts = json.loads(said("learn", tmp_path / "some.jkl", "--prove", "--json", "-o", tmp_path / "out.bif"))
    assert facts["score"] == facts["bound"] == -29
    assert sorted(map(tuple, facts["edges"])) == [("A", "B"), ("C", "B")]
    assert facts["rows"] is None
    (network,) = read(tmp_path / "out.bif")
    assert set(network.dag.edges) == {("A", "B"), ("C", "B")}
    text = said("learn", tmp_path / "some.jkl", "--prove")
    assert "6 parent sets of 3 variables" in text
    assert "proven: no network scores higher" in text
    (tmp_path / "states.json").write_text('{"A": 2, "B": 2, "C": 2}')
    limited = said("learn", tmp_path / "some.jkl", "--states", tmp_path / "states.json", "--max-table", 4, "--json")
    assert json.loads(limited)["edges"] == [["A", "B"]]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--bins", "4"], "--bins is for tables of data"),
        (["--score", "bdeu"], "--score and --sample-size are for data"),
        (["--max-table", "8"], "give them with --states, or limit --max-clique instead"),
        (["--method", "climb"], "--method climb needs data"),
        (["--require", "C->A"], "the list has no score for A with exactly its required parents C"),
    ],
)
def test_what_does_not_go_with_scores_is_refused(tmp_path, refused, arguments, problem):
    (tmp_path / "some.jkl").write_text(SCORES)
    assert problem in refused("learn", tmp_path / "some.jkl", *arguments)
