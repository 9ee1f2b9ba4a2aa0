"""What the searches over DAGs share: the kernel's annealing chains for a problem, and networks in its terms."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bnfuse import _kernel
from bnfuse.graphs.dag import DAG, numbered, rows_of
from bnfuse.problem.problem import Problem
from bnfuse.search.outcome import clique_along, gain_of, is_within, proving_order

Rules = npt.NDArray[np.uint8]
"""By arc (row -> column): 1 it may be added, 2 it must stay."""

Arcs = npt.NDArray[np.bool_]
"""By arc (row -> column): whether it is one of them."""

_ARC_DECAY = 0.6  # of the decay for moral edges: where arcs gain, networks freeze at higher temperatures
_RARE = 0.05  # an arc between variables that fewer inputs than this share join is not tried


class Heat(NamedTuple):
    """The first temperature, in units of the total weight, and the power of 1/e by which it falls."""

    hot: float
    decay: float


class Scored(NamedTuple):
    """A network within the limit and the constraints, by what it is compared."""

    gain: int
    """of summed distance over the network without arcs"""
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
    arcs = [(a, b) for a, b in dag.arc_numbers.tolist()]
    return Scored(gain_of(problem, dag), worth_of(problem, arcs), arcs, numbered(order, dag).tolist())


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
    if problem.constraints.broken_by(dag, problem.tally) is not None:
        return None
    if problem.max_table is not None:
        found = proving_order(problem, dag)
        return found if is_within(problem, dag, found) else None
    _, clique, order = _kernel.triangulate(dag.rows, "min-fill", 0)
    return named(problem, order) if clique <= problem.max_clique else None


def rules_of(problem: Problem) -> Rules:
    """By arc (row -> column): 1 it may be added, 2 it must stay."""
    rules = (allowed_arcs(problem) & _worth_a_try(problem)).astype(np.uint8)
    for source, target in _required(problem):
        rules[source, target] |= 2
    return rules


def allowed_arcs(problem: Problem) -> Arcs:
    """The arcs that the constraints and the limit on tables allow; the required ones are among them."""
    allowed = problem.constraints.allowed(problem.tally) & problem.fitting_pairs
    for source, target in _required(problem):
        allowed[source, target], allowed[target, source] = True, False
    return allowed


def useful_arcs(problem: Problem) -> Arcs:
    """The arcs that a best network may have: the allowed ones but those that it is always better without.

    For SMHD an arc brings at most its own moral edge and those that marry its source to the other parents. Where these
    lose more than they gain, whichever parents they are, the network without the arc is closer. An edge that a common
    child may bring anyway counts for nothing where it loses: it may stay when the arc goes. With such arcs gone there
    are fewer parents to marry, so it is asked again.
    """
    useful = allowed_arcs(problem)
    required = _required(problem)
    if problem.counts_arcs:
        useful &= problem.gain > 0
        for source, target in required:
            useful[source, target] = True
        return useful
    gain, others = problem.gain, max(most_parents(problem) - 1, 0)
    is_asked = True
    while is_asked:
        is_asked = False
        by_child = useful.astype(np.float32)  # counts up to 2,048 are exact
        stays = (by_child @ by_child.T > 0) & (others > 0)
        own = np.where(stays, gain.clip(min=0), gain)
        for child in range(len(useful)):
            parents = np.flatnonzero(useful[:, child])
            pairs = gain[np.ix_(parents, parents)].clip(min=0) * ~np.eye(len(parents), dtype=np.bool_)
            married = np.sort(pairs, axis=1)[:, len(parents) - min(others, len(parents)) :].sum(axis=1)
            lost = parents[own[parents, child] + married < 0].tolist()
            if gone := [parent for parent in lost if (parent, child) not in required]:
                useful[gone, child] = False
                is_asked = True
    return useful


def _required(problem: Problem) -> set[tuple[int, int]]:
    index = {name: i for i, name in enumerate(problem.variables)}
    return {(index[source], index[target]) for source, target in problem.constraints.required}


def _worth_a_try(problem: Problem) -> npt.NDArray[np.bool_]:
    """By arc: whether it may be of any use, whatever the constraints say."""
    if problem.counts_arcs:  # what an arc costs, no other arc makes up for: a network without it is as good and closer
        return problem.gain >= 0
    if problem.metric == "smhd" and problem.constraints.directions != "any":
        return useful_arcs(problem)
    tally = problem.reference_tally
    least = 0 if problem.constraints.are_listed else _RARE  # a rare arc may stand in for others
    return tally.moral > least * tally.seen


def best_branching(problem: Problem) -> DAG:
    """The best network in which a variable has one parent at most: exact."""
    parents = _kernel.maximum_branching(problem.gain, problem.worth, rules_of(problem))
    return dag_of(problem, [(parent, variable) for variable, parent in enumerate(parents) if parent >= 0])


def arcs_to_search(problem: Problem) -> int:
    """How many arcs the work of a search is counted by: those that may be added, were any direction allowed.

    A rule on directions leaves fewer arcs, but more ways to get stuck.
    """
    free = replace(problem, constraints=replace(problem.constraints, directions="any"))
    return int((rules_of(free) & 1).sum())


def chains_of(
    problem: Problem, seed: int, count: int, heat: Heat, stream: int = 0, by_majority: bool = False
) -> _kernel.DirectSearch:
    """Chains over the DAGs within the limit and constraints of a problem, without arcs but the required ones.

    With `by_majority` they add no arcs that more inputs have the other way round.
    """
    rules = rules_of(problem)
    if by_majority:
        rules[problem.tally.oriented < problem.tally.oriented.T] &= 2
    return _kernel.DirectSearch(
        gain=problem.gain,
        by_arc=problem.counts_arcs,
        support=problem.tally.oriented,
        rules=rules,
        limit=problem.max_clique,
        max_parents=most_parents(problem),
        hot=heat.hot * problem.unit,
        decay=heat.decay * (_ARC_DECAY if problem.counts_arcs else 1),
        chains=count,
        seed=seed,
        stream=stream,
        **problem.kernel_tables,
    )


def voting_chain(problem: Problem, seed: int, heat: Heat) -> _kernel.DirectSearch:
    """A chain whose second objective is the worth of arcs itself: an arc for which fewer than half stand is a cost."""
    return _kernel.DirectSearch(
        gain=problem.gain,
        by_arc=problem.counts_arcs,
        support=problem.worth,
        rules=rules_of(problem),
        limit=problem.max_clique,
        max_parents=most_parents(problem),
        hot=4 * heat.hot * problem.unit,  # the worth of an arc spans four times as much
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
    ends = np.array(list(arcs), np.int64).reshape(-1, 2)
    return DAG.from_rows(problem.variables, rows_of(len(problem.variables), ends[:, 0], ends[:, 1]))


def named(problem: Problem, order: Iterable[int]) -> tuple[str, ...]:
    """An order from the kernel's numbers."""
    return tuple(problem.variables[i] for i in order)


def clique_of(problem: Problem, network: Scored) -> int:
    """The largest clique along a network's own elimination order."""
    return clique_along(dag_of(problem, network.arcs), named(problem, network.order))
