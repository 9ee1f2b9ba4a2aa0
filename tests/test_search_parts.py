"""What the searches are made of, each by itself: the vote, the floor, the kernel's chains, the options."""

from __future__ import annotations

from dataclasses import is_dataclass
from fractions import Fraction
from importlib import import_module
from pkgutil import walk_packages

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bnfuse
import oracles
from bnfuse import DAG, fsim, fuse, order
from bnfuse.search.chains import Heat, chains_of, rules_of, scored, voting_chain
from bnfuse.search.floor import floor
from bnfuse.search.majority import MajorityOptions, majority
from bnfuse.search.outcome import mean_distance, summed_distance
from bnfuse.search.paper.candidates import KINDS, Candidates
from bnfuse.search.paper.greedy import OFFERS, _offered
from bnfuse.search.run import Run
from strategies import chain, problem_of, random_dag, weighted_dag_lists


def voted(dags: list[DAG], weights: list[int], threshold: Fraction, forbidden: list[tuple[str, str]]) -> set:
    """The vote where no clique is too large: strongest pair first, the majority's direction, no cycle."""

    def count(source: str, target: str) -> int:
        return sum(weight for dag, weight in zip(dags, weights, strict=True) if (source, target) in dag.edges)

    names = dags[0].variables
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    graph = nx.DiGraph()
    for a, b in sorted(pairs, key=lambda pair: -(count(*pair) + count(*pair[::-1]))):
        if count(a, b) + count(b, a) <= threshold * sum(weights):
            continue
        ways = [(a, b), (b, a)] if count(a, b) >= count(b, a) else [(b, a), (a, b)]
        way = next((way for way in ways if way not in forbidden), None)
        if way and not (graph.has_node(way[1]) and graph.has_node(way[0]) and nx.has_path(graph, way[1], way[0])):
            graph.add_edge(*way)
    return set(graph.edges)


@given(weighted_dag_lists(3, 5), st.sampled_from(["0", "0.25", "0.5", "0.75"]), st.data())
def test_the_vote_takes_the_strongest_arcs_first_in_their_majority_direction(
    inputs: tuple[list[DAG], list[int]], threshold: str, data: st.DataObject
) -> None:
    dags, weights = inputs
    arcs = sorted({arc for dag in dags for arc in dag.edges})
    forbidden = data.draw(st.lists(st.sampled_from(arcs), max_size=2, unique=True))
    problem = problem_of(dags, 5, weights=weights, forbidden=forbidden)
    found = majority(problem, options=MajorityOptions(float(threshold)))
    assert set(found.dag.edges) == voted(dags, weights, Fraction(threshold), forbidden)


@given(weighted_dag_lists(2, 6))
def test_chains_count_gain_and_support_of_a_network_as_they_are_defined(inputs: tuple[list[DAG], list[int]]) -> None:
    dags, weights = inputs
    problem = problem_of(dags, 6, weights=weights)
    dag = max(dags, key=lambda one: len(one.edges))
    graphs = [oracles.graph_of(one) for one in dags]

    def summed(one: DAG) -> int:
        return sum(w * oracles.smhd(oracles.graph_of(one), g) for w, g in zip(problem.weights, graphs, strict=True))

    arcs = [tuple(arc) for arc in dag.arc_numbers.tolist()]
    for make, counted in (
        (lambda: chains_of(problem, 0, 1, Heat(1, 1)), problem.tally.arcs),
        (lambda: voting_chain(problem, 0, Heat(1, 1)), problem.worth),
    ):
        started = make()
        started.start_from(arcs)
        gain, support, kept, _ = started.current()
        assert sorted(kept) == sorted(arcs)
        assert gain == summed(DAG(dag.variables)) - summed(dag)
        assert support == sum(int(counted[arc]) for arc in arcs)
        assert scored(problem, dag, dag.variables).gain == gain


def test_an_input_that_is_further_than_the_vote_is_no_floor() -> None:
    base = chain(5)
    fewer = [DAG(base.variables, [arc for arc in base.edges if arc != left_out]) for left_out in base.edges]
    problem = problem_of(fewer, 3)
    assert floor(problem, Run()).method == "majority"
    assert set(floor(problem, Run()).dag.edges) == set(base.edges)


def test_an_input_that_is_closer_than_the_vote_is_the_floor() -> None:
    """No arc is in more than half of the inputs, but A and B are joined in the moral graphs of two out of three."""
    names = ["A", "B", "C"]
    dags = [DAG(names), DAG(names, [("B", "A")]), DAG(names, [("A", "C"), ("B", "C")])]
    found = floor(problem_of(dags, 2), Run())
    assert (found.method, found.dag, found.clique_size) == ("input", dags[1], 2)
    assert found.dag != majority(problem_of(dags, 2)).dag
    assert floor(problem_of(dags, 2, forbidden=[("B", "A")]), Run()).method == "majority"
    assert floor(problem_of(dags, 2, max_parents=0), Run()).method == "majority"


