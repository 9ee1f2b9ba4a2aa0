"""Disputes: who says what, and what each other decision costs, against brute force and searches of their own."""

import _thread
import random
import threading
from collections import Counter
from functools import cache
from itertools import permutations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bnfuse
import oracles
from bnfuse import DAG, ArcVotes, Constraints, OptionError, Tally, networks
from bnfuse.answer.disputes import disputes as module
from bnfuse.files import read
from bnfuse.study.generator import inputs as copies_of
from running import CLINICS
from strategies import dag_lists

CLOSE = 1e-9
NAMES = ["A", "B", "C", "D", "E", "F"]


def arcs_between(dag, pair):
    """What a network says of a pair."""
    return {arc for arc in dag.edges if set(arc) == set(pair)}


def panel(*arc_lists, variables=NAMES):
    return [DAG(variables, arcs) for arcs in arc_lists]


# Brute force: every DAG over four variables, by definitions alone


@cache
def every_dag(variables):
    """Arcs, moral edges and largest clique of each."""
    found = []
    for numbers in oracles.all_dags(len(variables)):
        graph = oracles.graph_with(variables, [(variables[a], variables[b]) for a, b in numbers])
        clique = oracles.exact_clique_by_subsets(oracles.moral_graph(graph))
        found.append((frozenset(graph.edges), frozenset(oracles.moral_edges(graph)), clique))
    return found


def distance(metric, arcs, moral, dag):
    graph = oracles.graph_of(dag)
    if metric == "smhd":
        return len(moral ^ oracles.moral_edges(graph))
    pairs = {frozenset(arc) for arc in (*arcs, *dag.edges)}
    return sum({a for a in arcs if set(a) == pair} != {a for a in dag.edges if set(a) == pair} for pair in pairs)


def least(dags, weights, metric, limit, rule, decision, pair):
    """The least mean distance of all networks with a decision; the rule does not hold for its own arc."""
    votes = Counter(arc for dag, weight in zip(dags, weights, strict=True) for arc in dag.edges for _ in range(weight))
    best = None
    for arcs, moral, clique in every_dag(dags[0].variables):
        if clique > limit or {arc for arc in arcs if set(arc) == set(pair)} != ({decision} if decision else set()):
            continue
        if rule == "majority" and any(
            arc != decision and (not votes[arc] or votes[arc] < votes[arc[::-1]]) for arc in arcs
        ):
            continue
        summed = sum(w * distance(metric, arcs, moral, dag) for dag, w in zip(dags, weights, strict=True))
        best = summed if best is None else min(best, summed)
    return best / sum(weights)


@given(
    dag_lists(min_size=2, max_size=4, min_dags=2, max_dags=5),
    st.sampled_from(["smhd", "shd"]),
    st.sampled_from(["any", "majority"]),
    st.integers(2, 3),
    st.data(),
)
def test_a_cost_is_that_of_the_best_network_with_the_decision(dags, metric, rule, limit, data):
    weights = data.draw(st.lists(st.integers(1, 3), min_size=len(dags), max_size=len(dags)))
    result = bnfuse.consensus(
        dags, max_clique=limit, metric=metric, directions=rule, weights=weights, effort="quick", threads=1
    )
    for dispute in bnfuse.disputes(result, threads=1):
        for other in dispute.alternatives:
            ways = [other.arc]
            if other.decision == "in":
                ways = [arc for arc in (dispute.arc, dispute.arc[::-1]) if any(arc in dag.edges for dag in dags)]
            best = min(least(dags, weights, metric, limit, rule, way, dispute.arc) for way in ways)
            assert other.cost == pytest.approx(best - result.distance, abs=CLOSE)
            assert other.cost_at_least <= other.cost + CLOSE
            assert other.is_exact == (other.cost_at_least == other.cost)


