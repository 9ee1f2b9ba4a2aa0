"""How the answer to a query changes with a single entry of a table: exact one-way functions.

With t the entry, and the rest of its row kept in proportion, the probabilities of the evidence with and without the
target's state are linear in t, so the answer is a quotient of two linear functions (Castillo, Gutierrez and Hadi 1997;
van der Gaag, Renooij and Coupe 2007; its derivative: Laskey 1995). Both lines follow from the joint distributions of
all families, which one calibrated tree provides. There, an entry of 0 is replaced by 2**-20000, which changes nothing
else; dividing by it gives the factor of the entry.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bnfuse._base.options import at_least, real_number
from bnfuse._base.public import public
from bnfuse.errors import EvidenceError, OptionError
from bnfuse.fusion.table_sizes import DEFAULT_LIMITS, NUMBER_BYTES, TableLimits
from bnfuse.graphs.network import Network, Table
from bnfuse.inference.asking.beliefs import settled
from bnfuse.inference.evidence import Evidence, Interventions, state_number, states_of
from bnfuse.inference.extended_range import Wide, stacked
from bnfuse.inference.factors import Factors, refuse
from bnfuse.inference.junction_tree import Calibrated, CliqueTree, cheapest_order

_TINY = -20_000  # the exponent for an entry of 0
_DIGITS = 12  # the precision to which changes are compared: smaller differences are rounding errors
_ROOM = 3  # two rows of numbers with their own exponents


@public
@dataclass(frozen=True, slots=True)
class Influence:
    """How a probability depends on one entry of a table.

    Attributes
    ----------
    variable, state
        The variable of the table, and the state whose probability the entry is.
    given
        The states of the variable's parents.
    value
        The value of the entry.
    derivative
        The derivative of the probability with respect to the entry, at its value.
    low, high
        The probability when the entry is decreased and increased by the spread.
    line
        The numerator at 0 and at 1 and the denominator at 0 and at 1, up to a common factor: both are linear.

    Examples
    --------
    >>> import bnfuse
    >>> coin = bnfuse.Network(bnfuse.DAG(["Coin"]), {"Coin": ("heads", "tails")}, {"Coin": [0.5, 0.5]})
    >>> first = coin.sensitivity("Coin", "heads").influences[0]
    >>> first.variable, first.state, round(first.low, 3), round(first.high, 3)
    ('Coin', 'heads', 0.45, 0.55)
    """

    variable: str
    state: str
    given: Mapping[str, str]
    value: float
    derivative: float
    low: float
    high: float
    line: tuple[float, float, float, float]

    def at(self, value: float) -> float:
        """The probability if the entry were another number; the rest of its row changes in proportion.

        Parameters
        ----------
        value
            The entry, from 0 to 1.

        Returns
        -------
        float
            The probability.

        Raises
        ------
        OptionError
            The value is not a probability.

        Examples
        --------
        >>> import bnfuse
        >>> coin = bnfuse.Network(bnfuse.DAG(["Coin"]), {"Coin": ("heads", "tails")}, {"Coin": [0.5, 0.5]})
        >>> round(coin.sensitivity("Coin", "heads").influences[0].at(0.9), 6)
        0.9
        """
        number = real_number(value)
        if number is None or not 0 <= number <= 1:
            raise OptionError(f"an entry of a table must be a number from 0 to 1; got {value!r:.60}")
        return float(_values(np.array([self.line]), np.array([float(number)]))[0])


@public
@dataclass(frozen=True, slots=True)
class Sensitivity:
    """How the probability of a state depends on the tables of a network.

    Attributes
    ----------
    target, state
        The state whose probability is examined.
    probability
        The probability of this state, given the findings.
    spread
        The share of its value by which each entry was changed, in both directions.
    influences
        The entries that change the probability most, the most influential first.

    Examples
    --------
    >>> import bnfuse
    >>> coin = bnfuse.Network(bnfuse.DAG(["Coin"]), {"Coin": ("heads", "tails")}, {"Coin": [0.25, 0.75]})
    >>> found = coin.sensitivity("Coin", "heads")
    >>> found.probability, len(found.influences)
    (0.25, 2)
    """

    target: str
    state: str
    probability: float
    spread: float
    influences: tuple[Influence, ...]

    def draw(self, path: str | os.PathLike[str], overwrite: bool = False) -> None:
        """Write a tornado plot: how far each entry moves the probability, the most influential one on top.

        Parameters
        ----------
        path
            The file: .svg.
        overwrite
            Whether a file other than a picture by bnfuse may be replaced.

        Raises
        ------
        FileError
            The file cannot be written, or exists and may not be replaced.

        Examples
        --------
        >>> import bnfuse
        >>> coin = bnfuse.Network(bnfuse.DAG(["Coin"]), {"Coin": ("heads", "tails")}, {"Coin": [0.25, 0.75]})
        >>> coin.sensitivity("Coin", "heads").draw("tornado.svg")
        """
        from bnfuse.report.tornado import draw_tornado  # noqa: PLC0415 - plots show what is found here

        draw_tornado(self, Path(path), overwrite)


def sensitivity(
    network: Network,
    target: str,
    state: str,
    given: Evidence | None = None,
    limits: TableLimits = DEFAULT_LIMITS,
    *,
    do: Interventions | None = None,
    most: int = 10,
    spread: float = 0.1,
) -> Sensitivity:
    """The entries of tables that change the probability of a state most, each with its exact function."""
    count, share = at_least("most", most, 1), real_number(spread)
    if share is None or not 0 < share <= 1:
        raise OptionError(f"spread must be a number above 0 and at most 1: a share of each entry; got {spread!r:.60}")
    code = state_number(network, target, state)
    if len(states_of(network, target)) == 1:
        raise EvidenceError(f"variable {target!r} has one state only: its probability is 1 whatever the tables say")
    whole, findings = settled(network, given, None, do, limits)
    if target in findings.codes:
        raise EvidenceError(f"variable {target!r} is known: its probability does not depend on any table")
    factors = Factors.of(whole, [target], findings)
    lines = _Lines(factors, target, code, limits)
    found = list(lines.families())
    ranked = sorted(
        (
            (-round(abs(high - low), _DIGITS), -round(abs(slope), _DIGITS), place, entry)
            for place, one in enumerate(found)
            for entry, (low, high, slope) in enumerate(one.changes(float(share)).tolist())
        ),
    )[:count]
    return Sensitivity(
        target,
        states_of(whole, target)[code],
        lines.probability,
        float(share),
        tuple(found[place].influence(entry, float(share)) for _, _, place, entry in ranked),
    )


@dataclass(frozen=True)
class _Family:
    """The entries of a table that can matter, flattened, and the lines of each."""

    network: Network
    variable: str
    fixed: dict[str, int]
    """parents whose states are known"""
    free: tuple[str, ...]
    """the other parents, in the order of their axes"""
    entries: Table
    lines: Table

    def changes(self, spread: float) -> Table:
        """For each entry, the answers when it is decreased and increased by a share, and the derivative."""
        low = _values(self.lines, self.entries * (1 - spread))
        high = _values(self.lines, np.minimum(self.entries * (1 + spread), 1.0))
        y0, y1, e0, e1 = self.lines.T
        below = e0 + (e1 - e0) * self.entries
        with np.errstate(divide="ignore", invalid="ignore"):
            slopes = np.where(below > 0, (y1 * e0 - y0 * e1) / below**2, 0.0)
        return np.stack([low, high, slopes], axis=1)

    def influence(self, entry: int, spread: float) -> Influence:
        """All results for one entry."""
        sizes = [len(states_of(self.network, name)) for name in (*self.free, self.variable)]
        *codes, own = np.unravel_index(entry, sizes)
        states = {**self.fixed, **{name: int(code) for name, code in zip(self.free, codes, strict=True)}}
        low, high, slope = self.changes(spread)[entry].tolist()
        y0, y1, e0, e1 = self.lines[entry].tolist()
        return Influence(
            self.variable,
            states_of(self.network, self.variable)[int(own)],
            {name: states_of(self.network, name)[states[name]] for name in self.network.dag.parents(self.variable)},
            float(self.entries[entry]),
            slope,
            low,
            high,
            (y0, y1, e0, e1),
        )


class _Lines:
    """The tree of a question, with one row for the evidence and one for the evidence with the target's state."""

    def __init__(self, factors: Factors, target: str, code: int, limits: TableLimits) -> None:
        self._factors = factors
        number = factors.number[target]
        tree = CliqueTree([*factors.scopes, (number,)], factors.sizes, cheapest_order(factors))
        allowed = TableLimits(limits.table, max(limits.total // _ROOM, NUMBER_BYTES))
        if not tree.fits(allowed):
            refuse(factors, tree.widest, max(tree.sizes), sum(tree.sizes) * _ROOM, limits)
        plain = [table[np.newaxis] for table in factors.tables]
        rows = np.stack([np.ones(factors.sizes[number]), np.eye(factors.sizes[number])[code]])
        logs = tree.calibrated([*plain, rows], down=False).logs
        if logs[0] == -math.inf:
            raise factors.findings.impossible()
        self.probability = min(math.exp(logs[1] - logs[0]), 1.0)
        of_families = len(factors.dag.variables)  # likelihoods are multiplied later, and their zeros remain
        tables = [_without_zeros(table) if i < of_families else Wide.of(table) for i, table in enumerate(plain)]
        self._calibrated: Calibrated = tree.calibrated([*tables, Wide.of(rows)])
        self._touched = _reached(factors, number)

    def families(self) -> Iterator[_Family]:
        """Every family whose table can change the answer."""
        factors = self._factors
        network = factors.network
        assert network.cpts is not None
        for place, variable in enumerate(factors.dag.variables):
            scope = factors.scopes[place]
            if not self._touched.intersection(scope) or len(states_of(network, variable)) == 1:
                continue
            parents = network.dag.parents(variable)
            known = {
                name: factors.known[factors.number[name]] for name in parents if factors.number[name] in factors.known
            }
            entries = network.cpts[variable][tuple(known.get(name, slice(None)) for name in parents)]
            joint = self._calibrated.products(scope)
            own = factors.known.get(factors.number[variable])
            lines = _lines_of(joint, entries.reshape(-1, entries.shape[-1]), own)
            free = tuple(name for name in parents if name not in known)
            yield _Family(network, variable, known, free, entries.ravel(), lines)


def _without_zeros(table: Table) -> Wide:
    wide = Wide.of(table)
    zero = wide.fractions == 0
    return Wide(np.where(zero, 0.5, wide.fractions), np.where(zero, np.int32(_TINY + 1), wide.exponents))


def _reached(factors: Factors, target: int) -> set[int]:
    """The variables that tables join to the target, over any number of steps."""
    reached, grows = {target}, True
    while grows:
        more = {i for scope in factors.scopes if reached.intersection(scope) for i in scope}
        grows = not more <= reached
        reached |= more
    return reached


def _lines_of(joint: Wide, entries: Table, own: int | None) -> Table:
    """For each entry, numerator and denominator at 0 and at 1: up to a factor.

    `joint` has two rows, the evidence and the evidence with the target's state; observed variables have no axis in it.
    """
    rows, states = entries.shape
    flat = joint.reshape(2, rows, -1)
    if own is not None:
        fractions, exponents = np.zeros((2, rows, states)), np.zeros((2, rows, states), np.int32)
        fractions[:, :, own], exponents[:, :, own] = flat.fractions[:, :, 0], flat.exponents[:, :, 0]
        flat = Wide(fractions, exponents)
    evidence = flat[:1].sum(axis=(1, 2)).reshape(1, 1, 1)
    shares = flat.over(evidence * Wide.of(np.ones(flat.shape)))
    slopes = shares.over(_without_zeros(entries) * Wide.of(np.ones(flat.shape)))
    numbers = shares.ordinary()
    rest = _all_but_one(numbers.sum(2), 1)[:, :, np.newaxis] + np.zeros(flat.shape)
    left, left_entries = _all_but_one(numbers, 2), _all_but_one(entries, 1) + np.zeros(flat.shape)
    in_proportion = Wide.of(left).over(Wide.of(left_entries))
    evenly = _mean_of_others(slopes)
    alone = left_entries == 0
    others = Wide(
        np.where(alone, evenly.fractions, in_proportion.fractions),
        np.where(alone, evenly.exponents, in_proportion.exponents),
    )
    ends = [stacked([Wide.of(rest), part], 0).sum(axis=0) for part in (others, slopes)]  # at 0, at 1
    both = stacked([ends[0][1], ends[1][1], ends[0][0], ends[1][0]], 2)
    return both.reshape(rows * states, 4).relative()


def _all_but_one(numbers: Table, axis: int) -> Table:
    """For each number, the sum of the others along an axis, without subtraction."""
    before = _shifted(numbers, axis)
    after = np.flip(_shifted(np.flip(numbers, axis), axis), axis)
    total: Table = before + after
    return total


def _shifted(numbers: Table, axis: int) -> Table:
    """The sums of the previous ones."""
    sums = np.cumsum(numbers, axis)
    first = np.zeros_like(np.take(numbers, [0], axis))
    return np.concatenate([first, np.delete(sums, -1, axis)], axis)


def _mean_of_others(slopes: Wide) -> Wide:
    """For each state, the mean over the others."""
    states = slopes.shape[2]
    parts = []
    for state in range(states):
        kept = [i for i in range(states) if i != state]
        parts.append(slopes[:, :, kept].sum(axis=2) * Wide.of(np.full(slopes.shape[:2], 1 / len(kept))))
    return stacked(parts, 2)


def _values(lines: Table, entries: Table) -> Table:
    """The answers for these values of entries; if the evidence would be impossible, the limit."""
    y0, y1, e0, e1 = lines.T
    below = e0 + (e1 - e0) * entries
    above = y0 + (y1 - y0) * entries
    with np.errstate(divide="ignore", invalid="ignore"):
        limit = np.where(e0 > 0, y0 / e0, y1 / e1)
        values: Table = np.where(below > 0, above / below, limit)
    return values.clip(0.0, 1.0)
