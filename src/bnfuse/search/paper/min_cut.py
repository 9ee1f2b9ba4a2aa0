"""The min-cut consensus (Torrijos, Puerta, Aledo, Gámez, AAAI 2026, arXiv 2504.00467): the fusion without weak arcs.

The search repeatedly deletes the arc x -> y with the least mean min-cut over the inputs. In an input, the min-cut is
the smallest number of edges that separate x from y in a moral graph: that of the ancestors of x, y and the other
parents of y in the current network, without these other parents. It measures how strongly the input contradicts the
independence of x and y given these parents. The arcs of these cuts are then removed from the inputs, so that they do
not support the next arc as well.

The paper does not settle two cases. If an input has several smallest cuts, the one nearest to y is used, as in the
paper's public program, and an edge of it that only joins two parents stays until one of their arcs is removed. If
several arcs have the least mean, the one that fewest inputs have in that direction is deleted, then the first in the
order of the variables.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from bnfuse import _kernel
from bnfuse._base.options import check_options, choice, not_negative, option
from bnfuse._base.public import public
from bnfuse.errors import ConstraintError
from bnfuse.fusion.cliques import clique_size
from bnfuse.graphs.dag import DAG, Rows, set_arc
from bnfuse.problem.problem import Problem
from bnfuse.search.chains import most_parents, within_limits, worth_of
from bnfuse.search.outcome import Found, Step, clique_along, summed_distance
from bnfuse.search.paper.greedy import RETURNED
from bnfuse.search.run import Run

_STRETCH = 16  # deletions between two steps of the history


@public
@dataclass(frozen=True, slots=True)
class MinCutOptions:
    """When the min-cut consensus stops deleting arcs, and which network it returns.

    Parameters
    ----------
    min_cut
        The paper's threshold. The clique limit is always kept; within it, deletions continue while the least mean
        min-cut is at most this. For a threshold alone, let `max_clique` be the number of variables.
    returned
        "last" is the network at which deletions stop, by default as soon as it is within the limit; "best" is the
        closest one within the limit before that point, by default before the network without arcs.

    Raises
    ------
    OptionError
        A value is invalid.

    References
    ----------
    Torrijos, Puerta, Gámez, Aledo: Informed Greedy Algorithm for Scalable Bayesian Network Fusion via Minimum Cut
    Analysis. arXiv 2504.00467; AAAI 2026.

    Examples
    --------
    >>> import bnfuse
    >>> one, two = bnfuse.DAG(["A", "B"], [("A", "B")]), bnfuse.DAG(["A", "B"])
    >>> bnfuse.consensus([one, one, two], method=bnfuse.MinCutOptions(returned="last")).dag.edges
    (('A', 'B'),)
    """

    min_cut: float | None = option(
        None,
        "Once within the limit, continue to delete arcs whose mean min-cut is at most this.",
        not_negative("edges"),
    )
    returned: Literal["best", "last"] = option(
        "best", "The network along the path that is returned: best or last.", choice(RETURNED)
    )

    def __post_init__(self) -> None:
        check_options(self)


def min_cut(problem: Problem, run: Run | None = None, options: MinCutOptions | None = None) -> Found:
    """The min-cut consensus.

    Arcs that a constraint forbids are removed from the full fusion first; required ones stay.
    """
    way = _Way(problem, run or Run(), options or MinCutOptions())
    try:
        stopped_by = way.go()
    except KeyboardInterrupt:
        stopped_by = "interrupted"
    return way.found(stopped_by)


class _Way:
    """The path from the full fusion to fewer and fewer arcs."""

    def __init__(self, problem: Problem, run: Run, options: MinCutOptions) -> None:
        self.problem, self.run, self.options = problem, run, options
        self.rows = _allowed_fusion(problem)
        """the parents in the current network"""
        self.order: tuple[str, ...] | None = None
        """an elimination order within the limit, once there is one: it stays so with fewer arcs"""
        bare = DAG(problem.variables, problem.constraints.required)
        self.best = bare
        self.value: tuple[Any, ...] | None = None
        """of the best network within the limit so far; None if there was none"""
        self.distance = problem.mean(summed_distance(problem, bare))
        self.history: list[Step] = []

    def go(self) -> str:
        """Delete arcs until the end is reached; return the reason for the end."""
        problem, run = self.problem, self.run
        arcs = DAG.trusted(problem.variables, self.rows).arc_numbers
        index = {name: i for i, name in enumerate(problem.variables)}
        search = _kernel.MinCutSearch(
            network=self.rows,
            inputs=problem.rows,
            weights=np.array(problem.weights, np.int64),
            support=problem.tally.oriented,
            required=[(index[source], index[target]) for source, target in problem.constraints.required],
            threads=run.thread_count,
        )
        for deleted in range(len(arcs) + 1):
            self._look()
            if deleted % _STRETCH == 0:
                self._note(deleted, len(arcs), search.cuts())
            in_time, least = (False, None) if run.clock.is_out else search.least(run.clock.left)
            if not in_time:
                return "time limit"
            if least is None or self._is_enough(least[2]):
                self._note(deleted, len(arcs), search.cuts())
                break
            search.remove_least()
            source, target, _ = least
            self.rows = self.rows.copy()
            set_arc(self.rows, source, target, False)
        return "finished"

    def _is_enough(self, least: int) -> bool:
        """Whether no more arcs have to be deleted, given the sum of the least min-cuts."""
        if self.order is None:
            return False
        if self.options.min_cut is None:
            return self.options.returned == "last"
        return least > Fraction(str(self.options.min_cut)) * sum(self.problem.weights)  # compared exactly

    def _look(self) -> None:
        """Check whether the current network is the best so far."""
        dag = DAG.trusted(self.problem.variables, self.rows)
        if self.order is None:
            if np.bincount(dag.arc_numbers[:, 1]).max(initial=0) > most_parents(self.problem):
                return
            self.order = within_limits(self.problem, dag)
            if self.order is None:
                return
        summed = summed_distance(self.problem, dag)
        worth = worth_of(self.problem, dag.arc_numbers.tolist())
        value = summed, -worth, len(dag.arc_numbers)
        if self.value is None or self.options.returned == "last" or value < self.value:
            self.value, self.best, self.distance = value, dag, self.problem.mean(summed)

    def _note(self, deleted: int, arcs: int, cuts: int) -> None:
        clique = int(clique_size(self.best)) if self.order is None else clique_along(self.best, self.order)
        self.history.append(Step(deleted, self.distance, clique, self.distance, cuts))
        self.run.report(deleted, arcs, self.distance, clique)

    def found(self, stopped_by: str) -> Found:
        """The result, wherever the path ended."""
        if self.order is None and stopped_by == "finished":
            limit = self.problem.max_clique
            raise ConstraintError(f"no triangulation with cliques of at most {limit} was found for the required arcs")
        return Found.of(self.problem, "min-cut", self.best, self.history, stopped_by, self.order)


def _allowed_fusion(problem: Problem) -> Rows:
    """The full fusion without the arcs that a constraint forbids."""
    dag = problem.fusion.dag
    if not problem.constraints:
        return dag.rows.copy()
    if missing := [arc for arc in problem.constraints.required if arc not in set(dag.edges)]:
        raise ConstraintError(
            f"the full fusion has no arc {' -> '.join(missing[0])}, so no choice among its arcs can keep it; use the "
            "method 'direct'"
        )
    allowed = problem.constraints.allowed(problem.tally)
    kept = [arc for arc, (a, b) in zip(dag.edges, dag.arc_numbers.tolist(), strict=True) if allowed[a, b]]
    return DAG(problem.variables, kept).rows
