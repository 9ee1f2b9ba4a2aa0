"""Forward sampling: reproducible, and from the right distribution."""

import numpy as np
import pytest
from hypothesis import given

import strategies
from bnfuse import DAG, Network, OptionError, networks
from bnfuse.inference.queries import log_likelihood, marginals

needs_networks = pytest.mark.skipif(
    not networks.available(["alarm"]), reason="the benchmark networks are not on this machine"
)


@given(strategies.small_networks())
def test_rows_are_possible_and_as_frequent_as_they_should_be(found):
    (network,) = found
    rows = network.sample(4000, seed=1)
    assert rows.variables == network.variables
    assert np.isfinite(log_likelihood(network, rows.codes))  # no row of probability 0
    for name, chances in marginals(network).items():
        shares = np.bincount(rows.column(name), minlength=len(chances)) / len(rows)
        # seven standard errors: of ten thousand such checks none is off by chance
        assert (np.abs(shares - chances) <= 7 * np.sqrt(chances * (1 - chances) / len(rows)) + 1e-9).all()


def test_the_seed_decides():
    network = Network(DAG(["A"]), {"A": ("x", "y", "z")}, {"A": [0.2, 0.3, 0.5]})
    assert network.sample(50).codes.tolist() == network.sample(50, seed=0).codes.tolist()
    assert network.sample(50).codes.tolist() != network.sample(50, seed=1).codes.tolist()
    # kept on purpose: the same rows on every machine and with every later version
    assert network.sample(12, seed=7).codes[:, 0].tolist() == [2, 2, 2, 1, 1, 2, 0, 2, 2, 1, 1, 1]


def test_a_million_rows_are_cut_into_pieces():
    network = Network(
        DAG(["A", "B"], [("A", "B")]), {"A": ("x", "y"), "B": ("x", "y")}, {"A": [0.5, 0.5], "B": np.eye(2)}
    )
    rows = network.sample(200_000, seed=2).codes
    assert (rows[:, 0] == rows[:, 1]).all()


def test_no_rows_are_a_sample_too():
    network = Network(DAG(["A"]), {"A": ("x", "y")}, {"A": [0.2, 0.8]})
    assert len(network.sample(0)) == 0


def test_states_of_probability_0_are_never_drawn_whatever_the_rounding():
    table = np.array([0.1] * 9 + [0.1 - 1e-6, 0.0])  # sums to a little less than 1
    network = Network(DAG(["A"]), {"A": tuple("abcdefghijk")}, {"A": table})
    assert network.sample(100_000).codes.max() == 9


@pytest.mark.parametrize(("n", "seed"), [(-1, 0), (1.5, 0), (1, -1), (1, 2**64), (True, 0)])
def test_bad_numbers_are_refused(n, seed):
    network = Network(DAG(["A"]), {"A": ("x", "y")}, {"A": [0.2, 0.8]})
    with pytest.raises(OptionError):
        network.sample(n, seed)


@pytest.mark.parametrize("n", [10**15, 10**20, 10**5000], ids=["much", "more", "most"])
def test_more_rows_than_memory_holds_are_refused(n):
    network = Network(DAG(["A"]), {"A": ("x", "y")}, {"A": [0.2, 0.8]})
    with pytest.raises(OptionError, match=r"do not fit into memory|must be at most"):
        network.sample(n)


def test_a_structure_cannot_be_sampled():
    with pytest.raises(OptionError, match="network 'bare' has no tables to sample from"):
        Network(DAG(["A"]), name="bare").sample(3)


@needs_networks
def test_samples_of_alarm_have_its_distribution():
    alarm = networks.load("alarm")
    rows = alarm.sample(20_000, seed=5)
    for name, chances in marginals(alarm).items():
        shares = np.bincount(rows.column(name), minlength=len(chances)) / len(rows)
        assert (np.abs(shares - chances) <= 6 * np.sqrt(chances * (1 - chances) / len(rows)) + 1e-9).all()
