"""Interventions: a network in which some variables are set from outside (Pearl 2009, section 3.2)."""

from __future__ import annotations

import numpy as np

from bnfuse.graphs.dag import DAG
from bnfuse.graphs.network import Network
from bnfuse.inference.evidence import Interventions, check_tables, states_set


def intervened(network: Network, do: Interventions | None) -> Network:
    """The mutilated network: each variable that is set loses its parents and has its state with certainty."""
    check_tables(network)
    codes = states_set(network, do)
    if not codes:
        return network
    assert network.states is not None
    assert network.cpts is not None
    tables = dict(network.cpts)
    for variable, code in codes.items():
        tables[variable] = np.eye(len(network.states[variable]))[code]
    arcs = [(source, target) for source, target in network.dag.edges if target not in codes]
    dag = DAG(network.variables, arcs)
    return Network(dag, network.states, tables, network.name, network.made_by, network.cuts)
