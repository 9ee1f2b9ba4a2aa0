"""The paths of arcs between the boxes of a picture, which are in rows. The same as in geometry.js.

A path is a list of knots (x, y, slope): its two ends and, between them, the middles of some rows. It crosses the row of
a knot in a straight line. Between the rows, x is a cubic function of y, so a path never turns back, and its x at any
height is known without a search. A straight piece stays between two boxes, with a distance of `CLEARANCE` to both. So
does a curve in the rows that it passes, as the hull of its Bézier points there shows. Between two rows there are no
boxes.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Point = tuple[float, float]
Knot = tuple[float, float, float]
Way = tuple[Knot, ...]

BOX_HEIGHT = 26.0
HEAD = 8.0
"""length and width of an arrow's head"""
CLEARANCE = 5.0
"""between a box and an arc that passes it"""
PORT_GAP = HEAD + 1
"""the distance between the middles of two heads at a box that is wide enough"""
CORNER = 8.0
"""the part of a box's side, at either end, where no arc meets it"""
_HALF = BOX_HEIGHT / 2
_BAND = _HALF + 4  # the part of a row, above and below its middle, in which arcs keep to their lanes
_RELAXATIONS = 8
_TOLERANCE = 12.0  # how far a curve may leave its lane: its neighbours mostly do the same
_ASIDE = 5.0  # how far from the edge of a lane an arc keeps where it can, so that it need not be upright there


@dataclass(frozen=True, slots=True)
class Passage:
    """Where an arc passes a row."""

    x: float
    y: float
    lane: tuple[float, float]
    """its preferred position: apart from other arcs"""
    free: tuple[float, float]
    """its possible positions: clear of boxes"""


def fitted(start: Point, passages: Sequence[Passage], end: Point) -> Way:
    """A path from a box to an arrow's head, vertical at both ends, and smooth in between."""
    xs = _relaxed(start, passages, end)
    ys = [start[1], *(one.y for one in passages), end[1]]
    last = len(xs) - 1
    slopes = [0.0] * (last + 1)
    for i, one in enumerate(passages, 1):
        room = max(0.0, min(xs[i] - one.free[0], one.free[1] - xs[i])) / _BAND
        slope = (xs[i + 1] - xs[i - 1]) / (ys[i + 1] - ys[i - 1])
        slopes[i] = math.floor(100 * max(-room, min(room, slope)) + 0.5) / 100  # whole hundredths, as on the page
    corners = list(zip(xs, ys, slopes, strict=True))
    limits = [
        (max(one.free[0], one.lane[0] - _TOLERANCE), min(one.free[1], one.lane[1] + _TOLERANCE)) for one in passages
    ]
    knots = [corners[0]]
    here = 0
    while here < last:
        there = last
        while not _is_clear(corners, limits, here, there):
            there = here + (there - here) // 2
        knots.append(corners[there])
        here = there
    return tuple(knots)


def _edge(knots: Sequence[Knot], i: int, down: float) -> Knot:
    """Where the straight piece of a knot ends: at the edge of its row, above (-1) or below (1).

    A path leaves its first box straight for the length of the head at its other end, so that it is the same reversed.
    """
    x, y, slope = knots[i]
    dy = down * (HEAD if i == 0 else _BAND if i < len(knots) - 1 else 0.0)
    return x + slope * dy, y + dy, slope


def _relaxed(start: Point, passages: Sequence[Passage], end: Point) -> list[float]:
    """The x of all points, made as straight as the lanes allow."""
    xs = [start[0], *(one.x for one in passages), end[0]]
    ys = [start[1], *(one.y for one in passages), end[1]]
    bounds = [_inner(*one.lane) for one in passages]
    parts = [(y - before) / (after - before) for before, y, after in zip(ys, ys[1:], ys[2:], strict=False)]
    order = [(i, part, left, right) for i, (part, (left, right)) in enumerate(zip(parts, bounds, strict=True), 1)]
    for _ in range(_RELAXATIONS):
        for i, part, left, right in order:
            before = xs[i - 1]
            x = before + part * (xs[i + 1] - before)
            xs[i] = left if x < left else right if x > right else x
        order.reverse()
    return [xs[0], *(math.floor(x + 0.5) for x in xs[1:-1]), xs[-1]]


