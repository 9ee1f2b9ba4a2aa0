"""Checks a saved proof, and solves small consensus problems anew: networkx, numpy and scipy, nothing of the package.

    python tests/proof_checker.py RESULT.json

Every inequality is derived again from what it carries; then the integer program that they make is solved by another
solver (HiGHS), and must not find anything closer than the bound. For input networks with the same variables.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
from scipy import sparse
from scipy.optimize import Bounds, LinearConstraint, milp

Pair = tuple[int, int]
Name = tuple[Any, ...]
Row = tuple[dict[Name, int], int]
"""Coefficients by variable, and what their sum is at most."""
PRIME = 2**31 - 1


class WrongProofError(AssertionError):
    """An inequality, or the bound, that does not follow."""


def require(holds: bool, what: object) -> None:
    if not holds:
        raise WrongProofError(what)


@dataclass(frozen=True)
class Question:
    """The inputs as sets of arcs with weights, and what is asked."""

    n: int
    inputs: Sequence[tuple[frozenset[Pair], int]]
    metric: str
    limit: int
    required: frozenset[Pair] = frozenset()
    forbidden: frozenset[Pair] = frozenset()
    max_parents: int | None = None
    only_useful: bool = True
    """whether arcs that every network is better without are left out"""

    @classmethod
    def of(cls, content: Mapping[str, Any]) -> Question:
        """From a saved result."""
        place = {name: i for i, name in enumerate(content["variables"])}
        rules = content["constraints"]
        tiers = [[place[name] for name in tier] for tier in rules["tiers"]]
        back = {(a, b) for early, late in combinations(tiers, 2) for a in late for b in early}
        assert content["max_table"] is None
        inputs = [(frozenset(map(tuple, one["arcs"])), one["weight"]) for one in content["inputs"]]
        return cls(
            len(place),
            inputs,
            content["metric"],
            min(content["max_clique"], len(place)),
            frozenset((place[a], place[b]) for a, b in rules["required"]),
            frozenset((place[a], place[b]) for a, b in rules["forbidden"])
            | frozenset(back)
            | against_the_inputs(len(place), inputs, rules["directions"]),
            rules["max_parents"],
        )

    @cached_property
    def arcs(self) -> list[Pair]:
        """Those that may be there, and that a best network may have.

        An arc for SMHD brings its own edge and marries its source to other parents. If these lose more than they gain,
        whichever parents they are, it is better left out; so it is no parent to be married to either. Where both ends
        may have a common child, the edge may be there without the arc, so what it loses does not speak against it.
        """
        turned = {(b, a) for a, b in self.required}
        arcs = [arc for arc in permutations(range(self.n), 2) if arc not in self.forbidden and arc not in turned]
        while self.only_useful and self.metric == "smhd":
            useful = [arc for arc in arcs if arc in self.required or self._at_most(arc, arcs) >= 0]
            if len(useful) == len(arcs):
                break
            arcs = useful
        return arcs

    def _at_most(self, arc: Pair, arcs: Sequence[Pair]) -> int:
        """What an arc gains at most, whatever other arcs are there."""
        a, c = arc
        others = [b for b, child in arcs if child == c and b != a]
        married = sorted((max(self.gain((min(a, b), max(a, b))), 0) for b in others), reverse=True)
        own = self.gain((min(arc), max(arc)))
        if self.most_parents > 1 and {child for b, child in arcs if b == a} & {child for b, child in arcs if b == c}:
            own = max(own, 0)
        return own + sum(married[: max(self.most_parents - 1, 0)])

    @cached_property
    def most_parents(self) -> int:
        return self.limit - 1 if self.max_parents is None else min(self.limit - 1, self.max_parents)

    @cached_property
    def pairs(self) -> list[Pair]:
        """Those that may be joined, by an arc or a common child."""
        arcs = set(self.arcs)
        found = {tuple(sorted(arc)) for arc in arcs}
        if self.most_parents > 1:
            for c in range(self.n):
                found |= {pair for pair in combinations(range(self.n), 2) if all((v, c) in arcs for v in pair)}
        return sorted(found)  # type: ignore[arg-type]

    @cached_property
    def empty(self) -> int:
        """The summed distance of the network without arcs."""
        return sum(w * len(moral(arcs) if self.metric == "smhd" else arcs) for arcs, w in self.inputs)

    @cached_property
    def _morals(self) -> list[tuple[set[Pair], int]]:
        return [(moral(arcs), w) for arcs, w in self.inputs]

    def gain(self, one: Pair) -> int:
        """By how much an edge of the moral graph, or for SHD an arc, lowers the summed distance."""
        if self.metric == "smhd":
            return sum(w if one in edges else -w for edges, w in self._morals)
        turned = one[::-1]
        return sum(w if one in arcs else 0 if turned in arcs else -w for arcs, w in self.inputs)


def against_the_inputs(n: int, inputs: Sequence[tuple[frozenset[Pair], int]], directions: str) -> frozenset[Pair]:
    """The arcs that a rule on directions does not allow: in no input, or outvoted."""
    votes = {arc: sum(w for arcs, w in inputs if arc in arcs) for arc in permutations(range(n), 2)}
    if directions == "any":
        return frozenset()
    return frozenset(
        (a, b) for a, b in votes if not votes[a, b] or (directions == "majority" and votes[b, a] > votes[a, b])
    )


def moral(arcs: Iterable[Pair]) -> set[Pair]:
    """The edges of the moral graph."""
    graph = nx.moral_graph(nx.DiGraph(arcs))
    return {(min(edge), max(edge)) for edge in graph.edges}


# Inequalities


def derived(one: Sequence[Any], question: Question) -> Row:
    """The inequality that a line of a proof stands for, if it follows."""
    kind, *parts = one
    k = question.limit - 1
    if kind == "obstruction":
        edges = pairs_in(parts[0])
        require(parts[1] >= 1 and needs_more(edges, question.limit + parts[1] - 1), one)
        return {("edge", *pair): 1 for pair in edges}, len(edges) - parts[1]
    if kind == "rank":
        edges = pairs_in(parts[0])
        require(rigidity_rank(edges, k) <= parts[1], one)
        return {("edge", *pair): 1 for pair in edges}, parts[1]
    if kind == "minor":
        return minor_row(pairs_in(parts[0]), pairs_in(parts[1]), parts[2], k, question.n)
    if kind == "cycle":
        arcs = pairs_in(parts[0])
        require(
            len(set(arcs)) == len(arcs) and all(a[1] == b[0] for a, b in zip(arcs, arcs[1:] + arcs[:1], strict=True)),
            one,
        )
        return {("arc", *arc): 1 for arc in arcs}, len(arcs) - 1
    require(kind == "marriage" and (tuple(parts[0]) in question.pairs) == parts[2], one)
    (a, b), child, may_join = parts
    return {("arc", a, child): 1, ("arc", b, child): 1, **({("edge", a, b): -1} if may_join else {})}, 1


def pairs_in(numbers: Sequence[int]) -> list[Pair]:
    found = list(zip(numbers[::2], numbers[1::2], strict=True))
    require(len(set(found)) == len(found), numbers)
    return found


def needs_more(edges: Iterable[Pair], limit: int) -> bool:
    """Whether a graph cannot be eliminated with cliques of that size: all sets of vertices that can go first.

    A connected set can, if some vertex of it can go last: what it is joined to then are the neighbours of the set,
    fewer than the limit, and the parts into which the set falls without it can go before. Sets are built from their
    parts, so that there are few; the whole graph can go if one of its sets has no neighbours.
    """
    graph = nx.Graph(edges)
    return any(not _can_go(graph.subgraph(part), limit) for part in nx.connected_components(graph))


def _can_go(graph: nx.Graph, limit: int) -> bool:
    place = {v: i for i, v in enumerate(graph)}
    near = [sum(1 << place[u] for u in graph[v]) for v in graph]
    known: set[int] = set()
    at: list[list[tuple[int, int]]] = [[] for _ in near]  # by vertex: the sets that are next to it, and what they meet
    waiting = [0]  # no part at all, next to every vertex
    while waiting:
        part = waiting.pop()
        meets = 0
        for v, others in enumerate(near):
            if part >> v & 1:
                meets |= others
        meets &= ~part
        for v in range(len(near)):
            if part and not meets >> v & 1:
                continue
            for inside, open_ends in _with_others(at[v] if part else [], part, meets & ~(1 << v), limit):
                whole = inside | 1 << v
                ends = (open_ends | near[v]) & ~whole
                if ends.bit_count() < limit and whole not in known:
                    if not ends:
                        return True
                    known.add(whole)
                    waiting.append(whole)
            if part:
                at[v].append((part, meets & ~(1 << v)))
    return False


def _with_others(others: Sequence[tuple[int, int]], inside: int, ends: int, limit: int) -> Iterator[tuple[int, int]]:
    """Unions of a set and of others that it does not touch, with what they meet: fewer than the limit."""
    if ends.bit_count() >= limit:
        return
    yield inside, ends
    for i, (more, its_ends) in enumerate(others):
        if not inside & (more | its_ends) and not more & ends:
            yield from _with_others(others[:i], inside | more, ends | its_ends, limit)


def rigidity_rank(edges: Sequence[Pair], k: int) -> int:
    """Of the rows of the rigidity matrix of the points (x, x^2, ..., x^k), x = 1, 2, ..., by elimination."""
    pivots: dict[int, dict[int, int]] = {}
    for a, b in edges:
        row = {}
        for i in range(k):
            difference = (pow(a + 1, i + 1, PRIME) - pow(b + 1, i + 1, PRIME)) % PRIME
            row[a * k + i], row[b * k + i] = difference, -difference % PRIME
        row = {at: value for at, value in row.items() if value}
        while row and (first := min(row)) in pivots:
            factor = row[first]
            for at, value in pivots[first].items():
                row[at] = (row.get(at, 0) - factor * value) % PRIME
            row = {at: value for at, value in row.items() if value}
        if row:
            scale = pow(row[min(row)], -1, PRIME)
            pivots[min(row)] = {at: value * scale % PRIME for at, value in row.items()}
    return len(pivots)


def minor_row(joining: list[Pair], forest: list[Pair], vertices: int, k: int, n: int) -> Row:
    """See `Minor` of the package: what it says must hold."""
    graph = nx.Graph(forest)
    require(not forest or nx.is_forest(graph), "no forest")
    graph.add_nodes_from(v for pair in joining for v in pair)
    require(len(graph) <= vertices <= n, "too few vertices")
    trees = vertices - len(forest)
    require(trees >= k, "too few trees")
    tree_of = {v: i for i, tree in enumerate(nx.connected_components(graph)) for v in tree}
    ends = [frozenset(tree_of[v] for v in pair) for pair in joining]
    require(len(set(ends)) == len(ends) and all(len(pair) == 2 for pair in ends), "two edges join the same trees")
    base = k * trees - k * (k + 1) // 2
    factor = min(k, len(joining) - base)
    require(factor >= 0, "says nothing")
    terms = {("edge", *pair): 1 for pair in joining} | {("edge", *pair): factor for pair in forest}
    return terms, base + factor * len(forest)


# Integer programs


def heaviest(weights: Mapping[Name, int], rows: Iterable[Row], fixed: Iterable[Name] = ()) -> int:
    """The most that a choice of 0-1 variables weighs under inequalities; variables that are not there are 0."""
    names = list(weights)
    number = {name: i for i, name in enumerate(names)}
    if not names:
        return 0
    kept = [({number[name]: c for name, c in terms.items() if name in number}, limit) for terms, limit in rows]
    low = np.zeros(len(names))
    low[[number[name] for name in fixed]] = 1
    entries = [(i, j, c) for i, (terms, _) in enumerate(kept) for j, c in terms.items()]
    constraints = []
    if kept:
        at, to, value = zip(*entries, strict=True) if entries else ((), (), ())
        matrix = sparse.csr_array((value, (at, to)), shape=(len(kept), len(names)))
        constraints = [LinearConstraint(matrix, ub=[limit for _, limit in kept])]
    found = milp(
        [-weights[name] for name in names],
        constraints=constraints,
        integrality=np.ones(len(names)),
        bounds=Bounds(low, 1),
        options={"mip_rel_gap": 0.0},
    )
    require(found.status == 0, found.message)
    return round(-found.fun)


def network_rows(question: Question) -> Iterator[Row]:
    """What arcs, moral edges and common children have to do with one another; nothing about cycles and cliques."""
    arcs, pairs = set(question.arcs), set(question.pairs)
    for a, b in pairs:
        yield {**{("arc", *arc): 1 for arc in ((a, b), (b, a)) if arc in arcs}, ("edge", a, b): -1}, 0
        common = [c for c in range(question.n) if (a, c) in arcs and (b, c) in arcs]
        either: dict[Name, int] = {("arc", *arc): -1 for arc in ((a, b), (b, a)) if arc in arcs}
        if question.metric == "smhd":
            yield {("edge", a, b): 1, **either, **{("child", a, b, c): -1 for c in common}}, 0
            for c in common:
                yield {("child", a, b, c): 1, ("arc", a, c): -1}, 0
                yield {("child", a, b, c): 1, ("arc", b, c): -1}, 0
    if question.metric == "smhd":
        yield from other_parents(question)
    for c in range(question.n):
        parents = [a for a in range(question.n) if (a, c) in arcs]
        yield {("arc", a, c): 1 for a in parents}, question.most_parents
        for a, b in combinations(parents, 2):
            yield {("arc", a, c): 1, ("arc", b, c): 1, **({("edge", a, b): -1} if (a, b) in pairs else {})}, 1


def other_parents(question: Question) -> Iterator[Row]:
    """A parent of a child has no more others beside it than the child may have."""
    pairs = set(question.pairs)
    for a, c in question.arcs:
        both = [tuple(sorted((a, b))) for b, child in question.arcs if child == c and b != a]
        beside: dict[Name, int] = {("child", *pair, c): 1 for pair in both if pair in pairs}
        yield {**beside, ("arc", a, c): 1 - question.most_parents}, 0


def network_weights(question: Question) -> dict[Name, int]:
    by_edge = question.metric == "smhd"
    weights: dict[Name, int] = {("edge", *pair): question.gain(pair) if by_edge else 0 for pair in question.pairs}
    weights |= {("arc", *arc): 0 if by_edge else question.gain(arc) for arc in question.arcs}
    arcs = set(question.arcs)
    if by_edge:
        weights |= {
            ("child", a, b, c): 0 for a, b in question.pairs for c in range(question.n) if {(a, c), (b, c)} <= arcs
        }
    return weights


def check(content: Mapping[str, Any]) -> int:
    """The bound of a saved proof, in summed distance, if it follows."""
    proof, question = content["proof"], Question.of(content)
    rows = [derived(one, question) for one in proof["inequalities"]]
    if proof["program"] == "arcs":
        fixed = [("arc", *arc) for arc in question.required]
        most = heaviest(network_weights(question), [*rows, *network_rows(question)], fixed)
    else:
        most = heaviest(*edge_program(question, rows)) + lost(question)
    require(question.empty - most >= proof["bound"], f"the program allows a distance of {question.empty - most}")
    return int(proof["bound"])


def edge_program(question: Question, rows: list[Row]) -> tuple[dict[Name, int], list[Row]]:
    """What pairs can gain at most, where that is more than nothing."""
    if question.metric == "smhd":
        gains = {pair: question.gain(pair) for pair in question.pairs}
    else:
        gains = {}
        for arc in question.arcs:
            pair = (min(arc), max(arc))
            gains[pair] = max(gains.get(pair, 0), question.gain(arc))
    return {("edge", *pair): gain for pair, gain in gains.items() if gain > 0}, rows


def lost(question: Question) -> int:
    """What required arcs lose."""
    brought = moral(question.required) if question.metric == "smhd" else question.required
    return sum(min(question.gain(one), 0) for one in brought)


def least_distance(question: Question) -> int:
    """The least summed distance, by elimination orders as 0-1 variables: a program that needs no inequalities of ours.

    `before` says which of two is eliminated first, `fill` which neighbours a variable has then: at most the limit less
    one. Arcs have an order of their own, `above`.
    """
    question = replace(question, only_useful=False)
    n = question.n
    rows = list(network_rows(question))
    weights = network_weights(question)
    for name in ("before", "above"):
        weights |= {(name, *pair): 0 for pair in permutations(range(n), 2)}
        for a, b in combinations(range(n), 2):
            rows += [({(name, a, b): 1, (name, b, a): 1}, 1), ({(name, a, b): -1, (name, b, a): -1}, -1)]
        rows += [({(name, a, b): 1, (name, b, c): 1, (name, a, c): -1}, 1) for a, b, c in permutations(range(n), 3)]
    rows += [({("arc", a, b): 1, ("above", a, b): -1}, 0) for a, b in question.arcs]
    weights |= {("fill", *pair): 0 for pair in permutations(range(n), 2)}
    for a, b in question.pairs:
        rows += [({("edge", a, b): 1, ("before", v, u): 1, ("fill", v, u): -1}, 1) for v, u in ((a, b), (b, a))]
    for v, a, b in permutations(range(n), 3):
        rows.append(({("fill", v, a): 1, ("fill", v, b): 1, ("before", a, b): 1, ("fill", a, b): -1}, 2))
    rows += [({("fill", v, u): 1 for u in range(n) if u != v}, question.limit - 1) for v in range(n)]
    return question.empty - heaviest(weights, rows, [("arc", *arc) for arc in question.required])


if __name__ == "__main__":
    saved = json.loads(Path(sys.argv[1]).read_text())
    print(f"the summed {saved['metric']} of no network within the limit is below {check(saved)}: checked")
