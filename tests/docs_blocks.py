"""The code blocks of Markdown pages, and how tests run them.

A block says by its language what it is: `python` and code cells are run, page by page, in one namespace; `pycon` is a
doctest; `console` has commands after `$ ` and what they print, of which `...` leaves out any part; `text` is no code.
Anything else, and what cannot be run, has a comment right before it:

    <!-- not run: the reason -->          it is not run
    <!-- needs: pgmpy -->                 it is run where the package is installed
    <!-- benchmark: alarm -->             it is run where that benchmark network was downloaded
    <!-- file: mine.csv -->               it is a file, which is written before what follows
    <!-- prints -->                       it is what the Python block before it prints
    <!-- setup: Python code -->           needs no block: it is run before what follows

White space never counts in what is printed, nor do times such as `0.06 s`.
"""

import contextlib
import doctest
import glob
import io
import os
import re
import runpy
import shlex
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from markdown_it import MarkdownIt

from bnfuse import networks
from bnfuse.commands import run

ROOT = Path(__file__).parent.parent
PAGES = sorted(
    page.relative_to(ROOT).as_posix()
    for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md"))
    if page.name not in ("contributing.md", "changelog.md")  # which only include others
)
PROSE = ("text", "none")
_COMMENT = re.compile(r"<!--\s*(not run|needs|benchmark|file|prints|setup)(?::\s*(.*?))?\s*-->\s*", re.S)


@dataclass(frozen=True)
class Block:
    """A block of a page, or the Python code of a setup comment."""

    place: str
    language: str
    text: str
    mark: str = ""
    value: str = ""

    @property
    def is_code(self):
        return self.language not in PROSE or self.mark == "file"


def blocks_of(page):
    """The blocks of a page, directives of Sphinx left out."""
    text = (ROOT / page).read_text("utf-8")
    if text.startswith("---\n"):
        header, _, text = text[4:].partition("\n---\n")
        text = "\n" * (header.count("\n") + 3) + text
    mark = value = ""
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        place = f"{page}:{token.map[0] + 1}" if token.map else page
        if token.type == "html_block" and (said := _COMMENT.fullmatch(token.content)):
            mark, value = said[1], said[2] or ""
            if mark == "setup":
                yield Block(place, "python", value)
                mark = value = ""
            continue
        if token.type in ("fence", "code_block"):
            language = token.info.strip()
            content = token.content
            if language.startswith("{code-cell}"):
                language, content = "python", re.sub(r"\A(:[\w-]+:.*\n)+\n?", "", content)
            if not language.startswith("{"):
                yield Block(place, language, content, mark, value)
        mark = value = ""


@dataclass
class Reader:
    """Who follows a page block by block, in the folder it stands in."""

    names: dict = field(default_factory=lambda: {"__name__": "__docs__"})
    printed: str = ""

    def follow(self, block):
        """Do what a block says; an AssertionError names its place."""
        if block.mark == "not run" or (block.mark == "needs" and find_spec(block.value) is None):
            assert block.value, f"{block.place}: why is it not run?"
        elif block.mark == "benchmark" and not networks.available([block.value]):
            return
        elif block.mark == "file":
            Path(block.value).parent.mkdir(parents=True, exist_ok=True)
            Path(block.value).write_text(block.text, "utf-8")
        elif block.mark == "prints":
            assert_printed(block.text, self.printed, block.place)
        elif block.language == "python":
            with contextlib.redirect_stdout(io.StringIO()) as output:
                exec(compile(block.text, block.place, "exec"), self.names)
            self.printed = output.getvalue()
        elif block.language == "pycon":
            self._examples(block)
        elif block.language == "console":
            for command, expected in commands_of(block):
                self._command(command, expected, block.place)
        else:
            assert block.language in PROSE, f"{block.place}: say which language it is, or mark it: see docs_blocks.py"

    def _examples(self, block):
        test = doctest.DocTestParser().get_doctest(block.text, self.names, block.place, block.place, 0)
        said = io.StringIO()
        flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        result = doctest.DocTestRunner(optionflags=flags).run(test, out=said.write, clear_globs=False)
        self.names.update(test.globs)
        assert not result.failed, f"{block.place}:\n{said.getvalue()}"

    def _command(self, command, expected, place):
        name, *arguments = shlex.split(command)
        if name == "cat":
            (path,) = arguments
            if not Path(path).exists():
                Path(path).write_text(expected, "utf-8")
            assert_printed(expected, Path(path).read_text("utf-8"), place)
            return
        if name == "python":
            runpy.run_path(*arguments)
            return
        assert name == "bnfuse", f"{place}: the tests cannot run {name!r}: mark the block"
        with contextlib.redirect_stdout(io.StringIO()) as output, contextlib.redirect_stderr(output):
            code = run([found for one in arguments for found in expanded(one)])
        assert_printed(expected, output.getvalue(), f"{place}: {command}")
        assert code == (2 if expected.startswith("bnfuse: ") else 0), f"{place}: {command}: exit code {code}"


def expanded(argument):
    """What a shell makes of an argument: files, where it is a pattern of any."""
    return sorted(glob.glob(argument)) or [argument]


def commands_of(block):
    """The commands of a console block, each with what it is said to print; `\\` at the end of a line joins the next."""
    _, *parts = re.split(r"^\$ ", "\n" + block.text, flags=re.M)
    for part in parts:
        command, _, expected = part.replace("\\\n", " ").partition("\n")
        yield command.partition("  # ")[0], expected


def assert_printed(expected, printed, place):
    """What is shown is what is printed, but for white space, times and what `...` leaves out."""
    if not expected.strip():
        return
    parts = [re.escape(part) for part in " ".join(expected.split()).split("...")]
    pattern = r".*?".join(parts).replace(r"\ ", " ")
    pattern = re.sub(r"\d+\\\.\d+ s\b", r"\\d+\\.\\d+ s", pattern)
    assert re.fullmatch(pattern, " ".join(printed.split()), re.S), f"{place}\nshows:\n{expected}\nprints:\n{printed}"


@contextlib.contextmanager
def inside(folder):
    """As if one had gone to the folder; lines are as long as they are in the docs."""
    with contextlib.chdir(folder):
        before = os.environ.get("COLUMNS")
        os.environ["COLUMNS"] = "120"
        yield
        os.environ.pop("COLUMNS")
        if before is not None:
            os.environ["COLUMNS"] = before
