"""How a problem is searched: the seed, the threads, the clock and who is told; never part of the question."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from bnfuse._base.options import LARGEST_SEED, check_options, option, positive, thread_count, whole


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search has come: what a `progress` callback is given.

    Attributes
    ----------
    step, steps
        The step that was done, and how many there are; 0 where nobody knows, as in a proof.
    distance
        The mean distance of the best network so far.
    clique_size
        Its largest clique.
    seconds
        Since the start.
    lower_bound
        In a proof: no network within the limit is closer; None elsewhere.

    Examples
    --------
    >>> import bnfuse
    >>> def tell(progress: bnfuse.Progress) -> None:
    ...     if progress.step == progress.steps:
    ...         print("done, at distance", progress.distance)
    >>> networks = [bnfuse.DAG.from_edges([("A", "B"), ("C", "B")]), bnfuse.DAG.from_edges([("A", "B"), ("B", "C")])]
    >>> result = bnfuse.consensus(networks, max_clique=3, method="genetic", generations=3, progress=tell)
    done, at distance 0.5
    """

    step: int
    steps: int
    """0 where nobody knows how many, as in a proof"""
    distance: float
    clique_size: int
    seconds: float
    lower_bound: float | None = None
    """in a proof: no network within the limit is closer"""


Callback: TypeAlias = Callable[[Progress], None]


class Clock:
    """The seconds since the start, and whether they are used up."""

    def __init__(self, limit: float | None) -> None:
        self._start = time.perf_counter()
        self._limit = math.inf if limit is None else limit

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self._start

    @property
    def left(self) -> float:
        """Seconds to the time limit; 0 when it has passed."""
        return max(self._limit - self.seconds, 0.0)

    @property
    def is_out(self) -> bool:
        """Whether the time limit has passed."""
        return self.left <= 0


@dataclass(frozen=True)
class Run:
    """One run of a search. Its clock starts when it is made."""

    seed: int = option(
        0, "The same seed gives the same network, on any number of threads.", whole(least=0, most=LARGEST_SEED)
    )
    threads: int | None = option(None, "How many threads to use.")
    time_limit: float | None = option(None, "Stop after this time, with the best network so far.", positive("seconds"))
    progress: Callback | None = option(None, "Called with a `Progress` after each step.")
    clock: Clock = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        check_options(self)
        object.__setattr__(self, "threads", thread_count(self.threads))
        object.__setattr__(self, "clock", Clock(self.time_limit))

    @property
    def thread_count(self) -> int:
        """How many threads there are."""
        assert self.threads is not None
        return self.threads

    def report(
        self, step: int, steps: int, distance: float, clique_size: int, lower_bound: float | None = None
    ) -> None:
        """Tells whoever asked how far the search has come."""
        if self.progress is not None:
            self.progress(Progress(step, steps, distance, clique_size, self.clock.seconds, lower_bound))
