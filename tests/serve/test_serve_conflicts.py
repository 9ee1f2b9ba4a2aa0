"""Several people change one workspace: no update is lost, and whoever is refused is told what the other did."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bnfuse.errors import BnfuseError
from bnfuse.serve.meeting.items import ConflictError, Maker, differences, items_of, with_items
from bnfuse.serve.service import apply_changes
from bnfuse.serve.workspace.state import DataFile, Input, State
from bnfuse.serve.workspace.store import StoredFile, opened

VARIABLES = ["A", "B", "C", "D"]
PEOPLE = ["Ana", "Ben", "Caro", "Dan"]
START = State(tuple(Input(str(i), f"input {i}", "f", i) for i in range(3)))


def filled(folder):
    """A workspace with three inputs."""
    store = opened(folder, is_to_create=True)
    own = store.__enter__()
    own.connection.execute("PRAGMA synchronous = OFF")  # no power fails here
    own.connection.execute("PRAGMA journal_mode = MEMORY")
    own.add_file(StoredFile("f", "f.bif", {"variables": VARIABLES}), b"", START, "added")
    return store, own


def random_change(chance):
    """A change, the item that it sets, and the value that the item has then."""
    kind = chance.choice(["switch", "weight", "tier", "note", "limit", "metric"])
    own, name = str(chance.randrange(3)), chance.choice(VARIABLES)
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
    assert store.now().question.inputs[0].weight == "3", "who leads takes back the last change of anybody"
    by(ana, store.undo)
    assert store.now().question.inputs[0].weight == "1"
    with pytest.raises(BnfuseError, match="only who leads takes back the changes of others"):
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
