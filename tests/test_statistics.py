"""The study's statistics beside scipy, statsmodels and slow implementations from the textbooks."""

import math
from dataclasses import replace
from itertools import product
from statistics import fmean, stdev

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats
from statsmodels.stats.multitest import multipletests

from bnfuse.study.grid import ALGORITHMS, FUSED, INPUTS, PAPERS
from bnfuse.study.jobs import RunRow
from bnfuse.study.statistics import (
    blocks,
    compare,
    fits,
    friedman,
    holm,
    mean_ranks,
    row_mean_errors,
    standard_errors,
    without_failures,
)
from bnfuse.study.store import Result

RECORDED = np.array(
    [  # mean SMHD of the paper's six algorithms on twelve blocks of a study
        [13.4, 13.4, 13.4, 13.4, 13.4, 13.4],
        [8.0, 8.0, 9.4, 8.0, 8.0, 10.8],
        [5.6, 5.6, 5.6, 5.6, 5.6, 9.0],
        [5.2, 5.2, 5.6, 14.2, 14.2, 14.8],
        [12.8, 12.8, 8.6, 12.8, 12.8, 9.3],
        [6.1, 6.8, 6.1, 6.8, 6.8, 6.7],
        [6.0, 5.9, 5.0, 13.7, 13.7, 14.1],
        [6.3, 7.3, 6.0, 21.3, 21.3, 21.4],
        [65.6, 65.6, 66.1, 65.6, 65.6, 66.5],
        [53.2, 53.2, 53.9, 53.2, 53.2, 54.4],
        [46.2, 46.2, 47.0, 46.9, 46.9, 47.3],
        [15.3, 33.1, 45.4, 150.6, 150.6, 140.1],
    ]
)


def slow_ranks(row):
    """1 + how many are smaller + half of how many others are equal."""
    return [1 + sum(b < a for b in row) + (sum(b == a for b in row) - 1) / 2 for a in row]


def slow_friedman(values):
    """Conover's form: the variance of the rank sums over the variance of the ranks; ties need no correction in it."""
    ranks = [slow_ranks(row) for row in values]
    b, k = len(ranks), len(ranks[0])
    total = sum(rank**2 for row in ranks for rank in row)
    mean = b * k * (k + 1) ** 2 / 4
    sums = [sum(row[i] for row in ranks) for i in range(k)]
    return (k - 1) * sum((s - b * (k + 1) / 2) ** 2 for s in sums) / (total - mean)


def test_friedman_agrees_with_scipy_and_with_the_textbook_on_recorded_values():
    statistic, probability = friedman(RECORDED)
    theirs = stats.friedmanchisquare(*RECORDED.T)
    assert statistic == pytest.approx(theirs.statistic, rel=1e-12)
    assert probability == pytest.approx(theirs.pvalue, rel=1e-9)
    assert statistic == pytest.approx(slow_friedman(RECORDED.tolist()), rel=1e-12)


@given(arrays(np.float64, st.tuples(st.integers(2, 9), st.integers(3, 7)), elements=st.integers(0, 5)))
def test_friedman_agrees_with_scipy_whatever_the_ties(values):
    statistic, probability = friedman(values)
    if all(len(set(row)) == 1 for row in values.tolist()):
        assert (statistic, probability) == (0, 1)
        return
    theirs = stats.friedmanchisquare(*values.T)
    assert statistic == pytest.approx(theirs.statistic, abs=1e-9)
    assert probability == pytest.approx(theirs.pvalue, abs=1e-9)
    assert statistic == pytest.approx(slow_friedman(values.tolist()), abs=1e-9)
    assert mean_ranks(values) == pytest.approx(stats.rankdata(values, axis=1).mean(axis=0))


@pytest.mark.long
@given(st.lists(st.floats(0, 1), min_size=1, max_size=9))
@settings(max_examples=10)  # theirs takes a tenth of a second
def test_holm_agrees_with_statsmodels(probabilities):
    theirs = multipletests(probabilities, method="holm")[1]
    assert holm(probabilities) == pytest.approx(theirs.tolist(), abs=1e-12)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9))
