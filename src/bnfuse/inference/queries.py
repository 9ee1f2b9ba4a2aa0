"""Exact inference: probabilities of variables given evidence.

There are two ways, for two purposes. `query` computes one joint distribution, by contracting the relevant tables
(`factors`). `marginals` computes many distributions at once, from a calibrated tree of cliques (`junction_tree`). Both
know the sizes of their tables before they compute anything, and refuse those over the limits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter

from bnfuse.data.weights import Weights
from bnfuse.errors import OptionError
from bnfuse.fusion.table_sizes import DEFAULT_LIMITS, TableLimits
from bnfuse.graphs.dag import DAG
from bnfuse.graphs.network import Codes, Network, Table
from bnfuse.inference.asking.beliefs import settled
from bnfuse.inference.evidence import Beliefs, Evidence, Findings, Interventions, check_known, check_tables
from bnfuse.inference.factors import Factors, Plan
from bnfuse.inference.junction_tree import JunctionTree
from bnfuse.inference.missing_rows import Incomplete

_MOST_OPERATIONS = 10**9  # multiplications for many separate queries: seconds


def query(
    network: Network,
    variables: Iterable[str],
    given: Evidence | None = None,
    limits: TableLimits = DEFAULT_LIMITS,
    *,
    beliefs: Beliefs | None = None,
    do: Interventions | None = None,
) -> Table:
    """The joint distribution of some variables, given evidence: one axis for each variable, in the given order.

    The evidence is a mapping from variables to findings. A requested variable whose state is known has this state with
    certainty.
    """
    asked = asked_of(network, variables)
    return _Query.of(*settled(network, given, beliefs, do, limits), asked, limits).answer()


def cost(
    network: Network, variables: Iterable[str], given: Evidence | None = None, *, do: Interventions | None = None
) -> QueryCost:
    """The cost of `query`, without computing it; a belief costs as much again as a finding."""
    asked = asked_of(network, variables)
    whole, findings = settled(network, given, None, do)
    factors = Factors.of(whole, asked, findings)
    plan = factors.plan(asked)
    return QueryCost(plan.largest, plan.peak, plan.operations)


@dataclass(frozen=True, slots=True)
class QueryCost:
    """The cost of one query."""

    largest: int
    """numbers in the largest table, given or intermediate"""
    peak: int
    """numbers in all tables that exist at the same time"""
    operations: int
    """multiplications"""


def marginals(
    network: Network,
    variables: Iterable[str] | None = None,
    given: Evidence | None = None,
    limits: TableLimits = DEFAULT_LIMITS,
    *,
    beliefs: Beliefs | None = None,
    do: Interventions | None = None,
) -> dict[str, Table]:
    """The distribution of each variable (or of some) by itself, given evidence, from one calibrated tree.

    If the clique tables of the tree are over the limits, each variable gets its own query, provided that these are
    cheap together.
    """
    asked = network.variables if variables is None else asked_of(network, variables)
    whole, findings = settled(network, given, beliefs, do, limits)
    tree = JunctionTree.of(Factors.of(whole, asked, findings))
    if not tree.fits(limits):
        queries = _queries(whole, [(variable,) for variable in asked], findings, tree, limits)
        return {variable: queries[variable,].answer() for variable in asked}
    tree.calibrate()
    return {variable: tree.marginal([variable]) for variable in asked}


@dataclass(frozen=True, slots=True)
class _Query:
    """A query whose cost is known, and within the limits."""

    asked: tuple[str, ...]
    factors: Factors
    plan: Plan

    @classmethod
    def of(cls, network: Network, findings: Findings, asked: tuple[str, ...], limits: TableLimits) -> _Query:
        """The cheapest way to answer."""
        factors = Factors.of(network, asked, findings)
        plan = factors.plan(asked)
        plan.check(factors, limits)
        return cls(asked, factors, plan)

    def answer(self) -> Table:
        """The joint distribution."""
        return self.factors.contracted(self.plan, self.asked)


def _queries(
    network: Network,
    questions: Iterable[tuple[str, ...]],
    findings: Findings,
    tree: JunctionTree,
    limits: TableLimits,
) -> dict[tuple[str, ...], _Query]:
    """A query for each variable, if one tree for all of them is over the limits.

    All are refused as soon as one is over the limits or their total cost is too high: the queries with the most
    relevant variables come first, so that this is known early, before anything is computed.
    """
    ancestors = _Ancestors(network.dag)
    known = (*findings.codes, *findings.likelihoods)
    hardest_first = sorted(questions, key=lambda asked: -ancestors.count((*asked, *known)))
    queries: dict[tuple[str, ...], _Query] = {}
    operations = 0
    for asked in hardest_first:
        queries[asked] = query = _Query.of(network, findings, asked, limits)
        operations += query.plan.operations
        if operations > _MOST_OPERATIONS and len(hardest_first) > 1:
            tree.check(limits)
    return queries


class _Ancestors:
    """The number of variables relevant to some: these and their ancestors."""

    def __init__(self, dag: DAG) -> None:
        self._dag = dag
        self._bit = {name: 1 << i for i, name in enumerate(dag.variables)}
        self._known: dict[str, int] = {}
        for name in TopologicalSorter({v: dag.parents(v) for v in dag.variables}).static_order():
            own = self._bit[name]
            for parent in dag.parents(name):
                own |= self._known[parent]
            self._known[name] = own

    def count(self, names: Iterable[str]) -> int:
        """The number of variables."""
        found = 0
        for name in names:
            found |= self._known[name]
        return found.bit_count()


def log_likelihood(
    network: Network, codes: Codes, limits: TableLimits = DEFAULT_LIMITS, weights: Weights | None = None
) -> float:
    """The log-probability of independent rows: states by number, in the order of the variables, -1 where missing.

    A row counts as many times as its weight.
    """
    check_tables(network)
    assert network.states is not None
    assert network.cpts is not None
    rows = Incomplete(network.dag, network.states, codes, limits, weights)
    return rows.log_likelihood([network.cpts[name].ravel() for name in network.variables])


def asked_of(network: Network, variables: Iterable[str]) -> tuple[str, ...]:
    """The requested variables, if the network has them."""
    if isinstance(variables, str) or not isinstance(variables, Iterable):
        raise OptionError(f"expected a list of variables, got {variables!r:.60}")
    asked = tuple(variables)
    if not asked:
        raise OptionError("expected at least one variable to ask for")
    check_known(network, asked)
    if len(set(asked)) < len(asked):
        twice = next(variable for variable in asked if asked.count(variable) > 1)
        raise OptionError(f"variable {twice!r} is asked for twice")
    return asked


class Families:
    """The joint distributions of many small sets of variables in one network.

    Sets within a clique are read off one calibrated tree; each other set is a separate query.
    """

    def __init__(
        self, network: Network, families: Iterable[Sequence[str]], limits: TableLimits = DEFAULT_LIMITS
    ) -> None:
        self._network, self._limits = network, limits
        sets = [tuple(family) for family in families]
        tree = JunctionTree.of(
            Factors.of(network, {name for family in sets for name in family}, Findings.of(network, None))
        )
        self._tree: JunctionTree | None = None
        self._queries: dict[tuple[str, ...], _Query] = {}
        if tree.fits(limits):
            self._tree = tree
            tree.calibrate()
        else:
            self._queries = _queries(network, sets, Findings(), tree, limits)

    def joint(self, family: Sequence[str]) -> Table:
        """The joint distribution of one of the sets."""
        if self._tree is not None and self._tree.holds(family):
            return self._tree.marginal(family)
        known = self._queries.get(tuple(family))
        return query(self._network, family, None, self._limits) if known is None else known.answer()
