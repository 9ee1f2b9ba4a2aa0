"""Networks that people draw in the app: inputs like any other, edited by several people without a lost edit."""

from __future__ import annotations

import json
import random
import zipfile
from dataclasses import replace

import networkx as nx
import pytest
from serving import assert_repeated, fresh, made_again, served

import bnfuse
from bnfuse.errors import OptionError
from bnfuse.serve import Client
from bnfuse.serve.drawing.drawing import Drawing, DrawnVariable, cycle_of, file_of
from bnfuse.serve.drawing.editing import edited, new_drawing, words_of
from bnfuse.serve.drawing.requests import _add, _edit
from bnfuse.serve.meeting.items import ConflictError, Maker, differences, items_of, with_items
from bnfuse.serve.workspace.state import Input, State
from bnfuse.serve.workspace.store import opened
from running import CLINICS

ANA = {"name": "Ana's view", "variables": ["A", "B", {"name": "C", "states": ["low", "high"]}], "arcs": [["A", "B"]]}


def arc(source, target):
    return {"edit": "arc", "source": source, "target": target}


@pytest.fixture(name="store")
def store_fixture(tmp_path):
    with opened(tmp_path / "w", is_to_create=True) as store:
        store.connection.execute("PRAGMA synchronous = OFF")  # no power fails here
        yield store


def drawn(store, who="Ana", **parts):
    with store.made_by(Maker(who)):
        _add(store, "drawn-1", new_drawing(*(({**ANA, **parts})[part] for part in ("name", "variables", "arcs"))))


def edit(store, who, on, *edits):
    with store.made_by(Maker(who, on)):
        _edit(store, "drawn-1", list(edits), on)


def drawing_of(store):
    return store.now().question.drawings["drawn-1"]


# The value


@pytest.mark.parametrize("seed", range(40))
def test_a_cycle_is_found_if_there_is_one(seed):
    chance = random.Random(seed)
    graph = nx.gnp_random_graph(7, chance.choice([0.1, 0.2, 0.3]), seed=seed, directed=True)
    arcs = [(str(a), str(b)) for a, b in graph.edges]
    found = cycle_of(arcs)
    assert bool(found) != nx.is_directed_acyclic_graph(graph)
    assert set(zip(found, [*found[1:], *found[:1]], strict=True)) <= set(arcs)


def test_its_file_is_one_that_bnfuse_reads_however_it_came_about(tmp_path):
    one = new_drawing("x", ["B", {"name": "A", "states": ["yes", "no"]}, "C"], [["A", "B"], ["A", "C"]])
    edits = [
        {"edit": "variable", "variable": "A", "states": ["yes", "no"], "at": [3, 4]},
        {"edit": "variable", "variable": "D"},
        arc("A", "C"),
        arc("D", "A"),
        {"edit": "rename", "variable": "D", "name": "B"},
        arc("A", "B"),
    ]
    other = edited(new_drawing("x", ["C"], []), edits)
    file = file_of("drawn-1", one)
    assert file == file_of("drawn-1", other)
    assert file.id != file_of("drawn-2", one).id
    (tmp_path / file.name).write_bytes(file.content)
    (network,) = bnfuse.read(tmp_path / file.name)
    assert network.name == "x"
    assert set(network.dag.edges) == {("A", "B"), ("A", "C")}


@pytest.mark.parametrize(
    ("edits", "complaint"),
    [
        ([arc("B", "C"), arc("C", "A")], "A → B → C → A is a cycle: remove or reverse one of its arcs"),
        ([arc("A", "A")], "a variable cannot be its own parent: 'A'"),
        ([arc("A", "X")], "the drawing has no variable 'X'"),
        ([{"edit": "rename", "variable": "A", "name": "B"}], "the drawing already has a variable 'B'"),
        ([{"edit": "variable", "variable": " "}], "variable must have 1 to 200 characters"),
        ([{"edit": "variable", "variable": "a\x07"}], "variable has a character that cannot be shown"),
        ([{"edit": "variable", "variable": "\ud800"}], "variable has a character that cannot be shown"),
        ([{"edit": "variable", "variable": "A", "states": ["one"]}], "'A' must have 2 to 50 states"),
        ([{"edit": "variable", "variable": "A", "states": ["x", "x"]}], "'A' has the state 'x' twice"),
        ([{"edit": "variable", "variable": "A", "at": [1e9, 0]}], "at must be a list of two numbers"),
        ([{"edit": "remove", "variable": one} for one in "ABC"], "a drawing needs at least one variable"),
        (
            [{"edit": "variable", "variable": f"V{i}"} for i in range(200)],
            "may have at most 200 variables; this one has 201",
        ),
        ([{"edit": "colour"}], "edit must be one of"),
        ([7], "an edit must be an object; got 7"),
        ([], "edits must be a list of 1 to 2,500 edits"),
        ({}, "edits must be a list"),
    ],
)
def test_what_is_not_a_network_is_refused_in_one_line(edits, complaint):
    with pytest.raises(OptionError) as told:
        edited(new_drawing(*ANA.values()), edits)
    assert complaint in str(told.value)
    assert "\n" not in str(told.value)


