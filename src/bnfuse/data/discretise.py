"""From a table of which nothing is known to discrete data: numbers become classes, and what is no variable is left out.

What becomes of a column, the first that applies:

- named in `leave_out`, `weights` or `group`, or without a name: left out
- named in `keep`, or a category of pandas: its values are its states, at most 1,000
- missing values only, or one value only: left out
- dates or times: left out
- called an identifier of subjects, with more than 10 values, some in several rows: left out
- numbers: at most 10 different ones are states; a column of whole numbers that are all different and that count the
  rows or are called an identifier is left out; others are cut into `bins` classes
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

from bnfuse._base.options import check_options, choice, like, option, option_name, whole
from bnfuse._base.spelling import meant
from bnfuse._base.texts import count, listed
from bnfuse.data.bins import BINNINGS, are_whole, class_labels, codes_of, cut_points
from bnfuse.data.cells import MissingLabels, plain_number, taken_note
from bnfuse.data.column_rules import (
    MOST_NUMBERS,
    grows,
    holds_numbers,
    in_order,
    is_called_identifier,
    is_mixed,
    looks_like_counts,
    names_subjects,
    perhaps_missing,
    tells_rows_apart,
    why_no_variable,
)
from bnfuse.data.columns import ColumnReader, RawColumn, RowFacts
from bnfuse.data.data import MISSING, MOST_LABELS, Data, DataLike, RowOptions, code_type, column_name
from bnfuse.data.readers import cell_count, opened, shown_label
from bnfuse.data.weights import Groups, Weights, in_units
from bnfuse.errors import FileError, MismatchError, OptionError
from bnfuse.graphs.network import Codes, Cuts

MOST_COLUMNS = 10_000
"""of a table"""
_MOST_BINS = 100
_WAYS = {
    "quantile": ("quantile", "too many values are equal for more"),
    "width": ("equal width", "others would be empty"),
}

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
    na: tuple[str, ...] | None = like(RowOptions, "na")
    weights: str | None = like(RowOptions, "weights")
    group: str | None = option(
        None, "The column that says of which subject each row is; resamples draw whole subjects.", column_name
    )

    def __post_init__(self) -> None:
        check_options(self)
        lists = {"keep": self.keep, "cut": self.cut, "leave_out": self.leave_out}
        if self.weights is not None:
            lists["weights"] = (self.weights,)
        if self.group is not None and self.group not in self.keep:  # which may be a variable too
            lists["group"] = (self.group,)
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
    na: Iterable[str] | None
    weights: str | None
    group: str | None


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
    na: Iterable[str] | None = None,
    weights: str | None = None,
    group: str | None = None,
) -> Prepared:
    """Discrete data from a table of which nothing is known: numbers become classes, what is no variable is left out.

    Parameters
    ----------
    data
        The path of a CSV (also gzipped) or Parquet file, a DataFrame, or `Data`, whose states stay.
    bins, binning
        How many classes a column of numbers is cut into, with as many values each ("quantile") or equally wide
        ("width"). There are fewer where too many values are equal, or where a class would be empty.
    missing
        "available" leaves missing values missing, "drop" drops the rows that have some, "error" refuses them.
    keep, cut, leave_out
        Columns whose values are states, columns of numbers to cut, columns to leave out, whatever they look like.
    na
        The labels that mean a missing value. None is NA, N/A, #N/A, <NA>, NaN, nan, NaT, NULL, null and ?, but nothing
        in a column to keep or in a category of pandas. An empty cell always is one, and a single dot among numbers.
    weights
        The column that says how many rows each row stands for, as in a table of counts. It need not hold whole numbers.
    group
        The column that says of which subject each row is. `bnfuse.bootstrap` then draws whole subjects.

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
    asked = RawDataOptions(bins, binning, missing, keep, cut, leave_out, na, weights, group)  # type: ignore[arg-type]
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
    weights: Weights | None = None
    groups: Groups | None = None
    notes: tuple[str, ...] = ()
    """on weights and groups"""


