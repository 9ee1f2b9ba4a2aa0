"""What tests of the server share: one that runs as a program, and ways to talk to it."""

from __future__ import annotations

import contextlib
import functools
import http.client
import json
import os
import re
import resource
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import bnfuse
from bnfuse.commands import run
from running import CLINICS

WAIT = 180.0  # seconds: a busy machine takes its time


class Served:
    """A server that runs, and its token."""

    def __init__(self, process: subprocess.Popen[str], address: str, token: str, said: str = "") -> None:
        self.process, self.token, self.said = process, token, said
        self.host, _, port = address.partition("://")[2].rpartition(":")
        self.port = int(port)

    def request(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, Any, dict[str, str]]:
        """The status, the body (as JSON where it is) and the headers of a response."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=WAIT)
        content = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        own = {"Authorization": f"Bearer {self.token}"} if headers is None else headers
        if method == "POST" and path.endswith("/changes"):
            own = {"If-Match": "*", **own}  # whatever has been changed since
        try:
            connection.request(method, path, content, own)
            response = connection.getresponse()
            text = response.read()
            given = {name.lower(): value for name, value in response.getheaders()}
        finally:
            connection.close()
        is_json = text and given.get("content-type", "").startswith("application/json")
        return response.status, json.loads(text) if is_json else text, given

    def ask(self, method: str, path: str, body: Any = None, status: int = 200) -> Any:
        """The body of a response, whose status must be as expected."""
        got, found, _ = self.request(method, path, body)
        assert got == status, found
        return found

    def workspace(self, name: str, files: list[str] | None = None) -> str:
        """A new workspace with files, by default those of the clinics: its path."""
        self.ask("POST", "/api/workspaces", {"name": name}, 201)
        path = f"/api/workspaces/{name}"
        for file in CLINICS if files is None else files:
            self.ask("PUT", f"{path}/files?name={Path(file).name}", Path(file).read_bytes())
        return path

    def answered(self, workspace: str, effort: str = "normal") -> Any:
        """The state of a workspace when its question is answered, or has failed."""
        end = time.monotonic() + WAIT
        while time.monotonic() < end:
            found = self.ask("GET", workspace)
            is_done = found["answer"] is not None and (
                found["answer"]["effort"] == effort or found["answer"]["gap"] == 0
            )
            if found["failed"] is not None or (is_done and found["solving"] is None):
                return found
            time.sleep(0.02)
        raise AssertionError("there is no answer")

    def decided(self, workspace: str) -> Any:
        """The disputes of a workspace, when it is known what other decisions cost."""
        self.answered(workspace)
        end = time.monotonic() + WAIT
        while time.monotonic() < end:
            if (found := self.ask("GET", f"{workspace}/disputes"))["is_solved"]:
                return found
            time.sleep(0.02)
        raise AssertionError("the disputes are not solved")

    def raw(self, content: bytes, seconds: float = WAIT) -> bytes:
        """What comes back when these bytes are sent, until the server closes the connection."""
        with self.connected() as connection:
            connection.settimeout(seconds)
            found = b""
            with contextlib.suppress(OSError):
                connection.sendall(content)
            with contextlib.suppress(OSError):
                while chunk := connection.recv(65536):
                    found += chunk
            return found

    def connected(self) -> socket.socket:
        return socket.create_connection((self.host, self.port), timeout=WAIT)

    def head(self, method: str, path: str, **headers: str) -> bytes:
        """The lines before a body, with the token."""
        given = {"Host": f"{self.host}:{self.port}", "Authorization": f"Bearer {self.token}", **headers}
        lines = [f"{method} {path} HTTP/1.1", *(f"{name.replace('_', '-')}: {value}" for name, value in given.items())]
        return "\r\n".join([*lines, "", ""]).encode("latin-1")

    @contextlib.contextmanager
    def events(self, workspace: str) -> Iterator[Iterator[tuple[str, Any]]]:
        """The events of a workspace, by name, as they come."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=WAIT)
        try:
            connection.request("GET", f"{workspace}/events", headers={"Authorization": f"Bearer {self.token}"})
            yield _events(connection.getresponse())
        finally:
            connection.close()

    def children(self) -> list[int]:
        """The workers."""
        found = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(self.process.pid)], capture_output=True, text=True, check=False
        )
        return [int(pid) for pid in found.stdout.split()]

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


