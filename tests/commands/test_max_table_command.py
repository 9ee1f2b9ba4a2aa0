"""`--max-table`, `--states` and `--tables` on the command line."""

import json

import pytest

from bnfuse import Consensus
from packed_tables import embedded
from running import CLINICS


@pytest.fixture
def states(tmp_path):
    """Of A, B and C, as JSON."""
    path = tmp_path / "states.json"
    path.write_text('{"A": 3, "B": ["yes", "no"], "C": 4}')
    return path


def test_a_table_limit_is_kept_told_and_saved(said, tmp_path):
    kept = tmp_path / "c.json"
    text = said("consensus", *CLINICS, "--max-table", "8", "--effort", "quick", "--save", kept)
    result = Consensus.load(kept)
    assert result.problem.max_table == 8
    first = text.splitlines()[0]
    assert (
        f"largest clique {result.clique_size}, largest clique table {result.largest_table} numbers (limit 8)" in first
    )
    facts = json.loads(said("consensus", *CLINICS, "--max-table", "64b", "--effort", "quick", "--json"))
    assert (facts["max_table"], facts["largest_table"]) == (8, result.largest_table)
    assert facts["distance"] == result.distance


def test_both_limits_are_told(said):
    text = said("consensus", *CLINICS, "-t", "2", "--max-table", "1KB", "--method", "majority")
    assert "largest clique 2 (limit 2), largest clique table" in text
    assert "numbers (limit 128)" in text


def test_the_report_shows_the_tables(said, tmp_path):
    page = tmp_path / "r.html"
    said("consensus", *CLINICS, "--max-table", "8", "--effort", "quick", "--report", page, "--frontier")
    assert embedded(page.read_text())["facts"]["max_table"] == 8


@pytest.mark.parametrize(
    "text", ["A,3\nB,yes,no\nC,4\n", "variable,states\nA,3\n\nB,yes,no\nC,4", '{"A": 3, "B": ["yes", "no"], "C": 4}']
)
def test_structures_get_their_states_from_a_file(said, chain, fork, tmp_path, text):
    path = tmp_path / "states.txt"
    path.write_text(text)
    facts = json.loads(said("consensus", chain, fork, "--max-table", 7, "--states", path, "--json"))
    assert facts["max_clique"] == 2
    assert [set(arc) for arc in facts["edges"]] == [{"A", "B"}]  # which have 6 numbers; B and C have 8
    assert facts["largest_table"] == 6


def test_a_written_structure_has_as_many_states_as_were_given(said, chain, fork, states, tmp_path):
    network = tmp_path / "c.bif"
    said("consensus", chain, fork, "--max-table", 1000, "--states", states, "-o", network)
    facts = json.loads(said("inspect", network, "--json"))
    assert "3" in json.dumps(facts)
    assert "type discrete [ 4 ]" in network.read_text()


def test_the_frontier_steps_through_tables(said, tmp_path):
    plot, folder = tmp_path / "f.svg", tmp_path / "networks"
    facts = json.loads(
        said(
            "frontier", *CLINICS, "--max-table", "1e2,4,8", "--effort", "quick", "--json", "--plot", plot, "-o", folder
        )
    )
    limits = facts["limits"]
    assert [one["max_table"] for one in limits] == [4, 8, 100]
    assert all(one["largest_table"] <= one["max_table"] for one in limits)
    assert [one["distance"] for one in limits] == sorted((one["distance"] for one in limits), reverse=True)
    assert "limit: numbers in the largest clique table allowed" in plot.read_text()
    assert sorted(path.name for path in folder.iterdir()) == [f"consensus-{limit}.bif" for limit in (100, 4, 8)]
    text = said("frontier", *CLINICS, "--max-table", "8,100", "--max-clique", "2", "--effort", "quick")
    assert "largest table" in text.splitlines()[0]


@pytest.mark.parametrize("size", ["0", "-3", "64XB", "nan", "1.5", "", "1e400"])
def test_what_is_no_size_is_refused(refused, size):
    for flags in (["consensus", *CLINICS, f"--max-table={size}"], ["frontier", *CLINICS, f"--max-table={size},8"]):
        line = refused(*flags)
        flag = flags[-1].partition("=")[0]
        assert line.startswith(f"bnfuse: {flag} must be a whole number, at least 1, such as 1e6, or a size in bytes")


def test_unknown_states_are_refused_with_the_flag(refused, chain, fork):
    for command, tables in (("consensus", "10"), ("frontier", "10"), ("frontier", "10,20")):
        assert refused(command, chain, fork, "--max-table", tables) == (
            "bnfuse: --max-table needs the number of states of every variable: those of 'A', 'B', 'C' are not known; "
            "--states gives them"
        )


def test_a_table_too_small_for_one_variable_is_refused_with_the_flag(refused):
    for flags in (["consensus", *CLINICS, "--max-table", "1"], ["frontier", *CLINICS, "--max-table", "1e3,1"]):
        assert refused(*flags) == f"bnfuse: {flags[-2]}: 1 is too small, as 'Age' alone has 3 states"


def test_states_that_differ_are_refused(refused, tmp_path):
    paths = []
    for name, labels in (("one", "x, y"), ("two", "x, z")):
        path = tmp_path / f"{name}.bif"
        path.write_text(
            f"network {name} {{\n}}\nvariable A {{\n  type discrete [ 2 ] {{ {labels} }};\n}}\n"
            "probability ( A ) {\n  table 0.5, 0.5;\n}\n"
        )
        paths.append(path)
    line = refused("consensus", *paths, "--max-table", "10")
    assert line.startswith(
        "bnfuse: --max-table needs the number of states of every variable: the states of 'A' differ: "
    )
    assert line.endswith("--states gives them")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "is not valid JSON: "),
        ("[3]", "must be like "),
        ('{"A": "x"}', "must be like "),
        ('{"A": 2, "A": 3}', "has the variable 'A' twice"),
        ("A\n", "must be like "),
        ("A,2\nA,3\n", "has the variable 'A' twice"),
        (b"\xff\xfe", "is not text in UTF-8"),
    ],
)
def test_a_file_of_states_that_is_none_is_refused(refused, chain, tmp_path, text, problem):
    path = tmp_path / "states.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    line = refused("consensus", chain, "--max-table", "10", "--states", path)
    assert line.startswith(f"bnfuse: {path}")
    assert problem in line


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"Z": 2}', "--states: unknown variable 'Z'"),
        ('{"A": 0}', "--states: 'A' must have a whole number of states, at least 1, or a list of them; got 0"),
        ('{"A": 1.5}', "must be like "),
        ('{"A": ["x", 1]}', "--states: 'A' must have one state or more, each of them text"),
        ('{"A": 99, "B": 2, "C": 2}', "--max-table: 10 is too small, as 'A' alone has 99 states"),
    ],
)
def test_states_that_make_no_sense_are_refused(refused, chain, tmp_path, text, problem):
    path = tmp_path / "states.json"
    path.write_text(text)
    assert problem in refused("consensus", chain, "--max-table", "10", "--states", path)


def test_the_file_of_states_is_never_overwritten(refused, chain, states):
    before = states.read_text()
    assert "states.json" in refused("consensus", chain, "--max-table", "100", "--states", states, "--save", states)
    assert states.read_text() == before
