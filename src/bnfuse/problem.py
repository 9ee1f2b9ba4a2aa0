"""What a search is given: the input networks and their weights, what to minimise, and within which limits."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from bnfuse._errors import OptionError
from bnfuse._kernel import MAX_VARIABLES
from bnfuse._options import at_least, one_of, thread_count
from bnfuse.constraints import Arc, Constraints
from bnfuse.dag import DAG, NetworkLike, Rows, as_dags, is_network, numbered, stacked
from bnfuse.fusion import Fusion, fuse, order
from bnfuse.tally import LARGEST_TOTAL, Tally

METRICS = ("smhd", "fsim")
TARGETS = ("inputs", "fused")

_ROUNDED_WEIGHT = 10**6


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search has come: what a `progress` callback is given."""

    step: int
    steps: int
    distance: float
    clique_size: int
    seconds: float


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
        """Seconds to the time limit, which may have passed."""
        return self._limit - self.seconds

    @property
    def is_out(self) -> bool:
        """Whether the time limit has passed."""
        return self.left <= 0


@dataclass(frozen=True)
class Problem:
    """A consensus problem: one DAG with `clique_size <= max_clique`, as close as possible to the inputs."""

    dags: tuple[DAG, ...]
    """the inputs; empty when only their tally is known"""
    names: tuple[str, ...]
    weights: tuple[int, ...]
    tally: Tally
    max_clique: int
    metric: str
    target: str
    constraints: Constraints
    seed: int
    threads: int
    progress: Callback | None
    clock: Clock
    exact_weights: tuple[Fraction, ...] = ()
    """as they were given, where the inputs are known: the whole ones may be rounded"""

    @classmethod
    def of(
        cls,
        networks: Iterable[NetworkLike] | Tally | Iterable[Tally],
        max_clique: int,
        metric: str = "smhd",
        target: str = "inputs",
        seed: int = 0,
        weights: Sequence[float] | Mapping[str, float] | None = None,
        threads: int | None = None,
        time_limit: float | None = None,
        progress: Callback | None = None,
        required: Iterable[Arc] = (),
        forbidden: Iterable[Arc] = (),
        tiers: Iterable[Iterable[str]] | None = None,
        max_parents: int | None = None,
    ) -> Problem:
        """A checked problem."""
        if time_limit is not None and not (isinstance(time_limit, (int, float)) and time_limit > 0):
            raise OptionError(f"time_limit must be a positive number of seconds; got {time_limit!r}")
        clock = Clock(time_limit)
        dags, names, exact, tally = _inputs(networks, weights)
        limit = min(at_least("max_clique", max_clique, 2), MAX_VARIABLES)  # no clique is larger
        if at_least("seed", seed, 0) >= 2**64:
            raise OptionError(f"seed must be below 2**64; got {seed}")
        constraints = Constraints.of(tally.variables, limit, required, forbidden, tiers, max_parents)
        problem = cls(
            dags=tuple(dags),
            names=names,
            weights=_whole(exact),
            tally=tally,
            max_clique=limit,
            metric=one_of("metric", metric, METRICS),
            target=one_of("target", target, TARGETS),
            constraints=constraints,
            seed=int(seed),
            threads=thread_count(threads),
            progress=progress,
            clock=clock,
            exact_weights=exact,
        )
        if metric == "fsim":
            problem.needs_networks("fsim")
        if target == "fused":
            problem.needs_networks("the target fused")
        return problem

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables, in the order of the first input: it breaks ties."""
        return self.tally.variables

    def needs_networks(self, what: str) -> None:
        """Refuse what a tally cannot give."""
        if not self.dags:
            raise OptionError(f"{what} needs the networks themselves; a tally has only counts")

    @cached_property
    def rows(self) -> Rows:
        """The inputs for the kernel."""
        return stacked(self.dags)

    @cached_property
    def fusion(self) -> Fusion:
        """The full fusion of the inputs (the paper's G+)."""
        self.needs_networks("the fusion")
        return fuse(self.dags, order(self.dags, weights=self.weights), self.threads)

    @cached_property
    def references(self) -> tuple[DAG, ...]:
        """The DAGs to which the distance is measured."""
        return self.dags if self.target == "inputs" else (self.fusion.dag,)

    @property
    def pooling_weights(self) -> tuple[Fraction, ...] | tuple[int, ...]:
        """The weights of the inputs, exactly where that is known."""
        return self.exact_weights or self.weights

    @property
    def reference_weights(self) -> tuple[int, ...]:
        """Their weights."""
        return self.weights if self.target == "inputs" else (1,)

    @cached_property
    def reference_tally(self) -> Tally:
        """What the references add up to: all that SMHD depends on."""
        return self.tally if self.target == "inputs" else Tally.of(self.references, self.reference_weights)

    @cached_property
    def smhd_bound(self) -> int:
        """What the summed SMHD of no network within the limit is below."""
        from bnfuse.search.bounds import smhd_lower_bound  # noqa: PLC0415 - bounds know nothing of problems

        return smhd_lower_bound(self.reference_tally.moral, self.reference_tally.weight, self.max_clique)

    @cached_property
    def ties(self) -> npt.NDArray[np.int32]:
        """The order that breaks FSim's ties: that of `fsim(dag, references)`."""
        return numbered(self.fusion.order if self.target == "inputs" else order(self.references), self.dags[0])

    def mean(self, distance: float) -> float:
        """A summed distance, which is what searches work with, as the mean over the references."""
        return distance / self.reference_tally.weight

    def report(self, step: int, steps: int, distance: float, clique_size: int) -> None:
        """Tells whoever asked how far the search has come."""
        if self.progress is not None:
            self.progress(Progress(step, steps, distance, clique_size, self.clock.seconds))


def _inputs(
    networks: Iterable[NetworkLike] | Tally | Iterable[Tally], weights: Sequence[float] | Mapping[str, float] | None
) -> tuple[list[DAG], tuple[str, ...], tuple[Fraction, ...], Tally]:
    """The DAGs, their names and weights, and their tally; or a tally alone."""
    listed = [networks] if isinstance(networks, Tally) else networks
    if isinstance(listed, Iterable) and not is_network(listed):
        listed = list(listed)
    if isinstance(listed, list) and any(isinstance(one, Tally) for one in listed):
        if weights is not None or not all(isinstance(one, Tally) for one in listed):
            raise OptionError("tallies can be mixed neither with networks nor with weights")
        merged = Tally(listed[0].variables)
        for tally in listed:
            merged.merge(tally)
        if not merged.weight:
            raise OptionError("expected at least one network, got an empty tally")
        return [], (), (), merged
    dags = as_dags(listed)
    names = names_of(listed)
    given = exact_weights(weights, names)
    kept = [i for i, weight in enumerate(given) if weight]  # a weight of 0 leaves an input out
    dags, exact = [dags[i] for i in kept], tuple(given[i] for i in kept)
    return dags, tuple(names[i] for i in kept), exact, Tally.of(dags, _whole(exact))


def names_of(networks: Iterable[NetworkLike]) -> tuple[str, ...]:
    """What to call the inputs: by their names, or by their places."""
    given = (getattr(network, "name", None) for network in networks)
    return tuple(name if isinstance(name, str) and name else f"{i + 1}" for i, name in enumerate(given))


def whole_weights(weights: Sequence[float] | Mapping[str, float] | None, names: tuple[str, ...]) -> tuple[int, ...]:
    """Weights as whole numbers in the same proportions: sums of them are exact, in any order, on any machine."""
    return _whole(exact_weights(weights, names))


def _whole(fractions: Sequence[Fraction]) -> tuple[int, ...]:
    scale = math.lcm(*(fraction.denominator for fraction in fractions))
    whole = [int(fraction * scale) for fraction in fractions]
    shared = math.gcd(*whole) or 1  # of none
    if sum(whole) // shared > LARGEST_TOTAL:
        largest = max(fractions)
        return tuple(max(1, round(one / largest * _ROUNDED_WEIGHT)) if one else 0 for one in fractions)
    return tuple(weight // shared for weight in whole)


def exact_weights(
    weights: Sequence[float | Fraction] | Mapping[str, float] | None, names: tuple[str, ...]
) -> list[Fraction]:
    """Weights as they are given."""
    if weights is None:
        return [Fraction(1)] * len(names)
    fractions = [_fraction(weight) for weight in _listed_weights(weights, names)]
    if not any(fractions):
        raise OptionError("at least one weight must be above 0")
    return fractions


def _listed_weights(
    weights: Sequence[float | Fraction] | Mapping[str, float], names: tuple[str, ...]
) -> list[float | Fraction]:
    if isinstance(weights, Mapping):
        if unknown := [name for name in weights if name not in names]:
            raise OptionError(f"a weight for {unknown[0]!r}, but the networks are {', '.join(map(repr, names))}")
        return [weights.get(name, 1) for name in names]
    if not isinstance(weights, Sequence | np.ndarray) or isinstance(weights, str):
        raise OptionError(f"weights must be a list of numbers or a mapping from names; got {weights!r:.60}")
    if len(weights) != len(names):
        raise OptionError(f"{len(weights)} weights for {len(names)} networks")
    return list(weights)


def _fraction(weight: float | Fraction) -> Fraction:
    try:
        fraction = Fraction(str(weight))
    except (ValueError, ZeroDivisionError):
        raise OptionError(f"a weight must be a number of at least 0; got {weight!r}") from None
    if fraction < 0:
        raise OptionError(f"a weight must be a number of at least 0; got {weight!r}")
    return fraction
