"""`bnfuse convert`: networks from one format to another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bnfuse.commands._console import Files, Force, examples, note, say
from bnfuse.commands._output import Placeholders, write_output
from bnfuse.files import check_output, read

EXAMPLES = examples(
    "bnfuse convert asia.bif asia.xmlbif          states and tables to the last digit",
    "bnfuse convert asia.xdsl asia.csv            the structure as a list of arcs",
    "bnfuse convert clinics/*.bif clinics.json    several networks into one ensemble",
)


def convert(
    files: Files,
    output: Annotated[
        Path,
        typer.Argument(
            metavar="OUT",
            help="The file to write: .bif, .xmlbif, .net, .dsl, .xdsl, .uai, .csv, .json, .dot or .graphml.",
            show_default=False,
        ),
    ],
    placeholders: Placeholders = False,
    force: Force = False,
) -> None:
    """Convert networks to another format.

    The extension of OUT chooses it. CSV, JSON, DOT and GraphML hold the structure only. Formats that need states and
    tables get two states and uniform tables where the network has none, marked as placeholders. NET, DSL and UAI have
    no such mark and get them only with --placeholders. A file of the same format is replaced; one of another kind only
    with --force.
    """
    check_output(output, force)
    networks = read(*files)
    written = write_output(networks, output, force, placeholders)
    say(str(written))
    if written.tables is None and any(network.cpts is not None for network in networks):
        note(f"{output} has no room for states and tables; they are left out")
