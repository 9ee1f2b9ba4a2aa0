"""The cliques of a network's triangulated moral graph: what exact inference in it will cost.

Graph theory's treewidth is the size of the largest one minus 1.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bnfuse import _kernel
from bnfuse._options import at_least, one_of
from bnfuse.dag import DAG, NetworkLike, as_dag, numbered
from bnfuse.network import as_network

METHODS = ("best", "mcs", "min-fill", "min-degree", "exact")


class CliqueSize(int):
    """The size of a largest clique, with the evidence for it.

    The number is what `elimination_order` reaches. No triangulation has a largest clique below `lower_bound`; where
    the two meet, the size is `proven`.
    """

    elimination_order: tuple[str, ...] = ()
    lower_bound: int = 1

    @property
    def proven(self) -> bool:
        """Whether no elimination order can do better."""
        return self.lower_bound == self

    def __repr__(self) -> str:
        return str(int(self)) if self.proven else f"{int(self)} (at least {self.lower_bound})"

    __str__ = __repr__

    def __reduce__(self) -> tuple[Any, ...]:
        return _clique_size, (int(self), self.lower_bound, self.elimination_order)


def clique_size(dag: NetworkLike, method: str = "best", limit: int = 20_000) -> CliqueSize:
    """The size of the largest clique after triangulating the moral graph.

    `method` is an elimination heuristic, "mcs" (maximum cardinality search), "min-fill" or "min-degree", or "best": the
    best of them and of min-fill with random ties. "exact" is branch and bound, which visits at most `limit` states (one
    with over 100 variables left counts for more); when these do not suffice, the answer is an interval: the size
    reached and its proven `lower_bound`.
    """
    graph = as_dag(dag)
    one_of("method", method, METHODS)
    lower, size, order = _kernel.triangulate(graph.rows, method, min(at_least("limit", limit, 0), 2**62))
    return _clique_size(size, lower, tuple(graph.variables[i] for i in order))


def _clique_size(size: int, lower_bound: int, elimination_order: tuple[str, ...]) -> CliqueSize:
    result = CliqueSize(size)
    result.lower_bound = lower_bound
    result.elimination_order = elimination_order
    return result


@dataclass(frozen=True, slots=True)
class InferenceCost:
    """The size of the clique tables of a junction tree, in numbers of 8 bytes."""

    total: int
    largest: int
    elimination_order: tuple[str, ...]
    """the order that gives these cliques"""
    states_known: bool
    """otherwise every variable is taken to have two states"""

    @property
    def total_bytes(self) -> int:
        """The memory of all clique tables."""
        return _NUMBER_BYTES * self.total

    @property
    def largest_bytes(self) -> int:
        """The memory of the largest clique table."""
        return _NUMBER_BYTES * self.largest


_NUMBER_BYTES = 8


def inference_cost(network: NetworkLike, order: Iterable[str] | None = None) -> InferenceCost:
    """What exact inference will cost: the tables of the maximal cliques that eliminating along `order` leaves.

    Without an order, the cheapest in total of those that the clique heuristics find and of always eliminating the
    variable whose clique has the smallest table. A small largest clique need not be the cheapest: states count too.
    """
    whole = as_network(network)
    dag = whole.dag
    states = whole.states
    sizes = [2 if states is None else len(states[variable]) for variable in dag.variables]
    moral = _moral_neighbours(dag)
    if order is not None:
        orders = [numbered(order, dag).tolist()]
    else:
        orders = [_kernel.triangulate(dag.rows, method, 0)[2] for method in ("best", "min-fill", "min-degree")]
        orders.append(_smallest_table_first(moral, sizes))
    tables, best = min(((_clique_tables(moral, sizes, each), each) for each in orders), key=lambda pair: sum(pair[0]))
    return InferenceCost(sum(tables), max(tables), tuple(dag.variables[i] for i in best), states is not None)


def _moral_neighbours(dag: DAG) -> list[int]:
    """The neighbours of each variable in the moral graph, as bits of a whole number."""
    parents = [int.from_bytes(row.astype("<u8").tobytes(), "little") for row in dag.rows]
    neighbours = [0] * len(parents)
    for child, row in enumerate(parents):
        family = row | 1 << child
        for member in _bits(family):
            neighbours[member] |= family
    return [row & ~(1 << i) for i, row in enumerate(neighbours)]


def maximal_cliques(dag: NetworkLike, order: Iterable[str]) -> list[tuple[str, ...]]:
    """The maximal cliques of the moral graph, filled in by eliminating along `order`: the junction tree's."""
    graph = as_dag(dag)
    cliques = _maximal_cliques(_moral_neighbours(graph), numbered(order, graph).tolist())
    return [tuple(graph.variables[i] for i in _bits(clique)) for clique in cliques]


def _clique_tables(moral: Sequence[int], sizes: Sequence[int], order: Iterable[int]) -> list[int]:
    """The table sizes of the maximal cliques of the graph that elimination fills in."""
    return [math.prod(sizes[i] for i in _bits(clique)) for clique in _maximal_cliques(moral, order)]


def _maximal_cliques(moral: Sequence[int], order: Iterable[int]) -> Iterator[int]:
    """The maximal cliques of the graph that elimination fills in, as bits."""
    neighbours = list(moral)
    # The clique of a variable lies within another exactly if it is what an earlier elimination left over.
    left_over: set[int] = set()
    remaining = (1 << len(neighbours)) - 1
    for variable in order:
        others = neighbours[variable]
        clique = others | 1 << variable
        if clique not in left_over:
            yield clique
        if clique == remaining:  # all that follow lie within this one
            break
        remaining ^= 1 << variable
        left_over.add(others)
        for i in _bits(others):
            neighbours[i] = (neighbours[i] | others) & ~(1 << i | 1 << variable)


def _smallest_table_first(moral: Sequence[int], sizes: Sequence[int]) -> list[int]:
    """The order that always eliminates the variable whose clique has the smallest table; ties: the first variable."""
    neighbours = list(moral)
    tables = [size * math.prod(sizes[i] for i in _bits(row)) for size, row in zip(sizes, neighbours, strict=True)]
    queue = [(table, i) for i, table in enumerate(tables)]
    heapq.heapify(queue)
    order: list[int] = []
    remaining = (1 << len(neighbours)) - 1
    while remaining:
        table, variable = heapq.heappop(queue)
        if not remaining >> variable & 1 or table != tables[variable]:
            continue  # an outdated entry
        others = neighbours[variable]
        if others | 1 << variable == remaining:  # one clique is left: its order does not matter
            order.extend(_bits(remaining))
            break
        order.append(variable)
        remaining ^= 1 << variable
        for i in _bits(others):
            added = others & ~(neighbours[i] | 1 << i)
            neighbours[i] = (neighbours[i] | added) & ~(1 << variable)
            tables[i] = tables[i] // sizes[variable] * math.prod(sizes[j] for j in _bits(added))
            heapq.heappush(queue, (tables[i], i))
    return order


def _bits(row: int) -> Iterator[int]:
    """The places of the ones."""
    while row:
        lowest = row & -row
        yield lowest.bit_length() - 1
        row ^= lowest
