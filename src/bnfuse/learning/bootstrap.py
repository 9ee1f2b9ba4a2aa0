"""Networks from many resamples of data, which show how far a learned network can be trusted.

A resample draws as many rows as there are, with replacement. The rows of each depend on the seed and its number alone,
so a run can be continued and split, and gives the same networks on any number of threads and workers. The sum of the
networks is a tally, which takes the memory of one network.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from contextlib import ExitStack, closing
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack

from bnfuse._base.options import (
    MOST_STEPS,
    MOST_WORKERS,
    at_least,
    option_name,
    parameters_of,
    refuse_unknown,
    spelled_out,
    taken,
)
from bnfuse._base.public import public
from bnfuse.data.data import DataLike
from bnfuse.data.discretise import prepared
from bnfuse.data.raw_table import RawDataArguments, RawDataOptions
from bnfuse.errors import OptionError
from bnfuse.graphs.arc_votes import ArcVotes
from bnfuse.graphs.dag import DAG
from bnfuse.graphs.network import BOOTSTRAP, Network
from bnfuse.graphs.pdag import PDAG
from bnfuse.learning.data_learner import LearnArguments, LearnOptions
from bnfuse.learning.gaussian.learner import read_table
from bnfuse.learning.resampling import (
    LearnerLike,
    Learnt,
    OtherResampling,
    OwnResampling,
    Resampling,
    content_hash,
    name_of,
)
from bnfuse.problem.constraints import Constraints
from bnfuse.problem.input_votes import InputLike, input_votes_of
from bnfuse.problem.tally import Tally
from bnfuse.search.run import Run

if TYPE_CHECKING:
    from bnfuse.learning.resample_store import ResampleStore
    from bnfuse.learning.resample_workers import Place

RESAMPLE_EFFORT = "quick"
"""the effort of annealing, for each resample"""

_CONSTRAINTS = ("required", "forbidden", "tiers", "max_parents")  # options on directions are for those who have inputs


class BootstrapOptions(RawDataArguments, LearnArguments, total=False):
    """The options of `bootstrap` for the data and for the learner of bnfuse."""


@public
class Bootstrap:
    """Networks learned from resamples, one after the other, and their sum: the result of `bnfuse.bootstrap`.

    Each is a Network; if your own learner returns an equivalence class or votes for arcs, a PDAG or ArcVotes. Ctrl-C
    and the time limit end the iteration and keep the networks so far.

    Attributes
    ----------
    data
        The discrete data.
    notes
        Notes on them, one sentence each.
    resamples
        The number of networks wanted.
    first
        The number of resamples before these.
    tally
        The sum of all networks so far.
    stopped_by
        "finished", "time limit" or "interrupted".
    stored
        The number of networks that were already in the store.

    Examples
    --------
    >>> import bnfuse
    >>> network = bnfuse.Network(
    ...     bnfuse.DAG.from_edges([("Smoker", "Cancer")]),
    ...     states={"Smoker": ("yes", "no"), "Cancer": ("yes", "no")},
    ...     cpts={"Smoker": [0.3, 0.7], "Cancer": [[0.9, 0.1], [0.1, 0.9]]},
    ... )
    >>> runs = bnfuse.bootstrap(network.sample(200), resamples=3)
    >>> for one in runs:
    ...     print(one.name, len(one.dag.edges))
    resample 1 1
    resample 2 1
    resample 3 1
    >>> bnfuse.consensus(runs.tally)
    <Consensus: 1 arcs, largest clique 2, smhd 0, direct, ...>
    """

    def __init__(
        self,
        task: Resampling,
        resamples: int,
        first: int,
        run: Run,
        place: Place | None = None,
        store: ResampleStore | None = None,
    ) -> None:
        self.data = task.data
        self.resamples = resamples
        """the number of networks wanted"""
        self.first = first
        """the number of resamples before these"""
        self.tally = Tally(task.data.variables)
        """the sum of all networks so far"""
        self.stopped_by = "finished"
        """or "time limit", "interrupted" """
        self.stored = 0
        """the number of networks that were already in the store"""
        self._task, self._run, self._place, self._store = task, run, place, store
        if store is not None and (there := store.check(resamples)) is not None:
            self.stored = min(there.done, resamples)
            self.tally.merge(there.tally)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Notes on the data."""
        return (*self._task.notes, *self._task.look())

    @property
    def done(self) -> int:
        """The number of resamples that have their network."""
        return self.tally.weight // self.tally.parts

    def run(self) -> Tally:
        """Learn from all resamples that are left.

        Returns
        -------
        Tally
            The sum of all networks.

        Raises
        ------
        BnfuseError
            The learner, the workers or the store fail.

        Examples
        --------
        >>> import bnfuse
        >>> coin = bnfuse.Network(bnfuse.DAG(["Coin"]), {"Coin": ("heads", "tails")}, {"Coin": [0.5, 0.5]})
        >>> bnfuse.bootstrap(coin.sample(50), resamples=20).run()
        <Tally: 1 variables, weight 20>
        """
        for _ in self:
            pass
        return self.tally

    def __iter__(self) -> Iterator[InputLike]:
        self.stopped_by = "finished"
        with closing(self._networks()) as networks:
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
        """Count all of a network or nothing of it, even if Ctrl-C is pressed."""
        self.tally.count(input_votes_of(network), 1, is_resample=True)

    def _networks(self) -> Generator[Network | PDAG | ArcVotes, None, None]:
        """The networks of the remaining resamples; ends early when the time is up."""
        with closing(self._learnt()) as found:
            for number, one in enumerate(found, self.first + self.done):
                name = name_of(number)
                if isinstance(one, DAG):
                    yield Network(one, dict(self.data.states) or None, None, name, BOOTSTRAP, self.data.cuts)
                else:
                    yield one.renamed(name)

    def _learnt(self) -> Generator[Learnt, None, None]:
        place = self.done
        with ExitStack() as stack:
            store = None if self._store is None else stack.enter_context(self._store.writing())
            if store is not None and store.keeps_networks:
                for dag in store.dags(place, self.resamples):
                    yield dag
                    place += 1
            for block in stack.enter_context(closing(self._blocks(place))):
                if store is not None:
                    store.add(place, block)
                yield from block
                place += len(block)

    def _blocks(self, place: int) -> Generator[list[Learnt], None, None]:
        first, end = self.first + place, self.first + self.resamples
        if first < end and self._place is not None:
            yield from self._place.blocks(self._task, self._run, first, end)
        else:
            yield from self._task.blocks(self._run, first, end)

    def __repr__(self) -> str:
        return f"<Bootstrap: {self.done} of {self.resamples} networks over {len(self.data.variables)} variables>"


