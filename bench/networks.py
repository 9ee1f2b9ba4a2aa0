"""The benchmark networks: their largest cliques, best and proven, and what work on the largest of them takes.

python bench/networks.py                   the tables of docs/benchmark-networks.md, as Markdown
python bench/networks.py --limit 100000    search less for proofs
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np

import bnfuse
from bnfuse import DAG, Network, networks
from bnfuse.commands.inspect import parameter_count
from instances import perturbed
from measure import peak_megabytes

Result = TypeVar("Result")

LIMIT = 20_000_000
COPIES = 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--limit", type=int, default=LIMIT, help=f"sets of variables to look at for a proof (default {LIMIT:,})"
    )
    limit = parser.parse_args().limit
    print(f"With `max_states={limit}`:\n")
    print_markdown(
        ["network", "variables", "arcs", "parameters", "most parents", "largest clique", "at least", "exact", "CPU s"],
        clique_rows(limit),
    )
    print()
    with tempfile.TemporaryDirectory() as folder:
        print_markdown(["work", "wall s", "CPU s", "peak MB"], work_rows(Path(folder)))


def clique_rows(limit: int) -> Iterator[Sequence[object]]:
    for name in networks.names():
        network = networks.load(name)
        clique, _, cpu = timed(partial(bnfuse.clique_size, network, "exact", limit))
        yield (
            name,
            len(network.variables),
            len(network.dag.arc_numbers),
            parameter_count(network),
            max(len(network.dag.parents(variable)) for variable in network.variables),
            int(clique),
            clique.lower_bound,
            "yes" if clique.proven else "no",
            f"{cpu:.2f}",
        )


def work_rows(folder: Path) -> Iterator[Sequence[object]]:
    texts = {name: networks.source_text(name) for name in networks.names()}
    largest = max(texts, key=lambda name: len(texts[name]))
    widest = max(networks.catalogue(), key=lambda one: one.variables).name
    for name, why in ((largest, "largest file"), (widest, "most variables")):
        file = folder / f"{name}.bif"
        file.write_text(texts[name], "utf-8")
        wall, cpu, peak = run_inspect(file)
        size = file.stat().st_size / 1e6
        yield f"`bnfuse inspect {name}.bif` ({why}, {size:.1f} MB)", f"{wall:.2f}", f"{cpu:.2f}", f"{peak:,.0f}"
    files = write_copies(folder)
    fused, wall, cpu = timed(partial(read_and_fuse, files))
    size = sum(file.stat().st_size for file in files) / 1e6
    peak = peak_megabytes(partial(read_and_fuse, files))
    what = f"reading and fusing {COPIES} changed copies of munin ({size:.0f} MB of BIF; "
    what += f"{len(fused.arc_numbers):,} fused arcs)"
    yield what, f"{wall:.2f}", f"{cpu:.2f}", f"{peak:,.0f}"


def write_copies(folder: Path) -> list[Path]:
    """Copies of munin with floor(0.75 n) arcs changed: munin's tables where the parents stayed, uniform elsewhere."""
    munin = networks.load("munin")
    assert munin.states is not None
    names = munin.variables
    files = []
    for number, copy in enumerate(perturbed(munin.dag, COPIES, seed=1)):
        dag = DAG(names, [(names[source], names[target]) for source, target in copy.arc_numbers.tolist()])
        network = Network(dag, munin.states, {name: table_of(munin, dag, name) for name in names})
        files.append(folder / f"munin-{number + 1}.bif")
        bnfuse.write(network, files[-1])
    return files


def table_of(base: Network, dag: DAG, variable: str) -> np.ndarray:
    assert base.states is not None
    assert base.cpts is not None
    if dag.parents(variable) == base.dag.parents(variable):
        return base.cpts[variable]
    shape = [len(base.states[name]) for name in (*dag.parents(variable), variable)]
    return np.full(shape, 1 / shape[-1])


def read_and_fuse(files: Sequence[Path]) -> DAG:
    return bnfuse.fuse(bnfuse.read(*files)).dag


def run_inspect(file: Path) -> tuple[float, float, float]:
    """Wall seconds, CPU seconds and peak megabytes of the whole command, Python's start included."""
    start = time.perf_counter()
    command = [sys.executable, "-m", "bnfuse", "inspect", str(file)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(command)} failed")
    return time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def timed(call: Callable[[], Result]) -> tuple[Result, float, float]:
    """What a call returns, its wall seconds and its CPU seconds."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = call()
    return result, time.perf_counter() - wall, time.process_time() - cpu


def print_markdown(columns: Sequence[str], rows: Iterator[Sequence[object]]) -> None:
    """Prints each row as soon as it is measured; numbers to the right."""
    print("| " + " | ".join(columns) + " |")
    print("|---" + "|--:" * (len(columns) - 1) + "|")
    for row in rows:
        print("| " + " | ".join(f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row) + " |", flush=True)


if __name__ == "__main__":
    main()
