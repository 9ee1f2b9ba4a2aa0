"""The front door: one consensus network from many, and the best network for every limit."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, Literal, Self, TypedDict, Unpack

import numpy as np

from bnfuse._base import display
from bnfuse._base.options import at_least, one_of, option_name, spelled_out
from bnfuse._kernel import MAX_VARIABLES
from bnfuse.answer.methods import searched
from bnfuse.answer.persistence import load, save
from bnfuse.answer.result import OPTIONS, Options, Result
from bnfuse.errors import ConstraintError, OptionError
from bnfuse.fusion.table_sizes import check_table_limit, table_numbers
from bnfuse.fusion.weights import Weights
from bnfuse.graphs.dag import DAG
from bnfuse.problem.constraints import NO_CONSTRAINTS, Arc, Constraints
from bnfuse.problem.inputs import InputOptions, Inputs, InputsLike, StatesLike
from bnfuse.problem.problem import METRICS, Problem
from bnfuse.search.direct import DirectOptions
from bnfuse.search.outcome import Found, mean_distance, summed_distance
from bnfuse.search.paper.genetic import GeneticOptions
from bnfuse.search.proof.proof import check_provable
from bnfuse.search.proof.proof import prove as prove_found
from bnfuse.search.run import Callback, Run

METHODS = tuple(OPTIONS)


class Consensus(Result):
    """A consensus network within the clique limit, and the evidence for it: what `bnfuse.consensus` gives.

    The network is `dag`, or `network` with its tables. `distance`, `distances`, `lower_bound` and `gap` say how good it
    is, `clique_size` and `elimination_order` prove that it is tractable; `support()`, `reasons`, `why(...)` and
    `compared()` say who agrees and why each arc is in. `fit`, `pool`, `report` and `save` go on from there.

    Attributes
    ----------
    problem, options, seed
        The question, the options of the method, and the seed: the same three give the same network.
    found
        What the search returned.
    seconds
        How long it took.
    notes
        What its owner should know, a sentence each.
    parameters
        What `fit` or `pool` gave; None where nothing was asked for.
    origin
        Files, command, version and time, where known.
    frontier
        The best networks for other limits, where they were asked for.
    proof
        What `prove=True` proved beyond the bound that every result has; None where it was not asked for, or not needed.

    Examples
    --------
    >>> import bnfuse
    >>> networks = [
    ...     bnfuse.DAG(["Smoker", "Cancer", "Cough"], [("Smoker", "Cancer"), ("Cancer", "Cough")]),
    ...     bnfuse.DAG(["Smoker", "Cancer", "Cough"], [("Smoker", "Cancer"), ("Smoker", "Cough")]),
    ...     bnfuse.DAG(["Smoker", "Cancer", "Cough"], [("Smoker", "Cancer")]),
    ... ]
    >>> result = bnfuse.consensus(networks, max_clique=2)
    >>> result.dag.edges, result.clique_size
    ((('Smoker', 'Cancer'),), 2)
    >>> result.distances, result.gap
    ((1, 1, 0), 0.0)
    """

    def save(self, path: str | os.PathLike[str], overwrite: bool = False) -> None:
        """Write all but the tables of the inputs to a file of JSON, which `Consensus.load` reads back.

        Parameters
        ----------
        path
            The file; .gz packs it.
        overwrite
            Whether a file of another kind may be replaced; a saved consensus is replaced anyway.

        Raises
        ------
        FileError
            The file cannot be written, or is one of another kind.

        Examples
        --------
        >>> import bnfuse
        >>> result = bnfuse.consensus([bnfuse.DAG.from_edges([("A", "B")])])
        >>> result.save("consensus.json")
        >>> bnfuse.Consensus.load("consensus.json") == result
        True
        """
        save(self, path, overwrite)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read what `save` wrote.

        Parameters
        ----------
        path
            The file.

        Returns
        -------
        Consensus
            Equal to the one that was saved.

        Raises
        ------
        FileError
            The file cannot be read, or is no saved consensus.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.consensus([bnfuse.DAG.from_edges([("A", "B")])]).save("consensus.json.gz")
        >>> bnfuse.Consensus.load("consensus.json.gz").dag.edges
        (('A', 'B'),)
        """
        return load(path, cls)

    def report(self, path: str | os.PathLike[str], overwrite: bool = False) -> None:
        """Write the story of this consensus as one self-contained HTML file.

        Parameters
        ----------
        path
            The file.
        overwrite
            Whether a file of another kind may be replaced; a report is replaced anyway.

        Raises
        ------
        FileError
            The file cannot be written, or is one of another kind.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.consensus([bnfuse.DAG.from_edges([("A", "B")])]).report("report.html")
        """
        from bnfuse.report.page.page import write_report  # noqa: PLC0415 - pictures are slow to load, and few need them

        write_report(self, path, overwrite)

    def _repr_html_(self) -> str | None:
        return display.html(self)


