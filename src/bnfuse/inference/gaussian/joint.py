"""The joint normal distribution of variables, as weights of independent noise.

Every variable of a Gaussian network is a constant plus a weighted sum of independent standard normal noises, one for
each variable. These weights are a square root of the covariance matrix. All computations start from these weights and
never from the covariance matrix itself, whose condition number is the square of theirs: a conditional distribution is a
projection of weights, so that no variance can come out negative.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from graphlib import TopologicalSorter
from typing import ParamSpec, TypeVar

import numpy as np

from bnfuse.errors import EvidenceError, OptionError
from bnfuse.graphs.gaussian_network import GaussianNetwork
from bnfuse.graphs.normal import JointNormal, Matrix, Vector
from bnfuse.inference.evidence import called

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")
_EPSILON = float(np.finfo(np.float64).eps)
_AGREES = 1e-9
"""standard deviations by which a value may differ from the one that others imply: what nine printed digits leave"""
WORST_CONDITION = 1e8
"""condition number of the findings: above it, fewer than about eight digits of an answer would be right"""


def quiet(function: Callable[_Given, _Result]) -> Callable[_Given, _Result]:
    """The same function without numpy's warnings: `check_range` reports numbers that are too large."""

    @wraps(function)
    def call(*given: _Given.args, **named: _Given.kwargs) -> _Result:
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            return function(*given, **named)

    return call


@dataclass(frozen=True)
class Weighted:
    """Some variables as constants plus weighted noises."""

    variables: tuple[str, ...]
    mean: Vector
    weights: Matrix
    """a row for each variable, a column for each noise"""

    @property
    def covariance(self) -> Matrix:
        """The covariance matrix."""
        found: Matrix = self.weights @ self.weights.T
        return found

    def normal(self) -> JointNormal:
        """The distribution."""
        return JointNormal(self.variables, self.mean, self.covariance)

    def given(self, known: Weighted, values: Vector) -> Weighted:
        """The distribution given values of other variables, over the same noises."""
        if not known.variables:
            return self
        basis, shift = _solved(known, values)
        scale = np.linalg.norm(self.weights, axis=1, keepdims=True)
        left = self.weights - (self.weights @ basis.T) @ basis
        left -= (left @ basis.T) @ basis  # once more: removes the rounding errors of the projection
        tiny = np.linalg.norm(left, axis=1, keepdims=True) <= 10 * len(basis) * _EPSILON * scale
        return Weighted(self.variables, self.mean + self.weights @ shift, np.where(tiny, 0.0, left))


def check_range(network: GaussianNetwork, *results: Vector) -> None:
    """Refuse results that are not finite numbers."""
    if not all(np.isfinite(one).all() for one in results):
        raise OptionError(f"the numbers of {called(network)} are too large to compute with: scale its variables down")


def joint_of(network: GaussianNetwork, variables: Sequence[str]) -> JointNormal:
    """The joint distribution of some variables."""
    return weighted(network, variables).normal()


def topological(network: GaussianNetwork) -> tuple[str, ...]:
    """The variables, parents first."""
    dag = network.dag
    return tuple(TopologicalSorter({name: dag.parents(name) for name in dag.variables}).static_order())


def ancestors(network: GaussianNetwork, variables: Iterable[str]) -> frozenset[str]:
    """The variables and all their ancestors."""
    found, waiting = set[str](), list(variables)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += network.dag.parents(name)
    return frozenset(found)


@quiet
def weighted(network: GaussianNetwork, variables: Sequence[str], fixed: Mapping[str, float] | None = None) -> Weighted:
    """Some variables as constants plus weighted noises, from their last ancestors to the first.

    Variables with `fixed` values are constants as parents.
    """
    known = fixed or {}
    order, total = effects_on(network, variables, known)
    mean = total @ np.array([network.intercepts[name] for name in order])
    for column, name in enumerate(order):
        for parent in network.dag.parents(name):
            if parent in known:
                mean += total[:, column] * (network.coefficients[name][parent] * known[parent])
    weights = total * np.array([network.deviations[name] for name in order])
    check_range(network, mean, (weights**2).sum())
    return Weighted(tuple(variables), mean, weights)


def effects_on(
    network: GaussianNetwork, variables: Sequence[str], fixed: Mapping[str, float] | None = None
) -> tuple[list[str], Matrix]:
    """The effect of each variable's noise on another variable: the sum over paths of products of coefficients.

    The columns are the other variables: those with a path to one of the variables that does not pass a fixed one.
    """
    known = fixed or {}
    within = _reaching(network, variables, known)
    order = [name for name in topological(network) if name in within]
    place = {name: i for i, name in enumerate(order)}
    total = np.zeros((len(variables), len(order)))
    for row, name in enumerate(variables):
        total[row, place[name]] = 1.0
    for name in reversed(order):
        for parent, coefficient in network.coefficients[name].items():
            if parent not in known:
                total[:, place[parent]] += total[:, place[name]] * coefficient
    return order, total


def _reaching(network: GaussianNetwork, variables: Iterable[str], known: Mapping[str, float]) -> frozenset[str]:
    """The variables, and all with a directed path to one of them that does not pass a known value."""
    found, waiting = set[str](), list(variables)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += (parent for parent in network.dag.parents(name) if parent not in known)
    return frozenset(found)


def _solved(known: Weighted, values: Vector) -> tuple[Matrix, Vector]:
    """An orthonormal basis of the noises that known values determine, and the shortest noise that explains them."""
    apart = values - known.mean
    scale = np.linalg.norm(known.weights, axis=1)
    constant = scale == 0
    scale = np.where(constant, np.maximum(np.abs(known.mean), 1.0), scale)
    left, singular, basis = np.linalg.svd(known.weights / scale[:, None], full_matrices=False)
    largest = singular[0] if len(singular) else 0.0
    rank = int((singular > 10 * max(known.weights.shape) * _EPSILON * largest).sum()) if largest else 0
    if rank and largest > WORST_CONDITION * singular[rank - 1]:
        _refuse_condition(known.variables, left[:, rank - 1], largest / singular[rank - 1])
    standard = apart / scale
    shift = basis[:rank].T @ ((left[:, :rank].T @ standard) / singular[:rank])
    missed = np.abs(standard - (known.weights / scale[:, None]) @ shift)
    allowed = _AGREES * np.maximum(1.0, np.maximum(np.abs(standard), np.abs(values) / scale))
    if (missed > allowed).any():
        worst = int(np.argmax(missed / allowed))
        why = f"is certain to be {known.mean[worst]:.6g}" if constant[worst] else "follows from the other values"
        raise EvidenceError(
            f"the findings are impossible: {known.variables[worst]!r} {why} and cannot be {values[worst]:.6g}"
        )
    return basis[:rank], shift


def _refuse_condition(variables: Sequence[str], direction: Vector, condition: float) -> None:
    """Refuse findings if some nearly follow from the others, and name those."""
    heaviest = np.argsort(-np.abs(direction), kind="stable")[:2]
    named = " and ".join(repr(variables[i]) for i in sorted(heaviest.tolist()))
    raise EvidenceError(
        f"the values given for {named} nearly follow from each other (condition number {condition:.1e}), so that "
        "rounding would decide the answer: leave one of them out"
    )
