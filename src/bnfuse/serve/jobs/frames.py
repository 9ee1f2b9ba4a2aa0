"""Messages between the server and its workers: JSON and bytes, never pickled objects.

A worker reads files that somebody dropped in. Whatever such a file does to a worker, only data come back.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from typing import IO, Any, NamedTuple

_HEAD = struct.Struct(">II")
_MOST_TEXT = 64 << 20


class Frame(NamedTuple):
    """One message: a JSON object, and bytes that belong to it."""

    facts: dict[str, Any]
    parts: tuple[bytes, ...] = ()


def packed(facts: dict[str, Any], parts: Sequence[bytes] = ()) -> bytes:
    """A message as bytes."""
    text = json.dumps([facts, [len(part) for part in parts]], separators=(",", ":")).encode()
    return b"".join((_HEAD.pack(len(text), sum(map(len, parts))), text, *parts))


HEAD_SIZE = _HEAD.size


def sizes(head: bytes) -> tuple[int, int]:
    """How many bytes of text, and of parts, follow a header."""
    text, parts = _HEAD.unpack(head)
    if text > _MOST_TEXT:
        raise ValueError("a message is too long")
    return text, parts


def unpacked(text: bytes, body: bytes) -> Frame:
    """The message in the bytes after a header."""
    facts, lengths = json.loads(text)
    parts, place = [], 0
    for length in lengths:
        parts.append(body[place : place + length])
        place += length
    return Frame(facts, tuple(parts))


def read_frame(stream: IO[bytes]) -> Frame | None:
    """The next message of a stream; None at its end."""
    head = stream.read(HEAD_SIZE)
    if len(head) < HEAD_SIZE:
        return None
    text, parts = sizes(head)
    return unpacked(stream.read(text), stream.read(parts))
