"""The DAG type: content, identity, conversions both ways, and errors that name what is wrong."""

from __future__ import annotations

import copy
import pickle
import re
import sys
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bnfuse import DAG, BnfuseError, GraphError, MismatchError, MissingPackageError, Network, clique_size, fuse, shd
from strategies import WORD_BOUNDARIES, Arc, acyclic_arcs, dag_and_order, dags, random_dag, variable_lists


@st.composite
def variables_and_arcs(draw: st.DrawFn) -> tuple[list[str], list[Arc]]:
    variables = draw(variable_lists())
    return variables, draw(acyclic_arcs(variables))


# Content


@given(variables_and_arcs())
def test_a_dag_has_the_variables_and_arcs_it_was_given(given_content: tuple[list[str], list[Arc]]) -> None:
    variables, arcs = given_content
    dag = DAG(variables, arcs)
    assert dag.variables == tuple(variables)
    assert sorted(dag.edges) == sorted(arcs)
    for variable in variables:
        assert dag.parents(variable) == tuple(v for v in variables if (v, variable) in arcs)
        assert dag.children(variable) == tuple(v for v in variables if (variable, v) in arcs)


@given(dags())
def test_edges_and_arcs_follow_the_order_of_the_variables(dag: DAG) -> None:
    numbers = [(dag.variables.index(source), dag.variables.index(target)) for source, target in dag.edges]
    assert numbers == sorted(numbers)
    assert [tuple(arc) for arc in dag.arc_numbers.tolist()] == numbers


def test_an_arc_given_twice_counts_once() -> None:
    assert DAG(["A", "B"], [("A", "B"), ("A", "B")]).edges == (("A", "B"),)


def test_variables_and_arcs_may_come_from_any_iterable() -> None:
    arcs: Any = iter([["A", "B"]])
    assert DAG(iter(["A", "B"]), arcs) == DAG(["A", "B"], [("A", "B")])


def test_names_may_be_any_text() -> None:
    names = ["ä ö", "a -> b", "1", " ", "'", "变量"]
    dag = DAG(names, pairwise(names))
    assert dag.edges == tuple(pairwise(names))
    assert pickle.loads(pickle.dumps(dag)) == dag


def test_one_variable_and_no_arcs() -> None:
    dag = DAG(["A"])
    assert (dag.variables, dag.edges, dag.parents("A"), dag.children("A")) == (("A",), (), (), ())
    assert dag.to_adjacency().tolist() == [[False]]
    assert DAG(["A", "B"]).edges == ()


@pytest.mark.parametrize("size", WORD_BOUNDARIES)
def test_arcs_reach_every_bit_of_every_word(size: int) -> None:
    names = [f"X{i}" for i in range(size)]
    arcs = {*pairwise(names), *((names[0], name) for name in names[1:])}
    dag = DAG(names, arcs)
    assert len(dag.edges) == len(arcs)
    assert set(dag.edges) == arcs
    assert dag.children(names[0]) == tuple(names[1:])
    assert set(dag.parents(names[-1])) == {source for source, target in arcs if target == names[-1]}
    assert DAG.from_adjacency(dag.to_adjacency(), names) == dag


@given(dag_and_order())
def test_reordered_has_the_same_content(dag_and_listing: tuple[DAG, list[str]]) -> None:
    dag, listing = dag_and_listing
    relisted = dag.reordered(listing)
    assert relisted.variables == tuple(listing)
    assert set(relisted.edges) == set(dag.edges)


# Identity


@given(dag_and_order())
def test_equality_and_hash_ignore_the_listing_of_variables_and_arcs(dag_and_listing: tuple[DAG, list[str]]) -> None:
    dag, listing = dag_and_listing
    twin = DAG(listing, reversed(dag.edges))
    assert twin == dag
    assert hash(twin) == hash(dag)
    assert len({twin, dag, dag.reordered(listing)}) == 1


@given(dags(min_size=2))
def test_another_arc_or_variable_makes_another_dag(dag: DAG) -> None:
    for arc in dag.edges:
        assert DAG(dag.variables, set(dag.edges) - {arc}) != dag
    assert DAG([*dag.variables, "another"], dag.edges) != dag
    assert DAG([*dag.variables[:-1], "another"]) != DAG(dag.variables)


def test_reversing_an_arc_makes_another_dag() -> None:
    assert DAG(["A", "B"], [("A", "B")]) != DAG(["A", "B"], [("B", "A")])
    assert DAG(["A", "B"], [("A", "B")]) != DAG(["B", "A"], [("B", "A")])


def test_a_dag_equals_nothing_but_dags() -> None:
    dag = DAG(["A"])
    assert dag != "A"
    assert dag != Network(dag)
    assert dag != dag.to_networkx()


