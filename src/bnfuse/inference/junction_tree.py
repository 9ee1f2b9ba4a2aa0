"""Junction trees: many marginals of a network at once.

The clique tables of an elimination order, calibrated by one pass up and one pass down the tree (Lauritzen and
Spiegelhalter 1988; Jensen, Lauritzen and Olesen 1990). All tables have a first axis of rows: one tree is calibrated for
many observations at once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from bnfuse.fusion.cliques import inference_cost
from bnfuse.fusion.elimination import bits, eliminated, joined
from bnfuse.fusion.table_sizes import TableLimits
from bnfuse.graphs.network import Network, Table
from bnfuse.inference.extended_range import Numbers, Wide, is_wide, plain, quotient, rescaled, times
from bnfuse.inference.factors import Factors, refuse

_RESCALED = 16  # after this number of multiplications: a long product of small numbers would be slow as a Wide one


@dataclass
class _Clique:
    """A node of a junction tree."""

    members: int
    """as bits"""
    separator: int
    """the variables that it shares with its parent"""
    last: int
    """the position of its last own variable in the elimination order: children come before their parents"""
    parent: int | None = None
    """its position among the cliques"""
    variables: tuple[int, ...] = ()
    """the axes of its table: the variables eliminated last come first, so the separator is at the front"""
    shape: tuple[int, ...] = ()
    separator_size: int = 1

    def broadcast(self, scope: Iterable[int], sizes: Sequence[int]) -> list[int]:
        """The shape of a table over some of the variables that broadcasts to the clique's."""
        present = frozenset(scope)
        return [-1, *(sizes[i] if i in present else 1 for i in self.variables)]


class CliqueTree:
    """The cliques of elimination along an order, as a tree, and the place of each table in it."""

    def __init__(self, scopes: Sequence[Sequence[int]], sizes: Sequence[int], order: Sequence[int]) -> None:
        self.scopes, self.variables = scopes, len(sizes)
        place = {variable: position for position, variable in enumerate(order)}
        self.cliques, home = _cliques_along(order, joined(scopes, len(sizes)))
        number = {id(clique): i for i, clique in enumerate(self.cliques)}
        for clique in self.cliques:
            clique.variables = tuple(sorted(bits(clique.members), key=place.__getitem__, reverse=True))
            clique.shape = tuple(sizes[i] for i in clique.variables)
            clique.separator_size = math.prod(sizes[i] for i in bits(clique.separator))
            if clique.separator:
                clique.parent = number[id(home[min(bits(clique.separator), key=place.__getitem__)])]
        # Each table belongs to the clique of its first eliminated variable, which contains its whole scope.
        self.assigned: list[list[tuple[int, list[int], list[int]]]] = [[] for _ in self.cliques]
        """for each clique, its tables: their numbers, their axes in the clique's order, and broadcasting shapes"""
        for table, scope in enumerate(scopes):
            if scope:
                axes = sorted(range(len(scope)), key=lambda axis: place[scope[axis]], reverse=True)
                own = home[min(scope, key=place.__getitem__)]
                shape = own.broadcast(scope, sizes)
                self.assigned[number[id(own)]].append((table, [0, *(axis + 1 for axis in axes)], shape))
        self._sources: dict[tuple[int, ...], tuple[int, tuple[int, ...], list[int]]] = {}
        self.message_shapes = [
            [] if clique.parent is None else self.cliques[clique.parent].broadcast(bits(clique.separator), sizes)
            for clique in self.cliques
        ]

    @cached_property
    def sizes(self) -> list[int]:
        """The numbers in each clique table."""
        return [math.prod(clique.shape) for clique in self.cliques]

    def fits(self, limits: TableLimits) -> bool:
        """Whether the clique tables, for one row, are within the limits."""
        return limits.allow(max(self.sizes, default=1), sum(self.sizes))

    @property
    def widest(self) -> tuple[int, ...]:
        """The variables of the largest clique table."""
        return max(self.cliques, key=lambda clique: math.prod(clique.shape)).variables

    def smallest(self, variables: Iterable[int]) -> int | None:
        """The clique with the smallest table among those with all of these variables."""
        wanted = sum(1 << i for i in variables)
        candidates = min((self._holding.get(i, []) for i in bits(wanted)), key=len)
        return next((i for i in candidates if wanted & ~self.cliques[i].members == 0), None)

    @cached_property
    def _holding(self) -> dict[int, list[int]]:
        """For each variable, the cliques that contain it, the smallest first."""
        holding: dict[int, list[int]] = {}
        for number in sorted(range(len(self.cliques)), key=self.sizes.__getitem__):
            for i in self.cliques[number].variables:
                holding.setdefault(i, []).append(number)
        return holding

    def source(self, variables: tuple[int, ...]) -> tuple[int, tuple[int, ...], list[int]]:
        """The smallest clique with some variables, the axes to sum over, and the order of the remaining ones."""
        if variables not in self._sources:
            clique = self.smallest(variables)
            assert clique is not None
            self._sources[variables] = (clique, *self.axes(clique, variables))
        return self._sources[variables]

    def axes(self, clique: int, variables: Sequence[int]) -> tuple[tuple[int, ...], list[int]]:
        """The axes of a clique's table to sum over to keep some variables, and the order of the remaining ones."""
        own = self.cliques[clique].variables
        wanted = [own.index(i) + 1 for i in variables]
        kept = sorted(wanted)
        summed = tuple(axis for axis in range(1, len(own) + 1) if axis not in kept)
        return summed, [0, *(kept.index(axis) + 1 for axis in wanted)]

    def calibrated(self, tables: Sequence[Numbers], down: bool = True) -> Calibrated:
        """The tree filled with tables, one for each scope: an axis of rows (or of length 1), one for each variable."""
        if is_wide(tables):
            return Calibrated(self, tables, down)
        try:
            with np.errstate(under="raise", over="raise"):
                return Calibrated(self, tables, down)
        except FloatingPointError:
            return Calibrated(self, [Wide.of(table) for table in tables], down)


