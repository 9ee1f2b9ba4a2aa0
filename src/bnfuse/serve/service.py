"""The work of workspaces: changes are stored and reported, answers searched, improved and stored."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeVar

from bnfuse._base.options import one_of, thread_count
from bnfuse.errors import BnfuseError, OptionError
from bnfuse.search.proof.proof import check_provable
from bnfuse.serve import limits
from bnfuse.serve.applying import apply_changes, variables_of
from bnfuse.serve.events import Events
from bnfuse.serve.jobs.frames import Frame
from bnfuse.serve.jobs.schedule import Schedule
from bnfuse.serve.jobs.workers import Crew, DiedError, Job
from bnfuse.serve.meeting.items import Maker
from bnfuse.serve.meeting.lines import Now
from bnfuse.serve.workspace.comparing import shown_answer
from bnfuse.serve.workspace.folder import Folder, UnknownError
from bnfuse.serve.workspace.reading import KINDS
from bnfuse.serve.workspace.state import DIRECT, PROOF, QUICK, STAGES, State
from bnfuse.serve.workspace.store import Answer, Found, WorkspaceStore
from bnfuse.serve.workspace.uploads import Upload, check_room, file_name

_T = TypeVar("_T")
_NOBODY = Maker()
_ROWS_TOLD = 40  # disputes that are sent with their costs


@dataclass(slots=True)
class _Work:
    """The work in progress in a workspace."""

    now: Now
    """the question; in the meantime, somebody may add notes, which add another line to the history"""
    stages: tuple[str, ...]
    """the requested searches: during the work, somebody may request more"""
    task: asyncio.Task[None] | None = None
    facts: dict[str, Any] | None = None
    """the progress"""
    bound: float | None = None
    """what is proven so far"""

    def cancel(self) -> None:
        """Stop it."""
        if self.task is not None:
            self.task.cancel()


class Service:
    """All workspaces of a folder."""

    def __init__(self, folder: Folder, crew: Crew) -> None:
        self.folder, self.crew = folder, crew
        self.events = Events()
        self.schedule = Schedule(crew)
        self._work: dict[str, _Work] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._settled: dict[str, tuple[str, str | None]] = {}
        """the keys of questions on which work has ended: stopped by a person, or by an error"""
        self._undecidable: set[tuple[str, str, str]] = set()
        """workspaces, questions and efforts for which an error ended the work on disputes"""

    async def close(self) -> None:
        """Stop all work; acknowledged changes are already stored."""
        self.events.end()
        for task in self._tasks:
            if not task.cancelling():
                task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.crew.end()
        await self.folder.close()

    # Looking

    async def look(self, name: str, maker: Maker = _NOBODY) -> dict[str, Any]:
        """Everything about the present state except the large parts; starts a missing search."""
        now, noted, variables, answer, rounds = await self.folder.use(name, _looked)
        self._improve(name, now, now.question.stages)
        work = self._work.get(name)
        settled = self._settled.get(name)
        return {
            "revision": now.revision,
            "question": now.question.to_json(),
            "key": now.question.key,
            "noted": noted,
            "variables": variables,
            "can_undo": now.can_undo(maker),
            "can_redo": now.can_redo(maker),
            "solving": work.facts if work is not None else None,
            "answer": answer,
            "failed": settled[1] if settled is not None and settled[0] == now.question.key else None,
            "rounds": rounds,
        }

    # Changing

    async def change(self, name: str, changes: Any, maker: Maker = _NOBODY) -> dict[str, Any]:
        """One change, or a list of them: all are stored, or none."""
        given = changes if isinstance(changes, list) else [changes]
        if not 1 <= len(given) <= limits.MOST_CHANGES:
            raise OptionError(f"expected 1 to {limits.MOST_CHANGES} changes; got {len(given):,}")
        return (await self.changed(name, lambda store: apply_changes(store, given, maker), maker))[0]

    async def undo(self, name: str, maker: Maker = _NOBODY, revision: int | None = None) -> dict[str, Any]:
        """Undo a person's last change, or that of a line of the history."""
        return (await self.changed(name, lambda store: store.undo(revision), maker))[0]

    async def redo(self, name: str, maker: Maker = _NOBODY) -> dict[str, Any]:
        """Redo a person's last undone change."""
        return (await self.changed(name, WorkspaceStore.redo, maker))[0]

    async def add_file(
        self, name: str, file: str, content: bytes, kind: str | None, maker: Maker = _NOBODY
    ) -> dict[str, Any]:
        """Add the content of a file: all of it, or nothing."""
        called = file_name(file)
        if kind is not None:
            one_of("as", kind, KINDS)
        await self.folder.use(name, lambda store: check_room(store, len(content)))
        frame = await self.schedule.run(
            name, Job("read", {"name": called, "as": kind}, (content,), seconds=limits.SECONDS["read"])
        )
        facts = frame.facts | {"sha256": hashlib.sha256(content).hexdigest()}
        upload = Upload(called, content, {key: value for key, value in facts.items() if key != "said"})
        told, added = await self.changed(name, upload.keep, maker)
        return {"revision": told["revision"], "added": added, "kind": facts["kind"], "said": facts["said"]}

    async def freeze(self, name: str, called: str, maker: Maker = _NOBODY) -> dict[str, Any]:
        """Keep the present question with its answer as a round."""

        def keep(store: WorkspaceStore) -> None:
            if len(store.rounds()) >= limits.MOST_ROUNDS:
                raise OptionError(f"there are {limits.MOST_ROUNDS:,} rounds already")
            answer = store.best(store.now().question.key)
            if answer is None:
                raise OptionError("there is no answer yet to freeze")
            store.freeze(called, answer)

        told, _ = await self.changed(name, keep, maker)
        return {"revision": told["revision"], "rounds": await self.folder.use(name, _rounds)}

    async def changed(
        self, name: str, change: Callable[[WorkspaceStore], _T], maker: Maker = _NOBODY
    ) -> tuple[dict[str, Any], _T]:
        """Change a workspace in its store, and report it; returns the report and the result of the change."""

        def do(store: WorkspaceStore) -> tuple[Now, dict[str, Any], dict[str, Any] | None, dict[str, Any] | None, _T]:
            before = store.now()
            with store.made_by(maker):
                given = change(store)
            now = store.now()
            key = now.question.key
            known = None if key == before.question.key else store.best(key)
            shown = None if known is None else shown_answer(store, known, now.revision)
            told = {"revision": now.revision, "question": now.question.to_json(), "key": key}
            return now, told | {"noted": store.noted(now.question)}, _news(store, before, now), shown, given

        now, told, news, known, given = await self.folder.use(name, do)
        if news is not None:
            self._settled.pop(name, None)
            self.events.tell(name, "changed", told | news)
            told |= news
        if known is not None:
            self.events.tell(name, "answer", {"revision": now.revision, "key": now.question.key, **known})
        self._improve(name, now, now.question.stages)
        return told | {"can_undo": now.can_undo(maker), "can_redo": now.can_redo(maker)}, given

    # Answering

    def _improve(self, name: str, now: Now, stages: tuple[str, ...]) -> None:
        """Work on the newest question, and on nothing else."""
        key, before = now.question.key, self._work.get(name)
        if before is not None:
            if before.now.question.key == key:
                before.now = now
                before.stages = tuple(one for one in STAGES if one in {*before.stages, *stages})
                return
            before.cancel()
        settled = self._settled.get(name)
        if not now.question.counted or (settled is not None and settled[0] == key):
            self._work.pop(name, None)
            return
        work = self._work[name] = _Work(now, stages)
        work.task = asyncio.get_running_loop().create_task(self._search(name, work))
        self._tasks.add(work.task)
        work.task.add_done_callback(self._tasks.discard)

    async def _search(self, name: str, work: _Work) -> None:
        """One search after the other; each answer is stored before it is reported."""
        key = work.now.question.key
        try:
            known, alike, others = await self.folder.use(name, lambda store: _known(store, work.now.question))
            work.bound = max((one.facts["bound"] for one in known if one.facts["bound"] is not None), default=None)
            done = {one.effort for one in known}
            first = () if alike is None or alike in done else (alike,)
            done |= others - {alike}
            is_proven = any(one.is_proven for one in known)
            while True:
                left = [effort for effort in (*first, *work.stages) if effort not in done]
                if left and not is_proven:  # nothing is closer than a result that is proven optimal
                    is_proven = await self._search_once(name, work, left[0])
                    done.add(left[0])
                elif not await self._decide(name, work):
                    return
        except Exception as error:
            problem = str(error) if isinstance(error, BnfuseError) else f"a bug in bnfuse: {error!r:.300}"
            self._settled[name] = key, problem
            self.events.tell(name, "failed", {"revision": work.now.revision, "error": problem})
        finally:
            if self._work.get(name) is work:
                del self._work[name]

    async def _search_once(self, name: str, work: _Work, effort: str) -> bool:
        """One search; returns whether its result is proven optimal."""

        def tell(progress: Mapping[str, Any]) -> None:
            now = {"revision": work.now.revision, "effort": effort, "done": False, "bound": work.bound}
            work.facts = {**now, **progress}
            self.events.tell(name, "solving", work.facts)

        tell({"step": 0, "steps": 0, "distance": None, "seconds": 0.0})
        question = work.now.question
        frame = await self._solved(name, question, effort, tell)
        found = _found(question, effort, frame)
        facts = await self.folder.use(name, lambda store: _kept(store, found, work.now.revision, question.bare.key))
        self.events.tell(name, "answer", {"revision": work.now.revision, "key": question.key, **facts})
        work.bound = found.facts["bound"]
        tell({"done": True, "distance": found.facts["distance"], "seconds": found.facts["seconds"]})
        return bool(found.facts["gap"] == 0)

    async def _solved(self, name: str, question: State, effort: str, tell: Any) -> Frame:
        """The result of a search; if it was done before people judged rows, only the tables are computed again."""
        bare = question.bare

        def parts(store: WorkspaceStore) -> tuple[dict[str, Any], str | None, bytes | None]:
            known = next((one for one in store.answers(bare.key) if one.effort == effort), None)
            saved = None if known is None else store.part(known, "saved")
            return file_facts(store, question), store.layout(question.places_key), saved

        files, layout, saved = await self.folder.use(name, parts)
        if saved is None:
            job = self.job(name, "solve", bare, files, effort, {"layout": layout}, progress=tell)
            frame = await self._done_twice(name, job, in_background=effort != question.stages[0])
            if bare is question:
                return frame
            found = _found(bare, effort, frame)
            await self.folder.use(name, lambda store: store.keep(found))
            saved, layout = found.saved, layout if found.layout is None else found.layout
        job = self.job(name, "tables", question, files, effort, {"layout": layout}, (saved,))
        return await self._done_twice(name, job, in_background=False)

    async def _decide(self, name: str, work: _Work) -> bool:
        """Solve the disputes of the best answer, once it is shown; returns whether there was anything to do."""
        question = work.now.question

        def parts(store: WorkspaceStore) -> tuple[Answer, dict[str, Any], bytes] | None:
            answer = store.undecided(question.key)
            return None if answer is None else (answer, file_facts(store, question), store.part(answer, "saved"))

        wanted = await self.folder.use(name, parts)
        if wanted is None or (name, question.key, wanted[0].effort) in self._undecidable:
            return False
        answer, files, saved = wanted
        work.facts = None  # the question is answered
        threads = {"threads": max(1, thread_count(None) - 1)}
        try:
            job = self.job(name, "disputes", question, files, answer.effort, threads, (saved,))
            frame = await self._done_twice(name, job, in_background=True)
        except BnfuseError as error:
            self._undecidable.add((name, question.key, answer.effort))
            told = {"revision": work.now.revision, "error": str(error), "of": "disputes"}
            self.events.tell(name, "failed", told)
            return True

        def keep(store: WorkspaceStore) -> None:
            for key in {question.key, question.bare.key}:
                store.decide(replace(answer, key=key), *frame.parts)

        await self.folder.use(name, keep)
        rows, page = map(json.loads, frame.parts)
        head = {"revision": work.now.revision, "key": question.key, "effort": answer.effort, **frame.facts}
        self.events.tell(name, "disputes", head | {"rows": rows[:_ROWS_TOLD], "page": page})
        return True

    async def _done_twice(self, name: str, job: Job, in_background: bool) -> Frame:
        """A job that nobody can request again: if its worker dies, it gets another one, once."""
        try:
            return await self.schedule.run(name, job, in_background)
        except DiedError as error:
            self.events.tell(name, "worker", {"error": str(error)})
            return await self.schedule.run(name, job, in_background)

    def job(
        self,
        name: str,
        do: str,
        question: State,
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
            "threads": thread_count(None) if effort == QUICK else max(1, thread_count(None) - 1),
            **more,
        }

        async def contents(ids: Sequence[str]) -> list[bytes]:
            return await self.folder.use(name, lambda store: [store.content(one) for one in ids])

        seconds = limits.SECONDS.get(effort if do == "solve" else do, limits.OTHER_SECONDS)
        return Job(do, facts, parts, contents, progress, seconds)

    async def solve(self, name: str, effort: Any) -> dict[str, Any]:
        """Request more work on the present question."""
        one_of("effort", effort if isinstance(effort, str) else repr(effort), STAGES)
        now = await self.folder.use(name, WorkspaceStore.now)
        if not now.question.counted:
            raise OptionError("no input is switched on")
        if effort == PROOF:
            _check_provable(now.question)
        self._settled.pop(name, None)
        self._improve(name, now, now.question.stages_to(effort))
        return {"revision": now.revision, "effort": effort}

    async def forget(self, name: str) -> None:
        """Stop all work on a workspace that is deleted, or has lost an input, as if it had never been requested."""
        if (work := self._work.pop(name, None)) is not None and work.task is not None:
            work.cancel()
            await asyncio.wait([work.task])
        self._settled.pop(name, None)
        self._undecidable = {one for one in self._undecidable if one[0] != name}

    async def stop(self, name: str) -> dict[str, Any]:
        """Stop the present search; the best answer so far stays."""
        now = await self.folder.use(name, WorkspaceStore.now)
        if (work := self._work.pop(name, None)) is not None:
            work.cancel()
            self._settled[name] = work.now.question.key, None
            self.events.tell(name, "solving", {"revision": now.revision, "done": True, "stopped": True})
        return {"revision": now.revision, "stopped": work is not None}


