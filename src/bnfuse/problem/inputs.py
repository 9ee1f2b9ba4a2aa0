"""The inputs of a consensus: structures, names and weights, and their states and tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np

from bnfuse._base import spelling
from bnfuse._base.options import check_options, choice, flag, option, option_name, whole_number
from bnfuse._base.public import public
from bnfuse._base.texts import listed
from bnfuse.errors import GraphError, MismatchError, OptionError
from bnfuse.files import VARIABLES, same_content
from bnfuse.fusion.fusion import Fusion, fuse, order
from bnfuse.fusion.weights import Weights, exact_weights, whole_weights
from bnfuse.graphs.arc_votes import ArcVotes
from bnfuse.graphs.dag import (
    DAG,
    NetworkLike,
    Rows,
    as_list,
    check_same_variables,
    network_label,
    refuse_many,
    stacked,
)
from bnfuse.graphs.network import BOOTSTRAP, Network, as_network, differing_states, shared_states
from bnfuse.graphs.pdag import PDAG
from bnfuse.graphs.renaming import as_named
from bnfuse.problem.input_votes import (
    SOFT,
    SOFT_PARTS,
    SUPPORTS,
    InputLike,
    InputVotes,
    common_parts,
    input_votes_of,
    is_structure,
)
from bnfuse.problem.tally import Tally, largest_weight

_KEPT = "the states on which all agree are kept; the other variables get yes and no, unless data determine them"
_NO_CLASSES = (
    "the tally does not record which directions equivalence classes leave free, because an older "
    "bnfuse or a federation made it: it is used as it is"
)

InputsLike: TypeAlias = Iterable[InputLike] | Mapping[str, InputLike] | Tally | Iterable[Tally]
"""Networks, equivalence classes and arc votes, or tallies of them; in a mapping, each input has a name."""
StatesLike: TypeAlias = Mapping[str, int | Sequence[str]]
"""The number of states of each variable, or their labels."""

_NAMED = 3


SAME, UNION, SHARED = VARIABLES


@public
@dataclass(frozen=True, slots=True)
class InputOptions:
    """How inputs count that have different variables, or are not networks.

    Parameters
    ----------
    variables
        "same": all inputs must have the same variables. "union": an input votes on the pairs of its own variables.
        "shared": the variables that all inputs have.
    marginalise
        With the shared variables: paths through the others become arcs, those of the minimal I-map of each input.
    support
        Which arcs an input supports: its own "arcs", or those of its equivalence "class", with half a vote for each
        direction where it is free.
    soft
        How moral edges of arc votes are derived: as if arcs were "independent", or from a "sample" of networks.

    Raises
    ------
    OptionError
        A value is invalid.

    Examples
    --------
    >>> import bnfuse
    >>> one, two = bnfuse.DAG.from_edges([("A", "B")]), bnfuse.DAG.from_edges([("B", "C")])
    >>> bnfuse.strengths([one, two], options=bnfuse.InputOptions("union")).arcs[0].strength
    1.0
    """

    variables: Literal["same", "union", "shared"] = option(
        SAME,
        "The variables that count: same (all inputs must have the same), union (an input votes on the "
        "pairs of its own variables), shared (those that all inputs have).",
        choice(VARIABLES),
    )
    marginalise: bool = option(
        False,
        "With the shared variables: paths through other variables become arcs (each input's minimal I-map), "
        "instead of being left out.",
        flag,
    )
    support: Literal["arcs", "class"] = option(
        SUPPORTS[0],
        "Which arcs an input supports: arcs (its own), or class (those of its equivalence class: half a vote "
        "for each direction where it is free).",
        choice(SUPPORTS),
    )
    soft: Literal["independent", "sample"] = option(
        SOFT[0],
        "How moral edges of arc votes are derived: as if arcs were independent, or from a sample of networks.",
        choice(SOFT),
    )

    def __post_init__(self) -> None:
        check_options(self)
        if self.marginalise and self.variables != SHARED:
            raise OptionError(
                f"{option_name('marginalise')} goes with {option_name('variables')} {SHARED}: nothing is left out "
                "otherwise"
            )


PLAIN = InputOptions()


@dataclass(frozen=True)
class Inputs:
    """Inputs with their variables in one order, which breaks ties; inputs of weight 0 are left out."""

    input_votes: tuple[InputVotes, ...]
    """the votes of each input, over its variables; empty if only a tally is known"""
    names: tuple[str, ...]
    """the names of the inputs, all different"""
    weights: tuple[int, ...]
    tally: Tally = field(hash=False)
    """the sums over the inputs; it cannot be changed"""
    labels: tuple[tuple[str, ...] | None, ...] = ()
    """the states of each variable, None if they are not known or the inputs disagree; empty if none are known"""
    counts: tuple[int | None, ...] = ()
    """the number of states of each variable if only that was given; empty if it never was"""
    exact_weights: tuple[Fraction, ...] = field(default=(), compare=False, repr=False)
    """as given, times the networks that each input represents; empty in files of older versions"""
    left_out: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """names of the inputs of weight 0, which do not count"""
    networks: tuple[Network | None, ...] = field(default=(), compare=False, repr=False)
    """the inputs that have tables or are Gaussian, None for the others; empty if none does, as in a saved result"""
    notes: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """notes for their owner"""
    differing: str | None = field(default=None, compare=False, repr=False)
    """a sentence about the states on which the inputs disagree"""
    options: InputOptions = field(default=PLAIN, compare=False, repr=False)
    """how they are counted"""

    def __post_init__(self) -> None:
        if not self.tally.is_listed:
            for counts in (self.tally.moral, self.tally.arcs):
                counts.flags.writeable = False

    @classmethod
    def of(
        cls,
        networks: InputsLike,
        weights: Weights | None = None,
        states: StatesLike | None = None,
        options: InputOptions = PLAIN,
    ) -> Inputs:
        """Checked inputs; `states` are added to their own."""
        listed = [networks] if isinstance(networks, Tally) else as_list(as_named(networks))
        if any(isinstance(one, Tally) for one in listed):
            merged = _merged(listed, weights, options)
            known = _given_states(merged.variables, {}, states)
            unknown = options.support == "class" and merged.fixed is None
            return cls((), (), (), merged, *known, notes=(_NO_CLASSES,) if unknown else (), options=options)
        said = [_input_votes_of(one, i, options) for i, one in enumerate(listed)]
        called = given_names(listed)
        exact = [weight * one.networks for weight, one in zip(exact_weights(weights, called), said, strict=True)]
        has_votes = any(one.shares is not None for one in said)  # which are themselves rounded
        whole = whole_weights(exact, _largest_weight(said), may_round=has_votes)
        kept = [i for i, weight in enumerate(whole) if weight]
        if options.variables == SAME:
            _check_same(listed, said)
            variables = said[0].variables
        else:
            variables = common_variables(options.variables, [said[i].variables for i in kept])
        input_votes = [said[i].among(variables, options.marginalise) for i in kept]
        names = distinct(called)
        structures = {names[i]: as_network(listed[i]) for i in kept if is_structure(listed[i])}
        tables = {name: network for name, network in structures.items() if network.has_parameters}
        left_out = [name for name, weight in zip(names, whole, strict=True) if not weight]
        differing = differing_states(structures.values())
        labels, counts = _given_states(variables, shared_states(structures.values()) or {}, states)
        return cls(
            input_votes=tuple(input_votes),
            names=tuple(names[i] for i in kept),
            weights=tuple(whole[i] for i in kept),
            tally=tally_of(variables, input_votes, [whole[i] for i in kept], _are_resamples([listed[i] for i in kept])),
            labels=labels,
            counts=counts,
            exact_weights=tuple(exact[i] for i in kept),
            left_out=tuple(left_out),
            networks=tuple(tables.get(names[i]) for i in kept) if tables else (),
            notes=(
                *_notes(left_out, differing),
                *_repeated([listed[i] for i in kept]),
                *_twins(input_votes),
            ),
            differing=differing,
            options=options,
        )

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables, in the order of the first input."""
        return self.tally.variables

    @property
    def given_weights(self) -> tuple[Fraction, ...]:
        """The weights as given; in files of older versions, whole numbers in the same proportions."""
        exact = self.exact_weights or tuple(map(Fraction, self.weights))
        return tuple(weight / one.networks for weight, one in zip(exact, self.input_votes, strict=True))

    @property
    def without_tables(self) -> tuple[str, ...]:
        """Names of the inputs without tables, if others have tables."""
        return tuple(name for name, one in zip(self.names, self.networks, strict=False) if one is None)

    @property
    def states(self) -> dict[str, tuple[str, ...]]:
        """The states of the variables for which they are known."""
        named = zip(self.variables, self.labels or (None,) * len(self.variables), strict=True)
        return {name: labels for name, labels in named if labels is not None}

    @property
    def assumed_states(self) -> dict[str, tuple[str, ...]]:
        """These states and, if only their number is known, that many called 1, 2, 3 and so on."""
        numbered = {
            name: tuple(str(i + 1) for i in range(count))
            for name, count in zip(self.variables, self.counts, strict=False)
            if count is not None
        }
        return numbered | self.states

    def state_counts(self, what: str) -> tuple[int, ...]:
        """The number of states of each variable; if some are not known, an error says that `what` needs them."""
        counts = self.counts or (None,) * len(self.variables)
        known = {name: count for name, count in zip(self.variables, counts, strict=True) if count is not None}
        known |= {name: len(labels) for name, labels in self.states.items()}
        if unknown := [name for name in self.variables if name not in known]:
            why = self.differing or f"those of {listed(unknown, _NAMED)} are not known"
            raise OptionError(
                f"{what} needs the number of states of every variable: {why}; {option_name('states')} gives them"
            )
        return tuple(known[name] for name in self.variables)

    @property
    def unjudged(self) -> tuple[tuple[str, str], ...]:
        """The pairs of variables that no input has together: no input votes on them."""
        if self.tally.is_whole:
            return ()
        names = self.variables
        refuse_many(len(names), "listing pairs of variables")
        return tuple((names[a], names[b]) for a, b in np.argwhere(np.triu(self.tally.seen == 0, 1)).tolist())

    @cached_property
    def dags(self) -> tuple[DAG, ...]:
        """The structures over all variables, for a class one of its members; empty if an input has none."""
        dags = tuple(dag for _, dag in self.structures)
        return dags if len(dags) == len(self.input_votes) else ()

    @property
    def is_plain(self) -> bool:
        """Whether every input is a network, as far as is known."""
        return all(one.is_plain for one in self.input_votes)

    @cached_property
    def structures(self) -> tuple[tuple[str, DAG], ...]:
        """The names and structures of the inputs that have a structure over all variables."""
        named = zip(self.names, self.input_votes, strict=True)
        return tuple((name, one.dag.over(self.variables)) for name, one in named if one.dag is not None)

    @cached_property
    def sees(self) -> tuple[tuple[str, ...], ...]:
        """The variables of each input; empty if each has all."""
        if all(len(one.variables) == len(self.variables) for one in self.input_votes):
            return ()
        return tuple(one.variables for one in self.input_votes)

    @cached_property
    def directed(self) -> tuple[PDAG | None, ...]:
        """The votes of each input on directions, None if they follow its DAG; empty if all do."""
        directed = tuple(None if one.is_plain else one.directed for one in self.input_votes)
        return directed if any(one is not None for one in directed) else ()

    def needs_networks(self, what: str) -> None:
        """Refuse a request that a tally cannot answer."""
        if not self.dags:
            raise OptionError(
                f"{what} needs the networks themselves; a tally has only counts, and so have votes for arcs"
            )

    def needs_same_variables(self, what: str) -> None:
        """Refuse a request that needs networks over the same variables."""
        self.needs_networks(what)
        refuse_many(len(self.variables), what)
        for name, one in zip(self.names, self.input_votes, strict=True):
            if lacking := [variable for variable in self.variables if variable not in one.index]:
                raise OptionError(
                    f"{what} needs inputs over the same variables, but {name!r} lacks {listed(lacking, _NAMED)}"
                )

    @property
    def has_fusion(self) -> bool:
        """Whether there is a full fusion: only for networks over the same variables, and not for too many of these."""
        return bool(self.dags) and not self.sees and not self.tally.is_listed

    @cached_property
    def rows(self) -> Rows:
        """The structures for the kernel."""
        return stacked(self.dags)

    @cached_property
    def fusion(self) -> Fusion:
        """The full fusion of the inputs (the paper's G+)."""
        self.needs_same_variables("the fusion")
        return fuse(self.dags, order(self.dags, weights=self.weights))

    @cached_property
    def fused_tally(self) -> Tally:
        """The fusion as the only input."""
        return Tally.of([self.fusion.dag], [1])


