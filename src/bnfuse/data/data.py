"""Data sets: rows of observed states, read from CSV (also gzipped) and Parquet files or taken from pandas.

Labels are matched by name, with or without spaces around them, or by number: 1.0 is the state 1, unless two states are
the same number. NA, NaN, NULL and ? are missing values, unless that is the name of a state; an empty cell of a CSV file
is always missing. Columns without a variable are left out, with a warning. Files are read in chunks and kept as small
numbers of states: a million rows of 37 variables take 37 MB.
"""

from __future__ import annotations

import csv
import io
import os
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from numbers import Real
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from bnfuse._base import disk
from bnfuse._base.optional import optional
from bnfuse._base.options import check_options, option, option_name
from bnfuse._base.public import public
from bnfuse._base.spelling import meant, place_of
from bnfuse._base.texts import listed
from bnfuse.data.cells import MissingLabels, state_name, taken_note
from bnfuse.data.label_order import in_people_order
from bnfuse.data.readers import Cells, Numbered, Rows, kind_of, label_of, opened, shown_label
from bnfuse.data.weights import Groups, WeightReader, Weights, check_weights_column
from bnfuse.errors import BnfuseWarning, FileError, MismatchError, OptionError
from bnfuse.graphs.dag import lookalike
from bnfuse.graphs.network import Codes, Cuts

DataLike: TypeAlias = Any
"""A Data, the path of a CSV or Parquet file, or a table from pandas, polars, or any package that streams Arrow data."""

MISSING = -1
MOST_LABELS = 1_000
"""in one column, if only the data define the states: a larger number means measurements or names, not states"""

_BATCH = 20_000  # rows of a file in one block, while it is written


@public
@dataclass(frozen=True, slots=True)
class Data:
    """Rows of data: for each variable the number of its state, or nothing if the value is missing.

    Attributes
    ----------
    variables, states
        The names, and the states of each variable.
    codes
        Rows by variables: the number of the state, -1 if it is missing.
    cuts
        For each variable whose states are classes of numbers: the largest number of each class but the last.
    weights
        The number of rows that each row represents, which need not be whole; None if each represents itself.
    groups
        The number of the subject of each row, from 0, for resamples of whole subjects; None if each row has a different
        subject. Files and pandas tables have neither weights nor groups.

    Examples
    --------
    >>> import bnfuse
    >>> coin = bnfuse.Network(bnfuse.DAG(["Coin"]), {"Coin": ("heads", "tails")}, {"Coin": [0.5, 0.5]})
    >>> rows = coin.sample(100, seed=1)
    >>> type(rows).__name__, len(rows), rows.missing
    ('Data', 100, 0)
    """

    variables: tuple[str, ...]
    states: Mapping[str, tuple[str, ...]]
    codes: Codes
    """rows x variables: the number of the state, -1 if it is missing"""
    cuts: Cuts = field(default_factory=dict)
    """for each variable whose states are classes of numbers: the largest number of each but the last"""
    weights: Weights | None = None
    """the number of rows that each row represents"""
    groups: Groups | None = None
    """the subject of each row"""

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def missing(self) -> int:
        """The number of missing cells."""
        return int((self.codes == MISSING).sum())

    @property
    def weight(self) -> float:
        """The number of rows that all rows represent."""
        return float(len(self)) if self.weights is None else float(self.weights.sum())

    def column(self, variable: str) -> Codes:
        """The codes of a variable.

        Parameters
        ----------
        variable
            Its name.

        Returns
        -------
        array
            The number of its state in each row, -1 if it is missing.

        Examples
        --------
        >>> import bnfuse
        >>> coin = bnfuse.Network(bnfuse.DAG(["Coin"]), {"Coin": ("heads", "tails")}, {"Coin": [1.0, 0.0]})
        >>> coin.sample(3).column("Coin").tolist()
        [0, 0, 0]
        """
        return self.codes[:, self.variables.index(variable)]

    def to_pandas(self) -> Any:
        """The rows as a pandas DataFrame of categories; a missing value is None.

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
        >>> coin = bnfuse.Network(bnfuse.DAG(["Coin"]), {"Coin": ("heads", "tails")}, {"Coin": [1.0, 0.0]})
        >>> coin.sample(2).to_pandas()["Coin"].tolist()
        ['heads', 'heads']
        """
        pandas = optional("pandas", "a pandas table", "data")
        columns = {
            name: pandas.Categorical.from_codes(self.column(name), list(self.states[name])) for name in self.variables
        }
        return pandas.DataFrame(columns)

    def write(self, path: str | os.PathLike[str], overwrite: bool = False) -> None:
        """Write the rows to a file: .csv, .csv.gz or .parquet. A missing value is an empty cell.

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
        MismatchError
            A state has an empty label, which a CSV file cannot distinguish from a missing value.

        Examples
        --------
        >>> import bnfuse
        >>> coin = bnfuse.Network(bnfuse.DAG(["Coin"]), {"Coin": ("heads", "tails")}, {"Coin": [0.5, 0.5]})
        >>> coin.sample(100).write("coins.csv")
        """
        file = Path(path)
        check_output(file, overwrite)
        disk.write_bytes(self._content(file), file)

    def _content(self, file: Path) -> bytes:
        kind = kind_of(file)
        if kind == "parquet":
            pyarrow = optional("pyarrow", "writing Parquet files", "data")
            buffer = io.BytesIO()
            optional("pyarrow.parquet", "writing Parquet files", "data").write_table(self._to_arrow(pyarrow), buffer)
            return buffer.getvalue()
        text = self.to_csv().encode()
        return disk.gzipped(text) if file.suffix.lower() == ".gz" else text

    def _to_arrow(self, pyarrow: Any) -> Any:
        columns = {}
        for name in self.variables:
            codes = pyarrow.array(self.column(name), mask=self.column(name) == MISSING)
            columns[name] = pyarrow.DictionaryArray.from_arrays(codes, pyarrow.array(list(self.states[name])))
        return pyarrow.table(columns)

    def to_csv(self) -> str:
        """The rows as the text of a CSV file.

        Returns
        -------
        str
            A line with the names, and a line for each row; a missing value is an empty cell.

        Raises
        ------
        MismatchError
            A state has an empty label, which would be read as a missing value.

        Examples
        --------
        >>> import bnfuse
        >>> coin = bnfuse.Network(bnfuse.DAG(["Coin"]), {"Coin": ("heads", "tails")}, {"Coin": [1.0, 0.0]})
        >>> coin.sample(2).to_csv().split()
        ['Coin', 'heads', 'heads']
        """
        for name in self.variables:
            if "" in self.states[name]:
                raise MismatchError(
                    f"a state of {name!r} has an empty label, which a CSV file cannot distinguish from a "
                    "missing value; "
                    "write a .parquet file, or name the state"
                )
        text = io.StringIO()
        words = [*self.variables, *(label for name in self.variables for label in self.states[name])]
        # Readers skip outer spaces, and end a line at a lone \r, unless these are quoted; csv.writer quotes neither.
        is_odd = any(word != word.strip() or "\r" in word for word in words)
        writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL if is_odd else csv.QUOTE_MINIMAL)
        writer.writerow(self.variables)
        labels = [np.array([*self.states[name], ""], object) for name in self.variables]  # code -1 is the last
        for start in range(0, len(self), _BATCH):
            chunk = self.codes[start : start + _BATCH]
            writer.writerows(zip(*(own[chunk[:, i]].tolist() for i, own in enumerate(labels)), strict=True))
        return text.getvalue()


