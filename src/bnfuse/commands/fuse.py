"""`bnfuse fuse`: the union of networks under one order of the variables."""

from __future__ import annotations

import csv
from typing import Annotated

import typer

from bnfuse.cliques import clique_size
from bnfuse.commands._console import (
    AsJson,
    Cell,
    Files,
    Force,
    count,
    examples,
    note,
    print_json,
    print_table,
    say,
    working,
)
from bnfuse.commands._output import Output, Placeholders, write_output
from bnfuse.files import check_output, check_placeholders, read
from bnfuse.fusion import fuse as fuse_networks
from bnfuse.network import Network, shared_states

EXAMPLES = examples(
    "bnfuse fuse a.bif b.bif c.bif -o fused.bif",
    "bnfuse fuse boot.json.gz -o fused.csv",
    "bnfuse fuse a.csv b.csv --order Age,Smoker,Cough    only look at the result",
)

_MOST_NAMES = 20  # variables of an order that a person reads


def fuse(
    files: Files,
    output: Output = None,
    order: Annotated[
        str | None,
        typer.Option(metavar="A,B,...", help="All variables in the order to use, instead of the heuristic one."),
    ] = None,
    placeholders: Placeholders = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Fuse networks into one that is at least as dense.

    The fusion is the union of the inputs' minimal I-maps under one order of the variables: every independence in it
    holds in every input. The price: it can be much denser than they are. Its largest clique tells whether exact
    inference in it is still possible.
    """
    if output is not None:
        check_output(output, force)
        check_placeholders(output, placeholders)
    networks = read(*files)
    with working(f"fusing {count(len(networks), 'network')}"):
        fusion = fuse_networks(networks, None if order is None else _names(order))
        size = clique_size(fusion.dag)
    states = shared_states(networks)
    written = None
    if output is not None:
        fused = Network(fusion.dag, states, name=output.name.partition(".")[0])
        written = write_output(fused, output, force, placeholders)
    inputs = list(zip(networks, fusion.imaps, strict=True))
    if as_json:
        print_json(
            {
                "variables": len(fusion.dag.variables),
                "arcs": len(fusion.dag.arc_numbers),
                "clique_size": int(size),
                "clique_lower_bound": size.lower_bound,
                "order": fusion.order,
                "edges": fusion.dag.edges,
                "inputs": [
                    {
                        "name": network.name,
                        "arcs": len(network.dag.arc_numbers),
                        "imap_arcs": len(imap.arc_numbers),
                        "clique_size": int(clique_size(network)),
                    }
                    for network, imap in inputs
                ],
                "output": None if written is None else written.facts(),
            }
        )
    else:
        rows: list[tuple[Cell, ...]] = [
            (network.name, len(network.dag.edges), len(imap.edges), str(clique_size(network)))
            for network, imap in inputs
        ]
        rows.append(("fusion", len(fusion.dag.arc_numbers), len(fusion.dag.arc_numbers), str(size)))
        print_table(("network", "arcs", "arcs under the order", "largest clique"), rows)
        say()
        if len(fusion.order) <= _MOST_NAMES:
            say(f"order: {', '.join(fusion.order)}")
        say("nothing written: -o FILE writes the fusion" if written is None else str(written))
    if written is not None and written.states == "two" and any(network.states for network in networks):
        note("the inputs have different states for the same variables: the fusion has two placeholder states for each")


def _names(text: str) -> list[str]:
    """Names between commas; a name with a comma in double quotes."""
    return [name.strip() for name in next(csv.reader([text], skipinitialspace=True), [])]