def given_names(networks: Iterable[NetworkLike]) -> tuple[str, ...]:
    """The names of networks in messages: their own, or their positions."""
    given = (getattr(network, "name", None) for network in networks)
    return tuple(name if isinstance(name, str) and name else f"{i + 1}" for i, name in enumerate(given))


def distinct(names: Sequence[str]) -> tuple[str, ...]:
    """The names, each once: a repeated one gets a number, as some programs give every network the same name."""
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


def _largest_weight(input_votes: Sequence[InputVotes]) -> int:
    """The largest weight of all inputs together, in parts that are small enough for each of them."""
    parts = min(common_parts(input_votes), SOFT_PARTS)
    together = () if parts == 1 else common_variables(UNION, [one.variables for one in input_votes])
    return largest_weight(together, parts)


def tally_of(
    variables: Sequence[str], input_votes: Sequence[InputVotes], weights: Sequence[int], are_resamples: bool = False
) -> Tally:
    """The sum of the votes of inputs over some or all of the variables."""
    if all(one.is_plain and one.fixed is None and one.variables == tuple(variables) for one in input_votes):
        return Tally.of([one.dag for one in input_votes if one.dag is not None], weights, are_resamples)
    parts = common_parts(input_votes)
    fits = sum(weights) <= largest_weight(variables, parts)
    tally = Tally(variables, parts if fits else min(parts, SOFT_PARTS))
    for one, weight in zip(input_votes, weights, strict=True):
        tally.count(one, weight, keep_parts=True, is_resample=are_resamples)
    return tally


