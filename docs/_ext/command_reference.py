"""The command reference: a section per command, its options as lists, from the declarations behind `--help`.

Each command writes its help to a formatter of click. Here the formatter builds nodes instead of lines, so the page has
the groups, names and texts of the help and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import typer
from docutils import nodes
from sphinx import addnodes
from sphinx.util.docutils import SphinxDirective

from bnfuse.commands import app as command_line


class Pages:
    """A formatter of click that keeps what it is given."""

    width = 10_000  # lines are not broken
    current_indent = 0

    def __init__(self) -> None:
        self.usage = ""
        self.paragraphs: list[str] = []
        self.sections: list[tuple[str, list[tuple[str, str]]]] = []

    def write_usage(self, program: str, arguments: str = "", prefix: str | None = None) -> None:
        """The line on how to call the command."""
        self.usage = f"{program} {arguments}".strip()

    def write_text(self, text: str) -> None:
        """Paragraphs; one that starts with a backspace keeps its lines."""
        self.paragraphs += [part for part in re.split(r"\n\s*\n", text.strip("\n")) if part.strip()]

    def write_dl(self, rows: Sequence[tuple[str, str]], *_: Any, **__: Any) -> None:
        """The rows of the section."""
        self.sections[-1][1].extend((name.strip(), text) for name, text in rows)

    @contextmanager
    def section(self, name: str) -> Iterator[None]:
        """A group of options."""
        self.sections.append((name, []))
        yield

    @contextmanager
    def indentation(self) -> Iterator[None]:
        """Not needed: nodes are nested."""
        yield

    def write(self, text: str) -> None:
        """What click writes itself is empty."""

    write_heading = write
    write_paragraph = indent = dedent = lambda self: None


class Commands(SphinxDirective):
    """A section for each command, in the order of `bnfuse --help`."""

    def run(self) -> list[nodes.Node]:
        """The sections, whose names are those of the commands: `bnfuse consensus` is #bnfuse-consensus."""
        root = typer.main.get_command(command_line)
        return [self._section(path, pages) for path, pages in _all(root, ("bnfuse",))]

    def _section(self, path: Sequence[str], pages: Pages) -> nodes.section:
        name = " ".join(path)
        section = nodes.section("", nodes.title("", name), ids=["-".join(path)], names=[name])
        self.state.document.note_explicit_target(section)
        summary, *texts = pages.paragraphs
        section += nodes.paragraph("", "", *_words(summary))
        section += nodes.literal_block(pages.usage, pages.usage, language="none", classes=["usage"])
        section += [nodes.paragraph("", "", *_words(text)) for text in texts if not text.startswith("\b")]
        for title, rows in pages.sections:
            section += nodes.rubric("", title)
            section += _definitions(rows, "-".join(path))
        for text in texts:
            if text.startswith("\b"):
                section += _examples(text)
        return section


def _all(command: Any, path: Sequence[str], above: Any = None) -> Iterator[tuple[Sequence[str], Pages]]:
    """The help of a command and of all below it, by what one types."""
    context = command.context_class(command, info_name=path[-1], parent=above, **command.context_settings)
    pages = Pages()
    command.format_help(context, pages)
    yield path, pages
    for name, part in getattr(command, "commands", {}).items():
        yield from _all(part, (*path, name), context)


def _definitions(rows: Sequence[tuple[str, str]], command: str) -> nodes.definition_list:
    items = nodes.definition_list(classes=["options"])
    for name, described in rows:
        text, default = _split(described)
        term = nodes.term("", "", nodes.literal("", name))
        if found := re.search(r"--[a-z][\w-]*", name):  # the search finds it, and others can link to it
            term["ids"] = [target := command + found[0]]
            term.insert(0, addnodes.index(entries=[("single", found[0], target, "main", None)]))
        if default:
            term += [nodes.Text(" "), nodes.inline("", default, classes=["default"])]
        items += nodes.definition_list_item("", term, nodes.definition("", nodes.paragraph("", "", *_words(text))))
    return items


def _split(text: str) -> tuple[str, str]:
    """A text and what click puts in brackets behind it."""
    found = re.fullmatch(r"(.*?)\s*\[((?:default|required)[^]]*|[^]]*(?:required|default: )[^]]*)\]", text, re.S)
    return (found[1], found[2]) if found else (text, "")


def _words(text: str) -> list[nodes.Node]:
    """Running text, with options and what is in backquotes as code."""
    parts = re.split(r"(?<![\w`-])(--[a-z][\w-]*|`[^`]+`)", " ".join(text.split()))
    parts = [part.strip("`") if number % 2 else part for number, part in enumerate(parts)]
    return [nodes.literal("", one) if number % 2 else nodes.Text(one) for number, one in enumerate(parts) if one]


def _examples(text: str) -> list[nodes.Node]:
    """The commands that a shell runs, ready to copy."""
    title, *lines = text.lstrip("\b\n").split("\n")
    code = "\n".join(line[2:] if line.startswith("    ") else f"$ {line[2:]}" for line in lines)
    return [nodes.rubric("", title.rstrip(":")), nodes.literal_block(code, code, language="console")]
