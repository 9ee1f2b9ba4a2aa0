"""SID and adjustment distances: what gadjid says is what the definitions say, on 500 random pairs."""

import itertools
import random
import sys

import networkx as nx
import pytest

import oracles
import strategies
from bnfuse import (
    DAG,
    ArcVotes,
    MismatchError,
    MissingPackageError,
    Network,
    causal_distances,
    consensus,
    read,
)
from bnfuse.graphs.pdag import PDAG
from bnfuse.report import causal
from bnfuse.report.page.page_data import layout_of, page_data
from bnfuse.report.summary import Summary
from running import CLINICS

PAIRS = 500


def forbidden(graph, x, y):
    """What no set to adjust for may hold: x, and the descendants of what lies on causal paths from x to y."""
    between = (nx.descendants(graph, x) & (nx.ancestors(graph, y) | {y})) - {x}
    return {x} | {one for node in between for one in {node, *nx.descendants(graph, node)}}


def identifies(graph, x, y, adjusted):
    """The adjustment criterion: nothing forbidden in the set, and no path other than causal ones stays open."""
    if y in adjusted or adjusted & forbidden(graph, x, y):
        return False
    without = graph.copy()
    causal = nx.ancestors(graph, y) | {y}
    without.remove_edges_from([(x, child) for child in graph.successors(x) if child in causal])
    return nx.is_d_separator(without, {x}, {y}, adjusted)


def sets(guess, x, y):
    """What the guess adjusts for: parents, ancestors, and the optimal set."""
    between = (nx.descendants(guess, x) & (nx.ancestors(guess, y) | {y})) - {x}
    parents_of = {parent for node in between for parent in guess.predecessors(node)}
    return set(guess.predecessors(x)), nx.ancestors(guess, x), parents_of - forbidden(guess, x, y)


def slow(truth, guess):
    """SID and the three adjustment distances, pair by pair; with parents, only these are known to be unaffected."""
    sid, *aids = [0, 0, 0, 0]
    for x, y in itertools.permutations(sorted(truth.nodes), 2):
        affects = y in nx.descendants(truth, x)
        parents = set(guess.predecessors(x))
        sid += affects if y in parents else not identifies(truth, x, y, parents)
        for place, adjusted in enumerate(sets(guess, x, y)):
            is_unaffected = y in parents if place == 0 else y not in nx.descendants(guess, x)
            aids[place] += affects if is_unaffected else not identifies(truth, x, y, adjusted)
    return sid, *aids


@pytest.mark.long
def test_gadjid_and_the_definitions_agree_on_500_random_pairs():
    draw = random.Random(0)
    nonzero = 0
    for seed in range(PAIRS):
        size = draw.randint(1, 8)
        one = strategies.random_dag(2 * seed, size, draw.uniform(0.3, 2.5))
        other = strategies.random_dag(2 * seed + 1, size, draw.uniform(0.3, 2.5))
        found = causal_distances(one, other)
        expected = slow(oracles.graph_of(one), oracles.graph_of(other))
        assert (found.sid, found.parent_aid, found.ancestor_aid, found.oset_aid) == expected
        assert found.pairs == size * (size - 1) >= max(expected)
        nonzero += expected != (0, 0, 0, 0)
    assert nonzero > 300


def test_they_are_not_symmetric_and_0_for_a_network_and_itself():
    chain, empty = DAG(["A", "B", "C"], [("A", "B"), ("B", "C")]), DAG(["A", "B", "C"])
    assert causal_distances(chain, chain).sid == 0
    assert causal_distances(chain, empty).parent_aid == 3
    assert causal_distances(empty, chain).parent_aid == 0
    # SID has the chain adjust for what the empty network says is of no effect, which does no harm
    assert causal_distances(empty, chain).sid == 0


def test_any_form_of_a_network_will_do_and_the_order_of_variables_does_not_count():
    one = DAG(["A", "B", "C"], [("A", "B"), ("B", "C")])
    other = DAG(["C", "B", "A"], [("C", "B")])
    assert causal_distances(Network(one), other) == causal_distances(one, other.reordered(("A", "B", "C")))
    with pytest.raises(MismatchError):
        causal_distances(one, DAG(["A", "B"]))


def test_without_gadjid_the_message_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "gadjid", None)
    with pytest.raises(MissingPackageError, match=r"needs the package gadjid: pip install 'bnfuse\[causal\]'"):
        causal_distances(DAG(["A"]), DAG(["A"]))


# In the report


def told(result):
    """The column of the report's table, and the inputs by their names."""
    return {one.name: one.causal for one in page_data(Summary(result), layout_of(result)).inputs}


def test_a_report_has_the_causal_distance_of_each_input():
    inputs = read(*CLINICS)
    result = consensus(inputs, max_clique=3, effort="quick")
    found = told(result)
    graphs = {one.name: oracles.graph_of(one.dag) for one in inputs}
    assert found == {name: slow(graph, oracles.graph_of(result.dag))[1] for name, graph in graphs.items()}
    assert max(found.values()) > 0


def test_in_a_report_only_dags_over_all_variables_have_a_causal_distance():
    """One without some of its variables has other effects, and an edge without a direction none."""
    names = ["A", "B", "C"]
    whole = Network(DAG(names, [("A", "B"), ("B", "C")]), name="whole")
    fewer = Network(DAG(["A", "B"], [("A", "B")]), name="fewer")
    undirected = PDAG(names, [], [("A", "B"), ("B", "C")], name="undirected")
    votes = ArcVotes(names, [[0, 0.9, 0], [0, 0, 0.9], [0, 0, 0]], name="votes")
    assert told(consensus([whole, undirected, votes])) == {"whole": 0, "undirected": None, "votes": None}
    assert told(consensus([whole, fewer], variables="union")) == {"whole": 0, "fewer": None}
    assert told(consensus([whole, fewer], variables="shared")) == {"whole": None, "fewer": None}


def test_in_a_report_the_order_of_variables_does_not_count():
    one = Network(DAG(["A", "B", "C"], [("A", "B"), ("B", "C")]), name="one")
    same = Network(DAG(["C", "A", "B"], [("A", "B"), ("B", "C")]), name="same")
    assert told(consensus([one, same])) == {"one": 0, "same": 0}


def test_a_report_has_no_causal_distances_without_gadjid_or_if_they_take_long(monkeypatch):
    result = consensus(read(*CLINICS), max_clique=3, effort="quick")
    none = dict.fromkeys(told(result))
    with monkeypatch.context() as missing:
        missing.setitem(sys.modules, "gadjid", None)
        assert told(result) == none
    monkeypatch.setattr(causal, "_MOST_WORK", 12 * 12 * 5)
    assert told(result) == none
