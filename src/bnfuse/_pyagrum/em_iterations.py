"""Expectation maximisation by pyAgrum: the tables after each iteration, from a process of its own."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bnfuse._errors import BnfuseError
from bnfuse._pyagrum import em
from bnfuse._pyagrum.texts import MEMORY, MEMORY_FOR_A_BYTE
from bnfuse.dag import DAG

Codes = npt.NDArray[np.signedinteger[Any]]
Table = npt.NDArray[np.float64]


def em_iterations(dag: DAG, sizes: Sequence[int], codes: Codes, prior: float) -> Generator[dict[str, Table]]:
    """The tables after each iteration of expectation maximisation, for as long as the caller wants more.

    `codes` are rows of state numbers in the order of the variables, -1 where a value is missing; `prior` is the
    equivalent sample size of a uniform prior, above 0: without any, pyAgrum refuses parent configurations without rows.
    """
    with tempfile.TemporaryDirectory(prefix="bnfuse-") as folder:
        file = Path(folder) / "rows.csv"
        rows, counts = np.unique(codes, axis=0, return_counts=True)  # each row is an inference of its own
        _write_codes(rows, file)
        task = {
            "file": str(file),
            "sizes": list(sizes),
            "arcs": dag.arc_numbers.tolist(),
            "weights": counts.tolist(),
            "prior": prior,
            "memory": MEMORY + MEMORY_FOR_A_BYTE * codes.size,
        }
        program = [sys.executable, "-P", em.__file__]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        with subprocess.Popen(
            program,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,  # Ctrl-C is for the caller, who ends it
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                pickle.dump(task, process.stdin)
                while True:
                    process.stdin.flush()
                    yield _em_tables(dag, pickle.load(process.stdout))
                    process.stdin.write(b"more\n")
            except (OSError, EOFError, pickle.UnpicklingError):
                raise BnfuseError(
                    "pyAgrum's expectation maximisation failed; is there enough memory? "
                    "Leave out rows or columns with many missing values"
                ) from None
            finally:
                process.kill()


def _em_tables(dag: DAG, found: list[tuple[list[int], Table]]) -> dict[str, Table]:
    tables = {}
    for variable, (given, values) in zip(dag.variables, found, strict=True):
        axes = [dag.variables[i] for i in given]
        table = values.transpose([axes.index(axis) for axis in (*dag.parents(variable), variable)])
        tables[variable] = table / table.sum(-1, keepdims=True)
    return tables


def _write_codes(codes: Codes, file: Path) -> None:
    cells = np.array([*map(str, range(int(codes.max(initial=0)) + 1)), "?"], object)  # code -1 is the last
    with file.open("w", encoding="ascii") as text:
        text.write(",".join(f"V{i}" for i in range(codes.shape[1])) + "\n")
        text.writelines(",".join(row) + "\n" for row in map(cells.__getitem__, codes))
