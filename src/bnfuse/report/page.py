"""The report: one HTML file with everything in it, which asks nothing of the outside world."""

from __future__ import annotations

import json
import os
from functools import cache
from html import escape
from importlib import resources
from pathlib import Path
from typing import Any

from bnfuse import _disk
from bnfuse._errors import FileError
from bnfuse.report.compact import compact_script, compact_style
from bnfuse.report.limits import limits_data
from bnfuse.report.page_data import layout_of, page_data
from bnfuse.report.picture import boxes, markers
from bnfuse.report.scripts import joined
from bnfuse.report.summary import Summary
from bnfuse.result import Result

_ENDINGS = (".html", ".htm")
_OPENING = b"<!doctype html>\n<!-- a report of bnfuse -->"
_SCRIPT = "main.js"
_STYLES = (  # in this order: of two rules that apply, the later one wins
    *("page-frame", "first-screen", "network-picture", "distance-bars", "details-panel"),
    *("charts", "tables", "origin", "limits", "screens"),
)


def write_report(consensus: Result, path: str | os.PathLike[str], overwrite: bool = False) -> Summary:
    """Write the report of a consensus; the summary is what its first screen says."""
    file = Path(path)
    check_report(file, overwrite)
    summary = Summary(consensus.finished)
    _disk.write_bytes(page(summary).encode(), file)
    return summary


def check_report(path: Path, overwrite: bool = False) -> None:
    """Refuse a file that a report could not be written to, before time is spent on its content."""
    if path.suffix.lower() not in _ENDINGS:
        raise FileError(path, "a report is written to a file that ends in .html")
    _disk.check_replaceable(path, lambda head: head.startswith(_OPENING), "a report", overwrite)


def page(summary: Summary) -> str:
    """The whole page."""
    layout = layout_of(summary.consensus)
    variables = summary.consensus.dag.variables
    data = page_data(summary, layout)
    data["limits"] = limits_data(summary, layout, data)
    # One pass: what is put in is never searched for further marks.
    pieces = {
        "style": _short_style(),
        "title": escape(f"Consensus: {summary.what}"),
        "picture": markers() + '<g id="arcs"></g>' + boxes(variables, layout),
        "data": _embedded(data),
        "script": _short_script(),
    }
    first, *others = _resource("page.html").split("{{")
    parts = [first]
    for other in others:
        name, _, text = other.partition("}}")
        parts += [pieces[name], text]
    return "".join(parts)


def style() -> str:
    """The style sheets, joined."""
    return "\n".join(_resource(f"{name}.css") for name in _STYLES)


@cache
def _short_style() -> str:
    return compact_style(style())


@cache
def _short_script() -> str:
    return compact_script(joined(_SCRIPT, _resource))


def _embedded(data: dict[str, Any]) -> str:
    """JSON in plain ASCII, in which nothing can end the script element that it stands in."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _resource(name: str) -> str:
    return resources.files("bnfuse.report").joinpath("template", name).read_text("utf-8")
