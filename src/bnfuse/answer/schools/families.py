"""The parent sets of the inputs, and ensembles in which they are redistributed at random, as a null model.

A family is a variable with its parents. An input departs from the others in the families that are not the most frequent
of their variable. Redistributing these families keeps only the frequency of each family and the number of departures of
each input, so inputs are similar only by chance.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

from bnfuse.problem.input_votes import InputVotes

Present = npt.NDArray[np.bool_]
"""By input and edge: whether the input has it."""
Family = tuple[int, frozenset[int]]


class Families:
    """The families of some inputs, and the edges that each of them contributes."""

    def __init__(self, inputs: Sequence[InputVotes], variables: Sequence[str]) -> None:
        index = {name: i for i, name in enumerate(variables)}
        self.own = [_families(one, index) for one in inputs]
        self.knows = [frozenset(index[name] for name in one.variables) for one in inputs]
        self._tokens: dict[Family, int] = {}
        self._edges: dict[tuple[int, int], int] = {}
        rows = []
        for own in self.own:
            for family in own.items():
                if family not in self._tokens:
                    self._tokens[family] = len(self._tokens)
                    rows.append([self._edges.setdefault(edge, len(self._edges)) for edge in _edges(family)])
        self._brings = np.zeros((len(rows), len(self._edges)), np.float32)
        for row, edges in enumerate(rows):
            self._brings[row, edges] = 1
        self.ends = np.array(list(self._edges), np.int64).reshape(-1, 2)

    def present(self, inputs: Sequence[int], own: Sequence[dict[int, frozenset[int]]] | None = None) -> Present:
        """The edges of some inputs, or those that other families would give them."""
        families = [self.own[i] for i in inputs] if own is None else own
        has = np.zeros((len(families), len(self._tokens)), np.float32)
        for row, one in zip(has, families, strict=True):
            row[[self._tokens[family] for family in one.items()]] = 1
        found: Present = has @ self._brings > 0
        return found

    def dealt(self, inputs: Sequence[int], rounds: int, chance: random.Random) -> Dealing:
        """Their families, for redistribution."""
        return Dealing(self, inputs, rounds, chance)


class Dealing:
    """Departures that are repeatedly exchanged between pairs of inputs: one ensemble after each round."""

    def __init__(self, families: Families, inputs: Sequence[int], rounds: int, chance: random.Random) -> None:
        self._families, self._inputs, self._chance = families, list(inputs), chance
        self._steps = rounds * len(self._inputs)
        own = [families.own[i] for i in self._inputs]
        self._knows = [families.knows[i] for i in self._inputs]
        self._common = _usual_of(own)
        # An input that lacks a parent of the usual family keeps its own family.
        self._usual = [
            {v: self._common[v] if self._can_trade(i, v) else parents for v, parents in one.items()}
            for i, one in enumerate(own)
        ]
        self._departs = [
            {v: parents for v, parents in one.items() if parents != usual[v]}
            for one, usual in zip(own, self._usual, strict=True)
        ]

    def next(self, rounds: int = 1) -> Present:
        """The edges of the next ensemble."""
        for _ in range(self._steps * rounds):
            self._trade()
        return self._families.present(self._inputs, self.own)

    @property
    def own(self) -> list[dict[int, frozenset[int]]]:
        """The current families of each input."""
        return [usual | departs for usual, departs in zip(self._usual, self._departs, strict=True)]

    def _trade(self) -> None:
        """Two inputs exchange departures; each keeps its number of them."""
        chance, count = self._chance, len(self._inputs)
        i = int(chance.random() * count)
        j = int(chance.random() * (count - 1))
        j += j >= i
        one, other = self._departs[i], self._departs[j]
        for v in [v for v in one if v in other and one[v] != other[v]]:
            if chance.random() < 0.5 and self._may_have(i, v, other[v]) and self._may_have(j, v, one[v]):
                one[v], other[v] = other[v], one[v]
        mine = [v for v in one if v not in other and self._may_have(j, v, one[v])]
        theirs = [v for v in other if v not in one and self._may_have(i, v, other[v])]
        if not mine or not theirs:
            return
        pool = [(v, one.pop(v)) for v in mine] + [(v, other.pop(v)) for v in theirs]
        chance.shuffle(pool)
        one.update(pool[: len(mine)])
        other.update(pool[len(mine) :])

    def _may_have(self, i: int, v: int, parents: frozenset[int]) -> bool:
        return self._can_trade(i, v) and parents <= self._knows[i]

    def _can_trade(self, i: int, v: int) -> bool:
        return v in self._knows[i] and self._common[v] <= self._knows[i]


def _usual_of(own: Sequence[dict[int, frozenset[int]]]) -> dict[int, frozenset[int]]:
    """The most frequent family of each variable; ties go to the first."""
    counts: dict[int, Counter[tuple[int, ...]]] = {}
    for families in own:
        for v, parents in families.items():
            counts.setdefault(v, Counter())[tuple(sorted(parents))] += 1
    return {v: frozenset(_most_frequent(one)) for v, one in counts.items()}


def _most_frequent(counted: Counter[tuple[int, ...]]) -> tuple[int, ...]:
    return min(counted, key=lambda parents: (-counted[parents], parents))


def _families(one: InputVotes, index: dict[str, int]) -> dict[int, frozenset[int]]:
    """The parents of each variable of an input; for votes for arcs, those with more than half."""
    arcs = one.arcs if one.dag is None else one.dag.edges
    parents: dict[int, set[int]] = {index[name]: set() for name in one.variables}
    for source, target in arcs:
        parents[index[target]].add(index[source])
    return {v: frozenset(own) for v, own in parents.items()}


def _edges(family: Family) -> list[tuple[int, int]]:
    """The moral edges of a family."""
    child, parents = family
    joined = [(min(parent, child), max(parent, child)) for parent in sorted(parents)]
    return [*joined, *combinations(sorted(parents), 2)]
