"""The stability of a consensus of resamples: which of its arcs are strong, and which strong ones it lacks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from bnfuse._base.texts import count, fine_percent, listed
from bnfuse.answer.result import Consensus
from bnfuse.problem.strength import ArcStrength, Strengths

_NAMED = 3


@dataclass(frozen=True)
class Stability:
    """The arcs of a consensus compared with the estimated threshold."""

    consensus: Consensus

    @property
    def strengths(self) -> Strengths:
        """The strengths of all arcs in resamples."""
        return self.consensus.strengths

    @cached_property
    def arcs(self) -> tuple[ArcStrength, ...]:
        """Those of the consensus, strongest first; the strength of an arc in no resample is 0."""
        known = {(one.source, one.target): one for one in self.strengths.arcs}
        never = [ArcStrength(*arc, strength=0.0, direction=0.0) for arc in self.consensus.dag.edges if arc not in known]
        arcs = [known[arc] for arc in self.consensus.dag.edges if arc in known] + never
        return tuple(sorted(arcs, key=lambda one: (-one.strength, -one.direction)))

    @property
    def weak(self) -> tuple[ArcStrength, ...]:
        """Those of the consensus that are not strong."""
        return tuple(one for one in self.arcs if not self.strengths.is_strong(one))

    @cached_property
    def lacking(self) -> tuple[ArcStrength, ...]:
        """The strong ones that the consensus has in neither direction, each pair in its more common direction."""
        joined = {frozenset(arc) for arc in self.consensus.dag.edges}
        strong: dict[frozenset[str], ArcStrength] = {}
        for one in self.strengths.included:
            strong.setdefault(frozenset((one.source, one.target)), one)
        return tuple(one for pair, one in strong.items() if pair not in joined)

    @property
    def fewest(self) -> int:
        """The least number of resamples that must join a pair for its arc to be strong, if all have both variables."""
        networks, threshold = self.strengths.networks, self.strengths.exact_threshold
        return min(threshold.numerator * networks // threshold.denominator + 1, networks)

    def sentence(self, arrow: str = "->") -> str:
        """The complete sentence, with the first names."""
        arcs, weak, threshold = len(self.arcs), self.weak, self.strengths.threshold
        having = f"in more than {fine_percent(threshold)} of the" if threshold < 1 else "in all"
        of_all = f"all {arcs:,} arcs" if arcs > 1 else "its only arc"
        some = of_all if not weak else f"{arcs - len(weak):,} of {count(arcs, 'arc')}"
        text = f"{some} {'is' if arcs == 1 else 'are'} strong ({having} resamples, the estimated threshold)"
        if not arcs:
            text = "the consensus has no arcs"
        named = {"not strong": weak, "strong, but not in the consensus": self.lacking}
        for what, chosen in named.items():
            if chosen:
                shown = [f"{one.source} {arrow} {one.target} ({fine_percent(one.strength)})" for one in chosen]
                text += f"; {what}: {listed(shown, _NAMED, str)}"
        return text
