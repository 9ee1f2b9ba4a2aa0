"""Limits on clique tables on the page: the tile, the frontier's axes and the reasons, computed anew."""

import math
import re
from itertools import combinations, pairwise

import networkx as nx
import pytest

import bnfuse
import oracles
from bnfuse import read
from bnfuse.fusion.cliques import inference_cost
from page_browser import PHONE, browser_fixture, needs_browser, opened_fixture  # noqa: F401
from page_parts import CLINICS

pytestmark = [needs_browser, pytest.mark.long]

LIMITS = [5, 10, 20, 50, 1000]
NUMBER_OF_STATES = re.compile(r"variable\s+(\S+)\s*\{\s*type\s+discrete\s*\[\s*([0-9]+)\s*\]")
COUNTS = {name: int(number) for name, number in NUMBER_OF_STATES.findall(CLINICS[0].read_text())}


@pytest.fixture(name="networks", scope="module")
def networks_fixture():
    return read(*CLINICS)


@pytest.fixture(name="steps", scope="module")
def steps_fixture(networks):
    return bnfuse.frontier(networks, max_table=LIMITS, effort="quick")


def tables_along(dag, order):
    """The numbers in the tables of the maximal cliques that eliminating in this order makes."""
    rest = oracles.moral_graph(oracles.graph_of(dag))
    chordal = rest.copy()
    for variable in order:
        fill = list(combinations(list(rest[variable]), 2))
        rest.add_edges_from(fill)
        chordal.add_edges_from(fill)
        rest.remove_node(variable)
    return [math.prod(COUNTS[name] for name in clique) for clique in nx.chordal_graph_cliques(chordal)]


def smallest_largest_table(graph):
    """By dynamic programming over the sets of variables that are eliminated first, as bits."""
    moral = oracles.moral_graph(graph)
    names = list(moral)
    bit = {name: 1 << i for i, name in enumerate(names)}
    beside = {bit[name]: sum(bit[other] for other in moral[name]) for name in names}
    best = {0: 1}
    for _ in names:
        after = {}
        for gone, table in best.items():
            for variable, others in beside.items():
                if variable & gone:
                    continue
                clique, waiting = variable, others
                while waiting:  # through what is gone to what is still there
                    one = waiting & -waiting
                    clique |= one
                    waiting = (waiting | (beside[one] if one & gone else 0)) & ~clique
                size = max(table, math.prod(COUNTS[name] for name in names if bit[name] & clique & ~gone))
                more = gone | variable
                after[more] = min(after.get(more, size), size)
        best = after
    return best[sum(bit.values())]


def mean_smhd(dag, networks):
    graph = oracles.graph_of(dag)
    return sum(oracles.smhd(graph, oracles.graph_of(one.dag)) for one in networks) / len(networks)


# The tile


@pytest.mark.parametrize("limit", [5, 10, 20, 50, 1000])
def test_the_tile_has_the_largest_table_and_its_limit(opened, networks, tmp_path, limit):
    found = bnfuse.consensus(networks, max_table=limit, effort="quick")
    found.report(tmp_path / "r.html")
    largest = max(tables_along(found.dag, found.elimination_order))
    assert largest <= limit
    page = opened(tmp_path / "r.html", PHONE)
    tiles = {text.splitlines()[0]: text.splitlines()[1:] for text in page.locator("#facts div").all_inner_texts()}
    assert tiles["Largest clique table"] == [f"{largest:,}", f"numbers; limit {limit:,}"]
    assert "limit" not in tiles["Largest clique"][1]
    assert page.locator("#facts div", has_text="Largest clique table").is_visible()
    origin = dict(
        zip(
            page.locator("#provenance dt").all_inner_texts(),
            page.locator("#provenance dd").all_inner_texts(),
            strict=True,
        )
    )
    assert origin["numbers in a clique table allowed"] == f"{limit:,}"


def test_without_a_limit_on_tables_there_is_no_tile_of_them(opened, networks, tmp_path):
    bnfuse.consensus(networks).report(tmp_path / "r.html")
    text = opened(tmp_path / "r.html").locator("#facts").inner_text()
    assert "Largest clique table" not in text
    assert "limit 4, treewidth" in text


# The frontier

