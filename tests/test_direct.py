"""The direct search and, at the end, the majority vote: valid, on small problems as good as brute force, directions."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise, permutations
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from bnfuse import DAG, OptionError, Progress, consensus
from bnfuse.answer.result import Result
from bnfuse.problem.problem import Problem
from bnfuse.search.direct import DirectOptions, direct
from bnfuse.search.run import Run
from strategies import Arc, acyclic_arcs, problem_of, random_dag, weighted_dag_lists

# What must hold of every result, decided without the package


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


def from_start(problem: Problem, start: DAG, run: Run | None = None) -> Result:
    options = DirectOptions("quick")
    return Result(problem, options, direct(problem, run, options, start))


def assert_valid(
    result: Result,
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


@pytest.mark.parametrize("target", ["inputs", "fused"])
@settings(max_examples=60)
@given(weighted_dag_lists(), st.integers(2, 4), st.data())
def test_every_result_is_valid(
    target: str, inputs: tuple[list[DAG], list[int]], limit: int, data: st.DataObject
) -> None:
    dags, weights = inputs
    rules = data.draw(st.one_of(st.just(Rules()), satisfiable(dags[0].variables, limit)))
    options: dict[str, Any] = {"weights": weights, "target": target, "effort": "quick", **rules.options}
    result = consensus(dags, limit, **options)
    assert_valid(result, dags, limit, weights, rules, target=target)
    assert result.method == "direct"
    assert result.stopped_by == "finished"


@pytest.mark.parametrize("limit", [2, 3, 5, 8])
@pytest.mark.parametrize(("size", "mean_parents", "reach"), [(30, 1.5, None), (63, 1.2, 8), (65, 1.2, None)])
def test_larger_results_are_valid(size: int, mean_parents: float, reach: int | None, limit: int) -> None:
    dags = [random_dag(seed, size, mean_parents, reach) for seed in range(5)]
    weights = [1, 2, 3, 4, 5]
    assert_valid(consensus(dags, limit, weights=weights, effort="quick"), dags, limit, weights)


# Against all networks


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
        return np.array(
            [
                clique <= limit and rules.kept_by(arc for arc, kept in zip(names, row, strict=True) if kept)
                for clique, row in zip(self.clique, self.has_arc, strict=True)
            ]
        )

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


def arcs_worth(result: Result, dags: Sequence[DAG], weights: Sequence[int]) -> int:
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


@dataclass(frozen=True)
class Solved:
    """A result beside the best of all networks: (distance, directed support) of each."""

    found: tuple[float, int]
    best: tuple[float, int]


def solve(dags: Sequence[DAG], weights: Sequence[int], limit: int, rules: Rules) -> Solved:
    result = consensus(dags, limit, weights=weights, effort="quick", **rules.options)
    assert_valid(result, dags, limit, weights, rules)
    least, support = all_dags(len(dags[0].variables)).best(dags, weights, limit, rules)
    assert result.lower_bound is not None
    assert result.lower_bound <= least + 1e-9
    return Solved((round(result.distance, 9), arcs_worth(result, dags, weights)), (round(least, 9), support))


@cache
def free_problems(size: int, count: int, most: int) -> list[Solved]:
    problems = small_problems(size, count, most)
    return [solve(dags, weights, limit, Rules()) for dags, weights in problems for limit in range(2, size + 1)]


@cache
def bound_problems(size: int, count: int) -> list[Solved]:
    return [
        solve(dags, weights, limit, random_rules((size, number, limit), dags[0].variables, limit))
        for number, (dags, weights) in enumerate(small_problems(size, count, 9))
        for limit in range(2, size + 1)
    ]


FREE = pytest.mark.parametrize(
    ("size", "count", "most"),
    [(size, count, most) for size, count in [(2, 5), (3, 15), (4, 20), (5, 12)] for most in (1, 9, 10_000)],
)
BOUND = pytest.mark.parametrize(("size", "count"), [(3, 15), (4, 25), (5, 6)])


@FREE
def test_small_problems_have_the_distance_of_the_best_of_all_networks(size: int, count: int, most: int) -> None:
    assert [solved.found[0] for solved in free_problems(size, count, most)] == [
        solved.best[0] for solved in free_problems(size, count, most)
    ]


@FREE
def test_at_that_distance_their_arcs_are_worth_the_most(size: int, count: int, most: int) -> None:
    assert [solved.found for solved in free_problems(size, count, most)] == [
        solved.best for solved in free_problems(size, count, most)
    ]


@BOUND
def test_small_problems_with_constraints_have_the_distance_of_the_best_of_all_networks(size: int, count: int) -> None:
    assert [solved.found[0] for solved in bound_problems(size, count)] == [
        solved.best[0] for solved in bound_problems(size, count)
    ]


@BOUND
def test_at_that_distance_with_constraints_their_arcs_are_worth_the_most(size: int, count: int) -> None:
    assert [solved.found for solved in bound_problems(size, count)] == [
        solved.best for solved in bound_problems(size, count)
    ]


def test_the_fusion_as_target_is_met_as_closely_as_by_trying_all_networks_however_many_inputs_there_are() -> None:
    """The fusion counts once, the inputs' directions a thousand times: distance still comes first."""
    for number, (dags, _) in enumerate(small_problems(4, 12, 9)):
        inputs = [oracles.graph_of(dag) for dag in dags]
        order = oracles.heuristic_order(inputs, dags[0].variables, [1000] * len(dags))
        fused = DAG(dags[0].variables, set().union(*(oracles.ancestral_imap(graph, order) for graph in inputs)))
        limit = 2 + number % 3
        least, _ = all_dags(4).best([fused], [1], limit)
        result = consensus(dags * 1000, limit, target="fused", effort="quick")
        assert result.distance == least, f"problem {number}, limit {limit}"


