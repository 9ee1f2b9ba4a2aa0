"""The report in a browser: loaded from a file, with the network off."""

import re
from dataclasses import replace

import numpy as np
import pytest

import bnfuse
from bnfuse import DAG, Network, Tally, read
from bnfuse.inference.parameters import Fitted
from bnfuse.report.solver.parts import kernel
from page_browser import DESKTOP, PHONE, browser_fixture, needs_browser, opened_fixture  # noqa: F401
from page_parts import CLINICS, arcs_shown, code_of, middle_of, node_places, wait_until

pytestmark = needs_browser


@pytest.fixture(scope="module")
def clinics_report(tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "clinics.html"
    networks = read(*CLINICS)
    consensus = bnfuse.consensus(networks)
    names = consensus.dag.variables
    shapes = {v: [len(consensus.states[one]) for one in (*consensus.dag.parents(v), v)] for v in names}
    # Tables as parameter learning would leave them in the network.
    cpts = {v: np.broadcast_to(np.array([0.125, *[0.875 / (s[-1] - 1)] * (s[-1] - 1)]), s) for v, s in shapes.items()}
    consensus = consensus.with_frontier(bnfuse.frontier(networks, effort="quick"))
    replace(consensus, parameters=Fitted(Network(consensus.dag, consensus.states, cpts))).report(path)
    return path


# First screen


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_the_first_screen_says_what_how_good_and_who(opened, clinics_report, size):
    page = opened(clinics_report, size)
    assert page.locator("h1").inner_text() == "5 networks, one consensus: 14 arcs, proven optimal"
    lead = page.locator("#lead").inner_text()
    assert lead.startswith("harbour may stand apart: 11 arcs differ. 5 of 14 arcs are in every input.")
    assert lead.count(".") == page.locator("#lead button").count() == 3
    seen = [page.locator(one) for one in ("h1", "#lead", "#facts div:first-child", "#net")]
    for one in [*seen, *([page.locator("#bars .apart")] if size == DESKTOP else [])]:
        box = one.bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= size[1]
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    facts = page.locator("#facts").inner_text()
    assert all(words in facts for words in ("Mean distance", "5.40", "Proven bound", "Largest clique", "Majority vote"))


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
@pytest.mark.long
def test_weights_and_notes_are_told_where_it_says_how_good_it_is(opened, tmp_path, size):
    found = bnfuse.consensus(read(*CLINICS), weights={"harbour": 5})
    note = "a network without any arcs <b>scores the same</b>"
    replace(found, notes=(note,)).report(tmp_path / "r.html")
    page = opened(tmp_path / "r.html", size)
    notes = page.locator("#good #notes li").all_inner_texts()
    assert f"{note.capitalize()}." in notes
    assert any("harbour counts for 56 % of the total" in one for one in notes)
    assert "The consensus is one of the inputs, arc for arc: harbour." in notes
    assert notes[-1].startswith("Arcs are not causes")
    for one in ("#lead", "#net"):
        box = page.locator(one).bounding_box()
        assert box["y"] + box["height"] <= size[1]
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


@pytest.mark.long
def test_a_count_shows_its_arcs(opened, clinics_report):
    """A press marks them in the picture and lists them, another one puts them away; the address has what is shown."""
    page = opened(clinics_report)
    networks = read(*CLINICS)
    dag = bnfuse.consensus(networks).dag
    shared = {arc for arc in dag.edges if all(arc in one.dag.edges for one in networks)}
    count = page.locator("#lead button", has_text=f"{len(shared)} of {len(dag.edges)} arcs")
    count.click()
    assert set(arcs_shown(page, ".arc.chosen")) == shared
    listed = page.locator("#details .arc-list button").all_inner_texts()
    assert {tuple(one.split(" \u2192 ")) for one in listed} == shared
    assert count.get_attribute("aria-pressed") == "true"
    wait_until(page, "location.hash === '#told=shared'")
    page.reload()
    assert set(arcs_shown(page, ".arc.chosen")) == shared
    page.locator("#details .arc-list button").first.click()
    assert page.locator("#details h3").inner_text() == listed[0]
    assert count.get_attribute("aria-pressed") == "false"
    count.click()
    count.click()
    assert page.locator(".arc.chosen").count() == 0
    assert "Point at an arc" in page.locator("#details").inner_text()


def test_whoever_may_stand_apart_is_shown_beside_the_consensus(opened, clinics_report):
    page = opened(clinics_report)
    page.locator("#lead button").first.click()
    assert page.locator("#view").input_value() == "difference"
    assert page.locator("#other").evaluate("one => one.selectedOptions[0].text") == "harbour"
    harbour = next(one for one in read(*CLINICS) if one.name == "harbour")
    chosen = arcs_shown(page, ".arc.chosen")
    assert len(chosen) == bnfuse.shd(bnfuse.consensus(read(*CLINICS)), harbour) == 11
    assert set(chosen).isdisjoint(arcs_shown(page, ".arc.kept"))


def test_the_bars_are_sorted_and_the_outlier_is_marked(opened, clinics_report):
    page = opened(clinics_report)
    values = [int(text) for text in page.locator("#bars .value").all_inner_texts()]
    assert values == [13, 4, 4, 3, 3]
    marked = page.locator("#bars .apart")
    assert marked.count() == 1
    assert "may stand apart" in marked.inner_text()
    assert (
        page.locator("#bars .bar").first.bounding_box()["width"]
        > 2 * page.locator("#bars .bar").nth(1).bounding_box()["width"]
    )


def test_boxes_are_inside_the_picture_and_labels_inside_their_boxes(opened, clinics_report):
    page = opened(clinics_report)
    frame = page.locator("#net").bounding_box()
    for x, y, width, height in node_places(page):
        assert frame["x"] <= x
        assert x + width <= frame["x"] + frame["width"]
        assert frame["y"] <= y
        assert y + height <= frame["y"] + frame["height"]
    assert page.evaluate(
        "[...document.querySelectorAll('.node')].every(g => g.querySelector('text').getBBox().width"
        " <= g.querySelector('rect').getBBox().width)"
    )


# Views


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
@pytest.mark.long
def test_no_view_moves_a_node(opened, clinics_report, size):
    page = opened(clinics_report, size)
    places = node_places(page)
    arcs = set()
    for value in page.eval_on_selector_all("#view option", "all => all.map(one => one.value)"):
        if value == "beside":
            continue  # two pictures in the room of one
        page.select_option("#view", value)
        assert node_places(page) == places
        arcs.add(tuple(page.eval_on_selector_all("[data-a]", "all => all.map(one => one.dataset.a)")))
    assert len(arcs) == 8, "each view has arcs of its own: consensus, fusion, difference and five inputs"


def test_views_show_the_networks(opened, clinics_report):
    page = opened(clinics_report)
    networks = read(*CLINICS)
    fused = bnfuse.fuse(networks).dag
    for label, dag in [("full fusion", fused), *((one.name, one.dag) for one in networks)]:
        page.select_option("#view", label=label)
        own = arcs_shown(page, "[data-a]:not(.added)" if label != "full fusion" else "[data-a]")
        assert sorted(own) == sorted(dag.edges)


def test_the_difference_of_any_two(opened, clinics_report):
    page = opened(clinics_report)
    millbrook, harbour = (next(one for one in read(*CLINICS) if one.name == name) for name in ("millbrook", "harbour"))
    page.select_option("#view", "difference")
    page.select_option("#one", label="millbrook")
    page.select_option("#other", label="harbour")
    kinds = page.eval_on_selector_all("[data-a]", "all => all.map(g => g.classList[1])")
    assert len(kinds) - kinds.count("kept") == bnfuse.shd(millbrook, harbour)
    assert "only in millbrook" in page.locator("#legend").inner_text()


def test_thickness_follows_support(opened, clinics_report):
    page = opened(clinics_report)
    widths = {
        names: page.eval_on_selector(
            f'[data-a="{code_of(page, *names)}"] .line', "p => parseFloat(getComputedStyle(p).strokeWidth)"
        )
        for names in (("Age", "COPD"), ("Age", "Pneumonia"))
    }
    assert widths["Age", "COPD"] > widths["Age", "Pneumonia"]


def test_dropped_arcs_appear_when_asked_for(opened, clinics_report):
    page = opened(clinics_report)
    before = page.locator("[data-a].dropped").count()
    page.locator("#least").fill("1")
    assert page.locator("[data-a].dropped").count() > before
    assert page.locator("#least-text").inner_text() == "1 of 5"


# An arc's facts


def test_hovering_an_arc_tells_who_has_it(opened, clinics_report):
    page = opened(clinics_report)
    page.mouse.move(*middle_of(page, code_of(page, "Age", "Pneumonia")))
    text = page.locator("#details").inner_text()
    assert "Age → Pneumonia" in text
    assert "3 of 5 inputs have it in this direction." in text
    page.mouse.move(5, 5)
    assert "Point at an arc" in page.locator("#details").inner_text()


def test_the_keyboard_reaches_every_arc(opened, clinics_report):
    page = opened(clinics_report)
    page.locator("#net").focus()
    page.keyboard.press("Tab")
    told = set()
    for _ in range(14):
        title = page.locator("#details h3").inner_text()
        assert title in page.evaluate("document.activeElement.getAttribute('aria-label')")
        told.add(title)
        page.keyboard.press("ArrowRight")
    assert len(told) == 14


def test_a_dropped_arc_says_why(opened, clinics_report):
    page = opened(clinics_report)
    page.select_option("#view", label="harbour")
    code = page.get_attribute("[data-a].dropped", "data-a")
    page.locator(f'[data-a="{code}"]').focus()
    text = page.locator("#details").inner_text()
    assert "dropped" in text
    assert "harbour" in text
    assert re.search(r"Adding it (reversed )?costs (at most )?[0-9.]+, with everything else solved again", text)


def test_an_arc_that_needs_too_large_a_clique_says_so(opened, tmp_path):
    names = list("ABCD")
    full = DAG(names, [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]])
    found = bnfuse.consensus([Network(full, name=f"n{i}") for i in range(3)], max_clique=3)
    found.report(tmp_path / "r.html")
    page = opened(tmp_path / "r.html")
    page.locator("[data-a].dropped").first.focus()
    text = page.locator("#details").inner_text()
    assert "needs a clique of at least 4: the limit is 3." in text
    assert "3 of 3 inputs have it" in text


