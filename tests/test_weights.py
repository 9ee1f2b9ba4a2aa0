"""Weights of inputs: exact, in any form, as if an input were there so often."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bnfuse import DAG, Consensus, Network, OptionError
from bnfuse.answer.provenance import InputFile, Origin
from bnfuse.report.page.page_data import layout_of, page_data
from bnfuse.report.summary import Summary
from bnfuse.search.outcome import mean_distance
from candidate_twin import KINDS, METRICS
from consensus_checks import METHODS, SHORT, short
from paper_example import INPUTS
from strategies import acyclic_arcs, problem_of, random_dag, weighted_dag_lists
from strategies import genetic_consensus as consensus


@given(weighted_dag_lists(), st.sampled_from(METRICS), st.data())
def test_the_order_of_the_inputs_changes_no_distance(
    inputs: tuple[list[DAG], list[int]], metric: str, data: st.DataObject
) -> None:
    dags, weights = inputs
    dag = DAG(dags[0].variables, data.draw(acyclic_arcs(dags[0].variables)))
    places = data.draw(st.permutations(range(len(dags))))
    for target in ("inputs", "fused"):
        given_order = problem_of(dags, 3, metric, target, weights=weights)
        another = problem_of([dags[i] for i in places], 3, metric, target, weights=[weights[i] for i in places])
        assert mean_distance(given_order, dag) == mean_distance(another, dag)


@pytest.mark.parametrize("metric", METRICS)
@settings(max_examples=40)
@given(weighted_dag_lists(max_dags=3), st.data())
def test_a_weight_of_three_is_the_distance_of_three_copies(
    metric: str, inputs: tuple[list[DAG], list[int]], data: st.DataObject
) -> None:
    dags, _ = inputs
    dag = DAG(dags[0].variables, data.draw(acyclic_arcs(dags[0].variables)))
    weighted = problem_of(dags, 3, metric, weights=[3] + [1] * (len(dags) - 1))
    copies = problem_of([dags[0]] * 2 + dags, 3, metric)
    assert mean_distance(weighted, dag) == mean_distance(copies, dag)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("kind", ["shared", "fused"])
def test_a_weight_of_three_is_three_copies(kind: str, metric: str, method: str) -> None:
    """Of one gene for each distinct arc there are as many either way, so that whole runs must agree."""
    for seed in range(0, 60, 3):
        first, *others = (random_dag(seed + i, 6, 1.2) for i in range(3))
        options = {"metric": metric, "method": method, "candidates": kind, **short(method)}
        weighted = consensus([first, *others], 3, weights=[3, 1, 1], **options)
        copies = consensus([first, first, first, *others], 3, **options)
        assert weighted.dag == copies.dag
        assert weighted.distance == copies.distance
        assert weighted.history == copies.history


def test_a_weighted_majority_decides_the_direction() -> None:
    """Two say B -> A, one of weight 5 says A -> B: five copies of it win, and so does the weight."""
    names = ["A", "B"]
    dags = [DAG(names, [("B", "A")]), DAG(names, [("B", "A")]), DAG(names, [("A", "B")])]
    assert consensus([*dags, *[dags[2]] * 4], 2).dag.edges == (("A", "B"),)
    assert consensus(dags, 2, weights=[1, 1, 5]).dag.edges == (("A", "B"),)


@pytest.mark.parametrize(
    "weights",
    [
        [2, 0, 1],
        (2.0, 0.0, 1.0),
        [0.2, 0, 0.1],
        [Fraction(2, 3), Fraction(0), Fraction(1, 3)],
        np.array([4.0, 0.0, 2.0]),
        [2e300, 0, 1e300],
        [2e-300, 0, 1e-300],
        {"1": 2, "2": 0, "3": 1},
        {"1": 2, "2": 0},
    ],
    ids=repr,
)
def test_weights_count_by_their_proportions(weights: Any) -> None:
    expected = consensus(INPUTS, 3, weights=[2, 0, 1], **SHORT)
    result = consensus(INPUTS, 3, weights=weights, **SHORT)
    assert result.problem.weights == (2, 1)
    assert result.problem.names == ("1", "3")
    assert result.dag == expected.dag
    assert result.history == expected.history
    assert result.distance == (2 * result.distances[0] + result.distances[1]) / 3


def test_weights_can_be_named_after_the_networks() -> None:
    networks = [Network(dag, name=name) for dag, name in zip(INPUTS, ["north", "south", "west"], strict=True)]
    assert consensus(networks, 3, weights={"south": 4}, **SHORT).problem.weights == (1, 4, 1)


@pytest.mark.parametrize(
    ("weights", "whole"),
    [
        ([1 / 3, 1 / 3, 1], (1, 1, 3)),
        ([1 / 7, 2 / 7, 4 / 7], (1, 2, 4)),
        ([0.1, 0.2, 0.3], (1, 2, 3)),
        ([0.123456789, 0.1, 0.2], (123456789, 100000000, 200000000)),
        ([1234 / 7903, 5678 / 7903, 991 / 7903], (1234, 5678, 991)),
        (np.array([1 / 3, 1 / 3, 1], np.float32), (1, 1, 3)),
        (np.array([0.1, 0.25, 1.7], np.float32), (2, 5, 34)),
        ([1e6 / 3, 1e6, 2.5e6], (2, 6, 15)),
    ],
    ids=repr,
)
def test_floating_point_weights_are_the_fractions_that_they_were_meant_to_be(
    weights: Any, whole: tuple[int, ...]
) -> None:
    assert problem_of(INPUTS, 3, weights=weights).weights == whole


@given(st.lists(st.fractions(0, 100, max_denominator=9), min_size=3, max_size=3).filter(any))
def test_the_quotient_of_two_small_numbers_counts_as_it_is(weights: list[Fraction]) -> None:
    exact = problem_of(INPUTS, 3, weights=weights)
    divided = problem_of(INPUTS, 3, weights=[one.numerator / one.denominator for one in weights])
    assert exact.weights == divided.weights
    assert exact.inputs.given_weights == divided.inputs.given_weights == tuple(one for one in weights if one)


@pytest.mark.parametrize("weights", [[1, 2**0.5, 3**0.5], [1e-12, 1, 1], [Fraction(1, 2**31), 1, 1]], ids=repr)
def test_weights_that_cannot_be_counted_exactly_are_refused(weights: list[float]) -> None:
    with pytest.raises(OptionError, match=r"add up to .* counted exactly; round the weights to fewer digits"):
        problem_of(INPUTS, 3, weights=weights)


def test_weights_are_shown_as_they_were_given(tmp_path: Path) -> None:
    networks = [Network(dag, name=name) for dag, name in zip(INPUTS, ["north", "south", "west"], strict=True)]
    result = consensus(networks, 3, weights=[2.5, 1.7, 1], **SHORT)
    result.save(tmp_path / "c.json")
    for found in (result, Consensus.load(tmp_path / "c.json")):
        assert found.problem.weights == (25, 17, 10)
        assert found.problem.inputs.given_weights == (Fraction(5, 2), Fraction(17, 10), 1)
        summary = Summary(found)
        assert summary.weighting is not None
        assert summary.weighting.startswith("weights were given (north=2.5, south=1.7, west=1): north counts for 48 %")
        shown = page_data(summary, layout_of(found))
        assert [one.given for one in shown.inputs] == ["2.5", "1.7", "1"]
        assert shown.origin.options["weights"] == "north=2.5, south=1.7, west=1"


def test_an_input_that_was_left_out_is_named_everywhere(tmp_path: Path) -> None:
    networks = [Network(dag, name=name) for dag, name in zip(INPUTS, ["north", "south", "west"], strict=True)]
    result = consensus(networks, 3, weights={"south": 0}, **SHORT)
    files = [InputFile(f"clinics/{network.name}.bif", 1, "") for network in networks]
    result = replace(result, origin=replace(Origin.now(), files=tuple(files)))
    result.save(tmp_path / "c.json")
    for one in (result, Consensus.load(tmp_path / "c.json")):
        assert one.problem.inputs.left_out == ("south",)
        assert "'south' was left out: weight 0" in one.notes
        assert repr(one).endswith(", without 'south'>")
        summary = Summary(one)
        assert "from 2 networks (without south: weight 0);" in summary.what
        shown = page_data(summary, layout_of(one))
        assert [file.left_out for file in shown.origin.files] == [False, True, False]
        assert shown.origin.options["weights"] == "south=0"
        assert shown.facts.without == " (without south: weight 0)"


@pytest.mark.parametrize("target", ["inputs", "fused"])
@pytest.mark.parametrize("method", ["direct", "majority", "greedy", "genetic", "min-cut"])
@pytest.mark.parametrize("kind", KINDS)
def test_an_input_of_weight_0_is_left_out(method: str, kind: str, target: str) -> None:
    options: dict[str, Any] = {"method": method, "candidates": kind, "target": target}
    if method == "genetic":
        options |= {"population": 10, "generations": 3}
    left = consensus([INPUTS[0], INPUTS[2]], 3, weights=[2, 1], **options)
    result = consensus(INPUTS, 3, weights=[2, 0, 1], **options)
    assert result.dag == left.dag
    assert result.distance == left.distance
    assert result.problem.fusion.dag == left.problem.fusion.dag
