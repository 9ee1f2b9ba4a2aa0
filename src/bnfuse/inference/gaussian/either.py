"""Tables or numbers: which of the two fits the inputs and the data of a consensus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from bnfuse._base.options import option_name
from bnfuse._base.texts import listed
from bnfuse.data.numeric import NumericData
from bnfuse.errors import MismatchError, OptionError
from bnfuse.graphs.dag import DAG, NetworkLike
from bnfuse.graphs.gaussian_network import GaussianNetwork
from bnfuse.graphs.network import Network
from bnfuse.inference import parameters
from bnfuse.inference.gaussian import fitting, pooling
from bnfuse.inference.parameters import Fitted


def fit(
    structure: NetworkLike,
    data: Any,
    *,
    networks: Sequence[Network] = (),
    gaussian: bool | None = None,
    prior: float | None = None,
    **options: Any,
) -> Fitted:
    """The structure fitted to data: as a Gaussian network on request, or if the inputs or data are Gaussian."""
    if gaussian is None:
        gaussian = isinstance(data, NumericData) or are_gaussian(networks)
    if not gaussian:
        return parameters.fit(structure, data, prior=parameters.DEFAULT_PRIOR if prior is None else prior, **options)
    refuse_judgements(options.pop("judgements", ()))
    options.pop("states", None)
    return fitting.fit(structure, data, prior=fitting.DEFAULT_PRIOR if prior is None else prior, **options)


def pool(
    dag: DAG,
    networks: Sequence[Network],
    weights: Sequence[float | Fraction] | Mapping[str, float],
    **options: Any,
) -> Fitted:
    """The structure with the parameters of the closest network to a mixture: of tables, or of Gaussian networks."""
    numbers = [one for one in networks if isinstance(one, GaussianNetwork)]
    if not numbers:
        return parameters.pool(dag, networks, weights, **options)
    check_one_kind(networks)
    refuse_judgements(options.get("judgements", ()))
    return pooling.pool(dag, numbers, weights)


def check_poolable(dag: DAG, networks: Sequence[Network]) -> None:
    """Refuse networks that cannot be pooled, as far as this is known without a structure."""
    check_one_kind(networks)
    if not are_gaussian(networks):
        parameters.pooled_states(dag, networks)


def are_gaussian(networks: Sequence[Network]) -> bool:
    """Whether there are networks with parameters, and all of them are Gaussian."""
    return bool(networks) and all(isinstance(one, GaussianNetwork) for one in networks)


def check_one_kind(networks: Sequence[Network]) -> None:
    """Refuse to mix tables with Gaussian networks."""
    numbers = [one.name for one in networks if isinstance(one, GaussianNetwork)]
    tables = [one.name for one in networks if one.cpts is not None]
    if numbers and tables:
        raise MismatchError(
            f"{listed(numbers)} {'is a Gaussian network' if len(numbers) == 1 else 'are Gaussian networks'} and "
            f"{listed(tables)} {'has' if len(tables) == 1 else 'have'} tables: they cannot be pooled together; fit the "
            "consensus to data instead"
        )


def refuse_judgements(judgements: object) -> None:
    """Refuse judgements, which concern rows of tables."""
    if judgements:
        raise OptionError(f"{option_name('judgements')} are about rows of tables, and a Gaussian network has no tables")
