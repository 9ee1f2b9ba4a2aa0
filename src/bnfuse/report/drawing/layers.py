"""The layers of a picture: each variable below its parents, with as many in a layer as suits the picture's shape.

List scheduling with a limit on the width of a layer (after Coffman and Graham, 1972); then variables move to where arcs
get shorter. Among several limits, the one is used whose picture, with the arcs that pass its layers, fits a screen
best.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

Arc = tuple[int, int]

ASPECT = 1.7
"""the ratio of width to height that suits a screen"""
_LIMITS = (0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8)  # share of the width, for a first guess
_MOVES = 6  # rounds in which variables move
_LONG = 0.5  # the weight of long arcs: a power of the mean number of layers that arcs span
_SPREAD = 1.35  # how much wider a picture gets than its fullest layer


@dataclass(frozen=True, slots=True)
class Room:
    """Sizes in pixels."""

    widths: Sequence[float]
    """of the boxes, including the gap on each side"""
    bend: float
    """the width for an arc that passes a layer"""
    layer: float
    """the height from a layer to the next"""


def acyclic(n: int, arcs: Sequence[Arc]) -> list[Arc]:
    """The arcs, with those reversed that close a cycle with earlier ones; of two between a pair, the first."""
    kept: dict[Arc, None] = {}
    order = _Order(n, arcs)
    for source, target in arcs:
        if (source, target) not in kept and (target, source) not in kept:
            kept[(source, target) if order.add(source, target) else (target, source)] = None
    return list(kept)


class _Order:
    """A topological order of arcs that arrive one by one (Pearce and Kelly, 2006): only the part between is moved."""

    def __init__(self, n: int, expected: Iterable[Arc]) -> None:
        self._children: list[list[int]] = [[] for _ in range(n)]
        self._parents: list[list[int]] = [[] for _ in range(n)]
        self._place = _first_order(n, expected)

    def add(self, source: int, target: int) -> bool:
        """Add an arc, or its reversal if it would close a cycle; returns whether it was the arc itself."""
        place = self._place
        if place[source] > place[target]:
            after = self._reached(target, self._children, lambda v: place[v] <= place[source])
            if source in after:
                source, target = target, source
                self._link(source, target)
                return False
            before = self._reached(source, self._parents, lambda v: place[v] >= place[target])
            moved = [*sorted(before, key=place.__getitem__), *sorted(after, key=place.__getitem__)]
            for v, free in zip(moved, sorted(place[v] for v in moved), strict=True):
                place[v] = free
        self._link(source, target)
        return True

    def _link(self, source: int, target: int) -> None:
        self._children[source].append(target)
        self._parents[target].append(source)

    @staticmethod
    def _reached(start: int, linked: Sequence[Sequence[int]], is_between: Callable[[int], bool]) -> set[int]:
        found, stack = {start}, [start]
        while stack:
            new = [v for v in linked[stack.pop()] if v not in found and is_between(v)]
            found.update(new)
            stack += new
        return found


def _first_order(n: int, arcs: Iterable[Arc]) -> list[int]:
    """The position of each variable: topological if the arcs have no cycle, nearly so if they have few."""
    children: list[list[int]] = [[] for _ in range(n)]
    for source, target in arcs:
        children[source].append(target)
    place, free = [-1] * n, n
    for start in range(n):
        stack = [] if place[start] >= 0 else [(start, iter(children[start]))]
        if stack:
            place[start] = n
        while stack:
            v, others = stack[-1]
            new = next((other for other in others if place[other] < 0), None)
            if new is None:
                stack.pop()
                free -= 1
                place[v] = free
            else:
                place[new] = n  # on the stack
                stack.append((new, iter(children[new])))
    return place


def layers(linked: Sequence[int], arcs: Sequence[Arc], room: Room) -> dict[int, int]:
    """The layer of each variable."""
    graph = _Graph(linked, arcs)
    guess = math.sqrt(ASPECT * room.layer * sum(room.widths[v] for v in linked))
    widest = 2.5 * max(room.widths[v] for v in linked)
    tried = [_scheduled(graph, room, max(widest, limit * guess)) for limit in _LIMITS]
    return min(tried, key=lambda one: _cost(one, arcs, room))


class _Graph:
    """Parents, children, an order from above, and for each variable the longest path down."""

    def __init__(self, linked: Sequence[int], arcs: Sequence[Arc]) -> None:
        self.parents: dict[int, list[int]] = {v: [] for v in linked}
        self.children: dict[int, list[int]] = {v: [] for v in linked}
        for source, target in arcs:
            self.parents[target].append(source)
            self.children[source].append(target)
        waiting = {v: len(self.parents[v]) for v in linked}
        self.order = [v for v in linked if not waiting[v]]
        for v in self.order:
            for child in self.children[v]:
                waiting[child] -= 1
                if not waiting[child]:
                    self.order.append(child)
        self.height: dict[int, int] = {}
        for v in reversed(self.order):
            self.height[v] = 1 + max((self.height[child] for child in self.children[v]), default=0)


def _scheduled(graph: _Graph, room: Room, limit: float) -> dict[int, int]:
    layer: dict[int, int] = {}
    used: list[float] = []
    for v in sorted(graph.order, key=lambda one: -graph.height[one]):
        place = 1 + max((layer[parent] for parent in graph.parents[v]), default=-1)
        while place < len(used) and used[place] + room.widths[v] > limit:
            place += 1
        used.extend([0.0] * (place + 1 - len(used)))
        used[place] += room.widths[v]
        layer[v] = place
    for _ in range(_MOVES):
        if not _shorten(graph, room, limit, layer, used):
            break
    filled = {place: i for i, place in enumerate(sorted(set(layer.values())))}
    return {v: filled[place] for v, place in layer.items()}


def _shorten(graph: _Graph, room: Room, limit: float, layer: dict[int, int], used: list[float]) -> bool:
    """Move variables to where most of their arcs lead, as far as there is room; returns whether any moved."""
    has_moved = False
    for order, step in ((graph.order[::-1], 1), (graph.order, -1)):
        for v in order:
            ahead, behind = (graph.children, graph.parents) if step == 1 else (graph.parents, graph.children)
            if len(ahead[v]) <= len(behind[v]):
                continue
            bound = (min if step == 1 else max)(layer[other] for other in ahead[v]) - step
            place = bound
            while place != layer[v] and used[place] + room.widths[v] > limit:
                place -= step
            if place != layer[v]:
                used[layer[v]] -= room.widths[v]
                used[place] += room.widths[v]
                layer[v] = place
                has_moved = True
    return has_moved


def _cost(layer: dict[int, int], arcs: Sequence[Arc], room: Room) -> float:
    """The approximate height of a screen that the picture fits; more if arcs are long."""
    count = 1 + max(layer.values())
    used = [0.0] * count
    for v, place in layer.items():
        used[place] += room.widths[v]
    changes = [0] * (count + 1)  # of the number of arcs that pass a layer
    for source, target in arcs:
        changes[layer[source] + 1] += 1
        changes[layer[target]] -= 1
    passing = 0
    for place in range(count):
        passing += changes[place]
        used[place] += passing * room.bend
    extent = max(_SPREAD * max(used) / ASPECT, count * room.layer)
    passed = sum(layer[target] - layer[source] - 1 for source, target in arcs)
    return extent * math.pow(1 + passed / len(arcs), _LONG)