# Variables


@pytest.mark.long
def test_search_finds_and_shows_the_family(opened, clinics_report):
    page = opened(clinics_report)
    page.locator("#search").fill("pneu")
    page.keyboard.press("Enter")
    assert page.locator(".node.chosen").get_attribute("aria-label") == "Pneumonia"
    dag = bnfuse.consensus(read(*CLINICS)).dag

    def labels(kind):
        named = page.eval_on_selector_all(f"#net .node.{kind}", "all => all.map(g => g.getAttribute('aria-label'))")
        return sorted(named)

    assert labels("parent") == sorted(dag.parents("Pneumonia"))
    assert labels("child") == sorted(dag.children("Pneumonia"))
    spouses = {parent for child in dag.children("Pneumonia") for parent in dag.parents(child)}
    blanket = spouses - {"Pneumonia", *dag.parents("Pneumonia"), *dag.children("Pneumonia")}
    assert labels("spouse") == sorted(blanket)
    page.locator("#search").fill("nonsense")
    page.keyboard.press("Enter")
    assert "No variable is called" in page.locator("#details").inner_text()


def test_clicking_a_variable_shows_its_table(opened, clinics_report):
    page = opened(clinics_report)
    page.locator(".node", has_text="COPD").first.click()
    heads = page.locator("#details > .scroll th").all_inner_texts()
    consensus = bnfuse.consensus(read(*CLINICS))
    assert heads == [*consensus.dag.parents("COPD"), *consensus.states["COPD"]]
    assert "0.125" in page.locator("#details td").all_inner_texts()
    page.keyboard.press("Escape")
    page.locator("#net").focus()
    page.keyboard.press("Escape")
    assert page.locator(".node.chosen").count() == 0


