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
from itertools import pairwise
from random import Random

import numpy as np

from bnfuse import _kernel
from bnfuse._base.options import at_least, one_of
from bnfuse.fusion.cliques import clique_size
from bnfuse.graphs.dag import DAG


@dataclass(frozen=True, slots=True)
class ArcLimits:
    """The largest numbers of parents, children and arcs after an addition or reversal. A base may already have more."""

    parents: int = 3
    children: int = 4
    arcs: int | None = None
    first_count: int | None = None
    """the number from which arcs are counted, whatever a base has; None means its own number"""
    clique: int | None = None
    """nothing is added once the largest clique, by maximum cardinality search, has reached this size"""

    @classmethod
    def of_paper(cls, variables: int) -> ArcLimits:
        """At most 3 parents, 4 children and 2.5 arcs for each variable."""
        return cls(3, 4, 5 * variables // 2)

    @classmethod
    def around(cls, dag: DAG) -> ArcLimits:
        """One parent and one child more than any variable of a DAG has, 1.1 times its arcs, twice its clique size."""
        parents = max(len(dag.parents(name)) for name in dag.variables)
        children = max(len(dag.children(name)) for name in dag.variables)
        return cls(parents + 1, children + 1, 11 * len(dag.edges) // 10, clique=2 * clique_size(dag, "mcs"))


@dataclass(frozen=True, slots=True)
class Reading:
    """How instances are created, where the paper's text and its public program differ."""

    includes_base: bool = False
    """the base itself is the first input, before the perturbed copies"""
    short_chain: bool = False
    """a synthetic base is n floor(0.75 n) proposals away from X1 -> X2 -> ... -> Xn; otherwise 20 n^2"""
    walks_real_bases: bool = False
    """a real base first makes floor(0.75 n^2) proposals from the published network"""
    own_limits: bool = False
    """a real base and its copies are limited by its own maxima and clique size, unlike synthetic ones"""
    counts_from_chain: bool = False
    """every walk counts its arcs as if it started from a chain, at n - 1, and keeps synthetic cliques below n - 1"""


READINGS = {
    "printed": Reading(),
    "program": Reading(
        includes_base=True, short_chain=True, walks_real_bases=True, own_limits=True, counts_from_chain=True
    ),
}
"""`printed` follows the paper's text and `program` its authors' public program."""


def synthetic_base(variables: int, seed: int, reading: str = "printed") -> DAG:
    """A random connected DAG over X1, X2, ... within the paper's limits."""
    n = at_least("variables", variables, 2)
    rules = _reading(reading)
    names = tuple(f"X{i + 1}" for i in range(n))
    chain = DAG(names, pairwise(names))
    steps = n * (3 * n // 4) if rules.short_chain else 20 * n * n
    return _walked(chain, _limits(chain, rules, real=False), steps, f"base {n} {seed}")


def inputs(base: DAG, count: int, seed: object, reading: str = "printed", real: bool = False) -> list[DAG]:
    """Perturbed copies of a base; `real` if it was not made by `synthetic_base`."""
    rules = _reading(reading)
    n = len(base.variables)
    at_least("the number of variables", n, 2)
    limits = _limits(base, rules, real)
    if real and rules.walks_real_bases:
        base = _walked(base, limits, 3 * n * n // 4, f"walk {seed}")
    first = [base] if rules.includes_base else []
    return first + [_walked(base, limits, 3 * n // 4, f"copy {seed} {i}") for i in range(len(first), count)]


def _limits(base: DAG, rules: Reading, real: bool) -> ArcLimits:
    """The limits for a base and its copies; those of a real base follow from the published network."""
    n = len(base.variables)
    limits = ArcLimits.around(base) if real and rules.own_limits else ArcLimits.of_paper(n)
    if not rules.counts_from_chain:
        return limits
    return replace(limits, first_count=n - 1, clique=limits.clique or n - 1)


def _walked(base: DAG, limits: ArcLimits, proposals: int, seed: str) -> DAG:
    walk = Walk(len(base.variables), base.arc_numbers.tolist(), limits, Random(seed))
    for _ in range(proposals):
        walk.propose()
    return walk.dag(base.variables)


def _reading(name: str) -> Reading:
    return READINGS[one_of("reading", name, READINGS)]


class Walk:
    """A DAG that moves through the chain."""

    def __init__(self, variables: int, arcs: Iterable[Sequence[int]], limits: ArcLimits, random: Random) -> None:
        self._n = variables
        self._limits = limits
        self._random = random
        self._parents = [0] * variables  # as bits
        self._children = [0] * variables
        self._arcs = 0
        self._clique: int | None = None  # as far as is known
        for source, target in arcs:
            self._put(source, target)
        if limits.first_count is not None:
            self._arcs = limits.first_count

    def propose(self) -> bool:
        """One step of the chain; returns whether it changed the DAG."""
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
        """The current DAG."""
        pairs = ((a, b) for a in range(self._n) for b in range(self._n) if self._children[a] >> b & 1)
        return DAG(variables, [(variables[a], variables[b]) for a, b in pairs])

    def _add(self, source: int, target: int) -> bool:
        most = self._limits.arcs
        full = most is not None and self._arcs >= most
        if full or self._reaches(target, source) or not self._has_room(source, target):
            return False
        self._put(source, target)
        return True

    def _has_room(self, source: int, target: int) -> bool:
        return (
            self._parents[target].bit_count() < self._limits.parents
            and self._children[source].bit_count() < self._limits.children
            and (self._limits.clique is None or self._largest_clique() < self._limits.clique)
        )

    def _largest_clique(self) -> int:
        if self._clique is None:
            size = 8 * -(-self._n // 64)
            rows = np.frombuffer(b"".join(row.to_bytes(size, "little") for row in self._parents), "<u8")
            self._clique = _kernel.triangulate(rows.reshape(self._n, -1).astype(np.uint64), "mcs", 0)[1]
        return self._clique

    def _put(self, source: int, target: int) -> None:
        self._children[source] |= 1 << target
        self._parents[target] |= 1 << source
        self._arcs += 1
        self._clique = None

    def _take(self, source: int, target: int) -> None:
        self._children[source] &= ~(1 << target)
        self._parents[target] &= ~(1 << source)
        self._arcs -= 1
        self._clique = None

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