def made_again(folder: Path, way: tuple[str, ...] = ("sh", "make-again.sh")) -> bnfuse.Consensus:
    """What a bundle's own command makes of its inputs, with bnfuse as a program that is found."""
    programs = folder / "programs"
    programs.mkdir()
    (programs / "bnfuse").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m bnfuse "$@"\n')
    (programs / "bnfuse").chmod(0o755)
    path = os.pathsep.join((str(programs), os.environ["PATH"]))
    env = {**os.environ, "PATH": path, "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run(way, cwd=folder, env=env, check=True, capture_output=True)
    return bnfuse.Consensus.load(folder / "inputs" / "result.json")


def _events(response: http.client.HTTPResponse) -> Iterator[tuple[str, Any]]:
    name = ""
    while line := response.readline().decode():
        if line.startswith("event: "):
            name = line.removeprefix("event: ").strip()
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


_START = "from bnfuse.serve import limits; vars(limits).update({!r}); from bnfuse.commands import main; main()"


def started(folder: Path, *arguments: str, largest_file: int | None = None, **limits: float) -> Served:
    """A server whose workspaces are in a folder; it may have other limits, and a disk on which files cannot grow."""
    python = ["-c", _START.format(limits)] if limits else ["-m", "bnfuse"]
    command = [sys.executable, *python, "serve", "--no-browser", "--folder", str(folder), *arguments]
    process = subprocess.Popen(
        command,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=None if largest_file is None else functools.partial(_limit_files, largest_file),  # noqa: PLW1509
    )
    assert process.stdout is not None
    lines = ""
    while not lines.endswith("ends the server\n"):
        if not (line := process.stdout.readline()):
            assert process.stderr is not None
            raise AssertionError(f"{lines}{process.stderr.read()}")
        lines += line
    address, token = re.search(r"(https?://\S+)/\n", lines), re.search(r"this token: (\S+)", lines)
    assert address is not None
    assert token is not None
    return Served(process, address[1], token[1], lines)


def _limit_files(largest: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))


def ended(served: Served) -> str:
    """End a server; what it complained of."""
    if served.process.poll() is None:
        served.process.send_signal(signal.SIGINT)
    try:
        _, complaints = served.process.communicate(timeout=WAIT)
    except subprocess.TimeoutExpired:
        served.kill()
        raise
    return complaints


@contextlib.contextmanager
def served(folder: Path, *arguments: str, **limits: float) -> Iterator[Served]:
    """The same, until the end; it must end in peace, and say nothing of bugs."""
    server = started(folder, *arguments, **limits)
    try:
        yield server
    except BaseException:
        server.kill()
        raise
    assert "Traceback" not in ended(server)


def fresh(server: Served, request: pytest.FixtureRequest, files: list[str] | None = None) -> str:
    """A workspace that has the name of the test: its path."""
    return server.workspace(re.sub(r"\W+", "-", request.node.name)[:60].strip("-"), files)


def assert_repeated(server: Served, path: str, folder: Path) -> None:
    """The command and the Python lines give what the saved answer holds, tables and all."""
    (folder / "saved.json").write_bytes(json.dumps(server.ask("GET", f"{path}/out/saved")).encode())
    expected = bnfuse.Consensus.load(folder / "saved.json")
    _, *before, command = server.ask("GET", f"{path}/out/command").decode().splitlines()
    with contextlib.chdir(folder):
        for line in before:
            subprocess.run(["sh", "-c", line], check=True)
        assert run(shlex.split(command)[1:]) == 0
        assert bnfuse.Consensus.load("result.json") == expected
        Path("result.json").unlink()
        exec(server.ask("GET", f"{path}/out/python"), {})
        assert bnfuse.Consensus.load("result.json") == expected
