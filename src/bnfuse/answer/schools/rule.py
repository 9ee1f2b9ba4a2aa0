"""Whether inputs fall into groups: a cautious rule that requires the agreement of two tests.

First, inputs far from every other one are set aside: they would form groups of their own. Then

- *families*: two groups bring the inputs closer than they do in ensembles with redistributed families;
- *halves*: two separate halves of the variables divide the inputs alike, more than chance would.

The first test alone mistakes neighbouring arcs with a common origin for groups, as in networks learned from data. The
second alone mistakes it for a group if some inputs have more changes than others.

Both compare moral graphs, even for SHD: arcs whose direction data leave free are reversed together across the network,
which both tests would mistake for groups.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bnfuse._base.public import public
from bnfuse.answer.schools.division.fits import Costs, best_fit, cost_of_one, linked_start, margins, spread_starts
from bnfuse.answer.schools.families import Families, Present

FEWEST = 7
"""inputs, below which no division of two halves is significant at 5 %: 7 inputs divide 35 ways into 3 and 4"""
LEVEL = 0.05
_LEAST = 2  # inputs in a group
_EXTREME = 3  # ensembles that the level allows, the inputs themselves among them: at 5 %, 3 of 60
_ENOUGH = 9  # with more than that, the first test fails
_MIXING, _BETWEEN = 10, 4  # rounds of exchanges before the first ensemble, and between two
_STARTS = 8
_SPLITS = 6
_PERMUTATIONS = 1999
_FENCE = 3.0  # interquartile ranges above the third quartile


@public
@dataclass(frozen=True, slots=True)
class SchoolTest:
    """Whether some inputs, taken as one group, consist of two.

    Attributes
    ----------
    inputs
        Their names.
    families
        The share of ensembles with redistributed families in which two groups gain as much: a p-value. None if it was
        not needed, or if there are too few inputs.
    halves
        The share of permutations under which two halves of the variables divide the inputs equally similarly: a
        p-value.
    level
        Both must be at most this.

    Examples
    --------
    >>> import bnfuse
    >>> one = bnfuse.DAG(["A", "B"], [("A", "B")])
    >>> bnfuse.schools([one] * 3).tests[0].splits
    False
    """

    inputs: tuple[str, ...]
    families: float | None
    halves: float | None
    level: float

    @property
    def splits(self) -> bool:
        """Whether both tests find two groups."""
        return all(p is not None and p <= self.level for p in (self.families, self.halves))


def isolated(distances: npt.NDArray[np.float64]) -> list[int]:
    """The inputs whose nearest other input is far: over the third quartile by three interquartile ranges, or by 3."""
    if len(distances) < FEWEST:
        return []
    near = np.where(np.eye(len(distances), dtype=np.bool_), np.inf, distances).min(axis=1)
    low, high = np.quantile(near, [0.25, 0.75])
    return [int(i) for i in np.flatnonzero(near > high + _FENCE * max(high - low, 1.0))]


class Rule:
    """The tests for some inputs."""

    def __init__(self, families: Families, names: Sequence[str], seed: int) -> None:
        self._families, self._names, self._seed = families, names, seed

    def test(self, inputs: Sequence[int], level: float = LEVEL, in_full: bool = True) -> SchoolTest:
        """Whether these inputs are two groups; unless `in_full`, the second test runs only if the first passes."""
        names = tuple(self._names[i] for i in inputs)
        present = self._families.present(inputs)
        if len(inputs) < FEWEST or not _varies(present).any():
            return SchoolTest(names, None, None, level)
        halves = self._halves(present, inputs)
        if halves > level and not in_full:
            return SchoolTest(names, None, halves, level)
        return SchoolTest(names, self._dealt_out(present, inputs, level), halves, level)

    # Families

    def _dealt_out(self, present: Present, inputs: Sequence[int], level: float) -> float:
        """The p-value of the gain of two groups; it draws no more ensembles than the decision needs."""
        dealing = self._families.dealt(inputs, 1, random.Random(self._seed))
        generator = np.random.default_rng(self._seed)
        gained = _gain(present, generator)
        as_large, ensembles = 0, round(_EXTREME / level) - 1
        dealing.next(_MIXING)
        for number in range(1, ensembles + 1):
            as_large += _gain(dealing.next(_BETWEEN), generator) >= gained
            if as_large >= _EXTREME + _ENOUGH:
                return (1 + as_large) / (number + 1)
        return (1 + as_large) / (ensembles + 1)

    # Halves

    def _halves(self, present: Present, inputs: Sequence[int]) -> float:
        """The p-value of how similarly two halves of the variables divide the inputs, over several ways to halve."""
        generator = np.random.default_rng(self._seed)
        ends = self._families.ends
        varying = np.flatnonzero(_varies(present))
        here, there = [], []
        for _ in range(_SPLITS):
            first = _half(ends[varying], generator)
            both = [present[:, varying[np.isin(ends[varying], side).all(axis=1)]] for side in first]
            sides = [_divided(one, generator) for one in both]
            if all(one is not None for one in sides):
                here.append(sides[0])
                there.append(sides[1])
        if not here:
            return 1.0
        one, other = np.array(here), np.array(there)
        orders = np.array([generator.permutation(len(inputs)) for _ in range(_PERMUTATIONS)])
        found = np.abs((one * other).sum(axis=1)).mean()
        by_chance = np.abs(np.einsum("si,spi->sp", one, other[:, orders])).mean(axis=0)
        return float((1 + (by_chance >= found - 1e-9).sum()) / (_PERMUTATIONS + 1))


def _varies(present: Present) -> npt.NDArray[np.bool_]:
    return np.asarray(present.any(axis=0) & ~present.all(axis=0))


def _costs(present: Present) -> Costs:
    varying = present[:, _varies(present)].astype(np.float64)
    return np.stack([varying, 1 - varying], axis=2)


def _starts(costs: Costs, generator: np.random.Generator) -> npt.NDArray[np.int64]:
    has = costs[:, :, 0]
    size = has.sum(axis=1)
    distances = size[:, None] + size[None] - 2 * has @ has.T
    return np.concatenate([linked_start(distances, 2), spread_starts(distances, 2, _STARTS, generator)])


def _gain(present: Present, generator: np.random.Generator) -> float:
    """By how much two groups bring the inputs closer than one."""
    costs = _costs(present)
    if not costs.shape[1]:
        return 0.0
    fit = best_fit(costs, 2, _starts(costs, generator), _LEAST)
    return 0.0 if fit is None else cost_of_one(costs) - fit.cost


def _divided(present: Present, generator: np.random.Generator) -> npt.NDArray[np.float64] | None:
    """How some of the edges divide the inputs into two groups: 1 and -1, centred and scaled; None if they do not."""
    costs = _costs(present)
    if not costs.shape[1]:
        return None
    apart = margins(costs, _starts(costs, generator), _LEAST)
    if apart is None:
        return None
    side = np.sign(apart)
    side = side - side.mean()
    length = float(np.sqrt((side**2).sum()))
    return side / length if length > 0 else None


def _half(ends: npt.NDArray[np.int64], generator: np.random.Generator) -> tuple[list[int], list[int]]:
    """Two sets of variables with about equally many edges within each: neighbours stay together.

    Variables are visited from a random one, near ones first; the cut is where the smaller side has most edges.
    """
    near: dict[int, list[int]] = {}
    for a, b in ends.tolist():
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    roots = sorted(near)
    generator.shuffle(roots)
    order: dict[int, int] = {}
    for root in roots:
        queue = [root] if root not in order else []
        order.setdefault(root, len(order))
        for v in queue:
            for u in near[v]:
                if u not in order:
                    order[u] = len(order)
                    queue.append(u)
    place = np.array([[order[a], order[b]] for a, b in ends.tolist()])
    cuts = np.arange(1, max(len(order), 2))
    before = (place.max(axis=1)[None] < cuts[:, None]).sum(axis=1)
    after = (place.min(axis=1)[None] >= cuts[:, None]).sum(axis=1)
    cut = int(cuts[np.minimum(before, after).argmax()])
    names = list(order)
    return names[:cut], names[cut:]
