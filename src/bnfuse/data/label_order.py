"""The natural order of labels: numbers, ranges (<18, 18-64, 65+), months, low to high, never to always."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from itertools import zip_longest
from typing import Any

_NUMBER_IN_TEXT = re.compile(r"(?:(?<![\w.)\]])[-+])?(?:\d+(?:\.\d+)?(?:e[-+]?\d+)?|\binf\b)", re.A | re.I)

_SCALES = (
    "january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sep sept|october oct|"
    "november nov|december dec",
    "monday mon|tuesday tue tues|wednesday wed|thursday thu thur thurs|friday fri|saturday sat|sunday sun",
    "spring|summer|autumn fall|winter",
    "none zero nil|very_low lowest|low lower|below_average below_normal|medium med moderate mid middle intermediate "
    "normal average|above_average above_normal|high higher|very_high highest extreme",
    "none no absent normal|minimal trace very_mild|mild slight light|moderate|severe marked heavy|very_severe "
    "extreme critical",
    "never|almost_never hardly_ever|rarely seldom|occasionally|sometimes|often frequently|usually very_often|"
    "almost_always|always",
    "strongly_disagree disagree_strongly fully_disagree|disagree|somewhat_disagree slightly_disagree|neutral neither "
    "undecided neither_agree_nor_disagree no_opinion|somewhat_agree slightly_agree|agree|strongly_agree agree_strongly "
    "fully_agree",
    "very_dissatisfied|dissatisfied|somewhat_dissatisfied|neutral neither|somewhat_satisfied|satisfied|very_satisfied",
    "very_unlikely|unlikely|neutral|likely|very_likely",
    "very_poor very_bad|poor bad|fair acceptable satisfactory average|good|very_good|excellent outstanding premium|"
    "ideal",
    "tiny extra_small xs|small s|medium m|large big l|very_large extra_large xl|huge xxl",
    "not_at_all|a_little slightly|somewhat moderately|quite very|extremely",
    "much_worse|worse|same unchanged|better|much_better",
    "decrease decreased down|same unchanged no_change stable|increase increased up",
    "negative|neutral|positive",
    "less fewer|same|more",
    "few|some|many|most|all",
    "no|maybe perhaps unsure|yes",
    "cold|cool|mild|warm|hot",
    "slow|medium|fast",
    "short|medium middle average|long tall",
    "light|medium|heavy",
    "young|middle_aged middle adult|old elderly",
    "primary|secondary|tertiary",
    "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth",
    "beginner|intermediate|advanced|expert",
)
_RANKS = tuple(
    {word.replace("_", " "): rank for rank, words in enumerate(scale.split("|")) for word in words.split()}
    for scale in _SCALES
)
_ASIDE = re.compile(
    r"others?|unknown|missing|refused|unspecified|n/?a|dk|not (?:stated|known|sure|applicable)|no answer"
    r"|do(?: not|n't) know"
)
"""labels outside a scale, placed after it"""

_NUMBER = r"([-+]?(?:\d+(?:\.\d+)?|\.\d+|inf)(?:e[-+]?\d+)?)"
_UNIT = r"\s*[a-z%°µ]*(?:/[a-z]+)?(?: [a-z]+)?"
_BELOW = re.compile(
    rf"(?:<=?|under|below|less than|up to|at most|younger than|fewer than)\s*{_NUMBER}{_UNIT}"
    rf"|{_NUMBER}{_UNIT}\s*(?:(?:and|or) (?:under|below|less|fewer|younger|lower))"
)
_ABOVE = re.compile(
    rf"(?:>=?|over|above|more than|at least|older than|from)\s*{_NUMBER}{_UNIT}"
    rf"|{_NUMBER}{_UNIT}\s*(?:\+|plus|(?:and|or|&) ?(?:over|above|older|more|up|higher|greater)){_UNIT}"
)
_BETWEEN = re.compile(
    rf"(?:[\[(]|>=?)?\s*{_NUMBER}{_UNIT}\s*(?:-|to|\.\.|,|;|<)\s*(?:<=?\s*)?{_NUMBER}{_UNIT}\s*[\])]?"
)
_POINT = re.compile(rf"{_NUMBER}{_UNIT}")
_SIGNS = str.maketrans({"–": "-", "—": "-", "‒": "-", "−": "-", "≤": "<=", "≥": ">=", "$": "", "€": "", "£": ""})
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")


def in_people_order(labels: Iterable[str]) -> list[str]:
    """Labels in natural order: along a scale of words or of ranges if all are on one, otherwise by their text.

    Labels such as "other" and "unknown" come after such a scale.
    """
    given = sorted(labels, key=_as_people_sort)
    words = {label: _words(label) for label in given}
    aside = [label for label in given if _ASIDE.fullmatch(words[label])]
    ranked = [label for label in given if label not in aside]
    if len(ranked) < 2:
        return given
    for scale in _RANKS:
        if all(words[label] in scale for label in ranked):
            return [*sorted(ranked, key=lambda label: scale[words[label]]), *aside]
    ranges = {label: _range(label) for label in ranked}
    if all(ranges.values()) and any(least != most for least, most in filter(None, ranges.values())):
        return [*sorted(ranked, key=lambda label: ranges[label] or ()), *aside]
    return given


def _words(label: str) -> str:
    return " ".join(re.split(r"[\s_-]+", label.casefold().replace("’", "'").strip()))


def _range(label: str) -> tuple[float, float] | None:
    """The smallest and the largest number for which a label stands."""
    text = _THOUSANDS.sub("", label.translate(_SIGNS).casefold().strip())
    if match := _BELOW.fullmatch(text):
        return -math.inf, float(match[1] or match[2])
    if match := _ABOVE.fullmatch(text):
        return float(match[1] or match[2]), math.inf
    if match := _POINT.fullmatch(text):
        return float(match[1]), float(match[1])
    if match := _BETWEEN.fullmatch(text):
        least, most = float(match[1]), float(match[2])
        return (least, most) if least <= most else None
    return None


def _as_people_sort(label: str) -> tuple[Any, ...]:
    """The sort key of labels: numbers in them count as numbers, and the opening bracket of an interval is ignored."""
    text = label.lstrip("[(")
    words = [(1, 0.0, word) for word in _NUMBER_IN_TEXT.split(text)]
    numbers = [(0, float(number), "") for number in _NUMBER_IN_TEXT.findall(text)]
    parts = [part for pair in zip_longest(words, numbers) for part in pair if part is not None and part != (1, 0.0, "")]
    return tuple(parts), label
