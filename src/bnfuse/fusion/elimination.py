"""Eliminating the vertices of an undirected graph one by one, and the cliques that result.

A graph is a list of whole numbers: the neighbours of each vertex, as bits.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Iterator, Sequence


def bits(row: int) -> Iterator[int]:
    """The positions of the ones."""
    while row:
        lowest = row & -row
        yield lowest.bit_length() - 1
        row ^= lowest


def joined(scopes: Iterable[Iterable[int]], vertices: int) -> list[int]:
    """The graph with this number of vertices in which all members of each scope are neighbours."""
    neighbours = [0] * vertices
    for scope in scopes:
        family = sum(1 << i for i in scope)
        for i in bits(family):
            neighbours[i] |= family
    return [row & ~(1 << i) for i, row in enumerate(neighbours)]


def eliminated(graph: Sequence[int], order: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Each vertex with its clique: itself and the neighbours that it has when it is eliminated.

    Ends with the first clique that contains all remaining vertices.
    """
    neighbours = list(graph)
    remaining = sum(1 << i for i in order)
    for vertex in order:
        others = neighbours[vertex]
        clique = others | 1 << vertex
        yield vertex, clique
        if clique == remaining:
            break
        remaining ^= 1 << vertex
        for i in bits(others):
            neighbours[i] = (neighbours[i] | others) & ~(1 << i | 1 << vertex)


def maximal_cliques(graph: Sequence[int], order: Sequence[int]) -> Iterator[int]:
    """The maximal cliques of the graph that elimination fills in, as bits."""
    # The clique of a vertex lies within another exactly if it is the rest of an earlier elimination's clique.
    left_over: set[int] = set()
    for vertex, clique in eliminated(graph, order):
        if clique not in left_over:
            yield clique
        left_over.add(clique ^ 1 << vertex)


def smallest_table_first(graph: Sequence[int], sizes: Sequence[int]) -> list[int]:
    """The order that always eliminates the vertex whose clique has the smallest table; ties go to the first vertex."""
    neighbours = list(graph)
    tables = [size * math.prod(sizes[i] for i in bits(row)) for size, row in zip(sizes, neighbours, strict=True)]
    queue = [(table, i) for i, table in enumerate(tables)]
    heapq.heapify(queue)
    order: list[int] = []
    remaining = (1 << len(neighbours)) - 1
    while remaining:
        table, vertex = heapq.heappop(queue)
        if not remaining >> vertex & 1 or table != tables[vertex]:
            continue  # an outdated entry
        others = neighbours[vertex]
        if others | 1 << vertex == remaining:  # one clique is left: its order does not matter
            order.extend(bits(remaining))
            break
        order.append(vertex)
        remaining ^= 1 << vertex
        for i in bits(others):
            added = others & ~(neighbours[i] | 1 << i)
            neighbours[i] = (neighbours[i] | added) & ~(1 << vertex)
            tables[i] = tables[i] // sizes[vertex] * math.prod(sizes[j] for j in bits(added))
            heapq.heappush(queue, (tables[i], i))
    return order
