"""A Gaussian network: each variable is a linear function of its parents plus normal noise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from bnfuse._base.options import real_number
from bnfuse._base.public import public
from bnfuse._base.spelling import unknown
from bnfuse.errors import GraphError
from bnfuse.graphs.dag import DAG
from bnfuse.graphs.interop import pgmpy
from bnfuse.graphs.interop.pyagrum import clg
from bnfuse.graphs.network import Network
from bnfuse.graphs.normal import JointNormal, Matrix, Normal, Vector

if TYPE_CHECKING:
    from bnfuse.data.numeric import NumericData, NumericLike

Coefficients = Mapping[str, Mapping[str, float]]
"""The coefficients of the parents of each variable."""
Numbers = Mapping[str, float]
"""A number for each of some variables."""


@public
class GaussianNetwork(Network):
    """An immutable Bayesian network of numbers: each variable is normal, with a mean that is linear in its parents.

    The value of a variable is its intercept, plus each parent's value times its coefficient, plus normal noise of mean
    0. It is a network without states and tables. Functions that accept networks use its arcs.

    Parameters
    ----------
    dag
        The structure.
    intercepts
        The intercept of each variable: its mean if all parents are 0.
    coefficients
        For each variable with parents, the coefficient of each parent.
    deviations
        The standard deviation of each variable's noise. It is 0 for a variable that is determined by its parents, or a
        constant.
    name
        Its name in tables and messages.
    made_by
        The operation that made the network, such as "consensus".

    Raises
    ------
    GraphError
        A number is missing, is not finite, or belongs to no arc, or a standard deviation is below 0.

    See Also
    --------
    Network : the same for variables with states.

    Examples
    --------
    >>> import bnfuse
    >>> network = bnfuse.GaussianNetwork(
    ...     bnfuse.DAG.from_edges([("Age", "Blood"), ("Dose", "Blood")]),
    ...     intercepts={"Age": 50, "Dose": 2, "Blood": 100},
    ...     coefficients={"Blood": {"Age": 0.5, "Dose": -3}},
    ...     deviations={"Age": 10, "Dose": 1, "Blood": 8},
    ... )
    >>> network
    <GaussianNetwork: 3 variables, 2 arcs>
    >>> network.query("Blood", given={"Age": 60}).mean
    124.0
    """

    def __init__(
        self,
        dag: DAG,
        intercepts: Numbers,
        coefficients: Coefficients,
        deviations: Numbers,
        name: str = "",
        made_by: str = "",
    ) -> None:
        super().__init__(dag, name=name, made_by=made_by)
        self.__dict__.update(
            _intercepts=_checked(dag, intercepts, "intercept"),
            _coefficients=_checked_coefficients(dag, coefficients),
            _deviations=_checked(dag, deviations, "standard deviation", least=0.0),
        )

    _intercepts: Numbers
    _coefficients: Coefficients
    _deviations: Numbers

    @property
    def intercepts(self) -> Numbers:
        """The intercept of each variable."""
        return self._intercepts

    @property
    def coefficients(self) -> Coefficients:
        """For each variable the coefficients of its parents, in the order of `dag.parents(variable)`."""
        return self._coefficients

    @property
    def deviations(self) -> Numbers:
        """The standard deviation of each variable's noise."""
        return self._deviations

    @property
    def has_parameters(self) -> bool:
        """Whether it has more than a structure: always."""
        return True

    @property
    def parameters(self) -> int:
        """The number of parameters: an intercept and a deviation for each variable, and a coefficient for each arc."""
        return 2 * len(self.variables) + len(self.dag.arc_numbers)

    def mean(self) -> Vector:
        """The means of all variables.

        Returns
        -------
        numpy.ndarray
            The means, in the order of `variables`.

        Examples
        --------
        >>> import bnfuse
        >>> dag = bnfuse.DAG.from_edges([("A", "B")])
        >>> bnfuse.GaussianNetwork(dag, {"A": 1, "B": 2}, {"B": {"A": 3}}, {"A": 1, "B": 1}).mean()
        array([1., 5.])
        """
        from bnfuse.inference.gaussian.joint import joint_of  # noqa: PLC0415 - inference works on networks

        return joint_of(self, self.variables).mean

    def covariance(self) -> Matrix:
        """The covariance matrix of all variables.

        Returns
        -------
        numpy.ndarray
            The matrix, in the order of `variables`.

        Examples
        --------
        >>> import bnfuse
        >>> dag = bnfuse.DAG.from_edges([("A", "B")])
        >>> bnfuse.GaussianNetwork(dag, {"A": 1, "B": 2}, {"B": {"A": 3}}, {"A": 1, "B": 1}).covariance()
        array([[ 1.,  3.],
               [ 3., 10.]])
        """
        from bnfuse.inference.gaussian.joint import joint_of  # noqa: PLC0415 - as above

        return joint_of(self, self.variables).covariance

    @overload  # type: ignore[override]
    def query(  # type: ignore[overload-overlap] # a text is one name
        self, variables: str, given: Numbers | None = None, *, beliefs: None = None, do: Numbers | None = None
    ) -> Normal: ...

    @overload
    def query(
        self, variables: Iterable[str], given: Numbers | None = None, *, beliefs: None = None, do: Numbers | None = None
    ) -> JointNormal: ...

    def query(
        self,
        variables: str | Iterable[str],
        given: Numbers | None = None,
        *,
        beliefs: None = None,
        do: Numbers | None = None,
    ) -> Normal | JointNormal:
        """The distribution of a variable, or the joint one of several, given the values of others.

        Parameters
        ----------
        variables
            A name, or a list of names.
        given
            The values of known variables.
        beliefs
            Not supported: beliefs are for networks with states.
        do
            The values to which variables are set from outside: the answer is that of the network that `do` returns.

        Returns
        -------
        Normal or JointNormal
            For one name, the mean and the standard deviation; for a list, the means and the covariance matrix.

        Raises
        ------
        EvidenceError
            A variable is unknown, a value is not a finite number, the findings are impossible, or some nearly follow
            from the others, which leaves too few exact digits.
        OptionError
            No variable is requested, or one is requested twice, or there are beliefs.

        Examples
        --------
        >>> import bnfuse
        >>> dag = bnfuse.DAG.from_edges([("Age", "Blood")])
        >>> network = bnfuse.GaussianNetwork(
        ...     dag, {"Age": 50, "Blood": 100}, {"Blood": {"Age": 0.5}}, {"Age": 10, "Blood": 5}
        ... )
        >>> network.query("Blood")
        variable  mean       sd  95 % interval
        Blood      125  7.07107  111.1 to 138.9
        >>> network.query("Age", given={"Blood": 130}).mean
        55.0
        >>> network.query("Age", do={"Blood": 130}).mean
        50.0
        >>> network.query(["Age", "Blood"]).covariance
        array([[100.,  50.],
               [ 50.,  50.]])
        """
        from bnfuse.inference.gaussian.asking import query  # noqa: PLC0415 - as above

        return query(self, variables, given, beliefs, do)

    def do(self, states: Numbers) -> GaussianNetwork:  # type: ignore[override]
        """The network after an intervention: some variables are set from outside, whatever their causes.

        Parameters
        ----------
        states
            The value to which each of these variables is set.

        Returns
        -------
        GaussianNetwork
            The network over the same variables; variables that are set have no parents and a standard deviation of 0.

        Raises
        ------
        EvidenceError
            A variable is unknown, or a value is not a finite number.

        Examples
        --------
        >>> import bnfuse
        >>> dag = bnfuse.DAG.from_edges([("A", "B")])
        >>> network = bnfuse.GaussianNetwork(dag, {"A": 0, "B": 0}, {"B": {"A": 2}}, {"A": 1, "B": 1})
        >>> network.do({"B": 3}).dag.edges
        ()
        """
        from bnfuse.inference.gaussian.asking import intervened  # noqa: PLC0415 - as above

        return intervened(self, states)

    def total_effect(self, cause: str, target: str) -> float:
        """How much the mean of a variable changes per unit of another variable that is set.

        It is the sum over the directed paths from one to the other of the products of their coefficients. It is an
        effect in the world only if the arcs are causes and no common cause of two variables is missing.

        Parameters
        ----------
        cause
            The variable that is set.
        target
            The variable that may change.

        Returns
        -------
        float
            The change; 0 if there is no directed path.

        Raises
        ------
        EvidenceError
            A variable is unknown.

        Examples
        --------
        >>> import bnfuse
        >>> dag = bnfuse.DAG.from_edges([("A", "B"), ("B", "C"), ("A", "C")])
        >>> network = bnfuse.GaussianNetwork(
        ...     dag, dict.fromkeys("ABC", 0), {"B": {"A": 2}, "C": {"A": 1, "B": 3}}, dict.fromkeys("ABC", 1)
        ... )
        >>> network.total_effect("A", "C")
        7.0
        """
        from bnfuse.inference.gaussian.asking import total_effect  # noqa: PLC0415 - as above

        return total_effect(self, cause, target)

    def log_likelihood(self, data: NumericLike) -> float:
        """The natural logarithm of the density of data: independent rows, some of whose values may be missing.

        Parameters
        ----------
        data
            A CSV or Parquet file, a pandas or polars DataFrame, an array, or NumericData. A row counts as many times as
            its weight.

        Returns
        -------
        float
            The logarithm; it may be above 0, as densities may be above 1.

        Raises
        ------
        MismatchError
            The data lack a variable, or hold something other than numbers.
        FileError
            The file cannot be read.
        OptionError
            A variable has no noise, so data have no density.

        Examples
        --------
        >>> import bnfuse
        >>> network = bnfuse.GaussianNetwork(bnfuse.DAG(["A"]), {"A": 0}, {}, {"A": 1})
        >>> round(network.log_likelihood({"A": [0.0, 1.0]}), 4)
        -2.3379
        """
        from bnfuse.inference.gaussian.rows import log_likelihood  # noqa: PLC0415 - as above

        return log_likelihood(self, data)

    def fit(
        self, data: NumericLike, prior: float = 0.0, *, na: Iterable[str] | None = None, weights: str | None = None
    ) -> GaussianNetwork:
        """The same structure with numbers estimated from data.

        Without a prior these are the maximum-likelihood estimates: least squares for each variable given its parents,
        and the root of the mean squared residual. Missing values are dealt with by expectation maximisation. Notes on
        the data are issued as a BnfuseWarning.

        Parameters
        ----------
        data
            A CSV or Parquet file, a pandas or polars DataFrame, an array, or NumericData.
        prior
            An equivalent number of rows in which the variables are independent, with the means and variances that they
            have in the data: the larger it is, the closer all coefficients are to 0.
        na
            The labels that mean a missing value, instead of NA, N/A, NaN, NULL, ? and the like; an empty cell is always
            missing.
        weights
            The column of a table with the number of rows that each row represents.

        Returns
        -------
        GaussianNetwork
            A new network.

        Raises
        ------
        MismatchError
            The data lack a variable or its values, or hold something other than numbers.
        FileError
            The file cannot be read.

        Examples
        --------
        >>> import bnfuse
        >>> network = bnfuse.GaussianNetwork(
        ...     bnfuse.DAG.from_edges([("A", "B")]), {"A": 0, "B": 0}, {"B": {"A": 0}}, {"A": 1, "B": 1}
        ... )
        >>> network.fit({"A": [0.0, 1.0, 2.0], "B": [1.0, 3.5, 5.0]}).coefficients["B"]["A"]
        2.0
        """
        from bnfuse.inference.gaussian.fitting import fit_with_warnings  # noqa: PLC0415 - as above

        return fit_with_warnings(self, data, prior, na=na, weights=weights)

    def sample(self, n: int, seed: int = 0) -> NumericData:  # type: ignore[override]
        """Draw rows from the network; the same seed gives the same rows.

        Parameters
        ----------
        n
            The number of rows.
        seed
            A whole number.

        Returns
        -------
        NumericData
            The rows.

        Raises
        ------
        OptionError
            A number is not whole, or too small.

        Examples
        --------
        >>> import bnfuse
        >>> network = bnfuse.GaussianNetwork(bnfuse.DAG(["A"]), {"A": 5}, {}, {"A": 1})
        >>> len(network.sample(100))
        100
        """
        from bnfuse.inference.gaussian.rows import sample  # noqa: PLC0415 - as above

        return sample(self, n, seed)

    def to_pyagrum(self) -> Any:
        """The network as a pyAgrum CLG.

        Returns
        -------
        pyagrum.clg.CLG
            A new network.

        Raises
        ------
        MissingPackageError
            pyAgrum is not installed, or IPython, which its CLG needs.
        GraphError
            A coefficient is 0, which a CLG cannot hold.

        Examples
        --------
        >>> import bnfuse
        >>> network = bnfuse.GaussianNetwork(bnfuse.DAG(["A"]), {"A": 5}, {}, {"A": 1})
        >>> network.to_pyagrum().variable("A").mu()  # doctest: +SKIP
        5.0
        """
        return clg.model_of(self.dag, self._intercepts, self._coefficients, self._deviations)

    def to_pgmpy(self) -> Any:
        """The network as a pgmpy LinearGaussianBayesianNetwork.

        Returns
        -------
        pgmpy.models.LinearGaussianBayesianNetwork
            A new model.

        Raises
        ------
        MissingPackageError
            pgmpy is not installed.

        Examples
        --------
        >>> import bnfuse
        >>> network = bnfuse.GaussianNetwork(bnfuse.DAG(["A"]), {"A": 5}, {}, {"A": 1})
        >>> network.to_pgmpy().get_cpds("A").std  # doctest: +SKIP
        1.0
        """
        return pgmpy.gaussian_model_of(self.dag, self._intercepts, self._coefficients, self._deviations, self.name)

    def __eq__(self, other: object) -> bool:
        """Same structure and numbers, to the last bit; the name does not count."""
        if not isinstance(other, GaussianNetwork):
            return False if isinstance(other, Network) else NotImplemented
        return self.dag == other.dag and all(
            getattr(self, part) == getattr(other, part) for part in ("_intercepts", "_coefficients", "_deviations")
        )

    def __hash__(self) -> int:
        return hash(self.dag)

    def __repr__(self) -> str:
        label = f" {self.name!r}" if self.name else ""
        return f"<GaussianNetwork{label}: {len(self.variables)} variables, {len(self.dag.arc_numbers)} arcs>"

    def __reduce__(self) -> tuple[Any, ...]:
        own = {name: dict(mine) for name, mine in self._coefficients.items()}
        return GaussianNetwork, (
            self.dag, dict(self._intercepts), own, dict(self._deviations), self.name, self.made_by,
        )  # fmt: skip


