"""The finished rounds of a federation, in one file: a coordinator that was killed continues after the last of them."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from bnfuse._base import disk
from bnfuse._base.sqlite import Kind, is_new, transaction
from bnfuse.errors import FileError
from bnfuse.federated.agreement.settings import Agreement
from bnfuse.federated.protocol.wire import Body, packed, unpacked

FILE = "rounds.sqlite"

_KIND = Kind(
    name="a store of a federation",
    application=0x626E6664,  # "bnfd"
    version=2,
    schema=(
        "CREATE TABLE federation (agreement TEXT NOT NULL)",
        "CREATE TABLE rounds (name TEXT PRIMARY KEY, sites INTEGER NOT NULL, content BLOB NOT NULL)",
        "CREATE TABLE begun (name TEXT PRIMARY KEY, content BLOB NOT NULL)",
        "CREATE TABLE stopped (reason TEXT NOT NULL)",
    ),
    elsewhere="another folder",
)


class FederationStore:
    """An open store: see `opened`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def finished(self, name: str) -> tuple[int, bytes] | None:
        """The number of sites in a round, and its result; None if it is not finished."""
        row = self._connection.execute("SELECT sites, content FROM rounds WHERE name = ?", (name,)).fetchone()
        return None if row is None else (int(row[0]), bytes(row[1]))

    def finish(self, name: str, sites: int, content: bytes) -> None:
        """Store the result of a round."""
        with transaction(self._connection):
            self._connection.execute("INSERT INTO rounds VALUES (?, ?, ?)", (name, sites, content))
            self._connection.execute("DELETE FROM begun WHERE name = ?", (name,))

    def begun(self, name: str) -> Body | None:
        """The answers of sites in an unfinished sum; None if no vector can have been sent."""
        row = self._connection.execute("SELECT content FROM begun WHERE name = ?", (name,)).fetchone()
        return None if row is None else unpacked(bytes(row[0]))

    def begin(self, name: str, answers: Mapping[str, Any]) -> None:
        """Store the answers of sites in a sum."""
        with transaction(self._connection):
            self._connection.execute("REPLACE INTO begun VALUES (?, ?)", (name, packed(answers)))

    def forget(self, name: str) -> None:
        """Discard a sum that turned out to be useless."""
        with transaction(self._connection):
            self._connection.execute("DELETE FROM begun WHERE name = ?", (name,))

    def stop(self, reason: str | None) -> None:
        """Store why the last run stopped; None when one starts."""
        with transaction(self._connection):
            self._connection.execute("DELETE FROM stopped")
            if reason is not None:
                self._connection.execute("INSERT INTO stopped VALUES (?)", (reason,))


@contextmanager
def opened(folder: Path, agreement: Agreement) -> Iterator[FederationStore]:
    """The store of a folder, for the one coordinator that adds to it; created if it does not exist."""
    path = folder / FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(folder, f"cannot be made: {disk.reason(error)}") from None
    with suppress(FileExistsError):  # sums are for nobody else on this machine
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    with _KIND.locked(path), _KIND.connected(path) as connection:
        if is_new(connection):
            with transaction(connection):
                _KIND.create(connection)
                connection.execute("INSERT INTO federation VALUES (?)", (agreement.to_json(),))
        _KIND.check(path, connection)
        (text,) = connection.execute("SELECT agreement FROM federation").fetchone()
        if text != agreement.to_json():
            raise FileError(
                path,
                "holds the rounds of a federation with other settings; restore those settings, or move this "
                "file away to start again",
            )
        yield FederationStore(connection)


def rounds(folder: Path) -> dict[str, int]:
    """The finished rounds of a folder and the number of sites in each, even while a coordinator runs."""
    path = folder / FILE
    if not path.is_file():
        return {}
    with _KIND.connected(path) as connection:
        if is_new(connection):
            return {}
        _KIND.check(path, connection)
        return dict(connection.execute("SELECT name, sites FROM rounds ORDER BY rowid"))


def stopped(folder: Path) -> str | None:
    """Why the last run in a folder stopped; None if it did not."""
    path = folder / FILE
    if not path.is_file():
        return None
    with _KIND.connected(path) as connection:
        if is_new(connection):
            return None
        _KIND.check(path, connection)
        row = connection.execute("SELECT reason FROM stopped").fetchone()
        return None if row is None else str(row[0])
