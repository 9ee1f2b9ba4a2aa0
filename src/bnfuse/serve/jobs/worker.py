"""A worker process of `bnfuse serve`: reads files and searches, with limits on memory.

It is started as `python -m bnfuse.serve.jobs.worker`.

One thread reads messages, so that a job can be cancelled while it runs: the main thread then receives Ctrl-C, which
every search handles. When the server ends, for whatever reason, the messages end, and so does the worker.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import sys
import threading
import time
from pathlib import Path
from typing import IO, Any

from bnfuse._base.options import spelled
from bnfuse.errors import BnfuseError
from bnfuse.search.run import Progress
from bnfuse.serve import limits
from bnfuse.serve.jobs.frames import Frame, packed, read_frame
from bnfuse.serve.jobs.jobs import JOBS, Surroundings
from bnfuse.serve.words import WORDS
from bnfuse.serve.workspace.reading import Library

_TOLD_EVERY = 0.1  # seconds between two messages about how far a search is


class _Worker:
    def __init__(self, incoming: IO[bytes], outgoing: IO[bytes], scratch: Path) -> None:
        self._incoming, self._outgoing = incoming, outgoing
        self._frames: queue.Queue[Frame] = queue.Queue()
        self._library = Library(scratch)
        self._job = 0
        self._cancelled = 0
        self._told = 0.0

    def run(self) -> None:
        """Work until the server is gone."""
        signal.signal(signal.SIGINT, self._interrupted)
        threading.Thread(target=self._listen, daemon=True).start()
        while True:
            frame = self._frames.get()
            if "do" in frame.facts:  # but not the files of a job that was cancelled in the meantime
                self._do(frame)

    def _listen(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            while (frame := read_frame(self._incoming)) is not None:
                if (cancelled := frame.facts.get("cancel")) is None:
                    self._frames.put(frame)
                    continue
                self._cancelled = cancelled
                if self._job == cancelled:
                    signal.raise_signal(signal.SIGINT)
        os._exit(0)

    def _interrupted(self, number: int, frame: object) -> None:
        """Only a cancelled job ends; Ctrl-C in the terminal is for the server."""
        if self._job and self._job == self._cancelled:
            raise KeyboardInterrupt

    def _do(self, frame: Frame) -> None:
        job: int = frame.facts["job"]
        try:
            self._job = job
            try:
                if self._cancelled == job:
                    raise KeyboardInterrupt
                facts, parts = self._done(job, frame)
            finally:
                self._job = 0
            self._send({"job": job, "done": facts}, parts)
        except KeyboardInterrupt:
            self._send({"job": job, "cancelled": True})
        except BnfuseError as error:
            self._send({"job": job, "refused": str(error)})
        except MemoryError:
            self._send({"job": job, "refused": "this takes more memory than a worker may have"})
        except RecursionError:
            self._send({"job": job, "refused": "this is nested too deeply"})
        except Exception as error:
            self._send({"job": job, "bug": f"{type(error).__name__}: {error}"[:500].replace("\n", " ")})
        self._library.shrink()

    def _done(self, job: int, frame: Frame) -> tuple[dict[str, Any], list[bytes]]:
        needed: dict[str, Any] = frame.facts.get("files", {})
        if missing := self._library.missing(list(needed)):
            self._send({"job": job, "need": missing})
            given = self._frames.get()
            for file, content in zip(missing, given.parts, strict=True):
                self._library.add(file, needed[file]["name"], content, needed[file]["kind"])
        around = Surroundings(self._library, lambda progress: self._tell(job, progress))
        with spelled(WORDS):
            return JOBS[frame.facts["do"]](frame.facts, frame.parts, around)

    def _tell(self, job: int, progress: Progress) -> None:
        now = time.monotonic()
        if now - self._told >= _TOLD_EVERY:
            self._told = now
            facts = {"step": progress.step, "steps": progress.steps, "distance": progress.distance}
            if progress.lower_bound is not None:
                facts["bound"] = progress.lower_bound
            self._send({"job": job, "progress": facts | {"seconds": progress.seconds}})

    def _send(self, facts: dict[str, Any], parts: list[bytes] | None = None) -> None:
        self._outgoing.write(packed(facts, parts or ()))
        self._outgoing.flush()


def _limit_memory() -> None:
    if sys.platform != "win32":
        import resource  # noqa: PLC0415 - not everywhere

        _, most = resource.getrlimit(resource.RLIMIT_AS)
        room = limits.MEMORY if most == resource.RLIM_INFINITY else min(limits.MEMORY, most)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (room, most))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main() -> None:
    """Serve the process that started this one."""
    _limit_memory()
    os.umask(0o077)  # copies of files are for this user alone
    outgoing = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not get between the messages
    _Worker(sys.stdin.buffer, outgoing, Path(sys.argv[1])).run()


if __name__ == "__main__":
    main()
