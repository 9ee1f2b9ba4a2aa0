"""What align decides and what it leaves to people: pairs made by hand, opposites, rules for states, and tables."""

import random
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bnfuse
from alignment_pairs import CHOICES, DECIDED, LATER_OPPOSITES, NAMES, OPPOSITE, SAME, STATES
from bnfuse import DAG, BnfuseWarning, FileError, Network, OptionError, align
from bnfuse.alignment.alignment import Alignment
from bnfuse.alignment.opposites import CONTRARIES, opposed
from bnfuse.alignment.state_matching import GUESSED, MatchedLabel, matched_labels
from bnfuse.alignment.state_meanings import interval_of, meanings
from bnfuse.alignment.table import AlignmentRow

BINARY = ("yes", "no")


def in_company(*names):
    """A network in which each name has the same states and neighbours: there a wrong match looks most plausible."""
    arcs = [arc for name in names for arc in (("Parent", name), (name, "Child"))]
    return Network(DAG([*names, "Parent", "Child"], arcs), dict.fromkeys([*names, "Parent", "Child"], BINARY))


def alone(*names):
    return DAG(names)


def proposals(one, other):
    return {row.variable: row for row in align(one, other).rows if row.changes and not row.state}


# Names


@pytest.mark.parametrize("among", [alone, in_company])
@pytest.mark.parametrize(("one", "other", "kind"), NAMES)
def test_what_is_the_same_is_proposed_and_only_that_goes_unchecked(one, other, kind, among):
    for first, second in ((one, other), (other, one)):
        rows = proposals(among(first), among(second)).values()
        if kind == SAME:
            (row,) = rows
            assert {row.variable, row.name} == {one, other}
        else:
            assert all(row.check for row in rows)
        if kind == OPPOSITE:
            assert not rows


@pytest.mark.parametrize(("one", "other"), LATER_OPPOSITES)
def test_opposites_that_no_list_has_do_not_go_unchecked(one, other):
    for among in (alone, in_company):
        assert all(row.check for row in proposals(among(one), among(other)).values())


@pytest.mark.parametrize(("one", "others", "meant"), CHOICES)
def test_of_several_names_the_one_that_is_meant_is_proposed(one, others, meant):
    for among in (alone, in_company):
        for order in (others, others[::-1]):
            row = proposals(among(one), among(*order))[meant]
            assert row.name == one


@given(
    st.sampled_from(sorted(CONTRARIES)), st.sampled_from(["pressure", "Ventricle", "dose", "weighted"]), st.booleans()
)
def test_no_two_names_that_differ_by_contraries_are_ever_joined(morpheme, word, is_first):
    for contrary in CONTRARIES[morpheme]:
        for one, other in (
            (f"{morpheme}_{word}", f"{contrary}_{word}"),
            (f"{word}{morpheme.title()}", f"{word}{contrary.title()}"),
            (f"{morpheme.title()}{word.title()}", f"{contrary}_{word}"),
        ):
            pair = (one, other) if is_first else (other, one)
            assert opposed(*pair)
            assert not proposals(*map(in_company, pair))


@given(st.sampled_from(NAMES))
def test_opposition_is_mutual_and_nothing_is_its_own_opposite(pair):
    one, other, _ = pair
    assert (opposed(one, other) is None) == (opposed(other, one) is None)
    assert opposed(one, one) is opposed(one, one.upper()) is None


def test_opposites_are_not_joined_by_way_of_a_third_name():
    networks = [in_company(name) for name in ("Hypertension", "Hypotension", "Hyptension")]
    names = [network.variables[0] for network in align(networks).apply_all(networks, "apply")]
    assert names == ["Hypertension", "Hypotension", "Hypotension"]


def test_a_lone_name_says_which_opposite_it_is_not_taken_for():
    reasons = {row.variable: row.why for row in align(DAG(["Hypertension"]), DAG(["Hypotension"])).rows}
    assert reasons["Hypotension"] == "check: not in 1; 'Hypertension' is taken for another variable (hyper, hypo)"


# States


@pytest.mark.parametrize(("common", "own", "expected", "kind"), STATES)
def test_states_that_a_rule_decides_are_right_and_the_others_are_to_be_checked(common, own, expected, kind):
    matches = matched_labels(common, own)
    found = {match.label: match.becomes for match in matches}
    assert expected is None or found == expected
    assert set(found.values()) == set(common)
    assert all(match.confidence >= 0.85 for match in matches) == (kind == DECIDED)


@pytest.mark.parametrize(("common", "own", "expected"), [case[:3] for case in STATES if case[3] == DECIDED])
def test_the_order_of_labels_does_not_matter_to_a_rule(common, own, expected):
    for seed in range(4):
        source = random.Random(seed)
        first, second = source.sample(common, len(common)), source.sample(own, len(own))
        assert {match.label: match.becomes for match in matched_labels(first, second)} == expected
        back = {match.becomes: match.label for match in matched_labels(second, first)}
        assert back == expected


