"""Exact inference: probabilities of variables given evidence.

Two ways, for two questions. `query` gives one joint distribution, by contracting the tables that matter (`factors`).
`marginals` gives many at once, from a calibrated tree of cliques (`junction_tree`). Both know the sizes of their tables
before they compute anything, and refuse what is over the limits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter

from bnfuse._base.spelling import meant, place_of
from bnfuse._base.texts import listed
from bnfuse.errors import EvidenceError, OptionError
from bnfuse.fusion.table_sizes import DEFAULT_LIMITS, TableLimits
from bnfuse.graphs.dag import DAG
from bnfuse.graphs.network import Codes, Network, Table
from bnfuse.inference.factors import Evidence, Factors, Plan
from bnfuse.inference.junction_tree import JunctionTree
from bnfuse.inference.missing_rows import Incomplete

_MOST_OPERATIONS = 10**9  # multiplications for many questions one by one: seconds


def query(
    network: Network, variables: Iterable[str], given: Evidence | None = None, limits: TableLimits = DEFAULT_LIMITS
) -> Table:
    """The joint distribution of some variables, given evidence: one axis for each variable, in the order asked.

    The evidence is a mapping from variables to labels of their states. A variable of the evidence that is asked for has
    its observed state for sure.
    """
    return _Query.of(network, _asked(network, variables), _codes(network, given), limits).answer(given)


def cost(network: Network, variables: Iterable[str], given: Evidence | None = None) -> QueryCost:
    """What `query` will need, without computing it."""
    asked = _asked(network, variables)
    factors = Factors.of(network, asked, _codes(network, given))
    plan = factors.plan(asked)
    return QueryCost(plan.largest, plan.peak, plan.operations)


@dataclass(frozen=True, slots=True)
class QueryCost:
    """The work of one query."""

    largest: int
    """numbers in the largest table, given or intermediate"""
    peak: int
    """numbers in all tables that are there at the same time"""
    operations: int
    """multiplications"""


def marginals(
    network: Network,
    variables: Iterable[str] | None = None,
    given: Evidence | None = None,
    limits: TableLimits = DEFAULT_LIMITS,
) -> dict[str, Table]:
    """The distribution of each variable (or of those asked for) by itself, given evidence, from one calibrated tree.

    Where the clique tables of the tree are over the limits, each variable gets a query of its own, if these are cheap
    together.
    """
    asked = network.variables if variables is None else _asked(network, variables)
    codes = _codes(network, given)
    tree = JunctionTree.of(Factors.of(network, asked, codes))
    if not tree.fits(limits):
        queries = _queries(network, [(variable,) for variable in asked], codes, tree, limits)
        return {variable: queries[variable,].answer(given) for variable in asked}
    tree.calibrate(given)
    return {variable: tree.marginal([variable]) for variable in asked}


@dataclass(frozen=True, slots=True)
class _Query:
    """A question whose cost is known, and within the limits."""

    asked: tuple[str, ...]
    factors: Factors
    plan: Plan

    @classmethod
    def of(cls, network: Network, asked: tuple[str, ...], codes: Mapping[str, int], limits: TableLimits) -> _Query:
        """The cheapest way to answer."""
        factors = Factors.of(network, asked, codes)
        plan = factors.plan(asked)
        plan.check(factors, limits)
        return cls(asked, factors, plan)

    def answer(self, given: Evidence | None) -> Table:
        """The joint distribution."""
        return self.factors.contracted(self.plan, self.asked, given)


def _queries(
    network: Network,
    questions: Iterable[tuple[str, ...]],
    codes: Mapping[str, int],
    tree: JunctionTree,
    limits: TableLimits,
) -> dict[tuple[str, ...], _Query]:
    """A query for each question, where one tree for all of them is over the limits.

    All are refused as soon as one is over the limits or they are too much work together: the questions that most
    variables matter for come first, so that this is known soon, and before anything is computed.
    """
    ancestors = _Ancestors(network.dag)
    hardest_first = sorted(questions, key=lambda asked: -ancestors.count((*asked, *codes)))
    queries: dict[tuple[str, ...], _Query] = {}
    operations = 0
    for asked in hardest_first:
        queries[asked] = query = _Query.of(network, asked, codes, limits)
        operations += query.plan.operations
        if operations > _MOST_OPERATIONS and len(hardest_first) > 1:
            tree.check(limits)
    return queries


class _Ancestors:
    """How many variables matter for some: themselves and their ancestors."""

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
        """Of how many variables."""
        found = 0
        for name in names:
            found |= self._known[name]
        return found.bit_count()


def log_likelihood(network: Network, codes: Codes, limits: TableLimits = DEFAULT_LIMITS) -> float:
    """The log-probability of independent rows: states by number, in the order of the variables, -1 where missing."""
    _check_tables(network)
    assert network.states is not None
    assert network.cpts is not None
    rows = Incomplete(network.dag, network.states, codes, limits)
    return rows.log_likelihood([network.cpts[name].ravel() for name in network.variables])


def _asked(network: Network, variables: Iterable[str]) -> tuple[str, ...]:
    if isinstance(variables, str) or not isinstance(variables, Iterable):
        raise OptionError(f"expected a list of variables, got {variables!r:.60}")
    asked = tuple(variables)
    if not asked:
        raise OptionError("expected at least one variable to ask for")
    _check_known(network, asked)
    if len(set(asked)) < len(asked):
        twice = next(variable for variable in asked if asked.count(variable) > 1)
        raise OptionError(f"variable {twice!r} is asked for twice")
    return asked


def _check_known(network: Network, names: Iterable[str]) -> None:
    known = frozenset(network.variables)
    for name in names:
        if name not in known:
            raise EvidenceError(
                f"{_called(network)} has no variable {name!r}{meant(name, network.variables)}; "
                f"it has {listed(network.variables)}"
            )


def _codes(network: Network, given: Evidence | None) -> dict[str, int]:
    """The evidence as numbers of states."""
    _check_tables(network)
    assert network.states is not None
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise OptionError(f"evidence must be a mapping from variables to states, got {given!r:.60}")
    _check_known(network, given)
    codes = {}
    for variable, label in given.items():
        labels = network.states[variable]
        if (place := place_of(label, labels)) is None:
            raise EvidenceError(
                f"variable {variable!r} has no state {label!r}{meant(label, labels)}; its states are {listed(labels)}"
            )
        codes[variable] = place
    return codes


def _check_tables(network: Network) -> None:
    if network.cpts is None or network.states is None:
        raise OptionError(f"{_called(network)} has no tables to reason with; fit it to data, or pool its inputs")


def _called(network: Network) -> str:
    return f"network {network.name!r}" if network.name else "the network"


class Families:
    """The joint distributions of many small sets of variables in one network.

    Sets within a clique are read off one calibrated tree; each of the others is a query of its own.
    """

    def __init__(
        self, network: Network, families: Iterable[Sequence[str]], limits: TableLimits = DEFAULT_LIMITS
    ) -> None:
        self._network, self._limits = network, limits
        sets = [tuple(family) for family in families]
        tree = JunctionTree.of(Factors.of(network, {name for family in sets for name in family}, _codes(network, None)))
        self._tree: JunctionTree | None = None
        self._queries: dict[tuple[str, ...], _Query] = {}
        if tree.fits(limits):
            self._tree = tree
            tree.calibrate()
        else:
            self._queries = _queries(network, sets, {}, tree, limits)

    def joint(self, family: Sequence[str]) -> Table:
        """The joint distribution of one of the sets."""
        if self._tree is not None and self._tree.holds(family):
            return self._tree.marginal(family)
        known = self._queries.get(tuple(family))
        return query(self._network, family, None, self._limits) if known is None else known.answer(None)