def _are_resamples(networks: Iterable[InputLike]) -> bool:
    return all(getattr(network, "made_by", "") == BOOTSTRAP for network in networks)


def _input_votes_of(network: InputLike, position: int, options: InputOptions) -> InputVotes:
    """The votes of an input; an error in a class names it."""
    try:
        return input_votes_of(network, options.support, options.soft)
    except GraphError as error:
        raise GraphError(f"{network_label(network, position)}: {error}") from None


def _check_same(networks: Sequence[InputLike], input_votes: Sequence[InputVotes]) -> None:
    first = input_votes[0].variables
    for position, one in enumerate(input_votes):
        if one.variables != first:
            labels = network_label(networks[0], 0), network_label(networks[position], position)
            check_same_variables(DAG(first), DAG(one.variables), *labels)


def common_variables(which: str, variables: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The variables of the first of some inputs, those of any input, or those of all inputs."""
    if which == SAME:
        return tuple(variables[0])
    if which == UNION:
        return tuple(dict.fromkeys(name for own in variables for name in own))
    everywhere = frozenset(variables[0]).intersection(*variables)
    if not everywhere:
        raise MismatchError("the inputs share no variable, so there is no consensus to find")
    return tuple(name for name in variables[0] if name in everywhere)


def _merged(tallies: Sequence[Tally | InputLike], weights: Weights | None, options: InputOptions) -> Tally:
    if weights is not None or not all(isinstance(one, Tally) for one in tallies):
        raise OptionError("tallies can be mixed neither with networks nor with weights")
    if options.variables == SHARED:
        raise OptionError(
            f"a tally has counted over its own variables: {option_name('variables')} {SHARED} needs networks"
        )
    union = common_variables(UNION, [tally.variables for tally in tallies])
    merged = Tally(union if options.variables == UNION else tallies[0].variables)
    for tally in tallies:
        merged.merge(tally, partly=options.variables == UNION)
    if not merged.weight:
        raise OptionError("expected at least one network, got an empty tally")
    return merged.by_class() if options.support == "class" and merged.fixed is not None else merged


def _given_states(
    variables: Sequence[str], known: Mapping[str, tuple[str, ...]], given: StatesLike | None
) -> tuple[tuple[tuple[str, ...] | None, ...], tuple[int | None, ...]]:
    """The labels of each variable and, if only that was given, their number; both empty if there are none."""
    what = option_name("states")
    if given is None:
        given = {}
    if not isinstance(given, Mapping):
        raise OptionError(f"{what} must map variables to their states, or to how many they have; got {given!r:.60}")
    labels, counts = dict(known), dict[str, int]()
    for name, own in given.items():
        if name not in variables:
            raise OptionError(f"{what}: {spelling.unknown('variable', name, variables)}")
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
    """The number of states given for a variable."""
    what = option_name("states")
    if isinstance(own, Sequence) and not isinstance(own, str):
        if not own or not all(isinstance(label, str) for label in own):
            raise OptionError(f"{what}: {name!r} must have one state or more, each of them text; got {own!r:.60}")
        if len(set(own)) != len(own):
            twice = next(label for label in own if list(own).count(label) > 1)
            raise OptionError(f"{what}: {name!r} has the state {twice!r} twice")
        return len(own)
    if (count := whole_number(own)) is None or count < 1:
        raise OptionError(
            f"{what}: {name!r} must have a whole number of states, at least 1, or a list of them; got {own!r:.60}"
        )
    return count


def _twins(input_votes: Sequence[InputVotes]) -> Iterable[str]:
    """A note on variables that may be the same: spelled alike, and never together in an input."""
    spelled: dict[str, str] = {}
    for own in dict.fromkeys(one.variables for one in input_votes):
        for name in own:
            other = spelled.setdefault(spelling.letters(name) or name, name)
            if name != other and not any({name, other} <= one.index.keys() for one in input_votes):
                proposes = option_name("bnfuse.align(networks)")
                yield f"{other!r} and {name!r} look alike: if they are one variable, {proposes} proposes common names"
                return


def _repeated(networks: Sequence[InputLike]) -> Iterable[str]:
    """A note on an input that is given twice under one name; networks that bnfuse made often have the same name."""
    known: dict[str, list[InputLike]] = {}
    for one in networks:
        if isinstance(one, Network | PDAG | ArcVotes) and one.name and not getattr(one, "made_by", ""):
            before = known.setdefault(one.name, [])
            if any(same_content(one, other) for other in before):
                yield f"the input {one.name!r} is given twice and counts twice; leave one out unless this is intended"
                return
            before.append(one)


def _notes(left_out: Sequence[str], differing: str | None) -> Iterable[str]:
    if left_out:
        yield f"{listed(left_out)} {'was' if len(left_out) == 1 else 'were'} left out: weight 0"
    if differing is not None:
        yield f"{differing}; {_KEPT}"
