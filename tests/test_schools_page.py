"""The report of schools: common positions, everything escaped, and that it fits the screen of a browser."""

import re
from html.parser import HTMLParser

import pytest

import bnfuse
from bnfuse.report.schools_page import schools_page
from bnfuse.report.schools_view import layout_of, picture_of
from page_browser import DESKTOP, PHONE, browser_fixture, needs_browser, opened_fixture  # noqa: F401
from running import CLINICS


@pytest.fixture(scope="module")
def clinics():
    return bnfuse.schools(bnfuse.read(*CLINICS), k=2, effort="quick")


def test_every_variable_has_one_place_in_all_pictures(clinics):
    figures = re.findall(r"<figure.*?</figure>", schools_page(clinics), re.DOTALL)
    nodes = [re.search(r'<g class="nodes".*?</g></g>', figure, re.DOTALL).group() for figure in figures]
    assert len(nodes) == 2
    assert nodes[0] == nodes[1]


def test_arcs_are_drawn_by_who_has_them(clinics):
    layout = layout_of(clinics)
    own, other = (set(school.dag.edges) for school in clinics.schools)
    picture = picture_of(clinics, clinics.schools[0], layout)
    kinds = {(picture.variables[arc.source], picture.variables[arc.target]): arc.kind for arc in picture.arcs}
    turned = {arc for arc in own if arc[::-1] in other}
    assert {arc for arc, kind in kinds.items() if kind == "kept"} == own & other
    assert {arc for arc, kind in kinds.items() if kind == "reversed"} == turned
    assert {arc for arc, kind in kinds.items() if kind == "dropped"} == own - other - turned
    assert {arc for arc, kind in kinds.items() if kind == "other"} == {
        arc for arc in other if arc not in own and arc[::-1] not in own
    }


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attrs):
        if tag not in {"meta", "link", "path", "rect"}:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if self.open and self.open[-1] == tag:
            self.open.pop()


def test_names_are_escaped_and_tags_closed():
    one = bnfuse.Network(bnfuse.DAG(["<b>A", "B&C"], [("<b>A", "B&C")]), name="<script>one")
    two = bnfuse.Network(bnfuse.DAG(["<b>A", "B&C"]), name='"two"')
    page = schools_page(bnfuse.schools([one, two], k=2))
    assert "<script>" not in page
    assert "<b>A" not in page
    tags = Tags()
    tags.feed(page)
    assert tags.open == []


def test_one_school_has_one_picture_and_no_separating_arcs():
    page = schools_page(bnfuse.schools(bnfuse.read(*CLINICS), effort="quick"))
    assert page.count("<figure") == 1
    assert "What separates them" not in page
    assert "7 or more are needed" in page


@pytest.mark.long
@needs_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_it_fits_the_screen(clinics, tmp_path, opened, size, scheme):
    clinics.report(tmp_path / "schools.html")
    page = opened(tmp_path / "schools.html", size, scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    boxes = [one.bounding_box() for one in page.locator("figure").all()]
    assert len(boxes) == 2
    is_beside = boxes[0]["y"] == boxes[1]["y"]
    assert is_beside == (size == DESKTOP)
    stroke = page.evaluate("getComputedStyle(document.querySelector('.arc.dropped')).stroke")
    assert stroke == {"light": "rgb(184, 74, 0)", "dark": "rgb(255, 143, 74)"}[scheme]
