"""The commands with Gaussian networks: query, sample, fit, consensus, inspect, convert, and those that refuse."""

import json

import numpy as np
import pytest

import bnfuse
from bnfuse import GaussianNetwork, Network
from bnfuse.commands import run
from gaussian_oracle import random_network


@pytest.fixture
def three(tmp_path):
    """Three networks over the same variables, and rows of the first."""
    random = np.random.default_rng(1)
    networks = [random_network(random, 5, name=name) for name in ("north", "south", "west")]
    for network in networks:
        network.write(tmp_path / f"{network.name}.json")
    networks[0].sample(60, 1).write(tmp_path / "rows.csv")
    return networks, [str(tmp_path / f"{network.name}.json") for network in networks], str(tmp_path / "rows.csv")


def test_query_gives_means_deviations_and_intervals(said, three):
    [network, *_], [path, *_], _ = three
    own = network.query("V1", {"V0": 3.5}, do={"V2": -2})
    text = said("query", path, "V1", "--given", "V0=3.5", "--do", "V2=-2")
    assert text.startswith("given V0 = 3.5; setting V2 = -2:\n")
    assert f"{own.mean:.6g}" in text
    assert f"{own.sd:.6g}" in text
    assert "{:.4g} to {:.4g}".format(*own.interval()) in text
    facts = json.loads(said("query", path, "V1", "--given", "V0=3.5", "--do", "V2=-2", "--json"))
    assert facts["given"] == {"V0": 3.5}
    assert facts["marginals"]["V1"] == {"mean": own.mean, "sd": own.sd, "interval": list(own.interval())}
    assert len(json.loads(said("query", path, "--json"))["marginals"]) == 5


def test_query_gives_joint_answers(said, three):
    [network, *_], [path, *_], _ = three
    both = network.query(["V1", "V3"])
    facts = json.loads(said("query", path, "V1", "V3", "--joint", "--json"))
    assert facts["covariance"] == both.covariance.tolist()
    assert f"{both.correlation[0, 1]:.6g}" in said("query", path, "V1", "V3", "--joint")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--given", "V0=high"], "--given V0=high: a Gaussian network takes numbers, not 'high'"),
        (["--given", "V0=inf"], "the value of 'V0' must be a finite number, got inf"),
        (["--given", "V0"], "--given must be NAME="),
        (["--given", "V9=1"], "network 'north' has no variable 'V9'"),
        (["--given", "V0=1", "--given", "V0=2"], "--given says both V0=1 and V0=2"),
        (["--given", "V0=1", "--do", "V0=2"], "'V0' is set to 2 and given as 1"),
        (["--belief", "V0=1:1"], "--belief is for networks with states; for a Gaussian network, use --given"),
    ],
)
def test_query_refuses_in_one_line(refused, three, options, message):
    assert message in refused("query", three[1][0], "V1", *options)


@pytest.mark.parametrize("line", [["explain"], ["informative", "V0"], ["sensitivity", "V0=yes"]])
def test_what_needs_states_says_so(refused, three, line):
    command, *rest = line
    assert "is Gaussian: its variables are numbers without states and tables" in refused(command, three[1][0], *rest)


def test_effects_are_total_effects(said, three):
    networks, paths, _ = three
    consensus = paths[0]
    facts = json.loads(said("effects", consensus, *paths[1:], "--json"))["effects"]
    for one in facts:
        assert one["consensus"] == pytest.approx(networks[0].total_effect(one["cause"], one["target"]))
        for network in networks[1:]:
            wanted = network.total_effect(one["cause"], one["target"])
            assert one["inputs"][network.name] == pytest.approx(wanted)
    pairs = {(one["cause"], one["target"]) for one in facts}
    everything = {
        (a, b)
        for network in networks
        for a in network.variables
        for b in network.variables
        if a != b and network.total_effect(a, b)
    }
    assert pairs == everything
    signs = [one["verdict"] for one in facts]
    assert signs == sorted(signs, key=["opposite", "partly", "agree"].index)
    assert f"{len(facts)} effects: the inputs agree on the sign of" in said("effects", consensus, *paths[1:])
    assert said("effects", consensus, *paths[1:], "--of", "V0", "--on", "V1").startswith(("0 effects", "1 effect:"))


def test_effects_asks_the_panel(said, refused, three, tmp_path):
    networks, paths, _ = three
    line = ["effects", *paths, "--query", "V1", "--given", "V0=1"]
    facts = json.loads(said(*line, "--json"))
    assert facts["consensus"]["mean"] == networks[0].query("V1", {"V0": 1}).mean
    assert facts["inputs"]["west"]["sd"] == networks[2].query("V1", {"V0": 1}).sd
    assert "south" in said(*line)
    assert "has no variable 'V9'" in refused("effects", *paths, "--of", "V9")
    assert "go with --query" in refused("effects", *paths, "--given", "V0=1")
    bare = tmp_path / "bare.csv"
    said("convert", paths[1], str(bare))


def test_sample_draws_rows(said, three, tmp_path):
    [network, *_], [path, *_], _ = three
    facts = json.loads(said("sample", path, "-n", "4", "--seed", "3", "--json"))
    assert facts["rows"] == network.sample(4, 3).values.tolist()
    assert facts["variables"] == list(network.variables)
    said("sample", path, "-n", "30", "-o", str(tmp_path / "drawn.csv.gz"))
    assert network.fit(tmp_path / "drawn.csv.gz") == network.fit(network.sample(30))


