"""The changes of a question: each is checked, and described in one sentence for the history and the minutes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from bnfuse._base.options import check_of, choice, one_of
from bnfuse._base.spelling import unknown
from bnfuse._base.texts import listed
from bnfuse.answer.question import METHODS, Question
from bnfuse.errors import OptionError
from bnfuse.inference.experts.judgements import checked_input_cases
from bnfuse.problem.constraints import Constraints
from bnfuse.problem.inputs import InputOptions
from bnfuse.search.direct import DirectOptions
from bnfuse.serve import limits
from bnfuse.serve.naming.decisions import Holdings, with_name, with_states, without
from bnfuse.serve.rows.changing import judged
from bnfuse.serve.workspace.state import Arc, Input, State, note_key, tiers_of

SAYS = ("require", "forbid", "forbid-direction", "free")
"""for an arc: required; no arc between the two; not in that direction; none"""
LARGEST_TIER = 1e6
_MOST_INPUT_CASES = 1_000_000
_WEIGHT = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6})?")
_SAID = {"require": "required", "forbid": "forbade", "forbid-direction": "forbade", "free": "freed"}


@dataclass(frozen=True, slots=True)
class Changed:
    """A question after a change, and the change in words."""

    question: State
    words: str


Holds = Callable[[Input], Holdings]


def _nothing(_: Input) -> Holdings:
    return Holdings((), None)


def changed(question: State, change: Any, variables: Sequence[str], holds: Holds = _nothing) -> Changed:
    """The question after a change; `variables` are those of the inputs, `holds` returns those in an input's file."""
    if not isinstance(change, Mapping):
        raise OptionError(f"a change must be an object with a kind; got {change!r:.60}")
    kind = one_of("kind", _text(change, "kind"), KINDS)
    if kind in _NAMING:
        own = _input(question, change)
        return _NAMING[kind](question, change, own, holds(own))
    return _KINDS[kind](question, change, frozenset(variables))


def _remove_input(question: State, change: Mapping[str, Any], _: frozenset[str]) -> Changed:
    gone = _input(question, change)
    kept = tuple(one for one in question.inputs if one != gone)
    drawings = {own: one for own, one in question.drawings.items() if own != gone.id}
    return Changed(replace(without(question, gone), inputs=kept, drawings=drawings), f"removed {gone.name}")


def _remove_data(question: State, change: Mapping[str, Any], _: frozenset[str]) -> Changed:
    if question.data is None:
        raise OptionError("there are no data to remove")
    return Changed(replace(question, data=None), f"removed the data {question.data.name}")


def _switch(question: State, change: Mapping[str, Any], _: frozenset[str]) -> Changed:
    own, on = _input(question, change), change.get("on")
    if not isinstance(on, bool):
        raise OptionError(f"on must be true or false; got {on!r:.60}")
    return Changed(_with(question, own, on=on), f"switched {own.name} {'on' if on else 'off'}")


def _weigh(question: State, change: Mapping[str, Any], _: frozenset[str]) -> Changed:
    own, weight = _input(question, change), change.get("weight")
    is_number = isinstance(weight, int | float) and not isinstance(weight, bool)
    text = f"{Decimal(repr(weight)):f}" if is_number else weight
    if not isinstance(text, str) or not _WEIGHT.fullmatch(text):
        raise OptionError(
            f"a weight is a number from 0 to 999999 with at most six digits after the point; got {weight!r:.60}"
        )
    plain = f"{Decimal(text).normalize():f}"
    return Changed(_with(question, own, weight=plain), f"gave {own.name} the weight {plain}")


def _rename(question: State, change: Mapping[str, Any], _: frozenset[str]) -> Changed:
    own, name = _input(question, change), _name(change, "name")
    if any(one.name == name for one in question.inputs if one != own):
        raise OptionError(f"another input is called {name!r}")
    return Changed(_with(question, own, name=name), f"called {own.name} {name}")


def _set(question: State, change: Mapping[str, Any], _: frozenset[str]) -> Changed:
    field = one_of("field", _text(change, "field"), _FIELDS)
    if "value" not in change:
        raise OptionError(f"the change of {field} has no value")
    value = _FIELDS[field](field, change["value"])
    shown = "none" if value is None else value
    settings: dict[str, Any] = {field: value}
    words = f"set {field.replace('_', ' ')} to {shown}"
    after = replace(question, **settings)
    if field != "directions" and question.directions == question.usual_directions != after.usual_directions:
        after = replace(after, directions=after.usual_directions)
        words += f", and with it directions to {after.directions}"
    return Changed(after, words)


