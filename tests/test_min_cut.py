"""The min-cut consensus: each deletion against a slow twin on networkx, when it stops, what it returns and refuses."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
from bnfuse import DAG, ArcVotes, Consensus, ConstraintError, MinCutOptions, OptionError, Progress, _kernel
from bnfuse.graphs.dag import stacked
from bnfuse.problem.problem import Problem
from bnfuse.search.outcome import mean_distance
from bnfuse.search.paper.min_cut import min_cut
from bnfuse.search.run import Run
from strategies import dag_lists, problem_of, random_dag
from strategies import switched_consensus as consensus

WEIGHTS = st.lists(st.integers(1, 4), min_size=4, max_size=4)


def deletions(problem: Problem, threads: int = 1) -> list[tuple[str, str, int]]:
    """All arcs of the full fusion, as the kernel deletes them."""
    names, search, found = problem.variables, search_of(problem, threads), []
    while (least := search.least()[1]) is not None:
        search.remove_least()
        found.append((names[least[0]], names[least[1]], least[2]))
    return found


def search_of(problem: Problem, threads: int = 1) -> _kernel.MinCutSearch:
    return _kernel.MinCutSearch(
        network=problem.fusion.dag.rows,
        inputs=stacked(problem.dags),
        weights=np.array(problem.weights, np.int64),
        support=problem.tally.arcs,
        required=[],
        threads=threads,
    )


def twin(problem: Problem) -> list[tuple[str, str, int]]:
    graphs = [oracles.graph_of(dag) for dag in problem.dags]
    return oracles.min_cut_deletions(oracles.graph_of(problem.fusion.dag), graphs, problem.weights)


def networks_on_the_way(problem: Problem) -> list[tuple[DAG, Fraction | None]]:
    """From the full fusion to no arcs, each with the mean min-cut of the arc that goes next."""
    arcs, way, total = list(problem.fusion.dag.edges), [], sum(problem.weights)
    for source, target, size in deletions(problem):
        way.append((DAG(problem.variables, arcs), Fraction(size, total)))
        arcs.remove((source, target))
    return [*way, (DAG(problem.variables), None)]


@given(dag_lists(2, 6), WEIGHTS)
def test_arcs_go_in_the_order_of_the_slow_twin(dags: list[DAG], weights: list[int]) -> None:
    problem = problem_of(dags, 3, weights=weights[: len(dags)])
    assert deletions(problem) == twin(problem)


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.long) for seed in (0, 2, 3))])
def test_larger_networks_too_on_any_number_of_threads(seed: int) -> None:
    problem = problem_of([random_dag(10 * seed + i, 12, 1.4) for i in range(3)], 3)
    found = deletions(problem)
    assert found == twin(problem)
    assert found == deletions(problem, threads=3)


@pytest.mark.parametrize("size", [64, 65, *(pytest.param(size, marks=pytest.mark.long) for size in (63, 129))])
def test_any_number_of_words(size: int) -> None:
    """The first deletions: a chain with a few arcs more."""
    chain = [(f"V{i}", f"V{i + 1}") for i in range(size - 1)]
    names = [f"V{i}" for i in range(size)]
    dags = [DAG(names, [*chain, ("V0", f"V{size - 1}")]), DAG(names, chain), DAG(names, [arc[::-1] for arc in chain])]
    problem = problem_of(dags, 3)
    search, graphs = search_of(problem), [oracles.graph_of(dag) for dag in dags]
    network = oracles.graph_of(problem.fusion.dag)
    means = {}
    for x, y in network.edges:
        others = set(network.predecessors(y)) - {x}
        means[x, y] = sum(len(oracles.min_cut_edges(graph, x, y, others)) for graph in graphs)
    in_time, least = search.least()
    assert in_time
    assert least is not None
    assert least[2] == min(means.values()) == means[problem.variables[least[0]], problem.variables[least[1]]]


def test_cuts_that_cannot_have_changed_are_not_computed_again() -> None:
    problem = problem_of([random_dag(i, 30, 1.5, reach=5) for i in range(5)], 3)
    search, arcs = search_of(problem), len(problem.fusion.dag.edges)
    while search.least()[1] is not None:
        search.remove_least()
    anew = len(problem.dags) * arcs * (arcs + 1) // 2
    assert search.cuts() < anew / 4


def test_a_cut_between_neighbours_is_their_arc() -> None:
    """Two of three inputs have a -> b, one has nothing: the mean is 2/3, and nothing else is in the way."""
    dags = [DAG([*"ab"], [("a", "b")]), DAG([*"ab"], [("b", "a")]), DAG([*"ab"])]
    assert [size for *_, size in deletions(problem_of(dags, 2))] == [2]


# When it stops, and what is returned


@given(dag_lists(2, 6, min_dags=2), st.integers(2, 4), st.sampled_from([None, 0.0, 0.3, 0.5, 1.0, 2.0]))
def test_the_last_network_is_the_first_within_the_limit_and_the_threshold(
    dags: list[DAG], limit: int, threshold: float | None
) -> None:
    problem = problem_of(dags, limit)
    found = min_cut(problem, Run(threads=1), MinCutOptions(threshold, "last"))
    assert found.clique_size <= limit
    moral = oracles.moral_graph(oracles.graph_of(found.dag))
    assert max(oracles.cliques_along(moral, found.elimination_order)) == found.clique_size
    way = networks_on_the_way(problem)
    place = [dag for dag, _ in way].index(found.dag)
    assert way[place][1] is None or threshold is None or way[place][1] > Fraction(str(threshold))
    if place:
        before, mean = way[place - 1]
        assert mean is not None
        over = len(before.edges) == 0 or _kernel.triangulate(before.rows, "min-fill", 0)[1] > limit
        assert over or (threshold is not None and mean <= Fraction(str(threshold)))


@given(dag_lists(2, 6, min_dags=2), st.integers(2, 4), st.sampled_from(["smhd", "shd"]))
def test_the_best_network_is_the_closest_on_the_way(dags: list[DAG], limit: int, metric: str) -> None:
    problem = problem_of(dags, limit, metric=metric)
    assert_closest_on_the_way(problem)


def test_for_fsim_too() -> None:
    assert_closest_on_the_way(problem_of([random_dag(i, 8, 1.4) for i in range(3)], 3, metric="fsim"))


def assert_closest_on_the_way(problem: Problem) -> None:
    found = min_cut(problem, Run(threads=1))
    way = [dag for dag, _ in networks_on_the_way(problem)]
    last = way.index(min_cut(problem, Run(threads=1), MinCutOptions(returned="last")).dag)
    assert found.dag in way[last:]
    assert mean_distance(problem, found.dag) == min(mean_distance(problem, dag) for dag in way[last:])


def test_a_threshold_alone_is_one_with_a_limit_that_nothing_reaches() -> None:
    dags = [random_dag(i, 12, 1.4) for i in range(4)]
    found = consensus(dags, 12, method="min-cut", min_cut=0, returned="last").dag
    problem = problem_of(dags, 12)
    fused = problem.fusion.dag
    gone = [size for *_, size in deletions(problem)]
    assert len(fused.edges) - len(found.edges) == next(i for i, size in enumerate(gone) if size > 0)


def test_weights_count_as_copies() -> None:
    dags = [random_dag(i, 10, 1.4) for i in range(3)]
    copies = [dags[0], dags[0], dags[0], dags[1], dags[2], dags[2]]
    by_weight = consensus(dags, 3, method="min-cut", weights=[3, 1, 2])
    assert by_weight.dag == consensus(copies, 3, method="min-cut").dag


def test_the_same_on_any_number_of_threads() -> None:
    dags = [random_dag(i, 20, 1.4) for i in range(5)]
    results = [consensus(dags, 3, method="min-cut", threads=threads) for threads in (1, 2, 5)]
    assert results[0] == results[1] == results[2]


def test_progress_and_history() -> None:
    seen: list[Progress] = []
    result = consensus([random_dag(i, 20, 1.4) for i in range(5)], 3, method="min-cut", progress=seen.append)
    fused = len(result.problem.fusion.dag.edges)
    assert [(one.step, one.distance, one.clique_size) for one in seen] == [
        (step.step, step.distance, step.clique_size) for step in result.history
    ]
    assert [one.step for one in seen][:2] == [0, 16]
    assert seen[-1].step == seen[-1].steps == fused
    assert result.history[-1].distance == result.distance
    assert [step.evaluations for step in result.history] == sorted(step.evaluations for step in result.history)


@pytest.mark.parametrize("at", [1, 3, 8])
def test_an_interrupted_run_gives_a_network_within_the_limit(at: int) -> None:
    calls = 0

    def interrupt(_: Progress) -> None:
        nonlocal calls
        calls += 1
        if calls == at:
            raise KeyboardInterrupt

    result = consensus([random_dag(i, 20, 1.4) for i in range(5)], 3, method="min-cut", progress=interrupt)
    assert result.stopped_by == "interrupted"
    assert result.clique_size <= 3


# Constraints


@given(st.data())
def test_constraints_are_kept(data: st.DataObject) -> None:
    dags = data.draw(dag_lists(3, 6, min_dags=2))
    fused = problem_of(dags, 4).fusion.dag.edges
    rules: dict[str, Any] = {"max_parents": data.draw(st.sampled_from([None, 1, 2]))}
    if fused:
        rules["required"] = [data.draw(st.sampled_from(fused))]
        rules["forbidden"] = [
            arc for arc in data.draw(st.lists(st.sampled_from(fused))) if arc not in rules["required"]
        ]
    result = consensus(dags, 3, method="min-cut", returned="last", threads=1, **rules)
    assert result.problem.constraints.broken_by(result.dag, result.problem.tally) is None
    assert result.clique_size <= 3


@pytest.mark.parametrize("directions", ["seen", "majority"])
def test_directions_are_kept(directions: str) -> None:
    dags = [random_dag(i, 15, 1.4) for i in range(4)]
    result = consensus(dags, 4, method="min-cut", returned="last", directions=directions)
    assert not result.unseen
    assert directions == "seen" or not result.outvoted


def test_a_required_arc_that_the_fusion_lacks_is_refused() -> None:
    dags = [DAG([*"abc"], [("a", "b")]), DAG([*"abc"], [("b", "a")])]
    with pytest.raises(ConstraintError, match=r"the full fusion has no arc c -> a, so no choice among its arcs"):
        consensus(dags, 3, method="min-cut", required=[("c", "a")])


# What it refuses


def test_it_needs_networks_over_the_same_variables() -> None:
    dags = [DAG([*"abc"], [("a", "b")]), DAG([*"abc"], [("b", "c")])]
    with pytest.raises(OptionError, match="the min-cut consensus needs"):
        consensus(problem_of(dags, 3).tally, 3, method="min-cut")
    with pytest.raises(OptionError, match="the min-cut consensus needs"):
        consensus([dags[0], DAG([*"ab"], [("a", "b")])], 3, method="min-cut", variables="union")
    with pytest.raises(OptionError, match="the min-cut consensus needs"):
        consensus([dags[0], ArcVotes([*"abc"], [[0, 0.4, 0], [0, 0, 0], [0, 0, 0]])], 3, method="min-cut")


@pytest.mark.parametrize("value", [-1, float("inf"), float("nan"), "1", True])
def test_a_threshold_is_a_number(value: Any) -> None:
    with pytest.raises(OptionError, match="min_cut must be a number of edges that is at least 0"):
        MinCutOptions(value)


def test_a_result_is_saved_with_its_options(tmp_path: Any) -> None:
    result = consensus([random_dag(i, 8, 1.4) for i in range(3)], 3, method="min-cut", min_cut=0.5)
    result.save(tmp_path / "c.json")
    again = Consensus.load(tmp_path / "c.json")
    assert again == result
    assert again.options == MinCutOptions(0.5)


def test_the_kernel_refuses_what_does_not_fit() -> None:
    problem = problem_of([random_dag(i, 5, 1.4) for i in range(2)], 3)
    search = search_of(problem)
    with pytest.raises(ValueError, match="there is no arc to delete"):
        search.remove_least()
    assert min_cut(problem, Run(time_limit=1e-9)).stopped_by == "time limit"
