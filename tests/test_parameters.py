"""Parameters: counts as by hand and as pyAgrum's, expectation maximisation, pooling beside the brute-force mixture."""

import itertools
import math
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bnfuse
import oracles
import strategies
from bnfuse import DAG, MismatchError, Network, OptionError, TooLargeError, networks
from bnfuse.data.data import MISSING, Data
from bnfuse.fusion.table_sizes import TableLimits
from bnfuse.graphs.network import as_network
from bnfuse.inference import em, missing_rows
from bnfuse.inference.missing_rows import Incomplete
from bnfuse.inference.parameters import fit, pool
from bnfuse.inference.queries import log_likelihood, marginals

FITTED = ("asia", "child", "insurance", "alarm")
needs_networks = pytest.mark.skipif(
    not networks.available(FITTED), reason="the benchmark networks are not on this machine"
)

CHAIN = DAG(["A", "B"], [("A", "B")])
STATES = {"A": ("x", "y"), "B": ("x", "y", "z")}
FEW = Data(("A", "B"), STATES, np.array([[0, 0], [0, 0], [0, 1], [0, 2]]))


def test_counts_and_prior_by_hand():
    fitted = fit(Network(CHAIN, STATES, name="chain"), FEW, prior=6)
    np.testing.assert_allclose(fitted.network.cpts["A"], [7 / 10, 3 / 10])
    np.testing.assert_allclose(fitted.network.cpts["B"], [[3 / 7, 2 / 7, 2 / 7], [1 / 3, 1 / 3, 1 / 3]])
    assert fitted.network.name == "chain"
    assert fitted.log_likelihoods == ()
    assert fitted.notes == (
        "the tables are estimated from 4 rows",
        "the data have one state only in column 'A'",
    )


def test_maximum_likelihood_makes_unseen_configurations_uniform_and_counts_them():
    fitted = fit(CHAIN, FEW, states=STATES, prior=0)
    np.testing.assert_allclose(fitted.network.cpts["A"], [1, 0])
    np.testing.assert_allclose(fitted.network.cpts["B"], [[1 / 2, 1 / 4, 1 / 4], [1 / 3, 1 / 3, 1 / 3]])
    assert "1 parent configuration without any row got uniform distributions" in fitted.notes


def test_a_file_a_frame_and_data_give_the_same(tmp_path):
    pytest.importorskip("pandas", reason="needs the extra 'data'")
    network = Network(CHAIN, STATES)
    FEW.write(tmp_path / "few.csv")
    expected = fit(network, FEW).network
    assert fit(network, tmp_path / "few.csv").network == expected
    assert fit(network, FEW.to_pandas()).network == expected


def test_the_states_of_a_bare_structure_are_the_labels_that_occur(tmp_path):
    (tmp_path / "few.csv").write_text("A,B\nyes,1\nno,2\nno,1\n")
    assert fit(CHAIN, tmp_path / "few.csv").network.states == {"A": ("no", "yes"), "B": ("1", "2")}


@pytest.mark.parametrize("prior", [-1, math.nan, math.inf, 10**400, "much"])
def test_a_bad_prior_is_refused(prior):
    with pytest.raises(OptionError, match="prior must be a number of rows that is at least 0"):
        fit(Network(CHAIN, STATES), FEW, prior=prior)


def test_a_table_that_is_too_large_is_refused_before_it_is_built(tmp_path):
    names = [f"X{i}" for i in range(26)]
    dag = DAG(names, [(name, "X25") for name in names[:-1]])
    states = dict.fromkeys(names, ("a", "b"))
    rows = Data(tuple(names), states, np.zeros((3, 26), np.int8))
    with pytest.raises(TooLargeError) as refused:
        fit(dag, rows, states=states)
    assert (refused.value.variable, len(refused.value.parents)) == ("X25", 25)
    assert refused.value.size == 2**26
    assert refused.value.max_clique == 23  # 26 tables of 2 ** 23 numbers take less than 2 GB
    assert "the table of 'X25' with its parents 'X0', 'X1'" in str(refused.value)
    assert "has 67,108,864 numbers; the limit is 10,000,000; with max_clique=23 every table fits" in str(refused.value)
    (tmp_path / "rows.csv").write_text(",".join(names) + "\n" + ",".join("a" * 26) + "\n" + ",".join("b" * 26) + "\n")
    with pytest.raises(TooLargeError):  # the states are known from the data only
        fit(dag, tmp_path / "rows.csv")
    network = Network(DAG(names), states, {name: [0.5, 0.5] for name in names})
    with pytest.raises(TooLargeError, match="'X25'"):
        pool(dag, [network, network])


