"""Exact inference on the 24 benchmark networks beside pyAgrum's LazyPropagation, in one run.

    python bench/inference.py [NETWORK ...] [--seconds 600] [--large]

For each network: every marginal without evidence, then every marginal and one joint of two variables given the states
of a fifth of the variables (those of one sampled row). Prints the CPU seconds of both programs and the largest
difference between their answers. Each runs in a process of its own, which is stopped after `--seconds`; networks over
the default limits are left out, unless `--large` lifts these to 200 million numbers in a table and 16 GB.
"""

from __future__ import annotations

import argparse
import multiprocessing
import queue
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from bnfuse import Network, networks
from bnfuse.fusion.cliques import inference_cost
from bnfuse.fusion.table_sizes import TableLimits
from bnfuse.inference.queries import marginals, query

LARGE = TableLimits(200_000_000, 16 * 2**30)
COLUMNS = ("all marginals", "given evidence", "a joint of two")

Answers = list[tuple[float, list[np.ndarray]]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", nargs="*", default=networks.names())
    parser.add_argument("--seconds", type=float, default=600, help="for each program and network")
    parser.add_argument("--large", action="store_true", help="lift the limits")
    arguments = parser.parse_args()
    limits = LARGE if arguments.large else TableLimits()
    print(
        "| network | numbers in clique tables | " + " | ".join(f"{c}, s | pyAgrum" for c in COLUMNS) + " | difference |"
    )
    print("|---|--:" + "|--:" * (2 * len(COLUMNS) + 1) + "|")
    for name in arguments.networks:
        cost = inference_cost(networks.load(name))
        row = [name, f"{cost.total:,}"]
        if not limits.allow(cost.largest, cost.total):
            print(f"| {' | '.join([*row, *['over the limit', '-'] * len(COLUMNS), '-'])} |", flush=True)
            continue
        ours, theirs = (answered(program, name, limits, arguments.seconds) for program in (by_bnfuse, by_pyagrum))
        for i in range(len(COLUMNS)):
            row += [seconds_of(ours, i), seconds_of(theirs, i)]
        print(f"| {' | '.join([*row, difference(ours, theirs)])} |", flush=True)


def question(network: Network) -> tuple[dict[str, str], list[str]]:
    """The states of a fifth of the variables in one sampled row, and two other variables."""
    row = network.sample(1, seed=3)
    observed = network.variables[:: max(2, len(network.variables) // max(1, len(network.variables) // 5))]
    evidence = {name: row.states[name][row.column(name)[0]] for name in observed}
    free = [name for name in network.variables if name not in evidence]
    return evidence, [free[-1], free[0]]


def by_bnfuse(name: str, limits: TableLimits) -> Any:
    network = networks.load(name)
    evidence, pair = question(network)
    import opt_einsum  # type: ignore[import-untyped]  # noqa: F401, PLC0415 - loaded once, and not counted

    yield lambda: list(marginals(network, limits=limits).values())
    yield lambda: list(marginals(network, None, evidence, limits).values())
    yield lambda: [query(network, pair, evidence, limits)]


def by_pyagrum(name: str, limits: TableLimits) -> Any:
    import pyagrum  # noqa: PLC0415 - large

    network = networks.load(name)
    evidence, pair = question(network)
    model = network.to_pyagrum()

    def every(given: dict[str, str]) -> list[np.ndarray]:
        engine = pyagrum.LazyPropagation(model)
        engine.setEvidence(given)
        engine.makeInference()
        return [engine.posterior(variable).toarray().copy() for variable in network.variables]

    def joint() -> list[np.ndarray]:
        engine = pyagrum.LazyPropagation(model)
        engine.setEvidence(evidence)
        engine.addJointTarget(set(pair))
        engine.makeInference()
        # its arrays have their axes in reverse
        return [engine.jointPosterior(set(pair)).reorganize(pair[::-1]).toarray().copy()]

    yield lambda: every({})
    yield lambda: every(evidence)
    yield joint


def answered(program: Callable[..., Any], name: str, limits: TableLimits, seconds: float) -> Answers:
    """The seconds and answers of as many questions as a program answers in time."""
    context = multiprocessing.get_context("spawn")
    answers = context.Queue()
    process = context.Process(target=_answer, args=(program, name, limits, answers))
    process.start()
    found: Answers = []
    end = time.monotonic() + seconds
    try:
        while len(found) < len(COLUMNS):
            try:
                found.append(answers.get(timeout=1))
            except queue.Empty:
                if not process.is_alive() or time.monotonic() > end:
                    break
    finally:
        process.kill()
        process.join()
    return found


def _answer(program: Callable[..., Any], name: str, limits: TableLimits, answers: Any) -> None:
    for ask in program(name, limits):
        start = time.process_time()
        tables = ask()
        answers.put((time.process_time() - start, tables))
    answers.close()
    answers.join_thread()


def seconds_of(answers: Answers, place: int) -> str:
    return f"{answers[place][0]:.4f}" if place < len(answers) else "stopped"


def difference(ours: Answers, theirs: Answers) -> str:
    pairs = [
        (mine, other)
        for (_, mine_all), (_, other_all) in zip(ours, theirs, strict=False)
        for mine, other in zip(mine_all, other_all, strict=True)
    ]
    return f"{max(float(np.abs(mine - other).max()) for mine, other in pairs):.0e}" if pairs else "-"


if __name__ == "__main__":
    main()
