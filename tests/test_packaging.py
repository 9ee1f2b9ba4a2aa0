"""What is said in several files about the package is the same everywhere."""

from __future__ import annotations

import re
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
    assert set(hooks) <= set(PROJECT["project"]["optional-dependencies"]["lint"])


def test_the_lowest_versions_that_are_tried_are_those_that_are_asked_for() -> None:
    line = re.search(r"pip install \. (.*)$", text(".github/workflows/checks.yml"), re.MULTILINE)
    assert line is not None
    tried = dict(one.split("==") for one in line[1].split())
    asked = dict(one.split(">=") for one in PROJECT["project"]["dependencies"])
    assert {name: (version + ".0.0")[: len(tried[name])] for name, version in asked.items()} == tried
