"""The inputs to be divided: subsets as separate problems, and the distances between inputs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from bnfuse.answer.schools.division.fits import Costs
from bnfuse.graphs.dag import DAG
from bnfuse.problem.inputs import Inputs, tally_of
from bnfuse.problem.problem import Problem
from bnfuse.problem.tally import Tally
from bnfuse.search.outcome import distance_to_tally, distances_to

Places = tuple[int, ...]
"""The positions of some inputs among all, ascending."""

GRAIN = 2.0**12
"""Shares of votes are rounded to this unit: their sums are exact, so ties are the same on every machine."""
_MOST_KEPT = 300  # up to this number of variables, the votes of single inputs are kept


def part_of(inputs: Inputs, places: Iterable[int]) -> Inputs:
    """Some of the inputs, over the same variables, with their votes in the same unit."""
    chosen = list(places)
    if len(chosen) == len(inputs.names):
        return inputs
    votes, weights = [inputs.input_votes[i] for i in chosen], [inputs.weights[i] for i in chosen]
    are_resamples = inputs.tally.is_of_resamples
    if inputs.tally.parts == 1 and inputs.tally.is_whole:
        tally = tally_of(inputs.variables, votes, weights, are_resamples)
    else:
        tally = Tally(inputs.variables, inputs.tally.parts)
        for one, weight in zip(votes, weights, strict=True):
            tally.count(one, weight, keep_parts=True, is_resample=are_resamples)
    return replace(
        inputs,
        input_votes=tuple(votes),
        names=tuple(inputs.names[i] for i in chosen),
        weights=tuple(weights),
        tally=tally,
        exact_weights=tuple(inputs.exact_weights[i] for i in chosen) if inputs.exact_weights else (),
        left_out=(),
        networks=tuple(inputs.networks[i] for i in chosen) if inputs.networks else (),
        notes=(),
    )


@dataclass(frozen=True)
class Panel:
    """All inputs of a problem, which are to be divided."""

    problem: Problem

    @property
    def size(self) -> int:
        """The number of inputs."""
        return len(self.problem.names)

    def problem_of(self, places: Places) -> Problem:
        """The problem of finding the network of some inputs; it has the same limits and constraints."""
        return replace(self.problem, inputs=part_of(self.problem.inputs, places))

    @cached_property
    def weights(self) -> npt.NDArray[np.float64]:
        """The weight of each input."""
        return np.array(self.problem.weights, np.float64)

    @cached_property
    def _tallies(self) -> list[Tally]:
        return [self._tally(i) for i in range(self.size)]

    def _tally(self, i: int) -> Tally:
        inputs = self.problem.inputs
        tally = Tally(inputs.variables, inputs.tally.parts)
        tally.count(inputs.input_votes[i], 1, keep_parts=True)
        return tally

    def _each(self) -> Iterable[Tally]:
        return self._tallies if len(self.problem.variables) <= _MOST_KEPT else map(self._tally, range(self.size))

    def distances(self, dag: DAG) -> list[int]:
        """The distance of each input from a network, in units of votes."""
        inputs, problem = self.problem.inputs, self.problem
        if inputs.dags and not inputs.sees and not (inputs.directed and problem.counts_arcs):
            return [inputs.tally.parts * one for one in distances_to(problem, dag, inputs.dags)]
        return [distance_to_tally(one, dag, problem.counts_arcs) for one in self._each()]

    @cached_property
    def votes(self) -> Costs:
        """By input, pair of variables on which they differ, and choice: the input's distance to that choice."""
        upper = np.triu_indices(len(self.problem.variables), 1)
        forward, backward, seen = [], [], []
        for tally in self._each():
            both = tally.arcs if self.problem.counts_arcs else tally.moral
            forward.append(both[upper].astype(np.float64))
            backward.append(both.T[upper].astype(np.float64))
            seen.append(tally.seen[upper].astype(np.float64))
        parts = self.problem.tally.parts
        one_way, other_way, votes = (np.rint(np.array(rows) * (GRAIN / parts)) for rows in (forward, backward, seen))
        neither = votes - one_way - (other_way if self.problem.counts_arcs else 0)
        shares = [neither, one_way, *([other_way] if self.problem.counts_arcs else [])]
        costs = np.stack([votes - share for share in shares], axis=2) / GRAIN
        varies = (costs != costs[:1]).any(axis=(0, 2))
        return np.ascontiguousarray(costs[:, varies])

    @cached_property
    def between(self) -> npt.NDArray[np.float64]:
        """The distance between two inputs: on the pairs that both have, scaled up to all pairs that differ."""
        costs = self.votes
        size, pairs, _ = costs.shape
        far = np.zeros((size, size))
        sees = costs.max(axis=2, initial=0) > 0  # an input without a vote on a pair has distance 0 to every choice
        for i in range(size):
            apart = np.abs(costs - costs[i]).sum(axis=2) / 2
            both = sees & sees[i]
            shared = both.sum(axis=1)
            far[i] = np.where(both, apart, 0).sum(axis=1) * (pairs / np.maximum(shared, 1))
        far[np.arange(size), np.arange(size)] = 0
        return far

    def between_networks(self, one: DAG, other: DAG) -> float:
        """The distance between two networks."""
        return float(distances_to(self.problem, one, (other,))[0])

    @cached_property
    def kinds(self) -> int:
        """The number of different inputs, as far as the distance can distinguish them."""
        return len({row.tobytes() for row in self.votes})


def places_of(labels: Sequence[int]) -> list[Places]:
    """The members of each group."""
    groups: dict[int, list[int]] = {}
    for place, label in enumerate(labels):
        groups.setdefault(label, []).append(place)
    return [tuple(groups[label]) for label in sorted(groups)]
