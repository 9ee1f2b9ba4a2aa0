"""Inputs that do not match, and inputs that are no networks, on the command line: all of them, and each thing wrong."""

import json
from pathlib import Path

import pytest

import bnfuse
from bnfuse import Tally

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
PANEL = sorted(str(path) for path in (EXAMPLES / "panel").iterdir())
NAMES = str(EXAMPLES / "panel-names.csv")
AS_ONE = ("--names", NAMES, "--variables", "union", "--cyclic", "votes")


def python_panel():
    read = bnfuse.read(*PANEL, cyclic="votes", variables="union")
    return bnfuse.Alignment.load(NAMES).apply_all(read)


def test_the_panel_gives_the_consensus_of_python(said):
    for metric in ("smhd", "shd"):
        facts = json.loads(said("consensus", *PANEL, *AS_ONE, "--metric", metric, "--json"))
        result = bnfuse.consensus(python_panel(), metric=metric, variables="union")
        assert [tuple(edge) for edge in facts["edges"]] == list(result.dag.edges)
        assert facts["distance"] == result.distance
        assert facts["distances"] == dict(zip(result.problem.names, result.distances, strict=True))
        assert [tuple(pair) for pair in facts["unjudged"]] == list(result.unjudged)
        assert facts["lacking"]["pc"] == ["Pneumonia", "Fever", "XRay", "Age"]
        assert facts["variables"] == list(result.dag.variables)
        blind = {(one["from"], one["to"]): one["blind_inputs"] for one in facts["support"]}
        assert blind["Asthma", "Cough"] == ["assistants", "bootstrap", "registry", "ward"]


def test_the_summary_says_who_could_vote(said):
    text = said("consensus", *PANEL, *AS_ONE)
    assert "consensus of 6 inputs over 9 variables" in text
    assert (
        "the inputs have 5 to 7 of the 9 variables each; of 36 pairs of variables, 3 are in no input together" in text
    )
    (row,) = (line for line in text.splitlines() if line.startswith("Asthma -> Cough"))
    assert row.split()[3:] == ["2", "2", "0", "100", "%", "0", "%", "fixed"]


def test_the_panel_can_be_counted_saved_and_reported(tmp_path, said):
    tally, saved, page = (tmp_path / name for name in ("panel.tally", "panel.json", "panel.html"))
    said("tally", *PANEL, *AS_ONE, "-o", tally)
    whole = json.loads(said("consensus", *PANEL, *AS_ONE, "--save", saved, "--report", page, "--json"))
    counted = json.loads(said("consensus", tally, "--json"))
    for fact in ("edges", "distance", "lower_bound", "unjudged"):
        assert counted[fact] == whole[fact]
    loaded = Tally.load(tally)
    assert loaded.weight == 6 * loaded.parts
    assert "wrote" in said("report", saved, "-o", tmp_path / "later.html")


def test_parts_of_a_union_can_be_counted_one_by_one(tmp_path, said):
    for name, text in (("one", "from,to\nA,B\n"), ("two", "from,to\nC,B\n")):
        (tmp_path / f"{name}.csv").write_text(text)
        said("tally", tmp_path / f"{name}.csv", "-o", tmp_path / f"{name}.tally")
    tallies = [tmp_path / "one.tally", tmp_path / "two.tally"]
    facts = json.loads(said("consensus", *tallies, "--variables", "union", "--json"))
    assert facts["unjudged"] == [["A", "C"]]
    said("tally", *tallies, "--variables", "union", "-o", tmp_path / "both.tally")
    assert json.loads(said("consensus", tmp_path / "both.tally", "--json"))["edges"] == facts["edges"]


def test_shared_variables_and_marginals(tmp_path, said):
    (tmp_path / "chain.csv").write_text("from,to\nA,B\nB,C\n")
    (tmp_path / "ends.csv").write_text("from,to\nA,C\n")
    files = [tmp_path / "chain.csv", tmp_path / "ends.csv"]
    apart, joined = (
        json.loads(said("consensus", *files, "--variables", "shared", *more, "--json"))
        for more in ((), ("--marginalise",))
    )
    assert apart["variables"] == joined["variables"] == ["A", "C"]
    assert joined["edges"] == [["A", "C"]]
    assert joined["distance"] == 0
    assert apart["distance"] == 0.5


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ((), "the arcs form a cycle: COPD -> Cough -> Pneumonia -> COPD"),
        (("--cyclic", "always"), "--cyclic must be one of 'refuse', 'votes'; got 'always'"),
        (
            ("--cyclic", "votes", "--variables", "all"),
            "--variables must be one of 'same', 'union', 'shared'; got 'all'",
        ),
        (("--cyclic", "votes", "--variables", "union", "--marginalise"), "--marginalise goes with --variables shared"),
        ((*AS_ONE, "--metric", "fsim"), "fsim needs the networks themselves"),
        ((*AS_ONE, "--method", "greedy"), "the greedy search needs the networks themselves"),
        ((*AS_ONE, "--support", "votes"), "--support must be one of 'arcs', 'class'; got 'votes'"),
        ((*AS_ONE, "--soft", "hard"), "--soft must be one of 'independent', 'sample'; got 'hard'"),
        ((*AS_ONE, "--pool"), "no network with tables has the variable 'Pneumonia': fit the structure to data instead"),
    ],
)
def test_what_does_not_go_together_is_said_in_one_line(more, problem, refused):
    assert problem in refused("consensus", *PANEL, *more)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("from,to,strength,direction\nA,B,1.2,0.5\n", "bad.csv:2: strength: expected a number from 0 to 1, got '1.2'"),
        ("from,to,strength,direction\nA,B,0.8,0.7\nB,A,0.6,0.3\n", "A -> B has strength 0.8 and B -> A has 0.6"),
        ("from,to,strength,direction\nA,B,0.8,0.7\nB,A,0.8,0.7\n", "must add up to 1"),
        ("from,to,probability\nA,B,0.8\nB,A,0.8\n", "add up to more than 1"),
        ("from,to,probability\nA,B,-0.1\n", "expected a number from 0 to 1, got '-0.1'"),
        ("from,to,count,of\nA,B,11,10\n", "11 votes of 10"),
        ("from,to,type\nA,B,<->\n", "a hidden common cause"),
        ("network,variable,name\nx,smoking,Smoker\n", "bad.csv:1: is a table of names, as bnfuse align writes it"),
        ("from,to,type\nA,B,---\nB,C,---\nC,D,---\nD,A,---\n", "network 'bad': no DAG represents it"),
    ],
)
def test_bad_votes_and_graphs_are_named_in_one_line(text, problem, tmp_path, refused):
    path = tmp_path / "bad.csv"
    path.write_text(text)
    line = refused("consensus", path)
    assert problem in line
    assert "bad" in line


def test_inputs_without_a_common_variable_are_refused(tmp_path, refused):
    for name, text in (("one", "from,to\nA,B\n"), ("two", "from,to\nC,D\n")):
        (tmp_path / f"{name}.csv").write_text(text)
    files = [tmp_path / "one.csv", tmp_path / "two.csv"]
    assert "the inputs share no variable" in refused("consensus", *files, "--variables", "shared")
    assert "counts over the same variables" in refused(
        "tally", *files, "--variables", "shared", "-o", tmp_path / "t.tally"
    )
