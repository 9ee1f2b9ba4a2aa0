"""What outlives a change of the limit: findings, the guide, words; and what is drawn then is right."""

from dataclasses import replace

import numpy as np
import pytest

import bnfuse
from bnfuse import read
from bnfuse.answer.provenance import Origin
from bnfuse.report.page.other_limits import limits_data
from bnfuse.report.page.page_data import layout_of, page_data
from bnfuse.report.summary import Summary
from drawings import boxes_behind, points_of, sampled
from page_browser import browser_fixture, needs_browser, opened_fixture  # noqa: F401
from page_parts import CLINICS, choose, shown, state, strip_of

pytestmark = pytest.mark.long

LIMITS = [2, 3, 4]
OWN = 3


@pytest.fixture(scope="module")
def live():
    """A consensus with tables, and the networks of other limits beside it."""
    clinics = read(*CLINICS)
    found = bnfuse.consensus(clinics, OWN, effort="quick").with_frontier(
        bnfuse.frontier(clinics, LIMITS, effort="quick")
    )
    return found.pool()


@pytest.fixture(scope="module")
def report(live, tmp_path_factory):
    path = tmp_path_factory.mktemp("live") / "report.html"
    live.report(path)
    return path


def to_limit(page, limit):
    page.locator("#limit").fill(str(LIMITS.index(limit)))
    assert page.locator("#limit-text").inner_text() == str(limit)


def network_of(live, limit):
    if limit == OWN:
        return live.network
    return next(point.result.network for point in live.frontier if point.max_clique == limit)


# Evidence


@needs_browser
def test_findings_stay_and_the_answers_are_those_of_the_limit(opened, report, live):
    page = opened(report)
    choose(page, "Smoker")
    state(page, "current").click()
    choose(page, "COPD")
    answers = set()
    for limit in (2, 4, OWN):
        to_limit(page, limit)
        network = network_of(live, limit)
        assert strip_of(page).startswith("given Smoker = current \u00d7 probability")
        answer = network.query(["COPD"], {"Smoker": "current"})
        assert state(page, "yes").locator(".value").inner_text() == shown(answer[network.states["COPD"].index("yes")])
        for variable in set(network.variables) - {"Smoker"}:
            number = network.variables.index(variable)
            widths = page.eval_on_selector_all(
                f'[data-v="{number}"] .chances rect', "all => all.map(one => +one.getAttribute('width'))"
            )
            thick = np.array(widths[: len(widths) // 2])
            np.testing.assert_allclose(thick / thick.sum(), network.query([variable], {"Smoker": "current"}), atol=0.01)
        answers.add(round(float(answer[0]), 6))
    assert len(answers) > 1
    page.locator("#clear").click()
    to_limit(page, 2)
    assert page.locator(".chances rect").count() == 0
    assert strip_of(page).startswith("What if?")


def test_the_file_of_the_run_answers_for_its_own_limit_alone(live):
    found = replace(live, origin=Origin.now(arguments=["consensus", "a.bif", "-o", "own.bif"]))
    layout = layout_of(found)
    own = page_data(Summary(found), layout)
    assert own.tables.file == "own.bif"
    changes = limits_data(Summary(found), layout, own).changes
    assert [change and change["tables"]["file"] for change in changes] == [[None], None, [None]]


# The guide, words, paper


@needs_browser
def test_a_guide_that_was_put_away_stays_away_and_one_that_is_read_stays(opened, report):
    page = opened(report, at="")
    assert "slider" in page.locator("#guide").inner_text()
    to_limit(page, 2)
    assert page.locator("#guide").is_visible()
    assert page.locator("#guide").count() == 1
    page.locator("#put-away").click()
    to_limit(page, 4)
    assert page.locator("#guide").is_hidden()
    page.locator("#guide-button").click()
    assert page.locator("#guide").is_visible()
    page.locator("#guide-button").click()
    assert page.locator("#guide").is_hidden()


@needs_browser
def test_words_are_explained_at_every_limit(opened, report):
    page = opened(report)
    page.locator("#facts .term").first.click()
    assert page.locator("#explanation").is_visible()
    to_limit(page, 2)
    assert page.locator("#explanation").is_hidden()
    assert page.locator("#explanation").count() == 1
    page.locator("#facts .term").first.click()
    assert page.locator("#explanation strong").inner_text()
    page.keyboard.press("Escape")
    assert page.locator("#explanation").is_hidden()


@needs_browser
def test_paper_shows_the_whole_network_of_every_limit(opened, report):
    page = opened(report)
    box = "document.getElementById('net').getAttribute('viewBox')"
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    whole = page.evaluate(box)
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    to_limit(page, 2)
    page.locator("#closer").click()
    before = page.evaluate(box)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(box) == whole != before
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate(box) == before


# The picture


@needs_browser
def test_arcs_of_every_limit_and_view_keep_clear_of_boxes(opened, report):
    page = opened(report)
    boxes = np.array(
        page.eval_on_selector_all(
            "#net .node rect",
            "all => all.map(one => ['x', 'y', 'width', 'height'].map(name => +one.getAttribute(name)))",
        )
    )
    boxes[:, 2:] += boxes[:, :2]
    seen = set()
    for limit in LIMITS:
        to_limit(page, limit)
        for view in ("consensus", "fusion", "0", "4"):
            page.select_option("#view", view)
            arcs = page.eval_on_selector_all(
                "#arcs .arc", "all => all.map(one => [+one.dataset.a, one.querySelector('.line').getAttribute('d')])"
            )
            for code, way in arcs:
                points = points_of(way)
                assert boxes_behind(sampled(points), boxes, 0) <= set(divmod(code, len(boxes)))
                assert abs((points[-1] - points[-2])[0]) < 0.2  # its head is upright
                seen.add((limit, code))
    assert len({code for limit, code in seen if limit != OWN}) > len(boxes)
