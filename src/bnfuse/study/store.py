"""The results of a study in one store: each job's rows appear together or not at all."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from bnfuse._base.sqlite import Kind, is_new, transaction
from bnfuse.errors import FileError
from bnfuse.study.grid import FUSED, Grid, Instance, Job
from bnfuse.study.jobs import Outcome, RunRow

FILE = "study.sqlite"

_COLUMNS = [field.name for field in fields(RunRow)]
_KIND = Kind(
    name="a store of a study",
    application=0x626E6675,  # "bnfu"
    version=2,
    schema=(
        "CREATE TABLE study (grid TEXT NOT NULL)",
        "CREATE TABLE jobs (key TEXT PRIMARY KEY, base TEXT NOT NULL, inputs INTEGER NOT NULL, seed INTEGER NOT NULL, "
        "seconds REAL, problem TEXT)",
        f"CREATE TABLE rows (job TEXT NOT NULL REFERENCES jobs, {', '.join(_COLUMNS)}, "
        "PRIMARY KEY (job, algorithm, metric, max_clique))",
    ),
    elsewhere="another folder",
)


@dataclass(frozen=True, slots=True)
class Result:
    """A row of a finished job, with its place in the grid."""

    base: str
    inputs: int
    seed: int
    row: RunRow

    @property
    def is_real(self) -> bool:
        """Whether the base is a benchmark network."""
        return Instance(self.base, self.inputs, self.seed, "").is_real


class StudyStore:
    """An open store: see `writing` and `reading`."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection

    @property
    def grid(self) -> Grid:
        """The grid of the study."""
        (text,) = self._connection.execute("SELECT grid FROM study").fetchone()
        return Grid.from_json(text)

    def finished(self) -> dict[str, float]:
        """The keys of the jobs that need not run again, and the seconds that each took."""
        return dict(self._connection.execute("SELECT key, seconds FROM jobs WHERE problem IS NULL"))

    def failures(self) -> dict[str, str]:
        """The reasons for failures, by the key of the job."""
        return dict(self._connection.execute("SELECT key, problem FROM jobs WHERE problem IS NOT NULL ORDER BY key"))

    def results(self) -> list[Result]:
        """All rows of finished jobs, in the same order for every run."""
        columns = ", ".join(f"rows.{column}" for column in _COLUMNS)
        found = self._connection.execute(
            f"SELECT base, inputs, seed, {columns} FROM rows JOIN jobs ON jobs.key = rows.job "
            "ORDER BY jobs.key, rows.algorithm, rows.metric, rows.max_clique"
        )
        return [
            Result(base, r, seed, RunRow(**dict(zip(_COLUMNS, values, strict=True))))
            for base, r, seed, *values in found
        ]

    def fused_cliques(self) -> dict[tuple[str, int, int], int]:
        """The clique size of the full fusion, by base, number of inputs and seed, as far as it is known."""
        found = self._connection.execute(
            "SELECT base, inputs, seed, clique FROM rows JOIN jobs ON jobs.key = rows.job WHERE algorithm = ?", (FUSED,)
        )
        return {(base, inputs, seed): clique for base, inputs, seed, clique in found}

    def add(self, job: Job, outcome: Outcome) -> None:
        """Keep the results of a job. Doing so again changes nothing."""
        with transaction(self._connection):
            if self._insert(job, outcome.seconds, None):
                rows = [(job.key, *astuple(row)) for row in outcome.rows]
                columns = ", ".join(("job", *_COLUMNS))
                self._connection.executemany(f"INSERT INTO rows ({columns}) VALUES (?{', ?' * len(_COLUMNS)})", rows)

    def add_failure(self, job: Job, problem: str) -> None:
        """Keep the reason why a job failed. The next run tries it again."""
        with transaction(self._connection):
            self._insert(job, None, problem)

    def _insert(self, job: Job, seconds: float | None, problem: str | None) -> bool:
        """Whether the job was not finished before."""
        self._connection.execute("DELETE FROM jobs WHERE key = ? AND problem IS NOT NULL", (job.key,))
        place = job.instance
        facts = (job.key, place.base, place.inputs, place.seed, seconds, problem)
        added = self._connection.execute("INSERT OR IGNORE INTO jobs VALUES (?, ?, ?, ?, ?, ?)", facts)
        return added.rowcount == 1


@contextmanager
def writing(folder: Path, grid: Grid | None) -> Iterator[StudyStore]:
    """The store of a folder for the one process that adds to it; created if it does not exist.

    `grid` is the grid to run; None continues an existing study.
    """
    path = folder / FILE
    if grid is None and not path.exists():
        raise FileError(folder, "holds no study to continue; name a preset to start one")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(folder, f"cannot be written: {(error.strerror or str(error)).lower()}") from None
    with _KIND.locked(path), _KIND.connected(path) as connection:
        _prepare(path, connection, grid)
        yield StudyStore(path, connection)


@contextmanager
def reading(folder: Path) -> Iterator[StudyStore]:
    """The store of a folder for reading, even while a run adds to it."""
    path = folder / FILE
    if not path.is_file():
        raise FileError(folder, f"holds no study; to start one: bnfuse study run --preset smoke -o {folder}")
    with _KIND.connected(path) as connection:
        _KIND.check(path, connection)
        yield StudyStore(path, connection)


def _prepare(path: Path, connection: sqlite3.Connection, grid: Grid | None) -> None:
    if grid is None or not is_new(connection):
        _KIND.check(path, connection)
        there = StudyStore(path, connection).grid
        if grid is not None and grid != there:
            raise FileError(
                path,
                f"holds a study with other settings (preset {there.preset}); continue that one without any, or choose "
                "another folder",
            )
        return
    with transaction(connection):
        _KIND.create(connection)
        connection.execute("INSERT INTO study VALUES (?)", (grid.to_json(),))
