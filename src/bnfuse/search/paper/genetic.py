"""The genetic search (the paper's Algorithm 1): chromosomes that keep or prune arcs, evolved from greedy solutions.

Its options, its start and its clock are here; selection, crossover, mutation and evaluation are the kernel's. Values
are compared as whole numbers, and all randomness comes from one stream of raw words, so a seed gives the same run
everywhere.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

import numpy as np

from bnfuse import _kernel
from bnfuse._base.options import MOST_STEPS, check_options, choice, one_of, option, refuse_unknown, whole
from bnfuse._base.public import public
from bnfuse.errors import ConstraintError
from bnfuse.problem.problem import Problem
from bnfuse.search.outcome import Found, Step
from bnfuse.search.paper.candidates import KINDS, ORDERS, TRIANGULATIONS, Candidates, Genes, Population
from bnfuse.search.paper.greedy import CANDIDATES_HELP, OFFERS, GreedyPath, best_of_path
from bnfuse.search.paper.rates import Draws, first_probabilities, kept, mutation_rates
from bnfuse.search.run import Run

_SOURCES = ("printed", "program")
_EVERY_LIMIT_TO = 9  # the most greedy starts; above, a selection of the limits
_LIMITS_ABOVE = 8  # that many, evenly spread
_MOST_POPULATION = 10**6


@public
@dataclass(frozen=True, slots=True)
class GeneticOptions:
    """The settings of the genetic search. Where the paper's text and its public program differ, both versions are here.

    Parameters
    ----------
    candidates
        The arcs that a chromosome keeps or prunes: "shared" (each distinct arc of the inputs), "per-network" (each arc
        of each input on its own) or "fused" (the arcs of the full fusion).
    population
        The number of chromosomes.
    generations
        The number of generations.
    order
        Fuse every candidate under the order of the unpruned "inputs", or under that of the "candidate" itself.
    rates
        The rates of mutation, "printed" or "program", from x = clique / limit.
    restraint
        "by-share" makes additions rarer from generation to generation while few of the offspring are within the limit,
        and uses the plain rates when most of them are; "none" leaves the rates alone.
    first
        The probabilities with which a first chromosome keeps an arc, "printed" or "program".
    offer
        The order in which the greedy start is offered arcs (see `GreedyOptions`).
    starts
        The best networks along the path of the greedy search for "every-limit" from 2 up, all of which are within the
        limit, or its last networks for the limit and the one below it ("last-two").
    offspring
        The offspring of a pair: 2 or 1.
    elites
        The best ever and the best of the last generation replace the two worst "after-mutation", or are put in
        "before-crossover" and mutate with the others.
    champion
        The best ever is chosen among chromosomes "within-limit" only, or among "all".
    noted
        The best ever is also chosen from the "offspring" before mutation, or from "generations" only.
    triangulation
        The triangulation that measures cliques: "min-fill" or "mcs".

    Raises
    ------
    OptionError
        A value is invalid.

    References
    ----------
    Torrijos, Gámez, Puerta, Aledo: Genetic Algorithms for Tractable Bayesian Network Fusion via Pre-Fusion Edge
    Pruning. GECCO 2025.

    Examples
    --------
    >>> import bnfuse
    >>> networks = [bnfuse.DAG.from_edges([("A", "B"), ("C", "B")]), bnfuse.DAG.from_edges([("A", "B"), ("B", "C")])]
    >>> options = bnfuse.GeneticOptions(population=20, generations=5)
    >>> bnfuse.consensus(networks, max_clique=3, method=options).distance
    0.5
    """

    candidates: Literal["shared", "per-network", "fused"] = option("shared", CANDIDATES_HELP, choice(KINDS))
    population: int = option(100, "Chromosomes.", whole(least=4, most=_MOST_POPULATION))
    generations: int = option(100, "Generations.", whole(least=0, most=MOST_STEPS))
    order: Literal["inputs", "candidate"] = option(
        "inputs", "The order under which a candidate is fused: that of the inputs or of the candidate.", choice(ORDERS)
    )
    rates: Literal["printed", "program"] = option("program", "Rates of mutation: printed or program.", choice(_SOURCES))
    restraint: Literal["by-share", "none"] = option(
        "by-share",
        "Whether arcs are added more rarely while few offspring are within the limit: by-share or none.",
        choice(("by-share", "none")),
    )
    first: Literal["printed", "program"] = option(
        "printed", "The probabilities with which a first chromosome keeps arcs: printed or program.", choice(_SOURCES)
    )
    offer: Literal["frequency", "in-turn"] = option(
        "frequency", "The order in which greedy starts are offered arcs: frequency or in-turn.", choice(OFFERS)
    )
    starts: Literal["every-limit", "last-two"] = option(
        "every-limit",
        "The limits for which greedy starts are made: every-limit or last-two.",
        choice(("every-limit", "last-two")),
    )
    offspring: Literal[1, 2] = option(1, "Offspring of a pair: 1 or 2.", whole(least=1, most=2))
    elites: Literal["after-mutation", "before-crossover"] = option(
        "before-crossover",
        "When the best chromosomes return: after-mutation or before-crossover.",
        choice(("after-mutation", "before-crossover")),
    )
    champion: Literal["within-limit", "all"] = option(
        "within-limit",
        "The chromosomes from which the best ever is chosen: within-limit or all.",
        choice(("within-limit", "all")),
    )
    noted: Literal["offspring", "generations"] = option(
        "offspring",
        "When the best ever is chosen: offspring (also before mutation) or generations.",
        choice(("offspring", "generations")),
    )
    triangulation: Literal["min-fill", "mcs"] = option(
        "min-fill", "The triangulation that measures cliques: min-fill or mcs.", choice(TRIANGULATIONS)
    )

    def __post_init__(self) -> None:
        check_options(self)

    @classmethod
    def from_preset(cls, preset: Literal["default", "paper", "program"] = "default", **changes: Any) -> GeneticOptions:
        """A named set of options, with changes.

        Parameters
        ----------
        preset
            "default" has the best measured results; "paper" follows the printed text; "program" follows the authors'
            public program.
        **changes
            Options with other values.

        Returns
        -------
        GeneticOptions
            All options.

        Raises
        ------
        OptionError
            There is no such preset or option.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.GeneticOptions.from_preset("paper", population=50).rates
        'printed'
        """
        base = PRESETS[one_of("preset", preset, PRESETS)]
        known = [field.name for field in fields(cls)]
        refuse_unknown(
            (name for name in changes if name not in known), known, f"the genetic search has {', '.join(known)}"
        )
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
"""`default` has the best measured results; `paper` follows the printed text; `program` the authors' public program."""


