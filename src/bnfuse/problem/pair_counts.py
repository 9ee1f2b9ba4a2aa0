"""Whole numbers by ordered pairs of variables, most of which are 0: the sums over inputs with many variables.

With few variables, such numbers are square numpy arrays. Code that works with both asks for numbers by pairs,
`counts[a, b]`, of two numbers or of two arrays of them, and for the pairs that have one: `entries`.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from bnfuse import _kernel
from bnfuse.errors import OptionError

Numbers: TypeAlias = npt.NDArray[np.int64]
Counts: TypeAlias = Any
"""A square array, or `PairCounts`."""

MOST_PAIRS = 20_000_000
"""the most pairs with a number: with everything else that a search needs, they take about 4 GB"""


class PairCounts:
    """A number for each ordered pair of n variables; zeros are not stored. It is not changed in place."""

    def __init__(self, n: int, keys: Numbers | None = None, numbers: Numbers | None = None) -> None:
        self.n = n
        self.keys = np.zeros(0, np.int64) if keys is None else keys
        """for each pair, the first variable times n plus the second one, in increasing order"""
        self.numbers = np.zeros(0, np.int64) if numbers is None else numbers

    @classmethod
    def added_up(cls, n: int, keys: Numbers, numbers: Numbers) -> PairCounts:
        """From keys in any order, possibly repeated."""
        known, place = np.unique(keys, return_inverse=True)
        sums = np.zeros(len(known), np.int64)
        np.add.at(sums, place, numbers)
        return cls(n, known[sums != 0], sums[sums != 0])

    @property
    def shape(self) -> tuple[int, int]:
        """The shape of the corresponding square array."""
        return self.n, self.n

    def __getitem__(self, pair: tuple[Any, Any]) -> Any:
        if isinstance(pair[0], int) and isinstance(pair[1], int):
            return self._by_key.get(pair[0] * self.n + pair[1], 0)
        wanted = np.asarray(pair[0], np.int64) * self.n + np.asarray(pair[1], np.int64)
        if not len(self.keys):
            return np.zeros_like(wanted)[()]
        place = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        return np.where(self.keys[place] == wanted, self.numbers[place], 0)[()]

    @cached_property
    def _by_key(self) -> dict[int, int]:
        return dict(zip(self.keys.tolist(), self.numbers.tolist(), strict=True))

    def entries(self) -> tuple[Numbers, Numbers, Numbers]:
        """The pairs that have a number, and the numbers."""
        return *np.divmod(self.keys, self.n), self.numbers

    def sum(self) -> int:
        """The sum of all numbers."""
        return int(self.numbers.sum())

    @property
    def T(self) -> PairCounts:
        """The transpose."""
        first, second, numbers = self.entries()
        return PairCounts.added_up(self.n, second * self.n + first, numbers)

    def __add__(self, other: PairCounts) -> PairCounts:
        keys = np.concatenate([self.keys, other.keys])
        return PairCounts.added_up(self.n, keys, np.concatenate([self.numbers, other.numbers]))

    def moved(self, n: int, place: Numbers) -> PairCounts:
        """Among n variables, where variable i is `place[i]`."""
        first, second, numbers = self.entries()
        return PairCounts.added_up(n, place[first] * n + place[second], numbers)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PairCounts):
            return NotImplemented
        return (
            self.n == other.n and np.array_equal(self.keys, other.keys) and np.array_equal(self.numbers, other.numbers)
        )

    __hash__ = None  # type: ignore[assignment]


class SeenByKinds:
    """In row A, column B: the weight of the inputs that have both, if inputs lack variables."""

    def __init__(self, n: int, weight: int, kinds: dict[bytes, int]) -> None:
        self.n = n
        masks = [np.frombuffer(kind, np.uint8) for kind in kinds]
        whole = weight - sum(kinds.values())
        self.has = np.ascontiguousarray(np.stack([*masks, np.ones(n, np.uint8)], axis=1))
        """by variable and kind of input: whether such inputs have it"""
        self.weights = np.array([*kinds.values(), whole], np.int64)
        """the weight of the inputs of each kind"""

    def __getitem__(self, pair: tuple[Any, Any]) -> Any:
        both = self.has[np.asarray(pair[0])] & self.has[np.asarray(pair[1])]
        return both.astype(np.int64) @ self.weights


def is_listed(counts: Counts) -> bool:
    """Whether these are numbers of some pairs only."""
    return isinstance(counts, PairCounts)


def no_counts(n: int) -> Counts:
    """Zeros for the pairs of n variables."""
    return PairCounts(n) if n > _kernel.MOST_IN_ROWS else np.zeros((n, n), np.int64)


def entries(counts: Counts) -> tuple[Numbers, Numbers, Numbers]:
    """The pairs whose number is not 0, row by row, and the numbers."""
    if isinstance(counts, PairCounts):
        return counts.entries()
    first, second = np.nonzero(counts)
    return first, second, counts[first, second]


def pairs_of(counts: Counts) -> list[list[int]]:
    """The pairs [A, B] whose number is not 0, row by row."""
    first, second, _ = entries(counts)
    found: list[list[int]] = np.stack([first, second], axis=1).tolist()
    return found


def are_equal(one: Counts, other: Counts) -> bool:
    """Whether two have the same numbers."""
    return one == other if is_listed(one) else np.array_equal(one, other)


def check_pairs(pairs: int, n: int) -> None:
    """Refuse more pairs than fit in memory."""
    if pairs > MOST_PAIRS:
        raise OptionError(
            f"the inputs join about {pairs:,} pairs of {n:,} variables in their moral graphs, and at most "
            f"{MOST_PAIRS:,} are counted: leave out arcs with little support, or variables with hundreds of parents"
        )


def rows_of_counts(counts: Counts, is_upper: bool = False) -> list[list[int]]:
    """Rows of two variables and a number, for files; with `is_upper`, only pairs whose first variable comes first."""
    first, second, numbers = entries(counts)
    rows = np.stack([first, second, numbers], axis=1)
    found: list[list[int]] = rows[first <= second].tolist() if is_upper else rows.tolist()
    return found


def listed_counts(counts: Counts) -> PairCounts:
    """The same numbers, stored for nonzero pairs only."""
    if isinstance(counts, PairCounts):
        return counts
    first, second, numbers = entries(counts)
    return PairCounts(len(counts), first * len(counts) + second, numbers)