@given(dag_lists(min_size=2, max_size=6, min_dags=2, max_dags=5), st.sampled_from(["smhd", "shd"]), st.integers(2, 4))
def test_the_network_of_a_decision_is_as_it_is_described(dags, metric, limit):
    result = bnfuse.consensus(dags, max_clique=limit, metric=metric, effort="quick", threads=1)
    own = set(result.dag.edges)
    for dispute in bnfuse.disputes(result, count=5, threads=1):
        assert dispute.is_in == (dispute.arc in own)
        for other in dispute.alternatives:
            graph = oracles.graph_of(other.dag)
            assert nx.is_directed_acyclic_graph(graph)
            assert oracles.exact_clique_by_subsets(oracles.moral_graph(graph)) <= limit
            assert arcs_between(other.dag, dispute.arc) == ({other.arc} if other.arc else set())
            mean = sum(oracles.distance(metric, graph, oracles.graph_of(dag), []) for dag in dags) / len(dags)
            assert other.cost == pytest.approx(mean - result.distance, abs=CLOSE)
            rest = {arc for arc in own if set(arc) != set(dispute.arc)}
            told = {*rest, *other.added, *(arc[::-1] for arc in other.reversed)} - {*other.dropped, *other.reversed}
            assert told == {arc for arc in other.dag.edges if set(arc) != set(dispute.arc)}
            assert rest.issuperset((*other.dropped, *other.reversed))


# Who says what


@given(dag_lists(min_size=2, max_size=5, min_dags=1, max_dags=6))
def test_every_pair_of_which_not_all_say_the_same_is_there(dags):
    result = bnfuse.consensus(dags, effort="quick", threads=1)
    found = bnfuse.disputes(result, count=100, threads=1)
    said = {pair: [arcs_between(dag, pair) for dag in dags] for pair in permutations(dags[0].variables, 2)}
    disputed = {frozenset(pair) for pair, sides in said.items() if any(side != sides[0] for side in sides)}
    assert sorted(map(sorted, disputed)) == sorted(sorted(dispute.arc) for dispute in found)
    assert found.pairs == len(disputed)
    for dispute in found:
        names = [str(i + 1) for i in range(len(dags))]
        sides = dict(zip(names, said[dispute.arc], strict=True))
        assert dispute.inputs == tuple(name for name in names if dispute.arc in sides[name])
        assert dispute.reversed_inputs == tuple(name for name in names if dispute.arc[::-1] in sides[name])
        assert dispute.unjoined_inputs == tuple(name for name in names if not sides[name])
        assert dispute.share == pytest.approx(len(dispute.inputs) / len(dags))
        assert dispute.reversed_share == pytest.approx(len(dispute.reversed_inputs) / len(dags))
        if not dispute.is_in:
            assert len(dispute.inputs) >= len(dispute.reversed_inputs)
        counts = sorted(map(len, (dispute.inputs, dispute.reversed_inputs, dispute.unjoined_inputs)))
        assert dispute.contested == pytest.approx(min(2 * (counts[0] + counts[1]) / len(dags), 1))
        decided = {other.decision for other in dispute.alternatives}
        out, turned = {"out"} if dispute.unjoined_inputs else set(), {"turned"} if dispute.reversed_inputs else set()
        assert decided == ({*out, *turned} if dispute.is_in else {"in"})


def test_networks_of_hundreds_of_variables_have_disputes():
    """numpy lays the sum of two large matrices out as it likes; the kernel wants rows."""
    names = [f"V{i}" for i in range(200)]
    shifted = [DAG(names, [(names[i], names[i + step]) for i in range(150)]) for step in (1, 2)]
    found = bnfuse.consensus(shifted, 3, effort="quick")
    assert len(bnfuse.disputes(found, 1)) == 1


def test_the_other_decision_with_the_most_weight_comes_first():
    dags = panel([("A", "B")], [("A", "B")], [("A", "B")], [("B", "A")], [("B", "A")], [], variables=["A", "B"])
    (dispute,) = bnfuse.disputes(bnfuse.consensus(dags))
    assert [other.decision for other in dispute.alternatives] == ["turned", "out"]
    assert dispute.cost == dispute.alternatives[0].cost
    (dispute,) = bnfuse.disputes(bnfuse.consensus([*dags, dags[5], dags[5]]))
    assert [other.decision for other in dispute.alternatives] == ["out", "turned"]


def test_weights_count_and_inputs_of_weight_0_do_not():
    dags = panel([("A", "B")], [], [], variables=["A", "B"])
    (dispute,) = bnfuse.disputes(bnfuse.consensus(dags, weights=[2, 1, 0]))
    assert (dispute.inputs, dispute.unjoined_inputs) == (("1",), ("2",))
    assert dispute.share == pytest.approx(2 / 3)
    assert dispute.contested == pytest.approx(2 / 3)


