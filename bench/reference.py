"""Our genetic search beside recorded runs of the paper's public Java program: values, seconds, ratios.

    python bench/reference.py FOLDER [--preset NAME] [--seeds 0,1,2] [--only CANDIDATES] [option=value ...]
    python bench/reference.py FOLDER --limits 2,3,4,6,9 ...     how distances depend on the limit, greedy ones too
    python bench/reference.py FOLDER --limits 3,6 --methods min-cut,direct    those of methods without candidates

FOLDER holds reference-runs.csv and the instances (reference-instances.json.gz, real-instances.json.gz) that it names.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import math
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Any

import bnfuse


@dataclass(frozen=True)
class Recorded:
    """A recorded run of the Java program, and the mean of ours over the seeds."""

    row: dict[str, str]
    distance: float
    seconds: float
    cpu_seconds: float

    @property
    def theirs(self) -> float:
        return float(self.row["genetic_value"])

    @property
    def their_seconds(self) -> float:
        return float(self.row["genetic_seconds"])

    @property
    def excess(self) -> float:
        """How far ours is above theirs, as a share."""
        return self.distance / max(self.theirs, 1e-9) - 1

    def __str__(self) -> str:
        row = self.row
        return (
            f"{row['instance']:18} {row['metric']} {row['candidates']:11} t={row['max_clique']:2}  "
            f"java {self.theirs:8.3f} {self.their_seconds:7.2f} s   ours {self.distance:8.3f} {self.seconds:6.3f} s   "
            f"difference {self.distance - self.theirs:+7.3f} ({self.excess:+.1%})  "
            f"{self.their_seconds / self.seconds:6.0f} x"
        )


def instances(folder: Path) -> dict[str, list[bnfuse.DAG]]:
    found = {}
    for file in ("reference-instances.json.gz", "real-instances.json.gz"):
        for instance in json.loads(gzip.decompress((folder / file).read_bytes())):
            found[instance["instance"]] = [
                bnfuse.DAG(instance["variables"], map(tuple, network["edges"])) for network in instance["networks"]
            ]
    return found


def best_recorded(folder: Path, metric: str = "smhd") -> dict[tuple[str, int], float]:
    """By instance and limit, the best distance of the public program's genetic runs on its candidate sets."""
    best: dict[tuple[str, int], float] = {}
    for row in csv.DictReader((folder / "reference-runs.csv").open()):
        if row["metric"] == metric and row["status"] == "ok":
            key = row["instance"], int(row["max_clique"])
            best[key] = min(best.get(key, math.inf), float(row["genetic_value"]))
    return best


def problems(folder: Path) -> list[tuple[str, int]]:
    """120 problems: those with recorded runs, and the real instances at limits 3 and 5 (r50) or 4 and 6 (r10, r30)."""
    real = [name for name in instances(folder) if not is_synthetic(name)]
    more = [(name, limit) for name in real for limit in ((3, 5) if "_r50" in name else (4, 6))]
    return sorted({*best_recorded(folder), *more})


def is_synthetic(name: str) -> bool:
    """Whether an instance was not made from a real network."""
    return name.startswith("n") and name[1].isdigit()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--preset", default="default")
    parser.add_argument("--only", help="one candidate set")
    parser.add_argument("--metric", default="smhd", help="the metric of the rows")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--seeds", type=_numbers, default=[0], help="such as 0,1,2: values are means over them")
    parser.add_argument("--rows", action="store_true", help="print every row")
    parser.add_argument("--limits", type=_numbers, help="all instances at these limits instead of the recorded rows")
    parser.add_argument("--methods", type=lambda text: text.split(","), help="with --limits: these instead")
    parser.add_argument("options", nargs="*", help="options of the method, as name=value")
    arguments = parser.parse_intermixed_args()
    given = [text.partition("=") for text in arguments.options]
    options = {name: int(value) if value.isdigit() else value for name, _, value in given}
    dags = instances(arguments.folder)
    genetic = {"method": "genetic", "preset": arguments.preset, "threads": arguments.threads, **options}
    if arguments.limits and arguments.methods:
        _by_method(dags, arguments, options)
    elif arguments.limits:
        _by_limit(dags, arguments, genetic)
    else:
        _beside_recorded(dags, arguments, genetic)