class Calibrated:
    """A tree whose cliques hold, for each row, the joint distribution of their variables, up to a factor.

    `down=False` leaves out the second pass: the logarithms are then known, and states can be drawn.
    """

    def __init__(self, tree: CliqueTree, tables: Sequence[Numbers], down: bool) -> None:
        self._tree = tree
        self._wide = is_wide(tables)
        self.rows = max(map(len, tables), default=1)
        self._exponents = np.zeros(self.rows, np.int64)  # logarithms of the divisors of tables
        self.logs = np.zeros(self.rows)
        """the logarithm of the sum of the product of all tables, for each row"""
        for table, scope in zip(tables, tree.scopes, strict=True):
            if not scope:
                self.logs += _logs(table)
        self._tables: list[Numbers] = []
        messages = self._pass_up(tables)
        if down:
            self._pass_down(messages)
        self.logs += self._exponents * math.log(2.0)

    def joint(self, variables: Sequence[int]) -> Table:
        """For each row, the joint distribution of some variables of one clique, with an axis for each variable."""
        clique, summed, order = self._tree.source(tuple(variables))
        self._tables[clique] = table = plain(self._tables[clique])
        marginal: Table = table.sum(axis=summed).transpose(order)
        totals = marginal.sum(axis=tuple(range(1, marginal.ndim)), keepdims=True)
        totals[totals == 0] = 1.0  # impossible
        marginal = marginal / totals
        return marginal

    def products(self, variables: Sequence[int]) -> Numbers:
        """The same before each row is divided by its sum; for Wide numbers, exactly as the tables give it."""
        clique, summed, order = self._tree.source(tuple(variables))
        return self._tables[clique].sum(axis=summed).transpose(order)

    def drawn(self, rows: npt.NDArray[np.int64], random: np.random.Generator) -> npt.NDArray[np.int64]:
        """A state of each variable, drawn jointly, for each of these rows: a row that is named twice gets two draws.

        After the first pass, a clique has the information of its children but not of its parent. It then holds the
        distribution of its own variables given the separator, so they are drawn from the roots on. Not for a tree with
        the second pass.
        """
        states = np.zeros((len(rows), self._tree.variables), np.int64)
        for number in reversed(range(len(self._tables))):
            clique, table = self._tree.cliques[number], self._tables[number]
            shared = clique.separator.bit_count()
            lines = table.reshape(len(table), clique.separator_size, -1)
            given = _place(states[:, clique.variables[:shared]], clique.shape[:shared])
            ends = plain(lines[rows if len(table) > 1 else np.zeros_like(rows), given]).cumsum(1)
            ends /= ends[:, -1:]  # so that the last end is 1 exactly
            cells = (ends <= random.random((len(rows), 1))).sum(1)
            for variable, own in zip(
                clique.variables[shared:], np.unravel_index(cells, clique.shape[shared:]), strict=True
            ):
                states[:, variable] = own
        return states

    def _pass_up(self, tables: Sequence[Numbers]) -> list[Numbers]:
        """Fill the cliques, each with its own tables and the messages of its children; return all messages."""
        tree = self._tree
        incoming: list[list[Numbers]] = [[] for _ in tree.cliques]
        messages: list[Numbers] = []
        for number, clique in enumerate(tree.cliques):
            factors = [tables[i].transpose(axes).reshape(shape) for i, axes, shape in tree.assigned[number]]
            table = self._product([*factors, *incoming[number]], clique.shape)
            incoming[number].clear()
            self._tables.append(table)
            if clique.parent is None:
                self.logs += _logs(table.reshape(len(table), -1).sum(axis=1))
                messages.append(None)
                continue
            message = table.reshape(len(table), clique.separator_size, -1).sum(axis=2)
            message, exponents = rescaled(message)
            self._exponents += exponents
            messages.append(message)
            incoming[clique.parent].append(message.reshape(tree.message_shapes[number]))
        return messages

    def _product(self, factors: Sequence[Numbers], shape: tuple[int, ...]) -> Numbers:
        """The product of a clique's tables, which broadcast to its shape."""
        if not factors:
            whole = np.ones((1, *shape))
            return Wide.of(whole) if self._wide else whole
        product = factors[0]
        for place, factor in enumerate(factors[1:], 1):
            product = product * factor if place == 1 else times(product, factor)
            if place % _RESCALED == 0:
                product, exponents = rescaled(product)
                self._exponents += exponents
        if product.shape[1:] == shape and len(factors) > 1:
            return product
        whole = np.ones((1, *shape))
        return product * (Wide.of(whole) if self._wide else whole)  # a copy: the argument must not change

    def _pass_down(self, messages: Sequence[Numbers]) -> None:
        """Make neighbours agree on their common variables, from the roots on."""
        for number in reversed(range(len(self._tables))):
            clique = self._tree.cliques[number]
            if clique.parent is None:
                continue
            shared = clique.variables[: clique.separator.bit_count()]
            summed, order = self._tree.axes(clique.parent, shared)
            wanted = self._tables[clique.parent].sum(axis=summed).transpose(order)
            wanted, _ = rescaled(wanted.reshape(len(wanted), -1))
            message = messages[number]
            if len(message) < len(wanted):
                message = message[np.zeros(len(wanted), np.int64)]
            elif len(wanted) < len(message):
                wanted = wanted[np.zeros(len(message), np.int64)]
            ratio, _ = rescaled(quotient(wanted, message))  # where the message is 0, so is the table
            table = self._tables[number]
            product = times(table.reshape(len(table), clique.separator_size, -1), ratio.reshape(*ratio.shape, 1))
            self._tables[number] = product.reshape(len(product), *clique.shape)


