"""Limits of numbers that are given, and what decides between networks that are equally good."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import bnfuse
from bnfuse import DAG, PDAG, Consensus, FileError, Network, OptionError, consensus, frontier
from bnfuse.problem.inputs import distinct
from bnfuse.problem.tally import Tally
from bnfuse.search.bounds import problem_bound
from bnfuse.search.chains import Scored
from bnfuse.search.paper.candidates import Candidates
from bnfuse.search.paper.genetic import GeneticOptions, Search
from bnfuse.search.run import Run
from genetic_twin import TwinEvolution
from strategies import problem_of, random_dag


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_a_seed_is_a_whole_number_of_64_bits(seed: int) -> None:
    with pytest.raises(OptionError, match="seed"):
        Run(seed=seed)
    Run(seed=2**64 - 1)


def test_of_equally_good_networks_the_smaller_wins() -> None:
    networks = [Scored(5, 3, [(0, 1)] * arcs, []) for arcs in (3, 1, 2)]
    assert max(networks, key=lambda one: one.score) is networks[1]
    assert Scored(5, 4, [(0, 1)] * 9, []).score > networks[1].score
    assert Scored(6, 0, [(0, 1)] * 9, []).score > networks[1].score


def test_many_chromosomes_are_repaired_like_each_alone() -> None:
    problem = problem_of([random_dag(seed, 6, 2.5) for seed in range(3)], 5, max_parents=1)
    space = Candidates(problem, "fused", "inputs", "min-fill")
    genes = np.random.default_rng(1).random((8, space.count)) < 0.7
    together = space.repaired(genes)
    assert (together != genes).any()
    for before, after in zip(genes, together, strict=True):
        assert np.array_equal(space.repaired(before), after)
        kept = space.arcs[after[space.arcs[:, 3]]]
        assert np.bincount(kept[:, 2]).max() <= 1


def test_an_arc_is_worth_its_place_if_half_of_the_inputs_by_weight_have_it() -> None:
    names = ["A", "B"]
    for with_it, without in ((1, 1), (2, 1), (1, 2), (3, 4), (5, 5), (7, 0)):
        dags = [DAG(names, [("A", "B")]), DAG(names)]
        worth = problem_of(dags, 2, weights=[with_it, without]).worth
        assert (worth[0, 1] > 0) == (with_it >= without)
        assert worth[1, 0] < 0


def test_the_history_of_a_genetic_search_tells_the_mean_of_its_population() -> None:
    problem = problem_of([random_dag(seed, 6, 2.5) for seed in range(3)], 2)
    search = Search(Candidates(problem, "shared", "inputs", "min-fill"), GeneticOptions())
    genes = np.random.default_rng(1).random((7, search.space.count)) < 0.7
    population = search.space.evaluate(genes)
    twin = TwinEvolution(search.space, GeneticOptions())
    twin.start(search.space.kernel, genes[:1], genes)
    search.record(4, twin.mean_objective())
    pairs = zip(population.distance.tolist(), population.clique.tolist(), strict=True)
    by_hand = sum(distance * max(clique / 2, 1) for distance, clique in pairs) / 7 / 3
    assert search.history[-1].mean == pytest.approx(by_hand, rel=1e-12)
    assert search.history[-1].step == 4


def test_a_genetic_history_counts_generations_from_the_start() -> None:
    dags = [random_dag(seed, 5) for seed in range(3)]
    found = consensus(dags, 3, method="genetic", population=6, generations=3)
    assert [step.step for step in found.history] == [0, 1, 2, 3]


def test_a_saved_arc_counts_variables_from_the_first_only(tmp_path: Path) -> None:
    """-1 would be the last variable to Python."""
    path = tmp_path / "c.json"
    consensus([DAG(["A", "B", "C"], [("A", "C")])] * 2).save(path)
    text = path.read_text()
    assert text.count("[[0,2]]") == 3
    path.write_text(text.replace("[[0,2]]", "[[0,-1]]"))
    with pytest.raises(FileError):
        Consensus.load(path)


def test_inputs_are_equal_if_they_count_alike() -> None:
    dags = [DAG(["A", "B"], [("A", "B")]), DAG(["A", "B"])]
    assert problem_of(dags, 2, weights=[1, 2]) == problem_of(dags, 2, weights=[0.5, 1.0])
    assert hash(problem_of(dags, 2, weights=[1, 2])) == hash(problem_of(dags, 2, weights=[0.5, 1.0]))
    assert problem_of(dags, 2, weights=[1, 2]) != problem_of(dags, 2, weights=[2, 1])


@pytest.mark.parametrize("name", ["c.dat", "c", "c.json", "c.zip"])
def test_only_a_name_that_ends_in_gz_packs(name: str, tmp_path: Path) -> None:
    dag = DAG(["A", "B"], [("A", "B")])
    consensus([dag]).save(tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(b"{")
    tally = Tally(dag.variables)
    tally.save(tmp_path / f"tally-{name}")
    assert (tmp_path / f"tally-{name}").read_bytes().startswith(b"{")
    tally.save(tmp_path / f"{name}.GZ")
    assert (tmp_path / f"{name}.GZ").read_bytes().startswith(b"\x1f\x8b")
    assert Tally.load(tmp_path / f"{name}.GZ") == tally


def test_a_required_arc_rules_out_marriages_over_its_reverse() -> None:
    """B and C could be joined only as parents of A, but A is to be a parent of B."""
    dags = [DAG(["A", "B", "C"], [("B", "A"), ("C", "A")])] * 3
    apart = {"forbidden": [("B", "C"), ("C", "B")]}
    assert problem_bound(problem_of(dags, 3, **apart)) == 0
    assert problem_bound(problem_of(dags, 3, **apart, required=[("A", "B")])) == 3  # summed
    assert consensus(dags, 3, **apart, required=[("A", "B")]).distance == 1


def test_a_result_of_a_tally_is_saved_with_its_counts(tmp_path: Path) -> None:
    dags = [DAG(["A", "B", "C"], [("A", "B")]), DAG(["A", "B", "C"], [("A", "B"), ("B", "C")])]
    tally = Tally.of(dags, [2, 1])
    found = consensus(tally)
    found.save(tmp_path / "c.json")
    loaded = Consensus.load(tmp_path / "c.json")
    assert loaded == found
    assert loaded.problem.tally == tally


def test_a_name_that_is_there_once_stays_whatever_the_others_are_called() -> None:
    assert distinct(["a", "a", "a (2)", "b"]) == ("a", "a (3)", "a (2)", "b")
    assert distinct(["a (2)", "a", "a"]) == ("a (2)", "a", "a (3)")


CHAIN = DAG(["A", "B", "C"], [("A", "B"), ("B", "C")])
PAIR = DAG(["A", "B", "C"], [("A", "B")])


def test_a_mapping_gives_the_inputs_their_names() -> None:
    mixed = {"alice": CHAIN, "bob": PDAG.of_class(PAIR), "carol": nx.DiGraph([("A", "B"), ("B", "C")]), 4: PAIR}
    result = consensus(mixed, weights={"bob": 0.5})  # type: ignore[arg-type]
    assert result.problem.inputs.names == ("alice", "bob", "carol", "4")
    assert result.dag == consensus(list(mixed.values()), weights=[1, 0.5, 1, 1]).dag
    with pytest.raises(OptionError, match=r"a weight for 'alise' \(did you mean 'alice'\?\)"):
        consensus(mixed, weights={"alise": 2})  # type: ignore[arg-type]


def test_whatever_takes_several_networks_takes_a_mapping(tmp_path: Path) -> None:
    named = {"alice": CHAIN, "bob": PAIR}
    listed = list(named.values())
    assert [one.dag for one in frontier(named)] == [one.dag for one in frontier(listed)]
    assert bnfuse.strengths(named).arcs == bnfuse.strengths(listed).arcs
    assert bnfuse.fuse(named) == bnfuse.fuse(listed)
    assert bnfuse.smhd(CHAIN, named) == bnfuse.smhd(CHAIN, listed)
    assert (Tally.of(named, [1, 2]).arcs == Tally.of(listed, [1, 2]).arcs).all()  # type: ignore[arg-type]
    assert bnfuse.align(named).rows == bnfuse.align(listed).rows
    bnfuse.write(named, tmp_path / "both.json")
    assert [one.name for one in bnfuse.read(tmp_path / "both.json")] == ["alice", "bob"]


def test_a_tally_of_networks_with_their_variables_in_another_order_counts_the_same() -> None:
    turned = CHAIN.reordered(["C", "A", "B"])
    assert (Tally.of([CHAIN, turned], [1, 1]).arcs == 2 * CHAIN.to_adjacency()).all()


@pytest.mark.parametrize(
    ("given", "remedy"),
    [
        ("alice.bif", r"bnfuse.read\('alice.bif'\) reads"),
        (Path("alice.bif"), r"bnfuse.read\('alice.bif'\) reads"),
        (["alice.bif", "bob.bif"], r"bnfuse.read\('alice.bif'\) reads"),
        (CHAIN.to_adjacency(), r"DAG.from_adjacency\(matrix\)"),
        ([CHAIN.to_adjacency()], r"DAG.from_adjacency\(matrix\)"),
        (CHAIN.to_pandas(), r"DAG.from_adjacency\(matrix\)"),
        ([CHAIN.to_pandas()], r"DAG.from_adjacency\(matrix\)"),
        (pd.DataFrame({"A": ["yes", "no", "no"], "B": ["yes", "no", "yes"]}), r"bnfuse.learn\(data\)"),
        ([("A", "B")], r"DAG.from_edges\(arcs\)"),
        ([[("A", "B")], [("B", "C")]], r"DAG.from_edges\(arcs\)"),
        ({"alice": [("A", "B")]}, r"DAG.from_edges\(arcs\)"),
        ({("alice", 1): CHAIN}, "must have their names as keys"),
        ({}, "at least one network"),
    ],
)
def test_what_is_not_a_network_is_refused_with_the_way_to_one(given: Any, remedy: str) -> None:
    for door in (consensus, frontier, bnfuse.strengths):
        with pytest.raises(OptionError, match=remedy):
            door(given)


def test_an_input_that_is_given_twice_is_noted() -> None:
    alice, bob, carol = (Network(dag, name=name) for dag, name in ((CHAIN, "alice"), (PAIR, "bob"), (CHAIN, "carol")))
    note = "the input 'alice' is given twice and counts twice; leave one out unless this is intended"
    assert note in consensus([alice, bob, alice]).notes
    for others in ([alice, bob, carol], [alice, bob.renamed("alice")], [CHAIN, CHAIN], {"x": alice, "y": alice}):
        assert not any("twice" in remark for remark in consensus(others).notes)
