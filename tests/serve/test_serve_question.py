"""The question of a workspace: a value, whose changes are checked, and whose keys tell what needs a new answer."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bnfuse import BnfuseError
from bnfuse.search.direct import EFFORTS
from bnfuse.serve.workspace.changes import SAYS, changed
from bnfuse.serve.workspace.state import PROOF, Input, State, note_key

VARIABLES = ["A", "B", "<b>C</b>", "D\u00e9"]
INPUTS = (Input("1", "north", "f", 0), Input("2", "south", "f", 1), Input("3", "east", "g", 0))
START = State(INPUTS)

names = st.sampled_from(VARIABLES)
CHANGES = st.one_of(
    st.builds(lambda own, on: {"kind": "switch", "id": own, "on": on}, st.sampled_from("123"), st.booleans()),
    st.builds(
        lambda own, weight: {"kind": "weight", "id": own, "weight": weight},
        st.sampled_from("123"),
        st.decimals(0, 999, places=3).map(str),
    ),
    st.builds(
        lambda a, b, say: {"kind": "arc", "source": a, "target": b, "say": say},
        names,
        names,
        st.sampled_from(SAYS),
    ),
    st.builds(lambda a, b, text: {"kind": "note", "arc": [a, b], "text": text}, names, names, st.text(max_size=9)),
    st.builds(lambda value: {"kind": "set", "field": "max_clique", "value": value}, st.integers(2, 9)),
    st.builds(lambda value: {"kind": "set", "field": "effort", "value": value}, st.sampled_from(tuple(EFFORTS))),
    st.builds(
        lambda name, tier: {"kind": "tier", "variable": name, "tier": tier},
        names,
        st.one_of(st.none(), st.integers(1, 3)),
    ),
    st.builds(lambda own: {"kind": "remove-input", "id": own}, st.sampled_from("123")),
)


def after(changes):
    question = START
    for change in changes:
        with suppress(BnfuseError):
            question = changed(question, change, VARIABLES).question
    return question


@settings(max_examples=40)
@given(st.lists(CHANGES, max_size=12))
def test_a_question_comes_back_from_json(changes):
    question = after(changes)
    assert State.from_json(json.loads(json.dumps(question.to_json()))) == question


@settings(max_examples=40)
@given(st.lists(CHANGES, max_size=12))
def test_an_arc_is_never_both_required_and_forbidden(changes):
    question = after(changes)
    assert not set(question.required) & set(question.forbidden)
    assert not set(question.required) & {arc[::-1] for arc in question.required}


def arcs_after(*said):
    changes = [{"kind": "arc", "source": a, "target": b, "say": say} for say, a, b in said]
    question = after(changes)
    return set(question.required), set(question.forbidden)


def test_to_forbid_an_arc_forbids_the_pair_and_to_forbid_a_direction_that_alone():
    assert arcs_after(("forbid", "A", "B")) == (set(), {("A", "B"), ("B", "A")})
    assert arcs_after(("forbid-direction", "A", "B")) == (set(), {("A", "B")})
    assert arcs_after(("forbid", "B", "A"), ("free", "A", "B")) == (set(), set())
    assert arcs_after(("require", "B", "A"), ("forbid", "A", "B")) == (set(), {("A", "B"), ("B", "A")})
    assert arcs_after(("forbid", "A", "B"), ("require", "A", "B")) == ({("A", "B")}, set())
    both = ("require", "B", "A"), ("forbid-direction", "A", "B")
    assert arcs_after(*both) == ({("B", "A")}, {("A", "B")})
    assert arcs_after(*both, ("free", "A", "B")) == ({("B", "A")}, set())
    words = [changed(START, {"kind": "arc", "source": "A", "target": "B", "say": say}, VARIABLES).words for say in SAYS]
    assert words == ["required A \u2192 B", "forbade A \u2194 B", "forbade A \u2192 B", "freed A \u2192 B"]


def test_the_rule_on_directions_follows_the_method_unless_somebody_chose_one():
    def rules(question, *settings):
        found = []
        for field, value in settings:
            question = changed(question, {"kind": "set", "field": field, "value": value}, VARIABLES).question
            found.append(question.directions)
        return found

    assert START.directions == "majority"
    steps = ("method", "genetic"), ("method", "direct"), ("metric", "fsim"), ("metric", "shd"), ("method", "majority")
    assert rules(START, *steps) == ["any", "majority", "any", "majority", "majority"]
    assert rules(START, ("directions", "seen"), *steps) == ["seen"] * 6
    words = changed(START, {"kind": "set", "field": "method", "value": "greedy"}, VARIABLES).words
    assert words == "set method to greedy, and with it directions to any"
    before = State.from_json(START.to_json() | {"directions": "any"})  # as workspaces were kept before there was a rule
    assert before.directions == "any"


@settings(max_examples=40)
@given(st.lists(CHANGES, max_size=8))
def test_only_what_changes_the_answer_changes_the_key(changes):
    question = after(changes)
    noted = replace(question, notes={note_key(("A", "B")): "x"}, effort="thorough")
    assert noted.key == question.key
    assert replace(question, max_clique=17).key != question.key
    for one in question.counted:
        off = tuple(replace(own, on=False) if own == one else own for own in question.inputs)
        assert replace(question, inputs=off).key != question.key
        assert replace(question, inputs=off).places_key == question.places_key


def test_an_input_that_does_not_count_is_as_if_it_were_not_there():
    without = replace(START, inputs=INPUTS[:2])
    off = changed(START, {"kind": "switch", "id": "3", "on": False}, VARIABLES).question
    assert off.key == without.key
    assert off.files == ("f",)
    half = changed(START, {"kind": "switch", "id": "2", "on": False}, VARIABLES).question
    assert [one.name for one in half.read] == ["north", "south", "east"], "its file is read for the others"


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (7, "a change must be an object with a kind; got 7"),
        ({}, "kind must be text; got None"),
        ({"kind": "dance"}, "kind must be one of"),
        ({"kind": "switch", "id": "9", "on": True}, "there is no input '9'"),
        ({"kind": "switch", "id": "1", "on": 1}, "on must be true or false; got 1"),
        ({"kind": "weight", "id": "1", "weight": "-1"}, "a weight is a number from 0 to 999999"),
        ({"kind": "weight", "id": "1", "weight": "1e9"}, "a weight is a number from 0 to 999999"),
        ({"kind": "weight", "id": "1", "weight": float("nan")}, "a weight is a number"),
        ({"kind": "rename", "id": "1", "name": "south"}, "another input is called 'south'"),
        ({"kind": "rename", "id": "1", "name": " "}, "name must have 1 to 200 characters"),
        ({"kind": "rename", "id": "1", "name": "\ud800"}, "name is not valid Unicode text"),
        ({"kind": "set", "field": "inputs", "value": []}, "field must be one of"),
        ({"kind": "set", "field": "max_clique"}, "the change of max_clique has no value"),
        ({"kind": "set", "field": "max_clique", "value": 1}, "max_clique must be a whole number of at least 2; got 1"),
        ({"kind": "set", "field": "max_clique", "value": True}, "max_clique must be a whole number"),
        ({"kind": "set", "field": "max_table", "value": "much"}, "max_table must be a whole number"),
        ({"kind": "set", "field": "metric", "value": "miles"}, "metric must be one of"),
        ({"kind": "set", "field": "metric", "value": ["smhd"]}, "metric must be one of"),
        ({"kind": "arc", "source": "A", "target": "A", "say": "forbid"}, "a variable cannot be its own parent: 'A'"),
        ({"kind": "arc", "source": "A", "target": "Z", "say": "forbid"}, "unknown variable 'Z'"),
        ({"kind": "arc", "source": "A", "target": "B", "say": "hum"}, "say must be one of"),
        ({"kind": "tier", "variable": "A", "tier": "first"}, "tier must be a number, the smaller the earlier, or null"),
        ({"kind": "tier", "variable": "A", "tier": float("nan")}, "tier must be a number"),
        ({"kind": "tier", "variable": "A", "tier": True}, "tier must be a number"),
        ({"kind": "tier", "variable": "Z", "tier": 1}, "unknown variable 'Z'"),
        ({"kind": "note", "arc": ["A"], "text": ""}, "arc must be a list of two variables"),
        ({"kind": "note", "arc": ["A", "B"], "text": "x" * 10_001}, "a note may have at most 10,000 characters"),
        ({"kind": "remove-data"}, "there are no data to remove"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(change, problem):
    with pytest.raises(BnfuseError) as refused:
        changed(START, change, VARIABLES)
    assert str(refused.value).startswith(problem)
    assert len(str(refused.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"kind": "switch", "id": "1", "on": False}, "switched north off"),
        ({"kind": "weight", "id": "2", "weight": "2.50"}, "gave south the weight 2.5"),
        ({"kind": "weight", "id": "2", "weight": 2}, "gave south the weight 2"),
        ({"kind": "weight", "id": "2", "weight": 1e-05}, "gave south the weight 0.00001"),
        ({"kind": "weight", "id": "2", "weight": "0.000010"}, "gave south the weight 0.00001"),
        ({"kind": "weight", "id": "2", "weight": "100.0"}, "gave south the weight 100"),
        ({"kind": "arc", "source": "A", "target": "B", "say": "require"}, "required A \u2192 B"),
        ({"kind": "set", "field": "max_clique", "value": None}, "set max clique to none"),
        ({"kind": "tier", "variable": "A", "tier": 7}, "put A into tier 1 of 1"),
        ({"kind": "note", "arc": ["B", "A"], "text": " why "}, "noted on B and A: why"),
        ({"kind": "remove-input", "id": "3"}, "removed east"),
        ({"kind": "rename", "id": "3", "name": "west"}, "called east west"),
    ],
)
def test_a_change_is_said_in_a_sentence(change, words):
    assert changed(START, change, VARIABLES).words == words


def test_a_required_arc_takes_the_place_of_its_reversal():
    one = changed(START, {"kind": "arc", "source": "A", "target": "B", "say": "require"}, VARIABLES).question
    other = changed(one, {"kind": "arc", "source": "B", "target": "A", "say": "require"}, VARIABLES).question
    assert other.required == (("B", "A"),)


def test_stages_go_as_far_as_the_effort():
    assert replace(START, effort="quick").stages == ("quick",)
    assert replace(START, effort="thorough").stages == ("quick", "normal", "thorough")
    assert replace(START, method="majority", effort="thorough").stages == ("normal",)
    assert START.stages_to(PROOF) == ("quick", "normal", "proof"), "a proof does not wait for a thorough search"
