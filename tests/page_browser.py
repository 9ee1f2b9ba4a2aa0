"""A browser for the tests of the report: pages are opened from files, with the network off.

Needs playwright and a Chromium: Debian's, or the one that $BNFUSE_CHROMIUM names.
"""

import os
import shutil
from importlib import resources

import pytest

playwright = pytest.importorskip(
    "playwright.sync_api", reason="the browser tests need playwright: pip install playwright"
)

CHROMIUM = os.environ.get("BNFUSE_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
needs_browser = pytest.mark.skipif(
    CHROMIUM is None, reason="the browser tests need Chromium: apt-get install chromium, or set BNFUSE_CHROMIUM"
)
DESKTOP, PHONE = (1440, 900), (390, 844)
TEMPLATE = resources.files("bnfuse.report").joinpath("template")
WITHOUT_GUIDE = "#first"  # a page that is opened at a place of its own shows no guide
_SITE = "http://modules.test/"


@pytest.fixture(name="browser", scope="module")
def browser_fixture():
    with playwright.sync_playwright() as tools:
        browser = tools.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


def said_by(found, browser, folder, script):
    """What a script reads from the report of a consensus; no error may come of it."""
    path = folder / "report.html"
    found.report(path)
    tab = browser.new_page(viewport={"width": DESKTOP[0], "height": DESKTOP[1]}, reduced_motion="reduce")
    troubles = []
    tab.on("pageerror", lambda error: troubles.append(str(error)))
    tab.goto(path.as_uri() + WITHOUT_GUIDE)
    said = tab.evaluate(script)
    tab.close()
    assert not troubles
    return said


@pytest.fixture(name="opened")
def opened_fixture(browser):
    """Opens a report with the network off; no message, error or request may come of it."""
    contexts, troubles = [], []

    def open_page(path, size=DESKTOP, scheme="light", at=WITHOUT_GUIDE, **options):
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme=scheme,
            offline=True,
            reduced_motion="reduce",
            **options,
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: troubles.append(message.text))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("dialog", lambda dialog: troubles.append(dialog.message))
        page.on(
            "request",
            lambda request: None if request.url.partition("#")[0] == path.as_uri() else troubles.append(request.url),
        )
        page.goto(path.as_uri() + at)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert [one for one in troubles if one != "data:,"] == []


@pytest.fixture(name="served")
def served_fixture(browser):
    """A page of a site that has the modules as they are, for `await import("/geometry.js")` and the like."""
    context = browser.new_context(viewport={"width": DESKTOP[0], "height": DESKTOP[1]}, reduced_motion="reduce")
    troubles = []

    def serve(html="<!doctype html><title>modules</title>"):
        page = context.new_page()
        page.on("console", lambda message: troubles.append(message.text))
        page.on("pageerror", lambda error: troubles.append(str(error)))

        def answer(route):
            name = route.request.url.removeprefix(_SITE)
            if name.endswith(".js"):
                route.fulfill(body=TEMPLATE.joinpath(name).read_text("utf-8"), content_type="text/javascript")
            else:
                route.fulfill(body=html, content_type="text/html; charset=utf-8")

        page.route("**/*", answer)
        page.goto(_SITE)
        return page

    yield serve
    context.close()
    assert troubles == []
