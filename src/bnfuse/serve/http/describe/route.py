"""One request of the API: its handler and its description."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

JSON = "application/json"


class Parameter(NamedTuple):
    """A parameter after the question mark of an address, or in a header."""

    name: str
    words: str
    """its meaning"""
    example: str
    kind: Any = str
    is_required: bool = False


@dataclass(frozen=True, slots=True)
class Route:
    """One request."""

    method: str
    path: str
    handler: Callable[[Request], Awaitable[Response]]
    status: int = 200
    query: tuple[Parameter, ...] = ()
    headers: tuple[Parameter, ...] = ()
    takes: Any = None
    """the type of its body, or `bytes`"""
    is_body_needed: bool = True
    body: Any = None
    """an example of it"""
    gives: Any = None
    """the type of its result; `bytes` for a file, None for nothing"""
    media: tuple[str, ...] = (JSON,)
    also: dict[int, Any] = field(default_factory=dict)
    """other statuses, with the types of their results"""
    example: Any = None
    """the media type of its result"""

    @property
    def summary(self) -> str:
        """The description of the request."""
        return (self.handler.__doc__ or "").strip().splitlines()[0]
