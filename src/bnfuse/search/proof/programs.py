"""Consensus as integer programs: over the edges of the moral graph alone, and over arcs, which is exact.

The first is small, and its optimum bounds that of every network: moral graphs within the limit are graphs within the
limit. The second is exact. Both leave out the inequalities that the kernel's `Separation` finds when they are broken.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

from bnfuse import _kernel
from bnfuse.problem.problem import Problem
from bnfuse.search.chains import most_parents, useful_arcs
from bnfuse.search.proof.branch_and_cut import Choice, Rows, Terms
from bnfuse.search.proof.inequalities import (
    Cycle,
    Inequality,
    LinearRow,
    Marriage,
    Minor,
    Obstruction,
    Pair,
    Rank,
    Variable,
)
from bnfuse.search.run import Clock

_ROOT_TRIES, _TRIES = 8, 2
_FIRST_RANKS, _RANKS = 64, 2
_EXCESSES, _STATES, _MOST_STATES, _SELDOM, _MOST_LEVELS = 2, 500, 20_000, 8, 6
_SHARE = 0.3
_MARGIN = 1e-4
_MOST_MARRIAGES = 3_000
"""The most inequalities that are there from the start; further ones are added when they are broken."""


def clique_limit(problem: Problem) -> int:
    """The most members of a clique: at most the number of variables."""
    return min(problem.max_clique, len(problem.variables))


class EdgeLimit:
    """The effect of the limit on cliques, and on their tables, on the edges of a graph; limited once the time is up."""

    def __init__(self, problem: Problem, pairs: Sequence[Pair], weights: Sequence[int], clock: Clock) -> None:
        edges = np.array(pairs, np.int32).reshape(-1, 2)
        self._pairs, self._weights = pairs, np.array(weights, np.float64)
        limits = {"limit": clique_limit(problem), **problem.kernel_tables}
        self._kernel = _kernel.Separation(len(problem.variables), edges, **limits)
        self._clock = clock
        self._seed = 0
        self._mean = np.ones(
            len(pairs)
        )  # of the solutions at the root: inequalities that the mean breaks cut deeper than those that a corner breaks

    def first(self) -> Iterator[Inequality]:
        """The inequalities known before any choice: these alone give about the bound that every result has."""
        yield from self._ranks(self._weights, np.ones(len(self._pairs)), _FIRST_RANKS)
        weights = self._weights.astype(np.int64)
        rounds = _kernel.most_rounds(len(weights))
        yield from self._minors(self._kernel.bounding_minors(weights, rounds, self._clock.left))
        levels = np.unique(self._weights)
        for least in levels[:: -(-len(levels) // _MOST_LEVELS) or 1]:
            yield from self._excesses(np.where(self._weights >= least, 1.0, 0.0), 1, _MOST_STATES)

    def broken(self, choice: Choice, is_whole: bool, is_root: bool) -> list[Inequality]:
        """Inequalities that a choice of edges breaks."""
        self._seed += 1
        kernel, tries = self._kernel, _ROOT_TRIES if is_root else _TRIES
        points = [choice]
        if is_root:
            self._mean += _SHARE * (choice - self._mean)
            points.append(self._mean)
        found: list[Inequality] = []
        for wish in (*points, self._weights):
            found += self._ranks(wish, choice, _RANKS)
        for point in points:
            found += self._minors(kernel.minors(point, tries // len(points), self._seed, self._clock.left))
        more = _ROOT_TRIES if is_whole else _TRIES
        for edges in kernel.obstructions(choice, more, self._seed, self._clock.left):
            found.append(Obstruction(self._named(edges)))
        if is_root or not found:  # they take longest
            is_deep = is_root and self._seed % _SELDOM == 0
            found += self._excesses(choice, _EXCESSES, _MOST_STATES if is_deep else _STATES)
        return found

    def _ranks(self, wish: Choice, choice: Choice, most: int) -> Iterator[Inequality]:
        for edges, rank in self._kernel.ranks(wish, choice, most, self._clock.left):
            yield Rank(self._named(edges), rank)

    def _minors(self, minors: Iterable[tuple[list[int], list[int], int]]) -> Iterator[Inequality]:
        for joining, forest, vertices in minors:
            yield Minor(self._named(joining), self._named(forest), vertices)

    def _excesses(self, choice: Choice, most: int, states: int) -> Iterator[Inequality]:
        for edges, excess in self._kernel.excesses(choice, most, states, self._clock.left):
            yield Obstruction(self._named(edges), excess)

    def allows(self, choice: Choice) -> bool:
        """Whether the graph of the chosen edges is within the limit, as far as the time allows."""
        return self._kernel.fits(np.flatnonzero(choice > 0.5).tolist(), self._clock.left)

    def _named(self, edges: Iterable[int]) -> tuple[Pair, ...]:
        return tuple(self._pairs[i] for i in edges)


class EdgeProgram:
    """The heaviest graph within the limit among edges of positive weight."""

    fixed: Sequence[int] = ()
    is_downward = True

    def __init__(self, problem: Problem, weights: Mapping[Pair, int], clock: Clock) -> None:
        self.pairs = tuple(weights)
        self.weights: Sequence[int] = tuple(weights.values())
        self._limit = EdgeLimit(problem, self.pairs, self.weights, clock)
        self._max_clique = clique_limit(problem)
        self._number: dict[Variable, int] = {("edge", *pair): i for i, pair in enumerate(self.pairs)}
        self.known: dict[Inequality, None] = dict.fromkeys(self._limit.first())
        self.rows: Rows = [_numbered(one.row(self._max_clique), self._number) for one in self.known]

    def broken(self, choice: Choice, is_whole: bool, is_root: bool) -> Rows:
        """Inequalities that a choice breaks."""
        rows = []
        for one in self._limit.broken(choice, is_whole, is_root):
            row = _numbered(one.row(self._max_clique), self._number)
            if _is_broken(row, choice):
                self.known[one] = None
                rows.append(row)
        return rows

    def allows(self, choice: Choice) -> bool:
        """Whether a complete choice is within the limit."""
        return self._limit.allows(choice)


class ArcProgram:
    """The best network itself: arcs, the resulting moral edges, and the children that join two variables."""

    is_downward = False

    def __init__(
        self,
        problem: Problem,
        clock: Clock,
        known: Iterable[Inequality] = (),
        heaviest: Iterable[tuple[Mapping[Pair, int], int]] = (),
    ) -> None:
        """`known` are inequalities; `heaviest` are sums of weighted edges, with their upper bounds."""
        self._problem = problem
        self._max_clique = clique_limit(problem)
        self.arcs: tuple[Pair, ...] = tuple((a, b) for a, b in np.argwhere(useful_arcs(problem)).tolist())
        self.pairs = tuple(sorted(_joinable(self.arcs, most_parents(problem), problem.fitting_pairs)))
        self._limit = EdgeLimit(problem, self.pairs, [int(problem.gain[pair]) for pair in self.pairs], clock)
        names: list[Variable] = [("edge", *pair) for pair in self.pairs] + [("arc", *arc) for arc in self.arcs]
        children = _children(self.arcs)
        gain = problem.gain
        self._wanted = [] if problem.counts_arcs else [pair for pair in self.pairs if gain[pair] > 0]
        names += [("child", a, b, c) for a, b in self._wanted for c in sorted(children[a] & children[b])]
        self._number = {name: i for i, name in enumerate(names)}
        kind = "arc" if problem.counts_arcs else "edge"
        self.weights: Sequence[int] = tuple(int(gain[name[1], name[2]]) if name[0] == kind else 0 for name in names)
        index = {name: i for i, name in enumerate(problem.variables)}
        self.fixed: Sequence[int] = [self._number["arc", index[a], index[b]] for a, b in problem.constraints.required]
        self._marriages = list(_marriages(self.arcs, frozenset(self.pairs)))
        self._lazy = len(self._marriages) > _MOST_MARRIAGES
        sums = (
            LinearRow(tuple((("edge", *pair), w) for pair, w in weights.items()), most) for weights, most in heaviest
        )
        self.rows: Rows = [_numbered(row, self._number) for row in (*self.first_rows(), *sums)]
        self._before = {one: _numbered(one.row(self._max_clique), self._number) for one in known}
        self.known: dict[Inequality, None] = {}

    def first_rows(self) -> Iterator[LinearRow]:
        """The effect of an arc and of a common child, and the number of parents."""
        arcs = frozenset(self.arcs)
        for a, b in self.pairs:
            either: list[Variable] = [("arc", *arc) for arc in ((a, b), (b, a)) if arc in arcs]
            if either:
                yield LinearRow((*((one, 1) for one in either), (("edge", a, b), -1)), 0)
        children = _children(self.arcs)
        for a, b in self._wanted:
            either = [("arc", *arc) for arc in ((a, b), (b, a)) if arc in arcs]
            common: list[Variable] = [("child", a, b, c) for c in sorted(children[a] & children[b])]
            yield LinearRow(((("edge", a, b), 1), *((one, -1) for one in (*either, *common))), 0)
            for one in common:
                for parent in (a, b):
                    yield LinearRow(((one, 1), (("arc", parent, one[3]), -1)), 0)
        most = most_parents(self._problem)
        yield from self._other_parents(most - 1)
        for c in range(len(self._problem.variables)):
            parents: list[Variable] = [("arc", *arc) for arc in self.arcs if arc[1] == c]
            if len(parents) > most:
                yield LinearRow(tuple((one, 1) for one in parents), most)
        if not self._lazy:
            yield from (one.row(self._max_clique) for one in self._marriages)

    def _other_parents(self, most: int) -> Iterator[LinearRow]:
        """A parent of a child is joined there to at most as many others as the child may have."""
        married: dict[Pair, list[Variable]] = {}
        for name in self._number:
            if name[0] == "child":
                for parent in name[1:3]:
                    married.setdefault((parent, name[3]), []).append(name)
        for arc, those in married.items():
            if len(those) > most:
                yield LinearRow((*((one, 1) for one in those), (("arc", *arc), -most)), 0)

    def broken(self, choice: Choice, is_whole: bool, is_root: bool) -> Rows:
        """Inequalities that a choice breaks."""
        found: dict[Inequality, tuple[Terms, int]] = {}
        for one, row in self._before.items():
            if _is_broken(row, choice):
                found[one] = row
        if self._lazy:
            for marriage in self._broken_marriages(choice):
                found[marriage] = _numbered(marriage.row(self._max_clique), self._number)
        for cycle in _broken_cycles(self.arcs, choice[len(self.pairs) : len(self.pairs) + len(self.arcs)]):
            found[cycle] = _numbered(cycle.row(self._max_clique), self._number)
        if not found or is_whole:
            for cut in self._limit.broken(choice[: len(self.pairs)], is_whole, is_root):
                found[cut] = _numbered(cut.row(self._max_clique), self._number)
        kept = {one: row for one, row in found.items() if _is_broken(row, choice)}
        self.known.update(dict.fromkeys(kept))
        return list(kept.values())

    def allows(self, choice: Choice) -> bool:
        """Whether a complete choice is a DAG, with all its moral edges, within the limit."""
        arcs = choice[len(self.pairs) : len(self.pairs) + len(self.arcs)]
        if next(_broken_cycles(self.arcs, arcs), None) is not None:
            return False
        if self._lazy and next(self._broken_marriages(choice), None) is not None:
            return False
        return self._limit.allows(choice[: len(self.pairs)])

    def chosen_arcs(self, choice: Choice) -> list[Pair]:
        """The arcs of a complete choice."""
        values = choice[len(self.pairs) :]
        return [arc for arc, value in zip(self.arcs, values, strict=False) if value > 0.5]

    def _broken_marriages(self, choice: Choice) -> Iterator[Marriage]:
        n = len(self._problem.variables)
        edge, arc = np.zeros((n, n)), np.zeros((n, n))
        for (a, b), value in zip(self.pairs, choice, strict=False):
            edge[a, b] = value
        for (a, b), value in zip(self.arcs, choice[len(self.pairs) :], strict=False):
            arc[a, b] = value
        joinable = frozenset(self.pairs)
        for c in np.flatnonzero(arc.sum(axis=0) > 1 + _MARGIN):
            both = np.triu(arc[:, c, None] + arc[None, :, c] - edge, 1)
            for a, b in np.argwhere(both > 1 + _MARGIN).tolist():
                yield Marriage((a, b), int(c), (a, b) in joinable)


def _numbered(row: LinearRow, number: Mapping[Variable, int]) -> tuple[Terms, int]:
    """The inequality in numbers of variables; missing variables are 0."""
    return {number[one]: factor for one, factor in row.terms if one in number}, row.limit


def _is_broken(row: tuple[Terms, int], choice: Choice) -> bool:
    terms, limit = row
    return bool(sum(factor * choice[i] for i, factor in terms.items()) > limit + _MARGIN)


def _children(arcs: Iterable[Pair]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {v: set() for arc in arcs for v in arc}
    for a, b in arcs:
        found[a].add(b)
    return found


def _joinable(arcs: Sequence[Pair], parents: int, fitting: npt.NDArray[np.bool_]) -> set[Pair]:
    """The pairs that an arc or a common child may join."""
    pairs = {(min(arc), max(arc)) for arc in arcs}
    if parents > 1:
        children = _children(arcs)
        pairs |= {(a, b) for a, b in combinations(sorted(children), 2) if children[a] & children[b]}
    return {pair for pair in pairs if fitting[pair]}


def _marriages(arcs: Sequence[Pair], joinable: frozenset[Pair]) -> Iterator[Marriage]:
    parents: dict[int, list[int]] = {}
    for a, c in arcs:
        parents.setdefault(c, []).append(a)
    for c, those in parents.items():
        for a, b in combinations(sorted(those), 2):
            yield Marriage((a, b), c, (a, b) in joinable)


def _broken_cycles(arcs: Sequence[Pair], values: npt.NDArray[np.float64]) -> Iterator[Cycle]:
    """For each arc, the cycle through it that a choice breaks most, if it breaks one: by shortest paths."""
    after: dict[int, list[tuple[int, float]]] = {}
    for (a, b), value in zip(arcs, values.tolist(), strict=True):
        if value > _MARGIN:
            after.setdefault(a, []).append((b, max(1.0 - value, 0.0)))
    seen: set[frozenset[Pair]] = set()
    for (a, b), value in zip(arcs, values.tolist(), strict=True):
        if value <= _MARGIN or b not in after:
            continue
        path = _shortest(after, b, a, value - _MARGIN)
        if path is None:
            continue
        cycle = ((a, b), *path)
        if frozenset(cycle) not in seen:
            seen.add(frozenset(cycle))
            yield Cycle(cycle)


def _shortest(
    after: Mapping[int, Sequence[tuple[int, float]]], start: int, end: int, below: float
) -> tuple[Pair, ...] | None:
    """The arcs of a shortest path, if it is shorter than the given length."""
    queue, done, came = [(0.0, start, start)], set(), {}
    while queue:
        length, v, before = heapq.heappop(queue)
        if v in done:
            continue
        done.add(v)
        came[v] = before
        if v == end:
            path = []
            while v != start:
                path.append((came[v], v))
                v = came[v]
            return tuple(reversed(path))
        for u, step in after.get(v, ()):
            if u not in done and length + step < below:
                heapq.heappush(queue, (length + step, u, v))
    return None
