"""A region of a large network: the part with the most disagreement, small enough for a picture."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from bnfuse.answer.disputes.pairs import Pair, disputed_pairs
from bnfuse.answer.result import Consensus

_MEMBERS = 40  # variables that fit in one picture
_LEAST = 2 / 3  # how contested a pair is on which a third of the weight disagrees with the largest side
_AROUND = 0.5  # the weight of the neighbours' disputes, on average, relative to one's own
_FEW = 2  # added to the number of arcs of a variable: one dispute of one arc is not a region
_SPREAD = 8  # neighbours of a variable that it brings into a region: more would make a star, and nothing else


@dataclass(frozen=True, slots=True)
class Region:
    """Some variables of a network, around a centre."""

    members: tuple[int, ...]
    """their numbers, nearest first"""
    centre: tuple[int, ...]
    """the two ends of a disputed pair, otherwise a variable"""
    disputed: tuple[Pair, ...] = ()
    """the disputed pairs of the whole network, the most contested first"""

    @property
    def contested(self) -> tuple[Pair, ...]:
        """Those on which at least a third of the weight disagrees with the largest side."""
        return tuple(pair for pair in self.disputed if pair.contested >= _LEAST)


def contested_region(consensus: Consensus, most: int = _MEMBERS) -> Region:
    """The region around the contested pair with the most other disputes nearby, relative to the number of arcs there.

    Only pairs on which a third of the weight or more disagrees with the largest side count, unless there are none: many
    arcs of single inputs should not outweigh a few that split them. Without any dispute, the region around the variable
    with most arcs.
    """
    numbers = {name: i for i, name in enumerate(consensus.dag.variables)}
    arcs = [(a, b) for a, b in consensus.dag.arc_numbers.tolist()]
    region = Region((), (), tuple(disputed_pairs(consensus)))
    if not region.disputed:
        return region_around(len(numbers), arcs, most)
    pairs = region.contested or region.disputed
    ends = [(numbers[pair.arc[0]], numbers[pair.arc[1]]) for pair in pairs]
    near = _neighbours(chain(arcs, ends))
    heat: defaultdict[int, float] = defaultdict(float)
    for v, pair in ((v, pair) for both, pair in zip(ends, pairs, strict=True) for v in both):
        heat[v] += pair.contested / (len(near[v]) + _FEW)
    warmth = {v: heat[v] + _AROUND * sum(heat[other] for other in near[v]) / len(near[v]) for v in [*heat]}
    worth = [pair.contested * (warmth[a] + warmth[b]) for (a, b), pair in zip(ends, pairs, strict=True)]
    centre = ends[worth.index(max(worth))]
    return replace(region, members=_nearest(centre, near, warmth, most), centre=centre)


def region_around(n: int, arcs: Sequence[tuple[int, int]], most: int = _MEMBERS) -> Region:
    """The region around the variable with most arcs."""
    near = _neighbours(arcs)
    middle = max(range(n), key=lambda v: (len(near[v]), -v))
    return Region(_nearest((middle,), near, {}, most), (middle,))


def _neighbours(arcs: Iterable[tuple[int, int]]) -> defaultdict[int, dict[int, None]]:
    near: defaultdict[int, dict[int, None]] = defaultdict(dict)
    for a, b in arcs:
        near[a][b] = near[b][a] = None
    return near


def _nearest(
    centre: tuple[int, ...], near: defaultdict[int, dict[int, None]], warmth: dict[int, float], most: int
) -> tuple[int, ...]:
    """Variables by their distance from a centre; among the neighbours of each, those with most disputes around them."""
    found = dict.fromkeys(centre)
    level = list(centre)
    while level and len(found) < most:
        after: dict[int, None] = {}
        for v in level:
            new = [other for other in near[v] if other not in found and other not in after]
            after.update(dict.fromkeys(sorted(new, key=lambda one: (-warmth.get(one, 0.0), one))[:_SPREAD]))
        level = list(after)
        found.update(after)
    return tuple(found)[:most]
