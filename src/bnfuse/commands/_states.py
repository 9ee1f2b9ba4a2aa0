"""The states of variables in a separate file: for structures and tallies, which have none."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

from bnfuse._base import disk
from bnfuse.errors import FileError
from bnfuse.problem.inputs import StatesLike

STATES_HELP = (
    'How many states variables have, or which: a JSON file, such as {"Age": 3, "Cough": ["yes", "no"]}, or CSV with '
    "lines such as Age,3 and Cough,yes,no."
)
_EXPECTED = 'must be like {"Age": 3, "Cough": ["yes", "no"]}, or have lines such as Age,3 and Cough,yes,no'
_HEADER = ["variable", "states"]


def states_of(path: Path) -> StatesLike:
    """The states in a file, by variable: a number, or labels."""
    try:
        text = disk.read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FileError(path, "is not text in UTF-8") from None
    return _from_json(text, path) if text.lstrip()[:1] in ("{", "[") else _from_csv(text, path)


def _from_json(text: str, path: Path) -> StatesLike:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        for name in (names := [name for name, _ in pairs]):
            if names.count(name) > 1:
                raise FileError(path, f"has the variable {name!r} twice")
        return dict(pairs)

    try:
        states = json.loads(text, object_pairs_hook=once)
    except json.JSONDecodeError as error:
        raise FileError(path, f"is not valid JSON: {error.msg}", error.lineno, error.colno) from None
    except (ValueError, RecursionError):
        raise FileError(path, "is not valid JSON") from None
    if not isinstance(states, dict) or not all(isinstance(own, int | list) for own in states.values()):
        raise FileError(path, _EXPECTED)
    return states


def _from_csv(text: str, path: Path) -> StatesLike:
    states: dict[str, int | list[str]] = {}
    rows = csv.reader(io.StringIO(text), skipinitialspace=True)
    try:
        for row in rows:
            name, *labels = (cell.strip() for cell in row) if row else ("",)
            if not any((name, *labels)) or (not states and [name, *labels] == _HEADER):
                continue
            if not name or not labels:
                raise FileError(path, _EXPECTED, rows.line_num)
            if name in states:
                raise FileError(path, f"has the variable {name!r} twice", rows.line_num)
            is_number = len(labels) == 1 and labels[0].isascii() and labels[0].isdigit() and len(labels[0]) < 20
            states[name] = int(labels[0]) if is_number else labels
    except csv.Error:
        raise FileError(path, _EXPECTED, rows.line_num) from None
    return states
