"""Responses in JSON that can hold any name: characters beyond ASCII, and halves of them, are escaped."""

from __future__ import annotations

import json
from typing import Any

from starlette.responses import Response


class Reply(Response):
    """A value as JSON."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """As bytes."""
        return json.dumps(content, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode()
