"""The screenshots of docs/report.md: the reports of the clinics, and of resamples of one of them, in a browser.

python bench/screenshots.py            docs/report-clinics.png, -dark.png and -phone.png, report-resamples.png
python bench/screenshots.py FOLDER     somewhere else

Needs playwright and a Chromium, as the tests of the page do: Debian's, or the one that $BNFUSE_CHROMIUM names.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

import bnfuse

ROOT = Path(__file__).parent.parent
DESKTOP, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs"
    networks = bnfuse.read(*sorted((ROOT / "examples" / "clinics").glob("*.bif")))
    chromium = os.environ.get("BNFUSE_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    with tempfile.TemporaryDirectory() as place, sync_playwright() as tools:
        clinics, resamples = Path(place) / "clinics.html", Path(place) / "resamples.html"
        bnfuse.consensus(networks).with_frontier(bnfuse.frontier(networks)).report(clinics)
        rows = next(network for network in networks if network.name == "harbour").sample(300)
        bnfuse.consensus(bnfuse.bootstrap(rows, score="aic").run()).fit(rows).report(resamples)
        browser = tools.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, report, size, scheme, dots in (
            ("report-clinics", clinics, DESKTOP, "light", 1),
            ("report-clinics-dark", clinics, DESKTOP, "dark", 1),
            ("report-clinics-phone", clinics, PHONE, "light", 2),
            ("report-resamples", resamples, DESKTOP, "light", 1),
        ):
            page = browser.new_page(
                viewport=size, color_scheme=scheme, device_scale_factor=dots, reduced_motion="reduce"
            )
            page.goto(f"{report.as_uri()}#first")  # without the guide
            if scheme == "dark":
                choose_harbour(page)
            if report == resamples:
                page.locator("[data-a].kept").first.focus()
            page.screenshot(path=folder / f"{name}.png")
            page.close()
        browser.close()


def choose_harbour(page: Page) -> None:
    """Harbour beside the consensus, with the facts of an arc that was dropped."""
    page.select_option("#view", label="harbour")
    page.locator("[data-a].dropped").first.focus()


if __name__ == "__main__":
    main()
