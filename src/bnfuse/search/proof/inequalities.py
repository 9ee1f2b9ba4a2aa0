"""Inequalities that hold for every network within the limit, from which proofs of optimality are built.

Each concerns 0-1 variables: whether two variables are joined in the moral graph (an edge), or by an arc. Each contains
everything needed to derive it again, so that a saved proof can be checked without trusting this package.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from bnfuse.errors import OptionError

Pair: TypeAlias = tuple[int, int]
"""An edge, the smaller number first, or an arc."""
Variable: TypeAlias = tuple[Any, ...]
"""("edge", a, b), a < b; ("arc", source, target); ("child", a, b, c): a and b are both parents of c."""


@dataclass(frozen=True, slots=True)
class LinearRow:
    """The sum of variables times coefficients is at most `limit`."""

    terms: tuple[tuple[Variable, int], ...]
    limit: int


@dataclass(frozen=True, slots=True)
class Obstruction:
    """Edges whose graph alone is over the limit: at least one of them must be absent.

    If the graph needs cliques of `excess` members more than the limit, that many edges must be absent: without an edge,
    a graph needs cliques with at most one member less.
    """

    edges: tuple[Pair, ...]
    excess: int = 1

    def row(self, max_clique: int) -> LinearRow:
        """As an inequality."""
        return LinearRow(tuple((("edge", *pair), 1) for pair in self.edges), len(self.edges) - self.excess)


@dataclass(frozen=True, slots=True)
class Minor:
    """A forest of edges that may be contracted, and edges that join different trees of it.

    With k = max_clique - 1 and m trees (including single vertices), m at least k, the graph that remains after
    contracting the whole forest has at most b = k m - k (k + 1) / 2 of the joining edges. Each missing edge of the
    forest allows k more, up to their number.
    """

    joining: tuple[Pair, ...]
    forest: tuple[Pair, ...]
    vertices: int

    def row(self, max_clique: int) -> LinearRow:
        """As an inequality."""
        k = max_clique - 1
        base = k * (self.vertices - len(self.forest)) - k * (k + 1) // 2
        factor = min(k, len(self.joining) - base)
        terms = [(("edge", *pair), 1) for pair in self.joining] + [(("edge", *pair), factor) for pair in self.forest]
        return LinearRow(tuple(terms), base + factor * len(self.forest))


@dataclass(frozen=True, slots=True)
class Rank:
    """Edges of which at most as many can be present as their rank in a rigidity matroid.

    Its rows are those of the rigidity matrix of the points (x, x^2, ..., x^k), k = max_clique - 1, modulo 2^31 - 1,
    with x = 1 for the first variable, 2 for the second, and so on: every graph within the limit is independent there.
    """

    edges: tuple[Pair, ...]
    rank: int

    def row(self, max_clique: int) -> LinearRow:
        """As an inequality."""
        return LinearRow(tuple((("edge", *pair), 1) for pair in self.edges), self.rank)


@dataclass(frozen=True, slots=True)
class Cycle:
    """Arcs that form a directed cycle: at least one of them must be absent."""

    arcs: tuple[Pair, ...]

    def row(self, max_clique: int) -> LinearRow:
        """As an inequality."""
        return LinearRow(tuple((("arc", *arc), 1) for arc in self.arcs), len(self.arcs) - 1)


@dataclass(frozen=True, slots=True)
class Marriage:
    """Two parents of a child are joined in the moral graph; if nothing may join them, one is not a parent."""

    parents: Pair
    child: int
    may_join: bool

    def row(self, max_clique: int) -> LinearRow:
        """As an inequality."""
        both: list[tuple[Variable, int]] = [(("arc", parent, self.child), 1) for parent in self.parents]
        return LinearRow((*both, *([(("edge", *self.parents), -1)] if self.may_join else [])), 1)


Inequality: TypeAlias = Obstruction | Minor | Rank | Cycle | Marriage


def content_of(one: Inequality) -> list[Any]:
    """The inequality for a JSON file."""
    match one:
        case Obstruction():
            return ["obstruction", _flat(one.edges), one.excess]
        case Minor():
            return ["minor", _flat(one.joining), _flat(one.forest), one.vertices]
        case Rank():
            return ["rank", _flat(one.edges), one.rank]
        case Cycle():
            return ["cycle", _flat(one.arcs)]
        case Marriage():
            return ["marriage", list(one.parents), one.child, one.may_join]


def from_content(content: Sequence[Any], variables: int) -> Inequality:
    """The inequality that `content_of` wrote, with numbers below that of the variables."""
    match content:
        case ["obstruction", [*edges], int(excess)]:
            return Obstruction(_pairs(edges, variables), excess)
        case ["minor", [*joining], [*forest], int(vertices)]:
            return Minor(_pairs(joining, variables), _pairs(forest, variables), vertices)
        case ["rank", [*edges], int(rank)]:
            return Rank(_pairs(edges, variables), rank)
        case ["cycle", [*arcs]]:
            return Cycle(_pairs(arcs, variables))
        case ["marriage", [_, _] as parents, int(child), bool(may_join)] if 0 <= child < variables:
            return Marriage(_pairs(parents, variables)[0], child, may_join)
    raise OptionError(f"expected an inequality, got {content!s:.60}")


def _flat(pairs: Iterable[Pair]) -> list[int]:
    return [number for pair in pairs for number in pair]


def _pairs(numbers: Sequence[int], variables: int) -> tuple[Pair, ...]:
    if len(numbers) % 2 or not all(isinstance(one, int) and 0 <= one < variables for one in numbers):
        raise OptionError("an inequality names a missing variable")
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))
