"""Proof on request: against all small networks, a second exact method, and a checker that shares no code."""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Sequence
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
import proof_checker
from bnfuse import DAG, Consensus, FileError, MissingPackageError, OptionError, Tally, _kernel, consensus, frontier
from bnfuse.search.proof import proof
from bnfuse.search.proof.blocks import blocks_of
from bnfuse.search.proof.branch_and_cut import Choice, Rows, maximise
from bnfuse.search.proof.inequalities import LinearRow, Minor, Obstruction, Rank, content_of, from_content
from bnfuse.search.proof.programs import EdgeProgram
from bnfuse.search.run import Clock, Progress
from brute_force import Rules, all_dags, assert_valid, entangled, question_of, random_rules, small_problems
from proof_checker import Question, WrongProofError, least_distance, needs_more
from strategies import random_dag

Pair = tuple[int, int]


# The kernel's inequalities


@st.composite
def graphs(draw: st.DrawFn, most: int = 7) -> tuple[int, list[Pair]]:
    n = draw(st.integers(3, most))
    pairs = list(combinations(range(n), 2))
    return n, [pair for pair in pairs if draw(st.integers(0, 5))]


def separation(n: int, edges: Sequence[Pair], limit: int, **tables: Any) -> _kernel.Separation:
    return _kernel.Separation(n, np.array(edges, np.int32).reshape(-1, 2), limit, **tables)


def random_choice(seed: int, edges: Sequence[Pair]) -> np.ndarray[Any, np.dtype[np.float64]]:
    rng = random.Random(seed)
    return np.array([rng.choice([1.0, 1.0, 0.9, rng.random()]) for _ in edges], np.float64)


def rows_of(n: int, edges: Sequence[Pair], limit: int, choice: np.ndarray[Any, Any]) -> list[tuple[Any, LinearRow]]:
    """All that the kernel says of a choice."""
    kernel = separation(n, edges, limit)

    def named(numbers: Sequence[int]) -> tuple[Pair, ...]:
        return tuple(edges[i] for i in numbers)

    found: list[Any] = [Obstruction(named(one)) for one in kernel.obstructions(choice, 4, 0)]
    found += [Obstruction(named(one), excess) for one, excess in kernel.excesses(choice, 3, 1_000)]
    minors = kernel.minors(choice, 4, 0) + kernel.bounding_minors(np.arange(1, len(edges) + 1), 3)
    found += [Minor(named(one), named(forest), size) for one, forest, size in minors]
    found += [Rank(named(one), rank) for one, rank in kernel.ranks(choice, choice, 3)]
    return [(one, one.row(limit)) for one in found]


@settings(max_examples=60, deadline=None)
@given(graphs(), st.integers(2, 5), st.integers(0, 10**6))
def test_what_the_kernel_says_follows_and_holds_for_every_graph_within_the_limit(
    graph: tuple[int, list[Pair]], limit: int, seed: int
) -> None:
    n, edges = graph
    limit = min(limit, n)
    question = Question(n, [], "smhd", limit)
    rng = random.Random(seed)
    for one, row in rows_of(n, edges, limit, random_choice(seed, edges)):
        terms, most = proof_checker.derived(content_of(one), question)
        assert (dict(row.terms), row.limit) == (terms, most)
        assert from_content(json.loads(json.dumps(content_of(one))), n) == one
        for _ in range(20):
            kept = rng.sample(edges, rng.randint(0, len(edges)))
            if not needs_more(kept, limit):
                assert sum(terms.get(("edge", *pair), 0) for pair in kept) <= most


def test_a_deadline_ends_the_kernel_and_nothing_is_said() -> None:
    graph = nx.convert_node_labels_to_integers(nx.grid_graph((6, 6)))
    edges = list(graph.edges)
    kernel, choice, weights = separation(36, edges, 3), np.ones(len(edges)), np.ones(len(edges), np.int64)
    for seconds in (1e9, 0.0):
        found: list[Sequence[Any]] = [
            kernel.obstructions(choice, 4, 0, seconds),
            kernel.excesses(choice, 3, 1_000, seconds),
            kernel.minors(choice, 4, 0, seconds),
            kernel.bounding_minors(weights, 3, seconds),
        ]
        assert [bool(one) for one in found] == [seconds > 0] * 4


def test_a_choice_is_not_taken_because_the_clock_left_no_time_to_break_it() -> None:
    clock = Clock(0.2)
    problem = consensus([random_dag(1, 5, 2.0)], 3).problem

    class Late(EdgeProgram):
        def broken(self, choice: Choice, is_whole: bool, is_root: bool) -> Rows:
            time.sleep(clock.left if is_whole else 0)
            return []

    program = Late(problem, dict.fromkeys(combinations(range(5), 2), 1), clock)
    program.rows = []
    found = maximise(program, 1, 10, clock)
    assert (found.bound, found.best, found.stopped_by) == (10, None, "time limit")


