"""Greedy pruning (the paper's Algorithm 2): arcs are offered one by one and kept while the clique limit allows it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bnfuse._errors import ConstraintError
from bnfuse._options import check_options, choice, option
from bnfuse.found import Found, Step
from bnfuse.problem import Problem
from bnfuse.run import Run
from bnfuse.search.candidates import KINDS, ORDERS, TRIANGULATIONS, Candidates, Genes

OFFERS = ("frequency", "in-turn")
_CHUNK = 64  # genes offered between two steps of the history
_FEW = 4  # between two looks at the clock


CANDIDATES_HELP = (
    "Which arcs are kept or pruned: shared (each distinct arc of the inputs), per-network (each arc of each input on "
    "its own), fused (the arcs of the full fusion)."
)


@dataclass(frozen=True, slots=True)
class GreedyOptions:
    """Which arcs the greedy search chooses among, how it decodes, and in which order it offers arcs.

    `offer`: "frequency" takes the arcs that most inputs have first, ties in lexicographic order; "in-turn" takes one
    arc of each input in turn ("per-network"), or the arcs in the order in which the inputs' minimal I-maps show them
    ("fused"), as the paper's public program does. `order` and `triangulation` as in `GeneticOptions`.
    """

    candidates: str = option("shared", CANDIDATES_HELP, choice(KINDS))
    offer: str = option("frequency", "In which order arcs are offered: frequency or in-turn.", choice(OFFERS))
    order: str = option("inputs", "Under whose order a candidate is fused: inputs or candidate.", choice(ORDERS))
    triangulation: str = option("min-fill", "What measures cliques: min-fill or mcs.", choice(TRIANGULATIONS))

    def __post_init__(self) -> None:
        check_options(self)


def greedy(problem: Problem, run: Run | None = None, options: GreedyOptions | None = None) -> Found:
    """The greedy consensus."""
    run, options = run or Run(), options or GreedyOptions()
    space = Candidates(problem, options.candidates, options.order, options.triangulation, run)
    history: list[Step] = []

    def record(genes: Genes, offered: int) -> None:
        only = space.evaluate(genes[None])
        distance, clique = problem.mean(int(only.distance[0])), int(only.clique[0])
        history.append(Step(offered, distance, clique, distance, offered))
        run.report(offered, space.count, distance, clique)

    genes, stopped_by = greedy_genes(space, problem.max_clique, options.offer, record)
    return space.found("greedy", genes, history, stopped_by)


def greedy_genes(
    space: Candidates, limit: int, offer: str, record: Callable[[Genes, int], None] | None = None
) -> tuple[Genes, str]:
    """The genes that the greedy search keeps within a limit and the constraints, and what ended it."""
    genes = np.zeros(space.count, np.bool_)
    offered = _offered(space, offer)
    space.start_greedy(limit)
    if space.fixed is not None:
        genes, offered = _with_constraints(space, offered, limit)
    try:
        for start in range(0, len(offered), _CHUNK):
            chunk = offered[start : start + _CHUNK]
            for few in range(0, len(chunk), _FEW):
                if space.run.clock.is_out:
                    return genes, "time limit"
                genes[chunk[few : few + _FEW]] = space.offer(chunk[few : few + _FEW])
            if record:
                record(genes, start + len(chunk))
    except KeyboardInterrupt:
        return genes, "interrupted"
    return genes, "finished"


def _with_constraints(
    space: Candidates, offered: npt.NDArray[np.int64], limit: int
) -> tuple[Genes, npt.NDArray[np.int64]]:
    """Starts from the required arcs; gives what else may be offered, as far as it can be told beforehand."""
    start = space.repaired(np.zeros(space.count, np.bool_))
    if not space.offer(np.flatnonzero(start)).all():
        raise ConstraintError(f"no triangulation with cliques of at most {limit} was found for the required arcs")
    everything = space.repaired(np.ones(space.count, np.bool_))
    return start, offered[everything[offered] & ~start[offered]]


def _offered(space: Candidates, offer: str) -> npt.NDArray[np.int64]:
    """All genes in the order in which they are offered."""
    arcs = space.arcs
    if offer == "frequency" or space.kind == "shared":
        by_arc = np.lexsort((arcs[:, 0], arcs[:, 2], arcs[:, 1], -space.frequency[arcs[:, 3]]))
    elif space.kind == "per-network":
        first_of_input = np.searchsorted(arcs[:, 0], arcs[:, 0])
        by_arc = np.lexsort((arcs[:, 0], np.arange(len(arcs)) - first_of_input))
    else:
        by_arc = np.lexsort((arcs[:, 2], arcs[:, 1], _first_met(space)))
    return np.fromiter(dict.fromkeys(arcs[by_arc, 3].tolist()), np.int64)


def _first_met(space: Candidates) -> npt.NDArray[np.int64]:
    """For each arc of the fusion the first input whose minimal I-map has it."""
    n = len(space.problem.variables)
    first = np.full((n, n), len(space.problem.dags))
    for i, dag in reversed(list(enumerate(space.problem.fusion.imaps))):
        first[dag.arc_numbers[:, 0], dag.arc_numbers[:, 1]] = i
    met: npt.NDArray[np.int64] = first[space.arcs[:, 1], space.arcs[:, 2]]
    return met
