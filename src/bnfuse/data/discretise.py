"""From a table of unknown content to discrete data: numbers become classes, and columns without use are left out.

The first rule that applies decides about a column:

- named in `leave_out`, `weights` or `group`, or without a name: left out
- named in `keep`, or a category of pandas: its values are its states, at most 1,000
- missing values only, or one value only: left out
- dates or times: left out
- named like an identifier of subjects, with more than 10 values, some in several rows: left out
- numbers: at most 10 different ones are states; a column of whole numbers that are all different and that count the
  rows or are called an identifier is left out; others are cut into `bins` classes
- numbers and other values: refused
- other values: states, unless there are more than 100, or more than 10 and more than half as many as rows: left out

A column named in `cut` is cut if it holds two or more different numbers. Missing values stay missing (-1).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass
from typing import Literal, NoReturn

import numpy as np
import numpy.typing as npt

from bnfuse._base.options import option_name
from bnfuse._base.public import public
from bnfuse._base.texts import NAMES, count, listed
from bnfuse.data.bins import are_whole, class_labels, codes_of, cut_points
from bnfuse.data.cells import taken_note
from bnfuse.data.column_rules import (
    MOST_NUMBERS,
    holds_numbers,
    in_order,
    is_called_identifier,
    is_mixed,
    looks_like_counts,
    why_no_variable,
)
from bnfuse.data.columns import RawColumn
from bnfuse.data.data import MISSING, MOST_LABELS, Data, DataLike, code_type
from bnfuse.data.raw_table import (
    MOST_LISTED,
    RawDataOptions,
    Table,
    alike_notes,
    format_notes,
    growing_notes,
    header_notes,
    left_out_notes,
    read_table,
    start_of_left_out,
    strange_notes,
    subject_notes,
    too_few_left,
)
from bnfuse.data.weights import in_units
from bnfuse.errors import MismatchError, OptionError
from bnfuse.graphs.network import Codes

_WAYS = {
    "quantile": ("quantile", "too many values are equal to make more"),
    "width": ("equal width", "others would be empty"),
}

_Mask = npt.NDArray[np.bool_]


@public
@dataclass(frozen=True, slots=True)
class Prepared:
    """A table as discrete data, with notes on its preparation.

    Attributes
    ----------
    data
        The rows, as states.
    notes
        The steps of the preparation, one sentence each.
    left_out
        Each column that was left out, and the reason.

    Examples
    --------
    >>> import bnfuse, pandas
    >>> table = pandas.DataFrame({"id": [1, 2, 3, 4], "x": ["a", "b", "a", "b"], "y": ["u", "u", "v", "v"]})
    >>> bnfuse.discretised(table, leave_out=["id"]).left_out
    {'id': 'as requested'}
    """

    data: Data
    notes: tuple[str, ...]
    left_out: Mapping[str, str]


@public
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
    """Discrete data from a table of unknown content: numbers become classes, and columns without use are left out.

    Parameters
    ----------
    data
        The path of a CSV (also gzipped) or Parquet file, a DataFrame, or `Data`, whose states stay the same.
    bins, binning
        The number of classes for a column of numbers, with equally many values each ("quantile") or equally wide
        ("width"). There are fewer if too many values are equal, or if a class would be empty.
    missing
        "available" leaves missing values missing, "drop" drops the rows with missing values, "error" refuses them.
    keep, cut, leave_out
        Columns whose values are states, columns of numbers to cut, and columns to leave out, whatever they contain.
    na
        The labels that mean a missing value. None is NA, N/A, #N/A, <NA>, NaN, nan, NaT, NULL, null and ?, but nothing
        in a column to keep or in a category of pandas. An empty cell is always missing, and so is a single dot among
        numbers.
    weights
        The column with the number of rows that each row represents, as in a table of counts. It need not hold whole
        numbers.
    group
        The column with the subject of each row. `bnfuse.bootstrap` then draws whole subjects.

    Returns
    -------
    Prepared
        The data, and notes on their preparation.

    Raises
    ------
    FileError, MismatchError
        The table cannot be read, mixes numbers with other values, or leaves fewer than two columns.
    OptionError
        An option cannot be applied: a column to keep has too many values, or one to cut has no numbers.

    Examples
    --------
    >>> import bnfuse, pandas
    >>> table = pandas.DataFrame({"age": [31.5, 40.2, 58.1, 62.7], "smoker": ["yes", "no", "no", "yes"]})
    >>> prepared = bnfuse.discretised(table, cut=["age"], bins=2)
    >>> prepared.data.states["age"]
    ('<=50', '>50')
    """
    asked = RawDataOptions(bins, binning, missing, keep, cut, leave_out, na, weights, group)  # type: ignore[arg-type]
    return _Preparation(read_table(data, asked), asked).prepared()


def prepared(data: DataLike, asked: RawDataOptions) -> Prepared:
    """The same, from an options object; `Data` without any options stay the same."""
    if isinstance(data, Data) and asked == RawDataOptions():
        return Prepared(data, (), {})
    return _Preparation(read_table(data, asked), asked).prepared()


class _Preparation:
    """The decision about each column of a table."""

    def __init__(self, table: Table, asked: RawDataOptions) -> None:
        self.table, self.asked = table, asked
        self.cuts: dict[str, tuple[float, ...]] = {}  # created here
        self.left_out = start_of_left_out(table.header, asked)

    def prepared(self) -> Prepared:
        """The data, with notes on their preparation."""
        if self.table.rows == 1:
            raise MismatchError(f"{self.table.source}: has only one row, from which nothing can be learned")
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
        """Whether the user has declared the kind of the column; categories without kept labels do not count."""
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
            f"{odd.row:,}{times}: if that means missing, name it in {option_name('na')}; otherwise name the column in "
            f"{option_name('leave_out')} or {option_name('keep')}"
        )

    def _rows(self, columns: Sequence[RawColumn]) -> _Mask:
        """The rows that are used."""
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
            raise too_few_left(self.table.source, self.table.header, len(columns), self.left_out)

    def _notes(self, columns: Sequence[RawColumn], data: Data) -> Iterator[str]:
        yield from header_notes(self.table.header)
        for classes in sorted({len(cuts) for cuts in self.cuts.values()}, reverse=True):
            names = [name for name, cuts in self.cuts.items() if len(cuts) == classes]
            shown = [f"{name!r} ({', '.join(data.states[name])})" for name in names[:NAMES]]
            others = f"; also {listed(names[NAMES:], MOST_LISTED)}" if names[NAMES:] else ""
            way, why = _WAYS[self.asked.binning]
            fewer = "" if classes + 1 == self.asked.bins else f", as {why}"
            yield f"cut into {classes + 1} classes by {way}{fewer}: {', '.join(shown)}{others}"
        yield from self.table.notes
        yield from format_notes(columns)
        yield from left_out_notes(self.left_out)
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
        """Suggestions that only the user can judge."""
        if self.table.weights is None:
            is_cut = [self._is_cut(column) for column in columns]
            for place, column in enumerate(columns):
                if looks_like_counts(columns, place, is_cut):
                    yield (
                        f"{column.name!r} looks like counts: if these are the frequencies of the combinations "
                        f"of the others, name it in {option_name('weights')}"
                    )
        yield from subject_notes(self.table)
        unsaid = [column for column in columns if not self._is_given(column)]
        yield from growing_notes(self.table, unsaid)
        yield from strange_notes(unsaid)
        yield from alike_notes(unsaid)
