"""Networks of separate parts: their consensus beside those of the parts, one by one.

    python bench/parts.py [--parts 10] [--variables 100] [--inputs 20] [--effort quick]

Each part has copies of its own forest with extra arcs (as in `large.py`), and no arc joins two parts. Prints the summed
distance of the parts, the distance of the whole, and the CPU seconds of both, at limit 4.
"""

from __future__ import annotations

import argparse
import time

import bnfuse
from bnfuse import DAG
from large import copies


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", type=int, default=10)
    parser.add_argument("--variables", type=int, default=100)
    parser.add_argument("--inputs", type=int, default=20)
    parser.add_argument("--effort", default="quick")
    arguments = parser.parse_args()
    parts = [copies(arguments.variables, arguments.inputs, seed) for seed in range(arguments.parts)]
    whole = [side_by_side([part[i] for part in parts]) for i in range(arguments.inputs)]
    for name, searched in (("one by one", parts), ("together", [whole])):
        start = time.process_time()
        distance = sum(bnfuse.consensus(dags, 4, effort=arguments.effort).distance for dags in searched)
        print(f"{name}: distance {distance:.2f}, {time.process_time() - start:.1f} CPU seconds", flush=True)


def side_by_side(dags: list[DAG]) -> DAG:
    names = [f"{name}_{part}" for part, dag in enumerate(dags) for name in dag.variables]
    return DAG(names, [(f"{a}_{part}", f"{b}_{part}") for part, dag in enumerate(dags) for a, b in dag.edges])


if __name__ == "__main__":
    main()
