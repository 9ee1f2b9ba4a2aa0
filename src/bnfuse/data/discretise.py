"""From a table of which nothing is known to discrete data: numbers become classes, and what is no variable is left out.

What becomes of a column, the first that applies:

- named in `leave_out`, or without a name: left out
- named in `keep`, or a category of pandas: its values are its states, at most 1,000
- missing values only, or one value only: left out
- dates or times: left out
- numbers: at most 10 different ones are states; a column of whole numbers that are all different and that grow from row
  to row, leave no gap or are called an id is left out; others are cut into `bins` classes
- numbers and other values: refused
- other values: states, unless there are more than 100, or more than 10 and more than half as many as rows: left out

A column named in `cut` is cut if it holds two or more different numbers. Missing values stay missing (-1).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field
from typing import Any, Literal, NoReturn, TypedDict

import numpy as np
import numpy.typing as npt

from bnfuse._base.options import check_options, choice, option, option_name, whole
from bnfuse._base.spelling import meant
from bnfuse._base.texts import count, listed
from bnfuse.data.bins import BINNINGS, are_whole, class_labels, codes_of, cut_points
from bnfuse.data.column_rules import MOST_NUMBERS, holds_numbers, in_order, is_mixed, why_no_variable
from bnfuse.data.columns import ColumnReader, RawColumn, plain_number, shown_label
from bnfuse.data.data import MISSING, MOST_LABELS, Data, DataLike, code_type
from bnfuse.data.readers import cell_count, opened
from bnfuse.errors import FileError, MismatchError, OptionError
from bnfuse.graphs.network import Codes, Cuts

MOST_COLUMNS = 10_000
"""of a table"""
_MOST_BINS = 100
_WAYS = {
    "quantile": ("quantile", "too many values are equal for more"),
    "width": ("equal width", "others would be empty"),
}
_ASKED = "as asked"
_NO_NAME = "it has no name"

_Mask = npt.NDArray[np.bool_]


def _names(name: str, value: Any) -> tuple[str, ...]:
    names = (value,) if isinstance(value, str) or not isinstance(value, Iterable) else tuple(value)
    if not all(isinstance(one, str) for one in names):
        raise OptionError(f"{option_name(name)} must be names of columns; got {value!r:.60}")
    return names


@dataclass(frozen=True, slots=True)
class RawDataOptions:
    """How a table becomes discrete data."""

    bins: int = option(3, "Classes that a column of numbers is cut into.", whole(2, _MOST_BINS))
    binning: str = option(
        "quantile", "Classes with as many values each (quantile) or equally wide ones (width).", choice(BINNINGS)
    )
    missing: str = option(
        "available",
        "Missing values: use what is there (available), drop the rows that have some (drop) or refuse them (error).",
        choice(("available", "drop", "error")),
    )
    keep: tuple[str, ...] = option((), "A column whose values are states, however many they are.", _names)
    cut: tuple[str, ...] = option(
        (), "A column of numbers to cut into classes, however few or regular they are.", _names
    )
    leave_out: tuple[str, ...] = option((), "A column to leave out.", _names)

    def __post_init__(self) -> None:
        check_options(self)
        lists = {"keep": self.keep, "cut": self.cut, "leave_out": self.leave_out}
        owner: dict[str, str] = {}
        for name, columns in lists.items():
            for column in columns:
                if owner.setdefault(column, name) != name:
                    raise OptionError(
                        f"{option_name(owner[column])} and {option_name(name)} both name the column {column!r}"
                    )


class RawDataArguments(TypedDict, total=False):
    """The same options, as they are given."""

    bins: int
    binning: Literal["quantile", "width"]
    missing: Literal["available", "drop", "error"]
    keep: Iterable[str]
    cut: Iterable[str]
    leave_out: Iterable[str]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A table as discrete data, and what was done to it.

    Attributes
    ----------
    data
        The rows, as states.
    notes
        What was done, a sentence each.
    left_out
        Each column that was left out, and why.

    Examples
    --------
    >>> import bnfuse, pandas
    >>> table = pandas.DataFrame({"id": [1, 2, 3, 4], "x": ["a", "b", "a", "b"], "y": ["u", "u", "v", "v"]})
    >>> bnfuse.discretised(table, leave_out=["id"]).left_out
    {'id': 'as asked'}
    """

    data: Data
    notes: tuple[str, ...]
    left_out: Mapping[str, str]