def is_gaussian(candidate: object) -> bool:
    """Whether this is a Gaussian network, a model of one, or a consensus that has one."""
    whole = getattr(candidate, "network", candidate)
    return isinstance(whole, GaussianNetwork) or gaussian_of(whole) is not None


def gaussian_of(model: Any) -> GaussianNetwork | None:
    """The Gaussian network for a model of another package; None for anything else."""
    for package in (pgmpy, clg):
        if package.is_gaussian(model):
            dag, intercepts, coefficients, deviations = package.gaussian_parts_of(model)
            name = getattr(model, "name", "")
            called = name if isinstance(name, str) else ""
            return GaussianNetwork(dag, intercepts, coefficients, deviations, called)
    return None


def _checked(dag: DAG, numbers: Numbers, noun: str, least: float | None = None) -> Numbers:
    """A finite number for each variable, in their order."""
    _refuse_others(numbers, dag, noun)
    checked = {}
    for variable in dag.variables:
        if variable not in numbers:
            raise GraphError(f"variable {variable!r} has no {noun}")
        checked[variable] = _number(numbers[variable], f"the {noun} of {variable!r}")
        if least is not None and checked[variable] < least:
            raise GraphError(f"the {noun} of {variable!r} must be at least {least:g}, got {checked[variable]:g}")
    return MappingProxyType(checked)


