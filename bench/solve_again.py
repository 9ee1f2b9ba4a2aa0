"""How long a reader waits when a report solves again: from a click to the first answer, and the page's longest task.

    python bench/solve_again.py [--questions 20] [--networks 20] [--base alarm]

Needs Chromium and playwright. The page is opened from a file, with the network off; each question leaves one input out.
"""

import argparse
import json
import random
import shutil
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

import bnfuse

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

TRACED = ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline", "__metadata"]
CLICK = """i => new Promise((done) => {
  const state = document.getElementById("again-state");
  const before = performance.now();
  const box = document.querySelectorAll(".again-inputs input[type=checkbox]")[i];
  const said = state.textContent;
  const observer = new MutationObserver(() => {
    if (!/^Solved again/.test(state.textContent) || state.textContent === said) return;
    observer.disconnect();
    done(performance.now() - before);
  });
  observer.observe(state, { childList: true, characterData: true, subtree: true });
  box.click();
})"""


def longest_tasks(events: list[dict[str, Any]]) -> tuple[float, float]:
    """Of the page's thread, in milliseconds: on the clock, and of CPU time, which other programs do not change."""
    names = {(one["pid"], one["tid"]): one["args"]["name"] for one in events if one["name"] == "thread_name"}
    tasks = [
        one
        for one in events
        if one["ph"] == "X" and "RunTask" in one["name"] and names.get((one["pid"], one["tid"])) == "CrRendererMain"
    ]
    return max(one["dur"] for one in tasks) / 1000, max(one.get("tdur", 0) for one in tasks) / 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--questions", type=int, default=20)
    parser.add_argument("--networks", type=int, default=20)
    parser.add_argument("--base", default="alarm")
    asked = parser.parse_args()
    from page_questions import perturbed  # noqa: PLC0415 - after the path is set

    rng = random.Random(0)
    base = bnfuse.networks.load(asked.base).dag
    dags = [base, *(perturbed(base, rng) for _ in range(asked.networks - 1))]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as tools:
        path = Path(folder) / "report.html"
        bnfuse.consensus(dags).report(path)
        browser = tools.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_context(offline=True, viewport={"width": 1440, "height": 900}).new_page()
        page.goto(path.as_uri() + "#first")
        page.click("#again-open")
        browser.start_tracing(page=page, categories=TRACED)
        waits = [page.evaluate(CLICK, i) for i in range(min(asked.questions, asked.networks - 1))]
        wall, cpu = longest_tasks(json.loads(browser.stop_tracing())["traceEvents"])
        print(f"{asked.base} x {asked.networks}: {path.stat().st_size / 1000:.0f} kB")
        print(f"click to the first answer: median {statistics.median(waits):.0f} ms, longest {max(waits):.0f} ms")
        print(f"longest task of the page: {cpu:.0f} ms of CPU time, {wall:.0f} ms on the clock")
        browser.close()


if __name__ == "__main__":
    main()
