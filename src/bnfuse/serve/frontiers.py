"""The frontier of a question: searched on request, in the background, and kept."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

from bnfuse.errors import BnfuseError, OptionError
from bnfuse.serve.meeting.lines import Now
from bnfuse.serve.service import Service, file_facts, known_answer
from bnfuse.serve.workspace.store import Answer, WorkspaceStore


@dataclass(slots=True)
class _Search:
    key: str
    task: asyncio.Task[None] | None = None
    problem: str | None = None


class Frontiers:
    """Frontiers in progress: one for each workspace, that of the question that was requested last."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._searches: dict[str, _Search] = {}

    async def get(self, name: str, seconds: float) -> dict[str, Any] | None:
        """The frontier of the present question; None if it is not ready within the given seconds."""
        now, answer = await known_answer(self._service, name, None)
        key = now.question.key
        if (found := await self._known(name, key)) is not None:
            return found
        search = self._searches.get(name)
        if search is None or search.key != key:
            if search is not None and search.task is not None:
                search.task.cancel()
            search = self._searches[name] = _Search(key)
            search.task = asyncio.get_running_loop().create_task(self._search(name, now, answer, search))
        assert search.task is not None
        await asyncio.wait([search.task], timeout=seconds)
        if search.problem is not None:
            raise OptionError(search.problem)
        return await self._known(name, key) if search.task.done() else None

    def end(self) -> None:
        """Stop all searches."""
        for search in self._searches.values():
            if search.task is not None:
                search.task.cancel()

    async def _known(self, name: str, key: str) -> dict[str, Any] | None:
        return await self._service.folder.use(name, lambda store: store.frontier(key))

    async def _search(self, name: str, now: Now, answer: Answer, search: _Search) -> None:
        service, question = self._service, now.question

        def parts(store: WorkspaceStore) -> tuple[Any, ...]:
            return file_facts(store, question), store.layout(question.places_key), store.part(answer, "saved")

        try:
            files, layout, saved = await service.folder.use(name, parts)
            job = service.job(name, "frontier", question, files, answer.effort, {"layout": layout}, (saved,))
            frame = await service.schedule.run(name, job, in_background=True)
            facts = frame.facts | {"answer_effort": answer.effort}
            saved, view = frame.parts
            await service.folder.use(name, lambda store: store.keep_frontier(question.key, facts, saved, view))
            service.events.tell(name, "frontier", {"revision": now.revision, **facts})
        except BnfuseError as error:
            search.problem = str(error)
            service.events.tell(name, "failed", {"revision": now.revision, "error": str(error), "of": "frontier"})
        finally:
            if self._searches.get(name) is search:
                del self._searches[name]