CHART = """() => {
    const picture = [...document.querySelectorAll("#charts .card")]
        .find((card) => card.querySelector("h2").innerText === "Frontier").querySelector("svg");
    const number = (one, name) => Number(one.getAttribute(name));
    return {
        label: picture.getAttribute("aria-label"),
        texts: [...picture.querySelectorAll("text")]
            .map((one) => [number(one, "x"), number(one, "y"), one.textContent]),
        dots: [...picture.querySelectorAll("circle[r='4']")].map((one) => [number(one, "cx"), number(one, "cy")]),
        rings: [...picture.querySelectorAll("circle[r='7']")].map((one) => [number(one, "cx"), number(one, "cy")]),
        squares: [...picture.querySelectorAll("rect")].map((one) => [number(one, "x") + 3.5, number(one, "y") + 3.5]),
        ways: [...picture.querySelectorAll("path")].filter((one) => one.getAttribute("d").includes("L"))
            .map((one) => [one.getAttribute("d"), one.getAttribute("style") ?? ""]),
        note: picture.parentElement.querySelector(".note").innerText,
    };
}"""
SHORT = {"5": 5, "10": 10, "20": 20, "50": 50, "1K": 1000}


class Chart:
    """A frontier as it is drawn: its places turned back into values by the axes' own labels."""

    def __init__(self, drawn):
        for name, value in drawn.items():
            setattr(self, name, value)
        *_, ticks, title = sorted({y for _, y, _ in self.texts})
        (self.title,) = (text for _, y, text in self.texts if y == title)
        self.limits = {SHORT[text]: x for x, y, text in self.texts if y == ticks}
        self.left = [(y - 4, float(text)) for x, y, text in self.texts if x < min(self.limits.values()) - 14.5]
        right = max(self.limits.values()) + 14.5
        self.right = [(y - 4, float(text.replace(",", ""))) for x, y, text in self.texts if x > right]

    def limit_at(self, x):
        (low, first), (high, last) = min(self.limits.items()), max(self.limits.items())
        return low * (high / low) ** ((x - first) / (last - first))

    def distance_at(self, y):
        (start, low), (end, high) = self.left[0], self.left[-1]
        return low + (high - low) * (y - start) / (end - start)

    def tables_at(self, y):
        (start, low), (end, high) = self.right[0], self.right[-1]
        return low * (high / low) ** ((y - start) / (end - start))

    def corners(self, way):
        return [tuple(map(float, point.split())) for point in re.split("[ML]", way)[1:]]


def test_the_frontier_over_tables_has_an_axis_of_memory(opened, networks, steps, tmp_path):
    found = bnfuse.consensus(networks, max_table=20, effort="quick").with_frontier(steps)
    found.report(tmp_path / "r.html")
    chart = Chart(opened(tmp_path / "r.html").evaluate(CHART))
    assert chart.title == "limit: numbers in the largest clique table allowed"
    assert list(chart.limits) == LIMITS
    assert chart.label == "Frontier: distance and cost of inference for limits 5 to 1K"
    assert len(chart.dots) == len(chart.squares) == len(steps)
    for limit, step, (x, y), (square_x, square_y) in zip(LIMITS, steps, chart.dots, chart.squares, strict=True):
        assert x == square_x == pytest.approx(chart.limits[limit], abs=0.01)
        assert chart.limit_at(x) == pytest.approx(limit, rel=0.001)
        assert chart.distance_at(y) == pytest.approx(mean_smhd(step.dag, networks), abs=0.01)
        cost = sum(tables_along(step.dag, inference_cost(step.network).elimination_order))
        assert chart.tables_at(square_y) == pytest.approx(cost, rel=0.01)
    ((x, y),) = chart.rings
    assert chart.limit_at(x) == pytest.approx(20, rel=0.001)
    assert chart.distance_at(y) == pytest.approx(mean_smhd(found.dag, networks), abs=0.01)
    assert any(text == "chosen limit 20" for *_, text in chart.texts)
    assert "The dashed upright is the limit of this consensus." in chart.note


