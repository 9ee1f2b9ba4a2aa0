"""Files and functions that fit a reader's head. Docstrings do not count: they are for people who call the code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import bnfuse

SOURCE = Path(bnfuse.__file__).parent
KINDS = {".py", ".hpp", ".cpp", ".js", ".css", ".html"}
FILES = sorted(path for path in SOURCE.rglob("*") if path.suffix in KINDS)
MOST_LINES_OF_A_FILE = 500
MOST_LINES_OF_A_FUNCTION = 60
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)

TESTS = sorted(Path(__file__).parent.rglob("*.py"))

LONGER: dict[str, str] = {}
"""Functions that may be longer, and why."""


def docstring_lines(node: ast.AST) -> int:
    """How many lines the docstring of a module, class or function has beyond its first."""
    if not isinstance(node, DOCUMENTED) or ast.get_docstring(node) is None:
        return 0
    first = node.body[0]
    assert first.end_lineno is not None
    return first.end_lineno - first.lineno


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """The functions and methods of a module, and how many lines each has, without its decorators and docstring."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            lines = node.end_lineno - node.lineno + 1 - docstring_lines(node)
            yield f"{path.relative_to(SOURCE).as_posix()}: {node.name}", lines


def lines_of(path: Path) -> int:
    text = path.read_text("utf-8")
    nodes = ast.walk(ast.parse(text)) if path.suffix == ".py" else ()
    return len(text.splitlines()) - sum(map(docstring_lines, nodes))


@cache  # not when the tests are collected, which every worker does
def lengths() -> list[tuple[str, int]]:
    return [found for path in FILES if path.suffix == ".py" for found in functions(path)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_no_file_is_too_long(path: Path) -> None:
    assert lines_of(path) <= MOST_LINES_OF_A_FILE


def test_no_function_is_too_long() -> None:
    assert [
        f"{name} ({lines})" for name, lines in lengths() if lines > MOST_LINES_OF_A_FUNCTION and name not in LONGER
    ] == []


def test_every_exception_is_needed() -> None:
    assert set(LONGER) <= {name for name, lines in lengths() if lines > MOST_LINES_OF_A_FUNCTION}


def test_no_test_file_is_imported() -> None:
    """What tests share is in files that hold no tests."""
    lines = ((path, line) for path in TESTS for line in path.read_text("utf-8").splitlines())
    assert [(path.name, line) for path, line in lines if re.match(r"\s*(from|import)\s+(\w+\.)*test_\w+", line)] == []
