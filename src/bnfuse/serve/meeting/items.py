"""What a question consists of, item by item: two changes conflict if they change the same item, and else merge."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from bnfuse.errors import BnfuseError
from bnfuse.serve.workspace.state import DataFile, Input, State, note_key, tiers_of

Items = dict[str, Any]
_FIELDS = ("metric", "method", "directions", "variables", "effort")
_WORDS = {
    "on": "whether {0} is on",
    "weight": "the weight of {0}",
    "name": "the name of {0}",
    "input": "the input {0}",
    "tier": "the tier of {0}",
    "note": "the note on {0} and {1}",
    "rule": "the rule on {0} and {1}",
    "limit": "the limit",
    "data": "the data",
}


@dataclass(frozen=True, slots=True)
class Maker:
    """Who makes a change, and on which revision; None if they want it whatever has been changed since."""

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
    """A change of something that has been changed meanwhile."""

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
    """All items by their keys, which are JSON lists; those that are as in an empty question are left out."""
    found: Items = {}
    for place, one in enumerate(state.inputs):
        found[_key("input", one.id)] = {"file": one.file, "place": one.place, "order": place}
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
    return found


def differences(before: State, after: State) -> dict[str, tuple[Any, Any]]:
    """The items that differ, with both values; None where there is none."""
    old, new = items_of(before), items_of(after)
    return {
        key: (old.get(key), new.get(key))
        for key in dict.fromkeys([*old, *new])
        if not is_same(key, old.get(key), new.get(key))
    }


def with_items(state: State, values: Mapping[str, Any]) -> State:
    """The question with other values of some items; None takes one away."""
    found = items_of(state)
    gone = {json.loads(key)[1] for key, value in values.items() if value is None and json.loads(key)[0] == "input"}
    found |= values
    kept = {key: value for key, value in found.items() if value is not None}
    return _state_of({key: value for key, value in kept.items() if not _is_of(key, gone)})


def is_same(key: str, one: Any, other: Any) -> bool:
    """Whether two values of an item are the same; where an input stands among others is no decision of anybody."""
    if one is None or other is None or json.loads(key)[0] != "input":
        return bool(one == other)
    return bool({**one, "order": 0} == {**other, "order": 0})


def words_for(key: str, names: Mapping[str, str]) -> str:
    """An item, for people; `names` are those of inputs by their ids."""
    kind, *rest = json.loads(key)
    return str(_WORDS.get(kind, kind)).format(*(names.get(one, one) for one in rest))


def input_key(own: str) -> str:
    """The item that says whether an input is there."""
    return _key("input", own)


def _key(*parts: str) -> str:
    return json.dumps(parts, ensure_ascii=False)


def _is_of(key: str, inputs: set[str]) -> bool:
    kind, *rest = json.loads(key)
    return kind in ("input", "name", "on", "weight") and rest[0] in inputs


def _state_of(items: Items) -> State:
    """What `items_of` gave."""
    by_kind: dict[str, dict[tuple[str, ...], Any]] = {}
    for key, value in items.items():
        kind, *rest = json.loads(key)
        by_kind.setdefault(kind, {})[tuple(rest)] = value
    inputs = sorted(by_kind.get("input", {}).items(), key=lambda one: one[1]["order"])
    rules = by_kind.get("rule", {}).values()
    max_clique, max_table = by_kind["limit"][()]
    state = State(
        inputs=tuple(
            Input(
                own[0],
                by_kind["name"][own],
                value["file"],
                value["place"],
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
    )
    tiers, ranks = tiers_of({name: rank for (name,), rank in by_kind.get("tier", {}).items()})
    return replace(state, tiers=tiers, tier_ranks=ranks)
