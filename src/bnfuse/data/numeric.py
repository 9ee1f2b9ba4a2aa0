"""Tables whose columns stay numbers, for networks of continuous variables.

The first rule that applies decides about a column:

- named in `leave_out`, `weights` or `group`, or without a name: left out
- missing values only, or one value only; dates or times; identifiers; names or free text: left out, as from a table
  that becomes discrete
- numbers and other values, or infinite ones: refused
- categories: refused, as a network of numbers has no place for them
- numbers: a variable

If columns are named in `columns`, these alone are read, in that order, and each must hold numbers.
"""

from __future__ import annotations

import csv
import io
import math
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NoReturn, TypeAlias

import numpy as np
import numpy.typing as npt

from bnfuse._base import disk
from bnfuse._base.optional import optional
from bnfuse._base.options import option_name
from bnfuse._base.public import public
from bnfuse._base.spelling import meant
from bnfuse._base.texts import count, listed
from bnfuse.data.cells import taken_note
from bnfuse.data.column_rules import MOST_NUMBERS, holds_numbers, is_called_identifier, why_no_variable
from bnfuse.data.columns import RawColumn
from bnfuse.data.data import Data, check_output
from bnfuse.data.raw_table import (
    RawDataOptions,
    Table,
    format_notes,
    growing_notes,
    header_notes,
    left_out_notes,
    read_rows,
    start_of_left_out,
    strange_notes,
    subject_notes,
    too_few_left,
)
from bnfuse.data.readers import Rows, kind_of, opened
from bnfuse.data.weights import Groups, Weights
from bnfuse.errors import MismatchError, OptionError
from bnfuse.graphs.network import Cuts

NumericLike: TypeAlias = Any
"""NumericData, the path of a CSV or Parquet file, a pandas or polars table, an array of rows, or a dict of columns."""

_INFINITE = ("inf", "infinity")
_LARGEST, _LEAST_SPREAD = 1e150, 1e-150  # beyond these, squares overflow or vanish
_Mask = npt.NDArray[np.bool_]


@public
@dataclass(frozen=True, slots=True)
class NumericData:
    """Rows of numbers.

    Attributes
    ----------
    columns
        The names of the variables.
    values
        Rows by columns; NaN if a value is missing.
    weights
        The number of rows that each row represents, which need not be whole; None if each represents itself.
    groups
        The number of the subject of each row, from 0, for resamples of whole subjects; None if each row has a different
        subject.
    notes
        Notes on the table, one sentence each.

    Examples
    --------
    >>> import bnfuse, numpy as np
    >>> rows = bnfuse.NumericData(("Age", "Blood"), np.array([[50.0, 120.0], [60.0, np.nan]]))
    >>> len(rows), rows.missing
    (2, 1)
    """

    columns: tuple[str, ...]
    values: npt.NDArray[np.float64]
    weights: Weights | None = None
    groups: Groups | None = None
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.values)

    @property
    def variables(self) -> tuple[str, ...]:
        """The columns, under the name that other data use."""
        return self.columns

    @property
    def states(self) -> Mapping[str, tuple[str, ...]]:
        """None: numbers have no states."""
        return {}

    @property
    def cuts(self) -> Cuts:
        """None: numbers that stay numbers are not cut."""
        return {}

    @property
    def missing(self) -> int:
        """The number of missing cells."""
        return int(np.isnan(self.values).sum())

    @property
    def weight(self) -> float:
        """The number of rows that all rows represent."""
        return float(len(self)) if self.weights is None else float(self.weights.sum())

    def to_pandas(self) -> Any:
        """The rows as a pandas DataFrame of floats; a missing value is NaN. Weights are left out.

        Returns
        -------
        pandas.DataFrame
            A column for each variable.

        Raises
        ------
        MissingPackageError
            pandas is not installed.

        Examples
        --------
        >>> import bnfuse
        >>> network = bnfuse.GaussianNetwork(bnfuse.DAG(["A"]), {"A": 5}, {}, {"A": 0})
        >>> network.sample(2).to_pandas()["A"].tolist()
        [5.0, 5.0]
        """
        return optional("pandas", "a pandas table", "data").DataFrame(self.values, columns=list(self.columns))

    def to_csv(self) -> str:
        """The rows as the text of a CSV file, with all digits. Weights are left out.

        Returns
        -------
        str
            A line with the names, and a line for each row; a missing value is an empty cell.

        Examples
        --------
        >>> import bnfuse
        >>> network = bnfuse.GaussianNetwork(bnfuse.DAG(["A"]), {"A": 5}, {}, {"A": 0})
        >>> network.sample(2).to_csv().split()
        ['A', '5.0', '5.0']
        """
        text = io.StringIO()
        outer_spaces = any(
            name != name.strip() for name in self.columns
        )  # a reader skips spaces unless they are quoted
        head = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL if outer_spaces else csv.QUOTE_MINIMAL)
        head.writerow(self.columns)
        rows = (["" if math.isnan(value) else repr(value) for value in row] for row in self.values.tolist())
        csv.writer(text, lineterminator="\n").writerows(rows)
        return text.getvalue()

    def write(self, path: str | os.PathLike[str], overwrite: bool = False) -> None:
        """Write the rows to a file: .csv, .csv.gz or .parquet. A missing value is an empty cell; weights are left out.

        Parameters
        ----------
        path
            The file.
        overwrite
            Whether a file that exists is replaced.

        Raises
        ------
        FileError
            The file already exists, or cannot be written.
        MissingPackageError
            A Parquet file needs pyarrow or fastparquet.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.GaussianNetwork(bnfuse.DAG(["A"]), {"A": 5}, {}, {"A": 1}).sample(10).write("rows.csv")
        """
        file = Path(path)
        check_output(file, overwrite)
        if kind_of(file) == "parquet":
            arrow = optional("pyarrow", "writing Parquet files", "data")
            table = arrow.table(dict(zip(self.columns, self.values.T, strict=True)))
            buffer = io.BytesIO()
            optional("pyarrow.parquet", "writing Parquet files", "data").write_table(table, buffer)
            disk.write_bytes(buffer.getvalue(), file)
            return
        text = self.to_csv().encode()
        disk.write_bytes(disk.gzipped(text) if file.suffix.lower() == ".gz" else text, file)


