"""Seeded DAGs to measure on: sparse bases, and copies of them that differ in 0.75 n arcs."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from bnfuse import DAG


@dataclass(frozen=True)
class ArcLimits:
    """The most parents and children that an added arc may lead to; a base may have more."""

    parents: int = 3
    children: int = 4


class Draft:
    """A DAG while arcs come and go."""

    def __init__(self, n: int, arcs: list[tuple[int, int]], limits: ArcLimits) -> None:
        self.arcs = list(arcs)
        self._limits = limits
        self._children: list[set[int]] = [set() for _ in range(n)]
        self._parents: list[set[int]] = [set() for _ in range(n)]
        for source, target in arcs:
            self._children[source].add(target)
            self._parents[target].add(source)

    def add(self, source: int, target: int) -> bool:
        """Adds an arc if the limits allow it and no cycle comes of it; says whether it did."""
        if (
            source == target
            or len(self._parents[target]) >= self._limits.parents
            or len(self._children[source]) >= self._limits.children
            or target in self._children[source]
            or self._reaches(target, source)
        ):
            return False
        self._children[source].add(target)
        self._parents[target].add(source)
        self.arcs.append((source, target))
        return True

    def remove(self, index: int) -> None:
        """Removes the arc at this place in `arcs`."""
        source, target = self.arcs[index]
        self.arcs[index] = self.arcs[-1]
        self.arcs.pop()
        self._children[source].remove(target)
        self._parents[target].remove(source)

    def _reaches(self, start: int, goal: int) -> bool:
        seen, stack = {start}, [start]
        while stack:
            below = self._children[stack.pop()]
            if goal in below:
                return True
            stack.extend(below - seen)
            seen |= below
        return False


def sparse_dag(n: int, seed: int, arcs_per_variable: float = 1.5) -> DAG:
    """Random arcs between any two variables, at most 3 parents and 4 children each."""
    random = Random(seed)
    draft = Draft(n, [], ArcLimits())
    wanted = min(int(arcs_per_variable * n), n * (n - 1) // 4)
    while len(draft.arcs) < wanted:
        draft.add(random.randrange(n), random.randrange(n))
    return _dag(n, draft)


def munin_like_dag(seed: int, n: int = 1041, arcs: int = 1400, span: int = 20, local: float = 0.95) -> DAG:
    """The shape of a large medical network: most arcs join variables fewer than `span` places apart."""
    random = Random(seed)
    draft = Draft(n, [], ArcLimits())
    while len(draft.arcs) < arcs:
        source = random.randrange(n)
        distance = random.randrange(1, span if random.random() < local else n)
        if source + distance < n:
            draft.add(source, source + distance)
    return _dag(n, draft)


def perturbed(base: DAG, copies: int, seed: int) -> list[DAG]:
    """Copies of a DAG, each with floor(0.75 n) arcs added between any two variables or removed, by a coin."""
    n = len(base.variables)
    arcs = [(source, target) for source, target in base.arc_numbers.tolist()]
    result = []
    for copy in range(copies):
        random = Random(f"{seed}/{copy}")
        draft = Draft(n, arcs, ArcLimits())
        changes = 0
        while changes < 3 * n // 4:
            if draft.arcs and random.random() < 0.5:
                draft.remove(random.randrange(len(draft.arcs)))
                changes += 1
            else:
                changes += draft.add(random.randrange(n), random.randrange(n))
        result.append(_dag(n, draft))
    return result


def _dag(n: int, draft: Draft) -> DAG:
    names = [f"X{i + 1}" for i in range(n)]
    return DAG(names, ((names[source], names[target]) for source, target in draft.arcs))
