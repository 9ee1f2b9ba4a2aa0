"""How a problem is searched: the seed, the threads, the clock and the progress callback; not part of the question."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from bnfuse._base.options import LARGEST_SEED, check_options, option, positive, thread_count, whole
from bnfuse._base.public import public


@public
@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a search: the argument of a `progress` callback.

    Attributes
    ----------
    step, steps
        The step that was finished, and the number of steps; 0 if it is not known, as in a proof.
    distance
        The mean distance of the best network so far.
    clique_size
        Its largest clique.
    seconds
        Seconds since the start.
    lower_bound
        In a proof: no network within the limit is closer. None otherwise.

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
    """0 if the number is not known, as in a proof"""
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
    """One run of a search. Its clock starts when it is created."""

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
        """The number of threads."""
        assert self.threads is not None
        return self.threads

    def report(
        self, step: int, steps: int, distance: float, clique_size: int, lower_bound: float | None = None
    ) -> None:
        """Report the progress of the search to the callback."""
        if self.progress is not None:
            self.progress(Progress(step, steps, distance, clique_size, self.clock.seconds, lower_bound))
