"""The content of a study: presets, and their jobs. A job is a pure function of its description."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from bnfuse._base.options import at_least, one_of
from bnfuse._base.spelling import unknown
from bnfuse.errors import OptionError
from bnfuse.networks import names as network_names
from bnfuse.problem.problem import METRICS
from bnfuse.search.paper.candidates import KINDS
from bnfuse.search.paper.genetic import PRESETS as GENETIC_PRESETS
from bnfuse.search.paper.genetic import GeneticOptions
from bnfuse.search.paper.greedy import GreedyOptions
from bnfuse.study.generator import READINGS

PAPERS_METRICS = ("smhd", "fsim")
METRIC_NAMES = {"smhd": "SMHD", "fsim": "FSim", "shd": "SHD"}
"""the names in figures and tables"""
PAPERS = tuple(f"{method} {kind}" for method in ("genetic", "greedy") for kind in KINDS)
"""the six algorithms of the paper, in its order"""
OURS = ("direct", "majority")
ALGORITHMS = (*PAPERS, *OURS)
FUSED, INPUTS, BASE = "fusion", "inputs", "base"
"""references for the algorithms: the full fusion G+, the inputs, and the network from which they come"""
REFERENCES = (FUSED, INPUTS)

CARRIED = PAPERS[:3]
"""the algorithms that carry over in the paper's program: the genetic ones; greedy searches restart for each limit"""
OPTIONS = tuple(GENETIC_PRESETS)
"""the named options of the paper's six"""

_SMALLEST_LIMIT = 2
_MOST_SEEDS = 100_000


@dataclass(frozen=True, slots=True)
class Instance:
    """Input networks: r copies of a base, perturbed from a seed."""

    base: str
    """a number of variables for a synthetic base ("n30"), otherwise the name of a benchmark network"""
    inputs: int
    seed: int
    reading: str

    @property
    def variables(self) -> int | None:
        """The number of variables of a synthetic base; None for a real one."""
        return int(self.base[1:]) if self.base[:1] == "n" and self.base[1:].isdigit() else None

    @property
    def is_real(self) -> bool:
        """Whether the base is a benchmark network, from which data can be drawn."""
        return self.variables is None


@dataclass(frozen=True, slots=True)
class Job:
    """One piece of work. Without an algorithm, it computes the instance's references for comparison."""

    instance: Instance
    rows: int
    """the seed of the data set to which networks from a real base are fitted; 0 for none"""
    algorithm: str | None = None
    metric: str | None = None
    limits: tuple[int, ...] = ()
    """the clique limits of the search: one, or all of them if it carries over"""
    carry: bool = False
    """the search for each limit starts from the result for the previous limit"""
    options: str | None = None
    """the named options of the paper's algorithms"""
    population: int | None = None
    generations: int | None = None
    effort: str | None = None

    @property
    def key(self) -> str:
        """The description: the same text for the same job."""
        facts = {name: value for name, value in asdict(self).items() if value is not None}
        return json.dumps(facts, sort_keys=True, separators=(",", ":"))

    @property
    def group(self) -> tuple[str, str]:
        """The times of jobs in one group follow one formula."""
        kind = "real" if self.instance.is_real else "synthetic"
        return kind, f"{self.algorithm or 'references'} {self.metric or ''}".strip()


