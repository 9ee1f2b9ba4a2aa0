"""The report's words: what they mean where they stand, and the guide of a first opening."""

import json
from pathlib import Path

import pytest

import bnfuse
from bnfuse import DAG, Network, read
from page_browser import DESKTOP, PHONE, browser_fixture, needs_browser, opened_fixture  # noqa: F401

pytestmark = [needs_browser, pytest.mark.long]

CLINICS = sorted((Path(__file__).parent.parent / "examples" / "clinics").glob("*.bif"))


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "clinics.html"
    bnfuse.consensus(read(*CLINICS), max_clique=3, effort="quick").report(path)
    return path


def words_of(page, selector):
    return [word.lower() for word in page.locator(f"{selector} .term").all_text_contents()]


def test_every_word_of_the_field_is_explained_where_it_stands(opened, report):
    page = opened(report)
    assert words_of(page, "#facts") == ["smhd", "bound", "clique", "treewidth"]
    assert words_of(page, "#between") == ["moral edges", "smhd"]
    assert words_of(page, "#clique-table") == ["cliques", "moral graph"]
    assert page.locator("#explanation").is_hidden()
    for term in page.locator("#facts .term, #between .term").all():
        term.click()
        assert term.get_attribute("aria-expanded") == "true"
        title, *text = page.locator("#explanation").inner_text().splitlines()
        assert title.lower() == term.inner_text().lower()
        assert len(" ".join(text)) > 60
        term.click()
        assert page.locator("#explanation").is_hidden()
        assert term.get_attribute("aria-expanded") == "false"


def test_words_are_explained_by_keyboard_too(opened, report):
    page = opened(report)
    first, second = page.locator("#facts .term").nth(0), page.locator("#facts .term").nth(2)
    first.focus()
    page.keyboard.press("Enter")
    assert "moral edges" in page.locator("#explanation").inner_text()
    second.press("Space")  # one explanation at a time
    assert page.locator("#explanation").inner_text().startswith("Clique")
    assert first.get_attribute("aria-expanded") == "false"
    page.keyboard.press("Escape")
    assert page.locator("#explanation").is_hidden()
    second.press("Enter")
    page.mouse.click(700, 600)
    assert page.locator("#explanation").is_hidden()


def test_an_explanation_stays_on_a_phone(opened, report):
    page = opened(report, PHONE)
    for term in page.locator(".term:visible").all():
        term.click()
        box = page.locator("#explanation").bounding_box()
        assert box["x"] >= 0
        assert box["y"] >= 0
        assert box["x"] + box["width"] <= PHONE[0]
        assert box["y"] + box["height"] <= PHONE[1]
        page.keyboard.press("Escape")


def test_an_explanation_goes_with_its_word(opened, report):
    page = opened(report)
    term = page.locator("#between .term").first
    term.click()
    above = "() => document.querySelector('#explanation').getBoundingClientRect().top - "
    above += "document.querySelector('#between .term').getBoundingClientRect().top"
    before = page.evaluate(above)
    page.evaluate("new Promise(done => { scrollBy(0, 30); requestAnimationFrame(() => requestAnimationFrame(done)) })")
    assert page.evaluate(above) == pytest.approx(before, abs=1)
    page.evaluate("new Promise(done => { scrollTo(0, 0); requestAnimationFrame(() => requestAnimationFrame(done)) })")
    assert page.locator("#explanation").is_hidden()


def test_words_that_come_later_are_explained_too(opened, report):
    page = opened(report)
    page.locator(".node").first.click()
    assert words_of(page, "#details") == ["markov blanket"]
    page.locator("#details .term").click()
    assert "Once these are known" in page.locator("#explanation").inner_text()
    page.fill("#search", "Cough")  # what is explained goes, and its explanation with it
    page.keyboard.press("Enter")
    assert page.locator("#details h3").inner_text() == "Cough"
    assert page.locator("#explanation").is_hidden()


def test_the_sentences_stay_what_they_are(opened, report):
    page = opened(report)
    tile = page.locator("#facts div").nth(2)
    assert tile.inner_text().split("\n") == ["Largest clique", "3", "limit 3, treewidth 2"]
    assert page.locator("table .term, h1 .term, svg .term, button button").count() == 0


