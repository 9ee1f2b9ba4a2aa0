"""Judgements of rows, beside a slow twin that counts cases in the joint distribution; and where inputs differ."""

import gzip
import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bnfuse
import oracles
import strategies
from bnfuse import DAG, FileError, Network, OptionError, RowJudgement, read_judgements, row_disputes
from bnfuse.data.data import MISSING, Data
from bnfuse.inference.parameters import fit, pool

CHAIN = DAG(["A", "B"], [("A", "B")])
STATES = {"A": ("x", "y"), "B": ("x", "y", "z")}
NORTH = Network(CHAIN, STATES, {"A": [0.5, 0.5], "B": [[0.2, 0.3, 0.5], [0.6, 0.2, 0.2]]}, "north")
SOUTH = Network(CHAIN, STATES, {"A": [0.9, 0.1], "B": [[0.4, 0.3, 0.3], [0.6, 0.2, 0.2]]}, "south")
SAID = RowJudgement("B", {"A": "x"}, {"x": 0.5, "y": 0.25, "z": 0.25}, 70, "Ana")


@st.composite
def judged(draw):
    """A structure, networks with weights, what an input is worth, and judgements of rows of the structure."""
    found = draw(strategies.small_networks(min_size=2, max_size=3, count=2))
    names, states = found[0].variables, found[0].states
    structure = DAG(names, draw(strategies.acyclic_arcs(names)))
    weights = draw(st.lists(st.integers(0, 3), min_size=2, max_size=2).filter(any))
    said = []
    for _ in range(draw(st.integers(0, 4))):
        variable = draw(st.sampled_from(names))
        row = {name: draw(st.sampled_from(states[name])) for name in structure.parents(variable)}
        parts = [draw(st.integers(0, 4)) for _ in states[variable]]
        parts[0] += not any(parts)
        chances = {state: part / sum(parts) for state, part in zip(states[variable], parts, strict=True)}
        said.append(RowJudgement(variable, row, chances, draw(st.sampled_from([0, 0.5, 7, 1000]))))
    return structure, found, weights, draw(st.sampled_from([0, 1, 100])), said


def twin(structure, found, weights, worth, said, variable, row):
    """The pooled row, by adding up cases one cell of the joint distributions at a time; None where there are none."""
    names, labels = structure.variables, found[0].states[variable]
    cases = dict.fromkeys(labels, Fraction(0))
    for network, weight in zip(found, weights, strict=True):
        for key, chance in oracles.joint_distribution(network).items():
            states = dict(zip(names, key, strict=True))
            if all(states[name] == state for name, state in row.items()):
                cases[states[variable]] += Fraction(chance) * weight * worth
    for one in said:
        if one.variable == variable and one.given == row:
            for state in labels:
                cases[state] += Fraction(one.cases) * Fraction(one.probabilities[state])
    total = sum(cases.values())
    return [float(cases[state] / total) for state in labels] if total > 1e-12 else None


def rows_of(structure, states, variable):
    parents = structure.parents(variable)
    for place in np.ndindex(*(len(states[name]) for name in parents)):
        yield place, {name: states[name][i] for name, i in zip(parents, place, strict=True)}


@given(judged())
def test_a_pooled_row_is_the_mean_of_all_by_their_cases(case):
    structure, found, weights, worth, said = case
    table = pool(structure, found, weights, judgements=said, input_cases=worth).network.cpts
    plain = pool(structure, found, weights).network.cpts
    for variable in structure.variables:
        for place, row in rows_of(structure, found[0].states, variable):
            own = [one for one in said if one.variable == variable and one.given == row and one.cases]
            expected = twin(*case, variable, row) if own else plain[variable][place]
            np.testing.assert_allclose(table[variable][place], expected, atol=1e-9)
            if not own:
                assert (table[variable][place] == plain[variable][place]).all()  # to the last digit
            assert abs(math.fsum(table[variable][place]) - 1) < 4e-16 * len(expected)


@given(judged(), st.randoms(use_true_random=False))
def test_the_order_of_judgements_changes_nothing(case, chance):
    structure, found, weights, worth, said = case
    turned = chance.sample(said, len(said))
    one, other = (pool(structure, found, weights, judgements=own, input_cases=worth).network for own in (said, turned))
    assert one == other


