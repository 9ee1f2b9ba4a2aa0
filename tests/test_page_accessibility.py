"""What axe-core, the checker of accessibility, finds on reports: nothing."""

from importlib import resources
from pathlib import Path

import pytest

import bnfuse
from bnfuse import Alignment, Tally, read
from page_browser import DESKTOP, PHONE, browser_fixture, needs_browser, opened_fixture  # noqa: F401

pytest.importorskip("axe_playwright_python", reason="axe-core comes with: pip install axe-playwright-python")
pytestmark = needs_browser

EXAMPLES = Path(__file__).parent.parent / "examples"
CLINICS = sorted((EXAMPLES / "clinics").glob("*.bif"))


@pytest.fixture(scope="module")
def axe():
    return resources.files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")


def clinics():
    networks = read(*CLINICS)
    return bnfuse.consensus(networks, effort="quick").with_frontier(bnfuse.frontier(networks, effort="quick"))


def tally():
    networks = read(*CLINICS)
    votes = Tally(networks[0].variables)
    for network in networks:
        votes.add(network)
    return bnfuse.consensus(votes, effort="quick")


def panel():
    inputs = read(*sorted((EXAMPLES / "panel").iterdir()), cyclic="votes", variables="union")
    aligned = Alignment.load(EXAMPLES / "panel-names.csv").apply_all(inputs)
    return bnfuse.consensus(aligned, variables="union", effort="quick")


@pytest.mark.long
@pytest.mark.parametrize(
    ("found", "size", "scheme"),
    [(clinics, DESKTOP, "light"), (tally, PHONE, "light"), (panel, DESKTOP, "light"), (clinics, DESKTOP, "dark")],
    ids=["clinics", "tally on a phone", "panel", "clinics in the dark"],
)
def test_axe_finds_nothing(opened, axe, tmp_path, found, size, scheme):
    found().report(tmp_path / "report.html")
    page = opened(tmp_path / "report.html", size, scheme, at="")
    page.evaluate(axe)
    assert violations(page) == []
    page.click("#put-away")
    page.locator("[data-a]").last.focus()
    assert page.locator("#details .kind").count() == 1
    page.locator("#facts .term").first.click()
    assert violations(page, "#details, #facts, #explanation") == []
    page.fill("#search", page.locator(".node text").nth(2).text_content())
    page.keyboard.press("Enter")
    assert page.locator("#details .chips").count() > 1
    assert violations(page, "#details") == []
    if page.locator(".kinds").count():
        page.locator(".states button").first.click()
        page.select_option(".kinds select", "weighed")
        assert violations(page, "#details, #evidence") == []
        page.fill("#search", page.locator(".node text").nth(5).text_content())
        page.keyboard.press("Enter")
        page.locator(".telling summary").click()
        page.locator(".telling li").first.wait_for()
        page.locator("#likeliest-button").click()
        assert violations(page, "#details, #evidence, #likeliest") == []
        page.keyboard.press("Escape")
    if page.locator("#view option[value=beside]").count():
        page.select_option("#view", "beside")
    page.locator("#save").click()
    assert violations(page, ".network") == []


def violations(page, part="html"):
    """What is wrong, where."""
    found = page.evaluate("part => axe.run(part, { resultTypes: ['violations'] })", part)  # of the rest no details
    assert found["passes"]
    return [(one["id"], [node["target"] for node in one["nodes"]]) for one in found["violations"]]


@pytest.mark.long
def test_axe_would_find_something(opened, axe, tmp_path):
    clinics().report(tmp_path / "report.html")
    page = opened(tmp_path / "report.html")
    page.evaluate("document.getElementById('closer').removeAttribute('aria-label')")
    page.evaluate("document.getElementById('closer').textContent = ''")
    page.evaluate(axe)
    assert [name for name, _ in violations(page, ".tools")] == ["button-name"]
