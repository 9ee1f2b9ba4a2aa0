"""Learning from score lists within limits, beside the best published scores.

python bench/bounded.py FOLDER                             all rows of FOLDER/published.csv, after 1 and 10 CPU seconds
python bench/bounded.py FOLDER --seconds 1 10 60           other times
python bench/bounded.py FOLDER --only link,table pigs,table,50
python bench/bounded.py FOLDER --prove                     the best scores without a limit, proven where that can be

FOLDER holds NAME.jkl.gz, states.json with the numbers of states, and published.csv with the columns instance, limit_on
("table", the numbers in a largest bag, or "treewidth"), limit, best_published_score, runs_within_limit. States that
are not in states.json are those of the benchmark network of that name. Each time is a run of its own on one thread, cut
by a timer of the process's CPU seconds. Every network is checked here by code that shares nothing with the search.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import math
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType

from bnfuse import DAG, Scores, learn, networks, read_scores
from bnfuse.learning.data_learner import LearnOptions
from bnfuse.learning.list_learner import ListLearner
from bnfuse.problem.constraints import Constraints
from measure import print_table

ROUNDING = 0.0015  # published scores have three digits
FOREVER = "thorough"
PATIENCE = 120  # seconds for a proof


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="*", default=[], help="instance, instance,limit_on or instance,limit_on,limit")
    parser.add_argument("--seconds", nargs="*", type=float, default=[1.0, 10.0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--prove", action="store_true")
    asked = parser.parse_args()
    with (asked.folder / "published.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if is_asked(row, asked.only)]
    if asked.prove:
        prove(asked.folder, list(dict.fromkeys(row["instance"] for row in rows)))
    else:
        compare(asked.folder, rows, asked.seconds, asked.seed)


def is_asked(row: Mapping[str, str], only: Sequence[str]) -> bool:
    key = ",".join((row["instance"], row["limit_on"], row["limit"])) + ","
    return not only or any(key.startswith(f"{one},") for one in only)


def compare(folder: Path, rows: Sequence[Mapping[str, str]], seconds: Sequence[float], seed: int) -> None:
    reached = dict.fromkeys(seconds, 0)

    def lines() -> Iterator[Sequence[object]]:
        for row in rows:
            limit_on, limit, published = row["limit_on"], int(row["limit"]), float(row["best_published_score"])
            problem = Problem(folder, row["instance"], limit_on, limit)
            texts = []
            for budget in seconds:
                score = problem.searched(budget, seed)
                is_reached = score >= published - ROUNDING
                reached[budget] += is_reached
                texts.append(f"{score:.1f} ({score - published:+.1f}){'' if is_reached else ' below'}")
            yield row["instance"], limit_on, limit, f"{published:.1f}", row["runs_within_limit"], *texts

    columns = ("instance", "limit on", "limit", "published", "runs", *(f"{budget:g} s" for budget in seconds))
    print_table("Scores within limits, beside the best of all published runs within them", columns, lines())
    for budget in seconds:
        print(f"at {budget:g} s: {reached[budget]} of {len(rows)} not below the best published score")


def prove(folder: Path, names: Sequence[str]) -> None:
    def lines() -> Iterator[Sequence[object]]:
        for name in names:
            scores = read_scores(folder / f"{name}.jkl.gz")
            if len(scores.variables) > 64:
                continue
            start = time.process_time()
            found = learn(scores, prove=True, threads=1, time_limit=PATIENCE)
            seconds = time.process_time() - start
            check(raw_list(folder / f"{name}.jkl.gz"), found.dag, found.score)
            bound = "proven" if found.is_best else "none" if found.bound is None else f"at most {found.bound:.3f}"
            yield name, len(scores.variables), f"{found.score:.3f}", bound, f"{seconds:.2f}"

    print_table("Without a limit", ("instance", "variables", "score", "bound", "CPU seconds"), lines())


class Problem:
    """One list of scores and one limit."""

    def __init__(self, folder: Path, name: str, limit_on: str, limit: int) -> None:
        path = folder / f"{name}.jkl.gz"
        self.raw = raw_list(path)
        known = json.loads((folder / "states.json").read_text())
        if name in known:
            counts = known[name]["states"]
        else:
            network = networks.load(name)
            counts = [len(network.states[variable]) for variable in network.variables]
        variables = list(self.raw)
        self.states = dict(zip(variables, counts, strict=True))
        self.clique = limit + 1 if limit_on == "treewidth" else len(variables)
        self.table = limit if limit_on == "table" else None
        scores: Scores = read_scores(path, states=self.states)
        options = LearnOptions(max_clique=self.clique, max_table=self.table, effort=FOREVER)
        self.learner = ListLearner(scores, options, Constraints())

    def searched(self, budget: float, seed: int) -> float:
        """The score after that many CPU seconds; reading the list does not count, making the search does."""

        def over(_number: int, _frame: FrameType | None) -> None:
            raise KeyboardInterrupt  # which ends a round with the best so far

        before = signal.signal(signal.SIGPROF, over)
        variables = self.learner.scores.variables
        try:
            signal.setitimer(signal.ITIMER_PROF, budget)
            search = self.learner.search(seed)
            stopped_by = "finished"
            while not search.is_done and stopped_by == "finished":
                score, rows, order, stopped_by = search.round(1)
        except KeyboardInterrupt:  # between two rounds
            pass
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, before)
        dag = DAG.trusted(variables, rows)
        check(self.raw, dag, score)
        check_limit(dag, [variables[i] for i in order] or variables, self.states, self.clique, self.table)
        return score


# An independent program: plain sets and dictionaries, its own reader.


def raw_list(path: Path) -> dict[str, dict[frozenset[str], float]]:
    with gzip.open(path, "rt") as file:
        words = [line.split() for line in file if line.strip() and not line.startswith("#")]
    lists: dict[str, dict[frozenset[str], float]] = {}
    place = 1
    for _ in range(int(words[0][0])):
        name, count = words[place]
        lines = words[place + 1 : place + 1 + int(count)]
        lists[name] = {frozenset(line[2:]): float(line[0]) for line in lines}
        place += 1 + int(count)
    return lists


def check(raw: Mapping[str, Mapping[frozenset[str], float]], dag: DAG, score: float) -> None:
    """Every family is in the list, there is no cycle, and the score is their sum."""
    parents = {name: frozenset(dag.parents(name)) for name in raw}
    total = sum(raw[name][own] for name, own in parents.items())
    assert math.isclose(total, score, abs_tol=1e-3), (total, score)
    placed: set[str] = set()
    while len(placed) < len(parents):
        ready = {name for name, own in parents.items() if name not in placed and own <= placed}
        assert ready, "the arcs form a cycle"
        placed |= ready


def check_limit(dag: DAG, order: Sequence[str], states: Mapping[str, int], clique: int, table: int | None) -> None:
    """Eliminating along the order makes no clique over the limit."""
    neighbours: dict[str, set[str]] = {name: set() for name in states}
    for name in states:
        family = {name, *dag.parents(name)}
        for one in family:
            neighbours[one] |= family - {one}
    assert sorted(order) == sorted(states)
    for name in order:
        own = neighbours.pop(name)
        assert len(own) + 1 <= clique
        if table is not None:
            assert math.prod(states[one] for one in (name, *own)) <= table
        for one in own:
            neighbours[one] |= own - {one}
            neighbours[one].discard(name)


if __name__ == "__main__":
    main()
