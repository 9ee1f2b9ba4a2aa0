"""The arcs of a network whose direction matters, and the reason why: its Markov equivalence class.

Networks with the same skeleton and the same v-structures imply the same independences, and no data can distinguish
them. Source: Meek, Causal Inference and Causal Explanation with Background Knowledge, UAI 1995. His rules 1 to 3 find
every arc that the v-structures fix. In a DAG whose directions are known, the premises of a rule come before the arc, so
that each arc is examined once. Sets of variables are whole numbers, one bit each, so that the networks of many
resamples can be examined as they arrive.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bnfuse.graphs.dag import DAG, parent_sets

CHAINED = "new v-structure"
RULES = ("v-structure", CHAINED, "cycle", "cycle or new v-structure")


@dataclass(frozen=True, slots=True)
class Fixed:
    """Why all networks of a class have an arc S -> T in the same direction."""

    rule: str
    """`v-structure`: S -> T <- A, and S and A are not joined.
    `new v-structure`: A -> S is fixed, and if S -> T were reversed, A -> S <- T would be a v-structure.
    `cycle`: S -> A and A -> T are fixed, and if S -> T were reversed, the three would be a cycle.
    `cycle or new v-structure`: A -> T <- B is a v-structure, and if S -> T were
    reversed, A -> S <- B would have to be one too."""
    others: tuple[str, ...]
    """A, or A and B"""
    v_structure: tuple[str, str, str] | None
    """the v-structure that fixes it, directly or through other arcs: parent, child, other parent; None if several do"""


def reversible_arcs(dag: DAG) -> tuple[tuple[str, str], ...]:
    """The arcs that other networks of the same Markov equivalence class have reversed.

    >>> reversible_arcs(DAG(list("ABCD"), [("A", "C"), ("B", "C")]))
    ()
    >>> reversible_arcs(DAG(list("ABC"), [("A", "B"), ("B", "C")]))
    (('A', 'B'), ('B', 'C'))
    """
    fixed = set(fixed_pairs(dag))
    numbers = map(tuple, dag.arc_numbers.tolist())
    return tuple(arc for arc, pair in zip(dag.edges, numbers, strict=True) if pair not in fixed)


def fixed_pairs(dag: DAG) -> list[tuple[int, int]]:
    """The arcs that all networks of the class have in this direction, by number.

    >>> fixed_pairs(DAG(list("ABCD"), [("A", "C"), ("B", "C"), ("C", "D")]))
    [(0, 2), (1, 2), (2, 3)]
    """
    fixed_into = _Rules(dag).fixed_into
    return [(source, target) for target, sources in enumerate(fixed_into) for source in _members(sources)]


def fixed_arcs(dag: DAG) -> dict[tuple[str, str], Fixed]:
    """The arcs that all networks of the class have in this direction, and the reasons.

    >>> fixed_arcs(DAG(list("ABCD"), [("A", "C"), ("B", "C"), ("C", "D")]))["C", "D"]
    Fixed(rule='new v-structure', others=('A',), v_structure=('A', 'C', 'B'))
    """
    return _Rules(dag).explained(dag.variables)


class _Rules:
    """Meek's rules on a DAG; a set of variables is a whole number, with a bit for each member."""

    def __init__(self, dag: DAG) -> None:
        self._parents = parent_sets(dag)
        numbers = range(len(self._parents))
        self._children = [0] * len(numbers)
        for target in numbers:
            for source in _members(self._parents[target]):
                self._children[source] |= 1 << target
        self._near = [above | below for above, below in zip(self._parents, self._children, strict=True)]
        self.fixed_into = [0] * len(numbers)
        """for each variable, the parents whose arcs are fixed"""
        self._fixed_from = [0] * len(numbers)
        """for each variable, the children whose arcs are fixed"""
        self._order = self._topological()
        self._apply()

    def _topological(self) -> list[int]:
        waiting = [parents.bit_count() for parents in self._parents]
        order = [variable for variable, number in enumerate(waiting) if not number]
        for variable in order:  # which grows during the loop
            for child in _members(self._children[variable]):
                waiting[child] -= 1
                if not waiting[child]:
                    order.append(child)
        return order

    def _apply(self) -> None:
        place = [0] * len(self._order)
        for i, variable in enumerate(self._order):
            place[variable] = i
        for target in self._order:
            for source in sorted(_members(self._parents[target]), key=place.__getitem__, reverse=True):
                if self._rule(source, target) is not None:
                    self.fixed_into[target] |= 1 << source
                    self._fixed_from[source] |= 1 << target

    def _rule(self, source: int, target: int) -> tuple[int, int, int] | None:
        """The rule that fixes an arc, and the variables of which each one, or all together, make it apply."""
        near, around = self._near, self._parents[target]
        if apart := around & ~near[source] & ~(1 << source):
            return 0, apart, 0
        if above := self.fixed_into[source] & ~near[target]:
            return 1, above, 0
        if between := self.fixed_into[target] & self._fixed_from[source]:
            return 2, between, 0
        common = around & near[source]
        for one in _members(common):
            others = common & ~near[one] & ~(1 << one)
            if self._parents[source] >> one & 1:
                others &= ~self._parents[source]
            if others:
                return 3, 1 << one, others
        return None

    def explained(self, names: tuple[str, ...]) -> dict[tuple[str, str], Fixed]:
        """The fixed arcs, and the reasons."""
        found: dict[tuple[int, int], Fixed] = {}
        for target in self._order:
            for source in _members(self.fixed_into[target]):
                found[source, target] = self._explained(source, target, names, found)
        pairs = [(source, target) for target, into in enumerate(self.fixed_into) for source in _members(into)]
        return {(names[source], names[target]): found[source, target] for source, target in pairs}

    def _explained(
        self, source: int, target: int, names: tuple[str, ...], before: dict[tuple[int, int], Fixed]
    ) -> Fixed:
        applied = self._rule(source, target)
        assert applied is not None
        rule, ones, others = applied
        if rule == 1:
            above = list(_members(ones))
            one = next((one for one in above if before[one, source].v_structure), above[0])
            return Fixed(CHAINED, (names[one],), before[one, source].v_structure)
        first = names[_first(ones)]
        if rule == 3:
            second = names[_first(others)]
            return Fixed(RULES[3], (first, second), (first, names[target], second))
        return Fixed(RULES[rule], (first,), (names[source], names[target], first) if rule == 0 else None)


def _members(variables: int) -> Iterator[int]:
    """The names in a set, in the order of the variables."""
    while variables:
        lowest = variables & -variables
        yield lowest.bit_length() - 1
        variables ^= lowest


def _first(variables: int) -> int:
    return next(_members(variables))
