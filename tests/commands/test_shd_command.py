"""SHD on the command line: the same answer as in Python, from networks and tallies, in reports and files."""

import json

import pytest

from bnfuse import DAG, Consensus, consensus, files, shd
from packed_tables import embedded, without_input_tables
from running import CLINICS


def test_a_consensus_by_shd_says_what_it_counts(said):
    networks = files.read(*CLINICS)
    facts = json.loads(said("consensus", *CLINICS, "--metric", "shd", "-t", "3", "--json"))
    found = DAG(networks[0].variables, map(tuple, facts["edges"]))
    assert facts["metric"] == "shd"
    assert facts["distance"] == pytest.approx(shd(found, networks))
    assert facts["distances"] == {network.name: shd(found, network) for network in networks}
    assert facts["lower_bound"] <= facts["distance"]
    assert found == consensus(networks, 3, "shd").dag
    text = said("consensus", *CLINICS, "--metric", "shd", "-t", "3")
    assert f"mean shd to the inputs {facts['distance']:.2f}" in text


def test_tallies_give_the_consensus_by_shd_that_their_networks_give(sites, said):
    whole = json.loads(said("consensus", *CLINICS, "--metric", "shd", "--json"))
    counted = json.loads(said("consensus", *sites, "--metric", "shd", "--json"))
    for fact in ("edges", "distance", "lower_bound", "metric"):
        assert counted[fact] == whole[fact]


@pytest.mark.parametrize("method", ["direct", "genetic", "greedy", "majority"])
def test_a_saved_consensus_by_shd_has_the_report_of_its_run(method, tmp_path, said):
    saved, page, later = tmp_path / "run.json", tmp_path / "run.html", tmp_path / "later.html"
    options = ("--save", saved, "--report", page, "--method", method, "--metric", "shd")
    said("consensus", *CLINICS, *options)
    said("report", saved, "-o", later)
    first, second = (without_input_tables(one.read_text("utf-8")) for one in (page, later))
    assert first == second
    facts = embedded(page.read_text("utf-8"))["facts"]
    result = Consensus.load(saved)
    assert (facts["metric"], facts["distance"], facts["bound"]) == ("shd", result.distance, result.lower_bound)
    assert f"mean shd to the inputs {result.distance:.2f}" in facts["quality"]


def test_the_frontier_by_shd_is_that_of_python(said):
    rows = json.loads(said("frontier", *CLINICS, "--metric", "shd", "--max-clique", "2,3,4", "--json"))
    assert rows["metric"] == "shd"
    limits = [consensus(files.read(*CLINICS), limit, "shd").distance for limit in (2, 3, 4)]
    assert [point["distance"] for point in rows["limits"]] == pytest.approx(limits)
