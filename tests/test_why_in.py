"""Why an arc is in: its cost, its direction and what turning it round would do, each by trying it."""

import json
from collections import Counter, defaultdict
from itertools import product

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bnfuse
import oracles
from bnfuse import DAG, GraphError, Network, Tally
from bnfuse.graphs.equivalence import RULES, fixed_arcs
from bnfuse.report.summary import Summary
from oracles import pattern
from running import CLINICS
from strategies import dag_lists, random_dag


def without(graph, arc):
    return nx.restricted_view(graph, [], [arc]).copy()


def turned(graph, arc):
    other = without(graph, arc)
    other.add_edge(*arc[::-1])
    return other


# What an arc is worth


@pytest.mark.parametrize("metric", ["smhd", "fsim", "shd"])
@settings(max_examples=25)
@given(
    inputs=dag_lists(min_size=2, max_size=6, min_dags=2, max_dags=3),
    weights=st.lists(st.integers(1, 4), min_size=3, max_size=3),
    target=st.sampled_from(["inputs", "fused"]),
)
def test_costs_are_what_leaving_out_and_turning_show(metric, inputs, weights, target):
    # The majority vote, for arcs that are not worth their place too, and because a search for FSim takes long.
    options = {"method": "majority", "threshold": 0.2, "metric": metric, "target": target}
    weights = weights[: len(inputs)]
    found = bnfuse.consensus(inputs, max_clique=3, weights=weights, **options)
    order = oracles.heuristic_order([oracles.graph_of(dag) for dag in inputs], inputs[0].variables, weights)
    fused = found.problem.fusion.dag
    references = list(zip(weights, inputs, strict=True)) if target == "inputs" else [(1, fused)]
    ties = order if target == "inputs" else oracles.heuristic_order([oracles.graph_of(fused)], fused.variables)

    def mean(graph):
        total = sum(w * oracles.distance(metric, graph, oracles.graph_of(dag), ties) for w, dag in references)
        return total / sum(w for w, _ in references)

    graph = oracles.graph_of(found.dag)
    assert tuple(one.arc for one in found.why_in) == found.dag.edges
    for one in found.why_in:
        cost = mean(without(graph, one.arc)) - mean(graph)
        assert one.cost == pytest.approx(cost, abs=1e-9)
        assert one.is_tied == (abs(cost) < 1e-9)
        other = turned(graph, one.arc)
        assert one.turned.closes_cycle == (not nx.is_directed_acyclic_graph(other))
        votes = [sum(w for w, dag in zip(weights, inputs, strict=True) if way in dag.edges) for way in ways(one.arc)]
        assert one.against == ("all" if not votes[0] else "most" if votes[0] < votes[1] else None)
        if one.turned.closes_cycle:
            assert (one.turned.change, one.turned.clique) == (None, None)
            continue
        if one.against or metric != "fsim":
            assert one.turned.change.total == pytest.approx(mean(other) - mean(graph), abs=1e-9)
        assert (one.turned.clique is not None) == (one.against is not None)
        if one.against:
            exact = oracles.exact_clique_by_subsets(oracles.moral_graph(other))
            assert one.turned.clique_at_least <= exact <= one.turned.clique


def ways(arc):
    return arc, arc[::-1]


@pytest.mark.parametrize("seed", range(30))
def test_company_is_named_where_the_arc_alone_is_worth_nothing(seed):
    inputs = [random_dag(100 * seed + i, 7, 1.6) for i in range(3)]
    found = bnfuse.consensus(inputs, 4, effort="quick")
    graph = oracles.graph_of(found.dag)
    sharing = Counter(pair for dag in inputs for pair in oracles.moral_edges(oracles.graph_of(dag)))
    for one in found.why_in:
        lost = oracles.moral_edges(graph) - oracles.moral_edges(without(graph, one.arc))
        own = 2 * sharing[frozenset(one.arc)] - 3 if frozenset(one.arc) in lost else 0
        lost -= {frozenset(one.arc)}
        assert one.cost == pytest.approx((own + sum(2 * sharing[pair] - 3 for pair in lost)) / 3)
        expected = {other for pair in lost if 2 * sharing[pair] > 3 for other in pair - {one.arc[0]}}
        assert set(one.shares_child_with) == (expected if own <= 0 < one.cost else set())


