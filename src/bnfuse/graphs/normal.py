"""Normal distributions with the names of their variables: the answers of a Gaussian network."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from bnfuse._base.options import finite, option_name, real_number
from bnfuse._base.public import public
from bnfuse._base.spelling import unknown
from bnfuse._base.texts import listed
from bnfuse.errors import EvidenceError, OptionError

Vector = npt.NDArray[np.float64]
Matrix = npt.NDArray[np.float64]

LEVEL = 0.95
"""the default level of an interval"""


@public
@dataclass(frozen=True, slots=True)
class Normal:
    """The normal distribution of one variable.

    Attributes
    ----------
    variable
        The name.
    mean
        The mean.
    sd
        The standard deviation; 0 for a value that is certain.

    Examples
    --------
    >>> import bnfuse
    >>> blood = bnfuse.Normal("Blood", 120.0, 10.0)
    >>> round(blood.density(120.0), 4)
    0.0399
    >>> blood
    variable  mean  sd  95 % interval
    Blood      120  10  100.4 to 139.6
    """

    variable: str
    mean: float
    sd: float

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        """The central interval that contains the value with a given probability.

        Parameters
        ----------
        level
            The probability, above 0 and below 1.

        Returns
        -------
        tuple of float
            Its lower and its upper end.

        Raises
        ------
        OptionError
            The level is not between 0 and 1.

        Examples
        --------
        >>> import bnfuse
        >>> low, high = bnfuse.Normal("Blood", 120.0, 10.0).interval(0.5)
        >>> round(low, 2), round(high, 2)
        (113.26, 126.74)
        """
        half = self.sd * normal_quantile(level)
        return self.mean - half, self.mean + half

    def density(self, value: float) -> float:
        """The density at a value.

        Parameters
        ----------
        value
            A number.

        Returns
        -------
        float
            The density.

        Raises
        ------
        OptionError
            The value is not a finite number, or the standard deviation is 0, so there is no density.

        Examples
        --------
        >>> import bnfuse
        >>> round(bnfuse.Normal("Blood", 0.0, 1.0).density(0.0), 4)
        0.3989
        """
        if not self.sd:
            raise OptionError(f"{self.variable!r} is certain to be {self.mean:g}, so it has no density")
        return NormalDist(self.mean, self.sd).pdf(finite("value", value))

    def __repr__(self) -> str:
        return _table([self])


@public
@dataclass(frozen=True, eq=False, slots=True)
class JointNormal:
    """The joint normal distribution of several variables.

    Indexing with the name of a variable gives its own distribution.

    Attributes
    ----------
    variables
        The names.
    mean
        The means, in their order.
    covariance
        The covariance matrix.

    Examples
    --------
    >>> import bnfuse, numpy as np
    >>> joint = bnfuse.JointNormal(("A", "B"), np.array([0.0, 1.0]), np.array([[1.0, 0.5], [0.5, 4.0]]))
    >>> joint["B"].sd
    2.0
    >>> joint
    variable  mean  sd  95 % interval
    A            0   1  -1.96 to 1.96
    B            1   2  -2.92 to 4.92
    """

    variables: tuple[str, ...]
    mean: Vector
    covariance: Matrix

    def __getitem__(self, variable: str) -> Normal:
        place = self._place(variable)
        return Normal(variable, float(self.mean[place]), math.sqrt(self.covariance[place, place]))

    def _place(self, variable: str) -> int:
        if variable not in self.variables:
            raise EvidenceError(
                f"the distribution has {unknown('variable', variable, self.variables)}; it is of "
                f"{listed(self.variables)}"
            )
        return self.variables.index(variable)

    @property
    def sd(self) -> Vector:
        """The standard deviations, in the order of the variables."""
        return np.sqrt(np.diag(self.covariance))

    @property
    def correlation(self) -> Matrix:
        """The correlations; 0 with a variable whose value is certain."""
        scale = np.where(self.sd > 0, self.sd, 1.0)
        found = np.asarray(self.covariance / np.outer(scale, scale), np.float64)
        np.fill_diagonal(found, 1.0)
        return found

    def density(self, values: Mapping[str, float]) -> float:
        """The joint density at a value of each variable.

        Parameters
        ----------
        values
            A number for each variable.

        Returns
        -------
        float
            The density.

        Raises
        ------
        EvidenceError
            A variable is unknown.
        OptionError
            A value is missing or not a finite number, or the covariance matrix is singular, so there is no density.

        Examples
        --------
        >>> import bnfuse, numpy as np
        >>> joint = bnfuse.JointNormal(("A", "B"), np.zeros(2), np.eye(2))
        >>> round(joint.density({"A": 0.0, "B": 0.0}), 4)
        0.1592
        """
        for name in values:
            self._place(name)
        if missing := [name for name in self.variables if name not in values]:
            raise OptionError(f"a density needs a value for each variable; there is none for {listed(missing)}")
        apart = np.array([finite(name, values[name]) for name in self.variables]) - self.mean
        scale = np.where(self.sd > 0, self.sd, 1.0)
        try:
            factor = np.linalg.cholesky(self.covariance / np.outer(scale, scale))
        except np.linalg.LinAlgError:
            raise OptionError(
                f"one of {listed(self.variables)} follows from the others, so together they have no density"
            ) from None
        standard = np.linalg.solve(factor, apart / scale)
        spread = float(np.log(np.diag(factor)).sum() + np.log(scale).sum())
        return math.exp(-0.5 * float(standard @ standard) - spread - 0.5 * len(apart) * math.log(2 * math.pi))

    def __repr__(self) -> str:
        return _table([self[name] for name in self.variables])


def normal_quantile(level: float) -> float:
    """How many standard deviations from the mean the ends of a central interval are."""
    number = real_number(level)
    if number is None or not 0 < number < 1:
        raise OptionError(f"{option_name('level')} must be above 0 and below 1, got {level!r:.60}")
    return NormalDist().inv_cdf(0.5 + number / 2)


def shown_value(number: float) -> str:
    """A number for people: six digits."""
    return f"{number:.6g}"


def shown_interval(answer: Normal, level: float = LEVEL) -> str:
    """An interval for people, four digits each."""
    low, high = answer.interval(level)
    return f"{low:.4g} to {high:.4g}"


def _table(answers: list[Normal]) -> str:
    rows = [("variable", "mean", "sd", "95 % interval")]
    rows += [(one.variable, shown_value(one.mean), shown_value(one.sd), shown_interval(one)) for one in answers]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        f"{name:<{widths[0]}}  {mean:>{widths[1]}}  {sd:>{widths[2]}}  {interval}" for name, mean, sd, interval in rows
    )
