"""Which names of several networks stand for the same variable.

A name means the same wherever it occurs, and two names in one network never mean the same; nor do opposites. The other
names are joined, the best match first: by spelling, supported by states and neighbours, and finally by neighbours
alone.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import product
from operator import or_

import numpy as np

from bnfuse._base.spelling import (
    LEAST,
    MORE_WORDS,
    ONE_MORE,
    OTHER_ORDER,
    SAME_LETTERS,
    SAME_WORDS,
    SWAPPED,
    consonants,
    letters,
    likeness,
    numbers,
    starts,
    words,
)
from bnfuse._base.texts import count
from bnfuse.alignment.opposites import opposed
from bnfuse.alignment.state_meanings import meanings
from bnfuse.graphs.dag import DAG

SURE = 0.85
"""A match with this confidence needs no check."""
_DOUBTFUL = 0.84  # the highest confidence for names that may well be two words, even if states and neighbours fit
_SURE_KINDS = frozenset({SAME_LETTERS, SAME_WORDS, OTHER_ORDER, ONE_MORE, SWAPPED})
_TIERS = ({SAME_LETTERS}, {SAME_WORDS, OTHER_ORDER}, {ONE_MORE, SWAPPED}, {MORE_WORDS})  # the others come last

_BUCKETS = 64  # the scale on which letters are counted
_SUPPORT = 0.05  # how much states, and neighbours, raise or lower the confidence in a spelling
_LEAST_CONFIDENCE = 0.6
_AS_GOOD = 0.05
_MOST_AROUND = 64  # a neighbour with more unmatched variables than this says nothing about any of them
_LEAST_SHARED = 0.75  # the number of neighbours that two variables without a similar name must share


@dataclass(frozen=True, slots=True)
class Link:
    """Why two names are taken as one."""

    one: int
    other: int
    share: float = 0.0
    """how similar the names are; 0 if only neighbours and states match"""
    like: str = ""
    confidence: float = 0.0
    why: str = ""
    rival: str = ""
    """a name that would fit equally well"""


@dataclass(frozen=True, slots=True)
class MatchedName:
    """A name, and why it stands for the same variable as the common one."""

    name: str
    confidence: float
    why: str


@dataclass(frozen=True, slots=True)
class Match:
    """Names of one variable."""

    common: str
    others: tuple[MatchedName, ...]
    contrary: tuple[str, str] | None = None
    """a similar name, and why it is not taken for one of them"""


def matched_names(dags: Sequence[DAG], states: Sequence[Mapping[str, tuple[str, ...]] | None]) -> list[Match]:
    """The variables of several networks, each with all its names, in the order of their first mention."""
    groups = _Groups(dags, states)
    groups.join_alike()
    while groups.join_by_neighbours():
        groups.join_alike()
    return groups.matches()


class _Groups:
    """Names, and which of them have been joined."""

    def __init__(self, dags: Sequence[DAG], states: Sequence[Mapping[str, tuple[str, ...]] | None]) -> None:
        self.names = list(dict.fromkeys(name for dag in dags for name in dag.variables))
        number = {name: i for i, name in enumerate(self.names)}
        self.networks = [0] * len(self.names)  # bit k: network k has this name
        self.near: list[set[int]] = [set() for _ in self.names]
        self.meanings: list[frozenset[object] | None] = [None] * len(self.names)
        for k, dag in enumerate(dags):
            own = [number[name] for name in dag.variables]
            known = states[k]
            for i, name in zip(own, dag.variables, strict=True):
                self.networks[i] |= 1 << k
                if known is not None and self.meanings[i] is None:
                    self.meanings[i] = meanings(known[name])
            for source, target in dag.arc_numbers.tolist():
                self.near[own[source]].add(own[target])
                self.near[own[target]].add(own[source])
        self.all = (1 << len(dags)) - 1
        self.group = list(range(len(self.names)))
        self.members = {i: [i] for i in range(len(self.names))}
        self.seen_by = dict(enumerate(self.networks))
        self.links: list[Link] = []
        self.contraries: dict[int, tuple[int, str]] = {}
        self.alike = [*self._alike()]

    def _alike(self) -> Iterator[Link]:
        """Pairs of similar names that never occur in the same network."""
        left = [i for i in range(len(self.names)) if self.networks[i] != self.all]
        for i, j in sorted(_likely([self.names[i] for i in left])):
            one, other = left[i], left[j]
            if not self.networks[one] & self.networks[other]:
                like = likeness(self.names[one], self.names[other])
                if like is not None and (why := opposed(self.names[one], self.names[other])) is not None:
                    self.contraries.setdefault(one, (other, why))
                    self.contraries.setdefault(other, (one, why))
                elif like is not None:
                    yield Link(one, other, like.share, like.why)

    def join_alike(self) -> None:
        """Join similar names: first the same letters or words, then typing errors, more words, similar spellings."""
        joined = True
        while joined:
            joined = False
            for tier in range(len(_TIERS) + 1):
                links = [
                    self._supported(link, self._names(link.one), self._names(link.other))
                    for link in self.alike
                    if _tier(link) == tier and self._may(link)
                ]
                links.sort(key=lambda link: (-link.confidence, link.one, link.other))
                ends = _by_end(links)
                for link in links:
                    if link.confidence >= _LEAST_CONFIDENCE and self._may(link):
                        self._join(self._doubted(link, ends))
                        joined = True

    def join_by_neighbours(self) -> bool:
        """Join variables that fit by their states and neighbours and have no rival; True if there were any."""
        links = sorted(self._neighbourly(), key=lambda link: (-link.confidence, link.one, link.other))
        ends = _by_end(links)
        joined = False
        for link in links:
            if self._may(link) and next(self._rivals(link, ends), None) is None:
                self._join(link)
                joined = True
        return joined

    def _names(self, name: int) -> list[int]:
        """All names that are joined with this one."""
        return self.members[self.group[name]]

    def _may(self, link: Link) -> bool:
        one, other = self.group[link.one], self.group[link.other]
        if one == other or self.seen_by[one] & self.seen_by[other]:
            return False
        pairs = product(self.members[one], self.members[other])
        return not any(opposed(self.names[a], self.names[b]) for a, b in pairs if (a, b) != (link.one, link.other))

    def _join(self, link: Link) -> None:
        one, other = sorted((self.group[link.one], self.group[link.other]))
        for i in self.members[other]:
            self.group[i] = one
        self.members[one] += self.members.pop(other)
        self.seen_by[one] |= self.seen_by.pop(other)
        self.links.append(link)

    def _supported(self, link: Link, ones: Sequence[int], others: Sequence[int]) -> Link:
        """A similar spelling, with its confidence adjusted by the states and neighbours of two groups of names."""
        confidence, why = 0.9 * link.share + 0.04, [link.like]
        if states := self._states(ones, others):
            confidence += _SUPPORT * states
            why.append("same states" if states > 0 else "different numbers of states")
        shared, total = self._shared(ones, others)
        if total:
            confidence += _SUPPORT * (2 * shared / total - 1)
            why.append(f"{shared} of {count(total, 'neighbour')} shared")
        return replace(link, confidence=min(confidence, 1.0), why=", ".join(why))

    def _states(self, ones: Sequence[int], others: Sequence[int]) -> int:
        """1 if the states mean the same, -1 if their numbers differ, 0 if nothing is known or the labels differ."""
        mine, theirs = (next(filter(None, map(self.meanings.__getitem__, group)), None) for group in (ones, others))
        if mine is None or theirs is None:
            return 0
        return 1 if mine == theirs else -(len(mine) != len(theirs))

    def _shared(self, ones: Sequence[int], others: Sequence[int]) -> tuple[int, int]:
        """How many neighbours two groups of names share, among those that networks of both groups have."""
        mine, theirs = (self._near(group) for group in (ones, others))
        seen = [reduce(or_, map(self.networks.__getitem__, group)) for group in (ones, others)]
        known = [near for near in mine | theirs if all(self.seen_by[near] & mask for mask in seen)]
        return sum(near in mine and near in theirs for near in known), len(known)

    def _near(self, names: Sequence[int]) -> set[int]:
        return {self.group[near] for i in names for near in self.near[i]}

    def _doubted(self, link: Link, ends: Mapping[int, Sequence[Link]]) -> Link:
        """The link, with less confidence if another one is about equally good."""
        return replace(link, rival=next(self._rivals(link, ends), ""))

    def _rivals(self, link: Link, ends: Mapping[int, Sequence[Link]]) -> Iterator[str]:
        """Names that could be joined to one end of a link about equally well, but only instead of the other end."""
        for kept, given_up in ((link.one, link.other), (link.other, link.one)):
            excluded = self.seen_by[self.group[given_up]]
            for rival in (rival for i in self._names(kept) for rival in ends.get(i, ())):
                beyond = rival.other if self.group[rival.one] == self.group[kept] else rival.one
                is_other = self.group[beyond] != self.group[given_up] and self.seen_by[self.group[beyond]] & excluded
                if is_other and rival.confidence >= link.confidence - _AS_GOOD and self._may(rival):
                    yield self.names[beyond]

    def _neighbourly(self) -> Iterator[Link]:
        """Pairs whose states and neighbours fit, whatever their names are."""
        left = {group for group, seen in self.seen_by.items() if seen != self.all}
        around = defaultdict(set)
        for group in left:
            for near in self._near(self.members[group]):
                around[near].add(group)
        telling = [groups for groups in around.values() if len(groups) <= _MOST_AROUND]
        pairs = {
            (one, other)
            for groups in telling
            for one in groups
            for other in groups
            if one < other and not self.seen_by[one] & self.seen_by[other]
        }
        for one, other in sorted(pairs):
            ones, others = self.members[one], self.members[other]
            link, same = Link(ones[0], others[0]), self._states(ones, others)
            if same < 0 or self._is_numbered_apart(link) or opposed(self.names[link.one], self.names[link.other]):
                continue
            shared, total = self._shared(ones, others)
            if shared >= max(_LEAST_SHARED * total, 1) and (shared > 1 or self._are_last(one, other)):
                why = f"different name, {shared} of {count(total, 'neighbour')} shared{', same states' if same else ''}"
                yield replace(link, confidence=0.3 + 0.3 * shared / total + _SUPPORT * same, why=why)

    def _is_numbered_apart(self, link: Link) -> bool:
        """X1 and X2 are different variables, however similar their neighbours are."""
        one, other = self.names[link.one], self.names[link.other]
        texts = [[word for word in words(name) if not word.isdecimal()] for name in (one, other)]
        return numbers(one) != numbers(other) and texts[0] == texts[1]

    def _are_last(self, one: int, other: int) -> bool:
        """Whether two networks, one of each group, have the same variables except for this one."""
        mine, theirs = (self.seen_by[group] & -self.seen_by[group] for group in (one, other))
        lacking = [
            sum(bool(seen & a) and not seen & b for seen in self.seen_by.values())
            for a, b in ((mine, theirs), (theirs, mine))
        ]
        return lacking == [1, 1]

    def matches(self) -> list[Match]:
        """The groups of names that were joined."""
        found = []
        ends = _by_end([self._judged(link) for link in self.links])
        for group in sorted(self.members):
            members = sorted(self.members[group])
            common = max(members, key=lambda i: (self.networks[i].bit_count(), -i))
            reasons = _weakest(common, ends)
            others = (MatchedName(self.names[i], reasons[i].confidence, reasons[i].why) for i in members if i != common)
            found.append(Match(self.names[common], tuple(others), self._contrary(members)))
        return found

    def _contrary(self, members: Sequence[int]) -> tuple[str, str] | None:
        """A name that looks like one of these but means the opposite, and the reason."""
        for other, why in (self.contraries[i] for i in members if i in self.contraries):
            return self.names[other], why
        return None

    def _judged(self, link: Link) -> Link:
        """A link as it looks at the end, when most neighbours have been joined."""
        judged = self._supported(link, [link.one], [link.other]) if link.share else link
        if link.like not in _SURE_KINDS:
            judged = replace(judged, confidence=min(judged.confidence, _DOUBTFUL))
        if not link.rival:
            return judged
        confidence = min(judged.confidence, _LEAST_CONFIDENCE)
        return replace(judged, confidence=confidence, why=f"{judged.why}; {link.rival!r} fits as well")


def _tier(link: Link) -> int:
    """The order in which links are tried: surer kinds before weaker ones, however well states and neighbours fit."""
    return next((tier for tier, kinds in enumerate(_TIERS) if link.like in kinds), len(_TIERS))


def _by_end(links: Sequence[Link]) -> dict[int, list[Link]]:
    ends: dict[int, list[Link]] = defaultdict(list)
    for link in links:
        ends[link.one].append(link)
        ends[link.other].append(link)
    return ends


def _weakest(common: int, ends: Mapping[int, Sequence[Link]]) -> dict[int, Link]:
    """The weakest link between the common name of a group and each other name; the links of a group form a tree."""
    found: dict[int, Link] = {}
    reached = [common]
    for end in reached:
        for link in ends.get(end, ()):
            beyond = link.other if link.one == end else link.one
            if beyond not in found and beyond != common:
                found[beyond] = min(link, found.get(end, link), key=lambda one: one.confidence)
                reached.append(beyond)
    return found


def _likely(names: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Pairs of names that may be similar: the same letters or beginnings, or the same numbers and most letters."""
    alike: dict[object, list[int]] = defaultdict(list)
    numbered: dict[object, list[int]] = defaultdict(list)
    worded: dict[object, list[int]] = defaultdict(list)
    for i, name in enumerate(names):
        for key in {letters(name), starts(name), ("consonants", consonants(name))}:
            alike[key].append(i)
        worded[tuple(sorted(words(name)))].append(i)
        numbered[numbers(name)].append(i)
    found = {(i, j) for same in alike.values() for i in same for j in same if i < j}
    for j, name in enumerate(names):
        found |= {(min(i, j), max(i, j)) for rest in _without_a_word(name) for i in worded.get(rest, ())}
    for block in numbered.values():
        counts = np.zeros((len(block), _BUCKETS), np.int16)
        for row, i in enumerate(block):
            for letter, often in Counter(letters(names[i])).items():
                counts[row, ord(letter) % _BUCKETS] += min(often, 1 << 14)
        sizes = counts.sum(1)
        for row in range(len(block) - 1):
            more = counts[row] - counts[row + 1 :]
            surplus, lack = np.maximum(more, 0).sum(1), np.maximum(-more, 0).sum(1)
            # A spelling distance is at least the number of letters that only one of the two names has.
            least = np.maximum(surplus, lack) <= (1 - LEAST) * np.maximum(sizes[row], sizes[row + 1 :]) + 1e-9
            for later in np.flatnonzero(least).tolist():
                found.add((block[row], block[row + 1 + later]))
    yield from found


def _without_a_word(name: str) -> Iterator[tuple[str, ...]]:
    """The words of a name in a fixed order, and the same with each word left out in turn."""
    own = sorted(words(name))
    for i in range(len(own) if len(own) > 1 else 0):
        yield (*own[:i], *own[i + 1 :])