def test_all_tables_together_have_a_limit_too():
    names = [f"X{i}" for i in range(6)]
    dag = DAG(names, itertools.pairwise(names))
    states = dict.fromkeys(names, ("a", "b", "c"))
    rows = Data(tuple(names), states, np.zeros((3, 6), np.int8))
    numbers = 3 + 5 * 9
    assert fit(dag, rows, states=states, limits=TableLimits(total=8 * numbers)).network.cpts is not None
    with pytest.raises(TooLargeError, match="all tables together 48; the limit is 47 in all"):
        fit(dag, rows, states=states, limits=TableLimits(total=8 * numbers - 1))


@needs_networks
@pytest.mark.parametrize("name", FITTED)
def test_the_true_structure_fitted_to_samples_is_close_to_the_truth_and_the_same_as_pyagrums(name, tmp_path):
    pyagrum = pytest.importorskip("pyagrum", reason="needs the extra 'files'")

    truth = networks.load(name)
    rows = truth.sample(5000, seed=11)
    fitted = fit(Network(truth.dag, truth.states), rows).network
    found = marginals(fitted)
    for variable, chances in marginals(truth).items():
        # a marginal of the fit is a smooth function of counts: five standard errors of a share, and the prior's row
        error = 5 * np.sqrt(chances * (1 - chances) / len(rows)) + 1 / len(rows)
        assert (np.abs(found[variable] - chances) <= error).all()

    # pyAgrum cannot read all labels from a file: numbers instead
    codes = tmp_path / "codes.csv"
    names = {variable: f"V{i}" for i, variable in enumerate(truth.variables)}
    Data(
        tuple(names.values()),
        {names[v]: tuple(map(str, range(len(truth.states[v])))) for v in truth.variables},
        rows.codes,
    ).write(codes)
    template = Network(
        DAG(names.values(), [(names[a], names[b]) for a, b in truth.dag.edges]),
        {names[v]: tuple(map(str, range(len(truth.states[v])))) for v in truth.variables},
    ).to_pyagrum()
    learner = pyagrum.BNLearner(str(codes), template)
    learner.useBDeuPrior(1.0)
    learned = learner.learnParameters(template.dag())
    theirs = as_network(learned)
    for variable in truth.variables:
        np.testing.assert_allclose(fitted.cpts[variable], theirs.cpts[names[variable]], atol=1e-9)


# Missing values


def with_gaps(rows, share, seed=0):
    codes = rows.codes.copy()
    codes[np.random.default_rng(seed).random(codes.shape) < share] = MISSING
    return Data(rows.variables, rows.states, codes)


SPRINKLER = Network(
    DAG(["Rain", "Sprinkler", "Wet"], [("Rain", "Sprinkler"), ("Rain", "Wet"), ("Sprinkler", "Wet")]),
    {"Rain": ("no", "yes"), "Sprinkler": ("off", "on"), "Wet": ("dry", "damp", "soaked")},
    {
        "Rain": [0.7, 0.3],
        "Sprinkler": [[0.6, 0.4], [0.9, 0.1]],
        "Wet": [[[0.9, 0.05, 0.05], [0.1, 0.5, 0.4]], [[0.2, 0.2, 0.6], [0.05, 0.15, 0.8]]],
    },
)


def one_iteration(network, rows, prior, all_cells=True):
    """The slow and obvious twin: every completion of every row counts by its probability.

    All that a row says nothing about, a missing variable without observed descendants, need not count (`all_cells`).
    """
    counts = {v: np.full(network.cpts[v].shape, prior / network.cpts[v].size) for v in network.variables}
    joint = oracles.joint_distribution(network)
    graph = oracles.graph_of(network.dag)
    labels = network.states
    likelihood = 0.0
    for row in rows.codes.tolist():
        known = {v: labels[v][code] for v, code in zip(rows.variables, row, strict=True) if code != MISSING}
        known |= {v: labels[v][0] for v in network.variables if len(labels[v]) == 1}
        used = {v for v in network.variables if all_cells or v in known or nx.descendants(graph, v) & known.keys()}
        fitting = {
            key: p
            for key, p in joint.items()
            if all(key[network.variables.index(v)] == label for v, label in known.items())
        }
        total = sum(fitting.values())
        likelihood += math.log(total)
        for key, p in fitting.items():
            code = {v: labels[v].index(label) for v, label in zip(network.variables, key, strict=True)}
            for v in used:
                counts[v][tuple(code[w] for w in (*network.dag.parents(v), v))] += p / total
    tables = {}
    for v, table in counts.items():
        sums = table.sum(-1, keepdims=True)
        tables[v] = np.where(sums > 0, table / np.where(sums > 0, sums, 1), 1 / table.shape[-1])
    return Network(network.dag, network.states, tables), likelihood


