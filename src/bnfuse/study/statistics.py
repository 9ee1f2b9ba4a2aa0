"""Which algorithm is best, and whether by chance: blocks, differences, Friedman's test, Holm's procedure.

A block is a base, a number of inputs and a clique limit; its values are means over the seeds. References: Friedman
(1937), Holm (1979); García and Herrera (2008) for their use against the best-ranked algorithm.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from statistics import fmean

import numpy as np
import numpy.typing as npt

from bnfuse._base.optional import optional
from bnfuse.study.grid import ALGORITHMS, REFERENCES
from bnfuse.study.jobs import RunRow
from bnfuse.study.store import Result

SIGNIFICANCE = 0.01
PAPERS_NUMBERS = 1e9
"""numbers in all tables of a network: the capacity of the paper's 8 GB"""

_FITTED = ("fit_seconds", "query_seconds", "marginal_error")
_DIGITS = 9  # digits in which two mean distances must differ: rounding errors do not count


@dataclass(frozen=True, slots=True)
class Block:
    """All networks for one base, number of inputs, clique limit and metric: by algorithm or reference, one per seed."""

    base: str
    inputs: int
    max_clique: int
    seeds: Sequence[int]
    rows: Mapping[str, Sequence[RunRow]]
    """in the order of the seeds"""

    def without(self, seed: int) -> Block:
        """The block as if this seed had not been run."""
        kept = [i for i, other in enumerate(self.seeds) if other != seed]
        rows = {name: [those[i] for i in kept] for name, those in self.rows.items()}
        return replace(self, seeds=[self.seeds[i] for i in kept], rows=rows)

    def distance(self, name: str) -> float:
        """The mean distance over the seeds."""
        return round(fmean(row.distance for row in self.rows[name]), _DIGITS)

    def seconds(self, name: str) -> float:
        """The mean CPU time over the seeds: on one thread, the time on a machine without other work."""
        return fmean(row.cpu_seconds for row in self.rows[name])

    @property
    def is_fitted(self) -> bool:
        """Whether the networks were meant to be fitted to data."""
        return all(row.too_large or row.fit_seconds is not None for rows in self.rows.values() for row in rows)

    def fails(self, name: str, why: str | None = None) -> bool:
        """Whether any seed's network was too large to be fitted or queried (for one reason, or for any)."""
        return any(row.too_large and why in (None, row.too_large) for row in self.rows[name])

    def failures_as_printed(self, name: str) -> float:
        """The share of seeds whose tables did not fit on the paper's machine; the paper needs nothing else."""
        return fmean((row.table_numbers or 0) > PAPERS_NUMBERS for row in self.rows[name])

    def row_mean_error(self, name: str) -> float | None:
        """The paper's "error of marginals": the mean over the seeds without such a failure."""
        errors = [row.row_mean_error or 0.0 for row in self.rows[name] if (row.table_numbers or 0) <= PAPERS_NUMBERS]
        return fmean(errors) if errors else None

    def without_arcs(self, name: str) -> int:
        """The number of seeds whose network has no arcs."""
        return sum(not row.arcs for row in self.rows[name])


def blocks(results: Iterable[Result], metric: str, real: bool) -> list[Block]:
    """The blocks of all bases of one kind, if every algorithm has run on the same seeds of them."""
    searches: dict[tuple[str, int, int], dict[str, dict[int, RunRow]]] = defaultdict(lambda: defaultdict(dict))
    references: dict[tuple[str, int], dict[str, dict[int, RunRow]]] = defaultdict(lambda: defaultdict(dict))
    for result in results:
        if result.row.metric != metric or result.is_real != real:
            continue
        place, name = (result.base, result.inputs), result.row.algorithm
        if result.row.max_clique is None:
            references[place][name][result.seed] = result.row
        else:
            searches[(*place, result.row.max_clique)][name][result.seed] = result.row
    found = []
    for (base, inputs, limit), rows in searches.items():
        everything = {**rows, **references[base, inputs]}
        names = (*ALGORITHMS, *REFERENCES)
        seeds = sorted(set.intersection(*(set(everything.get(name, ())) for name in names)))
        if seeds:
            kept = {name: [everything[name][seed] for seed in seeds] for name in names}
            found.append(Block(base, inputs, limit, seeds, kept))
    return found


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison of algorithms over blocks; the smaller distance is better."""

    mean_difference: Mapping[str, float]
    """difference to the best of the compared algorithms in each block; for others too, where it can be negative"""
    best: Mapping[str, int]
    """the number of blocks in which no compared algorithm is better; ties count for each"""
    ranks: Mapping[str, float]
    """mean ranks; 1 is the best"""
    friedman: float
    """the probability of ranks at least as different, if all algorithms were the same"""
    holm: Mapping[str, float]
    """the adjusted probability that an algorithm is as good as the best-ranked; 1 for that one itself"""


def compare(found: Sequence[Block], compared: Sequence[str], others: Sequence[str] = ()) -> Comparison:
    """Compare algorithms; `others` are only measured against the best of them."""
    values = np.array([[block.distance(name) for name in compared] for block in found])
    least = values.min(axis=1)
    ranks = mean_ranks(values)
    best_ranked = int(np.argmin(ranks))
    against = [i for i in range(len(compared)) if i != best_ranked]
    adjusted = holm([_rank_probability(ranks[i] - ranks[best_ranked], len(compared), len(found)) for i in against])
    return Comparison(
        mean_difference={
            name: fmean(block.distance(name) - lowest for block, lowest in zip(found, least.tolist(), strict=True))
            for name in (*compared, *others)
        },
        best={name: int((values[:, i] == least).sum()) for i, name in enumerate(compared)},
        ranks=dict(zip(compared, ranks.tolist(), strict=True)),
        friedman=friedman(values)[1],
        holm={compared[best_ranked]: 1.0, **{compared[i]: p for i, p in zip(against, adjusted, strict=True)}},
    )


@dataclass(frozen=True, slots=True)
class Fits:
    """The quality of an algorithm's networks as models of data: means over blocks, and over their seeds."""

    seconds: float
    query_seconds: float
    marginal_error: float


