"""The direct search beside the best recorded genetic run of the paper's public program: value, bound, gap, seconds.

    python bench/direct.py FOLDER [--effort quick|normal|thorough] [--directions any|seen|majority] [--only INSTANCE]
    python bench/direct.py FOLDER --fsim [--only INSTANCE] [--limits T ...]

FOLDER holds reference-runs.csv and the instances that it names.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path

import bnfuse
from bnfuse.problem.constraints import DIRECTIONS
from bnfuse.search.paper.candidates import KINDS
from reference import best_recorded, instances


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--effort", default="normal")
    parser.add_argument("--directions", choices=DIRECTIONS, default="majority")
    parser.add_argument("--only", help="instances whose name starts so")
    parser.add_argument("--fsim", action="store_true", help="FSim: beside our genetic search, in the same time")
    parser.add_argument("--limits", type=int, nargs="+", default=[3, 4, 5, 8], help="of the comparison for FSim")
    arguments = parser.parse_args()
    if arguments.fsim:
        compare_fsim(arguments.folder, arguments.only or "", arguments.limits)
        return

    recorded = best_recorded(arguments.folder)
    best = {key: java for key, java in recorded.items() if key[0].startswith(arguments.only or "")}
    dags = instances(arguments.folder)
    worse, gaps, seconds = 0, defaultdict(list), 0.0
    for (name, limit), java in sorted(best.items()):
        result = bnfuse.consensus(dags[name], limit, effort=arguments.effort, directions=arguments.directions)
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


def compare_fsim(folder: Path, only: str, limits: list[int]) -> None:
    """The genetic search on each candidate set, and the direct one in the least of their seconds."""
    above = total = 0
    ratios = []
    for name, dags in instances(folder).items():
        for limit in limits if name.startswith(only) else []:
            runs = [bnfuse.consensus(dags, limit, metric="fsim", method="genetic", candidates=kind) for kind in KINDS]
            seconds = min(run.seconds for run in runs)
            direct = bnfuse.consensus(dags, limit, metric="fsim", effort="thorough", time_limit=seconds)
            best = min(run.distance for run in runs)
            above += direct.distance > best + 1e-9
            total += 1
            ratios.append(direct.distance / best if best else 1.0)
            genetic = "  ".join(
                f"{kind} {run.distance:8.3f} {run.seconds:5.2f} s" for kind, run in zip(KINDS, runs, strict=True)
            )
            print(
                f"{name:18} t={limit}  {genetic}  direct {direct.distance:8.3f} {direct.seconds:5.2f} s"
                f"{'  ABOVE' * (direct.distance > best + 1e-9)}",
                flush=True,
            )
    mean = sum(ratios) / max(total, 1)
    print(f"{above} of {total} above the best of the three genetic searches; mean ratio {mean:.3f}")


if __name__ == "__main__":
    main()
