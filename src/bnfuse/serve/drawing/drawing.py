"""A network that somebody draws in the app: its variables and arcs, and the file that represents it elsewhere.

The file is made from the drawing alone, so it can always be made again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bnfuse.errors import OptionError
from bnfuse.serve import limits

Arc = tuple[str, str]

PREFIX = "drawn-"
"""the beginning of the id of a drawn input"""


@dataclass(frozen=True, slots=True)
class DrawnVariable:
    """A variable of a drawing."""

    states: tuple[str, ...] = ()
    """none: those of other inputs or, if no input has any, two"""
    x: int | None = None
    """its position in the picture; None means anywhere"""
    y: int | None = None


@dataclass(frozen=True, slots=True)
class Drawing:
    """A network without tables, as somebody draws it."""

    called: str
    """its name in its file: the first name that it had"""
    variables: Mapping[str, DrawnVariable] = field(default_factory=dict)
    arcs: tuple[Arc, ...] = ()

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Drawing:
        """A drawing from JSON of the result of `dataclasses.asdict`."""
        variables = {
            name: DrawnVariable(tuple(one["states"]), one["x"], one["y"]) for name, one in content["variables"].items()
        }
        return cls(content["called"], variables, tuple((a, b) for a, b in content["arcs"]))


@dataclass(frozen=True, slots=True)
class DrawnFile:
    """The file for a drawing."""

    id: str
    name: str
    content: bytes
    facts: dict[str, Any]


def file_of(own: str, drawing: Drawing) -> DrawnFile:
    """The file of the drawing with this id: an ensemble of one network, independent of the order of edits."""
    variables = sorted(drawing.variables)
    states = {name: drawing.variables[name].states for name in variables if drawing.variables[name].states}
    lines = [
        f'{{"variables": {_json(variables)},',
        *([f' "states": {_json(states)},'] if states else []),
        f' "networks": [{_json({"name": drawing.called, "edges": sorted(drawing.arcs)})}]}}',
    ]
    content = ("\n".join(lines) + "\n").encode()
    digest = hashlib.sha256(own.encode() + b"\0" + content).hexdigest()
    name = f"{PREFIX.rstrip('-')}-{digest[:12]}.json"
    facts = {
        "kind": "networks",
        "inputs": [{"name": drawing.called, "arcs": len(drawing.arcs), "has_tables": False}],
        "variables": variables,
        "stated": [],
        "size": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
        "drawn": own,
    }
    return DrawnFile(hashlib.sha256(name.encode() + b"\0" + content).hexdigest()[:32], name, content, facts)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def check(drawing: Drawing) -> None:
    """Refuse a drawing that is not a network: with a cycle, an arc without its ends, or too many parts."""
    for source, target in drawing.arcs:
        for name in (source, target):
            if name not in drawing.variables:
                raise OptionError(f"the drawing {drawing.called!r:.60} has {source} → {target}, but no {name!r:.60}")
    if not drawing.variables:
        raise OptionError("a drawing needs at least one variable")
    check_size(drawing)
    if cycle := cycle_of(drawing.arcs):
        raise OptionError(f"{shown_cycle(cycle)} is a cycle: remove or reverse one of its arcs")


def check_size(drawing: Drawing) -> None:
    """Refuse a drawing with too many parts."""
    check_numbers(len(drawing.variables), len(drawing.arcs))


def check_numbers(variables: int, arcs: int) -> None:
    """Refuse more variables or arcs than a drawing may have."""
    if variables > limits.DRAWN_VARIABLES:
        raise OptionError(f"a drawing may have at most {limits.DRAWN_VARIABLES} variables; this one has {variables:,}")
    if arcs > limits.DRAWN_ARCS:
        raise OptionError(f"a drawing may have at most {limits.DRAWN_ARCS:,} arcs; this one has {arcs:,}")


def cycle_of(arcs: Iterable[Arc]) -> list[str]:
    """The variables of one cycle, each once, in the direction of its arcs; empty if there is none."""
    children: dict[str, list[str]] = {}
    for source, target in arcs:
        children.setdefault(source, []).append(target)
    done: set[str] = set()
    for first in children:
        path, open_ones, stack = list[str](), dict[str, int](), [iter([first])]
        while stack:
            following = next((one for one in stack[-1] if one not in done), None)
            if following is None:
                stack.pop()
                if path:
                    gone = path.pop()
                    del open_ones[gone]
                    done.add(gone)
            elif following in open_ones:
                return path[open_ones[following] :]
            else:
                open_ones[following] = len(path)
                path.append(following)
                stack.append(iter(children.get(following, ())))
    return []


_SHOWN = 8  # variables of a cycle that one line lists


def shown_cycle(cycle: list[str]) -> str:
    """A cycle in words, from its first variable back to it."""
    closed = [*cycle, cycle[0]]
    if len(cycle) > _SHOWN:
        closed[_SHOWN - 1 : -1] = [f"({len(cycle) - _SHOWN + 1} more)"]
    return " → ".join(closed)
