"""The report's data that the empty page makes of an answer, held against those that Python makes of the same one."""

import json
import random
import re

import numpy as np
import pytest

import bnfuse
from bnfuse import DAG, networks, read
from bnfuse.report.page.page_data import layout_of, page_data
from bnfuse.report.page.records import as_json
from bnfuse.report.solver.parts import kernel
from bnfuse.report.summary import Summary
from page_browser import browser_fixture, needs_browser, served_fixture  # noqa: F401
from page_parts import CLINICS
from page_questions import assert_same_on_try_page, held_by_page, perturbed, try_page
from strategies import random_dag

pytestmark = needs_browser
needs_solver = pytest.mark.skipif(kernel() is None, reason="the kernel for pages is not built: make wasm")

ASK = """async ([inputs, settings, answer]) => {
    const { questionOf } = await import("/asked-question.js");
    const { pageOf } = await import("/page-of-answer.js");
    const question = questionOf(inputs, settings);
    const places = new Map(question.variables.map((name, i) => [name, i]));
    const arcs = answer.arcs.map((ends) => ends.map((name) => places.get(name)));
    const order = answer.order.map((name) => places.get(name));
    const page = { tables: null, states: null, files: [], command: "", version: "0", time: null, notes: [] };
    return JSON.stringify(pageOf(question, { ...answer, arcs, order }, { ...page, leftOut: question.leftOut }));
}"""
NOT_MADE = {"majority", "freedom", "tables", "states_known", "seconds", "notes", "ties", "quality"}
SAME = ("variables", "consensus", "required", "joined", "counts", "stability", "weight", "parts", "seen", "unjudged")


def with_names(value):
    """The other half of `as_json`: tables as lists of records."""
    if isinstance(value, dict) and set(value) == {"fields", "rows"}:
        fields, rows = value["fields"], value["rows"]
        if isinstance(rows, dict):
            return {key: None if row is None else _record(fields, row) for key, row in rows.items()}
        return [None if row is None else _record(fields, row) for row in rows]
    if isinstance(value, dict):
        return {key: with_names(one) for key, one in value.items()}
    return [with_names(one) for one in value] if isinstance(value, list) else value


def _record(fields, row):
    return {field: with_names(one) for field, one in zip(fields, row, strict=True)}


def both(page, networks, weights=None, **options):
    """The data by JavaScript and by Python, of the consensus that Python finds."""
    found = bnfuse.consensus(networks, weights=weights, effort="quick", **options)
    inputs = held_by_page(networks, [(weights or {}).get(network.name, 1) for network in networks])
    settings = {
        "limit": options.get("max_clique"),
        "maxTable": options.get("max_table"),
        "maxParents": options.get("max_parents"),
        "metric": found.problem.metric,
        "directions": options.get("directions"),
        **{name: options.get(name, []) for name in ("required", "forbidden", "tiers")},
    }
    answer = {
        "arcs": found.dag.edges,
        "order": found.elimination_order,
        "bound": found.lower_bound,
        "seconds": 0,
        "stoppedBy": found.stopped_by,
    }
    made = json.loads(page.evaluate(ASK, [inputs, settings, answer]))
    summary = Summary(found)
    expected = with_names(json.loads(json.dumps(as_json(page_data(summary, layout_of(found))))))
    return made, expected


def problems():
    """Networks of one panel, with weights and options."""
    clinics = read(*CLINICS)
    yield clinics, None, {}
    yield clinics, {"harbour": 2.5, "eastgate": 0}, {"max_clique": 3, "metric": "shd"}
    for seed in range(6):
        n = 6 + 2 * seed
        dags = [bnfuse.Network(random_dag(10 * seed + i, n), name=f"net{i}") for i in range(3 + seed)]
        options = {"max_clique": 3 + seed % 2, "metric": "shd" if seed % 3 == 2 else "smhd"}
        yield dags, {"net0": 3} if seed % 2 else None, options | {"directions": ("majority", "seen", "any")[seed % 3]}
    arcs, names = clinics[0].dag.edges, clinics[0].variables
    yield clinics, None, {"max_table": 16, "max_parents": 2}
    yield clinics, None, {"max_clique": 3, "max_table": 200, "forbidden": [arcs[0], arcs[3][::-1]]}
    yield clinics, None, {"required": [arcs[1][::-1]], "forbidden": [arcs[2]], "max_parents": 1}
    yield clinics, None, {"tiers": [names[:4], names[6:]], "directions": "any", "required": [("Age", "XRay")]}


