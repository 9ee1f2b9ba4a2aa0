"""The rates of the genetic search, and the stream of random numbers with which they are compared."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from bnfuse.search.paper.candidates import Candidates, Genes

Rates = npt.NDArray[np.float64]

_RESOLUTION = 2**32  # probabilities are compared with 32 random bits


class Draws:
    """Random numbers from raw 64-bit words, a stream that numpy keeps stable: two per word, the lower half first.

    Every call starts with a new word.
    """

    def __init__(self, seed: int) -> None:
        self._words = np.random.PCG64(seed)

    def bits(self, shape: tuple[int, int]) -> npt.NDArray[np.uint32]:
        """32 random bits for each position, row by row."""
        count = math.prod(shape)
        return self.words((count + 1) // 2).astype("<u8").view("<u4")[:count].reshape(shape)

    def words(self, count: int) -> npt.NDArray[np.uint64]:
        """Raw words."""
        return np.asarray(self._words.random_raw(count), np.uint64)


def kept(probabilities: Rates, bits: npt.NDArray[np.uint32]) -> Genes:
    """First chromosomes, which keep each arc with its own probability."""
    result: Genes = bits < probabilities * _RESOLUTION
    return result


def first_probabilities(space: Candidates, first: str) -> Rates:
    """The probability with which a first chromosome keeps each arc: 1 / (1 - ln f), f its normalised frequency."""
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
