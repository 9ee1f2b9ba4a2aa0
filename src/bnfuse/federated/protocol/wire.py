"""The form of messages: a dictionary of plain values, in which bytes stay bytes.

A header of JSON, followed by the bytes for its placeholders `{"bytes": n}`. Nothing in it can be executed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeAlias

from bnfuse.errors import FederationError

Body: TypeAlias = dict[str, Any]
"""The content of a message."""

_BYTES = "bytes"
_LENGTH = 4  # bytes of the length of the header


def packed(body: Mapping[str, Any]) -> bytes:
    """A dictionary as bytes."""
    blobs: list[bytes] = []

    def placed(value: Any) -> Any:
        if isinstance(value, bytes):
            blobs.append(value)
            return {_BYTES: len(value)}
        if isinstance(value, Mapping):
            return {str(key): placed(one) for key, one in value.items()}
        return [placed(one) for one in value] if isinstance(value, list | tuple) else value

    header = json.dumps(placed(body), ensure_ascii=False, separators=(",", ":")).encode()
    return b"".join((len(header).to_bytes(_LENGTH, "little"), header, *blobs))


def unpacked(content: bytes) -> Body:
    """The dictionary that `packed` was given; anything that does not fit is refused."""
    try:
        end = _LENGTH + int.from_bytes(content[:_LENGTH], "little")
        place = end

        def found(value: Any) -> Any:
            nonlocal place
            if isinstance(value, dict):
                if set(value) == {_BYTES}:
                    start, place = place, place + int(value[_BYTES])
                    if not start <= place <= len(content):
                        raise ValueError
                    return content[start:place]
                return {key: found(one) for key, one in value.items()}
            return [found(one) for one in value] if isinstance(value, list) else value

        body = found(json.loads(content[_LENGTH:end]))
        if not isinstance(body, dict) or place != len(content):
            raise ValueError
        return body
    except (ValueError, TypeError, RecursionError):
        raise FederationError("a message is damaged") from None
