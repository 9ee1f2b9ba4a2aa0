"""The requests, one function each, with their arguments and results."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.requests import Request
from starlette.responses import Response

from bnfuse.answer.schools.schools import MOST_SCHOOLS
from bnfuse.errors import OptionError
from bnfuse.serve import limits
from bnfuse.serve.http.gate import RefusedError
from bnfuse.serve.http.replies import Reply
from bnfuse.serve.jobs.frames import Frame
from bnfuse.serve.meeting.items import Maker
from bnfuse.serve.meeting.people import ForbiddenError, Person, person_of
from bnfuse.serve.meeting.roles import Role
from bnfuse.serve.service import Service, file_facts, known_answer
from bnfuse.serve.workspace.changes import is_text
from bnfuse.serve.workspace.comparing import changed_codes, compared
from bnfuse.serve.workspace.folder import UnknownError, checked_name
from bnfuse.serve.workspace.state import State, note_key
from bnfuse.serve.workspace.store import Answer, WorkspaceStore

PERSON = "bnfuse-person"
"""the header with the key of a person"""
_REVISION = re.compile(r'[0-9]{1,15}|"[0-9]{1,15}"')
_LONGEST_WAIT = 60
_MOST_DIGITS = 15
_MOST_EVIDENCE = 200


def service_of(request: Request) -> Service:
    """The objects that all requests use."""
    service: Service = request.app.state.service
    return service


def name_of(request: Request) -> str:
    """The workspace that a request is about."""
    return checked_name(request.path_params["name"])


async def json_of(request: Request) -> Any:
    """The body of a request."""
    body = await request.body()
    try:
        return json.loads(body, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise RefusedError(400, "the body must be JSON") from None


@dataclass(frozen=True, slots=True)
class Asker:
    """The person who makes a request."""

    role: Role
    person: Person | None

    @property
    def maker(self) -> Maker:
        """The same for the store, without a revision."""
        return Maker(self.person.name if self.person is not None else "", None, self.role.may_lead)


async def asker_of(request: Request) -> Asker:
    """The person who asks: the role follows from the link, and the key is the one that they got when they joined."""
    role = Role(request.scope["bnfuse.role"])
    key = request.headers.get(PERSON)
    if not key:
        return Asker(role, None)
    person = await service_of(request).folder.use(name_of(request), lambda store: person_of(store, key))
    return Asker(role, person)


async def maker_of(request: Request, is_revision_needed: bool = True) -> Maker:
    """The author of a change, and its revision; refuses a role that may not change, and a missing revision."""
    asker = await asker_of(request)
    if not asker.role.may_change:
        raise ForbiddenError("this link is for reading only: ask the facilitator for another")
    if not asker.role.may_lead and asker.person is None:
        raise ForbiddenError("say who you are first: join with a name")
    text = request.headers.get("if-match", "").strip()
    if not text and is_revision_needed:
        raise RefusedError(
            428,
            'a change names the revision that it was made on, as in If-Match: "12"; If-Match: * makes it in any case',
        )
    if text in ("", "*"):
        return asker.maker
    if not _REVISION.fullmatch(text):
        raise OptionError(f"If-Match must be a revision or *; got {text!r:.60}")
    return replace(asker.maker, on=int(text.strip('"')))


def _refuse_constant(name: str) -> float:
    raise ValueError(name)


# Workspaces


async def list_workspaces(request: Request) -> Response:
    """All workspaces, the most recently changed first."""
    return Reply([asdict(one) for one in await service_of(request).folder.listed()])


async def create_workspace(request: Request) -> Response:
    """A new workspace."""
    given = await json_of(request) if await request.body() else {}
    if not isinstance(given, dict):
        raise RefusedError(400, "the body must be an object, such as {}")
    name = await service_of(request).folder.create(given.get("name"))
    return Reply({"name": name}, 201)


async def look(request: Request) -> Response:
    """The present state of a workspace."""
    service, name = service_of(request), name_of(request)
    asker = await asker_of(request)
    found = await service.look(name, asker.maker)
    own = None if asker.person is None else {"id": asker.person.id, "name": asker.person.name}
    return Reply(found | {"role": asker.role, "you": own, "present": service.events.present(name)})


# Changes


async def add_file(request: Request) -> Response:
    """Add a file: its content is the body."""
    name, kind = request.query_params.get("name", ""), request.query_params.get("as")
    content = await request.body()
    maker = await maker_of(request, is_revision_needed=False)
    return Reply(await service_of(request).add_file(name_of(request), name, content, kind, maker))


async def change(request: Request) -> Response:
    """One change, or a list of them, made on the revision that `If-Match` names."""
    given = await json_of(request)
    return Reply(await service_of(request).change(name_of(request), given, await maker_of(request)))


async def undo(request: Request) -> Response:
    """Undo one's own last change or, as facilitator, anybody's; or that of a line of the history."""
    given = await json_of(request) if await request.body() else {}
    if not isinstance(given, dict):
        raise RefusedError(400, 'the body must be an object, such as {"revision": 12}, or empty')
    line = given.get("revision")
    if line is not None and type(line) is not int:
        raise OptionError(f"revision must be the number of a line of the history; got {line!r:.60}")
    maker = await maker_of(request, is_revision_needed=False)
    return Reply(await service_of(request).undo(name_of(request), maker, line))


async def redo(request: Request) -> Response:
    """Redo the last undone change."""
    maker = await maker_of(request, is_revision_needed=False)
    return Reply(await service_of(request).redo(name_of(request), maker))


async def history(request: Request) -> Response:
    """All changes, in words."""
    return Reply(await service_of(request).folder.use(name_of(request), WorkspaceStore.history))


# Answers


async def solve(request: Request) -> Response:
    """Request more work on the present question: quick, normal, thorough, or a proof, which tightens the bound."""
    given = await json_of(request)
    if not isinstance(given, dict):
        raise RefusedError(400, 'the body must be an object, such as {"effort": "thorough"}')
    await maker_of(request, is_revision_needed=False)
    return Reply(await service_of(request).solve(name_of(request), given.get("effort")), 202)


async def stop(request: Request) -> Response:
    """Stop the present search."""
    await maker_of(request, is_revision_needed=False)
    return Reply(await service_of(request).stop(name_of(request)))


async def view(request: Request) -> Response:
    """The page's data of the best answer, and what changed since the previous one."""
    name, service = name_of(request), service_of(request)
    now, answer = await known_answer(service, name, revision_of(request))

    def read(store: WorkspaceStore) -> tuple[bytes, dict[str, Any]]:
        known = store.frontier(answer.key)
        is_same = known is not None and known["answer_effort"] == answer.effort
        packed = store.frontier_part(answer.key, "view") if is_same else store.part(answer, "view")
        data = zlib.decompress(packed)
        if (decided := store.part(answer, "decided")) is not None:
            data = json.dumps(json.loads(data) | {"disputes": decided}, separators=(",", ":")).encode()
        makers, time = store.makers_since(now.revision)
        changed = {"changed": changed_codes(store, answer, now.revision), "changed_by": makers, "changed_at": time}
        facts = {**changed, **_disputes(store, now.question, answer)}
        return data, facts

    data, facts = await service.folder.use(name, read)
    head = {"revision": now.revision, "key": answer.key, "effort": answer.effort, **facts}
    body = json.dumps(head).encode()[:-1] + b',"data":' + data + b"}"
    return Response(body, media_type="application/json")


