"""How stable a consensus of resamples is, on the terminal."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from bnfuse._base.texts import percent
from bnfuse.answer.result import Consensus
from bnfuse.commands._console import print_table, say
from bnfuse.problem.constraints import Arc
from bnfuse.problem.strength import ArcStrength
from bnfuse.report.stability import Stability


def print_stability(result: Consensus) -> None:
    """How stable the arcs of the consensus are, and which strong ones it lacks."""
    stability = Stability(result)
    if stability.arcs:
        say("How stable the arcs of the consensus are:")
        free = {one.arc for one in result.support() if one.is_reversible}
        _print_arcs(stability.arcs, free)
        say()
    if stability.lacking:
        say("Not in the consensus, although strong:")
        _print_arcs(stability.lacking)
        say()
    threshold = percent(stability.strengths.threshold)
    say(f"strong is what is over {threshold}, the threshold that all strengths together suggest")


def _print_arcs(arcs: Sequence[ArcStrength], free: Collection[Arc] = ()) -> None:
    """Arcs; those whose direction is free, as equivalent networks have them either way round, say so."""
    rows = [
        (
            f"{one.source} -> {one.target}",
            percent(one.strength),
            percent(one.direction) + (" (free)" if (one.source, one.target) in free else ""),
        )
        for one in arcs
    ]
    print_table(("arc", "strength", "direction"), rows)