def test_holm_agrees_with_its_definition(probabilities):
    """Step down, and stop at the first that is not rejected."""
    ours = holm(probabilities)
    for level in (0.01, 0.05, 0.3):
        rejected = set()
        for step, i in enumerate(sorted(range(len(probabilities)), key=lambda i: probabilities[i])):
            if probabilities[i] > level / (len(probabilities) - step):
                break
            rejected.add(i)
        close = {i for i, p in enumerate(ours) if math.isclose(p, level, rel_tol=1e-9)}  # rounding decides these
        assert {i for i, p in enumerate(ours) if p <= level} - close == rejected - close


def row(algorithm, distance=0.0, limit=None, metric="smhd", **more):
    facts = {"clique": 4, "smallest_clique": 4, "arcs": 9, "seconds": 1.0, "cpu_seconds": 1.0, **more}
    return RunRow(algorithm=algorithm, metric=metric, max_clique=limit, distance=distance, **facts)


def results(values, bases=("n10",), limits=(2, 3, 4), seeds=(0, 1)):
    """A study in which an algorithm has the distance that `values(name, base, limit, seed)` says."""
    found = []
    for base, seed in product(bases, seeds):
        found += [Result(base, 10, seed, row(name, values(name, base, None, seed))) for name in (FUSED, INPUTS)]
        for limit, name in product(limits, ALGORITHMS):
            found.append(Result(base, 10, seed, row(name, values(name, base, limit, seed), limit)))
    return found


def test_a_block_is_the_mean_over_seeds_of_one_base_and_limit():
    found = results(lambda name, base, limit, seed: 10.0 * (limit or 9) + seed)
    (first, *others) = blocks(found, "smhd", real=False)
    assert (first.base, first.inputs, first.max_clique) == ("n10", 10, 2)
    assert [block.distance(PAPERS[0]) for block in (first, *others)] == [20.5, 30.5, 40.5]
    assert first.distance(FUSED) == 90.5
    assert blocks(found, "smhd", real=True) == blocks(found, "fsim", real=False) == []


def test_a_block_has_only_the_seeds_that_every_algorithm_has_run_on():
    found = results(lambda name, base, limit, seed: float(seed))
    partly = [one for one in found if (one.row.algorithm, one.seed, one.row.max_clique) != ("direct", 1, 3)]
    by_limit = {block.max_clique: block for block in blocks(partly, "smhd", real=False)}
    assert {limit: len(block.rows[PAPERS[0]]) for limit, block in by_limit.items()} == {2: 2, 3: 1, 4: 2}
    none = [one for one in found if one.row.algorithm != "direct"]
    assert blocks(none, "smhd", real=False) == []


def test_differences_are_to_the_best_of_the_compared_and_ties_count_for_each():
    def values(name, base, limit, seed):
        return {"genetic shared": 5.0, "genetic fused": 5.0, "direct": 3.0, FUSED: 50.0}.get(name, 9.0)

    found = blocks(results(values), "smhd", real=False)
    six = compare(found, PAPERS, ["direct", FUSED])
    assert six.mean_difference["genetic shared"] == six.mean_difference["genetic fused"] == 0
    assert six.mean_difference["greedy shared"] == 4
    assert six.mean_difference["direct"] == -2
    assert six.mean_difference[FUSED] == 45
    assert six.best == {**dict.fromkeys(PAPERS, 0), "genetic shared": 3, "genetic fused": 3}
    everyone = compare(found, ALGORITHMS)
    assert everyone.best["direct"] == 3
    assert everyone.mean_difference["genetic shared"] == 2
    assert everyone.ranks["direct"] == 1
    assert everyone.holm["direct"] == 1


