"""The direct search on large networks: 50 perturbed copies of andes, pigs, link, munin and one of 50 variables.

    python bench/scale.py [--effort normal] [--only NAME] [--plot FILE] [--tally NETWORKS]

For the limits 5 and 10 prints distance, proven bound, the majority vote's distance, seconds, millions of moves a second
and peak memory; and how fast a tally takes in networks of 50 variables.
"""

from __future__ import annotations

import argparse
import resource
import time

import bnfuse
from bnfuse.search.majority import majority
from bnfuse.search.outcome import mean_distance
from instances import perturbed, sparse_dag

NETWORKS = ("random", "andes", "pigs", "link", "munin")
LIMITS = (5, 10)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--effort", default="normal")
    parser.add_argument("--only", choices=NETWORKS)
    parser.add_argument("--plot", help="draw seconds against the number of variables into this file")
    parser.add_argument("--tally", type=int, default=1_000_000, help="networks to stream into a tally")
    arguments = parser.parse_args()
    seconds: dict[int, list[tuple[int, float]]] = {limit: [] for limit in LIMITS}
    for name in NETWORKS if arguments.only is None else (arguments.only,):
        dags = perturbed_copies(name, 50)
        for limit in LIMITS:
            result = bnfuse.consensus(dags, limit, effort=arguments.effort, directions="any")
            vote = mean_distance(result.problem, majority(result.problem).dag)
            moves = result.history[-1].evaluations if result.history else 0
            seconds[limit].append((len(dags[0].variables), result.seconds))
            print(
                f"{name:6} n={len(dags[0].variables):4} t={limit:2}  direct {result.distance:8.2f}  bound "
                f"{result.lower_bound:8.2f}  majority {vote:8.2f} ({100 * (1 - result.distance / vote):.0f} % below)  "
                f"{result.seconds:5.1f} s  {moves / result.seconds / 1e6:.2f} M moves/s  peak {peak_memory():.0f} MB",
                flush=True,
            )
    stream_tally(arguments.tally)
    if arguments.plot:
        draw(seconds, arguments.plot)


def draw(seconds: dict[int, list[tuple[int, float]]], path: str) -> None:
    import matplotlib as mpl  # noqa: PLC0415 - only for a plot

    mpl.use("Agg")
    from matplotlib import pyplot as plt  # noqa: PLC0415

    figure, axes = plt.subplots(figsize=(6, 3.6), layout="constrained")
    for limit, points in seconds.items():
        axes.plot(*zip(*points, strict=True), marker="o", label=f"limit {limit}")
    axes.set(xlabel="variables", ylabel="seconds (two cores)", xlim=(0, None), ylim=(0, None))
    axes.set_title("Direct search, effort normal: 50 inputs, the largest clique limited", fontsize=9)
    axes.legend(frameon=False)
    figure.savefig(path, dpi=120)


def peak_memory() -> float:
    """Of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def perturbed_copies(name: str, count: int) -> list[bnfuse.DAG]:
    base = sparse_dag(50, seed=1) if name == "random" else bnfuse.networks.load(name).dag
    return perturbed(base, count, seed=0)


def stream_tally(count: int) -> None:
    dags = perturbed(sparse_dag(50, seed=1), 1000, seed=2)
    tally = bnfuse.Tally(dags[0].variables)
    start = time.perf_counter()
    for i in range(count):
        tally.add(dags[i % len(dags)])
    seconds = time.perf_counter() - start
    print(f"tally of {count:,} networks, n=50: {count / seconds:,.0f} networks a second, peak {peak_memory():.0f} MB")


if __name__ == "__main__":
    main()
