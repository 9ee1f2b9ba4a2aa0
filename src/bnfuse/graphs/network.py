"""A Bayesian network: a DAG and, if known, the states and conditional probability tables of its variables."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from bnfuse._base import display
from bnfuse._base.public import public
from bnfuse.errors import BnfuseWarning, GraphError
from bnfuse.graphs.dag import DAG, Immutable, NetworkLike, as_dag, lookalike
from bnfuse.graphs.distribution import Distribution
from bnfuse.graphs.interop import pgmpy
from bnfuse.graphs.interop.pyagrum import models as _pyagrum_models

if TYPE_CHECKING:
    from bnfuse.data.data import Data, DataLike
    from bnfuse.inference.asking.explanations import Explanation
    from bnfuse.inference.asking.information import Informative
    from bnfuse.inference.asking.sensitivity import Sensitivity
    from bnfuse.inference.evidence import Beliefs, Evidence, Interventions

ROUNDING = 2e-6
"""How far the sum of a distribution may be from 1: as much as six printed digits leave."""
REPAIRABLE = 1.0001e-2
"""The largest deviation of a sum from 1 that is corrected, and reported."""
ASSUMED_STATES = ("yes", "no")
"""The states of variables whose states are not known, where states are needed."""
BOOTSTRAP = "bootstrap"
"""The mark of a network that was learned from a resample of data."""


Table = npt.NDArray[np.float64]

Cuts = Mapping[str, tuple[float, ...]]
"""The classes of discretised numbers: for each variable, the largest number of each class but the last."""

Codes = npt.NDArray[np.signedinteger[Any]]
"""States by number, -1 if missing."""


@public
class Network(Immutable):
    """An immutable Bayesian network: a DAG, with states and conditional probability tables if they are known.

    Parameters
    ----------
    dag
        The structure.
    states
        The labels of each variable's states; None if they are not known.
    cpts
        The table of each variable: one axis for each parent, in the order of `dag.parents(variable)`, and the
        variable's own states last, which sum to 1. None for a structure without tables; tables need states.
    name
        Its name in tables and messages.
    made_by
        The operation that made the network, such as "consensus". Files in formats with properties, and ensembles, keep
        it.
    cuts
        The cut points of variables whose states are classes of numbers: for each, the largest number of each class but
        the last. Files in formats with properties keep them.

    Raises
    ------
    GraphError
        States or tables are missing, have the wrong shape, or a row is not a probability distribution.

    Examples
    --------
    >>> import bnfuse
    >>> network = bnfuse.Network(
    ...     bnfuse.DAG.from_edges([("Smoker", "Cancer")]),
    ...     states={"Smoker": ("yes", "no"), "Cancer": ("yes", "no")},
    ...     cpts={"Smoker": [0.3, 0.7], "Cancer": [[0.1, 0.9], [0.01, 0.99]]},
    ... )
    >>> network
    <Network: 2 variables, 1 arcs, tables>
    >>> round(network.query("Cancer", given={"Smoker": "yes"})["yes"], 3)
    0.1
    """

    def __init__(
        self,
        dag: DAG,
        states: Mapping[str, tuple[str, ...]] | None = None,
        cpts: Mapping[str, npt.ArrayLike] | None = None,
        name: str = "",
        made_by: str = "",
        cuts: Cuts | None = None,
    ) -> None:
        known = None if states is None else MappingProxyType(_checked_states(dag, states))
        tables = None if cpts is None else MappingProxyType(_checked_cpts(dag, known, cpts))
        self.__dict__.update(
            _dag=dag, _states=known, _cpts=tables, _name=name, _made_by=made_by, _cuts=_own_cuts(dag, known, cuts or {})
        )

    _dag: DAG
    _states: Mapping[str, tuple[str, ...]] | None
    _cpts: Mapping[str, Table] | None
    _name: str
    _made_by: str
    _cuts: Cuts

    @property
    def dag(self) -> DAG:
        """The structure."""
        return self._dag

    @property
    def name(self) -> str:
        """Its name in tables and messages; empty if there is none."""
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
    def has_parameters(self) -> bool:
        """Whether it has more than a structure and states: tables, or the numbers of a Gaussian network."""
        return self._cpts is not None

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the variables, in their given order."""
        return self._dag.variables

    @property
    def made_by(self) -> str:
        """The operation that made it, such as "consensus"; empty if bnfuse did not make it."""
        return self._made_by

    @property
    def cuts(self) -> Cuts:
        """The cut points of variables whose states are classes of numbers, as far as they are known."""
        return self._cuts

    def renamed(self, name: str) -> Self:
        """The same network with another name.

        Parameters
        ----------
        name
            The new name.

        Returns
        -------
        Network
            A network that is equal to this one.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.Network(bnfuse.DAG.from_edges([("A", "B")])).renamed("harbour").name
        'harbour'
        """
        return self._with(_name=name)

    def marked(self, made_by: str) -> Self:
        """The same network, marked with the operation that made it.

        Parameters
        ----------
        made_by
            The mark, such as "consensus".

        Returns
        -------
        Network
            A network that is equal to this one.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.Network(bnfuse.DAG.from_edges([("A", "B")])).marked("expert panel").made_by
        'expert panel'
        """
        return self._with(_made_by=made_by)

    def _with(self, **changes: Any) -> Self:
        copy = type(self).__new__(type(self))
        copy.__dict__.update(self.__dict__, **changes)
        return copy

    def query(
        self,
        variables: str | Iterable[str],
        given: Evidence | None = None,
        *,
        beliefs: Beliefs | None = None,
        do: Interventions | None = None,
    ) -> Distribution:
        """The distribution of a variable, or the joint one of several, given findings on others.

        The answer is exact. A query whose tables would not fit the limits on memory is refused before anything is
        built.

        Parameters
        ----------
        variables
            A name, or several.
        given
            Findings: for each variable a state; several states, of which one holds; or a likelihood for each state
            (soft evidence), whose scale does not matter. A state that is not named has the likelihood 0.
        beliefs
            The distributions that variables are to have after the findings (Jeffrey's rule): probabilities by state,
            which sum to 1. All beliefs hold together in the answer.
        do
            The states to which variables are set from outside: the answer is that of the network that `do` returns.

        Returns
        -------
        Distribution
            The probabilities, by state.

        Raises
        ------
        EvidenceError
            A variable or state is unknown, or the evidence has probability 0.
        TooLargeError
            A table would take too much memory.
        OptionError
            The network has no tables.

        Examples
        --------
        >>> import bnfuse
        >>> network = bnfuse.Network(
        ...     bnfuse.DAG.from_edges([("Smoker", "Cancer")]),
        ...     states={"Smoker": ("yes", "no"), "Cancer": ("yes", "no")},
        ...     cpts={"Smoker": [0.3, 0.7], "Cancer": [[0.1, 0.9], [0.01, 0.99]]},
        ... )
        >>> network.query("Smoker", given={"Cancer": "yes"})
        Smoker  probability
        yes          0.8108
        no           0.1892
        >>> round(network.query(["Smoker", "Cancer"])["yes", "no"], 3)
        0.27

        A test that is three times as likely to be positive for a person with cancer, and a survey that finds more
        smokers:

        >>> round(network.query("Smoker", given={"Cancer": {"yes": 0.9, "no": 0.3}})["yes"], 4)
        0.3352
        >>> round(network.query("Cancer", beliefs={"Smoker": {"yes": 0.5, "no": 0.5}})["yes"], 4)
        0.055

        Setting a variable gives no information about its causes:

        >>> round(network.query("Smoker", do={"Cancer": "yes"})["yes"], 4)
        0.3
        """
        from bnfuse.inference.queries import query  # noqa: PLC0415 - inference works on networks

        asked: Any = [variables] if isinstance(variables, str) else variables
        asked = tuple(asked) if isinstance(asked, Iterable) else asked
        table = query(self, asked, given, beliefs=beliefs, do=do)
        assert self._states is not None
        return Distribution(asked, {name: self._states[name] for name in asked}, table)

    def do(self, states: Interventions) -> Network:
        """The network after an intervention: some variables are set from outside, whatever their causes.

        A variable that is set loses its parents and has its state with certainty. The result describes the world only
        if the arcs are causes and no common cause of two variables is missing.

        Parameters
        ----------
        states
            The state to which each of these variables is set.

        Returns
        -------
        Network
            The network over the same variables.

        Raises
        ------
        EvidenceError
            A variable or state is unknown.
        OptionError
            The network has no tables.

        Examples
        --------
        >>> import bnfuse
        >>> network = bnfuse.Network(
        ...     bnfuse.DAG.from_edges([("Smoker", "Cancer")]),
        ...     states={"Smoker": ("yes", "no"), "Cancer": ("yes", "no")},
        ...     cpts={"Smoker": [0.3, 0.7], "Cancer": [[0.1, 0.9], [0.01, 0.99]]},
        ... )
        >>> treated = network.do({"Cancer": "no"})
        >>> treated.dag.edges, round(treated.query("Smoker")["yes"], 4)
        ((), 0.3)
        """
        from bnfuse.inference.asking.interventions import intervened  # noqa: PLC0415 - as above

        return intervened(self, states)

    def most_probable(
        self,
        given: Evidence | None = None,
        of: Iterable[str] | None = None,
        k: int = 1,
        *,
        beliefs: Beliefs | None = None,
        do: Interventions | None = None,
    ) -> tuple[Explanation, ...]:
        """The most probable states of all variables together, or of some of them (MPE, marginal MAP).

        The answer is exact. Summing out the other variables can need larger tables than a query does; tables over the
        limits on memory are refused before anything is built.

        Parameters
        ----------
        given
            Findings, as in `query`.
        of
            The variables; by default all whose states are not known.
        k
            How many explanations, at most 100: the k most probable ones, the best first. Equally probable ones are
            listed in the order of their states, and are the same in each run.
        beliefs
            The distributions that variables are to have, as in `query`.
        do
            The states to which variables are set, as in `query`.

        Returns
        -------
        tuple of Explanation
            The explanations; fewer than k if no more are possible.

        Raises
        ------
        EvidenceError
            A variable or state is unknown, or the evidence has probability 0.
        TooLargeError
            A table would take too much memory.
        OptionError
            The network has no tables, or k is not a number from 1 to 100.

        Examples
        --------
        >>> import bnfuse
        >>> network = bnfuse.Network(
        ...     bnfuse.DAG.from_edges([("Smoker", "Cancer")]),
        ...     states={"Smoker": ("yes", "no"), "Cancer": ("yes", "no")},
        ...     cpts={"Smoker": [0.3, 0.7], "Cancer": [[0.1, 0.9], [0.01, 0.99]]},
        ... )
        >>> for one in network.most_probable(given={"Cancer": "yes"}, k=2):
        ...     print(one.states, round(one.probability, 4))
        {'Smoker': 'yes'} 0.8108
        {'Smoker': 'no'} 0.1892
        """
        from bnfuse.inference.asking.explanations import most_probable  # noqa: PLC0415 - as above

        return most_probable(self, given, of, k, beliefs=beliefs, do=do)

    def informative(
        self,
        target: str,
        given: Evidence | None = None,
        *,
        beliefs: Beliefs | None = None,
        do: Interventions | None = None,
    ) -> tuple[Informative, ...]:
        """Which finding would tell the most about a variable, given others: the value of information.

        Parameters
        ----------
        target
            The variable to find out about.
        given
            Findings, as in `query`.
        beliefs
            The distributions that variables are to have, as in `query`.
        do
            The states to which variables are set, as in `query`.

        Returns
        -------
        tuple of Informative
            One for each other variable whose state is not known, the most informative first.

        Raises
        ------
        EvidenceError
            A variable or state is unknown, the evidence has probability 0, or the target is known.
        TooLargeError
            A table would take too much memory.
        OptionError
            The network has no tables.

        Examples
        --------
        >>> import bnfuse
        >>> network = bnfuse.Network(
        ...     bnfuse.DAG.from_edges([("Smoker", "Cancer")]),
        ...     states={"Smoker": ("yes", "no"), "Cancer": ("yes", "no")},
        ...     cpts={"Smoker": [0.3, 0.7], "Cancer": [[0.1, 0.9], [0.01, 0.99]]},
        ... )
        >>> best, = network.informative("Cancer")
        >>> best.variable, round(best.mutual_information, 4), round(best.reduction, 3)
        ('Smoker', 0.0311, 0.136)
        """
        from bnfuse.inference.asking.information import informative  # noqa: PLC0415 - as above

        return informative(self, target, given, beliefs=beliefs, do=do)

    def sensitivity(
        self,
        target: str,
        state: str,
        given: Evidence | None = None,
        *,
        do: Interventions | None = None,
        most: int = 10,
        spread: float = 0.1,
    ) -> Sensitivity:
        """How the probability of a state changes with single entries of the tables: exact one-way functions.

        The rest of an entry's row changes in proportion, so that it still sums to 1; if the rest is 0, it changes
        evenly.

        Parameters
        ----------
        target
            A variable.
        state
            The state whose probability is examined.
        given
            Findings, as in `query`.
        do
            The states to which variables are set, as in `query`.
        most
            The number of entries: those that change the probability most when they are decreased or increased by
            `spread`.
        spread
            A share of each entry, above 0 and at most 1.

        Returns
        -------
        Sensitivity
            The entries, each with its function; `draw` makes a tornado plot of them.

        Raises
        ------
        EvidenceError
            A variable or state is unknown, the evidence has probability 0, or the target is known.
        TooLargeError
            A table would take too much memory.
        OptionError
            The network has no tables, or an option is invalid.

        Examples
        --------
        >>> import bnfuse
        >>> network = bnfuse.Network(
        ...     bnfuse.DAG.from_edges([("Smoker", "Cancer")]),
        ...     states={"Smoker": ("yes", "no"), "Cancer": ("yes", "no")},
        ...     cpts={"Smoker": [0.3, 0.7], "Cancer": [[0.1, 0.9], [0.01, 0.99]]},
        ... )
        >>> first = network.sensitivity("Smoker", "yes", given={"Cancer": "yes"}).influences[0]
        >>> first.variable, first.state, round(first.low, 3), round(first.high, 3)
        ('Cancer', 'no', 0.282, 1.0)
        >>> round(first.at(0.5), 4)
        0.0789
        """
        from bnfuse.inference.asking.sensitivity import sensitivity  # noqa: PLC0415 - as above

        return sensitivity(self, target, state, given, do=do, most=most, spread=spread)

    def log_likelihood(self, data: DataLike) -> float:
        """The natural logarithm of the probability of data: independent rows, some of whose values may be missing.

        Parameters
        ----------
        data
            A CSV or Parquet file, a DataFrame, or Data. A row counts as many times as its weight.

        Returns
        -------
        float
            The logarithm; -inf if a row is impossible.

        Raises
        ------
        MismatchError
            The data lack a variable, or have states that the network lacks.
        FileError
            The file cannot be read.
        TooLargeError
            Missing values need tables that take too much memory.
        OptionError
            The network has no tables.

        Examples
        --------
        >>> import bnfuse
        >>> coin = bnfuse.Network(bnfuse.DAG(["Coin"]), {"Coin": ("heads", "tails")}, {"Coin": [0.5, 0.5]})
        >>> round(coin.log_likelihood(coin.sample(100)), 4)
        -69.3147
        """
        from bnfuse.data.data import as_data  # noqa: PLC0415 - data know networks
        from bnfuse.inference.evidence import check_tables  # noqa: PLC0415 - as above
        from bnfuse.inference.queries import log_likelihood  # noqa: PLC0415 - as above

        check_tables(self)
        rows = as_data(data, self.variables, self._states)
        return log_likelihood(self, rows.codes, weights=rows.weights)

    def fit(
        self,
        data: DataLike,
        prior: float = 1.0,
        *,
        na: Iterable[str] | None = None,
        weights: str | None = None,
    ) -> Network:
        """The network with tables estimated from data; missing values by expectation maximisation.

        Notes on the data are issued as a BnfuseWarning.

        Parameters
        ----------
        data
            A CSV or Parquet file, a DataFrame, or Data.
        prior
            The equivalent sample size of a uniform prior: that many rows, spread evenly over each table, are added to
            the counts. 0 is maximum likelihood.
        na
            The labels that mean a missing value, instead of NA, N/A, NaN, NULL, ? and the like; an empty cell is always
            missing.
        weights
            The column of a table with the number of rows that each row represents.

        Returns
        -------
        Network
            The same structure; a variable without known states gets the labels that occur.

        Raises
        ------
        MismatchError
            The data lack a variable, or have states that the network lacks.
        FileError
            The file cannot be read.
        TooLargeError
            A table would take too much memory.

        Examples
        --------
        >>> import bnfuse
        >>> coin = bnfuse.Network(bnfuse.DAG(["Coin"]), {"Coin": ("heads", "tails")}, {"Coin": [1.0, 0.0]})
        >>> round(coin.fit(coin.sample(99), prior=2).query("Coin")["heads"], 4)
        0.9901
        """
        from bnfuse.inference.parameters import fit  # noqa: PLC0415 - as above

        fitted = fit(self, data, prior=prior, na=na, weights=weights)
        for note in fitted.notes[1:]:
            _warn(note)
        return fitted.network

    def draw(self, path: str | os.PathLike[str], overwrite: bool = False) -> None:
        """Write a picture of the structure to a file: SVG, or PNG and PDF by matplotlib.

        Parameters
        ----------
        path
            The file: .svg, .png or .pdf.
        overwrite
            Whether a file other than a picture by bnfuse may be replaced.

        Raises
        ------
        FileError
            The file cannot be written, or exists and may not be replaced.
        MissingPackageError
            PNG and PDF need matplotlib.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.Network(bnfuse.DAG.from_edges([("A", "B")])).draw("network.svg")
        """
        from bnfuse.report.drawing.picture import Picture  # noqa: PLC0415 - drawings show networks
        from bnfuse.report.drawing.plots import draw  # noqa: PLC0415 - as above

        draw(Picture.of(self), Path(path), overwrite)

    def write(self, path: str | os.PathLike[str], overwrite: bool = False) -> None:
        """Write the network to a file whose extension chooses the format, as `bnfuse.write` does.

        Parameters
        ----------
        path
            The file.
        overwrite
            Whether a file that bnfuse did not write may be replaced.

        Raises
        ------
        FileError
            The file cannot be written, or exists and may not be replaced.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.Network(bnfuse.DAG.from_edges([("A", "B")])).write("network.csv")
        >>> bnfuse.read("network.csv")
        [<Network 'network': 2 variables, 1 arcs, structure only>]
        """
        from bnfuse.files import write  # noqa: PLC0415 - files hold networks

        write(self, path, overwrite=overwrite)

    def sample(self, n: int, seed: int = 0) -> Data:
        """Draw rows from the network; the same seed gives the same rows.

        Parameters
        ----------
        n
            The number of rows.
        seed
            A whole number.

        Returns
        -------
        Data
            The rows, with `to_pandas()` and `write(path)`.

        Raises
        ------
        MismatchError
            The network has no tables.
        OptionError
            A number is not whole, or too small.

        Examples
        --------
        >>> import bnfuse
        >>> coin = bnfuse.Network(bnfuse.DAG(["Coin"]), {"Coin": ("heads", "tails")}, {"Coin": [0.5, 0.5]})
        >>> len(coin.sample(100))
        100
        """
        from bnfuse.inference.sampling import sample  # noqa: PLC0415 - as above

        return sample(self, n, seed)

    def to_pyagrum(self) -> Any:
        """The network as a pyAgrum BayesNet. Unknown states become two, unknown tables uniform, and both are marked.

        Returns
        -------
        pyagrum.BayesNet
            A new network.

        Raises
        ------
        MissingPackageError
            pyAgrum is not installed.

        Examples
        --------
        >>> import bnfuse
        >>> coin = bnfuse.Network(bnfuse.DAG(["Coin"]), {"Coin": ("heads", "tails")}, {"Coin": [0.5, 0.5]})
        >>> network = coin.to_pyagrum()
        >>> network.variable("Coin").labels()
        ('heads', 'tails')
        """
        known = self._states or dict.fromkeys(self.variables, ASSUMED_STATES)
        return _pyagrum_models.bayesnet(self._dag, known, self._cpts, self._name, assumed_states=not self._states)

    def to_pgmpy(self) -> Any:
        """The network as a pgmpy DiscreteBayesianNetwork: with CPDs if it has tables, otherwise without.

        Returns
        -------
        pgmpy.models.DiscreteBayesianNetwork
            A new model.

        Raises
        ------
        MissingPackageError
            pgmpy is not installed.

        Examples
        --------
        >>> import bnfuse
        >>> coin = bnfuse.Network(bnfuse.DAG(["Coin"]), {"Coin": ("heads", "tails")}, {"Coin": [0.5, 0.5]})
        >>> coin.to_pgmpy().get_cpds("Coin").values  # doctest: +SKIP
        array([0.5, 0.5])
        """
        return pgmpy.model_of(self._dag, self._states, self._cpts, self._name)

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

    def _repr_html_(self) -> str | None:
        return display.html(self)

    def __repr__(self) -> str:
        known = "tables" if self._cpts else "states, no tables" if self._states else "structure only"
        label = f" {self._name!r}" if self._name else ""
        return f"<Network{label}: {len(self.variables)} variables, {len(self._dag.arc_numbers)} arcs, {known}>"

    def __reduce__(self) -> tuple[Any, ...]:
        states = None if self._states is None else dict(self._states)
        cpts = None if self._cpts is None else dict(self._cpts)
        return Network, (self._dag, states, cpts, self._name, self._made_by, dict(self._cuts))


