"""Which finding would tell the most about a variable: mutual information, for all others at once.

One junction tree is calibrated with a row for each state of the target, so each variable's distribution given each of
these states can be read off it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from bnfuse._base.public import public
from bnfuse.errors import EvidenceError
from bnfuse.fusion.table_sizes import DEFAULT_LIMITS, NUMBER_BYTES, TableLimits
from bnfuse.graphs.network import Network, Table
from bnfuse.inference.asking.beliefs import settled
from bnfuse.inference.evidence import Beliefs, Evidence, Interventions, check_known, check_tables, states_of
from bnfuse.inference.factors import Factors, refuse
from bnfuse.inference.junction_tree import CliqueTree, cheapest_order

_NOTHING = 1e-15  # bits: rounding


@public
@dataclass(frozen=True, slots=True)
class Informative:
    """The information that the state of a variable gives about a target.

    Attributes
    ----------
    variable
        Its name.
    mutual_information
        The expected decrease, in bits, of the target's entropy when the variable's state becomes known.
    expected_entropy
        The expected remaining entropy of the target, in bits.
    reduction
        The mutual information as a share of the target's entropy; 0 if that is 0.

    Examples
    --------
    >>> import bnfuse
    >>> network = bnfuse.Network(
    ...     bnfuse.DAG.from_edges([("Coin", "Report")]),
    ...     states={"Coin": ("heads", "tails"), "Report": ("heads", "tails")},
    ...     cpts={"Coin": [0.5, 0.5], "Report": [[1.0, 0.0], [0.0, 1.0]]},
    ... )
    >>> network.informative("Coin")
    (Informative(variable='Report', mutual_information=1.0, expected_entropy=0.0, reduction=1.0),)
    """

    variable: str
    mutual_information: float
    expected_entropy: float
    reduction: float


def informative(
    network: Network,
    target: str,
    given: Evidence | None = None,
    limits: TableLimits = DEFAULT_LIMITS,
    *,
    beliefs: Beliefs | None = None,
    do: Interventions | None = None,
) -> tuple[Informative, ...]:
    """The information that each variable without a finding gives about a target, the most informative first."""
    check_tables(network)
    check_known(network, [target])
    if len(states_of(network, target)) == 1:
        raise EvidenceError(f"variable {target!r} has one state only: there is nothing to find out about it")
    whole, findings = settled(network, given, beliefs, do, limits)
    if target in findings.codes:
        label = states_of(whole, target)[findings.codes[target]]
        raise EvidenceError(f"variable {target!r} is known to be {label!r}: there is nothing left to find out about it")
    factors = Factors.of(whole, whole.variables, findings)
    number = factors.number[target]
    others = [i for i in range(len(factors.names)) if i not in factors.known and i != number]
    tree = CliqueTree([*factors.scopes, (number,)], factors.sizes, cheapest_order(factors))
    if not tree.fits(limits):
        refuse(factors, tree.widest, max(tree.sizes), sum(tree.sizes), limits)
    chances, conditional = given_each_state(factors, tree, number, others, limits)
    if chances is None:
        raise findings.impossible()
    entropy = _entropy(chances)
    found = []
    for i, table in zip(others, conditional, strict=True):
        bits = min(_mutual_information(chances, table), entropy)
        bits = bits if bits > _NOTHING else 0.0
        found.append(Informative(factors.names[i], bits, entropy - bits, bits / entropy if entropy else 0.0))
    return tuple(sorted(found, key=lambda one: -one.mutual_information))


def given_each_state(
    factors: Factors, tree: CliqueTree, target: int, others: list[int], limits: TableLimits
) -> tuple[Table | None, list[Table]]:
    """The target's distribution (None if the evidence is impossible), and that of each other variable given its states.

    As many states as the limits allow are computed at the same time.
    """
    size = factors.sizes[target]
    room = limits.total // NUMBER_BYTES // 2  # products need the same again while they are computed
    rows = max(1, min(size, room // sum(tree.sizes), limits.table // max(tree.sizes)))
    logs = np.empty(size)
    conditional = [np.empty((size, factors.sizes[i])) for i in others]
    for start in range(0, size, rows):
        piece = slice(start, min(start + rows, size))
        calibrated = tree.calibrated([*(table[np.newaxis] for table in factors.tables), np.eye(size)[piece]])
        logs[piece] = calibrated.logs
        for i, table in zip(others, conditional, strict=True):
            table[piece] = calibrated.joint([i])
    if logs.max() == -math.inf:
        return None, []
    chances = np.exp(logs - logs.max())
    return chances / chances.sum(), conditional


def _entropy(chances: Table) -> float:
    positive = chances[chances > 0]
    return float(-(positive * np.log2(positive)).sum())


def _mutual_information(chances: Table, conditional: Table) -> float:
    """In bits; the terms are never negative, so that little information does not vanish in rounding errors."""
    marginal = chances @ conditional
    used = (conditional > 0) & (chances[:, np.newaxis] > 0)
    ratio = np.divide(conditional, marginal, out=np.ones_like(conditional), where=used)
    terms = np.where(used, conditional * np.log(ratio), 0.0) - conditional + marginal
    return float(chances @ terms.clip(min=0.0).sum(1)) / math.log(2.0)
