"""Differences between schools: the arcs on which their networks differ, and with tables, probabilities that differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from bnfuse._base.public import public
from bnfuse.answer.result import Consensus
from bnfuse.errors import OptionError
from bnfuse.graphs.distribution import Distribution
from bnfuse.inference.evidence import Evidence
from bnfuse.problem.constraints import Arc

_DIGITS = 9


@public
@dataclass(frozen=True, slots=True)
class Separating:
    """An arc on which schools differ.

    Attributes
    ----------
    arc
        The arc in the direction that more schools have or, in a tie, more inputs.
    schools
        The numbers of the schools whose network has it in this direction.
    reversed_schools
        The numbers of the schools that have it reversed.
    shares, reversed_shares
        For each school, the share of its inputs, by weight, that have it in this direction, or reversed.
    tells
        How well the arc alone distinguishes the inputs of the schools: the share of inputs whose school one would guess
        from it, with equal weights for the schools. 1 means always; 1 / number of schools is chance.

    Examples
    --------
    >>> import bnfuse
    >>> one, two = bnfuse.DAG(["A", "B"], [("A", "B")]), bnfuse.DAG(["A", "B"])
    >>> arc = bnfuse.schools([one, one, two], k=2).separating[0]
    >>> arc.arc, arc.schools, arc.shares, arc.tells
    (('A', 'B'), (1,), (1.0, 0.0), 1.0)
    """

    arc: Arc
    schools: tuple[int, ...]
    reversed_schools: tuple[int, ...]
    shares: tuple[float, ...]
    reversed_shares: tuple[float, ...]
    tells: float


@public
@dataclass(frozen=True, slots=True)
class SchoolAnswer:
    """A variable whose probabilities differ between schools.

    Attributes
    ----------
    variable
        Its name.
    state
        The state of which the probabilities differ most.
    probabilities
        The probability of this state for each school.
    difference
        The difference between the largest and the smallest of them.

    Examples
    --------
    >>> import bnfuse
    >>> coins = [
    ...     bnfuse.Network(bnfuse.DAG(["A", "B"], edges), {"A": "yn", "B": "yn"}, {"A": [p, 1 - p], "B": b})
    ...     for p, edges, b in ((0.5, [("A", "B")], [[1, 0], [0, 1]]), (0.25, [], [0.5, 0.5]))
    ... ]
    >>> answer = bnfuse.schools(coins, k=2).answers()[0]
    >>> answer.variable, answer.state, answer.difference
    ('A', 'y', 0.25)
    """

    variable: str
    state: str
    probabilities: tuple[float, ...]
    difference: float


def separating_arcs(networks: Sequence[Consensus]) -> list[Separating]:
    """The pairs that the networks join differently, beginning with those that distinguish the inputs best."""
    arcs = [frozenset(one.dag.edges) for one in networks]
    pairs: dict[frozenset[str], Arc] = {}
    for arc in (arc for own in arcs for arc in sorted(own)):
        pairs.setdefault(frozenset(arc), arc)
    index = {name: i for i, name in enumerate(networks[0].dag.variables)}
    found = []
    for pair in pairs.values():
        first = pair
        having = [c for c, own in enumerate(arcs) if first in own]
        turned = [c for c, own in enumerate(arcs) if first[::-1] in own]
        if len(having) == len(networks) or len(turned) == len(networks):
            continue
        a, b = index[first[0]], index[first[1]]
        shares = [_shares(one, a, b) for one in networks]
        if (len(turned), sum(back for _, back in shares)) > (len(having), sum(forward for forward, _ in shares)):
            first, having, turned = first[::-1], turned, having
            shares = [both[::-1] for both in shares]
        found.append(
            Separating(
                first,
                tuple(c + 1 for c in having),
                tuple(c + 1 for c in turned),
                tuple(forward for forward, _ in shares),
                tuple(back for _, back in shares),
                _tells(shares),
            )
        )
    return sorted(found, key=lambda one: (-one.tells, one.arc))


def _shares(one: Consensus, a: int, b: int) -> tuple[float, float]:
    """Among the inputs of a school with both variables, those that have the arc, and those that have it reversed."""
    tally = one.problem.tally
    seen = max(int(tally.seen[a, b]), 1)
    return float(tally.arcs[a, b] / seen), float(tally.arcs[b, a] / seen)


def _tells(shares: Sequence[tuple[float, float]]) -> float:
    """How often the school of an input is guessed right from how it joins the pair."""
    ways = np.array([(forward, back, max(1 - forward - back, 0.0)) for forward, back in shares])
    return round(float(ways.max(axis=0).sum() / len(shares)), _DIGITS)


def answers_of(networks: Sequence[Consensus], given: Evidence | None) -> list[SchoolAnswer]:
    """The probabilities of each variable in the networks, the largest difference first."""
    tabled = [one.network for one in networks]
    if any(one.cpts is None for one in tabled):
        raise OptionError("queries of schools need tables, and not every school has an input with tables")
    known = frozenset(given or ())
    variables = [name for name in tabled[0].variables if name not in known]
    found = list(_answers([[one.query(name, given) for one in tabled] for name in variables], variables))
    return sorted(found, key=lambda one: (-one.difference, one.variable))


def _answers(said: Sequence[Sequence[Distribution]], variables: Sequence[str]) -> Iterator[SchoolAnswer]:
    for name, distributions in zip(variables, said, strict=True):
        spread = {state: tuple(float(one[state]) for one in distributions) for state in distributions[0].states[name]}
        state = max(spread, key=lambda one: round(max(spread[one]) - min(spread[one]), _DIGITS))
        values = spread[state]
        yield SchoolAnswer(name, state, values, round(max(values) - min(values), _DIGITS))
