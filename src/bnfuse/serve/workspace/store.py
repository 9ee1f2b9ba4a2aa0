"""A workspace on the disk: a folder with one SQLite file, in which every change is a transaction.

Every change is a line of the history, ordered by number and not by the clock: the last line has the present state of
the question. Undo takes one line back, and is a line itself: it restores the previous values of the items that the line
changed, and keeps later changes of others. For each item of the question, the store has the author of the last change,
so that a change made on an older revision is refused if somebody has changed the same item since. States and files are
kept, except files that somebody deletes permanently; among the answers, the latest ones and those of rounds are kept.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bnfuse._base.sqlite import Kind, is_new, transaction
from bnfuse.errors import FileError, OptionError
from bnfuse.serve import limits
from bnfuse.serve.drawing.drawing import check, file_of
from bnfuse.serve.meeting.lines import Lines, time_text
from bnfuse.serve.meeting.tables import MEETING
from bnfuse.serve.workspace.state import State

FILE = "workspace.sqlite"
_CACHE = 256  # KiB of pages in memory: there may be many open workspaces

_KIND = Kind(
    name="a workspace of bnfuse serve",
    application=0x626E6677,  # "bnfw"
    version=4,  # who changed what, and private rounds
    schema=(
        "CREATE TABLE states (id INTEGER PRIMARY KEY, question TEXT NOT NULL, key TEXT NOT NULL)",
        "CREATE TABLE history (id INTEGER PRIMARY KEY AUTOINCREMENT, state INTEGER NOT NULL REFERENCES states, "
        "time TEXT NOT NULL, who TEXT NOT NULL, kind TEXT NOT NULL, words TEXT NOT NULL, "
        "takes_back INTEGER REFERENCES history, taken_back INTEGER REFERENCES history)",
        "CREATE TABLE items (key TEXT PRIMARY KEY, revision INTEGER NOT NULL REFERENCES history)",
        *MEETING,
        "CREATE TABLE files (id TEXT PRIMARY KEY, name TEXT NOT NULL, facts TEXT NOT NULL, content BLOB NOT NULL)",
        "CREATE TABLE answers (key TEXT NOT NULL, effort TEXT NOT NULL, facts TEXT NOT NULL, disputes TEXT NOT NULL, "
        "decided TEXT, saved BLOB NOT NULL, view BLOB NOT NULL, PRIMARY KEY (key, effort))",
        "CREATE TABLE frontiers (key TEXT PRIMARY KEY, facts TEXT NOT NULL, saved BLOB NOT NULL, view BLOB NOT NULL)",
        "CREATE TABLE places (key TEXT PRIMARY KEY, layout TEXT NOT NULL)",
        "CREATE TABLE rounds (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, time TEXT NOT NULL, "
        "revision INTEGER NOT NULL REFERENCES history, key TEXT NOT NULL, effort TEXT NOT NULL)",
    ),
    elsewhere="another workspace",
    in_use="another bnfuse serve has it open; end that one",
    once_more="try again",
)


@dataclass(frozen=True, slots=True)
class Answer:
    """The result for a question, without its large parts."""

    key: str
    effort: str
    facts: dict[str, Any]

    @property
    def is_proven(self) -> bool:
        """Whether it is proven optimal."""
        return self.facts.get("gap") == 0


@dataclass(frozen=True, slots=True)
class Round:
    """A frozen round: a state of the question with its answer at that time."""

    number: int
    name: str
    time: str
    revision: int
    key: str
    effort: str


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file that was dropped in, without its content."""

    id: str
    name: str
    facts: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a search, to be stored."""

    key: str
    effort: str
    facts: dict[str, Any]
    disputes: list[Any]
    saved: bytes
    view: bytes
    places_key: str = ""
    layout: str | None = None
    """the positions of the variables, if they were not known before"""


class WorkspaceStore(Lines):
    """An open workspace: see `opened`."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        super().__init__(connection)
        self.path = path
        self._files: dict[str, StoredFile] = {}

    def add_file(self, file: StoredFile, content: bytes, question: State, words: str) -> int:
        """The same for a question with a new file; both appear together."""
        with transaction(self._connection):
            self._connection.execute(
                "INSERT OR IGNORE INTO files VALUES (?, ?, ?, ?)", (file.id, file.name, json.dumps(file.facts), content)
            )
            return self._change(question, "add-inputs", words)

    def add_files(self, files: Iterable[tuple[StoredFile, bytes]], question: State, words: str) -> int:
        """The same for several files."""
        with transaction(self._connection):
            for file, content in files:
                self._connection.execute(
                    "INSERT OR IGNORE INTO files VALUES (?, ?, ?, ?)",
                    (file.id, file.name, json.dumps(file.facts), content),
                )
            return self._change(question, "count", words)

    def _add_state(self, question: State) -> int:
        """The same, with the files of its drawings; refuses drawings that are not networks."""
        for one in question.inputs:
            if one.id in question.drawings and one.file not in self.files():
                check(question.drawings[one.id])
                file = file_of(one.id, question.drawings[one.id])
                self._connection.execute(
                    "INSERT OR IGNORE INTO files VALUES (?, ?, ?, ?)",
                    (file.id, file.name, json.dumps(file.facts), file.content),
                )
        return super()._add_state(question)

    # Files

    def files(self) -> dict[str, StoredFile]:
        """All files that were ever dropped in, by their ids; they never change."""
        rows = self._connection.execute(
            "SELECT id, name, facts FROM files ORDER BY rowid LIMIT -1 OFFSET ?", (len(self._files),)
        )
        for own, name, facts in rows:
            self._files[own] = StoredFile(own, name, json.loads(facts))
        return self._files

    def content(self, file: str) -> bytes:
        """The content of a file."""
        found = self._connection.execute("SELECT content FROM files WHERE id = ?", (file,)).fetchone()
        if found is None:
            raise OptionError(f"there is no file {file!r:.60}")
        return bytes(found[0])

    def bytes_kept(self) -> int:
        """The size of all files together."""
        (size,) = self._connection.execute("SELECT coalesce(sum(length(content)), 0) FROM files").fetchone()
        return int(size)

    # Answers

    def keep(self, found: Found) -> None:
        """Store the result of a search. Doing so again changes nothing."""
        with transaction(self._connection):
            if found.layout is not None:
                self._connection.execute("INSERT OR IGNORE INTO places VALUES (?, ?)", (found.places_key, found.layout))
            self._connection.execute(
                "INSERT OR IGNORE INTO answers VALUES (?, ?, ?, ?, NULL, ?, ?)",
                (
                    found.key,
                    found.effort,
                    json.dumps(found.facts),
                    json.dumps(found.disputes),
                    found.saved,
                    found.view,
                ),
            )
            self._connection.execute(
                "DELETE FROM answers WHERE rowid <= (SELECT max(rowid) FROM answers) - ? AND key != ? "
                "AND (key, effort) NOT IN (SELECT key, effort FROM rounds)",
                (limits.MOST_ANSWERS, found.key),
            )

    def answers(self, key: str) -> list[Answer]:
        """The results for a question, in their order."""
        rows = self._connection.execute("SELECT effort, facts FROM answers WHERE key = ? ORDER BY rowid", (key,))
        return [Answer(key, effort, json.loads(facts)) for effort, facts in rows]

    def best(self, key: str) -> Answer | None:
        """The closest of these; among equally close ones, the one with the best proof, and among these the latest.

        One that is proven optimal stays, whatever comes later.
        """
        found = self.answers(key)
        proven = next((one for one in found if one.is_proven), None)
        return proven or (min(reversed(found), key=_nearness) if found else None)

    def part(self, answer: Answer, part: str) -> Any:
        """One large part of an answer: its `saved` result, its `view`, its `disputes`, or the `decided` ones."""
        assert part in ("saved", "view", "disputes", "decided")
        (found,) = self._connection.execute(
            f"SELECT {part} FROM answers WHERE key = ? AND effort = ?", (answer.key, answer.effort)
        ).fetchone()
        if part in ("disputes", "decided"):
            return None if found is None else json.loads(found)
        return bytes(found)

    def undecided(self, key: str) -> Answer | None:
        """The best answer to a question, if the costs of other decisions are not known yet."""
        best = self.best(key)
        return best if best is not None and self.part(best, "decided") is None else None

    def decide(self, answer: Answer, rows: bytes, page: bytes) -> None:
        """Store the costs of other decisions: the rows of the disputes, and the page's data for them."""
        with transaction(self._connection):
            self._connection.execute(
                "UPDATE answers SET disputes = ?, decided = ? WHERE key = ? AND effort = ?",
                (rows.decode(), page.decode(), answer.key, answer.effort),
            )

    def decide_alike(self, key: str, effort: str, other: str) -> None:
        """Store the costs of other decisions, if an answer with the same network and other tables has them."""
        if key == other:
            return
        with transaction(self._connection):
            self._connection.execute(
                "UPDATE answers SET (disputes, decided) = (SELECT disputes, decided FROM answers AS alike "
                "WHERE alike.key = ?3 AND alike.effort = ?2) WHERE key = ?1 AND effort = ?2 AND EXISTS (SELECT 1 "
                "FROM answers AS alike WHERE alike.key = ?3 AND alike.effort = ?2 AND alike.decided IS NOT NULL)",
                (key, effort, other),
            )

    def layout(self, places_key: str) -> str | None:
        """The positions of the variables, if they are known."""
        found = self._connection.execute("SELECT layout FROM places WHERE key = ?", (places_key,)).fetchone()
        return None if found is None else str(found[0])

    def keep_frontier(self, key: str, facts: Mapping[str, Any], saved: bytes, view: bytes) -> None:
        """Store the frontier of a question. Doing so again changes nothing."""
        with transaction(self._connection):
            self._connection.execute(
                "INSERT OR IGNORE INTO frontiers VALUES (?, ?, ?, ?)", (key, json.dumps(facts), saved, view)
            )
            self._connection.execute(
                "DELETE FROM frontiers WHERE rowid <= (SELECT max(rowid) FROM frontiers) - ?", (limits.MOST_FRONTIERS,)
            )

    def frontier(self, key: str) -> dict[str, Any] | None:
        """The numbers of the frontier of a question, if it is known."""
        found = self._connection.execute("SELECT facts FROM frontiers WHERE key = ?", (key,)).fetchone()
        return None if found is None else json.loads(found[0])

    def frontier_part(self, key: str, part: str) -> bytes:
        """One large part of a frontier: its `saved` result, or its `view`."""
        assert part in ("saved", "view")
        (found,) = self._connection.execute(f"SELECT {part} FROM frontiers WHERE key = ?", (key,)).fetchone()
        return bytes(found)

    # Rounds

    def freeze(self, name: str, answer: Answer) -> int:
        """Store the present state with its answer as a round, which is also a line in the history."""
        if any(one.name == name for one in self.rounds()):
            raise OptionError(f"there is already a round {name!r:.80}")
        with transaction(self._connection):
            revision = self.say("freeze", f"froze the round {name}")
            self._connection.execute(
                "INSERT INTO rounds (name, time, revision, key, effort) VALUES (?, ?, ?, ?, ?)",
                (name, time_text(), revision, answer.key, answer.effort),
            )
        return revision

    def rounds(self) -> list[Round]:
        """All rounds, from the first."""
        rows = self._connection.execute("SELECT id, name, time, revision, key, effort FROM rounds ORDER BY id")
        return [Round(*row) for row in rows]

    def answer_of(self, one: Round) -> Answer:
        """The answer that was frozen with a round."""
        return next(answer for answer in self.answers(one.key) if answer.effort == one.effort)


