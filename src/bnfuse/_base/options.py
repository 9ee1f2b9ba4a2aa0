"""Options, declared once: a field with its default, check and help text; and the checks that modules share."""

from __future__ import annotations

import inspect
import math
import operator
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import field, fields
from numbers import Real
from typing import Any, TypeAlias, TypeVar

from bnfuse._base.spelling import meant, unknown
from bnfuse.errors import OptionError

MOST_STEPS = 10**9
"""The highest number of repetitions of anything: no run reaches it."""
LARGEST_SEED = 2**64 - 1
MOST_WORKERS = 256
"""The highest number of threads or processes; requests for more fail."""
_EXACT = 2**53  # whole numbers up to this one are exact as floats
_flags: ContextVar[Mapping[str, str]] = ContextVar("flags", default={})  # noqa: B039 - never changed in place


def option_name(option: str) -> str:
    """The name of an option in messages: an argument in Python, a flag where the command line has one for it."""
    return _flags.get().get(option, option)


@contextmanager
def spelled(flags: Mapping[str, str]) -> Iterator[None]:
    """Messages within the block call these options by their flags."""
    token = _flags.set(flags)
    try:
        yield
    finally:
        _flags.reset(token)


Check: TypeAlias = Callable[[str, Any], Any]
"""From the name of an option and a value: the value to store, or an OptionError."""


def option(default: Any, text: str, check: Check | None = None) -> Any:
    """A field of a dataclass of options; `text` is its help, on the command line too."""
    return field(default=default, metadata={"help": text, "check": check})


def like(kind: type, name: str) -> Any:
    """A field that is declared elsewhere: with its default, its check and its help."""
    one = next(one for one in fields(kind) if one.name == name)
    return field(default=one.default, metadata=one.metadata)


def check_options(options: Any) -> None:
    """For `__post_init__`: check every field. None stands for the default."""
    for one in fields(options):
        if (check := one.metadata.get("check")) is None:
            continue
        value = getattr(options, one.name)
        if not (value is None and one.default is None):
            object.__setattr__(options, one.name, check(one.name, value))


def help_of(kind: type, name: str, *, before: str = "", after: str = "") -> str:
    """The help text of an option, with words before and after it."""
    text: str = next(one for one in fields(kind) if one.name == name).metadata["help"]
    return f"{before} {text[:1].lower()}{text[1:]}{after}" if before else f"{text}{after}"


def default_of(kind: type, name: str) -> Any:
    """The default of an option."""
    return next(one for one in fields(kind) if one.name == name).default


_CLIQUE_LIMIT = "max_clique"
_CLIQUE_LIMITS = ("t", "k", "tw", "treewidth", "max_treewidth", "width", "max_width", "clique_limit", "clique_size")
"""other names for a limit on the largest clique"""


def parameters_of(function: Callable[..., Any]) -> list[str]:
    """The options of a function, by name."""
    return [name for name in inspect.signature(function).parameters if name != "cls"]


def refuse_unknown(given: Iterable[str], known: Iterable[str], has: str = "") -> None:
    """Refuse remaining options: the message names the known option that is probably meant.

    `has` lists the known ones. If a clique limit has its name from other software, the message gives its name here.
    """
    known = list(known)
    for name in given:
        if name in _CLIQUE_LIMITS and _CLIQUE_LIMIT in known:
            raise OptionError(
                f"unknown option {name!r}: {_CLIQUE_LIMIT} limits the largest clique; for treewidth k it is k + 1"
            )
        raise OptionError(f"{unknown('option', name, known)}{has and f'; {has}'}")


def check_of(kind: type, name: str) -> Check:
    """The check of an option."""
    check: Check = next(one for one in fields(kind) if one.name == name).metadata["check"]
    return check


def taken(given: dict[str, Any], kind: type) -> dict[str, Any]:
    """Take those of the given options that a dataclass has."""
    return {one.name: given.pop(one.name) for one in fields(kind) if one.name in given}


_Function = TypeVar("_Function", bound=Callable[..., Any])


class _Unsaid:
    """The default of an option that a signature cannot show because it depends on other options."""

    def __repr__(self) -> str:
        return "..."


