"""How well tables support a mapping of states: marginal distributions under it and under its alternatives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any

from bnfuse.alignment.state_matching import GUESSED, LIKELY, MatchedLabel
from bnfuse.errors import BnfuseError
from bnfuse.graphs.network import Network
from bnfuse.inference.queries import marginals

Marginal = Mapping[str, float]
"""The probability of each label of a variable."""

_MOST_STATES = 6  # up to this number of states, all ways to match them are tried
_CLEAR = 0.1  # by how much nearer a mapping must be to count as the one that fits
_CONTRADICTS = 0.25  # by how much nearer another must be to doubt a rule: networks of different places differ, too


class Marginals:
    """The marginal distributions of some variables of several networks, where they can be computed."""

    def __init__(self, networks: Sequence[Any], wanted: Mapping[int, set[str]]) -> None:
        self._found = {k: _marginals(networks[k], sorted(names)) for k, names in wanted.items()}

    def of(self, k: int, variable: str) -> Marginal | None:
        """The distribution of a variable of the network with this number; None without tables."""
        return self._found.get(k, {}).get(variable)


def _marginals(network: Any, variables: Sequence[str]) -> dict[str, Marginal]:
    if not isinstance(network, Network) or network.cpts is None or network.states is None:
        return {}
    try:
        found = marginals(network, variables)
    except BnfuseError:  # too large for exact inference: the tables are not used
        return {}
    return {name: dict(zip(network.states[name], found[name].tolist(), strict=True)) for name in variables}


def apart(matches: Sequence[MatchedLabel], mine: Marginal, theirs: Marginal) -> float | None:
    """How far apart two distributions are under a mapping: half the sum of the differences, from 0 to 1.

    None unless the mapping gives each label of one a label of the other.
    """
    if len(matches) != len(theirs) or {match.becomes for match in matches} != set(theirs):
        return None
    return sum(abs(mine[match.label] - theirs[match.becomes]) for match in matches) / 2


def judged(matches: Sequence[MatchedLabel], mine: Marginal, theirs: Marginal) -> list[MatchedLabel]:
    """Matches of labels, corrected by the tables: guesses become the best fit, rules that do not fit are doubted."""
    proposed = apart(matches, mine, theirs)
    if proposed is None or not 1 < len(matches) <= _MOST_STATES:
        return list(matches)
    guessed = [i for i, match in enumerate(matches) if match.confidence <= GUESSED]
    ways = _ways(matches, guessed if len(guessed) > 1 else range(len(matches)))
    others = [(distance, way) for way in ways if (distance := apart(way, mine, theirs)) is not None]
    nearest, best = min(others, key=lambda pair: pair[0])
    numbers = f"{proposed:.2f} apart"
    if proposed - nearest >= (_CLEAR if len(guessed) > 1 else _CONTRADICTS):
        if len(guessed) > 1:
            chosen = {match.label for match in (matches[i] for i in guessed)}
            why = f"by the tables: {nearest:.2f} apart, {matches[guessed[0]].why} {proposed:.2f}"
            order = [match.becomes for match in matches]
            best.sort(key=lambda match: order.index(match.becomes))
            return [replace(match, why=why) if match.label in chosen else match for match in best]
        instead = ", ".join(f"{match.label} as {match.becomes}" for match in best)
        why = f"the tables fit better with {instead}: {nearest:.2f} apart, not {proposed:.2f}"
        return [
            replace(match, confidence=min(match.confidence, LIKELY), why=f"{match.why}; {why}") for match in matches
        ]
    says = f"the tables fit: {numbers}, best alternative {nearest:.2f}" if nearest - proposed >= _CLEAR else ""
    if not says and guessed:
        says = f"the tables do not decide: {numbers}, best alternative {nearest:.2f}"
    return [replace(match, why=f"{match.why}; {says}" if says else match.why) for match in matches]


def _ways(matches: Sequence[MatchedLabel], places: Sequence[int]) -> Iterator[list[MatchedLabel]]:
    """The other ways to match the labels at these positions."""
    given = tuple(matches[i].becomes for i in places)
    for labels in permutations(given):
        if labels != given:
            way = list(matches)
            for i, becomes in zip(places, labels, strict=True):
                way[i] = replace(way[i], becomes=becomes)
            yield way