def test_edits_are_told_in_words():
    before = new_drawing(*ANA.values())
    edits = [
        {"edit": "rename", "variable": "A", "name": "Age"},
        {"edit": "remove", "variable": "C"},
        arc("B", "Age"),
        {"edit": "variable", "variable": "D", "states": ["x", "y"]},
        arc("B", "D"),
    ]
    assert words_of(before, edited(before, edits), edits) == (
        "renamed A to Age, added D, removed C, reversed to B → Age, drew B → D"
    )
    assert words_of(before, edited(before, [{"edit": "variable", "variable": "A", "at": [7, 8]}])) == ""


def test_a_question_with_drawings_is_its_items():
    chance = random.Random(3)
    for _ in range(30):
        names = [f"V{i}" for i in range(chance.randrange(1, 6))]
        pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :] if chance.random() < 0.5]
        drawing = Drawing("d", {name: DrawnVariable(("x", "y"), 1, 2) for name in names}, tuple(pairs))
        own = Input("drawn-1", "d", file_of("drawn-1", drawing).id, 0)
        question = State((Input("f", "f", "f", 0), own), drawings={"drawn-1": drawing})
        assert State.from_json(json.loads(json.dumps(question.to_json()))) == question
        assert differences(question, with_items(question, {})) == {}
        assert with_items(question, items_of(question)).key == question.key
        assert with_items(question, {'["input", "drawn-1"]': None}).drawings == {}


# Several people


def test_edits_of_different_things_merge_and_those_of_the_same_conflict(store):
    drawn(store)
    on = store.now().revision
    edit(store, "Ana", on, arc("B", "C"))
    edit(store, "Ben", on, {"edit": "variable", "variable": "D"}, arc("D", "A"))
    assert set(drawing_of(store).arcs) == {("A", "B"), ("B", "C"), ("D", "A")}
    with pytest.raises(ConflictError) as told:
        edit(store, "Ben", on, arc("C", "B"))
    (conflict,) = told.value.conflicts
    assert (conflict.who, conflict.theirs, conflict.yours) == ("Ana", {"arc": ["B", "C"]}, {"arc": ["C", "B"]})
    assert conflict.what == "the arc between B and C in Ana's view"
    with pytest.raises(OptionError, match="A → B → C → A is a cycle"):
        edit(store, "Ben", on, arc("C", "A"))
    edit(store, "Ben", on, arc("B", "C"))  # the same is no conflict


def test_a_variable_that_somebody_has_removed_meanwhile_is_a_conflict(store):
    drawn(store)
    on = store.now().revision
    edit(store, "Ana", on, {"edit": "remove", "variable": "C"})
    with pytest.raises(ConflictError):
        edit(store, "Ben", on, arc("B", "C"))
    edit(store, "Ana", None, arc("B", "A"))
    with pytest.raises(ConflictError):
        edit(store, "Ben", on, {"edit": "remove", "variable": "A"})
    without = with_items(store.now().question, {'["input", "drawn-1"]': None})
    with store.made_by(Maker("Ben", on)), pytest.raises(ConflictError):
        store.change(without, "remove-input", "removed")


def test_undo_takes_back_ones_own_edits_and_leaves_those_of_others(store):
    drawn(store)
    edit(store, "Ana", None, arc("B", "C"))
    edit(store, "Ben", None, {"edit": "variable", "variable": "D"}, arc("C", "D"))
    with store.made_by(Maker("Ana", may_lead=False)):
        store.undo()
    assert drawing_of(store).arcs == (("A", "B"), ("C", "D"))
    assert {one.file for one in store.now().question.inputs} == {file_of("drawn-1", drawing_of(store)).id}
    with store.made_by(Maker("Ana", may_lead=False)), pytest.raises(ConflictError):
        store.undo()  # all of the drawing, in which Ben has drawn since
    edit(store, "Ben", None, arc("D", "B"))
    with store.made_by(Maker("Ana", may_lead=False)), pytest.raises(OptionError, match="is a cycle"):
        store.redo()
    assert store.content(store.now().question.inputs[0].file)


def test_rules_follow_a_variable_to_its_new_name(store):
    drawn(store)
    question = store.now().question
    ruled = replace(question, required=(("A", "C"),), notes={'["A", "B"]': "why?"})
    store.change(ruled, "arc", "required")
    edit(store, "Ana", None, {"edit": "rename", "variable": "A", "name": "Age"})
    after = store.now().question
    assert after.required == (("Age", "C"),)
    assert after.notes == {'["Age", "B"]': "why?"}


