"""Tallies: they add up, survive files, stand for their networks wherever counts are enough, and say so where not."""

from __future__ import annotations

import copy
import gzip
import json
import pickle
import threading
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from bnfuse import DAG, BnfuseError, FileError, MismatchError, Network, OptionError, Tally, consensus
from brute_force import assert_valid
from strategies import acyclic_arcs, random_dag, variable_lists, weighted_dag_lists

LARGEST = 2**31


def tally_of(dags: list[DAG], weights: list[int] | None = None) -> Tally:
    tally = Tally(dags[0].variables)
    for dag, weight in zip(dags, weights or [1] * len(dags), strict=True):
        tally.add(dag, weight)
    return tally


def assert_counts(tally: Tally, dags: list[DAG], weights: list[int]) -> None:
    """Every count, from the graphs themselves."""
    graphs = [oracles.graph_of(dag) for dag in dags]
    morals = [oracles.moral_edges(graph) for graph in graphs]
    names = tally.variables
    assert tally.weight == sum(weights)
    assert tally.moral.dtype == tally.arcs.dtype == np.int64
    for i, a in enumerate(names):
        assert tally.moral[i, i] == tally.arcs[i, i] == 0
        for j, b in enumerate(names):
            if i == j:
                continue
            joined = sum(w for w, moral in zip(weights, morals, strict=True) if frozenset({a, b}) in moral)
            pointed = sum(w for w, graph in zip(weights, graphs, strict=True) if graph.has_edge(a, b))
            assert (tally.moral[i, j], tally.arcs[i, j]) == (joined, pointed)


@given(weighted_dag_lists(min_size=1 + 1, max_size=7), st.data())
def test_a_tally_counts_moral_edges_and_arcs_by_weight(
    inputs: tuple[list[DAG], list[int]], data: st.DataObject
) -> None:
    dags, weights = inputs
    turned = [dag.reordered(data.draw(st.permutations(dag.variables))) for dag in dags]
    tally = Tally(dags[0].variables)
    for dag, weight in zip(turned, weights, strict=True):
        tally.add(dag, weight)
    assert_counts(tally, dags, weights)


@given(weighted_dag_lists(max_size=6), st.data())
def test_merged_tallies_are_the_tally_of_all(inputs: tuple[list[DAG], list[int]], data: st.DataObject) -> None:
    dags, weights = inputs
    cut = data.draw(st.integers(0, len(dags)))
    other_order = data.draw(st.permutations(dags[0].variables))
    left, right = Tally(dags[0].variables), Tally(other_order)
    for place, (dag, weight) in enumerate(zip(dags, weights, strict=True)):
        (left if place < cut else right).add(dag, weight)
    before = right.moral.copy()
    left.merge(right)
    assert left == tally_of(dags, weights)
    assert np.array_equal(right.moral, before)


@pytest.mark.parametrize("merging", [False, True])
def test_threads_that_count_at_once_lose_nothing(merging: bool) -> None:
    dags = [random_dag(seed, 40, 1.5) for seed in range(4)]
    tally = Tally(dags[0].variables)
    started = threading.Barrier(4)

    def count(dag: DAG) -> None:
        one = tally_of([dag])
        started.wait()
        for _ in range(300):
            if merging:
                tally.merge(one)
            else:
                tally.add(dag)

    threads = [threading.Thread(target=count, args=(dag,)) for dag in dags]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert_counts(tally, dags, [300] * 4)


def test_copies_and_pickles_are_equal_and_count_on_their_own() -> None:
    dags = [random_dag(seed, 7, 1.5) for seed in range(2)]
    tally = tally_of(dags)
    for twin in (copy.copy(tally), copy.deepcopy(tally), pickle.loads(pickle.dumps(tally))):
        assert twin == tally
        twin.add(dags[0])
        assert_counts(twin, dags, [2, 1])
        assert_counts(tally, dags, [1, 1])