class Frontier(list[Consensus]):
    """The best network for each limit, smallest limit first; a list that draws itself in a notebook.

    Examples
    --------
    >>> import bnfuse
    >>> triangle = bnfuse.DAG.from_edges([("A", "B"), ("A", "C"), ("B", "C")])
    >>> [(result.clique_size, result.distance) for result in bnfuse.frontier([triangle])]
    [(2, 1.0), (3, 0.0)]
    """

    def _repr_html_(self) -> str | None:
        return display.html(self)


class MethodOptions(TypedDict, total=False):
    """The options of all methods: the fields of their options, and `preset` of the genetic search."""

    effort: Literal["quick", "normal", "thorough"]
    threshold: float | Literal["estimated"]
    candidates: Literal["shared", "per-network", "fused"]
    preset: Literal["default", "paper", "program"]
    population: int
    generations: int
    order: Literal["inputs", "candidate"]
    rates: Literal["printed", "program"]
    restraint: Literal["by-share", "none"]
    first: Literal["printed", "program"]
    offer: Literal["frequency", "in-turn"]
    starts: Literal["every-limit", "last-two"]
    offspring: Literal[1, 2]
    elites: Literal["after-mutation", "before-crossover"]
    champion: Literal["within-limit", "all"]
    noted: Literal["offspring", "generations"]
    triangulation: Literal["min-fill", "mcs"]
    returned: Literal["best", "last"]
    min_cut: float | None


class SharedOptions(TypedDict, total=False):
    """The options that `consensus` has for all methods, and `frontier` too."""

    metric: Literal["smhd", "fsim", "shd"]
    target: Literal["inputs", "fused"]
    max_table: int | float | str | None
    states: StatesLike | None
    variables: Literal["same", "union", "shared"]
    marginalise: bool
    support: Literal["arcs", "class"]
    soft: Literal["independent", "sample"]
    weights: Weights | None
    constraints: Constraints | None
    required: Iterable[Arc]
    forbidden: Iterable[Arc]
    tiers: Iterable[Iterable[str]] | None
    max_parents: int | None
    directions: Literal["any", "seen", "majority"]
    prove: bool
    seed: int
    threads: int | None
    time_limit: float | None
    progress: Callback | None


class FrontierOptions(SharedOptions, MethodOptions, total=False):
    """The options of `frontier`: those of `consensus`; the limit that it steps through is not among them."""

    max_clique: int | None