def test_a_forbidden_edge_is_reached_by_a_common_child_that_few_inputs_have() -> None:
    """A and B are joined everywhere but may have no arc; one input of 30 joins B and C, so C is worth having both."""
    names = list("ABC")
    dags = [DAG(names, [("A", "B"), ("A", "C")])] * 29 + [DAG(names, [("A", "B"), ("A", "C"), ("B", "C")])]
    rules = Rules(forbidden=(("A", "B"), ("B", "A")))
    least, _ = all_dags(3).best(dags, [1] * 30, 3, rules)
    result = consensus(dags, 3, effort="quick", **rules.options)
    assert_valid(result, dags, 3, rules=rules)
    assert result.distance == pytest.approx(least)


# Cliques of 2


@pytest.mark.parametrize("size", [4, 5])
@pytest.mark.parametrize("constrained", [False, True])
def test_cliques_of_two_are_solved_exactly(size: int, constrained: bool) -> None:
    for number, (dags, weights) in enumerate(small_problems(size, 20 if size == 4 else 8, 7)):
        rules = random_rules((size, number), dags[0].variables, 2) if constrained else Rules()
        result = consensus(dags, 2, weights=weights, **rules.options)
        assert_valid(result, dags, 2, weights, rules)
        expected = all_dags(size).best(dags, weights, 2, rules)
        assert (result.distance, arcs_worth(result, dags, weights)) == (pytest.approx(expected[0]), expected[1])
        if not constrained:
            assert result.gap == 0


@pytest.mark.parametrize("seed", range(5))
def test_cliques_of_two_weigh_what_the_heaviest_forest_weighs(seed: int) -> None:
    dags = [random_dag(10 * seed + i, 40, 1.4) for i in range(7)]
    graph = nx.Graph()
    for dag in dags:
        for a, b in map(tuple, oracles.moral_edges(oracles.graph_of(dag))):
            graph.add_edge(a, b, count=graph.get_edge_data(a, b, {"count": 0})["count"] + 1)
    weights = {(a, b): 2 * data["count"] - len(dags) for a, b, data in graph.edges(data=True)}
    nx.set_edge_attributes(graph, weights, "weight")
    graph.remove_edges_from([edge for edge, weight in weights.items() if weight <= 0])
    heaviest = nx.maximum_spanning_tree(graph).size("weight")
    empty = sum(len(oracles.moral_edges(oracles.graph_of(dag))) for dag in dags)
    assert consensus(dags, 2).distance == pytest.approx((empty - heaviest) / len(dags))


