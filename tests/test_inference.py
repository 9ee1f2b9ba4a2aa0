"""Exact inference: the same as enumeration and as pyAgrum, and refused before it gets too large."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given

import oracles
import strategies
from bnfuse import DAG, BnfuseError, EvidenceError, Network, OptionError, TooLargeError, factors, networks
from bnfuse.factors import Factors
from bnfuse.inference import Families, check_inference, cost, log_likelihood, marginals, query
from bnfuse.junction_tree import JunctionTree
from bnfuse.table_sizes import TableLimits, fitting_clique

QUICK = (
    "alarm", "andes", "asia", "cancer", "child", "earthquake", "hailfinder", "hepar2", "insurance", "mildew",
    "pathfinder", "pigs", "sachs", "survey", "water", "win95pts",
)  # fmt: skip
needs_networks = pytest.mark.skipif(
    not networks.available(QUICK), reason="the benchmark networks are not on this machine"
)


@pytest.fixture
def sprinkler():
    """Rain -> Sprinkler, both -> Wet."""
    return Network(
        DAG(["Rain", "Sprinkler", "Wet"], [("Rain", "Sprinkler"), ("Rain", "Wet"), ("Sprinkler", "Wet")]),
        {"Rain": ("no", "yes"), "Sprinkler": ("off", "on"), "Wet": ("no", "yes")},
        {
            "Rain": [0.8, 0.2],
            "Sprinkler": [[0.6, 0.4], [0.99, 0.01]],
            "Wet": [[[1.0, 0.0], [0.1, 0.9]], [[0.2, 0.8], [0.01, 0.99]]],
        },
        name="sprinkler",
    )


def as_table(network, variables, found):
    labels = [network.states[name] for name in variables]
    values = [found.get(key, 0.0) for key in itertools.product(*labels)]
    return np.reshape(values, [len(own) for own in labels])


@given(strategies.networks_and_questions())
def test_a_query_is_what_enumeration_gives(case):
    network, asked, evidence = case
    expected, chance = oracles.enumerated(network, asked, evidence)
    if chance == 0:
        with pytest.raises(EvidenceError, match="probability 0"):
            network.query(asked, evidence)
    else:
        np.testing.assert_allclose(network.query(asked, evidence), as_table(network, asked, expected), atol=1e-12)


@given(strategies.networks_and_questions())
def test_marginals_are_what_enumeration_gives(case):
    network, asked, evidence = case
    _, chance = oracles.enumerated(network, asked, evidence)
    if chance == 0:
        with pytest.raises(EvidenceError, match="probability 0"):
            marginals(network, None, evidence)
        return
    for variables in (None, asked):
        found = marginals(network, variables, evidence)
        assert list(found) == list(variables or network.variables)
        for name, table in found.items():
            expected, _ = oracles.enumerated(network, [name], evidence)
            np.testing.assert_allclose(table, as_table(network, [name], expected), atol=1e-12)


@given(strategies.small_networks(max_size=6))
def test_every_set_of_variables_has_its_joint_distribution(found):
    (network,) = found
    families = [(*network.dag.parents(name), name) for name in network.variables]
    families += list(itertools.combinations(network.variables, min(3, len(network.variables))))
    inside = Families(network, families)
    for family in families:
        expected, _ = oracles.enumerated(network, family, {})
        np.testing.assert_allclose(inside.joint(family), as_table(network, family, expected), atol=1e-12)


@given(strategies.small_networks(max_size=4))
def test_the_log_likelihood_of_rows_with_missing_cells_is_what_enumeration_gives(found):
    (network,) = found
    choices = [[*range(len(network.states[name])), -1] for name in network.variables]
    rows = np.array(list(itertools.product(*choices)))
    chances = []
    for row in rows.tolist():
        given = {n: network.states[n][code] for n, code in zip(network.variables, row, strict=True) if code >= 0}
        chances.append(oracles.enumerated(network, network.variables, given)[1])
    possible = np.array(chances) > 0
    repeated = np.concatenate([rows[possible], rows[possible]])
    assert log_likelihood(network, repeated) == pytest.approx(2 * np.log(np.array(chances)[possible]).sum())
    if not possible.all():
        assert log_likelihood(network, rows) == -math.inf


@given(strategies.networks_and_questions(max_size=6))
def test_the_largest_table_is_known_before(case):
    network, asked, evidence = case
    if oracles.enumerated(network, asked, evidence)[1] == 0:
        return
    predicted = cost(network, asked, evidence)
    built = [0]
    original = factors._einsum

    def observed(operands, result):
        table = original(operands, result)
        built.append(table.size)
        return table

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(factors, "_einsum", observed)
        query(network, asked, evidence, TableLimits(table=predicted.largest, total=8 * predicted.peak))
    assert max(built) <= predicted.largest <= predicted.peak
    if predicted.largest > 1:
        with pytest.raises(TooLargeError):
            query(network, asked, evidence, TableLimits(table=predicted.largest - 1))
    if predicted.peak > 1:
        with pytest.raises(TooLargeError):
            query(network, asked, evidence, TableLimits(total=8 * (predicted.peak - 1)))


def layered(layers, width):
    """Each variable has three parents in the layer before: inference is exponential in the width."""
    names = [[f"L{i}_{j}" for j in range(width)] for i in range(layers)]
    arcs = [
        (names[i - 1][(j + shift) % width], names[i][j])
        for i in range(1, layers)
        for j in range(width)
        for shift in (0, 7, 19)
    ]
    dag = DAG([name for layer in names for name in layer], arcs)
    states = dict.fromkeys(dag.variables, ("a", "b", "c"))
    return Network(dag, states, {v: np.full([3] * (len(dag.parents(v)) + 1), 1 / 3) for v in dag.variables}, "layered")


def test_a_network_that_is_too_large_to_reason_with_is_refused_at_once():
    network = layered(6, 40)
    with pytest.raises(TooLargeError, match=r"inference needs a table of .* numbers over .*max_clique=12") as refused:
        query(network, ["L5_0", "L5_20"])
    assert refused.value.size > 10_000_000
    assert refused.value.max_clique == 12  # 240 tables of 3 ** 12 numbers take less than 2 GB
    assert len(refused.value.parents) > 12
    with pytest.raises(TooLargeError):
        check_inference(network.dag, network.states)
    rows = np.zeros((1, len(network.variables)), np.int8)
    assert log_likelihood(network, rows) == pytest.approx(-240 * math.log(3))  # complete: no inference
    rows[0, :-40] = -1
    with pytest.raises(TooLargeError, match="inference needs a table of"):
        log_likelihood(network, rows)


def test_where_one_tree_is_too_large_each_variable_gets_a_query():
    network = layered(6, 40)
    found = marginals(network, ["L0_0", "L1_3"])
    assert list(found) == ["L0_0", "L1_3"]
    tree = JunctionTree.of(Factors.of(network, network.variables, {}))
    assert not tree.fits(TableLimits())
    first_layers = marginals(network, ["L0_0", "L1_3"], limits=TableLimits(table=81))
    np.testing.assert_allclose(first_layers["L1_3"], np.full(3, 1 / 3))


def test_the_answer_has_an_axis_for_each_variable_in_the_order_asked(sprinkler):
    both = sprinkler.query(["Wet", "Rain"])
    assert both.shape == (2, 2)
    np.testing.assert_allclose(both.T, sprinkler.query(["Rain", "Wet"]))
    np.testing.assert_allclose(both.sum(), 1)
    np.testing.assert_allclose(sprinkler.query(["Rain"], {"Wet": "yes"})[1], 0.16038 / 0.44838)


def test_observed_variables_have_their_state_for_sure(sprinkler):
    np.testing.assert_allclose(sprinkler.query(["Rain"], {"Rain": "yes"}), [0, 1])
    joint = sprinkler.query(["Rain", "Wet"], {"Rain": "yes"})
    np.testing.assert_allclose(joint.sum(1), [0, 1])


def test_a_thousand_unlikely_observations_do_not_vanish():
    # each observation has probability 1e-5 or 2e-5: their product is far below the smallest number
    n = 1000
    names = ["C", *(f"F{i}" for i in range(n))]
    dag = DAG(names, [("C", name) for name in names[1:]])
    states = dict.fromkeys(names, ("a", "b"))
    tables = {name: [[1e-5, 1 - 1e-5], [2e-5, 1 - 2e-5]] for name in names[1:501]}
    tables |= {name: [[2e-5, 1 - 2e-5], [1e-5, 1 - 1e-5]] for name in names[501:]}
    network = Network(dag, states, {"C": [0.25, 0.75], **tables})
    evidence = dict.fromkeys(names[1:], "a")
    np.testing.assert_allclose(network.query(["C"], evidence), [0.25, 0.75], rtol=1e-9)
    np.testing.assert_allclose(marginals(network, ["C"], evidence)["C"], [0.25, 0.75], rtol=1e-9)
    rows = np.zeros((1, n + 1), np.int8)
    rows[0, 0] = -1
    assert log_likelihood(network, rows) == pytest.approx(500 * math.log(1e-5) + 500 * math.log(2e-5))


@pytest.mark.parametrize(
    ("variables", "evidence", "error", "message"),
    [
        (["Rian"], {}, EvidenceError, "network 'sprinkler' has no variable 'Rian'; it has Rain, Sprinkler, Wet"),
        (["Rain"], {"Snow": "yes"}, EvidenceError, "has no variable 'Snow'"),
        (["Rain"], {"Wet": "damp"}, EvidenceError, "variable 'Wet' has no state 'damp'; its states are no, yes"),
        (
            ["Rain"],
            {"Rain": "no", "Sprinkler": "off", "Wet": "yes"},
            EvidenceError,
            "the evidence Rain = no, Sprinkler = off, Wet = yes has probability 0",
        ),
        ([], {}, OptionError, "at least one variable"),
        ("Rain", {}, OptionError, "expected a list of variables, got 'Rain'"),
        (["Rain", "Rain"], {}, OptionError, "'Rain' is asked for twice"),
        (["Rain"], [("Wet", "yes")], OptionError, "evidence must be a mapping"),
    ],
)
def test_bad_questions_are_refused_in_one_line(sprinkler, variables, evidence, error, message):
    with pytest.raises(error) as refused:
        query(sprinkler, variables, evidence)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_structure_cannot_be_asked():
    with pytest.raises(OptionError, match="network 'bare' has no tables"):
        Network(DAG(["A"]), {"A": ("x", "y")}, name="bare").query(["A"])


def test_the_clique_that_fits_is_the_largest():
    limits = TableLimits(table=100)
    assert fitting_clique([2] * 10, limits) == 6
    assert fitting_clique([10, 2, 10, 2], limits) == 2
    assert fitting_clique([101, 2], limits) == 0
    assert fitting_clique([2, 2], limits) == 2
    assert fitting_clique([2] * 10, TableLimits(total=8 * 10 * 16)) == 4
    with pytest.raises(BnfuseError):
        TableLimits(table=0)


@needs_networks
@pytest.mark.parametrize("name", QUICK)
def test_benchmark_networks_answer_as_in_pyagrum(name):
    pyagrum = pytest.importorskip("pyagrum", reason="needs the extra 'files'")
    from bnfuse._pyagrum import to_bayesnet

    network = networks.load(name)
    model = to_bayesnet(network)
    engine = pyagrum.LazyPropagation(model)
    for variable, table in marginals(network).items():
        np.testing.assert_allclose(table, engine.posterior(variable).toarray(), atol=1e-9)
    row = network.sample(1, seed=3)
    observed = network.variables[:: max(2, len(network.variables) // 5)]
    evidence = {variable: row.states[variable][row.column(variable)[0]] for variable in observed}
    engine = pyagrum.LazyPropagation(model)
    engine.setEvidence(evidence)
    for variable, table in marginals(network, None, evidence).items():
        np.testing.assert_allclose(table, engine.posterior(variable).toarray(), atol=1e-9)
    free = [variable for variable in network.variables if variable not in evidence]
    pair = [free[-1], free[0]]
    engine = pyagrum.LazyPropagation(model)
    engine.setEvidence(evidence)
    engine.addJointTarget(set(pair))
    # pyAgrum's arrays have their axes in reverse
    expected = engine.jointPosterior(set(pair)).reorganize(pair[::-1]).toarray()
    np.testing.assert_allclose(network.query(pair, evidence), expected, atol=1e-9)