@st.composite
def gapped(draw):
    """A small structure with states, rows of it with missing cells, and a prior."""
    (network,) = draw(strategies.small_networks(max_size=4))
    rows = network.sample(draw(st.integers(1, 12)), seed=draw(st.integers(0, 99)))
    share = draw(st.sampled_from([0.1, 0.4, 0.8]))
    return network, with_gaps(rows, share, draw(st.integers(0, 99))), draw(st.sampled_from([0.0, 0.5, 1.0, 10.0]))


def iterations_of(network, rows, prior, number):
    shapes = [network.cpts[v].shape for v in network.variables]
    steps = itertools.islice(em.iterations(Incomplete(network.dag, rows.states, rows.codes), prior), number)
    for step in steps:
        tables = [table.reshape(shape) for table, shape in zip(step.tables, shapes, strict=True)]
        yield step, Network(network.dag, rows.states, dict(zip(network.variables, tables, strict=True)))


@pytest.mark.parametrize("call", [0, 10**9], ids=["part-by-part", "one-tree"])
@given(gapped())
def test_an_iteration_is_what_enumeration_gives_and_never_lowers_the_posterior(call, case):
    network, rows, prior = case
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(missing_rows, "_CALL", call)
        steps = list(iterations_of(network, rows, prior, 6))
    posteriors = []
    for (step, tables), following in zip(steps, [*steps[1:], None], strict=True):
        twin, likelihood = one_iteration(tables, rows, prior, all_cells=False)
        assert step.log_likelihood == pytest.approx(likelihood, rel=1e-9, abs=1e-9)
        density = sum((prior / t.size * np.log(t)).sum() for t in tables.cpts.values()) if prior else 0.0
        assert step.log_posterior == pytest.approx(likelihood + density, rel=1e-9, abs=1e-9)
        posteriors.append(likelihood + density)
        if following is not None:
            for variable in network.variables:
                np.testing.assert_allclose(following[1].cpts[variable], twin.cpts[variable], atol=1e-9)
    for before, after in itertools.pairwise(posteriors):
        assert after >= before - 1e-9 * abs(before)


@given(gapped())
@settings(max_examples=20)
def test_two_fits_give_the_same_bits_and_another_iteration_gains_next_to_nothing(case):
    network, rows, prior = case
    if not rows.missing:
        return
    fitted = fit(Network(network.dag, network.states), rows, prior=prior)
    assert fitted.network == fit(Network(network.dag, network.states), rows, prior=prior).network
    if "not yet converged" in str(fitted.notes):
        return
    again, _ = one_iteration(fitted.network, rows, prior, all_cells=False)

    def posterior(tables):
        likelihood = one_iteration(tables, rows, prior)[1]
        return likelihood + (sum((prior / t.size * np.log(t)).sum() for t in tables.cpts.values()) if prior else 0.0)

    assert posterior(again) - posterior(fitted.network) <= 1e-6 * len(rows) + 1e-9


def test_expectation_maximisation_ends_where_another_iteration_changes_next_to_nothing():
    complete = SPRINKLER.sample(600, seed=1)
    gaps = with_gaps(complete, 0.1)
    heard = []
    fitted = fit(SPRINKLER, gaps, progress=lambda step, value: heard.append((step, value)))
    assert heard == list(enumerate(fitted.log_likelihoods, 1))
    assert len(heard) > 1
    assert fitted.log_likelihoods[-1] == pytest.approx(log_likelihood(fitted.network, gaps.codes))
    assert fitted.log_likelihoods[-1] > fitted.log_likelihoods[0]
    again, _ = one_iteration(fitted.network, gaps, 1.0, all_cells=False)
    close = fit(SPRINKLER, complete).network
    for variable in SPRINKLER.variables:
        np.testing.assert_allclose(fitted.network.cpts[variable], again.cpts[variable], atol=2e-3)
        np.testing.assert_allclose(fitted.network.cpts[variable], close.cpts[variable], atol=0.1)
    assert any("missing cells of 1,800" in note and "expectation maximisation" in note for note in fitted.notes)


