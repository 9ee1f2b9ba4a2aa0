"""`bnfuse tally`, and what is made of tallies."""

import json
from pathlib import Path

import pytest

from bnfuse import Tally, files
from bnfuse.commands import run
from running import CLINICS


def test_tally_counts_what_it_says(tmp_path, said):
    path = tmp_path / "all.tally"
    text = said("tally", *CLINICS, "-o", str(path))
    networks = files.read(*CLINICS)
    counted = Tally.load(path)
    arcs = {arc for network in networks for arc in network.dag.edges}
    assert "counted       5 networks\n  total weight  5\n  variables     11\n" in text
    assert f"arcs          {len(arcs)}\nwrote {path}\n" in text
    place = {name: i for i, name in enumerate(counted.variables)}
    for source, target in arcs:
        having = sum((source, target) in network.dag.edges for network in networks)
        assert counted.arcs[place[source], place[target]] == having


def test_tallies_of_tallies_are_tallies_of_all(tmp_path, sites, said):
    merged, mixed, direct = (tmp_path / f"{name}.tally" for name in ("merged", "mixed", "direct"))
    said("tally", *sites, "-o", str(merged))
    said("tally", sites[0], *CLINICS[2:], "-o", str(mixed))
    said("tally", *CLINICS, "-o", str(direct))
    assert Tally.load(merged) == Tally.load(mixed) == Tally.load(direct)


def test_tally_counts_weights(tmp_path, said):
    path = tmp_path / "weighted.tally"
    facts = json.loads(said("tally", *CLINICS, "--weight", "harbour=3", "-o", str(path), "--json"))
    assert facts == {
        "kind": "tally",
        "version": 1,
        "networks": 5,
        "tallies": 0,
        "weight": 7,
        "variables": 11,
        "moral_edges": facts["moral_edges"],
        "arcs": facts["arcs"],
        "output": str(path),
    }
    assert Tally.load(path).weight == 7


def test_a_tally_of_one_network_is_noted_to_hide_nothing(tmp_path, chain, capsys):
    assert run(["tally", chain, "-o", str(tmp_path / "one.tally")]) == 0
    assert capsys.readouterr().err == "note: a tally of one network hides nothing of its structure\n"


def test_tally_help_says_what_is_hidden(said):
    text = " ".join(said("tally", "--help").split())
    assert "A tally hides which network had which arc" in text
    assert "It does not hide the names of the variables" in text
    assert "A tally of one network reveals its arcs" in text


def test_the_consensus_of_tallies_is_that_of_the_networks(sites, said):
    for method in ("direct", "majority"):
        options = ["-t", "3", "--method", method, "--json"]
        from_networks = json.loads(said("consensus", *CLINICS, *options))
        from_tallies = json.loads(said("consensus", *sites, *options))
        for fact in ("edges", "distance", "lower_bound", "gap", "clique_size"):
            assert from_tallies[fact] == from_networks[fact]
        shares = [[one["share"], one["reversed_share"]] for one in from_networks["support"]]
        assert [[one["share"], one["reversed_share"]] for one in from_tallies["support"]] == shares
        assert from_tallies["distances"] is None


def test_the_consensus_of_tallies_is_told_in_shares(sites, said):
    text = said("consensus", *sites, "--method", "majority")
    assert text.startswith("consensus of 2 tallies of weight 5 over 11 variables: ")
    compared = text.partition("If each of these were the consensus:\n")[2].splitlines()
    assert [line[:13].rstrip() for line in compared[1:4]] == ["consensus", "majority vote", "no arcs"]
    arcs = text.partition("Arcs of the consensus:\n")[2].splitlines()
    assert arcs[0].split("  ")[-3:] == ["share that has it", "reversed", "direction"]
    assert arcs[1].split()[-5:-1] == ["100", "%", "0", "%"]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--metric", "fsim"], "fsim needs the networks themselves; a tally has only counts"),
        (["--target", "fused"], "the target fused needs the networks themselves"),
        (["--method", "genetic"], "the genetic search needs the networks themselves"),
        (["--method", "greedy"], "the greedy search needs the networks themselves"),
        (["--weight", "west=2"], "tallies can be mixed neither with networks nor with weights"),
    ],
)
def test_what_needs_networks_refuses_tallies(options, problem, sites, refused):
    assert problem in refused("consensus", *sites, *options)


@pytest.mark.parametrize("command", ["consensus", "frontier"])
def test_tallies_and_networks_are_not_mixed(command, sites, refused):
    line = refused(command, sites[0], CLINICS[0])
    assert f"{sites[0]} is a tally and {CLINICS[0]} is not: give either tallies or networks" in line


