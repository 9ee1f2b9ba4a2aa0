"""A workshop from its beginning to its end: four people in four browsers, and the result opened elsewhere.

With `BNFUSE_WORKSHOP=FOLDER`, the long one leaves pictures of what they see there.
"""

import os
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from drawing_hands import add, drag
from serving import made_again, served
from table_browser import CLINICS, arcs_on_screen, drop, settled, tables_fixture, texts, until  # noqa: F401

from page_browser import PHONE, browser_fixture, needs_browser  # noqa: F401

pytestmark = needs_browser

DESKTOP, TABLET, WALL = (1440, 900), (1024, 768), (1920, 1080)
ANA = [("Smoker", "COPD"), ("Smoker", "LungCancer"), ("COPD", "Cough"), ("Pneumonia", "Fever"), ("Age", "COPD")]


def keep(page, name):
    """A picture of a page, where somebody wants to look at it."""
    if folder := os.environ.get("BNFUSE_WORKSHOP"):
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=Path(folder) / f"{name}.png")


def join(page, name):
    if page.locator("#joining").is_hidden() and page.locator("#work-button").is_visible():
        page.locator("#work-button").click()
    page.get_by_label("Your name", exact=True).fill(name)
    with page.expect_navigation():
        page.locator("#join").click()
    until(page, "document.getElementById('present').textContent.startsWith('You are')")
    return page


def open_part(page, part):
    page.locator(f"#{part}-part").evaluate("(one) => (one.open = true)")


def undo_is(page, words):
    until(page, "(words) => document.getElementById('undo').title.includes(words)", words)


def row_of(page, pair):
    """The row of the disputed arcs that is about a pair."""
    found = page.locator("#dispute-table tbody tr")
    names = found.evaluate_all("(rows) => rows.map((row) => row.querySelector('td button').textContent)")
    return found.nth(next(i for i, text in enumerate(names) if set(text.split(" \u2192 ")) == set(pair)))


def pairs_of(server, path):
    return [(one["source"], one["target"]) for one in server.ask("GET", f"{path}/disputes")["disputes"]]


def bundle_of(page, file):
    open_part(page, "out")
    with page.expect_download() as waiting:
        page.locator("#out a", has_text="Bundle").click()
    waiting.value.save_as(file)
    return file


def reopened(bundle, folder):
    """What a bundle says on a server of its own."""
    with served(folder) as other:
        name = other.ask("PUT", "/api/bundles", bundle.read_bytes(), 201)["name"]
        path = f"/api/workspaces/{name}".replace(" ", "%20")
        found = other.answered(path)
        return found, other.ask("GET", f"{path}/history"), other.ask("GET", f"{path}/drawings/consensus")["arcs"]


def test_two_people_draw_drop_decide_and_take_it_elsewhere(tables, tmp_path):
    tables.workspace("short")
    path = "/api/workspaces/short"
    tables.server.ask("POST", f"{path}/changes", {"kind": "set", "field": "effort", "value": "quick"})
    leads = join(tables.open("short"), "Eva")
    link = tables.server.ask("GET", f"{path}/links")["participant"][0]
    ana = join(tables.open("short", link=link), "Ana")
    ana.locator("#draw-it").click()
    add(ana, "A", "B", "C")
    drag(ana, "A", "B")
    drag(ana, "B", "C")
    ana.locator("#drawing-save").click()
    drop(leads, [("other.csv", "from,to\nA,B\nC,A\n"), ("third.csv", "from,to\nA,B\nA,C\n")])
    settled(leads, 3)
    ana.locator("#dispute-table .decisions button >> text='Forbid'").first.click()
    undo_is(leads, "forbade")
    leads.locator("#inputs input[type=checkbox]").nth(1).click()
    undo_is(leads, "switched other off")
    ana.locator("#undo").click()
    undo_is(ana, "drew Ana")
    settled(leads, 2)
    shown = arcs_on_screen(leads)
    found, history, arcs = reopened(bundle_of(leads, tmp_path / "short.bnfuse"), tmp_path / "elsewhere")
    assert texts(arcs) == shown
    assert [one["who"] for one in history if one["kind"] == "draw"] == ["Ana"]
    assert found["answer"]["distance"] == tables.server.ask("GET", path)["answer"]["distance"]


