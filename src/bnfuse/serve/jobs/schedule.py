"""The order of jobs: those that somebody waits for come before background jobs, and workspaces take turns.

One worker never gets a background job, so that a click does not wait for the end of a long search.
"""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field

from bnfuse.errors import BnfuseError
from bnfuse.serve import limits
from bnfuse.serve.jobs.frames import Frame
from bnfuse.serve.jobs.workers import Crew, Job, Worker


class TooBusyError(BnfuseError):
    """More work than the queue holds."""


@dataclass(eq=False, slots=True)
class _Ticket:
    workspace: str
    job: Job
    turn: asyncio.Future[Worker]


@dataclass(slots=True)
class _Line:
    """Waiting jobs: a queue for each workspace, with workspaces in turn."""

    queues: dict[str, deque[_Ticket]] = field(default_factory=dict)

    def add(self, ticket: _Ticket) -> None:
        own = self.queues.setdefault(ticket.workspace, deque())
        if len(own) >= limits.MOST_WAITING:
            raise TooBusyError(f"{limits.MOST_WAITING} requests of this workspace are waiting already: try again later")
        own.append(ticket)

    def next(self) -> _Ticket | None:
        """The first job of the next workspace, which then becomes the last one in turn."""
        while self.queues:
            workspace = next(iter(self.queues))
            own = self.queues.pop(workspace)
            ticket = own.popleft()
            if own:
                self.queues[workspace] = own
            if not ticket.turn.done():
                return ticket
        return None


class Schedule:
    """Gives the workers of a crew to jobs."""

    def __init__(self, crew: Crew) -> None:
        self._crew = crew
        self._free = list(crew.workers)
        self._at_once, self._later = _Line(), _Line()
        self._in_background = 0

    async def run(self, workspace: str, job: Job, in_background: bool = False) -> Frame:
        """Do a job when it is its turn. Cancelling this call removes it from the queue, or cancels it."""
        ticket = _Ticket(workspace, job, asyncio.get_running_loop().create_future())
        (self._later if in_background else self._at_once).add(ticket)
        self._hand_out()
        try:
            worker = await ticket.turn
        except asyncio.CancelledError:
            if ticket.turn.done() and not ticket.turn.cancelled():
                self._give_back(ticket.turn.result(), in_background)
            raise
        try:
            return await worker.run(job)
        finally:
            self._give_back(worker, in_background)

    def _give_back(self, worker: Worker, in_background: bool) -> None:
        self._free.append(worker)
        self._in_background -= in_background
        self._hand_out()

    def _hand_out(self) -> None:
        while self._free:
            ticket = self._at_once.next()
            if ticket is None:
                if self._in_background >= max(1, len(self._crew.workers) - 1):
                    return
                ticket = self._later.next()
                if ticket is None:
                    return
                self._in_background += 1
            ticket.turn.set_result(self._worker_for(ticket.workspace))

    def _worker_for(self, workspace: str) -> Worker:
        """A free worker, if possible the one that has the workspace's files in its memory."""
        worker = next((one for one in self._free if one.last_workspace == workspace), self._free[0])
        self._free.remove(worker)
        worker.last_workspace = workspace
        return worker
