"""The origin of a result: the files, the command, the version and the time."""

from __future__ import annotations

import hashlib
import os
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bnfuse._base.disk import as_text


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file as it was when it was read."""

    path: str
    size: int
    """in bytes"""
    sha256: str

    @classmethod
    def of(cls, path: str | os.PathLike[str]) -> InputFile | None:
        """A file on the disk; None for one that cannot be read twice, such as a pipe."""
        file = Path(path)
        if not file.is_file():
            return None
        try:
            with file.open("rb") as content:
                digest = hashlib.file_digest(content, "sha256")
                return cls(as_text(str(path)), content.tell(), digest.hexdigest())
        except OSError:
            return None  # the reader reports what is wrong with it


@dataclass(frozen=True, slots=True)
class Origin:
    """Everything needed to repeat a run."""

    files: tuple[InputFile, ...]
    command: str
    """the command line; empty if there was none"""
    version: str
    """the version of bnfuse"""
    time: str
    """when the search started, in UTC"""

    @classmethod
    def now(
        cls,
        files: Iterable[str | os.PathLike[str]] = (),
        arguments: Sequence[str] = (),
        digests: Mapping[Path, tuple[int, str]] | None = None,
    ) -> Origin:
        """A run that starts now, from these files; `arguments` follow `bnfuse` on the command line.

        `digests` are those of files that were already read.
        """
        from bnfuse import __version__  # noqa: PLC0415 - the package imports this module

        known = digests or {}
        read = [
            InputFile(as_text(str(path)), *known[Path(path)]) if Path(path) in known else InputFile.of(path)
            for path in files
        ]
        return cls(
            files=tuple(file for file in read if file is not None),
            command=as_text(shlex.join(["bnfuse", *arguments])) if arguments else "",
            version=__version__,
            time=datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC"),
        )
