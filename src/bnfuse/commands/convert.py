"""`bnfuse convert`: networks from one format to another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bnfuse.commands._console import AsJson, Files, Force, examples, note, print_json, say
from bnfuse.commands._grouped import grouped
from bnfuse.commands._inputs import CommonNames, Cyclic, files_of, read_graphs
from bnfuse.commands._output import (
    STANDARD,
    Placeholders,
    beside,
    check_kept,
    check_network_output,
    write_output,
)
from bnfuse.errors import OptionError
from bnfuse.graphs.gaussian_network import GaussianNetwork
from bnfuse.graphs.network import Network

EXAMPLES = examples(
    "bnfuse convert examples/clinics/harbour.bif harbour.xmlbif  # with tables",
    "bnfuse convert examples/clinics/harbour.bif harbour.csv     # a list of arcs",
    "bnfuse convert examples/clinics/*.bif clinics.json          # an ensemble",
    "bnfuse convert examples/panel/pc.tetrad pc.dagitty          # mixed edges",
    "bnfuse convert examples/panel/ward.csv w.csv \\\n      --names examples/panel-names.csv",
    "bnfuse convert - - --format csv < examples/clinics/harbour.bif  # in a pipe",
)


@grouped
def convert(
    files: Files,
    output: Annotated[
        Path,
        typer.Argument(
            metavar="OUT",
            help="The file to write: .bif, .xmlbif, .net, .dsl, .xdsl, .uai, .csv, .json, .dagitty, .tetrad, "
            ".modelstring, .dot or .graphml; or - for the standard output.",
            show_default=False,
        ),
    ],
    placeholders: Placeholders = False,
    cyclic: Cyclic = "refuse",
    kind: Annotated[
        str | None,
        typer.Option("--format", metavar="NAME", help="The format of the standard output.", show_default="bif"),
    ] = None,
    naming: CommonNames = CommonNames(),  # noqa: B008 - never changed
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Convert networks to another format.

    The extension of OUT chooses the format. CSV, JSON, DAGitty, Tetrad, model strings, DOT and GraphML hold the
    structure only, but JSON holds complete Gaussian networks. Formats that need states and tables get two states and
    uniform tables where the network has none, marked as placeholders. NET, DSL and UAI have no such mark and get them
    only with --placeholders. A graph with edges that have no direction can be written as CSV, DAGitty, Tetrad and DOT;
    votes for arcs as CSV. An existing file is replaced only if a mark in it shows that bnfuse wrote it in the same
    format, or with --force; an input only with --force.
    """
    if kind is not None and output != STANDARD:
        raise OptionError(f"--format is for the standard output; the extension of {output} chooses the format")
    files = files_of(files)
    check_kept({"OUT": output}, [*files, naming.names], force)
    check_network_output(output, force, as_json)
    networks = read_graphs(files, cyclic, names=naming)
    written = write_output(networks, output, force, placeholders, None if kind is None else f".{kind.lower()}")
    is_lost = written.tables is None and any(isinstance(one, Network) and one.has_parameters for one in networks)
    if as_json:
        names = [network.name for network in networks]
        print_json("convert", {"networks": names, "output": written.facts(), "lost": is_lost})
    else:
        with beside(output):
            say(str(written))
    if is_lost:
        where = "the standard output" if output == STANDARD else output
        numbers = any(isinstance(one, GaussianNetwork) for one in networks)
        parts = "coefficients and standard deviations" if numbers else "states and tables"
        note(f"{where} has no room for {parts}; they are left out")
