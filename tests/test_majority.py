"""The majority vote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from bnfuse import DAG, OptionError, consensus
from brute_force import Rules, assert_valid, fewest_neighbours, larger_inputs, satisfiable
from strategies import Arc, random_dag, weighted_dag_lists


def weight(dags: Sequence[DAG], weights: Sequence[int], arc: Arc) -> int:
    return sum(w for w, dag in zip(weights, dags, strict=True) if arc in dag.edges)


def slow_majority(
    dags: Sequence[DAG], weights: Sequence[int], threshold: Fraction, limit: int, rules: Rules
) -> set[Arc]:
    """Pairs by strength, then by the order of the variables; each in its majority direction, if it still fits."""
    variables = dags[0].variables
    votes = {arc: weight(dags, weights, arc) for arc in permutations(variables, 2)}
    kept = set(rules.required)
    strength = {(a, b): votes[a, b] + votes[b, a] for a, b in combinations(variables, 2)}
    for a, b in sorted(strength, key=lambda pair: -strength[pair]):
        if strength[a, b] <= threshold * sum(weights) or kept & {(a, b), (b, a)}:
            continue
        arcs = [(a, b), (b, a)] if votes[a, b] >= votes[b, a] else [(b, a), (a, b)]
        free = Rules((), rules.forbidden, rules.tiers)
        arc = next((arc for arc in arcs if free.kept_by([arc])), None)
        if arc is None:
            continue
        graph = oracles.graph_with(variables, kept | {arc})
        if (
            nx.is_directed_acyclic_graph(graph)
            and rules.kept_by(graph.edges)
            and oracles.exact_clique_by_subsets(oracles.moral_graph(graph)) <= limit
        ):
            kept.add(arc)
    return kept


@settings(max_examples=150)
@given(
    weighted_dag_lists(max_size=6, max_dags=5),
    st.integers(2, 5),
    st.sampled_from([Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(29, 100)]),
    st.data(),
)
def test_the_majority_vote_is_that_of_its_slow_twin(
    inputs: tuple[list[DAG], list[int]], limit: int, threshold: Fraction, data: st.DataObject
) -> None:
    dags, weights = inputs
    rules = data.draw(st.one_of(st.just(Rules()), satisfiable(dags[0].variables, limit)))
    directions = data.draw(st.sampled_from(["any", None]))
    options: dict[str, Any] = {"weights": weights, "threshold": float(threshold), **rules.options}
    result = consensus(dags, limit, method="majority", directions=directions, **options)
    if directions is None:  # the usual rule: no arc that more have the other way round, unless it is required
        opposed = [
            arc
            for arc in permutations(dags[0].variables, 2)
            if weight(dags, weights, arc) < weight(dags, weights, arc[::-1])
        ]
        rules = replace(rules, forbidden=(*rules.forbidden, *(arc for arc in opposed if arc not in rules.required)))
    assert_valid(result, dags, limit, weights, rules)
    assert set(result.dag.edges) == slow_majority(dags, weights, threshold, limit, rules)


@pytest.mark.parametrize("limit", [3, 5])
def test_larger_majority_votes_leave_out_only_what_does_not_fit(limit: int) -> None:
    """Some order of elimination proves the limit; an arc left out closes a cycle or has no min-degree order in it."""
    dags = [random_dag(seed, 30, 1.0, reach=4) for seed in range(3)]
    result = consensus(dags, limit, method="majority", threshold=0)
    assert_valid(result, dags, limit)
    kept = set(result.dag.edges)
    assert kept <= {arc for dag in dags for arc in dag.edges}
    for arc in sorted({arc for dag in dags for arc in dag.edges} - kept):
        if arc[::-1] in kept:
            continue
        graph = oracles.graph_with(dags[0].variables, kept | {arc})
        moral = oracles.moral_graph(graph)
        backwards = oracles.graph_with(dags[0].variables, kept | {arc[::-1]})
        assert (
            not nx.is_directed_acyclic_graph(graph)
            or not nx.is_directed_acyclic_graph(backwards)
            or max(oracles.cliques_along(moral, fewest_neighbours(moral))) > limit
        )


def test_a_share_of_exactly_the_threshold_is_not_above_it() -> None:
    names = ["A", "B"]
    dags = [DAG(names, [("A", "B")])] * 29 + [DAG(names)] * 71
    assert consensus(dags, 2, method="majority", threshold=0.29).dag.edges == ()
    assert consensus(dags, 2, method="majority", threshold=0.28).dag.edges == (("A", "B"),)


@pytest.mark.parametrize("threshold", [-0.1, 1, 1.5, "half", float("nan")])
def test_a_threshold_is_a_share(threshold: Any) -> None:
    with pytest.raises(OptionError, match="threshold must be a number"):
        consensus(larger_inputs(5), 3, method="majority", threshold=threshold)
