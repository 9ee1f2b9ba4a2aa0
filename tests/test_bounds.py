"""Lower bounds of mean SMHD: never above what a network within the limit reaches, and as tight as the theory says."""

from __future__ import annotations

import random
from functools import cache
from itertools import combinations, permutations, product
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from bnfuse import DAG, _kernel, consensus
from bnfuse.fusion import cliques
from bnfuse.search.bounds import problem_bound
from bnfuse.search.outcome import mean_distance
from strategies import problem_of, random_dag

Counts = npt.NDArray[np.int64]
Edge = tuple[int, int]
EdgeSet = frozenset[Edge]


@st.composite
def tallies(draw: st.DrawFn, min_size: int, max_size: int, dense: bool = False) -> tuple[Counts, int]:
    """Moral-edge counts and the total weight."""
    n = draw(st.integers(min_size, max_size))
    total = draw(st.integers(1, 9))
    counts = np.zeros((n, n), np.int64)
    for a, b in combinations(range(n), 2):
        counts[a, b] = counts[b, a] = draw(st.integers(total // 2 if dense else 0, total))
    return counts, total


def smhd_lower_bound(counts: Counts, total: int | Counts, max_clique: int, rounds: int | None = None) -> int:
    """A lower bound of the summed SMHD of any DAG with cliques of at most `max_clique`.

    `counts` has for each pair of variables the weight of the inputs whose moral graph joins them, `total` the weight of
    those that have a vote on it, or of all. Summed SMHD falls by `2 * count - total` with each moral edge, so the bound
    follows from the most that the edges of a graph with small cliques can weigh: those of the heaviest independent set
    of a rigidity matroid, and for `max_clique=2`, where that is a forest, exactly what the best network reaches. Above
    that, so many `rounds` tighten it by what minors of such a graph can have; with 0 rounds it never rises with
    `max_clique`, with more it may, and then the bound for the larger limit holds for the smaller one too.
    """
    moral = np.ascontiguousarray(np.triu(counts, 1), np.int64)
    seen = np.ascontiguousarray(np.broadcast_to(total, moral.shape), np.int64)
    none = np.zeros_like(moral)
    problem = _kernel.ConsensusProblem(
        limit=max_clique,
        max_parents=-1,
        metric="smhd",
        directions="any",
        is_listed=False,
        arcs=none.astype(np.uint8),
        input_arcs=none,
        input_seen=seen,
        reference_arcs=none,
        reference_moral=moral,
        reference_seen=seen,
        reference_weight=int(seen.max(initial=0)),
        is_whole=False,
        oriented=none,
        worth=none,
    )
    return problem.bound(_kernel.USUAL_ROUNDS if rounds is None else rounds)


def weighted_smhd(moral: EdgeSet, counts: Counts, total: int) -> int:
    pairs = combinations(range(len(counts)), 2)
    return sum(total - int(counts[pair]) if pair in moral else int(counts[pair]) for pair in pairs)


def clique_size(edges: EdgeSet, n: int) -> int:
    """Of the best triangulation, by trying every elimination order."""
    best = n
    for order in permutations(range(n)):
        graph = nx.Graph(edges)
        graph.add_nodes_from(range(n))
        largest = 0
        for v in order:
            largest = max(largest, graph.degree(v) + 1)
            graph.add_edges_from(combinations(list(graph[v]), 2))
            graph.remove_node(v)
        best = min(best, largest)
    return best


@cache
def moral_graphs(n: int) -> dict[EdgeSet, int]:
    """The moral graph of every DAG, and its clique size: those of one topological order, and then all relabellings."""
    pairs = list(combinations(range(n), 2))
    found: dict[EdgeSet, int] = {}
    for kept in product([False, True], repeat=len(pairs)):
        arcs = [pair for pair, keep in zip(pairs, kept, strict=True) if keep]
        families = [[*(u for u, w in arcs if w == v), v] for v in range(n)]
        moral = frozenset(edge for family in families for edge in combinations(family, 2))
        if moral not in found:
            size = clique_size(moral, n)
            for name in permutations(range(n)):
                found[frozenset((min(name[a], name[b]), max(name[a], name[b])) for a, b in moral)] = size
    return found


def k_trees(n: int, k: int) -> set[EdgeSet]:
    """Every k-tree: a clique of k + 1, and then each vertex with k neighbours that are a clique."""
    found: set[EdgeSet] = set()

    def grow(edges: EdgeSet, left: frozenset[int]) -> None:
        if not left:
            found.add(edges)
            return
        inside = [v for v in range(n) if v not in left]
        for v in left:
            for clique in combinations(inside, k):
                if edges.issuperset(combinations(clique, 2)):
                    grow(edges | {(min(u, v), max(u, v)) for u in clique}, left - {v})

    for start in combinations(range(n), min(k + 1, n)):
        grow(frozenset(combinations(start, 2)), frozenset(range(n)) - set(start))
    return found


@given(tallies(1, 5), st.integers(1, 6))
def test_no_network_is_below_the_bound(tally: tuple[Counts, int], max_clique: int) -> None:
    counts, total = tally
    within = [moral for moral, size in moral_graphs(len(counts)).items() if size <= max_clique]
    bound = smhd_lower_bound(counts, total, max_clique)
    assert bound <= min(weighted_smhd(moral, counts, total) for moral in within)


@pytest.mark.parametrize("k", [2, 3])
def test_no_partial_k_tree_of_six_variables_weighs_more_than_the_bound_says(k: int) -> None:
    trees = k_trees(6, k)

    @given(tallies(6, 6, dense=True))
    def check(tally: tuple[Counts, int]) -> None:
        counts, total = tally
        gains = 2 * counts - total
        most = max(sum(max(int(gains[edge]), 0) for edge in tree) for tree in trees)
        assert smhd_lower_bound(counts, total, k + 1) <= int(np.triu(counts).sum()) - most

    check()


@given(tallies(1, 9))
def test_a_larger_limit_never_raises_the_bound_of_the_matroid(tally: tuple[Counts, int]) -> None:
    bounds = [smhd_lower_bound(*tally, max_clique, rounds=0) for max_clique in range(1, 12)]
    assert bounds == sorted(bounds, reverse=True)


@given(tallies(1, 9))
def test_without_a_limit_every_majority_edge_is_kept_and_with_limit_one_none(tally: tuple[Counts, int]) -> None:
    counts, total = tally
    upper = np.triu(counts, 1)
    assert smhd_lower_bound(counts, total, len(counts)) == np.minimum(upper, total - upper).sum()
    assert smhd_lower_bound(counts, total, 1) == upper.sum()


@given(tallies(1, 9))
def test_with_cliques_of_two_the_bound_is_the_best_branching(tally: tuple[Counts, int]) -> None:
    counts, total = tally
    rules = 1 - np.eye(len(counts), dtype=np.uint8)
    gains = np.ascontiguousarray(2 * counts - total)
    parents = _kernel.maximum_branching(gains, np.zeros_like(gains), rules)
    moral = frozenset((min(u, v), max(u, v)) for v, u in enumerate(parents) if u >= 0)
    assert smhd_lower_bound(counts, total, 2) == weighted_smhd(moral, counts, total)


# Minors


@given(st.integers(2, 5), st.integers(6, 16), st.randoms(use_true_random=False))
def test_a_planted_network_is_never_below_the_bound(k: int, n: int, rng: random.Random) -> None:
    """A DAG whose families are cliques: each variable's parents are among those of an earlier one and itself."""
    bags = [list(range(min(k, n)))]
    moral = set(combinations(bags[0], 2))
    for v in range(len(bags[0]), n):
        parents = rng.sample(bag := rng.choice(bags), min(k, len(bag)))
        moral |= {(u, v) for u in parents}
        bags.append([*parents, v])
    total = 10
    counts = np.zeros((n, n), np.int64)
    for a, b in combinations(range(n), 2):
        counts[a, b] = counts[b, a] = rng.randint(7, 10) if (a, b) in moral else rng.choice([0, 4, 6, 7])
    assert smhd_lower_bound(counts, total, k + 1) <= weighted_smhd(frozenset(moral), counts, total)


def grid_counts(side: int) -> Counts:
    """Of one input whose moral graph is a grid: it needs cliques of side + 1."""
    counts = np.zeros((side**2, side**2), np.int64)
    for a, b in nx.grid_graph([side, side]).edges:
        u, v = a[0] * side + a[1], b[0] * side + b[1]
        counts[u, v] = counts[v, u] = 1
    return counts


def test_a_grid_must_lose_edges_though_it_is_independent_in_the_plane() -> None:
    side = 6
    counts = grid_counts(side)
    assert smhd_lower_bound(counts, 1, 3, rounds=0) == 0
    assert smhd_lower_bound(counts, 1, 3) >= 6
    assert smhd_lower_bound(counts, 1, side + 1) == 0


# Clique sizes


@settings(deadline=None)
@given(tallies(2, 7, dense=True), st.integers(2, 5))
def test_as_many_edges_go_as_the_clique_of_the_heavier_ones_is_too_large(tally: tuple[Counts, int], limit: int) -> None:
    """The slow way: of the edges of each weight or more, the clique that they need."""
    counts, total = tally
    gains = 2 * counts - total
    pairs = sorted((pair for pair in combinations(range(len(counts)), 2) if gains[pair] > 0), key=lambda p: -gains[p])
    weights = np.array([gains[pair] for pair in pairs], np.int64)
    lost, before = 0, 0
    for weight in sorted(set(weights.tolist())):
        heavier = nx.Graph([pair for pair in pairs if gains[pair] >= weight])
        lost += (weight - before) * max(oracles.exact_clique_by_subsets(heavier) - limit, 0)
        before = weight
    edges = np.array(pairs, np.int32).reshape(-1, 2)
    assert _kernel.excess_weight(len(counts), edges, weights, limit - 1, 10**6) == weights.sum() - lost


def test_a_grid_loses_an_edge_for_each_member_that_its_clique_has_too_many() -> None:
    side = 6
    counts = grid_counts(side)
    assert [smhd_lower_bound(counts, 1, limit) for limit in (side - 1, side, side + 1)] == [2, 1, 0]


# The matroid itself


def rigidity_rank(n: int, edges: list[Edge], k: int) -> int:
    ones = np.ones(len(edges), np.int64)
    return _kernel.rigidity_weight(n, np.array(edges, np.int32).reshape(-1, 2), ones, k)


def pebble_game_rank(n: int, edges: list[Edge], k: int, spare: int) -> int:
    """The rank in the (k, spare)-sparsity matroid (Lee, Streinu 2008): an edge needs spare + 1 pebbles at its ends."""
    pebbles = [k] * n
    out: list[list[int]] = [[] for _ in range(n)]

    def fetch(v: int, keep: int) -> bool:
        """Brings a pebble to v along a path that reverses, without taking from `keep`."""
        came_from = {v: v, keep: keep}
        waiting = [v]
        while waiting:
            u = waiting.pop()
            if pebbles[u] and u != v:
                pebbles[u] -= 1
                pebbles[v] += 1
                while u != v:
                    out[came_from[u]].remove(u)
                    out[u].append(came_from[u])
                    u = came_from[u]
                return True
            for w in out[u]:
                if w not in came_from:
                    came_from[w] = u
                    waiting.append(w)
        return False

    rank = 0
    for a, b in edges:
        while pebbles[a] + pebbles[b] <= spare and (
            (pebbles[a] < k and fetch(a, b)) or (pebbles[b] < k and fetch(b, a))
        ):
            pass
        if pebbles[a] + pebbles[b] > spare:
            source, target = (a, b) if pebbles[a] else (b, a)
            pebbles[source] -= 1
            out[source].append(target)
            rank += 1
    return rank


def matrix_rank(n: int, edges: list[Edge], k: int) -> int:
    """The rank of the rigidity matrix with points on the moment curve, by plain elimination modulo another prime."""
    prime = 2**61 - 1
    points = [[(v + 1) ** (i + 1) for i in range(k)] for v in range(n)]
    rank = 0
    rows = []
    for a, b in edges:
        row = [0] * (n * k)
        for i in range(k):
            row[a * k + i] = points[a][i] - points[b][i]
            row[b * k + i] = points[b][i] - points[a][i]
        rows.append(row)
    for column in range(n * k):
        pivot = next((i for i in range(rank, len(rows)) if rows[i][column] % prime), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        inverse = pow(rows[rank][column], -1, prime)
        for i in range(rank + 1, len(rows)):
            if factor := rows[i][column] * inverse % prime:
                rows[i] = [(x - factor * y) % prime for x, y in zip(rows[i], rows[rank], strict=True)]
        rank += 1
    return rank


@st.composite
def graphs(draw: st.DrawFn, min_size: int = 2, max_size: int = 10) -> tuple[int, list[Edge]]:
    n = draw(st.integers(min_size, max_size))
    pairs = list(combinations(range(n), 2))
    count = draw(st.integers(0, len(pairs)))
    return n, draw(st.permutations(pairs))[:count]


@given(graphs())
def test_on_a_line_the_matroid_is_that_of_forests(graph: tuple[int, list[Edge]]) -> None:
    n, edges = graph
    assert rigidity_rank(n, edges, 1) == pebble_game_rank(n, edges, 1, 1)


@given(graphs())
def test_in_the_plane_the_matroid_is_that_of_laman(graph: tuple[int, list[Edge]]) -> None:
    n, edges = graph
    assert rigidity_rank(n, edges, 2) == pebble_game_rank(n, edges, 2, 3)


@given(graphs(min_size=5, max_size=9), st.integers(3, 5))
def test_in_space_the_rank_is_that_of_the_whole_matrix(graph: tuple[int, list[Edge]], k: int) -> None:
    n, edges = graph
    assert rigidity_rank(n, edges, k) == matrix_rank(n, edges, k)


@given(graphs(min_size=5, max_size=6), graphs(min_size=5, max_size=6), st.integers(2, 3))
def test_graphs_that_share_a_vertex_add_their_ranks(
    left: tuple[int, list[Edge]], right: tuple[int, list[Edge]], k: int
) -> None:
    n, edges = left
    moved = [(a + n - 1, b + n - 1) for a, b in right[1]]
    together = rigidity_rank(n + right[0] - 1, edges + moved, k)
    assert together == rigidity_rank(n, edges, k) + rigidity_rank(n + right[0] - 1, moved, k)


@given(st.integers(1, 12), st.integers(1, 12))
def test_complete_graphs_are_rigid(n: int, k: int) -> None:
    edges = list(combinations(range(n), 2))
    assert rigidity_rank(n, edges, k) == (len(edges) if n <= k else k * n - k * (k + 1) // 2)


# Constraints


def best_within(dags: list[DAG], limit: int, **rules: Any) -> float:
    """The least mean SMHD of all networks over a few variables that keep constraints, by trying them all."""
    problem = problem_of(dags, limit, **rules)
    names = problem.variables
    tried = (DAG(names, [(names[a], names[b]) for a, b in arcs]) for arcs in oracles.all_dags(len(names)))
    return min(
        mean_distance(problem, dag)
        for dag in tried
        if problem.constraints.broken_by(dag, problem.tally) is None and cliques.clique_size(dag, "exact") <= limit
    )


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 12))])
def test_the_bound_of_a_problem_with_constraints_is_never_above_its_best_network(seed: int) -> None:
    rng = random.Random(seed)
    dags = [random_dag(10 * seed + i, 4, 1.4) for i in range(3)]
    pairs = [(a, b) for a in dags[0].variables for b in dags[0].variables if a != b]
    arcs = rng.sample(pairs, 6)
    for rules in (
        {"max_parents": rng.randint(0, 2)},
        {"forbidden": arcs},
        {"required": arcs[:1]},
        {"required": arcs[:1], "forbidden": [arc for arc in arcs[1:] if arc != arcs[0]], "max_parents": 2},
        {"tiers": [dags[0].variables[:2], dags[0].variables[2:]]},
    ):
        for limit in (2, 3, 4):
            problem = problem_of(dags, limit, **rules)
            assert problem.mean(problem_bound(problem)) <= best_within(dags, limit, **rules) + 1e-9


@pytest.mark.parametrize("most", [0, 1])
def test_few_parents_are_solved_and_proven_as_small_cliques_are(most: int) -> None:
    dags = [random_dag(seed, 12, 1.8) for seed in range(5)]
    result = consensus(dags, 5, max_parents=most)
    assert result.gap == 0
    if most:
        assert result.distance == consensus(dags, 2).distance
    else:
        assert result.dag.edges == ()


def test_what_constraints_forbid_or_force_is_in_the_bound() -> None:
    names = ["A", "B", "C"]
    chain = DAG(names, [("A", "B"), ("B", "C")])
    assert consensus([chain] * 3, 3, forbidden=[("A", "B"), ("B", "A")], max_parents=1).gap == 0
    collider = DAG(names, [("A", "C")])
    forced = consensus([collider] * 3, 3, required=[("A", "B")])
    assert (forced.distance, forced.lower_bound) == (1, 1)
    barred = consensus([chain] * 3, 3, forbidden=[("A", "B"), ("B", "A"), ("A", "C"), ("B", "C"), ("C", "A")])
    assert barred.gap == 0
