"""The mark of what is public: help, errors and pickles name `bnfuse`, not the module in which it is defined."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

_Public = TypeVar("_Public", bound=Callable[..., Any])


def public(thing: _Public) -> _Public:
    """A class or function that users reach as `bnfuse.NAME`."""
    thing.__module__ = "bnfuse"
    return thing
