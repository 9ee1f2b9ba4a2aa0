"""The page of `bnfuse serve`, in a browser: the whole story, by mouse, by keyboard and on a phone."""

import bnfuse
from bnfuse import read
from page_browser import browser_fixture, needs_browser  # noqa: F401
from serve.table_browser import CLINICS, arcs_on_screen, drop, server_fixture, settled, tables_fixture, texts  # noqa: F401

pytestmark = needs_browser


def found(names=None, **options):
    networks = [one for one in read(*CLINICS) if names is None or one.name in names]
    return bnfuse.consensus(networks, effort="normal", **options)


def test_the_story_by_mouse(tables):
    tables.workspace("story")
    page = tables.open("story")
    page.get_by_text("One network from many").wait_for()
    drop(page, CLINICS, "#welcome .drop")
    settled(page, 5)
    assert arcs_on_screen(page) == texts(found(max_clique=4).dag.edges)
