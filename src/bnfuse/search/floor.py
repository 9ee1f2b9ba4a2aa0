"""What costs nothing: the best of the majority vote and the inputs that are within the limit.

Whatever cuts a search, and however early, its result is at least as close as these.
"""

from __future__ import annotations

from dataclasses import replace

from bnfuse.graphs.dag import DAG
from bnfuse.problem.problem import Problem
from bnfuse.search.chains import within_limits
from bnfuse.search.majority import majority
from bnfuse.search.outcome import Found, summed_distance
from bnfuse.search.run import Run


def floor(problem: Problem, run: Run) -> Found:
    """The closest of the majority vote and of the inputs, of those within the limit and the constraints.

    Inputs are looked at from the closest on, and only those that are closer than the vote, until the time is up.
    """
    vote = _vote(problem)
    if problem.metric == "fsim":  # its distances cost too much for what is nothing but a floor
        return vote
    limit = summed_distance(problem, vote.dag)
    for distance, dag in _closest_first(problem, run):
        if distance >= limit or run.clock.is_out:
            break
        if (order := within_limits(problem, dag)) is not None:
            return Found.of(problem, "input", dag, elimination_order=order)
    return vote


def _vote(problem: Problem) -> Found:
    """The majority vote; for SHD the one for SMHD, where that is closer."""
    vote = majority(problem)
    if not problem.counts_arcs:
        return vote
    other = majority(replace(problem, metric="smhd"))
    return min(vote, other, key=lambda found: summed_distance(problem, found.dag))


def _closest_first(problem: Problem, run: Run) -> list[tuple[int, DAG]]:
    measured = []
    for dag in dict.fromkeys(dag for _, dag in problem.inputs.structures):
        if run.clock.is_out:
            break
        measured.append((summed_distance(problem, dag), dag))
    return sorted(measured, key=lambda pair: pair[0])
