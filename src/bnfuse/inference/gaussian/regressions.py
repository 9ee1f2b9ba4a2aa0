"""The regression of each variable on its parents, by least squares on centred and scaled columns.

Moments are never squared first: if only a covariance matrix is known, its square root is used in place of rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from bnfuse._base.texts import listed
from bnfuse.graphs.dag import DAG
from bnfuse.graphs.gaussian_network import GaussianNetwork
from bnfuse.graphs.normal import Matrix, Vector

FamilyOf = Callable[[Sequence[str]], tuple[Matrix, Vector]]

_EPSILON = float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class Regressions:
    """The numbers of a network, and any irregularities."""

    dag: DAG
    intercepts: dict[str, float] = field(default_factory=dict)
    coefficients: dict[str, dict[str, float]] = field(default_factory=dict)
    deviations: dict[str, float] = field(default_factory=dict)
    dependent: list[str] = field(default_factory=list)
    """the variables whose parents depend on each other linearly"""
    exact: list[str] = field(default_factory=list)
    """those that are determined by their parents"""

    @classmethod
    def of(cls, dag: DAG, family_of: FamilyOf, rounding: float = 0.0, least: float = 0.0) -> Regressions:
        """From centred rows (or an equivalent) of a variable and its parents, whose squares sum to moments, and means.

        Parents that differ by less than the share `rounding` depend on each other. A variable that varies has at least
        the standard deviation `least`.
        """
        found = cls(dag)
        for variable in dag.variables:
            parents = dag.parents(variable)
            rows, mean = family_of([*parents, variable])
            found.add(variable, parents, rows, mean, rounding, least)
        return found

    @classmethod
    def of_rows(cls, dag: DAG, values: Matrix, weights: Vector | None, prior: float) -> Regressions:
        """From complete rows. The prior adds rows in which exactly one variable differs from its mean."""
        share = np.full(len(values), 1 / len(values)) if weights is None else weights / weights.sum()
        total = float(len(values)) if weights is None else float(weights.sum())
        mean = share @ values
        constant = (values == values[0]).all(0)
        mean = np.where(constant, values[0], mean)  # without rounding
        centred = (values - mean) * np.sqrt(share)[:, None]
        spread = np.sqrt((centred**2).sum(0))
        place = {name: i for i, name in enumerate(dag.variables)}
        of_data = np.sqrt(total / (total + prior))
        of_prior = np.sqrt(prior / (total + prior))

        def family_of(names: Sequence[str]) -> tuple[Matrix, Vector]:
            chosen = [place[name] for name in names]
            own = centred[:, chosen] * of_data
            return (np.vstack([own, np.diag(spread[chosen] * of_prior)]) if prior else own), mean[chosen]

        return cls.of(dag, family_of)

    def add(
        self, variable: str, parents: Sequence[str], rows: Matrix, mean: Vector, rounding: float, least: float
    ) -> None:
        """One variable, whose column is the last."""
        design, own = rows[:, :-1], rows[:, -1]
        scale = np.linalg.norm(design, axis=0)
        used = scale > 0
        scale = np.where(used, scale, 1.0)
        tolerance = _EPSILON * max(rows.shape) * 10
        solved, _, rank, _ = np.linalg.lstsq(design / scale, own, rcond=max(rounding, tolerance))
        left = own - (design / scale) @ solved
        size, before = float(np.linalg.norm(left)), float(np.linalg.norm(own))
        if rank < len(parents):
            self.dependent.append(variable)
        if size <= max(least, tolerance * before):
            size = least if before else 0.0
            self.exact.append(variable)
        own_numbers = (solved / scale).tolist()
        self.coefficients[variable] = dict(zip(parents, own_numbers, strict=True))
        self.intercepts[variable] = float(mean[-1]) - float(np.dot(own_numbers, mean[:-1]))
        self.deviations[variable] = size

    def network(self, name: str = "") -> GaussianNetwork:
        """The network."""
        return GaussianNetwork(self.dag, self.intercepts, self.coefficients, self.deviations, name)

    def notes(self, rows: float) -> list[str]:
        """Notes for its owner."""
        said = []
        if self.dependent:
            said.append(
                f"the parents of {listed(self.dependent)} depend on each other linearly: of all coefficients that fit "
                "as well, these are the smallest"
            )
        if self.exact:
            short = any(len(self.dag.parents(name)) + 1 >= rows for name in self.exact)
            why = "there are hardly more rows than parents" if short else "constant, or a linear function of parents"
            said.append(f"{listed(self.exact)} got a standard deviation of 0: {why}")
        return said
