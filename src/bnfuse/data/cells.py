"""The meaning of a cell's text: a number (1.5, 1,5, $12,000, 42 %), a date, or a missing value.

The number format of a column is determined from all of its labels together: a comma alone may come before decimals or
between thousands. Few labels mean a missing value by default, as any of them may be the name of a state.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from bnfuse._base.options import option_name
from bnfuse.data.bins import shown_number

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
_TIME = r"\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?[ap]\.?m\.?)?"
_DATE = re.compile(
    r"(?:(?:[a-z]{3,9},? )?(?:"  # a weekday
    r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|"
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d\d)|\d{4}-(?:0[1-9]|1[0-2])"
    rf"|\d{{1,2}}(?:st|nd|rd|th|\.)?[-/ ]?{_MONTH}[-/ ,]{{0,2}}(?:\d{{4}}|\d\d)"
    rf"|{_MONTH}[-/ ]?\d{{1,2}}(?:st|nd|rd|th)?,? ?\d{{4}}|{_MONTH}[-/ ]\d{{4}}|\d{{4}}[-/ ]{_MONTH}(?:[-/ ]\d{{1,2}})?"
    rf"|-?\d+ days?,?)(?:[T ]{_TIME})?(?: ?(?:Z|UTC|[-+]\d\d:?\d\d))?"
    rf"|{_TIME})",
    re.ASCII | re.IGNORECASE,
)
_TOO_MANY_DIGITS = re.compile(r"[-+]?\d{16,}", re.ASCII)
_MINUS = "−"  # as word processors and statistical tables write it
_DECIMAL_COMMA = re.compile(rf"[-+{_MINUS}]?\d+,\d+", re.ASCII)
_PERHAPS_THOUSANDS = re.compile(rf"[-+{_MINUS}]?[1-9]\d{{0,2}},\d{{3}}", re.ASCII)
_CODE = re.compile(r"[-+]?0\d.*", re.ASCII)  # 007
_CURRENCIES = r"US\$|[$€£¥₹₽₩]|USD|EUR|GBP|CHF|JPY|CNY|INR|CAD|AUD|SEK|NOK|DKK|PLN|BRL|Rs\.?"
_DRESSED = re.compile(
    rf"(?P<open>\()?(?P<sign>[-+{_MINUS}]?) ?(?P<before>{_CURRENCIES})? ?(?P<sign_after>[-+{_MINUS}]?)"
    rf"(?P<digits>[\d.,'’ \u00a0\u202f]*\d) ?(?P<after>%|{_CURRENCIES})?(?(open)\))"
)
_POINT = re.compile(
    r"\d{1,3}(?:(?P<between>[,'’ \u00a0\u202f])\d{3})(?:(?P=between)\d{3})*(?:\.\d+)?|\d*\.?\d+", re.ASCII
)
_COMMA = re.compile(
    r"\d{1,3}(?:(?P<between>[.'’ \u00a0\u202f])\d{3})(?:(?P=between)\d{3})*(?:,\d+)?|\d+(?:,\d+)?", re.ASCII
)


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """How labels are read as numbers."""

    read: Callable[[str], float]
    """NaN if a label is not a number"""
    note: str = ""
    """the note on a column with such numbers; the column's name follows"""


def is_date(label: str) -> bool:
    """Whether a label is a date, a time or a duration in days."""
    return _DATE.fullmatch(label) is not None


def plain_number(label: str) -> float:
    """The finite number that a label is, or NaN. More digits than a float can hold are those of an identifier."""
    try:
        number = float(label.replace(_MINUS, "-"))
    except ValueError:
        return math.nan
    is_number = math.isfinite(number) and "_" not in label and not _TOO_MANY_DIGITS.fullmatch(label)
    return number if is_number else math.nan


PLAIN = NumberFormat(plain_number)


def state_name(label: str) -> str:
    """The name of the state for a label: for a number, its shortest form (1 for 1.0), unless it begins with zeros."""
    number = plain_number(label)
    return label if math.isnan(number) or _CODE.fullmatch(label) else shown_number(number)


