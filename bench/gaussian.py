"""Numbers that stay numbers, or classes of them: which network is nearer to the one that the data came from?

    python bench/gaussian.py --results gaussian.jsonl             all systems; continues where it was stopped
    python bench/gaussian.py --results gaussian.jsonl --tables    the tables, without measuring

Linear systems: 5 of 12 variables with 100 and 1,000 rows, and ten random ones of 10 to 50 variables with 100, 1,000 and
10,000 rows, 5 samples each, 2 of 10,000 rows. Each variable is a linear function of its parents, 2 on average (1.5
where there are 20 or more variables), with slopes of 0.4 to 1.2 and normal noise of its own standard deviation, 0.5 to
1.5. Curved systems: the same graphs, where a parent counts by a function of it instead: a parabola, a cosine, or its
absolute value (none is monotone), or a sigmoid (which is). Prints the tables of docs/gaussian.md.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from bnfuse import DAG, bootstrap, consensus, learn
from bnfuse.data.numeric import NumericData
from bnfuse.learning.gaussian.linearity import curves
from truth import EVERY, class_shd

SAMPLES = 5
RESAMPLES = 50
SMALL = [(12, rows, system) for rows in (100, 1_000) for system in range(5)]
SIZES = (10, 12, 15, 18, 20, 25, 30, 35, 40, 50)
LARGE = [(n, rows, 100 + i) for rows in (100, 1_000, 10_000) for i, n in enumerate(SIZES)]
CURVES: dict[str, Callable[[Any], Any]] = {
    "parabola": lambda x: x**2,
    "cosine": lambda x: 2 * np.cos(2 * x),
    "absolute value": lambda x: 2 * np.abs(x),
    "sigmoid": lambda x: 2 * np.tanh(2 * x),
}

Rows = Any


def system(n: int, seed: int) -> tuple[list[str], dict[tuple[str, str], float], dict[str, float]]:
    """The variables of a random network in a topological order, its slopes, and the deviation of each one's noise."""
    random = np.random.default_rng([n, seed])
    names = [f"X{i + 1}" for i in range(n)]
    order = [names[i] for i in random.permutation(n)]
    share = min(1.0, 2 * (2 if n < 20 else 1.5) / (n - 1))
    arcs = [(u, v) for place, v in enumerate(order) for u in order[:place] if random.random() < share]
    slopes = {arc: float(random.uniform(0.4, 1.2) * random.choice([-1, 1])) for arc in arcs}
    return order, slopes, {name: float(random.uniform(0.5, 1.5)) for name in names}


def drawn(n: int, rows: int, seed: int, sample: int, curve: Callable[[Any], Any] = lambda x: x) -> tuple[DAG, Rows]:
    """The network of a system, and rows of it; a curve is that of a parent on the scale where its deviation is 1."""
    order, slopes, deviations = system(n, seed)
    dag = DAG([f"X{i + 1}" for i in range(n)], slopes)
    random = np.random.default_rng([n, rows, seed, sample])
    values: dict[str, Any] = {}
    for name in order:
        values[name] = random.normal(size=rows) * deviations[name]
        for parent in dag.parents(name):
            own = values[parent]
            if curve(2.0) != 2.0:
                own = curve((own - own.mean()) / own.std())
            values[name] = values[name] + slopes[parent, name] * own
    return dag, np.column_stack([values[name] for name in dag.variables])


def ways(rows: Rows) -> dict[str, Callable[[], DAG]]:
    """Ways from rows to a network."""
    names = tuple(f"X{i + 1}" for i in range(rows.shape[1]))
    data = NumericData(names, rows)
    import pandas  # noqa: PLC0415 - for this alone

    table = pandas.DataFrame(rows, columns=list(names))

    def vote(source: Any, **asked: Any) -> DAG:
        return consensus(bootstrap(source, RESAMPLES, threads=1, **asked).run(), EVERY, method="majority").dag

    return {
        "one, bic-g": lambda: learn(data, "bic-g", gaussian=True, threads=1).dag,
        "one, bge": lambda: learn(data, "bge", gaussian=True, threads=1).dag,
        "vote, bic-g": lambda: vote(data, score="bic-g", gaussian=True),
        "vote, bge": lambda: vote(data, score="bge", gaussian=True),
        "one, bins": lambda: learn(table, threads=1).dag,
        "vote, bins": lambda: vote(table),
    }


