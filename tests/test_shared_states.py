"""States of several networks: those on which all agree are kept, and what differs is said."""

import numpy as np
import pytest

import bnfuse
from bnfuse import DAG, MismatchError, Network
from bnfuse.graphs.network import ASSUMED_STATES, differing_states, shared_states, with_states

ONE = DAG(["A", "B"], [("A", "B")])


def known(name="", **states):
    return Network(ONE, states, name=name)


def test_without_states_nothing_is_known():
    assert shared_states([Network(ONE), ONE]) is None
    assert differing_states([Network(ONE), ONE]) is None


def test_states_are_kept_where_all_agree_in_any_order():
    networks = [Network(ONE), known(A=("x", "y"), B=("u", "v")), known(A=("y", "x"), B=("u", "v"))]
    assert shared_states(networks) == {"A": ("x", "y"), "B": ("u", "v")}
    assert differing_states(networks) is None


def test_a_variable_on_which_they_differ_costs_only_its_own_states():
    networks = [known("p", A=("Yes", "no"), B=("u", "v")), known("q", A=("yes", "no"), B=("v", "u"))]
    assert shared_states(networks) == {"B": ("u", "v")}
    assert differing_states(networks) == (
        "the states of 'A' differ: Yes, no in p and yes, no in q ('Yes' and 'yes' are spelled differently)"
    )


def test_several_differences_are_counted():
    networks = [known(A=("a", "b"), B=("u", "v")), known(A=("a", "b", "c"), B=("u", "w"))]
    assert shared_states(networks) == {}
    assert differing_states(networks) == (
        "the states of 'A' differ: a, b in network 1 and a, b, c in network 2, and so do those of 1 more"
    )


def test_variables_without_agreed_states_get_two():
    assert with_states(ONE, None).states is None
    assert with_states(ONE, {}).states is None
    assert with_states(ONE, {"A": ("x", "y", "z")}, "n").states == {"A": ("x", "y", "z"), "B": ASSUMED_STATES}


def test_a_consensus_keeps_what_all_agree_on_and_says_what_not(tmp_path):
    networks = [known("p", A=("Yes", "no"), B=("u", "v", "w")), known("q", A=("yes", "no"), B=("u", "v", "w"))]
    found = bnfuse.consensus(networks)
    assert found.states == {"B": ("u", "v", "w")}
    assert found.network.states == {"A": ("yes", "no"), "B": ("u", "v", "w")}
    assert any("the states of 'A' differ" in note for note in found.notes)
    found.save(tmp_path / "saved.json")
    assert bnfuse.Consensus.load(tmp_path / "saved.json").states == found.states


def test_data_tell_the_states_on_which_the_inputs_differ(tmp_path):
    networks = [known(A=("Yes", "no"), B=("u", "v", "w")), known(A=("yes", "no"), B=("u", "v", "w"))]
    (tmp_path / "rows.csv").write_text("A,B\nyes,u\nno,v\nmaybe,v\n")
    fitted = bnfuse.consensus(networks).fit(tmp_path / "rows.csv").network
    assert fitted.states == {"A": ("no", "maybe", "yes"), "B": ("u", "v", "w")}
    np.testing.assert_allclose(fitted.query("A"), [1 / 3] * 3)


def test_pooling_names_labels_that_look_alike():
    tables = {"A": [0.5, 0.5], "B": [[0.5, 0.5], [0.5, 0.5]]}
    networks = [Network(ONE, {"A": labels, "B": ("u", "v")}, tables) for labels in (("Yes", "no"), ("yes", "no"))]
    with pytest.raises(MismatchError, match=r"\('Yes' and 'yes' are spelled differently\); pooling needs the same"):
        bnfuse.consensus(networks).pool()
