"""The examples of the help texts, and what a shell does with one."""

import contextlib
import glob
import io
import shlex
import sys

import typer

from bnfuse.commands import app, run

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
