"""SHD, SMHD and FSim, against slow twins, gadjid, and what a distance must satisfy."""

from __future__ import annotations

from itertools import combinations
from statistics import fmean
from typing import Any

import gadjid
import numpy as np
import pytest
from hypothesis import given

import oracles
from bnfuse import DAG, BnfuseError, MismatchError, Network, OptionError, fsim, order, shd, smhd
from strategies import (
    WORD_BOUNDARIES,
    common_effect,
    dag_and_order,
    dag_lists,
    dag_pairs,
    dags,
    dags_and_order,
    padded,
    random_dag,
)

DISTANCES = [shd, smhd, fsim]


# Against other implementations


@given(dag_pairs())
def test_shd_equals_its_definition_and_gadjid(pair: tuple[DAG, DAG]) -> None:
    a, b = pair
    assert shd(a, b) == oracles.shd(oracles.graph_of(a), oracles.graph_of(b))
    assert shd(a, b) == gadjid.shd(a.to_adjacency().astype(np.int8), b.to_adjacency().astype(np.int8))[1]


@given(dag_pairs())
def test_smhd_equals_its_definition(pair: tuple[DAG, DAG]) -> None:
    a, b = pair
    assert smhd(a, b) == oracles.smhd(oracles.graph_of(a), oracles.graph_of(b))


@pytest.mark.parametrize("directed", [True, False])
@given(dags_and_order(min_dags=2, max_dags=2))
def test_fsim_equals_its_definition(directed: bool, pair_and_ties: tuple[list[DAG], list[str]]) -> None:
    (a, b), ties = pair_and_ties
    twins = oracles.graph_of(a), oracles.graph_of(b)
    assert fsim(a, b, directed=directed) == oracles.fsim(*twins, a.variables, directed)
    assert fsim(a, b, ties=ties, directed=directed) == oracles.fsim(*twins, ties, directed)


@pytest.mark.parametrize("size", [63, 64, 65, 127, 128, 129])
def test_distances_equal_their_definitions_on_larger_networks(size: int) -> None:
    a, b = random_dag(1, size, 1.0), random_dag(2, size, 1.0)
    twins = oracles.graph_of(a), oracles.graph_of(b)
    assert shd(a, b) == oracles.shd(*twins)
    assert smhd(a, b) == oracles.smhd(*twins)
    if size < 70:  # the literal order takes seconds beyond
        assert fsim(a, b) == oracles.fsim(*twins, a.variables)


# What they must satisfy


@given(dags())
def test_a_network_is_at_distance_zero_from_itself(dag: DAG) -> None:
    assert shd(dag, dag) == smhd(dag, dag) == fsim(dag, dag) == fsim(dag, [dag, dag]) == 0


@given(dag_pairs())
def test_distances_are_symmetric(pair: tuple[DAG, DAG]) -> None:
    a, b = pair
    assert all(distance(a, b) == distance(b, a) for distance in DISTANCES)


@given(dag_lists(min_dags=3, max_dags=3))
def test_shd_and_smhd_satisfy_the_triangle_inequality(graphs: list[DAG]) -> None:
    a, b, c = graphs
    assert shd(a, c) <= shd(a, b) + shd(b, c)
    assert smhd(a, c) <= smhd(a, b) + smhd(b, c)


@given(dag_lists(min_dags=2))
def test_distance_to_a_list_is_the_mean(graphs: list[DAG]) -> None:
    a, *others = graphs
    assert shd(a, others) == fmean(shd(a, b) for b in others)
    assert smhd(a, others) == fmean(smhd(a, b) for b in others)


@given(dags_and_order(min_dags=2))
def test_fsim_to_a_list_is_the_mean_of_pairs_with_the_same_ties(graphs_and_ties: tuple[list[DAG], list[str]]) -> None:
    (a, *others), ties = graphs_and_ties
    assert fsim(a, others, ties=ties) == fmean(fsim(a, b, ties=ties) for b in others)
    of_list = order([dag.reordered(a.variables) for dag in others])
    assert fsim(a, others) == fmean(fsim(a, b, ties=of_list) for b in others)


@given(dags_and_order(min_dags=2))
def test_shd_and_smhd_do_not_depend_on_any_order(graphs_and_listing: tuple[list[DAG], list[str]]) -> None:
    (a, *others), listing = graphs_and_listing
    relisted = [DAG(listing, reversed(dag.edges)) for dag in reversed(others)]
    for distance in (shd, smhd):
        assert distance(a, relisted) == distance(DAG(listing, a.edges), others) == distance(a, others)


@given(dags_and_order(min_dags=2))
def test_fsim_with_given_ties_does_not_depend_on_any_order(graphs_and_listing: tuple[list[DAG], list[str]]) -> None:
    (a, *others), listing = graphs_and_listing
    ties = sorted(listing)
    relisted = [DAG(listing, dag.edges) for dag in reversed(others)]
    assert fsim(DAG(listing, a.edges), relisted, ties=ties) == fsim(a, others, ties=ties)