def read_numeric(
    source: NumericLike,
    *,
    na: Iterable[str] | None = None,
    weights: str | None = None,
    columns: Sequence[str] | None = None,
    leave_out: Iterable[str] = (),
    group: str | None = None,
    missing: Literal["available", "drop", "error"] = "available",
) -> NumericData:
    """Rows of numbers from a table.

    Without `columns`, all columns that hold numbers are variables: there must be at least two of them, and two rows.
    With `columns`, as for a network whose variables are known, one row and one column are enough, and a column may hold
    a single value.

    Parameters
    ----------
    source
        The path of a CSV (also gzipped) or Parquet file, a pandas or polars DataFrame, a numpy array of rows, whose
        columns are X1, X2 and so on unless `columns` names them, a dict of columns, or NumericData.
    na, weights, leave_out, group, missing
        As in `bnfuse.discretised`.
    columns
        The variables; other columns are ignored.

    Returns
    -------
    NumericData
        The rows; `notes` describe their preparation.

    Raises
    ------
    FileError, MismatchError
        The table cannot be read, holds something other than finite numbers, or leaves too few rows or columns.
    OptionError
        An option is invalid.
    """
    asked = RawDataOptions(missing=missing, leave_out=leave_out, na=na, weights=weights, group=group)  # type: ignore[arg-type]
    return numeric(source, asked, columns)


def numeric(source: NumericLike, asked: RawDataOptions, columns: Sequence[str] | None = None) -> NumericData:
    """The same, from an options object."""
    for name in ("bins", "binning", "keep", "cut"):
        if getattr(asked, name) != getattr(RawDataOptions(), name):
            raise OptionError(f"{option_name(name)} is for classes of numbers, and here numbers stay numbers")
    if isinstance(source, Data):
        raise OptionError("expected numbers, and Data hold states; give the table itself")
    if isinstance(source, NumericData):
        if asked == RawDataOptions() and columns in (None, source.columns):
            _check_scale("the data", source.columns, source.values)
            return source
        return _again(source, asked, columns)
    with _opened(source, columns) as rows:
        _check_wanted(rows, columns)
        return _Numbers(read_rows(rows, asked, columns), asked, columns).read()


def _again(data: NumericData, asked: RawDataOptions, columns: Sequence[str] | None) -> NumericData:
    """Numbers that were read before, which have their own weights and subjects."""
    if asked.weights is not None or asked.group is not None:
        which = option_name("weights" if asked.weights is not None else "group")
        raise OptionError(f"{which} names a column of a table; NumericData have their own weights and groups")
    rows = Rows("the data", data.columns, iter([(1, [column.tolist() for column in data.values.T])]))
    _check_wanted(rows, columns)
    table = read_rows(rows, asked, columns)
    whole = Table(table.source, table.header, table.columns, {}, table.rows, {}, data.weights, data.groups, data.notes)
    return _Numbers(whole, asked, columns).read()


