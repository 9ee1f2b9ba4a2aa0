"""The study's jobs: what a row says, fits on data, named options, and carrying over the limits."""

import json
import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from bnfuse import DAG, clique_size, fsim, fuse, networks, shd, smhd
from bnfuse.data.data import Data
from bnfuse.study import fitting, jobs
from bnfuse.study.grid import ALGORITHMS, BASE, CARRIED, FUSED, INPUTS, Instance, Job, options_of
from bnfuse.study.row_means import RowMeans, row_mean_error
from strategies import switched_consensus as consensus

needs_networks = pytest.mark.skipif(
    not networks.available(["child"]),
    reason="the network child is not on this machine; bnfuse.networks.fetch() does it",
)


def test_a_search_job_reports_the_network_that_it_found():
    instance = Instance("n8", 5, 1, "printed")
    dags = jobs._dags(instance)
    for algorithm in ALGORITHMS:
        for metric in ("smhd", "fsim"):
            options = {"population": 10, "generations": 3} if "genetic" in algorithm else {}
            (row,) = jobs.run(Job(instance, 0, algorithm, metric, (3,), **options)).rows
            assert (row.algorithm, row.metric, row.max_clique) == (algorithm, metric, 3)
            assert row.arcs > 0
            assert row.clique == row.smallest_clique <= 3
            assert row.distance > 0
            assert row.seconds >= 0
            assert row.marginal_error is row.too_large is row.row_mean_error is row.table_numbers is None
    assert len(dags) == 5


def test_reference_rows_are_the_distances_of_the_fusion_the_inputs_and_the_base():
    instance = Instance("n8", 5, 1, "printed")
    dags = jobs._dags(instance)
    fused = fuse(dags).dag
    rows = {(row.algorithm, row.metric): row for row in jobs.run(Job(instance, 0)).rows}
    assert set(rows) == {(name, metric) for name in (FUSED, INPUTS, BASE) for metric in ("smhd", "fsim", "shd")}
    assert rows[FUSED, "shd"].distance == shd(fused, dags)
    assert rows[FUSED, "smhd"].distance == smhd(fused, dags)
    assert rows[FUSED, "fsim"].distance == fsim(fused, dags)
    assert rows[FUSED, "smhd"].clique == clique_size(fused)
    assert rows[INPUTS, "smhd"].distance == pytest.approx(sum(smhd(dag, dags) for dag in dags) / 5)
    sizes = [clique_size(dag) for dag in dags]
    assert (rows[INPUTS, "smhd"].smallest_clique, rows[INPUTS, "smhd"].clique) == (min(sizes), max(sizes))


@needs_networks
def test_networks_from_a_real_base_are_fitted_on_its_data():
    instance = Instance("child", 3, 0, "printed")
    rows = {row.algorithm: row for row in jobs.run(Job(instance, 2_000)).rows}
    assert rows[BASE].marginal_error == 0, "the base is compared with itself"
    assert 0 < rows[INPUTS].marginal_error < 0.1
    assert rows[INPUTS].fit_seconds > 0
    assert rows[BASE].row_mean_error == 0
    assert 0 < rows[INPUTS].row_mean_error < 0.2
    (found,) = jobs.run(Job(instance, 2_000, "direct", "smhd", (4,), effort="quick")).rows
    assert 0 <= found.marginal_error < 0.1
    assert found.too_large is None


@needs_networks
def test_a_network_over_the_memory_limit_is_counted_and_no_crash(monkeypatch):
    def fusion_under(limit):
        monkeypatch.setattr(fitting, "_LIMITS", replace(fitting._LIMITS, table=limit))
        for kept in (fitting._true_marginals, fitting._fitted_alone):
            kept.cache_clear()
        rows = {row.algorithm: row for row in jobs.run(Job(Instance("child", 10, 0, "printed"), 2_000)).rows}
        assert rows[BASE].too_large is None
        return rows[FUSED]

    for limit, reason in ((400, "tables"), (800_000, "cliques")):
        fusion = fusion_under(limit)
        assert fusion.too_large == reason
        assert fusion.marginal_error is fusion.fit_seconds is None
        assert fusion.row_mean_error > 0, "which needs no tables"
        assert fusion.table_numbers > 400
    for kept in (fitting._true_marginals, fitting._fitted_alone):
        kept.cache_clear()