@pytest.mark.parametrize(("common", "own", "expected"), [case[:3] for case in STATES if case[3] == DECIDED])
def test_a_rare_state_stays_rare_when_two_networks_are_pooled(common, own, expected):
    """A variable with 0.01 in both networks once pooled to 0.5, because its labels were matched by their order."""
    rare = 0.01
    shares = {label: rare if i == 0 else (1 - rare) / (len(common) - 1) for i, label in enumerate(common)}
    one = Network(DAG(["A"]), {"A": common}, {"A": [shares[label] for label in common]}, "one")
    two = Network(DAG(["A"]), {"A": own}, {"A": [shares[expected[label]] for label in own]}, "two")
    alignment = align(one, two)
    assert not alignment.waiting
    first, second = alignment.apply_all([one, two])
    pooled = bnfuse.consensus([first, second]).pool()
    assert pooled.network.query("A")[common[0]] == pytest.approx(rare)


@pytest.mark.parametrize(
    ("label", "low", "high"),
    [
        ("<60", "-Infinity", "60"),
        ("≤ 60", "-Infinity", "60"),
        ("lt_60", "-Infinity", "60"),
        ("at most 60 years", "-Infinity", "60"),
        ("60 and under", "-Infinity", "60"),
        (">=60", "60", "Infinity"),
        ("GE60", "60", "Infinity"),
        ("60+", "60", "Infinity"),
        ("60 or more", "60", "Infinity"),
        ("over 60", "60", "Infinity"),
        ("18-65", "18", "65"),
        ("between 18 and 65", "18", "65"),
        ("[18, 65)", "18", "65"),
        ("-1.5..2", "-1.5", "2"),
    ],
)
def test_intervals_are_read(label, low, high):
    found = interval_of(label)
    assert found is not None
    assert found.limits == (Decimal(low), Decimal(high))


@pytest.mark.parametrize("label", ["60", "sixty", "65-18", "<", "<x", "60 kg and more men", "legs", "general 60", ""])
def test_other_labels_are_no_intervals(label):
    assert interval_of(label) is None


@given(
    st.lists(
        st.sampled_from(["yes", "No", "0", "1", "1.0", "<5", "5+", "low", "H", "+", "-", "x", "normal"]), unique=True
    )
)
def test_any_labels_are_matched_one_to_one(own):
    common = ("low", "high", "1", "yes", "-")
    matches = matched_labels(common, own)
    assert sorted(match.label for match in matches) == sorted(own)
    assert len({match.becomes for match in matches}) == len(matches)
    assert len(meanings(tuple(own))) == len(own)


# Tables


def with_table(labels, shares, name, variable="A"):
    return Network(DAG([variable]), {variable: labels}, {variable: shares}, name)


def reasons(*networks):
    return {row.state: (row.becomes, row.why) for row in align(*networks).rows}


def test_a_guess_becomes_what_the_tables_fit():
    one = with_table(("a", "b", "c"), (0.1, 0.2, 0.7), "one")
    found = reasons(one, with_table(("x", "y", "z"), (0.69, 0.1, 0.21), "two"))
    assert {state: becomes for state, (becomes, _) in found.items()} == {"x": "c", "y": "a", "z": "b"}
    assert found["x"][1] == "check: by the tables: 0.01 apart, by order only 0.59"


def test_a_guess_that_fits_says_so_and_still_waits():
    found = reasons(with_table(("a", "b"), (0.1, 0.9), "one"), with_table(("x", "y"), (0.15, 0.85), "two"))
    assert found["x"] == ("a", "check: by order only; the tables fit: 0.05 apart, best alternative 0.75")


def test_tables_that_do_not_tell_say_so():
    found = reasons(with_table(("a", "b"), (0.5, 0.5), "one"), with_table(("x", "y"), (0.52, 0.48), "two"))
    assert found["x"] == ("a", "check: by order only; the tables do not decide: 0.02 apart, best alternative 0.02")


def test_a_rule_that_the_tables_contradict_is_to_be_checked():
    one, two = with_table(("yes", "no"), (0.02, 0.98), "one"), with_table(("true", "false"), (0.97, 0.03), "two")
    becomes, why = reasons(one, two)["true"]
    assert becomes == "yes"
    assert why == ("check: the same meaning; the tables fit better with true as no, false as yes: 0.01 apart, not 0.95")
    agreeing = with_table(("true", "false"), (0.03, 0.97), "two")
    assert reasons(one, agreeing)["true"] == (
        "yes",
        "the same meaning; the tables fit: 0.01 apart, best alternative 0.95",
    )


def test_the_tables_say_how_far_apart_variables_of_doubtful_names_are():
    one, two = with_table(BINARY, (0.3, 0.7), "one", "Smoker"), with_table(BINARY, (0.25, 0.75), "two", "Smoking")
    (row,) = align(one, two).rows
    assert row.why == "check: words that begin alike, same states; probabilities 0.05 apart"


