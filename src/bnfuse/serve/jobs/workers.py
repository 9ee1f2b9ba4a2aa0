"""The server's side of its workers: processes that are started, given jobs, cancelled, and replaced when they die."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bnfuse.errors import OptionError, WorkerError
from bnfuse.serve import limits
from bnfuse.serve.jobs.frames import HEAD_SIZE, Frame, packed, sizes, unpacked
from bnfuse.serve.jobs.scratch import Scratch

_ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
_TEMPORARY = ("TMPDIR", "TEMP", "TMP")  # files that a worker leaves behind are removed with the scratch folder


Progress = Callable[[dict[str, Any]], None]
Contents = Callable[[Sequence[str]], Awaitable[list[bytes]]]
"""returns the contents of files by their ids"""


class DiedError(WorkerError):
    """A worker that ended during a job."""

    def __init__(
        self, problem: str = "a worker process ended while it worked on this; another one is in its place: try again"
    ) -> None:
        super().__init__(problem)


@dataclass(frozen=True, slots=True)
class Job:
    """A job for a worker."""

    do: str
    facts: dict[str, Any] = field(default_factory=dict)
    parts: tuple[bytes, ...] = ()
    contents: Contents | None = None
    progress: Progress | None = None
    seconds: float = limits.OTHER_SECONDS


class Worker:
    """One process; it does one job at a time."""

    def __init__(self, scratch: Path) -> None:
        self.scratch = scratch
        self._process: Process | None = None
        self._number = 0
        self.last_workspace = ""
        """the workspace whose files it has in memory"""

    @property
    def pid(self) -> int | None:
        """The lock of its process, if there is one."""
        return None if self._process is None else self._process.pid

    async def run(self, job: Job) -> Frame:
        """Do a job; cancelling this cancels the job, and returns when the worker is free again."""
        talk = asyncio.ensure_future(self._talk(job))
        talk.add_done_callback(_seen)
        try:
            async with asyncio.timeout(job.seconds):
                return await asyncio.shield(talk)
        except TimeoutError:
            await self._stop(talk)
            raise WorkerError(f"this took more than {job.seconds:g} seconds, and was stopped") from None
        except asyncio.CancelledError:
            await self._stop(talk)
            raise

    async def end(self) -> None:
        """End the process."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                _kill(self._process)
            await self._process.wait()
            self._process = None

    async def start(self) -> Process:
        """The process, which is started if there is none."""
        if self._process is None or self._process.returncode is not None:
            self.scratch.mkdir(mode=0o700, exist_ok=True)
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "bnfuse.serve.jobs.worker", str(self.scratch)),
                stdin=PIPE,
                stdout=PIPE,
                stderr=None if os.environ.get("BNFUSE_DEBUG") else DEVNULL,
                env={**os.environ, **_ONE_THREAD, **dict.fromkeys(_TEMPORARY, str(self.scratch))},
                start_new_session=os.name != "nt",
            )
        return self._process

    async def _talk(self, job: Job) -> Frame:
        process = await self.start()
        self._number += 1
        number = self._number
        try:
            await self._send(process, {"job": number, "do": job.do, **job.facts}, job.parts)
            while True:
                frame = await self._receive(process)
                facts = frame.facts
                if facts.get("job") != number:
                    continue
                if "need" in facts:
                    assert job.contents is not None
                    await self._send(process, {"job": number}, await job.contents(facts["need"]))
                elif "progress" in facts:
                    if job.progress is not None:
                        job.progress(facts["progress"])
                else:
                    return _checked(frame)
        except (OSError, EOFError, ValueError):  # a message that is cut, or empty
            await self.end()
            raise DiedError from None

    async def _stop(self, talk: asyncio.Future[Frame]) -> None:
        """Let the worker end its job, and end the worker if it does not."""
        process = self._process
        if not talk.done() and process is not None and process.stdin is not None:
            with contextlib.suppress(OSError):
                process.stdin.write(packed({"cancel": self._number}))
        done, _ = await asyncio.wait([talk], timeout=limits.CANCEL_SECONDS)
        if not done:
            talk.cancel()
            await self.end()
        with contextlib.suppress(BaseException):
            await talk

    async def _send(self, process: Process, facts: dict[str, Any], parts: Sequence[bytes]) -> None:
        assert process.stdin is not None
        process.stdin.write(packed(facts, parts))
        await process.stdin.drain()

    async def _receive(self, process: Process) -> Frame:
        assert process.stdout is not None
        text, parts = sizes(await process.stdout.readexactly(HEAD_SIZE))
        return unpacked(await process.stdout.readexactly(text), await process.stdout.readexactly(parts))


def _kill(process: Process) -> None:
    """End a worker, and any process that it has started to read a file."""
    if sys.platform != "win32":
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


def _seen(talk: asyncio.Future[Frame]) -> None:
    """The outcome, whatever it was: at the end of the server, nobody may be left to ask."""
    if not talk.cancelled():
        talk.exception()


def _checked(frame: Frame) -> Frame:
    facts = frame.facts
    if "done" in facts:
        return Frame(facts["done"], frame.parts)
    if "refused" in facts:
        raise OptionError(facts["refused"])
    if "bug" in facts:
        raise WorkerError(f"a bug in bnfuse: {facts['bug']}")
    raise WorkerError("this was stopped")


class Crew:
    """Some workers, with a folder for what they must put on the disk."""

    def __init__(self, count: int) -> None:
        self.scratch = Scratch()
        self.workers = [Worker(self.scratch.path / str(i)) for i in range(count)]

    async def start(self) -> None:
        """Start all of them, so that the first request need not wait."""
        await asyncio.gather(*(worker.start() for worker in self.workers))

    async def restart(self) -> None:
        """Replace all workers, with their memory and their files on the disk; jobs in progress are repeated."""
        for worker in self.workers:
            await worker.end()
            shutil.rmtree(worker.scratch, ignore_errors=True)
        await self.start()

    async def end(self) -> None:
        """End all of them."""
        await asyncio.gather(*(worker.end() for worker in self.workers))
        self.scratch.remove()
