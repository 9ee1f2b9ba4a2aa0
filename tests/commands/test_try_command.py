"""`bnfuse try`: the page as a file."""

import json

from bnfuse.report.browser import browser_page


def test_it_writes_the_page_and_tells_what_to_do_with_it(tmp_path, said):
    path = tmp_path / "page.html"
    assert f"wrote {path}" in said("try", "-o", path)
    assert path.read_text("utf-8") == browser_page.page()


def test_it_tells_programs_where_the_page_is_and_whether_it_can_search(tmp_path, said):
    path = tmp_path / "page.html"
    told = json.loads(said("try", "-o", path, "--json"))
    assert told == {
        "kind": "try",
        "version": 1,
        "page": str(path),
        "bytes": path.stat().st_size,
        "has_solver": browser_page.has_solver(),
    }


def test_a_page_has_the_ending_of_a_page(tmp_path, refused):
    assert "the page is written to a file that ends in .html" in refused("try", "-o", tmp_path / "page.txt")


def test_without_the_kernel_for_pages_it_says_that_the_page_cannot_search(tmp_path, said, monkeypatch):
    browser_page.page.cache_clear()
    monkeypatch.setattr(browser_page, "kernel", lambda: None)
    path = tmp_path / "page.html"
    try:
        said("try", "-o", path)
        assert '<script type="text/plain" id="kernel"></script>' in path.read_text("utf-8")
    finally:
        browser_page.page.cache_clear()
