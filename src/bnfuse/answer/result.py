"""A consensus and everything known about it: its distance, its proof, its support and its tables."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from bnfuse._base import display
from bnfuse._base.options import option_name
from bnfuse._base.public import public
from bnfuse._base.rows import Table
from bnfuse._base.texts import listed, relative_gap, shown_number
from bnfuse.answer.asked import Asked
from bnfuse.answer.compared import ArcSupport, Compared
from bnfuse.answer.provenance import Origin
from bnfuse.answer.question import Options
from bnfuse.answer.reasons.why_in import WhyIn, reasons_for
from bnfuse.errors import GraphError, MismatchError, OptionError, TooLargeError
from bnfuse.fusion.cliques import clique_size, inference_cost, table_orders
from bnfuse.fusion.weights import Weights, exact_weights
from bnfuse.graphs.dag import DAG
from bnfuse.graphs.equivalence import reversible_arcs
from bnfuse.graphs.network import Network, with_states
from bnfuse.inference.experts.judgements import INPUT_CASES
from bnfuse.problem.constraints import Arc
from bnfuse.problem.problem import Problem
from bnfuse.problem.strength import Strengths
from bnfuse.search.bounds import problem_bound
from bnfuse.search.direct import DirectOptions, direct
from bnfuse.search.majority import MajorityOptions, majority
from bnfuse.search.outcome import Found, Step, distances_to_inputs, is_within, mean_distance, proving_order, table_along
from bnfuse.search.proof.proof import Proof
from bnfuse.search.run import Run

if TYPE_CHECKING:
    from bnfuse.data.data import DataLike
    from bnfuse.inference.experts.judgements import Judgements
    from bnfuse.inference.parameters import EMProgress, Fitted

_SECONDS_IF_ANY = 10.0
# Values that are computed on demand and do not depend on tables.
_OF_STRUCTURE = ("distance", "distances", "lower_bound", "reversible", "why_in", "if_any", "decided", "_disputed")
_NAMED = 3
_LINES = 5


@dataclass(frozen=True, slots=True)
class FrontierPoint:
    """The best network for one limit: a few numbers and, if it is known, the result itself."""

    max_clique: int
    distance: float
    lower_bound: float | None
    arcs: int
    clique_size: int
    tables: int
    """numbers in the clique tables of a junction tree: the cost of inference"""
    max_table: int | None = None
    """the limit on the largest of them, if there is one"""
    result: Consensus | None = field(default=None, compare=False)
    """None in files of older versions"""

    @classmethod
    def of(cls, result: Consensus) -> FrontierPoint:
        """One result of `frontier`."""
        return cls(
            result.problem.max_clique,
            result.distance,
            result.lower_bound,
            len(result.dag.arc_numbers),
            result.clique_size,
            inference_cost(result.network if result.parameters else result.structure).total,
            result.problem.max_table,
            result,
        )

    @property
    def numbers(self) -> dict[str, int | float | None]:
        """Everything except the result."""
        return {one.name: getattr(self, one.name) for one in fields(self) if one.name != "result"}

    def changed(self, change: Callable[[Consensus], Consensus]) -> FrontierPoint:
        """The same point with a result about which more is known."""
        return self if self.result is None else replace(self, result=change(self.result))


@public
@dataclass(frozen=True, eq=False)
class Consensus(Asked):
    """A consensus network within the clique limit, and the evidence for it: the result of `bnfuse.consensus`.

    The network is `dag`, or `network` with its tables. `distance`, `distances`, `lower_bound` and `gap` say how good it
    is, `clique_size` and `elimination_order` prove that it is tractable; `support()`, `why_in`, `why(...)` and
    `compared()` show who agrees and why each arc is included. `fit`, `pool`, `report` and `save` continue from there.

    Two results are equal when they answer the same question with the same network, tables, history and notes; the time
    and speed of the search make no difference.

    Attributes
    ----------
    problem, options, seed
        The question, the options of the method, and the seed: the same three give the same network.
    found
        The result of the search.
    seconds
        How long it took.
    notes
        Notes for the user, one sentence each.
    parameters
        The result of `fit` or `pool`; None if neither was called.
    origin
        Files, command, version and time, if known.
    frontier
        The best networks for other limits, if they were requested.
    proof
        The result of `prove=True` beyond the bound that every result has; None if it was not requested or not needed.

    Examples
    --------
    >>> import bnfuse
    >>> networks = [
    ...     bnfuse.DAG(["Smoker", "Cancer", "Cough"], [("Smoker", "Cancer"), ("Cancer", "Cough")]),
    ...     bnfuse.DAG(["Smoker", "Cancer", "Cough"], [("Smoker", "Cancer"), ("Smoker", "Cough")]),
    ...     bnfuse.DAG(["Smoker", "Cancer", "Cough"], [("Smoker", "Cancer")]),
    ... ]
    >>> result = bnfuse.consensus(networks, max_clique=2)
    >>> result.dag.edges, result.clique_size
    ((('Smoker', 'Cancer'),), 2)
    >>> result.distances, result.gap
    ((1, 1, 0), 0.0)
    """

    problem: Problem
    options: Options
    found: Found
    seed: int = 0
    seconds: float = 0.0
    notes: tuple[str, ...] = ()
    parameters: Fitted | None = None
    """the result of `fit` or `pool`; None if neither was called"""
    origin: Origin | None = None
    """files, command, version and time, if known"""
    frontier: tuple[FrontierPoint, ...] = ()
    """the best networks for other limits, if they were requested"""
    proof: Proof | None = None
    """the result of a requested proof, if it goes beyond the bound that every result has"""

    # Results of the search

    @property
    def dag(self) -> DAG:
        """The structure."""
        return self.found.dag

    @property
    def method(self) -> str:
        """The method that found it."""
        return self.found.method

    @property
    def elimination_order(self) -> tuple[str, ...]:
        """Elimination in this order makes no clique larger than `clique_size`: the proof of tractability."""
        return self.found.elimination_order

    @property
    def clique_size(self) -> int:
        """The size of the largest clique after triangulation along `elimination_order`."""
        return self.found.clique_size

    @cached_property
    def largest_table(self) -> int | None:
        """The numbers in the largest clique table along `elimination_order`; None if states are not known."""
        try:
            return table_along(self.problem, self.dag, self.elimination_order)
        except OptionError:
            return None

    @property
    def pruned(self) -> tuple[DAG, ...] | None:
        """The inputs without their pruned arcs, whose fusion is the consensus; None for methods that do not prune."""
        return self.found.pruned

    @property
    def history(self) -> tuple[Step, ...]:
        """The progress of the search."""
        return self.found.history

    @property
    def stopped_by(self) -> str:
        """`finished`, `time limit` or `interrupted`."""
        return self.found.stopped_by

    @property
    def of_resamples(self) -> bool:
        """Whether every input is a network learned from a resample of data, so that none represents a person's view."""
        return self.problem.tally.is_of_resamples

    @property
    def inputs(self) -> tuple[Network, ...]:
        """The input networks that have tables, or are Gaussian."""
        return tuple(one for one in self.problem.inputs.networks if one is not None)

    # Quality

    @cached_property
    def lower_bound(self) -> float | None:
        """A proven bound: no network within the limit has a smaller mean distance. None for FSim."""
        if self.problem.metric == "fsim":
            return None
        return self.problem.mean(problem_bound(self.problem) if self.proof is None else self.proof.bound)

    @property
    def gap(self) -> float | None:
        """The gap between the distance and `lower_bound`, as a share of the bound: 0 is proven optimal.

        So the distance is at most this share above the best possible. None without a bound, and if the bound is 0 and
        not reached: then the distance itself is the gap.
        """
        return relative_gap(self.distance, self.lower_bound)

    @cached_property
    def distances(self) -> tuple[float, ...]:
        """The distance of the consensus to each input.

        Raises
        ------
        OptionError
            Only a tally is known, which has no individual inputs.
        """
        if not self.problem.inputs.input_votes:
            raise OptionError("the distance to each input needs the inputs themselves; a tally has only counts")
        return tuple(distances_to_inputs(self.problem, self.dag))

    @cached_property
    def distance(self) -> float:
        """The mean distance to the inputs, by weight; with target="fused", the distance to the full fusion."""
        return mean_distance(self.problem, self.dag)

    @cached_property
    def strengths(self) -> Strengths:
        """How strong arcs are among the inputs, and the strength above which they count."""
        return Strengths(self.problem.tally, len(self.problem.names) or None)

    @cached_property
    def arcs(self) -> Table[ArcSupport]:
        """The arcs of the consensus with the inputs that have them: the result of `support()`."""
        return self.support()

    def support(self) -> Table[ArcSupport]:
        """For each arc of the consensus, the inputs that have it, and in which direction.

        Returns
        -------
        Table of ArcSupport
            In the order of `dag.edges`. `to_pandas()` and `to_polars()` make a DataFrame of it.

        Examples
        --------
        >>> import bnfuse
        >>> one, two = bnfuse.DAG(["A", "B"], [("A", "B")]), bnfuse.DAG(["A", "B"], [("B", "A")])
        >>> arc = bnfuse.consensus([one, one, two]).support()[0]
        >>> arc.arc, round(arc.share, 2), arc.reversed_inputs
        (('A', 'B'), 0.67, ('3',))
        >>> list(bnfuse.consensus([one, one, two]).arcs.to_pandas()["inputs"])
        [['1', '2']]
        """
        tally = self.problem.tally
        reversible = frozenset(self.reversible)
        inputs = self.problem.inputs
        having = {name: one.arcs for name, one in zip(inputs.names, inputs.input_votes, strict=True)}
        seeing = {name: frozenset(own) for name, own in zip(inputs.names, inputs.sees, strict=False)}
        voting = tally.seen
        return Table(
            ArcSupport(
                (source, target),
                float(tally.arcs[a, b] / max(voting[a, b], 1)),  # a required arc may be in no input
                float(tally.arcs[b, a] / max(voting[a, b], 1)),
                tuple(name for name, arcs in having.items() if (source, target) in arcs),
                tuple(name for name, arcs in having.items() if (target, source) in arcs),
                (source, target) in reversible,
                float(voting[a, b] / tally.weight),
                tuple(name for name, own in seeing.items() if not own.issuperset((source, target))),
            )
            for (source, target), (a, b) in zip(self.dag.edges, self.dag.arc_numbers.tolist(), strict=True)
        )

    @cached_property
    def why_in(self) -> tuple[WhyIn, ...]:
        """Why each arc of the consensus is included: its value, and the reason for its direction."""
        return reasons_for(self.problem, self.dag, self.elimination_order)

    def why(self, source: str, target: str) -> WhyIn:
        """Why one arc of the consensus is included.

        Parameters
        ----------
        source, target
            Its ends.

        Returns
        -------
        WhyIn
            The cost of dropping it, and the reason for its direction.

        Raises
        ------
        GraphError
            The consensus has no such arc.

        Examples
        --------
        >>> import bnfuse
        >>> result = bnfuse.consensus([bnfuse.DAG.from_edges([("A", "B")])])
        >>> result.why("A", "B").cost
        1.0
        """
        for one in self.why_in:
            if one.arc == (source, target):
                return one
        raise GraphError(f"the consensus has no arc {source} -> {target}")

    # Directions

    @cached_property
    def reversible(self) -> tuple[Arc, ...]:
        """The arcs whose direction is free: an equivalent network has them reversed."""
        return reversible_arcs(self.dag)

    @property
    def unjudged(self) -> tuple[tuple[str, str], ...]:
        """The pairs of variables that no input has together: the consensus joins them only on request."""
        return self.problem.inputs.unjudged

    @property
    def unseen(self) -> tuple[Arc, ...]:
        """The arcs that no input has in that direction."""
        counts = self.problem.tally.arcs
        return self._arcs_where(lambda a, b: not counts[a, b])

    @property
    def outvoted(self) -> tuple[Arc, ...]:
        """The arcs that more inputs, by weight, have reversed than in this direction."""
        counts, left_open = self.problem.tally.arcs, self.problem.tally.left_open
        return self._arcs_where(lambda a, b: counts[a, b] < counts[b, a] and not left_open[a, b])

    def _arcs_where(self, is_chosen: Callable[[int, int], bool]) -> tuple[Arc, ...]:
        numbered = zip(self.dag.edges, self.dag.arc_numbers.tolist(), strict=True)
        return tuple(arc for arc, (source, target) in numbered if is_chosen(source, target))

    @cached_property
    def if_any(self) -> Self | None:
        """The result if arcs could have any direction, which shows the cost of the rule on directions.

        A quick search continues from this network, takes a few seconds at most, and never ends farther away; a vote is
        counted again. None without such a rule, and for the paper's searches.
        """
        if not self.problem.constraints.has_rule:
            return None
        problem = replace(self.problem, constraints=replace(self.problem.constraints, directions="any"))
        if isinstance(self.options, MajorityOptions):
            return type(self)(problem, self.options, majority(problem, options=self.options), self.seed)
        if not isinstance(self.options, DirectOptions):
            return None
        run, options = Run(self.seed, time_limit=_SECONDS_IF_ANY), DirectOptions("quick")
        return type(self)(problem, options, direct(problem, run, options, self.dag), self.seed)

    def compared(self) -> Table[Compared]:
        """The consensus compared with other networks in its place.

        These are the majority vote, which is what people use today, each input unless it is a resample, the full fusion
        and the empty network.

        Returns
        -------
        Table of Compared
            The consensus first. `to_pandas()` and `to_polars()` make a DataFrame of it.

        Examples
        --------
        >>> import bnfuse
        >>> one, two = bnfuse.DAG(["A", "B"], [("A", "B")]), bnfuse.DAG(["A", "B"])
        >>> for row in bnfuse.consensus([one, one, two]).compared():
        ...     print(row.name, round(row.distance, 2))
        consensus 0.33
        majority vote 0.33
        1 0.33
        2 0.33
        3 0.67
        full fusion 0.33
        no arcs 0.67
        """
        problem = self.problem
        inputs = problem.inputs
        others = [("majority vote", majority(problem).dag), *(() if self.of_resamples else inputs.structures)]
        if inputs.has_fusion:
            others.append(("full fusion", problem.fusion.dag))
        others.append(("no arcs", DAG(problem.variables)))
        mine = Compared("consensus", self.distance, clique_size(self.dag), len(self.dag.arc_numbers))
        rest = (
            Compared(name, mean_distance(problem, dag), clique_size(dag), len(dag.arc_numbers), self._ties(dag))
            for name, dag in others
        )
        return Table((mine, *rest))

    def _ties(self, other: DAG) -> bool:
        problem = self.problem
        if other == self.dag or mean_distance(problem, other) != self.distance:
            return False
        keeps = problem.constraints.broken_by(other, problem.tally) is None
        return keeps and is_within(problem, other, proving_order(problem, other))

    # Tables

    @property
    def states(self) -> dict[str, tuple[str, ...]] | None:
        """The states of the variables: those of the tables, or those on which the inputs agree; None without any."""
        if self.parameters is not None and self.parameters.network.states is not None:
            return dict(self.parameters.network.states)
        return self.problem.inputs.states or None

    def fit(
        self,
        data: DataLike,
        prior: float | None = None,
        progress: EMProgress | None = None,
        *,
        gaussian: bool | None = None,
        na: Iterable[str] | None = None,
        weights: str | None = None,
        judgements: Judgements = (),
    ) -> Self:
        """The consensus with parameters from data.

        The networks of its frontier get parameters too, unless values are missing: expectation maximisation for each of
        them takes too long.

        Parameters
        ----------
        data
            A CSV or Parquet file, a DataFrame, Data or NumericData.
        prior
            The equivalent sample size of a uniform prior: that many rows, spread evenly over each table, are added to
            the counts; by default 1. For a Gaussian network, these are rows in which the variables are independent; by
            default 0.
        progress
            Called with the number of an iteration of expectation maximisation and its log-likelihood.
        gaussian
            Whether to fit a `GaussianNetwork`; by default if the data are NumericData, or if the inputs have parameters
            and are Gaussian networks.
        na
            The labels that mean a missing value, instead of NA, N/A, NaN, NULL, ? and the like; an empty cell is always
            missing.
        weights
            The column of a table with the number of rows that each row represents.
        judgements
            Experts' judgements of rows of the tables. Each adds its cases to the counts of its row. A judgement that
            fits no row of the consensus changes nothing, and a note gives the reason.

        Returns
        -------
        Consensus
            The same consensus with `parameters`, and tables in its `network`.

        Raises
        ------
        MismatchError
            The data lack a variable, or have states that the inputs lack.
        FileError
            The file cannot be read.
        TooLargeError
            A table would take too much memory.

        Examples
        --------
        >>> import bnfuse
        >>> coin = bnfuse.Network(bnfuse.DAG(["Coin"]), {"Coin": ("heads", "tails")}, {"Coin": [0.5, 0.5]})
        >>> result = bnfuse.consensus([bnfuse.DAG(["Coin"])]).fit(coin.sample(200))
        >>> result.network
        <Network 'consensus': 1 variables, 0 arcs, tables>
        """
        from bnfuse.inference.gaussian.either import fit  # noqa: PLC0415 - inference takes long to import

        known = self.problem.inputs.states or None
        more: dict[str, Any] = {"na": na, "weights": weights, "judgements": judgements}
        kind: dict[str, Any] = {"networks": self.inputs, "gaussian": gaussian}
        with_tables = fit(self.dag, data, states=known, prior=prior, progress=progress, **kind, **more)
        fitted = self.with_parameters(with_tables)
        assert fitted.parameters is not None
        if fitted.parameters.log_likelihoods:
            return fitted
        return fitted._with_frontier(lambda one: one.fit(data, prior, gaussian=gaussian, **more))

    def pool(
        self, weights: Weights | None = None, *, judgements: Judgements = (), input_cases: float = INPUT_CASES
    ) -> Self:
        """The consensus with the parameters closest to the mixture of its inputs.

        Inputs without tables take no part; a note names them.

        Parameters
        ----------
        weights
            A number for each input, or a mapping from names; by default those of the search.
        judgements
            Experts' judgements of rows of the tables. The cases of each are added to those of the inputs for its row. A
            judgement that fits no row of the consensus changes nothing, and a note gives the reason.
        input_cases
            The number of cases that an input of weight 1 counts as, compared with a judgement. They are spread over the
            rows of each table in proportion to their probability in the input.

        Returns
        -------
        Consensus
            The same consensus with `parameters`, and tables in its `network`.

        Raises
        ------
        OptionError
            No input has tables, or none that has tables has a weight above 0.
        MismatchError
            Their states differ.
        TooLargeError
            A table would take too much memory.

        Examples
        --------
        >>> import bnfuse
        >>> fair, biased = (
        ...     bnfuse.Network(bnfuse.DAG(["Coin"]), {"Coin": ("heads", "tails")}, {"Coin": [heads, 1 - heads]})
        ...     for heads in (0.5, 1.0)
        ... )
        >>> result = bnfuse.consensus([fair, biased])
        >>> result.pool().network.query("Coin")["heads"]
        0.75
        >>> said = bnfuse.RowJudgement("Coin", {}, {"heads": 0.25, "tails": 0.75}, cases=200)
        >>> result.pool(judgements=[said]).network.query("Coin")["heads"]
        0.5
        """
        from bnfuse.inference.gaussian.either import pool  # noqa: PLC0415 - as above

        inputs = self.problem.inputs
        if not self.inputs:
            raise OptionError(
                "pooling needs input networks with tables, which a saved consensus no longer has; fit the consensus to "
                "data instead"
            )
        counted = inputs.exact_weights if weights is None else exact_weights(weights, inputs.names)
        own = [weight for weight, one in zip(counted, inputs.networks, strict=True) if one is not None]
        said: dict[str, Any] = {"judgements": judgements, "input_cases": input_cases}
        pooled = pool(self.dag, self.inputs, own, **said)
        if bare := inputs.without_tables:
            note = f"{listed(bare)} {'has' if len(bare) == 1 else 'have'} no tables and took no part in the pooling"
            pooled = replace(pooled, notes=(*pooled.notes, note))
        return self.with_parameters(pooled)._with_frontier(lambda one: one.pool(weights, **said))

    def _with_frontier(self, tables_for: Callable[[Consensus], Consensus]) -> Self:
        """The same consensus, with tables for the networks of the frontier if they can have any."""

        def tabled(one: Consensus) -> Consensus:
            try:
                return tables_for(one)
            except (TooLargeError, MismatchError) as error:
                return replace(one, notes=(*one.notes, f"there are no tables: {error}"))

        return replace(self, frontier=tuple(point.changed(tabled) for point in self.frontier))

    def with_parameters(self, parameters: Fitted) -> Self:
        """The same result with tables from elsewhere, such as a federation.

        Parameters
        ----------
        parameters
            A network with the structure of the consensus, and the origin of its tables.

        Returns
        -------
        Consensus
            The same consensus with `parameters`.

        Examples
        --------
        >>> import bnfuse
        >>> from bnfuse.inference.parameters import Fitted
        >>> found = bnfuse.consensus([bnfuse.DAG(["A", "B"], [("A", "B")])], max_clique=2)
        >>> states = {"A": ["yes", "no"], "B": ["yes", "no"]}
        >>> tables = {"A": [0.2, 0.8], "B": [[0.9, 0.1], [0.3, 0.7]]}
        >>> network = bnfuse.Network(found.dag, states, tables)
        >>> round(float(found.with_parameters(Fitted(network)).network.query("B")["yes"]), 2)
        0.42
        """
        network = parameters.network.renamed("consensus")
        named = replace(parameters, network=network, notes=(*parameters.notes, *self._over_table(network)))
        before = () if self.parameters is None else self.parameters.notes
        notes = tuple(note for note in self.notes if note not in before)
        made = replace(self, parameters=named, notes=(*notes, *named.notes))
        vars(made).update((name, known) for name, known in vars(self).items() if name in _OF_STRUCTURE)
        return made

    def _over_table(self, network: Network) -> tuple[str, ...]:
        """A note if the data have more states than the limit on tables assumed."""
        most, states = self.problem.max_table, network.states
        if most is None or states is None:
            return ()
        sizes = [len(states[name]) for name in self.dag.variables]
        table = table_orders(self.dag, sizes, self.elimination_order)[0].table
        if table <= most:
            return ()
        return (
            f"with the states of the data, the largest clique table has {shown_number(table)} numbers, over the "
            f"limit of {most:,}, which was applied to the given states",
        )

    @cached_property
    def network(self) -> Network:
        """The consensus as a network, with fitted or pooled parameters.

        If neither was requested, parameters are pooled from the inputs that have them. If none does, or if pooling is
        not possible, it is the structure with the inputs' states, or with two states for variables whose states are not
        known.
        """
        alone = replace(self, frontier=()) if self.frontier else self  # whose tables take time too
        whole = alone.finished.parameters.network if alone.finished.parameters else self.structure
        return whole.marked("consensus")

    @cached_property
    def finished(self) -> Self:
        """The consensus with parameters if it can have any without data; its notes say which and why."""
        if self.parameters is not None or not self.inputs:
            return self
        try:
            return self.pool()
        except (TooLargeError, MismatchError) as error:
            return replace(self, notes=(*self.notes, f"the tables were not pooled: {error}"))

    @property
    def structure(self) -> Network:
        """The consensus without tables; if states are known for some variables only, the others have two."""
        return with_states(self.dag, self.problem.inputs.assumed_states, "consensus")

    @property
    def steps_through_tables(self) -> bool:
        """Whether the limits of its frontier apply to clique tables rather than cliques."""
        tables = {point.max_table for point in self.frontier}
        is_one_of_many = len(tables) == 1 and (len(self.frontier) > 1 or self.problem.is_clique_limited)
        return not (None in tables or is_one_of_many)

    def with_frontier(self, results: Iterable[Consensus]) -> Self:
        """The same result together with those of `frontier`, for its report.

        Parameters
        ----------
        results
            Results for the same question with other limits.

        Returns
        -------
        Consensus
            The same consensus with `frontier`.

        Raises
        ------
        MismatchError
            They answer a different question.

        Examples
        --------
        >>> import bnfuse
        >>> triangle = bnfuse.DAG.from_edges([("A", "B"), ("A", "C"), ("B", "C")])
        >>> result = bnfuse.consensus([triangle]).with_frontier(bnfuse.frontier([triangle]))
        >>> [point.max_clique for point in result.frontier]
        [2, 3]
        """
        return replace(self, frontier=tuple(FrontierPoint.of(self._same_question(result)) for result in results))

    def _same_question(self, other: Consensus) -> Consensus:
        """A result for the same question except the limits, with the inputs of this one."""
        asked = other.problem
        problem = replace(self.problem, max_clique=asked.max_clique, max_table=asked.max_table)
        if problem != asked:
            raise MismatchError(
                "the frontier answers a different question: it needs the inputs, metric, target, constraints and "
                f"{option_name('directions')} of the consensus"
            )
        return replace(other, problem=problem, frontier=(), origin=None)

    def noted(self, *notes: str) -> Self:
        """The same result, and those of its frontier, with notes before their own.

        Parameters
        ----------
        *notes
            One sentence each.

        Returns
        -------
        Consensus
            The same consensus with more notes.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.consensus([bnfuse.DAG.from_edges([("A", "B")])]).noted("A first draft.").notes[0]
        'A first draft.'
        """
        return replace(
            self,
            notes=(*notes, *self.notes),
            frontier=tuple(point.changed(lambda one: one.noted(*notes)) for point in self.frontier),
        )

    # Saving and reporting

    def save(self, path: str | os.PathLike[str], overwrite: bool = False) -> None:
        """Write everything except the tables of the inputs to a JSON file, which `Consensus.load` reads back.

        Parameters
        ----------
        path
            The file; .gz compresses it.
        overwrite
            Whether a file other than a saved consensus may be replaced.

        Raises
        ------
        FileError
            The file cannot be written, or exists and may not be replaced.

        Examples
        --------
        >>> import bnfuse
        >>> result = bnfuse.consensus([bnfuse.DAG.from_edges([("A", "B")])])
        >>> result.save("consensus.json")
        >>> bnfuse.Consensus.load("consensus.json") == result
        True
        """
        from bnfuse.answer.persistence import save  # noqa: PLC0415 - it builds results itself

        save(self, path, overwrite)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a file that `save` wrote.

        Parameters
        ----------
        path
            The file.

        Returns
        -------
        Consensus
            Equal to the one that was saved.

        Raises
        ------
        FileError
            The file cannot be read, or is not a saved consensus.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.consensus([bnfuse.DAG.from_edges([("A", "B")])]).save("consensus.json.gz")
        >>> bnfuse.Consensus.load("consensus.json.gz").dag.edges
        (('A', 'B'),)
        """
        from bnfuse.answer.persistence import load  # noqa: PLC0415

        return load(path, cls)

    def report(self, path: str | os.PathLike[str], overwrite: bool = False) -> None:
        """Write a report of this consensus as one self-contained HTML file.

        Parameters
        ----------
        path
            The file.
        overwrite
            Whether a file other than a report of bnfuse may be replaced.

        Raises
        ------
        FileError
            The file cannot be written, or exists and may not be replaced.

        Examples
        --------
        >>> import bnfuse
        >>> bnfuse.consensus([bnfuse.DAG.from_edges([("A", "B")])]).report("report.html")
        """
        from bnfuse.report.page.page import write_report  # noqa: PLC0415 - pictures are slow to load, and few need them

        write_report(self, path, overwrite)

    # Identity

    def _content(self) -> tuple[object, ...]:
        whole = self.finished
        networks = tuple(point.result and point.result._own_content() for point in whole.frontier)
        return *whole._own_content(), whole.frontier, networks

    def _own_content(self) -> tuple[object, ...]:
        asked = self.problem, self.of_resamples, self.options, self.seed
        return *asked, self.found, self.notes, self.parameters, self.proof

    def __eq__(self, other: object) -> bool:
        return self._content() == other._content() if isinstance(other, Consensus) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.problem, self.options, self.found, self.seed))

    def __str__(self) -> str:
        """The network, its distance, what is proven, and inputs that stand apart, in five lines at most."""
        from bnfuse.report.summary import Summary  # noqa: PLC0415 - it tells of results

        return "\n".join(Summary.of(self).lines_at_once[:_LINES])

    def __repr__(self) -> str:
        left_out = self.problem.inputs.left_out
        without = f", without {listed(left_out, _NAMED)}" if left_out else ""
        return (
            f"<{type(self).__name__}: {len(self.dag.arc_numbers)} arcs, largest clique {self.clique_size}, "
            f"{self.problem.metric} {self.distance:.4g}, {self.method}, {self.seconds:.2f} s{without}>"
        )

    def _repr_html_(self) -> str | None:
        return display.html(self)


@public
class Frontier(list[Consensus]):
    """The best network for each limit, smallest limit first; a list that is drawn in a notebook.

    Examples
    --------
    >>> import bnfuse
    >>> triangle = bnfuse.DAG.from_edges([("A", "B"), ("A", "C"), ("B", "C")])
    >>> [(result.clique_size, result.distance) for result in bnfuse.frontier([triangle])]
    [(2, 1.0), (3, 0.0)]
    """

    def _repr_html_(self) -> str | None:
        return display.html(self)
