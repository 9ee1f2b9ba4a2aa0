"""Fusion of DAGs: a heuristic order of the variables, minimal I-maps under it, and their union (the paper's G+)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bnfuse import _kernel
from bnfuse._errors import OptionError
from bnfuse._options import at_least, thread_count
from bnfuse.dag import DAG, NetworkLike, as_dag, as_dags, numbered, stacked

LARGEST_TOTAL = 2**31
"""Of weights: sums of weighted distances, times a clique size, stay exact in 64 bits for the largest networks."""


@dataclass(frozen=True, slots=True)
class Fusion:
    """A fused network: the union of the minimal I-maps of the inputs under one order."""

    dag: DAG
    order: tuple[str, ...]
    imaps: tuple[DAG, ...]


def order(
    dags: Iterable[NetworkLike], ties: Iterable[str] | None = None, weights: Sequence[int] | None = None
) -> tuple[str, ...]:
    """The heuristic order of the variables under which the inputs' minimal I-maps need few extra arcs.

    Filled from the last place to the first, always with the variable that is cheapest to turn into a sink of every
    DAG (Puerta, Aledo, Gámez, Laborda 2021). `ties` is an order that breaks ties; the default is the order of the
    variables in the first network. A network with a weight of 2 counts as two.
    """
    graphs = as_dags(dags)
    n = len(graphs[0].variables)
    tie_order = np.arange(n, dtype=np.int32) if ties is None else numbered(ties, graphs[0])
    numbers = _kernel.heuristic_order(stacked(graphs), _counted(weights, len(graphs)), tie_order)
    return tuple(graphs[0].variables[i] for i in numbers)


def _counted(weights: Sequence[int] | None, count: int) -> npt.NDArray[np.int64]:
    """The weights of so many networks, checked."""
    if weights is None:
        return np.ones(count, np.int64)
    if isinstance(weights, str) or not isinstance(weights, Iterable):
        raise OptionError(f"weights must be a list of whole numbers; got {weights!r:.60}")
    whole = [at_least("a weight", weight, 0) for weight in weights]
    if len(whole) != count:
        raise OptionError(f"{len(whole)} weights for {count} networks; each network needs one")
    if sum(whole) > LARGEST_TOTAL:
        raise OptionError(f"the weights add up to more than {LARGEST_TOTAL:,}")
    return np.array(whole, np.int64)


heuristic_order = order  # for functions with an argument of that name


def minimal_imap(dag: NetworkLike, order: Iterable[str]) -> DAG:
    """The minimal I-map of a DAG in which every arc follows the order: unique, found by Method A (Peña 2011)."""
    graph = as_dag(dag)
    maps = _kernel.minimal_imaps(stacked([graph]), numbered(order, graph), 1)
    return DAG.trusted(graph.variables, maps[0])


def fuse(dags: Iterable[NetworkLike], order: Iterable[str] | None = None, threads: int | None = None) -> Fusion:
    """The union of the inputs' minimal I-maps under `order`, or under their heuristic order.

    Every independence of the result holds in every input. It can be much denser than they are: `bnfuse.clique_size`
    tells what inference in it would cost.
    """
    graphs = as_dags(dags)
    variables = graphs[0].variables
    numbers = numbered(heuristic_order(graphs) if order is None else order, graphs[0])
    maps = _kernel.minimal_imaps(stacked(graphs), numbers, thread_count(threads))
    return Fusion(
        dag=DAG.trusted(variables, np.bitwise_or.reduce(maps, axis=0)),
        order=tuple(variables[i] for i in numbers),
        imaps=tuple(DAG.trusted(variables, rows) for rows in maps),
    )
