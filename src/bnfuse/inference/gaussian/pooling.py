"""The numbers of a consensus from Gaussian networks: the closest network to their mixture.

Among all Gaussian networks with a structure, the one with the smallest Kullback-Leibler divergence from a distribution
regresses each variable linearly on its parents in that distribution: only means and covariances count. Those of a
mixture of normal distributions are exact: the weighted mean of the means, and the weighted mean of the covariances plus
the covariance of the means.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np

from bnfuse._base.texts import count, listed
from bnfuse.errors import MismatchError, OptionError
from bnfuse.fusion.weights import exact_weights
from bnfuse.graphs.dag import NetworkLike, as_dag
from bnfuse.graphs.gaussian_network import GaussianNetwork
from bnfuse.graphs.normal import Matrix, Vector
from bnfuse.inference.gaussian.joint import Weighted, weighted
from bnfuse.inference.gaussian.regressions import Regressions
from bnfuse.inference.parameters import Fitted


def pool(
    dag: NetworkLike,
    networks: Sequence[GaussianNetwork],
    weights: Sequence[float | Fraction] | Mapping[str, float] | None = None,
) -> Fitted:
    """The structure with the numbers closest to a mixture of networks.

    Networks over other variables count for the families that they contain completely; a family that no network contains
    is refused.
    """
    if not networks:
        raise OptionError("expected at least one network, got an empty list")
    graph = as_dag(dag)
    given = exact_weights(weights, tuple(network.name or f"{i + 1}" for i, network in enumerate(networks)))
    counted = [(one, float(weight / sum(given))) for one, weight in zip(networks, given, strict=True) if weight]

    def family_of(names: Sequence[str]) -> tuple[Matrix, Vector]:
        having = [(one, share) for one, share in counted if frozenset(one.variables).issuperset(names)]
        if not having:
            *parents, variable = names
            more = f" given {listed(parents)}" if parents else ""
            raise MismatchError(
                f"no Gaussian network has a distribution of {variable!r}{more}: fit the structure to data instead"
            )
        total = sum(share for _, share in having)
        return mixture([(weighted(one, names), share / total) for one, share in having])

    found = Regressions.of(graph, family_of)
    whom = count(len(counted), "network")
    said = f"the numbers are pooled from the {whom}, as close to their mixture as possible"
    if len(counted) == 1:
        said = "the numbers come from one network, as close to it as possible"
    return Fitted(found.network(), (said, *found.notes(float("inf"))))


def mixture(parts: Sequence[tuple[Weighted, float]]) -> tuple[Matrix, Vector]:
    """Rows whose squares sum to the covariance matrix of a mixture, and its mean."""
    mean = np.sum([share * one.mean for one, share in parts], axis=0)
    rows = [np.sqrt(share) * np.vstack([one.weights.T, one.mean - mean]) for one, share in parts]
    return np.vstack(rows), mean
