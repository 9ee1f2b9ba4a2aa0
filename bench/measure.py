"""Time, memory and import time, measured the same way everywhere; and tables to print them in."""

from __future__ import annotations

import multiprocessing
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path


def best_of(call: Callable[[], object], repeats: int = 5, budget: float = 1.0) -> float:
    """Seconds of the fastest of several calls: at least one, and no more than fit into `budget` seconds."""
    best, spent = float("inf"), 0.0
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        seconds = time.perf_counter() - start
        best, spent = min(best, seconds), spent + seconds
        if spent > budget:
            break
    return best


def import_seconds(module: str, runs: int = 5) -> float:
    """What `import module` takes in a fresh interpreter, the best of several."""
    totals = []
    for _ in range(runs):
        command = [sys.executable, "-X", "importtime", "-c", f"import {module}"]
        report = subprocess.run(command, capture_output=True, text=True, check=True).stderr
        found = re.findall(rf"\| +(\d+) \| {module}$", report, re.MULTILINE)
        totals.append(int(found[-1]) / 1e6)
    return min(totals)


def peak_megabytes(work: Callable[[], object]) -> float:
    """The most memory that a fresh process ever held while it did this."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_peak_after, (work,)) / 1024


def _peak_after(work: Callable[[], object]) -> int:
    work()
    # Not getrusage: a child inherits its parent's peak there.
    status = Path("/proc/self/status").read_text()
    return int(re.findall(r"VmHWM:\s+(\d+) kB", status)[0])


def seconds_text(seconds: float) -> str:
    """A time with three digits, in the unit that suits it."""
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if seconds * factor >= 1 or unit == "µs":
            return f"{seconds * factor:.3g} {unit}" if seconds * factor < 1000 else f"{seconds * factor:,.0f} {unit}"
    raise AssertionError


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Prints each row as soon as it is measured."""
    print(f"\n{title}\n")
    widths = [max(len(name), 9) for name in columns]
    print("  ".join(name.rjust(width) for name, width in zip(columns, widths, strict=True)))
    for row in rows:
        print("  ".join(str(cell).rjust(width) for cell, width in zip(row, widths, strict=True)), flush=True)