def _read(data: DataLike, asked: RawDataOptions) -> _Table:
    if isinstance(data, Data):
        _check_header("the data", data.variables, asked)
        return _read_data(data, asked)
    with opened(data) as table:
        header = tuple(name.strip() for name in table.header)
        _check_header(table.source, header, asked)
        declared = {
            name.strip(): tuple(dict.fromkeys(label for one in labels if (label := shown_label(one)) is not None))
            for name, labels in table.declared.items()
        }
        own = frozenset((*declared, *asked.keep))
        readers = {
            place: ColumnReader(table.source, name, MissingLabels.of(asked.na, is_declared=name in own))
            for place, name in enumerate(header)
            if not _is_unread(name, asked)
        }
        all_rows = RowFacts(table.source, header, asked.weights, asked.group, MissingLabels.of(asked.na))
        rows = 0
        for first, chunk in table.chunks:
            rows = first - 1 + cell_count(chunk[0])
            all_rows.add(chunk, first)
            for place, reader in readers.items():
                reader.add(chunk[place], first)
        if not rows:
            raise FileError(table.source, "has a header and no rows")
        columns = [reader.read(as_labels=reader.name in declared.keys() - asked.cut) for reader in readers.values()]
        used, weights, groups, notes = all_rows.read(rows)
        columns = columns if used is None else [column.of_rows(used) for column in columns]
        declared = {name: _declared(labels, asked) for name, labels in declared.items()}
        rows = rows if used is None else int(used.sum())
        return _Table(table.source, header, columns, declared, rows, {}, weights, groups, notes)


def _read_data(data: Data, asked: RawDataOptions) -> _Table:
    """Data have their own weights and subjects."""
    if asked.weights is not None or asked.group is not None:
        which = option_name("weights" if asked.weights is not None else "group")
        raise OptionError(f"{which} names a column of a table; Data have their own weights and groups")
    used = [name for name in data.variables if name not in asked.leave_out]
    columns = [RawColumn(name, tuple(data.states[name]), data.column(name)) for name in used]
    if asked.na is not None:
        columns = [column.without(MissingLabels.of(asked.na)) for column in columns]
    states = {name: _declared(labels, asked) for name, labels in data.states.items()}
    return _Table("the data", data.variables, columns, states, len(data), data.cuts, data.weights, data.groups)


def _declared(labels: tuple[str, ...], asked: RawDataOptions) -> tuple[str, ...]:
    """Declared states, without those that were said to be missing."""
    if asked.na is None:
        return labels
    missing = MissingLabels.of(asked.na)
    return tuple(label for label in labels if missing.meant_by(label) is None)


def _is_unread(name: str, asked: RawDataOptions) -> bool:
    """Whether a column is left out whatever it holds."""
    return not name or name in (*asked.leave_out, asked.weights) or name in {asked.group} - {*asked.keep}


def _check_header(source: str, header: Sequence[str], asked: RawDataOptions) -> None:
    if not any(header):
        raise MismatchError(f"{source}: has no column with a name")
    if len(header) > MOST_COLUMNS:
        raise MismatchError(f"{source}: has {len(header):,} columns, and at most {MOST_COLUMNS:,} can be looked at")
    if twice := [name for name, times in Counter(header).items() if times > 1 and name]:
        raise MismatchError(f"{source}: has two columns {twice[0]!r}")
    single = (("weights", asked.weights), ("group", asked.group))
    several = (("keep", asked.keep), ("cut", asked.cut), ("leave_out", asked.leave_out))
    for option_of, names in (*several, *((option_of, (name,)) for option_of, name in single)):
        for name in names:
            if name is not None and name not in header:
                which = f"{name!r}{meant(name, header)}, which {option_name(option_of)} names"
                raise MismatchError(f"{source}: has no column {which}")


