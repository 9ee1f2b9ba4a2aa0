"""Texts that messages share: lists of names, counted nouns, numbers of any size, shares and probabilities.

It also keeps names in scripts that run from right to left from reordering the text around them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

NAMES = 8
"""the number of names that one message lists"""

_LONGEST_PLAIN = 10**10
_SMALLEST_PLAIN = 1e-4

FIRST_STRONG, POP = "\u2068", "\u2069"
"""Unicode's isolate: the text between these characters has its own direction, and is one object to other text."""
_CONTROLS = (
    "\u202a-\u202e\u2066-\u2069"  # embeddings, overrides and isolates: in a name, one could reorder all later text
)
_RIGHT_TO_LEFT = "\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
_BETWEEN = "\\s'\"\u2018-\u201f,;:=|()<>\\[\\]{}\u2190-\u21ff"  # the characters between names
_LETTER = f"(?!--?>|---|[.!?](?:\\s|$))[^{_BETWEEN}]"  # neither an arrow nor the end of a sentence
_WORD = f"(?:{_LETTER})*?[{_RIGHT_TO_LEFT}](?:{_LETTER})*"
_TURNING = re.compile(f"[{_RIGHT_TO_LEFT}{_CONTROLS}]")
_NAME = re.compile(f"{_WORD}(?: {_WORD})*(?: \\d+(?=\\s*$| [ \u2190-\u21ff-]|['\"\u2019\u201d,;:)]))?")


def isolated(text: str) -> str:
    """Text with arcs that read from left to right, whatever the script of its names.

    Words in scripts that run from right to left are isolated, and characters that would reorder the text after them
    become dots. All other text stays as it is.
    """
    if not _TURNING.search(text):
        return text
    return _NAME.sub(f"{FIRST_STRONG}\\g<0>{POP}", re.sub(f"[{_CONTROLS}]", "\u00b7", text))


def listed(names: Sequence[Any], most: int = NAMES, shown: Callable[[Any], str] = repr, open_end: bool = False) -> str:
    """The first of some names and how many more there are; with `open_end` there may be more than those given."""
    left = len(names) - most
    more = f" and {'at least ' if open_end else ''}{left:,} more" if left > 0 else ""
    return ", ".join(map(shown, names[:most])) + more


def count(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def shown_number(number: int) -> str:
    """A whole number of any size, rounded if it has too many digits to read."""
    return f"{number:,}" if number < _LONGEST_PLAIN else f"{Decimal(number):.2e}"


def shown_weight(weight: int, parts: int) -> str:
    """A weight that is counted in fractions."""
    return f"{weight // parts:,}" if weight % parts == 0 else f"{weight / parts:,.6g}"


def shown_fraction(number: Fraction) -> str:
    """A number for people: 2, 2.5, or six digits of it."""
    return f"{number.numerator:,}" if number.denominator == 1 else f"{float(number):,.6g}"


def shown_distance(distance: float) -> str:
    """A distance to one network: a whole number unless votes are divided."""
    return f"{distance:,.0f}" if distance == int(distance) else f"{distance:,.6g}"


def shown_probability(probability: float) -> str:
    """Four digits after the point, or an exponent if these would all be 0."""
    plain = probability == 0 or probability >= _SMALLEST_PLAIN
    return f"{probability:.4f}" if plain else f"{probability:.1e}"


def percent(share: float) -> str:
    """A share, rounded, but never to 0 % or 100 %."""
    if 0 < share < 0.01:
        return "under 1 %"
    return "over 99 %" if 0.99 < share < 1 else f"{100 * share:.0f} %"


def fine_percent(share: float) -> str:
    """A share to a tenth of a percent if it is not whole, but never rounded to 0 % or 100 %."""
    if 0 < share < 0.001:
        return "under 0.1 %"
    return "over 99.9 %" if 0.999 < share < 1 else f"{math.floor(1000 * share + 0.5) / 10:g} %"


def relative_gap(distance: float, bound: float | None) -> float | None:
    """The gap between a distance and a proven bound, as a share of the bound: how far from the best it may be.

    None without a bound, or if the bound is 0 and the distance is not.
    """
    if bound is None or distance <= bound:
        return None if bound is None else 0.0
    return (distance - bound) / bound if bound > 0 else None


def gap_text(distance: float, bound: float) -> str:
    """The gap in percent; above a bound of 0, the difference itself. Rounded up because it is proven."""
    gap = relative_gap(distance, bound)
    return gap_percent(gap) if gap is not None else f"{math.ceil(100 * (distance - bound) - 1e-6) / 100:,.2f}"


def gap_percent(gap: float) -> str:
    """A gap in percent: rounded up because it is proven."""
    return f"{math.ceil(1000 * gap) / 10:.1f} %" if gap else "0 %"


def shown_cost(cost: float | None, at_least: float | None) -> str:
    """The cost of a decision: exact, or "at most" if the bound does not prove it; empty if it is not known."""
    if cost is None:
        return ""
    text = f"{cost + 0.0:,.2f}"  # no -0.00
    return text if cost == at_least else f"at most {text}"
