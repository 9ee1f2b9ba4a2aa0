"""The requests of people in a meeting: joining, and private rounds."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, replace
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from bnfuse.errors import OptionError
from bnfuse.serve import limits
from bnfuse.serve.applying import variables_of
from bnfuse.serve.http.api import Asker, asker_of, json_of, maker_of, name_of, service_of
from bnfuse.serve.http.entrance.links import links
from bnfuse.serve.http.entrance.start_page import door_of
from bnfuse.serve.http.gate import RefusedError
from bnfuse.serve.http.replies import Reply
from bnfuse.serve.jobs.workers import Job
from bnfuse.serve.meeting import panels
from bnfuse.serve.meeting.items import Maker
from bnfuse.serve.meeting.people import ForbiddenError, Person, join, let_join_again, people
from bnfuse.serve.meeting.roles import Role
from bnfuse.serve.service import Service, file_facts, known_answer
from bnfuse.serve.workspace.state import Input, State, file_id
from bnfuse.serve.workspace.store import StoredFile, WorkspaceStore

_JUDGE = "judged"
"""begins the id of the input with an expert's votes; neither the id nor its order reveals a hidden name"""


async def give_links(request: Request) -> Response:
    """The links to this workspace for each role, to pass on (facilitator)."""
    name, door = name_of(request), door_of(request)
    if not (await asker_of(request)).role.may_lead:
        raise ForbiddenError("only the facilitator can do this")
    await service_of(request).folder.use(name, WorkspaceStore.now)
    called = {"facilitator": Role.FACILITATOR, "participant": Role.PARTICIPANT, "wall": Role.READ_ONLY}
    return Reply({one: links(door, role, name) for one, role in called.items()})


async def list_people(request: Request) -> Response:
    """Everybody who has joined, and who is here now."""
    name, service = name_of(request), service_of(request)
    found = await service.folder.use(name, people)
    return Reply({"people": [asdict(one) for one in found], "present": service.events.present(name)})


async def join_workspace(request: Request) -> Response:
    """Join with a name: returns the key for the header `Bnfuse-Person`, which identifies the person later."""
    given = await _object(request, '{"name": "Ana"}')
    if not (await asker_of(request)).role.may_change:
        raise ForbiddenError("this link is for reading only: ask the facilitator for another")
    _, (person, key) = await service_of(request).changed(name_of(request), lambda store: join(store, given.get("name")))
    return Reply({**asdict(person), "key": key}, 201)


async def let_again(request: Request) -> Response:
    """Let somebody who has lost their key join again under their name (facilitator)."""
    maker, number = await _leader(request), _number(request, "person")
    await service_of(request).changed(name_of(request), lambda store: let_join_again(store, number), maker)
    return Reply({"person": number})


async def look_at(request: Request) -> Response:
    """Show an arc on the wall (facilitator)."""
    given = await _object(request, '{"arc": ["Smoker", "Cough"]}')
    await _leader(request)
    arc = given.get("arc")
    if not isinstance(arc, list) or len(arc) != 2 or not all(isinstance(one, str) for one in arc):
        raise OptionError(f"arc must be a list of two variables; got {arc!r:.60}")
    service, name = service_of(request), name_of(request)
    known = await service.folder.use(name, lambda store: variables_of(store, store.now().question))
    if any(one not in known for one in arc):
        raise OptionError(f"there is no arc {arc[0]!r:.60} -> {arc[1]!r:.60}")
    service.events.tell(name, "focus", {"arc": arc})
    return Reply({"arc": arc})


async def list_panels(request: Request) -> Response:
    """All private rounds: one's own judgements, and those of others once they are revealed."""
    asker = await asker_of(request)
    found = await service_of(request).folder.use(name_of(request), lambda store: panels.shown(store, asker.person))
    return Reply(found)


