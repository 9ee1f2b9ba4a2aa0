"""The genetic search (the paper's Algorithm 1): chromosomes that keep or prune arcs, evolved from greedy solutions.

The loop and its operators are plain numpy; only the evaluation of a population is native. Values are compared as whole
numbers, and all randomness comes from one stream of raw words, so a seed means the same run everywhere.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from bnfuse._errors import OptionError
from bnfuse._options import check_options, choice, one_of, option, whole
from bnfuse.found import Found, Step
from bnfuse.problem import Problem
from bnfuse.run import Run
from bnfuse.search.candidates import KINDS, ORDERS, TRIANGULATIONS, Candidates, Genes, Population
from bnfuse.search.greedy import CANDIDATES_HELP, OFFERS, greedy_genes

_SOURCES = ("printed", "program")
_AT_ONCE = 4_000_000  # variables times inputs times chromosomes that a thread evaluates between two looks at the clock
_RESOLUTION = 2**32  # probabilities are compared with 32 random bits


@dataclass(frozen=True, slots=True)
class GeneticOptions:
    """How the genetic search works. Where the paper's text and its public program differ, both ways are here.

    - `order`: fuse every candidate under the order of the unpruned "inputs", or under that of the "candidate" itself.
    - `rates` of mutation, "printed" or "program", from x = clique / limit.
    - `first`: the probabilities with which a first chromosome keeps an arc, "printed" or "program".
    - `offer`: in which order the greedy start is offered arcs (see `GreedyOptions`).
    - `offspring` of a pair: 2 or 1.
    - `elites`, the best ever and the best of the last generation, replace the two worst "after-mutation", or are put
      in "before-crossover" and mutate with the others.
    - `champion`: the best ever is chosen among chromosomes "within-limit" only, or among "all".
    - `triangulation` that measures cliques: "min-fill" or "mcs".
    """

    candidates: str = option("shared", CANDIDATES_HELP, choice(KINDS))
    population: int = option(100, "Chromosomes.", whole(least=4))
    generations: int = option(100, "Generations.", whole(least=0))
    order: str = option("inputs", "Under whose order a candidate is fused: inputs or candidate.", choice(ORDERS))
    rates: str = option("program", "Rates of mutation: printed or program.", choice(_SOURCES))
    first: str = option("printed", "With which probabilities a first chromosome keeps arcs.", choice(_SOURCES))
    offer: str = option("frequency", "In which order greedy starts are offered arcs.", choice(OFFERS))
    offspring: int = option(1, "Offspring of a pair: 1 or 2.", whole(least=1, below=3))
    elites: str = option("before-crossover", "When the best come back.", choice(("after-mutation", "before-crossover")))
    champion: str = option("within-limit", "Among which the best ever is chosen.", choice(("within-limit", "all")))
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
    "paper": GeneticOptions(order="candidate", rates="printed", offspring=2, elites="after-mutation", champion="all"),
    "program": GeneticOptions(first="program", offer="in-turn", triangulation="mcs"),
}
"""`default` is what measured best; `paper` follows the printed text; `program` the authors' public program."""


def genetic(problem: Problem, run: Run | None = None, options: GeneticOptions | None = None) -> Found:
    """The genetic consensus. Never worse than its greedy start, never over the limit."""
    run, options = run or Run(), options or GeneticOptions()
    space = Candidates(problem, options.candidates, options.order, options.triangulation, run)
    search = _Search(space, options)
    try:
        stopped_by = search.run()
    except _TimeIsUp:
        stopped_by = "time limit"
        if not search.history:
            search.record(0, search.best)
    except KeyboardInterrupt:
        stopped_by = "interrupted"
    return search.space.found("genetic", search.best.genes[0], search.history, stopped_by)


class _TimeIsUp(Exception):  # noqa: N818 - no error
    """The clock ran out between two generations, or in the middle of one."""


