"""Several people change one workspace: no update is lost, and whoever is refused is told what the other did."""

from __future__ import annotations

import random
import threading
from dataclasses import replace

import pytest

from bnfuse.errors import BnfuseError
from bnfuse.serve.applying import apply_changes
from bnfuse.serve.meeting.items import ConflictError, Maker, differences, items_of, with_items
from bnfuse.serve.workspace.state import DataFile, Input, State
from bnfuse.serve.workspace.store import StoredFile, opened
from running import CLINICS

VARIABLES = ["A", "B", "C", "D"]
LABELS = ["yes", "no"]
PEOPLE = ["Ana", "Ben", "Caro", "Dan"]
START = State(tuple(Input(str(i), f"input {i}", "f", i) for i in range(3)))


def filled(folder):
    """A workspace with three inputs."""
    store = opened(folder, is_to_create=True)
    own = store.__enter__()
    own.connection.execute("PRAGMA synchronous = OFF")  # no power fails here
    own.connection.execute("PRAGMA journal_mode = MEMORY")
    inputs = [{"states": dict.fromkeys(VARIABLES, LABELS)} for _ in START.inputs]
    own.add_file(StoredFile("f", "f.bif", {"variables": VARIABLES, "inputs": inputs}), b"", START, "added")
    return store, own


def random_naming(chance, kind, own, name):
    """The same for the names of a variable and of its states."""
    if kind == "name":
        own = str(int(own) % 2)  # the third input keeps the names that tiers and notes have
        called = chance.choice([name, f"{name}1", f"{name}2", None])
        return {"kind": kind, "id": own, "variable": name, "name": called}, ("variable", own, name), called
    labels = chance.choice([["true", "false"], ["1", "0"], LABELS, None])
    states = None if labels is None else dict(zip(LABELS, labels, strict=True))
    wanted = None if states is None else [list(pair) for pair in states.items()]
    return {"kind": kind, "id": own, "variable": name, "states": states}, ("states", own, name), wanted


def random_change(chance):  # noqa: PLR0911 - one for each kind
    """A change, the item that it sets, and the value that the item has then."""
    kind = chance.choice(["switch", "weight", "tier", "note", "limit", "metric", "name", "states"])
    own, name = str(chance.randrange(3)), chance.choice(VARIABLES)
    if kind in ("name", "states"):
        return random_naming(chance, kind, own, name)
    pair = sorted(chance.sample(VARIABLES, 2))
    if kind == "switch":
        on = chance.random() < 0.5
        return {"kind": kind, "id": own, "on": on}, ("on", own), on
    if kind == "weight":
        weight = str(chance.randrange(1, 4))
        return {"kind": kind, "id": own, "weight": weight}, ("weight", own), weight
    if kind == "tier":
        rank = chance.choice([1, 2, 3, None])
        return {"kind": kind, "variable": name, "tier": rank}, ("tier", name), rank
    if kind == "note":
        text = chance.choice(["", "yes", "no", "why?"])
        return {"kind": kind, "arc": pair, "text": text}, ("note", *pair), text or None
    if kind == "limit":
        value = chance.randrange(2, 5)
        return {"kind": "set", "field": "max_clique", "value": value}, ("limit",), value
    value = chance.choice(["smhd", "shd"])
    return {"kind": "set", "field": "metric", "value": value}, ("metric",), value


def value_of(question, item):
    """The plain reading of an item, which shares nothing with the package's own."""
    kind, *rest = item
    if kind in ("on", "weight"):
        return next(getattr(one, kind) for one in question.inputs if one.id == rest[0])
    if kind == "tier":
        ranks = zip(question.tiers, question.tier_ranks, strict=True)
        return next((rank for tier, rank in ranks if rest[0] in tier), None)
    if kind == "note":
        return question.notes.get(f'["{rest[0]}", "{rest[1]}"]')
    if kind == "variable":
        return next((one.name for one in question.names if [one.id, one.variable] == rest), None)
    if kind == "states":
        found = next((one.states for one in question.labels if [one.id, one.variable] == rest), None)
        return None if found is None else [list(pair) for pair in found]
    return question.max_clique if kind == "limit" else question.metric


