"""Permanent deletion of a file: its content, its inputs in every state, and all answers that were made with it."""

from __future__ import annotations

import json
from typing import Any

from bnfuse._base.sqlite import transaction
from bnfuse.errors import OptionError
from bnfuse.serve.bundle.packing import connection_of
from bnfuse.serve.workspace.folder import UnknownError
from bnfuse.serve.workspace.state import State
from bnfuse.serve.workspace.store import StoredFile, WorkspaceStore


def kept_files(store: WorkspaceStore) -> list[dict[str, Any]]:
    """All files of a workspace, including those of removed inputs, which undo restores."""
    used = all_files(store.now().question)
    last = {_whose(one): one for one in store.files().values()}  # only the last version of a drawing
    return [
        {
            "id": one.id,
            "name": _called(one),
            "kind": one.facts["kind"],
            "size": one.facts["size"],
            "in_use": bool(used & _versions(store, one)),
        }
        for one in last.values()
    ]


def _whose(file: StoredFile) -> str:
    return str(file.facts.get("drawn", file.id))


def _called(file: StoredFile) -> str:
    return str(file.facts["inputs"][0]["name"]) if "drawn" in file.facts else file.name


def _versions(store: WorkspaceStore, file: StoredFile) -> set[str]:
    """A file, or all versions of a drawing."""
    return {one.id for one in store.files().values() if _whose(one) == _whose(file)}


def erase(store: WorkspaceStore, file: str) -> None:
    """Delete a file that the present question does not use; this cannot be undone."""
    own = store.files().get(file)
    if own is None:
        raise UnknownError(f"there is no file {file!r:.60}")
    versions = _versions(store, own)
    if versions & all_files(store.now().question):
        raise OptionError(f"{_called(own)} is in use: remove its inputs first")
    connection = connection_of(store)
    connection.execute("PRAGMA secure_delete = ON")  # deleted data are overwritten
    with transaction(connection):
        stale: set[str] = set()
        for number, text in connection.execute("SELECT id, question FROM states").fetchall():
            before = State.from_json(json.loads(text))
            if not versions & all_files(before):
                continue
            stale |= {before.places_key, *([before.key, before.bare.key] if versions & {*before.files} else [])}
            after = _without(json.loads(text), versions)
            key = State.from_json(after).key
            connection.execute(
                "UPDATE states SET question = ?, key = ? WHERE id = ?",
                (json.dumps(after, separators=(",", ":")), key, number),
            )
        for key in stale:
            for table in ("answers", "frontiers", "places", "rounds"):
                connection.execute(f"DELETE FROM {table} WHERE key = ?", (key,))
        connection.executemany("DELETE FROM files WHERE id = ?", [(one,) for one in versions])
    connection.execute("VACUUM")
    store._files.clear()  # its cached facts about them


def all_files(question: State) -> set[str]:
    """The files of a question, including those of inputs that are off."""
    return {one.file for one in question.inputs} | ({question.data.id} if question.data is not None else set())


def _without(question: dict[str, Any], files: set[str]) -> dict[str, Any]:
    data = question["data"]
    kept = [one for one in question["inputs"] if one["file"] not in files]
    left = {one["id"] for one in kept}
    named = {part: [one for one in question.get(part, ()) if one["id"] in left] for part in ("names", "labels")}
    drawings = {own: one for own, one in question.get("drawings", {}).items() if own in left}
    of_data = None if data is not None and data["id"] in files else data
    return {**question, **named, "inputs": kept, "data": of_data, "drawings": drawings}