@spelled_out
def consensus(
    dags: InputsLike,
    max_clique: int | None = None,
    metric: Literal["smhd", "fsim", "shd"] = "smhd",
    method: Literal["direct", "genetic", "greedy", "majority", "min-cut"] | Options = "direct",
    *,
    max_table: int | float | str | None = None,
    states: StatesLike | None = None,
    target: Literal["inputs", "fused"] = "inputs",
    variables: Literal["same", "union", "shared"] = "same",
    marginalise: bool = False,
    support: Literal["arcs", "class"] = "arcs",
    soft: Literal["independent", "sample"] = "independent",
    weights: Weights | None = None,
    constraints: Constraints | None = None,
    required: Iterable[Arc] = (),
    forbidden: Iterable[Arc] = (),
    tiers: Iterable[Iterable[str]] | None = None,
    max_parents: int | None = None,
    directions: Literal["any", "seen", "majority"] = "any",
    prove: bool = False,
    seed: int = 0,
    threads: int | None = None,
    time_limit: float | None = None,
    progress: Callback | None = None,
    **method_options: Unpack[MethodOptions],
) -> Consensus:
    """The network whose largest clique after triangulation is at most `max_clique` and that is closest to the inputs.

    Parameters
    ----------
    dags
        Networks, equivalence classes (`PDAG`, or a mixed graph of another package) and arc votes (`ArcVotes`), or
        tallies of them.
    max_clique
        The largest clique that the consensus may have: treewidth + 1. By default 4; with `max_table`, any.
    max_table, states
        The most numbers that the table of a clique may have, by the states of its variables: such as 1e6, or in bytes,
        8 a number: "64MB". The states are those of the inputs; for structures and tallies `states` gives them, for each
        variable a list or their number.
    metric, target
        The distance is the mean `metric`, "smhd", "fsim" or "shd", to the inputs by weight, or to their full fusion
        with `target="fused"`. Among equally close networks, the one wins whose arcs more inputs have that way
        round; an arc that brings nothing is there only if at least half of them have it.
    method
        One of the following, or an object of its options, such as `GeneticOptions(population=200)`.

        - "direct": annealing over DAGs; option `effort` ("quick", "normal", "thorough");
        - "genetic" and "greedy": the paper's, which choose among the arcs of `candidates`: "shared" (every distinct
          arc, pruned from all inputs at once), "per-network" (every arc of every input on its own) or "fused" (the arcs
          of the full fusion); options are the fields of `GeneticOptions` or `GreedyOptions`, and `preset`;
        - "majority": arcs that more than `threshold` of the inputs have, as people do today; those that have it the
          other way round count in full, or half for "shd"; "estimated" takes the threshold from the inputs;
        - "min-cut": from the full fusion the arc goes whose mean min-cut over the inputs is least, again and again;
          options are the fields of `MinCutOptions`.
    variables, marginalise
        "same": all inputs have the same variables. "union": the consensus is over all of them, and an input has a vote
        on the pairs of which it has both; a pair that no input has both of is not joined. "shared": the variables that
        all inputs have; what runs through others is left out, or becomes arcs with `marginalise`.
    support, soft
        "arcs": an input supports its arcs; "class": those of its Markov equivalence class, half each way where the
        direction is free. Moral edges of arc votes follow as if arcs were "independent", or from a "sample" of
        networks. See docs/inputs.md.
    weights
        A number for each input, or a mapping from names; 0 leaves it out.
    constraints, required, forbidden, tiers, max_parents, directions
        Arcs that are `required` or `forbidden`, `tiers` (lists of variables between which no arc goes back) and
        `max_parents`, and `directions`: "any"; "seen", only arcs that at least one input has that way round;
        "majority", of these none that more inputs, by weight, have the other way round. Given one by one, or as one
        `Constraints`. Methods that prune before fusion cannot keep them.
    prove
        After the direct search for SMHD or SHD, tighten the bound until it meets the answer, the time limit comes or
        Ctrl-C; a closer network that the proof comes upon is taken. Needs `pip install 'bnfuse[exact]'`.
    seed, threads
        The same inputs, options and seed give the same result on any number of threads.
    time_limit
        In seconds. When it cuts the search, or Ctrl-C does, the best network so far is returned; `stopped_by` says so.
        With a limit, the result is at least as close as the majority vote, unless a finished search was asked for its
        "last" network; without one, "genetic", "greedy" and "min-cut" return what their search found.
    progress
        Called with a `Progress` after each step.
    **method_options
        The options of the method, by name: see `method`.

    Returns
    -------
    Consensus
        The network, its distance and a proven bound, and the proof of its clique size.

    Raises
    ------
    OptionError
        Options that make no sense, or inputs that are no networks.
    ConstraintError
        Constraints that contradict each other, or that the method cannot keep.
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

    No network is closer, as the gap to the proven bound is 0; and who has the first arc:

    >>> result.gap
    0.0
    >>> result.support()[0].inputs, result.support()[0].reversed_inputs
    (('1', '2'), ('3',))

    Where the second opinion counts five times, the arc to Cough comes from Smoker:

    >>> bnfuse.consensus(networks, max_clique=2, weights=[1, 5, 1]).dag.edges
    (('Smoker', 'Cancer'), ('Smoker', 'Cough'))
    """
    options = method_options_of(method, method_options)
    run = Run(seed, threads, time_limit, progress)
    limits: Any = {"max_clique": max_clique, "max_table": max_table}  # as anybody may write them
    asked = _constraints(constraints, required, forbidden, tiers, max_parents, directions)
    read_as = InputOptions(variables, marginalise, support, soft)
    inputs = Inputs.of(dags, weights, states, read_as)
    problem = Problem(inputs, metric=metric, target=target, constraints=asked, **limits)
    _check_proof(prove, metric, options)
    answer = _answer(problem, run, options, searched(problem, run, options), run.clock.seconds)
    return _proven(answer, run) if prove else answer