@pytest.mark.parametrize("number", range(12))
def test_the_page_says_of_an_answer_what_the_report_says(served, number):
    networks, weights, options = list(problems())[number]
    made, expected = both(served(), networks, weights, **options)
    for part in SAME:
        assert made[part] == expected[part], part
    for mine, theirs in zip(made["inputs"], expected["inputs"], strict=True):
        assert mine == theirs | {"causal": None}
    assert made["between"] == expected["between"]
    for mine, theirs in zip(made["why"], expected["why"], strict=True):
        assert mine == theirs | {"cost": pytest.approx(theirs["cost"], abs=1e-9)}
    facts = {key: value for key, value in expected["facts"].items() if key not in NOT_MADE}
    assert {key: value for key, value in made["facts"].items() if key in facts} == facts
    in_words = [re.sub(r"[\d.,]+ ?", "# ", one["facts"]["quality"]) for one in (expected, made)]
    assert in_words[0].startswith(in_words[1])
    assert made["cliques"]["all"] == expected["cliques"]["all"]
    assert set(made["reasons"]) == set(expected["reasons"])
    for code, theirs in expected["reasons"].items():
        mine = made["reasons"][code]
        assert mine["change"] == (None if theirs["change"] is None else pytest.approx(theirs["change"], abs=1e-9))
        assert [mine[key] for key in ("is_rare", "closes_cycle", "married")] == [
            theirs[key] for key in ("is_rare", "closes_cycle", "married")
        ]
        assert mine["barrier"] == theirs["barrier"], code


@needs_solver
def test_the_page_finds_what_bnfuse_finds(served):
    tab = served(try_page())
    assert_same_on_try_page(tab, read(*CLINICS), random.Random(18), 12)
    rng = random.Random(19)
    dags = [random_dag(number, 9) for number in range(4)]
    assert_same_on_try_page(tab, dags, rng, 6)


@needs_solver
@pytest.mark.long
@pytest.mark.parametrize("name", ["asia", "alarm", "insurance"])
def test_the_page_finds_what_bnfuse_finds_for_many_questions(served, name):
    if not networks.available([name]):
        pytest.skip("the benchmark networks are not here")
    rng = random.Random(name)
    base = networks.load(name)
    copies = (bnfuse.Network(perturbed(base.dag, rng), base.states) for _ in range(9))
    assert_same_on_try_page(served(try_page()), [base, *copies], rng, 40)


POOL = """async (request) => {
    const { panelTables } = await import("/panel-tables.js");
    return panelTables(request);
}"""


def as_read(network):
    """A network as the readers of the page give it."""
    if network.cpts is None:
        return None
    return {
        "variables": network.variables,
        "arcs": network.dag.arc_numbers.tolist(),
        "states": [network.states[name] for name in network.variables],
        "tables": [network.cpts[name].reshape(-1).tolist() for name in network.variables],
    }


def pooled(page, networks, found, weights=None):
    index = {name: i for i, name in enumerate(found.dag.variables)}
    request = {
        "variables": found.dag.variables,
        "arcs": found.dag.arc_numbers.tolist(),
        "order": [index[name] for name in found.elimination_order],
        "inputs": [
            {"name": network.name, "weight": (weights or {}).get(network.name, 1), "network": as_read(network)}
            for network in networks
        ],
    }
    return page.evaluate(POOL, request)


@pytest.mark.parametrize("weights", [None, {"harbour": 3}])
def test_the_page_pools_tables_as_python_does(served, weights):
    networks = read(*CLINICS)
    turned = networks[1]  # whose states and variables come in another order
    states = {name: turned.states[name][::-1] for name in turned.variables[::-1]}
    dag = DAG(turned.variables[::-1], turned.dag.edges)
    cpts = {}
    for name in dag.variables:
        axes = [turned.dag.parents(name).index(parent) for parent in dag.parents(name)]
        cpts[name] = np.flip(turned.cpts[name].transpose([*axes, len(axes)]))
    networks[1] = bnfuse.Network(dag, states, cpts, turned.name)
    networks[4] = bnfuse.Network(networks[4].dag, name=networks[4].name)
    found = bnfuse.consensus(networks, weights=weights, effort="quick")
    answer = pooled(served(), networks, found, weights)
    network = found.network
    assert [tuple(labels) for labels in answer["tables"]["states"]] == [network.states[v] for v in network.variables]
    for name, table in zip(network.variables, answer["tables"]["values"], strict=True):
        np.testing.assert_allclose(table, network.cpts[name].reshape(-1), rtol=1e-9, atol=1e-15)
    assert answer["notes"] == [
        "the tables are pooled from the 4 networks, as close to their mixture as possible",
        "'northfield' has no tables and took no part in the pooling",
    ]
    assert answer["tables"]["inputs"][4] is None


def test_tables_that_do_not_fit_together_are_not_pooled(served):
    coin = bnfuse.Network(DAG(["Coin"]), {"Coin": ("heads", "tails")}, {"Coin": [0.5, 0.5]}, "one")
    other = bnfuse.Network(DAG(["Coin"]), {"Coin": ("up", "down")}, {"Coin": [0.5, 0.5]}, "other")
    found = bnfuse.consensus([coin, other])
    ask = POOL.replace(
        "return panelTables(request);", "try { panelTables(request); } catch (error) { return error.message; }"
    )
    request = {
        "variables": ["Coin"],
        "arcs": [],
        "order": [0],
        "inputs": [{"name": one.name, "weight": 1, "network": as_read(one)} for one in (coin, other)],
    }
    said = served().evaluate(ask, request)
    assert (
        said
        == "variable 'Coin' has the states 'heads', 'tails' in one and 'up', 'down' in other; pooling needs the same"
    )
    assert any("were not pooled" in note for note in found.finished.notes)
