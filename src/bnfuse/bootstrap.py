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
from bnfuse._options import at_least, one_of
from bnfuse.arc_votes import ArcVotes
from bnfuse.ballots import InputLike, ballot_of, is_structure
from bnfuse.constraints import Constraints
from bnfuse.dag import DAG, as_dag, check_same_variables
from bnfuse.data import Data, DataLike
from bnfuse.learning import Learner, LearnOptions, table_of
from bnfuse.network import Network
from bnfuse.pdag import PDAG, as_pdag
from bnfuse.run import Run
from bnfuse.tally import Tally

LearnerLike: TypeAlias = Callable[[Any], InputLike]
"""A function from a table (a pandas DataFrame, or Data) to anything that can be an input of a consensus."""

TABLES = ("pandas", "data")

_STRETCH = 0.5  # seconds of learning between two looks at what there is
_MOST_AT_ONCE = 1024
_CONSTRAINTS = ("required", "forbidden", "tiers", "max_parents")


class Bootstrap(ABC):
    """Networks learned from resamples, one after the other, and what they add up to.

    Each is a Network; where a learner of your own gives an equivalence class or votes for arcs, a PDAG or ArcVotes.

    >>> runs = bootstrap("patients.csv", 200, max_clique=4)  # doctest: +SKIP
    >>> for network in runs:  # doctest: +SKIP
    ...     print(network.name, len(network.dag.edges))
    >>> bnfuse.consensus(runs.tally, max_clique=4)  # doctest: +SKIP

    Ctrl-C and the time limit end the iteration with what there is.
    """

    def __init__(self, data: Data, resamples: int, first: int, run: Run) -> None:
        self.data = data
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
        return self.tally.weight // self.tally.parts

    @property
    def notes(self) -> tuple[str, ...]:
        """What there is to know about the data."""
        return ()

    def run(self) -> Tally:
        """Learn from all resamples that are left; the tally of all."""
        for _ in self:
            pass
        return self.tally

    def __iter__(self) -> Iterator[InputLike]:
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

    def _count(self, network: InputLike) -> None:
        """Count all of a network or nothing of it, should Ctrl-C come meanwhile."""
        tally = self.tally
        before, arcs = (tally.weight, tally.parts), int(tally.arcs.sum())
        try:
            tally.count(ballot_of(network), 1)
        except KeyboardInterrupt:
            if (tally.weight, tally.parts) == before and int(tally.arcs.sum()) > arcs:  # before the weight was added
                tally.weight += tally.parts
            raise

    @abstractmethod
    def _networks(self) -> Iterator[InputLike]:
        """Of the resamples that are left; ends early when the time is up."""

    def __repr__(self) -> str:
        return f"<Bootstrap: {self.done} of {self.resamples} networks over {len(self.data.variables)} variables>"


class _OwnBootstrap(Bootstrap):
    """With the learner of this package: several resamples at once."""

    def __init__(self, learner: Learner, resamples: int, first: int, run: Run) -> None:
        super().__init__(learner.data, resamples, first, run)
        self._learner = learner

    @property
    def notes(self) -> tuple[str, ...]:
        """What there is to know about the data."""
        return self._learner.notes

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

    def __init__(self, data: Data, learner: LearnerLike, table: str, resamples: int, first: int, run: Run) -> None:
        super().__init__(data, resamples, first, run)
        self._learner, self._table = learner, one_of("table", table, TABLES)

    def _networks(self) -> Iterator[InputLike]:
        for number in range(self.first + self.done, self.first + self.resamples):
            if self._run.clock.is_out:
                return
            rows = resampled_rows(self.data, self._run.seed, number)
            name = f"resample {number + 1}"
            try:
                found = self._named(self._learner(rows.to_pandas() if self._table == "pandas" else rows), name)
                ballot_of(found)  # which refuses a class without members
            except BnfuseError as error:
                raise OptionError(f"learner, {name}: {error}") from None
            yield found

    def _named(self, found: InputLike, name: str) -> Network | PDAG | ArcVotes:
        """What a learner gave, with its variables in the order of the data."""
        if is_structure(found):
            dag = as_dag(found)
            self._check_variables(dag.variables)
            return Network(dag.reordered(self.data.variables), dict(self.data.states), name=name)
        votes = found if isinstance(found, ArcVotes) else as_pdag(found)
        self._check_variables(votes.variables)
        return votes.reordered(self.data.variables).renamed(name)

    def _check_variables(self, variables: tuple[str, ...]) -> None:
        check_same_variables(DAG(self.data.variables), DAG(variables), "the data", "the network of the learner")


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
        The path of a CSV or Parquet file, a pandas DataFrame or Data; every column is a variable.
    resamples
        How many networks.
    learner
        A function that gets a table of resampled rows and returns anything that can be an input of a consensus: a
        network in any form (a pyAgrum or pgmpy model, a networkx graph), an equivalence class (PDAG, a graph of
        causal-learn), which is counted as one, or ArcVotes, which count as one network here. None is `bnfuse.learn`.
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
        Those of `bnfuse.learn`, for its learner.

    Returns
    -------
    Bootstrap
        An iterable of networks, with their `tally`.
    """
    run = Run(seed, threads, time_limit)
    if learner is not None:
        if options:
            raise OptionError(f"{next(iter(options))} is an option of the learner of bnfuse, not of one of your own")
        if not callable(learner):
            raise OptionError(f"learner must be a function from a table to a network, got {type(learner).__name__}")
        return _OtherBootstrap(table_of(data), learner, table, resamples, first, run)
    constraints = Constraints(**{name: options.pop(name) for name in _CONSTRAINTS if name in options})
    try:
        chosen = LearnOptions(**options)
    except TypeError:
        unknown = [name for name in options if name not in LearnOptions.__dataclass_fields__]
        raise OptionError(f"there is no option {unknown[0]!r}") from None
    return _OwnBootstrap(Learner(data, chosen, constraints), resamples, first, run)


def resampled_rows(data: Data, seed: int, number: int) -> Data:
    """The rows of a resample, in the order in which they are drawn."""
    codes = data.codes[_kernel.drawn_rows(seed, number, len(data))]
    codes.flags.writeable = False
    return Data(data.variables, data.states, codes)
