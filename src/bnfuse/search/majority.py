"""The majority vote that people use today: arcs that enough inputs have, strongest first (as R's averaged.network)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from bnfuse._errors import OptionError
from bnfuse._options import option_name
from bnfuse.problem import Problem
from bnfuse.result import Consensus
from bnfuse.search.direct import chains_of, dag_of, named


@dataclass(frozen=True, slots=True)
class MajorityOptions:
    """`threshold`: the share of the inputs, by weight, that must have an arc, either way round, for it to be kept."""

    threshold: float = 0.5

    def __post_init__(self) -> None:
        if not isinstance(self.threshold, (int, float)) or not 0 <= self.threshold < 1:
            raise OptionError(
                f"{option_name('threshold')} must be a number of at least 0 and below 1; got {self.threshold!r}"
            )


def majority(problem: Problem, options: MajorityOptions | None = None) -> Consensus:
    """Arcs over the threshold in their majority direction, strongest first.

    An arc that would close a cycle, break the clique limit or a constraint is left out; where the majority direction is
    not allowed, the other one is taken.
    """
    options = options or MajorityOptions()
    arcs = problem.tally.arcs
    strength = arcs + arcs.T
    least = Fraction(str(options.threshold))  # compared exactly
    over = strength * least.denominator > least.numerator * problem.tally.weight
    pairs = np.argwhere(np.triu(over))
    by_strength = pairs[np.argsort(-strength[pairs[:, 0], pairs[:, 1]], kind="stable")]
    allowed = problem.constraints.allowed(problem.variables)
    offered = []
    for a, b in by_strength.tolist():
        source, target = (a, b) if arcs[a, b] >= arcs[b, a] else (b, a)
        if not allowed[source, target]:
            source, target = target, source
        if allowed[source, target]:
            offered.append((source, target))
    chains = chains_of(problem, count=1)
    chains.start_from(offered)
    _, _, kept, order = chains.current()
    return Consensus.of(problem, "majority", dag_of(problem, kept), None, (), "finished", named(problem, order))
