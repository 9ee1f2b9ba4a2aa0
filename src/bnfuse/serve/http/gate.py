"""The gate: nothing passes without the token, from another site, under another host's name, too large or too slow.

A browser shows the token once, in the address that the command prints, and has a cookie from then on; a program sends
it as a bearer. Both are compared in constant time.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import ipaddress
import json
import secrets
import socket
from collections.abc import Iterable
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bnfuse.serve import limits

_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
_READING = ("GET", "HEAD")
_OWN_SITES = (None, "same-origin", "none")  # what a browser says of a request that no other site has caused
_GO_ON = b'<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=/"><title>bnfuse</title>'
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
    """Why a request does not pass."""

    status: int
    problem: str


@dataclass(frozen=True)
class Door:
    """Where the server is, and who may come in."""

    host: str
    port: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach it."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def address(self) -> str:
        """What to open in a browser."""
        host = self.host if self.is_loopback else _reachable(self.host)
        shown = f"[{host}]" if ":" in host else host
        return f"http://{shown}:{self.port}"

    @property
    def cookie_name(self) -> str:
        """Cookies do not know ports: two servers on one machine need two names."""
        return f"bnfuse-{self.port}"

    @property
    def cookie(self) -> str:
        """What the browser shows from the first visit on; it does not tell the token."""
        return hmac.new(self.token.encode(), b"cookie", hashlib.sha256).hexdigest()

    def knows_host(self, given: str) -> bool:
        """Whether a request names this server: a page of another site that has its own name point here does not."""
        host, _, port = given.rpartition(":") if given.rpartition(":")[2].isdigit() else (given, "", "80")
        if port != str(self.port):
            return False
        name = host.lower()
        if name in _LOOPBACK or name == self.host.lower():
            return True
        if self.is_loopback:
            return False
        try:
            ipaddress.ip_address(name.strip("[]"))
        except ValueError:
            return name in (socket.gethostname().lower(), socket.getfqdn().lower())
        return True  # an address is nobody's name

    def knows_origin(self, given: str) -> bool:
        """Whether a request comes from this server's own page."""
        scheme, _, host = given.partition("://")
        return scheme == "http" and self.knows_host(host)

    def is_token(self, given: str) -> bool:
        """Whether this is the token."""
        return hmac.compare_digest(given.encode(), self.token.encode())

    def is_cookie(self, given: str) -> bool:
        """Whether this is the cookie."""
        return hmac.compare_digest(given.encode(), self.cookie.encode())


def _reachable(host: str) -> str:
    return socket.gethostname() if host in ("0.0.0.0", "::") else host


class Gate:
    """In front of the application."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self._app, self._door = app, door
        self._held = _Held()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            headers = _headers(scope)
            is_entering = self._check(scope, headers)
            body = _Body(receive, _most(scope), headers.get("content-length"), self._held)
        except RefusedError as refused:
            await _refuse(_Sender(send), refused)
            return
        sender = _Sender(send)
        if is_entering:
            await self._let_in(sender, is_from_elsewhere=headers.get("sec-fetch-site") not in _OWN_SITES)
            return
        try:
            await self._app(scope, body.receive, sender.send)
        finally:
            self._held.size -= body.size

    def _check(self, scope: Scope, headers: dict[str, str]) -> bool:
        """Whether somebody shows the token for the first time; refuses who may not pass."""
        door = self._door
        if not door.knows_host(headers.get("host", "")):
            raise RefusedError(421, "this server is known by another name: open the address that bnfuse serve printed")
        method = scope["method"]
        bearer = headers.get("authorization", "")
        is_program = bearer.startswith("Bearer ") and door.is_token(bearer.removeprefix("Bearer ").strip())
        origin, site = headers.get("origin"), headers.get("sec-fetch-site")
        if origin is not None and not door.knows_origin(origin):
            raise RefusedError(403, "this request comes from another site")
        if scope["path"] == "/" and method in _READING and scope["query_string"]:
            if door.is_token(_token(scope["query_string"])):
                return True
            raise RefusedError(401, "this is not the token: open the address that bnfuse serve printed")
        if not is_program and not door.is_cookie(_cookie(headers.get("cookie", ""), door.cookie_name)):
            raise RefusedError(401, "the token is missing: open the address that bnfuse serve printed")
        if is_program:
            return False
        if site not in _OWN_SITES:
            raise RefusedError(403, "this request comes from another site")
        if method not in _READING and origin is None and site != "same-origin":
            raise RefusedError(
                403, "a request that changes something must come from the page, or carry the token as bearer"
            )
        return False

    async def _let_in(self, sender: _Sender, is_from_elsewhere: bool) -> None:
        """Trade the token for the cookie, and leave the address that shows it.

        Who followed a link on another site, such as a mail in the browser, comes from there even after a redirection,
        and then a browser keeps such a cookie back: a page that goes on by itself is a page of this site.
        """
        door = self._door
        cookie = f"{door.cookie_name}={door.cookie}; HttpOnly; SameSite=Strict; Path=/"
        body = _GO_ON if is_from_elsewhere else b""
        headers = [
            (b"content-type", b"text/html; charset=utf-8") if is_from_elsewhere else (b"location", b"/"),
            (b"set-cookie", cookie.encode()),
            (b"content-length", str(len(body)).encode()),
        ]
        status = 200 if is_from_elsewhere else 303
        await sender.send({"type": "http.response.start", "status": status, "headers": headers})
        await sender.send({"type": "http.response.body", "body": body})


def _headers(scope: Scope) -> dict[str, str]:
    """By their names, not too many; of those that decide, each may come once."""
    # The protocol counts what comes in parts, not what is there at once.
    if sum(len(name) + len(value) + _AROUND for name, value in scope["headers"]) > limits.MOST_HEADERS:
        raise RefusedError(431, f"the headers of a request may have {limits.MOST_HEADERS >> 10} KiB")
    found: dict[str, str] = {}
    for name, value in scope["headers"]:
        key = name.decode("latin-1").lower()
        if key in found and key in ("host", "origin", "authorization", "content-length", "cookie", "sec-fetch-site"):
            raise RefusedError(400, f"the header {key} is there twice")
        found[key] = value.decode("latin-1")
    return found


def _token(query: bytes) -> str:
    try:
        return parse_qs(query.decode(), max_num_fields=10).get("token", [""])[0]
    except ValueError:
        return ""


def _cookie(given: str, name: str) -> str:
    try:
        found = SimpleCookie(given).get(name)
    except CookieError:
        return ""
    return "" if found is None else found.value


def _most(scope: Scope) -> int:
    """How large a body may be: only files are large."""
    return limits.MOST_BODY if scope["method"] == "PUT" else limits.MOST_JSON


@dataclass(slots=True)
class _Held:
    """What is there of the bodies of all requests."""

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
        return RefusedError(413, f"a request like this may have {self._most >> 20} MiB")

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
    """The response, with the headers that each one has; a client that does not read is left."""

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


async def _refuse(sender: _Sender, refused: RefusedError) -> None:
    """One line; the connection ends, as there may be more of the body than anybody wants to read."""
    body = json.dumps({"error": refused.problem}).encode()
    headers: Iterable[tuple[bytes, bytes]] = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    await sender.send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await sender.send({"type": "http.response.body", "body": body})