def as_network(network: NetworkLike) -> Network:
    """A network with everything known about it.

    A pyAgrum BayesNet and a pgmpy model keep their states and tables, or become a GaussianNetwork. A consensus becomes
    its network. Anything else with a structure becomes a network without states and tables. A BnfuseWarning reports the
    parts of a model that cannot be kept.
    """
    from bnfuse.graphs.gaussian_network import gaussian_of  # noqa: PLC0415 - it is a Network

    whole = getattr(network, "network", network)
    if isinstance(whole, Network):
        return whole
    if (gaussian := gaussian_of(network)) is not None:
        return gaussian
    if _pyagrum_models.is_model(network):
        return _assembled(*_pyagrum_models.parts_of(network), f"the pyAgrum network{_called(network)}")
    if pgmpy.is_model(network):
        return _assembled(*pgmpy.parts_of(network), f"the pgmpy model{_called(network)}")
    return Network(as_dag(network))


def _called(model: Any) -> str:
    name = getattr(model, "name", "")
    return f" {name!r:.60}" if isinstance(name, str) and name else ""


def _assembled(dag: DAG, states: Mapping[str, tuple[str, ...]], tables: Mapping[str, Table], what: str) -> Network:
    """The network of a model; if states or tables of some variables are missing, it has none."""
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
    """Tables whose rows sum to 1: small errors are corrected, those larger than `silently` with a warning."""
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
    """The states of the variables on which all networks with states for them agree, in the order of the first.

    None if no network has states. A variable on which they disagree is missing: see `differing_states`.
    """
    known = _known_states(networks)
    if not known:
        return None
    differing = _differing(known)
    return {variable: labels for variable, (_, labels) in _first_states(known).items() if variable not in differing}


