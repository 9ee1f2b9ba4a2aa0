"""Connections: silent or slow ones are closed, and strangers cannot keep others out.

Each connection holds a file descriptor of this process, so there is a limit. A connection on which no token has been
shown yet is a stranger's; if there are too many of these, a new one replaces the oldest. A client with a token that
sends its first request at once is served, however many connections others hold open.
"""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from bnfuse.serve import limits

Client = tuple[str, int] | None


class Guests:
    """The connections: strangers in the order of their arrival, and those that have shown a token."""

    def __init__(self) -> None:
        self._strangers: dict[Connection, None] = {}
        self._trusted: set[Connection] = set()
        self._by_client: dict[tuple[str, int], Connection] = {}

    def add(self, connection: Connection) -> None:
        """A connection opens."""
        while len(self._strangers) >= limits.MOST_STRANGERS:
            next(iter(self._strangers)).abort()
        self._strangers[connection] = None
        if connection.client is not None:
            self._by_client[connection.client] = connection

    def trust(self, client: Client) -> None:
        """A connection has shown a token."""
        connection = None if client is None else self._by_client.get((client[0], client[1]))
        if connection is not None and connection in self._strangers and len(self._trusted) < limits.MOST_CONNECTIONS:
            del self._strangers[connection]
            self._trusted.add(connection)

    def forget(self, connection: Connection) -> None:
        """A connection ends."""
        self._strangers.pop(connection, None)
        self._trusted.discard(connection)
        if connection.client is not None and self._by_client.get(connection.client) is connection:
            del self._by_client[connection.client]


class Connection(H11Protocol):
    """Like uvicorn's, but the lines before a request's body must arrive within some seconds."""

    _timer: asyncio.TimerHandle | None = None

    def __init__(self, *given: Any, guests: Guests, **named: Any) -> None:
        super().__init__(*given, **named)
        self._guests = guests

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A connection opens."""
        super().connection_made(transport)
        self._guests.add(self)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Data arrive."""
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._wait()
        else:
            self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection ends."""
        self._guests.forget(self)
        self._stop_waiting()
        super().connection_lost(exc)

    def abort(self) -> None:
        """Close it, whatever is in progress."""
        self._guests.forget(self)
        self.transport.abort()

    def _wait(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(limits.HEADER_SECONDS, self._close)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _close(self) -> None:
        self._timer = None
        if not self.transport.is_closing():
            self.transport.close()
