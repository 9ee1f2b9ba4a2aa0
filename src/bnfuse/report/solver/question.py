"""The question that a page starts from when it solves again, and why some pages cannot."""

from __future__ import annotations

from bnfuse.answer.question import usual_directions
from bnfuse.answer.result import Consensus
from bnfuse.errors import OptionError
from bnfuse.problem.problem import Problem
from bnfuse.report.page.page_schema import PageQuestion
from bnfuse.report.solver.parts import kernel
from bnfuse.search.direct import DirectOptions

_MOST_VARIABLES = 250
_MOST_ARCS = 200_000  # of all inputs

SOLVERS = ("include", "none")


def page_question(consensus: Consensus) -> PageQuestion | str:
    """The page's first question; a sentence if it cannot solve again."""
    problem = consensus.problem
    if why := _obstacle(consensus):
        return why
    rules, index = problem.constraints, {name: i for i, name in enumerate(problem.variables)}
    usual = usual_directions("direct", problem.metric, problem.target)
    return PageQuestion(
        seed=str(consensus.seed),
        effort=consensus.options.effort if isinstance(consensus.options, DirectOptions) else "normal",
        limit=problem.max_clique if problem.is_clique_limited else None,
        max_table=problem.max_table,
        states=_states(problem),
        directions=None if rules.directions == usual else rules.directions,
        required=[[index[source], index[target]] for source, target in rules.required],
        forbidden=[[index[source], index[target]] for source, target in rules.forbidden],
        tiers=[[index[name] for name in tier] for tier in rules.tiers],
        max_parents=rules.max_parents,
    )


def _obstacle(consensus: Consensus) -> str | None:
    """Why a page cannot solve again, as a sentence."""
    problem = consensus.problem
    inputs = problem.inputs
    n, arcs = len(problem.variables), sum(len(dag.arc_numbers) for dag in inputs.dags)
    is_plain = inputs.is_plain and problem.tally.parts == 1 and inputs.options.support == "arcs"
    obstacles = {
        "this bnfuse was installed without the kernel for pages": kernel() is None,
        "it is for the method direct": not isinstance(consensus.options, DirectOptions),
        "it is for SMHD and SHD to the inputs": problem.metric == "fsim" or problem.target != "inputs",
        "it needs the networks themselves": consensus.of_resamples or not inputs.dags,
        "it is for networks, not for equivalence classes or votes for arcs": not is_plain,
        f"{n:,} variables and {arcs:,} arcs of inputs are too many for a browser": n > _MOST_VARIABLES
        or arcs > _MOST_ARCS,
    }
    why = next((words for words, holds in obstacles.items() if holds), None)
    return why and f"Solving again is not included: {why}."


def _states(problem: Problem) -> list[int] | None:
    """The number of states of each variable, if it is known."""
    try:
        return [*problem.state_counts]
    except OptionError:
        return None
