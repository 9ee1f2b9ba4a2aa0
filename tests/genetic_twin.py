"""The readable twin of the kernel's generations: plain numpy, the same numbers from the same stream of random words.

A generation draws in this order: the rivals of all tournaments, the crossover points, then one number for each gene of
each offspring, row by row. What an operator does with its numbers depends on nothing else.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from bnfuse.search.paper.candidates import Candidates, Genes
from bnfuse.search.paper.genetic import GeneticOptions
from bnfuse.search.paper.rates import Draws, Rates

Numbers = npt.NDArray[np.int64]

RESOLUTION = 2**32  # probabilities are compared with 32 random bits
WITHIN_LIMIT = 0.8  # of the offspring should be
RESTRAINT = 1.25  # by which additions become rarer in a generation where fewer are
MOST_RESTRAINT = 64.0


def below(draws: Draws | Words, bound: int, shape: tuple[int, int]) -> Numbers:
    """Uniform in 0..bound-1."""
    return draws.bits(shape).astype(np.int64) * bound // RESOLUTION


def ranking(objective: Numbers, support: Numbers) -> Numbers:
    """Places from best to worst: by objective, then by directed support, then as they stand."""
    return np.lexsort((-support, objective))


def winners(best_first: Numbers, rivals: Numbers) -> Numbers:
    """Who wins each tournament of two (a column of `rivals`): the better in the ranking; between equals the first."""
    rank = np.empty(len(best_first), np.int64)
    rank[best_first] = np.arange(len(best_first))
    won: Numbers = np.where(rank[rivals[0]] <= rank[rivals[1]], rivals[0], rivals[1])
    return won


def crossed(mothers: Genes, fathers: Genes, points: Numbers, offspring: int) -> Genes:
    """Offspring by crossover at one point: the genes up to it from one parent, the rest from the other.

    With two offspring of each pair, those that start like their mothers come first, then those that start like their
    fathers.
    """
    from_mother = np.arange(mothers.shape[1], dtype=np.int32) <= points.astype(np.int32)
    swapped: Genes = (mothers ^ fathers) & ~from_mother
    if offspring == 1:
        return mothers ^ swapped
    return np.concatenate((mothers ^ swapped, fathers ^ swapped))


def restrained(restraint: float, clique: Numbers, limit: int) -> float:
    """By what P(add) is divided now, given by what it was divided in the generation before, from 1 on.

    It grows while too few of the offspring are within the limit, and shrinks when enough of them are.
    """
    if np.count_nonzero(clique <= limit) < WITHIN_LIMIT * len(clique):
        return min(restraint * RESTRAINT, MOST_RESTRAINT)
    return max(restraint / RESTRAINT, 1.0)


def rates(x: float, printed: bool) -> tuple[float, float]:
    """P(add) and P(remove) of an arc for a chromosome with x = clique / limit: as printed, or as in the program."""
    if x <= 1:
        return ((x - 1) / 2) ** 2 + 0.01, x / 10 if printed else (x / 10) ** 2
    if printed:
        return 0.01 / x, min(math.log(x) / 3 + 0.01, 1.0)
    return 0.01 / (x + 0.01), min(math.log10(x) / 3 + 0.01, 1.0)


def mutated(genes: Genes, add: Rates, remove: Rates, bits: npt.NDArray[np.uint32]) -> Genes:
    """Chromosomes after mutation: each arc that is out comes in, each that is in goes out, by its row's rates."""
    add_below, remove_below = (np.stack((add, remove))[..., None] * (RESOLUTION - 1)).astype(np.uint32)
    flips: Genes = (genes & (bits < remove_below)) | (~genes & (bits < add_below))
    return genes ^ flips


