"""Fonts of this machine for the letters of a picture: matplotlib draws a letter with the first font that has it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

import matplotlib
from matplotlib.font_manager import FontEntry, fontManager
from matplotlib.ft2font import FT2Font

_FIRST = (
    *("DejaVu Sans", "Noto Sans", "Noto Sans CJK SC", "Noto Sans CJK JP", "Source Han Sans SC", "Microsoft YaHei"),
    *("PingFang SC", "Hiragino Sans", "WenQuanYi Zen Hei", "Arial Unicode MS", "Noto Emoji", "Segoe UI Emoji"),
    *("Segoe UI Symbol", "Symbola"),
)
_BOXES = "Last Resort"  # matplotlib's own, which has a box for every letter there is
_SELECTORS = frozenset(
    map(chr, range(0xFE00, 0xFE10))
)  # they select a variant of the previous letter, and draw nothing


def fonts_for(text: str) -> tuple[list[str], list[str]]:
    """The families that together have the letters of a text, in the order to try them; the letters that none has."""
    missing = {letter for letter in text if letter.isprintable() and not letter.isspace()} - _SELECTORS
    chosen: list[str] = []
    for font in _fonts():
        found = _letters_in(font, missing)
        if found or not chosen:  # an empty list would mean matplotlib's default
            chosen.append(font.name)
            missing -= found
        if not missing:
            break
    return chosen, sorted(missing)


def is_shaped(text: str) -> bool:
    """Whether matplotlib draws a text as its script requires: before 3.11, it placed single letters from the left."""
    if matplotlib.__version_info__ >= (3, 11):
        return True
    return not any(unicodedata.bidirectional(one) in ("R", "AL") or unicodedata.category(one) == "Mc" for one in text)


def _fonts() -> Iterator[FontEntry]:
    """One upright font per family, the preferred families first, then sans-serif fonts: always in the same order."""
    regular = [font for font in fontManager.ttflist if font.style == "normal" and not font.name.startswith(_BOXES)]
    by_family = {font.name: font for font in sorted(regular, key=lambda font: (-abs(_weight(font) - 400), font.fname))}
    yield from (by_family[name] for name in _FIRST if name in by_family)
    others = sorted(by_family.keys() - set(_FIRST), key=lambda name: ("Sans" not in name, name))
    yield from (by_family[name] for name in others)


def _weight(font: FontEntry) -> int:
    return font.weight if isinstance(font.weight, int) else 400


def _letters_in(font: FontEntry, letters: set[str]) -> set[str]:
    try:
        opened = FT2Font(font.fname)
    except (OSError, RuntimeError):  # removed, or broken
        return set()
    return {letter for letter in letters if opened.get_char_index(ord(letter))}
