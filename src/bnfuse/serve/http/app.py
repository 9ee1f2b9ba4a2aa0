"""The application: routes, errors as one line, and the gate in front."""

from __future__ import annotations

import os
import traceback
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route as Starred
from starlette.types import ASGIApp

from bnfuse.errors import BnfuseError, FileError, WorkerError
from bnfuse.serve.frontiers import Frontiers
from bnfuse.serve.http.connections import Guests
from bnfuse.serve.http.describe.openapi import description
from bnfuse.serve.http.entrance import start_page
from bnfuse.serve.http.entrance.door import Door
from bnfuse.serve.http.gate import Gate, RefusedError
from bnfuse.serve.http.replies import Reply
from bnfuse.serve.http.routes import ROUTES
from bnfuse.serve.jobs.schedule import TooBusyError
from bnfuse.serve.meeting.items import ConflictError
from bnfuse.serve.meeting.people import ForbiddenError
from bnfuse.serve.naming.requests import Proposals
from bnfuse.serve.service import Service
from bnfuse.serve.workspace.folder import UnknownError

_STATUS: tuple[tuple[type[BnfuseError], int], ...] = (
    (UnknownError, 404),
    (ForbiddenError, 403),
    (ConflictError, 409),
    (TooBusyError, 429),
    (WorkerError, 503),
    (FileError, 503),
    (BnfuseError, 422),
)


def application(
    service: Service, door: Door, started: Callable[[Starlette], Any], guests: Guests | None = None
) -> ASGIApp:
    """The application, which calls `started` when it runs."""
    frontiers, proposals = Frontiers(service), Proposals(service)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await service.crew.start()
        await started(app)
        try:
            yield
        finally:
            frontiers.end()
            proposals.end()
            await service.close()

    app = Starlette(
        routes=[Starred(route.path, route.handler, methods=[route.method]) for route in ROUTES],
        exception_handlers={
            BnfuseError: _refused,
            RefusedError: _ended,
            ClientDisconnect: _gone,
            HTTPException: _unknown,
            Exception: _bug,
        },
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    app.state.service = service
    app.state.frontiers = frontiers
    app.state.proposals = proposals
    app.state.description = description(ROUTES)
    app.state.first = None
    app.state.door = door
    return Gate(app, door, guests)


async def _refused(request: Request, error: Exception) -> Response:
    status = next(status for kind, status in _STATUS if isinstance(error, kind))
    more = error.facts if isinstance(error, ConflictError) else {}
    return Reply({"error": str(error), **more}, status)


async def _unknown(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if not request.url.path.startswith("/api"):
        return start_page.shown(error.status_code)
    problem = {404: "there is nothing here", 405: "this cannot be done here"}.get(error.status_code, error.detail)
    return Reply(
        {"error": f"{problem}; /api/openapi.json lists all requests"}, error.status_code, dict(error.headers or {})
    )


async def _ended(request: Request, error: Exception) -> Response:
    """A request whose remaining body is not read."""
    assert isinstance(error, RefusedError)
    return Reply({"error": error.problem}, error.status, {"connection": "close"})


async def _gone(request: Request, error: Exception) -> Response:
    """A client that does not wait: nobody reads this."""
    return Response(status_code=400, headers={"connection": "close"})


async def _bug(request: Request, error: Exception) -> Response:
    if os.environ.get("BNFUSE_DEBUG"):
        traceback.print_exception(error)
    return Reply({"error": f"a bug in bnfuse: {type(error).__name__}: {error}"[:500]}, 500)
