"""The page of `bnfuse serve` as a file: what it is made of, and what it may do."""

import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from importlib import resources

import pytest

pytest.importorskip("starlette", reason="the server needs its packages: pip install 'bnfuse[serve]'")

from bnfuse.report.page.page import resource
from bnfuse.report.page.scripts import joined
from bnfuse.serve.http.page import page

OWN = resources.files("bnfuse.serve.http").joinpath("template")
REPORT = resources.files("bnfuse.report.page").joinpath("template")


class Parts(HTMLParser):
    """Scripts, style sheets and attributes of a page."""

    def __init__(self, text):
        super().__init__()
        self.texts, self.attributes, self.ids, self._open = [], [], [], None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.attributes += [(tag, name, value) for name, value in attributes]
        self.ids += [value for name, value in attributes if name == "id"]
        self._open = tag if tag in ("script", "style") else None

    def handle_endtag(self, tag):
        self._open = None

    def handle_data(self, data):
        if self._open:
            self.texts.append((self._open, data))


@pytest.fixture(scope="module")
def parts():
    return Parts(page().html)


def read(name):
    own = OWN.joinpath(name)
    return own.read_text("utf-8") if own.is_file() else resource(name)


def test_the_policy_allows_the_page_s_own_scripts_and_looks_and_nothing_else(parts):
    hashes = {kind: set() for kind in ("script", "style")}
    for kind, text in parts.texts:
        hashes[kind].add(f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'")
    rules = dict(rule.split(" ", 1) for rule in page().policy.split("; "))
    assert set(rules.pop("script-src").split()) == hashes["script"]
    assert set(rules.pop("style-src").split()) == hashes["style"]
    assert rules == {
        "default-src": "'none'",
        "img-src": "data:",
        "connect-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }


def test_nothing_in_it_is_against_its_policy_or_asks_others(parts):
    assert not [one for one in parts.attributes if one[1] == "style" or one[1].startswith("on")]
    assert not [one for one in parts.attributes if one[1] in ("src", "href") and not one[2].startswith(("#", "data:,"))]
    assert "http://" not in re.sub(r"http://www\.w3\.org/2000/svg", "", page().html)
    assert "https://" not in page().html
    assert "{{" not in page().html


def test_every_script_and_style_sheet_is_on_it_and_every_id_once(parts):
    scripts = "".join(joined(entry, read) for entry in ("workspace-page.js", "answer.js", "start-page.js"))
    own = {one.name for one in OWN.iterdir() if one.name.endswith(".js")}
    used = set(re.findall(r"^// ([\w-]+\.js)$", scripts, re.M))
    assert own <= used
    assert "main.js" in used
    assert not own & {one.name for one in REPORT.iterdir()}  # a name means one module
    (style,) = [text for kind, text in parts.texts if kind == "style"]
    for sheet in (one for one in OWN.iterdir() if one.name.endswith(".css") and one.name != "start-page.css"):
        selector = re.search(r"^([.#][\w-]+)", sheet.read_text("utf-8"), re.M)
        assert selector is None or selector[1] in style, sheet.name
    assert len(parts.ids) == len(set(parts.ids))


def test_what_listens_while_an_answer_is_shown_stops_with_it():
    for entry in ("drawn-boxes", "carried-over", "arc-decisions", "change-marks", "dispute-table", "other-limits"):
        text = read(f"{entry}.js")
        assert "Observer(" not in text
        assert not re.search(r"(?<![.\w])addEventListener|(?:window|document)\.addEventListener", text)


def test_names_never_become_markup():
    for module in (one for one in OWN.iterdir() if one.name.endswith(".js")):
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", module.read_text("utf-8")
        )
