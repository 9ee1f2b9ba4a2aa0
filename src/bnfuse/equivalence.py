"""Which arcs of a network say something by their direction, and what fixes it: its Markov equivalence class.

Networks with the same skeleton and the same v-structures imply the same independences, and no data can tell them apart.
Source: Meek, Causal Inference and Causal Explanation with Background Knowledge, UAI 1995. His rules 1 to 3 find every
arc that the v-structures fix. In a DAG whose directions are known, what a rule starts from lies before the arc, so that
each arc is looked at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from graphlib import TopologicalSorter

from bnfuse.dag import DAG

RULES = ("v-structure", "new v-structure", "cycle", "cycle or new v-structure")


@dataclass(frozen=True, slots=True)
class Fixed:
    """Why all networks of a class have an arc S -> T the same way round."""

    rule: str
    """`v-structure`: S -> T <- A, and S and A are not joined.
    `new v-structure`: A -> S is fixed, and turned round, A -> S <- T would be a v-structure.
    `cycle`: S -> A and A -> T are fixed, and turned round, the three would be a cycle.
    `cycle or new v-structure`: A -> T <- B is a v-structure, and turned round, A -> S <- B would have to be one too."""
    others: tuple[str, ...]
    """A, or A and B"""


def reversible_arcs(dag: DAG) -> tuple[tuple[str, str], ...]:
    """The arcs that other networks of the same Markov equivalence class have the other way round.

    >>> reversible_arcs(DAG(list("ABCD"), [("A", "C"), ("B", "C")]))
    ()
    >>> reversible_arcs(DAG(list("ABC"), [("A", "B"), ("B", "C")]))
    (('A', 'B'), ('B', 'C'))
    """
    fixed = fixed_arcs(dag)
    return tuple(arc for arc in dag.edges if arc not in fixed)


def fixed_arcs(dag: DAG) -> dict[tuple[str, str], Fixed]:
    """The arcs that all networks of the class have this way round, and why.

    >>> fixed_arcs(DAG(list("ABCD"), [("A", "C"), ("B", "C"), ("C", "D")]))["C", "D"]
    Fixed(rule='new v-structure', others=('A',))
    """
    return _Rules(dag).applied()


class _Rules:
    def __init__(self, dag: DAG) -> None:
        self._parents = {name: set(dag.parents(name)) for name in dag.variables}
        self._near = {name: self._parents[name].union(dag.children(name)) for name in dag.variables}
        self._place = {name: i for i, name in enumerate(TopologicalSorter(self._parents).static_order())}
        self._number = {name: i for i, name in enumerate(dag.variables)}
        self._fixed_into: dict[str, set[str]] = {name: set() for name in dag.variables}
        """of each variable the parents whose arcs are fixed, as far as is known"""

    def applied(self) -> dict[tuple[str, str], Fixed]:
        found = {}
        for target in self._place:
            for source in sorted(self._parents[target], key=self._place.__getitem__, reverse=True):
                if fixed := self._fixed(source, target):
                    found[source, target] = fixed
                    self._fixed_into[target].add(source)
        return found

    def _fixed(self, source: str, target: str) -> Fixed | None:
        parents, near, fixed_into = self._parents, self._near, self._fixed_into
        if apart := parents[target] - near[source] - {source}:
            return Fixed(RULES[0], self._first(apart))
        if above := fixed_into[source] - near[target]:
            return Fixed(RULES[1], self._first(above))
        if between := {one for one in fixed_into[target] if source in fixed_into[one]}:
            return Fixed(RULES[2], self._first(between))
        for one in sorted(parents[target] & near[source], key=self._number.__getitem__):
            others = (parents[target] & near[source]) - near[one] - {one}
            if one in parents[source]:
                others -= parents[source]
            if others:
                return Fixed(RULES[3], (one, *self._first(others)))
        return None

    def _first(self, names: Iterable[str]) -> tuple[str]:
        return (min(names, key=self._number.__getitem__),)
