"""Greedy pruning (the paper's Algorithm 2): arcs are offered one by one and kept while the clique limit allows it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from bnfuse._base.options import check_options, choice, option
from bnfuse._base.public import public
from bnfuse.errors import ConstraintError
from bnfuse.problem.problem import Problem
from bnfuse.search.outcome import Found, Step
from bnfuse.search.paper.candidates import KINDS, ORDERS, TRIANGULATIONS, Candidates, Genes, Population
from bnfuse.search.run import Run

OFFERS = ("frequency", "in-turn")
RETURNED = ("best", "last")
_CHUNK = 64  # genes offered between two steps of the history
_FEW = 4  # between two checks of the clock
_PLACES = 33  # chromosomes of a path that are evaluated together


CANDIDATES_HELP = (
    "The arcs that are kept or pruned: shared (each distinct arc of the inputs), per-network (each arc of each "
    "input on "
    "its own), fused (the arcs of the full fusion)."
)


@public
@dataclass(frozen=True, slots=True)
class GreedyOptions:
    """The arcs, decoding, order of arcs and result of the greedy search.

    Parameters
    ----------
    candidates
        The arcs that are kept or pruned: "shared" (each distinct arc of the inputs), "per-network" (each arc of each
        input on its own) or "fused" (the arcs of the full fusion).
    offer
        "frequency" offers the most frequent arcs first, ties in lexicographic order; "in-turn" takes one arc of each
        input in turn ("per-network"), or the arcs in the order in which they occur in the inputs' minimal I-maps
        ("fused"), as the paper's public program does.
    order, triangulation
        As in `GeneticOptions`.
    returned
        The paper's search fills up to the limit and returns the "last" network, which may be farther from the inputs
        than earlier ones; "best" is the closest network along the path.

    Raises
    ------
    OptionError
        A value is invalid.

    References
    ----------
    Torrijos, Gámez, Puerta, Aledo: Genetic Algorithms for Tractable Bayesian Network Fusion via Pre-Fusion Edge
    Pruning. GECCO 2025.

    Examples
    --------
    >>> import bnfuse
    >>> networks = [bnfuse.DAG.from_edges([("A", "B"), ("C", "B")]), bnfuse.DAG.from_edges([("A", "B"), ("B", "C")])]
    >>> bnfuse.consensus(networks, max_clique=3, method=bnfuse.GreedyOptions(candidates="fused")).distance
    0.5
    """

    candidates: Literal["shared", "per-network", "fused"] = option("shared", CANDIDATES_HELP, choice(KINDS))
    offer: Literal["frequency", "in-turn"] = option(
        "frequency", "The order in which arcs are offered: frequency or in-turn.", choice(OFFERS)
    )
    order: Literal["inputs", "candidate"] = option(
        "inputs", "The order under which a candidate is fused: that of the inputs or of the candidate.", choice(ORDERS)
    )
    triangulation: Literal["min-fill", "mcs"] = option(
        "min-fill", "The triangulation that measures cliques: min-fill or mcs.", choice(TRIANGULATIONS)
    )
    returned: Literal["best", "last"] = option(
        "best", "The network along the path that is returned: best or last.", choice(RETURNED)
    )

    def __post_init__(self) -> None:
        check_options(self)


def greedy(problem: Problem, run: Run | None = None, options: GreedyOptions | None = None) -> Found:
    """The greedy consensus."""
    run, options = run or Run(), options or GreedyOptions()
    space = Candidates(problem, options.candidates, options.order, options.triangulation, run)
    path = GreedyPath(space, problem.max_clique, options.offer)
    best = space.evaluate(path.after(0))
    history: list[Step] = []
    try:
        while path.goes_on():
            best = _returned(path, best, options.returned)
            distance, clique = problem.mean(int(best.distance[0])), int(best.clique[0])
            history.append(Step(path.offered, distance, clique, distance, path.offered))
            run.report(path.offered, space.count, distance, clique)
    except KeyboardInterrupt:
        path.stopped_by = "interrupted"
    if path.stopped_by != "finished":
        best = _returned(path, best, options.returned)
    return space.found("greedy", best.genes[0], history, path.stopped_by)


def _returned(path: GreedyPath, best: Population, returned: str) -> Population:
    """The network to return at present, given the one before."""
    space, limit = path.space, path.limit
    if path.is_whole and returned == "best":
        return best_of_path(path, space.evaluate).joined(best).best(limit)  # it does not examine every network
    end = space.evaluate(path.end)
    return end if returned == "last" else best.joined(end).best(limit)


class GreedyPath:
    """The path of the greedy search within a limit and the constraints: the genes that it keeps, one by one."""

    def __init__(self, space: Candidates, limit: int, offer: str) -> None:
        self.space = space
        self.limit = limit
        self.kept: list[int] = []
        """the genes that were offered so far, after those of required arcs"""
        self.offered = 0
        self.stopped_by = "finished"
        self._first = np.zeros(space.count, np.bool_)
        self._genes = _offered(space, offer)
        space.start_greedy(limit)
        if space.fixed is not None:
            self._first, self._genes = _with_constraints(space, self._genes, limit)

    @property
    def is_whole(self) -> bool:
        """Whether all genes were offered."""
        return self.offered == len(self._genes)

    @property
    def kept_all(self) -> bool:
        """Whether all of them were kept: a larger limit would change nothing."""
        return self.is_whole and len(self.kept) == len(self._genes)

    def goes_on(self) -> bool:
        """Offer some more genes; return whether there were any, and time for them."""
        if self.is_whole:
            return False
        stop = min(self.offered + _CHUNK, len(self._genes))
        for start in range(self.offered, stop, _FEW):
            if self.space.run.clock.is_out:
                self.stopped_by = "time limit"
                return False
            few = self._genes[start : min(start + _FEW, stop)]
            self.kept += few[self.space.offer(few)].tolist()
        self.offered = stop
        return True

    @property
    def end(self) -> Genes:
        """A population of one: the chromosome with all genes that were kept."""
        return self.after(len(self.kept))

    def after(self, *lengths: int) -> Genes:
        """The chromosomes after these numbers of genes were kept."""
        genes = np.repeat(self._first[None], len(lengths), axis=0)
        for row, length in zip(genes, lengths, strict=True):
            row[self.kept[:length]] = True
        return genes


def best_of_path(path: GreedyPath, evaluate: Callable[[Genes], Population]) -> Population:
    """The best chromosome along the path.

    It evaluates positions all along the path, then positions between the neighbours of the best one, until none remain
    between them. On a short path these are all positions; on a long one it is enough, since the distance first falls
    along the path and then grows.
    """
    low, high = 0, len(path.kept)
    while True:
        places = sorted({low + (high - low) * i // (_PLACES - 1) for i in range(_PLACES)})
        population = evaluate(path.after(*places))
        best = population.best_place(path.limit)
        assert best is not None  # the path never leaves the limit
        if len(places) == high - low + 1:
            return population.take(slice(best, best + 1))
        low, high = places[max(best - 1, 0)], places[min(best + 1, len(places) - 1)]


def _with_constraints(
    space: Candidates, offered: npt.NDArray[np.int64], limit: int
) -> tuple[Genes, npt.NDArray[np.int64]]:
    """Start from the required arcs; return the other arcs to offer, as far as this is known beforehand."""
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
    """For each arc of the fusion, the first input whose minimal I-map has it."""
    n = len(space.problem.variables)
    first = np.full((n, n), len(space.problem.dags))
    for i, dag in reversed(list(enumerate(space.problem.fusion.imaps))):
        first[dag.arc_numbers[:, 0], dag.arc_numbers[:, 1]] = i
    met: npt.NDArray[np.int64] = first[space.arcs[:, 1], space.arcs[:, 2]]
    return met
