"""A workspace as one ZIP file: its inputs, minutes, result, what repeats the result, and all of its decisions as JSON.

`bundle.json` has the tables of the store, row by row; larger values are separate files. Nobody has to trust a database
from elsewhere: opening a bundle fills a new store with checked values.
"""

from __future__ import annotations

import io
import json
import sqlite3
import zipfile
from collections.abc import Iterator
from typing import Any

from bnfuse.serve.bundle.private import Rows, without_secrets
from bnfuse.serve.workspace.store import WorkspaceStore

KIND, VERSION, ENDING, MEDIA = "bnfuse bundle", 1, ".bnfuse", "application/zip"
CONTENT = "bundle.json"
INPUTS = "inputs"
_TIME = (1980, 1, 1, 0, 0, 0)  # the same workspace gives the same bytes
_READ_ME = """A workspace of bnfuse serve.

inputs/          the files that were added, each under a name of its own
minutes.md       who was asked, what was decided and noted, and the result
result.json      the consensus: bnfuse.Consensus.load("result.json")
make-again.sh    the command that makes it again from inputs/
make-again.py    the same in Python
bundle.json      all decisions, for bnfuse: bnfuse serve {name}{ending}

Judgements of private rounds that were not revealed when this was made are not in it.
Judgements that were given without names are in it without names.
"""


def packed(store: WorkspaceStore, name: str, beside: dict[str, bytes]) -> bytes:
    """A workspace, with files that are made from it."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as file:
        members: dict[str, bytes] = {}
        whole = {
            "kind": KIND,
            "version": VERSION,
            "store": version_of(store),
            "name": name,
            "tables": {
                table: _table(table, columns(store, table), rows, members)
                for table, rows in without_secrets(_rows(store)).items()
            },
        }
        texts = {"README.txt": _READ_ME.format(name=name, ending=ENDING).encode(), **beside}
        texts[CONTENT] = json.dumps(whole, separators=(",", ":")).encode()
        for path, own in {**texts, **members}.items():
            file.writestr(zipfile.ZipInfo(path, _TIME), own, zipfile.ZIP_DEFLATED)
    return content.getvalue()


def connection_of(store: WorkspaceStore) -> sqlite3.Connection:
    """The database of a store: work on whole tables is done here, and not in the store."""
    return store._connection


def version_of(store: WorkspaceStore) -> int:
    """The version of a store's tables."""
    (version,) = connection_of(store).execute("PRAGMA user_version").fetchone()
    return int(version)


def tables(store: WorkspaceStore) -> list[str]:
    """The tables of a store, by their names."""
    rows = connection_of(store).execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    return [name for (name,) in rows if not name.startswith("sqlite_")]


def columns(store: WorkspaceStore, table: str) -> list[str]:
    """The columns of a table."""
    return [row[1] for row in connection_of(store).execute(f'PRAGMA table_info("{table}")')]


def types(store: WorkspaceStore, table: str) -> dict[str, str]:
    """The types of its columns, by their names."""
    return {row[1]: row[2] for row in connection_of(store).execute(f'PRAGMA table_info("{table}")')}


def _rows(store: WorkspaceStore) -> dict[str, Rows]:
    found: dict[str, Rows] = {}
    for table in tables(store):
        names = columns(store, table)
        rows = connection_of(store).execute(f'SELECT * FROM "{table}" ORDER BY rowid')
        found[table] = [dict(zip(names, row, strict=True)) for row in rows]
    return found


def _table(table: str, names: list[str], rows: Rows, members: dict[str, bytes]) -> dict[str, Any]:
    return {"columns": names, "rows": [list(_cells(table, row, members)) for row in rows]}


def _cells(table: str, row: dict[str, Any], members: dict[str, bytes]) -> Iterator[Any]:
    for name, value in row.items():
        if isinstance(value, bytes):
            path = f"{INPUTS}/{row['name']}" if table == "files" else f"{table}/{len(members)}.{name}"
            members[path] = value
            yield {"file": path}
        else:
            yield value
