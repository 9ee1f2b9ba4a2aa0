"""`bnfuse fuse`: the union of networks under one order of the variables."""

from __future__ import annotations

import csv
from typing import Annotated, Any

import typer

from bnfuse._base.texts import count
from bnfuse.commands._console import AsJson, Cell, Files, Force, examples, note, print_json, print_table, say, working
from bnfuse.commands._grouped import grouped
from bnfuse.commands._inputs import CommonNames, files_of, note_own, read_networks
from bnfuse.commands._output import (
    STANDARD,
    Output,
    Placeholders,
    Written,
    beside,
    check_kept,
    check_network_output,
    name_for,
    write_output,
)
from bnfuse.files import check_placeholders
from bnfuse.fusion.cliques import CliqueSize, clique_size
from bnfuse.fusion.fusion import Fusion
from bnfuse.fusion.fusion import fuse as fuse_networks
from bnfuse.graphs.network import Network, differing_states, shared_states, with_states

EXAMPLES = examples(
    "bnfuse fuse examples/clinics/*.bif -o fused.bif",
    "bnfuse fuse examples/clinics/*.bif -o fused.csv   # the structure alone",
    "bnfuse fuse examples/clinics/*.bif --json         # nothing is written",
)

_MOST_NAMES = 20  # the longest order that a person reads


@grouped
def fuse(
    files: Files,
    output: Output = None,
    naming: CommonNames = CommonNames(),  # noqa: B008 - never changed
    order: Annotated[
        str | None,
        typer.Option(metavar="A,B,...", help="The order of all variables, instead of the heuristic one."),
    ] = None,
    placeholders: Placeholders = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Fuse networks into one that is at least as dense.

    The fusion is the union of the inputs' minimal I-maps under one order of the variables: every independence in it
    holds in every input. The price is that it can be much denser than they are. Its largest clique tells whether exact
    inference in it is still possible.
    """
    files = files_of(files)
    check_kept({"-o": output}, [*files, naming.names], force)
    if output is not None:
        check_network_output(output, force, as_json)
        if output != STANDARD:
            check_placeholders(output, placeholders)
    networks = read_networks(files, naming)
    note_own(networks)
    with working(f"fusing {count(len(networks), 'network')}"):
        fusion = fuse_networks(networks, None if order is None else _names(order))
        size = clique_size(fusion.dag)
    written = None
    if output is not None:
        fused = with_states(fusion.dag, shared_states(networks), name_for(output)).marked("fusion")
        written = write_output(fused, output, force, placeholders)
    if as_json:
        print_json("fuse", _facts(networks, fusion, size, written))
    else:
        with beside(output):
            _tell(networks, fusion, size, written)
    if written is not None and written.tables is not None and (differing := differing_states(networks)):
        note(f"{differing}; the fusion keeps the states on which all agree, the other variables get yes and no")


def _facts(networks: list[Network], fusion: Fusion, size: CliqueSize, written: Written | None) -> dict[str, Any]:
    return {
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
            for network, imap in zip(networks, fusion.imaps, strict=True)
        ],
        "output": None if written is None else written.facts(),
    }


def _tell(networks: list[Network], fusion: Fusion, size: CliqueSize, written: Written | None) -> None:
    rows: list[tuple[Cell, ...]] = [
        (network.name, len(network.dag.edges), len(imap.edges), str(clique_size(network)))
        for network, imap in zip(networks, fusion.imaps, strict=True)
    ]
    rows.append(("fusion", len(fusion.dag.arc_numbers), len(fusion.dag.arc_numbers), str(size)))
    print_table(("network", "arcs", "arcs under the order", "largest clique"), rows)
    say()
    if len(fusion.order) <= _MOST_NAMES:
        say(f"order: {', '.join(fusion.order)}")
    say("nothing written: -o FILE writes the fusion" if written is None else str(written))


def _names(text: str) -> list[str]:
    """Names between commas; a name with a comma in double quotes."""
    return [name.strip() for name in next(csv.reader([text], skipinitialspace=True), [])]
