"""Scripts and style sheets without what only their authors need: comments, indentation, spaces around punctuation.

A page has a hundred kilobytes of them, and its own data are often a tenth of that. Names stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<space>\s+)
      | (?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
      | (?P<word>[\w$]+)
      | (?P<other>=>|.)""",
    re.X | re.S,
)
_PATTERN = re.compile(r"/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/")  # its flags are a word
_BEFORE_PATTERN = frozenset(("", *"(,=:[!&|?{};+", "=>", "return", "typeof", "case"))
_NEEDS_MORE = frozenset((*"([{,;:?=&|<>.*!", "=>"))
"""tokens after which a line break means nothing"""
_GOES_ON = frozenset((*")]},;:?=&|<>.*", "=>"))
"""and those before which it means nothing"""


def slim_script(text: str) -> str:
    """A script that does the same; line breaks that could end a statement are kept."""
    parts = [""]
    gap = ""
    for token in _tokens(text):
        if token.isspace() or token.startswith(("//", "/*")):
            gap += token if token.isspace() else " "
            continue
        parts += [_between(parts[-1], gap, token), token]
        gap = ""
    return "".join(parts)


def _tokens(text: str) -> Iterator[str]:
    place, before = 0, ""
    while place < len(text):
        pattern = _PATTERN.match(text, place) if before in _BEFORE_PATTERN else None
        if pattern is not None:
            token = pattern[0]
        elif text[place] == "`":
            token = text[place : _end_of_template(text, place)]
        else:
            found = _TOKEN.match(text, place)
            assert found is not None
            token = found[0]
        yield token
        place += len(token)
        if not token.isspace() and not token.startswith(("//", "/*")):
            before = token


def _end_of_template(text: str, start: int) -> int:
    """Where text between backticks ends: what stands in `${` and `}` may hold such text itself."""
    place = start + 1
    while text[place] != "`":
        if text[place] == "\\":
            place += 2
        elif text.startswith("${", place):
            place, depth = place + 2, 1
            while depth:
                token = text[place : _end_of_template(text, place)] if text[place] == "`" else _next(text, place)
                depth += (token == "{") - (token == "}")
                place += len(token)
        else:
            place += 1
    return place + 1


def _next(text: str, place: int) -> str:
    found = _TOKEN.match(text, place)
    assert found is not None
    return found[0]


def _between(before: str, gap: str, after: str) -> str:
    if not gap or not before:
        return ""
    if "\n" in gap:
        return "" if before in _NEEDS_MORE or after in _GOES_ON else "\n"
    is_needed = (_is_word(before[-1]) and _is_word(after[0])) or (before[-1] in "+-/" and after[0] in "+-/")
    return " " if is_needed or (before.isdigit() and after == ".") else ""


def _is_word(letter: str) -> bool:
    return letter.isalnum() or letter in "_$"


def slim_style(text: str) -> str:
    """A style sheet that means the same."""
    bare = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    return re.sub(r":\s+", ":", re.sub(r"\s*([{};,])\s*", r"\1", bare)).replace(";}", "}").strip()
