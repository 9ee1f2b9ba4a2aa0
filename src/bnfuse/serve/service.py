"""What workspaces do, whoever asks: changes are kept and told, answers searched for, improved and kept."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from bnfuse._errors import BnfuseError, OptionError
from bnfuse._options import one_of, thread_count
from bnfuse._texts import count, listed
from bnfuse.serve import limits
from bnfuse.serve.changes import changed
from bnfuse.serve.events import Events
from bnfuse.serve.folder import Folder, UnknownError
from bnfuse.serve.frames import Frame
from bnfuse.serve.question import DIRECT, STAGES, DataFile, Input, Question, file_id
from bnfuse.serve.reading import DATA, KINDS
from bnfuse.serve.schedule import Schedule
from bnfuse.serve.store import Answer, Found, Now, Store, StoredFile
from bnfuse.serve.workers import Crew, Job


@dataclass(slots=True)
class _Work:
    """What goes on in a workspace."""

    key: str
    task: asyncio.Task[None]
    more: str | None = None
    """an effort that somebody asked for, beyond the question's own"""
    facts: dict[str, Any] | None = None
    """how far it is"""


class Service:
    """All workspaces of a folder."""

    def __init__(self, folder: Folder, crew: Crew) -> None:
        self.folder, self.crew = folder, crew
        self.events = Events()
        self.schedule = Schedule(crew)
        self._work: dict[str, _Work] = {}
        self._failures: dict[str, tuple[str, str]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """Stop all work; what was acknowledged is kept already."""
        self.events.end()
        for work in tuple(self._work.values()):
            work.task.cancel()
        for work in tuple(self._work.values()):
            with contextlib.suppress(BaseException):
                await work.task
        await self.crew.end()
        await self.folder.close()

    # Looking

    async def look(self, name: str) -> dict[str, Any]:
        """Everything about the present state but the large parts; a search that is missing starts."""
        now, variables, answer, rounds = await self.folder.use(name, _looked)
        self._improve(name, now)
        work = self._work.get(name)
        failure = self._failures.get(name)
        return {
            "revision": now.revision,
            "question": now.question.to_json(),
            "variables": variables,
            "can_undo": now.undo,
            "can_redo": now.redo,
            "solving": work.facts if work is not None else None,
            "answer": answer,
            "failed": failure[1] if failure is not None and failure[0] == now.question.key else None,
            "rounds": rounds,
        }

    # Changing

    async def change(self, name: str, changes: Any) -> dict[str, Any]:
        """One change, or a list of them: all are kept, or none."""
        given = changes if isinstance(changes, list) else [changes]
        if not 1 <= len(given) <= limits.MOST_CHANGES:
            raise OptionError(f"expected 1 to {limits.MOST_CHANGES} changes; got {len(given):,}")
        return await self._changed(name, lambda store: _apply(store, given))

    async def undo(self, name: str) -> dict[str, Any]:
        """Take the last change back."""
        return await self._changed(name, Store.undo)

    async def redo(self, name: str) -> dict[str, Any]:
        """Do again what was taken back last."""
        return await self._changed(name, Store.redo)

    async def add_file(self, name: str, file: str, content: bytes, kind: str | None) -> dict[str, Any]:
        """Add what a file holds: all of it, or nothing."""
        called = file_name(file)
        if kind is not None:
            one_of("as", kind, KINDS)
        if not content:
            raise OptionError(f"{called}: is empty")
        await self.folder.use(name, lambda store: _check_room(store, content))
        frame = await self.schedule.run(
            name, Job("read", {"name": called, "as": kind}, (content,), seconds=limits.SECONDS["read"])
        )
        facts = frame.facts
        said = facts.pop("said")
        facts["sha256"] = hashlib.sha256(content).hexdigest()
        added: list[str] = []

        def keep(store: Store) -> int:
            added[:] = []
            question, stored, words = _with_file(store, called, content, facts, added)
            return store.add_file(stored, content, question, words)

        told = await self._changed(name, keep)
        return {"revision": told["revision"], "added": added, "kind": facts["kind"], "said": said}

    async def _changed(self, name: str, change: Any) -> dict[str, Any]:
        def do(store: Store) -> tuple[Now, bool]:
            before = store.now().revision
            change(store)
            now = store.now()
            return now, now.revision != before

        now, is_new = await self.folder.use(name, do)
        told = {"revision": now.revision, "question": now.question.to_json()}
        if is_new:
            self.events.tell(name, "changed", told | {"can_undo": now.undo, "can_redo": now.redo})
        self._improve(name, now)
        return told

    # Answering

    def _improve(self, name: str, now: Now, more: str | None = None) -> None:
        """Let the newest question be worked on, and nothing else."""
        key, work = now.question.key, self._work.get(name)
        if work is not None:
            if work.key == key and (more is None or more == work.more):
                return
            work.task.cancel()
        if not now.question.counted or (self._failures.get(name, ("", ""))[0] == key and more is None):
            self._work.pop(name, None)
            return
        self._failures.pop(name, None)
        stages = now.question.stages if more is None else STAGES[: STAGES.index(more) + 1]
        if now.question.method != DIRECT:
            stages = now.question.stages
        after = None if work is None else work.task
        task = asyncio.get_running_loop().create_task(self._search(name, now, stages, after))
        self._work[name] = _Work(key, task, more)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _search(self, name: str, now: Now, stages: Sequence[str], after: asyncio.Task[None] | None) -> None:
        """One search after the other; each answer is kept before it is told."""
        me = asyncio.current_task()
        try:
            if after is not None:
                await asyncio.wait([after])
            known = await self.folder.use(name, lambda store: store.answers(now.question.key))
            done = {one.effort for one in known}
            for effort in stages:
                if effort not in done:
                    await self._search_once(name, now, effort, is_first=effort == stages[0])
        except BnfuseError as error:
            self._failures[name] = now.question.key, str(error)
            self.events.tell(name, "failed", {"revision": now.revision, "error": str(error)})
        finally:
            work = self._work.get(name)
            if work is not None and work.task is me:
                del self._work[name]

    async def _search_once(self, name: str, now: Now, effort: str, is_first: bool) -> None:
        def tell(progress: Mapping[str, Any]) -> None:
            work = self._work.get(name)
            if work is not None:
                facts = {"revision": now.revision, "effort": effort, "done": False, **progress}
                work.facts = facts
                self.events.tell(name, "solving", facts)

        tell({"step": 0, "steps": 0, "distance": None, "seconds": 0.0})
        question = now.question
        files, layout = await self.folder.use(
            name, lambda store: (file_facts(store, question), store.layout(question.places_key))
        )
        frame = await self.schedule.run(
            name,
            self.job(name, "solve", question, files, effort, {"layout": layout}, progress=tell),
            in_background=not is_first,
        )
        found = _found(question, effort, frame)
        facts = await self.folder.use(name, lambda store: _kept(store, found, now))
        self.events.tell(name, "answer", {"revision": now.revision, **facts})
        tell({"done": True, "distance": found.facts["distance"], "seconds": found.facts["seconds"]})

    def job(
        self,
        name: str,
        do: str,
        question: Question,
        files: Mapping[str, Mapping[str, Any]],
        effort: str,
        more: Mapping[str, Any],
        parts: tuple[bytes, ...] = (),
        progress: Any = None,
    ) -> Job:
        """A job about a question of a workspace."""
        needed = {one: {"name": files[one]["name"], "kind": files[one]["kind"]} for one in question.files}
        facts = {
            "question": question.to_json(),
            "files": needed,
            "facts": {one: _short(files[one]) for one in question.files},
            "effort": effort,
            "threads": thread_count(None) if effort == STAGES[0] else max(1, thread_count(None) - 1),
            **more,
        }

        async def contents(ids: Sequence[str]) -> list[bytes]:
            return await self.folder.use(name, lambda store: [store.content(one) for one in ids])

        seconds = limits.SECONDS.get(effort if do == "solve" else do, limits.OTHER_SECONDS)
        return Job(do, facts, parts, contents, progress, seconds)

    async def solve(self, name: str, effort: Any) -> dict[str, Any]:
        """Ask for more on the present question."""
        one_of("effort", effort if isinstance(effort, str) else repr(effort), STAGES)
        now = await self.folder.use(name, Store.now)
        if not now.question.counted:
            raise OptionError("no input is switched on")
        self._improve(name, now, effort)
        return {"revision": now.revision, "effort": effort}

    async def stop(self, name: str) -> dict[str, Any]:
        """Stop what is being searched; the best answer so far stays."""
        now = await self.folder.use(name, Store.now)
        if (work := self._work.pop(name, None)) is not None:
            work.task.cancel()
            self.events.tell(name, "solving", {"revision": now.revision, "done": True, "stopped": True})
        return {"revision": now.revision, "stopped": work is not None}


# In the thread of the stores


def _looked(store: Store) -> tuple[Now, list[str], dict[str, Any] | None, list[dict[str, Any]]]:
    now = store.now()
    best = store.best(now.question.key)
    answer = None if best is None else shown_answer(store, best, now.revision)
    return now, variables_of(store, now.question), answer, [asdict(one) for one in store.rounds()]


def shown_answer(store: Store, answer: Answer, revision: int) -> dict[str, Any]:
    """An answer without its large parts, with what changed since the one that was shown before."""
    facts = {key: value for key, value in answer.facts.items() if key not in ("arcs", "variables")}
    return facts | {"arcs": len(answer.facts["arcs"]), "changed": changed_arcs(store, answer, revision)}


def changed_arcs(store: Store, answer: Answer, revision: int) -> dict[str, list[int]]:
    """The arcs that came, went and turned, as codes: source * variables + target, by the answer's own variables."""
    key = store.key_before(revision)
    before = None if key is None else store.best(key)
    if before is None:
        return {"came": [], "went": [], "turned": []}
    return compared_arcs(before.facts["arcs"], answer.facts["arcs"], answer.facts["variables"])


def compared_arcs(before: Sequence[Any], after: Sequence[Any], variables: Sequence[str]) -> dict[str, list[int]]:
    """The same between two lists of arcs; what has a variable that is not among these is left out."""
    index = {name: i for i, name in enumerate(variables)}
    old, new = {(a, b) for a, b in before}, {(a, b) for a, b in after}

    def codes(arcs: set[tuple[str, str]]) -> list[int]:
        return sorted(index[a] * len(index) + index[b] for a, b in arcs if a in index and b in index)

    turned = {(a, b) for a, b in new - old if (b, a) in old - new}
    return {
        "came": codes(new - old - turned),
        "went": codes(old - new - {(b, a) for a, b in turned}),
        "turned": codes(turned),
    }


def variables_of(store: Store, question: Question) -> list[str]:
    """All variables that inputs have, on or off."""
    files = store.files()
    used = dict.fromkeys(one.file for one in question.inputs)
    return list(dict.fromkeys(name for file in used for name in files[file].facts["variables"]))


def file_facts(store: Store, question: Question) -> dict[str, dict[str, Any]]:
    """By the ids of the files of a question: their names and facts."""
    files = store.files()
    return {one: {"name": files[one].name, **files[one].facts} for one in question.files}


def _short(facts: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in facts.items() if key != "variables"}


def _apply(store: Store, changes: Sequence[Any]) -> None:
    now = store.now()
    question = now.question
    variables = variables_of(store, question)
    if len(changes) == 1 and isinstance(changes[0], Mapping) and changes[0].get("kind") == "return":
        revision = changes[0].get("revision")
        if not isinstance(revision, int) or isinstance(revision, bool):
            raise OptionError(f"revision must be the number of a line of the history; got {revision!r:.60}")
        store.go_back_to(revision)
        return
    words = []
    for change in changes:
        after = changed(question, change, variables)
        if after.question != question:
            words.append(after.words)
        question = after.question
    if question != now.question:
        kind = changes[0]["kind"] if len(changes) == 1 else "several"
        store.change(question, kind, "; ".join(words))


def _check_room(store: Store, content: bytes) -> None:
    files = store.files()
    if len(files) >= limits.MOST_FILES:
        raise OptionError(f"the workspace has {limits.MOST_FILES} files already, removed ones included: start another")
    if store.bytes_kept() + len(content) > limits.MOST_BYTES_KEPT:
        raise OptionError(f"the files of a workspace may have {limits.MOST_BYTES_KEPT >> 20} MiB together")


def _with_file(
    store: Store, name: str, content: bytes, facts: dict[str, Any], added: list[str]
) -> tuple[Question, StoredFile, str]:
    """The question with a file; its inputs get names that no other has."""
    question = store.now().question
    own = file_id(name, content)
    used = {one.file for one in question.inputs} | ({question.data.id} if question.data is not None else set())
    if own in used:
        raise OptionError(f"{name}: is there already")
    others = {one.name.lower() for one in store.files().values() if one.id != own}
    called = _other_name(name, others)
    if called != name:
        own = file_id(called, content)
    stored = StoredFile(own, called, facts)
    if facts["kind"] == DATA:
        added.append(called)
        return replace(question, data=DataFile(own, called)), stored, f"added the data {called}"
    if len(question.inputs) + len(facts["inputs"]) > limits.MOST_INPUTS:
        raise OptionError(f"{called}: a workspace may have {limits.MOST_INPUTS:,} inputs")
    taken = {one.name for one in question.inputs}
    inputs = []
    for place, one in enumerate(facts["inputs"]):
        label = _free_name(one["name"][: limits.LONGEST_NAME] or called, taken)
        taken.add(label)
        inputs.append(Input(f"{own[:24]}{place:08x}", label, own, place))
    added += [one.name for one in inputs]
    words = f"added {listed(added, 3, str)}" if len(added) < 4 else f"added {count(len(added), 'input')} of {called}"
    return replace(question, inputs=(*question.inputs, *inputs)), stored, words


def _free_name(name: str, taken: set[str]) -> str:
    numbered = (f"{name} ({i})" if i > 1 else name for i in range(1, len(taken) + 2))
    return next(one for one in numbered if one not in taken)


def _other_name(name: str, taken: set[str]) -> str:
    """The name of a file that no other of the workspace has: only so can a command tell them apart."""
    stem, dot, endings = name.partition(".")
    stems = {one.partition(".")[0] for one in taken}
    numbered = (f"{stem} ({i}){dot}{endings}" if i > 1 else name for i in range(1, len(taken) + 2))
    return next(one for one in numbered if one.partition(".")[0].lower() not in stems)


def file_name(name: str) -> str:
    """The name of a dropped file as one that any folder can have: without folders and control characters."""
    last = re.split(r"[/\\]", name)[-1]
    plain = "".join(char if char.isprintable() and char not in '<>:"|?*' else "_" for char in last).strip(" .")
    if not plain:
        raise OptionError(f"{name!r:.60} is not the name of a file")
    stem, dot, ending = plain.rpartition(".")
    return plain if len(plain) <= limits.LONGEST_NAME else f"{stem[: limits.LONGEST_NAME - 20]}{dot}{ending[:16]}"


def _found(question: Question, effort: str, frame: Frame) -> Found:
    saved, view, disputes, layout = frame.parts
    return Found(
        question.key,
        effort,
        frame.facts,
        json.loads(disputes),
        saved,
        view,
        question.places_key,
        layout.decode() or None,
    )


def _kept(store: Store, found: Found, now: Now) -> dict[str, Any]:
    """Keep what was found; the facts of the best answer so far, which is not always the last."""
    store.keep(found)
    best = store.best(found.key)
    assert best is not None
    return shown_answer(store, best, now.revision)


async def known_answer(service: Service, name: str, revision: int | None) -> tuple[Now, Answer]:
    """The best answer to a question, the present one or that of a line of the history."""

    def find(store: Store) -> tuple[Now, Answer | None]:
        now = store.now()
        if revision is not None and revision != now.revision:
            now = replace(now, revision=revision, question=store.question_at(revision))
        return now, store.best(now.question.key)

    now, answer = await service.folder.use(name, find)
    if answer is None:
        raise UnknownError("there is no answer to this question yet")
    return now, answer
