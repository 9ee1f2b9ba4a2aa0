"""Common code of the XML formats: one guarded pass over a file, and the numbers in it.

Nothing outside the file is read, and only the five entities of XML are expanded: a file that declares entities is
refused.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from xml.parsers import expat

import numpy as np

from bnfuse.errors import FileError
from bnfuse.files import _tables
from bnfuse.graphs.network import Table

_DEEPEST = 32  # levels of elements; a network needs five
_WORD = re.compile(r"[^\s,]+", re.ASCII)
_MARKED_WORD = re.compile(rb"<!--.*?-->|<[^>]*>|([^\s<,]+)", re.DOTALL)


class Document:
    """A file that is read once, from its first element to its last. A format defines the meaning of its elements.

    Its methods `start`, `text_of` and `end` are called in the order of the file, with `elements` holding the names of
    the elements that are open.
    """

    ROOT: str
    """the name of the first element"""
    TEXTS: frozenset[str]
    """elements whose text matters"""

    def __init__(self, text: str, path: str) -> None:
        self.path = path
        self.data = text.removeprefix("\ufeff").encode("utf-8", "surrogatepass")
        self.elements: list[str] = []
        self.place = 0  # where the innermost open element starts
        self._text: list[str] | None = None  # the text of that element, if it matters
        self._parser = expat.ParserCreate("utf-8")  # whatever encoding the file declares: it is already decoded
        self._parser.buffer_text = True
        self._parser.buffer_size = 1 << 20
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._add_text
        self._parser.CommentHandler = lambda _: self._add_text(" ")  # it separates the text around it
        self._parser.EntityDeclHandler = self._refuse_entities
        self._parser.ExternalEntityRefHandler = self._refuse_entities
        self._parser.SkippedEntityHandler = self._refuse_entities

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """An element opens; it is the last of `elements`."""

    def text_of(self, tag: str, text: str) -> None:
        """The text of an element that closes; `elements` are those around it."""

    def end(self, tag: str) -> None:
        """An element closes whose text does not matter; `elements` are those around it."""

    def renamed(self, tag: str) -> str:
        """The name of an element without its namespace."""
        return tag

    def parse(self) -> None:
        """Read the file."""
        try:
            self._parser.Parse(self.data, True)
        except expat.ExpatError as error:
            problem = f"not valid XML: {expat.ErrorString(error.code)}"
            raise FileError(self.path, problem, error.lineno, error.offset + 1) from None

    def error(self, problem: str, place: int) -> FileError:
        """The error for a problem at a place of the data."""
        line = self.data.count(b"\n", 0, place) + 1
        before = self.data[self.data.rfind(b"\n", 0, place) + 1 : place]
        return FileError(self.path, problem, line, len(before.decode(errors="replace")) + 1)

    def numbers(self, variable: str, sizes: Sequence[int], text: str, place: int) -> Table:
        """The numbers of a table with these sizes, from the text of the element that starts at `place`."""
        count = _tables.table_size(self, variable, sizes, len(text) + 1, place)
        words = text.replace(",", " ").split(None, count)
        try:
            _tables.check_numeric(text)
            numbers = np.fromiter(map(float, words[:count]), np.float64)
        except ValueError:
            words = _WORD.findall(text)  # split() also splits at spaces of other scripts
            bad = next(i for i, word in enumerate(words) if not _tables.NUMBER.fullmatch(word))
            raise self._not_a_probability(variable, words, bad, place) from None
        if len(words) != count:
            got = f"{len(words):,}" if len(words) < count else "more"
            raise self.error(f"the table of {variable!r} needs {count:,} numbers, got {got}", place)
        if (bad_number := _tables.first_bad(numbers)) is not None:
            raise self._not_a_probability(variable, words, bad_number, place)
        return numbers

    def _not_a_probability(self, variable: str, words: list[str], position: int, place: int) -> FileError:
        """The error for the word at this position of a table, with its place unless markup hides it."""
        problem = f"{words[position][:40]!r} in the table of {variable!r} is not a probability"
        found = (word for word in _MARKED_WORD.finditer(self.data, place) if word[1])
        word = next(itertools.islice(found, position, None), None)
        is_it = word and word[1] == words[position].encode(errors="replace")
        return self.error(problem, word.start(1) if word and is_it else place)

    def _refuse_entities(self, *_: object) -> int:
        raise self.error(
            "declares or uses an entity of its own, which bnfuse does not expand; write its text instead",
            self._parser.CurrentByteIndex,
        )

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        tag = self.renamed(tag)
        self.place = self._parser.CurrentByteIndex
        if not self.elements and tag != self.ROOT:
            raise self.error(f"expected <{self.ROOT}>, got <{tag:.40}>", self.place)
        if len(self.elements) == _DEEPEST:
            raise self.error(f"elements are nested more than {_DEEPEST} deep", self.place)
        self.elements.append(tag)
        self._text = [] if tag in self.TEXTS else None
        self.start(tag, attributes)

    def _add_text(self, text: str) -> None:
        if self._text is not None:
            self._text.append(text)

    def _end(self, _: str) -> None:
        tag = self.elements.pop()
        if self._text is None:
            self.end(tag)
        else:
            self.text_of(tag, "".join(self._text))
            self._text = None
