"""Score lists, read strictly; the search over them against all small networks; limits, constraints, deadlines."""

from __future__ import annotations

import gzip
import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

from bnfuse import DAG, BnfuseError, ConstraintError, FileError, OptionError, Scores, learn, read_scores
from bnfuse.learning.data_learner import LearnOptions
from bnfuse.learning.list_learner import ListLearner
from bnfuse.problem.constraints import Constraints
from oracles import all_dags, all_moral_graphs, cliques_along, graph_of, moral_graph

Lists = dict[str, dict[frozenset[str], float]]


def random_lists(seed: int, size: int, share: float = 0.8) -> Lists:
    """Some of all parent sets: larger ones tend to score more, and some score no more than a subset."""
    random = np.random.default_rng(seed)
    names = [f"V{i}" for i in range(size)]
    lists: Lists = {}
    for name in names:
        others = [other for other in names if other != name]
        worth = dict(zip(others, random.uniform(-2, 6, len(others)), strict=True))
        lists[name] = {frozenset(): -20.0}
        for count in range(1, size):
            for parents in combinations(others, count):
                if random.random() < share:
                    score = -20 + sum(worth[one] for one in parents) - 1.2 * count**1.5 + random.normal(0, 1)
                    lists[name][frozenset(parents)] = round(float(score), 3)
    return lists


def jkl(lists: Lists) -> str:
    lines = [str(len(lists))]
    for name, own in lists.items():
        lines.append(f"{name} {len(own)}")
        lines += [f"{score} {len(parents)} {' '.join(sorted(parents))}" for parents, score in own.items()]
    return "\n".join(lines) + "\n"


def pss(lists: Lists, states: Mapping[str, int]) -> str:
    lines = ["META pss_version = 0.1", ""]
    for name, own in lists.items():
        lines += [f"VAR {name}", f"META arity={states[name]}"]
        lines += [f"{score} {' '.join(sorted(parents))}" for parents, score in own.items()]
        lines.append("")
    return "\n".join(lines)


def scores_of(lists: Lists, folder: Path, states: Mapping[str, int] | None = None) -> Scores:
    (folder / "some.jkl").write_text(jkl(lists))
    return read_scores(folder / "some.jkl", states=states)


def families(arcs: frozenset[tuple[int, int]], size: int) -> list[frozenset[str]]:
    return [frozenset(f"V{a}" for a, b in arcs if b == v) for v in range(size)]


def listed_networks(lists: Lists) -> Iterator[tuple[frozenset[tuple[int, int]], float]]:
    """All DAGs whose families are in the lists, with their scores."""
    for arcs in all_dags(len(lists)):
        own = families(arcs, len(lists))
        if all(parents in lists[f"V{v}"] for v, parents in enumerate(own)):
            yield arcs, math.fsum(lists[f"V{v}"][parents] for v, parents in enumerate(own))


def moral_edges(arcs: frozenset[tuple[int, int]], size: int) -> frozenset[frozenset[int]]:
    married = (pair for v in range(size) for pair in combinations(sorted(a for a, b in arcs if b == v), 2))
    return frozenset(map(frozenset, (*arcs, *married)))


def least_table(edges: frozenset[frozenset[int]], states: Sequence[int]) -> int:
    """The smallest possible largest table, over all elimination orders."""
    least = math.prod(states)
    for order in permutations(range(len(states))):
        graph = nx.Graph()
        graph.add_nodes_from(range(len(states)))
        graph.add_edges_from(map(tuple, edges))
        largest = 0
        for v in order:
            around = list(graph[v])
            largest = max(largest, math.prod(states[u] for u in (v, *around)))
            graph.add_edges_from(combinations(around, 2))
            graph.remove_node(v)
        least = min(least, largest)
    return least


