"""Tables in CSV files: cells with the numbers of their lines, whatever separates them."""

from __future__ import annotations

import csv
import io
import re
from typing import TypeAlias

from bnfuse.errors import FileError

Line: TypeAlias = tuple[int, list[str]]
"""The number of a line, and its cells."""

_QUOTED = re.compile(r'[,"\r\n]|^\s|\s$')
_SEPARATORS = ",;\t"
_SPACED = re.compile(r'"?from"? +"?to"?(?: |\r|$)', re.I)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?", re.ASCII)


def lines_of(text: str, path: str) -> list[Line]:
    """The lines that are not empty; the header first."""
    first = text.lstrip("\r\n").partition("\n")[0]
    # R's write.table() puts spaces; otherwise the comma wins a tie
    separator = " " if _SPACED.match(first) else max(_SEPARATORS, key=first.count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True, skipinitialspace=True)
    try:
        lines = [(rows.line_num, row) for row in rows if row]
    except csv.Error as error:
        raise FileError(path, f"is not valid CSV: {error}", rows.line_num) from None
    if not lines:
        raise FileError(path, "is empty")
    return lines


def quoted(cell: str) -> str:
    """A cell, in quotes where it needs them."""
    return '"' + cell.replace('"', '""') + '"' if _QUOTED.search(cell) else cell


def number(cell: str) -> float | None:
    """The number that a cell holds."""
    return float(cell) if _NUMBER.fullmatch(cell.strip()) else None


def checked_pair(source: str, target: str, path: str, line: int) -> tuple[str, str]:
    """The two names of a line; the second is empty where the first is a variable without arcs."""
    if not source:
        raise FileError(path, "the name in 'from' is empty", line)
    if source == target:
        raise FileError(path, f"arc {source} -> {target}: a variable cannot be its own parent", line)
    return source, target
