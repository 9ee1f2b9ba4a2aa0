"""Models of pyAgrum, pgmpy and networkx as networks with all they know, and back."""

from __future__ import annotations

import copy
import pickle
import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import bnfuse
from bnfuse import DAG, BnfuseWarning, GraphError, Network
from bnfuse.graphs.network import as_network

networkx = pytest.importorskip("networkx")

PUMP = Network(
    DAG(["Fails", "Old", "Load"], [("Old", "Fails"), ("Load", "Fails")]),
    {"Fails": ("no", "yes"), "Old": ("no", "yes"), "Load": ("low", "mid", "high")},
    {
        "Old": [0.7, 0.3],
        "Load": [0.2, 0.5, 0.3],
        "Fails": [[[0.99, 0.01], [0.98, 0.02], [0.97, 0.03]], [[0.9, 0.1], [0.8, 0.2], [0.65, 0.35]]],
    },
    "pump",
)


@pytest.mark.parametrize("network", [PUMP, Network(PUMP.dag, PUMP.states), Network(PUMP.dag, name="bare")])
def test_networks_survive_pickling_and_copying(network: Network) -> None:
    for twin in (pickle.loads(pickle.dumps(network)), copy.copy(network), copy.deepcopy(network)):
        assert twin == network
        assert hash(twin) == hash(network)
        assert twin.name == network.name
        assert repr(twin) == repr(network)
        assert twin.cpts is None or not any(table.flags.writeable for table in twin.cpts.values())


# pgmpy's documented attributes on a graph of networkx: what bnfuse goes by


class BayesianNetwork(networkx.DiGraph):  # type: ignore[misc]
    def __init__(self, arcs: list[tuple[str, str]], cpds: list[Any]) -> None:
        super().__init__(arcs)
        self._tables = cpds

    def get_cpds(self) -> list[Any]:
        return self._tables


class DiscreteBayesianNetwork(BayesianNetwork):
    pass


def cpd(variables: list[Any], values: Any, **state_names: list[Any]) -> SimpleNamespace:
    return SimpleNamespace(
        variable=variables[0], variables=variables, values=np.array(values, float), state_names=state_names
    )


OLD = cpd(["Old"], [0.7, 0.3], Old=["no", "yes"])
LOAD = cpd(["Load"], [0.2, 0.5, 0.3], Load=["low", "mid", "high"])
FAILS = cpd(
    ["Fails", "Load", "Old"],  # child first, then the evidence in an order of its own
    [[[0.99, 0.9], [0.98, 0.8], [0.97, 0.65]], [[0.01, 0.1], [0.02, 0.2], [0.03, 0.35]]],
    Fails=["no", "yes"],
    Load=["low", "mid", "high"],
    Old=["no", "yes"],
)
ARCS = [("Load", "Fails"), ("Old", "Fails")]


@pytest.mark.parametrize("kind", [BayesianNetwork, DiscreteBayesianNetwork])
def test_a_pgmpy_model_brings_its_states_and_tables(kind: Any) -> None:
    assert as_network(kind(ARCS, [OLD, LOAD, FAILS])) == PUMP


def test_states_in_another_order_in_a_childs_cpd_are_matched_by_label() -> None:
    turned = cpd(
        ["Fails", "Load", "Old"],
        FAILS.values[:, ::-1, ::-1],
        Fails=["no", "yes"],
        Load=["high", "mid", "low"],
        Old=["yes", "no"],
    )
    assert as_network(BayesianNetwork(ARCS, [OLD, LOAD, turned])) == PUMP


def test_numbered_states_are_matched_by_place() -> None:
    unnamed = cpd(["Fails", "Load", "Old"], FAILS.values, Fails=["no", "yes"], Load=[0, 1, 2], Old=[0, 1])
    assert as_network(BayesianNetwork(ARCS, [OLD, LOAD, unnamed])) == PUMP


def test_labels_that_are_not_text_become_text() -> None:
    network = as_network(_lone([True, 2.5]))
    assert network.states == {"A": ("True", "2.5")}


def _lone(labels: list[Any]) -> Any:
    model = BayesianNetwork([], [cpd(["A"], [0.5, 0.5], A=labels)])
    model.add_node("A")
    return model


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        (
            cpd(["Fails", "Old"], [[1, 1], [0, 0]], Fails=["no", "yes"], Old=["no", "yes"]),
            "parents .* are 'Load', 'Old'",
        ),
        (
            cpd(["Fails", "Load", "Old"], FAILS.values, Fails=["no", "yes"], Load=["a", "b", "c"], Old=["no", "yes"]),
            "the states 'a', 'b', 'c' for 'Load', whose own CPD has 'low', 'mid', 'high'",
        ),
        (
            cpd(["Fails", "Load", "Old"], FAILS.values / 2, **FAILS.state_names),
            "table of 'Fails' .* not a probability distribution",
        ),
    ],
)
def test_a_pgmpy_model_that_contradicts_itself_is_refused(wrong: Any, problem: str) -> None:
    with pytest.raises(GraphError, match=problem):
        as_network(BayesianNetwork(ARCS, [OLD, LOAD, wrong]))