# Moving


def test_zoom_and_pan_by_buttons_keys_wheel_and_mouse(opened, clinics_report):
    page = opened(clinics_report)
    start = node_places(page)
    page.click("#closer")
    larger = node_places(page)
    assert larger[0][2] > start[0][2]
    page.click("#whole")
    assert node_places(page) == start
    page.locator("#net").focus()
    page.keyboard.press("+")
    assert node_places(page) != start
    page.keyboard.press("0")
    assert node_places(page) == start
    page.keyboard.press("ArrowRight")
    assert node_places(page)[0][0] < start[0][0]
    page.keyboard.press("0")
    frame = page.locator("#net").bounding_box()
    page.mouse.move(frame["x"] + 20, frame["y"] + 20)
    page.mouse.wheel(0, -200)
    wait_until(page, f"document.querySelector('.node rect').getBoundingClientRect().width > {start[0][2]} + 1")
    page.keyboard.press("0")
    page.mouse.down()
    page.mouse.move(frame["x"] + 70, frame["y"] + 50, steps=4)
    page.mouse.up()
    moved = node_places(page)
    assert moved[0][0] - start[0][0] == pytest.approx(50, abs=2)
    assert moved[0][1] - start[0][1] == pytest.approx(30, abs=2)


def test_the_wheel_scrolls_the_page_until_the_picture_is_in_use(opened, clinics_report):
    page = opened(clinics_report)
    start = node_places(page)
    frame = page.locator("#net").bounding_box()
    page.mouse.move(frame["x"] + 20, frame["y"] + 20)
    page.mouse.wheel(0, 120)
    wait_until(page, "scrollY > 0")
    assert [place[2:] for place in node_places(page)] == [place[2:] for place in start]


