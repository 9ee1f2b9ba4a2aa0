"""`bnfuse consensus`: what it finds, proves and refuses, and how constraints are given."""

import contextlib
import json
import re
import signal

import pytest

from bnfuse import DAG, Consensus, Network, clique_size, files, frontier, smhd
from bnfuse._base.texts import gap_percent
from bnfuse.commands import _search, consensus, run
from brute_force import entangled
from oracles import graph_of, reversible_arcs
from running import CLINICS


def test_consensus_writes_a_network_within_the_limit(tmp_path, said):
    path = tmp_path / "c.bif"
    text = said("consensus", *CLINICS, "--max-clique", "3", "-o", str(path))
    (network,) = files.read(path)
    assert clique_size(network) <= 3
    assert "If each of these were the consensus" in text
    assert all(f"{source} -> {target}" in text for source, target in network.dag.edges)


def test_consensus_facts_for_programs(said):
    facts = json.loads(said("consensus", *CLINICS, "--method", "greedy", "--candidates", "fused", "--json"))
    networks = files.read(*CLINICS)
    found = DAG(networks[0].variables, map(tuple, facts["edges"]))
    assert facts["distance"] == pytest.approx(smhd(found, networks))
    assert facts["distances"] == {network.name: smhd(found, network) for network in networks}
    assert facts["clique_size"] <= facts["max_clique"] == 4
    assert [one["name"] for one in facts["compared"]][-2:] == ["full fusion", "no arcs"]


def test_the_table_of_arcs_calls_free_directions_free(tmp_path, said):
    text = said("consensus", *CLINICS, "--effort", "quick", "--save", tmp_path / "r.json")
    rows = text.partition("Arcs of the consensus:\n")[2].partition("\n\n")[0].splitlines()[1:]
    found = Consensus.load(tmp_path / "r.json")
    free = reversible_arcs(graph_of(found.dag))
    assert 0 < len(free) < len(rows) == len(found.dag.edges)
    for row in rows:
        arc, _, _, direction = re.split(" {2,}", row)
        assert direction == ("free" if tuple(arc.split(" -> ")) in free else "fixed")


