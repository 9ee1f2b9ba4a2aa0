"""The table of an alignment as CSV: one row for each variable and state to rename, for people with a spreadsheet."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bnfuse._base import disk
from bnfuse._base.texts import listed
from bnfuse.errors import FileError

EVERY = "*"
"""The network of a row that applies to all of them."""
CHECK = "check: "
"""The beginning of the reason of a row that needs a check."""

COLUMNS = ("network", "variable", "name", "state", "becomes", "why")
_NEEDED = ("variable", "name")
_SPECIAL = re.compile(r"[,;\t\r\n\"]")
_DELIMITERS = (",", ";", "\t")  # the separators that spreadsheets write in different countries


@dataclass(frozen=True, slots=True)
class AlignmentRow:
    """The new name of a variable of a network or, with `state`, the new label of one of its states."""

    network: str
    variable: str
    name: str = ""
    state: str = ""
    becomes: str = ""
    why: str = ""
    confidence: float = field(default=1.0, compare=False)
    """From 0 to 1, as `align` proposed it; a file does not keep it."""
    line: int | None = field(default=None, compare=False, repr=False)
    """Its line in a file."""

    @property
    def check(self) -> bool:
        """Whether the row needs a check."""
        return self.why.startswith(CHECK)

    @property
    def changes(self) -> bool:
        """Whether it renames anything."""
        return self.becomes != self.state if self.state else self.name != self.variable


def table_text(rows: Iterable[AlignmentRow]) -> str:
    """The table as the text of a CSV file."""
    lines = [COLUMNS, *([getattr(row, column) for column in COLUMNS] for row in rows)]
    return "".join(f"{','.join(map(_cell, cells))}\n" for cells in lines)


def check_table(path: Path, overwrite: bool = False) -> None:
    """Refuse a path that cannot be written, and any existing file: somebody may have edited that table."""
    disk.check_new(path, overwrite)


def write_table(rows: Iterable[AlignmentRow], path: Path, overwrite: bool = False) -> None:
    """Write the table; gzipped if the name ends in .gz."""
    check_table(path, overwrite)
    try:
        content = table_text(rows).encode()
    except UnicodeEncodeError as error:
        raise FileError(path, f"{error.object[error.start]!a} in a name is not valid Unicode text") from None
    disk.write_bytes(disk.gzipped(content) if path.suffix.lower() == ".gz" else content, path)


def read_table(path: Path) -> list[AlignmentRow]:
    """The rows of a table with their lines; columns may have any order, and other columns are ignored."""
    try:
        text = disk.read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FileError(path, "is not text in UTF-8") from None
    if "\0" in text:
        raise FileError(path, "is a binary file, not a table of names")
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    rows: list[AlignmentRow] = []
    columns: list[str] | None = None
    try:
        for cells in lines:
            if not any(cell.strip() for cell in cells):
                continue
            if columns is None:
                columns = _columns(cells, path, lines.line_num)
            else:
                rows.append(_row(cells, columns, path, lines.line_num))
    except csv.Error as error:
        raise FileError(path, f"is not CSV: {error}", lines.line_num) from None
    if columns is None:
        raise FileError(path, "is empty; bnfuse align writes such a table")
    return rows


def _cell(text: str) -> str:
    r"""A cell, quoted where necessary: csv.writer leaves a lone \r unquoted, which no reader accepts."""
    return '"' + text.replace('"', '""') + '"' if _SPECIAL.search(text) else text


def _columns(cells: Sequence[str], path: Path, line: int) -> list[str]:
    columns = [cell.strip().lower() for cell in cells]
    if lacking := [name for name in _NEEDED if name not in columns]:
        raise FileError(path, f"is not a table of names: it lacks the column {listed(lacking)}", line)
    if twice := [name for name in COLUMNS if columns.count(name) > 1]:
        raise FileError(path, f"has the column {twice[0]!r} twice", line)
    if ("state" in columns) != ("becomes" in columns):
        raise FileError(path, "the columns 'state' and 'becomes' need each other", line)
    return columns


def _row(cells: Sequence[str], columns: Sequence[str], path: Path, line: int) -> AlignmentRow:
    if any(cell.strip() for cell in cells[len(columns) :]):
        raise FileError(path, f"{len(cells)} cells for {len(columns)} columns; quote a name that has a comma", line)
    known = dict(zip(columns, cells, strict=False))
    network, variable, name, state, becomes, why = (known.get(column, "") for column in COLUMNS)
    return AlignmentRow(network or EVERY, variable, name, state, becomes, why, line=line)


def _delimiter(text: str) -> str:
    first = text.lstrip("\r\n").partition("\n")[0]
    return max(_DELIMITERS, key=first.count)  # a comma if there is none