def test_a_tally_and_larger_networks_give_the_same_reasons():
    inputs = [random_dag(seed, 70, 1.3) for seed in range(4)]
    found = bnfuse.consensus(inputs, 4, effort="quick")
    counted = bnfuse.consensus(Tally.of(inputs, [1] * 4), 4, effort="quick")
    assert counted.dag == found.dag
    assert counted.why_in == found.why_in
    measured = {
        arc: bnfuse.smhd(DAG(found.dag.variables, set(found.dag.edges) - {arc}), inputs) for arc in found.dag.edges
    }
    assert {one.arc: one.cost for one in found.why_in} == pytest.approx(
        {arc: distance - found.distance for arc, distance in measured.items()}, abs=1e-9
    )


def test_constraints_are_known():
    rules = {"required": [("COPD", "Age")], "forbidden": [("Pneumonia", "Fever")], "tiers": [["XRay"], ["LungCancer"]]}
    found = bnfuse.consensus(bnfuse.read(*CLINICS), 3, effort="quick", directions="any", **rules)
    assert found.why("COPD", "Age").is_required
    barriers = {one.arc: one.turned.barrier for one in found.why_in}
    assert barriers["COPD", "Age"] == "required"
    assert barriers["Fever", "Pneumonia"] == "forbidden"
    assert barriers["XRay", "LungCancer"] == "tiers"
    assert sum(one.is_required for one in found.why_in) == 1
    assert {one.arc for one in found.why_in if one.against == "all"} == set(found.unseen)
    assert {one.arc for one in found.why_in if one.against} == set(found.unseen) | set(found.outvoted)
    with pytest.raises(GraphError, match="the consensus has no arc Age -> COPD"):
        found.why("Age", "COPD")


# What fixes a direction


def orientations(arcs):
    """Every way to direct the same edges without a cycle, with the v-structures of each."""
    for turns in product((False, True), repeat=len(arcs)):
        other = [arc[::-1] if turn else arc for arc, turn in zip(arcs, turns, strict=True)]
        if nx.is_directed_acyclic_graph(nx.DiGraph(other)):
            yield frozenset(other), pattern(other)[1]


def assert_fixed_is_true(arcs, by_pattern):
    """Of the arcs of one DAG, given all directions of its edges without a cycle."""
    dag = DAG(sorted({end for arc in arcs for end in arc}), arcs)
    fixed, own = fixed_arcs(dag), pattern(arcs)[1]
    members = [other for other, colliders in by_pattern if colliders == own]
    assert set(fixed) == frozenset.intersection(*members)
    for (source, target), why in fixed.items():
        first = why.others[0]
        if why.rule == "v-structure":
            assert why.v_structure == (source, target, first)
        elif why.rule == "new v-structure":
            assert (first, source) in fixed
            assert (frozenset((first, target)), source) not in own
            assert {first, target} not in pattern(arcs)[0]
        elif why.rule == "cycle":
            assert {(source, first), (first, target)} <= set(fixed)
        else:
            assert why.v_structure == (first, target, why.others[1])
            assert (frozenset(why.others), source) not in own
            assert all(frozenset((source, one)) in pattern(arcs)[0] for one in why.others)
        if why.v_structure is None:
            continue
        one, child, other = why.v_structure
        alone = (frozenset((one, other)), child)
        assert alone in own
        # It alone fixes the arc: in whatever has it, and no v-structure that is not in the network.
        assert all((source, target) in ways for ways, those in by_pattern if alone in those and those <= own)
    return Counter(why.rule for why in fixed.values())


def test_what_fixes_an_arc_does_so_in_all_small_networks():
    rules = Counter()
    by_skeleton = defaultdict(list)
    for numbers in oracles.all_dags(4):
        arcs = [(str(a), str(b)) for a, b in sorted(numbers)]
        by_skeleton[pattern(arcs)[0]].append(arcs)
    for skeleton, members in by_skeleton.items():
        if skeleton:
            everything = list(orientations(members[0]))
            for arcs in members:
                rules += assert_fixed_is_true(arcs, everything)
    assert set(rules) == set(RULES)


