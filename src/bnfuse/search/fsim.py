"""Direct search for FSim: annealing over DAGs, from networks that keep to the directions of the inputs.

FSim has no cheap change for a move: every pair of a network and an input has its own order and its own minimal I-maps.
So moves are few, and starts matter. FSim punishes arcs against the inputs' orders, which SMHD does not see: the best
networks for SMHD among those that go along with the inputs are much better starts than the best of all, and are found
in milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bnfuse import _kernel
from bnfuse.dag import DAG, Rows, numbered, stacked
from bnfuse.problem import Problem
from bnfuse.result import Consensus, Step

_CHAINS = 4
_HOT = 0.25  # the first temperature of a round: a worsening of the mean distance
_FIRST_ROUND = 14  # networks for each variable; every round is twice as long as the one before
_SAFETY = 0.97  # of the time that is left, what a round is planned for
_STRETCHES = 25  # of a round, after which progress is told
_PAIR_WORK = 4  # the kernel's unit of work is a move; a distance between two networks counts as so many
_START_MOVES = 30  # for each arc that may be added
_START_HEAT = 0.5, 4.0  # the first temperature in units of the total weight, and the power of 1/e by which it falls

Rules = npt.NDArray[np.uint8]
"""By arc (row -> column): 1 it may be added, 2 it must stay."""


def direct_fsim(problem: Problem, rules: Rules, max_parents: int, effort: int, start: DAG | None = None) -> Consensus:
    """The consensus for FSim; `effort` counts networks for each variable."""
    search = _Search(problem, rules, max_parents)
    try:
        stopped_by = search.run(effort, start)
    except KeyboardInterrupt:
        stopped_by = "interrupted"
    dag = DAG.from_rows(problem.variables, search.best.rows)
    order = tuple(problem.variables[i] for i in search.best.order)
    return Consensus.of(problem, "direct", dag, None, search.history, stopped_by, order)


class _Network(NamedTuple):
    distance: int
    """summed over the references, by weight"""
    opposition: int
    """minus directed support: what is less is better"""
    rows: Rows
    order: list[int]
    """an elimination order that proves the clique size"""

    def better_than(self, other: _Network) -> bool:
        return (self.distance, self.opposition) < (other.distance, other.opposition)


@dataclass
class _Search:
    problem: Problem
    rules: Rules
    max_parents: int
    history: list[Step] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._references = stacked(self.problem.references)
        self._weights = np.array(self.problem.reference_weights, np.int64)
        _, _, arcs, order = self._smhd_chain(self.rules, 1).best()
        self.best = self._network(self._rows(arcs), order)  # the required arcs alone

    def run(self, effort: int, start: DAG | None) -> str:
        """Anneals from the best starts until the work is done; says what ended it."""
        problem = self.problem
        starts = [self.best]
        for rows, order in self._starts(start):
            starts.append(self._network(rows, order))
            if starts[-1].better_than(self.best):
                self.best = starts[-1]
            if problem.clock.is_out:
                return "time limit"
        starts.sort(key=lambda network: (network.distance, network.opposition))
        chains = self._chains(starts)
        rounds = (effort // _FIRST_ROUND + 1).bit_length() - 1
        work = self._work(effort)
        began, done = problem.clock.seconds, 0
        for i in range(rounds):
            planned = length = (work << i) // ((1 << rounds) - 1)
            if i:
                chains.restart()
                # A round is worth most when it ends: the last one before a time limit is as long as the time allows.
                in_time = done * problem.clock.left / (problem.clock.seconds - began)
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

    def _work(self, effort: int) -> int:
        """Of one chain, in the kernel's units: in proportion to the networks' size and number, within bounds."""
        n, r = len(self.problem.variables), len(self._references)
        pairs = effort * max(min(max(n, 20) * r, 125_000 // n), r)
        return _PAIR_WORK * pairs // _CHAINS

    def _anneal(self, chains: _kernel.FsimSearch, start: int, stop: int, length: int) -> bool:
        """Goes on in slices of some milliseconds; False when the time is used up."""
        slice_work = max(_PAIR_WORK * 60_000 // (_CHAINS * len(self.problem.variables)), 1)
        hot = _HOT * self.problem.reference_tally.weight
        for until in [*range(start + slice_work, stop, slice_work), stop]:
            chains.anneal(until, length, hot, self.problem.threads)
            found = _Network(*chains.best())
            if found.better_than(self.best):
                self.best = found
            if self.problem.clock.is_out:
                return False
        return True

    def _record(self, steps: int, networks: int) -> None:
        distance = self.problem.mean(self.best.distance)
        clique = _kernel.clique_along(self.best.rows, np.array(self.best.order, np.int32))
        self.history.append(Step(len(self.history) + 1, distance, clique, distance, networks))
        self.problem.report(len(self.history), steps, distance, clique)

    def _chains(self, starts: list[_Network]) -> _kernel.FsimSearch:
        tally = self.problem.reference_tally
        frequency = 4 * tally.arcs + tally.moral  # an arc that inputs have is worth more than one between parents
        chains = _kernel.FsimSearch(
            references=self._references,
            weights=self._weights,
            ties=self.problem.ties,
            support=self.problem.tally.arcs,
            frequency=np.maximum(frequency * 999 // max(int(frequency.max()), 1), 1),
            rules=self.rules,
            limit=self.problem.max_clique,
            max_parents=self.max_parents,
            chains=_CHAINS,
            seed=self.problem.seed,
        )
        for chain in range(_CHAINS):
            network = starts[chain % len(starts)]
            chains.start_at(chain, network.rows, network.order)
        return chains

    def _starts(self, start: DAG | None) -> Iterator[tuple[Rows, list[int]]]:
        """Networks within the limit and the constraints, to be compared by FSim."""
        if start is not None:
            yield from self._as_it_is(start)
        tally = self.problem.reference_tally
        place = np.argsort(numbered(self.problem.fusion.order, self.problem.dags[0]))
        along = place[:, None] < place
        supported = tally.arcs > 0
        majority = supported & (tally.arcs >= tally.arcs.T)
        anywhere = np.ones_like(along)
        # What a moral edge must have above half of the weight: FSim prefers fewer edges than SMHD.
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
        constraints = self.problem.constraints
        most = max(len(dag.parents(name)) for name in self.problem.variables)
        allowed = constraints.allowed(self.problem.variables)[tuple(dag.arc_numbers.T)].all()
        if most > self.max_parents or not allowed or not set(constraints.required) <= set(dag.edges):
            return
        _, clique, order = _kernel.triangulate(dag.rows, "min-fill", 0)
        if clique <= self.problem.max_clique:
            yield dag.rows, order

    def _smhd_chain(self, rules: Rules, price: float) -> _kernel.DirectSearch:
        tally = self.problem.reference_tally
        hot, decay = _START_HEAT
        return _kernel.DirectSearch(
            gain=2 * tally.moral - int(price * tally.weight),
            support=self.problem.tally.arcs,
            rules=np.ascontiguousarray(rules),
            limit=self.problem.max_clique,
            max_parents=self.max_parents,
            hot=hot * tally.weight,
            decay=decay,
            chains=1,
            seed=self.problem.seed,
            stream=0,
        )

    def _network(self, rows: Rows, order: list[int]) -> _Network:
        problem = self.problem
        distances = _kernel.fsim(rows, self._references, problem.ties, True, problem.threads)
        arcs = DAG.from_rows(problem.variables, rows).arc_numbers
        support = int(problem.tally.arcs[tuple(arcs.T)].sum())
        return _Network(int(self._weights @ np.array(distances)), -support, rows, order)

    def _rows(self, arcs: list[tuple[int, int]]) -> Rows:
        names = self.problem.variables
        return DAG(names, [(names[source], names[target]) for source, target in arcs]).rows
