"""How fast BIF files are read, beside pyAgrum, in one run: python bench/reading.py diabetes.bif.gz munin.bif.gz."""

from __future__ import annotations

import argparse
import gzip
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pyagrum

from bnfuse.files import bif

ROUNDS = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, help=".bif or .bif.gz")
    files = parser.parse_args().files
    print(f"{'file':<20} {'MB':>7} {'bnfuse MB/s':>12} {'pyAgrum MB/s':>13} {'ratio':>7}")
    with tempfile.TemporaryDirectory() as folder:
        for file in files:
            plain = Path(folder) / file.name.removesuffix(".gz")
            data = file.read_bytes()
            plain.write_bytes(gzip.decompress(data) if file.suffix == ".gz" else data)
            megabytes = plain.stat().st_size / 1e6
            ours = megabytes / best_of(lambda plain=plain: bif.read_text(plain.read_text("utf-8"), str(plain)))
            theirs = megabytes / seconds_of_pyagrum(plain)
            print(f"{plain.name:<20} {megabytes:7.2f} {ours:12.1f} {theirs:13.1f} {ours / theirs:7.1f}", flush=True)


def seconds_of_pyagrum(path: Path) -> float:
    try:
        return best_of(lambda: pyagrum.loadBN(str(path)))
    except pyagrum.FatalError:  # labels that it does not know, as in child
        return float("nan")


def best_of(read: Callable[[], object]) -> float:
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        read()
        times.append(time.perf_counter() - start)
    return min(times)


if __name__ == "__main__":
    main()
