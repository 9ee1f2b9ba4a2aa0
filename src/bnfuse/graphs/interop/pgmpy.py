"""pgmpy's Bayesian networks as plain parts, and back: discrete and linear Gaussian ones."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bnfuse._base.optional import optional
from bnfuse._base.texts import listed
from bnfuse.errors import GraphError
from bnfuse.graphs.dag import DAG

Table = npt.NDArray[np.float64]

_CLASSES = ("DiscreteBayesianNetwork", "BayesianNetwork")  # the name since 1.0, and the one before
_GAUSSIAN = "LinearGaussianBayesianNetwork"


def is_model(candidate: Any) -> bool:
    """Whether this is a pgmpy network of variables with states and tables, under one of its class names."""
    names = {kind.__name__ for kind in type(candidate).__mro__}
    return not names.isdisjoint(_CLASSES) and hasattr(candidate, "get_cpds")


def parts_of(model: Any) -> tuple[DAG, dict[str, tuple[str, ...]], dict[str, Table]]:
    """Structure, and the states and tables of the model: a variable may lack its CPD.

    Every CPD has labels for its own axes. The labels of the variable's own CPD are its states. Labels for the other
    axes are matched by name, or by position if a CPD was made without labels and so numbers them.
    """
    dag = DAG.from_networkx(model)
    cpds = {str(cpd.variable): cpd for cpd in model.get_cpds() if hasattr(cpd, "state_names")}
    labels: dict[str, Sequence[Hashable]] = {}
    for cpd in cpds.values():
        labels |= {str(name): list(cpd.state_names[name]) for name in cpd.variables}
    labels |= {variable: list(cpd.state_names[cpd.variable]) for variable, cpd in cpds.items()}
    tables = {variable: _table(dag, variable, cpd, labels) for variable, cpd in cpds.items()}
    states = {name: tuple(map(str, labels[name])) for name in dag.variables if name in labels}
    return dag, states, tables


def _table(dag: DAG, variable: str, cpd: Any, labels: Mapping[str, Sequence[Hashable]]) -> Table:
    names = [str(name) for name in cpd.variables]
    if sorted(names) != sorted((*dag.parents(variable), variable)):
        given = listed(names[1:]) or "nothing"
        parents = listed(dag.parents(variable)) or "none"
        raise GraphError(f"the CPD of {variable!r} is given {given}, but its parents in the pgmpy model are {parents}")
    values: Table = np.asarray(cpd.values, np.float64)
    for axis, name in enumerate(cpd.variables):
        places = _places(variable, str(name), list(cpd.state_names[name]), labels[str(name)])
        values = values.take(places, axis)
    return values.transpose([names.index(name) for name in (*dag.parents(variable), variable)])


def _places(variable: str, name: str, own: list[Hashable], wanted: Sequence[Hashable]) -> list[int]:
    """The positions of a variable's states in a CPD, in their order."""
    if own == list(wanted) or (len(own) == len(wanted) and own == list(range(len(own)))):
        return list(range(len(own)))
    if len(own) != len(wanted) or set(own) != set(wanted):
        raise GraphError(
            f"the CPD of {variable!r} has the states {listed(own)} for {name!r}, whose own CPD has {listed(wanted)}"
        )
    return [own.index(label) for label in wanted]


def model_of(
    dag: DAG, states: Mapping[str, tuple[str, ...]] | None, cpts: Mapping[str, Table] | None, name: str = ""
) -> Any:
    """A pgmpy model; without tables it has no CPDs."""
    models = optional("pgmpy.models", "a pgmpy model")
    # By its newest name: the older one still exists, but only issues a warning
    model = (models.DiscreteBayesianNetwork if hasattr(models, _CLASSES[0]) else models.BayesianNetwork)()
    model.add_nodes_from(dag.variables)
    model.add_edges_from(dag.edges)
    if name:
        model.name = name
    if states is None or cpts is None:
        return model
    tabular = optional("pgmpy.factors.discrete", "a pgmpy model").TabularCPD
    for variable in dag.variables:
        parents = dag.parents(variable)
        count = len(states[variable])
        cpd = tabular(
            variable,
            count,
            cpts[variable].reshape(-1, count).T.tolist(),  # a column for each parent configuration
            evidence=list(parents) or None,
            evidence_card=[len(states[parent]) for parent in parents] or None,
            state_names={one: list(states[one]) for one in (variable, *parents)},
        )
        model.add_cpds(cpd)
    return model


def is_gaussian(candidate: Any) -> bool:
    """Whether this is a pgmpy network of linear Gaussian variables."""
    return any(kind.__name__ == _GAUSSIAN for kind in type(candidate).__mro__) and hasattr(candidate, "get_cpds")


def gaussian_parts_of(model: Any) -> tuple[DAG, dict[str, float], dict[str, dict[str, float]], dict[str, float]]:
    """Structure, intercepts, coefficients and standard deviations."""
    dag = DAG.from_networkx(model)
    intercepts, coefficients, deviations = dict[str, float](), dict[str, dict[str, float]](), dict[str, float]()
    for cpd in model.get_cpds():
        variable, given = str(cpd.variable), [str(name) for name in cpd.evidence]
        intercept, *own = np.asarray(cpd.beta, np.float64).tolist()
        if len(own) != len(given):
            raise GraphError(f"the CPD of {variable!r} has {len(own)} coefficients for {len(given)} parents")
        intercepts[variable], deviations[variable] = intercept, float(cpd.std)
        coefficients[variable] = dict(zip(given, own, strict=True))
    return dag, intercepts, coefficients, deviations


def gaussian_model_of(
    dag: DAG,
    intercepts: Mapping[str, float],
    coefficients: Mapping[str, Mapping[str, float]],
    deviations: Mapping[str, float],
    name: str = "",
) -> Any:
    """A pgmpy model with a CPD for each variable."""
    model = getattr(optional("pgmpy.models", "a pgmpy model"), _GAUSSIAN)()
    model.add_nodes_from(dag.variables)
    model.add_edges_from(dag.edges)
    if name:
        model.name = name
    linear = optional("pgmpy.factors.continuous", "a pgmpy model").LinearGaussianCPD
    for variable in dag.variables:
        parents = list(dag.parents(variable))
        beta = [intercepts[variable], *(coefficients[variable][parent] for parent in parents)]
        model.add_cpds(linear(variable, beta, deviations[variable], parents))
    return model
