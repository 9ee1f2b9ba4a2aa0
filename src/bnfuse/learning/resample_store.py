"""The results of resamples, in a file, so that a run that was killed can be continued.

Counts take the space of one network, however many resamples there are; the networks themselves are kept on request.
Both belong to the first resamples, without gaps.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bnfuse._base import disk
from bnfuse._base.fields import Field
from bnfuse._base.options import option_name
from bnfuse._base.sqlite import Kind, is_new, transaction
from bnfuse._base.texts import count
from bnfuse.errors import BnfuseError, FileError, OptionError
from bnfuse.graphs.dag import DAG
from bnfuse.learning.resampling import Learnt, tally_of
from bnfuse.problem.tally import Tally

_KIND = Kind(
    name="a store of resamples",
    application=0x626E6662,  # "bnfb"
    version=1,
    schema=(
        "CREATE TABLE run (settings TEXT NOT NULL, keeps_networks INTEGER NOT NULL)",
        "CREATE TABLE counts (tally BLOB NOT NULL)",
        "CREATE TABLE networks (number INTEGER PRIMARY KEY, parents BLOB NOT NULL)",
    ),
    elsewhere="another file",
)


class OpenStore:
    """A store that is being added to: see `ResampleStore.writing`."""

    def __init__(self, path: Path, connection: sqlite3.Connection, variables: tuple[str, ...]) -> None:
        self._path, self._connection, self._variables = path, connection, variables
        (self.keeps_networks,) = connection.execute("SELECT keeps_networks FROM run").fetchone()
        self.tally = Tally(variables) if self.keeps_networks else self._read_tally()
        """the tally of all resamples; empty if networks are kept"""
        self.done = self._counted()
        """the number of resamples in it"""

    def dags(self, first: int, end: int) -> Iterator[DAG]:
        """The stored networks of some resamples."""
        found = self._connection.execute(
            "SELECT parents FROM networks WHERE number >= ? AND number < ? ORDER BY number", (first, end)
        )
        n = len(self._variables)
        for (packed,) in found:
            words = self._unpacked(packed)
            if not words or len(words) % (8 * n):
                raise self._damaged("a network is too short")
            rows = np.frombuffer(words, "<u8").astype(np.uint64).reshape(n, -1)
            try:
                dag = DAG.from_rows(self._variables, rows)
            except BnfuseError as error:
                raise self._damaged(f"a network is invalid: {error}") from None
            yield dag

    def add(self, first: int, learnt: Sequence[Learnt]) -> None:
        """Keep the networks of some resamples, or count them. Those already stored have no effect."""
        if first > self.done:
            raise FileError(self._path, "was replaced meanwhile; run the same command again")
        new = learnt[self.done - first :]
        if not new:
            return
        with transaction(self._connection):
            if self.keeps_networks:
                rows = [(self.done + i, _packed(one)) for i, one in enumerate(new)]
                self._connection.executemany("INSERT INTO networks VALUES (?, ?)", rows)
            else:
                self.tally.merge(tally_of(self._variables, new))
                packed = zlib.compress(json.dumps(self.tally.content(), separators=(",", ":")).encode())
                self._connection.execute("DELETE FROM counts")
                self._connection.execute("INSERT INTO counts VALUES (?)", (packed,))
        self.done += len(new)

    def _counted(self) -> int:
        if not self.keeps_networks:
            return self.tally.weight // self.tally.parts
        number, last = self._connection.execute("SELECT count(*), max(number) FROM networks").fetchone()
        if number and last != number - 1:
            raise self._damaged("networks are missing")
        return int(number)

    def _read_tally(self) -> Tally:
        row = self._connection.execute("SELECT tally FROM counts").fetchone()
        if row is None:
            return Tally(self._variables)
        try:
            counts = Field.parsed(self._unpacked(row[0])).names
            return Tally.from_content({**counts, "variables": self._variables})
        except FileError:
            raise
        except BnfuseError as error:
            raise self._damaged(str(error)) from None

    def _unpacked(self, packed: bytes) -> bytes:
        try:
            return zlib.decompress(packed)
        except zlib.error as error:
            raise self._damaged(str(error)) from None

    def _damaged(self, problem: str) -> FileError:
        return FileError(self._path, f"is damaged ({problem}); choose another file")


@dataclass(frozen=True, slots=True)
class ResampleStore:
    """A file, and its intended content."""

    path: Path
    variables: tuple[str, ...]
    settings: dict[str, Any]
    """everything on which the networks depend"""
    keeps_networks: bool
    """for a new file; one that has networks continues to keep them"""

    def check(self, resamples: int) -> OpenStore | None:
        """Refuse a file that cannot be continued; its content, None if it is new."""
        disk.check_place(self.path)
        if not self.path.is_file() or not self.path.stat().st_size:
            return None
        with _KIND.connected(self.path) as connection:
            if is_new(connection):
                return None
            there = self._opened(connection)
        if there.done > resamples and not there.keeps_networks:
            raise FileError(
                self.path,
                f"holds the counts of {count(there.done, 'resample')}, which cannot be reduced: ask for at "
                f"least as many with {option_name('resamples')}, or choose another file",
            )
        return there

    @contextmanager
    def writing(self) -> Iterator[OpenStore]:
        """For the one process that adds to it; created if it does not exist."""
        with _KIND.locked(self.path), _KIND.connected(self.path) as connection:
            if is_new(connection):
                with transaction(connection):
                    _KIND.create(connection)
                    row = (json.dumps(self.settings), int(self.keeps_networks))
                    connection.execute("INSERT INTO run VALUES (?, ?)", row)
            yield self._opened(connection)

    def _opened(self, connection: sqlite3.Connection) -> OpenStore:
        _KIND.check(self.path, connection)
        row = connection.execute("SELECT settings FROM run").fetchone()
        try:
            settings = Field.parsed(b"null" if row is None else str(row[0]).encode(), "settings").names
        except BnfuseError as error:
            raise FileError(self.path, f"is damaged ({error}); choose another file") from None
        self._check_settings(settings)
        there = OpenStore(self.path, connection, self.variables)
        if self.keeps_networks and not there.keeps_networks:
            raise FileError(
                self.path,
                f"holds counts but no networks, because it was started without {option_name('keep_networks')}: "
                "leave that out, or choose another file",
            )
        return there

    def _check_settings(self, there: Mapping[str, Any]) -> None:
        if there.get("data") != self.settings["data"]:
            raise FileError(self.path, "holds resamples of other data; choose another file")
        here = json.loads(json.dumps(self.settings))  # tuples become lists
        for name in (*here, *there):
            old, new = there.get(name), here.get(name)
            if old != new:
                raise FileError(
                    self.path,
                    f"holds resamples learned with {name.replace('_', ' ')} {_shown(old)}, not {_shown(new)}; "
                    "use the same options, or choose another file",
                )


def _packed(one: Learnt) -> bytes:
    if not isinstance(one, DAG):
        raise OptionError(
            f"{option_name('keep_networks')}: a store keeps networks, and the learner gives equivalence classes or "
            "votes for arcs; it can count them instead"
        )
    return zlib.compress(one.rows.astype("<u8").tobytes())


def _shown(value: Any) -> str:
    if value is None:
        return "none"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."