def test_marginals_take_parents_into_account():
    """P(B) is 0.5 in the table of B alone, but not once A is summed out."""
    states = {"A": BINARY, "B": ("p", "q")}
    one = Network(DAG(["A", "B"], [("A", "B")]), states, {"A": [0.9, 0.1], "B": [[0.9, 0.1], [0.1, 0.9]]}, "one")
    two = Network(DAG(["A", "B"]), {"A": BINARY, "B": ("x", "y")}, {"A": [0.9, 0.1], "B": [0.18, 0.82]}, "two")
    found = reasons(one, two)
    assert found["x"] == ("q", "check: by the tables: 0.00 apart, by order only 0.64")


# Rows that wait

ONE = Network(DAG(["Smoker", "Sex"]), {"Smoker": BINARY, "Sex": ("a", "b")}, name="one")
TWO = Network(DAG(["Smoking", "Sex"]), {"Smoking": ("true", "false"), "Sex": ("x", "y")}, name="two")


def test_rows_that_wait_are_refused_by_name():
    alignment = align(ONE, TWO)
    assert [(row.variable, row.state) for row in alignment.waiting] == [("Smoking", ""), ("Sex", "x"), ("Sex", "y")]
    with pytest.raises(OptionError) as refused:
        alignment.apply_all([ONE, TWO])
    assert str(refused.value) == (
        "names: 3 rows wait for a check: Smoking -> Smoker in two, Sex: x -> a in two, Sex: y -> b in two; if the "
        "table is right, delete 'check:' from their reason; if it is wrong, correct it; unchecked=\"apply\" takes "
        'all rows as they are, unchecked="skip" leaves out those that wait'
    )
    with pytest.raises(OptionError, match="3 rows wait for a check"):
        alignment.apply(TWO)
    assert alignment.apply(ONE) is ONE  # no row is for it


def test_rows_that_wait_can_be_applied_or_left_out():
    alignment = align(ONE, TWO)
    _, applied = alignment.apply_all([ONE, TWO], unchecked="apply")
    assert dict(applied.states) == dict(ONE.states)
    with pytest.warns(BnfuseWarning, match="left out, not checked yet: Smoking -> Smoker in two, Sex: x -> a in two"):
        _, skipped = alignment.apply_all([ONE, TWO], unchecked="skip")
    assert dict(skipped.states) == dict(TWO.states)  # states of a variable that is not joined stay as they are
    with pytest.raises(OptionError, match="unchecked must be one of 'refuse', 'apply', 'skip'; got 'ask'"):
        alignment.apply_all([ONE, TWO], "ask")


def test_rows_that_were_checked_or_keep_a_name_do_not_wait(tmp_path):
    path = tmp_path / "names.csv"
    align(ONE, TWO).save(path)
    with pytest.raises(FileError, match=r"names.csv:2: 3 rows wait for a check: Smoking -> Smoker in two \(line 2\)"):
        Alignment.load(path).apply_all([ONE, TWO])
    path.write_text(path.read_text().replace("check: ", ""))
    _, applied = Alignment.load(path).apply_all([ONE, TWO])
    assert dict(applied.states) == dict(ONE.states)
    kept = Alignment((AlignmentRow("two", "Smoking", "Smoking", why="check: words that begin alike"),))
    assert kept.apply(TWO) is TWO


def test_rows_for_networks_that_are_not_there_do_not_wait():
    rows = (AlignmentRow("three", "Smoking", "Smoker", why="check: hm"), AlignmentRow("two", "Smoking", "S"))
    with pytest.warns(BnfuseWarning, match="not among the inputs"):
        (changed,) = Alignment(rows).apply_all([TWO])
    assert changed.variables == ("S", "Sex")


def test_a_match_knows_how_sure_it_is():
    assert matched_labels(("a", "b"), ("x", "y"))[0] == MatchedLabel("x", "a", GUESSED, "by order only")


# Networks with other names


@pytest.mark.skipif(not bnfuse.networks.available(), reason="the benchmark networks are not on this machine")
@pytest.mark.parametrize("name", ["alarm", "insurance"])
def test_a_benchmark_network_with_changed_names_is_recognised(name):
    network = bnfuse.networks.load(name)
    source = np.random.default_rng(0)
    names = {}
    for variable in network.variables:
        ways = (variable.swapcase(), f"pt_{variable}", f"{variable}_obs", f"{variable} ")
        names[variable] = ways[source.integers(len(ways))] if source.random() < 0.3 else variable
    dag = DAG([names[v] for v in network.variables], [(names[a], names[b]) for a, b in network.dag.edges])
    other = Network(dag, {names[v]: labels for v, labels in network.states.items()}, name="other")
    found = {row.variable: row.name for row in align(network, other).rows if row.changes}
    assert found == {new: old for old, new in names.items() if new != old}
