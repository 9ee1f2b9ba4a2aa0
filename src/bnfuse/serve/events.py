"""Events of a workspace, for everybody who watches it: each reader has a queue, and slow readers are disconnected."""

from __future__ import annotations

import asyncio
import itertools
from collections import defaultdict
from collections.abc import AsyncIterator
from typing import Any, NamedTuple

from bnfuse.serve import limits
from bnfuse.serve.jobs.schedule import TooBusyError


class Event(NamedTuple):
    """An event."""

    number: int
    name: str
    facts: dict[str, Any]


_Queue = asyncio.Queue[Event | None]


class Events:
    """The readers of each workspace."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._readers: defaultdict[str, set[_Queue]] = defaultdict(set)
        self._names: dict[_Queue, str] = {}

    def tell(self, workspace: str, name: str, facts: dict[str, Any]) -> None:
        """Send an event to all readers of a workspace."""
        event = Event(next(self._numbers), name, facts)
        for queue in tuple(self._readers.get(workspace, ())):
            if queue.qsize() >= limits.MOST_EVENTS:
                self._let_go(workspace, queue)
            else:
                queue.put_nowait(event)

    def readers(self, workspace: str) -> int:
        """The number of readers."""
        return len(self._readers.get(workspace, ()))

    def present(self, workspace: str) -> list[str]:
        """The people with an open stream who gave a name."""
        return sorted({self._names[one] for one in self._readers.get(workspace, ()) if one in self._names})

    def subscribe(self, workspace: str, who: str = "") -> AsyncIterator[Event]:
        """All events from now on, for one reader."""
        if self.readers(workspace) >= limits.MOST_STREAMS:
            raise TooBusyError(f"{limits.MOST_STREAMS} streams of events of this workspace are open already")
        queue: _Queue = asyncio.Queue()
        self._readers[workspace].add(queue)
        if who:
            self._names[queue] = who
            self._tell_present(workspace)
        return self._read(workspace, queue)

    async def _read(self, workspace: str, queue: _Queue) -> AsyncIterator[Event]:
        try:
            while (event := await queue.get()) is not None:
                yield event
        finally:
            self._forget(workspace, queue)

    def _let_go(self, workspace: str, queue: _Queue) -> None:
        """A slow reader: it has to reconnect, and load the workspace as it is then."""
        while not queue.empty():
            queue.get_nowait()
        queue.put_nowait(None)
        self._forget(workspace, queue)

    def _forget(self, workspace: str, queue: _Queue) -> None:
        self._readers[workspace].discard(queue)
        was_named = self._names.pop(queue, None) is not None
        if not self._readers[workspace]:
            del self._readers[workspace]
        elif was_named:
            self._tell_present(workspace)

    def _tell_present(self, workspace: str) -> None:
        self.tell(workspace, "present", {"present": self.present(workspace)})

    def end(self) -> None:
        """Disconnect all readers."""
        for workspace, queues in tuple(self._readers.items()):
            for queue in tuple(queues):
                self._let_go(workspace, queue)
