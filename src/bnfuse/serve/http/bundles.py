"""Requests to export workspaces, and to delete permanently."""

from __future__ import annotations

import asyncio
import hashlib
import json
from contextlib import suppress
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from bnfuse.errors import FileError, OptionError
from bnfuse.serve import limits
from bnfuse.serve.bundle.erasing import erase, kept_files
from bnfuse.serve.bundle.opening import fill, opened_bundle
from bnfuse.serve.bundle.packing import ENDING, MEDIA, packed
from bnfuse.serve.http.api import answered_job, name_of, service_of
from bnfuse.serve.http.downloads import attachment
from bnfuse.serve.http.entrance.start_page import role_of
from bnfuse.serve.http.gate import RefusedError
from bnfuse.serve.http.replies import Reply
from bnfuse.serve.jobs.repeat import command, python
from bnfuse.serve.jobs.workers import Job
from bnfuse.serve.meeting.roles import Role
from bnfuse.serve.service import Service, file_facts, known_answer
from bnfuse.serve.workspace.folder import UnknownError
from bnfuse.serve.workspace.minutes import minutes
from bnfuse.serve.workspace.store import WorkspaceStore

_TO_INPUTS_SH = '#!/bin/sh\nset -e\ncd "$(dirname "$0")/inputs"\n'
_TO_INPUTS_PY = "import os\nimport pathlib\n\nos.chdir(pathlib.Path(__file__).parent / 'inputs')\n\n"


def _check_meant(request: Request) -> None:
    """Permanent deletion must be requested explicitly, and by somebody with that right."""
    _check_facilitator(request, "deletes for good")
    if request.query_params.get("for") != "good":
        raise OptionError("this cannot be undone: add ?for=good to the address if it is intended")


def _check_facilitator(request: Request, what: str) -> None:
    if role_of(request) is not Role.FACILITATOR:
        raise RefusedError(403, f"only the facilitator {what}")


async def take_bundle(request: Request) -> Response:
    """The workspace as one file, with its inputs, decisions, minutes and result: it can be opened elsewhere."""
    _check_facilitator(request, "takes a workspace elsewhere: private rounds and all notes are in it")
    name, service = name_of(request), service_of(request)
    beside = {"minutes.md": (await service.folder.use(name, lambda store: minutes(store, name))).encode()}
    with suppress(UnknownError):  # there may be no answer yet
        now, answer = await known_answer(service, name, None)
        files = await service.folder.use(name, lambda store: file_facts(store, now.question))
        beside |= {
            "make-again.sh": (_TO_INPUTS_SH + command(now.question, files, answer.effort)).encode(),
            "make-again.py": (_TO_INPUTS_PY + python(now.question, files, answer.effort)).encode(),
        }
        asked = {"kind": "saved", "called": name, "placeholders": False}
        beside["result.json"] = (await answered_job(request, "out", asked)).parts[0]
    content = await service.folder.use(name, lambda store: packed(store, name, beside))
    return attachment(f"{name}{ENDING}", MEDIA, content)


async def open_bundle(request: Request) -> Response:
    """A new workspace from a bundle: the body is the file; it keeps its name, with a number if that is taken."""
    return Reply({"name": await unpack(service_of(request), await request.body(), "the bundle")}, 201)


async def unpack(service: Service, content: bytes, called: str) -> str:
    """A new workspace with the content of a bundle; returns its name."""
    try:
        bundle = await asyncio.to_thread(opened_bundle, content, called)
    except FileError as error:
        raise OptionError(str(error)) from None
    name = await service.folder.create_beside(bundle.name)
    try:
        facts = {row["id"]: await _read_again(service, name, row) for row in bundle.tables["files"]}
        await service.folder.use(name, lambda store: fill(store, bundle, facts))
    except BaseException:
        await service.folder.discard(name)
        raise
    return name


async def _read_again(service: Service, name: str, row: dict[str, Any]) -> dict[str, Any]:
    """The content of a file, read here by a worker: the bundle need not be trusted."""
    said = json.loads(row["facts"])
    kind, drawn = said.get("kind"), said.get("drawn")
    job = Job("read", {"name": row["name"], "as": kind}, (row["content"],), seconds=limits.SECONDS["read"])
    found = (await service.schedule.run(name, job)).facts
    digest = hashlib.sha256(row["content"]).hexdigest()
    facts = {key: value for key, value in found.items() if key != "said"} | {"sha256": digest}
    return facts | {"drawn": drawn} if isinstance(drawn, str) else facts  # which versions belong together


async def list_files(request: Request) -> Response:
    """All files of a workspace, including those of removed inputs, which undo would restore."""
    return Reply(await service_of(request).folder.use(name_of(request), kept_files))


async def delete_file(request: Request) -> Response:
    """Delete a file permanently, with all states and answers that use it; its inputs must be removed before."""
    _check_meant(request)
    name, service, file = name_of(request), service_of(request), request.path_params["file"]
    await service.folder.use(name, WorkspaceStore.now)
    await service.forget(name)
    await service.folder.use(name, lambda store: erase(store, file))
    await service.crew.restart()  # workers may have it in memory, and a copy on the disk
    return Response(status_code=204)


async def delete_workspace(request: Request) -> Response:
    """Delete a workspace permanently, with its files and history."""
    _check_meant(request)
    name, service = name_of(request), service_of(request)
    await service.forget(name)
    await service.folder.delete(name)
    service.events.tell(name, "deleted", {})
    return Response(status_code=204)
