"""Instances of the study: a base DAG, and inputs that are perturbed copies of it.

Synthetic bases come from the Markov chain of Melançon and Philippe ("Generating connected acyclic digraphs uniformly at
random", 2004): propose an ordered pair of variables; add the arc if it is absent and closes no cycle; remove it if it
is there, or reverse it where removal would disconnect the graph. Moves are symmetric, so the chain's limit is uniform
over the connected DAGs; limits on parents, children and arcs refuse additions and reversals, which keeps the symmetry.
The same moves perturb a base.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random

from bnfuse._options import at_least, one_of
from bnfuse.dag import DAG


@dataclass(frozen=True, slots=True)
class ArcLimits:
    """The most parents, children and arcs that an addition or reversal may lead to. A base may already have more."""

    parents: int = 3
    children: int = 4
    arcs: int | None = None

    @classmethod
    def of_paper(cls, variables: int) -> ArcLimits:
        """At most 3 parents, 4 children and 2.5 arcs for each variable."""
        return cls(3, 4, 5 * variables // 2)

    @classmethod
    def around(cls, dag: DAG) -> ArcLimits:
        """One parent and one child more than any variable of a DAG has, and 1.1 times its arcs."""
        parents = max(len(dag.parents(name)) for name in dag.variables)
        children = max(len(dag.children(name)) for name in dag.variables)
        return cls(parents + 1, children + 1, 11 * len(dag.edges) // 10)


@dataclass(frozen=True, slots=True)
class Reading:
    """How instances are made, where the paper's text and its public program differ."""

    includes_base: bool = False
    """the base itself is the first input, before the perturbed copies"""
    counts_changes: bool = False
    """the floor(0.75 n) steps of a copy are changes; otherwise proposals, of which the refused ones count too"""
    short_chain: bool = False
    """a synthetic base is n floor(0.75 n) proposals away from X1 -> X2 -> ... -> Xn; otherwise 20 n^2"""
    walked: bool = False
    """a real base is first walked floor(0.75 n^2) proposals away from the published one"""
    own_limits: bool = False
    """copies of a real base are limited by its own maxima, not by those of synthetic ones, and in arcs not at all"""


READINGS = {
    "printed": Reading(),
    "changes": Reading(counts_changes=True),
    "program": Reading(includes_base=True, short_chain=True, walked=True, own_limits=True),
}
"""`printed` follows the paper's text and `program` its authors' public program; `changes` is the text, but only what
changes an arc counts as a step of a perturbation."""


def synthetic_base(variables: int, seed: int, reading: str = "printed") -> DAG:
    """A random connected DAG over X1, X2, ... within the paper's limits."""
    n = at_least("variables", variables, 2)
    names = tuple(f"X{i + 1}" for i in range(n))
    walk = Walk(n, [(i, i + 1) for i in range(n - 1)], ArcLimits.of_paper(n), Random(f"base {n} {seed}"))
    steps = n * (3 * n // 4) if _reading(reading).short_chain else 20 * n * n
    for _ in range(steps):
        walk.propose()
    return walk.dag(names)


def inputs(base: DAG, count: int, seed: object, reading: str = "printed", real: bool = False) -> list[DAG]:
    """Perturbed copies of a base; `real`: it was not made by `synthetic_base`."""
    rules = _reading(reading)
    n = len(base.variables)
    at_least("the number of variables", n, 2)
    limits = ArcLimits.around(base) if real and rules.own_limits else ArcLimits.of_paper(n)
    if real and rules.walked:
        walk = Walk(n, base.arc_numbers.tolist(), limits, Random(f"walk {seed}"))
        for _ in range(3 * n * n // 4):
            walk.propose()
        base = walk.dag(base.variables)
    if real and rules.own_limits:
        limits = replace(limits, arcs=None)
    first = [base] if rules.includes_base else []
    return first + [_perturbed(base, limits, rules, f"copy {seed} {i}") for i in range(len(first), count)]


def _perturbed(base: DAG, limits: ArcLimits, rules: Reading, seed: str) -> DAG:
    n = len(base.variables)
    walk = Walk(n, base.arc_numbers.tolist(), limits, Random(seed))
    left = 3 * n // 4
    while left:
        left -= walk.propose() or not rules.counts_changes
    return walk.dag(base.variables)


def _reading(name: str) -> Reading:
    return READINGS[one_of("reading", name, READINGS)]


class Walk:
    """A DAG on its way through the chain."""

    def __init__(self, variables: int, arcs: Iterable[Sequence[int]], limits: ArcLimits, random: Random) -> None:
        self._n = variables
        self._limits = limits
        self._random = random
        self._parents = [0] * variables  # as bits
        self._children = [0] * variables
        self._arcs = 0
        for source, target in arcs:
            self._put(source, target)

    def propose(self) -> bool:
        """One step of the chain; says whether it changed the DAG."""
        source = self._random.randrange(self._n)
        target = self._random.randrange(self._n - 1)
        target += target >= source
        if not self._children[source] >> target & 1:
            return self._add(source, target)
        self._take(source, target)
        if self._is_joined(source, target):
            return True
        if self._has_room(target, source):  # the arc was the only link: reversing it closes no cycle
            self._put(target, source)
            return True
        self._put(source, target)
        return False

    def dag(self, variables: tuple[str, ...]) -> DAG:
        """Where it is now."""
        pairs = ((a, b) for a in range(self._n) for b in range(self._n) if self._children[a] >> b & 1)
        return DAG(variables, [(variables[a], variables[b]) for a, b in pairs])

    def _add(self, source: int, target: int) -> bool:
        most = self._limits.arcs
        full = most is not None and self._arcs >= most
        if full or not self._has_room(source, target) or self._reaches(target, source):
            return False
        self._put(source, target)
        return True

    def _has_room(self, source: int, target: int) -> bool:
        return (
            self._parents[target].bit_count() < self._limits.parents
            and self._children[source].bit_count() < self._limits.children
        )

    def _put(self, source: int, target: int) -> None:
        self._children[source] |= 1 << target
        self._parents[target] |= 1 << source
        self._arcs += 1

    def _take(self, source: int, target: int) -> None:
        self._children[source] &= ~(1 << target)
        self._parents[target] &= ~(1 << source)
        self._arcs -= 1

    def _reaches(self, start: int, goal: int) -> bool:
        return _spreads(self._children, start, goal)

    def _is_joined(self, one: int, other: int) -> bool:
        return _spreads([a | b for a, b in zip(self._children, self._parents, strict=True)], one, other)


def _spreads(neighbours: list[int], start: int, goal: int) -> bool:
    """Whether a path leads from one variable to another."""
    seen = new = 1 << start
    while new:
        around = 0
        while new:
            lowest = new & -new
            around |= neighbours[lowest.bit_length() - 1]
            new ^= lowest
        if around >> goal & 1:
            return True
        new = around & ~seen
        seen |= new
    return False
