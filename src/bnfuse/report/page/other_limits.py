"""Live limits: the page's data for the other limits of the frontier, as changes of those for its own limit.

A change of a value is `[value]` if it is replaced, otherwise the changes of its parts by their keys or positions, with
0 for a removed part: `{"facts": {"arcs": [13]}}`. From its data and a change, the page computes the data for that
limit: exactly those of a report of that limit's network, so that the rest of the page is the same for both. Only the
variables keep their positions.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace

from bnfuse.answer.result import Consensus
from bnfuse.report.drawing.layout import Layout
from bnfuse.report.page.compact import deflated
from bnfuse.report.page.page_data import page_data
from bnfuse.report.page.page_schema import Limits, PageData
from bnfuse.report.page.records import Json, Object, as_json
from bnfuse.report.summary import Summary, flattening

# Characters, as they are packed:
_MOST_CHARACTERS = 900_000  # of all changes together
_MOST_WITH_OWN = 1_300_000  # of these and the page's own data
_GONE = 0


@dataclass(frozen=True, slots=True)
class _Stop:
    """A position of the slider."""

    limit: int | None
    """None for the consensus itself if its limit is of a different kind from those of the frontier"""
    result: Consensus
    is_own: bool = False


def limits_data(summary: Summary, layout: Layout, data: PageData) -> Limits | None:
    """The data that the page needs to show the networks of other limits; None if it has none of them."""
    stops = _stops(summary.consensus)
    if len(stops) < 2:
        return None
    place = next(i for i, stop in enumerate(stops) if stop.is_own)
    own = as_json(data)
    changes: dict[int, Json] = {place: None}
    room = min(_MOST_CHARACTERS, _MOST_WITH_OWN - _packed_length(own))
    for i in sorted(range(len(stops)), key=lambda i: abs(i - place)):  # the nearest first, as long as there is room
        if i == place:
            continue
        found = changed(own, as_json(_page_data(stops[i].result, summary.consensus, layout))) or {}
        room -= _packed_length(found)
        if room < 0:
            break
        changes[i] = found
    if len(changes) < 2:
        return None
    known = [stop for stop in stops if stop.limit is not None]
    return Limits(
        limits=[stops[i].limit for i in sorted(changes)],
        changes=[changes[i] for i in sorted(changes)],
        own=sorted(changes).index(place),
        left_out=[stop.limit for i, stop in enumerate(stops) if i not in changes],
        hint=flattening([stop.limit or 0 for stop in known], [stop.result.distance for stop in known]),
    )


def _stops(consensus: Consensus) -> list[_Stop]:
    """The limits whose networks are known, from the smallest; the consensus represents its own limit."""
    problem = consensus.problem
    own: int | None = problem.max_table if consensus.steps_through_tables else problem.max_clique
    if not consensus.steps_through_tables and not problem.is_clique_limited:
        own = None
    others = {}
    for point in consensus.frontier:
        limit = point.max_table if consensus.steps_through_tables else point.max_clique
        if point.result is not None and limit != own:
            others[limit] = _Stop(limit, point.result)
    stops = [*others.values(), _Stop(own, consensus, is_own=True)]
    return sorted(stops, key=lambda stop: (stop.limit is None, stop.limit))


def _page_data(result: Consensus, consensus: Consensus, layout: Layout) -> PageData:
    data = page_data(Summary(_shown(result, consensus)), layout)
    if data.tables is None:
        return data
    return replace(data, tables=replace(data.tables, file=None))  # the run has written its own limit's network there


def _shown(result: Consensus, consensus: Consensus) -> Consensus:
    """As in a separate report; without tables if it did not get any with the consensus."""
    shown = replace(result, frontier=consensus.frontier, origin=consensus.origin)
    if shown.parameters is not None:
        return shown
    inputs = replace(shown.problem.inputs, networks=())
    return replace(shown, problem=replace(shown.problem, inputs=inputs))


def changed(old: Json, new: Json) -> Json:
    """The change from one value to another, None if they are equal."""
    if old == new:
        return None
    parts: Object | None = None
    if isinstance(old, dict) and isinstance(new, dict) and _keeps_order(old, new):
        parts = dict(_changed_keys(old, new))
    elif isinstance(old, list | tuple) and isinstance(new, list | tuple) and len(old) == len(new):
        both = enumerate(zip(old, new, strict=True))
        parts = {str(i): change for i, (one, other) in both if (change := changed(one, other)) is not None}
    return parts if parts is not None and _length(parts) < _length([new]) else [new]


def _changed_keys(old: Object, new: Object) -> Iterator[tuple[str, Json]]:
    yield from ((key, _GONE) for key in old if key not in new)
    for key, value in new.items():
        change = changed(old[key], value) if key in old else [value]
        if change is not None:
            yield key, change


def _keeps_order(old: Object, new: Object) -> bool:
    """Whether keys that are added come last; JavaScript sorts those that are numbers."""
    kept = [key for key in old if key in new]
    return list(new)[: len(kept)] == kept or all(key.isdigit() for key in (*old, *new))


def _length(value: Json) -> int:
    return len(_json(value))


def _packed_length(value: Json) -> int:
    return len(deflated(_json(value)))


def _json(value: Json) -> str:
    return json.dumps(value, separators=(",", ":"))
