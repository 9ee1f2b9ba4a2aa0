"""`bnfuse networks`: the public benchmark networks."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from bnfuse._base import disk
from bnfuse.commands._console import AsJson, Force, examples, print_json, print_table, say, working
from bnfuse.commands._help import Command
from bnfuse.commands._output import make_folder, write_output
from bnfuse.commands.inspect import Inspected, print_inspected
from bnfuse.files import check_output
from bnfuse.networks import catalogue, fetch, load, names, source_text

EXAMPLES = examples(
    "bnfuse networks                             # what there is",
    "bnfuse networks show alarm                  # all about one of them",
    "bnfuse networks export alarm -o alarm.bif   # a file to work with",
    "bnfuse networks export asia water -o nets/  # several into a folder",
)
SHOW_EXAMPLES = examples("bnfuse networks show alarm", "bnfuse networks show munin --json")
EXPORT_EXAMPLES = examples(
    "bnfuse networks export alarm -o alarm.bif   # as published",
    "bnfuse networks export alarm -o alarm.csv   # the structure, as arcs",
    "bnfuse networks export asia water -o nets/  # several into a folder",
)

app = typer.Typer(rich_markup_mode=None)


def _completed(incomplete: str) -> list[str]:
    return [name for name in names() if name.startswith(incomplete)]


@app.callback(invoke_without_command=True)
def networks(context: typer.Context, as_json: AsJson = False) -> None:
    """List, show and export public benchmark networks.

    They are the 24 discrete networks of the bnlearn repository, downloaded once, when first needed, and kept in the
    user's cache. Without the internet, set BNFUSE_NETWORKS to a folder that holds them.
    """
    if context.invoked_subcommand is not None:
        return
    rows = catalogue()
    if as_json:
        hidden = ("sha256",)
        shown = [{key: value for key, value in asdict(row).items() if key not in hidden} for row in rows]
        print_json("networks", {"networks": shown})
        return
    print_table(
        ("network", "variables", "arcs", "parameters", "about"),
        [(row.name, row.variables, row.arcs, row.parameters, row.about) for row in rows],
    )


@app.command(cls=Command, epilog=SHOW_EXAMPLES)
def show(
    name: Annotated[
        str,
        typer.Argument(metavar="NAME", help="The name of the network.", autocompletion=_completed, show_default=False),
    ],
    as_json: AsJson = False,
) -> None:
    """Show what is in a benchmark network."""
    with working(f"loading {name}"):
        inspected = Inspected.of(load(name))
    about = next(row.about for row in catalogue() if row.name == name)
    if as_json:
        print_json("networks show", {"network": inspected.facts(), "about": about})
        return
    print_inspected(inspected)
    say()
    say(f"  {about}")


@app.command(cls=Command, epilog=EXPORT_EXAMPLES)
def export(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME", help="The names of the networks.", autocompletion=_completed, show_default=False
        ),
    ],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FILE|FOLDER/", help="A file for one network, a folder for any number."),
    ] = Path(),
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write benchmark networks to files.

    BIF files are written as published; another extension chooses another format.
    """
    into_folder = output.is_dir() or len(names) > 1 or not output.suffix
    targets = {name: output / f"{name}.bif" if into_folder else output for name in names}
    with working("finding the networks"):
        fetch(names)
    if into_folder:
        make_folder(output)
    published = {target: source_text(name).encode() for name, target in targets.items() if target.suffix == ".bif"}
    for target in targets.values():
        if not (target.is_file() and target.read_bytes() == published.get(target)):  # as published: it stays
            check_output(target, force)
    said = []
    for name, target in targets.items():
        if target in published:
            disk.write_bytes(published[target], target)
            said.append(f"wrote {target}: as published")
        else:
            said.append(str(write_output(load(name), target, force)))
    if as_json:
        print_json("networks export", {"written": [str(target) for target in targets.values()]})
        return
    for line in said:
        say(line)
