"""Strengths and directions of arcs against R: bnfuse and bnlearn's `custom.strength` on the same random networks.

    python bench/strengths.py --sets 20 --networks 50

Each set has random networks of 8 variables, as many as asia has. R reads them as model strings, counts them with
`cpdag = FALSE` and with `cpdag = TRUE`, and writes its tables as CSV, which bnfuse reads. Needs `Rscript` with bnlearn
(Debian: r-cran-bnlearn).
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

import numpy as np

import bnfuse
from bnfuse import DAG, PDAG, ArcVotes, Network
from bnfuse.files import as_text

NAMES = [f"V{i}" for i in range(8)]
ARCS = 8

R_PROGRAM = """
library(bnlearn)
folder = commandArgs(trailingOnly = TRUE)
for (file in list.files(folder, pattern = "[.]models$", full.names = TRUE)) {
  networks = lapply(readLines(file), model2network)
  for (cpdag in c(FALSE, TRUE)) {
    strength = custom.strength(networks, nodes = nodes(networks[[1]]), cpdag = cpdag)
    write.csv(strength, sub("models$", if (cpdag) "class.csv" else "plain.csv", file))
  }
}
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=20)
    parser.add_argument("--networks", type=int, default=50, help="in each set")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if not has_bnlearn():
        sys.exit("needs Rscript with bnlearn (Debian: r-cran-bnlearn)")
    random = np.random.default_rng(options.seed)
    sets = [[random_network(random) for _ in range(options.networks)] for _ in range(options.sets)]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for number, networks in enumerate(sets):
            models = "".join(as_text(network, ".modelstring") for network in networks)
            (place / f"{number}.models").write_text(models)
        subprocess.run(["Rscript", "-e", R_PROGRAM, folder], check=True)
        for kind, count in (("plain", counted), ("class", counted_by_class)):
            apart = [distance(place / f"{i}.{kind}.csv", count(networks)) for i, networks in enumerate(sets)]
            print(f"{kind}: {len(sets)} tables, probabilities at most {max(apart):.1e} apart")


def has_bnlearn() -> bool:
    if shutil.which("Rscript") is None:
        return False
    return subprocess.run(["Rscript", "-e", "library(bnlearn)"], capture_output=True, check=False).returncode == 0


def random_network(random: np.random.Generator) -> DAG:
    order = random.permutation(NAMES).tolist()
    pairs = [(order[i], order[j]) for i in range(len(order)) for j in range(i + 1, len(order))]
    chosen = random.choice(len(pairs), ARCS, replace=False)
    return DAG(NAMES, [pairs[i] for i in chosen])


def counted(networks: Iterable[DAG]) -> ArcVotes:
    """In how many of the networks each arc is."""
    arcs = [network.to_adjacency().astype(np.int64) for network in networks]
    return ArcVotes.from_count_matrix(NAMES, sum(arcs), len(arcs), len(arcs))


def counted_by_class(networks: Iterable[DAG]) -> ArcVotes:
    """The same for their classes, in which an edge without a direction has half a vote each way."""
    graphs = [PDAG.of_class(Network(network)) for network in networks]
    counts = np.zeros((len(NAMES), len(NAMES)), np.int64)
    for graph in graphs:
        for source, target in graph.arcs:
            counts[NAMES.index(source), NAMES.index(target)] += 2
        for one, other in graph.edges:
            counts[NAMES.index(one), NAMES.index(other)] += 1
            counts[NAMES.index(other), NAMES.index(one)] += 1
    return ArcVotes.from_count_matrix(NAMES, counts, 2 * len(graphs), len(graphs))


def distance(table: Path, ours: ArcVotes) -> float:
    """The largest difference between the probabilities of R's table and ours."""
    [theirs] = bnfuse.read(table)
    assert isinstance(theirs, ArcVotes)
    return float(np.abs(theirs.reordered(NAMES).probabilities - ours.probabilities).max())


if __name__ == "__main__":
    main()
