"""The page of `bnfuse serve`, in a browser: the whole story, by mouse, by keyboard and on a phone."""

import json
from importlib import resources

import pytest

import bnfuse
from bnfuse import read
from page_browser import PHONE, browser_fixture, needs_browser  # noqa: F401
from serve.table_browser import (  # noqa: F401
    CLINICS,
    arcs_on_screen,
    drop,
    running,
    server_fixture,
    settled,
    tables_fixture,
    texts,
    until,
)

pytestmark = needs_browser

PLACES = """() => [document.getElementById("net").getAttribute("viewBox"),
    [...document.querySelectorAll("#net .node rect")].map((one) => [one.getAttribute("x"), one.getAttribute("y")])]"""


def found(without=(), **options):
    """The oracle: what the library finds when it is asked directly."""
    networks = [one for one in read(*CLINICS) if one.name not in without]
    return bnfuse.consensus(networks, effort="normal", **options)


def named(page, text):
    """The arc of the picture with this name, by its middle, which no box covers."""
    arc = page.locator(f'#arcs .arc[aria-label^="{text}:"] .line')
    x, y = arc.evaluate(
        """one => { const { x, y } = one.getPointAtLength(one.getTotalLength() / 2);
            const at = new DOMPoint(x, y).matrixTransform(one.getScreenCTM()); return [at.x, at.y]; }"""
    )
    return x, y


def decide(page, text):
    page.locator(f"#details .decisions button >> text='{text}'").click()


def downloaded(page, kind, folder):
    with page.expect_download() as waiting:
        page.locator(f"#out a[href$='/out/{kind}']").click()
    path = folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path


def test_the_story_by_mouse(tables, tmp_path):
    tables.workspace("story")
    page = tables.open("story")
    page.get_by_text("One network from many").wait_for()
    drop(page, CLINICS, "#welcome .drop")
    settled(page, 5)
    everybody = found()
    assert arcs_on_screen(page) == texts(everybody.dag.edges)

    # Somebody is switched off: what that changes is marked, and nothing else moves.
    page.locator("#closer").click()
    places = page.evaluate(PLACES)
    page.get_by_label("harbour", exact=True).click()
    settled(page, 4)
    others = found(without=["harbour"])
    assert arcs_on_screen(page) == texts(others.dag.edges)
    assert page.evaluate(PLACES) == places
    came = set(others.dag.edges) - set(everybody.dag.edges)
    went = set(everybody.dag.edges) - set(others.dag.edges)
    assert page.locator("#marks .halo").count() == len(came | went) - len({(b, a) for a, b in came} & went)
    assert page.locator("#changes button").count() == page.locator("#marks .halo").count()

    # An arc is forbidden, where it is told.
    source, target = others.dag.edges[0]
    page.mouse.click(*named(page, f"{source} \u2192 {target}"))
    decide(page, "Forbid")
    settled(page)
    ruled = found(without=["harbour"], forbidden=[(source, target)])
    assert arcs_on_screen(page) == texts(ruled.dag.edges)
    assert page.locator("#details h3").inner_text() == f"{source} \u2192 {target}"
    assert page.locator("#details .decisions [aria-pressed=true]").inner_text() == "Forbid"
    assert page.evaluate(PLACES) == places

    # Another limit.
    page.get_by_label("Largest clique", exact=True).fill("3")
    page.locator("#settings output", has_text="3").wait_for()
    until(page, "document.getElementById('undo').title.includes('max clique')")
    settled(page)
    narrow = found(without=["harbour"], forbidden=[(source, target)], max_clique=3)
    assert arcs_on_screen(page) == texts(narrow.dag.edges)
    assert page.locator("#figures strong").inner_text() == f"{narrow.distance:.2f}"

    # A question, answered as Python does.
    page.fill("#search", "Smoker")
    page.keyboard.press("Enter")
    page.locator("#details .states button").first.click()
    page.fill("#search", "COPD")
    page.keyboard.press("Enter")
    said = page.locator("#details .states .value").first.inner_text()
    asked = page.evaluate(
        """async (evidence) => (await (await fetch("/api/workspaces/story/query", { method: "POST",
            body: JSON.stringify({ target: "COPD", evidence, of: "consensus" }) })).json()).posterior.COPD""",
        {"Smoker": narrow.network.states["Smoker"][0]},
    )
    assert said.split("\u00a0")[0] == f"{100 * next(iter(asked.values())):.1f}"

    # A note, a round, a weight, another round.
    note = page.locator("#dispute-table .note-field").first
    note.fill("agreed by phone")
    note.press("Enter")
    page.locator("#rounds-part summary").click()
    page.get_by_text("Freeze this round").click()
    page.locator("#rounds-count", has_text="1").wait_for()
    page.get_by_label("Weight of hillcrest").fill("3")
    until(page, "document.getElementById('undo').title.includes('weight')")
    settled(page)
    weighted = texts(
        bnfuse.consensus(
            read(*CLINICS),
            max_clique=3,
            forbidden=[(source, target)],
            weights={"harbour": 0, "hillcrest": 3},
            effort="normal",
        ).dag.edges
    )
    assert arcs_on_screen(page) == weighted
    page.get_by_text("Freeze this round").click()
    page.locator("#compared-rounds li", has_text="weight of hillcrest: 1, now 3").wait_for()

    # What is taken away is what is seen.
    page.locator("#out-part summary").click()
    (bif,) = read(downloaded(page, "bif", tmp_path))
    assert texts(bif.dag.edges) == weighted
    protocol = downloaded(page, "protocol", tmp_path).read_text("utf-8")
    assert "switched harbour off" in protocol
    assert "agreed by phone" in protocol

    # After a reload everything is as it was, the question and the reader's place.
    seen = [page.locator("#evidence").inner_text(), page.locator("#details h3").inner_text(), page.locator("h1#headline").inner_text()]
    page.reload()
    page.locator("#arcs .arc").first.wait_for()
    settled(page, 4)
    assert arcs_on_screen(page) == weighted
    assert [page.locator("#evidence").inner_text(), page.locator("#details h3").inner_text(), page.locator("h1#headline").inner_text()] == seen
    assert page.locator("#dispute-table .note-field").first.input_value() == "agreed by phone"

    # And all of it can be undone.
    page.locator("#net").focus()
    page.keyboard.press("Control+z")
    until(page, "!document.getElementById('redo').disabled")
    settled(page)
    assert arcs_on_screen(page) == texts(narrow.dag.edges)
    page.keyboard.press("Control+Shift+Z")
    until(page, "document.getElementById('redo').disabled")
    settled(page)
    assert arcs_on_screen(page) == weighted
