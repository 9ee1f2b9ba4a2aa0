"""DOT, the language of Graphviz: for drawing a structure. Written, never read."""

from __future__ import annotations

from bnfuse.network import Network


def write_text(network: Network) -> str:
    """The structure as a directed graph."""
    nodes = [f"  {_quoted(name)};" for name in network.variables]
    arcs = [f"  {_quoted(source)} -> {_quoted(target)};" for source, target in network.dag.edges]
    title = f"{_quoted(network.name)} " if network.name else ""
    return "\n".join([f"digraph {title}{{", *nodes, *arcs, "}", ""])


def _quoted(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