def _inner(left: float, right: float) -> tuple[float, float]:
    aside = min(_ASIDE, max(0.0, (right - left) / 3))
    return left + aside, right - aside


def _is_clear(corners: Sequence[Knot], limits: Sequence[Point], here: int, there: int) -> bool:
    """Whether a curve from one row to another stays between the boxes of the rows that it passes, or passes none."""
    if there == here + 1:
        return True
    down = 1 if corners[there][1] > corners[here][1] else -1
    start, end = _edge(corners, here, down), _edge(corners, there, -down)
    y0, height = start[1], end[1] - start[1]
    band = _BAND / abs(height)
    for i in range(here + 1, there):
        middle = (corners[i][1] - y0) / height
        left, right = limits[i - 1]
        hull = _hull(start, end, middle - band, middle + band)
        if min(hull) < left or max(hull) > right:
            return False
    return True


def _hull(one: Knot, other: Knot, first: float, second: float) -> tuple[float, float, float, float]:
    """The x of the Bézier points of a part of the curve between two knots, which lies between them."""
    (x0, y0, slope0), (x1, y1, slope1) = one, other
    leaving, arriving = slope0 * (y1 - y0), slope1 * (y1 - y0)
    square, cube = 3 * (x1 - x0) - 2 * leaving - arriving, 2 * (x0 - x1) + leaving + arriving
    start = x0 + first * (leaving + first * (square + first * cube))
    end = x0 + second * (leaving + second * (square + second * cube))
    third = (second - first) / 3
    return (
        start,
        start + third * (leaving + first * (2 * square + 3 * first * cube)),
        end - third * (leaving + second * (2 * square + 3 * second * cube)),
        end,
    )


def turned(way: Way) -> Way:
    """The same path reversed: its head is at the other end."""
    (x0, y0, _), *between, (x1, y1, _) = way
    head = HEAD if y1 > y0 else -HEAD
    return ((x1, y1 + head, 0.0), *reversed(between), (x0, y0 + head, 0.0))


def curve(way: Way) -> list[Point]:
    """The points of the cubic Bézier curves of a path, which ends where the arrow's head begins."""
    points: list[Point] = [way[0][:2]]
    down = 1 if way[-1][1] > way[0][1] else -1
    for i in range(len(way) - 1):
        (x0, y0, slope0), (x1, y1, slope1) = _edge(way, i, down), _edge(way, i + 1, -down)
        points += _straight(points[-1], (x0, y0))
        third = (y1 - y0) / 3
        points += [(x0 + slope0 * third, y0 + third), (x1 - slope1 * third, y1 - third), (x1, y1)]
    return points


def headless(points: Sequence[Point]) -> list[Point]:
    """A curve of an arc without a head: it continues to the box, where the head would be."""
    (x0, y0), (x1, y1) = points[-2:]
    length = math.hypot(x1 - x0, y1 - y0) or 1.0
    tip = (x1 + HEAD * (x1 - x0) / length, y1 + HEAD * (y1 - y0) / length)
    return [*points, *_straight((x1, y1), tip)]


def _straight(start: Point, end: Point) -> list[Point]:
    dx, dy = (end[0] - start[0]) / 3, (end[1] - start[1]) / 3
    return [(start[0] + dx, start[1] + dy), (end[0] - dx, end[1] - dy), end]


def common_port(x: float, width: float, other_x: float, other_width: float) -> float:
    """Where an arc to another box should leave this one: straight below, or as far to that side as possible."""
    half, other_half = port_reach(width), port_reach(other_width)
    left, right = max(x - half, other_x - other_half), min(x + half, other_x + other_half)
    if left <= right:
        return (left + right) / 2
    return x + half if other_x > x else x - half


def port_reach(width: float) -> float:
    """How far from the middle of a box arcs may meet it."""
    return max(0.0, width / 2 - CORNER)


