"""The tables that a query of a network needs, and the cheapest way to multiply and sum them.

Irrelevant (barren) variables are dropped and the tables are reduced to the evidence. The remaining tables are
contracted pair by pair, along an elimination order or along opt_einsum's own path, whichever needs the smaller tables.
The size of every table is known before it is built.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NoReturn, TypeAlias

import numpy as np

from bnfuse import _kernel
from bnfuse.fusion.table_sizes import TableLimits, too_large_to_infer
from bnfuse.graphs.dag import DAG
from bnfuse.graphs.network import Network, Table
from bnfuse.inference.evidence import Findings
from bnfuse.inference.extended_range import Numbers, Wide, stacked

Scope: TypeAlias = tuple[int, ...]
"""The numbers of a table's variables, one for each axis."""

_SMALLEST = float(np.finfo(np.float64).tiny)  # smaller numbers lose digits
_PIECE = 1 << 20  # numbers with their own exponents in one piece of a table
_WORTH_ANOTHER_PLAN = 100_000  # multiplications; fewer are done before opt_einsum has found its path


@dataclass(frozen=True)
class Factors:
    """The tables that a query needs, reduced to the evidence. Variables are numbers.

    Variables whose state is known, from the evidence or because they have only one, have no axis.
    """

    network: Network
    findings: Findings
    dag: DAG
    """of the relevant variables, without the arcs out of known ones: its moral graph joins each table's variables"""
    sizes: list[int]
    """of all variables"""
    known: dict[int, int]
    """the number of the state of each known variable"""
    scopes: list[Scope]
    tables: list[Table]

    @classmethod
    def of(cls, network: Network, asked: Iterable[str], findings: Findings) -> Factors:
        """The variables relevant to some variables: these, the evidence, and the ancestors of both."""
        dag, states, cpts = network.dag, network.states, network.cpts
        assert states is not None
        assert cpts is not None
        number = {name: i for i, name in enumerate(dag.variables)}
        sizes = [len(states[name]) for name in dag.variables]
        known = {i: 0 for i, size in enumerate(sizes) if size == 1}
        known |= {number[name]: code for name, code in findings.codes.items()}
        relevant: set[str] = set()
        waiting = [*asked, *findings.codes, *findings.likelihoods]
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
        for name, likelihood in findings.likelihoods.items():
            if number[name] not in known:
                scopes.append((number[name],))
                tables.append(likelihood)
        kept = [name for name in dag.variables if name in relevant]
        return cls(network, findings, DAG(kept, arcs), sizes, known, scopes, tables)

    def part(self, places: Iterable[int]) -> Factors:
        """The same with only some of the tables."""
        chosen = list(places)
        own = replace(self, scopes=[self.scopes[i] for i in chosen], tables=[self.tables[i] for i in chosen])
        own.__dict__["elimination_order"] = self.elimination_order
        return own

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

    @cached_property
    def elimination_order(self) -> list[int]:
        """A cheap elimination order of the unknown variables, for one contraction."""
        return self.hidden(_kernel.triangulate(self.dag.rows, "min-fill", 0)[2])

    def plan(self, asked: Iterable[str]) -> Plan:
        """The plan with the smallest tables for contracting the tables to the requested variables."""
        output = frozenset(self.number[name] for name in asked) - self.known.keys()
        sets = [frozenset(scope) for scope in self.scopes]
        present = frozenset().union(*sets)
        eliminated = [i for i in self.elimination_order if i in present and i not in output]
        own = Plan.of(sets, output, self.sizes, _steps_along(eliminated, sets, self.sizes))
        if own.operations < _WORTH_ANOTHER_PLAN:
            return own
        # In 25 random queries to barley, mildew, water, munin1 and diabetes, its paths needed a largest table 1.4 to 4
        # times smaller (geometric mean of each network, at most 30) than the best of our own elimination orders.
        from opt_einsum import paths  # type: ignore[import-untyped]  # noqa: PLC0415 - keeps the start fast

        path = paths.auto(sets, output, dict(enumerate(self.sizes)))
        other = Plan.of(sets, output, self.sizes, paths.linear_to_ssa(path))
        return min(own, other, key=lambda plan: (plan.largest, plan.operations))

    def contracted(self, plan: Plan, asked: Sequence[str]) -> Table:
        """The normalised product of all tables, summed over all other variables."""
        product, scope = self.product(plan)
        table = product[np.newaxis].relative()[0] if isinstance(product, Wide) else product
        numbers = [self.number[name] for name in asked]
        free = [i for i in numbers if i not in self.known]
        answer = np.zeros([self.sizes[i] for i in numbers])
        answer[tuple(self.known.get(i, slice(None)) for i in numbers)] = (
            table.transpose([scope.index(i) for i in free]) / table.sum()
        )
        return answer

    def product(self, plan: Plan) -> tuple[Numbers, Scope]:
        """The product of all tables up to a factor, summed as planned, and its variables; Wide if necessary."""
        try:
            return self._product(plan, self.tables)
        except FloatingPointError:
            return self._product(plan, [Wide.of(table) for table in self.tables])

    def _product(self, plan: Plan, tables: Sequence[Numbers]) -> tuple[Numbers, Scope]:
        """The result of a plan's steps; an error if ordinary numbers are not sufficient."""
        waiting = {key: _PartialProduct.of(*part) for key, part in enumerate(zip(tables, self.scopes, strict=True))}
        for made, (taken, result) in enumerate(plan.steps, len(waiting)):
            waiting[made] = _PartialProduct.product([waiting.pop(key) for key in taken], result, self.sizes)
            if waiting[made].largest == 0:
                raise self.findings.impossible()
        (last,) = waiting.values()
        if last.largest == 0:
            raise self.findings.impossible()
        return last.table, last.scope


