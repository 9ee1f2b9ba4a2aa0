"""Drawing a network in the app: with mouse, fingers and keys, alone and in twos."""

from importlib import resources

import pytest
from drawing_hands import add, drag, place_of
from table_browser import CLINICS, arcs_on_screen, settled, tables_fixture, until  # noqa: F401

from page_browser import PHONE, browser_fixture, needs_browser  # noqa: F401

pytestmark = needs_browser


def drawn(page):
    return sorted(page.locator("#drawing-arcs li span").all_text_contents())


def test_somebody_without_a_file_draws_a_network_and_edits_it(tables):
    tables.workspace("drawn")
    page = tables.open("drawn")
    page.get_by_text("No file? Draw your network").click()
    add(page, "Age", "Cough", "XRay")
    drag(page, "Age", "Cough")
    drag(page, "Cough", "XRay")
    drag(page, "XRay", "Age")
    assert page.locator("#drawing-said").inner_text() == "Not drawn: XRay → Age → Cough → XRay would be a cycle."
    assert page.locator("#drawing-net .drawn-arc.wrong").count() == 3
    assert drawn(page) == ["Age → Cough", "Cough → XRay"]
    x, y = place_of(page, "XRay")
    drag(page, "XRay", (x - 30, y + 120))
    assert place_of(page, "XRay") == pytest.approx((x - 30, y + 120), abs=2)
    page.keyboard.press("Control+z")
    page.locator("#drawing-undo").click()
    asked = []
    page.on("request", lambda request: asked.append(f"{request.method} {request.url.partition('/drawn')[2]}"))
    page.locator("#drawing-save").click()
    until(page, "document.querySelectorAll('#net .node').length === 3")
    assert asked[0] == "POST /drawings"
    assert len(asked) <= 3, asked
    settled(page, 1)
    assert page.locator("#board").is_hidden()
    assert len(arcs_on_screen(page)) in (1, 2)
    page.get_by_label("Edit the drawing Drawing").click()
    page.locator("#drawing-net [data-name='Age']").click()
    page.locator("#drawing-rename").click()
    page.keyboard.type("Years")
    page.keyboard.press("Enter")
    page.locator("#drawing-save").click()
    until(page, "document.getElementById('undo').title.includes('renamed Age to Years')")


@pytest.mark.long
def test_a_network_is_drawn_with_keys_alone(tables):
    tables.workspace("keys", CLINICS)
    page = tables.open("keys")
    settled(page, 5)
    page.locator("#draw-it").focus()
    page.keyboard.press("Enter")
    add(page, "Smoker", "Cough", "Age")
    page.locator("#drawing-net [data-name='Smoker']").focus()
    page.keyboard.press("a")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert drawn(page) == ["Smoker → Cough"]
    page.keyboard.press("ArrowRight")
    page.keyboard.press("F2")
    page.keyboard.type("Years")
    page.keyboard.press("Enter")
    assert page.locator("#drawing-net [data-name]").evaluate_all("(all) => all.map((one) => one.dataset.name)") == [
        "Smoker",
        "Cough",
        "Years",
    ]
    label = page.locator("#drawing-net [data-name='Smoker']").get_attribute("aria-label")
    assert label == "Smoker; arcs to Cough"
    page.locator("#drawing-net [data-name='Years']").focus()
    page.keyboard.press("Delete")
    page.locator("#add-all").click()
    assert page.locator("#drawing-lacks").is_hidden()
    page.locator("#drawing-save").click()
    settled(page, 6)


@pytest.mark.long
def test_a_finger_draws_on_a_phone(tables):
    tables.workspace("touch", CLINICS)
    page = tables.open("touch", size=PHONE, has_touch=True, is_mobile=True)
    settled(page, 5)
    page.locator("#work-button").tap()
    page.locator("#draw-it").tap()
    until(page, "!document.getElementById('board').hidden")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    page.locator("#drawing-copy").select_option(label="a copy of the consensus")
    until(page, "document.querySelectorAll('#drawing-net [data-name]').length > 5")
    before = drawn(page)
    page.locator("#drawing-net [data-name='Age']").tap()
    page.locator("#drawing-begin").tap()
    page.locator("#drawing-net [data-name='XRay']").tap()
    until(page, "document.getElementById('drawing-said').textContent !== ''")
    assert set(drawn(page)) - set(before) <= {"Age → XRay"}
    page.locator("#drawing-save").tap()
    settled(page, 6)


@pytest.mark.long
def test_two_people_edit_one_drawing(tables):
    tables.workspace("two", [])
    path = "/api/workspaces/two"
    own = tables.server.ask(
        "POST", f"{path}/drawings", {"name": "ours", "variables": ["A", "B", "C"], "arcs": [["A", "B"]]}, 201
    )["id"]
    pages = [tables.open("two"), tables.open("two")]
    for page, name in zip(pages, ("Ana", "Ben"), strict=True):
        page.get_by_label("Your name", exact=True).fill(name)
        with page.expect_navigation():
            page.locator("#join").click()
        page.get_by_label("Edit the drawing ours").click()
    ana, ben = pages
    drag(ana, "B", "C")
    drag(ben, "A", "C")
    drag(ben, "C", "B")
    ana.locator("#drawing-save").click()
    until(ben, "document.querySelectorAll('#drawing-arcs li').length >= 3")
    ben.locator("#drawing-save").click()
    box = ben.locator("#board .conflict")
    box.wait_for()
    assert "B → C" in box.inner_text()
    assert "C → B" in box.inner_text()
    box.get_by_text("Keep theirs").click()
    until(ben, "document.getElementById('board').hidden")
    arcs = tables.server.ask("GET", f"{path}/drawings/{own}")["arcs"]
    assert sorted(map(tuple, arcs)) == [("A", "B"), ("A", "C"), ("B", "C")], "the rest of what Ben drew is there"
    tables.expect("409")


@pytest.mark.long
def test_what_is_not_saved_survives_the_tab(tables):
    tables.workspace("kept")
    page = tables.open("kept")
    page.locator("#draw-it").click()
    add(page, "A", "B")
    drag(page, "A", "B")
    page.reload()
    page.locator("#draw-it").click()
    assert drawn(page) == ["A → B"]
    assert "Restored" in page.locator("#drawing-said").inner_text()


@pytest.mark.long
@pytest.mark.parametrize(("size", "scheme"), [((1440, 900), "light"), (PHONE, "dark")])
def test_axe_finds_nothing_on_the_board(tables, size, scheme):
    axe = pytest.importorskip("axe_playwright_python", reason="axe-core comes with: pip install axe-playwright-python")
    tables.workspace(f"axe-board-{scheme}", CLINICS[:2])
    page = tables.open(f"axe-board-{scheme}", size, scheme)
    settled(page, 2)
    if page.locator("#work-button").is_visible():
        page.locator("#work-button").click()
    page.locator("#draw-it").click()
    add(page, "Smoker", "Cough", "Age")
    drag(page, "Smoker", "Cough")
    page.locator("#drawing-list summary").click()
    page.locator("#drawing-net [data-name='Age']").click()
    page.evaluate(resources.files(axe.__name__).joinpath("axe.min.js").read_text("utf-8"))
    for part in ("#board", "#work"):
        found = page.evaluate("(part) => axe.run(part)", part)["violations"]
        assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []
