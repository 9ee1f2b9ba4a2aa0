"""Inputs that call the same thing by other names: the table of names, its decisions, and what follows from them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from serving import assert_repeated, fresh

import bnfuse
from bnfuse.errors import BnfuseError
from bnfuse.inference.experts.judgements import RowJudgement
from bnfuse.serve import Client
from bnfuse.serve.applying import apply_changes, variables_of
from bnfuse.serve.meeting.items import ConflictError, Maker, differences, items_of, with_items
from bnfuse.serve.naming.decisions import Holdings, followed
from bnfuse.serve.words import WORDS
from bnfuse.serve.workspace.changes import changed
from bnfuse.serve.workspace.comparing import compared
from bnfuse.serve.workspace.state import Input, State
from bnfuse.serve.workspace.store import Answer, StoredFile, opened
from running import CLINICS

NORTH = Input("n", "north", "f", 0)
START = State((NORTH, Input("s", "south", "g", 0)))
HELD = {
    "n": Holdings(("Smokes", "Cough"), {"Smokes": ("yes", "no"), "Cough": ("0", "1")}),
    "s": Holdings(("Smoker", "Cough"), None),
}


def after(*changes, start=START):
    question, words = start, ""
    for change in changes:
        found = changed(question, change, ["Smokes", "Smoker", "Cough"], lambda one: HELD[one.id])
        question, words = found.question, found.words
    return question, words


def naming(name, variable="Smokes", own="n"):
    return {"kind": "name", "id": own, "variable": variable, "name": name}


def states(found, variable="Smokes"):
    return {"kind": "states", "id": "n", "variable": variable, "states": found}


# Decisions


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (naming("Smoker"), "renamed Smokes in north to Smoker"),
        (naming("Smokes"), "kept the name Smokes in north"),
        (naming(None), "left the name of Smokes in north open"),
        (states({"yes": "true", "no": "false"}), "renamed the states of Smokes in north: yes to true, no to false"),
        (states({}), "kept the states of Smokes in north"),
        (states(None), "left the states of Smokes in north open"),
    ],
)
def test_a_decision_on_a_name_is_a_sentence(change, words):
    assert after(change)[1] == words


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (naming("Cough"), "north has both Smokes and Cough: two variables cannot have the same name"),
        (naming("Smoker", "Smoke"), "north: unknown variable 'Smoke'"),
        (naming(" "), "the name of Smokes must become 1 to 200 characters; got ' '"),
        (naming("a\0b"), "the name of Smokes must become 1 to 200 characters; got 'a\\x00b'"),
        (naming(3), "name must be text; got 3"),
        (naming("Smoker", own="x"), "there is no input 'x'"),
        (states({"yes": "no"}), "the states yes and no cannot both be called no: that would merge them"),
        (states({"maybe": "true"}), "Smokes of north: unknown state 'maybe'"),
        (states(["yes"]), "states must map each state to its name"),
        (states({"yes": 1}), "states must map each state to its name"),
        (states({"yes": "\ud800"}), "states is not valid Unicode text"),
        (states({}, "Smoke"), "north: unknown variable 'Smoke'"),
    ],
)
def test_a_decision_that_makes_no_sense_is_refused_in_one_line(change, problem):
    with pytest.raises(BnfuseError) as caught:
        after(change)
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_name_that_is_handed_on_is_refused():
    with pytest.raises(BnfuseError, match="Smokes cannot become Cough, because Cough itself becomes Sneeze"):
        after(naming("Sneeze", "Cough"), naming("Cough"))


def test_states_that_are_not_known_and_tallies_are_not_renamed():
    with pytest.raises(BnfuseError, match="south does not say which states Smoker has"):
        after({"kind": "states", "id": "s", "variable": "Smoker", "states": {"a": "b"}})
    with pytest.raises(BnfuseError, match="north is a tally, which has counted by its own names"):
        changed(START, naming("Smoker"), [], lambda _: replace(HELD["n"], is_tally=True))


def test_decisions_come_back_from_json_and_from_their_items():
    question, _ = after(naming("Smoker"), states({"no": "false"}), naming("Cough", "Cough"))
    assert State.from_json(question.to_json()) == question
    assert with_items(State(), items_of(question)) == question
    assert set(differences(START, question)) == {
        '["variable", "n", "Smokes"]',
        '["states", "n", "Smokes"]',
        '["variable", "n", "Cough"]',
    }
    assert after({"kind": "remove-input", "id": "n"}, start=question)[0].names == ()
    assert with_items(question, {'["input", "n"]': None}).labels == ()


def test_only_names_that_change_something_ask_another_question():
    assert after(naming("Smokes"), states({}))[0].key == START.key
    assert after(naming("Smoker"))[0].key != START.key
    assert after(states({"yes": "true"}))[0].key != START.key
    off, _ = after({"kind": "switch", "id": "n", "on": False})
    assert after(naming("Smoker"), start=off)[0].key == off.key


def test_rules_tiers_and_notes_follow_a_name_that_nobody_has_any_more():
    question = replace(
        START,
        required=(("Smokes", "Cough"),),
        forbidden=(("Smoker", "Smokes"), ("Smokes", "Age"), ("Smoker", "Age")),
        tiers=(("Smokes",), ("Cough",)),
        tier_ranks=(1, 2),
        notes={'["Cough", "Smokes"]': "sure", '["Cough", "Smoker"]': "why"},
    )
    assert followed(question, "Smokes", "Smoker", {"Smokes", "Smoker"}) == question
    found = followed(question, "Smokes", "Smoker", {"Smoker", "Cough", "Age"})
    assert found.required == (("Smoker", "Cough"),)
    assert found.forbidden == (("Smoker", "Age"),)
    assert (found.tiers, found.tier_ranks) == ((("Smoker",), ("Cough",)), (1, 2))
    assert found.notes == {'["Cough", "Smoker"]': "sure; why"}


def test_two_people_who_decide_on_the_same_name_conflict_and_on_others_merge(tmp_path):
    with opened(tmp_path / "w", is_to_create=True) as store:
        for one in START.inputs:
            held = HELD[one.id]
            own = {"name": one.name, **({} if held.states is None else {"states": held.states})}
            facts = {"kind": "networks", "variables": held.variables, "inputs": [own]}
            store.add_file(StoredFile(one.file, f"{one.name}.bif", facts), b"", START, "added")
        ana, ben = Maker("Ana", 3), Maker("Ben", 3)
        rule = {"kind": "arc", "source": "Smokes", "target": "Cough", "say": "require"}
        again = replace(ana, on=4)
        for maker, change in ((ana, rule), (again, naming("Smoker")), (ben, states({"yes": "true"}))):
            with store.made_by(maker):
                apply_changes(store, [change], maker)
        assert variables_of(store, store.now().question) == ["Smoker", "Cough"]
        assert store.now().question.required == (("Smoker", "Cough"),)
        with store.made_by(ben), pytest.raises(ConflictError) as caught:
            apply_changes(store, [naming("Smokes")], ben)
        (told,) = caught.value.conflicts
        assert (told.what, told.yours, told.theirs, told.who) == (
            "the name of Smokes in north",
            "Smokes",
            "Smoker",
            "Ana",
        )
        with store.made_by(Maker("Ana", None, False)):
            store.undo()
        now = store.now().question
        assert (now.names, now.required) == ((), (("Smokes", "Cough"),))
        assert now.labels[0].states == (("yes", "true"), ("no", "no"))


def test_rounds_are_compared_by_their_names_too():
    facts = {
        "distance": 0,
        "bound": 0,
        "gap": 0,
        "metric": "smhd",
        "max_clique_found": 2,
        "effort": "quick",
        "arcs": [],
    }
    answer = Answer("", "quick", facts)
    later, _ = after(naming("Smoker"), states({"yes": "true"}), naming("Cough", "Cough"))
    assert compared((START, answer), (later, answer))["names"] == [
        ["north", "Smokes", "Smokes", "Smoker"],
        ["north", "Smokes: yes", "yes", "true"],
    ]


def test_files_are_read_by_common_names(tmp_path):
    for name, text in {"one.csv": "from,to\nSmoker,Cough\n", "two.csv": "from,to\nsmoker,Fever\n"}.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "names.csv").write_text("variable,name\nsmoker,Smoker\n")
    names = bnfuse.Alignment.load(tmp_path / "names.csv")
    with pytest.warns(bnfuse.BnfuseWarning, match="not all edge lists mention the same variables"):
        found = bnfuse.read(tmp_path / "one.csv", tmp_path / "two.csv", names=names)
    assert {one.variables for one in found} == {("Smoker", "Cough", "Fever")}


# The words of the app

_NEVER_IN_A_WORKER = {
    "overwrite=True": "workers write no file of anybody",
    'unchecked="apply"': "decisions are checked rows",
    'unchecked="skip"': "the same",
}
_ROOMS = (
    "_base",
    "graphs",
    "files",
    "fusion",
    "data",
    "inference",
    "problem",
    "search",
    "alignment",
    "answer",
    "report",
)


def test_workers_have_their_own_words_for_everything_that_python_spells():
    """Options by their plain names are fields of the API too; calls and assignments are Python."""
    source = Path(bnfuse.__file__).parent
    texts = [path.read_text("utf-8") for room in _ROOMS for path in (source / room).rglob("*.py")]
    named = {one[1] for text in texts for one in re.findall(r"""option_name\(f?(["'])(.*?)\1\)""", text)}
    named = {one for one in named if "{" not in one}
    assert {"bnfuse.align(networks)", "variables", 'variables="union"'} <= named
    python = {one for one in named if re.search(r"[=(]|bnfuse\.", one)}
    assert python - {*_NEVER_IN_A_WORKER} <= WORDS.keys()
    assert not [words for words in WORDS.values() if re.search(r"\w=[\"'A-Z]|\w\(|bnfuse\.", words)]


# With a server


@pytest.fixture(name="unlike")
def unlike_fixture(tmp_path):
    """Three clinics: one says Smokes, and true and false where the others say yes and no."""
    paths = []
    for place, file in enumerate(CLINICS[:3]):
        text = Path(file).read_text("utf-8")
        if place == 2:
            text = text.replace("Smoker", "Smokes")
            text = text.replace(
                "variable Cough { type discrete [ 2 ] { yes, no }",
                "variable Cough { type discrete [ 2 ] { true, false }",
            )
            head, tables = text.split("probability", 1)
            parents = r"(probability \( \w+ \| [^)]*Cough)"
            assert not re.search(parents, text), "Cough has no children"
            text = f"{head}probability{tables}"
        path = tmp_path / Path(file).name
        path.write_text(text, "utf-8")
        paths.append(str(path))
    return paths


def test_the_table_of_names_makes_one_network_of_files_that_differ(server, request, unlike, tmp_path):
    path = fresh(server, request, unlike)
    failed = server.answered(path)["failed"]
    assert "lacks variable 'Smoker', which network 'eastgate' has" in failed
    assert not re.search(r"variables=|bnfuse\.|align\(", failed), "the words of the app, not those of Python"
    assert "the table of names proposes common names" in failed
    assert failed.endswith('with "all of any input" or "those that all share"')
    found = server.ask("GET", f"{path}/alignment")
    assert found["sentence"] == (
        "1 name differs: hillcrest has Smokes where others have Smoker; "
        "the states of Cough in hillcrest (true, false) are not those of others."
    )
    name, labels = found["rows"]
    assert (name["variable"], name["name"], name["states"]) == ("Smokes", "Smoker", None)
    assert labels["states"] == [{"state": "true", "becomes": "yes"}, {"state": "false", "becomes": "no"}]
    own = {"id": name["id"], "variable": "Smokes"}
    server.ask("POST", f"{path}/changes", {"kind": "name", **own, "name": "Smoker"})
    chosen = {one["state"]: one["becomes"] for one in labels["states"]}
    told = server.ask("POST", f"{path}/changes", {"kind": "states", **own, "variable": "Cough", "states": chosen})
    assert "Smokes" not in told["variables"]
    now = server.answered(path)
    assert now["failed"] is None
    assert now["answer"]["distance"] == bnfuse.consensus(bnfuse.read(*CLINICS[:3])).distance
    assert now["answer"]["has_tables"]
    again = server.ask("GET", f"{path}/alignment")
    assert (again["sentence"], again["rows"], again["alone"]) == ("", [], [])
    assert [(one["variable"], one["name"]) for one in again["decided"]] == [("Smokes", "Smoker"), ("Cough", None)]
    asked = server.ask("POST", f"{path}/query", {"target": "Cough", "evidence": {"Smoker": "never"}, "of": name["id"]})
    assert set(asked["posterior"]["Cough"]) == {"yes", "no"}, "an input is asked by the common names"
    minutes = server.ask("GET", f"{path}/out/minutes").decode()
    assert "| hillcrest | Smokes | Smoker |" in minutes
    assert "| hillcrest | Cough: true, false | Cough: yes, no |" in minutes.replace("\\", "")
    assert_repeated(server, path, tmp_path)
    for file in unlike:
        (kept,) = [one for one in server.ask("GET", f"{path}/files") if one["name"] == Path(file).name]
        assert kept["size"] == Path(file).stat().st_size, "files stay as they were added"


def test_a_refused_proposal_is_not_made_again_and_variables_can_differ(server, request, unlike):
    path = fresh(server, request, unlike)
    row = server.ask("GET", f"{path}/alignment")["rows"][0]
    keep = {"kind": "name", "id": row["id"], "variable": "Smokes", "name": "Smokes"}
    union = {"kind": "set", "field": "variables", "value": "union"}
    server.ask("POST", f"{path}/changes", [keep, union])
    found = server.ask("GET", f"{path}/alignment")
    assert [one["variable"] for one in found["rows"]] == ["Cough"]
    assert found["decided"][0]["name"] == "Smokes"
    assert {one["variable"]: one["why"] for one in found["alone"]} == {
        "Smoker": "not in hillcrest",
        "Smokes": "only in hillcrest",
    }
    now = server.answered(path)
    assert now["failed"] is None
    assert {"Smokes", "Smoker"} <= set(now["variables"])
    taken = server.ask("POST", f"{path}/changes", keep | {"name": None})
    assert taken["lines"][0]["words"] == "left the name of Smokes in hillcrest open"
    assert len(server.ask("GET", f"{path}/alignment")["rows"]) == 2


def test_lists_of_arcs_share_their_variables_under_the_common_names(server, request, tmp_path):
    files = {"one.csv": "from,to\nSmoker,Cough\nCough,Fever\n", "two.csv": "from,to\nsmoker,Cough\nAge,Cough\n"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    path = fresh(server, request, [str(tmp_path / name) for name in files])
    row = next(one for one in server.ask("GET", f"{path}/alignment")["rows"] if not one["check"])
    assert (row["input"], row["variable"], row["name"]) == ("two", "smoker", "Smoker")
    server.ask("POST", f"{path}/changes", {"kind": "name", "id": row["id"], "variable": "smoker", "name": "Smoker"})
    assert server.answered(path)["failed"] is None
    assert sorted(server.ask("GET", f"{path}/view")["data"]["variables"]) == ["Age", "Cough", "Fever", "Smoker"]
    assert_repeated(server, path, tmp_path)


@pytest.mark.long
def test_a_script_accepts_proposals_and_a_bundle_has_them(server, unlike, tmp_path):
    client = Client(f"http://{server.host}:{server.port}", server.token)
    workspace = client.create("unlike")
    workspace.add(*unlike)
    accepted = workspace.align(unchecked=True)
    assert [one["variable"] for one in accepted] == ["Smokes", "Cough"]
    assert workspace.align() == []
    distance = workspace.answer()["distance"]
    copy = client.open_bundle(workspace.download("bundle", tmp_path / "unlike.bnfuse"))
    assert copy.answer()["distance"] == distance == bnfuse.consensus(bnfuse.read(*CLINICS[:3])).distance
    assert len(copy.alignment()["decided"]) == 2
    copy.undo()
    assert len(copy.alignment()["rows"]) == 2


def test_what_people_say_about_rows_follows_a_variable_to_its_new_name():
    def said(variable, given, by="ada", yes=0.3):
        return RowJudgement(variable, given, {"yes": yes, "no": 1 - yes}, 20, by)

    before = (
        said("Smokes", {}),
        said("Cough", {"Smokes": "yes"}, "bo"),
        said("Smoker", {}, "bo", 0.9),
        said("Smokes", {}, "bo"),
        said("Smokes", {"Smoker": "yes"}),
    )
    question = followed(replace(START, judgements=before), "Smokes", "Smoker", ["Smoker", "Cough"])
    assert set(map(str, question.judgements)) == {
        str(one)
        for one in (
            said("Smoker", {}),
            said("Cough", {"Smoker": "yes"}, "bo"),
            said("Smoker", {}, "bo", 0.9),  # which was there before
            said("Smokes", {"Smoker": "yes"}),  # about both names: no row has it
        )
    }
