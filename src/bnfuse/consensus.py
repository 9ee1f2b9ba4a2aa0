"""The front door: one consensus network from many, and the best network for every clique limit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from bnfuse._errors import ConstraintError, OptionError
from bnfuse._kernel import MAX_VARIABLES
from bnfuse._options import at_least, one_of, option_name
from bnfuse.cliques import clique_size
from bnfuse.constraints import Arc
from bnfuse.dag import DAG, NetworkLike, is_network
from bnfuse.files import whole
from bnfuse.network import Network, differing_states, shared_states
from bnfuse.problem import Callback, Clock, Problem, names_of, whole_weights
from bnfuse.result import Consensus, Step, mean_distance, summed_smhd
from bnfuse.search.candidates import KINDS
from bnfuse.search.direct import DirectOptions, direct
from bnfuse.search.genetic import GeneticOptions, genetic
from bnfuse.search.greedy import GreedyOptions, greedy
from bnfuse.search.majority import MajorityOptions, majority
from bnfuse.tally import Tally

_KEPT = "kept are the states on which all agree; the other variables get yes and no, unless data tell"

METHODS = ("direct", "genetic", "greedy", "majority")

_Options = DirectOptions | GeneticOptions | GreedyOptions | MajorityOptions


def consensus(
    dags: Iterable[NetworkLike] | Tally | Iterable[Tally],
    max_clique: int = 4,
    metric: str = "smhd",
    method: str = "direct",
    candidates: str = "shared",
    seed: int = 0,
    weights: Sequence[float] | Mapping[str, float] | None = None,
    required: Iterable[Arc] = (),
    forbidden: Iterable[Arc] = (),
    tiers: Iterable[Iterable[str]] | None = None,
    max_parents: int | None = None,
    target: str = "inputs",
    time_limit: float | None = None,
    threads: int | None = None,
    progress: Callback | None = None,
    **method_options: Any,
) -> Consensus:
    """The network whose largest clique after triangulation is at most `max_clique` and that is closest to the inputs.

    `dags` are networks over the same variables, or tallies of them. The distance is the mean `metric`, "smhd" or
    "fsim", to them by weight (`weights`: a number for each, or a mapping from names; 0 leaves it out), or to their full
    fusion with `target="fused"`. Between equal distances the larger directed support wins: the arcs that more inputs
    have that way round.

    `method` is one of
    - "direct": annealing over DAGs; option `effort` ("quick", "normal", "thorough");
    - "genetic" and "greedy": the paper's, which choose among the arcs of `candidates`: "shared" (every distinct arc,
      pruned from all inputs at once), "per-network" (every arc of every input on its own) or "fused" (the arcs of the
      full fusion); options are the fields of `GeneticOptions` or `GreedyOptions`, and `preset`;
    - "majority": arcs that more than `threshold` of the inputs have, as people do today.

    `required` and `forbidden` are arcs, `tiers` lists of variables between which no arc goes back, `max_parents` a
    limit; the methods that prune before fusion cannot keep them.

    The same inputs, options and seed give the same result on any number of `threads`. `time_limit` is in seconds;
    when it cuts the search, or Ctrl-C does, the best network so far is returned and `stopped_by` says so. `progress`
    is called with a `Progress` after each step.
    """
    one_of("method", method, METHODS)
    one_of("candidates", candidates, KINDS)
    options = _options(method, method_options)
    networks = list(dags) if isinstance(dags, Iterable) and not is_network(dags) else dags
    problem = Problem.of(
        networks, max_clique, metric, target, seed, weights, threads, time_limit, progress,
        required, forbidden, tiers, max_parents,
    )  # fmt: skip
    if isinstance(options, GeneticOptions | GreedyOptions):
        _check_pruning(problem, method, candidates)
    result = _searched(problem, candidates, options)
    states, tables, notes = _known_of(networks, weights)
    return replace(result, states=states, inputs=tables, notes=(*result.notes, *notes))


def frontier(
    dags: Iterable[NetworkLike] | Tally | Iterable[Tally], cliques: Iterable[int] | None = None, **options: Any
) -> list[Consensus]:
    """The best network for each clique limit: how to choose one.

    `cliques` are the limits, by default every one from 2 up to where a larger one cannot help any more. Each search
    starts from the network before it, so the distance never grows with the limit. `options` are those of `consensus`
    with the method "direct"; `time_limit` is for all together, and when it or Ctrl-C stops the search, the limits that
    were not reached are missing.
    """
    known = [*DirectOptions.__slots__, *_SHARED_OPTIONS]
    if unknown := [name for name in options if name not in known]:
        raise OptionError(f"unknown option {unknown[0]!r}; frontier has {', '.join(known)}")
    direct_options = DirectOptions(**{name: options.pop(name) for name in DirectOptions.__slots__ if name in options})
    inputs = list(dags) if isinstance(dags, Iterable) and not is_network(dags) else dags
    states, tables, notes = _known_of(inputs, options.get("weights"))
    results: list[Consensus] = []
    clock = Clock(None)
    for problem in _problems(inputs, cliques, options):
        if not results:
            clock = problem.clock
        before = results[-1] if results else None
        started = clock.seconds
        found = direct(replace(problem, clock=clock), direct_options, None if before is None else before.dag)
        if before is not None and found.distance > before.distance:
            found = replace(before, problem=problem, history=found.history, stopped_by=found.stopped_by)
        results.append(replace(found, states=states, inputs=tables, notes=notes, seconds=clock.seconds - started))
        if found.stopped_by != "finished" or (cliques is None and (_is_unlimited(found) or _is_flat(results))):
            break
    return results


def _known_of(
    networks: object, weights: Sequence[float] | Mapping[str, float] | None
) -> tuple[Mapping[str, tuple[str, ...]] | None, tuple[Network, ...], tuple[str, ...]]:
    """The states that the inputs share, the inputs where all of them carry tables, and notes on states that differ."""
    if not isinstance(networks, list) or not networks or isinstance(networks[0], Tally):
        return None, (), ()
    counted = whole_weights(weights, names_of(networks))
    inputs = tuple(whole(network) for network, weight in zip(networks, counted, strict=True) if weight)
    differing = differing_states(inputs)
    notes = () if differing is None else (f"{differing}; {_KEPT}",)
    return shared_states(inputs), inputs if all(network.cpts is not None for network in inputs) else (), notes


_SHARED_OPTIONS = (
    "metric", "target", "seed", "weights", "threads", "time_limit", "progress",
    "required", "forbidden", "tiers", "max_parents",
)  # fmt: skip


def _problems(inputs: Any, cliques: Iterable[int] | None, options: Mapping[str, Any]) -> Iterator[Problem]:
    """A problem for each limit; unless limits are given, from the smallest that the constraints allow."""
    if cliques is not None:
        if not isinstance(cliques, Iterable):
            raise OptionError(f"{option_name('cliques')} must be a list of limits; got {cliques!r:.60}")
        wanted = sorted({at_least("cliques", size, 2) for size in cliques})
        if not wanted:
            raise OptionError(f"{option_name('cliques')} must be a list of limits; got an empty one")
        yield from (Problem.of(inputs, limit, **options) for limit in wanted)
        return
    variables = len(Problem.of(inputs, MAX_VARIABLES, **options).variables)
    fits = False
    for limit in range(2, max(variables, 2) + 1):
        try:
            problem = Problem.of(inputs, limit, **options)
        except ConstraintError:
            if fits or limit >= variables:
                raise
            continue
        fits = True
        yield problem


def _is_unlimited(found: Consensus) -> bool:
    """Whether no network at all, of any clique size, is closer."""
    problem = found.problem
    moral, weight = problem.reference_tally.moral, problem.reference_tally.weight
    least = int(moral.clip(max=weight - moral).sum()) // 2
    return problem.metric == "smhd" and summed_smhd(problem, found.dag) == least


_FLAT = 3  # limits without any gain, after which larger ones are not tried where no bound can tell


def _is_flat(results: list[Consensus]) -> bool:
    return len(results) > _FLAT and results[-1 - _FLAT].distance <= results[-1].distance


def _searched(problem: Problem, candidates: str, options: _Options) -> Consensus:
    if isinstance(options, MajorityOptions):
        return majority(problem, options)
    single = problem.dags[0] if len(problem.dags) == 1 and not problem.constraints else None
    if single is not None and problem.target == "inputs" and clique_size(single) <= problem.max_clique:
        note = "There is one input network, and it is within the limit: it is the consensus."
        return replace(_given(problem, single), notes=(note,))
    if isinstance(options, DirectOptions):
        return direct(problem, options)
    if not any(len(dag.arc_numbers) for dag in problem.dags):
        return _given(problem, problem.dags[0])
    if isinstance(options, GreedyOptions):
        return greedy(problem, candidates, options)
    return genetic(problem, candidates, options)


def _given(problem: Problem, dag: DAG) -> Consensus:
    """A consensus that needs no search."""
    distance = mean_distance(problem, dag)
    step = Step(0, distance, int(clique_size(dag)), distance, 1)
    return Consensus.of(problem, "none", dag, problem.dags, (step,), "finished")


def _check_pruning(problem: Problem, method: str, candidates: str) -> None:
    problem.needs_networks(f"the {method} search")
    if not problem.constraints:
        return
    if candidates != "fused":
        raise ConstraintError(
            f"{candidates} candidates are pruned before fusion, which then adds and turns arcs as it must: they cannot "
            "keep constraints; use the method 'direct', or the candidates 'fused'"
        )


def _options(method: str, given: Mapping[str, Any]) -> _Options:
    if method == "genetic":
        return GeneticOptions.from_preset(**given)
    kinds = {"direct": DirectOptions, "greedy": GreedyOptions, "majority": MajorityOptions}
    kind: Any = kinds[method]
    known = [field.name for field in fields(kind)]
    if unknown := [name for name in given if name not in known]:
        raise OptionError(f"unknown option {unknown[0]!r}; the {method} search has {', '.join(known)}")
    options: _Options = kind(**given)
    return options
