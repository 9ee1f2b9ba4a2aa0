"""The networks that a consensus is made of: structures, names and weights, and what states and tables they bring."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

from bnfuse._errors import OptionError
from bnfuse._options import option_name
from bnfuse._texts import listed
from bnfuse.dag import DAG, NetworkLike, Rows, as_dags, is_network, stacked
from bnfuse.fusion import Fusion, fuse, order
from bnfuse.network import Network, as_network, differing_states, shared_states
from bnfuse.tally import Tally
from bnfuse.weights import Weights, exact_weights, whole_weights

_KEPT = "the states on which all agree are kept; the other variables get yes and no, unless data say otherwise"

InputsLike: TypeAlias = Iterable[NetworkLike] | Tally | Iterable[Tally]
"""Networks over the same variables, or tallies of them."""
StatesLike: TypeAlias = Mapping[str, int | Sequence[str]]
"""For variables how many states they have, or which."""

_NAMED = 3


@dataclass(frozen=True)
class Inputs:
    """Inputs with their variables in one order, which breaks ties; a weight of 0 has left an input out."""

    dags: tuple[DAG, ...]
    """empty when only a tally is known"""
    names: tuple[str, ...]
    """of the inputs, each different"""
    weights: tuple[int, ...]
    tally: Tally = field(hash=False)
    """what the inputs add up to; it cannot be changed"""
    labels: tuple[tuple[str, ...] | None, ...] = ()
    """the states of each variable, None where they are not known or the inputs disagree; empty where none are known"""
    counts: tuple[int | None, ...] = ()
    """how many states each variable has, where nothing but that was given; empty where it never was"""
    exact_weights: tuple[Fraction, ...] = field(default=(), compare=False, repr=False)
    """as they were given: the whole ones may be rounded"""
    networks: tuple[Network, ...] = field(default=(), compare=False, repr=False)
    """the inputs themselves, where all of them carry tables; a saved result has lost them"""
    notes: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """what their owner should know"""
    differing: str | None = field(default=None, compare=False, repr=False)
    """a sentence about the states on which the inputs disagree"""

    def __post_init__(self) -> None:
        for counts in (self.tally.moral, self.tally.arcs):
            counts.flags.writeable = False

    @classmethod
    def of(cls, networks: InputsLike, weights: Weights | None = None, states: StatesLike | None = None) -> Inputs:
        """Checked inputs; `states` are added to those that they bring."""
        listed = [networks] if isinstance(networks, Tally) else networks
        if isinstance(listed, Iterable) and not is_network(listed):
            listed = list(listed)
        if isinstance(listed, list) and any(isinstance(one, Tally) for one in listed):
            merged = _merged(listed, weights)
            return cls((), (), (), merged, *_given_states(merged.variables, {}, states))
        dags = as_dags(listed)
        exact = exact_weights(weights, given_names(listed))
        given = whole_weights(exact)
        kept = [i for i, weight in enumerate(given) if weight]
        names = distinct(given_names(listed))
        chosen = [as_network(network) for i, network in enumerate(listed) if given[i]]
        tables = tuple(network for network in chosen if network.cpts is not None)
        labels, counts = _given_states(dags[0].variables, shared_states(chosen) or {}, states)
        differing = differing_states(chosen)
        return cls(
            dags=tuple(dags[i] for i in kept),
            names=tuple(names[i] for i in kept),
            weights=tuple(given[i] for i in kept),
            tally=Tally.of([dags[i] for i in kept], [given[i] for i in kept]),
            labels=labels,
            counts=counts,
            exact_weights=tuple(exact[i] for i in kept),
            networks=tables if len(tables) == len(chosen) else (),
            notes=tuple(_notes(chosen, [names[i] for i in kept], differing)),
            differing=differing,
        )

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables, in the order of the first input."""
        return self.tally.variables

    @property
    def states(self) -> dict[str, tuple[str, ...]]:
        """The states of the variables for which they are known."""
        named = zip(self.variables, self.labels or (None,) * len(self.variables), strict=True)
        return {name: labels for name, labels in named if labels is not None}

    @property
    def assumed_states(self) -> dict[str, tuple[str, ...]]:
        """Those and, where only their number is known, as many that are called 1, 2, 3 and so on."""
        numbered = {
            name: tuple(str(i + 1) for i in range(count))
            for name, count in zip(self.variables, self.counts, strict=False)
            if count is not None
        }
        return numbered | self.states

    def state_counts(self, what: str) -> tuple[int, ...]:
        """How many states each variable has; refuses `what` needs them where they are not all known."""
        counts = self.counts or (None,) * len(self.variables)
        known = {name: count for name, count in zip(self.variables, counts, strict=True) if count is not None}
        known |= {name: len(labels) for name, labels in self.states.items()}
        if unknown := [name for name in self.variables if name not in known]:
            why = self.differing or f"those of {listed(unknown, _NAMED)} are not known"
            raise OptionError(
                f"{what} needs the number of states of every variable: {why}; {option_name('states')} gives them"
            )
        return tuple(known[name] for name in self.variables)

    def needs_networks(self, what: str) -> None:
        """Refuse what a tally cannot give."""
        if not self.dags:
            raise OptionError(f"{what} needs the networks themselves; a tally has only counts")

    @cached_property
    def rows(self) -> Rows:
        """The structures for the kernel."""
        return stacked(self.dags)

    @cached_property
    def fusion(self) -> Fusion:
        """The full fusion of the inputs (the paper's G+)."""
        self.needs_networks("the fusion")
        return fuse(self.dags, order(self.dags, weights=self.weights))

    @cached_property
    def fused_tally(self) -> Tally:
        """The fusion as the only input."""
        return Tally.of([self.fusion.dag], [1])


