"""A column of which nothing is known: read once, in chunks, as labels for as long as these are few.

With more than a thousand labels it goes on as numbers, if that is what most labels are; otherwise nothing more of it is
kept, as nobody can use so many states. So a million different values take 8 MB as numbers and nothing as names.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from bnfuse.data.bins import Numbers, shown_number
from bnfuse.data.data import MISSING, MISSING_LABELS, MOST_LABELS
from bnfuse.data.readers import Cells, Numbered, label_of
from bnfuse.errors import MismatchError
from bnfuse.graphs.network import Codes

ALL_MISSING_LABELS = (*MISSING_LABELS, "N/A", "n/a", "#N/A", "NAN", "NULL", "null", "<NA>", "NaT")

_DATE = re.compile(
    r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d\d)|-?\d+ days?,?)"
    r"(?:[T ]\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?)?(?: ?(?:Z|UTC|[-+]\d\d:?\d\d))?"
    r"|\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?",
    re.ASCII,
)
_TOO_MANY_DIGITS = re.compile(r"[-+]?\d{16,}", re.ASCII)
_DECIMAL_COMMA = re.compile(r"[-+]?\d+,\d+", re.ASCII)
_PERHAPS_THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2},\d{3}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Odd:
    """Values among numbers that are none."""

    label: str
    """the first of them"""
    row: int
    count: int


@dataclass(frozen=True)
class RawColumn:
    """What a column holds: labels and codes; numbers, if it has too many labels for that; or nothing that was kept."""

    name: str
    labels: tuple[str, ...] | None = None
    """in the order of first mention"""
    codes: Codes | None = None
    label_numbers: Numbers | None = None
    """of each label, NaN where it is none, and last NaN for a missing value; None if most labels are no numbers"""
    row_numbers: Numbers | None = None
    """of each row, NaN where it is missing or no number"""
    odd: Odd | None = None
    """among the numbers"""
    decimal_comma: bool = False
    are_dates: bool = False

    @property
    def numbers(self) -> Numbers | None:
        """Of each row, NaN where it is missing or no number; None if the column does not hold numbers."""
        if self.label_numbers is None:
            return self.row_numbers
        found: Numbers = self.label_numbers[self.codes]
        return found

    @cached_property
    def values(self) -> int:
        """How many different ones there are: of those that are no numbers at most one more than can be labels."""
        if self.row_numbers is not None:
            return distinct(self.row_numbers)
        if self.codes is None:
            return MOST_LABELS + 1
        used = np.unique(self.codes[self.codes != MISSING])
        if self.label_numbers is not None and self.odd is None:
            return distinct(self.label_numbers[used])
        return len(used)

    @property
    def is_missing(self) -> npt.NDArray[np.bool_]:
        """For each row whether the column, of which something was kept, says nothing."""
        if self.codes is not None:
            return np.asarray(self.codes == MISSING)
        assert self.row_numbers is not None
        return np.isnan(self.row_numbers)


class ColumnReader:
    """Takes the cells of a column, chunk by chunk."""

    def __init__(self, source: str, name: str) -> None:
        self.source, self.name = source, name
        self._number: dict[object, int] = dict.fromkeys(ALL_MISSING_LABELS, MISSING)
        self._labels: list[str] = []
        self._codes: list[Codes] = []
        self._numbers: list[Numbers] | None = None
        self._parse: Callable[[str], float] = plain_number
        self._odd: Odd | None = None
        self._is_full = False

    def add(self, cells: Cells, first: int) -> None:
        """More cells, of which the first is in this row."""
        if self._is_full:
            return
        if self._numbers is not None:
            self._numbers.append(self._values(cells, first))
            return
        try:
            self._codes.append(self._coded(cells))
        except _TooManyLabels:
            self._overflow(cells, first)
        except TypeError:  # a list or the like, which cannot be looked up
            raise MismatchError(f"{self.source}: column {self.name!r} holds something other than values") from None

    def read(self, as_labels: bool = False) -> RawColumn:
        """The column, when all of it was added; `as_labels`: what looks like a number is a label, if these are few."""
        dates = bool(self._labels) and all(map(_DATE.fullmatch, self._labels))
        if self._is_full:
            return RawColumn(self.name, are_dates=dates)
        if self._numbers is not None:
            comma = self._parse is comma_number
            return RawColumn(self.name, row_numbers=np.concatenate(self._numbers), odd=self._odd, decimal_comma=comma)
        codes, labels, parse = np.concatenate(self._codes), tuple(self._labels), _parser(self._labels)
        if parse is None or as_labels:
            return RawColumn(self.name, labels, codes, are_dates=dates)
        of_label = np.array([*map(parse, labels), np.nan])
        odd = self._first_odd(codes, of_label)
        return RawColumn(self.name, labels, codes, of_label, odd=odd, decimal_comma=parse is comma_number)

    def _coded(self, cells: Cells) -> Codes:
        if isinstance(cells, Numbered):
            return cells.translated(lambda label, *_: self._code(label), MISSING, np.int16)
        try:
            return np.fromiter(map(self._number.__getitem__, cells), np.int16, len(cells))
        except KeyError:
            return np.fromiter(map(self._code, cells), np.int16, len(cells))

    def _code(self, cell: object) -> int:
        known = self._number.get(cell)
        if known is not None:
            return known
        label = shown_label(cell)
        if label is None:
            return MISSING  # and not remembered, as every NaN is another key
        known = self._number.get(label)
        if known is None:
            if len(self._labels) == MOST_LABELS:
                raise _TooManyLabels
            known = self._number[label] = len(self._labels)
            self._labels.append(label)
        if len(self._number) < 4 * MOST_LABELS:  # spaces around a label may differ in every row
            self._number[cell] = known
        return known

    def _overflow(self, cells: Cells, first: int) -> None:
        """There are too many labels: go on with numbers, or with nothing."""
        parse = _parser(self._labels)
        if parse is None:
            self._is_full = True
            self._codes.clear()
            return
        self._parse = parse
        of_label = np.array([*map(parse, self._labels), np.nan])
        if self._codes:
            self._odd = self._first_odd(np.concatenate(self._codes), of_label)
        self._numbers = [of_label[part] for part in self._codes]
        self._codes.clear()
        self._numbers.append(self._values(cells, first))

    def _first_odd(self, codes: Codes, of_label: Numbers) -> Odd | None:
        """Labels that are no numbers."""
        is_odd = np.isnan(of_label[codes]) & (codes != MISSING)
        if not is_odd.any():
            return None
        row = int(is_odd.argmax())
        return Odd(self._labels[codes[row]], row + 1, int(is_odd.sum()))

    def _values(self, cells: Cells, first: int) -> Numbers:
        if isinstance(cells, Numbered):
            return cells.translated(
                lambda label, place, times: self._value(label, first + place, times), np.nan, np.float64
            )
        if self._parse is plain_number:
            try:
                plain = np.fromiter(map(float, cells), np.float64, len(cells))  # type: ignore[arg-type]
            except (TypeError, ValueError, OverflowError):
                pass  # cell by cell
            else:
                if not np.isinf(plain).any():
                    return plain
        values = [self._value(cell, row) for row, cell in enumerate(cells, first)]
        return np.array(values)

    def _value(self, cell: object, row: int, times: int = 1) -> float:
        label = shown_label(cell)
        if label is None or label in ALL_MISSING_LABELS:
            return math.nan
        value = self._parse(label)
        if math.isnan(value):
            known = self._odd or Odd(label, row, 0)
            self._odd = Odd(known.label, known.row, known.count + times)
        return value


class _TooManyLabels(Exception):  # noqa: N818 - a turn of events, not an error
    pass


def distinct(numbers: Numbers) -> int:
    """How many different numbers there are."""
    return len(np.unique(numbers[~np.isnan(numbers)]))


def shown_label(cell: object) -> str | None:
    """What a cell says, without spaces around it; None where it says nothing. A number is shown as short as can be."""
    if isinstance(cell, float) and math.isfinite(cell):  # pandas makes 1.0 of a 1 where values are missing
        return shown_number(cell)
    label = label_of(cell)
    return None if label is None else label.strip()


def plain_number(label: str) -> float:
    """The finite number that a label is, or NaN. So many digits that not all count are those of an identifier."""
    try:
        number = float(label)
    except ValueError:
        return math.nan
    is_number = math.isfinite(number) and "_" not in label and not _TOO_MANY_DIGITS.fullmatch(label)
    return number if is_number else math.nan


def comma_number(label: str) -> float:
    """The same where a comma stands before the decimals."""
    return plain_number(label.replace(",", ".") if _DECIMAL_COMMA.fullmatch(label) else label)


def _parser(labels: Sequence[str]) -> Callable[[str], float] | None:
    """How to read labels as numbers; None if most are none."""
    with_comma = [label for label in labels if _DECIMAL_COMMA.fullmatch(label)]
    may_be_thousands = all(map(_PERHAPS_THOUSANDS.fullmatch, with_comma))  # also where there is no comma
    if not may_be_thousands and not any(map(math.isnan, map(comma_number, labels))):
        return comma_number
    none = sum(map(math.isnan, map(plain_number, labels)))
    return plain_number if 2 * none <= len(labels) and len(labels) > none else None
