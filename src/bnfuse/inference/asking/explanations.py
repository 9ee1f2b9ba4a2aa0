"""The most probable states of variables, together: the k best, exactly.

The other variables are summed out first; each connected part of them becomes one table. The rest is maximised in a
junction tree (Dawid 1992). There, log probabilities are sums of whole numbers (logarithms in fixed point), so a sum
does not depend on its order. After one pass up the tree, each cell of a clique table holds the best value that the tree
below can reach. So the best explanation is read off from the roots. The next ones are found by splitting the remaining
explanations: those that agree with it up to a clique and differ in that clique (Lawler 1972; Nilsson 1998).
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, TypeAlias

import numpy as np
import numpy.typing as npt

from bnfuse._base.options import at_least
from bnfuse._base.public import public
from bnfuse._base.texts import listed, shown_number
from bnfuse.errors import TooLargeError
from bnfuse.fusion.elimination import joined, smallest_table_first
from bnfuse.fusion.table_sizes import DEFAULT_LIMITS, NUMBER_BYTES, TableLimits
from bnfuse.graphs.network import Network, Table
from bnfuse.inference.asking.beliefs import settled
from bnfuse.inference.evidence import Beliefs, Evidence, Interventions, check_tables, states_of
from bnfuse.inference.extended_range import Numbers, Wide, is_wide
from bnfuse.inference.factors import Factors, Plan, Scope
from bnfuse.inference.junction_tree import CliqueTree, JunctionTree, cheapest_order
from bnfuse.inference.queries import asked_of

MOST = 100
"""the most explanations in one answer"""

_IMPOSSIBLE = -(2**62)  # the logarithm of 0: two of them can still be added
_BITS = 60  # of the logarithm of a whole explanation
_FINEST = 48  # bits after the binary point: finer ones are rounding errors of the logarithms

Points: TypeAlias = npt.NDArray[np.int64]
"""Logarithms in fixed point."""


@public
@dataclass(frozen=True, slots=True)
class Explanation:
    """States of several variables together, and how probable they are.

    Attributes
    ----------
    states
        The state of each variable.
    probability
        The probability of these states, given the findings; 0 if it is too small to represent.
    log_probability
        Its natural logarithm.

    Examples
    --------
    >>> import bnfuse
    >>> coin = bnfuse.Network(bnfuse.DAG(["Coin"]), {"Coin": ("heads", "tails")}, {"Coin": [0.75, 0.25]})
    >>> best, = coin.most_probable()
    >>> best.states, round(best.probability, 4)
    ({'Coin': 'heads'}, 0.75)
    """

    states: Mapping[str, str]
    probability: float
    log_probability: float


def most_probable(
    network: Network,
    given: Evidence | None = None,
    of: Iterable[str] | None = None,
    k: int = 1,
    limits: TableLimits = DEFAULT_LIMITS,
    *,
    beliefs: Beliefs | None = None,
    do: Interventions | None = None,
) -> tuple[Explanation, ...]:
    """The k most probable states of some variables, or of all whose states are not known; fewer if there are no more.

    Equally probable ones are ordered by their states, variable by variable.
    """
    wanted = at_least("k", k, 1, MOST)
    check_tables(network)
    asked = None if of is None else asked_of(network, of)
    whole, findings = settled(network, given, beliefs, do, limits)
    if asked is None:
        asked = tuple(name for name in whole.variables if name not in findings.codes)
    factors = Factors.of(whole, asked, findings)
    kept = {factors.number[name] for name in asked} - factors.known.keys()
    hidden = {i for scope in factors.scopes for i in scope} - kept
    parts = _Parts(factors, hidden, limits) if hidden else None
    scopes = factors.scopes if parts is None else parts.scopes
    graph = joined(scopes, len(factors.sizes))
    order = cheapest_order(factors) if parts is None else _order(graph, kept, factors.sizes)
    tree = CliqueTree([scope for scope in scopes if scope], factors.sizes, order)
    if parts is None:
        JunctionTree(factors, order).check(limits)
    elif not limits.allow(max(tree.sizes, default=1), sum(tree.sizes) + parts.numbers):
        _refuse(factors, tree.widest, max(tree.sizes), sum(tree.sizes) + parts.numbers, limits)
    tables = [table[np.newaxis] for table in (factors.tables if parts is None else parts.tables())]
    if any(not scope and not _largest(table) for table, scope in zip(tables, scopes, strict=True)):
        raise findings.impossible()
    best = _Best(tree, [table for table, scope in zip(tables, scopes, strict=True) if scope])
    if best.log_total == -math.inf:
        raise findings.impossible()
    codes = [(factors.number[name], states_of(whole, name)) for name in asked]
    found = []
    for score, states in best.first(wanted):
        places = [factors.known.get(i, int(states[i])) for i, _ in codes]
        found.append((-score, places, best.log_probability(states)))
    return tuple(
        Explanation(
            {name: labels[place] for name, (_, labels), place in zip(asked, codes, places, strict=True)},
            math.exp(log),
            log,
        )
        for _, places, log in sorted(found, key=lambda one: one[:2])
    )


class _Parts:
    """The tables that remain when some variables are summed out: one for each connected part of these."""

    def __init__(self, factors: Factors, hidden: set[int], limits: TableLimits) -> None:
        self._untouched = [place for place, scope in enumerate(factors.scopes) if not hidden.intersection(scope)]
        self._factors = factors
        self._plans: list[tuple[Factors, Plan]] = []
        for places in _connected(factors.scopes, hidden):
            own = factors.part(places)
            around = sorted({i for scope in own.scopes for i in scope} - hidden)
            self._plans.append((own, own.plan([factors.names[i] for i in around])))
        self.numbers = sum(math.prod(factors.sizes[i] for i in scope) for scope in self.scopes)
        for _, plan in self._plans:
            if not limits.allow(plan.largest, plan.peak + self.numbers):
                _refuse(factors, plan.widest, plan.largest, plan.peak + self.numbers, limits)

    @property
    def scopes(self) -> list[Scope]:
        """The scopes of the tables, which are not computed yet."""
        made = [plan.steps[-1][1] if plan.steps else own.scopes[0] for own, plan in self._plans]
        return [*(self._factors.scopes[place] for place in self._untouched), *made]

    def tables(self) -> list[Numbers]:
        """The tables of `scopes`, each up to a factor."""
        made = [own.product(plan)[0] for own, plan in self._plans]
        return [*(self._factors.tables[place] for place in self._untouched), *made]


def _connected(scopes: Sequence[Scope], hidden: set[int]) -> list[list[int]]:
    """The tables with hidden variables, in groups that share none of these; groups are ordered by their first table."""
    group: dict[int, list[int]] = {}
    for place, scope in enumerate(scopes):
        own = [i for i in scope if i in hidden]
        if not own:
            continue
        together = {id(group[i]): group[i] for i in own if i in group}
        merged = sorted({place, *(other for one in together.values() for other in one)})
        for member in {i for other in merged for i in scopes[other] if i in hidden}:
            group[member] = merged
    return sorted({id(one): one for one in group.values()}.values())


def _order(graph: Sequence[int], kept: set[int], sizes: Sequence[int]) -> list[int]:
    return [i for i in smallest_table_first(graph, sizes) if i in kept]


def _refuse(factors: Factors, widest: Iterable[int], largest: int, total: int, limits: TableLimits) -> NoReturn:
    names = tuple(factors.names[i] for i in sorted(widest))
    problem = f"summing out the other variables needs a table of {shown_number(largest)} numbers over {listed(names)}"
    if largest > limits.table:
        problem += f"; the limit is {limits.table:,}"
    else:
        problem += f", and {shown_number(total)} in all; the limit is {limits.total // NUMBER_BYTES:,} in all"
    raise TooLargeError(f"{problem}; ask for fewer variables, or for all of them", None, names, largest, 0)


def _largest(table: Numbers) -> float:
    return float((table.fractions if isinstance(table, Wide) else table).max())


@dataclass(frozen=True, slots=True)
class _Found:
    """An explanation, and where it first differs from the one from which it was derived."""

    states: list[int]
    score: int
    place: int
    """the number of the clique, from the roots on"""
    rank: int
    """the rank of its cell there among those with the same separator"""


class _Best:
    """A tree in which each cell of a clique has the best value that it and all cliques below it can reach."""

    def __init__(self, tree: CliqueTree, tables: Sequence[Numbers]) -> None:
        wide = is_wide(tables)
        numbers = [table if isinstance(table, Wide) or not wide else Wide.of(table) for table in tables]
        self._tree = tree
        self.log_total = float(tree.calibrated(numbers, down=False).logs[0])
        self._logs = [_logs_of_2(table) for table in numbers]
        points = _in_fixed_point(self._logs)
        self._tables: list[Points] = []
        self._best = 0
        incoming: list[list[Points]] = [[] for _ in tree.cliques]
        for number, clique in enumerate(tree.cliques):
            table = np.zeros((1, *clique.shape), np.int64)
            own = (points[i].transpose(axes).reshape(shape) for i, axes, shape in tree.assigned[number])
            for part in (*own, *incoming[number]):
                table += part
                np.maximum(table, _IMPOSSIBLE, out=table)
            incoming[number].clear()
            lines = table.reshape(clique.separator_size, -1)
            self._tables.append(lines)
            if clique.parent is None:
                self._best = max(self._best + int(lines.max()), _IMPOSSIBLE)
            else:
                incoming[clique.parent].append(lines.max(1).reshape(tree.message_shapes[number]))
        self._down = list(reversed(range(len(tree.cliques))))
        self._orders: dict[tuple[int, int], tuple[list[int], list[int]]] = {}

    def first(self, k: int) -> Iterator[tuple[int, list[int]]]:
        """The k best explanations, with their scores, as states by the number of the variable."""
        start = _Found([0] * self._tree.variables, self._best, 0, 0)
        waiting: list[tuple[int, int, int, int, _Found]] = [(-self._best, 0, 0, 0, start)]
        made = 0
        for _ in range(k):
            if not waiting or waiting[0][0] >= -_IMPOSSIBLE:
                return
            found = heapq.heappop(waiting)[-1]
            states = found.states.copy()
            for place in range(found.place, len(self._down)):
                rank = found.rank if place == found.place else 0
                cells, points = self._line(self._down[place], states)
                self._set(self._down[place], cells[rank], states)
                if rank + 1 < len(cells) and points[rank + 1] > _IMPOSSIBLE:
                    made += 1
                    score = found.score - points[rank] + points[rank + 1]
                    heapq.heappush(waiting, (-score, place, rank + 1, made, _Found(states, score, place, rank + 1)))
            yield found.score, states

    def log_probability(self, states: Sequence[int]) -> float:
        """The score of an explanation: its natural logarithm."""
        parts = (
            float(table[(0, *(states[i] for i in scope))])
            for table, scope in zip(self._logs, self._tree.scopes, strict=True)
        )
        return min(math.fsum(parts) * math.log(2.0) - self.log_total, 0.0)

    def _line(self, number: int, states: Sequence[int]) -> tuple[list[int], list[int]]:
        """The cells of a clique that fit the states of its separator, the best first, with their best values."""
        clique = self._tree.cliques[number]
        line = 0
        for i, size in zip(clique.variables[: clique.separator.bit_count()], clique.shape, strict=False):
            line = line * size + states[i]
        key = (number, line)
        if key not in self._orders:
            points = self._tables[number][line]
            order = np.argsort(-points, kind="stable")[: MOST + 1]
            self._orders[key] = (order.tolist(), points[order].tolist())
        return self._orders[key]

    def _set(self, number: int, cell: int, states: list[int]) -> None:
        clique = self._tree.cliques[number]
        shared = clique.separator.bit_count()
        for i, size in zip(reversed(clique.variables[shared:]), reversed(clique.shape[shared:]), strict=True):
            cell, states[i] = divmod(cell, size)


def _logs_of_2(table: Numbers) -> Table:
    """The logarithms to the base 2; -inf of 0."""
    if isinstance(table, Wide):
        return table.logs() / math.log(2.0)
    with np.errstate(divide="ignore"):
        logs: Table = np.log2(table)
    return logs


def _in_fixed_point(tables: Sequence[Table]) -> list[Points]:
    """Each table of logarithms minus its largest entry, in whole numbers of the finest unit that all of them allow."""
    lowered: list[Any] = []
    reach = 1.0
    for logs in tables:
        largest = logs.max()
        below = logs - largest if largest > -math.inf else logs
        reach += 1.0 - float(below.min(where=below > -math.inf, initial=0.0))
        lowered.append(below)
    unit = math.ldexp(1.0, min(_FINEST, _BITS - math.ceil(math.log2(reach))))
    return [
        np.where(below > -math.inf, np.rint(np.maximum(below, -reach) * unit), _IMPOSSIBLE).astype(np.int64)
        for below in lowered
    ]
