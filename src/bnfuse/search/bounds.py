"""How far any network within a clique limit must be from the inputs, in mean SMHD or SHD: a proof, not an estimate."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bnfuse import _kernel
from bnfuse.problem.problem import Problem

Counts = npt.NDArray[np.int64]


def problem_bound(problem: Problem, rounds: int | None = None) -> int:
    """A lower bound on the summed SMHD or SHD of any network within the limit and the constraints of a problem."""
    return problem.kernel.bound(_kernel.USUAL_ROUNDS if rounds is None else rounds)


def positive_pairs(problem: Problem) -> tuple[Counts, int]:
    """The largest gain of each pair of variables, where it is positive, and the loss through required arcs.

    The pairs that a network joins in its moral graph, or for SHD by arcs, bring it no closer than these sums allow.
    """
    return problem.kernel.positive_pairs()
