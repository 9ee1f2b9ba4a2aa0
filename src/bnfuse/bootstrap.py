"""Networks from resamples of data: how stable is what one learned network says?

A resample draws as many rows as there are, with replacement. The rows of each depend on the seed and its number alone,
so a run can be continued and split, and gives the same networks on any number of threads. What the networks add up to
is a tally, in the memory of one network.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from bnfuse import _kernel
from bnfuse._errors import BnfuseError, OptionError
from bnfuse._options import at_least, one_of, taken
from bnfuse.constraints import Constraints
from bnfuse.dag import DAG, as_dag, check_same_variables
from bnfuse.data import Data, DataLike
from bnfuse.learning import Learner, LearnOptions, refuse_unknown
from bnfuse.network import BOOTSTRAP, Network
from bnfuse.raw_data import Prepared, RawDataOptions, prepared
from bnfuse.run import Run
from bnfuse.tally import Tally

LearnerLike: TypeAlias = Callable[[Any], Any]
"""A function from a table (a pandas DataFrame, or Data) to a network in any form."""

TABLES = ("pandas", "data")

_STRETCH = 0.5  # seconds of learning between two looks at what there is
_MOST_AT_ONCE = 1024
_CONSTRAINTS = ("required", "forbidden", "tiers", "max_parents")  # directions are for those who have inputs


class Bootstrap(ABC):
    """Networks learned from resamples, one after the other, and what they add up to.

    >>> runs = bootstrap("patients.csv", 200, max_clique=4)  # doctest: +SKIP
    >>> for network in runs:  # doctest: +SKIP
    ...     print(network.name, len(network.dag.edges))
    >>> bnfuse.consensus(runs.tally, max_clique=4)  # doctest: +SKIP

    Ctrl-C and the time limit end the iteration with what there is.
    """

    def __init__(self, data: Data, notes: tuple[str, ...], resamples: int, first: int, run: Run) -> None:
        self.data = data
        self.notes = notes
        """what there is to know about the data"""
        self.resamples = at_least("resamples", resamples, 1)
        """how many are wanted"""
        self.first = at_least("first", first, 0)
        """how many came before"""
        self.tally = Tally(data.variables)
        """of all networks so far"""
        self.stopped_by = "finished"
        """or "time limit", "interrupted" """
        self._run = run

    @property
    def done(self) -> int:
        """How many resamples have their network."""
        return self.tally.weight

    def run(self) -> Tally:
        """Learn from all resamples that are left; the tally of all."""
        for _ in self:
            pass
        return self.tally

    def __iter__(self) -> Iterator[Network]:
        networks = self._networks()
        self.stopped_by = "finished"
        while self.done < self.resamples:
            before, network = self.done, None
            try:
                network = next(networks, None)
                if network is None:
                    self.stopped_by = "time limit"
                else:
                    self._count(network)
            except KeyboardInterrupt:
                if not self.done:
                    raise
                self.stopped_by = "interrupted"
            if network is not None and self.done > before:
                yield network
            if self.stopped_by != "finished":
                return

    def _count(self, network: Network) -> None:
        """Count all of a network or nothing of it, should Ctrl-C come meanwhile."""
        before, arcs = self.tally.weight, int(self.tally.arcs.sum())
        try:
            self.tally.add(network)
        except KeyboardInterrupt:
            if int(self.tally.arcs.sum()) > arcs:  # between the counts and the weight
                self.tally.weight = before + 1
            raise

    @abstractmethod
    def _networks(self) -> Iterator[Network]:
        """Of the resamples that are left; ends early when the time is up."""

    def __repr__(self) -> str:
        return f"<Bootstrap: {self.done} of {self.resamples} networks over {len(self.data.variables)} variables>"


class _OwnBootstrap(Bootstrap):
    """With the learner of this package: several resamples at once."""

    def __init__(self, learner: Learner, resamples: int, first: int, run: Run) -> None:
        super().__init__(learner.data, learner.notes, resamples, first, run)
        self._learner = learner

    def _networks(self) -> Iterator[Network]:
        at_once = self._run.thread_count
        place, end = self.first + self.done, self.first + self.resamples
        while place < end and not self._run.clock.is_out:
            number, start = min(at_once, end - place), time.perf_counter()
            found = self._learner.resampled(self._run, place, number)
            yield from (one.network for one in found)
            if len(found) < number:
                return
            place += number
            if time.perf_counter() - start < _STRETCH:
                at_once = min(2 * at_once, _MOST_AT_ONCE)


class _OtherBootstrap(Bootstrap):
    """With somebody else's learner: one resample at a time."""

    def __init__(self, rows: Prepared, learner: LearnerLike, table: str, resamples: int, first: int, run: Run) -> None:
        super().__init__(rows.data, rows.notes, resamples, first, run)
        self._learner, self._table = learner, one_of("table", table, TABLES)

    def _networks(self) -> Iterator[Network]:
        for number in range(self.first + self.done, self.first + self.resamples):
            if self._run.clock.is_out:
                return
            rows = resampled_rows(self.data, self._run.seed, number)
            name = f"resample {number + 1}"
            try:
                dag = as_dag(self._learner(rows.to_pandas() if self._table == "pandas" else rows))
                check_same_variables(DAG(self.data.variables), dag, "the data", "the network of the learner")
            except BnfuseError as error:
                raise OptionError(f"learner, {name}: {error}") from None
            structure = dag.reordered(self.data.variables)
            yield Network(structure, dict(self.data.states), None, name, BOOTSTRAP, self.data.cuts)


