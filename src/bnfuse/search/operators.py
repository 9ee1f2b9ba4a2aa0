"""The operators of the genetic search: plain functions of arrays, and the stream of random numbers that feeds them.

A generation draws in this order: the rivals of all tournaments, the crossover points, then one number for each gene of
each offspring, row by row. What an operator does with its numbers depends on nothing else.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from bnfuse.search.candidates import Candidates, Genes

Numbers = npt.NDArray[np.int64]
Rates = npt.NDArray[np.float64]

_RESOLUTION = 2**32  # probabilities are compared with 32 random bits
_WITHIN_LIMIT = 0.8  # of the offspring should be
_RESTRAINT = 1.25  # by which additions become rarer in a generation where fewer are
_MOST_RESTRAINT = 64.0


class Draws:
    """Random numbers from raw 64-bit words, whose stream numpy promises to keep: two to a word, the lower half first.

    Every call starts with a new word.
    """

    def __init__(self, seed: int) -> None:
        self._words = np.random.PCG64(seed)

    def bits(self, shape: tuple[int, int]) -> npt.NDArray[np.uint32]:
        """32 random bits for each place, row by row."""
        count = math.prod(shape)
        words = np.asarray(self._words.random_raw((count + 1) // 2), "<u8")
        return words.view("<u4")[:count].reshape(shape)

    def below(self, bound: int, shape: tuple[int, int]) -> Numbers:
        """Uniform in 0..bound-1."""
        return self.bits(shape).astype(np.int64) * bound // _RESOLUTION


def kept(probabilities: Rates, bits: npt.NDArray[np.uint32]) -> Genes:
    """First chromosomes, which keep each arc with its own probability."""
    result: Genes = bits < probabilities * _RESOLUTION
    return result


def first_probabilities(space: Candidates, first: str) -> Rates:
    """With which probability a first chromosome keeps each arc: 1 / (1 - ln f), f its normalised frequency."""
    frequency = space.frequency.astype(np.float64)
    lowest, span = frequency.min(), np.ptp(frequency)
    unit = min(weight for weight in space.problem.weights if weight)
    if first == "program" and space.kind == "per-network":
        return np.full(space.count, 0.5)
    if first == "program" and space.kind == "shared":
        return np.full(space.count, 1 / (1 + np.log(np.maximum(frequency.max() / unit, 1))))
    if span == 0:
        return np.full(space.count, 0.5)
    normalised = (frequency - lowest) / span
    if first == "program":
        normalised = np.maximum(normalised, 1 / (span / unit + 1))
    with np.errstate(divide="ignore"):
        probabilities: Rates = 1 / (1 - np.log(normalised))
    return probabilities


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


def mutation_rates(x: Rates, rates: str) -> tuple[Rates, Rates]:
    """P(add) and P(remove) of an arc for chromosomes with x = clique / limit."""
    within = x <= 1
    over = np.maximum(x, 1)
    if rates == "printed":
        add_over, remove_within, remove_over = 0.01 / over, x / 10, np.log(over) / 3 + 0.01
    else:
        add_over, remove_within, remove_over = 0.01 / (over + 0.01), (x / 10) ** 2, np.log10(over) / 3 + 0.01
    add = np.where(within, ((x - 1) / 2) ** 2 + 0.01, add_over)
    return add, np.minimum(np.where(within, remove_within, remove_over), 1)


def restrained(restraint: float, clique: Numbers, limit: int) -> float:
    """By what P(add) is divided now, given by what it was divided in the generation before, from 1 on.

    It grows while too few of the offspring are within the limit, and shrinks when enough of them are.
    """
    if np.count_nonzero(clique <= limit) < _WITHIN_LIMIT * len(clique):
        return min(restraint * _RESTRAINT, _MOST_RESTRAINT)
    return max(restraint / _RESTRAINT, 1.0)


def mutated(genes: Genes, add: Rates, remove: Rates, bits: npt.NDArray[np.uint32]) -> Genes:
    """Chromosomes after mutation: each arc that is out comes in, each that is in goes out, by its row's rates."""
    add_below, remove_below = (np.stack((add, remove))[..., None] * (_RESOLUTION - 1)).astype(np.uint32)
    flips: Genes = (genes & (bits < remove_below)) | (~genes & (bits < add_below))
    return genes ^ flips
