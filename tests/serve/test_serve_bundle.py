"""A workspace as one file: it opens elsewhere with the same answer; and what is deleted is gone."""

from __future__ import annotations

import contextlib
import io
import json
import random
import sys
import zipfile
import zlib
from pathlib import Path

import pytest
from serving import fresh, made_again, served

import bnfuse
from bnfuse import FileError
from bnfuse.serve.bundle import opening
from bnfuse.serve.bundle.opening import opened_bundle
from running import CLINICS


def story(server, path):
    """Three files with one name, rules, a note and a round: the bundle."""
    for i, file in enumerate(CLINICS[:3]):
        server.ask("PUT", f"{path}/files?name=model.bif", Path(file).read_bytes())
        names = [one["name"] for one in server.ask("GET", f"{path}/files")]
        assert names == ["model.bif", "model (2).bif", "model (3).bif"][: i + 1]
    inputs = server.ask("GET", path)["question"]["inputs"]
    server.answered(path)
    server.ask("POST", f"{path}/rounds", {"name": "one"}, 201)
    changes = [
        {"kind": "weight", "id": inputs[1]["id"], "weight": "2"},
        {"kind": "arc", "source": "Age", "target": "XRay", "say": "forbid"},
        {"kind": "set", "field": "max_clique", "value": 3},
        {"kind": "note", "arc": ["Age", "COPD"], "text": "agreed by phone"},
    ]
    server.ask("POST", f"{path}/changes", changes)
    server.answered(path)
    status, content, headers = server.request("GET", f"{path}/bundle")
    assert (status, headers["content-type"]) == (200, "application/zip")
    return content


@pytest.fixture(scope="module")
def bundle(server):
    path = server.workspace("bundled", [])
    return path, story(server, path)


def looked(server, path):
    found = server.answered(path)
    return {key: found[key] for key in ("revision", "question", "variables", "answer", "rounds")}


@pytest.mark.long
def test_a_bundle_opens_elsewhere_with_the_same_answer(server, bundle, tmp_path):
    path, content = bundle
    with served(tmp_path) as other:
        assert other.ask("PUT", "/api/bundles", content, 201) == {"name": "bundled"}
        assert other.ask("PUT", "/api/bundles", content, 201) == {"name": "bundled 2"}
        assert other.decided(path) == server.decided(path)
        assert looked(other, path) == looked(server, path)
        for part in ("history", "rounds", "rounds/1..now", "files", "disputes", "view"):
            assert other.ask("GET", f"{path}/{part}") == server.ask("GET", f"{path}/{part}")
        other.ask("POST", f"{path}/undo")
        assert (
            other.answered(path)["answer"]["distance"]
            == other.ask("GET", f"{path}/rounds/1..now")["before"]["distance"]
        )
        other.ask("POST", f"{path}/redo")
        # Found anew, and not only carried along:
        other.ask("POST", f"{path}/changes", {"kind": "set", "field": "metric", "value": "shd"})
        server.ask("POST", f"{path}/changes", {"kind": "set", "field": "metric", "value": "shd"})
        assert other.answered(path)["answer"]["distance"] == server.answered(path)["answer"]["distance"]
        server.ask("POST", f"{path}/undo")


@pytest.mark.long
@pytest.mark.parametrize("way", [("sh", "make-again.sh"), (sys.executable, "make-again.py")], ids=["sh", "py"])
def test_a_bundle_makes_its_result_again(bundle, tmp_path, way):
    """Also when three files were called model.bif."""
    with zipfile.ZipFile(io.BytesIO(bundle[1])) as file:
        file.extractall(tmp_path)
    made = made_again(tmp_path, way)
    assert made == bnfuse.Consensus.load(tmp_path / "result.json")
    assert len(made.problem.names) == 3
    assert "agreed by phone" in (tmp_path / "minutes.md").read_text("utf-8")


@pytest.mark.long
def test_a_bundle_on_the_command_line_is_opened(bundle, tmp_path, refused):
    (tmp_path / "some.bnfuse").write_bytes(bundle[1])
    with served(tmp_path / "w", str(tmp_path / "some.bnfuse")) as server:
        assert [one["name"] for one in server.ask("GET", "/api/workspaces")] == ["bundled"]
        assert server.answered("/api/workspaces/bundled")["question"]["max_clique"] == 3
    line = refused("serve", "--no-browser", "--folder", tmp_path / "v", tmp_path / "some.bnfuse", CLINICS[0])
    assert "is a workspace of its own" in line


