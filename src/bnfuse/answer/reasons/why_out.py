"""Why an arc that inputs have is not in the consensus: what would happen if it were."""

from __future__ import annotations

from bnfuse.answer.reasons.moves import Change, Move, Moves
from bnfuse.answer.result import Consensus
from bnfuse.problem.pair_counts import pairs_of


def why_out(consensus: Consensus) -> list[Move]:
    """For each arc that is in an input and not in the consensus, and for the reversal of each that nobody has.

    Cycles, constraints and changes of SMHD and SHD are found for all of them. Cliques, and changes of FSim, are looked
    for as long as the work stays within bounds: first where the arc would bring the consensus closer, so that
    something else must be in its way, then by support.
    """
    counts = consensus.problem.tally.arcs
    voted = [(a, b) for a, b in pairs_of(counts)]
    mine, theirs = {(a, b) for a, b in consensus.dag.arc_numbers.tolist()}, set(voted)
    of_nobody = [(b, a) for a, b in mine if (a, b) not in theirs and (b, a) not in theirs]
    found = sorted([*(arc for arc in voted if arc not in mine), *of_nobody])
    found.sort(key=lambda arc: -counts[arc])
    moves = Moves(consensus.problem, consensus.dag, consensus.elimination_order)
    changes = [moves.change(*arc) for arc in found]
    looked_for = _looked_for(changes, moves.cliques_worth_the_time)
    return [moves.tried(*arc, changes[i], with_clique=i in looked_for) for i, arc in enumerate(found)]


def _looked_for(changes: list[Change | None], most: int) -> set[int]:
    """The arcs whose cliques are worth the time."""
    by_gain = sorted(range(len(changes)), key=lambda i: (change := changes[i]) is None or change.total > 0)
    return set(by_gain[:most])
