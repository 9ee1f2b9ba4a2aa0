"""How certain a panel is: the answers of the consensus and all inputs, and the effects on which inputs disagree.

The effect of a cause on a state is how much its probability changes when the cause is set to another of its states: P(y
| do x') - P(y | do x). A cause is set to each of its states in one calibrated tree, with a row for each. The amount of
work is known before it is done, and causes beyond the limit are left out and named.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

import numpy as np

from bnfuse._base.public import public
from bnfuse._base.texts import listed
from bnfuse.errors import EvidenceError, MismatchError, OptionError
from bnfuse.fusion.table_sizes import DEFAULT_LIMITS, TableLimits
from bnfuse.graphs.dag import DAG, NetworkLike
from bnfuse.graphs.distribution import Distribution
from bnfuse.graphs.network import Network, Table, alike_labels, as_network
from bnfuse.inference.asking.information import given_each_state
from bnfuse.inference.evidence import Beliefs, Evidence, Findings, Interventions, check_known, check_tables, states_of
from bnfuse.inference.factors import Factors, refuse
from bnfuse.inference.junction_tree import CliqueTree, cheapest_order

NONE = 1e-9
"""A smaller effect counts as none: it may be a rounding error."""

_MOST_WORK = 500_000_000  # numbers: about a minute
_PLANNING = 2_000  # numbers that can be multiplied in the time needed to plan one variable

EffectsProgress: TypeAlias = Callable[[int, int], None]
"""Called with the number of finished causes, and the number of all causes."""


@public
@dataclass(frozen=True, slots=True)
class Answers:
    """One question to a consensus and to its inputs.

    Attributes
    ----------
    consensus
        The answer of the consensus.
    inputs
        The answers of the inputs that have one, by name.
    without
        The other inputs, with the reason.

    Examples
    --------
    >>> import bnfuse
    >>> fair, biased = (
    ...     bnfuse.Network(bnfuse.DAG(["Coin"]), {"Coin": ("heads", "tails")}, {"Coin": [heads, 1 - heads]})
    ...     for heads in (0.5, 1.0)
    ... )
    >>> found = bnfuse.answers(bnfuse.consensus([fair, biased]), [fair, biased], "Coin")
    >>> found.consensus["heads"], found.range["heads"]
    (0.75, (0.5, 1.0))
    """

    consensus: Distribution
    inputs: Mapping[str, Distribution]
    without: Mapping[str, str]

    @property
    def range(self) -> dict[str, tuple[float, float]]:
        """For each state, the smallest and the largest probability in an input."""
        (variable,) = self.consensus.variables
        tables = [one.probabilities for one in self.inputs.values()] or [self.consensus.probabilities]
        low, high = np.min(tables, axis=0).tolist(), np.max(tables, axis=0).tolist()
        return dict(zip(self.consensus.states[variable], zip(low, high, strict=True), strict=True))


@public
@dataclass(frozen=True, slots=True)
class Effect:
    """The change in the probability of a state when a cause is set to another state.

    Attributes
    ----------
    cause, before, after
        The variable that is set, and the two states between which it changes.
    target, state
        The state whose probability changes.
    consensus
        The change in the consensus.
    inputs
        The change in each input that has both variables, by name.

    Examples
    --------
    >>> import bnfuse
    >>> one = bnfuse.Effect("Smoker", "no", "yes", "Cancer", "yes", 0.1, {"north": 0.2, "south": -0.1})
    >>> one.verdict, one.low, one.high
    ('opposite', -0.1, 0.2)
    """

    cause: str
    before: str
    after: str
    target: str
    state: str
    consensus: float
    inputs: Mapping[str, float]

    @property
    def low(self) -> float:
        """The smallest change among the inputs."""
        return min(self.inputs.values(), default=self.consensus)

    @property
    def high(self) -> float:
        """The largest change among the inputs."""
        return max(self.inputs.values(), default=self.consensus)

    @property
    def signs(self) -> tuple[int, int, int]:
        """The numbers of inputs in which the probability rises, stays the same, and falls."""
        values = [*self.inputs.values()]
        rises, falls = sum(value > NONE for value in values), sum(value < -NONE for value in values)
        return rises, len(values) - rises - falls, falls

    @property
    def verdict(self) -> str:
        """`opposite` if some inputs see a rise and some a fall, `partly` if some see no effect, otherwise `agree`."""
        rises, none, falls = self.signs
        if rises and falls:
            return "opposite"
        return "partly" if none and (rises or falls) else "agree"


@public
@dataclass(frozen=True, slots=True)
class Effects:
    """The effects that a consensus or one of its inputs has, those on which inputs disagree first.

    Attributes
    ----------
    rows
        One row for each cause and target: the change of states on which the inputs disagree most.
    left_out
        Causes that were left out to limit the work.

    Examples
    --------
    >>> import bnfuse
    >>> network = bnfuse.Network(
    ...     bnfuse.DAG.from_edges([("Smoker", "Cancer")]),
    ...     states={"Smoker": ("no", "yes"), "Cancer": ("no", "yes")},
    ...     cpts={"Smoker": [0.7, 0.3], "Cancer": [[0.99, 0.01], [0.9, 0.1]]},
    ... )
    >>> found = bnfuse.effects(network, [network])
    >>> len(found.rows), found.disputed
    (1, ())
    """

    rows: tuple[Effect, ...]
    left_out: tuple[str, ...] = ()

    @property
    def disputed(self) -> tuple[Effect, ...]:
        """The effects on whose sign not all inputs agree."""
        return tuple(one for one in self.rows if one.verdict != "agree")


@public
def answers(
    consensus: NetworkLike,
    inputs: Iterable[NetworkLike],
    variable: str,
    given: Evidence | None = None,
    *,
    beliefs: Beliefs | None = None,
    do: Interventions | None = None,
) -> Answers:
    """Ask a consensus and each of its inputs the same question, to see how certain the panel is.

    Parameters
    ----------
    consensus
        A network with tables, or a Consensus.
    inputs
        The networks that it represents.
    variable
        The variable to ask for.
    given
        Findings, as in `Network.query`.
    beliefs
        The distributions that variables are to have.
    do
        The states to which variables are set.

    Returns
    -------
    Answers
        The answer of the consensus, those of the inputs, and their range.

    Raises
    ------
    EvidenceError
        The consensus lacks a variable or state, or the evidence has probability 0 in it.
    MismatchError
        An input has other states of the variable.
    OptionError
        The consensus has no tables.

    Examples
    --------
    >>> import bnfuse
    >>> fair, biased = (
    ...     bnfuse.Network(bnfuse.DAG(["Coin"]), {"Coin": ("heads", "tails")}, {"Coin": [heads, 1 - heads]}, name)
    ...     for name, heads in (("fair", 0.5), ("biased", 1.0))
    ... )
    >>> found = bnfuse.answers(bnfuse.consensus([fair, biased]), [fair, biased], "Coin")
    >>> {name: answer["heads"] for name, answer in found.inputs.items()}
    {'fair': 0.5, 'biased': 1.0}
    """
    whole = as_network(consensus)
    check_tables(whole)
    answer = whole.query(variable, given, beliefs=beliefs, do=do)
    found, without = dict[str, Distribution](), dict[str, str]()
    for name, network in named_inputs(inputs):
        if network.cpts is None:
            without[name] = "has no tables"
            continue
        try:
            own = network.query(variable, given, beliefs=beliefs, do=do)
        except EvidenceError as error:
            without[name] = str(error)
            continue
        order = places_of(network, whole, variable, name)
        found[name] = Distribution(own.variables, answer.states, own.probabilities[order])
    return Answers(answer, found, without)


@public
def effects(
    consensus: NetworkLike,
    inputs: Iterable[NetworkLike],
    of: Iterable[str] | None = None,
    on: Iterable[str] | None = None,
    progress: EffectsProgress | None = None,
) -> Effects:
    """The effect of setting each variable on each other one, in a consensus and in its inputs.

    An effect in a network is an effect in the world only if its arcs are causes and no common cause of two variables is
    missing.

    Parameters
    ----------
    consensus
        A network with tables, or a Consensus.
    inputs
        The networks that it represents; those without tables take no part.
    of
        The causes: by default all variables, as far as the limit on work allows.
    on
        The targets: by default all variables.
    progress
        Called with the number of finished causes, and the number of all causes.

    Returns
    -------
    Effects
        The effects; those on which inputs disagree come first.

    Raises
    ------
    EvidenceError
        A variable is unknown.
    MismatchError
        An input has other states of a variable.
    TooLargeError
        A table would take too much memory.
    OptionError
        The consensus has no tables.

    Examples
    --------
    >>> import bnfuse
    >>> states = {"Smoker": ("no", "yes"), "Cancer": ("no", "yes")}
    >>> harm, good = (
    ...     bnfuse.Network(
    ...         bnfuse.DAG.from_edges([("Smoker", "Cancer")]),
    ...         states,
    ...         {"Smoker": [0.7, 0.3], "Cancer": [[0.95, 0.05], [1 - cancer, cancer]]},
    ...         name,
    ...     )
    ...     for name, cancer in (("north", 0.2), ("south", 0.01))
    ... )
    >>> effect = bnfuse.effects(bnfuse.consensus([harm, good]), [harm, good]).disputed[0]
    >>> effect.cause, effect.target, effect.verdict, effect.signs
    ('Smoker', 'Cancer', 'opposite', (1, 0, 1))
    """
    whole = as_network(consensus)
    check_tables(whole)
    causes, targets = (_chosen(whole, names) for names in (of, on))
    asked = {"": whole} | {name: network for name, network in named_inputs(inputs) if network.cpts is not None}
    panel = [_Member(name, network, whole) for name, network in asked.items()]
    rows, work, done = list[Effect](), 0, 0
    for cause in causes:
        planned = [one.responses(cause, targets) for one in panel]
        work += sum(one.work for one in planned if one is not None)
        if work > _MOST_WORK and done:
            break
        done += 1
        rows += _compared(whole, cause, targets, panel, [None if one is None else one.tables() for one in planned])
        if progress is not None:
            progress(done, len(causes))
    strength = {"opposite": 0, "partly": 1, "agree": 2}
    rows.sort(key=lambda one: (strength[one.verdict], -_disagreement(one)))
    return Effects(tuple(rows), causes[done:])


def _disagreement(effect: Effect) -> float:
    """How strongly inputs disagree: the weaker of the two sides if there are two, otherwise the spread."""
    if effect.verdict == "opposite":
        return min(effect.high, -effect.low)
    return effect.high - effect.low if effect.verdict == "partly" else abs(effect.consensus)


def _chosen(network: Network, names: Iterable[str] | None) -> tuple[str, ...]:
    if names is None:
        return network.variables
    if isinstance(names, str):
        raise OptionError(f"expected a list of variables, got {names!r:.60}")
    chosen = tuple(dict.fromkeys(names))
    check_known(network, chosen)
    return chosen


def named_inputs(inputs: Iterable[NetworkLike]) -> list[tuple[str, Network]]:
    """Networks with distinct names."""
    found: dict[str, Network] = {}
    for place, one in enumerate(inputs, 1):
        network = as_network(one)
        name = network.name or f"{place}"
        found[f"{name} ({place})" if name in found else name] = network
    return list(found.items())


def places_of(network: Network, wanted: Network, variable: str, name: str) -> list[int]:
    """The positions of the wanted states of a variable in a network."""
    labels, own = states_of(wanted, variable), states_of(network, variable)
    if frozenset(labels) != frozenset(own):
        raise MismatchError(
            f"variable {variable!r} has the states {listed(labels)} in the consensus and {listed(own)} in {name!r}"
            f"{alike_labels(labels, own)}; bnfuse align proposes common ones"
        )
    return [own.index(label) for label in labels]


@dataclass(frozen=True)
class _Responses:
    """A tree in which one cause is set to each of its states."""

    member: _Member
    factors: Factors
    tree: CliqueTree
    cause: int
    targets: list[int]

    @property
    def work(self) -> int:
        """Its size in numbers."""
        return sum(self.tree.sizes) * self.factors.sizes[self.cause] + _PLANNING * len(self.factors.names)

    def tables(self) -> dict[str, Table]:
        """The distribution of each target for each state of the cause, both in the order of the consensus."""
        _, found = given_each_state(self.factors, self.tree, self.cause, self.targets, self.member.limits)
        names = [self.factors.names[i] for i in self.targets]
        first = self.member.places(self.factors.names[self.cause])
        return {name: table[np.ix_(first, self.member.places(name))] for name, table in zip(names, found, strict=True)}


class _Member:
    """One network of a panel."""

    def __init__(self, name: str, network: Network, consensus: Network, limits: TableLimits = DEFAULT_LIMITS) -> None:
        self.name, self.network, self.limits = name, network, limits
        self._consensus = consensus
        self._variables = frozenset(network.variables)
        self._children: dict[str, list[str]] = {variable: [] for variable in network.variables}
        for source, target in network.dag.edges:
            self._children[source].append(target)

    def has(self, *variables: str) -> bool:
        """Whether it has all of these variables."""
        return self._variables.issuperset(variables)

    def places(self, variable: str) -> list[int]:
        """The positions of the states of the consensus."""
        return places_of(self.network, self._consensus, variable, self.name)

    def responses(self, cause: str, targets: Sequence[str]) -> _Responses | None:
        """The tree for setting a cause; None if that changes no target."""
        if not self.has(cause) or len(states_of(self.network, cause)) == 1:
            return None
        changed, waiting = set[str](), [cause]
        while waiting:
            fresh = [child for child in self._children[waiting.pop()] if child not in changed]
            changed.update(fresh)
            waiting += fresh
        asked = [name for name in targets if name in changed and len(states_of(self.network, name)) > 1]
        if not asked:
            return None
        factors = Factors.of(self._freed(cause), [cause, *asked], Findings())
        number = factors.number[cause]
        tree = CliqueTree([*factors.scopes, (number,)], factors.sizes, cheapest_order(factors))
        if not tree.fits(self.limits):
            refuse(factors, tree.widest, max(tree.sizes), sum(tree.sizes), self.limits)
        return _Responses(self, factors, tree, number, [factors.number[name] for name in asked])

    def _freed(self, cause: str) -> Network:
        """The network in which the cause has no parents, and all its states are equally probable."""
        assert self.network.states is not None
        assert self.network.cpts is not None
        states = len(self.network.states[cause])
        arcs = [(source, target) for source, target in self.network.dag.edges if target != cause]
        tables = {**self.network.cpts, cause: np.full(states, 1 / states)}
        return Network(DAG(self.network.variables, arcs), dict(self.network.states), tables)


def _compared(
    whole: Network,
    cause: str,
    targets: Sequence[str],
    panel: Sequence[_Member],
    found: Sequence[Mapping[str, Table] | None],
) -> list[Effect]:
    """The effects of one cause: for each target the change on which the inputs disagree most."""
    labels = states_of(whole, cause)
    pairs = list(combinations(range(len(labels)), 2))
    rows = []
    for target in targets:
        if target == cause or not any(one and target in one for one in found):
            continue
        seeing = [place for place, one in enumerate(panel) if one.has(cause, target)]
        nothing = np.zeros((len(labels), len(states_of(whole, target))))
        tables = [(found[place] or {}).get(target, nothing) for place in seeing]
        changes = np.stack([[table[b] - table[a] for a, b in pairs] for table in tables])
        changes[np.abs(changes) <= NONE] = 0.0
        (pair, state) = _most_disputed(changes[0], changes[1:])
        own = {panel[place].name: float(row[pair, state]) for place, row in zip(seeing[1:], changes[1:], strict=True)}
        before, after = (labels[i] for i in pairs[pair])
        effect = float(changes[0][pair, state])
        if effect or any(own.values()):
            rows.append(Effect(cause, before, after, target, states_of(whole, target)[state], effect, own))
    return rows


def _most_disputed(consensus: Table, inputs: Table) -> tuple[int, int]:
    """The change of the cause and the state with the strongest opposition, the widest spread, or the largest change."""
    size = np.abs(consensus)
    if len(inputs):
        low, high = inputs.min(0), inputs.max(0)
        opposed = np.minimum(high, -low)
        some_see_none = ((inputs == 0).any(0)) & (high > low)
        size = np.maximum(size, np.abs(inputs).max(0))
        if (opposed > NONE).any():
            size = opposed
        elif some_see_none.any():
            size = np.where(some_see_none, high - low, -math.inf)
    place = int(np.argmax(size))
    return place // consensus.shape[1], place % consensus.shape[1]
