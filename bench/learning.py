"""Learning from data, beside pyAgrum and pgmpy in the same run: how well, how fast, and how much memory resamples take.

python bench/learning.py             all tables
python bench/learning.py quality     one of: quality, equal, truth, speed, resamples, scale

pgmpy is not part of the test environment: pip install "bnfuse[learners]".
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from bnfuse import DAG, Learned, Network, bootstrap, learn, networks, shd
from bnfuse.data.data import Data
from bnfuse.data.discretise import RawDataOptions, prepared
from bnfuse.learning.data_learner import Learner, LearnOptions
from bnfuse.problem.constraints import Constraints
from measure import peak_megabytes, print_table, seconds_text
from truth import class_shd

ROWS = 5_000
QUALITY = (
    "asia", "sachs", "child", "insurance", "alarm", "hailfinder", "hepar2", "win95pts", "mildew", "water", "barley",
)  # fmt: skip
RESAMPLES = 1_000
SCALE_RESAMPLES = 20
PGMPY_VARIABLES = 40  # more take too long
REPEATS = 5  # of which the fastest counts
ENOUGH = 30  # seconds after which another package is not asked again
PATIENCE = 300  # seconds for one network of another package


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    tables: dict[str, Callable[[], None]] = {
        "quality": quality,
        "equal": equal,
        "truth": truth,
        "speed": speed,
        "resamples": resamples,
        "scale": scale,
    }
    parser.add_argument("table", nargs="?", choices=tables, help="which table (default: all)")
    wanted = parser.parse_args().table
    for name in [wanted] if wanted else tables:
        tables[name]()


def quality() -> None:
    """Beside pyAgrum (and pgmpy where it is installed): BIC, CPU times, SHD.

    Each package learns on one thread, from a table that it already holds: only learning is timed.
    """
    others: dict[str, Callable[[Data], Callable[[], DAG]]] = {
        "pyAgrum": pyagrum_learner,
        "pyAgrum, tabu": partial(pyagrum_learner, with_tabu=True),
    }
    if has_pgmpy():
        others["pgmpy"] = pgmpy_learner
    ours: dict[str, dict[str, Any]] = {"climb": {"method": "climb"}, "quick": {"effort": "quick"}, "default": {}}
    scores, times, distances = [], [], []
    for name in QUALITY:
        true = networks.load(name)
        data = rows_of(true)
        judge = Learner(prepared(data, RawDataOptions()), LearnOptions(max_table=2**31), Constraints())
        found = [
            None if other == "pgmpy" and len(data.variables) > PGMPY_VARIABLES else least(partial(learner, data))
            for other, learner in others.items()
        ]
        found += [least(partial(partial, learned, data, options)) for options in ours.values()]
        scored = [math.nan if one is None else score_of(judge, one.dag) for one in found]
        gaps = ("-" if math.isnan(one) else gap_text(one, scored[0]) for one in scored[1:])
        scores.append((name, len(data.variables), f"{scored[0]:,.1f}", *gaps))
        times.append((name, *("-" if one is None else seconds_text(one.seconds) for one in found)))
        distances.append((name, *("-" if one is None else class_shd(one.dag, true.dag) for one in found)))
    ways = (*others, *ours)
    title = f"BIC of networks learned from {ROWS:,} rows; beside it, the others' gain in percent of its size"
    print_table(title, ("network", "variables", *ways), scores)
    print_table("CPU time of learning on one thread", ("network", *ways), times)
    print_table("SHD between the CPDAGs of the learned and the true network", ("network", *ways), distances)


def equal() -> None:
    """Annealing beside hill climbing with enough restarts to take at least as long."""

    def rows() -> Iterator[Sequence[object]]:
        for name in ("child", "insurance", "alarm", "hailfinder", "hepar2"):
            for seed in (1, 2):
                data = networks.load(name).sample(ROWS, seed=seed)
                annealed, seconds = timed(partial(learn, data, threads=1))
                for restarts in (20, 60, 150, 400):
                    climbed, longer = timed(partial(learn, data, method="climb", restarts=restarts, threads=1))
                    if longer >= seconds:
                        break
                texts = f"{annealed.score:.1f}", f"{seconds:.2f}", restarts, f"{climbed.score:.1f}", f"{longer:.2f}"
                yield name, seed, *texts

    columns = ("network", "seed", "anneal", "CPU s", "restarts", "climb", "CPU s")
    print_table(f"BIC from {ROWS:,} rows at equal time, one thread", columns, rows())


def truth() -> None:
    """Networks learned from rows of alarm, beside alarm itself."""

    def rows() -> Iterator[Sequence[object]]:
        network = networks.load("alarm")
        for seed in (1, 2, 3):
            data = network.sample(ROWS, seed=seed)
            judge = Learner(prepared(data, RawDataOptions()), LearnOptions(), Constraints())
            true = sum(judge.family_score(name, network.dag.parents(name)) for name in data.variables)
            found = [learn(data, method=method, threads=1) for method in ("anneal", "climb")]
            yield seed, *(f"{one.score - true:+.1f}, {shd(one.dag, network.dag)}" for one in found)

    print_table("BIC above that of alarm, and SHD", ("seed", "anneal".rjust(12), "climb".rjust(12)), rows())


def timed(call: Callable[[], Learned]) -> tuple[Learned, float]:
    start = time.process_time()
    found = call()
    return found, time.process_time() - start


def speed() -> None:
    """CPU seconds for one network, by what is asked for."""

    def rows() -> Iterator[Sequence[object]]:
        for name in ("asia", "alarm", "hailfinder"):
            data = rows_of(networks.load(name))
            options: list[dict[str, Any]] = [
                {"method": "climb"},
                {"effort": "quick"},
                {},
                {"max_clique": 4},
                {"score": "bdeu"},
            ]
            calls = (partial(learn, data, threads=1, **chosen) for chosen in options)
            yield name, *(seconds_text(cpu_seconds(call)) for call in calls)

    columns = ("network", "climb", "quick", "default", "max_clique=4", "bdeu")
    print_table(f"CPU time of one network from {ROWS:,} rows, one thread", columns, rows())


def resamples() -> None:
    """Wall and CPU seconds, and the memory of a fresh process."""

    def rows() -> Iterator[Sequence[object]]:
        for name in ("alarm", "hailfinder"):
            data = rows_of(networks.load(name))
            for options in ({"method": "climb"}, {}, {"max_clique": 4}):
                wall, cpu = both_seconds(partial(resampled, data, RESAMPLES, options))
                yield name, str(options), seconds_text(wall), seconds_text(cpu)
        peaks = [peak_megabytes(partial(resampled_by_name, "alarm", number)) for number in (20, RESAMPLES)]
        yield "alarm", "peak of 20", f"{peaks[0]:.0f} MB", ""
        yield "alarm", f"peak of {RESAMPLES}", f"{peaks[1]:.0f} MB", ""

    columns = ("network", "options".ljust(18), "wall", "CPU")
    title = f"{RESAMPLES:,} resamples of {ROWS:,} rows on 2 threads (load of the machine: {os.getloadavg()[0]:.1f})"
    print_table(title, columns, rows())


def scale() -> None:
    """Many rows, many columns, from CSV files."""

    def rows() -> Iterator[Sequence[object]]:
        for rows_wanted, variables in ((100_000, 60), (5_000, 300)):
            data = rows_of(synthetic(variables), rows_wanted)
            with TemporaryDirectory() as folder:
                path = Path(folder) / "data.csv"
                data.write(path)
                calls = {
                    "reading the CSV": partial(bootstrap, path, SCALE_RESAMPLES),
                    "learn, 1 thread": partial(learn, data, threads=1),
                    "learn, 2 threads": partial(learn, data, threads=2),
                    f"{SCALE_RESAMPLES} resamples": partial(resampled, data, SCALE_RESAMPLES, {}),
                }
                for what, call in calls.items():
                    yield f"{rows_wanted:,}", variables, what, *map(seconds_text, both_seconds(call))
                theirs = patient_seconds(partial(pyagrum_learner, data))
                yield f"{rows_wanted:,}", variables, "pyAgrum, 1 thread", *theirs
                peak = peak_megabytes(partial(resampled, path, SCALE_RESAMPLES, {}))
                yield f"{rows_wanted:,}", variables, "peak, CSV to tally", f"{peak:.0f} MB", ""

    columns = ("rows", "columns", "what".ljust(18), "wall", "CPU")
    print_table(f"Larger data (load of the machine: {os.getloadavg()[0]:.1f})", columns, rows())


def synthetic(variables: int) -> Network:
    """Up to three parents among the ten variables before; two to four states."""
    random = np.random.default_rng(0)
    names = [f"X{i}" for i in range(variables)]
    arcs = []
    for target in range(1, variables):
        before = np.arange(max(0, target - 10), target)
        parents = random.permutation(before)[: random.integers(0, 4)]
        arcs += [(names[source], names[target]) for source in parents.tolist()]
    dag = DAG(names, arcs)
    states = {name: tuple("abcd"[: random.integers(2, 5)]) for name in names}
    tables = {}
    for name in names:
        shape = [len(states[parent]) for parent in dag.parents(name)]
        tables[name] = random.dirichlet([0.5] * len(states[name]), shape)
    return Network(dag, states, tables)


def resampled(data: Data | Path, number: int, options: dict[str, int]) -> None:
    bootstrap(data, number, threads=2, **options).run()


def resampled_by_name(name: str, number: int) -> None:
    resampled(rows_of(networks.load(name)), number, {})


def pyagrum_learner(data: Data, *, with_tabu: bool = False) -> Callable[[], DAG]:
    """Its table of the data is built, and it will use one thread."""
    import pyagrum  # noqa: PLC0415 - takes a second

    learner = pyagrum.BNLearner(pyagrum_table(data))
    if with_tabu:
        learner.useLocalSearchWithTabuList()
    else:
        learner.useGreedyHillClimbing()
    learner.useScoreBIC()
    learner.useNoPrior()
    learner.setNumberOfThreads(1)
    names = [learner.nameFromId(i) for i in range(len(data.variables))]

    def learned() -> DAG:
        return DAG(data.variables, [(names[source], names[target]) for source, target in learner.learnDAG().arcs()])

    return learned


def has_pgmpy() -> bool:
    return find_spec("pgmpy") is not None


def pgmpy_learner(data: Data) -> Callable[[], DAG]:
    """Its table of the data is built."""
    from pgmpy.causal_discovery import HillClimbSearch  # noqa: PLC0415 - takes seconds

    search, rows = HillClimbSearch("bic-d", return_type="dag", show_progress=False), data.to_pandas()
    return lambda: DAG(data.variables, search.fit(rows).causal_graph_.edges())


def pyagrum_table(data: Data) -> object:
    """With labels that it takes for labels whatever they look like."""
    import pandas  # noqa: PLC0415 - as above

    labels = {name: np.array([f"s{i}" for i in range(len(data.states[name]))]) for name in data.variables}
    return pandas.DataFrame({name: labels[name][data.column(name)] for name in data.variables})


def rows_of(network: Network, count: int = ROWS) -> Data:
    """Rows of a network, with the states that occur: pyAgrum knows no others."""
    data = network.sample(count, 1)
    codes, states = np.empty_like(data.codes), {}
    for place, name in enumerate(data.variables):
        seen, codes[:, place] = np.unique(data.codes[:, place], return_inverse=True)
        states[name] = tuple(data.states[name][i] for i in seen)
    return Data(data.variables, states, codes)


@dataclass(frozen=True)
class Found:
    """A network, and the least CPU seconds that learning it took."""

    dag: DAG
    seconds: float


def least(learner: Callable[[], Callable[[], DAG]]) -> Found:
    """The fastest of some runs."""
    best, spent = float("inf"), 0.0
    for _ in range(REPEATS):
        learned = learner()  # a new one each time: it may keep what it counted
        start = time.process_time()
        dag = learned()
        seconds = time.process_time() - start
        best, spent = min(best, seconds), spent + seconds
        if spent > ENOUGH:
            break
    return Found(dag, best)


def learned(data: Data, options: dict[str, Any]) -> DAG:
    return learn(data, threads=1, **options).dag


def score_of(judge: Learner, dag: DAG) -> float:
    return sum(judge.family_score(name, dag.parents(name)) for name in dag.variables)


def gap_text(score: float, theirs: float) -> str:
    return f"{100 * (score - theirs) / abs(theirs):+.3f} %"


def cpu_seconds(call: Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(REPEATS):
        start = time.process_time()
        call()
        best = min(best, time.process_time() - start)
    return best


def both_seconds(call: Callable[[], object]) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    call()
    return time.perf_counter() - wall, time.process_time() - cpu


def patient_seconds(learner: Callable[[], Callable[[], DAG]]) -> tuple[str, str]:
    """Wall and CPU seconds of learning in a process of its own, which is ended when it takes too long."""
    context = multiprocessing.get_context("fork")
    ours, its = context.Pipe()
    process = context.Process(target=lambda: its.send(both_seconds(learner())))
    process.start()
    if ours.poll(PATIENCE):
        wall, cpu = ours.recv()
        process.join()
        return seconds_text(wall), seconds_text(cpu)
    process.kill()
    return f"over {PATIENCE} s", ""


if __name__ == "__main__":
    main()
