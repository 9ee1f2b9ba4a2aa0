"""A consensus in three sentences: what came out, how good it is, who disagrees."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from bnfuse.result import Compared
from bnfuse.result import Result as Consensus

_DEVIATIONS = 3.0
_TO_DEVIATION = 1.4826  # from the median absolute deviation, for a normal distribution
_FEWEST = 3  # inputs, below which nobody can stand apart
_NAMED = 3


def outliers(distances: Sequence[float]) -> tuple[bool, ...]:
    """Which inputs stand apart: over three robust standard deviations above the median distance.

    The robust standard deviation is 1.4826 times the median absolute deviation, and at least 1 (one edge), so that
    inputs that nearly agree are not told apart by trifles.
    """
    if len(distances) < _FEWEST:
        return (False,) * len(distances)
    middle = statistics.median(distances)
    spread = statistics.median(abs(distance - middle) for distance in distances)
    line = middle + _DEVIATIONS * max(_TO_DEVIATION * spread, 1.0)
    return tuple(distance > line for distance in distances)


@dataclass(frozen=True)
class Summary:
    """What the first look at a report should tell."""

    consensus: Consensus

    @cached_property
    def compared(self) -> tuple[Compared, ...]:
        """The consensus beside others: computed once."""
        return self.consensus.compared()

    @cached_property
    def outliers(self) -> tuple[str, ...]:
        """The names of the inputs that stand apart, farthest first."""
        problem = self.consensus.problem
        if not problem.dags:
            return ()
        distances = self.consensus.distances
        apart = [i for i, is_outlier in enumerate(outliers(distances)) if is_outlier]
        return tuple(problem.names[i] for i in sorted(apart, key=lambda i: -distances[i]))

    def baseline(self, name: str) -> Compared | None:
        """One of the networks that people would take instead."""
        inputs = self.consensus.problem.names
        return next((one for one in self.compared if one.name == name and name not in inputs), None)

    @property
    def what(self) -> str:
        """What came out."""
        consensus, problem = self.consensus, self.consensus.problem
        whose = _count(len(problem.dags), "network") if problem.dags else "a tally"
        size = consensus.clique_size
        return (
            f"{_count(len(consensus.dag.edges), 'arc')} over {_count(len(problem.variables), 'variable')} "
            f"from {whose}; "
            f"largest clique {size} (limit {problem.max_clique}, treewidth {size - 1})"
        )

    @property
    def quality(self) -> str:
        """How good it is."""
        consensus, problem = self.consensus, self.consensus.problem
        to = "the inputs" if problem.target == "inputs" else "the full fusion"
        text = f"mean {problem.metric} to {to} {consensus.distance:.2f}"
        if consensus.gap == 0:
            text += ", proven optimal"
        elif consensus.gap is not None:
            text += f", gap to the optimum at most {math.ceil(1000 * consensus.gap) / 10:.1f} % (proven)"
        others = [one for name in ("majority vote", "full fusion") if (one := self.baseline(name))]
        return "; ".join((text, *(f"{one.name} {one.distance:.2f}" for one in others)))

    @property
    def who(self) -> str:
        """Who disagrees."""
        problem = self.consensus.problem
        if not problem.dags:
            return "who disagrees is not known: a tally has only counts"
        by_name = dict(zip(problem.names, self.consensus.distances, strict=True))
        others = [distance for name, distance in by_name.items() if name not in self.outliers]
        span = f"{min(others):g}" if min(others) == max(others) else f"{min(others):g} to {max(others):g}"
        if not self.outliers:
            if len(by_name) == 1:
                return f"distance {span} to the only input"
            return f"no input stands apart: distances {span}"
        named = [f"{name} ({by_name[name]:g})" for name in self.outliers[:_NAMED]]
        more = f" and {len(self.outliers) - _NAMED} more" if len(self.outliers) > _NAMED else ""
        verb = "stands" if len(self.outliers) == 1 else "stand"
        return f"{', '.join(named)}{more} {verb} apart: the others have distances of {span}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
