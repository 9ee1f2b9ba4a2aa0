"""Limits on tables: every size is known before a table is built, and refused if it is over the limit."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from bnfuse._base.options import at_least, option_name, real_number, whole_number
from bnfuse._base.texts import listed, shown_number
from bnfuse.errors import OptionError, TooLargeError
from bnfuse.graphs.dag import DAG

NUMBER_BYTES = 8
MOST_NUMBERS = 2**62
"""No memory holds more, and the kernel counts exactly up to this number."""

_UNITS = {unit: 2 ** (10 * power) for power, unit in enumerate(("b", "kb", "mb", "gb", "tb"))}
_SIZE = re.compile(r"(\d{1,30}(?:\.\d{0,30})?(?:e\+?\d{1,2})?)\s*([kmgt]?i?b)?", re.IGNORECASE | re.ASCII)


def table_numbers(name: str, value: Any) -> int:
    """A table size as a count of numbers, or as a text with a unit: bytes, at 8 per number, in powers of 1,024.

    >>> table_numbers("max_table", 1e6), table_numbers("max_table", "64MB")
    (1000000, 8388608)
    """
    numbers = None
    if isinstance(value, str):
        if match := _SIZE.fullmatch(value.strip()):
            numbers = Fraction(match[1])
            if unit := match[2]:
                numbers = Fraction(numbers * _UNITS[unit.lower().replace("i", "")] // NUMBER_BYTES)
    elif (whole := whole_number(value)) is not None:
        numbers = Fraction(whole)
    elif (number := real_number(value)) is not None and math.isfinite(number):
        numbers = Fraction(number)
    if numbers is None or numbers < 1 or numbers.denominator != 1:
        raise OptionError(
            f"{option_name(name)} must be a whole number, at least 1, such as 1e6, or a size in bytes, such as 64MB; "
            f"got {value!r:.60}"
        )
    return min(int(numbers), MOST_NUMBERS)


def check_table_limit(name: str, max_table: int, counts: Mapping[str, int]) -> None:
    """Refuse a limit that the table of a single variable, by its number of states, exceeds."""
    for variable, states in counts.items():
        if states > max_table:
            alone = f"{variable!r} alone has {shown_number(states)} states"
            raise OptionError(f"{option_name(name)}: {max_table:,} is too small, as {alone}")


def most_members(counts: Sequence[int], max_table: int) -> int:
    """The largest number of variables, with these numbers of states, whose table has at most `max_table` numbers."""
    size = 1
    for members, count in enumerate(sorted(counts)):
        size *= count
        if size > max_table:
            return members
    return len(counts)


@dataclass(frozen=True, slots=True)
class TableLimits:
    """The limits on the memory of tables."""

    table: int = 10_000_000
    """numbers in one table"""
    total: int = 2 * 2**30
    """bytes in all tables at the same time"""

    def __post_init__(self) -> None:
        at_least("the limit of one table", self.table, 1)
        at_least("the limit of all tables", self.total, NUMBER_BYTES)

    def allow(self, largest: int, total: int) -> bool:
        """Whether the largest table, and all tables together, in numbers, are within the limits."""
        return largest <= self.table and total * NUMBER_BYTES <= self.total


DEFAULT_LIMITS = TableLimits()


def check_tables(dag: DAG, states: Mapping[str, Sequence[str]], limits: TableLimits = DEFAULT_LIMITS) -> None:
    """Refuse a structure whose conditional probability tables would be too large."""
    counts = {variable: len(states[variable]) for variable in dag.variables}
    sizes = {v: math.prod(counts[w] for w in (*dag.parents(v), v)) for v in dag.variables}
    largest, total = max(sizes.values()), sum(sizes.values())
    if limits.allow(largest, total):
        return
    variable = next(v for v in dag.variables if sizes[v] == largest)
    parents = dag.parents(variable)
    problem = f"the table of {variable!r} with its parents {listed(parents)} has {shown_number(largest)} numbers"
    if largest > limits.table:
        problem += f"; the limit is {limits.table:,}"
    else:
        problem += (
            f", and all tables together {shown_number(total)}; the limit is {limits.total // NUMBER_BYTES:,} in all"
        )
    fits = fitting_clique(tuple(counts.values()), limits)
    raise TooLargeError(f"{problem}; {shown_remedy(fits)}", variable, parents, largest, fits)


def too_large_to_infer(
    names: tuple[str, ...], counts: Sequence[int], largest: int, total: int, limits: TableLimits
) -> TooLargeError:
    """The error for inference if its largest table, over these variables, or all tables together exceed the limits.

    `counts` are the numbers of states of all variables.
    """
    problem = f"inference needs a table of {shown_number(largest)} numbers over {listed(names)}"
    if largest > limits.table:
        problem += f"; the limit is {limits.table:,}"
    else:
        problem += f", and {shown_number(total)} in all; the limit is {limits.total // NUMBER_BYTES:,} in all"
    fits = fitting_clique(counts, limits)
    return TooLargeError(f"{problem}; {shown_remedy(fits)}", None, names, largest, fits)


def fitting_clique(counts: Sequence[int], limits: TableLimits) -> int:
    """The largest clique limit with which all tables fit, whatever the structure; 0 if there is none.

    `counts` are the numbers of states. A table over at most t variables is never larger than that of the t variables
    with the most states.
    """
    most_first = sorted(counts, reverse=True)
    size, fits = 1, 0
    for clique, count in enumerate(most_first, 1):
        size *= count
        # each variable's own table: itself and the largest others
        total = sum(size if place < clique else size // count * own for place, own in enumerate(most_first))
        if not limits.allow(size, total):
            break
        fits = clique
    return fits


def shown_remedy(max_clique: int) -> str:
    """The remedy for a table that is too large."""
    option = option_name("max_clique")
    return f"with {option}={max_clique} every table fits" if max_clique else f"no {option} makes every table fit"
