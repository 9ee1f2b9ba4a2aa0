"""DAGitty's text, as its web page and its R package write it: `dag { A [exposure,pos="0,1"] A -> B B -- C }`.

Statements are separated by white space, semicolons or nothing at all. An edge may continue (`A -> B <- C`) and may join
groups (`A -> {B C}`). Positions, roles and other properties are left out. An edge `--` makes it a PDAG.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NoReturn

from bnfuse.errors import BnfuseError, FileError, GraphError
from bnfuse.graphs.dag import DAG
from bnfuse.graphs.interop.mixed import DIRECTED, UNDIRECTED, checked_mark
from bnfuse.graphs.network import Network
from bnfuse.graphs.pdag import PDAG

_TOKEN = re.compile(
    r"""(?P<space>[\s;]+|//[^\n]*|/\*.*?\*/)
    |(?P<edge>@->|<-@|@-@|@--|--@|<->|->|<-|--)
    |(?P<name>-?[\w.]+)
    |"(?P<text>(?:\\"|[^"])*+)"
    |(?P<sign>[{}\[\]=,+])""",
    re.S | re.X,
)
_BARE = re.compile(r"[0-9a-zA-Z_.]+")
_UNFIT = re.compile(r"[\0-\x1f\x7f]|\\$")
_KINDS = ("dag", "pdag")
_OTHER_KINDS = ("mag", "pag")
_MARKS = {"->": DIRECTED, "<-": DIRECTED, "--": UNDIRECTED}
_DEEPEST = 50


def read_text(text: str, path: str) -> list[Network | PDAG]:
    """The graph of a DAGitty text, its variables in the order of first mention."""
    reader = _Reader(text, path)
    reader.graph()
    try:
        if reader.edges:
            return [PDAG(reader.variables, reader.arcs, reader.edges)]
        return [Network(DAG(reader.variables, reader.arcs))]
    except BnfuseError as error:
        raise FileError(path, str(error)) from None


def write_text(graph: Network | PDAG) -> str:
    """The structure as a DAGitty text: all variables, then the arcs and edges."""
    if isinstance(graph, PDAG):
        joined = [f"{_quoted(a)} {'->' if mark == DIRECTED else '--'} {_quoted(b)}" for a, mark, b in graph.marked()]
        kind = "pdag"
    else:
        joined = [f"{_quoted(source)} -> {_quoted(target)}" for source, target in graph.dag.edges]
        kind = "dag"
    return "\n".join([f"{kind} {{", *map(_quoted, graph.variables), *joined, "}", ""])


def _quoted(name: str) -> str:
    if _BARE.fullmatch(name):
        return name
    if _UNFIT.search(name):
        raise GraphError(f"variable {name!a}: DAGitty cannot hold control characters or a backslash at the end")
    return '"' + name.replace('"', '\\"') + '"'


class _Reader:
    """Splits a text into tokens, one after the other."""

    def __init__(self, text: str, path: str) -> None:
        self.path = path
        self.variables: dict[str, None] = {}
        self.arcs: list[tuple[str, str]] = []
        self.edges: list[tuple[str, str]] = []
        self._text = text
        self._tokens = self._split()
        self._kind, self._value, self._start = next(self._tokens)

    def _split(self) -> Iterator[tuple[str, str, int]]:
        """Kinds, values and places; at the end of the text, `end`."""
        place = 0
        while place < len(self._text):
            found = _TOKEN.match(self._text, place)
            if found is None:
                self._fail(f"unexpected {self._text[place]!a}", place)
            kind = str(found.lastgroup)
            if kind != "space":
                yield kind, found[kind], place
            place = found.end()
        while True:
            yield "end", "", len(self._text)

    def _next(self) -> str:
        value = self._value
        self._kind, self._value, self._start = next(self._tokens)
        return value

    def _is(self, sign: str) -> bool:
        return self._kind == "sign" and self._value == sign

    def _take(self, sign: str) -> None:
        if not self._is(sign):
            self._fail(f"expected {sign!r}, got {self._shown()}")
        self._next()

    def _shown(self) -> str:
        return "the end of the text" if self._kind == "end" else f"{self._value!a:.60}"

    def _fail(self, problem: str, place: int | None = None) -> NoReturn:
        before = self._text[: self._start if place is None else place]
        raise FileError(self.path, problem, before.count("\n") + 1, len(before) - before.rfind("\n"))

    def graph(self) -> None:
        """The whole text."""
        kind = self._next().lower()
        if kind == "strict":
            kind = self._next().lower()
        if kind in _OTHER_KINDS:
            self._fail(
                f"a {kind.upper()} shows hidden causes, which a DAG cannot represent; only dag and pdag are read", 0
            )
        if kind not in _KINDS:
            self._fail(f"expected dag or pdag, got {kind!a:.60}", 0)
        if self._kind in ("name", "text"):
            self._next()
        self._group(0)
        if self._kind != "end":
            self._fail(f"expected the end of the text, got {self._shown()}")

    def _group(self, depth: int) -> list[str]:
        """The statements within braces, and the variables that they mention."""
        if depth > _DEEPEST:
            self._fail("braces are nested too deeply")
        self._take("{")
        members: dict[str, None] = {}
        while not self._is("}"):
            if self._is(","):
                self._next()
            else:
                members.update(dict.fromkeys(self._statement(depth)))
        self._next()
        return list(members)

    def _statement(self, depth: int) -> list[str]:
        chain, marks = [self._end(depth)], []
        while self._kind == "edge":
            marks.append((self._start, self._next()))
            chain.append(self._end(depth))
        self._properties()
        for (ones, others), (place, mark) in zip(pairwise(chain), marks, strict=True):
            for one in ones:
                for other in others:
                    self._join(one, mark, other, place)
        return [name for group in chain for name in group]

    def _end(self, depth: int) -> list[str]:
        """One end of an edge: a variable or a group of variables; or none, for a property of the graph."""
        if self._is("{"):
            return self._group(depth + 1)
        name = self._name()
        if self._is("="):  # such as bb="0,0,1,1"
            self._next()
            self._name()
            return []
        self.variables[name] = None
        return [name]

    def _name(self) -> str:
        if self._kind not in ("name", "text"):
            self._fail(f"expected a name, got {self._shown()}")
        is_text = self._kind == "text"
        name = self._next()
        if not is_text:
            return name
        name = re.sub(r"\\[\r\n]+", "", name).replace('\\"', '"')
        while self._is("+"):
            self._next()
            name += self._name()
        return name

    def _properties(self) -> None:
        if not self._is("["):
            return
        self._next()
        while not self._is("]"):
            if self._is(","):
                self._next()
                continue
            self._name()
            if self._is("="):
                self._next()
                self._name()
        self._next()

    def _join(self, one: str, mark: str, other: str, place: int) -> None:
        source, target = (other, one) if mark == "<-" else (one, other)
        if source == target:
            self._fail(f"{one} {mark} {other}: a variable cannot be its own parent", place)
        try:
            kind = checked_mark(source, _MARKS.get(mark, mark.replace("@", "o")), target)
        except GraphError as error:
            self._fail(str(error), place)
        (self.edges if kind == UNDIRECTED else self.arcs).append((source, target))