def test_a_job_is_a_function_of_its_description_alone():
    job = Job(Instance("n9", 4, 3, "program"), 0, "genetic shared", "fsim", (3,), population=10, generations=4)
    (first,), (again,) = jobs.run(job).rows, jobs.run(job).rows
    assert replace(first, seconds=0, cpu_seconds=0) == replace(again, seconds=0, cpu_seconds=0)
    assert json.loads(job.key)["instance"] == {"base": "n9", "inputs": 4, "seed": 3, "reading": "program"}
    assert job.key == replace(job).key != replace(job, limits=(4,)).key


# Options and carrying


def test_named_options_reach_the_search():
    instance = Instance("n10", 6, 1, "program")
    dags = jobs._dags(instance)
    for method, name in product(("genetic", "greedy"), ("default", "paper", "program")):
        sizes = {"population": 10, "generations": 3} if method == "genetic" else {}
        job = Job(instance, 0, f"{method} per-network", "smhd", (3,), options=name, **sizes)
        (row,) = jobs.run(job).rows
        given = (
            {"preset": name}
            if method == "genetic"
            else {"program": PROGRAMS_GREEDY, "paper": PAPERS_GREEDY}.get(name, {})
        )
        direct_call = consensus(dags, 3, method=method, candidates="per-network", seed=1, **given, **sizes)
        assert row.distance == direct_call.distance
        assert row.arcs == len(direct_call.dag.edges)


PROGRAMS_GREEDY = {"offer": "in-turn", "triangulation": "mcs", "returned": "last"}
PAPERS_GREEDY = {"order": "candidate", "returned": "last"}


def test_the_greedy_search_follows_the_named_options_of_the_genetic_one():
    assert PROGRAMS_GREEDY.items() <= options_of("greedy", "program").items()
    assert PAPERS_GREEDY.items() <= options_of("greedy", "paper").items()
    assert options_of("direct", None) == options_of("majority", None) == {}
    assert options_of("genetic", "program") == {"preset": "program"}


@pytest.mark.parametrize("algorithm", CARRIED)
def test_a_job_that_carries_has_a_row_for_each_limit_and_never_gets_worse(algorithm):
    instance = Instance("n12", 8, 2, "program")
    sizes = {"population": 10, "generations": 3} if algorithm.startswith("genetic") else {}
    limits = (2, 3, 4, 6)
    rows = jobs.run(Job(instance, 0, algorithm, "smhd", limits, carry=True, **sizes)).rows
    assert tuple(row.max_clique for row in rows) == limits
    assert all(row.clique <= row.max_clique for row in rows)
    distances = [row.distance for row in rows]
    assert distances == sorted(distances, reverse=True)
    assert all(row.cpu_seconds >= 0 for row in rows)


# Row means


def slow_row_means(dag, data):
    """Every cell of every table, by counting rows one at a time; states that no row has do not exist."""
    seen = {name: sorted(set(data.column(name).tolist())) for name in data.variables}
    records = [dict(zip(data.variables, row, strict=True)) for row in data.codes.tolist()]
    means = {}
    for name in dag.variables:
        parents = sorted(dag.parents(name))
        configurations = list(product(*(seen[parent] for parent in parents)))
        total = [0.0] * len(seen[name])
        for configuration in configurations:
            wanted = dict(zip(parents, configuration, strict=True))
            counts = [
                0.5 + sum(record[name] == state and wanted.items() <= record.items() for record in records)
                for state in seen[name]
            ]
            for i, number in enumerate(counts):
                total[i] += number / sum(counts)
        means[name] = [number / len(configurations) for number in total]
    return means


