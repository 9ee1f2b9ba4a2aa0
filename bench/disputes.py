"""What other decisions cost, measured: the seconds that the most contested pairs of perturbed copies take.

    python bench/disputes.py [--copies 6] [--only NAME] [--seeds 0 1 2]

For each network, limit and seed it prints the wall and CPU seconds of `bnfuse.disputes` for 20 pairs, without those of
the consensus, and how many of the costs are exact.
"""

from __future__ import annotations

import argparse
import time

import bnfuse
from bnfuse import networks
from bnfuse.study.generator import inputs

NAMES = {"alarm": 6, "hailfinder": 10}
LIMITS = (3, 4, 5)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--copies", type=int, help="of each network (6 of alarm, 10 of hailfinder)")
    parser.add_argument("--only", default="", help="networks whose name starts so")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    arguments = parser.parse_args()
    print(
        f"{'network':12} {'copies':>6} {'limit':>5} {'seed':>4} {'pairs':>8} {'others':>6} {'exact':>5} {'wall':>6} CPU"
    )
    for name, copies in NAMES.items():
        if name.startswith(arguments.only):
            for limit in LIMITS:
                for seed in arguments.seeds:
                    measure(name, arguments.copies or copies, limit, seed)


def measure(name: str, copies: int, limit: int, seed: int) -> None:
    result = bnfuse.consensus(inputs(networks.load(name).dag, copies, seed=seed), limit)
    assert result.lower_bound is not None  # which is computed when somebody asks for it
    wall, cpu = time.perf_counter(), time.process_time()
    found = bnfuse.disputes(result)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    others = [one for dispute in found for one in dispute.alternatives]
    pairs, exact = f"{len(found)}/{found.pairs}", sum(one.is_exact for one in others)
    print(
        f"{name:12} {copies:6} {limit:5} {seed:4} {pairs:>8} {len(others):6} {exact:5} {wall:6.2f} {cpu:5.2f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
