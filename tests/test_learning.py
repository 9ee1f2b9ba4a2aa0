"""Learning from data: scores against the formulas, local optima against all moves, limits and constraints kept."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import networkx as nx
import numpy as np
import pytest

from bnfuse import DAG, BnfuseError, ConstraintError, OptionError, clique_size, learn, networks, shd
from bnfuse.data.data import Data
from bnfuse.data.discretise import prepared
from bnfuse.data.raw_table import RawDataOptions
from bnfuse.learning.data_learner import METHODS, SCORES, Learned, Learner, LearnOptions
from bnfuse.problem.constraints import Constraints
from bnfuse.search.run import Run
from oracles import all_dags, cliques_along, family_score, graph_of, graph_with, moral_graph, network_scores
from samples import data_of, random_data, sampled

ROUNDING = 1e-9


def learner(data: Data, **options: object) -> Learner:
    return Learner(prepared(data, RawDataOptions()), LearnOptions(**options), Constraints())  # type: ignore[arg-type]


def families(seed: int, data: Data, number: int) -> Iterator[tuple[str, list[str]]]:
    random = np.random.default_rng(seed)
    for _ in range(number):
        child, *parents = random.permutation(data.variables)[: 1 + random.integers(0, 5)].tolist()
        yield child, parents


@pytest.mark.parametrize("kind", SCORES)
@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_scores_are_those_of_the_formula(kind: str, missing: float) -> None:
    for seed in range(4):
        data = random_data(seed, 9, [1, 40, 700, 3000][seed], missing=missing if seed else 0.0)
        own = learner(data, score=kind, sample_size=[1.0, 10.0][seed % 2])
        for child, parents in families(seed, data, 5 if missing else 50):
            expected = family_score(data, child, parents, kind, own.options.sample_size)
            assert own.family_score(child, parents) == pytest.approx(expected, rel=ROUNDING, abs=ROUNDING)


def test_scores_are_those_of_pyagrum() -> None:
    """Which counts in powers of 2. Its AIC does so for all but the penalty, and its BDeu rounds the gamma function."""
    gum = pytest.importorskip("pyagrum")
    data = random_data(5, 8, 1500)
    table = data.to_pandas().astype(str)
    for kind, use in {"bic": "useScoreBIC", "loglik": "useScoreLog2Likelihood"}.items():
        theirs = gum.BNLearner(table)
        getattr(theirs, use)()
        ours = learner(data, score=kind)
        for child, parents in families(1, data, 50):
            in_powers_of_two = ours.family_score(child, parents) / math.log(2)
            assert in_powers_of_two == pytest.approx(theirs.score(child, parents), rel=ROUNDING)


def neighbours(dag: DAG) -> Iterator[nx.DiGraph]:
    """All DAGs that differ by one arc added, removed or reversed."""
    for source in dag.variables:
        for target in dag.variables:
            graph = graph_of(dag)
            if source == target or graph.has_edge(target, source):
                continue
            if graph.has_edge(source, target):
                graph.remove_edge(source, target)
                yield graph.copy()
                graph.add_edge(target, source)
            else:
                graph.add_edge(source, target)
            if nx.is_directed_acyclic_graph(graph):
                yield graph


@pytest.mark.parametrize("kind", SCORES)
@pytest.mark.parametrize("tabu", [0, 5])
def test_a_learned_network_is_a_local_optimum(kind: str, tabu: int) -> None:
    for seed in range(3):
        data = random_data(seed, 6, 200)
        found = learn(data, kind, method="climb", tabu=tabu, max_parents=None if kind != "loglik" else 3, seed=seed)
        score = network_scores(data, kind)
        best = score(graph_of(found.dag))
        assert found.score == pytest.approx(best, rel=ROUNDING)
        for graph in neighbours(found.dag):
            if kind == "loglik" and max(degree for _, degree in graph.in_degree()) > 3:
                continue
            assert score(graph) <= best + 1e-6


@pytest.mark.parametrize("kind", ["bic", "bdeu"])
def test_both_methods_find_the_best_of_all_small_networks(kind: str) -> None:
    for seed in range(4):
        data = random_data(seed, 4, 150)
        score = network_scores(data, kind)
        graphs = (graph_with(data.variables, [(f"V{a}", f"V{b}") for a, b in arcs]) for arcs in all_dags(4))
        best = max(map(score, graphs))
        assert learn(data, kind, method="climb", restarts=20).score == pytest.approx(best, rel=ROUNDING)
        assert learn(data, kind, effort="quick").score == pytest.approx(best, rel=ROUNDING)
        proven = learn(data, kind, prove=True)
        assert proven.score == pytest.approx(best, rel=ROUNDING)
        assert proven.is_best


def test_restarts_and_moves_past_an_optimum_never_lower_the_score_and_often_raise_it() -> None:
    raised = {"tabu": 0, "restarts": 0}
    for seed in range(8):
        data = random_data(seed, 12, 400)
        plain = learn(data, method="climb", tabu=0, restarts=0).score
        for option in raised:
            found = learn(data, method="climb", **{"tabu": 0, "restarts": 0, option: 10}).score  # type: ignore[arg-type]
            assert found >= plain
            raised[option] += found > plain
    assert min(raised.values()) >= 2


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("limit", [1, 2, 3, 4])
def test_the_clique_limit_is_kept_and_proven(limit: int, method: str) -> None:
    for seed in range(3):
        data = sampled(20, 2000, seed)
        assert clique_size(learn(data, method=method, effort="quick").dag) > 4
        found = learn(data, max_clique=limit, method=method, effort="quick")
        assert found.elimination_order is not None
        assert max(cliques_along(moral_graph(graph_of(found.dag)), found.elimination_order)) <= limit
        assert found.score == pytest.approx(network_scores(data, "bic")(graph_of(found.dag)), rel=ROUNDING)


@pytest.mark.parametrize("limit", [2, 3])
def test_under_a_limit_no_move_betters_the_score_that_min_fill_sees_within_it(limit: int) -> None:
    for seed in range(3):
        data = sampled(9, 800, seed)
        found = learn(data, max_clique=limit, method="climb")
        score = network_scores(data, "bic")
        for graph in neighbours(found.dag):
            if score(graph) > found.score + 1e-6:
                assert clique_size(DAG.from_networkx(graph).reordered(data.variables), "min-fill") > limit


def test_a_wider_limit_than_the_network_needs_changes_nothing() -> None:
    data = random_data(0, 10, 500)
    free = learn(data)
    limited = learn(data, max_clique=10)
    assert limited.dag == free.dag
    assert free.elimination_order is None
    assert sorted(limited.elimination_order or ()) == sorted(data.variables)


def arcs_of(found: Learned) -> set[tuple[str, str]]:
    return set(found.dag.edges)


def test_constraints_are_kept() -> None:
    data = random_data(1, 10, 600)
    free = arcs_of(learn(data))
    forbidden = sorted(free)[::2]
    assert not arcs_of(learn(data, forbidden=forbidden)) & set(forbidden)
    required = [("V9", "V0"), ("V8", "V1")]
    assert set(required) <= arcs_of(learn(data, required=required))
    tiers = [["V9", "V8", "V7"], ["V6", "V5"], ["V4", "V3", "V2", "V1", "V0"]]
    tier = {name: place for place, names in enumerate(tiers) for name in names}
    assert all(tier[a] <= tier[b] for a, b in arcs_of(learn(data, tiers=tiers)))
    for most in range(3):
        found = learn(data, "loglik", max_parents=most).dag
        assert max(len(found.parents(name)) for name in found.variables) == most
    with pytest.raises(ConstraintError, match="contradict each other"):
        learn(data, required=[("V0", "V1"), ("V1", "V0")])
    with pytest.raises(ConstraintError, match="clique over the limit of 2"):
        learn(data, required=[("V0", "V2"), ("V1", "V2")], max_clique=2)
    with pytest.raises(ConstraintError, match="over max_table, 9"):
        learn(data, required=[("V0", "V2")], max_table=9)
    ring = data_of([[0, 0, 0, 0, 0], [1, 3, 3, 1, 1]], [2, 4, 4, 2, 2])
    required = [("V0", "V1"), ("V1", "V2"), ("V2", "V3"), ("V3", "V4"), ("V0", "V4")]
    for method in METHODS:
        with pytest.raises(ConstraintError, match="the required arcs need a clique whose table is over max_table, 20"):
            learn(ring, "loglik", required=required, max_table=20, method=method)


@pytest.mark.parametrize("method", METHODS)
def test_the_table_limit_holds_for_every_clique(method: str) -> None:
    data = random_data(2, 8, 300)
    assert learner(data, max_table=8).family_score("V0", ["V1", "V2", "V3", "V4"]) == -math.inf
    sizes = {name: len(data.states[name]) for name in data.variables}
    for most in (4, 16, 50):
        found = learn(data, "aic", max_table=most, method=method, effort="quick")
        assert found.elimination_order is not None
        graph = moral_graph(graph_of(found.dag))
        for name in found.elimination_order:
            around = list(graph[name])
            assert math.prod(sizes[one] for one in (name, *around)) <= most
            graph.add_edges_from(combinations(around, 2))
            graph.remove_node(name)
    with pytest.raises(OptionError, match="max_table: 2 is too small, as 'V"):
        learn(data, max_table=2, method=method)


def best_tree(data: Data) -> float:
    """By Kruskal over the gains of pairs (Chow and Liu): BIC is the same either way round."""
    alone = {name: family_score(data, name, [], "bic") for name in data.variables}
    gains = {(a, b): family_score(data, b, [a], "bic") - alone[b] for a, b in combinations(data.variables, 2)}
    part = {name: name for name in data.variables}
    total = math.fsum(alone.values())
    for (a, b), gain in sorted(gains.items(), key=lambda one: -one[1]):
        if gain > 0 and part[a] != part[b]:
            total += gain
            part = {name: part[a] if own == part[b] else own for name, own in part.items()}
    return total


def test_with_a_limit_of_two_it_is_the_best_tree() -> None:
    for seed in range(5):
        data = random_data(seed, 15, 400)
        found = learn(data, max_clique=2)
        assert found.score == pytest.approx(best_tree(data), rel=ROUNDING)
    graphs = [graph_with(data.variables[:4], [(f"V{a}", f"V{b}") for a, b in arcs]) for arcs in all_dags(4)]
    for seed in range(4):  # with rules on directions a tree is a branching
        data = random_data(seed, 4, 150)
        score, forbidden, required = network_scores(data, "aic"), ("V0", "V1"), ("V3", "V2")
        found = learn(data, "aic", max_clique=2, forbidden=[forbidden], required=[required])
        best = max(
            score(graph)
            for graph in graphs
            if max(degree for _, degree in graph.in_degree()) <= 1
            and graph.has_edge(*required)
            and not graph.has_edge(*forbidden)
        )
        assert found.score == pytest.approx(best, rel=ROUNDING)


def test_annealing_is_never_below_climbing_and_often_above() -> None:
    above = 0
    for seed in range(4):
        data = sampled(25, 1000, seed)
        climbed, annealed = (learn(data, max_clique=4, method=method).score for method in ("climb", "anneal"))
        assert annealed >= climbed - 1e-9
        above += annealed > climbed
    assert above >= 3


def test_a_proof_over_more_variables_than_brute_force_can_do_agrees_with_long_searches() -> None:
    data = random_data(3, 12, 300)
    found = learn(data, prove=True)
    assert found.is_best
    assert found.score == pytest.approx(learn(data, effort="thorough").score, rel=ROUNDING)
    limited = learn(data, max_clique=3, prove=True)
    assert limited.bound is not None
    assert limited.score <= limited.bound <= found.score + 1e-6
    assert learn(data, max_clique=2, prove=True).is_best  # one parent each: no larger clique
    with pytest.raises(OptionError, match="at most 64 variables, and there are 70"):
        learn(random_data(0, 70, 50), prove=True)
    with pytest.raises(OptionError, match="prove needs a value in every cell, and values are missing"):
        learn(random_data(0, 5, 50, missing=0.1), prove=True)


def test_equal_directions_are_decided_by_the_seed() -> None:
    data = data_of([[0, 0]] * 30 + [[1, 1]] * 30, [2, 2])
    seen = {learn(data, seed=seed).dag.edges for seed in range(30)}
    assert seen == {(("V0", "V1"),), (("V1", "V0"),)}
    assert len({learn(data, seed=seed).score for seed in range(30)}) == 1


def test_the_order_of_rows_does_not_count() -> None:
    data = random_data(4, 10, 500, missing=0.05)
    mixed = Data(data.variables, data.states, data.codes[np.random.default_rng(0).permutation(len(data))])
    assert learn(data).dag == learn(mixed).dag
    assert learn(data).score == learn(mixed).score


def test_repeated_rows_count_as_often_as_they_occur() -> None:
    data = random_data(6, 7, 60, missing=0.05)
    times = np.random.default_rng(1).integers(1, 5, len(data))
    repeated = Data(data.variables, data.states, np.repeat(data.codes, times, axis=0))
    own = learner(repeated)
    for child, parents in families(3, data, 30):
        expected = family_score(repeated, child, parents, "bic")
        assert own.family_score(child, parents) == pytest.approx(expected, rel=ROUNDING)


def test_threads_do_not_show() -> None:
    data = sampled(24, 60_000, 1)
    one, three = (learn(data, threads=threads, max_clique=4) for threads in (1, 3))
    assert one == three


def test_wide_columns_count_like_narrow_ones() -> None:
    random = np.random.default_rng(0)
    first = random.integers(0, 400, 3000)
    codes = np.stack([first, first % 3, random.integers(0, 300, 3000)], axis=1)
    codes[::17, 0] = -1
    data = data_of(codes.tolist(), [400, 3, 300])
    own = learner(data)
    for child, parents in [("V0", []), ("V1", ["V0"]), ("V0", ["V1"]), ("V2", ["V1", "V0"]), ("V1", ["V2", "V0"])]:
        expected = family_score(data, child, parents, "bic")
        assert own.family_score(child, parents) == pytest.approx(expected, rel=ROUNDING)
    found = learn(data, "aic", max_parents=1)
    assert found.score == pytest.approx(network_scores(data, "aic")(graph_of(found.dag)), rel=ROUNDING)


def test_a_column_that_a_resample_knows_nothing_of_stays_alone() -> None:
    codes = np.random.default_rng(0).integers(0, 2, (40, 3))
    codes[1:, 2] = -1
    own = learner(data_of(codes.tolist(), [2, 2, 2]))
    for found in own.resampled(Run(threads=1), 0, 30):
        assert math.isfinite(found.score)


def test_when_time_is_up_the_best_so_far_is_a_network() -> None:
    data = sampled(24, 10_000, 1)
    found = learn(data, max_clique=3, method="climb", restarts=100_000, time_limit=0.3)
    assert found.stopped_by == "time limit"
    assert found.score == pytest.approx(network_scores(data, "bic")(graph_of(found.dag)), rel=ROUNDING)
    required = (data.variables[3], data.variables[1])
    assert learn(data, required=[required], time_limit=1e-9).dag.edges == (required,)


@pytest.mark.parametrize("seconds", [0.02, *(pytest.param(seconds, marks=pytest.mark.long) for seconds in (1e-6, 0.1))])
def test_a_deadline_in_a_wide_network_within_a_limit_does_not_end_the_process(seconds: float) -> None:
    """In a process of its own, so that one that is aborted fails this test alone."""
    script = f"""
