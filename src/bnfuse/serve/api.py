"""The requests, one function each: what they take, and what they give."""

from __future__ import annotations

import asyncio
import json
import zlib
from typing import Any

from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from bnfuse._errors import OptionError
from bnfuse.serve import limits
from bnfuse.serve.folder import UnknownError, checked_name
from bnfuse.serve.gate import RefusedError
from bnfuse.serve.page import page
from bnfuse.serve.schedule import TooBusyError
from bnfuse.serve.service import Service, changed_arcs, known_answer
from bnfuse.serve.store import Store


def service_of(request: Request) -> Service:
    """What all requests talk to."""
    service: Service = request.app.state.service
    return service


def name_of(request: Request) -> str:
    """The workspace that a request is about."""
    return checked_name(request.path_params["name"])


async def json_of(request: Request) -> Any:
    """The body of a request."""
    body = await request.body()
    try:
        return json.loads(body, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise RefusedError(400, "the body must be JSON") from None


def _refuse_constant(name: str) -> float:
    raise ValueError(name)


# The page


async def enter(request: Request) -> Response:
    """The workspace that was changed last, or a new one."""
    folder = service_of(request).folder
    names = await folder.names()
    name = request.app.state.first or (names[0] if names else await folder.create())
    return RedirectResponse(f"/w/{name}/".replace(" ", "%20"), 303)


async def show_page(request: Request) -> Response:
    """The page of a workspace."""
    await service_of(request).folder.use(name_of(request), Store.now)
    shown = page()
    return HTMLResponse(shown.html, headers={"content-security-policy": shown.policy})


# Workspaces


async def list_workspaces(request: Request) -> Response:
    """All workspaces, the one that was changed last first."""
    return JSONResponse([{"name": name} for name in await service_of(request).folder.names()])


async def create_workspace(request: Request) -> Response:
    """A new workspace."""
    given = await json_of(request) if await request.body() else {}
    if not isinstance(given, dict):
        raise RefusedError(400, "the body must be an object, such as {}")
    name = await service_of(request).folder.create(given.get("name"))
    return JSONResponse({"name": name}, 201)


async def look(request: Request) -> Response:
    """The present state of a workspace."""
    return JSONResponse(await service_of(request).look(name_of(request)))


# Changes


_uploads = asyncio.Semaphore(limits.MOST_UPLOADS)


async def add_file(request: Request) -> Response:
    """Add a file: its content is the body."""
    name = request.query_params.get("name", "")
    if _uploads.locked():
        raise TooBusyError(f"{limits.MOST_UPLOADS} files are being read already: try again in a moment")
    async with _uploads:
        content = await request.body()
        kind = request.query_params.get("as")
        return JSONResponse(await service_of(request).add_file(name_of(request), name, content, kind))


async def change(request: Request) -> Response:
    """One change, or a list of them."""
    return JSONResponse(await service_of(request).change(name_of(request), await json_of(request)))


async def undo(request: Request) -> Response:
    """Take the last change back."""
    return JSONResponse(await service_of(request).undo(name_of(request)))


async def redo(request: Request) -> Response:
    """Do again what was taken back."""
    return JSONResponse(await service_of(request).redo(name_of(request)))


async def history(request: Request) -> Response:
    """All changes, in words."""
    return JSONResponse(await service_of(request).folder.use(name_of(request), Store.history))


# Answers


async def solve(request: Request) -> Response:
    """Ask for more on the present question."""
    given = await json_of(request)
    if not isinstance(given, dict):
        raise RefusedError(400, 'the body must be an object, such as {"effort": "thorough"}')
    return JSONResponse(await service_of(request).solve(name_of(request), given.get("effort")), 202)


async def stop(request: Request) -> Response:
    """Stop what is being searched."""
    return JSONResponse(await service_of(request).stop(name_of(request)))


async def view(request: Request) -> Response:
    """The page's data of the best answer, and what changed since the one before."""
    name, service = name_of(request), service_of(request)
    now, answer = await known_answer(service, name, _revision(request))

    def read(store: Store) -> tuple[bytes, dict[str, list[int]]]:
        return store.part(answer, "view"), changed_arcs(store, answer, now.revision)

    packed, changed = await service.folder.use(name, read)
    head = {"revision": now.revision, "effort": answer.effort, "changed": changed}
    body = json.dumps(head).encode()[:-1] + b',"data":' + zlib.decompress(packed) + b"}"
    return Response(body, media_type="application/json")


def _revision(request: Request) -> int | None:
    text = request.query_params.get("revision")
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise OptionError(f"revision must be the number of a line of the history; got {text!r:.60}")
    return int(text)


async def events(request: Request) -> Response:
    """What happens in a workspace, as it happens."""
    name, service = name_of(request), service_of(request)
    await service.folder.use(name, Store.now)  # there must be one
    stream = service.events.subscribe(name)

    async def told() -> Any:
        async for event in stream:
            yield ServerSentEvent(json.dumps(event.facts), event=event.name, id=str(event.number))

    return EventSourceResponse(told(), ping=limits.PING_SECONDS, send_timeout=limits.SEND_SECONDS)


async def nothing(request: Request) -> Response:
    """A path that is none."""
    raise UnknownError("there is nothing here; /api/openapi.json says what there is")
