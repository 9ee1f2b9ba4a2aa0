"""The readable twin of the kernel's generations: plain numpy, the same numbers from the same stream of random words.

A generation draws in this order: the rivals of all tournaments, the crossover points, then one number for each gene of
each offspring, row by row. What an operator does with its numbers depends on nothing else.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bnfuse.search.paper.candidates import Candidates, Genes, Population
from bnfuse.search.paper.genetic import GeneticOptions, Search
from bnfuse.search.paper.rates import Draws, Rates, mutation_rates

Numbers = npt.NDArray[np.int64]

RESOLUTION = 2**32  # probabilities are compared with 32 random bits
WITHIN_LIMIT = 0.8  # of the offspring should be
RESTRAINT = 1.25  # by which additions become rarer in a generation where fewer are
MOST_RESTRAINT = 64.0


def below(draws: Draws, bound: int, shape: tuple[int, int]) -> Numbers:
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


def mutated(genes: Genes, add: Rates, remove: Rates, bits: npt.NDArray[np.uint32]) -> Genes:
    """Chromosomes after mutation: each arc that is out comes in, each that is in goes out, by its row's rates."""
    add_below, remove_below = (np.stack((add, remove))[..., None] * (RESOLUTION - 1)).astype(np.uint32)
    flips: Genes = (genes & (bits < remove_below)) | (~genes & (bits < add_below))
    return genes ^ flips


class TwinSearch(Search):
    """The same search with the generations in numpy."""

    def __init__(self, space: Candidates, options: GeneticOptions, carried: Genes | None = None) -> None:
        self._seen: dict[bytes, list[int]] = {}
        self._restraint = 1.0
        super().__init__(space, options, carried)

    def evolve(self, first: Genes) -> str:
        population = self.evaluated(first)
        champion = self.note_best(population, self.best)
        self.record(0, self.mean(population))
        for generation in range(1, self.options.generations + 1):
            population, champion = self.next_generation(population, champion)
            champion = self.note_best(population, champion)
            self.record(generation, self.mean(population))
        return "finished"

    @property
    def seen(self) -> int:
        return len(self._seen)

    def evaluated(self, genes: Genes) -> Population:
        fresh = {row.tobytes(): row for row in genes if row.tobytes() not in self._seen}
        if fresh:
            numbers = self.space.evaluate(np.array(list(fresh.values()))).numbers
            self._seen.update(zip(fresh, numbers.tolist(), strict=True))
        return Population(genes, np.array([self._seen[row.tobytes()] for row in genes], np.int64))

    def next_generation(self, population: Population, champion: Population) -> tuple[Population, Population]:
        """The next population, and the champion after its offspring were seen."""
        options, limit = self.options, self.limit
        best_of_last = population.take(self.ranking(population)[:1])
        if options.elites == "before-crossover":
            population = self.replace_worst(population, champion.joined(best_of_last))
        offspring = self.evaluated(self.space.repaired(self.crossed(population)))
        if options.noted == "offspring":
            champion = self.note_best(offspring, champion)
        add, remove = mutation_rates(offspring.clique / limit, options.rates)
        if options.restraint == "by-share":
            self._restraint = restrained(self._restraint, offspring.clique, limit)
            add = add / self._restraint
        genes = mutated(offspring.genes, add, remove, self.draws.bits(offspring.genes.shape))
        population = self.evaluated(self.space.repaired(genes))
        if options.elites == "after-mutation":
            population = self.replace_worst(population, champion.joined(best_of_last))
        return population, champion

    def crossed(self, population: Population) -> Genes:
        """Offspring of parents that won a tournament of two."""
        size = len(population)
        pairs = size if self.options.offspring == 1 else (size + 1) // 2
        chosen = winners(self.ranking(population), below(self.draws, size, (2, 2 * pairs)))
        points = below(self.draws, population.genes.shape[1] - 1, (pairs, 1))
        mothers, fathers = population.genes[chosen[:pairs]], population.genes[chosen[pairs:]]
        return crossed(mothers, fathers, points, self.options.offspring)[:size]

    def penalised(self, population: Population) -> Numbers:
        """The objective, up to a constant factor: the distance, times clique / limit when over it."""
        return population.distance * np.maximum(population.clique, self.limit)

    def ranking(self, population: Population) -> Numbers:
        return ranking(self.penalised(population), population.support)

    def mean(self, population: Population) -> float:
        return float(self.penalised(population).mean()) / self.limit

    def note_best(self, population: Population, champion: Population) -> Population:
        """Keeps the best within the limit; gives the champion, which may be over it if the options say so."""
        best = population.best(self.limit)
        if len(best) and best.value >= self.best.value:
            self.best = best
        if self.options.champion == "within-limit":
            return self.best
        pair = population.take(self.ranking(population)[:1]).joined(champion)
        return pair.take(self.ranking(pair)[:1])

    def replace_worst(self, population: Population, elites: Population) -> Population:
        return elites.joined(population.take(self.ranking(population)[: len(population) - len(elites)]))
