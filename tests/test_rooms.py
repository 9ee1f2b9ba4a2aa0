"""Data flows one way: a module imports only from rooms above its own, inside functions too."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import bnfuse

SOURCE = Path(bnfuse.__file__).parent

# From the first room to the last. A name stands for a module or for a package with all that is in it.
ROOMS = [
    *("_start", "_errors", "_texts", "_spelling", "_display", "_options", "_fields", "_disk", "_optional"),
    *("_stores", "_workers", "_kernel"),
    *("dag", "equivalence", "pdag", "arc_votes", "_pgmpy", "_pyagrum", "distribution", "table_sizes"),
    *("network", "renaming", "files", "networks"),
    *("elimination", "cliques", "fusion", "distances", "ballots", "tally", "weights"),
    *("wide", "factors", "junction_tree", "incomplete", "inference", "row_sources", "data"),
    *("cutting", "raw_columns", "column_rules", "raw_data", "em", "sampling", "parameters"),
    *("constraints", "inputs", "strength", "problem", "run", "found", "search"),
    *("learning", "resampling", "resample_store", "resample_workers", "bootstrap"),
    *("state_matching", "name_matching", "alignment_table", "alignment"),
    *("moves", "why_in", "origin", "result", "saved", "report", "methods"),
    "consensus",
    *("study", "serve", "federated", "commands", "__main__"),
]

ALLOWED = {
    ("network", "inference"): "network.query(...) reads better than query(network, ...)",
    ("network", "sampling"): "the same for network.sample(...)",
    ("network", "data"): "the type of what network.sample(...) gives",
}


def module_of(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path): path for path in sorted(SOURCE.rglob("*.py"))}


def imports(path: Path) -> Iterator[str]:
    """The modules of the package that a module imports anywhere, those for type checkers too."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.partition(".")[0] == "bnfuse")
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "bnfuse":
            assert node.module is not None
            assert not node.level, f"{path}: a relative import"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                known = inner.removeprefix("bnfuse.") in MODULES or alias.name == "_kernel"
                yield inner if known else node.module


def room_of(module: str) -> str:
    return module.partition(".")[0]


GRAPH = {
    module: {name.removeprefix("bnfuse").lstrip(".") for name in imports(path)} for module, path in MODULES.items()
}


def test_every_module_has_its_room() -> None:
    assert {room_of(module) for module in MODULES} - {""} == set(ROOMS) - {"_kernel"}


@pytest.mark.parametrize("module", sorted(MODULES.keys() - {""}))
def test_a_module_imports_only_from_rooms_above_its_own(module: str) -> None:
    own = ROOMS.index(room_of(module))
    later = {
        name for name in GRAPH[module] if name and ROOMS.index(room_of(name)) > own and (module, name) not in ALLOWED
    }
    assert not later


def test_no_module_imports_itself_by_way_of_others() -> None:
    """Within a room too."""
    state: dict[str, str] = {}

    def visit(module: str, path: tuple[str, ...]) -> None:
        assert state.get(module) != "open", " -> ".join((*path[path.index(module) :], module))
        if module in state or module not in GRAPH:
            return
        state[module] = "open"
        for name in sorted(GRAPH[module]):
            if name and (module, name) not in ALLOWED:
                visit(name, (*path, module))
        state[module] = "done"

    for module in sorted(GRAPH.keys() - {""}):
        visit(module, ())


def test_every_exception_is_needed() -> None:
    assert all(name in GRAPH[module] for module, name in ALLOWED)
