"""What the clique limit buys: the same queries on the inputs, their consensus and their fusion.

    python bench/limit.py [clinics alarm hailfinder]

The inputs are the five clinics of examples/clinics, and ten perturbed copies of alarm and of hailfinder whose tables
are fitted to 5,000 rows sampled from the original. Consensus and fusions get their tables by pooling. Asked are all
marginals at once, and 20 times one variable given the states of three others; times are CPU seconds. "predicted" is
what `bnfuse inspect` says of the clique tables; "peak" is the memory that all marginals took. Prints the tables of
docs/limit.md.
"""

from __future__ import annotations

import argparse
import statistics
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import bnfuse
from bnfuse import DAG, Network, TooLargeError, networks
from bnfuse.fusion.cliques import clique_size, inference_cost
from bnfuse.fusion.table_sizes import TableLimits
from bnfuse.inference.evidence import Findings
from bnfuse.inference.factors import Factors
from bnfuse.inference.junction_tree import JunctionTree
from bnfuse.inference.parameters import fit, pool
from bnfuse.inference.queries import query
from instances import perturbed

QUERIES = 20
COPIES = 10
ROWS = 5_000
CLINICS = Path(__file__).parent.parent / "examples" / "clinics"
COLUMNS = (
    "network", "arcs", "largest clique", "numbers predicted", "bytes predicted",
    "all marginals", "peak", "peak / predicted", "a query", "queries refused",
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", default=["clinics", "alarm", "hailfinder"])
    for name in parser.parse_args().sets:
        inputs = bnfuse.read(*sorted(CLINICS.glob("*.bif"))) if name == "clinics" else copies(name)
        print(f"\n## {name}: {len(inputs)} inputs over {len(inputs[0].variables)} variables\n")
        print("| " + " | ".join(COLUMNS) + " |")
        print("|---" + "|--:" * (len(COLUMNS) - 1) + "|")
        measure(inputs)


def measure(inputs: list[Network]) -> None:
    """A row for each network that the inputs are or give."""
    questions = list(asked(inputs[0]))
    by_cost = sorted(inputs, key=lambda network: inference_cost(network).total)
    for label, one in (("cheapest input", by_cost[0]), ("most expensive input", by_cost[-1])):
        show(label, one.dag, [one], questions)
    for limit in (3, 4, 5, 6):
        show(
            f"consensus, limit {limit}",
            bnfuse.consensus(inputs, max_clique=limit, directions="any").dag,
            inputs,
            questions,
        )
    for count in range(2, len(inputs) + 1):
        label = f"fusion of all {count}" if count == len(inputs) else f"fusion of the first {count}"
        show(label, bnfuse.fuse(inputs[:count]).dag, inputs[:count], questions)


def copies(name: str) -> list[Network]:
    """Perturbed copies of a network, each with the tables of its own sample."""
    base = networks.load(name)
    names = base.variables
    found = []
    for number, copy in enumerate(perturbed(base.dag, COPIES, seed=1)):
        dag = DAG(names, [(names[source], names[target]) for source, target in copy.arc_numbers.tolist()])
        structure = Network(dag, base.states, name=f"{name}-{number + 1}")
        found.append(fit(structure, base.sample(ROWS, seed=number)).network)
    return found


def asked(network: Network) -> Iterator[tuple[str, dict[str, str]]]:
    """A variable, and the states of three others in a sampled row: evidence that is possible."""
    random = Random(0)
    rows = network.sample(QUERIES, seed=1)
    for row in rows.codes:
        target, *observed = random.sample(network.variables, 4)
        yield target, {name: rows.states[name][row[rows.variables.index(name)]] for name in observed}


def show(label: str, dag: DAG, inputs: list[Network], questions: list[tuple[str, dict[str, str]]]) -> None:
    """What a structure with the tables of some inputs costs."""
    cost = inference_cost(Network(dag, inputs[0].states))
    cells = [label, f"{len(dag.arc_numbers)}", str(clique_size(dag)), number(cost.total), in_bytes(cost.total_bytes)]
    try:
        network = pool(dag, inputs).network
    except TooLargeError as error:
        cells += [f"no tables: one has {number(error.size)} numbers", "-", "-", "-", "-"]
    else:
        cells += all_marginals(network, cost.total_bytes)
        cells += single_queries(network, questions)
    print("| " + " | ".join(cells) + " |", flush=True)


def all_marginals(network: Network, predicted: int) -> list[str]:
    cost = inference_cost(network)
    if not TableLimits().allow(cost.largest, cost.total):
        return ["refused", "-", "-"]

    def calibrated() -> None:
        tree = JunctionTree.of(Factors.of(network, network.variables, Findings()))
        tree.calibrate()
        for variable in network.variables:
            tree.marginal([variable])

    seconds = min(timed(calibrated) for _ in range(3))
    tracemalloc.start()
    calibrated()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return [f"{1e3 * seconds:,.1f} ms", in_bytes(peak), f"{peak / predicted:.1f}"]


def single_queries(network: Network, questions: list[tuple[str, dict[str, str]]]) -> list[str]:
    times, refused = [], 0
    for target, evidence in questions:
        try:
            times.append(timed(lambda target=target, evidence=evidence: query(network, [target], evidence)))
        except TooLargeError:
            refused += 1
    return [f"{1e3 * statistics.median(times):,.1f} ms" if times else "-", f"{refused} of {len(questions)}"]


def timed(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def number(value: int) -> str:
    return f"{value:,}" if value < 10**10 else f"{value:.1e}"


def in_bytes(value: float) -> str:
    for unit in ("bytes", "KB", "MB", "GB", "TB"):
        if value < 1024:
            return f"{value:,.0f} {unit}" if value >= 10 or unit == "bytes" else f"{value:.1f} {unit}"
        value /= 1024
    return f"{value:,.0f} PB"


if __name__ == "__main__":
    main()
