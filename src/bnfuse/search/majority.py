"""The majority vote that people use today: arcs that enough inputs have, strongest first (as R's averaged.network)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from bnfuse._base.options import check_options, option, share_or
from bnfuse.problem.problem import Problem
from bnfuse.problem.strength import estimated_threshold
from bnfuse.search.chains import Heat, chains_of, dag_of, named
from bnfuse.search.outcome import Found
from bnfuse.search.run import Run

ESTIMATED = "estimated"


@dataclass(frozen=True, slots=True)
class MajorityOptions:
    """How many inputs must have an arc, in the majority vote that people use today.

    Parameters
    ----------
    threshold
        More than this share of the inputs, by weight, must have an arc, in either direction; for "shd", a reversed
        arc counts half. Or "estimated": from the distribution of the shares of all arcs.

    Raises
    ------
    OptionError
        The threshold is not a share.

    Examples
    --------
    >>> import bnfuse
    >>> one, two = bnfuse.DAG(["A", "B"], [("A", "B")]), bnfuse.DAG(["A", "B"])
    >>> bnfuse.consensus([one, two, two], method=bnfuse.MajorityOptions(threshold=0.3)).dag.edges
    (('A', 'B'),)
    """

    threshold: float | Literal["estimated"] = option(
        0.5,
        "More than this share of the inputs, by weight, must have an arc, in either direction; for shd, a "
        "reversed arc counts half. Or estimated: from the distribution of the shares of all arcs.",
        share_or(ESTIMATED),
    )

    def __post_init__(self) -> None:
        check_options(self)


def majority(problem: Problem, run: Run | None = None, options: MajorityOptions | None = None) -> Found:
    """Arcs over the threshold in their majority direction, strongest first.

    An arc that would close a cycle, break the clique limit or a constraint is left out; where the majority direction is
    not allowed, the other one is taken. For SHD an input that has an arc reversed counts half, so that arcs
    over a threshold of a half are those that bring the network closer; where one is left out, the other direction has
    its turn if it is over the threshold too. An estimated threshold (see `bnfuse.problem.strength`) is one for arcs
    in either direction, and is used so for SHD too. There is nothing to search, so a run makes no difference.
    """
    asked = (options or MajorityOptions()).threshold
    chains = chains_of(problem, 0, 1, Heat(1, 1))
    notes: tuple[str, ...] = ()
    if asked == ESTIMATED:
        threshold = estimated_threshold(problem.tally.arcs, problem.tally.seen)
        chains.start_from(_offered_by_pair(problem, threshold))
        notes = (f"the estimated threshold is {float(threshold):.4g}",)
    else:
        offered = _offered_by_arc if problem.counts_arcs else _offered_by_pair
        chains.start_from(offered(problem, Fraction(str(asked))))
    _, _, kept, order = chains.current()
    dag = dag_of(problem, kept)
    return Found.of(problem, "majority", dag, elimination_order=named(problem, order), notes=notes)


def _offered_by_arc(problem: Problem, threshold: Fraction) -> list[tuple[int, int]]:
    strength = 2 * problem.tally.arcs + problem.tally.arcs.T
    over = strength * threshold.denominator > 2 * threshold.numerator * problem.tally.seen  # compared exactly
    arcs = np.argwhere(over & problem.constraints.allowed(problem.tally))
    sources, targets = arcs.T
    ties = (problem.tally.arcs - problem.tally.oriented)[sources, targets]  # 0 unless classes were counted
    by_strength = arcs[np.lexsort((ties, -strength[sources, targets]))]
    return [(source, target) for source, target in by_strength.tolist()]


def _offered_by_pair(problem: Problem, threshold: Fraction) -> list[tuple[int, int]]:
    arcs, votes = problem.tally.arcs, problem.tally.oriented
    strength = arcs + arcs.T
    seen = problem.tally.seen
    over = strength * threshold.denominator > threshold.numerator * seen  # compared exactly
    over |= (strength == seen) & (seen > 0)  # what all have counts, even where that is the threshold
    pairs = np.argwhere(np.triu(over, 1))
    by_strength = pairs[np.argsort(-strength[pairs[:, 0], pairs[:, 1]], kind="stable")]
    allowed = problem.constraints.allowed(problem.tally)
    offered = []
    for a, b in by_strength.tolist():
        source, target = (a, b) if votes[a, b] >= votes[b, a] else (b, a)
        if not allowed[source, target]:
            source, target = target, source
        if allowed[source, target]:
            offered.append((source, target))
    return offered
