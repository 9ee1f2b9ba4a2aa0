"""Words that messages share: lists of names, counted nouns, numbers of any size, shares and probabilities.

Also what keeps names in scripts that run from right to left from turning the text around them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

NAMES = 8
"""that one message lists"""

_LONGEST_PLAIN = 10**10
_SMALLEST_PLAIN = 1e-4

FIRST_STRONG, POP = "\u2068", "\u2069"
"""Unicode's isolate: what stands between them has its own direction, and is one object to the text around it."""
_CONTROLS = (
    "\u202a-\u202e\u2066-\u2069"  # embeddings, overrides and isolates: a name with one could turn all that follows
)
_RIGHT_TO_LEFT = "\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
_BETWEEN = "\\s'\"\u2018-\u201f,;:=|()<>\\[\\]{}\u2190-\u21ff"  # what stands between names
_LETTER = f"(?!--?>|---|[.!?](?:\\s|$))[^{_BETWEEN}]"  # no arrow, and no end of a sentence
_WORD = f"(?:{_LETTER})*?[{_RIGHT_TO_LEFT}](?:{_LETTER})*"
_TURNING = re.compile(f"[{_RIGHT_TO_LEFT}{_CONTROLS}]")
_NAME = re.compile(f"{_WORD}(?: {_WORD})*(?: \\d+(?=\\s*$| [ \u2190-\u21ff-]|['\"\u2019\u201d,;:)]))?")


def isolated(text: str) -> str:
    """Text for people whose arcs read from left to right, whatever the script of its names.

    Words in scripts that run from right to left are isolated, and characters that would turn the text after them become
    dots. All other text stays as it is.
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
    """A whole number of any size, rounded where nobody would read all its digits."""
    return f"{number:,}" if number < _LONGEST_PLAIN else f"{Decimal(number):.2e}"


def shown_weight(weight: int, parts: int) -> str:
    """A weight that is counted in parts."""
    return f"{weight // parts:,}" if weight % parts == 0 else f"{weight / parts:,.6g}"


def shown_fraction(number: Fraction) -> str:
    """A number as people write it: 2, 2.5, or six digits of it."""
    return f"{number.numerator:,}" if number.denominator == 1 else f"{float(number):,.6g}"


def shown_distance(distance: float) -> str:
    """A distance to one network: whole but for votes that are divided."""
    return f"{distance:,.0f}" if distance == int(distance) else f"{distance:,.6g}"


def shown_probability(probability: float) -> str:
    """Four digits after the point, or an exponent where these would all be 0."""
    plain = probability == 0 or probability >= _SMALLEST_PLAIN
    return f"{probability:.4f}" if plain else f"{probability:.1e}"


def percent(share: float) -> str:
    """A share, rounded, but never to nothing or to all."""
    if 0 < share < 0.01:
        return "under 1 %"
    return "over 99 %" if 0.99 < share < 1 else f"{100 * share:.0f} %"


def fine_percent(share: float) -> str:
    """A share to a tenth of a percent, where it is not whole, but never to nothing or to all."""
    if 0 < share < 0.001:
        return "under 0.1 %"
    return "over 99.9 %" if 0.999 < share < 1 else f"{math.floor(1000 * share + 0.5) / 10:g} %"


def relative_gap(distance: float, bound: float | None) -> float | None:
    """By how much a distance is above a proven bound, as a share of the bound: so far above the best it may be at most.

    None without a bound, and above a bound of 0, of which nothing is a share.
    """
    if bound is None or distance <= bound:
        return None if bound is None else 0.0
    return (distance - bound) / bound if bound > 0 else None


def gap_text(distance: float, bound: float) -> str:
    """The gap in percent; above a bound of 0, the difference itself. Rounded up, as it is proven."""
    gap = relative_gap(distance, bound)
    return gap_percent(gap) if gap is not None else f"{math.ceil(100 * (distance - bound) - 1e-6) / 100:,.2f}"


def gap_percent(gap: float) -> str:
    """A gap in percent: rounded up, as it is proven."""
    return f"{math.ceil(1000 * gap) / 10:.1f} %" if gap else "0 %"


def shown_cost(cost: float | None, at_least: float | None) -> str:
    """What a decision costs: exactly, or at most where the bound does not prove it; nothing where it is not known."""
    if cost is None:
        return ""
    text = f"{cost + 0.0:,.2f}"  # no -0.00
    return text if cost == at_least else f"at most {text}"
