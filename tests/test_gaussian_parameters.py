"""Numbers of Gaussian networks from data and from other networks, against least squares and numeric minimisers."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pandas
import pytest
from scipy import optimize, stats

import bnfuse
from bnfuse import DAG, BnfuseWarning, GaussianNetwork, MismatchError, Network, OptionError
from bnfuse.data.numeric import NumericData
from bnfuse.inference.gaussian import missing
from bnfuse.inference.gaussian.fitting import fit
from bnfuse.inference.gaussian.pooling import pool
from gaussian_oracle import joint, random_network


def numbers(network: GaussianNetwork) -> Any:
    """All numbers of a network in a fixed order."""
    parts = [[*network.intercepts.values()], [*network.deviations.values()]]
    return np.array([*parts[0], *parts[1], *(network.coefficients[b][a] for a, b in network.dag.edges)])


# From data


@pytest.mark.parametrize("seed", range(20))
def test_a_fit_is_least_squares(seed: int) -> None:
    random = np.random.default_rng(seed)
    network = random_network(random, 6)
    weights = random.uniform(0.1, 4, 80) if seed % 2 else None
    rows = NumericData(network.variables, network.sample(80, seed).values, weights)
    fitted = network.fit(rows)
    share = np.ones(80) if weights is None else weights
    column = dict(zip(rows.columns, rows.values.T, strict=True))
    for name in network.variables:
        parents = network.dag.parents(name)
        design = np.column_stack([np.ones(80), *(column[parent] for parent in parents)])
        normal = design.T @ (share[:, None] * design)
        beta = np.linalg.solve(normal, design.T @ (share * column[name]))
        left = column[name] - design @ beta
        assert fitted.intercepts[name] == pytest.approx(beta[0], rel=1e-8, abs=1e-8)
        assert list(fitted.coefficients[name].values()) == pytest.approx(beta[1:], rel=1e-8, abs=1e-8)
        assert fitted.deviations[name] == pytest.approx(np.sqrt(share @ left**2 / share.sum()), rel=1e-8)


def test_one_parent_is_what_scipy_finds() -> None:
    random = np.random.default_rng(0)
    a = random.normal(3, 2, 50)
    b = 1 + 0.5 * a + random.normal(size=50)
    line = stats.linregress(a, b)
    dag = DAG.from_edges([("A", "B")])
    fitted = fit(dag, {"A": a, "B": b}).network
    assert isinstance(fitted, GaussianNetwork)
    assert fitted.coefficients["B"]["A"] == pytest.approx(line.slope)
    assert fitted.intercepts["B"] == pytest.approx(line.intercept)
    assert (fitted.intercepts["A"], fitted.deviations["A"]) == pytest.approx((a.mean(), a.std()))


def test_a_prior_is_so_many_rows_of_independent_variables() -> None:
    random = np.random.default_rng(1)
    network = random_network(random, 4, density=1.0)
    rows = network.sample(30, 1)
    mean, spread = rows.values.mean(0), rows.values.std(0)
    # Independent variables with these moments: each alone away from its mean, both ways, and the others at it
    more = np.vstack([mean + sign * np.sqrt(4.0) * np.diag(spread) for sign in (-1, 1)])
    both = NumericData(rows.columns, np.vstack([rows.values, more]), np.r_[np.ones(30), np.full(8, 10 / 8)])
    assert numbers(network.fit(rows, prior=10)) == pytest.approx(numbers(network.fit(both)), rel=1e-9)
    assert numbers(network.fit(rows, prior=1e12))[8:] == pytest.approx(0, abs=1e-6)


def test_the_scale_of_columns_does_not_matter() -> None:
    network = random_network(np.random.default_rng(2), 5, density=0.8)
    rows = network.sample(100, 1)
    factor = np.array([1e-9, 1e7, 1.0, 1e3, 1e-4])
    scaled = network.fit(NumericData(rows.columns, rows.values * factor + 5 * factor))
    plain = network.fit(rows)
    place = {name: i for i, name in enumerate(rows.columns)}
    for a, b in network.dag.edges:
        wanted = plain.coefficients[b][a] * factor[place[b]] / factor[place[a]]
        assert scaled.coefficients[b][a] == pytest.approx(wanted, rel=1e-6)


def test_duplicated_and_constant_columns_are_handled_and_told() -> None:
    random = np.random.default_rng(3)
    a = random.normal(size=60)
    rows = {"A": a, "B": a, "C": 3 * a + random.normal(size=60), "K": np.full(60, 7.0)}
    dag = DAG(["A", "B", "C", "K"], [("A", "C"), ("B", "C"), ("K", "C"), ("A", "B")])
    found = fit(dag, rows)
    network = found.network
    assert isinstance(network, GaussianNetwork)
    assert network.coefficients["C"]["A"] == pytest.approx(network.coefficients["C"]["B"])
    assert (network.coefficients["C"]["K"], network.intercepts["K"], network.deviations["K"]) == (0.0, 7.0, 0.0)
    assert (network.deviations["B"], network.coefficients["B"]["A"]) == pytest.approx((0.0, 1.0))
    assert any(note.startswith("the parents of 'C' depend on each other linearly") for note in found.notes)
    assert any(note.startswith("'B', 'K' got a standard deviation of 0") for note in found.notes)


def test_fewer_rows_than_parents_are_told() -> None:
    network = random_network(np.random.default_rng(1), 6, density=1.0)
    with pytest.warns(BnfuseWarning, match="there are hardly more rows than parents"):
        network.fit(network.sample(4))


@pytest.mark.parametrize(
    ("rows", "kind", "message"),
    [
        ({"A": [1.0, 2.0]}, MismatchError, "'B'"),
        ({"A": [1.0, 2.0], "B": [float("nan")] * 2}, MismatchError, "'B'"),
        ({"A": [1.0, 2.0], "B": [float("inf"), 1.0]}, MismatchError, "'B'"),
        ({"A": [1.0, 2.0], "B": ["x", "y"]}, MismatchError, "'B'"),
        ({"A": [1.0, 2.0], "B": [1e200, 3e200]}, MismatchError, "'B' are too large to compute with, beyond 1e+150"),
        ({"A": [1.0, 2.0], "B": [1e-200, 3e-200]}, MismatchError, "'B' differ too little to compute with, by less"),
    ],
)
def test_bad_data_are_one_line(rows: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind) as caught:
        fit(DAG.from_edges([("A", "B")]), rows)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


# Missing values


def observed_likelihood(dag: DAG, vector: Any, values: Any) -> float:
    """By the density of what is there, row by row."""
    n = len(dag.variables)
    slopes = dict(zip(dag.edges, vector[2 * n :], strict=True))
    network = GaussianNetwork(
        dag,
        dict(zip(dag.variables, vector[:n], strict=True)),
        {name: {parent: slopes[parent, name] for parent in dag.parents(name)} for name in dag.variables},
        dict(zip(dag.variables, np.exp(vector[n : 2 * n]), strict=True)),
    )
    mean, covariance = joint(network)
    total = 0.0
    for row in values:
        seen = ~np.isnan(row)
        if seen.any():
            total += stats.multivariate_normal(mean[seen], covariance[np.ix_(seen, seen)]).logpdf(row[seen])
    return float(total)


@pytest.mark.parametrize("seed", range(4))
def test_expectation_maximisation_finds_the_maximum(seed: int) -> None:
    random = np.random.default_rng(seed)
    network = random_network(random, 3, density=0.7)
    values = network.sample(40, seed).values.copy()
    values[random.random(values.shape) < 0.25] = np.nan
    found = fit(network.dag, NumericData(network.variables, values))
    own = found.network
    assert isinstance(own, GaussianNetwork)
    n = len(network.variables)
    start = numbers(own)
    start[n : 2 * n] = np.log(start[n : 2 * n])
    best = optimize.minimize(lambda v: -observed_likelihood(network.dag, v, values), start * 0.9, method="BFGS")
    mine = observed_likelihood(network.dag, start, values)
    assert mine == pytest.approx(-best.fun, abs=1e-4)
    assert mine >= -best.fun - 1e-6
    assert own.log_likelihood(NumericData(network.variables, values)) == pytest.approx(mine)
    assert found.log_likelihoods[-1] == pytest.approx(mine, abs=1e-5)
    assert all(b >= a - 1e-9 for a, b in zip(found.log_likelihoods, found.log_likelihoods[1:], strict=False))


def test_with_a_prior_too_the_objective_never_falls() -> None:
    random = np.random.default_rng(7)
    network = random_network(random, 4, density=0.8)
    values = network.sample(30, 1).values.copy()
    values[random.random(values.shape) < 0.3] = np.nan
    with_prior = network.fit(NumericData(network.variables, values), prior=5)
    without = network.fit(NumericData(network.variables, values))
    assert np.abs(numbers(with_prior)[8:]).sum() < np.abs(numbers(without)[8:]).sum()


def test_hardly_anything_missing_is_hardly_another_fit() -> None:
    network = random_network(np.random.default_rng(8), 5)
    values = network.sample(500, 1).values.copy()
    complete = network.fit(NumericData(network.variables, values))
    values[0, 0] = np.nan
    with pytest.warns(BnfuseWarning, match=r"1 missing cell of 2,500: \d+ iterations of expectation maximisation"):
        found = network.fit(NumericData(network.variables, values))
    assert numbers(found) == pytest.approx(numbers(complete), abs=0.05)


def test_a_copy_with_missing_values_stays_exact() -> None:
    random = np.random.default_rng(9)
    a = random.normal(size=80)
    values = np.column_stack([a, 2 * a + 3, 3 * a + random.normal(size=80)])
    values[random.random(values.shape) < 0.15] = np.nan
    found = fit(DAG(["A", "B", "C"], [("A", "B"), ("A", "C"), ("B", "C")]), NumericData(("A", "B", "C"), values))
    own = found.network
    assert isinstance(own, GaussianNetwork)
    assert (own.intercepts["B"], own.coefficients["B"]["A"]) == pytest.approx((3, 2))
    assert own.deviations["B"] == 0
    assert 0.8 < own.deviations["C"] < 1.2
    slope = own.coefficients["C"]["A"] + 2 * own.coefficients["C"]["B"]
    assert slope == pytest.approx(3, abs=0.4)
    assert any("the parents of 'C' depend on each other linearly" in note for note in found.notes)


def test_a_constant_with_missing_values_stays_exact() -> None:
    rows = NumericData(("A", "B"), np.array([[7.1, 1.0], [np.nan, 2.0], [7.1, np.nan], [7.1, 4.0]]))
    found = fit(DAG.from_edges([("A", "B")]), rows).network
    assert isinstance(found, GaussianNetwork)
    assert (found.intercepts["A"], found.deviations["A"], found.coefficients["B"]["A"]) == (7.1, 0.0, 0.0)
    assert found.intercepts["B"] == pytest.approx(7 / 3)


def test_the_likelihood_never_falls_even_if_it_has_no_maximum() -> None:
    random = np.random.default_rng(5)
    told = 0
    for _ in range(25):
        network = random_network(random, 5, density=0.8)
        values = network.sample(int(random.integers(10, 30)), int(random.integers(1000))).values.copy()
        values[random.random(values.shape) < 0.4] = np.nan
        if np.isnan(values).all(0).any():
            continue
        found = fit(network.dag, NumericData(network.variables, values))
        likelihoods = found.log_likelihoods
        assert all(b >= a - 1e-7 * abs(a) for a, b in pairwise(likelihoods))
        own = found.network
        assert isinstance(own, GaussianNetwork)
        if exact := [name for name, deviation in own.deviations.items() if not deviation]:
            # Fewer rows than coefficients have values of a whole family, which explains these rows exactly
            whole = [[network.variables.index(one) for one in (name, *own.dag.parents(name))] for name in exact]
            assert all((~np.isnan(values[:, family])).all(1).sum() <= len(family) for family in whole)
            told += any("got a standard deviation of 0: there are hardly more rows" in note for note in found.notes)
    assert told >= 3


def test_a_run_that_is_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(missing, "_MOST_WORK", 10)
    network = random_network(np.random.default_rng(8), 3)
    values = network.sample(5, 1).values.copy()
    values[0, 0] = np.nan
    with pytest.raises(OptionError, match="leave out rows or columns with missing values"):
        network.fit(NumericData(network.variables, values))


# From other networks


def divergence_part(network: GaussianNetwork, mean: Any, covariance: Any) -> float:
    """The expected logarithm of the density of a network, under a distribution with these moments, negated."""
    own, spread = joint(network)
    apart = own - mean
    inverse = np.linalg.inv(spread)
    return 0.5 * float(np.linalg.slogdet(spread)[1] + np.trace(inverse @ covariance) + apart @ inverse @ apart)


def rebuilt(dag: DAG, vector: Any) -> GaussianNetwork:
    n = len(dag.variables)
    slopes = dict(zip(dag.edges, vector[2 * n :], strict=True))
    return GaussianNetwork(
        dag,
        dict(zip(dag.variables, vector[:n], strict=True)),
        {name: {parent: slopes[parent, name] for parent in dag.parents(name)} for name in dag.variables},
        dict(zip(dag.variables, np.exp(vector[n : 2 * n]), strict=True)),
    )


@pytest.mark.parametrize("seed", range(6))
def test_pooling_minimises_the_divergence_from_the_mixture(seed: int) -> None:
    random = np.random.default_rng(seed)
    networks = [random_network(random, 4, name=f"n{i}") for i in range(3)]
    dag = random_network(random, 4).dag
    weights = random.uniform(0.2, 3, 3)
    share = weights / weights.sum()
    moments = [joint(network) for network in networks]
    mean = sum(w * m for w, (m, _) in zip(share, moments, strict=True))
    covariance = sum(w * (c + np.outer(m - mean, m - mean)) for w, (m, c) in zip(share, moments, strict=True))
    pooled = pool(dag, networks, weights.tolist()).network
    assert isinstance(pooled, GaussianNetwork)
    mine = divergence_part(pooled, mean, covariance)
    start = np.r_[mean, np.zeros(4), np.zeros(len(dag.edges))]
    best = optimize.minimize(lambda v: divergence_part(rebuilt(dag, v), mean, covariance), start, method="BFGS")
    assert mine == pytest.approx(best.fun, abs=1e-6)
    assert mine <= best.fun + 1e-9
    nearest = np.concatenate([best.x[:4], np.exp(best.x[4:8]), best.x[8:]])
    assert numbers(pooled) == pytest.approx(nearest, abs=1e-3 * max(1.0, float(np.abs(nearest).max())))
    # The moments that the structure can keep are kept: means, and the variance of every variable without parents
    assert joint(pooled)[0] == pytest.approx(mean)


def test_one_network_over_its_own_structure_is_itself() -> None:
    network = random_network(np.random.default_rng(1), 6)
    assert numbers(pool(network.dag, [network]).network) == pytest.approx(numbers(network), rel=1e-9)  # type: ignore[arg-type]


def test_a_consensus_of_gaussian_networks_is_one() -> None:
    random = np.random.default_rng(2)
    networks = [random_network(random, 5, name=f"n{i}") for i in range(3)]
    result = bnfuse.consensus(networks, weights={"n0": 2, "n1": 1, "n2": 0})
    assert isinstance(result.network, GaussianNetwork)
    wanted = pool(result.dag, networks[:2], [2, 1]).network
    assert result.network == wanted
    assert result.pool([1, 3]).network == pool(result.dag, networks[:2], [1, 3]).network
    assert result.query("V0").mean == pytest.approx((2 * networks[0].mean()[0] + networks[1].mean()[0]) / 3)
    assert result.finished.parameters is not None
    assert result.finished.parameters.notes[0].startswith("the numbers are pooled from the 2 networks")


def test_networks_over_other_variables_count_for_families_they_have() -> None:
    random = np.random.default_rng(3)
    one, two = random_network(random, 3, name="one"), random_network(random, 4, name="two")
    result = bnfuse.consensus([one, two], variables="union")
    assert isinstance(result.network, GaussianNetwork)
    assert result.network.query("V3").mean == pytest.approx(two.mean()[3])
    dag = DAG(["V0", "X"], [("V0", "X")])
    with pytest.raises(MismatchError, match="no Gaussian network has a distribution of 'X' given 'V0'"):
        pool(dag, [one])


def test_tables_and_gaussian_networks_are_not_pooled_together() -> None:
    random = np.random.default_rng(4)
    numbers_ = random_network(random, 2, name="numbers")
    states = dict.fromkeys(numbers_.variables, ("no", "yes"))
    tables = Network(DAG(numbers_.variables), states, {name: [0.5, 0.5] for name in numbers_.variables}, "tables")
    result = bnfuse.consensus([numbers_, tables])
    with pytest.raises(MismatchError, match="'numbers' is a Gaussian network and 'tables' has tables"):
        result.pool()
    assert type(result.network) is Network
    assert "'numbers' is a Gaussian network and 'tables' has tables" in result.finished.notes[-1]
    assert isinstance(result.fit(numbers_.sample(20)).network, GaussianNetwork)
    rows = {"V0": ["no", "yes", "yes"], "V1": ["no", "yes", "no"]}
    assert result.fit(pandas.DataFrame(rows)).network.cpts is not None


def test_a_consensus_is_fitted_to_numbers() -> None:
    random = np.random.default_rng(5)
    network = random_network(random, 4, name="one")
    rows = network.sample(50, 1)
    for result in (bnfuse.consensus([network]), bnfuse.consensus([network.dag])):
        assert result.fit(rows).network == network.fit(rows)
    plain = {name: rows.values[:, i] for i, name in enumerate(rows.columns)}
    assert bnfuse.consensus([network]).fit(plain).network == network.fit(rows)
    assert bnfuse.consensus([network.dag]).fit(plain, gaussian=True).network == network.fit(rows)
    assert bnfuse.consensus([network.dag]).fit(rows, 3.0).network == network.fit(rows, prior=3.0)
    said = bnfuse.RowJudgement("V0", {}, {"yes": 1.0}, cases=2)
    with pytest.raises(OptionError, match="judgements are about rows of tables"):
        bnfuse.consensus([network]).fit(rows, judgements=[said])
    with pytest.raises(OptionError, match="judgements are about rows of tables"):
        bnfuse.consensus([network]).pool(judgements=[said])


def test_a_saved_consensus_keeps_its_numbers(tmp_path: Any) -> None:
    random = np.random.default_rng(6)
    networks = [random_network(random, 5, name=f"n{i}") for i in range(3)]
    result = bnfuse.consensus(networks, max_clique=3)
    result = result.with_frontier(bnfuse.frontier(networks)).pool()
    result.save(tmp_path / "saved.json")
    loaded = bnfuse.Consensus.load(tmp_path / "saved.json")
    assert loaded == result
    assert loaded.network == result.network
    assert bnfuse.read(tmp_path / "saved.json")[0] == result.network
    assert all(isinstance(point.result and point.result.network, GaussianNetwork) for point in loaded.frontier)
    text = (tmp_path / "saved.json").read_text()
    assert '"version":5' in text
    (tmp_path / "damaged.json").write_text(text.replace('"sd":', '"sb":', 1))
    with pytest.raises(bnfuse.FileError, match=r"damaged saved consensus: parameters\.gaussian\.V\d: lacks 'sd'"):
        bnfuse.Consensus.load(tmp_path / "damaged.json")
