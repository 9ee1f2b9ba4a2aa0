"""`bnfuse bootstrap`: from a table to the consensus of many resamples, on the command line."""

from __future__ import annotations

import contextlib
import json
import signal

import numpy as np
import pytest

import bnfuse
from bnfuse import Consensus, Tally, clique_size, files, read, strengths
from bnfuse.commands import bootstrap as command
from bnfuse.commands import consensus as consensus_command
from bnfuse.commands import run
from bnfuse.inference.parameters import fit
from running import in_shell
from samples import random_data

QUICK = ("--resamples", 12)


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "rows.csv"
    random_data(1, 7, 300, missing=0.01).write(path)
    return path


def facts_without_time(text):
    facts = json.loads(text)
    del facts["seconds"]
    return facts


# What it finds


def test_the_consensus_is_that_of_the_tally_in_python(table, tmp_path, said):
    output = tmp_path / "consensus.bif"
    text = said("bootstrap", table, *QUICK, "-t", 3, "--metric", "shd", "--score", "aic", "--seed", 5, "-o", output)
    runs = bnfuse.bootstrap(table, 12, seed=5, score="aic")
    result = bnfuse.consensus(runs.run(), 3, "shd", "majority", seed=5)
    (network,) = read(output)
    assert network.dag == result.dag
    assert network.cpts is not None
    for name, cpt in result.fit(table).network.cpts.items():
        assert network.cpts[name] == pytest.approx(cpt)
    assert f"consensus of 12 networks over 7 variables: {len(result.dag.edges)} arcs" in text
    assert f"mean shd to the resamples {result.distance:.2f}" in text
    assert "300 rows of 7 variables; 12 resamples" in text


def test_the_same_seed_gives_the_same_on_any_number_of_threads(table, said):
    one, two = (
        facts_without_time(said("bootstrap", table, *QUICK, "--threads", n, "--seed", 2, "--json")) for n in (1, 2)
    )
    assert one == two
    other = facts_without_time(said("bootstrap", table, *QUICK, "--seed", 3, "--json"))
    assert other["strengths"] != one["strengths"]


def test_every_arc_comes_with_strength_and_direction(table, said):
    facts = json.loads(said("bootstrap", table, *QUICK, "--json"))
    networks = [set(network.dag.edges) for network in bnfuse.bootstrap(table, 12)]
    assert facts["strengths"]
    for row in facts["strengths"]:
        there = sum((row["from"], row["to"]) in edges for edges in networks)
        back = sum((row["to"], row["from"]) in edges for edges in networks)
        assert row["strength"] == pytest.approx((there + back) / 12)
        assert row["direction"] == pytest.approx(there / (there + back))
    assert facts["resamples"] == {
        "wanted": 12,
        "done": 12,
        "stopped_by": "finished",
        "mean_arcs": pytest.approx(sum(map(len, networks)) / 12),
    }
    text = said("bootstrap", table, *QUICK)
    stable = text.partition("How stable the arcs of the consensus are:\n")[2].partition("\n\n")[0].splitlines()[1:]
    assert sorted(line.partition("  ")[0] for line in stable) == sorted(" -> ".join(arc) for arc in facts["edges"])


def test_strong_arcs_that_the_consensus_lacks_are_named(table, said):
    options = ("bootstrap", table, *QUICK, "--max-clique", 2, "--score", "loglik", "--learning-max-clique", 4)
    facts = json.loads(said(*options, "--json"))
    joined = {frozenset(arc) for arc in facts["edges"]}
    lacking = said(*options).partition("Not in the consensus, although strong:\n")[2].partition("\n\n")[0]
    named = {frozenset(line.partition("  ")[0].split(" -> ")) for line in lacking.splitlines()[1:]}
    strong = {
        frozenset((row["from"], row["to"]))
        for row in facts["strengths"]
        if row["strength"] > facts["threshold"] or row["strength"] == 1
    }
    assert named == strong - joined
    assert named


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ((), {"effort": "quick"}),
        (("--learning-effort", "normal"), {"effort": "normal"}),
        (("--learning-method", "climb"), {"method": "climb"}),
    ],
)
def test_how_resamples_are_searched_is_as_in_python(tmp_path, said, monkeypatch, arguments, options):
    path, taken = tmp_path / "rows.csv", []
    random_data(1, 4, 60).write(path)
    resampled = command.resampled
    monkeypatch.setattr(command, "resampled", lambda *a, **b: taken.append(resampled(*a, **b)) or taken[-1])
    said("bootstrap", path, *QUICK, *arguments)
    assert taken[0]._task.settings() == bnfuse.bootstrap(path, 12, **options)._task.settings()


