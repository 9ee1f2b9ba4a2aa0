"""Tables as they are read, before any decision: their columns, weights and groups, and the options for these."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypedDict

from bnfuse._base.options import check_options, choice, like, option, option_name, whole
from bnfuse._base.spelling import meant
from bnfuse._base.texts import listed
from bnfuse.data.bins import BINNINGS
from bnfuse.data.cells import MissingLabels, plain_number
from bnfuse.data.column_rules import grows, names_subjects, perhaps_missing, tells_rows_apart
from bnfuse.data.columns import ColumnReader, RawColumn, RowFacts
from bnfuse.data.data import Data, DataLike, RowOptions, column_name
from bnfuse.data.readers import Rows, cell_count, opened, shown_label
from bnfuse.data.weights import Groups, Weights
from bnfuse.errors import FileError, MismatchError, OptionError
from bnfuse.graphs.network import Cuts

MOST_COLUMNS = 10_000
"""of a table"""
MOST_LISTED = 100
"""columns that a note names; the result itself has all of them"""
_MOST_BINS = 100


def _names(name: str, value: Any) -> tuple[str, ...]:
    names = (value,) if isinstance(value, str) or not isinstance(value, Iterable) else tuple(value)
    if not all(isinstance(one, str) for one in names):
        raise OptionError(f"{option_name(name)} must be names of columns; got {value!r:.60}")
    return names


@dataclass(frozen=True, slots=True)
class RawDataOptions:
    """How a table becomes discrete data."""

    bins: int = option(3, "The number of classes for a column of numbers.", whole(2, _MOST_BINS))
    binning: str = option(
        "quantile", "Classes with equally many values each (quantile) or equally wide ones (width).", choice(BINNINGS)
    )
    missing: str = option(
        "available",
        "Missing values: use the others (available), drop the rows that have any (drop) or refuse them (error).",
        choice(("available", "drop", "error")),
    )
    keep: tuple[str, ...] = option((), "A column whose values are states, however many there are.", _names)
    cut: tuple[str, ...] = option(
        (), "A column of numbers to cut into classes, however few or regular they are.", _names
    )
    leave_out: tuple[str, ...] = option((), "A column to leave out.", _names)
    na: tuple[str, ...] | None = like(RowOptions, "na")
    weights: str | None = like(RowOptions, "weights")
    group: str | None = option(
        None, "The column with the subject of each row; resamples draw whole subjects.", column_name
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
    """The same options as given."""

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
class Table:
    """The table that was read."""

    source: str
    header: tuple[str, ...]
    columns: Sequence[RawColumn]
    """the columns that are not left out from the start"""
    declared: Mapping[str, tuple[str, ...]]
    """the states of columns that need no decision"""
    rows: int
    cuts: Cuts = field(default_factory=dict)
    """the cut points of columns that were already cut"""
    weights: Weights | None = None
    groups: Groups | None = None
    notes: tuple[str, ...] = ()
    """notes on weights and groups"""


def read_table(data: DataLike, asked: RawDataOptions) -> Table:
    """All columns that may be variables."""
    if isinstance(data, Data):
        _check_header("the data", data.variables, asked)
        return _read_data(data, asked)
    with opened(data) as rows:
        return read_rows(rows, asked)


def read_rows(table: Rows, asked: RawDataOptions, wanted: Sequence[str] | None = None) -> Table:
    """The same, from opened rows; with `wanted`, only these columns."""
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
        if not is_unread(name, asked) and (wanted is None or name in wanted)
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
    return Table(table.source, header, columns, declared, rows, {}, weights, groups, notes)


def _read_data(data: Data, asked: RawDataOptions) -> Table:
    """Data have their own weights and subjects."""
    if asked.weights is not None or asked.group is not None:
        which = option_name("weights" if asked.weights is not None else "group")
        raise OptionError(f"{which} names a column of a table; Data have their own weights and groups")
    used = [name for name in data.variables if name not in asked.leave_out]
    columns = [RawColumn(name, tuple(data.states[name]), data.column(name)) for name in used]
    if asked.na is not None:
        columns = [column.without(MissingLabels.of(asked.na)) for column in columns]
    states = {name: _declared(labels, asked) for name, labels in data.states.items()}
    return Table("the data", data.variables, columns, states, len(data), data.cuts, data.weights, data.groups)


def _declared(labels: tuple[str, ...], asked: RawDataOptions) -> tuple[str, ...]:
    """Declared states, without those that were declared to be missing."""
    if asked.na is None:
        return labels
    missing = MissingLabels.of(asked.na)
    return tuple(label for label in labels if missing.meant_by(label) is None)


def is_unread(name: str, asked: RawDataOptions) -> bool:
    """Whether a column is left out whatever it contains."""
    return not name or name in (*asked.leave_out, asked.weights) or name in {asked.group} - {*asked.keep}


def _check_header(source: str, header: Sequence[str], asked: RawDataOptions) -> None:
    if not any(header):
        raise MismatchError(f"{source}: has no column with a name")
    if len(header) > MOST_COLUMNS:
        raise MismatchError(f"{source}: has {len(header):,} columns, and at most {MOST_COLUMNS:,} can be examined")
    if twice := [name for name, times in Counter(header).items() if times > 1 and name]:
        raise MismatchError(f"{source}: has two columns {twice[0]!r}")
    single = (("weights", asked.weights), ("group", asked.group))
    several = (("keep", asked.keep), ("cut", asked.cut), ("leave_out", asked.leave_out))
    for option_of, names in (*several, *((option_of, (name,)) for option_of, name in single)):
        for name in names:
            if name is not None and name not in header:
                which = f"{name!r}{meant(name, header)}, which {option_name(option_of)} names"
                raise MismatchError(f"{source}: has no column {which}")


# Notes on any table


def header_notes(header: Sequence[str]) -> Iterator[str]:
    """A note if the first row seems to be data."""
    names = [name for name in header if name]
    if names and all(plain_number(name) == plain_number(name) for name in names):
        yield "the names of all columns are numbers: does the table have a header?"


def format_notes(columns: Sequence[RawColumn]) -> Iterator[str]:
    """Notes on numbers in unusual notation."""
    for note in dict.fromkeys(column.format.note for column in columns):
        if note:
            names = [column.name for column in columns if column.format.note == note]
            yield f"{note} {listed(names, MOST_LISTED)}"


def left_out_notes(left_out: Mapping[str, str]) -> Iterator[str]:
    """Notes on the columns that were left out, with the reasons."""
    for reason in dict.fromkeys(left_out.values()):
        names = [name for name, own in left_out.items() if own == reason]
        yield f"left out {listed(names, MOST_LISTED)}: {reason}"


def subject_notes(table: Table) -> Iterator[str]:
    """A note on columns that may show which rows belong to one subject."""
    for column in table.columns if table.groups is None else ():
        if names_subjects(column):
            yield (
                f"several rows have the same {column.name!r}: if these belong to one subject, they are not "
                f"independent, and {option_name('group')} lets resamples draw whole subjects"
            )


def growing_notes(table: Table, columns: Sequence[RawColumn]) -> Iterator[str]:
    """A note on columns that may number the rows."""
    if table.weights is None and (names := [one.name for one in columns if tells_rows_apart(one) and grows(one)]):
        yield (
            f"the whole numbers in {listed(names, MOST_LISTED)} increase from row to row: if they are identifiers, "
            f"name them in {option_name('leave_out')}"
        )


def strange_notes(columns: Sequence[RawColumn]) -> Iterator[str]:
    """A note on numbers that may stand for missing values."""
    for column in columns:
        if (label := perhaps_missing(column)) is not None:
            yield (
                f"{column.name!r} has {label}, far from its other numbers: if that means missing, name it in "
                f"{option_name('na')}"
            )


def alike_notes(columns: Sequence[RawColumn]) -> Iterator[str]:
    """A note on labels that may be one state, such as yes and Yes."""
    for column in columns:
        if column.labels is None or column.label_numbers is not None:
            continue
        spellings: dict[str, list[str]] = {}
        for label in sorted(column.labels):
            spellings.setdefault(label.casefold(), []).append(label)
        if alike := next((labels for labels in spellings.values() if len(labels) > 1), None):
            yield (
                f"{column.name!r} has states that differ only in capitals, {listed(alike)}: if they mean the same, "
                "give them one name in the table"
            )


def too_few_left(source: str, header: Sequence[str], left: int, left_out: Mapping[str, str]) -> MismatchError:
    """The error if fewer than two columns are left."""
    why = [f"{name!r} ({reason})" for name, reason in left_out.items()]
    return MismatchError(
        f"{source}: {'one column is' if left else 'no column is'} left to learn from, and two are needed"
        + (f"; left out: {listed(why, 4, str)}" if why else "")
        + ("; a comma, a semicolon or a tab separates columns" if len(header) == 1 else "")
    )


def start_of_left_out(header: Sequence[str], asked: RawDataOptions) -> dict[str, str]:
    """The columns that are left out whatever they contain, with the reasons."""
    reasons = {"": "it has no name", asked.weights: "the weight of each row", asked.group: "the subject of each row"}
    return {name: reasons.get(name, "as requested") for name in header if is_unread(name, asked)}
