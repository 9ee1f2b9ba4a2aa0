"""Values from a JSON file that know their place in it: every error names the place."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from typing import Any, TypeVar

from bnfuse.errors import BnfuseError, OptionError

_Kind = TypeVar("_Kind")
_LARGEST = 2**62  # whole numbers from here on do not fit into an array


class FieldError(OptionError):
    """A value that is not as expected; the message begins with its place."""


class Field:
    """A value and its place, such as `inputs[2].weight`."""

    __slots__ = ("place", "value")

    def __init__(self, value: Any, place: str = "") -> None:
        self.value, self.place = value, place

    @classmethod
    def parsed(cls, text: bytes, place: str = "") -> Field:
        """The whole text of a file."""
        try:
            return cls(json.loads(text, parse_constant=_refuse_constant), place)
        except json.JSONDecodeError as error:
            raise FieldError(f"line {error.lineno}, column {error.colno}: {error.msg}") from None
        except (ValueError, RecursionError):  # not text, a number with too many digits, or lists nested too deeply
            raise FieldError("it is not valid JSON") from None

    def wrong(self, expected: str) -> FieldError:
        """An error with the value that was expected at this place."""
        shown = repr(self.value)
        return self.error(f"expected {expected}, got {shown if len(shown) <= 40 else f'{shown[:37]}...'}")

    def error(self, problem: str) -> FieldError:
        """An error with a problem at this place."""
        return FieldError(f"{self.place}: {problem}" if self.place else problem)

    @contextmanager
    def about(self) -> Iterator[None]:
        """Errors within the block are reported as errors of this value."""
        try:
            yield
        except FieldError:
            raise  # of an inner value, which knows its place
        except BnfuseError as error:
            raise self.error(str(error)) from None

    # Inner values

    @property
    def names(self) -> Mapping[str, Any]:
        """The values of an object, by their names."""
        if not isinstance(self.value, dict):
            raise self.wrong("an object")
        return self.value

    def __contains__(self, name: str) -> bool:
        return name in self.names

    def __getitem__(self, name: str) -> Field:
        if name not in self:
            raise self.error(f"lacks {name!r}")
        return self.get(name)

    def get(self, name: str, default: Any = None) -> Field:
        """A value of an object that may be missing."""
        return Field(self.names.get(name, default), f"{self.place}.{name}" if self.place else name)

    def each(self, length: int | None = None) -> list[Field]:
        """The values of a list."""
        if not isinstance(self.value, list | tuple) or length not in (None, len(self.value)):
            raise self.wrong("a list" if length is None else f"a list of {length:,}")
        return [Field(one, f"{self.place}[{i}]") for i, one in enumerate(self.value)]

    # Types

    def text(self) -> str:
        """A text."""
        if not isinstance(self.value, str):
            raise self.wrong("text")
        return self.value

    def texts(self) -> tuple[str, ...]:
        """A list of strings."""
        return tuple(one.text() for one in self.each())

    def flag(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            raise self.wrong("true or false")
        return self.value

    def number(self) -> float:
        """A finite number."""
        is_number = isinstance(self.value, int | float) and not isinstance(self.value, bool)
        if not is_number or not math.isfinite(self.value):
            raise self.wrong("a number")
        return float(self.value) if abs(self.value) > _LARGEST else self.value

    def whole(self, least: int = 0, below: float = _LARGEST) -> int:
        """A whole number."""
        if not _is_whole(self.value, least, below):
            more = f" and below {below:,}" if below < _LARGEST else ""
            raise self.wrong(f"a whole number of at least {least}{more}")
        number: int = self.value
        return number

    def wholes(self, below: int) -> list[int]:
        """A list of whole numbers below another."""
        return [one.whole(0, below) for one in self.each()]

    def rows(self, below: Sequence[int]) -> list[list[int]]:
        """A list of rows of whole numbers, each below that of its column."""
        if not isinstance(self.value, list | tuple):
            raise self.wrong("a list")
        width = len(below)
        for i, row in enumerate(self.value):
            if not isinstance(row, list) or len(row) != width or not all(map(_is_whole, row, [0] * width, below)):
                limits = ", ".join(f"{one:,}" if one < _LARGEST else "2**62" for one in below)
                raise Field(row, f"{self.place}[{i}]").wrong(f"{width} whole numbers below {limits}")
        return list(self.value)

    def one_of(self, allowed: Sequence[str]) -> str:
        """One of some texts."""
        if self.value not in allowed:
            raise self.wrong(f"one of {', '.join(map(repr, allowed))}")
        return self.text()

    def made(self, kind: type[_Kind]) -> _Kind:
        """A dataclass of options, which checks them."""
        known = {one.name for one in fields(kind)}  # type: ignore[arg-type]
        for name in self.names:
            if name not in known:
                raise self.error(f"unknown option {name!r:.40}")
        with self.about():
            return kind(**self.names)


def _is_whole(value: object, least: int, below: float) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value < below


def _refuse_constant(name: str) -> float:
    raise FieldError(f"{name} is not a number")
