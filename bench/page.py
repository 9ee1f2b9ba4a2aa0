"""Reports of large networks in a browser: frames while the picture is dragged, tables that are sorted, questions.

python bench/page.py            hailfinder x 50 and munin x 20, as Markdown

Needs playwright and a Chromium, as the tests of the page do: Debian's, or the one that $BNFUSE_CHROMIUM names.
"""

from __future__ import annotations

import os
import shutil
import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

import bnfuse
from bnfuse import networks
from report import reports

ROWS = 2_000  # of the data that the tables are made of
MOVES = 120
QUESTIONS = 20

# Milliseconds from just before something is done to the frame after it.
TIMED = """do_it => new Promise(done => {
    const start = performance.now();
    do_it();
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
})"""
FRAMES = """() => { window.times = []; const tick = now => { times.push(now); requestAnimationFrame(tick); };
    requestAnimationFrame(tick); }"""


def main() -> None:
    chromium = os.environ.get("BNFUSE_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as tools:
        browser = tools.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        print("| report | frames a second while dragged | rows | sort ms | filter ms | question ms (median, longest) |")
        print("|---|--:|--:|--:|--:|--:|")
        for name, inputs, path in reports(Path(folder)):
            if name not in ("hailfinder", "munin"):
                continue
            consensus = bnfuse.consensus(inputs, max_clique=4, effort="quick")
            consensus.fit(networks.load(name).sample(ROWS, seed=1)).report(path)
            page = browser.new_page(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
            page.goto(f"{path.as_uri()}#first")
            page.wait_for_timeout(1_000)
            rows, sorting, filtering = table(page)
            asking = questions(page, consensus.dag.variables)
            print(
                f"| {name} | {frames(page):.0f} | {rows} | {sorting:.0f} | {filtering:.0f} | "
                f"{statistics.median(asking):.1f}, {max(asking):.1f} |",
                flush=True,
            )
            page.close()
        browser.close()


def frames(page: Page) -> float:
    """Frames a second while a mouse drags the picture there and back."""
    page.evaluate("scrollTo(0, 0)")
    box = page.locator("#net").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2 + 17
    page.mouse.move(x, y)
    page.mouse.down()
    page.evaluate(FRAMES)
    for move in range(MOVES):
        aside = 3 * (move if move < MOVES / 2 else MOVES - move)
        page.mouse.move(x + aside, y + aside / 2)
    times = page.evaluate("times")
    page.mouse.up()
    return 1_000 * (len(times) - 1) / (times[-1] - times[0])


def table(page: Page) -> tuple[str, float, float]:
    """How many rows the table of arcs has with all arcs in it, and the milliseconds that sorting and filtering take."""
    page.select_option("#arc-table select", index=0)
    rows = page.inner_text("#arc-table .table-tools .note >> nth=0")
    sort = "() => document.querySelectorAll('#arc-table th button')[4].click()"
    sorting = page.evaluate(f"() => ({TIMED})({sort})")
    write = "() => { const field = document.querySelector('#arc-table input'); field.value = 'R_'; \
        field.dispatchEvent(new Event('input', { bubbles: true })); }"
    return rows, sorting, page.evaluate(f"() => ({TIMED})({write})")


def questions(page: Page, variables: Sequence[str]) -> list[float]:
    """Milliseconds from a click on a state to the frame with what it makes of all boxes."""
    taken = []
    for name in variables[:QUESTIONS]:
        page.fill("#search", name)
        page.press("#search", "Enter")
        click = "() => document.querySelector('#details .states button').click()"
        taken.append(page.evaluate(f"() => ({TIMED})({click})"))
        page.click("#evidence .finding")
    return taken


if __name__ == "__main__":
    main()