async def open_panel(request: Request) -> Response:
    """Open a private round on the most disputed arcs, or on given ones (facilitator)."""
    given, maker = await _object(request, '{"name": "Round 1", "anonymous": true}'), await _leader(request)
    name, is_anonymous, pairs = given.get("name"), given.get("anonymous", False), given.get("pairs")
    if not isinstance(name, str) or not 1 <= len(name.strip()) <= limits.LONGEST_NAME or not name.isprintable():
        raise OptionError(f"a private round has a name of 1 to {limits.LONGEST_NAME} characters; got {name!r:.60}")
    if not isinstance(is_anonymous, bool):
        raise OptionError(f"anonymous must be true or false; got {is_anonymous!r:.60}")
    service, place = service_of(request), name_of(request)
    disputed = await _disputed(service, place)
    earlier = [pair for one in await service.folder.use(place, panels.panels) for pair in one.pairs]
    chosen = disputed[: limits.MOST_JUDGED] if pairs is None else _checked_pairs(pairs, [*disputed, *earlier])
    await service.changed(place, lambda store: panels.open_panel(store, name.strip(), is_anonymous, chosen), maker)
    return await _panels_reply(request, 201)


async def judge(request: Request) -> Response:
    """Judge arcs of an open private round; only the author can read the judgements until the round is revealed."""
    given, asker, number = await json_of(request), await asker_of(request), _number(request, "panel")
    person = _person(asker)
    service, name = service_of(request), name_of(request)

    def keep(store: WorkspaceStore) -> int:
        panels.judge(store, number, person, given)
        return len(panels.judgements(store, panels.panel_of(store, number)))

    judged = await service.folder.use(name, keep)
    service.events.tell(name, "panel", {"number": number, "judged": judged})
    return Reply({"number": number, "judged": judged})


async def reveal(request: Request) -> Response:
    """Reveal a private round to everybody, with or without names (facilitator)."""
    given = await _object(request, '{"anonymous": true}')
    maker, number = await _leader(request), _number(request, "panel")
    service, name = service_of(request), name_of(request)
    panel = await service.folder.use(name, lambda store: panels.panel_of(store, number))
    is_anonymous = given.get("anonymous", panel.is_anonymous)
    if not isinstance(is_anonymous, bool):
        raise OptionError(f"anonymous must be true or false; got {is_anonymous!r:.60}")
    if panel.is_anonymous and not is_anonymous:
        raise OptionError("the experts judged without names: that cannot be changed afterwards")
    await service.changed(name, lambda store: panels.reveal(store, number, is_anonymous), maker)
    service.events.tell(name, "panel", {"number": number})
    return await _panels_reply(request)


async def count_judgements(request: Request) -> Response:
    """Let the judgements of a revealed private round count as votes, one input for each expert (facilitator)."""
    maker, number = await _leader(request), _number(request, "panel")
    service, name = service_of(request), name_of(request)

    def read(store: WorkspaceStore) -> tuple[panels.Panel, dict[int, list[panels.Judgement]], dict[int, str], State]:
        panel = panels.panel_of(store, number)
        if panel.state == panels.OPEN:
            raise OptionError(f"the private round {panel.name} is not revealed yet")
        return panel, panels.judgements(store, panel), panels.labels(store, panel), store.now().question

    panel, said, called, question = await service.folder.use(name, read)
    if not said:
        raise OptionError(f"nobody has judged in the private round {panel.name}")
    others = replace(question, inputs=tuple(one for one in question.inputs if not _is_expert(one)))
    files = await service.folder.use(name, lambda store: file_facts(store, others))
    named = sorted(((called[one], judged) for one, judged in said.items()), key=lambda pair: pair[0])
    listed = {label: [asdict(own) for own in judged] for label, judged in named}
    job = service.job(name, "votes", others, files, "quick", {"judgements": listed})
    contents = (await service.schedule.run(name, job)).parts
    kept = []
    for k, (label, content) in enumerate(zip(listed, contents, strict=True), 1):
        file = f"judgements-{number}-{k}.csv"
        read_job = Job("read", {"name": file, "as": "networks"}, (content,), seconds=limits.SECONDS["read"])
        facts = (await service.schedule.run(name, read_job)).facts
        kept.append((label, file, content, facts))

    def count(store: WorkspaceStore) -> None:
        _keep_votes(store, panel, kept)

    told, _ = await service.changed(name, count, replace(maker, on=None))
    service.events.tell(name, "panel", {"number": number})
    return Reply({"revision": told["revision"], "added": [label for label, *_ in kept]})


