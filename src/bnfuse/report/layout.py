"""Where the variables of a picture stand: in layers, every arc of the drawn DAG from an upper one to a lower one.

The framework is that of Sugiyama, Tagawa and Toda (1981): layers by list scheduling with a limit on their width (after
Coffman and Graham, 1972), the order within them by barycentres, and places by sweeps that pull each variable to the
mean of its neighbours, as far as the boxes of a layer leave room (isotonic regression). Nothing is random: the same
arcs give the same picture.
"""

from __future__ import annotations

import bisect
import math
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

Point = tuple[float, float]

FONT_SIZE = 12.0
BOX_HEIGHT = 26.0
_PADDING = 9.0  # between a label and the border of its box
_GAP = 16.0  # between two boxes of a layer
_BEND_GAP = 9.0  # around the bend of an arc that passes a layer
_LAYER = 60.0  # from a layer to the next
_ASPECT = 2.2  # width to height that suits a screen
_LONGEST_LABEL = 24
_SWEEPS, _LARGE_SWEEPS = 24, 10
_LARGE = 3_000  # boxes and bends, from which time counts more than the last crossing
_MOST_BENDS = 12_000  # of all arcs together: those that come later are drawn straight over the boxes
_MARGIN = 12.0


@dataclass(frozen=True, slots=True)
class Layout:
    """The boxes of the variables, none over another, and the way of the arcs that pass layers."""

    labels: tuple[str, ...]
    """what is written in the boxes: names, long ones cut"""
    centres: tuple[Point, ...]
    widths: tuple[float, ...]
    routes: dict[tuple[int, int], tuple[Point, ...]]
    """points between the two ends of an arc, for those that need any"""
    width: float
    height: float


def arrange(variables: Sequence[str], arcs: Iterable[tuple[int, int]]) -> Layout:
    """A layout for arcs between numbered variables, most important first.

    An arc that closes a cycle with those before it has no say; so all arcs of a DAG that comes first lead downwards.
    """
    labels = tuple(_shortened(name) for name in variables)
    widths = tuple(text_width(label) + 2 * _PADDING for label in labels)
    drawn = _acyclic(len(labels), arcs)
    linked = sorted({end for arc in drawn for end in arc})
    centres: dict[int, Point] = {}
    routes: dict[tuple[int, int], tuple[Point, ...]] = {}
    if drawn:
        layers = _layers(linked, drawn, widths)
        centres, routes = _placed(layers, drawn, widths)
    edges = [x + widths[v] / 2 for v, (x, _) in centres.items()] + [x for way in routes.values() for x, _ in way]
    width = max(edges, default=0.0)
    bottom = max((y for _, y in centres.values()), default=-_LAYER)
    loose = [v for v in range(len(labels)) if v not in centres]
    # Variables without arcs: rows below, at least about as wide as a screen.
    wanted = max(width, math.sqrt(_ASPECT * sum(widths[v] + _GAP for v in loose) * (BOX_HEIGHT + _GAP)))
    x, y = 0.0, bottom + _LAYER
    for v in loose:
        if x and x + widths[v] > wanted:
            x, y = 0.0, y + BOX_HEIGHT + _GAP
        centres[v] = (x + widths[v] / 2, y)
        x += widths[v] + _GAP
        width = max(width, x - _GAP)
    shift = _MARGIN
    top = _MARGIN + BOX_HEIGHT / 2
    return Layout(
        labels,
        tuple((round(centres[v][0] + shift, 1), round(centres[v][1] + top, 1)) for v in range(len(labels))),
        tuple(round(one, 1) for one in widths),
        {arc: tuple((round(px + shift, 1), round(py + top, 1)) for px, py in points) for arc, points in routes.items()},
        round(width + 2 * _MARGIN, 1),
        round(max(y for _, y in centres.values()) + BOX_HEIGHT + 2 * _MARGIN, 1),
    )


def text_width(text: str) -> float:
    """About how wide a label is, too wide rather than too narrow: fonts differ, boxes must not."""
    return FONT_SIZE * sum(map(_character_width, text))


def _character_width(character: str) -> float:
    if unicodedata.combining(character):
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return 1.05
    if character in "iljI.,:;|'!() ":
        return 0.36
    if character in "mwMW@%":
        return 0.95
    return 0.7 if character.isupper() else 0.62


