"""Soft findings, explanations, interventions, information and sensitivity beside pyAgrum and pgmpy, in one run.

    python bench/asking.py [NETWORK ...] [--seconds 60]

For each network and for munin's consensus with cliques of at most 4 (`munin-4`): seconds, the best of three runs. The
question is the same for all programs: likelihoods for two variables, and the state of a third in one sampled row. A
cell is `-` where a program has no such function, and has its error where it fails. Each call runs in a process of its
own, which is stopped after `--seconds`.
"""

from __future__ import annotations

import argparse
import functools
import importlib
import importlib.util
import multiprocessing
import queue
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import bnfuse
from bnfuse import Network, networks
from bnfuse.inference.queries import marginals

NAMES = ("asia", "sachs", "child", "alarm", "insurance", "hailfinder", "munin-4")
PROGRAMS = ("bnfuse", "pyAgrum", "pgmpy")
KINDS = (
    "all marginals, soft findings",
    "all marginals, intervention",
    "most probable explanation",
    "100 best explanations",
    "information about one variable",
    "sensitivity of one probability",
)
_FOLDER = Path(tempfile.gettempdir())
_ERROR = 40  # letters of a message that a cell has room for


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", nargs="*", default=NAMES)
    parser.add_argument("--seconds", type=float, default=60, help="for each call")
    arguments = parser.parse_args()
    programs = [one for one in PROGRAMS if one == "bnfuse" or importlib.util.find_spec(one.lower())]
    left_out = [one for one in PROGRAMS if one not in programs]
    print(f"seconds; not installed: {', '.join(left_out) or 'none'}\n")
    print(f"| network | question | {' | '.join(programs)} |")
    print("|---|---|" + "--:|" * len(programs))
    for name in arguments.networks:
        path = written(name)
        for kind in KINDS:
            cells = [measured(program, kind, path, arguments.seconds) for program in programs]
            print(f"| {name} | {kind} | {' | '.join(cells)} |", flush=True)


def written(name: str) -> Path:
    """The file of a network; the consensus of munin is found once."""
    path = _FOLDER / f"bnfuse-asking-{name}.bif"
    if not path.exists():
        whole = networks.load(name.removesuffix("-4"))
        network = bnfuse.consensus([whole], max_clique=4, effort="quick").network if name.endswith("-4") else whole
        network.write(path)
    return path


def measured(program: str, kind: str, path: Path, seconds: float) -> str:
    """What one kind of question takes, as a cell of the table."""
    if kind not in CALLS[program]:
        return "-"
    context = multiprocessing.get_context("spawn")
    answers: Any = context.Queue()
    process = context.Process(target=_timed, args=(program, kind, path, answers))
    process.start()
    try:
        return str(answers.get(timeout=seconds))
    except queue.Empty:
        return f"> {seconds:g}"
    finally:
        process.terminate()
        process.join()


def _timed(program: str, kind: str, path: Path, answers: Any) -> None:
    (network,) = bnfuse.read(path)
    times = []
    try:
        call = CALLS[program][kind](network, *question(network))
        for _ in range(3):
            start = time.perf_counter()
            call()
            times.append(time.perf_counter() - start)
    except Exception as error:
        text = " ".join(str(error).split())[:_ERROR].replace("|", "/")
        answers.put(f"{type(error).__name__}: {text}")
        return
    answers.put(f"{min(times):.4f}")


def question(network: Network) -> tuple[dict[str, Any], str, dict[str, str]]:
    """Findings around one sampled row, a target, and a variable to set."""
    row = network.sample(1, seed=3)
    several = [name for name in network.variables if len(network.states[name]) > 1]
    first, second, third, target, cause = (several[int(i)] for i in np.linspace(0, len(several) - 1, 5))
    random = np.random.default_rng(0)
    given: dict[str, Any] = {
        name: {label: float(random.uniform(0.1, 1)) for label in network.states[name]} for name in (first, second)
    }
    given[third] = network.states[third][int(row.column(third)[0])]
    return given, target, {cause: network.states[cause][int(row.column(cause)[0])]}


def own_calls() -> dict[str, Callable[..., Callable[[], object]]]:
    return {
        KINDS[0]: lambda network, given, target, do: lambda: marginals(network, None, given),
        KINDS[1]: lambda network, given, target, do: lambda: marginals(network, None, do=do),
        KINDS[2]: lambda network, given, target, do: lambda: network.most_probable(given),
        KINDS[3]: lambda network, given, target, do: lambda: network.most_probable(given, k=100),
        KINDS[4]: lambda network, given, target, do: lambda: network.informative(target, given),
        KINDS[5]: lambda network, given, target, do: (
            lambda: network.sensitivity(target, network.states[target][0], given)
        ),
    }


