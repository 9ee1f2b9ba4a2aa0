"""In which direction the arcs of a direct consensus point, and what it costs to follow the inputs.

    python bench/directions.py [--effort quick] [--only NAME]         the benchmark networks, perturbed
    python bench/directions.py FILE.json.gz ... [--only NAME]         recorded instances, "any", "seen" and "majority"
    python bench/directions.py FOLDER [--effort quick]                120 recorded problems, in one table

The first prints for every benchmark network whether the consensus of ten copies is the network itself, and how many
arcs of the consensus of ten perturbed copies point against the majority of the inputs. The second prints for instances
in files (lists of {instance, variables, networks}) the mean SMHD under each rule on directions, in brackets how many
arcs of the consensus no input has in that direction, and how many more run against the majority. The third prints for
each rule and kind of instance the mean distance and bound, how many are proven, and how many are farther than the best
recorded run of the paper's public program at that limit or a smaller one. FOLDER holds reference-runs.csv too.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean

import bnfuse
from instances import perturbed
from reference import best_recorded, instances, is_synthetic, problems

COPIES = 10
LIMITS = (3, 5)
INSTANCE_LIMITS = (3, 4, 6)
RULES = ("any", "seen", "majority")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, help="recorded instances, .json or .json.gz, or their folder")
    parser.add_argument("--effort", help="of the search (quick for the benchmark networks, otherwise normal)")
    parser.add_argument("--only", default="", help="networks or instances whose name starts so")
    arguments = parser.parse_args()
    if arguments.files and arguments.files[0].is_dir():
        sum_up_rules(arguments.files[0], arguments.effort or "normal", arguments.only)
    elif arguments.files:
        compare_rules(arguments.files, arguments.effort or "normal", arguments.only)
    else:
        count_opposed(arguments.effort or "quick", arguments.only)


def count_opposed(effort: str, only: str) -> None:
    """How many arcs point against the majority, for each benchmark network."""
    limits = " ".join(f"{f'arcs, against (t={limit})':>24}" for limit in LIMITS)
    print(f"{'network':12} {'variables':>9} {'ten copies':>12} {limits}")
    for name in bnfuse.networks.names():
        if not name.startswith(only):
            continue
        dag = bnfuse.networks.load(name).dag
        limit = max(2, bnfuse.clique_size(dag))
        same = bnfuse.consensus([dag] * COPIES, limit, effort=effort).dag == dag
        changed = perturbed(dag, COPIES, seed=0)
        cells = []
        for limit in LIMITS:
            result = bnfuse.consensus(changed, limit, effort=effort)
            cells.append(f"{len(result.dag.edges):,}, {len(result.outvoted):,}")
        row = " ".join(f"{cell:>24}" for cell in cells)
        print(f"{name:12} {len(dag.variables):9,} {'itself' if same else 'another':>12} {row}", flush=True)


def compare_rules(files: list[Path], effort: str, only: str) -> None:
    """The mean SMHD under each rule, for each recorded instance."""
    print(f"{'instance':20} {'limit':>5} {'any':>18} {'seen':>12} {'majority':>12}")
    for name, dags in recorded(files):
        if not name.startswith(only):
            continue
        for limit in INSTANCE_LIMITS:
            free, *kept = (bnfuse.consensus(dags, limit, effort=effort, directions=rule) for rule in RULES)
            seen_but_outvoted = set(free.outvoted) - set(free.unseen)
            cell = f"{free.distance:.2f} ({len(free.unseen)}, {len(seen_but_outvoted)})"
            row = " ".join(f"{one.distance:12.2f}" for one in kept)
            print(f"{name:20} {limit:5} {cell:>18} {row}", flush=True)


def sum_up_rules(folder: Path, effort: str, only: str) -> None:
    """The means over the recorded problems under each rule."""
    dags, java = instances(folder), best_recorded(folder)
    print(
        f"{'kind':10} {'rule':9} {'problems':>8} {'distance':>9} {'bound':>8} {'proven':>7} {'farther than theirs':>20}"
    )
    for kind, kept in (("real", False), ("synthetic", True)):
        asked = [one for one in problems(folder) if is_synthetic(one[0]) == kept and one[0].startswith(only)]
        for rule in RULES:
            found = [bnfuse.consensus(dags[name], limit, effort=effort, directions=rule) for name, limit in asked]
            best = [
                min((java[one] for one in java if one[0] == name and one[1] <= limit), default=None)
                for name, limit in asked
            ]
            beside = [(one.distance, theirs) for one, theirs in zip(found, best, strict=True) if theirs is not None]
            farther = f"{sum(ours > theirs + 1e-9 for ours, theirs in beside)} of {len(beside)}"
            print(
                f"{kind:10} {rule:9} {len(found):8} {fmean(one.distance for one in found):9.2f} "
                f"{fmean(one.lower_bound for one in found):8.2f} {sum(one.gap == 0 for one in found):7} {farther:>20}",
                flush=True,
            )


def recorded(files: list[Path]) -> Iterator[tuple[str, list[bnfuse.DAG]]]:
    """The instances of files, by their names."""
    for path in files:
        content = path.read_bytes()
        for one in json.loads(gzip.decompress(content) if path.suffix == ".gz" else content):
            yield one["instance"], [bnfuse.DAG(one["variables"], net["edges"]) for net in one["networks"]]


if __name__ == "__main__":
    main()