@spelled_out
def frontier(
    dags: InputsLike,
    cliques: Iterable[int] | None = None,
    method: Literal["direct", "genetic", "greedy", "majority", "min-cut"] | Options = "direct",
    tables: Iterable[int | float | str] | None = None,
    **options: Unpack[FrontierOptions],
) -> Frontier:
    """The best network for each limit: how to choose one.

    What is within a limit is within a larger one too, so each search starts from the network before it, and the
    distance never grows with the limit. The genetic search with the presets "paper" and "program" carries it over as
    its best so far, without a place among its first chromosomes.

    Parameters
    ----------
    dags
        The inputs, as in `consensus`.
    cliques
        Limits on the largest clique; by default every one from 2 up to where a larger one cannot help any more.
    method
        The method, as in `consensus`.
    tables
        Limits on the largest clique table instead, as `max_table` of `consensus`: distance against memory.
    **options
        All other options of `consensus`. `time_limit` is for all limits together; when it or Ctrl-C stops the search,
        the limits that were not reached are missing.

    Returns
    -------
    Frontier
        A list with a `Consensus` for each limit, smallest limit first.

    Raises
    ------
    OptionError
        Options that make no sense, or limits on cliques and tables at once.
    ConstraintError
        Constraints that contradict each other, or that the method cannot keep.
    MismatchError
        Networks over different variables.

    Examples
    --------
    >>> import bnfuse
    >>> triangle = bnfuse.DAG.from_edges([("A", "B"), ("A", "C"), ("B", "C")])
    >>> chain = bnfuse.DAG.from_edges([("A", "B"), ("B", "C")])
    >>> for result in bnfuse.frontier([triangle, triangle, chain], cliques=[2, 3]):
    ...     print(result.problem.max_clique, round(result.distance, 2))
    2 0.67
    3 0.33
    """
    given: dict[str, Any] = dict(options)
    run = Run(**{name: given.pop(name) for name in ("seed", "threads", "time_limit", "progress") if name in given})
    asked = [given.pop(name, None) for name in ("constraints", *(one.name for one in fields(Constraints)))]
    weights = given.pop("weights", None)
    states = given.pop("states", None)
    question: dict[str, Any] = {name: given.pop(name) for name in ("metric", "target") if name in given}
    prove = given.pop("prove", False)
    limits = {name: given.pop(name, None) for name in ("max_clique", "max_table")}
    question |= {name: limit for name, limit in limits.items() if limit is not None}
    read_as = InputOptions(**{one.name: given.pop(one.name) for one in fields(InputOptions) if one.name in given})
    method_options = method_options_of(method, given)
    _check_proof(prove, question.get("metric", METRICS[0]), method_options)
    inputs = Inputs.of(dags, weights, states, read_as)
    results = Frontier()
    for problem in _problems(inputs, cliques, tables, _constraints(*asked), question):
        started = run.clock.seconds
        found = _carried_on(problem, run, method_options, results[-1].found if results else None)
        results.append(_answer(problem, run, method_options, found, run.clock.seconds - started))
        is_open = cliques is None and tables is None
        if found.stopped_by != "finished" or (is_open and (_is_unlimited(results[-1]) or _is_flat(results))):
            break
    return _all_proven(results, run) if prove else results


def _check_proof(wanted: bool, metric: str, options: Options) -> None:
    """Refuse a proof that there is none of, before any work is done."""
    if not wanted:
        return
    if not isinstance(options, DirectOptions):
        raise OptionError(f"{option_name('prove')} goes with the method 'direct', whose answers it is about")
    check_provable(metric)


def _proven(result: Consensus, run: Run) -> Consensus:
    """The same, or a closer network, with what proves how close any can be."""
    found, proof = prove_found(result.problem, run, result.found)
    answer = result if found is result.found else _answer(result.problem, run, result.options, found, 0.0)
    return replace(answer, proof=proof, seconds=run.clock.seconds)


def _all_proven(results: Frontier, run: Run) -> Frontier:
    """Proofs for all limits, the smallest first; the seconds that are left are shared out among them."""
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
    """What is found for a limit, or what was found for a smaller one where that is closer."""
    found = searched(problem, run, options, before)
    return found if before is None else _closer(problem, found, before)


def _closer(problem: Problem, found: Found, before: Found) -> Found:
    """What was found for a limit, or for a smaller one where that is closer."""
    if summed_distance(problem, found.dag) <= summed_distance(problem, before.dag):
        return found
    note = "What was found for a smaller limit is closer than what was found for this one: it is given instead."
    distance = mean_distance(problem, before.dag)
    history = tuple(replace(step, distance=distance, clique_size=before.clique_size) for step in found.history)
    return replace(before, history=history, stopped_by=found.stopped_by, notes=(note,))


def method_options_of(method: str | Options, given: Mapping[str, Any]) -> Options:
    """The options of a method, by its name and keywords, or as they are."""
    if isinstance(method, Options):
        if given:
            raise OptionError(f"the method's options are given as an object: {next(iter(given))!r} belongs in there")
        return method
    kind: Any = OPTIONS[one_of("method", method, METHODS)]
    known = [one.name for one in fields(kind)] + ["preset"] * (method == "genetic")
    for name in given:
        if name not in known:
            if owners := [other for other in METHODS if _has(other, name)]:
                raise OptionError(
                    f"the method {method} has no option {option_name(name)}; it goes with {' or '.join(owners)}"
                )
            raise OptionError(f"unknown option {name!r}; the {method} search has {', '.join(known)}")
    options: Options = GeneticOptions.from_preset(**given) if method == "genetic" else kind(**given)
    return options


