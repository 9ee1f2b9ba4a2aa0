"""Whatever cuts a search, its result is at least as close as what costs nothing; and it is cut in time."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from bnfuse import DAG, Consensus, Progress, clique_size
from bnfuse.search.floor import floor
from bnfuse.search.majority import majority
from bnfuse.search.outcome import mean_distance
from bnfuse.search.paper.candidates import Candidates
from bnfuse.search.paper.greedy import GreedyPath, _returned
from bnfuse.search.run import Clock, Run
from strategies import problem_of, random_dag
from strategies import switched_consensus as consensus

METHODS = ["direct", "genetic", "greedy", "min-cut"]


def perturbed(size: int, count: int, seed: int) -> list[DAG]:
    """Copies of one network with some arcs left out: the majority vote is close to all of them."""
    base, rng = random_dag(seed, size, 1.6, reach=6), random.Random(seed)
    return [DAG(base.variables, [arc for arc in base.edges if rng.random() < 0.8]) for _ in range(count)]


def at_least_the_floor(result: Consensus, dags: list[DAG]) -> bool:
    limit = result.problem.max_clique
    within = [mean_distance(result.problem, dag) for dag in dags if clique_size(dag) <= limit]
    return result.distance <= min([mean_distance(result.problem, majority(result.problem).dag), *within])


@pytest.mark.parametrize("metric", ["smhd", "fsim", "shd"])
@pytest.mark.parametrize("method", METHODS)
def test_a_search_without_any_time_is_as_close_as_the_majority_vote(method: str, metric: str) -> None:
    for seed in range(3):
        result = consensus(perturbed(20, 8, seed), 3, metric, method, time_limit=1e-9, seed=seed)
        assert result.stopped_by == "time limit"
        assert result.distance <= mean_distance(result.problem, majority(result.problem).dag)


@pytest.mark.parametrize("effort", ["quick", "normal", "thorough"])
@pytest.mark.parametrize("at", [1, 2, 30])
def test_an_interrupted_search_is_as_close_as_the_vote_and_every_input(effort: str, at: int) -> None:
    dags = perturbed(20, 8, 5)
    calls = []

    def interrupt(progress: Progress) -> None:
        calls.append(progress)
        if len(calls) == at:
            raise KeyboardInterrupt

    result = consensus(dags, 4, effort=effort, progress=interrupt, directions="any")  # not proven before the 30th call
    assert result.stopped_by == "interrupted"
    assert at_least_the_floor(result, dags)


@pytest.mark.parametrize("method", ["genetic", "greedy", "min-cut"])
def test_a_search_of_the_paper_that_was_cut_says_what_is_given_instead(method: str) -> None:
    result = consensus(perturbed(20, 8, 1), 3, "smhd", method, time_limit=1e-9)
    assert result.method == "majority"
    assert result.notes == (
        f"The {method} search was cut before it found a network as close as the majority vote, which is "
        "returned instead.",
    )


def test_the_floor_is_an_input_where_that_is_closer_and_within_the_limit() -> None:
    names = [f"V{i}" for i in range(6)]
    chain = DAG(names, [(names[i], names[i + 1]) for i in range(5)])
    others = [DAG(names, [(names[i], names[5 - i])]) for i in range(3)]
    problem = problem_of([chain, chain, *others], 2)
    vote = majority(problem)
    best = min(
        (dag for dag in (vote.dag, *problem.dags) if clique_size(dag) <= 2), key=lambda dag: mean_distance(problem, dag)
    )
    found = floor(problem, Run())
    assert mean_distance(problem, found.dag) == mean_distance(problem, best)


def test_an_input_over_the_limit_or_against_a_constraint_is_no_floor() -> None:
    collider = DAG(["A", "B", "C"], [("A", "C"), ("B", "C")])
    assert clique_size(floor(problem_of([collider] * 3, 2), Run()).dag) <= 2
    found = floor(problem_of([collider] * 3, 3, forbidden=[("A", "C")]), Run())
    assert ("A", "C") not in found.dag.edges


@pytest.mark.parametrize("effort", ["quick", "normal", "thorough"])
def test_no_call_of_the_kernel_is_longer_than_the_time_that_is_left(
    effort: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel is told the time that is left, and a clock that stands still at the limit ends the search at once."""
    left = iter([1.0] * 12 + [0.0] * 10_000)
    monkeypatch.setattr(Clock, "left", property(lambda self: next(left)))
    dags = perturbed(25, 6, 3)
    result = consensus(dags, 4, effort=effort, time_limit=1)
    assert result.stopped_by == "time limit"
    assert at_least_the_floor(result, dags)