@settings(max_examples=60, deadline=None)
@given(graphs(8), st.integers(2, 5))
def test_a_graph_is_over_the_limit_exactly_if_there_is_an_obstruction_and_none_has_an_edge_to_spare(
    graph: tuple[int, list[Pair]], limit: int
) -> None:
    n, edges = graph
    kernel = separation(n, edges, limit)
    everything = list(range(len(edges)))
    is_over = needs_more(edges, limit)
    assert kernel.fits(everything) == (not is_over)
    found = kernel.obstructions(np.ones(len(edges)), 3, 1)
    assert bool(found) == is_over
    for one in found:
        assert not kernel.fits(one)
        assert all(kernel.fits([i for i in one if i != gone]) for gone in one)


@given(graphs(8), st.integers(1, 8))
def test_the_checker_decides_on_cliques_as_all_elimination_orders_do(graph: tuple[int, list[Pair]], limit: int) -> None:
    edges = graph[1]
    assert needs_more(edges, limit) == (oracles.exact_clique_by_subsets(nx.Graph(edges)) > limit)


@settings(max_examples=40, deadline=None)
@given(graphs(6), st.integers(0, 10**6))
def test_limits_on_tables_are_decided_exactly(graph: tuple[int, list[Pair]], seed: int) -> None:
    n, edges = graph
    rng = random.Random(seed)
    states = np.array([rng.randint(2, 4) for _ in range(n)], np.int64)
    most = rng.choice([8, 12, 16, 24, 36])
    whole = nx.Graph(edges)
    whole.add_nodes_from(range(n))
    least = min(largest_table(whole, order, states) for order in permutations(range(n)))
    kernel = separation(n, edges, n, states=states, max_table=most)
    assert kernel.fits(list(range(len(edges)))) == (least <= most)


def largest_table(graph: nx.Graph, order: Sequence[int], states: Any) -> int:
    rest, largest = graph.copy(), 1
    for v in order:
        near = list(rest[v])
        largest = max(largest, int(np.prod(states[[v, *near]])))
        rest.add_edges_from(combinations(near, 2))
        rest.remove_node(v)
    return largest


@given(graphs(9))
def test_blocks_are_those_of_networkx(graph: tuple[int, list[Pair]]) -> None:
    _, edges = graph
    theirs = {frozenset(map(frozenset, block)) for block in nx.biconnected_component_edges(nx.Graph(edges))}
    assert {frozenset(map(frozenset, block)) for block in blocks_of(edges)} == theirs


# Whole proofs


def proven(dags: Sequence[DAG], weights: Sequence[int], limit: int, rules: Rules, metric: str = "smhd") -> Consensus:
    options: dict[str, Any] = {"effort": "quick", "prove": True, "directions": "any", **rules.options}
    result = consensus(dags, limit, metric=metric, weights=weights, **options)
    assert_valid(result, dags, limit, weights, rules, metric)
    assert result.gap == 0, "proven in all"
    return result


def checked(result: Consensus, path: Path) -> None:
    """What is saved holds for somebody who trusts nothing of it."""
    if result.proof is None:
        return
    result.save(path)
    again = Consensus.load(path)
    assert again == result
    assert again.proof == result.proof
    assert proof_checker.check(json.loads(path.read_text())) == result.proof.bound


@pytest.mark.parametrize("limit", [2, 3, 4])
def test_proven_optima_are_those_of_all_networks_over_five_variables(limit: int, tmp_path: Path) -> None:
    for place, (dags, weights) in enumerate(small_problems(5, 10, 4)):
        rules = random_rules(place, dags[0].variables, limit) if place % 2 else Rules()
        result = proven(dags, weights, limit, rules)
        assert result.distance == pytest.approx(all_dags(5).best(dags, weights, limit, rules)[0], abs=1e-9)
        checked(result, tmp_path / "result.json")


@pytest.mark.parametrize("metric", ["smhd", "shd"])
def test_proven_optima_are_those_of_another_program(metric: str, tmp_path: Path) -> None:
    """One that has elimination orders for variables, and no inequality of ours."""
    for place, (dags, weights) in enumerate(small_problems(6, 6, 3)):
        limit = 3 + place % 2
        rules = random_rules(place, dags[0].variables, limit) if place % 3 == 0 else Rules()
        result = proven(dags, weights, limit, rules, metric)
        least = least_distance(question_of(dags, weights, metric, limit, rules))
        assert result.distance == pytest.approx(least / sum(weights), abs=1e-9)
        checked(result, tmp_path / "result.json")


@pytest.fixture(scope="module")
def result() -> Consensus:
    return consensus(entangled(), 3, effort="quick", prove=True, directions="any")


def test_a_proof_says_more_than_the_bound_that_every_result_has(result: Consensus) -> None:
    without = consensus(entangled(), 3, effort="quick", directions="any")
    assert without.proof is None
    assert without.gap is not None
    assert without.gap > 0
    assert result.proof is not None
    assert result.gap == 0
    assert result.lower_bound is not None
    assert without.lower_bound is not None
    assert result.lower_bound > without.lower_bound
    assert sum(result.proof.counts.values()) == len(result.proof.inequalities)
    assert result.proof.sentence.startswith("the bound follows from")


