"""The ledger of a site: every step of every sum is recorded before it is answered, and answered once.

It also holds the secrets of the sum in progress, and the epsilon of every vector that has left the site.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from bnfuse._base.sqlite import Kind, is_new, transaction
from bnfuse.errors import FileError
from bnfuse.federated.protocol.participant import RefusedError
from bnfuse.federated.protocol.transcript import STEPS

FILE = "ledger.sqlite"
PRIVATE = 0o600

_KIND = Kind(
    name="the ledger of a site",
    application=0x626E666C,  # "bnfl"
    version=1,
    schema=(
        "CREATE TABLE steps (agreement TEXT, sum TEXT, attempt INTEGER, step TEXT, "
        "PRIMARY KEY (agreement, sum, attempt, step))",
        "CREATE TABLE progress (agreement TEXT, sum TEXT, content BLOB NOT NULL, PRIMARY KEY (agreement, sum))",
        "CREATE TABLE spent (agreement TEXT, sum TEXT, attempt INTEGER, epsilon TEXT NOT NULL, "
        "PRIMARY KEY (agreement, sum, attempt))",
        "CREATE TABLE allowed (agreement TEXT, sum TEXT, times INTEGER NOT NULL, PRIMARY KEY (agreement, sum))",
    ),
    elsewhere="another folder",
)


class Taken:
    """A step in progress. The values of `progress` and `cost` are recorded after it."""

    def __init__(self, attempt: int, progress: bytes, spent: Fraction) -> None:
        self.attempt = attempt
        self.progress = progress
        self.spent = spent  # by all vectors before
        self.cost: Fraction | None = None


@dataclass(frozen=True)
class Summary:
    """The content of a ledger, for the site's owner."""

    sent: dict[str, int] = field(default_factory=dict)
    """by the sum: the number of vectors that have left the site"""
    spent: Fraction = Fraction(0)


class Ledger:
    """The ledger in the folder of a site."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        with suppress(FileExistsError):
            try:
                os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE))
            except FileNotFoundError:
                raise FileError(self.path, "cannot be made: no such folder") from None
        with _KIND.connected(self.path) as connection:
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute("PRAGMA synchronous = FULL")
            if is_new(connection):
                with transaction(connection):
                    if is_new(connection):  # another process may have been faster
                        _KIND.create(connection)
            _KIND.check(self.path, connection)
            yield connection

    @contextmanager
    def step(self, agreement: str, sum_name: str, step: str) -> Iterator[Taken]:
        """Take a step: it is on disk at the end of the block, and not at all after an error; a second is refused.

        No other process takes a step during that time.
        """
        with self._connected() as connection, transaction(connection):
            taken = self._opened(connection, agreement, sum_name, step)
            yield taken
            connection.execute("INSERT INTO steps VALUES (?, ?, ?, ?)", (agreement, sum_name, taken.attempt, step))
            connection.execute("REPLACE INTO progress VALUES (?, ?, ?)", (agreement, sum_name, taken.progress))
            if taken.cost is not None:
                connection.execute(
                    "INSERT INTO spent VALUES (?, ?, ?, ?)", (agreement, sum_name, taken.attempt, str(taken.cost))
                )

    def _opened(self, connection: sqlite3.Connection, agreement: str, sum_name: str, step: str) -> Taken:
        of_sum = (agreement, sum_name)
        (last,) = connection.execute(
            "SELECT coalesce(max(attempt), 0) FROM steps WHERE agreement = ? AND sum = ?", of_sum
        ).fetchone()
        done = {
            str(one)
            for (one,) in connection.execute(
                "SELECT step FROM steps WHERE agreement = ? AND sum = ? AND attempt = ?", (*of_sum, last)
            )
        }
        if step == STEPS[0]:
            sent, allowed = self._sent(connection, *of_sum)
            if sent >= allowed:
                raise RefusedError(
                    f"this site has sent its {sum_name} already; to send it once more, which lets the coordinator "
                    f"compare two sums: bnfuse federated allow {self.path.parent} {sum_name}",
                    "once",
                )
            return Taken(last + 1, b"", _spent(connection))
        before = STEPS[STEPS.index(step) - 1]
        if step in done or before not in done:
            which = "again" if step in done else f"before the step {before!r}"
            raise RefusedError(f"the step {step!r} of the {sum_name} is asked for {which}", "once")
        (progress,) = connection.execute(
            "SELECT content FROM progress WHERE agreement = ? AND sum = ?", of_sum
        ).fetchone()
        return Taken(last, bytes(progress), _spent(connection))

    def _sent(self, connection: sqlite3.Connection, agreement: str, sum_name: str) -> tuple[int, int]:
        """The number of vectors of a sum that have left, and the number that may."""
        (sent,) = connection.execute(
            "SELECT count(*) FROM steps WHERE agreement = ? AND sum = ? AND step = 'masked'", (agreement, sum_name)
        ).fetchone()
        row = connection.execute(
            "SELECT times FROM allowed WHERE agreement = ? AND sum = ?", (agreement, sum_name)
        ).fetchone()
        return int(sent), 1 if row is None else int(row[0])

    def allow(self, agreement: str, sum_name: str) -> int:
        """Let one more vector of a sum leave, if one has left; returns the number that may."""
        with self._connected() as connection, transaction(connection):
            sent, allowed = self._sent(connection, agreement, sum_name)
            times = max(allowed, sent + 1)
            connection.execute("REPLACE INTO allowed VALUES (?, ?, ?)", (agreement, sum_name, times))
        return times

    def summary(self, agreement: str) -> Summary:
        """The vectors that have left the site."""
        if not self.path.exists():
            return Summary()
        with self._connected() as connection:
            rows = connection.execute(
                "SELECT sum, count(*) FROM steps WHERE agreement = ? AND step = 'masked' GROUP BY sum", (agreement,)
            )
            return Summary({str(name): int(times) for name, times in rows}, _spent(connection))


def _spent(connection: sqlite3.Connection) -> Fraction:
    return sum((Fraction(one) for (one,) in connection.execute("SELECT epsilon FROM spent")), Fraction(0))