def test_no_parents_at_all_leave_no_arcs() -> None:
    dags = [random_dag(seed, 6, 1.5) for seed in range(3)]
    for limit in (2, 3):
        assert consensus(dags, limit, max_parents=0, effort="quick").dag.edges == ()


# Directions


def test_copies_of_two_causes_and_their_effect_have_no_arc_between_the_causes() -> None:
    """A -> C <- B joins A and B already: an arc between them would be supported by nobody."""
    dag = DAG(list("ABC"), [("A", "C"), ("B", "C")])
    assert consensus([dag] * 3, 3, effort="quick").dag == dag


@pytest.mark.parametrize("seed", range(8))
def test_copies_of_a_network_within_the_limit_give_the_network(seed: int) -> None:
    size = 20 + 5 * seed
    dag = random_dag(seed, size, 1.1, reach=(None, 6)[seed % 2])
    limit = max(oracles.cliques_along(moral := oracles.moral_graph(oracles.graph_of(dag)), fewest_neighbours(moral)))
    result = consensus([dag] * 10, limit, effort="quick")
    assert_valid(result, [dag] * 10, limit)
    assert result.distance == 0
    assert result.gap == 0
    assert set(result.dag.edges) == set(dag.edges)


def fewest_neighbours(graph: nx.Graph) -> list[str]:
    """A min-degree elimination order."""
    rest, order = graph.copy(), []
    while len(rest):
        v = min(rest, key=rest.degree)
        rest.add_edges_from(combinations(list(rest[v]), 2))
        rest.remove_node(v)
        order.append(v)
    return order


@settings(max_examples=40)
@given(weighted_dag_lists(max_dags=2), st.integers(2, 5))
def test_copies_of_a_small_network_give_the_network(inputs: tuple[list[DAG], list[int]], copies: int) -> None:
    dag = next(dag for dag in inputs[0] if dag.edges)
    limit = oracles.exact_clique_by_subsets(oracles.moral_graph(oracles.graph_of(dag)))
    assert consensus([dag] * copies, limit, effort="quick").dag == dag


def ring(size: int) -> DAG:
    """A chain whose first and last variable have an effect in common: one moral cycle through all but that."""
    names = [f"v{i}" for i in range(size)]
    return DAG(names, [*pairwise(names[:-1]), (names[0], names[-1]), (names[-2], names[-1])])


@pytest.mark.parametrize("size", [10, 66, 100])
def test_copies_of_a_ring_however_long_give_the_ring(size: int) -> None:
    dag = ring(size)
    result = consensus([dag] * 3, 3, effort="quick")
    assert_valid(result, [dag] * 3, 3)
    assert result.distance == 0
    assert consensus([dag] * 3, 3, method="majority").dag == dag
    assert consensus([dag] * 3, 3, effort="quick", required=dag.edges).dag == dag


def test_directed_support_decides_between_equal_distances() -> None:
    """A chain and its reverse have one moral graph; two of three inputs say which it is."""
    names = [f"V{i}" for i in range(12)]
    forward, backward = DAG(names, pairwise(names)), DAG(names, pairwise(names[::-1]))
    for limit in (2, 3):
        assert consensus([forward, backward, forward], limit, effort="quick").dag == forward
        assert consensus([forward, backward], limit, weights=[1, 2], effort="quick").dag == backward


# Determinism, history, limits of time, interruption


def larger_inputs(size: int = 30) -> list[DAG]:
    return [random_dag(seed, size, 1.6) for seed in range(6)]


@pytest.mark.parametrize("metric", ["smhd", "fsim"])
def test_threads_change_nothing(metric: str) -> None:
    dags = larger_inputs(30 if metric == "smhd" else 8)
    one, *others = (consensus(dags, 4, metric, effort="quick", seed=5, threads=threads) for threads in (1, 2, 5))
    for other in others:
        assert other.dag == one.dag
        assert other.history == one.history
        assert other.elimination_order == one.elimination_order


