"""Queries of a Gaussian network: distributions given values, interventions, total effects.

Variables with known values are constants to their children, which cuts the network into parts: only the part with the
requested variables counts. Within it, the answer is a projection of the joint distribution of the requested and the
given variables, so no matrix over all variables is ever built.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from bnfuse._base.options import real_number
from bnfuse._base.texts import listed
from bnfuse.errors import EvidenceError, OptionError
from bnfuse.graphs.dag import DAG
from bnfuse.graphs.gaussian_network import GaussianNetwork, Numbers
from bnfuse.graphs.normal import JointNormal, Normal
from bnfuse.inference.evidence import called, check_known, checked_mapping
from bnfuse.inference.gaussian.joint import Weighted, ancestors, check_range, effects_on, quiet, weighted


def query(
    network: GaussianNetwork, variables: str | Iterable[str], given: Numbers | None, beliefs: object, do: Numbers | None
) -> Normal | JointNormal:
    """The distribution of a variable, or the joint one of several."""
    if beliefs is not None:
        raise OptionError(f"beliefs are distributions over states, and {called(network)} is Gaussian: use given")
    asked = _asked(network, [variables] if isinstance(variables, str) else variables)
    known = known_values(network, given)
    settings = known_values(network, do, "the interventions (do)")
    for name, value in settings.items():
        if known.get(name, value) != value:
            raise EvidenceError(
                f"variable {name!r} is set to {value:g} and given as {known[name]:g}: leave one of them out"
            )
    found = conditioned(intervened(network, settings) if settings else network, asked, known | settings)
    return found[variables] if isinstance(variables, str) else found


@quiet
def conditioned(network: GaussianNetwork, asked: Sequence[str], known: Numbers) -> JointNormal:
    """The joint distribution of some variables given the values of others; a known one has its value with certainty."""
    unknown = [name for name in asked if name not in known]
    inside = weighted(network, [*unknown, *_that_matter(network, unknown, known)], known)
    n = len(unknown)
    wanted = Weighted(inside.variables[:n], inside.mean[:n], inside.weights[:n])
    evidence = Weighted(inside.variables[n:], inside.mean[n:], inside.weights[n:])
    answer = wanted.given(evidence, np.array([known[name] for name in evidence.variables]))
    check_range(network, answer.mean, answer.covariance)
    mean, covariance = np.zeros(len(asked)), np.zeros((len(asked), len(asked)))
    places = [i for i, name in enumerate(asked) if name not in known]
    mean[places], covariance[np.ix_(places, places)] = answer.mean, answer.covariance
    for i, name in enumerate(asked):
        if name in known:
            mean[i] = known[name]
    return JointNormal(tuple(asked), mean, covariance)


def _that_matter(network: GaussianNetwork, asked: Sequence[str], known: Numbers) -> list[str]:
    """The known variables that can change an answer, and those that must be consistent with others.

    A known variable is a constant to its children. A variable that is then not connected to a requested variable, in
    the graph over the ancestors of all requested or known variables, cannot matter; but without noise, its value may be
    impossible.
    """
    part: dict[str, str] = {}

    def top(name: str) -> str:
        while part[name] != name:
            part[name] = part[part[name]]
            name = part[name]
        return name

    within = ancestors(network, [*asked, *known])
    part.update((name, name) for name in network.variables if name in within)
    for name in part:
        for parent in network.dag.parents(name):
            if parent not in known:
                part[top(parent)] = top(name)
    needed = {top(name) for name in asked}
    needed |= {top(name) for name in known if not network.deviations[name]}
    return [name for name in part if name in known and top(name) in needed]


def intervened(network: GaussianNetwork, do: Numbers | None) -> GaussianNetwork:
    """The mutilated network: each variable that is set loses its parents and has its value with certainty."""
    settings = known_values(network, do, "the interventions (do)")
    if not settings:
        return network
    return GaussianNetwork(
        DAG(network.variables, [(source, target) for source, target in network.dag.edges if target not in settings]),
        {**network.intercepts, **settings},
        {name: {} if name in settings else own for name, own in network.coefficients.items()},
        {name: 0.0 if name in settings else number for name, number in network.deviations.items()},
        network.name,
        network.made_by,
    )


@quiet
def total_effect(network: GaussianNetwork, cause: str, target: str) -> float:
    """The change in the mean of a variable per unit of another variable that is set."""
    check_known(network, [cause, target])
    order, total = effects_on(network, [target])
    check_range(network, total)
    return float(total[0, order.index(cause)]) if cause in order else 0.0


def known_values(network: GaussianNetwork, given: Any, what: str = "evidence") -> dict[str, float]:
    """Values of variables, if the network has them and they are finite numbers."""
    values = checked_mapping(network, given, f"{what} must be a mapping from variables to numbers")
    known = {}
    for name, value in values.items():
        number = None if isinstance(value, Mapping) else real_number(value)
        if number is None or not np.isfinite(number):
            raise EvidenceError(f"the value of {name!r} must be a finite number, got {value!r:.60}")
        known[name] = float(number)
    return known


def _asked(network: GaussianNetwork, variables: Any) -> tuple[str, ...]:
    if not isinstance(variables, Iterable):
        raise OptionError(f"expected the name of a variable, or a list of names, got {variables!r:.60}")
    asked = tuple(variables)
    if not asked:
        raise OptionError("expected at least one variable to ask for")
    check_known(network, asked)
    if len(set(asked)) < len(asked):
        twice = [name for name in dict.fromkeys(asked) if asked.count(name) > 1]
        raise OptionError(f"asked twice for {listed(twice)}")
    return asked
