"""How far any network within a clique limit must be from the inputs, in mean SMHD or SHD: a proof, not an estimate."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bnfuse import _kernel
from bnfuse.fusion.table_sizes import most_members
from bnfuse.graphs.dag import DAG
from bnfuse.problem.problem import Problem
from bnfuse.problem.tally import Tally
from bnfuse.search.chains import best_branching, most_parents, rules_of, useful_arcs
from bnfuse.search.outcome import gain_of

Counts = npt.NDArray[np.int64]
Tables = tuple[Sequence[int], int]
"""The states of each variable, and the most numbers that a clique's table may have."""

Pairs = npt.NDArray[np.bool_]

_MOST_ROUNDS = 40
_STATES = 30_000
_WORK = 8_000_000
"""Rounds times squared edges: at most about a second; larger problems have the matroid alone."""
_MOST_MARRIAGES = 300_000
"""Of parents that a child may have: beyond that a rule on directions says nothing more."""


def problem_bound(problem: Problem, rounds: int | None = None) -> int:
    """What the summed SMHD or SHD of no network within the limit and the constraints of a problem is below."""
    if most_parents(problem) == 1 and (problem.counts_arcs or problem.constraints):  # nobody marries
        return problem.distance_without_arcs - gain_of(problem, best_branching(problem))
    bound = _shd_bound(problem, rounds) if problem.counts_arcs else _smhd_bound(problem, rounds)
    return bound if problem.constraints.directions == "any" else max(bound, _bound_by_arcs(problem, rounds))


def _smhd_bound(problem: Problem, rounds: int | None) -> int:
    tally, constraints, limit = problem.reference_tally, problem.constraints, problem.max_clique
    if not constraints and problem.max_table is None:
        return smhd_lower_bound(tally.moral, tally.seen, limit, rounds)
    if constraints.max_parents == 0:
        limit = 1
    tables = None if problem.max_table is None else (problem.state_counts, problem.max_table)
    return smhd_lower_bound(tally.moral, tally.seen, limit, rounds, _possible(problem), _forced(problem), tables)


def _bound_by_arcs(problem: Problem, rounds: int | None) -> int:
    """What a rule on directions says beside that: arcs are few, and parents of a child marry (see the kernel)."""
    gains = np.where(problem.fitting_pairs, problem.gain, 0)
    arcs = useful_arcs(problem).astype(np.uint8)
    families = arcs.sum(axis=0, dtype=np.int64)
    if int((families * (families - 1)).sum()) > 2 * _MOST_MARRIAGES:
        return 0
    if rounds is None:
        rounds = most_rounds(int((np.triu(gains, 1) > 0).sum()))
    index = {name: i for i, name in enumerate(problem.variables)}
    for source, target in problem.constraints.required:
        arcs[index[source], index[target]] = 2
    by_arc, limits = problem.counts_arcs, (problem.max_clique - 1, most_parents(problem))
    most = _kernel.arcs_weight(gains, arcs, by_arc, *limits, rounds)
    step = int(np.gcd.reduce(gains[~np.eye(len(gains), dtype=np.bool_)], initial=0)) or 1
    return problem.distance_without_arcs - most // step * step


def positive_pairs(problem: Problem) -> tuple[Counts, int]:
    """What each pair of variables can gain at most, where that is more than nothing; what required arcs lose.

    The pairs that a network joins in its moral graph, or for SHD by arcs, bring it no closer than these sums say.
    """
    if problem.counts_arcs:
        gains = np.where(rules_of(problem) > 0, problem.gain, 0)
        lost = int(gains.clip(max=0).sum())
        gains = gains.clip(min=0)
        return np.triu(np.maximum(gains, gains.T), 1), lost
    gains = np.triu(problem.gain, 1)
    if not problem.constraints and problem.max_table is None:
        return gains.clip(min=0), 0
    lost = int(gains[np.triu(_forced(problem), 1) & (gains < 0)].sum())
    return np.where(_possible(problem), gains, 0).clip(min=0), lost


def _shd_bound(problem: Problem, rounds: int | None) -> int:
    """The skeleton is a part of the moral graph: what bounds the weight of moral edges bounds that of arcs."""
    parents = most_parents(problem)
    pairs, lost = positive_pairs(problem)
    step = int(np.gcd.reduce(pairs, axis=None)) or 1
    tables = None if problem.max_table is None else (problem.state_counts, problem.max_table)
    heaviest = _heaviest(pairs, problem.max_clique, rounds, step, tables)
    if parents < problem.max_clique - 1:  # a DAG, too, is built by adding a vertex with so many edges at a time
        heaviest = min(heaviest, _heaviest(pairs, parents + 1, 0, step))
    return problem.distance_without_arcs - heaviest - lost