def test_a_tally_merged_with_itself_counts_twice() -> None:
    dags = [random_dag(seed, 6) for seed in range(3)]
    tally = tally_of(dags)
    tally.merge(tally)
    assert tally == tally_of(dags, [2, 2, 2])


@pytest.mark.parametrize("name", ["site.tally", "site.tally.gz"])
@settings(max_examples=40)
@given(weighted_dag_lists(max_size=6))
def test_files_bring_back_what_was_saved(
    tmp_path_factory: pytest.TempPathFactory, name: str, inputs: tuple[list[DAG], list[int]]
) -> None:
    path = tmp_path_factory.mktemp("tally") / name
    tally = tally_of(*inputs)
    tally.save(path)
    loaded = Tally.load(path)
    assert loaded == tally
    loaded.add(inputs[0][0], 5)
    assert_counts(loaded, [*inputs[0], inputs[0][0]], [*inputs[1], 5])


def test_names_of_any_script_survive_a_file(tmp_path: Path) -> None:
    dag = DAG(["größe", "年齢", 'a "b"\n', " "], [("größe", "年齢"), (" ", 'a "b"\n')])
    tally = tally_of([dag])
    tally.save(path := tmp_path / "names.tally")
    assert Tally.load(str(path)) == tally


def test_an_empty_tally_survives_a_file(tmp_path: Path) -> None:
    tally = Tally(["A", "B"])
    tally.save(tmp_path / "empty.tally")
    assert Tally.load(tmp_path / "empty.tally") == tally


def test_equal_tallies_make_equal_files(tmp_path: Path) -> None:
    dags = [random_dag(seed, 8) for seed in range(4)]
    for name in ("a.tally.gz", "b.tally.gz"):
        tally_of(dags if name[0] == "a" else dags[::-1]).save(tmp_path / name)
    assert (tmp_path / "a.tally.gz").read_bytes() == (tmp_path / "b.tally.gz").read_bytes()


def test_a_tally_takes_whatever_has_a_structure() -> None:
    dag = DAG(["A", "B"], [("A", "B")])
    tally = Tally(["B", "A"])
    for network in (dag, Network(dag), oracles.graph_of(dag)):
        tally.add(network)
    assert tally.weight == 3
    assert tally.arcs[1, 0] == 3


# Instead of the networks


def primitive(inputs: tuple[list[DAG], list[int]]) -> bool:
    return bool(np.gcd.reduce(inputs[1]) == 1)


@settings(max_examples=40)
@given(weighted_dag_lists().filter(primitive), st.integers(2, 4), st.sampled_from(["direct", "majority"]))
def test_the_consensus_of_a_tally_is_that_of_its_networks(
    inputs: tuple[list[DAG], list[int]], limit: int, method: str
) -> None:
    dags, weights = inputs
    options = {"effort": "quick"} if method == "direct" else {}
    of_dags = consensus(dags, limit, method=method, weights=weights, **options)
    of_tally = consensus(tally_of(dags, weights), limit, method=method, **options)
    assert of_tally.dag == of_dags.dag
    assert of_tally.history == of_dags.history
    assert of_tally.elimination_order == of_dags.elimination_order
    assert (of_tally.distance, of_tally.lower_bound, of_tally.gap) == (
        of_dags.distance,
        of_dags.lower_bound,
        of_dags.gap,
    )
    assert_valid(of_tally, dags, limit, weights)
    shares = [(arc.arc, arc.share, arc.reversed_share) for arc in of_dags.support()]
    assert [(arc.arc, arc.share, arc.reversed_share) for arc in of_tally.support()] == shares
    assert all(arc.inputs == arc.reversed_inputs == () for arc in of_tally.support())