@pytest.mark.parametrize("kind", ["pool", "fit"])
def test_no_confidence_changes_nothing_and_full_confidence_gives_the_row(kind):
    rows = Data(("A", "B"), STATES, np.array([[0, 0], [0, 1], [1, 2], [0, 2]]))

    def table(*said):
        if kind == "pool":
            return pool(CHAIN, [NORTH, SOUTH], judgements=said).network
        return fit(CHAIN, rows, states=STATES, judgements=said).network

    assert table(RowJudgement("B", {"A": "x"}, SAID.probabilities, 0)) == table()
    sure = table(RowJudgement("B", {"A": "x"}, SAID.probabilities, 1e9))
    np.testing.assert_allclose(sure.cpts["B"][0], [0.5, 0.25, 0.25], atol=1e-6)
    assert (sure.cpts["B"][1] == table().cpts["B"][1]).all()


def test_by_hand():
    pooled = pool(CHAIN, [NORTH, SOUTH], judgements=[SAID])
    # A = x in 50 of north's 100 cases and 90 of south's: 10 + 36 + 35 of 140 + 70.
    np.testing.assert_allclose(pooled.network.cpts["B"][0], [81 / 210, (15 + 27 + 17.5) / 210, (25 + 27 + 17.5) / 210])
    assert pooled.notes[-1] == "1 judgement by Ana of 1 row counted as 70 cases"
    weighed = pool(CHAIN, [NORTH, SOUTH], [2, 0], judgements=[SAID], input_cases=10)
    np.testing.assert_allclose(weighed.network.cpts["B"][0, 0], (2 + 35) / (10 + 70))


def test_a_row_that_no_input_has_is_what_the_expert_says():
    never = Network(CHAIN, STATES, {"A": [1.0, 0.0], "B": [[0.2, 0.3, 0.5], [0.6, 0.2, 0.2]]})
    said = RowJudgement("B", {"A": "y"}, {"x": 0.1, "y": 0.2, "z": 0.7}, 1)
    pooled = pool(CHAIN, [never], judgements=[said])
    np.testing.assert_allclose(pooled.network.cpts["B"][1], [0.1, 0.2, 0.7])
    assert not any("probability 0" in note for note in pooled.notes)


def test_judgements_beside_data_are_cases_among_its_rows():
    rows = np.array([[0, 0], [0, 1], [1, 2], [0, 2]])
    fitted = fit(CHAIN, Data(("A", "B"), STATES, rows), states=STATES, prior=0, judgements=[SAID]).network
    np.testing.assert_allclose(fitted.cpts["B"][0], [(1 + 35) / 73, (1 + 17.5) / 73, (1 + 17.5) / 73])
    assert (fitted.cpts["B"][1] == [0, 0, 1]).all()


def test_judgements_beside_data_with_missing_values_are_kept_by_every_iteration():
    rows = np.array([[0, 0], [0, 1], [1, 2], [0, 2], [MISSING, 1], [1, MISSING]])
    data = Data(("A", "B"), STATES, rows)
    before = fit(CHAIN, data, states=STATES)
    fitted = fit(CHAIN, data, states=STATES, judgements=[SAID])
    sure = fit(CHAIN, data, states=STATES, judgements=[RowJudgement("B", {"A": "x"}, SAID.probabilities, 1e9)])
    np.testing.assert_allclose(sure.network.cpts["B"][0], [0.5, 0.25, 0.25], atol=1e-6)
    nearer = np.abs(fitted.network.cpts["B"][0] - sure.network.cpts["B"][0]).sum()
    assert nearer < np.abs(before.network.cpts["B"][0] - sure.network.cpts["B"][0]).sum()
    # As many rows that say the same are the same.
    many = np.repeat([[0, 0], [0, 1], [0, 2]], [2, 1, 1], axis=0)
    small = RowJudgement("B", {"A": "x"}, SAID.probabilities, 4)
    known = fit(DAG(["A", "B"], [("A", "B")]), Data(("A", "B"), STATES, np.vstack([rows[:4], many])), states=STATES)
    said = fit(CHAIN, Data(("A", "B"), STATES, rows[:4]), states=STATES, judgements=[small])
    np.testing.assert_allclose(said.network.cpts["B"], known.network.cpts["B"])


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (RowJudgement("B", {}, SAID.probabilities, 1), "B has the parent A in the consensus"),
        (RowJudgement("A", {"B": "x"}, {"x": 1, "y": 0}, 1), "A has no parents in the consensus"),
        (RowJudgement("a", {}, {"x": 1}, 1), "the consensus has no variable 'a' (did you mean 'A'?)"),
        (RowJudgement("B", {"A": "w"}, SAID.probabilities, 1), "A: unknown state 'w'"),
        (RowJudgement("B", {"A": "x"}, {"x": 0.5, "w": 0.5}, 1), "B: unknown state 'w'"),
        (RowJudgement("A", {}, {"x": 1}, 1), "it gives no probability of 'y'"),
    ],
)
def test_what_is_about_no_row_changes_nothing_and_a_note_says_why(said, why):
    pooled = pool(CHAIN, [NORTH, SOUTH], judgements=[said])
    assert pooled.network == pool(CHAIN, [NORTH, SOUTH]).network
    assert pooled.notes[-1] == f"the judgement of {said.words} is not used: {why}"


