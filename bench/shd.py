"""The consensus by SHD beside what people would take instead, on recorded instances, and its seconds beside SMHD's.

    python bench/shd.py FOLDER [--limits T ...] [--only INSTANCE] [--effort quick|normal|thorough]

FOLDER holds the instances (reference-instances.json.gz, real-instances.json.gz). For each of them and each limit prints
the mean SHD of the closest input within the limit, of the majority votes for SMHD and for SHD, of the greedy search, of
the consensus by SMHD and of the consensus by SHD, with its proven bound; how many of the others were closer; then the
seconds of both for 50 variables and 50 inputs.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import bnfuse
from instances import perturbed, sparse_dag
from reference import instances

RIVALS = ("input", "majority", "voting", "greedy", "smhd")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limits", type=int, nargs="+", default=[3, 4, 6])
    parser.add_argument("--only", default="", help="instances whose name starts so")
    parser.add_argument("--effort", default="normal")
    arguments = parser.parse_args()
    print(f"{'instance':18} t " + "".join(f"{name:>9}" for name in (*RIVALS, "shd", "bound", "seconds")))
    closer = rows = 0
    for name, dags in instances(arguments.folder).items():
        for limit in arguments.limits if name.startswith(arguments.only) else []:
            mine = bnfuse.consensus(dags, limit, "shd", effort=arguments.effort, directions="any")
            others = rivals(dags, limit, arguments.effort)
            beaten = [other for other in others if other is not None and other < mine.distance - 1e-9]
            closer += len(beaten)
            rows += 1
            texts = ["-" if other is None else f"{other:.3f}" for other in others]
            numbers = [*texts, f"{mine.distance:.3f}", f"{mine.lower_bound:.3f}", f"{mine.seconds:.2f}"]
            print(
                f"{name:18} {limit} " + "".join(f"{text:>9}" for text in numbers) + "  ABOVE" * bool(beaten), flush=True
            )
    print(f"{rows} problems, {closer} rivals closer than the consensus by SHD")
    compare_seconds(arguments.effort)


def rivals(dags: Sequence[bnfuse.DAG], limit: int, effort: str) -> list[float | None]:
    """The mean SHD of each, in the order of their names."""
    fitting = [dag for dag in dict.fromkeys(dags) if bnfuse.clique_size(dag) <= limit]
    networks = (
        bnfuse.consensus(dags, limit, method="majority", directions="any"),
        bnfuse.consensus(dags, limit, "shd", "majority", directions="any"),
        bnfuse.consensus(dags, limit, "shd", "greedy"),
        bnfuse.consensus(dags, limit, effort=effort, directions="any"),
    )
    closest = min((bnfuse.shd(dag, dags) for dag in fitting), default=None)
    return [closest, *(bnfuse.shd(network.dag, dags) for network in networks)]


def compare_seconds(effort: str) -> None:
    dags = perturbed(sparse_dag(50, seed=1), 50, seed=0)
    for limit in (3, 5, 8):
        options: dict[str, Any] = {"effort": effort, "directions": "any"}
        seconds = {metric: bnfuse.consensus(dags, limit, metric, **options).seconds for metric in ("smhd", "shd")}
        print(f"50 variables, 50 inputs, t={limit}: SMHD {seconds['smhd']:.2f} s, SHD {seconds['shd']:.2f} s")


if __name__ == "__main__":
    main()
