"""The heaviest branching, against all branchings and against networkx."""

from __future__ import annotations

import random
from itertools import pairwise, product

import networkx as nx
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bnfuse import _kernel

Pairs = npt.NDArray[np.int64]
Rules = npt.NDArray[np.uint8]
Parents = tuple[int, ...]

MAY, MUST = 1, 2


def is_acyclic(parents: Parents) -> bool:
    return bool(nx.is_directed_acyclic_graph(nx.DiGraph((u, v) for v, u in enumerate(parents) if u >= 0)))


def value(parents: Parents, gain: Pairs, support: Pairs) -> tuple[int, int]:
    arcs = [(u, v) for v, u in enumerate(parents) if u >= 0]
    return sum(int(gain[arc]) for arc in arcs), sum(int(support[arc]) for arc in arcs)


def branchings(rules: Rules) -> list[Parents]:
    """Every choice of at most one allowed parent for each variable that has no cycle and all required arcs."""
    n = len(rules)
    choices = []
    for v in range(n):
        required = [u for u in range(n) if rules[u, v] & MUST]
        choices.append(required or [-1, *(u for u in range(n) if rules[u, v])])
    return [parents for parents in product(*choices) if is_acyclic(parents)]


def draw_pairs(draw: st.DrawFn, n: int, values: st.SearchStrategy[int]) -> Pairs:
    return np.array(draw(st.lists(values, min_size=n * n, max_size=n * n)), np.int64).reshape(n, n)


@st.composite
def problems(draw: st.DrawFn) -> tuple[Pairs, Pairs, Rules]:
    """Few different values, so that there are ties, or values at the limit of what is promised."""
    n = draw(st.integers(1, 5))
    scale = draw(st.sampled_from([1, 2**30]))
    gain = draw_pairs(draw, n, st.integers(-2, 2)) * scale
    if draw(st.booleans()):
        gain = np.maximum(gain, gain.T)
    support = draw_pairs(draw, n, st.integers(0, 2)) * scale
    rules = draw_pairs(draw, n, st.integers(0, 4)).clip(max=MAY).astype(np.uint8)
    np.fill_diagonal(rules, 0)
    required = draw(st.permutations(range(n)))
    for earlier, later in pairwise(required):
        if draw(st.integers(0, 3)) == 0:
            rules[earlier, later] = draw(st.sampled_from([MUST, MAY | MUST]))
    return gain, support, rules


@given(problems())
def test_no_branching_has_a_larger_gain_nor_as_large_a_gain_and_more_support(
    problem: tuple[Pairs, Pairs, Rules],
) -> None:
    gain, support, rules = problem
    parents = tuple(_kernel.maximum_branching(gain, support, rules))
    assert parents in (candidates := branchings(rules))
    assert value(parents, gain, support) == max(value(each, gain, support) for each in candidates)


@given(problems())
def test_an_arc_is_there_because_it_is_required_or_worth_it(problem: tuple[Pairs, Pairs, Rules]) -> None:
    gain, support, rules = problem
    for v, u in enumerate(_kernel.maximum_branching(gain, support, rules)):
        assert u < 0 or rules[u, v] & MUST or (gain[u, v], support[u, v]) > (0, 0)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("n", "arcs"), [(12, 40), (40, 300), (60, 120)])
def test_networkx_finds_the_same_gain(seed: int, n: int, arcs: int) -> None:
    rng = random.Random(f"{seed} {n} {arcs}")
    gain, support = np.zeros((2, n, n), np.int64)
    rules = np.zeros((n, n), np.uint8)
    graph = nx.DiGraph()
    graph.add_nodes_from(range(n))
    for _ in range(arcs):
        u, v = rng.sample(range(n), 2)
        gain[u, v] = rng.randint(1, 30)
        rules[u, v] = MAY
        graph.add_edge(u, v, weight=int(gain[u, v]))
    parents = tuple(_kernel.maximum_branching(gain, support, rules))
    assert is_acyclic(parents)
    assert value(parents, gain, support)[0] == nx.maximum_branching(graph, attr="weight").size("weight")


def test_cycles_within_cycles_are_contracted_for_the_most_variables() -> None:
    """Each variable prefers the one before it, heavier the earlier it comes, and the first prefers the last."""
    n = _kernel.MOST_IN_ROWS
    gain, support = np.zeros((2, n, n), np.int64)
    rules = np.zeros((n, n), np.uint8)
    for v in range(1, n):
        for u, w, weight in ((v - 1, v, 3 * n - v), (v, v - 1, 3 * n - v), (v, 0, n - v)):
            rules[u, w] = MAY
            gain[u, w] = max(gain[u, w], weight)
    parents = tuple(_kernel.maximum_branching(gain, support, rules))
    assert is_acyclic(parents)
    assert value(parents, gain, support)[0] == sum(3 * n - v for v in range(1, n))