@contextmanager
def _opened(source: NumericLike, columns: Sequence[str] | None) -> Iterator[Rows]:
    """The rows of a source, which may also be an array."""
    if isinstance(source, np.ndarray):
        if source.ndim != 2:
            raise OptionError(f"an array of data has rows and columns; got {count(source.ndim, 'dimension')}")
        names = [f"X{i + 1}" for i in range(source.shape[1])] if columns is None else list(columns)
        if len(names) != source.shape[1]:
            raise MismatchError(f"the data: have {count(source.shape[1], 'column')}, and {len(names)} names")
        yield _columns_of(dict(zip(names, source.T, strict=True)))
    elif isinstance(source, Mapping):
        yield _columns_of(source)
    else:
        with opened(source, frozenset(columns or ())) as rows:
            yield rows


def _columns_of(table: Mapping[Any, Any]) -> Rows:
    """The columns of a dict or an array as rows."""
    names, cells = tuple(map(str, table)), [np.asarray(own, object).tolist() for own in table.values()]
    if len({len(own) if isinstance(own, list) else -1 for own in cells}) > 1 or not all(
        isinstance(own, list) for own in cells
    ):
        raise MismatchError("the data: the columns must be lists of one length")
    return Rows("the data", names, iter([(1, list(cells))] if cells and cells[0] else []))


def _check_wanted(rows: Rows, columns: Sequence[str] | None) -> None:
    header = [name.strip() for name in rows.header]
    for name in columns or ():
        if name not in header:
            raise MismatchError(f"{rows.source}: lacks the column {name!r}{meant(name, header)}")


def _check_scale(source: str, columns: Sequence[str], values: npt.NDArray[np.float64]) -> None:
    """Refuse columns whose squares no computer number can hold."""
    least, most = np.fmin.reduce(values, 0, initial=np.inf), np.fmax.reduce(values, 0, initial=-np.inf)
    ranges = [(name, float(low), float(high)) for name, low, high in zip(columns, least, most, strict=True)]
    if large := [name for name, low, high in ranges if max(-low, high) > _LARGEST]:
        raise MismatchError(
            f"{source}: the numbers of {listed(large)} are too large to compute with, beyond {_LARGEST:g}: scale them "
            "down"
        )
    if close := [name for name, low, high in ranges if 0 < high - low < _LEAST_SPREAD]:
        raise MismatchError(
            f"{source}: the numbers of {listed(close)} differ too little to compute with, by less than "
            f"{_LEAST_SPREAD:g}: scale them up"
        )


