"""pyAgrum's Gaussian networks (CLG) as plain parts, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from bnfuse._base.optional import optional
from bnfuse.errors import GraphError
from bnfuse.graphs.dag import DAG

Parts: TypeAlias = tuple[DAG, dict[str, float], dict[str, dict[str, float]], dict[str, float]]
"""Structure, intercepts, coefficients and standard deviations."""


def is_gaussian(candidate: Any) -> bool:
    """Whether this is a pyAgrum CLG."""
    return any(kind.__module__.startswith("pyagrum.clg") and kind.__name__ == "CLG" for kind in type(candidate).__mro__)


def gaussian_parts_of(model: Any) -> Parts:
    """The parts of a CLG. The `mu` of its variables are their intercepts, as its queries use them."""
    numbers = sorted(model.nodes())
    name = {i: str(model.name(i)) for i in numbers}
    arcs = sorted(model.arcs())
    coefficients: dict[str, dict[str, float]] = {}
    for source, target in arcs:
        coefficients.setdefault(name[target], {})[name[source]] = float(model.coefArc(source, target))
    return (
        DAG(name.values(), [(name[source], name[target]) for source, target in arcs]),
        {name[i]: float(model.variable(i).mu()) for i in numbers},
        coefficients,
        {name[i]: float(model.variable(i).sigma()) for i in numbers},
    )


def model_of(
    dag: DAG,
    intercepts: Mapping[str, float],
    coefficients: Mapping[str, Mapping[str, float]],
    deviations: Mapping[str, float],
) -> Any:
    """A CLG, which has no arcs whose coefficient is 0."""
    optional("pyagrum", "a pyAgrum network", extra="files")
    optional("IPython", "a pyAgrum CLG")  # its module imports it
    module = optional("pyagrum.clg", "a pyAgrum CLG", extra="files")
    model = module.CLG()
    for variable in dag.variables:
        model.add(module.GaussianVariable(variable, intercepts[variable], deviations[variable]))
    for source, target in dag.edges:
        if not coefficients[target][source]:
            raise GraphError(f"the arc {source} -> {target} has the coefficient 0, which a pyAgrum CLG cannot hold")
        model.addArc(source, target, coefficients[target][source])
    return model
