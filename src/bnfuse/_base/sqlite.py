"""Stores: SQLite files in which either all of an addition appears or none of it.

SQLite's rollback journal ensures this even after kill -9, power cuts and full disks, and there is a single file. Only
one process adds; its lock, which ends with the process, keeps others out.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from bnfuse._base import disk
from bnfuse.errors import FileError

_HEAD, _MAGIC = 100, b"SQLite format 3\0"
_VERSION, _APPLICATION = 60, 68  # the offsets in a file: https://sqlite.org/fileformat2.html
_WAIT = 60.0  # seconds to wait for another process that is reading or writing


@dataclass(frozen=True, slots=True)
class Kind:
    """Common properties of the stores of one kind."""

    name: str
    """as in "a store of a study" """
    application: int
    """four bytes in the file that distinguish it from those of other kinds and programs"""
    version: int
    schema: tuple[str, ...]
    elsewhere: str
    """another place for one, as in "another folder" """
    in_use: str = "another run is adding to it; wait for it"
    """why it cannot be opened while another process uses it, and what to do"""
    once_more: str = "run the same command again"
    """what to do when the disk has space again"""

    def create(self, connection: sqlite3.Connection) -> None:
        """Make its tables, within a transaction."""
        for statement in (
            *self.schema,
            f"PRAGMA application_id = {self.application}",
            f"PRAGMA user_version = {self.version}",
        ):
            connection.execute(statement)

    def check(self, path: Path, connection: sqlite3.Connection) -> None:
        """Refuse a file of another kind, program or version."""
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if (problem := self._problem(application, version)) is not None:
            raise FileError(path, problem)

    def problem_of(self, path: Path) -> str | None:
        """Why a file is not one of this kind, by its first bytes alone: the file is not opened."""
        with path.open("rb") as file:
            head = file.read(_HEAD)
        if len(head) < _HEAD or not head.startswith(_MAGIC):
            return f"is not {self.name}"
        version, application = (int.from_bytes(head[place : place + 4], "big") for place in (_VERSION, _APPLICATION))
        return self._problem(application, version)

    def _problem(self, application: int, version: int) -> str | None:
        if application != self.application:
            return f"is not {self.name}"
        if version == self.version:
            return None
        return (
            f"is a store of version {version}, and this bnfuse knows version {self.version}; use the bnfuse that made "
            f"it, or choose {self.elsewhere}"
        )

    @contextmanager
    def connected(self, path: Path) -> Iterator[sqlite3.Connection]:
        """A connection on which only `transaction` opens transactions, and whose errors are bnfuse's own."""
        try:
            with closing(sqlite3.connect(path, _WAIT, isolation_level=None)) as connection:
                yield connection
        except sqlite3.Error as error:
            raise FileError(path, self._reason(error)) from None

    @contextmanager
    def locked(self, path: Path) -> Iterator[None]:
        """No other process adds to this store within the block."""
        beside = path.with_name(f"{path.name}.lock")
        try:
            lock = beside.open("ab")
        except OSError as error:
            raise FileError(path, f"cannot be written: {disk.reason(error)}") from None
        with lock:
            try:
                disk.lock(lock)
                if not os.path.samestat(os.fstat(lock.fileno()), beside.stat()):  # its process has just removed it
                    raise FileNotFoundError
            except OSError:
                raise FileError(path, f"{self.in_use}, or choose {self.elsewhere}") from None
            try:
                yield
            finally:
                with suppress(OSError):  # Windows cannot remove an open file
                    beside.unlink()

    def _reason(self, error: sqlite3.Error) -> str:
        name = getattr(error, "sqlite_errorname", "")
        if name == "SQLITE_NOTADB":
            return f"is not {self.name}"
        if name.startswith(("SQLITE_FULL", "SQLITE_IOERR")):
            problem = "the disk is full" if name == "SQLITE_FULL" else "the disk cannot be written"
            return f"{problem}; make room and {self.once_more}: what is finished is kept"
        return f"SQLite says: {error}"


def is_new(connection: sqlite3.Connection) -> bool:
    """Whether a file is still empty."""
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    return not tables


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Changes within the block appear together or, after an error, not at all."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:  # including Ctrl-C
        if connection.in_transaction:  # some errors have already ended it
            connection.execute("ROLLBACK")
        raise
