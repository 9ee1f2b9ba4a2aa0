"""A panel's answers and effects: what each network says by itself, and how far that is from each other."""

import numpy as np
import pytest

import joint_tables
from bnfuse import DAG, EvidenceError, MismatchError, Network, OptionError, answers, consensus, effects, read
from bnfuse.inference.asking import panel
from running import CLINICS


def members(seed, count=3):
    """Networks over the same variables and states, with other arcs and tables."""
    first = joint_tables.random_network(seed, 5)
    found = [first]
    for place in range(1, count):
        random = np.random.default_rng(1000 * seed + place)
        order = random.permutation(first.variables).tolist()
        arcs = [(a, b) for i, a in enumerate(order) for b in order[i + 1 :] if random.random() < 0.4]
        dag = DAG(first.variables, arcs)
        tables = {
            name: random.dirichlet(
                np.ones(len(first.states[name])), [len(first.states[one]) for one in dag.parents(name)]
            )
            for name in first.variables
        }
        found.append(Network(dag, first.states, tables, f"member {place}"))
    return found


def response(network, cause, label, target):
    return joint_tables.marginal(network, joint_tables.joint(network, {cause: label}), [target])


@pytest.mark.parametrize("seeds", [range(30), pytest.param(range(30, 300), marks=pytest.mark.long)])
def test_effects_are_differences_between_interventions_and_none_is_missing(seeds):
    compared = 0
    for seed in seeds:
        whole, *inputs = members(seed)
        found = effects(whole, inputs)
        told = {(one.cause, one.target): one for one in found.rows}
        assert len(told) == len(found.rows)
        for cause in whole.variables:
            for target in whole.variables:
                if cause == target:
                    continue
                tables = [
                    np.stack([response(network, cause, label, target) for label in whole.states[cause]])
                    for network in (whole, *inputs)
                ]
                if (cause, target) not in told:
                    assert all(np.ptp(table, axis=0).max() < 1e-8 for table in tables)
                    continue
                one = told[cause, target]
                a, b = (whole.states[cause].index(label) for label in (one.before, one.after))
                state = whole.states[target].index(one.state)
                differences = [float(table[b, state] - table[a, state]) for table in tables]
                assert one.consensus == pytest.approx(differences[0], abs=1e-8)
                assert [*one.inputs.values()] == pytest.approx(differences[1:], abs=1e-8)
                changes = np.stack([table[:, None] - table[None] for table in tables[1:]])
                is_opposite = ((changes.max(0) > 1e-8) & (changes.min(0) < -1e-8)).any()
                assert not is_opposite or one.verdict == "opposite"
                compared += 1
    assert compared > 3 * len(seeds)


def test_the_most_disputed_effects_come_first():
    whole, *inputs = members(4, 4)
    found = effects(whole, inputs)
    ranks = [("opposite", "partly", "agree").index(one.verdict) for one in found.rows]
    assert ranks == sorted(ranks)
    assert found.disputed == tuple(one for one in found.rows if one.verdict != "agree")
    for one in found.rows:
        rises, none, falls = one.signs
        assert rises + none + falls == len(one.inputs) == 3
        assert one.low == min(one.inputs.values())
        assert one.high == max(one.inputs.values())


def test_causes_and_targets_can_be_chosen():
    whole, *inputs = members(4, 4)
    everything = effects(whole, inputs)
    cause, target = everything.rows[0].cause, everything.rows[0].target
    assert effects(whole, inputs, of=[cause], on=[target]).rows == everything.rows[:1]
    with pytest.raises(EvidenceError, match="has no variable 'X'"):
        effects(whole, inputs, of=["X"])
    with pytest.raises(OptionError, match="expected a list of variables"):
        effects(whole, inputs, on=cause)


def test_the_work_is_bounded_and_what_was_left_out_is_named(monkeypatch):
    whole, *inputs = members(4, 4)
    seen = []
    everything = effects(whole, inputs, progress=lambda done, causes: seen.append((done, causes)))
    count = len(whole.variables)
    assert seen == [(i + 1, count) for i in range(count)]
    assert everything.left_out == ()
    monkeypatch.setattr(panel, "_MOST_WORK", 1)
    cut = effects(whole, inputs)
    assert cut.left_out == whole.variables[1:]
    assert cut.rows == effects(whole, inputs, of=whole.variables[:1]).rows


def test_states_in_another_order_and_missing_variables_and_tables():
    one = Network(
        DAG(["A", "B"], [("A", "B")]),
        {"A": ("x", "y"), "B": ("u", "v")},
        {"A": [0.5, 0.5], "B": [[0.9, 0.1], [0.2, 0.8]]},
        "one",
    )
    turned = Network(
        one.dag, {"A": ("y", "x"), "B": ("v", "u")}, {"A": [0.5, 0.5], "B": [[0.8, 0.2], [0.1, 0.9]]}, "turned"
    )
    partial = Network(DAG(["A"]), {"A": ("x", "y")}, {"A": [0.5, 0.5]}, "partial")
    bare = Network(one.dag, name="bare")
    (found,) = effects(one, [one, turned, partial, bare]).rows
    assert found.inputs == {"one": pytest.approx(found.consensus), "turned": pytest.approx(found.consensus)}
    assert found.verdict == "agree"
    asked = answers(one, [one, turned, partial, bare], "B", {"A": "x"})
    np.testing.assert_allclose(asked.inputs["turned"], asked.inputs["one"])
    assert asked.without.keys() == {"partial", "bare"}
    assert "has no variable 'B'" in asked.without["partial"]
    other = Network(
        one.dag, {"A": ("x", "y"), "B": ("u", "w")}, {"A": [0.5, 0.5], "B": [[0.9, 0.1], [0.2, 0.8]]}, "other"
    )
    for ask in (lambda: effects(one, [other]), lambda: answers(one, [other], "B")):
        with pytest.raises(MismatchError, match="'B' has the states 'u', 'v' in the consensus and 'u', 'w' in 'other'"):
            ask()


def test_inputs_of_one_name_all_count():
    whole, first, second = members(3)
    found = effects(whole, [first.renamed("same"), second.renamed("same")])
    assert set(found.rows[0].inputs) == {"same", "same (2)"}


def test_the_answers_of_a_panel_are_those_of_its_members():
    inputs = read(*CLINICS)
    result = consensus(inputs)
    found = answers(result, inputs, "LungCancer", {"Cough": "yes"}, do={"Smoker": "never"})
    for network in inputs:
        expected = network.query("LungCancer", {"Cough": "yes"}, do={"Smoker": "never"})
        assert found.inputs[network.name].to_dict() == pytest.approx(expected.to_dict())
    low, high = found.range["yes"]
    assert low == min(one["yes"] for one in found.inputs.values())
    assert high == max(one["yes"] for one in found.inputs.values())
    with pytest.raises(EvidenceError, match="has no variable 'Cancer'"):
        answers(result, inputs, "Cancer")


def test_an_input_in_which_the_evidence_is_impossible_has_no_answer():
    one, other = (
        Network(DAG.from_edges([("A", "B")]), {"A": ("x", "y"), "B": ("u", "v")}, {"A": [0.5, 0.5], "B": table}, name)
        for name, table in (("one", [[0.9, 0.1], [0.2, 0.8]]), ("other", [[1.0, 0.0], [1.0, 0.0]]))
    )
    found = answers(one, [one, other], "A", {"B": "v"})
    assert list(found.inputs) == ["one"]
    assert "probability 0" in found.without["other"]
