"""The problem solved again with one decision forced: an arc that must be there, or two variables that stay apart."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from bnfuse.graphs.dag import DAG
from bnfuse.problem.constraints import Arc, Constraints
from bnfuse.problem.problem import Problem
from bnfuse.search.bounds import problem_bound
from bnfuse.search.direct import DirectOptions, direct
from bnfuse.search.outcome import summed_distance
from bnfuse.search.run import Run

_QUICK = DirectOptions("quick")


@dataclass(frozen=True)
class ForcedProblem(Problem):
    """A problem with one decision forced. Of equally close networks, one with few changes to the present one wins."""

    present: DAG | None = None

    @cached_property
    def worth(self) -> npt.NDArray[np.int64]:
        """What an arc is worth between equally close networks: first whether the present network has it."""
        assert self.present is not None
        like = np.where(self.present.to_adjacency(), 1, -1)
        worth: npt.NDArray[np.int64] = super().worth + 4 * self.tally.weight * like
        return worth


@dataclass(frozen=True, slots=True)
class Forced:
    """The closest network that was found with a decision forced."""

    dag: DAG
    distance: int
    """summed over the references"""
    bound: int | None
    """no network with this decision has a smaller summed distance; None for FSim"""
    is_finished: bool
    """whether the search was not cut"""


def with_arc(problem: Problem, present: DAG, arc: Arc) -> ForcedProblem:
    """The same problem, where this arc must be there, whatever the rule on directions says."""
    rules = problem.constraints
    return _forced(problem, present, replace(rules, required=(*rules.required, arc)))


def without_pair(problem: Problem, present: DAG, pair: Arc) -> ForcedProblem:
    """The same problem, where no arc may join these two variables."""
    rules = problem.constraints
    return _forced(problem, present, replace(rules, forbidden=(*rules.forbidden, pair, pair[::-1])))


def _forced(problem: Problem, present: DAG, rules: Constraints) -> ForcedProblem:
    return ForcedProblem(
        problem.inputs, problem.max_clique, problem.metric, problem.target, rules, problem.max_table, present
    )


def solved_again(problem: ForcedProblem, run: Run) -> Forced:
    """A quick search from the present network on, and the bound for all networks with this decision."""
    found = direct(problem, run, _QUICK, problem.present)
    distance = summed_distance(problem, found.dag)
    return Forced(found.dag, distance, _bound(problem, distance), found.stopped_by == "finished")


def _bound(problem: ForcedProblem, distance: int) -> int | None:
    """The quick bound where it is met; otherwise the one that every result has."""
    if problem.metric == "fsim":
        return None
    quick = problem_bound(problem, rounds=0)
    return quick if quick >= distance else max(quick, problem_bound(problem))