def _checked_coefficients(dag: DAG, coefficients: Coefficients) -> Coefficients:
    _refuse_others(coefficients, dag, "coefficients")
    checked = {}
    for variable in dag.variables:
        parents, own = dag.parents(variable), coefficients.get(variable, {})
        if not isinstance(own, Mapping):
            raise GraphError(f"the coefficients of {variable!r} must be a number for each parent, got {own!r:.60}")
        for name in own:
            if name not in parents:
                raise GraphError(f"{variable!r} has a coefficient for {name!r:.60}, which is not one of its parents")
        for parent in parents:
            if parent not in own:
                raise GraphError(f"the arc {parent} -> {variable} has no coefficient")
        numbers = {parent: _number(own[parent], f"the coefficient of {parent} -> {variable}") for parent in parents}
        checked[variable] = MappingProxyType(numbers)
    return MappingProxyType(checked)


def _refuse_others(given: object, dag: DAG, noun: str) -> None:
    if not isinstance(given, Mapping):
        raise GraphError(f"the {noun} of the variables must be a mapping from their names, got {given!r:.60}")
    known = frozenset(dag.variables)
    for name in given:
        if name not in known:
            raise GraphError(f"the {noun} of {name!r:.60}: {unknown('variable', name, dag.variables)}")


def _number(value: object, what: str) -> float:
    number = real_number(value)
    if number is None or not np.isfinite(number):
        raise GraphError(f"{what} must be a finite number, got {value!r:.60}")
    return float(number)