class Words:
    """32 bits at a time from raw words, two to a word, the lower half first; each call starts with a new word."""

    def __init__(self, words: npt.NDArray[np.uint64]) -> None:
        self.left = words

    def bits(self, shape: tuple[int, int]) -> npt.NDArray[np.uint32]:
        count = shape[0] * shape[1]
        here, self.left = np.split(self.left, [(count + 1) // 2])
        return np.stack((here & np.uint64(RESOLUTION - 1), here >> np.uint64(32)), 1).ravel()[:count].reshape(shape)


def penalised(rows: Numbers, limit: int) -> Numbers:
    """The objective, up to a constant factor: the distance, times clique / limit when over it."""
    return rows[:, 0] * np.maximum(rows[:, 2], limit)


def ranked(rows: Numbers, limit: int) -> Numbers:
    """From best to worst."""
    return rows[ranking(penalised(rows, limit), rows[:, 1])]


class TwinEvolution:
    """The generations in numpy, called as those of the kernel are.

    A member is a row of numbers: its distance, its directed support, its clique size, and then its genes.
    """

    def __init__(self, space: Candidates, options: GeneticOptions) -> None:
        self.space, self.options, self.limit = space, options, space.problem.max_clique
        self.pairs = options.population if options.offspring == 1 else (options.population + 1) // 2
        self._seen: dict[bytes, list[int]] = {}
        self._restraint = 1.0

    def seen(self) -> int:
        return len(self._seen)

    def words(self) -> int:
        draws = 4 * self.pairs, self.pairs, self.options.population * self.space.count
        return sum((count + 1) // 2 for count in draws)

    def mean_objective(self) -> float:
        return float(penalised(self.population, self.limit).mean()) / self.limit

    def best(self) -> tuple[npt.NDArray[np.uint8], Numbers]:
        return self._best[:, 3:].astype(np.uint8), self._best[:, :3]

    def evaluate(self, _: object, genes: npt.NDArray[np.uint8], *__: float) -> Numbers:
        return self.evaluated(genes)[:, :3]

    def start(self, _: object, best: npt.NDArray[np.uint8], first: npt.NDArray[np.uint8], *__: float) -> bool:
        self._best = self.champion = self.evaluated(best)
        self.population = self.evaluated(first)
        self.note_best(self.population)
        return True

    def next(self, _: object, words: npt.NDArray[np.uint64], *__: float) -> bool:
        options, limit, draws = self.options, self.limit, Words(words)
        best_of_last = ranked(self.population, limit)[:1]
        if options.elites == "before-crossover":
            self.replace_worst(best_of_last)
        offspring = self.evaluated(self.space.repaired(self.crossed(draws)))
        if options.noted == "offspring":
            self.note_best(offspring)
        by_row = [rates(clique / limit, options.rates == "printed") for clique in offspring[:, 2].tolist()]
        add, remove = np.array(by_row).T
        if options.restraint == "by-share":
            self._restraint = restrained(self._restraint, offspring[:, 2], limit)
            add = add / self._restraint
        genes = offspring[:, 3:].astype(np.bool_)
        self.population = self.evaluated(self.space.repaired(mutated(genes, add, remove, draws.bits(genes.shape))))
        assert not len(draws.left)
        if options.elites == "after-mutation":
            self.replace_worst(best_of_last)
        self.note_best(self.population)
        return True

    def evaluated(self, genes: npt.NDArray[np.uint8] | Genes) -> Numbers:
        """One seen before is not evaluated again."""
        fresh = {row.tobytes(): row for row in genes.astype(np.bool_) if row.tobytes() not in self._seen}
        if fresh:
            numbers = self.space.evaluate(np.array(list(fresh.values()))).numbers
            self._seen.update(zip(fresh, numbers.tolist(), strict=True))
        return np.column_stack((np.array([self._seen[row.tobytes()] for row in genes], np.int64), genes))

    def crossed(self, draws: Words) -> Genes:
        """Offspring of parents that won a tournament of two."""
        best_first = ranking(penalised(self.population, self.limit), self.population[:, 1])
        chosen = winners(best_first, below(draws, len(best_first), (2, 2 * self.pairs)))
        points = below(draws, self.space.count - 1, (self.pairs, 1))
        parents = self.population[chosen, 3:].astype(np.bool_)
        return crossed(parents[: self.pairs], parents[self.pairs :], points, self.options.offspring)[: len(best_first)]

    def note_best(self, rows: Numbers) -> None:
        """Keeps the best within the limit, and the champion, which may be over it if the options say so."""
        within = rows[rows[:, 2] <= self.limit]
        if len(within):
            best = within[ranking(within[:, 0], within[:, 1])][:1]
            if (-best[0, 0], best[0, 1]) >= (-self._best[0, 0], self._best[0, 1]):
                self._best = best
        over = np.concatenate((ranked(rows, self.limit)[:1], self.champion))
        self.champion = self._best if self.options.champion == "within-limit" else ranked(over, self.limit)[:1]

    def replace_worst(self, best_of_last: Numbers) -> None:
        elites = np.concatenate((self.champion, best_of_last))
        kept = ranked(self.population, self.limit)[: len(self.population) - len(elites)]
        self.population = np.concatenate((elites, kept))
