"""PDAGs: extensions and classes against brute force over all directions, and the graphs of other packages."""

from __future__ import annotations

import pickle
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations, product
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

import bnfuse
import oracles
from bnfuse import DAG, PDAG, GraphError, MismatchError
from bnfuse.graphs.pdag import as_pdag, is_mixed
from soft_graphs import causallearns_graph, pdags
from strategies import dags, random_dag

Pair = tuple[str, str]


def v_structures(arcs: Iterable[Pair], skeleton: set[frozenset[str]]) -> set[tuple[frozenset[str], str]]:
    parents = defaultdict(set)
    for source, target in arcs:
        parents[target].add(source)
    met = ((frozenset(pair), child) for child, own in parents.items() for pair in combinations(own, 2))
    return {(pair, child) for pair, child in met if pair not in skeleton}


def extensions(graph: PDAG) -> Iterator[set[Pair]]:
    """Every way to direct the edges that has no cycle and the same v-structures."""
    skeleton = {frozenset(pair) for pair in (*graph.arcs, *graph.edges)}
    own = v_structures(graph.arcs, skeleton)
    for turned in product([False, True], repeat=len(graph.edges)):
        arcs = {*graph.arcs, *((b, a) if turn else (a, b) for (a, b), turn in zip(graph.edges, turned, strict=True))}
        if v_structures(arcs, skeleton) == own and nx.is_directed_acyclic_graph(nx.DiGraph(arcs)):
            yield arcs


@given(pdags())
def test_an_extension_is_found_if_and_only_if_there_is_one(graph: PDAG) -> None:
    found = list(extensions(graph))
    if found:
        assert set(graph.extension.edges) in found
        assert graph.extension.variables == graph.variables
    else:
        with pytest.raises(GraphError, match="no DAG represents it"):
            _ = graph.extension


@pytest.mark.parametrize("size", [2, 3, pytest.param(4, marks=pytest.mark.long)])
def test_every_small_graph_has_the_extension_that_brute_force_finds(size: int) -> None:
    names = [f"V{i}" for i in range(size)]
    pairs = list(combinations(names, 2))
    without = 0
    for states in product(range(4), repeat=len(pairs)):
        arcs = [(a, b) if s == 1 else (b, a) for (a, b), s in zip(pairs, states, strict=True) if s in (1, 2)]
        if not nx.is_directed_acyclic_graph(nx.DiGraph(arcs)):
            continue
        graph = PDAG(names, arcs, [pair for pair, s in zip(pairs, states, strict=True) if s == 3])
        found = list(extensions(graph))
        try:
            assert set(graph.extension.edges) in found
        except GraphError:
            assert not found
            without += 1
    assert (without > 0) == (size > 3)  # a cycle of four without a chord, or a -> b --- c <- d


@given(pdags())
def test_the_error_shows_a_smallest_part_that_is_at_fault(graph: PDAG) -> None:
    try:
        _ = graph.extension
    except GraphError as error:
        shown = str(error).partition(": ")[2].partition(" cannot")[0].split(", ")
        drawn = [line.split(" ") for line in shown]
        members = {name for one, _, other in drawn for name in (one, other)}
        for left_out in [None, *members]:
            kept = [name for name in graph.variables if name in members and name != left_out]
            part = PDAG(
                kept,
                [pair for pair in graph.arcs if set(pair) <= set(kept)],
                [pair for pair in graph.edges if set(pair) <= set(kept)],
            )
            assert bool(list(extensions(part))) == (left_out is not None)


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_the_class_of_every_small_dag_has_the_directions_that_all_its_members_share(size: int) -> None:
    classes: dict[Any, list[set[Pair]]] = defaultdict(list)
    for numbers in map(sorted, oracles.all_dags(size)):
        arcs = {(f"V{a}", f"V{b}") for a, b in numbers}
        skeleton = set(map(frozenset, arcs))
        classes[frozenset(skeleton), frozenset(v_structures(arcs, skeleton))].append(arcs)
    names = [f"V{i}" for i in range(size)]
    for members in classes.values():
        shared = set.intersection(*members)
        free = {frozenset(arc) for arcs in members for arc in arcs} - set(map(frozenset, shared))
        for arcs in members:
            graph = PDAG.of_class(DAG(names, sorted(arcs)))
            assert set(graph.arcs) == shared
            assert set(map(frozenset, graph.edges)) == free
            assert set(graph.extension.edges) in members
            assert graph.completed == graph


@given(dags(1, 8))
def test_a_class_extends_to_a_member_of_itself(dag: DAG) -> None:
    graph = PDAG.of_class(dag)
    assert PDAG.of_class(graph.extension) == graph
    assert oracles.moral_edges(oracles.graph_of(graph.extension)) == oracles.moral_edges(oracles.graph_of(dag))


@given(pdags())
def test_completing_keeps_the_extensions_class(graph: PDAG) -> None:
    if list(extensions(graph)):
        assert graph.completed == PDAG.of_class(graph.extension)
        assert set(graph.arcs) <= set(graph.extension.edges)


