"""The programs of bench/ are run by hand, so names that they import could vanish without anybody noticing."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

PROGRAMS = sorted((Path(__file__).parent.parent / "bench").glob("*.py"))
OWN = {path.stem: path for path in PROGRAMS}


def imported(path: Path) -> Iterator[tuple[str, str]]:
    """Modules of bench and of bnfuse, and a name that is imported from each."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and (node.module in OWN or node.module[:6] == "bnfuse"):
            for one in node.names:
                yield node.module, one.name


def defined(path: Path) -> set[str]:
    """The names that a program has at its top."""
    found: set[str] = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= {one.asname or one.name for one in node.names}
        else:
            found |= {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    return found


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_every_name_that_a_benchmark_imports_is_there(path: Path) -> None:
    for module, name in imported(path):
        if module in OWN:
            assert name in defined(OWN[module]), f"{path.name}: {module} has no {name}"
        elif not hasattr(importlib.import_module(module), name):
            importlib.import_module(f"{module}.{name}")
