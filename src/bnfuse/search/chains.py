"""Common parts of the searches over DAGs: the kernel's annealing chains for a problem, and networks in its terms."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bnfuse import _kernel
from bnfuse.graphs.dag import DAG, numbered
from bnfuse.problem.problem import Problem
from bnfuse.search.outcome import gain_of

Rules = npt.NDArray[np.uint8]
"""By arc (row -> column): 1 means that it may be added, 2 that it must stay."""

Arcs = npt.NDArray[np.bool_]
"""By arc (row -> column): whether it is one of the given arcs."""


class Heat(NamedTuple):
    """The first temperature, in units of the total weight, and the power of 1/e by which it falls."""

    hot: float
    decay: float


class Scored(NamedTuple):
    """A network within the limit and the constraints, with the values by which networks are compared."""

    gain: int
    """the decrease in the summed distance from the network without arcs"""
    worth: int
    """the worth of its arcs (see `Problem.worth`), which decides between equal gains"""
    arcs: list[tuple[int, int]]
    order: list[int]
    """an elimination order that proves the clique size"""

    @property
    def score(self) -> tuple[int, int, int]:
        """A key for comparison: the larger, the better."""
        return self.gain, self.worth, -len(self.arcs)


def scored(problem: Problem, dag: DAG, order: Iterable[str]) -> Scored:
    """A network that is known to be within the limit along this elimination order, and to satisfy the constraints."""
    arcs = arcs_of(dag)
    return Scored(gain_of(problem, dag), worth_of(problem, arcs), arcs, numbered(order, dag).tolist())


def arcs_of(dag: DAG) -> list[tuple[int, int]]:
    """The arcs of a DAG for the kernel."""
    return [(source, target) for source, target in dag.arc_numbers.tolist()]


def worth_of(problem: Problem, arcs: Iterable[tuple[int, int]]) -> int:
    """The worth of arcs among equally close networks."""
    return sum(int(problem.worth[source, target]) for source, target in arcs)


def best_of(problem: Problem, chains: _kernel.DirectSearch) -> Scored:
    """The best network of all chains so far."""
    gain, _, arcs, order = chains.best()
    return Scored(gain, worth_of(problem, arcs), arcs, order)


def within_limits(problem: Problem, dag: DAG) -> tuple[str, ...] | None:
    """The elimination order that proves a network to be within the limit, if it also satisfies the constraints."""
    order = problem.kernel.order_within(arcs_of(dag))
    return None if order is None else named(problem, order)


def rules_of(problem: Problem) -> Rules:
    """By arc (row -> column): 1 means that it may be added, 2 that it must stay."""
    return problem.kernel.rules()


def allowed_arcs(problem: Problem) -> Arcs:
    """The arcs that the constraints and the limit on tables allow; the required ones are among them."""
    return problem.kernel.allowed_arcs().astype(np.bool_)


def useful_arcs(problem: Problem) -> Arcs:
    """The arcs that a best network may have: the allowed ones, without those that never improve a network."""
    return problem.kernel.useful_arcs().astype(np.bool_)


def best_branching(problem: Problem) -> DAG:
    """The best network in which each variable has at most one parent: exact."""
    return dag_of(problem, problem.kernel.best_branching())


def arcs_to_search(problem: Problem) -> int:
    """The number of arcs that measures the work of a search: those that may be added, were any direction allowed."""
    return problem.kernel.arcs_to_search()


def chains_of(problem: Problem, seed: int, count: int, heat: Heat, stream: int = 0) -> _kernel.DirectSearch:
    """Chains over the DAGs within the limit and constraints of a problem, starting from the required arcs alone."""
    return problem.kernel.chains(count, heat.hot, heat.decay, seed, stream)


def voting_chain(problem: Problem, seed: int, heat: Heat) -> _kernel.DirectSearch:
    """A chain with the worth of arcs itself as second objective: an arc that fewer than half support is a cost."""
    return problem.kernel.voting_chain(heat.hot, heat.decay, seed)


def most_parents(problem: Problem) -> int:
    """The largest number of parents of a variable that the limit and the constraints allow."""
    limit, wanted = problem.max_clique - 1, problem.constraints.max_parents
    return limit if wanted is None else min(limit, wanted)


def dag_of(problem: Problem, arcs: Iterable[tuple[int, int]]) -> DAG:
    """A DAG from the kernel's arcs."""
    ends = np.array(list(arcs), np.int64).reshape(-1, 2)
    return DAG.from_numbers(problem.variables, ends)


def named(problem: Problem, order: Iterable[int]) -> tuple[str, ...]:
    """An order from the kernel's numbers."""
    return tuple(problem.variables[i] for i in order)
