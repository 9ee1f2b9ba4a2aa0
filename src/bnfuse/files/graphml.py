"""GraphML, for opening a structure in a graph program (Gephi, yEd, networkx). It is written but never read."""

from __future__ import annotations

import re

from bnfuse._base.disk import MARK
from bnfuse.errors import GraphError
from bnfuse.graphs.network import Network

_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_text(network: Network) -> str:
    """The structure as a directed graph whose node ids are the names of the variables."""
    nodes = [f"    <node id={_quoted(name)}/>" for name in network.variables]
    arcs = [f"    <edge source={_quoted(source)} target={_quoted(target)}/>" for source, target in network.dag.edges]
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<!-- {MARK} -->",
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
        '  <graph edgedefault="directed">',
        *nodes,
        *arcs,
        "  </graph>",
        "</graphml>",
        "",
    ]
    return "\n".join(lines)


def _quoted(name: str) -> str:
    from xml.sax.saxutils import quoteattr  # noqa: PLC0415 - slow to import

    if unfit := _NOT_IN_XML.search(name):
        raise GraphError(f"variable {name!a}: XML cannot hold the character {unfit[0]!a}")
    return quoteattr(name)
