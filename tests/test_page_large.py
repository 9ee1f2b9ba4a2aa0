"""Reports of large networks in a browser: painting, first zoom, minimap, neighbourhoods, search, long tables."""

import random
import re
from xml.etree import ElementTree

import networkx as nx
import numpy as np
import pytest

import bnfuse
from bnfuse import DAG
from bnfuse.report.drawing.routes import BOX_HEIGHT, curve
from bnfuse.report.page.page_data import layout_of
from drawings import boxes_behind, points_of, sampled
from page_browser import (
    DESKTOP,
    PHONE,
    browser_fixture,  # noqa: F401
    needs_browser,
    opened_fixture,  # noqa: F401
    served_fixture,  # noqa: F401
)

pytestmark = [needs_browser, pytest.mark.long]

LABEL = 12  # units


@pytest.fixture(scope="module")
def found():
    """320 variables, most of them with arcs to near ones, as three inputs have them."""
    names = [f"Var{i}" for i in range(320)]
    draw = random.Random(3)
    inputs = []
    arcs = {(i, min(319, i + draw.randint(1, 9))) for i in range(319) for _ in range(2)}
    for _ in range(3):
        kept = [(names[a], names[b]) for a, b in sorted(arcs) if a != b and draw.random() < 0.75]
        inputs.append(DAG(names, kept))
    return bnfuse.consensus(inputs, max_clique=4, method="majority")


@pytest.fixture(scope="module")
def report(found, tmp_path_factory):
    path = tmp_path_factory.mktemp("large") / "large.html"
    found.report(path)
    return path


def seen(page):
    """The part of the picture that is seen, and pixels for each unit."""
    x, y, width, height = map(float, page.get_attribute("#net", "viewBox").split())
    frame = page.locator("#net").bounding_box()
    return (x, y, width, height), frame, frame["width"] / width


def on_screen(page, x, y):
    (left, top, _, _), frame, scale = seen(page)
    return frame["x"] + (x - left) * scale, frame["y"] + (y - top) * scale


def is_painted(page):
    return page.locator("#painted").is_visible()


def after_painting(page):
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


# The first zoom, and the minimap


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_labels_can_be_read_at_first_and_the_whole_is_a_press_away(opened, found, report, size):
    page = opened(report, size)
    layout = layout_of(found)
    (x, y, width, height), _, scale = seen(page)
    assert LABEL * scale >= 11 - 0.01
    in_sight = [x < a < x + width and y < b < y + height for a, b in layout.centres]
    assert 5 < sum(in_sight) < 320
    assert page.locator("#minimap").is_visible()
    page.click("#whole")
    (x, y, width, height), _, scale = seen(page)
    assert LABEL * scale < 11
    assert x <= 0.01
    assert y <= 0.01
    assert x + width >= layout.width - 0.02
    assert y + height >= layout.height - 0.02
    assert page.locator("#minimap").is_hidden()


def test_a_press_on_the_minimap_looks_there(opened, found, report):
    page = opened(report)
    layout = layout_of(found)
    for share_x, share_y in ((0.8, 0.7), (0.25, 0.4)):
        box = page.locator("#minimap").bounding_box()
        page.mouse.click(box["x"] + share_x * box["width"], box["y"] + share_y * box["height"])
        (x, y, width, height), _, scale = seen(page)
        unit = layout.width / box["width"]
        assert x + width / 2 == pytest.approx(share_x * layout.width, abs=2 * unit)
        assert y + height / 2 == pytest.approx(share_y * layout.height, abs=2 * unit)
        frame = [float(page.get_attribute("#minimap .seen", name)) for name in ("x", "y", "width", "height")]
        assert frame[0] == pytest.approx(max(0, x), abs=0.1)
        assert frame[1] == pytest.approx(max(0, y), abs=0.1)
        assert frame[2] == pytest.approx(min(layout.width, x + width) - max(0, x), abs=0.2)
        assert LABEL * scale >= 11 - 0.01


# What is painted