def test_many_unused_judgements_are_counted():
    said = [RowJudgement("C", {}, {"x": 1}, 1)] * 5
    assert pool(CHAIN, [NORTH], judgements=said).notes[-1] == "2 more judgements are not used"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"probabilities": {"x": 0.5, "y": 0.3}}, "P(B | A = x): the probabilities must sum to 1; they sum to 0.8"),
        ({"probabilities": {"x": -0.5, "y": 1.5}}, "a probability must be between 0 and 1; got -0.5 for 'x'"),
        ({"probabilities": {"x": math.nan}}, "a probability must be between 0 and 1; got nan for 'x'"),
        ({"probabilities": [1.0]}, "probabilities must map states to numbers"),
        ({"given": "A"}, "given must map each parent to its state"),
        ({"cases": -1}, "cases must be a number of cases that is at least 0"),
        ({"cases": math.inf}, "cases must be a number of cases that is at least 0"),
        ({"cases": 1e10}, "cases must be at most 1,000,000,000"),
        ({"variable": 3}, "variable must be text"),
    ],
)
def test_what_is_no_judgement_is_refused(fields, words):
    whole = {"variable": "B", "given": {"A": "x"}, "probabilities": {"x": 1}, "cases": 1, **fields}
    with pytest.raises(OptionError) as refused:
        RowJudgement(**whole)
    assert words in str(refused.value)


def test_rounded_probabilities_are_rescaled():
    said = RowJudgement("B", {"A": "x"}, {"x": 0.33, "y": 0.33, "z": 0.33}, 1)
    assert math.fsum(said.probabilities.values()) == pytest.approx(1, abs=1e-15)


def test_what_is_no_list_of_judgements_is_refused():
    for wrong in (SAID, "B", [{"variable": "B"}]):
        with pytest.raises(OptionError, match="judgements must be a list of RowJudgement"):
            pool(CHAIN, [NORTH], judgements=wrong)
    with pytest.raises(OptionError, match="input_cases must be a number of cases"):
        pool(CHAIN, [NORTH], judgements=[SAID], input_cases=-1)


def test_a_file_of_judgements(tmp_path):
    rows = [{"variable": "B", "given": {"A": "x"}, "probabilities": dict(SAID.probabilities), "cases": 70, "by": "Ana"}]
    file = tmp_path / "said.json"
    file.write_text(json.dumps(rows))
    assert read_judgements(file) == [SAID]
    packed = tmp_path / "said.json.gz"
    packed.write_bytes(gzip.compress(file.read_bytes()))
    assert read_judgements(packed) == [SAID]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{}", "expected a list"),
        ("[", "line 1"),
        ("[3]", "[0]: expected an object"),
        ('[{"variable": "B"}]', "[0]: lacks 'probabilities'"),
        ('[{"variable": "B", "probabilties": {}, "cases": 1}]', "did you mean 'probabilities'"),
        ('[{"variable": "B", "probabilities": {"x": 0.2}, "cases": 1}]', "[0]: P(B): the probabilities must sum to 1"),
        ('[{"variable": "B", "probabilities": {"x": 1}, "cases": "many"}]', "[0].cases: expected a number"),
    ],
)
def test_a_file_that_holds_something_else_is_refused_with_the_place(tmp_path, text, words):
    file = tmp_path / "said.json"
    file.write_text(text)
    with pytest.raises(FileError) as refused:
        read_judgements(file)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