def test_what_is_shaded_is_proven_between_the_limits_too(opened, networks, steps, tmp_path):
    """A bound holds for all smaller limits, and a network fits into all larger ones: steps, no slopes."""
    bnfuse.consensus(networks, max_table=20, effort="quick").with_frontier(steps).report(tmp_path / "r.html")
    chart = Chart(opened(tmp_path / "r.html").evaluate(CHART))
    ((shaded, _),) = [(way, style) for way, style in chart.ways if "fill-opacity" in style]
    for way, _ in chart.ways:
        corners = chart.corners(way)
        assert all(x == other_x or y == other_y for (x, y), (other_x, other_y) in pairwise(corners))
    corners = chart.corners(shaded)
    heights = {
        (round(chart.limit_at(x)), round(chart.limit_at(other_x))): chart.distance_at(y)
        for (x, y), (other_x, other_y) in pairwise(corners)
        if y == other_y and x != other_x
    }
    assert list(heights) == list(pairwise(LIMITS))
    for (_, larger), height in heights.items():
        assert height == pytest.approx(steps[LIMITS.index(larger)].lower_bound, abs=0.02)


def test_a_limit_of_another_kind_has_no_place_on_the_axis(opened, networks, steps, tmp_path):
    bnfuse.consensus(networks, 3, effort="quick").with_frontier(steps).report(tmp_path / "tables.html")
    chart = Chart(opened(tmp_path / "tables.html").evaluate(CHART))
    assert list(chart.limits) == LIMITS
    by_cliques = bnfuse.frontier(networks, [2, 3], effort="quick")
    bnfuse.consensus(networks, max_table=20, effort="quick").with_frontier(by_cliques).report(tmp_path / "cliques.html")
    other = opened(tmp_path / "cliques.html").evaluate(CHART)
    assert any(text == "limit: largest clique allowed" for *_, text in other["texts"])
    for drawn in (vars(chart), other):
        assert not drawn["rings"]
        assert not any("chosen" in text for *_, text in drawn["texts"])
        assert "upright" not in drawn["note"]


def test_one_limit_on_tables_is_shown_as_one(opened, networks, tmp_path):
    steps = bnfuse.frontier(networks, max_table=[20], effort="quick")
    bnfuse.consensus(networks, max_table=20, effort="quick").with_frontier(steps).report(tmp_path / "r.html")
    drawn = opened(tmp_path / "r.html").evaluate(CHART)
    texts = [text for *_, text in drawn["texts"]]
    assert "limit: numbers in the largest clique table allowed" in texts
    assert "20" in texts
    assert len(drawn["dots"]) == len(drawn["rings"]) == 1


# The reasons

DOING = "(?:Adding it|Reversing it)"
TABLE = DOING + r" makes a clique table of ([0-9,]+) numbers, as far as is known: the limit is ([0-9,]+)\."
CHANGE = r"without changing anything else, (?:adding it|reversing it) would (lower|raise|not change) the mean "
CHANGE += r"distance(?: by ([0-9]+\.[0-9]+))?"


@pytest.mark.parametrize("limit", [5, 10, 20])
def test_the_reason_for_an_arc_that_its_table_keeps_out_is_true(opened, networks, tmp_path, limit):
    found = bnfuse.consensus(networks, max_table=limit, effort="quick")
    found.report(tmp_path / "r.html")
    page = opened(tmp_path / "r.html")
    while (more := page.locator("#arc-table").get_by_text("Show more")).count() and more.is_visible():
        more.click()
    rows = [row.split("\t") for row in page.locator("#arc-table tbody tr").all_inner_texts()]
    before = mean_smhd(found.dag, networks)
    checked = 0
    for source, target, *_, why in rows:
        if "clique table of" not in why:
            continue
        assert "needs a clique" not in why
        table, most = (int(number.replace(",", "")) for number in re.search(TABLE, why).groups())
        graph = oracles.graph_of(found.dag)
        # Of an arc that is against the inputs it is said what reversing it would do.
        arc = (target, source) if graph.has_edge(source, target) else (source, target)
        graph.remove_edges_from([arc[::-1]])
        graph.add_edge(*arc)
        assert limit == most < smallest_largest_table(graph) <= table
        checked += 1
        if "solved again" in why:
            continue
        how, size = re.search(CHANGE, why).groups()
        change = mean_smhd(bnfuse.DAG(found.dag.variables, list(graph.edges)), networks) - before
        assert how == ("not change" if abs(change) < 1e-9 else "lower" if change < 0 else "raise")
        assert float(size or 0) == pytest.approx(abs(change), abs=0.005)
    assert checked
