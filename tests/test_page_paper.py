"""The report on paper, by mail, in the reader's own colours, and what its policy lets it do."""

import base64
import hashlib
import itertools
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import bnfuse
from bnfuse import DAG, read
from bnfuse.report.solver.parts import MAY_COMPILE, kernel
from bnfuse.report.summary import Summary
from packed_tables import unpacked_text
from page_browser import browser_fixture, needs_browser, opened_fixture  # noqa: F401

TESTS = Path(__file__).parent
CLINICS = sorted((TESTS.parent / "examples" / "clinics").glob("*.bif"))


@pytest.fixture(scope="module")
def consensus():
    return bnfuse.consensus(read(*CLINICS), effort="quick")


@pytest.fixture(scope="module")
def report(consensus, tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "clinics.html"
    consensus.report(path)
    return path


class Attributes(HTMLParser):
    """The names of all attributes in the markup, and the policy."""

    def __init__(self):
        super().__init__()
        self.names = set()
        self.policy = ""

    def handle_starttag(self, tag, attrs):
        self.names |= {name for name, _ in attrs}
        if ("http-equiv", "Content-Security-Policy") in attrs:
            self.policy = dict(attrs)["content"]


# The policy


def test_the_policy_allows_these_scripts_and_this_style_sheet_alone(report):
    html = report.read_text("utf-8")
    markup = Attributes()
    markup.feed(html)
    rules = dict(rule.split(" ", 1) for rule in markup.policy.split("; "))
    assert rules["default-src"] == "'none'"
    own = {tag: re.findall(rf"<{tag}>(.*?)</{tag}>", html, re.S) for tag in ("script", "style")}
    for tag, name in (("script", "packed"), ("style", "packed-style")):
        (packed,) = re.findall(rf'<script type="text/plain" id="{name}">(.*?)</script>', html)
        own[tag].append(unpacked_text(packed))
    for tag, texts in own.items():
        digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in texts]
        more = [MAY_COMPILE] if tag == "script" and kernel() is not None else []
        assert rules[f"{tag}-src"].split() == [*(f"'sha256-{digest}'" for digest in digests), *more]
    assert not {name for name in markup.names if name == "style" or name.startswith("on")}


@needs_browser
def test_a_script_from_elsewhere_does_not_run(browser, report):
    page = browser.new_page()
    page.goto(report.as_uri() + "#first")
    assert page.locator("#arc-table tbody tr").count() > 10
    page.evaluate(
        "() => { const one = document.createElement('script'); one.textContent = 'window.wasRun = 1';"
        " document.body.append(one) }"
    )
    assert page.evaluate("window.wasRun") is None
    page.close()


@needs_browser
def test_the_policy_takes_no_colours_away(opened, report):
    page = opened(report)
    fills = "all => new Set(all.map(one => getComputedStyle(one).fill)).size"
    assert page.eval_on_selector_all("#between .plot path", fills) == 9
    widths = "all => new Set(all.map(one => getComputedStyle(one).width)).size"
    assert page.eval_on_selector_all("#bars .bar", widths) == 3


# Without scripts


@needs_browser
def test_a_page_without_scripts_has_the_summary_and_the_picture(browser, report, consensus):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(report.as_uri())
    what, *others = Summary(consensus).lines
    assert page.locator("h1").inner_text() == what
    lead = page.locator("#lead").inner_text()
    notes = page.locator("#notes li").all_inner_texts()
    assert all(line[1:] in lead for line in others[:2])
    assert [one[1:] for one in notes[: len(others) - 2]] == [f"{line[1:]}." for line in others[2:]]
    assert len(notes) == len(others) - 2 + len(consensus.finished.notes)
    assert page.locator("#notes").is_visible()
    assert "harbour (13) may stand apart" in lead  # a name is no word to begin with a capital
    assert page.locator("#net path.arc").count() == len(consensus.dag.edges)
    titles = page.locator("#net path.arc title").all_text_contents()
    assert {title.partition(":")[0] for title in titles} == {" \u2192 ".join(arc) for arc in consensus.dag.edges}
    boxes = [page.locator(f".node:has-text('{name}') rect").first.bounding_box() for name in consensus.dag.variables]
    frame = page.locator("#net").bounding_box()
    for box in boxes:
        assert frame["x"] <= box["x"] <= box["x"] + box["width"] <= frame["x"] + frame["width"]
        assert frame["y"] <= box["y"] <= box["y"] + box["height"] <= frame["y"] + frame["height"]
    assert page.locator("noscript").inner_text().startswith("JavaScript is turned off")
    for part in ("nav", ".tools", "#shown", "#disagree", "#good-title", "#tables", "#guide-button"):
        assert page.locator(part).is_hidden()
    context.close()


