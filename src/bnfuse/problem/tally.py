"""The sums over inputs: how many have each moral edge and each arc, among those with both variables.

Mean SMHD, mean SHD and directed support need nothing else, so a tally represents any number of networks in the memory
of one, and tallies of several sites can be added. It also counts the networks whose equivalence class fixes the
direction of each arc; in the others that join a pair, the direction is free. Once several networks are in it, a tally
hides which network had which arc, and nothing else: the tally of one network shows that network's arcs and moral graph.
"""

from __future__ import annotations

import copy
import json
import math
import os
import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from bnfuse import _kernel
from bnfuse._base import disk
from bnfuse._base.fields import Field
from bnfuse._base.options import at_least, option_name
from bnfuse._base.public import public
from bnfuse._base.texts import count, listed, shown_weight
from bnfuse.errors import BnfuseError, FileError, MismatchError, OptionError
from bnfuse.fusion.fusion import LARGEST_TOTAL
from bnfuse.graphs.dag import DAG, Rows, as_dags, check_same_variables, refuse_many, stacked
from bnfuse.graphs.equivalence import fixed_pairs
from bnfuse.graphs.network import BOOTSTRAP
from bnfuse.problem.input_votes import MOST_PARTS, SOFT_PARTS, InputLike, InputVotes, input_votes_of
from bnfuse.problem.pair_counts import (
    Counts,
    Numbers,
    PairCounts,
    SeenByKinds,
    are_equal,
    check_pairs,
    is_listed,
    listed_counts,
    no_counts,
)
from bnfuse.problem.tally_content import content_of, fill

_KIND = "bnfuse tally"
_FINE = 100_000  # the most parts of an input's whole weight to which its votes may be rounded
_READ = (1, 2, 3)
# Version 1 had whole networks over all variables only, 2 all others; 3 has the directions that equivalence classes fix.
# Tallies made from an older one, or from a sum of sites, lack these and are still written as 1 or 2.
_MOST_WAITING = 64  # networks, or arrays of them, whose classes have not been counted yet


class _Waiting(NamedTuple):
    """Networks whose classes have not been counted yet or, if these are known, the arcs that they fix."""

    dags: Sequence[DAG]
    weights: list[int]
    are_known: bool


