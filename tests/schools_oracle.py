"""The best k networks for small ensembles, by looking at all partitions and all DAGs."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, permutations

import networkx as nx

import oracles
from bnfuse import DAG
from brute_force import against


@cache
def all_dags(variables: tuple[str, ...]) -> tuple[DAG, ...]:
    """Every DAG over the variables, each once."""
    found = set()
    for order in permutations(variables):
        pairs = list(combinations(order, 2))
        for chosen in range(1 << len(pairs)):
            found.add(frozenset(pair for i, pair in enumerate(pairs) if chosen >> i & 1))
    return tuple(DAG(variables, sorted(arcs)) for arcs in sorted(found, key=sorted))


def largest_clique(dag: DAG) -> int:
    """Of the best triangulation: over all elimination orders."""
    return _largest_clique(dag.variables, frozenset(map(frozenset, oracles.moral_graph(oracles.graph_of(dag)).edges)))


@cache
def _largest_clique(variables: tuple[str, ...], edges: frozenset[frozenset[str]]) -> int:
    best = len(variables)
    for order in permutations(variables):
        graph, size = nx.Graph(tuple(edge) for edge in edges), 1
        graph.add_nodes_from(variables)
        for name in order:
            near = list(graph[name])
            size = max(size, len(near) + 1)
            graph.add_edges_from(combinations(near, 2))
            graph.remove_node(name)
        best = min(best, size)
    return best


@cache
def features(dag: DAG, metric: str) -> frozenset[object]:
    """The moral edges, or the arcs."""
    if metric == "shd":
        return frozenset(dag.edges)
    return frozenset(frozenset(edge) for edge in oracles.moral_graph(oracles.graph_of(dag)).edges)


def distance(one: DAG, other: DAG, metric: str) -> int:
    """By the definitions."""
    apart = features(one, metric) ^ features(other, metric)
    return len({frozenset(pair) for pair in apart})  # type: ignore[call-overload]


@cache
def small_enough(variables: tuple[str, ...], max_clique: int) -> tuple[DAG, ...]:
    return tuple(dag for dag in all_dags(variables) if largest_clique(dag) <= max_clique)


def partitions(size: int, k: int) -> Iterator[list[list[int]]]:
    """All ways to put numbers into k groups, none of them empty."""

    def grow(place: int, groups: list[list[int]]) -> Iterator[list[list[int]]]:
        if place == size:
            if len(groups) == k:
                yield [list(group) for group in groups]
            return
        for group in groups:
            group.append(place)
            yield from grow(place + 1, groups)
            group.pop()
        if len(groups) < k:
            groups.append([place])
            yield from grow(place + 1, groups)
            groups.pop()

    yield from grow(0, [])


def least_sum(
    dags: Sequence[DAG], weights: Sequence[int], k: int, max_clique: int, metric: str, directions: str
) -> int:
    """The least weighted sum of distances to k networks, each of which keeps to the rule by its own inputs."""
    candidates = small_enough(dags[0].variables, max_clique)
    far = [
        [weight * distance(one, dag, metric) for dag, weight in zip(dags, weights, strict=True)] for one in candidates
    ]
    known: dict[tuple[int, ...], int] = {}

    def cost(group: tuple[int, ...]) -> int:
        if group not in known:
            banned = against(directions, [dags[i] for i in group], [weights[i] for i in group])
            known[group] = min(
                sum(row[i] for i in group)
                for one, row in zip(candidates, far, strict=True)
                if banned.isdisjoint(one.edges)
            )
        return known[group]

    return min(sum(cost(tuple(group)) for group in division) for division in partitions(len(dags), k))


def small_ensemble(seed: int) -> tuple[list[DAG], list[int]]:
    """Four to seven inputs over three or four variables, most of them edits of two."""
    chance = random.Random(seed)
    variables = ("A", "B", "C", "D")[: chance.choice((3, 4, 4))]
    pool = all_dags(variables)
    bases = chance.sample(pool, 2)
    dags = [chance.choice(bases) if chance.random() < 0.5 else chance.choice(pool) for _ in range(chance.randint(4, 7))]
    return dags, [chance.choice((1, 1, 1, 2, 3)) for _ in dags]