def test_another_seed_searches_elsewhere() -> None:
    dags = larger_inputs()
    results = [consensus(dags, 5, effort="quick", seed=seed) for seed in range(3)]
    assert len({result.dag for result in results}) > 1
    assert len({result.history for result in results}) > 1


def test_seeds_of_any_size_are_taken_or_refused_in_one_line() -> None:
    dags = larger_inputs(6)
    assert_valid(consensus(dags, 3, effort="quick", seed=2**64 - 1), dags, 3)
    with pytest.raises(OptionError, match="seed"):
        consensus(dags, 3, effort="quick", seed=2**64)


def test_a_limit_beyond_all_variables_is_no_limit() -> None:
    dags = larger_inputs(5)
    free = consensus(dags, 5, effort="quick")
    for limit in (6, 2048, 2**31, 2**40):
        assert consensus(dags, limit, effort="quick").distance == free.distance


def test_more_effort_looks_at_more_moves() -> None:
    dags = larger_inputs(12)
    quick, normal = (consensus(dags, 4, effort=effort) for effort in ("quick", "normal"))
    assert normal.history[-1].evaluations > quick.history[-1].evaluations
    assert normal.distance <= quick.distance


@pytest.mark.parametrize("metric", ["smhd", "fsim"])
@pytest.mark.parametrize("limit", [2, 4])
def test_a_time_limit_cuts_the_search_and_says_so(limit: int, metric: str) -> None:
    dags = larger_inputs(12)
    result = consensus(dags, limit, metric, time_limit=1e-9)
    if limit > 2 or metric == "fsim":
        assert result.stopped_by == "time limit"
    assert_valid(result, dags, limit, metric=metric)


@pytest.mark.parametrize("metric", ["smhd", "fsim"])
def test_an_interrupt_keeps_the_best_so_far(metric: str) -> None:
    dags = larger_inputs(12)
    for at in (1, 3):
        calls: list[Progress] = []

        def interrupt(progress: Progress, at: int = at, calls: list[Progress] = calls) -> None:
            calls.append(progress)
            if len(calls) == at:
                raise KeyboardInterrupt

        result = consensus(dags, 4, metric, effort="quick", progress=interrupt)
        assert result.stopped_by == "interrupted"
        assert at <= len(result.history) <= at + 1  # one more where tidying brings the network closer
        assert_valid(result, dags, 4, metric=metric)


@pytest.mark.parametrize("limit", [2, 3, 5])
def test_progress_tells_the_history(limit: int) -> None:
    seen: list[Progress] = []
    result = consensus(larger_inputs(), limit, effort="quick", progress=seen.append)
    assert [(p.step, p.distance, p.clique_size) for p in seen] == [
        (s.step, s.distance, s.clique_size) for s in result.history
    ]
    assert seen[-1].distance == result.distance
    assert all(before.seconds <= after.seconds for before, after in pairwise(seen))
    assert all(p.step <= p.steps for p in seen)


def test_other_errors_of_a_progress_callback_are_not_swallowed() -> None:
    def fail(_: Progress) -> None:
        raise ZeroDivisionError

    for metric in ("smhd", "fsim"):
        with pytest.raises(ZeroDivisionError):
            consensus(larger_inputs(6), 3, metric, effort="quick", progress=fail)


# Warm starts


@pytest.mark.parametrize("seed", range(6))
def test_a_search_is_never_worse_than_its_start(seed: int) -> None:
    dags = [random_dag(100 * seed + i, 40, 1.6) for i in range(6)]
    for limit in (3, 5, 7):
        better = consensus(dags, limit, effort="quick", seed=seed)
        cut = Run(seed=seed + 1, time_limit=1e-9)
        result = from_start(problem_of(dags, limit), better.dag, cut)
        assert result.stopped_by == "time limit"
        assert result.distance <= better.distance
        assert_valid(result, dags, limit)


