"""Junction trees: many marginals of a network at once.

The clique tables of an elimination order, calibrated by one pass up and one pass down the tree (Lauritzen and
Spiegelhalter 1988; Jensen, Lauritzen and Olesen 1990).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from bnfuse.cliques import inference_cost
from bnfuse.factors import Evidence, Factors, impossible, refuse
from bnfuse.network import Network, Table
from bnfuse.table_sizes import TableLimits

Codes = npt.NDArray[np.signedinteger[Any]]

_RESCALED = 16  # after so many multiplications: a long product of small numbers would end at 0
_BATCH = 1 << 20  # numbers in a table that holds a clique for many rows at once


@dataclass
class _Clique:
    """A node of a junction tree."""

    members: int
    """as bits"""
    separator: int
    """what it shares with its parent"""
    last: int
    """the place of its last own variable in the elimination order: children come before their parents"""
    parent: _Clique | None = None
    variables: tuple[int, ...] = ()
    """the axes of its table: the variables eliminated last come first, so the separator is the front of them"""
    shape: tuple[int, ...] = ()
    separator_size: int = 1
    factors: list[int] | None = None
    table: Table | None = None
    multiplied: int = 0
    """how many tables went into it"""
    log_scale: float = 0.0
    """the logarithm of what the table was divided by"""


class JunctionTree:
    """The cliques that eliminating along an order makes, as a tree; calibrated, each holds its variables' joint."""

    def __init__(self, factors: Factors, order: Sequence[int]) -> None:
        self._factors = factors
        self._place = {variable: place for place, variable in enumerate(order)}
        self._cliques, self._home = _cliques_along(order, factors.scopes)
        sizes = factors.sizes
        for clique in self._cliques:
            members = sorted(_bits(clique.members), key=self._place.__getitem__, reverse=True)
            clique.variables = tuple(members)
            clique.shape = tuple(sizes[i] for i in members)
            clique.separator_size = math.prod(sizes[i] for i in _bits(clique.separator))
            if clique.separator:
                clique.parent = self._home[min(_bits(clique.separator), key=self._place.__getitem__)]

    @classmethod
    def of(cls, factors: Factors) -> JunctionTree:
        """The tree of the cheapest known elimination order."""
        whole = Network(factors.dag, {name: factors.network.states[name] for name in factors.dag.variables})  # type: ignore[index]
        order = inference_cost(whole).elimination_order
        return cls(factors, [factors.number[name] for name in order if factors.number[name] not in factors.known])

    @property
    def sizes(self) -> list[int]:
        """The numbers in each clique table."""
        return [math.prod(clique.shape) for clique in self._cliques]

    def fits(self, limits: TableLimits) -> bool:
        """Whether the clique tables are within the limits."""
        sizes = self.sizes
        return limits.allow(max(sizes, default=1), sum(sizes))

    def check(self, limits: TableLimits) -> None:
        """Refuse clique tables over the limits."""
        if not self.fits(limits):
            largest = max(self._cliques, key=lambda clique: math.prod(clique.shape))
            refuse(self._factors, largest.variables, math.prod(largest.shape), sum(self.sizes), limits)

    def calibrate(self, given: Evidence | None = None) -> None:
        """Fill the clique tables."""
        self._assign(given)
        for clique in self._cliques:
            self._multiply(clique)
        messages: dict[int, Table] = {}
        for clique in self._cliques:
            assert clique.table is not None
            table = clique.table
            if not table.any():
                raise impossible(given)
            table /= table.max()
            if clique.parent is not None:
                message = table.reshape(clique.separator_size, -1).sum(1)
                messages[id(clique)] = message
                self._times(clique.parent, message, _bits(clique.separator))
        for clique in reversed(self._cliques):
            if clique.parent is None:
                continue
            assert clique.table is not None
            message = messages[id(clique)]
            wanted = _marginal(clique.parent, clique.variables[: clique.separator.bit_count()]).ravel()
            # where the message is 0, so is the table
            ratio = np.divide(wanted, message, out=np.zeros_like(message), where=message > 0)
            rows = clique.table.reshape(clique.separator_size, -1)
            rows *= ratio[:, np.newaxis]

    def log_likelihoods(self, codes: Codes) -> Table:
        """The log-probability of each row: states of all variables by number, -1 where one is missing.

        One pass up the tree for many rows at once: each clique table has a row for each of them.
        """
        self._assign(None)
        potentials = []
        for clique in self._cliques:
            self._multiply(clique)
            assert clique.table is not None
            potentials.append(clique.table)
            clique.table = None
        own: dict[int, list[int]] = {}
        for variable, clique in self._home.items():
            own.setdefault(id(clique), []).append(variable)
        found = np.zeros(len(codes))
        step = max(1, _BATCH // max(self.sizes, default=1))
        for start in range(0, len(codes), step):
            part = codes[start : start + step]
            count = len(part)
            rows = found[start : start + count]
            messages: dict[int, list[tuple[Table, int]]] = {}
            for clique, potential in zip(self._cliques, potentials, strict=True):
                table = np.repeat(potential[np.newaxis], count, axis=0)
                rows += clique.log_scale
                for place, (message, separator) in enumerate(messages.pop(id(clique), []), 1):
                    table *= message.reshape([count, *self._broadcast(clique, _bits(separator))])
                    if place % _RESCALED == 0:
                        table = _rescaled(table, rows)
                for variable in own.get(id(clique), []):
                    states = np.arange(self._factors.sizes[variable])
                    column = part[:, variable, np.newaxis]
                    possible = (column == states) | (column < 0)
                    table *= possible.reshape([count, *self._broadcast(clique, [variable])])
                message = table.reshape(count, clique.separator_size, -1).sum(-1)
                message = _rescaled(message, rows)
                if clique.parent is not None:
                    messages.setdefault(id(clique.parent), []).append((message, clique.separator))
        return found

    def holds(self, variables: Iterable[str]) -> bool:
        """Whether one clique has all of these variables."""
        wanted = self._bits_of(variables)
        return wanted == 0 or self._smallest(wanted) is not None

    def marginal(self, variables: Sequence[str]) -> Table:
        """The joint distribution of variables that are in one clique: an axis for each."""
        factors = self._factors
        numbers = [factors.number[name] for name in variables]
        free = [i for i in numbers if i not in factors.known]
        answer = np.zeros([factors.sizes[i] for i in numbers])
        joint: Any = 1.0
        if free:
            clique = self._smallest(self._bits_of(variables))
            assert clique is not None
            joint = _marginal(clique, free)
            joint = joint / joint.sum()
        answer[tuple(factors.known.get(i, slice(None)) for i in numbers)] = joint
        return answer

    def _bits_of(self, variables: Iterable[str]) -> int:
        numbers = (self._factors.number[name] for name in variables)
        return sum(1 << i for i in numbers if i not in self._factors.known)

    def _smallest(self, wanted: int) -> _Clique | None:
        candidates = min((self._holding[i] for i in _bits(wanted)), key=len)
        return next((clique for clique in candidates if wanted & ~clique.members == 0), None)

    @cached_property
    def _holding(self) -> dict[int, list[_Clique]]:
        """For each variable the cliques that have it, the smallest first."""
        holding: dict[int, list[_Clique]] = {}
        for clique in sorted(self._cliques, key=lambda clique: math.prod(clique.shape)):
            for i in clique.variables:
                holding.setdefault(i, []).append(clique)
        return holding

    def _assign(self, given: Evidence | None) -> None:
        """Give each table to the clique where its first eliminated variable goes: that one has all of its scope."""
        for clique in self._cliques:
            clique.factors = []
        for number, scope in enumerate(self._factors.scopes):
            if scope:
                own = self._home[min(scope, key=self._place.__getitem__)].factors
                assert own is not None
                own.append(number)
            elif not self._factors.tables[number] > 0:
                raise impossible(given)

    def _multiply(self, clique: _Clique) -> None:
        clique.table = np.ones(clique.shape)
        clique.multiplied, clique.log_scale = 0, 0.0
        for number in clique.factors or ():
            scope, table = self._factors.scopes[number], self._factors.tables[number]
            axes = sorted(range(len(scope)), key=lambda axis: self._place[scope[axis]], reverse=True)
            self._times(clique, table.transpose(axes), scope)

    def _times(self, clique: _Clique, table: Table, scope: Iterable[int]) -> None:
        """Multiply a table into a clique's; its axes are in the order of the clique's."""
        assert clique.table is not None
        clique.table *= table.reshape(self._broadcast(clique, scope))
        clique.multiplied += 1
        if clique.multiplied % _RESCALED == 0 and (largest := clique.table.max()) > 0:
            clique.table /= largest
            clique.log_scale += math.log(largest)

    def _broadcast(self, clique: _Clique, scope: Iterable[int]) -> list[int]:
        """The shape of a table over a part of a clique's variables that broadcasts to the clique's."""
        present = frozenset(scope)
        return [self._factors.sizes[i] if i in present else 1 for i in clique.variables]


def _rescaled(tables: Table, logs: Table) -> Table:
    """Tables, one for each row, divided by their largest number, whose logarithm is added to the rows' own."""
    largest = tables.reshape(len(tables), -1).max(-1)
    with np.errstate(divide="ignore"):
        logs += np.log(largest)
    return tables / np.where(largest > 0, largest, 1).reshape([-1, *[1] * (tables.ndim - 1)])


def _marginal(clique: _Clique, variables: Sequence[int]) -> Table:
    assert clique.table is not None
    axes = [clique.variables.index(i) for i in variables]
    kept = sorted(axes)
    summed: Table = clique.table.sum(axis=tuple(axis for axis in range(clique.table.ndim) if axis not in kept))
    return summed.transpose([kept.index(axis) for axis in axes])


def _cliques_along(order: Sequence[int], scopes: Iterable[Iterable[int]]) -> tuple[list[_Clique], dict[int, _Clique]]:
    """The maximal cliques, children before parents, and for each variable the one that it is eliminated in."""
    neighbours = dict.fromkeys(order, 0)
    for scope in scopes:
        family = sum(1 << i for i in scope)
        for i in _bits(family):
            neighbours[i] |= family
    cliques: list[_Clique] = []
    home: dict[int, _Clique] = {}
    left_over: dict[int, _Clique] = {}
    remaining = sum(1 << i for i in order)
    for place, variable in enumerate(order):
        members = neighbours[variable] | 1 << variable
        separator = members ^ 1 << variable
        # A clique lies within another exactly if it is what an earlier elimination left over.
        clique = left_over.pop(members, None)
        if clique is None:
            clique = _Clique(members, separator, place)
            cliques.append(clique)
        clique.separator, clique.last = separator, place
        home[variable] = clique
        remaining ^= 1 << variable
        if separator == remaining:  # all that follow lie within this one
            clique.separator, clique.last = 0, len(order)
            home.update(dict.fromkeys(_bits(remaining), clique))
            break
        left_over[separator] = clique
        for i in _bits(separator):
            neighbours[i] = (neighbours[i] | separator) & ~(1 << variable)
    cliques.sort(key=lambda clique: clique.last)
    return cliques, home


def _bits(row: int) -> Iterator[int]:
    """The places of the ones."""
    while row:
        lowest = row & -row
        yield lowest.bit_length() - 1
        row ^= lowest