@public
@spelled_out
def bootstrap(
    data: DataLike,
    resamples: int = 200,
    learner: LearnerLike | None = None,
    *,
    seed: int = 0,
    threads: int | None = None,
    time_limit: float | None = None,
    first: int = 0,
    table: Literal["pandas", "data"] = "pandas",
    workers: int | None = None,
    cluster: str | None = None,
    store: str | os.PathLike[str] | None = None,
    keep_networks: bool = False,
    **options: Unpack[BootstrapOptions],
) -> Bootstrap:
    """Learn a network from each of many resamples of data.

    Learning starts when the result is iterated over, or when its `run()` is called.

    Parameters
    ----------
    data
        The path of a CSV or Parquet file, a DataFrame, or Data. Numbers are cut into classes, and columns that are not
        variables are left out; `notes` report this. If values are missing, the learner of bnfuse gets rows completed by
        a network that was learned from all rows, with new draws for every eight resamples; your own learner gets the
        missing values.
    resamples
        The number of networks.
    learner
        A function that gets a table of resampled rows and returns anything that can be an input of a consensus: a
        network in any form (a pyAgrum or pgmpy model, a networkx graph), an equivalence class (PDAG, a graph of
        causal-learn), which counts as a class, or ArcVotes, which count as one network here. None is `bnfuse.learn`.
    seed
        The same seed gives the same resamples and networks, on any number of threads and workers.
    threads
        The number of resamples that are processed at the same time; your own `learner` gets one at a time.
    time_limit
        Seconds after which no further network is learned.
    first
        How many resamples to skip: `first=200` continues after 200.
    table
        The argument of your own `learner`: a "pandas" DataFrame of categories, or "data", a bnfuse Data.
    workers
        Learn in this number of processes, with one thread each, instead of threads. Your own `learner` must be a
        function that a module defines.
    cluster
        Learn on a dask cluster: the address of its scheduler, or "local" to start one here with `workers` workers.
    store
        A file that keeps the results as they arrive: after a crash, the same call continues from there. A larger number
        of `resamples` continues too; other data or options are refused.
    keep_networks
        Whether a new store keeps the networks, and not only their sum. Iteration begins with the networks in the store;
        without them, it begins with the next one.
    **options
        The options of `bnfuse.discretised` for the data, and of `bnfuse.learn` for its learner, whose `effort` is
        "quick" here.

    Returns
    -------
    Bootstrap
        An iterable of networks, with their `tally`.

    Raises
    ------
    OptionError
        An option is invalid, or is for the other learner.
    FileError
        The data cannot be read, or the store belongs to another run.
    MismatchError
        The table leaves too few variables.

    References
    ----------
    Friedman, Goldszmidt, Wyner: Data Analysis with Bayesian Networks: A Bootstrap Approach. UAI 1999.

    Examples
    --------
    >>> import bnfuse
    >>> network = bnfuse.Network(
    ...     bnfuse.DAG.from_edges([("Smoker", "Cancer")]),
    ...     states={"Smoker": ("yes", "no"), "Cancer": ("yes", "no")},
    ...     cpts={"Smoker": [0.3, 0.7], "Cancer": [[0.9, 0.1], [0.1, 0.9]]},
    ... )
    >>> tally = bnfuse.bootstrap(network.sample(200), resamples=20).run()
    >>> bnfuse.strengths(tally).arcs[0].strength
    1.0
    >>> len(bnfuse.consensus(tally, max_clique=4).dag.edges)
    1
    """
    resamples = at_least("resamples", resamples, 1, MOST_STEPS)
    first = at_least("first", first, 0, 2**63)
    run = Run(seed, threads, time_limit)
    task = _task(data, learner, table, dict(options))
    place = _place(task, workers, cluster)
    return Bootstrap(task, resamples, first, run, place, _store(task, run.seed, first, store, keep_networks))


