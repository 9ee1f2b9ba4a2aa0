"""Consensus of inputs that lack variables: what is found of the arcs that all of them would give, and in what time.

    python bench/unions.py [--effort quick|normal|thorough] [--seeds N]

For benchmark networks, twenty copies perturbed as in the paper: the consensus of all as they are, and of all after each
lost a fifth of its variables, chosen by chance. Prints how many arcs of the first, of those whose ends half of the
copies still have together, are in the second either way round and the same way round, how many arcs the second has
that the first lacks, and whether any joins a pair that nobody saw. Then the seconds for 50 inputs over 100 of 500
variables each, beside those for 50 inputs over all 500.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence

import bnfuse
from bnfuse.study.generator import inputs
from instances import perturbed, sparse_dag

NETWORKS, METRICS = ("alarm", "hailfinder", "insurance"), ("smhd", "shd")
LIMITS = (4, 6, 10)
COPIES, HIDDEN = 20, 0.2
ALL, EACH, INPUTS, LIMIT = 500, 100, 50, 4


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--effort", default="normal")
    parser.add_argument("--seeds", type=int, default=3, help="how often each network is perturbed")
    arguments = parser.parse_args()
    headers = f"{'seen':>5} {'found':>6} {'directed':>9} {'share':>7} {'more':>5} {'unjudged':>9}"
    print(f"{'network':12} metric   t seed {headers}")
    for name in NETWORKS:
        for metric in METRICS:
            for limit in LIMITS:
                for seed in range(arguments.seeds):
                    compare(name, metric, limit, seed, arguments.effort)
    compare_seconds(arguments.effort)


def compare(name: str, metric: str, limit: int, seed: int, effort: str) -> None:
    """What the copies that lack variables find of what whole copies give."""
    copies = inputs(bnfuse.networks.load(name).dag, COPIES, seed, "printed")
    whole = bnfuse.consensus(copies, limit, metric, effort=effort, directions="any").dag
    parts = [without_some(dag, HIDDEN, random.Random(f"{name} {seed} {i}")) for i, dag in enumerate(copies)]
    result = bnfuse.consensus(parts, limit, metric, variables="union", effort=effort, directions="any")
    seen = [arc for arc in whole.edges if 2 * sum(set(arc) <= set(part.variables) for part in parts) >= COPIES]
    found, pairs = set(result.dag.edges), {frozenset(arc) for arc in result.dag.edges}
    either = sum(frozenset(arc) in pairs for arc in seen)
    more = len(pairs - {frozenset(arc) for arc in whole.edges})
    unjudged = len(pairs & {frozenset(pair) for pair in result.unjudged})
    print(
        f"{name:12} {metric:6} {limit:3} {seed:4} {len(seen):5} {either:6} {sum(arc in found for arc in seen):9} "
        f"{either / len(seen):7.1%} {more:5} {unjudged:9}",
        flush=True,
    )


def without_some(dag: bnfuse.DAG, share: float, chance: random.Random) -> bnfuse.DAG:
    """A network without some of its variables, as somebody gives it who never knew them."""
    count = round(len(dag.variables) * (1 - share))
    return among(dag, chance.sample(dag.variables, count))


def among(dag: bnfuse.DAG, variables: Sequence[str]) -> bnfuse.DAG:
    kept = set(variables)
    return bnfuse.DAG([v for v in dag.variables if v in kept], [arc for arc in dag.edges if kept.issuperset(arc)])


def compare_seconds(effort: str) -> None:
    """A union beside one search over as many variables."""
    dags = perturbed(sparse_dag(ALL, seed=1), INPUTS, seed=0)
    chance = random.Random(0)
    blocks = [among(dag, chance.sample(dag.variables, EACH)) for dag in dags]
    whole = bnfuse.consensus(dags, LIMIT, effort=effort, directions="any")
    union = bnfuse.consensus(blocks, LIMIT, variables="union", effort=effort, directions="any")
    print(
        f"{INPUTS} inputs, {ALL} variables, t={LIMIT}: {whole.seconds:.1f} s; the union of {EACH} in each "
        f"({len(union.dag.variables)} in all, {len(union.unjudged):,} pairs that nobody saw): {union.seconds:.1f} s"
    )


if __name__ == "__main__":
    main()
