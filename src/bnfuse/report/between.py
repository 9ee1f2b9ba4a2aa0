"""How far the inputs are from each other."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from bnfuse import _kernel
from bnfuse.inputs import tally_of
from bnfuse.problem import Problem
from bnfuse.result import Result

_MOST_COMPARED = 120

Distances = npt.NDArray[np.float64]


def between(consensus: Result) -> dict[str, Any] | None:
    """SMHD or SHD between every two inputs, similar ones side by side; the farthest from the consensus of many.

    SMHD for FSim too, which is neither symmetric nor quick. None between two that share fewer than two variables.
    """
    problem = consensus.problem
    if len(problem.names) < 2:
        return None
    distances = consensus.distances
    chosen = sorted(range(len(problem.names)), key=lambda i: -distances[i])[:_MOST_COMPARED]
    inputs = problem.inputs
    is_plain = bool(inputs.dags) and not inputs.sees and not (inputs.directed and problem.counts_arcs)
    values = _between_networks(problem, chosen) if is_plain else _between_ballots(problem, chosen)
    order = _grouped(values)
    ordered = values[np.ix_(order, order)].tolist()
    return {"inputs": [chosen[i] for i in order], "values": [[_shown(value) for value in row] for row in ordered]}


def _shown(distance: float) -> float | None:
    if math.isnan(distance):
        return None
    return int(distance) if distance.is_integer() else distance


def _between_networks(problem: Problem, chosen: list[int]) -> Distances:
    rows = problem.rows[chosen]
    measure = _kernel.shd if problem.counts_arcs else _kernel.smhd
    return np.array([measure(row, rows) for row in rows], np.float64)


def _between_ballots(problem: Problem, chosen: list[int]) -> Distances:
    """On the pairs that both have. What differs counts by its part of a vote: half where one gives no direction."""
    one_way, other_way, sees = _votes(problem, chosen)
    values = np.empty((len(chosen), len(chosen)))
    for i in range(len(chosen)):
        forward, backward = one_way - one_way[i], other_way - other_way[i]
        neither = forward + backward
        differing = (np.abs(forward) + np.abs(backward) + np.abs(neither)) / 2
        values[i] = np.where(sees & sees[i], differing, 0).sum(axis=1)
    having = _having(problem, chosen).astype(np.int64)
    values[having @ having.T < 2] = np.nan
    np.fill_diagonal(values, 0)
    return values


def _having(problem: Problem, chosen: list[int]) -> npt.NDArray[np.bool_]:
    """In a row for each input: which variables it has."""
    ballots = list(problem.inputs.ballots)
    return np.array([[name in ballots[i].index for name in problem.variables] for i in chosen])


def _votes(
    problem: Problem, chosen: list[int]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
    """In a row for each input, a column for each pair that some input joins: its vote for the one way and for the
    other way (moral edges have one), and whether it has both variables.
    """
    n, ballots = len(problem.variables), list(problem.inputs.ballots)
    votes = []
    for i in chosen:
        tally = tally_of(problem.variables, [ballots[i]], [1])
        both = tally.arcs if problem.counts_arcs else np.triu(tally.moral)
        pairs = np.flatnonzero(np.triu(both + both.T))
        votes.append((pairs, both.ravel()[pairs] / tally.parts, both.T.ravel()[pairs] / tally.parts))
    columns = np.unique(np.concatenate([pairs for pairs, *_ in votes]))
    one_way, other_way = (np.zeros((len(chosen), len(columns)), np.float32) for _ in range(2))
    for i, (pairs, forward, backward) in enumerate(votes):
        places = np.searchsorted(columns, pairs)
        one_way[i, places], other_way[i, places] = forward, backward
    having = _having(problem, chosen)
    return one_way, other_way, having[:, columns // n] & having[:, columns % n]


def _grouped(values: Distances) -> list[int]:
    """An order in which similar inputs are neighbours: average linkage, the group that joins later first.

    So whoever stands apart comes first. Ties: the first.
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
