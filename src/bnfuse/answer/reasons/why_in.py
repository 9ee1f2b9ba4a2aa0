"""Why an arc is in the consensus: the cost of dropping it, and the reason for its direction."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bnfuse.answer.reasons.moves import Move, Moves
from bnfuse.graphs.dag import DAG
from bnfuse.graphs.equivalence import Fixed, fixed_arcs
from bnfuse.problem.constraints import Arc
from bnfuse.problem.pair_counts import Counts
from bnfuse.problem.problem import Problem


@dataclass(frozen=True, slots=True)
class WhyIn:
    """Why one arc is in the consensus."""

    arc: Arc
    is_required: bool
    """whether the constraints require it"""
    cost: float | None
    """by how much dropping it alone would increase the mean distance: 0 is a tie; None if FSim took too long"""
    shares_child_with: tuple[str, ...]
    """if its value is not due to the arc itself: other parents of its target that it joins to its source"""
    fixed_by: Fixed | None
    """the reason for its direction; None if it is free: equivalent networks have it in either direction"""
    against: str | None
    """`all` if no input has it in this direction, `most` if more, by weight, have it reversed; else None"""
    turned: Move
    """the effect of reversing it; the resulting clique is computed only if the arc contradicts the inputs"""

    @property
    def is_tied(self) -> bool:
        """Whether the network without it is equally close."""
        return self.cost == 0

    @property
    def facts(self) -> dict[str, Any]:
        """All values by name, for JSON."""
        fixed, turned = self.fixed_by, self.turned
        return {
            "required": self.is_required,
            "cost": self.cost,
            "shares_child_with": self.shares_child_with,
            "fixed_by": None if fixed is None else asdict(fixed),
            "against": self.against,
            "turned": {
                "cost": None if turned.change is None else turned.change.total,
                "closes_cycle": turned.closes_cycle,
                "constraint": turned.barrier,
                "clique": turned.clique,
                "clique_at_least": turned.clique_at_least,
                "table_over_limit": turned.table,
            },
        }


def reasons_for(problem: Problem, dag: DAG, elimination_order: tuple[str, ...]) -> tuple[WhyIn, ...]:
    """The reasons for each arc of a network, in its order."""
    moves = Moves(problem, dag, elimination_order)
    fixed, required, names = fixed_arcs(dag), frozenset(problem.constraints.required), dag.variables
    numbers = [(source, target) for source, target in dag.arc_numbers.tolist()]
    without = [moves.change_without(*arc) for arc in numbers]
    cliques, left_open = moves.cliques_worth_the_time, problem.tally.left_open
    found = []
    for arc, (source, target), change in zip(dag.edges, numbers, without, strict=True):
        against = _against(problem.tally.arcs, left_open, source, target)
        is_measured = against is not None or problem.metric != "fsim"
        turned = moves.change(target, source) if is_measured else None
        with_clique = against is not None and cliques > 0
        cliques -= with_clique
        found.append(
            WhyIn(
                arc,
                arc in required,
                None if change is None else change.total,
                tuple(names[one] for one in change.married) if change is not None and change.is_by_marriage else (),
                fixed.get(arc),
                against,
                moves.tried(target, source, turned, with_clique),
            )
        )
    return tuple(found)


def _against(arcs: Counts, left_open: npt.NDArray[np.bool_], source: int, target: int) -> str | None:
    if not arcs[source, target]:
        return "all"
    return "most" if arcs[source, target] < arcs[target, source] and not left_open[source, target] else None
