"""The front door: what every result promises, the paper's examples, weights, limits of time, bad input, golden runs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bnfuse
import oracles
from bnfuse import DAG, BnfuseError, MismatchError, Network, OptionError, Progress, clique_size
from candidate_twin import KINDS, METRICS
from consensus_checks import METHODS, SHORT, assert_valid, short
from paper_example import G2, G_PLUS, INPUTS
from strategies import genetic_consensus as consensus
from strategies import genetic_options, greedy_options, padded, random_dag, weighted_dag_lists

# What every result promises


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=30)
@given(
    weighted_dag_lists(),
    st.one_of(genetic_options(8, 4), greedy_options()),
    st.integers(2, 4),
    st.sampled_from(["inputs", "fused"]),
)
def test_every_result_is_valid(
    kind: str, metric: str, inputs: tuple[list[DAG], list[int]], options: dict[str, Any], limit: int, target: str
) -> None:
    dags, weights = inputs
    method = "genetic" if "population" in options else "greedy"
    result = consensus(dags, limit, metric, method, kind, weights=weights, target=target, **options)
    assert_valid(result, options["order"])
    assert result.stopped_by == "finished"
    if result.method != "none":  # as it is where a single input has weight and is within the limit
        assert (result.pruned is None) == (kind == "fused")
        assert result.method == method


@pytest.mark.parametrize("triangulation", ["min-fill", "mcs"])
@pytest.mark.parametrize("limit", [2, 3, 5])
@pytest.mark.parametrize("kind", KINDS)
def test_results_of_larger_networks_are_within_the_limit(kind: str, limit: int, triangulation: str) -> None:
    for seed, size in [(0, 40), (10, 70)]:
        dags = [random_dag(seed + i, size, 1.2, reach=6) for i in range(4)]
        result = consensus(dags, limit, candidates=kind, triangulation=triangulation, **SHORT)
        moral = oracles.moral_graph(oracles.graph_of(result.dag))
        assert max(oracles.cliques_along(moral, result.elimination_order)) == result.clique_size <= limit
        assert result.history[-1].distance == result.distance


@pytest.mark.parametrize(
    ("dags", "limit", "triangulation"),
    [
        pytest.param([random_dag(7 * 212 + i, 60, 1.3) for i in range(3)], 6, "mcs", id="mcs"),
        pytest.param([padded(random_dag(7 * 2684 + i, 40, 1.3), 2048) for i in range(3)], 5, "min-fill", id="min-fill"),
    ],
)
def test_a_limit_that_the_search_keeps_is_kept_by_the_result(dags: list[DAG], limit: int, triangulation: str) -> None:
    """The search triangulates with ties in the order of the fusion, and is luckier here than in that of the variables.

    In the latter, min-fill, min-degree and maximum cardinality search all exceed the limit.
    """
    result = consensus(dags, limit, method="greedy", triangulation=triangulation)
    assert result.history[-1].clique_size <= limit
    moral = oracles.moral_graph(oracles.graph_of(result.dag))
    assert max(oracles.cliques_along(moral, result.elimination_order)) == result.clique_size
    assert result.clique_size <= limit


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=40)
@given(weighted_dag_lists(min_size=2, max_size=4), st.integers(2, 4))
def test_no_result_is_better_than_all_networks_tried(
    kind: str, method: str, inputs: tuple[list[DAG], list[int]], limit: int
) -> None:
    dags, weights = inputs
    result = consensus(dags, limit, "smhd", method, kind, weights=weights, **short(method))
    assert result.distance >= oracles.least_mean_smhd(dags, weights, limit) - 1e-9
    assert clique_size(result.dag, method="exact") <= limit


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=10)
@given(weighted_dag_lists(min_size=2, max_size=3, max_dags=3), st.integers(2, 3))
def test_no_result_is_better_by_fsim_than_all_networks_tried(
    kind: str, inputs: tuple[list[DAG], list[int]], limit: int
) -> None:
    dags, weights = inputs
    result = consensus(dags, limit, "fsim", candidates=kind, weights=weights, **SHORT)
    assert result.distance >= oracles.least_mean_fsim(dags, weights, limit) - 1e-9


def test_no_result_for_four_variables_is_better_by_fsim_than_all_networks_tried() -> None:
    dags = [random_dag(seed, 4, 1.2) for seed in (3, 4)]
    least = oracles.least_mean_fsim(dags, [1, 1], 3)
    results = [consensus(dags, 3, "fsim", method, kind) for method in METHODS for kind in KINDS]
    assert all(result.distance >= least for result in results)


@pytest.mark.parametrize("seed", [0, 1])
def test_no_result_for_five_variables_is_better_than_all_networks_tried(seed: int) -> None:
    dags = [random_dag(10 * seed + i, 5, 1.3) for i in range(4)]
    for limit in (2, 3, 4):
        least = oracles.least_mean_smhd(dags, [1] * 4, limit)
        results = [consensus(dags, limit, "smhd", method, kind) for method in METHODS for kind in KINDS]
        assert all(result.distance >= least for result in results)


def test_all_networks_are_all() -> None:
    """The numbers of labelled DAGs (OEIS A003024)."""
    assert [len(oracles.all_dags(size)) for size in range(1, 6)] == [1, 3, 25, 543, 29281]


# The paper's examples


@pytest.mark.parametrize(("metric", "distance"), [("smhd", 0.06), ("fsim", 0.05)])
@pytest.mark.parametrize("kind", KINDS)
def test_ninety_nine_networks_outvote_one(kind: str, metric: str, distance: float) -> None:
    result = consensus([*[G2] * 99, G_PLUS], 3, metric, candidates=kind)
    assert oracles.moral_edges(oracles.graph_of(result.dag)) == oracles.moral_edges(oracles.graph_of(G2))
    assert round(result.distance, 2) == distance


@pytest.mark.parametrize("kind", KINDS)
def test_three_networks_reach_the_optimum(kind: str) -> None:
    assert oracles.least_mean_smhd(INPUTS, [1, 1, 1], 3) == 3
    assert consensus(INPUTS, 3, candidates=kind).distance == 3


# The result


def test_a_result_tells_who_supports_each_arc() -> None:
    names = ["A", "B", "C"]
    dags = [DAG(names, [("A", "B")]), DAG(names, [("B", "A"), ("B", "C")]), DAG(names, [("A", "B"), ("B", "C")])]
    networks = [Network(dag, name=name) for dag, name in zip(dags, ["north", "south", "west"], strict=True)]
    result = consensus(networks, 2)
    support = {arc.arc: (arc.inputs, arc.reversed_inputs) for arc in result.support()}
    assert support == {("A", "B"): (("north", "west"), ("south",)), ("B", "C"): (("south", "west"), ())}


@pytest.mark.parametrize("metric", METRICS)
def test_a_result_is_compared_with_the_inputs_their_fusion_and_nothing(metric: str) -> None:
    result = consensus(INPUTS, 3, metric, weights=[2, 1, 1])
    compared = {each.name: each for each in result.compared()}
    assert list(compared) == ["consensus", "majority vote", "1", "2", "3", "full fusion", "no arcs"]
    inputs = [oracles.graph_of(dag) for dag in INPUTS]
    ties = oracles.heuristic_order(inputs, INPUTS[0].variables, [2, 1, 1])
    fused = DAG(ties, set().union(*(oracles.ancestral_imap(graph, ties) for graph in inputs)))
    known = {"consensus": result.dag, "1": INPUTS[0], "2": INPUTS[1], "3": INPUTS[2], "full fusion": fused}
    for name, dag in {**known, "no arcs": DAG(INPUTS[0].variables)}.items():
        graph = oracles.graph_of(dag)
        distances = [oracles.distance(metric, graph, g, ties) for g in inputs]
        assert compared[name].distance == sum(map(int.__mul__, [2, 1, 1], distances)) / 4
        assert compared[name].clique_size == oracles.exact_clique_by_orders(oracles.moral_graph(graph))
        assert compared[name].arcs == len(dag.edges)


def test_a_result_keeps_the_states_on_which_the_inputs_agree() -> None:
    dag = DAG(["A", "B"], [("A", "B")])
    states = {"A": ("no", "yes"), "B": ("low", "mid", "high")}
    agreed = consensus([Network(dag, states), dag, Network(dag, states)], 2)
    assert agreed.network.states == states
    assert agreed.network.dag == agreed.dag
    disputed = consensus([Network(dag, states), Network(dag, {**states, "A": ("0", "1")})], 2)
    assert disputed.states == {"B": states["B"]}
    assert disputed.network.states == {"A": ("yes", "no"), "B": states["B"]}


def test_inputs_may_list_their_variables_in_any_order_and_come_from_anywhere() -> None:
    turned = [INPUTS[0], INPUTS[1].reordered(INPUTS[1].variables[::-1]), INPUTS[2]]
    graphs = [oracles.graph_of(dag) for dag in INPUTS]
    expected = consensus(INPUTS, 3, **SHORT)
    for networks in (turned, graphs, (dag for dag in INPUTS), tuple(map(Network, INPUTS))):
        result = consensus(networks, 3, **SHORT)
        assert result.dag == expected.dag
        assert result.history == expected.history


# Limits of time, progress, interruption


def larger_inputs() -> list[DAG]:
    return [random_dag(seed, 30, 1.8) for seed in range(4)]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_time_limit_cuts_the_search_and_says_so(kind: str, method: str) -> None:
    result = consensus(larger_inputs(), 3, method=method, candidates=kind, time_limit=1e-9)
    assert result.stopped_by == "time limit"
    assert_valid(result)


@pytest.mark.parametrize("method", METHODS)
def test_a_generous_time_limit_changes_nothing(method: str) -> None:
    free = consensus(INPUTS, 3, method=method, **short(method))
    limited = consensus(INPUTS, 3, method=method, time_limit=1e6, **short(method))
    assert limited.stopped_by == "finished"
    assert limited.history == free.history


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", KINDS)
def test_progress_goes_from_the_first_to_the_last_step(kind: str, method: str) -> None:
    seen: list[Progress] = []
    result = consensus(larger_inputs(), 3, method=method, candidates=kind, progress=seen.append, **short(method))
    assert len(seen) == len(result.history) > 1
    assert all(before.step < after.step for before, after in pairwise(seen))
    assert all(before.seconds <= after.seconds for before, after in pairwise(seen))
    assert {p.steps for p in seen} == {seen[-1].step}
    assert [(p.step, p.distance, p.clique_size) for p in seen] == [
        (s.step, s.distance, s.clique_size) for s in result.history
    ]
    assert seen[-1].distance == result.distance


@pytest.mark.parametrize("at", [1, 2, 3])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", KINDS)
def test_an_interrupt_keeps_the_best_so_far(kind: str, method: str, at: int) -> None:
    calls: list[Progress] = []

    def interrupt(progress: Progress) -> None:
        calls.append(progress)
        if len(calls) == at:
            raise KeyboardInterrupt

    dags = larger_inputs() * 2  # enough genes for three parts of the greedy search
    result = consensus(dags, 3, method=method, candidates=kind, progress=interrupt, **short(method))
    assert result.stopped_by == "interrupted"
    assert len(result.history) == at
    assert result.distance <= calls[-1].distance
    moral = oracles.moral_graph(oracles.graph_of(result.dag))
    assert max(oracles.cliques_along(moral, result.elimination_order)) == result.clique_size <= 3


def test_other_errors_of_a_progress_callback_are_not_swallowed() -> None:
    def fail(_: Progress) -> None:
        raise ZeroDivisionError

    for method in METHODS:
        with pytest.raises(ZeroDivisionError):
            consensus(INPUTS, 3, method=method, progress=fail)


# Few networks, few arcs


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", KINDS)
def test_one_network_within_the_limit_is_its_own_consensus(kind: str, method: str) -> None:
    result = consensus([G2], 3, method=method, candidates=kind)
    assert result.dag == G2
    assert result.distance == 0
    assert len(result.notes) == 1
    assert "one input" in result.notes[0]
    assert_valid(result)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", KINDS)
def test_one_network_over_the_limit_is_searched(kind: str, method: str) -> None:
    result = consensus([G_PLUS], 3, method=method, candidates=kind)
    assert not any("one input" in note for note in result.notes)
    assert result.history
    assert 0 < result.distance < consensus([G_PLUS], 3, method=method, candidates=kind).compared()[-1].distance
    assert_valid(result)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", KINDS)
def test_identical_networks_within_the_limit_are_their_own_consensus(kind: str, method: str, metric: str) -> None:
    result = consensus([G2] * 3, 3, metric, method, kind)
    assert result.distance == 0
    assert result.dag == G2


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", KINDS)
def test_networks_without_arcs_beside_others(kind: str, method: str) -> None:
    empty, arc = DAG(["A", "B"]), DAG(["A", "B"], [("A", "B")])
    for order in ("inputs", "candidate"):
        for dags in ([empty, arc, arc], [arc, empty, arc], [arc, arc, empty]):
            result = consensus(dags, 2, method=method, candidates=kind, order=order)
            assert result.dag == arc
            assert result.distance == pytest.approx(1 / 3)
            assert_valid(result, order)


@pytest.mark.parametrize("order", ["inputs", "candidate"])
@pytest.mark.parametrize("method", METHODS)
def test_networks_without_arcs_have_a_consensus_without_arcs(method: str, order: str) -> None:
    """In a process of its own: an index into no arcs can end it."""
    program = f"""
