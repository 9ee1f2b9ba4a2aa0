"""Direct search: simulated annealing over DAGs within the clique limit, a method that is not in the paper.

SMHD is linear in the moral edges, and SHD in the arcs, so a move costs a fraction of a microsecond; a tree of bags
proves the clique size at every step. Independent chains run in parallel; the result does not depend on the number of
threads.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bnfuse import _kernel
from bnfuse._base.options import check_options, choice, option
from bnfuse._base.public import public
from bnfuse.fusion.cliques import clique_size
from bnfuse.graphs.dag import DAG
from bnfuse.problem.problem import Problem
from bnfuse.search.chains import arcs_of, best_branching, dag_of, most_parents, named
from bnfuse.search.floor import distinct_inputs
from bnfuse.search.fsim import direct_fsim
from bnfuse.search.outcome import Found, Step, mean_distance
from bnfuse.search.run import Run
from bnfuse.search.turning import turned_to_support

EFFORTS = {"quick": 100, "normal": 800, "thorough": 8_000}
"""The work of a search: for each variable, the number of networks that a search for FSim evaluates.

The moves for SMHD and SHD are the kernel's (direct_run.cpp), so that all its callers search alike.
"""


@public
@dataclass(frozen=True, slots=True)
class DirectOptions:
    """The options of the direct search: annealing over DAGs within the clique limit.

    Parameters
    ----------
    effort
        How long to search: "quick", "normal" or "thorough"; each takes about ten times as long as the one before.

    Raises
    ------
    OptionError
        There is no such effort.

    Examples
    --------
    >>> import bnfuse
    >>> networks = [bnfuse.DAG.from_edges([("A", "B"), ("B", "C")])]
    >>> bnfuse.consensus(networks, method=bnfuse.DirectOptions(effort="quick")).distance
    0.0
    """

    effort: Literal["quick", "normal", "thorough"] = option(
        "normal",
        "How long to search: quick, normal or thorough; each takes about ten times as long as the one before.",
        choice(EFFORTS),
    )

    def __post_init__(self) -> None:
        check_options(self)


def direct(
    problem: Problem, run: Run | None = None, options: DirectOptions | None = None, start: DAG | None = None
) -> Found:
    """The consensus by direct search, from no arcs or from another network within the limit."""
    run, effort = run or Run(), (options or DirectOptions()).effort
    if problem.metric == "fsim":
        return turned_to_support(problem, direct_fsim(problem, run, EFFORTS[effort], start))
    if most_parents(problem) == 1:
        return _branching(problem, run)
    search = _Annealing(problem, run, effort, start)
    try:
        stopped_by = search.run()
    except KeyboardInterrupt:
        stopped_by = "interrupted"
    search.trim()
    dag, order = search.network()
    found = Found.of(problem, "direct", dag, search.history, stopped_by, elimination_order=order)
    return turned_to_support(problem, found)


def _branching(problem: Problem, run: Run) -> Found:
    """If each variable has at most one parent, as with cliques of 2, a maximum branching is optimal: found exactly."""
    dag = best_branching(problem)
    distance, clique = mean_distance(problem, dag), int(clique_size(dag))
    stopped_by = "finished"
    try:
        run.report(1, 1, distance, clique)
    except KeyboardInterrupt:
        stopped_by = "interrupted"
    return Found.of(problem, "direct", dag, (Step(1, distance, clique, distance, 1),), stopped_by)


class _Annealing:
    """The kernel's annealing, step by step, with its progress."""

    def __init__(self, problem: Problem, run: Run, effort: str, start: DAG | None) -> None:
        self._problem, self._run = problem, run
        arcs = None if start is None else arcs_of(start)
        self._search = _kernel.DirectRun(problem.kernel, distinct_inputs(problem), effort, run.seed, arcs)
        self.history: list[Step] = []

    def run(self) -> str:
        """Run all steps; return the reason for the end."""
        clock = self._run.clock
        while not self._search.is_done():
            is_step = self._search.step(self._run.thread_count, clock.left)
            if is_step:
                self._record()
                if clock.is_out:
                    return "time limit"
        return "finished"

    def trim(self) -> None:
        """Remove arcs from the best network that fewer than half of the inputs have, without gain in distance."""
        before, _, _ = self._search.state()
        self._search.trim()
        if self._search.state()[0] < before:
            self.history.append(self._step())

    def network(self) -> tuple[DAG, tuple[str, ...]]:
        """The best network so far, and the elimination order that proves its clique size."""
        arcs, order = self._search.best()
        return dag_of(self._problem, arcs), named(self._problem, order)

    def _record(self) -> None:
        step = self._step()
        self.history.append(step)
        self._run.report(step.step, max(self._search.steps(), step.step), step.distance, step.clique_size)

    def _step(self) -> Step:
        summed, clique, moves = self._search.state()
        distance = self._problem.mean(summed)
        return Step(len(self.history) + 1, distance, clique, distance, moves)
