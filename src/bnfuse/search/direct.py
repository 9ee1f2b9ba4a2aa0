"""Direct search: simulated annealing straight over DAGs within the clique limit, past the paper.

SMHD is linear in the moral edges, so a move costs a fraction of a microsecond; a tree of bags proves the clique size
all the way. Independent chains run side by side; the result does not depend on the number of threads.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bnfuse import _kernel
from bnfuse._options import one_of
from bnfuse.cliques import clique_size
from bnfuse.dag import DAG, numbered
from bnfuse.problem import Problem
from bnfuse.result import Consensus, Step, mean_distance
from bnfuse.search.bounds import smhd_lower_bound
from bnfuse.search.fsim import direct_fsim


class Heat(NamedTuple):
    """The first temperature, in units of the total weight, and the power of 1/e by which it falls."""

    hot: float
    decay: float


@dataclass(frozen=True, slots=True)
class Effort:
    """How much work a search does: counted in moves, so that it is the same everywhere."""

    chains: int
    heats: tuple[Heat, ...]
    """the chains run once for each, from the best so far on"""
    moves: int
    """of a chain in one run, for each arc that may be added"""
    most_moves: int
    """of a chain, however many arcs there are"""
    polish: int
    """moves of a last pass, for each arc that may be added, that only betters the directions"""
    networks: int
    """for each variable, that a search for FSim evaluates"""


_THREE = (Heat(0.8, 4.0), Heat(0.5, 3.5), Heat(0.35, 3.1))
EFFORTS = {
    "quick": Effort(chains=2, heats=(Heat(0.8, 4.0),), moves=500, most_moves=1_000_000, polish=0, networks=100),
    "normal": Effort(chains=6, heats=_THREE, moves=2_000, most_moves=6_000_000, polish=2_000, networks=800),
    # Of one budget few long chains make more than many short ones.
    "thorough": Effort(
        chains=4, heats=(Heat(0.5, 3.5),), moves=150_000, most_moves=100_000_000, polish=5_000, networks=8_000
    ),
}

_STRETCHES = 50  # between which progress is told and the clock is read
_POLISH = 300  # the same after each run
_MOST_POLISH = 3_000_000
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
        return direct_fsim(problem, rules_of(problem), _most_parents(problem), effort.networks, start)
    if problem.max_clique == 2 and problem.constraints.max_parents != 0:
        return _branching(problem)
    history: list[Step] = []
    first = _first(problem, start)
    best, stopped_by = _annealed(problem, effort, history, first)
    return Consensus.of(
        problem, "direct", dag_of(problem, best.arcs), None, history, stopped_by, named(problem, best.order)
    )


def _branching(problem: Problem) -> Consensus:
    """Cliques of 2 leave one parent to each variable: the best such network is a maximum branching, found exactly."""
    tally = problem.reference_tally
    parents = _kernel.maximum_branching(2 * tally.moral - tally.weight, problem.tally.arcs, rules_of(problem))
    dag = dag_of(problem, [(parent, variable) for variable, parent in enumerate(parents) if parent >= 0])
    distance, clique = mean_distance(problem, dag), int(clique_size(dag))
    stopped_by = "finished"
    try:
        problem.report(1, 1, distance, clique)
    except KeyboardInterrupt:
        stopped_by = "interrupted"
    return Consensus.of(problem, "direct", dag, None, (Step(1, distance, clique, distance, 1),), stopped_by)


class _Best(NamedTuple):
    gain: int
    support: int
    arcs: list[tuple[int, int]]
    order: list[int]


def _score(found: _Best) -> tuple[int, int, int]:
    return found.gain, found.support, -len(found.arcs)


def _first(problem: Problem, start: DAG | None) -> _Best:
    """The network to start from: the required arcs, and those of `start` that the limits and constraints allow."""
    chains = chains_of(problem, 1)
    if start is None:
        return _Best(*chains.best())
    allowed = problem.constraints.allowed(problem.variables)
    arcs = [(a, b) for a, b in start.arc_numbers.tolist() if allowed[a, b]]
    size = clique_size(start)
    kept = len(arcs) == len(start.arc_numbers) and set(problem.constraints.required) <= set(start.edges)
    parents = max(len(start.parents(name)) for name in problem.variables)
    if kept and size <= problem.max_clique and parents <= _most_parents(problem):
        chains.start_at(arcs, numbered(size.elimination_order, start).tolist())
    else:
        chains.start_from(arcs)
    return _Best(*chains.best())


def _annealed(problem: Problem, effort: Effort, history: list[Step], best: _Best) -> tuple[_Best, str]:
    """The best network of all runs, from another one on, and what ended them."""
    tally = problem.reference_tally
    empty = int(tally.moral.sum()) // 2
    bound = smhd_lower_bound(tally.moral, tally.weight, problem.max_clique, rounds=0)
    steps = (_STRETCHES + 1) * len(effort.heats) + (effort.polish > 0)
    try:
        for run, heat in enumerate(effort.heats):
            chains = chains_of(problem, effort.chains, heat, run)
            chains.start_at(best.arcs, best.order)
            moves = min(effort.moves * chains.arc_count(), effort.most_moves)
            for stretch in range(_STRETCHES):
                until = moves * (stretch + 1) // _STRETCHES
                chains.anneal(moves * stretch // _STRETCHES, until, moves, problem.threads)
                best = max(best, _Best(*chains.best()), key=_score)
                _record(problem, history, best, empty, effort.chains * (moves * run + until), steps)
                if problem.clock.is_out or empty - best.gain <= bound:
                    break
            if problem.clock.is_out:
                return best, "time limit"
            chains.polish(min(_POLISH * chains.arc_count(), effort.most_moves))
            best = max(best, _Best(*chains.best()), key=_score)
            _record(problem, history, best, empty, effort.chains * moves * (run + 1), steps)
            if empty - best.gain <= bound:
                break
        if effort.polish:
            chains = chains_of(problem, 1)
            chains.start_at(best.arcs, best.order)
            chains.polish(min(effort.polish * chains.arc_count(), _MOST_POLISH))
            best = max(best, _Best(*chains.best()), key=_score)
            _record(problem, history, best, empty, history[-1].evaluations, steps)
    except KeyboardInterrupt:
        return best, "interrupted"
    return best, "finished"


def _record(problem: Problem, history: list[Step], best: _Best, empty: int, moves: int, steps: int) -> None:
    distance = problem.mean(empty - best.gain)
    clique = _kernel.clique_along(dag_of(problem, best.arcs).rows, np.array(best.order, np.int32))
    history.append(Step(len(history) + 1, distance, clique, distance, moves))
    problem.report(len(history), steps, distance, clique)


def rules_of(problem: Problem) -> npt.NDArray[np.uint8]:
    """By arc (row -> column): 1 it may be added, 2 it must stay."""
    tally = problem.reference_tally
    index = {name: i for i, name in enumerate(problem.variables)}
    joined = tally.moral > (0 if problem.constraints else _RARE * tally.weight)  # a rare arc may stand in for others
    rules = (problem.constraints.allowed(problem.variables) & joined).astype(np.uint8)
    for source, target in problem.constraints.required:
        rules[index[source], index[target]] |= 2
        rules[index[target], index[source]] = 0
    return rules


def chains_of(problem: Problem, count: int, heat: Heat = _THREE[0], run: int = 0) -> _kernel.DirectSearch:
    """Chains over the DAGs within the limit and constraints of a problem, without arcs but the required ones."""
    tally = problem.reference_tally
    return _kernel.DirectSearch(
        gain=2 * tally.moral - tally.weight,
        support=problem.tally.arcs,
        rules=rules_of(problem),
        limit=problem.max_clique,
        max_parents=_most_parents(problem),
        hot=heat.hot * tally.weight,
        decay=heat.decay,
        chains=count,
        seed=problem.seed,
        stream=run * count,
    )


def _most_parents(problem: Problem) -> int:
    limit, wanted = problem.max_clique - 1, problem.constraints.max_parents
    return limit if wanted is None else min(limit, wanted)


def dag_of(problem: Problem, arcs: Iterable[tuple[int, int]]) -> DAG:
    """A DAG from the kernel's arcs."""
    names = problem.variables
    return DAG(names, [(names[source], names[target]) for source, target in arcs])


def named(problem: Problem, order: Iterable[int]) -> tuple[str, ...]:
    """An order from the kernel's numbers."""
    return tuple(problem.variables[i] for i in order)
