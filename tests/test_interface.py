"""The public interface is `bnfuse` and nothing else."""

from __future__ import annotations

import ast
import copy
import pickle
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import bnfuse

NAMES = sorted(set(bnfuse.__all__) - {"networks"})


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_belongs_to_the_package(name: str) -> None:
    thing = getattr(bnfuse, name)
    assert not isinstance(thing, ModuleType)
    assert thing.__module__ == "bnfuse"
    assert pickle.loads(pickle.dumps(thing)) is copy.copy(thing) is thing


def test_errors_are_shown_by_their_public_names() -> None:
    with pytest.raises(bnfuse.GraphError) as refused:
        bnfuse.DAG(["A", "A"])
    assert f"{refused.type.__module__}.{refused.type.__qualname__}" == "bnfuse.GraphError"


def test_dir_shows_public_names_only() -> None:
    assert set(dir(bnfuse)) == {*bnfuse.__all__, "__version__"}


def test_no_module_hides_behind_a_function() -> None:
    """`import bnfuse.consensus` must not find a module where `bnfuse.consensus` is a function."""
    assert not {path.stem for path in Path(bnfuse.__file__).parent.iterdir()} & set(NAMES)


def test_what_signatures_name_is_exported() -> None:
    assert {"Data", "InputOptions", "CycleError", "Constraints", "Progress"} <= set(bnfuse.__all__)


def test_every_public_name_is_found_where_type_checkers_find_it() -> None:
    """`bnfuse/__init__.py` names each place twice: for type checkers, and for the first use."""
    tree = ast.parse(Path(bnfuse.__file__).read_text("utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    typed = {
        alias.name: (node.module or "").removeprefix("bnfuse.")
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert typed == bnfuse._MODULE_OF | {"networks": "bnfuse"}
    errors = {name for name in bnfuse.__all__ if getattr(bnfuse.errors, name, None) is not None}
    assert typed.keys() | errors == set(bnfuse.__all__)


def test_the_package_loads_only_what_is_used() -> None:
    code = "import sys, bnfuse; bnfuse.OptionError; print(*sys.modules); bnfuse.DAG; print(*sys.modules)"
    first, second = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert not {"numpy", "bnfuse.graphs.dag", "bnfuse.answer.consensus"} & set(first.split())
    assert "bnfuse.graphs.dag" in second.split()
    assert "bnfuse.answer.consensus" not in second.split()
