"""The genetic search: its options and presets, its first chromosomes and starts, and what its history promises."""

from __future__ import annotations

import math
import random
import warnings
from dataclasses import fields, replace
from itertools import pairwise
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from bnfuse import DAG, OptionError
from bnfuse.search.paper import genetic
from bnfuse.search.paper.candidates import Candidates, Genes, Population
from bnfuse.search.paper.genetic import PRESETS, GeneticOptions, Search
from bnfuse.search.paper.rates import first_probabilities
from bnfuse.search.run import Run
from candidate_twin import KINDS, METRICS, twin_of
from genetic_twin import TwinEvolution
from strategies import GENETIC_CHOICES, genetic_options, problem_of, random_dag, weighted_dag_lists
from strategies import genetic_consensus as consensus

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
    assert (options.starts, options.noted, options.restraint) == ("last-two", "generations", "none")


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
    assert (options.starts, options.noted, options.restraint) == ("last-two", "offspring", "none")


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


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=60)
@given(
    weighted_dag_lists(max_size=9),
    genetic_options(population=15, generations=8),
    st.integers(2, 5),
    st.sampled_from(METRICS),
    st.integers(0, 2**64 - 1),
    st.data(),
)
def test_the_kernel_and_its_twin_are_one_search(
    kind: str,
    inputs: tuple[list[DAG], list[int]],
    options: dict[str, object],
    limit: int,
    metric: str,
    seed: int,
    data: st.DataObject,
) -> None:
    """Generation by generation, to the last digit."""
    dags, weights = inputs
    constraints: dict[str, object] = {}
    if kind == "fused":
        arcs = st.lists(st.sampled_from(sorted({arc for dag in dags for arc in dag.edges}) or [None]), max_size=3)
        constraints["forbidden"] = [arc for arc in data.draw(arcs) if arc]
        constraints["max_parents"] = data.draw(st.none() | st.integers(1, limit - 1))
    problem = problem_of(dags, limit, metric=metric, weights=weights, **constraints)
    given = GeneticOptions.from_preset(candidates=kind, **options)
    searches = []
    for evolution in (genetic._evolution, TwinEvolution):
        space = Candidates(problem, kind, given.order, given.triangulation, Run(seed=seed, threads=1))
        with mock.patch.object(genetic, "_evolution", evolution):
            searches.append(Search(space, given))
        assert searches[-1].run() == "finished"
        searches[-1].look()
    native, twin = searches
    assert [replace(step, mean=0) for step in native.history] == [replace(step, mean=0) for step in twin.history]
    assert [step.mean for step in native.history] == pytest.approx([step.mean for step in twin.history], rel=1e-12)
    assert native.best.genes.tolist() == twin.best.genes.tolist()
    assert native.best.numbers.tolist() == twin.best.numbers.tolist()


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[Population]:
    """Everything that the twin of the search evaluates from now on."""
    monkeypatch.setattr(genetic, "_evolution", TwinEvolution)
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
@pytest.mark.parametrize("preset", ["default", "program"])
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


# What it starts from


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=25)
@given(weighted_dag_lists(max_size=7), st.integers(2, 6), st.integers(4, 8), st.integers(0, 2))
def test_no_result_is_further_than_the_greedy_one_of_any_smaller_limit(
    kind: str, inputs: tuple[list[DAG], list[int]], limit: int, population: int, generations: int
) -> None:
    dags, weights = inputs
    options = {"candidates": kind, "weights": weights}
    result = consensus(dags, limit, population=population, generations=generations, **options)
    greedy = [consensus(dags, smaller, method="greedy", **options).distance for smaller in range(2, limit + 1)]
    assert result.distance <= min(greedy)


def search_of(dags: list[DAG], limit: int, kind: str = "shared", **options: object) -> Search:
    given = GeneticOptions.from_preset(candidates=kind, **options)
    return Search(Candidates(problem_of(dags, limit), kind, given.order, given.triangulation), given)


@pytest.mark.parametrize("kind", KINDS)
def test_starts_are_distinct_and_within_the_limit(kind: str) -> None:
    for seed in range(5):
        search = search_of(inputs_of(seed, 16, 5), 8, kind)
        assert search.start_greedily() == "finished"
        starts = search.starts
        assert 1 < len(starts) <= 7
        assert len(np.unique(starts.genes, axis=0)) == len(starts)
        assert starts.clique.max() <= 8
        assert search.best.distance[0] == starts.distance.min()


