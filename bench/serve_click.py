"""From a click on the page of `bnfuse serve` to the new consensus on screen, and how long the page stands still.

    python bench/serve_click.py                    the table of docs/serve.md, as Markdown
    python bench/serve_click.py --clicks 5 --only 50

Each click switches another input off, so that none is answered from memory. The time ends with the frame that shows
the new network; a pause is the longest task in the browser meanwhile, during which nothing on the page moves. Needs
playwright and a Chromium, as the tests do.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from bnfuse import DAG, networks
from instances import perturbed, sparse_dag

SIZES = ((50, 50), (1041, 20))
WATCH = """() => {
    window.pauses = [];
    new PerformanceObserver((list) => window.pauses.push(...list.getEntries().map((one) => one.duration)))
        .observe({ type: "longtask" });
}"""
CLICK = """async (i) => {
    const line = document.getElementById("line");
    const [before, box] = [Number(line.dataset.revision), document.querySelectorAll("#inputs [type=checkbox]")[i]];
    const frame = () => new Promise(requestAnimationFrame);
    window.pauses.length = 0;
    const start = performance.now();
    box.click();
    while (Number(line.dataset.revision) === before) await frame();
    await frame();
    return performance.now() - start;
}"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clicks", type=int, default=12)
    parser.add_argument("--only", type=int, help="the number of variables of one of the rows")
    arguments = parser.parse_args()
    chromium = os.environ.get("BNFUSE_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    print("| variables | inputs | clicks | median s | 95 % within s | longest pause s |")
    print("|--:|--:|--:|--:|--:|--:|")
    with sync_playwright() as tools:
        browser = tools.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for n, r in SIZES:
            if arguments.only not in (None, n):
                continue
            clicks = arguments.clicks if n < 1000 else min(arguments.clicks, 2)
            with served(n, r) as url:
                page = browser.new_page(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
                page.goto(url)
                seconds, pauses = measured(page, clicks)
                page.close()
            late = sorted(seconds)[-(-95 * len(seconds) // 100) - 1]
            numbers = f"{statistics.median(seconds):.2f} | {late:.2f} | {max(pauses, default=0.0):.2f}"
            print(f"| {n:,} | {r} | {clicks} | {numbers} |", flush=True)
        browser.close()


def measured(page: Page, clicks: int) -> tuple[list[float], list[float]]:
    page.locator("#line[data-revision]").wait_for(timeout=300_000)
    page.evaluate(WATCH)
    seconds, pauses = [], []
    for i in range(clicks):
        page.locator("#figures:not(:has(.busy))").wait_for(timeout=300_000)
        seconds.append(page.evaluate(CLICK, i) / 1000)
        page.wait_for_timeout(300)
        pauses += [one / 1000 for one in page.evaluate("window.pauses")]
    return seconds, pauses


@contextmanager
def served(n: int, r: int) -> Iterator[str]:
    """A server with a workspace of perturbed copies of a sparse network, or of munin; its address."""
    base = networks.load("munin").dag if n > 1000 else sparse_dag(n, seed=1)
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "copies.json"
        file.write_text(json.dumps(ensemble(list(perturbed(base, r, seed=1)))), "utf-8")
        with serving(Path(place), file) as url:
            yield url


@contextmanager
def serving(folder: Path, *files: Path) -> Iterator[str]:
    """A server with a new workspace of these files; its address."""
    command = [sys.executable, "-m", "bnfuse", "serve", *map(str, files), "--folder", str(folder), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            address, opening = server.stdout.readline().split()[-1], server.stdout.readline()
            yield f"{address}#{opening.split()[-1]}"  # the token is the last word
        finally:
            server.terminate()


def ensemble(dags: list[DAG]) -> dict[str, object]:
    copies = [{"name": f"site-{i + 1}", "edges": [list(arc) for arc in dag.edges]} for i, dag in enumerate(dags)]
    return {"variables": list(dags[0].variables), "networks": copies}


if __name__ == "__main__":
    main()
