"""Proof on request: the bound is tightened until it meets the answer, or as far as possible.

The first proof is over the edges of the moral graph alone, block by block of the pairs that are worth joining: no
network can gain more than the heaviest graph within the limit. If that does not settle the question, because the
heaviest graph is not the moral graph of a network or because arcs are constrained, the second proof is over arcs, which
is exact.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import combinations
from typing import Any

import numpy as np

from bnfuse._base.fields import Field
from bnfuse._base.optional import require
from bnfuse._base.texts import count
from bnfuse.errors import OptionError
from bnfuse.fusion.cliques import clique_size
from bnfuse.fusion.elimination import bits, eliminated, smallest_table_first
from bnfuse.fusion.elimination import joined as joined_graph
from bnfuse.graphs.dag import DAG
from bnfuse.problem.problem import Problem
from bnfuse.problem.tally import Tally
from bnfuse.search.bounds import positive_pairs, problem_bound
from bnfuse.search.chains import dag_of
from bnfuse.search.direct import DirectOptions, direct
from bnfuse.search.outcome import Found, Step, gain_of, is_within
from bnfuse.search.proof.blocks import blocks_of
from bnfuse.search.proof.branch_and_cut import PURPOSE, Maximum, maximise
from bnfuse.search.proof.inequalities import Inequality, Pair, content_of, from_content
from bnfuse.search.proof.programs import ArcProgram, EdgeProgram
from bnfuse.search.run import Clock, Run
from bnfuse.search.turning import turned_to_support

_MOST_ARCS = 4_000
"""The largest number for which the program over arcs is tried: about 63 variables."""


@dataclass(frozen=True, slots=True)
class Proof:
    """The proof of a bound: inequalities under which no choice of 0-1 variables is closer."""

    bound: int
    """a proven bound: no network within the limit and the constraints has a smaller summed distance"""
    program: str
    """`edges`: over the edges of the moral graph; `arcs`: also over arcs, if the former did not settle it"""
    inequalities: tuple[Inequality, ...]
    stopped_by: str
    """`finished`, `time limit` or `interrupted`"""
    is_realised: bool = True
    """False if the heaviest graph within the limit is known, but is not the moral graph of any network found"""
    nodes: int = 0
    """the nodes in the trees of subproblems that were solved"""

    @property
    def counts(self) -> dict[str, int]:
        """The number of inequalities of each kind."""
        return dict(Counter(type(one).__name__.lower() for one in self.inequalities))

    @property
    def sentence(self) -> str:
        """The method of proof, in words."""
        over = "moral edges" if self.program == "edges" else "arcs and moral edges"
        text = f"the bound follows from {count(len(self.inequalities), 'inequality', 'inequalities')} over {over}"
        if self.is_realised:
            return text
        return f"{text}; the heaviest graph within the limit is not the moral graph of any network that was found"

    @property
    def content(self) -> dict[str, Any]:
        """The proof for a JSON file."""
        numbers = {one.name: getattr(self, one.name) for one in fields(self)}
        return numbers | {"inequalities": [content_of(one) for one in self.inequalities]}

    @classmethod
    def from_content(cls, content: Field, variables: int) -> Proof:
        """The proof that `content` returned."""
        found = []
        for one in content["inequalities"].each():
            with one.about():
                found.append(from_content(one.value, variables))
        return cls(
            content["bound"].whole(),
            content["program"].one_of(("edges", "arcs")),
            tuple(found),
            content["stopped_by"].one_of(("finished", "time limit", "interrupted")),
            content["is_realised"].flag(),
            content["nodes"].whole(),
        )


def check_provable(metric: str) -> None:
    """Refuse a metric without proofs, and name the package to install if it is missing."""
    if metric == "fsim":
        raise OptionError("fsim is not a sum over edges or arcs: nothing can be proven about it; use smhd or shd")
    require("pyscipopt", PURPOSE, "exact")


def prove(problem: Problem, run: Run, found: Found) -> tuple[Found, Proof | None]:
    """A network that is at least as close as the one found, and a proof of how close any network can be.

    None if the bound that every result has already meets it, or no time is left.
    """
    attempt = _Attempt(problem, run, found)
    if attempt.is_settled or run.clock.is_out or found.stopped_by == "interrupted":
        return found, None
    try:
        if problem.constraints.directions == "any":
            attempt.over_edges()
        if not attempt.is_settled and attempt.stopped_by == "finished":
            attempt.over_arcs()
    except KeyboardInterrupt:
        attempt.stopped_by = "interrupted"
    best = attempt.best if attempt.is_settled else replace(attempt.best, stopped_by=attempt.stopped_by)
    return best, attempt.proof()


class _Attempt:
    """The best network so far, the bound for it, and the inequalities that prove it."""

    def __init__(self, problem: Problem, run: Run, found: Found) -> None:
        self._problem, self._run, self.best = problem, run, found
        self._empty = problem.distance_without_arcs
        self._gain = gain_of(problem, found.dag)
        self._cheap = problem_bound(problem)
        self._most = self._empty - self._cheap  # the largest gain of any network
        self._program = "edges"
        self._inequalities: dict[Inequality, None] = {}
        self._nodes = 0
        self._is_realised = True
        self._parts: list[_BlockProof] = []
        self.stopped_by = "finished"

    @property
    def is_settled(self) -> bool:
        """Whether the bound meets the answer."""
        return self._gain >= self._most

    def proof(self) -> Proof | None:
        """The result; None if it does not go beyond the bound that every result has."""
        bound = self._empty - self._most
        if bound <= self._cheap and self._is_realised:
            return None
        known = tuple(self._inequalities)
        return Proof(bound, self._program, known, self.stopped_by, self._is_realised, self._nodes)

    # Over edges

    def over_edges(self) -> None:
        """The heaviest graph within the limit, block by block: a graph is within it if each of its blocks is."""
        gains, lost = positive_pairs(self._problem)
        weights = {(a, b): int(gains[a, b]) for a, b in np.argwhere(gains > 0).tolist()}
        joined = self._joined_pairs()
        blocks = sorted(blocks_of(weights), key=len)
        of_block = ({pair: weights[pair] for pair in block} for block in blocks)
        self._parts = [_BlockProof(self._problem, weighted, joined, self._run.clock) for weighted in of_block]
        for part in self._parts:
            if part.most > part.known:
                self._solve(part, lost)
            if self.stopped_by != "finished" or self.is_settled:
                break
        if not self.is_settled:
            self._improve(_triangulated(self._problem, [pair for part in self._parts for pair in part.heaviest]))
            self._is_realised = self.is_settled or self.stopped_by != "finished"

    def _solve(self, part: _BlockProof, lost: int) -> None:
        rest = lost + sum(other.most for other in self._parts if other is not part)
        cheap, clock = self._most, self._run.clock
        solved = maximise(part.program, part.known, part.most, clock, lambda most: self._tell(min(cheap, rest + most)))
        part.note(solved)
        self._nodes += solved.nodes
        self.stopped_by = solved.stopped_by
        self._inequalities.update(part.program.known)
        self._most = min(cheap, rest + part.most)

    def _joined_pairs(self) -> set[Pair]:
        """The pairs that the best network joins, by a moral edge or for SHD by an arc."""
        dag = self.best.dag
        if self._problem.counts_arcs:
            return {(min(arc), max(arc)) for arc in dag.arc_numbers.tolist()}
        moral = np.triu(Tally.of([dag], [1]).moral, 1)
        return {(a, b) for a, b in np.argwhere(moral > 0).tolist()}

    # Over arcs

    def over_arcs(self) -> None:
        """The best network itself, with all that is known about its edges."""
        heaviest = [(part.weights, part.most) for part in self._parts]
        program = ArcProgram(self._problem, self._run.clock, self._inequalities, heaviest)
        if len(program.arcs) > _MOST_ARCS:
            return
        self._program = "arcs"
        solved = maximise(program, self._gain, self._most, self._run.clock, self._tell)
        self._nodes += solved.nodes
        self.stopped_by = solved.stopped_by
        self._inequalities.update(program.known)
        self._most = min(self._most, solved.bound)
        if solved.best is not None:
            self._take(dag_of(self._problem, program.chosen_arcs(solved.best)))
        self._is_realised = self._is_realised or self.is_settled

    # Better networks

    def _improve(self, start: DAG) -> None:
        """The result of a quick search from another network, if it is closer."""
        run = Run(self._run.seed, self._run.threads, self._seconds_left())
        found = direct(self._problem, run, DirectOptions("quick"), start)
        if found.stopped_by == "interrupted":
            self.stopped_by = "interrupted"
        self._offer(found)

    def _take(self, dag: DAG) -> None:
        """A network that is known to be within the limit."""
        order = clique_size(dag, "exact").elimination_order
        found = Found.of(self._problem, "direct", dag, elimination_order=order)
        if is_within(self._problem, dag, found.elimination_order):
            self._offer(turned_to_support(self._problem, found))

    def _offer(self, found: Found) -> None:
        gain = gain_of(self._problem, found.dag)
        if gain <= self._gain:
            return
        self._gain = gain
        distance = self._problem.mean(self._empty - gain)
        last = self.best.history[-1] if self.best.history else Step(0, distance, found.clique_size, distance, 0)
        step = Step(last.step + 1, distance, found.clique_size, distance, last.evaluations)
        note = "The proof led to a closer network than the search had found, which is now the consensus."
        notes = (*(one for one in self.best.notes if one != note), note)
        self.best = replace(
            found, history=(*self.best.history, step), stopped_by=self.best.stopped_by, notes=notes, method="direct"
        )

    def _seconds_left(self) -> float | None:
        left = self._run.clock.left
        return None if math.isinf(left) else max(left, 1e-3)

    def _tell(self, most: int) -> None:
        bound = self._problem.mean(self._empty - most)
        distance = self._problem.mean(self._empty - self._gain)
        self._run.report(0, 0, distance, self.best.clique_size, bound)


class _BlockProof:
    """A block of the pairs that are worth joining: its program, and what is known about its heaviest graph."""

    def __init__(self, problem: Problem, weights: Mapping[Pair, int], joined: set[Pair], clock: Clock) -> None:
        self.weights = weights
        self.program = EdgeProgram(problem, weights, clock)
        self.most = sum(weights.values())
        whole = self.program.allows(np.ones(len(weights)))
        self.heaviest = list(weights) if whole else [pair for pair in weights if pair in joined]
        self.known = sum(weights[pair] for pair in self.heaviest)

    def note(self, solved: Maximum) -> None:
        """The result of its program."""
        self.most = solved.bound
        if solved.best is not None:
            self.heaviest = [pair for pair, value in zip(self.weights, solved.best, strict=True) if value > 0.5]


def _triangulated(problem: Problem, pairs: Sequence[Pair]) -> DAG:
    """A network with these pairs and those that a good elimination order adds; it needs no further moral edges."""
    n = len(problem.variables)
    graph = joined_graph(pairs, n)
    arcs, gone = [], set()
    for vertex, clique in eliminated(graph, smallest_table_first(graph, [2] * n)):
        arcs += [(other, vertex) for other in bits(clique) if other != vertex]
        gone.add(vertex)
        last = clique
    rest = [vertex for vertex in bits(last) if vertex not in gone]
    arcs += list(combinations(rest, 2))
    return dag_of(problem, arcs)
