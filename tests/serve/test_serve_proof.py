"""A proof on request at the table: asked for, ended by the next change, refused where there is none."""

from __future__ import annotations

import asyncio
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from serving import assert_repeated, fresh, served
from table_browser import Tables, settled, tables_fixture, until  # noqa: F401

from bnfuse import BnfuseError
from bnfuse.serve.jobs.workers import Crew
from bnfuse.serve.service import Service
from bnfuse.serve.workspace.folder import Folder
from bnfuse.serve.workspace.state import PROOF, Input, State
from page_browser import browser_fixture, needs_browser, served_fixture  # noqa: F401
from running import CLINICS

needs_scip = pytest.mark.skipif(find_spec("pyscipopt") is None, reason="a proof needs pip install 'bnfuse[exact]'")
OPEN = [
    {"kind": "set", "field": name, "value": value}
    for name, value in (("metric", "shd"), ("max_clique", 3), ("directions", "any"))
]
"""what leaves the clinics with a gap"""


@needs_scip
def test_a_proof_on_request_is_that_of_the_library_and_repeated_by_command_and_python(server, request, tmp_path):
    path = fresh(server, request)
    server.ask("POST", f"{path}/changes", OPEN)
    assert server.answered(path)["answer"]["gap"] > 0
    with server.events(path) as events:
        server.ask("POST", f"{path}/solve", {"effort": "proof"}, 202)
        seen = [next(events)]
        while seen[-1][0] != "answer":
            seen.append(next(events))
    assert {facts["effort"] for name, facts in seen if name != "disputes"} == {"proof"}
    found = server.answered(path, "proof")["answer"]
    assert (found["gap"], found["bound"]) == (0, found["distance"])
    assert server.ask("GET", f"{path}/out/saved")["proof"]["stopped_by"] == "finished"
    for file in CLINICS:
        (tmp_path / Path(file).name).write_bytes(Path(file).read_bytes())
    assert_repeated(server, path, tmp_path)


@needs_scip
def test_the_newest_change_ends_a_proof(server, request):
    path = fresh(server, request)
    server.ask("POST", f"{path}/changes", OPEN)
    server.answered(path)
    with server.events(path) as events:
        server.ask("POST", f"{path}/solve", {"effort": "proof"}, 202)
        while (event := next(events))[0] != "solving":
            pass
        assert event[1]["effort"] == "proof"
        changed = server.ask("POST", f"{path}/changes", {"kind": "set", "field": "max_clique", "value": 2})
        while (event := next(events))[0] != "answer" or event[1]["revision"] < changed["revision"]:
            pass
    assert event[1]["effort"] == "quick"
    found = server.answered(path)
    assert (found["failed"], found["answer"]["max_clique"]) == (None, 2)


def test_a_proof_that_there_cannot_be_is_refused_and_the_answer_stays(server, request):
    path = fresh(server, request)
    for field, value, word in (("metric", "fsim", "fsim"), ("method", "majority", "direct search")):
        server.ask("POST", f"{path}/changes", {"kind": "set", "field": field, "value": value})
        assert word in server.ask("POST", f"{path}/solve", {"effort": "proof"}, 422)["error"]
        assert server.answered(path)["failed"] is None


def test_without_the_package_one_line_says_what_to_install_for_a_proof(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyscipopt", None)

    async def asked() -> None:
        service = Service(Folder(tmp_path), Crew(1))
        await service.folder.create("table")
        question = State(inputs=(Input("i", "input", "file", 0),))
        await service.folder.use("table", lambda store: store.change(question, "add-inputs", "added"))
        try:
            with pytest.raises(BnfuseError, match=r"pip install 'bnfuse\[exact\]'"):
                await service.solve("table", PROOF)
            assert not service._tasks, "nothing is searched"
        finally:
            await service.close()

    asyncio.run(asked())


@pytest.mark.long
@needs_scip
@needs_browser
def test_the_page_proves_its_answer_when_asked(tables, request):
    name = fresh(tables.server, request).rpartition("/")[2]
    tables.server.ask("POST", f"/api/workspaces/{name}/changes", OPEN)
    page = tables.open(name)
    settled(page, 5)
    line = page.locator("#figures")
    assert "above the best possible" in line.inner_text()
    page.evaluate(
        """() => {
            window.seen = new Set();
            const figures = document.getElementById("figures");
            new MutationObserver(() => window.seen.add(figures.querySelector(".busy")?.innerText)).observe(figures, {
                childList: true,
            });
        }"""
    )
    page.get_by_role("button", name="Prove it").click()
    until(page, "document.getElementById('line').dataset.effort === 'proof'")
    settled(page, 5)
    assert page.evaluate("window.seen.has('proving\u2026')")
    assert "proven best" in line.inner_text()
    assert not page.get_by_role("button", name="Prove it").is_visible()
    assert "the bound is" in page.locator("#curve svg").get_attribute("aria-label")


@pytest.mark.long
@needs_browser
def test_the_page_says_what_to_install_for_a_proof(browser, request, tmp_path, monkeypatch):
    (tmp_path / "sitecustomize.py").write_text("import sys\n\nsys.modules['pyscipopt'] = None\n")
    monkeypatch.syspath_prepend(tmp_path)  # the server's Python has the same path
    with served(tmp_path / "workspaces") as server:
        tables = Tables(browser, server)
        name = fresh(server, request).rpartition("/")[2]
        server.ask("POST", f"/api/workspaces/{name}/changes", OPEN)
        page = tables.open(name)
        settled(page, 5)
        page.get_by_role("button", name="Prove it").click()
        until(page, "() => document.getElementById('line').innerText.includes(\"pip install 'bnfuse[exact]'\")")
        assert "above the best possible" in page.locator("#figures").inner_text(), "the answer stays"
        tables.expect("422")
        assert tables.troubles == []
        page.context.close()
