"""The page's scripts: ES modules in `template/`, joined into the one script of a page.

A page opened from a file cannot import anything, so each module becomes a function that returns its exports: scopes
stay separate, as in a browser that loads the modules one by one. The joiner refuses code that it does not understand,
so modules follow these rules: imports come first, one `import { name } from "./module.js";` per module; exports are
functions, classes or consts, on a line that starts with `export`; no two modules need each other.

All of them are in one function, so that they can run again: a module finds that function as `page$start`, and its
argument as `page$before`, which is empty the first time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

_NAME = r"[A-Za-z_$][\w$]*"
_IMPORT = re.compile(r'import \{([^{}]*)\} from "\./([\w-]+\.js)";\s*')
_EXPORT = re.compile(rf"^export (?=(?:async function|function|class|const) ({_NAME})(?![\w$]))", re.M)
_LEFT_OVER = re.compile(r"^\s*(?:import\b(?!\()|export\b).*", re.M)
_COMMENTS = re.compile(r"(?:\s*//[^\n]*\n|\s*/\*.*?\*/)*\s*", re.S)


@dataclass(frozen=True, slots=True)
class _Module:
    imports: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    """the other modules, and the names imported from each: there, and here"""
    exports: tuple[str, ...]
    body: str


def joined(entry: str, read: Callable[[str], str]) -> str:
    """One script that is equivalent to loading the module `entry` in a browser; `read` returns the text of a module."""
    modules: dict[str, _Module] = {}
    _collect(entry, read, (), modules)
    variables = {name: f"module${i}" for i, name in enumerate(modules)}  # nothing in a module is called so
    functions = [_function(name, module, variables) for name, module in modules.items()]
    return '(function page$start(page$before) {\n"use strict";\n' + "".join(functions) + "})();\n"


def _collect(name: str, read: Callable[[str], str], needed_by: tuple[str, ...], modules: dict[str, _Module]) -> None:
    """The module after all modules that it needs, each once: the order in which a browser runs them."""
    if name in needed_by:
        raise ValueError(f"{name}: needs itself, by way of {' and '.join(needed_by[needed_by.index(name) :])}")
    if name in modules:
        return
    module = _parsed(name, read(name))
    for other, names in module.imports:
        _collect(other, read, (*needed_by, name), modules)
        for there, _ in names:
            if there not in modules[other].exports:
                raise ValueError(f"{name}: {other} does not export {there}")
    modules[name] = module


def _parsed(name: str, text: str) -> _Module:
    imports = []
    place = _end_of_comments(text, 0)
    head = text[:place]
    while found := _IMPORT.match(text, place):
        imports.append((found[2], tuple(_imported(name, one) for one in found[1].split(",") if one.strip())))
        place = _end_of_comments(text, found.end())
        head += text[found.end() : place]
    body = text[place:]
    exports = tuple(_EXPORT.findall(body))
    body = head + _EXPORT.sub("", body)
    if left := _LEFT_OVER.search(body):
        raise ValueError(f"{name}: cannot be joined because of the line {left[0].strip()!r}")
    if repeated := [one for one in exports if exports.count(one) > 1]:
        raise ValueError(f"{name}: exports {repeated[0]} twice")
    return _Module(tuple(imports), exports, body)


def _end_of_comments(text: str, place: int) -> int:
    found = _COMMENTS.match(text, place)
    return place if found is None else found.end()


def _imported(name: str, text: str) -> tuple[str, str]:
    found = re.fullmatch(rf"\s*({_NAME})(?: as ({_NAME}))?\s*", text)
    if found is None:
        raise ValueError(f"{name}: cannot import {text.strip()!r}")
    return found[1], found[2] or found[1]


def _function(name: str, module: _Module, variables: Mapping[str, str]) -> str:
    lines = [f"// {name}", f"const {variables[name]} = (function () {{"]
    for other, names in module.imports:
        taken = ", ".join(there if there == here else f"{there}: {here}" for there, here in names)
        lines.append(f"const {{ {taken} }} = {variables[other]};")
    lines += [module.body.strip("\n"), f"return {{ {', '.join(module.exports)} }};", "})();", ""]
    return "\n".join(lines)