def test_a_large_picture_is_painted_and_found_by_the_pointer(opened, found, report):
    page = opened(report)
    assert is_painted(page)
    assert page.locator("#net .node").count() == 1  # a stop for the Tab key
    assert page.locator("#net [data-a]").count() == 1
    layout, names = layout_of(found), found.dag.variables
    (x, y, width, height), _, _ = seen(page)
    visible = [
        v for v, (a, b) in enumerate(layout.centres) if x + 60 < a < x + width - 200 and y + 60 < b < y + height - 130
    ]
    assert len(visible) > 5
    for v in visible[:3]:
        page.mouse.move(*on_screen(page, *layout.centres[v]))
        assert page.locator(f'#net .node[data-v="{v}"]').count() == 1
        page.mouse.down()
        page.mouse.up()
        assert page.locator("#details h3").inner_text() == names[v]
    page.mouse.move(
        *on_screen(page, layout.centres[visible[0]][0], layout.centres[visible[0]][1] + BOX_HEIGHT / 2 + 3000)
    )
    for (a, b), middle in lonely_middles(found, layout, (x + 60, y + 60, x + width - 200, y + height - 130))[:3]:
        page.mouse.move(*on_screen(page, *middle))
        assert page.locator("#details h3").inner_text() == f"{names[a]} \u2192 {names[b]}"
        assert page.locator("#net [data-a]:hover").count() == 1


