"""What the pages of the docs take from bnfuse itself when they are built: its commands, its formats, its names.

Directives, in MyST:

    ```{bnfuse-commands}     a section for each command: see command_reference.py
    ```{bnfuse-json}         the keys of --json, from docs/reference/json-schema.json
    ```{bnfuse-formats}      a table of the formats that are read and written
    ```{bnfuse-try}          a link to the page of `bnfuse try`, which is written beside the others

Also here: what a docstring has in single backquotes is code, and a link if it is a public name; and the build warns of
a public name that no page of the reference describes. The built pages are mended where axe-core found fault with them.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from command_reference import Commands
from docutils import nodes
from notebooks import add_link, write_notebooks
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective, SphinxRole

import bnfuse
from bnfuse.files._registry import by_extension, extensions
from bnfuse.report.browser.browser_page import has_solver, write_page

TRY_PAGE = "bnfuse.html"
JSON_SCHEMA = "reference/json-schema.json"


class JsonKeys(SphinxDirective):
    """A table of keys for each command, then one for each object that they share, from the JSON schema."""

    def run(self) -> list[nodes.Node]:
        """The sections."""
        path = Path(self.env.srcdir) / JSON_SCHEMA
        self.env.note_dependency(str(path))
        objects = {
            name: one for name, one in json.loads(path.read_text("utf-8"))["$defs"].items() if "properties" in one
        }
        commands = [name for name in objects if name.startswith("bnfuse ")]
        shared = sorted(objects.keys() - set(commands))
        return [self._section(name, objects[name]) for name in (*commands, *shared)]

    def _section(self, name: str, one: dict[str, Any]) -> nodes.section:
        section = nodes.section(
            "", nodes.title("", name), ids=[f"json-{name.replace(' ', '-')}"], names=[f"json {name}"]
        )
        lines = ["| key | type | meaning |", "|---|---|---|"]
        for key, value in one["properties"].items():
            if "const" not in value:
                optional = "" if key in one["required"] else ", optional"
                lines.append(f"| `{key}` | {_kind(value)}{optional} | {value['description']} |")
        about = [] if name.startswith("bnfuse ") else [one["description"], ""]
        section += self.parse_text_to_nodes("\n".join([*about, *lines]))
        self.state.document.note_explicit_target(section)
        return section


def _kind(value: dict[str, Any]) -> str:
    """A type of the JSON schema in words."""
    if "anyOf" in value:
        return " or ".join(map(_kind, value["anyOf"]))
    if "$ref" in value:
        name = value["$ref"].rpartition("/")[2]
        return {"pair": "two names", "arcs": "arcs"}.get(name, f"[{name}](#json-{name})")
    kinds = value.get("type", "value")
    kind, null = (kinds[0], " or null") if isinstance(kinds, list) else (kinds, "")
    if kind == "array":
        return f"list of {_several(value['items'])}{null}"
    if kind == "object":
        return f"{_several(value['additionalProperties'])} by name{null}"
    return kind + null


def _several(value: dict[str, Any]) -> str:
    kind = _kind(value)
    return f"{kind}s" if kind in ("string", "integer", "number", "value") else kind.replace("list of", "lists of")


class Formats(SphinxDirective):
    """A table of the formats: endings, what they hold, and whether they are read and written."""

    def run(self) -> list[nodes.Node]:
        """The table, from the registry that reading and writing use."""
        heads = ["format", "files", "read", "written", "tables", "holds"]
        rows = [
            [
                one.label,
                ", ".join(one.extensions),
                "yes" if one.read or one.read_votes else "no",
                "yes" if one.write else "no",
                "yes" if one.has_tables else "no",
                ", ".join(kind.__name__ for kind in one.holds),
            ]
            for one in _formats()
        ]
        lines = [heads, ["---"] * len(heads), *rows]
        return self.parse_text_to_nodes("\n".join(f"| {' | '.join(line)} |" for line in lines))


def _formats() -> list[Any]:
    """Each format with an extension once, in the order in which they were registered."""
    endings = [*extensions(to_read=True), *extensions(to_read=False)]
    return list(dict.fromkeys(by_extension(ending) for ending in endings))


class TryIt(SphinxDirective):
    """A link to the page that finds a consensus in the browser; a remark where it was made without the search."""

    def run(self) -> list[nodes.Node]:
        """One paragraph."""
        up = "../" * self.env.docname.count("/")
        text = f'<p><a class="try-it" href="{up}{TRY_PAGE}"><strong>Open the page</strong></a></p>'
        if not has_solver():
            text = (
                "<p>This site was built without WebAssembly (<code>make wasm</code>), so the page here reads networks "
                f'but finds no consensus: <a class="try-it" href="{up}{TRY_PAGE}">open it anyway</a>.</p>'
            )
        return [nodes.raw("", text, format="html")]


def write_try_page(app: Sphinx, problem: Exception | None) -> None:
    """Put the page beside the others."""
    if problem is None and app.builder.format == "html":
        write_page(Path(app.outdir) / TRY_PAGE, overwrite=True)


class NameRole(SphinxRole):
    """Code, and where it is a public name of bnfuse a link to it."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """One node: the code, or a reference that is resolved later."""
        code = nodes.literal(self.rawtext, self.text, classes=["py"])
        name = self.text.removeprefix("bnfuse.").removesuffix("()")
        if name.partition(".")[0] not in bnfuse.__all__:
            return [code], []
        link = addnodes.pending_xref(
            "", code, refdomain="py", reftype="obj", reftarget=f"bnfuse.{name}", refexplicit=True, refwarn=False
        )
        link["refdoc"] = self.env.docname
        return [link], []


def check_names(_: Sphinx, env: BuildEnvironment) -> None:
    """Every name of `bnfuse.__all__` is described in the reference."""
    described = {name.partition(".")[2] for name in env.domains["py"].data["objects"]}
    described |= {name.partition(".")[2] for name in env.domains["py"].data["modules"]}
    for name in sorted(set(bnfuse.__all__) - described):
        logging.getLogger(__name__).warning("no page of docs/reference describes bnfuse.%s", name)


def source_of(_: Sphinx, module: str, name: str) -> str | None:
    """The module in which a public name is written: its `__module__` is bnfuse."""
    name = name.partition(".")[0]
    if module != "bnfuse" or not hasattr(bnfuse, name):
        return None
    written = re.compile(rf"^(?:class|def) {name}\b", re.M)
    holders = [
        one
        for one in [*sys.modules.values()]
        if one.__name__.startswith("bnfuse.") and vars(one).get(name) is getattr(bnfuse, name) and one.__file__
    ]
    return next((one.__name__ for one in holders if written.search(Path(one.__file__).read_text("utf-8"))), None)


def number_references(_: Sphinx, _what: str, _name: str, _of: Any, _options: Any, lines: list[str]) -> None:
    """Footnotes of docstrings become plain numbers and a list: a page has many docstrings, each with its own 1."""
    lines[:] = [re.sub(r"^\.\. (\[\d+\])", r"*  \1", re.sub(r"(\[\d+\])_", r"\1", line)) for line in lines]


_COLON = "\ue000"  # stands for a colon while napoleon works


def hide_colons(_: Sphinx, what: str, _name: str, _of: Any, _options: Any, lines: list[str]) -> None:
    """Napoleon would take what stands before a colon in the first line of a property for its type, and cut it off."""
    if what in ("attribute", "data", "property") and lines:
        lines[0] = lines[0].replace(":", _COLON)


def show_colons(_: Sphinx, _what: str, _name: str, _of: Any, _options: Any, lines: list[str]) -> None:
    """After napoleon, the first line is what it was."""
    lines[:] = [line.replace(_COLON, ":") for line in lines]


# What screen readers and keyboards need, and the writer and the theme leave out.
_MENDED = {
    "<pre>": '<pre tabindex="0">',  # one that is wider than its page scrolls by the arrow keys
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="Pages">',
    '<th class="head"><p></p></th>': "<td></td>",
    '<p class="caption" role="heading">': '<p class="caption" role="heading" aria-level="2">',
}
_PARAMETERS = re.compile(r"<dl>\s*((?:<dd>(?:(?!<dl>).)*?</dd>\s*)+)</dl>", re.S)  # a list of definitions without terms


# viewcode leads back to all parts of a module as if they were public, if the first one is
_SOURCE_BACK = re.compile(r"(api/(bnfuse(?:\.\w+)*)\.(\w+)\.html#)bnfuse\.\3(?=[\".])")


def mend_pages(app: Sphinx, problem: Exception | None) -> None:
    """Put right in the built pages what would stop a keyboard or a screen reader."""
    if problem is not None or app.builder.format != "html":
        return
    for path in Path(app.outdir).rglob("*.html"):
        page = path.read_text("utf-8")
        for was, becomes in _MENDED.items():
            page = page.replace(was, becomes)
        page = _SOURCE_BACK.sub(r"\1\2.\3", page)
        page = _PARAMETERS.sub(lambda found: _lines(found[1]), page)
        path.write_text(page, "utf-8")


def _lines(parameters: str) -> str:
    plain = parameters.replace("<dd>", "<span>").replace("</dd>", "</span>")
    return f'<span class="sig-lines">{plain}</span>'


def setup(app: Sphinx) -> dict[str, bool]:
    """What Sphinx calls."""
    app.add_directive("bnfuse-commands", Commands)
    app.add_directive("bnfuse-json", JsonKeys)
    app.add_directive("bnfuse-formats", Formats)
    app.add_role("name", NameRole())
    app.connect("env-check-consistency", check_names)
    app.connect("autodoc-process-docstring", hide_colons, priority=400)  # napoleon has 500
    app.connect("autodoc-process-docstring", number_references)
    app.connect("autodoc-process-docstring", show_colons, priority=600)
    app.add_directive("bnfuse-try", TryIt)
    app.connect("viewcode-follow-imported", source_of)
    app.connect("doctree-resolved", add_link)
    app.connect("build-finished", write_notebooks)
    app.connect("build-finished", mend_pages)
    app.connect("build-finished", write_try_page, priority=900)  # as it is: its policy has the hashes of its scripts
    return {"parallel_read_safe": True, "parallel_write_safe": True}
