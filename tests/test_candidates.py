"""Candidates of the pruning searches: decoding and value, against a slow twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from bnfuse import DAG
from bnfuse.search.outcome import Found
from bnfuse.search.paper.candidates import Candidates, Genes
from bnfuse.search.run import Run
from candidate_twin import KINDS, METRICS, ORDERS, arcs_of, twin_of
from strategies import padded, problem_of, random_dag, weighted_dag_lists

TARGETS = ["inputs", "fused"]


def chromosomes(count: int, rows: int, seed: int = 0) -> Genes:
    """None kept, all kept, and random ones with few, half or most kept."""
    share = np.linspace(0.1, 0.9, rows)[:, None]
    random = np.random.default_rng(seed).random((rows, count)) < share
    return np.concatenate((np.zeros((1, count), np.bool_), np.ones((1, count), np.bool_), random))


# Decoding and value


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=30)
@given(
    weighted_dag_lists(),
    st.sampled_from(METRICS),
    st.sampled_from(TARGETS),
    st.sampled_from(["min-fill", "mcs"]),
    st.integers(0, 99),
)
def test_networks_and_values_equal_those_of_the_slow_twin(
    kind: str,
    order: str,
    inputs: tuple[list[DAG], list[int]],
    metric: str,
    target: str,
    triangulation: str,
    seed: int,
) -> None:
    dags, weights = inputs
    problem = problem_of(dags, 3, metric, target, weights=weights)
    space = Candidates(problem, kind, order, triangulation)
    twin = twin_of(dags, kind, order, metric, problem.weights, target, triangulation)
    assert space.count == len(twin.genes)
    genes = chromosomes(space.count, 4, seed)
    assert space.evaluate(genes).numbers.tolist() == [list(twin.value(row)) for row in genes.tolist()]
    for row in genes:
        assert arcs_of(space.network(row)[0]) == oracles.arcs_of(twin.network(row.tolist()))
        pruned = space.pruned(row)
        if kind == "fused":
            assert pruned is None
        else:
            assert pruned is not None
            assert [arcs_of(dag) for dag in pruned] == [oracles.arcs_of(graph) for graph in twin.pruned(row.tolist())]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", [64, 65, 70, 130, 257])
def test_values_do_not_depend_on_variables_without_arcs(kind: str, order: str, size: int) -> None:
    """The same arcs spread over several words: what has no arc has no part in any order, map, distance or clique."""
    small = [random_dag(seed, 9, 1.3) for seed in range(3)]
    large = [padded(dag, size) for dag in small]
    for metric in METRICS:
        spaces = [Candidates(problem_of(dags, 3, metric), kind, order, "min-fill") for dags in (small, large)]
        genes = chromosomes(spaces[0].count, 10)
        first, second = (space.evaluate(genes) for space in spaces)
        assert first.numbers.tolist() == second.numbers.tolist()
        assert [arcs_of(spaces[0].network(row)[0]) for row in genes] == [
            arcs_of(spaces[1].network(row)[0]) for row in genes
        ]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("size", "order"), [(70, "inputs"), (130, "inputs"), (70, "candidate")])
def test_values_of_larger_networks_equal_those_of_the_slow_twin(kind: str, size: int, order: str) -> None:
    dags = [random_dag(seed, size, 0.8, reach=3) for seed in range(2)]
    twin = twin_of(dags, kind, order, weights=(1, 2))
    space = Candidates(problem_of(dags, 3, weights=[1, 2]), kind, order, "min-fill")
    genes = chromosomes(space.count, 1)[1:]
    assert space.evaluate(genes).numbers.tolist() == [list(twin.value(row)) for row in genes.tolist()]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("kind", KINDS)
def test_values_depend_neither_on_threads_nor_on_what_was_evaluated_before(kind: str, metric: str, order: str) -> None:
    dags = [random_dag(seed, 70, 1.0, reach=4) for seed in range(4)]

    def space(threads: int) -> Candidates:
        return Candidates(problem_of(dags, 3, metric), kind, order, "min-fill", Run(threads=threads))

    one, three = space(1), space(3)
    genes = chromosomes(one.count, 20)
    numbers = one.evaluate(genes).numbers.tolist()
    assert three.evaluate(genes).numbers.tolist() == numbers
    assert one.evaluate(genes).numbers.tolist() == numbers
    assert three.evaluate(genes[::-1].copy()).numbers.tolist() == numbers[::-1]
    alone = space(1)
    assert [alone.evaluate(row[None]).numbers.tolist()[0] for row in genes] == numbers


def test_values_survive_the_cache_of_maps_being_full() -> None:
    """Over 16 MB of minimal I-maps the cache starts anew: 3 inputs of 600 variables take 0.23 MB a candidate."""
    dags = [random_dag(seed, 600, 0.5, reach=3) for seed in range(3)]
    space = Candidates(problem_of(dags, 3), "per-network", "inputs", "min-fill")
    genes = chromosomes(space.count, 150)
    numbers = space.evaluate(genes).numbers.tolist()
    again = Candidates(problem_of(dags, 3), "per-network", "inputs", "min-fill")
    assert [again.evaluate(row[None]).numbers.tolist()[0] for row in genes[::10]] == numbers[::10]
    assert space.evaluate(genes[::10].copy()).numbers.tolist() == numbers[::10]


@given(weighted_dag_lists())
def test_all_genes_kept_give_the_full_fusion(inputs: tuple[list[DAG], list[int]]) -> None:
    dags, weights = inputs
    problem = problem_of(dags, 2, weights=weights)
    for kind in KINDS:
        space = Candidates(problem, kind, "inputs", "min-fill")
        assert space.network(np.ones(space.count, np.bool_))[0] == problem.fusion.dag
        assert not space.network(np.zeros(space.count, np.bool_))[0].edges


def test_genes_are_in_lexicographic_order() -> None:
    """By the order of the variables, not of their names; per network by input first."""
    names = ["C", "A", "B"]
    first, second = DAG(names, [("A", "B"), ("C", "B")]), DAG(names, [("A", "B"), ("C", "A")])
    problem = problem_of([first, second], 3)
    shared = Candidates(problem, "shared", "inputs", "min-fill")
    # rows are (input, from, to, gene): C -> A, C -> B, A -> B are genes 0, 1, 2
    assert shared.arcs.tolist() == [[0, 0, 2, 1], [0, 1, 2, 2], [1, 0, 1, 0], [1, 1, 2, 2]]
    assert shared.frequency.tolist() == [1, 1, 2]
    single = Candidates(problem, "per-network", "inputs", "min-fill")
    assert single.arcs.tolist() == [[0, 0, 2, 0], [0, 1, 2, 1], [1, 0, 1, 2], [1, 1, 2, 3]]
    assert single.frequency.tolist() == [1, 2, 1, 2]


@given(weighted_dag_lists(), st.sampled_from(KINDS))
def test_frequencies_are_the_weight_of_the_inputs_with_the_arc(inputs: tuple[list[DAG], list[int]], kind: str) -> None:
    dags, weights = inputs
    problem = problem_of(dags, 3, weights=weights)
    twin = twin_of(dags, kind, weights=problem.weights)
    space = Candidates(problem, kind, "inputs", "min-fill")
    assert space.frequency.tolist() == [twin.frequency(gene) for gene in range(space.count)]


@pytest.mark.parametrize("kind", KINDS)
@given(weighted_dag_lists(max_size=5), st.integers(0, 99))
def test_the_genes_of_what_was_found_give_it_again(kind: str, inputs: tuple[list[DAG], list[int]], seed: int) -> None:
    dags, weights = inputs
    space = Candidates(problem_of(dags, 5, weights=weights), kind, "inputs", "min-fill")
    for row in chromosomes(space.count, 3, seed):
        genes = space.genes_of(space.found("genetic", row, (), "finished"))
        assert genes is not None
        assert genes.tolist() == row.tolist()


def test_what_no_genes_stand_for_has_none() -> None:
    names = ["A", "B", "C"]
    dags = [DAG(names, [("A", "B")]), DAG(names, [("B", "C")])]
    strange = Found.of(problem_of(dags, 3), "majority", DAG(names, [("A", "C")]))
    for kind in KINDS:
        assert Candidates(problem_of(dags, 3), kind, "inputs", "min-fill").genes_of(strange) is None