def lonely_middles(found, layout, part):
    """Arcs of the consensus with the middle of their way, where that is far from every other arc and box."""
    ways = {(a, b): sampled(np.array(curve(layout.way(a, b)))) for a, b in found.dag.arc_numbers.tolist()}
    drawn = {arc: np.concatenate([way, [way[-1]]]) for arc, way in ways.items()}
    boxes = np.array(
        [
            [x - w / 2, y - BOX_HEIGHT / 2, x + w / 2, y + BOX_HEIGHT / 2]
            for (x, y), w in zip(layout.centres, layout.widths, strict=True)
        ]
    )
    lonely = []
    for arc, way in drawn.items():
        middle = way[len(way) // 2]
        inside = part[0] < middle[0] < part[2] and part[1] < middle[1] < part[3]
        if not inside or boxes_behind(middle[None, :], boxes, -8):
            continue
        if all(np.hypot(*(other - middle).T).min() > 16 for one, other in drawn.items() if one != arc):
            lonely.append((arc, middle))
    assert lonely
    return lonely


def colours_painted(page):
    """Of each pixel of the canvas that is opaque, its colour; how often each occurs."""
    after_painting(page)
    return page.evaluate(
        """() => {
            const canvas = document.getElementById("painted");
            const copy = new OffscreenCanvas(canvas.width, canvas.height);
            const ink = copy.getContext("2d", { willReadFrequently: true });
            ink.drawImage(canvas, 0, 0);
            const { data } = ink.getImageData(0, 0, canvas.width, canvas.height);
            const found = {};
            for (let i = 0; i < data.length; i += 4) {
                if (data[i + 3] < 255) continue;
                const colour = `rgb(${data[i]}, ${data[i + 1]}, ${data[i + 2]})`;
                found[colour] = (found[colour] || 0) + 1;
            }
            return found;
        }"""
    )


def colour(page, name):
    return page.evaluate(
        "name => { const one = document.createElement('i'); document.body.append(one);"
        " one.style.color = `var(--${name})`; const said = getComputedStyle(one).color; one.remove(); return said }",
        name,
    )


def test_it_is_painted_in_the_colours_of_the_page(opened, found, report):
    page = opened(report)
    light = {name: colour(page, name) for name in ("kept", "box", "family", "mark")}
    painted = colours_painted(page)
    assert painted.get(light["kept"], 0) > 500
    assert painted.get(light["box"], 0) > 2000
    assert light["family"] not in painted
    child = found.dag.edges[0][1]
    page.fill("#search", child)
    painted = colours_painted(page)
    assert painted.get(light["family"], 0) > 50  # its parents' borders
    assert painted.get(light["mark"], 0) > 200  # the chosen box
    page.click("#theme")
    dark = {name: colour(page, name) for name in light}
    painted = colours_painted(page)
    assert painted.get(dark["family"], 0) > 50
    assert painted.get(dark["mark"], 0) > 200
    assert light["mark"] not in painted


def test_keys_reach_every_arc_and_box_of_a_painted_picture(opened, found, report):
    page = opened(report)
    page.locator("#net").focus()
    page.keyboard.press("Tab")
    told = []
    for _ in range(4):
        assert page.evaluate("document.activeElement.dataset.a") is not None
        told.append(page.locator("#details h3").inner_text())
        assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith(told[-1])
        assert page.locator("#net [data-a]").count() == 1
        page.keyboard.press("ArrowRight")
    assert len(set(told)) == 4
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.v") == "0"
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Var319"
    (x, y, width, height), _, _ = seen(page)
    at = layout_of(found).centres[319]
    assert x < at[0] < x + width
    assert y < at[1] < y + height
    page.keyboard.press("Enter")
    assert page.locator("#details h3").inner_text() == "Var319"


def test_paper_has_all_of_a_painted_picture(opened, found, report):
    page = opened(report, scheme="dark")
    layout = layout_of(found)
    before = page.evaluate("document.getElementById('painted').width")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert page.locator("#painted").is_visible()
    assert page.locator("#net").is_hidden()
    shape = page.evaluate("[document.getElementById('painted').width, document.getElementById('painted').height]")
    assert shape[0] / shape[1] == pytest.approx(layout.width / layout.height, rel=0.01)
    assert page.evaluate("document.documentElement.dataset.theme") is None
    # Wider than the paper, the browser would make everything smaller, or cut it off.
    assert page.locator("table.long").count() > 0
    page.set_viewport_size({"width": 703, "height": 1000})
    assert page.evaluate("document.documentElement.scrollWidth") <= 703
    page.emulate_media(media="screen")
    page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    after_painting(page)
    assert page.evaluate("document.getElementById('painted').width") == before


def test_hands_find_what_is_painted(opened, found, report):
    """The tooltip is there; boxes stay where they are; a file has every box and arc."""
    page = opened(report, accept_downloads=True)
    layout, names = layout_of(found), found.dag.variables
    (x, y, width, height), _, _ = seen(page)
    v = next(v for v, (a, b) in enumerate(layout.centres) if x + 90 < a < x + width / 2 and y + 60 < b < y + height / 2)
    start = on_screen(page, *layout.centres[v])
    page.mouse.move(*start)
    parents, children = (
        sum(end == names[v] for end in ends) for ends in list(zip(*found.dag.edges, strict=True))[::-1]
    )
    told = page.locator("#tip").inner_text().splitlines()
    assert told[0] == names[v]
    counts = [f"{parents} parent{'s' * (parents != 1)}"] * (parents > 0)
    counts += [f"{children} child{'ren' * (children != 1)}"] * (children > 0)
    assert told[1] == (", ".join(counts) or "no arcs")
    page.mouse.down()
    page.mouse.move(start[0] + 90, start[1] + 40, steps=4)
    page.mouse.up()
    assert page.locator("#put-back").is_hidden()
    assert seen(page)[0][0] == pytest.approx(
        x - 90 * width / seen(page)[1]["width"], abs=2
    )  # the picture moved instead
    page.locator("#save").click()
    with page.expect_download() as download:
        page.locator("#downloads button", has_text="SVG").click()
    picture = ElementTree.parse(download.value.path()).getroot()
    texts = {one.text for one in picture.iter("{http://www.w3.org/2000/svg}text")}
    assert set(names) < texts
    assert len(list(picture.iter("{http://www.w3.org/2000/svg}path"))) >= len(found.dag.edges)


# Neighbourhoods


@pytest.mark.parametrize("steps", [1, 2])
def test_the_neighbourhood_of_a_variable(opened, found, report, steps):
    page = opened(report)
    graph = nx.Graph(found.dag.edges)
    name = max(sorted(graph), key=graph.degree)
    page.fill("#search", name)
    before = page.get_attribute("#net", "viewBox")
    page.click(f"#around button >> text={steps} step")
    expected = set(nx.ego_graph(graph, name, steps))
    shown = page.eval_on_selector_all("#net .node", "all => all.map(one => one.getAttribute('aria-label'))")
    assert sorted(shown) == sorted(expected)
    assert f"{len(expected)} of 320 variables" in page.locator("#around").inner_text()
    assert not is_painted(page)
    kept = page.eval_on_selector_all("#arcs .arc:not(.dropped)", "all => all.map(one => +one.dataset.a)")
    names = found.dag.variables
    inside = [(a, b) for a, b in found.dag.edges if {a, b} <= expected]
    assert sorted((names[code // 320], names[code % 320]) for code in kept) == sorted(inside)
    check_drawing(page)
    assert LABEL * seen(page)[2] >= 11 - 0.01
    if steps == 1:
        page.click("#around button >> text=Whole network")
    else:
        page.locator("#net").focus()
        page.keyboard.press("Escape")  # the choice first
        page.keyboard.press("Escape")
    assert is_painted(page)
    assert page.get_attribute("#net", "viewBox") == before


def check_drawing(page):
    """No box lies on another; arcs run downwards and pass behind no box but theirs."""
    ids, places = zip(
        *page.eval_on_selector_all(
            "#net .node",
            """all => all.map(one => {
                const box = one.querySelector("rect"), moved = one.transform.baseVal.consolidate();
                const [dx, dy] = moved ? [moved.matrix.e, moved.matrix.f] : [0, 0];
                const [x, y, w, h] = ["x", "y", "width", "height"].map(name => +box.getAttribute(name));
                return [+one.dataset.v, [x + dx, y + dy, x + dx + w, y + dy + h]];
            })""",
        ),
        strict=True,
    )
    boxes = np.array(places)
    for i, (left, top, right, bottom) in enumerate(boxes):
        others = np.delete(boxes, i, axis=0)
        apart = (others[:, 0] >= right) | (others[:, 2] <= left) | (others[:, 1] >= bottom) | (others[:, 3] <= top)
        assert apart.all()
    arcs = page.eval_on_selector_all(
        "#arcs .arc", "all => all.map(one => [+one.dataset.a, one.querySelector('.line').getAttribute('d')])"
    )
    assert arcs
    for code, way in arcs:
        behind = {ids[i] for i in boxes_behind(sampled(points_of(way)), boxes, 0)}
        assert behind <= set(divmod(code, 320))


def test_an_address_leads_to_a_neighbourhood(opened, found, report):
    page = opened(report, at="#around=2,Var100")
    assert not is_painted(page)
    near = nx.ego_graph(nx.Graph(list(found.dag.edges)), "Var100", radius=2)
    shown = page.eval_on_selector_all("#net .node:not([display=none])", "all => all.map(one => one.dataset.v)")
    assert {f"Var{v}" for v in shown} == set(near)
    for text in ("#around=2,nobody", "#around=2,Var7", "#around=3,Var100"):  # the second leads there again
        page.evaluate("text => { location.hash = text }", text)
        page.wait_for_function(f"document.getElementById('painted').hidden === {str(',Var7' in text).lower()}")


def test_a_neighbour_that_is_not_there_becomes_the_next_middle(opened, found, report):
    page = opened(report)
    graph = nx.Graph(found.dag.edges)
    name = max(sorted(graph), key=graph.degree)
    far = sorted(set(graph) - set(nx.ego_graph(graph, name, 2)))[0]
    page.fill("#search", name)
    page.click("#around button >> text=1 step")
    page.fill("#search", far)
    shown = page.eval_on_selector_all("#net .node", "all => all.map(one => one.getAttribute('aria-label'))")
    assert sorted(shown) == sorted(nx.ego_graph(graph, far, 1))


# Search


def test_enter_steps_through_the_hits(opened, found, report):
    page = opened(report)
    hits = [name for name in found.dag.variables if "r30" in name.lower()]
    assert len(hits) == 11
    page.fill("#search", "R30")
    assert page.locator("#hits").inner_text() == "11 hits"
    for at in (0, 1, 2):
        page.keyboard.press("Enter")
        assert page.locator("#details h3").inner_text() == hits[at]
        assert page.locator("#hits").inner_text() == f"{at + 1} of 11"
    page.keyboard.press("Shift+Enter")
    assert page.locator("#hits").inner_text() == "2 of 11"
    page.keyboard.press("Shift+Enter")
    page.keyboard.press("Shift+Enter")
    assert page.locator("#details h3").inner_text() == hits[-1]
    page.fill("#search", "var30")  # a whole name is gone to at once, and is the first of its hits
    assert page.locator("#hits").inner_text() == "1 of 11"
    for at, name in enumerate(("Var30", hits[1], hits[2])):  # Enter after the name stays there, and the next ones go on
        page.keyboard.press("Enter")
        assert page.locator("#details h3").inner_text() == name
        assert page.locator("#hits").inner_text() == f"{at + 1} of 11"


# Long tables


def natural(text):
    return [(0, int(part), "") if part.isdigit() else (1, 0, part.lower()) for part in re.findall(r"\d+|\D+", text)]


def test_rows_are_ordered_as_python_orders_them(served):
    draw = random.Random(0)
    rows = [
        [f"X{draw.randint(0, 300)}", draw.choice(["kept", "dropped", ""]), draw.randint(0, 20) / 4] for _ in range(4000)
    ]
    page = served()
    told = page.evaluate(
        """async ([rows, wanted]) => {
            const { rowOrder } = await import("/row-order.js");
            const order = rowOrder(rows, [0, 1, 2].map(i => ({ of: row => row[i] })));
            const all = () => order.matching("", () => true);
            const some = () => order.matching(wanted, row => row[2] > 1);
            const ways = [[0, 1], [0, -1], [1, 1], [2, -1], [2, 1]];
            return { found: [...some()], sorted: ways.map(([by, way]) => [...order.sorted(all(), by, way)]),
                     both: [...order.sorted(some(), 0, -1)] };
        }""",
        [rows, "x12"],
    )
    matching = [i for i, row in enumerate(rows) if row[2] > 1 and any("x12" in str(cell).lower() for cell in row)]
    assert told["found"] == matching

    def ordered(places, by, is_descending=False):
        key = (lambda i: rows[i][2]) if by == 2 else (lambda i: natural(rows[i][by]))
        return sorted(places, key=key, reverse=is_descending)  # equal ones keep their order, reversed or not

    every = range(len(rows))
    expected = [
        ordered(every, 0),
        ordered(every, 0, True),
        ordered(every, 1),
        ordered(every, 2, True),
        ordered(every, 2),
    ]
    assert told["sorted"] == expected
    assert told["both"] == ordered(matching, 0, True)


def test_a_long_table_has_the_rows_in_sight(opened, found, report):
    page = opened(report)
    table = page.locator("#arc-table")
    total = int(re.match(r"([\d,]+) rows", table.locator(".table-tools .note").first.inner_text())[1].replace(",", ""))
    arcs = {arc for network in found.problem.inputs.dags for arc in network.edges}
    assert total >= len(arcs) > 500
    table.locator("th button >> text=Inputs").click()
    rows = page.evaluate(
        """async () => {
            const region = document.querySelector("#arc-table .scroll"), seen = {};
            let most = 0;
            for (let top = 0; ; top += 300) {
                region.scrollTop = top;
                await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
                const rows = [...region.querySelectorAll("tbody tr[aria-rowindex]")];
                most = Math.max(most, rows.length);
                for (const row of rows) {
                    seen[row.getAttribute("aria-rowindex")] = [...row.cells].slice(0, 5).map(cell => cell.textContent);
                }
                if (top > region.scrollHeight) return [most, Object.entries(seen)];
            }
        }"""
    )
    most, seen_rows = rows
    assert most < 120
    assert [int(number) for number, _ in seen_rows] == list(range(2, total + 2))
    counts = [int(cells[3]) for _, cells in seen_rows]
    assert counts == sorted(counts, reverse=True)
    expected = {arc: sum(arc in network.edges for network in found.problem.inputs.dags) for arc in arcs}
    assert {(cells[0], cells[1]): int(cells[3]) for _, cells in seen_rows if cells[3] != "0"} == expected
    page.locator("#arc-table input").fill("var17")
    left = table.locator(".table-tools .note").first.inner_text()
    assert re.fullmatch(r"\d+ of [\d,]+ rows", left)
    assert not page.evaluate("document.querySelector('#arc-table table').classList.contains('long')")
    names = page.eval_on_selector_all("#arc-table tbody tr", "all => all.map(one => one.textContent.toLowerCase())")
    assert len(names) == int(left.split()[0])
    assert all("var17" in name for name in names)
