"""Direct search for FSim: from the best networks for SMHD on, by threshold accepting over single-arc moves.

FSim has no cheap change for a move: every pair of a network and an input has its own order and its own minimal I-maps.
So moves are few, each network is evaluated once, and the search starts where that for SMHD, which FSim mostly follows,
ends.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from bnfuse import _kernel
from bnfuse.dag import DAG, Rows, numbered
from bnfuse.problem import Problem
from bnfuse.result import Consensus, Step

_STRETCHES = 50
_FIRST_THRESHOLD = 0.3  # by how much a move may worsen the mean distance at first; falls to 0


def improved(
    problem: Problem, closest: Consensus, starts: Iterable[DAG], rules: npt.NDArray[np.uint8], evaluations: int
) -> Consensus:
    """The best network for FSim, found from the closest for SMHD or from another start within the limit."""
    search = _Search(problem, rules, closest)
    history: list[Step] = []
    stopped_by = "finished"
    try:
        for start in starts:
            search.offer(start.rows)
        stopped_by = search.run(evaluations, history)
    except KeyboardInterrupt:
        stopped_by = "interrupted"
    dag = DAG.from_rows(problem.variables, search.best)
    order = tuple(problem.variables[i] for i in search.best_order)
    return Consensus.of(problem, "direct", dag, None, history, stopped_by, order)


class _Search:
    def __init__(self, problem: Problem, rules: npt.NDArray[np.uint8], first: Consensus) -> None:
        self.problem = problem
        self._rules = rules
        self._arcs = np.argwhere(rules & 1)
        self._max_parents = problem.max_clique - 1
        if problem.constraints.max_parents is not None:
            self._max_parents = min(self._max_parents, problem.constraints.max_parents)
        self._references = np.stack([dag.rows for dag in problem.references])
        self._weights = np.array(problem.reference_weights, np.int64)
        self._seen: dict[bytes, tuple[int, int]] = {}
        self._words = np.random.PCG64(problem.seed)
        self.best: Rows = first.dag.rows.copy()
        self.best_order = numbered(first.elimination_order, first.dag).tolist()
        self._best_value = self._value(self.best)

    def offer(self, rows: Rows) -> None:
        """Consider a network as a start."""
        _, clique, order = _kernel.triangulate(rows, "best", 0)
        if clique > self.problem.max_clique or not self._parents_fit(rows):
            return
        value = self._value(rows)
        if value < self._best_value:
            self.best, self.best_order, self._best_value = rows.copy(), order, value

    def run(self, evaluations: int, history: list[Step]) -> str:
        """Move until so many networks were evaluated."""
        problem = self.problem
        total = problem.reference_tally.weight
        current, value = self.best.copy(), self._best_value
        for stretch in range(_STRETCHES if len(self._arcs) else 0):
            threshold = int(_FIRST_THRESHOLD * total * (1 - (stretch + 1) / _STRETCHES))
            until = evaluations * (stretch + 1) // _STRETCHES
            tries = 0
            while len(self._seen) < until and tries < 20 * evaluations // _STRETCHES:
                tries += 1
                if problem.clock.is_out:
                    return "time limit"
                moved = self._neighbour(current)
                if moved is None:
                    continue
                rows, order = moved
                fresh = self._value(rows)
                if fresh[0] > value[0] + threshold or (not threshold and fresh > value):
                    continue
                current, value = rows, fresh
                if value < self._best_value:
                    self.best, self.best_order, self._best_value = current, order, value
            current, value = self.best.copy(), self._best_value
            distance = problem.mean(value[0])
            clique = _kernel.clique_along(self.best, np.array(self.best_order, np.int32))
            history.append(Step(stretch + 1, distance, clique, distance, len(self._seen)))
            problem.report(stretch + 1, _STRETCHES, distance, clique)
        return "finished"

    def _below(self, bound: int) -> int:
        return (int(self._words.random_raw()) >> 32) * bound >> 32

    def _value(self, rows: Rows) -> tuple[int, int]:
        """The summed distance, then minus directed support: what is less is better."""
        key = rows.tobytes()
        if key not in self._seen:
            distances = _kernel.fsim(rows, self._references, self.problem.ties, True, self.problem.threads)
            dag = DAG.from_rows(self.problem.variables, rows.copy())
            support = int(self.problem.tally.arcs[dag.to_adjacency()].sum())
            self._seen[key] = int(self._weights @ np.array(distances)), -support
        return self._seen[key]

    def _neighbour(self, current: Rows) -> tuple[Rows, list[int]] | None:
        """A network one move away, with an elimination order within the limit."""
        source, target = self._arcs[self._below(len(self._arcs))].tolist()
        rows = current.copy()
        if _has(rows, source, target):
            if self._rules[source, target] & 2:
                return None
            _flip(rows, source, target)
            if self._below(2) and self._rules[target, source] & 1:
                _flip(rows, target, source)
        elif _has(rows, target, source):
            if self._rules[target, source] & 2:
                return None
            _flip(rows, target, source)
            _flip(rows, source, target)
        else:
            _flip(rows, source, target)
            if self._below(3) == 0 and not self._drop_parent(rows, target, source):
                return None
        if _kernel.find_cycle(rows):
            return None
        _, clique, order = _kernel.triangulate(rows, "min-fill", 0)
        return (rows, order) if clique <= self.problem.max_clique and self._parents_fit(rows) else None

    def _drop_parent(self, rows: Rows, target: int, kept: int) -> bool:
        """Take another parent away, if there is one that may go."""
        parents = [
            p for p in range(len(rows)) if p != kept and _has(rows, p, target) and not self._rules[p, target] & 2
        ]
        if not parents:
            return False
        _flip(rows, parents[self._below(len(parents))], target)
        return True

    def _parents_fit(self, rows: Rows) -> bool:
        return int(np.bitwise_count(rows).sum(axis=1).max()) <= self._max_parents


def _has(rows: Rows, source: int, target: int) -> bool:
    return bool(int(rows[target, source >> 6]) >> (source & 63) & 1)


def _flip(rows: Rows, source: int, target: int) -> None:
    rows[target, source >> 6] ^= np.uint64(1 << (source & 63))
