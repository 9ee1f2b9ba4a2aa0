"""What is said in several files about the package is the same everywhere."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

import bnfuse

HERE = Path(__file__).parent.parent
PROJECT: dict[str, Any] = tomllib.loads((HERE / "pyproject.toml").read_text("utf-8"))


def text(name: str) -> str:
    if not (HERE / name).exists():
        pytest.skip(f"{name} is not in the source archive")
    return (HERE / name).read_text("utf-8")


def test_the_version_is_written_once_and_repeated_where_it_must_be() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", bnfuse.__version__)
    assert re.findall(r"^version: (.*)$", text("CITATION.cff"), re.MULTILINE) == [bnfuse.__version__]
    newest = re.search(r"^## (\S+) \((unreleased|\d{4}-\d\d-\d\d)\)$", text("CHANGELOG.md"), re.MULTILINE)
    assert newest is not None
    assert newest[1] == bnfuse.__version__


def test_a_release_has_its_date_in_the_citation_too() -> None:
    newest = re.search(r"^## \S+ \((\S+)\)$", text("CHANGELOG.md"), re.MULTILINE)
    assert newest is not None
    released = re.findall(r"^date-released: (.*)$", text("CITATION.cff"), re.MULTILINE)
    assert released == [] if newest[1] == "unreleased" else [newest[1]]


def test_every_python_that_is_promised_is_tested_and_gets_a_wheel() -> None:
    promised = re.findall(r"Python :: (3\.\d+)'", str(PROJECT["project"]["classifiers"]))
    assert PROJECT["project"]["requires-python"] == f">={promised[0]}"
    matrix = re.search(r"python: \[(.*)\]", text(".github/workflows/checks.yml"))
    assert matrix is not None
    assert re.findall(r"\"(.*?)\"", matrix[1]) == promised
    api = PROJECT["tool"]["scikit-build"]["wheel"]["py-api"]
    before = [f"cp{python.replace('.', '')}" for python in promised]
    assert PROJECT["tool"]["cibuildwheel"]["build"] == [f"{one}-*" for one in before[: before.index(api) + 1]]
    later = re.findall(r"python: \[(.*)\]", text(".github/workflows/wheels.yml"))
    assert re.findall(r"\"(.*?)\"", later[0]) == promised[before.index(api) + 1 :]


def test_hooks_use_the_linters_of_the_project() -> None:
    hooks = re.findall(r"\"((?:ruff|clang-format)[^\"]*)\"", text(".pre-commit-config.yaml"))
    assert set(hooks) <= set(PROJECT["dependency-groups"]["lint"])


def test_the_lowest_versions_that_are_tried_are_those_that_are_asked_for() -> None:
    line = re.search(r"pip install \. (.*)$", text(".github/workflows/checks.yml"), re.MULTILINE)
    assert line is not None
    tried = dict(one.split("==") for one in line[1].split())
    asked = dict(one.split(">=") for one in PROJECT["project"]["dependencies"])
    assert {name: (version + ".0.0")[: len(tried[name])] for name, version in asked.items()} == tried


@pytest.fixture
def merge_check() -> str:
    """The command of `make lint` that finds what a merge left behind."""
    command = re.search(r"^\t(! git grep .*)$", text("Makefile"), re.MULTILINE)
    assert command is not None
    if shutil.which("git") is None:
        pytest.skip("needs git")
    return command[1].replace("$$", "$")


def exit_code(command: str, folder: Path) -> int:
    return subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, check=False).returncode


def test_no_file_has_merge_markers(merge_check: str) -> None:
    if not (HERE / ".git").exists():
        pytest.skip("is not a clone")
    assert exit_code(merge_check, HERE) == 0


@pytest.mark.parametrize("marker", ["<" * 7 + " HEAD", ">" * 7 + " other", "|" * 7 + " base", "<" * 7])
def test_lint_finds_merge_markers_in_any_tracked_text_file(merge_check: str, tmp_path: Path, marker: str) -> None:
    assert exit_code("git init -q && git config core.autocrlf false", tmp_path) == 0
    (tmp_path / "page.md").write_text("Title\n=======\n\n| a |\n>>> 1 + 1\n", "utf-8")
    (tmp_path / "Makefile").write_text(text("Makefile"), "utf-8")
    (tmp_path / "picture.png").write_bytes(b"\0\n" + marker.encode() + b"\n")
    (tmp_path / "notes.txt").write_text(f"one\n{marker}\ntwo\n", "utf-8")
    assert exit_code("git add page.md Makefile picture.png", tmp_path) == 0
    assert exit_code(merge_check, tmp_path) == 0, "a title, a doctest, the check itself and binary files are none"
    assert exit_code("git add notes.txt", tmp_path) == 0
    assert exit_code(merge_check, tmp_path) == 1


def test_a_package_index_shows_the_readme_without_what_it_cannot_show() -> None:
    path = HERE / "src" / "packaging" / "long_description.py"
    spec = importlib.util.spec_from_file_location("long_description", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    shown = module.dynamic_metadata("readme", {})["text"]
    assert "![" not in shown
    assert "<!--" not in shown
    assert not re.search(r"\]\((?!https?:)", shown)
    assert shown.startswith("# bnfuse\n")
    assert importlib.metadata.metadata("bnfuse")["Description-Content-Type"] == "text/markdown"


def test_who_installs_bnfuse_gets_no_tools_of_those_who_work_on_it() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    assert {"test", "lint", "docs", "dev"} <= PROJECT["dependency-groups"].keys()
    assert not PROJECT["dependency-groups"].keys() & extras.keys()
    assert not re.search("pytest|ruff|mypy|sphinx", str(extras))


def test_the_kernel_has_its_types() -> None:
    assert (Path(bnfuse.__file__).parent / "_kernel.pyi").is_file()
    assert (Path(bnfuse.__file__).parent / "py.typed").is_file()
