"""Decisions on names: the names of an input's variables and states in this workspace. The files stay unchanged."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bnfuse._base.spelling import unknown
from bnfuse.alignment.table import AlignmentRow
from bnfuse.errors import OptionError
from bnfuse.inference.experts.judgements import RowJudgement
from bnfuse.serve import limits
from bnfuse.serve.workspace.state import Arc, Input, State, StateNames, VariableName, note_key, tiers_of

TALLY = "tally"


@dataclass(frozen=True, slots=True)
class Holdings:
    """The variables of an input as in its file, and their states if these are known."""

    variables: tuple[str, ...]
    states: Mapping[str, Sequence[str]] | None
    is_tally: bool = False


def holdings_of(facts: Mapping[str, Any], place: int) -> Holdings:
    """By the facts of its file."""
    own = facts["inputs"][place] if "inputs" in facts else {}
    return Holdings(tuple(own.get("variables", facts["variables"])), own.get("states"), facts.get("kind") == TALLY)


def names_by_input(question: State) -> dict[str, dict[str, str]]:
    """The names of variables, by the ids of their inputs; undecided ones keep their names."""
    found: dict[str, dict[str, str]] = {}
    for one in question.names:
        found.setdefault(one.id, {})[one.variable] = one.name
    return found


def with_name(question: State, own: Input, variable: str, name: str | None, holds: Holdings) -> State:
    """The question with a variable of an input renamed; its own name is a decision too, None withdraws it."""
    _check_known(own, variable, holds)
    others = [one for one in question.names if (one.id, one.variable) != (own.id, variable)]
    if name is None:
        return replace(question, names=tuple(others))
    wanted = name if name == variable else _checked(f"the name of {variable}", name)
    renamed = {one.variable: one.name for one in others if one.id == own.id} | {variable: wanted}
    for before, after in renamed.items():
        if after != before and renamed.get(after, after) != after:
            raise OptionError(
                f"{own.name}: {before} cannot become {after}, because {after} itself becomes {renamed[after]}; give "
                "each variable the name that it is to end with"
            )
    taken: dict[str, str] = {}
    for one in holds.variables:
        if (other := taken.setdefault(renamed.get(one, one), one)) != one:
            raise OptionError(f"{own.name} has both {other} and {one}: two variables cannot have the same name")
    names = sorted([*others, VariableName(own.id, variable, wanted)], key=_place)
    _check_room(names, question.labels)
    return replace(question, names=tuple(names))


def with_states(question: State, own: Input, variable: str, states: Any, holds: Holdings) -> State:
    """The question with the states of a variable of an input renamed; None withdraws a decision."""
    _check_known(own, variable, holds)
    others = [one for one in question.labels if (one.id, one.variable) != (own.id, variable)]
    if states is None:
        return replace(question, labels=tuple(others))
    known = (holds.states or {}).get(variable)
    if known is None:
        raise OptionError(f"{own.name} does not say which states {variable} has: there is nothing to rename")
    if not isinstance(states, Mapping) or not all(isinstance(one, str) for one in states.values()):
        raise OptionError(f'states must map each state to its name, such as {{"yes": "true"}}; got {states!r:.60}')
    for one in states:
        if one not in known:
            raise OptionError(f"{variable} of {own.name}: {unknown('state', one, known)}")
    labels = {
        one: text if text == one else _checked(f"a state of {variable}", text) for one, text in states.items()
    } | {one: one for one in known if one not in states}
    taken: dict[str, str] = {}
    for one, label in labels.items():
        if (other := taken.setdefault(label, one)) != one:
            raise OptionError(
                f"{variable} of {own.name}: the states {other} and {one} cannot both be called {label}: that would "
                "merge them"
            )
    found = sorted([*others, StateNames(own.id, variable, tuple(labels.items()))], key=_place)
    _check_room(question.names, found)
    return replace(question, labels=tuple(found))


def without(question: State, own: Input) -> State:
    """The question without the decisions on an input."""
    return replace(
        question,
        names=tuple(one for one in question.names if one.id != own.id),
        labels=tuple(one for one in question.labels if one.id != own.id),
    )


def _place(one: VariableName | StateNames) -> tuple[str, str]:
    return one.id, one.variable


def _check_known(own: Input, variable: str, holds: Holdings) -> None:
    if holds.is_tally:
        raise OptionError(f"{own.name} is a tally, which has counted by its own names: rename before you count")
    if variable not in holds.variables:
        raise OptionError(f"{own.name}: {unknown('variable', variable, holds.variables)}")


def _check_room(names: Sequence[VariableName], labels: Sequence[StateNames]) -> None:
    if len(names) + len(labels) > limits.MOST_NAMES:
        raise OptionError(f"there are {limits.MOST_NAMES:,} decisions on names already")


def _checked(what: str, text: str) -> str:
    plain = text.strip()
    if not 1 <= len(plain) <= limits.LONGEST_NAME or not plain.isprintable():
        raise OptionError(f"{what} must become 1 to {limits.LONGEST_NAME} characters; got {text!r:.60}")
    return plain


# Effects of decisions


def alignment_rows(question: State, labels: Mapping[str, str]) -> list[AlignmentRow]:
    """The table for `bnfuse.Alignment`, for some inputs; `labels` has its name for each."""
    names, states = question.renaming
    return [
        *(AlignmentRow(labels[one.id], one.variable, one.name) for one in names if one.id in labels),
        *(
            AlignmentRow(labels[one.id], one.variable, "", *pair)
            for one in states
            if one.id in labels
            for pair in one.states
        ),
    ]


def followed(question: State, old: str, new: str, variables: Collection[str]) -> State:
    """The question with rules, notes and judgements moved from names that no input has any more to the new names."""
    if old in variables or new not in variables:
        return question
    ranks = {one: rank for tier, rank in zip(question.tiers, question.tier_ranks, strict=True) for one in tier}
    if (rank := ranks.pop(old, None)) is not None:
        ranks.setdefault(new, rank)
    tiers, numbers = tiers_of(ranks)
    required, forbidden = _moved(question, old, new)
    notes = dict[str, str]()
    for pair, text in question.notes.items():
        ends = sorted(new if one == old else one for one in json.loads(pair))
        if ends[0] != ends[1]:
            key = note_key((ends[0], ends[1]))
            notes[key] = f"{notes[key]}; {text}"[: limits.LONGEST_NOTE] if key in notes else text
    question = replace(question, tiers=tiers, tier_ranks=numbers, required=required, forbidden=forbidden, notes=notes)
    return replace(question, judgements=_judged_by_new_name(question.judgements, old, new))


def _judged_by_new_name(judgements: tuple[RowJudgement, ...], old: str, new: str) -> tuple[RowJudgement, ...]:
    """Judgements of rows; a person's judgement of a row under the new name is kept."""
    found: dict[object, RowJudgement] = {}
    for one in sorted(judgements, key=lambda one: old in (one.variable, *one.given)):
        about = (one.variable, *one.given)
        if old in about and new not in about:
            given = {new if name == old else name: state for name, state in one.given.items()}
            one = replace(one, variable=new if one.variable == old else one.variable, given=given)  # noqa: PLW2901
        found.setdefault((one.row, one.by), one)
    return tuple(found.values())


def _moved(question: State, old: str, new: str) -> tuple[tuple[Arc, ...], tuple[Arc, ...]]:
    """Required and forbidden arcs; a pair that has a rule under the new name keeps it."""
    kept = {frozenset(arc) for arc in (*question.required, *question.forbidden) if old not in arc}

    def moved(arcs: tuple[Arc, ...]) -> tuple[Arc, ...]:
        found: dict[Arc, None] = {}
        for source, target in arcs:
            arc = (new if source == old else source, new if target == old else target)
            is_free = (source, target) == arc or frozenset(arc) not in kept
            if arc[0] != arc[1] and is_free:
                found[arc] = None
        return tuple(found)

    return moved(question.required), moved(question.forbidden)
