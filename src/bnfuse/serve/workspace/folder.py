"""The folder of workspaces, and one thread that reads and writes their stores: no request waits in the event loop."""

from __future__ import annotations

import asyncio
import os
import re
import sqlite3
import sys
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from bnfuse.errors import BnfuseError, FileError, OptionError
from bnfuse.serve import limits
from bnfuse.serve.workspace.store import FILE, WorkspaceStore, opened

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}")
_T = TypeVar("_T")


class UnknownError(BnfuseError):
    """Something that is not there."""


def default_folder() -> Path:
    """Where the user's data belong on this system."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA", "")
        home = Path(base) if base else Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        home = Path.home() / "Library" / "Application Support"
    else:
        base = os.environ.get("XDG_DATA_HOME", "")
        home = Path(base) if os.path.isabs(base) else Path.home() / ".local" / "share"
    return home / "bnfuse" / "workspaces"


def checked_name(name: Any) -> str:
    """A name that a folder may have on any system, and that leads nowhere else."""
    if not isinstance(name, str) or not _NAME.fullmatch(name) or name.endswith((".", " ")):
        raise OptionError(
            "a workspace is called by 1 to 64 letters, digits, spaces, dots, hyphens and underscores, the first a "
            f"letter or a digit, the last no dot or space; got {name!r:.80}"
        )
    return name


class Folder:
    """Workspaces by their names; only this process adds to those that it has opened."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._thread = ThreadPoolExecutor(1, "workspaces")
        self._open: OrderedDict[str, tuple[WorkspaceStore, ExitStack]] = OrderedDict()

    async def use(self, name: str, work: Callable[[WorkspaceStore], _T]) -> _T:
        """Do something with the store of a workspace, alone."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._use, name, work)

    async def names(self) -> list[str]:
        """All workspaces, the one that was changed last first."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._names)

    async def create(self, name: str | None = None) -> str:
        """A new workspace; without a name it is called by the date."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._create, name)

    async def discard(self, name: str) -> None:
        """Remove a workspace that could not be filled, before anybody has seen it."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._discard, name)

    async def close(self) -> None:
        """Close all stores."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close)
        self._thread.shutdown()

    def _use(self, name: str, work: Callable[[WorkspaceStore], _T]) -> _T:
        store = self._store(checked_name(name))
        try:
            return work(store)
        except sqlite3.Error as error:  # a full disk, say: the store is closed with it, which makes an error of ours
            _, stack = self._open.pop(name)
            stack.__exit__(type(error), error, error.__traceback__)
            raise

    def _store(self, name: str) -> WorkspaceStore:
        if name in self._open:
            self._open.move_to_end(name)
            return self._open[name][0]
        if not (self.path / name / FILE).is_file():
            raise UnknownError(f"there is no workspace {name!r}")
        return self._opened(name)

    def _opened(self, name: str, is_to_create: bool = False) -> WorkspaceStore:
        while len(self._open) >= limits.MOST_OPEN:
            _, (_, stack) = self._open.popitem(last=False)
            stack.close()
        stack = ExitStack()
        store = stack.enter_context(opened(self.path / name, is_to_create))
        self._open[name] = store, stack
        return store

    def _names(self) -> list[str]:
        try:
            found = [one for one in self.path.iterdir() if _NAME.fullmatch(one.name) and (one / FILE).is_file()]
            return [one.name for one in sorted(found, key=lambda one: (-(one / FILE).stat().st_mtime, one.name))]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise FileError(self.path, (error.strerror or str(error)).lower()) from None

    def _create(self, name: str | None) -> str:
        there = {one.lower() for one in self._names()}
        if len(there) >= limits.MOST_WORKSPACES:
            raise OptionError(f"the folder has {limits.MOST_WORKSPACES:,} workspaces already")
        if name is not None and checked_name(name).lower() in there:
            raise OptionError(f"there is a workspace {name!r} already")
        today = f"{datetime.now():%Y-%m-%d}"
        numbered = (f"{today} {i}" if i > 1 else today for i in range(1, limits.MOST_WORKSPACES + 2))
        called = next(one for one in numbered if one not in there) if name is None else name
        self._opened(called, is_to_create=True)
        return called

    def _discard(self, name: str) -> None:
        _, stack = self._open.pop(name)
        stack.close()
        with suppress(OSError):
            (self.path / name / FILE).unlink()
            (self.path / name).rmdir()

    def _close(self) -> None:
        while self._open:
            _, (_, stack) = self._open.popitem()
            stack.close()
