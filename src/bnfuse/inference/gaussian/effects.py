"""Total effects in a Gaussian consensus and in its inputs, and those on which the inputs disagree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bnfuse.graphs.gaussian_network import GaussianNetwork
from bnfuse.inference.evidence import check_known
from bnfuse.inference.gaussian.joint import effects_on


@dataclass(frozen=True, slots=True)
class LinearEffect:
    """The change in the mean of a target per unit of a cause that is set."""

    cause: str
    target: str
    consensus: float
    inputs: Mapping[str, float]
    """in the inputs that have both variables"""

    @property
    def signs(self) -> tuple[int, int, int]:
        """The numbers of inputs with a positive effect, no effect, and a negative effect."""
        values = self.inputs.values()
        return sum(v > 0 for v in values), sum(v == 0 for v in values), sum(v < 0 for v in values)

    @property
    def verdict(self) -> str:
        """`opposite` signs, an effect in some inputs only (`partly`), or they `agree` on the sign."""
        up, none, down = self.signs
        return "opposite" if up and down else "partly" if none and up + down else "agree"

    @property
    def low(self) -> float:
        """The smallest effect in an input."""
        return min(self.inputs.values(), default=self.consensus)

    @property
    def high(self) -> float:
        """The largest effect in an input."""
        return max(self.inputs.values(), default=self.consensus)


def linear_effects(
    consensus: GaussianNetwork,
    inputs: Mapping[str, GaussianNetwork],
    of: Iterable[str] | None = None,
    on: Iterable[str] | None = None,
) -> list[LinearEffect]:
    """The effects in the consensus or an input: opposite signs first, then those that some inputs lack."""
    names = consensus.variables
    causes, targets = (names if chosen is None else tuple(chosen) for chosen in (of, on))
    check_known(consensus, [*causes, *targets])
    seen = {name: _totals(network, targets) for name, network in {"": consensus, **inputs}.items()}
    found = []
    for cause in causes:
        for target in targets:
            own = {name: totals[target].get(cause, 0.0) for name, totals in seen.items() if target in totals}
            ours = own.pop("")
            having = {name: value for name, value in own.items() if cause in inputs[name].variables}
            if cause != target and (ours or any(having.values())):
                found.append(LinearEffect(cause, target, ours, having))
    rank = {"opposite": 0, "partly": 1, "agree": 2}
    return sorted(found, key=lambda one: (rank[one.verdict], names.index(one.cause), names.index(one.target)))


def _totals(network: GaussianNetwork, targets: Iterable[str]) -> dict[str, dict[str, float]]:
    """For each target in the network, the total effects on it."""
    own = [name for name in targets if name in network.variables]
    order, total = effects_on(network, own)
    return {name: dict(zip(order, row.tolist(), strict=True)) for name, row in zip(own, total, strict=True)}
