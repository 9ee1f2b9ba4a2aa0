"""A proof of how far inputs must be from any k networks within the limits.

The networks nearest to a set of inputs are at least as far from them as those nearest to a part of the set are from
that part. So the inputs are put into blocks, and in each block every way to divide it is bounded from below. The least
of these bounds holds for the block, and the sum over blocks holds for all inputs. The sum of the bounds of the groups
that were found is not such a bound, as it holds for these groups only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from bnfuse.answer.schools.division.panel import GRAIN, Panel, Places
from bnfuse.problem.constraints import NO_CONSTRAINTS, Constraints
from bnfuse.search.bounds import problem_bound
from bnfuse.search.run import Clock

FEW = 8
"""up to this number of inputs, every set of them is bounded as a separate problem"""
_BLOCK = 12
_BLOCK_OF_MANY = 10  # if there are more than two schools

Bounds = npt.NDArray[np.int64]
"""The bounds by set of inputs, as bits."""


def set_bounds(panel: Panel, places: Sequence[int], rounds: int | None = None, clock: Clock | None = None) -> Bounds:
    """A lower bound on the summed distance of each set of these inputs to its own network.

    The network of a set satisfies the constraints and the rule on directions, by the votes of the set.
    """
    return _bounds(len(places), lambda chosen: _bound(panel, tuple(places[i] for i in chosen), rounds), clock)


def least_division(bounds: Bounds, inputs: int, k: int) -> int:
    """The least sum of bounds over all ways to divide the inputs into k groups, none of them empty."""
    full = (1 << inputs) - 1
    best = {mask: int(bounds[mask]) for mask in range(1, full + 1)}
    for _ in range(k - 1):
        best = {
            mask: min((best[rest] + int(bounds[mask ^ rest]) for rest in _rests(mask) if rest in best), default=-1)
            for mask in (range(1, full + 1))
            if mask.bit_count() > 1
        }
        best = {mask: value for mask, value in best.items() if value >= 0}
    return best[full]


def divisions(bounds: Bounds, inputs: int, k: int) -> list[tuple[int, tuple[int, ...]]]:
    """All ways to divide the inputs into k groups, as sets, with the sum of their bounds; the least first."""
    found: list[tuple[int, tuple[int, ...]]] = []

    def grow(left: int, groups: tuple[int, ...], total: int) -> None:
        if len(groups) == k - 1:
            found.append((total + int(bounds[left]), (*groups, left)))
            return
        lowest = left & -left
        rest = left ^ lowest
        chosen = rest
        while True:
            if (rest ^ chosen).bit_count() >= k - len(groups) - 1:
                own = chosen | lowest
                grow(left ^ own, (*groups, own), total + int(bounds[own]))
            if not chosen:
                break
            chosen = (chosen - 1) & rest

    grow((1 << inputs) - 1, (), 0)
    return sorted(found)


def block_bound(panel: Panel, places: Sequence[int], labels: Sequence[int], k: int, clock: Clock) -> int:
    """A lower bound on the summed distance of the inputs to any k networks.

    Every block has members of each group that was found, in proportion: the bound is best for blocks that resemble the
    whole.
    """
    if k == 1:
        return problem_bound(panel.problem_of(tuple(places)))
    spread = [place for _, place in sorted(_spread(places, labels))]
    large, small = _blocks(spread, _BLOCK if k == 2 else _BLOCK_OF_MANY), _blocks(spread, FEW)
    quick = sum(_at_most(_votes_bounds(panel, block), len(block), k) for block in large)
    relaxed = Panel(replace(panel.problem, constraints=_for_all_groups(panel)))
    if clock.is_out or quick < 0:
        return max(quick, 0)
    exact = sum(_at_most(set_bounds(relaxed, block, 0, clock), len(block), k) for block in small)
    return max(quick, exact)


def _spread(places: Sequence[int], labels: Sequence[int]) -> list[tuple[tuple[float, int], int]]:
    """The inputs with keys that spread the members of each group evenly."""
    sizes = {label: labels.count(label) for label in set(labels)}
    seen = dict.fromkeys(sizes, 0)
    keyed = []
    for place, label in zip(places, labels, strict=True):
        keyed.append((((seen[label] + 0.5) / sizes[label], label), place))
        seen[label] += 1
    return keyed


def _blocks(places: Sequence[int], most: int) -> list[list[int]]:
    """Sections of about the same length."""
    count = -(-len(places) // most)
    cuts = [len(places) * i // count for i in range(count + 1)]
    return [list(places[a:b]) for a, b in pairwise(cuts)]


def _for_all_groups(panel: Panel) -> Constraints:
    """The constraints that hold for a group if and only if they hold for each part of it.

    The rule on directions depends on the members of a group. If inputs lack variables, so do the pairs that may be
    joined, and with them the effect of the other constraints.
    """
    if not panel.problem.tally.is_whole:
        return replace(NO_CONSTRAINTS, directions="any")
    return replace(panel.problem.constraints, directions="any")


def _bound(panel: Panel, places: Places, rounds: int | None) -> int:
    return max(problem_bound(panel.problem_of(places), rounds), 0)


def _bounds(inputs: int, bound: Callable[[list[int]], int], clock: Clock | None) -> Bounds:
    found = np.zeros(1 << inputs, np.int64)
    for mask in range(1, 1 << inputs):
        if clock is not None and clock.is_out:
            break  # 0 holds for every set
        found[mask] = bound([i for i in range(inputs) if mask >> i & 1])
    return found


def _votes_bounds(panel: Panel, places: Sequence[int]) -> Bounds:
    """The same without the clique limit: on each pair of variables, the majority of a set."""
    masks = np.arange(1 << len(places))
    member = (masks[:, None] >> np.arange(len(places)) & 1).astype(np.float64)
    weights = panel.weights[list(places)]
    costs = panel.votes[list(places)] * panel.problem.tally.parts
    total = np.zeros(len(masks))
    for pair in range(costs.shape[1]):
        total += (member @ (costs[:, pair] * weights[:, None])).min(axis=1)
    has_shares = any(panel.problem.inputs.input_votes[i].shares is not None for i in places)
    slack = costs.shape[1] * weights.sum() * panel.problem.tally.parts / GRAIN if has_shares else 0.0
    return np.maximum(np.floor(total - slack + 1e-6), 0).astype(np.int64)


def _at_most(bounds: Bounds, inputs: int, k: int) -> int:
    """The least sum over all ways to divide a block into k groups or fewer."""
    full = (1 << inputs) - 1
    best = bounds.copy()
    for _ in range(k - 2):
        best = np.array([_least(bounds, best, mask) for mask in range(full + 1)])
    return _least(bounds, best, full)


def _least(bounds: Bounds, best: Bounds, mask: int) -> int:
    rests = np.array([*_rests(mask), 0, mask])
    return int((best[rests] + bounds[mask ^ rests]).min())


def _rests(mask: int) -> list[int]:
    """The nonempty proper subsets of a set."""
    found, rest = [], (mask - 1) & mask
    while rest:
        found.append(rest)
        rest = (rest - 1) & mask
    return found