@given(dags())
def test_copies_and_pickles_are_equal(dag: DAG) -> None:
    for twin in (pickle.loads(pickle.dumps(dag)), copy.copy(dag), copy.deepcopy(dag)):
        assert twin == dag
        assert hash(twin) == hash(dag)
        assert (twin.variables, twin.edges) == (dag.variables, dag.edges)
        with pytest.raises(ValueError, match="read-only"):
            twin.rows[0, 0] = 1


@pytest.mark.parametrize("name", ["variables", "rows", "arcs", "edges", "anything"])
@pytest.mark.parametrize("used_before", [False, True])
def test_no_attribute_can_be_changed(name: str, used_before: bool) -> None:
    dag = DAG(["A", "B"], [("A", "B")])
    if used_before:
        getattr(dag, name, None)
    with pytest.raises(AttributeError):
        setattr(dag, name, ())
    with pytest.raises(AttributeError):
        delattr(dag, name)
    assert dag.edges == (("A", "B"),)


def test_arrays_of_a_dag_are_read_only() -> None:
    dag = DAG(["A", "B"], [("A", "B")])
    fusion = fuse([dag, dag])
    for graph in (dag, dag.reordered(["B", "A"]), fusion.dag, *fusion.imaps):
        for array in (graph.rows, graph.arc_numbers):
            with pytest.raises(ValueError, match="read-only"):
                array[0, 0] = 1


def test_changing_what_a_dag_was_made_from_or_gave_out_does_not_change_it() -> None:
    variables, arcs, matrix = ["A", "B"], [("A", "B")], np.array([[0, 1], [0, 0]])
    dag, from_matrix = DAG(variables, arcs), DAG.from_adjacency(matrix, variables)
    expected = DAG(["A", "B"], [("A", "B")])
    variables[0], arcs[0], matrix[0, 1] = "C", ("B", "A"), 0
    dag.to_adjacency()[:] = False
    dag.to_networkx().clear()
    assert dag == from_matrix == expected


def test_repr_counts_variables_and_arcs() -> None:
    assert repr(DAG(["A", "B", "C"], [("A", "B"), ("A", "C")])) == "<DAG: 3 variables, 2 arcs>"


# Conversions


@given(dags())
def test_networkx_both_ways(dag: DAG) -> None:
    graph = dag.to_networkx()
    assert isinstance(graph, nx.DiGraph)
    assert (tuple(graph.nodes), set(graph.edges)) == (dag.variables, set(dag.edges))
    back = DAG.from_networkx(graph)
    assert (back, back.variables) == (dag, dag.variables)


def test_networkx_names_become_text() -> None:
    assert DAG.from_networkx(nx.DiGraph([(1, 2)])) == DAG(["1", "2"], [("1", "2")])


def test_networkx_parallel_arcs_count_once() -> None:
    assert DAG.from_networkx(nx.MultiDiGraph([("A", "B"), ("A", "B")])) == DAG(["A", "B"], [("A", "B")])


@given(dags())
def test_adjacency_both_ways(dag: DAG) -> None:
    matrix = dag.to_adjacency()
    assert matrix.dtype == np.bool_
    assert matrix.shape == (len(dag.variables), len(dag.variables))
    arcs = {(a, b) for i, a in enumerate(dag.variables) for j, b in enumerate(dag.variables) if matrix[i, j]}
    assert arcs == set(dag.edges)
    for kind in (np.bool_, np.int8, np.int64, np.float64):
        assert DAG.from_adjacency(matrix.astype(kind), dag.variables) == dag
    assert DAG.from_adjacency(matrix.tolist(), dag.variables) == dag


def test_adjacency_without_names_counts_them() -> None:
    assert DAG.from_adjacency([[0, 1], [0, 0]]) == DAG(["X1", "X2"], [("X1", "X2")])


@given(dag_and_order())
def test_pandas_both_ways(dag_and_listing: tuple[DAG, list[str]]) -> None:
    dag, listing = dag_and_listing
    frame = dag.to_pandas()
    assert list(frame.index) == list(frame.columns) == list(dag.variables)
    assert {(a, b) for a in frame.index for b in frame.columns if frame.loc[a, b]} == set(dag.edges)
    back = DAG.from_adjacency(frame)
    assert (back, back.variables) == (dag, dag.variables)
    assert DAG.from_adjacency(frame[listing]) == dag
    assert DAG.from_adjacency(frame.loc[listing]) == dag