def _possible(problem: Problem) -> Pairs:
    """The moral edges that the constraints leave: an arc one way or the other, or a child that both may have.

    Two variables whose own states make too large a table are never joined.
    """
    allowed = problem.constraints.allowed(problem.tally) & problem.fitting_pairs
    index = {name: i for i, name in enumerate(problem.variables)}
    for source, target in problem.constraints.required:
        allowed[index[target], index[source]] = False
    possible = allowed | allowed.T
    if problem.constraints.max_parents is None or problem.constraints.max_parents > 1:
        common = allowed.astype(np.float32)
        possible |= (common @ common.T) > 0
    return possible & problem.fitting_pairs


def _forced(problem: Problem) -> Pairs:
    """The moral edges that the required arcs bring."""
    required = DAG(problem.variables, problem.constraints.required)
    forced: Pairs = Tally.of([required], [1]).moral > 0
    return forced


def smhd_lower_bound(
    counts: Counts,
    total: int | Counts,
    max_clique: int,
    rounds: int | None = None,
    possible: Pairs | None = None,
    forced: Pairs | None = None,
    tables: Tables | None = None,
) -> int:
    """A lower bound of the summed SMHD of any DAG with cliques of at most `max_clique`.

    `counts` has for each pair of variables the weight of the inputs whose moral graph joins them, `total` the weight of
    those that have a vote on it, or of all. Summed SMHD falls by `2 * count - total` with each moral edge, so the bound
    follows from the most that the edges of a graph with small cliques can weigh: those of the heaviest independent set
    of a rigidity matroid, and for `max_clique=2`, where that is a forest, exactly what the best network reaches. Above
    that, so many `rounds` tighten it by what minors of such a graph can have; with 0 rounds it never rises with
    `max_clique`, with more it may, and then the bound for the larger limit holds for the smaller one too.

    Of DAGs whose moral edges are all `possible`, and that have those that are `forced`, it can say more; and of those
    whose clique tables are limited: `tables` are the states of each variable, and the most numbers.
    """
    upper = np.triu(counts, 1)
    gains = 2 * upper - total
    step = int(np.gcd.reduce(gains[np.triu_indices(len(counts), 1)], initial=0)) or 1
    lost = 0 if forced is None else int(gains[np.triu(forced, 1) & (gains < 0)].sum())
    wanted = gains if possible is None else np.where(possible, gains, 0)
    return int(upper.sum()) - _heaviest(wanted, max_clique, rounds, step, tables) - lost


def most_rounds(edges: int) -> int:
    """Of looking for minors among so many edges, within about a second."""
    return min(_MOST_ROUNDS, _WORK // (edges**2 + 1))


def _heaviest(gains: Counts, max_clique: int, rounds: int | None, step: int, tables: Tables | None = None) -> int:
    """What the edges of a graph with small cliques weigh at most: a multiple of the step, as all sets of them do."""
    first, second = np.nonzero(np.triu(gains, 1) > 0)
    weights = gains[first, second]
    heaviest_first = np.argsort(-weights, kind="stable")
    edges = np.stack([first, second], axis=1).astype(np.int32)[heaviest_first]
    if rounds is None:
        rounds = most_rounds(len(edges))
    weighted = len(gains), edges, weights[heaviest_first], max_clique - 1
    heaviest = _kernel.minor_weight(*weighted, rounds)
    if rounds:
        heaviest = min(heaviest, _kernel.excess_weight(*weighted, _STATES))
    if tables is not None:
        heaviest = min(heaviest, _heaviest_shared_out(edges.tolist(), weights[heaviest_first].tolist(), *tables))
    return heaviest // step * step


def _heaviest_shared_out(
    edges: Sequence[Sequence[int]], weights: Sequence[int], counts: Sequence[int], max_table: int
) -> int:
    """The most that edges of a graph weigh whose clique tables are limited; edges come heaviest first.

    An edge counts for the end that is eliminated first. With its neighbours at that time a variable is in one clique,
    so it has at most as many as there are of those with the fewest states whose table fits. Sets of edges that can be
    shared out so among their ends are independent in a matroid (of matchings): taking the heaviest first is optimal.
    """
    near: list[list[int]] = [[] for _ in counts]
    for a, b in edges:
        near[a].append(counts[b])
        near[b].append(counts[a])
    room = [most_members(others, max_table // own) for own, others in zip(counts, near, strict=True)]
    held: list[set[int]] = [set() for _ in counts]
    full: set[int] = set()
    return sum(weight for i, weight in enumerate(weights) if _finds_room(i, edges, held, room, full))


def _finds_room(
    edge: int, edges: Sequence[Sequence[int]], held: list[set[int]], room: Sequence[int], full: set[int]
) -> bool:
    """Whether an edge can be given to one of its ends, others to their other ends; `full` are those that never help."""
    came: dict[int, tuple[int, int] | None] = {v: None for v in edges[edge] if v not in full}
    queue = list(came)
    for v in queue:
        if len(held[v]) < room[v]:
            end = v
            while (step := came[end]) is not None:
                before, moved = step
                held[before].remove(moved)
                held[end].add(moved)
                end = before
            held[end].add(edge)
            return True
        for other in held[v]:
            u = sum(edges[other]) - v
            if u not in came and u not in full:
                came[u] = v, other
                queue.append(u)
    full.update(came)
    return False