@needs_browser
def test_scripts_put_their_own_in_the_place_of_what_stood_there(opened, report, consensus):
    page = opened(report)
    assert page.locator("#net path.arc").count() == 0
    assert page.locator("#net g.arc").count() >= len(consensus.dag.edges)
    assert page.locator("#lead").inner_text().count("may stand apart") == 1
    assert page.locator("#notes li").last.inner_text().startswith("Arcs are not causes")
    assert page.locator("nav").is_visible()


def test_a_large_network_takes_little_more_without_scripts(tmp_path):
    names = [f"V{i}" for i in range(500)]
    chain = DAG(names, list(itertools.pairwise(names)))
    bnfuse.consensus([chain], max_clique=2, effort="quick").report(tmp_path / "report.html")
    html = (tmp_path / "report.html").read_text("utf-8")
    (arcs,) = re.findall(r'<g id="arcs">(.*?)</g>', html)
    assert arcs.count("M") == arcs.count("L") == 499
    assert len(arcs) < 30 * 499


# Paper


def pages_of(pdf):
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


@needs_browser
def test_paper_is_light_and_has_nothing_to_press(opened, report):
    page = opened(report, scheme="dark", at="")
    assert page.locator("#guide").is_visible()
    page.click("#theme")
    page.click("#theme")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.emulate_media(media="print")
    colour = "one => getComputedStyle(one).backgroundColor"
    assert page.eval_on_selector("body", colour) == "rgb(255, 255, 255)"
    assert page.eval_on_selector(".card", colour) == "rgb(255, 255, 255)"
    assert page.eval_on_selector("#lead", "one => getComputedStyle(one).color") == "rgb(82, 97, 114)"
    controls = "nav, .tools, #shown, #guide, .table-tools button, input, select, .command button"
    assert page.locator(controls).count() > 10
    assert page.locator(controls).locator("visible=true").count() == 0
    for part in ("#net", "#bars .bar", ".scale i", "#arc-table table"):
        assert page.locator(part).first.is_visible()
        assert page.eval_on_selector(part, "one => getComputedStyle(one).printColorAdjust") == "exact"


@needs_browser
def test_paper_has_the_whole_network(opened, report):
    page = opened(report)
    size = page.evaluate("JSON.parse(document.getElementById('data').textContent).layout.size")
    for _ in range(4):
        page.click("#closer")
    seen = page.get_attribute("#net", "viewBox")
    page.evaluate("window.printed = []")
    page.evaluate(
        "addEventListener('beforeprint', () => printed.push(document.getElementById('net').getAttribute('viewBox')))"
    )
    assert pages_of(page.pdf()) <= 5
    assert page.evaluate("printed") == [f"0 0 {size['width']:g} {size['height']:g}"]
    assert page.get_attribute("#net", "viewBox") == seen


@pytest.mark.long
@needs_browser
def test_thirty_networks_of_thirty_variables_take_under_eight_pages(opened, tmp_path):
    content = json.loads((TESTS / "data" / "n30_r10_s0.json").read_text("utf-8"))
    recorded = [network["edges"] for network in content["networks"]]
    lessened = [edges[:part] + edges[part + 9 :] for part in (0, 9, 18) for edges in recorded]
    networks = [DAG(content["variables"], edges) for edges in lessened]
    assert len(networks) == 30
    found = bnfuse.consensus(networks, max_clique=4, effort="quick")
    found.with_frontier(bnfuse.frontier(networks, max_clique=[2, 3, 4], effort="quick")).report(
        tmp_path / "report.html"
    )
    page = opened(tmp_path / "report.html")
    assert 3 <= pages_of(page.pdf(format="A4")) < 8
    rows = page.locator("#arc-table tbody tr")
    all_rows = rows.count()
    assert all_rows > 60
    page.emulate_media(media="print")
    assert page.locator("#arc-table tbody tr:visible").count() == 60
    assert re.search(r"The first 60 of \d+ rows", page.locator("#arc-table .only-paper").inner_text())


# The reader's own colours


@needs_browser
def test_bars_lines_and_fields_stay_in_forced_colours(opened, report):
    page = opened(report, forced_colors="active")
    canvas = page.eval_on_selector("body", "one => getComputedStyle(one).backgroundColor")
    assert page.eval_on_selector(".card", "one => getComputedStyle(one).backgroundColor") == canvas
    assert page.eval_on_selector("#bars li:last-child .bar", "one => getComputedStyle(one).backgroundColor") != canvas
    assert page.eval_on_selector("#net .arc .line", "one => getComputedStyle(one).stroke") not in (canvas, "none")
    fills = "all => new Set(all.map(one => getComputedStyle(one).fill)).size"
    assert page.eval_on_selector_all("#between .plot path", fills) == 9
    page.select_option("#view", label="harbour")
    dashes = "all => new Set(all.map(one => getComputedStyle(one).strokeDasharray)).size"
    kinds = page.eval_on_selector_all("#net .arc", "all => new Set(all.map(one => one.classList[1])).size")
    assert page.eval_on_selector_all("#net .arc .line", dashes) == kinds == 4