def _comma_number(label: str) -> float:
    """The same if a comma comes before the decimals."""
    return plain_number(label.replace(",", ".") if _DECIMAL_COMMA.fullmatch(label) else label)


_DECIMAL = NumberFormat(_comma_number, "read the comma as the decimal point in")


def number_format(labels: Sequence[str]) -> NumberFormat | None:
    """How to read labels as numbers; None if most are not numbers."""
    with_comma = [label for label in labels if _DECIMAL_COMMA.fullmatch(label)]
    may_be_thousands = all(map(_PERHAPS_THOUSANDS.fullmatch, with_comma))  # also without a comma
    if not may_be_thousands and not _not_numbers(labels, _comma_number):
        return _DECIMAL
    found, none = PLAIN, _not_numbers(labels, plain_number)
    for other in _dressed_formats(labels) if none else ():
        if (fewer := _not_numbers(labels, other.read)) < none:
            found, none = other, fewer
    return found if 2 * none <= len(labels) and len(labels) > none else None


def _not_numbers(labels: Sequence[str], read: Callable[[str], float]) -> int:
    return sum(map(math.isnan, map(read, labels)))


def _dressed_formats(labels: Sequence[str]) -> list[NumberFormat]:
    """Ways to read numbers with a sign for money or percent, or with separators between thousands.

    None if some have one currency and some another, or only some are percentages: these are not the same quantity.
    """
    dressed = [match for label in labels if (match := _DRESSED.fullmatch(label))]
    signs = {sign for match in dressed for sign in match.group("before", "after") if sign}
    percent = sum(match["after"] == "%" for match in dressed)
    if len(signs) > 1 or percent not in (0, len(dressed)):
        return []
    note = f"removed the sign {signs.pop()} in" if signs else "removed the thousands separators from the numbers in"
    return [NumberFormat(_Dressed(shape, decimal), note) for shape, decimal in ((_POINT, "."), (_COMMA, ","))]


@dataclass(frozen=True, slots=True)
class _Dressed:
    shape: re.Pattern[str]
    decimal: str

    def __call__(self, label: str) -> float:
        match = _DRESSED.fullmatch(label)
        if match is None or not self.shape.fullmatch(match["digits"]) or (match["sign"] and match["sign_after"]):
            return plain_number(label)
        kept = "".join(one for one in match["digits"] if one.isdigit() or one == self.decimal)
        is_negative = match["open"] or not {"-", _MINUS}.isdisjoint((match["sign"], match["sign_after"]))
        number = plain_number(kept.replace(self.decimal, "."))
        return -number if is_negative else number


GROUPED = NumberFormat(_Dressed(_POINT, "."))
"""numbers with or without a comma between thousands"""

# Missing values

DEFAULT_LABELS = ("NA", "N/A", "#N/A", "<NA>", "NaN", "nan", "NaT", "NULL", "null", "?")


@dataclass(frozen=True, slots=True)
class MissingLabels:
    """Labels that mean a missing value; a number means it in any notation."""

    labels: tuple[str, ...]
    empty: bool = True
    """whether a cell without text means it too"""
    numbers: Mapping[float, str] = field(default_factory=dict)

    @classmethod
    def of(cls, na: Iterable[str] | None, is_declared: bool = False) -> MissingLabels:
        """The requested labels, or the default, which excludes declared states."""
        if na is None:
            return cls(()) if is_declared else cls(DEFAULT_LABELS)
        labels = tuple(dict.fromkeys(label.strip() for label in na if label.strip()))
        numbers = {number: label for label in labels if (number := plain_number(label)) == number}
        return cls(labels, numbers=numbers)

    def meant_by(self, label: str) -> str | None:
        """The missing-value label that a label matches."""
        if label in self.labels:
            return label
        return self.numbers.get(plain_number(label)) if self.numbers else None


def taken_note(taken: Mapping[str, int]) -> tuple[str, ...]:
    """A note on the labels that were taken as missing, with their frequencies."""
    if not taken:
        return ()
    named = ", ".join(f"{label!r} ({times:,})" for label, times in taken.items())
    return (f"taken as missing: {named}; {option_name('na')} sets the labels that are",)
