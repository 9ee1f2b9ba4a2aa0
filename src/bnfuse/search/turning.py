"""Directions that cost nothing: arcs are reversed to agree with more inputs while the moral graph stays the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bnfuse.problem.problem import Problem
from bnfuse.search.chains import arcs_of, dag_of
from bnfuse.search.outcome import Found, summed_distance


def turned_to_support(problem: Problem, found: Found) -> Found:
    """The same network, with arcs reversed until none can gain support at the same moral graph and distance.

    SMHD and the clique size depend on the moral graph alone; SHD depends on the arcs; FSim is measured again.
    """
    distance = None

    def keeps(arcs: list[tuple[int, int]]) -> bool:
        nonlocal distance
        if distance is None:
            distance = summed_distance(problem, found.dag)
        return summed_distance(problem, dag_of(problem, arcs)) == distance

    arcs = problem.kernel.turned(arcs_of(found.dag), keeps if problem.metric == "fsim" else None)
    return replace(found, dag=dag_of(problem, arcs))


def are_joined(children: Sequence[set[int]], one: int, other: int) -> bool:
    """Whether two variables are joined in the moral graph of the network with these children."""
    return other in children[one] or one in children[other] or not children[one].isdisjoint(children[other])
