"""The direct search beside the best recorded genetic run of the paper's public program: value, bound, gap, seconds.

    python bench/direct.py FOLDER [--effort quick|normal|thorough] [--only INSTANCE]

FOLDER holds reference-runs.csv and the instances that it names.
"""

from __future__ import annotations

import argparse
import csv
from collections import defaultdict
from pathlib import Path

import bnfuse
from reference import instances


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--effort", default="normal")
    parser.add_argument("--only", help="instances whose name starts so")
    parser.add_argument("--fsim", action="store_true", help="FSim: beside our genetic search, in the same time")
    arguments = parser.parse_args()
    if arguments.fsim:
        compare_fsim(arguments.folder, arguments.only or "")
        return

    best: dict[tuple[str, int], float] = defaultdict(lambda: float("inf"))
    for row in csv.DictReader((arguments.folder / "reference-runs.csv").open()):
        if row["metric"] == "smhd" and row["status"] == "ok" and row["instance"].startswith(arguments.only or ""):
            key = row["instance"], int(row["max_clique"])
            best[key] = min(best[key], float(row["genetic_value"]))
    dags = instances(arguments.folder)
    worse, gaps, seconds = 0, defaultdict(list), 0.0
    for (name, limit), java in sorted(best.items()):
        result = bnfuse.consensus(dags[name], limit, effort=arguments.effort)
        worse += result.distance > java + 1e-9
        gaps[limit].append(result.gap)
        seconds += result.seconds
        print(
            f"{name:18} t={limit:2}  java {java:8.3f}  direct {result.distance:8.3f}  bound {result.lower_bound:8.3f}  "
            f"gap {100 * result.gap:5.1f} %  {result.seconds:6.2f} s",
            flush=True,
        )
    print(f"{len(best)} problems, {worse} worse than the best genetic run; {seconds:.1f} s")
    for limit, values in sorted(gaps.items()):
        print(f"t={limit}: mean gap {100 * sum(values) / len(values):.1f} % over {len(values)}")


def compare_fsim(folder: Path, only: str) -> None:
    """Each genetic search, and the direct one with its seconds as the time limit."""
    above = total = 0
    for name, dags in instances(folder).items():
        if not name.startswith(only) or "_r50" in name:
            continue
        for kind in ("shared", "fused"):
            genetic = bnfuse.consensus(dags, 4, metric="fsim", method="genetic", candidates=kind)
            direct = bnfuse.consensus(dags, 4, metric="fsim", effort="thorough", time_limit=genetic.seconds)
            above += direct.distance > genetic.distance
            total += 1
            print(
                f"{name:18} t=4 fsim  genetic {kind:6} {genetic.distance:8.3f} {genetic.seconds:5.1f} s  "
                f"direct {direct.distance:8.3f} {direct.seconds:5.1f} s",
                flush=True,
            )
    print(f"{above} of {total} above the genetic search")


if __name__ == "__main__":
    main()
