"""README.md for a package index, which shows it alone: without its pictures and without links into the repository."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

_PICTURE = re.compile(r"^!\[[^]]*\]\([^)]*\)\n\n?", re.M)
_LINK = re.compile(r"\[([^]]*)\]\((?!https?:)[^)]*\)")
_COMMENT = re.compile(r"^<!--.*?-->\n", re.M | re.S)


def for_index(readme: str) -> str:
    """The text without what an index cannot show: pictures, links to files, comments."""
    return _LINK.sub(r"\1", _PICTURE.sub("", _COMMENT.sub("", readme)))


def dynamic_metadata(field: str, _settings: dict[str, object], _known: Any = None) -> dict[str, str]:
    """What scikit-build-core calls for `readme`."""
    assert field == "readme"
    text = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    return {"content-type": "text/markdown", "text": for_index(text)}