def test_ranks_tests_and_adjustment_fit_together_on_recorded_values():
    def values(name, base, limit, seed):
        return RECORDED[limit - 2, PAPERS.index(name)] if name in PAPERS and limit else 0.0

    found = blocks(results(values, limits=range(2, 14), seeds=(0,)), "smhd", real=False)
    result = compare(found, PAPERS)
    ranks = stats.rankdata(RECORDED, axis=1).mean(axis=0)
    assert list(result.ranks.values()) == pytest.approx(ranks.tolist())
    assert result.friedman == pytest.approx(stats.friedmanchisquare(*RECORDED.T).pvalue)
    control = int(ranks.argmin())
    z = (np.delete(ranks, control) - ranks[control]) / math.sqrt(6 * 7 / (6 * 12))
    expected = multipletests(2 * stats.norm.sf(z), method="holm")[1]
    names = [name for i, name in enumerate(PAPERS) if i != control]
    assert [result.holm[name] for name in names] == pytest.approx(expected.tolist())
    assert result.holm[PAPERS[control]] == 1
    best = {name: int((RECORDED[:, i] == RECORDED.min(axis=1)).sum()) for i, name in enumerate(PAPERS)}
    assert result.best == best


def test_one_seed_that_fails_makes_its_block_a_failure():
    fitted = {"fit_seconds": 1.0, "query_seconds": 1.0, "marginal_error": 0.5}
    found = []
    for one in results(lambda name, base, limit, seed: 1.0, bases=("child",)):
        fails = one.row.algorithm == "direct" and one.seed == 1 and one.row.max_clique == 3
        facts = {"too_large": "cliques"} if fails else {**fitted, "marginal_error": 0.25 * (1 + one.seed)}
        facts |= {"table_numbers": 1.1e9 if fails else 1e9, "row_mean_error": 0.5 + one.seed}
        found.append(replace(one, row=replace(one.row, **facts)))
    those = blocks(found, "smhd", real=True)
    assert [block.fails("direct") for block in those] == [False, True, False]
    assert [block.fails("direct", "tables") for block in those] == [False, False, False]
    assert [block.max_clique for block in without_failures(those, ALGORITHMS)] == [2, 4]
    assert fits(those, "direct").marginal_error == 0.375
    assert fits([those[1]], "direct") is None
    assert [block.failures_as_printed("direct") for block in those] == [0, 0.5, 0]
    assert [block.failures_as_printed("majority") for block in those] == [0, 0, 0]
    assert [block.row_mean_error("direct") for block in those] == [1, 0.5, 1], "of the seed that is no failure"
    assert those[1].without(0).row_mean_error("direct") is None
    assert row_mean_errors([*those, those[1].without(0)], ["direct"]) == {"direct": pytest.approx(2.5 / 3)}
    assert row_mean_errors([those[1].without(0)], ["direct"]) == {}
    assert all(block.is_fitted for block in those)


def test_networks_without_arcs_are_counted_over_seeds():
    found = [
        replace(one, row=replace(one.row, arcs=0)) if (one.row.algorithm, one.seed) == ("direct", 1) else one
        for one in results(lambda name, base, limit, seed: 1.0)
    ]
    those = blocks(found, "smhd", real=False)
    assert [block.without_arcs("direct") for block in those] == [1, 1, 1]
    assert [block.without_arcs("majority") for block in those] == [0, 0, 0]


@given(st.lists(st.floats(0, 100), min_size=2, max_size=6))
def test_the_standard_error_of_a_mean_over_seeds_is_the_textbooks(values):
    """For a mean, the jackknife is the sample's standard deviation over the root of its size."""
    found = blocks(
        results(lambda name, base, limit, seed: values[seed], limits=(2, 3), seeds=range(len(values))), "smhd", False
    )
    errors = standard_errors(found, lambda some: {"mean": fmean(block.distance("direct") for block in some)})
    assert errors["mean"] == pytest.approx(stdev(values) / math.sqrt(len(values)), abs=1e-6)


def test_standard_errors_leave_out_one_seed_at_a_time():
    found = blocks(results(lambda name, base, limit, seed: 10.0 * seed), "smhd", real=False)
    partly = [replace(found[0]), found[1].without(1)]
    seen = []

    def statistic(some):
        seen.append([list(block.seeds) for block in some])
        return {"blocks": float(len(some))} | ({"known": 1.0} if len(some) > 1 else {})

    assert standard_errors(partly, statistic) == {"blocks": 0.5}, "what is not known without a seed has no error"
    assert seen == [[[1]], [[0], [0]], [[0, 1], [0]]]
    assert [row.distance for row in found[0].without(0).rows["direct"]] == [10]
    assert standard_errors([found[0].without(1)], statistic) == {}, "one seed says nothing"
