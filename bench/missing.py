"""What missing values do to learning: arcs that are not there, and the time that tables take.

    python bench/missing.py arcs [NETWORK ...] [--rows 5000 ...] [--shares 0.05 ...] [--gaps mcar mar] [--seeds 10]
    python bench/missing.py resamples [NETWORK ...] [--rows 5000] [--share 0.05] [--resamples 48]
    python bench/missing.py tables [NETWORK ...] [--rows 5000] [--share 0.05] [--seconds 300]

`arcs` learns from samples of a network as they are, and with a share of their cells missing. Beside the benchmark
networks there are `independent` (ten skewed binary variables without arcs; another ten for each seed) and `chain` (ten
binary variables, each equal to the one before in 90 % of the rows). `mcar` leaves out each cell with the same
probability. With `mar` one half of the columns is complete, and each of the others depends on one of these: its cells
are missing three times as often where that one is not in its most frequent state; the share of all cells is about the
same. Prints means over the seeds: SHD between CPDAGs and edges that the true network does not have, from complete rows,
from the first search (available cases) and from completed rows; and CPU seconds.

`resamples` learns from resamples of such rows, complete and with gaps (mcar), and prints CPU milliseconds and false
edges a resample, and the CPU seconds that the network which completes the rows takes before.

`tables` fits networks to rows of which a share of the cells is missing, by expectation maximisation without a prior,
beside pyAgrum, in one run (pyAgrum gets 1e-9 rows: without any it refuses parent configurations that no row has).
Prints CPU seconds, iterations and the log-likelihood that is reached, in nats. pyAgrum runs in a process of its own,
which is stopped after `--seconds`.
"""

from __future__ import annotations

import argparse
import itertools
import multiprocessing
import queue
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bnfuse import DAG, PDAG, Network, networks
from bnfuse.data.data import MISSING, Data
from bnfuse.data.discretise import RawDataOptions, prepared
from bnfuse.graphs.network import Table
from bnfuse.inference.parameters import fit
from bnfuse.inference.queries import log_likelihood
from bnfuse.learning.data_learner import Learner, LearnOptions
from bnfuse.problem.constraints import Constraints
from bnfuse.search.run import Run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = parser.add_subparsers(required=True)
    arcs = parts.add_parser("arcs")
    arcs.add_argument("networks", nargs="*", default=["independent", "chain", "asia", "child", "alarm"])
    arcs.add_argument("--rows", type=int, nargs="+", default=[5000])
    arcs.add_argument("--shares", type=float, nargs="+", default=[0.05], help="of the cells that are missing")
    arcs.add_argument("--gaps", choices=["mcar", "mar"], nargs="+", default=["mcar", "mar"])
    arcs.add_argument("--seeds", type=int, default=10, help="how many samples")
    arcs.add_argument("--first-seed", type=int, default=0)
    arcs.set_defaults(call=print_arcs)
    resamples = parts.add_parser("resamples")
    resamples.add_argument("networks", nargs="*", default=["chain", "asia", "child", "alarm"])
    resamples.add_argument("--rows", type=int, default=5000)
    resamples.add_argument("--share", type=float, default=0.05, help="of the cells that are missing")
    resamples.add_argument("--resamples", type=int, default=48)
    resamples.set_defaults(call=print_resamples)
    tables = parts.add_parser("tables")
    tables.add_argument("networks", nargs="*", default=["asia", "child", "insurance", "alarm"])
    tables.add_argument("--rows", type=int, default=5000)
    tables.add_argument("--share", type=float, default=0.05, help="of the cells that is missing")
    tables.add_argument("--seconds", type=float, default=300, help="for pyAgrum on each network")
    tables.set_defaults(call=print_tables)
    arguments = parser.parse_args()
    arguments.call(arguments)


# Arcs


def print_arcs(arguments: argparse.Namespace) -> None:
    print(
        "| network | rows | missing | | SHD: complete | first | completed | false: complete | first | completed | s |"
    )
    print("|---|--:|--:|---|--:|--:|--:|--:|--:|--:|--:|")
    seeds = range(arguments.first_seed, arguments.first_seed + arguments.seeds)
    for name, rows in itertools.product(arguments.networks, arguments.rows):
        samples = [sample_of(name, rows, seed) for seed in seeds]
        complete = [found_in(data, seed) for (_, data), seed in zip(samples, seeds, strict=True)]
        for share, gaps in itertools.product(arguments.shares, arguments.gaps):
            lines = [
                line_of(true, whole, with_gaps(data, share, seed, gaps), seed)
                for (true, data), whole, seed in zip(samples, complete, seeds, strict=True)
            ]
            cells = [name, f"{rows:,}", f"{share:.0%}", gaps, *(f"{mean:.2f}" for mean in np.mean(lines, axis=0))]
            print(f"| {' | '.join(cells)} |", flush=True)


