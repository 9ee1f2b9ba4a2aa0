"""The genetic search: its options and presets, its formulas, its random draws, and what its history promises."""

from __future__ import annotations

import math
import random
import warnings
from collections.abc import Callable
from dataclasses import fields
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from bnfuse import DAG, OptionError
from bnfuse.search.candidates import Candidates, Genes, Population
from bnfuse.search.genetic import PRESETS, GeneticOptions
from bnfuse.search.operators import Draws, first_probabilities, kept, mutated, mutation_rates
from strategies import GENETIC_CHOICES, genetic_options, problem_of, random_dag, weighted_dag_lists
from strategies import genetic_consensus as consensus
from test_candidates import KINDS, METRICS, twin_of

# Options


def test_every_choice_between_text_and_program_is_an_option() -> None:
    others = {"candidates", "population", "generations"}
    assert {field.name for field in fields(GeneticOptions)} == {*others, *GENETIC_CHOICES}


def test_the_preset_paper_is_the_printed_text() -> None:
    options = GeneticOptions.from_preset("paper")
    assert (options.population, options.generations) == (100, 100)
    assert options.order == "candidate"
    assert options.rates == "printed"
    assert options.first == "printed"
    assert options.offer == "frequency"
    assert options.offspring == 2
    assert options.elites == "after-mutation"


def test_the_preset_program_is_the_public_program() -> None:
    options = GeneticOptions.from_preset("program")
    assert (options.population, options.generations) == (100, 100)
    assert options.order == "inputs"
    assert options.rates == "program"
    assert options.first == "program"
    assert options.offer == "in-turn"
    assert options.offspring == 1
    assert options.elites == "before-crossover"
    assert options.champion == "within-limit"
    assert options.triangulation == "mcs"


def test_a_preset_can_be_changed_option_by_option() -> None:
    changed = GeneticOptions.from_preset("program", population=7, offspring=2)
    assert (changed.population, changed.offspring) == (7, 2)
    assert changed.elites == PRESETS["program"].elites
    assert GeneticOptions.from_preset() == PRESETS["default"] == GeneticOptions()


@pytest.mark.parametrize("option", [option for option in GENETIC_CHOICES if option != "offspring"])
def test_an_unknown_value_is_refused_with_the_valid_ones(option: str) -> None:
    with pytest.raises(OptionError) as caught:
        GeneticOptions.from_preset(**{option: "nonsense"})
    for valid in (option, "nonsense", *GENETIC_CHOICES[option]):
        assert str(valid) in str(caught.value)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *[("population", value) for value in (3, 0, -1, 4.0, True, "20", None)],
        *[("generations", value) for value in (-1, 1.5, True, "5", None)],
        *[("offspring", value) for value in (0, 3, True, 1.0, "2", None)],
    ],
)
def test_numbers_out_of_range_are_refused(option: str, value: object) -> None:
    with pytest.raises(OptionError, match=option):
        GeneticOptions.from_preset(**{option: value})


def test_unknown_presets_and_options_are_refused_with_the_valid_ones() -> None:
    with pytest.raises(OptionError, match=r"preset.*default.*paper.*program.*'java'"):
        GeneticOptions.from_preset("java")
    with pytest.raises(OptionError, match=r"'popsize'.*population.*generations.*order"):
        GeneticOptions.from_preset(popsize=10)


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


# The first chromosomes


def three_frequencies() -> list[DAG]:
    """A -> B in one, B -> C in two, C -> D in three of three inputs; their own fusion."""
    names = ["A", "B", "C", "D"]
    arcs = [("C", "D"), ("B", "C"), ("A", "B")]
    return [DAG(names, arcs[: i + 1]) for i in range(3)]


def first(dags: list[DAG], kind: str, way: str, weights: list[float] | None = None) -> list[float]:
    space = Candidates(problem_of(dags, 3, weights=weights), kind, "inputs", "min-fill")
    return [float(p) for p in first_probabilities(space, way)]


def printed(f: float) -> float:
    return 0.0 if f == 0 else 1 / (1 - math.log(f))


def test_printed_first_probabilities() -> None:
    """Frequencies 1, 2, 3 are normalised to 0, 1/2, 1."""
    expected = [printed(0), printed(0.5), printed(1)]
    assert first(three_frequencies(), "shared", "printed") == pytest.approx(expected)
    assert first(three_frequencies(), "fused", "printed") == pytest.approx(expected)
    low, middle, high = expected
    per_network = [high, middle, high, low, middle, high]  # the arcs of the first, second and third input
    assert first(three_frequencies(), "per-network", "printed") == pytest.approx(per_network)


