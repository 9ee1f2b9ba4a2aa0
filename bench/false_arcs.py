"""False arcs, by score: ten independent binary variables, most of them skewed, have none that is right.

    python bench/false_arcs.py

One network (`learn`) and the vote of resamples (`bootstrap`), within cliques of 4.
"""

from __future__ import annotations

import statistics

from bnfuse import bootstrap, consensus, learn
from missing import sample_of
from truth import FIRST_SEED, RESAMPLES, SCORES, print_table

ROWS = (200, 500, 5_000)
SEEDS = 20


def main() -> None:
    table = []
    for rows in ROWS:
        found: dict[str, list[int]] = {f"{way}, {name}": [] for way in ("one network", "vote") for name in SCORES}
        for seed in range(FIRST_SEED, FIRST_SEED + SEEDS):
            _, data = sample_of("independent", rows, seed)
            for name, score in SCORES.items():
                one = learn(data, seed=seed, threads=1, **score).dag
                tally = bootstrap(data, RESAMPLES, seed=seed, threads=1, **score).run()
                voted = consensus(tally, 4, method="majority", directions="any").dag
                found[f"one network, {name}"].append(len(one.edges))
                found[f"vote, {name}"].append(len(voted.edges))
        table.append([f"{rows:,}", *(f"{statistics.fmean(counts):.2f}" for counts in found.values())])
    print_table(f"False arcs (of 45 pairs), means of {SEEDS} samples", ["rows", *found], table)


if __name__ == "__main__":
    main()