def test_large_classes_extend() -> None:
    graph = PDAG.of_class(random_dag(3, 400, 2.0))
    assert PDAG.of_class(graph.extension) == graph


def test_early_variables_come_before_late_ones() -> None:
    edges = [("A", "B"), ("B", "C")]
    assert PDAG(["A", "B", "C"], edges=edges).extension.edges == (("A", "B"), ("B", "C"))
    assert PDAG(["C", "B", "A"], edges=edges).extension.edges == (("C", "B"), ("B", "A"))


def test_identity() -> None:
    graph = PDAG(["A", "B", "C"], [("A", "B")], [("C", "B"), ("B", "C")], name="x")
    assert graph.edges == (("B", "C"),)
    assert graph == PDAG(["C", "A", "B"], [("A", "B")], [("B", "C")])
    assert hash(graph) == hash(graph.reordered(["C", "B", "A"]))
    assert graph.reordered(["C", "B", "A"]).edges == (("C", "B"),)
    assert graph.reordered(["C", "B", "A"]).name == "x"
    assert graph != PDAG(["A", "B", "C"], [("A", "B"), ("B", "C")])
    assert graph != DAG(["A", "B", "C"], [("A", "B")])
    assert graph.renamed("y") == graph
    assert graph.renamed("y").name == "y"
    assert repr(graph) == "<PDAG: 3 variables, 1 arcs, 1 edges>"
    again = pickle.loads(pickle.dumps(graph))
    assert (again, again.name, again.variables) == (graph, "x", graph.variables)
    with pytest.raises(AttributeError, match="a PDAG cannot be changed"):
        graph.name = "z"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("arcs", "edges", "problem"),
    [
        ([("A", "B"), ("B", "A")], [], "the arcs form a cycle: A -> B -> A"),
        ([("A", "B")], [("B", "A")], "A --> B is given as an edge without a direction too"),
        ([], [("A", "X")], "edge A --- X: unknown variable 'X'"),
        ([], [("A", "A")], "edge A --- A: a variable cannot be its own parent"),
        ([], [("A",)], "an edge must be a pair of names"),
        ([], "AB", "edges must be a list of pairs, got 'AB'"),
        ([("A", "X")], [], "arc A -> X: unknown variable 'X'"),
    ],
)
def test_what_is_no_pdag_is_refused(arcs: Any, edges: Any, problem: str) -> None:
    with pytest.raises(GraphError, match=problem):
        PDAG(["A", "B", "C"], arcs, edges)


def test_another_order_must_name_the_same_variables() -> None:
    with pytest.raises(MismatchError, match="it lacks 'B'"):
        PDAG(["A", "B"]).reordered(["A"])


def test_where_a_dag_is_needed_a_pdag_is_refused() -> None:
    with pytest.raises(GraphError, match="a bnfuse PDAG has edges without one direction; expected a DAG"):
        bnfuse.fuse([PDAG(["A", "B"], edges=[("A", "B")])])


# Graphs of other packages

MIXED = PDAG(["A", "B", "C", "D"], [("A", "B"), ("C", "B")], [("C", "D")])


@given(pdags())
def test_networkx_there_and_back(graph: PDAG) -> None:
    assert PDAG.from_networkx(graph.to_networkx()) == graph
    assert as_pdag(graph.to_networkx()) == graph


def test_networkx_graphs_of_every_kind() -> None:
    both = nx.DiGraph([("A", "B"), ("C", "B"), ("C", "D"), ("D", "C")])
    assert PDAG.from_networkx(both) == MIXED
    assert PDAG.from_networkx(nx.MultiDiGraph(both)) == MIXED
    typed = nx.MultiDiGraph()
    typed.add_edge("A", "B", type="-->")
    typed.add_edge("C", "B", type="-->")
    typed.add_edge("D", "C", type="---")
    assert PDAG.from_networkx(typed) == MIXED
    assert as_pdag(typed) == MIXED
    assert PDAG.from_networkx(nx.Graph([(1, 2)])) == PDAG(["1", "2"], edges=[("1", "2")])


def test_a_plain_digraph_with_an_arc_both_ways_may_be_a_mistake() -> None:
    both = nx.DiGraph([("C", "D"), ("D", "C")])
    assert not is_mixed(both)
    with pytest.raises(GraphError, match="the arcs form a cycle: C -> D -> C"):
        as_pdag(both)


def test_other_attributes_of_that_name_mean_nothing() -> None:
    graph = nx.DiGraph()
    graph.add_edge("A", "B", type="causal")
    graph.add_edge("B", "C", type="-->")
    assert not is_mixed(graph)
    assert as_pdag(graph) == PDAG(["A", "B", "C"], [("A", "B"), ("B", "C")])
    graph.add_edge("C", "D", type="<->")
    assert is_mixed(graph)


