"""Causal distances: how often a network leads to wrong conclusions about the effects of interventions.

Each ordered pair of variables counts 1 where the set that one network proposes to adjust for does not identify the
effect in the other one. The algorithms are gadjid's, which is optional.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bnfuse._base.optional import optional
from bnfuse.graphs.dag import NetworkLike, as_dags

_DIRECTION = "from row to column"


@dataclass(frozen=True, slots=True)
class CausalDistances:
    """How many effects a network gets wrong, of all ordered pairs of variables.

    Attributes
    ----------
    sid
        The structural intervention distance: adjusting for parents (Peters and Buehlmann 2015).
    parent_aid
        The adjustment identification distance with parents; for DAGs it is `sid`.
    ancestor_aid
        The same, adjusting for all ancestors, and taking for granted that there is no effect on other variables than
        descendants.
    oset_aid
        As `ancestor_aid`, adjusting for the optimal set: the parents of what lies on causal paths, as far as they are
        not affected themselves.
    pairs
        How many pairs there are: the most that each can be.

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


def causal_distances(truth: NetworkLike, guess: NetworkLike) -> CausalDistances:
    """How many effects of interventions a network gets wrong if another one is true. Not symmetric.

    Parameters
    ----------
    truth
        The network that counts as true, in any form.
    guess
        The network that is judged, over the same variables.

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
    gadjid = optional("gadjid", "a causal distance", extra="causal")
    one, other = as_dags([truth, guess])
    if len(one.variables) < 2:  # which gadjid does not take
        return CausalDistances(0, 0, 0, 0, 0)
    matrices = [dag.to_adjacency().astype(np.int8) for dag in (one, other)]
    sid, parents, ancestors, optimal = (
        int(measure(*matrices, _DIRECTION)[1])
        for measure in (gadjid.sid, gadjid.parent_aid, gadjid.ancestor_aid, gadjid.oset_aid)
    )
    return CausalDistances(sid, parents, ancestors, optimal, len(one.variables) * (len(one.variables) - 1))