def test_constraints_hold_in_every_network(table, tmp_path, said):
    kept = tmp_path / "all.json"
    rules = ("--require", "V6->V0", "--forbid", "V0->V1", "--forbid", "V1->V0", "--max-parents", 2)
    facts = json.loads(
        said("bootstrap", table, *QUICK, *rules, "--learning-max-clique", 3, "--ensemble", kept, "--json")
    )
    for edges in (facts["edges"], *(network.dag.edges for network in read(kept))):
        arcs = set(map(tuple, edges))
        assert ("V6", "V0") in arcs
        assert not {("V0", "V1"), ("V1", "V0")} & arcs
        assert max([sum(target == name for _, target in arcs) for name in facts["variables"]]) <= 2
    assert all(clique_size(network) <= 3 for network in read(kept))


def test_a_limit_on_tables_goes_by_the_states_of_the_data(table, said):
    facts = json.loads(said("bootstrap", table, *QUICK, "--max-table", 20, "--json"))
    assert facts["largest_table"] <= 20
    assert facts["max_table"] == 20


# What it writes


def test_what_is_kept_reads_back(table, tmp_path, said):
    ensemble, tally, strength = (tmp_path / name for name in ("e.json.gz", "t.tally", "s.csv"))
    saved, page = tmp_path / "all.json.gz", tmp_path / "report.html"
    kept = ("--ensemble", ensemble, "--tally", tally, "--strength", strength, "--save", saved, "--report", page)
    facts = json.loads(said("bootstrap", table, *QUICK, *kept, "--json"))
    runs = bnfuse.bootstrap(table, 12)
    networks = list(runs)
    assert [network.name for network in read(ensemble)] == [network.name for network in networks]
    assert [network.dag for network in read(ensemble)] == [network.dag for network in networks]
    assert Tally.load(tally) == runs.tally
    read_back, counted = (
        {(one.source, one.target, one.strength, one.direction) for one in strengths(given).arcs}
        for given in (read(strength), runs.tally)
    )
    assert read_back == counted  # the file has variables in its order
    result = Consensus.load(saved)
    assert [list(arc) for arc in result.dag.edges] == facts["edges"]
    assert result.parameters is not None
    assert str(table) in result.origin.command
    assert "the inputs are 12 networks, each learned from a resample of the rows of rows.csv" in result.notes
    assert "each learned from a resample of the rows of rows.csv" in page.read_text()
    assert [facts[name] for name in ("ensemble", "tally", "strength", "saved", "report")] == [
        str(path) for path in (ensemble, tally, strength, saved, page)
    ]
    again = json.loads(said("consensus", tally, "--json"))
    assert again["edges"] == facts["edges"]


def test_the_networks_of_a_frontier_have_tables_and_tell_where_they_come_from(tmp_path, said):
    path, saved = tmp_path / "rows.csv", tmp_path / "all.json"
    rows = random_data(1, 7, 300)
    rows.write(path)
    said("bootstrap", path, *QUICK, "--save", saved, "--frontier")
    points = Consensus.load(saved).frontier
    assert [point.max_clique for point in points][:2] == [2, 3]
    for point in points:
        assert point.result.notes[0].startswith("the inputs are 12 networks, each learned from a resample")
        wanted = fit(point.result.dag, path).network.cpts
        assert all(np.array_equal(table, wanted[name]) for name, table in point.result.network.cpts.items())


def test_networks_stay_in_memory_only_for_an_ensemble(table):
    runs = bnfuse.bootstrap(table, 5)
    assert command._learned(runs, None, are_kept=False) == []
    assert runs.done == 5
    assert len(command._learned(bnfuse.bootstrap(table, 5), None, are_kept=True)) == 5


def test_a_structure_needs_no_tables(table, tmp_path, said):
    output = tmp_path / "consensus.csv"
    assert f"wrote {output}: the structure only" in said("bootstrap", table, *QUICK, "-o", output)


def test_the_standard_output_is_for_the_network(table):
    ended = in_shell('$BNFUSE bootstrap "$1" --resamples 3 -o -', str(table))
    assert ended.returncode == 0
    assert ended.stdout.startswith("// written by bnfuse\nnetwork")
    assert "How stable the arcs" in ended.stderr


def test_missing_values_are_told(table, capsys):
    assert run(["bootstrap", str(table), "--resamples", "2"]) == 0
    assert (
        "20 of 2,100 values are missing, in 6 columns\nnote: values are missing: they are completed by a network"
        in capsys.readouterr().err
    )


