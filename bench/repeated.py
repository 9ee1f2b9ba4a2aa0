"""Data with many variables, from CSV to consensus: CPU seconds and memory of `bnfuse bootstrap`.

    python bench/repeated.py [--network alarm] [--copies 27] [--rows 2000] [--resamples 200]

The data are rows of a benchmark network, repeated side by side with links: in 60 % of the rows, the first leaf of a
copy determines the state of the first root of the next copy. Prints, as Markdown, how many pairs that an arc of the
repeated network joins the consensus (limit 4, method direct) joins too, and how many others; its distance and gap; the
CPU seconds of all processes, the time, and the peak memory of the largest process.
"""

from __future__ import annotations

import argparse
import csv
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import bnfuse

POOL = 50_000  # rows of one copy, from which those that fit a link are drawn
LINKED = 0.6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--network", default="alarm")
    parser.add_argument("--copies", type=int, default=27)
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--resamples", type=int, default=200)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        table, result = Path(folder) / "data.csv", Path(folder) / "result.json"
        arcs = write_rows(table, arguments.network, arguments.copies, arguments.rows)
        start = time.perf_counter()
        command = [sys.executable, "-m", "bnfuse", "bootstrap", str(table), "--resamples", str(arguments.resamples)]
        command += ["--method", "direct"]
        subprocess.run([*command, "--save", str(result), "--json"], check=True, stdout=subprocess.PIPE)
        wall, used = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        found = bnfuse.Consensus.load(result)
    joined = {frozenset(arc) for arc in found.dag.edges}
    print("| variables | arcs of the network | found | other arcs | distance | gap | CPU s | s | MB |")
    print(f"|{'--:|' * 9}")
    cells = [f"{len(found.dag.variables):,}", f"{len(arcs):,}", f"{len(joined & arcs):,}", f"{len(joined - arcs):,}"]
    cells += [f"{found.distance:.2f}", f"{100 * (found.gap or 0):.1f} %", f"{used.ru_utime + used.ru_stime:.0f}"]
    print(f"| {' | '.join([*cells, f'{wall:.0f}', f'{used.ru_maxrss / 1024:.0f}'])} |")


def write_rows(path: Path, name: str, copies: int, rows: int) -> set[frozenset[str]]:
    """A table with a header; returns the pairs that an arc of the repeated network joins."""
    network = bnfuse.networks.load(name)
    dag, variables = network.dag, network.dag.variables
    root = next(i for i, variable in enumerate(variables) if not dag.parents(variable))
    leaf = next(i for i, variable in enumerate(variables) if not dag.children(variable))
    pool = np.asarray(network.sample(POOL, seed=0).codes)
    by_state = [np.flatnonzero(pool[:, root] == state) for state in range(pool[:, root].max() + 1)]
    draw = np.random.default_rng(0)
    blocks: list[np.ndarray] = []
    for _ in range(copies):
        chosen = draw.integers(POOL, size=rows)
        if blocks:
            wanted = blocks[-1][:, leaf] % len(by_state)
            for i in np.flatnonzero(draw.random(rows) < LINKED):
                fitting = by_state[wanted[i]]
                chosen[i] = fitting[draw.integers(len(fitting))]
        blocks.append(pool[chosen])
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([f"{variable}_{k}" for k in range(copies) for variable in variables])
        writer.writerows([f"s{state}" for block in blocks for state in block[row].tolist()] for row in range(rows))
    arcs = {frozenset((f"{a}_{k}", f"{b}_{k}")) for k in range(copies) for a, b in dag.edges}
    return arcs | {frozenset((f"{variables[leaf]}_{k - 1}", f"{variables[root]}_{k}")) for k in range(1, copies)}


if __name__ == "__main__":
    main()
