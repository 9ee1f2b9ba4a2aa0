"""Checks a built site: every link inside leads to a file and an anchor that exist, and nothing is loaded from outside.

python docs/_ext/check_site.py build/docs
"""

from __future__ import annotations

import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "link": "href"}
NOT_LOADED = {"canonical", "next", "prev", "search", "index", "help"}  # links of a page that a browser does not fetch


class Page(HTMLParser):
    """The anchors of a page, where its links lead, and what it loads."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag says."""
        values = {name: value for name, value in attrs if value is not None}
        self.anchors |= {values[name] for name in ("id", "name") if name in values}
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        elif (where := values.get(LOADED.get(tag, ""))) and values.get("rel") not in NOT_LOADED:
            self.loaded.append(where)


@cache
def page(path: Path) -> Page:
    """A page, read once."""
    return Page(path)


def problems(site: Path) -> list[str]:
    """One line for each link that leads nowhere and each thing that would come from outside."""
    found = []
    for path in sorted(site.rglob("*.html")):
        here = path.relative_to(site)
        for where in page(path).loaded:
            parts = urlsplit(where)
            if parts.scheme == "data":
                continue
            if parts.scheme or parts.netloc:
                found.append(f"{here}: loads {where} from outside")
            elif not (path.parent / unquote(parts.path)).is_file():
                found.append(f"{here}: loads {where}, which is not there")
        for where in page(path).links:
            parts = urlsplit(where)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path.resolve()
            if not target.is_file():
                found.append(f"{here}: leads to {where}, which is not there")
            elif _lacks(target, unquote(parts.fragment)):
                found.append(f"{here}: leads to {where}, where there is no such anchor")
    return found


def _lacks(target: Path, anchor: str) -> bool:
    return bool(anchor) and target.suffix == ".html" and anchor not in page(target).anchors


def main() -> int:
    """Print what is wrong; 1 if anything is."""
    site = Path(sys.argv[1]).resolve()
    pages = len(list(site.rglob("*.html")))
    wrong = problems(site)
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"{pages} pages, {sum(len(page(path).links) for path in site.rglob('*.html'))} links, {len(wrong)} problems")
    return 1 if wrong or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
