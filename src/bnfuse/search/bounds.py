"""How far any network within a clique limit must be from the inputs, in mean SMHD or SHD: a proof, not an estimate."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bnfuse import _kernel
from bnfuse.problem.problem import Problem

Counts = npt.NDArray[np.int64]


def problem_bound(problem: Problem, rounds: int | None = None) -> int:
    """What the summed SMHD or SHD of no network within the limit and the constraints of a problem is below."""
    return problem.kernel.bound(_kernel.USUAL_ROUNDS if rounds is None else rounds)


def positive_pairs(problem: Problem) -> tuple[Counts, int]:
    """What each pair of variables can gain at most, where that is more than nothing; what required arcs lose.

    The pairs that a network joins in its moral graph, or for SHD by arcs, bring it no closer than these sums say.
    """
    return problem.kernel.positive_pairs()


def smhd_lower_bound(counts: Counts, total: int | Counts, max_clique: int, rounds: int | None = None) -> int:
    """A lower bound of the summed SMHD of any DAG with cliques of at most `max_clique`.

    `counts` has for each pair of variables the weight of the inputs whose moral graph joins them, `total` the weight of
    those that have a vote on it, or of all. Summed SMHD falls by `2 * count - total` with each moral edge, so the bound
    follows from the most that the edges of a graph with small cliques can weigh: those of the heaviest independent set
    of a rigidity matroid, and for `max_clique=2`, where that is a forest, exactly what the best network reaches. Above
    that, so many `rounds` tighten it by what minors of such a graph can have; with 0 rounds it never rises with
    `max_clique`, with more it may, and then the bound for the larger limit holds for the smaller one too.
    """
    moral = np.ascontiguousarray(np.triu(counts, 1), np.int64)
    seen = np.ascontiguousarray(np.broadcast_to(total, moral.shape), np.int64)
    none = np.zeros_like(moral)
    problem = _kernel.ConsensusProblem(
        limit=max_clique,
        max_parents=-1,
        metric="smhd",
        directions="any",
        is_listed=False,
        arcs=none.astype(np.uint8),
        input_arcs=none,
        input_seen=seen,
        reference_arcs=none,
        reference_moral=moral,
        reference_seen=seen,
        reference_weight=int(seen.max(initial=0)),
        is_whole=False,
        oriented=none,
        worth=none,
    )
    return problem.bound(_kernel.USUAL_ROUNDS if rounds is None else rounds)
