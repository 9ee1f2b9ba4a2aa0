"""The OpenAPI description, made from the table of routes and the types of their arguments and results."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from bnfuse import __version__
from bnfuse.serve.http.describe.route import JSON, Parameter, Route
from bnfuse.serve.http.describe.schemas import Schema, Schemas
from bnfuse.serve.http.describe.shapes import Error
from bnfuse.serve.jobs.outputs import MADE, WRITTEN

_ERRORS = {
    "400": "the request cannot be read",
    "401": "the token is missing or wrong",
    "403": "the request comes from another site, or the link does not allow it",
    "404": "there is no such workspace, answer, round or file",
    "408": "the body did not arrive in time",
    "413": "the body is too large",
    "421": "the request names another server",
    "422": "the request is refused: the error gives the reason and the remedy",
    "429": "there is too much to do already",
    "431": "the headers are too large",
    "503": "a worker died, the disk is full, or another server has the workspace open",
}
_OF_SOME = {
    "409": "somebody else has changed the same thing since: both versions are there",
    "428": "the header If-Match is missing",
}
_WORKSPACE = "/api/workspaces/{name}"
_PERSON = Parameter("Bnfuse-Person", "the key that the person got when they joined", "the-key-of-Ana")
_IN_PATH: dict[str, tuple[str, Schema]] = {
    "file": ("0" * 32, {"type": "string", "pattern": "^[0-9a-f]{1,64}$"}),
    "name": ("clinics", {"type": "string", "minLength": 1, "maxLength": 64}),
    "kind": ("bif", {"enum": [*MADE, *WRITTEN]}),
    "input": ("consensus", {"type": "string", "pattern": "^[0-9a-z-]{1,80}$"}),
    "before": ("1", {"type": "string", "pattern": "^([1-9][0-9]{0,8}|now)$"}),
    "after": ("now", {"type": "string", "pattern": "^([1-9][0-9]{0,8}|now)$"}),
    "person": ("1", {"type": "integer", "minimum": 1, "maximum": 10**15 - 1}),
    "panel": ("1", {"type": "integer", "minimum": 1, "maximum": 10**15 - 1}),
}


def description(routes: Iterable[Route]) -> dict[str, Any]:
    """OpenAPI 3.1; pages are not included."""
    schemas = Schemas()
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        if route.path.startswith("/api/"):
            paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, schemas)
    return {
        "openapi": "3.1.0",
        "info": {"title": "bnfuse serve", "version": __version__},
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": schemas.components,
        },
        "security": [{"token": []}],
    }


def _operation(route: Route, schemas: Schemas) -> dict[str, Any]:
    given = {str(route.status): _response(route, route.gives, schemas, _example(route.example))}
    for status, kind in route.also.items():
        own = _response(route, kind, schemas, {})
        given[str(status)] = own | {"description": _OF_SOME.get(str(status), own["description"])}
    error = {JSON: {"schema": schemas.of(Error)}}
    operation: dict[str, Any] = {
        "operationId": route.handler.__name__,
        "summary": route.summary,
        "responses": given
        | {status: {"description": text, "content": error} for status, text in _ERRORS.items() if status not in given},
    }
    if parameters := _parameters(route, schemas):
        operation["parameters"] = parameters
    if route.takes is not None:
        media = "application/octet-stream" if route.takes is bytes else JSON
        schema = {} if route.takes is bytes else schemas.of(route.takes)
        content = {media: {"schema": schema, **_example(route.body)}}
        operation["requestBody"] = {"required": route.is_body_needed, "content": content}
    return operation


def _parameters(route: Route, schemas: Schemas) -> list[dict[str, Any]]:
    in_path = [
        {"name": name, "in": "path", "required": True, "schema": _IN_PATH[name][1], "example": _IN_PATH[name][0]}
        for name in re.findall(r"\{([a-z]+)\}", route.path)
    ]
    in_headers = [*route.headers, *([_PERSON] if route.path.startswith(_WORKSPACE) else [])]
    places = {"query": route.query, "header": in_headers}
    return in_path + [
        {
            "name": one.name,
            "in": place,
            "description": one.words,
            "required": one.is_required,
            "schema": schemas.of(one.kind),
            "example": one.example,
        }
        for place, parameters in places.items()
        for one in parameters
    ]


def _response(route: Route, kind: Any, schemas: Schemas, example: dict[str, Any]) -> dict[str, Any]:
    if kind is None:
        return {"description": route.summary}
    schema = {} if kind is bytes else {"schema": schemas.of(kind)}
    return {"description": route.summary, "content": {media: {**schema, **example} for media in route.media}}


def _example(value: Any) -> dict[str, Any]:
    return {} if value is None else {"example": value}
