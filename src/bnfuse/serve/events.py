"""Events of a workspace, for everybody who looks at it: each reader has a queue, and one that is too slow is let go."""

from __future__ import annotations

import asyncio
import itertools
from collections import defaultdict
from collections.abc import AsyncIterator
from typing import Any, NamedTuple

from bnfuse.serve import limits
from bnfuse.serve.jobs.schedule import TooBusyError


class Event(NamedTuple):
    """Something that happened."""

    number: int
    name: str
    facts: dict[str, Any]


_Queue = asyncio.Queue[Event | None]


class Events:
    """Who looks at which workspace."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._readers: defaultdict[str, set[_Queue]] = defaultdict(set)
        self._names: dict[_Queue, str] = {}

    def tell(self, workspace: str, name: str, facts: dict[str, Any]) -> None:
        """Tell all readers of a workspace."""
        event = Event(next(self._numbers), name, facts)
        for queue in tuple(self._readers.get(workspace, ())):
            if queue.qsize() >= limits.MOST_EVENTS:
                self._let_go(workspace, queue)
            else:
                queue.put_nowait(event)

    def readers(self, workspace: str) -> int:
        """How many there are."""
        return len(self._readers.get(workspace, ()))

    def present(self, workspace: str) -> list[str]:
        """Who has a stream open, of those who gave a name."""
        return sorted({self._names[one] for one in self._readers.get(workspace, ()) if one in self._names})

    def subscribe(self, workspace: str, who: str = "") -> AsyncIterator[Event]:
        """All events from now on, for somebody."""
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
        """A reader that reads too slowly: it has to connect anew, and look at the workspace as it is then."""
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
        """Let all readers go."""
        for workspace, queues in tuple(self._readers.items()):
            for queue in tuple(queues):
                self._let_go(workspace, queue)