def bootstrap(
    data: DataLike,
    resamples: int = 200,
    learner: LearnerLike | None = None,
    *,
    seed: int = 0,
    threads: int | None = None,
    time_limit: float | None = None,
    first: int = 0,
    table: str = "pandas",
    **options: Any,
) -> Bootstrap:
    """Learn a network from each of many resamples of data.

    Nothing is learned before the result is iterated over, or its `run()` called.

    Parameters
    ----------
    data
        The path of a CSV or Parquet file, a pandas or polars DataFrame, or Data. Numbers are cut into classes, and
        columns that are no variables left out; `notes` say so.
    resamples
        How many networks.
    learner
        A function that gets a table of resampled rows and returns a network in any form that `bnfuse` takes: a pyAgrum
        or pgmpy model, a networkx graph. None is `bnfuse.learn`.
    seed
        The same seed gives the same resamples and networks, on any number of threads.
    threads
        How many resamples are learned from at the same time; a `learner` of your own gets one at a time.
    time_limit
        Seconds after which no further network comes.
    first
        How many resamples to skip: `first=200` goes on after 200.
    table
        What a `learner` of your own gets: a "pandas" DataFrame of categories, or "data", a bnfuse Data.
    options
        Those of `bnfuse.discretised`, for the data, and of `bnfuse.learn`, for its learner.

    Returns
    -------
    Bootstrap
        An iterable of networks, with their `tally`.
    """
    run = Run(seed, threads, time_limit)
    rows = RawDataOptions(**taken(options, RawDataOptions))
    constraints = {name: options.pop(name) for name in _CONSTRAINTS if name in options}
    chosen = taken(options, LearnOptions)
    refuse_unknown(options)
    if learner is None:
        own = Learner(prepared(data, rows), LearnOptions(**chosen), Constraints(**constraints))
        return _OwnBootstrap(own, resamples, first, run)
    if not callable(learner):
        raise OptionError(f"learner must be a function from a table to a network, got {type(learner).__name__}")
    for name in (*constraints, *chosen):
        raise OptionError(f"{name} is an option of the learner of bnfuse, not of one of your own")
    return _OtherBootstrap(prepared(data, rows), learner, table, resamples, first, run)


def resampled_rows(data: Data, seed: int, number: int) -> Data:
    """The rows of a resample, in the order in which they are drawn."""
    codes = data.codes[_kernel.drawn_rows(seed, number, len(data))]
    codes.flags.writeable = False
    return Data(data.variables, data.states, codes, data.cuts)
