"""The limit, live: with the network of another limit the page says what a report of that network alone says."""

import json
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bnfuse
from bnfuse import Consensus, read
from bnfuse.report.page import other_limits
from bnfuse.report.page.other_limits import changed
from page_browser import TEMPLATE, browser_fixture, needs_browser, opened_fixture, served_fixture  # noqa: F401
from page_parts import CLINICS, assert_same_as_alone, to_limit

TABLES = [12, 24, 200]


@pytest.fixture(scope="module")
def clinics():
    return read(*CLINICS)


@pytest.fixture(scope="module")
def live(clinics):
    """A consensus with the networks of all limits, and these."""
    steps = bnfuse.frontier(clinics, effort="quick")
    return bnfuse.consensus(clinics, 3, effort="quick").with_frontier(steps), steps


@pytest.fixture(scope="module")
def report(live, tmp_path_factory):
    path = tmp_path_factory.mktemp("live") / "report.html"
    live[0].report(path)
    return path


# The same as a report of that network


@pytest.mark.long
@needs_browser
def test_each_limit_says_what_its_own_report_says(opened, live, tmp_path):
    found, steps = live
    assert_same_as_alone(opened, tmp_path, found, steps)


@pytest.mark.long
@needs_browser
def test_each_limit_on_tables_says_what_its_own_report_says(opened, clinics, tmp_path):
    steps = bnfuse.frontier(clinics, max_table=TABLES, weights={"harbour": 2}, effort="quick")
    found = bnfuse.consensus(clinics, max_table=48, weights={"harbour": 2}, effort="quick")  # a limit of its own
    assert_same_as_alone(opened, tmp_path, found, steps)


@needs_browser
@pytest.mark.long
def test_a_consensus_with_a_limit_of_another_kind_keeps_its_place(opened, clinics, tmp_path):
    steps = bnfuse.frontier(clinics, [2, 3], effort="quick")
    bnfuse.consensus(clinics, max_table=24, effort="quick").with_frontier(steps).report(tmp_path / "r.html")
    page = opened(tmp_path / "r.html")
    assert page.locator("#limit-text").inner_text() == "this report\u2019s own"
    own = page.locator("h1").inner_text()
    to_limit(page, 0)
    assert page.locator("#limit-text").inner_text() == "2"
    assert page.locator("h1").inner_text() != own
    page.locator("#own-limit").click()
    assert page.evaluate("document.activeElement.id") == "limit"
    assert page.locator("h1").inner_text() == own


# Hands


@needs_browser
@pytest.mark.long
def test_keys_move_the_slider_and_nothing_else(opened, report):
    page = opened(report)
    page.select_option("#view", "1")
    page.locator("#closer").click()
    page.locator(".node", has_text="Pneumonia").focus()
    page.keyboard.press("Enter")
    page.locator("#arc-table input").fill("Fever")
    page.locator("#arc-table thead button").nth(1).click()
    page.locator("#arc-table").scroll_into_view_if_needed()
    seen = "[document.getElementById('net').getAttribute('viewBox').split(' ', 3).join(),"
    seen += " document.getElementById('view').value,"
    seen += " document.querySelector('#details h3').textContent, document.querySelector('.node.chosen').textContent,"
    seen += " document.querySelector('#arc-table input').value,"
    seen += " document.querySelector('#arc-table [aria-sort=ascending]').textContent,"
    seen += " Math.round(document.getElementById('arc-table').getBoundingClientRect().top)]"
    before, arcs = page.evaluate(seen), page.locator("h1").inner_text()
    page.locator("#limit").evaluate("one => one.focus({ preventScroll: true })")
    assert page.locator("#limit").get_attribute("aria-valuetext") == "3"
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.id") == "limit"
    assert page.locator("#limit").get_attribute("aria-valuetext") == "2"
    assert page.locator("h1").inner_text() != arcs
    assert page.evaluate(seen) == before
    page.keyboard.press("ArrowRight")
    assert page.locator("h1").inner_text() == arcs


