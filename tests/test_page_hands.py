"""What hands do on a report: point, touch, move boxes, compare, send a view, take files away, change the run."""

import csv
import io
import itertools
import json
import re
import shlex
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import bnfuse
from bnfuse import DAG, Network, read
from bnfuse.answer.provenance import Origin
from bnfuse.commands import run as run_command
from drawings import boxes_behind, points_of, sampled
from page_browser import DESKTOP, PHONE, browser_fixture, needs_browser, opened_fixture, saved  # noqa: F401
from page_parts import CLINICS, code_of, middle_of, node_places, variables_of, wait_until

pytestmark = needs_browser

TIP = "document.getElementById('tip')"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run of the command, its files in a folder."""
    folder = tmp_path_factory.mktemp("run")
    words = ["-t", "4", "--effort", "quick", "--frontier", "-o", folder / "c.bif", "--report", folder / "report.html"]
    assert run_command(["consensus", *map(str, [*CLINICS, *words])]) == 0
    return folder


@pytest.fixture(scope="module")
def report(run):
    return run / "report.html"


def box_of(page, selector):
    return page.locator(selector).bounding_box()


def number_of(page, name):
    return variables_of(page).index(name)


def fragment_with(page, text):
    """The fragment of the address, once it has this in it."""
    wait_until(page, f"location.hash.includes({text!r})")
    return page.evaluate("location.hash")


# The tooltip


def overlap(one, other):
    return (
        one["x"] < other["x"] + other["width"]
        and other["x"] < one["x"] + one["width"]
        and one["y"] < other["y"] + other["height"]
        and other["y"] < one["y"] + one["height"]
    )


def points_under_the_tip(page, code):
    return page.evaluate(
        f"""code => {{
            const path = document.querySelector(`#net [data-a="${{code}}"] .line`);
            const tip = {TIP}.getBoundingClientRect();
            return Array.from({{length: 200}}, (_, i) =>
                path.getPointAtLength(path.getTotalLength() * i / 199).matrixTransform(path.getScreenCTM())
            ).filter(({{x, y}}) => x > tip.left && x < tip.right && y > tip.top && y < tip.bottom).length;
        }}""",
        code,
    )


def test_facts_stand_beside_what_is_pointed_at_or_has_the_focus(opened, report):
    page = opened(report)
    names = variables_of(page)
    for number in range(len(names)):
        page.locator(f'#net [data-v="{number}"]').hover()
        assert page.locator("#tip strong").inner_text() == names[number]
        assert not overlap(box_of(page, "#tip"), box_of(page, f'#net [data-v="{number}"]'))
    assert "parent" in page.locator("#tip").inner_text()
    codes = page.eval_on_selector_all("#net [data-a]", "all => all.map(one => +one.dataset.a)")
    for code in codes:
        page.mouse.move(*middle_of(page, code))
        assert (
            page.locator("#tip strong").inner_text() == f"{names[code // len(names)]} \u2192 {names[code % len(names)]}"
        )
        assert points_under_the_tip(page, code) == 0
    assert re.search(r"kept, \d of 5 inputs", page.locator("#tip").inner_text())
    page.mouse.move(5, 5)
    assert page.locator("#tip").is_hidden()
    page.locator("#net").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    focused = page.evaluate("+document.activeElement.dataset.a")
    assert page.locator("#tip").is_visible()
    assert points_under_the_tip(page, focused) == 0
    page.keyboard.press("Escape")
    assert page.locator("#tip").is_hidden()


# Fingers


def touching(page):
    session = page.context.new_cdp_session(page)

    def touch(kind, *points):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    return touch


def view_box(page):
    return [float(one) for one in page.locator("#net").get_attribute("viewBox").split()]


@pytest.mark.long
def test_a_phone_has_a_sheet_pinches_and_large_targets(opened, report):
    page = opened(report, PHONE, has_touch=True, is_mobile=True)
    touch, start = touching(page), page.evaluate("scrollY")
    small = page.evaluate(
        "[...document.querySelectorAll('button, select, input, a, summary')]"
        ".filter(one => one.checkVisibility() && !one.matches('.term')).filter(one => {"
        " const box = one.getBoundingClientRect(); return box.width < 24 || box.height < 24 })"
        ".map(one => one.outerHTML)"
    )
    assert small == []
    # Two fingers: apart zooms, together in one direction moves.
    frame = box_of(page, "#net")
    x, y = frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2
    before = view_box(page)
    touch("touchStart", (x - 40, y), (x + 40, y))
    touch("touchMove", (x - 80, y), (x + 80, y))
    assert view_box(page)[2] == pytest.approx(before[2] / 2, rel=0.01)
    assert view_box(page)[0] + view_box(page)[2] / 2 == pytest.approx(before[0] + before[2] / 2, abs=1)
    zoomed = view_box(page)
    touch("touchMove", (x - 110, y + 20), (x + 50, y + 20))
    touch("touchEnd")
    scale = frame["width"] / zoomed[2]
    assert view_box(page) == pytest.approx([zoomed[0] + 30 / scale, zoomed[1] - 20 / scale, *zoomed[2:]], abs=0.5)
    assert page.evaluate("scrollY") == start
    assert page.evaluate("visualViewport.scale") == 1
    assert page.locator("#sheet.open").count() == 0
    page.locator("#whole").tap()
    # One finger scrolls the page, and leaves the picture as it is.
    before = view_box(page)
    touch("touchStart", (x, y))
    for step in (30, 60, 90, 120):
        touch("touchMove", (x, y - step))
    touch("touchEnd")
    wait_until(page, f"scrollY > {start + 60}")
    assert view_box(page) == before
    # A tap opens the sheet, which leaves the picture in sight.
    page.locator('#net [data-v="4"]').tap()
    assert page.locator("#details h3").inner_text() == variables_of(page)[4]
    assert page.evaluate("getComputedStyle(document.getElementById('sheet')).position") == "fixed"
    wait_until(
        page,
        "document.getElementById('net').getBoundingClientRect().bottom"
        " <= document.getElementById('sheet').getBoundingClientRect().top + 1",
    )
    assert box_of(page, "#sheet")["height"] < PHONE[1] / 2
    assert page.locator("#evidence .finding").count() == 0  # the tap meant nothing that is in the sheet
    page.locator("#sheet-close").tap()
    assert page.locator("#sheet.open").count() == 0


@pytest.mark.long
def test_a_long_press_takes_a_box_along(opened, report):
    page = opened(report, PHONE, has_touch=True, is_mobile=True)
    touch, start = touching(page), page.evaluate("scrollY")
    before = node_places(page)
    box = box_of(page, '#net [data-v="4"] rect')
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch("touchStart", (x, y))
    wait_until(page, "document.querySelector('.node.held')")
    touch("touchMove", (x + 6, y + 30))
    touch("touchMove", (x + 12, y + 70))
    touch("touchEnd")
    assert page.locator(".node.held").count() == 0
    assert page.evaluate("scrollY") == start
    after = node_places(page)
    assert after[4][1] > before[4][1] + 30
    assert [one for i, one in enumerate(after) if i != 4] == [one for i, one in enumerate(before) if i != 4]
    assert page.locator("#sheet.open").count() == 0


# Boxes that are moved


def drawing_of(page):
    """The boxes as corners, and the arcs by their codes."""
    boxes = page.eval_on_selector_all(
        "#net .node",
        "all => all.map(one => { const at = one.transform.baseVal.consolidate()?.matrix ?? {e: 0, f: 0};"
        " const box = one.querySelector('rect');"
        " const [x, y, w, h] = ['x', 'y', 'width', 'height'].map(name => +box.getAttribute(name));"
        " return [x + at.e, y + at.f, x + at.e + w, y + at.f + h] })",
    )
    arcs = page.eval_on_selector_all(
        "#arcs .arc", "all => all.map(one => [+one.dataset.a, one.querySelector('.line').getAttribute('d')])"
    )
    return np.array(boxes), dict(arcs)


def check_drawing(page):
    boxes, arcs = drawing_of(page)
    n = len(boxes)
    for code, way in arcs.items():
        points = points_of(way)
        assert boxes_behind(sampled(points), boxes, 0) <= set(divmod(code, n))
        source, target = boxes[code // n], boxes[code % n]
        assert source[0] <= points[0][0] <= source[2]
        assert target[0] <= points[-1][0] <= target[2]
        assert min(abs(points[0][1] - source[1]), abs(points[0][1] - source[3])) < 1
    for i in range(n):
        for j in range(i):
            apart = max(boxes[i][0] - boxes[j][2], boxes[j][0] - boxes[i][2])
            assert apart > 0 or boxes[i][1] != boxes[j][1]


@pytest.mark.long
def test_boxes_are_moved_and_put_back_and_arcs_follow(opened, report):
    page = opened(report)
    boxes, arcs = drawing_of(page)
    asthma, age = number_of(page, "Asthma"), number_of(page, "Age")
    assert page.locator("#put-back").is_hidden()
    start, end = box_of(page, f'#net [data-v="{asthma}"]'), box_of(page, f'#net [data-v="{age}"]')
    page.mouse.move(start["x"] + 20, start["y"] + 10)
    page.mouse.down()
    page.mouse.move(end["x"] + 30, end["y"] + 12, steps=5)  # over another box: it finds a place beside it
    page.mouse.up()
    moved, _ = drawing_of(page)
    assert moved[asthma][1] == boxes[age][1]
    assert page.locator("#details h3").count() == 0  # nothing was chosen
    check_drawing(page)
    page.locator(f'#net [data-v="{age}"]').focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowLeft"):
        page.keyboard.press(f"Shift+{key}")
        check_drawing(page)
    assert page.evaluate("document.activeElement.dataset.v") == str(age)
    assert drawing_of(page)[0][age][1] == boxes[:, 1].max()
    page.locator("#limit").fill("0")
    check_drawing(page)
    page.locator("#own-limit").click()
    page.locator("#put-back").click()
    assert page.locator("#put-back").is_hidden()
    back, ways = drawing_of(page)
    np.testing.assert_array_equal(back, boxes)
    assert ways == arcs


# Comparisons


def test_fields_of_the_heat_map_open_their_comparison(opened, report):
    page = opened(report)
    field = page.locator("#between .plot")
    field.scroll_into_view_if_needed()
    box = field.bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.55, box["y"] + box["height"] * 0.95)
    one, other = page.locator("#between .told").inner_text().partition(":")[0].split(" and ")
    page.mouse.down()
    page.mouse.up()
    assert page.locator("#view").input_value() == "difference"
    assert one != other
    assert [page.locator(f"#{end} option:checked").inner_text() for end in ("one", "other")] == [one, other]
    assert box_of(page, "#net")["y"] > 0
    page.locator("#between .plot").focus()
    page.keyboard.press("ArrowUp")
    assert page.locator("#between .told").inner_text().partition(":")[0].split(" and ")[0] != one
    page.keyboard.press("Enter")
    chosen = [page.locator(f"#{end} option:checked").inner_text() for end in ("one", "other")]
    assert page.locator("#between .told").inner_text().startswith(f"{chosen[0]} and {chosen[1]}:")


@pytest.mark.long
def test_two_networks_stand_side_by_side(opened, report):
    page = opened(report)
    page.select_option("#view", "beside")
    page.select_option("#one", label="northfield")
    page.select_option("#other", label="harbour")
    networks = {network.name: network for network in read(*CLINICS)}
    names = variables_of(page)
    for picture, name in (("#net", "northfield"), ("#other-net", "harbour")):
        codes = page.eval_on_selector_all(f"{picture} [data-a]", "all => all.map(one => +one.dataset.a)")
        arcs = {(names[code // len(names)], names[code % len(names)]) for code in codes}
        assert arcs == set(networks[name].dag.edges)
    assert page.locator(".whose").all_inner_texts() == ["northfield", "harbour"]
    assert page.locator("#pair label > span").all_inner_texts() == ["left", "right"]
    page.locator("#closer").click()
    frames = box_of(page, "#net"), box_of(page, "#other-net")
    assert [frames[0][key] for key in ("y", "width", "height")] == [frames[1][key] for key in ("y", "width", "height")]
    page.mouse.move(frames[1]["x"] + 8, frames[1]["y"] + 8)
    page.mouse.down()
    page.mouse.move(frames[1]["x"] + 58, frames[1]["y"] + 28, steps=3)
    page.mouse.up()
    places = [
        page.eval_on_selector_all(
            f"{picture} .node rect",
            "all => all.map(one => { const box = one.getBoundingClientRect(), at = one.ownerSVGElement"
            ".getBoundingClientRect(); return [box.x - at.x, box.y - at.y, box.width, box.height] })",
        )
        for picture in ("#net", "#other-net")
    ]
    np.testing.assert_allclose(*places, atol=0.01)
    code = int(page.locator("#other-net [data-a]").first.get_attribute("data-a"))
    page.locator("#other-net [data-v]").nth(3).hover()
    assert page.locator("#tip strong").inner_text() == names[3]
    page.locator("#other-net [data-v]").nth(4).click()
    assert page.locator("#details h3").inner_text() == names[4]
    assert page.locator("#other-net .chosen").count() == 1
    page.locator(f'#other-net [data-a="{code}"] .line').dispatch_event("pointerup")
    assert page.locator("#details h3").inner_text() == f"{names[code // len(names)]} \u2192 {names[code % len(names)]}"
    page.select_option("#view", "consensus")
    assert page.locator("#other-net").is_hidden()


# The address


def test_an_address_with_a_limit_makes_the_page_once(opened, report):
    page = opened(report, at="#limit=3")
    assert page.locator("#limit-text").inner_text() == "3"
    assert page.locator("#marks").count() == 1


@pytest.mark.long
def test_an_address_shows_the_same_again(opened, report):
    page = opened(report)
    page.locator("#limit").fill("1")
    page.select_option("#view", "difference")
    page.select_option("#other", label="hillcrest")
    page.fill("#search", "Smoker")
    page.keyboard.press("Enter")
    page.locator(".states button", has_text="current").click()
    page.fill("#search", "COPD")
    page.keyboard.press("Enter")
    page.locator("#closer").click()
    page.locator("#closer").click()
    page.locator('#net [data-v="2"]').focus()
    page.keyboard.press("Shift+ArrowDown")
    at = fragment_with(page, "moved=")
    assert "Smoker" in at
    assert "hillcrest" in at
    seen = "['#net', '#details', '#evidence', '#legend', 'h1', '#limit-text'].map(one => document.querySelector(one)"
    texts = f'{seen}.innerHTML.replace(/(tabindex|aria-describedby)="[^"]*"/g, \'\'))'
    other = opened(report, at=at)
    assert other.locator("#guide").is_hidden()
    assert other.evaluate(texts) == page.evaluate(texts)
    assert view_box(other) == pytest.approx(view_box(page), abs=0.2)
    # The way back in the browser's history, and addresses that nobody wrote.
    other.evaluate(
        "location.hash = '#view=.harbour&least=77&given=Nobody&is=yes&variable=Nobody&at=a,b,c&limit=99&moved=x'"
    )
    wait_until(other, "document.getElementById('view').value !== 'difference'")
    assert other.locator("#view option:checked").inner_text() == "harbour"
    assert other.locator("#limit-text").inner_text() == "4"
    assert other.locator("#evidence .finding, #details h3").count() == 0
    assert other.locator("#put-back").is_hidden()
    other.go_back()
    wait_until(other, "document.getElementById('view').value === 'difference'")
    assert other.evaluate(texts) == page.evaluate(texts)


def is_at(page, part):
    """Whether a part of the page begins at the top of the screen."""
    return -2 <= page.evaluate("id => document.getElementById(id).getBoundingClientRect().top", part) < DESKTOP[1] / 2


@pytest.mark.long
def test_an_address_keeps_what_is_shown_beside_the_part_that_is_gone_to(opened, report):
    page = opened(report)
    page.locator("nav a", has_text="Tables").click()
    assert page.evaluate("location.hash") == "#tables"  # nothing to keep
    page.locator("#limit").fill("1")
    page.select_option("#view", "difference")
    shown = fragment_with(page, "view=difference")
    assert shown.endswith("&part=tables")
    page.locator("nav a", has_text="Origin").click()
    wait_until(page, "location.hash.endsWith('&part=origin')")
    assert page.evaluate("location.hash") == shown.replace("tables", "origin")
    page.go_back()
    wait_until(page, "location.hash.endsWith('&part=tables')")
    other = opened(report, at=shown)
    assert is_at(other, "tables")
    assert other.locator("#view").input_value() == "difference"
    other.locator("nav a", has_text="Network").click()
    wait_until(other, f"location.hash === {json.dumps(shown.removesuffix('&part=tables'))}")
    assert is_at(other, "first")
    other.evaluate("location.hash = '#view=difference&part=nowhere'")
    wait_until(other, "!location.hash.includes('nowhere')")


@pytest.mark.long
def test_who_goes_to_a_part_of_the_page_at_once_after_a_change_arrives_there(opened, report):
    """In one step of the script, so that nothing is written between the two."""
    page = opened(report)
    page.evaluate(
        """() => {
          const view = document.getElementById("view");
          view.value = "difference";
          view.dispatchEvent(new Event("change"));
          document.querySelector('nav [href="#tables"]').click();
        }"""
    )
    assert fragment_with(page, "view=difference").endswith("&part=tables")
    assert is_at(page, "tables")


@pytest.mark.long
def test_an_address_of_a_part_alone_leads_there(opened, report):
    page = opened(report, at="#tables")
    assert page.evaluate("location.hash") == "#tables"
    assert is_at(page, "tables")


# Files


def test_files_are_what_they_say(opened, report, run, tmp_path):
    page = opened(report, accept_downloads=True)
    name = tmp_path / "consensus.bif"
    name.write_bytes(saved(page, "BIF").read_bytes())
    [network], [expected] = read(name), read(run / "c.bif")
    assert network == expected
    for variable in expected.variables:
        np.testing.assert_array_equal(network.cpts[variable], expected.cpts[variable])
    lines, expected_lines = (path.read_text().splitlines() for path in (name, run / "c.bif"))
    assert (lines[0], *lines[2:4]) == (expected_lines[0], *expected_lines[2:4])  # the second one has the name
    rows = list(csv.reader(io.StringIO(saved(page, "CSV").read_text("utf-8"))))
    arcs = {(source, target) for source, target, status, *_ in rows[1:] if status == "kept"}
    assert arcs == set(expected.dag.edges)
    assert {len(row) for row in rows} == {len(rows[0])}
    picture = ElementTree.parse(saved(page, "SVG")).getroot()
    texts = [one.text for one in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert set(expected.variables) < set(texts)
    assert any(text.startswith("kept (14)") for text in texts)
    assert "var(" not in ElementTree.tostring(picture, "unicode")
    content = saved(page, "PNG").read_bytes()
    assert content.startswith(b"\x89PNG")
    width, height = (int.from_bytes(content[at : at + 4], "big") for at in (16, 20))
    assert [width, height] == [int(2 * float(picture.get(name))) for name in ("width", "height")]
    page.locator("#limit").fill("0")
    name.write_bytes(saved(page, "BIF").read_bytes())
    assert read(name)[0].dag != expected.dag


def test_a_file_of_two_networks_has_both(opened, report):
    page = opened(report, accept_downloads=True, at="#view=beside&one=consensus&other=.harbour&moved=-90,27,Age")
    text = saved(page, "SVG").read_text("utf-8")
    picture = ElementTree.fromstring(text)
    texts = [one.text for one in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert [texts.count(name) for name in ("consensus", "harbour", "Smoker")] == [1, 1, 2]
    drawn = len(list(picture.iter("{http://www.w3.org/2000/svg}path")))
    assert drawn > page.locator("#pictures .arc .line").count() > page.locator("#net .arc .line").count()
    # Both are in it, whole: a renderer of its own says where they are.
    page.set_content(text)
    frame, *boxes = page.eval_on_selector_all(
        "svg, svg > g rect",
        "all => all.map(one => { const {left, right} = one.getBoundingClientRect(); return [left, right] })",
    )
    assert len(boxes) >= 22
    assert all(frame[0] <= left < right <= frame[1] for left, right in boxes)


@pytest.mark.long
def test_addresses_that_nobody_wrote_hide_nothing(opened, report):
    """Boxes in one place stand side by side; a part where nothing is, is not gone to; neighbourhoods can be left."""
    page = opened(report, at="#moved=1,0,Age&moved=1,0,Smoker&moved=1,0,COPD")
    ends = sorted(
        page.eval_on_selector_all(
            ".node rect:first-of-type",
            "all => all.map(one => one.getBoundingClientRect()).map(({ top, left, right }) => [top, left, right])",
        )
    )
    for (above, _, right), (top, left, _) in itertools.pairwise(ends):
        assert top > above or left > right
    for at in ("1e300,0,1e-300", "99999,0,300", "0,-99999,300"):
        elsewhere = opened(report, at=f"#at={at}")
        assert float(elsewhere.get_attribute("#net", "viewBox").split()[2]) > 300
    around = opened(report, at="#around=1,Age")
    assert around.locator(".node").count() < 11
    around.get_by_role("button", name="Whole network", exact=True).click()
    assert around.locator(".node").count() == 11


ODD_NAMES = [
    "a b",
    'quo"te',
    "back\\slash",
    "semi;colon",
    "x//y",
    "nbsp\u00a0",
    "tab\t",
    "\U0001f600",
    "\u2028",
    "p->q",
    "\ufeff",
]


@pytest.mark.long
def test_names_of_every_kind_come_back(opened, tmp_path):
    n = len(ODD_NAMES)
    dag = DAG(ODD_NAMES, [(ODD_NAMES[i], ODD_NAMES[i + 1]) for i in range(n - 1)])
    states = {name: (f"{name} 1", "(0,1]", "plain") for name in ODD_NAMES}
    rng = np.random.default_rng(7)
    cpts = {name: rng.dirichlet([1, 1, 1], 3 if dag.parents(name) else ()) for name in ODD_NAMES}
    inputs = [Network(dag, states, cpts, name=name) for name in ("one", "two")]
    bnfuse.consensus(inputs, effort="quick").pool().report(tmp_path / "r.html")
    page = opened(tmp_path / "r.html", accept_downloads=True)
    name = tmp_path / "c.bif"
    name.write_bytes(saved(page, "BIF").read_bytes())
    [network] = read(name)
    expected = bnfuse.consensus(inputs, effort="quick").pool().network
    assert network.states == expected.states
    for variable in expected.variables:
        np.testing.assert_array_equal(network.cpts[variable], expected.cpts[variable])
    for text in (saved(page, "SVG").read_text("utf-8"),):
        ElementTree.fromstring(text)
    bnfuse.consensus([dag, dag], effort="quick").report(tmp_path / "bare.html")
    page = opened(tmp_path / "bare.html", accept_downloads=True)
    name.write_bytes(saved(page, "BIF").read_bytes())
    [network] = read(name)
    assert network.states is None
    assert network.cpts is None
    assert set(network.dag.edges) == set(bnfuse.consensus([dag, dag], effort="quick").dag.edges)


# The run


def ran(command):
    """The network of a command line, which a shell would split so; none of its files may be there before."""
    words = shlex.split(command)
    assert words.pop(0) == "bnfuse"
    files = {option: Path(words[words.index(option) + 1]) for option in ("-o", "--report")}
    assert not any(file.exists() for file in files.values())
    assert run_command(words) == 0
    assert files["--report"].exists()
    return read(files["-o"])[0]


@pytest.mark.long
def test_the_command_changes_the_run_as_it_says_and_keeps_its_files(opened, report):
    page = opened(report)
    code = code_of(page, "Age", "Pneumonia")
    page.mouse.click(*middle_of(page, code))
    page.locator("#details summary").click()
    assert page.locator("#details summary").inner_text() == "Run again without it"
    network = ran(page.locator("#details .command code").inner_text())
    assert ("Age", "Pneumonia") not in network.dag.edges
    page.select_option("#view", label="harbour")
    dropped = page.locator("#net .dropped[data-a]").first
    names, number = variables_of(page), int(dropped.get_attribute("data-a"))
    dropped.focus()
    page.keyboard.press("Enter")
    page.locator("#details summary").click()
    network = ran(page.locator("#details .command code").inner_text())
    assert (names[number // len(names)], names[number % len(names)]) in network.dag.edges
    page.select_option("[aria-label='Input to leave out']", label="harbour")
    network = ran(page.locator("#provenance .command code").last.inner_text())
    others = [one for one in read(*CLINICS) if one.name != "harbour"]
    assert network.dag == bnfuse.consensus(others, 4, effort="quick").dag
    page.locator("#limit").fill("0")
    network = ran(page.locator("#provenance .command code").nth(1).inner_text())
    assert network.dag == bnfuse.consensus(read(*CLINICS), 2, effort="quick").dag


def test_commands_are_quoted_and_replace_what_contradicts_them(opened, tmp_path):
    a, b = "it's", '$HOME "x"'
    words = ["consensus", "--require", f"{a}->{b}", "--forbid=c->d", "--weight", "two=3", "-t3", "--", "-odd.bif"]
    dag = DAG([a, b, "c", "d"], [(a, b)])
    inputs = [Network(dag, name="one"), Network(dag, name="two")]
    replace(bnfuse.consensus(inputs, 3), origin=Origin.now(arguments=words)).report(tmp_path / "r.html")
    page = opened(tmp_path / "r.html")
    page.mouse.click(*middle_of(page, code_of(page, a, b)))
    page.locator("#details summary").click()
    said = shlex.split(page.locator("#details .command code").inner_text())
    assert said == [
        "bnfuse",
        "consensus",
        "--forbid",
        f"{a}--{b}",
        "--forbid=c->d",
        "--weight",
        "two=3",
        "-t3",
        "--",
        "-odd.bif",
    ]
    page.select_option("[aria-label='Input to leave out']", label="two")
    said = shlex.split(page.locator("#provenance .command code").last.inner_text())
    kept = ["--require", f"{a}->{b}", "--forbid=c->d", "-t3", "--", "-odd.bif"]
    assert said == ["bnfuse", "consensus", "--weight", "two=0", *kept]


@pytest.mark.long
def test_changed_commands_name_new_files_of_the_same_kinds(opened, tmp_path):
    a, b = "a b", "x/y"
    found = bnfuse.consensus([Network(DAG([a, b], [(a, b)]), name=name) for name in ("two", "../Hafen Süd")])
    outputs = ["-ofolder.d/c.bif", "--report", "report.html", "--save=a.json.gz", "--tally", ".tally", "in.bif"]
    origin = Origin((), shlex.join(["bnfuse", "consensus", *outputs]), "0.1.0", "now")
    replace(found, origin=origin).report(tmp_path / "r.html")
    page = opened(tmp_path / "r.html")
    page.select_option("[aria-label='Input to leave out']", label="../Hafen Süd")
    said = shlex.split(page.locator("#provenance .command code").last.inner_text())
    assert said[4:] == [
        "-ofolder.d/c-without-Hafen-Süd.bif",
        "--report",
        "report-without-Hafen-Süd.html",
        "--save=a-without-Hafen-Süd.json.gz",
        "--tally",
        ".tally-without-Hafen-Süd",
        "in.bif",
    ]
    page.mouse.click(*middle_of(page, code_of(page, *found.dag.edges[0])))
    page.locator("#details summary").click()
    assert "report-without-" in page.locator("#details .command code").inner_text()
    origin = replace(origin, command="bnfuse consensus -o - in.bif")
    replace(found, origin=origin).report(tmp_path / "r.html")
    page = opened(tmp_path / "r.html")
    said = shlex.split(page.locator("#provenance .command code").last.inner_text())
    assert said[4:] == ["-o", "-", "in.bif"]