def print_resamples(arguments: argparse.Namespace) -> None:
    print("| network | complete: ms | false edges | with gaps: s before | ms | false edges |")
    print("|---|--:|--:|--:|--:|--:|")
    for name in arguments.networks:
        true, data = sample_of(name, arguments.rows, 0)
        cells = [name]
        for rows in (data, with_gaps(data, arguments.share)):
            learner = Learner(prepared(rows, RawDataOptions()), LearnOptions(effort="quick"), Constraints())
            times = [time.process_time()]
            learner.resampled(Run(0, threads=1), 0, 1)
            times.append(time.process_time())
            found = learner.resampled(Run(0, threads=1), 8, arguments.resamples)
            times.append(time.process_time())
            if rows is not data:
                cells.append(f"{times[1] - times[0]:.2f}")
            cells.append(f"{1000 * (times[2] - times[1]) / len(found):.1f}")
            cells.append(f"{np.mean([false_edges(one.dag, true) for one in found]):.2f}")
        print(f"| {' | '.join(cells)} |", flush=True)


def sample_of(name: str, rows: int, seed: int) -> tuple[DAG, Data]:
    network = networks.load(name) if name not in {"independent", "chain"} else made(name, seed)
    return network.dag, network.sample(rows, seed=10_000 + seed)


def made(name: str, seed: int) -> Network:
    variables = [f"X{i}" for i in range(10)]
    states = dict.fromkeys(variables, ("yes", "no"))
    if name == "independent":
        shares = np.random.default_rng([seed, 1]).uniform(0.05, 0.3, 10).tolist()
        return Network(DAG(variables), states, {v: [p, 1 - p] for v, p in zip(variables, shares, strict=True)})
    tables = {v: [[0.9, 0.1], [0.1, 0.9]] for v in variables[1:]}
    return Network(DAG(variables, itertools.pairwise(variables)), states, {"X0": [0.5, 0.5], **tables})


def with_gaps(data: Data, share: float, seed: int = 0, gaps: str = "mcar") -> Data:
    random = np.random.default_rng([seed, 2])
    codes = data.codes.copy()
    codes[random.random(codes.shape) < (share if gaps == "mcar" else by_others(data, share, random))] = MISSING
    return Data(data.variables, data.states, codes)


def by_others(data: Data, share: float, random: np.random.Generator) -> npt.NDArray[np.float64]:
    """How probable it is that each cell is missing."""
    chances = np.zeros(data.codes.shape)
    order = random.permutation(len(data.variables))
    kept, others = np.array_split(order, 2)
    for column in others:
        on = data.codes[:, random.choice(kept)]
        is_frequent = on == np.bincount(on).argmax()
        least = share * len(order) / len(others) / (is_frequent + 3 * ~is_frequent).mean()
        chances[:, column] = np.where(is_frequent, 1, 3) * min(least, 0.3)
    return chances


def line_of(true: DAG, complete: DAG, data: Data, seed: int) -> list[float]:
    learner = Learner(prepared(data, RawDataOptions()), LearnOptions(), Constraints())
    first = learner.searched(data, Run(seed, threads=1)).dag
    start = time.process_time()
    found = learner.learned(Run(seed, threads=1)).dag
    seconds = time.process_time() - start
    three = (complete, first, found)
    return [*(class_shd(dag, true) for dag in three), *(false_edges(dag, true) for dag in three), seconds]


def found_in(data: Data, seed: int) -> DAG:
    learner = Learner(prepared(data, RawDataOptions()), LearnOptions(), Constraints())
    return learner.learned(Run(seed, threads=1)).dag


def class_shd(found: DAG, true: DAG) -> int:
    """The pairs of variables that only one CPDAG joins, or that have another mark in the other."""
    ours, theirs = marks(found), marks(true)
    return sum(ours.get(pair) != theirs.get(pair) for pair in ours.keys() | theirs.keys())


def marks(dag: DAG) -> dict[frozenset[str], str]:
    graph = PDAG.of_class(dag)
    pointed = {frozenset(arc): arc[1] for arc in graph.arcs}
    return pointed | {frozenset(edge): "" for edge in graph.edges}


def false_edges(found: DAG, true: DAG) -> int:
    return len(skeleton(found.edges) - skeleton(true.edges))


def skeleton(arcs: Iterable[tuple[str, str]]) -> set[frozenset[str]]:
    return set(map(frozenset, arcs))


# Tables


def print_tables(arguments: argparse.Namespace) -> None:
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
