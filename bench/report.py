"""Reports of perturbed benchmark networks: their size, and the seconds that writing them takes.

python bench/report.py          the table of docs/report.md, as Markdown
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import bnfuse
from bnfuse import DAG, Network, networks
from instances import perturbed

LARGEST_LIMIT = 6  # of the frontier
INSTANCES = (("alarm", 30), ("hailfinder", 50), ("munin", 20))


def main() -> None:
    print("| report | variables | inputs | arcs of the fusion | wall s | CPU s | kB | with limits | kB |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as folder:
        for name, inputs, path in reports(Path(folder)):
            consensus = bnfuse.consensus(inputs, max_clique=4, effort="quick")
            wall, cpu = time.perf_counter(), time.process_time()
            consensus.report(path)
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            variables, fused = len(consensus.dag.variables), len(consensus.problem.fusion.dag.arc_numbers)
            size = path.stat().st_size / 1e3
            numbers = f"{variables:,} | {len(inputs)} | {fused:,} | {wall:.2f} | {cpu:.2f} | {size:,.0f}"
            print(f"| {name} | {numbers} |", end="", flush=True)
            most = min(LARGEST_LIMIT, variables)
            consensus.with_frontier(bnfuse.frontier(inputs, range(2, most + 1), effort="quick")).report(path)
            print(f" 2\u2013{most} | {path.stat().st_size / 1e3:,.0f} |", flush=True)


def reports(folder: Path) -> Iterator[tuple[str, list[Network], Path]]:
    clinics = sorted((Path(__file__).parent.parent / "examples" / "clinics").glob("*.bif"))
    yield "clinics", bnfuse.read(*clinics), folder / "clinics.html"
    for name, copies in INSTANCES:
        base = networks.load(name)
        names = base.variables
        inputs = []
        for number, copy in enumerate(perturbed(base.dag, copies, seed=1)):
            dag = DAG(names, [(names[source], names[target]) for source, target in copy.arc_numbers.tolist()])
            inputs.append(Network(dag, base.states, name=f"site-{number + 1}"))
        yield name, inputs, folder / f"{name}.html"


if __name__ == "__main__":
    main()
