"""The pages that are public: the start page, which lists workspaces, and that of a workspace. Neither contains data.

A browser shows its secret once, in the body of a form or in a header, and gets a key for its tab. The scripts of the
pages send that key with every request for data.
"""

from __future__ import annotations

import html
import json
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from bnfuse.errors import BnfuseError
from bnfuse.serve.http.entrance.door import Door
from bnfuse.serve.http.page import page, start_page
from bnfuse.serve.http.replies import Reply
from bnfuse.serve.meeting.roles import Role
from bnfuse.serve.service import Service
from bnfuse.serve.workspace.store import WorkspaceStore


def shown(status: int = 200, entered: object = None) -> Response:
    """The start page; `entered` is the browser's reply for the token that it showed."""
    content = start_page()
    data = html.escape(json.dumps(entered))
    return HTMLResponse(
        content.html.replace("{{entered}}", data), status, headers={"content-security-policy": content.policy}
    )


async def show_start(request: Request) -> Response:
    """The start page: asks for the token, and lists the workspaces."""
    return shown()


async def show_page(request: Request) -> Response:
    """The page of a workspace, which is the same for all of them: it fetches its data."""
    content = page()
    return HTMLResponse(content.html, headers={"content-security-policy": content.policy})


async def enter(request: Request) -> Response:
    """The same for a form with the token: the page then has a key."""
    try:
        given = parse_qs((await request.body()).decode(), max_num_fields=10).get("token", [""])[0]
    except ValueError:
        given = ""
    role = door_of(request).role(given)
    if role is None:
        return shown(401, {"error": "That is not the token of this server: use the one that bnfuse serve printed."})
    return shown(200, await _entered(request, role))


async def begin_session(request: Request) -> Response:
    """A key for one tab, instead of the secret of a link; and the first workspace to show."""
    return Reply(await _entered(request, role_of(request)), 201)


def door_of(request: Request) -> Door:
    """The door of this server."""
    door: Door = request.app.state.door
    return door


def role_of(request: Request) -> Role:
    """The role of the client: only for requests that the gate has checked."""
    role: Role = request.scope["bnfuse.role"]
    return role


async def _entered(request: Request, role: Role) -> dict[str, str | None]:
    return {"key": door_of(request).new_key(role), "role": role, "workspace": await _first(request, role)}


async def _first(request: Request, role: Role) -> str | None:
    """The workspace with the files of the command, or the most recently changed one; a new one if there is none."""
    service: Service = request.app.state.service
    if request.app.state.first is not None:
        return str(request.app.state.first)
    names = await service.folder.names()
    if not names:
        return None if role is Role.READ_ONLY else await service.folder.create()
    try:
        await service.folder.use(names[0], WorkspaceStore.now)
    except BnfuseError:
        return None  # there is a list to choose from
    return names[0]
