"""Common code of formats with tables: from the numbers of a file to the checked tables of a network, and back."""

from __future__ import annotations

import itertools
import math
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import quote, unquote

import numpy as np
import numpy.typing as npt

from bnfuse._base.texts import shown_number
from bnfuse.errors import BnfuseError, BnfuseWarning, FileError, GraphError
from bnfuse.graphs.dag import DAG
from bnfuse.graphs.interop.structures import STATES_MARK as _STATES_MARK
from bnfuse.graphs.interop.structures import TABLES_MARK as _TABLES_MARK
from bnfuse.graphs.network import ASSUMED_STATES, BOOTSTRAP, REPAIRABLE, ROUNDING, Network, Table, row_sums

MOST_FILLED = (
    10_000_000  # numbers that a file may declare without containing them, and the largest size of uniform tables
)

STATES_MARK = " = ".join(_STATES_MARK)
TABLES_MARK = " = ".join(_TABLES_MARK)
MADE_BY_MARKS = {name: f"bnfuse_made_by = {name}" for name in ("consensus", "fusion", BOOTSTRAP)}
CUTS_KEY = "bnfuse_cuts"


class Source(Protocol):
    """The text of a file, with the positions in it."""

    path: str

    def error(self, problem: str, place: int) -> FileError:
        """The error for a problem at a place."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable as the file declares it."""

    labels: tuple[str, ...]
    place: int


@dataclass(frozen=True, slots=True)
class Definition:
    """The parents of a variable in the file's order, and its numbers: those of one parent configuration after another.

    The last parent varies fastest among the configurations. A `whole` table is one list of numbers in the order of the
    file's format. `rows` gives the positions of the configurations that have their own numbers.
    """

    parents: tuple[str, ...]
    numbers: Table
    place: int
    whole: bool
    rows: Callable[[], Mapping[int, int]] = dict


def read_network(
    source: Source,
    name: str,
    variables: Mapping[str, Variable],
    definitions: Mapping[str, Definition],
    *,
    marks: set[str],
    child_slowest: bool,
) -> Network:
    """The network that a file declares; `child_slowest` is the order of whole tables in its format."""
    for variable, declared in variables.items():
        if variable not in definitions:
            raise source.error(f"variable {variable!r} has no probabilities", declared.place)
    states = {variable: declared.labels for variable, declared in variables.items()}
    try:
        dag = DAG(variables, [(parent, child) for child, own in definitions.items() for parent in own.parents])
        tables = _checked_rows(source, states, definitions, child_slowest)
        made_by = next((name for name, mark in MADE_BY_MARKS.items() if mark in marks), "")
        if TABLES_MARK in marks and all(_is_uniform(table) for table in tables.values()):
            assumed = STATES_MARK in marks and all(labels == ASSUMED_STATES for labels in states.values())
            return Network(dag, None if assumed else states, None, name, made_by, read_cuts(marks))
        cpts = {variable: _canonical(dag, states, variable, definitions, tables[variable]) for variable in states}
        return Network(dag, states, cpts, name, made_by, read_cuts(marks))
    except GraphError as error:
        raise FileError(source.path, str(error)) from None


def as_mark(text: str) -> str:
    """A property in the spelling of the marks."""
    return " = ".join(part.strip() for part in text.strip().strip('"').split("=", 1))


def written_states(network: Network) -> Mapping[str, tuple[str, ...]]:
    """The states to write: the network's own, or two for each variable."""
    return network.states or dict.fromkeys(network.variables, ASSUMED_STATES)


def written_marks(network: Network) -> list[str]:
    """The properties that record what made the network, and which parts of the file are placeholders."""
    marks = [MADE_BY_MARKS[network.made_by]] if network.made_by in MADE_BY_MARKS else []
    if not network.states:
        marks.append(STATES_MARK)
    return marks if network.cpts else [*marks, TABLES_MARK]


def written_cuts(network: Network) -> dict[str, str]:
    """The cut points of each variable that has any."""
    return {variable: " ".join(map(repr, points)) for variable, points in network.cuts.items()}


