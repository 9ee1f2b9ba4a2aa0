"""Reading and writing files: completely or not at all, with one clear error for everything that can go wrong."""

from __future__ import annotations

import errno
import gzip
import hashlib
import io
import os
import secrets
import stat
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import IO

from bnfuse._base.options import option_name
from bnfuse.errors import FileError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

MAX_BYTES = 1 << 28
"""what a file may contain once unpacked: a small .gz can unpack to any size"""
MAX_MEMORY = 1 << 30
"""bytes that the parts of a file may take once it is split: each short word is a separate object"""
A_WORD, A_LIST, AN_OBJECT = 60, 72, 240  # the bytes that Python needs for each, at least
_CHUNK = 1 << 20
_ENDS = 1 << 16  # bytes; the program that wrote a file is named at its beginning or, in a PDF, at its end
MARK = "written by bnfuse"
"""the text near the beginning of a file, in a comment if the format has them, that lets bnfuse replace it"""
_GZIP_MAGIC = b"\x1f\x8b"
_digests: ContextVar[dict[Path, tuple[int, str]] | None] = ContextVar("digests", default=None)


@contextmanager
def digests() -> Iterator[dict[Path, tuple[int, str]]]:
    """The size and SHA-256 of each file that `read_bytes` reads within the block: of the very bytes that are used."""
    found: dict[Path, tuple[int, str]] = {}
    token = _digests.set(found)
    try:
        yield found
    finally:
        _digests.reset(token)


def read_bytes(path: Path) -> bytes:
    """The content of a file, unpacked if it is gzipped, whatever its name."""
    try:
        with path.open("rb") as file:
            packed = _read_all(file, path)
    except (OSError, ValueError) as error:  # ValueError: a NUL character in the path
        raise FileError(path, reason(error)) from None
    if (found := _digests.get()) is not None:
        found[path] = len(packed), hashlib.sha256(packed).hexdigest()
    if path.suffix.lower() == ".gz" and packed and not packed.startswith(_GZIP_MAGIC):
        raise FileError(path, "is not gzipped, although its name ends in .gz")
    return _unpacked(packed, path)


def read_stream(stream: IO[bytes], name: object) -> bytes:
    """The content of an open file, unpacked if it is gzipped; `name` is its name in an error."""
    try:
        packed = _read_all(stream, name)
    except (OSError, ValueError) as error:
        raise FileError(name, reason(error)) from None
    return _unpacked(packed, name)


def _unpacked(content: bytes, name: object) -> bytes:
    if not content.startswith(_GZIP_MAGIC):
        return content
    plain = gunzip(content, name)
    if plain.startswith(_GZIP_MAGIC):
        raise FileError(name, "is gzipped twice; unpack it once")
    return plain


def too_large(name: object, most: int) -> FileError:
    """The error for a file that is larger than the limit."""
    return FileError(name, f"holds more than {most >> 20:,} MiB, which is more than bnfuse reads")


def check_memory(needed: int, name: object) -> None:
    """Refuse a file whose parts would take more memory than any network needs."""
    if needed > MAX_MEMORY:
        raise FileError(name, f"would take more than {MAX_MEMORY >> 20:,} MiB of memory: too large to be read")


def check_json(content: bytes, name: object) -> None:
    """Refuse JSON whose lists, objects and values would take too much memory, before they are created."""
    values = A_WORD * content.count(b",") + A_LIST * content.count(b"[") + AN_OBJECT * content.count(b"{")
    check_memory(len(content) + values, name)


