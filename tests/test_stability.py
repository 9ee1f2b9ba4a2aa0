"""Whoever gets networks of resamples knows it: in memory, in files of every kind, and in words."""

import json
import pickle
import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bnfuse
from bnfuse import DAG, Consensus, FileError, Network, Tally, read
from bnfuse.graphs.network import BOOTSTRAP
from bnfuse.report.page.notebook import consensus_html
from bnfuse.report.page.page import page
from bnfuse.report.stability import Stability
from bnfuse.report.summary import Summary
from samples import random_data
from strategies import dag_lists

DATA = random_data(2, 8, 80)


@pytest.fixture(scope="module", name="runs")
def runs_fixture():
    return bnfuse.bootstrap(DATA, 15, score="aic")


@pytest.fixture(scope="module", name="networks")
def networks_fixture(runs):
    return list(runs)


@pytest.fixture(scope="module", name="found")
def found_fixture(runs, networks):
    assert networks
    return bnfuse.consensus(runs.tally, 3, effort="quick")


def as_resamples(dags):
    return [Network(dag, name=f"resample {i}", made_by=BOOTSTRAP) for i, dag in enumerate(dags)]


# Who knows it


def test_networks_of_resamples_and_their_tally_know_it(runs, networks):
    assert {network.made_by for network in networks} == {BOOTSTRAP}
    assert runs.tally.is_of_resamples
    assert bnfuse.learn(DATA).network.made_by == ""


def test_so_do_those_of_another_learner():
    def chain(table):
        return DAG(table.variables, pairwise(table.variables))

    runs = bnfuse.bootstrap(DATA, 3, chain, table="data")
    assert {network.made_by for network in runs} == {BOOTSTRAP}
    assert runs.tally.is_of_resamples


def test_a_consensus_of_them_knows_it_in_whatever_form_they_come(runs, networks, tmp_path):
    bnfuse.write(networks, tmp_path / "all.json.gz")
    bnfuse.write(networks[0], tmp_path / "one.bif")
    runs.tally.save(tmp_path / "all.tally")
    forms = (
        runs.tally,
        [runs.tally, runs.tally],
        Tally.load(tmp_path / "all.tally"),
        networks,
        read(tmp_path / "all.json.gz"),
        read(tmp_path / "one.bif"),
        pickle.loads(pickle.dumps(networks)),
    )
    for form in forms:
        assert bnfuse.consensus(form, 3, method="majority").of_resamples
    weighted = bnfuse.consensus(networks, 3, method="majority", weights=[2.5, *[1] * 14])
    assert weighted.of_resamples
    assert weighted.strengths.networks == 15


def test_with_anything_else_among_them_it_is_no_longer_so(runs, networks, tmp_path):
    other = networks[0].marked("")
    assert not bnfuse.consensus([*networks, other], 3, method="majority").of_resamples
    assert bnfuse.consensus([*networks, other], 3, method="majority", weights=[*[1] * 15, 0]).of_resamples
    mixed = Tally(DATA.variables)
    assert not mixed.is_of_resamples, "nothing yet"
    mixed.merge(runs.tally)
    assert mixed.is_of_resamples
    mixed.add(other, weight=0)
    assert mixed.is_of_resamples
    mixed.add(other)
    assert not mixed.is_of_resamples
    mixed.save(tmp_path / "mixed.tally")
    assert not Tally.load(tmp_path / "mixed.tally").is_of_resamples
    again = Tally(DATA.variables)
    again.merge(mixed)
    again.merge(runs.tally)
    assert not again.is_of_resamples


def test_a_tally_of_before_is_read_as_one_of_anything(runs, tmp_path):
    path = tmp_path / "old.tally"
    runs.tally.save(path)
    content = json.loads(path.read_text())
    assert content.pop("resamples") is True
    path.write_text(json.dumps(content))
    assert Tally.load(path) == runs.tally
    assert not Tally.load(path).is_of_resamples


# Saved results


@pytest.mark.parametrize("form", ["tally", "networks"])
def test_a_saved_result_keeps_it_and_makes_the_same_page(runs, networks, form, tmp_path):
    found = bnfuse.consensus(runs.tally if form == "tally" else networks, 3, effort="quick")
    found.save(tmp_path / "c.json")
    loaded = Consensus.load(tmp_path / "c.json")
    assert loaded.of_resamples
    assert loaded == found
    assert page(Summary(loaded)) == page(Summary(found))


@pytest.mark.parametrize("form", ["tally", "networks"])
def test_a_result_of_before_is_read_and_is_another(runs, networks, form, tmp_path):
    found = bnfuse.consensus(runs.tally if form == "tally" else networks, 3, effort="quick")
    path = tmp_path / "c.json"
    found.save(path)
    content = json.loads(path.read_text())
    del content["resamples"]
    (content["tally"] or {}).pop("resamples", None)
    path.write_text(json.dumps(content))
    loaded = Consensus.load(path)
    assert not loaded.of_resamples
    assert loaded.dag == found.dag
    assert loaded != found
    path.write_text(json.dumps(content | {"resamples": "yes"}))
    with pytest.raises(FileError, match="damaged"):
        Consensus.load(path)