# Arcs need a reason


def needless(result: Consensus) -> list[tuple[str, str]]:
    """Arcs that fewer than half of the inputs have, by weight, and without which the network is as close."""
    problem = result.problem
    return [
        arc.arc
        for arc in result.support()
        if arc.share < 0.5
        and arc.arc not in problem.constraints.required
        and mean_distance(problem, DAG(problem.variables, [one for one in result.dag.edges if one != arc.arc]))
        <= result.distance
    ]


def inputs_of(seed: int, size: int, count: int) -> list[DAG]:
    return [random_dag(100 * seed + i, size, 1.4) for i in range(count)]


@pytest.mark.parametrize("make", [perturbed, lambda size, count, seed: inputs_of(seed, size, count)])
@pytest.mark.parametrize("metric", ["smhd", "fsim", "shd"])
@pytest.mark.parametrize("limit", [2, 3, 5])
def test_an_arc_that_brings_nothing_is_there_only_if_half_of_the_inputs_have_it(
    limit: int, metric: str, make: Callable[[int, int, int], list[DAG]]
) -> None:
    for seed in range(4):
        dags = make(9 if metric == "fsim" else 16, 5, seed)
        weights = [random.Random(seed).randint(1, 4) for _ in dags]
        assert needless(consensus(dags, limit, metric, effort="quick", weights=weights)) == []


def test_required_arcs_need_no_other_reason() -> None:
    dags = inputs_of(2, 10, 5)
    seen = {arc for dag in dags for arc in dag.edges}
    arc = next((a, b) for a in dags[0].variables for b in dags[0].variables if a != b and (a, b) not in seen)
    result = consensus(dags, 3, effort="quick", required=[arc])
    assert arc in result.dag.edges
    assert needless(result) == []


def test_a_tie_with_no_arcs_at_all_is_said() -> None:
    names = [f"V{i}" for i in range(6)]
    disjoint = [DAG(names, [("V0", "V1"), ("V2", "V3")]), DAG(names, [("V1", "V4"), ("V4", "V5")])]
    result = consensus(disjoint, 3)
    assert result.gap == 0
    assert "A network without arcs is as close to the inputs as this one." in result.notes
    assert not consensus([disjoint[0]] * 2 + disjoint[1:], 3).notes


# More time is never for the worse


@pytest.mark.parametrize("metric", ["smhd", "fsim", "shd"])
@pytest.mark.parametrize("method", METHODS)
def test_more_time_gives_no_network_that_is_further(method: str, metric: str) -> None:
    options: dict[str, Any] = {"population": 6, "generations": 2} if method == "genetic" else {}
    for seed in range(3):
        dags = perturbed(12, 6, seed)
        cut, whole = (
            consensus(dags, 3, metric, method, time_limit=seconds, **options)  # type: ignore[arg-type]
            for seconds in (1e-9, 1e9)
        )
        assert (cut.stopped_by, whole.stopped_by) == ("time limit", "finished")
        assert whole.distance <= cut.distance


def test_a_whole_search_of_a_paper_is_its_own_where_time_has_no_limit_or_the_last_network_is_asked_for() -> None:
    dags = perturbed(20, 8, 1)
    alone = consensus(dags, 3, method="min-cut")
    limited = consensus(dags, 3, method="min-cut", time_limit=1e9)
    assert (alone.method, limited.method) == ("min-cut", "majority")
    assert limited.distance < alone.distance
    assert limited.notes == (
        "The min-cut search found no network as close as the majority vote, which is returned instead; its own network "
        "is returned without time_limit.",
    )
    last = consensus(dags, 3, method="min-cut", returned="last", time_limit=1e9)
    assert last.dag == consensus(dags, 3, method="min-cut", returned="last").dag


def test_the_greedy_search_forgets_no_network_that_it_saw_on_its_way() -> None:
    space = Candidates(problem_of(perturbed(12, 6, 0), 3), "shared", "inputs", "min-fill")
    path = GreedyPath(space, 3, "frequency")
    while path.goes_on():
        pass
    seen = space.evaluate(path.after(0))
    seen.numbers[0, 0] = 0  # closer than what a look at some places of the path finds
    assert _returned(path, seen, "best").distance[0] == 0