def skeleton_f1(found: DAG, true: DAG) -> float:
    """The harmonic mean of precision and recall of the pairs that are joined."""
    ours, theirs = set(map(frozenset, found.edges)), set(map(frozenset, true.edges))
    return 2 * len(ours & theirs) / max(len(ours) + len(theirs), 1)


def cases() -> Iterator[dict[str, Any]]:
    """All that is measured."""
    for curve in CURVES:
        for rows in (300, 1_000, 10_000):
            for seed in range(5):
                yield {"kind": curve, "n": 12, "rows": rows, "system": seed, "sample": 0}
    for kind, systems in (("linear 12", SMALL), ("linear 10-50", LARGE)):
        for n, rows, seed in systems:
            for sample in range(SAMPLES if rows < 10_000 else 2):
                yield {"kind": kind, "n": n, "rows": rows, "system": seed, "sample": sample}


def measured(case: dict[str, Any]) -> dict[str, Any]:
    """What all ways find in one sample."""
    curve = CURVES.get(case["kind"], lambda x: x)
    dag, rows = drawn(case["n"], case["rows"], case["system"], case["sample"], curve)
    found: dict[str, Any] = {}
    for name, way in ways(rows).items():
        if name.startswith("vote") and (case["sample"] > 1 or (case["kind"] in CURVES)):
            continue  # resamples take the most time
        start = time.process_time()
        one = way()
        found[name] = {
            "shd": class_shd(one, dag) / len(dag.edges),
            "f1": skeleton_f1(one, dag),
            "arcs": len(one.edges) / len(dag.edges),
            "seconds": time.process_time() - start,
        }
    data = NumericData(dag.variables, rows)
    look = bool(curves(data, learn(data, gaussian=True, effort="quick", threads=1).dag))
    return {**case, "arcs": len(dag.edges), "looks curved": look, "found": found}


def tables(known: list[dict[str, Any]]) -> None:
    """The tables of the page."""
    names = list(ways(np.zeros((2, 2))))
    for measure in ("shd", "f1", "seconds"):
        for kind in dict.fromkeys(one["kind"] for one in known):
            if (measure == "f1") != (kind in CURVES) and measure != "seconds":
                continue
            print(f"\n{kind}: {measure}\n")
            print("| rows | " + " | ".join(names) + " | looks curved |\n|---|" + "---|" * (len(names) + 1))
            for rows in sorted({one["rows"] for one in known if one["kind"] == kind}):
                own = [one for one in known if (one["kind"], one["rows"]) == (kind, rows)]
                both = [one for one in own if "vote, bge" in one["found"]] or own
                cells = []
                for name in names:
                    values = [one["found"][name][measure] for one in both if name in one["found"]]
                    cells.append(shown(values, measure) if values else "")
                curved = f"{sum(one['looks curved'] for one in own)} of {len(own)}"
                print(f"| {rows:,} | " + " | ".join(cells) + f" | {curved} |")


def shown(values: list[float], measure: str) -> str:
    """Their mean with its standard error."""
    factor = 100 if measure == "shd" else 1
    mean = factor * statistics.fmean(values)
    error = factor * statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0
    return f"{mean:.1f} ± {error:.1f}" if measure == "shd" else f"{mean:.2f}"


def main() -> None:
    """Measure what is missing, then print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--results", type=Path, default=Path("gaussian.jsonl"))
    parser.add_argument("--tables", action="store_true")
    asked = parser.parse_args()
    known = [json.loads(line) for line in asked.results.read_text().splitlines()] if asked.results.exists() else []
    key = partial(map, str)
    done = {tuple(key(one[name] for name in ("kind", "n", "rows", "system", "sample"))) for one in known}
    for case in () if asked.tables else cases():
        if tuple(key(case.values())) not in done:
            known.append(measured(case))
            with asked.results.open("a") as file:
                file.write(json.dumps(known[-1]) + "\n")
    tables(known)


if __name__ == "__main__":
    main()
