"""Files and functions that fit a reader's head."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import bnfuse

SOURCE = Path(bnfuse.__file__).parent
KINDS = {".py", ".hpp", ".cpp", ".js", ".css", ".html"}
FILES = sorted(path for path in SOURCE.rglob("*") if path.suffix in KINDS)
MOST_LINES_OF_A_FILE = 500
MOST_LINES_OF_A_FUNCTION = 60

LONGER = {
    "bootstrap.py: bootstrap": "its docstring explains every option; the rest is under 35 lines",
    "consensus.py: consensus": "its docstring explains every option; the rest is under 30 lines",
}


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """The functions and methods of a module, and how many lines each has, without its decorators."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            yield f"{path.relative_to(SOURCE).as_posix()}: {node.name}", node.end_lineno - node.lineno + 1


LENGTHS = [found for path in FILES if path.suffix == ".py" for found in functions(path)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_no_file_is_too_long(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= MOST_LINES_OF_A_FILE


def test_no_function_is_too_long() -> None:
    assert [
        f"{name} ({lines})" for name, lines in LENGTHS if lines > MOST_LINES_OF_A_FUNCTION and name not in LONGER
    ] == []


def test_every_exception_is_needed() -> None:
    assert set(LONGER) <= {name for name, lines in LENGTHS if lines > MOST_LINES_OF_A_FUNCTION}
