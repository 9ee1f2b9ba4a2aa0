"""How the direct search grows with the variables: distance, time and memory, beside another version's in the same run.

    python bench/growth.py [--variables 50 100 300 ...] [--inputs 20] [--effort normal] [--beside FOLDER]

The inputs are copies of a forest with extra arcs, most of them between variables that are near each other (as in
`large.py`); the largest clique has 4 members. FOLDER holds another version of the package, as `pip install --target`
makes it. Every search runs in its own process. Prints, as Markdown, the pairs that some input joins in its moral graph,
the distances of the majority vote and of the search, the proven gap, CPU seconds from the networks to the result, the
peak memory, and the distance after a tenth, a third and all of the moves; last the powers of the voted pairs by which
CPU seconds and memory grow, from the first line to the last.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import resource
import subprocess
import sys
import time
from typing import Any

VARIABLES = (50, 100, 300, 500, 1000, 2000, 5000, 10_000)
MOST_BEFORE = 2048  # variables of a version without lists of pairs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variables", type=int, nargs="+", default=VARIABLES)
    parser.add_argument("--inputs", type=int, default=20)
    parser.add_argument("--effort", default="normal")
    parser.add_argument("--beside", help="a folder with another version")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one is not None:
        print(json.dumps(measured(arguments.one, arguments.inputs, arguments.effort)))
        return
    heads = ["variables", "voted pairs", "vote", "distance", "gap", "CPU s", "s", "MB", "on the way"]
    print(f"| {' | '.join(heads)} |{' beside: distance | CPU s | MB |' if arguments.beside else ''}")
    print(f"|{'--:|' * len(heads)}{'--:|' * 3 if arguments.beside else ''}")
    lines = []
    for n in arguments.variables:
        one = run(n, arguments, None)
        lines.append(one)
        cells = [f"{n:,}", f"{one['pairs']:,}", f"{one['vote']:.2f}", f"{one['distance']:.2f}"]
        cells += [f"{100 * one['gap']:.1f} %", f"{one['cpu']:.1f}", f"{one['wall']:.1f}", f"{one['memory']:.0f}"]
        cells += [" ".join(f"{distance:.2f}" for distance in one["trace"])]
        if arguments.beside:
            other = run(n, arguments, arguments.beside) if n <= MOST_BEFORE else None
            cells += ["", "", ""] if other is None else [f"{other['distance']:.2f}", f"{other['cpu']:.1f}"]
            cells += [] if other is None else [f"{other['memory']:.0f}"]
        print(f"| {' | '.join(cells)} |", flush=True)
    first, last = lines[0], lines[-1]
    if last["pairs"] > first["pairs"]:
        grown = math.log(last["pairs"] / first["pairs"])
        for name in ("cpu", "memory"):
            print(f"{name}: the voted pairs to the power of {math.log(last[name] / first[name]) / grown:.2f}")


def run(n: int, arguments: argparse.Namespace, folder: str | None) -> dict[str, Any]:
    """What a search in its own process takes, with the version in a folder or the one that is installed."""
    command = [sys.executable, __file__, "--one", str(n), "--inputs", str(arguments.inputs), "--effort"]
    place = {"PYTHONPATH": folder} if folder else {}
    done = subprocess.run(
        [*command, arguments.effort], check=False, env=os.environ | place, capture_output=True, text=True
    )
    if done.returncode:
        raise SystemExit(done.stderr)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def measured(n: int, count: int, effort: str) -> dict[str, Any]:
    import bnfuse  # noqa: PLC0415 - in the process of one search, from its folder
    from bnfuse.search.majority import majority  # noqa: PLC0415
    from bnfuse.search.outcome import mean_distance  # noqa: PLC0415
    from large import copies  # noqa: PLC0415

    dags = copies(n, count)
    wall, cpu = time.perf_counter(), time.process_time()
    result = bnfuse.consensus(dags, 4, effort=effort)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    bound = result.lower_bound
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    steps = result.history
    moral = result.problem.tally.moral
    pairs = len(moral.keys) // 2 if hasattr(moral, "keys") else int((moral > 0).sum()) // 2
    return {
        "pairs": pairs,
        "vote": mean_distance(result.problem, majority(result.problem).dag),
        "distance": result.distance,
        "gap": (result.distance - bound) / bound if bound else 0.0,
        "cpu": cpu,
        "wall": wall,
        "memory": memory,
        "trace": [steps[min(int(share * len(steps)), len(steps) - 1)].distance for share in (0.1, 0.33, 1)],
    }


if __name__ == "__main__":
    main()
