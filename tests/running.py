"""What tests of the command line share: the example networks, and ways to start it, as a program or on a terminal."""

import contextlib
import io
import os
import subprocess
import sys
import threading
from pathlib import Path
from unittest import mock

from bnfuse.commands import run

CLINICS = [str(path) for path in sorted((Path(__file__).parent.parent / "examples" / "clinics").glob("*.bif"))]


def in_shell(script, *arguments, **options):
    """Runs a shell script in which $BNFUSE is the command."""
    environment = {
        **os.environ,
        "BNFUSE": f"{sys.executable} -m bnfuse",
        "PYTHONPATH": os.pathsep.join(sys.path),
        **options,
    }
    return subprocess.run(
        ["sh", "-c", script, "sh", *arguments], env=environment, capture_output=True, text=True, check=False
    )


def on_terminal(width, *arguments):
    """What the command line shows on a terminal of this width."""
    terminal, other_end = os.openpty()
    shown = []

    def look():
        with contextlib.suppress(OSError):  # how a terminal ends
            while chunk := os.read(terminal, 4096):
                shown.append(chunk)

    looking = threading.Thread(target=look)
    looking.start()
    with (
        open(other_end, "w", encoding="utf-8", errors="backslashreplace") as output,
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(io.StringIO()),
        mock.patch.dict(os.environ, {"COLUMNS": str(width), "TERM": "dumb"}),
    ):
        code = run([*map(str, arguments)])
    looking.join()
    os.close(terminal)
    assert code == 0
    return b"".join(shown).decode().replace("\r\n", "\n")