@given(dags())
def test_edge_lists_both_ways(dag: DAG) -> None:
    if not dag.edges:
        return
    mentioned = {name for arc in dag.edges for name in arc}
    back = DAG.from_edges(dag.edges)
    assert set(back.variables) == mentioned
    assert set(back.edges) == set(dag.edges)


def test_edge_lists_name_variables_in_the_order_of_first_mention() -> None:
    assert DAG.from_edges([("C", "A"), ("B", "A")]).variables == ("C", "A", "B")


@given(dags())
def test_pyagrum_both_ways(dag: DAG) -> None:
    pytest.importorskip("pyagrum")
    network = dag.to_pyagrum()
    names = [network.variable(i).name() for i in sorted(network.nodes())]
    assert names == list(dag.variables)
    assert {(network.variable(a).name(), network.variable(b).name()) for a, b in network.arcs()} == set(dag.edges)
    back = DAG.from_pyagrum(network)
    assert (back, back.variables) == (dag, dag.variables)


def test_pyagrum_tables_are_distributions() -> None:
    pytest.importorskip("pyagrum")
    network = DAG(["A", "B"], [("A", "B")]).to_pyagrum()
    assert np.array_equal(network.cpt("B").toarray(), np.full((2, 2), 0.5))


def test_pyagrum_dags_use_node_numbers_as_names() -> None:
    pyagrum = pytest.importorskip("pyagrum")
    graph = pyagrum.DAG()
    first, second = graph.addNode(), graph.addNode()
    graph.addArc(second, first)
    assert DAG.from_pyagrum(graph) == DAG([str(first), str(second)], [(str(second), str(first))])


def test_pgmpy_both_ways() -> None:
    pytest.importorskip("pgmpy")
    dag = random_dag(1, 12)
    model = dag.to_pgmpy()
    assert set(model.edges()) == set(dag.edges)
    assert DAG.from_networkx(model) == dag
    assert fuse([model]).dag == dag


