"""Does the rule for the number of schools split what is one school, and does it find schools that are there?

    python bench/schools.py                        the tables and plots of docs/schools.md: about a quarter of an hour
    python bench/schools.py --trials 1             a minute's worth of it
    python bench/schools.py --networks alarm insurance     on the networks on which the rule was tuned
    python bench/schools.py --only level --metric shd      the first table alone, for SHD
    python bench/schools.py --only time                    how long alarm with 30 inputs takes

Inputs are structures of benchmark networks with random edits, or learned from rows that were drawn from them. Level:
how often the rule finds more than one school where there is one, by the model of the noise. Power: how often it finds
the two (or three) schools that were planted, by how much they differ and by the noise. Rand: how well the inputs are
divided into the right number, beside hierarchical clustering (average linkage) and k-medoids.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from bnfuse import DAG, learn, networks, schools
from bnfuse.answer.question import Question
from bnfuse.answer.schools.division.panel import Panel, places_of
from bnfuse.answer.schools.division.search import SchoolSearch
from bnfuse.answer.schools.schools import chosen_number
from bnfuse.search.direct import DirectOptions
from bnfuse.search.run import Run

TUNED = ("alarm", "insurance")
CONFIRMING = ("child", "water", "mildew", "barley", "hailfinder")
"""No choice in the rule was made on these."""
SIZES = (12, 20, 30)
"""Inputs of an ensemble, in turn."""
DIFFERENCES, NOISES = (0.05, 0.1, 0.2, 0.3), (0.1, 0.2, 0.3)
MAX_CLIQUE = 5

Arcs = set[tuple[int, int]]
Generator = np.random.Generator


# Ensembles


def reaches(arcs: Arcs, start: int, end: int) -> bool:
    children: dict[int, list[int]] = {}
    for source, target in arcs:
        children.setdefault(source, []).append(target)
    seen, stack = {start}, [start]
    while stack:
        for child in children.get(stack.pop(), ()):
            if child == end:
                return True
            if child not in seen:
                seen.add(child)
                stack.append(child)
    return False


def edited(arcs: Arcs, n: int, share: float, random: Generator) -> Arcs:
    """As many edits as this share of the arcs: additions, deletions and reversals, no pair twice."""
    arcs, left, touched = set(arcs), round(share * len(arcs)), set[frozenset[int]]()
    for _ in range(5_000):
        if not left:
            break
        kind = int(random.integers(3))
        if kind < 2 and arcs:
            listed = sorted(arcs)
            a, b = listed[int(random.integers(len(listed)))]
        else:
            a, b = (int(one) for one in random.integers(n, size=2))
        pair = frozenset((a, b))
        if a == b or pair in touched or (kind == 2 and ((a, b) in arcs or (b, a) in arcs)):
            continue
        changed = arcs - {(a, b)} if kind < 2 else arcs | {(a, b)}
        if (kind == 1 and reaches(changed, a, b)) or (kind == 2 and reaches(arcs, b, a)):
            continue
        arcs = changed | {(b, a)} if kind == 1 else changed
        touched.add(pair)
        left -= 1
    return arcs


class Base:
    """A benchmark network, and ensembles around it."""

    def __init__(self, name: str) -> None:
        self.network = networks.load(name)
        self.n = len(self.network.variables)
        self.arcs: Arcs = {(a, b) for a, b in self.network.dag.arc_numbers.tolist()}

    def dag(self, arcs: Arcs) -> DAG:
        names = self.network.variables
        return DAG(names, [(names[a], names[b]) for a, b in sorted(arcs)])

    def copies(self, shares: Sequence[float], random: Generator) -> list[DAG]:
        return [self.dag(edited(self.arcs, self.n, share, random)) for share in shares]

    def planted(self, k: int, difference: float, noise: float, r: int, random: Generator) -> list[DAG]:
        """k bases that differ from the first by this share of edits each, and edited copies of them in turn."""
        bases = [self.arcs, *(edited(self.arcs, self.n, difference, random) for _ in range(k - 1))]
        return [self.dag(edited(bases[i % k], self.n, noise, random)) for i in range(r)]

    def contested(self, r: int, random: Generator) -> list[DAG]:
        """Every input has each of many edits with a probability of a half, and a few of its own."""
        changes = sorted(edited(self.arcs, self.n, 0.3, random) ^ self.arcs)
        found = []
        for _ in range(r):
            arcs = set(self.arcs)
            for place in random.permutation(len(changes)):
                a, b = changes[place]
                if random.random() < 0.5:
                    if (a, b) in arcs:
                        arcs.discard((a, b))
                    elif (b, a) not in arcs and not reaches(arcs, b, a):
                        arcs.add((a, b))
            found.append(self.dag(edited(arcs, self.n, 0.05, random)))
        return found

    def learned(self, rows: Sequence[int], random: Generator) -> list[DAG]:
        samples = (self.network.sample(count, seed=int(random.integers(2**31))) for count in rows)
        return [learn(sample, effort="quick", threads=1).dag for sample in samples]


MODELS: dict[str, Callable[[Base, int, Generator], list[DAG]]] = {
    "equal edits (20 %)": lambda base, r, random: base.copies([0.2] * r, random),
    "many edits (40 %)": lambda base, r, random: base.copies([0.4] * r, random),
    "unequal edits (5 to 40 %)": lambda base, r, random: base.copies(list(random.uniform(0.05, 0.4, r)), random),
    "contested arcs": lambda base, r, random: base.contested(r, random),
    "learned, 500 rows": lambda base, r, random: base.learned([500] * r, random),
    "learned, 2,000 rows": lambda base, r, random: base.learned([2_000] * r, random),
    "one outlier": lambda base, r, random: base.copies([0.2] * (r - 1) + [1.2], random),
    "two outliers": lambda base, r, random: base.copies([0.2] * (r - 2) + [1.2] * 2, random),
}
UNEQUAL_ROWS = "learned, 200 to 20,000 rows"


def unequal_rows(base: Base, r: int, random: Generator) -> list[DAG]:
    return base.learned([int(200 * 100 ** random.random()) for _ in range(r)], random)


# What is measured


def panel_of(dags: Sequence[DAG], metric: str = "smhd") -> Panel:
    question = Question.of({"max_clique": MAX_CLIQUE, "metric": metric})
    return Panel(question.problem(question.inputs(dags)))


def rand_index(one: Sequence[int], other: Sequence[int]) -> float:
    """Adjusted for chance (Hubert and Arabie 1985)."""
    table = np.zeros((max(one) + 1, max(other) + 1))
    np.add.at(table, (list(one), list(other)), 1)
    both, first, second = ((part * (part - 1) / 2).sum() for part in (table, table.sum(0), table.sum(1)))
    expected = first * second / (len(one) * (len(one) - 1) / 2)
    most = (first + second) / 2
    return 1.0 if most == expected else float((both - expected) / (most - expected))


def linked(distances: np.ndarray, k: int) -> list[int]:
    return [int(one) - 1 for one in fcluster(linkage(squareform(distances, checks=False), "average"), k, "maxclust")]


def medoids(distances: np.ndarray, k: int, random: Generator) -> list[int]:
    """The best of ten runs of alternating k-medoids from inputs of chance."""
    best: tuple[float, list[int]] = (np.inf, [])
    for _ in range(10):
        chosen = random.choice(len(distances), k, replace=False)
        for _ in range(30):
            labels = distances[:, chosen].argmin(axis=1)
            groups = [np.flatnonzero(labels == c) for c in range(k)]
            moved = [
                int(g[distances[np.ix_(g, g)].sum(1).argmin()]) if len(g) else int(chosen[c])
                for c, g in enumerate(groups)
            ]
            if list(chosen) == moved:
                break
            chosen = np.array(moved)
        cost = float(distances[:, chosen].min(axis=1).sum())
        if cost < best[0]:
            best = cost, [int(one) for one in distances[:, chosen].argmin(axis=1)]
    return best[1]


def seeds(*parts: int) -> Generator:
    return np.random.default_rng([2026, *parts])


def level(bases: dict[str, Base], trials: int, metric: str) -> Iterator[tuple[str, int, int, int]]:
    """By model: ensembles, those that were split, and inputs that were set aside."""
    models = {**MODELS, UNEQUAL_ROWS: unequal_rows}
    for number, (model, make) in enumerate(models.items()):
        split = aside = done = 0
        for where, base in enumerate(bases.values()):
            for trial in range(trials):
                r = SIZES[trial % len(SIZES)]
                panel = panel_of(make(base, r, seeds(number, where, trial)), metric)
                chosen = chosen_number(panel, trial)
                split += chosen.k > 1
                aside += r - len(chosen.places)
                done += 1
        yield model, done, split, aside


def power(bases: dict[str, Base], trials: int, k: int) -> Iterator[tuple[float, float, int, int, int]]:
    """By difference and noise: ensembles, those with more than one school, and those with the right number."""
    for difference in DIFFERENCES:
        for noise in NOISES:
            more = right = done = 0
            for where, base in enumerate(bases.values()):
                for trial in range(trials):
                    random = seeds(100 + k, round(100 * difference), round(100 * noise), where, trial)
                    found = chosen_number(panel_of(base.planted(k, difference, noise, 10 * k, random)), trial).k
                    more, right, done = more + (found > 1), right + (found == k), done + 1
            yield difference, noise, done, more, right


WAYS = ("schools", "average linkage", "k-medoids")


def division(
    bases: dict[str, Base], trials: int, k: int
) -> Iterator[tuple[float, float, list[float], list[float], list[int]]]:
    """By difference and noise: mean Rand index of each way, its excess distance, and how often it is the closest."""
    for difference in DIFFERENCES:
        for noise in NOISES[:2]:
            rand: list[list[float]] = [[] for _ in WAYS]
            excess: list[list[float]] = [[] for _ in WAYS]
            for where, base in enumerate(bases.values()):
                for trial in range(trials):
                    random = seeds(200 + k, round(100 * difference), round(100 * noise), where, trial)
                    r = 10 * k
                    panel = panel_of(base.planted(k, difference, noise, r, random))
                    search = SchoolSearch(panel, Run(trial, 1), DirectOptions("quick"))
                    found, _ = search.division(range(r), k, 1)
                    own = [next(c for c, group in enumerate(found.groups) if i in group) for i in range(r)]
                    all_labels = [own, linked(panel.between, k), medoids(panel.between, k, random)]
                    costs = [search.solved(places_of(labels)).cost for labels in all_labels]
                    for way, (labels, cost) in enumerate(zip(all_labels, costs, strict=True)):
                        rand[way].append(rand_index(labels, [i % k for i in range(r)]))
                        excess[way].append(cost / min(costs) - 1)
            best = [sum(one == 0 for one in own) for own in excess]
            yield (
                difference,
                noise,
                [statistics.mean(one) for one in rand],
                [statistics.mean(one) for one in excess],
                best,
            )


# Tables and plots


def print_level(rows: Sequence[tuple[str, int, int, int]]) -> None:
    print("| one school, inputs with | ensembles | split | set aside |\n|---|---:|---:|---:|")
    for model, done, split, aside in rows:
        print(f"| {model} | {done} | {split} | {aside} |")
    counted = [row for row in rows if row[0] != UNEQUAL_ROWS]
    done, split = sum(row[1] for row in counted), sum(row[2] for row in counted)
    print(f"| all but the last | {done} | {split} ({split / done:.1%}) | {sum(row[3] for row in counted)} |\n")


def print_power(rows: Sequence[tuple[float, float, int, int, int]], k: int) -> None:
    print(f"k = {k}\n\n| schools differ by | noise | ensembles | more than one | {k} |\n|---:|---:|---:|---:|---:|")
    for difference, noise, done, more, right in rows:
        print(f"| {difference:.0%} | {noise:.0%} | {done} | {more / done:.0%} | {right / done:.0%} |")
    print()


def print_division(rows: Sequence[tuple[float, float, list[float], list[float], list[int]]], k: int) -> None:
    print(
        f"k = {k}\n\n| schools differ by | noise | " + " | ".join(f"{way}: Rand index, excess" for way in WAYS) + " |"
    )
    print("|---:|---:|" + "---:|" * len(WAYS))
    for difference, noise, rand, excess, _ in rows:
        cells = (f"{one:.2f}, {more:.1%}" for one, more in zip(rand, excess, strict=True))
        print(f"| {difference:.0%} | {noise:.0%} | " + " | ".join(cells) + " |")
    print(
        "closest of the three: "
        + ", ".join(f"{way} {sum(row[4][i] for row in rows)}" for i, way in enumerate(WAYS))
        + "\n"
    )


def plot(
    path: Path,
    powers: Sequence[tuple[float, float, int, int, int]],
    rands: Sequence[tuple[float, float, list[float], list[float], list[int]]],
) -> None:
    import matplotlib.pyplot as plt  # noqa: PLC0415 - only for plots

    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
    for noise, style in zip(NOISES, ("-o", "--s", ":^"), strict=True):
        rows = [row for row in powers if row[1] == noise]
        left.plot([100 * row[0] for row in rows], [row[3] / row[2] for row in rows], style, label=f"noise {noise:.0%}")
    left.set(xlabel="two schools differ by (% of arcs)", ylabel="found more than one school", ylim=(-0.03, 1.03))
    for way, style in zip(range(len(WAYS)), ("-o", "--s", ":^"), strict=True):
        rows_ = [row for row in rands if row[1] == NOISES[1]]
        right.plot([100 * row[0] for row in rows_], [row[2][way] for row in rows_], style, label=WAYS[way])
    right.set(
        xlabel="two schools differ by (% of arcs)",
        ylabel=f"adjusted Rand index, noise {NOISES[1]:.0%}",
        ylim=(-0.03, 1.03),
    )
    for axes in (left, right):
        axes.grid(alpha=0.3)
        axes.legend(frameon=False)
    figure.savefig(path, dpi=110)


def print_times() -> None:
    """alarm, 30 inputs, the number of schools chosen by the rule; and how tight the bound is."""
    base = Base("alarm")
    for k in (1, 2, 3):
        for limit in (3, 4):
            dags = base.planted(k, 0.2, 0.2, 30, seeds(300, k))
            wall, cpu = time.perf_counter(), time.process_time()
            found = schools(dags, max_clique=limit)
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            print(
                f"alarm x 30, {k} planted, limit {limit}: {found.k} found, {wall:.1f} s, {cpu:.1f} CPU s, mean "
                f"{found.distance:.2f}, bound {found.lower_bound:.2f} ({found.lower_bound / found.distance:.0%})"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=8, help="ensembles of each network in a cell of the first table")
    parser.add_argument("--networks", nargs="+", default=CONFIRMING)
    parser.add_argument("--metric", choices=("smhd", "shd"), default="smhd", help="of the first table")
    parser.add_argument("--only", choices=("level", "time"), help="the first table alone; or how long alarm takes")
    parser.add_argument("--plot", type=Path, help="where the plots go")
    given = parser.parse_args()
    if given.only == "time":
        print_times()
        return
    start = time.process_time()
    bases = {name: Base(name) for name in given.networks}
    few = max(given.trials // 2, 1)
    print("networks:", ", ".join(bases), "\n", flush=True)
    print_level(list(level(bases, given.trials, given.metric)))
    if given.only == "level":
        print(f"{time.process_time() - start:.0f} CPU seconds")
        return
    powers = list(power(bases, few, 2))
    print_power(powers, 2)
    print_power(list(power(bases, max(few // 2, 1), 3)), 3)
    divided = list(division(bases, max(few // 2, 1), 2))
    print_division(divided, 2)
    print_division(list(division(bases, 1, 3)), 3)
    if given.plot:
        plot(given.plot, powers, divided)
    print(f"{time.process_time() - start:.0f} CPU seconds")


if __name__ == "__main__":
    main()
