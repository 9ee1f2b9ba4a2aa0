r"""BIF, the Interchange Format for Bayesian Networks (0.15), as bnlearn, pgmpy, pyAgrum and JavaBayes write it.

    network asia { property author = somebody; }
    variable smoke { type discrete [ 2 ] { yes, no }; }
    variable lung { type discrete [ 2 ] { yes, no }; }
    probability ( smoke ) { table 0.5, 0.5; }
    probability ( lung | smoke ) { (yes) 0.1, 0.9; default 0.01, 0.99; }

Names and labels are bare words (anything but white space and `{}()[];,|"`) or quoted text with the escapes \", \\ and
\uXXXX. Without quotes, a name or label may contain spaces if commas or the declared number of states show where it
ends, and an interval of numbers, as R's discretize() makes them, is one label: `[0,18.5]`, `(18.5,25]`. Commas and `|`
may be missing: the first name of a probability block is the child. The rows of `default` are those that have no row of
their own. A property ends at the next semicolon. Text between blocks must be a comment.

A `table` with parents lists the child's first state for all parent configurations, then its second, and so on, the last
parent varying fastest: as in the format's description, JavaBayes, pgmpy and pyAgrum. The format has no mark for another
order. If all tables of a file are distributions only with the child varying fastest, they are read in that order, with
a warning.
"""

from __future__ import annotations

import itertools
import re
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from bnfuse._base.disk import MARK
from bnfuse.errors import FileError
from bnfuse.files import _tables
from bnfuse.files._tables import Definition, Variable
from bnfuse.graphs.network import Network, Table

# Every quantifier that could backtrack is possessive, and a pattern that is tried at many positions ends at the end of
# the text at the latest: a text that does not match fails in linear time.
_QUOTED = r'"(?:[^"\\\n]++|\\.)*+"'
_BOUND = r"[-+]?(?:\d++(?:\.\d*+)?(?:[eE][-+]?\d++)?|Inf)"
_INTERVAL = rf"[\[(]\s*+{_BOUND}\s*+,\s*+{_BOUND}\s*+[\])]"
_LABELS = rf'(?:[^()"\[]++|{_QUOTED}|{_INTERVAL}|\[)*+'
_PROPERTY = r'property(?=[\s"])[^;]*+;'
_GAP = r"[\s,;|]*+"


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII)


_HIDDEN = _compiled(  # an open quote or property hides the comment signs after it, up to its end
    r'"(?:[^"\\\n]++|\\.)*+"?'
    rf"|(?<![^\s{{}};]){_PROPERTY}?+"
    r"|//[^\n]*+"
    r"|/\*(?:[^*]++|\*(?!/))*+(?:\*/)?"
)
_BLOCK = _compiled(rf"{_GAP}(?:(network|variable|probability)(?![^\s(\"])\s*+|({_PROPERTY})|(\Z))")
_NAME = _compiled(rf'((?:[^{{}}()\[\];|,"]++|{_QUOTED})*+)\{{')
_STATEMENT = _compiled(
    rf"\s*+(?:({_PROPERTY})"
    rf'|type\s++discrete\s*+\[\s*+(\d{{1,9}})\s*+\]\s*+\{{((?:[^{{}}"]++|{_QUOTED})*+)\}}\s*+;?+'
    r"|(\}))"
)
_PROBABILITY = _compiled(
    rf'\(\s*+((?:[^(){{}};"]++|{_QUOTED})*+)\)\s*+\{{'
    rf'((?:[^{{}}"p]++|{_QUOTED}|(?<=[\s;{{]){_PROPERTY}?+|p)*+)\}}'
)
_ROW = _compiled(
    rf"\s*+(?:(?:\(({_LABELS})\)|(table|default))([-+.\deE,\s]*+)(?:;|(?=\}}))"
    rf"|{_PROPERTY})"
)
_WORD = _compiled(rf'({_QUOTED})|[^\s,|"]++|([,|])')
_BARE = _compiled(r'[^\s{}()\[\];,|"]++')
_IDENTIFIER = _compiled(r"[A-Za-z_][\w.-]*+")
_UNNAMED = "unknown"


def read_text(text: str, path: str) -> list[Network]:
    """The one network of a BIF file."""
    return [_read(_File(text, path))]