@pytest.mark.parametrize(
    ("package", "conversion"),
    [
        ("networkx", DAG.to_networkx),
        ("pandas", DAG.to_pandas),
        ("pyagrum", DAG.to_pyagrum),
        ("pgmpy", DAG.to_pgmpy),
    ],
)
def test_a_missing_package_is_named(package: str, conversion: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in [name for name in sys.modules if name.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, package, None)  # what Python itself uses to mark a module that cannot be imported
    with pytest.raises(MissingPackageError, match=rf"needs the package {package}: pip install"):
        conversion(DAG(["A"]))


def test_every_kind_of_network_is_accepted_wherever_a_dag_is() -> None:
    dag = random_dag(2, 12)
    kinds = [dag, Network(dag), dag.to_networkx()]
    for kind in kinds:
        assert clique_size(kind) == clique_size(dag)
        assert shd(kind, kinds) == 0
    assert fuse(kinds).dag == dag


def test_pyagrum_networks_are_accepted_wherever_a_dag_is() -> None:
    pytest.importorskip("pyagrum")
    dag = random_dag(2, 12)
    network = dag.to_pyagrum()
    assert fuse([network, dag]).dag == dag
    assert shd(network, dag) == 0


# Bad input


@given(dags(min_size=2), st.data())
def test_a_cycle_is_shown(dag: DAG, data: st.DataObject) -> None:
    if not dag.edges:
        return
    source, target = data.draw(st.sampled_from(dag.edges))
    arcs = {*dag.edges, (target, source)}
    with pytest.raises(GraphError, match="the arcs form a cycle: ") as caught:
        DAG(dag.variables, arcs)
    cycle = str(caught.value).partition(": ")[2].split(" -> ")
    assert cycle[0] == cycle[-1]
    assert len(set(cycle)) == len(cycle) - 1 >= 2
    assert set(pairwise(cycle)) <= arcs


@pytest.mark.parametrize("size", [2, 3, 12, 13, 63, 64, 65, 129, 2048])
def test_a_cycle_through_all_variables_is_shown_in_one_short_line(size: int) -> None:
    names = [f"X{i}" for i in range(size)]
    arcs = {*pairwise(names), (names[-1], names[0])}
    with pytest.raises(GraphError, match="cycle") as caught:
        DAG(names, arcs)
    shown = str(caught.value).partition(": ")[2].split(" -> ")
    assert shown[0] == shown[-1]
    assert len(shown) <= 14
    left_out = 0
    for a, b in pairwise(shown):
        if more := re.fullmatch(r"\((\d+) more\)", b):
            left_out = int(more[1])
        elif not re.fullmatch(r"\(\d+ more\)", a):
            assert (a, b) in arcs
    named = [name for name in shown[:-1] if name in names]
    assert len(named) + left_out == size


def test_cycles_are_found_in_every_kind_of_input() -> None:
    circle = nx.DiGraph([("A", "B"), ("B", "C"), ("C", "A")])
    for make in (
        lambda: DAG.from_networkx(circle),
        lambda: DAG.from_edges(circle.edges),
        lambda: DAG.from_adjacency(nx.to_numpy_array(circle)),
        lambda: DAG.from_adjacency(nx.to_pandas_adjacency(circle)),
        lambda: fuse([circle]),
    ):
        with pytest.raises(GraphError, match="cycle"):
            make()


@pytest.mark.parametrize(
    ("variables", "arcs", "message"),
    [
        pytest.param([], [], "at least one variable", id="no variables"),
        pytest.param(["A", "B", "A"], [], "variable 'A' is listed twice", id="duplicate variable"),
        pytest.param(["A", ""], [], "not empty, got ''", id="empty name"),
        pytest.param(["A", 1], [], "must be text.*got 1", id="number as a name"),
        pytest.param(["A", None], [], "must be text.*got None", id="None as a name"),
        pytest.param("AB", [], "list of names, got 'AB'", id="text as variables"),
        pytest.param(["A"], [("A", "A")], "A -> A: a variable cannot be its own parent", id="self-loop"),
        pytest.param(["A"], [("A", "B")], "A -> B: unknown variable 'B'", id="unknown target"),
        pytest.param(["A"], [("B", "A")], "B -> A: unknown variable 'B'", id="unknown source"),
        pytest.param(["A"], [("B", "B")], "B -> B: unknown variable 'B'", id="unknown self-loop"),
        pytest.param(["A", "B"], ["AB"], "pair of names", id="text as an arc"),
        pytest.param(["A", "B"], [("A",)], "pair of names", id="arc of one"),
        pytest.param(["A", "B"], [("A", "B", "A")], "pair of names", id="arc of three"),
        pytest.param(["A", "B"], [5], "pair of names", id="number as an arc"),
        pytest.param(["A", "B"], [(["A"], "B")], "unknown variable", id="list as a name in an arc"),
        pytest.param(["A", "B"], [{"A", "B"}], "pair of names", id="set as an arc, which has no direction"),
        pytest.param(5, [], "list of names", id="number as variables"),
        pytest.param(None, [], "list of names", id="None as variables"),
        pytest.param([["A"]], [], "must be text", id="list as a name"),
        pytest.param(["A", "B"], 5, "arc", id="number as arcs"),
        pytest.param(["A", "B"], None, "arc", id="None as arcs"),
    ],
)
def test_bad_content_is_named(variables: Any, arcs: Any, message: str) -> None:
    with pytest.raises(GraphError, match=message):
        DAG(variables, arcs)


def test_more_variables_than_the_kernel_handles_are_refused() -> None:
    names = [f"X{i}" for i in range(20_001)]
    assert len(DAG(names[:20_000]).variables) == 20_000
    with pytest.raises(GraphError, match="20,001 variables; bnfuse handles at most 20,000"):
        DAG(names)
    with pytest.raises(GraphError, match="20,001 variables"):
        DAG.from_networkx(nx.empty_graph(20_001, create_using=nx.DiGraph))


@pytest.mark.parametrize(
    "matrix",
    [
        pytest.param([[0, 1]], id="not square"),
        pytest.param([0, 1], id="one row"),
        pytest.param(np.zeros((2, 2, 2)), id="three axes"),
        pytest.param([[0, 2], [0, 0]], id="two"),
        pytest.param([[0, -1], [0, 0]], id="minus one"),
        pytest.param([[0, np.nan], [0, 0]], id="NaN"),
        pytest.param([[0, "x"], [0, 0]], id="text"),
        pytest.param([[0, None], [0, 0]], id="None"),
        pytest.param([[0, 1], [0]], id="ragged"),
        pytest.param([[1]], id="self-loop"),
        pytest.param(np.zeros((0, 0)), id="empty"),
        pytest.param(None, id="no matrix"),
    ],
)
def test_what_is_no_adjacency_matrix_is_refused(matrix: Any) -> None:
    with pytest.raises(GraphError):
        DAG.from_adjacency(matrix)


def test_adjacency_matrices_need_matching_names() -> None:
    with pytest.raises(GraphError, match="3 variables for an adjacency matrix of 2 rows"):
        DAG.from_adjacency([[0, 1], [0, 0]], ["A", "B", "C"])
    with pytest.raises(GraphError, match="same names"):
        DAG.from_adjacency(pd.DataFrame([[0, 1], [0, 0]], index=["A", "B"], columns=["A", "C"]))
    with pytest.raises(GraphError, match="'A' is listed twice"):
        DAG.from_adjacency(pd.DataFrame([[0, 1], [0, 0]], index=["A", "A"], columns=["A", "A"]))


def test_networkx_graphs_must_be_directed_and_keep_their_names_apart() -> None:
    with pytest.raises(GraphError, match="directed graph, got an undirected one"):
        DAG.from_networkx(nx.Graph([("A", "B")]))
    with pytest.raises(GraphError, match="the number 1 and the text '1' are both names"):
        DAG.from_networkx(nx.DiGraph([(1, "1")]))
    with pytest.raises(GraphError, match="A -> A: a variable cannot be its own parent"):
        DAG.from_networkx(nx.DiGraph([("A", "A")]))


@pytest.mark.parametrize("edges", [[], [("A",)], [5], 5, None, ["AB"], [("A", "B", "C")], [("A", 1.5)]])
def test_what_is_no_edge_list_is_refused(edges: Any) -> None:
    with pytest.raises(GraphError):
        DAG.from_edges(edges)


@pytest.mark.parametrize("convert", [DAG.from_networkx, DAG.from_pyagrum])
@pytest.mark.parametrize("graph", [None, 5, "A", [("A", "B")]])
def test_graphs_of_another_package_are_refused(convert: Any, graph: Any) -> None:
    with pytest.raises(BnfuseError):
        convert(graph)


@pytest.mark.parametrize("variable", ["C", None, 1, ["A"], ("A", "B")])
def test_asking_for_an_unknown_variable_names_it(variable: Any) -> None:
    dag = DAG(["A", "B"], [("A", "B")])
    for ask in (dag.parents, dag.children):
        with pytest.raises(GraphError, match=re.escape(f"unknown variable {variable!r}")):
            ask(variable)


@pytest.mark.parametrize("listing", [["A"], ["A", "A"], ["A", "C"], ["A", "B", "C"], []])
def test_reordering_needs_each_variable_once(listing: list[str]) -> None:
    with pytest.raises(MismatchError, match="each variable"):
        DAG(["A", "B"]).reordered(listing)


@pytest.mark.parametrize("separator", ["\n", "\r\n", "\u2028", "\x85"])
def test_a_message_is_one_line_whatever_a_name_holds(separator: str):
    with pytest.raises(GraphError) as caught:
        DAG(["A"], [("A", f"B{separator}C")])
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    "made",
    [
        lambda: DAG.from_edges([(1, 2), [np.int64(2), 3]]),
        lambda: DAG.from_networkx(nx.DiGraph([(1, 2), (2, 3)])),
        lambda: DAG.from_adjacency([[0, 1, 0], [0, 0, 1], [0, 0, 0]], [1, 2, 3]),
        lambda: DAG.from_adjacency(pd.DataFrame([[0, 1, 0], [0, 0, 1], [0, 0, 0]], index=[1, 2, 3], columns=[1, 2, 3])),
    ],
)
def test_every_conversion_turns_whole_numbers_into_text(made: Callable[[], DAG]) -> None:
    assert made() == DAG(["1", "2", "3"], [("1", "2"), ("2", "3")])


