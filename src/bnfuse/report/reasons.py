"""Why an arc that inputs have is not in the consensus: what would happen if it were."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from bnfuse import _kernel
from bnfuse.dag import DAG, numbered
from bnfuse.found import mean_distance, proof, table_along
from bnfuse.problem import Problem
from bnfuse.result import Result
from bnfuse.tally import Tally

_CHANGES = 400  # that have to be measured anew for each arc: those of FSim, and of turned arcs
_CLIQUE_WORK = 3_000_000  # variables times variables: triangulations of a large network take their time


@dataclass(frozen=True, slots=True)
class Change:
    """What an arc does to the mean distance."""

    total: float
    own: float | None = None
    """the part of it that the edge between the arc's own ends makes; None where the parts are not known"""
    married: tuple[int, ...] = ()
    """other parents of the target to which the source would be joined in the moral graph, though most inputs do not"""

    @property
    def is_by_marriage(self) -> bool:
        """Whether the arc itself would do no harm, and its marriages do."""
        return self.own is not None and self.own <= 0 < self.total


@dataclass(frozen=True, slots=True)
class Reason:
    """What adding one arc to the consensus, or turning one of its arcs round, would do."""

    source: int
    target: int
    change: Change | None
    """None where it was not measured"""
    closes_cycle: bool
    barrier: str | None
    """the constraint that does not allow it: `required` (the other way round), `forbidden`, `directions`, `tiers` or
    `parents`"""
    clique: int | None
    """the largest clique afterwards, as far as is known; None where it was not looked for"""
    clique_at_least: int | None
    """no triangulation has a smaller largest clique"""
    table: int | None = None
    """the numbers in the largest clique table afterwards, as far as is known, where that is over the limit"""


def reasons(consensus: Result) -> list[Reason]:
    """For each arc that is in an input and not in the consensus.

    Cycles, constraints and changes of SMHD and SHD are found for all of them. Cliques, and changes of FSim, are looked
    for as long as the work stays within bounds: first where the arc would bring the consensus closer, so that
    something else must be in its way, then by support.
    """
    problem = consensus.problem
    counts = problem.tally.arcs
    mine = consensus.dag.to_adjacency()
    found = [(a, b) for a, b in np.argwhere((counts > 0) & ~mine).tolist()]
    found.sort(key=lambda arc: -counts[arc])
    after = _After(consensus)
    changes = list(after.changes(found))
    barriers = _Barriers(problem, consensus.dag)
    looked_for = _looked_for(changes, len(problem.variables))
    result = []
    for i, (source, target) in enumerate(found):
        cycle = after.closes_cycle(source, target)
        clique, at_least = after.clique(source, target) if i in looked_for and not cycle else (None, None)
        table = None if clique is None else after.table(source, target)
        barrier = barriers.before(source, target)
        result.append(Reason(source, target, changes[i], cycle, barrier, clique, at_least, table))
    return result