def test_an_input_without_a_variable_has_no_say():
    dags = [*panel([("A", "B")], [], variables=["A", "B"]), DAG(["A"])]
    (dispute,) = bnfuse.disputes(bnfuse.consensus(dags, variables="union"))
    assert dispute.blind_inputs == ("3",)
    assert (dispute.share, dispute.contested) == (0.5, 1.0)


def test_an_edge_without_a_direction_is_on_both_sides():
    pdag = bnfuse.PDAG(["A", "B"], edges=[("A", "B")])
    (dispute,) = bnfuse.disputes(bnfuse.consensus([pdag, DAG(["A", "B"], [("A", "B")])]))
    assert dispute.inputs == ("1", "2")
    assert dispute.reversed_inputs == ("1",)


def test_a_tally_has_shares_and_no_names():
    dags = panel([("A", "B")], [("A", "B")], [], variables=["A", "B"])
    (named,), (counted,) = (bnfuse.disputes(bnfuse.consensus(one)) for one in (dags, Tally.of(dags, [1, 1, 1])))
    assert counted.inputs == counted.unjoined_inputs == ()
    assert (counted.share, counted.contested, counted.cost) == (named.share, named.contested, named.cost)


def test_votes_for_arcs_are_disputed_too():
    votes = ArcVotes(["A", "B"], [[0, 0.6], [0, 0]], 10)
    (dispute,) = bnfuse.disputes(bnfuse.consensus([votes]))
    assert dispute.share == pytest.approx(0.6)


# The order


def ranked_twin(dispute):
    """What must never rise along the list."""
    sides = sorted(map(len, (dispute.inputs, dispute.reversed_inputs, dispute.unjoined_inputs)))
    against, inputs = sides[0] + sides[1], sum(sides)
    leads = 3 * against >= inputs and (against > 1 or 2 * against >= inputs)
    return leads, round(min(2 * against / inputs, 1) * max(dispute.cost, 0), 9)


@given(dag_lists(min_size=3, max_size=5, min_dags=2, max_dags=7))
def test_first_who_can_lead_then_how_contested_times_what_it_costs(dags):
    found = bnfuse.disputes(bnfuse.consensus(dags, effort="quick", threads=1), count=100, threads=1)
    ranks = [ranked_twin(dispute) for dispute in found]
    assert ranks == sorted(ranks, reverse=True)


@given(dag_lists(min_size=3, max_size=5, min_dags=2, max_dags=7), st.integers(1, 4))
def test_with_a_count_the_most_contested_pairs_are_solved(dags, count):
    result = bnfuse.consensus(dags, effort="quick", threads=1)

    def heads(found):
        return sorted(((dispute.can_lead, dispute.contested) for dispute in found), reverse=True)

    every = heads(bnfuse.disputes(result, count=100, threads=1))
    assert heads(bnfuse.disputes(result, count=count, threads=1)) == every[:count]


def test_a_lone_opinion_never_leads():
    """Three of six leave out B -> C, which costs nothing; one of six adds an arc, which costs much."""
    chain = [("A", "B"), ("B", "C"), ("C", "D")]
    short = [arc for arc in chain if arc != ("B", "C")]
    dags = panel(chain, chain, chain, short, short, [*short, ("E", "F")])
    found = bnfuse.disputes(bnfuse.consensus(dags))
    assert [(dispute.arc, dispute.can_lead) for dispute in found] == [(("B", "C"), True), (("E", "F"), False)]
    assert found[0].cost < found[1].cost


def test_of_equally_contested_pairs_the_one_that_costs_more_comes_first():
    """A -> B of three in five; C -> D too, and E shares a child with C in the same three."""
    one, two = [("A", "B"), ("C", "D"), ("E", "D")], []
    found = bnfuse.disputes(bnfuse.consensus(panel(one, one, one, two, two)))
    assert [dispute.contested for dispute in found] == [0.8] * 3
    assert [dispute.arc for dispute in found][-1] == ("A", "B")
    assert found[0].cost > found[-1].cost > 0


