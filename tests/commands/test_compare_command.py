"""`bnfuse compare`: pairs, references and the arcs that differ."""

import json
from itertools import combinations
from pathlib import Path

import bnfuse
from bnfuse import DAG, Network, files
from running import CLINICS

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


def test_compare_gives_all_pairs(said):
    facts = json.loads(said("compare", *CLINICS, "--json"))
    networks = {network.name: network for network in files.read(*CLINICS)}
    assert facts["networks"] == list(networks)
    assert [(pair["here"], pair["there"]) for pair in facts["pairs"]] == list(combinations(networks, 2))
    for pair in facts["pairs"]:
        here, there = networks[pair["here"]], networks[pair["there"]]
        assert pair["shd"] == bnfuse.shd(here, there)
        assert pair["smhd"] == bnfuse.smhd(here, there)
        assert pair["shd"] == len(pair["only_here"]) + len(pair["only_there"]) + len(pair["reversed"])
        arcs = {tuple(arc) for arc in pair["only_here"] + pair["reversed"]}
        assert arcs == set(here.dag.edges) - set(there.dag.edges)


def test_compare_lists_the_arcs_of_two_networks(chain, fork, said):
    text = said("compare", chain, fork)
    assert "reversed (shown as in chain): 1\n    A -> B\n" in text
    assert "only in chain: 0\n  only in fork: 0\n" in text


def test_compare_names_the_one_that_stands_apart(said):
    assert said("compare", *CLINICS).splitlines()[-1].startswith("farthest from the others: harbour (mean shd 12.25;")


def test_compare_to_a_reference_does_not_compare_it_with_itself(said):
    reference = next(path for path in CLINICS if "harbour" in path)
    pairs = json.loads(said("compare", *CLINICS, "--to", reference, "--json"))["pairs"]
    assert [pair["here"] for pair in pairs] == ["eastgate", "hillcrest", "millbrook", "northfield"]
    assert {pair["there"] for pair in pairs} == {"harbour"}


def test_compare_takes_a_reference_by_name_from_an_ensemble(tmp_path, said):
    ensemble = str(tmp_path / "clinics.json")
    said("convert", *CLINICS, ensemble)
    by_name = json.loads(said("compare", ensemble, "--to", "harbour", "--json"))
    reference = next(path for path in CLINICS if "harbour" in path)
    by_file = json.loads(said("compare", *CLINICS, "--to", reference, "--json"))
    assert by_name["pairs"] == by_file["pairs"]


def test_compare_of_many_networks_is_a_matrix(tmp_path, said):
    names = list("ABCDEF")
    networks = [Network(DAG(names, [(names[0], other)]), name=f"to {other}") for other in names[1:]]
    networks.append(Network(DAG(names), name="none"))
    path = tmp_path / "many.json"
    files.write(networks, path)
    text = said("compare", str(path), "--metric", "smhd")
    matrix = text.partition("smhd of all pairs:\n")[2].splitlines()
    assert matrix[0].split() == ["network", "1", "2", "3", "4", "5", "6"]
    assert matrix[1].split() == ["1", "to", "B", "-", "2", "2", "2", "2", "1"]


def test_compare_needs_two_networks(chain, tmp_path, refused):
    assert "comparing needs two networks" in refused("compare", chain)
    assert "no other network" in refused("compare", chain, "--to", chain)
    other = tmp_path / "other.json"
    other.write_text('{"variables": ["A", "b"], "networks": [{"edges": []}]}')
    line = refused("compare", chain, str(other))
    assert "network 'other' lacks variables 'B', 'C', which network 'chain' has, though it has 'b'; all" in line


def test_an_unknown_metric_is_refused(refused):
    assert "--metric must be one of 'shd', 'smhd', 'fsim'; got 'l2'" in refused("compare", *CLINICS, "--metric", "l2")


# Inputs that are not networks

PANEL = sorted(str(path) for path in (EXAMPLES / "panel").iterdir())
AS_ONE = ("--names", str(EXAMPLES / "panel-names.csv"), "--variables", "shared")


def test_compare_takes_the_panel(said):
    facts = json.loads(said("compare", *PANEL, *AS_ONE, "--json"))
    read = bnfuse.read(*PANEL, cyclic="votes", variables="union")
    inputs = {one.name: one for one in bnfuse.Alignment.load(AS_ONE[1]).apply_all(read)}
    assert facts["networks"] == list(inputs)
    for pair in facts["pairs"]:
        here, there = inputs[pair["here"]], inputs[pair["there"]]
        assert pair["variables"] == len({*here.variables} & {*there.variables})
        are_graphs = not any(isinstance(one, bnfuse.ArcVotes) for one in (here, there))
        assert (pair["cpdag_shd"] is not None) == are_graphs
        assert (pair["fsim"] is not None) == all(isinstance(one, Network) for one in (here, there))
    (pair,) = (one for one in facts["pairs"] if (one["here"], one["there"]) == ("pc", "textbook"))
    assert (pair["shd"], pair["cpdag_shd"], pair["directed_in_one"]) == (0.5, 0, [["Smoker", "COPD"]])


def test_compare_shows_what_has_no_direction(said):
    text = said("compare", str(EXAMPLES / "panel/pc.tetrad"), str(EXAMPLES / "panel/ward.csv"), *AS_ONE)
    assert "with a direction in only one of them: 2\n    Smoker -> COPD\n    Smoker -> LungCancer\n" in text
    assert "cpdag shd  1\n" in text


def test_compare_takes_a_tally_whose_distances_are_those_of_a_consensus(tmp_path, said):
    tally, reference = tmp_path / "all.tally.gz", tmp_path / "consensus.csv"
    said("tally", *CLINICS, "-o", tally)
    facts = json.loads(said("consensus", *CLINICS, "-o", reference, "--json"))
    (pair,) = json.loads(said("compare", reference, tally, "--json"))["pairs"]
    assert pair["there"] == "all"
    assert pair["smhd"] == facts["distance"]
    to_tally = json.loads(said("compare", *CLINICS, "--to", tally, "--json"))["pairs"]
    assert {one["there"] for one in to_tally} == {"all"}
    to_network = json.loads(said("compare", tally, CLINICS[0], "--to", CLINICS[1], "--json"))["pairs"]
    assert [(one["here"], one["there"]) for one in to_network] == [("eastgate", "harbour"), ("all", "harbour")]


def test_compare_says_what_it_cannot_compare(tmp_path, chain, refused):
    assert "--metric fsim compares networks" in refused("compare", *PANEL[1:], *AS_ONE, "--metric", "fsim")
    assert "--variables must be one of 'same', 'shared'" in refused("compare", *PANEL, "--variables", "union")
    line = refused("compare", PANEL[2], PANEL[4])
    assert line.endswith("; here, --variables shared compares what both have")
    other = tmp_path / "other.csv"
    other.write_text("from,to\nU,V\n")
    assert "share no variable: bnfuse align proposes" in refused("compare", chain, other, "--variables", "shared")
    tally = tmp_path / "broken.tally"
    tally.write_text("{}")
    assert "broken.tally: is not a tally" in refused("compare", chain, tally)
    assert "names are for networks" in refused("compare", chain, tally, *AS_ONE[:2])