# What it refuses


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--resamples", "0"], "--resamples must be"),
        (["--score", "k2"], "--score must be one of"),
        (["--metric", "none"], "--metric must be one of"),
        (["--metric", "fsim"], "--metric fsim needs the networks themselves"),
        (["--method", "genetic"], "then run bnfuse consensus boot.json.gz --method genetic"),
        (["--method", "min-cut"], "--method min-cut needs the networks themselves"),
        (["--method", "none"], "--method must be one of"),
        (["--effort", "quick"], "the method majority has no option --effort"),
        (["--max-clique", "1"], "--max-clique must be"),
        (["--learning-max-clique", "0"], "--learning-max-clique must be"),
        (["--learning-effort", "long"], "--learning-effort must be one of 'quick', 'normal', 'thorough'"),
        (["--learning-method", "ges"], "--learning-method must be one of 'anneal', 'climb'"),
        (["--max-table", "1"], "--max-table"),
        (["--prior", "-1"], "prior"),
        (["--require", "V0"], "--require must be FROM->TO"),
        (["--forbid", "V0->nobody"], "unknown variable 'nobody'"),
        (["--require", "V0->V2", "--require", "V1->V2", "--max-clique", "2"], "over the limit of 2"),
        (["--time-limit", "0"], "--time-limit must be"),
        (["--time-limit", "1e-9"], "--time-limit 1e-09: no network was learned in this time"),
        (["--ensemble", "all.csv"], "an ensemble is written to a file that ends in .json or .json.gz"),
        (["--tally", "all.json"], "a tally is written to a file that ends in .tally"),
        (["--strength", "s.txt"], "strengths are written to a file that ends in .csv"),
        (["--ensemble", "a.json", "--save", "a.json"], "a.json is named twice"),
        (["-o", "/nowhere/c.bif"], "there is no folder '/nowhere'"),
        (["-o", "c.txt"], "cannot tell the format from the extension"),
        (["--frontier"], "--frontier is for the report"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_learned(
    table, refused, arguments, problem, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    before = set(tmp_path.iterdir())
    if "1e-9" not in arguments:
        monkeypatch.setattr(command, "_learned", lambda *_: pytest.fail("it was learned"))
    assert problem in refused("bootstrap", table, *arguments)
    assert set(tmp_path.iterdir()) == before


def test_the_data_are_not_replaced(table, refused):
    content = table.read_bytes()
    assert "is an input, which --strength would replace" in refused("bootstrap", table, "--strength", table)
    assert table.read_bytes() == content


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A,B\n",
        "A,A\n1,2\n2,1\n",
        "A,B\n,x\n,y\n",
        "A\n" + "\n".join(map(str, range(5000))) + "\n",
        "A,B\n1,2\n3\n",
        "A,B\n1,2," + "3," * 50 + "\n",
    ],
    ids=["empty", "header", "twice", "missing", "many", "short", "long"],
)
def test_bad_data_are_refused_and_nothing_is_written(text, tmp_path, refused):
    (tmp_path / "bad.csv").write_text(text)
    kept = ("-o", tmp_path / "c.bif", "--tally", tmp_path / "t.tally")
    refused("bootstrap", tmp_path / "bad.csv", *kept)
    assert [path.name for path in tmp_path.iterdir()] == ["bad.csv"]


# When it is stopped


def ctrl_c_at(number):
    @contextlib.contextmanager
    def bar(_):
        def show(done):
            if done == number:
                signal.raise_signal(signal.SIGINT)

        yield show

    return bar


def test_ctrl_c_gives_the_consensus_of_what_there_is(table, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(command, "_learning_bar", ctrl_c_at(5))
    output, tally, ensemble = (tmp_path / name for name in ("c.bif", "t.tally", "e.json"))
    kept = ["-o", str(output), "--tally", str(tally), "--ensemble", str(ensemble)]
    assert run(["bootstrap", str(table), "--resamples", "1000000", *kept]) == 130
    assert "interrupted: this is the consensus of 5 of 1,000,000 resamples" in capsys.readouterr().err
    first = bnfuse.bootstrap(table, 5)
    assert [network.dag for network in files.read(ensemble)] == [network.dag for network in first]
    assert Tally.load(tally) == first.tally
    (network,) = files.read(output)
    assert network.dag == bnfuse.consensus(first.tally).dag


def test_ctrl_c_in_the_search_gives_the_best_so_far(table, tmp_path, monkeypatch, capsys):
    @contextlib.contextmanager
    def ctrl_c():
        yield lambda now: signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(consensus_command, "progress_bar", ctrl_c)
    output = tmp_path / "c.bif"
    assert run(["bootstrap", str(table), "--resamples", "12", "--method", "direct", "-o", str(output)]) == 130
    assert "interrupted: this is the best network so far" in capsys.readouterr().err
    assert clique_size(*files.read(output)) <= 4


def test_ctrl_c_before_the_first_network_leaves_nothing(table, tmp_path, monkeypatch, capsys):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(bnfuse.learning.data_learner.Learner, "resampled", interrupted)
    output = tmp_path / "c.bif"
    assert run(["bootstrap", str(table), "-o", str(output)]) == 130
    assert capsys.readouterr().err == "bnfuse: interrupted\n"
    assert not output.exists()


def test_the_time_limit_gives_the_consensus_of_what_there_is(table, capsys):
    assert run(["bootstrap", str(table), "--resamples", "100000000", "--time-limit", "0.5", "--json"]) == 0
    said = capsys.readouterr()
    facts = json.loads(said.out)
    done = facts["resamples"]["done"]
    assert 0 < done < 100_000_000
    assert facts["resamples"]["stopped_by"] == "time limit"
    assert f"stopped by the time limit: this is the consensus of {done:,} of 100,000,000 resamples" in said.err
