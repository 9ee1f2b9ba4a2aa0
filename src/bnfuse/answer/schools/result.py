"""Schools of thought: their networks, their members, and the arcs that separate them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from bnfuse._base.public import public
from bnfuse._base.texts import count, listed, relative_gap
from bnfuse.answer.result import Consensus
from bnfuse.answer.schools.division.panel import Panel
from bnfuse.answer.schools.rule import FEWEST, SchoolTest
from bnfuse.answer.schools.separating import SchoolAnswer, Separating, answers_of, separating_arcs
from bnfuse.graphs.dag import DAG
from bnfuse.graphs.network import Network
from bnfuse.inference.evidence import Evidence
from bnfuse.problem.problem import Problem
from bnfuse.search.outcome import mean_distance

_NAMED = 6
_BETWEEN = 0.1
"""An input is between two schools if it is nearer to its own by less than this share of their distance."""


@public
@dataclass(frozen=True, eq=False)
class School:
    """One school of thought.

    Attributes
    ----------
    number
        1 for the largest, and so on.
    inputs
        The names of its inputs.
    consensus
        Their consensus: the result of `consensus` for them under the same limits and constraints.

    Examples
    --------
    >>> import bnfuse
    >>> one, two = bnfuse.DAG(["A", "B"], [("A", "B")]), bnfuse.DAG(["A", "B"])
    >>> school = bnfuse.schools([one, one, two], k=2).schools[0]
    >>> school.number, school.inputs, school.dag.edges
    (1, ('1', '2'), (('A', 'B'),))
    """

    number: int
    inputs: tuple[str, ...]
    consensus: Consensus

    @property
    def name(self) -> str:
        """Its name for messages."""
        return f"school {self.number}"

    @property
    def dag(self) -> DAG:
        """Its structure."""
        return self.consensus.dag

    @property
    def network(self) -> Network:
        """Its network, with tables pooled from its inputs if they have any."""
        return self.consensus.network.renamed(f"school-{self.number}")


@public
@dataclass(frozen=True, slots=True)
class Member:
    """The school to which an input belongs.

    Attributes
    ----------
    name
        The input.
    school
        The number of its school; None if it was set aside.
    distances
        Its distance to each school.
    nearest, distance
        The number of its school, or of the nearest one if it was set aside, and the distance to it.
    next, next_distance
        The number of the nearest other school, and the distance to it; None if there is only one school.
    is_between
        Whether it is about as far from another school: by less than a tenth of the distance of the two.

    Examples
    --------
    >>> import bnfuse
    >>> one, two = bnfuse.DAG(["A", "B"], [("A", "B")]), bnfuse.DAG(["A", "B"])
    >>> member = bnfuse.schools([one, one, two], k=2).members[2]
    >>> member.school, member.distance, member.next, member.next_distance
    (2, 0.0, 1, 1.0)
    """

    name: str
    school: int | None
    distances: tuple[float, ...]
    nearest: int
    distance: float
    next: int | None
    next_distance: float | None
    is_between: bool


@public
@dataclass(frozen=True, eq=False)
class Schools:
    """The networks that are together closest to the inputs, one for each school of thought.

    Attributes
    ----------
    problem
        The question, with all inputs.
    schools
        The schools, the largest first.
    single
        The one consensus of all inputs, including those that were set aside, for comparison.
    tests
        The tests that chose the number of schools; empty if it was given.
    set_aside
        The names of inputs that are far from every other input and belong to no school.
    bound
        A lower bound on the summed distance of the inputs to any such networks.
    seed, seconds, stopped_by, notes
        As in a `Consensus`.

    Examples
    --------
    >>> import bnfuse
    >>> chain = bnfuse.DAG(["A", "B", "C"], [("A", "B"), ("B", "C")])
    >>> fork = bnfuse.DAG(["A", "B", "C"], [("B", "A"), ("A", "C")])
    >>> found = bnfuse.schools([chain, chain, fork, fork], k=2, metric="shd")
    >>> found.distance, found.is_proven, found.single.distance
    (0.0, True, 1.5)
    >>> found.separating[0].arc, found.separating[0].shares
    (('A', 'B'), (1.0, 0.0))
    """

    problem: Problem
    schools: tuple[School, ...]
    single: Consensus = field(repr=False)
    tests: tuple[SchoolTest, ...] = ()
    set_aside: tuple[str, ...] = ()
    bound: int = 0
    seed: int = 0
    seconds: float = 0.0
    stopped_by: str = "finished"
    notes: tuple[str, ...] = ()

    # The number of schools, and their distance

    @property
    def k(self) -> int:
        """The number of schools."""
        return len(self.schools)

    @property
    def is_chosen(self) -> bool:
        """Whether the tests chose the number of schools."""
        return bool(self.tests)

    @property
    def verdict(self) -> str:
        """The result of the tests; if the number of schools was given, a note that nothing was tested."""
        if not self.is_chosen:
            return f"{count(self.k, 'school')}, as requested: whether there are that many was not tested."
        if self.k > 1:
            return (
                f"The inputs fall into {self.k} groups that differ more than independent edits would explain. "
                "This does not say why: different sources, data sizes or learners can all do it."
            )
        kept = len(self.problem.names) - len(self.set_aside)
        if kept < FEWEST:
            few = f"{kept} input{'s are' if kept > 1 else ' is'} too few to distinguish groups from chance"
            return f"No evidence of more than one group: {few} ({FEWEST} or more are needed)."
        return "No evidence of more than one group; small differences may be missed."

    @property
    def verdict_on_others(self) -> str | None:
        """The inputs that were set aside; None if there are none."""
        if not self.set_aside:
            return None
        return f"Set aside: far from every other input ({listed(self.set_aside, _NAMED, str)})."

    @cached_property
    def distance(self) -> float:
        """The mean distance of the inputs that were not set aside to their school, by weight."""
        weights = [school.consensus.problem.tally.weight for school in self.schools]
        summed = sum(one.consensus.distance * weight for one, weight in zip(self.schools, weights, strict=True))
        return float(summed / sum(weights))

    @cached_property
    def single_distance(self) -> float:
        """The mean distance of the same inputs to the one consensus of all."""
        problems = [school.consensus.problem for school in self.schools]
        summed = sum(mean_distance(one, self.single.dag) * one.tally.weight for one in problems)
        return float(summed / sum(one.tally.weight for one in problems))

    @property
    def lower_bound(self) -> float:
        """A proven bound: no such networks have a smaller mean distance."""
        return self.bound / sum(school.consensus.problem.tally.weight for school in self.schools)

    @property
    def gap(self) -> float | None:
        """How far the distance is above `lower_bound`, as a share of it; None where the bound is 0 and not reached."""
        return relative_gap(self.distance, self.lower_bound)

    @property
    def is_proven(self) -> bool:
        """Whether no other schools of this number can be closer."""
        return self._summed <= self.bound

    @cached_property
    def _summed(self) -> int:
        return sum(round(one.consensus.distance * one.consensus.problem.tally.weight) for one in self.schools)

    # Membership

    @property
    def assignment(self) -> dict[str, int]:
        """The number of the school of each input, without those that were set aside."""
        number = {name: school.number for school in self.schools for name in school.inputs}
        return {name: number[name] for name in self.problem.names if name in number}

    @cached_property
    def members(self) -> tuple[Member, ...]:
        """The school of each input, in the order of the inputs."""
        return tuple(self._members())

    def _members(self) -> Iterator[Member]:
        panel = Panel(self.problem)
        parts = self.problem.tally.parts
        by_school = np.array([panel.distances(school.dag) for school in self.schools]) / parts
        apart = self.apart
        assignment = self.assignment
        for place, name in enumerate(self.problem.names):
            far = by_school[:, place]
            own = assignment.get(name)
            nearest = int(far.argmin()) if own is None else own - 1
            others = [c for c in range(self.k) if c != nearest]
            after = min(others, key=lambda c: far[c], default=None)
            margin = np.inf if after is None else far[after] - far[nearest]
            is_between = own is not None and after is not None and margin < _BETWEEN * apart[nearest][after]
            distances = tuple(float(one) for one in far)
            yield Member(
                name,
                own,
                distances,
                nearest + 1,
                distances[nearest],
                None if after is None else after + 1,
                None if after is None else distances[after],
                bool(is_between),
            )

    @cached_property
    def apart(self) -> tuple[tuple[float, ...], ...]:
        """The distances between the networks of the schools."""
        measure = Panel(self.problem).between_networks
        return tuple(tuple(measure(one.dag, other.dag) for other in self.schools) for one in self.schools)

    @property
    def between(self) -> tuple[str, ...]:
        """The names of the inputs that are about as far from another school as from their own."""
        return tuple(one.name for one in self.members if one.is_between)

    # Differences

    @cached_property
    def separating(self) -> tuple[Separating, ...]:
        """The arcs on which the schools differ, beginning with those that distinguish their inputs best."""
        return tuple(separating_arcs([school.consensus for school in self.schools]))

    def answers(self, given: Evidence | None = None) -> tuple[SchoolAnswer, ...]:
        """The probabilities on which the schools differ: with tables that are pooled within each school.

        Parameters
        ----------
        given
            Findings, as in `Network.query`.

        Returns
        -------
        tuple of SchoolAnswer
            For each other variable the probabilities by school; the largest difference first.

        Raises
        ------
        OptionError
            Not every school has an input with tables.
        EvidenceError
            A variable or state is unknown, or the evidence has probability 0.

        Examples
        --------
        >>> import bnfuse
        >>> coins = [
        ...     bnfuse.Network(
        ...         bnfuse.DAG(["Coin", "Bet"], edges),
        ...         {"Coin": ("heads", "tails"), "Bet": ("won", "lost")},
        ...         {"Coin": [0.5, 0.5], "Bet": bet},
        ...     )
        ...     for edges, bet in ([(("Coin", "Bet"),), [[0.75, 0.25], [0, 1]]], [(), [0.5, 0.5]])
        ... ]
        >>> found = bnfuse.schools(coins, k=2)
        >>> answer = found.answers({"Coin": "heads"})[0]
        >>> answer.variable, answer.state, answer.probabilities
        ('Bet', 'won', (0.75, 0.5))
        """
        return tuple(answers_of([school.consensus for school in self.schools], given))

    @property
    def has_tables(self) -> bool:
        """Whether every school has an input with tables."""
        return all(any(one.cpts is not None for one in _with_parameters(school.consensus)) for school in self.schools)

    # Saving and reporting

    def write(
        self, folder: str | os.PathLike[str], extension: str | None = None, overwrite: bool = False
    ) -> tuple[Path, ...]:
        """Write the network of each school to its own file: school-1.bif, school-2.bif and so on.

        Parameters
        ----------
        folder
            The folder; it is made if it is not there.
        extension
            That says the format: by default .bif, or .json for Gaussian networks.
        overwrite
            Whether files that bnfuse did not write may be replaced.

        Returns
        -------
        tuple of Path
            The files.

        Raises
        ------
        FileError
            A file cannot be written, or exists and may not be replaced.

        Examples
        --------
        >>> import bnfuse
        >>> one, two = bnfuse.DAG(["A", "B"], [("A", "B")]), bnfuse.DAG(["A", "B"])
        >>> [path.name for path in bnfuse.schools([one, two], k=2).write("schools", ".csv")]
        ['school-1.csv', 'school-2.csv']
        """
        from bnfuse.answer.schools.saving import write  # noqa: PLC0415 - it reads results back itself

        return write(self, Path(folder), extension, overwrite)

    def save(self, path: str | os.PathLike[str], overwrite: bool = False) -> None:
        """Write everything except the tables of the inputs to a JSON file, which `Schools.load` reads back.

        Parameters
        ----------
        path
            The file; .gz packs it.
        overwrite
            Whether a file other than saved schools may be replaced.

        Raises
        ------
        FileError
            The file cannot be written, or exists and may not be replaced.

        Examples
        --------
        >>> import bnfuse
        >>> one, two = bnfuse.DAG(["A", "B"], [("A", "B")]), bnfuse.DAG(["A", "B"])
        >>> found = bnfuse.schools([one, two], k=2)
        >>> found.save("schools.json")
        >>> bnfuse.Schools.load("schools.json").assignment == found.assignment
        True
        """
        from bnfuse.answer.schools.saving import save  # noqa: PLC0415

        save(self, Path(path), overwrite)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Schools:
        """Read a file that `save` wrote.

        Parameters
        ----------
        path
            The file.

        Returns
        -------
        Schools
            As they were saved.

        Raises
        ------
        FileError
            The file cannot be read, or does not hold saved schools.

        Examples
        --------
        >>> import bnfuse
        >>> one, two = bnfuse.DAG(["A", "B"], [("A", "B")]), bnfuse.DAG(["A", "B"])
        >>> bnfuse.schools([one, two], k=2).save("schools.json.gz")
        >>> bnfuse.Schools.load("schools.json.gz").k
        2
        """
        from bnfuse.answer.schools.saving import load  # noqa: PLC0415

        return load(Path(path))

    def report(self, path: str | os.PathLike[str], overwrite: bool = False) -> None:
        """Write the schools side by side as one self-contained HTML file.

        Parameters
        ----------
        path
            The file.
        overwrite
            Whether a file other than a report of bnfuse may be replaced.

        Raises
        ------
        FileError
            The file cannot be written, or exists and may not be replaced.

        Examples
        --------
        >>> import bnfuse
        >>> one, two = bnfuse.DAG(["A", "B"], [("A", "B")]), bnfuse.DAG(["A", "B"])
        >>> bnfuse.schools([one, two], k=2).report("schools.html")
        """
        from bnfuse.report.schools_page import write_schools  # noqa: PLC0415 - pictures are slow to load

        write_schools(self, Path(path), overwrite)

    # Identity

    def _content(self) -> tuple[object, ...]:
        own = tuple((school.inputs, school.consensus) for school in self.schools)
        return self.problem, own, self.single, self.tests, self.set_aside, self.bound, self.seed, self.notes

    def __eq__(self, other: object) -> bool:
        return self._content() == other._content() if isinstance(other, Schools) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.problem, self.k, self.seed))

    def __repr__(self) -> str:
        sizes = ", ".join(str(len(school.inputs)) for school in self.schools)
        aside = f", {len(self.set_aside)} set aside" if self.set_aside else ""
        return (
            f"<Schools: {self.k} of {sizes} inputs{aside}, {self.problem.metric} {self.distance:.4g} "
            f"(one consensus: {self.single_distance:.4g}), {self.seconds:.2f} s>"
        )


def _with_parameters(consensus: Consensus) -> tuple[Network, ...]:
    """The networks whose methods answer queries."""
    return consensus.inputs if consensus.parameters is None else (consensus.parameters.network,)