def code_type(states: int) -> type[np.signedinteger[Any]]:
    """The smallest integer type that can number that many states."""
    kinds: tuple[type[np.signedinteger[Any]], ...] = (np.int8, np.int16, np.int32)
    return next(kind for kind in kinds if states <= np.iinfo(kind).max)


def check_output(path: str | os.PathLike[str], overwrite: bool = False) -> None:
    """Refuse a file that `Data.write` could not write, before time is spent on its content."""
    file = Path(path)
    if kind_of(file) == "parquet":
        optional("pyarrow", "writing Parquet files", "data")
    disk.check_new(file, overwrite)


def missing_labels(name: str, value: Any) -> tuple[str, ...]:
    """Labels as given, including numbers."""
    given = (value,) if isinstance(value, str) or not isinstance(value, Iterable) else tuple(value)
    labels = [str(shown_label(one)) if isinstance(one, Real) and not isinstance(one, bool) else one for one in given]
    if not all(isinstance(one, str) for one in labels):
        raise OptionError(f"{option_name(name)} must be labels; got {value!r:.60}")
    return tuple(labels)


def column_name(name: str, value: Any) -> str:
    """The name of one column."""
    if not isinstance(value, str):
        raise OptionError(f"{option_name(name)} must be the name of a column; got {value!r:.60}")
    return value


@dataclass(frozen=True, slots=True)
class RowOptions:
    """Information that rows of states do not contain."""

    na: tuple[str, ...] | None = option(
        None, "A label that means a missing value, instead of NA, N/A, NaN, NULL and ?.", missing_labels
    )
    weights: str | None = option(None, "The column with the number of rows that each row represents.", column_name)

    def __post_init__(self) -> None:
        check_options(self)


def as_data(
    data: DataLike, variables: Sequence[str], states: Mapping[str, Sequence[str]] | None = None, named: str = "the data"
) -> Data:
    """Data over exactly these variables, with these states.

    A variable without states gets the labels that occur, in natural order (1, 2, 10). Columns may have any order; those
    that are not variables are left out with a warning. An unknown label is an error that lists all such labels, and a
    variable without a column is an error too.
    """
    return as_noted_data(data, variables, states, named)[0]