@pytest.mark.parametrize("method", ["direct", "majority"])
@pytest.mark.parametrize("limit", [2, 4])
def test_tallies_of_several_sites_give_what_all_networks_give(method: str, limit: int) -> None:
    dags = [random_dag(seed, 25, 1.4) for seed in range(9)]
    options = {"effort": "quick"} if method == "direct" else {}
    expected = consensus(dags, limit, method=method, **options)
    turned = [dag.reordered(dag.variables[::-1]) for dag in dags]
    sites = [tally_of(dags[:2]), tally_of(turned[2:5]), tally_of(dags[5:])]
    for tallies in (sites, tuple(sites), iter(sites)):
        result = consensus(tallies, limit, method=method, **options)
        assert result.dag == expected.dag
        assert result.distance == expected.distance
        assert [(a.share, a.reversed_share) for a in result.support()] == [
            (a.share, a.reversed_share) for a in expected.support()
        ]
    assert [site.weight for site in sites] == [2, 3, 4]


def test_the_tally_of_one_network_gives_the_network() -> None:
    for seed in range(10):
        dag = random_dag(seed, 7, 1.2)
        limit = oracles.exact_clique_by_subsets(oracles.moral_graph(oracles.graph_of(dag)))
        assert consensus(tally_of([dag]), limit, effort="quick").dag == dag


@pytest.mark.parametrize(
    "options", [{}, {"required": [("X1", "X2")]}, {"forbidden": [("X1", "X2"), ("X2", "X1")]}, {"max_parents": 1}]
)
def test_constraints_apply_to_tallies(options: dict[str, Any]) -> None:
    dags = [random_dag(seed, 8, 1.3) for seed in range(4)]
    of_dags = consensus(dags, 3, effort="quick", **options)
    assert consensus(tally_of(dags), 3, effort="quick", **options).dag == of_dags.dag


def test_a_result_of_a_tally_is_compared_with_what_can_be_compared() -> None:
    dags = [random_dag(seed, 8, 1.3) for seed in range(4)]
    of_tally = {c.name: c for c in consensus(tally_of(dags), 3, effort="quick").compared()}
    of_dags = {c.name: c for c in consensus(dags, 3, effort="quick").compared()}
    assert list(of_tally) == ["consensus", "majority vote", "no arcs"]
    for name, compared in of_tally.items():
        assert compared.distance == of_dags[name].distance


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"method": "genetic"}, "genetic"),
        ({"method": "greedy"}, "greedy"),
        ({"method": "greedy", "candidates": "fused"}, "greedy"),
        ({"metric": "fsim"}, "fsim"),
        ({"metric": "fsim", "method": "majority"}, "fsim"),
        ({"target": "fused"}, "fused"),
    ],
)
def test_what_needs_the_networks_says_so(options: dict[str, Any], what: str) -> None:
    tally = tally_of([random_dag(seed, 5) for seed in range(3)])
    for given_tallies in (tally, [tally, tally]):
        with pytest.raises(OptionError, match=f"{what}.* needs the networks themselves") as error:
            consensus(given_tallies, 3, **options)
        assert "\n" not in str(error.value)


def test_distances_to_each_input_need_the_inputs() -> None:
    result = consensus(tally_of([random_dag(seed, 5) for seed in range(3)]), 3, effort="quick")
    with pytest.raises(BnfuseError, match="needs the inputs themselves"):
        _ = result.distances


# What cannot be counted


def test_an_empty_tally_has_no_consensus() -> None:
    for method in ("direct", "majority"):
        with pytest.raises(OptionError, match="empty tally"):
            consensus(Tally(["A", "B"]), 3, method=method)
    weightless = tally_of([DAG(["A", "B"])], [0])
    with pytest.raises(OptionError, match="empty tally"):
        consensus(weightless, 3)


def test_empty_tallies_beside_others_change_nothing() -> None:
    dags = [random_dag(seed, 6) for seed in range(3)]
    tally = tally_of(dags)
    assert consensus([Tally(dags[0].variables), tally], 3, effort="quick").dag == consensus(dags, 3, effort="quick").dag


