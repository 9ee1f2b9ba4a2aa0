"""Judgements as votes: each expert of a private round counts as one network, on the pairs that they judged.

If an expert judged an arc A -> B with confidence p, the chosen answer (the arc, the reversed arc, or none) has the
probability p, and the two others share the rest. On pairs that they did not judge, or of which they were unsure, their
vote is the average of the other inputs, which does not change the balance of the sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from bnfuse.graphs.arc_votes import ArcVotes
from bnfuse.problem.tally import Tally
from bnfuse.serve.meeting.panels import Judgement

_TOTAL = 10_000  # votes, to whose number shares are rounded


def shares_of(tally: Tally) -> npt.NDArray[np.float64]:
    """The average vote of the inputs on each arc, among those with both of its variables."""
    voters = np.asarray(tally.seen, np.float64)
    with np.errstate(invalid="ignore"):
        shares: npt.NDArray[np.float64] = np.where(voters > 0, tally.arcs / voters, 0.0)
    return shares


def expert_votes(
    variables: Sequence[str], shares: npt.NDArray[np.float64], judgements: Sequence[Judgement], name: str
) -> ArcVotes:
    """The votes of one expert, added to inputs with the given shares."""
    counts = np.floor(shares * _TOTAL + 0.5).astype(np.int64)
    counts -= np.triu(np.maximum(counts + counts.T - _TOTAL, 0), 1)
    index = {one: i for i, one in enumerate(variables)}
    for one in judgements:
        if one.judgement == "unsure" or one.source not in index or one.target not in index:
            continue
        i, j = index[one.source], index[one.target]
        sure = Fraction(one.confidence, 100)
        chosen, other = int(sure * _TOTAL), int((1 - sure) / 2 * _TOTAL)
        counts[i, j] = chosen if one.judgement == "for" else other
        counts[j, i] = chosen if one.judgement == "turned" else other
    return ArcVotes.from_count_matrix(variables, counts, _TOTAL, 1, name)