def test_limits_where_all_arcs_are_kept_are_the_last_to_start_from(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []
    start = Candidates.start_greedy
    monkeypatch.setattr(Candidates, "start_greedy", lambda self, limit: (tried.append(limit), start(self, limit))[1])
    dags = [DAG(list("ABCDEF"), [("A", "B"), ("C", "B"), ("D", "E")])] * 2  # a clique of 3
    search_of(dags, 6).start_greedily()
    assert tried == [2, 3]


@pytest.mark.parametrize("limit", [2, 3, 9, 10, 12, 17, 18, 40, 100, 2048])
def test_greedy_starts_stay_few_however_large_the_limit(limit: int) -> None:
    dags = [random_dag(seed, 120, 1.0) for seed in range(2)]
    most = min(limit, 120)
    limits = search_of(dags, limit).greedy_limits()
    assert limits == sorted(set(limits))
    assert limits[0] == 2
    assert limits[-1] == most
    assert limits[:8] == list(range(2, most + 1))[:8]
    assert len(limits) == min(most - 1, 16)
    last_two = search_of(dags, limit, starts="last-two").greedy_limits()
    assert last_two == ([2] if limit == 2 else [limit, limit - 1])


def test_more_starts_than_chromosomes_leave_the_worst_out() -> None:
    dags = [random_dag(40, 20, 3.0)] * 3
    search = search_of(dags, 9)
    search.start_greedily()
    assert len(search.starts) > 4
    result = consensus(dags, 9, population=4, generations=0)
    assert result.problem.mean(int(search.starts.distance.min())) == result.distance == result.history[0].distance
    four = sorted(search.starts.distance.tolist())[:4]
    assert result.history[0].mean == pytest.approx(result.problem.mean(sum(four) / 4))


def test_required_arcs_that_do_not_fit_a_smaller_limit_leave_it_out() -> None:
    """Two required parents need cliques of 3, three of them 4."""
    names = list("ABCDE")
    dags = [DAG(names, [("A", "D"), ("B", "D"), ("C", "D"), ("D", "E")])] * 2
    result = consensus(dags, 4, candidates="fused", required=dags[0].edges[:3], population=4, generations=2)
    assert set(dags[0].edges[:3]) <= set(result.dag.edges)
    assert result.distance == 0


# What is noted


@pytest.mark.parametrize("kind", KINDS)
def test_noting_offspring_before_mutation_costs_nothing_and_can_only_help(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mutation that takes all arcs out leaves nothing to be noted after it."""
    monkeypatch.setattr(genetic, "_evolution", TwinEvolution)
    monkeypatch.setattr("genetic_twin.mutated", lambda genes, *_: np.zeros_like(genes))
    helped = 0
    for seed in range(12):
        options = {"candidates": kind, "population": 60, "generations": 1, "starts": "last-two", "seed": seed}
        dags = [random_dag(10 * seed + i, 9, 1.6) for i in range(4)]
        more, fewer = (consensus(dags, 4, noted=noted, **options) for noted in ("offspring", "generations"))
        assert more.history[-1].evaluations == fewer.history[-1].evaluations
        assert more.distance <= fewer.distance
        helped += more.distance < fewer.distance
    assert helped


@pytest.mark.parametrize("kind", KINDS)
def test_rates_and_restraint_change_a_run(kind: str) -> None:
    options = {"candidates": kind, "population": 12, "generations": 8}
    histories = [
        consensus(inputs_of(4), 3, rates=rates, restraint=restraint, **options).history
        for rates in ("printed", "program")
        for restraint in ("by-share", "none")
    ]
    assert all(history not in histories[:i] for i, history in enumerate(histories))


def test_restraint_brings_a_population_within_the_limit(seen: list[Population]) -> None:
    """Every arc of 20 inputs has a gene: with additions as the rates say, nearly all offspring stay over the limit."""
    dags = inputs_of(3, 14, 20)
    within = {}
    for restraint in ("by-share", "none"):
        seen.clear()
        consensus(dags, 3, candidates="per-network", population=30, generations=60, restraint=restraint)
        last = np.concatenate([population.clique for population in seen[-20:]])
        within[restraint] = float((last <= 3).mean())
    assert within["none"] < 0.2
    assert within["by-share"] > 0.5


def test_a_result_without_arcs_says_so() -> None:
    """Three inputs with one arc each, of which any is further from the other two than it is closer to the third."""
    names = list("ABCDEF")
    dags = [DAG(names, [arc]) for arc in (("A", "B"), ("C", "D"), ("E", "F"))]
    for method in ("genetic", "greedy"):
        for kind in KINDS:
            result = consensus(dags, 3, method=method, candidates=kind)
            assert not result.dag.edges
            assert "It has no arcs: none of the networks examined that have arcs is closer." in result.notes


def test_a_result_that_is_no_closer_than_its_start_says_so() -> None:
    told = "The genetic search found no network closer than the one it started from."
    short = {"population": 12, "generations": 6}
    silent = 0
    for seed in range(8):
        dags = [random_dag(10 * seed + i, 9, 1.4) for i in range(4)]
        result = consensus(dags, 3, **short)
        same = result.distance == min(consensus(dags, t, method="greedy").distance for t in (2, 3))
        assert (told in result.notes) == same
        silent += not same
    assert 0 < silent < 8
