"""Inputs that are votes for arcs: exact for SHD and support, by an assumption for SMHD, beside networks and classes."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from bnfuse import DAG, PDAG, ArcVotes, Consensus, GraphError, OptionError, Tally, consensus, frontier, shd, smhd
from bnfuse.problem.input_votes import InputVotes
from strategies import random_dag, weighted_dag_lists


def counted(dags: list[DAG], weights: list[int] | None = None) -> ArcVotes:
    """What networks say of each arc, without who said it."""
    counts: dict[tuple[str, str], int] = {}
    weights = weights or [1] * len(dags)
    for dag, weight in zip(dags, weights, strict=True):
        for arc in dag.edges:
            counts[arc] = counts.get(arc, 0) + weight
    return ArcVotes.from_counts(counts, of=sum(weights), variables=dags[0].variables)


@settings(max_examples=60)
@given(weighted_dag_lists(), st.integers(2, 4), st.sampled_from(["direct", "majority"]))
def test_by_shd_votes_are_as_good_as_the_networks_that_they_count(
    inputs: tuple[list[DAG], list[int]], limit: int, method: str
) -> None:
    dags, weights = inputs
    networks = consensus(dags, limit, "shd", method, weights=weights)
    votes = consensus([counted(dags, weights)], limit, "shd", method)
    assert votes.distance == pytest.approx(networks.distance)
    assert votes.lower_bound == pytest.approx(networks.lower_bound)
    assert votes.distance == pytest.approx(float(np.average([shd(votes.dag, dag) for dag in dags], weights=weights)))
    supports = {one.arc: one.share for one in networks.support()}
    assert all(one.share == pytest.approx(supports.get(one.arc, one.share)) for one in votes.support())


def all_draws(votes: ArcVotes) -> list[tuple[float, set[frozenset[str]]]]:
    """Every graph that independent arcs can make, with its probability: its moral edges, cycles or not."""
    names, shares = votes.variables, votes.probabilities
    pairs = [(a, b) for a in range(len(names)) for b in range(a)]
    draws = []
    for states in product(range(3), repeat=len(pairs)):
        probability, arcs = 1.0, []
        for (a, b), state in zip(pairs, states, strict=True):
            both = shares[a, b] + shares[b, a]
            probability *= (1 - both, shares[a, b], shares[b, a])[state]
            arcs += [[], [(names[a], names[b])], [(names[b], names[a])]][state]
        if probability:
            draws.append((probability, oracles.moral_edges(oracles.graph_with(names, arcs))))
    return draws


def random_votes(seed: int, size: int) -> ArcVotes:
    random = np.random.default_rng(seed)
    names = [f"V{i}" for i in range(size)]
    either = random.choice([0.0, 0.0, 0.2, 0.5, 0.9, 1.0], (size, size))
    forth = random.choice([0.0, 0.5, 1.0, 0.7], (size, size))
    shares = np.triu(either * forth, 1) + np.triu(either * (1 - forth), 1).T
    return ArcVotes(names, shares)


@pytest.mark.parametrize("seed", range(12))
def test_smhd_to_independent_arcs_is_the_mean_over_all_that_they_can_make(seed: int) -> None:
    votes = random_votes(seed, 4)
    result = consensus([votes], 3)
    mine = oracles.moral_edges(oracles.graph_of(result.dag))
    expected = sum(probability * len(mine ^ moral) for probability, moral in all_draws(votes))
    assert result.distance == pytest.approx(expected, abs=1e-5)


def test_a_sample_of_networks_agrees_with_certain_arcs() -> None:
    dag = random_dag(5, 8, 1.5)
    certain = ArcVotes.from_arcs(dag.variables, dag.edges)
    for soft in ("independent", "sample"):
        found = consensus([certain], 8, soft=soft)
        assert found.distance == 0
        assert smhd(found.dag, dag) == 0
    with pytest.raises(OptionError, match="soft must be one of 'independent', 'sample'; got 'guess'"):
        consensus([certain], soft="guess")


def test_a_sample_leaves_cycles_out() -> None:
    # Where A or B is a parent of C, there is likely a cycle: that both are is rarer than if arcs were independent.
    shares = {("A", "C"): 5, ("B", "C"): 5, ("C", "D"): 9, ("D", "A"): 9, ("D", "B"): 9}
    rings = ArcVotes.from_counts(shares, of=10, variables=list("ABCD"))
    by_sample, independent = (consensus([rings], 3, soft=soft).problem.tally for soft in ("sample", "independent"))
    assert by_sample.moral[0, 1] < independent.moral[0, 1] == independent.weight // 4


def test_votes_stand_beside_networks_and_classes(tmp_path: Path) -> None:
    dags = [random_dag(seed, 7, 1.4) for seed in range(6)]
    mixed: list[Any] = [counted(dags[:4]), dags[4], PDAG.of_class(dags[5])]
    for metric in ("smhd", "shd"):
        result = consensus(mixed, 3, metric, effort="quick")
        assert result.problem.tally.weight == 6 * result.problem.tally.parts
        result.save(tmp_path / "mixed.json", overwrite=True)
        assert Consensus.load(tmp_path / "mixed.json") == result
        result.report(tmp_path / "mixed.html", overwrite=True)
    exact = consensus([*dags[:5], PDAG.of_class(dags[5])], 3, "shd", effort="quick")
    assert consensus(mixed, 3, "shd", effort="quick").distance == pytest.approx(exact.distance)


def test_votes_count_for_the_networks_that_they_state_or_for_one() -> None:
    shares = [[0, 0.75], [0, 0]]
    against = DAG(["A", "B"])
    one, four = (ArcVotes(list("AB"), shares, networks=number) for number in (1, 4))
    assert consensus([one, against], metric="shd").dag.edges == ()
    assert consensus([four, against], metric="shd").dag.edges == (("A", "B"),)
    assert consensus([one, against], metric="shd", weights=[4, 1]).dag.edges == (("A", "B"),)


def test_cyclic_votes_give_a_network_without_a_cycle() -> None:
    ring = ArcVotes.from_arcs(None, [("A", "B"), ("B", "C"), ("C", "A")])
    found = consensus([ring, DAG(list("ABC"), [("A", "B"), ("B", "C")])], 3, "shd")
    assert set(found.dag.edges) == {("A", "B"), ("B", "C")}


def test_votes_over_other_variables_join_a_union_and_a_frontier() -> None:
    votes = ArcVotes.from_counts({("A", "B"): 9, ("B", "A"): 1}, of=10)
    found = consensus([votes, DAG(list("BC"), [("B", "C")])], variables="union", metric="shd")
    assert set(found.dag.edges) == {("A", "B"), ("B", "C")}
    assert found.unjudged == (("A", "C"),)
    assert [one.distance for one in frontier([votes, DAG(list("AB"), [("B", "A")])], metric="shd")]
    kept = consensus([votes, DAG(list("BC"))], variables="shared")
    assert kept.dag.variables == ("B",)
    with pytest.raises(OptionError, match="marginalise needs networks"):
        consensus([votes, DAG(list("BC"))], variables="shared", marginalise=True)


@pytest.mark.parametrize("options", [{"metric": "fsim"}, {"method": "greedy"}, {"target": "fused"}])
def test_what_needs_networks_refuses_votes(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match=r"needs the networks themselves; .* so have votes for arcs"):
        consensus([ArcVotes(list("AB"), [[0, 0.5], [0, 0]])], **options)


def test_a_tally_counts_votes() -> None:
    tally = Tally(["A", "B"])
    tally.add(DAG(list("AB"), [("A", "B")]))
    tally.add(ArcVotes.from_counts({("A", "B"): 1, ("B", "A"): 1}, of=4))
    assert tally.weight == 5 * tally.parts
    assert tally.arcs[0, 1] == 2 * tally.parts
    assert tally.arcs[1, 0] == tally.parts
    assert tally.moral[0, 1] == 3 * tally.parts


@pytest.mark.parametrize("weights", [[0.1234567, 0.7], [1e-9, 1.0], [1 / 3, 1 / 7], [10**6, 3]])
def test_any_weights_go_with_votes(weights: list[float]) -> None:
    votes, against = ArcVotes.from_counts({("A", "B"): 5}, of=11, networks=1), DAG(["A", "B"])
    share = weights[0] * 5 / 11 / sum(weights)
    found = consensus([votes, against], metric="shd", weights=weights)
    assert found.distance == pytest.approx(min(share, 1 - share), abs=1e-4)


@pytest.mark.parametrize("of", [8192, 7919, 10**6, 10**9])
def test_any_number_of_votes_goes_with_networks(of: int) -> None:
    most = ArcVotes.from_counts({("A", "B"): of * 3 // 5}, of=of)
    for networks in (most, ArcVotes(["A", "B"], most.probabilities, networks=10**5)):
        found = consensus([networks, DAG(["A", "B"])], metric="shd")
        assert found.dag.edges == (("A", "B"),)
        assert found.distance == pytest.approx(0.4, abs=1e-3)
        tally = Tally(["A", "B"])
        tally.add(networks)
        assert tally.arcs[0, 1] / tally.weight == pytest.approx(0.6, abs=1e-3)


def test_tallies_of_votes_add_up_whatever_their_numbers() -> None:
    variables = [f"V{i}" for i in range(3)]
    together, whole = Tally(variables), Tally(variables)
    for of in (11, 13, 17, 19, 23):
        votes = ArcVotes.from_counts({("V0", "V1"): 5, ("V1", "V0"): 6}, of=of, variables=variables)
        one = Tally(variables)
        one.add(votes)
        together.merge(one)
        whole.add(votes)
    assert together.weight // together.parts == whole.weight // whole.parts == 83
    for tally in (together, whole):
        assert tally.arcs[0, 1] / tally.weight == pytest.approx(25 / 83, abs=1e-5)
        assert (tally.arcs + tally.arcs.T <= tally.moral).all()
        assert (tally.moral <= tally.seen).all()


def test_complex_probabilities_are_refused() -> None:
    with pytest.raises(GraphError, match="must be real numbers"):
        ArcVotes(["A", "B"], np.array([[0, 1j], [0, 0]]))


def test_votes_support_an_arc_that_has_more_than_half_of_them() -> None:
    votes = ArcVotes.from_count_matrix(["A", "B", "C"], np.array([[0, 2, 3], [2, 0, 0], [0, 0, 0]]), 4)
    assert InputVotes(None, shares=votes).arcs == {("A", "C")}
