"""Random DAGs: hypothesis strategies for small ones, which shrink, and a seeded generator for large ones."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import fields
from itertools import pairwise
from typing import Any

import numpy as np
from hypothesis import strategies as st

import bnfuse
from bnfuse import DAG, Consensus, Constraints, GeneticOptions, Network
from bnfuse.answer.question import METHODS
from bnfuse.problem.inputs import Inputs
from bnfuse.problem.problem import Problem

Arc = tuple[str, str]

WORD_BOUNDARIES = [1, 2, 63, 64, 65, 127, 128, 129, 256, 257, 512, 513, 1024, 1025, 2048]
"""Numbers of variables on both sides of each number of 64-bit words that the kernel is built for."""


@st.composite
def acyclic_arcs(draw: st.DrawFn, variables: Sequence[str]) -> list[Arc]:
    """Any set of arcs over the variables that has no cycle."""
    topological = draw(st.permutations(variables))
    pairs = [(topological[i], topological[j]) for i in range(len(topological)) for j in range(i + 1, len(topological))]
    if not pairs:
        return []
    count = draw(st.integers(0, len(pairs)))  # drawn first: a plain list would nearly always be short
    return draw(st.lists(st.sampled_from(pairs), unique=True, min_size=count, max_size=count))


@st.composite
def variable_lists(draw: st.DrawFn, min_size: int = 1, max_size: int = 8) -> list[str]:
    """Names whose order is not the alphabetical one."""
    size = draw(st.integers(min_size, max_size))
    return draw(st.permutations([f"V{i}" for i in range(size)]))


@st.composite
def dags(draw: st.DrawFn, min_size: int = 1, max_size: int = 8) -> DAG:
    variables = draw(variable_lists(min_size, max_size))
    return DAG(variables, draw(acyclic_arcs(variables)))


@st.composite
def dag_lists(draw: st.DrawFn, min_size: int = 1, max_size: int = 8, min_dags: int = 1, max_dags: int = 4) -> list[DAG]:
    """DAGs over the same variables, listed in the same order."""
    variables = draw(variable_lists(min_size, max_size))
    count = draw(st.integers(min_dags, max_dags))
    return [DAG(variables, draw(acyclic_arcs(variables))) for _ in range(count)]


@st.composite
def dag_pairs(draw: st.DrawFn, min_size: int = 1, max_size: int = 8) -> tuple[DAG, DAG]:
    first, second = draw(dag_lists(min_size, max_size, min_dags=2, max_dags=2))
    return first, second


@st.composite
def dag_and_order(draw: st.DrawFn, min_size: int = 1, max_size: int = 8) -> tuple[DAG, list[str]]:
    dag = draw(dags(min_size, max_size))
    return dag, draw(st.permutations(dag.variables))


@st.composite
def dags_and_order(
    draw: st.DrawFn, min_size: int = 1, max_size: int = 8, min_dags: int = 1, max_dags: int = 4
) -> tuple[list[DAG], list[str]]:
    graphs = draw(dag_lists(min_size, max_size, min_dags, max_dags))
    return graphs, draw(st.permutations(graphs[0].variables))


@st.composite
def tables_for(draw: st.DrawFn, dag: DAG, states: dict[str, tuple[str, ...]], name: str = "") -> Network:
    """A network with random tables, in which some probabilities may be 0 and some 1."""
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    zeros = draw(st.sampled_from([0.0, 0.0, 0.3, 0.7]))
    tables = {}
    for variable in dag.variables:
        table = random.random([len(states[member]) for member in (*dag.parents(variable), variable)]) + 1e-3
        table *= random.random(table.shape) >= zeros
        table[..., 0] += table.sum(-1) == 0
        tables[variable] = table / table.sum(-1, keepdims=True)
    return Network(dag, states, tables, name)


@st.composite
def small_networks(
    draw: st.DrawFn, min_size: int = 1, max_size: int = 5, count: int = 1, min_states: int = 1
) -> list[Network]:
    """Networks with tables over the same variables and states, small enough to enumerate."""
    graphs = draw(dag_lists(min_size, max_size, min_dags=count, max_dags=count))
    states = {name: tuple(f"s{i}" for i in range(draw(st.integers(min_states, 3)))) for name in graphs[0].variables}
    return [draw(tables_for(dag, states, f"net{i}")) for i, dag in enumerate(graphs)]


@st.composite
def extreme_networks(draw: st.DrawFn, max_size: int = 5) -> Network:
    """A small network in which probabilities may be as small as numbers can be."""
    (network,) = draw(small_networks(max_size=max_size))
    assert network.cpts is not None
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    exponents = draw(st.lists(st.sampled_from([0, 5, 100, 150, 200, 300, 305]), min_size=1, max_size=4))
    tables = {}
    for variable, given in network.cpts.items():
        table = given * 10.0 ** -random.choice(exponents, given.shape)
        largest = table.argmax(-1)[..., np.newaxis]
        np.put_along_axis(table, largest, 0.0, -1)
        np.put_along_axis(table, largest, 1 - table.sum(-1, keepdims=True), -1)
        tables[variable] = table
    return Network(network.dag, network.states, tables)


@st.composite
def networks_and_questions(draw: st.DrawFn, max_size: int = 5) -> tuple[Network, list[str], dict[str, str]]:
    """A small network, some of its variables in any order, and evidence about some."""
    (network,) = draw(small_networks(max_size=max_size))
    names = st.sampled_from(network.variables)
    asked = draw(st.lists(names, unique=True, min_size=1, max_size=len(network.variables)))
    observed = draw(st.lists(names, unique=True, max_size=len(network.variables)))
    assert network.states is not None
    return network, asked, {name: draw(st.sampled_from(network.states[name])) for name in observed}


def problem_of(
    dags: Sequence[DAG], limit: int, metric: str = "smhd", target: str = "inputs", weights: Any = None, **rules: Any
) -> Problem:
    return Problem(Inputs.of(dags, weights), limit, metric, target, Constraints(**rules))


def common_children(seed: object, size: int) -> DAG:
    """A seeded random DAG over X1, X2, ...: few sources, and children that have two or three of them in common.

    Most of its moral edges are marriages.
    """
    rng = random.Random(f"common children {seed}")
    variables = [f"X{i + 1}" for i in range(size)]
    hidden = rng.sample(variables, size)
    sources = rng.randint(2, max(2, size - 2))
    arcs = set()
    for place in range(sources, size):
        for source in rng.sample(hidden[:sources], min(sources, rng.randint(2, 3))):
            arcs.add((source, hidden[place]))
    for _ in range(rng.randint(0, 3)):
        first, last = sorted(rng.sample(range(size), 2))
        arcs ^= {(hidden[first], hidden[last])}
    return DAG(variables, sorted(arcs))


def random_dag(seed: int, size: int, mean_parents: float = 1.5, reach: int | None = None) -> DAG:
    """A seeded random DAG over X1, X2, ... whose topological order is not that of the names.

    With `reach`, arcs join only variables at most so many places apart, which keeps its I-maps sparse.
    """
    rng = random.Random(seed)
    variables = [f"X{i + 1}" for i in range(size)]
    hidden = variables.copy()
    if reach is None:
        rng.shuffle(hidden)
    arcs = set()
    for target in range(1, size):
        nearest = max(0, target - reach) if reach else 0
        sources = range(nearest, target)
        for source in rng.sample(sources, min(len(sources), round(rng.expovariate(1 / mean_parents)))):
            arcs.add((hidden[source], hidden[target]))
    return DAG(variables, sorted(arcs))


def chain(size: int) -> DAG:
    names = [f"X{i + 1}" for i in range(size)]
    return DAG(names, pairwise(names))


def common_effect(size: int) -> DAG:
    """All variables but the last are the parents of the last."""
    names = [f"X{i + 1}" for i in range(size)]
    return DAG(names, [(name, names[-1]) for name in names[:-1]])


def padded(dag: DAG, size: int) -> DAG:
    """The same arcs among `size` variables; those of `dag` keep their order and lie in the first and the last word."""
    places = {0, size - 1} | {place for place in (63, 64) if place < size}
    free = [place for place in range(size) if place not in places]
    places.update(random.Random(size).sample(free, len(dag.variables) - len(places)))
    names = [f"pad{i}" for i in range(size)]
    for name, place in zip(dag.variables, sorted(places), strict=True):
        names[place] = name
    return DAG(names, dag.edges)


def _some_arcs(graphs: list[DAG]) -> bool:
    return any(dag.edges for dag in graphs)


@st.composite
def weighted_dag_lists(
    draw: st.DrawFn, min_size: int = 2, max_size: int = 6, max_dags: int = 4
) -> tuple[list[DAG], list[int]]:
    """DAGs over the same variables, at least one of which has an arc, and a weight for each."""
    graphs = draw(dag_lists(min_size, max_size, min_dags=2, max_dags=max_dags).filter(_some_arcs))
    weights = draw(st.lists(st.integers(1, 4), min_size=len(graphs), max_size=len(graphs)))
    return graphs, draw(st.sampled_from([[1] * len(graphs), weights]))


GENETIC_CHOICES = {
    "order": ["inputs", "candidate"],
    "rates": ["printed", "program"],
    "restraint": ["by-share", "none"],
    "first": ["printed", "program"],
    "offer": ["frequency", "in-turn"],
    "starts": ["every-limit", "last-two"],
    "offspring": [1, 2],
    "elites": ["after-mutation", "before-crossover"],
    "champion": ["within-limit", "all"],
    "noted": ["offspring", "generations"],
    "triangulation": ["min-fill", "mcs"],
}
"""Every option of the genetic search that is a choice: the printed text, the public program, or ours."""


def genetic_options(population: int = 12, generations: int = 6) -> st.SearchStrategy[dict[str, object]]:
    """Options of a short genetic search."""
    return st.fixed_dictionaries(
        {
            "population": st.integers(4, population),
            "generations": st.integers(0, generations),
            **{option: st.sampled_from(values) for option, values in GENETIC_CHOICES.items()},
        }
    )


def greedy_options() -> st.SearchStrategy[dict[str, object]]:
    """Options of a greedy search."""
    shared = ("order", "offer", "triangulation")
    return st.fixed_dictionaries(
        {
            "returned": st.sampled_from(["best", "last"]),
            **{option: st.sampled_from(GENETIC_CHOICES[option]) for option in shared},
        }
    )


def genetic_consensus(
    dags: Any,
    max_clique: int = 4,
    metric: str = "smhd",
    method: str = "genetic",
    candidates: str = "shared",
    **options: Any,
) -> Consensus:
    """`consensus` with the genetic search where nothing else is said, and candidates for the methods that have them."""
    if method in ("genetic", "greedy"):
        options["candidates"] = candidates
    return switched_consensus(dags, max_clique, metric, method, **options)


def switched_consensus(
    dags: Any, max_clique: int | None = None, metric: Any = "smhd", method: Any = "direct", **options: Any
) -> Consensus:
    """`consensus` with any option of the method, those that its own signature does not have too."""
    if not isinstance(method, str) or method not in METHODS:
        return bnfuse.consensus(dags, max_clique, metric, method, **options)
    kind: Any = METHODS[method]
    own = {name: options.pop(name) for name in [*options] if name in (*(one.name for one in fields(kind)), "preset")}
    if method != "genetic":
        return bnfuse.consensus(dags, max_clique, metric, kind(**own), **options)
    return bnfuse.consensus(dags, max_clique, metric, GeneticOptions.from_preset(**own), **options)