def test_both_formats_say_the_same(tmp_path: Path) -> None:
    lists, states = random_lists(0, 5), {f"V{i}": i + 2 for i in range(5)}
    (tmp_path / "a.jkl.gz").write_bytes(gzip.compress(("# by nobody\n\n" + jkl(lists)).encode()))
    (tmp_path / "a.pss").write_text(pss(lists, states))
    (tmp_path / "unnamed").write_text(pss(lists, states))
    one, other = read_scores(tmp_path / "a.jkl.gz", states=states), read_scores(tmp_path / "a.pss")
    assert one.variables == other.variables == read_scores(tmp_path / "unnamed").variables == tuple(lists)
    assert one.states == other.states == (2, 3, 4, 5, 6)
    assert read_scores(tmp_path / "a.jkl.gz").states is None
    for name, own in lists.items():
        for read in (one, other):
            assert {frozenset(parents): score for score, parents in read.sets(name)} == own
    assert repr(one) == f"<Scores: 5 variables, {sum(map(len, lists.values()))} parent sets>"
    with pytest.raises(OptionError, match="unknown variable 'nobody'"):
        one.sets("nobody")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "is empty"),
        ("# only this\n", "is empty"),
        ("two\n", "expected the number of variables, got 'two'"),
        ("0\n", "1 to 2,048"),
        ("9999\n", "1 to 2,048"),
        ("2\nA 1\n-1 0\n", "ends too early; expected a variable: it has 1 of 2"),
        ("1\nA 2\n-1 0\n", "ends too early; expected a parent set of 'A': it has 1 of 2"),
        ("1\nA\n-1 0\n", ":2: expected a variable and the number of its parent sets"),
        ("1\nA many\n-1 0\n", ":2: expected the number of parent sets, got 'many'"),
        ("1\nA 1\n-1\n", ":3: expected a score, the number of parents"),
        ("1\nA 1\n-1 1\n", ":3: expected a score, the number of parents"),
        ("1\nA 1\nx 0\n", ":3: expected a score, got 'x'"),
        ("1\nA 1\nnan 0\n", ":3: a score must be a number below 1e15"),
        ("1\nA 1\n-1 0\nmore\n", ":4: continues after the last"),
        ("2\nA 1\n-1 0\nA 1\n-1 0\n", ":4: the variable 'A' is listed twice"),
        ("2\nA 2\n-1 0\n-2 1 C\nB 1\n-1 0\n", ":4: unknown variable 'C'"),
        ("1\nA 2\n-1 0\n-2 1 A\n", ":4: 'A' is among its own parents"),
        ("2\nA 2\n-1 0\n-2 2 B B\nB 1\n-1 0\n", ":4: a set lists a parent twice"),
        ("1\nA 2\n-1 0\n-2 0\n", ":4: a parent set of 'A' is listed twice"),
        ("2\nA 1\n-2 1 B\nB 1\n-1 0\n", "'A' has no score for the empty parent set"),
        ("META a=b\n", "has no variables"),
        ("META a=b\n-1 A\n", ":2: expected META or VAR before the first score"),
        ("VAR A B\n-1\n", ":1: expected VAR and a name without spaces"),
        ("VAR A\nMETA arity=none\n-1\n", ":2: the arity of 'A' must be a whole number"),
        ("VAR A\n-1 B\n", ":2: unknown variable 'B'"),
    ],
)
def test_wrong_lists_are_refused_with_their_place(text: str, problem: str, tmp_path: Path) -> None:
    (tmp_path / "list").write_text(text)
    with pytest.raises(FileError) as error:
        read_scores(tmp_path / "list")
    assert problem in str(error.value)


def test_states_must_be_those_of_the_list(tmp_path: Path) -> None:
    lists = random_lists(0, 3)
    (tmp_path / "a.pss").write_text(pss(lists, dict.fromkeys(lists, 2)))
    for states, problem in [
        ({"W": 2}, "unknown variable 'W'"),
        ({"V0": 3}, "3 states, but 2"),
        ({"V0": 0}, "whole number"),
    ]:
        with pytest.raises(OptionError, match=problem):
            read_scores(tmp_path / "a.pss", states=states)
    assert read_scores(tmp_path / "a.pss", states={"V0": ["yes", "no"]}).states == (2, 2, 2)


