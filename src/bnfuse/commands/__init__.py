"""The command line: one file per command, which parses, calls and prints. Errors are caught here."""

from __future__ import annotations

import os
import signal
import sys
import traceback
import warnings
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Annotated, Any

import typer

from bnfuse import __version__
from bnfuse._base import start
from bnfuse._base.options import spelled
from bnfuse.commands import (
    align,
    bootstrap,
    compare,
    consensus,
    convert,
    disputes,
    draw,
    effects,
    explain,
    federated,
    fit,
    frontier,
    fuse,
    informative,
    inspect,
    learn,
    networks,
    query,
    report,
    sample,
    schools,
    sensitivity,
    serve,
    strength,
    study,
    tally,
    try_page,
)
from bnfuse.commands._console import INTERRUPTED, complain, examples, note, print_trace
from bnfuse.commands._help import Command, Commands
from bnfuse.errors import BnfuseError, BnfuseWarning

__all__ = ["app", "main", "run"]

BAD_INPUT = 2
BUG = 1

vars(typer.core)["HAS_RICH"] = False  # before 0.21, typer escapes brackets for rich even in plain help

app = typer.Typer(
    name="bnfuse",
    cls=Commands,
    rich_markup_mode=None,  # plain help: fast, and the same on a terminal and in a pipe
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=examples(
        "bnfuse inspect examples/clinics/*.bif",
        "bnfuse compare examples/clinics/*.bif",
        "bnfuse consensus examples/clinics/*.bif --max-clique 4 -o consensus.bif",
        "bnfuse query consensus.bif --given Smoker=current LungCancer",
        "bnfuse frontier examples/clinics/*.bif",
        "bnfuse consensus --help    # more about a command, with examples",
    ),
)
app.command("consensus", cls=Command, epilog=consensus.EXAMPLES)(consensus.consensus)
app.command("frontier", cls=Command, epilog=frontier.EXAMPLES)(frontier.frontier)
app.command("disputes", cls=Command, epilog=disputes.EXAMPLES)(disputes.disputes)
app.command("schools", cls=Command, epilog=schools.EXAMPLES)(schools.schools)
app.command("learn", cls=Command, epilog=learn.EXAMPLES)(learn.learn)
app.command("bootstrap", cls=Command, epilog=bootstrap.EXAMPLES)(bootstrap.bootstrap)
app.command("query", cls=Command, epilog=query.EXAMPLES)(query.query)
app.command("explain", cls=Command, epilog=explain.EXAMPLES)(explain.explain)
app.command("informative", cls=Command, epilog=informative.EXAMPLES)(informative.informative)
app.command("sensitivity", cls=Command, epilog=sensitivity.EXAMPLES)(sensitivity.sensitivity)
app.command("effects", cls=Command, epilog=effects.EXAMPLES)(effects.effects)
app.command("fit", cls=Command, epilog=fit.EXAMPLES)(fit.fit)
app.command("sample", cls=Command, epilog=sample.EXAMPLES)(sample.sample)
app.command("report", cls=Command, epilog=report.EXAMPLES)(report.report)
app.command("serve", cls=Command, epilog=serve.EXAMPLES)(serve.serve)
app.command("try", cls=Command, epilog=try_page.EXAMPLES)(try_page.try_page)
app.command("draw", cls=Command, epilog=draw.EXAMPLES)(draw.draw)
app.command("tally", cls=Command, epilog=tally.EXAMPLES)(tally.tally)
app.command("strength", cls=Command, epilog=strength.EXAMPLES)(strength.strength)
app.command("align", cls=Command, epilog=align.EXAMPLES)(align.align)
app.command("inspect", cls=Command, epilog=inspect.EXAMPLES)(inspect.inspect)
app.command("compare", cls=Command, epilog=compare.EXAMPLES)(compare.compare)
app.command("fuse", cls=Command, epilog=fuse.EXAMPLES)(fuse.fuse)
app.command("convert", cls=Command, epilog=convert.EXAMPLES)(convert.convert)
app.add_typer(networks.app, name="networks", epilog=networks.EXAMPLES)
app.add_typer(federated.app, name="federated", epilog=federated.EXAMPLES)
app.add_typer(study.app, name="study", epilog=study.EXAMPLES)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"bnfuse {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def bnfuse(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """One tractable consensus network from many Bayesian networks over the same variables."""
    if context.invoked_subcommand is None:
        print(context.get_help())


def main() -> None:
    """The command `bnfuse`."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `bnfuse ... | head` ends as silently as any other command
    for name in ("stdout", "stderr"):
        # None if the caller closed it
        stream = getattr(sys, name) or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
        stream.reconfigure(errors="backslashreplace")  # a name that the terminal cannot show does not cause an error
        setattr(sys, name, stream)
    start.raise_at_ctrl_c()
    try:
        code = run(sys.argv[1:])
    except KeyboardInterrupt:  # a second Ctrl-C, while the first was being reported
        code = INTERRUPTED
    start.end_at_ctrl_c()
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run a command line and return its exit code: 0, 2 for bad input, 1 for a bug, 130 for Ctrl-C."""
    try:
        command = _command()
        with warnings.catch_warnings(), spelled(_flags(command, arguments)):
            _show_warnings_as_notes()
            code = command.main(
                list(arguments),
                prog_name="bnfuse",
                standalone_mode=False,
                obj=tuple(arguments),  # the command that repeats the run
            )
        sys.stdout.flush()
    except BnfuseError as error:
        complain(str(error))
        return BAD_INPUT
    except _MISUSE as error:
        complain(_usage_problem(error))
        return BAD_INPUT
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except MemoryError:
        complain("not enough memory for this")
        return BAD_INPUT
    except OSError as error:
        _forget_output()
        complain(f"{error.filename or 'standard output'}: {(error.strerror or str(error)).lower()}")
        return BAD_INPUT
    except Exception as error:
        if os.environ.get("BNFUSE_DEBUG"):
            print_trace(traceback.format_exc())
        complain(
            f"a bug in bnfuse {__version__}: {type(error).__name__}: {error}; please report it "
            "with this command (BNFUSE_DEBUG=1 shows where it happened)"
        )
        return BUG
    if code == INTERRUPTED:
        complain("interrupted")
    return code if isinstance(code, int) else 0


@cache
def _command() -> Any:
    """All commands with their options: building them takes longer than most of their work."""
    return typer.main.get_command(app)


# The base class of typer's errors for a misused option, whatever its name: it is click's until typer has its own.
_MISUSE: type[Exception] = next(kind for kind in typer.BadParameter.__mro__ if kind.__base__ is Exception)


def _flags(command: Any, arguments: Sequence[str]) -> dict[str, str]:
    """The names of the library's options in messages of the command line: flags by name.

    A flag that these commands lack is named after the first command that has it.
    """
    flags = {
        "overwrite=True": "--force",
        'cyclic="votes"': "--cyclic votes (consensus, frontier, tally, convert)",
        "bnfuse.align(networks)": "bnfuse align",
        "bnfuse.consensus takes": "bnfuse consensus and bnfuse tally take",
        'variables="union"': "--variables union",
        'unchecked="apply"': "--unchecked apply",
        'unchecked="skip"': "--unchecked skip",
        "keep_networks": "--ensemble",
    }
    for path, part in _parts(command, "bnfuse"):
        for name, flag in _own_flags(part).items():
            flags.setdefault(name, f"{path} {flag}")
    called = command
    for argument in arguments:
        if argument not in getattr(called, "commands", {}):
            break
        called = called.commands[argument]
    return flags | _own_flags(called)


def _parts(command: Any, path: str) -> Iterator[tuple[str, Any]]:
    """A command and all its subcommands, by the words that a user types."""
    yield path, command
    for name, part in getattr(command, "commands", {}).items():
        yield from _parts(part, f"{path} {name}")


def _own_flags(command: Any) -> dict[str, str]:
    flags = {}
    for parameter in command.params:
        for flag in sorted(getattr(parameter, "opts", ()), key=len):
            if flag.startswith("-"):
                flags[flag.lstrip("-").replace("-", "_")] = flag
                flags[parameter.name] = flag  # the longest spelling wins
    return flags


def _usage_problem(error: Any) -> str:
    """A misused option or argument, reported in one line that says where to read on."""
    text = str(error.format_message()).rstrip(".")
    context: Any = getattr(error, "ctx", None)
    return f"{text[:1].lower()}{text[1:]}; see {context.command_path if context else 'bnfuse'} --help"


def _show_warnings_as_notes() -> None:
    """Corrections that a reader made in an input are reported once; other warnings are unchanged."""
    said = set()
    default = warnings.showwarning

    def show(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
        if not issubclass(category, BnfuseWarning):
            default(message, category, *place, **more)
        elif str(message) not in said:
            said.add(str(message))
            note(str(message))

    warnings.simplefilter("always", BnfuseWarning)
    warnings.showwarning = show


def _forget_output() -> None:
    """The output is no longer read: the rest of the buffer must not fail a second time at the exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
