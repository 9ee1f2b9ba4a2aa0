"""Distances between networks: SHD, SMHD and FSim. Given a list of networks, each is the mean distance to them."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import fmean

import numpy as np

from bnfuse import _kernel
from bnfuse._base.options import thread_count
from bnfuse._base.public import public
from bnfuse.fusion.fusion import order
from bnfuse.graphs.dag import NetworkLike, as_dags, is_network, kernel_dags, numbered, refuse_many


@public
def shd(a: NetworkLike, b: NetworkLike | Iterable[NetworkLike]) -> float:
    """Structural Hamming distance: arcs to add, delete or reverse; a reversal counts 1.

    Parameters
    ----------
    a
        A network in any form.
    b
        Another one, or a list of them.

    Returns
    -------
    float
        The distance, a whole number; for a list the mean.

    Raises
    ------
    MismatchError
        The networks have different variables.
    OptionError
        An argument is not a network.

    Examples
    --------
    >>> import bnfuse
    >>> one, other = bnfuse.DAG(["A", "B", "C"], [("A", "B"), ("B", "C")]), bnfuse.DAG(["A", "B", "C"], [("B", "A")])
    >>> bnfuse.shd(one, other)
    2
    >>> bnfuse.shd(one, [one, other])
    1.0
    """
    pairs = _Pairs(a, b)
    return pairs.mean(_kernel.shd(pairs.dag, pairs.others))


@public
def smhd(a: NetworkLike, b: NetworkLike | Iterable[NetworkLike]) -> float:
    """Structural moral Hamming distance: edges that only one of the two moral graphs has.

    The moral graph of a network joins each variable with its parents, and the parents with each other.

    Parameters
    ----------
    a
        A network in any form.
    b
        Another one, or a list of them.

    Returns
    -------
    float
        The distance, a whole number; for a list the mean.

    Raises
    ------
    MismatchError
        The networks have different variables.
    OptionError
        An argument is not a network.

    Examples
    --------
    >>> import bnfuse
    >>> chain = bnfuse.DAG.from_edges([("A", "B"), ("B", "C")])
    >>> collider = bnfuse.DAG.from_edges([("A", "B"), ("C", "B")])
    >>> bnfuse.smhd(chain, collider)
    1
    """
    pairs = _Pairs(a, b)
    return pairs.mean(_kernel.smhd(pairs.dag, pairs.others))


@public
def fsim(
    a: NetworkLike,
    b: NetworkLike | Iterable[NetworkLike],
    ties: Iterable[str] | None = None,
    directed: bool = True,
    threads: int | None = None,
) -> float:
    """Fusion similarity: how much two DAGs differ, and must be extended, to agree on one order of the variables.

    With A1, A2 the minimal I-maps of the two under the heuristic order of the pair, it is `|A1 Δ A2| + |A1 - a| + |A2 -
    b|`. The order, and so the value, depends on how ties are broken; so the value for a list is the mean of the single
    values only if they use the same `ties`.

    Parameters
    ----------
    a
        A network in any form.
    b
        Another one, or a list of them.
    ties
        The order of the variables that breaks ties; by default the heuristic order of the networks in the list `b`, or
        the order of the variables when `b` is a single network.
    directed
        With False an added arc does not count where the DAG has it reversed (the definition of 2021).
    threads
        How many threads to use; the value does not depend on it.

    Returns
    -------
    float
        The distance, a whole number; for a list the mean.

    Raises
    ------
    MismatchError
        The networks have different variables, or `ties` is not an order of them.
    OptionError
        An argument is not a network.

    References
    ----------
    Torrijos, Gámez, Puerta, Aledo: Genetic Algorithms for Tractable Bayesian Network Fusion via Pre-Fusion Edge
    Pruning. GECCO 2025.

    Puerta, Aledo, Gámez, Laborda: Efficient and accurate structural fusion of Bayesian networks. Information Fusion,
    2021.

    Examples
    --------
    >>> import bnfuse
    >>> chain = bnfuse.DAG.from_edges([("A", "B"), ("B", "C")])
    >>> collider = bnfuse.DAG.from_edges([("A", "B"), ("C", "B")])
    >>> bnfuse.fsim(chain, collider)
    3
    """
    pairs = _Pairs(a, b)
    first = pairs.graphs[0]
    if ties is not None:
        tie_order = numbered(ties, first)
    elif pairs.single:
        tie_order = np.arange(len(first.variables), dtype=np.int32)
    else:
        tie_order = numbered(order(pairs.graphs[1:]), first)
    refuse_many(len(first.variables), "fsim")
    return pairs.mean(_kernel.fsim(pairs.dag, pairs.others, tie_order, directed, thread_count(threads)))


class _Pairs:
    """One network and one or several others, checked, with the variables in the order of the first."""

    def __init__(self, a: NetworkLike, b: NetworkLike | Iterable[NetworkLike]) -> None:
        self.single = is_network(b)
        self.graphs = as_dags([a, *([b] if self.single else as_dags(b))])
        self.dag = self.graphs[0].for_kernel
        self.others = kernel_dags(self.graphs[1:])

    def mean(self, values: list[int]) -> float:
        return values[0] if self.single else fmean(values)