def network_marks(network: Network) -> list[str]:
    """All properties, for a format that has them for the whole network only."""
    return [*written_marks(network), *(cuts_mark(*own) for own in written_cuts(network).items())]


def cuts_mark(variable: str, points: str) -> str:
    """The property of a network that records the cut points of a variable."""
    return f"{CUTS_KEY} = {quote(variable, safe='', errors='surrogatepass')} {points}"


def read_cuts(marks: set[str]) -> dict[str, tuple[float, ...]]:
    """The cut points in properties. A property that cannot be read as such is another program's and ignored."""
    cuts = {}
    for mark in marks:
        key, _, text = mark.partition(" = ")
        name, *words = text.split() or [""]
        if key == CUTS_KEY and words and all(map(NUMBER.fullmatch, words)):
            cuts[unquote(name, errors="surrogatepass")] = tuple(map(float, words))
    return cuts


def written_rows(network: Network, variable: str) -> Iterator[Sequence[float]]:
    """The distributions of a variable to write, the last parent varying fastest: its own, or uniform ones."""
    states = written_states(network)
    count = len(states[variable])
    if network.cpts:
        yield from network.cpts[variable].reshape(-1, count).tolist()
    else:
        configurations = math.prod(len(states[parent]) for parent in network.dag.parents(variable))
        yield from itertools.repeat([1 / count] * count, configurations)


def check_writable(network: Network) -> None:
    """Refuse uniform tables that nobody could use, before their text is made."""
    if network.cpts:
        return
    states = written_states(network)
    sizes = {v: math.prod(len(states[w]) for w in (*network.dag.parents(v), v)) for v in network.variables}
    if sum(sizes.values()) > MOST_FILLED:
        largest = max(sizes, key=lambda variable: sizes[variable])
        raise BnfuseError(
            f"cannot write uniform tables of more than {MOST_FILLED:,} numbers: that of {largest!r} with "
            f"{len(network.dag.parents(largest))} parents has {shown_number(sizes[largest])}; "
            "write the structure as CSV or JSON, or fuse with a smaller limit"
        )


def table_size(source: Source, variable: str, sizes: Sequence[int], most: int, place: int) -> int:
    """The number of entries of a table, given the numbers of states; refused if it exceeds `most`."""
    size = 1
    for count in sizes:
        size *= count
        if size > most:  # never multiplies a million numbers
            raise source.error(
                f"the table of {variable!r} with {len(sizes) - 1:,} parents needs more than {most:,} numbers, "
                "which the file does not hold",
                place,
            )
    return size


NUMBER = re.compile(r"[-+]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][-+]?\d++)?", re.ASCII)
_NUMERIC = re.compile(r"[-+.\deE,\s]*+", re.ASCII)


def check_numeric(text: str) -> None:
    """Refuse numbers that Python's float() accepts but files should not have: 1_000, nan, inf, other scripts."""
    if not _NUMERIC.fullmatch(text):
        raise ValueError


def first_bad(numbers: npt.NDArray[np.float64]) -> int | None:
    """The position of the first number that cannot be a probability: not a number, negative, or clearly above 1."""
    bad = ~((numbers >= 0) & (numbers <= 1 + REPAIRABLE))
    return int(bad.argmax()) if bad.any() else None


def configuration(labels: Sequence[Sequence[str]], row: int) -> tuple[str, ...]:
    """The labels of the parent configuration with this number."""
    chosen = []
    for own in reversed(labels):
        row, position = divmod(row, len(own))
        chosen.append(own[position])
    return tuple(reversed(chosen))


def shown_row(variable: str, parents: Sequence[str], labels: Sequence[str]) -> str:
    """A row of a table in a message, as P(C | A = yes, B = no)."""
    given = ", ".join(f"{parent} = {label}" for parent, label in zip(parents, labels, strict=True))
    return f"P({variable} | {given})" if given else f"P({variable})"


# A quoted text has three escapes: \" \\ and \uXXXX. Any other backslash stands for itself, since files of other
# programs do not use escapes.
_ODD = r"\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff"
_NOT_PORTABLE = re.compile(f"[{_ODD}]")
_UNSAFE = re.compile(rf'["\\{_ODD}]')
_ESCAPE = re.compile(r'\\(?:(["\\])|u([0-9a-fA-F]{4}))')


