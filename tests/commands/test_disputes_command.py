"""`bnfuse disputes`: of inputs and of a saved consensus; as a table, JSON and CSV."""

import csv
import json

import pytest

import bnfuse
from bnfuse.commands import run
from running import CLINICS


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = tmp_path_factory.mktemp("saved") / "result.json"
    bnfuse.consensus(bnfuse.read(*CLINICS), effort="quick").save(path)
    return path


@pytest.fixture(scope="module")
def expected(saved):
    return bnfuse.disputes(bnfuse.Consensus.load(saved))


def test_inputs_and_the_saved_consensus_give_the_same(saved, expected, said):
    of_saved = json.loads(said("disputes", str(saved), "--json"))
    of_inputs = json.loads(said("disputes", *CLINICS, "--effort", "quick", "--json"))
    assert of_saved == of_inputs
    keys = ["kind", "version", "distance", "lower_bound", "pairs", "disputes", "closer", "stopped_by", "output"]
    assert list(of_saved) == keys
    assert of_saved["disputes"] == json.loads(json.dumps([one.facts for one in expected]))
    assert (of_saved["pairs"], of_saved["closer"], of_saved["stopped_by"]) == (18, None, "finished")


def test_the_table_has_a_row_for_each_decision(saved, expected, said):
    lines = said("disputes", str(saved)).splitlines()
    assert lines[0].startswith("18 pairs on which the inputs disagree; mean smhd of the consensus: 5.40")
    assert len(lines[2:]) == sum(len(one.alternatives) for one in expected)
    first = expected[0]
    assert lines[2].startswith(f"{' -> '.join(first.arc)} ")
    assert ", ".join(first.inputs) in lines[2]
    (other,) = first.alternatives
    price = f"{other.cost:.2f}" if other.is_exact else f"at most {other.cost:.2f}"
    assert f" {other.decision} " in lines[2]
    assert price in lines[2]


def test_a_few_are_the_most_contested(saved, said):
    lines = said("disputes", str(saved), "--count", "2").splitlines()
    assert lines[0].startswith("2 of 18 pairs")
    assert len(lines) == 4


def test_the_csv_has_a_line_for_each_decision(saved, expected, said, tmp_path):
    path = tmp_path / "d.csv"
    assert said("disputes", str(saved), "-o", str(path)).endswith(f"wrote {path}\n")
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    pairs = [(one, other) for one in expected for other in one.alternatives]
    for row, (one, other) in zip(rows, pairs, strict=True):
        assert (row["from"], row["to"]) == one.arc
        assert row["for"].split(";") == [*one.inputs]
        assert float(row["cost"]) == other.cost
        assert float(row["cost_at_least"]) == other.cost_at_least
        assert row["dropped"] == ";".join(map("->".join, other.dropped))


def test_a_tally_has_shares_in_its_table(said, tmp_path):
    path = tmp_path / "all.tally"
    said("tally", *CLINICS, "-o", str(path))
    lines = said("disputes", str(path), "--effort", "quick", "--count", "1").splitlines()
    assert lines[2].count("%") == 3


def test_inputs_that_agree_are_said_to(said):
    assert said("disputes", CLINICS[0], CLINICS[0]).splitlines()[-1] == "the inputs agree on every pair of variables"


def test_what_the_time_does_not_allow_is_said(saved, said, capsys):
    assert run(["disputes", str(saved), "--time-limit", "1e-9"]) == 0
    shown = capsys.readouterr()
    assert shown.out.count("not solved") == 18
    assert shown.err == "note: stopped by the time limit: decisions without a cost were not solved\n"


def test_a_decision_that_a_constraint_forbids_is_not_possible(said):
    text = said("disputes", *CLINICS, "--effort", "quick", "--require", "Age->Pneumonia")
    row = next(line for line in text.splitlines() if line.startswith("Age -> Pneumonia"))
    assert row.split()[-2:] == ["possible", "-"]


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        (["--count", "0"], "--count must be"),
        (
            ["-t", "3"],
            "is a saved consensus, whose question is settled: it takes only --count, --threads and --time-limit",
        ),
        (["--metric", "shd"], "is a saved consensus, whose question is settled"),
        ([CLINICS[0]], "give one saved consensus, or inputs, not both"),
        (["-o", "d.txt"], "disputes are written to a file that ends in .csv or .csv.gz"),
    ],
)
def test_what_makes_no_sense_is_refused(saved, more, problem, refused):
    assert problem in refused("disputes", str(saved), *more)
