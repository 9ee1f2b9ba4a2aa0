"""Proof on request, measured: answers, bounds and gaps before and after, and what quick and normal searches lose.

    python bench/proofs.py FOLDER [--set real|synthetic|recorded] [--directions any|seen|majority] [--cpu-seconds 60]
        [--effort quick|normal] [--only INSTANCE] [--limits T ...]
    python bench/proofs.py FOLDER ... --lines FILE        goes on where FILE ends, and adds a line of JSON a problem
    python bench/proofs.py FOLDER --lines FILE --table    only sums up what is in FILE

FOLDER holds reference-instances.json.gz, real-instances.json.gz and reference-runs.csv; `recorded` are 120 problems of
both kinds (see reference.py). The proof follows a search of that effort (with quick there is no normal search); it ends
after so many CPU seconds of this process: on a busy machine wall seconds tell little.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from statistics import fmean
from typing import Any

import bnfuse
from bnfuse._base.texts import relative_gap
from bnfuse.problem.constraints import DIRECTIONS
from bnfuse.search.outcome import mean_distance
from bnfuse.search.proof.proof import prove
from bnfuse.search.run import Run
from reference import instances, is_synthetic, problems

SETS = ("real", "synthetic", "recorded")
LIMITS = {"real": [3, 4, 5, 6], "synthetic": [3, 4, 5, 6, 8, 10]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--set", choices=SETS, default="real")
    parser.add_argument("--directions", choices=DIRECTIONS, default="majority")
    parser.add_argument(
        "--effort", choices=("quick", "normal"), default="normal", help="of the search before the proof"
    )
    parser.add_argument("--cpu-seconds", type=float, default=60.0)
    parser.add_argument("--only", default="", help="instances whose name starts so")
    parser.add_argument("--limits", type=int, nargs="+")
    parser.add_argument("--lines", type=Path, help="a file of lines of JSON")
    parser.add_argument("--table", action="store_true", help="run nothing")
    arguments = parser.parse_args()
    lines = _read(arguments.lines)
    done = {(line["instance"], line["max_clique"], line["directions"]) for line in lines}
    dags = instances(arguments.folder)
    for name, limit in [] if arguments.table else _problems(arguments):
        if (name, limit, arguments.directions) in done or not name.startswith(arguments.only):
            continue
        line = {"instance": name, "max_clique": limit, "directions": arguments.directions}
        line |= measured(dags[name], limit, arguments)
        lines.append(line)
        print(_told(line), flush=True)
        if arguments.lines is not None:
            with arguments.lines.open("a") as file:
                file.write(json.dumps(line) + "\n")
    sum_up([line for line in lines if line["directions"] == arguments.directions])


def _problems(arguments: argparse.Namespace) -> list[tuple[str, int]]:
    if arguments.set == "recorded":
        return [one for one in problems(arguments.folder) if one[1] in (arguments.limits or [one[1]])]
    limits = arguments.limits or LIMITS[arguments.set]
    names = [name for name in instances(arguments.folder) if is_synthetic(name) == (arguments.set == "synthetic")]
    return [(name, limit) for name in names for limit in limits]


def _read(path: Path | None) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path is not None and path.exists() else []


def measured(dags: list[bnfuse.DAG], limit: int, arguments: argparse.Namespace) -> dict[str, Any]:
    efforts = ("quick",) if arguments.effort == "quick" else ("quick", "normal")
    found_by = {
        effort: bnfuse.consensus(dags, limit, effort=effort, directions=arguments.directions) for effort in efforts
    }
    quick, normal = found_by["quick"], found_by[arguments.effort]
    wall, cpu = time.perf_counter(), time.process_time()
    found, proof = prove(normal.problem, Run(progress=_until(cpu + arguments.cpu_seconds)), normal.found)
    return {
        "quick": quick.distance,
        "normal": normal.distance,
        "answer": mean_distance(normal.problem, found.dag),
        "cheap_bound": normal.lower_bound,
        "bound": normal.lower_bound if proof is None else normal.problem.mean(proof.bound),
        "program": None if proof is None else proof.program,
        "inequalities": 0 if proof is None else len(proof.inequalities),
        "is_realised": proof is None or proof.is_realised,
        "stopped_by": found.stopped_by,
        "cpu_seconds": round(time.process_time() - cpu, 2),
        "wall_seconds": round(time.perf_counter() - wall, 2),
    }


def _until(end: float) -> Callable[[bnfuse.Progress], None]:
    """Ends a proof as Ctrl-C does."""

    def look(now: bnfuse.Progress) -> None:
        if time.process_time() > end:
            raise KeyboardInterrupt

    return look


def _gap(distance: float, bound: float) -> float:
    gap = relative_gap(distance, bound)
    return math.inf if gap is None else gap


def _told(line: dict[str, Any]) -> str:
    before, after = _gap(line["normal"], line["cheap_bound"]), _gap(line["answer"], line["bound"])
    return (
        f"{line['instance']:18} t={line['max_clique']:2}  normal {line['normal']:8.3f}  answer {line['answer']:8.3f}  "
        f"bound {line['cheap_bound']:8.3f} -> {line['bound']:8.3f}  gap {100 * before:5.1f} % -> {100 * after:5.1f} %  "
        f"{line['program'] or '-':5} {line['inequalities']:6}  {line['cpu_seconds']:6.1f} s CPU"
    )


def sum_up(lines: list[dict[str, Any]]) -> None:
    """By limit: how many are proven, mean gaps, and the losses of searches against proven optima."""
    by_limit = defaultdict(list)
    for line in lines:
        by_limit[line["max_clique"]].append(line)
    print("\nlimit  problems  proven before  after  mean gap before  after  above the optimum: quick       normal")
    for limit, those in [*sorted(by_limit.items()), ("all", lines)]:
        before = [_gap(line["normal"], line["cheap_bound"]) for line in those]
        after = [_gap(line["answer"], line["bound"]) for line in those]
        settled = [line for line, gap in zip(those, after, strict=True) if gap == 0]
        counts = f"{len(those):8}  {before.count(0.0):13}  {after.count(0.0):5}"
        gaps = f"{100 * fmean(before):13.1f} %  {100 * fmean(after):4.1f} %"
        print(f"{limit!s:>5}  {counts}  {gaps}  {_losses(settled, 'quick'):>25}  {_losses(settled, 'normal'):>12}")


def _losses(settled: list[dict[str, Any]], effort: str) -> str:
    """How many answers of an effort are above the proven optimum, and by how much on the average of all."""
    above = [line[effort] / line["answer"] - 1 if line["answer"] else 0.0 for line in settled]
    return f"{sum(one > 1e-12 for one in above)}, {100 * fmean(above):.2f} %" if above else "-"


if __name__ == "__main__":
    main()
