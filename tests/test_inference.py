"""Exact inference: the same as enumeration and as pyAgrum, and refused before it gets too large."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
import strategies
from bnfuse import DAG, BnfuseError, EvidenceError, Network, OptionError, TooLargeError, networks
from bnfuse.fusion.table_sizes import TableLimits, fitting_clique
from bnfuse.inference import factors
from bnfuse.inference.evidence import Findings
from bnfuse.inference.factors import Factors
from bnfuse.inference.junction_tree import JunctionTree
from bnfuse.inference.queries import Families, cost, log_likelihood, marginals, query

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
    rows = np.zeros((1, len(network.variables)), np.int8)
    assert log_likelihood(network, rows) == pytest.approx(-240 * math.log(3))  # complete: no inference
    rows[0, :-40] = -1
    with pytest.raises(TooLargeError, match="inference needs a table of"):
        log_likelihood(network, rows)


def test_where_one_tree_is_too_large_each_variable_gets_a_query():
    network = layered(6, 40)
    found = marginals(network, ["L0_0", "L1_3"])
    assert list(found) == ["L0_0", "L1_3"]
    tree = JunctionTree.of(Factors.of(network, network.variables, Findings()))
    assert not tree.fits(TableLimits())
    first_layers = marginals(network, ["L0_0", "L1_3"], limits=TableLimits(table=81))
    np.testing.assert_allclose(first_layers["L1_3"], np.full(3, 1 / 3))


def test_the_answer_has_an_axis_for_each_variable_in_the_order_asked(sprinkler):
    both = sprinkler.query(["Wet", "Rain"]).probabilities
    assert both.shape == (2, 2)
    np.testing.assert_allclose(both.T, sprinkler.query(["Rain", "Wet"]))
    np.testing.assert_allclose(both.sum(), 1)
    np.testing.assert_allclose(sprinkler.query(["Rain"], {"Wet": "yes"})[1], 0.16038 / 0.44838)


def test_observed_variables_have_their_state_for_sure(sprinkler):
    np.testing.assert_allclose(sprinkler.query(["Rain"], {"Rain": "yes"}), [0, 1])
    joint = sprinkler.query(["Rain", "Wet"], {"Rain": "yes"}).probabilities
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


def close_to_fractions(network, asked, table, expected):
    """Equal in ten digits, where a number can be written at all; 0 only where it is smaller than that."""
    labels = [network.states[name] for name in asked]
    for cell, key in zip(np.ndindex(table.shape), itertools.product(*labels), strict=True):
        exact = expected.get(key, Fraction(0))
        if exact > Fraction(1, 10**300):
            assert abs(Fraction(float(table[cell])) / exact - 1) < Fraction(1, 10**10)
        else:
            assert table[cell] <= 1.1e-300


@pytest.mark.parametrize("piece", [1, 4, 1 << 20])
@given(strategies.extreme_networks(), st.data())
def test_nothing_vanishes_however_small_the_numbers(piece, network, data):
    names = st.sampled_from(network.variables)
    observed = data.draw(st.lists(names, unique=True))
    evidence = {name: data.draw(st.sampled_from(network.states[name])) for name in observed}
    asked = data.draw(st.lists(names, unique=True, min_size=1))
    expected, chance = oracles.enumerated_exactly(network, asked, evidence)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(factors, "_PIECE", piece)
        if chance == 0:
            for ask in (network.query, lambda asked, given: marginals(network, asked, given)):
                with pytest.raises(EvidenceError, match="probability 0"):
                    ask(asked, evidence)
        else:
            close_to_fractions(network, asked, network.query(asked, evidence), expected)
            for name, table in marginals(network, asked, evidence).items():
                own, _ = oracles.enumerated_exactly(network, [name], evidence)
                close_to_fractions(network, [name], table, own)
    codes = [network.states[name].index(evidence[name]) if name in evidence else -1 for name in network.variables]
    found = log_likelihood(network, np.array([codes], np.int8))
    assert found == (pytest.approx(log_of(chance), rel=1e-12) if chance else -math.inf)


def log_of(fraction):
    return math.log(fraction.numerator) - math.log(fraction.denominator)


@given(strategies.extreme_networks(max_size=4))
def test_joint_distributions_of_families_do_not_vanish(network):
    families = [(*network.dag.parents(name), name) for name in network.variables]
    families += list(itertools.combinations(network.variables, 2))
    inside = Families(network, families)
    for family in families:
        expected, _ = oracles.enumerated_exactly(network, family, {})
        close_to_fractions(network, family, inside.joint(family), expected)


@pytest.mark.parametrize(
    ("children", "chances"), [(15, (3e-22, 3.3e-22)), (3, (1e-150, 2e-150)), (40, (1e-300, 1e-301))]
)
def test_small_observations_of_one_cause_do_not_vanish(children, chances):
    names = ["C", *(f"F{i}" for i in range(children))]
    states = dict.fromkeys(names, ("a", "b"))
    tables = {name: [[chance, 1 - chance] for chance in chances] for name in names[1:]}
    network = Network(DAG(names, [("C", name) for name in names[1:]]), states, {"C": [0.5, 0.5], **tables})
    evidence = dict.fromkeys(names[1:], "a")
    ratio = (Fraction(chances[0]) / Fraction(chances[1])) ** children
    expected = float(ratio / (1 + ratio))
    assert marginals(network, ["C"], evidence)["C"][0] == pytest.approx(expected, rel=1e-9)
    assert marginals(network, None, evidence)["C"][0] == pytest.approx(expected, rel=1e-9)
    assert network.query(["C"], evidence)[0] == pytest.approx(expected, rel=1e-9)


def test_forward_and_backward_evidence_that_cancel_do_not_vanish():
    """Each of two states is ruled out to 1e-600 before the other is: scaling by the largest number is not enough."""
    names = ["C", *(f"F{i}" for i in range(4))]
    states = dict.fromkeys(names, ("a", "b"))
    one, other = [[1.0, 0.0], [1e-300, 1.0]], [[1e-300, 1.0], [1.0, 0.0]]
    tables = dict(zip(names[1:], (one, one, other, other), strict=True))
    network = Network(DAG(names, [("C", name) for name in names[1:]]), states, {"C": [0.25, 0.75], **tables})
    evidence = dict.fromkeys(names[1:], "a")
    for found in (marginals(network, None, evidence)["C"], network.query(["C"], evidence)):
        np.testing.assert_allclose(found, [0.25, 0.75], rtol=1e-12)


def grid(side):
    """Each variable has the one above and the one to the left as parents."""
    names = [[f"G{i}_{j}" for j in range(side)] for i in range(side)]
    arcs = [(names[i - 1][j], names[i][j]) for i in range(1, side) for j in range(side)]
    arcs += [(names[i][j - 1], names[i][j]) for i in range(side) for j in range(1, side)]
    dag = DAG([name for row in names for name in row], arcs)
    return uniform(dag)


def uniform(dag):
    tables = {v: np.full([2] * (len(dag.parents(v)) + 1), 0.5) for v in dag.variables}
    return Network(dag, dict.fromkeys(dag.variables, ("a", "b")), tables)


@pytest.mark.parametrize(
    "network", [grid(25), uniform(strategies.random_dag(1, 200, mean_parents=3.0))], ids=["grid", "random"]
)
def test_all_marginals_are_refused_from_the_tree_and_not_query_by_query(network, monkeypatch):
    planned = []
    original = Factors.plan
    monkeypatch.setattr(Factors, "plan", lambda self, asked: planned.append(asked) or original(self, asked))
    monkeypatch.setattr(Factors, "contracted", lambda *arguments: pytest.fail("a query was computed"))
    with pytest.raises(TooLargeError, match="inference needs a table of"):
        marginals(network)
    assert len(planned) <= 3
    planned.clear()
    families = [(*network.dag.parents(name), name) for name in network.variables]
    with pytest.raises(TooLargeError, match="inference needs a table of"):
        Families(network, families)
    assert len(planned) <= 3


def test_what_is_over_the_limits_together_is_answered_one_by_one_while_that_is_cheap(monkeypatch):
    network = uniform(strategies.random_dag(2, 200, mean_parents=2.0))  # no variable has many ancestors
    assert not JunctionTree.of(Factors.of(network, network.variables, Findings())).fits(TableLimits())
    found = marginals(network)
    assert list(found) == list(network.variables)
    for table in found.values():
        np.testing.assert_allclose(table, [0.5, 0.5])
    monkeypatch.setattr("bnfuse.inference.queries._MOST_OPERATIONS", 10_000)
    monkeypatch.setattr(Factors, "contracted", lambda *arguments: pytest.fail("a query was computed"))
    with pytest.raises(TooLargeError, match="inference needs a table of"):
        marginals(network)


@pytest.mark.parametrize(
    ("variables", "evidence", "error", "message"),
    [
        (
            ["Rian"],
            {},
            EvidenceError,
            "has no variable 'Rian' (did you mean 'Rain'?); it has 'Rain', 'Sprinkler', 'Wet'",
        ),
        (["Rain"], {"Snow": "yes"}, EvidenceError, "has no variable 'Snow'"),
        (["Rain"], {"Wet": "damp"}, EvidenceError, "variable 'Wet' has no state 'damp'; its states are 'no', 'yes'"),
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

    network = networks.load(name)
    model = network.to_pyagrum()
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


def test_evidence_may_be_the_number_of_a_state():
    dag = DAG.from_edges([("A", "B")])
    states = {"A": ("0", "1"), "B": ("0", "1")}
    network = Network(dag, states, {"A": [0.5, 0.5], "B": [[0.9, 0.1], [0.2, 0.8]]})
    for one in ("1", "1.0", 1, 1.0, np.float64(1)):
        assert network.query("B", {"A": one})["1"] == pytest.approx(0.8)
    with pytest.raises(EvidenceError, match="variable 'A' has no state 2; its states are '0', '1'"):
        network.query("B", {"A": 2})
