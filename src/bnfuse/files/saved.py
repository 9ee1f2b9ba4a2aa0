"""A saved consensus, read as the network that it is about."""

from __future__ import annotations

from bnfuse.network import Network


def read_text(text: str, path: str) -> list[Network]:
    """The consensus itself, with its tables where it has any."""
    from bnfuse.result import Result  # noqa: PLC0415
    from bnfuse.saved import parsed  # noqa: PLC0415 - results come long after files

    return [parsed(text.encode(), path, Result).network]