@public
class Tally:
    """Weighted counts of moral edges and arcs over any number of inputs: all that the distances SMHD and SHD need.

    A tally represents any number of networks in the memory of one, and tallies of several sites can be added. Several
    threads may add to one tally.

    Parameters
    ----------
    variables
        The names, all different.
    parts
        The number of parts of a weight of 1: all weights here are counted in such parts.

    Attributes
    ----------
    moral
        In row A, column B: the weight of the inputs whose moral graph joins A and B.
    arcs
        In row A, column B: the weight of the inputs with the arc A -> B.
    weight
        The total weight.

    Raises
    ------
    GraphError
        The names are not different.

    Examples
    --------
    >>> import bnfuse
    >>> tally = bnfuse.Tally(["A", "B"])
    >>> tally.add(bnfuse.DAG(["A", "B"], [("A", "B")]), weight=2)
    >>> tally.weight, int(tally.arcs[0, 1]), int(tally.moral[1, 0])
    (2, 2, 2)
    >>> bnfuse.consensus(tally).dag.edges
    (('A', 'B'),)
    """

    def __init__(self, variables: Iterable[str], parts: int = 1) -> None:
        self._empty = DAG(variables)
        self._lock = threading.RLock()
        n = len(self.variables)
        self.moral: Counts = no_counts(n)
        """in row A, column B: the weight of the inputs whose moral graph joins A and B"""
        self.arcs: Counts = no_counts(n)
        """in row A, column B: the weight of the inputs with the arc A -> B"""
        self.weight = 0
        """the total weight"""
        self.parts = parts
        """the number of parts of a weight of 1: all weights here are counted in such parts"""
        self._blind: Counts | None = None
        """in row A, column B: the weight of the inputs that lack A or B; None if no input lacks any"""
        self._has_others = False
        """whether it has counted inputs other than networks learned from resamples"""
        self._kinds: dict[bytes, int] = {}
        """with many variables: the weight of the inputs that have exactly these variables, and not all"""
        self._fixed: Counts | None = no_counts(n)
        """the result of `fixed`, without networks that are not counted yet"""
        self._waiting: tuple[_Waiting, ...] = ()
        """networks whose classes have not been counted yet"""
        self._drawn: Counts | None = None
        """the arcs as the inputs were given, if some were counted by their classes; None if none was"""

    @classmethod
    def of(cls, dags: Iterable[DAG], weights: Iterable[int], are_resamples: bool = False) -> Tally:
        """The tally of DAGs whose variables are in the same order.

        Parameters
        ----------
        dags
            The DAGs, at least one.
        weights
            A whole number for each.
        are_resamples
            Whether all of them were learned from resamples of data.

        Returns
        -------
        Tally
            Their sums.

        Raises
        ------
        MismatchError
            The sum of the weights is too large.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.Tally.of([bnfuse.DAG.from_edges([("A", "B")])], [3]).weight
        3
        """
        dags = as_dags(dags)
        tally = cls(dags[0].variables)
        tally._count(dags, list(weights))
        tally._has_others = not are_resamples
        return tally

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the variables."""
        return self._empty.variables

    @property
    def is_whole(self) -> bool:
        """Whether every input has all variables."""
        return self._blind is None and not self._kinds

    @property
    def is_listed(self) -> bool:
        """Whether there are so many variables that only the pairs joined by an input have counts."""
        return is_listed(self.moral)

    @property
    def is_simple(self) -> bool:
        """Whether every input is a network over all variables."""
        return self.is_whole and self.parts == 1

    @property
    def is_of_resamples(self) -> bool:
        """Whether every input is a network learned from a resample of data."""
        return self.weight > 0 and not self._has_others

    @property
    def fixed(self) -> Counts | None:
        """In row A, column B: the weight of the inputs whose equivalence class fixes A -> B; None if not known.

        The rest of the weight that joins A and B leaves the direction free. Votes for arcs have no class: they count as
        given. Files of older versions and sums of a federation do not have this information.
        """
        self._classify()
        return self._fixed

    @property
    def oriented(self) -> Counts:
        """In row A, column B: the votes for A -> B by which the consensus chooses directions.

        They equal `arcs`, except for near-ties between inputs that were counted by their classes: if most of the weight
        that joins a pair leaves its direction free, the arcs as these inputs were given decide.
        """
        return self.arcs if self._drawn is None else np.where(self.left_open, self._drawn, self.arcs)

    @property
    def left_open(self) -> npt.NDArray[np.bool_]:
        """In row A, column B: whether inputs were counted by classes, most of which leave the direction free."""
        if self._drawn is None or (fixed := self.fixed) is None:
            return np.broadcast_to(np.False_, self.arcs.shape)
        is_open: npt.NDArray[np.bool_] = 2 * (fixed + fixed.T) < self.arcs + self.arcs.T
        return is_open

    @property
    def seen(self) -> Counts:
        """In row A, column B: the weight of the inputs that have both, and so vote on the pair; read-only."""
        if self._kinds:
            return SeenByKinds(len(self.variables), self.weight, self._kinds)
        if self._blind is None:
            return np.broadcast_to(np.int64(self.weight), self.moral.shape)  # a single number, whatever the shape
        return self.weight - self._blind

    def add(
        self,
        network: InputLike,
        weight: int = 1,
        *,
        partly: bool = False,
        support: Literal["arcs", "class"] = "arcs",
        soft: Literal["independent", "sample"] = "independent",
    ) -> None:
        """Count one more input: a network, an equivalence class or arc votes.

        Parameters
        ----------
        network
            The input.
        weight
            A whole number.
        partly
            Whether it may lack variables: it then does not vote on pairs with a missing variable.
        support, soft
            As in `bnfuse.consensus`.

        Raises
        ------
        MismatchError
            It has other variables, or the sum of the weights is too large.
        OptionError
            An option is invalid, or this is not an input.

        Examples
        --------
        >>> import bnfuse
        >>> tally = bnfuse.Tally(["A", "B", "C"])
        >>> tally.add(bnfuse.DAG(["A", "B"], [("A", "B")]), partly=True)
        >>> int(tally.seen[0, 1]), int(tally.seen[0, 2])
        (1, 0)
        """
        votes_of_one = input_votes_of(network, support, soft)
        self._check_variables(votes_of_one.variables, partly, "the tally", "the network")
        is_resample = getattr(network, "made_by", "") == BOOTSTRAP
        self.count(votes_of_one, at_least("weight", weight, 0) * votes_of_one.networks, is_resample=is_resample)

    def count(self, votes_of_one: InputVotes, weight: int, keep_parts: bool = False, is_resample: bool = False) -> None:
        """Count the votes of an input over some or all of the variables, once the input has been checked.

        Parameters
        ----------
        votes_of_one
            The votes of one input.
        weight
            A whole number.
        keep_parts
            Whether to keep the present unit of weights.
        is_resample
            Whether the input was learned from a resample of data.

        Raises
        ------
        MismatchError
            The sum of the weights is too large.

        Examples
        --------
        >>> import bnfuse
        >>> from bnfuse.problem.input_votes import input_votes_of
        >>> tally = bnfuse.Tally(["A", "B"])
        >>> tally.count(input_votes_of(bnfuse.DAG.from_edges([("A", "B")])), weight=2)
        >>> tally.weight
        2
        """
        with self._lock:
            self._has_others |= bool(weight) and not is_resample
            if votes_of_one.is_plain:
                assert votes_of_one.dag is not None
                known = None if votes_of_one.fixed is None else [DAG(self.variables, votes_of_one.fixed)]
                self._count([votes_of_one.dag.over(self.variables)], [weight], known)
            else:
                refuse_many(len(self.variables), "counting votes for arcs, and networks with free directions,")
                if not keep_parts:
                    self._divide(votes_of_one.parts, weight)
                self._count_votes(votes_of_one, weight)
            self._miss(votes_of_one.variables, weight * self.parts)

    def merge(self, other: Tally, partly: bool = False) -> None:
        """Add all counts of another tally.

        Parameters
        ----------
        other
            The other tally, which is not changed.
        partly
            Whether it may lack variables.

        Raises
        ------
        MismatchError
            It has other variables, or the sum of the weights is too large.
        OptionError
            It is not a tally.

        Examples
        --------
        >>> import bnfuse
        >>> north, south = (bnfuse.Tally.of([bnfuse.DAG.from_edges([("A", "B")])], [n]) for n in (3, 4))
        >>> north.merge(south)
        >>> north.weight
        7
        """
        if not isinstance(other, Tally):
            raise OptionError(f"expected a tally, got {type(other).__name__}")
        self._check_variables(other.variables, partly, "this tally", "the other tally")
        with other._lock:  # one lock at a time: two tallies may be merged into each other
            other._classify()
            other = copy.deepcopy(other)
        place = [self.variables.index(name) for name in other.variables]
        with self._lock:
            self._divide(other.parts, other.weight // other.parts)
            other._count_in(self.parts)
            self._check_total(other.weight)
            if self.is_listed:
                self._merge_lists(other, np.array(place, np.int64))
                return
            self._merge_classes(other, np.ix_(place, place))
            self.moral[np.ix_(place, place)] += other.moral
            self.arcs[np.ix_(place, place)] += other.arcs
            self._miss(other.variables, other.weight)
            if other._blind is not None:
                blind = self._blind if self._blind is not None else np.zeros_like(self.moral)
                blind[np.ix_(place, place)] += other._blind
                self._blind = blind
            self.weight += other.weight
            self._has_others |= other._has_others

    def _merge_lists(self, other: Tally, place: npt.NDArray[np.int64]) -> None:
        """The work of `merge` with many variables."""
        n = len(self.variables)
        if other.parts > 1 or other._blind is not None or other._drawn is not None:
            refuse_many(n, "merging a tally of votes for arcs, or of inputs over different variables,")
        moved = {name: listed_counts(getattr(other, name)).moved(n, place) for name in ("moral", "arcs")}
        check_pairs(len(self.moral.keys) + len(moved["moral"].keys), n)
        self._classify()
        fixed = None
        if self._fixed is not None and other._fixed is not None:
            fixed = self._fixed + listed_counts(other._fixed).moved(n, place)
        kinds = dict(self._kinds)
        for kind, weight in other._kinds.items():
            mask = np.zeros(n, np.uint8)
            mask[place] = np.frombuffer(kind, np.uint8)
            kinds[mask.tobytes()] = kinds.get(mask.tobytes(), 0) + weight
        self._replace(
            moral=self.moral + moved["moral"],
            arcs=self.arcs + moved["arcs"],
            weight=self.weight + other.weight,
            _fixed=fixed,
            _kinds=kinds,
            _has_others=self._has_others or other._has_others,
        )
        self._miss(other.variables, other.weight - sum(other._kinds.values()))

    def _merge_classes(self, other: Tally, here: Any) -> None:
        """Count the directions that classes fix and the arcs as given; both are unknown if some of them are."""
        self._classify()
        if self._drawn is not None or other._drawn is not None:
            self._drawn = self.arcs.copy() if self._drawn is None else self._drawn
            self._drawn[here] += other.arcs if other._drawn is None else other._drawn
        if other._fixed is None:
            self._fixed = None
        elif self._fixed is not None:
            self._fixed[here] += other._fixed

    def by_class(self) -> Tally:
        """The same inputs counted by their equivalence classes, as `support="class"` counts them.

        Returns
        -------
        Tally
            The tally, with half a vote for each direction that a class leaves free; the arcs as counted here decide
            near-ties.

        Raises
        ------
        OptionError
            The tally does not record the directions that classes fix.

        Examples
        --------
        >>> import bnfuse
        >>> tally = bnfuse.Tally.of([bnfuse.DAG.from_edges([("A", "B")])], [3])
        >>> votes = tally.by_class()
        >>> votes.arcs.tolist(), votes.weight, votes.parts
        ([[0, 3], [3, 0]], 6, 2)
        """
        refuse_many(len(self.variables), f"{option_name('support')} class")
        counted = copy.deepcopy(self)
        if counted.fixed is None:
            raise OptionError(
                "the tally does not record which directions equivalence classes leave free, because an older "
                f"bnfuse or a federation made it: leave out {option_name('support')} class, or count the networks again"
            )
        counted._divide(2, 0)
        fixed = counted.fixed
        joined = counted.arcs + counted.arcs.T
        drawn = counted.arcs if counted._drawn is None else counted._drawn
        counted._replace(arcs=(joined + fixed - fixed.T) // 2, _drawn=drawn)
        return counted

    def content(self) -> dict[str, Any]:
        """The counts, for a file.

        Returns
        -------
        dict
            A mapping for JSON, with numbers for variables.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.Tally.of([bnfuse.DAG.from_edges([("A", "B")])], [3]).content()
        {'weight': 3, 'moral': [[0, 1, 3]], 'arcs': [[0, 1, 3]], 'fixed': []}
        """
        return content_of(self)

    def save(self, path: str | os.PathLike[str], overwrite: bool = False) -> None:
        """Write the tally to a JSON file.

        Parameters
        ----------
        path
            The file; .gz compresses it.
        overwrite
            Whether a file other than a tally may be replaced.

        Raises
        ------
        FileError
            The file cannot be written, or exists and may not be replaced.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.Tally.of([bnfuse.DAG.from_edges([("A", "B")])], [3]).save("north.json")
        >>> bnfuse.Tally.load("north.json")
        <Tally: 2 variables, weight 3>
        """
        whole = copy.deepcopy(self)  # other threads may continue to count
        counts = whole.content()
        version = 3 if "fixed" in counts else 1 if whole.is_simple else 2
        content = {
            "kind": _KIND,
            "version": version,
            "weight": counts.pop("weight"),
            "variables": whole.variables,
            **counts,
        }
        text = json.dumps(content, ensure_ascii=False, separators=(",", ":")) + "\n"
        file = Path(path)
        check_save(file, overwrite)
        data = text.encode()
        disk.write_bytes(disk.gzipped(data) if file.suffix.lower() == ".gz" else data, file)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Tally:
        """Read a tally from a file.

        Parameters
        ----------
        path
            The file.

        Returns
        -------
        Tally
            Equal to the one that was saved.

        Raises
        ------
        FileError
            The file cannot be read, or is not a tally.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.Tally(["A", "B"]).save("empty.json.gz")
        >>> bnfuse.Tally.load("empty.json.gz").variables
        ('A', 'B')
        """
        file = Path(path)
        text = disk.read_bytes(file)
        try:
            disk.check_json(text, file)
            content = Field.parsed(text)
            if not isinstance(content.value, dict) or content.get("kind").value != _KIND:
                raise FileError(file, "is not a tally written by `bnfuse tally`")
            if (version := content.get("version").value) not in _READ:
                raise FileError(file, f"is a tally of version {version!r:.20}; this bnfuse reads 1 to {_READ[-1]}")
            return cls.from_content(content)
        except FileError:
            raise
        except BnfuseError as error:
            raise FileError(file, f"is a damaged tally: {error}") from None

    @classmethod
    def from_content(cls, content: Mapping[str, Any] | Field) -> Tally:
        """A tally from the result of `content` and the variables; inconsistent content is refused.

        Parameters
        ----------
        content
            The counts, with the key `variables` too.

        Returns
        -------
        Tally
            Equal to the one whose content it was.

        Raises
        ------
        BnfuseError
            The content is inconsistent; the message says where.

        Examples
        --------
        >>> import bnfuse
        >>> tally = bnfuse.Tally.of([bnfuse.DAG.from_edges([("A", "B")])], [3])
        >>> bnfuse.Tally.from_content({"variables": ["A", "B"], **tally.content()}) == tally
        True
        """
        saved = content if isinstance(content, Field) else Field(dict(content))
        with saved["variables"].about():
            tally = cls(saved["variables"].texts())
        fill(tally, saved)
        return tally

    def _count(self, dags: Sequence[DAG], weights: Sequence[int], fixed: Sequence[DAG] | None = None) -> None:
        """Count DAGs, all or none even with Ctrl-C; the directions that classes fix are given, or counted later."""
        inside = [weight * self.parts for weight in weights]
        with self._lock:
            self._check_total(sum(inside))
            each = np.array(inside, np.int64)
            counted: dict[str, Any] = {"weight": self.weight + sum(inside)}
            if self._fixed is not None:
                more = _Waiting(dags if fixed is None else fixed, inside, fixed is not None)
                counted["_waiting"] = (*self._waiting, more)
            if self.is_listed:
                self._replace(**counted, **self._with_pairs(dags, each))
            else:
                self._count_rows(stacked(dags), each, counted)
            if len(self._waiting) >= _MOST_WAITING:
                self._classify()

    def _count_rows(self, rows: Rows, each: Numbers, counted: dict[str, Any]) -> None:
        if self._drawn is not None:
            counted["_drawn"] = self._drawn.copy()
            _kernel.count_edges(rows, each, np.zeros_like(self.moral), counted["_drawn"])
        before = int(self.arcs.sum())
        try:
            _kernel.count_edges(rows, each, self.moral, self.arcs)  # all or none
            self._replace(**counted)
        except KeyboardInterrupt:
            if int(self.arcs.sum()) > before:
                self._replace(**counted)
            raise

    def _with_pairs(self, dags: Sequence[DAG], each: Numbers) -> dict[str, Counts]:
        """The counts of moral edges and arcs after these DAGs are added."""
        n = len(self.variables)
        for dag in dags:
            parents = np.bincount(dag.arc_numbers[:, 1], minlength=1)
            check_pairs(int((parents * (parents + 1)).sum()), n)
        keys, moral, arcs = _kernel.count_pairs([dag.for_kernel for dag in dags], each)
        check_pairs(len(self.moral.keys) + len(keys), n)
        more = {"moral": PairCounts(n, keys, moral), "arcs": PairCounts(n, keys[arcs > 0], arcs[arcs > 0])}
        return {name: getattr(self, name) + counts for name, counts in more.items()}

    def _classify(self) -> None:
        """Count the directions that classes fix in networks not counted yet."""
        with self._lock:
            if not self._waiting or self._fixed is None:
                return
            n = len(self.variables)
            keys, weights = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
            for waiting in self._waiting:
                for dag, weight in zip(waiting.dags, waiting.weights, strict=True):
                    pairs = (
                        dag.arc_numbers if waiting.are_known else np.array(fixed_pairs(dag), np.int64).reshape(-1, 2)
                    )
                    keys.append(pairs[:, 0] * n + pairs[:, 1])
                    weights.append(np.full(len(pairs), weight, np.int64))
            added = PairCounts.added_up(n, np.concatenate(keys), np.concatenate(weights))
            if self.is_listed:
                fixed = self._fixed + added
            else:
                fixed = self._fixed.copy()
                fixed.ravel()[added.keys] += added.numbers
            self._replace(_fixed=fixed, _waiting=())

    def _count_votes(self, votes_of_one: InputVotes, weight: int) -> None:
        votes = votes_of_one.votes()
        self._check_total(weight * self.parts)
        place = [self.variables.index(name) for name in votes_of_one.variables]
        here = np.ix_(place, place)
        wanted = weight * self.parts
        moral, arcs = self.moral.copy(), self.arcs.copy()
        # If parts of this size are not multiples of the present ones, rounding keeps arcs below moral edges.
        moral[here] -= _in_parts(-votes.moral, votes.parts, wanted)
        arcs[here] += _in_parts(votes.arcs, votes.parts, wanted)
        drawn = self._drawn if self._drawn is not None or votes.drawn is None else self.arcs
        if drawn is not None:
            drawn = drawn.copy()
            drawn[here] += _in_parts(votes.arcs if votes.drawn is None else votes.drawn, votes.parts, wanted)
        fixed = self.fixed
        if fixed is not None:
            fixed = fixed.copy()
            fixed[here] += _in_parts(votes.fixed, votes.parts, wanted)
            fixed = _within(fixed, arcs)
        self._replace(moral=moral, arcs=arcs, weight=self.weight + wanted, _fixed=fixed, _drawn=drawn)

    def _divide(self, parts: int, more: int) -> None:
        """Count in smaller parts, so that parts of this size are whole if possible, and this weight can be added."""
        total = self.weight // self.parts + more
        for finer in (math.lcm(self.parts, parts), math.lcm(self.parts, SOFT_PARTS), max(self.parts, parts)):
            if finer <= MOST_PARTS and total <= largest_weight(self.variables, finer):
                self._count_in(finer)
                return
        if more * self.parts < _FINE:
            raise MismatchError(f"the weights add up to more than {largest_weight(self.variables, SOFT_PARTS):,}")

    def _count_in(self, parts: int) -> None:
        """Count in another unit: votes that are not whole in it are rounded so that arcs stay below moral edges."""
        if parts == self.parts:
            return
        arcs, fixed, drawn = _in_parts(self.arcs, self.parts, parts), self.fixed, self._drawn
        self._replace(
            moral=-_in_parts(-self.moral, self.parts, parts),
            arcs=arcs,
            _fixed=None if fixed is None else _within(_in_parts(fixed, self.parts, parts), arcs),
            _drawn=None if drawn is None else _in_parts(drawn, self.parts, parts),
            weight=self.weight // self.parts * parts,
            _blind=None if self._blind is None else self._blind // self.parts * parts,
            parts=parts,
        )

    def _replace(self, **counts: Any) -> None:
        """Assign all of these at once: Ctrl-C takes effect before or after."""
        self.__dict__.update(counts)

    def _miss(self, variables: Sequence[str], weight: int) -> None:
        """Record that inputs of this weight have exactly these variables."""
        if len(variables) == len(self.variables) or not weight:
            return
        having = np.isin(self.variables, variables)
        if self.is_listed:
            kind = having.astype(np.uint8).tobytes()
            self._kinds = self._kinds | {kind: self._kinds.get(kind, 0) + weight}
            return
        blind = self._blind if self._blind is not None else np.zeros_like(self.moral)
        blind[~having] += weight
        blind[np.ix_(having, ~having)] += weight
        self._blind = blind

    def _check_variables(self, variables: tuple[str, ...], partly: bool, own_label: str, label: str) -> None:
        if variables == self.variables:
            return
        if not partly:
            check_same_variables(self._empty, DAG(variables), own_label, label)
        if more := [name for name in variables if name not in self.variables]:
            raise MismatchError(f"{label} has {count(len(more), 'variable')} that {own_label} lacks: {listed(more)}")

    def _check_total(self, more: int) -> None:
        most = largest_weight(self.variables, self.parts)
        if self.weight + more > most * self.parts:
            raise MismatchError(f"the weights add up to more than {most:,}")

    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            return {name: copy.copy(value) for name, value in self.__dict__.items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._lock = threading.RLock()

    def __eq__(self, other: object) -> bool:
        """The same variables in the same order, with the same counts of moral edges and arcs."""
        if not isinstance(other, Tally):
            return NotImplemented
        return (
            self.variables == other.variables
            and (self.weight, self.parts, self.is_whole) == (other.weight, other.parts, other.is_whole)
            and are_equal(self.moral, other.moral)
            and are_equal(self.arcs, other.arcs)
            and self._kinds == other._kinds
            and (self._blind is None or np.array_equal(self.seen, other.seen))
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Tally: {len(self.variables)} variables, weight {shown_weight(self.weight, self.parts)}>"


def largest_weight(variables: Sequence[str], parts: int) -> int:
    """The largest total weight: sums of its parts over all pairs of the variables stay exact in 64 bits."""
    if parts == 1:
        return LARGEST_TOTAL
    return min(2**38, max(2**36, 2**52 // len(variables) ** 2)) // parts  # the kernel accepts no more for one network


def _in_parts(counts: Counts, parts: int, wanted: int) -> Counts:
    """Counts in another unit, rounded down."""
    whole, rest = np.divmod(counts, parts)
    times, left = divmod(wanted, parts)  # no product exceeds 64 bits
    scaled: Counts = whole * wanted + rest * times + rest * left // parts
    return scaled


def _within(fixed: Counts, arcs: Counts) -> Counts:
    """Rounded weights that fix directions, where rounding made them exceed those that join the pairs."""
    both, joined = fixed + fixed.T, arcs + arcs.T
    return np.where(both > joined, fixed * joined // np.maximum(both, 1), fixed)


def check_save(path: Path, overwrite: bool = False) -> None:
    """Refuse a file that `Tally.save` could not write, before time is spent on its content."""
    opening = f'{{"kind":"{_KIND}"'.encode()
    disk.check_replaceable(path, lambda head: head.startswith(opening), "a tally", overwrite)
