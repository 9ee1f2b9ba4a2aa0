"""Downloads: the files that a workspace offers."""

from __future__ import annotations

from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from bnfuse._base.options import one_of
from bnfuse.serve.http.api import answered_job, name_of, service_of
from bnfuse.serve.jobs.outputs import MADE, WRITTEN, Kind
from bnfuse.serve.jobs.repeat import command, python
from bnfuse.serve.service import file_facts, known_answer
from bnfuse.serve.workspace.folder import UnknownError
from bnfuse.serve.workspace.minutes import minutes


async def take(request: Request) -> Response:
    """The answer as a file: bif, xmlbif, xdsl, net, uai, csv, report, schools, saved, minutes, command or python."""
    kind, name = request.path_params["kind"], name_of(request)
    if kind in WRITTEN:
        return _file(WRITTEN[kind], name, await _written(request, name, kind))
    if kind not in MADE:
        raise UnknownError(f"there is no output {kind!r:.40}; there are {', '.join((*MADE, *WRITTEN))}")
    placeholders = request.query_params.get("placeholders", "false")
    one_of("placeholders", placeholders, ("true", "false"))
    frame = await answered_job(request, "out", {"kind": kind, "called": name, "placeholders": placeholders == "true"})
    return _file(MADE[kind], name, frame.parts[0])


async def _written(request: Request, name: str, kind: str) -> bytes:
    service = service_of(request)
    if kind == "minutes":
        return (await service.folder.use(name, lambda store: minutes(store, name))).encode()
    now, answer = await known_answer(service, name, None)
    files = await service.folder.use(name, lambda store: file_facts(store, now.question))
    return (command if kind == "command" else python)(now.question, files, answer.effort).encode()


def _file(kind: Kind, name: str, content: bytes) -> Response:
    return attachment(kind.called or f"{name}{kind.ending}", kind.media, content)


def attachment(called: str, media: str, content: bytes) -> Response:
    """A file to download; a workspace's name is valid in any folder, and headers have only ASCII."""
    plain = called.encode("ascii", "replace").decode().replace("?", "_")
    headers = {"content-disposition": f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(called, safe='')}"}
    return Response(content, media_type=media, headers=headers)
