"""Gaussian networks: what they are made of, and the answers they give, against the joint normal distribution."""

from __future__ import annotations

import copy
import math
import pickle
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import stats

import bnfuse
from bnfuse import DAG, EvidenceError, GaussianNetwork, GraphError, JointNormal, Network, Normal, OptionError
from bnfuse.data.numeric import NumericData
from bnfuse.graphs.network import as_network
from bnfuse.graphs.renaming import renamed_variables
from gaussian_oracle import conditional, joint, mutilated, random_network

networkx = pytest.importorskip("networkx")

DOSE = GaussianNetwork(
    DAG.from_edges([("Age", "Blood"), ("Dose", "Blood"), ("Blood", "Heart")]),
    {"Age": 50, "Dose": 2, "Blood": 100, "Heart": 40},
    {"Blood": {"Age": 0.5, "Dose": -3}, "Heart": {"Blood": 0.2}},
    {"Age": 10, "Dose": 1, "Blood": 8, "Heart": 5},
    "clinic",
)
CHAIN = DAG.from_edges([("A", "B"), ("A", "C")])


def chain(**deviations: float) -> GaussianNetwork:
    """B is 2 A + 2, and C is A, up to noise."""
    return GaussianNetwork(CHAIN, {"A": 1, "B": 2, "C": 0}, {"B": {"A": 2}, "C": {"A": 1}}, deviations)


# What they are made of


def test_a_network_has_numbers_and_no_states() -> None:
    assert isinstance(DOSE, Network)
    assert (DOSE.states, DOSE.cpts, DOSE.has_parameters, DOSE.parameters) == (None, None, True, 11)
    assert dict(DOSE.coefficients["Blood"]) == {"Age": 0.5, "Dose": -3.0}
    assert dict(DOSE.coefficients["Age"]) == {}
    assert repr(DOSE) == "<GaussianNetwork 'clinic': 4 variables, 3 arcs>"


def test_networks_survive_pickling_and_copying() -> None:
    for twin in (pickle.loads(pickle.dumps(DOSE)), copy.copy(DOSE), copy.deepcopy(DOSE), DOSE.renamed("clinic")):
        assert type(twin) is GaussianNetwork
        assert (twin, hash(twin), repr(twin)) == (DOSE, hash(DOSE), repr(DOSE))


def test_equality_is_that_of_structure_and_numbers() -> None:
    assert DOSE.renamed("other") == DOSE
    assert Network(DOSE.dag) != DOSE
    assert Network(DOSE.dag) != DOSE
    assert DOSE.fit(DOSE.sample(9)) != DOSE
    other_order = DOSE.dag.reordered(("Heart", "Dose", "Blood", "Age"))
    assert GaussianNetwork(other_order, DOSE.intercepts, DOSE.coefficients, DOSE.deviations) == DOSE


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"intercepts": {"A": 1, "B": 2}}, "variable 'C' has no intercept"),
        ({"intercepts": {"A": 1, "B": 2, "C": 0, "D": 0}}, "the intercept of 'D': unknown variable 'D'"),
        ({"intercepts": 3}, "the intercept of the variables must be a mapping from their names, got 3"),
        ({"intercepts": {"A": math.nan, "B": 2, "C": 0}}, "the intercept of 'A' must be a finite number, got nan"),
        ({"intercepts": {"A": "1", "B": 2, "C": 0}}, "the intercept of 'A' must be a finite number, got '1'"),
        ({"intercepts": {"A": True, "B": 2, "C": 0}}, "the intercept of 'A' must be a finite number, got True"),
        ({"deviations": {"A": 1, "B": -1, "C": 0}}, "the standard deviation of 'B' must be at least 0, got -1"),
        ({"deviations": {"A": 1, "B": 1}}, "variable 'C' has no standard deviation"),
        ({"coefficients": {"B": {"A": 2}}}, "the arc A -> C has no coefficient"),
        ({"coefficients": {"B": {"A": 2, "C": 1}, "C": {"A": 1}}}, "'B' has a coefficient for 'C', which is not one"),
        ({"coefficients": {"B": 2, "C": {"A": 1}}}, "the coefficients of 'B' must be a number for each parent, got 2"),
        ({"coefficients": {"B": {"A": math.inf}, "C": {"A": 1}}}, "the coefficient of A -> B must be a finite number"),
        ({"coefficients": {"X": {}, "B": {"A": 2}, "C": {"A": 1}}}, "the coefficients of 'X': unknown variable 'X'"),
    ],
)
def test_what_is_wrong_with_numbers_is_told(changes: dict[str, Any], message: str) -> None:
    whole: dict[str, Any] = {
        "intercepts": {"A": 1, "B": 2, "C": 0},
        "coefficients": {"B": {"A": 2}, "C": {"A": 1}},
        "deviations": {"A": 1, "B": 1, "C": 1},
    }
    with pytest.raises(GraphError) as caught:
        GaussianNetwork(CHAIN, **{**whole, **changes})
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_numbers_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        DOSE.intercepts["Age"] = 1.0  # type: ignore[index]
    with pytest.raises(TypeError):
        DOSE.coefficients["Blood"]["Age"] = 1.0  # type: ignore[index]
    with pytest.raises(AttributeError):
        DOSE.name = "x"  # type: ignore[misc]


