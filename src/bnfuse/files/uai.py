"""UAI files, the format of the inference competitions: numbers only, so names are lost.

The variables are named X0, X1, ... after their numbers in the file, and their states 0, 1, ... In a Bayesian network
(`BAYES`) the last variable of a function is the child; the last variable varies fastest in the values.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import NoReturn

import numpy as np

from bnfuse._base.disk import A_WORD, MAX_MEMORY, check_memory
from bnfuse.errors import FileError
from bnfuse.files import _tables
from bnfuse.graphs.network import Network, Table

_COMMENT = re.compile(r"#[^\n]*")
_LONGEST = 9  # digits of a whole number


def read_text(text: str, path: str) -> list[Network]:
    """The network of a UAI file."""
    tokens = _Tokens(text, path)
    if (kind := tokens.next("BAYES")).upper() != "BAYES":
        tokens.fail(f"expected BAYES, got {kind!a:.60}; only Bayesian networks are read")
    sizes = [tokens.whole("a number of states", 1) for _ in range(tokens.whole("the number of variables", 1))]
    scopes = _scopes(tokens, sizes)
    definitions = {}
    for *parents, child in scopes:
        place = min(tokens.place, len(tokens.all) - 1)
        needed = _tables.table_size(tokens, f"X{child}", [sizes[i] for i in (*parents, child)], len(tokens.all), place)
        if (count := tokens.whole("the number of values")) != needed:
            tokens.fail(f"the table of X{child} needs {needed:,} values, not {count:,}")
        names = tuple(f"X{parent}" for parent in parents)
        definitions[f"X{child}"] = _tables.Definition(names, tokens.values(count), place, True)
    if tokens.place < len(tokens.all):
        tokens.fail(f"expected the end of the file, got {tokens.next('')!a:.60}")
    # after the tables, when the file is known to hold as many values as it declares states
    variables = {f"X{i}": _tables.Variable(tuple(map(str, range(size))), 0) for i, size in enumerate(sizes)}
    in_order = {name: definitions[name] for name in variables}
    return [_tables.read_network(tokens, "", variables, in_order, marks=set(), child_slowest=False)]


def write_text(network: Network) -> str:
    """A network as a UAI file; unknown states become two, unknown tables uniform."""
    _tables.check_writable(network)
    states = _tables.written_states(network)
    number = {name: i for i, name in enumerate(network.variables)}
    scopes, tables = [], []
    for variable in network.variables:
        scope = [number[name] for name in (*network.dag.parents(variable), variable)]
        scopes.append(" ".join(map(str, [len(scope), *scope])))
        rows = [" ".join(map(repr, row)) for row in _tables.written_rows(network, variable)]
        tables.append("\n ".join([f"\n{len(rows) * len(states[variable])}", *rows]))
    sizes = " ".join(str(len(states[variable])) for variable in network.variables)
    return "\n".join(["BAYES", str(len(number)), sizes, str(len(number)), *scopes, *tables, ""])


class _Tokens:
    """The words of a file, one after the other. A position is the number of a word."""

    def __init__(self, text: str, path: str) -> None:
        self.path = path
        self._text = _COMMENT.sub(lambda comment: " " * len(comment[0]), text)
        self.all = self._text.split(None, MAX_MEMORY // A_WORD)
        check_memory(A_WORD * len(self.all), path)
        self.place = 0

    def next(self, expected: str) -> str:
        if self.place == len(self.all):
            raise FileError(self.path, f"the file ends where {expected} should be; it is truncated")
        self.place += 1
        return self.all[self.place - 1]

    def whole(self, expected: str, least: int = 0) -> int:
        token = self.next(expected)
        if not (token.isascii() and token.isdigit() and len(token) <= _LONGEST and int(token) >= least):
            self.fail(f"expected {expected}, got {token!a:.60}")
        return int(token)

    def values(self, count: int) -> Table:
        tokens = self.all[self.place : self.place + count]
        numbers = np.zeros(len(tokens))
        for i, token in enumerate(tokens):
            try:
                numbers[i] = float(token)
            except ValueError:
                self.place += i + 1
                self.fail(f"expected a probability, got {token!a:.60}")
        if (bad := _tables.first_bad(numbers)) is not None:
            self.place += bad + 1
            self.fail(f"expected a probability, got {tokens[bad]!a:.60}")
        self.place += len(tokens)
        if len(tokens) < count:
            self.next("a probability")
        return numbers

    def fail(self, problem: str) -> NoReturn:
        """The error for the word that was read last."""
        raise self.error(problem, self.place - 1)

    def error(self, problem: str, place: int) -> FileError:
        word = next(islice(re.finditer(r"\S+", self._text), place, None))
        line = self._text.count("\n", 0, word.start()) + 1
        return FileError(self.path, problem, line, word.start() - self._text.rfind("\n", 0, word.start()))


def _scopes(tokens: _Tokens, sizes: list[int]) -> list[list[int]]:
    """The variables of each function, its child last; each variable is the child of one."""
    if tokens.whole("the number of functions") != len(sizes):
        tokens.fail(f"a Bayesian network has one function for each of its {len(sizes)} variables")
    scopes = []
    children = set()
    for _ in sizes:
        scope = [tokens.whole("the number of a variable") for _ in range(tokens.whole("the size of a function", 1))]
        if unknown := [i for i in scope if i >= len(sizes)]:
            tokens.fail(f"unknown variable {unknown[0]}: there are {len(sizes)}, numbered from 0")
        if scope[-1] in children:
            tokens.fail(f"variable {scope[-1]} is the child of two functions")
        if len(set(scope)) != len(scope):
            tokens.fail(f"a function of variable {scope[-1]} names a variable twice")
        children.add(scope[-1])
        scopes.append(scope)
    return scopes
