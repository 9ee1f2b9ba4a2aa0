"""How far inputs of any kind are from each other: SHD, SMHD and SHD between CPDAGs, against counting by hand."""

from functools import cache
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bnfuse
import oracles
from bnfuse import DAG, PDAG, ArcVotes, GraphError, Tally
from bnfuse.problem.differences import Difference, Said
from soft_graphs import votes
from strategies import dag_pairs, random_dag
from strategies import dags as small_dags

NAMES = list("ABCD")


def between(one, other):
    return Difference.of(Said("one", one), Said("other", other))


# SHD between CPDAGs, by the definition of a class: the same skeleton and the same v-structures


def mark(arcs, a, b):
    return "->" if (a, b) in arcs else "<-" if (b, a) in arcs else ""


@cache
def classes(size):
    """All DAGs over few variables by skeleton and v-structures; for each class the marks that members have per pair."""
    found = {}
    for arcs in oracles.all_dags(size):
        found.setdefault(oracles.pattern(arcs), []).append(arcs)
    pairs = list(combinations(range(size), 2))
    return {key: {pair: {mark(arcs, *pair) for arcs in own} for pair in pairs} for key, own in found.items()}


def brute_force_distance(one, other):
    """The number of pairs that the two classes join differently."""
    marks = []
    for dag in (one, other):
        arcs = {(NAMES.index(a), NAMES.index(b)) for a, b in dag.edges}
        marks.append(classes(len(NAMES))[oracles.pattern(arcs)])
    return sum(marks[0][pair] != marks[1][pair] for pair in marks[0])


def named(arcs):
    return DAG(NAMES, [(NAMES[a], NAMES[b]) for a, b in arcs])


@given(*2 * [st.sampled_from(sorted(map(sorted, oracles.all_dags(len(NAMES))))).map(named)])
def test_the_distance_of_classes_is_that_of_brute_force(one, other):
    expected = brute_force_distance(one, other)
    assert between(one, other).cpdag_shd == expected
    classes_of = [PDAG.of_class(dag) for dag in (one, other)]
    for first in (one, classes_of[0]):
        for second in (other, classes_of[1]):
            assert between(first, second).cpdag_shd == expected


def matrix(graph):
    """As gadjid wants it: 1 for an arc, 2 for an edge without a direction, on one side of the diagonal."""
    place = {name: i for i, name in enumerate(graph.variables)}
    found = np.zeros((len(place), len(place)), np.int8)
    for a, b in graph.arcs:
        found[place[a], place[b]] = 1
    for a, b in graph.edges:
        found[place[a], place[b]] = 2
    return found


@pytest.mark.parametrize("seed", range(20))
def test_the_distance_of_classes_is_that_of_gadjid(seed):
    gadjid = pytest.importorskip("gadjid")
    one, other = random_dag(seed, 12), random_dag(seed + 100, 12)
    other = other.over(one.variables)
    _, expected = gadjid.shd(*(matrix(PDAG.of_class(dag)) for dag in (one, other)))
    assert between(one, other).cpdag_shd == expected


# Networks, classes, votes and tallies


@given(dag_pairs())
def test_two_networks_have_the_usual_distances(pair):
    found = between(*pair)
    assert found.shd == bnfuse.shd(*pair) == len(found.only_here) + len(found.only_there) + len(found.reversed)
    assert found.smhd == bnfuse.smhd(*pair)
    assert found.fsim == bnfuse.fsim(*pair)
    assert {*found.only_here, *found.reversed} == set(pair[0].edges) - set(pair[1].edges)
    assert found.directed_in_one == found.undirected == ()
    assert isinstance(found.shd, int)


CLASSES = small_dags(1, 5).map(PDAG.of_class)


@given(st.one_of(CLASSES, votes()))
def test_nothing_is_apart_from_itself_or_from_its_tally(one):
    tally = Tally(one.variables)
    tally.add(one)
    for other in (one, tally):
        found = between(one, other)
        assert found.shd == found.smhd == 0
        assert found.only_here == found.only_there == found.reversed == found.directed_in_one == ()


