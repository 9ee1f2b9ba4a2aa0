"""A Bayesian network: a DAG, and the states and conditional probability tables of its variables where known."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bnfuse import _pgmpy
from bnfuse._errors import BnfuseWarning, GraphError
from bnfuse._pyagrum import models as _pyagrum_models
from bnfuse.dag import DAG, Immutable, NetworkLike, as_dag

if TYPE_CHECKING:
    from bnfuse.data import Data

ROUNDING = 2e-6
"""How far from 1 the sum of a distribution may be: what six printed digits leave."""
REPAIRABLE = 1e-3
"""How far from 1 a sum may be to be put right, which is said."""
ASSUMED_STATES = ("yes", "no")
"""What variables get whose states are not known, where they need some."""

Table = npt.NDArray[np.float64]


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

    def to_pyagrum(self) -> Any:
        """As a pyAgrum BayesNet. States and tables that are not known are two and uniform, and marked so."""
        known = self._states or dict.fromkeys(self.variables, ASSUMED_STATES)
        return _pyagrum_models.bayesnet(self._dag, known, self._cpts, self._name, assumed_states=not self._states)

    def to_pgmpy(self) -> Any:
        """As a pgmpy DiscreteBayesianNetwork: with CPDs if the network has tables, otherwise without any."""
        return _pgmpy.model_of(self._dag, self._states, self._cpts, self._name)

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
    """A network with all that is known of it.

    A pyAgrum BayesNet and a pgmpy model bring their states and tables, a consensus its network; anything else that has
    a structure is a network without states and tables. What cannot be kept of a model is said by a BnfuseWarning.
    """
    whole = getattr(network, "network", network)
    if isinstance(whole, Network):
        return whole
    if _pyagrum_models.is_model(network):
        return _assembled(*_pyagrum_models.parts_of(network), f"the pyAgrum network{_called(network)}")
    if _pgmpy.is_model(network):
        return _assembled(*_pgmpy.parts_of(network), f"the pgmpy model{_called(network)}")
    return Network(as_dag(network))


def _called(model: Any) -> str:
    name = getattr(model, "name", "")
    return f" {name!r:.60}" if isinstance(name, str) and name else ""


def _assembled(dag: DAG, states: Mapping[str, tuple[str, ...]], tables: Mapping[str, Table], what: str) -> Network:
    """The network of a model, which may lack states or tables of some variables: then it has none."""
    known = states if len(states) == len(dag.variables) else None
    bare = [variable for variable in dag.variables if variable not in tables]
    if not bare:
        return Network(dag, known, normalised(tables, what))
    if tables:
        more = f" and {len(bare) - 1:,} more" if len(bare) > 1 else ""
        dropped = "its tables are" if known else "its states and tables are"
        _warn(f"{what} has no table for {bare[0]!r}{more}: {dropped} left out")
    return Network(dag, known)


def normalised(tables: Mapping[str, Table], source: str, silently: float = ROUNDING) -> dict[str, Table]:
    """Tables whose rows sum to 1: small errors are put right, larger ones than `silently` with a warning."""
    checked, said = {}, []
    for variable, table in tables.items():
        possible = bool(((table >= 0) & (table <= 1 + REPAIRABLE)).all())
        sums = table.sum(-1, keepdims=True) if possible else np.zeros(1)
        off = float(np.abs(sums - 1).max())
        if off > REPAIRABLE:
            raise GraphError(
                f"the table of {variable!r} is missing or has a row that is not a probability distribution"
            )
        checked[variable] = table / sums if off > ROUNDING else table
        if off > silently:
            said.append(variable)
    if said:
        where = "a table" if len(said) == 1 else f"{len(said):,} tables"
        _warn(f"{source}: renormalised rows that do not sum to 1, in {where}, first: {said[0]!r}")
    return checked


def _warn(message: str) -> None:
    warnings.warn(message, BnfuseWarning, stacklevel=2)


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
        # What is not a number fails the first comparison, and nothing that passes it can overflow the sum.
        if not (((table >= 0) & (table <= 1 + ROUNDING)).all() and np.abs(table.sum(-1) - 1).max() <= ROUNDING):
            raise GraphError(f"the table of {variable!r} has a row that is not a probability distribution")
        table.flags.writeable = False
        checked[variable] = table
    return checked
