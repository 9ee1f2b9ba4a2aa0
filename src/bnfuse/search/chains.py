"""What the searches over DAGs share: the kernel's annealing chains for a problem, and networks in its terms."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bnfuse import _kernel
from bnfuse.dag import DAG, numbered
from bnfuse.found import clique_along, is_within, proof, summed_smhd
from bnfuse.problem import Problem

Rules = npt.NDArray[np.uint8]
"""By arc (row -> column): 1 it may be added, 2 it must stay."""

_RARE = 0.05  # an arc between variables that fewer inputs than this share join is not tried


class Heat(NamedTuple):
    """The first temperature, in units of the total weight, and the power of 1/e by which it falls."""

    hot: float
    decay: float


class Scored(NamedTuple):
    """A network within the limit and the constraints, by what it is compared."""

    gain: int
    """of summed SMHD over the network without arcs"""
    worth: int
    """of its arcs (see `Problem.worth`): what decides between equal gains"""
    arcs: list[tuple[int, int]]
    order: list[int]
    """an elimination order that proves the clique size"""

    @property
    def score(self) -> tuple[int, int, int]:
        """The larger, the better."""
        return self.gain, self.worth, -len(self.arcs)


def scored(problem: Problem, dag: DAG, order: Iterable[str]) -> Scored:
    """A network that is known to be within the limit along this elimination order, and to keep the constraints."""
    tally = problem.reference_tally
    arcs = [(a, b) for a, b in dag.arc_numbers.tolist()]
    gain = int(tally.moral.sum()) // 2 - summed_smhd(problem, dag)
    return Scored(gain, worth_of(problem, arcs), arcs, numbered(order, dag).tolist())


def worth_of(problem: Problem, arcs: Iterable[tuple[int, int]]) -> int:
    """What arcs are worth between networks that are equally close."""
    return sum(int(problem.worth[source, target]) for source, target in arcs)


def best_of(problem: Problem, chains: _kernel.DirectSearch) -> Scored:
    """The best network of all chains so far."""
    gain, _, arcs, order = chains.best()
    return Scored(gain, worth_of(problem, arcs), arcs, order)


def within_limits(problem: Problem, dag: DAG) -> tuple[str, ...] | None:
    """The elimination order that proves a network to be within the limit, if it also keeps the constraints."""
    if most_parents(problem) < max(len(dag.parents(name)) for name in dag.variables):
        return None
    if problem.constraints.broken_by(dag) is not None:
        return None
    if problem.max_table is not None:
        found = proof(problem, dag)
        return found if is_within(problem, dag, found) else None
    _, clique, order = _kernel.triangulate(dag.rows, "min-fill", 0)
    return named(problem, order) if clique <= problem.max_clique else None


def rules_of(problem: Problem) -> Rules:
    """By arc (row -> column): 1 it may be added, 2 it must stay."""
    tally = problem.reference_tally
    index = {name: i for i, name in enumerate(problem.variables)}
    joined = tally.moral > (0 if problem.constraints else _RARE * tally.weight)  # a rare arc may stand in for others
    rules = (problem.constraints.allowed(problem.variables) & joined & problem.fitting_pairs).astype(np.uint8)
    for source, target in problem.constraints.required:
        rules[index[source], index[target]] |= 2
        rules[index[target], index[source]] = 0
    return rules


def chains_of(problem: Problem, seed: int, count: int, heat: Heat, stream: int = 0) -> _kernel.DirectSearch:
    """Chains over the DAGs within the limit and constraints of a problem, without arcs but the required ones."""
    tally = problem.reference_tally
    return _kernel.DirectSearch(
        gain=2 * tally.moral - tally.weight,
        support=problem.tally.arcs,
        rules=rules_of(problem),
        limit=problem.max_clique,
        max_parents=most_parents(problem),
        hot=heat.hot * tally.weight,
        decay=heat.decay,
        chains=count,
        seed=seed,
        stream=stream,
        **problem.kernel_tables,
    )


def voting_chain(problem: Problem, seed: int, heat: Heat) -> _kernel.DirectSearch:
    """A chain whose second objective is the worth of arcs itself: an arc for which fewer than half stand is a cost."""
    tally = problem.reference_tally
    return _kernel.DirectSearch(
        gain=2 * tally.moral - tally.weight,
        support=problem.worth,
        rules=rules_of(problem),
        limit=problem.max_clique,
        max_parents=most_parents(problem),
        hot=4 * heat.hot * tally.weight,  # the worth of an arc spans four times the weight
        decay=heat.decay,
        chains=1,
        seed=seed,
        stream=0,
        **problem.kernel_tables,
    )


def most_parents(problem: Problem) -> int:
    """The most parents of a variable that the limit and the constraints allow."""
    limit, wanted = problem.max_clique - 1, problem.constraints.max_parents
    return limit if wanted is None else min(limit, wanted)


def dag_of(problem: Problem, arcs: Iterable[tuple[int, int]]) -> DAG:
    """A DAG from the kernel's arcs."""
    names = problem.variables
    return DAG(names, [(names[source], names[target]) for source, target in arcs])


def named(problem: Problem, order: Iterable[int]) -> tuple[str, ...]:
    """An order from the kernel's numbers."""
    return tuple(problem.variables[i] for i in order)


def clique_of(problem: Problem, network: Scored) -> int:
    """The largest clique along a network's own elimination order."""
    return clique_along(dag_of(problem, network.arcs), named(problem, network.order))
