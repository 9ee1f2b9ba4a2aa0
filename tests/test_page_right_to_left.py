"""The report with names that run from right to left: arcs read from left to right, as the browser draws them."""

import pytest

import bnfuse
from bnfuse import DAG
from bnfuse.report.drawing.picture import Picture
from page_browser import browser_fixture, needs_browser, opened_fixture, saved, served_fixture  # noqa: F401
from right_to_left import AGE, ISOLATED, SMOKING, TURNED, marked, networks

PLACES = """([text, ...words]) => {
  const all = [...document.querySelectorAll("body *")].filter((one) => one.textContent === text);
  const walker = document.createTreeWalker(all.at(-1), NodeFilter.SHOW_TEXT);
  const found = new Map();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const word of words) {
      const at = node.data.indexOf(word);
      if (at < 0 || found.has(word)) continue;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + word.length);
      const { left, right } = range.getBoundingClientRect();
      found.set(word, [left, right]);
    }
  }
  return words.map((word) => found.get(word));
}"""
HAS_LOOSE = """() => {
  const isLoose = (text) => /[\\u0590-\\u08ff]/.test((text ?? "").replace(/\\u2068[^\\u2069]*\\u2069/g, ""));
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const loose = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!parent.closest("script, style, bdi") && isLoose(node.data)) loose.push(`${parent.localName}: ${node.data}`);
  }
  for (const one of document.querySelectorAll("[title], [aria-label]"))
    for (const name of ["title", "aria-label"])
      if (isLoose(one.getAttribute(name))) loose.push(`${one.localName} ${name}: ${one.getAttribute(name)}`);
  return loose;
}"""


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "r.html"
    bnfuse.consensus(networks(), effort="quick").report(path)
    return path


@needs_browser
@pytest.mark.parametrize("text", ISOLATED)
def test_the_page_isolates_names_as_the_package_does(served, text):
    page = served()
    script = "async text => (await import('/isolates.js')).{}"
    once = page.evaluate(script.format("isolated(text)"), text)
    assert marked(once) == ISOLATED[text]
    assert page.evaluate(script.format("isolated(text)"), once) == once
    nodes = "isolatedNodes(text).map(one => one.outerHTML ?? one).join('')"
    shown = page.evaluate(script.format(nodes), text).replace("<bdi>", "[").replace("</bdi>", "]")
    assert shown == ISOLATED[text]


@needs_browser
def test_arcs_read_from_left_to_right(opened, report):
    page = opened(report, at=f"#from={AGE}&to={SMOKING}")
    source, arrow, target = page.evaluate(PLACES, [f"{AGE} → {SMOKING}", AGE, "→", SMOKING])
    assert source[1] <= arrow[0] < arrow[1] <= target[0]


@needs_browser
def test_every_name_on_the_page_is_isolated(opened, report):
    page = opened(report, at=f"#from={AGE}&to={SMOKING}")
    page.hover(".node")
    assert page.evaluate(HAS_LOOSE) == []
    page.select_option("#view", "difference")
    page.locator("details:not([open]) > summary").evaluate_all("all => all.forEach(one => one.click())")
    assert page.evaluate(HAS_LOOSE) == []
    page.select_option("#view", "beside")
    page.locator(".node").first.focus()
    page.keyboard.press("Enter")
    assert page.evaluate(HAS_LOOSE) == []
    assert "\u202e" not in page.locator("main").inner_text()


@needs_browser
def test_names_stay_as_they_are_where_programs_read_them(opened, report):
    page = opened(report, accept_downloads=True, at=f"#variable={TURNED}")
    assert page.locator("#names option").evaluate_all("all => all.map(one => one.value)").count(TURNED) == 1
    assert page.locator("#details h3").inner_text() == "a·b"
    assert f"{AGE},{SMOKING},kept" in saved(page, "CSV").read_text("utf-8")


@needs_browser
def test_a_picture_from_the_page_has_its_names_isolated(opened, report):
    page = opened(report, accept_downloads=True)
    assert f">[{AGE}]<" in marked(saved(page, "SVG").read_text("utf-8"))


def test_a_picture_has_its_names_isolated():
    svg = marked(Picture.of(networks()[0]).svg())
    assert f"<title>[{AGE}] → [{SMOKING}]</title>" in svg
    assert f">[{AGE}]</text>" in svg
    assert "\u202e" not in svg
    assert "\u2068" not in Picture.of(DAG(["Größe", "B"], [("Größe", "B")])).svg()


def test_a_page_without_scripts_has_its_names_isolated(report):
    """The consensus is one of the inputs, which its first sentences name."""
    assert "arc for arc: [מרפאה א]" in marked(report.read_text("utf-8"))


def test_a_notebook_has_its_names_isolated():
    html = marked(bnfuse.consensus(networks(), effort="quick")._repr_html_())
    assert "arc for arc: [מרפאה א]" in html
    assert f"<title>[{AGE}] → [{SMOKING}]" in html
