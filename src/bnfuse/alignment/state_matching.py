"""Which labels of two variables stand for the same state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bnfuse._base.spelling import letters, likeness

_SAME = (
    frozenset({"yes", "true", "present", "positive", "y", "t", "on"}),
    frozenset({"no", "false", "absent", "negative", "n", "f", "off"}),
)
_SIGNS = "<>\u2264\u2265=+"
_AS_DIGITS = {"0": _SAME[1], "1": _SAME[0]}

EXACT, MEANT, GUESSED, NONE = 1.0, 0.9, 0.5, 0.0
"""How sure a match is: the same label, the same meaning, only the place among the others, or no match at all."""


@dataclass(frozen=True, slots=True)
class MatchedLabel:
    """A label, the common one that it stands for, and why."""

    label: str
    becomes: str
    confidence: float
    why: str


def meanings(labels: Sequence[str]) -> list[object]:
    """What labels say, whatever their spelling: the same for yes, True and present, and for 1 where the other is 0."""
    plain = [_signs(label) + letters(label) or label for label in labels]
    if len(set(plain)) < len(plain):
        return list(labels)
    if set(plain) == set(_AS_DIGITS):
        return [_AS_DIGITS[text] for text in plain]
    meant: list[object] = [next((group for group in _SAME if text in group), text) for text in plain]
    return meant if len(set(meant)) == len(meant) else list(plain)


def _signs(label: str) -> str:
    """What tells < 5 from > 5, and -1 from 1."""
    minus = "-" if label.strip().startswith(("-", "\u2212")) else ""
    return minus + "".join(char for char in label if char in _SIGNS)


def matched_labels(common: Sequence[str], own: Sequence[str]) -> list[MatchedLabel]:
    """Each label of a variable with the common one that it stands for, in the order of these; at last those without."""
    found: dict[str, MatchedLabel] = {}
    if _are_numbers(common) and _are_numbers(own) and len(common) == len(own) and set(common) != set(own):
        # 1, 2 beside 0, 1: what stands for 1 is not the same label, but the second number.
        _add_pairs(found, sorted(own, key=float), sorted(common, key=float), "by order: these are numbers")
    for label in own:
        if label in common and label not in found and not _is_taken(found, label):
            found[label] = MatchedLabel(label, label, EXACT, "the same label")
    for matches in (_alike_in_meaning, _alike_in_spelling):
        for match in matches(common, own):
            if match.label not in found and not _is_taken(found, match.becomes):
                found[match.label] = match
    left = [label for label in own if label not in found]
    free = [label for label in common if not _is_taken(found, label)]
    if len(left) == len(free) and left:
        _add_pairs(found, left, free, "the only one left" if len(left) == 1 else "by order only")
    for label in own:
        here = "" if len(own) == len(common) else f": {len(own)} states here, {len(common)} in common"
        found.setdefault(label, MatchedLabel(label, label, NONE, f"no counterpart{here}"))
    place = {label: i for i, label in enumerate(common)}
    return sorted(found.values(), key=lambda match: (place.get(match.becomes, len(common)), own.index(match.label)))


def _alike_in_meaning(common: Sequence[str], own: Sequence[str]) -> list[MatchedLabel]:
    known = dict(zip(meanings(common), common, strict=True))
    return [
        MatchedLabel(
            label, known[meaning], MEANT, "the same letters" if _same(label, known[meaning]) else "the same meaning"
        )
        for label, meaning in zip(own, meanings(own), strict=True)
        if meaning in known
    ]


def _alike_in_spelling(common: Sequence[str], own: Sequence[str]) -> list[MatchedLabel]:
    pairs = [
        (like, label, other)
        for label in own
        for other in common
        if _signs(label) == _signs(other) and (like := likeness(label, other)) is not None
    ]
    pairs.sort(key=lambda pair: -pair[0].share)
    return [MatchedLabel(label, other, like.share, like.why) for like, label, other in pairs]


def _add_pairs(found: dict[str, MatchedLabel], labels: Sequence[str], others: Sequence[str], why: str) -> None:
    for label, other in zip(labels, others, strict=True):
        found[label] = MatchedLabel(label, other, GUESSED, why)


def _is_taken(found: dict[str, MatchedLabel], label: str) -> bool:
    return any(match.becomes == label for match in found.values())


def _same(one: str, other: str) -> bool:
    return letters(one) == letters(other)


def _are_numbers(labels: Sequence[str]) -> bool:
    return all(label.isascii() and label.isdecimal() for label in labels)
