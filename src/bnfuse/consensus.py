"""The front door: one consensus network from many."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from bnfuse._errors import OptionError
from bnfuse._options import one_of
from bnfuse.cliques import clique_size
from bnfuse.dag import NetworkLike, is_network
from bnfuse.network import shared_states
from bnfuse.problem import Callback, Problem
from bnfuse.result import Consensus
from bnfuse.search.candidates import KINDS
from bnfuse.search.genetic import GeneticOptions, genetic
from bnfuse.search.greedy import GreedyOptions, greedy

METHODS = ("genetic", "greedy")


def consensus(
    dags: Iterable[NetworkLike],
    max_clique: int = 4,
    metric: str = "smhd",
    method: str = "genetic",
    candidates: str = "shared",
    seed: int = 0,
    weights: Sequence[float] | Mapping[str, float] | None = None,
    target: str = "inputs",
    time_limit: float | None = None,
    threads: int | None = None,
    progress: Callback | None = None,
    **method_options: Any,
) -> Consensus:
    """The network whose largest clique after triangulation is at most `max_clique` and that is closest to the inputs.

    `dags` are networks over the same variables. The distance is the mean `metric`, "smhd" or "fsim", to them by weight
    (`weights`: a number for each, or a mapping from names), or to their full fusion with `target="fused"`.

    `method` is "genetic" or "greedy". Both choose among the arcs of `candidates`: "shared" (every distinct arc, pruned
    from all inputs at once), "per-network" (every arc of every input on its own) or "fused" (the arcs of the full
    fusion). `method_options` are the fields of `GeneticOptions`, with `preset` "default", "paper" or "program", or
    of `GreedyOptions`.

    The same inputs, options and seed give the same result on any number of `threads`. `time_limit` is in seconds;
    when it cuts the search, or Ctrl-C does, the best network so far is returned and `stopped_by` says so. `progress`
    is called with a `Progress` after each step.
    """
    one_of("method", method, METHODS)
    one_of("candidates", candidates, KINDS)
    options = _options(method, method_options)
    networks = list(dags) if isinstance(dags, Iterable) and not is_network(dags) else dags
    problem = Problem.of(networks, max_clique, metric, target, seed, weights, threads, time_limit, progress)
    if len(problem.dags) == 1 and target == "inputs" and clique_size(problem.dags[0]) <= max_clique:
        result = Consensus.of(problem, method, problem.dags[0], problem.dags, (), "finished")
        result = replace(
            result, notes=("There is one input network, and it is within the limit: it is the consensus.",)
        )
    elif isinstance(options, GreedyOptions):
        result = greedy(problem, candidates, options)
    else:
        result = genetic(problem, candidates, options)
    return replace(result, states=shared_states(networks))


def _options(method: str, given: Mapping[str, Any]) -> GreedyOptions | GeneticOptions:
    if method == "genetic":
        return GeneticOptions.from_preset(**given)
    known = [field.name for field in fields(GreedyOptions)]
    if unknown := [name for name in given if name not in known]:
        raise OptionError(f"unknown option {unknown[0]!r}; the greedy search has {', '.join(known)}")
    return GreedyOptions(**given)