@dataclass(frozen=True, slots=True)
class _PartialProduct:
    """An intermediate table of a contraction, and a lower bound for its numbers other than 0."""

    table: Numbers
    scope: Scope
    least: float
    largest: float

    @classmethod
    def of(cls, table: Numbers, scope: Scope) -> _PartialProduct:
        """A given table."""
        if isinstance(table, Wide):
            return cls(table, scope, 1.0, float(table.fractions.max()))
        plain = np.asarray(table)
        least = plain.min(where=plain > 0, initial=1.0)
        return cls(plain, scope, float(least), float(plain.max()))

    @classmethod
    def product(cls, parts: Sequence[_PartialProduct], result: Scope, sizes: Sequence[int]) -> _PartialProduct:
        """The product of one or two tables, summed over the variables that are not in the result."""
        if any(isinstance(part.table, Wide) for part in parts):
            wide = _wide_product([(part.table, part.scope) for part in parts], result, sizes)
            return cls.of(wide, result)
        if math.prod(part.least for part in parts) < _SMALLEST:
            # perhaps only the bounds are that small
            parts = [cls.of(part.table, part.scope) for part in parts]
            if math.prod(part.least for part in parts) < _SMALLEST:
                raise FloatingPointError("a product of two numbers would become 0")
        table = _einsum([(part.table, part.scope) for part in parts], result)
        largest = float(table.max())
        if largest > 0:
            table /= largest  # or a long product of small numbers would end at 0
        return cls(table, result, math.prod(part.least for part in parts) / max(largest, 1.0), largest)


