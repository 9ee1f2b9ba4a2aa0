"""pyAgrum's networks as plain parts, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from bnfuse._base.optional import optional
from bnfuse.graphs.dag import DAG
from bnfuse.graphs.interop.pyagrum.reader import described
from bnfuse.graphs.interop.structures import STATES_MARK, TABLES_MARK

Table = npt.NDArray[np.float64]


def is_model(candidate: Any) -> bool:
    """Whether this is a pyAgrum network of variables with states and tables."""
    return any(
        kind.__module__.partition(".")[0].lower() == "pyagrum" and kind.__name__ == "BayesNet"
        for kind in type(candidate).__mro__
    )


def parts_of(model: Any) -> tuple[DAG, dict[str, tuple[str, ...]], dict[str, Table]]:
    """Structure, states and tables of a BayesNet. A table that was never filled, and a placeholder, is left out."""
    dag, states, tables = arranged(described(model))
    filled = {variable: table for variable, table in tables.items() if table.any()}
    if _has_mark(model, TABLES_MARK) and all((table == 1 / table.shape[-1]).all() for table in filled.values()):
        assumed = _has_mark(model, STATES_MARK) and all(len(labels) == 2 for labels in states.values())
        return dag, {} if assumed else states, {}
    return dag, states, filled


def arranged(found: Mapping[str, Any]) -> tuple[DAG, dict[str, tuple[str, ...]], dict[str, Table]]:
    """The parts that `described` found, with the axes of each table in the order of the parents, own states last."""
    states = {variable: tuple(labels) for variable, labels in found["states"].items()}
    dag = DAG(states, found["arcs"])
    tables = {}
    for variable, (axes, values) in found["tables"].items():
        tables[variable] = values.transpose([axes.index(axis) for axis in (*dag.parents(variable), variable)])
    return dag, states, tables


def bayesnet(
    dag: DAG,
    states: Mapping[str, tuple[str, ...]],
    cpts: Mapping[str, Table] | None,
    name: str = "",
    assumed_states: bool = False,
) -> Any:
    """A pyAgrum BayesNet. Without tables it gets uniform ones, and a property that marks them."""
    pyagrum = optional("pyagrum", "a pyAgrum network", extra="files")
    model = pyagrum.BayesNet(name or "bnfuse")
    number = {v: model.add(pyagrum.LabelizedVariable(v, v, list(states[v]))) for v in dag.variables}
    for variable in dag.variables:
        for parent in dag.parents(variable):
            model.addArc(number[parent], number[variable])
        table = model.cpt(number[variable])
        if cpts is None:
            table.fillWith(1 / len(states[variable]))
        else:
            *parents, own = range(cpts[variable].ndim)
            # in pyAgrum, the variable's own states change fastest, then those of its first parent
            table.fillWith(cpts[variable].transpose(*reversed(parents), own).ravel().tolist())
    for mark, holds in ((STATES_MARK, assumed_states), (TABLES_MARK, cpts is None)):
        if holds:
            model.setProperty(*mark)
    return model


def _has_mark(model: Any, mark: tuple[str, str]) -> bool:
    return bool(model.propertyWithDefault(mark[0], "") == mark[1])