def write_text(network: Network) -> str:
    """The network as BIF. Words are quoted only if necessary: other programs do not support quotes."""
    _tables.check_writable(network)
    states = {v: [_word(label) for label in labels] for v, labels in _tables.written_states(network).items()}
    names = {variable: _word(variable) for variable in network.variables}
    lines = [f"// {MARK}", f"network {_network_word(network.name)} {{"]
    lines += [f"  property {mark};" for mark in _tables.network_marks(network)]
    lines.append("}")
    for variable, labels in states.items():
        lines.append(f"variable {names[variable]} {{")
        lines.append(f"  type discrete [ {len(labels)} ] {{ {', '.join(labels)} }};")
        lines.append("}")
    for variable in network.variables:
        parents = network.dag.parents(variable)
        rows = _tables.written_rows(network, variable)
        given = f" | {', '.join(names[parent] for parent in parents)}" if parents else ""
        lines.append(f"probability ( {names[variable]}{given} ) {{")
        if parents:
            configurations = map(", ".join, itertools.product(*(states[parent] for parent in parents)))
            lines += [f"  ({one}) {_joined(row)};" for one, row in zip(configurations, rows, strict=True)]
        else:
            lines += [f"  table {_joined(row)};" for row in rows]
        lines.append("}")
    return "\n".join(lines) + "\n"


def _joined(row: Sequence[float]) -> str:
    return ", ".join(map(repr, row))


def _word(text: str) -> str:
    bare = _BARE.fullmatch(text) and _tables.is_portable(text) and text.split() == [text]
    bare = bare and "//" not in text and "/*" not in text and text != "property"  # which would hide what follows
    return text if bare else f'"{_tables.escaped(text)}"'


def _network_word(name: str) -> str:
    if not name:
        return _UNNAMED
    return name if _IDENTIFIER.fullmatch(name) and name != _UNNAMED else f'"{_tables.escaped(name)}"'


@dataclass
class _File:
    """The text of a BIF file, without its comments, and its declarations."""

    text: str
    path: str
    name: str | None = None
    marks: set[str] = field(default_factory=set)
    variables: dict[str, Variable] = field(default_factory=dict)
    filled: int = 0

    def __post_init__(self) -> None:
        if "//" in self.text or "/*" in self.text:
            self.text = _HIDDEN.sub(self._without_comment, self.text)
        self.has_quotes = '"' in self.text

    def _without_comment(self, found: re.Match[str]) -> str:
        """Spaces instead of a comment, so that all positions stay the same."""
        hidden = found[0]
        if not hidden.startswith("/"):
            return hidden
        if hidden.startswith("/*") and (len(hidden) < 4 or not hidden.endswith("*/")):
            raise self.error("this comment is not closed", found.start())
        return "\n".join(" " * len(line) for line in hidden.split("\n"))

    def error(self, problem: str, place: int) -> FileError:
        """The error for a problem at a place of the text."""
        line = self.text.count("\n", 0, place) + 1
        return FileError(self.path, problem, line, place - self.text.rfind("\n", 0, place))

    def unexpected(self, expected: str, place: int) -> FileError:
        """The error for a text that should be something else."""
        found = re.compile(r"\s*+(\S{0,40})").match(self.text, place)
        assert found
        got = repr(found[1]) if found[1] else "the end of the file"
        return self.error(f"expected {expected}, got {got}", found.start(1))


def _read(file: _File) -> Network:
    blocks = []  # of probabilities: read last, since their variables may be declared later
    place = 1 if file.text.startswith("\ufeff") else 0
    while True:
        start = _BLOCK.match(file.text, place)
        if not start:
            raise file.unexpected("a network, variable or probability block", _skip_gap(file, place))
        place = start.end()
        if start[1] == "network":
            place = _read_banner(file, place)
        elif start[1] == "variable":
            place = _read_variable(file, place)
        elif start[1] == "probability":
            block = _PROBABILITY.match(file.text, place)
            if not block:
                raise file.error("expected '( variable | parents ) { rows }': a bracket is missing or too many", place)
            blocks.append(block)
            place = block.end()
        elif start[3] is not None:
            break
    if file.name is None and not file.variables:
        raise FileError(file.path, "not a BIF file: it has no network and no variable blocks")
    definitions: dict[str, Definition] = {}
    for block in blocks:
        _read_definition(file, block, definitions)
    return _tables.read_network(
        file, file.name or "", file.variables, definitions, marks=file.marks, child_slowest=True
    )