def _arc(question: State, change: Mapping[str, Any], variables: frozenset[str]) -> Changed:
    arc = _text(change, "source"), _text(change, "target")
    say = one_of("say", _text(change, "say"), SAYS)
    _check_pair(arc, variables)
    both = {arc, arc[::-1]}
    is_pair = say in ("require", "forbid") or (say == "free" and both <= set(question.forbidden))
    stale = both if is_pair else {arc}  # for which another rule was set before
    required = tuple(one for one in question.required if one not in stale)
    forbidden = tuple(one for one in question.forbidden if one not in stale)
    if say == "require":
        required = (*required, arc)
    elif say == "forbid":
        forbidden = (*forbidden, arc, arc[::-1])
    elif say == "forbid-direction":
        forbidden = (*forbidden, arc)
    if len(required) + len(forbidden) > limits.MOST_RULES:
        raise OptionError(f"there are {limits.MOST_RULES:,} rules on arcs already")
    return Changed(
        replace(question, required=required, forbidden=forbidden),
        f"{_SAID[say]} {_shown(arc, is_pair and say != 'require')}",
    )


def _tier(question: State, change: Mapping[str, Any], variables: frozenset[str]) -> Changed:
    name, rank = _text(change, "variable"), change.get("tier")
    if name not in variables:
        raise OptionError(unknown("variable", name, sorted(variables)))
    if rank is not None and (type(rank) not in (int, float) or not abs(rank) <= LARGEST_TIER):
        raise OptionError(f"tier must be a number, the smaller the earlier, or null for none; got {rank!r:.60}")
    pairs = zip(question.tiers, question.tier_ranks, strict=True)
    ranks = {one: own for tier, own in pairs for one in tier}
    if ranks.get(name) == rank:
        return Changed(question, "")
    ranks.pop(name, None)
    if rank is not None:
        ranks[name] = rank
    tiers, numbers = tiers_of(ranks)
    after = replace(question, tiers=tiers, tier_ranks=numbers)
    place = "out of the tiers" if rank is None else f"into tier {numbers.index(rank) + 1} of {len(numbers)}"
    return Changed(after, f"put {name} {place}")


def _note(question: State, change: Mapping[str, Any], variables: frozenset[str]) -> Changed:
    arc = change.get("arc")
    if not isinstance(arc, list) or len(arc) != 2 or not all(isinstance(name, str) for name in arc):
        raise OptionError(f"arc must be a list of two variables; got {arc!r:.60}")
    pair = (arc[0], arc[1])
    _check_pair(pair, variables)
    text = _text(change, "text").strip()
    if len(text) > limits.LONGEST_NOTE:
        raise OptionError(f"a note may have at most {limits.LONGEST_NOTE:,} characters; this one has {len(text):,}")
    notes = {key: own for key, own in question.notes.items() if key != note_key(pair)}
    if text:
        notes[note_key(pair)] = text
    if len(notes) > limits.MOST_NOTES:
        raise OptionError(f"there are {limits.MOST_NOTES:,} notes already")
    between = f"{pair[0]} and {pair[1]}"
    return Changed(
        replace(question, notes=notes), f"noted on {between}: {text}" if text else f"removed the note on {between}"
    )


def _name_variable(question: State, change: Mapping[str, Any], own: Input, holds: Holdings) -> Changed:
    variable = _text(change, "variable")
    name = None if change.get("name") is None else _text(change, "name")
    after = with_name(question, own, variable, name, holds)
    if name is None:
        return Changed(after, f"left the name of {variable} in {own.name} open")
    found = next(one.name for one in after.names if (one.id, one.variable) == (own.id, variable))
    where = f"{variable} in {own.name}"
    return Changed(after, f"kept the name {where}" if found == variable else f"renamed {where} to {found}")


def _name_states(question: State, change: Mapping[str, Any], own: Input, holds: Holdings) -> Changed:
    variable, states = _text(change, "variable"), change.get("states")
    for text in (*states, *states.values()) if isinstance(states, Mapping) else ():
        if isinstance(text, str) and not is_text(text):
            raise OptionError("states is not valid Unicode text")
    after = with_states(question, own, variable, states, holds)
    where = f"the states of {variable} in {own.name}"
    if states is None:
        return Changed(after, f"left {where} open")
    found = next(one.states for one in after.labels if (one.id, one.variable) == (own.id, variable))
    said = [f"{one} to {label}" for one, label in found if one != label]
    return Changed(after, f"renamed {where}: {listed(said, shown=str)}" if said else f"kept {where}")


