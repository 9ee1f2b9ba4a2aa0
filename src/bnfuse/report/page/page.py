"""The report: one self-contained HTML file, which makes no requests."""

from __future__ import annotations

import json
import os
from base64 import b64encode
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from hashlib import sha256
from importlib import resources
from pathlib import Path

from bnfuse._base import disk
from bnfuse._base.options import one_of
from bnfuse.answer.disputes.disputes import DEFAULT_COUNT, Disputes, disputes, unsolved
from bnfuse.answer.result import Consensus
from bnfuse.errors import FileError
from bnfuse.report.drawing.labels import markup
from bnfuse.report.drawing.layout import Layout
from bnfuse.report.drawing.picture import Picture, boxes, markers
from bnfuse.report.page.compact import compact_script, compact_style, deflated, packed
from bnfuse.report.page.other_limits import limits_data
from bnfuse.report.page.page_data import layout_of, page_data
from bnfuse.report.page.page_schema import PageData, PageQuestion
from bnfuse.report.page.records import as_json
from bnfuse.report.page.scripts import joined
from bnfuse.report.solver.parts import MAY_COMPILE, MAY_WORK, WORKER, kernel
from bnfuse.report.solver.question import SOLVERS, page_question
from bnfuse.report.summary import LARGE, Summary

_ENDINGS = (".html", ".htm")
_OPENING = b"<!doctype html>\n<!-- a report of bnfuse -->"
_SCRIPT = "report-page.js"
_UNPACK = "unpack.js"
# In this order: of two rules that apply, the later one wins. Those in the middle are of what scripts make, and packed.
_STYLES = (
    ("page-frame", "first-screen", "network-picture"),
    (
        "contested",
        "distance-bars",
        "details-panel",
        "evidence",
        "charts",
        "tables",
        "origin",
        "limits",
        "glossary",
        "guide",
        "hands",
        "change-marks",
        "solving-panel",
    ),
    ("screens", "still", "forced-colours", "print"),
)
_MOST_CLOSE = 1.4  # a small network is not blown up to the width of a screen: as in viewport.js
_STILL_LEAD = 2  # sentences under the headline: how good it is, and who disagrees
_SECONDS_OF_DISPUTES = 10.0  # those that take longer have no cost on the page
_MOST_CURVES = 400  # of the picture in the file itself
_LINES = {"kept": "solid: ", "reversed": "dash-dotted: ", "added": "dotted: "}


def write_report(
    consensus: Consensus, path: str | os.PathLike[str], overwrite: bool = False, solver: str = SOLVERS[0]
) -> Summary:
    """Write the report of a consensus; the summary is the text of its first screen.

    The page solves again, with the kernel included, unless `solver` is "none" or the inputs do not allow it.
    """
    file = Path(path)
    check_report(file, overwrite)
    one_of("solver", solver, SOLVERS)
    summary = Summary.of(consensus.finished)
    disk.write_bytes(page(summary, solver).encode(), file)
    return summary


def check_report(path: Path, overwrite: bool = False) -> None:
    """Refuse a path to which a report could not be written, before time is spent on its content."""
    if path.suffix.lower() not in _ENDINGS:
        raise FileError(path, "a report is written to a file that ends in .html")
    disk.check_replaceable(path, lambda head: head.startswith(_OPENING), "a report", overwrite)


def page(summary: Summary, solver: str = SOLVERS[0]) -> str:
    """The whole page; `solver` as in `write_report`."""
    layout = layout_of(summary.consensus)
    script, unpack = _short_script(_SCRIPT), _short_script(_UNPACK)
    first_looks, made_looks, last_looks = map(_short_style, _STYLES)
    data = page_data(summary, layout, _disputes(summary))
    data = replace(data, limits=limits_data(summary, layout, data))
    asked = page_question(summary.consensus) if solver != "none" else None
    solves = isinstance(asked, PageQuestion)
    data = replace(data, question=asked) if isinstance(asked, PageQuestion) else replace(data, not_again=asked)
    pieces = {
        "policy": _policy((unpack, script), (first_looks, last_looks, made_looks), solves),
        "style": first_looks,
        "last style": last_looks,
        "title": markup(f"Consensus: {summary.what}"),
        **_still(summary, layout),
        "data": deflated(data_text(data)),
        "packed style": _packed(made_looks),
        "packed": _packed(script),
        "solver": _solver(len(data.variables)) if solves else "",
        "unpack": unpack,
    }
    return filled(resource("page.html"), pieces)