def test_bad_tallies_are_refused_in_one_line_that_names_them(tmp_path, sites, refused):
    good = json.loads(Path(sites[0]).read_text())
    bad = {
        "text": "hello",
        "list": "[]",
        "network": Path(CLINICS[0]).read_text(),
        "truncated": Path(sites[0]).read_text()[:100],
        "repeated": json.dumps(good | {"variables": [*good["variables"][:-1], good["variables"][0]]}),
        "negative": json.dumps(good | {"weight": -1}),
        "too many": json.dumps(good | {"weight": 1}),
        "keyless": json.dumps({key: value for key, value in good.items() if key != "arcs"}),
    }
    for name, content in bad.items():
        path = tmp_path / f"{name}.tally"
        path.write_text(content)
        for command in (["consensus"], ["frontier"], ["tally", "-o", str(tmp_path / "out.tally")]):
            assert f"{path}: " in refused(*command, sites[0], str(path))
    assert "no such file or folder" in refused("consensus", str(tmp_path / "missing.tally"))
    assert not (tmp_path / "out.tally").exists()


def test_tallies_over_different_variables_are_refused(tmp_path, chain, sites, said, refused):
    other = str(tmp_path / "chain.tally")
    said("tally", chain, "-o", other)
    assert f"{other} lacks variables" in refused("consensus", sites[0], other)
    assert f"{other} lacks variables" in refused("tally", sites[0], other, "-o", str(tmp_path / "out.tally"))
    assert "network 'chain' lacks variables" in refused("tally", sites[0], chain, "-o", str(tmp_path / "out.tally"))


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--weight", "nobody=2"], "a weight for 'nobody', but the networks are 'eastgate', 'harbour'"),
        (["--weight", "harbour=0.5"], "--weight harbour=0.5: a tally takes whole numbers of at least 0"),
        (["--weight", "harbour=-1"], "a tally takes whole numbers of at least 0"),
        (["--weight", "harbour=nan"], "a tally takes whole numbers of at least 0"),
        (["--weight", "harbour=inf"], "a tally takes whole numbers of at least 0"),
        (["--weight", "harbour=1e18"], "the weights add up to more than"),
        (["--weight", "harbour"], "--weight must be NAME=NUMBER"),
    ],
)
def test_tally_refuses_bad_weights(options, problem, tmp_path, refused):
    output = tmp_path / "out.tally"
    assert problem in refused("tally", *CLINICS, *options, "-o", str(output))
    assert not output.exists()


def test_tally_refuses_an_output_before_any_input_is_read(tmp_path, refused):
    (tmp_path / "notes.tally").write_text("important\n")
    (tmp_path / "folder.tally").mkdir()
    for name, problem in (
        ("notes.tally", "exists and is not a tally that bnfuse wrote; to replace it: --force"),
        ("folder.tally", "is a folder, not a file"),
        ("none/out.tally", "there is no folder"),
        ("out.json", "a tally is written to a file that ends in .tally or .tally.gz"),
    ):
        assert f"{tmp_path / name}: {problem}" in refused("tally", "missing.bif", "-o", str(tmp_path / name)).replace(
            "cannot be written: ", ""
        )
    assert (tmp_path / "notes.tally").read_text() == "important\n"
    assert "missing option '--output'" in refused("tally", CLINICS[0]).lower()


def test_tally_replaces_a_tally_and_with_force_anything(tmp_path, chain, fork, said):
    path = tmp_path / "notes.tally"
    path.write_text("important\n")
    said("tally", chain, "-o", str(path), "--force")
    said("tally", chain, fork, "-o", str(path))
    assert Tally.load(path).weight == 2


def test_tallies_of_edge_lists_are_over_the_variables_of_all(tmp_path, said):
    (tmp_path / "a.csv").write_text("from,to\nA,B\n")
    (tmp_path / "b.csv").write_text("from,to\nB,C\n")
    said("tally", tmp_path / "a.csv", tmp_path / "b.csv", "-o", tmp_path / "all.tally")
    assert Tally.load(tmp_path / "all.tally").variables == ("A", "B", "C")


def test_a_file_that_is_given_twice_is_noted(tmp_path, chain, fork, sites, capsys):
    tally = tmp_path / "all.tally"
    for given in ((chain, fork, chain), (sites[0], sites[1], sites[0]), (CLINICS[0], CLINICS[1], CLINICS[0])):
        assert run(["tally", *map(str, given), "-o", str(tally)]) == 0
        assert f"note: counted twice: {given[0]} is given twice; leave one" in capsys.readouterr().err
    assert run(["consensus", str(tally), str(tally), "--json"]) == 0
    assert f"note: counted twice: {tally} is given twice; leave one" in capsys.readouterr().err