def given_names(networks: Iterable[NetworkLike]) -> tuple[str, ...]:
    """What to call networks: by their names, or by their places."""
    given = (getattr(network, "name", None) for network in networks)
    return tuple(name if isinstance(name, str) and name else f"{i + 1}" for i, name in enumerate(given))


def distinct(names: Sequence[str]) -> tuple[str, ...]:
    """The names, each once: one that was there before gets a number, as some programs call every network the same."""
    taken, used = set(names), set[str]()
    numbers = dict.fromkeys(names, 1)
    result = []
    for name in names:
        label = name
        while label in used or (label != name and label in taken):
            numbers[name] += 1
            label = f"{name} ({numbers[name]})"
        used.add(label)
        result.append(label)
    return tuple(result)


def _merged(tallies: Sequence[Tally | NetworkLike], weights: Weights | None) -> Tally:
    if weights is not None or not all(isinstance(one, Tally) for one in tallies):
        raise OptionError("tallies can be mixed neither with networks nor with weights")
    merged = Tally(tallies[0].variables)
    for tally in tallies:
        merged.merge(tally)
    if not merged.weight:
        raise OptionError("expected at least one network, got an empty tally")
    return merged


def _given_states(
    variables: Sequence[str], known: Mapping[str, tuple[str, ...]], given: StatesLike | None
) -> tuple[tuple[tuple[str, ...] | None, ...], tuple[int | None, ...]]:
    """The labels of each variable and, where only that was given, their number; both empty where there are none."""
    what = option_name("states")
    if given is None:
        given = {}
    if not isinstance(given, Mapping):
        raise OptionError(f"{what} must map variables to their states, or to how many they have; got {given!r:.60}")
    labels, counts = dict(known), dict[str, int]()
    for name, own in given.items():
        if name not in variables:
            raise OptionError(f"{what}: unknown variable {name!r:.60}")
        count = _count(name, own)
        if isinstance(own, Sequence):
            wanted = tuple(own)
            if name in known and set(wanted) != set(known[name]):
                raise OptionError(
                    f"{what}: {name!r} has the states {listed(wanted, _NAMED)}, but {listed(known[name], _NAMED)} in "
                    "the inputs"
                )
            labels.setdefault(name, wanted)
        elif name not in known:
            counts[name] = count
        elif len(known[name]) != count:
            raise OptionError(f"{what}: {name!r} has {count:,} states, but {len(known[name]):,} in the inputs")
    return (
        tuple(labels.get(name) for name in variables) if labels else (),
        tuple(counts.get(name) for name in variables) if counts else (),
    )


def _count(name: str, own: object) -> int:
    """How many states a variable is said to have."""
    what = option_name("states")
    if isinstance(own, Sequence) and not isinstance(own, str):
        if not own or not all(isinstance(label, str) for label in own):
            raise OptionError(f"{what}: {name!r} must have one state or more, each of them a text; got {own!r:.60}")
        if len(set(own)) != len(own):
            twice = next(label for label in own if list(own).count(label) > 1)
            raise OptionError(f"{what}: {name!r} has the state {twice!r} twice")
        return len(own)
    if isinstance(own, bool) or not hasattr(own, "__index__") or int(own) < 1:
        raise OptionError(
            f"{what}: {name!r} must have a whole number of states, at least 1, or a list of them; got {own!r:.60}"
        )
    return int(own)


def _notes(networks: Sequence[Network], names: Sequence[str], differing: str | None) -> Iterable[str]:
    bare = [name for network, name in zip(networks, names, strict=True) if network.cpts is None]
    if 0 < len(bare) < len(networks):
        whose = f"{bare[0]!r} has" if len(bare) == 1 else f"{bare[0]!r} and {len(bare) - 1} other inputs have"
        yield f"{whose} no tables, so the tables of the others are not pooled"
    if differing is not None:
        yield f"{differing}; {_KEPT}"
