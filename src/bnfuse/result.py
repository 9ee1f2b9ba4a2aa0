"""What a search returns: the consensus network and everything that is known about it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from bnfuse import _kernel
from bnfuse._errors import MismatchError, OptionError, TooLargeError
from bnfuse.cliques import CliqueSize, clique_size, inference_cost
from bnfuse.dag import DAG, numbered, stacked
from bnfuse.network import Network
from bnfuse.origin import Origin
from bnfuse.problem import Problem
from bnfuse.tally import Tally

if TYPE_CHECKING:
    from bnfuse.data import DataLike
    from bnfuse.parameters import EMProgress, Fitted


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a search's history: a generation of the genetic search, a stretch of the others."""

    step: int
    distance: float
    """of the best network within the limit so far"""
    clique_size: int
    """of that network"""
    mean: float
    """of the population's values: distances, times clique / limit when over it; without a population the distance"""
    evaluations: int
    """candidates (genetic: distinct ones; direct: moves) looked at so far"""


@dataclass(frozen=True, slots=True)
class ArcSupport:
    """Who has an arc of the consensus."""

    arc: tuple[str, str]
    share: float
    """of the inputs, by weight, that have it this way round"""
    reversed_share: float
    """of those that have it the other way round"""
    inputs: tuple[str, ...]
    """names of the inputs that have it this way round; empty when only a tally is known"""
    reversed_inputs: tuple[str, ...]
    """names of those that have it the other way round"""


@dataclass(frozen=True, slots=True)
class Compared:
    """A network as if it were the consensus."""

    name: str
    distance: float
    clique_size: CliqueSize
    arcs: int


@dataclass(frozen=True, slots=True)
class FrontierPoint:
    """The best network for one clique limit, in a few numbers."""

    max_clique: int
    distance: float
    lower_bound: float | None
    arcs: int
    clique_size: int
    tables: int
    """numbers in the clique tables of a junction tree: the cost of inference"""

    @classmethod
    def of(cls, result: Consensus) -> FrontierPoint:
        """One result of `frontier`."""
        return cls(
            result.problem.max_clique,
            result.distance,
            result.lower_bound,
            len(result.dag.arc_numbers),
            result.clique_size,
            inference_cost(result.network).total,
        )


