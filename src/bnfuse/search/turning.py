"""Directions that cost nothing: arcs are turned towards the inputs as long as the moral graph stays as it is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from bnfuse.dag import DAG
from bnfuse.found import Found, summed_distance
from bnfuse.problem import Problem
from bnfuse.search.chains import most_parents

Matrix = npt.NDArray[np.bool_]


def turned_to_support(problem: Problem, found: Found) -> Found:
    """The same network, in which no single arc can be turned to more support at the same moral graph and distance.

    SMHD depends on the moral graph alone, and so does the clique size; other distances are measured anew.
    """
    wanted, most = _wanted(problem), most_parents(problem)
    dag = found.dag
    adjacency = dag.to_adjacency()
    changed = True
    while changed:
        changed = False
        for source, target in np.argwhere(adjacency & wanted.T).tolist():
            if adjacency[:, source].sum() >= most or not _can_turn(adjacency, source, target):
                continue
            turned = adjacency.copy()
            turned[source, target], turned[target, source] = False, True
            other = DAG.from_adjacency(turned, problem.variables)
            if problem.metric == "smhd" or summed_distance(problem, other) == summed_distance(problem, dag):
                dag, adjacency, changed = other, turned, True
    return replace(found, dag=dag)


def _wanted(problem: Problem) -> Matrix:
    """The arcs (row -> column) that more inputs, by weight, have than their reverse, of those that may be there."""
    support = problem.tally.arcs
    wanted: Matrix = problem.constraints.allowed(problem.tally) & (support > support.T)
    index = {name: i for i, name in enumerate(problem.variables)}
    for source, target in problem.constraints.required:
        wanted[index[target], index[source]] = False
    return wanted


def _can_turn(adjacency: Matrix, source: int, target: int) -> bool:
    """Whether the network with this arc turned round has no cycle and the same moral graph."""
    apart = adjacency.copy()
    apart[source, target] = False
    if _reaches(apart, source, target):
        return False
    lost = [parent for parent in np.flatnonzero(apart[:, target]).tolist() if not _are_joined(apart, source, parent)]
    new = [parent for parent in np.flatnonzero(apart[:, source]).tolist() if not _are_joined(adjacency, target, parent)]
    return not lost and not new


def _are_joined(adjacency: Matrix, one: int, other: int) -> bool:
    """Whether the moral graph joins two variables."""
    return bool(adjacency[one, other] or adjacency[other, one] or (adjacency[one] & adjacency[other]).any())


def _reaches(adjacency: Matrix, start: int, goal: int) -> bool:
    seen, stack = {start}, [start]
    while stack:
        below = set(np.flatnonzero(adjacency[stack.pop()]).tolist())
        if goal in below:
            return True
        stack.extend(below - seen)
        seen |= below
    return False
