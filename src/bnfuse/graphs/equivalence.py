"""Which arcs of a network say something by their direction, and what fixes it: its Markov equivalence class.

Networks with the same skeleton and the same v-structures imply the same independences, and no data can tell them apart.
Source: Meek, Causal Inference and Causal Explanation with Background Knowledge, UAI 1995. His rules 1 to 3 find every
arc that the v-structures fix. In a DAG whose directions are known, what a rule starts from lies before the arc, so that
each arc is looked at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from graphlib import TopologicalSorter

from bnfuse.graphs.dag import DAG

CHAINED = "new v-structure"
RULES = ("v-structure", CHAINED, "cycle", "cycle or new v-structure")


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
    v_structure: tuple[str, str, str] | None
    """the v-structure that fixes it, or that fixes the first of the arcs that fix each other on to this one: a parent,
    the child, the other parent; None where it takes more than one of them"""


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
    Fixed(rule='new v-structure', others=('A',), v_structure=('A', 'C', 'B'))
    """
    return _Rules(dag).applied()


class _Rules:
    def __init__(self, dag: DAG) -> None:
        self._parents = {name: set(dag.parents(name)) for name in dag.variables}
        self._near = {name: self._parents[name].union(dag.children(name)) for name in dag.variables}
        self._place = {name: i for i, name in enumerate(TopologicalSorter(self._parents).static_order())}
        self._number = {name: i for i, name in enumerate(dag.variables)}
        self._fixed_into: dict[str, dict[str, Fixed]] = {name: {} for name in dag.variables}
        """of each variable the parents whose arcs are fixed, as far as is known"""

    def applied(self) -> dict[tuple[str, str], Fixed]:
        for target in self._place:
            for source in sorted(self._parents[target], key=self._place.__getitem__, reverse=True):
                if fixed := self._fixed(source, target):
                    self._fixed_into[target][source] = fixed
        return {(source, target): fixed for target, own in self._fixed_into.items() for source, fixed in own.items()}

    def _fixed(self, source: str, target: str) -> Fixed | None:
        parents, near, fixed_into = self._parents, self._near, self._fixed_into
        if apart := parents[target] - near[source] - {source}:
            other = self._first(apart)
            return Fixed(RULES[0], (other,), (source, target, other))
        if above := fixed_into[source].keys() - near[target]:
            traced = {one for one in above if fixed_into[source][one].v_structure}
            other = self._first(traced or above)
            return Fixed(CHAINED, (other,), fixed_into[source][other].v_structure)
        if between := {one for one in fixed_into[target] if source in fixed_into[one]}:
            return Fixed(RULES[2], (self._first(between),), None)
        for one in sorted(parents[target] & near[source], key=self._number.__getitem__):
            others = (parents[target] & near[source]) - near[one] - {one}
            if one in parents[source]:
                others -= parents[source]
            if others:
                other = self._first(others)
                return Fixed(RULES[3], (one, other), (one, target, other))
        return None

    def _first(self, names: set[str]) -> str:
        return min(names, key=self._number.__getitem__)
