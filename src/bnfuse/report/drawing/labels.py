"""The text in the boxes of a picture: names, long ones shortened in the middle, and their approximate widths."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cache
from html import escape

from bnfuse._base.texts import isolated

FONT_SIZE = 12.0
JOINERS = "\u200c\u200d"
"""invisible characters that separate or join the letters next to them: the second makes one emoji of two"""
_LONGEST = 24  # letters of a label
_WIDEST = 205.0
_START = 7  # letters of a name that is cut where it differs from others
_ELLIPSIS = "\u2026"


def text_width(text: str) -> float:
    """The approximate width of a label, rather too wide than too narrow: fonts differ, but boxes must not."""
    return FONT_SIZE * sum(map(_character_width, text))


@cache
def _character_width(character: str) -> float:
    if _adds_to_the_one_before(character):
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return 1.05
    if "\U0001f000" <= character <= "\U0001faff":  # emoji, which fonts draw wide; not all are called so
        return 1.25
    if character in "iljI.,:;|'!() ":
        return 0.36
    if character in "mwMW@%":
        return 0.95
    return 0.7 if character.isupper() else 0.62


def labels_of(names: Sequence[str]) -> tuple[str, ...]:
    """Names that fit boxes: long ones shortened in the middle, or where they differ if they would look the same."""
    labels = [shortened(name) for name in names]
    alike: dict[str, list[int]] = {}
    for i, label in enumerate(labels):
        alike.setdefault(label, []).append(i)
    for numbers in alike.values():
        if len(numbers) > 1:
            texts = [visible(names[i]) for i in numbers]
            same = next((at for at, them in enumerate(zip(*texts, strict=False)) if len(set(them)) > 1), 0)
            for i, text in zip(numbers, texts, strict=True):
                labels[i] = _cut_before(text, same)
    return tuple(labels)


def shortened(name: str) -> str:
    """A name that fits a box. Long names often differ at their ends, so both ends are kept."""
    text = visible(name)
    letters = _letters(text)
    if _fits(text):
        return text
    head, tail = "", ""
    while letters:
        at = 0 if text_width(head) <= text_width(tail) else -1
        longer = (head + letters[0], tail) if at == 0 else (head, letters[-1] + tail)
        if not _fits(_ELLIPSIS.join(longer)):
            break
        head, tail = longer
        letters.pop(at)
    return f"{head.rstrip()}{_ELLIPSIS}{tail.lstrip()}"


def markup(words: str) -> str:
    """Text for HTML and XML, in which names cannot reorder the text around them."""
    return escape(isolated(words))


def visible(name: str) -> str:
    """Without line breaks and other characters that draw nothing, but with those that join others."""
    return "".join(one if one.isprintable() or one in JOINERS else "\u00b7" for one in name)


def _fits(text: str) -> bool:
    return len(_letters(text)) <= _LONGEST and text_width(text) <= _WIDEST


def _cut_before(text: str, same: int) -> str:
    """The start of a long name, and the part where it begins to differ from others."""
    letters = _letters(text[max(0, same - 2) :])
    head = text[:_START].rstrip() + _ELLIPSIS
    for end in range(len(letters), 0, -1):
        label = head + "".join(letters[:end]).strip() + (_ELLIPSIS if end < len(letters) else "")
        if _fits(label):
            return label
    return shortened(text)


def _letters(text: str) -> list[str]:
    """The characters that a reader sees: each with its accents, skin tones and joined characters."""
    letters: list[str] = []
    for character in text:
        if letters and (_adds_to_the_one_before(character) or letters[-1].endswith(JOINERS[1])):
            letters[-1] += character
        else:
            letters.append(character)
    return letters


@cache
def _adds_to_the_one_before(character: str) -> bool:
    return (
        unicodedata.combining(character) > 0
        or unicodedata.category(character) in ("Mn", "Me", "Cf")
        or "\U0001f3fb" <= character <= "\U0001f3ff"  # skin tones
    )
