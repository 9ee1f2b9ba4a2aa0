"""Structures of networkx, pyAgrum and pgmpy as names and arcs, and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np

from bnfuse._base.optional import optional
from bnfuse.errors import GraphError

Arcs: TypeAlias = list[tuple[str, str]]

STATES_MARK = ("bnfuse_states", "assumed")
TABLES_MARK = ("bnfuse_tables", "uniform")
"""Properties of a model or file that hold placeholders because its format needs them: two states, uniform tables."""

_OTHER_GRAPHS = {
    **dict.fromkeys(
        ("EssentialGraph", "MixedGraph", "PDAG", "CPDAG", "ADMG", "MAG", "PAG", "GeneralGraph", "CausalGraph"),
        "edges without one direction",
    ),
    **dict.fromkeys(("UndiGraph", "CliqueGraph", "MarkovRandomField"), "no directions"),
    "InfluenceDiagram": "decisions and utilities",
    "DynamicBayesianNetwork": "time slices",
    "ArcVotes": "votes for arcs, and is not one graph",
}


def from_networkx(graph: Any) -> tuple[list[str], Arcs]:
    """The names and arcs of a DiGraph."""
    if not hasattr(graph, "is_directed"):
        raise GraphError(f"expected a networkx graph, got {graph!r:.60}")
    if not graph.is_directed():
        raise GraphError("expected a directed graph, got an undirected one")
    refuse_mixed(graph)
    name = dict(zip(graph.nodes, texts_of(graph.nodes), strict=True))
    return list(name.values()), [(name[source], name[target]) for source, target in graph.edges()]


def to_networkx(variables: Sequence[str], arcs: Iterable[tuple[str, str]]) -> Any:
    """A DiGraph."""
    return _filled(optional("networkx", "a networkx graph").DiGraph(), variables, arcs)


def to_pgmpy(variables: Sequence[str], arcs: Iterable[tuple[str, str]]) -> Any:
    """A pgmpy DAG."""
    return _filled(optional("pgmpy.base", "a pgmpy graph").DAG(), variables, arcs)


def _filled(graph: Any, variables: Sequence[str], arcs: Iterable[tuple[str, str]]) -> Any:
    graph.add_nodes_from(variables)
    graph.add_edges_from(arcs)
    return graph


def from_pyagrum(network: Any) -> tuple[list[str], Arcs]:
    """The names and arcs of a BayesNet; in a pyAgrum DAG, the nodes are numbers, which become the names."""
    refuse_mixed(network)
    if not (hasattr(network, "nodes") and hasattr(network, "arcs")):
        raise GraphError(f"expected a pyAgrum network, got {network!r:.60}")
    named = hasattr(network, "variable")
    name = {i: str(network.variable(i).name()) if named else str(i) for i in sorted(network.nodes())}
    return list(name.values()), [(name[source], name[target]) for source, target in network.arcs()]


def to_pyagrum(variables: Sequence[str], arcs: Iterable[tuple[str, str]]) -> Any:
    """A BayesNet in which every variable has two states and a uniform table, both marked as assumed."""
    pyagrum = optional("pyagrum", "a pyAgrum network")
    network = pyagrum.BayesNet()
    number = {name: network.add(pyagrum.LabelizedVariable(name, name, 2)) for name in variables}
    for source, target in arcs:
        network.addArc(number[source], number[target])
    for name in variables:
        network.cpt(number[name]).fillWith(0.5)
    for mark in (STATES_MARK, TABLES_MARK):
        network.setProperty(*mark)
    return network


def refuse_mixed(graph: Any) -> None:
    """Refuse a graph of another package that a DAG cannot represent."""
    for kind in type(graph).__mro__:
        if has := _OTHER_GRAPHS.get(kind.__name__):
            package = {"pyagrum": "pyAgrum"}.get(name := kind.__module__.partition(".")[0].lower(), name)
            instead = "a DAG of its class" if has.startswith("edges") else "a Bayesian network"
            raise GraphError(f"a {package} {type(graph).__name__} has {has}; expected a DAG: pass {instead} instead")


def texts_of(names: Iterable[Any]) -> list[str]:
    """Names of variables as text: whole numbers are converted, anything else is refused."""
    texts, was_text = [], dict[str, bool]()
    for name in names:
        is_text = isinstance(name, str)
        if not is_text and (isinstance(name, bool | np.bool_) or not hasattr(name, "__index__")):
            raise GraphError(f"a variable's name must be text or a whole number, got {name!r:.60}")
        text = name if is_text else str(int(name))
        if was_text.setdefault(text, is_text) != is_text:
            raise GraphError(f"the number {text} and the text {text!r} are both names of variables; rename one of them")
        texts.append(text)
    return texts