def test_program_first_probabilities() -> None:
    """After fusion the minimum counts as 1 / (range + 1) instead of 0, here 1/3."""
    assert first(three_frequencies(), "shared", "program") == pytest.approx([1 / (1 + math.log(3))] * 3)
    assert first(three_frequencies(), "per-network", "program") == [0.5] * 6
    expected = [printed(1 / 3), printed(0.5), printed(1)]
    assert first(three_frequencies(), "fused", "program") == pytest.approx(expected)


@pytest.mark.parametrize("kind", KINDS)
def test_first_probabilities_are_coin_flips_when_all_frequencies_are_equal(kind: str) -> None:
    dags = [random_dag(1, 6, 1.5)] * 3
    assert set(first(dags, kind, "printed")) == {0.5}


@pytest.mark.parametrize("way", ["printed", "program"])
@pytest.mark.parametrize("kind", KINDS)
def test_first_probabilities_of_copies_are_those_of_weights(kind: str, way: str) -> None:
    """The inputs are their own minimal I-maps under any order that fits, so copies change frequencies only."""
    dags = three_frequencies()
    copies = [dags[0]] * 3 + dags[1:]
    weighted = first(dags, kind, way, [3, 1, 1])
    if kind == "per-network":  # one gene for each copy
        assert sorted(set(weighted)) == pytest.approx(sorted(set(first(copies, kind, way))))
    else:
        assert weighted == pytest.approx(first(copies, kind, way))


def test_program_first_probabilities_are_never_0_whatever_the_weights() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        probabilities = first(three_frequencies(), "fused", "program", [1, 0, 2])
    assert all(0 < p <= 1 for p in probabilities)


@given(weighted_dag_lists(), st.sampled_from(KINDS), st.sampled_from(["printed", "program"]))
def test_first_probabilities_are_probabilities_and_grow_with_frequency(
    inputs: tuple[list[DAG], list[int]], kind: str, way: str
) -> None:
    dags, weights = inputs
    space = Candidates(problem_of(dags, 3, weights=[w + 1 for w in weights]), kind, "inputs", "min-fill")
    probabilities = first_probabilities(space, way)
    assert np.all((probabilities >= 0) & (probabilities <= 1))
    by_frequency = np.argsort(space.frequency, kind="stable")
    assert np.all(np.diff(probabilities[by_frequency]) >= 0)


# Random draws: seeded, so that these means are facts, not chances


def test_draws_below_a_bound_are_uniform() -> None:
    for bound in (1, 2, 7, 100):
        draws = Draws(5).below(bound, (100, 200))
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
        return Draws(seed).below(1000, (1, 50)).ravel().tolist()

    assert stream(1) == stream(1) != stream(2)


# The search


