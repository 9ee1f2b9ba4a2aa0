"""One request of the API: its handler, and what is described of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from bnfuse.report.page.records import Object


@dataclass(frozen=True, slots=True)
class Route:
    """One request."""

    method: str
    path: str
    handler: Callable[[Request], Awaitable[Response]]
    status: int = 200
    query: tuple[tuple[str, str, str], ...] = ()
    """parameters: a name, what it means, an example"""
    body: Any = None
    """an example, where there is a body: a text stands for the content of a file"""
    gives: str = "application/json"
    example: Any = None
    """what it gives"""
    schema: Object | None = None
    """of what it gives"""

    @property
    def summary(self) -> str:
        """What it does."""
        return (self.handler.__doc__ or "").strip().splitlines()[0]
