"""Constraints on a consensus: required and forbidden arcs, tiers, a limit on parents, directions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import permutations
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from bnfuse._base.options import check_options, choice, option, option_name, whole
from bnfuse._base.public import public
from bnfuse._base.spelling import unknown
from bnfuse.errors import ConstraintError, GraphError
from bnfuse.fusion.cliques import clique_size
from bnfuse.graphs.dag import DAG
from bnfuse.problem.pair_counts import Counts
from bnfuse.problem.tally import Tally

Arc = tuple[str, str]
Forbidden: TypeAlias = Arc | AbstractSet[str]
"""An arc (from, to), or a set of two variables that no arc may join in either direction."""

DIRECTIONS = ("any", "seen", "majority")
_OPPOSED = {
    "seen": "no input has it in that direction",
    "majority": "most inputs that join the two do not have it in that direction",
}


@public
@dataclass(frozen=True, slots=True)
class Constraints:
    """Constraints on the arcs of a consensus.

    Parameters
    ----------
    required
        Arcs (from, to) that must be in the network.
    forbidden
        Arcs (from, to) that must not be in it; a set of two variables, such as {"Age", "Smoker"}, forbids an arc
        between them in both directions.
    tiers
        Lists of variables, earliest first: no arc may run from a later list to an earlier one.
    max_parents
        The largest number of parents of a variable.
    directions
        The directions that arcs may have: "any"; "seen", as in at least one input; "majority", as in most of the inputs
        that join the two. By default "majority" if the search and the metric can follow it, otherwise "any": see
        `consensus`.

    Raises
    ------
    ConstraintError
        An arc is not a pair of two variables, or a variable is in two tiers.
    OptionError
        A value is invalid.

    Examples
    --------
    >>> import bnfuse
    >>> rules = bnfuse.Constraints(required=[("Age", "Smoker")], tiers=[["Age"], ["Smoker"]], max_parents=3)
    >>> networks = [bnfuse.DAG(["Smoker", "Age"], [("Smoker", "Age")])]
    >>> bnfuse.consensus(networks, constraints=rules).dag.edges
    (('Age', 'Smoker'),)
    """

    required: Sequence[Arc] = option((), "An arc that must be in the network.")
    forbidden: Sequence[Forbidden] = option((), "A--B: no arc between the two. A->B: no arc in that direction.")
    tiers: Sequence[Sequence[str]] = option(
        (), "Lists of variables, earliest first: no arc may run from a later list to an earlier one."
    )
    max_parents: int | None = option(None, "The largest number of parents of a variable.", whole(least=0))
    directions: Literal["any", "seen", "majority"] | None = option(
        None,
        "The directions that arcs may have: majority (as in most of the inputs that join the two), seen (as in "
        "at least one input), any.",
        choice(DIRECTIONS),
    )

    def __post_init__(self) -> None:
        check_options(self)
        object.__setattr__(self, "required", _arcs("required", self.required))
        forbidden = _arcs("forbidden", _both_ways(self.forbidden))
        object.__setattr__(self, "forbidden", tuple(sorted(forbidden)))  # in one order, for pairs too
        object.__setattr__(self, "tiers", _tiers(() if self.tiers is None else self.tiers))

    def __bool__(self) -> bool:
        return self.are_listed or self.has_rule

    @property
    def has_rule(self) -> bool:
        """Whether a rule restricts the directions of arcs."""
        return self.directions not in (None, "any")

    @property
    def are_listed(self) -> bool:
        """Whether there are any constraints apart from the rule on directions."""
        return bool(self.required or self.forbidden or self.tiers or self.max_parents is not None)

    def check(self, tally: Tally, max_clique: int) -> None:
        """Refuse constraints that no network of these inputs within the clique limit can satisfy; name the conflict.

        Parameters
        ----------
        tally
            The sums over the inputs.
        max_clique
            The largest clique that the network may have.

        Raises
        ------
        ConstraintError
            There is a contradiction, which the message names.

        Examples
        --------
        >>> import bnfuse
        >>> rules = bnfuse.Constraints(required=[("A", "B")], forbidden=[("A", "B")])
        >>> rules.check(bnfuse.Tally(["A", "B"]), max_clique=2)
        Traceback (most recent call last):
        bnfuse.ConstraintError: arc A -> B is both required and forbidden
        """
        variables = tally.variables
        self._check_names(variables)
        if not self.required:
            return
        self._check_allowed(tally)
        try:
            dag = DAG(variables, self.required)
        except GraphError as error:
            raise ConstraintError(f"the required arcs contradict each other: {error}") from None
        for name in variables:
            parents = dag.parents(name)
            if self.max_parents is not None and len(parents) > self.max_parents:
                raise ConstraintError(
                    f"{name} has the {len(parents)} required parents {', '.join(parents)}; "
                    f"{option_name('max_parents')} is {self.max_parents}"
                )
            if len(parents) + 1 > max_clique:
                raise ConstraintError(
                    f"{name} and its {len(parents)} required parents {', '.join(parents)} are a clique over the limit "
                    f"of {max_clique}"
                )
        size = clique_size(dag)
        if size > max_clique:
            size = clique_size(dag, "exact")
        if size > max_clique:
            reach = "need" if size.lower_bound > max_clique else "seem to need"
            raise ConstraintError(f"the required arcs alone {reach} a clique of {size}; the limit is {max_clique}")

    def _check_names(self, variables: tuple[str, ...]) -> None:
        known = frozenset(variables)
        for arcs in ("required", "forbidden"):
            for source, target in getattr(self, arcs):
                for name in (source, target):
                    if name not in known:
                        raise ConstraintError(
                            f"{option_name(arcs)} arc {source} -> {target}: {unknown('variable', name, variables)}"
                        )
        for name in (name for tier in self.tiers for name in tier):
            if name not in known:
                raise ConstraintError(f"{option_name('tiers')}: {unknown('variable', name, variables)}")

    def _check_allowed(self, tally: Tally) -> None:
        allowed = self.allowed(tally)
        index = {name: i for i, name in enumerate(tally.variables)}
        for source, target in self.required:
            if (source, target) in self.forbidden:
                raise ConstraintError(f"arc {source} -> {target} is both required and forbidden")
            if not allowed[index[source], index[target]]:
                raise ConstraintError(
                    f"arc {source} -> {target} is required, but goes from a later tier to an earlier one"
                )

    def check_directions(self, tally: Tally) -> None:
        """Refuse required arcs that contradict the rule on directions, if somebody requested that rule.

        Parameters
        ----------
        tally
            The sums over the inputs.

        Raises
        ------
        ConstraintError
            There is such an arc, which the message names.

        Examples
        --------
        >>> import bnfuse
        >>> rules = bnfuse.Constraints(required=[("A", "B")], directions="seen")
        >>> rules.check_directions(bnfuse.Tally(["A", "B"]))
        Traceback (most recent call last):
        bnfuse.ConstraintError: arc A -> B is required, but no input has it in that direction, and directions is 'seen'
        """
        if self.directions is None or not self.has_rule:
            return
        directed = self.directed_pairs(tally)
        index = {name: i for i, name in enumerate(tally.variables)}
        for source, target in self.required:
            if not directed[index[source], index[target]]:
                raise ConstraintError(
                    f"arc {source} -> {target} is required, but {_OPPOSED[self.directions]}, and "
                    f"{option_name('directions')} is {self.directions!r}"
                )

    def broken_by(self, dag: DAG, tally: Tally) -> str | None:
        """The first violation of these constraints by a network; None if it satisfies them.

        Parameters
        ----------
        dag
            The network, with its variables in the order of the tally.
        tally
            The sums over the inputs.

        Returns
        -------
        str or None
            The first violation.

        Examples
        --------
        >>> import bnfuse
        >>> rules = bnfuse.Constraints(required=[("A", "B")])
        >>> rules.broken_by(bnfuse.DAG(["A", "B"]), bnfuse.Tally(["A", "B"]))
        'the required arc A -> B is missing'
        """
        if missing := [arc for arc in self.required if arc not in set(dag.edges)]:
            return f"the required arc {' -> '.join(missing[0])} is missing"
        allowed = self.allowed(tally)
        for (source, target), (a, b) in zip(dag.edges, dag.arc_numbers.tolist(), strict=True):
            if not allowed[a, b]:
                return f"the arc {source} -> {target} is not allowed"
        if self.max_parents is not None:
            for name in dag.variables:
                if len(dag.parents(name)) > self.max_parents:
                    return f"{name} has more than {self.max_parents} parents"
        return None

    def allowed(self, tally: Tally) -> Any:
        """In row A, column B: whether the arc A -> B may be in the consensus of these inputs.

        A required arc always may be, whatever the rule on directions says, and whether or not any input has both
        variables.

        Parameters
        ----------
        tally
            The sums over the inputs.

        Returns
        -------
        numpy.ndarray
            A square matrix of truth values; with many variables, an object that is indexed like one.

        Examples
        --------
        >>> import bnfuse
        >>> rules = bnfuse.Constraints(forbidden=[("A", "B")])
        >>> rules.allowed(bnfuse.Tally(["A", "B"])).tolist()
        [[False, False], [True, False]]
        """
        if tally.is_listed:
            return AllowedPairs(self, tally)
        index = {name: i for i, name in enumerate(tally.variables)}
        allowed = self.directed_by(tally) & ~np.eye(len(index), dtype=np.bool_)
        if not tally.is_whole:  # a pair that no input has is joined only on request
            allowed &= tally.seen > 0
        for source, target in self.required:
            allowed[index[source], index[target]] = True
        for source, target in self.forbidden:
            allowed[index[source], index[target]] = False
        tier_of = {name: place for place, tier in enumerate(self.tiers) for name in tier}
        for source, source_tier in tier_of.items():
            for target, target_tier in tier_of.items():
                if target_tier < source_tier:
                    allowed[index[source], index[target]] = False
        return allowed

    def directed_pairs(self, tally: Tally) -> Any:
        """The result of `directed_by`; with many variables, an object that is indexed like a matrix.

        Parameters
        ----------
        tally
            The sums over the inputs.

        Returns
        -------
        numpy.ndarray
            In row A, column B: whether the rule on directions allows the arc A -> B.

        Examples
        --------
        >>> import bnfuse
        >>> tally = bnfuse.Tally.of([bnfuse.DAG.from_edges([("A", "B")])], [3])
        >>> bool(bnfuse.Constraints(directions="majority").directed_pairs(tally)[0, 1])
        True
        """
        return (
            AllowedPairs(Constraints(directions=self.directions), tally) if tally.is_listed else self.directed_by(tally)
        )

    def directed_by(self, tally: Tally) -> npt.NDArray[np.bool_]:
        """The result of `directed` for a tally; if most classes leave a direction free, both directions are allowed.

        Parameters
        ----------
        tally
            The sums over the inputs.

        Returns
        -------
        numpy.ndarray
            A square matrix of truth values.

        Examples
        --------
        >>> import bnfuse
        >>> tally = bnfuse.Tally.of([bnfuse.DAG.from_edges([("A", "B")])], [3])
        >>> bnfuse.Constraints(directions="majority").directed_by(tally).tolist()
        [[False, True], [False, False]]
        """
        directed: npt.NDArray[np.bool_] = self.directed(tally.arcs) | ((tally.arcs > 0) & tally.left_open)
        return directed

    def directed(self, arcs: Counts) -> npt.NDArray[np.bool_]:
        """The same by the rule on directions alone; without one, every arc.

        A pair that no input joins directly may be joined under "any" only. If equally many inputs have each direction
        of a pair, "majority" allows both.

        Parameters
        ----------
        arcs
            In row A, column B the weight of the inputs that have the arc A -> B.

        Returns
        -------
        numpy.ndarray
            A square matrix of truth values.

        Examples
        --------
        >>> import bnfuse, numpy as np
        >>> bnfuse.Constraints(directions="majority").directed(np.array([[0, 3], [1, 0]])).tolist()
        [[False, True], [False, False]]
        """
        if not self.has_rule:
            return np.ones(arcs.shape, np.bool_)
        directed: npt.NDArray[np.bool_] = arcs > 0 if self.directions == "seen" else (arcs > 0) & (arcs >= arcs.T)
        return directed


class AllowedPairs:
    """The result of `Constraints.allowed` for the arcs between pairs of many variables."""

    def __init__(self, rules: Constraints, tally: Tally) -> None:
        n = len(tally.variables)
        index = {name: i for i, name in enumerate(tally.variables)}
        self._rules, self._tally, self._n = rules, tally, n
        required, forbidden = ([index[a] * n + index[b] for a, b in arcs] for arcs in (rules.required, rules.forbidden))
        self._required, self._forbidden = np.array(required, np.int64), np.array(forbidden, np.int64)
        self._is_listed = bool(required or forbidden or rules.tiers)
        self._tier = np.full(n, -1)
        for place, tier in enumerate(rules.tiers):
            self._tier[[index[name] for name in tier]] = place

    def __getitem__(self, pair: tuple[Any, Any]) -> Any:
        source, target = pair
        arcs = self._tally.arcs
        allowed = (source != target) & (self._tally.seen[source, target] > 0)
        if self._rules.has_rule:
            there = arcs[source, target]
            allowed = allowed & (there > 0)
            if self._rules.directions == "majority":
                allowed = allowed & (there >= arcs[target, source])
        if not self._is_listed:
            return allowed
        source, target = np.asarray(source, np.int64), np.asarray(target, np.int64)
        keys = source * self._n + target
        allowed = (allowed | np.isin(keys, self._required)) & ~np.isin(keys, self._forbidden)
        before = (self._tier[source] >= 0) & (self._tier[target] >= 0) & (self._tier[target] < self._tier[source])
        return (allowed & ~before)[()]


def _both_ways(forbidden: Any) -> Any:
    """Arcs; a pair of variables becomes the two arcs between them, and anything else stays as it is."""
    if isinstance(forbidden, str) or not isinstance(forbidden, Iterable):
        return forbidden
    return [
        arc
        for one in forbidden
        for arc in (permutations(one) if isinstance(one, AbstractSet) and len(one) == 2 else (one,))
    ]


def pairs_apart(forbidden: Iterable[Forbidden]) -> tuple[list[Arc], list[Arc]]:
    """Forbidden arcs: the pairs that are forbidden in both directions, each once, and arcs that may be reversed."""
    given = dict.fromkeys((source, target) for source, target in forbidden)
    pairs = {arc: None for arc in given if arc[::-1] in given}
    for arc in tuple(pairs):
        if arc in pairs:
            pairs.pop(arc[::-1])
    return list(pairs), [arc for arc in given if arc[::-1] not in given]


def _arcs(which: str, arcs: Iterable[Arc]) -> tuple[Arc, ...]:
    if isinstance(arcs, str) or not isinstance(arcs, Iterable):
        raise ConstraintError(f"{option_name(which)} must be a list of arcs (from, to), got {arcs!r:.60}")
    checked = []
    for arc in arcs:
        if not isinstance(arc, (tuple, list)) or len(arc) != 2:
            raise ConstraintError(f"{option_name(which)}: an arc must be a pair of names (from, to), got {arc!r:.60}")
        source, target = arc
        for name in arc:
            if not isinstance(name, str):
                raise ConstraintError(f"{option_name(which)} arc {source} -> {target}: unknown variable {name!r:.60}")
        if source == target:
            raise ConstraintError(f"{option_name(which)} arc {source} -> {target}: a variable cannot be its own parent")
        checked.append((source, target))
    return tuple(dict.fromkeys(checked))


def _tiers(tiers: Iterable[Iterable[str]]) -> tuple[tuple[str, ...], ...]:
    if isinstance(tiers, str) or not isinstance(tiers, Iterable):
        raise ConstraintError(f"tiers must be lists of variables, got {tiers!r:.60}")
    listed = list(tiers)
    for tier in listed:
        if isinstance(tier, str) or not isinstance(tier, Iterable):
            raise ConstraintError(f"tiers: each must be a list of variables, got {tier!r:.60}")
    checked = tuple(tuple(tier) for tier in listed)
    seen = set()
    for name in (name for tier in checked for name in tier):
        if not isinstance(name, str):
            raise ConstraintError(f"tiers: unknown variable {name!r:.60}")
        if name in seen:
            raise ConstraintError(f"tiers: variable {name!r} is listed twice")
        seen.add(name)
    return checked


NO_CONSTRAINTS = Constraints()