def _disputes(summary: Summary) -> Disputes | None:
    """The most contested pairs and, unless the network is large, the cost of deciding them differently."""
    consensus = summary.consensus
    if summary.stability:
        return None
    if len(consensus.dag.variables) > LARGE:
        return unsolved(consensus, DEFAULT_COUNT)
    return disputes(consensus, time_limit=_SECONDS_OF_DISPUTES)


def filled(template: str, pieces: Mapping[str, str]) -> str:
    """A template with its pieces, filled in one pass: a piece is never searched for further marks."""
    first, *others = template.split("{{")
    parts = [first]
    for other in others:
        name, _, text = other.partition("}}")
        parts += [pieces[name], text]
    return "".join(parts)


def _policy(scripts: Iterable[str], looks: Iterable[str], solves: bool = False) -> str:
    """The permissions of the page: to run its own scripts and use its own style sheets, without any requests.

    A page that solves again may also compile WebAssembly, and run a worker from its own text.
    """
    own, worn = (" ".join(map(source_hash, all_of_a_kind)) for all_of_a_kind in (scripts, looks))
    runs = f"script-src {own} {MAY_COMPILE}; {MAY_WORK}" if solves else f"script-src {own}"
    return f"default-src 'none'; {runs}; style-src {worn}; img-src data:; base-uri 'none'; form-action 'none'"


def _solver(variables: int) -> str:
    """The kernel and the script of its worker, packed."""
    bytes_of_kernel = kernel(variables)
    assert bytes_of_kernel is not None
    parts = {"packed-kernel": _packed(bytes_of_kernel), "packed-worker": _packed(_short_script(WORKER))}
    return "".join(f'<script type="text/plain" id="{name}">{text}</script>\n' for name, text in parts.items())


_packed = cache(packed)  # of scripts and style sheets, which are the same in every report


def source_hash(text: str) -> str:
    """The hash of a script or style sheet, as a policy names it."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _still(summary: Summary, layout: Layout) -> dict[str, str]:
    """The content for readers whose mail program or browser runs no scripts."""
    first, *others = summary.lines
    said, more = others[:_STILL_LEAD], others[_STILL_LEAD:]
    width, height = layout.width, layout.height
    picture = Picture.of_consensus(summary.consensus, layout)
    return {
        "headline": markup(first),
        "lead": markup(" ".join(_sentence(line, summary.outliers) for line in said)),
        "notes": _items(_sentence(line.removesuffix(".")) for line in (*more, *summary.consensus.notes)),
        "whole": f"0 0 {width:g} {height:g}",
        "width": f"{_MOST_CLOSE * width:g}",
        "height": f"{_MOST_CLOSE * height:g}",
        "picture": f'{markers()}<g id="arcs">{_arcs(picture)}</g>{boxes(picture.variables, layout)}',
        "legend": _items(_LINES.get(kind, "") + words for kind, words in picture.legend),
    }


def _arcs(picture: Picture) -> str:
    """Its arcs; in a large network, one path of straight lines for each kind, as curves would take half a megabyte."""
    if len(picture.arcs) <= _MOST_CURVES:
        return picture.arc_paths()
    ends = picture.layout.centres
    ways: dict[str, list[str]] = {}
    for arc in picture.arcs:
        (x0, y0), (x1, y1) = ends[arc.source], ends[arc.target]
        ways.setdefault(arc.kind, []).append(f"M{x0:.0f} {y0:.0f}L{x1:.0f} {y1:.0f}")
    return "".join(f'<path class="arc {kind}" d="{"".join(lines)}"/>' for kind, lines in ways.items())


def _sentence(text: str, names: tuple[str, ...] = ()) -> str:
    """A complete sentence; a name at its beginning stays unchanged."""
    return f"{text if names and text.startswith(names) else text[0].upper() + text[1:]}."


def _items(texts: Iterable[str]) -> str:
    return "".join(f"<li>{markup(text)}</li>" for text in texts)


def style() -> str:
    """The style sheets, joined."""
    return "\n".join(map(_joined_style, _STYLES))


def _joined_style(names: tuple[str, ...]) -> str:
    return "\n".join(resource(f"{name}.css") for name in names)


@cache
def _short_style(names: tuple[str, ...]) -> str:
    return compact_style(_joined_style(names))


@cache
def _short_script(entry: str) -> str:
    return compact_script(joined(entry, resource))


def data_text(data: PageData) -> str:
    """The data as the page reads them."""
    return json.dumps(as_json(data), ensure_ascii=True, separators=(",", ":"), allow_nan=False)


def resource(name: str) -> str:
    """A file of the page, unchanged; or one of those shared by pages on which one answer follows another."""
    folder = resources.files("bnfuse.report.page")
    own = folder.joinpath("template", name)
    return (own if own.is_file() else folder.joinpath("live", name)).read_text("utf-8")