# Tables


def column(page, number):
    return page.locator(f"#arc-table tbody td:nth-child({number})").all_inner_texts()


def test_tables_sort_filter_and_copy(opened, clinics_report):
    page = opened(clinics_report)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    head = page.locator("#arc-table th").nth(3)
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    counts = [int(text) for text in column(page, 4)]
    assert counts == sorted(counts, reverse=True)
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    assert [int(text) for text in column(page, 4)] == sorted(counts)
    page.locator("#arc-table th").nth(0).locator("button").click()
    assert column(page, 1) == sorted(column(page, 1), key=str.lower)
    page.locator("#arc-table select").select_option("kept")
    assert len(column(page, 1)) == 14
    page.locator("#arc-table input").fill("xray")
    rows = len(column(page, 1))
    assert 0 < rows < 14
    page.locator("#arc-table").get_by_text("Copy as CSV").click()
    page.wait_for_selector(f"text=copied {rows} rows")
    lines = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert lines[0].startswith("From,To,Status,")
    assert len(lines) == rows + 1
    assert all("XRay" in line for line in lines[1:])


def test_the_arc_table_has_every_arc_with_its_support(opened, clinics_report):
    page = opened(clinics_report)
    networks = read(*CLINICS)
    every = {arc for one in networks for arc in one.dag.edges} | set(bnfuse.fuse(networks).dag.edges)
    every |= set(bnfuse.consensus(networks).dag.edges)
    seen = lambda: zip(column(page, 1), column(page, 2), column(page, 4), column(page, 5), strict=True)  # noqa: E731
    rows = list(seen())
    assert all(int(forward) or int(backward) for _, _, forward, backward in rows)  # what fusion adds: on request
    page.locator("#arc-table select").select_option("added by fusion")
    rows += seen()
    assert {(source, target) for source, target, *_ in rows} == every
    for source, target, forward, backward in rows:
        assert int(forward) == sum((source, target) in one.dag.edges for one in networks)
        assert int(backward) == sum((target, source) in one.dag.edges for one in networks)


def test_a_row_shows_its_arc(opened, clinics_report):
    page = opened(clinics_report)
    page.locator("#arc-table select").select_option("dropped")
    row = page.locator("#arc-table tbody tr").first
    names = row.locator("td").all_inner_texts()[:2]
    row.locator("button").click()
    assert page.locator("#details h3").inner_text() == " → ".join(names)
    assert page.locator(".arc.chosen").count() == 1


@pytest.mark.long
def test_a_row_of_any_status_shows_its_arc(opened, clinics_report):
    page = opened(clinics_report)
    options = page.eval_on_selector_all("#arc-table select option", "all => all.map(one => one.value)")
    assert "added by fusion" in options
    for status in filter(None, options):
        page.locator("#arc-table select").select_option(status)
        row = page.locator("#arc-table tbody tr").last
        names = row.locator("td").all_inner_texts()[:2]
        row.locator("button").click()
        assert page.locator("#details h3").inner_text() == " → ".join(names)
        assert page.locator("#details .kind").inner_text() == status
        assert page.locator(".arc.chosen").count() == 1


