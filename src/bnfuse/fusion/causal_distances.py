"""Causal distances: how often a network leads to wrong conclusions about the effects of interventions.

Each ordered pair of variables counts 1 if the set that one network proposes to adjust for does not identify the effect
in the other one. The algorithms are from gadjid, which is optional.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bnfuse._base.optional import optional
from bnfuse._base.public import public
from bnfuse.graphs.dag import DAG, NetworkLike, as_dags

_DIRECTION = "from row to column"


@public
@dataclass(frozen=True, slots=True)
class CausalDistances:
    """The number of effects that a network gets wrong, among all ordered pairs of variables.

    Attributes
    ----------
    sid
        The structural intervention distance: adjusting for parents (Peters and Buehlmann 2015).
    parent_aid
        The adjustment identification distance with parents; for DAGs it is `sid`.
    ancestor_aid
        The same, adjusting for all ancestors, and assuming that there are no effects on variables other than
        descendants.
    oset_aid
        As `ancestor_aid`, adjusting for the optimal set: the parents of variables on causal paths, if they are not
        affected themselves.
    pairs
        The number of pairs, which is the largest possible value of each distance.

    Examples
    --------
    >>> import bnfuse
    >>> one = bnfuse.DAG(["A", "B"], [("A", "B")])
    >>> bnfuse.causal_distances(one, one)
    CausalDistances(sid=0, parent_aid=0, ancestor_aid=0, oset_aid=0, pairs=2)
    """

    sid: int
    parent_aid: int
    ancestor_aid: int
    oset_aid: int
    pairs: int


@public
def causal_distances(truth: NetworkLike, guess: NetworkLike) -> CausalDistances:
    """The number of intervention effects that a network gets wrong if another one is true. Not symmetric.

    Parameters
    ----------
    truth
        The network that is taken as true, in any form.
    guess
        The network to evaluate, over the same variables.

    Returns
    -------
    CausalDistances
        SID and three variants of the adjustment identification distance.

    Raises
    ------
    MissingPackageError
        gadjid is not installed.
    MismatchError
        The networks have different variables.

    References
    ----------
    Peters and Buehlmann, "Structural intervention distance for evaluating causal graphs", Neural Computation 2015.

    Henckel, Wuertzen and Weichwald, "Adjustment identification distance: a gadjid for causal structure learning",
    UAI 2024.

    Examples
    --------
    >>> import bnfuse
    >>> truth = bnfuse.DAG(["A", "B", "C"], [("A", "B"), ("B", "C")])
    >>> guess = bnfuse.DAG(["A", "B", "C"], [("B", "A"), ("B", "C")])
    >>> found = bnfuse.causal_distances(truth, guess)
    >>> found.sid, found.parent_aid, found.pairs
    (3, 3, 6)
    """
    one, other = as_dags([truth, guess])
    sid, parents, ancestors, optimal = _counted(one, other, ("sid", "parent_aid", "ancestor_aid", "oset_aid"))
    return CausalDistances(sid, parents, ancestors, optimal, len(one.variables) * (len(one.variables) - 1))


def wrong_effects(truth: DAG, guess: DAG) -> int:
    """The parent AID alone, which for DAGs is SID: the cheapest one, n (n + arcs) steps for n variables."""
    (parents,) = _counted(truth, guess.reordered(truth.variables), ("parent_aid",))
    return parents


def _counted(truth: DAG, guess: DAG, measures: Sequence[str]) -> list[int]:
    gadjid = optional("gadjid", "a causal distance", extra="causal")
    if len(truth.variables) < 2:  # which gadjid does not accept
        return [0] * len(measures)
    matrices = [dag.to_adjacency().astype(np.int8) for dag in (truth, guess)]
    return [int(getattr(gadjid, measure)(*matrices, _DIRECTION)[1]) for measure in measures]
