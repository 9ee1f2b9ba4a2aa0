"""Structures learned from discrete data: hill climbing over DAGs, within a clique limit where there is one.

The best of all single arcs to add, remove or reverse, again and again, until none betters the score; then a few moves
that do not, which a tabu list keeps from being undone, and restarts with some arcs changed at random. With a limit on
the largest clique, no network on the way exceeds it: a tree of bags proves it, as in the direct search. Where two moves
are worth exactly the same, as the two directions of a first arc are, the seed decides.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypedDict, Unpack

import numpy as np
import numpy.typing as npt

from bnfuse import _kernel
from bnfuse._base.options import (
    check_options,
    choice,
    option,
    option_name,
    parameters_of,
    positive,
    refuse_unknown,
    spelled_out,
    taken,
    whole,
)
from bnfuse._base.texts import count
from bnfuse.data.data import Data, DataLike
from bnfuse.data.discretise import Prepared, RawDataArguments, RawDataOptions, prepared
from bnfuse.data.weights import Units, in_units
from bnfuse.errors import ConstraintError, OptionError
from bnfuse.fusion.table_sizes import table_numbers
from bnfuse.graphs.dag import DAG
from bnfuse.graphs.network import BOOTSTRAP, Network
from bnfuse.learning.completion import MOST_ROUNDS, Refined, in_copies, refined
from bnfuse.problem.constraints import Arc, Constraints, Forbidden
from bnfuse.problem.tally import Tally
from bnfuse.search.run import Run

SCORES = ("bic", "aic", "bdeu", "loglik")

DRAW_SHARED = 8
"""resamples that share completed rows, where values are missing"""

_LARGEST_TABLE = 2**31
_NO_ROWS = np.zeros(0, np.uint32)
_MOST_STATES = _kernel.MISSING_CODE - 1


def _cells(name: str, value: Any) -> int:
    return min(table_numbers(name, value), _LARGEST_TABLE)


def _prior_rows(name: str, value: Any) -> float:
    number = positive("rows")(name, value)
    if not 1e-6 <= number <= 1e9:
        raise OptionError(f"{option_name(name)} must be 1e-6 to 1e9; got {value!r:.60}")
    return float(number)


@dataclass(frozen=True, slots=True)
class LearnOptions:
    """What is learned, and how hard the search for it is."""

    score: str = option(
        "bic", "What a network is judged by: bic, aic, bdeu or loglik (log-likelihood).", choice(SCORES)
    )
    max_clique: int | None = option(None, "The largest clique that the network may have.", whole(least=1))
    sample_size: float = option(1.0, "The equivalent sample size of the prior of BDeu.", _prior_rows)
    max_table: int = option(1_000_000, "The most numbers in the table of a variable.", _cells)
    tabu: int = option(10, "Moves past a local optimum before it is believed.", whole(least=0, most=2**20 - 1))
    restarts: int = option(
        5, "How often to start again, with some arcs of the best network changed.", whole(least=0, most=2**20 - 1)
    )

    def __post_init__(self) -> None:
        check_options(self)


class LearnArguments(TypedDict, total=False):
    """The same options, as they are given, and the constraints."""

    score: Literal["bic", "aic", "bdeu", "loglik"]
    max_clique: int | None
    required: Sequence[Arc]
    forbidden: Sequence[Forbidden]
    tiers: Sequence[Sequence[str]]
    max_parents: int | None
    sample_size: float
    max_table: int | str
    tabu: int
    restarts: int


@dataclass(frozen=True, slots=True)
class Learned:
    """A structure learned from data.

    Attributes
    ----------
    network
        The structure, with the states of the data and without tables.
    score
        What it scores; larger is better. Where values are missing, each set of variables in it counts by the rows that
        have all of the set.
    elimination_order
        The order along which no clique is over the limit; None where there was no limit.
    notes
        What its owner should know, a sentence each.
    stopped_by
        "finished", or "time limit": then it is the best network so far.

    Examples
    --------
    >>> import bnfuse
    >>> coin = bnfuse.Network(bnfuse.DAG(["Coin"]), {"Coin": ("heads", "tails")}, {"Coin": [0.5, 0.5]})
    >>> learned = bnfuse.learn(coin.sample(50))
    >>> learned.dag, learned.stopped_by
    (<DAG: 1 variables, 0 arcs>, 'finished')
    """

    network: Network
    score: float
    elimination_order: tuple[str, ...] | None
    notes: tuple[str, ...] = ()
    stopped_by: str = "finished"

    @property
    def dag(self) -> DAG:
        """The structure."""
        return self.network.dag


class Learner:
    """Learns from some data under some options, as often as asked: from all rows, or from resamples of them."""

    def __init__(self, table: Prepared, options: LearnOptions, constraints: Constraints) -> None:
        self.data = table.data
        self.notes = table.notes
        """what there is to know about the data"""
        self.options = options
        self._constraints = constraints
        self._kernel = self._searching(self.data)
        self._check_required(constraints)
        self._refined_by: tuple[int, Refined[Learned]] | None = None  # the seed, and what it led to
        self._drawn: tuple[int, _kernel.StructureLearner] | None = None  # the number of a draw, and its rows

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self.data.variables

    def learned(self, run: Run) -> Learned:
        """From all rows; where values are missing, from completed rows in the end."""
        first = self.searched(self.data, run)
        if not self.data.missing or first.stopped_by != "finished":
            return first
        best = self._refined(first, run)
        parents = [[self.variables.index(one) for one in best.found.dag.parents(name)] for name in self.variables]
        return replace(
            best.found,
            score=self._kernel.network_score(parents),
            notes=(*self.notes, _missing_note(best)),
            stopped_by="time limit" if run.clock.is_out else "finished",
        )

    def searched(self, rows: Data, run: Run) -> Learned:
        """What one search on these rows finds: the data's own, or completed ones."""
        kernel = self._kernel if rows is self.data else self._searching(rows)
        return self._network(kernel.learned(run.seed, run.thread_count, run.clock.left), "", self.notes)

    def resampled(self, run: Run, first: int, number: int) -> list[Learned]:
        """From each of some resamples, which depend on the seed and their number alone.

        When the time is up, those before the first that was not finished.
        """
        found: list[Learned] = []
        while (place := first + len(found)) < first + number:
            kernel = self._completed(run, place // DRAW_SHARED) if self.data.missing else self._kernel
            if kernel is None:
                break
            many = first + number - place
            if self.data.missing:
                many = min(many, DRAW_SHARED - place % DRAW_SHARED)
            some = kernel.resampled(run.seed, place, many, run.thread_count, run.clock.left)
            found += [self._network(one, f"resample {place + i + 1}", made_by=BOOTSTRAP) for i, one in enumerate(some)]
            if len(some) < many:
                break
        return found

    def _refined(self, first: Learned, run: Run) -> Refined[Learned]:
        penalty = {"aic": 1.0, "loglik": 0.0}.get(self.options.score, math.log(self.data.weight) / 2)
        return refined(first, in_copies(self.data), lambda rows: self.searched(rows, run), penalty, run)

    def _completed(self, run: Run, draw: int) -> _kernel.StructureLearner | None:
        """On rows completed by the network of all of them; None when the time was up before."""
        if self._refined_by is None or self._refined_by[0] != run.seed:
            first = self.searched(self.data, run)
            best = self._refined(first, run) if first.stopped_by == "finished" else None
            if best is None or run.clock.is_out:
                return None
            self._refined_by, self._drawn = (run.seed, best), None
        completion = self._refined_by[1].completion
        if completion is None:
            return self._kernel
        if self._drawn is None or self._drawn[0] != draw:
            random = np.random.default_rng([run.seed, MOST_ROUNDS, draw])
            self._drawn = (draw, self._searching(completion.drawn(random)))
        return self._drawn[1]

    def family_score(self, variable: str, parents: Sequence[str] = ()) -> float:
        """What a variable with these parents scores; minus infinity where its table is too large."""
        place = {name: i for i, name in enumerate(self.variables)}
        return self._kernel.family_score(place[variable], [place[name] for name in parents])

    def _searching(self, rows: Data) -> _kernel.StructureLearner:
        """The kernel's learner, on these rows."""
        options, most_parents = self.options, len(self.variables)
        if self._constraints.max_parents is not None:
            most_parents = min(most_parents, self._constraints.max_parents)
        if self.data.missing:
            most_parents = min(most_parents, _kernel.MOST_PARENTS_IF_MISSING)
        units, unit = row_units(rows)
        return _kernel.StructureLearner(
            _columns(rows),
            np.array([len(rows.states[name]) for name in self.variables], np.int64),
            options.score,
            options.sample_size,
            _rules(self.variables, self._constraints, self._limit),
            self._limit,
            most_parents,
            options.max_table,
            options.tabu,
            options.restarts,
            units.astype(np.uint32),
            unit,
            _NO_ROWS if rows.groups is None else rows.groups.astype(np.uint32),
        )

    @property
    def _limit(self) -> int:
        most = len(self.variables)
        return most if self.options.max_clique is None else min(self.options.max_clique, most)

    def _network(
        self,
        found: tuple[float, npt.NDArray[np.uint64], list[int], bool],
        name: str,
        notes: tuple[str, ...] = (),
        made_by: str = "",
    ) -> Learned:
        score, rows, order, is_finished = found
        dag = DAG.trusted(self.variables, rows)
        network = Network(dag, dict(self.data.states), None, name, made_by, self.data.cuts)
        named = tuple(self.variables[i] for i in order) if self.options.max_clique is not None else None
        if named == ():  # a limit that no network can exceed
            named = self.variables
        return Learned(network, score, named, notes, "finished" if is_finished else "time limit")

    def _check_required(self, constraints: Constraints) -> None:
        dag = DAG(self.variables, constraints.required)
        for name in self.variables:
            parents = dag.parents(name)
            if parents and self.family_score(name, parents) == -math.inf:
                cells, most = math.prod(len(self.data.states[one]) for one in (name, *parents)), self.options.max_table
                if cells > most:
                    raise ConstraintError(
                        f"{name} and its required parents {', '.join(parents)} have a table of {cells:,} numbers, over "
                        f"{option_name('max_table')}, {most:,}"
                    )
                raise ConstraintError(
                    f"{name} has {len(parents)} required parents; where values are missing, "
                    f"{_kernel.MOST_PARENTS_IF_MISSING} are the most"
                )


@spelled_out
def learn(
    data: DataLike,
    score: Literal["bic", "aic", "bdeu", "loglik"] = "bic",
    *,
    max_clique: int | None = None,
    required: Sequence[Arc] = (),
    forbidden: Sequence[Forbidden] = (),
    tiers: Sequence[Sequence[str]] = (),
    max_parents: int | None = None,
    sample_size: float = 1.0,
    max_table: int | str = 1_000_000,
    tabu: int = 10,
    restarts: int = 5,
    seed: int = 0,
    threads: int | None = None,
    time_limit: float | None = None,
    **table: Unpack[RawDataArguments],
) -> Learned:
    """Learn the structure of a network from data, by hill climbing over DAGs.

    Parameters
    ----------
    data
        The path of a CSV or Parquet file, a pandas or polars DataFrame, or Data. Numbers are cut into classes, and
        columns that are no variables (identifiers, dates, free text) left out; the result's `notes` say so. Where
        values are missing, a first network is learned from the rows that have the values needed; then each missing
        value is drawn from the network so far, given the rest of its row, and a network is learned again, up to five
        times. Of these networks the result is the one that explains the observed values best.
    score
        "bic", "aic", "bdeu" (with the equivalent sample size `sample_size`) or "loglik".
    max_clique
        The largest clique of the triangulated moral graph, at every step; the result comes with an elimination order
        that proves it.
    required, forbidden, tiers, max_parents
        What the network must or must not have, as in `bnfuse.consensus`.
    sample_size
        The equivalent sample size of the prior of "bdeu".
    max_table
        Families whose table has more numbers are not considered.
    tabu
        How many moves past a local optimum, in which no pair of variables is changed twice, without a better network
        end the search.
    restarts
        How often to start again from the best network with some arcs changed at random.
    seed
        Decides between moves that are worth exactly the same, and what restarts change. The same seed gives the same
        network, on any number of threads.
    threads
        How many threads to use.
    time_limit
        Seconds after which the best network so far is returned.
    **table
        How the table becomes discrete data: `bins`, `binning`, `missing`, `keep`, `cut`, `leave_out`, `na`, `weights`,
        `group`, as in `bnfuse.discretised`.

    Returns
    -------
    Learned
        The structure, its score, and notes.

    Raises
    ------
    OptionError
        An option makes no sense.
    ConstraintError
        Constraints contradict each other.
    FileError
        The data cannot be read.
    MismatchError
        The table leaves too few variables.

    References
    ----------
    Tanner, Wong: The Calculation of Posterior Distributions by Data Augmentation. Journal of the American Statistical
    Association 82, 1987: draws from the network, in turn with the network.

    Examples
    --------
    >>> import bnfuse
    >>> network = bnfuse.Network(
    ...     bnfuse.DAG.from_edges([("Smoker", "Cancer")]),
    ...     states={"Smoker": ("yes", "no"), "Cancer": ("yes", "no")},
    ...     cpts={"Smoker": [0.3, 0.7], "Cancer": [[0.9, 0.1], [0.1, 0.9]]},
    ... )
    >>> bnfuse.learn(network.sample(500), required=[("Smoker", "Cancer")]).dag.edges
    (('Smoker', 'Cancer'),)
    """
    options = LearnOptions(score, max_clique, sample_size, max_table, tabu, restarts)  # type: ignore[arg-type]
    constraints = Constraints(required, forbidden, tiers, max_parents)
    rows = RawDataOptions(**taken(rest := dict(table), RawDataOptions))
    refuse_unknown(rest, parameters_of(learn))
    return Learner(prepared(data, rows), options, constraints).learned(Run(seed, threads, time_limit))


def _missing_note(best: Refined[Learned]) -> str:
    note = "values are missing: the network was learned from the rows that have the values needed"
    if best.rounds:
        note += f", then from completed rows ({count(best.rounds, 'round')})"
    return note + (f"; completing the rows was given up: {best.problem}" if best.problem else "")


def row_units(data: Data) -> tuple[Units, int]:
    """The weights of rows as whole numbers of units, and the units in a row; nothing and 1 where no row has any."""
    return (_NO_ROWS.astype(np.int64), 1) if data.weights is None else in_units(data.weights, data.groups)


def _columns(data: Data) -> npt.NDArray[np.uint16]:
    columns = np.empty((len(data.variables), len(data)), np.uint16)
    for place, name in enumerate(data.variables):
        if len(data.states[name]) > _MOST_STATES:
            raise OptionError(f"column {name!r} has {len(data.states[name]):,} states; at most {_MOST_STATES:,} work")
        columns[place] = data.codes[:, place]  # -1 becomes the largest number, which stands for a missing value
    return columns


def _rules(variables: tuple[str, ...], constraints: Constraints, limit: int) -> npt.NDArray[np.uint8]:
    """By arc (row -> column): 1 it may be added, 2 it must stay."""
    nobody = Tally(variables)
    constraints.check(nobody, limit)
    rules = constraints.allowed(nobody).astype(np.uint8)
    place = {name: i for i, name in enumerate(variables)}
    for source, target in constraints.required:
        rules[place[source], place[target]] |= 2
    return rules
