"""Checks of option values that several modules share."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from bnfuse._errors import OptionError

_MOST_THREADS = 256
_spelling: ContextVar[Mapping[str, str]] = ContextVar("spelling", default={})  # noqa: B039 - never changed in place


def option_name(option: str) -> str:
    """What a message calls an option: an argument in Python, a flag where the command line has one for it."""
    return _spelling.get().get(option, option)


@contextmanager
def spelled(flags: Mapping[str, str]) -> Iterator[None]:
    """Messages within call these options by their flags."""
    token = _spelling.set(flags)
    try:
        yield
    finally:
        _spelling.reset(token)


def one_of(option: str, value: str, allowed: Iterable[str]) -> str:
    """`value`, if it is one of the allowed ones."""
    allowed = tuple(allowed)
    if value not in allowed:
        raise OptionError(f"{option_name(option)} must be one of {', '.join(map(repr, allowed))}; got {value!r}")
    return value


def at_least(option: str, value: int, least: int) -> int:
    """`value`, if it is a whole number that is large enough."""
    if isinstance(value, bool) or not hasattr(value, "__index__") or value < least:
        raise OptionError(f"{option_name(option)} must be a whole number of at least {least}; got {value!r}")
    return int(value)


def thread_count(threads: int | None) -> int:
    """How many threads to use: as asked, otherwise as many as this process may run on. Results never depend on it."""
    if threads is not None:
        return min(at_least("threads", threads, 1), _MOST_THREADS)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
