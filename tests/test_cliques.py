"""Clique sizes of triangulated moral graphs: each with an order that proves it, the exact one against other solvers."""

from __future__ import annotations

import copy
import itertools
import pickle
import random
import warnings
from collections.abc import Callable
from itertools import combinations
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
from bnfuse import DAG, CliqueSize, OptionError, clique_size, networks
from strategies import WORD_BOUNDARIES, chain, common_effect, dags, padded, random_dag

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # of dwave-networkx in favour of its successor
    from dwave_networkx import treewidth_branch_and_bound

METHODS = ["best", "mcs", "min-fill", "min-degree", "exact"]


def moral(dag: DAG) -> nx.Graph:
    return oracles.moral_graph(oracles.graph_of(dag))


def dag_around(graph: nx.Graph) -> DAG:
    """A DAG whose clique size is that of any undirected graph, but at least 3: each edge becomes a common effect."""
    effects = [(f"effect{i}", edge) for i, edge in enumerate(graph.edges)]
    arcs = [(f"cause{cause}", effect) for effect, edge in effects for cause in edge]
    return DAG([*(f"cause{cause}" for cause in graph), *(effect for effect, _ in effects)], arcs)


@st.composite
def undirected_graphs(draw: st.DrawFn, max_size: int) -> nx.Graph:
    size = draw(st.integers(4, max_size))
    graph = nx.gnp_random_graph(size, draw(st.sampled_from([0.3, 0.5, 0.7])), seed=draw(st.integers(0, 10**6)))
    graph.add_edge(0, 1)
    return graph


@st.composite
def glued_graphs(draw: st.DrawFn) -> tuple[nx.Graph, list[nx.Graph]]:
    """Up to four small graphs in a tree, each with one vertex or a joined pair of it in the next; and those graphs."""
    pieces = [draw(undirected_graphs(max_size=8)) for _ in range(draw(st.integers(2, 4)))]
    whole, size = pieces[0].copy(), len(pieces[0])
    for piece in pieces[1:]:
        shared = draw(st.sampled_from([*whole.edges, *((v,) for v in whole)]))
        fresh = itertools.count(size)  # vertices 0 and 1 of each piece are joined
        names = {v: shared[v] if v < len(shared) else next(fresh) for v in piece}
        whole.add_nodes_from(names.values())
        whole.add_edges_from((names[a], names[b]) for a, b in piece.edges)
        size += len(piece) - len(shared)
    return whole, pieces


