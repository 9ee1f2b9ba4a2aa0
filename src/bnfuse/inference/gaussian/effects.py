"""Total effects of a Gaussian consensus and of its inputs: on which the inputs disagree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bnfuse.graphs.gaussian_network import GaussianNetwork
from bnfuse.inference.evidence import check_known
from bnfuse.inference.gaussian.joint import effects_on


@dataclass(frozen=True, slots=True)
class LinearEffect:
    """By how much the mean of a target changes for each unit by which a cause is set higher."""

    cause: str
    target: str
    consensus: float
    inputs: Mapping[str, float]
    """of those that have both variables"""

    @property
    def signs(self) -> tuple[int, int, int]:
        """How many inputs see a positive effect, none, and a negative one."""
        values = self.inputs.values()
        return sum(v > 0 for v in values), sum(v == 0 for v in values), sum(v < 0 for v in values)

    @property
    def verdict(self) -> str:
        """`opposite` signs, some inputs see an effect and some none (`partly`), or they `agree` on the sign."""
        up, none, down = self.signs
        return "opposite" if up and down else "partly" if none and up + down else "agree"

    @property
    def low(self) -> float:
        """The smallest effect that an input sees."""
        return min(self.inputs.values(), default=self.consensus)

    @property
    def high(self) -> float:
        """The largest."""
        return max(self.inputs.values(), default=self.consensus)


def linear_effects(
    consensus: GaussianNetwork,
    inputs: Mapping[str, GaussianNetwork],
    of: Iterable[str] | None = None,
    on: Iterable[str] | None = None,
) -> list[LinearEffect]:
    """The effects that the consensus or an input sees: opposite signs first, then those that some inputs do not see."""
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
    """For each target that the network has the total effects on it."""
    own = [name for name in targets if name in network.variables]
    order, total = effects_on(network, own)
    return {name: dict(zip(order, row.tolist(), strict=True)) for name, row in zip(own, total, strict=True)}
