"""Candidates of the pruning searches: genes that keep or prune arcs, and the networks that they encode.

- "shared": every distinct arc of the inputs has one gene; pruning it removes it from all inputs (the paper's E*).
- "per-network": every arc of every input has its own gene (E with repetition).
- "fused": every arc of the inputs' fusion has one gene (E of G+): pruned after fusion instead of before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bnfuse import _kernel
from bnfuse._base.options import one_of
from bnfuse.errors import ConstraintError
from bnfuse.graphs.dag import DAG, numbered, stacked
from bnfuse.problem.problem import Problem
from bnfuse.search.outcome import Found, Step
from bnfuse.search.run import Run

KINDS = ("shared", "per-network", "fused")
ORDERS = ("inputs", "candidate")
TRIANGULATIONS = ("min-fill", "mcs")

Genes = npt.NDArray[np.bool_]
"""One chromosome, or one in each row: True keeps the arc."""


@dataclass(frozen=True, slots=True)
class Population:
    """Chromosomes, and the kernel's values for the network of each."""

    genes: Genes
    numbers: npt.NDArray[np.int64]

    @classmethod
    def none(cls, genes: int) -> Population:
        """An empty population."""
        return cls(np.empty((0, genes), np.bool_), np.empty((0, 3), np.int64))

    @property
    def distance(self) -> npt.NDArray[np.int64]:
        """The distance, summed over the references by weight."""
        return self.numbers[:, 0]

    @property
    def support(self) -> npt.NDArray[np.int64]:
        """Directed support: the weight of the inputs that have each arc in that direction."""
        return self.numbers[:, 1]

    @property
    def clique(self) -> npt.NDArray[np.int64]:
        """The size of the largest clique."""
        return self.numbers[:, 2]

    def __len__(self) -> int:
        return len(self.genes)

    def take(self, places: npt.NDArray[np.int64] | slice) -> Population:
        """The members at these positions."""
        return Population(self.genes[places], self.numbers[places])

    @property
    def value(self) -> tuple[int, int]:
        """The key of the first member: the larger, the better; its distance counts, then its directed support."""
        return -int(self.numbers[0, 0]), int(self.numbers[0, 1])

    def best_place(self, limit: int) -> int | None:
        """The first position of the best member within a limit; None if no member is."""
        within = np.flatnonzero(self.clique <= limit)
        if not len(within):
            return None
        distance = self.distance[within]
        closest = within[distance == distance.min()]
        return int(closest[self.support[closest].argmax()])

    def best(self, limit: int) -> Population:
        """The best member within a limit; an empty population if there is none."""
        place = self.best_place(limit)
        return self.take(slice(0) if place is None else slice(place, place + 1))

    def joined(self, other: Population) -> Population:
        """Both populations, this one first."""
        return Population(np.concatenate((self.genes, other.genes)), np.concatenate((self.numbers, other.numbers)))