def genetic(
    problem: Problem, run: Run | None = None, options: GeneticOptions | None = None, carried: Found | None = None
) -> Found:
    """The genetic consensus: never worse than its greedy starts, and never over the limit.

    It is also never worse than the network `carried` over from the same search for a smaller limit. That network is the
    first champion and, if greedy solutions for every limit are starts, one of them.
    """
    run, options = run or Run(), options or GeneticOptions()
    space = Candidates(problem, options.candidates, options.order, options.triangulation, run)
    search = Search(space, options, None if carried is None else space.genes_of(carried))
    try:
        stopped_by = search.run()
    except TimeIsUp:
        stopped_by = "time limit"
        if not search.history:
            search.record(0, float(search.best.distance[0]))
    except KeyboardInterrupt:
        stopped_by = "interrupted"
    search.look()
    return search.space.found("genetic", search.best.genes[0], search.history, stopped_by, search.notes)


class TimeIsUp(Exception):  # noqa: N818 - no error
    """The clock ran out between two generations, or during one."""


class Search:
    """A run of the genetic search."""

    def __init__(self, space: Candidates, options: GeneticOptions, carried: Genes | None = None) -> None:
        self.space = space
        self.options = options
        self.limit = space.problem.max_clique
        self.history: list[Step] = []
        self.draws = Draws(space.run.seed)
        self._evolution = _evolution(space, options)
        self._may_stop = self._evolves = False
        nothing = space.repaired(np.zeros((1, space.count), np.bool_))
        self.best = self._start = self.evaluated(nothing)  # within the limit in every case
        self.starts = Population.none(space.count)
        if carried is not None:
            self.add_start(self.evaluated(carried[None]), among_the_first=options.starts == "every-limit")

    def run(self) -> str:
        """Evolve until the generations or the time are used up; return which."""
        stopped_by = self.start_greedily()
        self._start = self.best
        self._may_stop = True
        if stopped_by != "finished" or self.space.count < 2:
            self.record(0, float(self.starts.distance.mean()))
            return stopped_by
        best_first = np.lexsort((-self.starts.support, self.starts.distance))
        starts = self.starts.take(best_first[: self.options.population])
        bits = self.draws.bits((self.options.population - len(starts), self.space.count))
        first = kept(first_probabilities(self.space, self.options.first), bits)
        return self.evolve(np.concatenate((starts.genes, self.space.repaired(first))))

    def evolve(self, first: Genes) -> str:
        """The generations, from the first population on."""
        evolution, kernel, run = self._evolution, self.space.kernel, self.space.run
        genes, threads = first.view(np.uint8), run.thread_count
        if not evolution.start(kernel, self.best.genes.view(np.uint8), genes, threads, run.clock.left):
            raise TimeIsUp
        self._evolves = True
        self.record(0, evolution.mean_objective())
        for generation in range(1, self.options.generations + 1):
            if not evolution.next(kernel, self.draws.words(evolution.words()), threads, run.clock.left):
                return "time limit"
            self.record(generation, evolution.mean_objective())
        return "finished"

    @property
    def seen(self) -> int:
        """The number of different chromosomes that were evaluated."""
        return self._evolution.seen()

    def look(self) -> None:
        """Take over the best network of the generations so far."""
        if self._evolves:
            genes, numbers = self._evolution.best()
            self.best = Population(genes.view(np.bool_), numbers)

    @property
    def notes(self) -> tuple[str, ...]:
        """A note for readers of the result."""
        evolved = len(self.history) > 1
        if evolved and self.best.distance[0] == self._start.distance[0]:
            return ("The genetic search found no network closer than the one it started from.",)
        return ()

    def start_greedily(self) -> str:
        """Add the greedy results for the limit and for smaller ones; return the reason for the end."""
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
        """Add a chromosome to start from; a duplicate would only waste a place."""
        if start.clique[0] <= self.limit and start.value >= self.best.value:
            self.best = start
        if among_the_first and not (self.starts.genes == start.genes).all(axis=1).any():
            self.starts = self.starts.joined(start)

    def evaluated(self, genes: Genes) -> Population:
        """A population of these chromosomes; one seen before is not evaluated again."""
        run = self.space.run
        left = run.clock.left if self._may_stop else math.inf
        numbers = self._evolution.evaluate(self.space.kernel, genes.view(np.uint8), run.thread_count, left)
        if numbers is None:
            raise TimeIsUp
        return Population(genes, numbers)

    def record(self, generation: int, mean: float) -> None:
        """Record the progress of the search; `mean` is that of the objective over the population."""
        self.look()
        problem = self.space.problem
        distance, clique = problem.mean(int(self.best.distance[0])), int(self.best.clique[0])
        self.history.append(Step(generation, distance, clique, problem.mean(mean), self.seen))
        self.space.run.report(generation, self.options.generations, distance, clique)


def _evolution(space: Candidates, options: GeneticOptions) -> _kernel.Evolution:
    """A search before its first generation."""
    limit, most_parents = space.problem.max_clique, space.problem.constraints.max_parents
    cliques = np.arange(len(space.problem.variables) + 1)
    add, remove = mutation_rates(cliques / limit, options.rates)
    required, forbidden = (np.empty(0, np.bool_),) * 2 if space.fixed is None else space.fixed
    return _kernel.Evolution(
        genes=space.count,
        population=options.population,
        limit=limit,
        offspring=options.offspring,
        elites_first=options.elites == "before-crossover",
        champion_over_limit=options.champion == "all",
        note_offspring=options.noted == "offspring",
        restrained=options.restraint == "by-share",
        add=add,
        remove=remove,
        required=required.view(np.uint8),
        forbidden=forbidden.view(np.uint8),
        max_parents=-1 if most_parents is None else most_parents,
        offered=space.keep_first.astype(np.int32),
        target=np.ascontiguousarray(space.arcs[:, 2]),
    )
