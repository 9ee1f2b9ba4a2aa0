"""The effect of adding, dropping or reversing one arc of a network.

SMHD is linear in the moral edges and SHD in the arcs, so their changes are sums over the few pairs that a move touches.
FSim has to be measured again, which is done as long as the work stays within bounds.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from bnfuse import _kernel
from bnfuse.graphs.dag import DAG, numbered
from bnfuse.problem.problem import Problem
from bnfuse.search.outcome import proving_order, summed_distance, table_along
from bnfuse.search.turning import are_joined

_MEASURED = 400  # networks whose FSim is measured, at most
_MEASURING_WORK = 80_000_000  # the same for large networks: variables times variables times references
_CLIQUE_WORK = 3_000_000  # variables times variables: triangulations of a large network take long


@dataclass(frozen=True, slots=True)
class Change:
    """The effect of a move on the mean distance."""

    total: float
    own: float | None = None
    """the part that is due to the edge between the arc's own ends; None if the parts are not known"""
    married: tuple[int, ...] = ()
    """other parents of the target for which gaining or losing the moral edge to the source increases the distance"""

    @property
    def is_by_marriage(self) -> bool:
        """Whether the arc itself does no harm, but its moral edges do."""
        return self.own is not None and self.own <= 0 < self.total


@dataclass(frozen=True, slots=True)
class Move:
    """The effect of adding one arc to a network, or of reversing one of its arcs."""

    source: int
    target: int
    change: Change | None
    """None if it was not measured"""
    closes_cycle: bool
    barrier: str | None
    """the constraint that rules it out: `required` (reversed), `forbidden`, `directions`, `tiers` or `parents`"""
    clique: int | None = None
    """the largest clique afterwards, as far as is known; None if it was not computed"""
    clique_at_least: int | None = None
    """a proven bound: no triangulation has a smaller largest clique"""
    table: int | None = None
    """the numbers in the largest clique table afterwards, as far as is known, if it exceeds the limit"""


