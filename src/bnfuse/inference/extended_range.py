"""Tables of numbers with unlimited exponents, for products that would underflow as ordinary numbers.

Ordinary tables are fast, and nearly always sufficient. Code that multiplies them lets an underflow raise an error, and
then repeats the computation with these.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from bnfuse.graphs.network import Table

Numbers: TypeAlias = Any
"""A Table or a Wide one: both can be multiplied, summed, reshaped, transposed and indexed in the same way."""

_ZERO = -(2**29)  # the exponent of 0: two of them can still be added
_NOTHING = -2000  # a number that is smaller by this exponent of 2 adds nothing


class Wide:
    """A table in which each number is a fraction from [1/2, 1), or 0, times a power of 2."""

    __slots__ = ("exponents", "fractions")

    def __init__(self, fractions: Table, exponents: npt.NDArray[np.int32]) -> None:
        self.fractions = np.asarray(fractions)
        self.exponents = np.where(fractions == 0, np.int32(_ZERO), exponents)

    @classmethod
    def of(cls, table: Table) -> Wide:
        """The same numbers."""
        return cls(*np.frexp(table))

    @property
    def shape(self) -> tuple[int, ...]:
        """The length of each axis."""
        return self.fractions.shape

    def __len__(self) -> int:
        return len(self.fractions)

    def __mul__(self, other: Wide) -> Wide:
        fractions, exponents = np.frexp(self.fractions * other.fractions)
        return Wide(fractions, exponents + self.exponents + other.exponents)

    def over(self, other: Wide) -> Wide:
        """The quotient; 0 if both are 0."""
        ratio = np.divide(self.fractions, other.fractions, out=np.zeros(self.shape), where=other.fractions > 0)
        fractions, exponents = np.frexp(ratio)
        return Wide(fractions, exponents + self.exponents - other.exponents)

    def sum(self, axis: int | tuple[int, ...]) -> Wide:
        """The sums over some axes."""
        if axis == ():
            return self
        top = self.exponents.max(axis=axis, keepdims=True, initial=_ZERO)
        parts = np.ldexp(self.fractions, np.maximum(self.exponents - top, _NOTHING))
        fractions, exponents = np.frexp(parts.sum(axis=axis))
        return Wide(fractions, exponents + top.reshape(fractions.shape))

    def reshape(self, *shape: int | Sequence[int]) -> Wide:
        """The same numbers on other axes."""
        return Wide(self.fractions.reshape(*shape), self.exponents.reshape(*shape))  # type: ignore[arg-type]

    def transpose(self, axes: Sequence[int]) -> Wide:
        """The same numbers with their axes in another order."""
        return Wide(self.fractions.transpose(axes), self.exponents.transpose(axes))

    def __getitem__(self, index: Any) -> Wide:
        return Wide(self.fractions[index], self.exponents[index])

    def relative(self) -> Table:
        """Each table of the first axis as ordinary numbers, divided by a power of 2 near its largest number."""
        top = self.exponents.max(axis=tuple(range(1, self.fractions.ndim)), keepdims=True, initial=_ZERO)
        shares: Table = np.ldexp(self.fractions, np.maximum(self.exponents - top, _NOTHING))
        return shares

    def ordinary(self) -> Table:
        """As ordinary numbers; 0 or inf if a number is out of their range."""
        with np.errstate(over="ignore", under="ignore"):
            numbers: Table = np.ldexp(self.fractions, np.clip(self.exponents, _NOTHING, -_NOTHING))
        return numbers

    def logs(self) -> Table:
        """The natural logarithms; -inf of 0."""
        with np.errstate(divide="ignore"):
            logs: Table = np.log(self.fractions) + self.exponents * np.log(2.0)
        return logs


def stacked(tables: Sequence[Wide], axis: int) -> Wide:
    """Tables of one shape along a new axis."""
    return Wide(np.stack([table.fractions for table in tables], axis), np.stack([t.exponents for t in tables], axis))


def is_wide(numbers: Sequence[Numbers]) -> bool:
    """Whether the numbers are Wide ones."""
    return any(isinstance(table, Wide) for table in numbers)


def times(table: Numbers, other: Numbers) -> Numbers:
    """The product of two tables of one kind, in the memory of the first if it fits."""
    if isinstance(table, Wide) or np.broadcast_shapes(table.shape, other.shape) != table.shape:
        return table * other
    table *= other
    return table


def quotient(upper: Numbers, lower: Numbers) -> Numbers:
    """The quotient of two tables of one kind; 0 if both are 0."""
    if isinstance(upper, Wide):
        return upper.over(lower)
    return np.divide(upper, lower, out=np.zeros_like(upper), where=lower > 0)


def rescaled(table: Numbers) -> tuple[Numbers, npt.NDArray[np.int64]]:
    """Each table of the first axis divided by a power of 2 near its largest number, and the exponents of these."""
    if isinstance(table, Wide):  # never needs the extended range
        return table, np.zeros(len(table), np.int64)
    _, exponents = np.frexp(table.max(axis=tuple(range(1, table.ndim)), initial=0.0))
    factors = np.ldexp(1.0, -exponents).reshape([-1, *[1] * (table.ndim - 1)])
    return table * factors, exponents.astype(np.int64)


def plain(table: Numbers) -> Table:
    """Each table of the first axis as ordinary numbers, up to a factor."""
    ordinary: Table = table.relative() if isinstance(table, Wide) else table
    return ordinary