def differing_states(networks: Iterable[NetworkLike]) -> str | None:
    """A sentence about the variables on whose states networks disagree; None if there are none."""
    differing = _differing(_known_states(networks))
    if not differing:
        return None
    variable, how = next(iter(differing.items()))
    more = f", and so do those of {len(differing) - 1} more" if len(differing) > 1 else ""
    return f"the states of {variable!r} differ: {how}{more}"


_Known = Sequence[tuple[str, Mapping[str, tuple[str, ...]]]]


def _first_states(known: _Known) -> dict[str, tuple[str, tuple[str, ...]]]:
    """For each variable, the first network that has it, and its states there."""
    first: dict[str, tuple[str, tuple[str, ...]]] = {}
    for label, states in known:
        for variable, labels in states.items():
            first.setdefault(variable, (label, labels))
    return first


def _differing(known: _Known) -> dict[str, str]:
    """The variables whose states differ, and the difference."""
    first = _first_states(known)
    differing: dict[str, str] = {}
    for other, states in known:
        for variable, labels in states.items():
            label, wanted = first[variable]
            if variable not in differing and not _same(labels, wanted):
                differing[variable] = (
                    f"{', '.join(wanted)} in {label} and {', '.join(labels)} in {other}{alike_labels(wanted, labels)}"
                )
    return differing


