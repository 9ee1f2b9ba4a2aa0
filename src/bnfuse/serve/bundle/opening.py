"""A bundle from elsewhere becomes a workspace: everything in it is checked first, and its files are read again."""

from __future__ import annotations

import io
import json
import sqlite3
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from types import NoneType
from typing import Any

from bnfuse._base.sqlite import transaction
from bnfuse.errors import FileError, OptionError
from bnfuse.serve import limits
from bnfuse.serve.bundle.erasing import all_files
from bnfuse.serve.bundle.packing import CONTENT, KIND, VERSION, columns, connection_of, tables, types, version_of
from bnfuse.serve.bundle.private import Rows, settle
from bnfuse.serve.drawing.drawing import check as check_drawing
from bnfuse.serve.drawing.drawing import file_of
from bnfuse.serve.meeting.panels import COUNTED, JUDGEMENTS, LEAST_SURE, MOST_SURE, OPEN, REVEALED
from bnfuse.serve.meeting.people import is_name
from bnfuse.serve.workspace.state import State, file_id
from bnfuse.serve.workspace.store import WorkspaceStore

_MOST_MEMBERS = 5_000
_PACKED = {("answers", "saved"), ("answers", "view"), ("frontiers", "saved"), ("frontiers", "view")}
_JSON = {
    **{("answers", "facts"): dict, ("answers", "disputes"): list, ("answers", "decided"): dict},
    **{
        ("files", "facts"): dict,
        ("frontiers", "facts"): dict,
        ("states", "question"): dict,
        ("places", "layout"): dict,
        ("panels", "pairs"): list,
        ("items", "key"): list,
    },
}
_FACTS = {"effort", "method", "metric", "distance", "bound", "gap", "max_clique_found", "variables", "arcs"}
_NEEDED = ("states", "history", "files", "answers", "rounds", "people", "panels", "judgements")
_TYPES = {"INTEGER": int, "TEXT": str, "BLOB": bytes}


@dataclass(frozen=True, slots=True)
class Bundle:
    """The content of a bundle, as rows of tables."""

    name: str
    """the name of the original workspace"""
    store: int
    """the version of its store"""
    tables: dict[str, Rows]


