"""The same network with other names for its variables and states."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from bnfuse.errors import GraphError, OptionError
from bnfuse.graphs.arc_votes import ArcVotes
from bnfuse.graphs.dag import DAG, NetworkLike, is_network
from bnfuse.graphs.gaussian_network import GaussianNetwork
from bnfuse.graphs.interop.structures import texts_of
from bnfuse.graphs.network import Network, as_network
from bnfuse.graphs.pdag import PDAG, as_pdag, is_mixed

Labels = Mapping[str, Mapping[str, str]]
"""For some variables, a new label for every state; its order is the new order of the states."""


def as_named(networks: Any) -> Any:
    """Several inputs as given; those of a mapping are named by its keys."""
    if not isinstance(networks, Mapping):
        return networks
    try:
        names = texts_of(networks)
    except GraphError:
        raise OptionError(f"a mapping of inputs must have their names as keys, got {list(networks)!r:.60}") from None
    return [_called(one, name) for name, one in zip(names, networks.values(), strict=True)]


def _called(network: Any, name: str) -> Any:
    """A network with this name; an object that is not a network, such as a tally, is left to the caller's checks."""
    if isinstance(network, PDAG | ArcVotes):
        return network.renamed(name)
    if not is_network(network):
        return network
    return as_pdag(network).renamed(name) if is_mixed(network) else as_network(network).renamed(name)


def renamed_variables(network: NetworkLike, names: Mapping[str, str]) -> NetworkLike:
    """The same network with other names for its variables; variables that are not mentioned keep theirs.

    DAG, PDAG and ArcVotes keep their types; any other network becomes a Network.
    """
    if isinstance(network, DAG | PDAG | ArcVotes):
        renamed = tuple(names.get(name, name) for name in network.variables)
        if isinstance(network, DAG):
            return DAG.from_numbers(renamed, network.arc_numbers, are_checked=True)
        if isinstance(network, ArcVotes):
            return ArcVotes.from_count_matrix(renamed, network.counts, network.total, network.networks, network.name)
        new = dict(zip(network.variables, renamed, strict=True))
        arcs, edges = ([(new[a], new[b]) for a, b in pairs] for pairs in (network.arcs, network.edges))
        return PDAG(renamed, arcs, edges, network.name)
    known = as_network(network)
    if isinstance(known, GaussianNetwork):
        return _renamed_gaussian(known, names)
    dag = renamed_variables(known.dag, names)
    states, tables = known.states, known.cpts
    return Network(
        dag,
        None if states is None else {names.get(name, name): labels for name, labels in states.items()},
        None if tables is None else {names.get(name, name): table for name, table in tables.items()},
        known.name,
        known.made_by,
        {names.get(name, name): points for name, points in known.cuts.items()},
    )


def _renamed_gaussian(network: GaussianNetwork, names: Mapping[str, str]) -> GaussianNetwork:
    new = {name: names.get(name, name) for name in network.variables}
    return GaussianNetwork(
        DAG(new.values(), [(new[source], new[target]) for source, target in network.dag.edges]),
        {new[name]: number for name, number in network.intercepts.items()},
        {new[name]: {new[p]: number for p, number in own.items()} for name, own in network.coefficients.items()},
        {new[name]: number for name, number in network.deviations.items()},
        network.name,
        network.made_by,
    )


def renamed_states(network: Network, labels: Labels) -> Network:
    """The same network with other labels for its states, in another order: the tables follow."""
    assert network.states is not None
    if not labels:
        return network
    states = dict(network.states)
    chosen: dict[str, list[int]] = {}
    for variable, changes in labels.items():
        chosen[variable] = [states[variable].index(label) for label in changes]
        states[variable] = tuple(changes.values())
    cuts = {variable: points for variable, points in network.cuts.items() if variable not in labels}
    if network.cpts is None:
        return Network(network.dag, states, None, network.name, network.made_by, cuts)
    tables = {}
    for variable, table in network.cpts.items():
        for axis, member in enumerate((*network.dag.parents(variable), variable)):
            if member in chosen:
                table = np.take(table, chosen[member], axis)  # noqa: PLW2901 - axis by axis
        tables[variable] = table
    return Network(network.dag, states, tables, network.name, network.made_by, cuts)