class _Search:
    def __init__(self, space: Candidates, options: GeneticOptions) -> None:
        self.space = space
        self.options = options
        self.limit = space.problem.max_clique
        self.history: list[Step] = []
        self._seen: dict[bytes, int] = {}
        self._numbers = np.empty((1024, 3), np.int64)  # of those seen, with room for more
        self._draws = _Draws(space.run.seed)
        self._may_stop = False
        nothing = space.repaired(np.zeros((1, space.count), np.bool_))
        self.best = self.evaluated(nothing)  # within the limit, whatever comes

    def run(self) -> str:
        """Evolves until the generations or the time are used up; says which."""
        starts, stopped_by = self.greedy_starts()
        self.best = self.better(starts, self.best, within_limit=True)
        self._may_stop = True
        if stopped_by != "finished" or self.space.count < 2:
            self.record(0, starts)
            return stopped_by
        count = self.options.population - len(starts)
        population = starts.joined(
            self.evaluated(self.space.repaired(self._draws.kept(first_probabilities(self.space, self.options), count)))
        )
        champion = self.note_best(population, self.best)
        self.record(0, population)
        for generation in range(1, self.options.generations + 1):
            if self.space.run.clock.is_out:
                return "time limit"
            population = self.next_generation(population, champion)
            champion = self.note_best(population, champion)
            self.record(generation, population)
        return "finished"

    def greedy_starts(self) -> tuple[Population, str]:
        """The greedy solutions for the limit and, above 2, for the limit below it."""
        limits = [self.limit] if self.limit == 2 or self.space.fixed is not None else [self.limit, self.limit - 1]
        genes = []
        for limit in limits:
            kept, stopped_by = greedy_genes(self.space, limit, self.options.offer)
            genes.append(kept)
            if stopped_by != "finished":
                break
        return self.evaluated(np.array(genes)), stopped_by

    def next_generation(self, population: Population, champion: Population) -> Population:
        elites = champion.joined(population.take(self.ranking(population)[:1]))
        before = self.options.elites == "before-crossover"
        if before:
            population = self.replace_worst(population, elites)
        offspring = self.crossed(population)
        x = self.evaluated(offspring).clique / self.limit
        genes = self._draws.flipped(offspring, *mutation_rates(x, self.options.rates))
        mutated = self.evaluated(self.space.repaired(genes))
        return mutated if before else self.replace_worst(mutated, elites)

    def crossed(self, population: Population) -> Genes:
        """Offspring of parents that won a tournament of two, by crossover at one point."""
        size = len(population)
        pairs = size if self.options.offspring == 1 else (size + 1) // 2
        rank = np.empty(size, np.int64)
        rank[self.ranking(population)] = np.arange(size)
        rivals = self._draws.below(size, (2, 2 * pairs))
        winners = np.where(rank[rivals[0]] <= rank[rivals[1]], rivals[0], rivals[1])
        mothers: Genes = population.genes[winners[:pairs]]
        fathers: Genes = population.genes[winners[pairs:]]
        genes = population.genes.shape[1]
        from_mother = np.arange(genes, dtype=np.int32) <= self._draws.below(genes - 1, (pairs, 1)).astype(np.int32)
        swapped: Genes = (mothers ^ fathers) & ~from_mother
        if self.options.offspring == 1:
            return mothers ^ swapped
        return np.concatenate((mothers ^ swapped, fathers ^ swapped))[:size]

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
        problem, run = self.space.problem, self.space.run
        few = max(_AT_ONCE * run.thread_count // (len(problem.variables) * len(problem.dags)), 16)
        parts = []
        for start in range(0, len(genes), few):
            if self._may_stop and run.clock.is_out:
                raise _TimeIsUp
            parts.append(self.space.evaluate(genes[start : start + few]).numbers)
        return np.concatenate(parts)

    def penalised(self, population: Population) -> npt.NDArray[np.int64]:
        """The objective, up to a constant factor: the distance, times clique / limit when over it."""
        return population.distance * np.maximum(population.clique, self.limit)

    def ranking(self, population: Population) -> npt.NDArray[np.int64]:
        """Places from best to worst: by objective, then by directed support."""
        return np.lexsort((-population.support, self.penalised(population)))

    def note_best(self, population: Population, champion: Population) -> Population:
        """Keeps the best within the limit; gives the champion, which may be over it if the options say so."""
        self.best = self.better(population, self.best, within_limit=True)
        return self.better(population, champion) if self.options.champion == "all" else self.best

    def better(self, population: Population, than: Population, within_limit: bool = False) -> Population:
        """The best member of a population if none in `than`, which has one member, is better."""
        ranking = self.ranking(population)
        if within_limit:
            ranking = ranking[population.clique[ranking] <= self.limit]
        if not len(ranking):
            return than
        pair = population.take(ranking[:1]).joined(than)
        return pair.take(self.ranking(pair)[:1])

    def replace_worst(self, population: Population, elites: Population) -> Population:
        return elites.joined(population.take(self.ranking(population)[: len(population) - len(elites)]))

    def record(self, generation: int, population: Population) -> None:
        problem = self.space.problem
        distance, clique = problem.mean(int(self.best.distance[0])), int(self.best.clique[0])
        mean = problem.mean(float(self.penalised(population).mean()) / self.limit)
        self.history.append(Step(generation, distance, clique, mean, len(self._seen)))
        self.space.run.report(generation, self.options.generations, distance, clique)


def first_probabilities(space: Candidates, options: GeneticOptions) -> npt.NDArray[np.float64]:
    """With which probability a first chromosome keeps each arc: 1 / (1 - ln f), f its normalised frequency."""
    frequency = space.frequency.astype(np.float64)
    lowest, span = frequency.min(), np.ptp(frequency)
    if options.first == "program" and space.kind != "fused":
        return np.full(space.count, 0.5 if space.kind == "per-network" else 1.0)
    if span == 0:
        return np.full(space.count, 0.5)
    normalised = (frequency - lowest) / span
    if options.first == "program":
        unit = min(weight for weight in space.problem.weights if weight)
        normalised = np.maximum(normalised, 1 / (span / unit + 1))
    with np.errstate(divide="ignore"):
        probabilities: npt.NDArray[np.float64] = 1 / (1 - np.log(normalised))
    return probabilities


def mutation_rates(x: npt.NDArray[np.float64], rates: str) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """P(add) and P(remove) of an arc for chromosomes with x = clique / limit."""
    within = x <= 1
    over = np.maximum(x, 1)
    if rates == "printed":
        add_over, remove_within, remove_over = 0.01 / over, x / 10, np.log(over) / 3 + 0.01
    else:
        add_over, remove_within, remove_over = 0.01 / (over + 0.01), (x / 10) ** 2, np.log10(over) / 3 + 0.01
    add = np.where(within, ((x - 1) / 2) ** 2 + 0.01, add_over)
    return add, np.minimum(np.where(within, remove_within, remove_over), 1)


class _Draws:
    """Random numbers from raw 64-bit words, whose stream numpy promises to keep."""

    def __init__(self, seed: int) -> None:
        self._words = np.random.PCG64(seed)

    def bits(self, count: int) -> npt.NDArray[np.uint32]:
        words = np.asarray(self._words.random_raw((count + 1) // 2), "<u8")
        return words.view("<u4")[:count]

    def below(self, bound: int, shape: tuple[int, int]) -> npt.NDArray[np.int64]:
        """Uniform in 0..bound-1."""
        return (self.bits(math.prod(shape)).astype(np.int64) * bound // _RESOLUTION).reshape(shape)

    def kept(self, probabilities: npt.NDArray[np.float64], count: int) -> Genes:
        """Chromosomes that keep each arc with its own probability."""
        draws = self.bits(count * len(probabilities)).reshape(count, -1)
        return draws < probabilities * _RESOLUTION

    def flipped(self, genes: Genes, add: npt.NDArray[np.float64], remove: npt.NDArray[np.float64]) -> Genes:
        """Chromosomes after mutation: each arc that is out comes in, each that is in goes out, by its row's rates."""
        add_below, remove_below = (np.stack((add, remove))[..., None] * (_RESOLUTION - 1)).astype(np.uint32)
        draws = self.bits(genes.size).reshape(genes.shape)
        flips: Genes = (genes & (draws < remove_below)) | (~genes & (draws < add_below))
        return genes ^ flips
