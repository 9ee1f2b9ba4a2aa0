"""The commands query, explain, informative, sensitivity and effects, and compare --causal."""

import json

import numpy as np
import pytest

import bnfuse
from bnfuse import DAG, Network
from running import CLINICS

HARBOUR = next(path for path in CLINICS if "harbour" in path)


@pytest.fixture
def harbour():
    return bnfuse.read(HARBOUR)[0]


@pytest.fixture
def odd(tmp_path):
    """States whose names hold commas, colons, backslashes and equals signs."""
    states = {"Time": ("12:30", "12:45", "late"), "Kind": ("a,b", "a", "b:1", "c\\"), "X": ("u", "v")}
    dag = DAG(["Time", "Kind", "X"], [("Time", "X"), ("Kind", "X")])
    random = np.random.default_rng(1)
    tables = {"Time": [0.2, 0.3, 0.5], "Kind": [0.1, 0.2, 0.3, 0.4], "X": random.dirichlet([1, 1], (3, 4))}
    network = Network(dag, states, tables)
    path = tmp_path / "odd.xmlbif"
    network.write(path)
    return str(path), network


@pytest.mark.parametrize(
    ("typed", "given"),
    [
        ("Time=12:30", {"Time": "12:30"}),
        ("Time=12:30,12:45", {"Time": ["12:30", "12:45"]}),
        (r"Time=12\:30:0.5,late:0.25", {"Time": {"12:30": 0.5, "late": 0.25}}),
        ("Time=12:30:0.5,late:1", {"Time": {"12:30": 0.5, "late": 1}}),
        ("Kind=a,b", {"Kind": "a,b"}),
        (r"Kind=a\,b,a", {"Kind": ["a,b", "a"]}),
        (r"Kind=a\,b:2,a:1", {"Kind": {"a,b": 2, "a": 1}}),
        ("Kind=a:1,a", None),
        (r"Kind=b\:1:3,a:1", {"Kind": {"b:1": 3, "a": 1}}),
        ("Kind=c\\", {"Kind": "c\\"}),
        (r"Kind=c\\,a", {"Kind": ["c\\", "a"]}),
        ("Kind=b:1,a", {"Kind": ["b:1", "a"]}),
    ],
)
def test_states_with_commas_and_colons_can_be_typed(said, refused, odd, typed, given):
    path, network = odd
    if given is None:
        assert "has numbers for some states only: a has none" in refused("query", path, "--given", typed, "X")
        return
    facts = json.loads(said("query", path, "--given", typed, "X", "--json"))
    assert facts["given"] == given
    assert facts["marginals"]["X"] == pytest.approx(network.query("X", given).to_dict())