@dataclass(frozen=True, slots=True)
class Grid:
    """A whole study."""

    preset: str
    sizes: tuple[int, ...]
    """the numbers of variables of the synthetic bases"""
    networks: tuple[str, ...]
    """the real bases"""
    inputs: tuple[int, ...]
    """numbers of input networks"""
    seeds: int
    limits: tuple[int, ...] | None
    """the clique limits to try, if they are below the clique size of the full fusion; None means all from 2"""
    fsim_limits: tuple[int, ...] | None
    """the same for FSim, whose genetic searches take most of the time"""
    fsim_seeds: int
    """the number of seeds that are also searched with FSim"""
    generations: int
    effort: str
    rows: int = 5_000
    population: int = 100
    reading: str = "printed"
    options: str = "default"
    """for the paper's six algorithms: a preset of the genetic search, and the corresponding greedy search"""
    carry: bool = False
    """whether the best network is carried over from small limits to large ones"""
    metrics: tuple[str, ...] = PAPERS_METRICS

    def __post_init__(self) -> None:
        for network in self.networks:
            if network not in network_names():
                raise OptionError(
                    f"{unknown('network', network, network_names())}; the known ones are {', '.join(network_names())}"
                )
        at_least("seeds", self.seeds, 1, _MOST_SEEDS)
        one_of("reading", self.reading, READINGS)
        one_of("options", self.options, OPTIONS)
        for metric in self.metrics:
            one_of("metric", metric, METRICS)
            if self.metrics.count(metric) > 1:
                raise OptionError(f"the metric {metric!r} is named twice")

    def changed(self, **changes: Any) -> Grid:
        """The grid with some fields replaced, if the new value is not None."""
        return replace(self, **{name: value for name, value in changes.items() if value is not None})

    def instances(self) -> Iterator[Instance]:
        """All instances, the first seeds of all bases first."""
        bases = [*(f"n{size}" for size in self.sizes), *self.networks]
        for seed in range(self.seeds):
            for base in bases:
                for count in self.inputs:
                    yield Instance(base, count, seed, self.reading)

    def reference_jobs(self) -> list[Job]:
        """The first jobs: the clique sizes of the fusions determine the limits of the searches."""
        return [Job(instance, self._rows(instance)) for instance in self.instances()]

    def search_jobs(self, instance: Instance, fused_clique: int) -> Iterator[Job]:
        """All searches on an instance."""
        for metric in self.metrics:
            if metric == "fsim" and instance.seed >= self.fsim_seeds:
                continue
            limits = tuple(self.limits_below(fused_clique, metric))
            for algorithm in ALGORITHMS:
                carry = self.carry and algorithm in CARRIED
                for together in [limits] if carry and limits else [(limit,) for limit in limits]:
                    yield self._search_job(instance, algorithm, metric, together, carry)

    def _search_job(self, instance: Instance, algorithm: str, metric: str, limits: tuple[int, ...], carry: bool) -> Job:
        is_genetic = algorithm.startswith("genetic")
        return Job(
            instance,
            self._rows(instance),
            algorithm,
            metric,
            limits,
            carry,
            options=self.options if algorithm in PAPERS else None,
            population=self.population if is_genetic else None,
            generations=self.generations if is_genetic else None,
            effort=self.effort if algorithm == "direct" else None,
        )

    def limits_below(self, fused_clique: int, metric: str) -> Iterable[int]:
        """The limits that the full fusion exceeds."""
        every = range(_SMALLEST_LIMIT, fused_clique)
        chosen = self.fsim_limits if metric == "fsim" else self.limits
        return every if chosen is None else [limit for limit in chosen if limit in every]

    def _rows(self, instance: Instance) -> int:
        return self.rows if instance.is_real else 0

    def to_json(self) -> str:
        """As text, for the store."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Grid:
        """From the store."""
        facts: dict[str, Any] = json.loads(text, object_hook=_with_tuples)
        return cls(**facts)


def _with_tuples(facts: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in facts.items()}


def options_of(method: str, name: str | None) -> dict[str, Any]:
    """Named options of a paper's method as keywords for `consensus`; the greedy search gets those that apply to it.

    The greedy search of the paper and its program fills up to the limit; our default returns the best network on the
    path.
    """
    if name is None:
        return {}
    if method == "genetic":
        return {"preset": name}
    named = GENETIC_PRESETS[name]
    shared = {field.name for field in fields(GreedyOptions)} & {field.name for field in fields(GeneticOptions)}
    options = {field: getattr(named, field) for field in sorted(shared - {"candidates"})}
    return options if name == "default" else {**options, "returned": "last"}


_REAL = ("child", "insurance", "water", "mildew", "alarm", "barley", "hailfinder")

_SIZES = _COUNTS = (10, 30, 50)

PRESETS = {
    grid.preset: grid
    for grid in (
        Grid(
            "smoke",
            sizes=(10,),
            networks=("child",),
            inputs=(10,),
            seeds=2,
            limits=(2, 3, 5),
            fsim_limits=(2, 3, 5),
            fsim_seeds=2,
            generations=10,
            effort="quick",
        ),
        Grid(
            "laptop",
            sizes=_SIZES,
            networks=_REAL,
            inputs=_COUNTS,
            seeds=3,
            limits=(2, 3, *range(5, 70, 3)),  # evenly spread, so that their mean is close to the mean over all limits
            fsim_limits=(3, 11),
            fsim_seeds=2,
            generations=100,
            effort="quick",
        ),
        Grid(
            "paper",
            sizes=_SIZES,
            networks=_REAL,
            inputs=_COUNTS,
            seeds=10,
            limits=None,
            fsim_limits=None,
            fsim_seeds=10,
            generations=100,
            effort="normal",
        ),
    )
}
"""`smoke` checks that everything works, `laptop` takes twenty minutes on two cores, `paper` is the complete grid."""


def preset(name: str) -> Grid:
    """A named grid."""
    return PRESETS[one_of("preset", name, PRESETS)]