def as_text(name: str) -> str:
    r"""The name of a file as text that any file can hold: bytes in it that are not text become \xNN."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def gunzip(packed: bytes, path: object) -> bytes:
    """Gzipped content unpacked; `path` is its name in an error."""
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(packed)) as file:
            return _read_all(file, path)
    except EOFError:
        raise FileError(path, "the gzipped content ends too early; the file is truncated") from None
    except (OSError, zlib.error) as error:
        raise FileError(path, f"the gzipped content is damaged ({error})") from None


def head_of(path: Path, size: int) -> bytes:
    """The first bytes of a file, unpacked as far as possible."""
    try:
        with path.open("rb") as file:
            head = file.read(size)
    except OSError as error:
        raise FileError(path, reason(error)) from None
    if not head.startswith(_GZIP_MAGIC):
        return head
    try:
        return zlib.decompressobj(wbits=31).decompress(head, size)
    except zlib.error:
        return head


def write_bytes(content: bytes, path: Path) -> None:
    """Replace the content of a file: afterwards it holds all of it or, after an error, its previous content.

    A symbolic link stays one, and its target is written. A device or a pipe is written to directly.
    """
    try:
        target = Path(os.path.realpath(path))
        old = _status(target)
        if old is not None and not stat.S_ISREG(old.st_mode):
            with target.open("wb") as file:
                file.write(content)
            return
        if old is not None and not os.access(target, os.W_OK):  # not needed, but it shows what the owner wants
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        _replace(content, target, None if old is None else stat.S_IMODE(old.st_mode))
    except (OSError, ValueError) as error:
        raise FileError(path, f"cannot be written: {reason(error)}") from None


def gzipped(content: bytes) -> bytes:
    """Content as gzip, the same bytes on every run."""
    return gzip.compress(content, mtime=0)


def _replace(content: bytes, target: Path, mode: int | None) -> None:
    temporary = target.parent / f".bnfuse-{secrets.token_hex(8)}.tmp"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)  # Windows would write \n as \r\n
    descriptor = os.open(temporary, flags, 0o666)  # the umask applies
    try:
        with open(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(descriptor)
            if mode is not None:
                os.chmod(temporary, mode)
        os.replace(temporary, target)
    except BaseException:  # even Ctrl-C must leave nothing behind
        temporary.unlink(missing_ok=True)
        raise


def _read_all(file: IO[bytes] | gzip.GzipFile, path: object) -> bytes:
    content = io.BytesIO()
    room = MAX_BYTES
    while chunk := file.read(min(_CHUNK, room + 1)):
        room -= len(chunk)
        if room < 0:
            raise too_large(path, MAX_BYTES)
        content.write(chunk)
    return content.getvalue()  # the same bytes: nothing needs to be copied


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def reason(error: OSError | ValueError) -> str:
    """Why the system refused a file, in a few words."""
    if isinstance(error, FileNotFoundError):
        return "no such file or folder"
    if isinstance(error, IsADirectoryError):
        return "is a folder, not a file"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return str(error)


def check_readable(path: Path) -> None:
    """Refuse a file that cannot be opened."""
    try:
        path.open("rb").close()
    except (OSError, ValueError) as error:
        raise FileError(path, reason(error)) from None


def check_place(path: Path) -> None:
    """Refuse a path that cannot be written."""
    if path.is_dir():
        raise FileError(path, "is a folder, not a file")
    if not path.absolute().parent.is_dir():
        raise FileError(path, f"cannot be written: there is no folder {str(path.parent)!r}")
    if not os.access(path if path.exists() else path.absolute().parent, os.W_OK):
        raise FileError(path, "cannot be written: permission denied")


def lock(file: IO[bytes]) -> None:
    """Prevent other processes from locking this file while it is open; OSError if another one has locked it."""
    if sys.platform == "win32":
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def check_replaceable(path: Path, is_own: Callable[[bytes], bool], kind: str, overwrite: bool) -> None:
    """Refuse a path that cannot be written, and a file that bnfuse did not write, unless it may be overwritten.

    `is_own` decides by the first and last bytes of the existing file, unpacked; `kind` names the new content, such as
    "a BIF file". A file without content may always be replaced.
    """
    check_place(path)
    if overwrite or not path.is_file():
        return
    ends = _ends_of(path)
    if ends.strip() and not is_own(ends):
        raise FileError(
            path, f"exists and is not {kind} that bnfuse wrote; to replace it: {option_name('overwrite=True')}"
        )


def is_marked(ends: bytes) -> bool:
    """Whether the first or last bytes of a file show that bnfuse wrote it."""
    return MARK.encode() in ends


def check_new(path: Path, overwrite: bool) -> None:
    """Refuse a path that cannot be written, and any file with content, unless it may be overwritten.

    For formats that cannot record which program wrote a file.
    """
    check_place(path)
    if not overwrite and path.is_file() and _ends_of(path).strip():
        raise FileError(path, f"exists; to replace it: {option_name('overwrite=True')}")


def _ends_of(path: Path) -> bytes:
    head = head_of(path, _ENDS)
    if len(head) < _ENDS:
        return head
    try:
        with path.open("rb") as file:
            file.seek(-_ENDS, os.SEEK_END)
            return head + file.read()
    except OSError as error:
        raise FileError(path, reason(error)) from None