def cheapest_order(factors: Factors) -> list[int]:
    """The elimination order of the unknown variables with the smallest known clique tables."""
    states = factors.network.states
    assert states is not None
    whole = Network(factors.dag, {name: states[name] for name in factors.dag.variables})
    order = inference_cost(whole).elimination_order
    return [factors.number[name] for name in order if factors.number[name] not in factors.known]


class JunctionTree:
    """The tree of the tables that a query of a network needs."""

    def __init__(self, factors: Factors, order: Sequence[int]) -> None:
        self._factors = factors
        self._tree = CliqueTree(factors.scopes, factors.sizes, order)
        self._calibrated: Calibrated | None = None

    @classmethod
    def of(cls, factors: Factors) -> JunctionTree:
        """The tree of the cheapest known elimination order."""
        return cls(factors, cheapest_order(factors))

    def fits(self, limits: TableLimits) -> bool:
        """Whether the clique tables are within the limits."""
        return self._tree.fits(limits)

    def check(self, limits: TableLimits) -> None:
        """Refuse clique tables over the limits."""
        if not self.fits(limits):
            refuse(self._factors, self._tree.widest, max(self._tree.sizes), sum(self._tree.sizes), limits)

    def calibrate(self) -> None:
        """Fill the clique tables."""
        self._calibrated = self._tree.calibrated([table[np.newaxis] for table in self._factors.tables])
        if self._calibrated.logs[0] == -math.inf:
            raise self._factors.findings.impossible()

    def holds(self, variables: Iterable[str]) -> bool:
        """Whether one clique has all of these variables."""
        free = self._free(variables)
        return not free or self._tree.smallest(free) is not None

    def marginal(self, variables: Sequence[str]) -> Table:
        """The joint distribution of variables that are in one clique: an axis for each."""
        assert self._calibrated is not None
        factors = self._factors
        numbers = [factors.number[name] for name in variables]
        free = self._free(variables)
        joint: Any = self._calibrated.joint(free)[0] if free else 1.0
        answer = np.zeros([factors.sizes[i] for i in numbers])
        answer[tuple(factors.known.get(i, slice(None)) for i in numbers)] = joint
        return answer

    def _free(self, variables: Iterable[str]) -> list[int]:
        numbers = (self._factors.number[name] for name in variables)
        return [i for i in numbers if i not in self._factors.known]


