"""All requests in one table, from which the application and its OpenAPI file are made: they cannot drift apart."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from bnfuse.report.page.page_schema import PageData
from bnfuse.report.page.records import Object, json_schema
from bnfuse.serve.http import api, downloads
from bnfuse.serve.meeting import requests
from bnfuse.serve.workspace.changes import SAYS

_W = "/api/workspaces/{name}"
_REVISION = ("revision", "a line of the history; by default the last", "2")
_ARCS: Object = {"type": "array", "items": {"type": "integer"}}
_VIEW: Object = {
    "type": "object",
    "required": ["revision", "effort", "changed", "data"],
    "properties": {
        "revision": {"type": "integer"},
        "effort": {"type": "string"},
        "changed": {"type": "object", "properties": {"came": _ARCS, "went": _ARCS, "turned": _ARCS}},
        "data": json_schema(PageData),
    },
}
_NAMES: Object = {"type": "array", "items": {"type": "string"}}
_NAMED_ARCS: Object = {"type": "array", "items": _NAMES}
_COST: Object = {"type": ["number", "null"]}
_DECISION: Object = {
    "type": "object",
    "description": "Another decision, with the problem solved again.",
    "properties": {
        "decision": {"enum": ["in", "out", "turned"]},
        "arc": {"anyOf": [_NAMES, {"type": "null"}], "description": "that it has; null for out"},
        "cost": _COST | {"description": "by how much the mean distance rises, at most; null where it is not known"},
        "cost_at_least": _COST | {"description": "proven; the cost is exact where both are equal"},
        "added": _NAMED_ARCS,
        "dropped": _NAMED_ARCS,
        "reversed": _NAMED_ARCS,
        "barrier": {"type": ["string", "null"], "description": "why it is not possible"},
    },
}
_DISPUTE: Object = {
    "type": "object",
    "properties": {
        "source": {"type": "string"},
        "target": {"type": "string"},
        "in": {"type": "boolean", "description": "whether the consensus has this arc"},
        "share": {"type": "number"},
        "reversed_share": {"type": "number"},
        "contested": {"type": "number", "description": "0 to 1: twice the weight against the largest side"},
        "can_lead": {"type": "boolean"},
        "who": {
            "type": "object",
            "properties": dict.fromkeys(("forward", "backward", "neither", "blind"), _NAMES),
        },
        "cost": _COST | {"description": "of the other decision with the most weight"},
        "alternatives": {"type": "array", "items": _DECISION},
        "note": {"type": "string"},
        "say": {"enum": list(SAYS)},
        "say_reversed": {"enum": list(SAYS)},
    },
}
_DISPUTES: Object = {
    "type": "object",
    "properties": {
        "revision": {"type": "integer"},
        "effort": {"type": "string"},
        "is_solved": {"type": "boolean", "description": "whether the work on costs is done"},
        "pairs": {"type": ["integer", "null"], "description": "how many pairs the inputs dispute"},
        "stopped_by": {"type": ["string", "null"], "description": "finished, or what cut the work on costs"},
        "disputes": {"type": "array", "items": _DISPUTE},
    },
}
_NETWORK = """network north { }
variable Smoker { type discrete [ 2 ] { yes, no }; }
variable Cough { type discrete [ 2 ] { yes, no }; }
probability ( Smoker ) { table 0.3, 0.7; }
probability ( Cough | Smoker ) { (yes) 0.4, 0.6; (no) 0.1, 0.9; }
"""


@dataclass(frozen=True, slots=True)
class Route:
    """One request."""

    method: str
    path: str
    handler: Callable[[Request], Awaitable[Response]]
    status: int = 200
    query: tuple[tuple[str, str, str], ...] = ()
    """parameters: a name, what it means, an example"""
    body: Any = None
    """an example, where there is a body: a text stands for the content of a file"""
    gives: str = "application/json"
    example: Any = None
    """what it gives"""
    schema: Object | None = None
    """of what it gives"""

    @property
    def summary(self) -> str:
        """What it does."""
        return (self.handler.__doc__ or "").strip().splitlines()[0]


ROUTES: tuple[Route, ...] = (
    Route("GET", "/", api.enter, 303, gives=""),
    Route("GET", "/w/{name}/", api.show_page, gives="text/html"),
    Route("GET", "/api/openapi.json", api.describe),
    Route("GET", "/api/workspaces", api.list_workspaces, example=[{"name": "clinics"}]),
    Route("POST", "/api/workspaces", api.create_workspace, 201, body={"name": "clinics"}, example={"name": "clinics"}),
    Route("GET", _W, api.look),
    Route(
        "PUT",
        f"{_W}/files",
        api.add_file,
        query=(
            ("name", "what the file is called", "north.bif"),
            ("as", "networks, tally or data, where the content does not tell", "networks"),
        ),
        body=_NETWORK,
        example={"revision": 2, "added": ["north"], "kind": "networks", "said": []},
    ),
    Route("POST", f"{_W}/changes", api.change, body={"kind": "set", "field": "max_clique", "value": 3}),
    Route("POST", f"{_W}/undo", api.undo),
    Route("POST", f"{_W}/redo", api.redo),
    Route("GET", f"{_W}/history", api.history),
    Route(
        "POST",
        f"{_W}/solve",
        api.solve,
        202,
        body={"effort": "thorough"},
        example={"revision": 3, "effort": "thorough"},
    ),
    Route("DELETE", f"{_W}/solve", api.stop, example={"revision": 3, "stopped": True}),
    Route("GET", f"{_W}/view", api.view, query=(_REVISION,), schema=_VIEW),
    Route("GET", f"{_W}/disputes", api.disputes, query=(_REVISION,), schema=_DISPUTES),
    Route(
        "GET",
        f"{_W}/frontier",
        api.frontier,
        query=(("wait", "seconds to wait for it, at most 60", "30"),),
    ),
    Route(
        "POST",
        f"{_W}/query",
        api.query,
        body={
            "target": "Cough",
            "evidence": {"Smoker": {"yes": 0.9, "no": 0.3}},
            "of": "consensus",
        },
    ),
    Route("GET", f"{_W}/rounds", api.list_rounds),
    Route("POST", f"{_W}/rounds", api.freeze, 201, body={"name": "before lunch"}),
    Route("GET", f"{_W}/rounds/{{before}}..{{after}}", api.compare_rounds),
    Route(
        "GET",
        f"{_W}/out/{{kind}}",
        downloads.take,
        query=(("placeholders", "true: uniform tables where there are none, in formats that cannot say so", "true"),),
        gives="application/octet-stream",
    ),
    *(Route(one.method, f"{_W}{one.path}", one.handler, one.status, body=one.body) for one in requests.REQUESTS),
    Route("GET", f"{_W}/events", api.events, gives="text/event-stream"),
)
