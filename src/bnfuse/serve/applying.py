"""Applying changes to the question of a workspace, one after the other, all or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bnfuse._base.options import at_least
from bnfuse.errors import OptionError
from bnfuse.serve.meeting.items import Maker, input_key
from bnfuse.serve.meeting.people import ForbiddenError
from bnfuse.serve.naming.decisions import followed, holdings_of, names_by_input
from bnfuse.serve.rows.changing import signed
from bnfuse.serve.workspace.changes import changed
from bnfuse.serve.workspace.state import State
from bnfuse.serve.workspace.store import WorkspaceStore


def variables_of(store: WorkspaceStore, question: State) -> list[str]:
    """The variables of all inputs, on or off."""
    files = store.files()
    named = names_by_input(question)
    used = dict.fromkeys(one.file for one in question.inputs if one.id not in named)
    found = dict.fromkeys(name for file in used for name in files[file].facts["variables"])
    for one in (one for one in question.inputs if one.id in named):
        own = holdings_of(files[one.file].facts, one.place).variables
        found |= dict.fromkeys(named[one.id].get(name, name) for name in own)
    return list(found)


def apply_changes(store: WorkspaceStore, changes: Sequence[Any], maker: Maker) -> None:
    """Apply changes, all or none; refuse changes of items that were changed since the revision of the change."""
    now = store.now()
    if maker.on is not None and maker.on > now.revision:
        raise OptionError(f"the workspace has no revision {maker.on} yet: the last is {now.revision}")
    if len(changes) == 1 and isinstance(changes[0], Mapping) and changes[0].get("kind") == "return":
        if not maker.may_lead:
            raise ForbiddenError(
                "only the facilitator can go back to an earlier line: undo takes back your own changes"
            )
        store.go_back_to(at_least("revision", changes[0].get("revision"), 1, now.revision))
        return
    question, words = now.question, []
    variables = variables_of(store, question)
    files = store.files()
    for change in changes:
        _refuse_if_gone(store, question, change)
        after = changed(
            question, signed(change, maker), variables, lambda one: holdings_of(files[one.file].facts, one.place)
        )
        if after.question != question:
            words.append(after.words)
        is_named = after.question.names != question.names
        before, question = question, after.question
        if is_named:
            question, variables = _following(store, before, question)
    if question != now.question:
        kind = changes[0]["kind"] if len(changes) == 1 else "several"
        store.change(question, kind, "; ".join(words))


def _following(store: WorkspaceStore, before: State, after: State) -> tuple[State, list[str]]:
    """A question after a change of names, with its rules under the new names, and its variables after the change."""
    variables = variables_of(store, after)
    old, new = ({(one.id, one.variable): one.name for one in state.names} for state in (before, after))
    for place in dict.fromkeys([*old, *new]):
        was, now = (names.get(place, place[1]) for names in (old, new))
        if was != now:
            after = followed(after, was, now, variables)
    return after, variables


def _refuse_if_gone(store: WorkspaceStore, question: State, change: Any) -> None:
    """Changing an input that somebody has removed in the meantime is a conflict."""
    own = change.get("id") if isinstance(change, Mapping) else None
    if isinstance(own, str) and all(one.id != own for one in question.inputs):
        store.refuse_if_changed(input_key(own), change.get("kind"))