def test_different_variables_do_not_add_up() -> None:
    tally = tally_of([DAG(["A", "B"], [("A", "B")])])
    before = tally_of([DAG(["A", "B"], [("A", "B")])])
    with pytest.raises(MismatchError, match="lacks variable 'B'"):
        tally.merge(Tally(["A", "C"]))
    with pytest.raises(MismatchError, match="lacks variable 'C'"):
        tally.add(DAG(["A", "B", "C"]))
    with pytest.raises(MismatchError, match="lacks variable"):
        consensus([tally, Tally(["A", "B", "C"])], 3)
    assert tally == before


def test_tallies_mix_neither_with_networks_nor_with_weights() -> None:
    dag = random_dag(0, 4)
    tally = tally_of([dag])
    for mixed in ([tally, dag], [dag, tally]):
        with pytest.raises(OptionError, match="tallies can be mixed"):
            consensus(mixed, 3)
    with pytest.raises(OptionError, match="weights"):
        consensus([tally, tally], 3, weights=[1, 2])


@pytest.mark.parametrize("weight", [-1, 1.5, "2", None, True])
def test_weights_are_whole_numbers(weight: Any) -> None:
    tally = Tally(["A", "B"])
    with pytest.raises(OptionError, match="weight must be a whole number of at least 0"):
        tally.add(DAG(["A", "B"]), weight)
    assert tally == Tally(["A", "B"])


def test_only_networks_and_tallies_are_counted() -> None:
    tally = Tally(["A", "B"])
    for wrong in ("A -> B", 3, None):
        with pytest.raises(BnfuseError):
            tally.add(wrong)
        with pytest.raises(BnfuseError):
            tally.merge(wrong)  # type: ignore[arg-type]


def test_weights_up_to_the_largest_total_are_exact() -> None:
    names = ["A", "B", "C"]
    left, right = DAG(names, [("A", "C"), ("B", "C")]), DAG(names, [("C", "B")])
    half = LARGEST // 2
    tally = tally_of([left, right], [half - 1, half + 1])
    for limit in (2, 3):
        result = consensus(tally, limit, effort="quick")
        assert_valid(result, [left, right], limit, [half - 1, half + 1])
        assert ("C", "B") in result.dag.edges
    full = tally_of([left], [LARGEST])
    for change in (lambda: full.add(right), lambda: full.merge(tally), lambda: full.add(right, 2**70)):
        with pytest.raises(MismatchError, match="add up to more than"):
            change()
    assert full == tally_of([left], [LARGEST])


@given(variable_lists(1, 4), st.data())
def test_equality_is_of_variables_order_and_counts(names: list[str], data: st.DataObject) -> None:
    tally = tally_of([DAG(names, data.draw(acyclic_arcs(names)))])
    assert tally != tally_of([DAG(names)], [2])
    assert tally != "tally"
    with pytest.raises(TypeError, match="unhashable"):
        hash(tally)
    assert repr(tally) == f"<Tally: {len(names)} variables, weight 1>"


# Files


def content() -> dict[str, Any]:
    return {
        "kind": "bnfuse tally",
        "version": 1,
        "weight": 5,
        "variables": ["A", "B", "C"],
        "moral": [[0, 1, 3], [1, 2, 5]],
        "arcs": [[0, 1, 2], [1, 0, 1]],
    }


