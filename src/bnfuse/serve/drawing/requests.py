"""The requests about drawings: a new one, edits of one, and any input as a start for one."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from bnfuse.errors import OptionError
from bnfuse.serve import limits
from bnfuse.serve.applying import variables_of
from bnfuse.serve.drawing.drawing import PREFIX, Drawing, DrawnVariable, file_of
from bnfuse.serve.drawing.editing import GoneError, edited, new_drawing, words_of
from bnfuse.serve.http.api import json_of, maker_of, name_of, service_of
from bnfuse.serve.http.gate import RefusedError
from bnfuse.serve.http.replies import Reply
from bnfuse.serve.jobs.workers import Job
from bnfuse.serve.meeting.items import drawn_key, input_key
from bnfuse.serve.naming.decisions import followed
from bnfuse.serve.service import Service, known_answer
from bnfuse.serve.workspace.folder import UnknownError
from bnfuse.serve.workspace.state import Input, State
from bnfuse.serve.workspace.store import WorkspaceStore
from bnfuse.serve.workspace.uploads import free_name

CONSENSUS = "consensus"
"""in the place of the id of an input"""


async def draw(request: Request) -> Response:
    """Add a network that somebody draws: from then on, it is an input like any other."""
    given = await _object(request, '{"name": "Ana", "variables": ["Smoker", "Cough"], "arcs": [["Smoker", "Cough"]]}')
    maker = await maker_of(request, is_revision_needed=False)
    drawing = new_drawing(given.get("name"), given.get("variables", []), given.get("arcs", []))
    own = f"{PREFIX}{secrets.token_hex(12)}"
    told, name = await service_of(request).changed(name_of(request), lambda store: _add(store, own, drawing), maker)
    return Reply(told | {"id": own, "name": name}, 201)


async def edit_drawing(request: Request) -> Response:
    """Edit a drawing on the revision that `If-Match` names; later edits of other parts of it are kept."""
    given = await _object(request, '{"edits": [{"edit": "arc", "source": "Smoker", "target": "Cough"}]}')
    maker, own = await maker_of(request), request.path_params["input"]

    def edit(store: WorkspaceStore) -> None:
        _edit(store, own, given.get("edits"), maker.on)

    return Reply((await service_of(request).changed(name_of(request), edit, maker))[0])


async def show_drawing(request: Request) -> Response:
    """A drawing, or any other input or the consensus as a start for one: without tables."""
    service, name, own = service_of(request), name_of(request), request.path_params["input"]
    if own == CONSENSUS:
        _, answer = await known_answer(service, name, None)
        return Reply(
            _shown(CONSENSUS, {one: DrawnVariable() for one in answer.facts["variables"]}, answer.facts["arcs"])
        )
    question = (await service.folder.use(name, WorkspaceStore.now)).question
    chosen = next((one for one in question.inputs if one.id == own), None)
    if chosen is None:
        raise UnknownError(f"there is no input {own!r:.60}")
    if chosen.id in question.drawings:
        drawing = question.drawings[chosen.id]
        return Reply(_shown(chosen.name, drawing.variables, drawing.arcs))
    found = await _structure(service, name, chosen)
    variables = {one: DrawnVariable(tuple(states)) for one, states in found["variables"].items()}
    return Reply(_shown(chosen.name, variables, found["arcs"]))


def _shown(name: str, variables: Mapping[str, DrawnVariable], arcs: Sequence[Sequence[str]]) -> dict[str, Any]:
    return {
        "name": name,
        "variables": [{"name": one, **asdict(own)} for one, own in variables.items()],
        "arcs": [list(arc) for arc in arcs],
    }


async def _structure(service: Service, name: str, chosen: Input) -> dict[str, Any]:
    """The variables of an input with their states, and its arcs, as a worker reads them."""
    stored = (await service.folder.use(name, WorkspaceStore.files))[chosen.file]
    needed = {chosen.file: {"name": stored.name, "kind": stored.facts["kind"]}}

    async def contents(ids: Sequence[str]) -> list[bytes]:
        return await service.folder.use(name, lambda store: [store.content(one) for one in ids])

    facts = {"files": needed, "file": chosen.file, "place": chosen.place, "name": chosen.name}
    job = Job("structure", facts, (), contents, None, limits.SECONDS["read"])
    return (await service.schedule.run(name, job)).facts


# In the thread of the stores


def _add(store: WorkspaceStore, own: str, drawing: Drawing) -> str:
    question = store.now().question
    if len(question.inputs) >= limits.MOST_INPUTS:
        raise OptionError(f"a workspace may have at most {limits.MOST_INPUTS:,} inputs")
    _check_room(store)
    name = free_name(drawing.called, {one.name for one in question.inputs})
    added = Input(own, name, file_of(own, drawing).id, 0)
    after = replace(
        question, inputs=(*question.inputs, added), drawings={**question.drawings, own: replace(drawing, called=name)}
    )
    store.change(_with_file(after, own), "draw", f"drew {name}")
    return name


def _edit(store: WorkspaceStore, own: str, edits: Any, on: int | None) -> None:
    now = store.now()
    if on is not None and on > now.revision:
        raise OptionError(f"the workspace has no revision {on} yet: the last is {now.revision}")
    before = now.question.drawings.get(own)
    chosen = next((one for one in now.question.inputs if one.id == own), None)
    if before is None or chosen is None:
        store.refuse_if_changed(input_key(own), None)
        raise UnknownError(f"there is no drawing {own!r:.60}")
    _check_room(store)
    try:
        drawing = edited(before, edits)
    except GoneError as error:  # somebody has removed or renamed it in the meantime
        store.refuse_if_changed(drawn_key(own, error.variable), {"states": [], "x": None, "y": None})
        raise
    if drawing == before:
        return
    after = _with_file(replace(now.question, drawings={**now.question.drawings, own: drawing}), own)
    others = replace(now.question, inputs=tuple(one for one in now.question.inputs if one.id != own))
    left = {*variables_of(store, others), *drawing.variables}
    for one in edits:
        if one["edit"] == "rename":  # rules on a name that no input has any more would rule out every consensus
            after = followed(after, one["variable"], one["name"], left)
    words = words_of(before, drawing, edits)
    store.change(after, "draw", f"in {chosen.name}: {words}" if words else f"moved boxes of {chosen.name}")


def _with_file(question: State, own: str) -> State:
    """The question with the file of the new drawing."""
    file = file_of(own, question.drawings[own]).id
    return replace(question, inputs=tuple(replace(one, file=file) if one.id == own else one for one in question.inputs))


def _check_room(store: WorkspaceStore) -> None:
    if sum("drawn" in one.facts for one in store.files().values()) >= limits.MOST_DRAWN:
        raise OptionError(
            f"the drawings of this workspace were saved {limits.MOST_DRAWN:,} times already: start another workspace"
        )


async def _object(request: Request, example: str) -> dict[str, Any]:
    given = await json_of(request)
    if not isinstance(given, dict):
        raise RefusedError(400, f"the body must be an object, such as {example}")
    return given
