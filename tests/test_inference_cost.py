"""The cost of exact inference: clique tables counted from real states, against networkx's cliques."""

import math

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bnfuse import DAG, MismatchError, Network, clique_size
from bnfuse.fusion.cliques import inference_cost


@st.composite
def networks(draw):
    n = draw(st.integers(1, 8))
    names = draw(st.permutations([f"X{i}" for i in range(n)]))
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    arcs = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    sizes = draw(st.lists(st.integers(1, 5), min_size=n, max_size=n))
    states = {name: tuple(f"s{i}" for i in range(size)) for name, size in zip(names, sizes, strict=True)}
    return Network(DAG(sorted(names), arcs), states)


def tables_by_networkx(network, order):
    """Fill the moral graph in along the order, then list the maximal cliques of the result."""
    filled = nx.moral_graph(network.dag.to_networkx())
    left = filled.copy()
    for variable in order:
        neighbours = list(left.neighbors(variable))
        new = [(a, b) for i, a in enumerate(neighbours) for b in neighbours[i + 1 :]]
        filled.add_edges_from(new)
        left.add_edges_from(new)
        left.remove_node(variable)
    return [math.prod(len(network.states[v]) for v in clique) for clique in nx.find_cliques(filled)]


@given(networks(), st.randoms(use_true_random=False))
def test_counts_the_maximal_cliques_of_the_filled_graph(network, random):
    order = list(network.variables)
    random.shuffle(order)
    tables = tables_by_networkx(network, order)
    cost = inference_cost(network, order)
    assert (cost.total, cost.largest) == (sum(tables), max(tables))
    assert cost.elimination_order == tuple(order)


@given(networks())
def test_the_chosen_order_gives_the_stated_cost_and_is_no_worse_than_the_heuristics(network):
    cost = inference_cost(network)
    assert inference_cost(network, cost.elimination_order) == cost
    for method in ("best", "min-fill", "min-degree"):
        assert cost.total <= inference_cost(network, clique_size(network, method).elimination_order).total


def test_state_counts_decide_where_the_largest_clique_does_not():
    # A ring of four: filling in the edge between the two small variables is cheaper than between the large ones.
    parents = {"E": "AB", "F": "BC", "G": "CD", "H": "DA"}
    dag = DAG(list("ABCDEFGH"), [(parent, child) for child, both in parents.items() for parent in both])
    sizes = dict(zip("ABCDEFGH", (100, 2, 100, 2, 2, 2, 2, 2), strict=True))
    cost = inference_cost(Network(dag, {name: tuple(map(str, range(size))) for name, size in sizes.items()}))
    assert cost.largest == 400  # never 100 * 100 * 2


def test_bytes_are_eight_a_number():
    states = {"A": ("x", "y", "z"), "B": ("x", "y"), "C": ("x", "y")}
    cost = inference_cost(Network(DAG(["A", "B", "C"], [("A", "B")]), states))
    assert (cost.total, cost.largest) == (3 * 2 + 2, 6)
    assert (cost.total_bytes, cost.largest_bytes) == (64, 48)


def test_unknown_states_are_two_and_said_so():
    cost = inference_cost(DAG(["A", "B"], [("A", "B")]))
    assert (cost.total, cost.states_known) == (4, False)
    assert inference_cost(Network(DAG(["A"]), {"A": ("only",)})).states_known


def test_no_size_overflows():
    names = [f"X{i}" for i in range(300)]
    star = DAG([*names, "child"], [(name, "child") for name in names])
    assert inference_cost(star).total == 2**301


def test_an_order_must_be_complete():
    with pytest.raises(MismatchError, match="lacks 'B'"):
        inference_cost(DAG(["A", "B"]), ["A"])
