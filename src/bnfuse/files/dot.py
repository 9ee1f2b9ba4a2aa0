"""DOT, the language of Graphviz, for drawing a structure. It is written but never read."""

from __future__ import annotations

from bnfuse._base.disk import MARK
from bnfuse.graphs.network import Network
from bnfuse.graphs.pdag import PDAG


def write_text(network: Network | PDAG) -> str:
    """The structure as a directed graph, in which edges without a direction have no arrowhead."""
    nodes = [f"  {_quoted(name)};" for name in network.variables]
    arcs, edges = (network.arcs, network.edges) if isinstance(network, PDAG) else (network.dag.edges, ())
    lines = [f"  {_quoted(source)} -> {_quoted(target)};" for source, target in arcs]
    lines += [f"  {_quoted(one)} -> {_quoted(other)} [dir=none];" for one, other in edges]
    title = f"{_quoted(network.name)} " if network.name else ""
    return "\n".join([f"// {MARK}", f"digraph {title}{{", *nodes, *lines, "}", ""])


def _quoted(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
