"""Distance for the same memory: limits on the largest clique beside limits on the largest clique table.

    python bench/tables.py [hailfinder mildew barley] [--effort quick]

The inputs are ten perturbed copies of a public network, with its states. For each clique limit the consensus is found,
and what all marginals in it really take is measured; beside it stands the consensus for the largest of some table
limits (steps of a factor of two) whose clique tables take no more numbers in all. "Refused" means: over 10 million
numbers in a table, or 2 GB in all. Prints the tables of docs/limit.md.
"""

from __future__ import annotations

import argparse
import tracemalloc

import numpy as np

import bnfuse
from bnfuse import DAG, Consensus, Network, networks
from bnfuse.cliques import inference_cost
from bnfuse.factors import Factors
from bnfuse.junction_tree import JunctionTree
from bnfuse.table_sizes import TableLimits
from instances import perturbed
from limit import in_bytes, number

COPIES = 10
CLIQUES = (3, 4, 5)
HALVINGS = 6
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
    """Perturbed copies of a network, with its states."""
    base = networks.load(name)
    names = base.variables
    return [
        Network(DAG(names, [(names[a], names[b]) for a, b in copy.arc_numbers.tolist()]), base.states, name=f"{i + 1}")
        for i, copy in enumerate(perturbed(base.dag, COPIES, seed=1))
    ]


def measure(inputs: list[Network], effort: str) -> None:
    """Two rows for each clique limit: its consensus, and that of a table limit for the same memory."""
    most_states = max(len(labels) for labels in (inputs[0].states or {}).values())
    for by_clique in bnfuse.frontier(inputs, cliques=CLIQUES, effort=effort):
        budget = inference_cost(by_clique.structure).total
        largest = by_clique.largest_table or 1
        limits = [2 * largest >> halving for halving in range(HALVINGS) if 2 * largest >> halving >= most_states]
        by_table = [
            one
            for one in bnfuse.frontier(inputs, tables=limits, effort=effort)
            if inference_cost(one.structure).total <= budget
        ]
        best = by_table[-1] if by_table else None
        show(f"clique {by_clique.problem.max_clique}", by_clique, best)
        if best is not None:
            show(f"table {number(best.problem.max_table or 0)}", best, by_clique)


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
    tree = JunctionTree.of(Factors.of(network, network.variables, {}))
    tree.calibrate()
    for variable in network.variables:
        tree.marginal([variable])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return in_bytes(peak)


if __name__ == "__main__":
    main()
