"""Workspaces to take elsewhere, and to delete for good."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from bnfuse.errors import OptionError
from bnfuse.serve.http.api import name_of, service_of
from bnfuse.serve.http.entrance.door import Role
from bnfuse.serve.http.entrance.start_page import role_of
from bnfuse.serve.http.gate import RefusedError


def _check_meant(request: Request) -> None:
    """What cannot be undone has to be asked for in so many words, and by somebody who may."""
    if role_of(request) is not Role.FACILITATOR:
        raise RefusedError(403, "only the facilitator deletes for good")
    if request.query_params.get("for") != "good":
        raise OptionError("this cannot be undone: add ?for=good to the address if it is meant")


async def delete_workspace(request: Request) -> Response:
    """Delete a workspace for good, with its files and history."""
    _check_meant(request)
    name, service = name_of(request), service_of(request)
    await service.forget(name)
    await service.folder.delete(name)
    service.events.tell(name, "deleted", {})
    return Response(status_code=204)