def random_data(seed, rows=40):
    """Five variables of two to four states; one state of the last never occurs."""
    random = np.random.default_rng(seed)
    names, sizes = tuple("ABCDE"), (2, 3, 4, 2, 3)
    columns = [random.integers(0, size - (name == "E"), rows) for name, size in zip(names, sizes, strict=True)]
    states = {name: tuple(map(str, range(size))) for name, size in zip(names, sizes, strict=True)}
    return Data(names, states, np.stack(columns, axis=1).astype(np.int32))


@pytest.mark.parametrize("seed", range(4))
def test_row_means_are_those_of_tables_counted_by_hand(seed):
    data = random_data(seed)
    dags = [
        DAG(list("ABCDE")),
        DAG(list("ABCDE"), map(tuple, ["AB", "CB", "BD", "DE", "AE"])),
        DAG(list("ABCDE"), map(tuple, ["AE", "BE", "CE", "DE"])),
    ]
    means = RowMeans(data)
    slow = [slow_row_means(dag, data) for dag in dags]
    for dag, expected in zip(dags, slow, strict=True):
        found = means.of(dag)
        assert set(found) == set("ABCDE")
        for name in "ABCDE":
            assert found[name].tolist() == pytest.approx(expected[name])
            assert found[name].sum() == pytest.approx(1)
    differences = [
        sum(abs(a - b) for a, b in zip(slow[2][name], slow[0][name], strict=True)) / len(slow[0][name])
        for name in "ABCDE"
    ]
    assert row_mean_error(means.of(dags[2]), means.of(dags[0])) == pytest.approx(sum(differences) / 5)


def test_row_means_are_no_marginals():
    """What tells the two apart: a rare parent configuration weighs as much as a common one."""
    codes = np.array([[0, 0]] * 98 + [[1, 1]] * 2, np.int32)
    data = Data(("A", "B"), {"A": ("0", "1"), "B": ("0", "1")}, codes)
    means = RowMeans(data).of(DAG(list("AB"), [("A", "B")]))
    assert means["A"].tolist() == pytest.approx([98.5 / 101, 2.5 / 101])
    assert means["B"][0] == pytest.approx((98.5 / 99 + 0.5 / 3) / 2)


def test_row_means_need_no_table_however_large_it_would_be():
    names = [f"V{i}" for i in range(80)]
    codes = np.random.default_rng(0).integers(0, 4, (50, 80)).astype(np.int32)
    data = Data(tuple(names), {name: tuple("0123") for name in names}, codes)
    dag = DAG(names, [(name, "V0") for name in names[1:]])  # 4^80 numbers
    assert RowMeans(data).of(dag)["V0"].tolist() == pytest.approx([0.25] * 4)


@needs_networks
def test_the_printed_numbers_of_a_network_are_its_own():
    place = fitting.Place("child", 0, 500)
    base = networks.load("child")
    data = base.sample(500, seed=0)
    truth = slow_row_means(base.dag, data)
    without = DAG(base.variables)
    fit = fitting.fitted([without], place)
    marginals = slow_row_means(without, data)
    expected = [
        sum(abs(a - b) for a, b in zip(marginals[name], truth[name], strict=True)) / len(truth[name]) for name in truth
    ]
    assert fit.row_mean_error == pytest.approx(sum(expected) / len(expected))
    seen = {name: len(set(data.column(name).tolist())) for name in base.variables}
    assert fit.table_numbers == sum(seen.values())
    both = fitting.fitted([without, base.dag], place)
    assert both.row_mean_error == pytest.approx(fit.row_mean_error / 2), "the base is compared with itself"
    sizes = [math.prod(seen[v] for v in (*base.dag.parents(name), name)) for name in base.variables]
    assert both.table_numbers == sum(sizes)