def test_a_proof_is_the_same_on_every_run(result: Consensus) -> None:
    assert consensus(entangled(), 3, effort="quick", prove=True, threads=1, directions="any") == result


def test_a_saved_proof_can_be_checked_and_one_that_claims_too_much_cannot(result: Consensus, tmp_path: Path) -> None:
    checked(result, tmp_path / "result.json")
    content = json.loads((tmp_path / "result.json").read_text())
    content["proof"]["bound"] += 1
    with pytest.raises(WrongProofError, match="allows a distance"):
        proof_checker.check(content)
    content["proof"]["bound"] -= 1
    content["proof"]["inequalities"].append(["obstruction", [0, 1, 1, 2], 1])
    with pytest.raises(WrongProofError):
        proof_checker.check(content)


def test_a_proof_that_contradicts_its_network_is_not_read(result: Consensus, tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    result.save(path)
    content = json.loads(path.read_text())
    content["proof"]["bound"] += 1
    path.write_text(json.dumps(content))
    with pytest.raises(FileError, match="bound: it marks the network as missing"):
        Consensus.load(path)


def test_ctrl_c_keeps_the_bound_so_far() -> None:
    dags = entangled(40)
    told: list[Progress] = []

    def stop(now: Progress) -> None:
        if now.lower_bound is not None:
            told.append(now)
            if len(told) > 1:
                raise KeyboardInterrupt

    result = consensus(dags, 4, effort="quick", prove=True, progress=stop)
    assert result.stopped_by == "interrupted"
    assert told
    bounds = [now.lower_bound for now in told if now.lower_bound is not None]
    assert bounds == sorted(bounds)
    assert result.lower_bound is not None
    assert result.lower_bound <= result.distance
    assert_valid(result, dags, 4)


def test_tallies_and_a_limit_on_tables_are_proven_too() -> None:
    dags = entangled(8, 4)
    counted = consensus(Tally.of(dags, [1] * len(dags)), 3, effort="quick", prove=True)
    assert counted.gap == 0
    assert counted.distance == consensus(dags, 3, effort="quick", prove=True).distance
    states = {name: 2 + place % 2 for place, name in enumerate(dags[0].variables)}
    limited = consensus(dags, max_table=12, states=states, effort="quick", prove=True)
    assert limited.gap == 0
    assert limited.largest_table is not None
    assert limited.largest_table <= 12


def ring() -> list[DAG]:
    """Most inputs have each edge of a ring of four: a graph within the limit, and the moral graph of no network."""
    around = [("A", "B"), ("B", "C"), ("C", "D"), ("D", "A")]
    return [DAG(list("ABCD"), around[i + 1 :] + around[:i]) for i in range(4)]


def test_a_heaviest_graph_that_is_no_moral_graph_is_cut_off_by_arcs() -> None:
    result = consensus(ring(), 3, prove=True)
    assert (result.gap, result.distance) == (0, 1.5)
    assert result.proof is not None
    assert result.proof.program == "arcs"
    assert result.proof.is_realised


def test_a_heaviest_graph_that_no_network_was_found_for_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(proof, "_MOST_ARCS", 0)
    result = consensus(ring(), 3, prove=True, directions="any")
    assert result.gap == pytest.approx(1 / 2), "1.5 is above a bound of 1"
    assert result.proof is not None
    assert not result.proof.is_realised
    assert result.proof.sentence.endswith("is the moral graph of no network that was found")
    checked(result, tmp_path / "result.json")


def test_a_frontier_is_proven_limit_by_limit() -> None:
    steps = frontier(entangled(9, 4), [2, 3, 4], effort="quick", prove=True)
    assert [step.gap for step in steps] == [0, 0, 0]
    distances = [step.distance for step in steps]
    assert distances == sorted(distances, reverse=True)


def test_what_cannot_be_proven_is_refused_in_one_line() -> None:
    dags = entangled(5, 2)
    with pytest.raises(OptionError, match="fsim is not a sum"):
        consensus(dags, 3, metric="fsim", prove=True)
    with pytest.raises(OptionError, match="goes with the method 'direct'"):
        consensus(dags, 3, method="majority", prove=True)


def test_without_the_package_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyscipopt", None)
    with pytest.raises(MissingPackageError, match=r"pip install 'bnfuse\[exact\]'"):
        consensus(entangled(5, 2), 3, prove=True)


def test_rigidity_ranks_of_the_checker_are_those_of_complete_graphs() -> None:
    for n in range(2, 8):
        for k in range(1, n):
            edges = list(combinations(range(n), 2))
            assert proof_checker.rigidity_rank(edges, k) == k * n - k * (k + 1) // 2
    assert oracles.exact_clique_by_subsets(nx.complete_graph(4)) == 4
