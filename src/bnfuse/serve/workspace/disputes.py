"""The disputed pairs for programs, with their supporters and the costs of other decisions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bnfuse.answer.disputes.disputes import Alternative, Dispute

MOST = 500


def dispute_rows(solved: Iterable[Dispute], others: Iterable[Dispute]) -> list[dict[str, Any]]:
    """First those that were solved, in their ranking; then the others, without costs."""
    first = list(solved)
    known = {one.arc for one in first}
    return [_row(one) for one in (*first, *(one for one in others if one.arc not in known))]


def _row(one: Dispute) -> dict[str, Any]:
    source, target = one.arc
    return {
        "source": source,
        "target": target,
        "in": one.is_in,
        "share": one.share,
        "reversed_share": one.reversed_share,
        "contested": one.contested,
        "can_lead": one.can_lead,
        "who": {
            "forward": one.inputs,
            "backward": one.reversed_inputs,
            "neither": one.unjoined_inputs,
            "blind": one.blind_inputs,
        },
        "cost": one.cost,
        "alternatives": [_decision(other) for other in one.alternatives],
    }


def _decision(one: Alternative) -> dict[str, Any]:
    return {name: value for name, value in one.facts.items() if name != "is_exact"}