@pytest.mark.parametrize("seed", range(12))
def test_no_edit_is_lost_in_any_schedule(store, seed):
    """Against a plain model: a pair belongs to who set it last, and nobody sets what changed behind their back."""
    chance = random.Random(seed)
    names = list("ABCDE")
    drawn(store, variables=names, arcs=[])
    held, since = {}, {}
    seen = dict.fromkeys(("Ana", "Ben", "Cai", "Dan"), store.now().revision)
    for _ in range(60):
        who = chance.choice(list(seen))
        if chance.random() < 0.4:
            seen[who] = store.now().revision
        source, target = sorted(chance.sample(names, 2))  # no cycles
        pair, wanted = (source, target), chance.random() < 0.6
        is_stale = since.get(pair, 0) > seen[who] and held.get(pair, False) != wanted
        try:
            edit(store, who, seen[who], {"edit": "arc" if wanted else "no-arc", "source": source, "target": target})
            assert not is_stale
            if held.get(pair, False) != wanted:
                since[pair] = store.now().revision
            held[pair] = wanted
        except ConflictError:
            assert is_stale
        assert set(drawing_of(store).arcs) == {one for one, is_in in held.items() if is_in}


# The server


def test_a_drawing_is_an_input_like_any_other(server, request, tmp_path):
    path = fresh(server, request, [])
    made = server.ask("POST", f"{path}/drawings", ANA, 201)
    server.ask("POST", f"{path}/drawings", {**ANA, "arcs": [["A", "B"], ["B", "C"]]}, 201)
    third = server.ask("POST", f"{path}/drawings", {"name": "other", "variables": ["A", "B", "C"]}, 201)
    assert made["name"] == "Ana's view"
    for change in (
        {"kind": "weight", "id": made["id"], "weight": 2},
        {"kind": "switch", "id": third["id"], "on": False},
    ):
        server.ask("POST", f"{path}/changes", change)
    found = server.answered(path)
    assert [(one["name"], one["on"]) for one in found["question"]["inputs"]] == [
        ("Ana's view", True),
        ("Ana's view (2)", True),
        ("other", False),
    ]
    assert found["answer"]["distance"] == pytest.approx(1 / 3)
    for file in server.ask("GET", f"{path}/files"):
        assert file["in_use"]
    with zipfile.ZipFile(_written(tmp_path / "b.zip", server.ask("GET", f"{path}/bundle"))) as bundle:
        bundle.extractall(tmp_path / "bundle")
    again = made_again(tmp_path / "bundle")
    assert again == bnfuse.Consensus.load(tmp_path / "bundle" / "result.json")
    assert again.network.states["C"] == ("low", "high")
    assert_repeated(server, path, tmp_path / "bundle" / "inputs")
    server.ask("POST", f"{path}/changes", {"kind": "rename", "id": made["id"], "name": "Ana"})
    assert "drew Ana's view" in [one["words"] for one in server.ask("GET", f"{path}/history")]


def _written(file, content):
    file.write_bytes(content)
    return file


def test_a_drawing_is_edited_on_a_revision(server, request):
    path = fresh(server, request, [])
    own = server.ask("POST", f"{path}/drawings", ANA, 201)["id"]
    place, one = f"{path}/drawings/{own}", {"edits": [arc("B", "C")]}
    token = {"Authorization": f"Bearer {server.token}"}
    assert server.request("PATCH", place, one, token)[0] == 428
    on = server.ask("GET", path)["revision"]
    status, told, _ = server.request("PATCH", place, one, {**token, "If-Match": f'"{on}"'})
    assert (status, told["lines"][0]["words"]) == (200, "in Ana's view: drew B → C")
    opposite = {"edits": [arc("C", "B")]}
    status, told, _ = server.request("PATCH", place, opposite, {**token, "If-Match": f'"{on}"'})
    assert (status, told["conflicts"][0]["theirs"]) == (409, {"arc": ["B", "C"]})
    cycle = {"edits": [arc("C", "A")]}
    status, told, _ = server.request("PATCH", place, cycle, {**token, "If-Match": "*"})
    assert (status, told) == (422, {"error": "A → B → C → A is a cycle: remove or reverse one of its arcs"})
    assert server.request("PATCH", f"{path}/drawings/drawn-x", one, {**token, "If-Match": "*"})[0] == 404
    shown = server.ask("GET", place)
    assert shown["arcs"] == [["A", "B"], ["B", "C"]]
    assert shown["variables"][2] == {"name": "C", "states": ["low", "high"], "x": None, "y": None}


