"""One hash for everything that is signed or bound: two different values never have the same encoding."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import TypeAlias

Hashed: TypeAlias = "bytes | str | int | Sequence[Hashed] | Mapping[str, Hashed]"

_LENGTH = 8


def digest(label: str, *parts: Hashed) -> bytes:
    """SHA-256 of some values; `label` separates its uses."""
    return hashlib.sha256(_encoded([f"bnfuse federated 2: {label}", *parts])).digest()


def _encoded(value: Hashed) -> bytes:
    """Every value with its type and its length, so that no two have the same encoding."""
    if isinstance(value, bytes):
        return _tagged(b"b", value)
    if isinstance(value, str):
        return _tagged(b"s", value.encode())
    if isinstance(value, int):
        return _tagged(b"i", str(int(value)).encode())
    if isinstance(value, Mapping):
        pairs = [_encoded(key) + _encoded(value[key]) for key in sorted(value)]
        return _tagged(b"m", b"".join(pairs))
    return _tagged(b"l", b"".join(map(_encoded, value)))


def _tagged(kind: bytes, content: bytes) -> bytes:
    return kind + len(content).to_bytes(_LENGTH, "big") + content
