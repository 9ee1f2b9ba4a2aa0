"""Panels of experts who share a causal order: which way arcs of their consensus run, and what following them costs.

    python bench/panels.py [--panels 200] [--effort normal]

A panel has 3 to 7 experts on 6 to 12 variables in one causal order, which none of them contradicts. Of the arcs that
the order allows, about 1.4 a variable are common knowledge: each expert has three in four of these, and one in 25 of
the others. For each rule on directions it prints the mean SMHD over all panels, how many answers are proven optimal,
how many panels have an arc that no expert has in that direction, how many such arcs there are, and how many arcs run
against the majority.
"""

from __future__ import annotations

import argparse
from random import Random
from statistics import fmean

import bnfuse

RULES = ("any", "seen", "majority")
LIMITS = (2, 3, 4, 5)
KNOWN, HAVING, INVENTING = 1.4, 0.75, 0.04


def panel(seed: int) -> list[bnfuse.DAG]:
    """The networks of a few experts."""
    rng = Random(f"panel {seed}")
    names = [f"V{i}" for i in range(rng.randint(6, 12))]
    order = rng.sample(names, len(names))
    pairs = [(a, b) for i, a in enumerate(order) for b in order[i + 1 :]]
    known = {pair for pair in pairs if rng.random() < 2 * KNOWN / len(names)}
    return [
        bnfuse.DAG(names, [pair for pair in pairs if rng.random() < (HAVING if pair in known else INVENTING)])
        for _ in range(rng.randint(3, 7))
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--panels", type=int, default=200)
    parser.add_argument("--effort", default="normal")
    arguments = parser.parse_args()
    panels = [panel(seed) for seed in range(arguments.panels)]
    print(f"{'limit':>5} {'rule':>9} {'mean smhd':>10} {'proven':>7} {'panels':>7} {'unseen':>7} {'outvoted':>9}")
    for limit in LIMITS:
        for rule in RULES:
            found = [bnfuse.consensus(dags, limit, effort=arguments.effort, directions=rule) for dags in panels]
            mean, proven = fmean(one.distance for one in found), sum(one.gap == 0 for one in found)
            unseen, outvoted = sum(len(one.unseen) for one in found), sum(len(one.outvoted) for one in found)
            row = f"{limit:5} {rule:>9} {mean:10.3f} {proven:7} {sum(bool(one.unseen) for one in found):7}"
            print(f"{row} {unseen:7} {outvoted:9}", flush=True)


if __name__ == "__main__":
    main()
