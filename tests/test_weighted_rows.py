"""Rows that stand for several or for a fraction of one, and rows of one subject: learned from, resampled, fitted."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bnfuse import DAG, OptionError, bootstrap, learn
from bnfuse.data.data import Data
from bnfuse.data.discretise import Prepared
from bnfuse.data.weights import MOST_UNITS, in_units
from bnfuse.errors import MismatchError
from bnfuse.inference.parameters import fit
from bnfuse.learning.data_learner import METHODS, Learner, LearnOptions
from bnfuse.learning.resampling import content_hash, resampled_rows
from bnfuse.problem.constraints import Constraints
from bnfuse.search.run import Run
from oracles import graph_of, network_scores
from samples import random_data

SCORES = ("bic", "aic", "bdeu", "loglik")


def weighted(data: Data, weights: Any) -> Data:
    return replace(data, weights=np.asarray(weights, np.float64))


def expanded(data: Data, weights: Any) -> Data:
    """Each row as often as its weight says."""
    return replace(data, codes=np.repeat(data.codes, weights, axis=0))


def learner(data: Data, **options: Any) -> Learner:
    return Learner(Prepared(data, (), {}), LearnOptions(**options), Constraints())


def table_with_counts(seed: int, missing: float = 0.05) -> tuple[Data, Any]:
    return random_data(seed, 5, 40, missing=missing), np.random.default_rng(seed).integers(1, 9, 40)


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("seed", range(3))
def test_a_weight_is_that_many_equal_rows_to_the_learner(seed: int, score: Any) -> None:
    data, counts = table_with_counts(seed)
    few, all_rows = learn(weighted(data, counts), score), learn(expanded(data, counts), score)
    assert (few.dag, few.score) == (all_rows.dag, all_rows.score)


@pytest.mark.parametrize("method", METHODS)
def test_limits_and_proofs_count_weights_too(method: Any) -> None:
    data, counts = table_with_counts(5, missing=0.0)
    few, all_rows = weighted(data, counts), expanded(data, counts)
    for options in ({"max_clique": 2}, {"max_clique": 3}, {"max_table": 20}, {"prove": True}):
        one, other = (learn(rows, "aic", method=method, **options) for rows in (few, all_rows))  # type: ignore[arg-type]
        assert (one.dag, one.score, one.bound) == (other.dag, other.score, other.bound)
    assert one.is_best
    fractions = weighted(data, counts / 4)
    proven = learn(fractions, "aic", method=method, prove=True)
    assert proven.is_best
    assert proven.score == pytest.approx(score_by_hand(fractions, proven.dag, "aic"), rel=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_a_weight_is_that_many_equal_rows_to_a_resample(seed: int) -> None:
    data, counts = table_with_counts(seed)
    few, all_rows = (list(bootstrap(one, 8, seed=3)) for one in (weighted(data, counts), expanded(data, counts)))
    assert [one.dag for one in few] == [one.dag for one in all_rows]
    drawn = [resampled_rows(one, 3, 4).codes for one in (weighted(data, counts), expanded(data, counts))]
    assert np.array_equal(*drawn)


@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_a_weight_is_that_many_equal_rows_to_a_table(missing: float) -> None:
    data, counts = table_with_counts(2, missing)
    a, b, c, *_ = data.variables
    dag = DAG(data.variables, [(a, b), (b, c)])
    few, all_rows = fit(dag, weighted(data, counts)), fit(dag, expanded(data, counts))
    assert few.network.cpts is not None
    assert all_rows.network.cpts is not None
    for name in data.variables:
        assert few.network.cpts[name] == pytest.approx(all_rows.network.cpts[name], abs=1e-9)
    assert few.log_likelihoods == pytest.approx(all_rows.log_likelihoods)
    assert few.notes[0] == f"the tables are estimated from 40 rows, which represent {counts.sum()}"


def score_by_hand(data: Data, dag: DAG, score: str) -> float:
    """Of complete rows with any weights, from the definitions."""
    assert data.weights is not None
    total = 0.0
    for name in dag.variables:
        cells: dict[tuple[int, ...], float] = {}
        lines: dict[tuple[int, ...], float] = {}
        parents = [data.column(parent) for parent in dag.parents(name)]
        for row, weight in enumerate(data.weights):
            line = tuple(int(column[row]) for column in parents)
            cell = (*line, int(data.column(name)[row]))
            cells[cell] = cells.get(cell, 0) + weight
            lines[line] = lines.get(line, 0) + weight
        number = math.prod(len(data.states[parent]) for parent in dag.parents(name))
        states = len(data.states[name])
        if score == "bdeu":
            prior = 1 / number
            total += sum(math.lgamma(prior) - math.lgamma(prior + n) for n in lines.values())
            prior /= states
            total += sum(math.lgamma(prior + n) - math.lgamma(prior) for n in cells.values())
            continue
        total += sum(n * math.log(n) for n in cells.values()) - sum(n * math.log(n) for n in lines.values())
        penalty = {"bic": math.log(data.weights.sum()) / 2, "aic": 1, "loglik": 0}[score]
        total -= penalty * number * (states - 1)
    return total


@pytest.mark.parametrize("score", SCORES)
def test_fractions_of_a_row_score_what_the_definition_says(score: Any) -> None:
    data = random_data(4, 5, 60)
    weights = np.random.default_rng(4).uniform(0.1, 30, 60)
    for given_weights in (weights, weights.round(2)):
        rows = weighted(data, given_weights)
        found = learn(rows, score)
        assert found.score == pytest.approx(score_by_hand(rows, found.dag, score), rel=1e-6)


def test_a_resample_of_fractions_draws_as_many_rows_as_they_add_up_to_in_proportion() -> None:
    rows = Data(
        ("A",), {"A": tuple("abc")}, np.arange(3, dtype=np.int16)[:, None], weights=np.array([0.5, 10.25, 9.75])
    )
    drawn = [resampled_rows(rows, 7, number) for number in range(300)]
    assert {len(one) for one in drawn} == {21}
    counts = np.bincount(np.concatenate([one.codes[:, 0] for one in drawn]), minlength=3)
    expected = 300 * 21 * np.array([0.5, 10.25, 9.75]) / 20.5
    assert ((counts - expected) ** 2 / expected).sum() < 20  # 2 degrees of freedom: one in 20,000 is larger


def subjects(seed: int, weights: bool = False, missing: float = 0.03) -> Data:
    data, counts = table_with_counts(seed, missing=missing)
    groups = np.sort(np.random.default_rng(seed).integers(0, 12, 40))
    groups = np.unique(groups, return_inverse=True)[1].astype(np.int64)
    return replace(data, groups=groups, weights=counts.astype(np.float64) if weights else None)


@pytest.mark.parametrize("weights", [False, True])
def test_a_resample_of_subjects_has_all_rows_of_each(weights: bool) -> None:
    data = subjects(1, weights)
    assert data.groups is not None
    marked = Data(("row",), {"row": tuple(map(str, range(40)))}, np.arange(40, dtype=np.int16)[:, None])
    marked = replace(marked, groups=data.groups, weights=data.weights)
    own = np.ones(40) if data.weights is None else data.weights
    sizes = set()
    for number in range(10):
        times = np.bincount(resampled_rows(marked, 5, number).codes[:, 0], minlength=40) / own
        for group in range(data.groups.max() + 1):
            assert len(set(times[data.groups == group])) == 1
        assert sum(times[data.groups == group][0] for group in range(data.groups.max() + 1)) == data.groups.max() + 1
        sizes.add(float((times * own).sum()))
    assert len(sizes) > 1


@pytest.mark.parametrize("weights", [False, True])
def test_the_network_of_a_resample_of_subjects_scores_what_its_rows_give_it(weights: bool) -> None:
    data = subjects(2, weights, missing=0.0)
    for number, one in enumerate(learner(data).resampled(Run(seed=4, threads=2), 0, 6)):
        rows = resampled_rows(data, 4, number)
        assert one.score == pytest.approx(network_scores(rows, "bic")(graph_of(one.dag)), rel=1e-9)


def test_resamples_of_subjects_do_not_depend_on_threads() -> None:
    runs = [[one.dag for one in bootstrap(subjects(3, True), 12, threads=threads)] for threads in (1, 3)]
    assert runs[0] == runs[1]
    assert len(set(runs[0])) > 1


def test_one_row_a_subject_is_the_plain_resample() -> None:
    data = random_data(3, 4, 50)
    alone = replace(data, groups=np.arange(50))
    assert [one.dag for one in bootstrap(data, 5)] == [one.dag for one in bootstrap(alone, 5)]


def test_a_learner_of_ones_own_gets_whole_rows() -> None:
    data = subjects(1, weights=True)
    assert len(list(bootstrap(data, 2, lambda rows: DAG(rows.columns)))) == 2
    with pytest.raises(OptionError, match="the weights must be whole"):
        bootstrap(replace(data, weights=np.full(40, 0.5)), 2, lambda rows: DAG(rows.columns))


def test_a_store_tells_weights_and_groups_apart() -> None:
    data = random_data(3, 4, 50)
    ones = np.ones(50)
    kinds = [data, replace(data, weights=ones), replace(data, groups=ones.astype(np.int64)), weighted(data, 2 * ones)]
    assert len(set(map(content_hash, kinds))) == 4


@given(st.lists(st.floats(1e-3, 1e4), min_size=1, max_size=20), st.integers(0, 3))
def test_units_are_whole_and_near_the_weights(weights: list[float], decimals: int) -> None:
    weights = [max(round(weight, decimals), 10.0**-decimals) for weight in weights] if decimals else weights
    units, unit = in_units(np.array(weights))
    assert (units > 0).all()
    assert units.sum() <= MOST_UNITS
    if decimals:
        assert (units / unit).tolist() == pytest.approx(weights, rel=1e-12)
    else:
        assert np.abs(units / unit - weights).max() <= 4 * sum(weights) / MOST_UNITS + 1 / unit


def test_whole_weights_are_their_own_units_and_too_many_are_refused() -> None:
    units, unit = in_units(np.array([3.0, 1.0, 12.0]))
    assert (units.tolist(), unit) == ([3, 1, 12], 1)
    with pytest.raises(MismatchError, match="add up to 3,000,000,000"):
        in_units(np.array([1e9, 2e9]))
    with pytest.raises(MismatchError, match="more than"):  # a resample may draw the heavier subject twice
        in_units(np.array([1.5e9, 1.0]), np.array([0, 1]))