def _looked_for(changes: list[Change | None], n: int) -> set[int]:
    """The arcs whose cliques are worth the time."""
    by_gain = sorted(range(len(changes)), key=lambda i: (change := changes[i]) is None or change.total > 0)
    return set(by_gain[: max(40, _CLIQUE_WORK // (n * n))])


class _Barriers:
    """The constraints, and which of them is in the way of an arc."""

    def __init__(self, problem: Problem, dag: DAG) -> None:
        constraints = problem.constraints
        self._variables = dag.variables
        self._required, self._forbidden = set(constraints.required), set(constraints.forbidden)
        self._allowed = constraints.allowed(problem.tally)
        self._directed = constraints.directed(problem.tally.arcs)
        self._most = constraints.max_parents
        self._parents = dag.to_adjacency().sum(axis=0)

    def before(self, source: int, target: int) -> str | None:
        arc = self._variables[source], self._variables[target]
        if arc[::-1] in self._required:
            return "required"
        if arc in self._forbidden:
            return "forbidden"
        if not self._directed[source, target]:
            return "directions"
        if not self._allowed[source, target]:
            return "tiers"
        return "parents" if self._most is not None and self._parents[target] >= self._most else None


class _After:
    """The consensus with one arc more, or one arc turned round."""

    def __init__(self, consensus: Result) -> None:
        self._consensus = consensus
        self._problem = consensus.problem
        self._dag = consensus.dag
        self._adjacency = consensus.dag.to_adjacency()
        self._order = numbered(consensus.elimination_order, consensus.dag)
        self._parents = [np.flatnonzero(column).tolist() for column in self._adjacency.T]
        self._below = self._descendants()

    def _descendants(self) -> list[int]:
        """The variables below each, as bits."""
        n = len(self._parents)
        below = [0] * n
        children = [np.flatnonzero(row).tolist() for row in self._adjacency]
        waiting = [len(row) for row in children]
        ready = [v for v in range(n) if not waiting[v]]
        for v in ready:
            for child in children[v]:
                below[v] |= below[child] | 1 << child
            for parent in self._parents[v]:
                waiting[parent] -= 1
                if not waiting[parent]:
                    ready.append(parent)
        return below

    def closes_cycle(self, source: int, target: int) -> bool:
        """Whether a way leads from the target to the source, beside the arc that would be turned round."""
        if not self._adjacency[target, source]:
            return bool(self._below[target] >> source & 1)
        return any(
            child == source or self._below[child] >> source & 1
            for child in np.flatnonzero(self._adjacency[target]).tolist()
            if child != source
        )

    def dag(self, source: int, target: int) -> DAG:
        """The network; it must have no cycle."""
        rows = self._dag.rows.copy()
        rows[source, target >> 6] &= ~(np.uint64(1) << np.uint64(target & 63))
        rows[target, source >> 6] |= np.uint64(1) << np.uint64(source & 63)
        return DAG.from_rows(self._dag.variables, rows)

    def changes(self, arcs: list[tuple[int, int]]) -> Iterator[Change | None]:
        """How each arc changes the mean distance; None where it closes a cycle or takes too long."""
        problem = self._problem
        loss = -problem.gain  # by an edge that is joined (SMHD is linear in the moral edges), or by an arc (SHD)
        moral = Tally.of([self._dag], [1]).moral > 0
        measured = 0
        for source, target in arcs:
            if self.closes_cycle(source, target):
                yield None
            elif problem.counts_arcs:
                yield self._arc_change(source, target)
            elif problem.metric == "smhd" and not self._adjacency[target, source]:
                own = 0 if moral[source, target] else int(loss[source, target])
                married = [one for one in self._parents[target] if not moral[source, one]]
                harmful = tuple(one for one in married if loss[source, one] > 0)
                total = own + int(loss[source, married].sum())
                yield Change(problem.mean(total), problem.mean(own), harmful)
            elif measured < _CHANGES:
                measured += 1
                yield Change(mean_distance(problem, self.dag(source, target)) - self._consensus.distance)
            else:
                yield None

    def _arc_change(self, source: int, target: int) -> Change:
        """Of SHD, which is linear in the arcs."""
        problem = self._problem
        if self._adjacency[target, source]:
            return Change(problem.mean(int(problem.gain[target, source] - problem.gain[source, target])))
        own = problem.mean(-int(problem.gain[source, target]))
        return Change(own, own)

    def clique(self, source: int, target: int) -> tuple[int, int]:
        """The largest clique that is found, and what no triangulation can be below."""
        dag = self.dag(source, target)
        along = _kernel.clique_along(dag.rows, self._order)
        if along <= self._problem.max_clique:
            return along, 1
        lower, size, _ = _kernel.triangulate(dag.rows, "best", 0)
        return min(size, along), lower

    def table(self, source: int, target: int) -> int | None:
        """The numbers in the largest clique table that is found, where they are over the limit."""
        most = self._problem.max_table
        if most is None:
            return None
        dag, own = self.dag(source, target), self._consensus.elimination_order
        if table_along(self._problem, dag, own) <= most:
            return None
        table = table_along(self._problem, dag, proof(self._problem, dag, own))
        return table if table > most else None
