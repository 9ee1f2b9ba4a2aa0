"""The items of a question: two changes conflict if they change the same item, and are merged otherwise."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from bnfuse.errors import BnfuseError
from bnfuse.inference.experts.judgements import RowJudgement
from bnfuse.serve.drawing.drawing import Drawing, DrawnVariable, file_of
from bnfuse.serve.workspace.state import DataFile, Input, State, StateNames, VariableName, note_key, tiers_of

Items = dict[str, Any]
_FIELDS = ("metric", "method", "directions", "variables", "effort", "input_cases")
_WORDS = {
    "on": "whether {0} is on",
    "weight": "the weight of {0}",
    "name": "the name of {0}",
    "input": "the input {0}",
    "drawn": "{1} in {0}",
    "drawn arc": "the arc between {1} and {2} in {0}",
    "tier": "the tier of {0}",
    "note": "the note on {0} and {1}",
    "rule": "the rule on {0} and {1}",
    "limit": "the limit",
    "variable": "the name of {1} in {0}",
    "states": "the states of {1} in {0}",
    "data": "the data",
    "row": "what {2} said about {0} given {1}",
    "input_cases": "how many cases an input is worth",
}
_PLACES: dict[str, dict[str, Any]] = {"input": {"order": 0}, "drawn": {"x": None, "y": None}}
_OF_INPUTS = ("input", "name", "on", "weight", "variable", "states", "drawn", "drawn arc")


@dataclass(frozen=True, slots=True)
class Maker:
    """The author of a change, and its revision; None to apply it whatever has been changed since."""

    who: str = ""
    on: int | None = None
    may_lead: bool = True


@dataclass(frozen=True, slots=True)
class Conflict:
    """An item that somebody else has changed since the revision on which a change was made."""

    item: str
    what: str
    yours: Any
    theirs: Any
    who: str
    time: str
    revision: int


class ConflictError(BnfuseError):
    """A change of an item that has been changed in the meantime."""

    def __init__(self, conflicts: Iterable[Conflict], revision: int) -> None:
        self.conflicts = tuple(conflicts)
        first = self.conflicts[0]
        more = f", and {len(self.conflicts) - 1} more" if len(self.conflicts) > 1 else ""
        super().__init__(
            f"{first.who or 'somebody'} has changed {first.what}{more} since revision {revision}; "
            "compare both versions and send yours again on the present revision to keep it"
        )

    @property
    def facts(self) -> dict[str, Any]:
        """Both versions of each item, for the reply."""
        return {"conflicts": [asdict(one) for one in self.conflicts]}


def items_of(state: State) -> Items:
    """All items by their keys, which are JSON lists; those with the values of an empty question are left out."""
    found: Items = {}
    for place, one in enumerate(state.inputs):
        if (drawing := state.drawings.get(one.id)) is None:
            found[_key("input", one.id)] = {"file": one.file, "place": one.place, "order": place}
        else:
            found[_key("input", one.id)] = {"drawn": drawing.called, "order": place}
            found |= {drawn_key(one.id, name): asdict(own) for name, own in drawing.variables.items()}
            found |= {_key("drawn arc", one.id, *sorted(arc)): {"arc": list(arc)} for arc in drawing.arcs}
        found[_key("name", one.id)] = one.name
        found[_key("on", one.id)] = one.on
        found[_key("weight", one.id)] = one.weight
    if state.data is not None:
        found[_key("data")] = asdict(state.data)
    found[_key("limit")] = [state.max_clique, state.max_table]
    found |= {_key(name): getattr(state, name) for name in _FIELDS}
    for name in ("required", "forbidden"):
        for arc in getattr(state, name):
            found.setdefault(_key("rule", *sorted(arc)), {"required": [], "forbidden": []})[name].append(list(arc))
    for tier, rank in zip(state.tiers, state.tier_ranks, strict=True):
        found |= {_key("tier", name): rank for name in tier}
    found |= {_key("note", *json.loads(pair)): text for pair, text in state.notes.items()}
    found |= {_key("variable", one.id, one.variable): one.name for one in state.names}
    found |= {_key("states", one.id, one.variable): [list(pair) for pair in one.states] for one in state.labels}
    for said in state.judgements:
        value = {"probabilities": dict(said.probabilities), "cases": said.cases, "reason": said.reason}
        found[row_key(said)] = value
    return found


def differences(before: State, after: State) -> dict[str, tuple[Any, Any]]:
    """The items that differ, with both values; None if there is none."""
    old, new = items_of(before), items_of(after)
    return {
        key: (old.get(key), new.get(key))
        for key in dict.fromkeys([*old, *new])
        if not is_same(key, old.get(key), new.get(key))
    }


def with_items(state: State, values: Mapping[str, Any]) -> State:
    """The question with other values of some items; None removes one."""
    found = items_of(state)
    gone = {json.loads(key)[1] for key, value in values.items() if value is None and json.loads(key)[0] == "input"}
    found |= values
    kept = {key: value for key, value in found.items() if value is not None}
    return _state_of({key: value for key, value in kept.items() if not _is_of(key, gone)})


def is_same(key: str, one: Any, other: Any) -> bool:
    """Whether two values of an item are equal; the position of an input or a box of a drawing is not a decision."""
    place = _PLACES.get(json.loads(key)[0])
    if one is None or other is None or place is None:
        return bool(one == other)
    return bool({**one, **place} == {**other, **place})


def words_for(key: str, names: Mapping[str, str]) -> str:
    """An item, for people; `names` are those of inputs by their ids."""
    kind, *rest = json.loads(key)
    if kind == "row":
        given = ", ".join(f"{name} = {state}" for name, state in json.loads(rest[1]).items())
        return str(_WORDS[kind]).format(rest[0], given or "nothing", rest[2] or "the facilitator")
    return str(_WORDS.get(kind, kind)).format(*(names.get(one, one) for one in rest))


def input_key(own: str) -> str:
    """The item for the presence of an input."""
    return _key("input", own)


def drawn_key(own: str, variable: str) -> str:
    """The item for a variable's presence in a drawing."""
    return _key("drawn", own, variable)