def run_schedule(folder, seed):
    """Four clients that read, think and write in any order, against a table of (value, revision) for each item."""
    chance = random.Random(seed)
    manager, store = filled(folder)
    model, accepted, refused = {}, [], 0
    seen = dict.fromkeys(PEOPLE, store.now().revision)
    for _ in range(60):
        who = chance.choice(PEOPLE)
        if chance.random() < 0.3:
            seen[who] = store.now().revision
            continue
        change, item, wanted = random_change(chance)
        before = store.now()
        value, changed_on = model.get(item, (value_of(START, item), 0))
        is_conflict = changed_on > seen[who] and value != wanted
        maker = Maker(who, seen[who], may_lead=False)
        try:
            with store.made_by(maker):
                apply_changes(store, [change], maker)
            assert not is_conflict, (seed, change)
        except ConflictError as error:
            refused += 1
            assert is_conflict, (seed, change)
            (told,) = error.conflicts
            assert (told.revision, told.who) == (changed_on, accepted_by(accepted, changed_on))
            assert store.now() == before, "nothing of a refused change is kept"
            shown = (told.yours, told.theirs)
            both = ([wanted, None], [value, None]) if item == ("limit",) else (wanted, value)
            assert shown == both, "both versions are told"
            continue
        now = store.now()
        assert value_of(now.question, item) == wanted
        if now.revision > before.revision:
            model[item] = wanted, now.revision
            accepted.append((now.revision, who, item, wanted))
            if chance.random() < 0.7:
                seen[who] = now.revision
    for item, (value, _) in model.items():
        assert value_of(store.now().question, item) == value, "no update is lost"
    lines = [(one["revision"], one["who"]) for one in store.history()[2:]]
    assert lines == [(revision, who) for revision, who, *_ in accepted], "each has its line, with who made it"
    manager.__exit__(None, None, None)
    return refused


def accepted_by(accepted, revision):
    return next(who for own, who, *_ in accepted if own == revision)


def test_no_update_is_lost_and_every_refusal_is_told(tmp_path):
    assert sum(run_schedule(tmp_path / str(seed), seed) for seed in range(20)) > 20


@pytest.mark.long
def test_no_update_is_lost_in_200_schedules(tmp_path):
    assert sum(run_schedule(tmp_path / str(seed), seed) for seed in range(1_000, 1_200)) > 200


# The same over HTTP, at the same time


def client_of(server, path, who, seed, ids, changes, start, told):
    """Somebody who sends changes as fast as they can, each on the last revision that they know."""
    chance, known = random.Random(seed), 0
    key = server.ask("POST", f"{path}/people", {"name": who}, 201)["key"]
    own = {"Authorization": f"Bearer {server.token}", "Bnfuse-Person": key}
    known = server.ask("GET", path)["revision"]
    start.wait()
    for _ in range(changes):
        one, weight = chance.choice(ids), str(chance.randrange(1, 50))
        change = {"kind": "weight", "id": one, "weight": weight}
        status, found, _ = server.request("POST", f"{path}/changes", change, own | {"If-Match": f'"{known}"'})
        told.append((who, known, one, weight, status, found))
        if status == 200 and chance.random() < 0.5:
            known = found["revision"]
        elif status == 409 or chance.random() < 0.3:
            known = server.ask("GET", path)["revision"]


def run_together(server, name, seed, changes):
    """Four clients at the same time; what they were told must be what some order of their changes gives."""
    path = server.workspace(name, CLINICS[:3])
    server.ask("POST", f"{path}/changes", {"kind": "set", "field": "effort", "value": "quick"})
    question = server.ask("GET", path)["question"]
    ids, told, start = [one["id"] for one in question["inputs"]], [], threading.Barrier(len(PEOPLE))
    clients = [
        threading.Thread(target=client_of, args=(server, path, who, f"{seed} {who}", ids, changes, start, told))
        for who in PEOPLE
    ]
    for one in clients:
        one.start()
    for one in clients:
        one.join()
    assert len(told) == changes * len(PEOPLE)
    model = {one["id"]: (one["weight"], 0, "") for one in question["inputs"]}
    lines = {one["revision"]: one for one in server.ask("GET", f"{path}/history")}
    weights = {one["revision"]: one for one in lines.values() if one["kind"] == "weight"}
    accepted = {}
    for who, known, own, weight, status, found in told:
        if status == 200 and "lines" in found:
            (line,) = found["lines"]
            accepted[line["revision"]] = who, known, own, weight
    assert set(accepted) == set(weights), (
        "each line of the history was acknowledged, and each acknowledged one is there"
    )
    for revision in sorted(accepted):
        who, known, own, weight = accepted[revision]
        assert weights[revision]["who"] == who
        assert model[own][1] <= known, "nothing is accepted on what somebody had changed meanwhile"
        model[own] = weight, revision, who
    refused = [one for one in told if one[4] == 409]
    for _, known, own, weight, _, found in refused:
        (conflict,) = found["conflicts"]
        assert conflict["revision"] > known
        assert accepted[conflict["revision"]][2] == own, "the change that stands against it is named"
        assert (conflict["yours"], conflict["theirs"]) == (weight, accepted[conflict["revision"]][3])
        assert conflict["who"] == accepted[conflict["revision"]][0]
    assert {one[4] for one in told} <= {200, 409}
    for one in server.ask("GET", path)["question"]["inputs"]:
        assert one["weight"] == model[one["id"]][0], "no update is lost"
    return len(refused)


