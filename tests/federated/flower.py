"""Flower's own processes on loopback: a SuperLink, a served site each, and a run. Nothing asks the outside."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

_SCRIPTS = Path(sysconfig.get_path("scripts"))
_TURN = 0.1


def environment(home: Path) -> dict[str, str]:
    """No telemetry, no look for updates, settings of its own."""
    return {
        **os.environ,
        "FLWR_TELEMETRY_ENABLED": "0",
        "FLWR_DISABLE_UPDATE_CHECK": "1",
        "FLWR_HOME": str(home),
        "PATH": f"{_SCRIPTS}{os.pathsep}{os.environ.get('PATH', '')}",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


@dataclass
class Flower:
    """Running processes; see `flower`."""

    folder: Path
    port: int
    server_tls: Sequence[str] = ("--insecure",)
    site_tls: Sequence[str] = ("--insecure",)
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    @property
    def variables(self) -> dict[str, str]:
        return environment(self.folder / "home")

    def start(self, name: str, *command: object) -> subprocess.Popen[bytes]:
        """A process in a group of its own, with what it says in a file."""
        with (self.folder / f"{name}.log").open("ab") as said:
            program, *arguments = map(str, command)
            self.processes[name] = subprocess.Popen(
                [str(_SCRIPTS / program), *arguments],
                env=self.variables,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                start_new_session=True,
                cwd=self.folder,
            )
        return self.processes[name]

    def said(self, name: str) -> str:
        path = self.folder / f"{name}.log"
        return path.read_text("utf-8", "replace") if path.exists() else ""

    def superlink(self) -> None:
        self.start(
            "superlink",
            *("flower-superlink", "--host", "127.0.0.1", "--port", self.port),
            *("--disable-runtime-dependency-installation", *self.server_tls),
        )
        self.wait_for(lambda: _answers(self.port), "superlink")

    def site(self, name: str, folder: Path, *more: object) -> None:
        """A site as its owner starts it."""
        self.start(
            name,
            *("bnfuse", "federated", "serve", folder, "--superlink", f"127.0.0.1:{self.port}"),
            *("--port", free_port(), *self.site_tls, *more),
        )

    def run(self, folder: Path) -> None:
        """Start a run of a federation; what its coordinator says is streamed into a file."""
        self.start("run", "bnfuse", "federated", "run", folder, "here")

    def run_app(self, folder: Path) -> None:
        """Start any app, as a coordinator can."""
        self.start("app", "flwr", "run", folder, "here", "--stream")

    def wait_for(self, is_there: object, name: str, seconds: float = 900) -> None:
        """Until something is there; ends early when the process has ended."""
        assert callable(is_there)
        end = time.monotonic() + seconds
        while not is_there():
            ended = self.processes[name].poll() is not None
            assert not ended or is_there(), f"{name} has ended: {self.said(name)[-2000:]}"
            assert time.monotonic() < end, f"{name}: {self.said(name)[-2000:]}"
            time.sleep(_TURN)

    def kill(self, name: str) -> None:
        """With all that it has started, at once."""
        process = self.processes.pop(name)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def kill_tasks(self, program: str = "") -> None:
        """What Flower has started in groups of their own: the app of the coordinator, say."""
        home = f"FLWR_HOME={self.folder / 'home'}\0".encode()
        for process in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if (
                    home in (process / "environ").read_bytes()
                    and program.encode() in (process / "cmdline").read_bytes()
                ):
                    os.kill(int(process.name), signal.SIGKILL)


def _answers(port: int) -> bool:
    with socket.socket() as asking:
        return asking.connect_ex(("127.0.0.1", port)) == 0


@contextlib.contextmanager
def flower(folder: Path, tls: Mapping[str, Path] | None = None) -> Iterator[Flower]:
    """A SuperLink; all processes are ended afterwards.

    `tls` are the files of certificates: ca, certificate, key; sites then need keys that are registered.
    """
    (folder / "home").mkdir(parents=True)
    running = Flower(folder, free_port())
    connection = f'[superlink]\ndefault = "here"\n[superlink.here]\naddress = "127.0.0.1:{running.port}"\n'
    if tls is None:
        connection += "insecure = true\n"
    else:
        connection += f'root-certificates = "{tls["ca"]}"\n'
        running.server_tls = (
            *("--ssl-ca-certfile", str(tls["ca"]), "--ssl-certfile", str(tls["certificate"])),
            *("--ssl-keyfile", str(tls["key"]), "--enable-supernode-auth"),
        )
        running.site_tls = ("--root-certificates", str(tls["ca"]))
    (folder / "home" / "config.toml").write_text(connection)
    try:
        running.superlink()
        yield running
    finally:
        for name in list(running.processes):
            running.kill(name)
        running.kill_tasks()