def _check_provable(question: State) -> None:
    """Refuse an impossible proof at once: the answer stays as it is."""
    if question.method != DIRECT:
        raise OptionError(f"only the direct search can prove its answer; the search is {question.method!r} now")
    check_provable(question.metric)


# In the thread of the stores


def _looked(
    store: WorkspaceStore,
) -> tuple[Now, dict[str, Any], list[str], dict[str, Any] | None, list[dict[str, Any]]]:
    now = store.now()
    best = store.best(now.question.key)
    answer = None if best is None else shown_answer(store, best, now.revision)
    return now, store.noted(now.question), variables_of(store, now.question), answer, _rounds(store)


def _rounds(store: WorkspaceStore) -> list[dict[str, Any]]:
    return [asdict(one) for one in store.rounds()]


def file_facts(store: WorkspaceStore, question: State) -> dict[str, dict[str, Any]]:
    """The names and facts of the files of a question, by their ids."""
    files = store.files()
    return {one: {"name": files[one].name, **files[one].facts} for one in question.files}


def _short(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts that workers need: they know the variables and states themselves."""
    own = [{key: one[key] for key in one if key not in ("variables", "states")} for one in facts.get("inputs", ())]
    return {key: value for key, value in facts.items() if key != "variables"} | {"inputs": own}


def _news(store: WorkspaceStore, before: Now, now: Now) -> dict[str, Any] | None:
    """The report of a change to everybody: enough to show it without a request."""
    if now.revision == before.revision:
        return None
    return {
        "variables": variables_of(store, now.question),
        "rounds": _rounds(store),
        "lines": store.lines(before.revision + 1, now.revision),
        "undo": now.undo,
        "redo": now.redo,
    }


def _found(question: State, effort: str, frame: Frame) -> Found:
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


def _known(store: WorkspaceStore, question: State) -> tuple[list[Answer], str | None, set[str]]:
    """The answers to a question, and to the one about its structure if that differs: the best, and all efforts.

    A search need not be repeated for other tables.
    """
    bare = question.bare
    if bare is question:
        return store.answers(question.key), None, set()
    best = store.best(bare.key)
    others = {one.effort for one in store.answers(bare.key)}
    return store.answers(question.key), None if best is None else best.effort, others


def _kept(store: WorkspaceStore, found: Found, revision: int, bare_key: str) -> dict[str, Any]:
    """Store a result; returns the facts of the best answer so far, which is not always the last."""
    store.keep(found)
    store.decide_alike(found.key, found.effort, bare_key)
    best = store.best(found.key)
    assert best is not None
    return shown_answer(store, best, revision)


async def known_answer(service: Service, name: str, revision: int | None) -> tuple[Now, Answer]:
    """The best answer to a question, the present one or that of a line of the history."""

    def find(store: WorkspaceStore) -> tuple[Now, Answer | None]:
        now = store.now()
        if revision is not None and revision != now.revision:
            now = replace(now, revision=revision, question=store.question_at(revision))
        return now, store.best(now.question.key)

    now, answer = await service.folder.use(name, find)
    if answer is None:
        raise UnknownError("there is no answer to this question yet")
    return now, answer