def _keep_votes(store: WorkspaceStore, panel: panels.Panel, kept: list[tuple[str, str, bytes, dict[str, Any]]]) -> None:
    """One input for each expert: the input from an earlier round gets the newer votes, and keeps its weight."""
    question = store.now().question
    way = f"{_JUDGE}-{'hidden' if panel.is_anonymous else 'named'}-"
    before = {one.id: one for one in question.inputs}
    # Of rounds with names and of those without, only the last counts: nobody votes twice.
    stays = [one for one in question.inputs if not _is_expert(one) or one.id.startswith(way)]
    taken = {one.name for one in stays if not _is_expert(one)}
    files, inputs = [], []
    for label, file, content, facts in kept:
        own = file_id(file, content)
        plain = {key: value for key, value in facts.items() if key != "said"}
        files.append((StoredFile(own, file, plain | {"sha256": _sha256(content)}), content))
        id_ = f"{way}{hashlib.sha256(label.encode()).hexdigest()[:16]}"
        old = before.get(id_)
        called = label if label not in taken else f"{label} (judgements)"
        inputs.append(Input(id_, called, own, 0) if old is None else replace(old, file=own, name=called))
    gone = {one.id for one in inputs}
    after = replace(question, inputs=(*(one for one in stays if one.id not in gone), *inputs))
    store.add_files(files, after, f"counted the judgements of the private round {panel.name} as votes")
    panels.set_counted(store, panel.number)


def _is_expert(one: Input) -> bool:
    return one.id.startswith(f"{_JUDGE}-")


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


async def _disputed(service: Service, name: str) -> list[panels.Pair]:
    _, answer = await known_answer(service, name, None)
    rows = await service.folder.use(name, lambda store: store.part(answer, "disputes"))
    return [(one["source"], one["target"]) for one in rows]


def _checked_pairs(pairs: Any, disputed: list[panels.Pair]) -> list[panels.Pair]:
    if not isinstance(pairs, list) or not 1 <= len(pairs) <= limits.MOST_JUDGED:
        raise OptionError(f"pairs must be a list of 1 to {limits.MOST_JUDGED} disputed arcs, as [from, to]")
    chosen = [tuple(one) if isinstance(one, list) else one for one in pairs]
    for one in chosen:
        if one not in disputed:
            raise OptionError(f"pairs: {one!r:.80} is not among the disputed arcs")
    return list(dict.fromkeys(chosen))


async def _panels_reply(request: Request, status: int = 200) -> Response:
    asker = await asker_of(request)
    found = await service_of(request).folder.use(name_of(request), lambda store: panels.shown(store, asker.person))
    return Reply(found[-1] if status == 201 else found, status)


def _person(asker: Asker) -> Person:
    if not asker.role.may_change:
        raise ForbiddenError("this link is for reading only: ask the facilitator for another")
    if asker.person is None:
        raise ForbiddenError("say who you are first: join with a name")
    return asker.person


async def _leader(request: Request) -> Maker:
    maker = await maker_of(request, is_revision_needed=False)
    if not maker.may_lead:
        raise ForbiddenError("only the facilitator can do this")
    return maker


async def _object(request: Request, example: str) -> dict[str, Any]:
    given = await json_of(request) if await request.body() else {}
    if not isinstance(given, dict):
        raise RefusedError(400, f"the body must be an object, such as {example}")
    return given


def _number(request: Request, part: str) -> int:
    text = request.path_params[part]
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise OptionError(f"{part} must be a number; got {text!r:.60}")
    return int(text)