def discretised(
    data: DataLike,
    *,
    bins: int = 3,
    binning: Literal["quantile", "width"] = "quantile",
    missing: Literal["available", "drop", "error"] = "available",
    keep: Iterable[str] = (),
    cut: Iterable[str] = (),
    leave_out: Iterable[str] = (),
) -> Prepared:
    """Discrete data from a table of which nothing is known: numbers become classes, what is no variable is left out.

    Parameters
    ----------
    data
        The path of a CSV (also gzipped) or Parquet file, a pandas or polars DataFrame, or `Data`, whose states stay.
    bins, binning
        How many classes a column of numbers is cut into, with as many values each ("quantile") or equally wide
        ("width"). There are fewer where too many values are equal, or where a class would be empty.
    missing
        "available" leaves missing values missing, "drop" drops the rows that have some, "error" refuses them.
    keep, cut, leave_out
        Columns whose values are states, columns of numbers to cut, columns to leave out, whatever they look like.

    Returns
    -------
    Prepared
        The data, and what was done to them.

    Raises
    ------
    FileError, MismatchError
        The table cannot be read, mixes numbers with other values, or leaves fewer than two columns.
    OptionError
        An option cannot be met: a column to keep has too many values, or one to cut holds no numbers.

    Examples
    --------
    >>> import bnfuse, pandas
    >>> table = pandas.DataFrame({"age": [31.5, 40.2, 58.1, 62.7], "smoker": ["yes", "no", "no", "yes"]})
    >>> prepared = bnfuse.discretised(table, cut=["age"], bins=2)
    >>> prepared.data.states["age"]
    ('<=50', '>50')
    """
    asked = RawDataOptions(bins, binning, missing, keep, cut, leave_out)  # type: ignore[arg-type]
    return _Preparation(_read(data, asked), asked).prepared()


def prepared(data: DataLike, asked: RawDataOptions) -> Prepared:
    """The same, by its options; `Data` of which nothing is asked stay as they are."""
    if isinstance(data, Data) and asked == RawDataOptions():
        return Prepared(data, (), {})
    return _Preparation(_read(data, asked), asked).prepared()


@dataclass(frozen=True, slots=True)
class _Table:
    source: str
    header: tuple[str, ...]
    columns: Sequence[RawColumn]
    """those that are not left out from the start"""
    declared: Mapping[str, tuple[str, ...]]
    """the states of columns that need no thought"""
    rows: int
    cuts: Cuts = field(default_factory=dict)
    """of columns that were cut before"""


def _read(data: DataLike, asked: RawDataOptions) -> _Table:
    if isinstance(data, Data):
        _check_header("the data", data.variables, asked)
        used = [name for name in data.variables if name not in asked.leave_out]
        columns = [RawColumn(name, tuple(data.states[name]), data.column(name)) for name in used]
        return _Table("the data", data.variables, columns, data.states, len(data), data.cuts)
    with opened(data) as table:
        header = tuple(name.strip() for name in table.header)
        _check_header(table.source, header, asked)
        readers = {
            place: ColumnReader(table.source, name)
            for place, name in enumerate(header)
            if name and name not in asked.leave_out
        }
        rows = 0
        for first, chunk in table.chunks:
            rows = first - 1 + cell_count(chunk[0])
            for place, reader in readers.items():
                reader.add(chunk[place], first)
        if not rows:
            raise FileError(table.source, "has a header and no rows")
        declared = {
            name.strip(): tuple(dict.fromkeys(label for one in labels if (label := shown_label(one)) is not None))
            for name, labels in table.declared.items()
        }
        columns = [reader.read(as_labels=reader.name in declared.keys() - asked.cut) for reader in readers.values()]
        return _Table(table.source, header, columns, declared, rows)


