"""Which way round the arcs of a direct consensus point, and what it costs to follow the inputs.

    python bench/directions.py [--effort quick] [--only NAME]         the benchmark networks, perturbed
    python bench/directions.py FILE.json.gz ... [--only NAME]         recorded instances, "any", "seen" and "majority"

The first prints for every benchmark network whether the consensus of ten copies is the network itself, and how many
arcs of the consensus of ten perturbed copies point against the majority of the inputs. The second prints for instances
in files (lists of {instance, variables, networks}) the mean SMHD under each rule on directions, in brackets how many
arcs of the consensus no input has that way round, and how many more run against the majority.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import bnfuse
from instances import perturbed

COPIES = 10
LIMITS = (3, 5)
INSTANCE_LIMITS = (3, 4, 6)
RULES = ("any", "seen", "majority")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, help="recorded instances, .json or .json.gz")
    parser.add_argument("--effort", help="of the search (quick for the benchmark networks, otherwise normal)")
    parser.add_argument("--only", default="", help="networks or instances whose name starts so")
    arguments = parser.parse_args()
    if arguments.files:
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


def recorded(files: list[Path]) -> Iterator[tuple[str, list[bnfuse.DAG]]]:
    """The instances of files, by their names."""
    for path in files:
        content = path.read_bytes()
        for one in json.loads(gzip.decompress(content) if path.suffix == ".gz" else content):
            yield one["instance"], [bnfuse.DAG(one["variables"], net["edges"]) for net in one["networks"]]


if __name__ == "__main__":
    main()
