"""`bnfuse try`: one HTML file that reads networks, finds their consensus and shows it, all in the browser.

Two scripts, packed in the page: `try-page.js` runs once and stays; `try-answer.js`, the report's scripts, runs when the
first answer is ready, and again for each later one. Workers do the long computations, so that the page can end them:
`reading-worker.js` reads files and makes the report's data, `solver-worker.js` searches.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from importlib import resources
from pathlib import Path

from bnfuse import __version__
from bnfuse._base import disk
from bnfuse.errors import FileError
from bnfuse.report.drawing.picture import markers
from bnfuse.report.page import page as report
from bnfuse.report.page.compact import compact_script, compact_style, deflated, packed
from bnfuse.report.page.scripts import joined
from bnfuse.report.solver.parts import MAY_COMPILE, MAY_WORK, kernel

ACCEPTED = (".bif", ".xmlbif", ".bifxml", ".xml", ".xdsl", ".csv", ".json", ".gz")
"""the extensions of the files that the page offers to choose; others can be dropped"""
_ENDINGS = (".html", ".htm")
_OPENING = b"<!doctype html>\n<!-- the empty page of bnfuse -->"
_PICTURE = '<g id="arcs"></g><g class="nodes" text-anchor="middle"></g>'
ENTRIES = ("unpack", "try-page", "try-answer", "reading-worker", "solver-worker")
"""modules from which the scripts of the page are made"""
_FOLDERS = ("template", "readers")


def write_page(path: Path, overwrite: bool = False) -> None:
    """Write the page to a file."""
    check_page(path, overwrite)
    disk.write_bytes(page().encode(), path)


def check_page(path: Path, overwrite: bool = False) -> None:
    """Refuse a path to which the page could not be written."""
    if path.suffix.lower() not in _ENDINGS:
        raise FileError(path, "the page is written to a file that ends in .html")
    disk.check_replaceable(path, lambda head: head.startswith(_OPENING), "a page", overwrite)


def has_solver() -> bool:
    """Whether the page can find a consensus: only if the kernel was built for it."""
    return kernel() is not None


@cache
def page() -> str:
    """The page, which is the same for everybody."""
    unpack, script, answer, reader, solver = (_script(f"{name}.js") for name in ENTRIES)
    first_looks, looks = map(compact_style, (resource("page-frame.css"), report.style() + resource("try-page.css")))
    pieces = {
        "policy": _policy((unpack, script, answer), (first_looks, looks)),
        "version": __version__,
        "style": first_looks,
        "packed style": packed(looks),
        "data": deflated(""),
        "accept": ",".join(ACCEPTED),
        "main": _main(),
        "answer": packed(answer),
        "reader": packed(reader),
        "solver": packed(solver),
        "kernel": packed(known) if (known := kernel()) else "",
        "packed": packed(script),
        "unpack": unpack,
    }
    return report.filled(resource("try-page.html"), pieces)


def _policy(scripts: Iterable[str], looks: Iterable[str]) -> str:
    """The permissions of the page: to run its own scripts, and its own workers; it makes no requests."""
    own, worn = (" ".join(map(report.source_hash, all_of_a_kind)) for all_of_a_kind in (scripts, looks))
    return (
        f"default-src 'none'; script-src {own} {MAY_COMPILE}; {MAY_WORK}; "
        f"style-src {worn}; img-src data:; base-uri 'none'; form-action 'none'"
    )


def _main() -> str:
    """The empty middle of the report's page."""
    _, _, rest = report.resource("page.html").partition("<main>")
    middle, _, _ = rest.partition("</main>")
    empty = defaultdict(str, {"picture": markers() + _PICTURE, "whole": "0 0 1 1", "width": "1", "height": "1"})
    return report.filled(middle, empty)


def _script(entry: str) -> str:
    return compact_script(joined(entry, resource))


def resource(name: str) -> str:
    """A file of this page, or of the report's, unchanged."""
    package = resources.files("bnfuse.report.browser")
    own = (package.joinpath(folder, name) for folder in _FOLDERS)
    found = next((file for file in own if file.is_file()), None)
    return report.resource(name) if found is None else found.read_text("utf-8")
