"""Edits of a drawing: each is checked, and all of them are one line of the history."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bnfuse._base.options import one_of
from bnfuse._base.texts import listed
from bnfuse.errors import OptionError
from bnfuse.serve import limits
from bnfuse.serve.drawing.drawing import Arc, Drawing, DrawnVariable, check, check_numbers, check_size, shown_cycle

_FARTHEST = 1_000_000
_TOLD = 6  # parts of a line of the history


class GoneError(OptionError):
    """An edit of a variable that the drawing does not have, or no longer has."""

    def __init__(self, variable: str) -> None:
        super().__init__(f"the drawing has no variable {variable!r:.60}")
        self.variable = variable


def edited(drawing: Drawing, edits: Any) -> Drawing:
    """The drawing after some edits, in their order: all of them are applied, or none."""
    if not isinstance(edits, list) or not 1 <= len(edits) <= limits.DRAWN_EDITS:
        raise OptionError(f"edits must be a list of 1 to {limits.DRAWN_EDITS:,} edits")
    after = drawing
    for one in edits:
        if not isinstance(one, Mapping):
            raise OptionError(f"an edit must be an object; got {one!r:.60}")
        kind = one_of("edit", _text(one, "edit"), _EDITS)
        after = _EDITS[kind](after, one)
        check_size(after)  # in one request: the time of an edit grows with the drawing
    check(after)
    return after


def _put_variable(drawing: Drawing, edit: Mapping[str, Any]) -> Drawing:
    """Add a variable, or change its states or its place."""
    name = _name(edit, "variable")
    own = drawing.variables.get(name, DrawnVariable())
    if edit.get("states") is not None:
        own = replace(own, states=_states(name, edit["states"]))
    if edit.get("at") is not None:
        x, y = _place(edit["at"])
        own = replace(own, x=x, y=y)
    return replace(drawing, variables={**drawing.variables, name: own})


def _rename(drawing: Drawing, edit: Mapping[str, Any]) -> Drawing:
    old, new = _known(drawing, edit, "variable"), _name(edit, "name")
    if new == old:
        return drawing
    if new in drawing.variables:
        raise OptionError(f"the drawing already has a variable {new!r:.60}")
    variables = {new if name == old else name: own for name, own in drawing.variables.items()}
    arcs = tuple((new if a == old else a, new if b == old else b) for a, b in drawing.arcs)
    return replace(drawing, variables=variables, arcs=arcs)


def _remove(drawing: Drawing, edit: Mapping[str, Any]) -> Drawing:
    gone = _known(drawing, edit, "variable")
    variables = {name: own for name, own in drawing.variables.items() if name != gone}
    return replace(drawing, variables=variables, arcs=tuple(arc for arc in drawing.arcs if gone not in arc))


def _draw_arc(drawing: Drawing, edit: Mapping[str, Any]) -> Drawing:
    """Draw an arc; the opposite one is removed."""
    arc = _known(drawing, edit, "source"), _known(drawing, edit, "target")
    if arc[0] == arc[1]:
        raise OptionError(f"a variable cannot be its own parent: {arc[0]!r:.60}")
    kept = _without(drawing.arcs, arc)
    return replace(drawing, arcs=(*kept, arc))


def _remove_arc(drawing: Drawing, edit: Mapping[str, Any]) -> Drawing:
    arc = _text(edit, "source"), _text(edit, "target")
    return replace(drawing, arcs=_without(drawing.arcs, arc))


_EDITS: dict[str, Callable[[Drawing, Mapping[str, Any]], Drawing]] = {
    "variable": _put_variable,
    "rename": _rename,
    "remove": _remove,
    "arc": _draw_arc,
    "no-arc": _remove_arc,
}


def new_drawing(name: Any, variables: Any, arcs: Any) -> Drawing:
    """A drawing from its parts, as a request gives them."""
    called = _name({"name": name}, "name")
    if not isinstance(variables, list) or not isinstance(arcs, list):
        raise OptionError("a drawing has a list of variables and a list of arcs")
    check_numbers(len(variables), len(arcs))
    drawing = Drawing(called)
    for one in variables:
        given = {"name": one} if isinstance(one, str) else one
        if not isinstance(given, Mapping):
            raise OptionError(f"a variable must be a name, or an object with a name; got {one!r:.60}")
        name = _name(given, "name")
        if name in drawing.variables:
            raise OptionError(f"the drawing has the variable {name!r:.60} twice")
        drawing = _put_variable(drawing, {**given, "variable": name})
    seen: set[Arc] = set()
    for one in arcs:
        if not isinstance(one, list) or len(one) != 2 or not all(isinstance(end, str) for end in one):
            raise OptionError(f"an arc must be a list of two variables; got {one!r:.60}")
        arc = (one[0], one[1])
        if arc[::-1] in seen:
            raise OptionError(f"{shown_cycle(list(arc))} is a cycle: remove or reverse one of its arcs")
        seen.add(arc)
        drawing = _draw_arc(drawing, {"source": arc[0], "target": arc[1]})
    check(drawing)
    return drawing


def words_of(before: Drawing, after: Drawing, edits: Sequence[Mapping[str, Any]] = ()) -> str:
    """The differences, in words; empty if only positions differ."""
    return listed(list(_differences(before, after, edits)), _TOLD, str)


def _differences(before: Drawing, after: Drawing, edits: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    new = {one["variable"]: one["name"] for one in edits if one.get("edit") == "rename"}
    renamed: dict[str, str] = {}
    for name in before.variables:
        last = name
        for _ in new:  # through all of its names
            last = new.get(last, last)
        if last != name and name not in after.variables and last in after.variables and last not in before.variables:
            renamed[name] = last
            yield f"renamed {name} to {last}"
    called = set(renamed.values())
    yield from (f"added {name}" for name in after.variables if name not in before.variables and name not in called)
    yield from (f"removed {name}" for name in before.variables if name not in after.variables and name not in renamed)
    for name, own in after.variables.items():
        old = before.variables.get(name)
        if old is not None and own.states != old.states:
            yield (
                f"gave {name} the states {listed(own.states, _TOLD, str)}"
                if own.states
                else f"removed the states of {name}"
            )
    was = {(renamed.get(a, a), renamed.get(b, b)) for a, b in before.arcs}
    now = set(after.arcs)
    for source, target in after.arcs:
        if (source, target) not in was:
            yield f"{'reversed to' if (target, source) in was else 'drew'} {source} → {target}"
    there = after.variables.keys()
    for source, target in sorted(was - now):
        if (target, source) not in now and source in there and target in there:
            yield f"removed {source} → {target}"


def _without(arcs: tuple[Arc, ...], gone: Arc) -> tuple[Arc, ...]:
    pair = {gone, gone[::-1]}
    return tuple(arc for arc in arcs if arc not in pair)


def _known(drawing: Drawing, edit: Mapping[str, Any], part: str) -> str:
    name = _text(edit, part)
    if name not in drawing.variables:
        raise GoneError(name)
    return name


def _text(edit: Mapping[str, Any], part: str) -> str:
    value = edit.get(part)
    if not isinstance(value, str):
        raise OptionError(f"{part} must be text; got {value!r:.60}")
    return value


def _name(edit: Mapping[str, Any], part: str) -> str:
    name = _text(edit, part)
    if not name.strip() or len(name) > limits.LONGEST_NAME:
        raise OptionError(f"{part} must have 1 to {limits.LONGEST_NAME} characters; this one has {len(name):,}")
    if not name.isprintable():  # lone halves of characters are not printable either
        raise OptionError(f"{part} has a character that cannot be shown: {name!a:.60}")
    return name


def _states(variable: str, given: Any) -> tuple[str, ...]:
    if not isinstance(given, list):
        raise OptionError(f"the states of {variable!r:.60} must be a list of labels; got {given!r:.60}")
    states = tuple(_name({"state": one}, "state").strip() for one in given)
    if len(states) == 1 or len(states) > limits.DRAWN_STATES:
        raise OptionError(
            f"{variable!r:.60} must have 2 to {limits.DRAWN_STATES} states, or none for those of the other inputs; "
            f"it has {len(states)}"
        )
    for one in states:
        if states.count(one) > 1:
            raise OptionError(f"{variable!r:.60} has the state {one!r:.60} twice")
    return states


def _place(given: Any) -> tuple[int, int]:
    is_pair = isinstance(given, list) and len(given) == 2
    if not is_pair or not all(type(one) in (int, float) and abs(one) <= _FARTHEST for one in given):
        raise OptionError(f"at must be a list of two numbers up to {_FARTHEST:,}; got {given!r:.60}")
    return round(given[0]), round(given[1])