@pytest.mark.long
def test_a_workshop_of_four_ends_with_the_same_answer_elsewhere(tables, tmp_path):
    tables.workspace("workshop")
    at = everybody(tables)
    draw_and_drop(at)
    judge(at)
    decide(tables, at)
    take_away(tables, at, tmp_path)


@dataclass
class Table:
    """Who sits at it, each with a browser, and the wall."""

    eva: Any
    ana: Any
    ben: Any
    cai: Any
    wall: Any


PATH = "/api/workspaces/workshop"


def everybody(tables):
    """They join: Eva leads, Ana has a tablet, Ben a phone, and Cai likes it dark."""
    eva = tables.open("workshop", size=DESKTOP)
    eva.locator("#welcome").wait_for()
    keep(eva, "01-start-1440")
    join(eva, "Eva")
    eva.locator("#links summary").click()
    until(eva, "document.querySelectorAll('#links input').length === 3")
    participant = eva.get_by_label("Link: Participants", exact=True).input_value()
    ana = join(tables.open("workshop", size=TABLET, link=participant), "Ana")
    ben = join(tables.open("workshop", size=PHONE, link=participant, has_touch=True, is_mobile=True), "Ben")
    cai = join(tables.open("workshop", size=DESKTOP, scheme="dark", link=participant), "Cai")
    wall = tables.open("workshop", size=WALL, link=eva.get_by_label("Link: The wall", exact=True).input_value())
    keep(wall, "02-wall-before-1920")
    until(eva, "document.getElementById('present').textContent.includes('Ana, Ben, Cai')")
    keep(ben, "02-joined-390")
    return Table(eva, ana, ben, cai, wall)


def draw_and_drop(at):
    """One draws, and three have files, one of which calls a variable by another name."""
    eva, ana, ben, cai, wall = at.eva, at.ana, at.ben, at.cai, at.wall
    ana.locator("#draw-it").click()
    add(
        ana,
        "Age",
        "Smoker",
        "Asthma",
        "COPD",
        "LungCancer",
        "Pneumonia",
        "Fever",
        "Cough",
        "Dyspnoea",
        "XRay",
        "Hospitalised",
    )
    for arc in ANA:
        drag(ana, *arc)
    drag(ana, "Cough", "Smoker")
    keep(ana, "03-drawing-1024")
    assert "would be a cycle" in ana.locator("#drawing-said").inner_text()
    ana.locator("#drawing-tidy").click()
    keep(ana, "03-drawing-tidy-1024")
    ana.locator("#drawing-save").click()
    settled(eva, 1)
    keep(eva, "04-one-1440")
    drop(eva, [CLINICS[0]])
    settled(eva, 2)
    drop(ben, [CLINICS[1]])
    settled(eva, 3)
    drop(cai, [(CLINICS[2].name, CLINICS[2].read_text("utf-8").replace("Smoker", "Smokes"))])
    until(cai, "!document.getElementById('naming').hidden")
    until(eva, "document.body.classList.contains('stale')")
    keep(eva, "05-names-1440")
    keep(cai, "05-names-dark")
    keep(ben, "05-names-390")
    keep(ana, "05-names-1024")
    cai.get_by_label("Accept: Smokes in hillcrest").click()
    settled(eva, 4)
    for page, name in ((eva, "06-four-1440"), (ana, "06-four-1024"), (ben, "06-four-390"), (cai, "06-four-dark")):
        settled(page, 4)
        keep(page, name)
    keep(wall, "06-four-wall")


