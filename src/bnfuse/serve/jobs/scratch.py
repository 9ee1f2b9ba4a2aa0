"""A folder for temporary files of the server and its workers: for this user alone, and removed with the server.

A server that crashed leaves its folder behind. The next server removes it: the lock in it is free once its owner is
gone.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from bnfuse._base import disk

_PREFIX = "bnfuse-serve-"
_LOCK = "lock"


class Scratch:
    """The folder of one server."""

    def __init__(self, place: Path | None = None) -> None:
        base = Path(tempfile.gettempdir()) if place is None else place
        _sweep(base)
        self.path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=base))  # 0700
        self._lock = (self.path / _LOCK).open("ab")
        disk.lock(self._lock)

    def remove(self) -> None:
        """Everything in it."""
        self._lock.close()
        shutil.rmtree(self.path, ignore_errors=True)


def _sweep(base: Path) -> None:
    """Remove the folders of servers that crashed: this user's, with a lock that nobody holds."""
    for folder in base.glob(f"{_PREFIX}*"):
        with suppress(OSError):
            if _is_own(folder) and _is_left(folder / _LOCK):
                shutil.rmtree(folder, ignore_errors=True)


def _is_own(folder: Path) -> bool:
    status = folder.lstat()
    is_mine = not hasattr(os, "getuid") or status.st_uid == os.getuid()
    return stat.S_ISDIR(status.st_mode) and is_mine


def _is_left(path: Path) -> bool:
    with path.open("rb+") as file:  # without it, the folder is not one of ours, or is just being created
        disk.lock(file)
    return True
