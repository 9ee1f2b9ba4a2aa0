"""Votes for arcs as CSV, one line for each arc.

After the names `from` and `to` comes one of

    strength,direction   the probability that the two are joined in either direction, and that of this direction if
                         they are: as R's `boot.strength` writes them
    probability          of the arc
    count,of             how many voters have the arc, and of how many; `votes` is another name for `count`

With strengths, `class_direction` and `free` may follow, which `bnfuse strength` writes for people to read: the
direction by equivalence classes, and the share of them that leave it free. Votes are for arcs, so both are ignored.

A column `networks` has the number of networks that the votes represent; without it, this is one, or the `of` of
`count,of`. An empty `to` names a variable without votes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

import numpy as np

from bnfuse.errors import FileError
from bnfuse.files._csv import Line, checked_pair, number, quoted
from bnfuse.graphs.arc_votes import ArcVotes, VoteError
from bnfuse.graphs.dag import checked_variables, refuse_many

Value = TypeVar("Value")

_STRENGTHS = {"strength", "direction"}
_COUNTS = {"count", "of"}
_PROBABILITY = {"probability"}
_CLASSES = ("class_direction", "free")
_NETWORKS = "networks"


def knows(columns: list[str]) -> bool:
    """Whether these are the columns of a table of votes; they begin with from,to."""
    return len(columns) == len(set(columns)) and _values(columns) in (_STRENGTHS, _COUNTS, _PROBABILITY)


def read_rows(columns: list[str], rows: list[Line], path: str) -> ArcVotes:
    """The votes of a table, its variables in the order of first mention."""
    table = _Table(columns, rows, path)
    kind = _values(columns)
    try:
        if kind == _STRENGTHS:
            strengths = [
                (source, target, table.share(i, "strength"), table.share(i, "direction"))
                for i, (source, target) in table.arcs.items()
            ]
            return ArcVotes.from_strengths(strengths, table.same(_NETWORKS) or 1, table.variables)
        if kind == _COUNTS:
            return table.counted()
        shares = np.zeros((len(table.variables), len(table.variables)))
        index = {name: i for i, name in enumerate(table.variables)}
        for i, (source, target) in table.arcs.items():
            shares[index[source], index[target]] = table.share(i, "probability")
        return ArcVotes(table.variables, shares, table.same(_NETWORKS) or 1)
    except VoteError as error:
        line = None if error.row is None else rows[list(table.arcs)[error.row]][0]
        raise FileError(path, str(error), line) from None


def write_text(votes: ArcVotes) -> str:
    """The votes as counts, which are exact."""
    header = ["from", "to", "count", "of"] + ([] if votes.networks == votes.total else [_NETWORKS])
    rest = [str(votes.total)] + ([] if votes.networks == votes.total else [str(votes.networks)])
    names = votes.variables
    with_votes = set(np.argwhere(votes.counts).ravel().tolist())
    arcs = [[names[i], names[j], str(votes.counts[i, j]), *rest] for i, j in np.argwhere(votes.counts).tolist()]
    alone = [[name, "", "", *rest] for i, name in enumerate(names) if i not in with_votes]
    return "".join(",".join(map(quoted, row)) + "\n" for row in [header, *arcs, *alone])


def strength_text(votes: ArcVotes, classes: Mapping[tuple[str, str], tuple[float, float]] | None = None) -> str:
    """The votes as strengths and directions, with all digits, in R's form.

    `classes` has, for each arc, its direction by equivalence classes, and the share of these that leave it free.
    """
    more = () if classes is None else _CLASSES
    header = ["from", "to", *sorted(_STRENGTHS, reverse=True), *more, _NETWORKS]
    networks = str(votes.networks)
    rows = votes.strengths()
    arcs = [
        [source, target, repr(strength), repr(way), *map(repr, (classes or {}).get((source, target), ())), networks]
        for source, target, strength, way in rows
    ]
    with_votes = {name for row in rows for name in row[:2]}
    alone = [[name, "", "", "", *("" for _ in more), networks] for name in votes.variables if name not in with_votes]
    return "".join(",".join(map(quoted, row)) + "\n" for row in [header, *arcs, *alone])


def _values(columns: Iterable[str]) -> set[str]:
    values = {"count" if column == "votes" else column for column in columns} - {"from", "to", _NETWORKS}
    return values - set(_CLASSES) if values >= _STRENGTHS else values


class _Table:
    """The lines of a table by their positions, and the arcs that they name."""

    def __init__(self, columns: list[str], rows: list[Line], path: str) -> None:
        self.path = path
        self.rows = rows
        self._place = {"count" if column == "votes" else column: i for i, column in enumerate(columns)}
        self.arcs: dict[int, tuple[str, str]] = {}
        """by the position of their line"""
        variables: dict[str, None] = {}
        seen = set()
        for i, (line, row) in enumerate(rows):
            source, target = checked_pair(row[0], row[1], path, line)
            variables[source] = None
            if target:
                variables[target] = None
                self.arcs[i] = source, target
                if (source, target) in seen:
                    raise FileError(path, f"{source} -> {target} is listed twice", line)
                seen.add((source, target))
        if not variables:
            raise FileError(path, "has no votes; name variables without votes with an empty 'to'")
        self.variables = checked_variables(variables)
        refuse_many(len(self.variables), "a file with votes for arcs")

    def counted(self) -> ArcVotes:
        """The votes of a table of counts."""
        of = self.same("of")
        if of is None:
            raise FileError(self.path, "has no number of votes: the column 'of' is empty")
        counts = {arc: self._cell(i, "count", _whole, "a whole number of votes") for i, arc in self.arcs.items()}
        for i, arc in self.arcs.items():
            if counts[arc] > of:
                raise FileError(self.path, f"{arc[0]} -> {arc[1]} has {counts[arc]} votes of {of}", self.rows[i][0])
        return ArcVotes.from_counts(counts, of, self.variables, self.same(_NETWORKS))

    def share(self, row: int, column: str) -> float:
        """A probability of one line."""
        return self._cell(row, column, _share, "a number from 0 to 1")

    def same(self, column: str) -> int | None:
        """A number that is the same in all lines that have one."""
        if column not in self._place:
            return None
        found = None
        for i, (line, row) in enumerate(self.rows):
            if not row[self._place[column]].strip():
                continue
            value = self._cell(i, column, _positive, "a whole number above 0")
            if found not in (None, value):
                raise FileError(self.path, f"{column} is {value} here and {found} before; it must be the same", line)
            found = value
        return found

    def _cell(self, row: int, column: str, parse: Callable[[str], Value | None], wanted: str) -> Value:
        line, cells = self.rows[row]
        cell = cells[self._place[column]]
        if (value := parse(cell)) is None:
            raise FileError(self.path, f"{column}: expected {wanted}, got {cell!a:.60}", line)
        return value


def _share(cell: str) -> float | None:
    value = number(cell)
    return value if value is not None and 0 <= value <= 1 + 1e-6 else None


def _whole(cell: str) -> int | None:
    value = number(cell)
    return int(value) if value is not None and 0 <= value <= 1e9 and value == int(value) else None


def _positive(cell: str) -> int | None:
    return _whole(cell) or None