@pytest.mark.parametrize("convert", [DAG.from_edges, lambda edges: DAG.from_networkx(nx.DiGraph(edges))])
def test_conversions_refuse_the_same_names(convert: Callable[[Any], DAG]) -> None:
    with pytest.raises(GraphError, match="the number 1 and the text '1' are both names of variables; rename one"):
        convert([(1, 2), (2, "1")])
    for name in (1.5, True, float("nan"), ("A", 1)):
        with pytest.raises(GraphError, match="name must be text or a whole number, got"):
            convert([(name, "B")])


def test_arcs_where_variables_belong_are_told_where_to_go() -> None:
    with pytest.raises(
        GraphError, match=r"got \('A', 'B'\); the variables come first, .* DAG.from_edges\(arcs\) needs"
    ):
        DAG([("A", "B")])  # type: ignore[list-item]
    with pytest.raises(GraphError, match=r"got 1; DAG.from_edges\(arcs\) turns whole numbers into text"):
        DAG([1, 2])  # type: ignore[list-item]


def test_an_unknown_variable_brings_the_nearest() -> None:
    with pytest.raises(GraphError, match=r"unknown variable 'smoker' \(did you mean 'Smoker'\?\)"):
        DAG(["Smoker", "Cancer"]).parents("smoker")
    with pytest.raises(GraphError, match=r"arc Smokr -> Cancer: unknown variable 'Smokr' \(did you mean 'Smoker'\?\)"):
        DAG(["Smoker", "Cancer"], [("Smokr", "Cancer")])
