"""Distance for the same memory: limits on the largest clique beside limits on the largest clique table.

    python bench/tables.py [hailfinder mildew barley] [--effort quick]

The inputs are ten networks around a public one, made as the paper's public program makes them, with its states. For
each clique limit the consensus is found, and what all marginals in it really take is measured. Beside it stands the
consensus for the largest of the table limits, each 1.4 times the one before, whose clique tables have no more numbers
in all. "Refused" means: over 10 million numbers in a table, or 2 GB in all. Prints the tables of docs/limit.md.
"""

from __future__ import annotations

import argparse
import tracemalloc

import numpy as np

import bnfuse
from bnfuse import Consensus, Network, networks
from bnfuse.fusion.cliques import inference_cost
from bnfuse.fusion.table_sizes import TableLimits
from bnfuse.inference.evidence import Findings
from bnfuse.inference.factors import Factors
from bnfuse.inference.junction_tree import JunctionTree
from bnfuse.study.generator import inputs as generated
from limit import in_bytes, number

COPIES = 10
CLIQUES = (2, 3, 4, 5, 6)
COLUMNS = (
    "limit", "mean smhd", "proven bound", "arcs", "largest clique", "largest table", "numbers in all", "peak", "closer",
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bases", nargs="*", default=["hailfinder", "mildew", "barley"])
    parser.add_argument("--effort", default="quick")
    arguments = parser.parse_args()
    for base in arguments.bases:
        inputs = copies(base)
        counts = sorted(len(labels) for labels in (inputs[0].states or {}).values())
        print(f"\n## {base}: {len(inputs)} inputs over {len(counts)} variables of {counts[0]} to {counts[-1]} states\n")
        print("| " + " | ".join(COLUMNS) + " |")
        print("|---" + "|--:" * (len(COLUMNS) - 2) + "|---|")
        measure(inputs, arguments.effort)


def copies(name: str) -> list[Network]:
    """Networks around a public one, with its states."""
    base = networks.load(name)
    dags = generated(base.dag, COPIES, seed=0, reading="program", real=True)
    return [Network(dag, base.states, name=f"{i + 1}") for i, dag in enumerate(dags)]


def measure(inputs: list[Network], effort: str) -> None:
    """Two rows for each clique limit: its consensus, and that of a table limit for the same memory."""
    by_clique = bnfuse.frontier(inputs, max_clique=CLIQUES, effort=effort, directions="any")
    limits = [max(len(labels) for labels in (inputs[0].states or {}).values())]
    while limits[-1] < max(one.largest_table or 1 for one in by_clique):
        limits.append(limits[-1] * 7 // 5 + 1)
    by_table = bnfuse.frontier(inputs, max_table=limits, effort=effort, directions="any")
    for one in by_clique:
        budget = inference_cost(one.structure).total
        fitting = [other for other in by_table if inference_cost(other.structure).total <= budget]
        best = fitting[-1] if fitting else None
        show(f"clique {one.problem.max_clique}", one, best)
        if best is not None:
            show(f"table {number(best.problem.max_table or 0)}", best, one)


def show(label: str, result: Consensus, other: Consensus | None) -> None:
    cost = inference_cost(result.structure)
    closer = other is not None and result.distance < other.distance
    cells = [
        label,
        f"{result.distance:.2f}",
        f"{result.lower_bound:.2f}",
        f"{len(result.dag.edges)}",
        f"{result.clique_size}",
        number(result.largest_table or 0),
        number(cost.total),
        peak_of_all_marginals(result) if TableLimits().allow(cost.largest, cost.total) else "refused",
        "closer" if closer else "",
    ]
    print("| " + " | ".join(cells) + " |", flush=True)


def peak_of_all_marginals(result: Consensus) -> str:
    """The memory that calibrating a junction tree and reading all marginals takes; values do not matter to it."""
    dag, states = result.dag, result.structure.states or {}
    sizes = {name: [len(states[one]) for one in (*dag.parents(name), name)] for name in dag.variables}
    network = Network(dag, states, {name: np.full(shape, 1 / shape[-1]) for name, shape in sizes.items()})
    tracemalloc.start()
    tree = JunctionTree.of(Factors.of(network, network.variables, Findings()))
    tree.calibrate()
    for variable in network.variables:
        tree.marginal([variable])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return in_bytes(peak)


if __name__ == "__main__":
    main()
