"""The states that people gave to variables of their drawings, if no other input has states for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bnfuse.problem.inputs import SAME, UNION
from bnfuse.serve.workspace.state import State


def drawn_states(question: State, files: Mapping[str, Mapping[str, Any]]) -> dict[str, tuple[str, ...]]:
    """For the option `states` of a consensus, without variables for which another input has states, or drawings differ.

    `files` has the facts of each file. Files read by an older bnfuse do not record which variables have states: with
    such a file, the result is empty. It is also empty if only some variables would have states.
    """
    drawn = {one.id: question.drawings[one.id] for one in question.counted if one.id in question.drawings}
    others = [files[one.file] for one in question.read if one.id not in question.drawings]
    if question.variables not in (SAME, UNION) or any("stated" not in one for one in others):
        return {}
    renamed = {(one.id, one.variable): one.name for one in question.renaming[0]}
    told = {name for one in others for name in one["stated"]}
    told |= {renamed[own, name] for own, name in renamed if own not in drawn and name in told}
    found: dict[str, tuple[str, ...]] = {}
    for own, drawing in drawn.items():
        for name, variable in drawing.variables.items():
            called = renamed.get((own, name), name)
            if variable.states and set(found.setdefault(called, variable.states)) != set(variable.states):
                told.add(called)
    return {name: states for name, states in sorted(found.items()) if name not in told}
