"""Two answers compared: arcs that were added, dropped and reversed; and two rounds, with all their differences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from bnfuse.serve.workspace.state import State
from bnfuse.serve.workspace.store import Answer, WorkspaceStore

_SETTINGS = ("max_clique", "max_table", "metric", "method", "directions", "variables", "tiers", "input_cases")
_NUMBERS = ("distance", "bound", "gap", "metric", "max_clique_found", "effort")

Arcs = set[tuple[str, str]]


def arc_changes(before: Iterable[Sequence[str]], after: Iterable[Sequence[str]]) -> dict[str, Arcs]:
    """The arcs that were added, dropped and reversed."""
    old, new = {(a, b) for a, b in before}, {(a, b) for a, b in after}
    turned = {(a, b) for a, b in new - old if (b, a) in old - new}
    return {"came": new - old - turned, "went": old - new - {(b, a) for a, b in turned}, "turned": turned}


def changed_codes(store: WorkspaceStore, answer: Answer, revision: int) -> dict[str, list[int]]:
    """The changes since the answer that was shown before the question of a line of the history was asked.

    As codes, source * variables + target, by the answer's own variables; arcs over other variables are left out.
    """
    key = store.key_before(revision)
    before = None if key is None else store.best(key)
    index = {name: i for i, name in enumerate(answer.facts["variables"])}
    changes = arc_changes([] if before is None else before.facts["arcs"], answer.facts["arcs"])

    def codes(arcs: Arcs) -> list[int]:
        return sorted(index[a] * len(index) + index[b] for a, b in arcs if a in index and b in index)

    return {kind: [] if before is None else codes(arcs) for kind, arcs in changes.items()}


def shown_answer(store: WorkspaceStore, answer: Answer, revision: int) -> dict[str, Any]:
    """An answer without its large parts, with the changes since the previous one that was shown."""
    facts = {key: value for key, value in answer.facts.items() if key not in ("arcs", "variables")}
    more = {"changed": changed_codes(store, answer, revision), "is_solved": store.part(answer, "decided") is not None}
    return facts | {"arcs": len(answer.facts["arcs"]), **more}


def compared(before: tuple[State, Answer], after: tuple[State, Answer]) -> dict[str, Any]:
    """The differences between two rounds."""
    old, new = before[0], after[0]
    arcs = arc_changes(before[1].facts["arcs"], after[1].facts["arcs"])
    return {
        "before": {name: before[1].facts[name] for name in _NUMBERS},
        "after": {name: after[1].facts[name] for name in _NUMBERS},
        "arcs": {kind: sorted(found) for kind, found in arcs.items()},
        "inputs": _inputs(old, new),
        "names": _names(old, new),
        "settings": {
            name: [getattr(old, name), getattr(new, name)]
            for name in _SETTINGS
            if getattr(old, name) != getattr(new, name)
        },
        "judgements": {
            "added": [one.words for one in new.judgements if one not in old.judgements],
            "removed": [one.words for one in old.judgements if one not in new.judgements],
        },
        "rules": {
            rule: {
                "added": sorted(set(getattr(new, rule)) - set(getattr(old, rule))),
                "removed": sorted(set(getattr(old, rule)) - set(getattr(new, rule))),
            }
            for rule in ("required", "forbidden")
        },
    }


def _names(old: State, new: State) -> list[list[str]]:
    """Names that were changed in between: input, name in the file, before, after."""
    inputs = {one.id: one.name for one in (*old.inputs, *new.inputs)}
    before, after = ({(one.id, one.variable): one.name for one in state.names} for state in (old, new))
    rows = [
        [inputs.get(own, ""), variable, before.get((own, variable), variable), after.get((own, variable), variable)]
        for own, variable in sorted({*before, *after})
    ]
    was, now = ({(one.id, one.variable): dict(one.states) for one in state.labels} for state in (old, new))
    rows += [
        [
            inputs.get(own, ""),
            f"{variable}: {label}",
            *(each.get((own, variable), {}).get(label, label) for each in (was, now)),
        ]
        for own, variable in sorted({*was, *now})
        for label in dict.fromkeys([*was.get((own, variable), ()), *now.get((own, variable), ())])
    ]
    return [row for row in rows if row[2] != row[3]]


def _inputs(old: State, new: State) -> dict[str, Any]:
    before, after = {one.id: one for one in old.inputs}, {one.id: one for one in new.inputs}
    both = [(before[own], one) for own, one in after.items() if own in before]
    return {
        "added": [one.name for own, one in after.items() if own not in before],
        "removed": [one.name for own, one in before.items() if own not in after],
        "switched_on": [one.name for was, one in both if one.on and not was.on],
        "switched_off": [one.name for was, one in both if was.on and not one.on],
        "weights": [[one.name, was.weight, one.weight] for was, one in both if was.weight != one.weight],
    }
