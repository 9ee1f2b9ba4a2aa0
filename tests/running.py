"""What tests of the command line share: the example networks, and ways to start it as a program."""

import contextlib
import os
import subprocess
import sys
from pathlib import Path

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
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "COLUMNS": str(width), "TERM": "dumb"}
    command = [sys.executable, "-m", "bnfuse", *map(str, arguments)]
    with subprocess.Popen(command, env=environment, stdout=other_end, stderr=subprocess.DEVNULL) as process:
        os.close(other_end)
        shown = b""
        with contextlib.suppress(OSError):  # how a terminal ends
            while chunk := os.read(terminal, 4096):
                shown += chunk
    os.close(terminal)
    assert process.returncode == 0
    return shown.decode().replace("\r\n", "\n")
