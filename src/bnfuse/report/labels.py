"""What is written in the boxes of a picture: names, long ones cut in the middle, and about how wide they are."""

from __future__ import annotations

import unicodedata

FONT_SIZE = 12.0
_LONGEST = 24  # characters of a label
_ELLIPSIS = "\u2026"
_JOINER = "\u200d"  # between two characters that are drawn as one


def text_width(text: str) -> float:
    """About how wide a label is, too wide rather than too narrow: fonts differ, boxes must not."""
    return FONT_SIZE * sum(map(_character_width, text))


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


def shortened(name: str) -> str:
    """A name that fits a box and has no line breaks or other characters that draw nothing.

    Long names often differ at their ends, so both ends stay.
    """
    joined = set("\u200c" + _JOINER)
    visible = "".join(one if one.isprintable() or one in joined else "\u00b7" for one in name)
    letters = _letters(visible)
    wanted = _LONGEST * FONT_SIZE * 0.7
    if len(letters) <= _LONGEST and text_width(visible) <= wanted:
        return visible
    head, tail = letters[:0], letters[:0]
    first, last = 0, len(letters)
    room = wanted - text_width(_ELLIPSIS)
    while first < last and len(head) + len(tail) < _LONGEST - 1:
        letter = letters[first] if len(head) <= len(tail) else letters[last - 1]
        room -= text_width(letter)
        if room < 0:
            break
        if len(head) <= len(tail):
            head, first = [*head, letter], first + 1
        else:
            tail, last = [letter, *tail], last - 1
    return f"{''.join(head).rstrip()}{_ELLIPSIS}{''.join(tail).lstrip()}"


def _letters(text: str) -> list[str]:
    """What a reader takes for one character each: with its accents, skin tones and what is joined to it."""
    letters: list[str] = []
    for character in text:
        if letters and (_adds_to_the_one_before(character) or letters[-1].endswith(_JOINER)):
            letters[-1] += character
        else:
            letters.append(character)
    return letters


def _adds_to_the_one_before(character: str) -> bool:
    return (
        unicodedata.combining(character) > 0
        or unicodedata.category(character) in ("Mn", "Me", "Cf")
        or "\U0001f3fb" <= character <= "\U0001f3ff"  # skin tones
    )
