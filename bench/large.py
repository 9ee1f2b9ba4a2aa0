"""Results over many variables: the CPU seconds that showing and keeping them takes, and how that grows.

    python bench/large.py [--variables 250 500 1000 2000] [--inputs 10]

The inputs are copies of a forest with extra arcs, most of them between variables that are near each other; each copy
lacks some arcs and has some of its own. Their consensus is the majority vote, so that nothing is searched. Prints, as
Markdown, the CPU seconds of the proven bound, of laying out the picture, of all of the report beside these two, of a
cell in a notebook, of saving and of loading; the size of the report; and the power of the number of variables by
which each of the times grows, from the first line to the last.
"""

from __future__ import annotations

import argparse
import math
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import bnfuse
from bnfuse import DAG, Consensus
from bnfuse.report.page.page_data import layout_of

PARTS = ("bound", "layout", "rest of the report", "notebook", "save", "load")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variables", type=int, nargs="+", default=[250, 500, 1000, 2000])
    parser.add_argument("--inputs", type=int, default=10)
    arguments = parser.parse_args()
    print(f"| variables | arcs | {' | '.join(PARTS)} | report kB |")
    print(f"|--:|--:|{'--:|' * len(PARTS)}--:|")
    lines = []
    for n in arguments.variables:
        found = bnfuse.consensus(copies(n, arguments.inputs), 4, method="majority")
        times, size = measured(found)
        lines.append((n, times))
        cells = " | ".join(f"{seconds:.2f}" for seconds in times)
        print(f"| {n:,} | {len(found.dag.edges):,} | {cells} | {size:,.0f} |", flush=True)
    (first, before), (last, after) = lines[0], lines[-1]
    if last > first:
        powers = [math.log(b / a) / math.log(last / first) for a, b in zip(before, after, strict=True)]
        print(f"| power | | {' | '.join(f'{power:.1f}' for power in powers)} | |")


def copies(n: int, count: int, seed: int = 0) -> list[DAG]:
    """Of a forest with extra arcs."""
    draw = random.Random(seed)
    names = [f"V{i}" for i in range(n)]

    def near(v: int) -> int:
        return max(0, v - 1 - int(draw.expovariate(1 / 8))) if draw.random() < 0.8 else draw.randrange(v)

    base = {(near(v), v) for v in range(1, n) if draw.random() < 0.97} | {
        (near(v), v) for v in draw.sample(range(1, n), n // 3)
    }
    made = []
    for _ in range(count):
        kept = {arc for arc in sorted(base) if draw.random() < 0.8} | {
            (near(v), v) for v in draw.sample(range(1, n), n // 10)
        }
        made.append(DAG(names, [(names[a], names[b]) for a, b in sorted(kept)]))
    return made


def measured(found: Consensus) -> tuple[list[float], float]:
    """The seconds of each part, and the size of the report in kB."""
    with tempfile.TemporaryDirectory() as folder:
        page, saved = Path(folder) / "report.html", Path(folder) / "result.json"
        notebook = seconds(found._repr_html_)
        save = seconds(lambda: found.save(saved))
        load = seconds(lambda: Consensus.load(saved))
        bound = seconds(lambda: found.lower_bound)
        layout = seconds(lambda: layout_of(found))
        report = seconds(lambda: found.report(page))
        return [bound, layout, report - layout, notebook, save, load], page.stat().st_size / 1e3


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


if __name__ == "__main__":
    main()