def test_the_report_of_a_saved_run_says_what_the_run_said(tmp_path, said):
    rows, saved = tmp_path / "rows.csv", tmp_path / "c.json"
    DATA.write(rows)
    said("bootstrap", rows, "--resamples", 9, "--save", saved, "--report", tmp_path / "one.html")
    text = said("report", saved, "-o", tmp_path / "other.html")
    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "other.html").read_bytes()
    assert "from 9 resamples" in text
    assert "strong (in more than" in text
    assert "disagrees" not in text


@pytest.mark.parametrize("name", ["boot.tally", "boot.json"])
def test_the_command_consensus_says_the_same_of_what_bootstrap_kept(tmp_path, said, name):
    rows, kept = tmp_path / "rows.csv", tmp_path / name
    DATA.write(rows)
    flag = "--tally" if name.endswith(".tally") else "--ensemble"
    first = said("bootstrap", rows, "--resamples", 9, "-t", 3, flag, kept)
    text = said("consensus", kept, "-t", 3, "--method", "majority")
    start, end = "How stable the arcs of the consensus are:\n", "the threshold estimated from all strengths"
    assert start in text
    assert text[text.index(start) : text.index(end)] == first[first.index(start) : first.index(end)]
    assert "consensus of 9 resamples over 8 variables" in text
    assert not re.search(r"resample \d|\binputs?\b|made by bnfuse", text)


# In words


@settings(max_examples=40)
@given(dag_lists(1, 7), st.integers(2, 4))
def test_weak_and_lacking_arcs_are_those_of_the_counts(dags, limit):
    found = bnfuse.consensus(as_resamples(dags), limit, method="majority")
    stability = Stability(found)
    joins = [{frozenset(arc) for arc in dag.edges} for dag in dags]
    counts = {pair: sum(pair in own for own in joins) for pair in set().union(*joins)}
    mine = {frozenset(arc) for arc in found.dag.edges}
    fewest = stability.fewest
    assert 1 <= fewest <= len(dags)
    strong = {pair for pair, number in counts.items() if number >= fewest}
    assert {frozenset((one.source, one.target)) for one in stability.weak} == mine - strong
    assert {frozenset((one.source, one.target)) for one in stability.lacking} == strong - mine
    assert len(stability.lacking) == len(strong - mine), "each pair once"
    assert {(one.source, one.target) for one in stability.arcs} == set(found.dag.edges)
    assert [one.strength for one in stability.arcs] == sorted((one.strength for one in stability.arcs), reverse=True)


def test_the_sentence_names_what_is_weak_and_what_is_lacking():
    joined, bare = DAG([*"ABC"], [("A", "B"), ("B", "C")]), DAG([*"ABC"], [("A", "B")])
    cases = [
        ([joined] * 4, {}, "all 2 arcs are strong (in more than 0 % of the resamples, the estimated threshold)"),
        ([bare] * 4, {}, "its only arc is strong (in more than 0 % of the resamples, the estimated threshold)"),
        (
            [bare] * 4,
            {"forbidden": [("A", "B"), ("B", "A")]},
            "the consensus has no arcs; strong, but not in the consensus: A -> B (100 %)",
        ),
        (
            [bare] * 7 + [joined],
            {"required": [("B", "C")]},
            "1 of 2 arcs are strong (in more than 12.5 % of the resamples, the estimated threshold); "
            "not strong: B -> C (12.5 %)",
        ),
        (
            [bare] * 4,
            {"required": [("C", "B")], "max_clique": 3},
            "1 of 2 arcs are strong (in more than 0 % of the resamples, the estimated threshold); "
            "not strong: C -> B (0 %)",
        ),
    ]
    for dags, options, sentence in cases:
        found = bnfuse.consensus(as_resamples(dags), **options)
        assert Summary(found).who == sentence


def test_lines_and_pictures_speak_of_resamples(found):
    lines = Summary(found).lines
    assert f"over 8 variables from 15 resamples; largest clique {found.clique_size}" in lines[0]
    assert "to the resamples" in lines[1]
    assert not re.search(r"\binputs?\b|disagree|apart", " ".join(lines))
    html = consensus_html(found)
    support = {arc.arc: arc for arc in found.support()}
    source, target = found.dag.edges[0]
    joined = support[source, target].share + support[source, target].reversed_share
    assert f"{source} \u2192 {target}: in {round(1000 * joined) / 10:g} % of the resamples, " in html
    assert "weight" not in html


def test_weights_of_resamples_name_none_of_them(networks):
    found = bnfuse.consensus(networks, 3, method="majority", weights=[5, *[1] * 14])
    assert Summary(found).weighting == "weights were given: the resamples count for 5 % to 26 % of the total each"
    assert not re.search(r"resample \d", page(Summary(found)))


def test_resamples_of_tables_that_share_some_variables_are_shares_of_those_with_both():
    tallies = []
    for names in ("ABC", "BCD"):
        tally = Tally([*names])
        for dag in (DAG([*names]), *[DAG([*names], [(names[0], names[1])])] * 3):
            tally.add(Network(dag, made_by=BOOTSTRAP))
        tallies.append(tally)
    found = bnfuse.consensus(tallies, variables="union")
    assert found.of_resamples
    strengths = {(one.source, one.target): one.strength for one in found.strengths.arcs if one.direction == 1}
    assert strengths == {("A", "B"): 3 / 4, ("B", "C"): 3 / 8}
    assert found.dag.edges == (("A", "B"),)
    assert (
        Summary(found).coverage
        == "of 6 pairs of variables, 1 is in no resample together: no resample has a vote on them"
    )