def alike_labels(labels: Iterable[str], others: Iterable[str]) -> str:
    """An addition to a message about states that differ, if some of them may be meant to be the same."""
    own, other = set(labels), set(others)
    pairs = [(label, twin) for label in sorted(own - other) if (twin := lookalike(label, sorted(other - own)))]
    return "" if not pairs else f" ({pairs[0][0]!r} and {pairs[0][1]!r} are spelled differently)"


def with_states(dag: DAG, known: Mapping[str, tuple[str, ...]] | None, name: str = "") -> Network:
    """A structure with its known states; if any are known, the other variables get two."""
    if not known:
        return Network(dag, name=name)
    return Network(dag, {variable: known.get(variable, ASSUMED_STATES) for variable in dag.variables}, name=name)


def _known_states(networks: Iterable[NetworkLike]) -> _Known:
    """The states of the networks that have any, with the networks' names for messages."""
    return [
        (network.name or f"network {place}", network.states)
        for place, network in enumerate(networks, 1)
        if isinstance(network, Network) and network.states is not None
    ]


def _same(labels: tuple[str, ...], others: tuple[str, ...]) -> bool:
    return labels == others or frozenset(labels) == frozenset(others)


def row_sums(table: Table) -> Table:
    """The sums over the last axis; infinite, without a warning, if numbers in a file are too large."""
    with np.errstate(over="ignore", invalid="ignore"):
        sums: Table = table.sum(-1)
    return sums


def _in_order(network: Network, variable: str, other: DAG) -> Table:
    """The table of a variable with its parents in the order that they have in another DAG over the same arcs."""
    assert network.cpts is not None
    mine = network.dag.parents(variable)
    axes = [mine.index(parent) for parent in other.parents(variable)]
    return network.cpts[variable].transpose([*axes, len(axes)])


def _own_cuts(dag: DAG, states: Mapping[str, tuple[str, ...]] | None, cuts: Cuts) -> Cuts:
    """The cut points that belong to a network: one fewer than the variable has states."""
    known = states or {}
    own = {v: tuple(cuts[v]) for v in dag.variables if v in cuts and len(cuts[v]) == len(known.get(v, ())) - 1}
    return MappingProxyType(own)


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
        # NaN fails the first comparison, and numbers that pass it cannot make the sum overflow.
        if not (((table >= 0) & (table <= 1 + ROUNDING)).all() and np.abs(table.sum(-1) - 1).max() <= ROUNDING):
            raise GraphError(f"the table of {variable!r} has a row that is not a probability distribution")
        table.flags.writeable = False
        checked[variable] = table
    return checked