def test_consensus_weights_count(said):
    harbour = json.loads(said("consensus", *CLINICS, "--method", "greedy", "--weight", "harbour=100", "--json"))
    even = json.loads(said("consensus", *CLINICS, "--method", "greedy", "--json"))
    assert harbour["distances"]["harbour"] < even["distances"]["harbour"]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["-t", "1"], "--max-clique must be a whole number of at least 2"),
        (["-t", "two"], "valid integer"),
        (["--method", "magic"], "method must be one of 'direct', 'genetic', 'greedy', 'majority'"),
        (["--method", "greedy", "--candidates", "all"], "candidates must be one of 'shared', 'per-network', 'fused'"),
        (["--metric", "l2"], "metric must be one of 'smhd', 'fsim'"),
        (["--method", "genetic", "--preset", "best"], "preset must be one of"),
        (["--method", "genetic", "--population", "3"], "population must be a whole number of at least 4"),
        (
            ["--method", "greedy", "--generations", "3"],
            "greedy has no option --generations; it goes with genetic",
        ),
        (["--candidates", "fused"], "the method direct has no option --candidates; it goes with genetic or greedy"),
        (["--effort", "heroic"], "effort must be one of 'quick', 'normal', 'thorough'"),
        (["--method", "majority", "--threshold", "1"], "threshold must be a number of at least 0 and below 1"),
        (["--weight", "harbour"], "--weight must be NAME=NUMBER"),
        (["--weight", "harbour=1/0"], "--weight must be NAME=NUMBER"),
        (["--weight", "nobody=2"], "a weight for 'nobody'"),
        (["--weight", "harbour=-1"], "a weight must be a number of at least 0"),
        (["--prove", "--metric", "fsim"], "fsim is not a sum over edges or arcs"),
        (["--prove", "--method", "majority"], "--prove goes with the method 'direct'"),
        (["--time-limit", "0"], "--time-limit must be a positive number of seconds"),
        (["-o", "/nowhere/c.bif"], "there is no folder '/nowhere'"),
        (["-o", "c.txt"], "cannot tell the format from the extension"),
    ],
)
def test_consensus_refuses_bad_options_in_one_line(options, problem, capsys):
    assert run(["consensus", *CLINICS, *options]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    (line,) = err.splitlines()
    assert problem in line


def test_the_networks_for_other_limits_are_found_by_the_same_method(tmp_path, said):
    for method in ("majority", "min-cut", "direct"):
        path = tmp_path / f"{method}.json"
        said("consensus", *CLINICS, "-t", 3, "--method", method, "--frontier", "--save", path)
        found = Consensus.load(path)
        assert len(found.frontier) > 2
        assert {type(point.result.options) for point in found.frontier} == {type(found.options)}
        same = frontier(files.read(*CLINICS), method=method)
        assert [point.distance for point in found.frontier] == [one.distance for one in same]


def test_an_input_of_weight_0_and_weights_are_told(said, tmp_path, capsys):
    options = ("--weight", "harbour=0", "--weight", "eastgate=2.5")
    facts = json.loads(said("consensus", *CLINICS, *options, "--json"))
    assert facts["left_out"] == ["harbour"]
    assert facts["weights"] == {"eastgate": 2.5, "hillcrest": 1, "millbrook": 1, "northfield": 1}
    capsys.readouterr()
    assert run(["consensus", *CLINICS, *options]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("consensus of 4 networks (without harbour: weight 0) over 11 variables")
    assert "weights were given (eastgate=2.5, hillcrest=1, millbrook=1, northfield=1): eastgate counts for 45 %" in out
    assert "'harbour' was left out: weight 0" in err
    assert "no input clearly stands apart: distances" in out


def test_who_may_stand_apart_is_told(said):
    assert "\nharbour (13) may stand apart: the others have distances of 3 to 4\n" in said("consensus", *CLINICS)
    assert json.loads(said("consensus", *CLINICS, "--json"))["apart"] == ["harbour"]


def test_every_command_that_takes_weights_says_who_was_left_out(tmp_path, capsys):
    for command in (["frontier"], ["strength"], ["tally", "-o", str(tmp_path / "x.tally")]):
        assert run([*command, *CLINICS, "--weight", "harbour=0", "--weight", "eastgate=0"]) == 0
        out, err = capsys.readouterr()
        assert "left out: weight 0" in err, command
        assert "'harbour'" in err
        assert "'eastgate'" in err
    assert "3 networks" in out, "those that were counted"
    assert run(["frontier", *CLINICS, "--weight", "harbour=0", "--max-clique", "2", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["left_out"] == ["harbour"]
    assert facts["weights"] == {"eastgate": 1, "hillcrest": 1, "millbrook": 1, "northfield": 1}


def test_inputs_without_tables_are_told(said, tmp_path, capsys):
    bare = tmp_path / "bare.csv"
    files.write(files.read(CLINICS[1])[0].dag, bare)
    output = tmp_path / "c.bif"
    facts = json.loads(said("consensus", CLINICS[0], CLINICS[2], bare, "-o", output, "--json"))
    assert facts["without_tables"] == ["bare"]
    assert files.read(output)[0].cpts is not None
    capsys.readouterr()
    assert run(["consensus", CLINICS[0], CLINICS[2], str(bare), "--pool", "-o", str(output)]) == 0
    out, err = capsys.readouterr()
    assert "the tables are pooled from the 2 networks" in out
    assert "'bare' has no tables and took no part in the pooling" in err
    assert run(["consensus", str(bare), "--pool"]) == 2
    assert "--pool needs an input with tables, and none has any" in capsys.readouterr().err


def test_an_interrupted_consensus_keeps_the_best_so_far(tmp_path, monkeypatch, capsys):
    @contextlib.contextmanager
    def ctrl_c_at_step_3():
        def progress(now):
            if now.step == 3:
                signal.raise_signal(signal.SIGINT)

        yield progress

    monkeypatch.setattr(consensus, "progress_bar", ctrl_c_at_step_3)
    path = tmp_path / "c.bif"
    options = ["--method", "genetic", "--generations", "1000000", "-o", str(path)]
    assert run(["consensus", *CLINICS, *options]) == 130
    assert "interrupted: this is the best network so far" in capsys.readouterr().err
    assert clique_size(*files.read(path)) <= 4


def test_consensus_says_what_is_proven(said):
    proven = "proven optimal: no network within the limit"
    assert f"{proven} whose arcs follow the majority is closer\n" in said("consensus", *CLINICS)
    assert f"{proven} is closer\n" in said("consensus", *CLINICS, "--directions", "any")
    assert f"{proven} whose arcs some input has is closer\n" in said("consensus", *CLINICS, "--directions", "seen")
    facts = json.loads(said("consensus", *CLINICS, "--method", "majority", "--threshold", "0.9", "--json"))
    assert facts["lower_bound"] < facts["distance"]
    assert facts["gap"] == pytest.approx(facts["distance"] / facts["lower_bound"] - 1)
    text = said("consensus", *CLINICS, "--method", "majority", "--threshold", "0.9")
    above = f"this one is at most {gap_percent(facts['gap'])} above the best possible"
    assert (
        f"proven: no network within the limit whose arcs follow the majority is closer than "
        f"{facts['lower_bound']:.2f}; {above}" in text.splitlines()
    )
    assert "found by majority vote" in text
    assert "proven" not in said("consensus", *CLINICS, "--metric", "fsim", "--method", "majority")


@pytest.mark.parametrize(("bound", "shown"), [(4.8, 4.8), (4.35, 4.35), (5.3999, 5.39), (1 / 3, 0.33), (0.0, 0.0)])
def test_a_bound_is_never_rounded_up(bound, shown):
    assert _search.rounded_down(bound) == shown


def test_a_gap_is_rounded_up():
    assert [gap_percent(gap) for gap in (0, 0.0004, 0.01, 0.1141)] == ["0 %", "0.1 %", "1.0 %", "11.5 %"]


def test_consensus_proves_on_request(tmp_path, said):
    instance = str(tmp_path / "entangled.json")
    files.write([Network(dag, name=f"input-{i}") for i, dag in enumerate(entangled())], instance)
    options = ["-t", "3", "--effort", "quick", "--prove", "--directions", "any"]
    told = said("consensus", instance, *options, "--save", str(tmp_path / "result.json"))
    assert "proven optimal" in told
    assert "the bound follows from" in told
    facts = json.loads(said("consensus", instance, *options, "--json"))
    assert facts["gap"] == 0
    assert facts["proof"]["program"] == "edges"
    kept = json.loads((tmp_path / "result.json").read_text())["proof"]["inequalities"]
    assert sum(facts["proof"]["inequalities"].values()) == len(kept)
    assert "0 %" in said("frontier", instance, "--max-clique", "3", "--effort", "quick", "--prove")


def test_consensus_takes_the_effort_and_majority_its_threshold(said):
    quick = json.loads(said("consensus", *CLINICS, "-t", "3", "--effort", "quick", "--json"))
    assert quick["method"] == "direct"
    many, few = (
        json.loads(said("consensus", *CLINICS, "--method", "majority", "--threshold", share, "--json"))
        for share in ("0.3", "0.9")
    )
    assert len(few["edges"]) < len(many["edges"])
    assert all(one["share"] + one["reversed_share"] > 0.9 for one in few["support"])


def test_consensus_shows_shares_with_weights(said):
    facts = json.loads(said("consensus", *CLINICS, "--method", "majority", "--weight", "harbour=4", "--json"))
    for one in facts["support"]:
        weight = sum(4 if name == "harbour" else 1 for name in one["inputs"])
        assert one["share"] == weight / 8
    text = said("consensus", *CLINICS, "--method", "majority", "--weight", "harbour=4")
    assert "inputs (of 5)  reversed  by weight  reversed  direction\n" in text
    assert "by weight" not in said("consensus", *CLINICS, "--method", "majority")


# Constraints


def test_consensus_keeps_constraints(tmp_path, said):
    tiers = tmp_path / "tiers.json"
    tiers.write_text('[["Age", "Smoker"], ["COPD", "Asthma", "LungCancer"]]')
    options = ["--require", "Age->XRay", "--require", "Fever -> Cough", "--forbid", "Smoker->COPD"]
    options += ["--tiers", str(tiers), "--max-parents", "2", "--effort", "quick"]
    facts = json.loads(said("consensus", *CLINICS, *options, "--json"))
    edges = {tuple(arc) for arc in facts["edges"]}
    assert {("Age", "XRay"), ("Fever", "Cough")} <= edges
    assert ("Smoker", "COPD") not in edges
    assert not edges & {(late, early) for late in ("COPD", "Asthma", "LungCancer") for early in ("Age", "Smoker")}
    assert max(sum(target == name for _, target in edges) for name in facts["elimination_order"]) <= 2
    assert facts["constraints"] == {
        "required": [["Age", "XRay"], ["Fever", "Cough"]],
        "forbidden": [["Smoker", "COPD"]],
        "tiers": [["Age", "Smoker"], ["COPD", "Asthma", "LungCancer"]],
        "max_parents": 2,
        "directions": "majority",
    }


@pytest.mark.parametrize("directions", ["seen", "majority"])
def test_consensus_keeps_to_directions(said, directions):
    options = ["-t", "4", "--effort", "quick", "--weight", "harbour=3"]
    free = json.loads(said("consensus", *CLINICS, *options, "--directions", "any", "--json"))
    kept = json.loads(said("consensus", *CLINICS, *options, "--directions", directions, "--json"))
    assert kept["constraints"]["directions"] == directions
    assert all(arc["share"] > 0 for arc in kept["support"])
    assert directions == "seen" or all(arc["share"] >= arc["reversed_share"] for arc in kept["support"])
    assert kept["directions"]["unseen"] == []
    price = kept["directions"]["if_any"]
    assert (price["effort"], price["stopped_by"]) == ("quick", "finished")
    assert free["distance"] <= price["distance"] < kept["distance"]
    told = said("consensus", *CLINICS, *options, "--directions", directions)
    assert f"would bring the mean distance to {price['distance']:.2f} (--directions any)\n" in told
    assert free["directions"]["if_any"] is None
    unseen = [[arc["from"], arc["to"]] for arc in free["support"] if not arc["share"]]
    outvoted = [[arc["from"], arc["to"]] for arc in free["support"] if arc["share"] < arc["reversed_share"]]
    assert (free["directions"]["unseen"], free["directions"]["outvoted"]) == (unseen, outvoted)
    assert unseen
    told = said("consensus", *CLINICS, *options, "--directions", "any")
    assert f"{len(unseen)} of {len(free['edges'])} arcs run" in told
    assert "would bring the mean distance" not in told


def test_majority_is_what_consensus_keeps_to_if_nothing_is_said(said):
    options = ["-t", "4", "--effort", "quick", "--weight", "harbour=3"]
    usual, asked = (
        json.loads(said("consensus", *CLINICS, *options, *rule, "--json"))
        for rule in ([], ["--directions", "majority"])
    )
    assert usual["constraints"]["directions"] == "majority"
    assert usual["edges"] == asked["edges"]
    assert "at every limit, arcs run as in most of the inputs" in said("frontier", *CLINICS, "--effort", "quick")
    assert "at every limit" not in said("frontier", *CLINICS, "--effort", "quick", "--directions", "any")


def test_a_required_arc_may_run_against_the_usual_rule_but_not_against_one_that_was_asked_for(said, refused):
    arc = ("--require", "Cough->Smoker", "--effort", "quick")
    assert ["Cough", "Smoker"] in json.loads(said("consensus", *CLINICS, *arc, "--json"))["edges"]
    line = refused("consensus", *CLINICS, *arc, "--directions", "majority")
    assert "arc Cough -> Smoker is required, but most inputs that join the two do not have it in that direction" in line


def test_two_dashes_forbid_an_arc_either_way(said):
    options = ("--effort", "quick", "--directions", "any", "--json")
    usual, one, both = (
        json.loads(said("consensus", *CLINICS, *options, *rule))
        for rule in ([], ["--forbid", "Smoker -> COPD"], ["--forbid", "COPD -- Smoker"])
    )
    assert ["Smoker", "COPD"] in usual["edges"]
    assert ["COPD", "Smoker"] in one["edges"]
    assert one["constraints"]["forbidden"] == [["Smoker", "COPD"]]
    assert not {("Smoker", "COPD"), ("COPD", "Smoker")} & set(map(tuple, both["edges"]))
    assert both["constraints"]["forbidden"] == [["COPD", "Smoker"], ["Smoker", "COPD"]]


def test_pruning_before_fusion_cannot_keep_directions(refused):
    line = refused("consensus", *CLINICS, "--method", "genetic", "--directions", "seen")
    assert "they cannot satisfy --directions 'seen'; use the method 'direct', or the candidates 'fused'" in line
    assert "'any', 'seen', 'majority'; got 'all'" in refused("consensus", *CLINICS, "--directions", "all")


def test_names_in_constraints_may_contain_spaces(tmp_path, said):
    path = tmp_path / "spaces.csv"
    path.write_text("from,to\nblood pressure,heart rate\n")
    facts = json.loads(said("consensus", str(path), "--require", "heart rate->blood pressure", "--json"))
    assert facts["edges"] == [["heart rate", "blood pressure"]]


@pytest.mark.parametrize("command", ["consensus", "frontier"])
@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--require", "Age"], "--require must be FROM->TO in quotes, such as --require 'Age->Smoker'; got 'Age'"),
        (["--forbid", "->Age"], "--forbid must be FROM->TO in quotes"),
        (["--forbid", "Age--"], "--forbid must be two different variables in quotes"),
        (["--forbid", "Age--XRay--COPD"], "'Age--Smoker' forbids any arc between the two"),
        (["--forbid", "Age--Age"], "'Age--Smoker' forbids any arc between the two"),
        (["--forbid", "Age--Nobody"], "unknown variable 'Nobody'"),
        (["--require", "Age--XRay"], "--require must be FROM->TO in quotes"),
        (["--require", "Age->XRay->Cough"], "--require must be FROM->TO in quotes"),
        (["--require", "Age->Nobody"], "required arc Age -> Nobody: unknown variable 'Nobody'"),
        (["--require", "Age->Age"], "a variable cannot be its own parent"),
        (["--require", "Age->XRay", "--forbid", "Age->XRay"], "arc Age -> XRay is both required and forbidden"),
        (["--require", "Age->XRay", "--require", "XRay->Age"], "the required arcs contradict each other"),
        (["--max-parents", "-1"], "--max-parents must be a whole number of at least 0"),
        (["--max-parents", "0", "--require", "Age->XRay"], "required parents Age; --max-parents is 0"),
    ],
)
def test_bad_constraints_are_refused_in_one_line(command, options, problem, refused):
    assert problem in refused(command, *CLINICS, *options)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("[[", ":1:3: is not valid JSON"),
        (
            "Age\nSmoker, COPD\n",
            ':1:1: is not valid JSON; must be a list of lists of variables, earliest first, such as [["',
        ),
        ("{}", ": must be a list of lists of variables"),
        ('["Age", "XRay"]', ": must be a list of lists of variables"),
        ("[[1]]", ": must be a list of lists of variables"),
        ('"Age"', ": must be a list of lists of variables"),
        ("\udcff", ": is not valid JSON"),
        ("[" * 100_000, ": is not valid JSON"),
        ('[["Nobody"]]', "tiers: unknown variable 'Nobody'"),
        ('[["Age"], ["Age"]]', "tiers: variable 'Age' is listed twice"),
    ],
)
def test_bad_tiers_are_refused_in_one_line(content, problem, tmp_path, refused):
    path = tmp_path / "tiers.json"
    path.write_bytes(content.encode("utf-8", "surrogateescape"))
    line = refused("consensus", *CLINICS, "--tiers", str(path))
    assert (f"{path}{problem}" if problem.startswith(":") else problem) in line