def test_a_word_in_somebodys_name_is_not_explained(opened, tmp_path):
    names = ["Clique size", "B", "C"]
    networks = [
        Network(DAG(names, [("Clique size", "B")]), name="lower bound"),
        Network(DAG(names, [("B", "C")]), name="two"),
    ]
    bnfuse.consensus(networks, effort="quick").report(tmp_path / "report.html")
    page = opened(tmp_path / "report.html")
    assert words_of(page, "#facts") == ["smhd", "treewidth"]


def test_the_guide_is_shown_until_it_is_put_away(opened, report):
    page = opened(report, at="")
    guide, button = page.locator("#guide"), page.locator("#guide-button")
    assert guide.is_visible()
    assert len(guide.inner_text().split()) < 130  # a minute
    page.click("#put-away")
    assert guide.is_hidden()
    page.reload()
    assert guide.is_hidden()
    assert button.get_attribute("aria-expanded") == "false"
    button.click()
    assert guide.is_visible()
    assert button.get_attribute("aria-expanded") == "true"
    page.keyboard.press("Escape")
    assert guide.is_hidden()
    assert page.evaluate("document.activeElement.id") == "guide-button"


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_the_guide_goes_at_the_first_press_on_the_picture(opened, report, size):
    page = opened(report, size, at="")
    page.locator("#net .node", has_text="COPD").click()
    assert page.locator("#guide").is_hidden()
    assert page.locator("#details h3").inner_text() == "COPD"  # and the press does what it always does
    page.locator("#guide-button").click()
    page.locator("#pictures").click(position={"x": 5, "y": 5})
    assert page.locator("#guide").is_hidden()
    page.locator("#guide-button").click()
    page.locator("#contested button").first.click()
    assert page.locator("#guide").is_hidden()
    page.reload()
    assert page.locator("#guide").is_hidden()


def test_escape_puts_the_guide_away_wherever_the_focus_is(opened, report):
    page = opened(report, at="")
    page.locator("#search").focus()
    page.keyboard.press("Escape")
    assert page.locator("#guide").is_hidden()
    assert page.evaluate("document.activeElement.id") == "search"


def test_a_page_that_is_opened_at_a_place_shows_no_guide(opened, report):
    page = opened(report, at="#tables")
    assert page.locator("#guide").is_hidden()


def test_the_guide_can_be_put_away_where_a_browser_remembers_nothing(opened, report, browser):
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script("Object.defineProperty(window, 'localStorage', {get() { throw new Error('denied') }})")
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(report.as_uri())
    assert page.locator("#guide").is_visible()
    page.click("#put-away")
    assert page.locator("#guide").is_hidden()
    context.close()
    assert errors == []


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_the_guide_covers_nothing(opened, report, size):
    page = opened(report, size, at="")
    for place in (0, 300, 900):
        page.evaluate(f"scrollTo({{ top: {place}, behavior: 'instant' }})")
        guide = page.locator("#guide").bounding_box()
        for part in ("#headline", "#lead", "#facts", "#pictures", "#contested-card", "#bars-card"):
            box = page.locator(part).bounding_box()
            is_above = box["y"] + box["height"] <= guide["y"]
            is_left = box["x"] + box["width"] <= guide["x"]
            assert is_above or is_left or box["y"] >= guide["y"] + guide["height"], part
    page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    for one in ("#guide-title", "#headline"):
        box = page.locator(one).bounding_box()
        assert box["y"] + box["height"] <= size[1]


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_the_whole_legend_is_in_sight_in_every_view(opened, tmp_path, size):
    content = json.loads((Path(__file__).parent / "data" / "n30_r10_s0.json").read_text("utf-8"))
    networks = [DAG(content["variables"], network["edges"]) for network in content["networks"]]
    bnfuse.consensus(networks, 3, effort="quick", directions="any").report(tmp_path / "report.html")
    page = opened(tmp_path / "report.html", size)
    page.fill("#search", content["variables"][4])
    page.press("#search", "Enter")
    hidden = "one => [one.scrollHeight - one.clientHeight, one.scrollWidth - one.clientWidth]"
    shown = 0
    for view in [*page.eval_on_selector_all("#view option", "all => all.map(one => one.value)")[:6], "difference"]:
        page.select_option("#view", view)
        shown = max(shown, page.locator("#legend li:visible").count())
        assert page.eval_on_selector(".below", hidden) == [0, 0], view
    assert shown >= 7