@given(dags())
def test_smhd_to_no_arcs_counts_the_moral_edges(dag: DAG) -> None:
    families = [(*dag.parents(variable), variable) for variable in dag.variables]
    moral_edges = {frozenset(pair) for family in families for pair in combinations(family, 2)}
    assert smhd(dag, DAG(dag.variables)) == len(moral_edges)


@given(dag_and_order())
def test_undirected_fsim_is_at_most_the_directed_one(dag_and_ties: tuple[DAG, list[str]]) -> None:
    dag, ties = dag_and_ties
    other = DAG(dag.variables, [(b, a) for a, b in dag.edges])
    assert fsim(dag, other, ties=ties, directed=False) <= fsim(dag, other, ties=ties)


def test_a_reversal_counts_once_in_shd_and_not_at_all_in_smhd() -> None:
    forth, back = DAG(["A", "B"], [("A", "B")]), DAG(["A", "B"], [("B", "A")])
    assert shd(forth, back) == 1
    assert smhd(forth, back) == 0
    # Under either order one of the two maps differs from its network, by the direction alone.
    assert fsim(forth, back) == 1
    assert fsim(forth, back, directed=False) == 0


def test_a_single_network_gives_a_whole_number_and_a_list_a_mean() -> None:
    a, b = DAG(["A", "B"], [("A", "B")]), DAG(["A", "B"])
    for distance in DISTANCES:
        assert type(distance(a, b)) is int
        assert distance(a, [a, b]) == distance(a, b) / 2
        assert distance(a, iter([a, b])) == distance(a, b) / 2


def test_fsim_does_not_depend_on_the_number_of_threads() -> None:
    a, *others = [random_dag(seed, 40) for seed in range(8)]
    alone = fsim(a, others, threads=1)
    assert all(fsim(a, others, threads=threads) == alone for threads in (2, 4, 50, None))


def test_networks_of_all_kinds_can_be_compared() -> None:
    a, b = random_dag(1, 10), random_dag(2, 10)
    for distance in DISTANCES:
        assert distance(a.to_networkx(), b) == distance(a, b)
        assert distance(Network(a), [Network(b, name="b")]) == distance(a, [b])


# Sizes on both sides of each number of words


@pytest.mark.parametrize("size", WORD_BOUNDARIES)
def test_distances_of_a_common_effect_to_no_arcs(size: int) -> None:
    dag = common_effect(size)
    empty = DAG(dag.variables)
    assert shd(dag, empty) == size - 1
    assert smhd(dag, empty) == size * (size - 1) // 2
    assert fsim(dag, empty, threads=1) == size - 1


@pytest.mark.parametrize("size", [size for size in WORD_BOUNDARIES if size >= 63])
def test_isolated_variables_change_nothing(size: int) -> None:
    a, b = random_dag(1, 24, 2.0), random_dag(2, 24, 2.0)
    wide_a, wide_b = padded(a, size), padded(b, size)
    for distance in DISTANCES:
        assert distance(wide_a, wide_b) == distance(a, b)
    assert fsim(wide_a, wide_b, directed=False) == fsim(a, b, directed=False)


# Bad input


@pytest.mark.parametrize("distance", DISTANCES)
def test_empty_list_is_refused(distance: Any) -> None:
    with pytest.raises(OptionError, match="at least one network"):
        distance(DAG(["A"]), [])


@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("bad", [None, 5, "A", [None], [DAG(["A"]), "A"]])
def test_what_is_no_network_is_refused(distance: Any, bad: Any) -> None:
    with pytest.raises(OptionError, match="expected a"):
        distance(DAG(["A"]), bad)
    with pytest.raises(OptionError, match="expected a"):
        distance(bad, DAG(["A"]))


@pytest.mark.parametrize("distance", DISTANCES)
def test_different_variables_are_named(distance: Any) -> None:
    a, b = Network(DAG(["A", "B"]), name="north"), Network(DAG(["A", "C"]), name="south")
    with pytest.raises(MismatchError, match="network 'south' lacks variable 'B', which network 'north' has"):
        distance(a, b)
    with pytest.raises(MismatchError, match="network 'south' lacks variable 'B', which network 'north' has"):
        distance(a, [a, b])


@pytest.mark.parametrize("ties", [["A"], ["A", "A"], ["A", "C"], ["A", "B", "C"], 5])
def test_ties_that_are_no_permutation_are_refused(ties: Any) -> None:
    dag = DAG(["A", "B"])
    with pytest.raises(BnfuseError, match="order"):
        fsim(dag, dag, ties=ties)


@pytest.mark.parametrize("threads", [0, -1, 1.5, "2"])
def test_thread_counts_that_are_none_are_refused(threads: Any) -> None:
    dag = DAG(["A"])
    with pytest.raises(OptionError, match="threads must be a whole number of at least 1"):
        fsim(dag, dag, threads=threads)
