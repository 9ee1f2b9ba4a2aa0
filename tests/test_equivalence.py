"""Which arcs may be turned round within the Markov equivalence class, against the classes of all small DAGs."""

from __future__ import annotations

from collections import defaultdict
from itertools import product

import networkx as nx
import pytest
from hypothesis import given

import oracles
from bnfuse import DAG, consensus
from bnfuse.graphs.equivalence import reversible_arcs
from oracles import pattern
from strategies import dags, random_dag

Arcs = frozenset[tuple[int, int]]


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_reversible_arcs_are_those_that_the_class_has_both_ways(size: int) -> None:
    """All DAGs."""
    classes: dict[object, list[Arcs]] = defaultdict(list)
    for arcs in sorted(map(sorted, oracles.all_dags(size))):
        classes[pattern(arcs)].append(frozenset(arcs))
    for members in classes.values():
        union = frozenset().union(*members)
        for arcs in members:
            expected = {(str(a), str(b)) for a, b in arcs if (b, a) in union}
            dag = DAG([str(i) for i in range(size)], [(str(a), str(b)) for a, b in sorted(arcs)])
            assert set(reversible_arcs(dag)) == expected
            assert oracles.reversible_arcs(oracles.graph_of(dag)) == expected, "the oracle of larger ones"


@pytest.mark.parametrize("seed", range(60))
def test_five_variables_have_the_arcs_free_that_some_orientation_turns(seed: int) -> None:
    """Every way to direct the skeleton that has no cycle and the same v-structures."""
    dag = random_dag(seed, 5, 0.8 + seed % 3)
    numbers = [(a, b) for a, b in dag.arc_numbers.tolist()]
    own = pattern(numbers)
    free = set()
    for turned in product([False, True], repeat=len(numbers)):
        arcs = [(b, a) if turn else (a, b) for (a, b), turn in zip(numbers, turned, strict=True)]
        if pattern(arcs) == own and nx.is_directed_acyclic_graph(nx.DiGraph(arcs)):
            free |= {arc for arc, turn in zip(dag.edges, turned, strict=True) if turn}
    assert set(reversible_arcs(dag)) == free
    assert oracles.reversible_arcs(oracles.graph_of(dag)) == free


@given(dags(2, 8))
def test_an_arc_without_other_parents_on_either_side_is_free(dag: DAG) -> None:
    """A covered arc (Chickering 1995): its two ends have the same other parents."""
    free = set(reversible_arcs(dag))
    for source, target in dag.edges:
        if set(dag.parents(target)) - {source} == set(dag.parents(source)):
            assert (source, target) in free


@given(dags(2, 8))
def test_what_is_free_stays_free_after_a_covered_arc_is_turned(dag: DAG) -> None:
    free = {frozenset(arc) for arc in reversible_arcs(dag)}
    for source, target in dag.edges:
        if set(dag.parents(target)) - {source} == set(dag.parents(source)):
            arcs = [arc for arc in dag.edges if arc != (source, target)]
            turned = DAG(dag.variables, [*arcs, (target, source)])
            assert {frozenset(arc) for arc in reversible_arcs(turned)} == free


@pytest.mark.parametrize("seed", range(30))
def test_larger_networks_agree_with_meeks_rules(seed: int) -> None:
    dag = random_dag(seed, 30, 0.7 + seed % 4 * (0.3 if seed % 2 else 1.2))  # some are dense
    assert set(reversible_arcs(dag)) == oracles.reversible_arcs(oracles.graph_of(dag))


def test_a_tree_is_free_and_v_structures_are_not() -> None:
    names = [f"V{i}" for i in range(300)]
    tree = DAG(names, [(names[(i - 1) // 2], names[i]) for i in range(1, 300)])
    assert reversible_arcs(tree) == tree.edges
    assert reversible_arcs(DAG(list("ABCD"), [("A", "C"), ("B", "C"), ("C", "D")])) == ()


def test_a_result_marks_them_arc_by_arc() -> None:
    result = consensus([random_dag(seed, 12, 1.2) for seed in range(3)], 4, effort="quick")
    assert result.reversible == reversible_arcs(result.dag)
    assert tuple(one.arc for one in result.support() if one.is_reversible) == result.reversible
