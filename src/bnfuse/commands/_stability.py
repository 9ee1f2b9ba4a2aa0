"""How stable a consensus of resamples is, on the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from bnfuse._base.texts import percent
from bnfuse.answer.result import Consensus
from bnfuse.commands._console import print_table, say
from bnfuse.problem.strength import ArcStrength
from bnfuse.report.stability import Stability

FREE = (
    "free: most networks that have the arc leave its direction open (equivalent networks, which fit any data equally "
    "well, have it in either direction); such a network counts half for each direction"
)


def print_stability(result: Consensus) -> None:
    """How stable the arcs of the consensus are, and which strong ones it lacks."""
    stability = Stability(result)
    if stability.arcs:
        say("How stable the arcs of the consensus are:")
        _print_arcs(stability.arcs)
        say()
    if stability.lacking:
        say("Not in the consensus, although strong:")
        _print_arcs(stability.lacking)
        say()
    threshold = percent(stability.strengths.threshold)
    say(f"strong means above {threshold}, the threshold estimated from all strengths")
    if any(one.is_free for one in (*stability.arcs, *stability.lacking)):
        say(FREE)


def _print_arcs(arcs: Sequence[ArcStrength]) -> None:
    """Arcs, marked "free" if the equivalence classes of most resamples leave their direction open."""
    rows = [
        (
            f"{one.source} -> {one.target}",
            percent(one.strength),
            percent(one.reported_direction) + (" (free)" if one.is_free else ""),
        )
        for one in arcs
    ]
    print_table(("arc", "strength", "direction"), rows)