def _nearest(gaps: Sequence[tuple[float, float]], x: float) -> tuple[float, float]:
    """Among gaps from left to right, the one that contains a position or is nearest to it; of two, the left one."""
    after = bisect.bisect_left(gaps, x, key=lambda gap: gap[1])  # the first that does not end before the place
    if after == 0 or (after < len(gaps) and gaps[after][0] <= x):
        return gaps[after]
    before = gaps[after - 1]
    return before if after == len(gaps) or x - before[1] <= gaps[after][0] - x else gaps[after]


class Streets:
    """The space that boxes leave free, for arcs that did not exist when the boxes were placed."""

    def __init__(self, centres: Sequence[Point], widths: Sequence[float], ways: dict[tuple[int, int], Way]) -> None:
        self.centres, self.widths = centres, widths
        self.ways = ways
        """the paths of the arcs that have one; others are added"""
        self._taken: dict[tuple[int, int], list[float]] = {}
        """for a box and its upper (-1) or lower (1) side: where arcs meet it"""
        self._full: set[tuple[int, int]] = set()
        """the sides on which no position is left that is apart from others; none will become free"""
        rows: dict[float, list[tuple[float, float]]] = {}
        for (x, y), width in zip(self.centres, self.widths, strict=True):
            rows.setdefault(y, []).append((x - width / 2 - CLEARANCE, x + width / 2 + CLEARANCE))
        self._gaps: dict[float, list[tuple[float, float]]] = {}
        for y in sorted(rows):
            edges = [-float("inf"), *(edge for box in sorted(rows[y]) for edge in box), float("inf")]
            self._gaps[y] = [
                (left, right) for left, right in zip(edges[::2], edges[1::2], strict=True) if left <= right
            ]
        self._rows = [*self._gaps]
        for arc, way in self.ways.items():
            self._take(arc, way)

    def _take(self, arc: tuple[int, int], way: Way) -> None:
        down = 1 if way[-1][1] > way[0][1] else -1
        self._taken.setdefault((arc[0], down), []).append(way[0][0])
        self._taken.setdefault((arc[1], -down), []).append(way[-1][0])

    def add(self, arcs: Iterable[tuple[int, int]]) -> None:
        """Find paths for arcs that have none, past the boxes on the straight line."""
        for arc in arcs:
            if arc not in self.ways:
                self.ways[arc] = self._way(*arc)
                self._take(arc, self.ways[arc])

    def _way(self, source: int, target: int) -> Way:
        if (target, source) in self.ways:
            return turned(self.ways[target, source])
        y0, y1 = self.centres[source][1], self.centres[target][1]
        down = 1 if y1 > y0 else -1
        leaves = self._port(source, target, down)
        arrives = self._port(target, source, -down)
        start, end = (leaves, y0 + down * _HALF), (arrives, y1 - down * (_HALF + HEAD))
        passages: list[Passage] = []
        x, y = start
        upper, lower = min(y0, y1), max(y0, y1)
        passed = self._rows[bisect.bisect_right(self._rows, upper) : bisect.bisect_left(self._rows, lower)]
        for row in passed if down == 1 else passed[::-1]:
            straight = x + (end[0] - x) * (row - y) / (end[1] - y)
            left, right = _nearest(self._gaps[row], straight)
            x, y = max(left, min(right, straight)), row
            passages.append(Passage(x, y, (left, right), (left, right)))
        return fitted(start, passages, end)

    def _port(self, box: int, other: int, side: int) -> float:
        """Where an arc meets a box: at a distance of a head's width from other arcs, if possible."""
        x, width = self.centres[box][0], self.widths[box]
        wish = common_port(x, width, self.centres[other][0], self.widths[other])
        if (box, side) in self._full:
            return wish
        taken = self._taken.get((box, side), [])
        places = [wish, *(place for one in taken for place in (one - PORT_GAP, one + PORT_GAP))]
        reach = port_reach(width)
        near = [place for place in places if abs(place - x) <= reach]
        free = [place for place in near if all(abs(place - one) >= PORT_GAP - 1e-6 for one in taken)]
        if not free and reach:
            self._full.add((box, side))
        return min(free, key=lambda place: (abs(place - wish), place), default=wish)
