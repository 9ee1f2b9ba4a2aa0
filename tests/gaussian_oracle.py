"""Random Gaussian networks, and their joint normal distribution by textbook matrix algebra."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from bnfuse import DAG, GaussianNetwork
from strategies import dags

Array = npt.NDArray[np.float64]


def random_network(random: np.random.Generator, size: int, density: float = 0.4, name: str = "") -> GaussianNetwork:
    """Names in another order than that of the arcs."""
    names = [f"V{i}" for i in range(size)]
    order = random.permutation(names).tolist()
    pairs = [(order[i], order[j]) for i in range(size) for j in range(i + 1, size)]
    dag = DAG(names, [pair for pair in pairs if random.random() < density])
    return GaussianNetwork(
        dag,
        {name: random.normal(0, 5) for name in names},
        {name: {parent: random.normal() for parent in dag.parents(name)} for name in names},
        {name: random.uniform(0.2, 2) for name in names},
        name,
    )


def joint(network: GaussianNetwork) -> tuple[Array, Array]:
    """Mean and covariance from the inverse of I - B."""
    names = network.variables
    slopes = np.array([[network.coefficients[v].get(p, 0.0) for p in names] for v in names])
    total = np.linalg.inv(np.eye(len(names)) - slopes)
    mean = total @ np.array([network.intercepts[v] for v in names])
    return mean, total @ np.diag([network.deviations[v] ** 2 for v in names]) @ total.T


def conditional(
    mean: Array, covariance: Array, asked: Sequence[int], known: Mapping[int, float]
) -> tuple[Array, Array]:
    """Of a joint normal distribution, by the Schur complement."""
    wanted, given = list(asked), list(known)
    if not given:
        return mean[wanted], covariance[np.ix_(wanted, wanted)]
    gain = np.linalg.solve(covariance[np.ix_(given, given)], covariance[np.ix_(given, wanted)]).T
    apart = np.array([known[i] for i in given]) - mean[given]
    return mean[wanted] + gain @ apart, covariance[np.ix_(wanted, wanted)] - gain @ covariance[np.ix_(given, wanted)]


def mutilated(network: GaussianNetwork, settings: Mapping[str, float]) -> GaussianNetwork:
    """With variables set from outside, one number at a time."""
    dag = DAG(network.variables, [arc for arc in network.dag.edges if arc[1] not in settings])
    return GaussianNetwork(
        dag,
        {name: settings.get(name, network.intercepts[name]) for name in network.variables},
        {name: {parent: network.coefficients[name][parent] for parent in dag.parents(name)} for name in dag.variables},
        {name: 0.0 if name in settings else network.deviations[name] for name in network.variables},
    )


@st.composite
def gaussian_networks(draw: st.DrawFn, max_size: int = 5) -> GaussianNetwork:
    """Any finite numbers."""
    dag = draw(dags(max_size=max_size))
    number = st.floats(allow_nan=False, allow_infinity=False)
    return GaussianNetwork(
        dag,
        {name: draw(number) for name in dag.variables},
        {name: {parent: draw(number) for parent in dag.parents(name)} for name in dag.variables},
        {name: draw(st.floats(0, 1e300)) for name in dag.variables},
    )
