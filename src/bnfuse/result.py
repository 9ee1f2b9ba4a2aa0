"""What a search returns: the consensus network and everything that is known about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from bnfuse import _kernel
from bnfuse.cliques import CliqueSize, clique_size
from bnfuse.dag import DAG, stacked
from bnfuse.network import Network
from bnfuse.problem import Problem


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a search's history: a generation of the genetic algorithm, the end of the greedy one."""

    step: int
    distance: float
    """of the best network within the limit so far"""
    clique_size: int
    """of that network"""
    mean: float
    """of the population's values: distances, multiplied by clique / limit when over it"""
    evaluations: int
    """distinct candidates evaluated so far"""


@dataclass(frozen=True, slots=True)
class ArcSupport:
    """Who has an arc of the consensus."""

    arc: tuple[str, str]
    inputs: tuple[str, ...]
    """names of the inputs that have it this way round"""
    reversed_inputs: tuple[str, ...]
    """names of those that have it the other way round"""


@dataclass(frozen=True, slots=True)
class Compared:
    """A network as if it were the consensus."""

    name: str
    distance: float
    clique_size: CliqueSize
    arcs: int


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

    @classmethod
    def of(
        cls,
        problem: Problem,
        method: str,
        dag: DAG,
        pruned: tuple[DAG, ...] | None,
        history: Sequence[Step],
        stopped_by: str,
    ) -> Consensus:
        """The result of a search that ends now."""
        size = clique_size(dag)
        return cls(
            problem=problem,
            method=method,
            dag=dag,
            elimination_order=size.elimination_order,
            clique_size=int(size),
            pruned=pruned,
            history=tuple(history),
            seconds=problem.clock.seconds,
            stopped_by=stopped_by,
        )

    @cached_property
    def distances(self) -> tuple[float, ...]:
        """The distance of the consensus to each input."""
        return tuple(_distances(self.problem, self.dag, self.problem.dags))

    @cached_property
    def distance(self) -> float:
        """The mean distance to the inputs, by weight; with target="fused", the distance to the full fusion."""
        return mean_distance(self.problem, self.dag)

    @cached_property
    def network(self) -> Network:
        """The consensus as a network, with the inputs' states where they are known."""
        return Network(self.dag, self.states, name="consensus")

    def support(self) -> tuple[ArcSupport, ...]:
        """For each arc of the consensus the inputs that have it, and which way round."""
        present = [frozenset(dag.edges) for dag in self.problem.dags]
        named = list(zip(self.problem.names, present, strict=True))
        return tuple(
            ArcSupport(
                (source, target),
                tuple(name for name, arcs in named if (source, target) in arcs),
                tuple(name for name, arcs in named if (target, source) in arcs),
            )
            for source, target in self.dag.edges
        )

    def compared(self) -> tuple[Compared, ...]:
        """The consensus beside each input, the full fusion and the empty network, each as if it were the consensus."""
        problem = self.problem
        others = [*zip(problem.names, problem.dags, strict=True), ("full fusion", problem.fusion.dag)]
        others.append(("no arcs", DAG(problem.variables)))
        mine = Compared("consensus", self.distance, clique_size(self.dag), len(self.dag.arcs))
        return mine, *(
            Compared(name, mean_distance(problem, dag), clique_size(dag), len(dag.arcs)) for name, dag in others
        )

    def __repr__(self) -> str:
        return (
            f"<Consensus: {len(self.dag.arcs)} arcs, largest clique {self.clique_size}, "
            f"{self.problem.metric} {self.distance:.4g}, {self.method}, {self.seconds:.2f} s>"
        )


def mean_distance(problem: Problem, dag: DAG) -> float:
    """The weighted mean distance of a DAG to the references of a problem."""
    distances = _distances(problem, dag, problem.references)
    weighted = (w * d for w, d in zip(problem.reference_weights, distances, strict=True))
    return problem.mean(sum(weighted))


def _distances(problem: Problem, dag: DAG, others: tuple[DAG, ...]) -> list[int]:
    rows = stacked(others)
    if problem.metric == "smhd":
        return _kernel.smhd(dag.rows, rows)
    return _kernel.fsim(dag.rows, rows, problem.ties, True, problem.threads)