@pytest.mark.parametrize("limit", [1, 2, 3, 4, None])
def test_the_best_of_all_small_networks_within_a_clique_limit_is_found(limit: int | None, tmp_path: Path) -> None:
    cliques = all_moral_graphs(5)
    for seed in range(2):
        lists = random_lists(seed, 5)
        within = [score for arcs, score in listed_networks(lists) if cliques[moral_edges(arcs, 5)] <= (limit or 5)]
        found = learn(scores_of(lists, tmp_path), max_clique=limit, seed=seed)
        assert found.score == pytest.approx(max(within), abs=1e-6)
        if limit is not None:
            assert found.elimination_order is not None
            assert max(cliques_along(moral_graph(graph_of(found.dag)), found.elimination_order)) <= limit


@pytest.mark.parametrize("limit", [6, 12, 30])
def test_the_best_of_all_small_networks_within_a_table_limit_is_found(limit: int, tmp_path: Path) -> None:
    for seed in range(4):
        lists, states = random_lists(seed, 4), [2, 3, 4, 3]
        named = {f"V{i}": count for i, count in enumerate(states)}
        tables: dict[frozenset[frozenset[int]], int] = {}
        best = -math.inf
        for arcs, score in listed_networks(lists):
            edges = moral_edges(arcs, 4)
            if edges not in tables:
                tables[edges] = least_table(edges, states)
            if tables[edges] <= limit:
                best = max(best, score)
        found = learn(scores_of(lists, tmp_path, named), max_table=limit, seed=seed)
        assert found.score == pytest.approx(best, abs=1e-6)


def test_a_proof_finds_the_best_of_all_small_networks(tmp_path: Path) -> None:
    for seed in range(5):
        lists = random_lists(seed, 5, share=0.5)
        best = max(score for _, score in listed_networks(lists))
        found = learn(scores_of(lists, tmp_path), prove=True, effort="quick")
        assert found.score == pytest.approx(best, abs=1e-6)
        assert found.is_best
        assert learn(scores_of(lists, tmp_path), prove=True, max_clique=2).is_best  # one parent each: no larger clique
        limited = learn(scores_of(lists, tmp_path), prove=True, max_clique=3)
        assert limited.bound is not None
        assert limited.score - 1e-9 <= limited.bound <= best + 1e-6


def best_by_orders(lists: Lists) -> float:
    """Dynamic programming over all sets of variables that come first: plain, and over every set."""
    names = list(lists)
    best = {frozenset[str](): 0.0}
    for count in range(len(names)):
        for first in [some for some in best if len(some) == count]:
            for name in names:
                if name not in first:
                    own = max(score for parents, score in lists[name].items() if parents <= first)
                    more = first | {name}
                    best[more] = max(best.get(more, -math.inf), best[first] + own)
    return best[frozenset(names)]


@pytest.mark.parametrize("known", ["good", "poor"])
def test_a_proof_gives_the_optimum_of_plain_dynamic_programming(known: str, tmp_path: Path) -> None:
    """Lists of several components, cyclic ones among them; the proof starts from a good network or a poor one."""
    for seed in range(5):
        parts = [wide_lists(size, 10 * seed + size) for size in (1, 3, 6)]
        lists = {
            f"{i}{name}": {frozenset(f"{i}{u}" for u in parents): score for parents, score in own.items()}
            for i, part in enumerate(parts)
            for name, own in part.items()
        }
        lists["2V0"][frozenset({"1V0"})] = -60.0  # from one component to another
        scores = scores_of(lists, tmp_path)
        best = best_by_orders(lists)
        if known == "good":
            found = learn(scores, prove=True)
            assert found.is_best
            assert found.score == pytest.approx(best, abs=1e-6)
            continue
        search = ListLearner(scores, LearnOptions(), Constraints()).search(seed)  # no round: the empty network
        score, _, bound, is_whole = search.proved(10**6)
        assert is_whole
        assert score == pytest.approx(best, abs=1e-6)
        assert bound == pytest.approx(best, abs=1e-6)


