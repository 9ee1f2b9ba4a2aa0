"""One learned network, or the consensus of many resamples: which is nearer to the network that the data came from?

    python bench/truth.py --results truth.jsonl                the whole grid: 15 networks, 2 numbers of rows, 3 seeds
    python bench/truth.py --quick                              a minute's worth of it
    python bench/truth.py --results truth.jsonl --tables       what is known so far, without measuring anything

Rows are drawn from a benchmark network, its columns in an order of chance, with the states that occur, as in a CSV
file. From these each way of METHODS makes a structure, which is compared with the true one; its tables are fitted to
the same rows and judged by 10,000 fresh ones. Results are kept in a file of JSON lines as they come; started again, the
program measures what is missing. Prints the tables of docs/truth.md, for each of GROUPS.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property, partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

import bnfuse
from bnfuse import DAG, PDAG, Network, Tally, bootstrap, clique_size, consensus, learn, networks
from bnfuse.data.data import Data
from bnfuse.inference.parameters import fit
from bnfuse.inference.queries import log_likelihood

GROUPS = {
    "choice": ("asia", "sachs", "child", "insurance", "alarm", "hailfinder", "hepar2", "win95pts"),
    "confirmation": ("cancer", "earthquake", "survey", "water", "mildew", "barley"),
    "large": ("andes",),
}
"""The networks on which the defaults of `learn` and `bootstrap` were chosen, and two groups to confirm the choice."""
NETWORKS = tuple(name for group in GROUPS.values() for name in group)
ROWS = (500, 5_000)
SEEDS, FIRST_SEED = 3, 100
RESAMPLES = 50
QUICK = {"networks": ["asia", "child", "survey"], "rows": [500], "seeds": 2, "resamples": 20}

FRESH_ROWS = 10_000
FRESH_SEED = 1_000_000  # beyond those of the samples
METRICS = ("smhd", "shd")
EVERY = 2**20  # a clique limit that limits nothing

# How networks are told apart


def arc_f1(found: DAG, true: DAG) -> float:
    """The harmonic mean of precision and recall of the arcs, which must have the right direction."""
    both = len(set(found.edges) & set(true.edges))
    return 2 * both / (len(found.edges) + len(true.edges)) if found.edges or true.edges else 1.0


def class_shd(found: DAG, true: DAG) -> int:
    """SHD between the CPDAGs: the pairs of variables that only one joins, or that have another mark in the other."""
    ours, theirs = marks(found), marks(true)
    return sum(ours.get(pair) != theirs.get(pair) for pair in ours.keys() | theirs.keys())


def marks(dag: DAG) -> dict[frozenset[str], str]:
    """By pair that the equivalence class of a network joins: where the arc points; empty where that is free."""
    graph = PDAG.of_class(dag)
    pointed = {frozenset(arc): arc[1] for arc in graph.arcs}
    return pointed | {frozenset(edge): "" for edge in graph.edges}


def moral_size(dag: DAG) -> int:
    """How many edges the moral graph has."""
    return int(bnfuse.smhd(dag, DAG(dag.variables)))


# The data, and what is made of them


@dataclass(frozen=True)
class Learner:
    """How one network is learned."""

    score: str = "bic"
    sample_size: float = 1.0
    effort: str = "quick"
    method: str = "anneal"
    max_clique: int | None = None

    @property
    def options(self) -> dict[str, Any]:
        return asdict(self)


SCORES: dict[str, dict[str, Any]] = {
    "bic": {},
    "bdeu 1": {"score": "bdeu"},
    "bdeu 10": {"score": "bdeu", "sample_size": 10.0},
    "aic": {"score": "aic"},
}
"""By their names in the tables."""
FIRST = ("bic", "bdeu 1")
"""The scores for which more ways are measured."""


class Sample:
    """Rows of a network, and the networks of their resamples, learned when they are asked for."""

    def __init__(self, true: Network, rows: int, seed: int, resamples: int) -> None:
        self.true, self.seed, self.resamples = true, seed, resamples
        order = np.random.default_rng([seed, rows]).permutation(len(true.variables))
        self.data = shuffled(true.sample(rows, seed), order)
        self._learned: dict[Learner, tuple[list[Network], Tally]] = {}

    def _bootstrap(self, learner: Learner) -> tuple[list[Network], Tally]:
        if learner not in self._learned:
            runs = bootstrap(self.data, self.resamples, seed=self.seed, threads=1, **learner.options)
            self._learned[learner] = list(runs), runs.tally
        return self._learned[learner]

    def networks(self, learner: Learner) -> list[Network]:
        """One for each resample."""
        return self._bootstrap(learner)[0]

    def tally(self, learner: Learner) -> Tally:
        """What these add up to."""
        return self._bootstrap(learner)[1]

    @cached_property
    def fresh(self) -> Data:
        return self.true.sample(FRESH_ROWS, FRESH_SEED + self.seed)

    def compared(self, dag: DAG) -> dict[str, float]:
        """What there is to say of a structure, by the fields of a record."""
        true = self.true.dag
        loglik = self.log_likelihood(dag)
        return {
            "shd": bnfuse.shd(dag, true),
            "class_shd": class_shd(dag, true),
            "smhd": bnfuse.smhd(dag, true),
            "f1": arc_f1(dag, true),
            "loglik": loglik,
            "loss": self.true_log_likelihood - loglik,
            "arcs": len(dag.edges),
            "clique": int(clique_size(dag)),
        }

    def log_likelihood(self, dag: DAG) -> float:
        """Of the fresh rows, per row, with tables from the sample."""
        network = fit(dag.reordered(self.true.variables), self.data, states=self.true.states).network
        return log_likelihood(network, self.fresh.codes) / FRESH_ROWS

    @cached_property
    def true_log_likelihood(self) -> float:
        """The same with the tables that the rows came from."""
        return log_likelihood(self.true, self.fresh.codes) / FRESH_ROWS


def shuffled(data: Data, order: np.ndarray) -> Data:
    """The columns in another order, since that breaks ties, with the states that occur."""
    codes, states = np.empty_like(data.codes), {}
    for place, column in enumerate(order.tolist()):
        name = data.variables[column]
        seen, codes[:, place] = np.unique(data.codes[:, column], return_inverse=True)
        states[name] = tuple(data.states[name][i] for i in seen)
    return Data(tuple(states), states, codes)


Method = Callable[[Sample], DAG]


def learned(learner: Learner, sample: Sample) -> DAG:
    return learn(sample.data, seed=sample.seed, threads=1, **learner.options).dag


def voted(limit: int, learner: Learner, sample: Sample) -> DAG:
    """With threshold 0.5; the estimated one has the same arcs, as docs/truth.md explains."""
    return consensus(sample.tally(learner), limit, "smhd", "majority", directions="any").dag


def direct(limit: int, metric: str, learner: Learner, sample: Sample) -> DAG:
    tally = sample.tally(learner)
    return consensus(tally, limit, metric, directions="any", effort="quick", seed=sample.seed, threads=1).dag


def methods() -> dict[str, Method]:
    """All ways from a sample to a structure, by the names that they have in the tables."""
    found: dict[str, Method] = {
        "true structure": lambda sample: sample.true.dag,
        "one network, climb": partial(learned, Learner(method="climb")),
        "one network, quick": partial(learned, Learner()),
        "one network, thorough": partial(learned, Learner(effort="thorough")),
    }
    for name, score in SCORES.items():
        found[f"one network, {name}"] = partial(learned, Learner(**score, effort="normal"))
    for name in FIRST:
        found[f"one network, {name}, t=4"] = partial(learned, Learner(**SCORES[name], effort="normal", max_clique=4))
    for name, score in SCORES.items():
        found[f"vote, {name}"] = partial(voted, EVERY, Learner(**score))
        found[f"vote, {name}, t=4"] = partial(voted, 4, Learner(**score))
    for name in FIRST:
        for metric in METRICS:
            found[f"direct {metric}, {name}, t=4"] = partial(direct, 4, metric, Learner(**SCORES[name]))
    found["vote, climb, t=4"] = partial(voted, 4, Learner(method="climb"))
    for name in FIRST:
        found[f"vote, {name}, normal"] = partial(voted, EVERY, Learner(**SCORES[name], effort="normal"))
        found[f"vote, {name}, normal, t=4"] = partial(voted, 4, Learner(**SCORES[name], effort="normal"))
    return found


METHODS = methods()
COSTLY = tuple(name for name in METHODS if "thorough" in name or ("vote" in name and "normal" in name))
"""The ways that take most of the time: measured with --costly alone."""
BY_NETWORK = (
    "true structure", "one network, climb", "one network, bic", "one network, bdeu 1", "one network, bic, t=4",
    "vote, bic", "vote, bic, t=4", "vote, bdeu 1", "vote, bdeu 1, t=4", "direct smhd, bic, t=4",
)  # fmt: skip
"""The ways that the tables of single networks show."""

# Measuring


@dataclass(frozen=True)
class Cell:
    """A sample: what it is drawn from, and how."""

    network: str
    rows: int
    seed: int
    resamples: int


@dataclass(frozen=True)
class Record:
    """How near to the truth one way comes from one sample."""

    network: str
    rows: int
    seed: int
    resamples: int
    method: str
    shd: float
    class_shd: float
    smhd: float
    f1: float
    loglik: float
    """of fresh rows, per row"""
    loss: float
    """the same, below that of the network which the rows came from"""
    arcs: int
    clique: int
    seconds: float

    @property
    def key(self) -> tuple[Cell, str]:
        return Cell(self.network, self.rows, self.seed, self.resamples), self.method


def measured(task: tuple[Cell, Sequence[str]]) -> list[Record]:
    """What some ways make of a sample."""
    cell, wanted = task
    sample = Sample(networks.load(cell.network), cell.rows, cell.seed, cell.resamples)
    compared: dict[DAG, dict[str, float]] = {}  # many ways find the same network
    records = []
    for name in wanted:
        start = time.process_time()
        dag = METHODS[name](sample)
        seconds = time.process_time() - start
        if dag not in compared:
            compared[dag] = sample.compared(dag)
        records.append(Record(**asdict(cell), method=name, seconds=round(seconds, 3), **compared[dag]))
    return records


def read(path: Path | None) -> list[Record]:
    """What is known already; a line that was cut is not."""
    records = []
    for line in path.read_text().splitlines() if path is not None and path.exists() else ():
        try:
            records.append(Record(**json.loads(line)))
        except json.JSONDecodeError:
            continue
    return records


def measure(tasks: Sequence[tuple[Cell, Sequence[str]]], workers: int, path: Path | None) -> Iterator[Record]:
    """All that is missing, in the file as soon as it is known."""
    done, start = 0, time.monotonic()
    if path is not None and path.exists() and not path.read_bytes().endswith(b"\n"):
        path.write_bytes(path.read_bytes() + b"\n")  # after a line that was cut
    with get_context("spawn").Pool(workers) if workers > 1 else _Alone() as pool:
        for records in pool.imap_unordered(measured, tasks):
            if path is not None:
                with path.open("a") as file:
                    file.writelines(f"{json.dumps(asdict(record))}\n" for record in records)
            yield from records
            done += 1
            cell = Cell(*(getattr(records[0], name) for name in Cell.__dataclass_fields__))
            print(f"<!-- {done} of {len(tasks)}, {time.monotonic() - start:,.0f} s: {cell} -->", flush=True)


class _Alone:
    """A pool that is this process."""

    imap_unordered = staticmethod(map)

    def __enter__(self) -> _Alone:
        return self

    def __exit__(self, *_: object) -> None:
        pass


# Tables

MEASURES = {
    "shd": ("SHD", -1),
    "class_shd": ("CPDAG SHD", -1),
    "smhd": ("SMHD", -1),
    "f1": ("F1 of arcs", 1),
    "loglik": ("log-likelihood of a fresh row", 1),
}
"""By their fields: their names, and whether less or more is better."""


class Results:
    """Records by network, number of rows, method and seed."""

    def __init__(self, records: Iterable[Record]) -> None:
        self._records = {(one.network, one.rows, one.method, one.seed): one for one in records}
        self.networks = [name for name in NETWORKS if any(key[0] == name for key in self._records)]
        self.rows = sorted({key[1] for key in self._records})
        self.seeds = sorted({key[3] for key in self._records})
        self.methods = [name for name in METHODS if any(key[2] == name for key in self._records)]

    def of(self, names: Sequence[str]) -> Results:
        """Those of some networks."""
        return Results(one for one in self._records.values() if one.network in names)

    def values(self, network: str, rows: int, method: str, field: str) -> list[float]:
        """One for each seed."""
        found = (self._records.get((network, rows, method, seed)) for seed in self.seeds)
        return [float(getattr(one, field)) for one in found if one is not None]

    def over_networks(self, rows: int, method: str, field: str, sizes: Mapping[str, float]) -> tuple[float, float]:
        """The mean over the networks, each in shares of a size of its own, and its error; NaN unless all are known."""
        means, errors = [], []
        for name in self.networks:
            mean, error = mean_and_error([value / sizes[name] for value in self.values(name, rows, method, field)])
            means.append(mean)
            errors.append(error)
        return statistics.fmean(means), math.sqrt(math.fsum(error**2 for error in errors)) / len(errors)

    def changes(self, method: str, field: str, baseline: str) -> Iterator[tuple[float, float]]:
        """For each network and number of rows: by how much a way is above another in the mean, and its error."""
        for network in self.networks:
            for rows in self.rows:
                pairs = zip(
                    self.values(network, rows, method, field), self.values(network, rows, baseline, field), strict=False
                )
                yield mean_and_error([ours - theirs for ours, theirs in pairs])


def mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """The mean, and its standard error."""
    if not values:
        return math.nan, math.nan
    return statistics.fmean(values), statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan


def print_all(results: Results) -> None:
    print_networks(results.networks)
    for group, names in GROUPS.items():
        part = results.of(names)
        for rows in part.rows:
            print_overall(part, rows, f"{group.capitalize()} ({', '.join(part.networks)}), {rows:,} rows")
        if part.rows:
            print_changes(part, "one network, bic", group)
    for field, (name, sign) in MEASURES.items():
        for rows in results.rows:
            print_by_network(results, rows, field, f"{name}, {rows:,} rows", sign)


def print_networks(names: Sequence[str]) -> None:
    rows = []
    for name in names:
        dag = networks.load(name).dag
        rows.append([name, str(len(dag.variables)), str(len(dag.edges)), str(moral_size(dag)), str(clique_size(dag))])
    print_table("The true networks", ["network", "variables", "arcs", "moral edges", "largest clique"], rows)


def print_overall(results: Results, rows: int, title: str) -> None:
    """The mean over the networks, the distances in percent of the true network's arcs and moral edges."""
    dags = {name: networks.load(name).dag for name in results.networks}
    arcs = {name: len(dag.edges) / 100 for name, dag in dags.items()}
    moral = {name: moral_size(dag) / 100 for name, dag in dags.items()}
    ones = dict.fromkeys(dags, 1.0)
    columns = [
        ("SHD, %", "shd", arcs, 1, -1),
        ("CPDAG SHD, %", "class_shd", arcs, 1, -1),
        ("SMHD, %", "smhd", moral, 1, -1),
        ("F1 of arcs", "f1", ones, 3, 1),
        ("log-likelihood lost", "loss", ones, 3, -1),
        ("arcs, %", "arcs", arcs, 0, 0),
        ("largest clique", "clique", ones, 1, 0),
    ]
    cells = []
    for _, field, sizes, digits, sign in columns:
        column = {name: results.over_networks(rows, name, field, sizes) for name in results.methods}
        cells.append(texts(column, digits, sign))
    table = [[name, *(column[name] for column in cells)] for name in results.methods]
    print_table(title, ["way", *(column[0] for column in columns)], table)


