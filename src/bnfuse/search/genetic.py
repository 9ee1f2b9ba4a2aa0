"""The genetic search (the paper's Algorithm 1): chromosomes that keep or prune arcs, evolved from greedy solutions.

The loop is here, its operators are plain numpy in `operators`; only the evaluation of a population is native. Values
are compared as whole numbers, and all randomness comes from one stream of raw words, so a seed means the same run
everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from bnfuse._errors import ConstraintError, OptionError
from bnfuse._options import check_options, choice, one_of, option, whole
from bnfuse.found import Found, Step
from bnfuse.problem import Problem
from bnfuse.run import Run
from bnfuse.search.candidates import KINDS, ORDERS, TRIANGULATIONS, Candidates, Genes, Population
from bnfuse.search.greedy import CANDIDATES_HELP, OFFERS, GreedyPath, best_of_path
from bnfuse.search.operators import (
    Draws,
    crossed,
    first_probabilities,
    kept,
    mutated,
    mutation_rates,
    ranking,
    restrained,
    winners,
)

_SOURCES = ("printed", "program")
_AT_ONCE = 4_000_000  # variables times inputs times chromosomes that a thread evaluates between two looks at the clock
_EVERY_LIMIT_TO = 9  # greedy starts; of the limits above
_LIMITS_ABOVE = 8  # so many, evenly spread


@dataclass(frozen=True, slots=True)
class GeneticOptions:
    """How the genetic search works. Where the paper's text and its public program differ, both ways are here.

    - `order`: fuse every candidate under the order of the unpruned "inputs", or under that of the "candidate" itself.
    - `rates` of mutation, "printed" or "program", from x = clique / limit.
    - `restraint`: "by-share" makes additions rarer from generation to generation while few of the offspring are within
      the limit, and as frequent as the rates say when most of them are; "none" leaves the rates alone.
    - `first`: the probabilities with which a first chromosome keeps an arc, "printed" or "program".
    - `offer`: in which order the greedy start is offered arcs (see `GreedyOptions`).
    - `starts`: the best networks on the way of the greedy search for "every-limit" from 2 up, all of which are within
      the limit, or its last networks for the limit and the one below it ("last-two").
    - `offspring` of a pair: 2 or 1.
    - `elites`, the best ever and the best of the last generation, replace the two worst "after-mutation", or are put
      in "before-crossover" and mutate with the others.
    - `champion`: the best ever is chosen among chromosomes "within-limit" only, or among "all".
    - `noted`: the best ever is looked for among the "offspring" before mutation too, or among "generations" only.
    - `triangulation` that measures cliques: "min-fill" or "mcs".
    """

    candidates: str = option("shared", CANDIDATES_HELP, choice(KINDS))
    population: int = option(100, "Chromosomes.", whole(least=4))
    generations: int = option(100, "Generations.", whole(least=0))
    order: str = option("inputs", "Under whose order a candidate is fused: inputs or candidate.", choice(ORDERS))
    rates: str = option("program", "Rates of mutation: printed or program.", choice(_SOURCES))
    restraint: str = option(
        "by-share",
        "Whether arcs are added more rarely while few offspring are within the limit: by-share or none.",
        choice(("by-share", "none")),
    )
    first: str = option("printed", "With which probabilities a first chromosome keeps arcs.", choice(_SOURCES))
    offer: str = option("frequency", "In which order greedy starts are offered arcs.", choice(OFFERS))
    starts: str = option("every-limit", "For which limits greedy starts are made.", choice(("every-limit", "last-two")))
    offspring: int = option(1, "Offspring of a pair: 1 or 2.", whole(least=1, below=3))
    elites: str = option("before-crossover", "When the best come back.", choice(("after-mutation", "before-crossover")))
    champion: str = option("within-limit", "Among which the best ever is chosen.", choice(("within-limit", "all")))
    noted: str = option("offspring", "When the best ever is looked for.", choice(("offspring", "generations")))
    triangulation: str = option("min-fill", "What measures cliques: min-fill or mcs.", choice(TRIANGULATIONS))

    def __post_init__(self) -> None:
        check_options(self)

    @classmethod
    def from_preset(cls, preset: str = "default", **changes: Any) -> GeneticOptions:
        """A named set of options, with changes."""
        base = PRESETS[one_of("preset", preset, PRESETS)]
        known = [field.name for field in fields(cls)]
        if unknown := [name for name in changes if name not in known]:
            raise OptionError(f"unknown option {unknown[0]!r}; the genetic search has {', '.join(known)}")
        return replace(base, **changes)


PRESETS = {
    "default": GeneticOptions(),
    "paper": GeneticOptions(
        order="candidate",
        rates="printed",
        restraint="none",
        starts="last-two",
        offspring=2,
        elites="after-mutation",
        champion="all",
        noted="generations",
    ),
    "program": GeneticOptions(
        restraint="none", first="program", offer="in-turn", starts="last-two", triangulation="mcs"
    ),
}
"""`default` is what measured best; `paper` follows the printed text; `program` the authors' public program."""


