"""A column of unknown content: read once, in chunks, as labels while there are few of them.

Beyond a thousand labels, it continues as numbers if most labels are numbers. Otherwise nothing more of it is kept, as
nobody can use that many states. So a million different values take 8 MB as numbers and nothing as names.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from bnfuse._base.texts import count
from bnfuse.data.bins import Numbers
from bnfuse.data.cells import PLAIN, MissingLabels, NumberFormat, is_date, number_format
from bnfuse.data.data import MISSING, MOST_LABELS
from bnfuse.data.readers import Cells, Numbered, shown_label
from bnfuse.data.weights import Groups, WeightReader, Weights
from bnfuse.errors import MismatchError
from bnfuse.graphs.network import Codes

_DOT = "."
"""among numbers, as SAS and Stata write missing values"""


@dataclass(frozen=True, slots=True)
class Odd:
    """Values among numbers that are not numbers."""

    label: str
    """the first of them"""
    row: int
    count: int


@dataclass(frozen=True)
class RawColumn:
    """The content of a column: labels and codes; numbers, if it has too many labels; or nothing if it was not kept."""

    name: str
    labels: tuple[str, ...] | None = None
    """in the order of first mention"""
    codes: Codes | None = None
    label_numbers: Numbers | None = None
    """of each label, NaN if it is not a number, then NaN for a missing value; None if most labels are not numbers"""
    row_numbers: Numbers | None = None
    """of each row, NaN if missing or not a number"""
    odd: Odd | None = None
    """values that are not numbers, among the numbers"""
    format: NumberFormat = PLAIN
    """how its numbers are written"""
    are_dates: bool = False
    taken_as_missing: Mapping[str, int] = field(default_factory=dict)
    """labels, with their frequencies"""

    @property
    def numbers(self) -> Numbers | None:
        """Of each row, NaN if missing or not a number; None if the column does not hold numbers."""
        if self.label_numbers is None:
            return self.row_numbers
        found: Numbers = self.label_numbers[self.codes]
        return found

    @cached_property
    def values(self) -> int:
        """The number of different values: for other values than numbers, at most one more than can be labels."""
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
        """For each row, whether the column, if it was kept, has no value."""
        if self.codes is not None:
            return np.asarray(self.codes == MISSING)
        assert self.row_numbers is not None
        return np.isnan(self.row_numbers)

    def of_rows(self, rows: npt.NDArray[np.bool_]) -> RawColumn:
        """The same column with some of the rows only."""
        if self.codes is not None:
            return replace(self, codes=self.codes[rows])
        return self if self.row_numbers is None else replace(self, row_numbers=self.row_numbers[rows])

    def without(self, missing: MissingLabels) -> RawColumn:
        """The same column with labels that are not yet numbers, some of them missing."""
        assert self.labels is not None
        assert self.codes is not None
        taken = {}
        codes = self.codes.copy()
        for place, label in enumerate(self.labels):
            if missing.meant_by(label) is not None and (times := int((self.codes == place).sum())):
                taken[label] = times
                codes[self.codes == place] = MISSING
        return replace(self, codes=codes, taken_as_missing=taken)


class ColumnReader:
    """Collects the cells of a column, chunk by chunk."""

    def __init__(self, source: str, name: str, missing: MissingLabels) -> None:
        self.source, self.name = source, name
        self._missing = missing
        self._taken: Counter[str] = Counter()  # as missing
        # A label that means missing has a number below MISSING while it is counted.
        self._number: dict[object, int] = {label: MISSING - 1 - i for i, label in enumerate(missing.labels)}
        if missing.empty:
            self._number[""] = MISSING
        self._labels: list[str] = []
        self._codes: list[Codes] = []
        self._numbers: list[Numbers] | None = None
        self._format = PLAIN
        self._odd: Odd | None = None
        self._is_full = False

    def add(self, cells: Cells, first: int) -> None:
        """Add more cells, beginning with this row."""
        if self._is_full:
            return
        if self._numbers is not None:
            self._numbers.append(self._values(cells, first))
            return
        try:
            self._codes.append(self._coded(cells))
        except _TooManyLabels:
            self._overflow(cells, first)
        except TypeError:  # a list or the like, which cannot be a dictionary key
            raise MismatchError(f"{self.source}: column {self.name!r} holds something other than values") from None

    def read(self, as_labels: bool = False) -> RawColumn:
        """The column, when all of it was added; with `as_labels`, numbers are labels, if there are few."""
        dates = bool(self._labels) and all(map(is_date, self._labels))
        if self._is_full:
            return RawColumn(self.name, are_dates=dates)
        if self._numbers is not None:
            numbers = np.concatenate(self._numbers)
            return RawColumn(
                self.name,
                row_numbers=numbers,
                odd=self._odd,
                format=self._format,
                are_dates=dates,
                taken_as_missing=self._taken,
            )
        codes, labels, written = np.concatenate(self._codes), tuple(self._labels), self._number_format()
        if written is None or as_labels:
            return RawColumn(self.name, labels, codes, are_dates=dates, taken_as_missing=self._taken)
        if _DOT in labels:
            self._take(codes, labels.index(_DOT), _DOT)
        of_label = np.array([*map(written.read, labels), np.nan])
        odd = self._first_odd(codes, of_label)
        as_written = RawColumn(self.name, labels, codes, of_label, odd=odd, format=written, are_dates=dates)
        return replace(as_written, taken_as_missing=self._taken)

    def _number_format(self) -> NumberFormat | None:
        return number_format([label for label in self._labels if label != _DOT])

    def _take(self, codes: Codes, code: int, label: str) -> None:
        """Treat a label as missing."""
        is_meant = codes == code
        if times := int(is_meant.sum()):
            codes[is_meant] = MISSING
            self._taken[label] += times

    def _coded(self, cells: Cells) -> Codes:
        codes: Codes
        if isinstance(cells, Numbered):
            codes = cells.translated(lambda label, *_: self._code(label), MISSING, np.int16)
        else:
            try:
                codes = np.fromiter(map(self._number.__getitem__, cells), np.int16, len(cells))
            except KeyError:
                codes = np.fromiter(map(self._code, cells), np.int16, len(cells))
        if codes.size and codes.min() < MISSING:
            for place, label in enumerate(self._missing.labels):
                self._take(codes, MISSING - 1 - place, label)
        return codes

    def _code(self, cell: object) -> int:
        known = self._number.get(cell)
        if known is not None:
            return known
        label = shown_label(cell)
        if label is None:
            return MISSING  # and not remembered, as every NaN is a different key
        known = self._number.get(label)
        if known is None and (meant := self._missing.meant_by(label)) is not None:
            known = self._number[meant]
        if known is None:
            if len(self._labels) == MOST_LABELS:
                raise _TooManyLabels
            known = self._number[label] = len(self._labels)
            self._labels.append(label)
        if len(self._number) < 4 * MOST_LABELS:  # spaces around a label may differ in every row
            self._number[cell] = known
        return known

    def _overflow(self, cells: Cells, first: int) -> None:
        """There are too many labels: continue with numbers, or with nothing."""
        written = self._number_format()
        if written is None:
            self._is_full = True
            self._codes.clear()
            return
        self._format = written
        of_label = np.array([*map(written.read, self._labels), np.nan])
        if _DOT in self._labels:
            for part in self._codes:
                self._take(part, self._labels.index(_DOT), _DOT)
        if self._codes:
            self._odd = self._first_odd(np.concatenate(self._codes), of_label)
        self._numbers = [of_label[part] for part in self._codes]
        self._codes.clear()
        self._numbers.append(self._values(cells, first))

    def _first_odd(self, codes: Codes, of_label: Numbers) -> Odd | None:
        """Labels that are not numbers."""
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
        if self._format is PLAIN and not self._missing.numbers:
            try:
                plain = np.fromiter(map(float, cells), np.float64, len(cells))  # type: ignore[arg-type]
            except (TypeError, ValueError, OverflowError):
                pass  # cell by cell
            else:
                if not np.isinf(plain).any() and not (np.isnan(plain).any() and str in set(map(type, cells))):
                    return plain
        values = [self._value(cell, row) for row, cell in enumerate(cells, first)]
        return np.array(values)

    def _value(self, cell: object, row: int, times: int = 1) -> float:
        label = shown_label(cell)
        if label is None or (not label and self._missing.empty):
            return math.nan
        meant = _DOT if label == _DOT else self._missing.meant_by(label)
        if meant is not None:
            self._taken[meant] += times
            return math.nan
        value = self._format.read(label)
        if math.isnan(value):
            known = self._odd or Odd(label, row, 0)
            self._odd = Odd(known.label, known.row, known.count + times)
        return value


class _TooManyLabels(Exception):  # noqa: N818 - a turn of events, not an error
    pass


def distinct(numbers: Numbers) -> int:
    """The number of different numbers."""
    return len(np.unique(numbers[~np.isnan(numbers)]))


class RowFacts:
    """Collects the columns together with the weight and the subject of each row, if there are any."""

    def __init__(
        self, source: str, header: Sequence[str], weights: str | None, group: str | None, missing: MissingLabels
    ) -> None:
        self._source, self._group = source, group
        self._readers: dict[int, WeightReader | _GroupReader] = {}
        if weights is not None:
            self._readers[header.index(weights)] = self._weighing = WeightReader(source, weights)
        if group is not None:
            self._readers[header.index(group)] = self._grouping = _GroupReader(missing)
        self._has_weights, self._has_groups = weights is not None, group is not None

    def add(self, chunk: Sequence[Cells], first: int) -> None:
        """Add more rows."""
        for place, reader in self._readers.items():
            reader.add(chunk[place], first)

    def read(self, rows: int) -> tuple[npt.NDArray[np.bool_] | None, Weights | None, Groups | None, tuple[str, ...]]:
        """Which rows count, if not all do; their weights, their groups, and notes on them."""
        used, weights, groups = None, None, None
        notes: list[str] = []
        if self._has_weights:
            weights, said = self._weighing.read()
            notes += said
            if not weights.all():
                used = weights > 0
                weights = weights[used]
        if self._has_groups:
            groups = self._grouping.read()
            groups = groups if used is None else groups[used]
            groups = np.unique(groups, return_inverse=True)[1]
            number = int(groups.max()) + 1
            if number < 2:
                raise MismatchError(
                    f"{self._source}: all rows have the same {self._group!r}, so there is nothing to draw"
                )
            notes.append(
                f"{len(groups):,} rows are of {number:,} subjects by {self._group!r}: resamples draw whole subjects"
            )
            if self._grouping.unnamed:
                notes.append(f"{count(self._grouping.unnamed, 'row')} without {self._group!r}: each is a subject")
        return used, weights, groups, tuple(notes)


class _GroupReader:
    """Collects the cells of the column with the subject of each row; there may be any number of subjects."""

    def __init__(self, missing: MissingLabels) -> None:
        self._missing = missing
        self._number: dict[str, int] = {}
        self._parts: list[Groups] = []
        self.unnamed = 0
        """rows whose subject is missing: each is a separate one"""

    def add(self, cells: Cells, first: int) -> None:
        """Add more cells."""
        values = cells if not isinstance(cells, Numbered) else [_label_at(cells, number) for number in cells.numbers]
        self._parts.append(np.fromiter(map(self._numbered, values), np.int64, len(values)))

    def _numbered(self, cell: object) -> int:
        label = shown_label(cell)
        if not label or self._missing.meant_by(label) is not None:
            self.unnamed += 1
            return -self.unnamed
        return self._number.setdefault(label, len(self._number))

    def read(self) -> Groups:
        """The group of each row; those without a name are numbered last."""
        groups = np.concatenate(self._parts)
        return np.where(groups < 0, len(self._number) - 1 - groups, groups)


def _label_at(cells: Numbered, number: int) -> object:
    return None if number < 0 else cells.labels[number]