import bnfuse
from samples import sampled
data = sampled(70, 200, 1)
found = bnfuse.learn(data, max_clique=3, effort="thorough", time_limit={seconds})
assert found.stopped_by == "time limit" and bnfuse.clique_size(found.dag) <= 3
runs = bnfuse.bootstrap(data, 1_000_000, max_clique=3, time_limit={seconds}, threads=2)
for network in runs:
    assert bnfuse.clique_size(network) <= 3
assert runs.stopped_by == "time limit"
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.long
def test_random_deadlines_in_wide_networks_keep_every_limit() -> None:
    random = np.random.default_rng(0)
    wide = {size: sampled(size, 400, 1) for size in (64, 65, 128, 129, 200)}
    limits: list[dict[str, Any]] = [{}, {"max_clique": 2}, {"max_clique": 4}, {"max_table": 64}]
    for seed in range(200):
        data = wide[int(random.choice(list(wide)))]
        limit = limits[seed % len(limits)]
        required = (data.variables[3], data.variables[1])
        found = learn(
            data,
            **limit,
            method=METHODS[seed % 3 // 2],  # type: ignore[arg-type]
            required=[required],
            max_parents=2,
            time_limit=10 ** random.uniform(-6, -0.5),
            seed=seed,
        )
        assert required in found.dag.edges
        assert max(len(found.dag.parents(name)) for name in data.variables) <= 2
        graph = moral_graph(graph_of(found.dag))
        for name in found.elimination_order or ():
            around = list(graph[name])
            assert len(around) < limit.get("max_clique", len(graph) + 1)
            table = math.prod(len(data.states[one]) for one in (name, *around))
            assert table <= limit.get("max_table", table)
            graph.add_edges_from(combinations(around, 2))
            graph.remove_node(name)


def test_files_and_tables(tmp_path) -> None:
    data = random_data(0, 5, 80)
    data.write(tmp_path / "rows.csv")
    assert learn(tmp_path / "rows.csv").dag == learn(data.to_pandas()).dag == learn(data).dag


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"score": "k2"}, "score must be one of 'bic', 'aic', 'bdeu', 'loglik'"),
        ({"max_clique": 0}, "max_clique must be a whole number of at least 1"),
        ({"tabu": -1}, "tabu must be"),
        ({"restarts": 1.5}, "restarts must be"),
        ({"restarts": 3}, "restarts is for method climb, not for anneal"),
        ({"method": "best"}, "method must be one of 'anneal', 'climb'"),
        ({"effort": "some"}, "effort must be one of 'quick', 'normal', 'thorough'"),
        ({"sample_size": 0}, "sample_size must be"),
        ({"sample_size": 1e-9}, "sample_size must be 1e-6 to 1e9"),
        ({"max_table": 0}, "max_table must be"),
        ({"required": [("V0", "nobody")]}, "unknown variable 'nobody'"),
    ],
)
def test_options_that_cannot_be_are_refused(options: dict[str, object], problem: str) -> None:
    with pytest.raises(BnfuseError, match=problem):
        learn(random_data(0, 4, 50), **options)  # type: ignore[arg-type]


def test_what_is_no_data_is_refused(tmp_path) -> None:
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "twice.csv").write_text("A,A\n1,2\n")
    for data in (tmp_path / "empty.csv", tmp_path / "twice.csv", 7, tmp_path / "none.csv"):
        with pytest.raises(BnfuseError):
            learn(data)
    with pytest.raises(OptionError, match="at most 65,534"):
        learn(data_of([[0], [1]], [70_000]))


def test_alarm_is_found_again() -> None:
    if not networks.available(["alarm"]):
        pytest.skip("the benchmark networks are not on this machine")
    network = networks.load("alarm")
    data = network.sample(5000, 1)
    found = learn(data)
    judge = learner(data)
    assert found.score >= math.fsum(judge.family_score(name, network.dag.parents(name)) for name in data.variables)
    assert shd(found.dag, network.dag) <= 10
