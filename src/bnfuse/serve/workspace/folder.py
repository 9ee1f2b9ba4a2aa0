"""The folder of workspaces, and one thread that reads and writes their stores, so that the event loop never waits."""

from __future__ import annotations

import asyncio
import os
import re
import sqlite3
import sys
import unicodedata
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from bnfuse.errors import BnfuseError, FileError, OptionError
from bnfuse.serve import limits
from bnfuse.serve.workspace.store import FILE, WorkspaceStore, alone, opened, problem_of

_MOST_CHARACTERS = 64
_MOST_BYTES = 200  # folders may have names of 255
_JOINERS = "\u200c\u200d"  # within words of Persian, and of scripts of India
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.I)  # on Windows
_T = TypeVar("_T")


class UnknownError(BnfuseError):
    """Something that does not exist."""


def default_folder() -> Path:
    """The place of the user's data on this system."""
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
    """A name that is valid for a folder on any system, and stays within it; the same however it was typed."""
    wanted = unicodedata.normalize("NFC", name) if isinstance(name, str) else ""
    if not _is_name(wanted):
        raise OptionError(
            f"the name of a workspace has 1 to {_MOST_CHARACTERS} letters of any script, digits, spaces, dots, hyphens "
            f"and underscores, the first a letter or a digit, the last no dot or space; got {name!r:.80}"
        )
    return wanted


def _is_name(name: str) -> bool:
    if not name or len(name) > _MOST_CHARACTERS or name[-1] in ". " or _RESERVED.fullmatch(name):
        return False
    kinds = [unicodedata.category(char)[0] for char in name]
    is_known = all(kind in "LMN" or char in " ._-" or char in _JOINERS for kind, char in zip(kinds, name, strict=True))
    return is_known and kinds[0] in "LN" and len(name.encode()) <= _MOST_BYTES


@dataclass(frozen=True, slots=True)
class Listed:
    """A workspace in the list."""

    name: str
    changed: str
    """the time of its last change, as ISO 8601"""
    problem: str | None
    """why it cannot be opened"""


def _close_to_others(folder: Path) -> None:
    """Make a workspace private to this user, even one from an older version."""
    with suppress(OSError):  # somebody else's, or on a disk without such rights
        if folder.is_dir():
            folder.chmod(0o700)
            (folder / FILE).chmod(0o600)


class Folder:
    """Workspaces by name; only this process adds to those that it has opened."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._thread = ThreadPoolExecutor(1, "workspaces")
        self._open: OrderedDict[str, tuple[WorkspaceStore, ExitStack]] = OrderedDict()

    async def use(self, name: str, work: Callable[[WorkspaceStore], _T]) -> _T:
        """Work on the store of a workspace, exclusively."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._use, name, work)

    async def names(self) -> list[str]:
        """All workspaces, the most recently changed first."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._names)

    async def create(self, name: str | None = None) -> str:
        """A new workspace; without a name, it is named by the date."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._create, name)

    async def create_beside(self, name: str) -> str:
        """A new workspace with a name or, if that is taken, the same with a number."""
        wanted = checked_name(name)
        there = {one.casefold() for one in await self.names()}
        numbers = (f" {i}" if i > 1 else "" for i in range(1, len(there) + 2))
        numbered = (wanted[: _MOST_CHARACTERS - len(number)].rstrip(". ") + number for number in numbers)
        return await self.create(next(one for one in numbered if one.casefold() not in there))

    async def listed(self) -> list[Listed]:
        """The same, with the times, and the reason if a workspace cannot be opened."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._listed)

    async def delete(self, name: str) -> None:
        """Delete a workspace permanently, even one that cannot be read."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._delete, name)

    async def discard(self, name: str) -> None:
        """Remove a workspace that could not be filled, before anybody has seen it."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._discard, name)

    async def close(self) -> None:
        """Close all stores."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close)
        self._thread.shutdown()

    def _use(self, name: str, work: Callable[[WorkspaceStore], _T]) -> _T:
        own = checked_name(name)
        store = self._store(own)
        try:
            return work(store)
        except (
            sqlite3.Error
        ) as error:  # such as a full disk: the store is closed with it, which raises one of our errors
            _, stack = self._open.pop(own)
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
        _close_to_others(self.path / name)
        store = stack.enter_context(opened(self.path / name, is_to_create))
        self._open[name] = store, stack
        return store

    def _names(self) -> list[str]:
        try:
            found = [one for one in self.path.iterdir() if _is_name(one.name) and (one / FILE).is_file()]
            return [one.name for one in sorted(found, key=lambda one: (-(one / FILE).stat().st_mtime, one.name))]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise FileError(self.path, (error.strerror or str(error)).lower()) from None

    def _create(self, name: str | None) -> str:
        there = {one.casefold() for one in self._names()}
        if len(there) >= limits.MOST_WORKSPACES:
            raise OptionError(f"the folder has {limits.MOST_WORKSPACES:,} workspaces already")
        wanted = None if name is None else checked_name(name)
        if wanted is not None and wanted.casefold() in there:
            raise OptionError(f"there is a workspace {wanted!r} already")
        today = f"{datetime.now():%Y-%m-%d}"
        numbered = (f"{today} {i}" if i > 1 else today for i in range(1, limits.MOST_WORKSPACES + 2))
        called = next(one for one in numbered if one not in there) if wanted is None else wanted
        self._opened(called, is_to_create=True)
        return called

    def _listed(self) -> list[Listed]:
        found = []
        for name in self._names():
            path = self.path / name / FILE
            changed = datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat(timespec="seconds")
            found.append(Listed(name, changed, None if name in self._open else problem_of(path)))
        return found

    def _delete(self, name: str) -> None:
        own = checked_name(name)
        folder = self.path / own
        if own in self._open:
            _, stack = self._open.pop(own)
            stack.close()
        if not (folder / FILE).is_file():
            raise UnknownError(f"there is no workspace {own!r}")
        with alone(folder):  # nobody else has it open
            for one in (FILE, f"{FILE}-journal"):
                (folder / one).unlink(missing_ok=True)
        with suppress(OSError):  # there may be files of somebody else
            folder.rmdir()

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
