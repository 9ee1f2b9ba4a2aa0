"""The kind of a column, judged by its values alone: states, numbers, or nothing that a network can use."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bnfuse.data.bins import Numbers, are_whole, shown_number
from bnfuse.data.cells import PLAIN, state_name
from bnfuse.data.columns import RawColumn, distinct
from bnfuse.data.data import MISSING, MOST_LABELS, code_type
from bnfuse.data.label_order import in_people_order
from bnfuse.data.weights import Weights
from bnfuse.graphs.network import Codes

MOST_NUMBERS = 10
"""up to this number, different numbers are states; more of them are cut into classes"""
MOST_STATES = 100
"""in a column that nobody asked to keep"""

_NAMES_SUBJECTS = re.compile(
    r"(?:.*[\W_])?(?:(?:pat|subj|case|cust|user|pers|resp|client|emp|stud|rec|row|obs|samp|hh|acct|fam|school)?_?ids?"
    r"|identifier|uuid|guid|mrn|ssn|pid|sid|uid|subj(?:ect)?|patient|participant|person|respondent|customer|client|user"
    r"|student|pupil)",
    re.ASCII | re.IGNORECASE,
)
_ENDS_IN_ID = re.compile(r".*[a-z]I[Dd]", re.ASCII)
_NUMBERS_ROWS = re.compile(
    r"(?:.*[\W_])?(?:no|nr|num|number|key|index|idx|rows?|rownames?|obs|observation|case|record|serial|seq|sequence"
    r"|sample|specimen|(?:doc|seq|case|reg|pat|rec|cust|order|acct)no)|Unnamed: \d+",
    re.ASCII | re.IGNORECASE,
)
_COUNTS = re.compile(r"(?:.*[\W_])?(?:freq|frequency|frequencies|counts?)", re.ASCII | re.IGNORECASE)
_PERHAPS_COUNTS = re.compile(r"n|weights?|wt|number|cases|people|persons|total", re.ASCII | re.IGNORECASE)
_NINES = re.compile(r"-?9+")

REPEATED_ID = "an identifier whose values repeat"


def why_no_variable(column: RawColumn, is_given: bool, weights: Weights | None) -> str | None:
    """Why a column is not a variable, or None if it is one; `is_given` if the user has declared it as one."""
    values = column.values
    if values < 2:
        return f"one value only, {_only_value(column)!r:.60}" if values else "missing values only"
    if is_given:
        return None
    if column.are_dates:
        return "dates or times"
    if names_subjects(column):
        return REPEATED_ID
    if holds_numbers(column):
        is_identifier = weights is None and tells_rows_apart(column) and _is_called_or_counts(column)
        return "every row has a different number, as in an identifier" if is_identifier else None
    return _why_no_states(column, values, weights)


def _why_no_states(column: RawColumn, values: int, weights: Weights | None) -> str | None:
    if values > MOST_LABELS:
        return f"more than {MOST_LABELS:,} different values, as in names or free text"
    is_there = ~column.is_missing
    filled = is_there.sum() if weights is None else weights[is_there].sum()
    if values > MOST_STATES or (values > MOST_NUMBERS and 2 * values > filled):
        return f"{values:,} different values in {filled:,.0f} rows, as in names or free text"
    return None


def is_called_identifier(column: RawColumn) -> bool:
    """Whether a column has the name of an identifier of subjects."""
    return any(name.fullmatch(column.name) for name in (_NAMES_SUBJECTS, _ENDS_IN_ID))


def names_subjects(column: RawColumn) -> bool:
    """Whether a column, by its name and its many repeated values, identifies the subject of each row."""
    if not is_called_identifier(column):
        return False
    if column.codes is None and column.row_numbers is None:
        return False  # with more than a thousand names, nothing was kept; they may all differ
    if column.row_numbers is not None and not are_whole(column.row_numbers[~np.isnan(column.row_numbers)]):
        return False
    filled = int((~column.is_missing).sum())
    return column.values < filled and (column.values > MOST_NUMBERS or 2 * column.values >= filled > MOST_NUMBERS)


def looks_like_counts(columns: Sequence[RawColumn], place: int, is_cut: Sequence[bool]) -> bool:
    """Whether a column seems to be the frequency of the combination of the others, which no other row has.

    Judged by its name, or because every combination of the others occurs once.
    """
    column, others = columns[place], [one for i, one in enumerate(columns) if i != place]
    numbers = column.numbers if holds_numbers(column) else None
    if len(others) < 2 or numbers is None or np.isnan(numbers).any():
        return False
    if not are_whole(numbers) or (numbers < 0).any() or numbers.max() < 2:
        return False
    is_called = _COUNTS.fullmatch(column.name) is not None
    if any(cut for i, cut in enumerate(is_cut) if i != place) and not is_called:
        return False
    values = [one.codes if one.codes is not None else one.numbers for one in others]
    if any(one is None for one in values):
        return False
    rows = len(np.unique(np.stack([np.asarray(one, np.float64) for one in values], axis=1), axis=0))
    if rows < len(numbers):
        return False
    is_crossed = rows == np.prod([float(one.values) for one in others])
    return is_called or bool(is_crossed) or _PERHAPS_COUNTS.fullmatch(column.name) is not None


def perhaps_missing(column: RawColumn) -> str | None:
    """A number such as -999 or 99 that is farther from the others than they are from each other."""
    numbers = column.numbers if holds_numbers(column) and column.format is PLAIN else None
    if numbers is None:
        return None
    found = np.unique(numbers[~np.isnan(numbers)])
    if len(found) < 3:
        return None
    for number, others in ((found[0], found[1:]), (found[-1], found[:-1])):
        with np.errstate(over="ignore"):  # an infinite distance is not larger than another
            is_far = np.abs(others - number).min() > others[-1] - others[0]
        if is_far and _NINES.fullmatch(label := shown_number(float(number))):
            return label
    return None


def holds_numbers(column: RawColumn) -> bool:
    """Whether all values are numbers."""
    return column.odd is None and (column.label_numbers is not None or column.row_numbers is not None)


def is_mixed(column: RawColumn) -> bool:
    """Whether a column would be cut if a few of its values were numbers too."""
    if column.odd is None:
        return False
    return column.label_numbers is None or distinct(column.label_numbers) > MOST_NUMBERS


def in_order(
    column: RawColumn, rows: npt.NDArray[np.bool_], declared: Sequence[str] | None
) -> tuple[tuple[str, ...], Codes]:
    """The states of a column and the codes of some of its rows.

    The states are the declared ones, or the labels that occur, in natural order; labels for the same number are one
    state, with its shortest form.
    """
    assert column.labels is not None
    assert column.codes is not None
    codes = column.codes[rows]
    used = [column.labels[code] for code in np.unique(codes[codes != MISSING])]
    name_of = dict(zip(column.labels, column.labels, strict=True))
    number_of: dict[str, float] = {}
    if column.label_numbers is not None and column.odd is None:
        name_of = _one_label_per_number(column.labels, column.label_numbers)
        number_of = {name_of[label]: n for label, n in zip(column.labels, column.label_numbers.tolist(), strict=False)}
    names = {name_of[label] for label in used}
    states = tuple(declared or (sorted(names, key=number_of.__getitem__) if number_of else in_people_order(names)))
    number = {label: i for i, label in enumerate(states)}
    places = [number.get(name_of[label], MISSING) for label in column.labels]
    found: Codes = np.array([*places, MISSING], code_type(len(states)))[codes]  # code -1 is the last
    return states, found


def _one_label_per_number(labels: Sequence[str], numbers: Numbers) -> dict[str, str]:
    """For each label, the name of its number: 1 for 1.0, and the shortest form if it is written differently."""
    shortest: dict[float, str] = {}
    for label, number in sorted(zip(labels, numbers.tolist(), strict=False), key=lambda pair: (len(pair[0]), pair[0])):
        shortest.setdefault(number, state_name(label))
    return {label: shortest[number] for label, number in zip(labels, numbers.tolist(), strict=False)}


def tells_rows_apart(column: RawColumn) -> bool:
    """Whether a column holds whole numbers, more than a few, all different."""
    numbers = column.numbers if holds_numbers(column) else None
    if numbers is None:
        return False
    numbers = numbers[~np.isnan(numbers)]
    return len(numbers) > MOST_NUMBERS and are_whole(numbers) and distinct(numbers) == len(numbers)


def _is_called_or_counts(column: RawColumn) -> bool:
    """Whether the name is that of an identifier, or the numbers count the rows from 0 or 1, or down to it.

    Numbers that only increase may be sorted measurements, and 1 to n in another order are ranks.
    """
    numbers = column.numbers
    assert numbers is not None
    counts = any(
        np.array_equal(way, np.arange(first, first + len(numbers)))
        for way in (numbers, numbers[::-1])
        for first in (0, 1)
    )
    return counts or is_called_identifier(column) or _NUMBERS_ROWS.fullmatch(column.name) is not None


def grows(column: RawColumn) -> bool:
    """Whether the numbers of a column increase from row to row."""
    numbers = column.numbers
    assert numbers is not None
    return bool((np.diff(numbers[~np.isnan(numbers)]) > 0).all())


def _only_value(column: RawColumn) -> str:
    if column.labels is None:
        assert column.row_numbers is not None
        return shown_number(float(np.nanmin(column.row_numbers)))
    assert column.codes is not None
    return column.labels[int(column.codes.max())]