@pytest.mark.parametrize(
    ("mark", "problem"),
    [
        ("<->", "A <-> B: a hidden common cause, which a DAG cannot represent"),
        ("o->", "A o-> B: an end that may or may not be an arrowhead"),
        ("o-o", "A o-o B: an end that may or may not be an arrowhead"),
        ("??", r"A \?\? B: an unknown kind of edge"),
        (7, "A 7 B: an unknown kind of edge"),
    ],
)
def test_other_kinds_of_edges_are_refused(mark: object, problem: str) -> None:
    graph = nx.DiGraph()
    graph.add_edge("A", "B", type=mark)
    with pytest.raises(GraphError, match=problem):
        PDAG.from_networkx(graph)


def test_an_undirected_graph_cannot_say_which_way_an_arc_goes() -> None:
    graph = nx.Graph()
    graph.add_edge("A", "B", type="-->")
    with pytest.raises(GraphError, match="A --> B: a Graph keeps no direction; use a DiGraph"):
        PDAG.from_networkx(graph)


@pytest.mark.parametrize("constructor", [PDAG.from_networkx, PDAG.from_pgmpy, PDAG.from_pyagrum, PDAG.from_causallearn])
def test_something_else_is_refused(constructor: Any) -> None:
    with pytest.raises(GraphError, match="expected a"):
        constructor(7)


def test_pgmpys_pdag() -> None:
    base = pytest.importorskip("pgmpy.base")
    graph = base.PDAG(directed_ebunch=[("A", "B"), ("C", "B")], undirected_ebunch=[("C", "D")])
    assert as_pdag(graph) == MIXED
    assert PDAG.of_class(graph.to_dag()) == MIXED.completed


def test_a_stand_in_for_pgmpys_pdag() -> None:
    parts = {"__module__": "pgmpy.base", "directed_edges": {("A", "B"), ("C", "B")}, "undirected_edges": {("C", "D")}}
    graph = type("PDAG", (nx.DiGraph,), parts)([("A", "B"), ("C", "B"), ("C", "D"), ("D", "C")])
    assert is_mixed(graph)
    assert as_pdag(graph) == MIXED


def test_pyagrums_graphs() -> None:
    pyagrum = pytest.importorskip("pyagrum")
    network = pyagrum.fastBN("A->B<-C->D")
    essential = pyagrum.EssentialGraph(network)
    assert as_pdag(essential) == MIXED == PDAG.of_class(network)
    mixed = pyagrum.MixedGraph()
    mixed.addNodes(4)
    mixed.addArc(0, 1)
    mixed.addArc(2, 1)
    mixed.addEdge(2, 3)
    assert as_pdag(mixed) == PDAG(["0", "1", "2", "3"], [("0", "1"), ("2", "1")], [("2", "3")])


@pytest.mark.parametrize("seed", range(30))
def test_pyagrum_finds_the_same_classes(seed: int) -> None:
    """Of sparse networks: in some dense ones pyAgrum 3.3 gives a direction to arcs that brute force finds both ways."""
    pyagrum = pytest.importorskip("pyagrum")
    dag = random_dag(seed, 8, 1.0)
    network = dag.to_pyagrum()  # the graph needs it for the names, and does not keep it
    assert PDAG.from_pyagrum(pyagrum.EssentialGraph(network)) == PDAG.of_class(dag)


class Node:
    def __init__(self, name: str) -> None:
        self._name = name

    def get_name(self) -> str:
        return self._name


class GeneralGraph:
    """As in causal-learn: entry (i, j) is the end at i of the edge between i and j; -1 tail, 1 arrowhead, 2 circle."""

    def __init__(self, names: Iterable[str], ends: dict[tuple[int, int], int]) -> None:
        self.nodes = [Node(name) for name in names]
        self.graph = np.zeros((len(self.nodes), len(self.nodes)), int)
        for place, end in ends.items():
            self.graph[place] = end


GeneralGraph.__module__ = "causallearn.graph.GeneralGraph"
ENDS = {(0, 1): -1, (1, 0): 1, (2, 1): -1, (1, 2): 1, (2, 3): -1, (3, 2): -1}


def test_causallearns_graph() -> None:
    graph = GeneralGraph("ABCD", ENDS)
    assert as_pdag(graph) == MIXED
    found = type("CausalGraph", (), {"__module__": "causallearn.graph.GraphClass", "G": graph})()
    assert as_pdag(found) == MIXED
    with pytest.raises(GraphError, match="a causallearn GeneralGraph has edges without one direction"):
        bnfuse.fuse([graph])


@pytest.mark.parametrize(
    ("ends", "problem"),
    [
        ({(0, 1): 1, (1, 0): 1}, "A <-> B: a hidden common cause"),
        ({(0, 1): 2, (1, 0): 1}, "A o-> B: an end that may or may not"),
        ({(0, 1): 2, (1, 0): 2}, "A o-o B: an end that may or may not"),
        ({(0, 1): 4, (1, 0): 5}, r"A \?-\? B: an unknown kind of edge"),
    ],
)
def test_causallearns_other_ends_are_refused(ends: dict[tuple[int, int], int], problem: str) -> None:
    with pytest.raises(GraphError, match=problem):
        PDAG.from_causallearn(GeneralGraph("ABCD", ends))


def test_the_real_causallearn() -> None:
    assert as_pdag(causallearns_graph()) == MIXED
