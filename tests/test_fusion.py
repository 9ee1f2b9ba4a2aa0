"""Heuristic order, minimal I-maps and fusion, against slow twins and against what each must satisfy."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
from bnfuse import DAG, BnfuseError, MismatchError, OptionError, fuse, minimal_imap, order
from strategies import (
    WORD_BOUNDARIES,
    chain,
    common_effect,
    dag_and_order,
    dag_lists,
    dags,
    dags_and_order,
    padded,
    random_dag,
)

# The heuristic order


@given(dags_and_order(max_size=9))
def test_order_equals_the_literal_algorithm(graphs_and_ties: tuple[list[DAG], list[str]]) -> None:
    graphs, ties = graphs_and_ties
    twins = [oracles.graph_of(dag) for dag in graphs]
    assert order(graphs) == oracles.heuristic_order(twins, graphs[0].variables)
    assert order(graphs, ties=ties) == oracles.heuristic_order(twins, ties)


@pytest.mark.parametrize(("size", "count", "mean_parents"), [(20, 3, 2.5), (64, 2, 1.2), (65, 2, 1.2), (130, 1, 1.0)])
def test_order_equals_the_literal_algorithm_on_larger_networks(size: int, count: int, mean_parents: float) -> None:
    graphs = [random_dag(seed, size, mean_parents) for seed in range(count)]
    twins = [oracles.graph_of(dag) for dag in graphs]
    assert order(graphs) == oracles.heuristic_order(twins, graphs[0].variables)


@given(dag_lists())
def test_order_names_each_variable_once(graphs: list[DAG]) -> None:
    assert sorted(order(graphs)) == sorted(graphs[0].variables)


@given(dags(), st.integers(1, 3))
def test_order_of_equal_networks_is_one_of_their_own(dag: DAG, copies: int) -> None:
    assert oracles.is_consistent(dag.edges, order([dag] * copies))


def test_ties_go_to_the_first_variable() -> None:
    empty = DAG(["B", "A", "C"])
    assert order([empty]) == ("C", "A", "B")
    assert order([empty], ties=["C", "B", "A"]) == ("A", "B", "C")


@given(dag_lists(min_dags=2), st.randoms(use_true_random=False))
def test_order_does_not_depend_on_the_order_of_the_inputs(graphs: list[DAG], rng: random.Random) -> None:
    shuffled = graphs.copy()
    rng.shuffle(shuffled)
    assert order(shuffled) == order(graphs)


# Minimal I-maps


@given(dag_and_order(max_size=9))
def test_minimal_imap_equals_both_other_constructions(dag_and_order: tuple[DAG, list[str]]) -> None:
    dag, variable_order = dag_and_order
    twin = oracles.graph_of(dag)
    imap = set(minimal_imap(dag, variable_order).edges)
    assert imap == oracles.method_a(twin, variable_order)
    assert imap == oracles.ancestral_imap(twin, variable_order)


@pytest.mark.parametrize("size", [30, 63, 64, 65, 127, 128, 129])
def test_minimal_imap_equals_both_other_constructions_on_larger_networks(size: int) -> None:
    dag = random_dag(size, size)
    variable_order = order([dag, random_dag(size + 1, size)])
    twin = oracles.graph_of(dag)
    imap = set(minimal_imap(dag, variable_order).edges)
    assert imap == oracles.method_a(twin, variable_order)
    assert imap == oracles.ancestral_imap(twin, variable_order)


@pytest.mark.parametrize("size", [64, 65, 129, 257, 513])
@pytest.mark.parametrize("disorder", [2, 8, 30])
def test_minimal_imap_equals_method_a_under_orders_close_to_the_network_s_own(size: int, disorder: int) -> None:
    dag = random_dag(size, size, reach=10)
    rng = random.Random(disorder)
    place = {variable: i + rng.uniform(0, disorder) for i, variable in enumerate(dag.variables)}
    variable_order = sorted(dag.variables, key=place.__getitem__)
    imap = set(minimal_imap(dag, variable_order).edges)
    assert imap == oracles.method_a(oracles.graph_of(dag), variable_order)


@pytest.mark.parametrize("size", [256, 257, 513])
def test_minimal_imap_equals_method_a_under_any_order(size: int) -> None:
    dag = random_dag(size, size, 0.8)
    variable_order = random.Random(size).sample(dag.variables, size)
    imap = set(minimal_imap(dag, variable_order).edges)
    assert imap == oracles.method_a(oracles.graph_of(dag), variable_order)


@given(dag_and_order(min_size=2, max_size=5))
def test_minimal_imap_is_an_imap_minimal_and_consistent(dag_and_order: tuple[DAG, list[str]]) -> None:
    dag, variable_order = dag_and_order
    imap = minimal_imap(dag, variable_order)
    assert oracles.is_consistent(imap.edges, variable_order)
    assert oracles.is_minimal_imap(oracles.graph_of(imap), oracles.graph_of(dag))


@given(dag_and_order())
def test_minimal_imap_is_its_own_minimal_imap(dag_and_order: tuple[DAG, list[str]]) -> None:
    dag, variable_order = dag_and_order
    imap = minimal_imap(dag, variable_order)
    assert minimal_imap(imap, variable_order) == imap


@given(dags())
def test_minimal_imap_under_an_order_of_the_network_is_the_network(dag: DAG) -> None:
    assert minimal_imap(dag, nx.lexicographical_topological_sort(oracles.graph_of(dag))) == dag


# Fusion


@given(dag_lists())
def test_fusion_is_the_union_of_the_minimal_imaps(graphs: list[DAG]) -> None:
    fusion = fuse(graphs)
    assert fusion.order == order(graphs)
    assert list(fusion.imaps) == [minimal_imap(dag, fusion.order) for dag in graphs]
    assert set(fusion.dag.edges) == {arc for imap in fusion.imaps for arc in imap.edges}
    assert oracles.is_consistent(fusion.dag.edges, fusion.order)


@given(dags_and_order())
def test_fusion_follows_a_given_order(graphs_and_order: tuple[list[DAG], list[str]]) -> None:
    graphs, variable_order = graphs_and_order
    fusion = fuse(graphs, order=variable_order)
    assert fusion.order == tuple(variable_order)
    expected = set().union(*(oracles.ancestral_imap(oracles.graph_of(dag), variable_order) for dag in graphs))
    assert set(fusion.dag.edges) == expected


@given(dag_lists(min_size=2, max_size=5, max_dags=3))
def test_fused_network_is_an_imap_of_every_input(graphs: list[DAG]) -> None:
    fused = oracles.graph_of(fuse(graphs).dag)
    assert all(oracles.is_imap(fused, oracles.graph_of(dag)) for dag in graphs)


@given(dags(), st.integers(1, 4))
def test_fusing_equal_networks_gives_that_network(dag: DAG, copies: int) -> None:
    fusion = fuse([dag] * copies)
    assert fusion.dag == dag
    assert list(fusion.imaps) == [dag] * copies


@given(dags_and_order(min_dags=2))
def test_fusion_does_not_depend_on_how_other_inputs_list_their_variables(
    graphs_and_listing: tuple[list[DAG], list[str]],
) -> None:
    graphs, listing = graphs_and_listing
    relisted = [graphs[0], *(DAG(listing, dag.edges) for dag in graphs[1:])]
    assert fuse(relisted) == fuse(graphs)


@pytest.mark.parametrize("size", [40, 130])
def test_fusion_does_not_depend_on_the_number_of_threads(size: int) -> None:
    graphs = [random_dag(seed, size) for seed in range(9)]
    alone = fuse(graphs, threads=1)
    assert fuse(graphs, threads=2) == alone
    assert fuse(graphs, threads=4) == alone
    assert fuse(graphs, threads=50) == alone
    assert fuse(graphs) == alone


def test_any_large_number_of_threads_is_accepted() -> None:
    graphs = [random_dag(seed, 10) for seed in range(3)]
    assert fuse(graphs, threads=10**12) == fuse(graphs)


@pytest.mark.skipif(sys.platform != "linux", reason="limits the address space")
def test_fusion_gets_done_where_threads_cannot_start() -> None:
    code = """
