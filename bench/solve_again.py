"""How long a reader waits when a report solves again: from a click to the first answer, and the longest pause.

    python bench/solve_again.py [--questions 20] [--networks 20] [--base alarm]

Needs Chromium and playwright. The page is opened from a file, with the network off; each question leaves one input out.
"""

import argparse
import random
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

import bnfuse

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

WATCH = """() => {
  globalThis.pauses = [];
  let last = performance.now();
  const look = () => { const now = performance.now(); pauses.push(now - last); last = now; setTimeout(look) };
  look();
}"""
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
        page.evaluate(WATCH)
        waits = [page.evaluate(CLICK, i) for i in range(min(asked.questions, asked.networks - 1))]
        pauses = page.evaluate("pauses")
        print(f"{asked.base} x {asked.networks}: {path.stat().st_size / 1000:.0f} kB")
        print(f"click to the first answer: median {statistics.median(waits):.0f} ms, longest {max(waits):.0f} ms")
        print(f"longest pause of the page: {max(pauses):.0f} ms")
        browser.close()


if __name__ == "__main__":
    main()
