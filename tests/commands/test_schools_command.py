"""`bnfuse schools`: as text, JSON, networks in a folder, a report; and what is never replaced."""

import json
import random

import pytest

import bnfuse
from bnfuse.commands import run
from running import CLINICS
from strategies import random_dag


@pytest.fixture(scope="module")
def camps(tmp_path_factory):
    """An ensemble file of two camps, and one input far from all."""
    chance = random.Random(1)
    bases = [random_dag(seed, 12, 1.5) for seed in (100, 101)]
    variables = bases[0].variables
    dags = []
    for base in bases:
        for _ in range(6):
            arcs = set(base.edges)
            arcs -= set(chance.sample(sorted(arcs), 2))
            dags.append(bnfuse.DAG(variables, sorted(arcs)))
    dags.append(bnfuse.DAG(variables, random_dag(999, 12, 3).edges))
    path = tmp_path_factory.mktemp("camps") / "camps.json"
    bnfuse.write([bnfuse.Network(dag, name=f"input-{i + 1}") for i, dag in enumerate(dags)], path)
    return path


def test_the_groups_are_told_with_what_separates_them(camps, said):
    text = said("schools", str(camps), "--effort", "quick")
    lines = text.splitlines()
    assert lines[0] == (
        "The inputs fall into 2 groups that differ more than independent edits would explain. "
        "This does not say why: different sources, data sizes or learners can all do it."
    )
    assert lines[1] == "Set aside: far from every other input (input-13)."
    assert "What separates them" in text
    assert "-o FOLDER writes them" in text


def test_json_has_everything(camps, said):
    facts = json.loads(said("schools", str(camps), "--effort", "quick", "--json"))
    found = bnfuse.schools(bnfuse.read(camps), effort="quick")
    assert (facts["k"], facts["chosen"], facts["set_aside"]) == (2, True, ["input-13"])
    assert facts["distance"] == found.distance
    assert facts["lower_bound"] <= facts["distance"] < facts["single_distance"]
    assert [one["inputs"] for one in facts["schools"]] == [list(one.inputs) for one in found.schools]
    assert {one["name"]: one["school"] for one in facts["members"] if one["school"]} == found.assignment
    assert [tuple(one["shares"]) for one in facts["separating"]] == [one.shares for one in found.separating]
    assert facts["tests"][0]["splits"]
    assert facts["answers"] is None


def test_networks_are_written_and_files_of_others_are_kept(tmp_path, said, refused):
    folder = tmp_path / "schools"
    command = ("schools", *CLINICS, "-k", "2", "--effort", "quick", "-o", str(folder))
    assert "wrote" in said(*command)
    one, two = bnfuse.read(folder / "school-1.bif", folder / "school-2.bif")
    found = bnfuse.schools(bnfuse.read(*CLINICS), 2, effort="quick")
    assert [set(net.dag.edges) for net in (one, two)] == [set(school.dag.edges) for school in found.schools]
    assert one.cpts is not None
    said(*command)  # its own files are replaced
    mine = folder / "school-1.bif"
    mine.write_text("mine")
    assert "school-1.bif" in refused(*command)
    assert mine.read_text() == "mine"
    said(*command, "--force")
    assert bnfuse.read(mine)[0].dag == one.dag


def test_files_of_an_earlier_run_are_named(tmp_path, capsys):
    common = ["schools", *CLINICS, "--effort", "quick", "-o", str(tmp_path)]
    assert run([*common, "-k", "3"]) == 0
    assert run([*common, "-k", "2"]) == 0
    assert "school-3.bif is of an earlier run" in capsys.readouterr().err


def test_report_and_saved_schools(tmp_path, said, refused):
    report, saved = tmp_path / "schools.html", tmp_path / "schools.json"
    said("schools", *CLINICS, "-k", "2", "--effort", "quick", "--report", str(report), "--save", str(saved))
    page = report.read_text()
    assert "2 schools of thought among 5 inputs" in page
    assert page.count("<figure") == 2
    assert "Probabilities that differ" in page
    assert "<script" not in page
    assert bnfuse.Schools.load(saved).k == 2
    report.write_text("mine")
    assert "schools.html" in refused("schools", *CLINICS, "-k", "2", "--report", str(report))


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["-k", "0"], "-k must be"),
        (["-k", "9"], "-k is 9, but there are only 5 inputs"),
        (["--metric", "fsim"], "--metric smhd or shd"),
        (["--prove"], "no such option: --prove"),
        (["--target", "fused"], "no such option: --target"),
        (["--report", "schools.txt"], "ends in .html"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(options, text, refused):
    assert text in refused("schools", *CLINICS, *options)


def test_consensus_mentions_groups(camps, said):
    text = said("consensus", str(camps), "--effort", "quick")
    assert text.count("The inputs fall into groups that differ more than independent edits would explain") == 1
    assert "bnfuse schools FILE ... shows them" in text


def test_consensus_mentions_no_groups_where_there_are_none(said):
    assert "groups" not in said("consensus", *CLINICS, "--effort", "quick")
