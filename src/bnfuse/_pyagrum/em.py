"""A program for `_pyagrum` to run: expectation maximisation by pyAgrum, in a process of its own.

It reads a task from the standard input, and after each iteration writes all tables to the standard output and waits to
be told whether to go on. Imports nothing of bnfuse, so that it starts fast.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import pickle
import sys
import warnings
from typing import Any

if sys.platform != "win32":
    import resource


def _main() -> None:
    task = pickle.load(sys.stdin.buffer)
    if sys.platform != "win32":
        with contextlib.suppress(ValueError):  # not above a limit that is already set
            resource.setrlimit(resource.RLIMIT_AS, (task["memory"], task["memory"]))
    warnings.simplefilter("ignore")  # it warns where a likelihood without its prior falls a little
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)  # whatever pyAgrum prints
        for tables in _iterations(task):
            pickle.dump(tables, answers)
            answers.flush()
            if sys.stdin.buffer.readline() != b"more\n":
                break


def _iterations(task: dict[str, Any]) -> Any:
    """The tables after each iteration: for each variable its axes and values."""
    pyagrum = importlib.import_module("pyagrum")  # large and optional
    model = pyagrum.BayesNet()
    sizes = task["sizes"]
    for number, size in enumerate(sizes):
        model.add(pyagrum.LabelizedVariable(f"V{number}", "", [str(code) for code in range(size)]))
    for source, target in task["arcs"]:
        model.addArc(source, target)
    learner = pyagrum.BNLearner(task["file"], model, ["?"])
    for row, weight in enumerate(task["weights"]):
        learner.setRecordWeight(row, weight)
    learner.useBDeuPrior(task["prior"])
    learner.useEM(1e-12, 0.0)  # without random noise
    learner.EMsetMaxIter(1)  # who runs this knows when to stop
    current = learner.learnParameters(model.dag())
    while True:
        tables = []
        for number in range(len(sizes)):
            table = current.cpt(number)
            tables.append(([int(name[1:]) for name in reversed(table.names)], table.toarray().copy()))
        yield tables
        following = learner.learnParameters(current)
        current = following


if __name__ == "__main__":
    _main()
