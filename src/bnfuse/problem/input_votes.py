"""The votes of one input: which variables it has, and how it votes on the pairs among them.

A network votes for its arcs and for its moral edges. A Markov equivalence class has one moral graph, and an edge
without a direction gives half a vote to each. Arc votes have shares of arcs, and moral edges only under an assumption.

In addition to its votes, each input has the directions that its equivalence class fixes. Arc votes have no class: for
them, the votes as given are used.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from graphlib import TopologicalSorter
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from bnfuse import _kernel
from bnfuse._base.options import one_of, option_name
from bnfuse.errors import OptionError
from bnfuse.fusion.fusion import minimal_imap
from bnfuse.graphs.arc_votes import ArcVotes
from bnfuse.graphs.dag import DAG, as_dag
from bnfuse.graphs.equivalence import fixed_pairs
from bnfuse.graphs.pdag import PDAG, as_pdag, is_mixed

Counts = npt.NDArray[np.int64]
Arc: TypeAlias = tuple[str, str]

InputLike: TypeAlias = Any
"""A network in any form, an equivalence class (PDAG, or a graph of another package with undirected edges), ArcVotes."""

SUPPORTS = ("arcs", "class")
SOFT = ("independent", "sample")

SOFT_PARTS = 1_008_000
"""The least number of parts of votes for arcs; a multiple of 100, 200, 250, 300, 500, 1,000 and 2,000."""
MOST_PARTS = 2**26
_SAMPLES = 1_000


class Votes(NamedTuple):
    """Votes on the pairs of variables, in parts of one vote."""

    arcs: Counts
    """in row A, column B: the votes for the arc A -> B"""
    moral: Counts
    """the votes for the moral edge A - B"""
    parts: int
    fixed: Counts
    """in row A, column B: the votes for A -> B in the equivalence class"""
    drawn: Counts | None = None
    """the arcs as the input was given, if its votes are those of its class"""


@dataclass(frozen=True)
class InputVotes:
    """One input."""

    dag: DAG | None
    """its structure; for a class, one of its members; None for arc votes"""
    directed: PDAG | None = None
    """its votes on directions, if they differ from the DAG"""
    shares: ArcVotes | None = None
    soft: str = SOFT[0]
    left_open: tuple[Arc, ...] | None = None
    """with the support "class": the edges that had no direction when it was given; its other arcs break ties"""
    fixed: frozenset[Arc] | None = field(default=None, compare=False)
    """the arcs that its class fixes, if they do not follow from the DAG because it had more variables"""

    @property
    def variables(self) -> tuple[str, ...]:
        """Its variables: it votes on the pairs among them."""
        having = self.shares if self.dag is None else self.dag
        assert having is not None
        return having.variables

    @cached_property
    def index(self) -> dict[str, int]:
        """The numbers of its variables."""
        return {name: i for i, name in enumerate(self.variables)}

    @property
    def networks(self) -> int:
        """The number of networks that it represents."""
        return 1 if self.shares is None else self.shares.networks

    @property
    def is_plain(self) -> bool:
        """Whether its DAG determines all votes."""
        return self.shares is None and (self.directed is None or not self.directed.edges)

    @property
    def parts(self) -> int:
        """The number of parts into which its vote is divided."""
        if self.shares is None:
            return 1 if self.is_plain else 2
        parts = math.lcm(self.shares.total, SOFT_PARTS)
        return parts if parts <= MOST_PARTS else SOFT_PARTS

    def votes(self) -> Votes:
        """Its votes, if they do not follow from its DAG alone."""
        if self.shares is not None:
            return _soft_votes(self.shares, self.soft, self.parts)
        assert self.dag is not None
        assert self.directed is not None
        n = len(self.variables)
        own, moral, fixed = (np.zeros((n, n), np.int64) for _ in range(3))
        _kernel.count_edges(self.dag.rows[None], np.array([2], np.int64), moral, own)
        for a, b in self.fixed_numbers:
            fixed[a, b] = 2
        drawn = None if self.left_open is None else self._halved(own, self.left_open)
        return Votes(self._halved(own, self.directed.edges), moral, 2, fixed, drawn)

    def _halved(self, arcs: Counts, edges: Iterable[Arc]) -> Counts:
        """Votes of two parts; if an edge has no direction, each direction gets one."""
        votes = arcs.copy()
        for one, other in edges:
            a, b = self.index[one], self.index[other]
            votes[a, b] = votes[b, a] = 1
        return votes

    @property
    def fixed_numbers(self) -> list[tuple[int, int]]:
        """The arcs that its equivalence class fixes, by the numbers of its variables."""
        assert self.dag is not None
        if self.fixed is None:
            return fixed_pairs(self.dag)
        return [(self.index[source], self.index[target]) for source, target in sorted(self.fixed)]

    @property
    def arcs(self) -> frozenset[tuple[str, str]]:
        """The arcs that it supports, both directions if it has none; for votes, those with more than half."""
        if self.dag is None:
            assert self.shares is not None
            names = self.variables
            most = np.argwhere(2 * self.shares.counts > self.shares.total).tolist()
            return frozenset((names[a], names[b]) for a, b in most)
        free = () if self.directed is None else self.directed.edges
        return frozenset((*self.dag.edges, *free, *(edge[::-1] for edge in free)))

    def among(self, variables: Sequence[str], marginalise: bool = False) -> InputVotes:
        """Its votes on those of its variables that are among these, in their order.

        Paths through other variables are left out, or become arcs with `marginalise`.
        """
        if self.variables == tuple(variables):
            return self
        kept = [name for name in variables if name in self.index]
        if tuple(kept) == self.variables:
            return self
        if len(kept) == len(self.variables):
            marginalise = False
        if self.dag is None:
            assert self.shares is not None
            if marginalise:
                raise OptionError(
                    f"{option_name('marginalise')} needs networks: votes for arcs have no paths through other variables"
                )
            return replace(self, shares=self.shares.over(kept))
        if marginalise:
            dag = _marginal(self.dag, kept)
            left_open = None if self.left_open is None else ()
            return InputVotes(dag, None if self.directed is None else PDAG.of_class(dag), left_open=left_open)
        names, left = self.variables, frozenset(kept)
        fixed = None
        if len(kept) < len(names):
            arcs = ((names[a], names[b]) for a, b in self.fixed_numbers)
            fixed = frozenset(arc for arc in arcs if left.issuperset(arc))
        return InputVotes(
            self.dag.over(kept),
            None if self.directed is None else self.directed.over(kept),
            left_open=None if self.left_open is None else tuple(e for e in self.left_open if left.issuperset(e)),
            fixed=fixed if fixed is not None else self.fixed,
        )


def common_parts(input_votes: Iterable[InputVotes]) -> int:
    """The number of parts that makes the votes of all inputs whole, if it is not too large."""
    parts = math.lcm(*(one.parts for one in input_votes))
    return parts if parts <= MOST_PARTS else SOFT_PARTS


def is_structure(network: InputLike) -> bool:
    """Whether an input is a network, with all directions and maybe tables."""
    return not isinstance(network, ArcVotes) and not is_mixed(network)


def input_votes_of(network: InputLike, support: str = SUPPORTS[0], soft: str = SOFT[0]) -> InputVotes:
    """The votes of an input.

    With the support "class", a network votes only for directions that all equivalent networks share. `soft` is the
    assumption about arc votes: that arcs are "independent" of each other, or a "sample" of networks is drawn.
    """
    one_of("support", support, SUPPORTS)
    if isinstance(network, ArcVotes):
        return InputVotes(None, shares=network, soft=one_of("soft", soft, SOFT))
    if not isinstance(network, DAG) and is_mixed(network):
        given = as_pdag(network)
        if support == "class":
            return InputVotes(given.extension, given.completed, left_open=given.edges)
        return InputVotes(given.extension, given)
    dag = as_dag(network)
    return InputVotes(dag, PDAG.of_class(dag), left_open=()) if support == "class" else InputVotes(dag)


def _marginal(dag: DAG, variables: Sequence[str]) -> DAG:
    """The minimal I-map over some of the variables, in their order in the DAG."""
    kept = frozenset(variables)
    graph = {name: dag.parents(name) for name in dag.variables}
    order = sorted(TopologicalSorter(graph).static_order(), key=lambda name: name not in kept)
    return minimal_imap(dag, order).over(variables)


def _soft_votes(shares: ArcVotes, soft: str, parts: int) -> Votes:
    arcs = shares.counts * parts // shares.total
    if soft == "independent":
        moral = np.rint(shares.moral_probabilities() * parts).astype(np.int64)
    else:
        moral = shares.sampled_moral(_SAMPLES) * parts // _SAMPLES
    return Votes(arcs, np.maximum(moral, arcs + arcs.T), parts, fixed=arcs)
