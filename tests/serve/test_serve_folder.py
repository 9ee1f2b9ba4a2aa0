"""The folder of workspaces: their names, how many are open, and a disk that is full."""

from __future__ import annotations

import asyncio
import unicodedata
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bnfuse import BnfuseError, FileError
from bnfuse.serve import limits
from bnfuse.serve.workspace.folder import Folder, UnknownError, checked_name
from bnfuse.serve.workspace.state import State
from bnfuse.serve.workspace.store import WorkspaceStore


def played(path, story):
    async def play():
        folder = Folder(path)
        try:
            return await story(folder)
        finally:
            await folder.close()

    return asyncio.run(play())


def change(value):
    return lambda store: store.change(replace(State(), max_clique=value), "set", str(value))


def test_workspaces_are_named_once_whatever_the_case(tmp_path):
    async def story(folder):
        assert await folder.create("Clinics") == "Clinics"
        with pytest.raises(BnfuseError, match="there is a workspace 'clinics' already"):
            await folder.create("clinics")
        first, second = await folder.create(), await folder.create()
        assert second == f"{first} 2"
        with pytest.raises(UnknownError, match="there is no workspace 'other'"):
            await folder.use("other", WorkspaceStore.now)
        return await folder.names()

    assert set(played(tmp_path, story)) >= {"Clinics"}
    assert not (tmp_path / "other").exists()


@given(st.text(max_size=70))
def test_a_name_stays_in_its_folder(tmp_path_factory, name):
    try:
        checked_name(name)
    except BnfuseError:
        return
    root = tmp_path_factory.getbasetemp()
    own = checked_name(name)
    assert (root / own).resolve().parent == root.resolve()
    assert checked_name(checked_name(name)) == checked_name(name)


@pytest.mark.parametrize("name", ["Klinik München", "Κλινικές", "诊所 2", "क्लिनिक", "عيادات ١٢", "می‌خواهم", "a.b-c_d"])
def test_names_are_of_any_script(tmp_path, name):
    async def story(folder):
        called = await folder.create(unicodedata.normalize("NFD", name))
        assert called == unicodedata.normalize("NFC", name)
        await folder.use(unicodedata.normalize("NFD", name), change(3))
        with pytest.raises(BnfuseError, match="already"):
            await folder.create(name.upper() if name.upper().lower() == name.lower() else name)
        return await folder.names()

    assert played(tmp_path, story) == [unicodedata.normalize("NFC", name)]


@pytest.mark.parametrize(
    "name", ["CON", "nul", "com1.x", "a\u202eb", "\u0301a", "a/b", "a\u2044\u0000", "字" * 67, "\ud800", "🙂"]
)
def test_names_that_some_system_or_reader_would_take_for_another_are_refused(name):
    with pytest.raises(BnfuseError, match="the name of a workspace has"):
        checked_name(name)


def test_only_so_many_are_open_and_all_can_be_used(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "MOST_OPEN", 2)

    async def story(folder):
        for name in "abcd":
            await folder.create(name)
        for i, name in enumerate("abcdabcd"):
            await folder.use(name, change(i + 2))
            assert len(folder._open) <= 2
        return [(await folder.use(name, WorkspaceStore.now)).question.max_clique for name in "abcd"]

    assert played(tmp_path, story) == [6, 7, 8, 9]


def test_a_folder_has_so_many_workspaces_and_no_more(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "MOST_WORKSPACES", 1)

    async def story(folder):
        await folder.create("a")
        with pytest.raises(BnfuseError, match="the folder has 1 workspaces already"):
            await folder.create("b")

    played(tmp_path, story)


def test_after_a_full_disk_it_says_so_and_goes_on(tmp_path):
    def fill(store):
        store._connection.execute("PRAGMA max_page_count = 1")
        for i in range(2, 1_000):
            change(i)(store)

    async def story(folder):
        await folder.create("a")
        await folder.use("a", change(7))
        with pytest.raises(FileError, match=r"a.workspace.sqlite: the disk is full; make room"):
            await folder.use("a", fill)
        kept = (await folder.use("a", WorkspaceStore.now)).revision
        assert kept >= 2
        await folder.use("a", change(9))
        assert (await folder.use("a", WorkspaceStore.now)).revision == kept + 1

    played(tmp_path, story)