def test_variables_can_be_renamed() -> None:
    renamed = renamed_variables(DOSE, {"Blood": "Pressure", "Age": "Years"})
    assert isinstance(renamed, GaussianNetwork)
    assert dict(renamed.coefficients["Pressure"]) == {"Years": 0.5, "Dose": -3.0}
    assert renamed.name == "clinic"
    back = renamed_variables(renamed, {"Pressure": "Blood", "Years": "Age"})
    assert back == DOSE
    with pytest.raises(GraphError, match="listed twice"):
        renamed_variables(DOSE, {"Blood": "Age"})


# Answers


@pytest.mark.parametrize("seed", range(300))
def test_answers_are_those_of_the_joint_normal_distribution(seed: int) -> None:
    random = np.random.default_rng(seed)
    network = random_network(random, int(random.integers(1, 13)), density=random.uniform(0.1, 0.9))
    names, n = network.variables, len(network.variables)
    mean, covariance = joint(network)
    assert network.mean() == pytest.approx(mean, rel=1e-9, abs=1e-9)
    assert network.covariance() == pytest.approx(covariance, rel=1e-9, abs=1e-9)
    places = random.permutation(n).tolist()
    known = {i: random.normal(mean[i], 3) for i in places[: random.integers(0, n)]}
    asked = places[len(known) : len(known) + int(random.integers(1, n - len(known) + 1))]
    set_ = [i for i in places if i not in known and i not in asked][: int(random.integers(0, 3))]
    settings = {names[i]: random.normal(0, 3) for i in set_}
    mean, covariance = joint(mutilated(network, settings))
    wanted, spread = conditional(mean, covariance, asked, known)
    given = {names[i]: value for i, value in known.items()}
    found = network.query([names[i] for i in asked], given, do=settings)
    scale = max(1.0, float(np.abs(wanted).max()), float(covariance.max()))
    assert found.mean == pytest.approx(wanted, abs=1e-9 * scale)
    assert found.covariance == pytest.approx(spread, abs=1e-9 * scale)
    alone = network.query(names[asked[0]], given, do=settings)
    assert (alone.mean, alone.sd) == pytest.approx((found.mean[0], found.sd[0]), abs=1e-9 * scale)
    assert network.do(settings).query(names[asked[0]], given).mean == pytest.approx(alone.mean, abs=1e-9 * scale)


def test_much_evidence_in_a_large_network_is_exact() -> None:
    random = np.random.default_rng(1)
    network = random_network(random, 200, density=0.01)
    mean, covariance = joint(network)
    places = random.permutation(200).tolist()
    known = {i: random.normal(mean[i], 2) for i in places[:120]}
    wanted, spread = conditional(mean, covariance, places[120:], known)
    found = network.query(
        [network.variables[i] for i in places[120:]], {network.variables[i]: value for i, value in known.items()}
    )
    assert found.mean == pytest.approx(wanted, rel=1e-8, abs=1e-8)
    assert found.covariance == pytest.approx(spread, rel=1e-8, abs=1e-8)


