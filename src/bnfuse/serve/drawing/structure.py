"""An input as a drawing: its variables with their states, and its arcs."""

from __future__ import annotations

from typing import Any

from bnfuse.errors import OptionError
from bnfuse.graphs.dag import DAG
from bnfuse.graphs.network import Network
from bnfuse.graphs.pdag import PDAG
from bnfuse.serve import limits
from bnfuse.serve.workspace.reading import ReadFile


def structure_of(file: ReadFile, place: int, name: str) -> dict[str, Any]:
    """The parts of an input that can be drawn; edges without a direction get one that their class allows."""
    graph = file.graphs[place] if file.graphs else None
    dag: DAG | None = None
    if isinstance(graph, Network):
        dag = graph.dag
    elif isinstance(graph, PDAG):
        dag = graph.extension
    if dag is None:
        raise OptionError(f"{name!r:.60} holds votes for arcs, and not one network: start from another input")
    if len(dag.variables) > limits.DRAWN_VARIABLES:
        raise OptionError(
            f"{name!r:.60} has {len(dag.variables):,} variables, and a drawing may have at most "
            f"{limits.DRAWN_VARIABLES}"
        )
    states = (graph.states if isinstance(graph, Network) else None) or {}
    variables = {one: list(states.get(one, ())) for one in dag.variables}
    return {"variables": variables, "arcs": [list(arc) for arc in dag.edges]}