@dataclass(frozen=True)
class Consensus:
    """A consensus network within the clique limit, and the evidence for it."""

    problem: Problem
    method: str
    dag: DAG
    elimination_order: tuple[str, ...]
    """eliminating in this order makes no clique larger than `clique_size`: the proof of tractability"""
    clique_size: int
    pruned: tuple[DAG, ...] | None
    """the inputs without their pruned arcs, whose fusion is the consensus; None for methods that do not prune them"""
    history: tuple[Step, ...]
    seconds: float
    stopped_by: str
    """`finished`, `time limit` or `interrupted`"""
    notes: tuple[str, ...] = ()
    states: Mapping[str, tuple[str, ...]] | None = None
    inputs: tuple[Network, ...] = ()
    """the input networks, where all of them carry tables"""
    parameters: Fitted | None = None
    """what `fit` or `pool` gave; None where nothing was asked for"""
    origin: Origin | None = None
    """files, command, version and time, where known"""
    frontier: tuple[FrontierPoint, ...] = ()
    """the best networks for other limits, where they were asked for"""

    @classmethod
    def of(
        cls,
        problem: Problem,
        method: str,
        dag: DAG,
        pruned: tuple[DAG, ...] | None,
        history: Sequence[Step],
        stopped_by: str,
        elimination_order: tuple[str, ...] | None = None,
    ) -> Consensus:
        """The result of a search that ends now, with the better of its own elimination order and a fresh one."""
        best = clique_size(dag)
        size, order = int(best), best.elimination_order
        if elimination_order is not None:
            along = _kernel.clique_along(dag.rows, numbered(elimination_order, dag))
            if along < size:
                size, order = along, elimination_order
        return cls(
            problem=problem,
            method=method,
            dag=dag,
            elimination_order=order,
            clique_size=size,
            pruned=pruned,
            history=tuple(history),
            seconds=problem.clock.seconds,
            stopped_by=stopped_by,
        )

    @cached_property
    def lower_bound(self) -> float | None:
        """No network within the limit has a smaller mean distance: proven. None for FSim, which has no such bound."""
        return self.problem.mean(self.problem.smhd_bound) if self.problem.metric == "smhd" else None

    @property
    def gap(self) -> float | None:
        """How far the distance can be from the optimum, as a share of it: 0 is proven optimal."""
        if self.lower_bound is None:
            return None
        return (self.distance - self.lower_bound) / self.distance if self.distance > self.lower_bound else 0.0

    @cached_property
    def distances(self) -> tuple[float, ...]:
        """The distance of the consensus to each input."""
        self.problem.needs_networks("the distance to each input")
        return tuple(_distances(self.problem, self.dag, self.problem.dags))

    @cached_property
    def distance(self) -> float:
        """The mean distance to the inputs, by weight; with target="fused", the distance to the full fusion."""
        return mean_distance(self.problem, self.dag)

    def fit(self, data: DataLike, prior: float = 1.0, progress: EMProgress | None = None) -> Consensus:
        """The consensus with parameters from data: a CSV or Parquet file, a pandas DataFrame or Data.

        `prior` is the equivalent sample size of a uniform prior. See `bnfuse.parameters.fit`.
        """
        from bnfuse.parameters import fit  # noqa: PLC0415 - needed here only, as below

        return self._with(fit(self._structure, data, prior=prior, progress=progress))

    def pool(self, weights: Sequence[float] | Mapping[str, float] | None = None) -> Consensus:
        """The consensus with the parameters that come closest to the mixture of its inputs.

        The inputs count by `weights`, by default as they did in the search. See `bnfuse.parameters.pool`.
        """
        from bnfuse.parameters import pool  # noqa: PLC0415

        if not self.inputs:
            raise OptionError("pooling needs the tables of all input networks; fit the consensus to data instead")
        return self._with(pool(self.dag, self.inputs, self.problem.pooling_weights if weights is None else weights))

    def _with(self, parameters: Fitted) -> Consensus:
        named = replace(parameters, network=parameters.network.renamed("consensus"))
        before = () if self.parameters is None else self.parameters.notes
        notes = tuple(note for note in self.notes if note not in before)
        return replace(self, parameters=named, states=named.network.states, notes=(*notes, *named.notes))

    @cached_property
    def network(self) -> Network:
        """The consensus as a network: with the parameters that were fitted or pooled.

        Where nothing was asked for, they are pooled if all inputs carry tables. If not, or if they cannot be pooled, it
        is the structure, with the inputs' states where they are known.
        """
        return self.finished.parameters.network if self.finished.parameters else self._structure

    @cached_property
    def finished(self) -> Consensus:
        """The consensus with parameters where it can have any without data; its notes say which and why."""
        if self.parameters is not None or not self.inputs:
            return self
        try:
            return self.pool()
        except (TooLargeError, MismatchError) as error:
            return replace(self, notes=(*self.notes, f"the tables were not pooled: {error}"))

    @property
    def _structure(self) -> Network:
        return Network(self.dag, self.states, name="consensus")

    def support(self) -> tuple[ArcSupport, ...]:
        """For each arc of the consensus the inputs that have it, and which way round."""
        tally = self.problem.tally
        present = [frozenset(dag.edges) for dag in self.problem.dags]
        named = list(zip(self.problem.names, present, strict=True))
        return tuple(
            ArcSupport(
                (source, target),
                float(tally.arcs[a, b] / tally.weight),
                float(tally.arcs[b, a] / tally.weight),
                tuple(name for name, arcs in named if (source, target) in arcs),
                tuple(name for name, arcs in named if (target, source) in arcs),
            )
            for (source, target), (a, b) in zip(self.dag.edges, self.dag.arc_numbers.tolist(), strict=True)
        )

    def compared(self) -> tuple[Compared, ...]:
        """The consensus beside others, each as if it were the consensus.

        These are the majority vote that people use today, each input, the full fusion and the empty network.
        """
        from bnfuse.search.majority import majority  # noqa: PLC0415 - searches give results

        problem = self.problem
        others = [("majority vote", majority(problem).dag), *zip(problem.names, problem.dags, strict=True)]
        if problem.dags:
            others.append(("full fusion", problem.fusion.dag))
        others.append(("no arcs", DAG(problem.variables)))
        mine = Compared("consensus", self.distance, clique_size(self.dag), len(self.dag.arc_numbers))
        return mine, *(
            Compared(name, mean_distance(problem, dag), clique_size(dag), len(dag.arc_numbers)) for name, dag in others
        )

    def with_frontier(self, results: Iterable[Consensus]) -> Consensus:
        """The same result beside those of `frontier`, for its report."""
        return replace(self, frontier=tuple(FrontierPoint.of(result) for result in results))

    def save(self, path: str | os.PathLike[str], overwrite: bool = False) -> None:
        """Write all but the tables of the inputs to a file of JSON, which `Consensus.load` reads back; .gz packs it.

        A saved consensus is replaced, a file of another kind only with `overwrite`.
        """
        from bnfuse.saved import save  # noqa: PLC0415 - what is made of results comes after them

        save(self, path, overwrite)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Consensus:
        """Read what `save` wrote."""
        from bnfuse.saved import load  # noqa: PLC0415

        return load(path)

    def report(self, path: str | os.PathLike[str], overwrite: bool = False) -> None:
        """Write the story of this consensus as one self-contained HTML file.

        A report is replaced, a file of another kind only with `overwrite`.
        """
        from bnfuse.report.page import write_report  # noqa: PLC0415

        write_report(self, path, overwrite)

    def _repr_html_(self) -> str:
        from bnfuse.report.notebook import consensus_html  # noqa: PLC0415

        return consensus_html(self)

    def __repr__(self) -> str:
        return (
            f"<Consensus: {len(self.dag.arc_numbers)} arcs, largest clique {self.clique_size}, "
            f"{self.problem.metric} {self.distance:.4g}, {self.method}, {self.seconds:.2f} s>"
        )


def mean_distance(problem: Problem, dag: DAG) -> float:
    """The weighted mean distance of a DAG to the references of a problem."""
    if problem.metric == "smhd":
        return problem.mean(summed_smhd(problem, dag))
    distances = _distances(problem, dag, problem.references)
    return problem.mean(sum(w * d for w, d in zip(problem.reference_weights, distances, strict=True)))


def summed_smhd(problem: Problem, dag: DAG) -> int:
    """The weighted sum of SMHD to the references, from their tally: linear in the moral edges of the DAG."""
    tally = problem.reference_tally
    edges = Tally.of([dag], [1]).moral > 0
    return int(tally.moral.sum() - (2 * tally.moral - tally.weight)[edges].sum()) // 2


def _distances(problem: Problem, dag: DAG, others: tuple[DAG, ...]) -> list[int]:
    rows = stacked(others)
    if problem.metric == "smhd":
        return _kernel.smhd(dag.rows, rows)
    return _kernel.fsim(dag.rows, rows, problem.ties, True, problem.threads)
