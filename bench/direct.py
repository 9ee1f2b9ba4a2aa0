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
    arguments = parser.parse_args()

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


if __name__ == "__main__":
    main()
