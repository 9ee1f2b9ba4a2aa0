"""A Bayesian network: a DAG, and the states and conditional probability tables of its variables where known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bnfuse._errors import GraphError
from bnfuse.dag import DAG, Immutable, NetworkLike, as_dag

if TYPE_CHECKING:
    from bnfuse.data import Data

ROUNDING = 2e-6
"""How far from 1 the sum of a distribution may be: what six printed digits leave."""

Table = npt.NDArray[np.float64]

Codes = npt.NDArray[np.signedinteger[Any]]
"""States by number, -1 where one is missing."""


class Network(Immutable):
    """An immutable Bayesian network.

    `states` gives the labels of each variable, `cpts` its table: one axis for each parent, in the order of
    `dag.parents(variable)`, and the variable's own states last, which sum to 1. Either may be None: a structure has
    neither; tables need states.
    """

    def __init__(
        self,
        dag: DAG,
        states: Mapping[str, tuple[str, ...]] | None = None,
        cpts: Mapping[str, npt.ArrayLike] | None = None,
        name: str = "",
    ) -> None:
        known = None if states is None else MappingProxyType(_checked_states(dag, states))
        tables = None if cpts is None else MappingProxyType(_checked_cpts(dag, known, cpts))
        self.__dict__.update(_dag=dag, _states=known, _cpts=tables, _name=name)

    _dag: DAG
    _states: Mapping[str, tuple[str, ...]] | None
    _cpts: Mapping[str, Table] | None
    _name: str

    @property
    def dag(self) -> DAG:
        """The structure."""
        return self._dag

    @property
    def name(self) -> str:
        """What to call it in tables and messages; empty if nothing is known."""
        return self._name

    @property
    def states(self) -> Mapping[str, tuple[str, ...]] | None:
        """The labels of each variable's states."""
        return self._states

    @property
    def cpts(self) -> Mapping[str, Table] | None:
        """The conditional probability tables, read-only."""
        return self._cpts

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the variables, in their given order."""
        return self._dag.variables

    def renamed(self, name: str) -> Network:
        """The same network with another name."""
        copy = Network.__new__(Network)
        copy.__dict__.update(self.__dict__, _name=name)
        return copy

    def query(self, variables: Iterable[str], given: Mapping[str, str] | None = None) -> Table:
        """The joint distribution of some variables, given the states of others: an axis for each, in the order asked.

        >>> network.query(["Cancer"], given={"Smoker": "yes"})  # doctest: +SKIP
        """
        from bnfuse.inference import query  # noqa: PLC0415 - inference works on networks

        return query(self, variables, given)

    def sample(self, n: int, seed: int = 0) -> Data:
        """Draw rows from the network; the same seed gives the same rows."""
        from bnfuse.sampling import sample  # noqa: PLC0415 - as above

        return sample(self, n, seed)

    def __eq__(self, other: object) -> bool:
        """Same structure, states and tables, to the last bit; the name does not count."""
        if not isinstance(other, Network):
            return NotImplemented
        if self._dag != other._dag or self._states != other._states:
            return False
        if self._cpts is None or other._cpts is None:
            return self._cpts is other._cpts
        return all(np.array_equal(_in_order(self, v, other._dag), other._cpts[v]) for v in self.variables)

    def __hash__(self) -> int:
        return hash(self._dag)

    def _repr_html_(self) -> str:
        from bnfuse.report.notebook import network_html  # noqa: PLC0415 - pictures come last

        return network_html(self)

    def __repr__(self) -> str:
        known = "tables" if self._cpts else "states, no tables" if self._states else "structure only"
        label = f" {self._name!r}" if self._name else ""
        return f"<Network{label}: {len(self.variables)} variables, {len(self._dag.arc_numbers)} arcs, {known}>"

    def __reduce__(self) -> tuple[Any, ...]:
        states = None if self._states is None else dict(self._states)
        cpts = None if self._cpts is None else dict(self._cpts)
        return Network, (self._dag, states, cpts, self._name)


def as_network(network: NetworkLike) -> Network:
    """A network as it is, that of a consensus, or a bare structure as a network without states and tables."""
    whole = getattr(network, "network", network)
    return whole if isinstance(whole, Network) else Network(as_dag(network))


def shared_states(networks: Iterable[NetworkLike]) -> Mapping[str, tuple[str, ...]] | None:
    """The states of the variables, where all networks that have states agree on them; in the order of the first."""
    known = [network.states for network in networks if isinstance(network, Network) and network.states is not None]
    if not known:
        return None
    sets = {variable: frozenset(labels) for variable, labels in known[0].items()}
    agree = all(
        states is known[0] or {variable: frozenset(labels) for variable, labels in states.items()} == sets
        for states in known
    )
    return known[0] if agree else None


def row_sums(table: Table) -> Table:
    """The sums over the last axis; infinite, without a warning, where numbers that a file may hold are too large."""
    with np.errstate(over="ignore", invalid="ignore"):
        sums: Table = table.sum(-1)
    return sums


def _in_order(network: Network, variable: str, other: DAG) -> Table:
    """The table of a variable with its parents in the order that they have in another DAG over the same arcs."""
    assert network.cpts is not None
    mine = network.dag.parents(variable)
    axes = [mine.index(parent) for parent in other.parents(variable)]
    return network.cpts[variable].transpose([*axes, len(axes)])


def _checked_states(dag: DAG, states: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    checked = {}
    for variable in dag.variables:
        if variable not in states:
            raise GraphError(f"variable {variable!r} has no states")
        labels = tuple(states[variable])
        if not labels:
            raise GraphError(f"variable {variable!r} has no states")
        if len(set(labels)) != len(labels):
            twice = next(label for label in labels if labels.count(label) > 1)
            raise GraphError(f"variable {variable!r} has the state {twice!r} twice")
        checked[variable] = labels
    return checked


def _checked_cpts(
    dag: DAG, states: Mapping[str, tuple[str, ...]] | None, cpts: Mapping[str, npt.ArrayLike]
) -> dict[str, Table]:
    if states is None:
        raise GraphError("tables need the states of the variables")
    checked = {}
    for variable in dag.variables:
        if variable not in cpts:
            raise GraphError(f"variable {variable!r} has no table")
        table = np.array(cpts[variable], np.float64)
        shape = tuple(len(states[name]) for name in (*dag.parents(variable), variable))
        if table.shape != shape:
            raise GraphError(f"the table of {variable!r} has the shape {table.shape}, its states need {shape}")
        # A sum that is no number fails the second comparison.
        if not ((table >= 0).all() and np.abs(row_sums(table) - 1).max() <= ROUNDING):
            raise GraphError(f"the table of {variable!r} has a row that is no probability distribution")
        table.flags.writeable = False
        checked[variable] = table
    return checked