def fits(found: Sequence[Block], name: str) -> Fits | None:
    """Over the blocks in which the algorithm's networks could be fitted; None if there is no such block."""
    rows = [row for block in found if not block.fails(name) for row in block.rows[name]]
    if not rows:
        return None
    return Fits(*(fmean(map(attrgetter(field), rows)) for field in _FITTED))


def row_mean_errors(found: Sequence[Block], names: Iterable[str]) -> dict[str, float]:
    """The paper's "error of marginals" for each algorithm, over the blocks in which it has one."""
    errors = {name: [error for block in found if (error := block.row_mean_error(name)) is not None] for name in names}
    return {name: fmean(those) for name, those in errors.items() if those}


def without_failures(found: Sequence[Block], names: Iterable[str]) -> list[Block]:
    """The blocks in which none of these networks is too large to be fitted or queried."""
    names = tuple(names)
    return [block for block in found if not any(block.fails(name) for name in names)]


# The spread over seeds


def standard_errors(
    found: Sequence[Block], statistic: Callable[[Sequence[Block]], Mapping[str, float]]
) -> Mapping[str, float]:
    """How much each number of a statistic depends on the seeds, by Tukey's jackknife: leaving out one at a time.

    Nothing if fewer than two seeds were run, or if some number is unknown without a seed.
    """
    seeds = sorted({seed for block in found for seed in block.seeds})
    if len(seeds) < 2:
        return {}
    each = [statistic([less for block in found if (less := block.without(seed)).seeds]) for seed in seeds]
    errors = {}
    for name in statistic(found):
        if all(name in one for one in each):
            middle = fmean(one[name] for one in each)
            squares = sum((one[name] - middle) ** 2 for one in each)
            errors[name] = math.sqrt((len(seeds) - 1) / len(seeds) * squares)
    return errors


# The tests


def mean_ranks(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The mean rank of each column over the rows; the smallest value has rank 1, ties share the mean of their ranks."""
    means: npt.NDArray[np.float64] = _ranks(values).mean(axis=0)
    return means


def friedman(values: npt.NDArray[np.float64]) -> tuple[float, float]:
    """Friedman's statistic, corrected for ties, and its probability if all columns are the same."""
    blocks, columns = values.shape
    ties = sum(float(((counts := np.unique(row, return_counts=True)[1]) ** 3 - counts).sum()) for row in values)
    correction = 1 - ties / (blocks * (columns**3 - columns))
    if correction <= 0:  # every row is a tie
        return 0.0, 1.0
    sums = _ranks(values).sum(axis=0)
    statistic = 12 / (blocks * columns * (columns + 1)) * float((sums**2).sum()) - 3 * blocks * (columns + 1)
    return statistic / correction, _chi_square_tail(statistic / correction, columns - 1)


def holm(probabilities: Sequence[float]) -> list[float]:
    """Holm's adjusted probabilities, in the order given."""
    adjusted = [0.0] * len(probabilities)
    highest = 0.0
    for step, i in enumerate(sorted(range(len(probabilities)), key=probabilities.__getitem__)):
        highest = max(highest, min(1.0, (len(probabilities) - step) * probabilities[i]))
        adjusted[i] = highest
    return adjusted


def _ranks(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    below = (values[:, None, :] < values[:, :, None]).sum(axis=2)
    equal = (values[:, None, :] == values[:, :, None]).sum(axis=2)
    ranks: npt.NDArray[np.float64] = below + (equal + 1) / 2
    return ranks


def _rank_probability(difference: float, columns: int, blocks: int) -> float:
    """The two-sided probability of two mean ranks at least as different, if the algorithms are the same."""
    z = abs(difference) / math.sqrt(columns * (columns + 1) / (6 * blocks))
    return math.erfc(z / math.sqrt(2))


def _chi_square_tail(statistic: float, freedom: int) -> float:
    special = optional("scipy.special", "Friedman's test", extra="study")
    return float(special.chdtrc(freedom, statistic))