def test_a_script_draws(server, request):
    path = fresh(server, request, [])
    client = Client(f"http://{server.host}:{server.port}/#{server.token}")
    workspace = client.workspace(path.rpartition("/")[2])
    own = workspace.draw("Ana", [("Smoker", "Cough")], ["Age"])
    workspace.edit_drawing(own, arc("Age", "Cough"), {"edit": "rename", "variable": "Cough", "name": "Coughing"})
    assert workspace.drawing(own)["arcs"] == [["Smoker", "Coughing"], ["Age", "Coughing"]]
    assert workspace.answer()["distance"] == 0
    assert sorted(workspace.drawing()["arcs"]) == [["Age", "Coughing"], ["Smoker", "Coughing"]]
    with pytest.raises(OptionError, match="is a cycle"):
        workspace.edit_drawing(own, arc("Coughing", "Age"), arc("Age", "Smoker"))


def test_any_input_can_be_what_a_drawing_starts_from(server, request):
    path = fresh(server, request)
    found = server.answered(path)
    first = found["question"]["inputs"][0]
    server.ask("POST", f"{path}/changes", {"kind": "switch", "id": first["id"], "on": False})
    copy = server.ask("GET", f"{path}/drawings/{first['id']}")
    (network,) = [one for one in bnfuse.read(*CLINICS) if one.name == first["name"]]
    assert sorted(map(tuple, copy["arcs"])) == sorted(network.dag.edges)
    assert {one["name"]: tuple(one["states"]) for one in copy["variables"]} == dict(network.states)
    server.answered(path)
    consensus = server.ask("GET", f"{path}/drawings/consensus")
    given = {"name": "mine", "variables": [one["name"] for one in consensus["variables"]], "arcs": consensus["arcs"]}
    made = server.ask("POST", f"{path}/drawings", given, 201)
    assert server.answered(path)["answer"]["distances"]["mine"] <= found["answer"]["distance"]
    assert server.request("GET", f"{path}/drawings/nobody")[0] == 404
    assert made["question"]["drawings"][made["id"]]["called"] == "mine"


def test_a_drawing_goes_elsewhere_in_a_bundle_and_is_deleted_for_good(server, request, tmp_path):
    path = fresh(server, request, [])
    own = server.ask("POST", f"{path}/drawings", ANA, 201)["id"]
    token = {"Authorization": f"Bearer {server.token}", "If-Match": "*"}
    server.request("PATCH", f"{path}/drawings/{own}", {"edits": [arc("B", "C")]}, token)
    server.answered(path)
    bundle = server.ask("GET", f"{path}/bundle")
    with served(tmp_path / "elsewhere") as other:
        name = other.ask("PUT", "/api/bundles", bundle, 201)["name"]
        there = f"/api/workspaces/{name}"
        own_token = {"Authorization": f"Bearer {other.token}", "If-Match": "*"}
        assert other.request("PATCH", f"{there}/drawings/{own}", {"edits": [arc("A", "C")]}, own_token)[0] == 200
        assert other.ask("POST", f"{there}/undo")["question"]["drawings"][own]["arcs"] == [["A", "B"], ["B", "C"]]
        assert len(other.ask("GET", f"{there}/files")) == 1
    (file,) = server.ask("GET", f"{path}/files")
    assert file["name"] == "Ana's view"
    server.ask("DELETE", f"{path}/files/{file['id']}?for=good", status=422)
    server.ask("POST", f"{path}/changes", {"kind": "remove-input", "id": own})
    server.ask("DELETE", f"{path}/files/{file['id']}?for=good", status=204)
    assert server.ask("GET", f"{path}/files") == []
    assert server.request("POST", f"{path}/undo")[0] in (200, 422)
    assert server.ask("GET", path)["question"]["drawings"] == {}


def test_a_bundle_with_a_forged_drawing_is_refused(server, request, tmp_path):
    path = fresh(server, request, [])
    server.ask("POST", f"{path}/drawings", ANA, 201)
    server.answered(path)
    with zipfile.ZipFile(_written(tmp_path / "b.zip", server.ask("GET", f"{path}/bundle"))) as bundle:
        members = {name: bundle.read(name) for name in bundle.namelist()}
    assert b'\\"B\\"]]' in members["bundle.json"]
    members["bundle.json"] = members["bundle.json"].replace(
        b'[[\\"A\\",\\"B\\"]]', b'[[\\"A\\",\\"B\\"],[\\"B\\",\\"A\\"]]'
    )
    with zipfile.ZipFile(tmp_path / "forged.zip", "w") as forged:
        for name, content in members.items():
            forged.writestr(name, content)
    told = server.ask("PUT", "/api/bundles", (tmp_path / "forged.zip").read_bytes(), 422)
    assert "damaged" in told["error"] or "cycle" in told["error"]
