"""The history of a workspace: the present question, the author and revision of each change, undo and redo."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from bnfuse._base.sqlite import transaction
from bnfuse.errors import OptionError
from bnfuse.serve.meeting.items import (
    Conflict,
    ConflictError,
    Maker,
    differences,
    is_same,
    items_of,
    left_of,
    with_items,
    words_for,
)
from bnfuse.serve.workspace.state import State

_ANYBODY = "*"  # nobody can have this name
_NO_CHANGES = "('start', 'undo', 'redo', 'freeze', 'panel', 'join')"
"""kinds of lines that do not change the question, or undo others"""


def time_text() -> str:
    """The time, in the form of every line."""
    return datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


@dataclass(frozen=True, slots=True)
class Now:
    """The present state of a workspace."""

    revision: int
    question: State
    undo: dict[str, str]
    """the change that undo takes back, by its author"""
    redo: dict[str, str]

    def can_undo(self, maker: Maker) -> str | None:
        """The change that undo takes back for a person: their own last one or, for the facilitator, anybody's."""
        return self.undo.get(_ANYBODY if maker.may_lead else maker.who)

    def can_redo(self, maker: Maker) -> str | None:
        """The change that redo repeats for a person."""
        return self.redo.get(_ANYBODY if maker.may_lead else maker.who)


