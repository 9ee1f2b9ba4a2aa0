"""Findings on variables: a state, several possible states, or how well each state fits.

A finding is hard (one state), a set of states of which one holds, or soft: a likelihood for each state, such as the
result of an inaccurate test (Pearl's virtual evidence). Each becomes the number of a state or a table over one
variable.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from bnfuse._base.options import real_number
from bnfuse._base.spelling import meant, place_of
from bnfuse._base.texts import listed
from bnfuse.errors import EvidenceError, OptionError
from bnfuse.graphs.gaussian_network import GaussianNetwork
from bnfuse.graphs.network import Network, Table

Finding: TypeAlias = str | Collection[str] | Mapping[str, float]
"""A state, several of which one holds, or a likelihood for each state."""

Evidence: TypeAlias = Mapping[str, Finding]
"""Findings on some variables."""

Beliefs: TypeAlias = Mapping[str, Mapping[str, float]]
"""The distributions that some variables are to have."""

Interventions: TypeAlias = Mapping[str, str]
"""The states to which some variables are set."""

_SUMS_TO_ONE = 1e-6  # how far the sum of a belief may be from 1: as much as six printed digits leave


@dataclass(frozen=True)
class Findings:
    """Evidence by numbers of states."""

    codes: Mapping[str, int] = field(default_factory=dict)
    """the states of the variables that are known with certainty"""
    likelihoods: Mapping[str, Table] = field(default_factory=dict)
    """how well each state of other variables fits; the largest value is 1"""
    said: tuple[str, ...] = ()
    """each finding as a text"""

    @classmethod
    def of(cls, network: Network, given: Evidence | None, do: Interventions | None = None) -> Findings:
        """Evidence about a network whose variables in `do` are already set."""
        check_tables(network)
        codes, likelihoods, said = dict[str, int](), dict[str, Table](), []
        evidence = checked_mapping(network, given, "evidence must be a mapping from variables to states")
        for variable, finding in evidence.items():
            likelihood = _likelihood(network, variable, finding)
            said.append(f"{variable} = {shown_finding(finding)}")
            possible = np.flatnonzero(likelihood)
            if len(possible) == 1:
                codes[variable] = int(possible[0])
            elif (likelihood != 1).any():
                likelihoods[variable] = likelihood
        for variable, state in states_set(network, do).items():
            said.append(f"do {variable} = {states_of(network, variable)[state]}")
            contradicts = (
                codes.get(variable, state) != state or not likelihoods.get(variable, np.ones(state + 1))[state]
            )
            if contradicts:
                raise EvidenceError(
                    f"variable {variable!r} is set to {states_of(network, variable)[state]!r} and given as "
                    f"{shown_finding(evidence[variable])}: leave one of them out"
                )
            codes[variable] = state
            likelihoods.pop(variable, None)
        return cls(codes, likelihoods, tuple(said))

    def impossible(self) -> EvidenceError:
        """The error for impossible evidence."""
        return EvidenceError(f"the evidence {listed(self.said, shown=str)} has probability 0 in this network")


def states_set(network: Network, do: Interventions | None) -> dict[str, int]:
    """The states to which variables are set, by number."""
    wanted = checked_mapping(network, do, "interventions (do) must be a mapping from variables to states")
    codes = {}
    for variable, label in wanted.items():
        if isinstance(label, Mapping) or _is_several(label):
            raise EvidenceError(f"variable {variable!r} can be set to one state only; got {shown_finding(label)}")
        codes[variable] = _place(network, variable, label)
    return codes


def believed(network: Network, beliefs: Beliefs | None) -> dict[str, Table]:
    """The distributions that variables are to have, which sum to 1."""
    wanted = checked_mapping(network, beliefs, "beliefs must be a mapping from variables to distributions")
    found = {}
    for variable, belief in wanted.items():
        if not isinstance(belief, Mapping):
            raise EvidenceError(
                f"the belief about {variable!r} must be a probability for each state, such as "
                f"{{{states_of(network, variable)[0]!r}: 1.0}}; got {belief!r:.60}"
            )
        table = _numbers(network, variable, belief, "a belief", "probability")
        total = math.fsum(table.tolist())
        if abs(total - 1) > _SUMS_TO_ONE:
            labels = states_of(network, variable)
            named = {_place(network, variable, label) for label in belief}
            left_out = [label for place, label in enumerate(labels) if place not in named]
            more = f"; the states {listed(left_out)} are left out, so they count 0" if left_out else ""
            raise EvidenceError(f"the belief about {variable!r} sums to {total:.6g}, and must sum to 1{more}")
        found[variable] = table / total
    return found


def checked_mapping(network: Network, given: Any, expected: str) -> Mapping[str, Any]:
    """A mapping from variables, if it is one and the network has all of them."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise OptionError(f"{expected}, got {given!r:.60}")
    check_known(network, given)
    return given


