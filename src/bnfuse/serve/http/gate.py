"""The gate: it refuses requests without a secret, from another site, for another host's name, too large or too slow.

Everything under `/api/` needs a secret as bearer: a token, or the key of a tab. Everything else is a page that is the
same for everybody and contains no data of any workspace.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bnfuse.serve import limits
from bnfuse.serve.http.connections import Guests
from bnfuse.serve.http.entrance.door import Door
from bnfuse.serve.meeting.roles import Role

_READING = ("GET", "HEAD")
_API = "/api"
SESSION = "/api/session"
BUNDLES = "/api/bundles"
_ASKING = "/query"  # a POST that changes nothing
_HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}
_AROUND = len(b": \r\n")
_NO_CONTENT = "default-src 'none'; frame-ancestors 'none'"


@dataclass(frozen=True, slots=True)
class RefusedError(Exception):
    """The reason why a request is refused."""

    status: int
    problem: str


class Gate:
    """The layer in front of the application."""

    def __init__(self, app: ASGIApp, door: Door, guests: Guests | None = None) -> None:
        self._app, self._door = app, door
        self._guests = Guests() if guests is None else guests
        self._held = _Held()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        sender = _Sender(send)
        try:
            headers = _headers(scope)
            role = self._check(scope, headers)
            body = _Body(receive, _most(scope), headers.get("content-length"), self._held)
        except RefusedError as refused:
            if refused.status in (401, 403):
                await _read_rest(scope, receive)
            await _refuse(sender, refused)
            return
        if role is not None:
            scope["bnfuse.role"] = role
            self._guests.trust(scope.get("client"))
        try:
            await self._app(scope, body.receive, sender.send)
        finally:
            self._held.size -= body.size

    def _check(self, scope: Scope, headers: dict[str, str]) -> Role | None:
        """The role of the client, None if none is needed; refuses a client without the right."""
        door, method, path = self._door, scope["method"], scope["path"]
        if not door.knows_host(headers.get("host", "")):
            raise RefusedError(421, "this server is known by another name: open the address that bnfuse serve printed")
        is_entering = method == "POST" and path == "/"  # with the token in its body: a file has no origin
        origin = headers.get("origin")
        if origin is not None and not door.knows_origin(origin) and not (is_entering and origin == "null"):
            raise RefusedError(403, "this request comes from another site")
        if is_entering or (method in _READING and path != _API and not path.startswith(f"{_API}/")):
            return None
        kind, _, secret = headers.get("authorization", "").partition(" ")
        role = door.role(secret.strip()) if kind.lower() == "bearer" else None
        if role is None:
            raise RefusedError(401, "the token is missing or wrong: use the one that bnfuse serve printed")
        if role is Role.READ_ONLY and method not in _READING and not path.endswith((_ASKING, SESSION)):
            raise RefusedError(403, "this link is for reading only: ask the facilitator for another")
        return role


def _headers(scope: Scope) -> dict[str, str]:
    """The headers by name, not too many; each of those that decide may occur once."""
    # The protocol counts parts as they arrive, not the bytes that are held.
    if sum(len(name) + len(value) + _AROUND for name, value in scope["headers"]) > limits.MOST_HEADERS:
        raise RefusedError(431, f"the headers of a request may have at most {limits.MOST_HEADERS >> 10} KiB")
    found: dict[str, str] = {}
    for name, value in scope["headers"]:
        key = name.decode("latin-1").lower()
        if key in found and key in ("host", "origin", "authorization", "content-length"):
            raise RefusedError(400, f"the header {key} is repeated")
        found[key] = value.decode("latin-1")
    return found


def _most(scope: Scope) -> int:
    """The largest allowed body: only files are large, and a client without a secret may send only the secret."""
    if scope["path"] == "/":
        return limits.MOST_TOKEN
    if scope["path"] == BUNDLES:
        return limits.MOST_BUNDLE
    return limits.MOST_BODY if scope["method"] == "PUT" else limits.MOST_JSON


def _size(size: int) -> str:
    return f"{size >> 20} MiB" if size >= 1 << 20 else f"{size >> 10} KiB"


@dataclass(slots=True)
class _Held:
    """The bytes of the bodies of all requests at present."""

    size: int = 0


class _Body:
    """The body of a request: not too large, not too slow, and not too much together with others."""

    def __init__(self, receive: Receive, most: int, announced: str | None, held: _Held) -> None:
        self._receive, self._most, self._held = receive, most, held
        self.size = 0
        self._end: float | None = None
        self._is_over = False
        if announced is not None and (not announced.isdigit() or int(announced) > most):
            raise self._too_large()

    def _too_large(self) -> RefusedError:
        return RefusedError(413, f"a request like this may have {_size(self._most)}")

    async def receive(self) -> Message:
        """The next part."""
        if self._is_over:
            return await self._receive()  # only that the client is gone
        loop = asyncio.get_running_loop()
        if self._end is None:
            self._end = loop.time() + limits.BODY_SECONDS
        try:
            async with asyncio.timeout_at(self._end):
                message = await self._receive()
        except TimeoutError:
            raise RefusedError(408, f"the request did not arrive within {limits.BODY_SECONDS:g} seconds") from None
        arrived = len(message.get("body", b""))
        self.size += arrived
        self._held.size += arrived
        if self.size > self._most:
            raise self._too_large()
        if self._held.size > limits.MOST_HELD:
            raise RefusedError(429, "too much is being sent at the same time: try again in a moment")
        self._is_over = not message.get("more_body", False)
        return message


class _Sender:
    """The response, with the common headers; a client that does not read is abandoned."""

    def __init__(self, send: Send) -> None:
        self._send = send

    async def send(self, message: Message) -> None:
        """The next part."""
        if message["type"] == "http.response.start":
            own = list(message.get("headers", ()))
            there = {name.lower() for name, _ in own}
            more = _HEADERS | {"content-security-policy": _NO_CONTENT}
            own += [(name.encode(), value.encode()) for name, value in more.items() if name.encode() not in there]
            message = {**message, "headers": own}
        async with asyncio.timeout(limits.SEND_SECONDS):
            await self._send(message)


async def _read_rest(scope: Scope, receive: Receive) -> None:
    """What is still on its way, if it is little: if the connection ended first, the client would not get the answer."""
    if any(name.lower() == b"expect" for name, _ in scope["headers"]):
        return  # the client waits for the answer before it sends the body
    size = 0
    with suppress(TimeoutError):
        async with asyncio.timeout(limits.REST_SECONDS):
            while size <= limits.MOST_TOKEN:
                message = await receive()
                size += len(message.get("body", b""))
                if not message.get("more_body", False):
                    return


async def _refuse(sender: _Sender, refused: RefusedError) -> None:
    """One line; the connection ends, as the rest of the body is not read."""
    body = json.dumps({"error": refused.problem}).encode()
    headers: Iterable[tuple[bytes, bytes]] = [
        *([(b"www-authenticate", b"Bearer")] if refused.status == 401 else []),
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    await sender.send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await sender.send({"type": "http.response.body", "body": body})
