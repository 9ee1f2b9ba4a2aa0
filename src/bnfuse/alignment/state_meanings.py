"""The meaning of state labels, whatever their spelling: numbers, intervals, yes and no, and positions on a scale."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from bnfuse._base.spelling import letters, number_of

Keys = list[Hashable | None]
"""The meaning of each label; None if it has none of this kind."""

_YES, _NO = (
    frozenset(words.split())
    for words in (
        "yes y true t present positive pos + +ve on some any ever ja oui si",
        "no n false f absent negative neg - -ve off none nil never nein non",
    )
)
_DIGITS = {Decimal(1): True, Decimal(0): False}

# From the lowest position to the highest; labels on the same position mean the same.
_SCALES = tuple(
    tuple(frozenset(place.split()) for place in scale.split("|"))
    for scale in (
        "none no nil absent never zero | minimal trace verylow verysmall verymild | low lo lower small little few mild "
        "light minor slight weak decreased reduced lowered | medium med moderate mod middle mid intermediate normal "
        "average | high hi higher large big many much heavy severe major strong increased raised elevated | veryhigh "
        "verylarge verysevere veryheavy extreme critical",
        "never | rarely rare seldom | sometimes occasionally occasional | often frequently frequent | always",
        "verybad verypoor terrible | bad poor | fair acceptable satisfactory | good | verygood | excellent",
        "young younger | middleaged | old older elderly",
        "worse worsened | same unchanged stable | better improved",
        "decreasing falling | stable constant steady | increasing rising",
        "cold | cool | warm | hot",
        "slow | fast",
        "short | long tall",
        "thin | thick",
        "narrow | wide",
        "early | late",
    )
)
_AMBIGUOUS = frozenset({"normal", "average"})  # the middle of a scale only if there is a label below it

_NUMBER = r"(-?\d+(?:\.\d+)?)"
_UNIT = r"(?:\s*(?:%|y|yr|yrs|years?))?"
_BELOW = r"(<=?|=<|lt|le|less than|under|below|younger than|at most|up to)"
_ABOVE = r"(>=?|=>|gt|ge|greater than|more than|over|above|older than|at least|from)"
_ONE_SIDED = re.compile(rf"(?:{_BELOW}|{_ABOVE})\s*{_NUMBER}{_UNIT}")
_OPEN_ENDED = re.compile(
    rf"{_NUMBER}{_UNIT}\s*"
    r"(?:(\+|plus|(?:or|and) (?:more|over|above|older))|(?:or|and) (?:less|fewer|under|below|younger))"
)
_RANGE = re.compile(rf"(?:between\s+)?([\[(]?){_NUMBER}\s*(?:-|to|and|\.\.\.?|,|;)\s*{_NUMBER}{_UNIT}([\])]?)")
_CLOSED = {"<=", "=<", "le", "at most", "up to", ">=", "=>", "ge", "at least", "from"}
_SIGNS = str.maketrans(
    {"\u2264": "<=", "\u2265": ">=", "\u2013": "-", "\u2014": "-", "\u2212": "-", "\u2026": "..", "_": " "}
)
_INFINITY = Decimal("Infinity")


@dataclass(frozen=True, slots=True)
class Interval:
    """The numbers between two limits; whether the limits belong to it is None if a label does not say so."""

    low: Decimal
    high: Decimal
    has_low: bool | None = None
    has_high: bool | None = None

    @property
    def limits(self) -> tuple[Decimal, Decimal]:
        """The interval without the information whether its limits belong to it."""
        return self.low, self.high

    def may_be(self, other: Interval) -> bool:
        """Whether two labels can mean the same interval."""
        return self.limits == other.limits and all(
            mine is None or theirs is None or mine == theirs
            for mine, theirs in ((self.has_low, other.has_low), (self.has_high, other.has_high))
        )


def interval_of(label: str) -> Interval | None:
    """The interval that a label describes: <60, ge60, 60+, 60 or more, 18-65, [18,65)."""
    text = " ".join(label.translate(_SIGNS).casefold().split())
    if found := _ONE_SIDED.fullmatch(text):
        below, above, number = found.groups()
        limit, is_closed = Decimal(number), (below or above) in _CLOSED
        return Interval(-_INFINITY, limit, None, is_closed) if below else Interval(limit, _INFINITY, is_closed, None)
    if found := _OPEN_ENDED.fullmatch(text):
        limit = Decimal(found[1])
        return Interval(limit, _INFINITY, True, None) if found[2] else Interval(-_INFINITY, limit, None, True)
    if (found := _RANGE.fullmatch(text)) and Decimal(found[2]) <= Decimal(found[3]):
        has_low, has_high = (
            {"": None, "[": True, "]": True, "(": False, ")": False}[bracket] for bracket in found.group(1, 4)
        )
        return Interval(Decimal(found[2]), Decimal(found[3]), has_low, has_high)
    return None


def numbers_of(labels: Sequence[str]) -> Keys:
    """The numbers that labels stand for: 0 and 0.0 are the same."""
    return _distinct([number_of(label) for label in labels])


def limits_of(labels: Sequence[str]) -> Keys:
    """The limits of the intervals that labels describe."""
    found = [interval_of(label) for label in labels]
    return _distinct([None if one is None else one.limits for one in found])


def answers_of(labels: Sequence[str]) -> Keys:
    """Yes and no in any wording, if labels have both; 1 and 0 only if there is nothing else."""
    digits = [_DIGITS.get(number) if (number := number_of(label)) is not None else None for label in labels]
    if len(labels) == len(_DIGITS) and {*digits} == {True, False}:
        return [*digits]
    texts = [plain(label) for label in labels]
    found = [True if text in _YES else False if text in _NO else None for text in texts]
    return _distinct(found) if {True, False} <= {*found} else [None] * len(labels)


def places_of(labels: Sequence[str]) -> Keys:
    """The positions of labels on the scale that contains most of them, at least two."""
    texts = [letters(label) for label in labels]
    found: Keys = [None] * len(labels)
    for number, scale in enumerate(_SCALES):
        ranks = [next((rank for rank, words in enumerate(scale) if text in words), None) for text in texts]
        lowest = min((rank for rank in ranks if rank is not None), default=0)
        for i, rank in enumerate(ranks):
            if texts[i] in _AMBIGUOUS and rank == lowest:
                ranks[i] = None
        if sum(rank is not None for rank in ranks) > max(1, sum(key is not None for key in found)):
            found = _distinct([None if rank is None else (number, rank) for rank in ranks])
    return found


@lru_cache(maxsize=1 << 10)
def meanings(labels: tuple[str, ...]) -> frozenset[Hashable]:
    """The meanings of labels, whatever their spelling: the same for yes and True, and for 1 if the other label is 0."""
    texts = [plain(label) for label in labels]
    found: list[Hashable] = [*texts] if len(set(texts)) == len(texts) else [*labels]
    for reading in (numbers_of, limits_of, places_of, answers_of):
        read = [
            own if key is None else (reading.__name__, key) for own, key in zip(found, reading(labels), strict=True)
        ]
        if len(set(read)) == len(read):
            found = read
    return frozenset(found)


def plain(label: str) -> str:
    """The letters of a label and the signs that distinguish < 5 from > 5, and -1 from 1."""
    text = label.strip().strip("()").translate(_SIGNS)
    minus = "-" if text.startswith("-") else ""
    signs = "".join(char for char in text if char in "<>=+")
    return minus + signs + letters(label) or label


def _distinct(keys: Sequence[Hashable | None]) -> Keys:
    """The keys that belong to one label only: a key that does not distinguish labels is useless."""
    return [key if key is not None and keys.count(key) == 1 else None for key in keys]
