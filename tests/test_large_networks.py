"""Many variables: only the pairs that some input joins have counts, and the answers are those of square arrays."""

from __future__ import annotations

import json
import pickle
import random
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bnfuse
from bnfuse import DAG, BnfuseError, Consensus, Constraints, OptionError, Tally, _kernel
from bnfuse.problem import pair_counts
from bnfuse.problem.pair_counts import PairCounts
from bnfuse.search.outcome import clique_along

MANY = _kernel.MOST_IN_ROWS + 52


@contextmanager
def few_in_rows() -> Iterator[None]:
    """Whatever the number of variables, only the pairs that an input joins have counts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_kernel, "MOST_IN_ROWS", 1)
        yield


def random_inputs(seed: int, n: int, count: int, lacking: bool) -> list[tuple[list[str], list[tuple[str, str]]]]:
    draw = random.Random(seed)
    names = [f"V{i}" for i in range(n)]
    order = draw.sample(names, n)
    base = [pair for pair in combinations(order, 2) if draw.random() < 2.5 / n]
    inputs = []
    for _ in range(count):
        own = [name for name in names if not lacking or draw.random() < 0.8] or names[:2]
        arcs = [arc for arc in base if draw.random() < 0.7]
        arcs += [pair for pair in combinations(order, 2) if draw.random() < 0.5 / n and pair not in arcs]
        inputs.append((own, [arc for arc in arcs if set(arc) <= set(own)]))
    return inputs


def dags_of(inputs: list[tuple[list[str], list[tuple[str, str]]]]) -> list[DAG]:
    return [DAG(names, arcs) for names, arcs in inputs]


@given(
    st.integers(0, 10**6),
    st.integers(3, 12),
    st.integers(1, 5),
    st.sampled_from(["smhd", "shd"]),
    st.sampled_from(["any", "seen", "majority"]),
    st.booleans(),
    st.integers(2, 4),
)
def test_lists_of_pairs_give_the_answers_of_square_arrays(
    seed: int, n: int, count: int, metric: str, directions: str, lacking: bool, limit: int
) -> None:
    inputs = random_inputs(seed, n, count, lacking)
    options = {
        "metric": metric,
        "directions": directions,
        "variables": "union" if lacking else "same",
        "effort": "quick",
        "weights": [1 + i % 3 for i in range(count)],
    }
    square = bnfuse.consensus(dags_of(inputs), limit, **options)
    assert not square.problem.tally.is_listed
    assert square.lower_bound is not None
    expected = square.distances, square.support(), square.strengths.arcs, [one.cost for one in square.why_in]
    with few_in_rows():
        listed = bnfuse.consensus(dags_of(inputs), limit, **options)
        assert listed.problem.tally.is_listed
        assert listed.dag.edges == square.dag.edges
        assert listed.distance == square.distance
        costs = [one.cost for one in listed.why_in]
        assert (listed.distances, listed.support(), listed.strengths.arcs, costs) == expected
        assert listed.lower_bound is not None
        assert listed.lower_bound <= square.lower_bound + 1e-9
        if directions == "any":
            assert listed.lower_bound == square.lower_bound


@given(st.integers(0, 10**6), st.booleans())
def test_lists_of_pairs_keep_constraints(seed: int, lacking: bool) -> None:
    inputs = random_inputs(seed, 8, 3, lacking)
    names = [f"V{i}" for i in range(8)]
    rules = {
        "required": [("V1", "V0")],
        "forbidden": [("V2", "V3"), ("V3", "V2")],
        "tiers": [names[:4], names[4:]],
        "max_parents": 2,
    }
    options = {"effort": "quick", "directions": "any", "variables": "union"}
    inputs.append((names, []))
    square = bnfuse.consensus(dags_of(inputs), 3, **options, **rules)
    with few_in_rows():
        listed = bnfuse.consensus(dags_of(inputs), 3, **options, **rules)
        assert listed.problem.constraints.broken_by(listed.dag, listed.problem.tally) is None
        assert listed.dag.edges == square.dag.edges
        allowed = listed.problem.constraints.allowed(listed.problem.tally)
        everywhere = np.indices((8, 8))
        assert (allowed[everywhere[0], everywhere[1]] == square.problem.constraints.allowed(square.problem.tally)).all()


@given(st.integers(0, 10**6), st.booleans())
def test_a_tally_of_lists_is_merged_saved_and_loaded(seed: int, lacking: bool) -> None:
    inputs = random_inputs(seed, 9, 4, lacking)
    names = [f"V{i}" for i in range(9)]

    def added(dags: list[DAG]) -> Tally:
        tally = Tally(names)
        for i, dag in enumerate(dags):
            tally.add(dag, i + 1, partly=True)
        return tally

    square = added(dags_of(inputs))
    with few_in_rows():
        dags = dags_of(inputs)
        listed = added(dags)
        assert listed.weight == square.weight
        a, b = np.indices((9, 9))
        for name in ("moral", "arcs", "seen", "fixed"):
            expected = getattr(square, name).copy()
            found = getattr(listed, name)[a, b]
            if name == "seen":
                np.fill_diagonal(found, 0)
                np.fill_diagonal(expected, 0)
            assert (found == expected).all(), name
        halves = added([])
        for i, dag in enumerate(dags):
            half = Tally(names)
            half.add(dag, i + 1, partly=True)
            halves.merge(half)
        assert halves == listed
        again = Tally.from_content({"variables": names, **listed.content()})
        assert again == listed
        assert pickle.loads(pickle.dumps(listed)) == listed


def test_counts_of_pairs_add_up_and_turn() -> None:
    one = PairCounts.added_up(3, np.array([1, 5, 1]), np.array([2, 3, 4]))
    assert one.keys.tolist() == [1, 5]
    assert one[0, 1] == 6
    assert one[1, 0] == 0
    assert one.T[1, 0] == 6
    assert (one + one.T)[np.array([0, 1]), np.array([1, 0])].tolist() == [6, 6]
    assert (one + PairCounts.added_up(3, np.array([1]), np.array([-6]))).keys.tolist() == [5]


def chains_of_many(count: int = 3, n: int = MANY) -> list[DAG]:
    """Pieces of a path with some extra arcs."""
    draw = random.Random(1)
    names = tuple(f"V{i}" for i in range(n))
    made = []
    for _ in range(count):
        arcs = [(i, i + 1) for i in range(n - 1) if i % 9 and draw.random() < 0.8]
        arcs += [(i, i + 2) for i in range(n - 2) if draw.random() < 0.1]
        made.append(DAG.from_numbers(names, np.array(arcs, np.int64)))
    return made


@pytest.fixture(scope="module")
def of_many() -> Consensus:
    return bnfuse.consensus(chains_of_many(), 3, effort="quick")


def largest_clique_along(dag: DAG, order: tuple[str, ...]) -> int:
    """Without the kernel."""
    moral = nx.Graph()
    moral.add_nodes_from(dag.variables)
    moral.add_edges_from(dag.edges)
    for name in dag.variables:
        moral.add_edges_from(combinations(dag.parents(name), 2))
    largest = 0
    for name in order:
        around = list(moral.neighbors(name))
        largest = max(largest, len(around) + 1)
        moral.add_edges_from(combinations(around, 2))
        moral.remove_node(name)
    return largest


def test_many_variables_have_a_proven_consensus(of_many: Consensus) -> None:
    dags = chains_of_many()
    assert nx.is_directed_acyclic_graph(nx.DiGraph(of_many.dag.edges))
    size = largest_clique_along(of_many.dag, of_many.elimination_order)
    assert size == of_many.clique_size == clique_along(of_many.dag, of_many.elimination_order) <= 3
    assert of_many.lower_bound is not None
    assert of_many.lower_bound <= of_many.distance + 1e-9

    def moral_edges(dag: DAG) -> set[frozenset[str]]:
        married = {frozenset(pair) for name in dag.variables for pair in combinations(dag.parents(name), 2)}
        return married | set(map(frozenset, dag.edges))

    own = moral_edges(of_many.dag)
    apart = [len(own ^ moral_edges(dag)) for dag in dags]
    assert list(of_many.distances) == apart
    assert of_many.distance == pytest.approx(sum(apart) / len(apart))
    assert bnfuse.smhd(of_many.dag, dags) == pytest.approx(sum(apart) / len(apart))
    assert of_many.distance <= bnfuse.consensus(dags, 3, method="majority").distance


def test_the_threads_do_not_change_the_consensus_of_many_variables(of_many: Consensus) -> None:
    again = bnfuse.consensus(chains_of_many(), 3, effort="quick", threads=1)
    assert again.dag == of_many.dag


@pytest.mark.long
def test_ten_thousand_variables_have_a_consensus_in_little_memory() -> None:
    dags = chains_of_many(20, 10_000)
    tracemalloc.start()
    found = bnfuse.consensus(dags, 4, effort="quick")
    assert tracemalloc.get_traced_memory()[1] < 1 << 30
    tracemalloc.stop()
    assert largest_clique_along(found.dag, found.elimination_order) == found.clique_size <= 4
    assert found.gap is not None
    assert found.gap < 0.3


def test_of_copies_of_one_network_it_is_the_consensus() -> None:
    names = tuple(f"V{i}" for i in range(MANY))
    tree = DAG.from_numbers(names, np.array([((i - 1) // 2, i) for i in range(1, MANY)], np.int64))
    found = bnfuse.consensus([tree] * 3, 2)
    assert found.distance == 0 == found.lower_bound
    assert found.dag == tree


def test_a_result_of_many_variables_is_saved_shown_and_reported(of_many: Consensus, tmp_path: Path) -> None:
    of_many.save(tmp_path / "result.json")
    again = Consensus.load(tmp_path / "result.json")
    assert again.dag == of_many.dag
    assert again.distance == of_many.distance
    of_many.report(tmp_path / "report.html")
    assert (tmp_path / "report.html").stat().st_size > 100_000
    assert pickle.loads(pickle.dumps(of_many.dag)) == of_many.dag


@pytest.mark.parametrize(
    "work",
    [
        pytest.param(bnfuse.fuse, id="fusion"),
        pytest.param(lambda dags: bnfuse.fsim(dags[0], dags[1]), id="fsim"),
        pytest.param(lambda dags: bnfuse.consensus(dags, metric="fsim"), id="closest by fsim"),
        pytest.param(lambda dags: bnfuse.consensus(dags, method="genetic"), id="genetic"),
        pytest.param(lambda dags: bnfuse.consensus(dags, method="greedy"), id="greedy"),
        pytest.param(lambda dags: bnfuse.consensus(dags, method="min-cut"), id="min-cut"),
        pytest.param(lambda dags: bnfuse.consensus(dags, target="fused"), id="fused"),
        pytest.param(lambda dags: bnfuse.consensus(dags, support="class"), id="classes"),
        pytest.param(lambda dags: bnfuse.schools(dags * 4), id="schools"),
        pytest.param(lambda dags: bnfuse.consensus(dags, prove=True), id="proofs"),
        pytest.param(lambda dags: bnfuse.disputes(bnfuse.consensus(dags, method="majority")), id="disputes"),
        pytest.param(lambda dags: bnfuse.ArcVotes(dags[0].variables, np.zeros((MANY, MANY))), id="votes"),
    ],
)
def test_what_is_quadratic_by_nature_says_that_there_are_too_many_variables(work) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(OptionError, match=r"works with at most 2,048 variables, and there are 2,100") as caught:
        work(chains_of_many(2))
    assert "\n" not in str(caught.value)


def test_the_command_line_takes_many_variables_and_refuses_squares_of_them(said, refused, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    files = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for dag, path in zip(chains_of_many(2), files, strict=True):
        lines = [f"{source},{target}" for source, target in dag.edges]
        path.write_text("\n".join(["from,to", *lines, *(f"{name}," for name in dag.variables)]) + "\n", "utf-8")
    found = json.loads(said("consensus", *files, "--method", "majority", "--json"))
    assert len(found["variables"]) == MANY if "variables" in found else found
    line = refused("consensus", *files, "--method", "genetic")
    assert "works with at most 2,048 variables, and there are 2,100" in line


def test_too_many_pairs_are_refused_before_anything_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pair_counts, "MOST_PAIRS", 1_000_000)
    names = tuple(f"V{i}" for i in range(20_000))
    star = DAG.from_numbers(names, np.array([(i, 1_500) for i in range(1_500)], np.int64))
    with pytest.raises(OptionError, match=r"2,251,500 pairs of 20,000 variables .* leave out arcs"):
        bnfuse.consensus([star, star])


def test_constraints_are_checked_with_many_variables() -> None:
    dags = chains_of_many(2)
    found = bnfuse.consensus(
        dags, 3, method="majority", constraints=Constraints(required=[("V7", "V2000")], forbidden=[("V1", "V2")])
    )
    assert ("V7", "V2000") in found.dag.edges
    assert ("V1", "V2") not in found.dag.edges
    with pytest.raises(BnfuseError, match="both required and forbidden"):
        bnfuse.consensus(dags, constraints=Constraints(required=[("V1", "V2")], forbidden=[("V1", "V2")]))


@pytest.mark.parametrize("limit", [2, 3])
def test_the_bound_by_counting_edges_is_not_above_that_by_rigidity(limit: int) -> None:
    """The bound of many variables comes from counting; for cliques of 2 both count alike."""
    draw = random.Random(5)
    order = [f"V{i}" for i in range(14)]
    dags = [DAG(order, [pair for pair in combinations(order, 2) if draw.random() < 0.4]) for _ in range(5)]
    few = bnfuse.consensus(dags, limit, method="majority").problem
    rest = [f"W{i}" for i in range(MANY)]
    many = bnfuse.consensus([DAG([*order, *rest], dag.edges) for dag in dags], limit, method="majority").problem
    assert many.tally.is_listed
    few_any, many_any = (one.kernel.bound(0) for one in (few, many))
    assert many_any <= few_any
    if limit == 2:
        assert many_any == few_any
