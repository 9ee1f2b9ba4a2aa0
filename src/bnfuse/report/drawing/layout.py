"""The positions of the variables in a picture, and the paths of its arcs: plain numbers, for any renderer.

The framework is that of Sugiyama, Tagawa and Toda (1981): layers (`layers`), the order within them and positions
(`rows`), with a separate position for each arc that passes a layer, and a smooth path through these positions
(`routes`). Parts that no arc joins are laid out separately, next to each other. Nothing is random: the same arcs give
the same picture.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from bnfuse.report.drawing.labels import labels_of, text_width
from bnfuse.report.drawing.layers import ASPECT, Room, acyclic, layers
from bnfuse.report.drawing.routes import (  # fmt: skip
    BOX_HEIGHT,
    CLEARANCE,
    CORNER,
    HEAD,
    PORT_GAP,
    Passage,
    Point,
    Streets,
    Way,
    common_port,
    fitted,
    port_reach,
    turned,
)
from bnfuse.report.drawing.rows import Item, arranged, linked, settled

Arc = tuple[int, int]

_PADDING = 9.0  # between a label and the border of its box
_GAP = 18.0  # between two boxes of a row
_BEND = 9.0  # for an arc that passes a row
_CHANNEL = 34.0  # between two rows
_CHANNEL_MORE = 52.0  # at most, where arcs run far to the side
_LOOSE_CHANNEL = 18.0  # between rows of variables without arcs
_PART_GAP = 34.0
_MOST_HEADS, _MOST_TAILS = 12, 16  # for which a box is made wider
_TAIL_GAP = 6.0  # between two arcs that leave a box that was made wider
_MOST_BENDS = 12_000  # of all arcs together: paths of later ones are found when the boxes are placed
_LANE_GAP = 4.0  # between the lanes of two arcs
_MARGIN = 14.0


@dataclass(frozen=True, slots=True)
class Layout:
    """The boxes of the variables, which do not overlap, and the paths of the arcs, which avoid other boxes."""

    labels: tuple[str, ...]
    """the text in the boxes: names, long ones shortened"""
    centres: tuple[Point, ...]
    widths: tuple[float, ...]
    ways: dict[Arc, Way]
    """for each two variables that an arc joins, the path of the first of their arcs"""
    width: float
    height: float

    def way(self, source: int, target: int) -> Way:
        """The path of an arc, or that of the reversed arc between the same variables."""
        return self.ways.get((source, target)) or turned(self.ways[target, source])


def arrange(variables: Sequence[str], arcs: Iterable[Arc]) -> Layout:
    """A layout for arcs between numbered variables, most important first.

    All arcs of a DAG that comes first lead downwards; an arc that closes a cycle with earlier ones leads upwards.
    """
    labels = labels_of(variables)
    given = list(arcs)
    drawn = acyclic(len(labels), given)
    widths = _widths(labels, drawn)
    parts = [_Component(members, part_arcs, widths) for members, part_arcs in _parts(len(labels), drawn)]
    rows = _packed(parts)
    boxes = {v: box for part in parts for v, box in part.boxes.items()}
    width = max((item.x + item.width / 2 - _GAP / 2 for row in rows for item in row), default=0.0)
    loose = _loose([v for v in range(len(labels)) if v not in boxes], widths, width, len(rows))
    boxes |= loose
    chains = {arc: chain for part in parts for arc, chain in part.chains.items()}
    heights = _heights(rows, 1 + max(box.row for box in boxes.values()))
    for item in [*boxes.values(), *(bend for chain in chains.values() for bend in chain)]:
        item.x = float(round(item.x + _MARGIN))
    centres = tuple((boxes[v].x, heights[boxes[v].row]) for v in range(len(labels)))
    width = max(width, *(box.x + widths[v] / 2 - _MARGIN for v, box in boxes.items()))
    downward = _ways(chains, boxes, widths, rows, heights, width + 2 * _MARGIN)
    streets = Streets(centres, widths, downward)
    streets.add(drawn)
    ways: dict[Arc, Way] = {}
    for source, target in given:
        if (source, target) not in ways and (target, source) not in ways:
            known = downward.get((source, target))
            ways[source, target] = turned(downward[target, source]) if known is None else known
    return Layout(labels, centres, widths, ways, round(width + 2 * _MARGIN), heights[-1] + BOX_HEIGHT / 2 + _MARGIN)


def _widths(labels: Sequence[str], arcs: Iterable[Arc]) -> tuple[float, ...]:
    """Boxes with room for their labels and, next to each other, for the arcs to and from them; even numbers."""
    leaving, arriving = [0] * len(labels), [0] * len(labels)
    for source, target in arcs:
        leaving[source] += 1
        arriving[target] += 1
    needed = [
        2 * CORNER + max(PORT_GAP * min(_MOST_HEADS, heads - 1), _TAIL_GAP * min(_MOST_TAILS, tails - 1))
        for heads, tails in zip(arriving, leaving, strict=True)
    ]
    texts = [text_width(label) + 2 * _PADDING for label in labels]
    return tuple(2.0 * math.ceil(max(both) / 2) for both in zip(texts, needed, strict=True))


def _parts(n: int, arcs: Sequence[Arc]) -> list[tuple[list[int], list[Arc]]]:
    """The variables and arcs of each connected part that has arcs."""
    root = list(range(n))

    def root_of(v: int) -> int:
        while root[v] != v:
            root[v] = root[root[v]]
            v = root[v]
        return v

    for source, target in arcs:
        first, second = sorted((root_of(source), root_of(target)))
        root[second] = first
    found: dict[int, tuple[list[int], list[Arc]]] = {root_of(source): ([], []) for source, _ in arcs}
    for v in range(n):
        if root_of(v) in found:
            found[root_of(v)][0].append(v)
    for arc in arcs:
        found[root_of(arc[0])][1].append(arc)
    return list(found.values())


class _Component:
    """Variables that arcs join, laid out from (0, 0)."""

    def __init__(self, members: Sequence[int], arcs: Sequence[Arc], widths: Sequence[float]) -> None:
        room = Room([width + _GAP for width in widths], _BEND, BOX_HEIGHT + _CHANNEL)
        layer = layers(members, arcs, room)
        self.boxes = {v: Item(layer[v], widths[v] + _GAP, is_box=True) for v in members}
        self.chains: dict[Arc, list[Item]] = {}
        items, links = list(self.boxes.values()), []
        for source, target in arcs:
            passed = range(layer[source] + 1, layer[target])
            if len(items) + len(passed) > _MOST_BENDS:
                continue
            chain = [Item(row, _BEND, is_box=False) for row in passed]
            links += linked([self.boxes[source], *chain, self.boxes[target]])
            items += chain
            self.chains[source, target] = chain
        self.rows = arranged(items, links)
        left = min(item.x - item.width / 2 for item in items)
        for item in items:
            item.x -= left + _GAP / 2
        self.width = max(item.x + item.width / 2 for item in items)

    def move(self, x: float, row: int) -> None:
        """Move it to a position."""
        for item in (item for items in self.rows for item in items):
            item.x += x
            item.row += row


@dataclass(slots=True)
class _Column:
    """Parts above each other, in a shelf of parts that begin in the same row."""

    x: float
    width: float
    row: int
    last: int


def _packed(parts: Sequence[_Component]) -> list[list[Item]]:
    """All parts in shelves of a suitable width for a screen, the tallest first; the rows of the whole picture."""
    area = sum((part.width + _PART_GAP) * len(part.rows) for part in parts) * (BOX_HEIGHT + _CHANNEL)
    wanted = max([math.sqrt(ASPECT * area), *(part.width for part in parts)])
    columns: list[_Column] = []
    first, last, right = 0, 0, math.inf  # of the last shelf
    for part in sorted(parts, key=lambda part: (-len(part.rows), -part.width)):
        height = len(part.rows)
        column = next((one for one in columns if one.row + height <= one.last and part.width <= one.width), None)
        if column is None:
            if right + _PART_GAP + part.width > wanted:
                first, last, right = last, last + height, -_PART_GAP
            column = _Column(right + _PART_GAP, part.width, first, last)
            right += _PART_GAP + part.width
            columns.append(column)
        part.move(column.x, column.row)
        column.row += height
    rows: list[list[Item]] = [[] for _ in range(last)]
    for part in parts:
        for items in part.rows:
            rows[items[0].row] += items
    for row in rows:
        row.sort(key=lambda item: item.x)
    return rows


def _loose(loose: Sequence[int], widths: Sequence[float], width: float, row: int) -> dict[int, Item]:
    """Variables without arcs: rows below the others, about as wide as a screen or wider."""
    area = sum(widths[v] + _GAP for v in loose) * (BOX_HEIGHT + _LOOSE_CHANNEL)
    wanted = max(width, math.sqrt(ASPECT * area))
    boxes: dict[int, Item] = {}
    x = 0.0
    for v in loose:
        if x and x + widths[v] > wanted:
            x, row = 0.0, row + 1
        boxes[v] = Item(row, widths[v] + _GAP, is_box=True)
        boxes[v].x = x + widths[v] / 2
        x += widths[v] + _GAP
    return boxes


def _heights(rows: Sequence[Sequence[Item]], count: int) -> list[float]:
    """The middles of the rows: farther apart if arcs between them run far to the side."""
    heights = [_MARGIN + BOX_HEIGHT / 2]
    for row in rows:
        runs = sorted(abs(other.x - item.x) for item in row for other in item.below)
        far = runs[len(runs) * 9 // 10] if runs else 0.0
        heights.append(heights[-1] + BOX_HEIGHT + _CHANNEL + round(min(_CHANNEL_MORE, far / 9)))
    while len(heights) < count:
        heights.append(heights[-1] + BOX_HEIGHT + _LOOSE_CHANNEL)
    return heights[:count]


def _ways(
    chains: dict[Arc, list[Item]],
    boxes: dict[int, Item],
    widths: Sequence[float],
    rows: Sequence[Sequence[Item]],
    heights: Sequence[float],
    width: float,
) -> dict[Arc, Way]:
    """The paths of the arcs that have their own positions in the rows that they pass."""
    leaves, arrives = _ports(chains, boxes, widths)
    passages = _passages(rows, heights, width)
    ways = {}
    for arc, chain in chains.items():
        source, target = arc
        start = (leaves[arc], heights[boxes[source].row] + BOX_HEIGHT / 2)
        end = (arrives[arc], heights[boxes[target].row] - BOX_HEIGHT / 2 - HEAD)
        ways[arc] = fitted(start, [passages[bend] for bend in chain], end)
    return ways


def _ports(
    chains: dict[Arc, list[Item]], boxes: dict[int, Item], widths: Sequence[float]
) -> tuple[dict[Arc, float], dict[Arc, float]]:
    """Where each arc leaves its source and meets its target: in the order of their other ends."""
    leaving: dict[int, list[tuple[float, float, Arc]]] = {}  # of a box: the next x, where it would best leave, the arc
    arriving: dict[int, list[tuple[float, float, Arc]]] = {}
    for arc, chain in chains.items():
        source, target = arc
        upper, lower = boxes[source].x, boxes[target].x
        after, after_width = (chain[0].x, 2 * CORNER) if chain else (lower, widths[target])
        before, before_width = (chain[-1].x, 2 * CORNER) if chain else (upper, widths[source])
        leaves = common_port(upper, widths[source], after, after_width)
        arrives = common_port(lower, widths[target], before, before_width)
        leaving.setdefault(source, []).append((after, leaves, arc))
        arriving.setdefault(target, []).append((before, arrives, arc))
    places: list[dict[Arc, float]] = [{}, {}]
    for of_boxes, placed in zip((leaving, arriving), places, strict=True):
        for v, wishes in of_boxes.items():
            wishes.sort()
            wanted = [place for _, place, _ in wishes]
            for (_, _, arc), x in zip(wishes, _side_by_side(wanted, boxes[v].x, widths[v]), strict=True):
                placed[arc] = float(round(x))
    return places[0], places[1]


def _side_by_side(wanted: Sequence[float], x: float, width: float) -> list[float]:
    """Positions along a side of a box, as far apart as heads need or, if it is too narrow, as far as possible."""
    reach, more = port_reach(width), len(wanted) - 1
    gap = min(PORT_GAP, 2 * reach / more) if more else 0.0
    # Each within the space that the others leave, so that they still are after moving apart.
    bounded = [max(x - reach + gap * i, min(x + reach - gap * (more - i), place)) for i, place in enumerate(wanted)]
    return settled(bounded, [gap] * more)


def _passages(rows: Sequence[Sequence[Item]], heights: Sequence[float], width: float) -> dict[Item, Passage]:
    """The space of each bend in its row: up to the boxes next to it and, if possible, half-way to the next bend."""
    found = {}
    for row, y in zip(rows, heights, strict=False):
        start = 0
        for end in range(len(row) + 1):
            if end == len(row) or row[end].is_box:
                left = row[start - 1].x + _half(row[start - 1]) + CLEARANCE if start else _MARGIN / 2
                right = row[end].x - _half(row[end]) - CLEARANCE if end < len(row) else width - _MARGIN / 2
                bends = row[start:end]
                borders = [(one.x + other.x) / 2 for one, other in pairwise(bends)]
                for i, bend in enumerate(bends):
                    lane_left = borders[i - 1] + _LANE_GAP / 2 if i else left
                    lane_right = borders[i] - _LANE_GAP / 2 if i < len(borders) else right
                    found[bend] = Passage(bend.x, y, (lane_left, lane_right), (left, right))
                start = end + 1
    return found


def _half(box: Item) -> float:
    return (box.width - _GAP) / 2