class Lines:
    """The lines of the history, and the states of the question after them."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._maker = Maker()

    @property
    def connection(self) -> sqlite3.Connection:
        """The database, in which other modules store their parts of the workspace."""
        return self._connection

    @contextmanager
    def made_by(self, maker: Maker) -> Iterator[None]:
        """Changes within the block have this author and revision."""
        self._maker = maker
        try:
            yield
        finally:
            self._maker = Maker()

    # The question

    def now(self) -> Now:
        """The present state."""
        revision, state = self._place()
        return Now(revision, self._state(state), self._last("undo"), self._last("redo"))

    def change(self, question: State, kind: str, words: str) -> int:
        """Make a question the present one; returns the number of its line in the history."""
        with transaction(self._connection):
            return self._change(question, kind, words)

    def undo(self, revision: int | None = None) -> int:
        """Undo one's own last change or, as facilitator, the last of anybody; or that of a line of the history."""
        return self._take_back("undo", "took back", revision)

    def redo(self) -> int:
        """Redo the last undone change."""
        return self._take_back("redo", "did again", None)

    def _take_back(self, kind: str, words: str, revision: int | None) -> int:
        maker = self._maker
        found = self._candidates(kind)
        mine = [one for one in found if maker.may_lead or one[1] == maker.who]
        chosen = next((one for one in mine if revision in (None, one[0])), None)
        if chosen is None:
            others = any(one[0] == revision for one in found) if revision is not None else bool(found)
            why = ": only the facilitator can take back the changes of others" if others else ""
            raise OptionError(f"there is nothing to {kind}{why}")
        line, _, said = chosen
        _, state = self._place()
        old, new = self._around(line)
        before, after = self._state(old), self._state(new)
        changed = differences(before, after)
        present = items_of(self._state(state))
        back = {key: was for key, (was, _) in changed.items()}
        stale = [key for key, (_, left) in changed.items() if not is_same(key, present.get(key), left)]
        stale += left_of(present, back)
        if stale:
            self._refuse(stale, back, line)
        with transaction(self._connection):
            target = old if state == new else self._add_state(with_items(self._state(state), back))
            added = self._move(target, kind, f"{words}: {said}", line)
            self._connection.execute("UPDATE history SET taken_back = ? WHERE id = ?", (added, line))
            if kind == "redo":
                (first,) = self._connection.execute("SELECT takes_back FROM history WHERE id = ?", (line,)).fetchone()
                self._connection.execute("UPDATE history SET taken_back = NULL WHERE id = ?", (first,))
        return added

    def _candidates(self, kind: str) -> list[tuple[int, str, str]]:
        """The lines that can be undone, or redone: (number, author, words), the last first."""
        if kind == "undo":
            return self._connection.execute(
                f"SELECT id, who, words FROM history WHERE kind NOT IN {_NO_CHANGES} AND taken_back IS NULL "
                "ORDER BY id DESC"
            ).fetchall()
        # After a new change, there is nothing to redo.
        return self._connection.execute(
            "SELECT line.id, line.who, first.words FROM history AS line JOIN history AS first "
            "ON first.id = line.takes_back WHERE line.kind = 'undo' AND line.taken_back IS NULL AND line.id > coalesce("
            f"(SELECT max(id) FROM history AS own WHERE own.who = line.who AND own.kind NOT IN {_NO_CHANGES}), 0) "
            "ORDER BY line.id DESC"
        ).fetchall()

    def _last(self, kind: str) -> dict[str, str]:
        found: dict[str, str] = {}
        for _, who, words in self._candidates(kind):
            found.setdefault(_ANYBODY, words)
            found.setdefault(who, words)
        return found

    def _around(self, line: int) -> tuple[int, int]:
        """The states before and after a line of the history."""
        rows = self._connection.execute(
            "SELECT state FROM history WHERE id <= ? ORDER BY id DESC LIMIT 2", (line,)
        ).fetchall()
        return rows[1][0], rows[0][0]

    def go_back_to(self, revision: int) -> int:
        """Make the state of an earlier line of the history the present one, as a change that can be undone."""
        words = f"went back to line {revision}"
        with transaction(self._connection):
            return self._change(self.question_at(revision), "return", words)

    def question_at(self, revision: int) -> State:
        """The question as it was after a line of the history."""
        found = self._connection.execute(
            "SELECT question FROM states JOIN history ON states.id = history.state WHERE history.id = ?", (revision,)
        ).fetchone()
        if found is None:
            raise OptionError(f"the history has no line {revision}")
        return State.from_json(json.loads(found[0]))

    def key_before(self, revision: int) -> str | None:
        """The key of the last question before a line of the history that differs from it and was answered."""
        found = self._before(revision)
        return None if found is None else found[0]

    def makers_since(self, revision: int) -> tuple[list[str], str | None]:
        """The people who changed something since that question was asked, up to that line, and when the last did."""
        found = self._before(revision)
        first = 0 if found is None else found[1]
        rows = self._connection.execute(
            "SELECT who, max(time) FROM history WHERE id > ? AND id <= ? AND who != '' "
            "AND kind NOT IN ('freeze', 'panel', 'join') GROUP BY who ORDER BY min(id)",
            (first, revision),
        ).fetchall()
        return [who for who, _ in rows], max((time for _, time in rows), default=None)

    def _before(self, revision: int) -> tuple[str, int] | None:
        found: tuple[str, int] | None = self._connection.execute(
            "SELECT before.key, history.id FROM history JOIN states AS before ON before.id = history.state "
            "WHERE history.id < ?1 AND before.key != "
            "(SELECT key FROM states JOIN history ON states.id = history.state WHERE history.id = ?1) "
            "AND before.key IN (SELECT key FROM answers) ORDER BY history.id DESC LIMIT 1",
            (revision,),
        ).fetchone()
        return found

    def history(self) -> list[dict[str, Any]]:
        """All lines, from the first."""
        revision, _ = self._place()
        return self.lines(1, revision)

    def lines(self, first: int, revision: int) -> list[dict[str, Any]]:
        """The lines from a number upwards; `revision` is the present one."""
        rows = self._connection.execute(
            "SELECT id, time, who, kind, words, taken_back IS NOT NULL FROM history WHERE id >= ? ORDER BY id", (first,)
        )
        names = ("revision", "time", "who", "kind", "words", "is_taken_back")
        return [
            {**dict(zip(names, row, strict=True)), "is_taken_back": bool(row[-1]), "is_current": row[0] == revision}
            for row in rows
        ]

    def last_changes(self, kind: str | None = None) -> dict[str, dict[str, str]]:
        """By the keys of items, or of those of one kind: the author and the time of the last change of each."""
        rows = self._connection.execute(
            "SELECT items.key, history.who, history.time FROM items JOIN history ON history.id = items.revision "
            "WHERE items.key LIKE ?",
            ("%" if kind is None else f'["{kind}", %',),
        )
        return {key: {"who": who, "time": time} for key, who, time in rows}

    def noted(self, question: State) -> dict[str, dict[str, str]]:
        """The author and the time of each note of a question, by its key."""
        if not question.notes:
            return {}
        made = {
            json.dumps(json.loads(key)[1:], ensure_ascii=False): one for key, one in self.last_changes("note").items()
        }
        return {key: made[key] for key in question.notes if key in made}

    def _place(self) -> tuple[int, int]:
        revision, state = self._connection.execute("SELECT id, state FROM history ORDER BY id DESC LIMIT 1").fetchone()
        return revision, state

    def _state(self, state: int) -> State:
        (question,) = self._connection.execute("SELECT question FROM states WHERE id = ?", (state,)).fetchone()
        return State.from_json(json.loads(question))

    def _add_state(self, question: State) -> int:
        content = json.dumps(question.to_json(), separators=(",", ":"))
        added = self._connection.execute(
            "INSERT INTO states (question, key) VALUES (?, ?)", (content, question.key)
        ).lastrowid
        assert added is not None
        return added

    def _change(self, question: State, kind: str, words: str) -> int:
        _, state = self._place()
        changed = differences(self._state(state), question)
        if self._maker.on is not None:
            self._refuse(changed, {key: new for key, (_, new) in changed.items()}, self._maker.on)
        return self._move(self._add_state(question), kind, words)

    def refuse_if_changed(self, key: str, wanted: Any) -> None:
        """Refuse a change of an item that has been changed since the revision on which the change was made."""
        if self._maker.on is not None:
            self._refuse([key], {key: wanted}, self._maker.on)

    def _refuse(self, keys: Iterable[str], wanted: Mapping[str, Any], on: int) -> None:
        rows = [
            (key, row)
            for key in keys
            if (
                row := self._connection.execute(
                    "SELECT history.id, history.who, history.time FROM items JOIN history "
                    "ON history.id = items.revision WHERE items.key = ? AND items.revision > ?",
                    (key, on),
                ).fetchone()
            )
        ]
        if not rows:
            return
        question = self.now().question
        present = items_of(question)
        names = {one.id: one.name for one in (*self.question_at(min(on, self._place()[0])).inputs, *question.inputs)}
        raise ConflictError(
            [
                Conflict(key, words_for(key, names), wanted.get(key), present.get(key), who, time, revision)
                for key, (revision, who, time) in rows
            ],
            on,
        )

    def say(self, kind: str, words: str) -> int:
        """A line of the history that changes no item of the question."""
        _, state = self._place()
        return self._move(state, kind, words)

    def _move(self, state: int, kind: str, words: str, takes_back: int | None = None) -> int:
        _, before = self._place()
        added = self._connection.execute(
            "INSERT INTO history (state, time, who, kind, words, takes_back) VALUES (?, ?, ?, ?, ?, ?)",
            (state, time_text(), self._maker.who, kind, words, takes_back),
        ).lastrowid
        assert added is not None
        changed = () if state == before else differences(self._state(before), self._state(state))
        self._connection.executemany(
            "INSERT INTO items VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET revision = ?2",
            [(key, added) for key in changed],
        )
        return added
