"""The cost of the inputs' disagreements for the page: the most contested pairs, solved again.

Arcs and inputs are numbers, as in `page.page_schema`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bnfuse.answer.disputes.disputes import Alternative, Dispute, Disputes
from bnfuse.answer.result import Consensus
from bnfuse.problem.constraints import Arc
from bnfuse.search.outcome import mean_distance

_DIGITS = 9


@dataclass(frozen=True, slots=True)
class OtherDecision:
    """Another decision on a disputed pair, with the problem solved again."""

    decision: str
    """`in`: joined by an arc; `out`: not joined; `turned`: joined in the other direction"""
    arc: int | None
    """the arc of this decision; None for `out`"""
    cost: float | None
    """the increase in the mean distance, at most; None if it was not solved, or is not possible"""
    cost_at_least: float | None
    """a proven bound: no network with this decision costs less; the cost is exact if both are equal; None for FSim"""
    added: list[int]
    """other arcs that the network with this decision has, but not the consensus"""
    dropped: list[int]
    """other arcs of the consensus that this network lacks"""
    reversed: list[int]
    """other arcs of the consensus that run in the other direction in this network"""
    barrier: str | None
    """why it is not possible, as a phrase"""


@dataclass(frozen=True, slots=True)
class DisputedPair:
    """A pair of variables on which the inputs disagree."""

    arc: int
    """as the consensus joins the pair, otherwise in the direction that more inputs have"""
    is_in: bool
    """whether the consensus has this arc"""
    share: float
    """the share of the weight of the inputs with both variables that have the arc"""
    reversed_share: float
    """the share of those that have it reversed"""
    forward: list[int]
    """the inputs, by their positions in `inputs`, that have the arc; one that gives it no direction is on both sides"""
    backward: list[int]
    """those that have it reversed"""
    unjoined: list[int]
    """those that do not join the two"""
    blind: list[int]
    """those that lack one of the variables"""
    contested: float
    """from 0 to 1: twice the share of the weight that disagrees with the largest side; 1 from one half upwards"""
    can_lead: bool
    """whether more than one input, and a third of the weight or more, disagree with the largest side"""
    alternatives: list[OtherDecision]
    """the other decisions that inputs support, the one with the most weight first"""


@dataclass(frozen=True, slots=True)
class PageDisputes:
    """The cost of the inputs' disagreements."""

    pairs: int
    """the number of disputed pairs"""
    shown: list[DisputedPair]
    """the most contested of them, as `bnfuse.disputes` ranks them: the pair to discuss first comes first"""
    stopped_by: str
    """`finished`, or the reason for the end, when some costs are missing; `not solved` if none was requested"""
    closer: float | None
    """the mean distance of a network closer than the consensus, if solving again found one"""


def page_disputes(consensus: Consensus, disputes: Disputes) -> PageDisputes:
    """The disputes of a result for the page."""
    closer = None if disputes.closer is None else mean_distance(consensus.problem, disputes.closer)
    numbers = _Numbers(consensus)
    return PageDisputes(disputes.pairs, [numbers.pair(one) for one in disputes], disputes.stopped_by, closer)


class _Numbers:
    """Names as the page's numbers."""

    def __init__(self, consensus: Consensus) -> None:
        self._variables = {name: i for i, name in enumerate(consensus.dag.variables)}
        self._inputs = {name: i for i, name in enumerate(consensus.problem.names)}

    def pair(self, dispute: Dispute) -> DisputedPair:
        return DisputedPair(
            arc=self._arc(dispute.arc),
            is_in=dispute.is_in,
            share=dispute.share,
            reversed_share=dispute.reversed_share,
            forward=self._places(dispute.inputs),
            backward=self._places(dispute.reversed_inputs),
            unjoined=self._places(dispute.unjoined_inputs),
            blind=self._places(dispute.blind_inputs),
            contested=dispute.contested,
            can_lead=dispute.can_lead,
            alternatives=[self._decision(one) for one in dispute.alternatives],
        )

    def _decision(self, one: Alternative) -> OtherDecision:
        return OtherDecision(
            decision=one.decision,
            arc=None if one.arc is None else self._arc(one.arc),
            cost=None if one.cost is None else round(one.cost, _DIGITS),
            cost_at_least=None if one.cost_at_least is None else round(one.cost_at_least, _DIGITS),
            added=[self._arc(arc) for arc in one.added],
            dropped=[self._arc(arc) for arc in one.dropped],
            reversed=[self._arc(arc) for arc in one.reversed],
            barrier=one.barrier,
        )

    def _arc(self, arc: Arc) -> int:
        source, target = arc
        return self._variables[source] * len(self._variables) + self._variables[target]

    def _places(self, names: Iterable[str]) -> list[int]:
        return [self._inputs[name] for name in names]
