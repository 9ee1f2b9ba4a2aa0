"""How commands print: tables for people, JSON for programs, notes on standard error."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, TextIO, TypeAlias

import typer

from bnfuse._base.texts import isolated, shown_number
from bnfuse.commands._table import drawn, folded

Files = Annotated[
    list[Path],
    typer.Argument(
        metavar="FILE",
        help="Networks: BIF, XMLBIF, NET, DSL, XDSL, UAI, DAGitty, Tetrad, R model strings, CSV edge lists and "
        "matrices, ensembles and Gaussian networks (JSON); each also as .gz; a folder of them; or - for the standard "
        "input.",
        show_default=False,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
Force = Annotated[bool, typer.Option("--force", help="Replace any existing file, even an input.")]

Cell: TypeAlias = str | int | float | None
"""A cell that shows None as a dash."""

INTERRUPTED = 130
"""the exit code after Ctrl-C"""

SILENT_SECONDS = 10.0
"""what takes less time gets no line about its progress"""
LINE_SECONDS = 5.0
"""the time between two such lines"""

_PAUSE_SHARE = 0.05  # of the time so far: a run of an hour prints a line every three minutes
_NOTHING = "-"
_NUMBER = re.compile(r"(?:under |over )?\d|-$")
_UNITS = ("bytes", "KB", "MB", "GB", "TB", "PB", "EB")


def examples(*commands: str) -> str:
    """The end of a command's help: shell commands to run in the root of the repository, line by line.

    The first character keeps the line breaks.
    """
    return "\n".join(("\b", "Examples:", *(f"  {command}" for command in commands)))


def say(text: str = "") -> None:
    """A line for people on standard output; on a terminal, broken between words."""
    print(_lines(text, sys.stdout))


def note(text: str) -> None:
    """A line on standard error: it disturbs neither tables nor JSON."""
    print(_lines(f"note: {text}", sys.stderr), file=sys.stderr)


def complain(text: str) -> None:
    """The one line that says why a command failed."""
    print(isolated(f"bnfuse: {_printable(text)}"), file=sys.stderr)


JSON_VERSION = 1
"""of the output of all commands: it grows when a key disappears or changes its meaning, not when one is added"""


def print_json(command: str, facts: Mapping[str, Any]) -> None:
    """The JSON output of a command: docs/reference/json.md describes the keys."""
    with _numbers_of_any_length():  # the cost of inference may have thousands of digits
        text = json.dumps({"kind": command, "version": JSON_VERSION, **facts}, indent=2, ensure_ascii=False)
    print("\n".join(_UNPRINTABLE.sub(_json_escape, line) for line in text.split("\n")))


@contextlib.contextmanager
def _numbers_of_any_length() -> Iterator[None]:
    """Lift Python's limit on digits for a moment: it protects readers from spending minutes on a number in a file."""
    most = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(most)


def print_content(text: str) -> None:
    """The content of a file on standard output: unchanged, except that a terminal gets no control characters."""
    shown = "\n".join(map(_printable, text.split("\n"))) if sys.stdout.isatty() else text
    sys.stdout.write(shown)


def print_trace(text: str) -> None:
    """Where a bug occurred."""
    print("\n".join(map(_printable, text.splitlines())), file=sys.stderr)


def print_table(headers: Sequence[str], rows: Sequence[Sequence[Cell]]) -> None:
    """A table: on a terminal as wide as the terminal; elsewhere aligned columns with one line per row, however long."""
    headers = [_printable(header) for header in headers]
    shown = [[_shown(cell) for cell in row] for row in rows]
    numeric = [all(_NUMBER.match(row[i]) for row in shown) for i in range(len(headers))]
    from rich.cells import cell_len  # noqa: PLC0415 - keeps the start fast

    lines = [list(headers), *shown]
    widths = [max(cell_len(line[i]) for line in lines) for i in range(len(headers))]
    if sys.stdout.isatty():
        _print_drawn(headers, shown, numeric)
        return
    for line in lines:
        pads = [" " * (width - cell_len(cell)) for cell, width in zip(line, widths, strict=True)]
        cells = (pad + cell if right else cell + pad for cell, pad, right in zip(line, pads, numeric, strict=True))
        print(isolated("  ".join(cells).rstrip()))


def print_facts(facts: Mapping[str, Cell]) -> None:
    """Names and values, one per line."""
    width = max(map(len, facts))
    for name, value in facts.items():
        print(isolated(f"  {name:{width}}  {_shown(value)}"))


@contextlib.contextmanager
def working(what: str) -> Iterator[None]:
    """Shows that something takes time."""
    if not sys.stderr.isatty():
        with reporting(what):
            yield
        return
    from rich.console import Console  # noqa: PLC0415 - keeps the start fast

    with Console(stderr=True, markup=False).status(isolated(f"{_printable(what)} ...")):
        yield


@contextlib.contextmanager
def reporting(what: str) -> Iterator[Callable[[str], None]]:
    """Without a terminal: a line every few seconds, once something takes long.

    A caller with more to report than the number of steps passes it to the function: the next line shows the last value.
    """
    started, is_done, last = time.monotonic(), threading.Event(), [""]

    def report() -> None:
        pause = SILENT_SECONDS
        while not is_done.wait(pause):
            seconds = time.monotonic() - started
            detail = f": {last[0]}" if last[0] else ""
            note(f"{what.removesuffix(' ...')}, {seconds:.0f} s{detail}")
            pause = max(LINE_SECONDS, seconds * _PAUSE_SHARE)

    def tell(detail: str) -> None:
        last[0] = detail

    reporter = threading.Thread(target=report, daemon=True)
    reporter.start()
    try:
        yield tell
    finally:
        is_done.set()
        reporter.join()


def as_bytes(number: int) -> str:
    """A number of bytes for people."""
    power = min(max(number.bit_length() - 1, 0) // 10, len(_UNITS) - 1)
    if number >> 10 * power >= 10_000:
        return f"{Decimal(number):.1e} bytes"
    return f"{number} bytes" if power == 0 else f"{number / (1 << 10 * power):.1f} {_UNITS[power]}"


def _width() -> int:
    """The width of the terminal: rich takes a dumb one to be 80 columns wide, whatever $COLUMNS is."""
    return shutil.get_terminal_size().columns


def _lines(text: str, stream: TextIO) -> str:
    """Isolated last: names must not reorder a line, and a line break would end the isolation."""
    text = _printable(text)
    return "\n".join(map(isolated, folded(text, _width()))) if stream.isatty() else isolated(text)


def _print_drawn(headers: Sequence[str], rows: list[list[str]], numeric: list[bool]) -> None:
    from rich.console import Console  # noqa: PLC0415 - keeps the start fast
    from rich.text import Text  # noqa: PLC0415

    console = Console(highlight=False)
    table = drawn(headers, rows, numeric, _width())
    for line in table.header:
        console.print(Text(isolated(line), "bold"), soft_wrap=True)  # as Text, a name with brackets is not markup
    for line in table.body:
        console.print(Text(isolated(line)), soft_wrap=True)


def _shown(cell: Cell) -> str:
    if cell is None:
        return _NOTHING
    if isinstance(cell, float):
        return f"{cell:,.2f}"
    return _printable(cell) if isinstance(cell, str) else shown_number(cell)


def _printable(text: str) -> str:
    """Names come from files: a line break or a terminal's control character in one must stay harmless."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


_UNPRINTABLE = re.compile(r"[^ -~]")  # each examined separately


def _json_escape(found: re.Match[str]) -> str:
    """The same character in a JSON text, as an escape where it is not printable."""
    return found[0] if found[0].isprintable() else json.dumps(found[0])[1:-1]