def test_tiers_that_are_not_there_are_refused(tmp_path, refused):
    assert "no such file or folder" in refused("consensus", *CLINICS, "--tiers", str(tmp_path / "none.json"))


def test_a_required_arc_against_the_tiers_is_refused(tmp_path, refused):
    path = tmp_path / "tiers.json"
    path.write_text('[["Age"], ["XRay"]]')
    line = refused("consensus", *CLINICS, "--tiers", str(path), "--require", "XRay->Age")
    assert "arc XRay -> Age is required, but goes from a later tier to an earlier one" in line


def test_what_prunes_before_fusion_refuses_constraints(refused):
    assert "cannot satisfy constraints" in refused("consensus", *CLINICS, "--method", "genetic", "--max-parents", "2")


def test_a_weight_is_given_once(refused):
    line = refused("consensus", *CLINICS, "--weight", "harbour=2", "--weight", "harbour=2")
    assert "--weight names 'harbour' twice" in line


def test_a_consensus_of_edge_lists_is_over_the_variables_of_all(tmp_path, capsys):
    for name, arcs in (("a", "A,B\nB,C"), ("b", "A,B"), ("c", "A,B\nB,C")):
        (tmp_path / f"{name}.csv").write_text(f"from,to\n{arcs}\n")
    for arguments in ([str(tmp_path)], [f"{tmp_path}/*.csv"]):
        assert run(["consensus", *arguments, "--json"]) == 0
        captured = capsys.readouterr()
        assert json.loads(captured.out)["edges"] == [["A", "B"], ["B", "C"]]
        assert "note: not all edge lists mention the same variables" in captured.err


@pytest.mark.parametrize("content", ["A,B\nyes,no\nno,no\n", "A,B,C\nyes,no,1\nno,no,2\n"])
@pytest.mark.parametrize("command", ["consensus", "inspect", "compare"])
def test_who_gives_data_for_networks_is_told_what_learns_from_them(tmp_path, refused, command, content):
    rows = tmp_path / "rows.csv"
    rows.write_text(content)
    line = refused(command, rows, rows)
    assert "looks like data" in line
    assert f"bnfuse bootstrap {rows} " in line
    assert f"bnfuse learn {rows} " in line


def test_a_misspelled_weight_or_method_brings_the_right_one(refused):
    assert "a weight for 'harbor' (did you mean 'harbour'?)" in refused("consensus", *CLINICS, "--weight", "harbor=2")
    assert "got 'genetics' (did you mean 'genetic'?)" in refused("consensus", *CLINICS, "--method", "genetics")


def test_a_network_that_is_given_twice_is_noted(capsys):
    assert run(["consensus", *map(str, CLINICS), str(CLINICS[0]), "--effort", "quick", "--json"]) == 0
    assert f"note: counted twice: {CLINICS[0]} is given twice; leave one" in capsys.readouterr().err
