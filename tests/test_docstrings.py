"""Docstrings of public names: they say what the code does, name by name, and their examples run."""

from __future__ import annotations

import ast
import doctest
import functools
import inspect
import re
import textwrap
import types
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

import bnfuse
from bnfuse import networks

SECTIONS = ("Parameters", "Attributes", "Returns", "Raises", "See Also", "Notes", "References", "Examples")

MADE_HERE = {
    "Bootstrap": "bnfuse.bootstrap makes it",
    "CliqueSize": "bnfuse.clique_size makes it",
    "Consensus": "bnfuse.consensus makes it",
    "Frontier": "bnfuse.frontier makes it",
}
"""Classes whose constructors nobody calls: they need no Parameters."""


def callables() -> Iterator[tuple[str, Any]]:
    """Public names that can be called: those of the packages, and the methods of public classes."""
    for module in (bnfuse, networks):
        for name in module.__all__:
            member = getattr(module, name)
            if not callable(member):
                continue
            called = f"{module.__name__}.{name}"
            yield called, member
            for own, method in methods(member) if isinstance(member, type) else ():
                yield f"{called}.{own}", method


def methods(kind: type) -> Iterator[tuple[str, Callable[..., Any]]]:
    for name, member in members(kind):
        method = member.__func__ if isinstance(member, classmethod | staticmethod) else member
        if inspect.isfunction(method):
            yield name, method


def members(kind: type) -> Iterator[tuple[str, Any]]:
    for base in (base for base in kind.__mro__ if base.__module__.startswith("bnfuse")):
        yield from ((name, member) for name, member in vars(base).items() if not name.startswith("_"))


CALLABLES = dict(callables())
CLASSES = {name: kind for name, kind in CALLABLES.items() if isinstance(kind, type)}
PROPERTIES = {
    f"{name}.{own}": member.func if isinstance(member, functools.cached_property) else member.fget
    for name, kind in CLASSES.items()
    for own, member in members(kind)
    if isinstance(member, functools.cached_property | property)
}
DOCUMENTED = CALLABLES | PROPERTIES


def own_doc(thing: Any) -> str:
    """The docstring of a name itself, and not the one that its class inherits."""
    return inspect.cleandoc(vars(thing).get("__doc__") or "" if isinstance(thing, type) else thing.__doc__ or "")


def sections(doc: str) -> dict[str, list[str]]:
    """The lines of each section; those before the first are in the one without a name."""
    found: dict[str, list[str]] = {"": []}
    lines, current = doc.splitlines(), ""
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if following and set(following) == {"-"}:
            assert line in SECTIONS, f"there is no section {line!r}"
            assert line not in found, f"{line} is there twice"
            assert len(line) == len(following), f"{line} is not underlined as it should be"
            current = line
            found[current] = []
        elif not (line and set(line) == {"-"}):
            found[current].append(line)
    return found


def listed(lines: list[str]) -> dict[str, str]:
    """The names of a section, and what is said of each."""
    found: dict[str, str] = {}
    names: list[str] = []
    for line in lines:
        if line and not line.startswith(" "):
            names = [name.strip() for name in line.partition(" : ")[0].split(",")]
            assert not found.keys() & set(names), f"{line} is there twice"
            found.update(dict.fromkeys(names, ""))
        else:
            found.update({name: found[name] + line for name in names})
    return found


def parameters(thing: Any) -> list[str]:
    """The names of the arguments, as a docstring writes them."""
    starred = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    function = thing.__init__ if isinstance(thing, type) else thing
    if hasattr(function, "__signature__"):  # which shows what **options stands for
        function = types.FunctionType(function.__code__, {})
    given = inspect.signature(function).parameters.values()
    return [f"{starred.get(one.kind, '')}{one.name}" for one in given if one.name not in ("self", "cls")]


def raised(thing: Any) -> set[str]:
    """The errors that the body of a function raises itself."""
    function = thing.__init__ if isinstance(thing, type) else thing
    if not inspect.isfunction(function) or function.__qualname__.startswith("__create_fn__"):
        return set()
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except OSError:  # what a dataclass made has no source
        return set()
    calls = (node.exc for node in ast.walk(tree) if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call))
    return {call.func.id for call in calls if isinstance(call.func, ast.Name)}


