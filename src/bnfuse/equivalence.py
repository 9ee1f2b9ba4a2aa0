"""Which arcs of a network say something by their direction: its Markov equivalence class.

Networks with the same skeleton and the same v-structures imply the same independences, and no data can tell them apart.
Source: Chickering, A Transformational Characterization of Equivalent Bayesian Network Structures, UAI 1995 (`compelled`
is its algorithm Label-Edges, which settles all arcs into a variable at once).
"""

from __future__ import annotations

from graphlib import TopologicalSorter

from bnfuse.dag import DAG


def reversible_arcs(dag: DAG) -> tuple[tuple[str, str], ...]:
    """The arcs that other networks of the same Markov equivalence class have the other way round.

    >>> reversible_arcs(DAG(list("ABCD"), [("A", "C"), ("B", "C")]))
    ()
    >>> reversible_arcs(DAG(list("ABC"), [("A", "B"), ("B", "C")]))
    (('A', 'B'), ('B', 'C'))
    """
    fixed = _compelled(dag)
    return tuple((source, target) for source, target in dag.edges if source not in fixed[target])


def _compelled(dag: DAG) -> dict[str, set[str]]:
    """Of each variable the parents whose arcs all networks of the class have this way round."""
    parents = {name: set(dag.parents(name)) for name in dag.variables}
    order = tuple(TopologicalSorter(parents).static_order())
    place = {name: i for i, name in enumerate(order)}
    compelled: dict[str, set[str]] = {}
    for name in order:
        own = parents[name]
        if not own:
            compelled[name] = set()
            continue
        last = max(own, key=place.__getitem__)
        # A chain that would become a v-structure, or a v-structure: then all arcs into the variable stay as they are.
        is_fixed = not compelled[last] <= own or not own - {last} <= parents[last]
        compelled[name] = own if is_fixed else compelled[last]
    return compelled
