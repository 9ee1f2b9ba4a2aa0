"""The pairs of variables on which the inputs disagree: who supports which decision, and how contested it is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from bnfuse.answer.reasons.moves import Moves
from bnfuse.answer.result import Consensus
from bnfuse.graphs.dag import DAG
from bnfuse.problem.constraints import Arc
from bnfuse.problem.pair_counts import pairs_of

_LEADING = (
    3  # a pair can lead if at least this part of the weight (one over the number) disagrees with its largest side
)


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision on a pair: the arc that it has, or None for no arc."""

    pair: Arc
    arc: Arc | None

    def is_kept_by(self, dag: DAG) -> bool:
        """Whether a network follows the decision."""
        own = [(a, b) for a, b in (self.pair, self.pair[::-1]) if a in dag.parents(b)]
        return own == ([] if self.arc is None else [self.arc])


@dataclass(frozen=True, slots=True)
class Sides:
    """The inputs by their opinion on a pair; empty if only a tally is known."""

    forward: list[str] = field(default_factory=list)
    """those that have the arc; an input that leaves its direction open is on both sides"""
    backward: list[str] = field(default_factory=list)
    """those that have it reversed"""
    unjoined: list[str] = field(default_factory=list)
    """those that do not join the two"""
    blind: list[str] = field(default_factory=list)
    """those that lack one of the variables"""


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair on which the inputs disagree."""

    arc: Arc
    """as the consensus joins it, otherwise in the direction that more inputs have"""
    is_in: bool
    """whether the consensus has it"""
    forward: int
    """the weight of the inputs that have the arc"""
    backward: int
    """the weight of those that have it reversed"""
    seen: int
    """the weight of those that have both variables"""
    sides: Sides
    change: float
    """how the mean distance changes with the arc out or in, with no other change; 0 if not known"""

    @property
    def unjoined(self) -> int:
        """The weight of the inputs that do not join the two."""
        return self.seen - self.forward - self.backward

    @property
    def against(self) -> int:
        """The weight that disagrees with the largest side."""
        return self.seen - max(self.forward, self.backward, self.unjoined)

    @property
    def contested(self) -> float:
        """From 0 to 1: twice the share of the weight that disagrees with the largest side; 1 from one half upwards."""
        return min(2 * self.against / self.seen, 1.0)

    @property
    def is_lone(self) -> bool:
        """Whether only one input, with less than half of the weight, disagrees with the largest side."""
        sides, weights = self.sides, (self.forward, self.backward, self.unjoined)
        named = [set(sides.forward), set(sides.backward), set(sides.unjoined)]
        largest = named[weights.index(max(weights))]
        return len(set().union(*named) - largest) == 1 and 2 * self.against < self.seen

    @property
    def can_lead(self) -> bool:
        """Whether more than one input, and a third of the weight or more, disagree with the largest side."""
        return not self.is_lone and _LEADING * self.against >= self.seen

    @property
    def decisions(self) -> list[Decision]:
        """All decisions that inputs support except the present one."""
        weights = {None: self.unjoined, self.arc: self.forward, self.arc[::-1]: self.backward}
        present = self.arc if self.is_in else None
        return [Decision(self.arc, arc) for arc, weight in weights.items() if weight and arc != present]


def disputed_pairs(result: Consensus) -> list[Pair]:
    """All disputed pairs, the most contested first; among equally contested ones, those whose arc changes more.

    They are determined once for a result.
    """
    known: list[Pair] | None = vars(result).get("_disputed")
    if known is None:
        known = sorted(
            _pairs(result), key=lambda pair: (not pair.can_lead, -pair.contested, -abs(pair.change), pair.arc)
        )
        vars(result)["_disputed"] = known
    return known


def _pairs(result: Consensus) -> Iterator[Pair]:
    problem = result.problem
    names, own = problem.variables, frozenset(result.dag.edges)
    counts, seen = problem.tally.arcs, problem.tally.seen
    moves = None if problem.metric == "fsim" else Moves(problem, result.dag, result.elimination_order)
    speakers = _Speakers(result)
    voted = {(min(a, b), max(a, b)) for a, b in pairs_of(counts)}
    for a, b in sorted(voted):
        if max(int(counts[a, b]), int(counts[b, a])) == int(seen[a, b]):
            continue  # all agree
        arc = (names[a], names[b])
        if arc[::-1] in own or (arc not in own and counts[b, a] > counts[a, b]):
            arc, a, b = arc[::-1], b, a  # noqa: PLW2901
        change = None
        if moves is not None:
            change = moves.change_without(a, b) if arc in own else moves.change(a, b)
        yield Pair(
            arc,
            arc in own,
            int(counts[a, b]),
            int(counts[b, a]),
            int(seen[a, b]),
            speakers.sides(arc),
            0.0 if change is None else change.total,
        )


class _Speakers:
    """The arcs and variables of each input."""

    def __init__(self, result: Consensus) -> None:
        inputs = result.problem.inputs
        self._names = [name for name, _ in zip(inputs.names, inputs.input_votes, strict=False)]
        self._seeing = dict(zip(inputs.names, map(frozenset, inputs.sees), strict=False))
        self._having: dict[Arc, list[str]] = defaultdict(list)
        for name, votes in zip(inputs.names, inputs.input_votes, strict=False):
            for arc in votes.arcs:
                self._having[arc].append(name)

    def sides(self, arc: Arc) -> Sides:
        forward, backward = self._having.get(arc, []), self._having.get(arc[::-1], [])
        joining = {*forward, *backward}
        blind = [name for name, own in self._seeing.items() if not own.issuperset(arc)]
        unjoined = [name for name in self._names if name not in joining and name not in blind]
        return Sides(forward, backward, unjoined, blind)