def test_a_start_keeps_no_arc_that_is_forbidden() -> None:
    dags = larger_inputs(8)
    start = consensus(dags, 3, effort="quick").dag
    rules = Rules(forbidden=start.edges[:3])
    problem = problem_of(dags, 3, **rules.options)
    assert_valid(from_start(problem, start), dags, 3, rules=rules)


# Few variables, many variables


@pytest.mark.parametrize("metric", ["smhd", "fsim"])
@pytest.mark.parametrize("limit", [2, 3, 10])
def test_the_smallest_problems(limit: int, metric: str) -> None:
    alone, pair = ["A"], ["A", "B"]
    cases = [[DAG(alone)], [DAG(alone)] * 2, [DAG(pair)] * 2, [DAG(pair, [("B", "A")])] * 2, [DAG(list("ABC"))] * 3]
    for dags in cases:
        result = consensus(dags, limit, metric, effort="quick")
        assert_valid(result, dags, limit, metric=metric)
        assert result.dag == dags[0]
    disputed = [DAG(pair, [("B", "A")]), DAG(pair, [("A", "B")]), DAG(pair, [("B", "A")])]
    assert consensus(disputed, limit, metric, effort="quick").dag.edges == (("B", "A"),)


def test_one_network_over_the_limit_is_thinned() -> None:
    complete = DAG(list("ABCDE"), combinations("ABCDE", 2))
    for limit, edges in [(2, 4), (3, 7), (4, 9), (5, 10)]:
        result = consensus([complete], limit, effort="quick")
        assert_valid(result, [complete], limit)
        assert result.distance == 10 - edges
        assert result.gap == 0


@pytest.mark.parametrize(("size", "limit"), [(130, 3), (130, 6), (600, 4)])
def test_many_variables(size: int, limit: int) -> None:
    base = random_dag(size, size, 1.1, reach=5)
    names = base.variables
    rng = random.Random(size)
    dags = [DAG(names, [arc for arc in base.edges if rng.random() < 0.8]) for _ in range(4)]
    result = consensus(dags, limit, effort="quick")
    assert_valid(result, dags, limit)
    assert result.distance <= consensus(dags, limit, method="majority").distance


# FSim


@settings(max_examples=15)
@given(weighted_dag_lists(max_size=5, max_dags=3), st.integers(2, 4), st.data())
def test_every_result_for_fsim_is_valid(inputs: tuple[list[DAG], list[int]], limit: int, data: st.DataObject) -> None:
    dags, weights = inputs
    rules = data.draw(st.one_of(st.just(Rules()), satisfiable(dags[0].variables, limit)))
    result = consensus(dags, limit, "fsim", weights=weights, effort="quick", **rules.options)
    assert_valid(result, dags, limit, weights, rules, "fsim")


@pytest.mark.parametrize("limit", [2, 3])
def test_fsim_of_three_variables_is_solved_as_by_trying_all_networks(limit: int) -> None:
    for dags, weights in small_problems(3, 8, 5):
        result = consensus(dags, limit, "fsim", weights=weights, effort="quick")
        assert result.distance == pytest.approx(oracles.least_mean_fsim(dags, weights, limit), abs=1e-9)


@pytest.mark.parametrize("size", [6, 10])
@pytest.mark.parametrize("limit", [2, 3, 4])
def test_fsim_is_never_above_that_of_the_greedy_search(limit: int, size: int) -> None:
    for seed in range(3):
        dags = [random_dag(10 * seed + i, size, 1.3) for i in range(4)]
        result = consensus(dags, limit, "fsim", effort="quick")
        assert_valid(result, dags, limit, metric="fsim")
        for kind in ("shared", "per-network", "fused"):
            assert result.distance <= consensus(dags, limit, "fsim", "greedy", candidates=kind).distance


# Options


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"effort": "huge"}, "effort must be one of"),
        ({"effort": None}, "effort must be one of"),
        (
            {"population": 10},
            "the method direct has no option population; it goes with genetic",
        ),
    ],
)
def test_wrong_options_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        consensus(larger_inputs(5), 3, **options)
