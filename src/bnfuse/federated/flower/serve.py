"""`bnfuse federated serve`: a site that stays connected. It starts Flower's SuperNode, and answers its messages."""

from __future__ import annotations

import os
import secrets
import signal
import socket
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from bnfuse.errors import FederationError
from bnfuse.federated.flower.runner import Runner

_AGAIN = 5.0  # seconds before a SuperNode that has ended is started again
_LOOPBACK = "127.0.0.1"
_END = 20.0


def serve(folder: Path, connection: Sequence[str], say: Callable[[str], None], port: int | None = None) -> None:
    """Serve a site until Ctrl-C; `connection` are the options of `flower-supernode` for its connection.

    A SuperNode ends when its SuperLink was restarted and no longer knows it: then it is started again.
    """
    supernode = program("flower-supernode")
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))  # so that the SuperNode ends too
    with tempfile.TemporaryDirectory(prefix="bnfuse-site-") as place:
        secret = secrets.token_bytes(32)
        path = Path(place) / "secret"
        path.touch(mode=0o600)
        path.write_bytes(secret)
        while True:
            chosen = port or _free_port()
            node = subprocess.Popen(
                [
                    *(supernode, "--isolation", "process", "--superexec-auth-secret-file", str(path)),
                    *("--host", _LOOPBACK, "--port", str(chosen), *connection),
                ],
                env={"FLWR_TELEMETRY_ENABLED": "0", "FLWR_DISABLE_UPDATE_CHECK": "1", **os.environ},
                stdin=subprocess.DEVNULL,
            )
            try:
                Runner(f"{_LOOPBACK}:{chosen}", secret, folder, say).run(lambda node=node: node.poll() is None)  # type: ignore[misc]
            finally:
                _ended(node)
            say(f"the SuperNode has ended (code {node.returncode}); starting it again in {_AGAIN:g} s; Ctrl-C stops it")
            time.sleep(_AGAIN)


def program(name: str) -> str:
    """The path of one of Flower's programs."""
    path = Path(sysconfig.get_path("scripts")) / name
    if not path.exists():
        raise FederationError(f"{name} is not installed: pip install 'bnfuse[federated]'")
    return str(path)


def _ended(node: subprocess.Popen[bytes]) -> None:
    """End a SuperNode that was started here."""
    if node.poll() is None:
        node.terminate()
        killer = threading.Timer(_END, node.kill)
        killer.start()
        node.wait()
        killer.cancel()


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind((_LOOPBACK, 0))
        return int(taken.getsockname()[1])