def test_what_is_known_is_its_own_answer() -> None:
    found = DOSE.query(["Blood", "Age"], {"Age": 60.0})
    assert found["Age"] == Normal("Age", 60.0, 0.0)
    assert found["Blood"].mean == 124.0
    assert found.covariance[1].tolist() == [0.0, 0.0]
    assert DOSE.query("Dose", do={"Dose": 4}) == Normal("Dose", 4.0, 0.0)
    assert DOSE.query("Age", do={"Blood": 90}, given={"Blood": 90}) == Normal("Age", 50.0, 10.0)


def test_total_effects_are_sums_over_paths() -> None:
    random = np.random.default_rng(3)
    network = random_network(random, 8)
    for cause in network.variables:
        for target in network.variables:
            at = [network.query(target, do={cause: value}).mean for value in (0.0, 1.0)]
            assert network.total_effect(cause, target) == pytest.approx(at[1] - at[0], abs=1e-9)


def test_a_variable_without_noise_is_exact() -> None:
    network = chain(A=1, B=0, C=1)
    assert network.query("A", {"B": 6}) == Normal("A", 2.0, 0.0)
    assert network.query("C", {"A": 2, "B": 6}) == Normal("C", 2.0, 1.0)
    assert network.query("B", {"A": 2}) == Normal("B", 6.0, 0.0)
    constant = GaussianNetwork(DAG(["A", "B"]), {"A": 5, "B": 0}, {}, {"A": 0, "B": 1})
    assert constant.query("B", {"A": 5}) == Normal("B", 0.0, 1.0)


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (lambda: chain(A=1, B=0, C=1).query("C", {"A": 2, "B": 7}), "'B' is certain to be 6 and cannot be 7"),
        (lambda: chain(A=1, B=0, C=0).query("A", {"B": 6, "C": 3}), "follows from the other values and cannot be"),
        (
            lambda: chain(A=1, B=1e-10, C=1e-10).query("A", {"B": 6, "C": 2}),
            "'B' and 'C' nearly follow",
        ),
        (lambda: DOSE.query("Blod"), "network 'clinic' has no variable 'Blod' (did you mean 'Blood'?)"),
        (lambda: DOSE.query("Blood", {"Agee": 4}), "has no variable 'Agee' (did you mean 'Age'?)"),
        (lambda: DOSE.query("Blood", {"Age": "old"}), "the value of 'Age' must be a finite number, got 'old'"),
        (lambda: DOSE.query("Blood", {"Age": math.inf}), "the value of 'Age' must be a finite number, got inf"),
        (lambda: DOSE.query("Blood", {"Age": {"old": 1}}), "the value of 'Age' must be a finite number"),
        (lambda: DOSE.query("Blood", {"Age": 3}, do={"Age": 4}), "'Age' is set to 4 and given as 3: leave one"),
        (lambda: DOSE.do({"Aeg": 3}), "has no variable 'Aeg'"),
        (lambda: DOSE.total_effect("Aeg", "Blood"), "has no variable 'Aeg'"),
        (lambda: DOSE.query(["Age", "Blood"])["Heart"], "the distribution has unknown variable 'Heart'"),
    ],
)
def test_what_cannot_be_asked_is_told(question: Any, message: str) -> None:
    with pytest.raises(EvidenceError) as caught:
        question()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (lambda: DOSE.query([]), "expected at least one variable"),
        (lambda: DOSE.query(["Age", "Age"]), "asked twice for 'Age'"),
        (lambda: DOSE.query(3), "expected the name of a variable, or a list of names, got 3"),  # type: ignore[arg-type]
        (lambda: DOSE.query("Age", 3), "evidence must be a mapping from variables to numbers, got 3"),
        (DOSE.most_probable, "network 'clinic' is Gaussian: its variables are numbers without states"),
        (lambda: DOSE.informative("Age"), "network 'clinic' is Gaussian"),
        (lambda: DOSE.sensitivity("Age", "yes"), "network 'clinic' is Gaussian"),
        (lambda: bnfuse.effects(DOSE, [DOSE]), "network 'clinic' is Gaussian"),
        (lambda: bnfuse.answers(DOSE, [DOSE], "Age"), "network 'clinic' is Gaussian"),
        (lambda: bnfuse.row_disputes(DOSE, [DOSE]), "is Gaussian"),
        (lambda: DOSE.sample(-1), "n must be a whole number of at least 0"),
        (lambda: chain(A=1, B=0, C=1).log_likelihood({"A": [1.0], "B": [1.0], "C": [1.0]}), "'B' has a standard"),
    ],
)
def test_what_a_gaussian_network_cannot_do_is_one_line(question: Any, message: str) -> None:
    with pytest.raises(OptionError) as caught:
        question()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