def inputs_of(seed: int, size: int = 9, count: int = 5) -> list[DAG]:
    """Variants of one network: a few arcs of it are left out in each."""
    rng = random.Random(seed)
    base = random_dag(seed, size, 1.8)
    return [DAG(base.variables, [arc for arc in base.edges if rng.random() < 0.75]) for _ in range(count)]


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=40)
@given(
    weighted_dag_lists(max_size=7),
    genetic_options(),
    st.integers(2, 4),
    st.sampled_from(METRICS),
    st.sampled_from(["inputs", "fused"]),
    st.integers(0, 99),
)
def test_the_result_is_never_worse_than_greedy_and_the_history_only_improves(
    kind: str,
    inputs: tuple[list[DAG], list[int]],
    options: dict[str, object],
    limit: int,
    metric: str,
    target: str,
    seed: int,
) -> None:
    dags, weights = inputs
    shared = {"metric": metric, "candidates": kind, "weights": weights, "target": target}
    greedy_options = {option: options[option] for option in ("order", "offer", "triangulation")}
    greedy_options["returned"] = "best" if options["starts"] == "every-limit" else "last"
    start = consensus(dags, limit, method="greedy", **shared, **greedy_options)
    result = consensus(dags, limit, method="genetic", seed=seed, **shared, **options)
    steps = result.history
    assert result.distance <= start.distance
    assert steps[0].distance <= start.distance
    assert all(after.distance <= before.distance for before, after in pairwise(steps))
    assert all(after.evaluations >= before.evaluations for before, after in pairwise(steps))
    assert all(step.clique_size <= limit for step in steps)
    assert steps[-1].distance == result.distance
    assert [step.step for step in steps] == list(range(len(steps)))
    genes = len(twin_of(dags, kind).genes)
    assert len(steps) == (1 if genes == 1 else options["generations"] + 1)
    assert steps[-1].evaluations <= 2**genes
    assert result.stopped_by == "finished"


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[Population]:
    """Everything that is evaluated from now on."""
    populations: list[Population] = []
    evaluate = Candidates.evaluate

    def watched(self: Candidates, genes: Genes) -> Population:
        populations.append(evaluate(self, genes))
        return populations[-1]

    monkeypatch.setattr(Candidates, "evaluate", watched)
    return populations


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("preset", PRESETS)
def test_evaluations_count_distinct_candidates_and_none_is_evaluated_twice(
    seen: list[Population], kind: str, preset: str
) -> None:
    result = consensus(inputs_of(1, 5, 2), 3, candidates=kind, preset=preset, population=20, generations=10)
    evaluated = [row.tobytes() for population in seen for row in population.genes]
    assert len(evaluated) == len(set(evaluated)) == result.history[-1].evaluations


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("preset", PRESETS)
def test_of_all_candidates_seen_the_best_value_within_the_limit_and_then_the_largest_support_wins(
    seen: list[Population], kind: str, preset: str
) -> None:
    rivals = 0
    for seed in range(6):
        seen.clear()
        dags = [random_dag(10 * seed + i, 5, 1.2) for i in range(4)]
        result = consensus(dags, 3, candidates=kind, preset=preset, population=20, generations=8)
        numbers = np.concatenate([population.numbers for population in seen]).tolist()
        values = {(distance, -support) for distance, support, clique in numbers if clique <= 3}
        distance, support, _ = twin_of(dags, kind).value_of(oracles.graph_of(result.dag))
        assert (distance, -support) == min(values)
        rivals += sum(value[0] == distance for value in values) > 1
    assert rivals, "support never had to decide"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("preset", PRESETS)
def test_a_seed_means_one_history_on_any_number_of_threads(kind: str, preset: str) -> None:
    options = {"candidates": kind, "preset": preset, "population": 20, "generations": 8}
    dags = inputs_of(2)
    results = [consensus(dags, 3, seed=7, threads=threads, **options) for threads in (1, 2, 5)]
    assert results[0].history == results[1].history == results[2].history
    assert results[0].dag == results[1].dag == results[2].dag
    others = [consensus(dags, 3, seed=seed, **options).history for seed in (8, 9)]
    assert results[0].history not in others


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("metric", METRICS)
def test_the_search_improves_on_its_greedy_start(kind: str, metric: str) -> None:
    """Summed over ten problems: an operator that does nothing would leave the start as it was."""
    starts, ends = 0.0, 0.0
    for seed in range(10):
        dags = [random_dag(10 * seed + i, 9, 1.4) for i in range(4)]
        result = consensus(dags, 3, metric, candidates=kind, population=20, generations=15)
        starts += consensus(dags, 3, metric, method="greedy", candidates=kind).distance
        ends += result.distance
    assert ends < starts


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("kind", KINDS)
def test_between_equal_distances_the_larger_support_wins(kind: str, metric: str) -> None:
    """One of two inputs has the arc: with and without it the mean distance is 1/2."""
    dags = [DAG(["A", "B"]), DAG(["A", "B"], [("A", "B")])]
    result = consensus(dags, 2, metric, candidates=kind)
    assert result.distance == 0.5
    assert result.dag.edges == (("A", "B"),)


@pytest.mark.parametrize("names", [["A", "B"], ["B", "A"]])
@pytest.mark.parametrize("kind", ["shared", "per-network"])
def test_between_equal_moral_graphs_the_direction_with_more_weight_wins(kind: str, names: list[str]) -> None:
    dags = [DAG(names, [("B", "A")]), DAG(names, [("B", "A")]), DAG(names, [("A", "B")])]
    options = {"candidates": kind, "order": "candidate"}
    assert consensus(dags, 2, **options).dag.edges == (("B", "A"),)
    assert consensus(dags, 2, weights=[1, 1, 5], **options).dag.edges == (("A", "B"),)
