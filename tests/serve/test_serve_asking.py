"""Asking in a workspace: every kind of finding, and what becomes of it when the answer changes."""

import pytest
from table_browser import CLINICS, settled, tables_fixture  # noqa: F401

import bnfuse
from bnfuse import read
from page_browser import browser_fixture, needs_browser  # noqa: F401
from page_parts import choose, shown, state, strip_of

pytestmark = needs_browser

ASK = """async (known) => (await (await fetch("/api/workspaces/asking/query", { method: "POST",
    headers: { Authorization: `Bearer ${sessionStorage.getItem("bnfuse key")}` },
    body: JSON.stringify({ target: "LungCancer", ...known }) })).json()).posterior.LungCancer"""


@pytest.mark.long
def test_findings_of_every_kind_outlive_another_answer(tables):
    tables.workspace("asking", CLINICS)
    page = tables.open("asking")
    settled(page, 5)
    choose(page, "Age")
    page.locator(".kinds select").select_option("out")
    state(page, "under_40").click()
    choose(page, "Cough")
    page.locator(".kinds select").select_option("weighed")
    page.locator(".states input").first.fill("4")
    page.locator(".states input").first.press("Enter")
    choose(page, "Smoker")
    page.locator(".kinds select").select_option("set")
    state(page, "current").click()
    choose(page, "LungCancer")
    known = {
        "evidence": {"Age": ["from_40_to_65", "over_65"], "Cough": {"yes": 4, "no": 1}},
        "do": {"Smoker": "current"},
    }
    said = []
    for without in ((), ("harbour",)):
        if without:
            page.get_by_label(without[0], exact=True).click()
            settled(page, 4)
        networks = [one for one in read(*CLINICS) if one.name not in without]
        network = bnfuse.consensus(networks, effort="quick").network
        expected = network.query("LungCancer", known["evidence"], do=known["do"])
        assert page.evaluate(ASK, known) == pytest.approx(expected.to_dict(), abs=1e-9)
        said.append(page.locator("#details .states .value").all_inner_texts())
        assert said[-1] == [*map(shown, expected)]
        assert strip_of(page).startswith("given Age not under_40 × Cough = yes:4, no:1 × do Smoker = current ×")
        assert page.locator(".answers .effect").count() == len(network.states["Smoker"]) - 1
    assert said[0] != said[1]
    # The steps came along; the keys of the workspace undo what was asked of it, these buttons the findings.
    page.locator("#undo-finding").click()
    page.locator("#undo-finding").click()
    assert strip_of(page).startswith("given Age not under_40 × probability")
    page.locator("#likeliest-button").click()
    best = network.most_probable({"Age": known["evidence"]["Age"]})[0]
    first = page.locator("#likeliest tbody tr > :nth-child(2)").all_inner_texts()
    assert first == [best.states[name] for name in network.variables]
