"""Our genetic search beside recorded runs of the paper's public Java program: values, seconds, ratios.

    python bench/reference.py FOLDER [--preset NAME] [--only CANDIDATES] [--metric METRIC] [option=value ...]

FOLDER holds reference-runs.csv and the instances (reference-instances.json.gz, real-instances.json.gz) that it names.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import time
from collections import defaultdict
from pathlib import Path
from typing import TypeAlias

import bnfuse

Run: TypeAlias = tuple[dict[str, str], bnfuse.Consensus, float]


def instances(folder: Path) -> dict[str, list[bnfuse.DAG]]:
    found = {}
    for file in ("reference-instances.json.gz", "real-instances.json.gz"):
        for instance in json.loads(gzip.decompress((folder / file).read_bytes())):
            found[instance["instance"]] = [
                bnfuse.DAG(instance["variables"], map(tuple, network["edges"])) for network in instance["networks"]
            ]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--preset", default="default")
    parser.add_argument("--only", help="one candidate set")
    parser.add_argument("--metric", help="one metric")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rows", action="store_true", help="print every row")
    parser.add_argument("options", nargs="*", help="options of the genetic search, as name=value")
    arguments = parser.parse_intermixed_args()
    options = {name: int(value) if value.isdigit() else value for name, _, value in map(_split, arguments.options)}

    dags = instances(arguments.folder)
    groups = defaultdict(list)
    for row in csv.DictReader((arguments.folder / "reference-runs.csv").open()):
        wanted = arguments.only in (None, row["candidates"]) and arguments.metric in (None, row["metric"])
        if row["status"] != "ok" or not wanted:
            continue
        start = time.process_time()
        result = bnfuse.consensus(
            dags[row["instance"]],
            max_clique=int(row["max_clique"]),
            metric=row["metric"],
            method="genetic",
            candidates=row["candidates"],
            threads=arguments.threads,
            seed=arguments.seed,
            preset=arguments.preset,
            **options,
        )
        groups[row["metric"], row["candidates"]].append((row, result, time.process_time() - start))
        if arguments.rows:
            print(_line(row, result), flush=True)
    for group, runs in groups.items():
        print(_summary(group, runs))


def _split(text: str) -> tuple[str, str, str]:
    return text.partition("=")


def _line(row: dict[str, str], result: bnfuse.Consensus) -> str:
    theirs, seconds = float(row["genetic_value"]), float(row["genetic_seconds"])
    return (
        f"{row['instance']:18} {row['metric']} {row['candidates']:11} t={row['max_clique']:2}  "
        f"java {theirs:8.3f} {seconds:7.2f} s   ours {result.distance:8.3f} {result.seconds:6.3f} s   "
        f"difference {result.distance - theirs:+7.3f}  {seconds / result.seconds:6.0f} x"
    )


def _summary(group: tuple[str, str], runs: list[Run]) -> str:
    values = [float(row["genetic_value"]) for row, *_ in runs]
    ours = [result.distance for _, result, _ in runs]
    seconds = sum(float(row["genetic_seconds"]) for row, *_ in runs)
    our_seconds = sum(result.seconds for _, result, _ in runs)
    with_cpu = [(float(row["cpu_seconds"]), cpu) for row, _, cpu in runs if row["cpu_seconds"]]
    worst = max(runs, key=lambda run: run[1].distance / max(float(run[0]["genetic_value"]), 1e-9))
    slowest = min(runs, key=lambda run: float(run[0]["genetic_seconds"]) / run[1].seconds)
    better = sum(o < v - 1e-9 for o, v in zip(ours, values, strict=True))
    worse = sum(o > v + 1e-9 for o, v in zip(ours, values, strict=True))
    return "\n".join((
        f"{group[0]} {group[1]}: {len(runs)} runs",
        f"  mean value   java {sum(values) / len(runs):.3f}   ours {sum(ours) / len(runs):.3f}   "
        f"better in {better}, worse in {worse}",
        f"  seconds      java {seconds:.1f}   ours {our_seconds:.2f}   ratio {seconds / our_seconds:.0f}",
        f"  CPU seconds  java {sum(j for j, _ in with_cpu):.1f}   ours {sum(o for _, o in with_cpu):.2f}   "
        f"ratio {sum(j for j, _ in with_cpu) / max(sum(o for _, o in with_cpu), 1e-9):.0f}   (rows that have them)",
        f"  worst value  {_line(*worst[:2])}",
        f"  worst ratio  {_line(*slowest[:2])}",
    ))  # fmt: skip


if __name__ == "__main__":
    main()
