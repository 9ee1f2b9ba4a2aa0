"""The learner of structures from discrete data, with its options, which lists of scores share.

By default hill climbing gives a first network, and annealing over parent sets continues from it: families are scored
where the search looks, a chordal cover proves the limits at every step, and rounds of chains alternate between starts
without arcs and reheated starts from the best network. With a clique limit of 2, the best tree is computed instead.
Hill climbing alone is available as `method="climb"`. If two networks have exactly the same score, the seed decides.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypedDict, TypeVar

import numpy as np
import numpy.typing as npt

from bnfuse import _kernel
from bnfuse._base.options import (
    check_options,
    choice,
    flag,
    option,
    option_name,
    positive,
    whole,
)
from bnfuse._base.public import public
from bnfuse._base.texts import count, listed
from bnfuse.data.data import Data
from bnfuse.data.discretise import Prepared
from bnfuse.data.numeric import NumericData
from bnfuse.data.weights import Units, in_units
from bnfuse.errors import ConstraintError, OptionError
from bnfuse.fusion.table_sizes import check_table_limit, table_numbers
from bnfuse.graphs.dag import DAG, refuse_many
from bnfuse.graphs.network import BOOTSTRAP, Network
from bnfuse.learning.completion import MOST_ROUNDS, Completion, Refined, in_copies, refined
from bnfuse.problem.constraints import Arc, Constraints, Forbidden
from bnfuse.problem.tally import Tally
from bnfuse.search.run import Run

SCORES = ("bic", "aic", "bdeu", "loglik")
GAUSSIAN_SCORES = ("bge", "bic-g")
METHODS = ("anneal", "climb")
EFFORTS = {"quick": (3, 2, 50), "normal": (9, 2, 150), "thorough": (15, 2, 150)}
"""rounds, chains in a round, and moves for each variable of a chain in the first round"""


class LearnableRows(Protocol):
    """Rows from which a network can be learned."""

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the columns."""

    @property
    def missing(self) -> int:
        """The number of missing cells."""

    @property
    def weight(self) -> float:
        """The number of rows that all rows represent."""


_Rows = TypeVar("_Rows", bound=LearnableRows)

KernelLearner: TypeAlias = _kernel.StructureLearner | _kernel.GaussianLearner

DRAW_SHARED = 8
"""resamples that share completed rows, if values are missing"""

_LARGEST_FAMILY = 1_000_000  # numbers in the table of a variable and its parents
_NO_ROWS = np.zeros(0, np.uint32)
_MOST_STATES = _kernel.MISSING_CODE - 1
_MOST_PROVEN_SETS = 20_000_000  # scored parent sets, of which few are kept
MOST_PROVEN_NODES = 40_000_000  # 1 GB
TABU, RESTARTS = 10, 5

_MOST_REPEATS = 2**20 - 1


def _prior_rows(name: str, value: Any) -> float:
    number = positive("rows")(name, value)
    if not 1e-6 <= number <= 1e9:
        raise OptionError(f"{option_name(name)} must be 1e-6 to 1e9; got {value!r:.60}")
    return float(number)


