"""Tables in CSV files: cells with the numbers of their lines, whatever the separator."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from typing import TypeAlias

from bnfuse._base.disk import A_WORD, check_memory
from bnfuse.errors import FileError

Line: TypeAlias = tuple[int, list[str]]
"""The number of a line, and its cells."""

_QUOTED = re.compile(r'[,"\r\n]|^\s|\s$')
_SEPARATORS = ",;\t"
_SPACED = re.compile(r'(?:"?from"? +"?to"?|"?source"? +"?target"?|"?parent"? +"?child"?)(?: |\r|$)', re.I)
_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")
_LONGEST_ROW = 1 << 22  # characters: 200,000 columns of 20 characters
_A_LINE = 160  # bytes of its number, its list and the pair of both
_CHECKED = 1 << 14  # lines between two checks of their memory
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?", re.ASCII)


def lines_of(text: str, path: str) -> list[Line]:
    """The lines that are not empty; the header first."""
    first = text.lstrip("\r\n").partition("\n")[0]
    # R's write.table() writes spaces; otherwise a tie goes to the comma
    separator = " " if _SPACED.match(first) else max(_SEPARATORS, key=first.count)
    taken = 0  # characters of a row, which quotes can extend over many lines

    def each_line() -> Iterator[str]:  # a StringIO would hold the text again, with four bytes per character
        nonlocal taken
        for line in _LINE.finditer(text):
            taken += line.end() - line.start()
            if taken > _LONGEST_ROW:
                raise FileError(path, f"a row has more than {_LONGEST_ROW:,} characters", rows.line_num + 1)
            yield line[0]

    rows = csv.reader(each_line(), delimiter=separator, strict=True, skipinitialspace=True)
    lines: list[Line] = []
    needed = 0
    try:
        for row in rows:
            taken = 0
            if row:
                lines.append((rows.line_num, row))
                needed += _A_LINE + A_WORD * len(row)
                if len(lines) % _CHECKED == 0:
                    check_memory(needed, path)
        check_memory(needed + len(text), path)
    except csv.Error as error:
        raise FileError(path, f"is not valid CSV: {error}", rows.line_num) from None
    if not lines:
        raise FileError(path, "is empty")
    return lines


def quoted(cell: str) -> str:
    """A cell, quoted where necessary."""
    return '"' + cell.replace('"', '""') + '"' if _QUOTED.search(cell) else cell


def number(cell: str) -> float | None:
    """The number in a cell."""
    return float(cell) if _NUMBER.fullmatch(cell.strip()) else None


def checked_pair(source: str, target: str, path: str, line: int) -> tuple[str, str]:
    """The two names of a line; the second is empty if the first is a variable without arcs."""
    if not source:
        raise FileError(path, "the name in 'from' is empty", line)
    if source == target:
        raise FileError(path, f"arc {source} -> {target}: a variable cannot be its own parent", line)
    return source, target
