"""`bnfuse inspect`: what is in networks, and what inference costs."""

import json
from itertools import combinations
from pathlib import Path

from bnfuse import DAG, files
from bnfuse.commands import run
from running import CLINICS

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


def test_inspect_prints_the_facts_of_each_network(said):
    facts = json.loads(said("inspect", *CLINICS, "--json"))["inputs"]
    for one, network in zip(facts, files.read(*CLINICS), strict=True):
        assert one["name"] == network.name
        assert (one["variables"], one["arcs"]) == (11, len(network.dag.edges))
        assert one["most_parents"] == max(map(len, map(network.dag.parents, network.variables)))
        assert one["parameters"] == sum(table.size - table[..., 0].size for table in network.cpts.values())
        assert (one["clique_size"], one["clique_lower_bound"], one["clique_proven"]) == (4, 4, True)
        assert one["inference"]["bytes"] == 8 * one["inference"]["numbers"]


def test_inspect_shows_many_networks_as_one_line_each(said):
    header, *rows = said("inspect", *CLINICS).splitlines()
    assert header.split()[:3] == ["network", "variables", "arcs"]
    assert [row.split()[0] for row in rows] == [Path(path).stem for path in CLINICS]


def test_inspect_says_that_states_are_not_known(chain, capsys):
    assert run(["inspect", chain]) == 0
    captured = capsys.readouterr()
    assert "free parameters  -" in captured.out
    assert captured.err == (
        "note: the states of chain are not known: clique tables are counted with two states for each variable\n"
    )


def test_inspect_proves_more_with_more_effort(tmp_path, said):
    # The moral graph is a grid of 5 x 5, whose largest clique no simple bound proves.
    cells = [(row, column) for row in range(5) for column in range(5)]
    joined = [(a, b) for a, b in combinations(cells, 2) if abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1]
    arcs = [(f"{a}", f"{a}{b}") for a, b in joined] + [(f"{b}", f"{a}{b}") for a, b in joined]
    path = tmp_path / "grid.json"
    files.write(DAG(sorted({name for arc in arcs for name in arc}), arcs), path)
    (quick,) = json.loads(said("inspect", str(path), "--effort", "quick", "--json"))["inputs"]
    (proven,) = json.loads(said("inspect", str(path), "--effort", "thorough", "--json"))["inputs"]
    assert not quick["clique_proven"]
    assert proven["clique_proven"]
    assert proven["clique_size"] == 6  # a grid of 5 x 5 has treewidth 5
    assert "; at least" in said("inspect", str(path), "--effort", "quick")


def test_inspect_survives_tables_of_any_size(tmp_path, said):
    names = [f"X{i}" for i in range(1100)]
    path = tmp_path / "star.csv"
    files.write(DAG([*names, "child"], [(name, "child") for name in names]), path)
    (facts,) = json.loads(said("inspect", str(path), "--json"))["inputs"]
    assert facts["inference"]["numbers"] == 2**1101
    assert "2.72e+331 numbers, 2.2e+332 bytes" in said("inspect", str(path))


def test_inspect_takes_everything_that_can_be_an_input(tmp_path, said, capsys):
    tally = tmp_path / "clinics.tally"
    said("tally", *CLINICS, "-o", tally)
    facts = {one["name"]: one for one in json.loads(said("inspect", EXAMPLES / "panel", tally, "--json"))["inputs"]}
    assert {name: one["kind"] for name, one in facts.items()} == {
        "assistants": "votes",
        "bootstrap": "votes",
        "pc": "class",
        "registry": "network",
        "textbook": "network",
        "ward": "network",
        "clinics": "tally",
    }
    pc = facts["pc"]
    assert (pc["variables"], pc["arcs"], pc["edges_without_direction"], pc["clique_size"]) == (5, 2, 2, 3)
    assert (facts["assistants"]["variables"], facts["assistants"]["arcs"]) == (7, 8)
    assert (facts["clinics"]["weight"], facts["clinics"]["clique_size"], facts["clinics"]["inference"]) == (
        5,
        None,
        None,
    )
    capsys.readouterr()
    assert run(["inspect", str(EXAMPLES / "panel")]) == 0
    captured = capsys.readouterr()
    assert captured.out.split()[:4] == ["input", "kind", "edges", "networks"]
    assert captured.err.startswith("note: assistants: the arcs form a cycle; they are read as votes for arcs\n")
    assert "note: the states of 3 of the inputs are not known" in captured.err


def test_inspect_shows_one_input_of_each_kind(tmp_path, said):
    assert "pc (an equivalence class)\n" in (shown := said("inspect", EXAMPLES / "panel" / "pc.tetrad"))
    assert "edges without a direction  2\n" in shown
    assert "bootstrap (votes for arcs)\n" in (shown := said("inspect", EXAMPLES / "panel" / "bootstrap.csv"))
    assert "arcs with more than half of the votes  5\n" in shown
    tally = tmp_path / "clinics.tally"
    said("tally", *CLINICS, "-o", tally, "--weight", "harbour=2")
    assert "clinics (a tally)\n" in (shown := said("inspect", tally))
    assert "networks                               6\n" in shown


def test_inspect_refuses_a_graph_that_no_network_stands_for(tmp_path, refused):
    path = tmp_path / "square.csv"
    path.write_text("from,to,type\nA,B,---\nB,C,---\nC,D,---\nD,A,---\n")
    assert "network 'square': no DAG represents it" in refused("inspect", path)