def changed(content, change):
    """A bundle with another `bundle.json`."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for one in old.namelist():
            own = old.read(one)
            if one == "bundle.json":
                whole = json.loads(own)
                change(whole)
                own = json.dumps(whole).encode()
            new.writestr(one, own)
    return made.getvalue()


def table(whole, name):
    return whole["tables"][name]["rows"]


WRONG = {
    "another kind": lambda whole: whole.update(kind="x"),
    "another version": lambda whole: whole.update(version=2),
    "no name": lambda whole: whole.pop("name"),
    "no history": lambda whole: table(whole, "history").clear(),
    "no states": lambda whole: table(whole, "states").clear(),
    "no file": lambda whole: table(whole, "files").pop(),
    "no answers": lambda whole: table(whole, "answers").clear(),
    "another file": lambda whole: table(whole, "files")[0].__setitem__(1, "other.bif"),
    "a file that is not there": lambda whole: table(whole, "files")[0].__setitem__(3, {"file": "../../etc/passwd"}),
    "a list": lambda whole: whole.update(tables=[]),
    "a person twice": lambda whole: table(whole, "people").extend([[1, "Ana", "ana", None, "", 1]] * 2),
    "a person of another name": lambda whole: table(whole, "people").append([1, "Ana", "ben", None, "", 1]),
    "a judgement of nobody's": lambda whole: table(whole, "judgements").append([1, 1, "A", "B", "for", 80, "", ""]),
    "a private round in no state": lambda whole: table(whole, "panels").append([1, "x", "", "odd", 0, "[]"]),
    "a private round on no arcs": lambda whole: table(whole, "panels").append([1, "x", "", "open", 0, '[["A"]]']),
    "a number as a word": lambda whole: table(whole, "history")[0].__setitem__(0, "one"),
    "a short row": lambda whole: table(whole, "states")[0].pop(),
}


@pytest.mark.parametrize("kind", WRONG)
def test_a_bundle_that_was_changed_is_refused(server, bundle, kind):
    before = server.ask("GET", "/api/workspaces")
    status, found, _ = server.request("PUT", "/api/bundles", changed(bundle[1], WRONG[kind]))
    assert (status, list(found)) == (422, ["error"])
    assert found["error"].startswith(("the bundle: is ", "the bundle is damaged: "))
    assert [one["name"] for one in server.ask("GET", "/api/workspaces")] == [one["name"] for one in before]


def test_tables_and_stores_of_others_are_refused(server, bundle):
    for change, words in (
        (lambda whole: whole["tables"].update(other={"columns": ["a"], "rows": [[1]]}), "a table 'other'"),
        (lambda whole: whole.update(store=99), "is of version 99 of workspaces"),
        (lambda whole: whole.update(name="../x"), "the name of a workspace has"),
    ):
        status, found, _ = server.request("PUT", "/api/bundles", changed(bundle[1], change))
        assert status == 422
        assert words in found["error"]


def test_bombs_in_bundles_are_refused(bundle, monkeypatch):
    def grow(content, path, own):
        made = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
            for one in old.namelist():
                new.writestr(one, own if one.endswith(path) else old.read(one))
        return made.getvalue()

    monkeypatch.setattr(opening.limits, "MOST_UNPACKED", 4 << 20)
    with pytest.raises(FileError, match="an answer unpacks to too much"):
        opened_bundle(grow(bundle[1], ".view", zlib.compress(b'"' + bytes(8 << 20) + b'"')), "a")
    monkeypatch.setattr(opening.limits, "MOST_BYTES_KEPT", 1 << 20)
    with pytest.raises(FileError, match="unpacks to more than 1 MiB"):
        opened_bundle(grow(bundle[1], "README.txt", bytes(2 << 20)), "a")


@pytest.mark.long
def test_broken_bundles_are_refused_or_whole(bundle):
    rng = random.Random(0)
    for _ in range(150):
        content = bytearray(bundle[1])
        for _ in range(rng.randrange(1, 20)):
            content[rng.randrange(len(content))] = rng.randrange(256)
        with contextlib.suppress(FileError):  # and nothing else: some bytes do not matter
            opened_bundle(bytes(content[: rng.randrange(len(content)) if rng.random() < 0.3 else None]), "a")


# Deleted for good


def contents(folder):
    return b"".join(one.read_bytes() for one in folder.rglob("*") if one.is_file())


@pytest.mark.long
def test_a_file_is_deleted_with_all_that_was_made_of_it(tmp_path):
    text = Path(CLINICS[1]).read_text("utf-8").replace("Cough", "Secret_Cough")
    (tmp_path / "mine.bif").write_text(text, "utf-8")
    with served(tmp_path / "w") as server:
        path = server.workspace("a", [str(CLINICS[0])])
        first = server.answered(path)["answer"]
        server.ask("POST", f"{path}/changes", {"kind": "set", "field": "variables", "value": "union"})
        server.ask("PUT", f"{path}/files?name=mine.bif", text.encode())
        server.answered(path)
        server.ask("POST", f"{path}/rounds", {"name": "with it"}, 201)
        mine = server.ask("GET", path)["question"]["inputs"][1]
        assert b"Secret_Cough" in contents(tmp_path / "w")
        address = f"{path}/files/{mine['file']}"
        assert "is in use" in server.ask("DELETE", f"{address}?for=good", status=422)["error"]
        server.ask("POST", f"{path}/changes", {"kind": "remove-input", "id": mine["id"]})
        server.answered(path)
        assert [one["in_use"] for one in server.ask("GET", f"{path}/files")] == [True, False]
        assert "cannot be undone" in server.ask("DELETE", address, status=422)["error"]
        assert server.request("DELETE", f"{address}?for=good")[:2] == (204, b"")
        assert "there is no file" in server.ask("DELETE", f"{address}?for=good", status=404)["error"]
        assert server.ask("GET", f"{path}/rounds") == []
        server.ask("POST", f"{path}/undo")
        assert [one["name"] for one in server.ask("GET", path)["question"]["inputs"]] == ["eastgate"]
        assert server.answered(path)["answer"]["distance"] == first["distance"]
        assert b"Secret_Cough" not in contents(tmp_path / "w")


@pytest.mark.long
def test_a_workspace_is_deleted_while_it_is_searched(server, request):
    path = fresh(server, request)
    assert "cannot be undone" in server.ask("DELETE", path, status=422)["error"]
    assert server.request("DELETE", f"{path}?for=good")[:2] == (204, b"")
    assert "there is no workspace" in server.ask("GET", path, status=404)["error"]
    assert server.request("DELETE", f"{path}?for=good")[0] == 404
    again = fresh(server, request)
    assert again == path
    assert server.answered(path)["failed"] is None