def test_a_file_written_by_hand_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "hand.tally"
    path.write_text(json.dumps(content()))
    tally = Tally.load(path)
    assert tally.weight == 5
    assert tally.moral.tolist() == [[0, 3, 0], [3, 0, 5], [0, 5, 0]]
    assert tally.arcs.tolist() == [[0, 2, 0], [1, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("kind", "bnfuse ensemble"),
        ("version", 4),
        ("weight", -1),
        ("weight", 1.5),
        ("weight", "5"),
        ("weight", None),
        ("weight", LARGEST + 1),
        ("weight", 4),
        ("variables", ["A", "A", "B"]),
        ("variables", ["A", "B"]),
        ("variables", []),
        ("variables", 3),
        ("variables", ["A", "", "C"]),
        ("moral", [[0, 1, 3], [1, 2, 6]]),
        ("moral", [[0, 1, 2]]),
        ("moral", [[0, 0, 3], [0, 1, 3]]),
        ("moral", [[0, 1, 3], [-1, 1, 3]]),
        ("moral", [[0, 1, 3], [0, 3, 3]]),
        ("moral", [[0, 1, 3.5]]),
        ("moral", [[0, 1, 3], [0, 1, 4]]),
        ("moral", [[0, 1, 3], [1, 0, 2]]),
        ("moral", [[0, 1, 3], [0, 2, "5"]]),
        ("moral", [[0, 1]]),
        ("moral", 7),
        ("moral", {"0": 1}),
        ("arcs", [[0, 1, 4]]),
        ("arcs", [[0, 1, 2], [0, 1, 3]]),
        ("arcs", [[0, 2, 1]]),
        ("arcs", [[0, 1, 2], [1, 0, 2]]),
        ("arcs", [[0, 1, 0]]),
        ("arcs", [[0, 1, -2]]),
        ("arcs", [[0, 1, 2**80]]),
        ("arcs", [[0.0, 1, 2]]),
        ("arcs", [[True, False, 1]]),
        ("arcs", None),
    ],
    ids=repr,
)
def test_damaged_files_are_named(tmp_path: Path, key: str, value: Any) -> None:
    path = tmp_path / "bad.tally"
    path.write_text(json.dumps({**content(), key: value}))
    with pytest.raises(FileError, match=r"bad\.tally: ") as error:
        Tally.load(path)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("key", list(content()))
def test_incomplete_files_are_named(tmp_path: Path, key: str) -> None:
    path = tmp_path / "bad.tally"
    for wrong in ({name: value for name, value in content().items() if name != key}, [content()], "tally"):
        path.write_text(json.dumps(wrong))
        with pytest.raises(FileError, match=r"bad\.tally: "):
            Tally.load(path)


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"\xff\xfe\x00", b"[" * 100_000, b"NaN", b'{"kind": "bnfuse tally", "version": 1, "weight": NaN}'],
)
def test_files_that_are_no_json_are_named(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "bad.tally"
    path.write_bytes(data)
    with pytest.raises(FileError, match=r"bad\.tally: "):
        Tally.load(path)


def test_truncated_files_are_named(tmp_path: Path) -> None:
    tally_of([random_dag(seed, 20) for seed in range(5)]).save(tmp_path / "whole.tally.gz")
    whole = (tmp_path / "whole.tally.gz").read_bytes()
    plain = gzip.decompress(whole)
    for name, data in (("cut.tally.gz", whole[: len(whole) // 2]), ("cut.tally", plain[: len(plain) // 2])):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(FileError, match=name):
            Tally.load(tmp_path / name)


def test_missing_files_and_folders_are_named(tmp_path: Path) -> None:
    for path in (tmp_path / "none.tally", tmp_path):
        with pytest.raises(FileError, match=path.name):
            Tally.load(path)
    with pytest.raises(FileError, match="nowhere"):
        Tally(["A"]).save(tmp_path / "nowhere" / "a.tally")


def test_a_tally_of_many_variables_survives_a_file(tmp_path: Path) -> None:
    for size in (65, 300):
        dags = [random_dag(seed, size, 1.2) for seed in range(2)]
        tally = tally_of(dags, [2, 3])
        tally.save(tmp_path / "large.tally.gz")
        assert Tally.load(tmp_path / "large.tally.gz") == tally
        arcs = {(a, b) for dag in dags for a, b in dag.edges}
        assert int((tally.arcs > 0).sum()) == len(arcs)


def test_streaming_needs_no_list() -> None:
    """One network at a time: what is kept does not grow with their number."""
    names = [f"V{i}" for i in range(5)]
    pairs = list(combinations(names, 2))
    tally = Tally(names)
    for i in range(1024):
        tally.add(DAG(names, [pair for bit, pair in enumerate(pairs) if i >> bit & 1]))
    assert tally.weight == 1024
    assert (tally.arcs[np.triu_indices(5, 1)] == 512).all()
    assert consensus(tally, 3, effort="quick").problem.dags == ()