from bnfuse import DAG, GeneticOptions, GreedyOptions, consensus
for dag in (DAG(["A"]), DAG(["A", "B", "C"])):
    for kind in {KINDS}:
        for metric in {METRICS}:
            c = consensus([dag, dag], 2, metric, {method.capitalize()}Options(candidates=kind, order="{order}"))
            print(c.dag == dag, c.distance, c.clique_size, c.stopped_by)
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr[-500:]) == (0, "")
    assert run.stdout.splitlines() == ["True 0.0 1 finished"] * (2 * len(KINDS) * len(METRICS))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", ["shared", "fused"])
def test_one_gene_is_enough(kind: str, method: str) -> None:
    arc = DAG(["A", "B"], [("A", "B")])
    assert consensus([arc, arc], 2, method=method, candidates=kind).dag == arc
    if method == "genetic":
        assert consensus([arc, DAG(["A", "B"]), DAG(["A", "B"])], 2, candidates=kind).dag.edges == ()


# Bad input


@pytest.mark.parametrize("max_clique", [1, 0, -3, 2.5, 3.0, "3", True])
def test_a_limit_that_is_no_whole_number_of_at_least_2_is_refused(max_clique: Any) -> None:
    with pytest.raises(OptionError, match=r"max_clique must be a whole number of at least 2; got"):
        consensus(INPUTS, max_clique)