pyagrum: Any = importlib.import_module("pyagrum") if importlib.util.find_spec("pyagrum") else None


def elimination_in(model: Any) -> Any:
    return importlib.import_module("pgmpy.inference").VariableElimination(model)


def agrum_inference(model: Any, network: Network, given: dict[str, Any]) -> Any:
    inference = pyagrum.LazyPropagation(model)
    for name, finding in given.items():
        labels = network.states[name]
        inference.addEvidence(name, finding if isinstance(finding, str) else [finding[label] for label in labels])
    return inference


def agrum_marginals(network: Network, given: dict[str, Any], target: str, do: dict[str, str]) -> Callable[[], object]:
    model = network.to_pyagrum()

    def call() -> object:
        inference = agrum_inference(model, network, given)
        inference.makeInference()
        return [inference.posterior(name).toarray() for name in network.variables]

    return call


def agrum_do(network: Network, given: dict[str, Any], target: str, do: dict[str, str]) -> Callable[[], object]:
    model = network.to_pyagrum()
    ((cause, label),) = do.items()

    def call() -> object:
        cut = pyagrum.BayesNet(model)
        for parent in network.dag.parents(cause):
            cut.eraseArc(parent, cause)
        cut.cpt(cause).fillWith([float(own == label) for own in network.states[cause]])
        inference = pyagrum.LazyPropagation(cut)
        inference.makeInference()
        return [inference.posterior(name).toarray() for name in network.variables]

    return call


def agrum_explanation(network: Network, given: dict[str, Any], target: str, do: dict[str, str]) -> Callable[[], object]:
    model = network.to_pyagrum()
    return lambda: agrum_inference(model, network, given).mpeLog2Posterior()


def agrum_information(network: Network, given: dict[str, Any], target: str, do: dict[str, str]) -> Callable[[], object]:
    model = network.to_pyagrum()

    def call() -> object:
        inference = agrum_inference(model, network, given)
        others = [name for name in network.variables if name != target and not isinstance(given.get(name), str)]
        for name in others:
            inference.addJointTarget({target, name})
        inference.makeInference()
        return [pyagrum.InformationTheory(inference, [target], [name]).mutualInformationXY() for name in others]

    return call


@functools.cache
def pgmpy_model(network: Network) -> Any:
    return network.to_pgmpy()


def pgmpy_evidence(network: Network, given: dict[str, Any]) -> dict[str, Any]:
    cpd_of = importlib.import_module("pgmpy.factors.discrete").TabularCPD
    hard = {name: finding for name, finding in given.items() if isinstance(finding, str)}
    soft = []
    for name, finding in given.items():
        if not isinstance(finding, str):
            labels = network.states[name]
            numbers = [[finding[label]] for label in labels]
            soft.append(cpd_of(name, len(labels), numbers, state_names={name: list(labels)}))
    return {"evidence": hard, "virtual_evidence": soft}


def pgmpy_marginals(network: Network, given: dict[str, Any], target: str, do: dict[str, str]) -> Callable[[], object]:
    model = pgmpy_model(network)
    asked = [name for name in network.variables if name not in given]

    def call() -> object:
        inference = elimination_in(model)
        evidence = pgmpy_evidence(network, given)
        return [inference.query([name], **evidence, show_progress=False) for name in asked]

    return call


def pgmpy_do(network: Network, given: dict[str, Any], target: str, do: dict[str, str]) -> Callable[[], object]:
    model = pgmpy_model(network)

    def call() -> object:
        inference = elimination_in(model.do(list(do)))
        asked = [name for name in network.variables if name not in do]
        return [inference.query([name], evidence=do, show_progress=False) for name in asked]

    return call


def pgmpy_explanation(network: Network, given: dict[str, Any], target: str, do: dict[str, str]) -> Callable[[], object]:
    model = pgmpy_model(network)
    asked = [name for name in network.variables if name not in given]
    return lambda: elimination_in(model).map_query(asked, **pgmpy_evidence(network, given), show_progress=False)


CALLS: dict[str, dict[str, Callable[..., Callable[[], object]]]] = {
    "bnfuse": own_calls(),
    "pyAgrum": {
        KINDS[0]: agrum_marginals,
        KINDS[1]: agrum_do,
        KINDS[2]: agrum_explanation,
        KINDS[4]: agrum_information,
    },
    "pgmpy": {KINDS[0]: pgmpy_marginals, KINDS[1]: pgmpy_do, KINDS[2]: pgmpy_explanation},
}


if __name__ == "__main__":
    main()
