"""Disputes: pairs of variables on which the inputs disagree, and the cost of deciding them differently.

The cost is that of the whole decision: the problem is solved again with it. The effect of a single move on the current
network, which `answer.reasons` computes, is only an upper bound on this cost.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from bnfuse._base.options import at_least
from bnfuse._base.public import public
from bnfuse._base.rows import Framed
from bnfuse.answer.disputes.forced import Forced, Watch, solved_again, with_arc, without_pair
from bnfuse.answer.disputes.pairs import Decision, Pair, disputed_pairs
from bnfuse.answer.result import Consensus
from bnfuse.errors import ConstraintError
from bnfuse.graphs.dag import DAG, refuse_many
from bnfuse.problem.constraints import Arc
from bnfuse.search.outcome import summed_distance
from bnfuse.search.run import Run

DEFAULT_COUNT = 20
NOT_SOLVED = "not solved"
"""why the work ended, if no work was needed"""
_NAP = 0.05  # seconds


@public
@dataclass(frozen=True, slots=True)
class Alternative:
    """Another decision on a disputed pair, with the problem solved again.

    Attributes
    ----------
    decision
        "in": joined by an arc; "out": not joined; "turned": joined in the other direction.
    arc
        The arc of this decision: if inputs have both directions, the one that costs less. None for "out".
    cost
        The increase in the mean distance, at most. If it is below 0, the network found is closer than the consensus.
        None if the decision was not solved or is not possible.
    cost_at_least
        A proven bound: no network with this decision costs less. None for FSim, which has no bound.
    added, dropped, reversed
        Other arcs that change with it: those that are added, those that are dropped, and those of the consensus that
        are reversed.
    barrier
        Why it is not possible: the constraint that rules it out.
    dag
        The network that was found.

    Examples
    --------
    >>> import bnfuse
    >>> one, two = bnfuse.DAG(["A", "B"], [("A", "B")]), bnfuse.DAG(["A", "B"])
    >>> other = bnfuse.disputes(bnfuse.consensus([one, one, two]))[0].alternatives[0]
    >>> other.decision, round(other.cost, 2), other.is_exact, other.dag.edges
    ('out', 0.33, True, ())
    """

    decision: Literal["in", "out", "turned"]
    arc: Arc | None
    cost: float | None
    cost_at_least: float | None
    added: tuple[Arc, ...] = ()
    dropped: tuple[Arc, ...] = ()
    reversed: tuple[Arc, ...] = ()
    barrier: str | None = None
    dag: DAG | None = field(default=None, repr=False)

    @property
    def is_exact(self) -> bool:
        """Whether it is proven that the decision costs exactly this."""
        return self.cost is not None and self.cost == self.cost_at_least

    @property
    def facts(self) -> dict[str, Any]:
        """All values by name, for JSON."""
        names = ("decision", "arc", "cost", "cost_at_least", "is_exact", "added", "dropped", "reversed", "barrier")
        return {name: getattr(self, name) for name in names}


@public
@dataclass(frozen=True, slots=True)
class Dispute:
    """A pair of variables on which the inputs disagree.

    Attributes
    ----------
    arc
        The pair: as the consensus joins it, otherwise in the direction that more inputs have.
    is_in
        Whether the consensus has this arc.
    share, reversed_share
        The shares of the inputs with both variables, by weight, that have the arc, and that have it reversed.
    inputs, reversed_inputs, unjoined_inputs, blind_inputs
        The names of the inputs that have it, that have it reversed, that do not join the two, and that lack one of
        them. Empty if only a tally is known.
    contested
        From 0 to 1: twice the share of the weight that disagrees with the largest side; 1 if that is half of the weight
        or more.
    can_lead
        Whether more than one input, and at least a third of the weight, disagree with the largest side; one input with
        half of the weight or more is enough.
    alternatives
        The other decisions that inputs support, the one with the most weight first, and their costs.

    Examples
    --------
    >>> import bnfuse
    >>> one, two = bnfuse.DAG(["A", "B"], [("A", "B")]), bnfuse.DAG(["A", "B"])
    >>> dispute = bnfuse.disputes(bnfuse.consensus([one, one, two]))[0]
    >>> dispute.arc, dispute.is_in, dispute.unjoined_inputs
    (('A', 'B'), True, ('3',))
    """

    arc: Arc
    is_in: bool
    share: float
    reversed_share: float
    inputs: tuple[str, ...]
    reversed_inputs: tuple[str, ...]
    unjoined_inputs: tuple[str, ...]
    blind_inputs: tuple[str, ...]
    contested: float
    can_lead: bool
    alternatives: tuple[Alternative, ...]

    @property
    def cost(self) -> float | None:
        """The cost of the other decision with the most weight; None if it was not solved or is not possible."""
        return self.alternatives[0].cost

    @property
    def facts(self) -> dict[str, Any]:
        """All values by name, for JSON."""
        names = ("arc", "is_in", "share", "reversed_share", "inputs", "reversed_inputs", "unjoined_inputs")
        more = ("blind_inputs", "contested", "can_lead", "cost")
        own = {name: getattr(self, name) for name in (*names, *more)}
        return {**own, "alternatives": [one.facts for one in self.alternatives]}


@public
class Disputes(Framed, list[Dispute]):
    """The most contested pairs of a result: a list that begins with the pair to discuss first.

    `to_pandas()` and `to_polars()` make a DataFrame of it, with the cost of the first other decision.

    Parameters
    ----------
    rows
        The pairs, with the costs of other decisions.
    pairs
        The number of all disputed pairs; the list has the most contested of them.
    stopped_by
        `finished`, or `time limit` or `interrupted` if some costs are unknown for that reason.
    closer
        A network that is closer than the consensus, if forcing a decision led to one; otherwise None.

    Examples
    --------
    >>> import bnfuse
    >>> one, two = bnfuse.DAG(["A", "B"], [("A", "B")]), bnfuse.DAG(["A", "B"])
    >>> found = bnfuse.disputes(bnfuse.consensus([one, two]))
    >>> found.pairs, found.stopped_by
    (1, 'finished')
    """

    __iter__ = list.__iter__

    def __init__(self, rows: Iterable[Dispute], pairs: int, stopped_by: str, closer: DAG | None) -> None:
        super().__init__(rows)
        self.pairs = pairs
        self.stopped_by = stopped_by
        self.closer = closer


@public
def disputes(
    result: Consensus,
    count: int = DEFAULT_COUNT,
    *,
    time_limit: float | None = None,
    threads: int | None = None,
) -> Disputes:
    """The cost of the inputs' disagreements: each disputed pair is solved again with the other decision.

    The pairs that can lead come first: those on which more than one input and at least a third of the weight disagree
    with the largest side. Among these, and among the others, pairs are ranked by how contested they are times the cost
    of the other decision.

    Parameters
    ----------
    result
        A result of `consensus`.
    count
        How many pairs to solve, the most contested first.
    time_limit
        In seconds. When the time limit or Ctrl-C ends the work, remaining costs are None; `stopped_by` says which.
    threads
        The number of threads, by default one for each core; the costs do not depend on it.

    Returns
    -------
    Disputes
        A list with a `Dispute` for each of these pairs.

    Raises
    ------
    OptionError
        A value is invalid.

    Examples
    --------
    Two of four inputs have B -> C. Leaving it out costs nothing, and no other arc changes with it:

    >>> import bnfuse
    >>> chain = bnfuse.DAG(["A", "B", "C"], [("A", "B"), ("B", "C")])
    >>> short = bnfuse.DAG(["A", "B", "C"], [("A", "B")])
    >>> result = bnfuse.consensus([chain, chain, short, short])
    >>> dispute = bnfuse.disputes(result)[0]
    >>> dispute.arc, dispute.inputs, dispute.unjoined_inputs, dispute.contested
    (('B', 'C'), ('1', '2'), ('3', '4'), 1.0)
    >>> out = dispute.alternatives[0]
    >>> out.decision, out.cost, out.is_exact, out.dropped
    ('out', 0.0, True, ())
    """
    refuse_many(len(result.dag.variables), "solving disputes again")
    most, run = at_least("count", count, 1), Run(result.seed, threads, time_limit)
    pairs = disputed_pairs(result)
    chosen = pairs[:most]
    solving = _Solving(result, run)
    stopped_by = solving.solve([one for pair in chosen for one in pair.decisions])
    rows = [solving.dispute(pair) for pair in chosen]
    return Disputes(sorted(rows, key=_rank), len(pairs), stopped_by, solving.closer)


def unsolved(result: Consensus, most: int) -> Disputes:
    """The most contested pairs before any is solved again: without costs."""
    solving, pairs = _Solving(result, Run(result.seed)), disputed_pairs(result)
    return Disputes(map(solving.dispute, pairs[:most]), len(pairs), NOT_SOLVED, None)


def _rank(dispute: Dispute) -> tuple[bool, float, float, Arc]:
    cost = max(dispute.cost or 0.0, 0.0)
    return not dispute.can_lead, -dispute.contested * cost, -dispute.contested, dispute.arc


# Solving


@dataclass(slots=True)
class _Solving:
    """The decisions of one result, solved in parallel; costs that are already known are not computed again."""

    result: Consensus
    run: Run
    _found: dict[Decision, Forced | str] = field(default_factory=dict)
    """for each decision the result, or the constraint that rules it out"""
    closer: DAG | None = None
    """a network that satisfies the whole question and is closer than the present one"""

    def solve(self, decisions: Sequence[Decision]) -> str:
        """Solve them; return the reason for the end."""
        known: dict[Decision, Forced | str] = self.result.__dict__.setdefault("decided", {})
        watch, stopped_by = Watch(self.run.clock), "finished"
        with ThreadPoolExecutor(self.run.thread_count) as pool:
            futures = [pool.submit(self._solve, one, watch) for one in decisions if one not in known]
            try:
                while wait(futures, _NAP).not_done:  # a signal to another thread is noticed between two short waits
                    pass
            except KeyboardInterrupt:
                stopped_by = "interrupted"
                watch.stop()
        for future in futures:
            future.result()
        known.update((one, found) for one, found in self._found.items() if isinstance(found, str) or found.is_finished)
        self._found = {one: found for one in decisions if (found := self._found.get(one, known.get(one))) is not None}
        self._share()
        if stopped_by == "finished" and any(one not in known for one in decisions):
            return "time limit"
        return stopped_by

    def _solve(self, decision: Decision, watch: Watch) -> None:
        """The work of one thread."""
        if not watch.left:
            return
        problem, present = self.result.problem, self.result.dag
        try:
            if decision.arc is None:
                forced = without_pair(problem, present, decision.pair)
            else:
                forced = with_arc(problem, present, decision.arc)
        except ConstraintError as error:
            self._found[decision] = str(error)
            return
        self._found[decision] = solved_again(forced, self.result.seed, watch)

    def _share(self) -> None:
        """A network found for one decision may also satisfy another one, and be closer than its own result."""
        problem = self.result.problem
        found = [one for one in self._found.values() if isinstance(one, Forced)]
        kept = [one for one in found if problem.constraints.broken_by(one.dag, problem.tally) is None]
        kept.sort(key=lambda one: one.distance)
        own = summed_distance(problem, self.result.dag)
        self.closer = kept[0].dag if kept and kept[0].distance < own else None
        for decision, one in self._found.items():
            if isinstance(one, Forced):
                better = next((other for other in kept if decision.is_kept_by(other.dag)), one)
                if better.distance < one.distance:
                    self._found[decision] = replace(one, dag=better.dag, distance=better.distance)

    # Results

    def dispute(self, pair: Pair) -> Dispute:
        """A pair, with what is known about its other decisions."""
        return Dispute(
            pair.arc,
            pair.is_in,
            pair.forward / pair.seen,
            pair.backward / pair.seen,
            tuple(pair.sides.forward),
            tuple(pair.sides.backward),
            tuple(pair.sides.unjoined),
            tuple(pair.sides.blind),
            pair.contested,
            pair.can_lead,
            tuple(self._alternatives(pair)),
        )

    def _alternatives(self, pair: Pair) -> list[Alternative]:
        """The other decisions, the one with the most weight first; of two directions the one that costs less."""
        if not pair.is_in:
            ways = [self._alternative(pair, one) for one in pair.decisions]
            return [min(ways, key=lambda one: math.inf if one.cost is None else one.cost)]
        weights = {None: pair.unjoined, pair.arc[::-1]: pair.backward}
        return [self._alternative(pair, one) for one in sorted(pair.decisions, key=lambda one: -weights[one.arc])]

    def _alternative(self, pair: Pair, decision: Decision) -> Alternative:
        name: Literal["in", "out", "turned"] = "out" if decision.arc is None else "turned" if pair.is_in else "in"
        found = self._found.get(decision)
        if not isinstance(found, Forced):
            return Alternative(name, decision.arc, None, None, barrier=found)
        problem, before = self.result.problem, summed_distance(self.result.problem, self.result.dag)
        new, old = set(found.dag.edges), set(self.result.dag.edges)
        others = {arc for arc in new ^ old if arc not in (pair.arc, pair.arc[::-1])}
        turned = {arc for arc in others if arc in old and arc[::-1] in new}
        changed = others - turned - {arc[::-1] for arc in turned}
        return Alternative(
            name,
            decision.arc,
            problem.mean(found.distance - before),
            None if found.bound is None else problem.mean(self._bound(decision, found.bound) - before),
            tuple(sorted(changed & new)),
            tuple(sorted(changed & old)),
            tuple(sorted(turned)),
            dag=found.dag,
        )

    def _bound(self, decision: Decision, bound: int) -> int:
        """A bound for all networks also holds for those with a decision, unless that breaks the rule on directions."""
        problem, own = self.result.problem, self.result.lower_bound
        assert own is not None
        if decision.arc is not None:
            source, target = (problem.variables.index(name) for name in decision.arc)
            if not problem.constraints.allowed(problem.tally)[source, target]:
                return bound
        return max(bound, round(own * problem.reference_tally.weight))