class _Preparation:
    """What becomes of each column of a table."""

    def __init__(self, table: _Table, asked: RawDataOptions) -> None:
        self.table, self.asked = table, asked
        self.cuts: dict[str, tuple[float, ...]] = {}  # made here
        reasons = {
            "": "it has no name",
            asked.weights: "the weight of each row",
            asked.group: "the subject of each row",
        }
        self.left_out = {name: reasons.get(name, "as asked") for name in table.header if _is_unread(name, asked)}

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
        table = self.table
        weights = None if table.weights is None else table.weights[rows]
        groups = None if table.groups is None else np.unique(table.groups[rows], return_inverse=True)[1]
        states_of = {name: states for name, (states, _) in coded.items()}
        data = Data(tuple(coded), states_of, codes, cuts, weights, groups)
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
        if is_mixed(column) and not self._is_given(column) and not is_called_identifier(column):
            self._refuse_mixed(column)
        reason = why_no_variable(column, self._is_given(column), self.table.weights)
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
            f"{odd.row:,}{times}: if that means missing, name it in {option_name('na')}; else name the column in "
            f"{option_name('leave_out')} or {option_name('keep')}"
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
        is_there = ~np.isnan(numbers)
        there = numbers[is_there]
        if len(there) == 0 or there.min() == there.max():
            return (), np.full(len(numbers), MISSING)
        weights = self.table.weights
        units = None if weights is None else in_units(weights[rows][is_there])[0]
        cuts = cut_points(there, self.asked.bins, self.asked.binning, units)
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
        yield from self.table.notes
        for note in dict.fromkeys(column.format.note for column in columns):
            if note:
                yield f"{note} {listed([column.name for column in columns if column.format.note == note])}"
        for reason in dict.fromkeys(self.left_out.values()):
            names = [name for name, own in self.left_out.items() if own == reason]
            yield f"left out {listed(names)}: {reason}"
        if any(column.name in self.left_out and column.values > 1 for column in self.table.columns):
            yield (
                f"to use a column that was left out, name it in {option_name('keep')} (each value is a state) or, if "
                f"it holds numbers, in {option_name('cut')}"
            )
        yield from self._doubts([column for column in columns if column.name in data.variables])
        if len(data) < self.table.rows:
            dropped = self.table.rows - len(data)
            yield f"dropped {dropped:,} of {self.table.rows:,} rows, which have missing values"
        if data.missing:
            some = count(int((data.codes == MISSING).any(axis=0).sum()), "column")
            yield f"{data.missing:,} of {data.codes.size:,} values are missing, in {some}"
        yield from taken_note(sum((Counter(column.taken_as_missing) for column in columns), Counter()))

    def _doubts(self, columns: Sequence[RawColumn]) -> Iterator[str]:
        """What a person should look at: nobody else can know."""
        if self.table.weights is None:
            is_cut = [self._is_cut(column) for column in columns]
            for place, column in enumerate(columns):
                if looks_like_counts(columns, place, is_cut):
                    yield (
                        f"{column.name!r} looks like counts: if it says how often the combination of the others "
                        f"occurs, name it in {option_name('weights')}"
                    )
        if self.table.groups is None:
            for column in self.table.columns:
                if names_subjects(column):
                    yield (
                        f"several rows have the same {column.name!r}: if these are of one subject, they are not "
                        f"independent, and {option_name('group')} lets resamples draw whole subjects"
                    )
        sorted_ones = [column.name for column in columns if self.table.weights is None and self._is_doubtful(column)]
        if sorted_ones:
            yield (
                f"the whole numbers in {listed(sorted_ones)} grow from row to row: if they are of identifiers, name "
                f"them in {option_name('leave_out')}"
            )
        for column in columns:
            if not self._is_given(column) and (label := perhaps_missing(column)) is not None:
                yield (
                    f"{column.name!r} has {label}, far from its other numbers: if that means missing, name it in "
                    f"{option_name('na')}"
                )

    def _is_doubtful(self, column: RawColumn) -> bool:
        return not self._is_given(column) and tells_rows_apart(column) and grows(column)
