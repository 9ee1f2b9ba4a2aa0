"""A browser for the tests of the report: pages are opened from files, with the network off.

Needs playwright and a Chromium: Debian's, or the one that $BNFUSE_CHROMIUM names.
"""

import asyncio
import os
import shutil
from collections import defaultdict
from contextlib import contextmanager
from functools import cache, wraps
from importlib import resources
from types import SimpleNamespace

import pytest

CHROMIUM = os.environ.get("BNFUSE_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
needs_browser = pytest.mark.skipif(
    CHROMIUM is None, reason="the browser tests need Chromium: apt-get install chromium, or set BNFUSE_CHROMIUM"
)
DESKTOP, PHONE = (1440, 900), (390, 844)
TEMPLATE = resources.files("bnfuse.report.page").joinpath("template")
TEMPLATES = (
    TEMPLATE,
    resources.files("bnfuse.report.page").joinpath("live"),
    resources.files("bnfuse.serve.http").joinpath("template"),
    resources.files("bnfuse.report.browser").joinpath("template"),
    resources.files("bnfuse.report.browser").joinpath("readers"),
)
WITHOUT_GUIDE = "#first"  # a page that is opened at a place of its own shows no guide
_OFF = ",".join(
    [
        *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"),  # pages behind each address bar
        # The last list counts: what Playwright turns off itself.
        *("AimEnabled", "AvoidCorsURLLoaderRestartOnRedirect", "AvoidUnnecessaryBeforeUnloadCheckSync"),
        *("DestroyProfileOnBrowserClose", "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades", "LensOverlay"),
        *("MediaRouter", "NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding", "PreconnectToSearch"),
        "ThirdPartyStoragePartitioning",
    ]
)
_SITE = "http://modules.test/"
PATIENCE = 180_000  # milliseconds: on a busy machine the 30 s of Playwright are not many


def _patient(make):
    """The same, with the patience of these tests."""

    @wraps(make)
    def made(**options):
        found = make(**options)
        found.set_default_timeout(PATIENCE)
        return found

    return made


@cache
def _browser(config):
    """One for all files that a process runs: starting it, and opening its first tabs, takes longer than most tests."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="the browser tests need playwright: pip install playwright"
    )
    tools = playwright.sync_playwright().start()
    loop = asyncio.get_running_loop()
    browser = tools.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", f"--disable-features={_OFF}"])
    browser.new_context, browser.new_page = _patient(browser.new_context), _patient(browser.new_page)

    def end():
        asyncio._set_running_loop(loop)
        browser.close()
        tools.stop()

    config.add_cleanup(end)
    return browser, loop


@pytest.fixture(name="browser", scope="module")
def browser_fixture(pytestconfig):
    """The browser. Its event loop counts as running while it is open: other tests must be able to run their own."""
    browser, loop = _browser(pytestconfig)
    asyncio._set_running_loop(loop)
    yield browser
    asyncio._set_running_loop(None)


class _Tab:
    """A page in a context of its own. Making one takes longer than loading a report, so tests use it in turn."""

    def __init__(self, browser, **options):
        self.troubles = []
        self._path = None
        self.context = browser.new_context(**options)
        self.page = self.context.new_page()
        self.page.on("console", lambda message: self.troubles.append(message.text))
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("dialog", lambda dialog: self.troubles.append(dialog.message))
        self.page.on("request", self._see)

    def _see(self, request):
        if request.url.startswith("blob:null/"):  # the page's own text: the worker that solves again
            return
        if request.url.partition("#")[0] != self._path.as_uri():
            self.troubles.append(request.url)

    def open(self, path, at):
        self._path = path
        self.page.goto(path.as_uri() + at)
        return self.page

    def leave(self):
        """As if nobody had been here; gives what was wrong meanwhile."""
        self.page.evaluate("localStorage.clear()")
        self.page.goto("about:blank")
        self.page.emulate_media(media="null")
        self.page.mouse.move(0, 0)
        self.context.clear_permissions()
        troubles, self.troubles = [one for one in self.troubles if one != "data:,"], []
        return troubles


@cache
def _free_tabs(browser):
    """The tabs of a browser that no test uses, by their options."""
    return defaultdict(list)


@contextmanager
def _tabs(browser):
    """Opens reports with the network off, until the end; no message, error or request may come of them."""
    free, taken = _free_tabs(browser), []

    def open_page(path, size=DESKTOP, scheme="light", at=WITHOUT_GUIDE, **options):
        options |= {"viewport": {"width": size[0], "height": size[1]}, "color_scheme": scheme}
        key = repr(sorted(options.items()))
        tab = free[key].pop() if free[key] else _Tab(browser, offline=True, reduced_motion="reduce", **options)
        taken.append((key, tab))
        return tab.open(path, at)

    yield open_page
    troubles = []
    for key, tab in taken:
        troubles += tab.leave()
        free[key].append(tab)
    assert troubles == []


def said_by(found, browser, folder, script):
    """What a script reads from the report of a consensus; no error may come of it."""
    path = folder / "report.html"
    found.report(path)
    with _tabs(browser) as opened:
        return opened(path).evaluate(script)


def saved(page, what):
    """A file that the page of a report offers."""
    page.locator("#save").click()
    return saved_from_menu(page, what)


def saved_from_menu(page, what):
    """The same, where the menu is open."""
    with page.expect_download() as download:
        page.locator("#downloads button", has_text=what).click()
    return download.value.path()


@pytest.fixture(name="opened")
def opened_fixture(browser):
    """Opens a report with the network off; no message, error or request may come of it."""
    with _tabs(browser) as opened:
        yield opened


@cache
def _site(browser):
    """A tab of a site that has the modules as they are; its only page, and what goes wrong."""
    page = browser.new_page(viewport={"width": DESKTOP[0], "height": DESKTOP[1]}, reduced_motion="reduce")
    site = SimpleNamespace(page=page, html="", troubles=[])
    page.on("console", lambda message: site.troubles.append(message.text))
    page.on("pageerror", lambda error: site.troubles.append(str(error)))

    def answer(route):
        name = route.request.url.removeprefix(_SITE)
        if name.endswith(".js"):
            folder = next(one for one in TEMPLATES if one.joinpath(name).is_file())
            route.fulfill(body=folder.joinpath(name).read_text("utf-8"), content_type="text/javascript")
        else:
            route.fulfill(body=site.html, content_type="text/html; charset=utf-8")

    page.route("**/*", answer)
    return site


@pytest.fixture(name="served")
def served_fixture(browser):
    """A page of a site that has the modules as they are, for `await import("/geometry.js")` and the like."""
    site = _site(browser)

    def serve(html="<!doctype html><title>modules</title>"):
        site.html = html
        site.page.goto(_SITE)
        return site.page

    yield serve
    site.page.goto("about:blank")
    troubles, site.troubles = site.troubles, []
    assert troubles == []