@pytest.mark.parametrize(
    ("option", "valid"),
    [
        ("metric", METRICS),
        ("method", METHODS),
        ("candidates", KINDS),
        ("target", ["inputs", "fused"]),
        ("preset", ["default", "paper", "program"]),
        ("order", ["inputs", "candidate"]),
        ("offer", ["frequency", "in-turn"]),
    ],
)
@pytest.mark.parametrize("value", ["nonsense", None, 3, ["smhd"]])
def test_an_unknown_value_is_refused_with_the_valid_ones(option: str, valid: list[str], value: Any) -> None:
    for dags in (INPUTS, [G2]):
        with pytest.raises(OptionError) as caught:
            consensus(dags, 3, **{option: value})
        assert option in str(caught.value)
        assert all(repr(name) in str(caught.value) for name in valid)


@pytest.mark.parametrize("option", ["offer", "order", "triangulation", "returned"])
def test_an_unknown_value_of_the_greedy_search_is_refused(option: str) -> None:
    for dags in (INPUTS, [G2]):
        with pytest.raises(OptionError, match=rf"{option} must be one of .*; got 'nonsense'"):
            consensus(dags, 3, method="greedy", **{option: "nonsense"})


@pytest.mark.parametrize("method", METHODS)
def test_an_unknown_option_is_refused_with_the_valid_ones(method: str) -> None:
    with pytest.raises(OptionError, match=rf"unknown option 'colour'; the {method} search has .*order.*triangulation"):
        bnfuse.consensus(INPUTS, 3, method=method, colour="red")  # type: ignore[call-arg, arg-type]