def print_changes(results: Results, baseline: str, which: str) -> None:
    """How often a way is better than another by more than two standard errors, and how often worse; from two seeds."""
    table = []
    for method in results.methods:
        changes = {field: list(results.changes(method, field, baseline)) for field in MEASURES}
        few = any(math.isnan(error) for found in changes.values() for _, error in found)
        if few or method in (baseline, "true structure"):
            continue
        row = [method]
        for field, (_, sign) in MEASURES.items():
            # Where all seeds differ by the same, that is no chance; where none differs, nobody wins.
            signs = [sign * change for change, error in changes[field] if abs(change) > 2 * error]
            row.append(f"{sum(one > 0 for one in signs)} / {sum(one < 0 for one in signs)}")
        table.append(row)
    cases = len(results.networks) * len(results.rows)
    title = f"{which.capitalize()}: better / worse than {baseline}, of {cases} pairs of network and rows"
    print_table(title, ["way", *(name for name, _ in MEASURES.values())], table)


def print_by_network(results: Results, rows: int, field: str, title: str, sign: int) -> None:
    cells = []
    for network in results.networks:
        column = {name: mean_and_error(results.values(network, rows, name, field)) for name in BY_NETWORK}
        cells.append(texts(column, 1 if sign < 0 else 3, sign))
    table = [[name, *(column[name] for column in cells)] for name in BY_NETWORK]
    print_table(title, ["way", *results.networks], table)


