"""The majority vote, which people use today: arcs that enough inputs have, strongest first (R's averaged.network)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from bnfuse._base.options import check_options, option, share
from bnfuse._base.public import public
from bnfuse.problem.problem import Problem
from bnfuse.search.chains import dag_of, named
from bnfuse.search.outcome import Found
from bnfuse.search.run import Run


@public
@dataclass(frozen=True, slots=True)
class MajorityOptions:
    """The share of the inputs that must have an arc in the majority vote.

    Parameters
    ----------
    threshold
        More than this share of the inputs, by weight, must have an arc, in either direction; for "shd", a reversed
        arc counts half.

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

    threshold: float = option(
        0.5,
        "More than this share of the inputs, by weight, must have an arc, in either direction; for shd, a "
        "reversed arc counts half.",
        share,
    )

    def __post_init__(self) -> None:
        check_options(self)


def majority(problem: Problem, run: Run | None = None, options: MajorityOptions | None = None) -> Found:
    """Arcs over the threshold in their majority direction, strongest first.

    An arc that would close a cycle, or break the clique limit or a constraint, is left out; if the majority direction
    is not allowed, the other one is used. For SHD, an input that has an arc reversed counts half, so that arcs over a
    threshold of one half are those that bring the network closer. If such an arc is left out, the other direction is
    tried, provided it is over the threshold too. The vote is not a search, so the seed and the other settings of a run
    have no effect.
    """
    threshold = Fraction(str((options or MajorityOptions()).threshold))
    kept, order = problem.kernel.vote(threshold.numerator, threshold.denominator, problem.counts_arcs)
    return Found.of(problem, "majority", dag_of(problem, kept), elimination_order=named(problem, order))
