"""Which way round the arcs of a direct consensus point: python bench/directions.py [--effort quick] [--only NAME].

For every benchmark network: whether the consensus of ten copies is the network itself, and how many arcs of the
consensus of ten perturbed copies point against the majority of the inputs.
"""

from __future__ import annotations

import argparse

import bnfuse
from instances import perturbed

COPIES = 10
LIMITS = (3, 5)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--effort", default="quick")
    parser.add_argument("--only", help="networks whose name starts so")
    arguments = parser.parse_args()
    limits = " ".join(f"{f'arcs, against (t={limit})':>24}" for limit in LIMITS)
    print(f"{'network':12} {'variables':>9} {'ten copies':>12} {limits}")
    for name in bnfuse.networks.names():
        if not name.startswith(arguments.only or ""):
            continue
        dag = bnfuse.networks.load(name).dag
        limit = max(2, bnfuse.clique_size(dag))
        same = bnfuse.consensus([dag] * COPIES, limit, effort=arguments.effort).dag == dag
        changed = perturbed(dag, COPIES, seed=0)
        cells = []
        for limit in LIMITS:
            support = bnfuse.consensus(changed, limit, effort=arguments.effort).support()
            cells.append(f"{len(support):,}, {sum(arc.reversed_share > arc.share for arc in support):,}")
        row = " ".join(f"{cell:>24}" for cell in cells)
        print(f"{name:12} {len(dag.variables):9,} {'itself' if same else 'another':>12} {row}", flush=True)


if __name__ == "__main__":
    main()