def _skip_gap(file: _File, place: int) -> int:
    gap = _compiled(_GAP).match(file.text, place)
    return gap.end() if gap else place


def _read_banner(file: _File, place: int) -> int:
    name, place = _read_name(file, place, "network")
    if file.name is not None:
        raise file.error("a second network block; a BIF file holds one network", place)
    file.name = name
    while not (statement := _statement(file, place, "a property or '}'", typed=False))[4]:
        file.marks.add(_tables.as_mark(statement[1].removeprefix("property").removesuffix(";")))
        place = statement.end()
    return statement.end()


def _read_variable(file: _File, place: int) -> int:
    start = place
    name, place = _read_name(file, place, "variable")
    if not name:
        raise file.unexpected("the name of a variable", start)
    if name in file.variables:
        raise file.error(f"variable {name!r} is declared twice", start)
    labels: tuple[str, ...] | None = None
    while not (statement := _statement(file, place, "'type discrete [ number ] { labels };' or '}'", typed=True))[4]:
        place = statement.end()
        if statement[2]:
            if labels is not None:
                raise file.error(f"variable {name!r} has a second type", statement.start(2))
            labels = _read_labels(file, name, statement)
    if labels is None:
        raise file.error(f"variable {name!r} has no states", start)
    file.variables[name] = Variable(labels, start)
    return statement.end()


def _statement(file: _File, place: int, expected: str, typed: bool) -> re.Match[str]:
    statement = _STATEMENT.match(file.text, place)
    if not statement or (statement[2] and not typed):
        raise file.unexpected(expected, place)
    return statement


def _read_name(file: _File, place: int, block: str) -> tuple[str, int]:
    found = _NAME.match(file.text, place)
    if not found:
        raise file.unexpected(f"the name of a {block} and '{{'", place)
    name = found[1].strip()
    if '"' not in name:
        return ("" if block == "network" and name == _UNNAMED else name), found.end()
    if not _compiled(_QUOTED).fullmatch(name):
        raise file.unexpected(f"one name of a {block}", place)
    return _tables.unescaped(name[1:-1]), found.end()


def _read_labels(file: _File, variable: str, statement: re.Match[str]) -> tuple[str, ...]:
    count, place = int(statement[2]), statement.start(3)
    labels = _split(statement[3], count)
    if len(labels) != count or not labels:
        raise file.error(f"variable {variable!r} declares {count:,} states and lists {len(labels):,}", place)
    if len(set(labels)) < count:
        twice = Counter(labels).most_common(1)[0][0]
        raise file.error(f"variable {variable!r} has the state {twice!r} twice", place)
    return tuple(labels)


def _split(text: str, count: int) -> list[str]:
    """The labels in a text: separated by commas if that gives the right number, otherwise words."""
    if '"' not in text:
        labels = [label.strip() for label in text.split(",")]
        if len(labels) > count and ("[" in text or "(" in text):
            whole = re.sub(_INTERVAL, lambda interval: interval[0].replace(",", "\0"), text)
            labels = [label.strip().replace("\0", ",") for label in whole.split(",")]
        return labels if len(labels) == count and all(labels) else re.split(r"[\s,|]+", text.strip(" \t\r\n,|"))
    groups = _groups(text)
    joined = [" ".join(words) for words, is_one in groups if is_one]
    return joined if len(joined) == len(groups) == count else [word for words, _ in groups for word in words]


def _groups(text: str) -> list[tuple[list[str], bool]]:
    """The words between the commas and bars of a text, and whether they may be one name with spaces in it."""
    if '"' not in text:
        return [(part.split(), True) for part in re.split("[,|]", text) if part.strip()]
    groups: list[tuple[list[str], bool]] = []
    words: list[str] = []
    quoted = False
    for found in itertools.chain(_WORD.finditer(text), [None]):
        if found is None or found[2]:
            if words:
                groups.append((words, len(words) == 1 or not quoted))
            words, quoted = [], False
        else:
            words.append(_tables.unescaped(found[0][1:-1]) if found[1] else found[0])
            quoted = quoted or found[1] is not None
    return groups


