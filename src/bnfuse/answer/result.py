"""A consensus and everything that is known about it: how close, how good, who has which arc, with which tables."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Self

from bnfuse._base import display
from bnfuse._base.options import option_name
from bnfuse._base.rows import Table
from bnfuse._base.texts import listed, relative_gap, shown_number
from bnfuse.answer.asked import Asked
from bnfuse.answer.compared import ArcSupport, Compared
from bnfuse.answer.provenance import Origin
from bnfuse.answer.question import Options
from bnfuse.answer.reasons.why_in import WhyIn, reasons_for
from bnfuse.data.data import DataLike
from bnfuse.errors import GraphError, MismatchError, OptionError, TooLargeError
from bnfuse.fusion.cliques import clique_size, inference_cost, table_orders
from bnfuse.fusion.weights import Weights, exact_weights
from bnfuse.graphs.dag import DAG
from bnfuse.graphs.equivalence import reversible_arcs
from bnfuse.graphs.network import Network, with_states
from bnfuse.inference.experts.judgements import INPUT_CASES, Judgements
from bnfuse.inference.gaussian.either import fit, pool
from bnfuse.inference.parameters import EMProgress, Fitted
from bnfuse.problem.constraints import Arc
from bnfuse.problem.problem import Problem
from bnfuse.problem.strength import Strengths
from bnfuse.search.bounds import problem_bound
from bnfuse.search.direct import DirectOptions, direct
from bnfuse.search.majority import MajorityOptions, majority
from bnfuse.search.outcome import Found, Step, distances_to_inputs, is_within, mean_distance, proving_order, table_along
from bnfuse.search.proof.proof import Proof
from bnfuse.search.run import Run

_SECONDS_IF_ANY = 10.0
# What is computed when somebody asks for it, and does not depend on tables.
_OF_STRUCTURE = ("distance", "distances", "lower_bound", "reversible", "why_in", "if_any", "decided", "_disputed")
_NAMED = 3
_LINES = 5


@dataclass(frozen=True, slots=True)
class FrontierPoint:
    """The best network for one limit: a few numbers, and where it is known the result itself."""

    max_clique: int
    distance: float
    lower_bound: float | None
    arcs: int
    clique_size: int
    tables: int
    """numbers in the clique tables of a junction tree: the cost of inference"""
    max_table: int | None = None
    """the limit on the largest of them, where there is one"""
    result: Consensus | None = field(default=None, compare=False)
    """None in what older versions saved"""

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
        """All but the result."""
        return {one.name: getattr(self, one.name) for one in fields(self) if one.name != "result"}

    def changed(self, change: Callable[[Consensus], Consensus]) -> FrontierPoint:
        """The same point with a result of which more is known."""
        return self if self.result is None else replace(self, result=change(self.result))


@dataclass(frozen=True, eq=False)
class Consensus(Asked):
    """A consensus network within the clique limit, and the evidence for it: what `bnfuse.consensus` gives.

    The network is `dag`, or `network` with its tables. `distance`, `distances`, `lower_bound` and `gap` say how good it
    is, `clique_size` and `elimination_order` prove that it is tractable; `support()`, `reasons`, `why(...)` and
    `compared()` say who agrees and why each arc is in. `fit`, `pool`, `report` and `save` go on from there.

    Two results are equal when they answer the same question with the same network, tables, history and notes; when and
    how fast they were found makes no difference.

    Attributes
    ----------
    problem, options, seed
        The question, the options of the method, and the seed: the same three give the same network.
    found
        What the search returned.
    seconds
        How long it took.
    notes
        What its owner should know, a sentence each.
    parameters
        What `fit` or `pool` gave; None where nothing was asked for.
    origin
        Files, command, version and time, where known.
    frontier
        The best networks for other limits, where they were asked for.
    proof
        What `prove=True` proved beyond the bound that every result has; None where it was not asked for, or not needed.

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
    """what `fit` or `pool` gave; None where nothing was asked for"""
    origin: Origin | None = None
    """files, command, version and time, where known"""
    frontier: tuple[FrontierPoint, ...] = ()
    """the best networks for other limits, where they were asked for"""
    proof: Proof | None = None
    """what a proof on request found, where it says more than the bound that every result has"""

    # What was found

    @property
    def dag(self) -> DAG:
        """The structure."""
        return self.found.dag

    @property
    def method(self) -> str:
        """What found it."""
        return self.found.method

    @property
    def elimination_order(self) -> tuple[str, ...]:
        """Eliminating in this order makes no clique larger than `clique_size`: the proof of tractability."""
        return self.found.elimination_order

    @property
    def clique_size(self) -> int:
        """The size of the largest clique after triangulation along `elimination_order`."""
        return self.found.clique_size

    @cached_property
    def largest_table(self) -> int | None:
        """The numbers in the largest clique table along `elimination_order`; None where states are not known."""
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
        """How the search went."""
        return self.found.history

    @property
    def stopped_by(self) -> str:
        """`finished`, `time limit` or `interrupted`."""
        return self.found.stopped_by

    @property
    def of_resamples(self) -> bool:
        """Whether every input is a network that was learned from a resample of data: none is anybody's own."""
        return self.problem.tally.is_of_resamples

    @property
    def inputs(self) -> tuple[Network, ...]:
        """The input networks that carry tables, or are Gaussian."""
        return tuple(one for one in self.problem.inputs.networks if one is not None)

    # How good it is

    @cached_property
    def lower_bound(self) -> float | None:
        """No network within the limit has a smaller mean distance: proven. None for FSim, which has no such bound."""
        if self.problem.metric == "fsim":
            return None
        return self.problem.mean(problem_bound(self.problem) if self.proof is None else self.proof.bound)

    @property
    def gap(self) -> float | None:
        """How far the distance is above `lower_bound`, as a share of it: 0 is proven optimal.

        So the distance is at most this share above the best possible. None without a bound, and where the bound is 0
        and not reached: then the distance itself says how far.
        """
        return relative_gap(self.distance, self.lower_bound)

    @cached_property
    def distances(self) -> tuple[float, ...]:
        """The distance of the consensus to each input.

        Raises
        ------
        OptionError
            Only a tally is known, which has no single inputs.
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
        """How strong arcs are among the inputs, and from which strength on they count."""
        return Strengths(self.problem.tally, len(self.problem.names) or None)

    @cached_property
    def arcs(self) -> Table[ArcSupport]:
        """The arcs of the consensus, with the inputs that have them: what `support()` gives."""
        return self.support()

    def support(self) -> Table[ArcSupport]:
        """For each arc of the consensus the inputs that have it, and in which direction.

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
                float(tally.arcs[a, b] / max(voting[a, b], 1)),  # of a required arc, maybe by nobody
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
        """For each arc of the consensus why it is in: what it is worth, and why it runs in this direction."""
        return reasons_for(self.problem, self.dag, self.elimination_order)

    def why(self, source: str, target: str) -> WhyIn:
        """Why one arc of the consensus is in.

        Parameters
        ----------
        source, target
            Its ends.

        Returns
        -------
        WhyIn
            What leaving it out would cost, and why it runs in this direction.

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

    # Which way its arcs run

    @cached_property
    def reversible(self) -> tuple[Arc, ...]:
        """The arcs whose direction is free: with them reversed, and others if need be, the network implies the same."""
        return reversible_arcs(self.dag)

    @property
    def unjudged(self) -> tuple[tuple[str, str], ...]:
        """The pairs of variables that no input has both of: the consensus joins none of them unless it is told to."""
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
        """What would be found if arcs could run any way: what the rule on directions costs.

        By a quick search from this network on, which takes a few seconds at most and never ends farther away; a vote is
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
        """The consensus beside others, each as if it were the consensus.

        These are the majority vote that people use today, each input unless it is a resample, the full fusion and the
        empty network.

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

        The networks of its frontier get theirs too, unless values are missing: expectation maximisation for each of
        them takes too long.

        Parameters
        ----------
        data
            A CSV or Parquet file, a DataFrame, Data or NumericData.
        prior
            The equivalent sample size of a uniform prior: that many rows, spread evenly over each table, are added to
            the counts; by default 1. Of a Gaussian network, rows in which the variables are independent; by default
            none.
        progress
            Called with the number of an iteration of expectation maximisation and its log-likelihood.
        gaussian
            Whether to fit a `GaussianNetwork`; by default where the data are NumericData, or where inputs have
            parameters and are Gaussian networks.
        na
            The labels that mean a missing value, instead of NA, N/A, NaN, NULL, ? and the like; an empty cell always
            does.
        weights
            The column of a table that says how many rows each row represents.
        judgements
            What experts say about rows of the tables. Each adds its cases to the counts of its row. One that is about
            no row of the consensus changes nothing, and a note says why.

        Returns
        -------
        Consensus
            The same with `parameters`, and tables in its `network`.

        Raises
        ------
        MismatchError
            The data lack a variable, or have states that the inputs do not know.
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
        """The consensus with the parameters that come closest to the mixture of its inputs.

        Inputs that carry no tables take no part; a note names them.

        Parameters
        ----------
        weights
            A number for each input, or a mapping from names; by default as they counted in the search.
        judgements
            What experts say about rows of the tables. Each counts as so many cases of its row, beside those of the
            inputs. One that is about no row of the consensus changes nothing, and a note says why.
        input_cases
            How many cases an input of weight 1 is worth beside a judgement. They are spread over the rows of each table
            by how probable each row is in the input.

        Returns
        -------
        Consensus
            The same with `parameters`, and tables in its `network`.

        Raises
        ------
        OptionError
            No input carries tables, or none of those that do has a weight above 0.
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
        """The same with tables for the networks of the frontier, where they can have any."""

        def tabled(one: Consensus) -> Consensus:
            try:
                return tables_for(one)
            except (TooLargeError, MismatchError) as error:
                return replace(one, notes=(*one.notes, f"there are no tables: {error}"))

        return replace(self, frontier=tuple(point.changed(tabled) for point in self.frontier))

    def with_parameters(self, parameters: Fitted) -> Self:
        """The same result with tables that come from elsewhere: from a federation, say.

        Parameters
        ----------
        parameters
            A network with the structure of the consensus, and how it came by its tables.

        Returns
        -------
        Consensus
            The same with `parameters`.

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
        """A note, where the data have more states than the limit on tables was told of."""
        most, states = self.problem.max_table, network.states
        if most is None or states is None:
            return ()
        sizes = [len(states[name]) for name in self.dag.variables]
        table = table_orders(self.dag, sizes, self.elimination_order)[0].table
        if table <= most:
            return ()
        return (
            f"by the states of the data the largest clique table has {shown_number(table)} numbers, over the limit of "
            f"{most:,}: it was kept for the states that were given",
        )

    @cached_property
    def network(self) -> Network:
        """The consensus as a network: with the parameters that were fitted or pooled.

        Where nothing was asked for, they are pooled from the inputs that carry tables. If none does, or if they cannot
        be pooled, it is the structure, with the inputs' states where they are known, and two where they are not.
        """
        alone = replace(self, frontier=()) if self.frontier else self  # whose tables take time too
        whole = alone.finished.parameters.network if alone.finished.parameters else self.structure
        return whole.marked("consensus")

    @cached_property
    def finished(self) -> Self:
        """The consensus with parameters where it can have any without data; its notes say which and why."""
        if self.parameters is not None or not self.inputs:
            return self
        try:
            return self.pool()
        except (TooLargeError, MismatchError) as error:
            return replace(self, notes=(*self.notes, f"the tables were not pooled: {error}"))

    @property
    def structure(self) -> Network:
        """The consensus without tables; a variable whose states are not known among others that are has two."""
        return with_states(self.dag, self.problem.inputs.assumed_states, "consensus")

    @property
    def steps_through_tables(self) -> bool:
        """Whether the limits of its frontier are those on clique tables, and not those on cliques."""
        tables = {point.max_table for point in self.frontier}
        is_one_of_many = len(tables) == 1 and (len(self.frontier) > 1 or self.problem.is_clique_limited)
        return not (None in tables or is_one_of_many)

    def with_frontier(self, results: Iterable[Consensus]) -> Self:
        """The same result beside those of `frontier`, for its report.

        Parameters
        ----------
        results
            Results that answer the same question but for its limits.

        Returns
        -------
        Consensus
            The same with `frontier`.

        Raises
        ------
        MismatchError
            They answer another question.

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
        """A result of the same question but for the limits, with the inputs of this one."""
        asked = other.problem
        problem = replace(self.problem, max_clique=asked.max_clique, max_table=asked.max_table)
        if problem != asked:
            raise MismatchError(
                "the frontier answers another question: it needs the inputs, metric, target, constraints and "
                f"{option_name('directions')} of the consensus"
            )
        return replace(other, problem=problem, frontier=(), origin=None)

    def noted(self, *notes: str) -> Self:
        """The same result, and those of its frontier, with notes before their own.

        Parameters
        ----------
        *notes
            A sentence each.

        Returns
        -------
        Consensus
            The same with more notes.

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

    # To keep and to show

    def save(self, path: str | os.PathLike[str], overwrite: bool = False) -> None:
        """Write all but the tables of the inputs to a file of JSON, which `Consensus.load` reads back.

        Parameters
        ----------
        path
            The file; .gz packs it.
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
        """Read what `save` wrote.

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
        """Write the story of this consensus as one self-contained HTML file.

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
        """The network, its distance, what is proven, who stands apart: five lines at most."""
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


class Frontier(list[Consensus]):
    """The best network for each limit, smallest limit first; a list that draws itself in a notebook.

    Examples
    --------
    >>> import bnfuse
    >>> triangle = bnfuse.DAG.from_edges([("A", "B"), ("A", "C"), ("B", "C")])
    >>> [(result.clique_size, result.distance) for result in bnfuse.frontier([triangle])]
    [(2, 1.0), (3, 0.0)]
    """

    def _repr_html_(self) -> str | None:
        return display.html(self)
