"""Small questions with constraints, every DAG over their variables, and what must hold of an answer."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise, permutations
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import strategies as st

import oracles
from bnfuse import DAG
from bnfuse.answer.result import Consensus
from bnfuse.problem.problem import Problem
from bnfuse.search.direct import DirectOptions, direct
from bnfuse.search.run import Run
from proof_checker import Question
from strategies import Arc, acyclic_arcs, random_dag


@dataclass(frozen=True)
class Rules:
    """Constraints as they are handed to the package."""

    required: tuple[Arc, ...] = ()
    forbidden: tuple[Arc, ...] = ()
    tiers: tuple[tuple[str, ...], ...] = ()
    max_parents: int | None = None

    @property
    def options(self) -> dict[str, Any]:
        tiers = self.tiers or None
        required, forbidden = self.required, self.forbidden
        return {"required": required, "forbidden": forbidden, "tiers": tiers, "max_parents": self.max_parents}

    def kept_by(self, arcs: Iterable[Arc]) -> bool:
        arcs = set(arcs)
        tier_of = {name: place for place, tier in enumerate(self.tiers) for name in tier}
        parents = [target for _, target in arcs]
        return (
            arcs.issuperset(self.required)
            and arcs.isdisjoint(self.forbidden)
            and not any(a in tier_of and b in tier_of and tier_of[b] < tier_of[a] for a, b in arcs)
            and (self.max_parents is None or all(parents.count(v) <= self.max_parents for v in set(parents)))
        )


def against(directions: str, dags: Sequence[DAG], weights: Sequence[int]) -> set[Arc]:
    """The arcs that a rule on directions does not allow, by its definition."""
    if directions == "any":
        return set()
    votes: Counter[Arc] = Counter()
    for dag, weight in zip(dags, weights, strict=True):
        for arc in dag.edges:
            votes[arc] += weight
    return {
        (a, b)
        for a, b in permutations(dags[0].variables, 2)
        if not votes[a, b] or (directions == "majority" and votes[b, a] > votes[a, b])
    }


def recomputed_distance(
    graph: nx.DiGraph, dags: Sequence[DAG], weights: Sequence[int], metric: str = "smhd", target: str = "inputs"
) -> float:
    """The mean distance by the definitions, from the inputs."""
    inputs = [oracles.graph_of(dag) for dag in dags]
    variables = dags[0].variables
    order = oracles.heuristic_order(inputs, variables, weights) if metric == "fsim" or target == "fused" else []
    references, counted, ties = inputs, weights, order
    if target == "fused":
        fused = oracles.graph_with(variables, set().union(*(oracles.ancestral_imap(g, order) for g in inputs)))
        references, counted, ties = [fused], [1], oracles.heuristic_order([fused], variables)
    distances = [oracles.distance(metric, graph, g, ties) for g in references]
    return sum(w * d for w, d in zip(counted, distances, strict=True)) / sum(counted)


def from_start(problem: Problem, start: DAG, run: Run | None = None) -> Consensus:
    options = DirectOptions("quick")
    return Consensus(problem, options, direct(problem, run, options, start))


def assert_valid(
    result: Consensus,
    dags: Sequence[DAG],
    limit: int,
    weights: Sequence[int] | None = None,
    rules: Rules | None = None,
    metric: str = "smhd",
    target: str = "inputs",
) -> None:
    graph = oracles.graph_of(result.dag)
    assert result.dag.variables == dags[0].variables
    assert nx.is_directed_acyclic_graph(graph)
    assert sorted(result.elimination_order) == sorted(graph)
    assert max(oracles.cliques_along(oracles.moral_graph(graph), result.elimination_order)) == result.clique_size
    assert result.clique_size <= limit
    assert (rules or Rules()).kept_by(graph.edges)
    expected = recomputed_distance(graph, dags, weights or [1] * len(dags), metric, target)
    assert result.distance == pytest.approx(expected, abs=1e-9)
    if metric != "fsim":
        assert result.lower_bound is not None
        assert result.lower_bound <= result.distance
        if result.gap is None:
            assert result.lower_bound == 0 < result.distance
        else:
            assert result.distance == pytest.approx((1 + result.gap) * result.lower_bound)
        assert (result.gap == 0) == (result.lower_bound == result.distance)
    else:
        assert result.lower_bound is result.gap is None
    assert all(before.distance >= after.distance for before, after in pairwise(result.history))
    assert all(before.evaluations <= after.evaluations for before, after in pairwise(result.history))
    if result.history:
        assert result.history[-1].distance == result.distance
        assert all(step.clique_size <= limit for step in result.history)


@st.composite
def satisfiable(draw: st.DrawFn, variables: Sequence[str], limit: int) -> Rules:
    """Constraints that a hidden network within the limit keeps."""

    def fits(arcs: list[Arc]) -> bool:
        return oracles.exact_clique_by_subsets(oracles.moral_graph(oracles.graph_with(variables, arcs))) <= limit

    witness = draw(acyclic_arcs(variables).filter(fits))
    absent = sorted(set(permutations(variables, 2)) - set(witness))
    required = [arc for arc in witness if draw(st.integers(0, 3)) == 0]
    forbidden = [arc for arc in absent if draw(st.integers(0, 3)) == 0]
    order = list(nx.topological_sort(oracles.graph_with(variables, witness)))
    cut = draw(st.integers(1, len(order)))
    tiers = draw(st.sampled_from([(), tuple(tuple(t) for t in (order[:cut], order[cut:]) if t)]))
    targets = [target for _, target in witness]
    most = max((targets.count(v) for v in variables), default=0)
    return Rules(tuple(required), tuple(forbidden), tiers, draw(st.sampled_from([None, most, most + 1])))


class AllDags:
    """Every DAG over a few variables as rows of arrays, for fast sums."""

    def __init__(self, size: int) -> None:
        self.arcs = list(permutations(range(size), 2))
        self.edges = list(combinations(range(size), 2))
        cliques = oracles.all_moral_graphs(size)
        dags = sorted(map(sorted, oracles.all_dags(size)))
        self.has_arc = np.zeros((len(dags), len(self.arcs)), np.int64)
        self.has_edge = np.zeros((len(dags), len(self.edges)), np.int64)
        self.clique = np.zeros(len(dags), np.int64)
        arc_place = {arc: i for i, arc in enumerate(self.arcs)}
        edge_place = {edge: i for i, edge in enumerate(self.edges)}
        for row, arcs in enumerate(dags):
            families = [[source for source, target in arcs if target == v] + [v] for v in range(size)]
            moral = {tuple(sorted(pair)) for family in families for pair in combinations(family, 2)}
            self.has_arc[row, [arc_place[arc] for arc in arcs]] = 1
            self.has_edge[row, [edge_place[pair] for pair in moral]] = 1  # type: ignore[index]
            self.clique[row] = cliques[frozenset(map(frozenset, moral))]

    def within(self, limit: int, rules: Rules, variables: Sequence[str]) -> npt.NDArray[np.bool_]:
        names = [(variables[a], variables[b]) for a, b in self.arcs]
        column = {arc: i for i, arc in enumerate(names)}
        tier_of = {name: place for place, tier in enumerate(rules.tiers) for name in tier}
        back = [(a, b) for a, b in names if a in tier_of and b in tier_of and tier_of[b] < tier_of[a]]
        has_arc = self.has_arc > 0
        kept = self.clique <= limit
        kept &= has_arc[:, [column[arc] for arc in rules.required]].all(axis=1)
        kept &= ~has_arc[:, [column[arc] for arc in (*rules.forbidden, *back)]].any(axis=1)
        if rules.max_parents is not None:
            for v in variables:
                kept &= has_arc[:, [i for (_, b), i in column.items() if b == v]].sum(axis=1) <= rules.max_parents
        return kept

    def best(
        self, dags: Sequence[DAG], weights: Sequence[int], limit: int, rules: Rules | None = None
    ) -> tuple[float, int]:
        """The least mean SMHD within limit and constraints, and the most that arcs are worth at that distance."""
        variables = dags[0].variables
        graphs = [oracles.graph_of(dag) for dag in dags]
        morals = [oracles.moral_edges(graph) for graph in graphs]
        counted = [
            sum(w for w, m in zip(weights, morals, strict=True) if frozenset({variables[a], variables[b]}) in m)
            for a, b in self.edges
        ]
        supported = [
            sum(w for w, g in zip(weights, graphs, strict=True) if g.has_edge(variables[a], variables[b]))
            for a, b in self.arcs
        ]
        total = sum(weights)
        distance = sum(counted) + self.has_edge @ (total - 2 * np.array(counted, np.int64))
        allowed = self.within(limit, rules, variables) if rules and rules != Rules() else self.clique <= limit
        least = distance[allowed].min()
        worth = 4 * np.array(supported, np.int64) - 2 * total + 1
        return float(least / total), int((self.has_arc @ worth)[allowed & (distance == least)].max())


@cache
def all_dags(size: int) -> AllDags:
    return AllDags(size)


def arcs_worth(result: Consensus, dags: Sequence[DAG], weights: Sequence[int]) -> int:
    """Above 0 for an arc that at least half of the inputs, by weight, have that way round; more with each of them."""
    arcs = set(result.dag.edges)
    support = sum(w * len(arcs & set(dag.edges)) for w, dag in zip(weights, dags, strict=True))
    return 4 * support - (2 * sum(weights) - 1) * len(arcs)


def small_problems(size: int, count: int, most: int) -> Iterator[tuple[list[DAG], list[int]]]:
    """Random inputs with weights up to `most`."""
    for seed in range(count):
        rng = random.Random(f"{size} {seed} {most}")
        dags = [random_dag(rng.randrange(10**6), size, rng.choice([0.8, 1.2, 2.0])) for _ in range(rng.randint(2, 5))]
        yield dags, [rng.randint(1, most) for _ in dags]


def random_rules(seed: object, variables: Sequence[str], limit: int) -> Rules:
    """Constraints that a hidden network within the limit keeps, by chance."""
    rng = random.Random(f"rules {seed}")
    while True:
        witness = random_dag(rng.randrange(10**6), len(variables), 1.0).edges
        graph = oracles.graph_with(variables, witness)
        if oracles.exact_clique_by_subsets(oracles.moral_graph(graph)) <= limit:
            break
    absent = sorted(set(permutations(variables, 2)) - set(witness))
    order = list(nx.topological_sort(graph))
    cut = rng.randint(1, len(order) - 1)
    return Rules(
        tuple(arc for arc in witness if rng.random() < 0.3),
        tuple(arc for arc in absent if rng.random() < 0.3),
        rng.choice([(), (tuple(order[:cut]), tuple(order[cut:]))]),
        rng.choice([None, max(degree for _, degree in graph.in_degree)]),
    )


def fewest_neighbours(graph: nx.Graph) -> list[str]:
    """A min-degree elimination order."""
    rest, order = graph.copy(), []
    while len(rest):
        v = min(rest, key=rest.degree)
        rest.add_edges_from(combinations(list(rest[v]), 2))
        rest.remove_node(v)
        order.append(v)
    return order


def ring(size: int) -> DAG:
    """A chain whose first and last variable have an effect in common: one moral cycle through all but that."""
    names = [f"v{i}" for i in range(size)]
    return DAG(names, [*pairwise(names[:-1]), (names[0], names[-1]), (names[-2], names[-1])])


def larger_inputs(size: int = 30) -> list[DAG]:
    return [random_dag(seed, size, 1.6) for seed in range(6)]


def question_of(dags: Sequence[DAG], weights: Sequence[int], metric: str, limit: int, rules: Rules) -> Question:
    place = {name: i for i, name in enumerate(dags[0].variables)}
    back = [(a, b) for early, late in combinations(rules.tiers, 2) for a in late for b in early]
    numbers = lambda arcs: frozenset((place[a], place[b]) for a, b in arcs)  # noqa: E731
    return Question(
        len(place),
        [(numbers(dag.edges), weight) for dag, weight in zip(dags, weights, strict=True)],
        metric,
        min(limit, len(place)),
        numbers(rules.required),
        numbers([*rules.forbidden, *back]),
        rules.max_parents,
    )


def entangled(n: int = 12, r: int = 3) -> list[DAG]:
    """Inputs whose bound without a proof is below the optimum."""
    return [random_dag(1000 + seed, n, 2.5) for seed in range(r)]