def test_fit_estimates_numbers(said, three, tmp_path):
    [network, *_], [path, *_], rows = three
    out = str(tmp_path / "fitted.json")
    assert "5 variables: the numbers are estimated from 60 rows" in said("fit", path, rows, "-o", out)
    assert bnfuse.read(out)[0] == network.fit(rows)
    said("convert", path, str(tmp_path / "structure.csv"))
    said("fit", str(tmp_path / "structure.csv"), rows, "--gaussian", "--prior", "3", "-o", out)
    [found], wanted = bnfuse.read(out), network.fit(rows, prior=3)
    assert found.dag == wanted.dag
    assert found.query(network.variables).covariance == pytest.approx(wanted.covariance())  # in another order


def test_fit_refuses_in_one_line(refused, three, tmp_path):
    _, [path, *_], rows = three
    assert "cannot hold a Gaussian network" in refused("fit", path, rows, "-o", str(tmp_path / "fitted.bif"))
    (tmp_path / "text.csv").write_text("V0,V1,V2,V3,V4\n1,2,3,4,high\n1,2,3,5,low\n")
    assert "'V4'" in refused("fit", path, str(tmp_path / "text.csv"))
    (tmp_path / "experts.json").write_text('[{"variable": "V0", "probabilities": {"yes": 1}, "cases": 2}]')
    problem = refused("fit", path, rows, "--judgements", str(tmp_path / "experts.json"))
    assert "--judgements are about rows of tables" in problem


def test_consensus_pools_gaussian_networks(said, three, tmp_path):
    networks, paths, rows = three
    out = str(tmp_path / "consensus.json")
    text = said(
        "consensus", *paths, "-o", out, "--save", str(tmp_path / "saved.json"), "--report", str(tmp_path / "r.html")
    )
    assert "the numbers are pooled from the 3 networks" in text
    assert "consensus.json: structure, coefficients and standard deviations" in text
    wanted = bnfuse.consensus(networks).network
    assert bnfuse.read(out)[0] == wanted
    assert bnfuse.read(tmp_path / "saved.json")[0] == wanted
    said("report", str(tmp_path / "saved.json"), "-o", str(tmp_path / "again.html"))
    said("consensus", *paths, "--fit", rows, "-o", out)
    assert bnfuse.read(out)[0] == bnfuse.consensus(networks).fit(rows).network
    assert json.loads(said("consensus", *paths, "-o", "-"))["kind"] == "bnfuse Gaussian networks"


def test_consensus_fits_numbers_where_asked(said, three, tmp_path):
    _, paths, rows = three
    tally, out = str(tmp_path / "all.tally"), str(tmp_path / "consensus.json")
    said("tally", *paths, "-o", tally)
    said("consensus", tally, "--fit", rows, "--gaussian", "-o", out)
    assert isinstance(bnfuse.read(out)[0], GaussianNetwork)


def test_consensus_refuses_in_one_line(refused, three, tmp_path):
    networks, paths, _ = three
    states = dict.fromkeys(networks[0].variables, ("no", "yes"))
    bare = bnfuse.DAG(networks[0].variables)
    Network(bare, states, {name: [0.5, 0.5] for name in bare.variables}).write(tmp_path / "tables.bif")
    both = [*paths, str(tmp_path / "tables.bif")]
    assert "'tables' has tables: they cannot be pooled together" in refused("consensus", *both, "--pool")
    assert "cannot hold a Gaussian network" in refused("consensus", *paths, "-o", str(tmp_path / "c.bif"))
    assert "--gaussian is for --fit FILE" in refused("consensus", *paths, "--gaussian")


def test_inspect_counts_numbers(said, three):
    [network, *_], paths, _ = three
    text = said("inspect", paths[0])
    assert text.startswith("north (a Gaussian network)")
    assert "clique tables" not in text
    [facts] = json.loads(said("inspect", paths[0], "--json"))["inputs"]
    assert (facts["gaussian"], facts["parameters"], facts["has_tables"]) == (True, network.parameters, False)
    assert "not known" not in said("inspect", *paths)


def test_convert_tells_what_is_lost(refused, three, tmp_path, capsys):
    _, [path, *_], _ = three
    assert run(["convert", path, str(tmp_path / "out.csv")]) == 0
    assert "has no room for coefficients and standard deviations; they are left out" in capsys.readouterr().err
    assert "cannot hold a Gaussian network" in refused("convert", path, str(tmp_path / "out.xdsl"))
    assert "cannot hold a Gaussian network" in refused("convert", path, "-", "--format", "bif")


@pytest.mark.parametrize(
    "command", ["compare", "align", "fuse", "disputes", "schools", "strength", "frontier", "tally"]
)
def test_everything_that_takes_structures_takes_them(said, three, tmp_path, command):
    out = ["-o", str(tmp_path / "out.tally")] if command == "tally" else []
    assert said(command, *(three[1][:2] if command == "compare" else three[1]), *out)


def test_schools_and_frontiers_of_gaussian_networks_are_written(said, three, tmp_path):
    _, paths, _ = three
    report, kept = str(tmp_path / "schools.html"), str(tmp_path / "schools.json")
    said("schools", *paths, "-k", "2", "-o", str(tmp_path / "schools"), "--report", report, "--save", kept)
    assert {type(one) for one in bnfuse.read(tmp_path / "schools")} == {GaussianNetwork}
    assert "states are not known" not in said("frontier", *paths, "-o", str(tmp_path / "frontier"))
    assert {type(one) for one in bnfuse.read(tmp_path / "frontier")} == {GaussianNetwork}