def test_the_heat_map_tells_distances(opened, clinics_report):
    page = opened(clinics_report)
    label = page.locator("#between svg").get_attribute("aria-label")
    assert "Farthest apart: harbour and " in label
    cells = [text for text in page.locator("#between svg text").all_text_contents() if text.isdigit()]
    assert len(cells) == 25
    page.locator("#between svg").scroll_into_view_if_needed()
    box = page.locator("#between svg").bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.55, box["y"] + box["height"] * 0.95)
    assert re.fullmatch(r"\w+ and \w+: [0-9]+", page.locator("#between .told").inner_text())


def test_each_input_is_told_beside_the_consensus(opened, clinics_report):
    page = opened(clinics_report)
    first = page.locator("#apart tbody tr").first
    assert first.locator("td").all_inner_texts() == ["harbour", "13", "67", "13", "6", "4", "3", "2", "4"]
    first.locator("button").click()
    assert page.eval_on_selector("#view", "one => one.selectedOptions[0].text") == "harbour"


def test_charts_and_origin_are_there(opened, clinics_report):
    page = opened(clinics_report)
    assert page.locator("#charts h2").all_inner_texts() == ["Frontier"]  # one step that finds the optimum is no curve
    assert page.get_by_text("chosen limit 4").count() == 1
    assert "bnfuse " + bnfuse.__version__ in page.locator("#provenance").inner_text()


@pytest.mark.long
def test_a_search_with_steps_shows_them(opened, tmp_path):
    found = bnfuse.consensus(read(*CLINICS), 3, method="genetic", generations=4, population=8)
    assert any(step.mean > step.distance for step in found.history)
    found.report(tmp_path / "r.html")
    page = opened(tmp_path / "r.html")
    assert page.locator("#charts h2").all_inner_texts() == ["Convergence"]
    steps = found.history
    label = page.locator("#charts svg").get_attribute("aria-label")
    assert label.startswith(f"Convergence: from {steps[0].distance:.2f} to {steps[-1].distance:.2f}")


def test_an_input_that_was_left_out_and_weights_are_told(opened, tmp_path, said):
    weights = ("--weight", "harbour=0", "--weight", "eastgate=2.5")
    said("consensus", *CLINICS, *weights, "--effort", "quick", "--report", tmp_path / "r.html")
    page = opened(tmp_path / "r.html")
    assert page.locator("#headline").inner_text().startswith("4 networks (without harbour: weight 0), one consensus")
    assert "'harbour' was left out: weight 0" in page.locator("#notes").inner_text()
    files = page.locator("#provenance tbody tr td:first-child").all_inner_texts()
    assert [file.endswith("harbour.bif (left out: weight 0)") for file in files] == [False, True, False, False, False]
    row = page.locator("#apart tbody tr", has_text="eastgate")
    assert row.locator("td").nth(1).inner_text() == "2.5"


# Light and dark


