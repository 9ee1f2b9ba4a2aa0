"""Pages of `bnfuse serve` in a browser, each of a workspace of its own on the server of the tests."""

import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from serving import Served

from page_browser import DESKTOP, PATIENCE

CLINICS = sorted((Path(__file__).parent.parent.parent / "examples" / "clinics").glob("*.bif"))
DROP = """([target, files]) => {
    const transfer = new DataTransfer();
    for (const [name, text] of files) transfer.items.add(new File([text], name));
    for (const kind of ["dragenter", "dragover", "drop"])
        document.querySelector(target).dispatchEvent(
            new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true }));
}"""
ON_SCREEN = """() => [...document.querySelectorAll("#arcs .arc:not(.dropped)")]
    .map((one) => one.getAttribute("aria-label").split(": ")[0]).sort()"""

SETTLED = """async (many) => {
    const line = document.getElementById("line");
    if (Number(line.dataset.waiting)) return false; // a click of which the server may know nothing yet
    const place = `/api/workspaces/${location.pathname.split("/")[2]}`;
    const signal = AbortSignal.timeout(20000); // a browser without connections would wait for ever
    const headers = { Authorization: `Bearer ${sessionStorage.getItem("bnfuse key")}` };
    const found = await fetch(place, { signal, headers }).then((response) => response.json()).catch(() => null);
    if (!found) return false; // a busy machine: once more
    const { revision, question, solving, answer } = found;
    return (many === null || question.inputs.filter((one) => one.on).length === many)
        && answer && (!solving || solving.done) && Number(line.dataset.revision) === revision
        && line.dataset.effort === answer.effort && line.dataset.solved === "true" && !line.querySelector(".busy")
        && !document.querySelector("main").ariaBusy;
}"""


@dataclass
class Tables:
    """Pages of workspaces; what they complain of, or ask of others, is a trouble."""

    browser: object
    server: Served
    contexts: list = field(default_factory=list)
    troubles: list = field(default_factory=list)

    @property
    def origin(self):
        return f"http://{self.server.host}:{self.server.port}"

    def workspace(self, name, files=()):
        """A new workspace; with files its answers are quick ones, and no more."""
        path = self.server.workspace(name, [])
        if files:
            self.server.ask("POST", f"{path}/changes", {"kind": "set", "field": "effort", "value": "quick"})
        for file in files:
            self.server.ask("PUT", f"{path}/files?name={file.name}", file.read_bytes())

    def open(self, name, size=DESKTOP, scheme="light", link=None, **options):
        """The page of a workspace in a browser of its own, with a facilitator's key or by a link."""
        context = self.browser.new_context(
            viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, reduced_motion="reduce", **options
        )
        self.contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: self.troubles.append(message.text))
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("dialog", lambda dialog: self.troubles.append(dialog.message))
        page.on("request", lambda request: self._check(request.url))
        if link is not None:
            page.goto(link)
            page.wait_for_url(f"{self.origin}/w/{name}/")
            return page
        page.goto(f"{self.origin}/")
        key = self.server.ask("POST", "/api/session", status=201)["key"]
        page.evaluate("(key) => sessionStorage.setItem('bnfuse key', key)", key)
        page.goto(f"{self.origin}/w/{name}/")
        return page

    def expect(self, words):
        """What a browser says itself of requests that are refused on purpose."""
        assert any(words in trouble for trouble in self.troubles)
        self.troubles = [trouble for trouble in self.troubles if words not in trouble]

    def _check(self, url):
        if not url.startswith((f"{self.origin}/", f"blob:{self.origin}/", "data:,")):
            self.troubles.append(url)


@pytest.fixture(name="tables")
def tables_fixture(browser, server):
    tables = Tables(browser, server)
    yield tables
    for context in tables.contexts:
        context.close()
    assert tables.troubles == []


def drop(page, files, target="#drop"):
    """Files as (name, text), or their paths, dropped on the page."""
    pairs = [(file.name, file.read_text("utf-8")) if isinstance(file, Path) else file for file in files]
    page.evaluate(DROP, [target, pairs])


def until(page, condition, argument=None):
    """Wait for a condition; playwright's own way of doing so is against the page's policy."""
    end = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < end:
        if page.evaluate(condition, argument):
            return
        page.wait_for_timeout(40)
    raise AssertionError(f"never came true: {condition}")


def settled(page, inputs=None):
    """Wait until the page shows the last answer to the newest question and its disputes, with so many inputs on."""
    until(page, SETTLED, inputs)


def arcs_on_screen(page):
    """The arcs of the consensus in the picture, as `A → B`."""
    return page.evaluate(ON_SCREEN)


def texts(edges):
    return sorted(f"{source} \u2192 {target}" for source, target in edges)
