"""Tables and sentences that fit a terminal.

In a table, headers are broken between words first, then cells; finally, each row becomes a block of lines. Only a word
that takes more than half of the terminal is itself broken.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_GAP = "  "


@dataclass(frozen=True, slots=True)
class Drawn:
    """The lines of a table; the first of them are its header."""

    header: tuple[str, ...]
    body: tuple[str, ...]


def drawn(headers: Sequence[str], rows: Sequence[Sequence[str]], numeric: Sequence[bool], width: int) -> Drawn:
    """A table of printable text for a terminal of this width. Numbers are aligned right and never broken."""
    widths = _fitting(headers, rows, numeric, width)
    if widths is None:
        return Drawn((), tuple(line for row in rows for line in _block(headers, row, width)))
    lines = _lines(headers, widths, numeric, at_bottom=True)
    rule = "─" * (sum(widths) + len(_GAP) * (len(widths) - 1))
    body = [line for row in rows for line in _lines(row, widths, numeric)]
    return Drawn(tuple(lines), (rule, *body))


def folded(text: str, width: int) -> list[str]:
    """A sentence in lines of this width, indented like the sentence itself; a word longer than a line stays whole."""
    indent = text[: len(text) - len(text.lstrip(" "))]
    lines: list[str] = []
    for word in re.split(" (?!%)", text.strip(" ")):
        if lines and _length(f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(indent + word)
    return lines


def _fitting(
    headers: Sequence[str], rows: Sequence[Sequence[str]], numeric: Sequence[bool], width: int
) -> list[int] | None:
    """The width of each column; None if they cannot be narrow enough."""
    cells = [max((_length(row[i]) for row in rows), default=0) for i in range(len(headers))]
    widths = [max(_length(header), cell) for header, cell in zip(headers, cells, strict=True)]
    least = [max(_longest_word(header), cell) for header, cell in zip(headers, cells, strict=True)]
    _shrink(widths, least, width)
    words = [min(max((_longest_word(row[i]) for row in rows), default=0), width // 2) for i in range(len(headers))]
    names = [
        low if right else max(_longest_word(header), word)
        for header, word, low, right in zip(headers, words, least, numeric, strict=True)
    ]
    _shrink(widths, names, width)
    if _total(widths) > width:
        return None
    needed = [max(map(_length, _wrapped(header, own))) for header, own in zip(headers, widths, strict=True)]
    return [min(own, max(pair)) for own, pair in zip(widths, zip(needed, cells, strict=True), strict=True)]


def _shrink(widths: list[int], least: Sequence[int], width: int) -> None:
    """Make the columns narrower, the widest first, until they fit or are as narrow as they can be."""
    while _total(widths) > width:
        wide = [i for i in range(len(widths)) if widths[i] > least[i]]
        if not wide:
            return
        widths[max(wide, key=lambda i: widths[i])] -= 1


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + len(_GAP) * (len(widths) - 1)


def _lines(row: Sequence[str], widths: Sequence[int], numeric: Sequence[bool], at_bottom: bool = False) -> list[str]:
    """The lines of one row."""
    cells = [_wrapped(cell, width) for cell, width in zip(row, widths, strict=True)]
    height = max(map(len, cells))
    padded = [
        [""] * (height - len(lines)) + lines if at_bottom else lines + [""] * (height - len(lines)) for lines in cells
    ]
    return [
        _GAP.join(
            _aligned(text, width, right) for text, width, right in zip(line, widths, numeric, strict=True)
        ).rstrip()
        for line in zip(*padded, strict=True)
    ]


def _block(headers: Sequence[str], row: Sequence[str], width: int) -> list[str]:
    """A row as separate lines: its name, then the other columns."""
    label = max(map(_length, headers))
    lines = _wrapped(f"{headers[0]} {row[0]}".strip(), width)
    for header, cell in zip(headers[1:], row[1:], strict=True):
        lines += _wrapped(f"  {header}{' ' * (label - _length(header))}  {cell}", width)
    return lines


def _aligned(text: str, width: int, right: bool) -> str:
    pad = " " * (width - _length(text))
    return pad + text if right else text + pad


def _wrapped(text: str, width: int) -> list[str]:
    """The text in lines of at most this width: broken between words if possible, otherwise anywhere."""
    lines: list[str] = []
    rest = text
    while _length(rest) > width:
        taken = 0
        for i in range(1, len(rest) + 1):
            if _length(rest[:i]) > max(width, 1):
                break
            taken = i
        taken = max(taken, 1)
        space = rest.rfind(" ", 1, taken + 1)
        if space > 0 and rest[:space].strip():
            lines.append(rest[:space].rstrip())
            rest = rest[space:].lstrip()
        else:
            lines.append(rest[:taken])
            rest = rest[taken:]
    return [*lines, rest]


def _longest_word(text: str) -> int:
    return max(map(_length, text.split()), default=0)


def _length(text: str) -> int:
    from rich.cells import cell_len  # noqa: PLC0415 - keeps the start fast

    return cell_len(text)
