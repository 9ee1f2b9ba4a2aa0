"""The blocks of a graph: the largest parts that no single vertex separates (biconnected components)."""

from __future__ import annotations

from collections.abc import Iterable

Pair = tuple[int, int]


def blocks_of(pairs: Iterable[Pair]) -> list[list[Pair]]:
    """The edges of each block (Hopcroft, Tarjan 1973), without recursion: each edge is in one of them."""
    neighbours: dict[int, list[int]] = {}
    for a, b in pairs:
        neighbours.setdefault(a, []).append(b)
        neighbours.setdefault(b, []).append(a)
    entered: dict[int, int] = {}
    reached: dict[int, int] = {}
    blocks: list[list[Pair]] = []
    for root in sorted(neighbours):
        if root in entered:
            continue
        open_edges: list[Pair] = []
        path = [(root, -1, iter(neighbours[root]))]
        entered[root] = reached[root] = len(entered)
        while path:
            v, above, rest = path[-1]
            for u in rest:
                if u == above:
                    continue
                if u not in entered:
                    open_edges.append((v, u))
                    entered[u] = reached[u] = len(entered)
                    path.append((u, v, iter(neighbours[u])))
                    break
                if entered[u] < entered[v]:
                    open_edges.append((v, u))
                    reached[v] = min(reached[v], entered[u])
            else:
                path.pop()
                if above < 0:
                    continue
                reached[above] = min(reached[above], reached[v])
                if reached[v] >= entered[above]:
                    at = open_edges.index((above, v))
                    blocks.append(sorted((min(edge), max(edge)) for edge in open_edges[at:]))
                    del open_edges[at:]
    return blocks
