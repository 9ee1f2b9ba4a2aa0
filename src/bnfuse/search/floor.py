"""The best network that costs nothing to find: the majority vote or an input that is within the limit.

The result of a search that is cut, however early, is at least as close as this network.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bnfuse.problem.problem import Problem
from bnfuse.search.chains import dag_of, named
from bnfuse.search.majority import majority
from bnfuse.search.outcome import Found
from bnfuse.search.run import Run


def floor(problem: Problem, run: Run) -> Found:
    """The closest network among the majority vote and the inputs that are within the limit and the constraints.

    Inputs are examined from the closest on, and only those that are closer than the vote, until the time is up.
    """
    if problem.metric == "fsim":  # its distances cost too much for a mere starting value
        return majority(problem)
    arcs, order, is_input = problem.kernel.floor(distinct_inputs(problem), run.clock.left)
    method = "input" if is_input else "majority"
    return Found.of(problem, method, dag_of(problem, arcs), elimination_order=named(problem, order))


def distinct_inputs(problem: Problem) -> list[npt.NDArray[np.int32]]:
    """The arcs of the inputs that are networks over a problem's variables, each once, for the kernel."""
    return [dag.arc_numbers.astype(np.int32) for dag in dict.fromkeys(dag for _, dag in problem.inputs.structures)]
