"""Every example of a help text runs as it stands, in the root of a fresh clone."""

import contextlib
import glob
import io
import shlex
import shutil
import sys
from importlib.util import find_spec

import pytest
import typer

from bnfuse.commands import app, run
from docs_blocks import ROOT

NOT_RUN = {
    "federated serve": "a site runs until it is stopped",
    "federated run": "needs a SuperLink",
    "serve": "a server runs until it is stopped",
    "networks": "the benchmark networks come from the internet",
    "networks show": "the benchmark networks come from the internet",
    "networks export": "the benchmark networks come from the internet",
    "study": "studies take minutes to hours",
    "study run": "studies take minutes to hours, one needs a cluster",
    "study status": "needs a study",
    "study tables": "needs a study",
    "study figures": "needs a study",
}
NEEDS = dict.fromkeys(
    ("federated", *(f"federated {name}" for name in ("rehearse", "identity", "init", "site", "allow", "status"))),
    "flwr",
)


def helped(command, path=()):
    """All commands by what one types after bnfuse, with the end of their help."""
    yield " ".join(path), command.epilog
    for name, part in getattr(command, "commands", {}).items():
        yield from helped(part, (*path, name))


EXAMPLES = {
    name: [shlex.split(line, comments=True) for line in epilog.replace("\\\n", " ").splitlines()[2:]]
    for name, epilog in helped(typer.main.get_command(app))
}


def follow(words):
    """What a shell does with a command: patterns, and standard streams that are files."""
    program, *words = words
    assert program == "bnfuse"
    source, target = io.TextIOWrapper(io.BytesIO()), io.StringIO()
    arguments = []
    while words:
        word = words.pop(0)
        if word == "<":
            source = open(words.pop(0), encoding="utf-8")  # noqa: SIM115 - closed below
        elif word == ">":
            target = open(words.pop(0), "w", encoding="utf-8")  # noqa: SIM115
        else:
            arguments += sorted(glob.glob(word)) or [word]
    before, sys.stdin = sys.stdin, source
    with source, target, contextlib.redirect_stdout(target), contextlib.redirect_stderr(io.StringIO()) as problems:
        code = run(arguments)
    sys.stdin = before
    assert code == 0, f"{shlex.join(arguments)}: {problems.getvalue()}"


@pytest.mark.parametrize("command", [name for name in EXAMPLES if name not in NOT_RUN])
def test_every_example_of_the_help_runs_in_a_fresh_clone(command, tmp_path, monkeypatch):
    if command in NEEDS and find_spec(NEEDS[command]) is None:
        pytest.skip(f"needs {NEEDS[command]}")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    for words in EXAMPLES[command]:
        follow(words)


def test_examples_that_are_not_run_belong_to_commands():
    assert set(NOT_RUN) <= set(EXAMPLES)
    assert all(EXAMPLES.values())