def _has(method: str, option: str) -> bool:
    return option in (one.name for one in fields(OPTIONS[method])) or (method == "genetic" and option == "preset")


def _constraints(
    constraints: Constraints | None,
    required: Iterable[Arc] | None,
    forbidden: Iterable[Arc] | None,
    tiers: Iterable[Iterable[str]] | None,
    max_parents: int | None,
    directions: str | None,
) -> Constraints:
    """Constraints as a whole, or one by one."""
    single: Any = {"required": required, "forbidden": forbidden, "tiers": tiers, "max_parents": max_parents}
    given = {name: value for name, value in single.items() if value is not None and not _is_empty(value)}
    if directions not in (None, NO_CONSTRAINTS.directions):
        given["directions"] = directions
    if constraints is None:
        return Constraints(**given)
    if not isinstance(constraints, Constraints):
        raise ConstraintError(f"constraints must be a bnfuse.Constraints, got {type(constraints).__name__}")
    if given:
        raise ConstraintError(f"give either constraints or {next(iter(given))}, not both")
    return constraints


def _is_empty(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str) and not value


def _problems(
    inputs: Inputs,
    cliques: Iterable[int] | None,
    tables: Iterable[int | float | str] | None,
    constraints: Constraints,
    question: Mapping[str, Any],
) -> Iterator[Problem]:
    """A problem for each limit; unless limits are given, from the smallest that the constraints allow."""
    if cliques is not None and tables is not None:
        raise OptionError(f"give either {option_name('cliques')} or {option_name('tables')}, not both")
    stepped, single = ("cliques", "max_clique") if tables is None else ("tables", "max_table")
    if single in question:
        raise OptionError(f"{option_name(single)} is one limit; {option_name(stepped)} are those to step through")
    if tables is not None:
        numbers = {table_numbers("tables", table) for table in _limits("tables", tables)}
        counts = inputs.state_counts(option_name("tables"))
        check_table_limit("tables", min(numbers), dict(zip(inputs.variables, counts, strict=True)))
        yield from (Problem(inputs, constraints=constraints, max_table=limit, **question) for limit in sorted(numbers))
        return
    if cliques is not None:
        wanted = sorted({at_least("cliques", size, 2) for size in _limits("cliques", cliques)})
        problems = (Problem(inputs, limit, constraints=constraints, **question) for limit in wanted)
        yield from dict.fromkeys(problems)  # a limit on tables may leave the same of two limits
        return
    unlimited = Problem(inputs, MAX_VARIABLES, constraints=constraints, **question)
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
    if not isinstance(limits, Iterable) or isinstance(limits, str):
        raise OptionError(f"{option_name(name)} must be a list of limits; got {limits!r:.60}")
    wanted = list(limits)
    if not wanted:
        raise OptionError(f"{option_name(name)} must be a list of limits; got an empty one")
    return wanted


def _is_unlimited(result: Result) -> bool:
    """Whether no network at all, of any clique size, is closer."""
    problem = result.problem
    if problem.metric == "fsim":
        return False
    most = int(np.triu(np.maximum(problem.gain, problem.gain.T), 1).clip(min=0).sum())
    return summed_distance(problem, result.dag) == problem.distance_without_arcs - most


_FLAT = 3  # limits without any gain, after which larger ones are not tried where no bound can tell


def _is_flat(results: list[Consensus]) -> bool:
    return len(results) > _FLAT and results[-1 - _FLAT].distance <= results[-1].distance


def _answer(problem: Problem, run: Run, options: Options, found: Found, seconds: float) -> Consensus:
    notes = (*problem.inputs.notes, *found.notes)
    if problem.metric == "fsim" and problem.inputs.directed:
        notes = (*notes, "FSim compares networks: of each equivalence class one member was taken.")
    distance_without_arcs = summed_distance(problem, DAG(problem.variables))
    if not len(found.dag.arc_numbers):
        if distance_without_arcs:
            notes = (*notes, "It has no arcs: of the networks that were looked at, none that has any is closer.")
    elif not problem.constraints.required and summed_distance(problem, found.dag) == distance_without_arcs:
        notes = (*notes, "A network without any arcs is as close to the inputs as this one.")
    return Consensus(problem, options, found, seed=run.seed, seconds=seconds, notes=notes)