def spelled_out(function: _Function) -> _Function:
    """Show the options that `**options: Unpack[...]` stands for one by one in the signature.

    Type checkers know them anyway; help and completion in notebooks look there.
    """
    signature = inspect.signature(function)
    shown: list[inspect.Parameter] = []
    for one in signature.parameters.values():
        if (kind := re.fullmatch(r"Unpack\[(\w+)\]", str(one.annotation))) is None:
            shown.append(one)
            continue
        for name, hint in function.__globals__[kind[1]].__annotations__.items():
            text = getattr(hint, "__forward_arg__", hint)
            shown.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=_Unsaid(), annotation=text))
    vars(function)["__signature__"] = signature.replace(parameters=shown)
    return function


def choice(allowed: Iterable[str]) -> Check:
    """One of some names."""
    names = tuple(allowed)
    return lambda name, value: one_of(name, value, names)


def whole(least: int, most: int | None = None) -> Check:
    """A whole number between two limits."""
    return lambda name, value: at_least(name, value, least, most)


def positive(unit: str) -> Check:
    """A number above 0 of some unit."""

    def check(name: str, value: Any) -> int | float:
        number = real_number(value)
        if number is None or not number > 0:
            raise OptionError(f"{option_name(name)} must be a positive number of {unit}; got {_shown(value)}")
        return number

    return check


def not_negative(unit: str) -> Check:
    """A finite number of at least 0 of some unit."""

    def check(name: str, value: Any) -> int | float:
        number = real_number(value)
        if number is None or not 0 <= number < math.inf:
            raise OptionError(f"{option_name(name)} must be a number of {unit} that is at least 0; got {_shown(value)}")
        return number

    return check


def share(name: str, value: Any) -> int | float:
    """A number of at least 0 and below 1."""
    number = real_number(value)
    if number is None or not 0 <= number < 1:
        raise OptionError(f"{option_name(name)} must be a number of at least 0 and below 1; got {_shown(value)}")
    return number


def flag(name: str, value: Any) -> bool:
    """True or False."""
    if not isinstance(value, bool):
        raise OptionError(f"{option_name(name)} must be True or False; got {value!r:.60}")
    return value


def one_of(option: str, value: str, allowed: Iterable[str]) -> str:
    """`value`, if it is one of the allowed ones."""
    allowed = tuple(allowed)
    if value not in allowed:
        raise OptionError(
            f"{option_name(option)} must be one of {', '.join(map(repr, allowed))}; "
            f"got {value!r}{meant(value, allowed)}"
        )
    return value


def whole_number(value: Any) -> int | None:
    """A whole number of any type, such as numpy's, as an int; None for anything else, a bool too."""
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def real_number(value: Any) -> int | float | None:
    """A number of any type, such as numpy's, as an int or a float; None for anything else, a bool too.

    >>> real_number(2.5), real_number(3), real_number(10**400), real_number(True)
    (2.5, 3, inf, None)
    """
    if (whole := whole_number(value)) is not None:
        if abs(whole) <= _EXACT:
            return whole
    elif isinstance(value, bool) or not isinstance(value, Real):
        return None
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _shown(value: Any) -> str:
    """A value in a message; a long one is cut."""
    try:
        return f"{value!r:.60}"
    except ValueError:  # Python refuses to write numbers with thousands of digits
        return "a number with thousands of digits"


def at_least(option: str, value: Any, least: int, most: int | None = None) -> int:
    """`value`, if it is a whole number between two limits."""
    number = whole_number(value)
    if number is None or number < least:
        raise OptionError(f"{option_name(option)} must be a whole number of at least {least}; got {_shown(value)}")
    if most is not None and number > most:
        is_power = most > _EXACT and (most + 1).bit_count() == 1
        bound = f"below 2**{most.bit_length()}" if is_power else f"at most {most:,}"
        raise OptionError(f"{option_name(option)} must be {bound}; got {_shown(value)}")
    return number


def finite(name: str, value: Any) -> float:
    """`value`, if it is a number that is not infinite."""
    number = real_number(value)
    if number is None or not math.isfinite(number):
        raise OptionError(f"{option_name(name)} must be a finite number; got {_shown(value)}")
    return number


def thread_count(threads: int | None) -> int:
    """How many threads to use: the given number, or as many as this process may run on. Results never depend on it."""
    if threads is not None:
        return min(at_least("threads", threads, 1), MOST_WORKERS)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