@pytest.mark.parametrize("seed", range(25))
def test_what_fixes_an_arc_does_so_in_networks_of_five(seed):
    arcs = list(random_dag(seed, 5, 1.2 + seed % 3 * 0.4).edges)
    assert_fixed_is_true(arcs, list(orientations(arcs)))


def test_a_chain_is_traced_to_the_v_structure_that_it_starts_from():
    dag = DAG(list("ABCDE"), [("B", "C"), ("A", "C"), ("C", "D"), ("D", "E")])
    assert fixed_arcs(dag)["D", "E"].others == ("C",)
    assert fixed_arcs(dag)["D", "E"].v_structure in {("A", "C", "B"), ("B", "C", "A")}


# Ties of the whole network


def test_other_networks_that_are_as_close_are_said():
    """Two of four inputs have each arc, so that every network of these arcs is as close as none."""
    arcs = [("A", "B"), ("B", "C")]
    networks = [Network(DAG(list("ABC"), some), name=f"site {i}") for i, some in enumerate((arcs, arcs, [], arcs[:0]))]
    found = bnfuse.consensus(networks, 3)
    assert found.dag.edges
    assert {one.name for one in found.compared() if one.ties} >= {"site 2", "site 3", "no arcs"}
    assert "A network without arcs is as close to the inputs as this one." in found.notes
    ties = Summary(found).ties
    assert ties in Summary(found).lines
    assert (
        ties
        == "equally close: the majority vote, site 2, site 3; dropping any one of 2 arcs gives an equally close network"
    )
    assert all(one.is_tied for one in found.why_in)


def test_a_network_over_the_limit_or_against_the_constraints_does_not_tie():
    """The first input is the closest of all, has a clique of 3, and the arc that is forbidden."""
    closest = DAG(list("ABC"), [("A", "C"), ("B", "C")])
    found = bnfuse.consensus([closest, DAG(list("ABC"))], 2)
    assert bnfuse.smhd(closest, [closest, DAG(list("ABC"))]) == found.distance
    assert not next(one for one in found.compared() if one.name == found.problem.names[0]).ties
    forbidding = bnfuse.consensus([closest, DAG(list("ABC"))], 3, forbidden=[("A", "C")])
    assert not next(one for one in forbidding.compared() if one.name == found.problem.names[0]).ties
    allowing = bnfuse.consensus([closest, DAG(list("ABC"))], 3, method="majority", threshold=0.9)
    assert next(one for one in allowing.compared() if one.name == found.problem.names[0]).ties


def test_nothing_is_said_where_nothing_ties():
    dag = DAG(list("ABC"), [("A", "B")])
    assert Summary(bnfuse.consensus([dag, dag, DAG(list("ABC"))])).ties is None


# For programs


def test_json_has_the_reasons_of_each_arc(said):
    printed = json.loads(
        said("consensus", *CLINICS, "--max-clique", "3", "--effort", "quick", "--json", "--require", "COPD->Age")
    )
    found = bnfuse.consensus(bnfuse.read(*CLINICS), 3, required=[("COPD", "Age")], effort="quick")
    assert [(one["from"], one["to"]) for one in printed["support"]] == list(found.dag.edges)
    for one, why in zip(printed["support"], found.why_in, strict=True):
        told = one["why"]
        assert (told["required"], told["cost"], told["against"]) == (why.is_required, why.cost, why.against)
        assert (told["fixed_by"] is None) == one["reversible"]
        if told["fixed_by"]:
            assert tuple(told["fixed_by"]["others"]) == why.fixed_by.others
            assert told["fixed_by"]["rule"] in RULES
        assert told["turned"]["cost"] == (None if why.turned.change is None else why.turned.change.total)
    required = next(one for one in printed["support"] if one["why"]["required"])
    assert required["why"]["turned"]["constraint"] == "required"
    assert [one["ties"] for one in printed["compared"]] == [one.ties for one in found.compared()]
