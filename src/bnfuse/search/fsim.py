"""Direct search for FSim: annealing over DAGs, from networks that follow the directions of the inputs.

FSim has no cheap update for a move: every pair of a network and an input has its own order and its own minimal I-maps.
So there are few moves, and starts matter. FSim penalises arcs that contradict the inputs' orders, which SMHD does not
see. So the best networks for SMHD among those that follow the inputs are much better starts than the best of all
networks, and they are found in milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from bnfuse import _kernel
from bnfuse.graphs.dag import DAG, Rows, numbered, stacked
from bnfuse.problem.problem import Problem
from bnfuse.search.chains import Rules, most_parents, rules_of, within_limits
from bnfuse.search.majority import majority
from bnfuse.search.outcome import Found, Step
from bnfuse.search.run import Run

_CHAINS = 4
_HOT = 0.25  # the first temperature of a round: an increase in the mean distance
_FIRST_ROUND = 14  # networks for each variable; every round is twice as long as the one before
_SAFETY = 0.97  # the share of the remaining time for which a round is planned
_STRETCHES = 25  # the share of a round after which progress is reported
_PAIR_WORK = 4  # the kernel's unit of work is a move; a distance between two networks counts as this many
_START_MOVES = 30  # for each arc that may be added
_START_HEAT = 0.5, 4.0  # the first temperature in units of the total weight, and the power of 1/e by which it falls


def direct_fsim(problem: Problem, run: Run, effort: int, start: DAG | None = None) -> Found:
    """The consensus for FSim; `effort` counts networks for each variable."""
    search = _Search(problem, run)
    try:
        stopped_by = search.search(effort, start)
        search.trim()
    except KeyboardInterrupt:
        stopped_by = "interrupted"
    dag = DAG.from_rows(problem.variables, search.best.rows)
    order = tuple(problem.variables[i] for i in search.best.order)
    return Found.of(problem, "direct", dag, search.history, stopped_by, elimination_order=order)


class _Network(NamedTuple):
    distance: int
    """summed over the references, by weight"""
    opposition: int
    """minus the worth of the arcs (see `Problem.worth`): less is better"""
    rows: Rows
    order: list[int]
    """an elimination order that proves the clique size"""

    def better_than(self, other: _Network) -> bool:
        return (self.distance, self.opposition) < (other.distance, other.opposition)


@dataclass
class _Search:
    problem: Problem
    run: Run
    history: list[Step] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rules, self.max_parents = rules_of(self.problem), most_parents(self.problem)
        self._references = stacked(self.problem.references)
        self._weights = np.array(self.problem.reference_weights, np.int64)
        _, _, arcs, order = self._smhd_chain(self.rules, 1).best()
        self.best = self._network(self._rows(arcs), order)  # the required arcs alone

    def search(self, effort: int, start: DAG | None) -> str:
        """Anneal from the best starts until the work is done; return the reason for the end."""
        clock = self.run.clock
        starts = [self.best]
        vote = majority(self.problem)  # the best network that costs nothing, in case the search is cut
        self._note(self._network(vote.dag.rows, numbered(vote.elimination_order, vote.dag).tolist()))
        for rows, order in self._starts(start):
            starts.append(self._network(rows, order))
            self._note(starts[-1])
            if clock.is_out:
                return "time limit"
        starts.sort(key=lambda network: (network.distance, network.opposition))
        chains = self._chains(starts)
        rounds = (effort // _FIRST_ROUND + 1).bit_length() - 1
        work = self._work(effort)
        began, done = clock.seconds, 0
        for i in range(rounds):
            planned = length = (work << i) // ((1 << rounds) - 1)
            if i:
                chains.restart()
                # A round is most useful when it ends: the last one before a time limit is as long as the time allows.
                in_time = done * clock.left / (clock.seconds - began)
                length = int(max(min(planned, _SAFETY * in_time), 1))
            for stretch in range(_STRETCHES):
                if not self._anneal(
                    chains, length * stretch // _STRETCHES, length * (stretch + 1) // _STRETCHES, length
                ):
                    return "time limit"
                self._record(_STRETCHES * rounds, chains.networks())
                if not self.best.distance:
                    return "finished"
            if length < planned:
                return "time limit"
            done += length
        return "finished"

    def trim(self) -> None:
        """Remove arcs that fewer than half of the inputs have and that do not reduce the distance."""
        chains = self._chains([self.best])
        try:
            chains.tidy(self.run.clock.left)
        finally:
            self._note(_Network(*chains.best()))

    def _note(self, network: _Network) -> None:
        if network.better_than(self.best):
            self.best = network

    def _work(self, effort: int) -> int:
        """The work of one chain, in the kernel's units: proportional to the networks' size and number, bounded."""
        n, r = len(self.problem.variables), len(self._references)
        pairs = effort * max(min(max(n, 20) * r, 125_000 // n), r)
        return _PAIR_WORK * pairs // _CHAINS

    def _anneal(self, chains: _kernel.FsimSearch, start: int, stop: int, length: int) -> bool:
        """Continue in slices of some milliseconds; False when the time is used up."""
        slice_work = max(_PAIR_WORK * 60_000 // (_CHAINS * len(self.problem.variables)), 1)
        hot = _HOT * self.problem.reference_tally.weight
        for until in [*range(start + slice_work, stop, slice_work), stop]:
            try:
                chains.anneal(until, length, hot, self.run.thread_count, self.run.clock.left)
            finally:
                self._note(_Network(*chains.best()))
            if self.run.clock.is_out:
                return False
        return True

    def _record(self, steps: int, networks: int) -> None:
        distance = self.problem.mean(self.best.distance)
        clique = _kernel.clique_along(self.best.rows, np.array(self.best.order, np.int32))
        self.history.append(Step(len(self.history) + 1, distance, clique, distance, networks))
        self.run.report(len(self.history), steps, distance, clique)

    def _chains(self, starts: list[_Network]) -> _kernel.FsimSearch:
        tally = self.problem.reference_tally
        frequency = 4 * tally.arcs + tally.moral  # an arc that inputs have is worth more than one that joins parents
        chains = _kernel.FsimSearch(
            references=self._references,
            weights=self._weights,
            ties=self.problem.ties,
            support=self.problem.worth,
            frequency=np.maximum(frequency * 999 // max(int(frequency.max()), 1), 1),
            rules=self.rules,
            limit=self.problem.max_clique,
            max_parents=self.max_parents,
            chains=_CHAINS,
            seed=self.run.seed,
            **self.problem.kernel_tables,
        )
        for chain in range(_CHAINS):
            network = starts[chain % len(starts)]
            chains.start_at(chain, network.rows, network.order)
        return chains

    def _starts(self, start: DAG | None) -> Iterator[tuple[Rows, list[int]]]:
        """Networks within the limit and the constraints that FSim compares."""
        if start is not None:
            yield from self._as_it_is(start)
        tally = self.problem.reference_tally
        place = np.argsort(numbered(self.problem.fusion.order, self.problem.dags[0]))
        along = place[:, None] < place
        supported = tally.arcs > 0
        majority = supported & (tally.arcs >= tally.arcs.T)
        anywhere = np.ones_like(along)
        # The margin over half of the weight that a moral edge needs: FSim prefers fewer edges than SMHD.
        for arcs, margin in (
            (along & supported, 0.3),
            (majority, 0.6),
            (along, 0.0),
            (along & supported, 0.0),
            (along & supported, 0.6),
            (majority, 0.0),
            (anywhere, 0.0),
        ):
            chain = self._smhd_chain(np.where(arcs, self.rules, self.rules & 2), 1 + margin)
            moves = _START_MOVES * chain.arc_count()
            chain.anneal(0, moves, moves, 1)
            chain.polish(moves)
            _, _, found, order = chain.best()
            yield self._rows(found), order
        for dag in dict.fromkeys(self.problem.dags):
            yield from self._as_it_is(dag)

    def _as_it_is(self, dag: DAG) -> Iterator[tuple[Rows, list[int]]]:
        """A network, if it is within the limit and the constraints."""
        if (order := within_limits(self.problem, dag)) is not None:
            yield dag.rows, numbered(order, dag).tolist()

    def _smhd_chain(self, rules: Rules, price: float) -> _kernel.DirectSearch:
        tally = self.problem.reference_tally
        hot, decay = _START_HEAT
        return _kernel.DirectSearch(
            gain=2 * tally.moral - int(price * tally.weight),
            support=self.problem.tally.oriented,
            rules=np.ascontiguousarray(rules),
            limit=self.problem.max_clique,
            max_parents=self.max_parents,
            hot=hot * tally.weight,
            decay=decay,
            chains=1,
            seed=self.run.seed,
            stream=0,
            **self.problem.kernel_tables,
        )

    def _network(self, rows: Rows, order: list[int]) -> _Network:
        problem = self.problem
        distances = _kernel.fsim(rows, self._references, problem.ties, True, self.run.thread_count)
        arcs = DAG.from_rows(problem.variables, rows).arc_numbers
        worth = int(problem.worth[tuple(arcs.T)].sum())
        return _Network(int(self._weights @ np.array(distances)), -worth, rows, order)

    def _rows(self, arcs: list[tuple[int, int]]) -> Rows:
        names = self.problem.variables
        return DAG(names, [(names[source], names[target]) for source, target in arcs]).rows
