"""`bnfuse serve` as a command: what it refuses before it serves, and where workspaces are kept by default."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import pytest

from bnfuse.serve.workspace.folder import default_folder
from running import CLINICS


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--port", "70000"], "--port must be from 0 to 65535; got 70000"),
        (["--workers", "0"], "--workers must be a whole number of at least 1; got 0"),
        (["nowhere.bif"], "nowhere.bif: no such file or folder"),
        (["--host", "256.0.0.1"], "cannot serve at 256.0.0.1:0: "),
    ],
)
def test_what_cannot_be_served_is_said_in_one_line(refused, tmp_path, arguments, problem):
    assert problem in refused("serve", "--no-browser", "--folder", tmp_path, *arguments)
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_no_network_ends_the_server(refused, tmp_path):
    file = tmp_path / "odd.bif"
    file.write_text("variable {")
    line = refused("serve", "--no-browser", "--folder", tmp_path / "workspaces", CLINICS[0], file)
    assert "odd.bif:1:10: expected the name of a variable, got '{'" in line
    assert not list((tmp_path / "workspaces").iterdir()), "nothing is left half done"


def test_a_port_that_somebody_has_is_refused(refused, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        line = refused("serve", "--no-browser", "--folder", tmp_path, "--port", port)
    assert f"cannot serve at 127.0.0.1:{port}: address already in use" in line


def test_without_its_packages_it_says_what_to_install(refused, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    line = refused("serve", "--no-browser", "--folder", tmp_path)
    assert "bnfuse serve needs the package uvicorn: pip install 'bnfuse[serve]'" in line


@pytest.mark.parametrize(
    ("platform", "given", "expected"),
    [
        ("linux", {"XDG_DATA_HOME": "/data"}, "/data/bnfuse/workspaces"),
        ("linux", {"XDG_DATA_HOME": "not/absolute"}, "~/.local/share/bnfuse/workspaces"),
        ("darwin", {}, "~/Library/Application Support/bnfuse/workspaces"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/bnfuse/workspaces"),
    ],
)
def test_workspaces_are_kept_among_the_users_data(monkeypatch, platform, given, expected):
    monkeypatch.setattr(sys, "platform", platform)
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    assert default_folder() == Path(expected).expanduser()