def revision_of(request: Request) -> int | None:
    """The line of the history that a request names, if any."""
    text = request.query_params.get("revision")
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS):
        raise OptionError(f"revision must be the number of a line of the history; got {text!r:.60}")
    return int(text)


async def events(request: Request) -> Response:
    """The events of a workspace, as they occur."""
    name, service = name_of(request), service_of(request)
    person = (await asker_of(request)).person
    stream = service.events.subscribe(name, "" if person is None else person.name)

    async def told() -> Any:
        async for event in stream:
            yield ServerSentEvent(json.dumps(event.facts), event=event.name, id=str(event.number))

    return EventSourceResponse(told(), ping=limits.PING_SECONDS, send_timeout=limits.SEND_SECONDS)


async def answered_job(request: Request, do: str, more: dict[str, Any], revision: int | None = None) -> Frame:
    """The result of a worker for the best answer to the present question, or to that of a line of the history."""
    name, service = name_of(request), service_of(request)
    now, answer = await known_answer(service, name, revision_of(request) if revision is None else revision)

    def read(store: WorkspaceStore) -> tuple[dict[str, Any], bytes]:
        return file_facts(store, now.question), store.part(answer, "saved")

    files, saved = await service.folder.use(name, read)
    return await service.schedule.run(
        name, service.job(name, do, now.question, files, answer.effort, more, parts=(saved,))
    )


def _said(arc: tuple[str, str], required: set[tuple[str, str]], forbidden: set[tuple[str, str]]) -> str:
    """The rule of a question on an arc: one of `SAYS`."""
    if arc in required:
        return "require"
    if arc not in forbidden:
        return "free"
    return "forbid" if arc[::-1] in forbidden else "forbid-direction"


async def disputes(request: Request) -> Response:
    """The pairs on which the inputs differ: their supporters, the costs of other decisions, notes and rules.

    Costs are computed in the background once the answer is shown; until then, they are null.
    """
    name, service = name_of(request), service_of(request)
    now, answer = await known_answer(service, name, revision_of(request))
    found = await service.folder.use(name, lambda store: _disputes(store, now.question, answer))
    return Reply({"revision": now.revision, "effort": answer.effort, **found})


