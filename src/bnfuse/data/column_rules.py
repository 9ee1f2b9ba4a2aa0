"""What a column of a table is, judged by its values alone: states, numbers, or nothing that a network can use."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bnfuse.data.bins import Numbers, are_whole, shown_number
from bnfuse.data.columns import RawColumn, distinct
from bnfuse.data.data import MISSING, MOST_LABELS, as_people_sort, code_type
from bnfuse.graphs.network import Codes

MOST_NUMBERS = 10
"""different numbers that are states; more of them are cut into classes"""
MOST_STATES = 100
"""of a column that nobody asked to keep"""

_IDENTIFIER = re.compile(r"(?:.*[\W_])?(?:id|uuid|no|nr|key|index|row)|.*[a-z]I[Dd]|Unnamed: \d+", re.ASCII)


def why_no_variable(column: RawColumn, is_given: bool) -> str | None:
    """Why a column is no variable, or None if it is one; `is_given` if somebody has said that it is."""
    values = column.values
    if values < 2:
        return f"one value only, {_only_value(column)!r:.60}" if values else "missing values only"
    if is_given:
        return None
    if column.are_dates:
        return "dates or times"
    if holds_numbers(column):
        return "every row has its own number, as of an identifier" if _numbers_rows(column) else None
    return _why_no_states(column, values)


def _why_no_states(column: RawColumn, values: int) -> str | None:
    if values > MOST_LABELS:
        return f"more than {MOST_LABELS:,} different values, as of names or free text"
    filled = int((~column.is_missing).sum())
    if values > MOST_STATES or (values > MOST_NUMBERS and 2 * values > filled):
        return f"{values:,} different values in {filled:,} rows, as of names or free text"
    return None


def holds_numbers(column: RawColumn) -> bool:
    """Whether all values are numbers."""
    return column.odd is None and (column.label_numbers is not None or column.row_numbers is not None)


def is_mixed(column: RawColumn) -> bool:
    """Whether a column would be cut, were it not for some values that are no numbers."""
    if column.odd is None:
        return False
    return column.label_numbers is None or distinct(column.label_numbers) > MOST_NUMBERS


def in_order(
    column: RawColumn, rows: npt.NDArray[np.bool_], declared: Sequence[str] | None
) -> tuple[tuple[str, ...], Codes]:
    """The states of a column and the codes of some of its rows.

    The states are the declared ones, or the labels that occur, sorted as a person would; labels that are the same
    number are one.
    """
    assert column.labels is not None
    assert column.codes is not None
    codes = column.codes[rows]
    used = [column.labels[code] for code in np.unique(codes[codes != MISSING])]
    name_of = dict(zip(column.labels, column.labels, strict=True))
    if column.label_numbers is not None and column.odd is None:
        name_of = _one_label_per_number(column.labels, column.label_numbers)
    states = tuple(declared or sorted({name_of[label] for label in used}, key=as_people_sort))
    number = {label: i for i, label in enumerate(states)}
    places = [number.get(name_of[label], MISSING) for label in column.labels]
    found: Codes = np.array([*places, MISSING], code_type(len(states)))[codes]  # code -1 is the last
    return states, found


def _one_label_per_number(labels: Sequence[str], numbers: Numbers) -> dict[str, str]:
    """For each label the shortest that is the same number: 1 for 1.0."""
    shortest: dict[float, str] = {}
    for label, number in sorted(zip(labels, numbers.tolist(), strict=False), key=lambda pair: (len(pair[0]), pair[0])):
        shortest.setdefault(number, label)
    return {label: shortest[number] for label, number in zip(labels, numbers.tolist(), strict=False)}


def _numbers_rows(column: RawColumn) -> bool:
    """Whether whole numbers tell rows apart: all differ, and they grow, leave no gap or are called an id."""
    numbers = column.numbers
    assert numbers is not None
    numbers = numbers[~np.isnan(numbers)]
    if len(numbers) <= MOST_NUMBERS or not are_whole(numbers) or distinct(numbers) < len(numbers):
        return False
    grow = bool((np.diff(numbers) > 0).all())
    no_gap = numbers.max() - numbers.min() == len(numbers) - 1
    return grow or bool(no_gap) or _IDENTIFIER.fullmatch(column.name) is not None


def _only_value(column: RawColumn) -> str:
    if column.labels is None:
        assert column.row_numbers is not None
        return shown_number(float(np.nanmin(column.row_numbers)))
    assert column.codes is not None
    return column.labels[int(column.codes.max())]
