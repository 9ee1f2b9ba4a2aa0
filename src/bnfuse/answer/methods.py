"""The search of each method: the type of its options decides which search runs."""

from __future__ import annotations

from dataclasses import replace

from bnfuse._base.options import option_name
from bnfuse.answer.question import Options
from bnfuse.errors import ConstraintError, OptionError
from bnfuse.fusion.cliques import clique_size
from bnfuse.graphs.dag import DAG
from bnfuse.problem.problem import Problem
from bnfuse.search.direct import DirectOptions, direct
from bnfuse.search.floor import floor
from bnfuse.search.majority import MajorityOptions, majority
from bnfuse.search.outcome import Found, Step, is_within, mean_distance, summed_distance
from bnfuse.search.paper.genetic import GeneticOptions, genetic
from bnfuse.search.paper.greedy import GreedyOptions, greedy
from bnfuse.search.paper.min_cut import MinCutOptions, min_cut
from bnfuse.search.run import Run


def searched(problem: Problem, run: Run, options: Options, before: Found | None = None) -> Found:
    """The result of a method, starting from the network for a smaller limit if the method can start from one."""
    if isinstance(options, MajorityOptions):
        return majority(problem, run, options)
    if isinstance(options, GeneticOptions | GreedyOptions):
        _check_pruning(problem, options)
    if isinstance(options, MinCutOptions):
        problem.inputs.needs_same_variables("the min-cut consensus")
    single = problem.dags[0] if len(problem.dags) == 1 and not problem.constraints.are_listed else None
    if single is not None and problem.target == "inputs":
        given = _given(problem, single)
        if is_within(problem, single, given.elimination_order):
            note = "There is one input network, and it is within the limit: it is the consensus."
            return replace(given, notes=(note,))
    if isinstance(options, DirectOptions):
        return direct(problem, run, options, None if before is None else before.dag)
    if not any(len(dag.arc_numbers) for dag in problem.dags):
        return majority(problem, run) if problem.constraints.required else _given(problem, problem.dags[0])
    if isinstance(options, MinCutOptions):
        found = min_cut(problem, run, options)
    elif isinstance(options, GreedyOptions):
        found = greedy(problem, run, options)
    else:
        found = genetic(problem, run, options, before)
    is_whole = found.stopped_by == "finished"
    if is_whole and (run.time_limit is None or getattr(options, "returned", "best") == "last"):
        return found  # the network that the paper's algorithm defines
    return _at_least_the_floor(problem, run, found)


def _at_least_the_floor(problem: Problem, run: Run, found: Found) -> Found:
    """The result of one of the paper's searches, or of a method that costs nothing if that is closer.

    A search that is cut is never worse than that, so more time never makes the result worse.
    """
    lowest = floor(problem, run)
    if summed_distance(problem, found.dag) <= summed_distance(problem, lowest.dag):
        return found
    what = "the majority vote" if lowest.method == "majority" else "one of the inputs"
    if found.stopped_by == "finished":
        own = f"its own network is returned without {option_name('time_limit')}"
        note = f"The {found.method} search found no network as close as {what}, which is returned instead; {own}."
    else:
        note = (
            f"The {found.method} search was cut before it found a network as close as {what}, which is "
            "returned instead."
        )
    return replace(lowest, history=found.history, stopped_by=found.stopped_by, notes=(note,))


def _given(problem: Problem, dag: DAG) -> Found:
    """A consensus that needs no search."""
    distance = mean_distance(problem, dag)
    step = Step(0, distance, int(clique_size(dag)), distance, 1)
    return Found.of(problem, "none", dag, (step,), pruned=problem.dags)


def _check_pruning(problem: Problem, options: GeneticOptions | GreedyOptions) -> None:
    method = "genetic" if isinstance(options, GeneticOptions) else "greedy"
    problem.inputs.needs_same_variables(f"the {method} search")
    if problem.counts_arcs and problem.inputs.directed:
        raise OptionError(
            f"the {method} search measures shd to networks, and not all inputs have a direction for every arc; "
            "use the method 'direct'"
        )
    if problem.constraints and options.candidates != "fused":
        rules = problem.constraints
        what = "constraints" if rules.are_listed else f"{option_name('directions')} {rules.directions!r}"
        raise ConstraintError(
            f"{options.candidates} candidates are pruned before fusion, which then adds and reverses arcs as "
            f"needed: they cannot satisfy {what}; use the method 'direct', or the candidates 'fused'"
        )
