"""The rows of a picture: its boxes and, between them, the bends of passing arcs, in an order with few crossings.

The kernel finds the order and the positions (`layered_rows.hpp`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from bnfuse import _kernel

_SWEEPS, _LARGE_SWEEPS = 24, 10
_LARGE = 3_000  # items, from which time counts more than the last crossing
_EXCHANGES = 8  # rounds
_INWARDS = 0.1  # how much the middle of the picture pulls, so that it does not get wider than it must


class Item:
    """A box, or the bend of an arc that passes a row."""

    __slots__ = ("below", "is_box", "row", "width", "x")

    def __init__(self, row: int, width: float, is_box: bool) -> None:
        self.row = row
        self.width = width  # with the gap beside it
        self.is_box = is_box
        self.x = 0.0
        self.below: list[Item] = []  # what it is linked to


Link = tuple[Item, Item, float]
"""an item, one in the row below, and how strongly they attract each other"""


def linked(way: Sequence[Item]) -> list[Link]:
    """The items of an arc attract each other, its bends most strongly: long arcs should be straight."""
    last = len(way) - 2
    pulls = [1.0] if not last else [2.0 if i in (0, last) else 8.0 for i in range(last + 1)]
    return [(upper, lower, pull) for (upper, lower), pull in zip(pairwise(way), pulls, strict=True)]


def arranged(items: Sequence[Item], links: Sequence[Link]) -> list[list[Item]]:
    """The rows, from above, with their items in order and the positions of these."""
    number = {item: i for i, item in enumerate(items)}
    is_large = len(items) >= _LARGE
    order, places = _kernel.placed_rows(
        np.array([item.row for item in items], np.int32),
        np.array([item.width for item in items], np.float64),
        np.array([(number[upper], number[lower]) for upper, lower, _ in links], np.int32).reshape(-1, 2),
        np.array([pull for _, _, pull in links], np.float64),
        sweeps=_LARGE_SWEEPS if is_large else _SWEEPS,
        exchanges=0 if is_large else _EXCHANGES,
        inwards=_INWARDS,
    )
    for upper, lower, _ in links:
        upper.below.append(lower)
    for item, x in zip(items, places, strict=True):
        item.x = x
    rows: list[list[Item]] = [[] for _ in range(1 + max(item.row for item in items))]
    for i in order:
        rows[items[i].row].append(items[i])
    return rows


def settled(wanted: Sequence[float], gaps: Sequence[float]) -> list[float]:
    """Positions in this order with at least the i-th gap after the i-th, closest to the wanted ones: least squares."""
    offset, offsets = 0.0, [0.0]
    for gap in gaps:
        offset += gap
        offsets.append(offset)
    # Sums of wishes and numbers of items: those that touch move together.
    totals: list[float] = []
    counts: list[int] = []
    for want, offset in zip(wanted, offsets, strict=True):
        total, count = want - offset, 1
        while totals and totals[-1] * count > total * counts[-1]:
            total += totals.pop()
            count += counts.pop()
        totals.append(total)
        counts.append(count)
    places: list[float] = []
    for total, count in zip(totals, counts, strict=True):
        start = total / count
        places += [start + offset for offset in offsets[len(places) : len(places) + count]]
    return places
