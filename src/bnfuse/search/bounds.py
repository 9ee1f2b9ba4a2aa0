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
