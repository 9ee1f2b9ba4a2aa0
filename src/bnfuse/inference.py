"""Exact inference: probabilities of variables given evidence.

Two ways, for two questions. `query` gives one joint distribution: it drops the variables that cannot matter (barren
ones), cuts the evidence out of the tables and contracts what is left pair by pair (opt_einsum's tensor networks), along
an elimination order or along opt_einsum's own path, whichever needs the smaller tables. `JunctionTree` gives many
marginals at once: the clique tables of an elimination order, calibrated by one pass up and one pass down the tree
(Lauritzen and Spiegelhalter 1988; Jensen, Lauritzen and Olesen 1990).

Both know the sizes of their tables before they compute anything, and refuse what is over the limits.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from bnfuse import _kernel
from bnfuse._errors import EvidenceError, OptionError, TooLargeError
from bnfuse.cliques import inference_cost
from bnfuse.dag import DAG
from bnfuse.limits import DEFAULT_LIMITS, Limits, fitting_clique, shown_names, shown_remedy, shown_size
from bnfuse.network import Network, Table

Codes = npt.NDArray[np.signedinteger[Any]]
Evidence = Mapping[str, str]
"""The observed state of some variables, by label."""

_RESCALED = 16  # after so many multiplications: a long product of small numbers would end at 0
_BATCH = 1 << 20  # numbers in a table that holds a clique for many rows at once


def query(
    network: Network, variables: Iterable[str], given: Evidence | None = None, limits: Limits = DEFAULT_LIMITS
) -> Table:
    """The joint distribution of some variables, given evidence: one axis for each variable, in the order asked.

    The evidence is a mapping from variables to labels of their states. A variable of the evidence that is asked for has
    its observed state for sure.
    """
    asked = _asked(network, variables)
    factors = _Factors.of(network, asked, _codes(network, given))
    plan = factors.plan(asked)
    plan.check(factors, limits)
    return factors.contracted(plan, asked, given)


def cost(network: Network, variables: Iterable[str], given: Evidence | None = None) -> QueryCost:
    """What `query` will need, without computing it."""
    asked = _asked(network, variables)
    factors = _Factors.of(network, asked, _codes(network, given))
    plan = factors.plan(asked)
    return QueryCost(plan.largest, plan.peak, plan.operations)


@dataclass(frozen=True, slots=True)
class QueryCost:
    """The work of one query."""

    largest: int
    """numbers in the largest table, given or intermediate"""
    peak: int
    """numbers in all tables that are there at the same time"""
    operations: int
    """multiplications"""


def marginals(
    network: Network,
    variables: Iterable[str] | None = None,
    given: Evidence | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> dict[str, Table]:
    """The distribution of each variable (or of those asked for) by itself, given evidence, from one calibrated tree.

    Where the clique tables of the tree are over the limits, each variable gets a query of its own.
    """
    asked = network.variables if variables is None else _asked(network, variables)
    codes = _codes(network, given)
    tree = JunctionTree.of(_Factors.of(network, asked, codes))
    if not tree.fits(limits):
        return {variable: query(network, [variable], given, limits) for variable in asked}
    tree.calibrate(given)
    return {variable: tree.marginal([variable]) for variable in asked}


def log_likelihood(network: Network, codes: Codes, limits: Limits = DEFAULT_LIMITS) -> float:
    """The log-probability of independent rows: states by number, in the order of the variables, -1 where missing."""
    factors = _Factors.of(network, network.variables, _codes(network, None))
    tree = JunctionTree.of(factors)
    tree.check(limits)
    distinct, counts = np.unique(codes, axis=0, return_counts=True)
    return float(tree.log_likelihoods(distinct) @ counts)


def check_inference(dag: DAG, states: Mapping[str, tuple[str, ...]], limits: Limits = DEFAULT_LIMITS) -> None:
    """Refuse a structure whose clique tables would be over the limits."""
    found = inference_cost(Network(dag, states))
    if not limits.allow(found.largest, found.total):
        fits = fitting_clique([len(states[name]) for name in dag.variables], limits)
        problem = f"inference needs clique tables of {shown_size(found.total)} numbers, the largest of "
        problem += f"{shown_size(found.largest)}; the limit is {limits.table:,} in one table"
        raise TooLargeError(f"{problem}; {shown_remedy(fits)}", None, dag.variables, found.largest, fits)


def _asked(network: Network, variables: Iterable[str]) -> tuple[str, ...]:
    if isinstance(variables, str) or not isinstance(variables, Iterable):
        raise OptionError(f"expected a list of variables, got {variables!r:.60}")
    asked = tuple(variables)
    if not asked:
        raise OptionError("expected at least one variable to ask for")
    _check_known(network, asked)
    if len(set(asked)) < len(asked):
        twice = next(variable for variable in asked if asked.count(variable) > 1)
        raise OptionError(f"variable {twice!r} is asked for twice")
    return asked


def _check_known(network: Network, names: Iterable[str]) -> None:
    known = frozenset(network.variables)
    if unknown := [name for name in names if name not in known]:
        raise EvidenceError(
            f"{_called(network)} has no variable {unknown[0]!r}; it has {shown_names(network.variables)}"
        )


def _codes(network: Network, given: Evidence | None) -> dict[str, int]:
    """The evidence as numbers of states."""
    if network.cpts is None or network.states is None:
        raise OptionError(f"{_called(network)} has no tables to reason with; fit it to data, or pool its inputs")
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise OptionError(f"evidence must be a mapping from variables to states, got {given!r:.60}")
    _check_known(network, given)
    codes = {}
    for variable, label in given.items():
        labels = network.states[variable]
        if label not in labels:
            raise EvidenceError(f"variable {variable!r} has no state {label!r}; its states are {shown_names(labels)}")
        codes[variable] = labels.index(label)
    return codes


def _called(network: Network) -> str:
    return f"network {network.name!r}" if network.name else "the network"


def _impossible(given: Evidence | None) -> EvidenceError:
    evidence = [f"{variable} = {label}" for variable, label in (given or {}).items()]
    return EvidenceError(f"the evidence {shown_names(evidence)} has probability 0 in this network")


@dataclass(frozen=True)
class _Factors:
    """The tables that a question needs, with the evidence cut out of them. Variables are numbers.

    Variables whose state is known, by the evidence or because they have but one, have no axis.
    """

    network: Network
    dag: DAG
    """of the variables that matter, without the arcs out of known ones: its moral graph joins what the tables join"""
    sizes: list[int]
    """of all variables"""
    known: dict[int, int]
    """the number of the state of each known variable"""
    scopes: list[tuple[int, ...]]
    tables: list[Table]

    @classmethod
    def of(cls, network: Network, asked: Iterable[str], evidence: Mapping[str, int]) -> _Factors:
        """What matters for some variables: themselves, the evidence, and the ancestors of both."""
        dag, states, cpts = network.dag, network.states, network.cpts
        assert states is not None
        assert cpts is not None
        number = {name: i for i, name in enumerate(dag.variables)}
        sizes = [len(states[name]) for name in dag.variables]
        known = {i: 0 for i, size in enumerate(sizes) if size == 1}
        known |= {number[name]: code for name, code in evidence.items()}
        relevant: set[str] = set()
        waiting = [*asked, *evidence]
        while waiting:
            if (name := waiting.pop()) not in relevant:
                relevant.add(name)
                waiting.extend(dag.parents(name))
        scopes, tables, arcs = [], [], []
        for name in dag.variables:
            if name not in relevant:
                continue
            family = [number[member] for member in (*dag.parents(name), name)]
            if any(member in known for member in family):
                tables.append(cpts[name][tuple(known.get(member, slice(None)) for member in family)])
            else:
                tables.append(cpts[name])
            scopes.append(tuple(member for member in family if member not in known))
            arcs += [(dag.variables[parent], name) for parent in family[:-1] if parent not in known]
        kept = [name for name in dag.variables if name in relevant]
        return cls(network, DAG(kept, arcs), sizes, known, scopes, tables)

    @property
    def names(self) -> tuple[str, ...]:
        """Of all variables, by their numbers."""
        return self.network.variables

    @cached_property
    def number(self) -> dict[str, int]:
        """The number of each variable."""
        return {name: i for i, name in enumerate(self.names)}

    def hidden(self, order: Iterable[int]) -> list[int]:
        """An elimination order of `dag`, as numbers of all variables, without the known ones."""
        numbers = (self.number[self.dag.variables[i]] for i in order)
        return [i for i in numbers if i not in self.known]

    def plan(self, asked: Sequence[str]) -> _Plan:
        """How to contract the tables to the variables asked for: the way with the smallest tables."""
        from opt_einsum import paths  # type: ignore[import-untyped]  # noqa: PLC0415 - keeps the start fast

        output = frozenset(self.number[name] for name in asked) - self.known.keys()
        order = self.hidden(_kernel.triangulate(self.dag.rows, "min-fill", 0)[2])
        eliminated = [i for i in order if i not in output]
        sets = [frozenset(scope) for scope in self.scopes]
        sizes = dict(enumerate(self.sizes))
        own = _Plan.of(sets, output, self.sizes, _path_along(eliminated, sets, self.sizes))
        other = _Plan.of(sets, output, self.sizes, paths.auto(sets, output, sizes))
        return min(own, other, key=lambda plan: (plan.largest, plan.operations))

    def contracted(self, plan: _Plan, asked: Sequence[str], given: Evidence | None) -> Table:
        """The normalised product of all tables, summed over what is not asked for."""
        tables, scopes = list(self.tables), list(self.scopes)
        for places, result in plan.steps:
            chosen = [(tables.pop(i), scopes.pop(i)) for i in sorted(places, reverse=True)]
            table = _einsum(chosen, result)
            largest = table.max()
            if largest == 0:
                raise _impossible(given)
            tables.append(table / largest)  # or a long product of small numbers would end at 0
            scopes.append(result)
        ((table, scope),) = zip(tables, scopes, strict=True)
        total = table.sum()
        if total == 0:
            raise _impossible(given)
        numbers = [self.number[name] for name in asked]
        free = [i for i in numbers if i not in self.known]
        answer = np.zeros([self.sizes[i] for i in numbers])
        answer[tuple(self.known.get(i, slice(None)) for i in numbers)] = (
            table.transpose([scope.index(i) for i in free]) / total
        )
        return answer


@dataclass(frozen=True)
class _Plan:
    """The steps of a contraction: the places of the tables that each takes, and the variables of the one it gives."""

    steps: list[tuple[tuple[int, ...], tuple[int, ...]]]
    largest: int
    widest: frozenset[int]
    """the variables of the largest table"""
    peak: int
    operations: int

    @classmethod
    def of(
        cls,
        scopes: Sequence[frozenset[int]],
        output: frozenset[int],
        sizes: Sequence[int],
        path: Iterable[tuple[int, ...]],
    ) -> _Plan:
        """What a path costs. A variable that no other table has, and that is not asked for, is summed out."""

        def size_of(scope: Iterable[int]) -> int:
            return math.prod(sizes[i] for i in scope)

        current = list(scopes)
        holders = dict.fromkeys(output, 1)
        for scope in current:
            for i in scope:
                holders[i] = holders.get(i, 0) + 1
        widest = max((*current, output), key=size_of)
        largest = size_of(widest)
        live = peak = sum(map(size_of, current))
        operations = 0
        steps = []
        for step in path:
            places = tuple(sorted(step))
            taken = [current.pop(i) for i in reversed(places)]
            joined = frozenset().union(*taken)
            for scope in taken:
                for i in scope:
                    holders[i] -= 1
            result = frozenset(i for i in joined if holders[i])
            for i in result:
                holders[i] += 1
            current.append(result)
            size = size_of(result)
            if size > largest:
                largest, widest = size, result
            peak = max(peak, live + size)
            live += size - sum(map(size_of, taken))
            operations += size_of(joined)
            steps.append((places, tuple(sorted(result))))
        return cls(steps, largest, widest, peak, operations)

    def check(self, factors: _Factors, limits: Limits) -> None:
        """Refuse tables over the limits."""
        if not limits.allow(self.largest, self.peak):
            _refuse(factors, self.widest, self.largest, self.peak, limits)


def _refuse(factors: _Factors, widest: Iterable[int], largest: int, total: int, limits: Limits) -> None:
    names = tuple(factors.names[i] for i in sorted(widest))
    problem = f"inference needs a table of {shown_size(largest)} numbers over {shown_names(names)}"
    if largest > limits.table:
        problem += f"; the limit is {limits.table:,}"
    else:
        problem += f", and {shown_size(total)} in all; the limit is {limits.total // 8:,} in all"
    fits = fitting_clique(factors.sizes, limits)
    raise TooLargeError(f"{problem}; {shown_remedy(fits)}", None, names, largest, fits)


def _path_along(order: Iterable[int], scopes: Sequence[frozenset[int]], sizes: Sequence[int]) -> list[tuple[int, ...]]:
    """The path that sums out the variables in this order: each time the tables that have it, the smallest first."""
    current = dict(enumerate(scopes))
    holders: dict[int, set[int]] = {}
    for key, scope in current.items():
        for i in scope:
            holders.setdefault(i, set()).add(key)
    following = len(current)
    by_key: list[tuple[int, ...]] = []

    def join(keys: tuple[int, ...], summed: int | None) -> int:
        nonlocal following
        scope = frozenset().union(*(current.pop(key) for key in keys))
        for i in scope:
            holders[i].difference_update(keys)
        scope -= {summed}
        for i in scope:
            holders[i].add(following)
        current[following] = scope
        by_key.append(keys)
        following += 1
        return following - 1

    def smallest_first(keys: Iterable[int]) -> list[int]:
        return sorted(keys, key=lambda key: (math.prod(sizes[i] for i in current[key]), key))

    for variable in order:
        keys = smallest_first(holders[variable])
        if len(keys) == 1:
            join((keys[0],), variable)
            continue
        made = keys[0]
        for key in keys[1:-1]:
            made = join((made, key), None)
        join((made, keys[-1]), variable)
    remaining = smallest_first(current)
    while len(remaining) > 1:
        made = join((remaining[0], remaining[1]), None)
        remaining[:2] = [made]
    return _as_places(by_key, len(scopes))


def _as_places(steps: Iterable[tuple[int, ...]], count: int) -> list[tuple[int, ...]]:
    """Steps by key (tables are numbered as they come) as places in the list that a step shortens and appends to."""
    keys = list(range(count))
    path = []
    for number, step in enumerate(steps, count):
        path.append(tuple(sorted(keys.index(key) for key in step)))
        keys = [key for key in keys if key not in step]
        keys.append(number)
    return path


def _einsum(operands: Sequence[tuple[Table, tuple[int, ...]]], result: tuple[int, ...]) -> Table:
    """The product of tables, summed over the variables that are not in the result."""
    # numpy has few labels, a network has many variables
    label = {i: place for place, i in enumerate(dict.fromkeys(i for _, scope in operands for i in scope))}
    arguments: list[Any] = []
    for table, scope in operands:
        arguments += [table, [label[i] for i in scope]]
    product: Table = np.einsum(*arguments, [label[i] for i in result])
    return product


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

    def __init__(self, factors: _Factors, order: Sequence[int]) -> None:
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
    def of(cls, factors: _Factors) -> JunctionTree:
        """The tree of the cheapest known elimination order."""
        whole = Network(factors.dag, {name: factors.network.states[name] for name in factors.dag.variables})  # type: ignore[index]
        order = inference_cost(whole).elimination_order
        return cls(factors, [factors.number[name] for name in order if factors.number[name] not in factors.known])

    @property
    def sizes(self) -> list[int]:
        """The numbers in each clique table."""
        return [math.prod(clique.shape) for clique in self._cliques]

    def fits(self, limits: Limits) -> bool:
        """Whether the clique tables are within the limits."""
        sizes = self.sizes
        return limits.allow(max(sizes, default=1), sum(sizes))

    def check(self, limits: Limits) -> None:
        """Refuse clique tables over the limits."""
        if not self.fits(limits):
            largest = max(self._cliques, key=lambda clique: math.prod(clique.shape))
            _refuse(self._factors, largest.variables, math.prod(largest.shape), sum(self.sizes), limits)

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
                raise _impossible(given)
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
        return self._smallest(self._bits_of(variables)) is not None

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
        holding = (clique for clique in self._cliques if wanted & ~clique.members == 0)
        return min(holding, key=lambda clique: math.prod(clique.shape), default=None)

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
                raise _impossible(given)

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


class Families:
    """The joint distributions of many small sets of variables in one network.

    Sets within a clique are read off one calibrated tree; each of the others is a query of its own.
    """

    def __init__(self, network: Network, families: Iterable[Sequence[str]], limits: Limits = DEFAULT_LIMITS) -> None:
        self._network, self._limits = network, limits
        wanted = {name for family in families for name in family}
        tree = JunctionTree.of(_Factors.of(network, wanted, _codes(network, None)))
        self._tree = tree if tree.fits(limits) else None
        if self._tree is not None:
            self._tree.calibrate()

    def joint(self, family: Sequence[str]) -> Table:
        """The joint distribution of one of the sets."""
        if self._tree is not None and self._tree.holds(family):
            return self._tree.marginal(family)
        return query(self._network, family, None, self._limits)
