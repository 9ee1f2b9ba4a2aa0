"""Inputs over different variables: votes on the pairs that each has, unions, shared variables, marginals, pooling."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from bnfuse import DAG, Consensus, FileError, MismatchError, Network, OptionError, Tally, consensus, frontier
from bnfuse.inference.parameters import pool
from bnfuse.problem.inputs import InputOptions
from brute_force import all_dags
from strategies import dag_lists, random_dag, small_networks, weighted_dag_lists

Partial = tuple[list[DAG], list[int]]


def partial_problem(seed: object, size: int) -> Partial:
    """Inputs of which each has some of the variables, two at least, in an order of its own; all of them have all."""
    rng = random.Random(f"partial {seed}")
    while True:
        inputs = []
        for _ in range(rng.randint(2, 6)):
            whole = random_dag(rng.randrange(10**6), size, rng.choice([0.8, 1.2, 2.0]))
            own = rng.sample(whole.variables, rng.randint(2, size))
            inputs.append(DAG(own, [arc for arc in whole.edges if set(arc) <= set(own)]))
        if len({name for dag in inputs for name in dag.variables}) == size:
            return inputs, [1, *(rng.randint(1, 4) for _ in inputs[1:])]


def distance_on_own_pairs(metric: str, graph: nx.DiGraph, dag: DAG) -> int:
    """How a network differs from an input on the pairs of which the input has both variables."""
    own = oracles.graph_of(dag)
    if metric == "shd":
        return oracles.shd(graph.subgraph(dag.variables), own)
    pairs = {frozenset(pair) for pair in combinations(dag.variables, 2)}
    return len((oracles.moral_edges(graph) & pairs) ^ oracles.moral_edges(own))


def mean_distance(metric: str, dag: DAG, inputs: Sequence[DAG], weights: Sequence[int]) -> float:
    graph = oracles.graph_of(dag)
    summed = sum(w * distance_on_own_pairs(metric, graph, own) for own, w in zip(inputs, weights, strict=True))
    return summed / sum(weights)


def unjudged(inputs: Sequence[DAG], variables: Sequence[str]) -> set[frozenset[str]]:
    return {
        frozenset(pair)
        for pair in combinations(variables, 2)
        if not any(set(pair) <= set(dag.variables) for dag in inputs)
    }


# The union


@pytest.mark.parametrize("metric", ["smhd", "shd"])
@pytest.mark.parametrize(("size", "count"), [(3, 40), (4, 20), pytest.param(5, 12, marks=pytest.mark.long)])
def test_the_best_of_all_networks_is_found_and_the_bound_holds(metric: str, size: int, count: int) -> None:
    known = all_dags(size)
    for number in range(count):
        inputs, weights = partial_problem((number, metric), size)
        for limit in range(2, size + 1):
            options: dict[str, Any] = {"weights": weights, "effort": "quick", "directions": "any"}
            result = consensus(inputs, limit, metric, variables="union", **options)
            names = result.dag.variables
            blind = unjudged(inputs, names)
            assert result.distance == pytest.approx(mean_distance(metric, result.dag, inputs, weights))
            assert not blind & {frozenset(arc) for arc in result.dag.edges}
            allowed = known.clique <= limit
            for place, (a, b) in enumerate(known.arcs):
                if frozenset((names[a], names[b])) in blind:
                    allowed &= known.has_arc[:, place] == 0
            least = brute_force(metric, names, inputs, weights)[allowed].min() / sum(weights)
            assert result.lower_bound is not None
            assert result.lower_bound <= least + 1e-9
            assert result.distance == pytest.approx(least), (number, limit)


def brute_force(metric: str, names: Sequence[str], inputs: Sequence[DAG], weights: Sequence[int]) -> Any:
    """The summed distance of every network."""
    known = all_dags(len(names))
    summed = np.zeros(len(known.clique), np.int64)
    arc_place = {arc: i for i, arc in enumerate(known.arcs)}
    for dag, weight in zip(inputs, weights, strict=True):
        own, moral = set(dag.edges), oracles.moral_edges(oracles.graph_of(dag))
        for place, (a, b) in enumerate(known.edges):
            one, other = names[a], names[b]
            if not {one, other} <= set(dag.variables):
                continue
            if metric == "smhd":
                summed += weight * (known.has_edge[:, place] != (frozenset((one, other)) in moral))
            else:
                joined = known.has_arc[:, arc_place[a, b]] + 2 * known.has_arc[:, arc_place[b, a]]
                summed += weight * (joined != ((one, other) in own) + 2 * ((other, one) in own))
    return summed


@settings(max_examples=60)
@given(
    weighted_dag_lists(), st.integers(2, 4), st.sampled_from(["smhd", "shd"]), st.sampled_from(["direct", "majority"])
)
def test_the_same_variables_everywhere_change_nothing(inputs: Partial, limit: int, metric: str, method: str) -> None:
    dags, weights = inputs
    alike = [
        consensus(dags, limit, metric, method, weights=weights, variables=which)
        for which in ("same", "union", "shared")
    ]
    assert alike[0] == alike[1] == alike[2]
    assert alike[0].lower_bound == alike[1].lower_bound
    assert alike[0].unjudged == ()


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.sampled_from(["smhd", "shd"]), st.sampled_from(["direct", "majority"]))
def test_every_result_is_valid(seed: int, metric: str, method: str) -> None:
    inputs, weights = partial_problem(seed, 7)
    result = consensus(inputs, 3, metric, method, variables="union", weights=weights, threads=1)
    graph = oracles.graph_of(result.dag)
    assert max(oracles.cliques_along(oracles.moral_graph(graph), result.elimination_order)) <= 3
    assert result.distances == tuple(distance_on_own_pairs(metric, graph, dag) for dag in inputs)
    assert result.distance == pytest.approx(mean_distance(metric, result.dag, inputs, weights))
    assert {frozenset(pair) for pair in result.unjudged} == unjudged(inputs, result.dag.variables)
    assert list(result.dag.variables) == list(dict.fromkeys(name for dag in inputs for name in dag.variables))
    total = sum(weights)
    for one in result.support():
        voting = [i for i, dag in enumerate(inputs) if set(one.arc) <= set(dag.variables)]
        having = [i for i in voting if one.arc in inputs[i].edges]
        voters = sum(weights[i] for i in voting)
        assert one.share == pytest.approx(sum(weights[i] for i in having) / voters)
        assert one.seen_share == pytest.approx(voters / total)
        assert one.inputs == tuple(str(i + 1) for i in having)
        assert one.blind_inputs == tuple(str(i + 1) for i in range(len(inputs)) if i not in voting)


def test_a_vote_needs_more_than_half_of_those_who_can_see() -> None:
    ab, rest = DAG(["A", "B"], [("A", "B")]), DAG(["B", "C"])
    for method in ("direct", "majority"):
        found = consensus([ab, rest, rest, rest], variables="union", method=method)
        assert found.dag.edges == (("A", "B"),)
        assert found.unjudged == (("A", "C"),)
        assert found.distance == 0
        assert found.gap == 0


def test_a_pair_that_nobody_saw_is_joined_only_where_it_is_required() -> None:
    inputs = [DAG(["A", "B"], [("A", "B")]), DAG(["B", "C"], [("C", "B")])]
    assert set(consensus(inputs, variables="union").dag.edges) == {("A", "B"), ("C", "B")}
    told = consensus(inputs, variables="union", required=[("A", "C")])
    assert ("A", "C") in told.dag.edges
    assert next(one for one in told.support() if one.arc == ("A", "C")).seen_share == 0


def test_a_result_is_the_same_on_any_number_of_threads_and_after_saving(tmp_path: Path) -> None:
    inputs, weights = partial_problem("threads", 12)
    options: dict[str, Any] = {"variables": "union", "weights": weights, "effort": "quick"}
    one, two = (consensus(inputs, 3, threads=threads, **options) for threads in (1, 2))
    assert one == two
    one.save(tmp_path / "saved.json")
    loaded = Consensus.load(tmp_path / "saved.json")
    assert loaded == one
    assert loaded.problem.inputs.options == one.problem.inputs.options == InputOptions("union")
    assert loaded.distances == one.distances
    assert loaded.support() == one.support()
    assert loaded.compared() == one.compared()


def test_a_frontier_never_gets_worse_with_the_limit() -> None:
    inputs, weights = partial_problem("frontier", 9)
    found = frontier(inputs, variables="union", weights=weights, effort="quick")
    assert [one.distance for one in found] == sorted((one.distance for one in found), reverse=True)


def test_an_input_of_weight_0_brings_no_variables() -> None:
    inputs = [DAG(["A", "B"], [("A", "B")]), DAG(["B", "C"], [("B", "C")])]
    assert consensus(inputs, variables="union", weights=[1, 0]).dag.variables == ("A", "B")
    assert consensus(inputs, variables="shared", weights=[1, 0]).dag.variables == ("A", "B")


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"metric": "fsim"}, "fsim"),
        ({"target": "fused"}, "the target fused"),
        ({"method": "greedy"}, "the greedy search"),
        ({"method": "genetic"}, "the genetic search"),
    ],
)
def test_what_fuses_needs_the_same_variables(options: dict[str, Any], what: str) -> None:
    inputs = [DAG(["A", "B"], [("A", "B")]), DAG(["B", "C"])]
    with pytest.raises(OptionError, match=f"{what} needs inputs over the same variables, but '1' lacks 'C'"):
        consensus(inputs, variables="union", **options)


def test_different_variables_are_refused_unless_asked_for() -> None:
    inputs = [DAG(["A", "B"]), DAG(["B", "C"])]
    with pytest.raises(MismatchError, match="lacks variable 'A'"):
        consensus(inputs)


def test_names_that_look_alike_are_pointed_out() -> None:
    def notes(*inputs: DAG) -> tuple[str, ...]:
        return consensus(inputs, variables="union").notes

    (note,) = notes(DAG(["COPD", "Cough"], [("COPD", "Cough")]), DAG(["copd", "Cough"], [("copd", "Cough")]))
    assert note == (
        "'COPD' and 'copd' look alike: if they are one variable, bnfuse.align(networks) proposes common names"
    )
    assert not notes(DAG(["COPD", "copd"], [("COPD", "copd")]), DAG(["copd", "Cough"], [("copd", "Cough")]))


# Tallies


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.sampled_from(["smhd", "shd"]))
def test_tallies_of_parts_add_up_to_the_same_consensus(seed: int, metric: str) -> None:
    inputs, weights = partial_problem(seed, 6)
    whole = consensus(inputs, 3, metric, variables="union", weights=weights, effort="quick")
    together = Tally(whole.dag.variables)
    for dag, weight in zip(inputs, weights, strict=True):
        together.add(dag, weight, partly=True)
    assert together == whole.problem.tally
    each = []
    for dag, weight in zip(inputs, weights, strict=True):
        tally = Tally(dag.variables)
        tally.add(dag, weight)
        each.append(tally)
    merged = consensus(each, 3, metric, variables="union", effort="quick")
    assert merged.problem.tally == whole.problem.tally
    assert merged.dag == whole.dag
    assert merged.lower_bound == whole.lower_bound
    assert merged.unjudged == whole.unjudged


def test_seen_pairs_are_counted_by_weight() -> None:
    tally = Tally(["A", "B", "C"])
    tally.add(DAG(["A", "B"], [("A", "B")]), 2, partly=True)
    tally.add(DAG(["C", "B", "A"], [("C", "B")]), 3, partly=True)
    assert tally.seen.tolist() == [[5, 5, 3], [5, 5, 3], [3, 3, 3]]
    assert not tally.is_whole
    assert tally.moral.tolist() == [[0, 2, 0], [2, 0, 3], [0, 3, 0]]


def test_a_tally_of_parts_survives_its_file(tmp_path: Path) -> None:
    inputs, weights = partial_problem("file", 6)
    tally = consensus(inputs, variables="union", weights=weights, effort="quick").problem.tally
    tally.save(tmp_path / "parts.tally")
    assert Tally.load(tmp_path / "parts.tally") == tally
    assert (
        consensus(Tally.load(tmp_path / "parts.tally"), effort="quick").unjudged
        == consensus(inputs, variables="union", weights=weights, effort="quick").unjudged
    )


@pytest.mark.parametrize("blind", [[[1, 0, 5]], [[0, 0, 10]], [[0, 1, 5]], [[0, 1, 11]], [[0, 1, -1]], [[0, 3, 1]]])
def test_a_tally_whose_blind_inputs_contradict_each_other_is_damaged(blind: list[list[int]], tmp_path: Path) -> None:
    content = {"kind": "bnfuse tally", "version": 2, "weight": 10, "variables": ["A", "B", "C"]}
    content |= {"moral": [[0, 1, 4]], "arcs": [[0, 1, 4]], "blind": blind}
    (tmp_path / "bad.tally").write_text(json.dumps(content))
    with pytest.raises(FileError, match="is a damaged tally"):
        Tally.load(tmp_path / "bad.tally")


def test_a_tally_refuses_variables_that_it_does_not_have() -> None:
    tally = Tally(["A", "B"])
    with pytest.raises(MismatchError, match="'C'"):
        tally.add(DAG(["B", "C"]), partly=True)
    with pytest.raises(MismatchError, match="'A'"):
        tally.add(DAG(["B"]))
    with pytest.raises(OptionError, match="shared needs networks"):
        consensus([tally, Tally(["B"])], variables="shared")


# Shared variables


@settings(max_examples=60)
@given(st.integers(0, 10**6))
def test_shared_variables_have_the_arcs_among_them(seed: int) -> None:
    inputs, weights = partial_problem(seed, 6)
    shared = [name for name in inputs[0].variables if all(name in dag.variables for dag in inputs)]
    if not shared:
        with pytest.raises(MismatchError, match="the inputs share no variable"):
            consensus(inputs, variables="shared", weights=weights)
        return
    among = [DAG(shared, [arc for arc in dag.edges if set(arc) <= set(shared)]) for dag in inputs]
    found = consensus(inputs, 3, variables="shared", weights=weights, effort="quick")
    assert found.dag.variables == tuple(shared)
    assert found == consensus(among, 3, weights=weights, effort="quick")


@settings(max_examples=80)
@given(dag_lists(min_size=2, max_size=6, min_dags=1, max_dags=1), st.data())
def test_a_marginal_is_a_minimal_map_of_the_independences_among_the_rest(dags: list[DAG], data: st.DataObject) -> None:
    (dag,) = dags
    kept = data.draw(st.lists(st.sampled_from(dag.variables), min_size=1, max_size=len(dag.variables) - 1, unique=True))
    marginal = consensus([dag, DAG(kept)], variables="shared", marginalise=True, weights=[5, 1]).problem.dags[0]
    graph, own = oracles.graph_of(dag), oracles.graph_of(marginal)
    order = list(nx.topological_sort(own))
    assert all(before in kept for before in order)
    for place, name in enumerate(order):
        # The parents of each are what separates it from all others before it, and no fewer do.
        parents, before = set(own.predecessors(name)), set(order[:place])
        others = before - parents
        assert not others or nx.is_d_separator(graph, {name}, others, parents)
        for parent in parents:
            assert not nx.is_d_separator(graph, {name}, others | {parent}, parents - {parent})


def test_what_runs_through_a_variable_is_lost_or_becomes_an_arc() -> None:
    chain, ends = DAG(["A", "B", "C"], [("A", "B"), ("B", "C")]), DAG(["A", "C"], [("A", "C")])
    assert consensus([chain, ends], variables="shared").problem.dags[0].edges == ()
    found = consensus([chain, ends], variables="shared", marginalise=True)
    assert found.dag.edges == (("A", "C"),)
    assert found.distance == 0


def test_a_marginal_needs_shared_variables() -> None:
    with pytest.raises(OptionError, match="marginalise goes with variables shared"):
        consensus([DAG(["A"]), DAG(["A", "B"])], variables="union", marginalise=True)
    with pytest.raises(OptionError, match="marginalise must be True or False"):
        consensus([DAG(["A"]), DAG(["A"])], variables="shared", marginalise="yes")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="variables must be one of 'same', 'union', 'shared'; got 'all'"):
        consensus([DAG(["A"])], variables="all")


# Tables


def marginal(network: Network, family: Sequence[str]) -> dict[tuple[str, ...], float]:
    """The joint distribution of a few variables, by enumeration."""
    places = [network.variables.index(name) for name in family]
    found: dict[tuple[str, ...], float] = {}
    for labels, probability in oracles.joint_distribution(network).items():
        key = tuple(labels[place] for place in places)
        found[key] = found.get(key, 0.0) + probability
    return found


def renamed(network: Network, names: dict[str, str]) -> Network:
    assert network.states is not None
    assert network.cpts is not None
    dag = DAG([names[v] for v in network.variables], [(names[a], names[b]) for a, b in network.dag.edges])
    return Network(
        dag,
        {names[v]: network.states[v] for v in network.variables},
        {names[v]: network.cpts[v] for v in network.variables},
    )


def test_each_network_is_pooled_for_the_families_that_it_has() -> None:
    yes = ("yes", "no")
    first = Network(
        DAG(["A", "B"], [("A", "B")]), {"A": yes, "B": yes}, {"A": [0.2, 0.8], "B": [[0.9, 0.1], [0.3, 0.7]]}, "first"
    )
    second = Network(
        DAG(["B", "C"], [("B", "C")]), {"B": yes, "C": yes}, {"B": [0.5, 0.5], "C": [[0.6, 0.4], [0.1, 0.9]]}, "second"
    )
    found = consensus([first, second], variables="union").pool()
    assert set(found.dag.edges) == {("A", "B"), ("B", "C")}
    network = found.network
    assert network.cpts is not None
    assert network.cpts["A"] == pytest.approx(np.array([0.2, 0.8]))
    assert network.cpts["B"] == pytest.approx(np.array([[0.9, 0.1], [0.3, 0.7]]))
    assert network.cpts["C"] == pytest.approx(np.array([[0.6, 0.4], [0.1, 0.9]]))


@settings(max_examples=30)
@given(small_networks(), st.randoms(use_true_random=False))
def test_a_network_with_more_variables_is_pooled_as_its_marginal(networks: list[Network], rng: random.Random) -> None:
    network = networks[0]
    kept = rng.sample(network.variables, max(1, len(network.variables) - 1))
    structure = DAG(kept, [arc for arc in network.dag.edges if set(arc) <= set(kept)])
    pooled = pool(structure, [network]).network
    assert pooled.cpts is not None
    for variable in kept:
        family = (*structure.parents(variable), variable)
        joint = marginal(network, family)
        assert network.states is not None
        for labels, probability in joint.items():
            given_ = sum(p for other, p in joint.items() if other[:-1] == labels[:-1])
            if given_ > 1e-12:
                place = tuple(network.states[name].index(label) for name, label in zip(family, labels, strict=True))
                assert pooled.cpts[variable][place] == pytest.approx(probability / given_, abs=1e-9)


def test_a_family_that_nobody_has_is_named() -> None:
    yes = ("yes", "no")
    parts = [
        Network(DAG([a, b]), {a: yes, b: yes}, {a: [0.5, 0.5], b: [0.5, 0.5]}, a + b) for a, b in ("AC", "BC", "AB")
    ]
    collider = DAG(["A", "B", "C"], [("A", "C"), ("B", "C")])
    with pytest.raises(MismatchError, match="no network with tables has a distribution of 'C' given 'A', 'B': fit"):
        pool(collider, parts)
    found = consensus(parts, variables="union", required=[("A", "C"), ("B", "C")])
    assert found.finished.parameters is None
    assert any(
        "no network with tables has a distribution of 'C' given 'A', 'B'" in note for note in found.finished.notes
    )


def test_a_network_without_any_whole_family_adds_nothing_to_the_pool() -> None:
    yes = ("yes", "no")
    whole = Network(
        DAG(["A", "B"], [("A", "B")]), {"A": yes, "B": yes}, {"A": [0.2, 0.8], "B": [[0.9, 0.1], [0.3, 0.7]]}, "whole"
    )
    part = Network(DAG(["B"]), {"B": yes}, {"B": [0.5, 0.5]}, "part")
    pooled = consensus([whole, part], variables="union").network
    assert pooled.cpts is not None
    assert pooled.cpts["B"] == pytest.approx(np.array([[0.9, 0.1], [0.3, 0.7]]))


def test_states_come_from_whoever_has_the_variable() -> None:
    one = Network(DAG(["A", "B"]), {"A": ("low", "high"), "B": ("x", "y", "z")})
    other = Network(DAG(["B", "C"]), {"B": ("z", "y", "x"), "C": ("u", "v")})
    found = consensus([one, other], variables="union")
    assert found.states == {"A": ("low", "high"), "B": ("x", "y", "z"), "C": ("u", "v")}
    assert consensus([one, other], variables="union", max_table=6).largest_table is not None
