"""The main functions: one consensus network from many, and the best network for each limit."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Literal, TypedDict, Unpack

import numpy as np

from bnfuse._base.options import at_least, option_name, spelled_out
from bnfuse._base.public import public
from bnfuse._kernel import MAX_VARIABLES
from bnfuse.answer.methods import searched
from bnfuse.answer.question import Options, Question
from bnfuse.answer.result import Consensus, Frontier
from bnfuse.errors import ConstraintError, OptionError
from bnfuse.fusion.table_sizes import check_table_limit, table_numbers
from bnfuse.fusion.weights import Weights
from bnfuse.graphs.dag import DAG
from bnfuse.problem.constraints import Arc, Constraints, Forbidden
from bnfuse.problem.inputs import Inputs, InputsLike, StatesLike
from bnfuse.problem.pair_counts import entries
from bnfuse.problem.problem import Problem
from bnfuse.search.outcome import Found, mean_distance, summed_distance
from bnfuse.search.proof.proof import prove as prove_found
from bnfuse.search.run import Callback, Run


class RareOptions(TypedDict, total=False):
    """The options that `consensus` and `frontier` accept in addition to those in their signatures."""

    states: StatesLike | None
    target: Literal["inputs", "fused"]
    marginalise: bool
    support: Literal["arcs", "class"]
    soft: Literal["independent", "sample"]
    threads: int | None
    threshold: float | None
    candidates: Literal["shared", "per-network", "fused"] | None
    preset: Literal["default", "paper", "program"] | None
    population: int | None
    generations: int | None
    min_cut: float | None


class MoreOptions(RareOptions, total=False):
    """The same for `consensus`, which has a single limit on tables."""

    max_table: int | float | str | None


class FrontierOptions(RareOptions, total=False):
    """The options of `frontier`: those of `consensus`."""

    metric: Literal["smhd", "fsim", "shd"]
    variables: Literal["same", "union", "shared"]
    weights: Weights | None
    constraints: Constraints | None
    required: Iterable[Arc]
    forbidden: Iterable[Forbidden]
    tiers: Iterable[Iterable[str]] | None
    max_parents: int | None
    directions: Literal["any", "seen", "majority"] | None
    effort: Literal["quick", "normal", "thorough"] | None
    prove: bool
    seed: int
    time_limit: float | None
    progress: Callback | None


@public
def consensus(
    dags: InputsLike,
    max_clique: int | None = None,
    metric: Literal["smhd", "fsim", "shd"] = "smhd",
    method: Literal["direct", "genetic", "greedy", "majority", "min-cut"] | Options = "direct",
    *,
    variables: Literal["same", "union", "shared"] = "same",
    weights: Weights | None = None,
    constraints: Constraints | None = None,
    required: Iterable[Arc] = (),
    forbidden: Iterable[Forbidden] = (),
    tiers: Iterable[Iterable[str]] | None = None,
    max_parents: int | None = None,
    directions: Literal["any", "seen", "majority"] | None = None,
    effort: Literal["quick", "normal", "thorough"] | None = None,
    prove: bool = False,
    seed: int = 0,
    time_limit: float | None = None,
    progress: Callback | None = None,
    **more: Unpack[MoreOptions],
) -> Consensus:
    """The network whose largest clique after triangulation is at most `max_clique` and that is closest to the inputs.

    Parameters
    ----------
    dags
        Networks, equivalence classes (`PDAG`, or a mixed graph of another package) and arc votes (`ArcVotes`), in a
        list or by name in a mapping; or tallies of them.
    max_clique
        The largest clique that the consensus may have: treewidth + 1. By default 4; with `max_table`, any.
    metric
        The distance is the mean of this metric, "smhd", "fsim" or "shd", to the inputs by weight. Among equally close
        networks, the one whose arcs more inputs have in the same direction wins; an arc that does not reduce the
        distance is included only if at least half of them have it.
    method
        One of the following, or an object of its options, such as `GeneticOptions(population=200)`.

        - "direct": annealing over DAGs; option `effort`;
        - "genetic" and "greedy": the paper's, which choose among the arcs of `candidates`;
        - "majority": the usual vote: arcs that more than `threshold` of the inputs have;
        - "min-cut": starting from the full fusion, delete the arc with the least mean min-cut over the inputs,
          repeatedly.
    variables
        "same": all inputs have the same variables. "union": the consensus is over all of them, and an input votes on
        the pairs of variables that it has; variables that no input has together are not joined. "shared": the variables
        that all inputs have; arcs through others are left out.
    weights
        A number for each input, or a mapping from names; 0 leaves it out.
    constraints, required, forbidden, tiers, max_parents, directions
        Arcs (from, to) that are `required` or `forbidden`: a set of two variables, such as {"Age", "Smoker"}, is
        forbidden in both directions. `tiers`: lists of variables, earliest first; no arc may run from a later list to
        an earlier one. `max_parents` of a variable. `directions`: with "majority", every arc runs as in most inputs, by
        weight, that join the two; with "seen", as in at least one input; or "any". The default is "majority" for the
        methods "direct" and "majority" with SMHD or SHD to the inputs, and "any" otherwise. They are given one by one,
        or as one `Constraints`. Methods that prune before fusion cannot satisfy them.
    effort
        How hard the direct search tries: "quick", "normal" (the default) or "thorough".
    prove
        After the direct search for SMHD or SHD, tighten the bound until the answer is proven optimal, the time limit is
        reached or Ctrl-C is pressed; a closer network that the proof finds is taken.
        Needs `pip install 'bnfuse[exact]'`.
    seed
        The same inputs, options and seed give the same result on any number of threads.
    time_limit
        In seconds. When the time limit or Ctrl-C ends the search, the best network so far is returned; `stopped_by`
        says which. With a limit, the result is at least as close as the majority vote, unless a finished search returns
        its "last" network on request; without a limit, "genetic", "greedy" and "min-cut" return the network that their
        search found.
    progress
        Called with a `Progress` after each step.
    **more
        Options that few people need:

        - `max_table`: the most numbers that the table of a clique may have, given the states of its variables, such as
          1e6; or in bytes, 8 per number, such as "64MB". The states are those of the inputs; for structures and tallies
          `states` gives them: for each variable, a list or a number;
        - `target="fused"`: the distance is measured to the full fusion of the inputs;
        - `marginalise`: with the shared variables, paths through other variables become arcs;
        - `support="class"`: an input supports the arcs of its Markov equivalence class, with half a vote for each
          direction where it is free; `soft`: moral edges of arc votes are derived as if arcs were "independent", or
          from a "sample" of networks; see docs/inputs.md;
        - `threads`: the number of threads, by default one for each core;
        - options of the methods: `threshold` of the vote; `candidates` of the genetic and greedy search:
          "shared" (every distinct arc, pruned from all inputs at once), "per-network" (every arc of every input on its
          own) or "fused" (the arcs of the full fusion); `preset`, `population` and `generations` of the genetic one;
          `min_cut`, where that search stops.

    Returns
    -------
    Consensus
        The network, its distance and a proven bound, and the proof of its clique size.

    Raises
    ------
    OptionError
        Invalid options, or inputs that are not networks.
    ConstraintError
        Constraints that contradict each other, or that the method cannot satisfy.
    MismatchError
        Networks over different variables.

    See Also
    --------
    frontier : the best network for each limit.
    bootstrap : networks from resamples of data, to find the consensus of.
    align : common names for networks that spell their variables differently.

    References
    ----------
    Torrijos, Gámez, Puerta, Aledo: Genetic Algorithms for Tractable Bayesian Network Fusion via Pre-Fusion Edge
    Pruning. GECCO 2025.

    Examples
    --------
    Three opinions on the same three variables, and the network with cliques of at most 2 that is closest to all:

    >>> import bnfuse
    >>> variables = ["Smoker", "Cancer", "Cough"]
    >>> networks = [
    ...     bnfuse.DAG(variables, [("Smoker", "Cancer"), ("Cancer", "Cough")]),
    ...     bnfuse.DAG(variables, [("Smoker", "Cancer"), ("Smoker", "Cough")]),
    ...     bnfuse.DAG(variables, [("Cancer", "Smoker"), ("Cancer", "Cough")]),
    ... ]
    >>> result = bnfuse.consensus(networks, max_clique=2)
    >>> result.dag.edges
    (('Smoker', 'Cancer'), ('Cancer', 'Cough'))

    No network is closer, as the gap to the proven bound is 0. These inputs have the first arc:

    >>> result.gap
    0.0
    >>> result.support()[0].inputs, result.support()[0].reversed_inputs
    (('1', '2'), ('3',))

    If the second opinion counts five times, the arc to Cough comes from Smoker:

    >>> bnfuse.consensus(networks, max_clique=2, weights=[1, 5, 1]).dag.edges
    (('Smoker', 'Cancer'), ('Smoker', 'Cough'))
    """
    question = Question.of(
        {
            "max_clique": max_clique,
            "metric": metric,
            "method": method,
            "variables": variables,
            "weights": weights,
            "constraints": constraints,
            "required": required,
            "forbidden": forbidden,
            "tiers": tiers,
            "max_parents": max_parents,
            "directions": directions,
            "effort": effort,
            "prove": prove,
            "seed": seed,
            "time_limit": time_limit,
            "progress": progress,
            **more,
        }
    )
    return solved(dags, question)


def solved(dags: InputsLike, question: Question) -> Consensus:
    """The answer to a question about some inputs; the clock starts now."""
    run, method = replace(question.run), question.method
    problem = question.problem(question.inputs(dags))
    answer = answered(problem, run, method, searched(problem, run, method), run.clock.seconds)
    return _proven(answer, run) if question.prove else answer


@public
@spelled_out
def frontier(
    dags: InputsLike,
    max_clique: int | Iterable[int] | None = None,
    method: Literal["direct", "genetic", "greedy", "majority", "min-cut"] | Options = "direct",
    max_table: int | float | str | Iterable[int | float | str] | None = None,
    **options: Unpack[FrontierOptions],
) -> Frontier:
    """The best network for each limit, to choose a limit.

    A network within a limit is also within a larger one, so each search starts from the previous network, and the
    distance never grows with the limit. The genetic search with the presets "paper" and "program" carries that network
    over as its best so far, but not as one of its first chromosomes.

    Parameters
    ----------
    dags
        The inputs, as in `consensus`.
    max_clique
        Limits on the largest clique, such as [3, 4, 5]; by default every limit from 2 until a larger one cannot help.
        With several values of `max_table`, one limit for all of them.
    method
        The method, as in `consensus`.
    max_table
        Limits on the largest clique table instead, each as in `consensus`, such as ["1MB", "1GB"]: the frontier then
        shows distance against memory. A single value applies to every limit on the largest clique.
    **options
        All other options of `consensus`. `time_limit` is for all limits together; when the time limit or Ctrl-C stops
        the search, the remaining limits are missing.

    Returns
    -------
    Frontier
        A list with a `Consensus` for each limit, smallest limit first.

    Raises
    ------
    OptionError
        Invalid options, or several limits on both cliques and tables.
    ConstraintError
        Constraints that contradict each other, or that the method cannot satisfy.
    MismatchError
        Networks over different variables.

    Examples
    --------
    >>> import bnfuse
    >>> triangle = bnfuse.DAG.from_edges([("A", "B"), ("A", "C"), ("B", "C")])
    >>> chain = bnfuse.DAG.from_edges([("A", "B"), ("B", "C")])
    >>> for result in bnfuse.frontier([triangle, triangle, chain], max_clique=[2, 3]):
    ...     print(result.problem.max_clique, round(result.distance, 2))
    2 0.67
    3 0.33
    """
    cliques, clique = _several(max_clique)
    tables, table = _several(max_table)
    if cliques is not None and tables is not None:
        of_both = f"{option_name('max_clique')} or {option_name('max_table')}"
        raise OptionError(f"give several limits for either {of_both}, and at most one for the other")
    if tables is None and clique is not None:
        cliques, clique = [clique], None
    question = Question.of({"max_clique": clique, "method": method, "max_table": table, **options})
    return solved_frontier(dags, question, cliques, tables)


def _several(limits: Any) -> tuple[Iterable[Any] | None, Any]:
    """Limits to step through, or a single one."""
    is_list = isinstance(limits, Iterable) and not isinstance(limits, str)
    return (limits, None) if is_list else (None, limits)


def solved_frontier(
    dags: InputsLike,
    question: Question,
    cliques: Iterable[int] | None = None,
    tables: Iterable[int | float | str] | None = None,
) -> Frontier:
    """The answers to a question for several limits; the clock starts now."""
    run, method = replace(question.run), question.method
    results = Frontier()
    for problem in _problems(question.inputs(dags), question, cliques, tables):
        started = run.clock.seconds
        found = _carried_on(problem, run, method, results[-1].found if results else None)
        results.append(answered(problem, run, method, found, run.clock.seconds - started))
        is_open = cliques is None and tables is None
        if found.stopped_by != "finished" or (is_open and (_is_unlimited(results[-1]) or _is_flat(results))):
            break
    return _all_proven(results, run) if question.prove else results


def _proven(result: Consensus, run: Run) -> Consensus:
    """The same result or a closer network, with a proof of how close any network can be."""
    found, proof = prove_found(result.problem, run, result.found)
    answer = result if found is result.found else answered(result.problem, run, result.options, found, 0.0)
    return replace(answer, proof=proof, seconds=run.clock.seconds)


def _all_proven(results: Frontier, run: Run) -> Frontier:
    """Proofs for all limits, the smallest first; they share the remaining seconds."""
    for place, result in enumerate(results):
        before = results[place - 1] if place else None
        found = result.found if before is None else _closer(result.problem, result.found, before.found)
        answer = result if found is result.found else replace(result, found=found)
        left = run.clock.left / (len(results) - place)
        if left > 0 and (before is None or before.stopped_by != "interrupted"):
            share = Run(run.seed, run.threads, None if math.isinf(left) else left, run.progress)
            answer = replace(_proven(answer, share), seconds=result.seconds + share.clock.seconds)
        results[place] = answer
    return results


def _carried_on(problem: Problem, run: Run, options: Options, before: Found | None) -> Found:
    """The result for a limit, or the one for a smaller limit if that is closer."""
    found = searched(problem, run, options, before)
    return found if before is None else _closer(problem, found, before)


def _closer(problem: Problem, found: Found, before: Found) -> Found:
    """The network found for a limit, or for a smaller one if that is closer."""
    if summed_distance(problem, found.dag) <= summed_distance(problem, before.dag):
        return found
    note = "The network found for a smaller limit is closer than the one found for this limit and is returned instead."
    distance = mean_distance(problem, before.dag)
    history = tuple(replace(step, distance=distance, clique_size=before.clique_size) for step in found.history)
    return replace(before, history=history, stopped_by=found.stopped_by, notes=(note,))


def _problems(
    inputs: Inputs,
    question: Question,
    cliques: Iterable[int] | None,
    tables: Iterable[int | float | str] | None,
) -> Iterator[Problem]:
    """A problem for each limit; unless limits are given, from the smallest limit that the constraints allow."""
    if tables is not None:
        numbers = {table_numbers("max_table", table) for table in _limits("max_table", tables)}
        counts = inputs.state_counts(option_name("max_table"))
        check_table_limit("max_table", min(numbers), dict(zip(inputs.variables, counts, strict=True)))
        yield from (question.problem(inputs, max_table=limit) for limit in sorted(numbers))
        return
    if cliques is not None:
        wanted = sorted({at_least("max_clique", size, 2) for size in _limits("max_clique", cliques)})
        problems = (question.problem(inputs, max_clique=limit) for limit in wanted)
        yield from dict.fromkeys(problems)  # under a limit on tables, two limits can be equivalent
        return
    unlimited = question.problem(inputs, max_clique=MAX_VARIABLES)
    most = max(min(len(inputs.variables), unlimited.max_clique), 2)
    fits = False
    for limit in range(2, most + 1):
        try:
            problem = unlimited.with_limit(limit)
        except ConstraintError:
            if fits or limit >= most:
                raise
            continue
        fits = True
        yield problem


def _limits(name: str, limits: Iterable[Any]) -> list[Any]:
    wanted = list(limits)
    if not wanted:
        raise OptionError(f"{option_name(name)} must be a list of limits; got an empty one")
    return wanted


def _is_unlimited(result: Consensus) -> bool:
    """Whether no network of any clique size is closer."""
    problem = result.problem
    if problem.metric == "fsim":
        return False
    first, second, _ = entries(problem.reference_tally.moral)
    gains = np.maximum(problem.gain[first, second], problem.gain[second, first])
    most = int(gains[first < second].clip(min=0).sum())
    return summed_distance(problem, result.dag) == problem.distance_without_arcs - most


_FLAT = 3  # limits without any gain, after which larger ones are not tried if there is no bound to decide


def _is_flat(results: list[Consensus]) -> bool:
    return len(results) > _FLAT and results[-1 - _FLAT].distance <= results[-1].distance


def answered(problem: Problem, run: Run, options: Options, found: Found, seconds: float) -> Consensus:
    """The result with the notes that its owner needs."""
    notes = (*problem.inputs.notes, *found.notes)
    if problem.metric == "fsim" and problem.inputs.directed:
        notes = (*notes, "FSim compares networks: one member of each equivalence class was used.")
    distance_without_arcs = summed_distance(problem, DAG(problem.variables))
    if not len(found.dag.arc_numbers):
        if distance_without_arcs:
            notes = (*notes, "It has no arcs: none of the networks examined that have arcs is closer.")
    elif not problem.constraints.required and summed_distance(problem, found.dag) == distance_without_arcs:
        notes = (*notes, "A network without arcs is as close to the inputs as this one.")
    return Consensus(problem, options, found, seed=run.seed, seconds=seconds, notes=notes)
