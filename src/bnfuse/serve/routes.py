"""All requests in one table, from which the application and its OpenAPI file are made: they cannot drift apart."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from bnfuse.serve import api

_W = "/api/workspaces/{name}"


@dataclass(frozen=True, slots=True)
class Route:
    """One request."""

    method: str
    path: str
    handler: Callable[[Request], Awaitable[Response]]
    status: int = 200
    query: tuple[tuple[str, str, Any], ...] = ()
    """parameters: a name, what it means, an example"""
    body: Any = None
    """an example, where there is a body"""
    gives: str = "application/json"

    @property
    def summary(self) -> str:
        """What it does."""
        return (self.handler.__doc__ or "").strip().splitlines()[0]


ROUTES: tuple[Route, ...] = (
    Route("GET", "/", api.enter, 303, gives=""),
    Route("GET", "/w/{name}/", api.show_page, gives="text/html"),
    Route("GET", "/api/workspaces", api.list_workspaces),
    Route("POST", "/api/workspaces", api.create_workspace, 201, body={"name": "clinics"}),
    Route("GET", _W, api.look),
    Route("PUT", f"{_W}/files", api.add_file, query=(("name", "what the file is called", "north.csv"),)),
    Route("POST", f"{_W}/changes", api.change, body={"kind": "set", "field": "max_clique", "value": 3}),
    Route("POST", f"{_W}/undo", api.undo),
    Route("POST", f"{_W}/redo", api.redo),
    Route("GET", f"{_W}/history", api.history),
    Route("POST", f"{_W}/solve", api.solve, 202, body={"effort": "thorough"}),
    Route("DELETE", f"{_W}/solve", api.stop),
    Route("GET", f"{_W}/view", api.view),
    Route("GET", f"{_W}/events", api.events, gives="text/event-stream"),
)