def test_one_input_of_half_of_the_weight_can_lead():
    dags = panel([("A", "B")], [], [], variables=["A", "B"])
    assert not bnfuse.disputes(bnfuse.consensus(dags))[0].can_lead
    assert bnfuse.disputes(bnfuse.consensus(dags, weights=[2, 1, 1]))[0].can_lead


# Rules


def test_a_decision_against_the_majority_is_judged_with_its_arc():
    """The rule does not allow B -> A; who decides for it gets it, and the rule holds for all other arcs."""
    dags = panel([("A", "B")], [("A", "B")], [("B", "A")], variables=["A", "B"])
    result = bnfuse.consensus(dags, metric="shd", directions="majority")
    (dispute,) = bnfuse.disputes(result)
    assert dispute.alternatives[0].arc == ("B", "A")
    assert dispute.cost == pytest.approx(1 / 3)


def test_what_the_constraints_do_not_allow_says_why():
    dags = panel([("A", "B")], [], variables=["A", "B"])
    (out,) = bnfuse.disputes(bnfuse.consensus(dags, forbidden=[("A", "B")]))
    assert out.alternatives[0].cost is None
    assert out.alternatives[0].barrier == "arc A -> B is both required and forbidden"
    (kept,) = bnfuse.disputes(bnfuse.consensus(dags, required=[("A", "B")]))
    assert (kept.is_in, kept.cost) == (True, None)
    rules = Constraints(tiers=[["B"], ["A"]])
    (late,) = bnfuse.disputes(bnfuse.consensus(dags, constraints=rules))
    assert "tier" in late.alternatives[0].barrier


def test_fsim_has_costs_and_no_bounds():
    dags = panel([("A", "B"), ("B", "C")], [("A", "B")], [("B", "C")], variables=["A", "B", "C"])
    result = bnfuse.consensus(dags, metric="fsim", effort="quick")
    for dispute in bnfuse.disputes(result):
        (other,) = dispute.alternatives
        assert other.cost == pytest.approx(bnfuse.fsim(other.dag, dags) - result.distance)
        assert (other.cost_at_least, other.is_exact) == (None, False)


def test_a_closer_network_is_reported_and_costs_less_than_nothing():
    """A vote leaves out what two fifths of the inputs have; some of it brings the network closer."""
    random.seed(1)
    dags = copies_of(DAG([f"V{i}" for i in range(12)], [(f"V{i}", f"V{i + 1}") for i in range(11)]), 5, seed=3)
    result = bnfuse.consensus(dags, method="majority", threshold=0.9)
    found = bnfuse.disputes(result, threads=1)
    assert found.closer is not None
    assert bnfuse.smhd(found.closer, dags) < result.distance
    costs = [other.cost for dispute in found for other in dispute.alternatives]
    assert min(costs) == pytest.approx(bnfuse.smhd(found.closer, dags) - result.distance)


def test_a_network_found_for_one_decision_serves_another_that_it_keeps_to(monkeypatch):
    dags = panel([("A", "B"), ("C", "D")], [("A", "B"), ("C", "D")], [], [])
    result = bnfuse.consensus(dags)
    empty, far = DAG(NAMES), DAG(NAMES, [("A", "B"), ("E", "F")])

    def found(problem, seed, watch):
        apart = set(problem.constraints.forbidden)
        dag = empty if ("A", "B") in apart else far
        return module.Forced(dag, 4 * 1 if dag is empty else 4 * 3, 0, True)

    monkeypatch.setattr(module, "solved_again", found)
    first, second = bnfuse.disputes(result, threads=1)
    assert {first.alternatives[0].dag, second.alternatives[0].dag} == {empty}


# How it is worked out


def test_the_number_of_threads_changes_nothing():
    dags = read(*CLINICS)
    rows = [bnfuse.disputes(bnfuse.consensus(dags, max_clique=3, effort="quick"), threads=n) for n in (1, 2, 3)]
    assert rows[0] == rows[1] == rows[2]
    assert rows[0].stopped_by == "finished"


