"""Why an arc of the inputs is not in the consensus: the effect of adding it."""

from __future__ import annotations

from bnfuse.answer.reasons.moves import Change, Move, Moves
from bnfuse.answer.result import Consensus
from bnfuse.problem.pair_counts import pairs_of


def why_out(consensus: Consensus) -> list[Move]:
    """The moves for each arc that an input has but the consensus lacks, and for each unsupported arc's reversal.

    Cycles, constraints and changes of SMHD and SHD are computed for all of them. Cliques, and changes of FSim, are
    computed as long as the work stays within bounds: first for arcs that would bring the consensus closer, so that
    something else must rule them out, then by support.
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
    """The arcs whose cliques are worth computing."""
    by_gain = sorted(range(len(changes)), key=lambda i: (change := changes[i]) is None or change.total > 0)
    return set(by_gain[:most])
