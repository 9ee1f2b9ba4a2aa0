"""Fusion of DAGs: a heuristic order of the variables, minimal I-maps under it, and their union (the paper's G+)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bnfuse import _kernel
from bnfuse._base.options import at_least, thread_count
from bnfuse._base.public import public
from bnfuse.errors import OptionError
from bnfuse.graphs.dag import DAG, NetworkLike, as_dag, as_dags, numbered, stacked

LARGEST_TOTAL = 2**31
"""The largest sum of weights: sums of weighted distances, times a clique size, stay exact in 64 bits."""


@public
@dataclass(frozen=True, slots=True)
class Fusion:
    """A fused network: the union of the minimal I-maps of the inputs under one order.

    Attributes
    ----------
    dag
        The fused network.
    order
        The order of the variables that all its arcs follow.
    imaps
        The minimal I-map of each input under that order.

    Examples
    --------
    >>> import bnfuse
    >>> fusion = bnfuse.fuse([bnfuse.DAG(["A", "B"], [("A", "B")]), bnfuse.DAG(["A", "B"])])
    >>> fusion.dag.edges, fusion.order
    ((('A', 'B'),), ('A', 'B'))
    """

    dag: DAG
    order: tuple[str, ...]
    imaps: tuple[DAG, ...]


@public
def order(
    dags: Iterable[NetworkLike], ties: Iterable[str] | None = None, weights: Sequence[int] | None = None
) -> tuple[str, ...]:
    """The heuristic order of the variables under which the inputs' minimal I-maps need few extra arcs.

    Filled from the last position to the first, always with the variable that is cheapest to turn into a sink of every
    DAG.

    Parameters
    ----------
    dags
        Networks in any form, over the same variables.
    ties
        An order that breaks ties; by default the order of the variables in the first network.
    weights
        Whole numbers: a network with a weight of 2 counts as two.

    Returns
    -------
    tuple of str
        All variables, in this order.

    Raises
    ------
    MismatchError
        The networks have different variables, or `ties` is not an order of them.
    OptionError
        These are not networks, or there is not one weight for each.

    References
    ----------
    Puerta, Aledo, Gámez, Laborda: Efficient and accurate structural fusion of Bayesian networks. Information Fusion,
    2021.

    Examples
    --------
    >>> import bnfuse
    >>> bnfuse.order([bnfuse.DAG.from_edges([("Smoker", "Cancer"), ("Cancer", "Cough")])])
    ('Smoker', 'Cancer', 'Cough')
    """
    graphs = as_dags(dags)
    n = len(graphs[0].variables)
    tie_order = np.arange(n, dtype=np.int32) if ties is None else numbered(ties, graphs[0])
    numbers = _kernel.heuristic_order(stacked(graphs), _counted(weights, len(graphs)), tie_order)
    return tuple(graphs[0].variables[i] for i in numbers)


def _counted(weights: Sequence[int] | None, count: int) -> npt.NDArray[np.int64]:
    """The weights of this number of networks, checked."""
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


@public
def minimal_imap(dag: NetworkLike, order: Iterable[str]) -> DAG:
    """The minimal I-map of a DAG in which every arc follows the order: unique, found by Method A.

    An I-map of a DAG claims no independence that the DAG does not have. A minimal one would not be an I-map without any
    of its arcs.

    Parameters
    ----------
    dag
        A network in any form.
    order
        All its variables, in some order.

    Returns
    -------
    DAG
        The minimal I-map, over the same variables.

    Raises
    ------
    MismatchError
        `order` is not an order of its variables.
    OptionError
        The argument is not a network.

    References
    ----------
    Peña: Finding Consensus Bayesian Network Structures. Journal of Artificial Intelligence Research 42, 2011.

    Examples
    --------
    >>> import bnfuse
    >>> collider = bnfuse.DAG.from_edges([("A", "B"), ("C", "B")])
    >>> bnfuse.minimal_imap(collider, ["B", "A", "C"]).edges
    (('A', 'C'), ('B', 'A'), ('B', 'C'))
    """
    graph = as_dag(dag)
    maps = _kernel.minimal_imaps(stacked([graph]), numbered(order, graph), 1)
    return DAG.trusted(graph.variables, maps[0])


@public
def fuse(dags: Iterable[NetworkLike], order: Iterable[str] | None = None, threads: int | None = None) -> Fusion:
    """The union of the inputs' minimal I-maps under one order: every independence of the result holds in every input.

    It can be much denser than they are: `bnfuse.clique_size` shows the cost of inference in it.

    Parameters
    ----------
    dags
        Networks in any form, over the same variables.
    order
        An order of the variables; by default `bnfuse.order(dags)`.
    threads
        How many threads to use; the result does not depend on it.

    Returns
    -------
    Fusion
        The fused network, the order, and the minimal I-map of each input.

    Raises
    ------
    MismatchError
        The networks have different variables, or `order` is not an order of them.
    OptionError
        These are not networks.

    References
    ----------
    Peña: Finding Consensus Bayesian Network Structures. Journal of Artificial Intelligence Research 42, 2011.

    Examples
    --------
    >>> import bnfuse
    >>> one = bnfuse.DAG(["A", "B", "C"], [("A", "B"), ("B", "C")])
    >>> other = bnfuse.DAG(["A", "B", "C"], [("A", "C")])
    >>> bnfuse.fuse([one, other]).dag.edges
    (('A', 'B'), ('A', 'C'), ('B', 'C'))
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