def _shortened(name: str) -> str:
    """A name that fits a box and has no line breaks or other characters that draw nothing."""
    visible = "".join(character if character.isprintable() else "\u00b7" for character in name)
    return visible if len(visible) <= _LONGEST_LABEL else visible[: _LONGEST_LABEL - 1] + "\u2026"


def _acyclic(n: int, arcs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The arcs, without those that close a cycle with earlier ones."""
    below = [1 << v for v in range(n)]  # each variable and its descendants, as bits
    kept = []
    for source, target in dict.fromkeys(arcs):
        if below[target] >> source & 1:
            continue
        kept.append((source, target))
        new = below[target]
        for v in range(n):
            if below[v] >> source & 1:
                below[v] |= new
    return kept


def _layers(linked: Sequence[int], arcs: Sequence[tuple[int, int]], widths: Sequence[float]) -> dict[int, int]:
    """The layer of each variable, below those of its parents, none much wider than suits a screen."""
    parents: dict[int, list[int]] = {v: [] for v in linked}
    children: dict[int, list[int]] = {v: [] for v in linked}
    for source, target in arcs:
        parents[target].append(source)
        children[source].append(target)
    room = max(3 * max(widths), math.sqrt(_ASPECT * _LAYER * sum(widths[v] + 2 * _GAP for v in linked)))
    order = _topological(linked, parents, children)
    height: dict[int, int] = {}  # the longest way down: who has it goes first
    for v in reversed(order):
        height[v] = 1 + max((height[child] for child in children[v]), default=0)
    layer: dict[int, int] = {}
    used: list[float] = []
    for v in sorted(order, key=lambda one: -height[one]):
        place = 1 + max((layer[parent] for parent in parents[v]), default=-1)
        while place < len(used) and used[place] + widths[v] > room:
            place += 1
        used.extend([0.0] * (place + 1 - len(used)))
        used[place] += widths[v] + _GAP
        layer[v] = place
    for v in reversed(order):  # down to the children, where that makes arcs shorter
        if len(children[v]) > len(parents[v]):
            place = min(layer[child] for child in children[v]) - 1
            while place > layer[v] and used[place] + widths[v] > room:
                place -= 1
            used[layer[v]] -= widths[v] + _GAP
            used[place] += widths[v] + _GAP
            layer[v] = place
    filled = {place: i for i, place in enumerate(sorted(set(layer.values())))}
    return {v: filled[place] for v, place in layer.items()}


def _topological(linked: Sequence[int], parents: dict[int, list[int]], children: dict[int, list[int]]) -> list[int]:
    waiting = {v: len(parents[v]) for v in linked}
    order = [v for v in linked if not waiting[v]]
    for v in order:
        for child in children[v]:
            waiting[child] -= 1
            if not waiting[child]:
                order.append(child)
    return order


class _Item:
    """A box, or the bend of an arc that passes a layer."""

    __slots__ = ("above", "below", "place", "width", "x")

    def __init__(self, width: float) -> None:
        self.width = width
        self.place = 0  # in its layer, from the left
        self.x = 0.0
        self.above: list[tuple[_Item, float]] = []
        self.below: list[tuple[_Item, float]] = []


def _placed(
    layers: dict[int, int], arcs: Sequence[tuple[int, int]], widths: Sequence[float]
) -> tuple[dict[int, Point], dict[tuple[int, int], tuple[Point, ...]]]:
    """Centres of the boxes and bends of the arcs."""
    boxes = {v: _Item(widths[v] + _GAP) for v in layers}
    layer_of = {box: layers[v] for v, box in boxes.items()}
    chains: dict[tuple[int, int], list[_Item]] = {}
    bends = 0
    for source, target in arcs:
        passed = range(layers[source] + 1, layers[target])
        if bends + len(passed) > _MOST_BENDS:
            continue
        bends += len(passed)
        chain = [_Item(_BEND_GAP) for _ in passed]
        layer_of.update(zip(chain, passed, strict=True))
        _link([boxes[source], *chain, boxes[target]])
        chains[source, target] = chain
    rows = _uncrossed(layer_of)
    _spread(rows)
    left = min(item.x - (item.width - _GAP) / 2 for row in rows for item in row)
    centres = {v: (box.x - left, layers[v] * _LAYER) for v, box in boxes.items()}
    routes = {
        arc: tuple((item.x - left, layer_of[item] * _LAYER) for item in chain) for arc, chain in chains.items() if chain
    }
    return centres, routes


def _uncrossed(layer_of: dict[_Item, int]) -> list[list[_Item]]:
    """The items of each layer in an order with few crossings: barycentres of the neighbours, up and down."""
    rows: list[list[_Item]] = [[] for _ in range(1 + max(layer_of.values()))]
    seen: set[_Item] = set()
    for start in sorted(layer_of, key=lambda item: layer_of[item]):  # what is linked starts side by side
        stack = [start]
        while stack:
            item = stack.pop()
            if item not in seen:
                seen.add(item)
                rows[layer_of[item]].append(item)
                stack.extend(other for other, _ in reversed(item.above + item.below))
    _number(rows)
    best, fewest = [list(row) for row in rows], _crossings(rows)
    for sweep in range(_sweeps(len(layer_of))):
        down = sweep % 2 == 0
        for row in rows[1:] if down else rows[-2::-1]:
            row.sort(key=lambda item: _barycentre(item.above if down else item.below, item.place))
            _number([row])
        crossings = _crossings(rows)
        if crossings < fewest:
            best, fewest = [list(row) for row in rows], crossings
    _number(best)
    return best


def _sweeps(items: int) -> int:
    return _SWEEPS if items < _LARGE else _LARGE_SWEEPS


def _number(rows: Sequence[list[_Item]]) -> None:
    for row in rows:
        for place, item in enumerate(row):
            item.place = place


def _barycentre(links: Sequence[tuple[_Item, float]], place: int) -> float:
    return sum(other.place for other, _ in links) / len(links) if links else place


def _crossings(rows: Sequence[list[_Item]]) -> int:
    """Pairs of links between neighbouring layers that cross: inversions."""
    total = 0
    for row in rows:
        ends: list[int] = []
        for item in row:
            for end in sorted(other.place for other, _ in item.below):
                total += len(ends) - bisect.bisect_right(ends, end)
                bisect.insort(ends, end)
    return total


def _link(way: Sequence[_Item]) -> None:
    """The items of an arc pull at each other, its bends most: long arcs should be straight."""
    for i, (upper, lower) in enumerate(pairwise(way)):
        pull = 1.0 if len(way) == 2 else 2.0 if i in (0, len(way) - 2) else 8.0
        upper.below.append((lower, pull))
        lower.above.append((upper, pull))


def _spread(rows: Sequence[list[_Item]]) -> None:
    for row in rows:
        _settle(row, [0.0] * len(row))
    sweeps = _sweeps(sum(map(len, rows)))
    for sweep in range(sweeps):
        both = sweep >= sweeps // 2
        for row in rows if sweep % 2 == 0 else rows[::-1]:
            wanted = []
            for item in row:
                pulls = item.above if sweep % 2 == 0 else item.below
                pulls = item.above + item.below if both or not pulls else pulls
                total = sum(pull for _, pull in pulls)
                wanted.append(sum(other.x * pull for other, pull in pulls) / total if pulls else item.x)
            _settle(row, wanted)


def _settle(row: Sequence[_Item], wanted: Sequence[float]) -> None:
    """Each item as close to where it wants to be as its neighbours' widths allow: least squares, in this order."""
    offsets = [0.0]
    for before, after in pairwise(row):
        offsets.append(offsets[-1] + (before.width + after.width) / 2)
    # Sums of wishes and numbers of items: those that touch move together.
    blocks: list[list[float]] = []
    for want, offset in zip(wanted, offsets, strict=True):
        blocks.append([want - offset, 1.0])
        while len(blocks) > 1 and blocks[-2][0] * blocks[-1][1] > blocks[-1][0] * blocks[-2][1]:
            total, items = blocks.pop()
            blocks[-1][0] += total
            blocks[-1][1] += items
    position = 0
    for total, items in blocks:
        for _ in range(int(items)):
            row[position].x = total / items + offsets[position]
            position += 1
