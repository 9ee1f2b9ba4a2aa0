"""Cut points of numbers stay with a network: in files, under other names, pickled."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bnfuse.files import bif, xdsl, xmlbif
from bnfuse.graphs.renaming import renamed_states, renamed_variables
from samples import uniform

cut_points_of_some = st.dictionaries(
    st.text(st.characters(blacklist_categories=()), min_size=1, max_size=6),
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=3, unique=True).map(
        lambda points: tuple(sorted(points))
    ),
    min_size=1,
    max_size=4,
)


@given(cut_points_of_some)
def test_cut_points_stay_in_files_that_have_properties(cuts):
    states = {name: tuple(f"c{i}" for i in range(len(points) + 1)) for name, points in cuts.items()}
    network = uniform({**states, "plain": ("yes", "no")} if "plain" not in states else states, cuts)
    assert network.cuts == cuts
    for form in (bif, xmlbif):
        [back] = form.read_text(form.write_text(network), "network")
        assert back.cuts == cuts
        assert back == network
    assert pickle.loads(pickle.dumps(network)).cuts == cuts
    assert network.renamed("other").marked("consensus").cuts == cuts


def test_cut_points_stay_in_files_of_genie():
    states = {"A": ("low", "mid", "high"), "B": ("yes", "no")}
    for cuts in ({"A": (-1.5, 2e-9)}, {"A": (-1.5, 3.0), "B": (0.5,)}, {}):
        [back] = xdsl.read_text(xdsl.write_text(uniform(states, cuts).marked("consensus")), "network")
        assert back.cuts == cuts
        assert back.made_by == "consensus"


def test_cut_points_follow_their_variables():
    network = uniform({"A": ("low", "mid", "high"), "B": ("yes", "no")}, {"A": (1.0, 2.0), "B": (3.0,)})
    assert renamed_variables(network, {"A": "Z"}).cuts == {"Z": (1.0, 2.0), "B": (3.0,)}
    assert renamed_states(network, {"B": {"no": "n", "yes": "y"}}).cuts == {"A": (1.0, 2.0)}
    assert uniform(network.states, {"A": (1.0,), "C": (2.0,)}).cuts == {}  # too few, and no such variable


@pytest.mark.parametrize("text", ["", "A", "A x", "A 1;2", "= 3"])
def test_properties_that_tell_no_cut_points_mean_nothing(text):
    written = bif.write_text(uniform({"A": ("x", "y")}))
    changed = written.replace("{\n", f"{{\n  property bnfuse_cuts = {text.replace(';', ':')};\n", 1)
    [back] = bif.read_text(changed, "network")
    assert back.cuts == {}