def shown_finding(finding: Any) -> str:
    """A finding as text for a message."""
    if isinstance(finding, Mapping):
        return ", ".join(f"{label}:{number:g}" for label, number in finding.items())
    return " or ".join(map(str, finding)) if _is_several(finding) else str(finding)


def check_known(network: Network, names: Iterable[str]) -> None:
    """Refuse a variable that the network does not have."""
    known = frozenset(network.variables)
    for name in names:
        if name not in known:
            raise EvidenceError(
                f"{called(network)} has no variable {name!r}{meant(name, network.variables)}; "
                f"it has {listed(network.variables)}"
            )


def check_tables(network: Network) -> None:
    """Refuse a network without tables."""
    if isinstance(network, GaussianNetwork):
        raise OptionError(
            f"{called(network)} is Gaussian: its variables are numbers without states and tables, which this needs"
        )
    if network.cpts is None or network.states is None:
        raise OptionError(f"{called(network)} has no tables to reason with; fit it to data, or pool its inputs")


def states_of(network: Network, variable: str) -> tuple[str, ...]:
    """The labels of a variable."""
    assert network.states is not None
    return network.states[variable]


def state_number(network: Network, variable: str, label: object) -> int:
    """The number of a state of a variable, if the network has both."""
    check_tables(network)
    check_known(network, [variable])
    return _place(network, variable, label)


def called(network: Network) -> str:
    """How messages refer to a network."""
    return f"network {network.name!r}" if network.name else "the network"


def _likelihood(network: Network, variable: str, finding: Any) -> Table:
    """How well each state fits a finding; the largest value is 1."""
    labels = states_of(network, variable)
    if isinstance(finding, Mapping):
        table = _numbers(network, variable, finding, "a finding", "likelihood")
        if not table.any():
            raise EvidenceError(f"the finding about {variable!r} rules out every state: give one a likelihood above 0")
        scaled: Table = table / table.max()
        return np.where((table > 0) & (scaled == 0), np.finfo(np.float64).tiny, scaled)
    places = [_place(network, variable, label) for label in (finding if _is_several(finding) else [finding])]
    if not places:
        raise EvidenceError(f"the finding about {variable!r} is an empty set; name one of {listed(labels)} or more")
    table = np.zeros(len(labels))
    table[places] = 1.0
    return table


def _numbers(network: Network, variable: str, given: Mapping[str, float], noun: str, number: str) -> Table:
    """A number for each state, 0 for those that are not named."""
    table = np.zeros(len(states_of(network, variable)))
    named = set()
    for label, value in given.items():
        place = _place(network, variable, label)
        if place in named:
            raise EvidenceError(f"{noun} about {variable!r} names the state {label!r} twice")
        named.add(place)
        real = real_number(value)
        if real is None or not (math.isfinite(real) and real >= 0):
            raise EvidenceError(
                f"the {number} of {variable} = {label} must be a finite number, at least 0; got {value!r:.60}"
            )
        table[place] = real
    return table


def _place(network: Network, variable: str, label: object) -> int:
    labels = states_of(network, variable)
    if (place := place_of(label, labels)) is None:
        raise EvidenceError(
            f"variable {variable!r} has no state {label!r}{meant(label, labels)}; its states are {listed(labels)}"
        )
    return place


def _is_several(finding: Any) -> bool:
    return isinstance(finding, Iterable) and not isinstance(finding, str | bytes | Mapping)