def _disputes(store: WorkspaceStore, question: State, answer: Answer) -> dict[str, Any]:
    found, decided = store.part(answer, "disputes"), store.part(answer, "decided")
    required, forbidden = set(question.required), set(question.forbidden)
    for one in found:
        arc = one["source"], one["target"]
        one["note"] = question.notes.get(note_key(arc), "")
        one["say"], one["say_reversed"] = _said(arc, required, forbidden), _said(arc[::-1], required, forbidden)
    pairs = None if decided is None else decided["pairs"]
    stopped_by = None if decided is None else decided["stopped_by"]
    return {"pairs": pairs, "stopped_by": stopped_by, "is_solved": decided is not None, "disputes": found}


async def frontier(request: Request) -> Response:
    """The best networks for other limits: searched on the first request."""
    text = request.query_params.get("wait", "30")
    is_number = text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
    if not is_number or int(text) > _LONGEST_WAIT:
        raise OptionError(f"wait must be a number of seconds up to {_LONGEST_WAIT}; got {text!r:.60}")
    found = await request.app.state.frontiers.get(name_of(request), float(text))
    if found is None:
        return Reply({"state": "searching"}, 202)
    return Reply({"state": "done", **found})


async def schools(request: Request) -> Response:
    """The schools of thought among the inputs: searched at every request."""
    text = request.query_params.get("k")
    if text is not None and text not in map(str, range(1, MOST_SCHOOLS + 1)):
        raise OptionError(f"k must be a number of schools from 1 to {MOST_SCHOOLS}; got {text!r:.60}")
    now, _ = await known_answer(service_of(request), name_of(request), revision_of(request))
    frame = await answered_job(request, "schools", {"k": None if text is None else int(text)}, now.revision)
    return Reply({"revision": now.revision, "key": now.question.key, **frame.facts})


def _is_weighed(value: object) -> bool:
    return isinstance(value, dict) and all(type(one) in (int, float) for one in value.values())


def _is_finding(value: object) -> bool:
    is_set = isinstance(value, list) and all(isinstance(one, str) for one in value)
    return isinstance(value, str) or is_set or _is_weighed(value)


_KNOWN: dict[str, tuple[Callable[[object], bool], str]] = {
    "evidence": (_is_finding, "a state, a list of states, or an object with a likelihood for each state"),
    "beliefs": (_is_weighed, "an object with a probability for each state"),
    "do": (lambda value: isinstance(value, str), "the state that each is set to"),
}


async def query(request: Request) -> Response:
    """Posterior probabilities, and that of the evidence, of the consensus or of an input."""
    given = await json_of(request)
    if not isinstance(given, dict):
        raise RefusedError(400, 'the body must be an object, such as {"target": "Cough", "evidence": {}}')
    asked = {name: given.get(name, {}) for name in _KNOWN}
    for name, known in asked.items():
        is_kind, words = _KNOWN[name]
        if not isinstance(known, dict) or not all(map(is_kind, known.values())):
            raise OptionError(f"{name} must map variables to {words}")
        if len(known) > _MOST_EVIDENCE:
            raise OptionError(f"{name} may have {_MOST_EVIDENCE} variables; this has {len(known):,}")
    target, of = given.get("target"), given.get("of", "consensus")
    if not isinstance(target, str | None) or not isinstance(of, str):
        raise OptionError("target must be a variable, and of the id of an input, or consensus")
    frame = await answered_job(request, "query", {"target": target, "of": of, "known": asked})
    return Reply(frame.facts)


# Rounds


async def list_rounds(request: Request) -> Response:
    """All rounds, from the first."""
    rounds = await service_of(request).folder.use(name_of(request), WorkspaceStore.rounds)
    return Reply([asdict(one) for one in rounds])


async def freeze(request: Request) -> Response:
    """Keep the present question with its answer as a round."""
    given = await json_of(request)
    name = given.get("name") if isinstance(given, dict) else None
    if not isinstance(name, str) or not 1 <= len(name.strip()) <= limits.LONGEST_NAME or not is_text(name):
        raise OptionError(f"a round has a name of 1 to {limits.LONGEST_NAME} characters; got {name!r:.60}")
    maker = await maker_of(request, is_revision_needed=False)
    return Reply(await service_of(request).freeze(name_of(request), name.strip(), maker), 201)


async def compare_rounds(request: Request) -> Response:
    """The differences between two rounds, by their numbers; `now` is the present question."""
    chosen = [request.path_params[part] for part in ("before", "after")]

    def compare(store: WorkspaceStore) -> dict[str, Any]:
        rounds = {str(one.number): one for one in store.rounds()}
        sides = []
        for one in chosen:
            if one == "now":
                question = store.now().question
                answer = store.best(question.key)
            elif one in rounds:
                question, answer = store.question_at(rounds[one].revision), store.answer_of(rounds[one])
            else:
                raise UnknownError(f"there is no round {one!r:.40}")
            if answer is None:
                raise UnknownError("there is no answer to the present question yet")
            sides.append((question, answer))
        return compared(*sides)

    return Reply(await service_of(request).folder.use(name_of(request), compare))


async def describe(request: Request) -> Response:
    """The description of this API, as OpenAPI."""
    return Reply(request.app.state.description)