def contrast(page, selector, over):
    """The WCAG contrast of the text or stroke of one element over the background of another."""
    return page.evaluate(
        """([selector, over]) => {
            const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
            const rgb = text => {
                canvas.fillStyle = text;
                canvas.fillRect(0, 0, 1, 1);
                return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
            };
            const linear = v => v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4;
            const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
            const style = getComputedStyle(document.querySelector(selector));
            const isLine = selector.includes(".line"), isText = selector.includes("text");
            const front = isLine ? style.stroke : isText ? style.fill : style.color;
            const back = getComputedStyle(document.querySelector(over));
            const [a, b] = [light(rgb(front)), light(rgb(over.includes("rect") ? back.fill : back.backgroundColor))];
            return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        }""",
        [selector, over],
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_light_and_dark_are_readable(opened, clinics_report, scheme):
    page = opened(clinics_report, scheme=scheme)
    page.select_option("#view", label="harbour")
    for selector, over in (
        ("h1", "body"), ("#lead", "body"), ("#lead strong", "body"), ("#lead button", "body"),
        ("#facts dt", "#facts div"), ("#legend li", ".network"), (".node text", ".node rect"),
        ("#bars .apart .who", "#bars-card"), ("td button", "#arc-table"), ("th", "th"),
    ):  # fmt: skip
        assert contrast(page, selector, over) >= 4.5, selector
    for kind in ("kept", "dropped", "added", "reversed"):
        assert contrast(page, f"[data-a].{kind} .line", ".network") >= 3, kind
    dashes = {
        page.eval_on_selector(f"[data-a].{kind} .line", "p => getComputedStyle(p).strokeDasharray")
        for kind in ("kept", "dropped", "added", "reversed")
    }
    assert len(dashes) == 4, "colour is never the only signal"


def test_the_button_changes_light_and_dark(opened, clinics_report):
    page = opened(clinics_report)
    colour = lambda: page.evaluate("getComputedStyle(document.body).backgroundColor")  # noqa: E731
    light = colour()
    page.click("#theme")
    assert colour() != light
    assert page.get_attribute("#theme", "aria-pressed") == "true"
    page.click("#theme")
    assert colour() == light


# What may come


def test_hostile_names_are_shown_as_text(opened, tmp_path):
    names = [
        "</script><script>alert(1)</script>",
        "<img src=x onerror=alert(2)>",
        "'\"&;--",
        "a\nb",
        "__proto__",
        "x" * 200,
    ]
    dag = DAG(names, [(names[0], names[1]), (names[1], names[2]), (names[3], names[4])])
    other = DAG(names, [(names[1], names[0]), (names[2], names[1])])
    inputs = [
        Network(dag, name="<b>one</b>"),
        Network(dag, name="javascript:alert(3)"),
        Network(other, name="<svg onload=alert(4)>"),
        Network(dag, name="y" * 200),
    ]
    bnfuse.consensus(inputs, max_clique=3).report(tmp_path / "r.html")
    page = opened(tmp_path / "r.html")
    labels = page.eval_on_selector_all(".node", "all => all.map(g => g.getAttribute('aria-label'))")
    assert labels == names
    assert page.locator("img, b, svg[onload]").count() == 0
    assert set(page.locator("#bars .who").all_text_contents()) == {one.name for one in inputs}
    page.locator("#search").fill(names[1])
    assert page.locator("#details h3").inner_text() == names[1]
    assert page.evaluate("[...document.querySelectorAll('td')].filter(one => one.scrollWidth > one.clientWidth)") == []
    for one in range(3):
        page.select_option("#view", str(one))
        page.locator("[data-a]").first.focus()
    of_solver = 0 if kernel() is None else 2
    assert page.evaluate("document.querySelectorAll('script').length") == 4 + of_solver


@pytest.mark.long
def test_a_tally_and_a_single_network_have_pages(opened, tmp_path):
    networks = read(*CLINICS)
    tally = Tally(networks[0].variables)
    for network in networks:
        tally.add(network)
    bnfuse.consensus(tally, effort="quick").report(tmp_path / "tally.html")
    page = opened(tmp_path / "tally.html")
    assert page.locator("h1").inner_text().startswith("Votes worth 5 networks, one consensus")
    page.locator("[data-a]").first.focus()
    assert "of the weight" in page.locator("#details").inner_text()
    bnfuse.consensus([networks[0]], effort="quick").report(tmp_path / "one.html")
    page = opened(tmp_path / "one.html")
    assert page.locator("h1").inner_text().startswith("1 network, one consensus")
    bnfuse.consensus([DAG(["A"])], max_clique=2).report(tmp_path / "least.html")
    assert opened(tmp_path / "least.html").locator(".node").count() == 1


@pytest.mark.long
def test_a_view_of_thousands_of_arcs_stays_light(opened, tmp_path):
    names = [f"V{i}" for i in range(120)]
    random = np.random.default_rng(0)
    dense = [
        DAG(names, [(a, b) for i, a in enumerate(names) for b in names[i + 1 :] if random.random() < 0.5])
        for _ in range(3)
    ]
    bnfuse.consensus(dense, max_clique=3, method="majority").report(tmp_path / "dense.html")
    page = opened(tmp_path / "dense.html")
    page.select_option("#view", "fusion")
    assert page.locator("#arcs > *").count() < 10
    assert "choose a variable" in page.locator("#legend").inner_text()
    page.locator("#search").fill("V60")
    own = page.locator("[data-a]").count()
    assert 0 < own < 120