def _check_header(source: str, header: Sequence[str], asked: RawDataOptions) -> None:
    if not any(header):
        raise MismatchError(f"{source}: has no column with a name")
    if len(header) > MOST_COLUMNS:
        raise MismatchError(f"{source}: has {len(header):,} columns, and at most {MOST_COLUMNS:,} can be looked at")
    if twice := [name for name, times in Counter(header).items() if times > 1 and name]:
        raise MismatchError(f"{source}: has two columns {twice[0]!r}")
    for option_of, names in (("keep", asked.keep), ("cut", asked.cut), ("leave_out", asked.leave_out)):
        for name in names:
            if name not in header:
                which = f"{name!r}{meant(name, header)}, which {option_name(option_of)} names"
                raise MismatchError(f"{source}: has no column {which}")


class _Preparation:
    """What becomes of each column of a table."""

    def __init__(self, table: _Table, asked: RawDataOptions) -> None:
        self.table, self.asked = table, asked
        self.cuts: dict[str, tuple[float, ...]] = {}  # made here
        self.left_out = {name: _NO_NAME if not name else _ASKED for name in table.header if self._is_unread(name)}

    def _is_unread(self, name: str) -> bool:
        return not name or name in self.asked.leave_out

    def prepared(self) -> Prepared:
        """The data, and what was done."""
        if self.table.rows == 1:
            raise MismatchError(f"{self.table.source}: has one row, from which nothing can be learned")
        columns = [column for column in self.table.columns if not self._is_no_variable(column)]
        self._check_enough(columns)
        rows = self._rows(columns)
        coded: dict[str, tuple[tuple[str, ...], Codes]] = {}
        for column in columns:
            states, codes = self._coded(column, rows)
            if len(np.unique(codes[codes != MISSING])) > 1:
                coded[column.name] = states, codes
            else:
                self.left_out[column.name] = "one value only in the rows that are complete"
        self._check_enough(coded)
        kind = code_type(max(len(states) for states, _ in coded.values()))
        codes = np.stack([own.astype(kind) for _, own in coded.values()], axis=1)
        codes.flags.writeable = False
        cuts = {name: points for name, points in {**self.table.cuts, **self.cuts}.items() if name in coded}
        data = Data(tuple(coded), {name: states for name, (states, _) in coded.items()}, codes, cuts)
        notes = tuple(self._notes(columns, data))
        return Prepared(data, notes, self.left_out)

    def _is_no_variable(self, column: RawColumn) -> bool:
        """Whether a column is left out, for a reason that is noted."""
        name, values = column.name, column.values
        if name in self.asked.cut and (values < 2 or column.odd or column.numbers is None):
            raise OptionError(f"{option_name('cut')}: the column {name!r} does not hold two different numbers")
        if name in self.asked.keep:
            if values > MOST_LABELS or column.labels is None:
                raise OptionError(
                    f"{option_name('keep')}: the column {name!r} has more than {MOST_LABELS:,} different values, "
                    "too many to be states"
                )
            if values < 2:
                raise OptionError(f"{option_name('keep')}: the column {name!r} does not hold two different values")
        if is_mixed(column) and not self._is_given(column):
            self._refuse_mixed(column)
        reason = why_no_variable(column, self._is_given(column))
        if reason is not None:
            self.left_out[name] = reason
        return reason is not None

    def _is_given(self, column: RawColumn) -> bool:
        """Whether somebody has said what the column is; so many categories that no labels were kept say nothing."""
        declared = column.name in self.table.declared and column.labels is not None
        return declared or column.name in (*self.asked.keep, *self.asked.cut)

    def _is_cut(self, column: RawColumn) -> bool:
        if column.name in self.asked.cut:
            return True
        if self._is_given(column):
            return False
        return holds_numbers(column) and column.values > MOST_NUMBERS

    def _refuse_mixed(self, column: RawColumn) -> NoReturn:
        odd = column.odd
        assert odd is not None
        times = "" if odd.count == 1 else f" and {odd.count - 1:,} more"
        raise MismatchError(
            f"{self.table.source}: column {column.name!r} mixes numbers with other values, {odd.label!r:.60} in row "
            f"{odd.row:,}{times}: leave these empty, or name the column in {option_name('leave_out')} or "
            f"{option_name('keep')}"
        )

    def _rows(self, columns: Sequence[RawColumn]) -> _Mask:
        """Which rows are used."""
        rows = np.ones(self.table.rows, np.bool_)
        if self.asked.missing == "available":
            return rows
        for column in columns:
            absent = column.is_missing
            if self.asked.missing == "error" and absent.any():
                raise MismatchError(
                    f"{self.table.source}: column {column.name!r} has {count(int(absent.sum()), 'missing value')}, the "
                    f"first in row {int(absent.argmax()) + 1:,}; {option_name('missing')} says that this is an error"
                )
            rows &= ~absent
        if rows.sum() < 2:
            raise MismatchError(
                f"{self.table.source}: {'one row is' if rows.any() else 'no row is'} complete; leave out the columns "
                "with the most missing values, or use what is available"
            )
        return rows

    def _coded(self, column: RawColumn, rows: _Mask) -> tuple[tuple[str, ...], Codes]:
        """The states of a column and the codes of its rows."""
        if not self._is_cut(column):
            return in_order(column, rows, self.table.declared.get(column.name))
        numbers = column.numbers
        assert numbers is not None
        numbers = numbers[rows]
        there = numbers[~np.isnan(numbers)]
        if len(there) == 0 or there.min() == there.max():
            return (), np.full(len(numbers), MISSING)
        cuts = cut_points(there, self.asked.bins, self.asked.binning)
        self.cuts[column.name] = cuts
        codes = codes_of(numbers, cuts).astype(code_type(len(cuts) + 1))
        codes[np.isnan(numbers)] = MISSING
        return class_labels(cuts, are_whole(there)), codes

    def _check_enough(self, columns: Sized) -> None:
        if len(columns) < 2:
            left = "one column is" if len(columns) else "no column is"
            why = [f"{name!r} ({reason})" for name, reason in self.left_out.items()]
            raise MismatchError(
                f"{self.table.source}: {left} left to learn from, and two are needed"
                + (f"; left out: {listed(why, 4, str)}" if why else "")
                + ("; a comma, a semicolon or a tab separates columns" if len(self.table.header) == 1 else "")
            )

    def _notes(self, columns: Sequence[RawColumn], data: Data) -> Iterator[str]:
        if all(not math.isnan(plain_number(name)) for name in self.table.header if name):
            yield "the names of all columns are numbers: does the table have a header?"
        for classes in sorted({len(cuts) for cuts in self.cuts.values()}, reverse=True):
            names = [
                f"{name!r} ({', '.join(data.states[name])})" for name, cuts in self.cuts.items() if len(cuts) == classes
            ]
            way, why = _WAYS[self.asked.binning]
            fewer = "" if classes + 1 == self.asked.bins else f", as {why}"
            yield f"cut into {classes + 1} classes by {way}{fewer}: {listed(names, shown=str)}"
        if comma := [column.name for column in columns if column.decimal_comma]:
            yield f"took the comma for the decimal point in {listed(comma)}"
        for reason in dict.fromkeys(self.left_out.values()):
            names = [name for name, own in self.left_out.items() if own == reason]
            yield f"left out {listed(names)}: {reason}"
        if any(column.name in self.left_out and column.values > 1 for column in self.table.columns):
            yield (
                f"to use a column that was left out, name it in {option_name('keep')} (each value is a state) or, if "
                f"it holds numbers, in {option_name('cut')}"
            )
        if len(data) < self.table.rows:
            dropped = self.table.rows - len(data)
            yield f"dropped {dropped:,} of {self.table.rows:,} rows, which have missing values"
        if data.missing:
            some = count(int((data.codes == MISSING).any(axis=0).sum()), "column")
            yield f"{data.missing:,} of {data.codes.size:,} values are missing, in {some}"
