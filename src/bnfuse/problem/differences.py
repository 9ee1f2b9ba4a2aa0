"""The distance between two inputs of any kind, and the pairs of variables on which they differ.

An input gives, for each pair of variables, the probability that an arc joins it in each direction: 0 or 1 in a network,
one half each for an edge without a direction in a class, and shares in votes and tallies. The distance of two inputs on
a pair is half the sum of the differences of these shares (total variation). For two networks it is 0 or 1, and the
pairs add up to SHD or SMHD; for a network and votes they add up to the distance that a consensus has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from bnfuse.errors import GraphError
from bnfuse.fusion.distances import fsim
from bnfuse.graphs.arc_votes import ArcVotes
from bnfuse.graphs.dag import DAG, as_dag, refuse_many
from bnfuse.graphs.pdag import PDAG, as_pdag, is_mixed
from bnfuse.problem.input_votes import InputLike
from bnfuse.problem.pair_counts import Counts
from bnfuse.problem.tally import Tally

Shares = npt.NDArray[np.float64]
Pair = tuple[str, str]

_DIGITS = 9  # the unit to which sums of shares are rounded: floating-point errors in them are smaller


class Said:
    """The votes of one input on the pairs of its variables."""

    def __init__(self, name: str, given: InputLike | Tally) -> None:
        self.name = name
        self.given = given if isinstance(given, Tally | ArcVotes | PDAG) else _structure(given)
        self.variables: tuple[str, ...] = self.given.variables

    @property
    def dag(self) -> DAG | None:
        """The network, if it is one."""
        return self.given if isinstance(self.given, DAG) else None

    @cached_property
    def cpdag(self) -> PDAG | None:
        """Its Markov equivalence class, if it is a network or a class."""
        if isinstance(self.given, DAG):
            return PDAG.of_class(self.given)
        return self.given.completed if isinstance(self.given, PDAG) else None

    @cached_property
    def tally(self) -> Tally:
        """Its votes."""
        refuse_many(len(self.variables), "comparing networks pair by pair")
        if isinstance(self.given, Tally):
            return self.given
        tally = Tally(self.variables)
        try:
            tally.add(self.given)
        except GraphError as error:
            raise GraphError(f"network {self.name!r}: {error}") from None
        return tally

    @cached_property
    def seen(self) -> npt.NDArray[np.bool_]:
        """The pairs on which it has a vote."""
        seen: npt.NDArray[np.bool_] = self.tally.seen > 0
        return seen

    @cached_property
    def arcs(self) -> Shares:
        """In row A, column B the share of its votes for A -> B."""
        return self._share(self.tally.arcs)

    @cached_property
    def moral(self) -> Shares:
        """In row A, column B the share of its votes for the moral edge A - B."""
        return self._share(self.tally.moral)

    def _share(self, counts: Counts) -> Shares:
        shares: Shares = counts / np.maximum(self.tally.seen, 1)
        return shares

    def over(self, variables: Sequence[str]) -> Said:
        """Its votes on these of its variables, in this order."""
        if tuple(variables) == self.variables:
            return self
        if not isinstance(self.given, Tally):
            return Said(self.name, self.given.over(variables))
        part = Said(self.name, Tally(variables))
        place = [self.variables.index(name) for name in variables]
        here = np.ix_(place, place)
        part.__dict__.update(seen=self.seen[here], arcs=self.arcs[here], moral=self.moral[here])
        return part


@dataclass(frozen=True, slots=True)
class Difference:
    """Two inputs that are compared."""

    here: str
    there: str
    variables: int
    """the number of variables that both have"""
    shd: float
    smhd: float
    fsim: float | None
    """for two networks"""
    cpdag_shd: int | None
    """SHD of their Markov equivalence classes, for networks and classes: pairs that these join differently"""
    only_here: tuple[Pair, ...]
    """pairs that more than half of the votes join here, but not there"""
    only_there: tuple[Pair, ...]
    reversed: tuple[Pair, ...]
    """the direction that they have here"""
    directed_in_one: tuple[Pair, ...]
    """pairs that both join, but only one with a direction; in that direction"""
    undirected: tuple[Pair, ...]
    """the undirected ones among the pairs that only one input joins"""

    @classmethod
    def of(cls, one: Said, other: Said) -> Difference:
        """Compare two inputs over the variables that both have."""
        kept = [name for name in one.variables if name in set(other.variables)]
        a, b = one.over(kept), other.over(kept)
        upper = np.triu(a.seen & b.seen, 1)
        apart = np.abs(a.arcs - b.arcs)
        joined = np.abs(a.arcs + a.arcs.T - b.arcs - b.arcs.T)
        marks = list(_marks(a, b, upper))
        return cls(
            one.name,
            other.name,
            len(kept),
            _rounded(((apart + apart.T + joined) / 2)[upper].sum()),
            _rounded(np.abs(a.moral - b.moral)[upper].sum()),
            None if a.dag is None or b.dag is None else fsim(a.dag, b.dag, threads=1),
            None if a.cpdag is None or b.cpdag is None else _differing(a.cpdag, b.cpdag),
            only_here=tuple(_turned(pair, mine) for pair, mine, theirs in marks if mine and not theirs),
            only_there=tuple(_turned(pair, theirs) for pair, mine, theirs in marks if theirs and not mine),
            reversed=tuple(_turned(pair, mine) for pair, mine, theirs in marks if {mine, theirs} == {"->", "<-"}),
            directed_in_one=tuple(
                _turned(pair, mine if theirs == "--" else theirs)
                for pair, mine, theirs in marks
                if mine and theirs and (mine == "--") != (theirs == "--")
            ),
            undirected=tuple(pair for pair, mine, theirs in marks if {mine, theirs} == {"--", ""}),
        )


def _structure(given: InputLike) -> Any:
    return as_pdag(given) if is_mixed(given) else as_dag(given)


def _marks(a: Said, b: Said, pairs: npt.NDArray[np.bool_]) -> Iterator[tuple[Pair, str, str]]:
    """The pairs that two inputs join differently, by more than half of the votes of each."""
    mine, theirs = (_says(one.arcs) for one in (a, b))
    for i, j in np.argwhere(pairs & (mine != theirs)).tolist():
        yield (a.variables[i], a.variables[j]), str(mine[i, j]), str(theirs[i, j])


def _says(arcs: Shares) -> npt.NDArray[np.str_]:
    """The majority vote on each pair: an arc in one direction, an edge without a direction, or nothing."""
    half = 0.5 + 10.0**-_DIGITS
    back = arcs.T
    return np.select([arcs > half, back > half, arcs + back > half], ["->", "<-", "--"], "")


def _turned(pair: Pair, mark: str) -> Pair:
    return pair[::-1] if mark == "<-" else pair


def _differing(one: PDAG, other: PDAG) -> int:
    """The number of pairs that two graphs join differently."""
    mine, theirs = (
        {frozenset(pair): pair for pair in graph.arcs} | {frozenset(pair): None for pair in graph.edges}
        for graph in (one, other)
    )
    lacking: Any = ()
    return sum(mine.get(pair, lacking) != theirs.get(pair, lacking) for pair in mine.keys() | theirs.keys())


def _rounded(total: float) -> float:
    """A sum of shares; a whole number without decimals."""
    found = round(float(total), _DIGITS)
    return int(found) if found.is_integer() else found
