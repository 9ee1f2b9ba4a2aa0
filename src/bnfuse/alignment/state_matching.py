"""Which labels of two variables stand for the same state: found by rules, or guessed if no rule applies."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from bnfuse._base.spelling import ONE_MORE, SAME_LETTERS, SWAPPED, letters, likeness, words
from bnfuse.alignment.opposites import opposed
from bnfuse.alignment.state_meanings import Keys, answers_of, interval_of, limits_of, numbers_of, places_of, plain

EXACT, MEANT, LIKELY, GUESSED, NONE = 1.0, 0.9, 0.8, 0.5, 0.0
"""How sure a match is: the same label, the same meaning, less sure, only the same position, or no match."""


@dataclass(frozen=True, slots=True)
class MatchedLabel:
    """A label, the common one that it stands for, and why."""

    label: str
    becomes: str
    confidence: float
    why: str


def matched_labels(common: Sequence[str], own: Sequence[str]) -> list[MatchedLabel]:
    """Each label of a variable with the common one that it stands for, in the order of the latter; unmatched last."""
    matching = _Matching(common, own)
    if set(common) == set(own):
        matching.by_reading(_labels, _READINGS[0][1])
        return matching.found()
    if not matching.are_other_numbers:
        for reading, why in _READINGS:
            matching.by_reading(reading, why)
        matching.by_beginnings()
        matching.by_spelling()
    matching.by_size()
    matching.by_order()
    return matching.found()


def _labels(labels: Sequence[str]) -> Keys:
    return [*labels]


def _plain(labels: Sequence[str]) -> Keys:
    return [plain(label) for label in labels]


_READINGS: tuple[tuple[Callable[[Sequence[str]], Keys], str], ...] = (
    (_labels, "the same label"),
    (_plain, SAME_LETTERS),
    (numbers_of, "the same number"),
    (limits_of, "the same interval"),
    (answers_of, "the same meaning"),
    (places_of, "the same place on a scale"),
)


class _Matching:
    """The labels of a network, and the common ones that have been found for them."""

    def __init__(self, common: Sequence[str], own: Sequence[str]) -> None:
        self.common, self.own = common, own
        self.matches: dict[str, MatchedLabel] = {}

    @property
    def are_other_numbers(self) -> bool:
        """For labels 1, 2 and 0, 1: the counterpart of 1 is not the same label but the second number."""
        mine, theirs = numbers_of(self.common), numbers_of(self.own)
        return len(mine) == len(theirs) and None not in {*mine, *theirs} and {*mine} != {*theirs}

    @property
    def left(self) -> list[str]:
        return [label for label in self.own if label not in self.matches]

    @property
    def free(self) -> list[str]:
        taken = {match.becomes for match in self.matches.values()}
        return [label for label in self.common if label not in taken]

    def add(self, label: str, becomes: str, confidence: float, why: str) -> None:
        if label in self.left and becomes in self.free:
            self.matches[label] = MatchedLabel(label, becomes, confidence, why)

    def by_reading(self, reading: Callable[[Sequence[str]], Keys], why: str) -> None:
        """Match labels with the same meaning."""
        known = {key: label for key, label in zip(reading(self.common), self.common, strict=True) if key is not None}
        for label, key in zip(self.own, reading(self.own), strict=True):
            if (becomes := known.get(key)) is None:
                continue
            mine, theirs = interval_of(label), interval_of(becomes)
            if mine is not None and theirs is not None and not mine.may_be(theirs):
                self.add(label, becomes, LIKELY, "the same limits, but a different interval")
            else:
                self.add(label, becomes, EXACT if label == becomes else MEANT, why)

    def by_beginnings(self) -> None:
        """Match remaining labels if each abbreviates exactly one other: F and female, VL and very low."""
        left, free = self.left, self.free
        pairs = [(label, other) for label in left for other in free if _begins(label, other) or _begins(other, label)]
        if len(pairs) == len(left) == len(free) == len({a for a, _ in pairs}) == len({b for _, b in pairs}):
            for label, other in pairs:
                self.add(label, other, MEANT, "the only one with this beginning")

    def by_spelling(self) -> None:
        """Match similar labels, the most similar first."""
        pairs = [
            (like, label, other)
            for label in self.left
            for other in self.free
            if (like := likeness(label, other)) is not None and not opposed(label, other)
        ]
        for like, label, other in sorted(pairs, key=lambda pair: -pair[0].share):
            most = MEANT if like.why in (ONE_MORE, SWAPPED) else LIKELY
            self.add(label, other, min(like.share, most), like.why)

    def by_size(self) -> None:
        """Guess by the order of numbers, limits or scale positions, if all remaining labels have such an order."""
        left, free = (_sorted(labels) for labels in (self.left, self.free))
        if left is not None and free is not None and len(left) == len(free) > 1:
            for label, other in zip(left, free, strict=True):
                self.add(label, other, GUESSED, "by size")

    def by_order(self) -> None:
        """Guess by the order in which labels are listed."""
        left, free = self.left, self.free
        if len(left) == len(free):
            why = "the only one left" if len(left) == 1 else "by order only"
            for label, other in zip(left, free, strict=True):
                self.add(label, other, GUESSED, why)

    def found(self) -> list[MatchedLabel]:
        """A match for each label."""
        count = f": {len(self.own)} states here, {len(self.common)} in common"
        why = "no counterpart" + ("" if len(self.own) == len(self.common) else count)
        place = {label: i for i, label in enumerate(self.common)}
        matches = [self.matches.get(label, MatchedLabel(label, label, NONE, why)) for label in self.own]
        return sorted(matches, key=lambda match: place.get(match.becomes, len(place)))


def _begins(short: str, long: str) -> bool:
    """Whether a label is the beginning of another, or the initials of its words."""
    initials = "".join(word[0] for word in words(long))
    return bool(letters(short)) and (letters(long).startswith(letters(short)) or letters(short) == initials)


def _sorted(labels: Sequence[str]) -> list[str] | None:
    """Labels from the smallest to the largest; None if some have no size."""
    for reading in (numbers_of, limits_of, places_of):
        keys: list[Hashable | None] = reading(labels)
        if None not in keys:
            return [label for _, label in sorted(zip(keys, labels, strict=True), key=lambda pair: pair[0])]  # type: ignore[arg-type, return-value]
    return None