def test_what_a_partly_specified_model_loses_is_said() -> None:
    with pytest.warns(BnfuseWarning, match=r"the pgmpy model has no table for 'Load': its tables are left out"):
        network = as_network(BayesianNetwork(ARCS, [OLD, FAILS]))
    assert network.cpts is None
    assert network.states == PUMP.states  # the CPD of its child knows them
    with pytest.warns(BnfuseWarning, match=r"'Load' and 1 more: its states and tables are left out"):
        network = as_network(BayesianNetwork(ARCS, [OLD]))
    assert network.states is None


def test_a_model_without_any_tables_loses_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert as_network(BayesianNetwork(ARCS, [])) == Network(PUMP.dag)


def test_every_way_in_takes_the_tables(tmp_path: Path) -> None:
    model = DiscreteBayesianNetwork(ARCS, [OLD, LOAD, FAILS])
    bnfuse.write(model, tmp_path / "a.bif")
    assert bnfuse.read(tmp_path / "a.bif") == [PUMP]
    result = bnfuse.consensus([model, PUMP], max_clique=3)
    assert result.inputs == (PUMP, PUMP)
    assert result.states == PUMP.states


@pytest.mark.parametrize("kind", ["PDAG", "ADMG", "MAG"])
def test_graphs_of_pgmpy_with_other_edges_are_refused_by_name(kind: str) -> None:
    graph = type(kind, (networkx.DiGraph,), {"__module__": "pgmpy.base"})([("A", "B"), ("B", "A")])
    with pytest.raises(GraphError, match=f"a pgmpy {kind} has edges without one direction; expected a DAG"):
        bnfuse.fuse([graph])


# The real ones


def test_pgmpy_there_and_back() -> None:
    pytest.importorskip("pgmpy")
    model = PUMP.to_pgmpy()
    assert model.check_model()
    assert model.get_cpds("Fails").get_value(Fails="yes", Old="yes", Load="high") == 0.35
    assert as_network(model) == PUMP
    assert as_network(Network(PUMP.dag, PUMP.states).to_pgmpy()) == Network(PUMP.dag)


def test_pgmpys_pdag_is_refused() -> None:
    base = pytest.importorskip("pgmpy.base")
    with pytest.raises(GraphError, match="a pgmpy PDAG has edges without one direction"):
        as_network(base.PDAG(directed_ebunch=[("A", "B")], undirected_ebunch=[("B", "C")]))


def test_xdsl_agrees_with_pgmpy(tmp_path: Path) -> None:
    readwrite = pytest.importorskip("pgmpy.readwrite")
    bnfuse.write(PUMP, tmp_path / "a.xdsl")
    theirs = readwrite.XDSLReader(str(tmp_path / "a.xdsl")).get_model()
    assert as_network(theirs) == PUMP
    readwrite.XDSLWriter(PUMP.to_pgmpy()).write(str(tmp_path / "b.xdsl"))
    assert bnfuse.read(tmp_path / "b.xdsl") == [PUMP]


def test_pyagrum_there_and_back() -> None:
    pytest.importorskip("pyagrum")
    model = PUMP.to_pyagrum()
    assert model.cpt("Fails")[{"Fails": "yes", "Old": "yes", "Load": "high"}] == 0.35
    assert as_network(model) == PUMP


@pytest.mark.parametrize("network", [Network(PUMP.dag), Network(PUMP.dag, PUMP.states)])
def test_placeholders_of_a_pyagrum_model_are_marked(network: Network) -> None:
    pytest.importorskip("pyagrum")
    assert as_network(network.to_pyagrum()) == network
    assert as_network(network.dag.to_pyagrum()) == Network(network.dag)


def test_a_pyagrum_model_whose_tables_were_never_filled_has_none() -> None:
    pyagrum = pytest.importorskip("pyagrum")
    model = pyagrum.BayesNet()
    for name in ("A", "B"):
        model.add(pyagrum.LabelizedVariable(name, name, ["a", "b"]))
    model.addArc("A", "B")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert as_network(model) == Network(DAG(["A", "B"], [("A", "B")]), {"A": ("a", "b"), "B": ("a", "b")})
    model.cpt("A").fillWith([0.1, 0.9])
    with pytest.warns(BnfuseWarning, match="no table for 'B'"):
        assert as_network(model).cpts is None


@pytest.mark.parametrize("kind", ["EssentialGraph", "MixedGraph", "PDAG", "UndiGraph", "InfluenceDiagram"])
def test_graphs_of_pyagrum_that_are_not_dags_are_refused_by_name(kind: str) -> None:
    pyagrum = pytest.importorskip("pyagrum")
    if kind == "EssentialGraph":
        graph = pyagrum.EssentialGraph(PUMP.to_pyagrum())
    elif kind == "InfluenceDiagram":
        graph = pyagrum.fastID("A->*D->$U")
    else:
        graph = getattr(pyagrum, kind)()
        for number in range(3):
            graph.addNodeWithId(number)
        graph.addEdge(0, 1)
    for attempt in (as_network, DAG.from_pyagrum, lambda one: bnfuse.smhd(PUMP, one)):
        with pytest.raises(GraphError, match=f"a pyAgrum {kind} has .*; expected a DAG: pass .* instead"):
            attempt(graph)