def test_constraints_are_kept_and_the_best_network_within_them_is_found(tmp_path: Path) -> None:
    for seed in range(4):
        lists = random_lists(seed, 5, share=1.0)
        arcs = {(f"V{a}", f"V{b}"): (a, b) for a in range(5) for b in range(5) if a != b}
        random = np.random.default_rng(seed)
        forbidden = [list(arcs)[i] for i in random.permutation(len(arcs))[:4]]
        required = next(arc for arc in arcs if arc not in forbidden)
        best = max(
            score
            for own, score in listed_networks(lists)
            if arcs[required] in own
            and not any(arcs[arc] in own for arc in forbidden)
            and max(sum(b == v for _, b in own) for v in range(5)) <= 2
        )
        found = learn(scores_of(lists, tmp_path), required=[required], forbidden=forbidden, max_parents=2)
        assert found.score == pytest.approx(best, abs=1e-6)
        assert required in found.dag.edges
        assert not set(forbidden) & set(found.dag.edges)
    with pytest.raises(ConstraintError, match="no score for V1 with exactly its required parents"):
        learn(scores_of({"V0": {frozenset(): -1.0}, "V1": {frozenset(): -1.0}}, tmp_path), required=[("V0", "V1")])


def wide_lists(size: int, seed: int) -> Lists:
    """A few sets for each of many variables."""
    random = np.random.default_rng(seed)
    lists: Lists = {}
    for v in range(size):
        lists[f"V{v}"] = {frozenset(): -100.0}
        for _ in range(12):
            if size == 1:
                continue
            most = min(size, 4)
            others = random.choice([u for u in range(size) if u != v], random.integers(1, most), replace=False)
            lists[f"V{v}"][frozenset(f"V{u}" for u in others)] = -100 + float(random.uniform(0, 30))
    return lists


def score_in(lists: Lists, dag: DAG) -> float:
    return math.fsum(lists[name][frozenset(dag.parents(name))] for name in lists)


@pytest.mark.parametrize(("size", "limit"), [(30, 3), (70, 4), (140, 3)])
def test_threads_do_not_show_and_every_width_keeps_the_limit(size: int, limit: int, tmp_path: Path) -> None:
    lists = wide_lists(size, size)
    scores = scores_of(lists, tmp_path)
    one, three = (learn(scores, max_clique=limit, effort="quick", threads=threads) for threads in (1, 3))
    assert one == three
    assert one.elimination_order is not None
    assert nx.is_directed_acyclic_graph(graph_of(one.dag))
    assert max(cliques_along(moral_graph(graph_of(one.dag)), one.elimination_order)) <= limit
    assert one.score == pytest.approx(score_in(lists, one.dag), abs=1e-6)
    assert one.score > score_in(lists, DAG(scores.variables)) + 5 * size


def test_a_deadline_gives_the_best_so_far(tmp_path: Path) -> None:
    lists = wide_lists(100, 1)
    scores = scores_of(lists, tmp_path)
    for seconds in (1e-6, 0.01, 0.1):
        found = learn(scores, max_clique=4, effort="thorough", time_limit=seconds)
        assert found.stopped_by == "time limit"
        assert found.score == pytest.approx(score_in(lists, found.dag), abs=1e-6)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"max_table": 100}, "max_table needs the number of states"),
        ({"method": "climb"}, "method climb needs data"),
        ({"score": "bdeu"}, "score and sample_size are for data"),
        ({"bins": 3}, "bins is for tables of data"),
        ({"max_clique": 0}, "max_clique must be"),
        ({"effort": "some"}, "effort must be one of"),
    ],
)
def test_options_that_do_not_go_with_scores_are_refused(
    options: dict[str, object], problem: str, tmp_path: Path
) -> None:
    with pytest.raises(BnfuseError, match=problem):
        learn(scores_of(random_lists(0, 3), tmp_path), **options)  # type: ignore[arg-type]


def test_a_proof_is_refused_for_too_many_variables(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="at most 64 variables, and there are 70"):
        learn(scores_of(wide_lists(70, 1), tmp_path), prove=True)