# Distributions


def test_a_normal_distribution_has_density_and_intervals() -> None:
    own, known = Normal("X", 3.0, 2.0), stats.norm(3, 2)
    assert own.density(4.5) == pytest.approx(known.pdf(4.5))
    assert own.interval(0.8) == pytest.approx(known.interval(0.8))
    assert own.interval() == pytest.approx(known.interval(0.95))
    assert Normal("X", 1.0, 0.0).interval() == (1.0, 1.0)
    with pytest.raises(OptionError, match="'X' is certain to be 1, so it has no density"):
        Normal("X", 1.0, 0.0).density(1)
    for level in (0, 1, -1, "x", None):
        with pytest.raises(OptionError, match="level must be above 0 and below 1"):
            own.interval(level)  # type: ignore[arg-type]


def test_a_joint_distribution_has_density_and_correlations() -> None:
    random = np.random.default_rng(2)
    network = random_network(random, 4)
    found = network.query(network.variables)
    at = random.normal(size=4)
    wanted = stats.multivariate_normal(found.mean, found.covariance).pdf(at)
    assert found.density(dict(zip(network.variables, at, strict=True))) == pytest.approx(wanted)
    scale = np.sqrt(np.diag(found.covariance))
    assert found.correlation == pytest.approx(found.covariance / np.outer(scale, scale))
    with pytest.raises(OptionError, match="there is none for 'V0'"):
        found.density({})
    with pytest.raises(OptionError, match="together they have no density"):
        JointNormal(("A", "B"), np.zeros(2), np.ones((2, 2))).density({"A": 0, "B": 0})


# Rows


def test_drawn_rows_have_the_moments_of_the_network() -> None:
    network = random_network(np.random.default_rng(4), 5)
    rows = network.sample(200_000, seed=1)
    mean, covariance = joint(network)
    scale = np.sqrt(np.diag(covariance))
    assert np.abs((rows.values.mean(0) - mean) / scale).max() < 0.01
    assert np.abs((np.cov(rows.values.T) - covariance) / np.outer(scale, scale)).max() < 0.015
    assert (rows.values == network.sample(200_000, seed=1).values).all()
    assert (rows.values != network.sample(200_000, seed=2).values).any()
    assert DOSE.do({"Age": 40}).sample(3).values[:, DOSE.variables.index("Age")].tolist() == [40.0] * 3


def test_the_likelihood_of_rows_is_that_of_the_joint_distribution() -> None:
    random = np.random.default_rng(5)
    network = random_network(random, 5)
    mean, covariance = joint(network)
    values = network.sample(40, 1).values.copy()
    whole = stats.multivariate_normal(mean, covariance).logpdf(values)
    weights = random.uniform(0, 3, 40)
    assert network.log_likelihood(values_of(network, values)) == pytest.approx(whole.sum())
    assert network.log_likelihood(values_of(network, values, weights)) == pytest.approx(weights @ whole)
    values[random.random(values.shape) < 0.4] = np.nan
    wanted = 0.0
    for row, weight in zip(values, weights, strict=True):
        seen = ~np.isnan(row)
        if seen.any():
            part = stats.multivariate_normal(mean[seen], covariance[np.ix_(seen, seen)])
            wanted += weight * part.logpdf(row[seen])
    assert network.log_likelihood(values_of(network, values, weights)) == pytest.approx(wanted)


