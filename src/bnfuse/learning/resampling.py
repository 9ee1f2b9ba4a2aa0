"""How a network is learned from a resample: by the learner of this package, or by another one.

A resample draws rows with replacement: as many as there are; or, with weights, as many as the weights add up to, each
row in proportion to its weight; or whole groups of rows, as many as there are. The rows of each resample depend on the
seed and its number alone, so blocks of resamples can be learned anywhere, in any order.
"""

from __future__ import annotations

import hashlib
import json
import pickle
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from bnfuse import _kernel
from bnfuse._base.options import one_of
from bnfuse.data.data import Data
from bnfuse.data.discretise import Prepared
from bnfuse.data.numeric import NumericData
from bnfuse.data.weights import are_whole_weights, rounded_total
from bnfuse.errors import BnfuseError, OptionError
from bnfuse.graphs.arc_votes import ArcVotes
from bnfuse.graphs.dag import DAG, as_dag, check_same_variables
from bnfuse.graphs.pdag import PDAG, as_pdag
from bnfuse.learning.data_learner import DRAW_SHARED, LearnOptions, row_units
from bnfuse.learning.gaussian.learner import learner_of
from bnfuse.problem.constraints import Constraints
from bnfuse.problem.input_votes import InputLike, input_votes_of, is_structure
from bnfuse.problem.tally import Tally
from bnfuse.search.run import Run

LearnerLike: TypeAlias = Callable[[Any], InputLike]
"""A function from a table (a pandas DataFrame, or Data) to anything that can be an input of a consensus."""

Learnt: TypeAlias = DAG | PDAG | ArcVotes
"""A network learned from a resample, over the variables of the data in their order."""

TABLES = ("pandas", "data")

BLOCK_SECONDS = 0.5
"""The seconds that a block should take: long enough to be worth a message or a record, short enough to lose."""

_MOST_AT_ONCE = 1024
_HASHED_ROWS = 10_000  # resamples at the same time


class Resampling(ABC):
    """Learns from resamples of some data. Pickled and sent to another process, it learns the same networks."""

    data: Data | NumericData
    notes: tuple[str, ...]
    """notes on the data"""
    most_at_once = _MOST_AT_ONCE
    """resamples in a block, in this process"""

    @abstractmethod
    def learned(self, run: Run, first: int, number: int) -> list[Learnt]:
        """Networks from some resamples; when the time is up, from those before the first unfinished one."""

    @abstractmethod
    def settings(self) -> dict[str, Any]:
        """Everything that the networks depend on except the data and the seed, for a file."""

    def look(self) -> tuple[str, ...]:
        """Further notes on the data, which may take as long as a resample."""
        return ()

    def pickled(self) -> bytes:
        """A form that can be sent to workers."""
        return pickle.dumps(self)

    def blocks(self, run: Run, first: int, end: int) -> Iterator[list[Learnt]]:
        """Networks from some resamples, a block at a time, on the run's threads; ends early when the time is up."""
        at_once = min(run.thread_count, self.most_at_once)
        while first < end and not run.clock.is_out:
            number, start = min(at_once, end - first), time.perf_counter()
            found = self.learned(run, first, number)
            yield found
            if len(found) < number:
                return
            first += number
            if time.perf_counter() - start < BLOCK_SECONDS:
                at_once = min(2 * at_once, self.most_at_once)