def genetic(
    problem: Problem, run: Run | None = None, options: GeneticOptions | None = None, carried: Found | None = None
) -> Found:
    """The genetic consensus. Never worse than its greedy starts, never over the limit.

    Never worse either than what is `carried` over from the same search for a smaller limit: it is the first champion,
    and where greedy solutions for every limit are starts, it is one of them.
    """
    run, options = run or Run(), options or GeneticOptions()
    space = Candidates(problem, options.candidates, options.order, options.triangulation, run)
    search = _Search(space, options, None if carried is None else space.genes_of(carried))
    try:
        stopped_by = search.run()
    except _TimeIsUp:
        stopped_by = "time limit"
        if not search.history:
            search.record(0, search.best)
    except KeyboardInterrupt:
        stopped_by = "interrupted"
    return search.space.found("genetic", search.best.genes[0], search.history, stopped_by, search.notes)


class _TimeIsUp(Exception):  # noqa: N818 - no error
    """The clock ran out between two generations, or in the middle of one."""


class _Search:
    def __init__(self, space: Candidates, options: GeneticOptions, carried: Genes | None) -> None:
        self.space = space
        self.options = options
        self.limit = space.problem.max_clique
        self.history: list[Step] = []
        self._seen: dict[bytes, int] = {}
        self._numbers = np.empty((1024, 3), np.int64)  # of those seen, with room for more
        size = len(space.problem.variables) * len(space.problem.dags)
        self._few = max(_AT_ONCE * space.run.thread_count // size, 16)
        self._draws = Draws(space.run.seed)
        self._restraint = 1.0
        self._may_stop = False
        nothing = space.repaired(np.zeros((1, space.count), np.bool_))
        self.best = self._start = self.evaluated(nothing)  # within the limit, whatever comes
        self.starts = Population.none(space.count)
        if carried is not None:
            self.add_start(self.evaluated(carried[None]), among_the_first=options.starts == "every-limit")

    def run(self) -> str:
        """Evolves until the generations or the time are used up; says which."""
        stopped_by = self.start_greedily()
        self._start = self.best
        self._may_stop = True
        if stopped_by != "finished" or self.space.count < 2:
            self.record(0, self.starts)
            return stopped_by
        starts = self.starts.take(self.ranking(self.starts)[: self.options.population])
        bits = self._draws.bits((self.options.population - len(starts), self.space.count))
        first = kept(first_probabilities(self.space, self.options.first), bits)
        population = starts.joined(self.evaluated(self.space.repaired(first)))
        champion = self.note_best(population, self.best)
        self.record(0, population)
        for generation in range(1, self.options.generations + 1):
            if self.space.run.clock.is_out:
                return "time limit"
            population, champion = self.next_generation(population, champion)
            champion = self.note_best(population, champion)
            self.record(generation, population)
        return "finished"

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the result should know."""
        evolved = len(self.history) > 1
        if evolved and self.best.distance[0] == self._start.distance[0]:
            return ("The genetic search found nothing closer than what it started from.",)
        return ()

    def start_greedily(self) -> str:
        """Adds what the greedy search finds for the limit and for smaller ones; says what ended it."""
        limits = self.greedy_limits()
        for limit in limits:
            try:
                path = GreedyPath(self.space, limit, self.options.offer)
            except ConstraintError:  # the required arcs do not fit a smaller limit
                if limit == limits[-1]:
                    raise
                continue
            while path.goes_on():
                pass
            whole = self.options.starts == "every-limit" and path.is_whole
            self.add_start(best_of_path(path, self.evaluated) if whole else self.evaluated(path.end))
            if path.stopped_by != "finished" or (whole and path.kept_all):
                return path.stopped_by
        return "finished"

    def greedy_limits(self) -> list[int]:
        """The limits for which the greedy search makes starts."""
        if self.options.starts == "last-two":
            return [self.limit] if self.limit == 2 or self.space.fixed is not None else [self.limit, self.limit - 1]
        last = min(self.limit, max(len(self.space.problem.variables), 2))  # no clique is larger
        if last <= _EVERY_LIMIT_TO:
            return list(range(2, last + 1))
        above = {_EVERY_LIMIT_TO + (last - _EVERY_LIMIT_TO) * i // _LIMITS_ABOVE for i in range(1, _LIMITS_ABOVE + 1)}
        return sorted({*range(2, _EVERY_LIMIT_TO + 1), *above})

    def add_start(self, start: Population, among_the_first: bool = True) -> None:
        """A chromosome to start from; the same one twice would only take a place."""
        self.best = self.better(start, self.best, within_limit=True)
        if among_the_first and not (self.starts.genes == start.genes).all(axis=1).any():
            self.starts = self.starts.joined(start)

    def next_generation(self, population: Population, champion: Population) -> tuple[Population, Population]:
        """The next population, and the champion after its offspring were seen."""
        best_first = self.ranking(population)
        best_of_last = population.take(best_first[:1])
        before = self.options.elites == "before-crossover"
        if before:
            population = champion.joined(best_of_last).joined(population.take(best_first[:-2]))
        offspring = self.evaluated(self.space.repaired(self.crossed(population)))
        if self.options.noted == "offspring":
            champion = self.note_best(offspring, champion)
        add, remove = mutation_rates(offspring.clique / self.limit, self.options.rates)
        if self.options.restraint == "by-share":
            self._restraint = restrained(self._restraint, offspring.clique, self.limit)
            add = add / self._restraint
        genes = mutated(offspring.genes, add, remove, self._draws.bits(offspring.genes.shape))
        population = self.evaluated(self.space.repaired(genes))
        if not before:
            best_first = self.ranking(population)
            population = champion.joined(best_of_last).joined(population.take(best_first[:-2]))
        return population, champion

    def crossed(self, population: Population) -> Genes:
        """Offspring of parents that won a tournament of two, by crossover at one point."""
        size = len(population)
        pairs = size if self.options.offspring == 1 else (size + 1) // 2
        chosen = winners(self.ranking(population), self._draws.below(size, (2, 2 * pairs)))
        points = self._draws.below(population.genes.shape[1] - 1, (pairs, 1))
        mothers, fathers = population.genes[chosen[:pairs]], population.genes[chosen[pairs:]]
        return crossed(mothers, fathers, points, self.options.offspring)[:size]

    def evaluated(self, genes: Genes) -> Population:
        """A population of these chromosomes; one seen before is not evaluated again."""
        packed = np.packbits(genes, axis=1)
        width, data = packed.shape[1], packed.tobytes()
        keys = [data[start : start + width] for start in range(0, len(data), width)]
        fresh = {key: i for i, key in enumerate(keys) if key not in self._seen}
        if fresh:
            start, stop = len(self._seen), len(self._seen) + len(fresh)
            if stop > len(self._numbers):
                self._numbers = np.resize(self._numbers, (2 * stop, 3))
            self._numbers[start:stop] = self.numbers_of(genes[list(fresh.values())])
            self._seen.update(zip(fresh, range(start, stop), strict=True))
        return Population(genes, self._numbers[[self._seen[key] for key in keys]])

    def numbers_of(self, genes: Genes) -> npt.NDArray[np.int64]:
        """What the kernel says of these chromosomes, a few at a time, with a look at the clock between."""
        parts = []
        for start in range(0, len(genes), self._few):
            if self._may_stop and self.space.run.clock.is_out:
                raise _TimeIsUp
            parts.append(self.space.evaluate(genes[start : start + self._few]).numbers)
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def penalised(self, population: Population) -> npt.NDArray[np.int64]:
        """The objective, up to a constant factor: the distance, times clique / limit when over it."""
        return population.distance * np.maximum(population.clique, self.limit)

    def ranking(self, population: Population) -> npt.NDArray[np.int64]:
        """Places from best to worst: by objective, then by directed support."""
        return ranking(self.penalised(population), population.support)

    def note_best(self, population: Population, champion: Population) -> Population:
        """Keeps the best within the limit; gives the champion, which may be over it if the options say so."""
        self.best = self.better(population, self.best, within_limit=True)
        return self.better(population, champion) if self.options.champion == "all" else self.best

    def better(self, population: Population, than: Population, within_limit: bool = False) -> Population:
        """The best member of a population if none in `than`, which has one member, is better."""
        if within_limit:
            best = population.best(self.limit)
            return best if len(best) and best.value >= than.value else than
        pair = population.take(self.ranking(population)[:1]).joined(than)
        return pair.take(self.ranking(pair)[:1])

    def record(self, generation: int, population: Population) -> None:
        problem = self.space.problem
        distance, clique = problem.mean(int(self.best.distance[0])), int(self.best.clique[0])
        mean = problem.mean(float(self.penalised(population).mean()) / self.limit)
        self.history.append(Step(generation, distance, clique, mean, len(self._seen)))
        self.space.run.report(generation, self.options.generations, distance, clique)