def test_the_floor_of_fsim_is_the_vote_though_an_input_is_closer() -> None:
    names = ["A", "B", "C"]
    dags = [DAG(names, [("A", "B"), ("C", "A")]), DAG(names), DAG(names, [("B", "A"), ("C", "A")])]
    problem = problem_of(dags, 3, "fsim")
    vote = majority(problem)
    assert summed_distance(problem, dags[1]) < summed_distance(problem, vote.dag)
    assert floor(problem, Run()) == vote


@pytest.mark.parametrize("kind", KINDS)
def test_genes_are_counted_and_offered_like_those_of_the_slow_twin(kind: str) -> None:
    for seed in range(4):
        dags = [random_dag(3 * seed + i, 6, 1.8) for i in range(3)]
        space = Candidates(problem_of(dags, 3, weights=[3, 1, 2]), kind, "inputs", "min-fill")
        twin = oracles.SlowCandidates(dags, kind, "inputs", "smhd", lambda labels, arcs: 1, [3, 1, 2])
        assert space.frequency.tolist() == [twin.frequency(gene) for gene in range(space.count)]
        for offer in OFFERS:
            assert _offered(space, offer).tolist() == twin.offered(offer)


@pytest.mark.parametrize("kind", KINDS)
def test_candidates_have_the_fsim_of_their_networks(kind: str) -> None:
    """Ties are broken by the order of the inputs, which is not that of the variables."""
    for seed in range(4):
        problem = problem_of([random_dag(3 * seed + i, 6, 1.8) for i in range(3)], 3, "fsim", weights=[3, 1, 2])
        space = Candidates(problem, kind, "inputs", "min-fill")
        genes = np.random.default_rng(seed).random((10, space.count)) < 0.7
        assert space.evaluate(genes).distance.tolist() == [
            summed_distance(problem, space.network(row)[0]) for row in genes
        ]


@pytest.mark.parametrize("metric", ["smhd", "fsim"])
def test_the_distance_to_the_fusion_is_measured_to_the_fusion_alone(metric: str) -> None:
    names = ["A", "B", "C", "D"]
    dags = [DAG(names, [("A", "B"), ("C", "B")]), DAG(names, [("B", "C"), ("C", "D")])]
    problem = problem_of(dags, 3, metric, "fused", weights=[1, 3])
    empty, fused = DAG(names), fuse(dags, order(dags, weights=[1, 3])).dag
    by_hand = bnfuse.smhd(empty, fused) if metric == "smhd" else fsim(empty, [fused])
    assert summed_distance(problem, empty) == by_hand > 0
    assert mean_distance(problem, empty) == by_hand


def test_what_is_passed_around_cannot_be_changed() -> None:
    """Options, problems and results are values: a public dataclass of the package is frozen."""
    modules = [
        import_module(one.name) for one in walk_packages(bnfuse.__path__, "bnfuse.") if "__main__" not in one.name
    ]
    named = {(name, kind) for module in modules for name, kind in vars(module).items() if is_dataclass(kind)}
    public = [kind for name, kind in named if not name.startswith("_") and kind.__module__.startswith("bnfuse.")]
    assert len(public) > 20
    assert [kind.__qualname__ for kind in public if not kind.__dataclass_params__.frozen] == []


@pytest.mark.parametrize("effort", ["quick", pytest.param("normal", marks=pytest.mark.long)])
def test_a_search_says_from_the_start_how_many_steps_it_has(effort: str) -> None:
    told: list[bnfuse.Progress] = []
    dags = [random_dag(seed, 20, 3.0) for seed in range(5)]
    found = bnfuse.consensus(dags, 3, directions="any", effort=effort, progress=told.append)
    assert found.gap, "a proven network would end it early"
    assert [progress.step for progress in told] == list(range(1, told[-1].steps + 1))
    assert len({progress.steps for progress in told}) == 1


def test_rare_arcs_are_tried_only_where_constraints_may_need_them() -> None:
    names = ["A", "B", "C"]
    dags = [DAG(names, [("A", "B")]), *[DAG(names, [("B", "C")])] * 39]
    free, bound = (
        rules_of(problem_of(dags, 3)),
        rules_of(problem_of(dags, 3, forbidden=[("C", "B")], required=[("A", "C")])),
    )
    assert free.tolist() == [[0, 0, 0], [0, 0, 1], [0, 1, 0]]
    assert bound.tolist() == [[0, 1, 2], [1, 0, 1], [0, 0, 0]]
