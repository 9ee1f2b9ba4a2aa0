"""Votes for arcs: how probable each arc is, for an input that is not a single graph.

A bootstrap, a posterior, a panel of experts or a language model gives a probability for each arc. Such votes may form
cycles, and they do not determine a moral graph: that depends on which arcs occur together. `moral_probabilities`
assumes that arcs are independent of each other, `sampled_moral` draws DAGs.

Strengths and directions are those of Friedman, Goldszmidt and Wyner, Data Analysis with Bayesian Networks: A Bootstrap
Approach, UAI 1999, and of `boot.strength` in R's bnlearn.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from numbers import Real
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from bnfuse import _kernel
from bnfuse._base.options import at_least
from bnfuse._base.public import public
from bnfuse.errors import GraphError
from bnfuse.graphs.dag import (
    DAG,
    Immutable,
    checked_arc,
    checked_variables,
    iterated,
    numbered,
    refuse_many,
    rows_of,
    set_arc,
)

Arc: TypeAlias = tuple[str, str]
Counts: TypeAlias = npt.NDArray[np.int64]
Strength: TypeAlias = tuple[str, str, float, float]
"""(from, to, strength, direction)"""

MOST_VOTES = 10**9
_MOST_VOTERS = 10_000
"""up to this number of votes, probabilities are recognised as shares of it"""
_ROUNDED_TOTAL = 10**6
"""the number of votes otherwise"""
_WHOLE = 1e-6
_SAME = 1e-9
_ROUNDING = 1e-6
"""the largest excess of probabilities over their bounds"""
_PRINTED = 0.0101
"""how far the sum of two directions may be from 1: as much as two printed digits leave"""
_TRIES = 20
"""attempts to draw a graph without a cycle"""


class VoteError(GraphError):
    """Votes that contradict each other; `row` is the number of the row at fault, if votes came in rows."""

    def __init__(self, problem: str, row: int | None = None) -> None:
        super().__init__(problem)
        self.row = row


@public
class ArcVotes(Immutable):
    """An immutable matrix of votes: in row A, column B the probability, or share of the votes, of the arc A -> B.

    It holds the results of a bootstrap, a posterior or a panel of experts for each arc. Votes may form cycles.
    Probabilities are kept as whole numbers: `counts` of a `total`.

    Parameters
    ----------
    variables
        The names, all different.
    probabilities
        A square matrix from 0 to 1; A -> B and B -> A together at most 1. A pandas DataFrame is read by its names.
    networks
        How many networks the votes represent: with 1 they count as much as one network.
    name
        Its name in tables and messages.

    Raises
    ------
    GraphError
        The matrix is not square, or holds numbers that cannot be probabilities of arcs.

    References
    ----------
    Friedman, Goldszmidt, Wyner: Data Analysis with Bayesian Networks: A Bootstrap Approach. UAI 1999.

    Examples
    --------
    >>> import bnfuse
    >>> votes = bnfuse.ArcVotes(["A", "B"], [[0, 0.75], [0.25, 0]])
    >>> votes.counts.tolist(), votes.total
    ([[0, 3], [1, 0]], 4)
    """

    def __init__(self, variables: Iterable[str], probabilities: Any, networks: int = 1, name: str = "") -> None:
        names = _few_variables(variables)
        number = _checked_total("networks", networks)
        shares = _checked_shares(names, probabilities)
        total = _total_of(shares, number)
        counts = np.rint(shares * total).astype(np.int64)
        counts -= np.triu(
            np.maximum(counts + counts.T - total, 0), 1
        )  # corrects an excess that is due to rounding both up
        self.__dict__.update(_filled(names, counts, total, number, name))

    @classmethod
    def from_count_matrix(
        cls, variables: Iterable[str], counts: Any, total: int, networks: int = 1, name: str = ""
    ) -> ArcVotes:
        """From a matrix of whole numbers: in row A, column B how many of `total` votes have the arc A -> B.

        Parameters
        ----------
        variables
            The names, all different.
        counts
            The matrix.
        total
            The number of votes.
        networks
            How many networks the votes represent.
        name
            Its name in tables and messages.

        Returns
        -------
        ArcVotes
            The same counts and total.

        Raises
        ------
        GraphError
            The matrix is not square, holds other numbers, or more votes than there are.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.ArcVotes.from_count_matrix(["A", "B"], [[0, 7], [2, 0]], total=10).probabilities.tolist()
        [[0.0, 0.7], [0.2, 0.0]]
        """
        names = _few_variables(variables)
        of = _checked_total("total", total)
        matrix = _square(names, counts)
        if matrix.dtype.kind not in "iub":
            raise GraphError(f"counts must be whole numbers, got {matrix.dtype}")
        votes = cls.__new__(cls)
        whole = matrix.astype(np.int64)
        _check_shares(names, whole, of, slack=0)
        votes.__dict__.update(_filled(names, whole, of, _checked_total("networks", networks), name))
        return votes

    @classmethod
    def from_counts(
        cls,
        counts: Mapping[Arc, int],
        of: int,
        variables: Iterable[str] | None = None,
        networks: int | None = None,
        name: str = "",
    ) -> ArcVotes:
        """From the number of voters that have each arc.

        Parameters
        ----------
        counts
            For arcs (from, to), the number of voters that have them.
        of
            The number of voters.
        variables
            The names; by default those that the arcs mention.
        networks
            The number of networks that they count as; by default the number of voters.
        name
            Its name in tables and messages.

        Returns
        -------
        ArcVotes
            The votes.

        Raises
        ------
        GraphError
            An arc has more votes than there are, or names an unknown variable.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.ArcVotes.from_counts({("A", "B"): 7, ("B", "A"): 2}, of=10).probabilities.tolist()
        [[0.0, 0.7], [0.2, 0.0]]
        """
        if not isinstance(counts, Mapping):
            raise GraphError(f"counts must be a number for each arc, got {type(counts).__name__}")
        most = _checked_total("of", of)
        for arc, count in counts.items():
            if at_least(f"the count of {_shown(arc)}", count, 0) > most:
                raise GraphError(f"{_shown(arc)} has {count} votes of {most}")
        matrix, names = _matrix(counts, variables, np.int64)
        return cls.from_count_matrix(names, matrix, most, most if networks is None else networks, name)

    @classmethod
    def from_arcs(cls, variables: Iterable[str] | None, arcs: Iterable[Arc], name: str = "") -> ArcVotes:
        """From a list of arcs that may form cycles: each has one vote, which A -> B and B -> A share.

        Parameters
        ----------
        variables
            The names; None for those that the arcs mention.
        arcs
            Pairs of names (from, to).
        name
            Its name in tables and messages.

        Returns
        -------
        ArcVotes
            The votes, which count as one network.

        Raises
        ------
        GraphError
            An arc is not a pair of two variables.

        Examples
        --------
        >>> import bnfuse
        >>> arcs = [("A", "B"), ("B", "C"), ("C", "A"), ("A", "C")]
        >>> bnfuse.ArcVotes.from_arcs(None, arcs).probabilities[0].tolist()
        [0.0, 1.0, 0.5]
        """
        listed = iterated(arcs, "arcs must be a list of pairs")
        votes = dict.fromkeys((tuple(arc) if isinstance(arc, list) else arc for arc in listed), 1)
        matrix, names = _matrix(votes, variables, np.int64)
        both = matrix & matrix.T
        total = 2 if both.any() else 1
        return cls.from_count_matrix(names, total * matrix - both, total, 1, name)

    @classmethod
    def from_strengths(
        cls, rows: Iterable[Strength], networks: int = 1, variables: Iterable[str] | None = None, name: str = ""
    ) -> ArcVotes:
        """From rows (from, to, strength, direction), as R's `boot.strength` gives them.

        The strength is the probability that the two are joined, in either direction; the direction is the probability
        of this direction, given that they are joined. If only one of the rows A, B and B, A is present, it represents
        both.

        Parameters
        ----------
        rows
            The rows.
        networks
            How many networks the votes represent.
        variables
            The names; by default those that the rows mention.
        name
            Its name in tables and messages.

        Returns
        -------
        ArcVotes
            The probabilities of the arcs.

        Raises
        ------
        VoteError
            A row has another form, or rows contradict each other; a kind of `GraphError`.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.ArcVotes.from_strengths([("A", "B", 0.8, 0.25)]).probabilities.tolist()
        [[0.0, 0.2], [0.6, 0.0]]
        """
        given: dict[Arc, tuple[float, float, int]] = {}
        for number, row in enumerate(iterated(rows, "strengths must be a list of rows")):
            source, target, strength, direction = _checked_row(row, number)
            if (source, target) in given:
                raise VoteError(f"{source} -> {target} has two rows", number)
            given[source, target] = strength, direction, number
        shares: dict[Arc, float] = {}
        for (source, target), (strength, direction, number) in given.items():
            other = given.get((target, source))
            way, back = direction, 1 - direction
            if other is not None:
                _check_agree((source, target), (strength, direction), other[:2], max(number, other[2]))
                way, back = direction, other[1]
            both = way + back if strength else 1.0
            shares[source, target] = strength * way / both
            shares[target, source] = strength * back / both
        matrix, names = _matrix(shares, variables, np.float64)
        return cls(names, matrix, networks, name)

    _variables: tuple[str, ...]
    _counts: Counts
    _total: int
    _networks: int
    _name: str

    @property
    def variables(self) -> tuple[str, ...]:
        """The names, in their given order."""
        return self._variables

    @property
    def counts(self) -> Counts:
        """The votes for each arc as whole numbers, read-only: in row A, column B those for A -> B."""
        return self._counts

    @property
    def total(self) -> int:
        """The number of votes; a probability is a count divided by it."""
        return self._total

    @property
    def networks(self) -> int:
        """How many networks the votes represent."""
        return self._networks

    @property
    def name(self) -> str:
        """Its name in tables and messages; empty if there is none."""
        return self._name

    @cached_property
    def probabilities(self) -> npt.NDArray[np.float64]:
        """The probability of each arc, read-only: in row A, column B that of A -> B."""
        shares: npt.NDArray[np.float64] = self._counts / self._total
        shares.flags.writeable = False
        return shares

    def renamed(self, name: str) -> ArcVotes:
        """The same votes with another name.

        Parameters
        ----------
        name
            The new name.

        Returns
        -------
        ArcVotes
            Votes that are equal to these.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.ArcVotes(["A", "B"], [[0, 1], [0, 0]]).renamed("panel").name
        'panel'
        """
        copy = ArcVotes.__new__(ArcVotes)
        copy.__dict__.update(self.__dict__, _name=name)
        return copy

    def reordered(self, variables: Sequence[str]) -> ArcVotes:
        """The same votes with their variables in another order.

        Parameters
        ----------
        variables
            All names, in the new order.

        Returns
        -------
        ArcVotes
            Votes that are equal to these.

        Raises
        ------
        MismatchError
            These are not the variables of the votes.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.ArcVotes(["A", "B"], [[0, 1], [0, 0]]).reordered(["B", "A"]).counts.tolist()
        [[0, 0], [1, 0]]
        """
        chosen = numbered(variables, DAG(self._variables))
        counts = self._counts[np.ix_(chosen, chosen)]
        return ArcVotes.from_count_matrix(variables, counts, self._total, self._networks, self._name)

    def over(self, variables: Sequence[str]) -> ArcVotes:
        """The votes on arcs among these of the variables.

        Parameters
        ----------
        variables
            Some of its variables.

        Returns
        -------
        ArcVotes
            The votes on pairs of these.

        Examples
        --------
        >>> import bnfuse
        >>> votes = bnfuse.ArcVotes.from_counts({("A", "B"): 7, ("B", "C"): 9}, of=10)
        >>> votes.over(["B", "C"]).strengths()[0]
        ('B', 'C', 0.9, 1.0)
        """
        index = {name: i for i, name in enumerate(self._variables)}
        place = [index[name] for name in variables]
        counts = self._counts[np.ix_(place, place)]
        return ArcVotes.from_count_matrix(variables, counts, self._total, self._networks, self._name)

    def strengths(self) -> list[Strength]:
        """As R's `boot.strength` gives them: (from, to, strength, direction), two rows for each pair with votes.

        Returns
        -------
        list of tuple
            The rows, in the order of the variables.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.ArcVotes.from_counts({("A", "B"): 6, ("B", "A"): 2}, of=10).strengths()
        [('A', 'B', 0.8, 0.75), ('B', 'A', 0.8, 0.25)]
        """
        rows: list[Strength] = []
        joined = self._counts + self._counts.T
        for i, j in np.argwhere(joined).tolist():
            both, way = int(joined[i, j]), int(self._counts[i, j])
            rows.append((self._variables[i], self._variables[j], both / self._total, way / both))
        return rows

    # Moral graphs

    def moral_probabilities(self) -> npt.NDArray[np.float64]:
        """For each pair, the probability that the moral graph joins it, if arcs were independent of each other.

        Only A -> B and B -> A exclude each other; cycles are not excluded. Two variables are then joined unless neither
        arc between them is present and no third variable is a child of both: 1 - (1 - p_ab - p_ba) * prod_c (1 - p_ac *
        p_bc).

        Returns
        -------
        numpy.ndarray
            A symmetric matrix, in the order of the variables.

        Examples
        --------
        >>> import bnfuse
        >>> votes = bnfuse.ArcVotes.from_counts({("A", "C"): 1, ("B", "C"): 1}, of=2)
        >>> votes.variables
        ('A', 'C', 'B')
        >>> votes.moral_probabilities()[0, 1:].round(6).tolist()
        [0.5, 0.25]
        """
        shares = self.probabilities
        with np.errstate(divide="ignore"):  # the logarithm of 0 is minus infinity, as it should be
            unjoined = np.log1p(-((self._counts + self._counts.T) / self._total))
            for a, row in enumerate(shares):
                children = np.flatnonzero(row)
                unjoined[a, a + 1 :] += np.log1p(-row[children] * shares[a + 1 :, children]).sum(axis=1)
        joined: npt.NDArray[np.float64] = -np.expm1(np.triu(unjoined, 1))
        return joined + joined.T

    def sampled_moral(self, samples: int = 1000, seed: int = 0) -> Counts:
        """For each pair, how many of the drawn DAGs join it in their moral graph.

        A graph is drawn pair by pair: A -> B, B -> A or neither, by their probabilities. A graph with a cycle is drawn
        again, up to 20 times; after that, the arc with the fewest votes in a cycle is left out until no cycle remains.

        Parameters
        ----------
        samples
            The number of DAGs to draw.
        seed
            The same seed gives the same DAGs.

        Returns
        -------
        numpy.ndarray
            A symmetric matrix of whole numbers, in the order of the variables.

        Raises
        ------
        OptionError
            The numbers are not whole, or too small.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.ArcVotes(["A", "B"], [[0, 0.5], [0.5, 0]]).sampled_moral(samples=100).tolist()
        [[0, 100], [100, 0]]
        """
        at_least("samples", samples, 1)
        random = np.random.default_rng(at_least("seed", seed, 0))
        n = len(self._variables)
        pairs = np.argwhere(np.triu(self._counts + self._counts.T, 1))
        forward = self._counts[pairs[:, 0], pairs[:, 1]]
        either = forward + self._counts[pairs[:, 1], pairs[:, 0]]
        moral, arcs = np.zeros((n, n), np.int64), np.zeros((n, n), np.int64)
        weight = np.ones(1, np.int64)
        certain = _drawn(n, pairs, forward == self._total, either - forward == self._total)
        tries = 1 if _kernel.find_cycle(certain) else _TRIES
        for _ in range(samples):
            for _ in range(tries):
                votes = random.integers(0, self._total, len(pairs))
                rows = _drawn(n, pairs, votes < forward, (forward <= votes) & (votes < either))
                if not _kernel.find_cycle(rows):
                    break
            _kernel.count_edges(self._acyclic(rows)[np.newaxis], weight, moral, arcs)
        return moral

    @cached_property
    def _listed(self) -> list[list[int]]:
        listed: list[list[int]] = self._counts.tolist()  # because their numbers are found faster one by one
        return listed

    def _acyclic(self, rows: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
        """The graph without the arc with the fewest votes in each cycle, until no cycle remains."""
        rows, votes = rows.copy(), self._listed
        while cycle := _kernel.find_cycle(rows):
            arcs = zip(cycle, [*cycle[1:], cycle[0]], strict=True)
            source, target = min(arcs, key=lambda arc: (votes[arc[0]][arc[1]], arc))
            set_arc(rows, source, target, False)
        return rows

    # Identity

    @cached_property
    def _content(self) -> tuple[frozenset[tuple[str, str, int]], frozenset[str], int, int]:
        divisor = math.gcd(self._total, *self._counts[self._counts > 0].tolist())
        names = self._variables
        votes = (
            (names[i], names[j], int(self._counts[i, j]) // divisor) for i, j in np.argwhere(self._counts).tolist()
        )
        return frozenset(votes), frozenset(names), self._total // divisor, self._networks

    def __eq__(self, other: object) -> bool:
        """Same probabilities over the same variables, for equally many networks; the name does not count."""
        return self._content == other._content if isinstance(other, ArcVotes) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._content)

    def __repr__(self) -> str:
        arcs = np.count_nonzero(self._counts)
        return f"<ArcVotes: {len(self._variables)} variables, {arcs} arcs with votes, {self._networks} networks>"

    def __reduce__(self) -> tuple[Any, ...]:
        return ArcVotes.from_count_matrix, (self._variables, self._counts, self._total, self._networks, self._name)


def _filled(names: tuple[str, ...], counts: Counts, total: int, networks: int, name: str) -> dict[str, Any]:
    counts.flags.writeable = False
    return {"_variables": names, "_counts": counts, "_total": total, "_networks": networks, "_name": name}


def _checked_total(option: str, total: int) -> int:
    if (number := at_least(option, total, 1)) > MOST_VOTES:
        raise GraphError(f"{option} must be at most {MOST_VOTES:,}; got {number}")
    return number


def _shown(arc: Any) -> str:
    return f"{arc[0]} -> {arc[1]}" if isinstance(arc, tuple) and len(arc) == 2 else f"{arc!r:.60}"


def _square(names: tuple[str, ...], matrix: Any) -> npt.NDArray[Any]:
    if hasattr(matrix, "columns") and hasattr(matrix, "index"):  # a pandas DataFrame, which has its own names
        matrix = _by_name(names, matrix)
    try:
        entries = np.asarray(matrix)
    except ValueError:
        raise GraphError("a matrix of votes must be square, got rows of different lengths") from None
    if entries.ndim != 2 or entries.shape[0] != entries.shape[1]:
        raise GraphError(f"a matrix of votes must be square, got shape {entries.shape}")
    if len(names) != len(entries):
        raise GraphError(f"{len(names)} variables for a matrix of votes of {len(entries)} rows")
    return entries


def _by_name(names: tuple[str, ...], frame: Any) -> npt.NDArray[Any]:
    places = []
    for labels in (list(map(str, frame.index)), list(map(str, frame.columns))):
        if sorted(labels) != sorted(names):
            raise GraphError("the rows and columns of a matrix of votes must have the names of the variables")
        places.append([labels.index(name) for name in names])
    entries: npt.NDArray[Any] = frame.to_numpy()[np.ix_(*places)]
    return entries


def _checked_shares(names: tuple[str, ...], probabilities: Any) -> npt.NDArray[np.float64]:
    entries = _square(names, probabilities)
    if np.iscomplexobj(entries):
        raise GraphError("probabilities must be real numbers")
    try:
        shares = entries.astype(np.float64)
    except (TypeError, ValueError):
        raise GraphError("probabilities must be numbers") from None
    _check_shares(names, shares, 1, _ROUNDING)
    return np.clip(shares, 0, 1)


def _check_shares(names: tuple[str, ...], votes: npt.NDArray[Any], total: int, slack: float) -> None:
    """Refuse counts that cannot be shares of a total, and name the first arc at fault."""
    unfit = ~np.isfinite(votes) | (votes < -slack) | (votes > total + slack)
    if unfit.any():
        i, j = np.argwhere(unfit)[0]
        raise VoteError(f"the probability of {names[i]} -> {names[j]} must be from 0 to 1, got {votes[i, j] / total:g}")
    if (own := np.flatnonzero(np.diagonal(votes))).size:
        name = names[own[0]]
        raise VoteError(f"{name} -> {name} has votes: a variable cannot be its own parent")
    over = np.triu(votes + votes.T) > total + slack
    if over.any():
        i, j = np.argwhere(over)[0]
        raise VoteError(
            f"the probabilities of {names[i]} -> {names[j]} ({votes[i, j] / total:g}) and {names[j]} -> {names[i]} "
            f"({votes[j, i] / total:g}) add up to more than 1"
        )


def _total_of(shares: npt.NDArray[np.float64], networks: int) -> int:
    """The number of votes of which these are shares: as small as possible, or the number of networks."""
    totals = np.concatenate(([networks], np.arange(1, _MOST_VOTERS + 1)))
    values = np.unique(shares)
    for start in range(0, len(values), 64):
        some = values[start : start + 64, np.newaxis]
        wanted = some * totals
        counts = np.rint(wanted)
        fits = (np.abs(wanted - counts) <= _WHOLE) & (np.abs(counts / totals - some) <= _SAME)
        totals = totals[fits.all(axis=0)]
        if not totals.size:
            return _ROUNDED_TOTAL
    return int(totals[0])


def _few_variables(variables: Iterable[str]) -> tuple[str, ...]:
    """The names; refused if a square matrix over them takes too much memory."""
    names = checked_variables(variables)
    refuse_many(len(names), "counting votes for arcs")
    return names


def _matrix(
    votes: Mapping[Arc, Any], variables: Iterable[str] | None, kind: type
) -> tuple[npt.NDArray[Any], tuple[str, ...]]:
    """The votes as a matrix over the variables or, without these, over the mentioned ones in order."""
    mentioned = (name for arc in votes if isinstance(arc, tuple) for name in arc)
    names = _few_variables(dict.fromkeys(mentioned) if variables is None else variables)
    index = {name: i for i, name in enumerate(names)}
    matrix: npt.NDArray[Any] = np.zeros((len(names), len(names)), kind)
    for arc, vote in votes.items():
        matrix[checked_arc(arc, index)] = vote
    return matrix, names


def _checked_row(row: Any, number: int) -> Strength:
    if not isinstance(row, tuple | list) or len(row) != 4:
        raise VoteError(f"a row of strengths must be (from, to, strength, direction), got {row!r:.60}", number)
    source, target, *shares = row
    if source == target:
        raise VoteError(f"{source} -> {target}: a variable cannot be its own parent", number)
    for called, share in zip(("strength", "direction"), shares, strict=True):
        if isinstance(share, bool) or not isinstance(share, Real) or not -_SAME <= float(share) <= 1 + _ROUNDING:
            raise VoteError(f"the {called} of {source} -> {target} must be from 0 to 1, got {share!r:.60}", number)
    strength, direction = (min(max(float(share), 0.0), 1.0) for share in shares)
    return source, target, strength, direction


def _check_agree(arc: Arc, one: tuple[float, float], other: tuple[float, float], number: int) -> None:
    source, target = arc
    if abs(one[0] - other[0]) > _ROUNDING:
        raise VoteError(
            f"{source} -> {target} has strength {one[0]:g} and {target} -> {source} has {other[0]:g}; "
            "it is the probability that the two are joined either way, and must be the same",
            number,
        )
    if one[0] and abs(one[1] + other[1] - 1) > _PRINTED:
        raise VoteError(
            f"the directions of {source} -> {target} ({one[1]:g}) and {target} -> {source} ({other[1]:g}) "
            "must add up to 1",
            number,
        )


def _drawn(
    n: int, pairs: Counts, forward: npt.NDArray[np.bool_], backward: npt.NDArray[np.bool_]
) -> npt.NDArray[np.uint64]:
    """The rows of the graph that has these of the pairs as arcs."""
    arcs = np.concatenate((pairs[forward], pairs[backward][:, ::-1]))
    return rows_of(n, arcs[:, 0], arcs[:, 1])
