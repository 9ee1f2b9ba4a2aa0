"""The formats that networks are read from and written to. A format registers itself; nothing here knows any of them."""

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
"""What a file may hold: a network, a graph in which some edges have no direction, or votes for arcs."""
Reader = Callable[[Any, str], Sequence[Input]]
"""From the content of a file, and the path that its errors name, to what it holds."""
Writer = Callable[[Any], str]

HEAD = 1 << 16
"""characters; what a file is shows at its beginning"""

_COMMENTS = r"(?s:\s+|//[^\n]*|/\*.*?\*/|[%#][^\n]*)*+"


@dataclass(frozen=True)
class Format:
    """A format of files: how to know it, and who reads and writes it."""

    label: str
    extensions: tuple[str, ...]
    """of the files that are written in it, and read as it; empty if only the content tells it"""
    opening: str
    """a pattern: how the content starts, after comments; upper and lower case are alike"""
    read: Reader | None = None
    """None: it is only written"""
    read_votes: Reader | None = None
    """the same, but arcs that form a cycle are read as votes"""
    write: Writer | None = None
    """None: it is only read"""
    write_many: Callable[[Sequence[Network]], str] | None = None
    """for a format that holds several networks; these keep the names that it gives them"""
    holds: tuple[type[Input], ...] = (Network,)
    """what can be written in it"""
    is_binary: bool = False
    """whether its readers take bytes instead of text"""
    also_in: tuple[str, ...] = ()
    """extensions of another format under which it is found too, and known by its opening"""
    has_tables: bool = True
    """whether it holds states and tables, or the structure only"""
    marks_placeholders: bool = False
    """whether a file can say that its tables are placeholders"""
    largest: int = MAX_BYTES
    """bytes that a file may have once unpacked: what takes many times as much memory has a limit of its own"""
    marks_own: bool = False
    """whether a file says that bnfuse wrote it, where a comment hinders no other program"""
    fallback: str | None = None
    """the encoding of older programs, for text that is not UTF-8"""
    noun: str = ""
    """what a file of it is called, where that is not its label and "file\""""

    @property
    def called(self) -> str:
        """What a file of it is called."""
        return self.noun or f"a{'n' if self.label[:1] in 'aeiouAEIOX' else ''} {self.label} file"

    @property
    def no_numbers(self) -> str:
        """Why it does not hold Gaussian networks, and what does."""
        return (
            f"{self.label} files hold states and tables, and cannot hold a Gaussian network; a .json file holds it "
            "whole, a .csv file its arcs"
        )


_formats: list[Format] = []


def register(form: Format) -> None:
    """Let `read` and `write` know a format. Where a content could be of two formats, the one registered later wins.

    A later part of the package registers what it alone can read (a saved consensus): files never reach for it.
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
    """The format in which Gaussian networks are written under this extension, where it is not the usual one."""
    able = (form for form in _formats if form.write is not None and GaussianNetwork in form.holds)
    return next((form for form in able if extension in form.also_in), None)


def labels_for(extension: str) -> frozenset[str]:
    """The formats of networks that files with this extension are of: the usual one, and those of Gaussian networks."""
    more = (form for form in _formats if extension in form.also_in and GaussianNetwork in form.holds)
    usual = (form for form in _formats if extension in form.extensions)
    return frozenset(form.label for form in (*usual, *more))


def detected(text: str) -> Format | None:
    """The format that a content starts like."""
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
