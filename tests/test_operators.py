"""The operators of the genetic search, each by itself: formulas, random draws, and slow twins gene by gene."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bnfuse.search.paper.rates import Draws, kept, mutation_rates
from genetic_twin import below, crossed, mutated, ranking, restrained, winners

# Mutation rates: the printed formulas and those of the public program

X = [0.05, 0.25, 0.5, 0.75, 1.0, 1.01, 1.25, 2.0, 3.5, 10.0]


def printed_rates(x: float) -> tuple[float, float]:
    if x <= 1:
        return ((x - 1) / 2) ** 2 + 0.01, x / 10
    return 0.01 / x, math.log(x) / 3 + 0.01


def program_rates(x: float) -> tuple[float, float]:
    if x <= 1:
        return ((x - 1) / 2) ** 2 + 0.01, (x / 10) ** 2
    return 0.01 / (x + 0.01), math.log10(x) / 3 + 0.01


@pytest.mark.parametrize(("rates", "formula"), [("printed", printed_rates), ("program", program_rates)])
def test_mutation_rates_follow_the_formulas(rates: str, formula: Callable[[float], tuple[float, float]]) -> None:
    add, remove = mutation_rates(np.array(X), rates)
    expected_add, expected_remove = zip(*map(formula, X), strict=True)
    assert add.tolist() == pytest.approx(expected_add, rel=1e-12)
    assert remove.tolist() == pytest.approx(expected_remove, rel=1e-12)


@pytest.mark.parametrize("rates", ["printed", "program"])
def test_however_far_over_the_limit_arcs_go_out_never_come_in(rates: str) -> None:
    """ln(20) / 3 is over 1: from there on, all arcs go out, as a probability that is over 1 demands."""
    x = np.array([5.0, 15.0, 19.0, 20.0, 25.0, 100.0, 500.0, 1000.0])
    add, remove = mutation_rates(x, rates)
    everything = np.ones((len(x), 2000), np.bool_)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        left = mutated(everything, add, remove, Draws(1).bits(everything.shape)).mean(axis=1)
    assert left.tolist() == pytest.approx([max(0.0, 1 - rate) for rate in remove], abs=0.05)
    assert all(more >= fewer - 0.05 for more, fewer in pairwise(left))


# Random draws: seeded, so that these means are facts, not chances


def test_two_draws_are_the_halves_of_a_word_and_each_call_starts_with_a_new_one() -> None:
    words = [int(word) for word in np.random.PCG64(9).random_raw(5)]
    halves = [half for word in words for half in (word & 0xFFFFFFFF, word >> 32)]
    draws = Draws(9)
    assert draws.bits((1, 3)).tolist() == [halves[0:3]]
    assert draws.bits((2, 2)).tolist() == [halves[4:6], halves[6:8]]
    assert below(draws, 10, (1, 2)).tolist() == [[half * 10 >> 32 for half in halves[8:10]]]


def test_draws_below_a_bound_are_uniform() -> None:
    for bound in (1, 2, 7, 100):
        draws = below(Draws(5), bound, (100, 200))
        assert draws.shape == (100, 200)
        counts = np.bincount(draws.ravel(), minlength=bound)
        assert len(counts) == bound
        assert np.all(np.abs(counts - 20000 / bound) < 5 * math.sqrt(20000 / bound))


def test_first_chromosomes_keep_each_arc_with_its_own_probability() -> None:
    probabilities = np.array([0.0, 0.01, 0.25, 0.5, 0.9, 1.0])
    genes = kept(probabilities, Draws(2).bits((20000, 6)))
    assert genes.shape == (20000, 6)
    assert not genes[:, 0].any()
    assert genes[:, 5].all()
    assert genes.mean(axis=0).tolist() == pytest.approx(probabilities.tolist(), abs=0.015)
    assert abs(np.corrcoef(genes[:, 3], genes[:, 4])[0, 1]) < 0.03


def test_mutation_adds_and_removes_by_the_rates_of_each_row() -> None:
    add, remove = np.array([0.0, 0.25, 0.01]), np.array([0.1, 0.0, 0.5])
    genes = np.zeros((3, 40000), np.bool_)
    genes[:, ::2] = True
    after = mutated(genes, add, remove, Draws(3).bits(genes.shape))
    added, removed = after[:, 1::2].mean(axis=1), 1 - after[:, ::2].mean(axis=1)
    assert added.tolist() == pytest.approx(add.tolist(), abs=0.01)
    assert removed.tolist() == pytest.approx(remove.tolist(), abs=0.01)
    assert added[0] == removed[1] == 0


def test_draws_follow_the_seed() -> None:
    def stream(seed: int) -> list[int]:
        return below(Draws(seed), 1000, (1, 50)).ravel().tolist()

    assert stream(1) == stream(1) != stream(2)


# Selection and crossover, against loops


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=1, max_size=12))
def test_the_ranking_is_by_objective_then_support_then_place(values: list[tuple[int, int]]) -> None:
    objective, support = np.array(values, np.int64).T
    slow = sorted(range(len(values)), key=lambda place: (values[place][0], -values[place][1], place))
    assert ranking(objective, support).tolist() == slow


@given(st.permutations(range(7)), st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=20))
def test_a_tournament_is_won_by_the_better_in_the_ranking(best_first: list[int], pairs: list[tuple[int, int]]) -> None:
    slow = [min(pair, key=best_first.index) for pair in pairs]
    assert winners(np.array(best_first), np.array(pairs).T).tolist() == slow


@given(st.integers(2, 9), st.integers(1, 6), st.sampled_from([1, 2]), st.integers(0, 99))
def test_offspring_are_like_one_parent_up_to_the_point_and_like_the_other_from_there(
    genes: int, pairs: int, offspring: int, seed: int
) -> None:
    random = np.random.default_rng(seed)
    mothers, fathers = random.random((2, pairs, genes)) < 0.5
    points = random.integers(0, genes - 1, (pairs, 1))

    def child(first: list[bool], second: list[bool], point: int) -> list[bool]:
        return first[: point + 1] + second[point + 1 :]

    rows = list(zip(mothers.tolist(), fathers.tolist(), points[:, 0].tolist(), strict=True))
    slow = [child(mother, father, point) for mother, father, point in rows]
    if offspring == 2:
        slow += [child(father, mother, point) for mother, father, point in rows]
    assert crossed(mothers, fathers, points, offspring).tolist() == slow


# Restraint


def test_additions_become_rarer_while_few_are_within_the_limit_and_frequent_again_when_most_are() -> None:
    within, over = [3] * 10, [4] * 10
    restraint, seen = 1.0, []
    for cliques in [over] * 3 + [within] * 4:
        restraint = restrained(restraint, np.array(cliques), 3)
        seen.append(restraint)
    assert seen == pytest.approx([1.25, 1.25**2, 1.25**3, 1.25**2, 1.25, 1, 1])


def test_eight_in_ten_within_the_limit_are_enough() -> None:
    assert restrained(2.0, np.array([3] * 8 + [4] * 2), 3) < 2
    assert restrained(2.0, np.array([3] * 7 + [4] * 3), 3) > 2


def test_restraint_has_an_end() -> None:
    restraint = 1.0
    for _ in range(100):
        restraint = restrained(restraint, np.array([9]), 3)
    assert restraint == 64
