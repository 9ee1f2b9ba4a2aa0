"""The problem solved again with one decision forced: an arc that must be present, or two variables not to be joined."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from threading import Event

import numpy as np
import numpy.typing as npt

from bnfuse import _kernel
from bnfuse.fusion.cliques import clique_size
from bnfuse.graphs.dag import DAG
from bnfuse.problem.constraints import Arc, Constraints
from bnfuse.problem.problem import Problem
from bnfuse.search.bounds import problem_bound
from bnfuse.search.chains import (
    Heat,
    Scored,
    arcs_to_search,
    best_branching,
    best_of,
    chains_of,
    dag_of,
    most_parents,
    scored,
    voting_chain,
)
from bnfuse.search.direct import DirectOptions, direct
from bnfuse.search.outcome import summed_distance
from bnfuse.search.run import Clock, Progress, Run

_HEATS = (Heat(0.8, 4.0), Heat(0.5, 3.5), Heat(0.3, 3.1), Heat(0.15, 3.1))
_CHAINS = 1  # for each temperature: a second one found nothing closer
_MOVES = 500  # of a chain, for each arc that may be added
_MOST_MOVES = 1_000_000
_STRETCHES = 10  # between two readings of the clock
_POLISH = 300  # moves in search of fewer changes, for each arc that may be added
_LEAST_POLISH = 20_000


@dataclass(frozen=True)
class ForcedProblem(Problem):
    """A problem with one decision forced. Of equally close networks, one with few changes to the present one wins."""

    present: DAG | None = None

    @cached_property
    def worth(self) -> npt.NDArray[np.int64]:
        """The value of an arc among equally close networks: first of all, whether the present network has it."""
        assert self.present is not None
        like = np.where(self.present.to_adjacency(), 1, -1)
        return np.ascontiguousarray(super().worth + 4 * self.tally.weight * like)


@dataclass(frozen=True, slots=True)
class Forced:
    """The closest network that was found with a decision forced."""

    dag: DAG
    distance: int
    """the sum over the references"""
    bound: int | None
    """no network with this decision has a smaller summed distance; None for FSim"""
    is_finished: bool
    """whether the search ran to its end"""


def with_arc(problem: Problem, present: DAG, arc: Arc) -> ForcedProblem:
    """The same problem in which this arc must be present, whatever the rule on directions says."""
    rules = problem.constraints
    return _forced(problem, present, replace(rules, required=(*rules.required, arc)))


def without_pair(problem: Problem, present: DAG, pair: Arc) -> ForcedProblem:
    """The same problem in which no arc may join these two variables."""
    rules = problem.constraints
    return _forced(problem, present, replace(rules, forbidden=(*rules.forbidden, pair, pair[::-1])))


def _forced(problem: Problem, present: DAG, rules: Constraints) -> ForcedProblem:
    return ForcedProblem(
        problem.inputs, problem.max_clique, problem.metric, problem.target, rules, problem.max_table, present
    )


class Watch:
    """Whether to continue: until the time is up or a stop is requested."""

    def __init__(self, clock: Clock) -> None:
        self._clock, self._stop = clock, Event()

    def stop(self) -> None:
        """The work that is in progress, and no more."""
        self._stop.set()

    @property
    def left(self) -> float:
        """Seconds."""
        return 0.0 if self._stop.is_set() else self._clock.left

    def raise_if_over(self, _: Progress) -> None:
        """The replacement for Ctrl-C in every search."""
        if not self.left:
            raise KeyboardInterrupt


def solved_again(problem: ForcedProblem, seed: int, watch: Watch) -> Forced:
    """A quick search that starts from the present network, and the bound for all networks with this decision."""
    if problem.metric == "fsim":
        found = direct(problem, Run(seed, 1, progress=watch.raise_if_over), DirectOptions("quick"), problem.present)
        return Forced(found.dag, summed_distance(problem, found.dag), None, found.stopped_by == "finished")
    search = _Search(problem, seed, watch)
    is_finished = search.run()
    distance = problem.distance_without_arcs - search.best.gain
    bound = search.least
    if is_finished and bound < distance:
        bound = max(bound, problem_bound(problem))  # takes longer
    return Forced(dag_of(problem, search.best.arcs), distance, bound, is_finished)


class _Search:
    """Short chains from the present network at several temperatures, until one meets the bound.

    A hot start finds networks far from the present one, a cold start those near it: neither is always better.
    """

    def __init__(self, problem: ForcedProblem, seed: int, watch: Watch) -> None:
        self._problem, self._seed, self._watch = problem, seed, watch
        self._arcs = arcs_to_search(problem)
        self.least = problem_bound(problem, rounds=0)
        self._start = self.best = self._started()

    def run(self) -> bool:
        """Run a chain; return whether it ran to its end."""
        for number, heat in enumerate(_HEATS):
            if self._is_optimal:
                break
            chains = chains_of(self._problem, self._seed, _CHAINS, heat, number * _CHAINS)
            chains.start_at(self._start.arcs, self._start.order)
            moves = min(_MOVES * self._arcs, _MOST_MOVES)
            for stretch in range(_STRETCHES):
                begin, end = moves * stretch // _STRETCHES, moves * (stretch + 1) // _STRETCHES
                chains.anneal(begin, end, moves, 1, self._watch.left)
                self._note(chains)
                if not self._watch.left:
                    return False
        polishing = voting_chain(self._problem, self._seed, _HEATS[0])
        polishing.start_at(self.best.arcs, self.best.order)
        polishing.polish(max(min(_POLISH * self._arcs, _MOST_MOVES), _LEAST_POLISH), self._watch.left)
        self._note(polishing)
        polishing.tidy()
        self._note(polishing)
        return bool(self._watch.left)

    def _started(self) -> Scored:
        """The arcs of the present network that the decision allows, the most valuable first."""
        problem = self._problem
        assert problem.present is not None
        allowed, worth = problem.constraints.allowed(problem.tally) & problem.fitting_pairs, problem.worth
        arcs = [(a, b) for a, b in problem.present.arc_numbers.tolist() if allowed[a, b]]
        chain = chains_of(problem, self._seed, 1, _HEATS[0])
        chain.start_from(sorted(arcs, key=lambda arc: -int(worth[arc])))
        started = best_of(problem, chain)
        if most_parents(problem) > 1:
            return started
        tree = best_branching(problem)  # exact: only ties remain
        return max(started, scored(problem, tree, clique_size(tree).elimination_order), key=lambda one: one.score)

    @property
    def _is_optimal(self) -> bool:
        return self._problem.distance_without_arcs - self.best.gain <= self.least

    def _note(self, chains: _kernel.DirectSearch) -> None:
        self.best = max(self.best, best_of(self._problem, chains), key=lambda one: one.score)