@needs_browser
def test_the_slider_can_be_dragged_through_all_limits(opened, report):
    page = opened(report)
    box = page.locator("#limit").bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, middle)
    page.mouse.down()
    seen = []
    for share in (0.98, 0.5, 0.02, 0.98):
        page.mouse.move(box["x"] + share * box["width"], middle)
        seen.append((page.locator("#limit-text").inner_text(), page.locator("#facts").inner_text().count("limit 2,")))
    page.mouse.up()
    assert seen == [("4", 0), ("3", 0), ("2", 1), ("4", 0)]


@needs_browser
@pytest.mark.long
def test_a_click_on_the_frontier_chooses_a_limit(opened, report):
    page = opened(report)
    place = "one => { const box = one.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2] }"
    for i, limit in enumerate((2, 3, 4)):
        chart = page.locator("#charts .plot").first
        chart.scroll_into_view_if_needed()
        before = chart.bounding_box()["y"]
        x, y = chart.locator("circle[r='4']").nth(i).evaluate(place)
        page.mouse.click(x + 3, y + 9)
        assert page.locator("#limit-text").inner_text() == str(limit)
        assert f"chosen limit {limit}" in chart.text_content()
        assert abs(chart.bounding_box()["y"] - before) <= 1  # it stays where it is


@needs_browser
@pytest.mark.long
def test_an_arc_stays_chosen_where_anybody_has_it(opened, live, report):
    page = opened(report)
    found, steps = live
    names = found.dag.variables
    for arc in sorted(set(steps[-1].dag.edges) - set(steps[0].dag.edges))[:2]:
        to_limit(page, 2)
        code = names.index(arc[0]) * len(names) + names.index(arc[1])
        page.locator(f"[data-a='{code}']").focus()
        page.keyboard.press("Enter")
        to_limit(page, 0)
        assert page.locator("#details h3").inner_text() == " \u2192 ".join(arc)
        assert page.locator("#details .kind").inner_text() in ("dropped", "reversed in the consensus")


@pytest.mark.long
@needs_browser
def test_fifty_switches_leave_nothing_behind(opened, report):
    page = opened(report)
    tools = page.context.new_cdp_session(page)
    tools.send("Performance.enable")

    def held():
        tools.send("HeapProfiler.collectGarbage")
        metrics = {one["name"]: one["value"] for one in tools.send("Performance.getMetrics")["metrics"]}
        return metrics["Nodes"], metrics["JSEventListeners"]

    switch = """times => { for (let i = 0; i < times; i++) {
        const slider = document.getElementById("limit");
        slider.value = i % 3;
        slider.dispatchEvent(new Event("input"));
    } }"""
    once = held()
    page.evaluate(switch, 3)
    before = held()
    page.evaluate(switch, 51)
    # The browser itself keeps a page or two for a while; whatever leaks would keep all 51.
    for one, first, last in zip(once, before, held(), strict=True):
        assert last < first + 3 * one


def test_what_listens_to_what_stays_stops_when_the_page_is_made_anew():
    listening = ("window.addEventListener", "document.addEventListener", ").addEventListener", "globalThis.addEvent")
    for script in TEMPLATE.iterdir():
        if script.name.endswith(".js"):
            text = script.read_text("utf-8")
            for line in text.splitlines():
                if any(one in line for one in listening) and "$(" not in line:
                    assert "signal" in line, f"{script.name}: {line}"
            assert ("Observer(" in text) <= ("disconnect()" in text), script.name


# Without networks, without tables


