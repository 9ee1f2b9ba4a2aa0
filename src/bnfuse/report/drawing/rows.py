"""The rows of a picture: its boxes, and between them the bends of arcs that pass, in an order with few crossings.

The order is found by barycentres, up and down, and by exchanging neighbours; places by sweeps that pull each item to
the mean of those that it is linked to, as far as the others of its row leave room (isotonic regression).
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Sequence
from itertools import pairwise

_SWEEPS, _LARGE_SWEEPS = 24, 10
_LARGE = 3_000  # items, from which time counts more than the last crossing
_EXCHANGES = 8  # rounds
_INWARDS = 0.1  # how much the middle of the picture pulls, so that it does not get wider than it must


class Item:
    """A box, or the bend of an arc that passes a row."""

    __slots__ = ("above", "below", "is_box", "place", "row", "width", "x")

    def __init__(self, row: int, width: float, is_box: bool) -> None:
        self.row = row
        self.width = width  # with the gap beside it
        self.is_box = is_box
        self.place = 0  # in its row, from the left
        self.x = 0.0
        self.above: list[tuple[Item, float]] = []  # what it is linked to, and how much that pulls
        self.below: list[tuple[Item, float]] = []


def link(way: Sequence[Item]) -> None:
    """The items of an arc pull at each other, its bends most: long arcs should be straight."""
    for i, (upper, lower) in enumerate(pairwise(way)):
        pull = 1.0 if len(way) == 2 else 2.0 if i in (0, len(way) - 2) else 8.0
        upper.below.append((lower, pull))
        lower.above.append((upper, pull))


def arranged(items: Sequence[Item]) -> list[list[Item]]:
    """The rows, from above, their items in order and with their places."""
    rows = _uncrossed(items)
    _spread(rows)
    return rows


def _uncrossed(items: Sequence[Item]) -> list[list[Item]]:
    rows: list[list[Item]] = [[] for _ in range(1 + max(item.row for item in items))]
    seen: set[Item] = set()
    for start in sorted(items, key=lambda item: item.row):  # what is linked starts side by side
        stack = [start]
        while stack:
            item = stack.pop()
            if item not in seen:
                seen.add(item)
                rows[item.row].append(item)
                stack.extend(other for other, _ in reversed(item.above + item.below))
    _number(rows)
    best, fewest = [list(row) for row in rows], _crossings(rows)
    for sweep in range(_sweeps(len(items))):
        down = sweep % 2 == 0
        for row in rows[1:] if down else rows[-2::-1]:
            row.sort(key=_barycentre_above if down else _barycentre_below)
            _number([row])
        crossings = _crossings(rows)
        if crossings < fewest:
            best, fewest = [list(row) for row in rows], crossings
    _number(best)
    if len(items) < _LARGE:
        _exchange(best)
    return best


def _sweeps(items: int) -> int:
    return _SWEEPS if items < _LARGE else _LARGE_SWEEPS


def _number(rows: Sequence[list[Item]]) -> None:
    for row in rows:
        for place, item in enumerate(row):
            item.place = place


def _barycentre_above(item: Item) -> float:
    return sum(other.place for other, _ in item.above) / len(item.above) if item.above else item.place


def _barycentre_below(item: Item) -> float:
    return sum(other.place for other, _ in item.below) / len(item.below) if item.below else item.place


def _crossings(rows: Sequence[list[Item]]) -> int:
    """Pairs of links between neighbouring rows that cross: inversions."""
    total = 0
    for row in rows:
        ends: list[int] = []
        for item in row:
            for end in sorted(other.place for other, _ in item.below):
                total += len(ends) - bisect.bisect_right(ends, end)
                bisect.insort(ends, end)
    return total


def _exchange(rows: Sequence[list[Item]]) -> None:
    """Neighbours change places as long as that saves crossings."""
    for _ in range(_EXCHANGES):
        has_changed = False
        for row in rows:
            for place in range(len(row) - 1):
                left, right = row[place], row[place + 1]
                if _saved(left.above, right.above) + _saved(left.below, right.below) > 0:
                    row[place], row[place + 1] = right, left
                    left.place, right.place = place + 1, place
                    has_changed = True
        if not has_changed:
            break


def _saved(left: Sequence[tuple[Item, float]], right: Sequence[tuple[Item, float]]) -> int:
    """How many crossings fewer the links of two neighbours have after an exchange."""
    saved = 0
    for one, _ in left:
        for other, _ in right:
            saved += (one.place > other.place) - (one.place < other.place)
    return saved


def _spread(rows: Sequence[list[Item]]) -> None:
    for row in rows:
        _settle(row, [0.0] * len(row))
    sweeps = _sweeps(sum(map(len, rows)))
    pulls = {item: _pulls(item) for row in rows for item in row}
    for sweep in range(sweeps):
        down, both = sweep % 2 == 0, sweep >= sweeps // 2
        which = 2 if both else 0 if down else 1
        for row in rows if down else rows[::-1]:
            wanted = []
            for item in row:
                links, total = pulls[item][which]
                place = 0.0
                for other, pull in links:
                    place += other.x * pull
                wanted.append(place / total)
            _settle(row, wanted)


def _pulls(item: Item) -> list[tuple[list[tuple[Item, float]], float]]:
    """What pulls at an item, and how much in all: from above, from below, and both."""
    both = item.above + item.below
    return [
        (links, _INWARDS + sum(pull for _, pull in links)) for links in (item.above or both, item.below or both, both)
    ]


def _settle(row: Sequence[Item], wanted: Sequence[float]) -> None:
    gaps = [(before.width + after.width) / 2 for before, after in pairwise(row)]
    for item, x in zip(row, settled(wanted, gaps.__getitem__), strict=True):
        item.x = x


def settled(wanted: Sequence[float], gap: Callable[[int], float]) -> list[float]:
    """Places in this order, `gap(i)` or more after the i-th, as close to those wanted as they can be: least squares."""
    offsets = [0.0]
    for i in range(len(wanted) - 1):
        offsets.append(offsets[-1] + gap(i))
    # Sums of wishes and numbers of items: those that touch move together.
    blocks: list[list[float]] = []
    for want, offset in zip(wanted, offsets, strict=True):
        blocks.append([want - offset, 1.0])
        while len(blocks) > 1 and blocks[-2][0] * blocks[-1][1] > blocks[-1][0] * blocks[-2][1]:
            total, items = blocks.pop()
            blocks[-1][0] += total
            blocks[-1][1] += items
    starts = [total / items for total, items in blocks for _ in range(int(items))]
    return [start + offset for start, offset in zip(starts, offsets, strict=True)]