def _read_definition(file: _File, block: re.Match[str], definitions: dict[str, Definition]) -> None:
    names = _read_header(file, block)
    variable, parents = names[0], tuple(names[1:])
    if variable in definitions:
        raise file.error(f"variable {variable!r} has a second probability block", block.start(1))
    seen = {variable}
    for parent in parents:
        if parent in seen:
            problem = "is its own parent" if parent == variable else f"has the parent {parent!r} twice"
            raise file.error(f"variable {variable!r} {problem}", block.start(1))
        seen.add(parent)
    definitions[variable] = _Rows(file, block, variable, parents).read()


def _read_header(file: _File, block: re.Match[str]) -> list[str]:
    names = []
    for words, is_one in _groups(block[1]):
        joined = " ".join(words)
        for name in [joined] if is_one and joined in file.variables else words:
            if name not in file.variables:
                place = file.text.find(name, block.start(1))
                raise file.error(f"unknown variable {name!r} in a probability block", max(place, block.start(1)))
            names.append(name)
    if not names:
        raise file.error("a probability block without a variable", block.start(1))
    return names


class _Rows:
    """The rows of one probability block."""

    def __init__(self, file: _File, block: re.Match[str], variable: str, parents: tuple[str, ...]) -> None:
        self.file, self.block, self.place = file, block, block.start(1)
        self.variable, self.parents = variable, parents
        self.states = [file.variables[parent].labels for parent in parents]
        self.numbering = [{label: i for i, label in enumerate(labels)} for labels in self.states]
        self.count = len(file.variables[variable].labels)
        self.numbers = array("d")  # the rows, in the order of the file
        self.rows: dict[int, int] = {}  # parent configurations in the same order, and their positions
        self.table: array[float] | None = None
        self.default: array[float] | None = None

    def read(self) -> Definition:
        """The definition from the rows."""
        return self._in_bulk() or self._one_by_one()

    def _in_bulk(self) -> Definition | None:
        """The definition, if the rows are those of all parent configurations in plain form; None otherwise.

        Nearly all blocks of nearly all files have this form, which is read several times faster.
        """
        if self.file.has_quotes or not self.parents:
            return None
        rows = self.block[2].split(";")
        if not rows[-1].strip():
            rows.pop()
        configurations = 1
        for labels in self.states:
            configurations *= len(labels)
            if configurations > len(rows):
                return None
        parts = [row.partition(")") for row in rows]
        given = [head.lstrip() for head, _, _ in parts]
        expected = [f"({', '.join(labels)}" for labels in itertools.product(*self.states)]
        in_order = given == expected
        whole = in_order or sorted(given) == sorted(expected)
        if not whole or any(tail.count(",") != self.count - 1 for _, _, tail in parts):
            return None
        joined = ",".join([tail for _, _, tail in parts])
        try:
            _tables.check_numeric(joined)
            numbers = np.array(array("d", map(float, joined.split(","))), np.float64)
        except ValueError:
            return None
        if _tables.first_bad(numbers) is not None:
            return None
        if not in_order:
            place = {labels: number for number, labels in enumerate(given)}
            numbers = numbers.reshape(-1, self.count)[[place[labels] for labels in expected]].reshape(-1)
        return Definition(self.parents, numbers, self.place, False, lambda: self._one_by_one().rows())

    def _one_by_one(self) -> Definition:
        match, text, (place, end) = _ROW.match, self.file.text, self.block.span(2)
        while row := match(text, place, end + 1):  # the closing bracket may end the last row
            place = row.end()
            labels, keyword, numbers = row.groups()
            if labels is not None:
                configuration = self._configuration(labels, row)
                if configuration in self.rows:
                    raise self._error(f"{self._shown(configuration)} is given twice", row.start(1))
                self.rows[configuration] = row.start(1)
                self._extend(self.numbers, numbers, self.count, row)
            elif keyword == "table":
                self._check_first(self.table, "table", row)
                self.table = array("d")
                self._extend(self.table, numbers, self._size(len(text), row.start(2)), row)
            elif keyword == "default":
                self._check_first(self.default, "default", row)
                self.default = array("d")
                self._extend(self.default, numbers, self.count, row)
        if text[place:end].strip():
            raise self._unexpected(place)
        return self._definition()

    def _configuration(self, text: str, row: re.Match[str]) -> int:
        labels = text.split(", ")
        if len(labels) != len(self.parents) or '"' in text or "[" in text or "(" in text:
            labels = _split(text, len(self.parents))
        if len(labels) != len(self.parents) or not labels:
            problem = f"expected the states of {len(self.parents):,} parents, got {len(labels):,}"
            raise self._error(f"probabilities of {self.variable!r}: {problem}", row.start(1))
        number = 0
        for label, numbers, parent in zip(labels, self.numbering, self.parents, strict=True):
            position = numbers.get(label)
            if position is None and (position := numbers.get(label.strip())) is None:
                place = max(self.file.text.find(label, row.start(1), row.end(1)), row.start(1))
                raise self._error(f"probabilities of {self.variable!r}: {parent!r} has no state {label!r}", place)
            number = number * len(numbers) + position
        return number

    def _check_first(self, earlier: array[float] | None, keyword: str, row: re.Match[str]) -> None:
        if earlier is not None:
            raise self._error(f"probabilities of {self.variable!r}: a second {keyword!r}", row.start(2))

    def _extend(self, numbers: array[float], text: str, count: int, row: re.Match[str]) -> None:
        """Add the numbers of a row, checking their number."""
        words = text.replace(",", " ").split(None, count)
        if len(words) != count:
            got = f"{len(words):,}" if len(words) <= count else "more"
            raise self._error(
                f"probabilities of {self.variable!r}: expected {count:,} numbers, got {got}", row.start(3)
            )
        try:
            numbers.extend(map(float, words))
        except ValueError:
            raise self._unexpected(row.start()) from None

    def _definition(self) -> Definition:
        place = self.place
        if self.table is not None:
            if self.rows or self.default is not None:
                raise self._error(f"probabilities of {self.variable!r}: a table and rows at the same time", place)
            return Definition(self.parents, self._checked(self.table, None), place, True)
        own = self._checked(self.numbers, self.rows).reshape(-1, self.count)
        if self.default is None:
            self._check_complete()
            table = np.empty_like(own)
        else:
            size = self._size(_tables.MOST_FILLED - self.file.filled, place)
            self.file.filled += size
            table = np.tile(self._checked(self.default, None), (size // self.count, 1))
        table[np.fromiter(self.rows, np.int64, len(self.rows))] = own
        return Definition(self.parents, table.reshape(-1), place, False, lambda: self.rows)

    def _check_complete(self) -> None:
        """Check that every parent configuration has its row. As no row occurs twice, counting them is enough."""
        needed = self._size(len(self.file.text), self.place) // self.count
        if len(self.rows) < needed:
            missing = next(number for number in itertools.count() if number not in self.rows)
            raise self._error(f"{self._shown(missing)} is missing", self.place)

    def _checked(self, numbers: array[float], rows: Mapping[int, int] | None) -> Table:
        values = np.array(numbers, np.float64)
        if (bad := _tables.first_bad(values)) is not None:
            place = self.place if rows is None else list(rows.values())[bad // self.count]
            raise self._error(f"probabilities of {self.variable!r}: {values[bad]:g} is not a probability", place)
        return values

    def _size(self, most: int, place: int) -> int:
        sizes = [*map(len, self.states), self.count]
        return _tables.table_size(self.file, self.variable, sizes, most, place)

    def _shown(self, configuration: int) -> str:
        labels = _tables.configuration(self.states, configuration)
        return _tables.shown_row(self.variable, self.parents, labels)

    def _unexpected(self, place: int) -> FileError:
        """The error for a row that cannot be read: the word that is not a number, or the whole row."""
        start = _compiled(rf"\s*+(?:table|default|\({_LABELS}\))").match(self.file.text, place)
        expected = "a row: '(labels) numbers;', 'table numbers;' or 'default numbers;'"
        if start:
            for word in _compiled(r"[^\s,;}]++|[;}]").finditer(self.file.text, start.end()):
                if word[0] in (";", "}"):
                    break
                if not _tables.NUMBER.fullmatch(word[0]):
                    return self.file.unexpected(f"a number for {self.variable!r}", word.start())
        return self.file.unexpected(expected, place)

    def _error(self, problem: str, place: int) -> FileError:
        return self.file.error(problem, place)