def as_noted_data(
    data: DataLike,
    variables: Sequence[str],
    states: Mapping[str, Sequence[str]] | None = None,
    named: str = "the data",
    asked: RowOptions = RowOptions(),
) -> tuple[Data, tuple[str, ...]]:
    """The same, with notes on the data."""
    if isinstance(data, Data):
        if asked.weights is not None:
            raise OptionError(f"{option_name('weights')} names a column of a table, and Data have their own weights")
        if asked.na is None and _agrees(data, variables, states):
            codes = data.codes[:, [data.variables.index(v) for v in variables]]
            return Data(tuple(variables), dict(data.states), codes, data.cuts, data.weights, data.groups), ()
        columns: list[Cells] = [Numbered(data.states[v], data.column(v)) for v in data.variables]
        found, notes = _collected(Rows(named, data.variables, iter([(1, columns)])), variables, states, asked)
        return replace(found, weights=data.weights, groups=data.groups), notes
    with opened(data, frozenset(variables), named) as rows:
        return _collected(rows, variables, states, asked)


def column_names(data: DataLike) -> tuple[str, ...]:
    """The columns of data that have a name; those without one number the rows."""
    if isinstance(data, Data):
        return data.variables
    with opened(data) as rows:
        return tuple(name.strip() for name in rows.header if name.strip())


def _agrees(data: Data, variables: Sequence[str], states: Mapping[str, Sequence[str]] | None) -> bool:
    if frozenset(data.variables) != frozenset(variables):
        return False
    known = states or {}
    return all(name not in known or tuple(known[name]) == tuple(data.states[name]) for name in variables)


def _collected(
    rows: Rows, variables: Sequence[str], states: Mapping[str, Sequence[str]] | None, asked: RowOptions
) -> tuple[Data, tuple[str, ...]]:
    """The codes of all chunks."""
    source = rows.source
    header = [name if name in variables else name.strip() for name in rows.header]
    _check_columns(source, header, variables, asked.weights)
    known, empty = states or {}, rows.empty_is_missing
    columns = [_Column(source, name, known.get(name), rows.declared.get(name), empty, asked.na) for name in variables]
    places = [header.index(name) for name in variables]
    weighing = None if asked.weights is None else WeightReader(source, asked.weights)
    parts: list[Codes] = []
    for first, chunk in rows.chunks:
        coded = [column.coded(chunk[place], first) for column, place in zip(columns, places, strict=True)]
        parts.append(np.stack(coded, axis=1))
        if weighing is not None:
            weighing.add(chunk[header.index(weighing.name)], first)
    if not sum(map(len, parts)):
        raise FileError(source, "has a header and no rows")
    codes = np.concatenate(parts)
    parts.clear()
    weights, notes = (None, ()) if weighing is None else weighing.read()
    if weights is not None:
        codes, weights = codes[weights > 0], weights[weights > 0]
    taken: Counter[str] = Counter()
    for place, column in enumerate(columns):
        taken += column.settle(codes[:, place])
        column.check(codes[:, place])
        if not column.is_fixed:
            codes[:, place] = column.renumbered()[codes[:, place]]
    codes.flags.writeable = False
    data = Data(tuple(variables), {column.name: column.labels for column in columns}, codes, weights=weights)
    return data, (*notes, *taken_note(taken))


