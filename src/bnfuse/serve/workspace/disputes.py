"""Where inputs differ: the pairs of variables of which not all say the same, by how much they matter."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bnfuse.answer.result import Consensus
from bnfuse.report.page.page_schema import PageData

MOST = 500


@dataclass(slots=True)
class _Sides:
    """The inputs that have an arc between two variables, by its direction."""

    forward: list[str] = field(default_factory=list)
    backward: list[str] = field(default_factory=list)


def disputes_of(result: Consensus, data: PageData) -> list[dict[str, Any]]:
    """The disputed pairs of a result, most important first; `data` are those of its page.

    An arc of the consensus matters by what leaving it out costs, another by what having it would change.
    """
    found = sorted(_disputes(result, _costs(result, data)), key=_rank)
    return found[:MOST]


def _rank(dispute: dict[str, Any]) -> tuple[float, float, str, str]:
    cost = dispute["cost"]
    share = dispute["share"] + dispute["reversed_share"]
    return -abs(cost or 0.0), -min(share, 1 - share), dispute["source"], dispute["target"]


def _costs(result: Consensus, data: PageData) -> dict[tuple[str, str], float | None]:
    """Of each arc that is in the consensus, or could be: how it changes the distance to take it out, or in."""
    names = result.dag.variables
    costs = {arc: why.cost for arc, why in zip(result.dag.edges, data.why, strict=True)}
    for code, reason in data.reasons.items():
        source, target = divmod(int(code), len(names))
        costs.setdefault((names[source], names[target]), reason.change)
    return costs


def _disputes(result: Consensus, costs: dict[tuple[str, str], float | None]) -> Iterator[dict[str, Any]]:
    tally, problem = result.problem.tally, result.problem
    names = problem.variables
    own = frozenset(result.dag.edges)
    sides = _sides(result)
    counts, seen = tally.arcs, tally.seen
    for a, b in np.argwhere(np.triu(counts + counts.T, 1)).tolist():
        if max(int(counts[a, b]), int(counts[b, a])) == int(seen[a, b]):
            continue  # all say the same
        arc = (names[a], names[b])
        if arc[::-1] in own or (arc not in own and counts[b, a] > counts[a, b]):
            arc, a, b = arc[::-1], b, a  # noqa: PLW2901 - as the consensus has it, or most of the inputs
        said = sides[frozenset(arc)]
        forward, backward = (said.forward, said.backward) if arc < arc[::-1] else (said.backward, said.forward)
        having = {*forward, *backward}
        blind = [name for name, one in _named(result) if not one.issuperset(arc)]
        yield {
            "source": arc[0],
            "target": arc[1],
            "in": arc in own,
            "share": float(counts[a, b] / seen[a, b]),
            "reversed_share": float(counts[b, a] / seen[a, b]),
            "who": {
                "forward": forward,
                "backward": backward,
                "neither": [name for name in problem.names if name not in having and name not in blind],
                "blind": blind,
            },
            "cost": costs.get(arc),
        }


def _named(result: Consensus) -> list[tuple[str, frozenset[str]]]:
    """The inputs that lack variables, with those that they have."""
    inputs = result.problem.inputs
    return [(name, frozenset(own)) for name, own in zip(inputs.names, inputs.sees, strict=False)]


def _sides(result: Consensus) -> dict[frozenset[str], _Sides]:
    """Who has an arc between two variables: `forward` is the direction in which the names are sorted."""
    inputs = result.problem.inputs
    found: dict[frozenset[str], _Sides] = defaultdict(_Sides)
    for name, votes_of_one in zip(inputs.names, inputs.input_votes, strict=True):
        for source, target in votes_of_one.arcs:
            side = found[frozenset((source, target))]
            (side.forward if source < target else side.backward).append(name)
    return found
