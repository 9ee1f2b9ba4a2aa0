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

from bnfuse.serve.store import FILE


def test_killed_servers_lose_nothing_that_they_acknowledged(tmp_path):
    assert faults.kill_servers(tmp_path, 3, random.Random(1)) > 0


def test_killed_workers_are_replaced_and_nothing_is_lost(tmp_path):
    with served(tmp_path) as server:
        assert faults.kill_workers(server, 4, random.Random(1)) > 0


def test_attacks_harm_nobody(tmp_path):
    with served(tmp_path) as server:
        seen = attack(server, 30, random.Random(2))
    assert sum(seen["uploads"].values()) == 30
    assert sum(seen["requests"].values()) == 30


@pytest.fixture
def two(tmp_path):
    """Two servers on one folder."""
    first, second = started(tmp_path), started(tmp_path)
    yield first, second
    ended(first)
    ended(second)


def test_a_workspace_is_open_in_one_server_only(two):
    first, second = two
    first.workspace(NAME, [])
    status, found, _ = second.request("GET", PATH)
    assert status == 503
    assert "another run is adding to it; wait for it, or choose another workspace" in found["error"]
    assert first.request("GET", PATH)[0] == 200
    first.kill()
    assert second.request("GET", PATH)[0] == 200, "what a killed server had open is free"


def test_a_workspace_of_a_newer_version_is_left_as_it_is(tmp_path):
    with served(tmp_path) as server:
        server.workspace(NAME, [])
    with closing(sqlite3.connect(tmp_path / NAME / FILE)) as connection:
        connection.execute("PRAGMA user_version = 99")
    before = (tmp_path / NAME / FILE).read_bytes()
    with served(tmp_path) as server:
        for method, path in (("GET", PATH), ("POST", f"{PATH}/undo"), ("GET", f"/w/{NAME}/")):
            status, found, _ = server.request(method, path)
            assert status == 503
            assert "is a store of version 99, and this bnfuse knows version 1" in found["error"]
    assert (tmp_path / NAME / FILE).read_bytes() == before