def _place(states: npt.NDArray[np.int64], shape: Sequence[int]) -> npt.NDArray[np.int64]:
    """The number of each row's cell in a table of this shape."""
    place = np.zeros(len(states), np.int64)
    for axis, size in enumerate(shape):
        place = place * size + states[:, axis]
    return place


def _logs(numbers: Numbers) -> Table:
    if isinstance(numbers, Wide):
        return numbers.logs()
    with np.errstate(divide="ignore"):
        return np.log(numbers)  # type: ignore[no-any-return]


def _cliques_along(order: Sequence[int], graph: Sequence[int]) -> tuple[list[_Clique], dict[int, _Clique]]:
    """The maximal cliques, children before parents, and for each variable the clique in which it is eliminated."""
    cliques: list[_Clique] = []
    home: dict[int, _Clique] = {}
    left_over: dict[int, _Clique] = {}
    for place, (variable, members) in enumerate(eliminated(graph, order)):
        separator = members ^ 1 << variable
        # A clique lies within another exactly if it is the rest of an earlier elimination's clique.
        clique = left_over.pop(members, None)
        if clique is None:
            clique = _Clique(members, separator, place)
            cliques.append(clique)
        clique.separator, clique.last = separator, place
        home[variable] = left_over[separator] = clique
    if cliques:  # the last one has all remaining variables
        root = home[variable]
        root.separator, root.last = 0, len(order)
        home.update(dict.fromkeys((i for i in order if i not in home), root))
    cliques.sort(key=lambda clique: clique.last)
    return cliques, home