@needs_browser
@pytest.mark.long
def test_a_file_of_an_older_version_has_the_chart_and_no_slider(opened, live, tmp_path):
    live[0].save(tmp_path / "new.json")
    content = json.loads((tmp_path / "new.json").read_text("utf-8"))
    for point in content["frontier"]:
        del point["answer"]
    (tmp_path / "old.json").write_text(json.dumps(content | {"version": 2}, separators=(",", ":")), "utf-8")
    old = Consensus.load(tmp_path / "old.json")
    assert [point.result for point in old.frontier] == [None] * 3
    old.report(tmp_path / "r.html")
    page = opened(tmp_path / "r.html")
    assert page.locator("#limits").is_hidden()
    assert page.locator("#charts .plot").first.locator("circle[r='4']").count() == 3


@needs_browser
@pytest.mark.long
def test_tables_of_one_limit_only_are_said_to_be_so(opened, clinics, live, tmp_path):
    rows = clinics[0].sample(60, seed=1)
    codes = rows.codes.copy()
    codes[0, 0] = -1
    fitted = live[0].fit(replace(rows, codes=codes))
    assert [point.result.parameters for point in fitted.frontier] == [None] * 3
    fitted.report(tmp_path / "r.html")
    page = opened(tmp_path / "r.html")
    assert page.locator("#parameters tbody tr").count() == len(fitted.dag.variables)
    to_limit(page, 0)
    assert page.locator("#parameters").inner_text().splitlines()[-1] == (
        "Only the network of this report\u2019s own limit, 3, has probability tables here."
    )


@needs_browser
@pytest.mark.long
def test_limits_that_have_no_room_are_named(opened, live, tmp_path, monkeypatch):
    monkeypatch.setattr(other_limits, "_MOST_CHARACTERS", 2_000)
    live[0].report(tmp_path / "r.html")
    page = opened(tmp_path / "r.html")
    assert page.get_attribute("#limit", "max") == "1"
    said = page.locator("#limit-hint").text_content()
    assert re.fullmatch(r"Limit .* as good: .*\. Without 4: this page would be too large\.", said)
    to_limit(page, 0)
    assert page.locator("#limit-text").inner_text() == "2"
    for most in ("_MOST_CHARACTERS", "_MOST_WITH_OWN"):
        monkeypatch.undo()
        monkeypatch.setattr(other_limits, most, 0)
        live[0].report(tmp_path / "none.html")
        assert opened(tmp_path / "none.html").locator("#limits").is_hidden()


# Changes

SCALARS = st.none() | st.booleans() | st.integers(2, 9) | st.text("ab<", max_size=3)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["a", "b", "c", "d"]), inner, max_size=4)
        | st.dictionaries(st.integers(0, 30).map(str), inner, max_size=4)
    ),
    max_leaves=12,
)


@needs_browser
@pytest.mark.long
def test_a_change_makes_the_one_value_of_the_other(served):
    tab = served()
    script = "async all => { const { changed } = await import('/changes.js');"
    script += " return all.map(([old, change]) => JSON.stringify(changed(old, change))) }"
    cases = []

    @settings(max_examples=120)
    @given(VALUES, VALUES)
    def collect(old, new):
        change = changed(old, new)
        assert (change is None) == (old == new)
        if change is not None:
            cases.append((old, change, new))

    collect()
    made = tab.evaluate(script, [[old, change] for old, change, _ in cases])
    wanted = tab.evaluate("all => all.map((one) => JSON.stringify(one))", [new for *_, new in cases])
    assert made == wanted


def test_a_change_of_little_is_small():
    old = {"facts": {"arcs": 12, "what": "x" * 99}, "inputs": [{"arcs": [1, 2, 3], "distance": i} for i in range(9)]}
    new = json.loads(json.dumps(old))
    new["facts"]["arcs"] = 13
    new["inputs"][4]["distance"] = 7
    assert changed(old, new) == {"facts": {"arcs": [13]}, "inputs": {"4": {"distance": [7]}}}
    assert changed({"1": [1] * 9, "2": [2] * 9}, {"1": [1] * 9, "3": [3]}) == {"2": 0, "3": [[3]]}
