"""The formats in which networks are read and written. Each format registers itself; this module knows none of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, TypeAlias

from bnfuse._base.disk import MAX_BYTES
from bnfuse.graphs.arc_votes import ArcVotes
from bnfuse.graphs.gaussian_network import GaussianNetwork
from bnfuse.graphs.network import Network
from bnfuse.graphs.pdag import PDAG

Input: TypeAlias = Network | PDAG | ArcVotes
"""The content of a file: a network, a graph with undirected edges, or votes for arcs."""
Reader = Callable[[Any, str], Sequence[Input]]
"""From the content of a file, and its path for errors, to its networks."""
Writer = Callable[[Any], str]

HEAD = 1 << 16
"""characters; the kind of a file is visible at its beginning"""

_COMMENTS = r"(?s:\s+|//[^\n]*|/\*.*?\*/|[%#][^\n]*)*+"


@dataclass(frozen=True)
class Format:
    """A file format: how to recognise, read and write it."""

    label: str
    extensions: tuple[str, ...]
    """the extensions of its files; empty if only the content identifies it"""
    opening: str
    """a pattern for the start of the content, after comments; case does not matter"""
    read: Reader | None = None
    """None if it is only written"""
    read_votes: Reader | None = None
    """the same, but arcs that form a cycle are read as votes"""
    write: Writer | None = None
    """None if it is only read"""
    write_many: Callable[[Sequence[Network]], str] | None = None
    """for a format that holds several networks, which keep their names"""
    holds: tuple[type[Input], ...] = (Network,)
    """the kinds of graphs that can be written in it"""
    is_binary: bool = False
    """whether its readers need bytes instead of text"""
    also_in: tuple[str, ...] = ()
    """extensions of another format under which it also occurs, recognised by its beginning"""
    has_tables: bool = True
    """whether it holds states and tables, or only the structure"""
    marks_placeholders: bool = False
    """whether a file can mark its tables as placeholders"""
    largest: int = MAX_BYTES
    """the most bytes of a file once unpacked: formats that take many times as much memory have their own limit"""
    marks_own: bool = False
    """whether a file records that bnfuse wrote it, if a comment does not disturb other programs"""
    fallback: str | None = None
    """the encoding of older programs, for text that is not UTF-8"""
    noun: str = ""
    """the name for one of its files, if that is not its label and "file\""""

    @property
    def called(self) -> str:
        """The name for one of its files."""
        return self.noun or f"a{'n' if self.label[:1] in 'aeiouAEIOX' else ''} {self.label} file"

    @property
    def no_numbers(self) -> str:
        """Why it does not hold Gaussian networks, and which formats do."""
        return (
            f"{self.label} files hold states and tables, and cannot hold a Gaussian network; a .json file "
            "holds all of it, a .csv file its arcs"
        )


_formats: list[Format] = []


def register(form: Format) -> None:
    """Make a format known to `read` and `write`. If two formats match a content, the one registered later wins.

    A later part of the package registers formats that only it can read (a saved consensus): `files` never imports it.
    """
    _formats[:] = [form, *(known for known in _formats if known.label != form.label)]


def lazily(module: str, function: str) -> Callable[..., Any]:
    """A function of a module that is imported when it is first called: most uses need one format."""

    def call(*arguments: Any) -> Any:
        return getattr(import_module(module), function)(*arguments)

    return call


def by_extension(extension: str) -> Format | None:
    """The format of files with this extension."""
    return next((form for form in _formats if extension in form.extensions), None)


def for_numbers(extension: str) -> Format | None:
    """The format in which Gaussian networks are written with this extension, if it is not the usual one."""
    able = (form for form in _formats if form.write is not None and GaussianNetwork in form.holds)
    return next((form for form in able if extension in form.also_in), None)


def labels_for(extension: str) -> frozenset[str]:
    """The formats of networks with this extension: the usual one, and those of Gaussian networks."""
    more = (form for form in _formats if extension in form.also_in and GaussianNetwork in form.holds)
    usual = (form for form in _formats if extension in form.extensions)
    return frozenset(form.label for form in (*usual, *more))


def detected(text: str) -> Format | None:
    """The format whose pattern matches the start of a content."""
    head = text[:HEAD].removeprefix("\ufeff")
    skipped = re.match(_COMMENTS, head)
    start = skipped.end() if skipped else 0
    return next((form for form in _formats if re.compile(form.opening, re.S | re.I).match(head, start)), None)


def extensions(*, to_read: bool) -> list[str]:
    """All extensions that are read, or those that are written, in the order in which their formats were registered."""
    return [
        extension
        for form in reversed(_formats)
        for extension in form.extensions
        if (form.read if to_read else form.write) is not None
    ]


def extensions_for(kind: type[Input]) -> list[str]:
    """All extensions of formats in which this kind of graph can be written."""
    able = [form for form in reversed(_formats) if form.write is not None and kind in form.holds]
    return [extension for form in able for extension in form.extensions]