def left_of(items: Items, changed: Mapping[str, Any]) -> list[str]:
    """Items of inputs that a change removes in addition to those that it names: others have added them since."""
    gone = {json.loads(key)[1] for key, value in changed.items() if value is None and json.loads(key)[0] == "input"}
    return [key for key in items if key not in changed and _is_of(key, gone)]


def item_key(kind: str, *parts: str) -> str:
    """The key of any item."""
    return _key(kind, *parts)


def row_key(said: RowJudgement) -> str:
    """The item with one person's judgement of a row."""
    return _key("row", said.variable, json.dumps(dict(sorted(said.given.items())), ensure_ascii=False), said.by)


def _key(*parts: str) -> str:
    return json.dumps(parts, ensure_ascii=False)


def _is_of(key: str, inputs: set[str]) -> bool:
    kind, *rest = json.loads(key)
    return kind in _OF_INPUTS and rest[0] in inputs


def _state_of(items: Items) -> State:
    """A question from the result of `items_of`."""
    by_kind: dict[str, dict[tuple[str, ...], Any]] = {}
    for key, value in items.items():
        kind, *rest = json.loads(key)
        by_kind.setdefault(kind, {})[tuple(rest)] = value
    inputs = sorted(by_kind.get("input", {}).items(), key=lambda one: one[1]["order"])
    drawings = {
        own: _drawing(own, value["drawn"], by_kind.get("drawn", {}), by_kind.get("drawn arc", {}))
        for (own,), value in inputs
        if "drawn" in value
    }
    rules = by_kind.get("rule", {}).values()
    max_clique, max_table = by_kind["limit"][()]
    state = State(
        inputs=tuple(
            Input(
                own[0],
                by_kind["name"][own],
                value["file"] if own[0] not in drawings else file_of(own[0], drawings[own[0]]).id,
                value.get("place", 0),
                by_kind["on"][own],
                by_kind["weight"][own],
            )
            for own, value in inputs
        ),
        data=DataFile(**by_kind["data"][()]) if "data" in by_kind else None,
        max_clique=max_clique,
        max_table=max_table,
        **{name: by_kind[name][()] for name in _FIELDS},
        required=tuple((a, b) for rule in rules for a, b in rule["required"]),
        forbidden=tuple((a, b) for rule in rules for a, b in rule["forbidden"]),
        notes={note_key((a, b)): text for (a, b), text in by_kind.get("note", {}).items()},
        drawings=drawings,
        names=tuple(VariableName(a, b, name) for (a, b), name in sorted(by_kind.get("variable", {}).items())),
        labels=tuple(
            StateNames(a, b, tuple((own, label) for own, label in states))
            for (a, b), states in sorted(by_kind.get("states", {}).items())
        ),
        judgements=tuple(
            RowJudgement(variable, json.loads(given), by=by, **value)
            for (variable, given, by), value in by_kind.get("row", {}).items()
        ),
    )
    tiers, ranks = tiers_of({name: rank for (name,), rank in by_kind.get("tier", {}).items()})
    return replace(state, tiers=tiers, tier_ranks=ranks)


_Parts = Mapping[tuple[str, ...], Mapping[str, Any]]


def _drawing(own: str, called: str, variables: _Parts, arcs: _Parts) -> Drawing:
    return Drawing(
        called,
        {
            key[1]: DrawnVariable(**{**one, "states": tuple(one["states"])})
            for key, one in variables.items()
            if key[0] == own
        },
        tuple((one["arc"][0], one["arc"][1]) for key, one in arcs.items() if key[0] == own),
    )
