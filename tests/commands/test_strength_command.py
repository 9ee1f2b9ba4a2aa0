"""`bnfuse strength`, and votes by its threshold."""

import json

import pytest

import bnfuse
from bnfuse import ArcVotes, files, strengths
from running import CLINICS


def test_the_table_shows_each_pair_once_and_which_count(said):
    lines = said("strength", *CLINICS).splitlines()
    found = strengths(files.read(*CLINICS))
    assert lines[0].split() == ["from", "to", "strength", "direction", "counts"]
    shown = [row for row in found.arcs if row.direction >= 0.5]
    end = lines.index("")
    assert len(lines[1:end]) == len(shown)
    counting = {(row.source, row.target) for row in found.included}
    for line, row in zip(lines[1:end], shown, strict=True):
        cells = line.split()
        assert cells[:4] == [row.source, row.target, f"{row.strength:.2f}", f"{row.direction:.2f}"]
        assert (cells[4:] == ["yes"]) == ((row.source, row.target) in counting)
    pairs = len({frozenset(arc) for arc in counting})
    assert lines[end + 1] == (
        f"estimated threshold {found.threshold:.4g}: {pairs} pairs of the {len(found.arcs) // 2} that any input joins "
        "are stronger"
    )


def test_networks_an_ensemble_and_tallies_give_the_same(tmp_path, sites, said):
    ensemble = tmp_path / "all.json.gz"
    files.write(files.read(*CLINICS), ensemble)
    facts = [json.loads(said("strength", *given, "--json")) for given in (CLINICS, [str(ensemble)], sites)]
    assert facts[0] == facts[1] == facts[2]
    assert facts[0].keys() == {"kind", "version", "variables", "networks", "threshold", "arcs", "included", "written"}
    assert facts[0]["networks"] == 5


def test_the_file_is_what_bnfuse_reads_as_votes(tmp_path, said):
    path = tmp_path / "s.csv"
    text = said("strength", *CLINICS, "-o", str(path))
    assert text.endswith(f"wrote {path}\n")
    assert path.read_text().startswith("from,to,strength,direction,class_direction,free,networks\n")
    (votes,) = bnfuse.read(path)
    assert isinstance(votes, ArcVotes)
    assert votes == strengths(files.read(*CLINICS)).votes
    again, first = (json.loads(said("strength", *given, "--json")) for given in ([str(path)], CLINICS))
    for facts in (again, first):  # a table names its variables in another order, which breaks ties
        facts["arcs"] = sorted(
            (arc["from"], arc["to"], arc["strength"], arc["direction"]) for arc in facts["arcs"]
        )  # votes name no classes
        facts["included"] = sorted(facts["included"])
    assert again == first


def test_the_plot(tmp_path, said):
    path = tmp_path / "s.svg"
    assert said("strength", *CLINICS, "--plot", str(path)).endswith(f"wrote {path}\n")
    assert "estimated threshold" in said("strength", *CLINICS)
    assert path.read_text().startswith("<?xml")


def test_weights_count(said):
    one = json.loads(said("strength", *CLINICS, "--weight", "harbour=3", "--json"))
    assert one["networks"] == 7
    assert one != json.loads(said("strength", *CLINICS, "--json"))


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (["-o", "s.txt"], "s.txt: strengths are written to a file that ends in .csv or .csv.gz"),
        (["--plot", "s.bmp"], "a plot is written to a file that ends in"),
        (["--weight", "nobody=2"], "nobody"),
    ],
)
def test_what_it_refuses(given, problem, refused):
    assert problem in refused("strength", *CLINICS, *given)


def test_an_input_is_not_replaced(tmp_path, chain, refused):
    assert "is an input" in refused("strength", chain, "-o", chain)


def test_the_threshold_of_the_majority_vote(said, refused):
    vote = ("consensus", *CLINICS, "--method", "majority", "--json", "--threshold")
    few, many = (json.loads(said(*vote, share))["edges"] for share in ("0.9", "0.2"))
    assert len(few) < len(many)
    assert "--threshold must be a number of at least 0 and below 1; got 1.0" in refused(*vote, "1")


def test_the_min_cut_consensus(said, refused):
    text = said("consensus", *CLINICS, "--method", "min-cut", "-t", "3")
    assert "found by min-cuts in" in text
    assert "no option --min-cut; it goes with min-cut" in refused("consensus", *CLINICS, "--min-cut", "1")
    facts = json.loads(said("consensus", *CLINICS, "--method", "min-cut", "--min-cut", "0.5", "--json"))
    assert facts["method"] == "min-cut"
    rows = json.loads(said("frontier", *CLINICS, "--method", "min-cut", "--max-clique", "2-4", "--json"))["limits"]
    assert [row["max_clique"] for row in rows] == [2, 3, 4]
