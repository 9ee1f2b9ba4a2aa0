"""The distances between the inputs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from bnfuse import _kernel
from bnfuse.answer.result import Consensus
from bnfuse.graphs.dag import kernel_dags, refuse_many
from bnfuse.problem.input_votes import InputVotes
from bnfuse.problem.inputs import tally_of
from bnfuse.problem.problem import Problem

_MOST_COMPARED = 120

Distances: TypeAlias = npt.NDArray[np.float64]
Shares: TypeAlias = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Between:
    """Distances between inputs, with similar ones next to each other."""

    inputs: list[int]
    """their positions"""
    values: list[list[float | None]]
    """a row for each of them; None for two that share fewer than two variables"""


def between(consensus: Consensus) -> Between | None:
    """SMHD or SHD between every two inputs, similar ones adjacent; of many, those farthest from the consensus.

    SMHD also replaces FSim, which is neither symmetric nor fast. None for two that share fewer than two variables.
    """
    problem = consensus.problem
    if len(problem.names) < 2:
        return None
    chosen = list(range(len(problem.names)))
    if len(chosen) > _MOST_COMPARED:
        distances = consensus.distances
        chosen = sorted(chosen, key=lambda i: -distances[i])[:_MOST_COMPARED]
    inputs = problem.inputs
    is_plain = bool(inputs.dags) and not inputs.sees and not (inputs.directed and problem.counts_arcs)
    values = _between_networks(problem, chosen) if is_plain else _between_input_votes(problem, chosen)
    order = _grouped(values)
    ordered = values[np.ix_(order, order)].tolist()
    return Between([chosen[i] for i in order], [[_shown(value) for value in row] for row in ordered])


def _shown(distance: float) -> float | None:
    if math.isnan(distance):
        return None
    return int(distance) if distance.is_integer() else distance


def _between_networks(problem: Problem, chosen: list[int]) -> Distances:
    dags = kernel_dags([problem.dags[i] for i in chosen])
    measure = _kernel.shd if problem.counts_arcs else _kernel.smhd
    return np.array([measure(dag, dags) for dag in dags], np.float64)


def _between_input_votes(problem: Problem, chosen: list[int]) -> Distances:
    """On the pairs that both have. A difference counts by its part of a vote: half if one has no direction."""
    every = list(problem.inputs.input_votes)
    input_votes = [every[i] for i in chosen]
    having = np.array([[name in one.index for name in problem.variables] for one in input_votes])
    pairs, one_way, other_way = _votes(problem, input_votes)
    n = len(problem.variables)
    sees = having[:, pairs // n] & having[:, pairs % n]
    values = np.empty((len(input_votes), len(input_votes)))
    for i in range(len(input_votes)):
        forward, backward = one_way - one_way[i], other_way - other_way[i]
        neither = forward + backward
        differing = (np.abs(forward) + np.abs(backward) + np.abs(neither)) / 2
        values[i] = np.where(sees & sees[i], differing, 0).sum(axis=1)
    shared = having.astype(np.int64) @ having.T
    values[shared < 2] = np.nan
    np.fill_diagonal(values, 0)
    return values


def _votes(problem: Problem, input_votes: list[InputVotes]) -> tuple[npt.NDArray[np.int64], Shares, Shares]:
    """The pairs that the votes of some input join, with its votes for each direction.

    Each row holds the votes of one input; moral edges have one direction only.
    """
    votes = []
    for one in input_votes:
        tally = tally_of(problem.variables, [one], [1])
        refuse_many(len(problem.variables), "comparing inputs that are not networks")
        both = tally.arcs if problem.counts_arcs else np.triu(tally.moral)
        joined = np.flatnonzero(np.triu(both + both.T))
        votes.append((joined, both.ravel()[joined] / tally.parts, both.T.ravel()[joined] / tally.parts))
    pairs = np.unique(np.concatenate([joined for joined, *_ in votes]))
    one_way, other_way = (np.zeros((len(input_votes), len(pairs)), np.float32) for _ in range(2))
    for i, (joined, forward, backward) in enumerate(votes):
        places = np.searchsorted(pairs, joined)
        one_way[i, places], other_way[i, places] = forward, backward
    return pairs, one_way, other_way


def _grouped(values: Distances) -> list[int]:
    """An order in which similar inputs are adjacent: average linkage, the group that joins later first.

    So an input that stands apart comes first. Ties go to the first.
    """
    groups = [[i] for i in range(len(values))]
    between = np.nan_to_num(values, nan=np.nanmax(values))
    np.fill_diagonal(between, np.inf)
    while len(groups) > 1:
        a, b = sorted(divmod(int(between.argmin()), len(groups)))
        sizes = len(groups[a]), len(groups[b])
        joined = (sizes[0] * between[a] + sizes[1] * between[b]) / sum(sizes)
        groups[a] = groups[a] + groups[b] if sizes[0] < sizes[1] else groups[b] + groups[a]
        between[a, :] = between[:, a] = joined
        between[a, a] = np.inf
        between = np.delete(np.delete(between, b, 0), b, 1)
        del groups[b]
    return groups[0]
