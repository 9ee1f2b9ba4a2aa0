"""`bnfuse draw`: the picture of a network, or of the difference of two."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, cast

import typer

from bnfuse._base.texts import listed
from bnfuse.answer.persistence import is_saved
from bnfuse.answer.result import Consensus
from bnfuse.commands._console import AsJson, Force, examples, note, print_json, say
from bnfuse.commands._grouped import grouped
from bnfuse.commands._inputs import CommonNames, read_networks
from bnfuse.commands._output import check_kept
from bnfuse.errors import OptionError
from bnfuse.graphs.network import Network
from bnfuse.report.drawing.picture import Picture
from bnfuse.report.drawing.plots import check_drawing
from bnfuse.report.drawing.plots import draw as write_picture

EXAMPLES = examples(
    "bnfuse draw examples/clinics/harbour.bif -o harbour.svg",
    "bnfuse consensus examples/clinics/*.bif -o c.bif --save result.json",
    "bnfuse draw c.bif --compare examples/clinics/harbour.bif -o difference.pdf",
    "bnfuse draw result.json -o consensus.png         # of consensus --save",
    "bnfuse convert examples/clinics/*.bif clinics.json",
    "bnfuse draw clinics.json --name harbour -o 3.svg  # one of an ensemble",
)


@grouped
def draw(
    file: Annotated[Path, typer.Argument(metavar="NETWORK", help="A network, or a saved consensus.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The picture to write: .svg, .png or .pdf.")
    ],
    compare: Annotated[
        Path | None, typer.Option(metavar="OTHER", help="Draw the difference from this network.")
    ] = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="The network to draw, if the file holds several.")
    ] = None,
    naming: CommonNames = CommonNames(),  # noqa: B008 - never changed
    hollow_heads: Annotated[
        bool,
        typer.Option(
            "--hollow-heads", help="In a saved consensus, draw free directions with hollow heads instead of none."
        ),
    ] = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Draw a network, or the difference of two.

    Arcs lead downwards, as in the report. In a difference, solid arcs are in both, dashed ones only in NETWORK,
    dotted ones only in OTHER, and dash-dotted ones are reversed there. In a saved consensus, an arc whose
    direction is free (equivalent networks have it in either direction) has no head.
    """
    check_kept({"-o": output}, [file, compare, naming.names], force)
    check_drawing(output, force)
    if compare is None and name is None and naming.names is None and is_saved(file):
        picture = Picture.of_consensus(Consensus.load(file), hollow_heads=hollow_heads)
    elif hollow_heads:
        raise OptionError("--hollow-heads goes with a saved consensus (consensus --save) and nothing else")
    else:
        networks = [_network(file, name), *([] if compare is None else [_network(compare, None)])]
        picture = _picture(*cast("list[Network]", naming.given_to(networks)))
    write_picture(picture, output, force)
    if as_json:
        facts = {"output": str(output), "variables": len(picture.variables), "arcs": len(picture.arcs)}
        print_json("draw", facts | ({"different": sum(arc.kind != "kept" for arc in picture.arcs)} if compare else {}))
    else:
        say(f"wrote {output}")
    if len(set(picture.layout.labels)) < len(picture.variables):
        note("the picture cuts long names, and some then look the same")


def _picture(first: Network, second: Network | None = None) -> Picture:
    return Picture.of(first) if second is None else Picture.comparing(first, second, (first.name, second.name))


def _network(file: Path, name: str | None) -> Network:
    networks = [Consensus.load(file).network] if is_saved(file) else read_networks([file])
    if name is not None:
        for network in networks:
            if network.name == name:
                return network
        known = listed([network.name for network in networks])
        raise OptionError(f"{file} has no network {name!r}; it has {known}")
    if len(networks) > 1:
        raise OptionError(f"{file} holds {len(networks):,} networks; choose one, such as --name {networks[0].name!r}")
    return networks[0]
