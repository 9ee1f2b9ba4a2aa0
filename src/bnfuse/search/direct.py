"""Direct search: simulated annealing straight over DAGs within the clique limit, past the paper.

SMHD is linear in the moral edges, and SHD in the arcs, so a move costs a fraction of a microsecond; a tree of bags
proves the clique size all the way. Independent chains run side by side; the result does not depend on the number of
threads.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from bnfuse import _kernel
from bnfuse._base.options import check_options, choice, option
from bnfuse.fusion.cliques import clique_size
from bnfuse.graphs.dag import DAG
from bnfuse.problem.problem import Problem
from bnfuse.search.bounds import problem_bound
from bnfuse.search.chains import (
    Heat,
    Scored,
    arcs_to_search,
    best_branching,
    best_of,
    chains_of,
    clique_of,
    dag_of,
    most_parents,
    named,
    scored,
    voting_chain,
    within_limits,
)
from bnfuse.search.floor import floor
from bnfuse.search.fsim import direct_fsim
from bnfuse.search.outcome import Found, Step, mean_distance
from bnfuse.search.run import Run
from bnfuse.search.turning import turned_to_support


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
    """moves of a last pass, for each arc that may be added, that only improves the directions"""
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

_RULED = Heat(1.2, 4.0)  # of a single run under a rule on directions: with fewer arcs, networks get stuck sooner
_STRETCHES = 50  # between which progress is told and the clock is read
_POLISH = 300  # the same after each run
_LEAST_POLISH = 20_000
_MOST_POLISH = 3_000_000


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
    run, effort = run or Run(), EFFORTS[(options or DirectOptions()).effort]
    if problem.metric == "fsim":
        return turned_to_support(problem, direct_fsim(problem, run, effort.networks, start))
    if most_parents(problem) == 1:
        return _branching(problem, run)
    search = _Annealing(problem, run, effort)
    try:
        stopped_by = search.run(start)
    except KeyboardInterrupt:
        stopped_by = "interrupted"
    search.trim()
    best = search.best
    dag, order = dag_of(problem, best.arcs), named(problem, best.order)
    found = Found.of(problem, "direct", dag, search.history, stopped_by, elimination_order=order)
    return turned_to_support(problem, found)


def _branching(problem: Problem, run: Run) -> Found:
    """Where each variable has one parent at most, as in cliques of 2, a maximum branching is best: found exactly."""
    dag = best_branching(problem)
    distance, clique = mean_distance(problem, dag), int(clique_size(dag))
    stopped_by = "finished"
    try:
        run.report(1, 1, distance, clique)
    except KeyboardInterrupt:
        stopped_by = "interrupted"
    return Found.of(problem, "direct", dag, (Step(1, distance, clique, distance, 1),), stopped_by)


class _Annealing:
    """Runs of annealing chains, and the best network of all."""

    def __init__(self, problem: Problem, run: Run, effort: Effort) -> None:
        self._problem, self._run, self._effort = problem, run, effort
        self._empty = problem.distance_without_arcs
        self._bound = problem_bound(problem, rounds=0)
        self._moves = 0
        passes = len(effort.heats) + (effort is not EFFORTS["quick"])
        self._steps = (_STRETCHES + 1) * passes + (effort.polish > 0)
        self.history: list[Step] = []
        alone = self._chains(1)
        self._arcs = arcs_to_search(problem)
        self.best = best_of(problem, alone)  # the required arcs

    def run(self, start: DAG | None) -> str:
        """All runs; says what ended them. They start from `start`; what costs nothing, and one quick pass, come first.

        These are the floor for a search that is cut, and nothing else: the runs themselves do not depend on them.
        """
        first = self.best if start is None else self._started(start)
        lowest = floor(self._problem, self._run)
        self._note(first)
        self._note(scored(self._problem, lowest.dag, lowest.elimination_order))
        if self._effort is not EFFORTS["quick"]:
            self._pass(EFFORTS["quick"], _Runs(first))
            if self._run.clock.is_out:
                return "time limit"
        runs = _Runs(first)
        self._pass(self._effort, runs)
        if self._run.clock.is_out:
            return "time limit"
        if self._effort.polish:
            moves = self._polishing(self._effort.polish, _MOST_POLISH)
            self._polished(self.best, moves, self._effort.heats[0])
            self._record()
        return "time limit" if self._run.clock.is_out else "finished"

    def _pass(self, effort: Effort, runs: _Runs) -> None:
        """The chains of an effort, once for each heat, each time from the best so far of this pass."""
        is_ruled = self._problem.constraints.directions != "any" and not self._problem.counts_arcs
        for number, heat in enumerate((_RULED,) if is_ruled and effort is EFFORTS["quick"] else effort.heats):
            # Of the arcs that are seen, the majority's are quicker to get right: the first of several runs has these.
            is_seen, is_first = self._problem.constraints.directions == "seen", number == 0 < len(effort.heats) - 1
            chains = self._chains(effort.chains, heat, number * effort.chains, is_seen and is_first)
            chains.start_at(runs.best.arcs, runs.best.order)
            moves = min(effort.moves * self._arcs, effort.most_moves)
            for _ in self._stretches(chains, moves, effort):
                runs.note(best_of(self._problem, chains))
                self._note(runs.best)
                self._record()
                if self._run.clock.is_out:
                    return
                if self._is_optimal(runs.best):
                    break
            runs.note(self._polished(runs.best, self._polishing(_POLISH, effort.most_moves), heat))
            self._record()
            if self._run.clock.is_out or self._is_optimal(runs.best):
                return

    def _stretches(self, chains: _kernel.DirectSearch, moves: int, effort: Effort) -> Iterator[None]:
        """Anneals a part of the moves at a time."""
        for stretch in range(_STRETCHES):
            begin, end = moves * stretch // _STRETCHES, moves * (stretch + 1) // _STRETCHES
            try:
                chains.anneal(begin, end, moves, self._run.thread_count, self._run.clock.left)
            finally:
                self._note(best_of(self._problem, chains))
            self._moves += effort.chains * (end - begin)
            yield

    def _polished(self, network: Scored, moves: int, heat: Heat) -> Scored:
        """A network after moves that keep its distance, or better it, and make its arcs worth more."""
        chain = voting_chain(self._problem, self._run.seed, heat)
        chain.start_at(network.arcs, network.order)
        try:
            chain.polish(moves, self._run.clock.left)
        finally:
            self._note(best_of(self._problem, chain))
        return best_of(self._problem, chain)

    def _polishing(self, moves: int, most: int) -> int:
        """How many moves polish, given how many for each arc that may be added."""
        return max(min(moves * self._arcs, most), _LEAST_POLISH)

    def _chains(
        self, count: int, heat: Heat = _THREE[0], stream: int = 0, by_majority: bool = False
    ) -> _kernel.DirectSearch:
        return chains_of(self._problem, self._run.seed, count, heat, stream, by_majority)

    def _started(self, start: DAG) -> Scored:
        """The required arcs, and those of a network that the limits and constraints allow."""
        if (order := within_limits(self._problem, start)) is not None:
            return scored(self._problem, start, order)
        allowed = self._problem.constraints.allowed(self._problem.tally)
        chains = self._chains(1)
        chains.start_from([(a, b) for a, b in start.arc_numbers.tolist() if allowed[a, b]])
        return best_of(self._problem, chains)

    def _note(self, network: Scored) -> None:
        if network.score > self.best.score:
            self.best = network

    def _is_optimal(self, network: Scored) -> bool:
        return self._empty - network.gain <= self._bound

    def trim(self) -> None:
        """Takes arcs out of the best network that fewer than half of the inputs have and that bring it no closer."""
        before = self.best
        chain = voting_chain(self._problem, self._run.seed, self._effort.heats[0])
        chain.start_at(before.arcs, before.order)
        chain.tidy()
        self._note(best_of(self._problem, chain))
        if self.best.gain > before.gain:
            self.history.append(self._step())

    def _record(self) -> None:
        step = self._step()
        self.history.append(step)
        self._run.report(step.step, max(self._steps, step.step), step.distance, step.clique_size)

    def _step(self) -> Step:
        distance = self._problem.mean(self._empty - self.best.gain)
        return Step(len(self.history) + 1, distance, clique_of(self._problem, self.best), distance, self._moves)


class _Runs:
    """The best network of the runs of one pass, from which the next of them starts."""

    def __init__(self, first: Scored) -> None:
        self.best = first

    def note(self, network: Scored) -> None:
        """Keeps it if it is better."""
        if network.score > self.best.score:
            self.best = network