def judge(at):
    """Everybody judges alone; then all see it, and it counts."""
    eva, ana, ben, cai, wall = at.eva, at.ana, at.ben, at.cai, at.wall
    open_part(eva, "panels")
    eva.get_by_text("Open a private round").click()
    people = ((ana, "For", "seen in my patients"), (ben, "Against", "a common cause"), (cai, "For", "two studies"))
    for page, choice, why in people:
        page.locator("#panels .judging > li").first.wait_for(state="attached")
        if page is ben and not page.locator("#work").is_visible():
            page.locator("#work-button").click()
        row = page.locator("#panels .judging > li").first
        row.get_by_label("Reason on").fill(why)
        row.locator(f"button >> text='{choice}'").click()
    until(eva, "document.getElementById('panels').textContent.includes('3 of ')")
    assert all("a common cause" not in page.content() for page in (eva, ana, cai, wall))
    keep(ben, "07-private-390")
    keep(ana, "07-private-1024")
    eva.get_by_text("Reveal to everybody").click()
    for page, _, _ in people:
        until(page, "document.querySelector('#panels .reasons')?.textContent.includes('a common cause')")
    eva.locator("#panels-part").scroll_into_view_if_needed()
    keep(eva, "08-revealed-1440")
    eva.get_by_text("Count the judgements as votes").click()
    settled(eva, 7)


def decide(tables, at):
    """They decide; two write on the same pair; two take back what they did themselves."""
    eva, ana, cai, wall = at.eva, at.ana, at.cai, at.wall
    first, second = pairs_of(tables.server, PATH)[:2]
    for page in (ana, cai):
        settled(page, 7)
        row_of(page, first).locator(".note-field").fill("agreed at lunch" if page is ana else "agreed before lunch")
    ana.keyboard.press("Enter")
    undo_is(eva, "agreed at lunch")
    cai.keyboard.press("Enter")
    conflict = cai.locator(".conflict")
    conflict.wait_for()
    assert "agreed at lunch" in conflict.inner_text()
    conflict.scroll_into_view_if_needed()
    keep(cai, "09-conflict-dark")
    conflict.get_by_text("Keep theirs").click()
    tables.expect("409")
    row_of(cai, second).locator(".decisions button >> text='Forbid'").click()
    undo_is(eva, "forbade")
    row_of(ana, first).locator(".decisions button >> text='Require'").click()
    undo_is(eva, "required")
    settled(eva, 7)
    keep(eva, "10-decided-1440")
    keep(wall, "10-decided-wall")
    cai.locator("#undo").click()
    undo_is(eva, "required")
    question = tables.server.ask("GET", PATH)["question"]
    assert (len(question["required"]), question["forbidden"]) == (1, [])
    ana.locator("#undo").click()
    until(eva, "!document.getElementById('undo').title.includes('required')")
    cai.locator("#redo").click()
    undo_is(eva, "forbade")
    settled(eva, 7)


def take_away(tables, at, tmp_path):
    """The round is frozen, and opened elsewhere."""
    eva = at.eva
    open_part(eva, "rounds")
    eva.get_by_text("Freeze this round").click()
    until(eva, "document.getElementById('rounds-count').textContent !== ''")
    open_part(eva, "history")
    eva.locator("#history-part").scroll_into_view_if_needed()
    keep(eva, "11-frozen-1440")
    shown = arcs_on_screen(eva)
    here = tables.server.answered(PATH)
    bundle = bundle_of(eva, tmp_path / "workshop.bnfuse")
    found, history, arcs = reopened(bundle, tmp_path / "elsewhere")
    assert texts(arcs) == shown
    assert (found["answer"]["distance"], found["answer"]["bound"]) == (
        here["answer"]["distance"],
        here["answer"]["bound"],
    )
    assert [one["words"] for one in history] == [one["words"] for one in tables.server.ask("GET", f"{PATH}/history")]
    assert {one["who"] for one in history} == {"", "Eva", "Ana", "Ben", "Cai"}
    assert len(found["rounds"]) == 1
    with zipfile.ZipFile(bundle) as packed:
        packed.extractall(tmp_path / "bundle")
    again = made_again(tmp_path / "bundle")
    assert again.distance == here["answer"]["distance"]
    assert texts(again.dag.edges) == shown
    assert "agreed at lunch" in (tmp_path / "bundle" / "minutes.md").read_text("utf-8")
