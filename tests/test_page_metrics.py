"""The metric on the page: named wherever a distance is, and no other; each number by the slow twins."""

import re

import pytest

import bnfuse
import oracles
from bnfuse import read
from page_browser import browser_fixture, needs_browser, opened_fixture  # noqa: F401
from page_parts import CLINICS

pytestmark = [needs_browser, pytest.mark.long]

NAMES = {"smhd": "SMHD", "shd": "SHD"}


@pytest.fixture(name="metric", scope="module", params=NAMES)
def metric_fixture(request):
    return request.param


@pytest.fixture(name="networks", scope="module")
def networks_fixture():
    return read(*CLINICS)


@pytest.fixture(name="found", scope="module")
def found_fixture(metric, networks):
    found = bnfuse.consensus(networks, 3, metric=metric, effort="quick")
    return found.with_frontier(bnfuse.frontier(networks, [2, 3, 4], metric=metric, effort="quick"))


@pytest.fixture(name="page")
def page_fixture(opened, found, tmp_path):
    found.report(tmp_path / "r.html")
    return opened(tmp_path / "r.html")


@pytest.fixture(name="graphs", scope="module")
def graphs_fixture(networks):
    return {one.name: oracles.graph_of(one.dag) for one in networks}


def mean(metric, graph, graphs):
    measure = {"smhd": oracles.smhd, "shd": oracles.shd}[metric]
    return sum(measure(graph, other) for other in graphs.values()) / len(graphs)


ALL_TEXT = """() => {
    const parts = [document.body.innerText];
    for (const name of ["aria-label", "title"]) {
        parts.push(...[...document.querySelectorAll(`[${name}]`)].map((one) => one.getAttribute(name)));
    }
    const view = document.getElementById("view");
    for (const one of [...view.options].map((option) => option.value)) {
        view.value = one;
        view.dispatchEvent(new Event("change"));
        for (const arc of document.querySelectorAll("[data-a]")) {
            arc.focus();
            parts.push(document.getElementById("details").innerText);
        }
        parts.push(document.getElementById("legend").innerText);
    }
    return parts.join("\\n");
}"""


def test_one_metric_is_named_and_no_other(page, metric):
    text = page.evaluate(ALL_TEXT)
    found = {name.upper() for name in re.findall(r"\b(?:SMHD|SHD|FSim)\b", text, re.IGNORECASE)}
    assert found == {NAMES[metric]}
    assert ("moral edges" in text) == (metric == "smhd")


def test_the_metric_is_named_wherever_a_distance_is(page, metric):
    name = NAMES[metric]
    told = {
        "#facts div:first-child": rf"^Mean distance\n[0-9.]+\n{name} to the inputs$",
        "#between .scale": rf"\({name}\)$",
        "#compared thead": rf"Mean {name}\b",
        "#charts .card:nth-child(1)": rf"^Frontier\n(?s:.*)left axis: mean {name};",
        "#provenance": rf"metric\s+{metric}\b",
    }
    for selector, pattern in told.items():
        assert re.search(pattern, page.locator(selector).inner_text()), selector


def test_the_metric_is_named_where_steps_are_shown(opened, tmp_path, metric, networks):
    bnfuse.consensus(networks, 3, metric=metric, method="genetic", generations=3, population=8).report(
        tmp_path / "r.html"
    )
    card = opened(tmp_path / "r.html").locator("#charts .card").first
    assert re.search(rf"^Convergence\n(?s:.*)Mean {NAMES[metric]} of the best network so far", card.inner_text())


def test_each_number_is_a_distance_by_that_metric(page, metric, found, networks, graphs):
    measure = {"smhd": oracles.smhd, "shd": oracles.shd}[metric]
    mine = oracles.graph_of(found.dag)
    tiles = {text.splitlines()[0]: text.splitlines()[1] for text in page.locator("#facts div").all_inner_texts()}
    assert float(tiles["Mean distance"]) == pytest.approx(mean(metric, mine, graphs), abs=0.005)
    assert float(tiles["Proven bound"]) <= mean(metric, mine, graphs) + 1e-9
    fused = oracles.graph_of(bnfuse.fuse(networks).dag)

    names = [text.splitlines()[0] for text in page.locator("#bars .who").all_inner_texts()]
    bars = dict(zip(names, map(int, page.locator("#bars .value").all_inner_texts()), strict=True))
    assert bars == {name: measure(mine, graph) for name, graph in graphs.items()}

    rows = {
        row[0]: row[1] for row in (text.split("\t") for text in page.locator("#compared tbody tr").all_inner_texts())
    }
    vote = bnfuse.consensus(networks, 3, metric=metric, method="majority").dag
    empty = oracles.graph_with(mine, ())
    expected = {
        "consensus": mine,
        "majority vote": oracles.graph_of(vote),
        **graphs,
        "full fusion": fused,
        "no arcs": empty,
    }
    assert rows == {name: f"{mean(metric, graph, graphs):.2f}" for name, graph in expected.items()}


def test_each_field_of_the_heat_map_is_a_distance_by_that_metric(page, metric, graphs):
    measure = {"smhd": oracles.smhd, "shd": oracles.shd}[metric]
    texts = page.locator("#between svg text").all_text_contents()
    order, fields = texts[: 2 * len(graphs) : 2], [int(text) for text in texts[2 * len(graphs) :]]
    assert sorted(order) == sorted(graphs)
    assert fields == [measure(graphs[one], graphs[other]) for one in order for other in order]
    apart = [distance for distance in fields if distance]
    scale = page.locator("#between .scale").inner_text()
    assert re.findall("[0-9]+", scale) == [str(min(apart)), str(max(apart))]
