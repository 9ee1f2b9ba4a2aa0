"""The public interface is `bnfuse` and nothing else."""

from __future__ import annotations

import copy
import pickle
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
