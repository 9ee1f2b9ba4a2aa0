"""A few of the faults and attacks; `make attack` has many more of them."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing

import faults
import pytest
from attack import attack
from faults import NAME, PATH
from serving import ended, served, started

from bnfuse.serve.workspace.store import FILE, opened


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("workspaces")


@pytest.fixture(scope="module")
def server(folder):
    with served(folder) as running:
        yield running


@pytest.mark.long
def test_killed_servers_lose_nothing_that_they_acknowledged(tmp_path):
    assert faults.kill_servers(tmp_path, 2, random.Random(1)) > 0


@pytest.mark.long
def test_killed_workers_are_replaced_and_nothing_is_lost(server):
    assert faults.kill_workers(server, 4, random.Random(1)) > 0


@pytest.mark.long
def test_attacks_harm_nobody(server):
    seen = attack(server, 20, random.Random(2))
    assert sum(seen["uploads"].values()) == 20
    assert sum(seen["requests"].values()) == 20
    assert sum(seen["forged"].values()) == 20


def test_a_workspace_is_open_in_one_server_only(server, folder):
    if not (folder / NAME).exists():
        with opened(folder / NAME, is_to_create=True):
            pass
    server.ask("GET", PATH)
    other = started(folder)
    try:
        status, found, _ = other.request("GET", PATH)
        assert status == 503
        assert f"{NAME}/{FILE}: another bnfuse serve has it open; end that one, or choose another" in found["error"]
        assert other.request("POST", f"{PATH}/undo")[0] == 503
        assert server.request("GET", PATH)[0] == 200
    finally:
        ended(other)


def test_a_workspace_of_a_newer_version_is_left_as_it_is(server, folder):
    with opened(folder / "newer", is_to_create=True):
        pass
    file = folder / "newer" / FILE
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA user_version = 99")
    before = file.read_bytes()
    path = "/api/workspaces/newer"
    for method, address in (("GET", path), ("POST", f"{path}/undo")):
        status, found, _ = server.request(method, address)
        assert status == 503
        assert "is a store of version 99, and this bnfuse knows version" in found["error"]
    (listed,) = [one for one in server.ask("GET", "/api/workspaces") if one["name"] == "newer"]
    assert listed["problem"].startswith("is a store of version 99")
    assert file.read_bytes() == before
