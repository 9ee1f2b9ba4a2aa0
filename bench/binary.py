"""Binary data sets of the density-estimation literature: log-likelihood of test rows, by limit and by learner.

python bench/binary.py FOLDER                   all data sets NAME.train.csv.gz of the folder, with NAME.test.csv.gz
python bench/binary.py FOLDER --only nltcs      some of them
python bench/binary.py FOLDER --without pyagrum
python bench/binary.py FOLDER --seconds 60      CPU seconds for each network (default 30)

Every learner gets the training rows and BIC, on one thread; the seconds are CPU seconds of learning alone. All networks
are fitted and judged here in the same way: tables from the training rows with one pseudo-count for each state. The
exact tree is computed by scipy from the gains of pairs, and shares no code with the learner.
"""

from __future__ import annotations

import argparse
import gzip
import math
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import numpy as np
import numpy.typing as npt
from scipy.sparse.csgraph import minimum_spanning_tree

from bnfuse import DAG, learn
from bnfuse.data.data import Data
from measure import print_table

LIMITS = (2, 3, 5, 8, None)
Bits = npt.NDArray[np.int8]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--without", nargs="*", default=[], choices=["pyagrum"])
    parser.add_argument("--seconds", type=float, default=30.0)
    asked = parser.parse_args()
    names = sorted(path.name.partition(".")[0] for path in asked.folder.glob("*.train.csv.gz"))

    def lines() -> Iterator[Sequence[object]]:
        for name in names:
            if not asked.only or name in asked.only:
                yield from compared(name, asked.folder, asked.seconds, "pyagrum" not in asked.without)

    columns = ("data", "variables", "rows", "learner".ljust(18), "test log-lik.", "BIC", "arcs", "CPU s")
    print_table("Mean log-likelihood of a test row", columns, lines())


def compared(name: str, folder: Path, most: float, with_pyagrum: bool) -> Iterator[Sequence[object]]:
    train, test = (read(folder / f"{name}.{part}.csv.gz") for part in ("train", "test"))
    variables = tuple(f"V{i}" for i in range(train.shape[1]))
    data = Data(variables, dict.fromkeys(variables, ("0", "1")), train)
    learners: dict[str, Callable[[], DAG]] = {"exact tree (scipy)": lambda: exact_tree(train, variables)}
    for limit in LIMITS:
        label = "unlimited" if limit is None else f"t={limit}"
        learners[f"anneal, {label}"] = lambda limit=limit: learn(data, max_clique=limit, threads=1).dag
    for limit in (2, 5, None):
        label = "unlimited" if limit is None else f"t={limit}"
        learners[f"climb, {label}"] = lambda limit=limit: learn(data, max_clique=limit, method="climb", threads=1).dag
    if with_pyagrum:
        learners["pyAgrum"] = pyagrum_learner(data, most)
    for label, call in learners.items():
        start = time.process_time()
        with interrupted_after(0 if label == "pyAgrum" else most):  # which ends by itself
            dag = call()
        seconds = time.process_time() - start
        likelihood, bic = judged(dag, train, test)
        row = (len(variables), len(train), label, f"{likelihood:.4f}", f"{bic:.1f}", len(dag.edges), f"{seconds:.2f}")
        yield name, *row


@contextmanager
def interrupted_after(seconds: float) -> Iterator[None]:
    """Ctrl-C after that many CPU seconds (0: never), upon which `learn` returns its best network so far."""

    def over(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGPROF, over)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def read(path: Path) -> Bits:
    with gzip.open(path, "rt") as file:
        return np.loadtxt(file, np.int8, delimiter=",")


def judged(dag: DAG, train: Bits, test: Bits) -> tuple[float, float]:
    """The mean log-likelihood of the test rows, and BIC on the training rows."""
    place = {name: i for i, name in enumerate(dag.variables)}
    likelihood, bic = 0.0, 0.0
    for name in dag.variables:
        parents = [place[parent] for parent in dag.parents(name)]
        cells = [rows[:, parents].astype(np.int64) @ (2 ** np.arange(len(parents))) for rows in (train, test)]
        counts = np.zeros((2 ** len(parents), 2))
        np.add.at(counts, (cells[0], train[:, place[name]]), 1)
        table = (counts + 1) / (counts + 1).sum(1, keepdims=True)
        likelihood += float(np.log(table[cells[1], test[:, place[name]]]).mean())
        sums = counts.sum(1, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            bic += float(np.nansum(counts * np.log(counts / sums))) - math.log(len(train)) / 2 * len(counts)
    return likelihood, bic


def exact_tree(train: Bits, variables: Sequence[str]) -> DAG:
    """The maximum-weight forest over the BIC gains of pairs, each part rooted at its first variable."""
    ones = train.astype(np.float64)
    rows = len(train)
    both = ones.T @ ones
    own = np.diag(both)
    cells = [both, own[:, None] - both, own[None, :] - both, rows - own[:, None] - own[None, :] + both]
    share = own / rows
    sides = (share, 1 - share)
    outside = [np.multiply.outer(a, b) for a in sides for b in sides]
    gain = np.zeros_like(both)
    for joint, alone in zip(cells, outside, strict=True):
        with np.errstate(divide="ignore", invalid="ignore"):
            gain += np.where(joint > 0, joint * np.log(joint / rows / alone), 0)
    gain -= math.log(rows) / 2
    np.fill_diagonal(gain, 0)
    forest = minimum_spanning_tree(np.where(gain > 0, -gain, 0)).tocoo()
    around: list[list[int]] = [[] for _ in variables]
    for a, b in zip(forest.row.tolist(), forest.col.tolist(), strict=True):
        around[a].append(b)
        around[b].append(a)
    edges, reached = [], set[int]()
    for root in range(len(variables)):
        stack = [] if root in reached else [root]
        reached.add(root)
        while stack:
            a = stack.pop()
            for b in around[a]:
                if b not in reached:
                    reached.add(b)
                    edges.append((variables[a], variables[b]))
                    stack.append(b)
    return DAG(variables, edges)


def pyagrum_learner(data: Data, most: float) -> Callable[[], DAG]:
    import pyagrum  # noqa: PLC0415 - an extra

    learner = pyagrum.BNLearner(data.to_pandas().astype(str))
    learner.useGreedyHillClimbing()
    learner.useScoreBIC()
    learner.setNumberOfThreads(1)
    learner.setMaxTime(most)

    def learned() -> DAG:
        names = {learner.idFromName(name): name for name in data.variables}
        return DAG(data.variables, [(names[source], names[target]) for source, target in learner.learnDAG().arcs()])

    return learned


if __name__ == "__main__":
    main()
