"""Data that a bundle leaves out: keys, judgements of rounds that are still private, and who judged without a name.

A participant of an anonymous round becomes a separate person with the name from that round, so that nothing leads from
there to the person who joined.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from bnfuse.serve.meeting.panels import COUNTED, REVEALED, label_of

NOBODY = "-"
"""the key of a person who cannot join: no key has this hash"""
_TABLES = ("people", "panels", "judgements")

Row = dict[str, Any]
Rows = list[Row]


def without_secrets(tables: dict[str, Rows]) -> dict[str, Rows]:
    """The rows of all tables, as in a bundle."""
    people, panels, judgements = (tables[name] for name in _TABLES)
    shown = {row["id"]: row for row in panels if row["state"] in (REVEALED, COUNTED)}
    told = [row for row in judgements if row["panel"] in shown]
    hidden = [row for row in told if shown[row["panel"]]["is_anonymous"]]
    own = [{**row, "key": None} for row in people]
    if hidden:
        aliases = {row["id"]: row["alias"] for row in people}
        own = _renumbered(own)
        experts = _experts(own, sorted({(aliases[row["person"]], row["panel"]) for row in hidden}), shown)
        own += experts.values()
        masked = [
            {**row, "person": experts[aliases[row["person"]]]["id"], "time": shown[row["panel"]]["time"]}
            for row in hidden
        ]
        told = [row for row in told if row not in hidden] + masked
    told.sort(key=lambda row: (row["panel"], row["person"], row["source"], row["target"]))
    return {**tables, "people": own, "judgements": told}


def _renumbered(people: Rows) -> Rows:
    """People with different numbers from those under which they judged."""
    first = max(row["alias"] for row in people) + 1
    return [{**row, "alias": first + place} for place, row in enumerate(people)]


def _experts(people: Rows, found: list[tuple[int, int]], panels: Mapping[int, Row]) -> dict[int, Row]:
    """By number, all who judged without a name; their first round is the time when they joined."""
    experts: dict[int, Row] = {}
    taken = {row["folded"] for row in people}
    following = max(row["id"] for row in people) + 1
    for alias, panel in found:
        if alias in experts:
            continue
        called = label_of(alias)
        while called.casefold() in taken:  # somebody has joined under that name
            called += "'"
        experts[alias] = {
            **{"id": following + len(experts), "name": called, "folded": called.casefold(), "key": NOBODY},
            **{"time": panels[panel]["time"], "alias": alias},
        }
    return experts


def settle(people: Rows) -> None:
    """The people of a bundle, before they enter a workspace: from now on, nobody knows their keys or their numbers.

    The author of the bundle may have put a known key into it.
    """
    taken = {row["alias"] for row in people if row["key"] is not None}
    new = [row for row in people if row["key"] is None]
    free = [one for one in range(1, 100 + 2 * len(people)) if one not in taken]
    for row, alias in zip(new, random.SystemRandom().sample(free, len(new)), strict=True):
        row["alias"] = alias
    for row in people:
        row["key"] = None if row["key"] is None else NOBODY