def values_of(network: GaussianNetwork, values: Any, weights: Any = None) -> NumericData:
    return NumericData(network.variables, values, weights)


def test_drawn_rows_can_be_written_and_read_again(tmp_path: Any) -> None:
    rows = DOSE.sample(50, 2)
    for name in ("rows.csv", "rows.csv.gz", "rows.parquet"):
        rows.write(tmp_path / name)
        again = bnfuse.GaussianNetwork.fit(DOSE, tmp_path / name)
        assert again == DOSE.fit(rows)
    with pytest.raises(bnfuse.FileError, match="exists"):
        rows.write(tmp_path / "rows.csv")
    assert rows.to_pandas()["Age"].tolist() == rows.values[:, DOSE.variables.index("Age")].tolist()


# Models of other packages


class LinearGaussianBayesianNetwork(networkx.DiGraph):  # type: ignore[misc]
    """pgmpy's documented attributes on a graph of networkx: what bnfuse goes by."""

    def __init__(self, arcs: list[tuple[str, str]], cpds: list[Any]) -> None:
        super().__init__(arcs)
        self._cpds = cpds

    def get_cpds(self) -> list[Any]:
        return self._cpds


def linear(variable: str, beta: list[float], std: float, evidence: list[str]) -> SimpleNamespace:
    return SimpleNamespace(variable=variable, beta=np.array(beta), std=std, evidence=evidence)


def test_a_model_of_pgmpy_keeps_its_numbers() -> None:
    cpds = [linear("B", [2, 0.5, 3], 4, ["C", "A"]), linear("A", [1], 1, []), linear("C", [0], 2, [])]
    found = as_network(LinearGaussianBayesianNetwork([("A", "B"), ("C", "B")], cpds))
    assert isinstance(found, GaussianNetwork)
    assert dict(found.coefficients["B"]) == {"A": 3.0, "C": 0.5}
    assert (found.intercepts["B"], found.deviations["B"]) == (2.0, 4.0)
    assert isinstance(bnfuse.consensus([found, found]).network, GaussianNetwork)
    with pytest.raises(GraphError, match="variable 'C' has no intercept"):
        as_network(LinearGaussianBayesianNetwork([("A", "B"), ("C", "B")], cpds[:2]))
    with pytest.raises(GraphError, match="the CPD of 'A' has 1 coefficients for 0 parents"):
        as_network(LinearGaussianBayesianNetwork([("A", "B")], [linear("A", [1, 2], 1, [])]))


def test_pgmpy_agrees() -> None:
    pytest.importorskip("pgmpy")
    model = DOSE.to_pgmpy()
    assert as_network(model) == DOSE
    mean, covariance = model.to_joint_gaussian()
    names = [str(name) for name in networkx.topological_sort(model)]
    found = DOSE.query(names)
    assert found.mean == pytest.approx(np.ravel(mean), abs=1e-3)  # which rounds
    assert found.covariance == pytest.approx(np.asarray(covariance), abs=1e-2)


def test_pyagrum_agrees() -> None:
    pytest.importorskip("IPython")
    clg = pytest.importorskip("pyagrum.clg")
    model = DOSE.to_pyagrum()
    assert as_network(model) == DOSE
    engine = clg.CLGVariableElimination(model)
    engine.updateEvidence({"Heart": 70.0})
    theirs, ours = engine.posterior("Blood"), DOSE.query("Blood", {"Heart": 70})
    assert (theirs.mu(), theirs.sigma()) == pytest.approx((ours.mean, ours.sd))
    zero = GaussianNetwork(DAG.from_edges([("A", "B")]), {"A": 0, "B": 0}, {"B": {"A": 0}}, {"A": 1, "B": 1})
    with pytest.raises(GraphError, match="the arc A -> B has the coefficient 0"):
        zero.to_pyagrum()
