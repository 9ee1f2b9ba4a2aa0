"""The content of a file becomes inputs, or the data, of a question, under unique names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from bnfuse._base.texts import count, listed
from bnfuse.errors import OptionError
from bnfuse.serve import limits
from bnfuse.serve.workspace.reading import DATA
from bnfuse.serve.workspace.state import DataFile, Input, State, file_id
from bnfuse.serve.workspace.store import StoredFile, WorkspaceStore

_NAMED = 3


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that can be read, and its content."""

    name: str
    content: bytes
    facts: Mapping[str, Any]

    def keep(self, store: WorkspaceStore) -> list[str]:
        """Add it to a workspace; returns the names of the new inputs."""
        question = store.now().question
        stored = self._stored(store, question)
        if self.facts["kind"] == DATA:
            after = replace(question, data=DataFile(stored.id, stored.name))
            store.add_file(stored, self.content, after, f"added the data {stored.name}")
            return [stored.name]
        inputs = self._inputs(question, stored)
        added = [one.name for one in inputs]
        words = listed(added, _NAMED, str) if len(added) <= _NAMED else f"{count(len(added), 'input')} of {stored.name}"
        after = replace(question, inputs=(*question.inputs, *inputs))
        store.add_file(stored, self.content, after, f"added {words}")
        return added

    def _stored(self, store: WorkspaceStore, question: State) -> StoredFile:
        files = store.files()
        name = _name_beside(self.name, [one.name for one in files.values() if one.id != self._id(self.name)])
        own = self._id(name)
        used = {one.file for one in question.inputs} | ({question.data.id} if question.data is not None else set())
        same = next((one for one in files.values() if one.id in used and self._id(one.name) == one.id), None)
        if same is not None:
            raise OptionError(f"{self.name}: was already added as {same.name}")
        return StoredFile(own, name, dict(self.facts))

    def _id(self, name: str) -> str:
        return file_id(name, self.content)

    def _inputs(self, question: State, stored: StoredFile) -> list[Input]:
        found = self.facts["inputs"]
        if len(question.inputs) + len(found) > limits.MOST_INPUTS:
            raise OptionError(f"{stored.name}: a workspace may have at most {limits.MOST_INPUTS:,} inputs")
        taken = {one.name for one in question.inputs}
        inputs = []
        for place, one in enumerate(found):
            label = free_name(one["name"][: limits.LONGEST_NAME] or stored.name, taken)
            taken.add(label)
            inputs.append(Input(f"{stored.id[:24]}{place:08x}", label, stored.id, place))
        return inputs


def check_room(store: WorkspaceStore, size: int) -> None:
    """Refuse a file for which a workspace has no room, before it is read."""
    if sum("drawn" not in one.facts for one in store.files().values()) >= limits.MOST_FILES:
        raise OptionError(f"the workspace has {limits.MOST_FILES} files already, removed ones included: start another")
    if store.bytes_kept() + size > limits.MOST_BYTES_KEPT:
        raise OptionError(f"the files of a workspace may have at most {limits.MOST_BYTES_KEPT >> 20} MiB together")


def file_name(name: str) -> str:
    """The name of a dropped file as one that is valid in any folder: without folders and control characters."""
    last = re.split(r"[/\\]", name)[-1]
    plain = "".join(char if char.isprintable() and char not in '<>:"|?*' else "_" for char in last).strip(" .")
    if not plain:
        raise OptionError(f"{name!r:.60} is not the name of a file")
    stem, dot, ending = plain.rpartition(".")
    return plain if len(plain) <= limits.LONGEST_NAME else f"{stem[: limits.LONGEST_NAME - 20]}{dot}{ending[:16]}"


def free_name(name: str, taken: set[str]) -> str:
    """A unique name: with a number if necessary."""
    numbered = (f"{name} ({i})" if i > 1 else name for i in range(1, len(taken) + 2))
    return next(one for one in numbered if one not in taken)


def _name_beside(name: str, others: list[str]) -> str:
    """A file name that differs from all others before the first dot, as networks are named by that part."""
    stem, dot, endings = name.partition(".")
    stems = {one.partition(".")[0].lower() for one in others}
    numbered = (f"{stem} ({i})" if i > 1 else stem for i in range(1, len(others) + 2))
    return next(one for one in numbered if one.lower() not in stems) + dot + endings