@dataclass(frozen=True)
class Plan:
    """The steps of a contraction: the tables that each one multiplies, and the variables of its result.

    Tables are numbered: first the given ones, then the results of the steps.
    """

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
        steps: Iterable[Sequence[int]],
    ) -> Plan:
        """The cost of steps. A variable that is in no other table, and not requested, is summed out."""

        def size_of(scope: Iterable[int]) -> int:
            return math.prod(sizes[i] for i in scope)

        current = dict(enumerate(scopes))
        holders = dict.fromkeys(output, 1)
        for scope in scopes:
            for i in scope:
                holders[i] = holders.get(i, 0) + 1
        widest = max((*scopes, output), key=size_of)
        largest = size_of(widest)
        live = peak = sum(map(size_of, scopes))
        operations = 0
        known = []
        for made, step in enumerate(steps, len(scopes)):
            taken = [current.pop(key) for key in step]
            joined = frozenset().union(*taken)
            for scope in taken:
                for i in scope:
                    holders[i] -= 1
            result = frozenset(i for i in joined if holders[i])
            for i in result:
                holders[i] += 1
            current[made] = result
            size = size_of(result)
            if size > largest:
                largest, widest = size, result
            peak = max(peak, live + size)
            live += size - sum(map(size_of, taken))
            operations += size_of(joined)
            known.append((tuple(step), tuple(sorted(result))))
        return cls(known, largest, widest, peak, operations)

    def check(self, factors: Factors, limits: TableLimits) -> None:
        """Refuse tables over the limits."""
        if not limits.allow(self.largest, self.peak):
            refuse(factors, self.widest, self.largest, self.peak, limits)


def refuse(factors: Factors, widest: Iterable[int], largest: int, total: int, limits: TableLimits) -> NoReturn:
    """Report which table is too large, and what would fit."""
    names = tuple(factors.names[i] for i in sorted(widest))
    raise too_large_to_infer(names, factors.sizes, largest, total, limits)


def _steps_along(order: Iterable[int], scopes: Sequence[frozenset[int]], sizes: Sequence[int]) -> list[tuple[int, ...]]:
    """The steps that sum out the variables in this order: each multiplies the variable's tables, smallest first."""
    current = dict(enumerate(scopes))
    holders: dict[int, set[int]] = {}
    for key, scope in current.items():
        for i in scope:
            holders.setdefault(i, set()).add(key)
    steps: list[tuple[int, ...]] = []

    def join(keys: tuple[int, ...], summed: int | None) -> int:
        made = len(scopes) + len(steps)
        scope = frozenset().union(*(current.pop(key) for key in keys))
        for i in scope:
            holders[i].difference_update(keys)
        scope -= {summed}
        for i in scope:
            holders[i].add(made)
        current[made] = scope
        steps.append(keys)
        return made

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
    return steps


def _einsum(operands: Sequence[tuple[Table, tuple[int, ...]]], result: tuple[int, ...]) -> Table:
    """The product of tables, summed over the variables that are not in the result."""
    # numpy has few labels, and a network has many variables
    label = {i: place for place, i in enumerate(dict.fromkeys(i for _, scope in operands for i in scope))}
    arguments: list[Any] = []
    for table, scope in operands:
        arguments += [table, [label[i] for i in scope]]
    product: Table = np.einsum(*arguments, [label[i] for i in result])
    return product


def _wide_product(operands: Sequence[tuple[Wide, Scope]], result: Scope, sizes: Sequence[int]) -> Wide:
    """Like `_einsum`, piece by piece: all products exist before they are summed."""
    axes = sorted(
        {i for _, scope in operands for i in scope},
        key=lambda i: (i not in result, result.index(i) if i in result else i),
    )
    if math.prod(sizes[i] for i in axes) > _PIECE:
        cut = max(axes, key=lambda i: sizes[i])
        pieces = []
        for state in range(sizes[cut]):
            parts = [
                (table[tuple(state if i == cut else slice(None) for i in scope)], tuple(i for i in scope if i != cut))
                for table, scope in operands
            ]
            pieces.append(_wide_product(parts, tuple(i for i in result if i != cut), sizes))
        axis = result.index(cut) if cut in result else 0
        whole = stacked(pieces, axis)
        return whole if cut in result else whole.sum(axis=0)
    product = None
    for table, scope in operands:
        order = sorted(range(len(scope)), key=lambda axis: axes.index(scope[axis]))
        shaped = table.transpose(order).reshape([sizes[i] if i in scope else 1 for i in axes])
        product = shaped if product is None else product * shaped
    assert product is not None
    return product.sum(axis=tuple(range(len(result), len(axes))))
