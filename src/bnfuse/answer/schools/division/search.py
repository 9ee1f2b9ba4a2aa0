"""The search for k networks that are together closest to the inputs.

Fits without the clique limit suggest how to divide the inputs. Starting from the best of these, the networks of the
groups are searched, and every input moves to the nearest network, until nothing changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from bnfuse.answer.methods import searched
from bnfuse.answer.question import Options
from bnfuse.answer.schools.division.bounds import FEW, Bounds, block_bound, divisions, least_division, set_bounds
from bnfuse.answer.schools.division.fits import fits, linked_start, relabelled, spread_starts
from bnfuse.answer.schools.division.panel import Panel, Places, places_of
from bnfuse.search.direct import DirectOptions
from bnfuse.search.outcome import Found, summed_distance
from bnfuse.search.run import Run

_STARTS = 60
_CANDIDATES = 5
_ROUNDS = 20
_FINAL_ROUNDS = 4
_DIVISIONS = 40  # divisions to try for few inputs if their bound is below the best one found
_ROUNDS_OF_BOUNDS = 3


@dataclass(frozen=True, slots=True)
class Division:
    """A way to divide the inputs, and the result for each group."""

    cost: int
    """the summed distance of the inputs to the networks of their groups"""
    groups: tuple[Places, ...]
    found: tuple[Found, ...]


class SchoolSearch:
    """The networks of groups, each searched once."""

    def __init__(self, panel: Panel, run: Run, options: Options) -> None:
        self.panel, self.run, self.options = panel, run, options
        self.stopped_by = "finished"
        self._known: dict[tuple[Places, bool], tuple[int, Found]] = {}

    def division(self, places: Sequence[int], k: int, least: int) -> tuple[Division, int]:
        """The best division of these inputs into k groups that was found, and a bound for all divisions."""
        bounds = self._set_bounds(places, k)
        best = self._best(places, k, least, bounds)
        final = self._final(best, least)
        labels = [next(c for c, group in enumerate(final.groups) if place in group) for place in places]
        if bounds is not None:
            return final, least_division(bounds, len(places), k)
        return final, block_bound(self.panel, places, labels, k, self.run.clock)

    @property
    def is_over(self) -> bool:
        """Whether the time is up, or the search was interrupted."""
        if self.stopped_by == "finished" and self.run.clock.is_out:
            self.stopped_by = "time limit"
        return self.stopped_by != "finished"

    def _set_bounds(self, places: Sequence[int], k: int) -> Bounds | None:
        if k == 1 or len(places) > FEW:
            return None
        return set_bounds(self.panel, places, _ROUNDS_OF_BOUNDS, self.run.clock)

    def _best(self, places: Sequence[int], k: int, least: int, bounds: Bounds | None) -> Division:
        if k == 1:
            return self.solved([tuple(places)])
        best: Division | None = None
        for labels in self._candidates(places, k, least):
            found = self._alternated(places, labels, k, least)
            if best is None or found.cost < best.cost:
                best = found
            if self.is_over:
                break
        assert best is not None
        if bounds is None or self.is_over:
            return best
        for bound, sets in divisions(bounds, len(places), k)[:_DIVISIONS]:
            if bound >= best.cost or self.is_over:
                break
            if min(chosen.bit_count() for chosen in sets) < least:
                continue
            groups = [tuple(place for i, place in enumerate(places) if chosen >> i & 1) for chosen in sets]
            best = min(best, self.solved(groups), key=lambda one: one.cost)
        return best

    def _candidates(self, places: Sequence[int], k: int, least: int) -> list[tuple[int, ...]]:
        """The best ways to divide the inputs without the clique limit."""
        chosen = list(places)
        between = self.panel.between[np.ix_(chosen, chosen)]
        random = np.random.default_rng([self.run.seed, k])
        linked = linked_start(between, k)
        starts = np.concatenate([linked, spread_starts(between, k, _STARTS, random)])
        found = fits(self.panel.votes[chosen], k, starts, self.panel.weights[chosen], least)
        whole = [one.labels for one in found if len(set(one.labels)) == k][:_CANDIDATES]
        return whole or [_evenly(len(chosen), k)]

    def _alternated(self, places: Sequence[int], labels: Sequence[int], k: int, least: int) -> Division:
        """From a division: networks for the groups, and every input to the nearest, while that helps."""
        best = self.solved(_groups(places, labels))
        for _ in range(_ROUNDS):
            moved = self._moved(best, least)
            if moved is None or self.is_over:
                break
            found = self.solved(moved)
            if found.cost >= best.cost:
                break
            best = found
        return best

    def _moved(self, division: Division, least: int) -> list[Places] | None:
        """The groups if every input moves to the nearest network; None if none moves, or too few would stay."""
        distances = np.array([self.panel.distances(one.dag) for one in division.found])
        groups: list[list[int]] = [[] for _ in division.groups]
        is_moved = False
        for own, group in enumerate(division.groups):
            for place in group:
                nearest = int(distances[:, place].argmin())
                if distances[nearest, place] < distances[own, place]:
                    is_moved = True
                    groups[nearest].append(place)
                else:
                    groups[own].append(place)
        if not is_moved or min(map(len, groups)) < least:
            return None
        return [tuple(sorted(group)) for group in groups]

    def _final(self, division: Division, least: int) -> Division:
        """The same with the full effort that was requested; inputs that are then nearer to another group move there."""
        best = self.solved(division.groups, in_full=True)
        for _ in range(_FINAL_ROUNDS):
            moved = self._moved(best, least)
            if moved is None or self.is_over:
                break
            found = self.solved(moved, in_full=True)
            if found.cost >= best.cost:
                break
            best = found
        return best

    def solved(self, groups: Sequence[Places], in_full: bool = False) -> Division:
        """The networks of these groups."""
        ordered = sorted(groups, key=lambda group: (-len(group), group))
        solved = [self.network(group, in_full) for group in ordered]
        return Division(sum(cost for cost, _ in solved), tuple(ordered), tuple(found for _, found in solved))

    def network(self, group: Places, in_full: bool = True) -> tuple[int, Found]:
        """The summed distance and the network of a group."""
        options = self.options if in_full else DirectOptions("quick")
        is_full = in_full and options != DirectOptions("quick")
        known = self._known.get((group, is_full))
        if known is None:
            problem = self.panel.problem_of(group)
            left = self.run.clock.left
            limit = None if self.run.time_limit is None else max(left, 1e-3)
            run = Run(self.run.seed, self.run.threads, limit, self.run.progress if in_full else None)
            found = searched(problem, run, options)
            if found.stopped_by == "interrupted":
                self.stopped_by = "interrupted"
            known = summed_distance(problem, found.dag), replace(found, notes=())
            quick = self._known.get((group, False))
            if quick is not None and quick[0] < known[0]:
                known = quick
            self._known[group, is_full] = known
        return known


def _evenly(inputs: int, k: int) -> tuple[int, ...]:
    """Where all starts lead to too few groups: neighbours together."""
    return relabelled([i * k // inputs for i in range(inputs)])


def _groups(places: Sequence[int], labels: Sequence[int]) -> list[Places]:
    return [tuple(places[i] for i in group) for group in places_of(labels)]