def _numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def _beside_recorded(dags: dict[str, list[bnfuse.DAG]], arguments: argparse.Namespace, genetic: dict[str, Any]) -> None:
    groups = defaultdict(list)
    for row in csv.DictReader((arguments.folder / "reference-runs.csv").open()):
        wanted = row["metric"] == arguments.metric and arguments.only in (None, row["candidates"])
        if row["status"] != "ok" or not wanted:
            continue
        start = time.process_time()
        results = [
            bnfuse.consensus(
                dags[row["instance"]],
                max_clique=int(row["max_clique"]),
                metric=row["metric"],
                candidates=row["candidates"],
                seed=seed,
                **genetic,
            )
            for seed in arguments.seeds
        ]
        cpu = (time.process_time() - start) / len(results)
        run = Recorded(row, fmean(one.distance for one in results), fmean(one.seconds for one in results), cpu)
        groups[row["candidates"]].append(run)
        if arguments.rows:
            print(run, flush=True)
    for kind, runs in groups.items():
        print(_summary(kind, runs))


def _summary(kind: str, runs: Sequence[Recorded]) -> str:
    better = sum(run.distance < run.theirs - 1e-9 for run in runs)
    worse = sum(run.distance > run.theirs + 1e-9 for run in runs)
    theirs, ours = sum(run.their_seconds for run in runs), sum(run.seconds for run in runs)
    with_cpu = [run for run in runs if run.row["cpu_seconds"]]
    their_cpu = sum(float(run.row["cpu_seconds"]) for run in with_cpu)
    our_cpu = sum(run.cpu_seconds for run in with_cpu)
    return "\n".join((
        f"{kind}: {len(runs)} runs",
        f"  mean value   java {fmean(run.theirs for run in runs):.3f}   "
        f"ours {fmean(run.distance for run in runs):.3f}   "
        f"better in {better}, worse in {worse}",
        f"  seconds      java {theirs:.1f}   ours {ours:.2f}   ratio {theirs / ours:.0f}",
        f"  CPU seconds  java {their_cpu:.1f}   ours {our_cpu:.2f}   ratio {their_cpu / max(our_cpu, 1e-9):.0f}   "
        "(rows that have them)",
        f"  worst value  {max(runs, key=lambda run: run.excess)}",
        f"  worst ratio  {min(runs, key=lambda run: run.their_seconds / run.seconds)}",
    ))  # fmt: skip


def _by_limit(dags: dict[str, list[bnfuse.DAG]], arguments: argparse.Namespace, genetic: dict[str, Any]) -> None:
    """Mean distances over all instances at each limit, and what must not happen."""
    kinds = [arguments.only] if arguments.only else ["fused", "per-network", "shared"]
    for kind in kinds:
        found: dict[str, dict[int, list[bnfuse.Consensus]]] = {"greedy": {}, "genetic": {}}
        for method, by_limit in found.items():
            for limit in arguments.limits:
                how = {"seed": arguments.seeds[0], **genetic} if method == "genetic" else {"method": method}
                shared = {"metric": arguments.metric, "candidates": kind}
                by_limit[limit] = [bnfuse.consensus(those, limit, **shared, **how) for those in dags.values()]
            means = [fmean(one.distance for one in results) for results in by_limit.values()]
            everything = [one for results in by_limit.values() for one in results]
            print(f"{kind} {method}: " + "  ".join(f"t={t} {m:.2f}" for t, m in zip(by_limit, means, strict=True)))
            print(
                f"  without arcs {sum(not one.dag.edges for one in everything)} of {len(everything)};  largest growth "
                f"of the mean {max((after / before - 1 for before, after in pairwise(means)), default=0):+.2%}",
                flush=True,
            )
        lowest = [min(one.distance for one in tried) for tried in zip(*found["greedy"].values(), strict=True)]
        worse = sum(
            one.distance > least + 1e-9
            for one, least in zip(found["genetic"][max(arguments.limits)], lowest, strict=True)
        )
        print(f"  genetic above a greedy result of a smaller limit: {worse} of {len(dags)}", flush=True)


def _by_method(dags: dict[str, list[bnfuse.DAG]], arguments: argparse.Namespace, options: dict[str, Any]) -> None:
    """Mean distances and seconds over all instances at each limit."""
    for method in arguments.methods:
        cells = []
        for limit in arguments.limits:
            how = {"metric": arguments.metric, "seed": arguments.seeds[0], "threads": arguments.threads, **options}
            results = [bnfuse.consensus(those, limit, method=method, **how) for those in dags.values()]
            distance, seconds = fmean(one.distance for one in results), fmean(one.seconds for one in results)
            cells.append(f"t={limit} {distance:.2f} ({seconds:.3f} s)")
        print(f"{method}: " + "  ".join(cells), flush=True)


if __name__ == "__main__":
    main()