def test_options_of_the_genetic_search_are_refused_for_the_greedy_one() -> None:
    with pytest.raises(OptionError, match="greedy has no option population; it goes with genetic"):
        bnfuse.consensus(INPUTS, 3, method="greedy", population=10)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, -1, 1], r"at least 0; got -1"),
        ([1, float("nan"), 1], r"at least 0; got nan"),
        ([1, float("inf"), 1], r"at least 0; got inf"),
        ([1, None, 1], r"at least 0; got None"),
        ([1, "many", 1], r"at least 0; got 'many'"),
        ([1, True, 1], r"at least 0; got True"),
        ([0, 0, 0], r"at least one weight must be above 0"),
        ({"1": 0, "2": 0, "3": 0}, r"at least one weight must be above 0"),
        ([1, 1], r"2 weights for 3 networks"),
        ([], r"0 weights for 3 networks"),
        ([1] * 4, r"4 weights for 3 networks"),
        ({"north": 2}, r"'north', but the networks are '1', '2', '3'"),
        (2, r"weights"),
    ],
    ids=repr,
)
def test_bad_weights_are_refused(weights: Any, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        consensus(INPUTS, 3, weights=weights)


@pytest.mark.parametrize("population", [3, 0, -5, 10.0, "10"])
def test_a_population_below_4_is_refused(population: Any) -> None:
    with pytest.raises(OptionError, match="population must be a whole number of at least 4"):
        consensus(INPUTS, 3, population=population)


@pytest.mark.parametrize("time_limit", [0, -1, float("nan"), "1"])
def test_a_time_limit_that_is_not_positive_is_refused(time_limit: Any) -> None:
    with pytest.raises(OptionError, match="time_limit must be a positive number of seconds"):
        consensus(INPUTS, 3, time_limit=time_limit)


@pytest.mark.parametrize("seed", [-1, 1.5, "1", None, True])
def test_a_bad_seed_is_refused(seed: Any) -> None:
    with pytest.raises(OptionError, match="seed must be a whole number of at least 0"):
        consensus(INPUTS, 3, seed=seed)


@pytest.mark.parametrize("threads", [0, -2, 1.5, "2", True])
def test_a_bad_number_of_threads_is_refused(threads: Any) -> None:
    with pytest.raises(OptionError, match="threads must be a whole number of at least 1"):
        consensus(INPUTS, 3, threads=threads)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        pytest.param(list, "at least one network, got an empty list", id="nothing"),
        pytest.param(lambda: iter(()), "at least one network, got an empty list", id="no more"),
        pytest.param(lambda: G2, "expected a list of networks, got DAG", id="one DAG"),
        pytest.param(lambda: Network(G2), "expected a list of networks, got Network", id="one network"),
        pytest.param(lambda: oracles.graph_of(G2), "expected a list of networks, got DiGraph", id="one graph"),
        pytest.param(lambda: None, "expected a list of networks, got NoneType", id="None"),
        pytest.param(lambda: [G2, "b.bif"], "expected a network, got str 'b.bif'", id="a name"),
    ],
)
def test_what_is_no_list_of_networks_is_refused(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        consensus(make(), 3)


def test_networks_over_other_variables_are_refused() -> None:
    with pytest.raises(MismatchError, match="'Y'"):
        consensus([DAG(["X", "Y"]), DAG(["X"])], 3)


@pytest.mark.parametrize("options", [{"max_clique": 1}, {"metric": "hamming"}, {"weights": [-1, 1, 1]}, {"seed": -1}])
def test_every_error_is_one_line(options: dict[str, Any]) -> None:
    with pytest.raises(BnfuseError) as caught:
        consensus(INPUTS, **options)
    assert "\n" not in str(caught.value)
