"""The server: a socket, the application behind the gate, and the address to open."""

from __future__ import annotations

import asyncio
import functools
import os
import signal
import socket
import ssl
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn

from bnfuse._base import disk
from bnfuse._base.options import thread_count
from bnfuse.errors import OptionError
from bnfuse.serve import limits
from bnfuse.serve.bundle.packing import ENDING
from bnfuse.serve.http.app import application
from bnfuse.serve.http.bundles import unpack
from bnfuse.serve.http.connections import Connection, Guests
from bnfuse.serve.http.entrance.door import Door
from bnfuse.serve.http.entrance.opening import write_opening
from bnfuse.serve.jobs.workers import Crew
from bnfuse.serve.service import Service
from bnfuse.serve.workspace.folder import Folder

_FEWEST_WORKERS = 2  # one is kept free of long searches


@dataclass(frozen=True, slots=True)
class Place:
    """The settings of a server."""

    folder: Path
    host: str
    port: int
    workers: int | None = None
    token: str | None = None
    """None creates one"""
    certificate: Path | None = None
    """for TLS, with its key"""
    certificate_key: Path | None = None


@dataclass(frozen=True, slots=True)
class Opened:
    """The facts to report when the server runs."""

    door: Door
    opening: Path
    """a file that opens the page in a browser"""
    workspace: str | None
    """which is new and contains the given files"""


def serve(files: Sequence[Path], place: Place, told: Callable[[Opened], None]) -> None:
    """Serve until Ctrl-C; calls `told` once, when requests are answered."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # a client that is gone must not end the server
    os.umask(0o077)  # workspaces and scratch copies are for this user alone
    asyncio.run(_serve(files, place, told))


async def _serve(files: Sequence[Path], place: Place, told: Callable[[Opened], None]) -> None:
    tls = _tls(place)
    _check_folder(place.folder)
    listening = _bound(place.host, place.port)
    problems: list[BaseException] = []
    with listening:
        own = {} if place.token is None else {"token": place.token}
        door = Door(place.host, listening.getsockname()[1], **own, scheme="https" if tls else "http")
        crew = Crew(max(_FEWEST_WORKERS, thread_count(place.workers)))
        service, guests = Service(Folder(place.folder), crew), Guests()

        async def started(app: Any) -> None:
            try:
                app.state.first = await _with_files(service, files)
                opening = write_opening(crew.scratch.path, door.addresses[0], door.token)
            except BaseException as error:
                problems.append(error)
                await service.close()
                raise
            asyncio.get_running_loop().call_soon(told, Opened(door, opening, app.state.first))

        config = uvicorn.Config(
            application(service, door, started, guests),
            http=functools.partial(Connection, guests=guests),  # type: ignore[arg-type]
            ws="none",
            lifespan="on",
            log_config=None,
            log_level="critical",
            access_log=False,
            server_header=False,
            h11_max_incomplete_event_size=limits.MOST_HEADERS,
            timeout_keep_alive=limits.IDLE_SECONDS,
            timeout_graceful_shutdown=2,
            **tls,
        )
        await uvicorn.Server(config).serve(sockets=[listening])
    if problems:
        raise problems[0]


def _check_folder(folder: Path) -> None:
    """Refuse a folder in which no workspace can be kept, before anybody opens the page."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        problem = "" if os.access(folder, os.W_OK) else "permission denied"
    except OSError as error:
        problem = "is a file, not a folder" if folder.is_file() else disk.reason(error)
    if problem:
        raise OptionError(f"--folder {folder}: {problem}; give a folder that you may write to")


def _tls(place: Place) -> dict[str, Any]:
    """The TLS settings for uvicorn, if encryption is wanted; unusable files are refused here, in one line."""
    if place.certificate is None:
        return {}
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(place.certificate, place.certificate_key, password=_no_password)
    except (OSError, ValueError) as error:  # ssl.SSLError is an OSError
        problem = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise OptionError(
            f"--tls-cert {place.certificate} and --tls-key {place.certificate_key} cannot be used: {problem}; give a "
            "certificate and its key without a password, both as PEM files"
        ) from None
    key = None if place.certificate_key is None else str(place.certificate_key)
    return {"ssl_certfile": str(place.certificate), "ssl_keyfile": key}


def _no_password() -> str:
    raise ValueError("the key has a password")


async def _with_files(service: Service, files: Sequence[Path]) -> str | None:
    """A new workspace with the given files, if any are given."""
    if not files:
        return None
    if any(file.name.endswith(ENDING) for file in files):
        if len(files) > 1:
            raise OptionError(f"a bundle ({ENDING}) is a workspace of its own: give no other file with it")
        return await unpack(service, _read(files[0], limits.MOST_BUNDLE), files[0].name)
    contents = [(file.name, _read(file)) for file in files]
    name = await service.folder.create()
    try:
        for called, content in contents:
            await service.add_file(name, called, content, None)
    except BaseException:
        await service.folder.discard(name)
        raise
    return name


def _read(file: Path, most: int = limits.MOST_BODY) -> bytes:
    disk.check_readable(file)
    if file.stat().st_size > most:
        raise OptionError(f"{file}: has more than {most >> 20} MiB")
    return file.read_bytes()


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        if host == "::":
            listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)  # at all addresses, as its links promise
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise OptionError(f"cannot serve at {host}:{port}: {(error.strerror or str(error)).lower()}") from None
    listening.listen(128)  # from now on, new connections wait instead of being refused
    listening.setblocking(False)
    return listening
