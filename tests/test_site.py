"""The site that `make docs` built: search works without a server, nothing is from outside, axe-core finds nothing."""

import html
import inspect
import json
import re
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from pathlib import Path

import pytest
import typer

import bnfuse
from bnfuse.commands import app
from page_browser import DESKTOP, PHONE, browser_fixture, needs_browser  # noqa: F401

pytest.importorskip("axe_playwright_python", reason="axe-core comes with: pip install axe-playwright-python")

SITE = Path(__file__).parent.parent / "build" / "docs"
PAGES = [
    *("index.html", "learn/clinics.html", "gallery.html", "glossary.html", "compare/index.html"),
    *("reference/errors.html", "reference/consensus.html", "reference/api/bnfuse.Consensus-class.html"),
]
pytestmark = [needs_browser, pytest.mark.skipif(not SITE.is_dir(), reason="make docs builds what this looks at")]
PUBLIC = [one for one in map(vars(bnfuse).get, bnfuse.__all__) if inspect.isclass(one)]
PROPERTIES = {
    f"bnfuse.{one.__name__}.{name}": inspect.cleandoc(part.__doc__).splitlines()[0]
    for one in PUBLIC
    for name, part in inspect.getmembers(one, inspect.isdatadescriptor)
    if not name.startswith("_") and ": " in (part.__doc__ or "").split("\n")[0]
}


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module", params=["file", "http"])
def address(request):
    if request.param == "file":
        yield SITE.as_uri()
        return
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=SITE))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def opened(browser):
    """Opens a page in a context of its own; the addresses of all that it loaded are in the list."""
    contexts = []

    def open_page(address, size=DESKTOP, scheme="light"):
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
        contexts.append(context)
        page, loaded = context.new_page(), []
        page.on("request", lambda request: loaded.append(request.url))
        page.goto(address)
        return page, loaded

    yield open_page
    for context in contexts:
        context.close()


def test_search_finds_a_page_and_loads_nothing_from_outside(address, opened):
    page, loaded = opened(f"{address}/index.html")
    page.fill("input[name=q]", "pooled")
    page.press("input[name=q]", "Enter")
    page.wait_for_selector("ul.search li a")
    assert "Pooling: where the tables come from" in page.locator("ul.search li a").all_inner_texts()
    page.locator("ul.search li a").first.click()
    page.wait_for_selector("article h1")
    assert loaded
    assert [one for one in loaded if not one.startswith((address, "data:"))] == []


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("page", PAGES)
def test_axe_finds_nothing(opened, page, scheme):
    shown, _ = opened(f"{SITE.as_uri()}/{page}", scheme=scheme)
    shown.evaluate(resources.files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8"))
    found = shown.evaluate("axe.run()")["violations"]
    assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []


@pytest.mark.parametrize("page", [*PAGES, "reproduction.html", "reference/commands.html"])
def test_a_phone_scrolls_tables_and_blocks_but_not_the_page(opened, page):
    shown, _ = opened(f"{SITE.as_uri()}/{page}", PHONE)
    assert shown.evaluate("document.documentElement.scrollWidth") == PHONE[0]


def test_the_reference_keeps_the_first_line_of_a_property():
    pages = "".join(page.read_text("utf-8") for page in (SITE / "reference").rglob("*.html"))
    text = re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", "", pages))).replace("\u2019", "'")
    shown = {
        name: re.sub(r"\s+", " ", line.replace("`", "")) for name, line in PROPERTIES.items() if f'id="{name}"' in pages
    }
    assert len(shown) > 10
    assert [name for name, line in shown.items() if line not in text] == []


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("consensus", "bnfuse.consensus"),
        ("smhd", "bnfuse.smhd"),
        ("Frontier", "bnfuse.frontier"),
        ("clique limit", "clique limit"),
        ("gap", "Glossary"),
        ("bnfuse bootstrap", "bnfuse bootstrap"),
        ("pooling", "Pooling"),
        ("install", "Install"),
        ("report", "The report"),
        ("--prove", "Commands"),
        ("max_clique", "Glossary"),
        ("Gaussian", "Gaussian"),
    ],
)
def test_search_ranks_the_page_that_defines_a_word_first(opened, query, first):
    page, said = opened(f"{SITE.as_uri()}/index.html")[0], []
    page.on("console", lambda message: said.append(message.text))
    page.fill("input[name=q]", query)
    page.press("input[name=q]", "Enter")
    page.wait_for_selector("ul.search li a")
    page.wait_for_selector("text=Search finished")
    assert first.lower() in page.locator("ul.search li a").first.inner_text().lower()
    assert said == []


def test_tutorials_can_be_downloaded_as_notebooks():
    for name in ("clinics", "bootstrap", "limit"):
        notebook = json.loads((SITE / "learn" / f"{name}.ipynb").read_text("utf-8"))
        text = "".join("".join(cell["source"]) for cell in notebook["cells"])
        assert "BNFUSE_NOTEBOOKS" not in text
        assert "](../" not in text
        assert f'href="{name}.ipynb"' in (SITE / "learn" / f"{name}.html").read_text("utf-8")


def test_code_has_copy_buttons_and_links_to_its_source(opened):
    shown, _ = opened(f"{SITE.as_uri()}/learn/clinics.html")
    assert shown.locator("button.copybtn").count() > 5
    page = (SITE / "reference" / "api" / "bnfuse.smhd.html").read_text("utf-8")
    assert 'href="../../_modules/' in page


def test_every_option_of_every_help_is_in_the_command_reference():
    page = html.unescape(re.sub(r"<[^>]*>", " ", (SITE / "reference" / "commands.html").read_text("utf-8")))
    for command in typer.main.get_command(app).commands.values():
        for parameter in command.params:
            for option in parameter.opts:
                assert option in page