def texts(column: Mapping[str, tuple[float, float]], digits: int, sign: int) -> dict[str, str]:
    """Means with their standard errors; the best of all that are found without the truth is bold."""
    ranked = [sign * round(mean, digits) for name, (mean, _) in column.items() if name != "true structure"]
    best = max((one for one in ranked if not math.isnan(one)), default=math.nan)
    found = {}
    for name, (mean, error) in column.items():
        text = f"{mean:.{digits}f}" + (f" ± {error:.{digits}f}" if sign and not math.isnan(error) else "")
        is_best = sign and name != "true structure" and sign * round(mean, digits) == best
        found[name] = "-" if math.isnan(mean) else f"**{text}**" if is_best else text
    return found


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    print(f"\n### {title}\n")
    print(f"| {' | '.join(columns)} |")
    print("|---" + "|--:" * (len(columns) - 1) + "|")
    for row in rows:
        print(f"| {' | '.join(row)} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, help="where results are kept, and taken from if it exists: JSON lines")
    parser.add_argument("--networks", nargs="+", default=list(NETWORKS))
    parser.add_argument("--rows", nargs="+", type=int, default=list(ROWS))
    parser.add_argument("--seeds", type=int, default=SEEDS, help="how many samples of each network and number of rows")
    parser.add_argument("--first-seed", type=int, default=FIRST_SEED)
    parser.add_argument("--ways", nargs="+", choices=METHODS, metavar="WAY", help="by default all but the costly ones")
    parser.add_argument("--costly", action="store_true", help=f"also {', '.join(COSTLY)}")
    parser.add_argument("--resamples", type=int, default=RESAMPLES)
    parser.add_argument("--workers", type=int, default=1, help="processes")
    parser.add_argument("--quick", action="store_true", help="few networks, seeds and resamples")
    parser.add_argument("--tables", action="store_true", help="measure nothing, print what is known")
    if parser.parse_known_args()[0].quick:
        parser.set_defaults(**QUICK)
    arguments = parser.parse_args()
    cells = [
        Cell(name, rows, seed, arguments.resamples)
        for seed in range(arguments.first_seed, arguments.first_seed + arguments.seeds)
        for name in arguments.networks
        for rows in arguments.rows
    ]
    known = {record.key: record for record in read(arguments.results)}
    ways = arguments.ways or [name for name in METHODS if arguments.costly or name not in COSTLY]
    tasks = [(cell, [name for name in ways if (cell, name) not in known]) for cell in cells]
    if not arguments.tables:
        missing = [task for task in tasks if task[1]]
        known |= {record.key: record for record in measure(missing, arguments.workers, arguments.results)}
    wanted = set(cells)
    print_all(Results(record for (cell, _), record in known.items() if cell in wanted))


if __name__ == "__main__":
    main()