def test_expectation_maximisation_without_a_prior_makes_impossible_configurations_uniform():
    rows = Data(("A", "B"), STATES, np.array([[0, 0], [0, 1], [0, MISSING], [0, 2]]))
    fitted = fit(Network(CHAIN, STATES), rows, prior=0)
    np.testing.assert_allclose(fitted.network.cpts["A"], [1, 0])
    np.testing.assert_allclose(fitted.network.cpts["B"], np.full((2, 3), 1 / 3))
    assert "1 parent configuration without any row got uniform distributions" in fitted.notes


def test_expectation_maximisation_says_when_it_was_stopped(monkeypatch):
    monkeypatch.setattr("bnfuse.inference.parameters.MOST_ITERATIONS", 2)
    fitted = fit(SPRINKLER, with_gaps(SPRINKLER.sample(600, seed=1), 0.4))
    assert len(fitted.log_likelihoods) == 2
    assert "expectation maximisation was stopped after 2 iterations, not yet converged" in fitted.notes


def test_missing_cells_that_nothing_depends_on_need_no_inference(monkeypatch):
    """A wide common effect: its tree would be too large, but where it is missing it does not matter."""
    dag = strategies.common_effect(12)
    states = dict.fromkeys(dag.variables, ("a", "b"))
    rows = Network(dag, states, {v: np.full([2] * (len(dag.parents(v)) + 1), 0.5) for v in dag.variables}).sample(50)
    codes = rows.codes.copy()
    codes[:20, -1] = MISSING
    monkeypatch.setattr(missing_rows.CliqueTree, "calibrated", lambda *arguments, **options: pytest.fail("inference"))
    fitted = fit(dag, Data(rows.variables, states, codes), states=states)
    assert len(fitted.log_likelihoods) == 2  # the first is the answer already
    expected = fit(dag, Data(rows.variables, states, codes[20:]), states=states).network.cpts["X12"]
    np.testing.assert_allclose(fitted.network.cpts["X12"], expected)


def test_incomplete_rows_that_are_too_large_to_reason_with_are_refused():
    dag = strategies.common_effect(12)
    states = dict.fromkeys(dag.variables, ("a", "b"))
    codes = np.full((3, 12), MISSING, np.int8)
    codes[:, -1] = 1
    with pytest.raises(TooLargeError, match="inference needs a table of 2,048 numbers over 'X1', 'X2'"):
        Incomplete(dag, states, codes, TableLimits(table=2047))


@pytest.mark.parametrize("share", [0.05, pytest.param(0.2, marks=pytest.mark.long)])
def test_without_a_prior_pyagrum_comes_to_the_same_tables(share, tmp_path):
    pyagrum = pytest.importorskip("pyagrum", reason="needs the extra 'files'")
    template = SPRINKLER.to_pyagrum()

    gaps = with_gaps(SPRINKLER.sample(800, seed=5), share)
    path = tmp_path / "rows.csv"
    labels = [np.array([*SPRINKLER.states[v], "?"], object) for v in SPRINKLER.variables]
    lines = [",".join(own[code] for own, code in zip(labels, row, strict=True)) for row in gaps.codes.tolist()]
    path.write_text("\n".join([",".join(SPRINKLER.variables), *lines]) + "\n")

    learner = pyagrum.BNLearner(str(path), template, ["?"])
    learner.useNoPrior()
    learner.useEM(1e-9, 0.0)
    theirs = as_network(learner.learnParameters(template.dag()))
    fitted = fit(SPRINKLER, gaps, prior=0)
    ours = fitted.log_likelihoods[-1]
    assert ours == pytest.approx(log_likelihood(theirs, gaps.codes), abs=1e-3)
    for variable in SPRINKLER.variables:
        np.testing.assert_allclose(fitted.network.cpts[variable], theirs.cpts[variable], atol=5e-3)


