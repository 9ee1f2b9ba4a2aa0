"""Groups of inputs without the clique limit: k-majority, the k-means of votes.

Without a limit, the network closest to a group follows the majority of the group on each pair of variables. A fit
alternates between computing these majorities and assigning every input to its nearest group, from many starts at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Labels = npt.NDArray[np.int64]
Costs = npt.NDArray[np.float64]
"""By input, pair and choice (not joined, joined; or not joined, one direction, the other): the input's distance."""

_ITERATIONS = 40
_FAR = 1e12


@dataclass(frozen=True, slots=True)
class Fit:
    """A way to divide inputs into groups."""

    cost: float
    """the summed distance of the inputs to the majority of their group"""
    labels: tuple[int, ...]
    """the group of each input; groups are numbered by their first members, so the first input is in group 0"""


def fits(
    costs: Costs, k: int, starts: Labels, weights: npt.NDArray[np.float64] | None = None, least: int = 1
) -> list[Fit]:
    """The different ways to divide inputs in which fits end, the best first.

    Every group has at least `least` inputs; a start that never leads to such groups has no result.
    """
    best, labels, _ = _alternated(costs, k, starts, weights, least)
    found: dict[tuple[int, ...], float] = {}
    for cost, own in zip(best.tolist(), labels, strict=True):
        if cost < _FAR:
            found.setdefault(relabelled(own.tolist()), cost)
    return sorted((Fit(cost, own) for own, cost in found.items()), key=lambda one: (one.cost, one.labels))


def best_fit(costs: Costs, k: int, starts: Labels, least: int = 1) -> Fit | None:
    """The best of these ways."""
    best, labels, _ = _alternated(costs, k, starts, None, least)
    at = int(best.argmin())
    return Fit(float(best[at]), relabelled(labels[at].tolist())) if best[at] < _FAR else None


def cost_of_one(costs: Costs) -> float:
    """The summed distance of all inputs to their majority."""
    return float(costs.sum(axis=0).min(axis=1).sum())


def relabelled(labels: Sequence[int]) -> tuple[int, ...]:
    """The same groups, numbered by their first members."""
    number: dict[int, int] = {}
    return tuple(number.setdefault(one, len(number)) for one in labels)


def spread_starts(distances: npt.NDArray[np.float64], k: int, count: int, random: np.random.Generator) -> Labels:
    """Starts: k inputs, each more likely the farther it is from the previous ones, with every input at the nearest."""
    starts = np.zeros((count, len(distances)), np.int64)
    for row in starts:
        chosen = [int(random.integers(len(distances)))]
        while len(chosen) < k:
            near = distances[:, chosen].min(axis=1)
            total = near.cumsum()
            if total[-1] <= 0:
                chosen.append(int(random.integers(len(distances))))
            else:
                chosen.append(int(np.searchsorted(total, random.random() * total[-1], side="right")))
        row[:] = distances[:, chosen].argmin(axis=1)
    return starts


def linked_start(distances: npt.NDArray[np.float64], k: int) -> Labels:
    """The k groups of average linkage: the two nearest groups are joined until k remain; ties go to the first."""
    groups = [[i] for i in range(len(distances))]
    between = distances.astype(np.float64)
    np.fill_diagonal(between, np.inf)
    while len(groups) > k:
        a, b = sorted(divmod(int(between.argmin()), len(groups)))
        sizes = len(groups[a]), len(groups[b])
        between[a, :] = between[:, a] = (sizes[0] * between[a] + sizes[1] * between[b]) / sum(sizes)
        between[a, a] = np.inf
        between = np.delete(np.delete(between, b, 0), b, 1)
        groups[a] += groups.pop(b)
    labels = np.zeros(len(distances), np.int64)
    for number, members in enumerate(groups):
        labels[members] = number
    return labels[None]


def margins(costs: Costs, starts: Labels, least: int = 1) -> npt.NDArray[np.float64] | None:
    """For the best fit of two groups: how much farther each input is from the second than from the first."""
    best, _, apart = _alternated(costs, 2, starts, None, least)
    at = int(best.argmin())
    return apart[at] if best[at] < _FAR else None


def _alternated(
    costs: Costs, k: int, starts: Labels, weights: npt.NDArray[np.float64] | None, least: int
) -> tuple[npt.NDArray[np.float64], Labels, npt.NDArray[np.float64]]:
    """By start: the least cost, its groups and, for two groups, the difference between the distances to them."""
    inputs, pairs, choices = costs.shape
    flat = costs.reshape(inputs, pairs * choices)
    weight = np.ones(inputs) if weights is None else weights
    labels = starts.copy()
    best, kept = np.full(len(starts), _FAR), starts.copy()
    apart = np.zeros(starts.shape)
    groups = np.eye(k)
    for _ in range(_ITERATIONS):
        member = groups[labels].transpose(0, 2, 1)  # by start, group and input
        sums = ((member * weight) @ flat).reshape(len(starts), k, pairs, choices)
        chosen = (sums.argmin(axis=3)[..., None] == np.arange(choices)).reshape(len(starts), k, -1)
        far = flat @ chosen.transpose(0, 2, 1).astype(np.float64)  # by start, input and group
        own = np.take_along_axis(far, labels[:, :, None], 2)[:, :, 0]
        cost = np.where((member.sum(axis=2) >= least).all(axis=1), own @ weight, _FAR)
        is_better = cost < best
        best[is_better], kept[is_better] = cost[is_better], labels[is_better]
        if k == 2:
            apart[is_better] = (far[:, :, 1] - far[:, :, 0])[is_better]
        far = far + np.where(member.sum(axis=2) == 0, _FAR, 0)[:, None, :]
        nearest = np.where(own <= far.min(axis=2), labels, far.argmin(axis=2))
        if not is_better.any() or (nearest == labels).all():
            break
        labels = nearest
    return best, kept, apart
