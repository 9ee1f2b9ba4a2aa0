"""How strong arcs are among many networks, and the strength above which they count.

The strength of an arc is the share of the networks that join its two variables, in either direction; its direction is
the share of these that have it in this direction (Friedman, Goldszmidt and Wyner 1999), as R's `boot.strength` counts
with `cpdag = FALSE`. A learner with a score that is equal within an equivalence class chooses directions that no data
can show, and may choose the same ones in all networks. So there is a second direction, that of the classes, which is
the default of `boot.strength`: if the class of a network leaves the direction free, the network counts half for each
direction. Arcs are oriented by the first, which is consistent with the other arcs of each network; the second is shown
to users.

The threshold is that of Scutari and Nagarajan, Identifying Significant Edges in Graphical Models of Molecular Networks,
Artificial Intelligence in Medicine 57, 2013 (bnlearn's `inclusion.threshold`). If all networks agreed on everything,
each strength would be 0 or 1, and their distribution function a constant t between 0 and 1: the share of the pairs that
are not joined. The t whose function is closest to that of the strengths, in L1, is the share of the pairs to leave out.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import numpy as np

from bnfuse._base.public import public
from bnfuse._base.rows import Table
from bnfuse.errors import FileError
from bnfuse.files import check_output, write_text
from bnfuse.files.vote_table import strength_text
from bnfuse.fusion.weights import Weights
from bnfuse.graphs.arc_votes import MOST_VOTES, ArcVotes
from bnfuse.problem.inputs import PLAIN, InputOptions, Inputs, InputsLike
from bnfuse.problem.pair_counts import Counts, is_listed, pairs_of
from bnfuse.problem.tally import Tally

_HALF = Fraction(1, 2)

DIRECTIONS = ("class", "arcs")
"""How the direction of an arc is determined: by equivalence classes, or by the arcs themselves."""


@dataclass(frozen=True, slots=True)
class ArcStrength:
    """An arc among many networks."""

    source: str
    target: str
    strength: float
    """the share of the networks with both variables that join the two, in either direction"""
    direction: float
    """the share of these that have the arc in this direction"""
    class_direction: float | None = None
    """the same by equivalence classes, half for each direction if they leave it free; None if classes are not known"""
    free: float | None = None
    """the share of the networks joining the two whose class leaves the direction free"""

    @property
    def is_free(self) -> bool:
        """Whether the classes of most networks that join the two leave the direction free."""
        return self.free is not None and self.free > 0.5

    @property
    def facts(self) -> dict[str, str | float | None]:
        """All values by name, for JSON."""
        return {
            "from": self.source,
            "to": self.target,
            "strength": self.strength,
            "direction": self.direction,
            "class_direction": self.class_direction,
            "free": self.free,
        }

    @property
    def reported_direction(self) -> float:
        """The direction by equivalence classes, if these are known."""
        return self.direction if self.class_direction is None else self.class_direction


@public
class Strengths:
    """The strengths and directions of all arcs of a tally, and the threshold estimated from them.

    The strength of an arc is the share of the networks that join its two variables, in either direction; its direction
    is the share of these that have it in this direction. For its class direction, a network counts half for each
    direction if its equivalence class leaves the direction free: data support no more than that.

    Parameters
    ----------
    tally
        The sums over the networks.
    networks
        The number of networks that the strengths represent; by default the weight of the tally.

    References
    ----------
    Scutari, Nagarajan: Identifying Significant Edges in Graphical Models of Molecular Networks. Artificial Intelligence
    in Medicine 57, 2013.

    Examples
    --------
    >>> import bnfuse
    >>> tally = bnfuse.Tally(["A", "B"])
    >>> tally.add(bnfuse.DAG(["A", "B"], [("A", "B")]), weight=3)
    >>> tally.add(bnfuse.DAG(["A", "B"]))
    >>> bnfuse.Strengths(tally).arcs[0]
    ArcStrength(source='A', target='B', strength=0.75, direction=1.0, class_direction=0.5, free=1.0)
    """

    def __init__(self, tally: Tally, networks: int | None = None) -> None:
        self.tally = tally
        self.networks = max(round(tally.weight / tally.parts) if networks is None else networks, 1)
        """the number of networks that the strengths represent"""

    @cached_property
    def arcs(self) -> Table[ArcStrength]:
        """Both directions of each pair that any network joins: strongest first, then the more common direction.

        `arcs.to_pandas()` and `arcs.to_polars()` make a DataFrame of them.
        """
        names, counts, seen, fixed = self.tally.variables, self.tally.arcs, self.tally.seen, self.tally.fixed
        joined = counts + counts.T
        rows = []
        for a, b in pairs_of(joined):
            those = int(joined[a, b])
            classes: tuple[float, ...] = ()
            if fixed is not None:
                there, back = int(fixed[a, b]), int(fixed[b, a])
                classes = (those + there - back) / (2 * those), (those - there - back) / those
            strength, direction = those / int(seen[a, b]), int(counts[a, b]) / those
            rows.append(ArcStrength(names[a], names[b], strength, direction, *classes))
        index = {name: i for i, name in enumerate(names)}

        def place(row: ArcStrength) -> tuple[float, int, int, float]:
            first, last = sorted((index[row.source], index[row.target]))
            return -row.strength, first, last, -row.direction

        return Table(sorted(rows, key=place))

    @cached_property
    def exact_threshold(self) -> Fraction:
        """The estimated threshold as a fraction."""
        return estimated_threshold(self.tally.arcs, self.tally.seen)

    @property
    def threshold(self) -> float:
        """Arcs with a larger strength than this estimate count, and so do those that all networks have."""
        return float(self.exact_threshold)

    @property
    def left_out(self) -> Fraction:
        """The share of the pairs that the threshold would leave out if all networks agreed: t."""
        return _left_out(self.tally.arcs, self.tally.seen)

    def is_strong(self, arc: ArcStrength) -> bool:
        """Whether an arc counts.

        Parameters
        ----------
        arc
            One of `arcs`.

        Returns
        -------
        bool
            True if it is stronger than the threshold, or if all networks have it.

        Examples
        --------
        >>> import bnfuse
        >>> found = bnfuse.strengths([bnfuse.DAG.from_edges([("A", "B")])])
        >>> found.is_strong(found.arcs[0])
        True
        """
        return arc.strength > self.threshold or arc.strength == 1

    @property
    def included(self) -> tuple[ArcStrength, ...]:
        """The arcs that count, in their majority direction; in both directions if these are equally common."""
        return tuple(row for row in self.arcs if self.is_strong(row) and row.direction >= 0.5)

    @cached_property
    def distribution(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """The distinct strengths of all pairs, including 0, and the share of the pairs that are no stronger."""
        return tuple(_distribution(self.tally.arcs, self.tally.seen))

    @property
    def votes(self) -> ArcVotes:
        """The same as votes for arcs, which can be written to a file or used as an input."""
        tally = self.tally
        if tally.is_whole and tally.weight <= MOST_VOTES:
            return ArcVotes.from_count_matrix(tally.variables, tally.arcs, max(tally.weight, 1), self.networks)
        return ArcVotes(tally.variables, tally.arcs / tally.seen.clip(min=1), self.networks)

    def write(self, path: str | os.PathLike[str], overwrite: bool = False) -> None:
        """Write the table from,to,strength,direction as CSV, which `bnfuse.read` reads as votes for arcs.

        If equivalence classes are known, two more columns follow: class_direction, and free, the share of the networks
        with the arc, in either direction, whose class leaves its direction free. `bnfuse.read`
        ignores these two.

        Parameters
        ----------
        path
            The file, which ends in .csv or .csv.gz.
        overwrite
            Whether a file that exists may be replaced.

        Raises
        ------
        FileError
            The file cannot be written, or exists and may not be replaced.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.strengths([bnfuse.DAG.from_edges([("A", "B")])]).write("strengths.csv")
        >>> bnfuse.read("strengths.csv")
        [<ArcVotes: 2 variables, 1 arcs with votes, 1 networks>]
        """
        check_strengths(path, overwrite)
        classes = {
            (one.source, one.target): (one.class_direction, one.free)
            for one in self.arcs
            if one.class_direction is not None and one.free is not None
        }
        write_text(strength_text(self.votes, classes if self.tally.fixed is not None else None), Path(path))

    def __repr__(self) -> str:
        return f"<Strengths: {len(self.arcs) // 2} pairs, estimated threshold {self.threshold:.3g}>"


@public
def strengths(networks: InputsLike, weights: Weights | None = None, options: InputOptions = PLAIN) -> Strengths:
    """The strengths of the arcs of networks, classes and votes for arcs, or of tallies of them.

    Parameters
    ----------
    networks
        The inputs, as in `bnfuse.consensus`.
    weights
        A number for each input, or a mapping from names; 0 leaves it out.
    options
        How inputs that have different variables, or are not networks, are counted.

    Returns
    -------
    Strengths
        The arcs, strongest first, and the threshold estimated from them.

    Raises
    ------
    OptionError
        These are not networks, or the weights do not fit.
    MismatchError
        The networks have different variables.

    References
    ----------
    Friedman, Goldszmidt, Wyner: Data Analysis with Bayesian Networks: A Bootstrap Approach. UAI 1999.

    Examples
    --------
    >>> import bnfuse
    >>> one, two, none = (bnfuse.DAG(["A", "B"], arcs) for arcs in ([("A", "B")], [("B", "A")], []))
    >>> arc = bnfuse.strengths([one, two, none]).arcs[0]
    >>> round(arc.strength, 2), arc.direction
    (0.67, 0.5)
    """
    inputs = Inputs.of(networks, weights, options=options)
    return Strengths(inputs.tally, round(sum(inputs.exact_weights)) if inputs.exact_weights else None)


def check_strengths(path: str | os.PathLike[str], overwrite: bool = False) -> None:
    """Refuse a file that `Strengths.write` could not write, before time is spent on its content."""
    file = Path(path)
    if not file.name.lower().endswith((".csv", ".csv.gz")):
        raise FileError(file, "strengths are written to a file that ends in .csv or .csv.gz")
    check_output(file, overwrite)


def estimated_threshold(arcs: Counts, seen: Counts) -> Fraction:
    """The threshold, given the weights of the inputs that have each arc (row -> column), and that have both variables.

    It is the smallest strength at which the distribution function reaches the share of the pairs to leave out; 0 where
    that is 0.
    """
    left_out = _left_out(arcs, seen)
    return next((strength for strength, share in _distribution(arcs, seen) if share >= left_out > 0), Fraction(0))


def _left_out(arcs: Counts, seen: Counts) -> Fraction:
    """The constant t closest to the distribution function F of the strengths: the share of pairs to leave out.

    The integral of |F(x) - t| is least at the median of F(x) over x in [0, 1]; if a whole interval is equally close,
    its middle is used.
    """
    steps = [(Fraction(0), Fraction(0)), *_distribution(arcs, seen), (Fraction(1), Fraction(1))]
    return next(
        share if stop > _HALF else (share + following) / 2
        for (_, share), (stop, following) in pairwise(steps)
        if stop >= _HALF
    )


def _distribution(arcs: Counts, seen: Counts) -> Iterator[tuple[Fraction, Fraction]]:
    """The distinct strengths of the pairs with votes, and the share of pairs that are no stronger."""
    counted: dict[Fraction, int] = {}
    if is_listed(arcs):
        first, second, both = (arcs + arcs.T).entries()
        rows, columns, joined = (part[first < second] for part in (first, second, both))
        every = arcs.n * (arcs.n - 1) // 2  # including pairs without any votes: there are too many of them to examine
        counted[Fraction(0)] = every - len(rows)
    else:
        rows, columns = np.nonzero(np.triu(seen, 1))
        joined, every = (arcs + arcs.T)[rows, columns], len(rows)
    pairs, numbers = np.unique(np.stack((joined, seen[rows, columns])), axis=1, return_counts=True)
    for (having, voters), number in zip(pairs.T.tolist(), numbers.tolist(), strict=True):
        strength = Fraction(having, voters)
        counted[strength] = counted.get(strength, 0) + number
    below = 0
    for strength, number in sorted(counted.items()):
        below += number
        yield strength, Fraction(below, every)