def test_clients_at_the_same_time_lose_nothing(server):
    assert run_together(server, "together", 0, 8) > 0


@pytest.mark.long
def test_clients_at_the_same_time_lose_nothing_in_20_schedules(server):
    assert sum(run_together(server, f"together {seed}".replace(" ", "-"), seed, 25) for seed in range(1, 21)) > 20


def test_a_change_of_an_input_that_was_removed_is_a_conflict(tmp_path):
    manager, store = filled(tmp_path / "w")
    apply_changes(store, [{"kind": "remove-input", "id": "1"}], Maker())
    late = Maker("Ben", 2)
    with store.made_by(late), pytest.raises(ConflictError, match="has changed the input input 1 since revision 2"):
        apply_changes(store, [{"kind": "weight", "id": "1", "weight": "2"}], late)
    with store.made_by(Maker("Ben", 3)), pytest.raises(BnfuseError, match="there is no input '1'"):
        apply_changes(store, [{"kind": "weight", "id": "1", "weight": "2"}], Maker("Ben", 3))
    manager.__exit__(None, None, None)


def test_undo_takes_back_ones_own_and_leaves_what_others_did(tmp_path):
    manager, store = filled(tmp_path / "w")
    ana, ben, lead = Maker("Ana", None, False), Maker("Ben", None, False), Maker("Eva", None, True)

    def by(maker, do):
        with store.made_by(maker):
            return do()

    by(ana, lambda: apply_changes(store, [{"kind": "weight", "id": "0", "weight": "3"}], ana))
    by(ben, lambda: apply_changes(store, [{"kind": "switch", "id": "1", "on": False}], ben))
    assert (store.now().can_undo(ana), store.now().can_undo(ben)) == (
        "gave input 0 the weight 3",
        "switched input 1 off",
    )
    by(ana, store.undo)
    question = store.now().question
    assert (question.inputs[0].weight, question.inputs[1].on) == ("1", False)
    by(ana, store.redo)
    assert store.now().question.inputs[0].weight == "3"
    by(ben, lambda: apply_changes(store, [{"kind": "weight", "id": "0", "weight": "5"}], ben))
    with pytest.raises(ConflictError, match="Ben has changed the weight of input 0"):
        by(ana, store.undo)
    by(lead, store.undo)
    assert store.now().question.inputs[0].weight == "3", "the facilitator takes back the last change of anybody"
    by(ana, store.undo)
    assert store.now().question.inputs[0].weight == "1"
    with pytest.raises(BnfuseError, match="only the facilitator can take back the changes of others"):
        by(ana, store.undo)
    manager.__exit__(None, None, None)


def test_items_make_the_question_again():
    question = replace(
        START,
        data=DataFile("d", "d.csv"),
        required=(("A", "B"),),
        forbidden=(("C", "D"), ("D", "C")),
        tiers=(("A",), ("B", "C")),
        tier_ranks=(1, 2.5),
        notes={'["A", "B"]': "why"},
        max_clique=3,
    )
    assert with_items(State(), items_of(question)) == question
    assert not differences(question, with_items(question, {}))
    assert with_items(question, {'["input", "1"]': None}).inputs == (START.inputs[0], START.inputs[2])
