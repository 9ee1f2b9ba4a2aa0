"""The result of a search: a network within the limit, the proof of its clique size, and how it was found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from bnfuse import _kernel
from bnfuse._base.options import thread_count
from bnfuse.fusion.cliques import clique_size, table_orders
from bnfuse.graphs.dag import DAG, kernel_dags, numbered, stacked
from bnfuse.problem.inputs import tally_of
from bnfuse.problem.pair_counts import Counts
from bnfuse.problem.problem import Problem, distance_without_arcs, gains
from bnfuse.problem.tally import Tally

_FEW_PAIRS = 25  # of parents, for each variable: up to this number, a list of edges is faster than a table


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a search's history: a generation of the genetic search, a section of the others."""

    step: int
    distance: float
    """of the best network within the limit so far"""
    clique_size: int
    """of that network"""
    mean: float
    """the mean of the population's values: distances, times clique / limit if over it; otherwise the distance"""
    evaluations: int
    """candidates (genetic: distinct ones; direct: moves) examined so far"""


@dataclass(frozen=True, slots=True)
class Found:
    """The end of a search."""

    method: str
    dag: DAG
    elimination_order: tuple[str, ...]
    """elimination in this order makes no clique larger than `clique_size`: the proof of tractability"""
    clique_size: int
    pruned: tuple[DAG, ...] | None = None
    """the inputs without their pruned arcs, whose fusion is the network; None for methods that do not prune them"""
    history: tuple[Step, ...] = ()
    stopped_by: str = "finished"
    """`finished`, `time limit` or `interrupted`"""
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        problem: Problem,
        method: str,
        dag: DAG,
        history: Sequence[Step] = (),
        stopped_by: str = "finished",
        elimination_order: tuple[str, ...] | None = None,
        pruned: tuple[DAG, ...] | None = None,
        notes: tuple[str, ...] = (),
    ) -> Found:
        """With the better one of the search's own elimination order and a new one."""
        order = proving_order(problem, dag, elimination_order)
        size = clique_along(dag, order)
        return cls(method, dag, order, size, pruned, tuple(history), stopped_by, notes)


def proving_order(problem: Problem, dag: DAG, own: tuple[str, ...] | None = None) -> tuple[str, ...]:
    """The best elimination order among the search's own and new ones: the one with the smallest largest clique.

    With a limit on tables, the one with the smallest largest table, among those within the limits if there are any.
    """
    if problem.max_table is None:
        best = clique_size(dag)
        return best.elimination_order if own is None or best <= clique_along(dag, own) else own
    sizes = problem.state_counts
    orders = [*([] if own is None else table_orders(dag, sizes, own)), *table_orders(dag, sizes)]
    limit = problem.max_clique
    return min(orders, key=lambda one: (one.clique_size > limit, one.table, one.clique_size)).elimination_order


def is_within(problem: Problem, dag: DAG, elimination_order: Sequence[str]) -> bool:
    """Whether elimination in this order proves a network to be within the limits."""
    if clique_along(dag, elimination_order) > problem.max_clique:
        return False
    return problem.max_table is None or table_along(problem, dag, elimination_order) <= problem.max_table


def table_along(problem: Problem, dag: DAG, elimination_order: Sequence[str]) -> int:
    """The numbers in the largest clique table of elimination in this order, counted without the kernel."""
    return table_orders(dag, problem.state_counts, elimination_order)[0].table


def clique_along(dag: DAG, elimination_order: Sequence[str]) -> int:
    """The largest clique of elimination in this order."""
    return _kernel.clique_along(dag.for_kernel, numbered(elimination_order, dag))


def mean_distance(problem: Problem, dag: DAG) -> float:
    """The weighted mean distance of a DAG to the references of a problem."""
    return problem.mean(summed_distance(problem, dag))


def summed_distance(problem: Problem, dag: DAG) -> int:
    """The weighted sum of the distances of a DAG to the references of a problem: a whole number."""
    if problem.metric != "fsim":
        return problem.distance_without_arcs - gain_of(problem, dag)
    distances = distances_to(problem, dag, problem.references)
    return sum(w * d for w, d in zip(problem.reference_weights, distances, strict=True))


def gain_of(problem: Problem, dag: DAG) -> int:
    """The decrease in summed SHD or SMHD from the network without arcs: linear in the arcs or the moral edges."""
    return _gained(problem.gain, dag, problem.counts_arcs)


def _gained(gain: Counts, dag: DAG, by_arc: bool) -> int:
    if by_arc:
        return int(gain[tuple(dag.arc_numbers.T)].sum())
    parents: dict[int, list[int]] = {}
    for source, target in dag.arc_numbers.tolist():
        parents.setdefault(target, []).append(source)
    if dag.has_rows and sum(len(own) ** 2 for own in parents.values()) > _FEW_PAIRS * len(dag.variables):
        return int(gain[Tally.of([dag], [1]).moral > 0].sum()) // 2
    edges = {(source, target) for target, own in parents.items() for source in own}
    for own in parents.values():
        edges.update(pair for pair in combinations(own, 2) if pair[::-1] not in edges)
    ends = np.array(list(edges), np.int64).reshape(-1, 2)
    return int(gain[ends[:, 0], ends[:, 1]].sum())


def distances_to_inputs(problem: Problem, dag: DAG) -> list[float]:
    """The distance of a DAG to each input, on the pairs on which the input votes."""
    inputs = problem.inputs
    if inputs.dags and not inputs.sees and not (inputs.directed and problem.counts_arcs):
        return [*distances_to(problem, dag, inputs.dags)]
    distances = []
    for one in inputs.input_votes:
        tally = tally_of(problem.variables, [one], [1])
        distances.append(distance_to_tally(tally, dag, problem.counts_arcs) / tally.parts)
    return distances


def distance_to_tally(tally: Tally, dag: DAG, by_arc: bool) -> int:
    """The summed SHD (by arc) or SMHD of a DAG over the same variables to the inputs of a tally."""
    return distance_without_arcs(tally, by_arc) - _gained(gains(tally, by_arc), dag, by_arc)


def distances_to(problem: Problem, dag: DAG, others: tuple[DAG, ...]) -> list[int]:
    """The distance of a DAG to each of several others, by the metric of a problem."""
    several = kernel_dags(others)
    if problem.metric == "smhd":
        return _kernel.smhd(dag.for_kernel, several)
    if problem.metric == "shd":
        return _kernel.shd(dag.for_kernel, several)
    return _kernel.fsim(dag.rows, stacked(others), problem.ties, True, thread_count(None))
