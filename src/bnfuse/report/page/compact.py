"""Scripts and style sheets in fewer bytes: without comments, indentation, and meaningless spaces and line ends.

Nothing is renamed, so that any formatter makes the source of a page readable again. Strings, templates and regular
expressions are left unchanged. Then the scripts are packed, and the data are deflated.
"""

from __future__ import annotations

import lzma
import re
import zlib
from base64 import b64encode, b85encode

_TOKEN = re.compile(
    r"""
    (?P<comment> //[^\n]* | /\*.*?\*/ )
  | (?P<literal> "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' )
  | (?P<mark> [`{}/] )
  | (?P<code> [^"'`/{}]+ )
    """,
    re.S | re.X,
)
_REGULAR_EXPRESSION = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/[a-z]*")
_BEFORE_REGULAR_EXPRESSION = re.compile(r"(?:[(,=:\[!&|?{};<>*%]|\breturn)\s*$")
_REST_OF_TEMPLATE = re.compile(r"(?:\\.|\$(?!\{)|[^`\\$])*(?:`|\$\{)", re.S)
_LITERAL = "\ue000"  # stands for one while spaces are taken out

# Not + and -, of which two together are another sign; these by themselves, where both sides are something else.
_GOES_ON = r"{(\[,;:?=&|<>*%"
_ENDS = r"})\],;:?=&|<>*%"
_SPACES = (
    (re.compile(rf"^\s+|\s+$|(?<=[{_GOES_ON}])\s+|\s+(?=[.{_ENDS}])"), ""),
    (re.compile(rf"(?<=[{_ENDS}])[ \t]+(?!\n)|[ \t]+(?=[{_GOES_ON}])"), ""),
    (re.compile(r"(?<![+\-\s])[ \t]+([+-]=?)[ \t]+(?![+\-\s])"), r"\1"),
    (re.compile(r"[ \t]*\n\s*"), "\n"),
)


def compact_script(text: str) -> str:
    """An equivalent script."""
    code, literals = _taken_apart(text)
    for spaces, instead in _SPACES:
        code = spaces.sub(instead, code)
    first, *others = code.split(_LITERAL)
    short = first + "".join(literal + other for literal, other in zip(literals, others, strict=True))
    if "<!--" in short:
        raise ValueError("a script has <!--, which begins a comment there")
    return short + "\n"


def _taken_apart(text: str) -> tuple[str, list[str]]:
    """The code without its comments, with a mark for each literal, and the literals."""
    code, place = "", 0
    literals: list[str] = []
    open_braces: list[int] = []  # for each template that is open, those inside its ${
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            raise ValueError(f"a script cannot be read from {text[place : place + 40]!r} on")
        kind, piece = found.lastgroup, found[0]
        if piece == "/" and _BEFORE_REGULAR_EXPRESSION.search(code[-40:]):
            found = _REGULAR_EXPRESSION.match(text, place) or found
            kind, piece = "literal", found[0]
        is_back = piece == "}" and open_braces[-1:] == [0]
        if piece == "`" or is_back:
            found = _REST_OF_TEMPLATE.match(text, found.end())
            if found is None:
                raise ValueError("a script has a template without an end")
            kind, piece = "literal", piece + found[0]
            open_braces = open_braces[: len(open_braces) - is_back] + [0] * piece.endswith("${")
        elif kind == "mark" and open_braces and piece != "/":
            open_braces[-1] += 1 if piece == "{" else -1
        place = found.end()
        if kind == "literal":
            literals.append(piece)
        if kind == "comment":
            piece = "\n" if "\n" in piece else " "
        code += _LITERAL if kind == "literal" else piece
    return code, literals


def compact_style(text: str) -> str:
    """An equivalent style sheet."""
    strings: list[str] = []

    def kept(found: re.Match[str]) -> str:
        if found[0].startswith("/"):
            return " "
        strings.append(found[0])
        return _LITERAL

    short = re.sub(r'"(?:\\.|[^"\\])*"|/\*.*?\*/', kept, text, flags=re.S)
    short = re.sub(r" ?([{};,]) ?|(?<=:) ", lambda found: found[1] or "", re.sub(r"\s+", " ", short))
    return re.sub(_LITERAL, lambda _: strings.pop(0), short.replace(";}", "}")).strip() + "\n"


def deflated(text: str) -> str:
    """A text in fewer bytes, for `unpack.js` and for programs; none of its letters can end the element around it."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return b64encode(packer.compress(text.encode()) + packer.flush()).decode()


_LZMA = {"id": lzma.FILTER_LZMA1, "preset": 9 | lzma.PRESET_EXTREME, "lc": 3, "lp": 0, "pb": 0}
"""the fixed parameters that `lzma.js` assumes"""


def packed(text: str | bytes) -> str:
    """A text, or bytes, in still fewer bytes, for `lzma.js`: for parts that many pages share, as it takes longer."""
    content = text.encode() if isinstance(text, str) else text
    found = len(content).to_bytes(4, "big") + lzma.compress(content, lzma.FORMAT_RAW, filters=[_LZMA])
    return b85encode(found + bytes(-len(found) % 4)).decode().replace("<", ",")  # no letter can begin or end an element
