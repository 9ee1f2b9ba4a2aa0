"""The number of intervention effects that the consensus gets wrong if an input is true, for each input of a report."""

from __future__ import annotations

from bnfuse.answer.result import Consensus
from bnfuse.errors import MissingPackageError
from bnfuse.fusion.causal_distances import wrong_effects
from bnfuse.graphs.dag import DAG
from bnfuse.problem.inputs import SHARED
from bnfuse.problem.problem import Problem

_MOST_WORK = 100_000_000
"""variables times variables and arcs, of all inputs together: about a second"""


def causal_distances_to_inputs(consensus: Consensus) -> list[int | None]:
    """SID from each input, which is taken as true, to the consensus.

    None for an input that is not a DAG over all variables, and for all of them without gadjid or if it takes too long.
    """
    dags = _whole_dags(consensus.problem)
    nothing: list[int | None] = [None] * len(dags)
    if consensus.problem.tally.is_listed:
        return nothing
    if sum(_work(dag, consensus.dag) for dag in dags if dag is not None) > _MOST_WORK:
        return nothing
    try:
        return [None if dag is None else wrong_effects(dag, consensus.dag) for dag in dags]
    except MissingPackageError:
        return nothing


def _whole_dags(problem: Problem) -> list[DAG | None]:
    """The inputs that are DAGs as given: an input without some of its variables has different effects."""
    is_cut = problem.inputs.options.variables == SHARED
    n = len(problem.variables)
    return [
        one.dag if one.is_plain and not is_cut and len(one.variables) == n else None
        for one in problem.inputs.input_votes
    ]


def _work(truth: DAG, guess: DAG) -> int:
    n = len(truth.variables)
    return n * (n + len(truth.arc_numbers) + len(guess.arc_numbers))