@contextmanager
def opened(folder: Path, is_to_create: bool = False) -> Iterator[WorkspaceStore]:
    """The workspace in a folder, for this process alone."""
    path = folder / FILE
    if is_to_create:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileError(folder, f"cannot be written: {(error.strerror or str(error)).lower()}") from None
    elif not path.is_file():
        raise FileError(folder, "holds no workspace")
    with _KIND.locked(path), _KIND.connected(path) as connection:
        if is_new(connection):
            _create(connection)
        _KIND.check(path, connection)
        connection.execute(f"PRAGMA cache_size = -{_CACHE}")
        yield WorkspaceStore(path, connection)


def alone(folder: Path) -> AbstractContextManager[None]:
    """No other process has the workspace of a folder open within the block."""
    return _KIND.locked(folder / FILE)


def problem_of(path: Path) -> str | None:
    """Why a file cannot be a workspace, judging by its first bytes."""
    try:
        return _KIND.problem_of(path)
    except OSError as error:
        return (error.strerror or str(error)).lower()


def _nearness(answer: Answer) -> tuple[float, float]:
    bound = answer.facts["bound"]
    return answer.facts["distance"], 0.0 if bound is None else -bound


def _create(connection: sqlite3.Connection) -> None:
    """A workspace with an empty question."""
    empty = State()
    with transaction(connection):
        _KIND.create(connection)
        connection.execute("INSERT INTO states (question, key) VALUES (?, ?)", (json.dumps(empty.to_json()), empty.key))
        connection.execute(
            "INSERT INTO history (state, time, who, kind, words) VALUES (1, ?, '', 'start', 'started the workspace')",
            (time_text(),),
        )