class Candidates:
    """The candidates of one kind for a problem."""

    def __init__(self, problem: Problem, kind: str, order: str, triangulation: str, run: Run | None = None) -> None:
        self.problem = problem
        self.run = run or Run()
        self.kind = one_of("candidates", kind, KINDS)
        one_of("order", order, ORDERS)
        one_of("triangulation", triangulation, TRIANGULATIONS)
        variables = np.arange(len(problem.variables), dtype=np.int32)
        fused_order = numbered(problem.fusion.order, problem.dags[0])
        self.arcs = _arc_genes(problem, kind)
        """(input, from, to, gene) of each arc, sorted by input, then arc"""
        self.count = int(self.arcs[:, 3].max(initial=-1)) + 1
        self.frequency = _frequency(problem, self.arcs, kind)
        """for each gene, the weight of the inputs (of their minimal I-maps, for "fused") that have its arc"""
        self.fixed = _fixed_genes(problem, self.arcs) if problem.constraints else None
        """the genes that a constraint fixes at 1, and those at 0"""
        self.kernel = _kernel.Candidates(
            decoding="keep-arcs" if kind == "fused" else "fuse" if order == "inputs" else "fuse-in-own-order",
            triangulation=triangulation,
            arcs=self.arcs,
            order=fused_order if kind != "fused" and order == "inputs" else variables,
            support=problem.rows,
            support_weights=np.array(problem.weights, np.int64),
            metric=problem.metric,
            references=stacked(problem.references),
            reference_weights=np.array(problem.reference_weights, np.int64),
            ties=problem.ties if problem.metric == "fsim" else variables,
            limit=problem.max_clique,
            **problem.kernel_tables,
        )

    def repaired(self, genes: Genes) -> Genes:
        """Chromosomes that satisfy the constraints: required arcs in, forbidden and surplus rare ones out."""
        if self.fixed is None:
            return genes
        required, forbidden = self.fixed
        kept = (genes | required) & ~forbidden
        most = self.problem.constraints.max_parents
        if most is None:
            return kept
        target, order = self.arcs[:, 2], self.keep_first
        first = np.searchsorted(target[order], target[order])
        counted = np.cumsum(np.insert(kept[..., order], 0, False, axis=-1), axis=-1)
        rank: npt.NDArray[np.int64] = counted[..., 1:] - counted[..., first]
        result = np.empty_like(kept)
        result[..., order] = kept[..., order] & (rank <= most)
        return result

    @property
    def keep_first(self) -> npt.NDArray[np.int64]:
        """Genes by the target of their arcs, those to keep first; with constraints, each arc has one gene."""
        if self.fixed is None:
            return np.arange(self.count)
        return np.lexsort((np.arange(self.count), -self.frequency, ~self.fixed[0], self.arcs[:, 2]))

    def evaluate(self, genes: Genes) -> Population:
        """A population of these chromosomes."""
        return Population(genes, self.kernel.evaluate(genes.view(np.uint8), self.run.thread_count))

    def network(self, genes: Genes) -> tuple[DAG, tuple[str, ...]]:
        """The network that a candidate encodes, and the elimination order for its clique size."""
        names = self.problem.variables
        rows, order = self.kernel.decode(genes[None].view(np.uint8), len(names))
        return DAG.from_rows(names, rows), tuple(names[i] for i in order)

    def pruned(self, genes: Genes) -> tuple[DAG, ...] | None:
        """The inputs without the arcs that a candidate prunes; None when it prunes after fusion."""
        if self.kind == "fused":
            return None
        names = self.problem.variables
        kept = self.arcs[genes[self.arcs[:, 3]]]
        return tuple(
            DAG(names, ((names[a], names[b]) for a, b in kept[kept[:, 0] == i, 1:3].tolist()))
            for i in range(len(self.problem.dags))
        )

    def found(
        self, method: str, genes: Genes, history: Sequence[Step], stopped_by: str, notes: tuple[str, ...] = ()
    ) -> Found:
        """The result of a search that chose these genes."""
        dag, order = self.network(genes)
        return Found.of(self.problem, method, dag, history, stopped_by, order, self.pruned(genes), notes)

    def genes_of(self, found: Found) -> Genes | None:
        """The genes that encode the result of a search; None if no genes do."""
        dags = (found.dag,) if self.kind == "fused" else found.pruned
        if dags is None:
            return None
        kept = {(i, a, b) for i, dag in enumerate(dags) for a, b in dag.arc_numbers.tolist()}
        genes = np.zeros(self.count, np.bool_)
        genes[[gene for *arc, gene in self.arcs.tolist() if tuple(arc) in kept]] = True
        return genes if self.network(genes)[0] == found.dag else None

    def start_greedy(self, limit: int) -> None:
        """Starts without arcs: `offer` then adds arcs while the largest clique stays within the limit."""
        self.kernel.start_greedy(limit)

    def offer(self, genes: npt.NDArray[np.int64]) -> Genes:
        """Which of these genes, offered one by one, were kept."""
        return np.array(self.kernel.offer(genes.tolist()), np.bool_)


def _arc_genes(problem: Problem, kind: str) -> npt.NDArray[np.int32]:
    dags = (problem.fusion.dag,) if kind == "fused" else problem.dags
    arcs = np.concatenate([np.insert(dag.arc_numbers, 0, i, axis=1) for i, dag in enumerate(dags)])
    genes = np.unique(_codes(problem, arcs), return_inverse=True)[1] if kind == "shared" else np.arange(len(arcs))
    return np.ascontiguousarray(np.column_stack((arcs, genes)), np.int32)


def _fixed_genes(problem: Problem, arcs: npt.NDArray[np.int32]) -> tuple[Genes, Genes]:
    """The genes of required and of forbidden arcs, for candidates with one gene for each arc."""
    names = problem.variables
    allowed = problem.constraints.allowed(problem.tally)
    arc_names = [(names[a], names[b]) for a, b in arcs[:, 1:3].tolist()]
    missing = [arc for arc in problem.constraints.required if arc not in set(arc_names)]
    if missing:
        raise ConstraintError(
            f"the full fusion has no arc {' -> '.join(missing[0])}, so no choice among its arcs can keep it; use the "
            "method 'direct'"
        )
    wanted = set(problem.constraints.required)
    return np.array([arc in wanted for arc in arc_names], np.bool_), ~allowed[arcs[:, 1], arcs[:, 2]]


def _codes(problem: Problem, arcs: npt.NDArray[np.signedinteger]) -> npt.NDArray[np.int64]:
    """Numbers with the same order and equality as the arcs (from, to) in columns 1 and 2."""
    return arcs[:, 1].astype(np.int64) * len(problem.variables) + arcs[:, 2]


def _frequency(problem: Problem, arcs: npt.NDArray[np.int32], kind: str) -> npt.NDArray[np.int64]:
    n = len(problem.variables)
    weight = np.zeros(n * n, np.int64)
    for dag, dag_weight in zip(problem.fusion.imaps if kind == "fused" else problem.dags, problem.weights, strict=True):
        weight[dag.arc_numbers[:, 0] * n + dag.arc_numbers[:, 1]] += dag_weight
    frequency = np.zeros(int(arcs[:, 3].max(initial=-1)) + 1, np.int64)
    frequency[arcs[:, 3]] = weight[_codes(problem, arcs)]
    return frequency