class _Numbers:
    """The decision about each column of a table."""

    def __init__(self, table: Table, asked: RawDataOptions, wanted: Sequence[str] | None) -> None:
        self.table, self.asked, self.wanted = table, asked, wanted
        self.left_out = start_of_left_out(table.header, asked) if wanted is None else {}

    def read(self) -> NumericData:
        """The rows of numbers."""
        table = self.table
        if self.wanted is None and table.rows == 1:
            raise MismatchError(f"{table.source}: has only one row, from which nothing can be learned")
        columns = self._variables()
        values = np.empty((table.rows, len(columns)))
        for place, column in enumerate(columns):
            numbers = column.numbers
            values[:, place] = np.nan if numbers is None else numbers
        rows = self._rows(columns, values)
        values = values[rows]
        _check_scale(table.source, [column.name for column in columns], values)
        if self.wanted is None:
            varies = [len(own[~np.isnan(own)]) > 0 and bool(np.nanmin(own) < np.nanmax(own)) for own in values.T]
            for column, is_variable in zip(columns, varies, strict=True):
                if not is_variable:
                    self.left_out[column.name] = "one value only in the rows that are complete"
            values, columns = values[:, varies], [one for one, kept in zip(columns, varies, strict=True) if kept]
            self._check_enough(columns)
        values.flags.writeable = False
        weights = None if table.weights is None else table.weights[rows]
        groups = None if table.groups is None else np.unique(table.groups[rows], return_inverse=True)[1]
        notes = tuple(self._notes(columns, values))
        return NumericData(tuple(column.name for column in columns), values, weights, groups, notes)

    def _variables(self) -> list[RawColumn]:
        """The columns that are numbers, in the requested order."""
        if self.wanted is not None:
            by_name = {column.name: column for column in self.table.columns}
            columns = [by_name[name] for name in self.wanted]
            for column in columns:
                if column.values:
                    self._check_numbers(column)
            self._refuse_categories([column for column in columns if column.values and not holds_numbers(column)])
            return columns
        columns = []
        for column in self.table.columns:
            is_text = column.odd is not None and not is_called_identifier(column)
            reason = None if is_text else why_no_variable(column, False, self.table.weights)
            if reason is not None:
                self.left_out[column.name] = reason
            else:
                self._check_numbers(column)
                columns.append(column)
        self._refuse_categories([column for column in columns if not holds_numbers(column)])
        self._check_enough(columns)
        return columns

    def _check_numbers(self, column: RawColumn) -> None:
        """Refuse other values among numbers."""
        odd = column.odd
        if odd is None:
            return
        times = "" if odd.count == 1 else f" and {odd.count - 1:,} more"
        or_leave_out = f", or name the column in {option_name('leave_out')}" if self.wanted is None else ""
        named = f"{self.table.source}: column {column.name!r}"
        if odd.label.lstrip("+-").lower() in _INFINITE:
            raise MismatchError(
                f"{named} has the infinite value {odd.label!r} in row {odd.row:,}{times}: if that means "
                f"missing, name it in {option_name('na')}; otherwise correct it{or_leave_out}"
            )
        raise MismatchError(
            f"{named} mixes numbers with other values, {odd.label!r:.60} in row {odd.row:,}{times}: if that means "
            f"missing, name it in {option_name('na')}; otherwise correct it{or_leave_out}"
        )

    def _refuse_categories(self, columns: Sequence[RawColumn]) -> None:
        if not columns:
            return
        shown = [f"{one.name!r} ({listed(one.labels or (), 3)})" for one in columns]
        has, them = ("a column", "it") if len(columns) == 1 else ("columns", "them")
        problem = f"has {has} of categories, {listed(shown, 4, str)}, which a network of numbers cannot hold"
        if self.wanted is not None:
            self._refuse(f"{problem}: correct {them}, or choose a network with states")
        self._refuse(
            f"{problem}: name {them} in {option_name('leave_out')}, or leave out {option_name('gaussian')}, so that "
            f"numbers are cut into classes ({option_name('bins')})"
        )

    def _refuse(self, problem: str) -> NoReturn:
        raise MismatchError(f"{self.table.source}: {problem}")

    def _rows(self, columns: Sequence[RawColumn], values: npt.NDArray[np.float64]) -> _Mask:
        """The rows that are used."""
        absent = np.isnan(values)
        if self.asked.missing == "error" and absent.any():
            place = int(absent.any(axis=0).argmax())
            own = absent[:, place]
            self._refuse(
                f"column {columns[place].name!r} has {count(int(own.sum()), 'missing value')}, the first in row "
                f"{int(own.argmax()) + 1:,}; {option_name('missing')} says that this is an error"
            )
        if self.asked.missing != "drop":
            return np.ones(self.table.rows, np.bool_)
        rows = np.asarray(~absent.any(axis=1))
        if rows.sum() < (2 if self.wanted is None else 1):
            self._refuse(
                f"{'one row is' if rows.any() else 'no row is'} complete; leave out the columns with the most missing "
                "values, or use what is available"
            )
        return rows

    def _check_enough(self, columns: Sequence[RawColumn]) -> None:
        if len(columns) < 2:
            raise too_few_left(self.table.source, self.table.header, len(columns), self.left_out)

    def _notes(self, columns: Sequence[RawColumn], values: npt.NDArray[np.float64]) -> Iterator[str]:
        table = self.table
        if self.wanted is None:
            yield from header_notes(table.header)
        yield from table.notes
        yield from format_notes(columns)
        yield from left_out_notes(self.left_out)
        if self.wanted is None:
            yield from subject_notes(table)
            yield from growing_notes(table, columns)
            most = min(MOST_NUMBERS, table.rows // 2)
            if few := [f"{column.name!r} ({column.values})" for column in columns if column.values <= most]:
                yield f"taken as numbers, though they have few different values: {listed(few, shown=str)}"
        yield from strange_notes(columns)
        if len(values) < table.rows:
            yield f"dropped {table.rows - len(values):,} of {table.rows:,} rows, which have missing values"
        if absent := int(np.isnan(values).sum()):
            some = count(int(np.isnan(values).any(axis=0).sum()), "column")
            yield f"{absent:,} of {values.size:,} values are missing, in {some}"
        yield from taken_note(sum((Counter(column.taken_as_missing) for column in columns), Counter()))