class Moves:
    """All moves of one arc in a network that is within the limits along an elimination order."""

    def __init__(self, problem: Problem, dag: DAG, elimination_order: tuple[str, ...]) -> None:
        self._problem = problem
        self._dag = dag
        self._elimination_order = elimination_order
        self._order = numbered(elimination_order, dag)
        self._parents: list[set[int]] = [set() for _ in dag.variables]
        self._children: list[set[int]] = [set() for _ in dag.variables]
        for source, target in dag.arc_numbers.tolist():
            self._parents[target].add(source)
            self._children[source].add(target)
        self._below = self._descendants()
        self._barriers = _Barriers(problem, dag)
        self._distance = summed_distance(problem, dag)
        if problem.metric == "fsim":
            work = len(dag.variables) ** 2 * len(problem.references)
            self._unmeasured = min(_MEASURED, max(40, _MEASURING_WORK // work))
        self.cliques_worth_the_time = max(40, _CLIQUE_WORK // len(dag.variables) ** 2)

    def _descendants(self) -> list[int]:
        """The descendants of each variable, as bits."""
        n = len(self._parents)
        below = [0] * n
        waiting = [len(own) for own in self._children]
        ready = [v for v in range(n) if not waiting[v]]
        for v in ready:
            for child in self._children[v]:
                below[v] |= below[child] | 1 << child
            for parent in self._parents[v]:
                waiting[parent] -= 1
                if not waiting[parent]:
                    ready.append(parent)
        return below

    # Adding an arc, or reversing the opposite one

    def tried(self, source: int, target: int, change: Change | None, with_clique: bool) -> Move:
        """All that is known about one move; `change` computes the change."""
        cycle, barrier = self.closes_cycle(source, target), self._barriers.before(source, target)
        if cycle or not with_clique:
            return Move(source, target, change, cycle, barrier)
        dag = self._dag_with(source, target)
        return Move(source, target, change, cycle, barrier, *self._clique(dag), self._table(dag))

    def closes_cycle(self, source: int, target: int) -> bool:
        """Whether a path leads from the target to the source, apart from the arc that would be reversed."""
        if target not in self._parents[source]:
            return bool(self._below[target] >> source & 1)
        return any(self._below[child] >> source & 1 for child in self._children[target] - {source})

    def change(self, source: int, target: int) -> Change | None:
        """How it changes the mean distance; None if it closes a cycle or takes too long."""
        problem = self._problem
        if self.closes_cycle(source, target):
            return None
        if problem.metric == "fsim":
            return self._measured(source, target, is_out=False)
        is_turned = target in self._parents[source]
        if problem.counts_arcs:
            before = int(problem.gain[target, source]) if is_turned else 0
            total = problem.mean(before - int(problem.gain[source, target]))
            return Change(total, None if is_turned else total)
        married = [one for one in self._parents[target] if not are_joined(self._children, source, one)]
        if is_turned:
            parted = self._parted(target, source)
            return Change(problem.mean(self._gained(target, parted) - self._gained(source, married)))
        own = 0 if are_joined(self._children, source, target) else -int(problem.gain[source, target])
        harmful = tuple(sorted(one for one in married if problem.gain[source, one] < 0))
        return Change(problem.mean(own - self._gained(source, married)), problem.mean(own), harmful)

    # Dropping an arc

    def change_without(self, source: int, target: int) -> Change | None:
        """How dropping an arc of the network changes the mean distance; None if it takes too long."""
        problem = self._problem
        if problem.metric == "fsim":
            return self._measured(source, target, is_out=True)
        if problem.counts_arcs:
            total = problem.mean(int(problem.gain[source, target]))
            return Change(total, total)
        parted = self._parted(source, target)
        own = 0 if self._children[source] & self._children[target] else int(problem.gain[source, target])
        useful = tuple(sorted(one for one in parted if problem.gain[source, one] > 0))
        return Change(problem.mean(own + self._gained(source, parted)), problem.mean(own), useful)

    # Moral edges

    def _parted(self, source: int, target: int) -> list[int]:
        """The other parents of the target that only this child connects to the source in the moral graph."""
        children = self._children
        return [
            one
            for one in self._parents[target]
            if one != source
            and one not in children[source]
            and source not in children[one]
            and len(children[source] & children[one]) == 1
        ]

    def _gained(self, one: int, others: Iterable[int]) -> int:
        return sum(int(self._problem.gain[one, other]) for other in others)

    # Slower computations

    def _measured(self, source: int, target: int, is_out: bool) -> Change | None:
        if not self._unmeasured:
            return None
        self._unmeasured -= 1
        dag = self._dag_without(source, target) if is_out else self._dag_with(source, target)
        return Change(self._problem.mean(summed_distance(self._problem, dag) - self._distance))

    def _dag_with(self, source: int, target: int) -> DAG:
        """The network with an arc, and without its reversal; the result must be acyclic."""
        without = self._dag_without(target, source)
        return DAG.from_numbers(self._dag.variables, np.vstack([without.arc_numbers, [[source, target]]]))

    def _dag_without(self, source: int, target: int) -> DAG:
        arcs = self._dag.arc_numbers
        kept = arcs[(arcs != [source, target]).any(axis=1)]
        return DAG.from_numbers(self._dag.variables, kept, are_checked=True)

    def _clique(self, dag: DAG) -> tuple[int, int]:
        """The largest clique that was found, and a lower bound for all triangulations."""
        along = _kernel.clique_along(dag.for_kernel, self._order)
        if along <= self._problem.max_clique:
            return along, 1
        lower, size, _ = _kernel.triangulate(dag.for_kernel, "best", 0)
        return min(size, along), lower

    def _table(self, dag: DAG) -> int | None:
        """The numbers in the largest clique table that was found, if they exceed the limit."""
        most, own = self._problem.max_table, self._elimination_order
        if most is None or table_along(self._problem, dag, own) <= most:
            return None
        table = table_along(self._problem, dag, proving_order(self._problem, dag, own))
        return table if table > most else None


class _Barriers:
    """The constraints, and the one that rules out an arc."""

    def __init__(self, problem: Problem, dag: DAG) -> None:
        constraints = problem.constraints
        self._variables = dag.variables
        self._required, self._forbidden = set(constraints.required), set(constraints.forbidden)
        self._allowed = constraints.allowed(problem.tally)
        self._directed = constraints.directed_pairs(problem.tally)
        self._most = constraints.max_parents
        self._parents = np.bincount(dag.arc_numbers[:, 1], minlength=len(dag.variables))

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
