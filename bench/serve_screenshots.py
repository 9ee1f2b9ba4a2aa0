"""The screenshots of docs/serve.md: the clinics at a table, in a browser.

python bench/serve_screenshots.py            docs/serve-clinics.png, -rounds, -dark and -phone, serve-drawing.png
python bench/serve_screenshots.py FOLDER     somewhere else

Needs playwright and a Chromium, as the tests of the page do: Debian's, or the one that $BNFUSE_CHROMIUM names.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from serve_click import serving

ROOT = Path(__file__).parent.parent
DESKTOP, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
PATIENCE = 120_000  # milliseconds


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs"
    clinics = sorted((ROOT / "examples" / "clinics").glob("*.bif"))
    chromium = os.environ.get("BNFUSE_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    with tempfile.TemporaryDirectory() as place, serving(Path(place), *clinics) as url, sync_playwright() as tools:
        browser = tools.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport=DESKTOP, reduced_motion="reduce")
        page.goto(url)
        settle(page)
        freeze(page)
        page.get_by_label("Largest clique", exact=True).fill("3")
        settle(page)
        page.locator("[data-a].dropped").first.focus()
        page.keyboard.press("Enter")
        page.evaluate("scrollTo(0, 0)")
        page.screenshot(path=folder / "serve-clinics.png")
        freeze(page)
        for part in ("inputs", "settings", "rounds", "out", "history"):
            page.locator(f"#{part}-part > summary").click()
        page.locator("#disputed").evaluate("one => one.scrollIntoView({ behavior: 'instant' })")
        page.wait_for_timeout(500)
        page.screenshot(path=folder / "serve-clinics-rounds.png")
        for name, size, scheme, dots in (("dark", DESKTOP, "dark", 1), ("phone", PHONE, "light", 2)):
            other = browser.new_page(
                viewport=size, color_scheme=scheme, device_scale_factor=dots, reduced_motion="reduce"
            )
            other.goto(url)
            settle(other)
            if scheme == "dark":
                other.locator(".node", has_text="Pneumonia").focus()
                other.keyboard.press("Enter")
            else:
                other.locator("#work-button").click()
            other.screenshot(path=folder / f"serve-clinics-{name}.png")
        draw(page)
        page.screenshot(path=folder / "serve-drawing.png")
        browser.close()


def draw(page: Page) -> None:
    """A copy of an input with one arc more, and one that would close a cycle."""
    page.evaluate("scrollTo(0, 0)")
    page.locator("#inputs-part > summary").click()
    page.locator("#draw-it").click()
    page.locator("#drawing-name").fill("Ana\u2019s network")
    page.locator("#drawing-copy").select_option(label="a copy of northfield")
    page.locator("#drawing-net [data-name=Age]").wait_for()
    for source, target in (("Asthma", "Hospitalised"), ("Hospitalised", "Smoker")):
        page.locator("#drawing-list > summary").click()
        page.locator("#drawing-source").select_option(source)
        page.locator("#drawing-target").select_option(target)
        page.locator("#drawing-arc").click()
        page.locator("#drawing-list > summary").click()
    page.wait_for_timeout(300)


def settle(page: Page) -> None:
    page.wait_for_timeout(600)
    page.locator("#line[data-revision]").wait_for(timeout=PATIENCE)
    page.locator("#figures:not(:has(.busy)) strong").wait_for(timeout=PATIENCE)
    page.wait_for_timeout(600)


def freeze(page: Page) -> None:
    page.locator("#rounds-part > summary").click()
    page.get_by_text("Freeze this round").click()
    page.wait_for_timeout(600)
    page.locator("#rounds-part > summary").click()


if __name__ == "__main__":
    main()