@given(votes(), st.data())
def test_a_network_is_as_far_from_votes_as_a_consensus_says(given_votes, data):
    names = given_votes.variables
    dag = DAG(names, data.draw(st.sampled_from([[], [(names[0], names[-1])] if len(names) > 1 else []])))
    p = given_votes.probabilities
    shd = smhd = 0.0
    moral = given_votes.moral_probabilities()
    joined = oracles.moral_edges(oracles.graph_of(dag))
    for a, b in combinations(range(len(names)), 2):
        says = {"->": p[a, b], "<-": p[b, a], "": 1 - p[a, b] - p[b, a]}
        shd += 1 - says[mark(dag.edges, names[a], names[b])]
        smhd += abs(moral[a, b] - (frozenset((names[a], names[b])) in joined))
    found = between(dag, given_votes)
    assert found.shd == pytest.approx(shd, abs=1e-4)
    assert found.smhd == pytest.approx(smhd, abs=1e-4)


@st.composite
def opinions(draw):
    """Votes of ten on two pairs of three variables."""
    counts = np.zeros((3, 3), np.int64)
    for a, b in ((0, 1), (1, 2)):
        counts[a, b] = draw(st.integers(0, 10))
        counts[b, a] = draw(st.integers(0, 10 - int(counts[a, b])))
    return ArcVotes.from_count_matrix(NAMES[:3], counts, 10)


@given(opinions(), opinions(), opinions())
def test_distances_are_symmetric_and_keep_the_triangle_inequality(a, b, c):
    for metric in ("shd", "smhd"):
        ab, ba, bc, ac = (getattr(between(*pair), metric) for pair in ((a, b), (b, a), (b, c), (a, c)))
        assert ab == ba
        assert ac <= ab + bc + 1e-6


def test_an_edge_without_a_direction_counts_half_each_way():
    arc, edge, back = (
        PDAG(["A", "B"], [("A", "B")]),
        PDAG(["A", "B"], edges=[("A", "B")]),
        DAG(["A", "B"], [("B", "A")]),
    )
    assert (between(arc, edge).shd, between(edge, back).shd, between(arc, back).shd) == (0.5, 0.5, 1)
    assert between(arc, edge).directed_in_one == (("A", "B"),)
    assert between(edge, back).directed_in_one == (("B", "A"),)
    assert between(edge, back).cpdag_shd == between(arc, back).cpdag_shd == 0
    alone = between(edge, DAG(["A", "B"]))
    assert (alone.only_here, alone.undirected, alone.fsim) == ((("A", "B"),), (("A", "B"),), None)


def test_what_more_than_half_of_the_votes_join_is_joined():
    nothing = DAG(["A", "B"])
    for shares, here, is_directed in (((0.6, 0.1), ("A", "B"), True), ((0.1, 0.6), ("B", "A"), True),
                                      ((0.4, 0.3), ("A", "B"), False)):  # fmt: skip
        found = between(ArcVotes(["A", "B"], [[0, shares[0]], [shares[1], 0]]), nothing)
        assert found.only_here == (here,)
        assert (found.undirected == ()) == is_directed
        assert found.shd == pytest.approx(sum(shares))
        assert found.cpdag_shd is None
    assert between(ArcVotes(["A", "B"], [[0, 0.3], [0.2, 0]]), nothing).only_here == ()


def test_inputs_are_compared_over_the_variables_that_both_have():
    one, other = DAG.from_edges([("A", "B"), ("B", "C")]), DAG.from_edges([("C", "B"), ("B", "D")])
    found = between(one, other)
    assert (found.variables, found.shd, found.reversed) == (2, 1, (("B", "C"),))
    tally = Tally.of([one], [3])
    part = between(tally, other)
    assert (part.variables, part.shd, part.reversed) == (2, 1, (("B", "C"),))


def test_pairs_that_a_tally_never_saw_do_not_count():
    tally = Tally(["A", "B", "C"])
    tally.add(DAG(["A", "B"], [("A", "B")]), partly=True)
    assert between(tally, DAG(["A", "B", "C"], [("A", "B"), ("B", "C")])).shd == 0


def test_a_graph_that_no_network_stands_for_is_refused_by_name():
    square = PDAG(NAMES, edges=[("A", "B"), ("B", "C"), ("C", "D"), ("D", "A")])
    with pytest.raises(GraphError, match="network 'one': no DAG represents it"):
        between(square, DAG(NAMES))