@needs_networks
def test_expectation_maximisation_on_asia_comes_close_to_the_complete_data():
    asia = networks.load("asia")
    complete = asia.sample(5000, seed=11)
    fitted = fit(asia, with_gaps(complete, 0.1))
    expected = marginals(fit(asia, complete).network)
    for variable, chances in marginals(fitted.network).items():
        # what a tenth of the cells less can tell: three standard errors of the missing part
        error = 3 * np.sqrt(expected[variable] * (1 - expected[variable]) / len(complete)) + 1e-3
        assert (np.abs(chances - expected[variable]) <= error).all()


# Pooling


@st.composite
def pools(draw):
    """A structure, networks with tables over the same variables, and their weights."""
    found = draw(strategies.small_networks(min_size=2, max_size=4, count=3))
    structure = DAG(found[0].variables, draw(strategies.acyclic_arcs(found[0].variables)))
    weights = draw(st.lists(st.integers(0, 3), min_size=3, max_size=3).filter(any))
    return structure, found, weights


def mixture(found, weights):
    mixed = {}
    for network, weight in zip(found, weights, strict=True):
        for key, chance in oracles.joint_distribution(network).items():
            mixed[key] = mixed.get(key, 0.0) + weight / sum(weights) * chance
    return mixed


@given(pools())
def test_pooled_tables_are_the_conditional_distributions_of_the_mixture(case):
    structure, found, weights = case
    mixed = mixture(found, weights)
    pooled = pool(structure, found, weights)
    names, states = structure.variables, found[0].states
    impossible = 0
    for variable in names:
        family = (*structure.parents(variable), variable)
        expected = np.zeros([len(states[name]) for name in family])
        for key, chance in mixed.items():
            expected[tuple(states[name].index(key[names.index(name)]) for name in family)] += chance
        sums = expected.sum(-1, keepdims=True)
        possible = (sums > 1e-12)[..., 0]
        impossible += int((~possible).sum())
        table = pooled.network.cpts[variable]
        np.testing.assert_allclose(table[possible], (expected[possible] / sums[possible]), atol=1e-9)
        np.testing.assert_allclose(table[~possible], 1 / len(states[variable]))
    counted = [note for note in pooled.notes if "probability 0" in note]
    noun = "parent configuration" if impossible == 1 else "parent configurations"
    assert counted == ([f"{impossible} {noun} of probability 0 got uniform distributions"] if impossible else [])


@given(pools())
def test_no_tables_are_closer_to_the_mixture_than_pooled_ones(case):
    """Beside tables averaged one by one, which needs one structure, and beside any others."""
    structure, found, weights = case
    same = [Network(structure, network.states, pool(structure, [network]).network.cpts) for network in found]
    mixed = mixture(same, weights)
    best = oracles.divergence(mixed, pool(structure, same, weights).network)
    shares = np.array(weights) / sum(weights)
    averaged = {
        v: sum(share * network.cpts[v] for share, network in zip(shares, same, strict=True))
        for v in structure.variables
    }
    assert best <= oracles.divergence(mixed, Network(structure, found[0].states, averaged)) + 1e-9
    for network in same:
        assert best <= oracles.divergence(mixed, network) + 1e-9


@given(strategies.small_networks(), st.integers(1, 3))
def test_copies_of_a_network_pooled_on_its_structure_give_it_back(found, copies):
    (network,) = found
    pooled = pool(network.dag, [network] * copies).network
    joint = oracles.joint_distribution(network)
    names = network.variables
    for variable in names:
        parents = network.dag.parents(variable)
        for configuration in itertools.product(*(range(len(network.states[p])) for p in parents)):
            labels = {p: network.states[p][code] for p, code in zip(parents, configuration, strict=True)}
            chance = sum(
                p for key, p in joint.items() if all(key[names.index(v)] == label for v, label in labels.items())
            )
            if chance > 1e-12:
                np.testing.assert_allclose(
                    pooled.cpts[variable][configuration], network.cpts[variable][configuration], atol=1e-9
                )