def test_query_takes_findings_of_every_kind_beliefs_and_interventions(said, harbour):
    arguments = [
        *("--given", "Smoker=current,former", "--given", "Cough=yes:0.9,no:0.3"),
        *("--belief", "Age=under_40:0.5,over_65:0.5", "--do", "COPD=yes", "LungCancer"),
    ]
    expected = harbour.query(
        "LungCancer",
        {"Smoker": ["current", "former"], "Cough": {"yes": 0.9, "no": 0.3}},
        beliefs={"Age": {"under_40": 0.5, "over_65": 0.5}},
        do={"COPD": "yes"},
    )
    facts = json.loads(said("query", HARBOUR, *arguments, "--json"))
    assert facts["marginals"]["LungCancer"] == pytest.approx(expected.to_dict())
    assert facts["do"] == {"COPD": "yes"}
    assert facts["beliefs"] == {"Age": {"under_40": 0.5, "over_65": 0.5}}
    joint = json.loads(said("query", HARBOUR, *arguments, "--joint", "--json"))
    assert [one["probability"] for one in joint["joint"]] == pytest.approx(list(expected))
    first = said("query", HARBOUR, *arguments).splitlines()[0]
    assert first == (
        "given Smoker = current or former, Cough = yes:0.9, no:0.3; believing Age ~ under_40:0.5, over_65:0.5; "
        "setting COPD = yes:"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--given", "Smoker=current,"], r"--given Smoker=current, has a comma too many"),
        (["--given", "Smoker=current:x"], "'x' is not a number; a colon in a state's name is typed as \\:"),
        (["--given", "Smoker=current:-1"], "the likelihood of Smoker = current must be a finite number, at least 0"),
        (["--given", "Smoker=current:nan"], "the likelihood of Smoker = current must be a finite number"),
        (["--given", "Smoker=current:1,current:2"], "names the state current twice"),
        (["--given", "Smoker=current,seldom"], "'Smoker' has no state 'seldom'"),
        (["--given", "Smoker=current", "--given", "Smoker=never"], "--given says both Smoker=current and Smoker=never"),
        (["--belief", "Smoker=current"], "--belief must be NAME=STATE:NUMBER,STATE:NUMBER"),
        (["--belief", "Smoker=current:0.7,former:0.2"], "the belief about 'Smoker' sums to 0.9, and must sum to 1"),
        (["--do", "Smoker"], "--do must be NAME=STATE, such as Smoker=yes"),
        (["--do", "Smoker=never", "--do", "Smoker=current"], "--do says both Smoker=never and Smoker=current"),
        (["--do", "Smoker=never", "--given", "Smoker=current"], "'Smoker' is set to 'never' and given as current"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(refused, arguments, message):
    for command in ("query", "explain"):
        assert message in refused(command, HARBOUR, *arguments, "LungCancer")


def test_explain_prints_the_most_probable_states_and_how_the_next_differ(said, harbour):
    lines = said("explain", HARBOUR, "--given", "Cough=yes", "--count", "3").splitlines()
    best, *others = harbour.most_probable({"Cough": "yes"}, k=3)
    assert lines[0] == "given Cough = yes:"
    assert f"{best.probability:.4f}" in lines[1]
    assert [line.split() for line in lines[3 : 3 + len(best.states)]] == [[*one] for one in best.states.items()]
    assert len(lines[-2:]) == len(others)
    for line, one in zip(lines[-2:], others, strict=True):
        name, label = next((n, s) for n, s in one.states.items() if best.states[n] != s)
        assert f"{name} = {label}" in line
    facts = json.loads(said("explain", HARBOUR, "--given", "Cough=yes", "COPD", "LungCancer", "--json"))
    (expected,) = harbour.most_probable({"Cough": "yes"}, of=["COPD", "LungCancer"])
    assert facts["explanations"][0]["states"] == expected.states
    assert facts["explanations"][0]["probability"] == pytest.approx(expected.probability)


def test_explain_refuses_a_count_beyond_100(refused):
    assert "must be at most 100; got 101" in refused("explain", HARBOUR, "--count", "101")


def test_informative_ranks_findings(said, refused, harbour):
    lines = said("informative", HARBOUR, "LungCancer", "--given", "Cough=yes").splitlines()
    expected = harbour.informative("LungCancer", {"Cough": "yes"})
    assert [line.split()[0] for line in lines[3:]] == [one.variable for one in expected]
    facts = json.loads(said("informative", HARBOUR, "LungCancer", "--json"))
    assert facts["target"] == "LungCancer"
    assert [one["variable"] for one in facts["informative"]] == [
        one.variable for one in harbour.informative("LungCancer")
    ]
    assert "is known to be 'yes'" in refused("informative", HARBOUR, "Cough", "--given", "Cough=yes")


def test_sensitivity_prints_entries_and_draws_a_tornado(said, refused, harbour, tmp_path):
    picture = tmp_path / "tornado.svg"
    text = said("sensitivity", HARBOUR, "LungCancer=yes", "--given", "Cough=yes", "-o", str(picture))
    expected = harbour.sensitivity("LungCancer", "yes", {"Cough": "yes"})
    assert f"P(LungCancer = yes) = {expected.probability:.4f}" in text
    assert picture.read_text().count("<title>") == 2 * len(expected.influences)
    facts = json.loads(said("sensitivity", HARBOUR, "LungCancer=yes", "--count", "3", "--json"))
    assert len(facts["influences"]) == 3
    assert facts["influences"][0]["variable"] == harbour.sensitivity("LungCancer", "yes").influences[0].variable
    assert "must be NAME=STATE" in refused("sensitivity", HARBOUR, "LungCancer")
    assert "ends in .svg" in refused("sensitivity", HARBOUR, "LungCancer=yes", "-o", str(tmp_path / "t.png"))


@pytest.fixture
def consensus(said, tmp_path):
    path = str(tmp_path / "consensus.bif")
    said("consensus", *CLINICS, "-o", path)
    return path


def test_effects_lists_those_on_which_inputs_disagree(said, refused, consensus):
    expected = bnfuse.effects(bnfuse.read(consensus)[0], bnfuse.read(*CLINICS))
    text = said("effects", consensus, *CLINICS)
    opposite = sum(one.verdict == "opposite" for one in expected.rows)
    assert text.startswith(f"{len(expected.rows)} effects: the inputs agree on the sign of ")
    assert text.count("opposite signs") - 1 == opposite
    facts = json.loads(said("effects", consensus, *CLINICS, "--of", "Smoker", "--json"))
    assert {one["cause"] for one in facts["effects"]} == {"Smoker"}
    assert set(facts["effects"][0]["inputs"]) == {network.name for network in bnfuse.read(*CLINICS)}
    assert "go with --query" in refused("effects", consensus, *CLINICS, "--given", "Cough=yes")
    assert "--of and --on are for the list" in refused("effects", consensus, *CLINICS, "--query", "COPD", "--of", "Age")


def test_effects_shows_the_answers_of_the_whole_panel(said, consensus):
    asked = ("--query", "LungCancer", "--do", "Smoker=never", "--given", "Cough=yes")
    found = bnfuse.answers(
        bnfuse.read(consensus)[0], bnfuse.read(*CLINICS), "LungCancer", {"Cough": "yes"}, do={"Smoker": "never"}
    )
    facts = json.loads(said("effects", consensus, *CLINICS, *asked, "--json"))
    assert facts["consensus"] == pytest.approx(found.consensus.to_dict())
    assert facts["range"]["yes"] == pytest.approx(list(found.range["yes"]))
    lines = said("effects", consensus, *CLINICS, *asked).splitlines()
    assert lines[0] == "given Cough = yes; setting Smoker = never:"
    assert [line.split()[0] for line in lines[2:]] == ["consensus", *found.inputs, "lowest", "highest"]


def test_compare_counts_wrong_effects_on_request(said, refused, tmp_path):
    one, other = (bnfuse.read(path)[0] for path in CLINICS[:2])
    expected = bnfuse.causal_distances(other, one)
    facts = json.loads(said("compare", *CLINICS[:2], "--causal", "--json"))["pairs"][0]["causal"]
    assert facts["sid"] == expected.sid
    assert facts["oset_aid"] == expected.oset_aid
    assert "causal" not in json.loads(said("compare", *CLINICS[:2], "--json"))["pairs"][0]
    line = said("compare", *CLINICS[:2], "--causal", "--no-arcs").splitlines()[-1].split()
    assert line[2:] == [
        str(n) for n in (expected.sid, expected.parent_aid, expected.ancestor_aid, expected.oset_aid, 110)
    ]
    votes = tmp_path / "votes.csv"
    votes.write_text("from,to,probability\n" + "\n".join(f"{a},{b},0.5" for a, b in one.dag.edges) + "\n")
    assert "--causal compares networks" in refused(
        "compare", CLINICS[0], str(votes), "--variables", "shared", "--causal"
    )


def test_a_target_that_is_known_or_has_one_state_gets_the_obvious_answer_or_one_line(said, refused, tmp_path):
    network = Network(
        DAG(["Site", "Cough"], [("Site", "Cough")]),
        {"Site": ("here",), "Cough": ("yes", "no")},
        {"Site": [1.0], "Cough": [[0.3, 0.7]]},
    )
    path = str(tmp_path / "one.bif")
    network.write(path)
    known = ("--given", "Cough=yes")
    for typed, expected in (
        (("Cough", *known), {"Cough": {"yes": 1.0, "no": 0.0}}),
        (("Cough", "--do", "Cough=no"), {"Cough": {"yes": 0.0, "no": 1.0}}),
        (("Site", *known), {"Site": {"here": 1.0}}),
        (("Cough", "--given", "Site=here"), {"Cough": {"yes": 0.3, "no": 0.7}}),
    ):
        facts = json.loads(said("query", path, *typed, "--json"))
        assert facts["marginals"] == {name: pytest.approx(own) for name, own in expected.items()}
    (best,) = json.loads(said("explain", path, "Cough", "Site", *known, "--json"))["explanations"]
    assert best["states"] == {"Cough": "yes", "Site": "here"}
    for typed, line in (
        (("informative", path, "Cough", *known), "'Cough' is known to be 'yes': there is nothing left to find out"),
        (("informative", path, "Site"), "'Site' has one state only: there is nothing to find out about it"),
        (("sensitivity", path, "Cough=yes", *known), "'Cough' is known: its probability does not depend on any table"),
        (("sensitivity", path, "Site=here"), "'Site' has one state only: its probability is 1 whatever the tables say"),
    ):
        assert line in refused(*typed)
    assert json.loads(said("effects", path, path, path, "--json"))["effects"] == []