def test_what_is_known_is_not_solved_again(monkeypatch):
    result = bnfuse.consensus(read(*CLINICS), effort="quick")
    first = bnfuse.disputes(result, count=4)
    solved = module.solved_again
    calls = []
    monkeypatch.setattr(module, "solved_again", lambda *given: calls.append(given) or solved(*given))
    assert bnfuse.disputes(result, count=4) == first
    assert not calls
    assert len(bnfuse.disputes(result, count=5)) == 5
    assert len(calls) == 1


def test_time_that_is_up_leaves_costs_unknown_and_says_so():
    result = bnfuse.consensus(read(*CLINICS), effort="quick")
    found = bnfuse.disputes(result, time_limit=1e-9)
    assert found.stopped_by == "time limit"
    assert found.pairs == len(found) == 18
    assert {dispute.cost for dispute in found} == {None}
    assert bnfuse.disputes(result).stopped_by == "finished"


def test_ctrl_c_returns_what_is_known(monkeypatch):
    result = bnfuse.consensus(read(*CLINICS), effort="quick")
    solved = module.solved_again
    calls, is_stopped, stop = [], threading.Event(), module.Watch.stop

    def interrupted(problem, seed, watch):
        calls.append(problem)
        if len(calls) == 2:
            _thread.interrupt_main()
            assert is_stopped.wait(60)
        return solved(problem, seed, watch)

    monkeypatch.setattr(module.Watch, "stop", lambda watch: (stop(watch), is_stopped.set()))
    monkeypatch.setattr(module, "solved_again", interrupted)
    found = bnfuse.disputes(result, threads=1)
    assert found.stopped_by == "interrupted"
    assert len(calls) == 2
    assert any(dispute.cost is None for dispute in found)
    assert any(dispute.cost is not None for dispute in found)


@pytest.mark.parametrize("count", [0, -1, 1.5, "x"])
def test_a_count_that_makes_no_sense_is_refused(count):
    result = bnfuse.consensus([DAG(["A"])])
    with pytest.raises(OptionError, match="count"):
        bnfuse.disputes(result, count=count)


def test_inputs_that_agree_dispute_nothing():
    found = bnfuse.disputes(bnfuse.consensus([DAG(["A", "B"], [("A", "B")])] * 2))
    assert (list(found), found.pairs, found.closer) == ([], 0, None)


# Against searches of their own


def assert_solved(dags, result, found, **options):
    """Each cost is that of a fresh consensus with the decision forced, or both lie where the bounds allow.

    How many are equal.
    """
    equal = []
    for dispute in found:
        for other in dispute.alternatives:
            forced = {"required": [other.arc]} if other.arc else {"forbidden": [dispute.arc, dispute.arc[::-1]]}
            fresh = bnfuse.consensus(dags, **options, **forced)
            cost = fresh.distance - result.distance
            assert other.cost_at_least <= cost + CLOSE
            assert fresh.lower_bound - result.distance <= other.cost + CLOSE
            assert not other.is_exact or other.cost <= cost + CLOSE
            mean = sum(bnfuse.smhd(other.dag, dag) for dag in dags) / len(dags)
            assert other.cost == pytest.approx(mean - result.distance)
            equal.append(abs(other.cost - cost) < CLOSE)
    return equal


@pytest.mark.parametrize("directions", [None, "any"])
def test_the_clinics_cost_what_fresh_searches_find(directions):
    dags = read(*CLINICS)
    rule = {} if directions is None else {"directions": directions}
    result = bnfuse.consensus(dags, max_clique=4, **rule)
    found = bnfuse.disputes(result)
    assert len(found) == found.pairs == 18
    assert all(assert_solved(dags, result, found, max_clique=4, effort="quick", **rule))


@pytest.mark.long
@pytest.mark.parametrize(("name", "copies", "share"), [("alarm", 6, 0.9), ("hailfinder", 10, 0.7)])
def test_the_top_of_large_panels_costs_what_fresh_searches_find(name, copies, share):
    if not networks.available([name]):
        pytest.skip("the benchmark networks are not there")
    dags = copies_of(networks.load(name).dag, copies, seed=0)
    result = bnfuse.consensus(dags, max_clique=4)
    equal = assert_solved(dags, result, bnfuse.disputes(result), max_clique=4, effort="quick")
    assert sum(equal) >= share * len(equal)
