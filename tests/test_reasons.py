"""Why an arc is out: the reasons, each true."""

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bnfuse
import oracles
from bnfuse import DAG
from bnfuse.answer.reasons.why_out import why_out
from bnfuse.files import read
from report_cases import arcs_of
from running import CLINICS
from strategies import dag_lists


def moved(dag, source, target):
    """The DAG's graph with the arc, and without its reversal, by networkx."""
    graph = oracles.graph_of(dag)
    if graph.has_edge(target, source):
        graph.remove_edge(target, source)
    graph.add_edge(source, target)
    return graph


@pytest.mark.parametrize("metric", ["smhd", pytest.param("fsim", marks=pytest.mark.long), "shd"])
@given(inputs=dag_lists(min_size=2, max_size=6, min_dags=2, max_dags=3))
def test_reasons_are_what_trying_each_arc_shows(metric, inputs):
    # The majority vote with FSim: a search takes long, and leaves fewer arcs out for a poor reason.
    options = {"method": "majority"} if metric == "fsim" else {"effort": "quick"}
    found = bnfuse.consensus(inputs, max_clique=3, metric=metric, **options)
    known = {(one.source, one.target): one for one in why_out(found)}
    names = found.dag.variables
    had = {arc for dag in inputs for arc in arcs_of(dag)}
    of_nobody = {(a, b) for a, b in arcs_of(found.dag) if not had & {(a, b), (b, a)}}
    assert set(known) == (had - set(arcs_of(found.dag))) | {(b, a) for a, b in of_nobody}
    for (source, target), one in known.items():
        graph = moved(found.dag, names[source], names[target])
        assert one.closes_cycle == (not nx.is_directed_acyclic_graph(graph))
        votes = [sum(arc in arcs_of(dag) for dag in inputs) for arc in ((source, target), (target, source))]
        assert one.barrier == ("directions" if metric != "fsim" and votes[0] < votes[1] else None)
        if one.closes_cycle:
            assert (one.change, one.clique) == (None, None)
            continue
        tried = DAG(names, graph.edges)
        measure = getattr(bnfuse, metric)
        assert one.change.total == pytest.approx(measure(tried, inputs) - measure(found.dag, inputs), abs=1e-9)
        exact = oracles.exact_clique_by_subsets(oracles.moral_graph(graph))
        assert one.clique_at_least <= exact <= one.clique


@given(
    inputs=dag_lists(min_size=2, max_size=6, min_dags=2, max_dags=3),
    weights=st.lists(st.integers(1, 6), min_size=3, max_size=3),
    target=st.sampled_from(["inputs", "fused"]),
)
def test_a_change_is_the_arc_itself_and_whom_it_marries(inputs, weights, target):
    weights = weights[: len(inputs)]
    found = bnfuse.consensus(inputs, max_clique=3, weights=weights, target=target, effort="quick")
    references = inputs if target == "inputs" else [found.problem.fusion.dag]
    counted = weights if target == "inputs" else [1]
    edges = [oracles.moral_edges(oracles.graph_of(dag)) for dag in references]
    mine = oracles.moral_edges(oracles.graph_of(found.dag))
    names = found.dag.variables

    def loss(edge):
        """Of joining two variables, times the total weight."""
        return sum(-w if edge in other else w for w, other in zip(counted, edges, strict=True))

    for one in why_out(found):
        arc = names[one.source], names[one.target]
        if one.change is None or arc[::-1] in found.dag.edges:
            continue
        own = 0 if frozenset(arc) in mine else loss(frozenset(arc))
        married = [parent for parent in found.dag.parents(arc[1]) if frozenset((arc[0], parent)) not in mine]
        losses = {parent: loss(frozenset((arc[0], parent))) for parent in married}
        assert one.change.own == pytest.approx(own / sum(counted))
        assert one.change.total == pytest.approx((own + sum(losses.values())) / sum(counted))
        assert {names[i] for i in one.change.married} == {parent for parent, cost in losses.items() if cost > 0}
        assert one.change.is_by_marriage == (own <= 0 < own + sum(losses.values()))


def barriers(found):
    names = found.dag.variables
    return {(names[one.source], names[one.target]): one.barrier for one in why_out(found)}


def test_reasons_know_the_constraints():
    clinics = read(*CLINICS)
    assert barriers(bnfuse.consensus(clinics, forbidden=[("Age", "COPD")]))["Age", "COPD"] == "forbidden"
    assert barriers(bnfuse.consensus(clinics, required=[("COPD", "Age")]))["Age", "COPD"] == "required"
    assert barriers(bnfuse.consensus(clinics, tiers=[["COPD"], ["Age"]]))["Age", "COPD"] == "tiers"
    most = bnfuse.consensus(clinics, max_parents=1, effort="quick", directions="any")
    full = {target for _, target in most.dag.edges}
    added = {arc: barrier for arc, barrier in barriers(most).items() if arc[::-1] not in most.dag.edges}
    assert added
    assert all(barrier == ("parents" if arc[1] in full else None) for arc, barrier in added.items())