@dataclass(frozen=True, slots=True)
class LearnOptions:
    """The score to optimise, and how hard the search is."""

    score: str = option(
        None,
        "The score of a network: bic, aic, bdeu or loglik (log-likelihood); with gaussian, bge or bic-g.",
        choice((*SCORES, *GAUSSIAN_SCORES)),
    )
    max_clique: int | None = option(None, "The largest clique that the network may have.", whole(least=1))
    sample_size: float = option(1.0, "The equivalent sample size of the prior of BDeu.", _prior_rows)
    max_table: int | None = option(None, "The largest size of a clique table, in numbers.", table_numbers)
    method: str = option("anneal", "How networks are searched: anneal or climb (hill climbing).", choice(METHODS))
    effort: str = option("normal", "How long annealing searches: quick, normal or thorough.", choice(EFFORTS))
    tabu: int | None = option(
        None, "Climb: how many moves past a local optimum to try before stopping.", whole(least=0, most=_MOST_REPEATS)
    )
    restarts: int | None = option(
        None,
        "Climb: how often to start again, with some arcs of the best network changed.",
        whole(least=0, most=_MOST_REPEATS),
    )
    gaussian: bool = option(
        False, "Keep numbers as numbers: each variable is a linear function of its parents, with normal noise.", flag
    )
    alpha_mu: float = option(1.0, "BGe: the number of rows that the prior of the means counts as.", _prior_rows)
    alpha_w: float | None = option(
        None, "BGe: the degrees of freedom of the prior, more than variables + 1.", positive("degrees of freedom")
    )

    def __post_init__(self) -> None:
        check_options(self)
        if self.score is None:
            object.__setattr__(self, "score", (GAUSSIAN_SCORES if self.gaussian else SCORES)[0])
        self._check_kind()
        for name in ("tabu", "restarts"):
            if self.method != "climb" and getattr(self, name) is not None:
                raise OptionError(f"{option_name(name)} is for {option_name('method')} climb, not for {self.method}")

    def _check_kind(self) -> None:
        """Refuse options for the other kind of network."""
        defaults = {one.name: one.default for one in fields(self)}
        if self.gaussian != (self.score in GAUSSIAN_SCORES):
            known = listed(GAUSSIAN_SCORES if self.gaussian else SCORES, shown=str)
            raise OptionError(
                f"{option_name('score')} {self.score} is for networks of {'states' if self.gaussian else 'numbers'}: "
                f"{'choose one of ' + known + ' with' if self.gaussian else 'it needs'} {option_name('gaussian')}"
            )
        if self.gaussian and self.max_table is not None:
            raise OptionError(
                f"{option_name('max_table')} limits tables, and a network of numbers has none: use "
                f"{option_name('max_clique')}"
            )
        owners = {"sample_size": "bdeu", "alpha_mu": "bge", "alpha_w": "bge"}
        for name, owner in owners.items():
            if self.gaussian | (owner == "bge") and self.score != owner and getattr(self, name) != defaults[name]:
                raise OptionError(f"{option_name(name)} is for {option_name('score')} {owner}, not for {self.score}")


class LearnArguments(TypedDict, total=False):
    """The same options as given, and the constraints."""

    score: Literal["bic", "aic", "bdeu", "loglik", "bge", "bic-g"] | None
    max_clique: int | None
    required: Sequence[Arc]
    forbidden: Sequence[Forbidden]
    tiers: Sequence[Sequence[str]]
    max_parents: int | None
    sample_size: float
    max_table: int | str | None
    method: Literal["anneal", "climb"]
    effort: Literal["quick", "normal", "thorough"]
    tabu: int | None
    restarts: int | None
    gaussian: bool
    alpha_mu: float
    alpha_w: float | None


