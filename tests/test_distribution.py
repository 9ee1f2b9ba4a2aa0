"""The answer to a query: an array that knows its variables and states."""

import numpy as np
import pytest

from bnfuse import DAG, BnfuseError, Distribution, EvidenceError, Network


@pytest.fixture
def sprinkler():
    """Rain -> Wet."""
    return Network(
        DAG(["Rain", "Wet"], [("Rain", "Wet")]),
        {"Rain": ("no", "yes"), "Wet": ("dry", "damp", "wet")},
        {"Rain": [0.75, 0.25], "Wet": [[0.5, 0.25, 0.25], [0.0, 0.5, 0.5]]},
    )


def test_one_variable_may_be_asked_for_by_its_name(sprinkler):
    found = sprinkler.query("Rain")
    assert isinstance(found, Distribution)
    assert (found.variables, dict(found.states)) == (("Rain",), {"Rain": ("no", "yes")})
    assert found["yes"] == pytest.approx(0.25)
    assert found.to_dict() == pytest.approx({"no": 0.75, "yes": 0.25})
    np.testing.assert_array_equal(found, sprinkler.query(["Rain"]))


def test_several_variables_are_indexed_by_their_states_in_the_order_asked(sprinkler):
    found = sprinkler.query(["Wet", "Rain"])
    assert found.shape == (3, 2)
    assert found["dry", "no"] == pytest.approx(0.375)
    assert found["dry", "yes"] == 0
    assert found.to_dict()["wet", "yes"] == pytest.approx(0.125)
    assert sum(probability for _, probability in found.items()) == pytest.approx(1)
    assert sprinkler.query(iter(["Wet", "Rain"]))["dry", "no"] == pytest.approx(0.375)


def test_it_is_an_array_for_numpy(sprinkler):
    found = sprinkler.query(["Wet", "Rain"])
    assert np.sum(found) == pytest.approx(1)
    assert np.asarray(found).shape == (3, 2)
    assert found[0, 0] == pytest.approx(0.375)
    assert found[0].tolist() == pytest.approx([0.375, 0])
    assert [row.tolist() for row in found][2] == pytest.approx([0.1875, 0.125])
    assert np.array(found, np.float32).dtype == np.float32
    copied = np.array(found)
    copied[:] = 0
    assert found[0, 0] == pytest.approx(0.375), "a copy is a copy"


def test_unknown_states_and_wrong_numbers_of_them_are_refused(sprinkler):
    with pytest.raises(EvidenceError, match="variable 'Rain' has no state 'often'; its states are no, yes"):
        sprinkler.query("Rain")["often"]
    with pytest.raises(BnfuseError, match="expected a state for each of Wet, Rain, got 1: dry"):
        sprinkler.query(["Wet", "Rain"])["dry"]


def test_its_text_is_a_table(sprinkler):
    assert repr(sprinkler.query(["Rain", "Wet"], {"Rain": "yes"})) == (
        "Rain  Wet   probability\n"
        "no    dry        0.0000\n"
        "no    damp       0.0000\n"
        "no    wet        0.0000\n"
        "yes   dry        0.0000\n"
        "yes   damp       0.5000\n"
        "yes   wet        0.5000"
    )
    assert "<td>damp</td><td>0.3125</td>" in sprinkler.query("Wet")._repr_html_()


def test_a_long_text_is_cut():
    labels = tuple(f"s{i}" for i in range(100))
    lines = repr(Distribution(("A",), {"A": labels}, np.full(100, 0.01))).splitlines()
    assert lines[-1] == "and 60 more"