@given(strategies.small_networks(min_size=2, max_size=4, count=2), st.randoms(use_true_random=False))
@settings(max_examples=50)
def test_states_and_variables_in_another_order_change_nothing(found, random):
    first, second = found
    states, tables = {}, {}
    for name in second.variables:
        states[name] = tuple(random.sample(second.states[name], len(second.states[name])))
    for name in second.variables:
        family = (*second.dag.parents(name), name)
        orders = [[second.states[member].index(label) for label in states[member]] for member in family]
        tables[name] = second.cpts[name][np.ix_(*orders)]
    turned = Network(second.dag, states, tables)
    names = random.sample(second.variables, len(second.variables))
    dag = second.dag.reordered(names)
    moved = Network(
        dag,
        states,
        {
            v: tables[v].transpose(
                [*(second.dag.parents(v).index(p) for p in dag.parents(v)), len(second.dag.parents(v))]
            )
            for v in names
        },
    )
    expected = pool(first.dag, [first, second]).network
    for other in (turned, moved):
        pooled = pool(first.dag, [first, other]).network
        assert pooled.states == first.states
        for name in first.variables:
            np.testing.assert_allclose(pooled.cpts[name], expected.cpts[name], atol=1e-12)


def test_networks_that_cannot_be_pooled_are_named():
    one = Network(CHAIN, STATES, {"A": [0.5, 0.5], "B": np.full((2, 3), 1 / 3)}, "north")
    other_states = {"A": ("x", "w"), "B": STATES["B"]}
    other = Network(CHAIN, other_states, {"A": [0.5, 0.5], "B": np.full((2, 3), 1 / 3)}, "south")
    with pytest.raises(MismatchError, match="the states 'x', 'y' in network 'north' and 'x', 'w' in network 'south'"):
        pool(CHAIN, [one, other])
    with pytest.raises(OptionError, match="network 'bare' has no tables"):
        pool(CHAIN, [one, Network(CHAIN, STATES, name="bare")])
    with pytest.raises(MismatchError, match="no network with tables has the variable 'B': fit"):
        pool(CHAIN, [Network(DAG(["A"]), {"A": ("x", "y")}, {"A": [0.5, 0.5]}, "small")])
    with pytest.raises(OptionError, match="3 weights for 1 networks"):
        pool(CHAIN, [one], [1, 2, 3])
    with pytest.raises(OptionError, match="at least one weight must be above 0"):
        pool(CHAIN, [one], [0])
    with pytest.raises(OptionError, match="at least one network"):
        pool(CHAIN, [])


@pytest.mark.parametrize("weights", [[0.1234567891234, 1 / 3], [1e-9, 1.0], [1e200, 3e-200], [2**40 + 1, 2**40]])
def test_weights_count_exactly(weights):
    tables = [{"A": [0.25, 0.75], "B": np.full((2, 3), 1 / 3)}, {"A": [1.0, 0.0], "B": np.full((2, 3), 1 / 3)}]
    found = [Network(CHAIN, STATES, own) for own in tables]
    first, second = map(Fraction, map(str, weights))
    expected = float((first / 4 + second) / (first + second))
    assert pool(CHAIN, found, weights).network.cpts["A"][0] == pytest.approx(expected, rel=1e-15)
    pooled = bnfuse.consensus(found, effort="quick").pool(weights).network
    assert pooled.cpts["A"][0] == pytest.approx(expected, rel=1e-15)


class Label(str):
    """Counts how often labels are compared."""

    __slots__ = ()
    compared = 0
    __hash__ = str.__hash__

    def __eq__(self, other):
        Label.compared += 1
        return str.__eq__(self, other)


def test_many_states_are_matched_in_one_go():
    count = 5_000
    found = []
    for order in (range(count), reversed(range(count))):
        states = {"A": tuple(Label(f"s{i}") for i in order)}
        found.append(Network(DAG(["A"]), states, {"A": np.full(count, 1 / count)}))
    Label.compared = 0
    pooled = pool(DAG(["A"]), found).network
    assert Label.compared < 10 * count
    np.testing.assert_allclose(pooled.cpts["A"], 1 / count)


# The consensus