def opened_bundle(content: bytes, called: str) -> Bundle:
    """The content of a bundle; FileError for anything that is not one, or would grow too large."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            members = _members(file, called)
            whole = json.loads(_read(file, members[CONTENT]), parse_constant=_no_constant)
            if whole["kind"] != KIND or whole["version"] != VERSION:
                raise FileError(called, f"is not a bundle of version {VERSION}: open it with a newer bnfuse")
            own = {name: _rows(file, members, table) for name, table in whole["tables"].items()}
            bundle = Bundle(str(whole["name"]), int(whole["store"]), own)
        _check(bundle)
    except FileError:
        raise
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError) as error:
        raise FileError(called, f"is not a bundle of bnfuse serve, or a damaged one ({error})") from None
    except (OptionError, ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        raise FileError(called, f"is a damaged bundle ({type(error).__name__}: {error!s:.100})") from None
    return bundle


def _no_constant(name: str) -> float:
    raise ValueError(name)


def _members(file: zipfile.ZipFile, called: str) -> dict[str, zipfile.ZipInfo]:
    found = file.infolist()
    if len(found) > _MOST_MEMBERS or sum(one.file_size for one in found) > limits.MOST_BYTES_KEPT:
        most = limits.MOST_BYTES_KEPT >> 20
        raise FileError(called, f"unpacks to more than {most} MiB or {_MOST_MEMBERS:,} files, the limit")
    if len({one.filename for one in found}) < len(found):
        raise ValueError("two files have the same name")
    return {one.filename: one for one in found}


def _read(file: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    with file.open(member) as stream:  # which ends at the size that was counted, even if more follows
        return stream.read(member.file_size)


def _rows(file: zipfile.ZipFile, members: Mapping[str, zipfile.ZipInfo], table: Mapping[str, Any]) -> Rows:
    names: list[str] = table["columns"]

    def value(cell: Any) -> Any:
        if isinstance(cell, dict):
            return _read(file, members[cell["file"]])
        if not isinstance(cell, str | int | float | None) or isinstance(cell, bool):
            raise TypeError("a value is neither text nor a number")
        return cell

    return [dict(zip(names, map(value, row), strict=True)) for row in table["rows"]]


def _check(bundle: Bundle) -> None:
    """Refuse values that a store never holds."""
    for (table, column), kind in _JSON.items():
        for row in bundle.tables.get(table, ()):
            if row[column] is not None and not isinstance(json.loads(row[column]), kind):
                raise ValueError(f"{table}.{column}")
    for table, column in _PACKED:
        for row in bundle.tables.get(table, ()):
            _check_packed(row[column])
    _check_rows(bundle)


def _check_rows(bundle: Bundle) -> None:
    """Refuse rows that name missing ones, and files and questions that do not fit their names."""
    found = {table: bundle.tables[table] for table in _NEEDED}
    if not all(json.loads(row["facts"]).keys() >= _FACTS for row in found["answers"]):
        raise ValueError("the facts of an answer")
    for row in found["files"]:
        if row["id"] != file_id(row["name"], row["content"]):
            raise ValueError(f"the file {row['name']!r:.60} was changed")
    files, states = {row["id"] for row in found["files"]}, {row["id"] for row in found["states"]}
    for row in found["states"]:
        question = State.from_json(json.loads(row["question"]))
        if question.key != row["key"] or not files.issuperset(all_files(question)):
            raise ValueError(f"state {row['id']}")
        _check_drawings(question)
    answers = {(row["key"], row["effort"]) for row in found["answers"]}
    if not found["history"] or any(row["state"] not in states for row in found["history"]):
        raise ValueError("the history")
    if any((row["key"], row["effort"]) not in answers for row in found["rounds"]):
        raise ValueError("a round has no answer")
    _check_meeting(found["people"], found["panels"], found["judgements"])


def _check_drawings(question: State) -> None:
    """Refuse drawings that are not networks, or that do not fit their files."""
    files = {one.id: one.file for one in question.inputs}
    for own, drawing in question.drawings.items():
        check_drawing(drawing)
        if files.get(own) != file_of(own, drawing).id:
            raise ValueError(f"the drawing {drawing.called!r:.60}")


def _check_meeting(people: Rows, panels: Rows, judgements: Rows) -> None:
    """Refuse judgements of rounds that are still private, and invalid ones."""
    if any(row["folded"] != row["name"].casefold() or not is_name(row["name"]) for row in people):
        raise ValueError("the name of somebody")
    pairs = {row["id"]: [tuple(pair) for pair in json.loads(row["pairs"])] for row in panels}
    open_ones = {row["id"] for row in panels if row["state"] == OPEN}
    if any(row["state"] not in (OPEN, REVEALED, COUNTED) for row in panels):
        raise ValueError("the state of a private round")
    if not all(len(pair) == 2 and all(isinstance(one, str) for one in pair) for own in pairs.values() for pair in own):
        raise ValueError("the arcs of a private round")
    for row in judgements:
        is_known = row["panel"] in pairs and row["panel"] not in open_ones and row["judgement"] in JUDGEMENTS
        if not is_known or not LEAST_SURE <= row["confidence"] <= MOST_SURE:
            raise ValueError(f"a judgement in the private round {row['panel']!r:.20}")


def _check_packed(packed: bytes) -> None:
    """Refuse data that unpack to more than a file may hold, or that are not JSON."""
    unpacking = zlib.decompressobj()
    found = unpacking.decompress(packed, limits.MOST_UNPACKED + 1)
    if len(found) > limits.MOST_UNPACKED or not unpacking.eof:
        raise ValueError("an answer unpacks to too much")
    json.loads(found)


def fill(store: WorkspaceStore, bundle: Bundle, facts: Mapping[str, Mapping[str, Any]]) -> None:
    """Put a bundle into a new store; `facts` has, by its id, the content of each file as it was read here."""
    if bundle.store != version_of(store):
        raise OptionError(
            f"the bundle is of version {bundle.store} of workspaces, and this bnfuse has version {version_of(store)}: "
            "use the bnfuse that made it"
        )
    own = {table: columns(store, table) for table in tables(store)}
    for table, rows in bundle.tables.items():
        if table not in own or any(set(row) != set(own[table]) for row in rows):
            raise OptionError(f"the bundle has a table {table!r:.40} that a workspace does not have")
        kinds = {name: _TYPES[kind] for name, kind in types(store, table).items()}
        if any(type(value) not in (kinds[name], NoneType) for row in rows for name, value in row.items()):
            raise OptionError(f"the bundle is damaged: a value of the table {table} is of another type")
    settle(bundle.tables["people"])
    try:
        with transaction(connection_of(store)):
            _insert(store, own, bundle, facts)
    except sqlite3.IntegrityError:
        raise OptionError("the bundle is damaged: two rows of a table are the same, or a value is missing") from None


def _insert(
    store: WorkspaceStore, own: Mapping[str, list[str]], bundle: Bundle, facts: Mapping[str, Mapping[str, Any]]
) -> None:
    for table, names in own.items():
        connection_of(store).execute(f'DELETE FROM "{table}"')
        marks = ", ".join("?" * len(names))
        for row in bundle.tables.get(table, ()):
            if table == "files":
                row["facts"] = json.dumps(facts[row["id"]])
            connection_of(store).execute(f'INSERT INTO "{table}" VALUES ({marks})', [row[name] for name in names])
    if connection_of(store).execute("PRAGMA foreign_key_check").fetchone() is not None:
        raise OptionError("the bundle is damaged: a row names another one that is not there")
