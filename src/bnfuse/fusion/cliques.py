"""The cliques of a network's triangulated moral graph, which determine the cost of exact inference.

Graph theory's treewidth is the size of the largest one minus 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from bnfuse import _kernel
from bnfuse._base.options import at_least, one_of
from bnfuse._base.public import public
from bnfuse.fusion import elimination
from bnfuse.fusion.elimination import bits
from bnfuse.graphs.dag import DAG, NetworkLike, as_dag, numbered, parent_sets
from bnfuse.graphs.network import as_network

METHODS = ("best", "mcs", "min-fill", "min-degree", "exact")


@public
class CliqueSize(int):
    """The size of a largest clique, with its evidence: a whole number with additional attributes.

    Attributes
    ----------
    elimination_order
        Eliminating the variables in this order gives the size.
    lower_bound
        No triangulation has a smaller largest clique; if it equals the size, the size is `proven`.

    Examples
    --------
    >>> import bnfuse
    >>> size = bnfuse.clique_size(bnfuse.DAG.from_edges([("A", "C"), ("B", "C")]))
    >>> size + 1, size.proven, size.elimination_order
    (4, True, ('A', 'C', 'B'))
    """

    elimination_order: tuple[str, ...] = ()
    lower_bound: int = 0

    @property
    def proven(self) -> bool:
        """Whether no elimination order can do better."""
        return self.lower_bound == self

    def __repr__(self) -> str:
        known = self.lower_bound and not self.proven  # a bare number has no evidence
        return f"{int(self)} (at least {self.lower_bound})" if known else str(int(self))

    __str__ = __repr__

    def __reduce__(self) -> tuple[Any, ...]:
        return _clique_size, (int(self), self.lower_bound, self.elimination_order)


@public
def clique_size(
    dag: NetworkLike,
    method: Literal["best", "mcs", "min-fill", "min-degree", "exact"] = "best",
    max_states: int = 100_000,
) -> CliqueSize:
    """The size of the largest clique after triangulating the moral graph: the cost of exact inference in a network.

    Graph theory's treewidth is this number minus 1.

    Parameters
    ----------
    dag
        A network in any form.
    method
        An elimination heuristic, "mcs" (maximum cardinality search), "min-fill" or "min-degree"; "best": the best of
        them and of min-fill with random ties; "exact": positive-instance-driven dynamic programming [1]_, on the pieces
        into which reductions and safe separators [2]_ cut the graph.
    max_states
        The most sets of variables that "exact" examines (a set in a piece of over 64 variables counts for more). If
        these do not suffice, the answer is an interval: the size reached and its proven `lower_bound`.

    Returns
    -------
    CliqueSize
        A whole number, with the elimination order that reaches it and a lower bound.

    Raises
    ------
    OptionError
        The method is unknown, or this is not a network.

    References
    ----------
    .. [1] Tamaki, "Positive-instance driven dynamic programming for treewidth", ESA 2017.
    .. [2] Bodlaender, Koster, "Safe separators for treewidth", Discrete Mathematics 306 (2006).

    Examples
    --------
    >>> import bnfuse
    >>> square = bnfuse.DAG.from_edges([("A", "B"), ("B", "C"), ("A", "D"), ("D", "C")])
    >>> bnfuse.clique_size(square)
    3
    """
    graph = as_dag(dag)
    one_of("method", method, METHODS)
    lower, size, order = _kernel.triangulate(
        graph.for_kernel, method, min(at_least("max_states", max_states, 0), 2**62)
    )
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
    """otherwise every variable is assumed to have two states"""

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
    """The cost of exact inference: the tables of the maximal cliques that elimination along `order` makes.

    Without an order, the cheapest one in total is used, among those of the clique heuristics and the one that always
    eliminates the variable whose clique has the smallest table. A small largest clique need not be the cheapest: states
    count too.
    """
    whole = as_network(network)
    dag = whole.dag
    states = whole.states
    sizes = [2 if states is None else len(states[variable]) for variable in dag.variables]
    moral = _moral_neighbours(dag)
    orders = _cheap_orders(dag, moral, sizes) if order is None else [numbered(order, dag).tolist()]
    tables, best = min(((_clique_tables(moral, sizes, each), each) for each in orders), key=lambda pair: sum(pair[0]))
    return InferenceCost(sum(tables), max(tables), tuple(dag.variables[i] for i in best), states is not None)


def _cheap_orders(dag: DAG, moral: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    orders = [_kernel.triangulate(dag.for_kernel, method, 0)[2] for method in ("best", "min-fill", "min-degree")]
    return [*orders, elimination.smallest_table_first(moral, sizes)]


@dataclass(frozen=True, slots=True)
class TableOrder:
    """An elimination order and the largest of its cliques: by numbers in the table, and by members."""

    table: int
    clique_size: int
    elimination_order: tuple[str, ...]


def table_orders(dag: DAG, sizes: Sequence[int], order: Iterable[str] | None = None) -> list[TableOrder]:
    """The cliques of elimination along an order, or along each of several heuristic ones; `sizes` are the states."""
    moral = _moral_neighbours(dag)
    orders = _cheap_orders(dag, moral, sizes) if order is None else [numbered(order, dag).tolist()]
    found = []
    for each in orders:
        cliques = list(elimination.maximal_cliques(moral, each))
        table = max(math.prod(sizes[i] for i in bits(clique)) for clique in cliques)
        size = max(clique.bit_count() for clique in cliques)
        found.append(TableOrder(table, size, tuple(dag.variables[i] for i in each)))
    return found


def _moral_neighbours(dag: DAG) -> list[int]:
    """The neighbours of each variable in the moral graph, as bits of a whole number."""
    parents = parent_sets(dag)
    neighbours = [0] * len(parents)
    for child, row in enumerate(parents):
        family = row | 1 << child
        for member in bits(family):
            neighbours[member] |= family
    return [row & ~(1 << i) for i, row in enumerate(neighbours)]


def maximal_cliques(dag: NetworkLike, order: Iterable[str]) -> list[tuple[str, ...]]:
    """The maximal cliques of the moral graph, filled in by elimination along `order`: those of the junction tree."""
    graph = as_dag(dag)
    cliques = elimination.maximal_cliques(_moral_neighbours(graph), numbered(order, graph).tolist())
    return [tuple(graph.variables[i] for i in bits(clique)) for clique in cliques]


def _clique_tables(moral: Sequence[int], sizes: Sequence[int], order: Sequence[int]) -> list[int]:
    """The table sizes of the maximal cliques of the graph that elimination fills in."""
    return [math.prod(sizes[i] for i in bits(clique)) for clique in elimination.maximal_cliques(moral, order)]
