"""The start page in a browser: the token comes in and leaves no trace, and there is always a list to choose from."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from serving import served as serving
from table_browser import CLINICS, settled, tables_fixture  # noqa: F401

from page_browser import CHROMIUM, PATIENCE, browser_fixture, needs_browser  # noqa: F401

pytestmark = needs_browser


def listed(page):
    page.locator("#choice").wait_for()
    return page.locator("#workspaces li > :first-child").all_inner_texts()


@pytest.mark.long
def test_an_unknown_workspace_gives_the_list(tables):
    tables.workspace("first", CLINICS)
    page = tables.open("nobody")
    page.locator("#said", has_text="there is no workspace 'nobody'").wait_for()
    tables.expect("404")
    assert "first" in listed(page)
    page.goto(f"{tables.origin}/some/where")
    page.locator("#said", has_text="There is no such page").wait_for()
    tables.expect("404")
    page.get_by_role("link", name="first", exact=True).click()
    settled(page, 5)


@pytest.mark.long
def test_a_damaged_workspace_is_listed_with_its_problem_and_can_be_deleted(tables, tmp_path_factory):
    with serving(tmp_path_factory.mktemp("damaged")) as server:
        server.workspace("good", [])
        server.workspace("bad", [])
        folder = Path(re.search(r"are kept in (\S+);", server.said)[1])
    (folder / "bad" / "workspace.sqlite").write_bytes(b"nothing of the kind")
    with serving(folder) as server:
        page = tables.browser.new_context().new_page()
        tables.contexts.append(page.context)
        page.goto(f"http://127.0.0.1:{server.port}/#{server.token}")
        assert sorted(listed(page)) == ["bad", "good"]
        assert "is not a workspace of bnfuse serve" in page.locator("#workspaces .wrong").inner_text()
        page.get_by_role("button", name="Delete bad").click()
        page.get_by_text("Delete permanently?").click()
        page.locator("#said", has_text="bad is deleted").wait_for()
        page.locator("#workspaces li", has_text="bad").wait_for(state="detached")
        assert listed(page) == ["good"]
    assert not (folder / "bad").exists()


@pytest.mark.long
def test_a_tab_without_a_key_asks_for_the_token_and_goes_where_it_was_sent(tables):
    tables.workspace("asked")
    context = tables.browser.new_context()
    tables.contexts.append(context)
    page = context.new_page()
    page.goto(f"{tables.origin}/w/asked/")
    page.fill("#token", "not the token")
    page.get_by_role("button", name="Join").click()
    page.locator("#said", has_text="That is not the token of this server.").wait_for()
    page.fill("#token", tables.server.token)
    page.get_by_role("button", name="Join").click()
    page.wait_for_url(f"{tables.origin}/w/asked/")
    page.locator("#inputs-part").wait_for()
    second = context.new_page()  # which gets the key from the first
    second.goto(f"{tables.origin}/w/asked/")
    second.locator("#inputs-part").wait_for()
    second.wait_for_url(f"{tables.origin}/w/asked/")
    assert context.cookies() == []


@pytest.mark.long
def test_the_history_of_the_browser_has_no_token(browser, tmp_path):
    """Opened as the command opens it: through the file. Chromium's own records are read."""
    with serving(tmp_path / "workspaces") as server:
        opening = re.search(r"open (\S+) in a browser", server.said)[1]
        context = browser.browser_type.launch_persistent_context(
            str(tmp_path / "profile"), executable_path=CHROMIUM, args=["--no-sandbox"]
        )
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.goto(Path(opening).as_uri())
        page.wait_for_url(f"http://127.0.0.1:{server.port}/w/*/")
        page.locator("#inputs-part").wait_for()
        page.reload()
        page.locator("#inputs-part").wait_for()
        assert context.cookies() == []
        context.close()
        kept = [one for one in (tmp_path / "profile").rglob("*") if one.is_file()]
        (history,) = [one for one in kept if one.name == "History"]
        with closing(sqlite3.connect(history)) as connection:
            addresses = [address for (address,) in connection.execute("SELECT url FROM urls")]
        assert f"http://127.0.0.1:{server.port}/w/" in " ".join(addresses)
        assert not any(server.token in one for one in addresses)
        assert not [
            one.name for one in kept if one.name.startswith("History") and server.token.encode() in one.read_bytes()
        ]