class OwnResampling(Resampling):
    """With the learner of this package: several resamples at the same time."""

    def __init__(self, table: Prepared | NumericData, options: LearnOptions, constraints: Constraints) -> None:
        self._learner, self._constraints = learner_of(table, options, constraints), constraints
        self._table, self.data = table, self._learner.data
        self.notes = (*self._learner.notes, *_missing_note(self.data))

    def learned(self, run: Run, first: int, number: int) -> list[Learnt]:
        """Networks from some resamples."""
        return [one.dag for one in self._learner.resampled(run, first, number)]

    def look(self) -> tuple[str, ...]:
        """The learner's notes on the data."""
        return self._learner.look()

    def settings(self) -> dict[str, Any]:
        """All options, and the constraints in one order."""
        rules = self._constraints
        return {
            **asdict(self._learner.options),
            "required": sorted(map(list, rules.required)),
            "forbidden": sorted(map(list, rules.forbidden)),
            "tiers": [sorted(tier) for tier in rules.tiers],
            "max_parents": rules.max_parents,
        }

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled by its arguments: each worker has its own kernel."""
        return OwnResampling, (self._table, self._learner.options, self._constraints)


class OtherResampling(Resampling):
    """With another learner: one resample at a time."""

    most_at_once = 1

    def __init__(self, rows: Prepared, learner: LearnerLike, table: str) -> None:
        if not callable(learner):
            raise OptionError(f"learner must be a function from a table to a network, got {type(learner).__name__}")
        self.data: Data = rows.data
        self.notes = rows.notes
        if self.data.weights is not None and self.data.groups is not None and not are_whole_weights(self.data.weights):
            raise OptionError(
                "learner: your own learner gets rows of equal weight, so with groups the weights must be whole numbers"
            )
        self._learner, self._table = learner, one_of("table", table, TABLES)

    def learned(self, run: Run, first: int, number: int) -> list[Learnt]:
        """Networks from some resamples."""
        return [self._learnt(run.seed, place) for place in range(first, first + number)]

    def _learnt(self, seed: int, number: int) -> Learnt:
        rows = resampled_rows(self.data, seed, number)
        try:
            given = self._learner(rows.to_pandas() if self._table == "pandas" else rows)
            found: Learnt
            if is_structure(given):
                found = as_dag(given)
            else:
                found = given if isinstance(given, ArcVotes) else as_pdag(given)
                input_votes_of(found)  # which refuses a class without members
            known = DAG(self.data.variables)
            check_same_variables(known, DAG(found.variables), "the data", "the network of the learner")
        except BnfuseError as error:
            raise OptionError(f"learner, {name_of(number)}: {error}") from None
        return found.reordered(self.data.variables)

    def settings(self) -> dict[str, Any]:
        """The name of the function: its effect is not known."""
        named = self._learner if hasattr(self._learner, "__qualname__") else type(self._learner)
        return {"learner": f"{named.__module__}.{named.__qualname__}", "table": self._table}

    def pickled(self) -> bytes:
        """A form that can be sent to workers."""
        try:
            return super().pickled()
        except Exception as error:  # whatever its own rules for pickling are
            raise OptionError(
                f"learner: to send it to workers, it must be a function that a module defines, not a lambda or an "
                f"inner function ({error})"
            ) from None


def _missing_note(data: Data | NumericData) -> tuple[str, ...]:
    if not data.missing:
        return ()
    return (
        f"values are missing: they are completed by a network learned from all rows, with new draws for every "
        f"{DRAW_SHARED} resamples",
    )


def resampled_rows(data: Data, seed: int, number: int) -> Data:
    """The rows of a resample, in the order in which they are drawn; all have the same weight."""
    codes = data.codes[_drawn(data, seed, number)]
    codes.flags.writeable = False
    return Data(data.variables, data.states, codes, data.cuts)


def _drawn(data: Data, seed: int, number: int) -> npt.NDArray[np.integer[Any]]:
    """The positions of the rows that the kernel would draw."""
    units, unit = row_units(data)
    if data.groups is None:
        if data.weights is None:
            return _kernel.drawn(seed, number, len(data), len(data))
        drawn = _kernel.drawn(seed, number, int(units.sum()), rounded_total(units, unit))
        return np.searchsorted(np.cumsum(units), drawn, side="right")
    order = np.argsort(data.groups, kind="stable")
    members = np.split(order, np.cumsum(np.bincount(data.groups))[:-1])
    drawn = _kernel.drawn(seed, number, len(members), len(members))
    rows = np.concatenate([members[group] for group in drawn])
    return rows if data.weights is None else np.repeat(rows, units[rows])


def tally_of(variables: tuple[str, ...], found: Sequence[Learnt]) -> Tally:
    """The sum of the networks learned from some resamples."""
    dags = [one for one in found if isinstance(one, DAG)]
    tally = Tally.of(dags, [1] * len(dags), are_resamples=True) if dags else Tally(variables)
    for one in found:
        if not isinstance(one, DAG):
            tally.count(input_votes_of(one), 1, is_resample=True)
    return tally


def name_of(number: int) -> str:
    """The name of a resample's network."""
    return f"resample {number + 1}"


def content_hash(data: Data | NumericData) -> str:
    """A hash that differs if variables, states, rows or their weights differ."""
    digest = hashlib.sha256(json.dumps([[name, *data.states.get(name, ())] for name in data.variables]).encode())
    cells, kind = (data.values, "<f8") if isinstance(data, NumericData) else (data.codes, "<i4")
    for start in range(0, len(data), _HASHED_ROWS):
        digest.update(cells[start : start + _HASHED_ROWS].astype(kind).tobytes())
    for name, numbers in (("weights", data.weights), ("groups", data.groups)):
        if numbers is not None:
            digest.update(name.encode() + numbers.astype("<f8").tobytes())
    return digest.hexdigest()
