"""Linear networks with normal noise, learned from numbers that stay numbers."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from scipy import stats

import gaussian_twin as twin
from bnfuse import PDAG, BnfuseError, ConstraintError, MismatchError, OptionError, bootstrap, clique_size, learn
from bnfuse._base.options import option_name
from bnfuse.data.numeric import NumericData, read_numeric
from bnfuse.graphs.dag import DAG
from bnfuse.learning.data_learner import GAUSSIAN_SCORES, Learned, LearnOptions
from bnfuse.learning.gaussian.learner import GaussianLearner
from bnfuse.learning.gaussian.linearity import curves
from bnfuse.learning.gaussian.missing_numbers import CompletedNumbers, IncompleteNumbers, Normal
from bnfuse.problem.constraints import Constraints
from bnfuse.search.run import Run

SLOW = {"bic-g": twin.bic_g, "bge": twin.bge}
ROUNDING = 1e-9


def named(values: Any, weights: Any = None, groups: Any = None) -> NumericData:
    return NumericData(tuple(f"X{i + 1}" for i in range(values.shape[1])), np.asarray(values, float), weights, groups)


def learner(data: NumericData, score: str = "bic-g", **asked: Any) -> GaussianLearner:
    constraints = {name: asked.pop(name) for name in ("required", "forbidden", "max_parents") if name in asked}
    return GaussianLearner(data, LearnOptions(score=score, gaussian=True, **asked), Constraints(**constraints))


def learned(data: NumericData, score: str = "bic-g", seed: int = 0, threads: int = 1, **asked: Any) -> Learned:
    return learner(data, score, **asked).learned(Run(seed, threads, None))


# Scores


@pytest.mark.parametrize("score", GAUSSIAN_SCORES)
def test_scores_are_those_of_the_papers(score: str) -> None:
    random = np.random.default_rng(7)
    for seed in range(200):
        n = int(random.integers(2, 9))
        rows = twin.system(n, int(random.integers(n + 5, 300)), seed)[0]
        rows = rows * 10.0 ** random.integers(-4, 5, n) + random.normal(size=n) * 10
        weights = None if seed % 2 else random.integers(1, 40, len(rows)) / 8
        names = [f"X{place + 1}" for place in random.permutation(n)]
        child, parents = names[0], names[1 : 1 + int(random.integers(0, n))]
        places = [int(name[1:]) - 1 for name in (child, *parents)]
        asked = {} if score == "bic-g" or seed % 3 else {"alpha_mu": 2.5, "alpha_w": n + 1.75}
        expected = SLOW[score](rows, np.ones(len(rows)) if weights is None else weights, places[0], places[1:], **asked)
        found = learner(named(rows, weights), score, **asked).family_score(child, parents)
        assert found == pytest.approx(expected, rel=ROUNDING, abs=ROUNDING)


@pytest.mark.parametrize("score", GAUSSIAN_SCORES)
def test_equivalent_networks_score_the_same_to_the_last_bit(score: str) -> None:
    for seed in range(20):
        n = 6
        own = learner(named(twin.system(n, 80, seed)[0]), score)
        random = np.random.default_rng(seed)
        parents = [sorted(random.permutation(v)[: random.integers(0, v + 1)].tolist()) for v in range(n)]
        before = own._kernel.network_score(parents)
        for _ in range(30):  # a covered arc turned round gives an equivalent network (Chickering 1995)
            covered = [(u, v) for v in range(n) for u in parents[v] if {*parents[v]} - {u} == {*parents[u]}]
            if not covered:
                break
            u, v = covered[int(random.integers(len(covered)))]
            parents[v] = sorted({*parents[v]} - {u})
            parents[u] = sorted({*parents[u]} | {v})
            assert own._kernel.network_score(parents) == before


def test_bge_does_not_depend_on_units() -> None:
    rows = twin.system(6, 60, 1)[0]
    scale = np.array([1, 1e-6, 1e5, 3, 0.1, 40])
    for score in GAUSSIAN_SCORES:
        one, other = learned(named(rows), score), learned(named(rows * scale + 5), score)
        assert PDAG.of_class(one.dag) == PDAG.of_class(other.dag)
        assert one.score - other.score == pytest.approx(60 * np.log(scale).sum(), rel=1e-9)


# Searches


@pytest.mark.parametrize("score", GAUSSIAN_SCORES)
@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_the_best_of_all_networks_is_found_and_proven(n: int, score: str) -> None:
    for seed in range(5):
        rows = twin.system(n, 40, seed)[0]
        family = {
            (v, own): SLOW[score](rows, np.ones(40), v, own)
            for v in range(n)
            for size in range(n)
            for own in itertools.combinations([u for u in range(n) if u != v], size)
        }
        best = twin.best_score(family, n)
        found = learn(rows, score, gaussian=True, prove=True, seed=seed)
        assert found.score == pytest.approx(best, rel=ROUNDING)
        assert found.is_best


@pytest.mark.parametrize("score", GAUSSIAN_SCORES)
@pytest.mark.parametrize("limit", [2, 3])
def test_the_best_within_a_clique_limit_is_found(limit: int, score: str) -> None:
    for seed in range(3):
        rows = twin.system(4, 60, seed)[0]
        own = learner(named(rows), score)
        names = own.variables
        best = -np.inf
        for parents in twin.dags(4):
            dag = DAG(names, [(names[u], names[v]) for v in range(4) for u in parents[v]])
            if clique_size(dag, method="exact") <= limit:
                best = max(best, own._kernel.network_score([list(one) for one in parents]))
        found = learned(named(rows), score, max_clique=limit)
        assert found.score == pytest.approx(best, rel=1e-12)
        assert clique_size(found.dag) <= limit
        assert found.elimination_order is not None


def test_hill_climbing_and_constraints() -> None:
    rows = twin.system(8, 200, 3)[0]
    climbed = learn(rows, gaussian=True, method="climb", restarts=3)
    assert climbed.score <= learn(rows, gaussian=True).score
    asked: dict[str, Any] = {"required": [("X1", "X2")], "forbidden": [("X3", "X4")], "max_parents": 2}
    found = learn(rows, gaussian=True, **asked)
    assert ("X1", "X2") in found.dag.edges
    assert ("X3", "X4") not in found.dag.edges
    assert max(len(found.dag.parents(name)) for name in found.dag.variables) <= 2
    with pytest.raises(ConstraintError):
        learn(rows, gaussian=True, required=[("X1", "X2"), ("X2", "X1")])


@pytest.mark.parametrize("score", GAUSSIAN_SCORES)
def test_threads_do_not_show(score: str) -> None:
    rows = twin.system(15, 100, 5)[0]
    one = learn(rows, score, gaussian=True, threads=1)
    assert learn(rows, score, gaussian=True, threads=3).dag == one.dag
    tallies = [bootstrap(rows, 20, score=score, gaussian=True, threads=threads).run() for threads in (1, 3)]
    assert tallies[0] == tallies[1]
    late = bootstrap(rows, 10, score=score, gaussian=True, first=10)
    whole = [network.dag for network in bootstrap(rows, 20, score=score, gaussian=True)]
    assert [network.dag for network in late] == whole[10:]


def test_workers_and_a_store_give_the_same(tmp_path: Any) -> None:
    table = dict(zip("abcd", twin.system(4, 80, 2)[0].T, strict=True))
    wanted = bootstrap(table, 8, gaussian=True).run()
    assert bootstrap(table, 8, gaussian=True, workers=2).run() == wanted
    bootstrap(table, 5, gaussian=True, store=tmp_path / "a.store").run()
    continued = bootstrap(table, 8, gaussian=True, store=tmp_path / "a.store")
    assert continued.stored == 5
    assert continued.run() == wanted
    with pytest.raises(BnfuseError, match=r"a\.store"):
        bootstrap({**table, "a": table["a"] + 1e-9}, 8, gaussian=True, store=tmp_path / "a.store")


def test_a_weight_is_that_many_rows() -> None:
    rows = twin.system(5, 60, 4)[0]
    weights = np.random.default_rng(0).integers(1, 4, 60)
    heavy, many = named(rows, weights.astype(float)), named(np.repeat(rows, weights, axis=0))
    for score in GAUSSIAN_SCORES:
        one, other = learned(heavy, score), learned(many, score)
        assert one.score == pytest.approx(other.score, rel=1e-12)
        assert PDAG.of_class(one.dag) == PDAG.of_class(other.dag)


def test_a_resample_is_learned_from_the_rows_that_are_drawn() -> None:
    from bnfuse import _kernel

    rows = twin.system(5, 50, 8)[0]
    for number, one in enumerate(learner(named(rows)).resampled(Run(3, 1, None), 0, 4)):
        drawn = named(rows[_kernel.drawn(3, number, 50, 50)])
        assert one.score == pytest.approx(learned(drawn).score, rel=1e-9)
    groups = np.arange(50) // 5
    tally = bootstrap(named(rows, groups=groups), 5, gaussian=True).run()
    assert tally.weight == 5 * tally.parts


# What data can be like


def test_copies_constants_and_sums_do_no_harm() -> None:
    random = np.random.default_rng(0)
    x, y = random.normal(size=(2, 100))
    table = {"x": x, "y": x + y, "copy": 3 * x - 2, "sum": x * 2 + y, "z": random.normal(size=100)}
    for score in GAUSSIAN_SCORES:
        found = learn(table, score, gaussian=True)
        assert np.isfinite(found.score)
        assert not [edge for edge in found.dag.edges if "z" in edge]
        assert any(note.startswith("exact linear functions of other columns: 'copy', 'sum';") for note in found.notes)
        runs = bootstrap(table, 5, score=score, gaussian=True)
        runs.run()
    assert learn(table, "bge", gaussian=True, prove=True).is_best
    with pytest.raises(OptionError, match="columns that are linear functions of others, as 'copy' is"):
        learn(table, "bic-g", gaussian=True, prove=True)
    learned(named(np.column_stack([x, np.zeros(100), y])))  # the kernel takes even that
    rare = np.where(np.arange(100) == 5, 1.0, 0.0)  # constant in many a resample
    assert bootstrap({"x": x, "y": y, "rare": rare}, 20, gaussian=True).run().weight


BAD: list[tuple[Any, str]] = [
    ({"a": [1.5] * 9, "b": [2.5] * 9}, "no column is left to learn from, and two are needed"),
    ({"a": [1.0, 2, 3, np.inf], "b": [1.0, 3, 2, 5]}, "column 'a'.*'inf' in row 4"),
    (
        {"a": [1.5, 2.5, "x", 3.5, 4.5], "b": [1, 2, 4, 3, 5]},
        "column 'a' mixes numbers .* 'x' in row 3",
    ),
    ({"a": [1e200, 2e200, 5e200, 3e200], "b": [1.0, 3, 2, 5]}, "the numbers of 'a' are too large .*scale them down"),
    ({"a": [1e200, np.nan, 5e200, 3e200], "b": [1.0, 3, 2, 5]}, "the numbers of 'a' are too large .*scale them down"),
    ({"a": [1e-200, np.nan, 5e-200, 0], "b": [1.0, 3, 2, 5]}, "the numbers of 'a' differ too little .*scale them up"),
    ({"a": [1e-200, 2e-200, 5e-200, 0], "b": [1.0, 3, 2, 5]}, "the numbers of 'a' differ too little .*scale them up"),
    ({"a": [1.5, 2.5, 3.5, 1.0], "s": ["u", "v", "u", "v"]}, "has a column of categories, 's' .*leave_out.*bins"),
]


@pytest.mark.parametrize(("table", "problem"), BAD)
def test_bad_data_get_one_clear_line(table: Any, problem: str) -> None:
    for task in (lambda: learn(table, gaussian=True), lambda: bootstrap(table, 2, gaussian=True)):
        with pytest.raises(MismatchError, match=problem) as caught:
            task()
        assert "\n" not in str(caught.value)


def test_few_rows_are_enough_for_bge_alone() -> None:
    rows = twin.system(12, 8, 0)[0]
    found = learn(rows, gaussian=True)
    assert found.stopped_by == "finished"
    assert "8 rows of 12 columns: few relations can be distinguished from chance" in found.notes
    with pytest.raises(MismatchError, match="8 rows of 12 columns: score bic-g needs more rows"):
        learn(rows, "bic-g", gaussian=True)
    assert bootstrap(rows, 5, score="bge", gaussian=True).run().weight


OPTIONS: list[tuple[dict[str, Any], str]] = [
    ({"score": "bic"}, "score bic is for networks of states: choose one of bge, bic-g with gaussian"),
    ({"max_table": 8}, "max_table limits tables, and a network of numbers has none: use max_clique"),
    ({"bins": 4}, "bins is for classes of numbers"),
    ({"keep": ["X1"]}, "keep is for classes of numbers"),
    ({"score": "bic-g", "alpha_w": 20}, "alpha_w is for score bge, not for bic-g"),
    ({"sample_size": 3.0}, "sample_size is for score bdeu, not for bge"),
    ({"score": "bge", "alpha_w": 5}, "alpha_w must be more than the number of variables and one, 5; got 5"),
    ({"score": "bge", "alpha_mu": 0}, "alpha_mu must be"),
    ({"gaussian": False, "score": "bge"}, "score bge is for networks of numbers: it needs gaussian"),
    ({"gaussian": False, "alpha_mu": 2.0}, "alpha_mu is for score bge, not for bic"),
]


@pytest.mark.parametrize(("asked", "problem"), OPTIONS)
def test_options_that_make_no_sense(asked: dict[str, Any], problem: str) -> None:
    with pytest.raises(OptionError, match=problem):
        learn(twin.system(4, 40, 0)[0], **{"gaussian": True, **asked})
    assert option_name("gaussian") == "gaussian"


# Missing values


def missing(rows: Any, share: float, seed: int = 0) -> NumericData:
    rows = rows.copy()
    rows[np.random.default_rng(seed).random(rows.shape) < share] = np.nan
    return named(rows)


def test_the_likelihood_of_incomplete_rows_is_that_of_their_observed_cells() -> None:
    data = missing(twin.system(5, 60, 1)[0] * [1, 2, 3, 4, 5] + 7, 0.3)
    random = np.random.default_rng(1)
    root = random.normal(size=(5, 5))
    normal = Normal(random.normal(size=5), root @ root.T + np.eye(5))
    rows = IncompleteNumbers(data)
    mean = normal.mean * rows._scale + rows._center
    covariance = normal.covariance * np.outer(rows._scale, rows._scale)
    total, first, second = 0.0, np.zeros(5), np.zeros((5, 5))
    for row in data.values:  # one by one, by the formulas of the conditional normal distribution
        there, absent = np.nonzero(~np.isnan(row))[0], np.nonzero(np.isnan(row))[0]
        completed, uncertain = row.copy(), np.zeros((5, 5))
        if len(there):
            among = covariance[np.ix_(there, there)]
            total += stats.multivariate_normal(mean[there], among).logpdf(row[there])
            slopes = np.linalg.solve(among, covariance[np.ix_(there, absent)]).T
        else:
            slopes = np.zeros((5, 0))
        completed[absent] = mean[absent] + slopes @ (row[there] - mean[there])
        left = covariance[np.ix_(absent, absent)] - slopes @ covariance[np.ix_(there, absent)]
        uncertain[np.ix_(absent, absent)] = left
        first += completed
        second += np.outer(completed, completed) + uncertain
    expected, likelihood = rows.step(normal)
    assert likelihood == pytest.approx(total, rel=1e-10)
    first /= len(data)
    assert expected.mean * rows._scale + rows._center == pytest.approx(first, rel=1e-9)
    found = expected.covariance * np.outer(rows._scale, rows._scale)
    assert found == pytest.approx(second / len(data) - np.outer(first, first), rel=1e-8, abs=1e-9)


def test_the_fit_of_a_network_is_the_likeliest() -> None:
    data = missing(twin.system(4, 300, 2)[0], 0.2)
    dag = learn(data, gaussian=True).dag
    rows = IncompleteNumbers(data)
    fitted = CompletedNumbers(dag, rows, Run(0, 1, None).clock)
    random = np.random.default_rng(0)
    for _ in range(20):  # no nearby distribution of the network explains the observed values better
        root = np.eye(4) + 0.02 * random.normal(size=(4, 4)) * np.eye(4)
        other = Normal(fitted._normal.mean + 0.02 * random.normal(size=4), root @ fitted._normal.covariance @ root.T)
        assert rows.step(other)[1] <= fitted.log_likelihood + 1e-3


def test_moments_of_complete_rows_are_kept_by_the_few_that_stand_for_them() -> None:
    values = twin.system(5, 200, 3)[0] * [1, 5, 2, 1, 9] + 3
    rows = IncompleteNumbers(named(values)).moments(Run(0, 1, None).clock)
    assert len(rows) == 10
    assert rows.weight == pytest.approx(200)
    assert rows.values.mean(axis=0) == pytest.approx(values.mean(axis=0))
    assert np.cov(rows.values.T, bias=True) == pytest.approx(np.cov(values.T, bias=True), rel=1e-5, abs=1e-6)


def test_missing_values_cost_little() -> None:
    lost = {"complete": 0, "missing": 0, "dropped": 0}
    for seed in range(4):
        rows, arcs = twin.system(8, 600, seed, arcs=1.2)
        truth = {frozenset((f"X{u + 1}", f"X{v + 1}")) for u, v in arcs}
        some = missing(rows, 0.1, seed)
        for name, data, asked in (
            ("complete", named(rows), {}),
            ("missing", some, {}),
            ("dropped", some, {"missing": "drop"}),
        ):
            lost[name] += len(truth ^ set(map(frozenset, learn(data, gaussian=True, **asked).dag.edges)))
    assert lost["complete"] <= lost["missing"] <= lost["dropped"]


def test_missing_values_are_told_of_and_threads_do_not_show() -> None:
    data = missing(twin.system(6, 150, 1)[0], 0.15)
    found = learn(data, gaussian=True)
    assert any("from the means and covariances that explain the observed values best" in note for note in found.notes)
    assert learn(data, gaussian=True, threads=3).dag == found.dag
    tallies = [bootstrap(data, 12, gaussian=True, threads=threads).run() for threads in (1, 3)]
    assert tallies[0] == tallies[1]
    with pytest.raises(OptionError, match="prove needs a value in every cell"):
        learn(data, gaussian=True, prove=True)
    weighted = NumericData(data.columns, data.values, np.random.default_rng(0).integers(1, 9, 150) / 2)
    assert np.isfinite(learn(weighted, gaussian=True).score)
    assert bootstrap(weighted, 3, gaussian=True).run().weight
    empty = data.values.copy()
    empty[:5] = np.nan
    assert np.isfinite(learn(named(empty), gaussian=True, score="bge").score)


def test_copies_with_missing_values_do_no_harm() -> None:
    rows = twin.system(4, 80, 5)[0]
    data = missing(np.column_stack([rows, rows[:, 0] * 2]), 0.1)
    found = learn(data, gaussian=True)
    assert frozenset(("X1", "X5")) in {frozenset(edge) for edge in found.dag.edges}


def test_a_time_limit_gives_the_best_so_far() -> None:
    found = learn(twin.system(40, 200, 0)[0], gaussian=True, time_limit=0.05)
    assert found.stopped_by == "time limit"


# A look at whether relations are linear


def test_linear_systems_look_linear() -> None:
    alarms = 0
    for seed in range(30):
        rows = read_numeric(twin.system(8, 300, seed)[0])
        alarms += bool(curves(rows, learn(rows, gaussian=True, effort="quick").dag))
    assert alarms <= 2


def test_a_parabola_is_seen_and_bins_suggested() -> None:
    random = np.random.default_rng(0)
    x, z = random.normal(size=(2, 300))
    table = {"x": x, "y": x**2 + 0.5 * random.normal(size=300), "z": z, "w": z + random.normal(size=300)}
    found = learn(table, gaussian=True)
    assert found.notes[-1].startswith(
        "relations that are not linear, or noise that is not normal: y and the square of x"
    )
    assert "bins sets their number" in found.notes[-1]
    runs = bootstrap(table, 3, gaussian=True)
    assert runs.notes == found.notes
    assert not learn({"z": table["z"], "w": table["w"]}, gaussian=True).notes
