"""A workspace on the disk: undo and redo against a plain model, and everything that may go wrong with the file."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bnfuse import BnfuseError, FileError
from bnfuse.serve import limits
from bnfuse.serve.meeting import lines
from bnfuse.serve.workspace import store as stores
from bnfuse.serve.workspace.state import State
from bnfuse.serve.workspace.store import FILE, Found, StoredFile, opened

MOVES = st.lists(st.one_of(st.integers(2, 9), st.sampled_from(["undo", "redo", "back"])), max_size=25)


@settings(max_examples=40)
@given(MOVES)
def test_undo_and_redo_do_as_a_list_does(tmp_path_factory, moves):
    states, place = [None], 0  # what an editor keeps: the states up to the newest, and where it is
    seen = [None]  # after each line of the history
    folder = tmp_path_factory.mktemp("workspace")
    with opened(folder, is_to_create=True) as store:
        for move in moves:
            if move == "undo":
                place = expect(store.undo, place > 0, place, place - 1)
            elif move == "redo":
                place = expect(store.redo, place + 1 < len(states), place, place + 1)
            else:
                value = seen[0] if move == "back" else move
                if move == "back":
                    store.go_back_to(1)
                else:
                    store.change(replace(store.now().question, max_clique=move), "set", f"set to {move}")
                states[place + 1 :] = [value]
                place += 1
            if store.now().revision > len(seen):
                seen.append(states[place])
            now = store.now()
            assert now.question.max_clique == states[place]
            assert (not now.undo, not now.redo) == (place == 0, place + 1 == len(states))
        assert [line["revision"] for line in store.history()] == list(range(1, len(seen) + 1))
        for revision, value in enumerate(seen, 1):
            assert store.question_at(revision).max_clique == value, "nothing is ever lost"
        last = store.now()
    with opened(folder) as again:
        assert again.now() == last


def expect(move, is_possible, before, after):
    if is_possible:
        move()
        return after
    with pytest.raises(BnfuseError, match="there is nothing to"):
        move()
    return before


def found(key="k", effort="quick", distance=1.0, view=b"v", bound=None):
    facts = {"distance": distance, "bound": bound, "arcs": [], "variables": []}
    return Found(key, effort, facts, [], b"s", view, "p", "{}")


def test_the_closest_answer_is_the_best_and_of_two_the_later(tmp_path):
    with opened(tmp_path, is_to_create=True) as store:
        assert store.best("k") is None
        store.keep(found(distance=2.0))
        store.keep(found(effort="normal", distance=1.0, view=b"closer"))
        store.keep(found(effort="thorough", distance=1.5))
        assert store.best("k").effort == "normal"
        assert store.part(store.best("k"), "view") == b"closer"
        store.keep(found("other"))
        store.keep(found("other", "normal"))
        assert store.best("other").effort == "normal"
        store.keep(found("other", "normal", distance=9.0))
        assert store.best("other").facts["distance"] == 1.0, "what was found stays"
        store.keep(found("proven", "proof", bound=0.9))
        store.keep(found("proven", "thorough", bound=0.5))
        assert store.best("proven").effort == "proof", "of equally close ones that of which most is proven"


def test_a_workspace_is_open_once(tmp_path):
    with (
        opened(tmp_path, is_to_create=True),
        pytest.raises(
            FileError, match=r"workspace.sqlite: another bnfuse serve has it open; end that one, or choose another"
        ),
        opened(tmp_path),
    ):
        pass
    with opened(tmp_path) as store:
        assert store.now().revision == 1


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (
            "PRAGMA user_version = 7",
            "is a store of version 7, and this bnfuse knows version 4; use the bnfuse that made",
        ),
        ("PRAGMA application_id = 7", "is not a workspace of bnfuse serve"),
    ],
)
def test_a_workspace_of_another_version_or_program_is_refused(change, problem, tmp_path):
    with opened(tmp_path, is_to_create=True):
        pass
    with closing(sqlite3.connect(tmp_path / FILE)) as connection:
        connection.execute(change)
    with pytest.raises(FileError, match=problem), opened(tmp_path):
        pass


def test_a_file_that_is_no_workspace_is_refused(tmp_path):
    (tmp_path / FILE).write_text("value,seconds\n" * 100)
    with pytest.raises(FileError, match="is not a workspace of bnfuse serve"), opened(tmp_path):
        pass


def fill_up(folder, acknowledged):
    with opened(folder, is_to_create=True) as store:
        store._connection.execute("PRAGMA max_page_count = 20")
        for i in range(1_000):
            file = StoredFile(str(i), f"{i}.bif", {})
            store.add_file(file, bytes(500), replace(State(), max_clique=i + 2), f"change {i}")
            acknowledged.append(i)


def test_a_full_disk_loses_nothing_that_was_acknowledged(tmp_path):
    acknowledged = []
    with pytest.raises(FileError, match="the disk is full"):
        fill_up(tmp_path, acknowledged)
    kept = len(acknowledged)
    assert 0 < kept < 1_000
    with opened(tmp_path) as store:
        assert store.now().question.max_clique == kept + 1
        assert (len(store.files()), len(store.history())) == (kept, kept + 1)
        store.change(State(), "set", "goes on")


def test_a_clock_that_is_set_back_changes_no_order(tmp_path, monkeypatch):
    times = iter(f"20{year} UTC" for year in range(99, 10, -1))
    monkeypatch.setattr(stores, "time_text", lambda: next(times))
    monkeypatch.setattr(lines, "time_text", lambda: next(times))
    with opened(tmp_path, is_to_create=True) as store:
        for i in range(2, 6):
            store.change(replace(State(), max_clique=i), "set", str(i))
        assert [line["words"] for line in store.history()[1:]] == ["2", "3", "4", "5"]
        assert store.now().question.max_clique == 5
        store.undo()
        assert store.now().question.max_clique == 4


def test_rounds_keep_their_answer_when_better_ones_come(tmp_path):
    with opened(tmp_path, is_to_create=True) as store:
        key = store.now().question.key
        store.keep(found(key, distance=2.0))
        store.freeze("one", store.best(key))
        store.keep(found(key, "normal", 1.0))
        (one,) = store.rounds()
        assert (store.answer_of(one).effort, store.best(key).effort) == ("quick", "normal")
        with pytest.raises(BnfuseError, match="there is already a round 'one'"):
            store.freeze("one", store.best(key))


def test_old_answers_go_and_those_of_rounds_stay(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "MOST_ANSWERS", 5)
    with opened(tmp_path, is_to_create=True) as store:
        store.keep(found("frozen"))
        store.freeze("one", store.best("frozen"))
        for i in range(20):
            store.keep(found(f"{i}"))
        assert [i for i in range(20) if store.best(f"{i}")] == [15, 16, 17, 18, 19]
        assert store.answer_of(store.rounds()[0]).effort == "quick"


def test_old_frontiers_go(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "MOST_FRONTIERS", 3)
    with opened(tmp_path, is_to_create=True) as store:
        for i in range(9):
            store.keep_frontier(f"{i}", {"points": [i]}, b"saved", b"view")
        assert [i for i in range(9) if store.frontier(f"{i}")] == [6, 7, 8]


def test_nothing_is_made_where_there_is_no_workspace(tmp_path):
    with pytest.raises(FileError, match="holds no workspace"), opened(tmp_path / "none"):
        pass
    assert not (tmp_path / "none").exists()
    Path(tmp_path / "file").write_text("x")
    with pytest.raises(FileError, match="cannot be written"), opened(tmp_path / "file" / "in", is_to_create=True):
        pass