import resource
from bnfuse import DAG, fuse
names = [f"X{i}" for i in range(60)]
dags = [DAG(names, zip(names, names[1:]))] * 300
held = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (held + (100 << 20),) * 2)
print(len(fuse(dags, threads=256).imaps))
"""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert (done.stdout, done.stderr) == ("300\n", "")


def test_fusion_of_one_variable() -> None:
    alone = DAG(["A"])
    fusion = fuse([alone, alone])
    assert (fusion.dag, fusion.order, fusion.imaps) == (alone, ("A",), (alone, alone))


def test_fusion_without_arcs_has_no_arcs() -> None:
    empty = DAG(["A", "B", "C"])
    assert fuse([empty, empty]).dag == empty


# Sizes on both sides of each number of words


@pytest.mark.parametrize("size", WORD_BOUNDARIES)
def test_chain_turned_round_is_the_chain_backwards(size: int) -> None:
    dag = chain(size)
    backwards = tuple(reversed(dag.variables))
    imap = minimal_imap(dag, backwards)
    assert set(imap.edges) == {(target, source) for source, target in dag.edges}
    assert order([dag]) == dag.variables
    assert fuse([dag, dag], order=backwards).dag == imap


@pytest.mark.parametrize("size", WORD_BOUNDARIES)
def test_common_effect_put_first_joins_all_variables(size: int) -> None:
    dag = common_effect(size)
    effect_first = (dag.variables[-1], *dag.variables[:-1])
    expected = np.triu(np.ones((size, size), np.bool_), 1)
    expected[:, -1] = False
    expected[-1, :-1] = True
    assert np.array_equal(minimal_imap(dag, effect_first).to_adjacency(), expected)


@pytest.mark.parametrize("size", [size for size in WORD_BOUNDARIES if size >= 63])
def test_isolated_variables_change_nothing(size: int) -> None:
    core = [random_dag(seed, 24, 2.0) for seed in range(3)]
    wide = fuse([padded(dag, size) for dag in core], threads=1)
    narrow = fuse(core)
    assert wide.dag.edges == narrow.dag.edges
    assert tuple(name for name in wide.order if name in core[0].variables) == narrow.order


# Bad input


def test_empty_list_is_refused() -> None:
    with pytest.raises(OptionError, match="at least one network"):
        fuse([])
    with pytest.raises(OptionError, match="at least one network"):
        order([])


@pytest.mark.parametrize("networks", [DAG(["A"]), 5, None, [5], ["A"], "A", [DAG(["A"]), None]])
def test_what_is_no_list_of_networks_is_refused(networks: Any) -> None:
    with pytest.raises(OptionError, match="expected a"):
        fuse(networks)
    with pytest.raises(OptionError, match="expected a"):
        order(networks)


def test_different_variables_are_named() -> None:
    graphs = [DAG(["A", "B"]), DAG(["B", "A"]), DAG(["A", "C"])]
    with pytest.raises(MismatchError, match=r"network 3 lacks variable 'B', which network 1 has"):
        fuse(graphs)
    with pytest.raises(MismatchError, match=r"network 1 lacks variables 'C', 'D', which network 2 has"):
        order([DAG(["A", "B"]), DAG(["A", "B", "C", "D"])])


@pytest.mark.parametrize(
    ("bad_order", "message"),
    [
        (["A", "B"], "lacks 'C'"),
        (["A", "B", "B"], "lacks 'C'"),
        (["A", "B", "D"], "lacks 'C'"),
        (["A", "B", "C", "C"], "unknown or repeated"),
        (["A", "B", "C", "D"], "unknown or repeated"),
        ([], "lacks 'A', 'B', 'C'"),
    ],
)
def test_orders_that_are_no_permutation_are_refused(bad_order: list[str], message: str) -> None:
    dag = DAG(["A", "B", "C"], [("A", "B")])
    with pytest.raises(MismatchError, match=message):
        minimal_imap(dag, bad_order)
    with pytest.raises(MismatchError, match=message):
        fuse([dag], order=bad_order)
    with pytest.raises(MismatchError, match=message):
        order([dag], ties=bad_order)


@pytest.mark.parametrize("bad_order", [5, [["A"], ["B"]], [0, 1]])
def test_orders_of_a_wrong_type_are_refused(bad_order: Any) -> None:
    dag = DAG(["A", "B"])
    with pytest.raises(BnfuseError, match="order"):
        minimal_imap(dag, bad_order)
    with pytest.raises(BnfuseError, match="order"):
        fuse([dag], order=bad_order)


@pytest.mark.parametrize("threads", [0, -1, 1.5, "2", True])
def test_thread_counts_that_are_none_are_refused(threads: Any) -> None:
    with pytest.raises(OptionError, match="threads must be a whole number of at least 1"):
        fuse([DAG(["A"])], threads=threads)