_Change = Callable[[State, Mapping[str, Any], frozenset[str]], Changed]
_NAMING: dict[str, Callable[[State, Mapping[str, Any], Input, Holdings], Changed]] = {
    "name": _name_variable,
    "states": _name_states,
}
_KINDS: dict[str, _Change] = {
    "remove-input": _remove_input,
    "remove-data": _remove_data,
    "switch": _switch,
    "weight": _weigh,
    "rename": _rename,
    "set": _set,
    "arc": _arc,
    "tier": _tier,
    "note": _note,
    "row": lambda question, change, variables: Changed(*judged(question, change, variables)),
}
KINDS = (*_KINDS, *_NAMING)
"""of changes that are not a return to a line of the history"""


def _optional(check: Callable[[str, Any], Any]) -> Callable[[str, Any], Any]:
    return lambda name, value: None if value is None else check(name, value)


def _word(check: Callable[[str, Any], Any]) -> Callable[[str, Any], Any]:
    return lambda name, value: check(name, value if isinstance(value, str) else repr(value))


_LONGEST_LIMIT = 40  # characters: no memory holds a table with more digits


def _is_beyond(value: Any) -> bool:
    try:
        return not isinstance(value, bool) and float(str(value)) >= 10.0**_LONGEST_LIMIT
    except ValueError:
        return False


def _table_limit(name: str, value: Any) -> str:
    if _is_beyond(value):
        raise OptionError(f"{name} must be below 1e{_LONGEST_LIMIT}: no memory holds a larger table")
    check_of(Question, "max_table")(name, value)
    text = str(int(value)) if isinstance(value, float) else str(value)
    check_of(Question, "max_table")(name, text[:_LONGEST_LIMIT])
    return text


def _input_cases(name: str, value: Any) -> float:
    if type(value) not in (int, float) or not 0 <= value <= _MOST_INPUT_CASES:
        raise OptionError(f"{name} must be a number of cases from 0 to {_MOST_INPUT_CASES:,}; got {value!r:.60}")
    return checked_input_cases(value)


_FIELDS: dict[str, Callable[[str, Any], Any]] = {
    "max_clique": _optional(check_of(Question, "max_clique")),
    "max_table": _optional(_table_limit),
    "metric": _word(check_of(Question, "metric")),
    "method": _word(choice(METHODS)),
    "directions": _word(check_of(Constraints, "directions")),
    "variables": _word(check_of(InputOptions, "variables")),
    "effort": _word(check_of(DirectOptions, "effort")),
    "input_cases": _input_cases,
}


def _with(question: State, own: Input, **values: Any) -> State:
    return replace(question, inputs=tuple(replace(one, **values) if one == own else one for one in question.inputs))


def _input(question: State, change: Mapping[str, Any]) -> Input:
    wanted = _text(change, "id")
    for one in question.inputs:
        if one.id == wanted:
            return one
    raise OptionError(f"there is no input {wanted!r:.60}")


def _text(change: Mapping[str, Any], field: str) -> str:
    value = change.get(field)
    if not isinstance(value, str):
        raise OptionError(f"{field} must be text; got {value!r:.60}")
    if not is_text(value):
        raise OptionError(f"{field} is not valid Unicode text")
    return value


def is_text(value: str) -> bool:
    """Whether a file can hold it: JSON can escape halves of characters, which nothing else accepts."""
    return not any("\ud800" <= char <= "\udfff" for char in value)


def _name(change: Mapping[str, Any], field: str) -> str:
    name = _text(change, field).strip()
    if not name or len(name) > limits.LONGEST_NAME:
        raise OptionError(f"{field} must have 1 to {limits.LONGEST_NAME} characters; this one has {len(name):,}")
    return name


def _check_pair(arc: Arc, variables: frozenset[str]) -> None:
    for name in arc:
        if name not in variables:
            raise OptionError(unknown("variable", name, sorted(variables)))
    if arc[0] == arc[1]:
        raise OptionError(f"a variable cannot be its own parent: {arc[0]!r:.60}")


def _shown(arc: Arc, is_pair: bool) -> str:
    """An arc, or the pair of its ends where that is meant."""
    return (" \u2194 " if is_pair else " \u2192 ").join(arc)
