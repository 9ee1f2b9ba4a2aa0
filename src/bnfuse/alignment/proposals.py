"""Proposals for names and states of several networks that belong together."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bnfuse._base.public import public
from bnfuse._base.texts import listed
from bnfuse.alignment.alignment import Alignment, known_input, states_of
from bnfuse.alignment.marginal_fit import Marginals, apart, judged
from bnfuse.alignment.name_matching import SURE, Match, MatchedName, matched_names
from bnfuse.alignment.state_matching import MatchedLabel, matched_labels
from bnfuse.alignment.table import CHECK, EVERY, AlignmentRow
from bnfuse.graphs.arc_votes import ArcVotes
from bnfuse.graphs.dag import DAG, NetworkLike, as_dag, as_list, is_network
from bnfuse.graphs.network import Network
from bnfuse.graphs.pdag import PDAG
from bnfuse.graphs.renaming import as_named
from bnfuse.problem.inputs import distinct, given_names

_NAMED = 3  # networks that a reason lists


@public
def align(*networks: NetworkLike | Iterable[NetworkLike]) -> Alignment:
    """Propose which names and states of several networks belong together.

    Names are joined by their letters (case, accents, punctuation and camelCase do not count), by their words, by
    spelling and, in the end, by their neighbours alone; states and neighbours support or weaken a spelling. A name that
    several networks have is the same variable in all of them; two names of one network never are, nor are opposites
    such as hyperglycemia and hypoglycemia. The common name is the one that most networks have, and among several of
    these the first.

    States are joined by rules: equal numbers and intervals, yes and no in any wording, unique initials, places on a
    scale such as low, medium, high. Other states are guessed and need a check. Where two networks have tables, their
    marginal distributions decide which match fits.

    Parameters
    ----------
    *networks
        Networks, one by one or in a list.

    Returns
    -------
    Alignment
        A row for each variable and state that differs. Rows that need a check have a `why` that begins with "check":
        uncertain rows, and variables that only some of the networks have.

    Raises
    ------
    OptionError
        These are not networks.

    Examples
    --------
    >>> import bnfuse
    >>> one = bnfuse.DAG.from_edges([("lung_cancer", "cough")])
    >>> two = bnfuse.DAG.from_edges([("LungCancer", "Cough")])
    >>> [(row.network, row.variable, row.name) for row in bnfuse.align(one, two).rows]
    [('2', 'LungCancer', 'lung_cancer'), ('2', 'Cough', 'cough')]
    """
    given = as_list(as_named(networks[0] if len(networks) == 1 and not is_network(networks[0]) else networks))
    return Alignment(tuple(_Proposal(given).rows()))


@dataclass(frozen=True, slots=True)
class _MatchedStates:
    """The meaning of one network's labels of a variable in another network, whose labels are the common ones."""

    network: int
    variable: str
    other_network: int
    other_variable: str
    labels: list[MatchedLabel]

    @property
    def differ(self) -> bool:
        """Whether the labels differ."""
        return any(match.label != match.becomes or not match.confidence for match in self.labels)


