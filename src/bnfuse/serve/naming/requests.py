"""The request for the table of names: proposals from a worker, computed once for each question, and decisions."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from bnfuse.serve.http.api import name_of, service_of
from bnfuse.serve.http.replies import Reply
from bnfuse.serve.meeting.items import item_key
from bnfuse.serve.meeting.lines import Now
from bnfuse.serve.naming.decisions import TALLY, holdings_of
from bnfuse.serve.naming.proposals import may_differ
from bnfuse.serve.service import Service, file_facts
from bnfuse.serve.workspace.state import State, StateNames, VariableName
from bnfuse.serve.workspace.store import WorkspaceStore

_MOST_KEPT = 64
_NOTHING: dict[str, Any] = {"sentence": "", "rows": [], "alone": []}

Files = dict[str, dict[str, Any]]


class Proposals:
    """Recent proposals of workers: everybody who has the page open requests the same."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._found: OrderedDict[tuple[str, str], asyncio.Task[dict[str, Any]]] = OrderedDict()

    async def get(self, name: str, question: State, files: Files) -> dict[str, Any]:
        """The proposals for a question."""
        place = name, question.names_key
        task = self._found.get(place)
        if task is None or (task.done() and (task.cancelled() or task.exception() is not None)):
            task = self._found[place] = asyncio.get_running_loop().create_task(self._ask(name, question, files))
        self._found.move_to_end(place)
        while len(self._found) > _MOST_KEPT:
            self._found.popitem(last=False)
        return await asyncio.shield(task)

    async def _ask(self, name: str, question: State, files: Files) -> dict[str, Any]:
        job = self._service.job(name, "align", question, files, "quick", {})
        return (await self._service.schedule.run(name, job)).facts

    def end(self) -> None:
        """Stop all work in progress."""
        for task in self._found.values():
            task.cancel()


async def alignment(request: Request) -> Response:
    """Names and states that differ: the proposals, the variables that not all inputs have, and the decisions."""
    name, service = name_of(request), service_of(request)
    now, files, decided, differs = await service.folder.use(name, _looked)
    found = await request.app.state.proposals.get(name, now.question, files) if differs else _NOTHING
    return Reply({"revision": now.revision, **found, "decided": decided})


def _looked(store: WorkspaceStore) -> tuple[Now, Files, list[dict[str, Any]], bool]:
    now = store.now()
    question, files = now.question, file_facts(store, now.question)
    held = [
        (one, holdings_of(files[one.file], one.place), files[one.file]["inputs"][one.place]["has_tables"])
        for one in question.counted
        if files[one.file]["kind"] != TALLY
    ]
    return now, files, _decided(store, question), len(held) > 1 and may_differ(question, held)


def _decided(store: WorkspaceStore, question: State) -> list[dict[str, Any]]:
    """The decisions, with their authors and times."""
    made, inputs = store.last_changes(), {one.id: one.name for one in question.inputs}
    rows: list[tuple[str, VariableName | StateNames, dict[str, Any]]] = [
        *(("variable", one, {"name": one.name, "states": None}) for one in question.names),
        *(
            ("states", one, {"name": None, "states": [{"state": a, "becomes": b} for a, b in one.states]})
            for one in question.labels
        ),
    ]
    nobody = {"who": "", "time": ""}
    return [
        {
            **{"id": one.id, "input": inputs.get(one.id, ""), "variable": one.variable, **what},
            **made.get(item_key(kind, one.id, one.variable), nobody),
        }
        for kind, one, what in rows
    ]
