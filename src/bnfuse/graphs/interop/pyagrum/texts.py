"""Files of networks that pyAgrum reads, as text.

On a broken file pyAgrum can print to the screen, read beyond the end of a list, or fill the memory for minutes: so it
reads in a separate process with limits.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from bnfuse.graphs.interop.pyagrum import reader

# The limits on reading: on a broken file, pyAgrum can request all available memory and time
MEMORY, MEMORY_FOR_A_BYTE = 4 << 30, 50
_SECONDS, _BYTES_A_SECOND = 60, 100_000


class UnreadableError(Exception):
    """pyAgrum did not finish: it crashed, or requested more time or memory than it may have."""


def read_apart(kind: str, text: str, path: str) -> dict[str, Any]:
    """The content of a file as `reader.described` returns it, or pyAgrum's message under `error`."""
    with tempfile.TemporaryDirectory(prefix="bnfuse-") as folder:
        file, answer = Path(folder) / f"network.{kind}", Path(folder) / "answer"
        file.write_text(text, "utf-8", newline="")
        try:
            _run(kind, file, answer, len(text))
            found: dict[str, Any] = pickle.loads(answer.read_bytes())
        except (subprocess.SubprocessError, OSError):
            raise UnreadableError from None
        return found if not found["error"] else {"error": found["error"].replace(str(file), path)}


def _run(kind: str, file: Path, answer: Path, size: int) -> None:
    subprocess.run(
        [
            *(sys.executable, "-P", reader.__file__, kind, str(file), str(answer)),
            str(MEMORY + MEMORY_FOR_A_BYTE * size),
        ],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        timeout=_SECONDS + size / _BYTES_A_SECOND,
        check=True,
    )


def first_line(message: str) -> str:
    """The first line of pyAgrum's message."""
    return message.strip().partition("\n")[0].removeprefix("[pyAgrum] ")