class _Proposal:
    """Networks, and the names in them that belong together."""

    def __init__(self, given: Sequence[NetworkLike]) -> None:
        self.labels = distinct(given_names(given))
        self.known = [known_input(network) for network in given]
        self.states = [states_of(network) for network in self.known]
        self.having: dict[str, list[int]] = defaultdict(list)
        for k, network in enumerate(self.known):
            for name in network.variables:
                self.having[name].append(k)
        self.matches = matched_names([_neighbours(network) for network in self.known], self.states)
        self.matched_states = [{one.network: one for one in self._matched_states(match)} for match in self.matches]
        self.marginals = self._marginals()

    def rows(self) -> Iterator[AlignmentRow]:
        """The rows of the table, variable by variable."""
        for match, matched in zip(self.matches, self.matched_states, strict=True):
            for other in match.others:
                for k in self.having[other.name]:
                    why = _marked(other.why, other.confidence) + self._tables_about(other, matched.get(k))
                    yield AlignmentRow(self.labels[k], other.name, match.common, why=why, confidence=other.confidence)
            yield from self._lone_row(match)
            for one in matched.values():
                yield from self._state_rows(one) if one.differ else ()

    def _owners(self, match: Match) -> dict[int, str]:
        """The networks that have a variable, and its name in each."""
        names = (match.common, *(other.name for other in match.others))
        return dict(sorted((k, name) for name in names for k in self.having[name]))

    def _lone_row(self, match: Match) -> Iterator[AlignmentRow]:
        """A row for the variable itself if some networks lack it."""
        owners = self._owners(match)
        lacking = [label for k, label in enumerate(self.labels) if k not in owners]
        if not lacking:
            return
        where = f"not in {listed(lacking, _NAMED, str)}"
        if len(owners) < len(lacking):
            where = f"only in {listed([self.labels[k] for k in owners], _NAMED, str)}"
        if match.contrary is not None:
            name, why = match.contrary
            where += f"; {name!r} is taken for another variable ({why})"
        yield AlignmentRow(EVERY, match.common, match.common, why=f"{CHECK}{where}", confidence=0.0)

    # States

    def _matched_states(self, match: Match) -> Iterator[_MatchedStates]:
        """How the labels of a variable match those that most networks have."""
        owners = self._owners(match)
        known = {k: own[name] for k, name in owners.items() if (own := self.states[k]) is not None}
        if not known:
            return
        often = Counter(map(frozenset, known.values()))
        common = max(known.values(), key=lambda labels: often[frozenset(labels)])
        having = [k for k, labels in known.items() if frozenset(labels) == frozenset(common)]
        other = next((k for k in having if _has_tables(self.known[k])), having[0])
        for k, labels in known.items():
            yield _MatchedStates(k, owners[k], other, owners[other], matched_labels(common, labels))

    def _state_rows(self, one: _MatchedStates) -> Iterator[AlignmentRow]:
        """The new labels for the states of a variable."""
        mine = self.marginals.of(one.network, one.variable)
        theirs = self.marginals.of(one.other_network, one.other_variable)
        labels = one.labels if mine is None or theirs is None else judged(one.labels, mine, theirs)
        for match in (match for match in labels if match.label):
            why = _marked(match.why, match.confidence)
            yield AlignmentRow(
                self.labels[one.network], one.variable, "", match.label, match.becomes, why, match.confidence
            )

    # Tables

    def _marginals(self) -> Marginals:
        """The marginal distributions of variables whose names or labels are doubtful."""
        wanted: dict[int, set[str]] = defaultdict(set)
        for match, matched in zip(self.matches, self.matched_states, strict=True):
            doubtful = {other.name for other in match.others if other.confidence < SURE}
            for one in matched.values():
                if one.differ or one.variable in doubtful:
                    wanted[one.network].add(one.variable)
                    wanted[one.other_network].add(one.other_variable)
        return Marginals(self.known, wanted)

    def _tables_about(self, other: MatchedName, one: _MatchedStates | None) -> str:
        """The addition to the reason for a doubtful name if both networks have tables for it."""
        if one is None or other.confidence >= SURE:
            return ""
        mine = self.marginals.of(one.network, one.variable)
        theirs = self.marginals.of(one.other_network, one.other_variable)
        distance = None if mine is None or theirs is None else apart(one.labels, mine, theirs)
        return "" if distance is None else f"; probabilities {distance:.2f} apart"


def _has_tables(network: Any) -> bool:
    return isinstance(network, Network) and network.cpts is not None


def _marked(why: str, confidence: float) -> str:
    return why if confidence >= SURE else f"{CHECK}{why}"


def _neighbours(known: Any) -> DAG:
    """The structure of an input; edges without a direction follow the order of the variables."""
    if isinstance(known, ArcVotes):
        arcs = np.argwhere(np.triu(known.counts + known.counts.T, 1)).tolist()
        return DAG(known.variables, [(known.variables[a], known.variables[b]) for a, b in arcs])
    if isinstance(known, PDAG):
        place = {name: i for i, name in enumerate(known.variables)}
        pairs = (*known.arcs, *known.edges)
        return DAG(known.variables, [(a, b) if place[a] < place[b] else (b, a) for a, b in pairs])
    return as_dag(known)