def is_portable(text: str) -> bool:
    """Whether a text has no control characters or others that a text file cannot hold on one line."""
    return not _NOT_PORTABLE.search(text)


def escaped(text: str) -> str:
    """The text without quotes, control characters and others that a file cannot hold."""
    return _UNSAFE.sub(lambda match: "\\" + c if (c := match[0]) in '"\\' else f"\\u{ord(c):04x}", text)


def unescaped(text: str) -> str:
    """The text before `escaped` changed it."""
    return _ESCAPE.sub(lambda match: match[1] or chr(int(match[2], 16)), text) if "\\" in text else text


def _checked_rows(
    source: Source, states: Mapping[str, tuple[str, ...]], definitions: Mapping[str, Definition], child_slowest: bool
) -> dict[str, Table]:
    """The tables as (configurations, states), each row a distribution."""
    child_slowest = _order_that_fits(source, states, definitions, child_slowest)
    tables, repaired, example = {}, 0, ""
    for variable, own in definitions.items():
        table = _as_rows(own, len(states[variable]), child_slowest)
        sums = row_sums(table)
        off = np.abs(sums - 1)
        if (off > ROUNDING).any():
            row = int((off > REPAIRABLE).argmax()) if (off > REPAIRABLE).any() else int((off > ROUNDING).argmax())
            labels = configuration([states[parent] for parent in own.parents], row)
            problem = f"{shown_row(variable, own.parents, labels)} sums to {sums[row]:.9g}"
            if off[row] > REPAIRABLE:
                raise source.error(f"{problem}, not to 1", own.rows().get(row, own.place))
            wrong = off > ROUNDING
            table[wrong] /= sums[wrong, np.newaxis]
            repaired += int(wrong.sum())
            example = example or problem
        tables[variable] = table
    if repaired:
        rows = "a row that does" if repaired == 1 else f"{repaired:,} rows that do"
        _warn(f"{source.path}: renormalised {rows} not sum to 1, first: {example}")
    return tables


def _order_that_fits(
    source: Source, states: Mapping[str, tuple[str, ...]], definitions: Mapping[str, Definition], child_slowest: bool
) -> bool:
    """The format's order for whole tables, unless all of them are distributions in the other order only."""
    whole = {variable: own for variable, own in definitions.items() if own.whole and own.parents}

    def fits(order: bool) -> bool:
        return all(
            (np.abs(row_sums(_as_rows(own, len(states[variable]), order)) - 1) <= REPAIRABLE).all()
            for variable, own in whole.items()
        )

    if fits(child_slowest) or not fits(not child_slowest):
        return child_slowest
    fastest = "fastest" if child_slowest else "slowest"
    _warn(f"{source.path}: read the tables with the child varying {fastest}: they sum to 1 in this order only")
    return not child_slowest


def _as_rows(own: Definition, count: int, child_slowest: bool) -> Table:
    if own.whole and own.parents and child_slowest:
        return own.numbers.reshape(count, -1).T.copy()
    return own.numbers.reshape(-1, count)


def _is_uniform(table: Table) -> bool:
    return bool((table == 1 / table.shape[-1]).all())


def _canonical(
    dag: DAG,
    states: Mapping[str, tuple[str, ...]],
    variable: str,
    definitions: Mapping[str, Definition],
    table: Table,
) -> Table:
    """The table with one axis for each parent, in the order of `dag.parents`."""
    given = definitions[variable].parents
    try:
        axes = table.reshape([len(states[name]) for name in (*given, variable)])
    except ValueError:  # numpy's limit on axes, reached only by parents with a single state
        raise GraphError(f"variable {variable!r} has {len(given)} parents, too many for a table") from None
    place = {parent: axis for axis, parent in enumerate(given)}
    return axes.transpose([*(place[parent] for parent in dag.parents(variable)), len(given)])


def _warn(message: str) -> None:
    warnings.warn(message, BnfuseWarning, stacklevel=2)
