"""The server: a socket, the application behind the gate, and the address to open."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn

from bnfuse._base import disk
from bnfuse._base.options import thread_count
from bnfuse.errors import OptionError
from bnfuse.serve import limits
from bnfuse.serve.http.app import application
from bnfuse.serve.http.connections import Connection
from bnfuse.serve.http.gate import Door
from bnfuse.serve.jobs.workers import Crew
from bnfuse.serve.service import Service
from bnfuse.serve.workspace.folder import Folder

_FEWEST_WORKERS = 2  # one is kept free of long searches


@dataclass(frozen=True, slots=True)
class Opened:
    """What there is to tell when the server runs."""

    door: Door
    workspace: str | None
    """which is new, and has the given files"""

    @property
    def url(self) -> str:
        """What to open in a browser."""
        return f"{self.door.address}/?token={self.door.token}"


def serve(
    files: Sequence[Path], folder: Path, host: str, port: int, workers: int | None, told: Callable[[Opened], None]
) -> None:
    """Serve until Ctrl-C; calls `told` once, when requests are answered."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # a client that is gone must not end the server
    asyncio.run(_serve(files, folder, host, port, workers, told))


async def _serve(
    files: Sequence[Path], folder: Path, host: str, port: int, workers: int | None, told: Callable[[Opened], None]
) -> None:
    listening = _bound(host, port)
    problems: list[BaseException] = []
    with listening:
        door = Door(host, listening.getsockname()[1])
        service = Service(Folder(folder), Crew(max(_FEWEST_WORKERS, thread_count(workers))))

        async def started(app: Any) -> None:
            try:
                app.state.first = await _with_files(service, files)
            except BaseException as error:
                problems.append(error)
                await service.close()
                raise
            asyncio.get_running_loop().call_soon(told, Opened(door, app.state.first))

        config = uvicorn.Config(
            application(service, door, started),
            http=Connection,
            ws="none",
            lifespan="on",
            log_config=None,
            log_level="critical",
            access_log=False,
            server_header=False,
            h11_max_incomplete_event_size=limits.MOST_HEADERS,
            timeout_keep_alive=limits.IDLE_SECONDS,
            timeout_graceful_shutdown=2,
        )
        await uvicorn.Server(config).serve(sockets=[listening])
    if problems:
        raise problems[0]


async def _with_files(service: Service, files: Sequence[Path]) -> str | None:
    """A new workspace with the given files, if any are given."""
    if not files:
        return None
    contents = [(file.name, _read(file)) for file in files]
    name = await service.folder.create()
    try:
        for called, content in contents:
            await service.add_file(name, called, content, None)
    except BaseException:
        await service.folder.discard(name)
        raise
    return name


def _read(file: Path) -> bytes:
    disk.check_readable(file)
    if file.stat().st_size > limits.MOST_BODY:
        raise OptionError(f"{file}: has more than {limits.MOST_BODY >> 20} MiB")
    return file.read_bytes()


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise OptionError(f"cannot serve at {host}:{port}: {(error.strerror or str(error)).lower()}") from None
    listening.listen(128)  # from now on whoever connects is kept waiting, not turned away
    listening.setblocking(False)
    return listening
