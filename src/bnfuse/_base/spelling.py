"""How similar two names are: the same letters, the same words, one wrong letter, or an abbreviation."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

LEAST = 0.6
"""How similar two names must be to count as spellings of the same name."""

SAME_LETTERS, SAME_WORDS, OTHER_ORDER = "the same letters", "the same words", "the same words in another order"
ONE_MORE, SWAPPED = "one letter more or less", "two letters swapped"
MORE_WORDS, ALIKE, ABBREVIATED, NO_VOWELS = (
    "the same words and more",
    "spelled alike",
    "words that begin alike",
    "the same consonants",
)
RUN_TOGETHER = "the same letters, but different numbers"

_SHORTEST = 4  # letters that a misspelled name must have: too many shorter names are similar
_SHORTEST_START = 3  # letters that an abbreviated word keeps
_SHORTEST_STEM = 4  # letters that Smoker and Smoking share
_SHORTEST_SLIP = 7  # letters of a word in which one more letter is a typing error: shorter ones are often two words
_LONGEST_ENDING = 3
_LONGEST_EXTRA = 3  # letters of a word that people add before or after any name, such as pt or new
_FILLERS = frozenset({"level", "node", "patient", "result", "state", "status", "value", "var", "variable"})
_VOWELS = "aeiou"
_SAME_WORDS_SHARE = 0.9
_MOST_MORE_WORDS, _LEAST_MORE_WORDS = 0.7, 0.65
_SAME_STEMS = 0.65
_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d{1,4})?", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Likeness:
    """What two names have in common."""

    share: float
    """1 for the same letters; LEAST is the least"""
    why: str


@lru_cache(maxsize=1 << 16)
def letters(name: str) -> str:
    """The letters and digits of a name, without case, accents and separators."""
    return "".join(char for char in unicodedata.normalize("NFKD", name).casefold() if char.isalnum())


@lru_cache(maxsize=1 << 16)
def words(name: str) -> tuple[str, ...]:
    """The words of a name in lower case, with separate numbers: those of `LungCancer2` are lung, cancer and 2."""
    text = unicodedata.normalize("NFKD", name)
    text = "".join(char for char in text if not unicodedata.combining(char))
    parts: list[str] = []
    before = ""
    for i, char in enumerate(text):
        if not char.isalnum():
            before = ""
            continue
        ends_capitals = char.isupper() and before.isupper() and text[i + 1 : i + 2].islower()
        starts = (
            not before
            or before.isdecimal() != char.isdecimal()
            or (before.islower() and char.isupper())
            or ends_capitals
        )
        if starts:
            parts.append("")
        parts[-1] += char
        before = char
    return tuple(part.lstrip("0") or "0" if part.isdecimal() else part.casefold() for part in parts)


def numbers(name: str) -> tuple[str, ...]:
    """The numbers in a name: names whose numbers differ, such as X1 and X2, mean different things."""
    return tuple(word for word in words(name) if word.isdecimal())


def starts(name: str) -> tuple[str, ...]:
    """The beginnings of the words of a name: the same for all names with words that begin alike."""
    return tuple(word[:_SHORTEST_START] for word in words(name))


def consonants(name: str) -> str:
    """The first letter of a name, and the later ones that are not vowels."""
    own = letters(name)
    return own[:1] + "".join(letter for letter in own[1:] if letter not in _VOWELS)


def likeness(one: str, other: str) -> Likeness | None:
    """What two names have in common; None if they are not similar."""
    mine, theirs = letters(one), letters(other)
    if not mine or not theirs:
        return None
    if mine == theirs:
        is_same = numbers(one) == numbers(other)
        return Likeness(1.0, SAME_LETTERS) if is_same else Likeness(_MOST_MORE_WORDS, RUN_TOGETHER)
    if numbers(one) != numbers(other):
        return None
    if sorted(words(one)) == sorted(words(other)):
        in_order = words(one) == words(other)  # if numbers have leading zeros
        return Likeness(_SAME_WORDS_SHARE, SAME_WORDS if in_order else OTHER_ORDER)
    return _likeness_of_others(one, other)


def _likeness_of_others(one: str, other: str) -> Likeness | None:
    """The same for names with different letters and words."""
    mine, theirs = letters(one), letters(other)
    if (more := _more_words(words(one), words(other))) is not None:
        share = min(shared_letters(mine, theirs), _MOST_MORE_WORDS)
        if share >= LEAST or sum(map(len, more - _FILLERS)) <= _LONGEST_EXTRA:
            return Likeness(max(share, _LEAST_MORE_WORDS), MORE_WORDS)
    elif min(len(mine), len(theirs)) >= _SHORTEST and (share := _spelled_alike(one, other)) >= LEAST:
        return Likeness(share, _slip(words(one), words(other)) or ALIKE)
    if _begin_alike(words(one), words(other)):
        return Likeness(_SAME_STEMS, ABBREVIATED)
    is_short = consonants(one) == consonants(other) in (mine, theirs) and len(consonants(one)) >= _SHORTEST_START
    return Likeness(_SAME_STEMS, NO_VOWELS) if is_short else None


def nearest(name: str, others: Iterable[str]) -> str | None:
    """The most similar other name, if any is similar; the first of several."""
    found = [(like.share, other) for other in others if (like := likeness(name, other)) is not None]
    return max(found, key=lambda pair: pair[0])[1] if found else None


def meant(name: object, others: Iterable[str]) -> str:
    """The end of a message about an unknown name: the most similar known name, or nothing if none is similar."""
    found = nearest(name, others) if isinstance(name, str) else None
    return "" if found is None else f" (did you mean {found!r}?)"


def unknown(noun: str, name: object, others: Iterable[str]) -> str:
    """How a message refers to an unknown name."""
    return f"unknown {noun} {name!r:.60}{meant(name, others)}"


def place_of(value: object, labels: tuple[str, ...]) -> int | None:
    """The label that a value stands for: by its text, or else by its number, as 1.0 stands for the label 1.

    A number is used only if no two labels are the same number. None if the value stands for no label.
    """
    text = None if value is None else str(value)
    if text in labels:
        return labels.index(text)
    number = None if text is None else number_of(text)
    return None if number is None else _by_number(labels).get(number)


@lru_cache(maxsize=1 << 10)
def _by_number(labels: tuple[str, ...]) -> dict[Decimal, int]:
    numbers = {place: number for place, label in enumerate(labels) if (number := number_of(label)) is not None}
    unique = len(set(numbers.values())) == len(numbers)
    return {number: place for place, number in numbers.items()} if unique else {}


def number_of(text: str) -> Decimal | None:
    """The number that a text represents, if it is one."""
    return Decimal(text.strip()) if _NUMBER.fullmatch(text.strip()) else None


def distance(one: str, other: str) -> int:
    """How many letters to change, insert, delete or swap with the next one (optimal string alignment).

    Each row of the usual table is a number whose bits say where it rises and falls: Hyyrö, A bit-vector algorithm for
    computing Levenshtein and Damerau edit distances, 2003.
    """
    if not one:
        return len(other)
    places: dict[str, int] = {}
    for i, letter in enumerate(one):
        places[letter] = places.get(letter, 0) | 1 << i
    last, full = len(one) - 1, (1 << len(one)) - 1
    rises, falls, diagonal, before, found = full, 0, 0, 0, len(one)
    for letter in other:
        here = places.get(letter, 0)
        swapped = ((~diagonal & here) << 1) & before
        diagonal = (((here & rises) + rises) ^ rises) | here | falls | swapped
        right_rises, right_falls = falls | (full & ~(diagonal | rises)), diagonal & rises
        found += (right_rises >> last & 1) - (right_falls >> last & 1)
        right_rises, right_falls = right_rises << 1 | 1, right_falls << 1
        rises, falls = (right_falls | ~(diagonal | right_rises)) & full, right_rises & diagonal & full
        before = here
    return found


def _spelled_alike(one: str, other: str) -> float:
    """The share of letters that may be equal; lower if a whole word differs, as in EyeLeft and EyeRight."""
    share = shared_letters(letters(one), letters(other))
    mine, theirs = words(one), words(other)
    if share < LEAST or not len(mine) == len(theirs) > 1:
        return share
    return share * (1 + min(map(shared_letters, mine, theirs))) / 2


def _more_words(mine: tuple[str, ...], theirs: tuple[str, ...]) -> frozenset[str] | None:
    """The additional words of a name that contains all words of the other one; None if neither does."""
    more, less = (Counter(a) - Counter(b) for a, b in ((mine, theirs), (theirs, mine)))
    return None if more and less else frozenset(more or less)


def _slip(mine: tuple[str, ...], theirs: tuple[str, ...]) -> str | None:
    """How one typing error in a long word turns one name into the other; None if it takes more."""
    if len(mine) != len(theirs):
        mine, theirs = ("".join(mine),), ("".join(theirs),)
    differing = [(a, b) for a, b in zip(mine, theirs, strict=True) if a != b]
    if len(differing) != 1:
        return None
    shorter, longer = sorted(differing[0], key=len)
    is_inside = shorter[:1] == longer[:1] and shorter[-1:] == longer[-1:]
    if len(longer) < _SHORTEST_SLIP or not is_inside or distance(shorter, longer) > 1:
        return None
    if len(shorter) < len(longer):
        return ONE_MORE
    return SWAPPED if sorted(shorter) == sorted(longer) else None


def shared_letters(one: str, other: str) -> float:
    """The share of the letters of the longer text that may be equal."""
    return 1 - distance(one, other) / max(len(one), len(other))


def _begin_alike(mine: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
    """Whether each word abbreviates the other, as Temp and Temperature do, or has another ending."""
    return len(mine) == len(theirs) and all(map(_is_same_stem, mine, theirs))


def _is_same_stem(one: str, other: str) -> bool:
    stem = next(
        (i for i, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), min(len(one), len(other))
    )
    shorter, longer = sorted((len(one), len(other)))
    if stem == shorter:
        return one == other or stem >= _SHORTEST_START
    return stem >= _SHORTEST_STEM and longer - stem <= _LONGEST_ENDING
