"""Expectation maximisation on benchmark networks beside pyAgrum's, in one run.

    python bench/missing.py [NETWORK ...] [--rows 5000] [--share 0.05] [--seconds 300]

For each network: rows sampled from it, of which a share of the cells is missing, fitted without a prior (pyAgrum gets
1e-9 rows: without any it refuses parent configurations that no row has). Prints CPU seconds, iterations and the
log-likelihood that is reached, in nats. pyAgrum runs in a process of its own, which is stopped after `--seconds`.
"""

from __future__ import annotations

import argparse
import multiprocessing
import queue
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from bnfuse import Network, networks
from bnfuse.data.data import MISSING, Data
from bnfuse.graphs.network import Table
from bnfuse.inference.parameters import fit
from bnfuse.inference.queries import log_likelihood


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", nargs="*", default=["asia", "child", "insurance", "alarm"])
    parser.add_argument("--rows", type=int, default=5000)
    parser.add_argument("--share", type=float, default=0.05, help="of the cells that is missing")
    parser.add_argument("--seconds", type=float, default=300, help="for pyAgrum on each network")
    arguments = parser.parse_args()
    print("| network | s | iterations | log-likelihood | pyAgrum, s | log-likelihood |")
    print("|---|--:|--:|--:|--:|--:|")
    for name in arguments.networks:
        network = networks.load(name)
        rows = with_gaps(network.sample(arguments.rows, seed=11), arguments.share)
        start = time.process_time()
        fitted = fit(Network(network.dag, network.states), rows, prior=0)
        seconds = time.process_time() - start
        row = [name, f"{seconds:.2f}", str(len(fitted.log_likelihoods)), f"{fitted.log_likelihoods[-1]:,.2f}"]
        theirs = by_pyagrum(name, rows, arguments.seconds)
        if theirs is None:
            row += ["stopped", "-"]
        else:
            tables = dict(zip(network.variables, theirs[1], strict=True))
            reached = log_likelihood(Network(network.dag, network.states, tables), rows.codes)
            row += [f"{theirs[0]:.2f}", f"{reached:,.2f}"]
        print(f"| {' | '.join(row)} |", flush=True)


def with_gaps(rows: Data, share: float) -> Data:
    codes = rows.codes.copy()
    codes[np.random.default_rng(0).random(codes.shape) < share] = MISSING
    return Data(rows.variables, rows.states, codes)


def by_pyagrum(name: str, rows: Data, seconds: float) -> tuple[float, list[Table]] | None:
    """The seconds and tables of pyAgrum, if it answers in time."""
    context = multiprocessing.get_context("spawn")
    answers = context.Queue()
    process = context.Process(target=_answer, args=(name, rows.codes, answers))
    process.start()
    end = time.monotonic() + seconds
    try:
        while process.is_alive() and time.monotonic() < end:
            try:
                found: tuple[float, list[Table]] = answers.get(timeout=1)
            except queue.Empty:
                continue
            return found
    finally:
        process.kill()
        process.join()
    return None


def _answer(name: str, codes: Any, answers: Any) -> None:
    import pyagrum  # noqa: PLC0415 - large

    network = networks.load(name)
    assert network.states is not None
    model = pyagrum.BayesNet()
    for i, variable in enumerate(network.variables):  # it cannot read all labels: numbers instead
        model.add(pyagrum.LabelizedVariable(f"V{i}", "", list(map(str, range(len(network.states[variable]))))))
    for source, target in network.dag.arc_numbers.tolist():
        model.addArc(source, target)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rows.csv"
        lines = [",".join("?" if code < 0 else str(code) for code in row) for row in codes.tolist()]
        file.write_text("\n".join([",".join(f"V{i}" for i in range(codes.shape[1])), *lines]) + "\n")
        start = time.process_time()
        learner = pyagrum.BNLearner(str(file), model, ["?"])
        learner.useBDeuPrior(1e-9)
        learner.useEM(1e-6, 0.0)
        learned = learner.learnParameters(model.dag())
        seconds = time.process_time() - start
    tables = []
    for i, variable in enumerate(network.variables):
        table = learned.cpt(i)
        axes = [int(axis[1:]) for axis in reversed(table.names)]
        family = [network.variables.index(member) for member in (*network.dag.parents(variable), variable)]
        values = table.toarray().transpose([axes.index(member) for member in family])
        tables.append(values / values.sum(-1, keepdims=True))
    answers.put((seconds, tables))
    answers.close()
    answers.join_thread()


if __name__ == "__main__":
    main()
