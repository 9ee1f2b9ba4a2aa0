"""Jeffrey's rule: a belief is the distribution that a variable is to have, whatever it was before.

A single belief replaces the network's distribution of its variable. Several beliefs need likelihoods under which all of
them hold together: iterative proportional fitting on the junction tree applies one belief after the other until none
changes any more (Jirousek and Preucil 1995). The result is the distribution closest to the network's, in relative
entropy, that has all of these marginals.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NoReturn

import numpy as np

from bnfuse._base.texts import listed
from bnfuse.errors import EvidenceError
from bnfuse.fusion.table_sizes import DEFAULT_LIMITS, TableLimits
from bnfuse.graphs.network import Network, Table
from bnfuse.inference.asking.interventions import intervened
from bnfuse.inference.evidence import Beliefs, Evidence, Findings, Interventions, believed, states_of
from bnfuse.inference.extended_range import Numbers, Wide
from bnfuse.inference.factors import Factors, refuse
from bnfuse.inference.junction_tree import CliqueTree, cheapest_order

_SMALL = 1_000_000  # numbers in a joint distribution of the believed variables that replaces the whole network
_HOLDS = 1e-13  # how far a marginal may be from the belief
_MOST_ROUNDS = 2_000
_WITHOUT_PROGRESS = 50  # rounds; contradictory beliefs would alternate forever


def settled(
    network: Network,
    given: Evidence | None = None,
    beliefs: Beliefs | None = None,
    do: Interventions | None = None,
    limits: TableLimits = DEFAULT_LIMITS,
) -> tuple[Network, Findings]:
    """The network after the interventions, and all evidence in it: beliefs as the likelihoods that they need."""
    whole = intervened(network, do)
    findings = Findings.of(whole, given, do)
    wanted = believed(whole, beliefs)
    for variable in wanted:
        if variable in (given or {}) or variable in (do or {}):
            other = "a finding" if variable in (given or {}) else "an intervention"
            raise EvidenceError(f"variable {variable!r} has both {other} and a belief: leave one of them out")
    return whole, _with_beliefs(whole, findings, wanted, limits) if wanted else findings


def _with_beliefs(network: Network, findings: Findings, wanted: dict[str, Table], limits: TableLimits) -> Findings:
    """The findings, and likelihoods under which the variables have the wanted distributions."""
    said = {name: f"{name} ~ {_shown(network, name, table)}" for name, table in wanted.items()}
    sure = {name: int(table.argmax()) for name, table in wanted.items() if (table > 0).sum() == 1}
    known = Findings({**findings.codes, **sure}, findings.likelihoods, (*findings.said, *(said[name] for name in sure)))
    open_ones = {name: table for name, table in wanted.items() if name not in sure}
    if not open_ones:
        return known
    likelihoods = _Fitting(Factors.of(network, wanted, known), open_ones, limits).likelihoods()
    return Findings(
        known.codes,
        {**known.likelihoods, **likelihoods},
        (*known.said, *(said[name] for name in open_ones)),
    )


def _shown(network: Network, name: str, table: Table) -> str:
    numbers = zip(states_of(network, name), table.tolist(), strict=True)
    return ", ".join(f"{label}:{number:g}" for label, number in numbers if number)


class _Fitting:
    """Likelihoods of some variables, changed in turn until each has the distribution that it is to have."""

    def __init__(self, factors: Factors, wanted: dict[str, Table], limits: TableLimits) -> None:
        self._findings = factors.findings
        self._wanted = {factors.number[name]: table for name, table in wanted.items()}
        self._names = {factors.number[name]: name for name in wanted}
        self._network = factors.network
        scopes, self._tables, order = _small(factors, list(wanted), limits) or (
            factors.scopes,
            [table[np.newaxis] for table in factors.tables],
            cheapest_order(factors),
        )
        self._tree = CliqueTree([*scopes, *((i,) for i in self._wanted)], factors.sizes, order)
        if not self._tree.fits(limits):
            refuse(factors, self._tree.widest, max(self._tree.sizes), sum(self._tree.sizes), limits)
        self._likelihoods = {i: np.ones(len(table)) for i, table in self._wanted.items()}

    def likelihoods(self) -> dict[str, Table]:
        """The likelihoods by name; an error if no distribution has all of these marginals."""
        best, since = math.inf, 0
        for number in range(_MOST_ROUNDS):
            off = {i: self._fit(i, number) for i in self._wanted}
            worst = max(off, key=off.__getitem__)
            if off[worst] <= _HOLDS:
                return {self._names[i]: table for i, table in self._likelihoods.items()}
            since = 0 if off[worst] < 0.99 * best else since + 1
            best = min(best, off[worst])
            if since >= _WITHOUT_PROGRESS:
                break
        self._refuse(f"{self._names[worst]!r} stays {off[worst]:.2g} from what is believed")

    def _fit(self, i: int, number: int) -> float:
        """Give one variable its distribution; return how far it was from it."""
        calibrated = self._tree.calibrated(self._weighed(self._likelihoods))
        if calibrated.logs[0] == -math.inf:
            raise self._findings.impossible() if not number else self._contradiction("no state is left")
        found, wanted = calibrated.joint([i])[0], self._wanted[i]
        lost = np.flatnonzero((wanted > 0) & (found == 0))
        if len(lost):
            self._refuse_lost(i, int(lost[0]), number)
        off = float(np.abs(found - wanted).max())
        if off > _HOLDS:
            with np.errstate(over="ignore", under="ignore"):
                changed = self._likelihoods[i] * np.divide(wanted, found, out=np.zeros_like(found), where=found > 0)
                changed /= changed.max()
            if not np.isfinite(changed).all() or ((wanted > 0) & (changed == 0)).any():
                self._refuse(_beyond_numbers(self._names[i]))
            self._likelihoods[i] = changed
        return off

    def _weighed(self, likelihoods: dict[int, Table]) -> list[Numbers]:
        """All tables of the tree."""
        tables: list[Numbers] = [*self._tables, *(table[np.newaxis] for table in likelihoods.values())]
        if any(isinstance(table, Wide) for table in self._tables):
            return [table if isinstance(table, Wide) else Wide.of(table) for table in tables]
        return tables

    def _refuse_lost(self, i: int, state: int, number: int) -> NoReturn:
        """A state with a positive belief is impossible, or its probability is too small to represent."""
        alone = np.eye(len(self._wanted[i]))[state]
        if self._tree.calibrated(self._weighed({**self._likelihoods, i: alone}), down=False).logs[0] > -math.inf:
            self._refuse(_beyond_numbers(self._names[i]))
        label = states_of(self._network, self._names[i])[state]
        if number or any((table == 0).any() for table in self._likelihoods.values()):
            self._refuse(f"the others rule out {self._names[i]} = {label}")
        given = f" given {listed(self._findings.said, shown=str)}" if self._findings.said else ""
        raise EvidenceError(
            f"{self._names[i]} = {label} has probability 0 in this network{given}, but the belief gives it "
            f"{self._wanted[i][state]:g}"
        )

    def _contradiction(self, why: str) -> EvidenceError:
        names = list(self._names.values())
        noun = (
            f"the beliefs about {listed(names)} cannot hold together"
            if len(names) > 1
            else (f"the belief about {names[0]!r} cannot hold")
        )
        return EvidenceError(f"{noun} in this network: {why}")

    def _refuse(self, why: str) -> NoReturn:
        raise self._contradiction(why)


def _beyond_numbers(name: str) -> str:
    return f"{name!r} would need likelihoods that are too large to represent"


def _small(
    factors: Factors, names: Sequence[str], limits: TableLimits
) -> tuple[list[tuple[int, ...]], list[Numbers], list[int]] | None:
    """The joint distribution of the believed variables in place of all tables, if it is small; with an order."""
    if math.prod(factors.sizes[factors.number[name]] for name in names) > _SMALL:
        return None
    plan = factors.plan(names)
    if not limits.allow(plan.largest, plan.peak):
        return None
    table, scope = factors.product(plan)
    return [scope], [table[np.newaxis]], list(scope)