def _task(data: DataLike, learner: LearnerLike | None, table: str, options: dict[str, Any]) -> Resampling:
    rows = RawDataOptions(**taken(options, RawDataOptions))
    constraints = {name: options.pop(name) for name in _CONSTRAINTS if name in options}
    chosen = taken(options, LearnOptions)
    refuse_unknown(options, parameters_of(bootstrap))
    if learner is None:
        rules = Constraints(**constraints)
        wanted = LearnOptions(**{"effort": RESAMPLE_EFFORT, **chosen})
        return OwnResampling(read_table(data, rows, wanted), wanted, rules)
    for name in (*constraints, *chosen):
        raise OptionError(f"{name} is an option of the learner of bnfuse, not of your own learner")
    return OtherResampling(prepared(data, rows), learner, table)


def _place(task: Resampling, workers: int | None, cluster: str | None) -> Place | None:
    if workers is None and cluster is None:
        return None
    from bnfuse.learning.resample_workers import Place  # noqa: PLC0415 - keeps the start fast

    task.pickled()  # refuses arguments that could not be sent
    return Place(None if workers is None else at_least("workers", workers, 1, MOST_WORKERS), cluster)


def _store(
    task: Resampling, seed: int, first: int, path: str | os.PathLike[str] | None, keep_networks: bool
) -> ResampleStore | None:
    if path is None:
        if keep_networks:
            raise OptionError(f"{option_name('keep_networks')} is for a store: name its file with store")
        return None
    from bnfuse import __version__  # noqa: PLC0415 - the package imports this module
    from bnfuse.learning.resample_store import ResampleStore  # noqa: PLC0415 - keeps the start fast

    settings = {"data": content_hash(task.data), "bnfuse": __version__, "seed": seed, "first": first, **task.settings()}
    return ResampleStore(Path(path), task.data.variables, settings, keep_networks)