class _Column:
    """How the labels of a column become numbers."""

    def __init__(
        self,
        source: str,
        name: str,
        states: Sequence[str] | None,
        declared: Sequence[object] | None,
        empty_is_missing: bool,
        na: tuple[str, ...] | None,
    ) -> None:
        self.source, self.name = source, name
        self.is_fixed = states is not None
        self._states = tuple(states or ())
        self._number: dict[object, int] = {label: i for i, label in enumerate(self._states)}
        self._known = len(self._number)
        self._missing = MissingLabels.of(na, is_declared=declared is not None)
        # A label that means missing has a number below MISSING while it is counted.
        for place, label in enumerate(self._missing.labels):
            if na is not None or label not in self._number:
                self._number[label] = MISSING - 1 - place
        if empty_is_missing or "" not in self._number:
            self._number[""] = MISSING
        most = self._known if self.is_fixed else MOST_LABELS
        self._type = code_type(max(most, len(self._missing.labels) + 2))
        self._found: list[str] = []  # the labels that occur, if they define the states, in the order of first mention
        self._order: list[int] = []
        self._unknown: dict[str, int] = {}

    @property
    def labels(self) -> tuple[str, ...]:
        """The states, in their order."""
        return self._states if self.is_fixed else tuple(self._found[i] for i in self._order)

    def coded(self, cells: Cells, first: int) -> Codes:
        """The codes of some cells, beginning with this row."""
        if isinstance(cells, Numbered):
            return cells.translated(lambda label, place, _: self.coded([label], first + place)[0], MISSING, self._type)
        try:
            return np.fromiter(map(self._number.__getitem__, cells), self._type, len(cells))
        except KeyError:
            for row, cell in enumerate(cells, first):
                if cell not in self._number:
                    self._meet(cell, row)
            return np.fromiter(map(self._number.__getitem__, cells), self._type, len(cells))
        except TypeError:  # a list or the like, which cannot be a dictionary key
            raise MismatchError(f"{self.source}: column {self.name!r} contains something other than labels") from None

    def _meet(self, cell: object, row: int) -> None:
        label = label_of(cell)
        if label is not None and label not in self._number:
            label = label.strip()
        if label is not None and label not in self._number:
            meant = self._missing.meant_by(label)
            label = meant if meant is not None else label if self.is_fixed else state_name(label)
        if label in self._number or label is None:
            self._number[cell] = MISSING if label is None else self._number[label]
        elif not self.is_fixed:
            if self._known == MOST_LABELS:
                raise FileError(
                    self.source,
                    f"column {self.name!r} has more than {MOST_LABELS:,} different labels; it holds numbers or names, "
                    "not states: leave it out, or make classes of it",
                )
            self._number[cell] = self._number[label] = self._known
            self._found.append(label)
            self._known += 1
        elif (place := place_of(label, self._states)) is not None:
            self._number[cell] = place  # pandas turns 1 into 1.0 if values are missing
        else:
            self._number[cell] = MISSING  # provisionally: all unknown labels are listed together
            self._unknown.setdefault(label, row)
            if len(self._unknown) == MOST_LABELS:  # not all of them need to occur
                self.check()

    def settle(self, codes: Codes) -> Counter[str]:
        """Turn the labels that mean missing into missing values; return a note with their frequencies."""
        taken: Counter[str] = Counter()
        if codes.size and codes.min() < MISSING:
            for place, label in enumerate(self._missing.labels):
                is_meant = codes == MISSING - 1 - place
                if times := int(is_meant.sum()):
                    taken[label] = times
                    codes[is_meant] = MISSING
        return taken

    def check(self, codes: Codes | None = None) -> None:
        """Refuse labels that are not states, and a column that cannot be a variable."""
        if self._unknown:
            (label, row), *others = self._unknown.items()
            also = ""
            if others:
                full = len(self._unknown) == MOST_LABELS
                also = (
                    f", nor {'is' if len(others) == 1 else 'are'} {listed([one for one, _ in others], open_end=full)}"
                )
            raise MismatchError(
                f"{self.source}: column {self.name!r}, row {row:,}: {label!r} is not a state of {self.name!r}"
                f"{meant(label, self.labels)}{also}; its states are {listed(self.labels)}; if it means missing, name "
                f"it in {option_name('na')}"
            )
        if not self.is_fixed:
            assert codes is not None
            found = {self._found[code]: int(code) for code in np.unique(codes) if code != MISSING}
            if len(found) < 2:
                problem = f"one label only, {next(iter(found))!r}" if found else "missing values only"
                raise MismatchError(
                    f"{self.source}: column {self.name!r} has {problem}; a variable needs two states: "
                    "give a network that knows its states, or leave it out"
                )
            self._order = [found[label] for label in in_people_order(found)]

    def renumbered(self) -> Codes:
        """For each number in the order of first mention, its position among the sorted labels; -1 stays."""
        place = np.full(len(self._found) + 1, MISSING, np.int32)
        place[self._order] = np.arange(len(self._order))
        return place


def _check_columns(source: str, header: Sequence[str], variables: Sequence[str], weights: str | None) -> None:
    wanted = set(variables)
    if weights is not None:
        check_weights_column(source, header, weights)
        if weights in wanted:
            raise OptionError(
                f"{option_name('weights')} names the column {weights!r}, which is a variable of the network"
            )
    if twice := [name for name, times in Counter(header).items() if times > 1 and name in wanted]:
        raise MismatchError(f"{source}: has two columns {twice[0]!r}")
    extra = [name for name in header if name not in wanted and name != weights]
    if missing := [name for name in variables if name not in header]:
        alike = lookalike(missing[0], extra)
        instead = "" if alike is None else f", though there is a column {alike!r}"
        raise MismatchError(f"{source}: lacks {_these('column', missing)}{instead}: each variable needs a column")
    if extra:
        named = _these("column", extra) if any(extra) else "the column without a name"
        warnings.warn(f"{source}: left out {named}: the network has no such variable", BnfuseWarning, stacklevel=2)


def _these(noun: str, names: Sequence[str]) -> str:
    return f"the {noun}{'' if len(names) == 1 else 's'} {listed(names)}"
