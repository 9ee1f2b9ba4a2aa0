"""Direct search: simulated annealing straight over DAGs within the clique limit, past the paper.

SMHD is linear in the moral edges, so a move costs a fraction of a microsecond; a tree of bags proves the clique size
all the way. Independent chains run side by side; the result does not depend on the number of threads.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from bnfuse import _kernel
from bnfuse._options import one_of
from bnfuse.dag import DAG
from bnfuse.problem import Problem
from bnfuse.result import Consensus, Step
from bnfuse.search.bounds import smhd_lower_bound
from bnfuse.search.fsim import improved


@dataclass(frozen=True, slots=True)
class Effort:
    """How much work a search does: counted in moves, so that it is the same everywhere."""

    chains: int
    moves: int
    """of a chain, for each arc that may be added"""
    most_moves: int
    """of a chain, however many arcs there are"""
    evaluations: int
    """of networks, for FSim"""


EFFORTS = {
    "quick": Effort(chains=2, moves=300, most_moves=2_000_000, evaluations=1_000),
    "normal": Effort(chains=8, moves=3_000, most_moves=12_000_000, evaluations=10_000),
    "thorough": Effort(chains=8, moves=50_000, most_moves=200_000_000, evaluations=100_000),
}

_STRETCHES = 50  # between which progress is told and the clock is read
_HOT, _DECAY = 0.7, 4.0  # the first temperature in units of the total weight, and the power of 1/e by which it falls
_RARE = 0.05  # an arc between variables that fewer inputs than this share join is not tried


@dataclass(frozen=True, slots=True)
class DirectOptions:
    """`effort`: "quick" (a fraction of a second for 50 variables), "normal" (seconds) or "thorough" (a minute)."""

    effort: str = "normal"

    def __post_init__(self) -> None:
        one_of("effort", self.effort, EFFORTS)


def direct(problem: Problem, options: DirectOptions | None = None, start: DAG | None = None) -> Consensus:
    """The consensus by direct search, from no arcs or from another network within the limit."""
    effort = EFFORTS[(options or DirectOptions()).effort]
    if problem.metric == "fsim":
        return _direct_fsim(problem, effort, start)
    if problem.max_clique == 2 and problem.constraints.max_parents != 0:
        return _branching(problem)
    chains = chains_of(problem, effort.chains)
    if start is not None:
        chains.start_from(start.arcs.tolist())
    history: list[Step] = []
    try:
        stopped_by = _anneal(problem, chains, effort, history)
    except KeyboardInterrupt:
        stopped_by = "interrupted"
    _, _, arcs, order = chains.best()
    return Consensus.of(problem, "direct", dag_of(problem, arcs), None, history, stopped_by, named(problem, order))


def _branching(problem: Problem) -> Consensus:
    """Cliques of 2 leave one parent to each variable: the best such network is a maximum branching, found exactly."""
    tally = problem.reference_tally
    parents = _kernel.maximum_branching(2 * tally.moral - tally.weight, problem.tally.arcs, rules_of(problem))
    arcs = [(parent, variable) for variable, parent in enumerate(parents) if parent >= 0]
    return Consensus.of(problem, "direct", dag_of(problem, arcs), None, (), "finished")


def _direct_fsim(problem: Problem, effort: Effort, start: DAG | None) -> Consensus:
    closest = direct(replace(problem, metric="smhd", progress=None), DirectOptions("quick"))
    starts = [closest.dag, *([] if start is None else [start])]
    if not problem.constraints:
        starts += problem.dags
    return improved(problem, starts, rules_of(problem), effort.evaluations)


def _anneal(problem: Problem, chains: _kernel.DirectSearch, effort: Effort, history: list[Step]) -> str:
    moves = min(effort.moves * chains.arc_count(), effort.most_moves)
    tally = problem.reference_tally
    bound = smhd_lower_bound(tally.moral, tally.weight, problem.max_clique, rounds=0)
    empty = int(tally.moral.sum()) // 2
    done = 0
    for stretch in range(_STRETCHES):
        if problem.clock.is_out:
            return "time limit"
        until = moves * (stretch + 1) // _STRETCHES
        chains.anneal(done, until, moves, problem.threads)
        done = until
        gain, _, arcs, order = chains.best()
        distance = problem.mean(empty - gain)
        clique = _kernel.clique_along(dag_of(problem, arcs).rows, np.array(order, np.int32))
        history.append(Step(stretch + 1, distance, clique, distance, done * effort.chains))
        problem.report(stretch + 1, _STRETCHES, distance, clique)
        if empty - gain <= bound:
            break
    return "finished"


def rules_of(problem: Problem) -> npt.NDArray[np.uint8]:
    """By arc (row -> column): 1 it may be added, 2 it must stay."""
    tally = problem.reference_tally
    index = {name: i for i, name in enumerate(problem.variables)}
    joined = tally.moral > _RARE * tally.weight
    rules = (problem.constraints.allowed(problem.variables) & joined).astype(np.uint8)
    for source, target in problem.constraints.required:
        rules[index[source], index[target]] |= 2
        rules[index[target], index[source]] = 0
    return rules


def chains_of(problem: Problem, count: int) -> _kernel.DirectSearch:
    """Chains over the DAGs within the limit and constraints of a problem, without arcs but the required ones."""
    tally = problem.reference_tally
    limit = problem.max_clique - 1
    max_parents = problem.constraints.max_parents
    return _kernel.DirectSearch(
        gain=2 * tally.moral - tally.weight,
        support=problem.tally.arcs,
        rules=rules_of(problem),
        limit=problem.max_clique,
        max_parents=limit if max_parents is None else min(limit, max_parents),
        hot=_HOT * tally.weight,
        decay=_DECAY,
        chains=count,
        seed=problem.seed,
    )


def dag_of(problem: Problem, arcs: Iterable[tuple[int, int]]) -> DAG:
    """A DAG from the kernel's arcs."""
    names = problem.variables
    return DAG(names, [(names[source], names[target]) for source, target in arcs])


def named(problem: Problem, order: Iterable[int]) -> tuple[str, ...]:
    """An order from the kernel's numbers."""
    return tuple(problem.variables[i] for i in order)
