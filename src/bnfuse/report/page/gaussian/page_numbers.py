"""The numbers of Gaussian networks for the page: of the consensus, and of its inputs if there is room."""

from __future__ import annotations

from dataclasses import dataclass

from bnfuse.answer.result import Consensus
from bnfuse.graphs.gaussian_network import GaussianNetwork

_MOST_VARIABLES = 300
"""the limit for an answer of a browser within a tenth of a second"""
_MOST_NUMBERS_OF_INPUTS = 30_000


@dataclass(frozen=True, slots=True)
class NumberNetwork:
    """A Gaussian network; its variables have their numbers in the consensus."""

    own: list[int]
    """the variables that it has"""
    parents: list[list[int]]
    """of each of these"""
    coefficients: list[list[float]]
    """in the same way"""
    intercepts: list[float]
    """of each of its variables"""
    deviations: list[float]
    """the standard deviations of their noise"""


@dataclass(frozen=True, slots=True)
class PageNumbers:
    """The numbers that the page needs to query a Gaussian consensus and its inputs."""

    consensus: NumberNetwork
    """all of its variables in their order"""
    inputs: list[NumberNetwork | None] | None
    """None for an input without numbers; None for all if they are not known or too large"""


def page_numbers(consensus: Consensus) -> PageNumbers | None:
    """The numbers of a consensus and its inputs; None if it is not Gaussian, or too large for the page."""
    network = consensus.network
    if not isinstance(network, GaussianNetwork) or len(network.variables) > _MOST_VARIABLES:
        return None
    number = {name: i for i, name in enumerate(network.variables)}
    known = [one if isinstance(one, GaussianNetwork) else None for one in consensus.problem.inputs.networks]
    for one in known:
        for name in () if one is None else one.variables:
            number.setdefault(name, len(number))  # one that the consensus lacks
    size = sum(one.parameters for one in known if one is not None)
    inputs = [None if one is None else _numbers(one, number) for one in known]
    return PageNumbers(_numbers(network, number), inputs if inputs and size <= _MOST_NUMBERS_OF_INPUTS else None)


def _numbers(network: GaussianNetwork, number: dict[str, int]) -> NumberNetwork:
    own = network.coefficients
    return NumberNetwork(
        [number[name] for name in network.variables],
        [[number[parent] for parent in own[name]] for name in network.variables],
        [list(own[name].values()) for name in network.variables],
        [network.intercepts[name] for name in network.variables],
        [network.deviations[name] for name in network.variables],
    )
