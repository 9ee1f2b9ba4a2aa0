"""The direct search for FSim: valid, as good as brute force on small problems, never worse than what it starts from."""

from __future__ import annotations

import random
from itertools import pairwise

import networkx as nx
import pytest

import oracles
from bnfuse import DAG, Consensus, Progress, clique_size, consensus, fsim
from bnfuse.search.run import Run
from brute_force import Rules, arcs_worth, assert_valid, from_start, random_rules, small_problems
from strategies import problem_of, random_dag


def perturbed(size: int, count: int, seed: int = 0) -> list[DAG]:
    """A network and thinned copies of it with some arcs along its order added."""
    base = random_dag(seed, size, 1.3, reach=6)
    rng = random.Random(f"{size} {count} {seed}")
    order = {name: i for i, name in enumerate(nx.topological_sort(oracles.graph_of(base)))}
    dags = [base]
    for _ in range(count - 1):
        arcs = {arc for arc in base.edges if rng.random() < 0.8}
        for _ in range(size // 5):
            a, b = sorted(rng.sample(base.variables, 2), key=order.__getitem__)
            arcs.add((a, b))
        dags.append(DAG(base.variables, arcs))
    return dags


def quick(dags: list[DAG], limit: int, **options: object) -> Consensus:
    return consensus(dags, limit, "fsim", effort="quick", **options)  # type: ignore[arg-type]


# Every result


@pytest.mark.parametrize(("size", "limit"), [(12, 2), (20, 3), (30, 5), (66, 4)])
def test_larger_results_are_valid(size: int, limit: int) -> None:
    dags, weights = perturbed(size, 4), [3, 1, 2, 2]
    assert_valid(quick(dags, limit, weights=weights), dags, limit, weights, metric="fsim")


@pytest.mark.parametrize("limit", [3, 4])
def test_larger_results_keep_the_constraints(limit: int) -> None:
    for seed in range(3):
        dags = perturbed(7, 4, seed)
        rules = random_rules(("fsim", seed, limit), dags[0].variables, limit)
        assert_valid(quick(dags, limit, **rules.options), dags, limit, rules=rules, metric="fsim")


def test_no_parents_at_all_leave_no_arcs() -> None:
    assert quick(perturbed(8, 3), 3, max_parents=0).dag.edges == ()


def test_the_fusion_as_target() -> None:
    dags = perturbed(9, 3)
    result = consensus(dags, 3, "fsim", target="fused", effort="quick")
    assert_valid(result, dags, 3, metric="fsim", target="fused")


# Against all networks


def test_problems_of_four_variables_are_solved_as_by_trying_all_networks() -> None:
    for dags, weights in small_problems(4, 3, 5):
        variables = dags[0].variables
        inputs = [oracles.graph_of(dag) for dag in dags]
        ties = oracles.heuristic_order(inputs, variables, weights)
        tried = []
        for arcs in oracles.all_dags(4):
            graph = oracles.graph_with(variables, ((variables[a], variables[b]) for a, b in arcs))
            distance = sum(w * oracles.fsim(graph, other, ties) for w, other in zip(weights, inputs, strict=True))
            support = sum(w for w, g in zip(weights, inputs, strict=True) for arc in graph.edges if arc in set(g.edges))
            worth = 4 * support - (2 * sum(weights) - 1) * len(graph.edges)
            tried.append((oracles.exact_clique_by_subsets(oracles.moral_graph(graph)), distance, -worth))
        for limit in (2, 3, 4):
            least, opposition = min((distance, against) for clique, distance, against in tried if clique <= limit)
            result = quick(dags, limit, weights=weights)
            assert result.distance == pytest.approx(least / sum(weights))
            assert arcs_worth(result, dags, weights) == -opposition


@pytest.mark.parametrize("size", [5, 20, 40])
def test_copies_of_a_network_within_the_limit_give_the_network(size: int) -> None:
    dag = random_dag(size, size, 1.0, reach=3)
    assert quick([dag] * 5, 6).dag == dag


# Starts


@pytest.mark.parametrize("seed", range(4))
def test_the_result_is_never_worse_than_an_input_within_the_limit(seed: int) -> None:
    dags = perturbed(16, 5, seed)
    within = [dag for dag in dags if clique_size(dag) <= 6]
    assert within
    assert quick(dags, 6).distance <= min(fsim(dag, dags) for dag in within)


def test_a_search_is_never_worse_than_the_network_it_is_given() -> None:
    dags = perturbed(15, 5)
    better = consensus(dags, 3, "fsim")
    result = from_start(problem_of(dags, 3, "fsim"), better.dag, Run(seed=1, time_limit=1e-9))
    assert result.stopped_by == "time limit"
    assert result.distance <= better.distance


def test_a_given_network_that_breaks_the_constraints_or_the_limit_is_no_start() -> None:
    dags = perturbed(8, 4)
    free = quick(dags, 4).dag
    rules = Rules(forbidden=free.edges[:2])
    for limit, wanted in [(4, rules), (2, Rules())]:
        problem = problem_of(dags, limit, metric="fsim", **wanted.options)
        assert_valid(from_start(problem, free), dags, limit, rules=wanted, metric="fsim")


@pytest.mark.parametrize("limit", [3, 5])
def test_it_is_at_least_as_close_as_the_best_network_for_smhd_and_the_genetic_search(limit: int) -> None:
    for seed in range(2):
        dags = perturbed(14, 6, seed)
        result = consensus(dags, limit, "fsim")
        assert result.distance <= fsim(consensus(dags, limit, effort="quick").dag, dags)
        for kind in ("shared", "per-network", "fused"):
            genetic = consensus(dags, limit, "fsim", "genetic", candidates=kind, generations=20)
            assert result.distance <= genetic.distance


# Determinism and history


def test_threads_change_nothing() -> None:
    dags = perturbed(25, 6)
    one, two, five = (quick(dags, 3, seed=3, threads=threads) for threads in (1, 2, 5))
    assert one.dag == two.dag == five.dag
    assert one.history == two.history == five.history
    assert one.elimination_order == two.elimination_order == five.elimination_order


def test_a_seed_searches_elsewhere_and_the_same_again() -> None:
    dags = perturbed(25, 6)
    first, again, other = (quick(dags, 3, seed=seed) for seed in (1, 1, 2))
    assert first.history == again.history
    assert first.history != other.history


def test_progress_tells_the_history_to_its_last_step() -> None:
    seen: list[Progress] = []
    result = quick(perturbed(12, 4), 3, progress=seen.append)
    assert [(p.step, p.distance, p.clique_size) for p in seen] == [
        (s.step, s.distance, s.clique_size) for s in result.history
    ]
    assert all(before.step + 1 == after.step for before, after in pairwise(seen))
    assert seen[-1].step == seen[-1].steps
    assert result.history[-1].distance == result.distance
    assert result.history[-1].evaluations > 0
