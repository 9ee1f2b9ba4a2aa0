"""The page of `bnfuse serve`: the report's page, renewed for every answer, together with the controls.

Two scripts: `workspace-page.js` runs once and stays; `answer.js`, the report's scripts with the workspace's additions,
runs when the first answer arrives, and again for each later one. The page contains no data of a workspace: it fetches
them.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from importlib import resources

from bnfuse.report.drawing.picture import markers
from bnfuse.report.page import page as report
from bnfuse.report.page.compact import compact_script, compact_style
from bnfuse.report.page.scripts import joined

_STYLES = (
    "workspace-frame",
    "work-panel",
    "names-table",
    "tier-board",
    "drawing-board",
    "status-line",
    "disputes",
    "row-section",
    "schools-section",
    "meeting",
    "workspace-screens",
)
_PICTURE = '<g id="arcs"></g><g class="nodes" text-anchor="middle"></g>'
_TEMPLATE = resources.files("bnfuse.serve.http").joinpath("template")


@dataclass(frozen=True, slots=True)
class Page:
    """The same for every workspace."""

    html: str
    policy: str
    """its permissions, for the header `Content-Security-Policy`"""


@cache
def page() -> Page:
    """The page of a workspace."""
    return _page("workspace-page.html", ("workspace-page", "answer"), _STYLES, {"main": _main()})


@cache
def start_page() -> Page:
    """The page before it, for the token and the choice of a workspace. It has a place for the reply to the token."""
    return _page("start-page.html", ("start-page",), ("start-page",), {"entered": "{{entered}}"})


def _page(template: str, names: tuple[str, ...], styles: tuple[str, ...], more: dict[str, str]) -> Page:
    """A page, with its policy: its own scripts and style sheets, and requests to its own server alone."""
    scripts = {name: compact_script(joined(f"{name}.js", _script)) for name in names}
    style = compact_style(
        report.style() + report.resource("school-pictures.css") + "\n".join(_script(f"{name}.css") for name in styles)
    )
    policy = (
        f"default-src 'none'; script-src {' '.join(map(report.source_hash, scripts.values()))}; "
        f"style-src {report.source_hash(style)}; img-src data:; connect-src 'self'; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'"
    )
    return Page(report.filled(_own(template), {"style": style, **more, **scripts}), policy)


def _main() -> str:
    """The empty middle of the report's page."""
    _, _, rest = report.resource("page.html").partition("<main>")
    middle, _, _ = rest.partition("</main>")
    before, stable, after = middle.partition('<section id="stable"')
    pieces = {"markers": markers("school"), "legend": report.resource("schools-legend.html")}
    middle = before + report.filled(_own("schools-section.html"), pieces) + stable + after
    empty = defaultdict(str, {"picture": markers() + _PICTURE, "whole": "0 0 1 1", "width": "1", "height": "1"})
    return report.filled(middle, empty)


def _script(name: str) -> str:
    """A module or a style sheet: the workspace's own, or the report's."""
    return _own(name) if _TEMPLATE.joinpath(name).is_file() else report.resource(name)


def _own(name: str) -> str:
    return _TEMPLATE.joinpath(name).read_text("utf-8")