@given(strategies.small_networks(min_size=2, max_size=4, count=3, min_states=2))
@settings(max_examples=8)
def test_a_consensus_of_networks_with_tables_is_pooled_from_them(found):
    result = bnfuse.consensus(found, max_clique=3, weights=[1, 2, 1], effort="quick")
    assert result.parameters is None
    assert result.network == pool(result.dag, found, [1, 2, 1]).network
    assert result.network.name == "consensus"
    by_hand = result.pool([1, 0, 0])
    assert by_hand.network == pool(result.dag, found[:1]).network
    assert by_hand.notes[-1].startswith("the tables come from one network") or "probability 0" in by_hand.notes[-1]
    assert result.pool({"net1": 5}).network == pool(result.dag, found, [1, 5, 1]).network
    fitted = by_hand.fit(found[0].sample(100))
    assert fitted.network.cpts is not None
    assert fitted.notes[-1].startswith(("the tables are estimated from 100 rows", "the data have one state"))
    assert not any("pooled" in note for note in fitted.notes)
    assert fitted.dag == result.dag


def test_a_consensus_of_structures_is_a_structure():
    dags = [DAG(["A", "B"], [("A", "B")]), DAG(["A", "B"])]
    result = bnfuse.consensus(dags)
    assert result.network.cpts is None
    assert result.finished is result
    with pytest.raises(OptionError, match="pooling needs input networks with tables"):
        result.pool()
    assert bnfuse.consensus([CHAIN, Network(CHAIN, STATES)]).network.states == STATES


def test_what_cannot_be_pooled_by_default_stays_a_structure_and_says_why():
    one = Network(CHAIN, STATES, {"A": [0.5, 0.5], "B": np.full((2, 3), 1 / 3)}, "north")
    other = Network(CHAIN, {**STATES, "A": ("x", "w")}, {"A": [0.5, 0.5], "B": np.full((2, 3), 1 / 3)}, "south")
    result = bnfuse.consensus([one, other])
    assert result.network.cpts is None
    assert any(
        note.startswith("the tables were not pooled: variable 'A' has the states") for note in result.finished.notes
    )
    with pytest.raises(MismatchError):
        result.pool()


def test_what_is_too_large_to_pool_by_default_stays_a_structure_and_says_why():
    names = [f"X{i}" for i in range(25)]
    network = Network(DAG(names), dict.fromkeys(names, ("a", "b")), {name: [0.5, 0.5] for name in names})
    result = bnfuse.consensus(
        [network, network], max_clique=25, required=[(name, "X24") for name in names[:-1]], effort="quick"
    )
    assert result.network.cpts is None
    assert result.network.states == network.states
    assert any("not pooled: the table of 'X24' with its parents" in note for note in result.finished.notes)
    with pytest.raises(TooLargeError):
        result.pool()


def test_pyagrum_networks_are_pooled_too():
    pytest.importorskip("pyagrum", reason="needs the extra 'files'")

    models = [SPRINKLER.to_pyagrum(), SPRINKLER.to_pyagrum()]
    result = bnfuse.consensus(models)
    assert result.dag == SPRINKLER.dag
    for variable in SPRINKLER.variables:
        np.testing.assert_allclose(result.network.cpts[variable], SPRINKLER.cpts[variable])


@pytest.mark.parametrize(("extension", "precision"), [("bifxml", 1e-15), ("bif", 1e-7)])  # BIF: in single precision
def test_a_finished_consensus_is_read_back_by_pyagrum_with_equal_tables(tmp_path, extension, precision):
    pyagrum = pytest.importorskip("pyagrum", reason="needs the extra 'files'")
    result = bnfuse.consensus([SPRINKLER, SPRINKLER])
    path = tmp_path / f"consensus.{extension}"
    bnfuse.write(result.network, path)
    assert bnfuse.read(path)[0] == result.network
    theirs = as_network(pyagrum.loadBN(str(path)))
    assert theirs.states == result.network.states
    for variable in SPRINKLER.variables:
        np.testing.assert_allclose(
            theirs.cpts[variable].transpose(
                [*(theirs.dag.parents(variable).index(p) for p in result.dag.parents(variable)), -1]
            ),
            result.network.cpts[variable],
            atol=precision,
        )


def test_columns_that_say_little_are_named():
    names = tuple("ABC")
    states = dict.fromkeys(names, ("no", "yes"))
    dag = DAG(names, [("A", "B")])
    complete = np.array([[0, 1, 0], [0, 0, 1]], np.int8)
    assert "the data have one state only in column 'A'" in fit(dag, Data(names, states, complete)).notes
    gaps = np.array([[0, 1, -1], [-1, 0, -1]], np.int8)
    notes = fit(dag, Data(names, states, gaps)).notes
    assert "the data have one state only in column 'A'" in notes
    assert "the data have no value in column 'C'" in notes
