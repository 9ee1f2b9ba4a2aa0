"""Data flows one way: a module imports only from its own package and from those before it, inside functions too."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import bnfuse

SOURCE = Path(bnfuse.__file__).parent

# From the first room to the last: packages, and the few modules beside them.
ROOMS = [
    *("_kernel", "errors", "_base", "graphs", "files", "networks", "fusion", "data", "inference", "problem", "search"),
    *("learning", "alignment", "answer", "report", "study", "serve", "federated", "commands", "__main__"),
]
MODULES_AT_THE_ROOT = {"__init__", "__main__", "errors", "networks"}

MOST_MODULES = 9
"""that a reader finds in one folder, packages in it not counted"""
LARGER = {
    "_base": "small parts that every package needs",
    "data": "tables of states and of numbers, from the same readers",
    "files": "one module for each format",
    "commands": "one module for each command",
    "study": "one module for each step of the experiments",
}

ALLOWED = {
    ("graphs.network", "graphs.gaussian_network"): "as_network(model) may find a Gaussian network, which is a Network",
    ("graphs.gaussian_network", "inference.gaussian.joint"): "network.mean() and network.covariance()",
    ("graphs.gaussian_network", "inference.gaussian.asking"): "network.query(...), do(...) and total_effect(...)",
    ("graphs.gaussian_network", "inference.gaussian.rows"): "network.sample(...) and network.log_likelihood(...)",
    ("graphs.gaussian_network", "inference.gaussian.fitting"): "network.fit(...)",
    ("graphs.gaussian_network", "data.numeric"): "the types of what these take and give",
    ("graphs.network", "inference.queries"): "network.query(...) reads better than query(network, ...)",
    ("graphs.network", "inference.sampling"): "the same for network.sample(...)",
    ("graphs.network", "inference.evidence"): "the types of what network.query(...) is given",
    ("graphs.network", "inference.asking.interventions"): "network.do(...)",
    ("graphs.network", "inference.asking.explanations"): "network.most_probable(...)",
    ("graphs.network", "inference.asking.information"): "network.informative(...)",
    ("graphs.network", "inference.asking.sensitivity"): "network.sensitivity(...)",
    ("inference.asking.sensitivity", "report.tornado"): "sensitivity.draw(...)",
    ("graphs.network", "inference.parameters"): "network.fit(...)",
    ("graphs.network", "data.data"): "the types of what network.sample(...) gives and network.fit(...) takes",
    ("graphs.network", "files"): "network.write(...)",
    ("graphs.network", "report.drawing.picture"): "network.draw(...)",
    ("graphs.network", "report.drawing.plots"): "the same",
    ("answer.result", "answer.persistence"): "result.save(...) reads better than save(result, ...)",
    ("answer.result", "report.page.page"): "the same for result.report(...)",
    ("answer.result", "report.summary"): "print(result)",
    ("answer.schools.result", "answer.schools.saving"): "schools.save(...) and schools.write(...)",
    ("answer.schools.result", "report.schools_page"): "schools.report(...)",
    ("answer.asked", "report.drawing.picture"): "result.draw(...)",
    ("answer.asked", "report.drawing.plots"): "the same",
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


@cache  # not when the tests are collected, which every worker does
def graph() -> dict[str, set[str]]:
    return {
        module: {name.removeprefix("bnfuse").lstrip(".") for name in imports(path)} for module, path in MODULES.items()
    }


def test_every_module_has_its_room() -> None:
    assert {room_of(module) for module in MODULES} - {""} == set(ROOMS) - {"_kernel"}
    assert {path.stem for path in SOURCE.glob("*.py")} == MODULES_AT_THE_ROOT


def test_a_package_fits_a_reader() -> None:
    packages = {path.parent for path in SOURCE.rglob("__init__.py")} - {SOURCE}
    sizes = {path.relative_to(SOURCE).as_posix(): len(list(path.glob("*.py"))) - 1 for path in packages}
    assert {name for name, size in sizes.items() if size > MOST_MODULES} == set(LARGER)


@pytest.mark.parametrize("module", sorted(MODULES.keys() - {""}))
def test_a_module_imports_only_from_its_own_package_and_those_before(module: str) -> None:
    own = ROOMS.index(room_of(module))
    later = {
        name for name in graph()[module] if name and ROOMS.index(room_of(name)) > own and (module, name) not in ALLOWED
    }
    assert not later


def test_no_module_imports_itself_by_way_of_others() -> None:
    """Within a package too."""
    state: dict[str, str] = {}

    def visit(module: str, path: tuple[str, ...]) -> None:
        assert state.get(module) != "open", " -> ".join((*path[path.index(module) :], module))
        if module in state or module not in graph():
            return
        state[module] = "open"
        for name in sorted(graph()[module]):
            if name and (module, name) not in ALLOWED:
                visit(name, (*path, module))
        state[module] = "done"

    for module in sorted(graph().keys() - {""}):
        visit(module, ())


def test_every_exception_is_needed() -> None:
    assert all(name in graph()[module] for module, name in ALLOWED)