@public
@dataclass(frozen=True, slots=True)
class Learned:
    """A structure learned from data or from scores of parent sets.

    Attributes
    ----------
    network
        The structure, with the states of the data, if these are states, and without tables.
    score
        Its score; larger is better. If values are missing, each set of variables is counted in the rows that have all
        of them.
    elimination_order
        The order along which no clique is over the limit; None if there was no limit.
    notes
        Notes for the user, one sentence each.
    stopped_by
        "finished"; or "time limit" or "interrupted", if it is the best network so far.
    bound
        No network has a higher score; None if that was not requested, or is not known.

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
    bound: float | None = None

    @property
    def dag(self) -> DAG:
        """The structure."""
        return self.network.dag

    @property
    def is_best(self) -> bool:
        """Whether it is proven that no network has a higher score."""
        return self.bound is not None and self.bound <= self.score


class RowLearner(ABC, Generic[_Rows]):
    """Learns from all rows or from resamples, with the same options, any number of times."""

    first_source = "the rows that have the values needed"
    """the rows that a first network is learned from if values are missing"""

    def __init__(self, data: _Rows, notes: tuple[str, ...], options: LearnOptions, constraints: Constraints) -> None:
        self.data = data
        refuse_many(len(self.variables), "learning")
        self.notes = notes
        """notes on the data"""
        self.options = options
        self._constraints = constraints
        self._kernel = self._searching(data)
        self._refined_by: tuple[int, Refined[Learned, _Rows]] | None = None  # the seed, and the result for it
        self._drawn: tuple[int, KernelLearner] | None = None  # the number of a draw, and its rows

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self.data.variables

    @abstractmethod
    def _searching(self, rows: _Rows) -> KernelLearner:
        """The kernel's learner, on these rows."""

    @abstractmethod
    def _named(self, dag: DAG, name: str, made_by: str) -> Network:
        """A structure that was learned, as a network."""

    @abstractmethod
    def _refined(self, first: Learned, run: Run) -> Refined[Learned, _Rows]:
        """If values are missing: the best of the networks learned from completed rows."""

    def learned(self, run: Run) -> Learned:
        """From all rows; if values are missing, finally from completed rows."""
        first = self.searched(self.data, run)
        if not self.data.missing or first.stopped_by != "finished":
            return first
        best = self._refined(first, run)
        stopped_by = "time limit" if run.clock.is_out else "finished"
        return replace(
            best.found,
            score=self._kernel.network_score(self._places(best.found.dag)),
            notes=(*self.notes, self._missing_note(best)),
            stopped_by="interrupted" if best.is_interrupted else stopped_by,
        )

    def look(self) -> tuple[str, ...]:
        """Further notes on the data, which may take a search."""
        return ()

    def searched(self, rows: _Rows, run: Run) -> Learned:
        """The result of one search on these rows: the data's own, or completed ones."""
        kernel = self._kernel if rows is self.data else self._searching(rows)
        with required_fit(self.options):
            found = kernel.learned(run.seed, run.thread_count, run.clock.left)
        return self._network(found, "", self.notes)

    def proved(self, found: Learned, run: Run) -> Learned:
        """With a bound, and as a best network if there is no limit and the proof runs to its end."""
        self.check_provable()
        try:
            proof = self._kernel.proved(self._places(found.dag), _MOST_PROVEN_SETS, MOST_PROVEN_NODES, run.clock.left)
        except KeyboardInterrupt:
            return replace(found, stopped_by="interrupted", notes=(*found.notes, NOT_PROVEN))
        return with_proof(found, proof, self.variables)

    def check_provable(self) -> None:
        """Refuse a proof over too many variables, or from data with missing values."""
        check_provable(len(self.variables))
        if self.data.missing:
            raise OptionError(
                f"{option_name('prove')} needs a value in every cell, and values are missing: the score from "
                "the available rows has no bound; leave it out"
            )

    def resampled(self, run: Run, first: int, number: int) -> list[Learned]:
        """Networks from some resamples, which depend on the seed and their number alone.

        When the time is up, those before the first unfinished one.
        """
        found: list[Learned] = []
        while (place := first + len(found)) < first + number:
            kernel = self._completed(run, place // DRAW_SHARED) if self.data.missing else self._kernel
            if kernel is None:
                break
            many = first + number - place
            if self.data.missing:
                many = min(many, DRAW_SHARED - place % DRAW_SHARED)
            with required_fit(self.options):
                some = kernel.resampled(run.seed, place, many, run.thread_count, run.clock.left)
            found += [self._network(one, f"resample {place + i + 1}", made_by=BOOTSTRAP) for i, one in enumerate(some)]
            if len(some) < many:
                break
        return found

    def _completed(self, run: Run, draw: int) -> KernelLearner | None:
        """On rows completed by the network of all of them; None if the time was up before."""
        if self._refined_by is None or self._refined_by[0] != run.seed:
            first = self.searched(self.data, run)
            best = self._refined(first, run) if first.stopped_by == "finished" else None
            if first.stopped_by == "interrupted" or (best is not None and best.is_interrupted):
                raise KeyboardInterrupt
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

    def _missing_note(self, best: Refined[Learned, _Rows]) -> str:
        note = f"values are missing: the network was learned from {self.first_source}"
        if best.rounds:
            note += f", then from completed rows ({count(best.rounds, 'round')})"
        return note + (f"; the completion was not finished: {best.problem}" if best.problem else "")

    def family_score(self, variable: str, parents: Sequence[str] = ()) -> float:
        """The score of a variable with these parents; minus infinity if its table is too large."""
        place = {name: i for i, name in enumerate(self.variables)}
        return self._kernel.family_score(place[variable], [place[name] for name in parents])

    def _places(self, dag: DAG) -> list[list[int]]:
        place = {name: i for i, name in enumerate(self.variables)}
        return [sorted(place[parent] for parent in dag.parents(name)) for name in self.variables]

    @property
    def _limit(self) -> int:
        most = len(self.variables)
        return most if self.options.max_clique is None else min(self.options.max_clique, most)

    @property
    def _most_parents(self) -> int:
        most, asked = len(self.variables), self._constraints.max_parents
        return most if asked is None else min(most, asked)

    def _network(
        self,
        found: Found,
        name: str,
        notes: tuple[str, ...] = (),
        made_by: str = "",
    ) -> Learned:
        score, rows, order, stopped_by = found
        dag = DAG.trusted(self.variables, rows)
        return Learned(
            self._named(dag, name, made_by), score, named_order(order, self.variables, self.options), notes, stopped_by
        )


class Learner(RowLearner[Data]):
    """Learns networks of states."""

    def __init__(self, table: Prepared, options: LearnOptions, constraints: Constraints) -> None:
        self._counts = {name: len(table.data.states[name]) for name in table.data.variables}
        if options.max_table is not None:
            check_table_limit("max_table", options.max_table, self._counts)
        super().__init__(table.data, table.notes, options, constraints)
        self._check_required(constraints)

    def _refined(self, first: Learned, run: Run) -> Refined[Learned, Data]:
        penalty = {"aic": 1.0, "loglik": 0.0}.get(self.options.score, math.log(self.data.weight) / 2)
        rows = in_copies(self.data)
        return refined(
            first,
            lambda dag: Completion(dag, rows, run.clock),
            lambda completed: self.searched(completed, run),
            penalty,
            run,
        )

    def _searching(self, rows: Data) -> _kernel.StructureLearner:
        """The kernel's learner, on these rows."""
        options, most_parents = self.options, self._most_parents
        if rows.missing:
            most_parents = min(most_parents, _kernel.MOST_PARENTS_IF_MISSING)
        units, unit = row_units(rows)
        return _kernel.StructureLearner(
            _columns(rows),
            np.array(list(self._counts.values()), np.int64),
            options.score,
            options.sample_size,
            self._largest_family,
            rules_of(self.variables, self._constraints, self._limit),
            self._limit,
            most_parents,
            options.max_table or 0,
            options.method == "anneal",
            TABU if options.tabu is None else options.tabu,
            RESTARTS if options.restarts is None else options.restarts,
            EFFORTS[options.effort],
            units.astype(np.uint32),
            unit,
            _NO_ROWS if rows.groups is None else rows.groups.astype(np.uint32),
        )

    def _named(self, dag: DAG, name: str, made_by: str) -> Network:
        return Network(dag, dict(self.data.states), None, name, made_by, self.data.cuts)

    @property
    def _largest_family(self) -> int:
        return min(_LARGEST_FAMILY, self.options.max_table or _LARGEST_FAMILY)

    def _check_required(self, constraints: Constraints) -> None:
        dag = DAG(self.variables, constraints.required)
        for name in self.variables:
            parents = dag.parents(name)
            if parents and self.family_score(name, parents) == -math.inf:
                cells, most = math.prod(self._counts[one] for one in (name, *parents)), self._largest_family
                if cells > most:
                    limit = "the most that is searched" if self.options.max_table is None else option_name("max_table")
                    raise ConstraintError(
                        f"{name} and its required parents {', '.join(parents)} have a table of {cells:,} numbers, over "
                        f"{limit}, {most:,}"
                    )
                raise ConstraintError(
                    f"{name} has {len(parents)} required parents; where values are missing, "
                    f"at most {_kernel.MOST_PARENTS_IF_MISSING} are possible"
                )


Found: TypeAlias = tuple[float, npt.NDArray[np.uint64], list[int], str]
"""The results of the kernel: score, rows of parents, elimination order, and the reason for the end."""

NOT_PROVEN = "the proof was not finished: a better network may exist"


@contextmanager
def required_fit(options: LearnOptions) -> Iterator[None]:
    """Constraints are checked before, except for tables of several families: the kernel refuses those."""
    try:
        yield
    except ValueError as error:
        if options.max_table is None or "required arcs" not in str(error):
            raise
        raise ConstraintError(
            f"the required arcs need a clique whose table is over {option_name('max_table')}, {options.max_table:,}"
        ) from None


def named_order(order: Sequence[int], variables: tuple[str, ...], options: LearnOptions) -> tuple[str, ...] | None:
    """The elimination order if there is a limit; any order if no network can exceed it."""
    if options.max_clique is None and options.max_table is None:
        return None
    return tuple(variables[i] for i in order) or variables


def check_provable(variables: int) -> None:
    """Refuse a proof over too many variables."""
    if variables > _kernel.MOST_PROVEN:
        raise OptionError(
            f"{option_name('prove')} is for at most {_kernel.MOST_PROVEN} variables, and there are {variables}; "
            "leave it out"
        )


def with_proof(
    found: Learned, proof: tuple[float, npt.NDArray[np.uint64], float, bool], variables: tuple[str, ...]
) -> Learned:
    """The network that was found, or the better one of the proof, with its bound."""
    score, rows, bound, is_whole = proof
    network = found.network
    if score > found.score:
        network = Network(
            DAG.trusted(variables, rows), network.states, None, network.name, network.made_by, network.cuts
        )
    known = bound if math.isfinite(bound) else None
    notes = found.notes if is_whole else (*found.notes, NOT_PROVEN)
    return replace(found, network=network, score=max(score, found.score), bound=known, notes=notes)


def row_units(data: Data | NumericData) -> tuple[Units, int]:
    """The weights of rows as whole numbers of units, and the units in a row; none and 1 if no row has a weight."""
    return (_NO_ROWS.astype(np.int64), 1) if data.weights is None else in_units(data.weights, data.groups)


def _columns(data: Data) -> npt.NDArray[np.uint16]:
    columns = np.empty((len(data.variables), len(data)), np.uint16)
    for place, name in enumerate(data.variables):
        if len(data.states[name]) > _MOST_STATES:
            raise OptionError(
                f"column {name!r} has {len(data.states[name]):,} states; at most {_MOST_STATES:,} are possible"
            )
        columns[place] = data.codes[:, place]  # -1 becomes the largest number, which stands for a missing value
    return columns


def rules_of(variables: tuple[str, ...], constraints: Constraints, limit: int) -> npt.NDArray[np.uint8]:
    """By arc (row -> column): 1 means that it may be added, 2 that it must stay."""
    nobody = Tally(variables)
    constraints.check(nobody, limit)
    rules: npt.NDArray[np.uint8] = constraints.allowed(nobody).astype(np.uint8)
    place = {name: i for i, name in enumerate(variables)}
    for source, target in constraints.required:
        rules[place[source], place[target]] |= 2
    return rules