# Where they differ


@given(judged())
def test_how_far_a_row_is_apart_is_the_mean_divergence_from_the_pooled_row(case):
    structure, found, weights, worth, said = case
    named = [network.renamed(f"n{i}") for i, network in enumerate(found)]
    whole = pool(structure, named, weights, judgements=said, input_cases=worth).network
    rows = row_disputes(whole, named, weights=weights, judgements=said, input_cases=worth)
    assert len(rows) == sum(table[..., 0].size for table in whole.cpts.values())
    for row in rows:
        voices = [(row.cases[name], list(own.values())) for name, own in row.inputs.items()]
        voices += [(one.cases, [one.probabilities[state] for state in row.consensus]) for one in row.judgements]
        total = sum(cases for cases, _ in voices)
        mean = [sum(cases * own[i] for cases, own in voices) / total if total else 0 for i in range(len(row.consensus))]
        apart = sum(
            cases / total * sum(p * math.log2(p / q) for p, q in zip(own, mean, strict=True) if p and q)
            for cases, own in voices
            if total
        )
        assert row.divergence == pytest.approx(apart, abs=1e-9)
        if total > 1e-9 and worth:
            np.testing.assert_allclose(list(row.consensus.values()), mean, atol=1e-6)
        shares = [w for w in weights if w]
        joint = [oracles.joint_distribution(network) for network, w in zip(named, weights, strict=True) if w]
        names = structure.variables
        expected = sum(
            w * chance
            for w, own in zip(shares, joint, strict=True)
            for key, chance in own.items()
            if all(key[names.index(name)] == state for name, state in row.given.items())
        ) / sum(shares)
        assert row.probability == pytest.approx(expected, abs=1e-9)
    ranked = [row.weight for row in rows]
    assert ranked == sorted(ranked, reverse=True)


def test_rows_on_which_all_agree_are_not_disputed():
    whole = pool(CHAIN, [NORTH, SOUTH]).network
    rows = {(row.variable, *row.given.values()): row for row in row_disputes(whole, [NORTH, SOUTH])}
    assert not rows["B", "y"].is_disputed
    assert rows["B", "x"].widest == ("x", 0.2, 0.4)
    (only,) = row_disputes(whole, [NORTH, SOUTH], ["A"])
    assert only.variable == "A"
    assert len(row_disputes(whole, [NORTH, SOUTH], most=1)) == 1


def test_an_expert_who_differs_disputes_a_row_on_which_the_inputs_agree():
    said = RowJudgement("B", {"A": "y"}, {"x": 0.1, "y": 0.1, "z": 0.8}, 50)
    whole = pool(CHAIN, [NORTH, SOUTH], judgements=[said]).network
    rows = {(row.variable, *row.given.values()): row for row in row_disputes(whole, [NORTH, SOUTH], judgements=[said])}
    assert rows["B", "y"].is_disputed
    assert rows["B", "y"].judgements == (said,)


def test_an_input_that_lacks_a_variable_or_tables_takes_no_part():
    alone = Network(DAG(["A"]), {"A": ("y", "x")}, {"A": [0.3, 0.7]}, "alone")
    whole = pool(CHAIN, [NORTH, alone]).network
    rows = {row.variable: row for row in row_disputes(whole, [NORTH, alone, Network(CHAIN, name="bare")])}
    assert rows["A"].inputs == {"north": {"x": 0.5, "y": 0.5}, "alone": {"x": 0.7, "y": 0.3}}
    assert [*rows["B"].inputs] == ["north"]


def test_a_consensus_without_tables_has_no_rows():
    with pytest.raises(OptionError):
        row_disputes(CHAIN, [NORTH])


def test_a_consensus_takes_judgements(tmp_path):
    result = bnfuse.consensus([NORTH, SOUTH])
    expected = pool(result.dag, [NORTH, SOUTH], judgements=[SAID]).network.cpts
    pooled = result.pool(judgements=[SAID])
    assert {name: table.tolist() for name, table in pooled.network.cpts.items()} == {
        name: table.tolist() for name, table in expected.items()
    }
    pooled.save(tmp_path / "result.json")
    assert bnfuse.Consensus.load(tmp_path / "result.json").network == pooled.network
