"""A consensus in a few sentences: the result, its quality, who disagrees, and other important facts.

Resamples do not represent opinions: for them, the question is how stable the arcs are, not who disagrees.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from bnfuse._base.options import option_name
from bnfuse._base.texts import (
    count,
    gap_text,
    listed,
    percent,
    shown_distance,
    shown_fraction,
    shown_number,
    shown_weight,
)
from bnfuse.answer.compared import Compared
from bnfuse.answer.result import Consensus
from bnfuse.fusion.cliques import InferenceCost, inference_cost
from bnfuse.report.stability import Stability

LARGE = 1_000
"""with more variables, nothing is searched again for a summary or a report"""
_QUICK = 100  # up to this number of variables, a bound and other networks take no noticeable time
_ERROR_RATE = 0.05  # share of panels of inputs that differ only by normal deviations
_TO_DEVIATION = 1.4826  # from the median absolute deviation, for a normal distribution
_FEWEST = 3  # inputs; with fewer, none can stand apart
_NAMED = 3
_MOST_GAINED = 0.9  # of the whole gain: where the curve of a frontier has become flat


def outliers(distances: Sequence[float]) -> tuple[bool, ...]:
    """The inputs that may stand apart: far above the median distance, and well above all others.

    "Far above" means more robust standard deviations than the largest of as many normal values has with a probability
    of 5 % (Bonferroni); "well above" the others means at least one deviation. The deviation is 1.4826 times the median
    absolute deviation, but at least 1 and the square root of twice the median: edges often change in pairs, as adding a
    parent also joins it to other parents, so counts vary by that much, and a few inputs may agree by chance.
    """
    if len(distances) < _FEWEST:
        return (False,) * len(distances)
    middle = statistics.median(distances)
    spread = statistics.median(abs(distance - middle) for distance in distances)
    deviation = max(_TO_DEVIATION * spread, math.sqrt(2 * middle), 1.0)
    line = middle + statistics.NormalDist().inv_cdf(1 - _ERROR_RATE / len(distances)) * deviation
    farthest = max(distance for distance in distances if distance <= line)
    return tuple(distance > line and distance >= farthest + deviation for distance in distances)


def limits_text(result: Consensus, remark: str = "") -> str:
    """The largest clique and, if tables have a limit, the largest of them, with the limits."""
    problem = result.problem
    beside = [f"limit {problem.max_clique}"] if problem.is_clique_limited else []
    beside += [remark] if remark else []
    text = f"largest clique {result.clique_size}" + (f" ({', '.join(beside)})" if beside else "")
    if problem.max_table is None or result.largest_table is None:
        return text
    return f"{text}, largest clique table {result.largest_table:,} numbers (limit {shown_number(problem.max_table)})"


def flattening(limits: Sequence[int], distances: Sequence[float]) -> str | None:
    """The first limit that is nearly as good as the largest one: with most of its gain over the smallest."""
    gain = distances[0] - distances[-1]
    if len(limits) < 3 or gain <= 0:
        return None
    for limit, distance in zip(limits[:-1], distances, strict=False):
        share = (distances[0] - distance) / gain
        if share >= _MOST_GAINED:
            own, best = f"{distance:,.2f}", f"{distances[-1]:,.2f}"
            how = f"just as good: {own}" if own == best else f"nearly as good: {own} against {best}"
            return f"limit {shown_number(limit)} is {how}"
    return None


@dataclass(frozen=True)
class Summary:
    """The facts for a first look at a report."""

    consensus: Consensus

    @classmethod
    def of(cls, consensus: Consensus) -> Summary:
        """The summary of a result, made once: a command prints it, and writes it into the report."""
        made: Summary = vars(consensus).setdefault("_summary", cls(consensus))
        return made

    @cached_property
    def compared(self) -> tuple[Compared, ...]:
        """The comparison of the consensus with others: computed once."""
        return self.consensus.compared()

    @cached_property
    def cost(self) -> InferenceCost:
        """The cost of exact inference in the consensus: all numbers about clique tables use this one order."""
        return inference_cost(self.consensus.network)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the inputs; resamples have none."""
        return () if self.consensus.of_resamples else self.consensus.problem.names

    @property
    def input_noun(self) -> str:
        """The word for an input."""
        return "resample" if self.consensus.of_resamples else "input"

    @cached_property
    def stability(self) -> Stability | None:
        """The stability of the arcs, if the inputs are resamples."""
        return Stability(self.consensus) if self.consensus.of_resamples else None

    @property
    def is_weighted(self) -> bool:
        """Whether some inputs count for more than others."""
        return len(set(self.consensus.problem.weights)) > 1

    @cached_property
    def outliers(self) -> tuple[str, ...]:
        """The names of the inputs that may stand apart, farthest first."""
        return tuple(self.names[i] for i in self._apart)

    @cached_property
    def _apart(self) -> list[int]:
        if not self.names:
            return []
        distances = self.consensus.distances
        apart = [i for i, is_outlier in enumerate(outliers(distances)) if is_outlier]
        return sorted(apart, key=lambda i: -distances[i])

    def baseline(self, name: str) -> Compared | None:
        """One of the networks that people would use instead: by position, as an input may have its name."""
        problem = self.consensus.problem
        is_fused = bool(problem.dags) and not problem.inputs.sees
        offered = (self.compared[1], *((self.compared[-2],) if is_fused else ()))
        return next((one for one in offered if one.name == name), None)

    @property
    def lines(self) -> list[str]:
        """All sentences, most important first."""
        first = (self.what, self.quality, self.who, self.itself, self.ties)
        return [line for line in (*first, self.coverage, self.directions, self.freedom, self.weighting) if line]

    @property
    def lines_at_once(self) -> list[str]:
        """The sentences for a quick look at a result: nothing is searched for them.

        For a large network, the bound and the comparison are included only if they are already known.
        """
        is_small = len(self.consensus.dag.variables) <= _QUICK
        has_bound, has_others = is_small or self._knows_bound, is_small or "compared" in vars(self)
        first = (self.what, self._quality(has_bound, has_others), self.who, self.itself)
        others = (self.coverage, self.directions, self.freedom if self._knows_freedom else None, self.weighting)
        return [line for line in (*first, self.ties if has_others else None, *others) if line]

    @property
    def _knows_bound(self) -> bool:
        return "lower_bound" in vars(self.consensus) or self.consensus.problem.metric == "fsim"

    @property
    def _knows_freedom(self) -> bool:
        return "if_any" in vars(self.consensus)

    @property
    def what(self) -> str:
        """The result."""
        consensus, problem = self.consensus, self.consensus.problem
        whose = count(len(self.names), "network" if problem.inputs.is_plain else "input") if self.names else self._votes
        if self.stability is not None:
            whose = count(self.stability.strengths.networks, "resample")
        return (
            f"{count(len(consensus.dag.edges), 'arc')} over {count(len(problem.variables), 'variable')} "
            f"from {whose}{self.without}; {limits_text(consensus, f'treewidth {consensus.clique_size - 1}')}"
        )

    @property
    def without(self) -> str:
        """The inputs that were left out, as the end of a phrase; empty if there are none."""
        left_out = self.consensus.problem.inputs.left_out
        return f" (without {listed(left_out, _NAMED, str)}: weight 0)" if left_out else ""

    @property
    def _votes(self) -> str:
        """The number of networks that a tally, or votes for arcs, represent."""
        tally = self.consensus.problem.tally
        weight = shown_weight(tally.weight, tally.parts)
        return f"votes worth {weight} network{'' if weight == '1' else 's'}"

    @property
    def quality(self) -> str:
        """The quality of the result."""
        return self._quality()

    def _quality(self, has_bound: bool = True, has_others: bool = True) -> str:
        """The same, possibly without the bound and the comparison."""
        consensus, problem = self.consensus, self.consensus.problem
        to = f"the {self.input_noun}s" if problem.target == "inputs" else "the full fusion"
        mean = "weighted mean" if self.is_weighted and problem.target == "inputs" else "mean"
        text = f"{mean} {problem.metric} to {to} {consensus.distance:,.2f}"
        if not has_bound:
            text += " (.gap computes how far from the best possible)"
        elif consensus.gap == 0:
            text += ", proven optimal"
        elif consensus.lower_bound is not None:
            above = gap_text(consensus.distance, consensus.lower_bound)
            text += f", at most {above} above the best possible (proven)"
        names = ("majority vote", "full fusion") if has_others else ()
        others = [one for name in names if (one := self.baseline(name))]
        return "; ".join((text, *(f"{one.name} {one.distance:,.2f}" for one in others)))

    @property
    def who(self) -> str:
        """Who disagrees or, for resamples, how stable the arcs are."""
        if self.stability is not None:
            return self.stability.sentence()
        if not self.names:
            return "who disagrees is not known: a tally has only counts"
        distances, apart = self.consensus.distances, self._apart
        others = [distance for i, distance in enumerate(distances) if i not in apart]
        span = " to ".join(map(shown_distance, sorted({min(others), max(others)})))
        if not apart:
            if len(distances) == 1:
                return f"distance {span} to the only input"
            return f"no input clearly stands apart: distances {span}"
        named = listed([f"{self.names[i]} ({shown_distance(distances[i])})" for i in apart], _NAMED, str)
        return f"{named} may stand apart: the others have distances of {span}"

    @property
    def itself(self) -> str | None:
        """The inputs that are equal to the consensus, if any: over all variables, in all directions."""
        if self.stability is not None:
            return None
        said = zip(self.names, self.consensus.problem.inputs.input_votes, strict=True)
        same = [name for name, one in said if one.directed is None and one.dag == self.consensus.dag]
        if not same:
            return None
        if len(same) == len(self.names):
            return "all inputs are this network" if len(same) > 1 else "the consensus is the input itself, arc for arc"
        return f"the consensus is one of the inputs, arc for arc: {listed(same, _NAMED, str)}"

    @property
    def ties(self) -> str | None:
        """Other networks that are equally close; a note mentions the one without arcs."""
        others = [f"the {one.name}" if i == 0 else one.name for i, one in enumerate(self.compared[1:-1]) if one.ties]
        tied = [one.arc for one in self.consensus.why_in if one.is_tied and not one.is_required]
        said = []
        if others:
            said.append(f"equally close: {listed(others, _NAMED, str)}")
        if tied:
            which = f"any one of {len(tied):,} arcs" if len(tied) > 1 else f"the arc from {tied[0][0]} to {tied[0][1]}"
            said.append(f"dropping {which} gives an equally close network")
        return "; ".join(said) or None

    @property
    def coverage(self) -> str | None:
        """The variables of the inputs, if not all inputs have all of them."""
        problem = self.consensus.problem
        if problem.tally.is_whole:
            return None
        n = len(problem.variables)
        unjudged = len(self.consensus.unjudged)
        pairs = count(n * (n - 1) // 2, "pair")
        text = f"all {pairs} of variables are in some {self.input_noun} together"
        if unjudged:
            verb = "is" if unjudged == 1 else "are"
            nowhere = f"{verb} in no {self.input_noun} together"
            text = f"of {pairs} of variables, {unjudged:,} {nowhere}: no {self.input_noun} has a vote on them"
        if not problem.inputs.sees:
            return text
        sizes = [len(own) for own in problem.inputs.sees]
        having = f"{min(sizes)}" if min(sizes) == max(sizes) else f"{min(sizes)} to {max(sizes)}"
        each = " each" if len(sizes) > 1 else ""
        return f"the {self.input_noun}s have {having} of the {n:,} variables{each}; {text}"

    @property
    def directions(self) -> str | None:
        """The number of arcs that contradict the inputs."""
        consensus = self.consensus
        arcs, unseen = len(consensus.dag.arc_numbers), len(consensus.unseen)
        if not arcs:
            return None
        outvoted = len(set(consensus.outvoted) - set(consensus.unseen))
        of_all = f"of {count(arcs, 'arc')}"
        if not unseen and not outvoted:
            return f"no arc runs against the majority of the {self.input_noun}s that join the two"
        if not unseen:
            runs = "runs" if outvoted == 1 else "run"
            return f"{outvoted:,} {of_all} {runs} against the majority of the {self.input_noun}s that join the two"
        text = f"{unseen:,} {of_all} {'runs' if unseen == 1 else 'run'} in a direction that no {self.input_noun} has"
        if outvoted:
            text += f", {outvoted:,} more against the majority of the {self.input_noun}s that join the two"
        return text

    @property
    def freedom(self) -> str | None:
        """The cost of a rule on directions, if there is one: the distance that a quick search finds without it.

        For a network with more than `LARGE` variables, it is included only if it is already known.
        """
        if len(self.consensus.dag.variables) > LARGE and not self._knows_freedom:
            return None
        other = self.consensus.if_any
        if other is None or other.distance >= self.consensus.distance:
            return None
        return f"allowing any direction would bring the mean distance to {other.distance:,.2f} ({_any()})"

    @property
    def weighting(self) -> str | None:
        """The weights of the inputs, if they are not equal."""
        if not self.is_weighted:
            return None
        problem = self.consensus.problem
        shares = [weight / sum(problem.weights) for weight in problem.weights]
        most, least = max(shares), min(shares)
        heaviest = [i for i, share in enumerate(shares) if share == most]
        given = problem.inputs.given_weights
        said = "inputs count by the number of networks that they represent"
        if len(set(given)) > 1:
            said = "weights were given"
            if self.names:
                pairs = zip(self.names, map(shown_fraction, given), strict=True)
                said += f" ({listed([f'{name}={weight}' for name, weight in pairs], shown=str)})"
        if len(heaviest) > 1 or not self.names:
            return f"{said}: the {self.input_noun}s count for {percent(least)} to {percent(most)} of the total each"
        others = [share for share in shares if share < most]
        span = percent(least) if max(others) == least else f"{percent(least)} to {percent(max(others))}"
        rest = f"the others for {span} each" if len(others) > 1 else f"the other for {span}"
        return f"{said}: {self.names[heaviest[0]]} counts for {percent(most)} of the total, {rest}"


def _any() -> str:
    """The option that allows any direction, in the reader's terms."""
    name = option_name("directions")
    if name.endswith("--directions"):  # including a different command from the one that writes the report
        return "--directions any"
    return f'{name}="any"' if name == "directions" else f"{name}: any direction"