def partial_k_tree(seed: int, size: int, k: int) -> nx.Graph:
    """A graph of treewidth k by construction: a k-tree that kept 65 % of its edges outside of one clique."""
    rng = random.Random(seed)
    names = rng.sample(range(size), size)
    first, graph = names[: k + 1], nx.Graph()
    graph.add_edges_from(combinations(first, 2))
    cliques = list(combinations(first, k))
    loose = []
    for name in names[k + 1 :]:
        base = rng.choice(cliques)
        loose += [(name, neighbour) for neighbour in base]
        cliques += [(*rest, name) for rest in combinations(base, k - 1)]
    graph.add_nodes_from(names)
    graph.add_edges_from(rng.sample(loose, len(loose) * 65 // 100))
    return graph


# Evidence


@pytest.mark.parametrize("method", METHODS)
@given(dags(max_size=10))
def test_the_elimination_order_proves_the_size(method: str, dag: DAG) -> None:
    size = clique_size(dag, method=method)
    assert sorted(size.elimination_order) == sorted(dag.variables)
    assert max(oracles.cliques_along(moral(dag), size.elimination_order)) == size


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("number", [30, 64, 65, 100, 129])
def test_the_elimination_order_proves_the_size_of_larger_networks(method: str, number: int) -> None:
    dag = random_dag(number, number, 1.3)
    size = clique_size(dag, method=method, max_states=50)
    assert sorted(size.elimination_order) == sorted(dag.variables)
    assert max(oracles.cliques_along(moral(dag), size.elimination_order)) == size
    assert size.lower_bound <= size


@given(dags(max_size=8))
def test_bounds_of_every_method_contain_the_exact_size(dag: DAG) -> None:
    exact = oracles.exact_clique_by_subsets(moral(dag))
    for method in METHODS:
        size = clique_size(dag, method=method)
        assert size.lower_bound <= exact <= size
        assert not size.proven or size == exact


@given(dags(max_size=10))
def test_best_is_no_worse_than_any_heuristic(dag: DAG) -> None:
    best = clique_size(dag)
    assert all(best <= clique_size(dag, method=method) for method in ("mcs", "min-fill", "min-degree"))


# The heuristics are what they are called


def fill(graph: nx.Graph, v: str) -> int:
    return sum(not graph.has_edge(a, b) for a, b in combinations(graph[v], 2))


@pytest.mark.parametrize(("method", "score"), [("min-degree", nx.degree), ("min-fill", fill)])
@given(dags(max_size=10))
def test_greedy_orders_take_the_smallest_score(method: str, score: Callable[[nx.Graph, str], int], dag: DAG) -> None:
    rest, largest = moral(dag), 0
    for v in clique_size(dag, method=method).elimination_order:
        if len(rest) <= largest:
            break  # whatever comes now, no larger clique can
        assert score(rest, v) == min(score(rest, u) for u in rest)
        neighbours = list(rest[v])
        largest = max(largest, len(neighbours) + 1)
        rest.add_edges_from(combinations(neighbours, 2))
        rest.remove_node(v)


@given(dags(max_size=10))
def test_mcs_visits_a_variable_with_most_visited_neighbours(dag: DAG) -> None:
    graph = moral(dag)
    visited: set[str] = set()
    for v in reversed(clique_size(dag, method="mcs").elimination_order):
        met = {u: len(visited & set(graph[u])) for u in graph if u not in visited}
        assert met[v] == max(met.values())
        visited.add(v)


@given(dags(max_size=10))
def test_all_methods_are_exact_on_chordal_graphs(dag: DAG) -> None:
    graph = moral(dag)
    graph.remove_edges_from(nx.selfloop_edges(graph))
    if not nx.is_chordal(graph):
        graph, _ = nx.complete_to_chordal_graph(graph)
    largest = max(len(clique) for clique in nx.find_cliques(graph))
    chordal = dag_around(graph) if graph.edges else DAG([f"cause{v}" for v in graph])
    expected = max(3, largest) if graph.edges else 1
    assert {int(clique_size(chordal, method=method)) for method in METHODS} == {expected}


# The exact size


@given(dags(max_size=6))
def test_exact_equals_trying_all_orders(dag: DAG) -> None:
    assert clique_size(dag, method="exact") == oracles.exact_clique_by_orders(moral(dag))


@given(dags(max_size=9))
def test_exact_equals_dynamic_programming(dag: DAG) -> None:
    size = clique_size(dag, method="exact")
    assert size.proven
    assert size == oracles.exact_clique_by_subsets(moral(dag))


@given(undirected_graphs(max_size=9))
def test_exact_equals_dynamic_programming_on_any_graph(graph: nx.Graph) -> None:
    size = clique_size(dag_around(graph), method="exact")
    assert size.proven
    assert size == max(3, oracles.exact_clique_by_subsets(graph))


@given(glued_graphs())
def test_exact_of_graphs_that_share_a_vertex_or_an_edge_is_the_largest_of_theirs(
    glued: tuple[nx.Graph, list[nx.Graph]],
) -> None:
    graph, pieces = glued
    dag = dag_around(graph)
    size = clique_size(dag, method="exact")
    assert size.proven
    assert size == max(3, *(oracles.exact_clique_by_subsets(piece) for piece in pieces))
    assert max(oracles.cliques_along(moral(dag), size.elimination_order)) == size


@given(st.integers(2, 6), st.integers(0, 8), st.integers(0, 10**6))
def test_exact_size_of_a_grid(height: int, longer: int, seed: int) -> None:
    graph = nx.convert_node_labels_to_integers(nx.grid_2d_graph(height, height + longer))
    names = random.Random(seed).sample(range(len(graph)), len(graph))
    size = clique_size(dag_around(nx.relabel_nodes(graph, dict(enumerate(names)))), method="exact")
    assert (size, size.proven) == (max(3, height + 1), True)


@given(undirected_graphs(max_size=13))
def test_exact_equals_dwave_networkx(graph: nx.Graph) -> None:
    treewidth, _ = treewidth_branch_and_bound(graph)
    assert clique_size(dag_around(graph), method="exact") == max(3, treewidth + 1)


@pytest.mark.parametrize("seed", range(6))
def test_exact_equals_dwave_networkx_on_moral_graphs(seed: int) -> None:
    dag = random_dag(seed, 16, 2.2)
    treewidth, _ = treewidth_branch_and_bound(moral(dag))
    assert clique_size(dag, method="exact") == treewidth + 1


@pytest.mark.parametrize(
    ("graph", "treewidth"),
    [
        pytest.param(nx.path_graph(9), 2, id="path"),  # 1, but the common effects make it 2
        pytest.param(nx.cycle_graph(9), 2, id="cycle"),
        pytest.param(nx.complete_graph(9), 8, id="complete"),
        pytest.param(nx.complete_bipartite_graph(4, 7), 4, id="complete bipartite"),
        pytest.param(nx.grid_2d_graph(5, 5), 5, id="grid 5x5"),
        pytest.param(nx.grid_2d_graph(4, 9), 4, id="grid 4x9"),
        pytest.param(nx.petersen_graph(), 4, id="Petersen"),
        pytest.param(nx.hypercube_graph(3), 3, id="cube"),
        pytest.param(nx.hypercube_graph(4), 6, id="hypercube"),
        pytest.param(nx.grid_2d_graph(7, 7), 7, id="grid 7x7"),
        pytest.param(nx.dodecahedral_graph(), 6, id="dodecahedron"),
        pytest.param(nx.pappus_graph(), 6, id="Pappus"),
        pytest.param(nx.mycielski_graph(4), 5, id="Grötzsch"),
        pytest.param(nx.mycielski_graph(5), 10, id="Mycielski 5"),
        pytest.param(nx.disjoint_union(nx.petersen_graph(), nx.grid_2d_graph(3, 5)), 4, id="two parts"),
    ],
)
def test_exact_size_of_graphs_with_a_known_one(graph: nx.Graph, treewidth: int) -> None:
    size = clique_size(dag_around(graph), method="exact")
    assert size.proven
    assert size == treewidth + 1


@pytest.mark.parametrize(("size", "k"), [(40, 10), (100, 8), (100, 10)])
def test_exact_finds_orders_that_the_heuristics_miss(size: int, k: int) -> None:
    # On small graphs the best heuristic is nearly always exact already, and the search need only say no. Here it
    # misses one in each row, so that a wrong "no" would show as a proven size that is too large.
    graphs = [dag_around(partial_k_tree(seed, size, k)) for seed in range(10)]
    sizes = [clique_size(dag, method="exact") for dag in graphs]
    assert [(int(size), size.proven) for size in sizes] == [(k + 1, True)] * 10
    for dag, found in zip(graphs, sizes, strict=True):
        assert max(oracles.cliques_along(moral(dag), found.elimination_order)) == found
    assert any(clique_size(dag) > k + 1 for dag in graphs), "choose other graphs: none needs the search any more"


@pytest.mark.skipif(not networks.available(), reason="bnfuse.networks.fetch() downloads the benchmark networks")
@pytest.mark.parametrize(("name", "expected"), [("water", 10), ("munin1", 11), ("pigs", 10), ("link", 14)])
def test_benchmark_networks_that_heuristics_leave_open_are_proven(name: str, expected: int) -> None:
    # No second solver is fast enough for the last three: their sizes are kept here so that a wrong "no" shows, which
    # would make one larger.
    dag = networks.load(name).dag
    size = clique_size(dag, method="exact", max_states=5_000_000)
    assert (size, size.proven) == (expected, True)
    assert max(oracles.cliques_along(moral(dag), size.elimination_order)) == size


@given(undirected_graphs(max_size=9), st.integers(0, 3))
def test_a_reached_limit_gives_an_interval_around_the_exact_size(graph: nx.Graph, limit: int) -> None:
    size = clique_size(dag_around(graph), method="exact", max_states=limit)
    assert size.lower_bound <= max(3, oracles.exact_clique_by_subsets(graph)) <= size
    assert size.proven == (size.lower_bound == size)


def test_a_reached_limit_says_that_nothing_is_proven() -> None:
    dag = dag_around(nx.mycielski_graph(5))
    open_interval = clique_size(dag, method="exact", max_states=1)
    assert not open_interval.proven
    assert open_interval.lower_bound < 11 <= open_interval
    assert repr(open_interval) == f"{int(open_interval)} (at least {open_interval.lower_bound})"
    closed = clique_size(dag, method="exact")
    assert closed.proven
    assert repr(closed) == str(closed) == "11"


def test_lower_bounds_grow_with_the_limit() -> None:
    dag = dag_around(nx.mycielski_graph(5))
    sizes = [clique_size(dag, method="exact", max_states=limit) for limit in (0, 10, 100, 1_000, 20_000)]
    assert [size.lower_bound for size in sizes] == sorted(size.lower_bound for size in sizes)
    assert [int(size) for size in sizes] == sorted((int(size) for size in sizes), reverse=True)


# The result as a value


def test_a_clique_size_is_a_whole_number_that_survives_copies() -> None:
    size = clique_size(random_dag(1, 30, 2.0))
    assert isinstance(size, int)
    assert isinstance(size, CliqueSize)
    for twin in (pickle.loads(pickle.dumps(size)), copy.copy(size), copy.deepcopy(size)):
        assert isinstance(twin, CliqueSize)
        assert (twin, twin.lower_bound, twin.elimination_order) == (size, size.lower_bound, size.elimination_order)


def test_a_bare_clique_size_is_just_a_number() -> None:
    size = CliqueSize(5)
    assert (repr(size), str(size), size.proven) == ("5", "5", False)
    assert repr(pickle.loads(pickle.dumps(size))) == "5"


@pytest.mark.parametrize("method", METHODS)
def test_the_same_network_gives_the_same_answer(method: str) -> None:
    dag = random_dag(3, 40, 1.5)
    first, second = (clique_size(dag, method=method, max_states=100) for _ in range(2))
    assert (first, first.lower_bound, first.elimination_order) == (
        second,
        second.lower_bound,
        second.elimination_order,
    )


@given(dags(max_size=9), st.integers(0, 1000))
def test_the_exact_size_does_not_depend_on_the_order_of_the_variables(dag: DAG, seed: int) -> None:
    listing = list(dag.variables)
    random.Random(seed).shuffle(listing)
    assert clique_size(dag.reordered(listing), method="exact") == clique_size(dag, method="exact")


# Sizes on both sides of each number of words


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("number", WORD_BOUNDARIES)
def test_sizes_of_a_chain_and_a_common_effect(number: int, method: str) -> None:
    for dag, expected in ((chain(number), min(2, number)), (common_effect(number), number)):
        size = clique_size(dag, method=method)
        assert size == size.lower_bound == expected
        assert sorted(size.elimination_order) == sorted(dag.variables)


@pytest.mark.parametrize("method", ["mcs", "min-fill", "min-degree", "exact"])
@pytest.mark.parametrize("number", [number for number in WORD_BOUNDARIES if number >= 63])
def test_isolated_variables_change_nothing(number: int, method: str) -> None:
    core = random_dag(5, 24, 2.0)
    wide, narrow = clique_size(padded(core, number), method=method), clique_size(core, method=method)
    assert wide == narrow
    assert max(oracles.cliques_along(moral(padded(core, number)), wide.elimination_order)) == wide


@pytest.mark.parametrize("method", METHODS)
def test_one_variable_and_no_arcs(method: str) -> None:
    assert clique_size(DAG(["A"]), method=method) == 1
    assert clique_size(DAG(["A", "B", "C"]), method=method) == 1


# Bad input


@pytest.mark.parametrize("method", ["minfill", "", None, 3, ["best"]])
def test_unknown_methods_are_refused(method: Any) -> None:
    with pytest.raises(OptionError, match="method must be one of 'best', 'mcs', 'min-fill', 'min-degree', 'exact'"):
        clique_size(DAG(["A"]), method=method)


@pytest.mark.parametrize("limit", [-1, 1.5, "10", None, True])
def test_limits_that_are_none_are_refused(limit: Any) -> None:
    with pytest.raises(OptionError, match="max_states must be a whole number of at least 0"):
        clique_size(DAG(["A"]), method="exact", max_states=limit)


def test_a_limit_beyond_any_search_is_no_limit() -> None:
    dag = dag_around(nx.petersen_graph())
    assert clique_size(dag, method="exact", max_states=10**30) == 5


@pytest.mark.parametrize("dag", [None, 5, "A", [DAG(["A"])], []])
def test_what_is_no_network_is_refused(dag: Any) -> None:
    with pytest.raises(OptionError, match="expected a network"):
        clique_size(dag)
