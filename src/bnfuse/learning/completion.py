"""Rows with missing values, completed from the network so far, so that the next search can use all of them.

The score from available cases combines counts of different rows. If variables depend strongly on each other, it keeps
arcs that only reflect the difference between these rows. So the resulting network is fitted to all rows by expectation
maximisation; each missing cell is drawn once from its distribution given the rest of its row; and a network is learned
from the completed rows with the plain score. That network is fitted in turn, and so on. A draw is random, and the next
search would find its effects again. So the result is the network, among all of them, that gives the observed cells the
largest log-likelihood minus a penalty for each parameter: drawn values do not count there.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice
from typing import Generic, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from bnfuse.data.data import MISSING, Data
from bnfuse.data.weights import Weights
from bnfuse.errors import TooLargeError
from bnfuse.fusion.table_sizes import TableLimits, check_tables
from bnfuse.graphs.dag import DAG
from bnfuse.graphs.pdag import PDAG
from bnfuse.inference import em
from bnfuse.inference.missing_rows import Incomplete
from bnfuse.search.run import Clock, Run

_Rows = TypeVar("_Rows")
_Drawn_co = TypeVar("_Drawn_co", covariant=True)

MOST_ROUNDS = 5

_PRIOR = 1.0  # equivalent rows, so that no state is impossible
_MOST_ITERATIONS = 20
_CONVERGED = 1e-4  # gain of the log-posterior for each row
_LIMITS = TableLimits(table=1_000_000)
_MOST_NUMBERS = 10**8  # numbers in the clique tables of all rows together: seconds for each iteration
_MOST_COPIES = 1_000_000


class Completion:
    """Rows with missing values, and a network that is fitted to them."""

    def __init__(self, dag: DAG, rows: Data, clock: Clock) -> None:
        """A TooLargeError if exact inference would take too long."""
        check_tables(dag, rows.states, _LIMITS)
        self._data = rows
        self._rows = Incomplete(dag, rows.states, rows.codes, _LIMITS, rows.weights)
        if (numbers := self._rows.numbers) > _MOST_NUMBERS:
            problem = f"inference in all rows needs {numbers:,} numbers; the limit is {_MOST_NUMBERS:,}"
            raise TooLargeError(problem, None, (), numbers, 0)
        before = -math.inf
        for step in islice(em.iterations(self._rows, _PRIOR), _MOST_ITERATIONS):
            if clock.is_out or not step.log_posterior - before > _CONVERGED * rows.weight:
                break
            before = step.log_posterior
        self._tables = [table.ravel() for table in step.tables]
        self.log_likelihood = step.log_likelihood
        """of the observed cells"""
        self.parameters = sum(table.size - len(table) for table in step.tables)
        """how many are free"""

    def drawn(self, random: np.random.Generator) -> Data:
        """The rows, with a state for each missing cell."""
        codes = self._rows.completed(self._tables, random)
        codes.flags.writeable = False
        return replace(self._data, codes=codes)


class Completing(Protocol[_Drawn_co]):
    """Rows with missing values, and a network that is fitted to them."""

    log_likelihood: float
    parameters: int

    def drawn(self, random: np.random.Generator) -> _Drawn_co:
        """The rows, with a value for each missing cell."""


class Found(Protocol):
    """The result of a search."""

    @property
    def dag(self) -> DAG:
        """The network."""

    @property
    def stopped_by(self) -> str:
        """Whether it ran to its end."""


_Found = TypeVar("_Found", bound=Found)


@dataclass(frozen=True)
class Refined(Generic[_Found, _Rows]):
    """The best network of some rounds."""

    found: _Found
    completion: Completing[_Rows] | None
    """of the rows, by this network; None if that would take too long"""
    rounds: int
    """of completion and search"""
    problem: str = ""
    """the computation that would take too long"""
    is_interrupted: bool = False
    """whether Ctrl-C ended the rounds"""


def refined(
    first: _Found,
    completed: Callable[[DAG], Completing[_Rows]],
    search: Callable[[_Rows], _Found],
    penalty: float,
    run: Run,
) -> Refined[_Found, _Rows]:
    """The best network of the first search, on available cases, and up to MOST_ROUNDS searches on completed rows.

    The searches end when a network recurs, up to equivalence, when the time is up, or with Ctrl-C.
    """
    best: Refined[_Found, _Rows] = Refined(first, None, 0)
    best_score = -math.inf
    found, rounds, seen = first, 0, set[PDAG]()
    try:
        while found.stopped_by == "finished" and (known := PDAG.of_class(found.dag)) not in seen:
            seen.add(known)
            completion = completed(found.dag)
            score = completion.log_likelihood - penalty * completion.parameters
            if score > best_score:
                best, best_score = Refined(found, completion, rounds), score
            if rounds == MOST_ROUNDS or run.clock.is_out:
                break
            found = search(completion.drawn(np.random.default_rng([run.seed, rounds])))
            rounds += 1
    except TooLargeError as error:
        return replace(best, rounds=rounds, problem=str(error))
    except KeyboardInterrupt:
        return replace(best, rounds=rounds, is_interrupted=True)
    return replace(best, rounds=rounds, is_interrupted=found.stopped_by == "interrupted")


def in_copies(data: Data) -> Data:
    """The same rows in a separate order, those with missing values repeated once for each row that they represent.

    A draw that counted a hundred times would look like a hundred observations.
    """
    if data.weights is None:
        order = np.lexsort(data.codes.T)
        return _rows_of(data, order, None)
    order = np.lexsort((data.weights, *data.codes.T))
    lacks = (data.codes[order] == MISSING).any(axis=1)
    weights = data.weights[order]
    share = min(1.0, _MOST_COPIES / max(float(np.ceil(weights[lacks]).sum()), 1.0))
    copies = np.where(lacks, np.ceil(weights * share), 1).astype(np.int64)
    return _rows_of(data, np.repeat(order, copies), np.repeat(weights / copies, copies))


def _rows_of(data: Data, places: npt.NDArray[np.int64], weights: Weights | None) -> Data:
    groups = None if data.groups is None else data.groups[places]
    return replace(data, codes=data.codes[places], weights=weights, groups=groups)