@pytest.mark.parametrize("name", DOCUMENTED)
def test_it_begins_with_one_sentence_and_its_sections_are_in_order(name: str) -> None:
    doc = own_doc(DOCUMENTED[name])
    assert doc, "it has no docstring"
    found = [section for section in sections(doc) if section]
    assert found == [section for section in SECTIONS if section in found]
    summary, *rest = doc.splitlines()
    assert summary.endswith(".")
    assert not rest or not rest[0], "an empty line comes after the summary"
    assert not re.search(r"^\s*:(param|return|raises)", doc, re.MULTILINE)


@pytest.mark.parametrize("name", CALLABLES)
def test_every_parameter_is_explained_and_no_other(name: str) -> None:
    thing = CALLABLES[name]
    found = sections(own_doc(thing))
    said = listed(found.get("Parameters", []))
    is_result = is_dataclass(thing) and "Attributes" in found
    is_exempt = isinstance(thing, type) and (thing.__name__ in MADE_HERE or is_result or not own_init(thing))
    assert sorted(said) == ([] if is_exempt else sorted(parameters(thing)))
    assert all(text.strip().endswith(".") for text in said.values())


def own_init(kind: type) -> bool:
    return "__init__" in vars(kind)


@pytest.mark.parametrize("name", [name for name, kind in CLASSES.items() if is_dataclass(kind)])
def test_every_field_of_a_result_is_explained(name: str) -> None:
    kind: Any = CLASSES[name]
    found = sections(own_doc(kind))
    said = listed([*found.get("Parameters", []), *found.get("Attributes", [])])
    assert {one.name for one in fields(kind)} <= said.keys()


@pytest.mark.parametrize("name", [name for name, thing in CALLABLES.items() if not isinstance(thing, type)])
def test_it_says_what_it_returns(name: str) -> None:
    thing = CALLABLES[name]
    returns = "Returns" in sections(own_doc(thing))
    assert returns == (inspect.signature(thing).return_annotation != "None")


@pytest.mark.parametrize("name", [name for name, thing in DOCUMENTED.items() if raised(thing)])
def test_it_says_what_it_raises(name: str) -> None:
    said = listed(sections(own_doc(DOCUMENTED[name])).get("Raises", []))
    assert raised(DOCUMENTED[name]) <= said.keys() | {"AttributeError"}


@pytest.mark.parametrize("name", CALLABLES)
def test_its_example_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On its own: an example that needs a name from elsewhere teaches nobody."""
    monkeypatch.chdir(tmp_path)
    lines = sections(own_doc(CALLABLES[name])).get("Examples", [])
    test = doctest.DocTestParser().get_doctest("\n".join(lines), {}, name, None, None)
    assert test.examples, "it has no example"
    assert test.examples[0].source.startswith(("import bnfuse", "from bnfuse"))
    report: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.append)
    assert not report, "".join(report)


SKIPPED = {
    "bnfuse.DAG.to_pgmpy": "pgmpy is not installed where most tests run",
    "bnfuse.Network.to_pgmpy": "the same",
    "bnfuse.GaussianNetwork.to_pgmpy": "the same",
    "bnfuse.PDAG.from_causallearn": "the same for causal-learn",
    "bnfuse.PDAG.from_pgmpy": "the same",
    "bnfuse.networks.fetch": "it may download the networks",
    "bnfuse.networks.load": "the same",
    "bnfuse.networks.source_text": "the same",
}


def test_few_examples_are_skipped() -> None:
    def all_skipped(name: str) -> bool:
        examples = doctest.DocTestParser().get_examples(own_doc(CALLABLES[name]))
        run = [one for one in examples if doctest.SKIP not in one.options]
        return len(run) < len(examples) and not any(one.want for one in run)

    assert {name for name in CALLABLES if all_skipped(name)} == SKIPPED.keys()


def test_the_list_of_methods_is_that_of_the_signature() -> None:
    """`help(bnfuse.consensus)` names every method, and every option of the methods by its owner."""
    doc = own_doc(bnfuse.consensus)
    assert [name for name in ("direct", "genetic", "greedy", "majority", "min-cut") if f'"{name}"' not in doc] == []
    first = list(takewhile(bool, doc.splitlines()))
    assert len(first) == 1
